//! Names that the operator gives to what has none of its own: addresses, wallets, accounts and users.
//!
//! A label only says who somebody is. It makes nobody a recipient: that is for the contacts of the address book, which
//! are judged before they are entered and trusted after a time.

use super::{AddressBook, Contact, ContactError};
use crate::domain::address::is_same_address;
use crate::domain::edit_distance::is_one_slip_away;
use crate::domain::imitation::texts_look_alike;
use crate::domain::{AccountId, Text, UserId, WalletId, chain};

/// What a label names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LabelSubject {
    Address {
        address: Text,
        /// In the service's word.
        blockchain: Text,
    },
    Wallet(WalletId),
    Account(AccountId),
    User(UserId),
}

impl LabelSubject {
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Address { .. } => "address",
            Self::Wallet(_) => "wallet",
            Self::Account(_) => "account",
            Self::User(_) => "user",
        }
    }

    /// The address, or the service's identifier.
    pub fn id(&self) -> &str {
        match self {
            Self::Address { address, .. } => address,
            Self::Wallet(id) => id.as_str(),
            Self::Account(id) => id.as_str(),
            Self::User(id) => id.as_str(),
        }
    }

    /// The subject of a kind in a file; `None` for an unknown kind.
    pub fn read(kind: &str, id: &Text, blockchain: &Text) -> Option<Self> {
        Some(match kind {
            "address" => Self::Address { address: id.clone(), blockchain: blockchain.clone() },
            "wallet" => Self::Wallet(WalletId::from_text(id)),
            "account" => Self::Account(AccountId::from_text(id)),
            "user" => Self::User(UserId::from_text(id)),
            _ => return None,
        })
    }

    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Address { address, blockchain }, Self::Address { address: other, blockchain: other_blockchain }) => {
                chain::is_same_chain(blockchain, other_blockchain) && is_same_address(address, other)
            }
            _ => self == other,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    pub subject: LabelSubject,
    pub name: Text,
}

impl Label {
    /// Whether the label can be in a book.
    ///
    /// # Errors
    /// What is wrong with the name, or with the address.
    pub fn check(&self) -> Result<(), ContactError> {
        match &self.subject {
            LabelSubject::Address { address, blockchain } => Contact {
                name: self.name.clone(),
                address: address.clone(),
                blockchain: blockchain.clone(),
                tag: None,
                note: None,
            }
            .check(),
            LabelSubject::Wallet(_) | LabelSubject::Account(_) | LabelSubject::User(_) => {
                Contact::check_name(&self.name)
            }
        }
    }
}

impl AddressBook {
    /// Every label, in the order of first entry.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    pub fn label_of(&self, subject: &LabelSubject) -> Option<&Label> {
        self.labels.iter().find(|label| label.subject.is_same(subject))
    }

    pub fn label_of_wallet(&self, id: &WalletId) -> Option<&Text> {
        self.label_name_where(|subject| matches!(subject, LabelSubject::Wallet(wallet) if wallet == id))
    }

    pub fn label_of_account(&self, id: &AccountId) -> Option<&Text> {
        self.label_name_where(|subject| matches!(subject, LabelSubject::Account(wallet) if wallet == id))
    }

    pub fn label_of_user(&self, id: &UserId) -> Option<&Text> {
        self.label_name_where(|subject| matches!(subject, LabelSubject::User(labelled) if labelled == id))
    }

    fn label_name_where(&self, is_wanted: impl Fn(&LabelSubject) -> bool) -> Option<&Text> {
        self.labels.iter().find(|label| is_wanted(&label.subject)).map(|label| &label.name)
    }

    pub(super) fn apply_label(&mut self, subject: LabelSubject, name: Option<Text>) {
        let at = self.labels.iter().position(|label| label.subject.is_same(&subject));
        match (at, name) {
            (Some(at), Some(name)) => self.labels[at].name = name,
            (Some(at), None) => drop(self.labels.remove(at)),
            (None, Some(name)) => self.labels.push(Label { subject, name }),
            (None, None) => {}
        }
    }

    /// The name of a contact or a label of something else for which a label would be taken.
    pub fn find_confusable_name<'a>(&'a self, label: &Label) -> Option<&'a Text> {
        let contacts = self.entries.iter().map(|entry| &entry.contact).filter(|contact| match &label.subject {
            LabelSubject::Address { address, .. } => !is_same_address(&contact.address, address),
            LabelSubject::Wallet(_) | LabelSubject::Account(_) | LabelSubject::User(_) => true,
        });
        let others = self.labels.iter().filter(|other| !other.subject.is_same(&label.subject));
        let mut names = contacts.map(|contact| &contact.name).chain(others.map(|other| &other.name));
        names.find(|name| texts_look_alike(name, &label.name) || is_one_slip_away(name, &label.name))
    }
}
