//! Fault injection for tests and the demo.

use super::RunningService;
use crate::service::http::{Fault, FaultRule};

impl RunningService {
    /// Applies one fault to every request until changed; [`Fault::None`] ends it.
    pub async fn set_fault(&self, fault: Fault) {
        self.set_fault_on("", fault).await;
    }

    /// Applies a fault to requests whose path starts with `paths`; [`Fault::Down`] ignores paths and affects all.
    pub async fn set_fault_on(&self, paths: &str, fault: Fault) {
        // `Fault::None` is a rule only among others.
        let rules = if fault == Fault::None { Vec::new() } else { vec![fault.on_paths(paths.to_owned())] };
        self.set_faults(rules).await;
    }

    /// Applies a fault to the first `times` changes whose path starts with `paths`.
    pub async fn set_fault_times(&self, paths: &str, fault: Fault, times: u64) {
        self.set_faults(vec![fault.on_paths(paths.to_owned()).only_changes().times(times)]).await;
    }

    /// Replaces the fault rules. A request gets the first matching rule that is not used up; an empty list ends all
    /// faults.
    pub async fn set_faults(&self, rules: Vec<FaultRule>) {
        let down = rules.iter().any(|rule| rule.fault() == Fault::Down);
        self.instance.faults.set_rules(rules);
        if down {
            let cut = self.listener.shut().await;
            self.instance.faults.count_fired_at_port(u64::try_from(cut).unwrap_or(u64::MAX).saturating_add(1));
        } else {
            self.listener.reopen().await;
        }
    }
}
