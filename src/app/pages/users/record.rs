//! A record in full: of the Users page, of the address book or of the sandbox.

mod lines;

use super::DepositAddress;
use crate::app::overlays::directory_record::DirectoryRecord;
use crate::app::overlays::sandbox::Sandbox;
use crate::app::pages::book::BookRow;
use crate::domain::v1::{Deposit, Transfer};
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnyRecord {
    Deposit(Deposit),
    Transfer(Transfer),
    Address(DepositAddress),
    Contact(BookRow),
    Directory(Box<DirectoryRecord>),
    Sandbox(Sandbox),
}

impl AnyRecord {
    pub fn title(&self) -> &'static str {
        match self {
            Self::Deposit(_) => "Deposit v1",
            Self::Transfer(_) => "Transfer v1",
            Self::Address(_) => "Address",
            Self::Contact(_) => "Address book",
            Self::Directory(record) => record.title(),
            Self::Sandbox(_) => "Sandbox of version 1",
        }
    }

    /// Takes newer data of the same record, if it is among the rows read.
    pub fn refresh(&mut self, deposits: &[Deposit], transfers: &[Transfer]) {
        match self {
            Self::Deposit(shown) => {
                if let Some(newer) = deposits.iter().find(|row| row.id == shown.id) {
                    shown.clone_from(newer);
                }
            }
            Self::Transfer(shown) => {
                if let Some(newer) = transfers.iter().find(|row| row.id == shown.id) {
                    shown.clone_from(newer);
                }
            }
            Self::Address(_) | Self::Contact(_) | Self::Directory(_) | Self::Sandbox(_) => {}
        }
    }
}
