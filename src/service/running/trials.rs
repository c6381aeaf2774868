//! What tests and the demo do to a running service: make it go wrong, listen in, and look behind its answers.

use uuid::Uuid;

use super::Running;
use crate::service::activity::{self, Props};
use crate::service::chain::Failures;
use crate::service::http::{Fault, Rule, Tap};
use crate::service::ledger::{Refusal, Sought, render};

impl Running {
    /// Makes every request from now on go wrong in one way, until told otherwise; [`Fault::None`] ends it.
    pub async fn fault(&self, fault: Fault) {
        self.fault_on("", fault).await;
    }

    /// The same for the requests whose path starts so; [`Fault::Down`] knows no paths and takes all of them.
    pub async fn fault_on(&self, paths: &str, fault: Fault) {
        // That nothing goes wrong is a rule only between others.
        let rules = if fault == Fault::None { Vec::new() } else { vec![fault.on(paths.to_owned())] };
        self.faults(rules).await;
    }

    /// The same for the first so many of the requests whose path starts so and that change something.
    pub async fn fault_times(&self, paths: &str, fault: Fault, times: u64) {
        self.faults(vec![fault.on(paths.to_owned()).changes().times(times)]).await;
    }

    /// Sets rules in place of those that were set: a request meets the first that means it and is not used up. None at
    /// all, and nothing goes wrong any more.
    pub async fn faults(&self, rules: Vec<Rule>) {
        let down = rules.iter().any(|rule| rule.fault() == Fault::Down);
        self.faults.set(rules);
        if down {
            let cut = self.door.shut().await;
            self.faults.count(u64::try_from(cut).unwrap_or(u64::MAX).saturating_add(1));
        } else {
            self.door.reopen().await;
        }
    }

    /// Says which transactions fail on their chains from now on, those under way included: a journey that is about
    /// something else must not end now and then because one did.
    pub fn chains_let_fail(&self, failures: Failures) {
        self.ledger().let_fail(failures);
    }

    /// What the scene of the sample business needs beside it; `None` where it was made without one.
    pub fn props(&self) -> Result<Option<Props>, Refusal> {
        activity::props(self.ledger())
    }

    /// How often faults have fired since they were set: requests to which they made a difference; for [`Fault::Down`],
    /// its coming and every connection that it cut.
    pub fn fired(&self) -> u64 {
        self.faults.fired()
    }

    /// The same rule by rule, in the order in which they were set, those of [`Fault::Down`] left out.
    pub fn fired_each(&self) -> Vec<u64> {
        self.faults.fired_each()
    }

    /// Listens in on the requests from now on, or from when this was first asked for.
    pub fn tap(&self) -> Tap {
        self.tap.open()
    }

    /// The outgoing transactions that the ledger has under an idempotency key, the newest first: none, if nothing was
    /// executed, and one at most, if the service keeps its word. It looks through the whole history.
    pub fn paid_under(&self, key: Uuid) -> Result<Vec<render::Transaction>, Refusal> {
        self.ledger().outgoing_by(self.tenant, Sought::Key(key), self.desk.clock.now())
    }

    /// The outgoing transactions that the ledger has under the business's own reference, the newest first.
    pub fn paid_as(&self, ref_id: &str) -> Result<Vec<render::Transaction>, Refusal> {
        self.ledger().outgoing_by(self.tenant, Sought::Reference(ref_id), self.desk.clock.now())
    }
}
