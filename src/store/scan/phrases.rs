//! Which fields of a phrase a term searches.

use super::super::row::{kind_fields, line_fields, place_fields};
use crate::domain::filter::{FilterField, fold_case};

/// Whether a term of a field searches a field of a phrase, by the phrase's tag.
fn searches_field(field: Option<FilterField>, tag: u8, at: usize) -> bool {
    let Some(field) = field else { return true };
    match (tag, field) {
        (b'p', FilterField::Wallet) => at == place_fields::WALLET || at == place_fields::OWN,
        (b'p', FilterField::Account) => at == place_fields::ACCOUNT,
        (b'p', FilterField::User) => at == place_fields::USER,
        (b'p', FilterField::From | FilterField::To) => at == place_fields::OWN,
        (b'p', FilterField::Chain) => at == place_fields::CHAIN || at == place_fields::CHAIN_NAME,
        (b'k', FilterField::Direction) => at == kind_fields::DIRECTION,
        (b'k', FilterField::SubType) => at == kind_fields::SUB_TYPE,
        (b'k', FilterField::Token) => {
            matches!(at, kind_fields::SYMBOL | kind_fields::TOKEN_NAME | kind_fields::CONTRACT)
        }
        (b's', FilterField::Status) => true,
        _ => false,
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
