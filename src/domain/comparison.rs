//! Compares a payment as a service reports it with the request: the response to the request, and the history rows with
//! its key. Each difference is an alarm: the service may have mixed up two requests, or somebody in between may have
//! changed one.
//!
//! An absent field is no difference. A field that is present and unreadable is one.

mod batch;
mod contract;
mod fee;
mod list;
mod row;
#[cfg(test)]
mod tests;

use uuid::Uuid;

use super::draft::{Draft, InstantSwap, Sender, Withdrawal};
use super::{Amount, Order, ReportedAmount, Text, address, chain, network};

pub use batch::BatchRecipients;
pub use contract::ReportedContract;
use fee::FeeBounds;
pub use list::{ReportedRecipient, ReportedRecipientList};

/// What an order's report is expected to state: its request, and what is known beside it.
#[derive(Debug, Clone, Copy)]
pub struct ExpectedReport<'a> {
    pub draft: &'a Draft,
    pub key: Option<Uuid>,
    pub sender: Option<&'a Sender>,
    /// The highest fee of one past payment of the token; zero where the service promised to pay the fees.
    pub usual_fee: Option<Amount>,
}

/// A payment as requested; what was not requested, or is not known, is absent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RequestedPayment {
    pub key: Option<Text>,
    pub wallet: Option<Text>,
    pub account: Option<Text>,
    pub user: Option<Text>,
    pub chain: Option<Text>,
    pub token: Option<Text>,
    /// The token's contract, which alone identifies it.
    pub contract: Option<ReportedContract>,
    pub decimals: Option<u8>,
    /// As a decimal.
    pub amount: Option<Text>,
    pub to: Option<Text>,
    pub bought_symbol: Option<Text>,
    pub reference: Option<Text>,
    pub note: Option<Text>,
    pub memo: Option<Text>,
    /// Whether funds leave without coming in on a row of the same request.
    pub pays: bool,
    pub fees: Option<FeeBounds>,
}

/// A payment as a service reports it; an absent field is no difference.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReportedPayment {
    pub key: Option<Text>,
    pub wallet: Option<Text>,
    pub account: Option<Text>,
    pub user: Option<Text>,
    pub chain: Option<Text>,
    /// The token's names: one that agrees is enough.
    pub tokens: Vec<Text>,
    pub contract: Option<ReportedContract>,
    pub amount: Option<AmountOrText>,
    pub total: Option<AmountOrText>,
    /// The amount sold by a swap, where it has a field of its own.
    pub sold_amount: Option<AmountOrText>,
    pub fee: Option<AmountOrText>,
    /// The token in which the fee was taken; where absent, the token paid.
    pub fee_token: Option<Text>,
    pub to: Option<Text>,
    /// The recipients of a batch, where their list is repeated.
    pub list: Option<ReportedRecipientList>,
    pub bought_symbol: Option<Text>,
    pub reference: Option<Text>,
    pub note: Option<Text>,
    pub memo: Option<Text>,
    /// Whether funds came in or went out, in the service's words.
    pub direction: Option<Text>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AmountOrText {
    Reported(ReportedAmount),
    /// Smallest units, where it is not reported how many make one.
    Units(Text),
    /// Words that are no number.
    Unparsed(Text),
}

impl<'a> ExpectedReport<'a> {
    /// What an order expects. `usual_fee` is the highest fee that past payments of its token took.
    pub fn from_order(order: &'a Order, usual_fee: Option<Amount>) -> Self {
        let drafted = &order.drafted;
        Self { draft: &drafted.draft, key: drafted.request.key, sender: drafted.sender.as_ref(), usual_fee }
    }

    /// Where the report of `source`, such as “the answer”, differs from what is expected, in words. Of an operation
    /// that moves no money nothing is expected.
    pub fn differences(&self, reported: &ReportedPayment, source: &str) -> Vec<Text> {
        let requested = self.expected_payment();
        if let Draft::Batch(batch) = self.draft {
            return BatchRecipients::from_batch(batch).differences(&requested, reported, source);
        }
        if self.draft.exchange().is_some() {
            return swap_sale_differences(&requested, reported, source);
        }
        if self.draft.single_payment().is_none() {
            return Vec::new();
        }
        requested.differences(reported, source)
    }

    /// Where the reported cost is far above what was expected, in words. The payment is the intended one all the same.
    pub fn cost_alarm(&self, reported: &ReportedPayment) -> Option<Text> {
        let requested = self.expected_payment();
        requested.fees.as_ref()?.excess_alarm(&requested, reported)
    }

