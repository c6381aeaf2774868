//! The active fault rules, their counts, and what they remember of requests.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use axum::body::Bytes;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::fault::Fault;
use super::rule::FaultRule;
use crate::domain::Timestamp;
use crate::service::clock::ServiceClock;

/// The active faults, shared by all request handlers.
#[derive(Debug, Clone)]
pub(in crate::service) struct Faults(Arc<SharedFaults>);

#[derive(Debug)]
struct SharedFaults {
    clock: ServiceClock,
    stop: CancellationToken,
    plan: RwLock<Arc<FaultPlan>>,
    /// Faults that fired at the port, where there is no request.
    fired_at_port: AtomicU64,
}

/// The rules of one call of [`Faults::set_rules`], with their state.
#[derive(Debug, Default)]
pub(super) struct FaultPlan {
    rules: Vec<ArmedRule>,
    past_requests: Mutex<PastRequests>,
}

#[derive(Debug)]
struct ArmedRule {
    rule: FaultRule,
    ends_at: Option<Timestamp>,
    /// Requests that matched, fired or not.
    matched_count: AtomicU64,
    fired_count: AtomicU64,
}

/// Requests seen since the rules were set.
#[derive(Debug, Default)]
struct PastRequests {
    /// Idempotency keys of changes.
    keys: HashSet<String>,
    /// Recipients of batches, by idempotency key.
    recipients: HashMap<String, Vec<Value>>,
    /// Response to the last change, by path.
    answers: HashMap<String, Bytes>,
}

/// A rule that matched and has counted a request.
pub(super) struct MatchedRule<'a> {
    pub(super) fault: Fault,
    /// How often the rule had fired before.
    pub(super) fired_before: u64,
    armed: &'a ArmedRule,
}

impl Faults {
    /// Without faults. Requests that hang end at `stop`.
    pub(in crate::service) fn new(clock: ServiceClock, stop: CancellationToken) -> Self {
        Self(Arc::new(SharedFaults { clock, stop, plan: RwLock::default(), fired_at_port: AtomicU64::new(0) }))
    }

    /// Replaces the rules and resets counts and past requests.
    pub(in crate::service) fn set_rules(&self, rules: Vec<FaultRule>) {
        let now = self.0.clock.now();
        let armed = rules.into_iter().filter(|rule| rule.fault != Fault::Down).map(|rule| ArmedRule {
            ends_at: rule.lasting.map(|time| now.plus(time)),
            matched_count: AtomicU64::new(0),
            fired_count: AtomicU64::new(0),
            rule,
        });
        let plan = FaultPlan { rules: armed.collect(), past_requests: Mutex::default() };
        *self.0.plan.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(plan);
        self.0.fired_at_port.store(0, Ordering::SeqCst);
    }

    /// How often faults have fired since they were set.
    pub(in crate::service) fn fired_count(&self) -> u64 {
        let rules: u64 = self.plan().rules.iter().map(|armed| armed.fired_count.load(Ordering::SeqCst)).sum();
        rules + self.0.fired_at_port.load(Ordering::SeqCst)
    }

    /// The same per rule, in the order in which they were set.
    pub(in crate::service) fn fired_count_per_rule(&self) -> Vec<u64> {
        self.plan().rules.iter().map(|armed| armed.fired_count.load(Ordering::SeqCst)).collect()
    }

    /// Counts faults that fired at the port.
    pub(in crate::service) fn count_fired_at_port(&self, times: u64) {
        self.0.fired_at_port.fetch_add(times, Ordering::SeqCst);
    }

    /// The active rules; a request uses the same ones to its end.
    pub(super) fn plan(&self) -> Arc<FaultPlan> {
        Arc::clone(&self.0.plan.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn now(&self) -> Timestamp {
        self.0.clock.now()
    }

    pub(super) async fn wait_for_stop(&self) {
        self.0.stop.cancelled().await;
    }
}

impl FaultPlan {
    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The first matching rule that is not used up. It counts the request at once, so that of two concurrent requests
    /// only one gets a rule's last use.
    pub(super) fn match_rule(
        &self,
        path: &str,
        query: &str,
        is_change: bool,
        now: Timestamp,
    ) -> Option<MatchedRule<'_>> {
        self.rules.iter().filter(|armed| armed.rule.applies_to(path, query, is_change)).find_map(|armed| {
            if armed.ends_at.is_some_and(|until| now >= until) {
                return None;
            }
            let passed = armed.matched_count.fetch_add(1, Ordering::SeqCst);
            if !passed.wrapping_add(1).is_multiple_of(armed.rule.every_nth) {
                return None;
            }
            let most = armed.rule.times.unwrap_or(u64::MAX);
            let count = |fired: u64| (fired < most).then_some(fired + 1);
            let before = armed.fired_count.fetch_update(Ordering::SeqCst, Ordering::SeqCst, count).ok()?;
            Some(MatchedRule { fault: armed.rule.fault, fired_before: before, armed })
        })
    }

    /// Records a change's idempotency key, and the recipients of a batch.
    pub(super) fn record_key_and_recipients(&self, body: &[u8]) {
        let Some(body) = serde_json::from_slice::<Value>(body).ok() else { return };
        let Some(key) = request_key(&body) else { return };
        let mut past_requests = self.lock_past_requests();
        if let Some(to) = body.get("to").and_then(Value::as_array) {
            past_requests.recipients.insert(key.clone(), to.clone());
        }
        past_requests.keys.insert(key);
    }

    /// Recipients of a row's batch; empty unless it was requested since the rules were set.
    pub(super) fn batch_recipients(&self, row: &Value) -> Vec<Value> {
        request_key(row).and_then(|key| self.lock_past_requests().recipients.get(&key).cloned()).unwrap_or_default()
    }

    /// Records the response to a change.
    pub(super) fn record_answer(&self, path: &str, answer: Bytes) {
        self.lock_past_requests().answers.insert(path.to_owned(), answer);
    }

    /// The response to the last change of a path.
    pub(super) fn previous_answer(&self, path: &str) -> Option<Bytes> {
        self.lock_past_requests().answers.get(path).cloned()
    }

    /// Whether a row's payment was requested since the rules were set.
    pub(super) fn is_row_of_recorded_request(&self, row: &Value) -> bool {
        request_key(row).is_some_and(|key| self.lock_past_requests().keys.contains(&key))
    }

    fn lock_past_requests(&self) -> std::sync::MutexGuard<'_, PastRequests> {
        self.past_requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MatchedRule<'_> {
    /// Undoes the count: the fault had nothing to change.
    pub(super) fn undo_count(self) {
        self.armed.fired_count.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The key that a request and its row share: the idempotency key in lower case; without one, v1's `clientTxId` or
/// `extId`, or the reference.
fn request_key(body: &Value) -> Option<String> {
    let names = ["idempotencyKey", "clientTxId", "extId", "refId"];
    let key = names.into_iter().find_map(|name| body.get(name)?.as_str());
    key.map(str::to_ascii_lowercase)
}
