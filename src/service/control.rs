//! Control requests: what an integrator's tests want of a service at once instead of in time.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use serde::Serialize;

use super::app_state::{AppState, StartPhase};
use super::ledger::{Ledger, RequestError, store_setting};
use super::{ServiceClock, activity, scheduler};

/// Name of the ledger setting for how far the clock is ahead, in milliseconds. It outlives a restart: the rows of the
/// ledger have dates by this clock.
const CLOCK_SETTING: &str = "clock_ahead";

/// Moves the clock to where an earlier run left it.
pub(super) fn restore_clock(ledger: &Ledger, clock: &ServiceClock) -> Result<(), RequestError> {
    let stored = ledger.load_setting(CLOCK_SETTING)?.and_then(|millis| millis.parse().ok());
    if let (Some(offset), Some(millis)) = (clock.millis_ahead(), stored) {
        offset.store(millis, Ordering::SeqCst);
    }
    Ok(())
}

/// The clock after it was moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct MovedClock {
    now: String,
}

/// Moves the clock forward, and the chains with it: what is due by then has settled when this returns.
pub(super) async fn advance_clock(app_state: &Arc<AppState>, by: Duration) -> Result<MovedClock, RequestError> {
    let millis = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
    if !app_state.clock.advance_by(millis) {
        return Err(RequestError::bad_request("the clock of this service cannot be moved"));
    }
    if let Some(offset) = app_state.clock.millis_ahead() {
        let offset = offset.load(Ordering::SeqCst).to_string();
        app_state
            .run_in_ledger(move |ledger, _| ledger.write(move |file| store_setting(file, CLOCK_SETTING, &offset)))
            .await?;
    }
    scheduler::advance_to_now(app_state).await?;
    app_state.chain_activity.notify_one();
    Ok(MovedClock { now: app_state.clock.now().to_string() })
}

/// A service as it was first made: the sample business with its history, or an empty workspace. Keys stay valid, and the
/// clock returns to the system's. Other requests are refused meanwhile.
pub(super) async fn reset(app_state: &Arc<AppState>) -> Result<MovedClock, RequestError> {
    let begun = app_state.phase.send_if_modified(|phase| {
        let is_ready = *phase == StartPhase::Ready;
        if is_ready {
            *phase = StartPhase::MakingSample { done: 0, total: 0 };
        }
        is_ready
    });
    if !begun {
        return Err(RequestError::bad_request("the service is being reset already"));
    }
    // Goes on to its end though the caller goes away: a service that is half reset answers nobody.
    let shared = Arc::clone(app_state);
    let resetting = tokio::spawn(async move {
        let result = clear_and_create_anew(&shared).await;
        let phase = result.as_ref().err().map_or(StartPhase::Ready, |reason| StartPhase::Failed(reason.to_string()));
        shared.phase.send_replace(phase);
        shared.chain_activity.notify_one();
        result
    });
    resetting.await.map_err(|error| RequestError::Internal(error.to_string()))??;
    Ok(MovedClock { now: app_state.clock.now().to_string() })
}

async fn clear_and_create_anew(app_state: &Arc<AppState>) -> Result<(), RequestError> {
    if let Some(offset) = app_state.clock.millis_ahead() {
        offset.store(0, Ordering::SeqCst);
    }
    let shared = Arc::clone(app_state);
    app_state
        .run_in_ledger(move |ledger, now| {
            let mut live = shared.activity.lock().unwrap_or_else(PoisonError::into_inner);
            let plan = activity::load_sample_plan_and_scene(ledger)?;
            let successor = if plan.is_some() { None } else { ledger.empty_copy_of_first_workspace()? };
            ledger.clear(successor, now)?;
            ledger.write(|file| store_setting(file, CLOCK_SETTING, "0"))?;
            if let Some((plan, scene)) = plan {
                activity::create_interruptible_sample(ledger, plan, scene, now, &|done, total| {
                    shared.phase.send_replace(StartPhase::MakingSample { done, total });
                    true
                })?;
            }
            if let Some(activity) = live.take() {
                *live = activity::LiveActivity::resume(ledger, activity.pace(), now)?;
            }
            Ok(())
        })
        .await
}
