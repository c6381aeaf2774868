//! Absences as they begin and end, and the summary that follows.

use std::sync::Arc;
use std::time::Duration;

use super::{AbsenceState, LastVisit};
use crate::app::data::poll::Dataset;
use crate::app::data::queries;
use crate::app::input::keys::show_page::show_transactions;
use crate::app::model::{Mode, Model};
use crate::app::msg::{Effect, StoreQuery};
use crate::app::pages::Tone;
use crate::app::request_id::RequestId;
use crate::app::screen::HistoryList;
use crate::app::session::events::EventKind;
use crate::domain::chain::chain_display_name;
use crate::domain::history_diff::{HistoryCheckpoint, HistoryDiff, TokenChange};
use crate::domain::{Timestamp, ValuationAmount};

/// The filter that finds what came or changed since the operator was last here.
const CHANGES_FILTER: &str = "new:yes";
/// Shorter absences are not reported.
const SHORTEST_REPORTED_ABSENCE: Duration = Duration::from_secs(10);

fn begin_absence(model: &mut Model) -> Vec<Effect> {
    let now = model.now;
    clear_baseline(model);
    match std::mem::take(&mut model.session.absence.state) {
        // A summary that was not dismissed keeps its start.
        AbsenceState::Returned { since, baseline: mark, changes: missed, .. } if !missed.is_empty() => {
            model.session.absence.state = AbsenceState::Away { since, baseline: Some(mark) };
            Vec::new()
        }
        gone @ AbsenceState::Away { .. } => {
            model.session.absence.state = gone;
            Vec::new()
        }
        AbsenceState::Present | AbsenceState::Returned { .. } => {
            model.session.absence.state = AbsenceState::Away { since: now, baseline: None };
            vec![Effect::QueryStore {
                query: StoreQuery::HistoryCheckpoint(now),
                request_id: model.session.absence.request_id.advance(),
            }]
        }
    }
}

/// The window loses the focus: until now the operator saw it, unless they had left before.
pub(in crate::app) fn leave_window(model: &mut Model) -> Vec<Effect> {
    if !matches!(model.session.absence.state, AbsenceState::Away { .. }) {
        note_total(model);
    }
    begin_absence(model)
}

fn note_total(model: &mut Model) {
    if model.data.total.is_key_sample_due(model.now) {
        let seen = model.total_sample();
        model.data.total.note_key(seen);
    }
}

/// The operator is present: a key was pressed, or the window got the focus.
pub(in crate::app) fn end_absence(model: &mut Model) -> Vec<Effect> {
    let now = model.now;
    model.session.absence.last_input = Some(now);
    let away_since = match &model.session.absence.state {
        AbsenceState::Away { since, .. } => Some(*since),
        AbsenceState::Present | AbsenceState::Returned { .. } => None,
    };
    if away_since.is_some_and(|since| since.age(now) >= SHORTEST_REPORTED_ABSENCE) {
        model.data.total.note_return();
    }
    note_total(model);
    let AbsenceState::Away { since, baseline: mark } = &mut model.session.absence.state else { return Vec::new() };
    let (since, mark) = (*since, mark.take());
    let Some(mark) = mark.filter(|_| since.age(now) >= SHORTEST_REPORTED_ABSENCE) else {
        mark_present(model);
        return Vec::new();
    };
    let query = StoreQuery::ChangesSince(mark.clone());
    model.session.absence.state = AbsenceState::Returned {
        since,
        returned_at: now,
        baseline: mark,
        changes: HistoryDiff::default(),
        is_complete: false,
        selected_change: None,
    };
    vec![Effect::QueryStore { query, request_id: model.session.absence.request_id.advance() }]
}

/// Time passed: begins an absence when no key was pressed for long.
pub(in crate::app) fn begin_absence_if_idle(model: &mut Model) -> Vec<Effect> {
    let now = model.now;
    let last = *model.session.absence.last_input.get_or_insert(now);
    let idle = last.age(now) >= model.session.absence.away_after
        && matches!(model.session.absence.state, AbsenceState::Present);
    if !idle {
        return Vec::new();
    }
    // The absence began at the last key: what arrived since then was not read.
    let mark = model.session.absence.baseline.take();
    if mark.is_none() && !model.session.absence.is_baseline_current {
        return begin_absence(model);
    }
    // The answer to a pending mark request is taken in when it comes.
    clear_baseline(model);
    model.session.absence.state = AbsenceState::Away { since: last, baseline: mark };
    Vec::new()
}

