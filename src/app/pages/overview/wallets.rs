//! Wallets: one address on one blockchain.

pub mod pane;
pub mod view;
