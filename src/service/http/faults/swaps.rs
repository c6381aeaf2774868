//! Falsifies responses about swaps.

use ruint::aliases::U256;
use serde_json::{Value, json};

use crate::domain::Amount;

/// A whole, in hundredths of a percent.
const BASIS_POINTS: u16 = 10_000;

/// Lowers a swap's proceeds by this many hundredths of a percent: in a quote, in v1's response, and in the incoming
/// rows of the history.
pub(super) fn lower_swap_amounts(answer: &mut Value, by: u16) {
    match answer.get_mut("data") {
        Some(Value::Array(rows)) => rows.iter_mut().for_each(|row| lower_proceeds_of_row(row, by)),
        Some(data) => {
            if let Some(amount) = data.get_mut("toAmount") {
                lower_decimal_text(amount, by);
            }
            lower_proceeds_of_row(data, by);
        }
        None => {}
    }
}

fn lower_proceeds_of_row(row: &mut Value, by: u16) {
    if row.get("txSubType") != Some(&json!("SWAP")) || row.get("txType") != Some(&json!("incoming")) {
        return;
    }
    for name in ["amount", "totalAmount"] {
        let Some(parts) = row.get_mut(name).and_then(Value::as_object_mut) else { continue };
        parts.values_mut().for_each(|part| lower_decimal_text(part, by));
    }
}

/// Lowers a decimal text by this many hundredths of a percent, truncating its last digits.
fn lower_decimal_text(value: &mut Value, by: u16) {
    let Value::String(text) = value else { return };
    let digits = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let amount = u8::try_from(digits).ok().and_then(|digits| Amount::parse(text, digits).ok());
    let less = amount.and_then(|amount| {
        let raw = amount
            .raw()
            .checked_mul(U256::from(BASIS_POINTS.saturating_sub(by)))?
            .checked_div(U256::from(BASIS_POINTS))?;
        Amount::new(raw, amount.decimals())
    });
    if let Some(less) = less {
        *text = less.to_string();
    }
}

/// Marks a swap as done at once.
pub(super) fn mark_swap_done(answer: &mut Value) {
    if let Some(data) = answer.get_mut("data").and_then(Value::as_object_mut) {
        data.insert("status".into(), json!("success"));
    }
}

/// Changes a quote's target coin.
pub(super) fn replace_quoted_coin(answer: &mut Value) {
    if let Some(coin) = answer.get_mut("data").and_then(|data| data.get_mut("toCoin")) {
        *coin = if *coin == json!("BTC") { json!("ETH") } else { json!("BTC") };
    }
}
