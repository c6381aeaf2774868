//! Values of fields as records spell them.

use uuid::Uuid;

use crate::domain::{Amount, Text};

/// The version that bodies are written in; a higher one has more fields.
pub(super) const BODY_VERSION: u32 = 1;

/// Reads a UUID, only in the spelling that is written here.
pub(super) fn parse_uuid(text: &str) -> Option<Uuid> {
    Uuid::parse_str(text).ok().filter(|uuid| uuid.to_string() == text)
}

pub(super) fn parse_amount(raw: &str, decimals: u8) -> Option<Amount> {
    Amount::parse_raw(raw, decimals).filter(|amount| amount.raw().to_string() == raw)
}

pub(super) fn to_string_option<T: ToString>(value: Option<&T>) -> Option<String> {
    value.map(ToString::to_string)
}

pub(super) fn to_text(text: Option<String>) -> Option<Text> {
    text.map(|text| Text::clean(&text))
}
