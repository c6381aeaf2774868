//! Whether the same was paid just now, by this console or by somebody else.

use std::cmp::Ordering;
use std::time::Duration;

use super::{Case, Finding, Override, Paid, Rule, called, short};
use crate::domain::address::same;
use crate::domain::{address, chain};

const RULE: Rule = Rule::Duplicate;

/// Within this time an equal payment is taken for the same one.
const DAY: Duration = Duration::from_hours(24);
/// So many earlier payments are shown.
const SHOWN: usize = 3;

pub(super) fn judge(case: &Case<'_>) -> Vec<Finding> {
    equal(case).into_iter().chain(named(case)).chain(noted(case)).chain(uncompared(case)).collect()
}

/// Whether just this recipient got just this amount.
pub(super) fn equal(case: &Case<'_>) -> Vec<Finding> {
    let is_again = |paid: &&Paid| !paid.is_unresolved && is_recent(case, paid) && is_equal(case, paid);
    let again: Vec<&Paid> = case.known.recent.iter().filter(is_again).collect();
    let Some(first) = again.first() else { return Vec::new() };
    let when = if again.len() == 1 { "once".to_owned() } else { format!("{} times", again.len()) };
    let words = format!(
        "The same amount was paid to the same address {when} within 24 hours ({}). This would pay it again.",
        short(&first.state)
    );
    vec![Finding::danger(RULE, Override::PayAgain, words).with(shown(&again, |paid| line(case, paid)))]
}

/// Whether another order is called the same as a batch, and whether all of them could be compared. What is no name but
/// for one recipient is compared with those of each.
pub(super) fn of_order(case: &Case<'_>) -> Vec<Finding> {
    named(case).into_iter().chain(uncompared(case)).collect()
}

/// Whether a recipient of a batch got something under the same words before.
pub(super) fn of_recipient(case: &Case<'_>) -> Vec<Finding> {
    noted(case).into_iter().collect()
}

/// Whether something is called the same, whatever its recipient, amount, token and chain are and however old it is.
fn named(case: &Case<'_>) -> Option<Finding> {
    let words = "Another payment carries the same reference or note. It may be the same invoice, paid already.";
    let lines = shown_of(case, |paid| called::is_same(case.says, paid))?;
    Some(Finding::danger(RULE, Override::SameReference, words.into()).with(lines))
}

/// Whether the recipient got something under the same words, without a number in them. Such words recur, as `rent` does.
fn noted(case: &Case<'_>) -> Option<Finding> {
    let is_noted = |paid: &Paid| {
        same(&paid.to, &case.says.to) && called::has_same_words(case.says, paid) && !called::is_same(case.says, paid)
    };
    let lines = shown_of(case, is_noted)?;
    let words = "This recipient was paid under the same words before. It may be the same debt, paid already.";
    Some(Finding::caution(RULE, words.into()).with(lines))
}

/// The lines of the earlier payments that a test picks out, if there are any.
fn shown_of(case: &Case<'_>, is_shown: impl Fn(&Paid) -> bool) -> Option<Vec<String>> {
    let all: Vec<&Paid> = case.known.recent.iter().filter(|paid| is_shown(paid)).collect();
    (!all.is_empty()).then(|| shown(&all, |paid| line(case, paid)))
}

/// Whether all of what was paid lately could be compared.
fn uncompared(case: &Case<'_>) -> Option<Finding> {
    let why: String = case.known.partial.as_ref()?.chars().take(120).collect();
    Some(Finding::caution(RULE, format!("Not all earlier payments could be compared: {why}.")))
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

/// The lines of some of them, and how many more there are.
pub(super) fn shown<T>(all: &[&T], lines: impl Fn(&T) -> Vec<String>) -> Vec<String> {
    let mut told: Vec<String> = all.iter().take(SHOWN).flat_map(|one| lines(one)).collect();
    if all.len() > SHOWN {
        told.push(format!("and {} more", all.len() - SHOWN));
    }
    told
}

/// An earlier payment; where it went, if it is elsewhere than this one.
pub(super) fn line(case: &Case<'_>, paid: &Paid) -> Vec<String> {
    let at = paid.at.map_or_else(|| "time not known".to_owned(), |at| at.format("%Y-%m-%d %H:%M UTC"));
    let by = if paid.intent.is_some() { "" } else { ", not by this console" };
    let reference = paid.ref_id.as_ref().map(|reference| format!(", ref {}", short(reference))).unwrap_or_default();
    let told =
        format!("{at}  {} {}, {}{by}{reference}", paid.amount.grouped(), short(&paid.symbol), short(&paid.state));
    let is_here = same(&paid.to, &case.says.to) && chain::same(&paid.blockchain, &case.says.blockchain);
    let place = || {
        let chain = short(chain::display_name(&paid.blockchain));
        format!("                      to {} on {chain}", short(&address::shorten(&paid.to)))
    };
    std::iter::once(told).chain((!is_here).then(place)).collect()
}

#[cfg(test)]
mod tests;
