//! What can be copied, and how it leaves the console.

use super::{COUNTERPARTIES_ITEM_NAME, MAX_CLIPBOARD_BYTES, items};
use crate::app::data::look_alikes;
use crate::app::marked_rows;
use crate::app::model::{Mode, Model};
use crate::app::msg::{Effect, StoreQuery};
use crate::app::overlays::menu::{self, MenuItem, MenuKind};
use crate::app::pages::registry::pane_logic;
use crate::app::screen::Pane;
use crate::domain::{ClipboardRoute, Text};
use crate::guard::{self, OwnAddress};

/// Menu items that contain addresses.
const ADDRESS_ITEM_NAMES: [&str; 7] =
    ["Address", "Counterparty address", "EVM address", "Own address", "Recipient", "Recipients", "Solana address"];

const NOTHING_SELECTED_MESSAGE: &str = "nothing is selected to copy; press j to select a row";

/// The notice where the terminal has no clipboard.
const NO_CLIPBOARD_MESSAGE: &str = "this terminal type (TERM) has no clipboard; export the list to a file instead (x)";

const NO_CLIPBOARD_IN_VISIT_MESSAGE: &str = "this terminal type (TERM) has no clipboard";

fn missing_clipboard_message(model: &Model) -> Option<&'static str> {
    let message = if model.console.is_visit { NO_CLIPBOARD_IN_VISIT_MESSAGE } else { NO_CLIPBOARD_MESSAGE };
    (model.console.clipboard == ClipboardRoute::Missing).then_some(message)
}

/// Why nothing can be copied in `mode`.
pub(in crate::app) fn refusal(model: &Model, mode: &Mode) -> Option<&'static str> {
    if let Some(reason) = missing_clipboard_message(model) {
        return Some(reason);
    }
    let marked = match (mode, model.focus()) {
        (Mode::Browse, Pane::Recent) => !model.pages.overview.recent.marks.rows.is_empty(),
        (Mode::Browse, Pane::History) => !model.pages.transactions.marks.rows.is_empty(),
        _ => false,
    };
    (!marked && items_of_selection(model, mode).is_empty()).then_some(NOTHING_SELECTED_MESSAGE)
}

pub(in crate::app) fn open_copy_menu(model: &mut Model) -> Vec<Effect> {
    if let Some(reason) = missing_clipboard_message(model) {
        model.notice = Some(reason.into());
        return Vec::new();
    }
    (model.overlays.copy_state.chosen_item, model.overlays.copy_state.warned_value) = (None, None);
    let history = model.focused_history().filter(|_| matches!(model.mode, Mode::Browse));
    let marked = history.map(|history| history.marks.rows.clone()).unwrap_or_default();
    let (message, items) = if marked.is_empty() {
        (None, items_of_selection(model, &model.mode))
    } else {
        (Some(marked_rows::marks_summary(model)), items::items_of_rows(&marked))
    };
    if items.is_empty() {
        model.notice = Some(NOTHING_SELECTED_MESSAGE.into());
    } else {
        menu::open_menu(model, MenuKind::Copy, message, items);
    }
    Vec::new()
}

/// Copies a menu item. An address is first compared with the known ones.
pub(in crate::app) fn copy_item(model: &mut Model, item: MenuItem) -> Vec<Effect> {
    let is_address =
        ADDRESS_ITEM_NAMES.contains(&item.name.as_str()) || item.name.starts_with(COUNTERPARTIES_ITEM_NAME);
    if !is_address || model.overlays.copy_state.warned_value.as_ref() == Some(&item.payload) {
        menu::close_menu(model);
        return copy_text(model, &item.name, item.payload);
    }
    model.overlays.copy_state.chosen_item = Some(item);
    let request_id = model.overlays.copy_state.request_id.advance();
    vec![Effect::QueryStore { query: StoreQuery::KnownAddresses(model.journal.final_statuses.clone()), request_id }]
}

/// Compares the chosen address with the known ones. The menu stays open if it resembles another address.
pub(in crate::app) fn apply_look_alike_check(
    model: &mut Model,
    own: Vec<OwnAddress>,
    paid_by_history: Vec<Text>,
) -> Vec<Effect> {
    let facts = look_alikes::build_look_alike_query(model, Vec::new()).to_guard_facts(own, paid_by_history);
    let (Some(item), Mode::Menu(menu)) = (model.overlays.copy_state.chosen_item.take(), &mut model.mode) else {
        return Vec::new();
    };
    let alike = |address| Some((address, guard::find_look_alike(address, &facts, model.now)?));
    let Some((address, other)) = item.payload.lines().find_map(alike) else {
        menu::close_menu(model);
        return copy_text(model, &item.name, item.payload);
    };
    menu.message = Some(format!(
        "LOOK TWICE: {address} begins and ends like {} ({}) but is a different address, as a forged one would be. Whoever uses it pays \
         somebody else. Nothing was copied; press y to copy it anyway.",
        other.address, other.reason
    ));
    model.overlays.copy_state.warned_value = Some(item.payload);
    Vec::new()
}

/// Copies a text; the notice does not claim success, because no terminal confirms it.
pub(in crate::app) fn copy_text(model: &mut Model, name: &str, value: String) -> Vec<Effect> {
    if value.len() > MAX_CLIPBOARD_BYTES {
        model.notice = Some("this is more than terminals accept; export it instead (x)".into());
        return Vec::new();
    }
    model.notice = Some(match model.console.clipboard {
        ClipboardRoute::Tmux => {
            format!("{name} sent to the clipboard; if it is missing: tmux set -g set-clipboard on")
        }
        ClipboardRoute::Screen => {
            format!("{name} sent through screen or tmux (OSC 52); not every version passes it on")
        }
        ClipboardRoute::Terminal | ClipboardRoute::Missing => {
            format!("{name} sent to the terminal's clipboard (OSC 52); not every terminal accepts it")
        }
    });
    vec![Effect::Copy(value)]
}

/// What can be copied of what is open, or else of the selected row.
#[expect(clippy::wildcard_enum_match_arm, reason = "other modes are over the list")]
fn items_of_selection(model: &Model, mode: &Mode) -> Vec<MenuItem> {
    match mode {
        Mode::Detail { row, .. } => items::items_of_transaction(model, row),
        Mode::Receive(wallet) => items::items_of_wallet(model, wallet),
        Mode::Order { id, .. } => items::items_of_order(model, *id),
        Mode::Record { record, .. } => items::items_of_record(model, record),
        _ => pane_logic(model.focus()).copy_items(model),
    }
}
