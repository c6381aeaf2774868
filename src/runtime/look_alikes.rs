//! Judges addresses of rows for look-alikes, as recipients are judged.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use super::guard_facts::{read_paid_addresses, visit_own_addresses};
use crate::app::data::look_alikes::LookAlikeQuery;
use crate::domain::{Text, Timestamp};
use crate::guard::{GuardFacts, KnownEnds, LookAlikeMatch, OwnAddress, find_look_alike};
use crate::store::{DirectoryList, Store, StoreError};

/// More addresses that resemble no known one are not kept for the next generation.
const MAX_KEPT_ADDRESSES: usize = 20_000;

/// The ends of all known addresses. Only the ends, for there may be tens of thousands of addresses.
#[derive(Debug, Default)]
pub(super) struct LookAlikeIndex(Mutex<LookAlikeCaches>);

#[derive(Debug, Default)]
struct LookAlikeCaches {
    own: Option<CachedOwnEnds>,
    known: Option<CachedKnownEnds>,
}

/// The own addresses by their ends, read again where a wallet has changed.
#[derive(Debug)]
struct CachedOwnEnds {
    wallets_version: u64,
    ends: KnownEnds,
    suspects: HashSet<Text>,
    /// The own addresses that begin and end like one of the suspects, or are one.
    with_ends_of_suspects: Vec<OwnAddress>,
}

#[derive(Debug)]
struct CachedKnownEnds {
    generation: u64,
    wallets_version: u64,
    /// Of contacts, payees and paid addresses.
    ends: KnownEnds,
    paid_addresses: Vec<Text>,
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
    /// generation has changed, those of own addresses if a wallet has changed as well. A suspect is compared in
    /// full with contacts, payees and paid addresses, and with own addresses that have the ends of a suspect.
    pub(super) fn find_matches<'a>(
        &self,
        store: &Store,
        compared: &LookAlikeQuery,
        addresses: impl Iterator<Item = &'a Text> + Clone,
        now: Timestamp,
    ) -> Result<HashMap<&'a Text, LookAlikeMatch>, StoreError> {
        let mut caches = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let LookAlikeCaches { own, known } = &mut *caches;
        let known = match known.take() {
            Some(current) if current.generation == compared.generation => known.insert(current),
            former => known.insert(CachedKnownEnds::read(store, compared, now, former)?),
        };
        let own = match own.take().filter(|own| own.wallets_version == known.wallets_version) {
            Some(current) => own.insert(current),
            None => own.insert(CachedOwnEnds::read(store, known.wallets_version, now)?),
        };
        let mut suspects = Vec::new();
        for address in addresses.clone() {
            if known.dissimilar_addresses.contains(address) || known.compared_in_full.contains_key(address) {
                continue;
            }
            if known.ends.may_resemble(address) || own.ends.may_resemble(address) {
                suspects.push(address);
            } else {
                known.dissimilar_addresses.insert(address.clone());
            }
        }
        if !suspects.is_empty() {
            let all_suspects = known.compared_in_full.keys().chain(suspects.iter().copied()).cloned().collect();
            let own = own.with_ends_of(store, all_suspects)?.to_vec();
            let facts = compared.to_guard_facts(own, known.paid_addresses.clone());
            for address in suspects {
                known.compared_in_full.insert(address.clone(), find_look_alike(address, &facts, now));
            }
        }
        let with_match = |address: &'a Text| Some((address, known.compared_in_full.get(address)?.clone()?));
        Ok(addresses.filter_map(with_match).collect())
    }
}

impl CachedKnownEnds {
    /// `former` are those of the generation before.
    fn read(
        store: &Store,
        compared: &LookAlikeQuery,
        now: Timestamp,
        former: Option<Self>,
    ) -> Result<Self, StoreError> {
        // Read before the addresses: what is written meanwhile is read in the next generation.
        let wallets_version = store.directory_versions().of(DirectoryList::Wallets);
        let paid_addresses = read_paid_addresses(store, &compared.final_statuses)?;
        let ends = KnownEnds::of(&compared.to_guard_facts(Vec::new(), paid_addresses.clone()), now);
        // What resembles none of the same addresses need not be compared again.
        let dissimilar_addresses = former
            .filter(|former| former.wallets_version == wallets_version && former.ends == ends)
            .map(|former| former.dissimilar_addresses)
            .filter(|dissimilar| dissimilar.len() <= MAX_KEPT_ADDRESSES)
            .unwrap_or_default();
        Ok(Self {
            generation: compared.generation,
            wallets_version,
            ends,
            paid_addresses,
            dissimilar_addresses,
            compared_in_full: HashMap::new(),
        })
    }
}

impl CachedOwnEnds {
    fn read(store: &Store, wallets_version: u64, now: Timestamp) -> Result<Self, StoreError> {
        let mut parts = Vec::new();
        visit_own_addresses(store, &mut |own| {
            parts.push(KnownEnds::of(&GuardFacts { own_addresses: own, ..GuardFacts::default() }, now));
        })?;
        let ends = parts.into_iter().collect();
        Ok(Self { wallets_version, ends, suspects: HashSet::new(), with_ends_of_suspects: Vec::new() })
    }

