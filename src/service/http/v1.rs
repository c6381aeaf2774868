//! `/v1`: the older view of the same ledger.

pub(super) mod sandbox;
pub(super) mod sub_wallets;
pub(super) mod swaps;
pub(super) mod withdrawals;
