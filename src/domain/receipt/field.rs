//! A field of a receipt, from a value that may be unknown.

use super::ReceiptField;
use crate::domain::Timestamp;

pub(super) type OptionalText = Option<String>;

pub(super) fn optional_text<T: ToString>(value: Option<T>) -> OptionalText {
    value.map(|value| value.to_string())
}

pub(super) fn optional_time(at: Option<Timestamp>) -> OptionalText {
    at.map(|at| at.format("%Y-%m-%d %H:%M:%S UTC"))
}

pub(super) fn field(name: &'static str, label: &'static str, value: OptionalText) -> ReceiptField {
    ReceiptField { name, label, value }
}
