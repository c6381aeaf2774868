//! The Users page: the list, the selection, and the details of the selected user.
//!
//! ```text
//!  a key moves the selection ──▶ the store is queried at once: balances, wallets
//!                           └──▶ data read of the user before is shown at once, with its age
//!  the selection rests      ──▶ the service is polled: Balances(User), User      (poll)
//! ```

pub mod exported_columns;
pub mod further_rows;
mod keys;
mod layout;
mod masking;
pub(in crate::app) mod page;
pub mod panes;
pub mod part_notes;
mod select;
mod user_cache;
pub mod view;

use crate::app::listing::Listing;
use crate::app::request_id::RequestId;
use crate::app::screen::Pane;
use crate::domain::entry_source::Sourced;
use crate::domain::history::Window;
use crate::domain::imitation::symbol_imitates;
use crate::domain::v1::{AssetBalance, Movement, Transfer};
use crate::domain::{Holding, PagedList, Text, Timestamp, Token, User, UserId, Wallet};

use further_rows::PageRequest;
pub use further_rows::{MovementList, MovementPage};
pub(in crate::app) use keys::remember_detail_pane;
pub use select::part_staleness;
pub(in crate::app) use select::{
    after_selection_change, apply_details, apply_user_report, apply_users, balance_scope, is_selection_moving,
    next_due, polled_user, refresh_holding_rows,
};
pub use user_cache::{AddressKey, CachedPart, CachedUserReport, DepositAddress, UserReport, V1UserReport};

/// The number of users whose data is cached.
const MAX_CACHED_USERS: usize = 32;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UserDetails {
    pub holdings: Vec<Holding>,
    pub wallets: Vec<Sourced<Wallet>>,
    /// When the service last reported the balances; `None` if it never did.
    pub balances_at: Option<Timestamp>,
}

#[derive(Debug, Clone)]
pub struct Users {
    /// The known users, by name.
    pub listing: Listing<Sourced<User>>,
    pub filter: String,
    pub request_id: RequestId,
    /// Whether the next query may move users whose names came late to their sorted positions: while the list is on
    /// screen, users do not move.
    pub needs_rearranging: bool,
    /// Whether the first user was selected automatically, which happens once.
    was_user_preselected: bool,
    /// When the selection will have rested.
    rests_at: Option<Timestamp>,
    /// The pane shown below the list where only one fits.
    pub detail_pane: Pane,
    /// The selected user, whose data the fields below hold.
    pub shown_user: Option<UserId>,
    pub details_request_id: RequestId,
    /// When the service last reported the user's balances.
    pub balances_at: Option<Timestamp>,
    /// The version 2 balances, with imitation tokens only if they are shown.
    pub holdings: Listing<Holding>,
    /// All version 2 balances.
    pub all_holdings: Vec<Holding>,
    /// The user's known wallets.
    wallets: Vec<Sourced<Wallet>>,
    /// The known addresses at which the user can be paid.
    pub addresses: Listing<DepositAddress>,
    pub assets: Listing<AssetBalance>,
    /// Version 1 deposits, newest first.
    pub deposits: Listing<Movement>,
    /// Version 1 withdrawals, newest first.
    pub withdrawals: Listing<Movement>,
    /// Version 1 transfers, newest first.
    pub transfers: Listing<Transfer>,
    /// Coins that look like listed ones but are spelt differently.
    pub imitations: Vec<Text>,
    /// The cached data of users; those read last are at the end.
    cached_reports: Vec<(UserId, CachedUserReport)>,
    pub(in crate::app) page_request: PageRequest,
}

impl Default for Users {
    fn default() -> Self {
        Self {
            listing: Listing::default(),
            filter: String::new(),
            request_id: RequestId::default(),
            needs_rearranging: false,
            was_user_preselected: false,
            rests_at: None,
            detail_pane: Pane::Holdings,
            shown_user: None,
            details_request_id: RequestId::default(),
            balances_at: None,
            holdings: Listing::default(),
            all_holdings: Vec::new(),
            wallets: Vec::new(),
            addresses: Listing::default(),
            assets: Listing::default(),
            deposits: Listing::default(),
            withdrawals: Listing::default(),
            transfers: Listing::default(),
            imitations: Vec::new(),
            cached_reports: Vec::new(),
            page_request: PageRequest::default(),
        }
    }
}

impl Users {
    pub fn cached_report(&self) -> Option<&CachedUserReport> {
        let user_on_screen = self.shown_user.as_ref()?;
        self.cached_reports.iter().find(|(user, _)| user == user_on_screen).map(|(_, memory)| memory)
    }

    /// The selected user, while the list has the row.
    pub fn selected(&self) -> Option<&Sourced<User>> {
        self.listing.selected()
    }

    /// Shows the cached data of the selected user in the version 1 lists and the list of addresses.
    fn show_cached_report(&mut self, listed_tokens: &[Token]) {
        let memory = self.cached_report().cloned().unwrap_or_default();
        let rows = |part: CachedPart<PagedList<Movement>>| part.value.map(|(list, _)| list.rows).unwrap_or_default();
        let deposits = rows(memory.deposits);
        self.addresses.apply_window(Window::whole(user_cache::deposit_addresses(
            &self.wallets,
            &deposits,
            self.shown_user.as_ref(),
        )));
        self.deposits.apply_window(Window::whole(deposits));
        self.withdrawals.apply_window(Window::whole(rows(memory.withdrawals)));
        self.assets.apply_window(Window::whole(memory.assets.value.map(|(list, _)| list.rows).unwrap_or_default()));
        self.transfers
            .apply_window(Window::whole(memory.transfers.value.map(|(list, _)| list.rows).unwrap_or_default()));
        let assets = self.assets.rows().iter().map(|row| &row.coin);
        let movement_coins = self.deposits.rows().iter().chain(self.withdrawals.rows()).map(|row| &row.coin);
        let movement_coins = movement_coins.chain(self.transfers.rows().iter().map(|row| &row.coin));
        let mut coins: Vec<_> = assets.chain(movement_coins).cloned().collect();
        coins.sort_unstable();
        coins.dedup();
        coins.retain(|coin| symbol_imitates(coin, listed_tokens));
        self.imitations = coins;
    }
}

#[cfg(test)]
mod tests;
