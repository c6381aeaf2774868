//! ```text
//! ┌ Users ────────────────────────────┐┌ Balances v2 · Ada Lovelace ──────────────┐
//! │ Name            Reference         ││ Token  Chain                Amount       │
//! │▌Ada Lovelace    customer-1  active││▌USDC   Base               1,250.50       │
//! ├ Ada Lovelace ─────────────────────┤├ Assets v1 ───────────────────────────────┤
//! │ Deposits    12, of these 3 in …   ││ Coin           Balance        Frozen     │
//! └───────────────────────────────────┘├ Addresses, Deposits v1, Transfers v1 … ──┤
//! ```

pub mod addresses;
pub mod assets;
pub mod holdings;
pub mod list;
pub mod movements;
pub mod person;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::part_notes::{TonedText, part_notes};
use super::{CachedPart, MovementList};
use crate::app::model::Model;
use crate::app::pages::view::{new_pane_title, tone_style};
use crate::app::pages::{Tone, group_thousands};
use crate::app::screen::Pane;
use crate::domain::history::Scope;
use crate::domain::{PagedList, Text};
use crate::ui::chrome::PaneTitle;
use crate::ui::table::Cell;
use crate::ui::{Theme, paint};

fn title_with_notes(
    model: &Model,
    theme: &Theme,
    pane: Pane,
    title: String,
    place: Option<String>,
    notes: Vec<TonedText>,
) -> PaneTitle {
    let mut head = new_pane_title(model, pane, title);
    head.notes.extend(notes.into_iter().map(|(note, meaning)| (note, tone_style(theme, meaning))));
    head.notes.extend(place.map(|place| (place, theme.dim)));
    head
}

/// A version 1 coin, marked if it imitates another. It stays in its list, since a hidden one could be missed.
fn coin_cell<'a>(model: &Model, theme: &Theme, coin: &'a Text) -> Cell<'a> {
    if model.pages.users.imitations.contains(coin) {
        Cell::text(format!("?{coin}"), theme.warn)
    } else {
        Cell::text(coin.as_str(), theme.accent)
    }
}

/// The notes on a version 1 list: its age, and where the service did not follow the request.
fn list_notes<T>(model: &Model, part: &CachedPart<PagedList<T>>) -> Vec<TonedText> {
    let mut notes = part_notes(model, part);
    if let Some((list, _)) = &part.value {
        notes.extend(list.service_deviation_notes().into_iter().map(|note| (note, Tone::Warn)));
        if list.has_more {
            notes.push(("the newest".into(), Tone::Dim));
        }
    }
    notes
}

/// The notes on a list of movements, and how far it was read.
fn movement_notes<T>(model: &Model, list: MovementList, part: &CachedPart<PagedList<T>>) -> Vec<TonedText> {
    let Some((paged_list, at)) = &part.value else { return part_notes(model, part) };
    let mut notes = Vec::new();
    if list == MovementList::Withdrawals {
        // They are not polled, so their age is no fault.
        notes.push((format!("at {}", model.console.zone.format_with_offset(*at, "%H:%M:%S")), Tone::Dim));
    } else {
        notes = part_notes(model, part);
    }
    notes.extend(paged_list.service_deviation_notes().into_iter().map(|note| (note, Tone::Warn)));
    let (request, user) = (&model.pages.users.page_request, &model.pages.users.shown_user);
    let failure = user.as_ref().and_then(|user| request.failure(user, list));
    if user.as_ref().is_some_and(|user| request.is_reading(user, list)) {
        notes.push(("reading more…".into(), Tone::Dim));
    } else if let Some(failure) = failure {
        notes.push((format!("more not read: {}", failure.reason), Tone::Warn));
    }
    if paged_list.has_more {
        let count = group_thousands(u64::try_from(paged_list.rows.len()).unwrap_or(u64::MAX));
        notes.push((format!("the newest {count}, more below"), Tone::Dim));
    } else if paged_list.pages.len() > 1 {
        notes.push(("all read".into(), Tone::Dim));
    }
    notes
}

fn shown_user_name(model: &Model) -> String {
    let Some(id) = &model.pages.users.shown_user else { return "User".into() };
    model.scope_name(&Scope::User(id.clone()))
}

/// Draws the note of a pane without rows, centred.
fn draw_empty_pane_note(theme: &Theme, area: Rect, (text, meaning): TonedText, buf: &mut Buffer) {
    let lines = crate::domain::text::wrap(&text, area.width.saturating_sub(2));
    let top = area.y + area.height.saturating_sub(u16::try_from(lines.len()).unwrap_or(u16::MAX)) / 2;
    for (y, line) in (top..area.bottom()).zip(lines) {
        paint::put_centered(buf, Rect { y, height: 1, ..area }, &line, tone_style(theme, meaning));
    }
}
