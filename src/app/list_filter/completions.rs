//! Words of filters on transactions: hints while typing, completion of the last word, and the filter menu.

pub mod completion_state;

use super::context::filter_context;
use super::filter_text::{filter_text_mut, has_named_fields, set_filter};
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::overlays::menu::{self, MenuItem};
use crate::app::pages::registry::pane_logic;
use crate::app::screen::Pane;
use crate::domain::chain::chain_display_name;
use crate::domain::filter::{FIELD_NAMES, Filter, FilterField, fold_case, last_word, split_field, split_words};
use crate::domain::period::named;
use crate::domain::{Direction, Status, SubType, Text};
use completion_state::CompletionState;

const MAX_COMPLETIONS: usize = 12;

/// Shown beside a filter while it is typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FilterHint {
    /// A word cannot be understood; the text explains what would be right.
    Fault(String),
    /// Candidates for the last word; Tab takes the first.
    Completions(Vec<String>),
    /// Filters to begin with, while nothing is typed; in lists of transactions Tab takes the first.
    Examples(Vec<String>),
}

/// The hint for a filter as typed so far.
pub fn filter_hint(model: &Model, pane: Pane, text: &str) -> Option<FilterHint> {
    // While Tab cycles, the hint keeps listing all candidates.
    let stem = if let Mode::Filter { completion: Some(state), .. } = &model.mode
        && state.completed_text == text
    {
        &state.typed_text
    } else {
        text
    };
    let mut offers = word_candidates(model, stem, pane);
    if stem.is_empty() && !offers.is_empty() {
        return Some(FilterHint::Examples(offers));
    }
    if !has_named_fields(pane) {
        return None;
    }
    if !offers.is_empty() {
        offers.truncate(MAX_COMPLETIONS);
        return Some(FilterHint::Completions(offers));
    }
    Filter::parse(text, &filter_context(model)).faults.into_iter().next().map(|fault| FilterHint::Fault(fault.message))
}

/// The text with its last word completed, and the state for the next Tab; `None` if nothing completes it.
///
/// The common prefix of all candidates comes first; once it is typed, each candidate in turn.
pub fn complete_word(
    model: &Model,
    pane: Pane,
    text: &str,
    state: Option<&CompletionState>,
) -> Option<(String, Option<CompletionState>)> {
    let state = state.filter(|state| state.completed_text == text);
    let stem = state.map_or(text, |state| &state.typed_text);
    let (start, word) = last_word(stem);
    let before = &stem[..start];
    let offers = word_candidates(model, stem, pane);
    let (word, goes_on) = next_candidate(&offers, word, state.map(|state| &state.completed_text[before.len()..]))?;
    let completed = format!("{before}{word}");
    Some((
        completed.clone(),
        goes_on.then(|| CompletionState { typed_text: stem.to_owned(), completed_text: completed }),
    ))
}

/// The word that replaces the typed one or the present candidate, and whether others follow.
fn next_candidate<'a>(offers: &'a [String], typed: &str, now: Option<&str>) -> Option<(&'a str, bool)> {
    let first = offers.first()?;
    if let Some(at) = now.and_then(|now| offers.iter().position(|offer| offer == now)) {
        return Some((offers.get(at + 1).unwrap_or(first), true));
    }
    let alike = |word: &str| first.char_indices().zip(word.chars()).find(|((_, a), b)| a != b).map(|((at, _), _)| at);
    let ends = |word: &String| alike(word).unwrap_or_else(|| first.len().min(word.len()));
    let common = &first[..offers.iter().map(ends).min().unwrap_or(first.len())];
    // Case is ignored: a common prefix no longer than the typed word adds nothing.
    if common.len() > fold_case(typed).len() { Some((common, false)) } else { Some((first, offers.len() > 1)) }
}

