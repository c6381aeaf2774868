//! What a filter on transactions may say: hints while it is typed, what completes its last word, and the words of the
//! menu.

use crate::app::menu::Item;
use crate::app::model::Model;
use crate::domain::chain::display_name;
use crate::domain::filter::{Field, Filter, NAMES, fold, named};
use crate::domain::{Direction, Status, SubType, Timestamp};

/// The most values that are offered for one field.
const MOST: usize = 12;

/// A day, in milliseconds.
const DAY: i64 = 86_400_000;

/// What is said beside a filter while it is typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hint {
    /// A word cannot be understood; this would be right.
    Fault(String),
    /// What completes the last word; Tab takes the first.
    Completes(Vec<String>),
}

/// What is to be said of a filter as it stands.
pub fn hint(model: &Model, text: &str) -> Option<Hint> {
    let offers = completions(model, text);
    if !offers.is_empty() {
        return Some(Hint::Completes(offers));
    }
    Filter::parse(text).faults.into_iter().next().map(|fault| Hint::Fault(fault.says))
}

/// The text with its last word completed; `None` where nothing completes it.
pub fn complete(model: &Model, text: &str) -> Option<String> {
    let first = completions(model, text).into_iter().next()?;
    let start = text.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    Some(format!("{}{first}", &text[..start]))
}

/// The words that the last word of a text may become, itself aside.
fn completions(model: &Model, text: &str) -> Vec<String> {
    let word = text.rsplit(char::is_whitespace).next().unwrap_or("");
    if word.is_empty() {
        return Vec::new();
    }
    let folded = fold(word);
    let words: Vec<String> = match named(word) {
        None if word.contains(':') => Vec::new(),
        None => NAMES.iter().map(|(name, _)| format!("{name}:")).collect(),
        Some((field, _)) => {
            let name = NAMES.iter().find(|(_, known)| *known == field).map_or("", |(name, _)| name);
            values(model, field).into_iter().map(|value| format!("{name}:{value}")).collect()
        }
    };
    words.into_iter().filter(|offer| offer.starts_with(&folded) && *offer != folded).take(MOST).collect()
}

/// Values of a field that are known without a look at the history.
fn values(model: &Model, field: Field) -> Vec<String> {
    let lower = |words: &[&str]| words.iter().map(|word| fold(word)).collect();
    match field {
        Field::Direction => vec!["in".into(), "out".into()],
        Field::Status => lower(&[Status::Pending.word(), Status::Success.word(), Status::Failed.word()]),
        Field::SubType => lower(
            &[
                SubType::Deposit,
                SubType::Withdraw,
                SubType::BatchWithdraw,
                SubType::Swap,
                SubType::Sweep,
                SubType::InternalTransfer,
            ]
            .each_ref()
            .map(SubType::word),
        ),
        Field::Token => {
            let held = model.balances.all.iter().filter(|holding| !holding.suspicious).map(|holding| &holding.symbol);
            distinct(held.chain(model.tokens.held().iter().map(|token| &token.symbol)).map(|word| fold(word)))
        }
        Field::Chain => {
            let listed = model.tokens.held().iter().flat_map(|token| &token.blockchains).map(|place| &place.slug);
            let held = model.balances.all.iter().map(|holding| &holding.token.blockchain);
            distinct(held.chain(listed).map(|word| fold(word)))
        }
        Field::From | Field::To => vec![day(model.now, 0), month(model.now)],
        Field::Amount => vec![">=".into(), "<=".into()],
        _ => Vec::new(),
    }
}

fn distinct(words: impl Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for word in words {
        if !word.contains(char::is_whitespace) && !all.contains(&word) {
            all.push(word);
        }
    }
    all
}

/// The day so many days ago.
fn day(now: Timestamp, ago: i64) -> String {
    Timestamp::from_millis(now.millis().saturating_sub(ago * DAY)).format("%Y-%m-%d")
}

fn month(now: Timestamp) -> String {
    now.format("%Y-%m")
}

/// The lines of the menu; those that a filter has already are ticked.
pub(in crate::app) fn items(model: &Model, filter: &str) -> Vec<Item> {
    let now = model.now;
    let item = |name: String, value: String| Item { name, value, ticked: false };
    let mut items = vec![
        item("came in".into(), format!("dir:{}", &Direction::Incoming.word()[..2])),
        item("went out".into(), format!("dir:{}", &Direction::Outgoing.word()[..3])),
    ];
    items.extend(
        values(model, Field::Status).into_iter().map(|status| item(status.clone(), format!("status:{status}"))),
    );
    items.extend([
        item("today (UTC)".into(), format!("from:{}", day(now, 0))),
        item("the last 7 days".into(), format!("from:{}", day(now, 6))),
        item("this month".into(), format!("from:{}", month(now))),
    ]);
    items.extend(
        values(model, Field::SubType).into_iter().map(|kind| item(kind.replace('_', " "), format!("type:{kind}"))),
    );
    let tokens = values(model, Field::Token).into_iter().take(MOST);
    items.extend(tokens.map(|token| item(token.to_uppercase(), format!("token:{token}"))));
    let chains = values(model, Field::Chain).into_iter().take(MOST);
    items.extend(chains.map(|chain| item(display_name(&chain).to_owned(), format!("chain:{chain}"))));
    tick(&mut items, filter);
    items
}

/// Ticks the lines whose words a filter has.
pub(in crate::app) fn tick(items: &mut [Item], filter: &str) {
    for item in items {
        item.ticked = filter.split_whitespace().any(|word| fold(word) == item.value);
    }
}

/// A filter with a word put into it, or taken out where it is there. Of one field it has one word, since a row has one
/// value: another one takes its place.
pub(super) fn toggled(filter: &str, word: &str) -> String {
    let field = named(word).map(|(field, _)| field);
    let had = filter.split_whitespace().any(|known| fold(known) == word);
    let others = filter.split_whitespace().filter(|known| named(known).map(|(field, _)| field) != field);
    let mut words: Vec<&str> = others.collect();
    if !had {
        words.push(word);
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::toggled;

    #[test]
    fn a_field_has_one_word_and_the_others_stay() {
        for (filter, word, after) in [
            ("", "dir:in", "dir:in"),
            ("dir:in", "dir:in", ""),
            ("invoice DIR:IN usdc", "dir:in", "invoice usdc"),
            ("dir:in invoice", "dir:out", "invoice dir:out"),
            ("from:2026-11 to:2026-12", "from:2026-11-02", "to:2026-12 from:2026-11-02"),
        ] {
            assert_eq!(toggled(filter, word), after, "{filter} and {word}");
        }
    }
}
