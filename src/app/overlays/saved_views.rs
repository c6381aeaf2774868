//! The menu of views: opens one, saves the filter on screen as one, renames and removes saved ones.

use crossterm::event::{KeyCode, KeyEvent};

use super::menu::{self, MenuItem, MenuKind, MenuLine, MenuLinePurpose};
use crate::app::data::queries;
use crate::app::input::keys::show_page;
use crate::app::model::{Mode, Model, Page};
use crate::app::msg::Effect;
use crate::app::screen::HistoryList;
use crate::app::session::veil::VEILED_MESSAGE;
use crate::app::session::views::ListedView;
use crate::domain::history::Sort;
use crate::domain::saved_view::{SavedView, ViewChange, is_same_name, view_name_fault};
use crate::domain::{Failure, Text};

const NOTHING_TO_SAVE: &str =
    "nothing to save: filter or sort the transactions of page 3 first, then V s names the view";

/// The views; under the veil the shipped ones alone, since a saved one may name a customer.
pub fn listed_views(model: &Model) -> Vec<ListedView> {
    let mut views = model.session.views.list();
    views.retain(|view| !(view.is_saved && model.session.veil.is_on()));
    views
}

pub(in crate::app) fn open_views_menu(model: &mut Model) {
    let items = menu_items(model);
    menu::open_menu(model, MenuKind::Views, None, items);
}

fn menu_items(model: &Model) -> Vec<MenuItem> {
    let numbered = (1..).zip(listed_views(model));
    numbered
        .map(|(number, view)| {
            let key = if number < 10 { number.to_string() } else { " ".into() };
            MenuItem {
                name: format!("{key}  {}", view.name),
                payload: describe(&view),
                is_checked: view.is_saved,
                is_dim: false,
            }
        })
        .collect()
}

/// The filter of a view, and its order where it is not the usual one.
pub(in crate::app) fn describe(view: &ListedView) -> String {
    let order = if view.sort == Sort::default() { String::new() } else { format!(", {} first", view.sort.name()) };
    if view.filter.is_empty() { format!("all{order}") } else { format!("{}{order}", view.filter) }
}

/// Shows a view on the Transactions page.
pub(in crate::app) fn open_view(model: &mut Model, view: &ListedView) -> Vec<Effect> {
    model.show_mode(Mode::Browse);
    let prices = model.data.prices.price_list();
    let history = &mut model.pages.transactions;
    history.filter = view.filter.to_string();
    history.apply_view_sort(view.sort);
    history.prices = prices;
    history.listing.reset_position();
    if model.page == Page::Transactions {
        return vec![queries::query_history_rows(model, HistoryList::Page)];
    }
    show_page::show_page(model, Page::Transactions)
}

pub(in crate::app) fn open_view_by_name(model: &mut Model, name: &str) -> Vec<Effect> {
    let view = listed_views(model).into_iter().find(|view| is_same_name(&view.name, name));
    view.map_or_else(Vec::new, |view| open_view(model, &view))
}

/// Asks for the name of the view on screen, or says why it cannot be saved.
pub(in crate::app) fn open_save_prompt(model: &mut Model) {
    open_views_menu(model);
    start_saving(model);
}

/// Why what is on screen cannot be saved as a view.
pub(in crate::app) fn save_refusal(model: &Model) -> Option<&'static str> {
    let history = &model.pages.transactions;
    if model.session.veil.is_on() {
        return Some(VEILED_MESSAGE);
    }
    let shows_all = history.filter.is_empty() && history.sort == Sort::default();
    (model.page != Page::Transactions || shows_all).then_some(NOTHING_TO_SAVE)
}

fn start_saving(model: &mut Model) {
    if let Some(reason) = save_refusal(model) {
        model.notice = Some(reason.into());
        return;
    }
    let history = &model.pages.transactions;
    let name =
        model.session.views.name_of(&history.filter, history.sort).map(|name| name.to_string()).unwrap_or_default();
    open_line(model, "Save this view as:".into(), MenuLine::new(&name, MenuLinePurpose::SaveView));
}

fn open_line(model: &mut Model, message: String, line: MenuLine) {
    if let Mode::Menu(menu) = &mut model.mode {
        menu.open_line(message, line);
    }
}

fn highlighted_view(model: &Model) -> Option<ListedView> {
    let Mode::Menu(menu) = &model.mode else { return None };
    listed_views(model).into_iter().nth(menu.at)
}

