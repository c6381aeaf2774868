//! What can be copied, and how it leaves the console.

use super::MAX_CLIPBOARD_BYTES;
use crate::app::data::look_alikes;
use crate::app::model::{Mode, Model};
use crate::app::msg::{Effect, StoreQuery};
use crate::app::orders::find_order;
use crate::app::overlays::directory_record::Subject;
use crate::app::overlays::menu::{self, MenuItem, MenuKind};
use crate::app::overlays::receive;
use crate::app::overlays::record::AnyRecord;
use crate::app::pages::book::BookRow;
use crate::app::screen::Pane;
use crate::app::{marked_rows, pages};
use crate::domain::history::HistoryRow;
use crate::domain::{ClipboardRoute, Draft, ReportedAmount, Text, Transaction, explorer};
use crate::guard::{self, OwnAddress};

/// Menu items that contain addresses.
const ADDRESS_ITEM_NAMES: [&str; 7] =
    ["Address", "Counterparty address", "EVM address", "Own address", "Recipient", "Recipients", "Solana address"];

/// The name of an item with several addresses; their count follows.
const COUNTERPARTIES_ITEM_NAME: &str = "Counterparty addresses";

const NOTHING_SELECTED_MESSAGE: &str = "nothing is selected to copy; press j to select a row";

/// The notice where the terminal has no clipboard.
const NO_CLIPBOARD_MESSAGE: &str = "this terminal type (TERM) has no clipboard; export the list to a file instead (x)";

const NO_CLIPBOARD_IN_VISIT_MESSAGE: &str = "this terminal type (TERM) has no clipboard";

fn missing_clipboard_message(model: &Model) -> Option<&'static str> {
    let words = if model.console.is_visit { NO_CLIPBOARD_IN_VISIT_MESSAGE } else { NO_CLIPBOARD_MESSAGE };
    (model.console.clipboard == ClipboardRoute::Missing).then_some(words)
}

/// Why nothing can be copied in `mode`.
pub(in crate::app) fn refusal(model: &Model, mode: &Mode) -> Option<&'static str> {
    if let Some(why) = missing_clipboard_message(model) {
        return Some(why);
    }
    let marked = match (mode, model.focus()) {
        (Mode::Browse, Pane::Recent) => !model.pages.overview.recent.marks.rows.is_empty(),
        (Mode::Browse, Pane::History) => !model.pages.transactions.marks.rows.is_empty(),
        _ => false,
    };
    (!marked && items_of_selection(model, mode).is_empty()).then_some(NOTHING_SELECTED_MESSAGE)
}

pub(in crate::app) fn open_copy_menu(model: &mut Model) -> Vec<Effect> {
    if let Some(why) = missing_clipboard_message(model) {
        model.notice = Some(why.into());
        return Vec::new();
    }
    (model.overlays.copy_state.chosen_item, model.overlays.copy_state.warned_value) = (None, None);
    let history = model.focused_history().filter(|_| matches!(model.mode, Mode::Browse));
    let marked = history.map(|history| history.marks.rows.clone()).unwrap_or_default();
    let (says, items) = if marked.is_empty() {
        (None, items_of_selection(model, &model.mode))
    } else {
        (Some(marked_rows::marks_summary(model)), items_of_rows(&marked))
    };
    if items.is_empty() {
        model.notice = Some(NOTHING_SELECTED_MESSAGE.into());
    } else {
        menu::open_menu(model, MenuKind::Copy, says, items);
    }
    Vec::new()
}

/// Copies a menu item. An address is first compared with the known ones.
pub(in crate::app) fn copy_item(model: &mut Model, item: MenuItem) -> Vec<Effect> {
    let is_address =
        ADDRESS_ITEM_NAMES.contains(&item.name.as_str()) || item.name.starts_with(COUNTERPARTIES_ITEM_NAME);
    if !is_address || model.overlays.copy_state.warned_value.as_ref() == Some(&item.value) {
        menu::close_menu(model);
        return copy_text(model, &item.name, item.value);
    }
    model.overlays.copy_state.chosen_item = Some(item);
    let request_id = model.overlays.copy_state.request_id.advance();
    vec![Effect::QueryStore { query: StoreQuery::KnownAddresses(model.journal.final_statuses.clone()), request_id }]
}

