//! What an answer of the service changed.

#[cfg(doc)]
use super::Msg;
use crate::app::prices::QuoteResult;
use crate::app::users::UserReport;
use crate::domain::UserStats;
use crate::domain::history::Progress;
use crate::domain::v1::SwapPair;

/// What an answer of the service changed. The rows themselves are in the store by then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Snapshot {
    /// The history moved on.
    History {
        /// New rows.
        added: u64,
        /// Known rows that say something new.
        changed: u64,
        /// How far it has been read.
        progress: Box<Progress>,
    },
    /// The lists were read.
    Lists {
        /// Whether the service serves any of them.
        served: bool,
        /// Whether there is more that was never read.
        more: bool,
        /// How many entries could not be read.
        unreadable: u64,
    },
    /// Balances were read, of so many users.
    Balances {
        /// How many.
        users: u64,
    },
    /// Balances were read for watches.
    Watched,
    /// Counts of the workspace.
    Stats(UserStats),
    /// What else than balances is told of one user.
    User(Box<UserReport>),
    /// Tokens were read.
    Markets {
        /// How many could not be.
        unreadable: u64,
    },
    /// The pairs that the service swaps were read.
    Pairs {
        /// All that could be read; `None` where it serves no such list.
        pairs: Option<Vec<SwapPair>>,
        /// How many could not be.
        unreadable: u64,
    },
    /// Quotes, or why the service gives none for a pair.
    Quotes(Vec<QuoteResult>),
    /// Open orders were looked up; what was found stands in the journal, which follows as [`Msg::Orders`].
    Orders,
}

impl Snapshot {
    /// How many entries of a list could not be read, where the list is to be read again for their sake. Of the history the
    /// store says so itself.
    pub fn unreadable(&self) -> u64 {
        match self {
            Self::Lists { unreadable, .. } | Self::Markets { unreadable } | Self::Pairs { unreadable, .. } => {
                *unreadable
            }
            _ => 0,
        }
    }
}
