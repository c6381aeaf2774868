//! What was found out about the newest rows.

use std::collections::{BTreeMap, HashMap};

use crate::domain::Text;
use crate::domain::recent_activity::RecentActivity;

/// What rows are judged by besides themselves: the list of tokens, and the addresses of own wallets.
pub(super) type ActivityInputVersions = (Option<i64>, u64);

/// The summaries of segments, each with the version and the inputs that it was made of.
pub(super) type SegmentActivityCache = BTreeMap<i64, (u64, ActivityInputVersions, RecentActivity)>;

#[derive(Debug, Default)]
pub(super) struct PaidBeforeCache {
    /// The oldest row when the answers were found, and whether a list was being rescanned.
    pub(super) oldest_and_rescanning: Option<(i64, bool)>,
    pub(super) was_paid: HashMap<(Text, i64), bool>,
}