/// The candidates for the last word of a text, itself excluded; for an empty text whole filters.
fn word_candidates(model: &Model, text: &str, pane: Pane) -> Vec<String> {
    if text.is_empty() {
        // What is on screen behind the veil is no example.
        return if model.session.veil.is_on() { Vec::new() } else { pane_logic(pane).filter_examples(model) };
    }
    let (_, word) = last_word(text);
    if word.is_empty() || !has_named_fields(pane) {
        return Vec::new();
    }
    let folded = fold_case(word);
    let candidates: Vec<String> = match split_field(word) {
        None if word.contains(':') => Vec::new(),
        None => {
            let fields = FIELD_NAMES.iter().map(|(name, _)| format!("{name}:"));
            fields.chain(times()).collect()
        }
        Some((field, _)) => {
            let name = FIELD_NAMES.iter().find(|(_, field_kind)| *field_kind == field).map_or("", |(name, _)| name);
            field_values(model, field).into_iter().map(|value| format!("{name}:{value}")).collect()
        }
    };
    candidates.into_iter().filter(|offer| offer.starts_with(&folded) && *offer != folded).collect()
}

/// Periods by name, and the time since a week ago.
fn times() -> impl Iterator<Item = String> {
    named::OFFERED_NAMES.into_iter().chain(["-7d"]).map(str::to_owned)
}

/// Values of a field that are known without a query of the history.
fn field_values(model: &Model, field: FilterField) -> Vec<String> {
    let lower = |words: &[&str]| words.iter().map(|word| fold_case(word)).collect();
    #[expect(clippy::wildcard_enum_match_arm, reason = "the values of the other fields are not listed")]
    match field {
        FilterField::Direction => vec!["in".into(), "out".into()],
        FilterField::Status => lower(&[Status::Pending.word(), Status::Success.word(), Status::Failed.word()]),
        FilterField::SubType => lower(
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
        FilterField::Token => {
            let balance_symbols = model
                .pages
                .overview
                .balances
                .all
                .iter()
                .filter(|holding| !holding.suspicious)
                .map(|holding| &holding.symbol);
            distinct_words(
                balance_symbols
                    .chain(model.data.listed_tokens.iter().map(|token| &token.symbol))
                    .map(|word| fold_case(word)),
            )
        }
        FilterField::Chain => {
            let slugs = model.data.listed_tokens.iter().flat_map(|token| &token.blockchains).map(|place| &place.slug);
            let balance_chains = model.pages.overview.balances.all.iter().map(|holding| &holding.token.blockchain);
            distinct_words(balance_chains.chain(slugs).map(|word| fold_case(word)))
        }
        FilterField::From | FilterField::To | FilterField::Date => {
            times().chain([model.console.zone.format(model.now, "%Y-%m-%d")]).collect()
        }
        FilterField::Amount | FilterField::Value => vec![">=".into(), "<=".into()],
        FilterField::Age => vec![">usual".into(), ">30m".into(), ">1d".into(), "<1h".into()],
        FilterField::Internal => vec!["no".into(), "yes".into()],
        FilterField::New => vec!["yes".into(), "no".into()],
        // A completed name would be readable through the veil.
        FilterField::Account | FilterField::Wallet if model.session.veil.is_on() => Vec::new(),
        FilterField::Account => {
            single_word_names(model.pages.overview.accounts.rows().iter().map(|account| account.entry.name.as_ref()))
        }
        FilterField::Wallet => {
            single_word_names(model.pages.overview.wallets.rows().iter().map(|wallet| wallet.entry.name.as_ref()))
        }
        _ => Vec::new(),
    }
}

/// Names of one word; others cannot be typed as a value.
fn single_word_names<'a>(names: impl Iterator<Item = Option<&'a Text>>) -> Vec<String> {
    distinct_words(names.flatten().map(|name| fold_case(name)))
}

fn distinct_words(words: impl Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for word in words {
        if !word.contains(char::is_whitespace) && !all.contains(&word) {
            all.push(word);
        }
    }
    all
}

/// Opens the filter menu for the list of transactions that has the focus.
pub(in crate::app) fn open_filter_menu(model: &mut Model) -> Vec<Effect> {
    let pane = model.focus();
    if has_named_fields(pane) {
        let filter = filter_text_mut(model, pane).cloned().unwrap_or_default();
        let items = filter_menu_items(model, &filter);
        menu::open_menu(model, menu::MenuKind::Filter(pane), None, items);
    } else {
        model.notice = Some("only transactions have a filter menu; / filters other lists".into());
    }
    Vec::new()
}

/// Adds a word to the filter of a list, or removes it. Returns the new filter as well.
pub(in crate::app) fn toggle_filter_word(model: &mut Model, pane: Pane, word: &str) -> (Vec<Effect>, String) {
    let filter = filter_text_mut(model, pane).map(|filter| toggle_word(filter, word)).unwrap_or_default();
    (set_filter(model, pane, filter.clone()), filter)
}

