//! Why a console is read-only.

use std::fmt;

use super::Text;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadOnlyReason {
    /// The option or the profile says so.
    ByOption,
    /// The host that lends the console says so.
    ByHost,
    /// The command that runs it only reads.
    ByCommand,
    /// Others may write to the configuration.
    WritableConfiguration { remedy: Text },
    /// The journal cannot be opened.
    NoJournal { cause: Text },
}

impl ReadOnlyReason {
    /// Whether the console is read-only by choice, and nothing is wrong.
    pub fn is_chosen(&self) -> bool {
        match self {
            Self::ByOption | Self::ByHost => true,
            Self::ByCommand | Self::WritableConfiguration { .. } | Self::NoJournal { .. } => false,
        }
    }

    /// Whether the console can read a journal all the same.
    pub fn can_read_journal(&self) -> bool {
        match self {
            Self::ByOption | Self::ByHost | Self::WritableConfiguration { .. } => true,
            Self::ByCommand | Self::NoJournal { .. } => false,
        }
    }
}

impl fmt::Display for ReadOnlyReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ByOption => f.write_str("set by --read-only or by the profile"),
            Self::ByHost => f.write_str("set by its host"),
            Self::ByCommand => f.write_str("this command only reads"),
            Self::WritableConfiguration { remedy } => write!(f, "others may write to the configuration: {remedy}"),
            Self::NoJournal { cause } => f.write_str(cause),
        }
    }
}
