//! A batch: every rule for every recipient, what holds of all of them together, and of them among each other.
//!
//! A recipient is judged by the same rules as a payment to it alone would be. So that thousands of them cost no more than
//! the sum of their own, each rule is told only of what lies at the recipient's own address.

mod among;
mod nearby;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashSet};

use super::address::capitalised;
use super::look_alike::{Index, Rows};
use super::{
    Case, Finding, Knowledge, Rule, Severity, address, allow_list, balance, clock, customer, duplicate, environment,
    first_payment, limits, memo, outlier, own_wallet, sorted, token, unresolved, unspendable,
};
use crate::domain::address::Shape;
use crate::domain::draft::Tag;
use crate::domain::{Amount, Batch, Sender, Timestamp};
use nearby::Nearby;

/// A batch, and what is known around it.
#[derive(Debug, Clone, Copy)]
pub struct BatchCase<'a> {
    /// What its frozen bytes say. Labels and lines, which they do not say, are from the draft.
    pub says: &'a Batch,
    /// The paying side; its amount is the total.
    pub sender: &'a Sender,
    /// What is known.
    pub known: &'a Knowledge,
    /// The time.
    pub now: Timestamp,
}

/// What the operator must be told of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Judged {
    /// Of the batch as a whole, the gravest first; what is said of recipients names their lines.
    pub findings: Vec<Finding>,
    /// Of each recipient, in their order.
    pub rows: Vec<JudgedRow>,
}

/// What the operator must be told of one recipient.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JudgedRow {
    /// What the rules say of it, the gravest first.
    pub findings: Vec<Finding>,
    /// Whether this console never paid it on this chain.
    pub is_first: bool,
}

/// A recipient of a batch whom this console never paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewRecipient {
    /// The first of its rows.
    pub index: usize,
    /// How much it gets by all of them.
    pub amount: Amount,
}

/// Recipients whom this console never paid, each once, those who get most first.
pub fn new_recipients(says: &Batch, rows: &[JudgedRow], decimals: u8) -> Vec<NewRecipient> {
    let Some(amounts) = says.amounts(decimals) else { return Vec::new() };
    let shapes: Vec<Shape> = says.to.iter().map(|to| Shape::of(&to.address)).collect();
    let together = among::together(&amounts, &shapes);
    let mut met: HashSet<&Shape> = HashSet::new();
    let new = rows
        .iter()
        .zip(&shapes)
        .zip(&amounts)
        .enumerate()
        .filter(|(_, ((row, shape), _))| row.is_first && met.insert(shape));
    let mut new: Vec<NewRecipient> = new
        .map(|(index, ((_, shape), amount))| NewRecipient {
            index,
            amount: together.get(shape).copied().unwrap_or(*amount),
        })
        .collect();
    new.sort_by(|one, other| other.amount.cmp_value(one.amount));
    new
}

/// What the operator must be told of a batch. Pure.
pub fn judge_batch(case: &BatchCase<'_>) -> Judged {
    let case = &BatchCase { now: clock::earlier(case.known, case.now), ..*case };
    let decimals = case.sender.amount.decimals();
    let amounts = case.says.amounts(decimals).filter(|_| !case.says.to.is_empty());
    let is_sum = case.says.total(decimals) == Some(case.sender.amount);
    let Some(amounts) = amounts.filter(|_| is_sum) else {
        let words = "The amounts of the batch add up to something else than was checked.";
        return Judged { findings: vec![Finding::stop(Rule::Balance, words.into())], rows: Vec::new() };
    };
    let shapes: Vec<Shape> = case.says.to.iter().map(|to| Shape::of(&to.address)).collect();
    let rows = rows(case, &amounts, &shapes);
    let mut findings = whole(case, &shapes);
    findings.extend(first(case, &rows));
    findings.extend(among::half(case, &amounts, &rows));
    findings.extend(grouped(case.says, &rows));
    Judged { findings: sorted(findings), rows }
}

