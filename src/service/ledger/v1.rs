//! The ledger as v1 shows it: users are sub-wallets, the settlement account is the Prime Wallet.
//!
//! A sub-wallet has all wallets of its user; addresses created through v1 are wallets in the users account. The Prime
//! Wallet has all wallets of the settlement account, and that account's identifier.

mod assets;
mod lookups;
mod owners;
mod payments;
mod records;
mod sandbox;
mod sub_wallets;
mod swaps;

pub use payments::NewV1Withdrawal;
pub use records::{DepositFilter, TransferFilter};
pub use sandbox::{DepositOrigin, NewSandboxDeposit};
pub use sub_wallets::NewSubWallet;
pub use swaps::NewV1Swap;
