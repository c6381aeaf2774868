//! Collects what needs a person, from everything that the console knows.

pub mod due;
mod sources;

use std::time::Duration;

use uuid::Uuid;

use crate::app::approvals;
use crate::app::data::analyses::AnalysisQuery;
use crate::app::data::connection::ConnectionState;
use crate::app::data::environment;
use crate::app::data::look_alikes;
use crate::app::model::Model;
use crate::app::msg::{Effect, Msg, StoreResult};
use crate::app::orders;
use crate::app::pages::Tone;
use crate::app::request_id::RequestId;
use crate::app::session::events::EventKind;
use crate::domain::attention::{
    AcknowledgementChange, Acknowledgements, AttentionId, AttentionItem, AttentionKind, AttentionTarget,
    HistoryFindings,
};
use crate::domain::history::Window;
use crate::domain::order::ConsoleIdentity;
use crate::domain::{Failure, ReadOnlyReason, Text, Timestamp};
use due::DueSources;
pub use sources::AttentionSources;

/// A shorter silence of the service is no trouble.
const OFFLINE_TOLERANCE: Duration = Duration::from_mins(2);

/// Whether a message may change what needs a person. Keys do not, and must be answered fast; nor do rows and sums that
/// the screen asked for.
#[expect(clippy::wildcard_enum_match_arm, reason = "any other message may")]
pub(in crate::app) fn may_change_items(model: &Model, msg: &Msg) -> bool {
    let is_unrelated = match msg {
        Msg::InputTime(_) | Msg::Key(_) | Msg::Paste(_) | Msg::FrameDrawn | Msg::Resized(_) => true,
        Msg::AnalysisLoaded { query, .. } => {
            !matches!(**query, AnalysisQuery::Findings(_) | AnalysisQuery::Names(_) | AnalysisQuery::LookAlikes(_))
        }
        Msg::StoreAnswered { answer: Ok(answer), .. } => {
            model.data.store_failure.is_none()
                && matches!(
                    answer,
                    StoreResult::Accounts(_)
                        | StoreResult::Wallets(..)
                        | StoreResult::Holdings { .. }
                        | StoreResult::Total { .. }
                        | StoreResult::TotalSamples(_)
                        | StoreResult::History(..)
                        | StoreResult::Rows(_)
                )
        }
        _ => false,
    };
    !is_unrelated
}

/// Collects the items anew, after messages that may change them: items come and go with data and time.
pub(in crate::app) fn collect_items(model: &mut Model) -> Vec<Effect> {
    let now = model.now;
    let mut cached = std::mem::take(&mut model.pages.attention.cached_history_items);
    let sources = attention_sources(model, model.session.watches.attention_items());
    let mut items = sources.items(now, &mut cached);
    items.extend(console_items(model));
    items.extend(approvals::attention_items(model));
    for item in &mut items {
        // Items about the console and its watches begin when they are first noticed.
        if matches!(item.target, AttentionTarget::Console | AttentionTarget::Wallet(_)) {
            item.since = model.pages.attention.standing_since(item.id.clone(), now).min(item.since);
        }
    }
    model.pages.attention.cached_history_items = cached;
    model.pages.attention.replace_items(items);
    rebuild_listing(model);
    withdraw_ended_acknowledgements(model)
}

/// How many items nobody has acknowledged.
pub fn open_count(model: &Model) -> usize {
    model.pages.attention.open_count()
}

fn attention_sources(model: &Model, watch_items: Vec<AttentionItem>) -> AttentionSources<'_> {
    AttentionSources {
        orders: &model.journal.orders,
        names: &model.data.analyses.names.names,
        findings: model.pages.attention.findings.as_ref(),
        watch_items,
        address_conflicts: &model.data.address_conflicts,
        unanswered_addresses: model.journal.addresses.unanswered(),
        due: DueSources {
            templates: model.journal.book.templates(),
            paid: &model.journal.paid_dues,
            acknowledgements: &model.pages.attention.acknowledgements,
            zone: &model.console.zone,
        },
    }
}

