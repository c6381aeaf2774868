//! Sends an order, once, and records the outcome.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::swap::QuoteChanged;
use super::{AuthorisedClient, OrderExecutor, created_objects, local_failure};
use crate::app::Msg;
use crate::domain::approval::DeskRole;
use crate::domain::duration;
use crate::domain::order::{Confirmation, IllegalOrderEvent, OrderState, SendReason, ServiceDestination};
use crate::domain::{AttemptResult, Failure, MayHaveHappened, OrderId, Outcome, Text, Timestamp};
use crate::journal::{Journal, JournalError, SendPermit, crash};
use crate::orders::{answer, send_deadline, settle};
use crate::runtime::completion::Completion;

/// The delays before an answer is recorded again; [`REPEATED_RECORD_DELAY`] follows for as long as that fails.
const FIRST_RECORD_DELAYS: [Duration; 4] =
    [Duration::from_secs(1), Duration::from_secs(5), Duration::from_secs(15), Duration::from_mins(1)];
const REPEATED_RECORD_DELAY: Duration = Duration::from_mins(5);

/// An attempt that the journal has recorded as being sent.
struct BegunAttempt {
    send_permit: SendPermit,
    /// When the attempt was recorded.
    recorded_at: Timestamp,
    /// The same on the monotonic clock.
    recorded_instant: Instant,
}

impl OrderExecutor {
    /// Sends an order and reports its state; an error states why nothing was sent.
    pub(super) async fn send_order(&self, id: OrderId, reason: SendReason, confirmation: Option<Confirmation>) -> Msg {
        // Requesting the keys may take a while, in which others pay and prices move: a swap's quote is requested again,
        // and the order judged, only afterwards.
        let begun = match self.review_or_new_client(id).await {
            Ok(opened) => {
                if let Some(message) = self.check_quote_before_send(id, confirmation.as_ref()).await {
                    return message;
                }
                self.cache_usual_fee_of_order(id).await;
                self.begin_attempt(id, reason, confirmation, &opened).await.map(|begun| (begun, opened))
            }
            Err(failure) => return Msg::Sent { order_id: id, result: Err(failure) },
        };
        let result = match begun {
            Ok((begun, opened)) => Ok(self.send_attempt(begun, opened).await),
            Err(failure) => {
                self.drop_review_client(id);
                self.report_journal().await;
                Err(failure)
            }
        };
        Msg::Sent { order_id: id, result }
    }

    /// The client stored for an order's review, or a new one.
    async fn review_or_new_client(&self, id: OrderId) -> Result<Arc<AuthorisedClient>, Failure> {
        match self.review_client(id) {
            Some(opened) => Ok(opened),
            None => self.open_client().await,
        }
    }

    /// Judges an order and records that it is being sent. If another console writes meanwhile, the order is judged and
    /// a swap's quote requested once more; if the journal changes again, this fails and nothing is sent.
    async fn begin_attempt(
        &self,
        id: OrderId,
        reason: SendReason,
        mut confirmation: Option<Confirmation>,
        opened: &AuthorisedClient,
    ) -> Result<BegunAttempt, Failure> {
        if self.payment_context.policy.role == DeskRole::Propose {
            return Err(local_failure("this console only proposes; the payment is sent from another desk"));
        }
        self.check_sent_elsewhere(id).await?;
        let confirmed = confirmation.clone();
        let mut is_second = false;
        loop {
            let judged = self.judge_before_send(id, confirmed.as_ref()).await?;
            let (destination, at, moment) = (opened.destination.clone(), self.now(), self.resources.clock.instant());
            let gives_up_at = send_deadline::gives_up_at(at, opened.operator.send_timeout());
            // Read anew each time: somebody may have left since it was approved.
            let policy = self.approval_policy().await?;
            // It is confirmed once, however often it is judged.
            let confirmation = confirmation.take();
            let mark = self.mark_sent(id).await?;
            let permitted = self
                .with_journal(move |journal| {
                    if let Some(confirmation) = confirmation {
                        journal.record_confirmation(id, confirmation, at)?;
                    }
                    match journal.permit_send(id, reason, &destination, at, gives_up_at, judged, &policy) {
                        Err(JournalError::Illegal(IllegalOrderEvent::Stale)) if !is_second => Ok(None),
                        begun => begun.map(Some),
                    }
                })
                .await;
            if let (Ok(None) | Err(_), Some(mark)) = (&permitted, mark) {
                // Another console of this journal may have been permitted to send it meanwhile.
                let order = self.with_journal(move |journal| journal.order(id)).await;
                if order.is_ok_and(|order| order.attempts.is_empty()) {
                    mark.remove();
                }
            }
            if let Some(order) = permitted? {
                return Ok(BegunAttempt { send_permit: order, recorded_at: at, recorded_instant: moment });
            }
            is_second = true;
            // Already confirmed, so its review cannot be confirmed again by another quote.
            self.recheck_quote(id, confirmed.as_ref()).await.map_err(QuoteChanged::into_failure)?;
        }
    }

