//! Seeds a demo: its journal, and what its cache knows of the time before.
//!
//! Orders take the same path as an operator's own: the book is changed, and each payment encoded, recorded, answered and
//! compared with the history by the same executor, at the times at which that happened. Requests of the past are not sent:
//! the history has their payments. The record states that no person confirmed them.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use tokio::sync::mpsc::unbounded_channel;

use super::{OrderExecutor, PaymentContext, local_failure};
use crate::api;
use crate::app::{Dataset, Msg};
use crate::domain::approval::ApprovalPolicy;
use crate::domain::book::BookChange;
use crate::domain::order::{
    Confirmation, ConsoleIdentity, DraftedOrder, HistoryLookup, OrderEnd, OrderState, SendReason,
};
use crate::domain::{
    DemoSeed, Direction, Draft, Failure, ObservedTransaction, Order, OrderId, PastCourse, PastOrder, Sender, Text,
    Timestamp, Transaction,
};
use crate::journal::Journal;
use crate::orders::evidence::batch::evidence_in_batch_rows;
use crate::orders::settle::end_from_verdict;
use crate::runtime::clock::Clock;
use crate::runtime::reads::{self, FetchState};
use crate::runtime::resources::ConsoleResources;

/// Recorded instead of the text that an operator types to confirm.
const SEED_CONFIRMATION: &str = "(nobody: sent by the scene of the demo, before it opened)";
/// The same for orders of the past.
const PAST_CONFIRMATION: &str = "(nobody: part of the sample business)";

/// The address book is older than the first order by this.
const BOOK_BEFORE_ORDERS: Duration = Duration::from_hours(24 * 7);
/// From the draft of an order to its confirmation, from there to its answer, and on to the first look at the history.
const REVIEW_TIME: Duration = Duration::from_secs(50);
const ANSWER_TIME: Duration = Duration::from_millis(700);
const FIRST_LOOK: Duration = Duration::from_secs(20);
/// When the history is read for what failed, or is missing: as often, and over as long a time, as it takes to believe it.
const FURTHER_LOOKS: [Duration; 3] = [Duration::from_mins(1), Duration::from_mins(6), Duration::from_mins(12)];
/// Rows of a page of the history, and the most pages read.
const ROWS_PER_PAGE: u64 = 100;
const MAX_PAGES: u64 = 50;

/// Seeds a console of a demo. Where a payment is to stay unresolved, the simulated service must have been set to lose its
/// answer beforehand.
///
/// # Errors
/// If this console is read-only, the journal refuses the seed, or the outcome of the payment is known after all.
///
/// Returns the payment whose outcome is unknown.
pub async fn seed_demo(resources: &ConsoleResources, seed: DemoSeed) -> Result<Option<OrderId>, Failure> {
    let DemoSeed { contacts, labels, past_orders, unresolved_payment, total_samples, daily_prices, .. } = seed;
    let label_changes =
        labels.into_iter().map(|label| BookChange::Label { subject: label.subject, name: Some(label.name) });
    let book: Vec<BookChange> = contacts.into_iter().map(BookChange::Entered).chain(label_changes).collect();
    if let Some(valuation) = total_samples.last().map(|sample| sample.valuation.clone()) {
        let store = resources.store.clone();
        let saved = tokio::task::spawn_blocking(move || {
            store.save_total_samples(&valuation, &total_samples)?;
            store.record_price_samples(&valuation, daily_prices.iter().map(|(symbol, prices)| (symbol, prices.clone())))
        });
        saved
            .await
            .map_err(|fault| local_failure(&format!("the samples were interrupted: {fault}")))?
            .map_err(|error| local_failure(&error.to_string()))?;
    }
    if book.is_empty() && past_orders.is_empty() && unresolved_payment.is_none() {
        return Ok(None);
    }
    let paying = resources
        .payments
        .clone()
        .map_err(|disabled| local_failure(&format!("this console is read-only: {}", disabled.reason)))?;
    if let Some(first) = past_orders.first() {
        let begins_at = first.drafted_at.minus(BOOK_BEFORE_ORDERS);
        let past = PastConsole::new(resources, &paying, begins_at);
        past.executor.enter_into_book(book).await?;
        let journal = paying.journal.for_console(colleague_identity());
        let colleague_console = PastConsole::new(resources, &PaymentContext { journal, ..paying.clone() }, begins_at);
        Box::pin(past.record_orders(past_orders, &colleague_console)).await?;
    } else {
        new_order_executor(resources.clone(), paying.clone()).enter_into_book(book).await?;
    }
    let Some((draft, sender)) = unresolved_payment else { return Ok(None) };
    Box::pin(new_order_executor(resources.clone(), paying).send_without_review(draft, sender)).await.map(Some)
}

fn colleague_identity() -> ConsoleIdentity {
    ConsoleIdentity { user: "mara".into(), host: "desk-2".into(), run: uuid::Uuid::new_v4() }
}

fn new_order_executor(resources: ConsoleResources, paying: PaymentContext) -> OrderExecutor {
    let (completions, _receiver) = unbounded_channel();
    OrderExecutor::new(resources, paying, completions)
}

