//! What can be copied of a row, a record or an order, the most wanted first.

use super::COUNTERPARTIES_ITEM_NAME;
use crate::app::model::Model;
use crate::app::orders::{explorer_url, find_order};
use crate::app::overlays::directory_record::Subject;
use crate::app::overlays::menu::MenuItem;
use crate::app::overlays::receive;
use crate::app::overlays::record::AnyRecord;
use crate::app::pages::book::BookRow;
use crate::domain::entry_source::Sourced;
use crate::domain::history::HistoryRow;
use crate::domain::{Account, AccountAddress, Draft, OrderId, ReportedAmount, Text, Transaction, Wallet, explorer};

/// One item for each value that is known.
pub(in crate::app) fn items_of_known_values<const N: usize>(values: [(&str, Option<String>); N]) -> Vec<MenuItem> {
    values.into_iter().filter_map(|(name, payload)| Some(menu_item(name, payload?))).collect()
}

fn menu_item(name: &str, payload: String) -> MenuItem {
    MenuItem { name: name.to_owned(), payload, is_checked: false, is_dim: false }
}

pub(in crate::app) fn items_of_contact(line: &BookRow) -> Vec<MenuItem> {
    let contact = &line.entry.contact;
    items_of_known_values([
        ("Address", Some(contact.address.to_string())),
        ("Name", Some(contact.name.to_string())),
        ("Tag or memo", contact.tag.as_ref().map(ToString::to_string)),
    ])
}

pub(in crate::app) fn items_of_wallet(model: &Model, wallet: &Sourced<Wallet>) -> Vec<MenuItem> {
    items_of_known_values([
        ("Address", receive::payable_address(model, wallet).ok().map(ToString::to_string)),
        ("Wallet id", Some(wallet.entry.id.to_string())),
        ("User id", wallet.entry.user.as_ref().map(ToString::to_string)),
    ])
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the other records have nothing to copy")]
pub(super) fn items_of_record(model: &Model, record: &AnyRecord) -> Vec<MenuItem> {
    match record {
        AnyRecord::Contact(line) => items_of_contact(line),
        AnyRecord::Directory(directory_record) => match &directory_record.subject {
            Subject::Account { account, .. } => {
                let entry: &Account = &account.entry;
                let address = |details: &Option<AccountAddress>| Some(details.as_ref()?.address.as_ref()?.to_string());
                items_of_known_values([
                    ("EVM address", address(&entry.evm_details)),
                    ("Solana address", address(&entry.solana_details)),
                    ("Account id", Some(entry.id.to_string())),
                ])
            }
            Subject::Wallet { wallet, .. } => items_of_wallet(model, wallet),
        },
        _ => Vec::new(),
    }
}

pub(in crate::app) fn items_of_transaction(model: &Model, row: &HistoryRow) -> Vec<MenuItem> {
    let transaction = &row.transaction;
    items_of_known_values([
        ("Hash", transaction.tx_hash.as_ref().map(ToString::to_string)),
        ("Id", Some(transaction.id.to_string())),
        ("Counterparty address", transaction.counterparty().map(ToString::to_string)),
        ("Own address", transaction.own_wallet_address().map(ToString::to_string)),
        ("Amount", transaction.amount.as_ref().map(|amount| ReportedAmount::even_if_disputed(amount).to_string())),
        ("Explorer", explorer::transaction_url(transaction, &model.data.listed_tokens).ok()),
        ("Reference", transaction.ref_id.as_ref().map(ToString::to_string)),
        ("Idempotency key", transaction.idempotency_key.as_ref().map(ToString::to_string)),
        ("Contract", transaction.token.contract.as_ref().map(ToString::to_string)),
        ("Wallet id", transaction.wallet.as_ref().map(ToString::to_string)),
        ("User id", transaction.user.as_ref().map(ToString::to_string)),
    ])
}

/// The identifiers of several rows, one on each line; the name counts the rows that have one.
pub(super) fn items_of_rows(rows: &[HistoryRow]) -> Vec<MenuItem> {
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

pub(in crate::app) fn items_of_order(model: &Model, id: OrderId) -> Vec<MenuItem> {
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
    offer("Transaction id", order.transaction_id().map(ToString::to_string));
    offer("Explorer", explorer_url(model, order).ok());
    offer(
        "Hash",
        order.last_observation().and_then(|observation| observation.tx_hash.as_ref()).map(ToString::to_string),
    );
    items
}