/// Keys of the menu of views; `None` for those that every menu has.
#[expect(clippy::wildcard_enum_match_arm, reason = "other keys move in the menu, or edit the name")]
pub(in crate::app) fn handle_key(model: &mut Model, key: KeyEvent) -> Option<Vec<Effect>> {
    let Mode::Menu(menu) = &mut model.mode else { return None };
    if menu.line.is_some() {
        return Some(handle_naming_key(model, key));
    }
    let is_removal_asked = menu.message.take().is_some();
    Some(match key.code {
        KeyCode::Char('V') => {
            menu::close_menu(model);
            Vec::new()
        }
        KeyCode::Char(digit @ '1'..='9') => {
            let at = digit.to_digit(10).and_then(|digit| usize::try_from(digit).ok()).unwrap_or(0);
            let view = listed_views(model).into_iter().nth(at.saturating_sub(1));
            view.map_or_else(Vec::new, |view| open_view(model, &view))
        }
        KeyCode::Enter => highlighted_view(model).map_or_else(Vec::new, |view| open_view(model, &view)),
        KeyCode::Char('s') => {
            start_saving(model);
            Vec::new()
        }
        KeyCode::Char(key @ ('e' | 'D')) => {
            match highlighted_view(model) {
                Some(view) if !view.is_saved => {
                    model.notice = Some(format!("“{}” is shipped: it can be replaced by one of its name", view.name));
                }
                Some(view) if key == 'e' => {
                    let line = MenuLine::new(&view.name, MenuLinePurpose::RenameView(Text::clean(&view.name)));
                    open_line(model, format!("Rename “{}” to:", view.name), line);
                }
                Some(view) if is_removal_asked => return Some(remove_view(model, &view)),
                Some(view) => ask_for_removal(model, &view),
                None => {}
            }
            Vec::new()
        }
        _ => return None,
    })
}

fn ask_for_removal(model: &mut Model, view: &ListedView) {
    if let Mode::Menu(menu) = &mut model.mode {
        menu.message = Some(format!("Press D again to remove “{}”.", view.name));
    }
}

fn remove_view(model: &mut Model, view: &ListedView) -> Vec<Effect> {
    change_views(model, ViewChange::Remove(Text::clean(&view.name)))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other keys edit the name")]
fn handle_naming_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Mode::Menu(menu) = &mut model.mode else { return Vec::new() };
    let Some(line) = &mut menu.line else { return Vec::new() };
    match key.code {
        KeyCode::Esc => menu.close_line(),
        KeyCode::Enter => return confirm_name(model),
        _ => line.handle_key(key),
    }
    Vec::new()
}

fn confirm_name(model: &mut Model) -> Vec<Effect> {
    let Mode::Menu(menu) = &model.mode else { return Vec::new() };
    let Some(line) = &menu.line else { return Vec::new() };
    let name = Text::clean(line.input.value().trim());
    if let Some(fault) = view_name_fault(&name) {
        model.notice = Some(fault.into());
        return Vec::new();
    }
    let change = match &line.purpose {
        MenuLinePurpose::RenameView(from) if is_same_name(from, &name) || !model.session.views.has(&name) => {
            ViewChange::Rename { from: from.clone(), to: name }
        }
        MenuLinePurpose::RenameView(_) => {
            model.notice = Some(format!("another view is called “{name}”; choose another name"));
            return Vec::new();
        }
        MenuLinePurpose::SaveView
        | MenuLinePurpose::RefuseProposal(_)
        | MenuLinePurpose::SaveTemplate(_)
        | MenuLinePurpose::RenameTemplate(_)
        | MenuLinePurpose::RepeatTemplate(_) => {
            let history = &model.pages.transactions;
            ViewChange::Save(SavedView { name, filter: history.filter.clone(), sort: history.sort })
        }
    };
    change_views(model, change)
}

/// Changes the views of this session, and has the profile changed.
fn change_views(model: &mut Model, change: ViewChange) -> Vec<Effect> {
    model.session.views.apply_change(&change);
    let items = menu_items(model);
    if let Mode::Menu(menu) = &mut model.mode {
        menu.close_line();
        menu.at = menu.at.min(items.len().saturating_sub(1));
        menu.items = items;
    }
    vec![Effect::ChangeViews(change)]
}

/// The profile has changed, or why it has not.
pub(in crate::app) fn apply_result(model: &mut Model, change: &ViewChange, result: Result<(), Failure>) {
    let message = match change {
        ViewChange::Save(view) => format!("“{}” is saved", view.name),
        ViewChange::Rename { from, to } => format!("“{from}” is now called “{to}”"),
        ViewChange::Remove(name) => format!("“{name}” is removed"),
    };
    model.notice = Some(match result {
        Ok(()) => format!("{message}, in the configuration of this profile"),
        Err(failure) if failure.detail.is_empty() => format!("{message} for this session only: {failure}"),
        Err(failure) => format!("{message} for this session only: {}", failure.detail),
    });
}