    /// Sends an attempt that the journal has recorded, and returns the order's state. There is no error: something may
    /// have left, and an uncertain outcome is unknown.
    async fn send_attempt(&self, begun: BegunAttempt, opened: Arc<AuthorisedClient>) -> OrderState {
        let BegunAttempt { send_permit: order, recorded_at: at, recorded_instant: moment } = begun;
        let intent = order.order().id;
        // From here on nothing may end this before the answer is recorded, so a detached task does it.
        let executor = self.clone();
        let sending = self.send_tasks.spawn(async move {
            let attempt = order.attempt();
            let usual_fee = executor.cached_usual_fee(order.order());
            crash::reached(crash::BEFORE_SEND);
            let send = async {
                let held_up = executor.resources.clock.instant().saturating_duration_since(moment);
                match send_deadline::delay_past_sending(at, executor.now(), held_up) {
                    None => opened.operator.send(order, usual_fee).await,
                    Some(late) => late_attempt_result(late),
                }
            };
            let (answered, ()) = tokio::join!(send, executor.report_journal());
            drop(opened);
            executor.drop_review_client(intent);
            crash::reached(crash::AFTER_ANSWER);
            let at = executor.now();
            let recorded = executor.record_answer(intent, attempt, answered.clone(), at).await;
            if let Err(why) = &recorded {
                executor.retry_recording_answer(intent, attempt, answered.clone(), at);
                tracing::error!(%why, %intent, answer = %answered.message, "an answer could not be recorded");
            }
            (answered, recorded)
        });
        let outcome = sending.await;
        self.report_journal().await;
        let state_or_warning = match outcome {
            Ok((answered, Ok(()))) => state_after_answer(self.read_order_state(intent).await, &answered),
            Ok((answered, Err(why))) => {
                // What the journal's error says of sending is not true here: the request was sent.
                let cause = why.detail.split([',', ';']).next().unwrap_or_default();
                Err(format!("the answer could not be recorded ({cause}). The service said: {}", answered.message))
            }
            // Recorded as on its way, so a lookup will search for it.
            Err(fault) => Err(format!("a request may have been sent before sending was interrupted: {fault}")),
        };
        state_or_warning.unwrap_or_else(|warning| {
            self.report_warning(&warning);
            OrderState::Unknown
        })
    }

    /// Warns of what the journal cannot show until it is read again.
    fn report_warning(&self, message: &str) {
        let warning = Failure { may_have_happened: MayHaveHappened::Unknown, ..local_failure(message) };
        let _ = self.completions.send(Completion::Message(Msg::Orders(Err(warning))));
    }

