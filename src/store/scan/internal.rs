//! `internal:` matches movements between own wallets: by their kind, or by the counterparty's address.

use std::collections::HashMap;
use std::sync::Arc;

use super::SegmentSource;
use super::columns::{row_codes, rows_with_codes};
use crate::domain::SubType;
use crate::domain::own_addresses::ChainAddresses;
use crate::store::StoreError;
use crate::store::dictionary::{Dictionary, PhraseCode};
use crate::store::own_addresses::CachedAddresses;
use crate::store::row::{kind_fields, line_fields, place_fields};
use crate::store::row_set::{CodeSet, RowSet};
use crate::store::segment::{SegmentPart, text_field};

pub(super) struct InternalMatcher {
    /// Whether internal movements match, or all others.
    matches_internal: bool,
    /// The kinds that are always internal.
    kinds: CodeSet,
    addresses: Option<Arc<CachedAddresses>>,
    /// The chain of each place that has own addresses.
    chains: HashMap<PhraseCode, Box<str>>,
}

impl InternalMatcher {
    pub(super) fn new(matches_internal: bool) -> Self {
        Self { matches_internal, kinds: CodeSet::default(), addresses: None, chains: HashMap::new() }
    }

    pub(super) fn assign_addresses(&mut self, addresses: &Arc<CachedAddresses>, phrases: &Dictionary) {
        phrases.for_each_line(|code, line| {
            let field = |nth: usize| line_fields(line).nth(nth).flatten();
            if line.starts_with('k') {
                if field(kind_fields::SUB_TYPE).is_some_and(|word| SubType::read(word).is_internal()) {
                    self.kinds.insert(code);
                }
            } else if line.starts_with('p')
                && let Some(chain) = field(place_fields::CHAIN)
                && addresses.own.on_chain(chain).is_some()
            {
                self.chains.insert(code, chain.into());
            }
        });
        self.addresses = Some(Arc::clone(addresses));
    }

    pub(super) fn find_rows(&self, source: &SegmentSource<'_>, candidates: &RowSet) -> Result<RowSet, StoreError> {
        let (mut internal, places) = source.with_part(SegmentPart::Codes, |codes| {
            Ok((rows_with_codes(codes, 1, &self.kinds).and(candidates), row_codes(codes, 0)))
        })?;
        let own_at = self.own_addresses_by_place(&places);
        internal = internal.or(&source.rows_with_text(text_field::OTHER, |position, text| {
            let own = places.get(position).and_then(|place| own_at.get(place));
            own.is_some_and(|own| own.has_folded(text))
        })?);
        Ok(if self.matches_internal { internal.and(candidates) } else { candidates.without(&internal) })
    }

    fn own_addresses_by_place(&self, places: &[PhraseCode]) -> HashMap<PhraseCode, &ChainAddresses> {
        let mut own_at = HashMap::new();
        for place in places {
            if !own_at.contains_key(place)
                && let Some((addresses, chain)) = self.addresses.as_ref().zip(self.chains.get(place))
                && let Some(own) = addresses.own.on_chain(chain)
            {
                own_at.insert(*place, own);
            }
        }
        own_at
    }
}