/// Requests a mark of the current history if the last mark is outdated. Called after a key or a window focus. Before
/// the initial sync is complete there is nothing to compare with.
pub(in crate::app) fn request_baseline(model: &mut Model) -> Vec<Effect> {
    if !matches!(model.session.absence.state, AbsenceState::Present)
        || model.session.absence.last_visit != LastVisit::Read
        || model.session.absence.is_baseline_current
        || !model.data.progress.complete
    {
        return Vec::new();
    }
    model.session.absence.is_baseline_current = true;
    model.session.absence.baseline = None;
    let query = StoreQuery::HistoryCheckpoint(model.now);
    vec![Effect::QueryStore { query, request_id: model.session.absence.request_id.advance() }]
}

pub(in crate::app) fn invalidate_baseline(model: &mut Model) {
    model.session.absence.is_baseline_current = false;
}

fn clear_baseline(model: &mut Model) {
    model.session.absence.baseline = None;
    model.session.absence.is_baseline_current = false;
}

fn mark_present(model: &mut Model) {
    clear_baseline(model);
    model.session.absence.state = AbsenceState::Present;
}

pub(in crate::app) fn apply_baseline(model: &mut Model, request_id: RequestId, now: HistoryCheckpoint) {
    if request_id != model.session.absence.request_id {
        return;
    }
    match &mut model.session.absence.state {
        AbsenceState::Away { baseline: mark @ None, .. } => *mark = Some(Box::new(now)),
        AbsenceState::Present => model.session.absence.baseline = Some(Box::new(now)),
        AbsenceState::Away { .. } | AbsenceState::Returned { .. } => {}
    }
}

/// Opens the summary of what came since the operator last saw the history, in an earlier run of the program.
pub(in crate::app) fn apply_last_visit(
    model: &mut Model,
    visit: Option<(Timestamp, Box<HistoryCheckpoint>)>,
) -> Vec<Effect> {
    let now = model.now;
    if std::mem::replace(&mut model.session.absence.last_visit, LastVisit::Read) == LastVisit::Read {
        return Vec::new();
    }
    let visit = visit.filter(|(since, _)| since.age(now) >= SHORTEST_REPORTED_ABSENCE);
    let Some((since, baseline)) = visit.filter(|_| matches!(model.session.absence.state, AbsenceState::Present)) else {
        return request_baseline(model);
    };
    let query = StoreQuery::ChangesSince(baseline.clone());
    model.session.absence.state = AbsenceState::Returned {
        since,
        returned_at: now,
        baseline,
        changes: HistoryDiff::default(),
        // The newest rows were read before.
        is_complete: true,
        selected_change: None,
    };
    vec![Effect::QueryStore { query, request_id: model.session.absence.request_id.advance() }]
}

pub(in crate::app) fn apply_changes(model: &mut Model, request_id: RequestId, history_diff: HistoryDiff) {
    if request_id == model.session.absence.request_id
        && let AbsenceState::Returned { changes: missed, is_complete: settled, .. } = &mut model.session.absence.state
    {
        let (is_last, nothing) = (*settled, history_diff.is_empty() && *settled);
        if !history_diff.is_empty() {
            model.session.absence.row_changes = Some(Arc::clone(&history_diff.row_changes));
        }
        *missed = history_diff;
        if nothing {
            mark_present(model);
        } else if is_last && let Some(all) = format_summary(model, usize::MAX, [""; 2]) {
            // The line on screen may be cut to its width; the Events page keeps all of it.
            model.record_event(EventKind::Console, Tone::Text, all);
        }
    }
}

/// A data set was read. The first read of the newest rows that began after the return completes the summary.
pub(in crate::app) fn complete_summary_after_load(model: &mut Model, what: &Dataset) -> Vec<Effect> {
    if model.session.absence.last_visit == LastVisit::Unread && *what == Dataset::Latest {
        model.session.absence.last_visit = LastVisit::Requested;
        let request_id = model.session.absence.request_id.advance();
        return vec![Effect::QueryStore { query: StoreQuery::LastVisit, request_id }];
    }
    let started = model.data.remotes.latest.started_at;
    if matches!(model.session.absence.state, AbsenceState::Present) && model.session.absence.baseline.is_none() {
        // No mark exists from the last key: there was no history yet, or a summary was open.
        return request_baseline(model);
    }
    let AbsenceState::Returned { returned_at: back, baseline: mark, is_complete: settled @ false, .. } =
        &mut model.session.absence.state
    else {
        return Vec::new();
    };
    if *what != Dataset::Latest || started.is_none_or(|started| started < *back) {
        return Vec::new();
    }
    *settled = true;
    let query = StoreQuery::ChangesSince(mark.clone());
    vec![Effect::QueryStore { query, request_id: model.session.absence.request_id.advance() }]
}

