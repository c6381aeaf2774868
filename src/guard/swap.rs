//! A swap: what is sold is judged like a payment that names no recipient, and what is bought by its quote.

use super::{
    Finding, GuardedPayment, balance, clock, duplicate_swap, environment, limits, quote, sort_by_severity, token,
    unresolved,
};
use crate::domain::draft::Exchange;

/// A swap, and what is known around it.
#[derive(Debug, Clone, Copy)]
pub struct GuardedSwap<'a> {
    /// What is sold, told as a payment to nobody.
    pub sale: GuardedPayment<'a>,
    /// What is exchanged, as its frozen bytes say it.
    pub exchange: Exchange<'a>,
}

/// What the operator must be told of a swap, the gravest first; what is equally grave in the order of the rules.
pub fn judge(case: &GuardedSwap<'_>) -> Vec<Finding> {
    let case = &GuardedSwap { sale: case.sale.by_earlier_clock(), ..*case };
    let of_payments: [fn(&GuardedPayment<'_>) -> Vec<Finding>; 3] =
        [environment::judge, token::judge, balance::judge_sale];
    let findings = clock::judge(case.sale.facts).into_iter();
    let findings = findings.chain(of_payments.iter().flat_map(|rule| rule(&case.sale)));
    let findings = findings.chain(limits::judge_sale(case));
    sort_by_severity(
        findings
            .chain(token::bought(case))
            .chain(unresolved::judge_swap(case))
            .chain(duplicate_swap::judge(case))
            .chain(quote::judge(case))
            .collect(),
    )
}
