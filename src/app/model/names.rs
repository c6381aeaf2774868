//! What things are called on screen.

use super::Model;
use crate::domain::address;
use crate::domain::history::Scope;

impl Model {
    /// What to call an account or a wallet: its name where it is known, else what identifies it, shortened.
    pub fn scope_name(&self, scope: &Scope) -> String {
        match scope {
            Scope::All => "everything".into(),
            Scope::Account(id) => self
                .accounts
                .held()
                .iter()
                .find(|account| account.entry.id == *id)
                .and_then(|account| account.entry.name.as_ref())
                .map_or_else(|| address::shorten(id.as_str()), ToString::to_string),
            Scope::Wallet(id) => {
                let wallet = self.wallets.held().iter().find(|wallet| wallet.entry.id == *id);
                let address = wallet.and_then(|wallet| wallet.entry.address.as_deref());
                wallet
                    .and_then(|wallet| wallet.entry.name.as_ref())
                    .map_or_else(|| address::shorten(address.unwrap_or(id.as_str())), ToString::to_string)
            }
            Scope::User(id) => address::shorten(id.as_str()),
        }
    }
}
