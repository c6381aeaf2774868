//! `internal:` matches movements between own wallets: by their transfer phrase, or by the counterparty's address.

use std::collections::HashMap;
use std::sync::Arc;

use super::SegmentSource;
use super::columns::{row_codes, rows_with_codes};
use crate::domain::SubType;
use crate::domain::own_addresses::ChainAddresses;
use crate::store::StoreError;
use crate::store::dictionary::{Dictionary, PhraseCode};
use crate::store::own_addresses::CachedAddresses;
use crate::store::row::{line_fields, transfer_fields, wallet_fields};
use crate::store::row_set::{CodeSet, RowSet};
use crate::store::segment::{SegmentPart, text_field};

pub(super) struct InternalMatcher {
    /// Whether internal movements match, or all others.
    matches_internal: bool,
    /// The transfer phrases that are always internal.
    internal_transfers: CodeSet,
    addresses: Option<Arc<CachedAddresses>>,
    /// The chain of each wallet phrase that has own addresses.
    chains: HashMap<PhraseCode, Box<str>>,
}

impl InternalMatcher {
    pub(super) fn new(matches_internal: bool) -> Self {
        Self { matches_internal, internal_transfers: CodeSet::default(), addresses: None, chains: HashMap::new() }
    }

    pub(super) fn assign_addresses(&mut self, addresses: &Arc<CachedAddresses>, phrases: &Dictionary) {
        phrases.for_each_line(|code, line| {
            let field = |nth: usize| line_fields(line).nth(nth).flatten();
            if line.starts_with('k') {
                if field(transfer_fields::SUB_TYPE).is_some_and(|word| SubType::from_word(word).is_internal()) {
                    self.internal_transfers.insert(code);
                }
            } else if line.starts_with('p')
                && let Some(chain) = field(wallet_fields::CHAIN)
                && addresses.own.on_chain(chain).is_some()
            {
                self.chains.insert(code, chain.into());
            }
        });
        self.addresses = Some(Arc::clone(addresses));
    }

    pub(super) fn filter_rows_of_segment(
        &self,
        source: &SegmentSource<'_>,
        candidates: &RowSet,
    ) -> Result<RowSet, StoreError> {
        let (mut internal, wallet_codes) = source.with_part(SegmentPart::Codes, |codes| {
            Ok((rows_with_codes(codes, 1, &self.internal_transfers).and(candidates), row_codes(codes, 0)))
        })?;
        let own_by_wallet_code = self.own_addresses_by_wallet_code(&wallet_codes);
        internal = internal.or(&source.rows_with_matching_text(text_field::OTHER, |position, text| {
            let own = wallet_codes.get(position).and_then(|wallet_code| own_by_wallet_code.get(wallet_code));
            own.is_some_and(|own| own.has_folded(text))
        })?);
        Ok(if self.matches_internal { internal.and(candidates) } else { candidates.without(&internal) })
    }

    fn own_addresses_by_wallet_code(&self, wallet_codes: &[PhraseCode]) -> HashMap<PhraseCode, &ChainAddresses> {
        let mut own_by_wallet_code = HashMap::new();
        for wallet_code in wallet_codes {
            if !own_by_wallet_code.contains_key(wallet_code)
                && let Some((addresses, chain)) = self.addresses.as_ref().zip(self.chains.get(wallet_code))
                && let Some(own) = addresses.own.on_chain(chain)
            {
                own_by_wallet_code.insert(*wallet_code, own);
            }
        }
        own_by_wallet_code
    }
}
