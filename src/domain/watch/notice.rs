//! What is reported when a watch changes its state.

use super::{Watch, WatchCrossing};
use crate::domain::Timestamp;

/// A change of a watch's state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchNotice {
    pub watch: Watch,
    pub crossing: WatchCrossing,
    pub at: Timestamp,
    /// The watched figure, or why there is none.
    pub figure: String,
}

impl WatchCrossing {
    /// As it is named in a notification.
    pub fn word(self) -> &'static str {
        match self {
            Self::Raised => "raised",
            Self::Cleared => "cleared",
            Self::Unavailable => "unavailable",
            Self::Available => "available",
        }
    }
}
