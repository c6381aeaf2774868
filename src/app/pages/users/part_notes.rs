//! Users, whom version 1 calls sub-wallets, and the details of the selected one.

use super::{CachedPart, CachedUserReport, part_staleness};
use crate::app::model::Model;
use crate::domain::duration;
use crate::domain::{Failure, FailureReason};

use crate::app::pages::Tone;

pub type TonedText = (String, Tone);

/// The notes on a part of a user's data: its age if stale, and why it could not be refreshed.
pub fn part_notes<T>(model: &Model, part: &CachedPart<T>) -> Vec<TonedText> {
    let mut notes = Vec::new();
    if let Some(age) = part.read_at().and_then(|at| part_staleness(model, at)) {
        notes.push((format!("stale {}", duration::format_age(age)), Tone::Warn));
    }
    if part.value.is_some()
        && let Some(failure) = part_failure(model, part)
    {
        notes.push((format!("not refreshed: {}", failure.reason), Tone::Warn));
    }
    notes
}

/// Why a part could not be read: its own failure, else that of the whole request.
pub fn part_failure<'a, T>(model: &'a Model, part: &'a CachedPart<T>) -> Option<&'a Failure> {
    part.failure.as_ref().or_else(|| model.data.remotes.user.failure.as_ref().map(|(failure, _)| failure))
}

/// The note on an empty part of version 1: not used, not read yet, not served, or empty.
pub fn empty_v1_note<T>(model: &Model, part: Option<&CachedPart<T>>, empty: &str) -> TonedText {
    if model.pages.users.shown_user.is_none() {
        return ("no user is selected".into(), Tone::Dim);
    }
    if !model.console.preferences.v1 {
        return ("version 1 is not used: the profile sets versions = [\"v2\"]".into(), Tone::Dim);
    }
    unread_part_note(model, part, empty)
}

pub(super) fn unread_part_note<T>(model: &Model, part: Option<&CachedPart<T>>, empty: &str) -> TonedText {
    let unread = CachedPart { value: None::<(T, _)>, failure: None };
    let part = part.unwrap_or(&unread);
    match (&part.value, part_failure(model, part)) {
        (Some(_), _) => (empty.into(), Tone::Dim),
        (None, Some(failure)) => (read_failure_text(failure), Tone::Warn),
        (None, None) if !model.data.connection.is_answered() => {
            ("not read: the service does not answer".into(), Tone::Warn)
        }
        (None, None) => ("reading…".into(), Tone::Dim),
    }
}

/// Why a part could not be read; “not served” if the service does not have it.
pub fn read_failure_text(failure: &Failure) -> String {
    if failure.reason == FailureReason::NotFound {
        return format!("not served: {}", failure_detail_or(failure, "the service does not know this user"));
    }
    format!("not read: {failure}")
}

fn failure_detail_or(failure: &Failure, otherwise: &str) -> String {
    if failure.detail.is_empty() { otherwise.to_owned() } else { failure.detail.to_string() }
}

pub fn selected_user_report(model: &Model) -> Option<&CachedUserReport> {
    model.pages.users.cached_report()
}
