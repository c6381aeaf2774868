//! Operations of version 1, one file per resource.

pub(super) mod blockchains;
pub(super) mod records;
pub(super) mod sandbox;
pub(super) mod sub_wallets;
pub(super) mod swaps;
