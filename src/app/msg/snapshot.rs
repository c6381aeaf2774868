//! Results of reads from the service.

#[cfg(doc)]
use super::Msg;
use crate::app::data::prices::QuoteResult;
use crate::app::pages::users::UserReport;
use crate::domain::UserStats;
use crate::domain::history::SyncProgress;
use crate::domain::v1::SwapPair;

/// The result of a read. The rows themselves are in the store by then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Snapshot {
    History {
        added: u64,
        /// Known rows whose content changed.
        changed: u64,
        progress: Box<SyncProgress>,
    },
    Lists {
        /// Whether the service serves any of the lists.
        served: bool,
        /// Whether there are entries that were never read.
        more: bool,
        /// How many entries could not be parsed.
        unreadable: u64,
    },
    /// Balances of some users were read.
    Balances {
        users: u64,
    },
    /// Balances for watches were read.
    WatchedBalances,
    Stats(UserStats),
    User(Box<UserReport>),
    Markets {
        unreadable: u64,
    },
    Pairs {
        /// `None` if the service has no such list.
        pairs: Option<Vec<SwapPair>>,
        unreadable: u64,
    },
    /// Quotes, or why the service gives none for a pair.
    Quotes(Vec<QuoteResult>),
    /// Open orders were looked up; the findings are in the journal, which follows as [`Msg::Orders`].
    Orders,
}

impl Snapshot {
    /// How many entries of a list could not be parsed, if that is a reason to read the list again. The history reports
    /// its own in [`SyncProgress`].
    pub fn unreadable(&self) -> u64 {
        match self {
            Self::Lists { unreadable, .. } | Self::Markets { unreadable } | Self::Pairs { unreadable, .. } => {
                *unreadable
            }
            Self::History { .. }
            | Self::Balances { .. }
            | Self::WatchedBalances
            | Self::Stats(_)
            | Self::User(_)
            | Self::Quotes(_)
            | Self::Orders => 0,
        }
    }
}
