//! Whether the wallet can pay: the amount, and the fee that past payments let expect.

use std::cmp::Ordering;

use super::{Case, Finding, Funds, Override, Rule, Severity, short};
use crate::domain::{Amount, Basis};

const RULE: Rule = Rule::Balance;

pub(super) fn judge(case: &Case<'_>) -> Vec<Finding> {
    of(case, Fee::of(case))
}

/// The same for what is sold by a swap, whose fee is part of it.
pub(super) fn sale(case: &Case<'_>) -> Vec<Finding> {
    of(case, Fee::Within)
}

fn of(case: &Case<'_>, fee: Fee<'_>) -> Vec<Finding> {
    let amount = case.sender.amount;
    let symbol = short(&case.says.token);
    if Amount::parse(&case.says.amount, amount.decimals()) != Ok(amount) {
        let words = "The request names another amount than the one that was checked.";
        let lines = [format!("request  {}", short(&case.says.amount)), format!("checked  {amount}")];
        return vec![Finding::stop(RULE, words.into()).with(lines)];
    }
    if amount.is_zero() {
        return vec![Finding::stop(RULE, "The amount is nothing.".into())];
    }
    let mut findings: Vec<Finding> = fee.finding(&symbol).into_iter().collect();
    let funds = case.known.funds.as_ref();
    let Some((funds, held)) =
        funds.and_then(|funds| Some((funds, funds.amount?))).filter(|(funds, _)| funds.basis != Basis::Unknown)
    else {
        findings.push(Finding::danger(
            RULE,
            Override::BalanceUnknown,
            format!("How much {symbol} the wallet holds is not known, so whether it can pay this is not known either."),
        ));
        return findings;
    };
    if exceeds(amount, fee.highest(), held) {
        findings.push(short_of(case, funds, held, fee));
    } else {
        findings.extend(enough(funds, held, &symbol));
    }
    findings
}

/// What the fee does to the balance.
#[derive(Clone, Copy)]
enum Fee<'a> {
    /// The service pays it.
    None,
    /// It is part of the amount.
    Within,
    /// In the token sent; at most this much, from so many payments.
    Estimated(Amount, u32),
    /// In another token.
    Elsewhere(&'a str),
    /// No past payment tells.
    Unknown,
}

impl<'a> Fee<'a> {
    fn of(case: &Case<'a>) -> Self {
        if case.known.wallet.as_ref().and_then(|wallet| wallet.gasless_withdraw) == Some(true) {
            return Self::None;
        }
        match (&case.known.fee, &case.known.fee_elsewhere) {
            (Some(estimate), _) => Self::Estimated(estimate.highest, estimate.payments),
            (None, Some(token)) => Self::Elsewhere(token),
            (None, None) => Self::Unknown,
        }
    }

    fn highest(self) -> Option<Amount> {
        if let Self::Estimated(highest, _) = self { Some(highest) } else { None }
    }

    fn finding(self, symbol: &str) -> Option<Finding> {
        match self {
            Self::None | Self::Within | Self::Estimated(..) => None,
            Self::Elsewhere(token) => Some(Finding::caution(
                RULE,
                format!(
                    "Past payments of {symbol} took their fee in {}. Whether the wallet has enough of that was not checked.",
                    short(token)
                ),
            )),
            Self::Unknown => Some(Finding::note(
                RULE,
                format!(
                    "The fee is set by the service, and no past payment of {symbol} on this chain tells how much it is."
                ),
            )),
        }
    }
}

/// Whether amount and fee are more than what is held. A sum beyond what any token can hold is more than everything.
fn exceeds(amount: Amount, fee: Option<Amount>, held: Amount) -> bool {
    let Some(fee) = fee.filter(|fee| !fee.is_zero()) else {
        return amount.cmp_value(held) == Ordering::Greater;
    };
    // Digits beyond the token's own would make the fee no fee of this token; then both are told with the longer ones.
    amount.plus_value(fee).is_none_or(|sum| sum.cmp_value(held) == Ordering::Greater)
}

fn short_of(case: &Case<'_>, funds: &Funds, held: Amount, fee: Fee<'_>) -> Finding {
    let symbol = short(&case.says.token);
    let lines = [
        Some(format!("balance  {} {symbol}, {}", held.grouped(), how_known(funds.basis))),
        Some(format!("amount   {} {symbol}", case.sender.amount.grouped())),
        match fee {
            Fee::Estimated(highest, payments) => {
                let from =
                    if payments == 1 { "a past payment".to_owned() } else { format!("{payments} past payments") };
                Some(format!("fee      up to {} {symbol}, from {from}", highest.grouped()))
            }
            Fee::None => Some("fee      none, the service pays it".to_owned()),
            Fee::Within | Fee::Elsewhere(_) | Fee::Unknown => None,
        },
    ];
    let lines = lines.into_iter().flatten();
    let what = if matches!(fee, Fee::Within) { "this swap" } else { "this payment and its fee" };
    // What the service states of a user bounds what one wallet of that user can hold. A figure that is old, or that was
    // summed up here, may be wrong in either direction.
    let is_sure = !funds.is_stale && matches!(funds.basis, Basis::Stated | Basis::Assumed);
    if is_sure {
        Finding::stop(RULE, format!("The wallet does not hold enough {symbol} for {what}.")).with(lines)
    } else {
        let words = format!("As far as is known, the wallet does not hold enough {symbol} for {what}.");
        Finding::danger(RULE, Override::BalanceTooLow, words).with(lines)
    }
}

/// What is to be said where the balance suffices, but is not the service's own fresh word on this wallet.
fn enough(funds: &Funds, held: Amount, symbol: &str) -> Option<Finding> {
    let line = format!("balance  {} {symbol}, {}", held.grouped(), how_known(funds.basis));
    let finding = if funds.is_stale {
        let at =
            funds.as_of.map_or_else(|| "at an unknown time".to_owned(), |at| at.format("on %Y-%m-%d at %H:%M:%S UTC"));
        doubt(Override::BalanceOld, format!("The balance suffices, but was read {at} and could not be read again."))
    } else {
        match funds.basis {
            Basis::Stated | Basis::Unknown => return None,
            // Words that are asked of every payment are soon typed unread, and then protect from nothing.
            Basis::Assumed if funds.adds_up => Finding::note(
                RULE,
                "The balance suffices: it is told by user, and the wallet's own history adds up to the same.".into(),
            ),
            Basis::Assumed => doubt(
                Override::BalanceAssumed,
                "The balance suffices if the user has no other wallet on this chain: the service tells it by user only.".into(),
            ),
            Basis::Derived => doubt(
                Override::BalanceDerived,
                "The balance suffices as far as the history tells: it was summed up here, not stated by the service.".into(),
            ),
        }
    };
    Some(finding.with([line]))
}

/// How grave it is that a balance which suffices is not the service's own fresh word.
const DOUBT: Severity = Severity::Danger;

fn doubt(overridden_by: Override, words: String) -> Finding {
    let danger = Finding::danger(RULE, overridden_by, words);
    Finding { severity: DOUBT, overridden_by: (DOUBT == Severity::Danger).then_some(overridden_by.words()), ..danger }
}

fn how_known(basis: Basis) -> &'static str {
    match basis {
        Basis::Stated => "stated by the service",
        Basis::Assumed => "stated of its user",
        Basis::Derived => "derived from the history",
        Basis::Unknown => "not known",
    }
}

#[cfg(test)]
mod tests;
