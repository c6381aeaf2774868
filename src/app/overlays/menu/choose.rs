//! The keys of a menu, and what choosing an item does.

use crossterm::event::{KeyCode, KeyEvent};

use super::MenuKind;
use super::open::close_menu;
use crate::app::approvals;
use crate::app::forms::{self, follow_up};
use crate::app::list_filter::completions;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::overlays::copying::copy;
use crate::app::overlays::saved_views;

#[expect(clippy::wildcard_enum_match_arm, reason = "other keys have no meaning here")]
pub(in crate::app) fn handle_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    if matches!(&model.mode, Mode::Menu(menu) if menu.kind == MenuKind::Views)
        && let Some(effects) = saved_views::handle_key(model, key)
    {
        return effects;
    }
    if matches!(&model.mode, Mode::Menu(menu) if menu.kind == MenuKind::Drafts)
        && let Some(effects) = forms::handle_drafts_key(model, key)
    {
        return effects;
    }
    if matches!(&model.mode, Mode::Menu(menu) if menu.kind == MenuKind::Approvals)
        && let Some(effects) = approvals::handle_menu_key(model, key)
    {
        return effects;
    }
    let Mode::Menu(menu) = &mut model.mode else { return Vec::new() };
    let last = menu.items.len().saturating_sub(1);
    match key.code {
        KeyCode::Esc | KeyCode::Char('q') => close_menu(model),
        KeyCode::Char('y') if menu.kind == MenuKind::Copy => return choose_item(model),
        KeyCode::Char('f') if matches!(menu.kind, MenuKind::Filter(_)) => close_menu(model),
        KeyCode::Char('j') | KeyCode::Down | KeyCode::Tab => menu.at = (menu.at + 1).min(last),
        KeyCode::Char('k') | KeyCode::Up | KeyCode::BackTab => menu.at = menu.at.saturating_sub(1),
        KeyCode::Char('g') | KeyCode::Home => menu.at = 0,
        KeyCode::Char('G') | KeyCode::End => menu.at = last,
        KeyCode::PageDown => menu.at = (menu.at + 10).min(last),
        KeyCode::PageUp => menu.at = menu.at.saturating_sub(10),
        KeyCode::Char(' ') | KeyCode::Enter => return choose_item(model),
        _ => {}
    }
    Vec::new()
}

/// Chooses the highlighted item: copies it, or ticks it and stays open.
fn choose_item(model: &mut Model) -> Vec<Effect> {
    let Mode::Menu(menu) = &mut model.mode else { return Vec::new() };
    let Some(item) = menu.items.get_mut(menu.at) else { return Vec::new() };
    match menu.kind {
        MenuKind::Copy => {
            let item = item.clone();
            copy::copy_item(model, item)
        }
        MenuKind::Rest(id) => {
            let address = item.payload.clone();
            close_menu(model);
            follow_up::open_rest_for_recipient(model, id, &address)
        }
        // Its keys are handled before.
        MenuKind::Views | MenuKind::Drafts | MenuKind::Approvals => Vec::new(),
        MenuKind::Filter(pane) => {
            let word = item.payload.clone();
            let (effects, filter) = completions::toggle_filter_word(model, pane, &word);
            if let Mode::Menu(menu) = &mut model.mode {
                completions::check_active_items(&mut menu.items, &filter);
            }
            effects
        }
    }
}
