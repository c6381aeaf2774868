//! The rules for a swap: its sale is judged like a payment without a recipient, its proceeds by the quote.

use super::facts::GuardedSwap;
use super::{
    Finding, GuardedPayment, balance, clock, duplicate_swap, environment, limits, quote, sort_by_severity, token,
    unresolved,
};

/// Judges a swap: most severe findings first, equally severe ones in the order of the rules.
pub fn judge(case: &GuardedSwap<'_>) -> Vec<Finding> {
    let case = &GuardedSwap { sale: case.sale.by_earlier_clock(), ..*case };
    let of_payments: [fn(&GuardedPayment<'_>) -> Vec<Finding>; 3] =
        [environment::judge, token::judge, balance::judge_sale];
    let findings = clock::judge(case.sale.facts).into_iter();
    let findings = findings.chain(of_payments.iter().flat_map(|rule| rule(&case.sale)));
    let findings = findings.chain(limits::judge_sale(case));
    sort_by_severity(
        findings
            .chain(token::judge_bought_coin(case))
            .chain(unresolved::judge_swap(case))
            .chain(duplicate_swap::judge(case))
            .chain(quote::judge(case))
            .collect(),
    )
}
