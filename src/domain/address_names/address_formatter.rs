//! Addresses as sentences show them: by name, or shortened.

use std::borrow::Cow;

use super::AddressNames;
use crate::domain::Text;
use crate::domain::address::ShortAddresses;

/// Names, and how the addresses beside each other are shortened.
#[derive(Debug)]
pub struct AddressFormatter<'a> {
    pub names: &'a AddressNames,
    pub short: Cow<'a, ShortAddresses>,
}

impl AddressFormatter<'_> {
    /// Who is at an address: the name with the shortened address, or the latter alone.
    pub fn format(&self, address: &Text, blockchain: &str) -> String {
        let short = self.short.shorten(address);
        self.names.party(address, blockchain).map_or_else(|| short.clone(), |party| format!("{} ({short})", party.name))
    }
}
