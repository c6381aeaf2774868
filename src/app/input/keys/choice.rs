//! The selected row: whether there is one to act on, opening it, and going back a level.

use super::show_page;
use crate::app::input::keymap::Command;
use crate::app::list_filter::filter_text::{filter_text_mut, set_filter};
use crate::app::listing::PaneList;
use crate::app::marked_rows;
use crate::app::model::{Mode, Model, Page};
use crate::app::msg::Effect;
use crate::app::pages::registry::pane_logic;
use crate::app::screen::Pane;
use crate::app::session::absence;
use crate::manual::Chapter;

/// Why the focused pane has nothing to open.
pub(in crate::app) fn no_details_message(model: &Model) -> Option<&'static str> {
    let pane = pane_logic(model.focus());
    match pane.list(model).filter(|_| pane.open_row().is_some()) {
        None => Some("there are no further details"),
        Some(list) if list.row_count().number() == 0 => Some("nothing is listed here"),
        Some(_) => None,
    }
}

/// Selects the row that is marked as the one on which a key acts, while the list still follows its first row.
pub(super) fn select_first_visible_row(model: &mut Model) {
    let pane = pane_logic(model.focus());
    if let Some(list) = pane.list_mut(model).filter(|_| !pane.leads_to_next_pane()) {
        list.select_first_visible();
    }
}

pub(super) fn open_selected_row(model: &mut Model) -> Vec<Effect> {
    pane_logic(model.focus()).open_row().map_or_else(Vec::new, |open| open(model))
}

/// One level back: the summary of changes, the zoom, the filter, the marks, the selection, then the Overview.
pub(super) fn go_back_one_level(model: &mut Model) -> Vec<Effect> {
    if absence::dismiss_summary(model) {
        return Vec::new();
    }
    if model.pages.is_zoomed {
        model.pages.is_zoomed = false;
        return Vec::new();
    }
    let pane = model.focus();
    if filter_text_mut(model, pane).is_some_and(|filter| !filter.is_empty()) {
        // A list that was opened whole, as from a report, hides again what deceives.
        if let Some(history) = model.focused_history_mut() {
            history.shows_poison = false;
        }
        return set_filter(model, pane, String::new());
    }
    if marked_rows::clear_marks(model) {
        return Vec::new();
    }
    // On the Markets page a token stays selected: its pairs and chains are shown.
    let logic = pane_logic(pane);
    if model.page != Page::Markets && logic.list_mut(model).is_some_and(PaneList::deselect) {
        return logic.after_deselection(model);
    }
    if model.page == Page::Users && pane != Pane::Users {
        model.set_focus(Pane::Users);
        return Vec::new();
    }
    if model.page != Page::Overview {
        return show_page(model, Page::Overview);
    }
    model.notice = Some("this is the top level; q quits".into());
    Vec::new()
}

/// Turns the pages of the manual in the help: Tab to the next chapter, Enter from the keys to the chapter on what is below,
/// Esc back to the keys. Returns whether the command was one of these.
pub(super) fn switch_help_chapter(model: &mut Model, command: Command) -> bool {
    let current_chapter = model.help_chapter();
    let Mode::Help { chapter, top, .. } = &mut model.mode else { return false };
    let next = match (command, *chapter) {
        (Command::NextPane, chapter) => chapter.neighbour(1),
        (Command::PreviousPane, chapter) => chapter.neighbour(-1),
        (Command::Open, Chapter::Keys) => current_chapter,
        (Command::Back, chapter) if chapter != Chapter::Keys => Chapter::Keys,
        _ => return false,
    };
    (*chapter, *top) = (next, 0);
    true
}
