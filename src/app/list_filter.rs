//! Filters on lists: opening, typing, pasting and clearing.

pub mod completions;
mod context;
mod examples;
pub mod view;

use crossterm::event::{KeyCode, KeyEvent};
use tui_input::{Input, InputRequest};

use super::data::queries;
use super::input::input_line;
use super::input::keymap::Command;
use super::input::keys::move_in_focused_list;
use super::model::{Mode, Model, Page};
use super::msg::Effect;
use super::overlays::export;
use super::overlays::menu;
use super::overlays::naming;
use super::overlays::saved_views;
use super::pages::book;
use super::pages::markets;
use super::pages::orders::prompt;
use super::pages::overview::balances;
use super::pages::users;
use super::screen::{HistoryList, Pane};
use crate::domain::filter::Filter;
use crate::domain::text::is_forbidden_in_text;
pub(super) use context::parse_context;

const MAX_FILTER_CHARS: usize = 200;

pub(super) fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    match model.mode {
        Mode::Prompt(_) => {
            prompt::paste(model, text);
            return Vec::new();
        }
        Mode::Export(_) => {
            export::paste(model, text);
            return Vec::new();
        }
        Mode::Entry(_) => {
            book::entry::paste(model, text);
            return Vec::new();
        }
        Mode::Browse
        | Mode::Filter { .. }
        | Mode::Help { .. }
        | Mode::Palette(_)
        | Mode::OperationMenu(_)
        | Mode::Form(_)
        | Mode::Detail { .. }
        | Mode::Record { .. }
        | Mode::Order { .. }
        | Mode::Chart(_)
        | Mode::Reports(_)
        | Mode::Import(_)
        | Mode::Naming(_)
        | Mode::Line(_)
        | Mode::Menu(_)
        | Mode::Receive(_)
        | Mode::Unlock(_) => {}
    }
    if let Mode::Menu(menu) = &mut model.mode {
        saved_views::paste_name(menu, text);
        return Vec::new();
    }
    if let Mode::Palette(palette) = &mut model.mode {
        palette.paste(text);
        return Vec::new();
    }
    if let Mode::Naming(_) = &model.mode {
        naming::paste(model, text);
        return Vec::new();
    }
    if let Mode::Line(prompt) = &mut model.mode {
        prompt.paste(text);
        return Vec::new();
    }
    if let Mode::Import(importing) = &mut model.mode {
        importing.paste(text);
        return Vec::new();
    }
    let Mode::Filter { input, .. } = &mut model.mode else {
        model.notice = Some("there is no field to paste into here; / opens a filter".into());
        return Vec::new();
    };
    let room = MAX_FILTER_CHARS.saturating_sub(input.value().chars().count());
    // Line breaks become spaces, so that words of two lines stay apart.
    let words = text.trim().chars().map(|c| if c.is_whitespace() { ' ' } else { c });
    for character in words.filter(|c| !is_forbidden_in_text(*c)).take(room) {
        input.handle(InputRequest::InsertChar(character));
    }
    requery_filtered_list(model)
}

/// Opens the filter of the list that has the focus, or of the list on this page that most likely was meant.
pub(super) fn open_filter_input(model: &mut Model) -> Vec<Effect> {
    let pane = match (model.page, model.focus()) {
        (_, pane) if has_filter(pane) => pane,
        (Page::Users, _) => Pane::Users,
        (Page::Overview, _) => Pane::Recent,
        (Page::Markets, _) => Pane::Tokens,
        // The other pages are one list.
        (Page::Orders | Page::Transactions | Page::Events | Page::Book | Page::Attention, _) => return Vec::new(),
    };
    model.set_focus(pane);
    // A filter from before the veil is shown in the list's head as a stand-in only.
    let before = if model.veil.is_on() { String::new() } else { filter_text_mut(model, pane).clone() };
    model.mode = Mode::Filter { pane, input: Input::new(before), completion: None };
    Vec::new()
}

pub(super) fn has_filter(pane: Pane) -> bool {
    matches!(
        pane,
        Pane::Wallets
            | Pane::Balances
            | Pane::Users
            | Pane::Recent
            | Pane::History
            | Pane::Tokens
            | Pane::Orders
            | Pane::Events
            | Pane::Book
    )
}