/// Rebuilds the list of the page, and selects its first row while none is.
pub(in crate::app) fn rebuild_listing(model: &mut Model) {
    let attention = &mut model.pages.attention;
    let is_listed =
        |item: &&AttentionItem| !attention.hides_acknowledged || attention.acknowledgements.find(&item.id).is_none();
    let ids: Vec<AttentionId> = attention.items.iter().filter(is_listed).map(|item| item.id.clone()).collect();
    if !ids.iter().eq(attention.listing.rows()) || !attention.listing.is_loaded() {
        attention.listing.apply_window(Window::whole(ids));
    }
}

/// Trouble of the console itself: clock, network, key, connection, records.
fn console_items(model: &Model) -> Vec<AttentionItem> {
    let mut items = Vec::new();
    let now = model.now;
    let mut add = |kind, mark: &str, subject: String| {
        items.push(AttentionItem::new(kind, mark, now, subject, AttentionTarget::Console));
    };
    if let Some(alarm) = environment::network_alarm(model) {
        add(AttentionKind::Network, "", alarm);
    }
    if let Some(apart) = model.data.skew.display_text() {
        add(AttentionKind::Clock, "", format!("this machine's clock is {apart}"));
    }
    let failure = model.data.remotes.latest.failure.as_ref().map(|(failure, _)| failure);
    let silent_since = model.data.remotes.latest.last_success.or(model.data.cached_as_of);
    match model.data.connection {
        ConnectionState::KeyRejected => {
            let alarm = failure.map_or_else(|| "the service rejects the API key".to_owned(), ToString::to_string);
            add(AttentionKind::Key, "", alarm);
        }
        ConnectionState::Offline { .. } if silent_since.is_none_or(|at| at.age(now) > OFFLINE_TOLERANCE) => {
            let alarm = failure.map_or_else(|| "the service does not answer".to_owned(), ToString::to_string);
            add(AttentionKind::Connection, "", alarm);
        }
        ConnectionState::Connecting
        | ConnectionState::Live
        | ConnectionState::Slow
        | ConnectionState::Busy
        | ConnectionState::Offline { .. } => {}
    }
    if let Err(stopped) = orders::may_change(model)
        && orders::are_changes_stopped(model)
    {
        add(AttentionKind::Key, "changes", stopped);
    }
    if let Some(reason @ ReadOnlyReason::WritableConfiguration { .. }) = &model.console.read_only {
        add(AttentionKind::Profile, "permissions", reason.to_string());
    }
    if let Some(failure) = &model.data.store_failure {
        add(AttentionKind::Connection, "store", format!("what was read cannot be stored: {failure}"));
    }
    if let Some(failure) = &model.journal.orders_failure {
        add(AttentionKind::Records, "journal", format!("orders cannot be read: {failure}"));
    }
    if let Some(failure) = &model.pages.book.failure {
        add(AttentionKind::Records, "book", format!("the address book cannot be read: {failure}"));
    }
    items
}

/// Withdraws the acknowledgement of what is over and may recur: if it recurs, it stands again.
fn withdraw_ended_acknowledgements(model: &mut Model) -> Vec<Effect> {
    if model.pages.attention.acknowledgements.is_empty() {
        return Vec::new();
    }
    let is_live = model.data.connection == ConnectionState::Live;
    let kind = |kind, mark: &str| AttentionId::new(kind, mark);
    let console = [
        kind(AttentionKind::Clock, ""),
        kind(AttentionKind::Key, ""),
        kind(AttentionKind::Key, "changes"),
        kind(AttentionKind::Connection, ""),
        kind(AttentionKind::Connection, "store"),
    ];
    let clear = model.session.watches.ids_of_clear_watches();
    let is_over = |id: &AttentionId| clear.contains(id) || is_live && console.contains(id);
    let over: Vec<AcknowledgementChange> = model
        .pages
        .attention
        .acknowledgements
        .ended_item_ids(&model.pages.attention.items, is_over)
        .map(|id| AcknowledgementChange { item: id.clone(), note: None })
        .collect();
    if over.is_empty() {
        return Vec::new();
    }
    let effects = record_acknowledgement_changes(model, over);
    // A read-only console does not write: another one of the profile notices the same.
    if model.console.read_only.is_some() { Vec::new() } else { effects }
}

