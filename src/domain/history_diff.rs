//! What happened since an earlier moment: the difference between two states of the history.

use std::collections::BTreeMap;
use std::sync::Arc;

use ruint::aliases::U256;

use super::{Amount, Text, TokenKey};

/// The state of the history at a moment, as far as a later state is compared with it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HistoryCheckpoint {
    /// The position of its newest row; `None` while there was none.
    pub newest: Option<i64>,
    /// Whether the initial sync was complete: before that, old rows arrive too.
    pub complete: bool,
    /// The flow of each token over all rows read.
    pub sums: BTreeMap<TokenKey, TokenFlow>,
    /// The rows that were not final, each with its status.
    pub open_rows: Vec<(i64, Option<Text>)>,
}

/// The incoming and outgoing sums of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenFlow {
    pub symbol: Text,
    /// Incoming and outgoing, over the rows that state enough; `None` where they cannot be summed.
    pub totals: Option<(Amount, Amount)>,
    /// How many rows lack what a sum needs.
    pub unclear: i64,
}

impl TokenFlow {
    #[must_use]
    pub fn combined_with(self, other: &Self) -> Self {
        let totals = self.totals.zip(other.totals).and_then(|((incoming, outgoing), (more_in, more_out))| {
            Some((incoming.checked_add(more_in)?, outgoing.checked_add(more_out)?))
        });
        Self { totals, unclear: self.unclear.saturating_add(other.unclear), ..self }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HistoryDiff {
    /// The tokens whose balance changed, or whose change is not known.
    pub changes: Vec<TokenNetChange>,
    /// New or changed rows, newest first, as far as they were walked.
    pub rows: Vec<i64>,
    pub added: u64,
    /// The number of rows that were not final and have changed.
    pub changed: u64,
    /// All of the new and changed rows.
    pub row_changes: Arc<RowChanges>,
}

/// Which rows are new since a checkpoint, or have changed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct RowChanges {
    /// The position of the checkpoint's newest row; `None` where no row counts as new.
    pub newest_before: Option<i64>,
    /// The positions of earlier rows that have changed, ascending.
    pub changed: Vec<i64>,
}

impl RowChanges {
    pub fn contains(&self, position: i64) -> bool {
        self.newest_before.is_some_and(|newest| position > newest) || self.changed.binary_search(&position).is_ok()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenNetChange {
    pub token: TokenKey,
    pub symbol: Text,
    /// `true` for an increase, and the amount; `None` where it is not known.
    pub change: Option<(bool, Amount)>,
}

impl HistoryDiff {
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.added == 0 && self.changed == 0
    }
}

/// The change of each token between two checkpoints. If the initial sync was not complete at the first one, old rows
/// arrived in between, and no change is known.
pub fn token_net_changes(before: &HistoryCheckpoint, after: &HistoryCheckpoint) -> Vec<TokenNetChange> {
    if !before.complete {
        return Vec::new();
    }
    let changed = after.sums.iter().filter_map(|(token, flow)| {
        let earlier = before.sums.get(token);
        if earlier
            .is_some_and(|earlier_flow| (earlier_flow.totals, earlier_flow.unclear) == (flow.totals, flow.unclear))
        {
            return None;
        }
        let change = match (earlier, flow.totals) {
            // A row that lacks what a sum needs was added or removed.
            _ if earlier.map_or(0, |earlier_flow| earlier_flow.unclear) != flow.unclear => None,
            (None, Some((incoming, outgoing))) => absolute_difference(incoming, outgoing),
            (Some(TokenFlow { totals: Some((incoming, outgoing)), .. }), Some((more_in, more_out))) => {
                // in after − out after − (in before − out before), without going below zero on the way.
                let (plus, minus) = (more_in.checked_add(*outgoing), more_out.checked_add(*incoming));
                plus.zip(minus).and_then(|(plus, minus)| absolute_difference(plus, minus))
            }
            _ => None,
        };
        // Equal amounts in and out change nothing.
        let is_unchanged = change.is_some_and(|(_, amount)| amount.is_zero());
        (!is_unchanged).then(|| TokenNetChange { token: token.clone(), symbol: flow.symbol.clone(), change })
    });
    changed.collect()
}

/// The absolute difference of two amounts, and whether the first is the larger; `None` where their fraction digits
/// differ.
fn absolute_difference(plus: Amount, minus: Amount) -> Option<(bool, Amount)> {
    match plus.checked_sub(minus) {
        Some(more) => Some((true, more)),
        None => minus.checked_sub(plus).map(|less| (false, less)),
    }
}

/// From sums in smallest units.
pub fn token_flow_from_raw_sums(symbol: &str, incoming: U256, outgoing: U256, decimals: u8, unclear: i64) -> TokenFlow {
    let totals = Amount::new(incoming, decimals).zip(Amount::new(outgoing, decimals));
    TokenFlow { symbol: Text::clean(symbol), totals, unclear }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What came in and went out of each; one row of a token without figures does not say enough.
    fn checkpoint(sums: &[(&str, Option<(u64, u64)>)]) -> HistoryCheckpoint {
        let flow = |totals: Option<(u64, u64)>| {
            let (incoming, outgoing) = totals.unwrap_or_default();
            super::token_flow_from_raw_sums(
                "USDC",
                U256::from(incoming),
                U256::from(outgoing),
                6,
                i64::from(totals.is_none()),
            )
        };
        let sums = sums.iter().map(|(chain, moved)| (TokenKey::new(chain, None), flow(*moved))).collect();
        HistoryCheckpoint { complete: true, sums, ..HistoryCheckpoint::default() }
    }

    fn token_change_texts(
        before: &HistoryCheckpoint,
        after: &HistoryCheckpoint,
    ) -> Vec<(String, Option<(bool, String)>)> {
        let changes = token_net_changes(before, after).into_iter();
        changes
            .map(|net| {
                (net.token.blockchain.to_string(), net.change.map(|(more, amount)| (more, amount.raw().to_string())))
            })
            .collect()
    }

    #[test]
    fn only_what_changed_is_told_and_what_cannot_be_told_is_said_to_be_so() {
        let before = checkpoint(&[
            ("a", Some((10, 4))),
            ("b", Some((5, 0))),
            ("c", Some((7, 7))),
            ("d", None),
            ("e", Some((1, 0))),
        ]);
        let after = checkpoint(&[
            ("a", Some((12, 4))),
            ("b", Some((5, 3))),
            ("c", Some((9, 9))),
            ("d", None),
            ("e", None),
            ("f", Some((0, 2))),
        ]);
        let change = |more, amount: &str| Some((more, amount.to_owned()));
        assert_eq!(
            token_change_texts(&before, &after),
            [
                ("a".into(), change(true, "2")),
                ("b".into(), change(false, "3")),
                ("e".into(), None),
                ("f".into(), change(false, "2"))
            ]
        );
        assert_eq!(
            token_change_texts(&HistoryCheckpoint { complete: false, ..before }, &after),
            [],
            "old rows came in between"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_net_is_what_came_less_what_went(before in any::<(u32, u32)>(), came in any::<u32>(), went in any::<u32>()) {
            let wide = |(incoming, outgoing): (u32, u32)| (u64::from(incoming), u64::from(outgoing));
            let (incoming, outgoing) = wide(before);
            let after = (incoming + u64::from(came), outgoing + u64::from(went));
            let changes = token_change_texts(&checkpoint(&[("a", Some((incoming, outgoing)))]), &checkpoint(&[("a", Some(after))]));
            let expected = match i64::from(came) - i64::from(went) {
                0 => Vec::new(),
                net => vec![("a".to_owned(), Some((net > 0, net.unsigned_abs().to_string())))],
            };
            prop_assert_eq!(changes, expected);
        }
    }
}
