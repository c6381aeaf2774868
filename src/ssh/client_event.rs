//! Events that a connection's client handler reports to the connection.

use russh::ChannelId;
use tokio::io::DuplexStream;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::detached::Credential;
use super::host_event::LoginName;

pub(super) enum ClientEvent {
    /// A client requests authentication.
    AuthenticationRequested {
        /// As presenter.
        to_present: bool,
    },
    Authenticated,
    ShellRequested(Box<ShellRequest>),
    /// A wrong pass-phrase for this login name, after so many that were not reported.
    WrongPassphrase(LoginName, usize),
    /// Too many wrong pass-phrases from this network: the connection ends.
    TooManyGuesses,
    /// A key was offered for this login name that is not accepted.
    UnknownKey(LoginName),
    /// An unsupported request; the connection ends with this message.
    UnsupportedRequest(LoginName, &'static str),
}

pub(super) struct ShellRequest {
    pub(super) user: String,
    pub(super) credential: Credential,
    pub(super) channel: ChannelId,
    /// `None` if the client requested no terminal.
    pub(super) terminal: Option<Terminal>,
    pub(super) input: DuplexStream,
    /// The size of the window as it changes: columns and rows, as the client reports them.
    pub(super) size: watch::Receiver<(u32, u32)>,
    /// Cancelled when no more input is taken in: later input is discarded, and delays nothing.
    pub(super) closing: CancellationToken,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Terminal {
    /// The value of `TERM`; empty if the client's is implausible.
    pub(super) name: String,
    pub(super) size: (u32, u32),
}
