use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use super::ledger::{LedgerError, RequestError};

/// Why the service cannot start or go on. Each message states what to do.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The ledger was opened and then failed.
    #[error(transparent)]
    Work(#[from] RequestError),
    /// The address is reachable from other machines, without `--public`.
    #[error("{0} can be reached from other machines; add --public, or listen at 127.0.0.1 or [::1]")]
    NotLoopback(SocketAddr),
    /// Keys would travel unencrypted between machines.
    #[error("{0} can be reached from other machines; give a certificate and its key with --tls-cert and --tls-key")]
    NotEncrypted(SocketAddr),
    #[error("{}: {problem}", .path.display())]
    Tls { path: PathBuf, problem: String },
    #[error("cannot listen on {address} ({cause}); {}", listen_error_advice(.cause))]
    Listen { address: SocketAddr, cause: io::Error },
    #[error("the ready file {} cannot be written: {problem}", .path.display())]
    ReadyFile {
        path: PathBuf,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// The address, the key and the secret could not be printed.
    #[error("cannot show the address and the keys ({0})")]
    Show(#[source] io::Error),
    /// The HTTP client for webhooks cannot be built.
    #[error(
        "webhook receivers cannot be reached: {0}; a machine without certificates needs the package ca-certificates"
    )]
    Webhooks(String),
    /// A part of the service ended unexpectedly.
    #[error("the service stopped working: {0}")]
    Internal(String),
}

/// What to do about an address that cannot be listened on.
pub(crate) fn listen_error_advice(cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::AddrNotAvailable => "name an address that this machine has",
        io::ErrorKind::PermissionDenied => "name port 1024 or higher",
        _ => "name a free port, or 0 for any",
    }
}
