//! The embedded Wallet and Transfer Service: a double-entry ledger, simulated chains, and HTTP in front of them.

pub mod activity;
pub mod chain;
pub mod clock;
mod dice;
pub mod ledger;
