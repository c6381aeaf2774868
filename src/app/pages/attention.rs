//! What needs a person, and the watches of the profile.

mod layout;
pub(in crate::app) mod page;
pub mod panes;
pub mod view;

use crate::app::input::keys::page_links::{open_order, show_events, show_transactions};
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::overlays::line_prompt::{self, LinePurpose};
use crate::app::pages::Tone;
use crate::app::screen::Pane;
use crate::app::session::attention;
use crate::app::{approvals, forms};
use crate::domain::attention::{AttentionItem, AttentionTarget, Severity};
use crate::domain::text::wrap;
use crate::domain::watch::{Watch, WatchEdit};

/// Opens what the selected item is about.
pub(in crate::app) fn open_item(model: &mut Model) -> Vec<Effect> {
    if model.pages.attention.listing.select_first_visible() {
        return Vec::new();
    }
    let Some(target) = model.pages.attention.shown_item().map(|item| item.target.clone()) else { return Vec::new() };
    match target {
        AttentionTarget::Order(id) => open_order(model, id),
        AttentionTarget::Proposal(id) => approvals::open_review(model, id),
        AttentionTarget::Transactions(filter) => show_transactions(model, filter),
        AttentionTarget::Watch(key) => {
            model.set_focus(Pane::Watches);
            if let Some(index) = model.session.watches.index_of(&key) {
                model.session.watches.listing.select(&index);
            }
            Vec::new()
        }
        AttentionTarget::Wallet(id) => {
            let wallet = model.data.address_conflicts.iter().find(|wallet| wallet.entry.id == id);
            if let Some(wallet) = wallet.cloned() {
                model.show_mode(Mode::Receive(Box::new(wallet)));
            }
            Vec::new()
        }
        AttentionTarget::Due { template, due } => forms::templates::open_form_of_template(model, template, Some(due)),
        AttentionTarget::Console => show_events(model),
    }
}

/// Asks for the note of an acknowledgement; withdraws the one that the item has.
pub(in crate::app) fn toggle_acknowledgement(model: &mut Model) -> Vec<Effect> {
    let Some(item) = model.pages.attention.shown_item() else { return Vec::new() };
    let id = item.id.clone();
    if model.pages.attention.acknowledgement(&id).is_some() {
        model.notice = Some("the acknowledgement was withdrawn: it needs somebody again".into());
        return attention::withdraw_acknowledgement(model, id);
    }
    line_prompt::open(model, LinePurpose::Acknowledge(id), String::new());
    Vec::new()
}

pub(in crate::app) fn toggle_acknowledged_rows(model: &mut Model) {
    model.pages.attention.hides_acknowledged = !model.pages.attention.hides_acknowledged;
    attention::rebuild_listing(model);
}

/// A new watch, to be typed.
pub(in crate::app) fn open_new_watch(model: &mut Model) -> Vec<Effect> {
    line_prompt::open(model, LinePurpose::Watch(None), String::new());
    Vec::new()
}

/// The selected watch, to be tried or changed. It is tried at once.
pub(in crate::app) fn open_selected_watch(model: &mut Model) -> Vec<Effect> {
    if model.session.watches.listing.select_first_visible() {
        return Vec::new();
    }
    let Some((index, watch)) = model.session.watches.selected() else { return Vec::new() };
    let sentence = watch.sentence();
    line_prompt::open(model, LinePurpose::Watch(Some(index)), sentence);
    line_prompt::start_watch_trial(model)
}

pub(in crate::app) fn toggle_watch_mute(model: &mut Model) -> Vec<Effect> {
    let Some((index, was)) = model.session.watches.selected() else { return Vec::new() };
    let now = Watch { is_muted: !was.is_muted, ..was.clone() };
    vec![Effect::EditWatch(Box::new(WatchEdit::Replace { index, was, now }))]
}

pub(in crate::app) fn remove_watch(model: &mut Model) -> Vec<Effect> {
    let Some((index, was)) = model.session.watches.selected() else { return Vec::new() };
    line_prompt::open(model, LinePurpose::RemoveWatch { index, was: Box::new(was) }, String::new());
    Vec::new()
}

pub fn severity_tone(item: &AttentionItem) -> Tone {
    match item.kind.severity() {
        Severity::Alarm => Tone::Bad,
        Severity::Warning => Tone::Warn,
        Severity::Notice => Tone::Text,
    }
}

/// An item in full, wrapped to `columns`: what it is and since when, what to do, who takes care of it, what Enter opens.
pub fn item_lines(model: &Model, item: &AttentionItem, columns: u16) -> Vec<(String, Tone)> {
    let since = model.console.zone.format_with_offset(item.since, "%Y-%m-%d %H:%M:%S");
    let mut parts = vec![
        (format!("{} since {since}", item.kind.label()), severity_tone(item)),
        (item.subject.clone(), Tone::Text),
        (format!("{}.", item.kind.advice()), Tone::Accent),
    ];
    if let Some(acknowledgement) = model.pages.attention.acknowledgement(&item.id) {
        let at = model.console.zone.format_with_offset(acknowledgement.at, "%Y-%m-%d %H:%M");
        let host =
            if acknowledgement.by.host.is_empty() { String::new() } else { format!(" at {}", acknowledgement.by.host) };
        let note = if acknowledgement.note.is_empty() { String::new() } else { format!(": {}", acknowledgement.note) };
        parts.push((format!("acknowledged {at} by {}{host}{note}", acknowledgement.by.user), Tone::Good));
    }
    let opens = match item.target {
        AttentionTarget::Order(_) => "Enter opens the order",
        AttentionTarget::Proposal(_) => "Enter opens its review",
        AttentionTarget::Transactions(_) => "Enter shows its transactions",
        AttentionTarget::Watch(_) => "Enter goes to the watch",
        AttentionTarget::Wallet(_) => "Enter compares both addresses",
        AttentionTarget::Due { .. } => "Enter opens the form",
        AttentionTarget::Console => "Enter shows the events",
    };
    parts.push((opens.to_owned(), Tone::Dim));
    let wrapped = |(text, tone): (String, Tone)| wrap(&text, columns).into_iter().map(move |line| (line, tone));
    parts.into_iter().flat_map(wrapped).collect()
}
