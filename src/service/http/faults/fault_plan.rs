//! The rules that are set, what fired of them, and what they need to remember of the requests that passed.

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

/// The faults that are set, shared by everybody who serves requests.
#[derive(Debug, Clone)]
pub(in crate::service) struct Faults(Arc<SharedFaults>);

#[derive(Debug)]
struct SharedFaults {
    clock: ServiceClock,
    stop: CancellationToken,
    plan: RwLock<Arc<FaultPlan>>,
    /// What fired where no request is seen: at the port.
    elsewhere: AtomicU64,
}

/// The rules of one setting, with what became of them.
#[derive(Debug, Default)]
pub(super) struct FaultPlan {
    rules: Vec<ArmedRule>,
    memory: Mutex<FaultMemory>,
}

#[derive(Debug)]
struct ArmedRule {
    rule: FaultRule,
    until: Option<Timestamp>,
    /// How many requests it was meant for, fired or not.
    passed: AtomicU64,
    fired: AtomicU64,
}

/// What passed since the rules were set.
#[derive(Debug, Default)]
struct FaultMemory {
    /// Idempotency keys that changes were asked for under.
    keys: HashSet<String>,
    /// The recipients of batches that were asked for, by their keys.
    recipients: HashMap<String, Vec<Value>>,
    /// The answer that the last change of a path got.
    answers: HashMap<String, Bytes>,
}

/// A rule that a request has met, and that counts it.
pub(super) struct MatchedRule<'a> {
    pub(super) fault: Fault,
    /// How often the rule fired before.
    pub(super) before: u64,
    armed: &'a ArmedRule,
}

impl Faults {
    /// No fault yet. Requests that hang are let go of when the service stops.
    pub(in crate::service) fn new(clock: ServiceClock, stop: CancellationToken) -> Self {
        Self(Arc::new(SharedFaults { clock, stop, plan: RwLock::default(), elsewhere: AtomicU64::new(0) }))
    }

    /// Sets rules in place of those that were set; counts begin anew, and nothing is remembered.
    pub(in crate::service) fn set(&self, rules: Vec<FaultRule>) {
        let now = self.0.clock.now();
        let armed = rules.into_iter().filter(|rule| rule.fault != Fault::Down).map(|rule| ArmedRule {
            until: rule.lasting.map(|time| now.plus(time)),
            passed: AtomicU64::new(0),
            fired: AtomicU64::new(0),
            rule,
        });
        let plan = FaultPlan { rules: armed.collect(), memory: Mutex::default() };
        *self.0.plan.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(plan);
        self.0.elsewhere.store(0, Ordering::SeqCst);
    }

    /// How often faults have fired since they were set.
    pub(in crate::service) fn fired(&self) -> u64 {
        let rules: u64 = self.plan().rules.iter().map(|armed| armed.fired.load(Ordering::SeqCst)).sum();
        rules + self.0.elsewhere.load(Ordering::SeqCst)
    }

    /// The same rule by rule, in the order in which they were set.
    pub(in crate::service) fn fired_each(&self) -> Vec<u64> {
        self.plan().rules.iter().map(|armed| armed.fired.load(Ordering::SeqCst)).collect()
    }

    /// Counts what fired elsewhere.
    pub(in crate::service) fn count(&self, times: u64) {
        self.0.elsewhere.fetch_add(times, Ordering::SeqCst);
    }

    /// The rules of the present setting; a request keeps to those that it met.
    pub(super) fn plan(&self) -> Arc<FaultPlan> {
        Arc::clone(&self.0.plan.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn now(&self) -> Timestamp {
        self.0.clock.now()
    }

    /// Returns when the service stops.
    pub(super) async fn stopped(&self) {
        self.0.stop.cancelled().await;
    }
}

impl FaultPlan {
    /// Whether nothing is set, so that requests need not be looked at.
    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The first rule that means a request and is not used up. It counts the request at once, so that of two requests
    /// that come together only one meets a rule's last time.
    pub(super) fn match_rule(
        &self,
        path: &str,
        query: &str,
        is_change: bool,
        now: Timestamp,
    ) -> Option<MatchedRule<'_>> {
        self.rules.iter().filter(|armed| armed.rule.means(path, query, is_change)).find_map(|armed| {
            if armed.until.is_some_and(|until| now >= until) {
                return None;
            }
            let passed = armed.passed.fetch_add(1, Ordering::SeqCst);
            if !passed.wrapping_add(1).is_multiple_of(armed.rule.one_in) {
                return None;
            }
            let most = armed.rule.times.unwrap_or(u64::MAX);
            let count = |fired: u64| (fired < most).then_some(fired + 1);
            let before = armed.fired.fetch_update(Ordering::SeqCst, Ordering::SeqCst, count).ok()?;
            Some(MatchedRule { fault: armed.rule.fault, before, armed })
        })
    }

    /// Remembers under which key a change is asked for.
    pub(super) fn note_key(&self, body: &[u8]) {
        let Some(body) = serde_json::from_slice::<Value>(body).ok() else { return };
        let Some(key) = key_of(&body) else { return };
        let mut memory = self.memory();
        if let Some(to) = body.get("to").and_then(Value::as_array) {
            memory.recipients.insert(key.clone(), to.clone());
        }
        memory.keys.insert(key);
    }

    /// Whom the batch of a row pays; nobody, where it is none that was asked for since the rules were set.
    pub(super) fn recipients(&self, row: &Value) -> Vec<Value> {
        key_of(row).and_then(|key| self.memory().recipients.get(&key).cloned()).unwrap_or_default()
    }

    /// Remembers what a change was answered, and gives what the one before it was.
    pub(super) fn note_answer(&self, path: &str, answer: Bytes) {
        self.memory().answers.insert(path.to_owned(), answer);
    }

    /// What the last change of a path was answered.
    pub(super) fn previous_answer(&self, path: &str) -> Option<Bytes> {
        self.memory().answers.get(path).cloned()
    }

    /// Whether a row is one that was asked for since the rules were set.
    pub(super) fn is_noted_row(&self, row: &Value) -> bool {
        key_of(row).is_some_and(|key| self.memory().keys.contains(&key))
    }

    fn memory(&self) -> std::sync::MutexGuard<'_, FaultMemory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MatchedRule<'_> {
    /// Takes the count back: there was nothing to go wrong.
    pub(super) fn undo_count(self) {
        self.armed.fired.fetch_sub(1, Ordering::SeqCst);
    }
}

/// What a request and its row are known by: the idempotency key, compared without case; where there is none, the
/// reference, which version 1 calls `clientTxId`, or `extId` of a swap.
fn key_of(body: &Value) -> Option<String> {
    let names = ["idempotencyKey", "clientTxId", "extId", "refId"];
    let named = names.into_iter().find_map(|name| body.get(name)?.as_str());
    named.map(str::to_ascii_lowercase)
}
