//! The Users page with masked values.

use super::Users;
use super::user_cache::{CachedPart, CachedUserReport};
use crate::app::veil::Veil;
use crate::domain::Timestamp;

impl Users {
    pub(in crate::app) fn masked(&self, veil: &Veil) -> Self {
        let wallets: Vec<_> = self.wallets.iter().map(|wallet| veil.known(wallet, Veil::wallet)).collect();
        let shown = self.shown_user.as_ref().map(|id| veil.user_id(id));
        let memory = self.memory().map(|memory| remembered(veil, memory));
        Self {
            listing: self.listing.masked(|user| veil.known(user, Veil::user), |id| veil.user_id(id)),
            filter: Veil::filter(&self.filter),
            detail_pane: self.detail_pane,
            balances_at: self.balances_at,
            holdings: self.holdings.masked(Veil::holding, Clone::clone),
            all_holdings: self.all_holdings.iter().map(Veil::holding).collect(),
            wallets,
            addresses: self.addresses.masked(
                |address| veil.known_address(address),
                |(chain, address, tag)| (chain.clone(), veil.address(address), veil.name_of("tag", tag.as_ref())),
            ),
            assets: self.assets.masked(Veil::asset, Clone::clone),
            deposits: self.deposits.masked(|deposit| veil.deposit(deposit), |id| veil.transaction_id(id)),
            transfers: self.transfers.masked(|transfer| veil.transfer(transfer), |id| veil.transaction_id(id)),
            imitations: self.imitations.clone(),
            read: shown.clone().zip(memory).into_iter().collect(),
            shown_user: shown,
            ..Self::default()
        }
    }
}

fn remembered(veil: &Veil, memory: &CachedUserReport) -> CachedUserReport {
    let CachedUserReport { person, stats, sub_wallet, assets, deposits, transfers } = memory;
    CachedUserReport {
        person: part(person, |()| ()),
        stats: part(stats, Veil::stats),
        sub_wallet: part(sub_wallet, |sub_wallet| veil.sub_wallet(sub_wallet)),
        assets: part(assets, |listed| veil.listed(listed, |_, asset| Veil::asset(asset))),
        deposits: part(deposits, |listed| veil.listed(listed, Veil::deposit)),
        transfers: part(transfers, |listed| veil.listed(listed, Veil::transfer)),
    }
}

fn part<T>(part: &CachedPart<T>, good: impl Fn(&T) -> T) -> CachedPart<T> {
    let CachedPart { value: told, failure } = part;
    let told: Option<(T, Timestamp)> = told.as_ref().map(|(of, at)| (good(of), *at));
    CachedPart { value: told, failure: failure.as_ref().map(Veil::failure) }
}
