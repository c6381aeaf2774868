//! Whether an equal swap was made recently, by this console or by somebody else.

use std::time::Duration;

use super::duplicate::limited_lines;
use super::facts::GuardedSwap;
use super::{Finding, Override, RecentSwap, Rule, truncate_word};
use crate::domain::chain;

const RULE: Rule = Rule::Duplicate;

/// An equal swap within this time counts as the same one.
const DAY: Duration = Duration::from_hours(24);

pub(super) fn judge(case: &GuardedSwap<'_>) -> Vec<Finding> {
    let now = case.sale.now;
    let is_recent = |swap: &&RecentSwap| swap.at.is_none_or(|at| at.age(now) <= DAY);
    let of_known = case.sale.facts.recent_swaps.iter().filter(|swap| !swap.is_unresolved && is_equal_swap(case, swap));
    let repeats: Vec<&RecentSwap> = of_known.filter(is_recent).collect();
    let mut findings = Vec::new();
    if let Some(first) = repeats.first() {
        let when = if repeats.len() == 1 { "once".to_owned() } else { format!("{} times", repeats.len()) };
        let for_what = match &first.to {
            Some(_) => String::new(),
            None => ", for an unknown token".to_owned(),
        };
        let message = format!(
            "The same amount of {} was swapped {when} within 24 hours ({}{for_what}). This would swap it again.",
            truncate_word(case.exchange.from),
            truncate_word(&first.state)
        );
        findings.push(
            Finding::danger(RULE, Override::SwapAgain, message)
                .with_lines(limited_lines(&repeats, |swap| vec![swap_line(swap)])),
        );
    }
    if let Some(partial) = &case.sale.facts.history_gap {
        let reason: String = partial.chars().take(120).collect();
        findings.push(Finding::caution(RULE, format!("Not all earlier swaps could be compared: {reason}.")));
    }
    findings
}

fn is_equal_swap(case: &GuardedSwap<'_>, swap: &RecentSwap) -> bool {
    // By version 1 the service chooses the chain, so the chain chosen here is ignored.
    let earlier = Some(&swap.blockchain).filter(|chain| !chain.trim().is_empty());
    let same_chain =
        earlier.zip(case.exchange.chain).is_none_or(|(earlier, chain)| chain::is_same_chain(earlier, chain));
    let amounts = || swap.amounts.iter().any(|amount| amount.cmp_value(case.sale.sender.amount).is_eq());
    same_chain && is_of_pair(case, swap) && amounts()
}

/// Whether the same coin was sold for the same other coin. A swap whose bought coin is not reported may be of the pair.
pub(super) fn is_of_pair(case: &GuardedSwap<'_>, swap: &RecentSwap) -> bool {
    let is_sold = swap.token == case.sale.sender.token || swap.from.eq_ignore_ascii_case(case.exchange.from);
    is_sold && swap.to.as_ref().is_none_or(|to| to.eq_ignore_ascii_case(case.exchange.to))
}

pub(super) fn swap_line(swap: &RecentSwap) -> String {
    let at = swap.at.map_or_else(|| "time not known".to_owned(), |at| at.format("%Y-%m-%d %H:%M UTC"));
    let amount = swap.amounts.first().map_or_else(|| "—".to_owned(), |amount| amount.format_grouped());
    let to = swap.to.as_ref().map(|to| format!(" for {}", truncate_word(to))).unwrap_or_default();
    let by = if swap.order.is_some() { "" } else { ", not by this console" };
    format!("{at}  {amount} {}{to}, {}{by}", truncate_word(&swap.from), truncate_word(&swap.state))
}
