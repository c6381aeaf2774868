//! A batch listed as one row per recipient, as some services do.

use serde_json::{Value, json};

use crate::domain::Amount;

/// Replaces the row of each batch with one row per recipient; a full page keeps its length.
pub(super) fn split_batches_by_recipient(answer: &mut Value, failed: usize, recipients: impl Fn(&Value) -> Vec<Value>) {
    let Some(rows) = answer.get_mut("data").and_then(Value::as_array_mut) else { return };
    let length = rows.len();
    let all = std::mem::take(rows).into_iter().flat_map(|row| {
        let to = recipients(&row);
        if to.len() < 2 { vec![row] } else { split_row_by_recipient(&row, &to, failed) }
    });
    *rows = all.collect();
    // A client takes an overlong page for a list out of order.
    if length >= 100 {
        rows.truncate(length);
    }
}

fn split_row_by_recipient(row: &Value, to: &[Value], failed: usize) -> Vec<Value> {
    let is_final = row.get("status").and_then(Value::as_str) == Some("success");
    let decimals = row.get("decimals").and_then(Value::as_u64).and_then(|digits| u8::try_from(digits).ok());
    let one = |(index, recipient): (usize, &Value)| {
        let mut one = row.clone();
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let amount = text(recipient.get("amount"));
        let exact = decimals.and_then(|decimals| Amount::parse(&amount, decimals).ok());
        if let Some(amount) = exact {
            let amount_json = json!({ "formatted": amount.to_string(), "raw": amount.raw().to_string() });
            replace_field(&mut one, "amount", amount_json.clone());
            replace_field(&mut one, "totalAmount", amount_json);
        }
        replace_field(&mut one, "id", format!("{}-{index}", text(row.get("id"))).into());
        replace_field(&mut one, "toAddress", text(recipient.get("address")).into());
        if is_final && index + failed >= to.len() {
            replace_field(&mut one, "status", "failed".into());
            replace_field(&mut one, "confirmed", false.into());
        }
        one
    };
    to.iter().enumerate().map(one).collect()
}

fn replace_field(row: &mut Value, name: &str, value: Value) {
    if let Some(place) = row.get_mut(name) {
        *place = value;
    }
}
