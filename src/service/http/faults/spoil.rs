//! Changes an answer's JSON so that it is not what the specification describes.

use serde_json::{Value, json};

/// Gives every value under `data`, and every number of the envelope, another type. Which one depends on the value's
/// place alone, so that two runs see the same.
pub(super) fn mistype(answer: &mut Value) {
    let Some(envelope) = answer.as_object_mut() else { return };
    let mut place = 0;
    for (name, value) in envelope.iter_mut() {
        match (name.as_str(), value) {
            ("success", _) => {}
            ("data", data) => leaves(data, &mut |_, leaf| {
                place += 1;
                *leaf = mistyped(leaf, place);
            }),
            (_, number) => *number = json!(number.to_string()),
        }
    }
}

fn mistyped(leaf: &Value, place: usize) -> Value {
    match (leaf, place % 5) {
        (Value::String(_), 0) => json!(7),
        (Value::String(text), 1) => json!([text]),
        (Value::String(text), 2) => json!({ "value": text }),
        (Value::String(_), 3) => json!(true),
        (Value::String(_), _) => Value::Null,
        (Value::Number(number), 0 | 1) => json!(format!("{number}x")),
        (Value::Number(_), 2) => json!(-1),
        (Value::Number(_), _) => json!({}),
        (Value::Bool(flag), 0 | 1) => json!(u8::from(*flag)),
        (Value::Bool(_), _) => json!("perhaps"),
        (_, _) => json!([[]]),
    }
}

/// Puts into every text under `data` what a terminal would obey: a title, a cleared screen, a colour, the answer to a
/// question, a C1 control, a turned direction, a line break and a bell.
pub(super) fn deface(answer: &mut Value) {
    const BEFORE: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31m\u{9b}5m\u{202e}";
    const AFTER: &str = "\r\n\u{1b}[6n\u{1b}]52;c;b3duZWQ=\u{7}\u{8}\u{200b}";
    let texts = |value: &mut Value| {
        leaves(value, &mut |name, leaf| {
            if let Value::String(text) = leaf
                && !is_spared(name)
            {
                *text = format!("{BEFORE}{text}{AFTER}");
            }
        });
    };
    let Some(envelope) = answer.as_object_mut() else { return };
    envelope.iter_mut().filter(|(name, _)| ["data", "message"].contains(&name.as_str())).for_each(|(_, v)| texts(v));
}

/// Identifiers, times and amounts.
fn is_spared(name: &str) -> bool {
    name == "id"
        || name == "formatted"
        || name == "raw"
        || name.ends_with("At")
        || (name.ends_with("Id") && name != "refId" && name != "transactionGroupId")
}

/// Visits every value that is neither object nor array, with the name of the field it stands in.
fn leaves(value: &mut Value, visit: &mut impl FnMut(&str, &mut Value)) {
    walk("", value, visit);
}

fn walk(name: &str, value: &mut Value, visit: &mut impl FnMut(&str, &mut Value)) {
    match value {
        Value::Object(object) => object.iter_mut().for_each(|(name, value)| walk(name, value, visit)),
        Value::Array(list) => list.iter_mut().for_each(|value| walk(name, value, visit)),
        leaf => visit(name, leaf),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer() -> Value {
        json!({ "success": true, "totalPage": 3, "data": [
            { "id": "w-1", "name": "Treasury", "amount": { "raw": "1", "formatted": "0.1" }, "confirmed": false,
              "decimals": 6, "createdAt": "2026-01-01T00:00:00.000Z", "refId": "r" } ] })
    }

    #[test]
    fn no_value_keeps_its_type_but_success() {
        let (before, mut after) = (answer(), answer());
        mistype(&mut after);
        assert_eq!(after["success"], json!(true));
        assert_eq!(after["totalPage"], json!("3"));
        let mut kept = Vec::new();
        let row = &before["data"][0];
        for name in ["id", "name", "confirmed", "decimals", "createdAt", "refId"] {
            if after["data"][0][name] == row[name] {
                kept.push(name);
            }
        }
        assert_eq!(kept, Vec::<&str>::new());
    }

    #[test]
    fn texts_carry_escapes_and_identifiers_times_and_amounts_do_not() {
        let mut after = answer();
        deface(&mut after);
        let row = &after["data"][0];
        for name in ["name", "refId"] {
            assert!(row[name].as_str().unwrap().contains('\u{1b}'), "{name}");
        }
        for name in ["id", "createdAt"] {
            assert_eq!(row[name], answer()["data"][0][name]);
        }
        assert_eq!(row["amount"], answer()["data"][0]["amount"]);
    }
}