/// Closes the summary. Returns whether one was open.
pub(in crate::app) fn dismiss_summary(model: &mut Model) -> bool {
    let was_open = model.session.absence.changes_while_away().is_some();
    if was_open {
        mark_present(model);
    }
    was_open
}

/// Selects the next new or changed row, newest first, or the previous one.
pub(in crate::app) fn step_through_changes(model: &mut Model, forward: bool) -> Vec<Effect> {
    let AbsenceState::Returned { changes: missed, selected_change: at, .. } = &mut model.session.absence.state else {
        return Vec::new();
    };
    let last = missed.rows.len().saturating_sub(1);
    let next = match (*at, forward) {
        (None, _) => 0,
        (Some(at), true) => (at + 1).min(last),
        (Some(at), false) => at.saturating_sub(1),
    };
    let Some(seq) = missed.rows.get(next).copied() else { return Vec::new() };
    *at = Some(next);
    let words = format!("{} of {} new or changed", next + 1, missed.rows.len());
    model.show_mode(Mode::Browse);
    // Without filter and sort order the row is in the list.
    let mut effects = show_transactions(model, String::new());
    if model.pages.transactions.listing.select_or_fetch(&seq) {
        effects.push(queries::query_history_rows(model, HistoryList::Page));
    }
    model.notice = Some(words);
    effects
}

/// Lists all that came or changed since the operator was last here.
pub(in crate::app) fn list_changes(model: &mut Model) -> Vec<Effect> {
    model.show_mode(Mode::Browse);
    show_transactions(model, CHANGES_FILTER.to_owned())
}

/// The summary cut to `columns`, and the keys that step through it and close it.
pub fn summary_line(model: &Model, columns: usize) -> Option<String> {
    let (_, missed) = model.session.absence.changes_while_away()?;
    let ends = if missed.rows.is_empty() { ["  Esc"; 2] } else { ["  u list, ] [ step, Esc", "  u ] [ Esc"] };
    format_summary(model, columns, ends)
}

/// The value of changes together with its sign, and how many of them are not in it; `None` where it says no more than the
/// changes.
fn net_value(model: &Model, changes: &[ValuedChange<'_>]) -> Option<String> {
    let valuation = model.data.prices.settings.valuation.as_ref()?;
    if let [(_, only)] = changes
        && only.symbol.eq_ignore_ascii_case(valuation)
    {
        return None;
    }
    let (mut more, mut less, mut unpriced) = (ValuationAmount::ZERO, ValuationAmount::ZERO, 0_usize);
    for (worth, change) in changes {
        match (worth, change.change) {
            (Some(worth), Some((true, _))) => more = more.checked_add(*worth)?,
            (Some(worth), Some((false, _))) => less = less.checked_add(*worth)?,
            (None, _) | (_, None) => unpriced += 1,
        }
    }
    if unpriced == changes.len() {
        return None;
    }
    let rest = if unpriced > 0 { format!(" without {unpriced} unpriced") } else { String::new() };
    Some(format!("{} {valuation}{rest}", more.change_since(less)?.format_difference()))
}

/// A change, and what it is worth by the latest prices, whichever its sign.
type ValuedChange<'a> = (Option<ValuationAmount>, &'a TokenChange);

