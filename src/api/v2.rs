//! Operations of version 2, one file per resource.

pub(super) mod accounts;
pub(super) mod transactions;
pub(super) mod users;
pub(super) mod wallets;
