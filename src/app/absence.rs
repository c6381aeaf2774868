//! The "Since 12:03" summary: the history at the moment the operator left, compared with the history on their return.
//!
//! An operator who leaves without a word has left at their last key, which shows only after a long idle time. So the
//! history is marked at each key press before which it has changed.

use std::time::Duration;

use super::events::EventKind;
use super::keys::show_page;
use super::list_filter::set_filter;
use super::model::{Mode, Model, Page};
use super::msg::{Dataset, Effect, HistoryList, RequestId, StoreQuery};
use super::panes::Tone;
use super::queries;
use super::screen::Pane;
use crate::domain::Timestamp;
use crate::domain::chain::display_name;
use crate::domain::history::Sort;
use crate::domain::history_diff::{HistoryCheckpoint, HistoryDiff, TokenChange};

/// Shorter absences are not reported.
const WORTH_TELLING: Duration = Duration::from_secs(10);

#[derive(Debug, Clone)]
pub struct AbsenceTracker {
    /// Idle time after which the operator counts as away.
    after: Duration,
    turn: RequestId,
    /// When the last key was pressed or the window got the focus; `None` before the first message.
    last_input: Option<Timestamp>,
    state: State,
    /// The history as of the last key, while the operator is present.
    noted: Option<Box<HistoryCheckpoint>>,
    /// Whether the history is unchanged since the mark was last requested from the store.
    is_noted: bool,
}

#[derive(Debug, Clone, Default)]
enum State {
    /// The operator is present, and no summary is open.
    #[default]
    Here,
    /// The operator left at `since`; `mark` is the history as of then, once the store has answered.
    Gone { since: Timestamp, mark: Option<Box<HistoryCheckpoint>> },
    Back {
        since: Timestamp,
        back: Timestamp,
        mark: Box<HistoryCheckpoint>,
        missed: HistoryDiff,
        settled: bool,
        at: Option<usize>,
    },
}

impl AbsenceTracker {
    pub fn new(after: Duration) -> Self {
        Self { after, turn: RequestId::default(), last_input: None, state: State::Here, noted: None, is_noted: false }
    }

    /// The changes since the operator left, and when that was, while the summary is open.
    pub fn changes_while_away(&self) -> Option<(Timestamp, &HistoryDiff)> {
        match &self.state {
            State::Back { since, missed, .. } if !missed.is_empty() => Some((*since, missed)),
            _ => None,
        }
    }
}

pub(super) fn begin_absence(model: &mut Model) -> Vec<Effect> {
    let now = model.now;
    forget(model);
    match std::mem::take(&mut model.absence.state) {
        // A summary that was not dismissed keeps its start.
        State::Back { since, mark, missed, .. } if !missed.is_empty() => {
            model.absence.state = State::Gone { since, mark: Some(mark) };
            Vec::new()
        }
        gone @ State::Gone { .. } => {
            model.absence.state = gone;
            Vec::new()
        }
        State::Here | State::Back { .. } => {
            model.absence.state = State::Gone { since: now, mark: None };
            vec![Effect::QueryStore { query: StoreQuery::HistoryMark, turn: model.absence.turn.advance() }]
        }
    }
}

/// The operator is present: a key was pressed, or the window got the focus.
pub(super) fn end_absence(model: &mut Model) -> Vec<Effect> {
    let now = model.now;
    model.absence.last_input = Some(now);
    let State::Gone { since, mark } = &mut model.absence.state else { return Vec::new() };
    let (since, mark) = (*since, mark.take());
    let Some(mark) = mark.filter(|_| since.age(now) >= WORTH_TELLING) else {
        is_here(model);
        return Vec::new();
    };
    let query = StoreQuery::ChangesSince(mark.clone());
    model.absence.state =
        State::Back { since, back: now, mark, missed: HistoryDiff::default(), settled: false, at: None };
    vec![Effect::QueryStore { query, turn: model.absence.turn.advance() }]
}

/// Time passed: begins an absence when no key was pressed for long.
pub(super) fn tick(model: &mut Model) -> Vec<Effect> {
    let now = model.now;
    let last = *model.absence.last_input.get_or_insert(now);
    let idle = last.age(now) >= model.absence.after && matches!(model.absence.state, State::Here);
    if !idle {
        return Vec::new();
    }
    // The absence began at the last key: what arrived since then was not read.
    let mark = model.absence.noted.take();
    if mark.is_none() && !model.absence.is_noted {
        return begin_absence(model);
    }
    // The answer to a pending mark request is taken in when it comes.
    forget(model);
    model.absence.state = State::Gone { since: last, mark };
    Vec::new()
}

/// Requests a mark of the current history if the last mark is outdated. Called after a key or a window focus. Before
/// the initial sync is complete there is nothing to compare with.
pub(super) fn request_baseline(model: &mut Model) -> Vec<Effect> {
    if !matches!(model.absence.state, State::Here) || model.absence.is_noted || !model.progress.complete {
        return Vec::new();
    }
    model.absence.is_noted = true;
    model.absence.noted = None;
    vec![Effect::QueryStore { query: StoreQuery::HistoryMark, turn: model.absence.turn.advance() }]
}

pub(super) fn invalidate_baseline(model: &mut Model) {
    model.absence.is_noted = false;
}

fn forget(model: &mut Model) {
    model.absence.noted = None;
    model.absence.is_noted = false;
}

fn is_here(model: &mut Model) {
    forget(model);
    model.absence.state = State::Here;
}

