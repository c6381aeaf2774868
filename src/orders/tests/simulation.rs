//! One payment at a service that does whatever the specification leaves open, for many seeds: keys that it honours or
//! not, rows with or without the key, lists in either order that change while they are read, answers that are lost,
//! copies that arrive late, transactions that fail, are tried again, or succeed after they had failed.
//!
//! Whatever happens, nothing is closed as failed or refused that was paid as far as could be read, nothing as settled
//! that was not, nothing is sent again that a read has shown, and at last the order says what the ledger says.

use std::collections::HashSet;
use std::time::Duration;

use proptest::prelude::Rng as _;
use proptest::test_runner::{RngAlgorithm, TestRng};

use super::super::evidence::by_v1::V1Lookup;
use super::super::evidence::order_matches::OrderMatches;
use super::super::evidence::outgoing_history::OutgoingHistory;
use super::super::evidence::swap_proceeds::IncomingRows;
use super::super::evidence::{evidence_in_row, evidence_in_rows};
use super::super::lookup::{Lookup, MAX_LOOKUP_PAGES, is_worth_recording, needs_lookup};
use super::super::resend::{automatic_resend_at, was_history_read_since_send};
use super::super::settle::{order_end_from_answer, order_end_from_lookup};
use crate::domain::history::Page;
use crate::domain::order::{EventStamp, HistoryLookup, OrderEnd, OrderEvent, OrderState, SendReason};
use crate::domain::{
    AttemptResult, CreatedObject, FinalStatuses, ObservedTransaction, Order, Outcome, ReportedAmount, Status,
    Timestamp, Transaction, Verdict,
};
use crate::orders::fixtures::{ago, idempotency_key, order, order_stamp, row, usdc_amount};

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_mins(1);
/// When a request is no longer awaited.
const SEND_TIMEOUT: Duration = Duration::from_secs(30);

struct Dice(TestRng);

impl Dice {
    fn below(&mut self, bound: u32) -> u32 {
        self.0.next_u32() % bound
    }

    fn is_one_in(&mut self, many: u32) -> bool {
        self.below(many) == 0
    }

    fn up_to(&mut self, longest: Duration) -> Duration {
        Duration::from_millis(u64::from(self.below(u32::try_from(longest.as_millis()).unwrap() + 1)))
    }
}

/// What the specification leaves open.
#[derive(Debug)]
struct Readings {
    honours_keys: bool,
    shows_keys: bool,
    shows_references: bool,
    sorts_by_change: bool,
    states_total: bool,
    page_length: usize,
    tries_again: bool,
    may_revive: bool,
    /// Whether other payments carry the order's reference.
    reuses_references: bool,
}

struct LedgerRow {
    row: Transaction,
    changed: Timestamp,
    is_own: bool,
    /// Further statuses, the next one last.
    future: Vec<(Timestamp, Status)>,
}

struct Simulation {
    dice: Dice,
    readings: Readings,
    final_statuses: FinalStatuses,
    now: Timestamp,
    ledger: Vec<LedgerRow>,
    /// Copies of the request that are still under way.
    copies: Vec<Timestamp>,
    /// When the ledger has come to rest.
    quiet_from: Timestamp,
    order: Order,
    last_read_began: Option<Timestamp>,
    trail: Vec<String>,
}

