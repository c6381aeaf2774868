//! The data read of one user: each part with its time, or with why it could not be read.

use crate::app::listing::Keyed;
use crate::domain::chain::chain_display_name;
use crate::domain::entry_source::Sourced;
use crate::domain::v1::{AssetBalance, Movement, SubWallet, Transfer};
use crate::domain::{Failure, FailureReason, PagedList, Text, Timestamp, UserId, UserStats, Wallet, WalletId};

/// What the service reported of one user besides balances: each part, or why it could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserReport {
    pub user: UserId,
    /// Whether the user was read; the user itself is in the store by then.
    pub person: Result<(), Failure>,
    pub stats: Result<UserStats, Failure>,
    /// The version 1 parts; `None` where version 1 is not used.
    pub v1: Option<V1UserReport>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct V1UserReport {
    /// The sub-wallet that version 1 has for the user.
    pub sub_wallet: Result<SubWallet, Failure>,
    pub assets: Result<PagedList<AssetBalance>, Failure>,
    pub deposits: Result<PagedList<Movement>, Failure>,
    pub transfers: Result<PagedList<Transfer>, Failure>,
}

impl UserReport {
    /// The deposits and transfers of version 1: any of them may carry the reference of an order.
    pub fn v1_deposits_and_transfers(&self) -> Vec<Movement> {
        let Some(V1UserReport { deposits, transfers, .. }) = &self.v1 else { return Vec::new() };
        let deposits = deposits.iter().flat_map(|list| list.rows.iter().cloned());
        deposits.chain(transfers.iter().flat_map(|list| list.rows.iter().map(Movement::from))).collect()
    }