/// The items of the filter menu; words in the filter are ticked.
pub(in crate::app) fn filter_menu_items(model: &Model, filter: &str) -> Vec<MenuItem> {
    let item = |name: String, payload: String| MenuItem { name, payload, is_checked: false, is_dim: false };
    let mut items = vec![
        item("incoming".into(), format!("dir:{}", &Direction::Incoming.word()[..2])),
        item("outgoing".into(), format!("dir:{}", &Direction::Outgoing.word()[..3])),
    ];
    items.extend(
        field_values(model, FilterField::Status)
            .into_iter()
            .map(|status| item(status.clone(), format!("status:{status}"))),
    );
    items.extend([
        item("today".into(), "date:today".into()),
        item("yesterday".into(), "date:yesterday".into()),
        item("the last 7 days".into(), "date:-7d".into()),
        item("this month".into(), "date:this month".into()),
        item("last month".into(), "date:last month".into()),
    ]);
    items.extend(
        field_values(model, FilterField::SubType)
            .into_iter()
            .map(|kind| item(kind.replace('_', " "), format!("type:{kind}"))),
    );
    let tokens = field_values(model, FilterField::Token).into_iter().take(MAX_COMPLETIONS);
    items.extend(tokens.map(|token| item(token.to_uppercase(), format!("token:{token}"))));
    let chains = field_values(model, FilterField::Chain).into_iter().take(MAX_COMPLETIONS);
    items.extend(chains.map(|chain| item(chain_display_name(&chain).to_owned(), format!("chain:{chain}"))));
    check_active_items(&mut items, filter);
    items
}

pub(in crate::app) fn check_active_items(items: &mut [MenuItem], filter: &str) {
    for item in items {
        item.is_checked = split_words(filter).iter().any(|word| fold_case(word) == item.payload);
    }
}

/// A filter with a word added, or removed if present. A row has one value of a field, so the word replaces another one
/// of the same field.
pub(super) fn toggle_word(filter: &str, word: &str) -> String {
    let field = split_field(word).map(|(field, _)| field);
    let typed = split_words(filter);
    let had = typed.iter().any(|typed_word| fold_case(typed_word) == word);
    let others = typed.into_iter().filter(|typed_word| split_field(typed_word).map(|(field, _)| field) != field);
    let mut words: Vec<&str> = others.collect();
    if !had {
        words.push(word);
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::{next_candidate, toggle_word};

    #[test]
    fn what_words_have_in_common_is_completed_before_one_of_them_is_chosen() {
        let offers = ["token:usdc", "token:usdt", "token:usdé"].map(str::to_owned);
        assert_eq!(next_candidate(&offers, "TOKEN:u", None), Some(("token:usd", false)));
        assert_eq!(next_candidate(&offers, "token:USD", None), Some(("token:usdc", true)));
        assert_eq!(next_candidate(&offers, "token:usd", Some("token:usdc")), Some(("token:usdt", true)));
        assert_eq!(next_candidate(&offers, "token:usd", Some("token:usdé")), Some(("token:usdc", true)));
        assert_eq!(next_candidate(&offers[..1], "token:usd", None), Some(("token:usdc", false)));
        assert_eq!(
            next_candidate(&["2026-11-21".to_owned(), "2026-11".to_owned()], "2", None),
            Some(("2026-11", false))
        );
        assert_eq!(next_candidate(&[], "x", None), None);
    }

    #[test]
    fn a_field_has_one_word_and_the_others_stay() {
        for (filter, word, after) in [
            ("", "dir:in", "dir:in"),
            ("dir:in", "dir:in", ""),
            ("invoice DIR:IN usdc", "dir:in", "invoice usdc"),
            ("dir:in invoice", "dir:out", "invoice dir:out"),
            ("date:last month usdc", "date:today", "usdc date:today"),
            ("last month date:last month", "date:last month", "last month"),
            ("from:2026-11 to:2026-12", "from:2026-11-02", "to:2026-12 from:2026-11-02"),
        ] {
            assert_eq!(toggle_word(filter, word), after, "{filter} and {word}");
        }
    }
}
