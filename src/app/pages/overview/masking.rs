//! The Overview page with masked values.

use super::state::{Balances, OverviewPage};
use crate::app::listing::Listing;
use crate::app::pages::overview::balances::grouping::BalanceGrouping;
use crate::app::session::veil::Veil;

impl OverviewPage {
    /// The masked page. It shows neither how many users the balances sum nor the groups of balances.
    pub(in crate::app) fn masked(&self, veil: &Veil) -> Self {
        let balances = &self.balances;
        Self {
            accounts: self
                .accounts
                .masked(|account| veil.mask_sourced(account, Veil::mask_account), |id| veil.mask_account_id(id)),
            wallets: self
                .wallets
                .masked(|wallet| veil.mask_sourced(wallet, Veil::mask_wallet), |id| veil.mask_wallet_id(id)),
            wallet_filter: Veil::mask_filter(&self.wallet_filter),
            wallets_scope: veil.mask_scope(&self.wallets_scope),
            balances: Balances {
                listing: balances.listing.masked(Veil::mask_holding, Clone::clone),
                all: balances.all.iter().map(Veil::mask_holding).collect(),
                filter: Veil::mask_filter(&balances.filter),
                scope: veil.mask_scope(&balances.scope),
                users: balances.users.min(1),
                grouping: BalanceGrouping::default(),
                groups: Listing::default(),
            },
            recent: self.recent.masked(veil),
            ..Self::default()
        }
    }
}
