//! Examples of filters for a line on which nothing is typed yet: each finds rows that are on screen.

use crate::app::list_filter::context::filter_context;
use crate::app::model::{History, Model};
use crate::domain::filter::{Filter, fold_case};
use crate::domain::history::HistoryRow;
use crate::domain::period::named;
use crate::domain::{Amount, ReportedAmount, Status, Text, ValuationAmount};

/// Single words, as they are typed; no word twice.
pub(in crate::app) fn distinct_single_words<'a>(texts: impl IntoIterator<Item = Option<&'a Text>>) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for text in texts.into_iter().flatten().filter(|text| !text.contains(char::is_whitespace)) {
        let word = fold_case(text);
        if !word.is_empty() && !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

pub(in crate::app) fn history_examples(model: &Model, history: &History) -> Vec<String> {
    let rows: Vec<&HistoryRow> = history.listing.rows().iter().filter(|row| !row.suspicious).collect();
    let Some(first) = rows.first() else { return Vec::new() };
    let token = distinct_single_words([Some(&first.transaction.symbol)]).into_iter().next();
    let direction = fold_case(first.transaction.direction.word());
    let side = ["in", "out"].into_iter().find(|side| direction.starts_with(side));
    let pending = rows.iter().any(|row| row.transaction.status == Some(Status::Pending));
    [
        token.zip(side).map(|(token, side)| format!("dir:{side} token:{token}")),
        period_with_rows(model, &rows).map(str::to_owned),
        value_with_rows(model, &rows).map(|bound| format!("value:>={bound}")),
        pending.then(|| "status:pending".to_owned()),
        distinct_single_words([first.wallet_name.as_ref()]).into_iter().next().map(|name| format!("wallet:{name}")),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The shortest period before now that has a row.
fn period_with_rows(model: &Model, rows: &[&HistoryRow]) -> Option<&'static str> {
    let context = filter_context(model);
    named::OFFERED_NAMES.into_iter().find(|period| {
        let [since, before] = Filter::parse(period, &context).time_bounds();
        rows.iter()
            .any(|row| since.is_some_and(|since| since <= row.time) && before.is_some_and(|before| row.time < before))
    })
}

/// The largest round value that a row reaches.
fn value_with_rows(model: &Model, rows: &[&HistoryRow]) -> Option<&'static str> {
    let worth = |row: &HistoryRow| {
        let amount = row.transaction.amount.as_ref().and_then(ReportedAmount::exact)?;
        model.data.prices.valuation_rate(&row.transaction.symbol)?.0.worth(amount)
    };
    let largest: ValuationAmount = rows.iter().filter_map(|row| worth(row)).max()?;
    let bounds = [("1m", "1000000"), ("100k", "100000"), ("10k", "10000"), ("1k", "1000"), ("100", "100")];
    let reached = |digits: &str| {
        let bound = Amount::parse(digits, 0).ok().and_then(ValuationAmount::from_amount);
        bound.is_some_and(|bound| largest >= bound)
    };
    bounds.into_iter().find(|(_, digits)| reached(digits)).map(|(bound, _)| bound)
}
