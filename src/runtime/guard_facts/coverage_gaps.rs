//! Gaps in what is known of the payments of the last 24 hours.

use super::payments::COMPARISON_PERIOD;
use super::{FactSources, is_balance_stale};
use crate::domain::{Text, Timestamp};
use crate::store::{OutgoingRows, StoreError};

/// Why not every payment of the last 24 hours may be known.
pub(super) struct CoverageGaps {
    reasons: Vec<String>,
}

impl CoverageGaps {
    pub(super) fn find(
        sources: &FactSources<'_>,
        outgoing_rows: &OutgoingRows,
        now: Timestamp,
    ) -> Result<Self, StoreError> {
        let FactSources { store, period, .. } = *sources;
        let progress = store.progress()?;
        let day = i64::try_from(COMPARISON_PERIOD.as_millis()).unwrap_or(0);
        let day_ago = Timestamp::from_millis(sources.skew.earlier_clock(now).millis().saturating_sub(day));
        let covers_a_day = outgoing_rows.is_all || outgoing_rows.since.is_some_and(|since| since <= day_ago);
        let checked_at = store.newest_rows_synced_at()?;
        let mut unread: Vec<String> = Vec::new();
        match checked_at {
            None => unread.push("the service's history was never read".into()),
            Some(at) if is_balance_stale(at, now, period) => {
                unread.push(at.format("the service's history was last read at %H:%M:%S UTC on %Y-%m-%d"));
            }
            Some(_) => {}
        }
        if let Some(reason) = progress.partial {
            unread.push(reason.to_string());
        }
        if checked_at.is_some() && !covers_a_day {
            let looked_at = outgoing_rows.rows_examined;
            unread.push(format!(
                "only the newest {looked_at} rows of the history were checked, which cover less than a day"
            ));
        }
        if progress.unreadable > 0 {
            unread.push(format!("{} rows of the service's history could not be read", progress.unreadable));
        }
        Ok(Self { reasons: unread })
    }

    /// Why not every payment could be compared, if so; `nameless` of them name no recipient.
    pub(super) fn comparison_gap(&self, nameless: usize) -> Option<Text> {
        let silent = || format!("{} of the last 24 hours named no recipient", payment_count_text(nameless));
        self.join_reasons((nameless > 0).then(silent).as_ref())
    }

    /// Why not every payment could be counted, if so; `unclear` of them report no amount.
    pub(super) fn counting_gap(&self, unclear: usize) -> Option<Text> {
        let silent = || format!("{} did not state the amount paid", payment_count_text(unclear));
        self.join_reasons((unclear > 0).then(silent).as_ref())
    }

    fn join_reasons(&self, more: Option<&String>) -> Option<Text> {
        let reasons: Vec<&str> = self.reasons.iter().chain(more).map(String::as_str).collect();
        (!reasons.is_empty()).then(|| Text::clean(&reasons.join("; ")))
    }
}

fn payment_count_text(payments: usize) -> String {
    if payments == 1 { "a payment".to_owned() } else { format!("{payments} payments") }
}
