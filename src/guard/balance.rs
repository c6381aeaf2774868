//! Whether the wallet can pay the amount, and the fee expected from past payments.

use std::cmp::Ordering;

use super::{Finding, Funds, GuardedPayment, Override, Rule, Severity, truncate_word};
use crate::domain::{Amount, BalanceBasis};

const RULE: Rule = Rule::Balance;

pub(super) fn judge(case: &GuardedPayment<'_>) -> Vec<Finding> {
    judge_with_fee(case, FeeEffect::of(case))
}

/// The same for the sale of a swap, whose fee is part of it.
pub(super) fn judge_sale(case: &GuardedPayment<'_>) -> Vec<Finding> {
    judge_with_fee(case, FeeEffect::Included)
}

fn judge_with_fee(case: &GuardedPayment<'_>, fee: FeeEffect<'_>) -> Vec<Finding> {
    let amount = case.sender.amount;
    let symbol = truncate_word(&case.request.token);
    if Amount::parse(&case.request.amount, amount.decimals()) != Ok(amount) {
        let message = "The amount in the request differs from the amount that was checked.";
        let lines = [format!("request  {}", truncate_word(&case.request.amount)), format!("checked  {amount}")];
        return vec![Finding::stop(RULE, message.into()).with_lines(lines)];
    }
    if amount.is_zero() {
        return vec![Finding::stop(RULE, "The amount is zero.".into())];
    }
    let mut findings: Vec<Finding> = fee.finding(&symbol).into_iter().collect();
    let funds = case.facts.funds.as_ref();
    let Some((funds, wallet_balance)) =
        funds.and_then(|funds| Some((funds, funds.amount?))).filter(|(funds, _)| funds.basis != BalanceBasis::Unknown)
    else {
        findings.push(Finding::danger(
            RULE,
            Override::BalanceUnknown,
            format!("How much {symbol} the wallet holds is not known, so this console cannot check whether it covers this amount."),
        ));
        return findings;
    };
    if exceeds_balance(amount, fee.highest(), wallet_balance) {
        findings.push(insufficient_balance(case, funds, wallet_balance, fee));
    } else {
        findings.extend(uncertain_balance(funds, wallet_balance, &symbol));
    }
    findings
}

/// The fee's effect on the balance.
#[derive(Clone, Copy)]
enum FeeEffect<'a> {
    /// The service pays the fee.
    None,
    /// The fee is part of the amount.
    Included,
    /// In the token sent: the highest fee, over this many payments.
    Estimated(Amount, u32),
    /// In another token.
    OtherToken(&'a str),
    /// There are no past payments to estimate from.
    Unknown,
}

impl<'a> FeeEffect<'a> {
    fn of(case: &GuardedPayment<'a>) -> Self {
        if case.facts.wallet.as_ref().and_then(|wallet| wallet.gasless_withdraw) == Some(true) {
            return Self::None;
        }
        match (&case.facts.fee, &case.facts.fee_elsewhere) {
            (Some(estimate), _) => Self::Estimated(estimate.highest, estimate.payments),
            (None, Some(token)) => Self::OtherToken(token),
            (None, None) => Self::Unknown,
        }
    }

    fn highest(self) -> Option<Amount> {
        if let Self::Estimated(highest, _) = self { Some(highest) } else { None }
    }

    fn finding(self, symbol: &str) -> Option<Finding> {
        match self {
            Self::None | Self::Included | Self::Estimated(..) => None,
            Self::OtherToken(token) => Some(Finding::caution(
                RULE,
                format!(
                    "Past payments of {symbol} paid their fee in {}. Whether the wallet has enough of that token was not checked.",
                    truncate_word(token)
                ),
            )),
            Self::Unknown => Some(Finding::note(
                RULE,
                format!(
                    "The service sets the fee, and no past payment of {symbol} on this chain shows how much it is."
                ),
            )),
        }
    }
}

/// Whether amount and fee exceed the balance. A sum that overflows exceeds any balance.
fn exceeds_balance(amount: Amount, fee: Option<Amount>, wallet_balance: Amount) -> bool {
    let Some(fee) = fee.filter(|fee| !fee.is_zero()) else {
        return amount.cmp_value(wallet_balance) == Ordering::Greater;
    };
    // A fee with more digits than the token has would be in another unit; the sum then uses the larger number of
    // digits.
    amount.checked_add_rescaled(fee).is_none_or(|sum| sum.cmp_value(wallet_balance) == Ordering::Greater)
}

