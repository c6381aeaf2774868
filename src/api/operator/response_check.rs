//! Compares an answer with the request.

use serde_json::value::RawValue;

use crate::api::fields::Fields;
use crate::api::{WireNames, json_scalars};
use crate::domain::comparison::{
    AmountOrText, ExpectedReport, ReportedContract, ReportedPayment, ReportedRecipient, ReportedRecipientList,
    RequestedPayment, may_be_same_chain_and_network,
};
use crate::domain::draft::Operation;
use crate::domain::order::RequestBytes;
use crate::domain::{Text, TokenKey};

/// Names the source of a difference in messages.
const ANSWER_LABEL: &str = "the answer";

/// The idempotency key in an answer, where it differs from the request's: then the answer is another request's, and
/// proves nothing about this one.
pub(super) fn foreign_idempotency_key(frozen: &RequestBytes, answer: &Fields<'_>) -> Option<Text> {
    let requested = frozen.key?.to_string();
    answer.text_or_raw("idempotencyKey").filter(|answer_key| !answer_key.trim().eq_ignore_ascii_case(&requested))
}

/// Differences between the object in an answer and what is expected of it. A field that the answer leaves out is no
/// difference; a field that cannot be read is one, in the service's own spelling.
pub(super) fn answer_differences(
    frozen: &RequestBytes,
    expected: &ExpectedReport<'_>,
    answer: &Fields<'_>,
    wire: &WireNames,
) -> Vec<Text> {
    if frozen.operation.moves_money() {
        return payment_differences(expected, answer, wire);
    }
    let requested: Option<&RawValue> = serde_json::from_str(&frozen.body).ok();
    let Some(requested) = requested.and_then(Fields::from_raw) else { return Vec::new() };
    let key = RequestedPayment { key: requested.text("idempotencyKey"), ..RequestedPayment::default() };
    let reported = ReportedPayment { key: answer.text_or_raw("idempotencyKey"), ..ReportedPayment::default() };
    let mut comparison =
        ResponseComparison { differences: key.differences(&reported, ANSWER_LABEL), request: requested, answer };
    // The answer to a simulated deposit has only an identifier.
    if frozen.operation != Operation::SimulateDeposit {
        for member in COMPARED_MEMBERS {
            comparison.compare(&member, frozen.operation);
        }
    }
    comparison.differences
}

/// A member of requests that create or change an object, which the answer may repeat.
struct ComparedMember {
    name: &'static str,
    /// The word for it in a difference.
    word: &'static str,
    comparison: Comparison,
}

#[derive(Clone, Copy)]
enum Comparison {
    Flag,
    Text(fn(&str, &str) -> bool),
}

const fn compared(name: &'static str, word: &'static str, is_same: fn(&str, &str) -> bool) -> ComparedMember {
    ComparedMember { name, word, comparison: Comparison::Text(is_same) }
}

const fn compared_flag(name: &'static str, word: &'static str) -> ComparedMember {
    ComparedMember { name, word, comparison: Comparison::Flag }
}

const COMPARED_MEMBERS: [ComparedMember; 15] = [
    compared("accountId", "account", str::eq_ignore_ascii_case),
    compared("walletId", "wallet", str::eq_ignore_ascii_case),
    compared("subWalletId", "sub-wallet", str::eq_ignore_ascii_case),
    compared("userId", "user", str::eq_ignore_ascii_case),
    compared("coin", "coin", str::eq_ignore_ascii_case),
    compared("blockchain", "chain", may_be_same_chain_and_network),
    compared("chain", "chain", may_be_same_chain_and_network),
    compared("email", "mail address", str::eq_ignore_ascii_case),
    compared("name", "name", is_identical),
    compared("displayName", "name", is_identical),
    compared("refId", "reference", is_identical),
    compared("clientUserId", "reference", is_identical),
    compared_flag("isActive", "use"),
    compared_flag("autoSweep", "sweeping"),
    compared_flag("canTrade", "trading"),
];

