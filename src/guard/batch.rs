//! The rules for a batch: every rule for each recipient, and rules for the batch as a whole and among its recipients.
//!
//! A recipient is judged by the same rules as a single payment to it. For speed, each rule gets only the facts about
//! the recipient's own address, so that thousands of recipients cost no more than the sum of their own facts.

mod batch_facts;
mod own_references;
mod recipients_together;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashSet};

use super::address::capitalise;
use super::look_alike::{RecipientIndex, TrustedIndex};
use super::{
    Finding, GuardFacts, GuardedPayment, Rule, Severity, address, allow_list, balance, clock, customer, duplicate,
    environment, first_payment, limits, memo, outlier, own_wallet, sort_by_severity, token, unresolved, unspendable,
};
use crate::domain::address::ComparableAddress;
use crate::domain::draft::MemoSupport;
use crate::domain::{Amount, Batch, Sender, Timestamp};
use batch_facts::BatchFacts;

/// A batch under judgement, with the facts around it.
#[derive(Debug, Clone, Copy)]
pub struct GuardedBatch<'a> {
    /// Decoded from the order's request bytes; labels and lines, which these lack, are from the draft.
    pub request: &'a Batch,
    /// The paying side; its amount is the total.
    pub sender: &'a Sender,
    pub facts: &'a GuardFacts,
    pub now: Timestamp,
}

/// The guard's findings on a batch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BatchFindings {
    /// On the batch as a whole, most severe first; findings on recipients name their lines.
    pub findings: Vec<Finding>,
    /// On each recipient, in request order.
    pub rows: Vec<RecipientFindings>,
}

/// The guard's findings on one recipient.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecipientFindings {
    /// Most severe first.
    pub findings: Vec<Finding>,
    /// Whether this console never paid the recipient on this chain.
    pub is_first: bool,
}

/// A recipient of a batch that this console never paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewRecipient {
    /// The index of its first row.
    pub index: usize,
    /// The sum of all its rows.
    pub amount: Amount,
}

/// The distinct recipients that this console never paid, largest amount first.
pub fn new_recipients(batch: &Batch, rows: &[RecipientFindings], decimals: u8) -> Vec<NewRecipient> {
    let Some(amounts) = batch.amounts(decimals) else { return Vec::new() };
    let shapes: Vec<ComparableAddress> = batch.to.iter().map(|to| ComparableAddress::parse(&to.address)).collect();
    let together = recipients_together::totals_by_address(&amounts, &shapes);
    let mut addresses: HashSet<&ComparableAddress> = HashSet::new();
    let new = rows
        .iter()
        .zip(&shapes)
        .zip(&amounts)
        .enumerate()
        .filter(|(_, ((row, shape), _))| row.is_first && addresses.insert(shape));
    let mut new: Vec<NewRecipient> = new
        .map(|(index, ((_, shape), amount))| NewRecipient {
            index,
            amount: together.get(shape).copied().unwrap_or(*amount),
        })
        .collect();
    new.sort_by(|one, other| other.amount.cmp_value(one.amount));
    new
}

/// Judges a batch. Pure.
pub fn judge_batch(case: &GuardedBatch<'_>) -> BatchFindings {
    let case = &GuardedBatch { now: clock::earlier_clock(case.facts, case.now), ..*case };
    let decimals = case.sender.amount.decimals();
    let amounts = case.request.amounts(decimals).filter(|_| !case.request.to.is_empty());
    let is_sum = case.request.total(decimals) == Some(case.sender.amount);
    let Some(amounts) = amounts.filter(|_| is_sum) else {
        let message = "The amounts of the batch do not add up to the total that was checked.";
        return BatchFindings { findings: vec![Finding::stop(Rule::Balance, message.into())], rows: Vec::new() };
    };
    let shapes: Vec<ComparableAddress> =
        case.request.to.iter().map(|to| ComparableAddress::parse(&to.address)).collect();
    let rows = judge_rows(case, &amounts, &shapes);
    let mut findings = judge_whole(case, &shapes);
    findings.extend(new_recipients_note(case, &rows));
    findings.extend(recipients_together::half_of_balance_to_new(case, &amounts, &rows));
    findings.extend(group_findings(case.request, &rows));
    BatchFindings { findings: sort_by_severity(findings), rows }
}

