//! Wallets: one address on one blockchain.

pub mod view;
