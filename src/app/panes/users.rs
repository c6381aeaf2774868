//! Users, who in version 1 were called sub-wallets.

pub mod view;