    /// The own addresses that begin and end like one of the suspects, or are one; also those of earlier suspects.
    fn with_ends_of(&mut self, store: &Store, suspects: HashSet<Text>) -> Result<&[OwnAddress], StoreError> {
        if !suspects.is_subset(&self.suspects) {
            let suspect_ends = KnownEnds::of_addresses(&suspects);
            let mut with_ends = Vec::new();
            visit_own_addresses(store, &mut |own| {
                with_ends.extend(own.into_iter().filter(|own| suspect_ends.has_ends_of(&own.address)));
            })?;
            (self.suspects, self.with_ends_of_suspects) = (suspects, with_ends);
        }
        Ok(&self.with_ends_of_suspects)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::entry_source::EntrySource;
    use crate::domain::{AddressBook, FinalStatuses, Wallet, WalletId};
    use crate::store::CacheLocation;

    const OWN: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    const FORGED: &str = "0x5aaeb00000000000000000000000000000001aed";
    const STRANGER: &str = "0x1111111111111111111111111111111111111111";

    fn wallet(address: &str, name: &str) -> Wallet {
        Wallet {
            address: Some(address.into()),
            name: Some(name.into()),
            ..Wallet::new(WalletId::from_text(address), "ethereum".into())
        }
    }

    #[test]
    fn addresses_are_compared_with_the_wallets_that_there_are_when_a_generation_begins() {
        let store = Store::open(&CacheLocation::Temporary).unwrap().store;
        let index = LookAlikeIndex::default();
        let matches_with_payees = |generation, payees: Vec<Text>| {
            let compared = LookAlikeQuery {
                addresses: vec![FORGED.into(), STRANGER.into()],
                generation,
                final_statuses: FinalStatuses::default(),
                book: AddressBook::default(),
                cooling: None,
                payees,
            };
            let judged = index.find_look_alikes(&store, &compared, Timestamp::from_millis(0)).unwrap();
            let reason = |address: &str| {
                let (_, judgement) = judged.iter().find(|(judged, _)| **judged == *address).unwrap();
                judgement.as_ref().map(|other| other.reason.clone())
            };
            [reason(FORGED), reason(STRANGER)]
        };
        let matches = |generation| matches_with_payees(generation, Vec::new());
        let your_wallet = |name: &str| Some(format!("your wallet “{name}”"));
        assert_eq!(matches(1), [None, None]);
        store.save_wallets(&[wallet(OWN, "Till")], EntrySource::Listed).unwrap();
        assert_eq!(matches(1), [None, None], "the generation is the same");
        assert_eq!(matches(2), [your_wallet("Till"), None]);
        assert_eq!(matches(3), [your_wallet("Till"), None], "no wallet has changed");
        store.save_wallets(&[wallet(OWN, "Vault")], EntrySource::Listed).unwrap();
        assert_eq!(matches(4), [your_wallet("Vault"), None]);
        store.save_wallets(&[wallet(FORGED, "Mine after all")], EntrySource::Listed).unwrap();
        assert_eq!(matches(5), [None, None], "it is an own wallet");
        let like_stranger = "0x1111122222222222222222222222222222221111";
        let [_, resembled] = matches_with_payees(6, vec![like_stranger.into()]);
        assert!(resembled.is_some(), "it resembles a payee, and no wallet has changed");
        assert_eq!(matches(7), [None, None]);
        store.save_wallets(&[wallet(like_stranger, "New")], EntrySource::Listed).unwrap();
        assert_eq!(matches(8), [None, your_wallet("New")]);
    }

    #[test]
    fn own_addresses_are_read_again_for_a_new_suspect_and_only_then() {
        let store = Store::open(&CacheLocation::Temporary).unwrap().store;
        store.save_wallets(&[wallet(OWN, "Till")], EntrySource::Listed).unwrap();
        let mut own = CachedOwnEnds::read(&store, 1, Timestamp::from_millis(0)).unwrap();
        let suspects =
            |addresses: &[&str]| addresses.iter().map(|address| Text::from(*address)).collect::<HashSet<_>>();
        let names =
            |own: &[OwnAddress]| own.iter().filter_map(|own| Some(own.name.clone()?.to_string())).collect::<Vec<_>>();
        assert_eq!(names(own.with_ends_of(&store, suspects(&[STRANGER])).unwrap()), [""; 0]);
        assert_eq!(names(own.with_ends_of(&store, suspects(&[STRANGER, FORGED])).unwrap()), ["Till"]);
        // By another name all of it is read again.
        store.save_wallets(&[wallet(OWN, "Vault")], EntrySource::Listed).unwrap();
        assert_eq!(names(own.with_ends_of(&store, suspects(&[FORGED])).unwrap()), ["Till"]);
    }
}
