//! The Overview page: accounts, wallets, balances and the newest transactions.

mod account_holdings;
pub mod accounts;
pub mod balances;
mod layout;
pub(in crate::app) mod page;
pub mod state;
pub mod total;
pub mod wallets;
