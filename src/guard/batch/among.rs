//! What holds of a batch's recipients among each other, and of the batch as one.

use std::collections::{BTreeMap, HashMap};

use super::{BatchCase, JudgedRow, places};
use crate::domain::address::Shape;
use crate::domain::{Amount, Basis, Batch};
use crate::guard::{Case, Finding, Override, Rule, outlier, short};

/// So many earlier orders of the same file are shown.
const SHOWN: usize = 3;

/// More recipients than a batch may have. Which of them to pay first is for people to say, so that none is left out here.
pub(super) fn too_many(case: &BatchCase<'_>) -> Option<Finding> {
    let count = case.says.to.len();
    let most = case.known.policy.batch_recipients.unwrap_or(Batch::MOST);
    (count > usize::from(most)).then(|| {
        let parts = count.div_ceil(usize::from(most.max(1)));
        Finding::stop(
            Rule::Batch,
            format!(
                "This batch has {count} recipients, and one may have {most} at most (batch_recipients of the profile). \
                 Split the file into {parts} or more."
            ),
        )
    })
}

/// Recipients who stand there more than once.
pub(super) fn twice(says: &Batch, shapes: &[Shape]) -> Vec<Finding> {
    let mut seen: HashMap<&Shape, Vec<usize>> = HashMap::new();
    for (index, shape) in shapes.iter().enumerate() {
        seen.entry(shape).or_default().push(index);
    }
    // In the order of the rows.
    let again: BTreeMap<usize, Vec<usize>> =
        seen.into_values().filter(|rows| rows.len() > 1).filter_map(|rows| Some((*rows.first()?, rows))).collect();
    again
        .into_values()
        .map(|rows| {
            let amounts: Vec<&str> =
                rows.iter().filter_map(|row| says.to.get(*row)).map(|to| to.amount.as_str()).collect();
            let same = amounts.windows(2).all(|pair| pair.first() == pair.last());
            let amounts = if same { "the same amount each time" } else { "different amounts" };
            let words = format!(
                "{} pay the same recipient, {amounts}: it would be paid {} times.",
                listed(says, &rows),
                rows.len()
            );
            let lines = rows.iter().filter_map(|row| {
                let to = says.to.get(*row)?;
                Some(format!("{:<10}  {} {}", to.place(*row), short(&to.amount), to.address))
            });
            Finding::danger(Rule::Batch, Override::SameRecipient, words).with(lines.take(2 * SHOWN))
        })
        .collect()
}

/// Where rows stand, even if they are all that there are.
fn listed(says: &Batch, rows: &[usize]) -> String {
    let all = places(says, rows);
    if all.starts_with("All") { format!("All {} rows", rows.len()) } else { all }
}

/// The same file was paid before, or may have been, however long ago.
pub(super) fn same_file(case: &BatchCase<'_>) -> Option<Finding> {
    let earlier = &case.known.same_file;
    let first = earlier.first()?;
    let name = case.says.file.as_ref().map_or("of this batch", |file| file.name.as_str());
    let times = if earlier.len() == 1 { "once".to_owned() } else { format!("{} times", earlier.len()) };
    let words = format!(
        "The very same file ({}) was paid {times} before ({}). This would pay all of it again.",
        short(name),
        short(&first.state)
    );
    let lines = earlier.iter().take(SHOWN).map(|paid| {
        let at = paid.at.format("%Y-%m-%d %H:%M UTC");
        format!("{at}  {} {}, {}", paid.total.grouped(), short(&case.says.token), short(&paid.state))
    });
    Some(Finding::danger(Rule::Duplicate, Override::SameFile, words).with(lines))
}

/// Whether the balance bears the amounts and one fee, but not what as many payments one by one would cost. What a batch
/// costs is nowhere said: no more than those, as a rule, and no less than one of them.
pub(super) fn fee(case: &BatchCase<'_>) -> Option<Finding> {
    let is_free = case.known.wallet.as_ref().and_then(|wallet| wallet.gasless_withdraw) == Some(true);
    let one = case.known.fee.as_ref().filter(|_| !is_free)?.highest;
    let held = case.known.funds.as_ref().filter(|funds| funds.basis != Basis::Unknown)?.amount?;
    let count = u16::try_from(case.says.to.len()).ok()?;
    let with = |fee: Amount| case.sender.amount.plus_value(fee);
    let bears = |cost: Option<Amount>| cost.is_some_and(|cost| cost.cmp_value(held).is_le());
    let most = one.times(count);
    if bears(most.and_then(with)) || !bears(with(one)) {
        return None;
    }
    let words = "The balance bears the amounts, but perhaps not the fee: it is not known what this service takes for a \
                 batch, and as many payments one by one would cost more than is left.";
    let symbol = short(&case.says.token);
    let most = most.map_or_else(|| "more than can be counted".to_owned(), Amount::grouped);
    Some(Finding::danger(Rule::Balance, Override::FeeUncertain, words.into()).with([
        format!("balance  {} {symbol}", held.grouped()),
        format!("total    {} {symbol}", case.sender.amount.grouped()),
        format!("fee      from {} to {most} {symbol}", one.grouped()),
    ]))
}

/// Whether much of the balance goes to recipients that were never paid, to each of them or to all.
pub(super) fn half(case: &BatchCase<'_>, amounts: &[Amount], rows: &[JudgedRow]) -> Option<Finding> {
    let first = rows.iter().zip(amounts).filter(|(row, _)| row.is_first).map(|(_, amount)| *amount);
    let sum = first.reduce(|sum, amount| sum.checked_add(amount).unwrap_or(sum))?;
    let says = case.says.whole(case.sender.amount);
    let whole = Case { says: &says, sender: case.sender, known: case.known, now: case.now };
    outlier::half_of_batch(&whole, sum)
}

/// What each address gets in all. A sum beyond what can be counted is left at the largest that can.
pub(super) fn together<'a>(amounts: &[Amount], shapes: &'a [Shape]) -> HashMap<&'a Shape, Amount> {
    let mut sums: HashMap<&Shape, Amount> = HashMap::new();
    for (amount, shape) in amounts.iter().zip(shapes) {
        sums.entry(shape).and_modify(|sum| *sum = sum.checked_add(*amount).unwrap_or(*sum)).or_insert(*amount);
    }
    sums
}