    /// The payment that is expected; of a batch without its recipients and amount, which its rows may report
    /// separately.
    pub fn expected_payment(&self) -> RequestedPayment {
        let beside = self.expected_sender_fields();
        match self.draft {
            Draft::Withdraw(withdrawal) => beside.with_payment(withdrawal),
            // By version 1 the request names the user whose wallet pays, and an answer may name the wallet.
            Draft::Payment(payment) => RequestedPayment {
                wallet: None,
                user: Some(Text::clean(payment.withdrawal.wallet.as_str())),
                memo: payment.memo.clone(),
                fees: beside.fees.clone().map(|fees| fees.with_max_fee(payment.fee.as_ref())),
                ..beside.with_payment(&payment.withdrawal)
            },
            Draft::Batch(batch) => RequestedPayment {
                wallet: Some(Text::clean(batch.wallet.as_str())),
                chain: Some(batch.blockchain.clone()),
                token: Some(batch.token.clone()),
                reference: batch.ref_id.clone(),
                note: batch.note.clone(),
                ..beside
            },
            Draft::Swap(swap) => RequestedPayment {
                wallet: Some(Text::clean(swap.wallet.as_str())),
                chain: Some(swap.blockchain.clone()),
                note: swap.note.clone(),
                ..beside.with_exchange(self.draft)
            },
            // The service chooses which of the sub-wallet's wallets pays, and on which chain.
            Draft::InstantSwap(InstantSwap { sub_wallet, .. }) => RequestedPayment {
                user: Some(Text::clean(sub_wallet.as_str())),
                account: None,
                contract: None,
                ..beside.with_exchange(self.draft)
            },
            _ => beside,
        }
    }

    /// What is expected beside the content of the request.
    fn expected_sender_fields(&self) -> RequestedPayment {
        let text = |id: &str| Text::clean(id);
        let sender = self.sender;
        RequestedPayment {
            key: self.key.map(|key| text(&key.to_string())),
            account: sender.and_then(|sender| Some(text(sender.account.as_ref()?.as_str()))),
            user: sender.and_then(|sender| Some(text(sender.user.as_ref()?.as_str()))),
            contract: sender.and_then(|sender| ReportedContract::from_token(&sender.token)),
            decimals: sender.map(|sender| sender.amount.decimals()),
            pays: self.draft.exchange().is_none(),
            fees: FeeBounds::for_expectation(self),
            ..RequestedPayment::default()
        }
    }
}

impl RequestedPayment {
    fn with_payment(self, payment: &Withdrawal) -> Self {
        Self {
            wallet: Some(Text::clean(payment.wallet.as_str())),
            chain: Some(payment.blockchain.clone()),
            token: Some(payment.token.clone()),
            amount: Some(payment.amount.clone()),
            to: Some(payment.to.clone()),
            reference: payment.ref_id.clone(),
            note: payment.note.clone(),
            ..self
        }
    }

    fn with_exchange(self, draft: &Draft) -> Self {
        let Some(exchange) = draft.exchange() else { return self };
        Self {
            token: Some(exchange.from.clone()),
            amount: Some(exchange.amount.clone()),
            bought_symbol: Some(exchange.to.clone()),
            reference: exchange.reference.cloned(),
            ..self
        }
    }

    /// Where the report of `source`, such as “the answer”, differs from the request, in words.
    pub fn differences(&self, reported: &ReportedPayment, source: &str) -> Vec<Text> {
        let mut comparison = Comparison { source, differences: Vec::new() };
        let exactly = |requested: &str, reported_text: &str| requested.trim() == reported_text;
        comparison.compare_text(
            "idempotency key",
            self.key.as_ref(),
            reported.key.as_slice(),
            str::eq_ignore_ascii_case,
        );
        comparison.compare_text("wallet", self.wallet.as_ref(), reported.wallet.as_slice(), str::eq_ignore_ascii_case);
        comparison.compare_text(
            "account",
            self.account.as_ref(),
            reported.account.as_slice(),
            str::eq_ignore_ascii_case,
        );
        comparison.compare_text("user", self.user.as_ref(), reported.user.as_slice(), str::eq_ignore_ascii_case);
        comparison.compare_text("chain", self.chain.as_ref(), reported.chain.as_slice(), may_be_same_chain_and_network);
        comparison.compare_text("token", self.token.as_ref(), &reported.tokens, str::eq_ignore_ascii_case);
        if let Some((requested, reported_contract)) = self.contract.as_ref().zip(reported.contract.as_ref())
            && !requested.may_be_same(reported_contract)
        {
            comparison.record_difference("token's contract", &requested.to_string(), &reported_contract.to_string());
        }
        comparison.compare_text(
            "coin bought",
            self.bought_symbol.as_ref(),
            reported.bought_symbol.as_slice(),
            str::eq_ignore_ascii_case,
        );
        comparison.compare_text("reference", self.reference.as_ref(), reported.reference.as_slice(), exactly);
        comparison.compare_text("note", self.note.as_ref(), reported.note.as_slice(), exactly);
        comparison.compare_text("memo", self.memo.as_ref(), reported.memo.as_slice(), exactly);
        if let Some(direction) = reported.direction.as_ref().filter(|word| self.pays && !may_be_outgoing(word.trim())) {
            comparison.record_difference("direction", "outgoing", direction);
        }
        let before = comparison.differences.len();
        if let Some((requested, claim)) = self.amount.as_ref().zip(reported.amount.as_ref()) {
            comparison.compare_amount(requested, claim, self.decimals);
        }
        // If the amount differs, the total does too, which is no second difference.
        let total = reported.total.as_ref().filter(|_| comparison.differences.len() == before);
        comparison.compare_text(
            "recipient's address",
            self.to.as_ref(),
            reported.to.as_slice(),
            is_same_address_or_hex,
        );
        if let Some(fees) = &self.fees {
            comparison.differences.extend(fees.differences(self, reported, total, source));
        }
        comparison.differences
    }
}

