//! The state of the Overview page.

use super::balances::grouping::{BalanceGroup, BalanceGrouping};
use crate::app::listing::Listing;
use crate::app::model::History;
use crate::app::screen::HistoryList;
use crate::app::session::veil::Veil;
use crate::domain::entry_source::Sourced;
use crate::domain::history::Scope;
use crate::domain::{Account, Holding, Wallet};

#[derive(Debug)]
pub struct OverviewPage {
    pub accounts: Listing<Sourced<Account>>,
    /// Whether the first account was once selected automatically.
    pub is_account_preselected: bool,
    pub wallets: Listing<Sourced<Wallet>>,
    pub wallet_filter: String,
    /// The scope of the wallets on screen.
    pub wallets_scope: Scope,
    pub balances: Balances,
    pub recent: History,
}

#[derive(Debug, Clone, Default)]
pub struct Balances {
    /// The rows that match the filter, without suspicious ones unless they are shown.
    pub listing: Listing<Holding>,
    pub all: Vec<Holding>,
    /// As typed.
    pub filter: String,
    pub scope: Scope,
    /// How many users' balances the sums contain.
    pub users: u64,
    /// What the rows sum; `listing` keeps the balances themselves.
    pub grouping: BalanceGrouping,
    pub groups: Listing<BalanceGroup>,
}

impl Default for OverviewPage {
    fn default() -> Self {
        Self {
            accounts: Listing::default(),
            is_account_preselected: false,
            wallets: Listing::default(),
            wallet_filter: String::new(),
            wallets_scope: Scope::All,
            balances: Balances::default(),
            recent: History::new(HistoryList::Recent),
        }
    }
}

impl OverviewPage {
    /// The masked page. It shows neither how many users the balances sum nor the groups of balances.
    pub(in crate::app) fn to_masked(&self, veil: &Veil) -> Self {
        let balances = &self.balances;
        Self {
            accounts: self
                .accounts
                .to_masked(|account| veil.mask_sourced(account, Veil::mask_account), |id| veil.mask_account_id(id)),
            wallets: self
                .wallets
                .to_masked(|wallet| veil.mask_sourced(wallet, Veil::mask_wallet), |id| veil.mask_wallet_id(id)),
            wallet_filter: Veil::mask_filter(&self.wallet_filter),
            wallets_scope: veil.mask_scope(&self.wallets_scope),
            balances: Balances {
                listing: balances.listing.to_masked(Veil::mask_holding, Clone::clone),
                all: balances.all.iter().map(Veil::mask_holding).collect(),
                filter: Veil::mask_filter(&balances.filter),
                scope: veil.mask_scope(&balances.scope),
                users: balances.users.min(1),
                grouping: BalanceGrouping::default(),
                groups: Listing::default(),
            },
            recent: self.recent.to_masked(veil),
            ..Self::default()
        }
    }
}