/// The name in the answer of a request's member.
fn name_in_answer(member: &'static str, operation: Operation) -> &'static str {
    match (operation, member) {
        (Operation::UpdateWallet, "walletId") | (Operation::UpdateUser, "userId") => "id",
        (_, "subWalletId") => "walletId",
        _ => member,
    }
}

/// A message where the answer to a request that moves money reports a cost far beyond the expected one.
pub(super) fn excess_costs(frozen: &RequestBytes, expected: &ExpectedReport<'_>, answer: &Fields<'_>) -> Vec<Text> {
    let reported = frozen.operation.moves_money().then(|| reported_payment(answer, frozen.operation));
    reported.and_then(|reported| expected.cost_alarm(&reported)).into_iter().collect()
}

fn payment_differences(expected: &ExpectedReport<'_>, answer: &Fields<'_>, wire: &WireNames) -> Vec<Text> {
    let mut comparison = expected.differences(&reported_payment(answer, expected.draft.operation()), ANSWER_LABEL);
    // A field with several names is compared under each of them.
    let repeated_addresses = RECIPIENT_NAMES.into_iter().chain([wire.withdrawal_address.as_str()]);
    let repeated_addresses =
        repeated_addresses.map(|name| ReportedPayment { to: answer.text_or_raw(name), ..ReportedPayment::default() });
    let memos = MEMO_NAMES.map(|name| ReportedPayment { memo: answer.text_or_raw(name), ..ReportedPayment::default() });
    for difference in repeated_addresses.chain(memos).flat_map(|reported| expected.differences(&reported, ANSWER_LABEL))
    {
        if !comparison.contains(&difference) {
            comparison.push(difference);
        }
    }
    comparison
}

/// The names of a recipient and of a memo in an answer.
const RECIPIENT_NAMES: [&str; 2] = ["toAddress", "withdrawalAddress"];
const MEMO_NAMES: [&str; 2] = ["tagMemo", "memo"];

/// The payment that an answer reports. No specification shows the answers of all operations, so each is parsed under
/// the names of both versions.
fn reported_payment(answer: &Fields<'_>, operation: Operation) -> ReportedPayment {
    let text = |names: &[&str]| names.iter().find_map(|name| answer.text_or_raw(name));
    let decimals = answer.decimals("decimals");
    let is_by_v1 = operation.is_by_v1();
    let tokens = ["tokenSymbol", "tokenTicker", "coin"].iter().filter_map(|name| answer.text_or_raw(name));
    ReportedPayment {
        key: answer.text_or_raw("idempotencyKey"),
        wallet: answer.text_or_raw("walletId"),
        account: answer.text_or_raw("accountId"),
        // By version 1 the request names a sub-wallet, and the answer may name its user differently.
        user: text(if is_by_v1 { &["subWalletId"] } else { &["userId"] }),
        chain: text(&["blockchain", "chain"]),
        tokens: answer.text_or_raw("fromCoin").map_or_else(|| tokens.collect(), |coin| vec![coin]),
        contract: reported_contract(answer),
        amount: reported_amount(answer, "amount", decimals),
        total: reported_amount(answer, "totalAmount", decimals),
        sold_amount: reported_amount(answer, "fromAmount", decimals),
        fee: ["totalFee", "networkFee", "fee"].iter().find_map(|name| reported_amount(answer, name, decimals)),
        fee_token: answer.text_or_raw("feeToken"),
        to: text(&RECIPIENT_NAMES),
        list: (operation == Operation::Batch).then(|| reported_recipients(answer, decimals)).flatten(),
        bought_symbol: answer.text_or_raw("toCoin"),
        reference: text(&["refId", "clientTxId"]),
        note: answer.text_or_raw("note"),
        memo: text(&MEMO_NAMES),
        direction: answer.text_or_raw("txType"),
    }
}

fn reported_contract(answer: &Fields<'_>) -> Option<ReportedContract> {
    let native = answer.flag("isNative");
    let chain = answer.text("blockchain").unwrap_or_default();
    let contract = answer.text_or_raw("tokenAddress");
    match contract.map(|contract| TokenKey::new(&chain, Some(&contract)).contract) {
        Some(Some(contract)) if native != Some(true) => Some(ReportedContract::Address(contract)),
        _ if native == Some(false) => Some(ReportedContract::Unspecified),
        Some(None) => Some(ReportedContract::NativeCoin),
        // Both an address and `isNative`, or `isNative` alone: the flag counts.
        _ => native.map(|_| ReportedContract::NativeCoin),
    }
}

/// The recipients of a batch, as far as the answer repeats their list.
fn reported_recipients(answer: &Fields<'_>, decimals: Option<u8>) -> Option<ReportedRecipientList> {
    let raw =
        answer.get("to").filter(|raw| json_scalars::parse_text(raw).is_none_or(|text| !text.trim().is_empty()))?;
    let Ok(entries) = serde_json::from_str::<Vec<&RawValue>>(raw.get()) else {
        return Some(ReportedRecipientList::Unparsed(Text::clean(raw.get())));
    };
    let entry = |raw: &&RawValue| {
        let Some(fields) = Fields::from_raw(raw) else {
            // An address alone, or an invalid entry.
            let text = json_scalars::parse_text(raw).map_or_else(|| Text::clean(raw.get()), |text| Text::clean(&text));
            return ReportedRecipient { to: Some(text), amount: None };
        };
        ReportedRecipient { to: fields.text_or_raw("address"), amount: reported_amount(&fields, "amount", decimals) }
    };
    Some(ReportedRecipientList::Recipients(entries.iter().map(entry).collect()))
}

fn reported_amount(answer: &Fields<'_>, name: &str, decimals: Option<u8>) -> Option<AmountOrText> {
    if let Some(unparsed) = answer.unreadable_amount(name, decimals) {
        return Some(AmountOrText::Unparsed(unparsed));
    }
    let units = || answer.object(name)?.raw_units().map(AmountOrText::Units);
    answer.amount(name, decimals).map(AmountOrText::Reported).or_else(units)
}

fn is_identical(requested: &str, answer_value: &str) -> bool {
    requested == answer_value
}

struct ResponseComparison<'a, 'b> {
    request: Fields<'a>,
    answer: &'b Fields<'b>,
    differences: Vec<Text>,
}

impl ResponseComparison<'_, '_> {
    fn compare(&mut self, member: &ComparedMember, operation: Operation) {
        let ComparedMember { name, word, comparison } = *member;
        match comparison {
            Comparison::Text(is_same) => {
                let answer_value = self.answer.text_or_raw(name_in_answer(name, operation));
                if let Some((requested, answer_value)) = self.request.text(name).zip(answer_value)
                    && !is_same(&requested, answer_value.trim())
                {
                    self.add_difference(word, &requested, &answer_value);
                }
            }
            Comparison::Flag => {
                let state = |on| if on { "on" } else { "off" };
                if let Some((requested, answer_flag)) = self.request.flag(name).zip(self.answer.flag(name))
                    && requested != answer_flag
                {
                    self.add_difference(word, state(requested), state(answer_flag));
                }
            }
        }
    }

    fn add_difference(&mut self, field: &str, requested: &str, answer_value: &str) {
        self.differences
            .push(Text::clean(&format!("{field}: the request says {requested}, {ANSWER_LABEL} {answer_value}")));
    }
}
