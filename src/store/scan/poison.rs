//! Leaves out rows that are there to deceive, by the same rules as [`PoisonFilter::hides`].

use super::SegmentSource;
use super::columns::rows_with_codes;
use super::imitations::Imitations;
use crate::domain::Direction;
use crate::domain::poison::{PoisonFilter, may_be_forged};
use crate::store::StoreError;
use crate::store::dictionary::Dictionary;
use crate::store::row::{kind_fields, line_fields};
use crate::store::row_set::{CodeSet, RowSet};
use crate::store::segment::{SegmentPart, ZERO_AMOUNT_KEY, text_field};

pub(super) struct PoisonMatcher {
    poison_filter: PoisonFilter,
    imitations: Imitations,
    incoming: CodeSet,
    /// The kinds whose rows without an amount may be forged.
    forgeable: CodeSet,
}

impl PoisonMatcher {
    pub(super) fn new(poison_filter: PoisonFilter, phrases: &Dictionary) -> Self {
        let (mut incoming, mut forgeable) = (CodeSet::default(), CodeSet::default());
        phrases.for_each_line(|code, line| {
            if !line.starts_with('k') {
                return;
            }
            let field = |nth: usize| line_fields(line).nth(nth).flatten();
            let direction = Direction::read(field(kind_fields::DIRECTION).unwrap_or(""));
            if direction == Direction::Incoming {
                incoming.insert(code);
            }
            if may_be_forged(&direction, field(kind_fields::CONTRACT)) {
                forgeable.insert(code);
            }
        });
        Self { poison_filter, imitations: Imitations::default(), incoming, forgeable }
    }

    pub(super) fn assign_imitations(&mut self, imitations: Imitations) {
        self.imitations = imitations;
    }

    pub(super) fn reads_texts(&self) -> bool {
        self.poison_filter.has_look_alike_addresses()
    }

    /// The rows among `candidates` that are not folded away.
    pub(super) fn remaining_rows(&self, source: &SegmentSource<'_>, candidates: &RowSet) -> Result<RowSet, StoreError> {
        let without_amount = source.with_part(SegmentPart::Amounts, |amounts| {
            let amounts = amounts.as_chunks::<8>().0;
            Ok(RowSet::of_matches(amounts, |bytes| u64::from_le_bytes(*bytes) == ZERO_AMOUNT_KEY))
        })?;
        let resembling = if self.poison_filter.has_look_alike_addresses() {
            source.rows_with_text(text_field::OTHER, |_, address| self.poison_filter.is_look_alike(address))?
        } else {
            RowSet::NONE
        };
        let poison = source.with_part(SegmentPart::Codes, |codes| {
            // Few segments have any, and a column is read only for these.
            let of_kinds = |rows: RowSet, kinds: &CodeSet| {
                if rows.is_empty() { rows } else { rows.and(&rows_with_codes(codes, 1, kinds)) }
            };
            let forged = of_kinds(without_amount, &self.forgeable);
            Ok(self.imitations.imitating_rows(codes).or(&forged).or(&of_kinds(resembling, &self.incoming)))
        })?;
        Ok(candidates.without(&poison))
    }
}
