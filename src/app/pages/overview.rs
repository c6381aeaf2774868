//! The Overview page: accounts, wallets, balances and the newest transactions.

pub mod accounts;
pub mod balances;
mod masking;
mod state;
pub mod wallets;

pub use state::{Balances, OverviewPage};
