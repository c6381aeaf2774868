//! The task that advances the chains and the live activity; it sleeps until something is due.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::app_state::AppState;
use super::ledger::RequestError;
use crate::domain::Timestamp;

/// How long the ledger is left alone after a failure.
const AFTER_FAILURE: Duration = Duration::from_secs(5);
/// How long to wait after a change for others to arrive; shorter than any block.
const COALESCING_DELAY: Duration = Duration::from_millis(2);
/// The longest sleep: the machine's clock may be changed meanwhile.
const MAX_SLEEP: Duration = Duration::from_mins(1);

/// How long the service must be idle before memory is released.
const IDLE_WINDOW: Duration = Duration::from_secs(3);
/// Jobs per `IDLE_WINDOW` that count as idle: one watching console makes no more.
const IDLE_JOBS: u64 = 30;

/// Advances whenever something is due, until `stop`.
pub(super) async fn run_scheduler(app_state: Arc<AppState>, stop: CancellationToken) {
    loop {
        let wait = match advance_to_now(&app_state).await {
            Ok(None) => MAX_SLEEP,
            // `now.age(due)` is the time from now until `due`.
            Ok(Some(due)) => app_state.clock.now().age(due).min(MAX_SLEEP),
            Err(error) => {
                tracing::error!(%error, "the chain clock failed");
                AFTER_FAILURE
            }
        };
        tokio::select! {
            () = sleep(wait) => {}
            // Changes in quick succession are handled together.
            () = app_state.chain_activity.notified() => sleep(COALESCING_DELAY).await,
            () = stop.cancelled() => return,
        }
    }
}

/// Releases memory after each busy period, until `stop`.
pub(super) async fn release_memory_when_idle(app_state: Arc<AppState>, stop: CancellationToken) {
    loop {
        tokio::select! {
            () = app_state.job_started.notified() => {}
            () = stop.cancelled() => return,
        }
        let (mut before, mut most) = (app_state.jobs_started.load(Ordering::Relaxed), 0);
        // Wait for a nearly idle pause; chains and occasional reads never cease.
        loop {
            tokio::select! {
                () = sleep(IDLE_WINDOW) => {}
                () = stop.cancelled() => return,
            }
            let done = app_state.jobs_started.load(Ordering::Relaxed);
            let lately = done.saturating_sub(before);
            before = done;
            most = most.max(lately);
            if lately <= IDLE_JOBS {
                break;
            }
        }
        if most > IDLE_JOBS {
            app_state.ledger.close_idle_readers();
            bursar_heap::give_back();
        }
    }
}

/// Advances chains and activity to the present; returns when something is due next.
pub(super) async fn advance_to_now(app_state: &Arc<AppState>) -> Result<Option<Timestamp>, RequestError> {
    let shared = Arc::clone(app_state);
    let next = app_state.run_in_ledger(move |ledger, now| {
        log_clock_ahead(&shared, ledger.settle_after_clock_set_back(now)?, now);
        let mut activity = shared.activity.lock().unwrap_or_else(PoisonError::into_inner);
        let next_event = if let Some(activity) = activity.as_mut() {
            // Advances the chains too, in the order of events.
            activity.play_due_events(ledger, now)?;
            Some(activity.next_due())
        } else {
            ledger.advance(now)?;
            None
        };
        Ok(ledger.next_due()?.into_iter().chain(next_event).min())
    });
    let next = next.await?;
    app_state.outbox_changed.send_replace(());
    Ok(next)
}

/// Logs once that the clock was ahead, and once that it has caught up.
fn log_clock_ahead(app_state: &AppState, newest: Option<Timestamp>, now: Timestamp) {
    match (newest, app_state.clock_was_ahead.swap(newest.is_some(), Ordering::SeqCst)) {
        (Some(newest), false) => tracing::warn!(
            %newest, clock = %now,
            "the clock was ahead when the newest transaction was made: pending transactions settle by the clock as it is now, \
             and new transactions get the date of that transaction until the clock reaches it"
        ),
        (None, true) => tracing::warn!(clock = %now, "the clock has passed the newest transaction again"),
        _ => {}
    }
}
