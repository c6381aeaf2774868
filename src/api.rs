//! The client of the Wallet and Transfer Service.
//!
//! ```text
//!   Connection ──▶ Reader      GET only: has no method that changes state
//!        └───────▶ Operator    sends what the journal permits, one recorded request at a time, and returns the result
//!
//!   Draft ──encode──▶ RequestBytes ──decode──▶ Draft    the operator confirms the decoded bytes
//! ```
//!
//! Users, accounts, wallets, balances and transactions are read from version 2. Tokens, blockchains, pairs and quotes
//! exist only in version 1, which also reports the same users as sub-wallets, with their frozen amounts. A [`Reader`]
//! cannot change anything; only an [`Operator`] can.
//!
//! A [`WebhookListener`] receives webhooks: hints that it is worth reading now, whose content is never trusted.
//!
//! Answers are parsed tolerantly: unknown fields are ignored, `null` means absent, a field of a wrong type is absent
//! and costs the row nothing else. Amounts never pass through binary floating point. A row must have its identifier; a
//! row without one is counted as unreadable.

mod base_url;
mod body;
mod client;
mod clock_comparison;
mod envelope;
mod fields;
mod http_config;
mod json_scalars;
mod listener;
mod notification;
mod operator;
mod paging;
mod request_bytes;
mod request_pacer;
mod retry_after;
mod route;
#[cfg(test)]
mod tests;
mod v1;
mod v2;
mod wire_names;

pub use base_url::{BaseUrl, BaseUrlError};
pub use client::{Connection, ConnectionError, Limits, ProbeResult, Reader};
pub use listener::{
    ClockFn, EventSink, HintSink, SignatureOptions, SignatureScheme, SignedEvent, WebhookListener, WebhookOptions,
};
pub use notification::{NotificationSender, NotificationUrl, NotificationUrlError};
pub use operator::{Operator, interpret_answer};
pub use request_bytes::{DecodeError, assumed_names, decode, encode, request_from_text};
pub use route::{CertificateFault, Certificates, ProxyAddress, ProxyFault, Route};
pub use v2::transactions::UnparsedPage;
pub use wire_names::WireNames;