    /// The failure that concerns the service and not just this user or one operation, if there is one. A key rejected
    /// by version 1 may mean a service without version 1, so that only version 2 counts there.
    pub(super) fn service_failure(&self) -> Option<&Failure> {
        let v2 = [self.person.as_ref().err(), self.stats.as_ref().err()];
        let v1 = self.v1.as_ref().map_or([None; 4], |v1| {
            [
                v1.sub_wallet.as_ref().err(),
                v1.assets.as_ref().err(),
                v1.deposits.as_ref().err(),
                v1.transfers.as_ref().err(),
            ]
        });
        let rejected = v2.into_iter().flatten().find(|failure| failure.reason == FailureReason::KeyRejected);
        let passing = |failure: &&Failure| {
            matches!(
                failure.reason,
                FailureReason::Busy { .. }
                    | FailureReason::Unreachable
                    | FailureReason::TimedOut
                    | FailureReason::ConnectionLost
                    | FailureReason::Local
            )
        };
        rejected.or_else(|| v2.into_iter().chain(v1).flatten().find(passing))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedPart<T> {
    /// The last successful answer, and when it came.
    pub value: Option<(T, Timestamp)>,
    /// Why the newest request failed, if it did.
    pub failure: Option<Failure>,
}

impl<T> Default for CachedPart<T> {
    fn default() -> Self {
        Self { value: None, failure: None }
    }
}

impl<T> CachedPart<T> {
    fn apply_result(&mut self, result: Result<T, Failure>, now: Timestamp) {
        match result {
            Ok(answer) => *self = Self { value: Some((answer, now)), failure: None },
            Err(failure) => self.failure = Some(failure),
        }
    }

    pub fn read_at(&self) -> Option<Timestamp> {
        self.value.as_ref().map(|(_, at)| *at)
    }
}

impl<T: Keyed + Clone> CachedPart<PagedList<T>> {
    /// Takes the newest rows; those of further pages stay.
    pub(super) fn merge_newest_rows(&mut self, result: Result<PagedList<T>, Failure>, now: Timestamp) {
        let earlier = self.value.take();
        let whole = |newest: PagedList<T>| match &earlier {
            Some((earlier, _)) => newest.followed_by_earlier(earlier, Keyed::key),
            None => newest,
        };
        match result {
            Ok(newest) => *self = Self { value: Some((whole(newest), now)), failure: None },
            Err(failure) => *self = Self { value: earlier, failure: Some(failure) },
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CachedUserReport {
    pub person: CachedPart<()>,
    pub stats: CachedPart<UserStats>,
    pub sub_wallet: CachedPart<SubWallet>,
    pub assets: CachedPart<PagedList<AssetBalance>>,
    pub deposits: CachedPart<PagedList<Movement>>,
    /// Not polled, but read on request.
    pub withdrawals: CachedPart<PagedList<Movement>>,
    pub transfers: CachedPart<PagedList<Transfer>>,
}

impl CachedUserReport {
    pub(super) fn apply(&mut self, report: UserReport, now: Timestamp) {
        self.person.apply_result(report.person, now);
        self.stats.apply_result(report.stats, now);
        if let Some(v1) = report.v1 {
            self.sub_wallet.apply_result(v1.sub_wallet, now);
            self.assets.apply_result(v1.assets, now);
            self.deposits.merge_newest_rows(v1.deposits, now);
            self.transfers.merge_newest_rows(v1.transfers, now);
        }
    }

    pub(super) fn read_times(&self) -> impl Iterator<Item = Timestamp> {
        [
            self.person.read_at(),
            self.stats.read_at(),
            self.assets.read_at(),
            self.deposits.read_at(),
            self.transfers.read_at(),
        ]
        .into_iter()
        .flatten()
    }
}

/// Chain, address and tag.
pub type AddressKey = (Text, Text, Option<Text>);

/// An address at which a user can be paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DepositAddress {
    pub chain: Text,
    pub address: Text,
    /// The tag or memo of the deposits.
    pub tag: Option<Text>,
    /// The coins deposited there; empty for a wallet, which takes every token of its chain.
    pub coins: Vec<Text>,
    pub wallet: Option<Text>,
    pub wallet_id: Option<WalletId>,
    /// Whether a known wallet has the address. Otherwise it is known from version 1 deposits.
    pub is_wallet_address: bool,
}

/// The addresses at which a user can be paid: those of known wallets, and those of version 1 deposits with their coins.
pub(super) fn deposit_addresses(
    wallets: &[Sourced<Wallet>],
    deposits: &[Movement],
    user: Option<&UserId>,
) -> Vec<DepositAddress> {
    let mut addresses: Vec<DepositAddress> = Vec::new();
    // A contradicted address is shown only where both of its versions can be compared.
    for Sourced { entry, .. } in wallets.iter().filter(|wallet| wallet.contradicting_address().is_none()) {
        let Some(address) = &entry.address else { continue };
        addresses.push(DepositAddress {
            chain: entry.blockchain.clone(),
            address: address.clone(),
            tag: None,
            coins: Vec::new(),
            wallet: entry.name.clone(),
            wallet_id: Some(entry.id.clone()),
            is_wallet_address: true,
        });
    }
    for deposit in deposits.iter().filter(|deposit| deposit.to_wallet.as_ref().is_none_or(|to| Some(to) == user)) {
        let (Some(address), Some(chain)) = (&deposit.to_address, &deposit.chain) else { continue };
        let is_same = |one: &DepositAddress| {
            chain_display_name(&one.chain) == chain_display_name(chain)
                && one.address.eq_ignore_ascii_case(address)
                && (one.tag == deposit.tag_memo || (one.is_wallet_address && deposit.tag_memo.is_none()))
        };
        match addresses.iter_mut().find(|one| is_same(one)) {
            Some(one) if one.is_wallet_address || one.coins.contains(&deposit.coin) => {}
            Some(one) => one.coins.push(deposit.coin.clone()),
            None => addresses.push(DepositAddress {
                chain: chain.clone(),
                address: address.clone(),
                tag: deposit.tag_memo.clone(),
                coins: vec![deposit.coin.clone()],
                wallet: None,
                wallet_id: None,
                is_wallet_address: false,
            }),
        }
    }
    addresses
}

impl Keyed for DepositAddress {
    type Key = AddressKey;
    fn key(&self) -> AddressKey {
        (self.chain.clone(), self.address.clone(), self.tag.clone())
    }
}
