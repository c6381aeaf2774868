//! Names of accounts, wallets and users on screen.

use super::Model;
use crate::domain::history::Scope;
use crate::domain::{Text, address};

impl Model {
    /// The name of an account, a wallet or a user, if a list on screen has it.
    pub fn scope_title(&self, scope: &Scope) -> Option<&Text> {
        match scope {
            Scope::All => None,
            Scope::Account(id) => {
                self.accounts.rows().iter().find(|account| account.entry.id == *id)?.entry.name.as_ref()
            }
            Scope::Wallet(id) => self.wallets.rows().iter().find(|wallet| wallet.entry.id == *id)?.entry.name.as_ref(),
            Scope::User(id) => {
                self.users.listing.rows().iter().find(|user| user.entry.id == *id)?.entry.display_name.as_ref()
            }
        }
    }

    /// The name on screen: the title, else the shortened identifier or address.
    pub fn scope_name(&self, scope: &Scope) -> String {
        let title = || self.scope_title(scope).map(ToString::to_string);
        match scope {
            Scope::All => "everything".into(),
            Scope::Account(id) => title().unwrap_or_else(|| address::shorten_address(id.as_str())),
            Scope::Wallet(id) => title().unwrap_or_else(|| {
                let wallet = self.wallets.rows().iter().find(|wallet| wallet.entry.id == *id);
                let address = wallet.and_then(|wallet| wallet.entry.address.as_deref());
                address::shorten_address(address.unwrap_or(id.as_str()))
            }),
            Scope::User(id) => address::shorten_address(id.as_str()),
        }
    }
}
