//! What the client's side of a connection tells the host's, step by step.

use russh::ChannelId;
use tokio::io::DuplexStream;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::detached::Credential;
use super::host_event::LoginName;

/// What the client's side of a connection tells the host's.
pub(super) enum ClientEvent {
    /// Somebody asked to be let in, to present or for anything else.
    Asks {
        /// Whether it is to present.
        to_present: bool,
    },
    /// The visitor was let in.
    Authenticated,
    /// A shell was asked for.
    ShellRequested(Box<ShellRequest>),
    /// A wrong pass-phrase was given under this name, after so many of which nothing was told.
    WrongPassphrase(LoginName, usize),
    /// So many wrong ones were given from there that no more are looked at for a while: the connection ends.
    TooManyGuesses,
    /// A key was shown under this name that is not let in.
    UnknownKey(LoginName),
    /// Something was asked for under this name that is not done here, and the connection ends with these words.
    UnsupportedRequest(LoginName, &'static str),
}

/// A shell that was asked for.
pub(super) struct ShellRequest {
    /// The name of the login.
    pub(super) user: String,
    /// By what they showed who they are.
    pub(super) credential: Credential,
    /// Where it is to be.
    pub(super) channel: ChannelId,
    /// In which terminal, if there is one.
    pub(super) terminal: Option<Terminal>,
    /// What is typed.
    pub(super) input: DuplexStream,
    /// The size of the window, as it changes: columns and rows, as the client says them.
    pub(super) size: watch::Receiver<(u32, u32)>,
    /// To be cancelled when no more input is taken in: what comes then is thrown away, and holds nothing up.
    pub(super) closing: CancellationToken,
}

/// A terminal, as the client says it is.
#[derive(Debug, Clone, Default)]
pub(super) struct Terminal {
    /// Its name, as in `TERM`; empty where it is none that could be one.
    pub(super) name: String,
    pub(super) size: (u32, u32),
}
