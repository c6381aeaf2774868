//! A record in full: of the Users page, of the address book, of the sandbox, or the policy.

mod lines;
pub mod policy;
pub mod sandbox;

use crate::app::listing::Keyed;
use crate::app::overlays::directory_record::DirectoryRecord;
use crate::app::pages::book::BookRow;
use crate::app::pages::users::{DepositAddress, Users};
use crate::app::session::veil::Veil;
use crate::domain::v1::{Movement, Transfer};
use sandbox::Sandbox;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnyRecord {
    Deposit(Movement),
    Withdrawal(Movement),
    Transfer(Transfer),
    Address(DepositAddress),
    Contact(BookRow),
    Directory(Box<DirectoryRecord>),
    Sandbox(Sandbox),
    /// The profile's policy.
    Policy,
}

impl AnyRecord {
    pub fn title(&self) -> &'static str {
        match self {
            Self::Deposit(_) => "Deposit v1",
            Self::Withdrawal(_) => "Withdrawal v1",
            Self::Transfer(_) => "Transfer v1",
            Self::Address(_) => "Address",
            Self::Contact(_) => "Address book",
            Self::Directory(record) => record.title(),
            Self::Sandbox(_) => "Sandbox of version 1",
            Self::Policy => "Policy",
        }
    }

    /// The record with masked values; `None` where the veil does not let it through.
    pub(in crate::app) fn to_masked(&self, veil: &Veil) -> Option<Self> {
        Some(match self {
            Self::Deposit(deposit) => Self::Deposit(veil.mask_deposit(deposit)),
            Self::Withdrawal(withdrawal) => Self::Withdrawal(veil.mask_deposit(withdrawal)),
            Self::Transfer(transfer) => Self::Transfer(veil.mask_transfer(transfer)),
            Self::Address(address) => Self::Address(veil.mask_deposit_address(address)),
            Self::Contact(row) => Self::Contact(veil.mask_book_row(row)),
            Self::Directory(record) => Self::Directory(Box::new(veil.mask_directory_record(record))),
            Self::Sandbox(_) | Self::Policy => return None,
        })
    }

    /// Takes newer data of the same record, if it is among the rows read.
    pub fn refresh_from_users(&mut self, users: &Users) {
        fn take_newer<T: Keyed + Clone>(open_row: &mut T, rows: &[T]) {
            if let Some(newer) = rows.iter().find(|row| row.key() == open_row.key()) {
                open_row.clone_from(newer);
            }
        }
        match self {
            Self::Deposit(open_row) => take_newer(open_row, users.deposits.rows()),
            Self::Withdrawal(open_row) => take_newer(open_row, users.withdrawals.rows()),
            Self::Transfer(open_row) => take_newer(open_row, users.transfers.rows()),
            Self::Address(_) | Self::Contact(_) | Self::Directory(_) | Self::Sandbox(_) | Self::Policy => {}
        }
    }
}
