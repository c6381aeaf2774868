//! What was read from the journal, and what this desk did with it: proposals, alarms seen, limits counted.

use std::collections::HashMap;

use crate::app::data::proposals::Proposals;
use crate::app::overlays::record::policy::LimitCounts;
use crate::domain::order::{AddressRelations, PaidDues};
use crate::domain::{AddressBook, Failure, FinalStatuses, Order, OrderId, Policy, Text};

#[derive(Debug, Default)]
pub struct JournalData {
    pub proposals: Proposals,
    /// Orders of the journal: all open ones and the newest closed ones; unresolved ones first.
    pub orders: Vec<Order>,
    pub addresses: AddressRelations,
    /// The source of recipients offered by name.
    pub book: AddressBook,
    /// Who last entered each entry of the book: address, chain, and the person at a machine.
    pub last_editors: Vec<(Text, Text, Text)>,
    /// The due dates of templates that are paid, or may be.
    pub paid_dues: PaidDues,
    /// The profile's policy, which an entry's cooling-off period and the limits of payments come from.
    pub policy: Policy,
    /// The profile's final statuses: they decide which recipients of a batch received nothing.
    pub final_statuses: FinalStatuses,
    /// Why the journal could not be read.
    pub orders_failure: Option<Failure>,
    /// How many alarms of each order the operator has seen.
    pub alarms_seen: HashMap<OrderId, usize>,
    /// What was paid towards the limits of the policy.
    pub limit_counts: LimitCounts,
}
