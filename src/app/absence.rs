//! Since you looked away: how the history stood when the operator left, and what came of it until they were back.
//!
//! Who leaves without a word has left with their last key, which shows only when none has followed it for long. So how the
//! history stands is noted at each key before which it has moved.

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

/// How long somebody must be away for it to be worth telling.
const WORTH_TELLING: Duration = Duration::from_secs(10);

/// Whether the operator is there, and what they missed.
#[derive(Debug, Clone)]
pub struct AbsenceTracker {
    /// After how long without a key somebody is taken to be away.
    after: Duration,
    turn: RequestId,
    /// When the last key was pressed or the window was entered; `None` before the first message.
    last_input: Option<Timestamp>,
    state: State,
    /// How the history stood at the last key, while the operator is there.
    noted: Option<Box<HistoryCheckpoint>>,
    /// Whether the history has not moved since the store was asked for that.
    is_noted: bool,
}

#[derive(Debug, Clone, Default)]
enum State {
    /// The operator is there, and was told.
    #[default]
    Here,
    /// They left at this time; how the history stood then is known once the store has said so.
    Gone { since: Timestamp, mark: Option<Box<HistoryCheckpoint>> },
    /// They are back since the second time.
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
    /// The operator is there; without a key for so long they are taken to be away.
    pub fn new(after: Duration) -> Self {
        Self { after, turn: RequestId::default(), last_input: None, state: State::Here, noted: None, is_noted: false }
    }

    /// What was missed, and since when, while it is to be told.
    pub fn changes_while_away(&self) -> Option<(Timestamp, &HistoryDiff)> {
        match &self.state {
            State::Back { since, missed, .. } if !missed.is_empty() => Some((*since, missed)),
            _ => None,
        }
    }
}

/// The operator looked away, or has not pressed a key for long.
pub(super) fn begin_absence(model: &mut Model) -> Vec<Effect> {
    let now = model.now;
    forget(model);
    match std::mem::take(&mut model.absence.state) {
        // What was not dismissed counts on.
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

/// The operator is there: a key was pressed, or the window was entered.
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

/// Time went on: nobody has pressed a key for long.
pub(super) fn tick(model: &mut Model) -> Vec<Effect> {
    let now = model.now;
    let last = *model.absence.last_input.get_or_insert(now);
    let idle = last.age(now) >= model.absence.after && matches!(model.absence.state, State::Here);
    if !idle {
        return Vec::new();
    }
    // Whoever did not come back to a key is away since the last one, and what came since then was not seen.
    let mark = model.absence.noted.take();
    if mark.is_none() && !model.absence.is_noted {
        return begin_absence(model);
    }
    // What is still being told is taken in when it comes.
    forget(model);
    model.absence.state = State::Gone { since: last, mark };
    Vec::new()
}

/// A key was pressed and done, or the window was entered: how the history stands now is noted, if it may have moved since
/// that was done last. Before the first read has come to its end there is nothing to hold against it later.
pub(super) fn request_baseline(model: &mut Model) -> Vec<Effect> {
    if !matches!(model.absence.state, State::Here) || model.absence.is_noted || !model.progress.complete {
        return Vec::new();
    }
    model.absence.is_noted = true;
    model.absence.noted = None;
    vec![Effect::QueryStore { query: StoreQuery::HistoryMark, turn: model.absence.turn.advance() }]
}

/// The history has moved.
pub(super) fn invalidate_baseline(model: &mut Model) {
    model.absence.is_noted = false;
}

fn forget(model: &mut Model) {
    model.absence.noted = None;
    model.absence.is_noted = false;
}

/// The operator is there, and has nothing to be told any more.
fn is_here(model: &mut Model) {
    forget(model);
    model.absence.state = State::Here;
}

/// The store told how the history stands.
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

/// The store told what was missed.
pub(super) fn apply_changes(model: &mut Model, turn: RequestId, told: HistoryDiff) {
    if turn == model.absence.turn
        && let State::Back { missed, settled, .. } = &mut model.absence.state
    {
        let (is_last, nothing) = (*settled, told.is_empty() && *settled);
        *missed = told;
        if nothing {
            is_here(model);
        } else if is_last && let Some(all) = line(model, usize::MAX, "") {
            // The line on screen has room for a few; here all of it can be read, and later, too.
            model.record_event(EventKind::Console, Tone::Text, all);
        }
    }
}

/// A data set was read: the first look at the head that began after the return tells the rest of what was missed.
pub(super) fn after_load(model: &mut Model, what: &Dataset) -> Vec<Effect> {
    let started = model.remotes.latest.started_at;
    if matches!(model.absence.state, State::Here) && model.absence.noted.is_none() {
        // Nothing was noted at the last key: there was no history yet, or something was being told.
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

/// Closes what is told; says whether anything was.
pub(super) fn dismiss(model: &mut Model) -> bool {
    let told = model.absence.changes_while_away().is_some();
    if told {
        is_here(model);
    }
    told
}

/// Goes to the next row that came or changed, the newest first, or to the one before.
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
    // The row stands among all of them, wherever a filter or another order would have put it.
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

/// What was missed, in a line of so many columns, and the keys that walk and close it.
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
    // A symbol that stands on several chains does not say which of them is meant.
    let named = |net: &TokenChange| match missed.changes.iter().filter(|other| other.symbol == net.symbol).count() {
        1 => net.symbol.to_string(),
        _ => format!("{} on {}", net.symbol, display_name(&net.token.blockchain)),
    };
    // What is worth most comes first; what has no price stands behind it.
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
    // As many as there is room for; an amount is never cut.
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
