//! Leaves out rows that are there to deceive, by the same rules as [`PoisonFilter::hides`].

use std::sync::Arc;

use super::SegmentSource;
use super::columns::rows_with_codes;
use super::imitations::Imitations;
use crate::domain::Direction;
use crate::domain::poison::{PoisonFilter, may_be_forged};
use crate::store::StoreError;
use crate::store::dictionary::Dictionary;
use crate::store::imitation_cache::ImitationCache;
use crate::store::row::{line_fields, transfer_fields};
use crate::store::row_set::{CodeSet, RowSet};
use crate::store::segment::{SegmentPart, ZERO_AMOUNT_KEY, text_field};

/// The phrases that rows which are there to deceive have.
pub(in crate::store) struct PoisonPhrases {
    imitations: Imitations,
    incoming_transfers: CodeSet,
    /// The transfer phrases whose rows without an amount may be forged.
    forgeable_transfers: CodeSet,
}

impl PoisonPhrases {
    /// Every phrase must be loaded.
    pub(in crate::store) fn find(phrases: &Dictionary, imitations: &ImitationCache) -> Self {
        let (mut incoming_transfers, mut forgeable_transfers) = (CodeSet::default(), CodeSet::default());
        phrases.for_each_line(|code, line| {
            if !line.starts_with('k') {
                return;
            }
            let field = |nth: usize| line_fields(line).nth(nth).flatten();
            let direction = Direction::from_word(field(transfer_fields::DIRECTION).unwrap_or(""));
            if direction == Direction::Incoming {
                incoming_transfers.insert(code);
            }
            if may_be_forged(&direction, field(transfer_fields::CONTRACT)) {
                forgeable_transfers.insert(code);
            }
        });
        Self {
            imitations: Imitations::find("", phrases, |token| imitations.is_imitation(token)),
            incoming_transfers,
            forgeable_transfers,
        }
    }
}

pub(super) struct PoisonMatcher {
    poison_filter: PoisonFilter,
    phrases: Arc<PoisonPhrases>,
}

impl PoisonMatcher {
    pub(super) fn new(poison_filter: PoisonFilter, phrases: Arc<PoisonPhrases>) -> Self {
        Self { poison_filter, phrases }
    }

    pub(super) fn reads_texts(&self) -> bool {
        self.poison_filter.has_address_entries()
    }

    /// The rows among `candidates` that are not folded away.
    pub(super) fn exclude_poison_rows(
        &self,
        source: &SegmentSource<'_>,
        candidates: &RowSet,
    ) -> Result<RowSet, StoreError> {
        let without_amount = source.with_part(SegmentPart::Amounts, |amounts| {
            let amounts = amounts.as_chunks::<8>().0;
            Ok(RowSet::of_matches(amounts, |bytes| u64::from_le_bytes(*bytes) == ZERO_AMOUNT_KEY))
        })?;
        let resembling = if self.poison_filter.has_address_entries() {
            source.rows_with_matching_text(text_field::OTHER, |_, address| self.poison_filter.is_look_alike(address))?
        } else {
            RowSet::NONE
        };
        let poison = source.with_part(SegmentPart::Codes, |codes| {
            // Few segments have any, and a column is read only for these.
            let with_codes = |rows: RowSet, transfers: &CodeSet| {
                if rows.is_empty() { rows } else { rows.and(&rows_with_codes(codes, 1, transfers)) }
            };
            let PoisonPhrases { imitations, incoming_transfers, forgeable_transfers, .. } = &*self.phrases;
            let forged = with_codes(without_amount, forgeable_transfers);
            Ok(imitations.imitating_rows(codes).or(&forged).or(&with_codes(resembling, incoming_transfers)))
        })?;
        Ok(candidates.without(&poison))
    }
}
