//! Addresses of rows, judged as whoever is paid is.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::guard_facts::known_addresses;
use crate::app::look_alikes::Compared;
use crate::domain::{Text, Timestamp};
use crate::guard::{AddressEnds, LookAlikeMatch, find_look_alike};
use crate::store::{Store, StoreError};

/// What was gathered of known addresses: their ends alone, for there may be tens of thousands.
#[derive(Debug, Default)]
pub(super) struct Gathered(Mutex<Option<Ends>>);

#[derive(Debug)]
struct Ends {
    generation: u64,
    known: AddressEnds,
    /// Those that were judged by all that is known, and not by their ends alone.
    judged: HashMap<Text, Option<LookAlikeMatch>>,
}

impl Gathered {
    /// Judges addresses. All that is known is looked through where it was not gathered as often as is wanted, and for
    /// addresses whose ends are those of another.
    pub(super) fn judge(
        &self,
        store: &Store,
        compared: &Compared,
        now: Timestamp,
    ) -> Result<Vec<(Text, Option<LookAlikeMatch>)>, StoreError> {
        let mut gathered = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let gather = || known_addresses(store, &compared.final_words).map(|(own, paid)| compared.knowledge(own, paid));
        let mut known = None;
        let ends = if let Some(ends) = gathered.take().filter(|ends| ends.generation == compared.generation) {
            gathered.insert(ends)
        } else {
            let all = AddressEnds::of(known.insert(gather()?), now);
            gathered.insert(Ends { generation: compared.generation, known: all, judged: HashMap::new() })
        };
        let is_new = |address: &&Text| !ends.judged.contains_key(*address) && ends.known.may_resemble(address);
        let suspects: Vec<&Text> = compared.addresses.iter().filter(is_new).collect();
        if !suspects.is_empty() {
            let known = known.map_or_else(gather, Ok)?;
            for address in suspects {
                ends.judged.insert(address.clone(), find_look_alike(address, &known, now));
            }
        }
        let judged = |address: &Text| (address.clone(), ends.judged.get(address).cloned().flatten());
        Ok(compared.addresses.iter().map(judged).collect())
    }
}
