//! Why the service cannot start, or cannot go on.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use super::ledger::{LedgerError, RequestError};

/// Why the service cannot start, or cannot go on. Each says what would be right.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The data folder or its ledger cannot be used.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The ledger was opened and then failed.
    #[error(transparent)]
    Work(#[from] RequestError),
    /// The address is reachable from other machines, and that was not asked for.
    #[error("{0} can be reached from other machines; add --public, or listen at 127.0.0.1 or [::1]")]
    NotLoopback(SocketAddr),
    /// Keys would travel between machines for everybody to read.
    #[error("{0} can be reached from other machines; give a certificate and its key with --tls-cert and --tls-key")]
    NotEncrypted(SocketAddr),
    /// The certificate or its key cannot be used.
    #[error("{}: {problem}", .path.display())]
    Tls {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on {address} ({cause}); {}", elsewhere(.cause))]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        cause: io::Error,
    },
    /// The ready file cannot be written.
    #[error("the ready file {} cannot be written: {problem}", .path.display())]
    ReadyFile {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what would be right.
        problem: String,
    },
    /// The address, the key and the secret could not be shown.
    #[error("cannot show the address and the keys ({0})")]
    Show(#[source] io::Error),
    /// Nobody can be told of events.
    #[error(
        "webhook receivers cannot be reached: {0}; a machine without certificates needs the package ca-certificates"
    )]
    Webhooks(String),
    /// A part of the service ended that must not end.
    #[error("the service stopped working: {0}")]
    Internal(String),
}

/// Where one could listen instead, in words.
pub(crate) fn elsewhere(cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::AddrNotAvailable => "name an address that this machine has",
        io::ErrorKind::PermissionDenied => "name port 1024 or higher",
        _ => "name a free port, or 0 for any",
    }
}
