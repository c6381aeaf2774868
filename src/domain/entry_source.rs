//! Directory entries with their source.

use super::Text;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sourced<T> {
    pub entry: T,
    pub source: EntrySource,
    /// The fields known from an import alone: the service has not reported them.
    pub imported_fields: EntryFieldSet,
    /// Of a wallet: addresses that the service reported later and that differ from the recorded one.
    pub conflicting_addresses: Vec<ConflictingAddress>,
}

impl<T> Sourced<T> {
    /// An address that contradicts the wallet's recorded one and that no operator has reviewed.
    pub fn contradicting_address(&self) -> Option<&Text> {
        self.conflicting_addresses.iter().find(|other| !other.is_reviewed).map(|other| &other.address)
    }
}

/// Where a directory entry comes from, the strongest source first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntrySource {
    Created,
    Imported,
    Listed,
    History,
}

/// A property of a wallet or an account on which money depends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntryField {
    Address,
    Blockchain,
    Network,
    User,
    Account,
}

impl EntryField {
    pub const ALL: [Self; 5] = [Self::Address, Self::Blockchain, Self::Network, Self::User, Self::Account];
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct EntryFieldSet(u8);

impl EntryFieldSet {
    pub fn has(self, field: EntryField) -> bool {
        self.0 & (1 << field as u8) != 0
    }

    /// One bit for each field, in the order of [`EntryField::ALL`], the lowest bit for the first.
    pub fn bits(self) -> u8 {
        self.0
    }

    pub fn from_bits(bits: u8) -> Self {
        Self(bits)
    }
}

impl FromIterator<EntryField> for EntryFieldSet {
    fn from_iter<I: IntoIterator<Item = EntryField>>(fields: I) -> Self {
        Self(fields.into_iter().fold(0, |bits, field| bits | 1 << field as u8))
    }
}

/// A different address that the service reported for a known wallet. It never replaces the recorded address by itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ConflictingAddress {
    pub address: Text,
    /// Whether an operator has compared both addresses and decided which is right.
    pub is_reviewed: bool,
}
