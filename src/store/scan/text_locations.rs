//! Where the texts of each field of a filter are stored.

use super::super::row::{line_fields, transfer_fields, wallet_fields};
use super::super::segment::text_field;
use crate::domain::filter::{FilterField, fold_case};
use TextLocation::{Row, Status, Transfer, Wallet};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextLocation {
    /// A field of the row's own line.
    Row(usize),
    /// A field of the wallet phrase.
    Wallet(usize),
    /// A field of the transfer phrase.
    Transfer(usize),
    /// The status phrase.
    Status,
}

/// A row for each field of which a term may contain a text. Fields without one are computed: their terms are bounds and
/// the like, which a test makes sure of.
const FIELD_LOCATIONS: &[(FilterField, &[TextLocation])] = &[
    (
        FilterField::Token,
        &[
            Transfer(transfer_fields::SYMBOL),
            Transfer(transfer_fields::TOKEN_NAME),
            Transfer(transfer_fields::CONTRACT),
        ],
    ),
    (FilterField::Chain, &[Wallet(wallet_fields::CHAIN), Wallet(wallet_fields::CHAIN_NAME)]),
    (FilterField::Status, &[Status]),
    (FilterField::Direction, &[Transfer(transfer_fields::DIRECTION)]),
    (FilterField::SubType, &[Transfer(transfer_fields::SUB_TYPE)]),
    // Whose side of the row it is depends on the direction.
    (FilterField::From, &[Wallet(wallet_fields::OWN), Row(text_field::OWN), Row(text_field::OTHER)]),
    (FilterField::To, &[Wallet(wallet_fields::OWN), Row(text_field::OWN), Row(text_field::OTHER)]),
    // Whole addresses are compared, not texts.
    (FilterField::Counterparty, &[]),
    (FilterField::Wallet, &[Wallet(wallet_fields::WALLET), Wallet(wallet_fields::OWN), Row(text_field::OWN)]),
    (FilterField::Account, &[Wallet(wallet_fields::ACCOUNT)]),
    (FilterField::User, &[Wallet(wallet_fields::USER)]),
    (FilterField::Id, &[Row(text_field::ID)]),
    (FilterField::Hash, &[Row(text_field::HASH)]),
    (FilterField::Reference, &[Row(text_field::REFERENCE)]),
    (FilterField::Note, &[Row(text_field::NOTE)]),
    (FilterField::Key, &[Row(text_field::KEY)]),
    (FilterField::Group, &[Row(text_field::GROUP)]),
    (FilterField::Amount, &[Row(text_field::AMOUNT)]),
    // The times of rows are written out and compared.
    (FilterField::Date, &[]),
];

pub(super) const ALL_TEXT_FIELDS: u16 = (1 << text_field::COUNT) - 1;

/// Where a term searches; everywhere for a term without a field.
#[derive(Clone, Copy)]
pub(super) struct TextLocations(Option<&'static [TextLocation]>);

impl TextLocations {
    pub(super) fn of_field(field: Option<FilterField>) -> Self {
        let locations = |field| FIELD_LOCATIONS.iter().find(|(of, _)| *of == field).map_or(&[][..], |(_, all)| *all);
        Self(field.map(locations))
    }

    /// Fields of the row's own line, by bit.
    pub(super) fn text_fields(self) -> u16 {
        let bit = |location: &TextLocation| if let Row(at) = location { 1 << at } else { 0 };
        self.0.map_or(ALL_TEXT_FIELDS, |locations| locations.iter().map(bit).sum())
    }

    pub(super) fn has_phrase_locations(self) -> bool {
        self.0.is_none_or(|locations| locations.iter().any(|location| !matches!(location, Row(_))))
    }

    /// Whether a phrase contains a text in one of these places.
    pub(super) fn matches_phrase(self, line: &str, needle: &str) -> bool {
        line_fields(line).enumerate().any(|(at, value)| {
            let location = match line.as_bytes().first() {
                Some(b'p') => Wallet(at),
                Some(b'k') => Transfer(at),
                Some(b's') => Status,
                _ => return false,
            };
            let Some(value) = value.filter(|_| self.0.is_none_or(|locations| locations.contains(&location))) else {
                return false;
            };
            let value = fold_case(value);
            if location == Transfer(transfer_fields::DIRECTION) {
                value.starts_with(needle)
            } else {
                value.contains(needle)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::FIELD_LOCATIONS;
    use crate::domain::filter::{FIELD_NAMES, Filter, RowPredicate};

    /// A term of a field without a row would find nothing.
    #[test]
    fn every_field_has_its_row_or_searches_no_text() {
        let values = ["0x3f", "in", "pending", "deposit", "12", "12:30", "yes", ">12", ">1h"];
        for (name, field) in FIELD_NAMES {
            let filters = values.map(|value| Filter::from(format!("{name}:{value}").as_str()));
            let mut terms = filters.iter().flat_map(|filter| &filter.terms);
            let searches_text = terms.any(|term| matches!(term.predicate, RowPredicate::Contains(_)));
            let has_row = FIELD_LOCATIONS.iter().any(|(of, _)| of == field);
            assert_eq!(has_row, searches_text, "{name}");
        }
    }
}
