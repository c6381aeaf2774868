//! Names on screen: those of accounts, wallets and users, and those of addresses.

use std::borrow::Cow;

use super::Model;
use crate::app::screen::Pane;
use crate::domain::address::{ShortAddresses, ShownAddresses};
use crate::domain::address_names::{AddressFormatter, AddressNames};
use crate::domain::history::{HistoryRow, Scope};
use crate::domain::{Text, WalletId, address};

impl Model {
    pub fn address_names(&self) -> &AddressNames {
        &self.data.analyses.names.names
    }

    /// The name of an account, a wallet or a user: the one that the operator gave, else the service's.
    pub fn scope_label(&self, scope: &Scope) -> Option<&Text> {
        let (book, names) = (&self.journal.book, self.address_names());
        match scope {
            Scope::All => None,
            Scope::Account(id) => {
                let listed_account =
                    || self.pages.overview.accounts.rows().iter().find(|account| account.entry.id == *id);
                let listed_name = || listed_account()?.entry.name.as_ref();
                book.label_of_account(id).or_else(listed_name).or_else(|| names.account_name(id))
            }
            Scope::Wallet(id) => {
                let listed_wallet = || self.pages.overview.wallets.rows().iter().find(|wallet| wallet.entry.id == *id);
                let listed_name = || listed_wallet()?.entry.name.as_ref();
                book.label_of_wallet(id).or_else(listed_name).or_else(|| names.wallet_name(id))
            }
            Scope::User(id) => {
                let listed_user = || self.pages.users.listing.rows().iter().find(|user| user.entry.id == *id);
                let listed_name = || listed_user()?.entry.display_name.as_ref();
                book.label_of_user(id).or_else(listed_name).or_else(|| names.user_name(id))
            }
        }
    }

    /// The name on screen: the title, else the shortened identifier or address.
    pub fn scope_name(&self, scope: &Scope) -> String {
        let title = || self.scope_label(scope).map(ToString::to_string);
        match scope {
            Scope::All => "all accounts".into(),
            Scope::Account(id) => title().unwrap_or_else(|| address::shorten_address(id.as_str())),
            Scope::Wallet(id) => title()
                .unwrap_or_else(|| self.short_addresses().shorten(self.wallet_address(id).unwrap_or(id.as_str()))),
            Scope::User(id) => title().unwrap_or_else(|| address::shorten_address(id.as_str())),
        }
    }

    fn wallet_address(&self, id: &WalletId) -> Option<&str> {
        self.pages.overview.wallets.rows().iter().find(|wallet| wallet.entry.id == *id)?.entry.address.as_deref()
    }

    /// The name of whoever is at an address of a chain. An address that resembles a known one has none: it would pass
    /// for somebody.
    pub fn party_name(&self, address: &Text, blockchain: &str) -> Option<&Text> {
        let is_look_alike = self.data.analyses.look_alikes.match_of_address(address).is_some();
        self.address_names().party(address, blockchain).filter(|_| !is_look_alike).map(|party| &party.name)
    }

    /// The name of a row's counterparty.
    pub fn counterparty_name(&self, row: &HistoryRow) -> Option<&Text> {
        self.party_name(row.transaction.counterparty()?, &row.transaction.token.blockchain)
    }

    /// The name of a row's own wallet.
    pub fn own_wallet_name<'a>(&'a self, row: &'a HistoryRow) -> Option<&'a Text> {
        let wallet = row.transaction.wallet.as_ref();
        let by_id = || self.address_names().wallet_name(wallet?);
        let by_address = || self.party_name(row.transaction.own_wallet_address()?, &row.transaction.token.blockchain);
        let label = wallet.and_then(|wallet| self.journal.book.label_of_wallet(wallet));
        label.or(row.wallet_name.as_ref()).or_else(by_id).or_else(by_address)
    }

    /// How the addresses on screen are shortened: two different ones never to the same text.
    pub fn short_addresses(&self) -> Cow<'_, ShortAddresses> {
        self.frame_addresses.get().map_or_else(|| Cow::Owned(self.shorten_shown_addresses()), Cow::Borrowed)
    }

    /// Shortens the addresses once for all that a frame paints of them.
    pub fn start_frame(&self) {
        self.frame_addresses.get_or_init(|| self.shorten_shown_addresses());
    }

    fn shorten_shown_addresses(&self) -> ShortAddresses {
        // Two of each row of a large screen.
        let mut addresses = ShownAddresses::with_capacity(256);
        addresses.extend_hashed(&self.pages.attention.cached_history_items.addresses);
        addresses.extend(self.pages.overview.wallets.selected_key().and_then(|wallet| self.wallet_address(wallet)));
        for pane in self.page.panes() {
            self.collect_shown_addresses(*pane, &mut addresses);
        }
        addresses.into()
    }

    /// Whom sentences on screen name.
    pub fn address_formatter(&self) -> AddressFormatter<'_> {
        AddressFormatter { names: self.address_names(), short: self.short_addresses() }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the other panes show no addresses")]
    fn collect_shown_addresses<'a>(&'a self, pane: Pane, collected: &mut ShownAddresses<'a>) {
        if let Some(list) = pane.history_list() {
            for (row, _) in self.history_of(list).listing.visible_rows() {
                let transaction = &row.transaction;
                let addresses = [&transaction.from_address, &transaction.to_address];
                collected.extend(addresses.into_iter().flatten().map(Text::as_str));
            }
            return;
        }
        match pane {
            Pane::Wallets => {
                collected.extend(
                    self.pages
                        .overview
                        .wallets
                        .visible_rows()
                        .filter_map(|(wallet, _)| wallet.entry.address.as_deref()),
                );
            }
            Pane::Book => {
                collected.extend(
                    self.pages.book.listing.visible_rows().map(|(line, _)| line.entry.contact.address.as_str()),
                );
            }
            Pane::Addresses => {
                collected.extend(
                    self.pages
                        .users
                        .addresses
                        .visible_rows()
                        .map(|(deposit_address, _)| deposit_address.address.as_str()),
                );
            }
            Pane::Deposits => collected.extend(
                self.pages.users.deposits.visible_rows().filter_map(|(deposit, _)| deposit.from_address.as_deref()),
            ),
            Pane::Withdrawals => collected.extend(
                self.pages
                    .users
                    .withdrawals
                    .visible_rows()
                    .filter_map(|(withdrawal, _)| withdrawal.to_address.as_deref()),
            ),
            _ => {}
        }
    }
}
