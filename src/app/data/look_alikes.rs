//! Rows whose counterparty resembles a known address without being it, by the guard's judgement of payees, so that a
//! row is marked before its address can be copied.
//!
//! The addresses of rows in memory are judged on a background thread, once when they arrive; known addresses are
//! collected again when they may have changed, at most once a minute.

mod compare;

use std::collections::HashMap;
use std::time::Duration;

use crate::app::request_id::RequestId;
use crate::domain::history::HistoryRow;
use crate::domain::poison::PoisonFilter;
use crate::domain::{AddressBook, FinalStatuses, Policy, Text, Timestamp};
use crate::guard::{GuardFacts, LookAlikeMatch, OwnAddress, Payee};
pub use compare::accepted_payees;
pub(in crate::app) use compare::{build_look_alike_query, start_due};

/// The shortest pause before known addresses are collected again.
const COLLECTION_PAUSE: Duration = Duration::from_mins(1);

/// Addresses of rows, and what to compare them with besides the data of the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookAlikeQuery {
    pub addresses: Vec<Text>,
    /// How often known addresses were collected: an older collection does not suffice.
    pub generation: u64,
    /// The statuses that are final at this service.
    pub final_statuses: FinalStatuses,
    pub book: AddressBook,
    /// Cooling-off period of entries in the address book.
    pub cooling: Option<Duration>,
    pub payees: Vec<Text>,
}

impl LookAlikeQuery {
    /// The guard's facts for the comparison, with own addresses and those that the history shows as paid.
    pub fn to_guard_facts(&self, own: Vec<OwnAddress>, paid_by_history: Vec<Text>) -> GuardFacts {
        GuardFacts {
            own_addresses: own,
            paid_by_history,
            payees: self.payees.iter().cloned().map(Payee::at).collect(),
            book: self.book.clone(),
            policy: Policy { cooling: self.cooling, ..Policy::default() },
            ..GuardFacts::default()
        }
    }
}

/// The judgement of each counterparty's address.
#[derive(Debug, Clone, Default)]
pub struct LookAlikes {
    request_id: RequestId,
    in_flight: bool,
    /// How often known addresses were collected, and when last; `None` after a change that counts at once.
    generation: u64,
    as_of: Option<Timestamp>,
    /// Whether known addresses may have changed since.
    are_known_addresses_outdated: bool,
    has_new_rows: bool,
    matches: HashMap<Text, Option<LookAlikeMatch>>,
}

impl LookAlikes {
    pub fn match_of_row(&self, row: &HistoryRow) -> Option<&LookAlikeMatch> {
        self.match_of_address(row.transaction.counterparty()?)
    }

    pub fn match_of_address(&self, address: &Text) -> Option<&LookAlikeMatch> {
        self.matches.get(address)?.as_ref()
    }

    /// What a list leaves out, by the judgements so far.
    pub fn poison_filter(&self) -> PoisonFilter {
        PoisonFilter::new(self.resembling_addresses())
    }

    /// The addresses that resemble a known one.
    pub(in crate::app) fn resembling_addresses(&self) -> impl Iterator<Item = &Text> {
        self.matches.iter().filter(|(_, look_alike)| look_alike.is_some()).map(|(address, _)| address)
    }

    /// How often known addresses were collected.
    pub(in crate::app) fn generation(&self) -> u64 {
        self.generation
    }

    pub(in crate::app) fn note_new_rows(&mut self) {
        self.has_new_rows = true;
    }

    pub(in crate::app) fn mark_known_addresses_outdated(&mut self) {
        self.are_known_addresses_outdated = true;
    }

    /// Known addresses have changed, and the change counts at once, also for what else compares with them.
    pub(in crate::app) fn invalidate_known_addresses(&mut self) {
        self.as_of = None;
        self.generation = self.generation.wrapping_add(1);
    }

    /// When known addresses are to be collected again.
    pub(in crate::app) fn next_due(&self) -> Option<Timestamp> {
        let as_of = self.as_of.filter(|_| self.are_known_addresses_outdated && !self.in_flight)?;
        Some(as_of.plus(COLLECTION_PAUSE))
    }

    /// Takes in judgements; `None` if the query failed.
    pub(in crate::app) fn apply_result(
        &mut self,
        request_id: RequestId,
        matches: Option<Vec<(Text, Option<LookAlikeMatch>)>>,
    ) {
        if request_id != self.request_id {
            return;
        }
        self.in_flight = false;
        match matches {
            Some(matches) => self.matches = matches.into_iter().collect(),
            None => self.are_known_addresses_outdated = true,
        }
    }

    /// The same with stand-ins.
    pub(in crate::app) fn to_masked(&self, stand_in: impl Fn(&Text) -> Text) -> Self {
        let masked_match = |look_alike: &LookAlikeMatch| LookAlikeMatch {
            address: stand_in(&look_alike.address),
            reason: "known".to_owned(),
        };
        let masked_matches =
            self.matches.iter().map(|(address, look_alike)| (stand_in(address), look_alike.as_ref().map(masked_match)));
        Self { matches: masked_matches.collect(), ..Self::default() }
    }
}

#[cfg(test)]
mod tests;
