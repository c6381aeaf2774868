//! What was read from the journal.

use std::collections::HashMap;

use crate::app::data::proposals::Proposals;
use crate::app::overlays::policy::LimitCounts;
use crate::domain::order::ServiceAddresses;
use crate::domain::{Failure, Order, OrderId};

#[derive(Debug, Default)]
pub struct JournalData {
    pub proposals: Proposals,
    /// Orders of the journal: all open ones and the newest closed ones; unresolved ones first.
    pub orders: Vec<Order>,
    pub addresses: ServiceAddresses,
    /// Why the journal could not be read.
    pub orders_failure: Option<Failure>,
    /// How many alarms of each order the operator has seen.
    pub alarms_seen: HashMap<OrderId, usize>,
    /// What was paid towards the limits of the policy.
    pub limit_counts: LimitCounts,
}
