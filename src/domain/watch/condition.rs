//! The kinds of watches: what each is, when it holds, and in which words.

use std::time::Duration;

use super::alert_state::{FreshReading, RecentBalances};
use crate::domain::duration::period_text;
use crate::domain::{Amount, Direction, FinalStatuses, Text, Timestamp, Transaction, Verdict};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WatchCondition {
    /// The balance is below a limit; clear again from limit plus margin on.
    Below {
        limit: Amount,
        /// How far above the limit the balance must rise.
        margin: Amount,
    },
    /// The balance is above a limit; clear again from limit minus margin down.
    Above {
        limit: Amount,
        /// How far below the limit the balance must fall.
        margin: Amount,
    },
    /// The balance changed by this much within a period; clear again when it has not.
    Change { by: Amount, within: Duration },
    /// More than this came in, or went out, within a period.
    Flow { direction: Direction, above: Amount, within: Duration },
    /// A transaction has been pending for longer than this.
    Pending { longer: Duration },
    /// A transaction has been pending for much longer than is usual for its blockchain.
    Stuck,
    /// So many outgoing transactions failed within a period.
    Failures { at_least: u64, within: Duration },
    /// A transaction with a counterparty, of at least this amount if one is given, within a period.
    Counterparty {
        /// A name of the address book, or an address.
        counterparty: Text,
        at_least: Option<Amount>,
        within: Duration,
    },
}

/// The figure that a condition is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WatchFigure {
    /// The balance of the token, or the total value.
    Balance,
    /// The sum of the rows that count within the period.
    RowSum,
    /// The number of the rows that count within the period.
    RowCount,
    /// The age of the oldest pending row, and what it must exceed to count as overdue.
    OldestPending { longer: Duration },
    /// The number of rows that are pending for much longer than is usual.
    StuckCount,
}

impl WatchCondition {
    /// The period within which changes, flows and transactions count; `None` where there is none.
    pub fn period(&self) -> Option<Duration> {
        match self {
            Self::Change { within, .. }
            | Self::Flow { within, .. }
            | Self::Failures { within, .. }
            | Self::Counterparty { within, .. } => Some(*within),
            Self::Below { .. } | Self::Above { .. } | Self::Pending { .. } | Self::Stuck => None,
        }
    }

    pub fn figure(&self) -> WatchFigure {
        match self {
            Self::Below { .. } | Self::Above { .. } | Self::Change { .. } => WatchFigure::Balance,
            Self::Flow { .. } => WatchFigure::RowSum,
            Self::Failures { .. } | Self::Counterparty { .. } => WatchFigure::RowCount,
            Self::Pending { longer } => WatchFigure::OldestPending { longer: *longer },
            Self::Stuck => WatchFigure::StuckCount,
        }
    }

    /// Whether a row of the watch's scope, token and chain counts towards its sum or number.
    pub fn counts_row(&self, row: &Transaction, is_with_counterparty: bool, final_statuses: &FinalStatuses) -> bool {
        let has_failed = || matches!(row.verdict(final_statuses), Verdict::Failed | Verdict::Contradiction);
        match self {
            Self::Flow { direction, .. } => row.direction == *direction && !has_failed() && !row.pays_nobody(),
            Self::Failures { .. } => row.direction == Direction::Outgoing && has_failed(),
            Self::Counterparty { at_least, .. } => {
                let reaches = |least| row.exact_amount().is_some_and(|amount| amount.cmp_value(least).is_ge());
                is_with_counterparty && at_least.is_none_or(reaches)
            }
            Self::Below { .. } | Self::Above { .. } | Self::Change { .. } | Self::Pending { .. } | Self::Stuck => false,
        }
    }

    /// Whether rows between own wallets count: what these pay each other is neither received nor sent.
    pub fn counts_internal_rows(&self) -> bool {
        !matches!(self, Self::Flow { .. })
    }

    pub fn counterparty(&self) -> Option<&Text> {
        if let Self::Counterparty { counterparty, .. } = self { Some(counterparty) } else { None }
    }

    /// How far the balance must move back past its limit.
    pub(super) fn margin(&self) -> Option<Amount> {
        if let Self::Below { margin, .. } | Self::Above { margin, .. } = self { Some(*margin) } else { None }
    }

