//! Compares what a service tells of a payment with what was asked for: the answer to the request, and the rows of the
//! history that carry its key. Each difference is an alarm: the service may have mixed up two requests, or somebody
//! between us may have changed one.
//!
//! What is left out is no difference. What stands there and cannot be read was not left out, and is one.

mod batch;
mod contract;
mod fee;
mod list;
mod row;
#[cfg(test)]
mod tests;

use uuid::Uuid;

use super::draft::{Draft, InstantSwap, Sender, Withdrawal};
use super::{Amount, Order, ReportedAmount, Text, address, chain};

pub use batch::Recipients;
pub use contract::ReportedContract;
use fee::FeeBounds;
pub use list::{ToldList, ToldRecipient};

/// What an order expects to be told of itself: what its request says, and what is known beside it.
#[derive(Debug, Clone, Copy)]
pub struct Expectation<'a> {
    /// What the request says.
    pub draft: &'a Draft,
    /// The idempotency key in it.
    pub key: Option<Uuid>,
    /// What is known of the paying side.
    pub sender: Option<&'a Sender>,
    /// The highest fee that one of the past payments of the token took; zero where the service promised to pay the fees.
    pub usual_fee: Option<Amount>,
}

/// A payment as it was asked for, word for word; what was not asked for, or is not known, is absent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RequestedPayment {
    /// The idempotency key.
    pub key: Option<Text>,
    /// The wallet that pays.
    pub wallet: Option<Text>,
    /// The account that the wallet stands in.
    pub account: Option<Text>,
    /// Whose wallet it is.
    pub user: Option<Text>,
    /// The chain.
    pub chain: Option<Text>,
    /// The token's symbol.
    pub token: Option<Text>,
    /// What makes it this token and no other: its contract.
    pub contract: Option<ReportedContract>,
    /// The token's fraction digits.
    pub decimals: Option<u8>,
    /// The amount, as a decimal.
    pub amount: Option<Text>,
    /// The recipient.
    pub to: Option<Text>,
    /// The symbol of what a swap buys.
    pub bought_symbol: Option<Text>,
    /// The business's own reference.
    pub reference: Option<Text>,
    /// The note.
    pub note: Option<Text>,
    /// The memo or tag.
    pub memo: Option<Text>,
    /// Whether funds leave by it, and come in on no row of its own.
    pub pays: bool,
    /// What its fee may come to.
    pub fees: Option<FeeBounds>,
}

/// A payment as a service tells it; what it leaves out is no difference.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReportedPayment {
    /// The idempotency key.
    pub key: Option<Text>,
    /// The wallet that pays.
    pub wallet: Option<Text>,
    /// The account that the wallet stands in.
    pub account: Option<Text>,
    /// Whose wallet it is.
    pub user: Option<Text>,
    /// The chain.
    pub chain: Option<Text>,
    /// The names of the token: one that agrees is enough.
    pub tokens: Vec<Text>,
    /// The token's contract.
    pub contract: Option<ReportedContract>,
    /// The amount.
    pub amount: Option<AmountClaim>,
    /// What left in all.
    pub total: Option<AmountClaim>,
    /// What a swap sold, where that has a name of its own.
    pub sold_amount: Option<AmountClaim>,
    /// The fee.
    pub fee: Option<AmountClaim>,
    /// The token in which the fee was taken; the one that was paid where this is absent.
    pub fee_token: Option<Text>,
    /// The recipient.
    pub to: Option<Text>,
    /// Those whom a batch pays, where their list is repeated.
    pub list: Option<ToldList>,
    /// The symbol of what a swap buys.
    pub bought_symbol: Option<Text>,
    /// The business's own reference.
    pub reference: Option<Text>,
    /// The note.
    pub note: Option<Text>,
    /// The memo or tag.
    pub memo: Option<Text>,
    /// Whether funds came in or went out, in the service's words.
    pub direction: Option<Text>,
}

/// An amount as a service tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AmountClaim {
    /// As a number.
    Reported(ReportedAmount),
    /// In smallest units, of which is not told how many make one.
    Units(Text),
    /// In words that are no number.
    Unparsed(Text),
}

impl<'a> Expectation<'a> {
    /// What an order expects, with the highest fee that past payments of its token took.
    pub fn from_order(order: &'a Order, usual_fee: Option<Amount>) -> Self {
        let drafted = &order.drafted;
        Self { draft: &drafted.draft, key: drafted.request.key, sender: drafted.sender.as_ref(), usual_fee }
    }

