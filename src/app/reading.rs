//! Texts that take the page and scroll.

use super::model::{Mode, Model};
use super::panes::{self, detail, help};
use super::screen;

/// How many lines the text has that takes the page; 0 while none does.
pub(super) fn lines(model: &Model, mode: &Mode) -> u16 {
    let columns = screen::reading(model).width;
    let lines = match mode {
        Mode::Help { .. } => help::lines(model.read_only.as_deref(), columns).len(),
        Mode::Detail { row, .. } => detail::lines(model, row, columns).len(),
        Mode::Order { id, .. } => panes::orders::lines(model, *id, columns).len(),
        Mode::Browse
        | Mode::Filter { .. }
        | Mode::Prompt(_)
        | Mode::Import(_)
        | Mode::Receive(_)
        | Mode::Choose(_)
        | Mode::Form(_) => 0,
    };
    u16::try_from(lines).unwrap_or(u16::MAX)
}

/// A text is not scrolled beyond its last line.
pub(super) fn hold(model: &mut Model) {
    let visible = screen::reading(model).height.saturating_sub(1);
    let last = lines(model, &model.mode).saturating_sub(visible);
    if let Mode::Help { top, .. } | Mode::Detail { top, .. } | Mode::Order { top, .. } = &mut model.mode {
        *top = (*top).min(last);
    }
}
