//! A swap: what is sold is judged like a payment that names no recipient, and what is bought by its quote.

use super::{Case, Finding, balance, clock, environment, limits, quote, sorted, swap_again, token, unresolved};
use crate::domain::draft::Exchange;

/// A swap, and what is known around it.
#[derive(Debug, Clone, Copy)]
pub struct SwapCase<'a> {
    /// What is sold, told as a payment to nobody.
    pub sale: Case<'a>,
    /// What is exchanged, as its frozen bytes say it.
    pub exchange: Exchange<'a>,
}

/// What the operator must be told of a swap, the gravest first; what is equally grave in the order of the rules.
pub fn judge(case: &SwapCase<'_>) -> Vec<Finding> {
    let case = &SwapCase { sale: case.sale.by_earlier_clock(), ..*case };
    let of_payments: [fn(&Case<'_>) -> Vec<Finding>; 3] = [environment::judge, token::judge, balance::sale];
    let findings = clock::judge(case.sale.known).into_iter();
    let findings = findings.chain(of_payments.iter().flat_map(|rule| rule(&case.sale)));
    let findings = findings.chain(limits::of_sale(case));
    sorted(
        findings
            .chain(token::bought(case))
            .chain(unresolved::judge_swap(case))
            .chain(swap_again::judge(case))
            .chain(quote::judge(case))
            .collect(),
    )
}
