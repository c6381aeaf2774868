//! The Users page with masked values.

use super::Users;
use super::user_cache::{CachedPart, CachedUserReport};
use crate::app::session::veil::Veil;
use crate::domain::Timestamp;

impl Users {
    pub(in crate::app) fn to_masked(&self, veil: &Veil) -> Self {
        let wallets: Vec<_> = self.wallets.iter().map(|wallet| veil.mask_sourced(wallet, Veil::mask_wallet)).collect();
        let user_on_screen = self.shown_user.as_ref().map(|id| veil.mask_user_id(id));
        let memory = self.cached_report().map(|memory| mask_cached_report(veil, memory));
        Self {
            listing: self
                .listing
                .to_masked(|user| veil.mask_sourced(user, Veil::mask_user), |id| veil.mask_user_id(id)),
            filter: Veil::mask_filter(&self.filter),
            detail_pane: self.detail_pane,
            balances_at: self.balances_at,
            holdings: self.holdings.to_masked(Veil::mask_holding, Clone::clone),
            all_holdings: self.all_holdings.iter().map(Veil::mask_holding).collect(),
            wallets,
            addresses: self.addresses.to_masked(
                |address| veil.mask_deposit_address(address),
                |(chain, address, tag)| {
                    (chain.clone(), veil.mask_address(address), veil.mask_optional_name("tag", tag.as_ref()))
                },
            ),
            assets: self.assets.to_masked(Veil::mask_asset, Clone::clone),
            deposits: self.deposits.to_masked(|deposit| veil.mask_deposit(deposit), |id| veil.mask_transaction_id(id)),
            withdrawals: self
                .withdrawals
                .to_masked(|withdrawal| veil.mask_deposit(withdrawal), |id| veil.mask_transaction_id(id)),
            transfers: self
                .transfers
                .to_masked(|transfer| veil.mask_transfer(transfer), |id| veil.mask_transaction_id(id)),
            imitations: self.imitations.clone(),
            cached_reports: user_on_screen.clone().zip(memory).into_iter().collect(),
            shown_user: user_on_screen,
            page_request: self.page_request.to_masked(veil),
            ..Self::default()
        }
    }
}

fn mask_cached_report(veil: &Veil, memory: &CachedUserReport) -> CachedUserReport {
    let CachedUserReport { person, stats, sub_wallet, assets, deposits, withdrawals, transfers } = memory;
    CachedUserReport {
        person: mask_part(person, |()| ()),
        stats: mask_part(stats, Veil::mask_user_stats),
        sub_wallet: mask_part(sub_wallet, |sub_wallet| veil.mask_sub_wallet(sub_wallet)),
        assets: mask_part(assets, |list| veil.mask_paged_list(list, |_, asset| Veil::mask_asset(asset))),
        deposits: mask_part(deposits, |list| veil.mask_paged_list(list, Veil::mask_deposit)),
        withdrawals: mask_part(withdrawals, |list| veil.mask_paged_list(list, Veil::mask_deposit)),
        transfers: mask_part(transfers, |list| veil.mask_paged_list(list, Veil::mask_transfer)),
    }
}

fn mask_part<T>(part: &CachedPart<T>, good: impl Fn(&T) -> T) -> CachedPart<T> {
    let CachedPart { value: cached_value, failure } = part;
    let masked_value: Option<(T, Timestamp)> = cached_value.as_ref().map(|(of, at)| (good(of), *at));
    CachedPart { value: masked_value, failure: failure.as_ref().map(Veil::mask_failure) }
}