pub(super) fn apply_mark(model: &mut Model, turn: RequestId, now: HistoryCheckpoint) {
    if turn != model.absence.turn {
        return;
    }
    match &mut model.absence.state {
        State::Gone { mark: mark @ None, .. } => *mark = Some(Box::new(now)),
        State::Here => model.absence.noted = Some(Box::new(now)),
        State::Gone { .. } | State::Back { .. } => {}
    }
}

pub(super) fn apply_changes(model: &mut Model, turn: RequestId, told: HistoryDiff) {
    if turn == model.absence.turn
        && let State::Back { missed, settled, .. } = &mut model.absence.state
    {
        let (is_last, nothing) = (*settled, told.is_empty() && *settled);
        *missed = told;
        if nothing {
            is_here(model);
        } else if is_last && let Some(all) = line(model, usize::MAX, "") {
            // The line on screen may be cut to its width; the Events page keeps all of it.
            model.record_event(EventKind::Console, Tone::Text, all);
        }
    }
}

/// A data set was read. The first read of the newest rows that began after the return completes the summary.
pub(super) fn after_load(model: &mut Model, what: &Dataset) -> Vec<Effect> {
    let started = model.remotes.latest.started_at;
    if matches!(model.absence.state, State::Here) && model.absence.noted.is_none() {
        // No mark exists from the last key: there was no history yet, or a summary was open.
        return request_baseline(model);
    }
    let State::Back { back, mark, settled: settled @ false, .. } = &mut model.absence.state else { return Vec::new() };
    if *what != Dataset::Latest || started.is_none_or(|started| started < *back) {
        return Vec::new();
    }
    *settled = true;
    let query = StoreQuery::ChangesSince(mark.clone());
    vec![Effect::QueryStore { query, turn: model.absence.turn.advance() }]
}

/// Closes the summary. Returns whether one was open.
pub(super) fn dismiss(model: &mut Model) -> bool {
    let told = model.absence.changes_while_away().is_some();
    if told {
        is_here(model);
    }
    told
}

/// Selects the next new or changed row, newest first, or the previous one.
pub(super) fn step_through_changes(model: &mut Model, forward: bool) -> Vec<Effect> {
    let State::Back { missed, at, .. } = &mut model.absence.state else { return Vec::new() };
    let last = missed.rows.len().saturating_sub(1);
    let next = match (*at, forward) {
        (None, _) => 0,
        (Some(at), true) => (at + 1).min(last),
        (Some(at), false) => at.saturating_sub(1),
    };
    let Some(seq) = missed.rows.get(next).copied() else { return Vec::new() };
    *at = Some(next);
    let words = format!("{} of {} new or changed", next + 1, missed.rows.len());
    model.mode = Mode::Browse;
    let mut effects = if model.page == Page::Transactions { Vec::new() } else { show_page(model, Page::Transactions) };
    // Clears filter and sort, so that the row is in the list.
    effects.extend(set_filter(model, Pane::History, String::new()));
    if model.history.sort != Sort::Newest {
        model.history.sort = Sort::Newest;
        model.history.listing.reset();
    }
    model.set_focus(Pane::History);
    if model.history.listing.select_or_fetch(&seq) {
        effects.push(queries::history_rows(model, HistoryList::Page));
    }
    model.notice = Some(words);
    effects
}

/// The summary cut to `columns`, and the keys that step through it and close it.
pub fn words(model: &Model, columns: usize) -> Option<String> {
    let (_, missed) = model.absence.changes_while_away()?;
    line(model, columns, if missed.rows.is_empty() { "  Esc" } else { "  ] [ step, Esc" })
}

fn line(model: &Model, columns: usize, ends: &str) -> Option<String> {
    let (since, missed) = model.absence.changes_while_away()?;
    let mut counts = Vec::new();
    if missed.added > 0 {
        counts.push(format!("{} new", missed.added));
    }
    if missed.changed > 0 {
        counts.push(format!("{} changed", missed.changed));
    }
    let counts = if counts.is_empty() { String::new() } else { format!("{}  ", counts.join(", ")) };
    let head = format!("Since {}: {counts}", model.zone.format_with_offset(since, "%H:%M"));
    // A symbol that exists on several chains is followed by its chain.
    let named = |net: &TokenChange| match missed.changes.iter().filter(|other| other.symbol == net.symbol).count() {
        1 => net.symbol.to_string(),
        _ => format!("{} on {}", net.symbol, display_name(&net.token.blockchain)),
    };
    // The change worth most comes first; unpriced tokens come last.
    let worth = |net: &&TokenChange| {
        let (_, amount) = net.change?;
        model.prices.rate(&net.symbol)?.0.worth(amount)
    };
    let mut sorted: Vec<&TokenChange> = missed.changes.iter().collect();
    sorted.sort_by_cached_key(|net| std::cmp::Reverse(worth(net)));
    let nets: Vec<String> = sorted
        .into_iter()
        .map(|net| match net.change {
            Some((more, amount)) => format!("{}{} {}", if more { "+" } else { "−" }, amount.grouped(), named(net)),
            None => format!("? {}", named(net)),
        })
        .collect();
    // As many changes as fit; an amount is never cut.
    let mut shown = nets.len();
    loop {
        let rest = nets.len() - shown;
        let more = match (rest, shown) {
            (0, _) => String::new(),
            (1, 0) => "1 token changed".into(),
            (_, 0) => format!("{rest} tokens changed"),
            _ => format!("  and {rest} more"),
        };
        let line = format!("{head}{}{more}{ends}", nets[..shown].join("  "));
        if shown == 0 || line.chars().count() <= columns {
            return Some(line);
        }
        shown -= 1;
    }
}
