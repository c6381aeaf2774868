//! What a user holds, as version 2 tells it; before it was told, what their known wallets are known to hold.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::Note;
use super::{name, say};
use crate::app::panes::Tone;
use crate::app::panes::balances::view::{Shown, not_read, rows, suspicious};
use crate::app::panes::view::{head_of, position};
use crate::app::screen::Pane;
use crate::app::{Model, link};
use crate::domain::Basis;
use crate::domain::history::Count;
use crate::ui::Theme;
use crate::ui::chrome::Head;

/// The title and what is said of it: how sure and how old the figures are.
pub(super) fn head(model: &Model, theme: &Theme) -> Head {
    let mut head = head_of(model, Pane::Held, format!("Balances v2 · {}", name(model)));
    let held = &model.users.held;
    let oldest = held.held().iter().filter_map(|holding| holding.as_of).min().or(model.users.balances_at);
    if let Some(age) = model.staleness(oldest) {
        head.notes.push((format!("stale {}", link::words(age)), theme.warn));
    }
    head.notes.extend(not_read(model, theme));
    if model.users.balances_at.is_none() && held.held().iter().any(|holding| holding.amount.is_some()) {
        head.notes.push(("derived from history".into(), theme.dim));
    }
    head.notes.extend(suspicious(model, theme, &model.users.all_held));
    head.notes.extend(position(held).map(|place| (place, theme.dim)));
    head
}

/// Column heads and rows.
pub(super) fn view(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let held = &model.users.held;
    if held.count() == Count::Exact(0) {
        return say(theme, area, nothing(model), buf);
    }
    let common = if model.users.balances_at.is_some() { Basis::Stated } else { Basis::Derived };
    let shown = Shown {
        listing: held,
        all: &model.users.all_held,
        common: Some(common),
        past: None,
        focused: model.focus() == Pane::Held,
        summed: false,
    };
    rows(model, theme, &shown, area, buf);
}

fn nothing(model: &Model) -> Note {
    let users = &model.users;
    match (&users.shown, users.balances_at, model.balances_trouble()) {
        (None, ..) => ("no user is selected".into(), Tone::Dim),
        (_, _, Some(failure)) => (super::super::refusal(failure), Tone::Warn),
        (_, Some(_), None) => ("nothing is held".into(), Tone::Dim),
        (_, None, None) => ("reading…".into(), Tone::Dim),
    }
}
