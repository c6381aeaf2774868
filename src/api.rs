//! The client of the Wallet and Transfer Service, for what only reads.
//!
//! Users, accounts, wallets, balances and transactions are read from version 2; the list of tokens and blockchains
//! exists in version 1 alone. [`Reader`] has no method that changes state, so that whoever holds one cannot.
//!
//! Answers are read tolerantly: unknown fields are ignored, `null` means absent, a field of a wrong type is absent
//! and costs the row nothing else. Figures never pass through binary floating point. What a row must have is its
//! identifier; a row without one is counted as unreadable.

mod base_url;
mod body;
mod client;
mod envelope;
mod fields;
mod number;
mod route;
#[cfg(test)]
mod tests;
mod v1;
mod v2;
mod wire_names;

pub use base_url::{AddressFault, BaseUrl};
pub use client::{Connection, ConnectionError, Contact, Limits, Reader};
pub use route::{CertificateFault, Certificates, ProxyAddress, ProxyFault, Route};
pub use wire_names::WireNames;
