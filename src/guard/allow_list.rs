//! Whether the recipient stands in the address book, and for how long.

use super::{Case, Finding, Override, Rule, Spent, short};
use crate::domain::address::same;
use crate::domain::book::Known;
use crate::domain::{Amount, Timestamp, chain};

const RULE: Rule = Rule::AllowList;

pub(super) fn judge(case: &Case<'_>) -> Vec<Finding> {
    let (book, policy) = (&case.known.book, &case.known.policy);
    let Some(known) = book.at(&case.says.to, &case.says.blockchain) else {
        return if policy.only_book { vec![stranger(case)] } else { Vec::new() };
    };
    let name = short(&known.contact.name);
    if known.has_cooled(policy.cooling, case.now) {
        return vec![Finding::note(
            RULE,
            format!("This is “{name}” of your address book, there since {}.", moment(known.since)),
        )];
    }
    let cools = format!(
        "This is “{name}” of your address book, and is not trusted yet: it was entered {} and cools until {}.",
        moment(known.since),
        moment(known.cools_until(policy.cooling))
    );
    if !policy.only_book {
        return vec![Finding::note(RULE, cools)];
    }
    let limits = policy.limits_of(&case.says.token, &case.says.blockchain);
    let most = limits.iter().filter_map(|limit| limit.while_cooling).reduce(least);
    let got = got_since(case, known);
    let with_this = got.and_then(|got| got.plus_value(case.sender.amount));
    let is_allowed = most.zip(with_this).is_some_and(|(most, sum)| sum.cmp_value(most).is_le());
    if is_allowed {
        let Some(why) = uncertain(case, known) else { return vec![Finding::note(RULE, cools)] };
        let words = format!(
            "“{name}” is not trusted until {}, and it may have got more by now: {why}.",
            moment(known.cools_until(policy.cooling))
        );
        return vec![Finding::danger(RULE, Override::EntryUncertain, words)];
    }
    let symbol = short(&case.says.token);
    let got = got.map_or_else(|| "more than can be counted".to_owned(), Amount::grouped);
    let most = most.map_or_else(|| "nothing".to_owned(), |most| format!("{} {symbol}", most.grouped()));
    vec![Finding::stop(RULE, cools).with([
        format!("amount   {} {symbol}", case.sender.amount.grouped()),
        format!("paid     {got} {symbol} to it since it was entered"),
        format!("at most  {most} until then"),
    ])]
}

fn least(one: Amount, other: Amount) -> Amount {
    if other.cmp_value(one).is_lt() { other } else { one }
}

/// What the entry got of the token since it stands there; what is unresolved and what has no time count, too. `None` if
/// it is more than can be counted.
fn got_since(case: &Case<'_>, known: &Known) -> Option<Amount> {
    let all = case.known.spent.iter().filter(|spent| went_to(case, known, spent) == Some(true));
    all.map(|spent| spent.amount).try_fold(Amount::zero(0), Amount::plus_value)
}

/// Whether something that left counts as got by the entry since it stands there; `None` where it does not say clearly to
/// whom it went, on which chain, or of which token it was.
fn went_to(case: &Case<'_>, known: &Known, spent: &Spent) -> Option<bool> {
    let is_since = spent.is_unresolved || spent.at.is_none_or(|at| at >= known.counted_from(case.now));
    let has_chain = !spent.blockchain.trim().is_empty();
    let is_on_chain = !has_chain || chain::same(&spent.blockchain, &known.contact.blockchain);
    let to = match &spent.to {
        Some(to) if !same(to, &known.contact.address) => Some(false),
        Some(_) if has_chain => Some(true),
        _ => None,
    };
    match (is_since && is_on_chain, to, case.is_of_token(spent)) {
        (false, ..) | (_, Some(false), _) | (.., Some(false)) => Some(false),
        (true, Some(true), Some(true)) => Some(true),
        (true, ..) => None,
    }
}

/// Why the entry may have got more than could be counted, if so.
fn uncertain(case: &Case<'_>, known: &Known) -> Option<String> {
    let unclear = case.known.spent.iter().filter(|spent| went_to(case, known, spent).is_none()).count();
    let why = if let Some(why) = &case.known.uncounted {
        why.to_string()
    } else if case.known.counted_from.is_none_or(|from| from > known.counted_from(case.now)) {
        "the history was not looked through to when it was entered".to_owned()
    } else if unclear > 0 {
        format!("of {unclear} of the payments since then it is not clear whom or what they paid")
    } else {
        return None;
    };
    Some(why.chars().take(90).collect())
}

/// That only the book is paid, and this is not in it.
fn stranger(case: &Case<'_>) -> Finding {
    let elsewhere = case.known.book.anywhere(&case.says.to).map(|known| {
        let chain = short(chain::display_name(&known.contact.blockchain));
        format!(" It stands there as “{}” on {chain} alone.", short(&known.contact.name))
    });
    let words = "This address is not in your address book, and the profile's policy allows no other to be paid.";
    Finding::stop(RULE, format!("{words}{}", elsewhere.unwrap_or_default()))
}

fn moment(at: Timestamp) -> String {
    at.format("%Y-%m-%d %H:%M UTC")
}

#[cfg(test)]
mod tests;
