//! The rules on a batch's recipients together, and on the batch as a whole.

use std::collections::{BTreeMap, HashMap};

use super::{GuardedBatch, RecipientFindings, row_labels};
use crate::domain::address::ComparableAddress;
use crate::domain::{Amount, BalanceBasis, Batch};
use crate::guard::{Finding, GuardedPayment, Override, Rule, outlier, truncate_word};

/// How many earlier orders of the same file are shown.
const MAX_SHOWN: usize = 3;

/// More recipients than a batch may have. Which of them to pay first is for the operator to decide, so none is left out
/// here.
pub(super) fn too_many_recipients(case: &GuardedBatch<'_>) -> Option<Finding> {
    let count = case.request.to.len();
    let most = case.facts.policy.batch_recipients.unwrap_or(Batch::DEFAULT_MAX_RECIPIENTS);
    (count > usize::from(most)).then(|| {
        let parts = count.div_ceil(usize::from(most.max(1)));
        Finding::stop(
            Rule::Batch,
            format!(
                "This batch has {count} recipients; a batch may have {most} at most (batch_recipients of the profile). \
                 Split the file into {parts} or more."
            ),
        )
    })
}

pub(super) fn repeated_recipients(batch: &Batch, shapes: &[ComparableAddress]) -> Vec<Finding> {
    let mut indices: HashMap<&ComparableAddress, Vec<usize>> = HashMap::new();
    for (index, shape) in shapes.iter().enumerate() {
        indices.entry(shape).or_default().push(index);
    }
    let repeated_lines: BTreeMap<usize, Vec<usize>> =
        indices.into_values().filter(|rows| rows.len() > 1).filter_map(|rows| Some((*rows.first()?, rows))).collect();
    repeated_lines
        .into_values()
        .map(|rows| {
            let amounts: Vec<&str> =
                rows.iter().filter_map(|row| batch.to.get(*row)).map(|to| to.amount.as_str()).collect();
            let is_same_amount = amounts.windows(2).all(|pair| pair.first() == pair.last());
            let amounts = if is_same_amount { "the same amount each time" } else { "different amounts" };
            let message = format!(
                "{} pay the same recipient, {amounts}: the recipient would be paid {} times.",
                all_row_labels(batch, &rows),
                rows.len()
            );
            let lines = rows.iter().filter_map(|row| {
                let to = batch.to.get(*row)?;
                Some(format!("{:<10}  {} {}", to.location_text(*row), truncate_word(&to.amount), to.address))
            });
            Finding::danger(Rule::Batch, Override::SameRecipient, message).with_lines(lines.take(2 * MAX_SHOWN))
        })
        .collect()
}

/// The locations of rows, listed even if they are all rows of the batch.
fn all_row_labels(batch: &Batch, rows: &[usize]) -> String {
    let all = row_labels(batch, rows);
    if all.starts_with("All") { format!("All {} rows", rows.len()) } else { all }
}

/// The same file was paid before, or may have been, however long ago.
pub(super) fn same_file(case: &GuardedBatch<'_>) -> Option<Finding> {
    let earlier = &case.facts.same_file_orders;
    let first = earlier.first()?;
    let name = case.request.file.as_ref().map_or("of this batch", |file| file.name.as_str());
    let times = if earlier.len() == 1 { "once".to_owned() } else { format!("{} times", earlier.len()) };
    let message = format!(
        "The same file ({}) was paid {times} before ({}). This would pay the whole file again.",
        truncate_word(name),
        truncate_word(&first.state)
    );
    let lines = earlier.iter().take(MAX_SHOWN).map(|order| {
        let at = order.at.format("%Y-%m-%d %H:%M UTC");
        format!(
            "{at}  {} {}, {}",
            order.total.format_grouped(),
            truncate_word(&case.request.token),
            truncate_word(&order.state)
        )
    });
    Some(Finding::danger(Rule::Duplicate, Override::SameFile, message).with_lines(lines))
}

/// Whether the balance covers the amounts and one fee, but not as many fees as there are recipients. The fee of a batch
/// is not documented: usually between one fee and one fee for each recipient.
pub(super) fn uncertain_batch_fee(case: &GuardedBatch<'_>) -> Option<Finding> {
    let is_free = case.facts.wallet.as_ref().and_then(|wallet| wallet.gasless_withdraw) == Some(true);
    let one = case.facts.fee.as_ref().filter(|_| !is_free)?.highest;
    let wallet_balance = case.facts.funds.as_ref().filter(|funds| funds.basis != BalanceBasis::Unknown)?.amount?;
    let count = u16::try_from(case.request.to.len()).ok()?;
    let with = |fee: Amount| case.sender.amount.checked_add_rescaled(fee);
    let bears = |cost: Option<Amount>| cost.is_some_and(|cost| cost.cmp_value(wallet_balance).is_le());
    let most = one.checked_mul(count);
    if bears(most.and_then(with)) || !bears(with(one)) {
        return None;
    }
    let message = "The balance covers the amounts, but perhaps not the fee: it is not known what the service charges for a \
                 batch, and the same payments one by one would cost more than is left.";
    let symbol = truncate_word(&case.request.token);
    let most = most.map_or_else(|| "more than can be counted".to_owned(), Amount::format_grouped);
    Some(Finding::danger(Rule::Balance, Override::FeeUncertain, message.into()).with_lines([
        format!("balance  {} {symbol}", wallet_balance.format_grouped()),
        format!("total    {} {symbol}", case.sender.amount.format_grouped()),
        format!("fee      from {} to {most} {symbol}", one.format_grouped()),
    ]))
}

/// Whether much of the balance goes to recipients that were never paid, to each of them or to all.
pub(super) fn half_of_balance_to_new(
    case: &GuardedBatch<'_>,
    amounts: &[Amount],
    rows: &[RecipientFindings],
) -> Option<Finding> {
    let first = rows.iter().zip(amounts).filter(|(row, _)| row.is_first).map(|(_, amount)| *amount);
    let sum = first.reduce(|sum, amount| sum.checked_add(amount).unwrap_or(sum))?;
    let whole_request = case.request.as_withdrawal_of_total(case.sender.amount);
    let whole = GuardedPayment { request: &whole_request, sender: case.sender, facts: case.facts, now: case.now };
    outlier::half_of_balance_in_batch(&whole, sum)
}

/// The sum of each address over all rows. A sum that overflows stays at the largest that does not.
pub(super) fn totals_by_address<'a>(
    amounts: &[Amount],
    shapes: &'a [ComparableAddress],
) -> HashMap<&'a ComparableAddress, Amount> {
    let mut sums: HashMap<&ComparableAddress, Amount> = HashMap::new();
    for (amount, shape) in amounts.iter().zip(shapes) {
        sums.entry(shape).and_modify(|sum| *sum = sum.checked_add(*amount).unwrap_or(*sum)).or_insert(*amount);
    }
    sums
}