/// Compares the sale of a swap. A service may report the amount sold in several fields, with its fee or without: one
/// that agrees is enough, as long as each of them can be read.
fn swap_sale_differences(requested: &RequestedPayment, reported: &ReportedPayment, source: &str) -> Vec<Text> {
    let amounts: Vec<&AmountOrText> =
        [&reported.sold_amount, &reported.total, &reported.amount].into_iter().flatten().collect();
    let of = |amount: Option<&AmountOrText>| {
        let reported_sale = ReportedPayment { amount: amount.cloned(), to: None, ..reported.clone() };
        requested.differences(&reported_sale, source)
    };
    let unread = amounts.iter().find(|amount| matches!(amount, AmountOrText::Unparsed(_)));
    if let Some(unread) = unread {
        return of(Some(unread));
    }
    // The shortest list is the one whose amount agrees, if any does.
    amounts.iter().map(|amount| of(Some(amount))).min_by_key(Vec::len).unwrap_or_else(|| of(None))
}

struct Comparison<'a> {
    source: &'a str,
    differences: Vec<Text>,
}

impl Comparison<'_> {
    /// Compares a text with the values reported for it: one that agrees is enough.
    fn compare_text(
        &mut self,
        field: &str,
        requested: Option<&Text>,
        reported_values: &[Text],
        is_same: fn(&str, &str) -> bool,
    ) {
        if let Some((requested, first)) = requested.zip(reported_values.first())
            && !reported_values.iter().any(|value| is_same(requested, value.trim()))
        {
            self.record_difference(field, requested, first);
        }
    }

    fn compare_amount(&mut self, requested: &Text, claim: &AmountOrText, decimals: Option<u8>) {
        let exact = parse_exact_amount(requested);
        match (exact, claim) {
            (Some(exact), AmountOrText::Reported(ReportedAmount::Exact(reported_amount)))
                if exact.cmp_value(*reported_amount).is_eq() => {}
            (_, AmountOrText::Reported(ReportedAmount::Exact(reported_amount))) => {
                self.record_difference("amount", requested, &reported_amount.to_string());
            }
            (_, AmountOrText::Reported(ReportedAmount::Disputed { raw, formatted })) => {
                self.record_difference("amount", requested, &format!("both {raw} and {formatted}"));
            }
            (_, AmountOrText::Unparsed(unparsed)) => self.record_difference("amount", requested, unparsed),
            (exact, AmountOrText::Units(units)) => {
                // Smallest units cannot be compared without the token's fraction digits.
                let Some(reported_amount) = decimals.and_then(|decimals| Amount::parse_raw(units, decimals)) else {
                    return;
                };
                if exact.is_none_or(|exact| exact.cmp_value(reported_amount).is_ne()) {
                    self.record_difference("amount", requested, &reported_amount.to_string());
                }
            }
        }
    }

    fn record_difference(&mut self, field: &str, requested: &str, reported_text: &str) {
        let source = self.source;
        self.differences.push(Text::clean(&format!("{field}: the request says {requested}, {source} {reported_text}")));
    }
}

/// An amount with exactly the digits written.
fn parse_exact_amount(written: &Text) -> Option<Amount> {
    let digits = written.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    u8::try_from(digits).ok().and_then(|digits| Amount::parse(written, digits).ok())
}

/// Whether a word for a direction may mean outgoing. The words are open: an unknown word says nothing, and a text that
/// is no word at all is a difference.
fn may_be_outgoing(word: &str) -> bool {
    let is_word = word.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    is_word && !["incoming", "true", "false"].iter().any(|other| word.eq_ignore_ascii_case(other))
}

/// Whether two words name one chain. Two networks of a chain differ; a word without a network may mean any of them.
pub fn may_be_same_chain_and_network(a: &str, b: &str) -> bool {
    let networks = network::network_suffix(a).zip(network::network_suffix(b));
    chain::is_same_chain(a, b) && networks.is_none_or(|(a, b)| a.eq_ignore_ascii_case(b))
}

/// Whether two texts are one address: services may report an address in another notation than the request's, as for
/// TON. The case of an EVM address is only its checksum, also on a chain that this program does not know.
fn is_same_address_or_hex(a: &str, b: &str) -> bool {
    let hex = |text: &str| text.len() == 42 && text.bytes().skip(2).all(|byte| byte.is_ascii_hexdigit());
    address::is_same_address(a, b) || (hex(a) && a.eq_ignore_ascii_case(b))
}
