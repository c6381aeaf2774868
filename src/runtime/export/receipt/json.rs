//! A receipt as a JSON object; every value is exact text.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use crate::domain::receipt::{Receipt, ReceiptRecipient};

pub(super) fn write_object(receipt: &Receipt, mut out: impl Write) -> io::Result<()> {
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| drop(object.insert(name.to_owned(), value));
    put("title", json!(receipt.title()));
    put("status", json!(receipt.standing.word()));
    put("imitates_a_token", json!(receipt.is_imitation));
    put("outcome", json!(receipt.outcome));
    put("warnings", json!(receipt.warnings));
    for field in receipt.sections.iter().flat_map(|section| &section.fields) {
        put(field.name, json!(field.value));
    }
    put("recipients", receipt.recipients.iter().map(recipient_json).collect());
    let [proves, does_not_prove] = &receipt.proof;
    put("proves", json!(proves));
    put("does_not_prove", json!(does_not_prove));
    serde_json::to_writer_pretty(&mut out, &Value::Object(object))?;
    writeln!(out)?;
    out.flush()
}

fn recipient_json(to: &ReceiptRecipient) -> Value {
    let text = |value: &Option<crate::domain::Text>| value.as_ref().map(ToString::to_string);
    json!({
        "number": to.number,
        "name": text(&to.name),
        "address": to.address.as_str(),
        "amount": to.amount.as_str(),
        "label": text(&to.label),
        "reference": text(&to.reference),
        "status": to.standing.word(),
        "transaction": to.transaction,
        "hash": text(&to.hash),
    })
}
