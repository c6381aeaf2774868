//! Matches one text of a filter against the phrases and the lines of a segment.

use std::sync::Arc;

use memchr::memmem::Finder;

use super::columns::rows_with_codes;
use super::text_locations::{ALL_TEXT_FIELDS, TextLocations};
use super::{Imitations, OrderMatcher, SegmentSource};
use crate::domain::filter::{FilterField, FilterTerm};
use crate::domain::{Direction, FinalStatuses, Timestamp, Zone};
use crate::store::StoreError;
use crate::store::dictionary::Dictionary;
use crate::store::row::{line_fields, transfer_fields};
use crate::store::row_set::{CodeSet, RowSet};
use crate::store::segment::{NO_TIME, ROWS_PER_SEGMENT, SegmentPart, is_hex_like_byte, text_field};

pub(super) struct TextMatcher {
    finder: Finder<'static>,
    pub(super) needle: String,
    pub(super) field: Option<FilterField>,
    pub(super) codes: CodeSet,
    /// Fields of the row's own line to search, by bit.
    pub(super) text_fields: u16,
    may_be_hex: bool,
    may_be_date: bool,
    zone: Zone,
    /// For `token:`, imitations of the token that the term names.
    pub(super) imitations: Option<Imitations>,
    /// For `from:` and `to:`, whose side of the row depends on its direction.
    address_side: Option<AddressSide>,
    /// The addresses, in lower case and sorted, of counterparties whose name matches.
    pub(super) counterparties: Option<Arc<Vec<String>>>,
    /// Orders whose reference or note matches.
    pub(super) orders: Option<OrderMatcher>,
}

struct AddressSide {
    from: bool,
    outgoing: CodeSet,
}

impl TextMatcher {
    pub(super) fn new(term: &FilterTerm, needle: &str, phrases: &Dictionary, final_statuses: &FinalStatuses) -> Self {
        let mut codes = CodeSet::default();
        let locations = TextLocations::of_field(term.field);
        if locations.has_phrase_locations() {
            phrases.for_each_line_containing(needle, |code, line| {
                if locations.matches_phrase(line, needle) {
                    codes.insert(code);
                }
            });
        }
        // The profile may define further statuses with the same meaning.
        let synonyms = match (term.field, needle) {
            (Some(FilterField::Status), "failed") => final_statuses.failed.as_slice(),
            (Some(FilterField::Status), "success") => final_statuses.ok.as_slice(),
            _ => &[],
        };
        if !synonyms.is_empty() {
            phrases.for_each_line(|code, line| {
                let status = line_fields(line).next().flatten().filter(|_| line.starts_with('s'));
                if status.is_some_and(|status| synonyms.iter().any(|word| word.eq_ignore_ascii_case(status.trim()))) {
                    codes.insert(code);
                }
            });
        }
        let address_side = match term.field {
            Some(field @ (FilterField::From | FilterField::To)) => {
                let mut outgoing = CodeSet::default();
                phrases.for_each_line(|code, line| {
                    let direction = line_fields(line).nth(transfer_fields::DIRECTION).flatten();
                    if line.starts_with('k') && direction == Some(Direction::Outgoing.word()) {
                        outgoing.insert(code);
                    }
                });
                Some(AddressSide { from: field == FilterField::From, outgoing })
            }
            _ => None,
        };
        Self {
            finder: Finder::new(needle.as_bytes()).into_owned(),
            needle: needle.to_owned(),
            field: term.field,
            codes,
            text_fields: locations.text_fields(),
            may_be_hex: needle.bytes().all(is_hex_like_byte),
            may_be_date: term.searches_dates(),
            zone: Zone::default(),
            imitations: (term.field == Some(FilterField::Token)).then(Imitations::default),
            address_side,
            counterparties: None,
            orders: None,
        }
    }

    /// Finds rows with these counterparties as well.
    pub(super) fn with_counterparties(self, counterparties: Option<Arc<Vec<String>>>) -> Self {
        let searched =
            matches!(self.field, None | Some(FilterField::From | FilterField::To | FilterField::Counterparty));
        Self { counterparties: counterparties.filter(|_| searched), ..self }
    }

    fn rows_with_counterparty(&self, source: &SegmentSource<'_>) -> Result<RowSet, StoreError> {
        let Some(addresses) = &self.counterparties else { return Ok(RowSet::NONE) };
        source.rows_with_matching_text(text_field::OTHER, |_, text| {
            addresses.binary_search_by(|other| other.as_str().cmp(text)).is_ok()
        })
    }

    /// Days and times of day are those of this zone.
    pub(super) fn with_dates_in(self, zone: &Zone) -> Self {
        Self { zone: zone.clone(), ..self }
    }

    pub(super) fn filter_rows_of_segment(
        &self,
        source: &SegmentSource<'_>,
        candidates: &RowSet,
    ) -> Result<RowSet, StoreError> {
        if let Some(end) = &self.address_side {
            return self.find_by_address_side(end, source, candidates);
        }
        let mut rows = RowSet::NONE;
        if !self.codes.is_empty() {
            rows = source.with_part(SegmentPart::Codes, |codes| {
                let mut rows = RowSet::NONE;
                for nth in 0..3 {
                    rows = rows.or(&rows_with_codes(codes, nth, &self.codes));
                }
                Ok(self.imitations.as_ref().map_or(rows, |imitations| rows.without(&imitations.imitating_rows(codes))))
            })?;
        }
        if self.may_be_date {
            rows = rows.or(&source.with_part(SegmentPart::Times, |times| Ok(self.find_dates(times)))?);
        }
        rows = rows.or(&self.rows_with_counterparty(source)?);
        if let Some(orders) = &self.orders {
            rows = rows.or(&orders.find_rows_in_segment(source)?);
        }
        rows = rows.or(&self.find_in_texts(source, &candidates.without(&rows), self.text_fields)?);
        Ok(rows.and(candidates))
    }