/// The summary with the first of the ends if all changes fit into `columns`, else with the second and as many of them as
/// do. No amount is cut.
fn format_summary(model: &Model, columns: usize, ends: [&str; 2]) -> Option<String> {
    let (since, missed) = model.session.absence.changes_while_away()?;
    let mut counts = Vec::new();
    if missed.added > 0 {
        counts.push(format!("{} new", missed.added));
    }
    if missed.changed > 0 {
        counts.push(format!("{} changed", missed.changed));
    }
    let counts = if counts.is_empty() { String::new() } else { format!("{}  ", counts.join(", ")) };
    let is_today = model.console.zone.local_day(since) == model.console.zone.local_day(model.now);
    let since = model.console.zone.format_with_offset(since, if is_today { "%H:%M" } else { "%b %d %H:%M" });
    let worth = |net: &TokenChange| model.data.prices.valuation_rate(&net.symbol)?.0.worth(net.change?.1);
    let mut changes: Vec<ValuedChange<'_>> = missed.changes.iter().map(|net| (worth(net), net)).collect();
    // The change worth most comes first; unpriced tokens come last.
    changes.sort_by_key(|(worth, _)| std::cmp::Reverse(*worth));
    let net = net_value(model, &changes).map_or_else(String::new, |net| format!("≈ {net}  "));
    let head = format!("Since {since}: {counts}{net}");
    // A symbol that exists on several chains is followed by its chain.
    let named = |net: &TokenChange| match missed.changes.iter().filter(|other| other.symbol == net.symbol).count() {
        1 => net.symbol.to_string(),
        _ => format!("{} on {}", net.symbol, chain_display_name(&net.token.blockchain)),
    };
    // Each frame does this: changes for which there is no room are not put into words.
    let mut texts = Vec::new();
    let mut used = head.chars().count();
    for (_, net) in &changes {
        if used > columns {
            break;
        }
        let text = match net.change {
            Some((more, amount)) => {
                format!("{}{} {}", if more { "+" } else { "−" }, amount.format_grouped(), named(net))
            }
            None => format!("? {}", named(net)),
        };
        used += text.chars().count() + 2;
        texts.push(text);
    }
    let fits = |line: &String| line.chars().count() <= columns;
    if texts.len() == changes.len() {
        let whole = format!("{head}{}{}", texts.join("  "), ends[0]);
        if fits(&whole) {
            return Some(whole);
        }
    }
    // As many changes as fit.
    let line = |shown: usize| {
        let more = match (changes.len() - shown, shown) {
            (0, _) => String::new(),
            (1, 0) => "1 token changed".into(),
            (rest, 0) => format!("{rest} tokens changed"),
            (rest, _) => format!("  and {rest} more"),
        };
        format!("{head}{}{more}{}", texts[..shown].join("  "), ends[1])
    };
    (1..=texts.len()).rev().map(line).find(fits).or_else(|| Some(line(0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{Settings, Size};
    use crate::domain::{Amount, TokenKey};

    const SYMBOLS: [&str; 6] = ["USDC", "ETH", "BTC", "SOL", "TRX", "XRP"];

    fn returned_to(changes: usize) -> Model {
        let now = Timestamp::from_millis(1_790_000_000_000);
        let mut model = Model::new(Settings::sample(), Size { width: 120, height: 36 }, now);
        let change = |symbol: &str| TokenChange {
            token: TokenKey { blockchain: "ethereum".into(), contract: None },
            symbol: symbol.into(),
            change: Some((true, Amount::parse("1234.5", 1).unwrap())),
        };
        model.session.absence.state = AbsenceState::Returned {
            since: now,
            returned_at: now,
            baseline: Box::default(),
            changes: HistoryDiff {
                changes: SYMBOLS.iter().take(changes).map(|symbol| change(symbol)).collect(),
                rows: vec![1],
                added: 3,
                ..HistoryDiff::default()
            },
            is_complete: true,
            selected_change: None,
        };
        model
    }

    #[test]
    fn a_summary_names_as_many_changes_as_fit_and_counts_the_others() {
        for changes in 0..=SYMBOLS.len() {
            let model = returned_to(changes);
            let whole = summary_line(&model, usize::MAX).unwrap();
            assert!(whole.ends_with("  u list, ] [ step, Esc"), "{whole}");
            for columns in 0..whole.chars().count() + 2 {
                let line = summary_line(&model, columns).unwrap();
                let named = SYMBOLS.iter().filter(|symbol| line.contains(&format!("+1,234.5 {symbol}"))).count();
                let rest = match changes - named {
                    0 => String::new(),
                    1 if named == 0 => "1 token changed".into(),
                    rest if named == 0 => format!("{rest} tokens changed"),
                    rest => format!("  and {rest} more"),
                };
                let fits = line.chars().count() <= columns;
                assert!(fits || named == 0, "{columns}: {line}");
                assert_eq!(line == whole, whole.chars().count() <= columns, "{columns}: {line}");
                assert!(line == whole || line.ends_with(&format!("{rest}  u ] [ Esc")), "{columns}: {line}");
                let Some(next) = SYMBOLS.get(named).filter(|_| named < changes) else { continue };
                let next = "+1,234.5 ".len() + next.len() + if named > 0 { 2 } else { 0 };
                let rest_after = match changes - named - 1 {
                    0 => 0,
                    rest => format!("  and {rest} more").len(),
                };
                let with_next = line.chars().count() - rest.chars().count() + next + rest_after;
                assert!(with_next > columns, "{columns}: {line}");
            }
        }
    }
}
