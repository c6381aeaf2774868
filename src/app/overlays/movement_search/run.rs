//! The search: its prompt, its request and its answer.

use super::{MovementSearch, MovementSearchResult};
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::overlays::line_prompt::{self, LinePrompt, LinePurpose};
use crate::app::overlays::record::AnyRecord;
use crate::app::pages::group_thousands;
use crate::app::request_id::RequestId;
use crate::app::session::veil;
use crate::domain::history::Scope;
use crate::domain::v1::Movement;
use crate::domain::{Failure, Text};

impl MovementSearchResult {
    fn record(&self) -> Option<AnyRecord> {
        let deposit_of = |lookup: &Result<Option<Movement>, Failure>| lookup.as_ref().ok().cloned().flatten();
        let withdrawal = || self.withdrawal.as_ref()?.as_ref().ok()?.withdrawal.clone();
        let transfer = || self.transfer_by_id.as_ref().ok().cloned().flatten();
        let deposit =
            deposit_of(&self.deposit_by_id).or_else(|| deposit_of(&self.deposit_by_hash)).map(AnyRecord::Deposit);
        deposit.or_else(|| withdrawal().map(AnyRecord::Withdrawal)).or_else(|| transfer().map(AnyRecord::Transfer))
    }
}

pub(in crate::app) fn refusal(model: &Model) -> Option<&'static str> {
    if model.session.veil.is_on() {
        Some(veil::VEILED_MESSAGE)
    } else if !model.console.preferences.v1 {
        Some("version 1 is not used: the profile sets versions = [\"v2\"]")
    } else {
        None
    }
}

pub(in crate::app) fn open_prompt(model: &mut Model) {
    line_prompt::open(model, LinePurpose::FindMovement, String::new());
}

/// Searches for what is typed in the prompt.
pub(in crate::app) fn start_search(model: &mut Model) -> Vec<Effect> {
    let user = model.pages.users.shown_user.clone();
    let Mode::Line(prompt) = &mut model.mode else { return Vec::new() };
    let id_or_hash = Text::clean(prompt.input.value().trim());
    if id_or_hash.is_empty() || prompt.is_busy {
        return Vec::new();
    }
    prompt.is_busy = true;
    prompt.search_result = None;
    let request_id = model.data.request_ids.movement_search.advance();
    vec![Effect::FindMovement { search: MovementSearch { id_or_hash, user }, request_id }]
}

/// Opens what was found, or shows in the prompt what was searched.
pub(in crate::app) fn apply_result(model: &mut Model, request_id: RequestId, result: MovementSearchResult) {
    let Mode::Line(prompt) = &mut model.mode else { return };
    if prompt.purpose != LinePurpose::FindMovement || model.data.request_ids.movement_search != request_id {
        return;
    }
    prompt.is_busy = false;
    match result.record() {
        Some(record) => model.show_mode(Mode::Record { record: Box::new(record), top: 0 }),
        None => prompt.search_result = Some(Box::new(result)),
    }
}

/// What the prompt says below the typed text, and whether that is an answer.
pub(in crate::app) fn prompt_lines(model: &Model, prompt: &LinePrompt) -> (Vec<String>, bool) {
    let user = model.pages.users.shown_user.as_ref();
    if prompt.is_busy {
        return (vec!["searching…".into()], false);
    }
    match &prompt.search_result {
        Some(result) if result.search.id_or_hash.as_str() == prompt.input.value().trim() => {
            (answer_lines(model, result), true)
        }
        _ => {
            let withdrawals = user.map_or_else(
                || "withdrawals only of a user who is selected on the Users page".to_owned(),
                |user| format!("withdrawals of {}", model.scope_name(&Scope::User(user.clone()))),
            );
            (vec![format!("Searched in version 1: deposits and transfers of everybody, {withdrawals}.")], false)
        }
    }
}

fn answer_lines(model: &Model, result: &MovementSearchResult) -> Vec<String> {
    fn no_match_text<T>(search: &Result<Option<T>, Failure>, by: &str) -> String {
        match search {
            Ok(_) => format!("none has this {by}"),
            Err(failure) => format!("not searched by {by}: {failure}"),
        }
    }
    let (by_id, by_hash) =
        (no_match_text(&result.deposit_by_id, "identifier"), no_match_text(&result.deposit_by_hash, "hash"));
    let name = result.search.user.as_ref().map(|user| model.scope_name(&Scope::User(user.clone())));
    let withdrawals = match (&result.withdrawal, name) {
        (Some(Err(failure)), Some(name)) => format!("Withdrawals of {name}: not searched: {failure}."),
        (Some(Ok(search)), Some(name)) => {
            let count = group_thousands(search.rows_read);
            let which = if search.has_more { format!("newest {count}; older ones were not read") } else { count };
            format!("Withdrawals of {name}, read one by one: this is no identifier and no hash of the {which}.")
        }
        _ => "Withdrawals: not searched, for version 1 lists them for one user only: select the user first.".into(),
    };
    let is_whole = result.deposit_by_id.is_ok()
        && result.deposit_by_hash.is_ok()
        && result.transfer_by_id.is_ok()
        && !matches!(result.withdrawal, Some(Err(_)));
    let headline =
        if is_whole { "Not found." } else { "Not found, but not everything was searched: Enter searches again." };
    vec![
        headline.into(),
        format!("Deposits: {by_id}; {by_hash}."),
        withdrawals,
        format!("Transfers, which have no hash: {}.", no_match_text(&result.transfer_by_id, "identifier")),
    ]
}
