//! What tests and the demo do to a running service: make it go wrong.

use super::RunningService;
use crate::service::http::{Fault, FaultRule};

impl RunningService {
    /// Makes every request from now on go wrong in one way, until told otherwise; [`Fault::None`] ends it.
    pub async fn set_fault(&self, fault: Fault) {
        self.set_fault_on("", fault).await;
    }

    /// The same for the requests whose path starts so; [`Fault::Down`] knows no paths and takes all of them.
    pub async fn set_fault_on(&self, paths: &str, fault: Fault) {
        // That nothing goes wrong is a rule only between others.
        let rules = if fault == Fault::None { Vec::new() } else { vec![fault.on(paths.to_owned())] };
        self.set_faults(rules).await;
    }

    /// The same for the first so many of the requests whose path starts so and that change something.
    pub async fn set_fault_times(&self, paths: &str, fault: Fault, times: u64) {
        self.set_faults(vec![fault.on(paths.to_owned()).changes().times(times)]).await;
    }

    /// Sets rules in place of those that were set: a request meets the first that means it and is not used up. None at
    /// all, and nothing goes wrong any more.
    pub async fn set_faults(&self, rules: Vec<FaultRule>) {
        let down = rules.iter().any(|rule| rule.fault() == Fault::Down);
        self.premises.faults.set(rules);
        if down {
            let cut = self.door.shut().await;
            self.premises.faults.count(u64::try_from(cut).unwrap_or(u64::MAX).saturating_add(1));
        } else {
            self.door.reopen().await;
        }
    }
}
