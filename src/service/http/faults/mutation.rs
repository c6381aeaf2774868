//! Changes a response's JSON so that it violates the specification.

use serde_json::{Value, json};

use super::fault::{PaymentField, RowFieldDamage};

/// Gives every value under `data`, and every number of the envelope, another type. The type depends on the value's
/// position alone, so that runs are repeatable.
pub(super) fn mistype_values(answer: &mut Value) {
    let Some(envelope) = answer.as_object_mut() else { return };
    let mut place = 0;
    for (name, value) in envelope.iter_mut() {
        match (name.as_str(), value) {
            ("success", _) => {}
            ("data", data) => visit_scalars(data, &mut |_, leaf| {
                place += 1;
                *leaf = value_of_wrong_type(leaf, place);
            }),
            (_, number) => *number = json!(number.to_string()),
        }
    }
}

fn value_of_wrong_type(leaf: &Value, position: usize) -> Value {
    match (leaf, position % 5) {
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

/// Puts terminal controls into every text under `data` and `message`: a title, a cleared screen, a colour, a query with
/// its reply, a C1 control, reversed text direction, a line break and a bell.
pub(super) fn insert_terminal_controls(answer: &mut Value) {
    const BEFORE: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31m\u{9b}5m\u{202e}";
    const AFTER: &str = "\r\n\u{1b}[6n\u{1b}]52;c;b3duZWQ=\u{7}\u{8}\u{200b}";
    let texts = |value: &mut Value| {
        visit_scalars(value, &mut |name, leaf| {
            if let Value::String(text) = leaf
                && !is_id_time_or_amount(name)
            {
                *text = format!("{BEFORE}{text}{AFTER}");
            }
        });
    };
    let Some(envelope) = answer.as_object_mut() else { return };
    envelope.iter_mut().filter(|(name, _)| ["data", "message"].contains(&name.as_str())).for_each(|(_, v)| texts(v));
}

/// Identifiers, times and amounts.
fn is_id_time_or_amount(name: &str) -> bool {
    name == "id"
        || name == "formatted"
        || name == "raw"
        || name.ends_with("At")
        || (name.ends_with("Id") && name != "refId" && name != "transactionGroupId")
}

/// Gives every network an unknown name, and nulls `isTestnet`.
pub(super) fn rename_network(answer: &mut Value) {
    let Some(data) = answer.get_mut("data") else { return };
    visit_scalars(data, &mut |name, leaf| match name {
        "network" | "environment" if !leaf.is_null() => *leaf = json!("shard-7"),
        "isTestnet" => *leaf = Value::Null,
        _ => {}
    });
}

/// Changes only the `formatted` form of amounts.
pub(super) fn change_formatted_amounts(answer: &mut Value) {
    let Some(data) = answer.get_mut("data") else { return };
    visit_scalars(data, &mut |name, leaf| {
        if name == "formatted" {
            map_json_string(leaf, change_first_digit);
        }
    });
}

/// Damages each row of a list.
pub(super) fn damage_rows(answer: &mut Value, how: RowFieldDamage) {
    let Some(rows) = answer.get_mut("data").and_then(Value::as_array_mut) else { return };
    for row in rows {
        match (how, row.as_object_mut()) {
            (RowFieldDamage::AllNull, _) => *row = Value::Null,
            (_, None) => {}
            (RowFieldDamage::ValuesSwapped, Some(fields)) => {
                let of_row = |name: &str| name != "id";
                let mut values: Vec<Value> =
                    fields.iter().filter(|(name, _)| of_row(name)).map(|(_, value)| value.clone()).collect();
                values.rotate_left(1);
                let others = fields.iter_mut().filter(|(name, _)| of_row(name));
                others.zip(values).for_each(|((_, field), value)| *field = value);
            }
            (RowFieldDamage::HalfMissing, Some(fields)) => {
                let names: Vec<String> = fields.keys().filter(|name| *name != "id").cloned().collect();
                names.iter().step_by(2).for_each(|name| drop(fields.remove(name)));
            }
            (RowFieldDamage::NoIdentifier, Some(fields)) => drop(fields.remove("id")),
            (RowFieldDamage::UnknownWords, Some(fields)) => {
                const WORDS: [&str; 8] =
                    ["txType", "txSubType", "status", "type", "state", "standard", "protocol", "feeLevel"];
                for (_, word) in fields.iter_mut().filter(|(name, _)| WORDS.contains(&name.as_str())) {
                    *word = json!("a word that nobody knows");
                }
            }
        }
    }
}

/// Visits every scalar value with its field name.
fn visit_scalars(value: &mut Value, visit: &mut impl FnMut(&str, &mut Value)) {
    visit_scalars_with_name("", value, visit);
}

fn visit_scalars_with_name(name: &str, value: &mut Value, visit: &mut impl FnMut(&str, &mut Value)) {
    match value {
        Value::Object(object) => {
            object.iter_mut().for_each(|(name, value)| visit_scalars_with_name(name, value, visit));
        }
        Value::Array(list) => list.iter_mut().for_each(|value| visit_scalars_with_name(name, value, visit)),
        leaf => visit(name, leaf),
    }
}

/// Changes one field of a payment's response: well formed, but not what was requested.
pub(super) fn change_echoed_field(answer: &mut Value, part: PaymentField) {
    let Some(data) = answer.get_mut("data").and_then(Value::as_object_mut) else { return };
    let texts: &[&str] = match part {
        PaymentField::Amount => {
            for name in ["amount", "totalAmount"] {
                match data.get_mut(name) {
                    Some(Value::Object(amount)) => {
                        amount.values_mut().for_each(|form| map_json_string(form, change_first_digit));
                    }
                    // v1 writes amounts as numbers.
                    Some(number @ Value::Number(_)) => {
                        let changed = serde_json::from_str(&change_first_digit(&number.to_string()));
                        *number = changed.unwrap_or(Value::Null);
                    }
                    _ => {}
                }
            }
            return;
        }
        PaymentField::Fee => {
            let paid_amount = data.get("amount").cloned();
            if let Some((fee, paid_amount)) = data.get_mut("totalFee").zip(paid_amount) {
                *fee = paid_amount;
                data.remove("totalAmount");
            }
            return;
        }
        PaymentField::Contract => &["tokenAddress"],
        PaymentField::Direction => &["txType"],
        PaymentField::Address => &["toAddress"],
        PaymentField::Token => &["tokenSymbol", "tokenTicker"],
        PaymentField::Blockchain => &["blockchain"],
        PaymentField::Wallet => &["walletId"],
        PaymentField::Key => &["idempotencyKey"],
        PaymentField::Reference => &["refId"],
    };
    let change = match part {
        PaymentField::Address | PaymentField::Wallet | PaymentField::Key | PaymentField::Contract => {
            change_middle_digit
        }
        PaymentField::Direction => |_: &str| "incoming".to_owned(),
        PaymentField::Token => |text: &str| if text == "USDC" { "USDT".into() } else { "USDC".into() },
        PaymentField::Blockchain => |text: &str| if text == "base" { "polygon".into() } else { "base".into() },
        _ => |text: &str| format!("{text}-2"),
    };
    for name in texts {
        match data.get_mut(*name) {
            // A batch to several recipients names none: then one is named.
            Some(nobody @ Value::Null) if part == PaymentField::Address => *nobody = UNREQUESTED_ADDRESS.into(),
            Some(text) => map_json_string(text, change),
            None => {}
        }
    }
}

/// The same for the rows of a list for which `is_match` holds.
pub(super) fn change_field_of_matching_rows(answer: &mut Value, part: PaymentField, is_match: impl Fn(&Value) -> bool) {
    let Some(rows) = answer.get_mut("data").and_then(Value::as_array_mut) else { return };
    for row in rows.iter_mut().filter(|row| is_match(row)) {
        let mut alone = json!({ "data": row.take() });
        change_echoed_field(&mut alone, part);
        *row = alone["data"].take();
    }
}

/// An EVM address that no request pays.
const UNREQUESTED_ADDRESS: &str = "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf";

fn map_json_string(value: &mut Value, change: impl Fn(&str) -> String) {
    if let Value::String(text) = value {
        *text = change(text);
    }
}

/// Changes the first significant digit, alike in both forms of an amount.
fn change_first_digit(text: &str) -> String {
    let place = text.find(|c: char| c.is_ascii_digit() && c != '0');
    place.map_or_else(|| text.to_owned(), |place| increment_digit_at(text, place))
}

/// Changes a digit in the middle, where people do not look; in lower case, since the checksum of mixed case would
/// reveal the change.
fn change_middle_digit(text: &str) -> String {
    let text = if text.starts_with("0x") { text.to_ascii_lowercase() } else { text.to_owned() };
    let half = text.len() / 2;
    let place = text.bytes().enumerate().skip(half).find(|(_, byte)| byte.is_ascii_digit()).map(|(place, _)| place);
    place.map_or_else(|| text.clone(), |place| increment_digit_at(&text, place))
}

/// Increments the digit at `position`; nine becomes one, as zero is not in every alphabet.
fn increment_digit_at(text: &str, position: usize) -> String {
    let next = |byte: u8| if byte == b'9' { '1' } else { char::from(byte + 1) };
    text.bytes().enumerate().map(|(at, byte)| if at == position { next(byte) } else { char::from(byte) }).collect()
}

/// Sets the status of outgoing transactions.
pub(super) fn set_outgoing_status(answer: &mut Value, status: &str, confirmed: bool) {
    let fail = |row: &mut Value| {
        if row.get("txType").and_then(Value::as_str) == Some("outgoing") {
            row["status"] = json!(status);
            row["confirmed"] = json!(confirmed);
        }
    };
    match answer.get_mut("data") {
        Some(Value::Array(rows)) => rows.iter_mut().for_each(fail),
        Some(row) => fail(row),
        None => {}
    }
}

/// The response's text with one value damaged; the seed decides which and how. `None` if there is no value.
pub(super) fn mutate_one_value(answer: &Value, seed: u64) -> Option<String> {
    const WAYS: u64 = 6;
    let mut spoilt = answer.clone();
    let data = spoilt.get_mut("data")?;
    let mut count = 0;
    visit_scalars(data, &mut |_, _| count += 1);
    let (chosen, way) = ((seed / WAYS).checked_rem(count)?, seed % WAYS);
    let mut place = 0;
    // A marker that no value contains, for changes that JSON values cannot express.
    let mark = format!("\u{fdd0}{seed}");
    visit_scalars(data, &mut |_, leaf| {
        if place == chosen {
            let other = match way {
                0 => Value::Null,
                1 => value_of_wrong_type(leaf, usize::try_from(seed).unwrap_or(0)),
                2 => json!("a word that nobody knows"),
                3 => leaf.as_str().map_or(Value::Null, |text| json!(swap_case(text))),
                _ => json!(mark),
            };
            // A value that was null or has no letters would not change.
            *leaf = if other == *leaf { json!({ "value": leaf }) } else { other };
        }
        place += 1;
    });
    let text = spoilt.to_string();
    let marked = Value::String(mark).to_string();
    let Some(at) = text.find(&marked) else { return Some(text) };
    let (before, after) = (text.get(..at)?, text.get(at + marked.len()..)?);
    // The value's name precedes it, unless it is in an array.
    let name = before.strip_suffix(':').and_then(|before| before.rfind(['{', ',']).map(|from| from + 1));
    Some(match (way, name) {
        (4, Some(from)) => {
            let (before, after) = (before.get(..from)?, after.strip_prefix(',').unwrap_or(after));
            format!("{}{after}", if after.starts_with('}') { before.trim_end_matches(',') } else { before })
        }
        (_, Some(from)) => format!("{before}null,{}1{after}", before.get(from..)?),
        _ => format!("{before}null{after}"),
    })
}

fn swap_case(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }).collect()
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
        mistype_values(&mut after);
        assert_eq!(after["success"], json!(true));
        assert_eq!(after["totalPage"], json!("3"));
        let mut unchanged = Vec::new();
        let row = &before["data"][0];
        for name in ["id", "name", "confirmed", "decimals", "createdAt", "refId"] {
            if after["data"][0][name] == row[name] {
                unchanged.push(name);
            }
        }
        assert_eq!(unchanged, Vec::<&str>::new());
    }

    #[test]
    fn texts_carry_escapes_and_identifiers_times_and_amounts_do_not() {
        let mut after = answer();
        insert_terminal_controls(&mut after);
        let row = &after["data"][0];
        for name in ["name", "refId"] {
            assert!(row[name].as_str().unwrap().contains('\u{1b}'), "{name}");
        }
        for name in ["id", "createdAt"] {
            assert_eq!(row[name], answer()["data"][0][name]);
        }
        assert_eq!(row["amount"], answer()["data"][0]["amount"]);
    }

    #[test]
    fn an_echo_differs_in_what_was_asked_for_and_is_well_formed() {
        let answer = json!({ "success": true, "data": {
            "amount": { "formatted": "0.905", "raw": "905000" }, "totalAmount": { "formatted": "1.0", "raw": "1000000" },
            "toAddress": "0x52908400098527886E0F7030069857D2E4169EE7", "refId": "r", "tokenSymbol": "USDC" } });
        let echo = |part| {
            let mut answer = answer.clone();
            change_echoed_field(&mut answer, part);
            answer["data"].clone()
        };
        assert_eq!(echo(PaymentField::Amount)["amount"], json!({ "formatted": "0.105", "raw": "105000" }));
        assert_eq!(echo(PaymentField::Amount)["totalAmount"], json!({ "formatted": "2.0", "raw": "2000000" }));
        let other = echo(PaymentField::Address)["toAddress"].as_str().unwrap().to_owned();
        assert!(crate::domain::Address::parse(crate::domain::Family::Evm, &other).is_ok(), "{other}");
        assert!(!other.eq_ignore_ascii_case("0x52908400098527886E0F7030069857D2E4169EE7"));
        assert_eq!(
            (&echo(PaymentField::Reference)["refId"], &echo(PaymentField::Token)["tokenSymbol"]),
            (&json!("r-2"), &json!("USDT"))
        );
    }

    #[test]
    fn a_network_and_the_form_of_an_amount_are_changed_where_they_stand_alone() {
        let mut body = json!({ "success": true, "data": [
            { "network": "testnet", "environment": null, "isTestnet": true, "blockchain": "ton",
              "amount": { "raw": "1900000", "formatted": "1.9" } }, { "amount": { "raw": "0", "formatted": "0" } } ] });
        let mut disputed = body.clone();
        rename_network(&mut body);
        let row = &body["data"][0];
        assert_eq!((&row["network"], &row["blockchain"]), (&json!("shard-7"), &json!("ton")));
        assert!(row["environment"].is_null() && row["isTestnet"].is_null());
        assert_eq!(row["amount"], json!({ "raw": "1900000", "formatted": "1.9" }));
        change_formatted_amounts(&mut disputed);
        assert_eq!(disputed["data"][0]["amount"], json!({ "raw": "1900000", "formatted": "2.9" }));
        assert_eq!(disputed["data"][0]["network"], json!("testnet"));
        assert_eq!(disputed["data"][1]["amount"], json!({ "raw": "0", "formatted": "0" }));
    }

    #[test]
    fn a_mutation_changes_one_value_of_the_text_and_leaves_json() {
        let whole = answer().to_string();
        let mut texts = std::collections::HashSet::new();
        for seed in 0..200 {
            let text = mutate_one_value(&answer(), seed).unwrap();
            let value: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{seed}: {error}: {text}"));
            assert_ne!(text, whole, "{seed}");
            assert_eq!(value["success"], json!(true));
            texts.insert(text);
        }
        assert!(texts.len() > 30, "{}", texts.len());
        assert!(texts.iter().any(|text| text.contains(r#""decimals":null,"decimals":1"#)), "{texts:?}");
    }
}
