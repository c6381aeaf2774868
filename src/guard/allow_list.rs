//! Whether the recipient is in the address book, and for how long.

use super::{Finding, GuardedPayment, Outflow, Override, Rule, truncate_word};
use crate::domain::address::is_same_address;
use crate::domain::book::BookEntry;
use crate::domain::{Amount, Timestamp, chain};

const RULE: Rule = Rule::AllowList;

pub(super) fn judge(case: &GuardedPayment<'_>) -> Vec<Finding> {
    let (book, policy) = (&case.facts.book, &case.facts.policy);
    let Some(entry) = book.find(&case.request.to, &case.request.blockchain) else {
        return if policy.allow_list_only { vec![not_in_book(case)] } else { Vec::new() };
    };
    let name = truncate_word(&entry.contact.name);
    if entry.has_cooled(policy.cooling, case.now) {
        return vec![Finding::note(
            RULE,
            format!("This is “{name}” in your address book since {}.", format_time(entry.effective_since)),
        )];
    }
    let cools = format!(
        "This is “{name}” in your address book, and is not trusted yet: it was entered {} and its cooling-off period ends {}.",
        format_time(entry.effective_since),
        format_time(entry.cooling_ends_at(policy.cooling))
    );
    if !policy.allow_list_only {
        return vec![Finding::note(RULE, cools)];
    }
    let limits = policy.limits_for(&case.request.token, &case.request.blockchain);
    let most = limits.iter().filter_map(|limit| limit.while_cooling).reduce(smaller_amount);
    let received_amount = received_since_entry(case, entry);
    let with_this =
        received_amount.and_then(|received_amount| received_amount.checked_add_rescaled(case.sender.amount));
    let is_allowed = most.zip(with_this).is_some_and(|(most, sum)| sum.cmp_value(most).is_le());
    if is_allowed {
        let Some(reason) = uncertainty_reason(case, entry) else { return vec![Finding::note(RULE, cools)] };
        let message = format!(
            "“{name}” is not trusted until {}, and may have received more than this console could count: {reason}.",
            format_time(entry.cooling_ends_at(policy.cooling))
        );
        return vec![Finding::danger(RULE, Override::EntryUncertain, message)];
    }
    let symbol = truncate_word(&case.request.token);
    let received_amount = received_amount.map_or_else(|| "more than can be counted".to_owned(), Amount::format_grouped);
    let most = most.map_or_else(|| "nothing".to_owned(), |most| format!("{} {symbol}", most.format_grouped()));
    vec![Finding::stop(RULE, cools).with_lines([
        format!("amount   {} {symbol}", case.sender.amount.format_grouped()),
        format!("paid     {received_amount} {symbol} to this recipient since it was entered"),
        format!("at most  {most} until then"),
    ])]
}

fn smaller_amount(one: Amount, other: Amount) -> Amount {
    if other.cmp_value(one).is_lt() { other } else { one }
}

/// The token amount that the entry received since it was entered; unresolved payments and those without a time count
/// too. `None` where the sum overflows.
fn received_since_entry(case: &GuardedPayment<'_>, entry: &BookEntry) -> Option<Amount> {
    let all = case.facts.outflows.iter().filter(|spent| counts_as_received(case, entry, spent) == Some(true));
    all.map(|spent| spent.amount).try_fold(Amount::zero(0), Amount::checked_add_rescaled)
}

/// Whether an outflow counts as received by the entry since it was entered; `None` where its recipient, chain or token
/// is not clear.
fn counts_as_received(case: &GuardedPayment<'_>, entry: &BookEntry, spent: &Outflow) -> Option<bool> {
    let is_since = spent.is_unresolved || spent.at.is_none_or(|at| at >= entry.cooling_payments_start(case.now));
    let has_chain = !spent.blockchain.trim().is_empty();
    let is_on_chain = !has_chain || chain::is_same_chain(&spent.blockchain, &entry.contact.blockchain);
    let to = match &spent.to {
        Some(to) if !is_same_address(to, &entry.contact.address) => Some(false),
        Some(_) if has_chain => Some(true),
        _ => None,
    };
    match (is_since && is_on_chain, to, case.is_of_token(spent)) {
        (false, ..) | (_, Some(false), _) | (.., Some(false)) => Some(false),
        (true, Some(true), Some(true)) => Some(true),
        (true, ..) => None,
    }
}

/// Why the entry may have received more than could be counted, if so.
fn uncertainty_reason(case: &GuardedPayment<'_>, entry: &BookEntry) -> Option<String> {
    let unclear = case.facts.outflows.iter().filter(|spent| counts_as_received(case, entry, spent).is_none()).count();
    let reason = if let Some(reason) = &case.facts.outflow_gap {
        reason.to_string()
    } else if case.facts.outflows_known_from.is_none_or(|from| from > entry.cooling_payments_start(case.now)) {
        "the history was not read back to the time of entry".to_owned()
    } else if unclear > 0 {
        format!("for {unclear} of the payments since then the recipient or the token is not clear")
    } else {
        return None;
    };
    Some(reason.chars().take(90).collect())
}

/// The finding that only address-book entries may be paid, and the recipient is none.
fn not_in_book(case: &GuardedPayment<'_>) -> Finding {
    let elsewhere = case.facts.book.find_on_any_chain(&case.request.to).map(|entry| {
        let chain = truncate_word(chain::chain_display_name(&entry.contact.blockchain));
        format!(" The address book has it as “{}” on {chain} only.", truncate_word(&entry.contact.name))
    });
    let message =
        "This address is not in your address book, and the profile's policy allows payments to the address book only.";
    Finding::stop(RULE, format!("{message}{}", elsewhere.unwrap_or_default()))
}

fn format_time(at: Timestamp) -> String {
    at.format("%Y-%m-%d %H:%M UTC")
}

#[cfg(test)]
mod tests;
