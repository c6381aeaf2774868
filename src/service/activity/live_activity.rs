//! The lively present: an event every few seconds, each at a time of its own.

use std::sync::Arc;
use std::time::Duration;

use super::founding::BusinessState;
use super::{events, read_marker, strand};
use crate::domain::Timestamp;
use crate::service::chain::Pace;
use crate::service::ledger::{IdSource, Ledger, RequestError, Tenant, set_fact};
use crate::service::rng::Rng;

/// After a longer sleep, events of the time slept through are left out.
const CAUGHT_UP: Duration = Duration::from_hours(1);

/// The name under which the ledger keeps how many events there were.
const FACT: &str = "lively";

/// Events that are still to come do not tell of the opening of the books.
const FIRST: u64 = 1_000;

/// What goes on in the sample business. Call [`LiveActivity::advance`] whenever [`LiveActivity::next_due`] has come.
#[derive(Debug)]
pub struct LiveActivity {
    tenant: Tenant,
    cast: Arc<BusinessState>,
    pace: Pace,
    next_event: u64,
    next_due: Timestamp,
}

impl LiveActivity {
    /// Goes on from `now` in a ledger whose sample business is complete; `None` where there is none.
    pub fn resume(ledger: &Ledger, pace: Pace, now: Timestamp) -> Result<Option<Self>, RequestError> {
        let Some(marker) = read_marker(ledger)?.filter(|marker| marker.done) else { return Ok(None) };
        let tenant = Tenant::of_number(marker.tenant);
        let cast = Arc::new(BusinessState::load(ledger, &marker)?);
        cast.scene_profile.set(ledger);
        let next_event = ledger.fact(FACT)?.and_then(|text| text.parse().ok()).unwrap_or(FIRST);
        let next_due = now.plus(gap(&cast, next_event, pace));
        Ok(Some(Self { tenant, cast, pace, next_event, next_due }))
    }

    /// When the next event happens.
    pub fn next_due(&self) -> Timestamp {
        self.next_due
    }

    /// Lets everything happen that is due at `now`, each event and each settlement in the order of its time, so that
    /// it does not matter in how many steps time was cut. Gives the number of events.
    pub fn advance(&mut self, ledger: &Ledger, now: Timestamp) -> Result<u64, RequestError> {
        // Or of a time that a clock which was ahead had come to.
        if self.next_due.age(now) > CAUGHT_UP || now.age(self.next_due) > CAUGHT_UP {
            self.next_due = now;
        }
        let mut happened = 0;
        while self.next_due <= now {
            ledger.advance(self.next_due)?;
            let (cast, event) = (self.cast.clone(), self.next_event);
            let ids = IdSource::Seeded(Rng::new(cast.seed, strand::LIVELY_IDS + event));
            ledger.execute_in_workspace(self.tenant, self.next_due, ids, move |books| {
                let mut dice = Rng::new(cast.seed, strand::LIVELY + event);
                events::play(books, &cast, &mut dice, event, u64::MAX)?;
                set_fact(books.connection, FACT, &(event + 1).to_string())
            })?;
            self.next_event += 1;
            self.next_due = self.next_due.plus(gap(&self.cast, self.next_event, self.pace));
            happened += 1;
        }
        ledger.advance(now)?;
        Ok(happened)
    }
}

fn gap(cast: &BusinessState, event: u64, pace: Pace) -> Duration {
    let (short, long) = cast.scene_profile.gaps;
    pace.scale(Duration::from_millis(Rng::new(cast.seed, strand::LIVELY_GAPS + event).between(short, long)))
}