    /// Where `teller`, such as “the answer”, tells something else than what is expected, in words. Nothing is expected of
    /// what moves no money.
    pub fn differences(&self, told: &ReportedPayment, teller: &str) -> Vec<Text> {
        let asked = self.asked();
        if let Draft::Batch(batch) = self.draft {
            return Recipients::from_batch(batch).differences(&asked, told, teller);
        }
        if self.draft.exchange().is_some() {
            return differences_of_sale(&asked, told, teller);
        }
        if self.draft.single_payment().is_none() {
            return Vec::new();
        }
        asked.differences(told, teller)
    }

    /// Where what is told costs far more than was to be expected, in words. The payment is the one that was meant all the
    /// same.
    pub fn costs(&self, told: &ReportedPayment) -> Option<Text> {
        let asked = self.asked();
        asked.fees.as_ref()?.excess(&asked, told)
    }

    /// The payment that is expected; of a batch without its recipients and its amount, which its rows may tell apart.
    pub fn asked(&self) -> RequestedPayment {
        let beside = self.requested_context();
        match self.draft {
            Draft::Withdraw(paid) => beside.with_payment(paid),
            // By version 1 the request names whose wallet pays, and an answer may name which that is.
            Draft::Payment(payment) => RequestedPayment {
                wallet: None,
                user: Some(Text::clean(payment.paid.wallet.as_str())),
                memo: payment.memo.clone(),
                fees: beside.fees.clone().map(|fees| fees.with_max_fee(payment.fee.as_ref())),
                ..beside.with_payment(&payment.paid)
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
            // Which of the sub-wallet's wallets is taken, on whichever chain, is the service's own choice.
            Draft::InstantSwap(InstantSwap { sub_wallet, .. }) => RequestedPayment {
                user: Some(Text::clean(sub_wallet.as_str())),
                account: None,
                contract: None,
                ..beside.with_exchange(self.draft)
            },
            _ => beside,
        }
    }

    /// What is expected beside the words of the request.
    fn requested_context(&self) -> RequestedPayment {
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
    fn with_payment(self, paid: &Withdrawal) -> Self {
        Self {
            wallet: Some(Text::clean(paid.wallet.as_str())),
            chain: Some(paid.blockchain.clone()),
            token: Some(paid.token.clone()),
            amount: Some(paid.amount.clone()),
            to: Some(paid.to.clone()),
            reference: paid.ref_id.clone(),
            note: paid.note.clone(),
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

    /// Where `teller`, such as “the answer”, tells something else than was asked for, in words.
    pub fn differences(&self, told: &ReportedPayment, teller: &str) -> Vec<Text> {
        let mut found = Comparison { teller, differences: Vec::new() };
        let exactly = |asked: &str, told: &str| asked.trim() == told;
        found.compare_text("idempotency key", self.key.as_ref(), told.key.as_slice(), str::eq_ignore_ascii_case);
        found.compare_text("wallet", self.wallet.as_ref(), told.wallet.as_slice(), str::eq_ignore_ascii_case);
        found.compare_text("account", self.account.as_ref(), told.account.as_slice(), str::eq_ignore_ascii_case);
        found.compare_text("user", self.user.as_ref(), told.user.as_slice(), str::eq_ignore_ascii_case);
        found.compare_text("chain", self.chain.as_ref(), told.chain.as_slice(), is_same_chain);
        found.compare_text("token", self.token.as_ref(), &told.tokens, str::eq_ignore_ascii_case);
        if let Some((asked, told)) = self.contract.as_ref().zip(told.contract.as_ref())
            && !asked.may_be_same(told)
        {
            found.record_difference("token's contract", &asked.to_string(), &told.to_string());
        }
        found.compare_text(
            "coin bought",
            self.bought_symbol.as_ref(),
            told.bought_symbol.as_slice(),
            str::eq_ignore_ascii_case,
        );
        found.compare_text("reference", self.reference.as_ref(), told.reference.as_slice(), exactly);
        found.compare_text("note", self.note.as_ref(), told.note.as_slice(), exactly);
        found.compare_text("memo", self.memo.as_ref(), told.memo.as_slice(), exactly);
        if let Some(direction) = told.direction.as_ref().filter(|told| self.pays && !may_be_outgoing(told.trim())) {
            found.record_difference("direction", "outgoing", direction);
        }
        let before = found.differences.len();
        if let Some((asked, told)) = self.amount.as_ref().zip(told.amount.as_ref()) {
            found.compare_amount(asked, told, self.decimals);
        }
        // Of another amount the total is another, too, which is no further news.
        let total = told.total.as_ref().filter(|_| found.differences.len() == before);
        found.compare_text("recipient's address", self.to.as_ref(), told.to.as_slice(), is_same_address);
        if let Some(fees) = &self.fees {
            found.differences.extend(fees.differences(self, told, total, teller));
        }
        found.differences
    }
}

/// Compares what is sold by a swap, of which a service may tell the amount in several ways, with its fee or without:
/// one that agrees is enough, as long as each of them can be read.
fn differences_of_sale(asked: &RequestedPayment, told: &ReportedPayment, teller: &str) -> Vec<Text> {
    let amounts: Vec<&AmountClaim> = [&told.sold_amount, &told.total, &told.amount].into_iter().flatten().collect();
    let of = |amount: Option<&AmountClaim>| {
        let told = ReportedPayment { amount: amount.cloned(), to: None, ..told.clone() };
        asked.differences(&told, teller)
    };
    let unread = amounts.iter().find(|amount| matches!(amount, AmountClaim::Unparsed(_)));
    if let Some(unread) = unread {
        return of(Some(unread));
    }
    // The shortest list is the one whose amount agrees, if any does.
    amounts.iter().map(|amount| of(Some(amount))).min_by_key(Vec::len).unwrap_or_else(|| of(None))
}

/// What was found to differ.
struct Comparison<'a> {
    teller: &'a str,
    differences: Vec<Text>,
}

impl Comparison<'_> {
    /// Compares a text with those under which it may be told: one that agrees is enough.
    fn compare_text(&mut self, what: &str, asked: Option<&Text>, told: &[Text], same: fn(&str, &str) -> bool) {
        if let Some((asked, first)) = asked.zip(told.first())
            && !told.iter().any(|told| same(asked, told.trim()))
        {
            self.record_difference(what, asked, first);
        }
    }

    fn compare_amount(&mut self, asked: &Text, told: &AmountClaim, decimals: Option<u8>) {
        let exact = parse_exact(asked);
        match (exact, told) {
            (Some(exact), AmountClaim::Reported(ReportedAmount::Exact(told))) if exact.cmp_value(*told).is_eq() => {}
            (_, AmountClaim::Reported(ReportedAmount::Exact(told))) => {
                self.record_difference("amount", asked, &told.to_string());
            }
            (_, AmountClaim::Reported(ReportedAmount::Disputed { raw, formatted })) => {
                self.record_difference("amount", asked, &format!("both {raw} and {formatted}"));
            }
            (_, AmountClaim::Unparsed(words)) => self.record_difference("amount", asked, words),
            (exact, AmountClaim::Units(units)) => {
                // Without the token's fraction digits they are no amount to compare with.
                let Some(told) = decimals.and_then(|decimals| Amount::parse_raw(units, decimals)) else { return };
                if exact.is_none_or(|exact| exact.cmp_value(told).is_ne()) {
                    self.record_difference("amount", asked, &told.to_string());
                }
            }
        }
    }

    fn record_difference(&mut self, what: &str, asked: &str, told: &str) {
        let teller = self.teller;
        self.differences.push(Text::clean(&format!("{what}: the request says {asked}, {teller} {told}")));
    }
}

/// An amount exactly as it is written.
fn parse_exact(written: &Text) -> Option<Amount> {
    let digits = written.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    u8::try_from(digits).ok().and_then(|digits| Amount::parse(written, digits).ok())
}

/// Whether a word for a direction may be one for what goes out. The words are open: one that nobody knows says nothing,
/// and one that is no word at all says something else.
fn may_be_outgoing(told: &str) -> bool {
    let is_word = told.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    is_word && !["incoming", "true", "false"].iter().any(|other| told.eq_ignore_ascii_case(other))
}

/// Whether two words name one chain. Two networks of a chain are two; a word without a network may mean any of them.
pub fn is_same_chain(a: &str, b: &str) -> bool {
    let networks = chain::network_of(a).zip(chain::network_of(b));
    chain::is_same_chain(a, b) && networks.is_none_or(|(a, b)| a.eq_ignore_ascii_case(b))
}

/// Whether two texts are one address: services write back in their own way what was asked for in another, as addresses of
/// TON. The case of an EVM address is its checksum alone, also on a chain that this program does not know.
fn is_same_address(a: &str, b: &str) -> bool {
    let hex = |text: &str| text.len() == 42 && text.bytes().skip(2).all(|byte| byte.is_ascii_hexdigit());
    address::is_same_address(a, b) || (hex(a) && a.eq_ignore_ascii_case(b))
}
