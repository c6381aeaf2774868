//! The Users page seen through the veil.

use super::Users;
use super::known::{Memory, Part};
use crate::app::veil::Veil;
use crate::domain::Timestamp;

impl Users {
    /// The same users by their stand-ins, with what is known of the selected one.
    pub(in crate::app) fn veiled(&self, veil: &Veil) -> Self {
        let wallets: Vec<_> = self.wallets.iter().map(|wallet| veil.known(wallet, Veil::wallet)).collect();
        let shown = self.shown.as_ref().map(|id| veil.user_id(id));
        let memory = self.memory().map(|memory| remembered(veil, memory));
        Self {
            listing: self.listing.veiled(|user| veil.known(user, Veil::user), |id| veil.user_id(id)),
            filter: veil.filter(&self.filter),
            below: self.below,
            balances_at: self.balances_at,
            held: self.held.veiled(|holding| veil.holding(holding), Clone::clone),
            all_held: self.all_held.iter().map(|holding| veil.holding(holding)).collect(),
            wallets,
            addresses: self.addresses.veiled(
                |address| veil.known_address(address),
                |(chain, address, tag)| (chain.clone(), veil.address(address), veil.name_of("tag", tag.as_ref())),
            ),
            assets: self.assets.veiled(|asset| veil.asset(asset), Clone::clone),
            deposits: self.deposits.veiled(|deposit| veil.deposit(deposit), |id| veil.transaction_id(id)),
            transfers: self.transfers.veiled(|transfer| veil.transfer(transfer), |id| veil.transaction_id(id)),
            imitations: self.imitations.clone(),
            read: shown.clone().zip(memory).into_iter().collect(),
            shown,
            ..Self::default()
        }
    }
}

fn remembered(veil: &Veil, memory: &Memory) -> Memory {
    let Memory { person, stats, sub_wallet, assets, deposits, transfers } = memory;
    Memory {
        person: part(veil, person, |()| ()),
        stats: part(veil, stats, |stats| veil.stats(stats)),
        sub_wallet: part(veil, sub_wallet, |sub_wallet| veil.sub_wallet(sub_wallet)),
        assets: part(veil, assets, |listed| veil.listed(listed, Veil::asset)),
        deposits: part(veil, deposits, |listed| veil.listed(listed, Veil::deposit)),
        transfers: part(veil, transfers, |listed| veil.listed(listed, Veil::transfer)),
    }
}

fn part<T>(veil: &Veil, part: &Part<T>, good: impl Fn(&T) -> T) -> Part<T> {
    let Part { good: told, failure } = part;
    let told: Option<(T, Timestamp)> = told.as_ref().map(|(of, at)| (good(of), *at));
    Part { good: told, failure: failure.as_ref().map(|failure| veil.failure(failure)) }
}