/// The executor of a console in the past, whose clock is moved from order to order.
struct PastConsole {
    executor: OrderExecutor,
    clock: Arc<AtomicI64>,
    present: Timestamp,
}

impl PastConsole {
    fn new(resources: &ConsoleResources, paying: &PaymentContext, at: Timestamp) -> Self {
        let clock = Arc::new(AtomicI64::new(at.millis()));
        let past_resources = ConsoleResources { clock: Clock::Manual(Arc::clone(&clock)), ..resources.clone() };
        Self { executor: new_order_executor(past_resources, paying.clone()), clock, present: resources.clock.now() }
    }

    /// Moves the clock, never past the present.
    fn advance_to(&self, at: Timestamp) -> Timestamp {
        let at = at.min(self.present);
        self.clock.store(at.millis(), Ordering::SeqCst);
        at
    }

    async fn record_orders(&self, orders: Vec<PastOrder>, colleague: &Self) -> Result<(), Failure> {
        let outgoing = self.read_rows(&Direction::Outgoing).await?;
        // The proceeds of swaps.
        let incoming = self.read_rows(&Direction::Incoming).await?;
        for order in orders {
            let key = order.key.to_string();
            let is_own = |row: &&Transaction| row.idempotency_key.as_deref() == Some(key.as_str());
            let mut own: Vec<Transaction> = outgoing.iter().filter(is_own).cloned().collect();
            let group = own.first().and_then(|row| row.group.clone());
            if order.draft.operation().is_swap() {
                own.extend(incoming.iter().filter(|row| row.group == group).cloned());
            }
            let console = if order.is_of_colleague { colleague } else { self };
            console.record_order(order, own).await?;
        }
        Ok(())
    }

    /// The rows of the history in one direction, as the service lists them.
    async fn read_rows(&self, direction: &Direction) -> Result<Vec<Transaction>, Failure> {
        let reader = &self.executor.resources.reader;
        let mut rows = Vec::new();
        for page in 1..=MAX_PAGES {
            let page_of_rows = reader.fetch_transactions(direction, page, ROWS_PER_PAGE).await?;
            let is_last = page_of_rows.items.is_empty() || page_of_rows.total_page.is_none_or(|total| page >= total);
            rows.extend(page_of_rows.items);
            if is_last {
                break;
            }
        }
        Ok(rows)
    }

    async fn record_order(&self, order: PastOrder, rows: Vec<Transaction>) -> Result<(), Failure> {
        let PastOrder { draft, sender, key, drafted_at, course, .. } = order;
        let at = self.advance_to(drafted_at);
        let id = self.record_draft(draft, sender, key, at).await?;
        let (status, body, ended_at) = match course {
            PastCourse::Abandoned(reason) => {
                return self.record_end(id, OrderEnd::Abandoned(Some(reason)), at.plus(REVIEW_TIME)).await;
            }
            PastCourse::Answered { status, body, ended_at } => (status, body, ended_at),
            // A proxy answered in place of the service.
            PastCourse::WrittenOff(reason) => {
                let answered_at = self.record_attempt(id, 504, String::new(), at.plus(REVIEW_TIME)).await?;
                let absent = HistoryLookup { is_complete: true, ..HistoryLookup::default() };
                let last = self.record_repeated_lookups(id, &absent, answered_at).await?;
                return self.record_end(id, OrderEnd::WrittenOff(reason), last.plus(REVIEW_TIME)).await;
            }
        };
        let answered_at = self.record_attempt(id, status, body, at.plus(REVIEW_TIME)).await?;
        if rows.is_empty() {
            let absent = HistoryLookup { is_complete: true, ..HistoryLookup::default() };
            return self.record_lookup(id, absent, answered_at.plus(FIRST_LOOK)).await;
        }
        let Some(ended_at) = ended_at else { return Ok(()) };
        self.advance_to(ended_at.max(answered_at).plus(FIRST_LOOK));
        self.executor.apply_read_rows_to_orders(rows.clone()).await;
        self.record_failure(id, &rows, ended_at).await
    }

    async fn record_draft(
        &self,
        draft: Draft,
        sender: Sender,
        key: uuid::Uuid,
        at: Timestamp,
    ) -> Result<OrderId, Failure> {
        let paying = &self.executor.payment_context;
        let request = api::encode(&draft, key, &paying.wire);
        let destination = paying.destination.clone();
        let (newest, anchors) = (Vec::new(), Vec::new());
        let drafted =
            DraftedOrder { draft, sender: Some(sender), request, destination, newest, anchors, template: None };
        Ok(self.executor.with_journal(move |journal| journal.record_draft(drafted, at)).await?.id)
    }

