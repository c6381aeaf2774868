//! Each field that an answer, or a row of the history, shares with what was asked for or was to be expected: another value
//! is an alarm, one that cannot be read is an alarm, and one that is left out is none.

use serde_json::{Map, Value, json};

use super::super::attempt_outcome::{ResponseView, from_response};
use super::*;
use crate::api::v1::records;
use crate::api::v2::transactions;
use crate::domain::comparison::ReportedPayment;
use crate::domain::draft::{Batch, InstantSwap, Metadata, Recipient, Sender, Swap, V1Payment};
use crate::domain::{Amount, Direction, Text, TokenKey};

const USDC: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const ELSEWHERE: &str = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const STRANGER: &str = "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf";

/// What stands in place of a value and cannot be read as one.
const UNREADABLE: [&str; 4] = ["true", r#"["x"]"#, r#"{"is":"x"}"#, r#""\ud800""#];

fn sender() -> Sender {
    Sender {
        name: None,
        address: None,
        account: Some(AccountId::from_text("account-1")),
        user: Some(UserId::from_text("user-1")),
        token: TokenKey::new("ethereum", Some(USDC)),
        amount: Amount::parse("25.50", 6).unwrap(),
    }
}

fn withdrawal() -> Withdrawal {
    Withdrawal {
        wallet: WalletId::from_text(WALLET),
        blockchain: "ethereum".into(),
        token: "USDC".into(),
        amount: "25.50".into(),
        to: TO.into(),
        ref_id: Some("march-rent".into()),
        note: Some("Rent of March".into()),
        metadata: Metadata::default(),
    }
}

/// A whole answer to a withdrawal that says what was asked for, and no more than half of a dollar of a fee.
fn withdrawal_answer() -> Value {
    json!({
        "id": "tx-1", "idempotencyKey": KEY, "walletId": WALLET, "accountId": "account-1", "userId": "user-1",
        "blockchain": "ethereum", "tokenSymbol": "USDC", "tokenAddress": USDC, "isNative": false, "decimals": 6,
        "amount": { "formatted": "25.5", "raw": "25500000" }, "totalAmount": { "formatted": "26", "raw": "26000000" },
        "totalFee": { "formatted": "0.5", "raw": "500000" }, "feeToken": "USDC", "toAddress": TO,
        "refId": "march-rent", "note": "Rent of March", "txType": "outgoing", "status": "pending", "confirmed": false,
    })
}

fn with_fields(of: &Value, with: &[(&str, Value)]) -> Value {
    let mut members = of.as_object().cloned().unwrap_or_else(Map::new);
    members.extend(with.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    Value::Object(members)
}

/// Fields of an answer with other values than those that were asked for.
type Fields = Vec<(&'static str, Value)>;

/// An operation, a whole answer to it, and other values of its fields, each of which is an alarm.
fn answers_and_alarms() -> Vec<(Draft, Value, Fields)> {
    let amount = |formatted: &str| json!({ "formatted": formatted });
    let shared = vec![
        ("walletId", json!("another")),
        ("accountId", json!("another")),
        ("userId", json!("another")),
        ("blockchain", json!("base")),
        ("tokenSymbol", json!("USDT")),
        ("tokenAddress", json!(ELSEWHERE)),
        ("isNative", json!(true)),
        ("amount", amount("25.51")),
        ("refId", json!("April")),
        ("note", json!("Rent of April")),
        ("totalFee", amount("25.5")),
        ("totalAmount", amount("51")),
    ];
    let mut of_payment = shared.clone();
    of_payment.extend([
        ("toAddress", json!(STRANGER)),
        ("withdrawalAddress", json!(STRANGER)),
        ("txType", json!("incoming")),
        ("totalFee", amount("5.1")),
        ("totalFee", json!("-1")),
        ("totalAmount", amount("25")),
    ]);
    let to = |address: &str, amount: &str| Recipient {
        address: address.into(),
        amount: amount.into(),
        label: None,
        reference: None,
        line: None,
    };
    let Withdrawal { wallet, blockchain, token, ref_id, note, .. } = withdrawal();
    let batch = Draft::Batch(Batch {
        wallet: wallet.clone(),
        blockchain: blockchain.clone(),
        token: token.clone(),
        to: vec![to(TO, "20"), to("0x52908400098527886E0F7030069857D2E4169EE7", "5.5")],
        ref_id: ref_id.clone(),
        note: note.clone(),
        file: None,
        metadata: Metadata::default(),
        queue: None,
    });
    let mut of_batch = shared.clone();
    of_batch.retain(|(name, _)| *name != "totalAmount");
    let pays = |list: &[(&str, &str)]| -> Value {
        list.iter().map(|(address, amount)| json!({ "address": address, "amount": amount })).collect()
    };
    let other = "0x52908400098527886E0F7030069857D2E4169EE7";
    of_batch.extend([
        ("toAddress", json!(STRANGER)),
        ("txType", json!("incoming")),
        ("to", pays(&[(TO, "20"), (STRANGER, "5.5")])),
        ("to", pays(&[(TO, "20"), (other, "5.51")])),
        ("to", pays(&[(TO, "5.5"), (other, "20")])),
        ("to", pays(&[(TO, "20")])),
        ("to", pays(&[(TO, "20"), (other, "5.5"), (other, "5.5")])),
        ("to", pays(&[])),
        ("to", json!([{ "address": TO, "amount": "20" }, { "address": other, "amount": "some" }])),
        ("to", json!([{ "address": TO, "amount": "20" }, { "address": 7, "amount": "5.5" }])),
        ("to", json!([TO, STRANGER])),
        ("to", json!(TO)),
    ]);
    let swap = Draft::Swap(Swap {
        wallet,
        blockchain,
        from: token.clone(),
        amount: "25.50".into(),
        to: "ETH".into(),
        ref_id: ref_id.clone(),
        note,
    });
    let mut of_swap = shared;
    of_swap.retain(|(name, _)| !matches!(*name, "totalAmount" | "amount"));
    of_swap.extend([("toCoin", json!("USDT")), ("fromCoin", json!("USDT"))]);
    let in_all = json!({ "formatted": "25.5", "raw": "25500000" });
    let sold = with_fields(
        &withdrawal_answer(),
        &[("toCoin", json!("ETH")), ("totalAmount", in_all), ("toAddress", Value::Null)],
    );
    let by_v1 = Draft::Payment(V1Payment {
        withdrawal: Withdrawal { wallet: WalletId::from_text("user-1"), note: None, ..withdrawal() },
        fee: Some("1".into()),
        memo: Some("1001".into()),
    });
    let paid_by_v1 = json!({
        "id": "tx-1", "subWalletId": "user-1", "coin": "USDC", "chain": "ethereum", "amount": 25.5, "networkFee": 0.5,
        "toAddress": TO, "clientTxId": "march-rent", "tagMemo": "1001", "status": "pending",
    });
    let of_v1 = vec![
        ("subWalletId", json!("another")),
        ("coin", json!("USDT")),
        ("chain", json!("base")),
        ("amount", json!(25.51)),
        ("networkFee", json!(1.01)),
        ("toAddress", json!(STRANGER)),
        ("withdrawalAddress", json!(STRANGER)),
        ("clientTxId", json!("April")),
        ("tagMemo", json!("1002")),
        ("memo", json!("1002")),
    ];
    let instant = Draft::InstantSwap(InstantSwap {
        sub_wallet: UserId::from_text("user-1"),
        from: token,
        amount: "25.50".into(),
        to: "ETH".into(),
        ext_id: ref_id,
    });
    let swapped = json!({
        "swapId": "s", "subWalletId": "user-1", "fromCoin": "USDC", "fromAmount": "25.50", "toCoin": "ETH",
        "toAmount": "0.01", "fee": "0.1",
    });
    let of_instant = vec![
        ("subWalletId", json!("another")),
        ("fromCoin", json!("USDT")),
        ("fromAmount", json!("25.51")),
        ("toCoin", json!("USDT")),
        ("fee", json!("25.50")),
    ];
    let list =
        json!([{ "amount": { "raw": "5500000" }, "address": other.to_lowercase() }, { "address": TO, "amount": 20 }]);
    let batched = with_fields(&withdrawal_answer(), &[("toAddress", json!(null)), ("to", list)]);
    vec![
        (Draft::Withdraw(withdrawal()), withdrawal_answer(), of_payment),
        (batch, batched, of_batch),
        (swap, sold, of_swap),
        (by_v1, paid_by_v1, of_v1),
        (instant, swapped, of_instant),
    ]
}

/// Everything that is alarming about an answer: what contradicts the request, and what costs too much.
fn alarms(answered: &AttemptResult) -> Vec<Text> {
    answered.differences.iter().chain(&answered.cost_alarms).cloned().collect()
}

fn full_expectation<'a>(draft: &'a Draft, sender: &'a Sender) -> ExpectedReport<'a> {
    let key = draft.operation().has_key().then(|| Uuid::parse_str(KEY).unwrap());
    ExpectedReport { draft, key, sender: Some(sender), usual_fee: Amount::parse("0.5", 6).ok() }
}

fn judge_answer(draft: &Draft, data: &str) -> AttemptResult {
    let (frozen, sender) = (request_bytes_of(draft), sender());
    let body = success_answer(data.strip_prefix('{').and_then(|data| data.strip_suffix('}')).unwrap());
    let reply = ResponseView {
        status: reqwest::StatusCode::CREATED,
        headers: &reqwest::header::HeaderMap::new(),
        body: &body,
        max_depth: 64,
    };
    from_response(&frozen, &full_expectation(draft, &sender), &reply, &WireNames::default())
}

/// The same object with one value of it in these words, which need not be what a JSON value can say.
fn with_raw_field(whole: &Value, name: &str, raw_text: &str) -> String {
    let mark = "\u{fdd0}";
    with_fields(whole, &[(name, json!(mark))]).to_string().replacen(&json!(mark).to_string(), raw_text, 1)
}

#[test]
fn each_field_of_an_answer_that_says_something_else_is_an_alarm() {
    for (draft, whole, others) in answers_and_alarms() {
        assert_eq!(alarms(&judge_answer(&draft, &whole.to_string())), [], "{whole}");
        for (name, other) in others {
            let result = judge_answer(&draft, &with_fields(&whole, &[(name, other.clone())]).to_string());
            assert_eq!(result.outcome, Outcome::Accepted, "{draft:?} {name}");
            assert!(!alarms(&result).is_empty(), "{:?} {name}: {other}", draft.operation());
        }
    }
}

/// Some services repeat less of a list than was asked for: an address alone, or an amount.
#[test]
fn a_list_of_recipients_that_tells_less_and_in_another_order_is_no_alarm() {
    let (batch, whole, _) = answers_and_alarms().swap_remove(1);
    for list in [
        json!(["0x52908400098527886E0F7030069857D2E4169EE7", TO]),
        json!([{ "amount": "5.50" }, { "address": TO }]),
        json!([{}, { "address": TO, "amount": 20.0, "label": "x" }]),
        json!(""),
    ] {
        let result = judge_answer(&batch, &with_fields(&whole, &[("to", list.clone())]).to_string());
        assert_eq!(alarms(&result), [], "{list}");
    }
    let differences_of =
        |list: Value| judge_answer(&batch, &with_fields(&whole, &[("to", list)]).to_string()).differences;
    let other = "0x52908400098527886E0F7030069857D2E4169EE7";
    let differences =
        differences_of(json!([{ "address": TO, "amount": "2" }, { "address": STRANGER, "amount": "5.5" }]));
    let [amount, stranger, nobody] = &differences[..] else { panic!("{differences:?}") };
    assert_eq!(**amount, format!("amount for {TO}: the request says 20, the answer 2"));
    assert!(stranger.contains(STRANGER) && nobody.contains(other) && nobody.contains("leaves out"), "{differences:?}");
}

/// What stands there and cannot be read was not left out, whatever it is.
#[test]
fn each_field_of_an_answer_that_cannot_be_read_is_an_alarm() {
    for (draft, whole, others) in answers_and_alarms() {
        for (name, _) in others.iter().filter(|(name, _)| *name != "isNative") {
            for unreadable in UNREADABLE {
                let result = judge_answer(&draft, &with_raw_field(&whole, name, unreadable));
                assert!(!alarms(&result).is_empty(), "{:?} {name}: {unreadable}", draft.operation());
            }
        }
        // A part of an amount counts as much as the whole of it.
        for name in ["amount", "totalAmount", "totalFee"].iter().filter(|name| whole[**name].is_object()) {
            for part in [r#"{"formatted":true,"raw":"25500000"}"#, r#"{"formatted":"25.5","raw":[]}"#, r#"{"raw":"x"}"#]
            {
                let result = judge_answer(&draft, &with_raw_field(&whole, name, part));
                assert!(!result.differences.is_empty(), "{:?} {name}: {part}", draft.operation());
            }
        }
    }
}

#[test]
fn a_field_that_is_left_out_or_null_is_no_alarm() {
    for (draft, whole, _) in answers_and_alarms() {
        for name in whole.as_object().unwrap().keys() {
            let null = with_fields(&whole, &[(name.as_str(), Value::Null)]);
            let mut without = whole.clone();
            without.as_object_mut().unwrap().remove(name);
            for less in [null, without] {
                assert_eq!(alarms(&judge_answer(&draft, &less.to_string())), [], "{:?} {name}", draft.operation());
            }
        }
    }
}

/// The history is compared by the same code: what it says of a payment under its key is as good as its answer.
#[test]
fn each_field_of_a_row_of_the_history_is_compared_in_the_same_way() {
    let sender = sender();
    for (draft, whole, others) in answers_and_alarms() {
        let is_by_v1 = matches!(draft, Draft::Payment(_));
        if matches!(draft, Draft::InstantSwap(_)) {
            continue;
        }
        let differences = |row: &str| {
            let all = |reported: &ReportedPayment| {
                let expected = full_expectation(&draft, &sender);
                let mut all = expected.differences(reported, "the history");
                all.extend(expected.cost_alarm(reported));
                all
            };
            if is_by_v1 {
                let raw: &serde_json::value::RawValue = serde_json::from_str(row).unwrap();
                let row = records::parse_deposit(&crate::api::fields::Fields::from_raw(raw).unwrap()).unwrap();
                return all(&ReportedPayment::from_v1_record(&row));
            }
            let body = format!(r#"{{"success":true,"data":[{row}],"totalPage":1,"pageNo":1,"pageLimit":20}}"#);
            let page = transactions::parse_page(&body, &Direction::Outgoing, &WireNames::default()).unwrap();
            all(&ReportedPayment::from_row(&page.items[0]))
        };
        assert_eq!(differences(&whole.to_string()), [], "{whole}");
        // What only an answer has is no field of a row.
        let of_answers = ["withdrawalAddress", "memo", "subWalletId", "fromCoin", "toCoin", "to"];
        for (name, other) in others.iter().filter(|(name, _)| !of_answers.contains(name)) {
            let row = with_fields(&whole, &[(name, other.clone())]).to_string();
            assert!(!differences(&row).is_empty(), "{:?} {name}: {other}", draft.operation());
            // Of what makes a token itself a row keeps what could be read: another token is another row.
            if matches!(*name, "isNative" | "tokenSymbol" | "tokenAddress") {
                continue;
            }
            for unreadable in UNREADABLE {
                let row = with_raw_field(&whole, name, unreadable);
                assert!(!differences(&row).is_empty(), "{:?} {name}: {unreadable}", draft.operation());
            }
        }
    }
}

/// The fee of everything, and both numbers in the words.
#[test]
fn a_fee_that_is_far_beyond_the_estimate_is_told_with_both_numbers() {
    let (draft, sender) = (Draft::Withdraw(withdrawal()), sender());
    let fee = |fee: &str, usual: Option<&str>| {
        let usual_fee = usual.map(|usual| Amount::parse(usual, 6).unwrap());
        let expected = ExpectedReport { usual_fee, ..full_expectation(&draft, &sender) };
        let row = with_fields(&withdrawal_answer(), &[("totalFee", json!(fee)), ("totalAmount", Value::Null)]);
        let body = json!({ "success": true, "data": [row] }).to_string();
        let page = transactions::parse_page(&body, &Direction::Outgoing, &WireNames::default()).unwrap();
        let reported = ReportedPayment::from_row(&page.items[0]);
        assert_eq!(expected.differences(&reported, "the history"), [], "what costs too much is paid as asked");
        expected.cost_alarm(&reported).iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    for (fee_text, usual, is_far) in [
        ("0.5", Some("0.5"), false),
        ("5", Some("0.5"), false),
        ("5.000001", Some("0.5"), true),
        // Half of what is paid, by a fee that is usual for this token, and by one that is not.
        ("12.75", Some("12"), false),
        ("25.5", Some("12.75"), false),
        ("25.500001", Some("12.75"), true),
        ("13", Some("3"), true),
        // Nothing is known of the token's fees.
        ("12.74", None, false),
        ("12.75", None, true),
        ("25.5", None, true),
        // The service promised to pay it.
        ("0.000001", Some("0"), true),
        ("0", Some("0"), false),
    ] {
        let messages = fee(fee_text, usual);
        assert_eq!(messages.len(), usize::from(is_far), "{fee_text} {usual:?}: {messages:?}");
        if let (true, Some(usual)) = (is_far, usual) {
            assert!(
                messages[0].contains(fee_text) && messages[0].contains("25.5") && messages[0].contains(usual),
                "{messages:?}"
            );
        }
    }
    // A fee that only the total tells, and one in another token, which cannot be compared.
    let total = with_fields(&withdrawal_answer(), &[("totalFee", Value::Null), ("totalAmount", json!("51"))]);
    let result = judge_answer(&draft, &total.to_string());
    assert!(
        result.differences.is_empty() && result.cost_alarms[0].starts_with("fee: the service takes 25.5 USDC"),
        "{result:?}"
    );
    let elsewhere = json!({ "raw": "30000000000000000", "formatted": "0.03" });
    let elsewhere = [("totalFee", elsewhere), ("feeToken", json!("ETH")), ("totalAmount", json!("25.5"))];
    assert_eq!(alarms(&judge_answer(&draft, &with_fields(&withdrawal_answer(), &elsewhere).to_string())), []);
}
