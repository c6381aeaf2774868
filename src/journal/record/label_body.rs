//! A label of the address book, as a record states it.

use serde::{Deserialize, Serialize};

use crate::domain::book::{BookChange, LabelSubject};
use crate::domain::{AccountId, Text, UserId, WalletId};

#[derive(Serialize, Deserialize)]
pub(super) struct LabelBody {
    subject: LabelSubjectBody,
    name: Option<String>,
}

impl LabelBody {
    pub(super) fn new(subject: &LabelSubject, name: Option<&Text>) -> Self {
        Self { subject: subject.into(), name: name.map(ToString::to_string) }
    }
}

impl From<LabelBody> for BookChange {
    fn from(LabelBody { subject, name }: LabelBody) -> Self {
        Self::Label { subject: subject.into(), name: name.map(|name| Text::clean(&name)) }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum LabelSubjectBody {
    Address { address: String, blockchain: String },
    Wallet(String),
    Account(String),
    User(String),
}

impl From<&LabelSubject> for LabelSubjectBody {
    fn from(subject: &LabelSubject) -> Self {
        match subject {
            LabelSubject::Address { address, blockchain } => {
                Self::Address { address: address.to_string(), blockchain: blockchain.to_string() }
            }
            LabelSubject::Wallet(id) => Self::Wallet(id.to_string()),
            LabelSubject::Account(id) => Self::Account(id.to_string()),
            LabelSubject::User(id) => Self::User(id.to_string()),
        }
    }
}

impl From<LabelSubjectBody> for LabelSubject {
    fn from(body: LabelSubjectBody) -> Self {
        match body {
            LabelSubjectBody::Address { address, blockchain } => {
                Self::Address { address: Text::clean(&address), blockchain: Text::clean(&blockchain) }
            }
            LabelSubjectBody::Wallet(id) => Self::Wallet(WalletId::from_text(&id)),
            LabelSubjectBody::Account(id) => Self::Account(AccountId::from_text(&id)),
            LabelSubjectBody::User(id) => Self::User(UserId::from_text(&id)),
        }
    }
}