    /// Records that an order was confirmed and sent, and its answer; returns when that came.
    async fn record_attempt(
        &self,
        id: OrderId,
        status: u16,
        body: String,
        at: Timestamp,
    ) -> Result<Timestamp, Failure> {
        let (confirmed_at, answered_at) = (self.advance_to(at), at.plus(ANSWER_TIME).min(self.present));
        let paying = &self.executor.payment_context;
        let (destination, wire) = (paying.destination.clone(), paying.wire.clone());
        let confirmation =
            Confirmation { typed: vec![Text::clean(PAST_CONFIRMATION)], findings: Vec::new(), agreed: None };
        let work = move |journal: &Journal| {
            journal.record_confirmation(id, confirmation, confirmed_at)?;
            let gives_up_at = confirmed_at.plus(REVIEW_TIME);
            let permit = journal.permit_send(
                id,
                SendReason::Confirmed,
                &destination,
                confirmed_at,
                gives_up_at,
                None,
                &ApprovalPolicy::default(),
            )?;
            let attempt = permit.attempt();
            journal.record_answer(id, attempt, api::interpret_answer(permit, status, &body, &wire), answered_at)
        };
        self.executor.with_journal(work).await?;
        Ok(answered_at)
    }

    async fn record_lookup(&self, id: OrderId, look: HistoryLookup, at: Timestamp) -> Result<(), Failure> {
        let final_statuses = self.executor.payment_context.final_statuses.clone();
        self.executor.with_journal(move |journal| journal.record_lookup(id, look, None, &final_statuses, at)).await
    }

    /// Records a look at the history as often as it takes to believe what it shows; returns when the last one was.
    async fn record_repeated_lookups(
        &self,
        id: OrderId,
        look: &HistoryLookup,
        from: Timestamp,
    ) -> Result<Timestamp, Failure> {
        let mut at = from;
        for pause in FURTHER_LOOKS {
            at = self.advance_to(from.plus(pause));
            self.record_lookup(id, look.clone(), at).await?;
        }
        Ok(at)
    }

    /// Ends an order that the history shows as failed, wholly or in part.
    async fn record_failure(&self, id: OrderId, rows: &[Transaction], ended_at: Timestamp) -> Result<(), Failure> {
        let order = self.executor.with_journal(move |journal| journal.order(id)).await?;
        if order.end.is_some() {
            return Ok(());
        }
        let Some((look, end)) = self.failure_evidence_in_rows(&order, rows) else { return Ok(()) };
        let last = self.record_repeated_lookups(id, &look, ended_at.plus(FIRST_LOOK)).await?;
        self.record_end(id, end, last).await
    }

    /// What rows show of an order that failed; `None` of one that did not.
    fn failure_evidence_in_rows(&self, order: &Order, rows: &[Transaction]) -> Option<(HistoryLookup, OrderEnd)> {
        let final_statuses = &self.executor.payment_context.final_statuses;
        let has_failed = |row: &&Transaction| {
            end_from_verdict(final_statuses.verdict(&ObservedTransaction::from_transaction(row)))
                == Some(OrderEnd::Failed)
        };
        let failed = rows.iter().filter(has_failed).count();
        if failed == 0 {
            return None;
        }
        let end = if failed == rows.len() { OrderEnd::Failed } else { OrderEnd::PartlySettled };
        let look = if let Draft::Batch(batch) = &order.drafted.draft {
            let rows: Vec<&Transaction> = rows.iter().collect();
            evidence_in_batch_rows(&rows, order, batch, None, final_statuses, true)?
        } else {
            let observed = rows.first().map(ObservedTransaction::from_transaction);
            HistoryLookup { observed, ..HistoryLookup::default() }
        };
        Some((HistoryLookup { shows_failure: true, ..look }, end))
    }

    async fn record_end(&self, id: OrderId, end: OrderEnd, at: Timestamp) -> Result<(), Failure> {
        let at = self.advance_to(at);
        self.executor.with_journal(move |journal| journal.record_end(id, end, at)).await
    }
}

impl OrderExecutor {
    async fn enter_into_book(&self, changes: Vec<BookChange>) -> Result<(), Failure> {
        if changes.is_empty() {
            return Ok(());
        }
        let book = self.read_address_book().await?;
        self.change_book(changes, Vec::new(), book).await
    }

    /// Sends a payment without a review.
    async fn send_without_review(&self, draft: Draft, sender: Sender) -> Result<OrderId, Failure> {
        // A later lookup needs the newest rows of the history to prove that it has read everything since.
        reads::load_dataset(&self.resources, &FetchState::default(), &Dataset::Latest, &mut Vec::new()).await?;
        let order_id = self.prepare_order(draft, Some(sender), None).await?.order.id;
        let confirmation =
            Confirmation { typed: vec![Text::clean(SEED_CONFIRMATION)], findings: Vec::new(), agreed: None };
        let outcome = self.send_order(order_id, SendReason::Confirmed, Some(confirmation)).await;
        if let Msg::Sent { result: Err(reason), .. } = outcome {
            return Err(reason);
        }
        if matches!(outcome, Msg::Sent { result: Ok(OrderState::Unknown), .. }) {
            return Ok(order_id);
        }
        Err(local_failure(&format!("the outcome of a payment that was to stay unknown is known: {outcome:?}")))
    }
}