pub(super) fn filter_text_mut(model: &mut Model, pane: Pane) -> &mut String {
    match pane {
        Pane::Wallets => &mut model.wallet_filter,
        Pane::Balances => &mut model.balances.filter,
        Pane::Users => &mut model.users.filter,
        Pane::History => &mut model.history.filter,
        Pane::Events => &mut model.events.filter,
        Pane::Book => &mut model.book.filter,
        Pane::Tokens => &mut model.token_filter,
        Pane::Orders => &mut model.order_filter,
        Pane::Accounts
        | Pane::User
        | Pane::Holdings
        | Pane::Assets
        | Pane::Addresses
        | Pane::Deposits
        | Pane::Withdrawals
        | Pane::Transfers
        | Pane::Recent
        | Pane::Chains
        | Pane::Attention
        | Pane::Watches
        | Pane::Pairs => &mut model.recent.filter,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other keys edit the text")]
pub(super) fn handle_filter_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Mode::Filter { input, pane, .. } = &model.mode else { return Vec::new() };
    let is_faulty = has_named_fields(*pane) && Filter::parse(input.value(), &parse_context(model)).is_faulty();
    let Mode::Filter { input, .. } = &mut model.mode else { return Vec::new() };
    let request = match key.code {
        // The filter shown above a list must be in effect, so a faulty word is corrected first.
        KeyCode::Enter if is_faulty => return Vec::new(),
        KeyCode::Enter => {
            model.mode = Mode::Browse;
            return Vec::new();
        }
        KeyCode::Tab => return complete_last_word(model),
        KeyCode::Esc => {
            input.reset();
            let effects = requery_filtered_list(model);
            model.mode = Mode::Browse;
            return effects;
        }
        // Up and Down move in the list while its filter is typed.
        KeyCode::Up => return move_in_focused_list(model, Command::Up),
        KeyCode::Down => return move_in_focused_list(model, Command::Down),
        KeyCode::PageUp => return move_in_focused_list(model, Command::PageUp),
        KeyCode::PageDown => return move_in_focused_list(model, Command::PageDown),
        _ => input_line::input_edit_of_key(key),
    };
    let refused = |request: &InputRequest| {
        matches!(request, InputRequest::InsertChar(character)
            if is_forbidden_in_text(*character) || input.value().chars().count() >= MAX_FILTER_CHARS)
    };
    let Some(request) = request.filter(|request| !refused(request)) else { return Vec::new() };
    // A key that changes nothing, such as Backspace on an empty line, must not clear a filter that the veil hides.
    if input.handle(request).is_none_or(|change| !change.value) {
        return Vec::new();
    }
    requery_filtered_list(model)
}

/// Completes the last word as far as it is unambiguous; then cycles through the candidates.
fn complete_last_word(model: &mut Model) -> Vec<Effect> {
    let Mode::Filter { input, pane, completion: tried } = &model.mode else { return Vec::new() };
    let completed = has_named_fields(*pane)
        .then(|| completions::complete_word(model, *pane, input.value(), tried.as_ref()))
        .flatten();
    let Some((completed, next)) = completed.filter(|(text, _)| text.chars().count() <= MAX_FILTER_CHARS) else {
        return Vec::new();
    };
    if let Mode::Filter { input, completion: tried, .. } = &mut model.mode {
        *input = Input::new(completed);
        *tried = next;
    }
    requery_filtered_list(model)
}

/// Whether the list has a filter with named fields, such as `dir:in`.
pub(super) fn has_named_fields(pane: Pane) -> bool {
    matches!(pane, Pane::Recent | Pane::History)
}

/// Opens the filter menu for the list of transactions that has the focus.
pub(super) fn open_filter_menu(model: &mut Model) -> Vec<Effect> {
    let pane = model.focus();
    if has_named_fields(pane) {
        let filter = filter_text_mut(model, pane).clone();
        let items = completions::filter_menu_items(model, &filter);
        menu::open_menu(model, menu::MenuKind::Filter(pane), None, items);
    } else {
        model.notice = Some("only transactions have a filter menu; / filters other lists".into());
    }
    Vec::new()
}

/// Adds a word to the filter of a list, or removes it. Returns the new filter as well.
pub(super) fn toggle_filter_word(model: &mut Model, pane: Pane, word: &str) -> (Vec<Effect>, String) {
    let filter = completions::toggle_word(filter_text_mut(model, pane), word);
    (set_filter(model, pane, filter.clone()), filter)
}

fn requery_filtered_list(model: &mut Model) -> Vec<Effect> {
    let Mode::Filter { pane, input, .. } = &model.mode else { return Vec::new() };
    let (pane, value) = (*pane, input.value().to_owned());
    set_filter(model, pane, value)
}

/// Sets the filter of a list and queries it again, unless the filter is unchanged.
pub(super) fn set_filter(model: &mut Model, pane: Pane, value: String) -> Vec<Effect> {
    let filter = filter_text_mut(model, pane);
    if *filter == value {
        return Vec::new();
    }
    *filter = value;
    match pane {
        Pane::Wallets => {
            model.wallets.reset();
            let mut effects = vec![queries::query_wallets(model)];
            effects.extend(queries::query_selection(model));
            effects
        }
        Pane::Users => {
            model.users.listing.reset();
            let mut effects = vec![queries::query_users(model)];
            effects.extend(users::after_selection_change(model));
            effects
        }
        Pane::Balances => {
            model.balances.listing.reset();
            balances::refresh_balance_rows(model);
            Vec::new()
        }
        Pane::Tokens => {
            model.tokens.reset();
            model.chains.reset();
            model.pairs.reset();
            markets::refresh_token_rows(model);
            Vec::new()
        }
        // These rows are in memory, and are arranged after this message.
        Pane::Events => {
            model.events.listing.reset();
            Vec::new()
        }
        Pane::Orders => {
            model.order_list.reset();
            Vec::new()
        }
        Pane::Book => {
            model.book.listing.reset();
            Vec::new()
        }
        Pane::History => {
            if model.history.filter.is_empty() {
                model.history.leave_view();
            }
            model.history.listing.reset();
            vec![queries::query_history_rows(model, HistoryList::Page)]
        }
        Pane::Accounts
        | Pane::User
        | Pane::Holdings
        | Pane::Assets
        | Pane::Addresses
        | Pane::Deposits
        | Pane::Withdrawals
        | Pane::Transfers
        | Pane::Recent
        | Pane::Chains
        | Pane::Attention
        | Pane::Watches
        | Pane::Pairs => {
            model.recent.listing.reset();
            vec![queries::query_history_rows(model, HistoryList::Recent)]
        }
    }
}