    /// Records the answer to an attempt, and the order's end if the answer is final.
    async fn record_answer(
        &self,
        id: OrderId,
        attempt: u32,
        mut answered: AttemptResult,
        at: Timestamp,
    ) -> Result<(), Failure> {
        let (final_statuses, destination) =
            (self.payment_context.final_statuses.clone(), self.payment_context.destination.clone());
        let order = self
            .with_journal(move |journal| {
                // An answer is recorded even if the other orders cannot be read.
                answered
                    .differences
                    .extend(find_other_order_named_by_answer(journal, &destination, id, &answered).unwrap_or_default());
                answered.differences.extend(answer::answer_contradiction(&final_statuses, &answered));
                journal.record_answer(id, attempt, answered, at)?;
                let order = journal.order(id)?;
                if let Some(end) = settle::order_end_from_answer(&order, &final_statuses, at) {
                    match journal.record_end(id, end, at) {
                        // A read of the history was faster.
                        Ok(()) | Err(JournalError::Illegal(IllegalOrderEvent::Ended)) => {}
                        Err(error) => return Err(error),
                    }
                }
                Ok(order)
            })
            .await?;
        self.save_created_objects(created_objects(&order).map(|(_, object)| object.clone()).collect()).await;
        Ok(())
    }

    /// Retries recording an answer for as long as the program runs: the disk may find room.
    fn retry_recording_answer(&self, id: OrderId, attempt: u32, answered: AttemptResult, at: Timestamp) {
        let executor = self.clone();
        // Not awaited when the program quits: an unrecorded outcome is looked up in the history.
        tokio::spawn(async move {
            for delay in FIRST_RECORD_DELAYS.into_iter().chain(std::iter::repeat(REPEATED_RECORD_DELAY)) {
                tokio::time::sleep(delay).await;
                if executor.record_answer(id, attempt, answered.clone(), at).await.is_ok() {
                    executor.report_journal().await;
                    return;
                }
            }
        });
    }
}

/// What [`answer::transaction_of_other_order`] finds in this journal.
pub(super) fn find_other_order_named_by_answer(
    journal: &Journal,
    destination: &ServiceDestination,
    id: OrderId,
    answered: &AttemptResult,
) -> Result<Option<Text>, JournalError> {
    let (orders, addresses) = (journal.all_orders()?, journal.address_relations(destination)?);
    Ok(answer::transaction_of_other_order(id, answered, &orders, &addresses))
}

/// The order's state after its answer was recorded; an error states why it is unknown.
fn state_after_answer(state: Result<OrderState, Failure>, answered: &AttemptResult) -> Result<OrderState, String> {
    state.map_err(|reason| {
        let (reason, service_message) = (reason.detail, &answered.message);
        format!(
            "the answer was recorded, but the journal could not be read after that ({reason}). The service said: {service_message}"
        )
    })
}

/// The result of an attempt that was not sent after all, since it was held up for too long before it could be.
fn late_attempt_result(late: Duration) -> AttemptResult {
    AttemptResult {
        outcome: Outcome::NotSent,
        status: None,
        message: Text::clean(&format!(
            "nothing was sent: the request was held up for {} before it could be sent",
            duration::format_age(late)
        )),
        raw: None,
        created: None,
        differences: Vec::new(),
        cost_alarms: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_left_is_unknown_where_the_journal_cannot_be_read_after_its_answer() {
        let answered = AttemptResult {
            outcome: Outcome::Accepted,
            status: Some(201),
            message: "created".into(),
            raw: None,
            created: None,
            differences: Vec::new(),
            cost_alarms: Vec::new(),
        };
        assert_eq!(state_after_answer(Ok(OrderState::Accepted), &answered), Ok(OrderState::Accepted));
        let message =
            state_after_answer(Err(local_failure("another program has held the journal")), &answered).unwrap_err();
        assert!(message.contains("another program has held the journal") && message.contains("created"), "{message}");
        assert!(!message.to_lowercase().contains("nothing was sent"), "{message}");
    }
}
