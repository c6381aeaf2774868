//! Balances: what the selected wallet or account holds.

pub mod view;
