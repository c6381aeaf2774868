//! One file per pane: what it shows and how.

pub mod accounts;
pub mod balances;
pub mod detail;
pub mod help;
pub mod markets;
pub mod transactions;
pub mod wallets;