    /// When the watch is raised, as it follows the name of what is watched.
    pub(super) fn predicate_text(&self) -> String {
        match self {
            Self::Below { limit, .. } => format!("below {}", limit.format_grouped()),
            Self::Above { limit, .. } => format!("above {}", limit.format_grouped()),
            Self::Change { by, within } => {
                format!("changed by {} in {}", by.format_grouped(), period_text(*within))
            }
            Self::Flow { direction, above, within } => {
                let verb = if *direction == Direction::Incoming { "received" } else { "sent" };
                format!("{verb} above {} in {}", above.format_grouped(), period_text(*within))
            }
            Self::Pending { longer } => {
                format!("pending longer than {}", period_text(*longer))
            }
            Self::Stuck => "pending longer than usual".into(),
            Self::Failures { at_least, within } => {
                format!("failed {at_least} times or more in {}", period_text(*within))
            }
            Self::Counterparty { counterparty, at_least, within } => {
                let amount =
                    at_least.map_or_else(String::new, |amount| format!(", {} or more,", amount.format_grouped()));
                format!("with {counterparty}{amount} in {}", period_text(*within))
            }
        }
    }

    /// The figure in words, and whether the condition holds; `None` between its two thresholds, where nothing changes.
    pub(super) fn evaluate(
        &self,
        figure: FreshReading,
        now: Timestamp,
        balances: &mut RecentBalances,
    ) -> Result<(String, Option<bool>), String> {
        Ok(match (self, figure) {
            (Self::Below { limit, margin }, FreshReading::Balance(amount)) => {
                let clear_from = limit.checked_add_rescaled(*margin).unwrap_or(*limit);
                let holds =
                    holds_with_hysteresis(amount.cmp_value(*limit).is_lt(), amount.cmp_value(clear_from).is_ge());
                (amount.format_grouped(), holds)
            }
            (Self::Above { limit, margin }, FreshReading::Balance(amount)) => {
                let clear_to = limit.checked_sub_rescaled(*margin).unwrap_or(Amount::zero(0));
                let holds = holds_with_hysteresis(amount.cmp_value(*limit).is_gt(), amount.cmp_value(clear_to).is_le());
                (amount.format_grouped(), holds)
            }
            (Self::Change { by, within }, FreshReading::Balance(amount)) => {
                let (most, rose) = balances.record_and_measure_change(amount, *within, now);
                let sign = if rose { '+' } else { '−' };
                let figure = match most {
                    Some(most) => {
                        format!("{}, {sign}{} within the period", amount.format_grouped(), most.format_grouped())
                    }
                    None => format!("{}, changed by more than can be calculated", amount.format_grouped()),
                };
                (figure, Some(most.is_none_or(|most| most.cmp_value(*by).is_ge())))
            }
            (Self::Flow { above, within, .. }, FreshReading::Balance(amount)) => {
                let figure = format!("{} in {}", amount.format_grouped(), period_text(*within));
                (figure, Some(amount.cmp_value(*above).is_gt()))
            }
            (Self::Stuck, FreshReading::Count(count)) => {
                let figure = match count {
                    0 => "nothing is stuck".into(),
                    count => format!("{count} pending for longer than usual"),
                };
                (figure, Some(count > 0))
            }
            (Self::Failures { at_least, within }, FreshReading::Count(count)) => {
                (format!("{count} failed in {}", period_text(*within)), Some(count >= *at_least))
            }
            (Self::Counterparty { within, .. }, FreshReading::Count(count)) => {
                let within = period_text(*within);
                let figure = match count {
                    1 => format!("1 transaction in {within}"),
                    count => format!("{count} transactions in {within}"),
                };
                (figure, Some(count > 0))
            }
            (Self::Pending { longer }, FreshReading::Pending(oldest, count)) => {
                let longest = oldest.map_or(Duration::ZERO, |oldest| oldest.age(now));
                let holds = longest > *longer;
                let seconds = Duration::from_secs(longest.as_secs());
                let figure = match (count, holds) {
                    (0, _) => "nothing is pending".into(),
                    (_, true) => format!("{count} pending, the oldest for {}", period_text(seconds)),
                    (_, false) => format!("{count} pending, none for that long"),
                };
                (figure, Some(holds))
            }
            (
                Self::Below { .. } | Self::Above { .. } | Self::Change { .. } | Self::Flow { .. },
                FreshReading::Pending(..) | FreshReading::Count(_),
            )
            | (Self::Pending { .. }, FreshReading::Balance(_) | FreshReading::Count(_))
            | (
                Self::Stuck | Self::Failures { .. } | Self::Counterparty { .. },
                FreshReading::Balance(_) | FreshReading::Pending(..),
            ) => return Err("this reading does not fit the watch".to_owned()),
        })
    }
}

/// Whether a condition holds by its two thresholds: one raises, the other clears.
fn holds_with_hysteresis(raises: bool, clears: bool) -> Option<bool> {
    match (raises, clears) {
        (true, _) => Some(true),
        (false, true) => Some(false),
        (false, false) => None,
    }
}
