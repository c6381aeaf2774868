//! One row of an import: its fields, and the entry that they make.

use crate::domain::csv_table::TableLayout;
use crate::domain::text::is_forbidden_in_text;
use crate::domain::{Account, AccountId, Address, Chain, Text, User, UserId, Wallet, WalletId};

use super::DirectoryEntry;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ImportField {
    Kind,
    Id,
    Name,
    RefId,
    Email,
    Blockchain,
    Address,
    Network,
    UserId,
    AccountId,
}

impl ImportField {
    pub(super) const ALL: [Self; 10] = [
        Self::Kind,
        Self::Id,
        Self::Name,
        Self::RefId,
        Self::Email,
        Self::Blockchain,
        Self::Address,
        Self::Network,
        Self::UserId,
        Self::AccountId,
    ];

    /// The column's name: the specification's name for the field, except for the first.
    pub(super) fn column_name(self) -> &'static str {
        LAYOUT.column_name(self)
    }
}

pub(super) const LAYOUT: TableLayout<ImportField> = TableLayout {
    kind: "directory",
    columns: &[
        (ImportField::Kind, &["kind"]),
        (ImportField::Id, &["id"]),
        (ImportField::Name, &["name", "display name"]),
        (ImportField::RefId, &["refId", "reference"]),
        (ImportField::Email, &["email"]),
        (ImportField::Blockchain, &["blockchain", "chain"]),
        (ImportField::Address, &["address"]),
        (ImportField::Network, &["network"]),
        (ImportField::UserId, &["userId"]),
        (ImportField::AccountId, &["accountId"]),
    ],
    required: &[ImportField::Kind, ImportField::Id],
    example: "kind,id[,name][,blockchain][,address]…",
    max_bytes: super::MAX_FILE_BYTES,
    max_rows: MAX_ROWS,
};

const MAX_ROWS: usize = 1_000_000;

/// A row's value in each field; `None` where it is empty.
#[derive(Debug, Default)]
pub(super) struct ImportFields([Option<String>; 10]);

/// The longest plausible identifier or name.
const MAX_LENGTH: usize = 256;

impl ImportFields {
    pub(super) fn set(&mut self, field: ImportField, value: &str) {
        if let Some(slot) = self.0.get_mut(field as usize) {
            *slot = (!value.is_empty()).then(|| value.to_owned());
        }
    }

    fn get(&self, field: ImportField) -> Option<&str> {
        self.0.get(field as usize)?.as_deref()
    }

    pub(super) fn to_entry(&self) -> Result<DirectoryEntry, String> {
        for field in ImportField::ALL {
            let Some(value) = self.get(field) else { continue };
            if let Some(hidden) = value.chars().find(|c| is_forbidden_in_text(*c)) {
                return Err(format!(
                    "{} contains an invisible character, U+{:04X}",
                    field.column_name(),
                    u32::from(hidden)
                ));
            }
            if value.chars().count() > MAX_LENGTH {
                return Err(format!("{} is longer than {MAX_LENGTH} characters", field.column_name()));
            }
        }
        let kind = self.get(ImportField::Kind).unwrap_or_default().to_ascii_lowercase();
        self.check_identifiers()?;
        match kind.as_str() {
            "user" | "sub-wallet" | "subwallet" => self.user(),
            "wallet" => self.wallet(),
            "account" => self.account(),
            "" => Err("kind is missing; write user, sub-wallet, wallet or account".into()),
            other => Err(format!("“{other}” is not a kind; write user, sub-wallet, wallet or account")),
        }
    }

    fn check_identifiers(&self) -> Result<(), String> {
        if self.get(ImportField::Id).is_none() {
            return Err("id is missing; write the identifier as the service spells it".into());
        }
        for field in [ImportField::Id, ImportField::UserId, ImportField::AccountId] {
            if self.get(field).is_some_and(|id| id.contains(char::is_whitespace)) {
                return Err(format!("{} contains a space, which no identifier has", field.column_name()));
            }
        }
        Ok(())
    }

    /// Rejects fields that the kind does not have: a value in the wrong column would be lost silently.
    fn reject_other_fields(&self, kind: &str, allowed: &[ImportField]) -> Result<(), String> {
        let strange = ImportField::ALL.into_iter().find(|field| {
            !matches!(field, ImportField::Kind | ImportField::Id)
                && !allowed.contains(field)
                && self.get(*field).is_some()
        });
        strange.map_or(Ok(()), |field| Err(format!("{kind} has no {}; leave it empty", field.column_name())))
    }

    fn text(&self, field: ImportField) -> Option<Text> {
        self.get(field).map(Text::clean)
    }

    fn id(&self) -> &str {
        self.get(ImportField::Id).unwrap_or_default()
    }

    fn user(&self) -> Result<DirectoryEntry, String> {
        self.reject_other_fields("a user", &[ImportField::Name, ImportField::RefId, ImportField::Email])?;
        Ok(DirectoryEntry::User(User {
            id: UserId::from_text(self.id()),
            display_name: self.text(ImportField::Name),
            ref_id: self.text(ImportField::RefId),
            email: self.text(ImportField::Email),
            is_active: None,
            created_at: None,
        }))
    }

    fn account(&self) -> Result<DirectoryEntry, String> {
        self.reject_other_fields("an account", &[ImportField::Name, ImportField::Network])?;
        Ok(DirectoryEntry::Account(Account {
            name: self.text(ImportField::Name),
            network: self.text(ImportField::Network),
            ..Account::new(AccountId::from_text(self.id()))
        }))
    }

    fn wallet(&self) -> Result<DirectoryEntry, String> {
        use ImportField::{AccountId as InAccount, Address as At, Blockchain, Name, Network, RefId, UserId as Of};
        self.reject_other_fields("a wallet", &[Name, RefId, Blockchain, At, Network, Of, InAccount])?;
        let Some(blockchain) = self.get(Blockchain) else {
            return Err("blockchain is missing; a wallet is one address on one chain".into());
        };
        if let (Some(address), Some(chain)) = (self.get(At), Chain::find(blockchain)) {
            Address::parse(chain.family, address)
                .map_err(|error| format!("this is not an address on {}: {error}", chain.name))?;
        }
        Ok(DirectoryEntry::Wallet(Wallet {
            name: self.text(Name),
            address: self.text(At),
            network: self.text(Network),
            user: self.get(Of).map(UserId::from_text),
            account: self.get(InAccount).map(AccountId::from_text),
            ref_id: self.text(RefId),
            ..Wallet::new(WalletId::from_text(self.id()), Text::clean(blockchain))
        }))
    }
}