/// What holds of all of it together.
fn whole(case: &BatchCase<'_>, shapes: &[Shape]) -> Vec<Finding> {
    let says = case.says.whole(case.sender.amount);
    let whole = Case { says: &says, sender: case.sender, known: case.known, now: case.now };
    let rules: [fn(&Case<'_>) -> Vec<Finding>; 5] =
        [environment::judge, token::judge, limits::of_sum, duplicate::of_order, balance::judge];
    let mut findings = clock::judge(case.known);
    findings.extend(rules.iter().flat_map(|rule| rule(&whole)));
    findings.extend(among::too_many(case));
    findings.extend(among::twice(case.says, shapes));
    findings.extend(among::same_file(case));
    findings.extend(among::fee(case));
    findings
}

/// What each recipient's own rules say.
fn rows(case: &BatchCase<'_>, amounts: &[Amount], shapes: &[Shape]) -> Vec<JudgedRow> {
    let whole = case.says.whole(case.sender.amount);
    let trusted = Index::of(&Case { says: &whole, sender: case.sender, known: case.known, now: case.now });
    let all = case.says.to.iter().zip(shapes).map(|(to, shape)| (to.address.as_str(), shape)).collect();
    let among = Rows::of(all);
    let together = among::together(amounts, shapes);
    let mut nearby = Nearby::of(case);
    let mut sender = Sender { address: nearby.paying(), ..case.sender.clone() };
    let place = |index: usize| case.says.to.get(index).map_or_else(String::new, |to| to.place(index));
    let rows = case.says.to.iter().zip(amounts).zip(shapes).enumerate();
    rows.map(|(index, ((to, amount), shape))| {
        let says = case.says.payment(to);
        sender.amount = *amount;
        let known = nearby.at(index, shape);
        let one = Case { says: &says, sender: &sender, known, now: case.now };
        let rules: [fn(&Case<'_>) -> Vec<Finding>; 8] = [
            address::judge,
            unspendable::judge,
            own_wallet::judge,
            customer::judge,
            |case| memo::judge(case, Tag::NoPlace),
            duplicate::equal,
            duplicate::of_recipient,
            first_payment::in_batch,
        ];
        let mut findings: Vec<Finding> = rules.iter().flat_map(|rule| rule(&one)).collect();
        findings.extend(trusted.judge(&to.address, shape));
        findings.extend(among.judge(index, place));
        let is_first = first_payment::is_first(&one, Tag::NoPlace);
        // What somebody gets is bounded in all, however many rows name him.
        let sum = Sender { amount: together.get(shape).copied().unwrap_or(*amount), ..sender.clone() };
        let all = Case { sender: &sum, ..one };
        findings.extend(limits::of_payment(&all));
        let of_all: [fn(&Case<'_>) -> Vec<Finding>; 3] =
            [|case| outlier::judge(case, Tag::NoPlace), unresolved::judge, allow_list::judge];
        findings.extend(of_all.iter().flat_map(|rule| rule(&all)));
        JudgedRow { findings: sorted(findings), is_first }
    })
    .collect()
}

/// How many were never paid.
fn first(case: &BatchCase<'_>, rows: &[JudgedRow]) -> Option<Finding> {
    let (count, new) = (rows.len(), rows.iter().filter(|row| row.is_first).count());
    let words = match new {
        0 if count == 1 => return None,
        0 => format!("This console has paid all of these {count} recipients before."),
        new if new == count => format!(
            "This console never paid {} before. Compare the addresses with those that the recipients gave to you.",
            if count == 1 { "this recipient".to_owned() } else { format!("any of these {count} recipients") }
        ),
        new => format!(
            "This console never paid {new} of these {count} recipients. They stand first: compare their addresses with \
             those that they gave to you."
        ),
    };
    (!case.says.to.is_empty()).then(|| Finding::note(Rule::FirstPayment, words))
}

/// What is said of recipients, as findings of the whole: where several have the very same said of them, once, with all
/// their places. Notes on single recipients stand beside these alone.
fn grouped(says: &Batch, rows: &[JudgedRow]) -> Vec<Finding> {
    type Same<'a> = (std::cmp::Reverse<Severity>, Rule, &'a str, &'a [String]);
    let mut groups: BTreeMap<Same<'_>, (&Finding, Vec<usize>)> = BTreeMap::new();
    for (index, row) in rows.iter().enumerate() {
        for finding in row.findings.iter().filter(|finding| finding.severity > Severity::Note) {
            let same = (std::cmp::Reverse(finding.severity), finding.rule, &*finding.words, &*finding.lines);
            groups.entry(same).or_insert_with(|| (finding, Vec::new())).1.push(index);
        }
    }
    let mut groups: Vec<(&Finding, Vec<usize>)> = groups.into_values().collect();
    groups.sort_by_key(|(_, indices)| indices.first().copied());
    let told = groups.into_iter().map(|(finding, indices)| {
        let words = format!("{}: {}", places(says, &indices), finding.words);
        Finding { words, ..finding.clone() }
    });
    told.collect()
}

/// So many places are named.
const NAMED: usize = 5;

/// Where recipients stand, for the beginning of a sentence.
pub(super) fn places(says: &Batch, indices: &[usize]) -> String {
    if indices.len() == says.to.len() && indices.len() > 1 {
        return format!("All {} recipients", indices.len());
    }
    // One that was added to those of a file has no line: it is told by its number in the list, as the list tells it.
    let (lines, added): (Vec<usize>, Vec<usize>) =
        indices.iter().copied().partition(|index| says.to.get(*index).is_some_and(|to| to.line.is_some()));
    let line = |index: &usize| says.to.get(*index)?.line.map(|line| line.to_string());
    let named = lines.iter().take(NAMED).filter_map(line).collect::<Vec<_>>();
    let rows = added.iter().take(NAMED - named.len()).map(|index| (index + 1).to_string()).collect::<Vec<_>>();
    let some = |word: &str, numbers: &[String]| match numbers {
        [] => None,
        [one] => Some(format!("{word} {one}")),
        several => Some(format!("{word}s {}", several.join(", "))),
    };
    let more = indices.len() - named.len() - rows.len();
    let told = [some("line", &named), some("row", &rows)].into_iter().flatten().collect::<Vec<_>>().join(", ");
    capitalised(&if more == 0 { told } else { format!("{told} and {more} more") })
}