fn insufficient_balance(
    case: &GuardedPayment<'_>,
    funds: &Funds,
    wallet_balance: Amount,
    fee: FeeEffect<'_>,
) -> Finding {
    let symbol = truncate_word(&case.request.token);
    let lines = [
        Some(format!("balance  {} {symbol}, {}", wallet_balance.format_grouped(), basis_label(funds.basis))),
        Some(format!("amount   {} {symbol}", case.sender.amount.format_grouped())),
        match fee {
            FeeEffect::Estimated(highest, payments) => {
                let from =
                    if payments == 1 { "1 past payment".to_owned() } else { format!("{payments} past payments") };
                Some(format!("fee      up to {} {symbol}, from {from}", highest.format_grouped()))
            }
            FeeEffect::None => Some("fee      none, the service pays it".to_owned()),
            FeeEffect::Included | FeeEffect::OtherToken(_) | FeeEffect::Unknown => None,
        },
    ];
    let lines = lines.into_iter().flatten();
    let spending = if matches!(fee, FeeEffect::Included) { "this swap" } else { "this payment and its fee" };
    // The service's figure for a user bounds what one wallet of the user can hold. An old figure, or one calculated
    // from the history, may be wrong in either direction.
    let is_sure = !funds.is_stale && matches!(funds.basis, BalanceBasis::Reported | BalanceBasis::Assumed);
    if is_sure {
        Finding::stop(RULE, format!("The wallet does not hold enough {symbol} for {spending}.")).with_lines(lines)
    } else {
        let message = format!("As far as is known, the wallet does not hold enough {symbol} for {spending}.");
        Finding::danger(RULE, Override::BalanceTooLow, message).with_lines(lines)
    }
}

/// The finding for a sufficient balance that is not a fresh figure of the service for this wallet.
fn uncertain_balance(funds: &Funds, wallet_balance: Amount, symbol: &str) -> Option<Finding> {
    let line = format!("balance  {} {symbol}, {}", wallet_balance.format_grouped(), basis_label(funds.basis));
    let finding = if funds.is_stale {
        let at =
            funds.as_of.map_or_else(|| "at an unknown time".to_owned(), |at| at.format("on %Y-%m-%d at %H:%M:%S UTC"));
        uncertain_finding(
            Override::BalanceOld,
            format!("The balance is sufficient, but was read {at} and could not be refreshed."),
        )
    } else {
        match funds.basis {
            BalanceBasis::Reported | BalanceBasis::Unknown => return None,
            // A phrase that every payment requires is soon typed unread, and then protects nobody.
            BalanceBasis::Assumed if funds.matches_history => Finding::note(
                RULE,
                "The balance is sufficient: the service reports it per user, and the wallet's own history adds up to the same.".into(),
            ),
            BalanceBasis::Assumed => uncertain_finding(
                Override::BalanceAssumed,
                "The balance is sufficient if the user has no other wallet on this chain: the service reports it per user only.".into(),
            ),
            BalanceBasis::Derived => uncertain_finding(
                Override::BalanceDerived,
                "The balance is sufficient as far as the history shows: it was calculated here, not reported by the service.".into(),
            ),
        }
    };
    Some(finding.with_lines([line]))
}

/// The severity of a sufficient balance that is not a fresh figure of the service.
const UNCERTAIN_SEVERITY: Severity = Severity::Danger;

fn uncertain_finding(overridden_by: Override, message: String) -> Finding {
    let danger = Finding::danger(RULE, overridden_by, message);
    Finding {
        severity: UNCERTAIN_SEVERITY,
        override_phrase: (UNCERTAIN_SEVERITY == Severity::Danger).then_some(overridden_by.phrase()),
        ..danger
    }
}

fn basis_label(basis: BalanceBasis) -> &'static str {
    match basis {
        BalanceBasis::Reported => "reported by the service",
        BalanceBasis::Assumed => "reported for its user",
        BalanceBasis::Derived => "calculated from the history",
        BalanceBasis::Unknown => "not known",
    }
}

#[cfg(test)]
mod tests;
