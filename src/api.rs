//! The client of the Wallet and Transfer Service.
//!
//! ```text
//!   Connection ──▶ Reader      GET alone: has no method that changes state
//!        └───────▶ Operator    sends what the journal permits, one frozen request at a time, and says what came of it
//!
//!   Draft ──freeze──▶ Frozen ──read_back──▶ Draft       what is confirmed is what the bytes say
//! ```
//!
//! Users, accounts, wallets, balances and transactions are read from version 2. Version 1 alone has tokens and
//! blockchains, pairs and quotes, and tells of the same users under the name of sub-wallets, with what of theirs is frozen. Whoever holds a [`Reader`] cannot change anything; what can is [`Operator`], alone.
//!
//! A [`WebhookListener`] hears webhooks: hints that it is worth reading now, which say nothing that is believed.
//!
//! Answers are read tolerantly: unknown fields are ignored, `null` means absent, a field of a wrong type is absent
//! and costs the row nothing else. Figures never pass through binary floating point. What a row must have is its
//! identifier; a row without one is counted as unreadable.

mod base_url;
mod body;
mod client;
mod envelope;
mod fields;
mod http_config;
mod listener;
mod number;
mod operator;
mod pace;
mod paging;
mod request_bytes;
mod route;
mod skew;
#[cfg(test)]
mod tests;
mod v1;
mod v2;
mod wire_names;

pub use base_url::{AddressFault, BaseUrl};
pub use client::{Connection, ConnectionError, Limits, ProbeResult, Reader};
pub use listener::{ClockFn, HintSink, Scheme, Signature, WebhookListener, WebhookOptions};
pub use operator::Operator;
pub use request_bytes::{DecodeError, assumed_names, decode, encode};
pub use route::{CertificateFault, Certificates, ProxyAddress, ProxyFault, Route};
pub use v2::transactions::UnparsedPage;
pub use wire_names::WireNames;
