//! Alarms about orders: the service contradicts the request, or itself.

use super::status_text::service_status;
use crate::domain::order::OrderState;
use crate::domain::{FinalStatuses, ObservedTransaction, Order, Status, Timestamp, Verdict};

/// The alarms of an order, a sentence each; they come first among its messages.
pub fn alarm_messages(order: &Order, now: Timestamp) -> Vec<String> {
    let mut alarms: Vec<String> =
        order.differences().into_iter().map(|difference| format!("Alarm: {difference}.")).collect();
    alarms.extend(order.cost_alarms().into_iter().map(|cost| format!("Alarm: {cost}. Ask the service why.")));
    alarms.extend(order.proceeds_mismatch_text().map(|less| format!("Alarm: {less}.")));
    if is_contradiction(order, now) {
        let has_failed = order
            .last_observation()
            .and_then(|observation| observation.status.as_ref())
            .is_some_and(Status::has_failed);
        alarms.push(if has_failed {
            "Alarm: the service reports it as failed and as final at once. Ask the service which is true.".into()
        } else {
            format!(
                "Alarm: the service reports it as confirmed with the status {}, which does not mean settled: a chain also confirms \
                 reverted transactions. Ask the service; final_ok and final_failed in the profile define what its statuses mean.",
                service_status(order)
            )
        });
    }
    alarms
}

/// Whether the service contradicts itself. The runtime closes orders that the service reports as final, so a confirmed
/// order that is still open has a contradictory or unknown status.
fn is_contradiction(order: &Order, now: Timestamp) -> bool {
    let is_observed = order.lookups.iter().any(|(_, look)| look.observed.is_some());
    is_observed
        && !order.is_contradicted_by_history()
        && order.state(now) == OrderState::Accepted
        && order.last_observation().is_some_and(|observation| observation.confirmed == Some(true))
        && !order.awaits_proceeds(|observation| observation.confirmed == Some(true), now)
        && !lacks_proceeds(order)
}

/// Whether a swap is settled by its answer and outgoing side, but its proceeds were not read yet.
pub(super) fn lacks_proceeds(order: &Order) -> bool {
    let is_done = |observation: &ObservedTransaction| FinalStatuses::default().verdict(observation) == Verdict::Settled;
    order.drafted.draft.operation().is_swap()
        && order.proceeds_in_history().is_none()
        && order.last_observation().is_some_and(is_done)
}
