//! Sums over the rows that match a query, cached by segment.
//!
//! The search columns tell which rows match; only those rows' bodies are read. A new or changed row costs only its own
//! segment.

mod refresh;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use super::own_addresses::CachedAddresses;
use super::row::RowAmounts;
use crate::domain::filter::Filter;
use crate::domain::history::Scope;
use crate::domain::{Day, Direction, Status, Text, TokenKey, Verdict};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SumQuery {
    pub(super) scope: Scope,
    pub(super) token: Option<TokenKey>,
    pub(super) filter: Filter,
}

/// A token as rows name it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RowToken {
    pub(super) key: TokenKey,
    pub(super) symbol: Text,
    pub(super) name: Option<Text>,
}

/// What sums need to know of a row.
pub(super) struct RowAmount<'a> {
    pub(super) token: &'a RowToken,
    pub(super) day: Day,
    pub(super) direction: &'a Direction,
    pub(super) status: Option<&'a Status>,
    pub(super) verdict: Verdict,
    pub(super) amounts: RowAmounts<'a>,
    pub(super) fee_token: Option<&'a Text>,
    /// Whether it is a movement between own wallets.
    pub(super) internal: bool,
}

/// The sums of a query in each segment that has matching rows.
pub(super) struct SegmentSums<S> {
    query: SumQuery,
    version: u64,
    /// The own addresses that the sums were made with.
    addresses: Arc<CachedAddresses>,
    ends: (i64, i64),
    by_segment: BTreeMap<i64, S>,
}

/// Cached sums, the latest last.
pub(super) type SumCache<S> = Mutex<Vec<SegmentSums<S>>>;
