//! Judges addresses of rows for look-alikes, as recipients are judged.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use super::guard_facts::{read_paid_addresses, visit_own_addresses};
use crate::app::data::look_alikes::LookAlikeQuery;
use crate::domain::{Text, Timestamp};
use crate::guard::{GuardFacts, KnownEnds, LookAlikeMatch, OwnAddress, find_look_alike};
use crate::store::{Store, StoreError};

/// The ends of all known addresses. Only the ends, for there may be tens of thousands of addresses.
#[derive(Debug, Default)]
pub(super) struct LookAlikeIndex(Mutex<Option<CachedKnownEnds>>);

#[derive(Debug)]
struct CachedKnownEnds {
    generation: u64,
    known_ends: KnownEnds,
    /// Addresses whose ends are like those of no known address.
    dissimilar_addresses: HashSet<Text>,
    /// Addresses that were compared in full, not only by their ends.
    compared_in_full: HashMap<Text, Option<LookAlikeMatch>>,
}

impl LookAlikeIndex {
    /// Judges each of the addresses compared.
    pub(super) fn find_look_alikes(
        &self,
        store: &Store,
        compared: &LookAlikeQuery,
        now: Timestamp,
    ) -> Result<Vec<(Text, Option<LookAlikeMatch>)>, StoreError> {
        let matches = self.find_matches(store, compared, compared.addresses.iter(), now)?;
        Ok(compared.addresses.iter().map(|address| (address.clone(), matches.get(address).cloned())).collect())
    }

    /// Those of the addresses that resemble a known one. The ends of known addresses are gathered again if the
    /// generation has changed. A suspect is compared in full with contacts, payees and paid addresses, and with own
    /// addresses that have the ends of a suspect.
    pub(super) fn find_matches<'a>(
        &self,
        store: &Store,
        compared: &LookAlikeQuery,
        addresses: impl Iterator<Item = &'a Text> + Clone,
        now: Timestamp,
    ) -> Result<HashMap<&'a Text, LookAlikeMatch>, StoreError> {
        let mut gathered = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut paid_addresses = None;
        let ends = if let Some(ends) = gathered.take().filter(|ends| ends.generation == compared.generation) {
            gathered.insert(ends)
        } else {
            let paid = paid_addresses.insert(read_paid_addresses(store, &compared.final_statuses)?);
            gathered.insert(CachedKnownEnds {
                generation: compared.generation,
                known_ends: read_known_ends(store, compared, paid.clone(), now)?,
                dissimilar_addresses: HashSet::new(),
                compared_in_full: HashMap::new(),
            })
        };
        let mut suspects = Vec::new();
        for address in addresses.clone() {
            if ends.dissimilar_addresses.contains(address) || ends.compared_in_full.contains_key(address) {
                continue;
            }
            if ends.known_ends.may_resemble(address) {
                suspects.push(address);
            } else {
                ends.dissimilar_addresses.insert(address.clone());
            }
        }
        if !suspects.is_empty() {
            let paid = paid_addresses.map_or_else(|| read_paid_addresses(store, &compared.final_statuses), Ok)?;
            let facts = compared.to_guard_facts(read_own_addresses_with_ends_of(store, &suspects)?, paid);
            for address in suspects {
                ends.compared_in_full.insert(address.clone(), find_look_alike(address, &facts, now));
            }
        }
        let with_match = |address: &'a Text| Some((address, ends.compared_in_full.get(address)?.clone()?));
        Ok(addresses.filter_map(with_match).collect())
    }
}

fn read_known_ends(
    store: &Store,
    compared: &LookAlikeQuery,
    paid: Vec<Text>,
    now: Timestamp,
) -> Result<KnownEnds, StoreError> {
    let mut parts = vec![KnownEnds::of(&compared.to_guard_facts(Vec::new(), paid), now)];
    visit_own_addresses(store, &mut |own| {
        parts.push(KnownEnds::of(&GuardFacts { own_addresses: own, ..GuardFacts::default() }, now));
    })?;
    Ok(parts.into_iter().collect())
}

/// The own addresses that begin and end like one of the suspects, or are one.
fn read_own_addresses_with_ends_of(store: &Store, suspects: &[&Text]) -> Result<Vec<OwnAddress>, StoreError> {
    let suspect_ends = KnownEnds::of_addresses(suspects.iter().copied());
    let mut with_ends = Vec::new();
    visit_own_addresses(store, &mut |own| {
        with_ends.extend(own.into_iter().filter(|own| suspect_ends.has_ends_of(&own.address)));
    })?;
    Ok(with_ends)
}
