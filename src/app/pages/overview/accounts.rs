//! Accounts: containers that isolate funds.

pub mod view;
