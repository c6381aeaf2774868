//! Whether the same was paid just now, by this console or by somebody else.

use std::cmp::Ordering;
use std::time::Duration;

use super::{Case, Finding, Override, Paid, Rule, short};
use crate::domain::address::same;
use crate::domain::chain;

const RULE: Rule = Rule::Duplicate;

/// Within this time an equal payment is taken for the same one.
const DAY: Duration = Duration::from_hours(24);
/// So many earlier payments are shown.
const SHOWN: usize = 3;

pub(super) fn judge(case: &Case<'_>) -> Vec<Finding> {
    equal(case).into_iter().chain(of_order(case)).collect()
}

/// Whether just this recipient got, or may have got, just this amount.
pub(super) fn equal(case: &Case<'_>) -> Vec<Finding> {
    let recent = &case.known.recent;
    let equal = |paid: &&Paid| is_equal(case, paid);
    let unresolved: Vec<&Paid> = recent.iter().filter(|paid| paid.is_unresolved).filter(equal).collect();
    let again: Vec<&Paid> =
        recent.iter().filter(|paid| !paid.is_unresolved && is_recent(case, paid)).filter(equal).collect();
    let mut findings = Vec::new();
    if !unresolved.is_empty() {
        let words =
            "Nobody knows whether an equal payment was made. Settle that order first: it may have been executed.";
        findings.push(Finding::stop(RULE, words.into()).with(shown(&unresolved)));
    }
    if let Some(first) = again.first() {
        let when = if again.len() == 1 { "once".to_owned() } else { format!("{} times", again.len()) };
        let words = format!(
            "The same amount was paid to the same address {when} within 24 hours ({}). This would pay it again.",
            short(&first.state)
        );
        findings.push(Finding::danger(RULE, Override::PayAgain, words).with(shown(&again)));
    }
    findings
}

/// Whether another order is called the same, and whether all of them could be compared.
pub(super) fn of_order(case: &Case<'_>) -> Vec<Finding> {
    let named: Vec<&Paid> = case.known.recent.iter().filter(|paid| has_reference(case, paid)).collect();
    let mut findings = Vec::new();
    if !named.is_empty() {
        let words = "Another payment carries the same reference. It may be the same invoice, paid already.";
        findings.push(Finding::danger(RULE, Override::SameReference, words.into()).with(shown(&named)));
    }
    if let Some(partial) = &case.known.partial {
        let why: String = partial.chars().take(120).collect();
        findings.push(Finding::caution(RULE, format!("Not all earlier payments could be compared: {why}.")));
    }
    findings
}

/// Chain, recipient, token and amount are the same. The request names a token by its symbol, so that one symbol on one
/// chain is one token here, whatever contract a row names.
fn is_equal(case: &Case<'_>, paid: &Paid) -> bool {
    let token = paid.token == case.sender.token || paid.symbol.eq_ignore_ascii_case(&case.says.token);
    token
        && chain::same(&paid.blockchain, &case.says.blockchain)
        && paid.amount.cmp_value(case.sender.amount) == Ordering::Equal
        && same(&paid.to, &case.says.to)
}

/// One of which no time is known may have been made just now; so may one that seems to lie ahead.
fn is_recent(case: &Case<'_>, paid: &Paid) -> bool {
    paid.at.is_none_or(|at| at.age(case.now) <= DAY)
}

fn has_reference(case: &Case<'_>, paid: &Paid) -> bool {
    case.says.ref_id.as_ref().zip(paid.ref_id.as_ref()).is_some_and(|(this, that)| {
        let (this, that) = (this.trim(), that.trim());
        !this.is_empty() && this.eq_ignore_ascii_case(that)
    })
}

fn shown(payments: &[&Paid]) -> Vec<String> {
    let mut lines: Vec<String> = payments.iter().take(SHOWN).map(|paid| line(paid)).collect();
    if payments.len() > SHOWN {
        lines.push(format!("and {} more", payments.len() - SHOWN));
    }
    lines
}

fn line(paid: &Paid) -> String {
    let at = paid.at.map_or_else(|| "time not known".to_owned(), |at| at.format("%Y-%m-%d %H:%M UTC"));
    let by = if paid.intent.is_some() { "" } else { ", not by this console" };
    let reference = paid.ref_id.as_ref().map(|reference| format!(", ref {}", short(reference))).unwrap_or_default();
    format!("{at}  {} {}, {}{by}{reference}", paid.amount.grouped(), short(&paid.symbol), short(&paid.state))
}

#[cfg(test)]
mod tests;