    /// `from:` is the wallet's own address in outgoing rows, and the counterparty's in incoming ones; `to:` the
    /// reverse.
    fn find_by_address_side(
        &self,
        end: &AddressSide,
        source: &SegmentSource<'_>,
        candidates: &RowSet,
    ) -> Result<RowSet, StoreError> {
        let (outgoing, own) = source.with_part(SegmentPart::Codes, |codes| {
            Ok((rows_with_codes(codes, 1, &end.outgoing), rows_with_codes(codes, 0, &self.codes)))
        })?;
        let (own_side, other_side) = if end.from {
            (candidates.and(&outgoing), candidates.without(&outgoing))
        } else {
            (candidates.without(&outgoing), candidates.and(&outgoing))
        };
        let own = own.or(&self.find_in_texts(source, &own_side.without(&own), 1 << text_field::OWN)?);
        let other = self.find_in_texts(source, &other_side, 1 << text_field::OTHER)?;
        let other = other.or(&self.rows_with_counterparty(source)?);
        Ok(own.and(&own_side).or(&other.and(&other_side)))
    }

    fn find_in_texts(&self, source: &SegmentSource<'_>, candidates: &RowSet, slots: u16) -> Result<RowSet, StoreError> {
        let mut rows = RowSet::NONE;
        if slots == 0 || candidates.is_empty() {
            return Ok(rows);
        }
        source.with_part(SegmentPart::Plain, |lines| self.find_in_text_part(lines, slots, candidates, &mut rows))?;
        if self.may_be_hex {
            let rest = candidates.without(&rows);
            if !rest.is_empty() {
                source.with_part(SegmentPart::Hex, |lines| self.find_in_text_part(lines, slots, &rest, &mut rows))?;
            }
        }
        Ok(rows)
    }

    fn find_in_text_part(
        &self,
        piece: &[u8],
        slots: u16,
        candidates: &RowSet,
        matching_rows: &mut RowSet,
    ) -> Result<(), StoreError> {
        let broken = || StoreError::damaged("a segment of the search is cut short");
        let (lengths, text) = piece.split_at_checked(2 * ROWS_PER_SEGMENT).ok_or_else(broken)?;
        let length = |row: usize| usize::from(u16::from_le_bytes([lengths[2 * row], lengths[2 * row + 1]]));
        let sparse = candidates.count() < 64;
        let (mut row, mut end, mut from) = (0, length(0), 0);
        loop {
            if sparse || !candidates.has(row) {
                // Straight to the next candidate.
                while !candidates.has(row) {
                    row += 1;
                    if row == ROWS_PER_SEGMENT {
                        return Ok(());
                    }
                    end += length(row);
                }
                from = from.max(end - length(row));
            }
            let until = if sparse { end } else { text.len() };
            let Some(hit) = self.finder.find(text.get(from..until).ok_or_else(broken)?) else {
                if !sparse || row + 1 == ROWS_PER_SEGMENT {
                    return Ok(());
                }
                row += 1;
                from = end;
                end += length(row);
                continue;
            };
            let hit = from + hit;
            while end <= hit {
                row += 1;
                if row == ROWS_PER_SEGMENT {
                    return Err(broken());
                }
                end += length(row);
            }
            let start = end - length(row);
            let matches = slots == ALL_TEXT_FIELDS || {
                let at = memchr::memchr_iter(0x1f, &text[start..hit]).count();
                slots >> at & 1 == 1
            };
            if !matches {
                from = hit + 1;
                continue;
            }
            matching_rows.insert(row);
            from = end;
            row += 1;
            if row == ROWS_PER_SEGMENT {
                return Ok(());
            }
            end += length(row);
        }
    }

    fn find_dates(&self, times: &[u8]) -> RowSet {
        let mut rows = RowSet::NONE;
        let mut day = (i64::MAX, false);
        for (position, bytes) in times.as_chunks::<4>().0.iter().enumerate() {
            let seconds = u32::from_le_bytes(*bytes);
            if seconds == NO_TIME {
                continue;
            }
            let local = self.zone.to_local(Timestamp::from_millis(i64::from(seconds) * 1000));
            let seconds = local.millis().div_euclid(1000);
            if day.0 != seconds.div_euclid(DAY_SECONDS) {
                day = (seconds.div_euclid(DAY_SECONDS), local.format("%Y-%m-%d").contains(&self.needle));
            }
            if day.1 || self.finder.find(&format_time_of_day(seconds.rem_euclid(DAY_SECONDS))).is_some() {
                rows.insert(position);
            }
        }
        rows
    }
}

const DAY_SECONDS: i64 = 86_400;

fn format_time_of_day(seconds: i64) -> [u8; 8] {
    let two = |number: i64| {
        let number = u8::try_from(number).unwrap_or(0);
        [b'0' + number / 10, b'0' + number % 10]
    };
    let (hours, minutes, seconds) = (two(seconds / 3600), two(seconds / 60 % 60), two(seconds % 60));
    [hours[0], hours[1], b':', minutes[0], minutes[1], b':', seconds[0], seconds[1]]
}