/// Compares the chosen address with the known ones. The menu stays open if it resembles another address.
pub(in crate::app) fn apply_comparison(
    model: &mut Model,
    own: Vec<OwnAddress>,
    paid_by_history: Vec<Text>,
) -> Vec<Effect> {
    let known = look_alikes::address_comparison(model, Vec::new()).to_guard_facts(own, paid_by_history);
    let (Some(item), Mode::Menu(menu)) = (model.overlays.copy_state.chosen_item.take(), &mut model.mode) else {
        return Vec::new();
    };
    let alike = |address| Some((address, guard::find_look_alike(address, &known, model.now)?));
    let Some((address, other)) = item.value.lines().find_map(alike) else {
        menu::close_menu(model);
        return copy_text(model, &item.name, item.value);
    };
    menu.message = Some(format!(
        "LOOK TWICE: {address} begins and ends like {} ({}) but is a different address, as a forged one would be. Whoever uses it pays \
         somebody else. Nothing was copied; press y to copy it anyway.",
        other.address, other.why
    ));
    model.overlays.copy_state.warned_value = Some(item.value);
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

fn menu_item(name: &str, value: String) -> MenuItem {
    MenuItem { name: name.to_owned(), value, is_checked: false, is_dim: false }
}

/// What can be copied of the selected row, the most wanted first.
fn items_of_selection(model: &Model, mode: &Mode) -> Vec<MenuItem> {
    let mut items = Vec::new();
    let mut offer = |name: &str, value: Option<String>| items.extend(value.map(|value| menu_item(name, value)));
    match (mode, model.focus()) {
        (Mode::Detail { row, .. }, _) => return items_of_transaction(model, row),
        (Mode::Receive(wallet), _) => {
            offer("Address", receive::payable_address(model, wallet).ok().map(ToString::to_string));
            offer("Wallet id", Some(wallet.entry.id.to_string()));
        }
        (Mode::Order { id, .. }, _) => return items_of_order(model, *id),
        (_, Pane::Recent) => {
            return model
                .pages
                .overview
                .recent
                .listing
                .selected()
                .map_or(items, |row| items_of_transaction(model, row));
        }
        (_, Pane::History) => {
            return model.pages.transactions.listing.selected().map_or(items, |row| items_of_transaction(model, row));
        }
        (_, Pane::Orders) => {
            return model.pages.orders.listing.selected_key().map_or(items, |id| items_of_order(model, *id));
        }
        (Mode::Record { record, .. }, _) if let AnyRecord::Contact(line) = &**record => {
            return items_of_contact(line);
        }
        (Mode::Record { record, .. }, _) if let AnyRecord::Directory(shown) = &**record => match &shown.subject {
            Subject::Account { account, .. } => {
                let entry = &account.entry;
                let details = [("EVM address", &entry.evm_details), ("Solana address", &entry.solana_details)];
                for (name, details) in details {
                    let address = details.as_ref().and_then(|details| details.address.as_ref());
                    offer(name, address.map(ToString::to_string));
                }
                offer("Account id", Some(entry.id.to_string()));
            }
            Subject::Wallet { wallet, .. } => {
                offer("Address", receive::payable_address(model, wallet).ok().map(ToString::to_string));
                offer("Wallet id", Some(wallet.entry.id.to_string()));
                offer("User id", wallet.entry.user.as_ref().map(ToString::to_string));
            }
        },
        (_, Pane::Book) => return model.pages.book.listing.selected().map_or(items, items_of_contact),
        (_, Pane::Accounts) => {
            let account = model.pages.overview.accounts.selected().map(|known| &known.entry);
            offer("Account id", account.map(|account| account.id.to_string()));
            offer("Name", account.and_then(|account| account.name.as_ref()).map(ToString::to_string));
        }
        (_, Pane::Wallets) => {
            let known = model.pages.overview.wallets.selected();
            let address = known.and_then(|known| receive::payable_address(model, known).ok());
            let wallet = known.map(|known| &known.entry);
            offer("Address", address.map(ToString::to_string));
            offer("Wallet id", wallet.map(|wallet| wallet.id.to_string()));
            offer("User id", wallet.and_then(|wallet| wallet.user.as_ref()).map(ToString::to_string));
        }
        (_, Pane::Users) => {
            let user = model.pages.users.listing.selected().map(|known| &known.entry);
            offer("User id", user.map(|user| user.id.to_string()));
            offer("Reference", user.and_then(|user| user.ref_id.as_ref()).map(ToString::to_string));
        }
        (_, Pane::Balances) => {
            let holding = model.pages.overview.balances.listing.selected();
            let amount = holding.and_then(|holding| holding.amount.as_ref()).map(|amount| amount.raw().to_string());
            offer("Amount", amount);
            offer("Contract", holding.and_then(|holding| holding.token.contract.as_ref()).map(ToString::to_string));
        }
        _ => {}
    }
    items
}

fn items_of_contact(line: &BookRow) -> Vec<MenuItem> {
    let contact = &line.entry.contact;
    let tag = contact.tag.as_ref().map(|tag| menu_item("Tag or memo", tag.to_string()));
    let mut items =
        vec![menu_item("Address", contact.address.to_string()), menu_item("Name", contact.name.to_string())];
    items.extend(tag);
    items
}

fn items_of_transaction(model: &Model, row: &HistoryRow) -> Vec<MenuItem> {
    let transaction = &row.transaction;
    let text = |name: &str, value: Option<String>| value.map(|value| menu_item(name, value));
    let link = explorer::transaction_url(transaction, &model.data.listed_tokens).ok();
    [
        text("Hash", transaction.tx_hash.as_ref().map(ToString::to_string)),
        text("Id", Some(transaction.id.to_string())),
        text("Counterparty address", transaction.counterparty().map(ToString::to_string)),
        text("Own address", transaction.own_wallet_address().map(ToString::to_string)),
        text("Amount", transaction.amount.as_ref().map(|amount| ReportedAmount::raw(amount).to_string())),
        text("Explorer", link),
        text("Reference", transaction.ref_id.as_ref().map(ToString::to_string)),
        text("Idempotency key", transaction.idempotency_key.as_ref().map(ToString::to_string)),
        text("Contract", transaction.token.contract.as_ref().map(ToString::to_string)),
        text("Wallet id", transaction.wallet.as_ref().map(ToString::to_string)),
        text("User id", transaction.user.as_ref().map(ToString::to_string)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The identifiers of several rows, one on each line; the name counts the rows that have one.
fn items_of_rows(rows: &[HistoryRow]) -> Vec<MenuItem> {
    type Get = fn(&Transaction) -> Option<String>;
    let kinds: [(&str, Get); 4] = [
        ("Hashes", |transaction| transaction.tx_hash.as_ref().map(ToString::to_string)),
        ("Ids", |transaction| Some(transaction.id.to_string())),
        (COUNTERPARTIES_ITEM_NAME, |transaction| transaction.counterparty().map(ToString::to_string)),
        ("References", |transaction| transaction.ref_id.as_ref().map(ToString::to_string)),
    ];
    let mut items = Vec::new();
    for (name, get) in kinds {
        let values: Vec<String> = rows.iter().filter_map(|row| get(&row.transaction)).collect();
        if values.is_empty() {
            continue;
        }
        let of = if values.len() == rows.len() { String::new() } else { format!(" of {}", rows.len()) };
        items.push(menu_item(&format!("{name} ({}{of})", values.len()), values.join("\n")));
    }
    items
}

fn items_of_order(model: &Model, id: crate::domain::OrderId) -> Vec<MenuItem> {
    let Some(order) = find_order(model, id) else { return Vec::new() };
    let mut items = vec![menu_item("Order id", id.to_string())];
    let mut offer = |name: &str, value: Option<String>| items.extend(value.map(|value| menu_item(name, value)));
    offer("Idempotency key", order.drafted.request.key.as_ref().map(ToString::to_string));
    if let Some(payment) = order.drafted.draft.single_payment() {
        offer("Recipient", Some(payment.to.to_string()));
        offer("Amount", Some(payment.amount.to_string()));
        offer("Reference", payment.ref_id.as_ref().map(ToString::to_string));
    }
    if let Draft::Batch(batch) = &order.drafted.draft {
        let total = order.drafted.sender.as_ref().map(|sender| sender.amount.to_string());
        offer("Total", total);
        offer("Recipients", Some(batch.to.iter().map(|to| to.address.as_str()).collect::<Vec<_>>().join("\n")));
        offer("Reference", batch.ref_id.as_ref().map(ToString::to_string));
        let own: Vec<&str> = order.drafted.draft.recipient_references().map(Text::as_str).collect();
        offer("References of recipients", (!own.is_empty()).then(|| own.join("\n")));
        offer("File's SHA-256", batch.file.as_ref().map(|file| file.sha256.to_string()));
    }
    if let Some(exchange) = order.drafted.draft.exchange() {
        offer("Amount sold", Some(exchange.amount.to_string()));
        offer("Reference", exchange.reference.map(ToString::to_string));
    }
    offer("Transaction id", order.transaction().map(ToString::to_string));
    offer("Explorer", pages::orders::explorer_url(model, order).ok());
    offer("Hash", order.last_observed().and_then(|seen| seen.tx_hash.as_ref()).map(ToString::to_string));
    items
}
