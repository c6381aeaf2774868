//! The Overview page: accounts, wallets, balances and the newest transactions.

pub mod accounts;
pub mod balances;
pub mod wallets;
