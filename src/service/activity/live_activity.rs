//! Live events of the sample business: one every few seconds.

use std::sync::Arc;
use std::time::Duration;

use super::sample_business::BusinessState;
use super::{events, read_sample_marker, seed_stream};
use crate::domain::Timestamp;
use crate::service::chain::Pace;
use crate::service::ledger::{IdSource, Ledger, RequestError, WorkspaceNumber, store_setting};
use crate::service::rng::Rng;

/// After a longer gap, the events missed meanwhile are skipped.
const MAX_CATCH_UP: Duration = Duration::from_hours(1);

/// Name of the ledger setting for the number of the next event.
const NEXT_EVENT_SETTING: &str = "lively";

/// Live events are numbered from here, past the funding events.
const FIRST_LIVE_EVENT: u64 = 1_000;

/// Call [`LiveActivity::play_due_events`] whenever [`LiveActivity::next_due`] has come.
#[derive(Debug)]
pub struct LiveActivity {
    workspace_number: WorkspaceNumber,
    business: Arc<BusinessState>,
    pace: Pace,
    next_event: u64,
    next_due: Timestamp,
}

impl LiveActivity {
    /// Continues from `now` in a ledger whose sample business is complete; `None` if there is none.
    pub fn resume(ledger: &Ledger, pace: Pace, now: Timestamp) -> Result<Option<Self>, RequestError> {
        let Some(marker) = read_sample_marker(ledger)?.filter(|marker| marker.done) else { return Ok(None) };
        let workspace_number = WorkspaceNumber::from_i64(marker.workspace_number);
        let business = Arc::new(BusinessState::load(ledger, &marker)?);
        business.scene_profile.apply_failure_policy(ledger);
        let next_event =
            ledger.load_setting(NEXT_EVENT_SETTING)?.and_then(|text| text.parse().ok()).unwrap_or(FIRST_LIVE_EVENT);
        let next_due = now.plus(gap_after_event(&business, next_event, pace));
        Ok(Some(Self { workspace_number, business, pace, next_event, next_due }))
    }

    pub(in crate::service) fn pace(&self) -> Pace {
        self.pace
    }

    pub fn next_due(&self) -> Timestamp {
        self.next_due
    }

    /// Plays all events due at `now`, interleaved with settlements in order of time, so that the number of steps does
    /// not matter. Returns the number of events.
    pub fn play_due_events(&mut self, ledger: &Ledger, now: Timestamp) -> Result<u64, RequestError> {
        // Also if a clock that was ahead set the due time.
        if self.next_due.age(now) > MAX_CATCH_UP || now.age(self.next_due) > MAX_CATCH_UP {
            self.next_due = now;
        }
        let mut happened = 0;
        while self.next_due <= now {
            ledger.advance(self.next_due)?;
            let (business, event) = (self.business.clone(), self.next_event);
            let ids = IdSource::Seeded(Rng::new(business.seed, seed_stream::LIVE_EVENT_IDS + event));
            ledger.execute_in_workspace(self.workspace_number, self.next_due, ids, move |books| {
                let mut rng = Rng::new(business.seed, seed_stream::LIVE_EVENTS + event);
                events::play_event(books, &business, &mut rng, event, u64::MAX)?;
                store_setting(books.connection, NEXT_EVENT_SETTING, &(event + 1).to_string())
            })?;
            self.next_event += 1;
            self.next_due = self.next_due.plus(gap_after_event(&self.business, self.next_event, self.pace));
            happened += 1;
        }
        ledger.advance(now)?;
        Ok(happened)
    }
}

fn gap_after_event(business: &BusinessState, event: u64, pace: Pace) -> Duration {
    let (short, long) = business.scene_profile.event_gaps_millis;
    pace.scale(Duration::from_millis(
        Rng::new(business.seed, seed_stream::LIVE_EVENT_GAPS + event).in_range(short, long),
    ))
}
