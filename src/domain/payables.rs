//! Payables: what is to be paid, as an accounting program lists it, and how much of each was paid.

mod file;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use chrono::NaiveDate;

use super::address::is_same_address;
use super::chain::is_same_chain;
use super::{Amount, Text};

pub use file::{PayablesFile, parse_payables};

/// A line of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payable {
    /// Counted from 1.
    pub line: u64,
    /// Such as an invoice number, by which payments are found.
    pub reference: Text,
    /// The recipient's address.
    pub to: Text,
    /// The recipient's name in the address book, if the list has it in place of the address.
    pub name: Option<Text>,
    pub blockchain: Option<Text>,
    /// The symbol.
    pub token: Text,
    pub amount: Amount,
    pub due: Option<NaiveDate>,
}

/// A payment that carries the reference of a payable, and did not fail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferencedPayment {
    pub to: Text,
    pub blockchain: Text,
    /// The symbol.
    pub token: Text,
    /// What the recipient gets.
    pub amount: Amount,
    pub progress: PaymentProgress,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaymentProgress {
    /// The service has it, and it is not settled.
    Sent,
    Confirmed,
    /// Whether it was made is not known, or the service's reports contradict each other.
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PayableState {
    /// Nothing was paid, and the due date has passed.
    Missing,
    /// More was paid than is owed.
    Over,
    /// The outcome of a payment is not known.
    Unknown,
    /// A part was paid.
    Part,
    /// Nothing was paid, and the due date has not passed.
    Owed,
    /// All of it was sent, and not all of it is settled.
    Sent,
    Confirmed,
}

impl PayableState {
    pub fn word(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Over => "over",
            Self::Unknown => "unknown",
            Self::Part => "part",
            Self::Owed => "owed",
            Self::Sent => "sent",
            Self::Confirmed => "confirmed",
        }
    }

    pub fn needs_person(self) -> bool {
        matches!(self, Self::Missing | Self::Over | Self::Unknown | Self::Part)
    }
}

/// A payable beside what was paid of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayableStatus {
    pub state: PayableState,
    /// Settled.
    pub confirmed: Amount,
    /// Not settled yet, or of unknown outcome.
    pub sent: Amount,
    /// Payments with this reference that are no payment of it: to somebody else, or of another token or chain.
    pub mismatches: Vec<String>,
}

impl PayableStatus {
    /// Compares a payable with the payments that carry its reference; `None` if their sum is beyond any amount.
    pub fn of(payable: &Payable, payments: &[ReferencedPayment], today: NaiveDate) -> Option<Self> {
        let zero = Amount::zero(payable.amount.decimals());
        let (mut confirmed, mut sent, mut is_unknown) = (zero, zero, false);
        let mut mismatches = Vec::new();
        for payment in payments {
            if let Some(difference) = payable.difference(payment) {
                mismatches.push(difference);
                continue;
            }
            let sum = if payment.progress == PaymentProgress::Confirmed { &mut confirmed } else { &mut sent };
            *sum = sum.checked_add_rescaled(payment.amount)?;
            is_unknown |= payment.progress == PaymentProgress::Unknown;
        }
        let paid_amount = confirmed.checked_add_rescaled(sent)?;
        let order = paid_amount.cmp_value(payable.amount);
        let state = if order.is_gt() {
            PayableState::Over
        } else if is_unknown {
            PayableState::Unknown
        } else if paid_amount.is_zero() {
            let is_past = payable.due.is_some_and(|due| due < today);
            if is_past { PayableState::Missing } else { PayableState::Owed }
        } else if order.is_lt() {
            PayableState::Part
        } else if sent.is_zero() {
            PayableState::Confirmed
        } else {
            PayableState::Sent
        };
        Some(Self { state, confirmed, sent, mismatches })
    }

    pub fn needs_person(&self) -> bool {
        self.state.needs_person() || !self.mismatches.is_empty()
    }
}

impl Payable {
    /// Whether a payment with its reference is one of it, whatever the amount.
    pub fn is_paid_by(&self, payment: &ReferencedPayment) -> bool {
        self.difference(payment).is_none()
    }

    /// How a payment with its reference differs from it, beyond the amount.
    fn difference(&self, payment: &ReferencedPayment) -> Option<String> {
        let ReferencedPayment { to, blockchain, token, amount, .. } = payment;
        let amount_paid = format!("{} {token}", amount.format_grouped());
        if !is_same_address(to, &self.to) {
            return Some(format!("{amount_paid} went to {to}"));
        }
        if !token.eq_ignore_ascii_case(&self.token) {
            return Some(format!("{amount_paid} was paid in its place"));
        }
        let is_there = self.blockchain.as_ref().is_none_or(|chain| is_same_chain(chain, blockchain));
        (!is_there).then(|| format!("{amount_paid} was paid on {blockchain}"))
    }
}

/// What payables of one token add up to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayableTotal {
    /// What is to be paid.
    pub amount: Amount,
    pub confirmed: Amount,
    pub sent: Amount,
    /// What is left to be sent.
    pub open: Amount,
    /// What was paid beyond what is owed.
    pub over: Amount,
}

impl PayableTotal {
    /// The totals by token; `None` if one is beyond any amount.
    pub fn by_token<'a>(
        rows: impl Iterator<Item = (&'a Payable, &'a PayableStatus)>,
    ) -> Option<BTreeMap<String, Self>> {
        let mut totals: BTreeMap<String, Self> = BTreeMap::new();
        for (payable, status) in rows {
            let zero = Amount::zero(payable.amount.decimals());
            let total = totals.entry(payable.token.to_uppercase()).or_insert(Self {
                amount: zero,
                confirmed: zero,
                sent: zero,
                open: zero,
                over: zero,
            });
            let paid_amount = status.confirmed.checked_add_rescaled(status.sent)?;
            for (sum, part) in [
                (&mut total.amount, payable.amount),
                (&mut total.confirmed, status.confirmed),
                (&mut total.sent, status.sent),
                (&mut total.open, excess(payable.amount, paid_amount)),
                (&mut total.over, excess(paid_amount, payable.amount)),
            ] {
                *sum = sum.checked_add_rescaled(part)?;
            }
        }
        Some(totals)
    }
}

/// By how much one amount is larger than another; zero if it is not.
fn excess(amount: Amount, other: Amount) -> Amount {
    let decimals = amount.decimals().max(other.decimals());
    let amounts = amount.rescaled(decimals).zip(other.rescaled(decimals));
    amounts.and_then(|(amount, other)| amount.checked_sub(other)).unwrap_or(Amount::zero(decimals))
}
