//! Whether the recipient stands in the address book, and for how long.

use super::{Case, Finding, Rule, short};
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
        return vec![Finding::note(RULE, cools)];
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
    let is_its_own = |spent: &&super::Spent| {
        spent.symbol.eq_ignore_ascii_case(&case.says.token)
            && spent.to.as_ref().is_some_and(|to| known.contact.is_at(to, &spent.blockchain))
            && (spent.is_unresolved || spent.at.is_none_or(|at| at >= known.entered))
    };
    let all = case.known.spent.iter().filter(is_its_own);
    all.map(|spent| spent.amount).try_fold(Amount::zero(0), Amount::plus_value)
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
