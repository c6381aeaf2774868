//! Which fields of a phrase a term searches.

use super::super::row::{kind_fields, line_fields, place_fields};
use crate::domain::filter::{FilterField, fold_case};

/// Whether a term of a field searches a field of a phrase, by the phrase's tag.
fn searches_field(field: Option<FilterField>, tag: u8, at: usize) -> bool {
    let Some(field) = field else { return true };
    let (of_place, of_kind) = (tag == b'p', tag == b'k');
    match field {
        FilterField::Wallet => of_place && matches!(at, place_fields::WALLET | place_fields::OWN),
        FilterField::Account => of_place && at == place_fields::ACCOUNT,
        FilterField::User => of_place && at == place_fields::USER,
        FilterField::From | FilterField::To => of_place && at == place_fields::OWN,
        FilterField::Chain => of_place && matches!(at, place_fields::CHAIN | place_fields::CHAIN_NAME),
        FilterField::Direction => of_kind && at == kind_fields::DIRECTION,
        FilterField::SubType => of_kind && at == kind_fields::SUB_TYPE,
        FilterField::Token => {
            of_kind && matches!(at, kind_fields::SYMBOL | kind_fields::TOKEN_NAME | kind_fields::CONTRACT)
        }
        FilterField::Status => tag == b's',
        // These are in each row by itself, or follow from it.
        FilterField::Counterparty
        | FilterField::Hash
        | FilterField::Reference
        | FilterField::Note
        | FilterField::Id
        | FilterField::Amount
        | FilterField::Date
        | FilterField::Key
        | FilterField::Group
        | FilterField::Value
        | FilterField::Age
        | FilterField::Internal
        | FilterField::New => false,
    }
}

/// Whether a phrase has a text in a field, or in any.
pub(super) fn phrase_contains(line: &str, field: Option<FilterField>, needle: &str) -> bool {
    let Some(&tag) = line.as_bytes().first() else { return false };
    line_fields(line).enumerate().any(|(at, value)| {
        let Some(value) = value else { return false };
        if !searches_field(field, tag, at) {
            return false;
        }
        let value = fold_case(value);
        if tag == b'k' && at == kind_fields::DIRECTION { value.starts_with(needle) } else { value.contains(needle) }
    })
}