impl Simulation {
    fn new(seed: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let mut dice = Dice(TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
        let readings = Readings {
            honours_keys: !dice.is_one_in(4),
            shows_keys: !dice.is_one_in(4),
            shows_references: !dice.is_one_in(3),
            sorts_by_change: dice.is_one_in(2),
            states_total: dice.is_one_in(2),
            page_length: 4 + usize::try_from(dice.below(6)).unwrap(),
            tries_again: dice.is_one_in(4),
            may_revive: dice.is_one_in(6),
            reuses_references: dice.is_one_in(6),
        };
        let mut order = order(1, 0, None);
        order.attempts.clear();
        let now = ago(0);
        let mut simulation = Self {
            dice,
            readings,
            final_statuses: FinalStatuses::default(),
            now,
            ledger: Vec::new(),
            copies: Vec::new(),
            quiet_from: now.plus(30 * MINUTE),
            order,
            last_read_began: None,
            trail: Vec::new(),
        };
        for number in 0..simulation.dice.below(16) {
            let at = simulation.now.minus(MINUTE * (2 + 7 * number));
            simulation.add_other(at);
            let row = simulation.ledger.last_mut().unwrap();
            row.row.confirmed = (row.row.status == Some(Status::Success)).then_some(true);
        }
        let listed_rows: Vec<Transaction> = simulation.list().into_iter().cloned().collect();
        let ids = |rows: &mut dyn Iterator<Item = &Transaction>| rows.take(8).map(|row| row.id.clone()).collect();
        simulation.order.drafted.newest = ids(&mut listed_rows.iter());
        simulation.order.drafted.anchors =
            ids(&mut listed_rows.iter().filter(|row| row.is_unchangeable(&simulation.final_statuses)));
        simulation
    }

    /// Somebody else's payment, which may be equal but for its marks.
    fn add_other(&mut self, at: Timestamp) {
        let number = self.ledger.len();
        let mut row = Transaction { created_at: Some(at), ..row(&format!("other-{number}"), 0) };
        if !self.dice.is_one_in(8) {
            row.amount = Some(ReportedAmount::Exact(usdc_amount("7")));
            row.symbol = "EURC".into();
        }
        let is_reused = row.symbol.as_str() == "EURC" && self.readings.reuses_references && self.dice.is_one_in(4);
        row.ref_id = Some(if is_reused { "own-1".into() } else { format!("theirs-{number}").as_str().into() });
        row.idempotency_key = self.readings.shows_keys.then(|| format!("key-{number}").as_str().into());
        let is_open = self.dice.is_one_in(4);
        row.status = Some(if is_open { Status::Pending } else { Status::Success });
        let end = at.plus(self.dice.up_to(10 * MINUTE)).max(self.now);
        let future = if is_open { vec![(end, Status::Success)] } else { Vec::new() };
        self.ledger.push(LedgerRow { row, changed: at, is_own: false, future });
    }

    /// A copy of the request is executed.
    fn execute(&mut self, at: Timestamp) {
        if self.readings.honours_keys && self.own().next().is_some() {
            return;
        }
        let number = self.own().count() + 1;
        let mut row = Transaction { created_at: Some(at), ..row(&format!("own-{number}"), 0) };
        row.idempotency_key = self.readings.shows_keys.then(|| idempotency_key(1).to_string().as_str().into());
        row.ref_id = self.readings.shows_references.then(|| "own-1".into());
        row.status = Some(Status::Pending);
        let end = at.plus(self.dice.up_to(20 * MINUTE));
        let mut future = vec![(end, if self.dice.is_one_in(3) { Status::Failed } else { Status::Success })];
        if future[0].1 == Status::Failed && self.readings.may_revive {
            future.insert(0, (end.plus(self.dice.up_to(40 * MINUTE)), Status::Success));
        }
        self.quiet_from = self.quiet_from.max(future[0].0).plus(5 * MINUTE);
        self.trail.push(format!("{at}: executed as own-{number}, then {future:?}"));
        self.ledger.push(LedgerRow { row, changed: at, is_own: true, future });
    }

    fn own(&self) -> impl Iterator<Item = &LedgerRow> {
        self.ledger.iter().filter(|row| row.is_own)
    }

    /// Whether anything that is read names the order as the row's.
    fn is_marked(&self, own: &LedgerRow) -> bool {
        let is_named = self.order.transaction_ids().any(|transaction| *transaction == own.row.id);
        own.row.idempotency_key.is_some() || own.row.ref_id.is_some() || is_named
    }

    /// Of the marked rows.
    fn verdicts(&self) -> Vec<Verdict> {
        self.own().filter(|own| self.is_marked(own)).map(|own| self.verdict(own)).collect()
    }

    fn verdict(&self, own: &LedgerRow) -> Verdict {
        self.final_statuses.verdict(&ObservedTransaction::from_transaction(&own.row))
    }

    /// Lets time pass at the service.
    fn pass(&mut self, time: Duration) {
        self.now = self.now.plus(time);
        let (due, later) = self.copies.iter().partition(|at| **at <= self.now);
        self.copies = later;
        let due: Vec<Timestamp> = due;
        for at in due {
            self.execute(at);
        }
        let now = self.now;
        let mut retried = false;
        for row in &mut self.ledger {
            while let Some((at, _)) = row.future.last().filter(|(at, _)| *at <= now) {
                row.changed = *at;
                row.row.status = row.future.pop().map(|(_, status)| status);
                retried |= row.is_own && row.row.status == Some(Status::Failed);
            }
        }
        if retried && self.readings.tries_again {
            // The service tries again, once, and may not show the key.
            self.readings.tries_again = false;
            let honours = std::mem::replace(&mut self.readings.honours_keys, false);
            self.execute(now);
            self.readings.honours_keys = honours;
            if self.dice.is_one_in(2) {
                self.ledger.last_mut().unwrap().row.idempotency_key = None;
            }
        }
        if now < self.quiet_from && self.dice.is_one_in(10) {
            self.add_other(now);
        }
    }

    fn list(&self) -> Vec<&Transaction> {
        let mut rows: Vec<&LedgerRow> = self.ledger.iter().collect();
        let at = |row: &LedgerRow| if self.readings.sorts_by_change { Some(row.changed) } else { row.row.created_at };
        rows.sort_by_key(|row| std::cmp::Reverse(at(row)));
        rows.into_iter().map(|row| &row.row).collect()
    }

    /// A page of the list, after some time; `None` where the read fails.
    fn fetch(&mut self, page: u64) -> Option<Page<Transaction>> {
        let pause = self.dice.up_to(3 * SECOND);
        self.pass(pause);
        if self.now < self.quiet_from && self.dice.is_one_in(12) {
            return None;
        }
        let list = self.list();
        let length = self.readings.page_length;
        let total = list.len().div_ceil(length).max(1) as u64;
        let items = list.into_iter().skip(usize::try_from(page - 1).unwrap() * length).take(length).cloned().collect();
        let total_page = self.readings.states_total.then_some(total);
        Some(Page { items, unreadable: 0, page_no: None, page_limit: None, total_page })
    }

    fn stamp(&self) -> EventStamp {
        EventStamp { at: self.now, ..order_stamp(0) }
    }

    fn record(&mut self, event: OrderEvent) {
        self.trail.push(format!("{}: {event:?}", self.now));
        assert_eq!(self.order.check_event(&event, self.now), Ok(()), "{}", self.trail());
        self.order.apply(self.stamp(), event);
    }

    fn trail(&self) -> String {
        format!("{:?}\n{}", self.readings, self.trail.join("\n"))
    }

    fn send(&mut self, reason: SendReason) {
        let attempt = u32::try_from(self.order.attempts.len()).unwrap() + 1;
        let gives_up_at = self.now.plus(SEND_TIMEOUT);
        self.record(OrderEvent::Sending { attempt, reason, gives_up_at });
        let executed_after = |simulation: &mut Self, longest: Duration| {
            let at = simulation.now.plus(simulation.dice.up_to(longest));
            simulation.copies.push(at);
        };
        let outcome = match self.dice.below(8) {
            0 => Outcome::NotSent,
            1 | 2 => {
                let now = self.now;
                self.execute(now);
                Outcome::Accepted
            }
            3 => Outcome::Declined,
            4 => {
                let wait = self.dice.is_one_in(2).then_some(10 * SECOND);
                if self.dice.is_one_in(4) {
                    executed_after(self, 2 * MINUTE);
                }
                Outcome::ProbablyRefused { wait }
            }
            _ => {
                if self.dice.is_one_in(2) {
                    executed_after(self, 3 * MINUTE);
                }
                let pause = SEND_TIMEOUT;
                self.pass(pause);
                Outcome::Unknown
            }
        };
        let created = (outcome == Outcome::Accepted).then(|| {
            CreatedObject::Transaction(ObservedTransaction::from_transaction(&self.own().last().unwrap().row))
        });
        // Some answers never come.
        if outcome == Outcome::Unknown && self.dice.is_one_in(2) {
            return;
        }
        let (raw, differences, cost_alarms) = (None, Vec::new(), Vec::new());
        let answer =
            AttemptResult { outcome, status: None, message: "".into(), raw, created, differences, cost_alarms };
        self.record(OrderEvent::Answered { attempt, answer: Box::new(answer) });
        if let Some(end) = order_end_from_answer(&self.order, &self.final_statuses, self.now) {
            self.close(end, self.now);
        }
    }

    /// By what was read since `began`: what changed meanwhile need not be known.
    fn close(&mut self, end: OrderEnd, began: Timestamp) {
        let verdicts = self.verdicts();
        match end {
            OrderEnd::Settled => assert!(verdicts.contains(&Verdict::Settled), "not paid\n{}", self.trail()),
            OrderEnd::Failed => {
                let stands = |own: &LedgerRow| own.changed <= began && self.verdict(own) != Verdict::Failed;
                let is_paid = self.own().any(|own| self.is_marked(own) && stands(own));
                assert!(!verdicts.is_empty() && !is_paid, "not failed\n{}", self.trail());
            }
            OrderEnd::PartlySettled | OrderEnd::Abandoned(_) | OrderEnd::WrittenOff(_) => unreachable!("{end:?}"),
        }
        self.record(OrderEvent::Ended(end));
    }

    /// A lookup, as the runtime performs one.
    fn look_up(&mut self) {
        let began = self.now;
        let mut history = OutgoingHistory::new(self.final_statuses.clone());
        let mut is_interrupted = false;
        while let Some(page) = history.next_page().filter(|page| *page <= MAX_LOOKUP_PAGES) {
            let Some(page) = self.fetch(page) else {
                is_interrupted = true;
                break;
            };
            history.add_page(page);
            if history.needs_no_further_page_for(&self.order) {
                break;
            }
        }
        let mut lookup = Lookup {
            is_consistent: history.is_consistent_and_newest_first(),
            history,
            final_statuses: self.final_statuses.clone(),
            reading_key_mark: self.order.drafted.destination.key_mark.clone(),
            began,
            is_partial: false,
            is_timed: true,
            is_interrupted,
            shows_instant_swaps: false,
        };
        if lookup.is_consistent && lookup.history.needs_second_read() && lookup.would_claim(&self.order) {
            let mut second = lookup.history.start_second_read();
            while let Some(page) = second.next_page() {
                let Some(page) = self.fetch(page) else {
                    is_interrupted = true;
                    break;
                };
                second.compare_page(page);
            }
            let is_confirmed = !is_interrupted && second.confirms_first();
            lookup.is_interrupted = is_interrupted;
            lookup.is_consistent = is_confirmed && lookup.history.is_consistent_and_newest_first();
        }
        let sought = [self.order.clone()];
        let mut matches = OrderMatches::new(&sought, &lookup.reading_key_mark);
        let evidence = matches
            .claim_row(&lookup.history, &sought[0], None)
            .map(|(row, differences)| evidence_in_row(row, &sought[0], differences, None, &IncomingRows::default()));
        let nothing = || HistoryLookup {
            similar_transaction: matches.find_similar_transaction(&lookup.history, &sought[0]),
            ..HistoryLookup::default()
        };
        let (look, end) = lookup.conclude(&sought[0], evidence.unwrap_or_else(nothing), &V1Lookup::NotRequested);
        self.record_lookup(look, end, began);
        if !is_interrupted {
            self.last_read_began = Some(began);
        }
    }

    fn record_lookup(&mut self, look: HistoryLookup, end: Option<OrderEnd>, began: Timestamp) {
        if is_worth_recording(&self.order, &look, end.as_ref(), &self.final_statuses, self.now) {
            self.record(OrderEvent::LookedUp(look));
        }
        if let Some(end) = end {
            self.close(end, began);
        }
    }

    /// Rows of another read.
    fn compare_page(&mut self, page: u64) {
        let began = self.now;
        let Some(page) = self.fetch(page) else { return };
        if self.order.attempts.is_empty() {
            return;
        }
        let mut history = OutgoingHistory::new(self.final_statuses.clone());
        history.add_rows(page.items);
        let is_open = needs_lookup(&self.order, self.now);
        let mark = self.order.drafted.destination.key_mark.clone();
        let Some(mut look) = evidence_in_rows(&history, &self.order, None, &mark, &self.final_statuses, !is_open)
        else {
            return;
        };
        if is_open {
            let end = order_end_from_lookup(&self.final_statuses, &self.order, &look, false, false, self.now);
            self.record_lookup(look, end, began);
            return;
        }
        look.contradiction = self.order.contradiction(&look, &self.final_statuses, self.now);
        if look.contradiction.is_some() && self.order.end.is_some() {
            self.record(OrderEvent::Reopened(look));
        } else if look.contradiction.is_some() {
            self.record_lookup(look, None, began);
        }
    }

    fn resend(&mut self) {
        let is_due = automatic_resend_at(&self.order, None, self.now).is_some_and(|at| at <= self.now);
        if !is_due || !was_history_read_since_send(&self.order, self.last_read_began) {
            return;
        }
        let began = self.last_read_began.unwrap();
        let was_shown = self.own().any(|own| self.is_marked(own) && own.row.created_at <= Some(began));
        assert!(!was_shown, "sent again what a read has shown\n{}", self.trail());
        self.send(SendReason::Retry);
    }

    fn run(&mut self) {
        self.send(SendReason::Confirmed);
        let mut was_refused = false;
        while self.now < self.quiet_from.plus(Duration::from_hours(1)) {
            let pause = if self.now < self.quiet_from { self.dice.up_to(MINUTE) } else { 4 * MINUTE };
            self.pass(pause);
            self.resend();
            let before = self.now;
            if needs_lookup(&self.order, self.now) {
                self.look_up();
            }
            let is_refused = self.order.state(self.now) == OrderState::Refused;
            if is_refused && !was_refused {
                let was_there = self.own().any(|own| self.is_marked(own) && own.row.created_at <= Some(before));
                assert!(!was_there, "closed as refused\n{}", self.trail());
            }
            was_refused = is_refused;
            let page = if self.dice.is_one_in(2) { 1 } else { 1 + self.dice.below(8) };
            self.compare_page(page.into());
        }
        // At last everything is read once.
        for page in 1..=self.ledger.len().div_ceil(self.readings.page_length) {
            self.compare_page(page as u64);
        }
        self.judge();
    }

    /// What the order says at last against what the ledger says.
    fn judge(&self) {
        let state = self.order.state(self.now);
        let verdicts = self.verdicts();
        let settled_count = verdicts.iter().filter(|own| **own == Verdict::Settled).count();
        let has_alarm = !self.order.differences().is_empty();
        // No failure is proven by a history that a lookup does not read to its end.
        let is_readable = self.ledger.len().div_ceil(self.readings.page_length) as u64 <= MAX_LOOKUP_PAGES;
        let is_sound = match (settled_count, verdicts.len()) {
            // What nothing names may be there or not.
            (0, 0) => matches!(
                state,
                OrderState::NotSent | OrderState::Unknown | OrderState::ProbablyRefused | OrderState::Refused
            ),
            (0, _) => state == OrderState::Failed || (state == OrderState::Accepted && (has_alarm || !is_readable)),
            (1, _) => state == OrderState::Settled || (state == OrderState::Accepted && has_alarm),
            // Two rows with one reference may be two payments of one invoice.
            (2.., _) => matches!(state, OrderState::Settled | OrderState::Accepted),
        };
        assert!(is_sound, "{state:?}, paid {settled_count} of {}\n{}", verdicts.len(), self.trail());
    }
}

/// Simulates so many seeds, and proves that they came to every end.
fn simulate(count: u64) {
    let count = std::env::var("BURSAR_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(count);
    let processors = std::thread::available_parallelism().map_or(1, |number| number.get() as u64);
    let simulate_share = |first: u64| -> HashSet<String> {
        let mut ends = HashSet::new();
        for seed in (first..count).step_by(usize::try_from(processors).unwrap()) {
            let mut simulation = Simulation::new(seed);
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| simulation.run()));
            assert!(outcome.is_ok(), "seed {seed}");
            let Simulation { order, now, trail, .. } = simulation;
            ends.insert(format!("{:?}", order.state(now)));
            ends.extend((order.attempts.len() > 1).then(|| "sent again".to_owned()));
            ends.extend(trail.iter().any(|step| step.contains("Reopened(")).then(|| "reopened".to_owned()));
            ends.extend((!order.differences().is_empty()).then(|| "alarm".to_owned()));
        }
        ends
    };
    let ends: HashSet<String> = std::thread::scope(|scope| {
        let shares: Vec<_> = (0..processors).map(|first| scope.spawn(move || simulate_share(first))).collect();
        shares.into_iter().flat_map(|share| share.join().unwrap()).collect()
    });
    for end in ["Settled", "Failed", "Refused", "Unknown", "Accepted", "NotSent", "sent again", "reopened", "alarm"] {
        assert!(ends.contains(end), "none came to {end}");
    }
}

#[test]
fn an_order_says_what_became_of_its_payment_whatever_the_service_does() {
    simulate(400);
}

#[test]
#[ignore = "campaign: 50,000 seeds"]
fn an_order_says_what_became_of_its_payment_for_many_seeds() {
    simulate(50_000);
}
