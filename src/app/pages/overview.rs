//! The Overview page: accounts, wallets, balances and the newest transactions.

pub mod accounts;
pub mod balances;
mod layout;
pub(in crate::app) mod page;
pub mod state;
pub mod wallets;