/// The findings on the batch as a whole.
fn judge_whole(case: &GuardedBatch<'_>, shapes: &[ComparableAddress]) -> Vec<Finding> {
    let whole_request = case.request.as_withdrawal_of_total(case.sender.amount);
    let whole = GuardedPayment { request: &whole_request, sender: case.sender, facts: case.facts, now: case.now };
    let rules: [fn(&GuardedPayment<'_>) -> Vec<Finding>; 5] =
        [environment::judge, token::judge, limits::judge_sum, duplicate::judge_batch_reference, balance::judge];
    let mut findings = clock::judge(case.facts);
    findings.extend(rules.iter().flat_map(|rule| rule(&whole)));
    findings.extend(recipients_together::too_many_recipients(case));
    findings.extend(recipients_together::repeated_recipients(case.request, shapes));
    findings.extend(own_references::repeated(case.request));
    findings.extend(recipients_together::same_file(case));
    findings.extend(recipients_together::uncertain_batch_fee(case));
    findings
}

/// The findings on each recipient.
fn judge_rows(case: &GuardedBatch<'_>, amounts: &[Amount], shapes: &[ComparableAddress]) -> Vec<RecipientFindings> {
    let whole = case.request.as_withdrawal_of_total(case.sender.amount);
    let trusted =
        TrustedIndex::of(&GuardedPayment { request: &whole, sender: case.sender, facts: case.facts, now: case.now });
    let all = case.request.to.iter().zip(shapes).map(|(to, shape)| (to.address.as_str(), shape)).collect();
    let among = RecipientIndex::of(all);
    let together = recipients_together::totals_by_address(amounts, shapes);
    let mut nearby = BatchFacts::of(case);
    let by_reference = own_references::payments_by_recipient(case);
    let mut sender = Sender { address: nearby.paying_address(), ..case.sender.clone() };
    let place = |index: usize| case.request.to.get(index).map_or_else(String::new, |to| to.location_text(index));
    let rows = case.request.to.iter().zip(amounts).zip(shapes).enumerate();
    rows.map(|(index, ((to, amount), shape))| {
        let row_request = case.request.withdrawal_to_recipient(to);
        sender.amount = *amount;
        let facts = nearby.for_recipient(index, shape);
        let one = GuardedPayment { request: &row_request, sender: &sender, facts, now: case.now };
        let rules: [fn(&GuardedPayment<'_>) -> Vec<Finding>; 8] = [
            address::judge,
            unspendable::judge,
            own_wallet::judge,
            customer::judge,
            |case| memo::judge(case, MemoSupport::Unsupported),
            duplicate::equal_payments,
            duplicate::judge_recipient,
            first_payment::judge_in_batch,
        ];
        let mut findings: Vec<Finding> = rules.iter().flat_map(|rule| rule(&one)).collect();
        if let Some(payments) = by_reference.get(&index) {
            findings.extend(own_references::judge(&one, to, payments));
        }
        findings.extend(trusted.judge(&to.address, shape));
        findings.extend(among.judge(index, place));
        let is_first = first_payment::is_first_payment(&one, MemoSupport::Unsupported);
        // A recipient's limits apply to the sum of all its rows.
        let sum = Sender { amount: together.get(shape).copied().unwrap_or(*amount), ..sender.clone() };
        let all = GuardedPayment { sender: &sum, ..one };
        findings.extend(limits::judge_payment(&all));
        let of_all: [fn(&GuardedPayment<'_>) -> Vec<Finding>; 3] =
            [|case| outlier::judge(case, MemoSupport::Unsupported), unresolved::judge, allow_list::judge];
        findings.extend(of_all.iter().flat_map(|rule| rule(&all)));
        RecipientFindings { findings: sort_by_severity(findings), is_first }
    })
    .collect()
}

/// The note on how many recipients were never paid.
fn new_recipients_note(case: &GuardedBatch<'_>, rows: &[RecipientFindings]) -> Option<Finding> {
    let (count, new) = (rows.len(), rows.iter().filter(|row| row.is_first).count());
    let message = match new {
        0 if count == 1 => return None,
        0 => format!("This console has paid all of these {count} recipients before."),
        new if new == count => format!(
            "This console has never paid {} before. Compare the addresses with those that the recipients gave you.",
            if count == 1 { "this recipient".to_owned() } else { format!("any of these {count} recipients") }
        ),
        new => format!(
            "This console has never paid {new} of these {count} recipients. They are listed first: compare their addresses with \
             those that they gave you."
        ),
    };
    (!case.request.to.is_empty()).then(|| Finding::note(Rule::FirstPayment, message))
}

/// The findings on recipients, as findings of the batch: an identical finding on several recipients is one finding that
/// lists their locations. Payments that were made before count as identical whatever their amounts and times, so that a
/// batch paid again says so once. Notes stay with their recipients.
fn group_findings(batch: &Batch, rows: &[RecipientFindings]) -> Vec<Finding> {
    type Same<'a> = (std::cmp::Reverse<Severity>, Rule, &'a str, &'a [String]);
    let mut groups: BTreeMap<Same<'_>, Vec<(usize, &Finding)>> = BTreeMap::new();
    for (index, row) in rows.iter().enumerate() {
        for finding in row.findings.iter().filter(|finding| finding.severity > Severity::Note) {
            let lines = if finding.rule == Rule::Duplicate { &[] } else { finding.lines.as_slice() };
            let key = (std::cmp::Reverse(finding.severity), finding.rule, &*finding.message, lines);
            groups.entry(key).or_default().push((index, finding));
        }
    }
    let mut groups: Vec<Vec<(usize, &Finding)>> = groups.into_values().collect();
    groups.sort_by_key(|group| group.first().map(|(index, _)| *index));
    let batch_findings = groups.into_iter().filter_map(|group| {
        let (_, finding) = *group.first()?;
        let indices: Vec<usize> = group.iter().map(|(index, _)| *index).collect();
        let message = format!("{}: {}", row_labels(batch, &indices), finding.message);
        Some(Finding { message, lines: group_lines(batch, &group), ..finding.clone() })
    });
    batch_findings.collect()
}

/// The lines of a finding on several recipients: where they differ, those of a few recipients by their locations.
fn group_lines(batch: &Batch, group: &[(usize, &Finding)]) -> Vec<String> {
    let Some((_, first)) = group.first() else { return Vec::new() };
    if group.iter().all(|(_, finding)| finding.lines == first.lines) {
        return first.lines.clone();
    }
    let located = group.iter().take(MAX_LISTED_RECIPIENTS).filter_map(|(index, finding)| {
        let location = batch.to.get(*index)?.location_text(*index);
        Some(finding.lines.iter().take(1).map(move |line| format!("{location:<9} {line}")))
    });
    let mut lines: Vec<String> = located.flatten().collect();
    match group.len().saturating_sub(MAX_LISTED_RECIPIENTS) {
        0 => {}
        more => lines.push(format!("and {more} more recipients")),
    }
    lines
}

/// How many recipients of a finding are listed with the payments that were made before.
const MAX_LISTED_RECIPIENTS: usize = 3;

/// How many locations are named.
const MAX_NAMED_ROWS: usize = 5;

/// The locations of recipients, for the beginning of a sentence.
pub(super) fn row_labels(batch: &Batch, indices: &[usize]) -> String {
    if indices.len() == batch.to.len() && indices.len() > 1 {
        return format!("All {} recipients", indices.len());
    }
    // A recipient added to those of a file has no line: it is named by its row number, as in the list on screen.
    let (lines, added): (Vec<usize>, Vec<usize>) =
        indices.iter().copied().partition(|index| batch.to.get(*index).is_some_and(|to| to.line.is_some()));
    let line = |index: &usize| batch.to.get(*index)?.line.map(|line| line.to_string());
    let named_rows = lines.iter().take(MAX_NAMED_ROWS).filter_map(line).collect::<Vec<_>>();
    let rows =
        added.iter().take(MAX_NAMED_ROWS - named_rows.len()).map(|index| (index + 1).to_string()).collect::<Vec<_>>();
    let row_list = |word: &str, numbers: &[String]| match numbers {
        [] => None,
        [one] => Some(format!("{word} {one}")),
        several => Some(format!("{word}s {}", several.join(", "))),
    };
    let more = indices.len() - named_rows.len() - rows.len();
    let labels =
        [row_list("line", &named_rows), row_list("row", &rows)].into_iter().flatten().collect::<Vec<_>>().join(", ");
    capitalise(&if more == 0 { labels } else { format!("{labels} and {more} more") })
}
