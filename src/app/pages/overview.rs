//! The Overview page: accounts, wallets, balances and the newest transactions.

pub mod accounts;
pub mod balances;
mod masking;
pub mod state;
pub mod wallets;