/// Acknowledges an item with a note, which may be empty, and selects the next one that nobody has acknowledged.
pub(in crate::app) fn acknowledge(model: &mut Model, id: AttentionId, note: &str) -> Vec<Effect> {
    let open: Vec<AttentionId> = model.pages.attention.open_items().map(|item| item.id.clone()).collect();
    let at = open.iter().position(|open_id| *open_id == id);
    let next = at.and_then(|at| open.get(at + 1).or_else(|| open.get(at.checked_sub(1)?))).cloned();
    let effects = record_acknowledgement_changes(
        model,
        vec![AcknowledgementChange { item: id, note: Some(Text::clean(note.trim())) }],
    );
    if let Some(next) = next {
        model.pages.attention.listing.select(&next);
    }
    effects
}

pub(in crate::app) fn withdraw_acknowledgement(model: &mut Model, id: AttentionId) -> Vec<Effect> {
    record_acknowledgement_changes(model, vec![AcknowledgementChange { item: id, note: None }])
}

fn record_acknowledgement_changes(model: &mut Model, changes: Vec<AcknowledgementChange>) -> Vec<Effect> {
    // Until the journal answers, and for as long as it cannot be written, this console counts it as done.
    let identity = ConsoleIdentity { user: "this console".into(), host: Text::default(), run: Uuid::nil() };
    model.pages.attention.apply_changes(&changes, model.now, &identity);
    let items = std::mem::take(&mut model.pages.attention.items);
    model.pages.attention.replace_items(items);
    rebuild_listing(model);
    vec![Effect::Acknowledge(changes)]
}

/// Takes the acknowledgements of the journal.
pub(in crate::app) fn apply_acknowledgements(model: &mut Model, acknowledgements: Acknowledgements) {
    model.pages.attention.acknowledgements = acknowledgements;
    let items = std::mem::take(&mut model.pages.attention.items);
    model.pages.attention.replace_items(items);
    rebuild_listing(model);
}

pub(in crate::app) fn apply_record_result(model: &mut Model, result: Result<(), Failure>) {
    if let Err(failure) = result {
        let message = format!("acknowledged until this console closes, since it could not be recorded: {failure}");
        model.record_event(EventKind::Console, Tone::Warn, message.clone());
        model.notice = Some(message);
    }
}

/// Starts to examine the history, if it may have changed.
pub(in crate::app) fn start_due_examination(model: &mut Model) -> Option<Effect> {
    let is_read = model.data.progress.rows > 0 && model.pages.overview.recent.listing.is_loaded();
    if !is_read || model.pages.attention.next_due(model.now).is_none_or(|due| due > model.now) {
        return None;
    }
    let compared = look_alikes::build_look_alike_query(model, Vec::new());
    let request_id = RequestId(model.pages.attention.start_examination(model.now));
    Some(Effect::RunAnalysis { query: AnalysisQuery::Findings(Box::new(compared)), request_id })
}

pub(in crate::app) fn next_examination_due(model: &Model) -> Option<Timestamp> {
    let is_read = model.data.progress.rows > 0 && model.pages.overview.recent.listing.is_loaded();
    model.pages.attention.next_due(model.now).filter(|_| is_read)
}

pub(in crate::app) fn apply_findings(model: &mut Model, request_id: RequestId, findings: Option<HistoryFindings>) {
    model.pages.attention.apply_findings(request_id.0, findings);
}
