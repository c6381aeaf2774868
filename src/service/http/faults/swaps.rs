//! Makes answers about swaps say another thing than is true.

use ruint::aliases::U256;
use serde_json::{Value, json};

use crate::domain::Amount;

/// A whole, in hundredths of a percent.
const WHOLE: u16 = 10_000;

/// What a swap gives is less by so many hundredths of a percent: in a quote, in the answer of version 1, and in the rows of
/// the history of what came in by one.
pub(super) fn lower_swap_amounts(answer: &mut Value, by: u16) {
    match answer.get_mut("data") {
        Some(Value::Array(rows)) => rows.iter_mut().for_each(|row| slip_row(row, by)),
        Some(data) => {
            if let Some(amount) = data.get_mut("toAmount") {
                lessen(amount, by);
            }
            slip_row(data, by);
        }
        None => {}
    }
}

fn slip_row(row: &mut Value, by: u16) {
    if row.get("txSubType") != Some(&json!("SWAP")) || row.get("txType") != Some(&json!("incoming")) {
        return;
    }
    for name in ["amount", "totalAmount"] {
        let Some(parts) = row.get_mut(name).and_then(Value::as_object_mut) else { continue };
        parts.values_mut().for_each(|part| lessen(part, by));
    }
}

/// A decimal in a text, less so many hundredths of a percent; its last digits are cut off.
fn lessen(value: &mut Value, by: u16) {
    let Value::String(text) = value else { return };
    let digits = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let amount = u8::try_from(digits).ok().and_then(|digits| Amount::parse(text, digits).ok());
    let less = amount.and_then(|amount| {
        let raw = amount.raw().checked_mul(U256::from(WHOLE.saturating_sub(by)))?.checked_div(U256::from(WHOLE))?;
        Amount::new(raw, amount.decimals())
    });
    if let Some(less) = less {
        *text = less.to_string();
    }
}

/// A swap is said to be done as soon as it is asked for.
pub(super) fn mark_swap_done(answer: &mut Value) {
    if let Some(data) = answer.get_mut("data").and_then(Value::as_object_mut) {
        data.insert("status".into(), json!("success"));
    }
}

/// A quote is one for another coin.
pub(super) fn other_coins(answer: &mut Value) {
    if let Some(coin) = answer.get_mut("data").and_then(|data| data.get_mut("toCoin")) {
        *coin = if *coin == json!("BTC") { json!("ETH") } else { json!("BTC") };
    }
}
