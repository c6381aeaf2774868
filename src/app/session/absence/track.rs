//! Absences as they begin and end.

use std::sync::Arc;
use std::time::Duration;

use super::summary::format_summary;
use super::{AbsenceState, LastVisitState};
use crate::app::data::poll::Dataset;
use crate::app::data::queries;
use crate::app::input::keys::page_links::show_transactions;
use crate::app::model::{Mode, Model};
use crate::app::msg::{Effect, StoreQuery};
use crate::app::pages::Tone;
use crate::app::request_id::RequestId;
use crate::app::screen::HistoryList;
use crate::app::session::events::EventKind;
use crate::domain::Timestamp;
use crate::domain::history_diff::{HistoryCheckpoint, HistoryDiff};

/// The filter that finds what came or changed since the operator was last here.
const CHANGES_FILTER: &str = "new:yes";
/// Shorter absences are not reported.
const SHORTEST_REPORTED_ABSENCE: Duration = Duration::from_secs(10);

fn begin_absence(model: &mut Model) -> Vec<Effect> {
    let now = model.now;
    clear_baseline(model);
    match std::mem::take(&mut model.session.absence.state) {
        // A summary that was not dismissed keeps its start.
        AbsenceState::Returned { since, baseline, changes, .. } if !changes.is_empty() => {
            model.session.absence.state = AbsenceState::Away { since, baseline: Some(baseline) };
            Vec::new()
        }
        away @ AbsenceState::Away { .. } => {
            model.session.absence.state = away;
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
        note_seen_total(model);
    }
    begin_absence(model)
}

fn note_seen_total(model: &mut Model) {
    if model.data.total.is_total_at_key_due(model.now) {
        let sample = model.total_sample();
        model.data.total.note_total_at_key(sample);
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
        model.data.total.keep_total_before_absence();
    }
    note_seen_total(model);
    let AbsenceState::Away { since, baseline } = &mut model.session.absence.state else { return Vec::new() };
    let (since, baseline) = (*since, baseline.take());
    let Some(baseline) = baseline.filter(|_| since.age(now) >= SHORTEST_REPORTED_ABSENCE) else {
        mark_present(model);
        return Vec::new();
    };
    let query = StoreQuery::ChangesSince(baseline.clone());
    model.session.absence.state = AbsenceState::Returned {
        since,
        returned_at: now,
        baseline,
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
    let baseline = model.session.absence.baseline.take();
    if baseline.is_none() && !model.session.absence.is_baseline_current {
        return begin_absence(model);
    }
    // The answer to a pending mark request is taken in when it comes.
    clear_baseline(model);
    model.session.absence.state = AbsenceState::Away { since: last, baseline };
    Vec::new()
}

/// Requests a mark of the current history if the last mark is outdated. Called after a key or a window focus. Before
/// the initial sync is complete there is nothing to compare with.
pub(in crate::app) fn request_baseline(model: &mut Model) -> Vec<Effect> {
    if !matches!(model.session.absence.state, AbsenceState::Present)
        || model.session.absence.last_visit != LastVisitState::Read
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

pub(in crate::app) fn mark_baseline_outdated(model: &mut Model) {
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
        AbsenceState::Away { baseline: baseline @ None, .. } => *baseline = Some(Box::new(now)),
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
    if std::mem::replace(&mut model.session.absence.last_visit, LastVisitState::Read) == LastVisitState::Read {
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
        && let AbsenceState::Returned { changes, is_complete: settled, .. } = &mut model.session.absence.state
    {
        let (is_last, nothing) = (*settled, history_diff.is_empty() && *settled);
        if !history_diff.is_empty() {
            model.session.absence.row_changes = Some(Arc::clone(&history_diff.row_changes));
        }
        *changes = history_diff;
        if nothing {
            mark_present(model);
        } else if is_last && let Some(all) = format_summary(model, usize::MAX, [""; 2]) {
            // The line on screen may be cut to its width; the Events page keeps all of it.
            model.record_event(EventKind::Console, Tone::Text, all);
        }
    }
}

/// A data set was read. The first read of the newest rows that began after the return completes the summary.
pub(in crate::app) fn complete_summary_after_load(model: &mut Model, dataset: &Dataset) -> Vec<Effect> {
    if model.session.absence.last_visit == LastVisitState::Unread && *dataset == Dataset::Latest {
        model.session.absence.last_visit = LastVisitState::Requested;
        let request_id = model.session.absence.request_id.advance();
        return vec![Effect::QueryStore { query: StoreQuery::LastVisitState, request_id }];
    }
    let started = model.data.remotes.latest.started_at;
    if matches!(model.session.absence.state, AbsenceState::Present) && model.session.absence.baseline.is_none() {
        // No mark exists from the last key: there was no history yet, or a summary was open.
        return request_baseline(model);
    }
    let AbsenceState::Returned { returned_at, baseline, is_complete: is_complete @ false, .. } =
        &mut model.session.absence.state
    else {
        return Vec::new();
    };
    if *dataset != Dataset::Latest || started.is_none_or(|started| started < *returned_at) {
        return Vec::new();
    }
    *is_complete = true;
    let query = StoreQuery::ChangesSince(baseline.clone());
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
    let AbsenceState::Returned { changes, selected_change: at, .. } = &mut model.session.absence.state else {
        return Vec::new();
    };
    let last = changes.rows.len().saturating_sub(1);
    let next = match (*at, forward) {
        (None, _) => 0,
        (Some(at), true) => (at + 1).min(last),
        (Some(at), false) => at.saturating_sub(1),
    };
    let Some(seq) = changes.rows.get(next).copied() else { return Vec::new() };
    *at = Some(next);
    let message = format!("{} of {} new or changed", next + 1, changes.rows.len());
    model.show_mode(Mode::Browse);
    // Without filter and sort order the row is in the list.
    let mut effects = show_transactions(model, String::new());
    if model.pages.transactions.listing.select_or_fetch(&seq) {
        effects.push(queries::query_history_rows(model, HistoryList::Page));
    }
    model.notice = Some(message);
    effects
}

/// Lists all that came or changed since the operator was last here.
pub(in crate::app) fn list_changes(model: &mut Model) -> Vec<Effect> {
    model.show_mode(Mode::Browse);
    show_transactions(model, CHANGES_FILTER.to_owned())
}
