//! What the palette offers about payments once something is typed: whom to pay, what to pay again, and the orders of a
//! reference. Nothing under the veil, since each entry is data.

use std::borrow::Cow;

use super::{PaletteAction, PaletteEntry, fuzzy};
use crate::app::forms;
use crate::app::model::Model;
use crate::app::orders;
use crate::app::orders::may_be_hidden;
use crate::domain::address::{Address, is_same_address, recognise_address_kind};
use crate::domain::book::{BookEntry, Contact};
use crate::domain::chain::chain_display_name;
use crate::domain::{Order, Text, shorten_address};

/// The most orders that a reference lists.
const MAX_ORDERS: usize = 5;

/// A payment to each entry of the address book, and the last ones made again.
pub(super) fn contact_entries(model: &Model, typed: &str) -> Vec<PaletteEntry> {
    let is_listed = !typed.is_empty() && !model.session.veil.is_on();
    let refusal = forms::check_can_open(model).err();
    let entries = if is_listed { model.journal.book.entries() } else { &[] };
    let of_contact = |BookEntry { contact, .. }: &BookEntry| {
        let refusal = refusal.as_ref().map(|reason| format!("{}: {reason}", contact.name));
        let description = format!(
            "{} on {}, {}: a form, then a review",
            contact.name,
            chain_display_name(&contact.blockchain),
            shorten_address(&contact.address)
        );
        let action = PaletteAction::Pay(Box::new(contact.clone()));
        let first = PaletteEntry { refusal: refusal.clone(), ..contact_entry("pay to", contact, description, action) };
        // This goes through all orders, so only for contacts that the search finds.
        let is_sought = fuzzy::score(typed, "pay again", &first.search_words, &first.description).is_some();
        let payments = if is_sought { forms::last_payments_to(model, contact) } else { Vec::new() };
        let repeats: Vec<PaletteEntry> =
            payments.into_iter().map(|order| pay_again_entry(model, contact, order, refusal.clone())).collect();
        std::iter::once(first).chain(repeats)
    };
    entries.iter().flat_map(of_contact).collect()
}

/// An entry that is found by the name and by the address of a contact.
fn contact_entry(name: &'static str, contact: &Contact, description: String, action: PaletteAction) -> PaletteEntry {
    let search_words = vec![Cow::Owned(contact.name.to_string()), Cow::Owned(contact.address.to_string())];
    PaletteEntry { name, description, search_words, keys: &[], action, refusal: None }
}

fn pay_again_entry(model: &Model, contact: &Contact, order: &Order, refusal: Option<String>) -> PaletteEntry {
    let at = model.console.zone.format_with_zone(order.display_time(), "%Y-%m-%d");
    let note = order.drafted.draft.note().map_or_else(String::new, |note| format!(", “{note}”"));
    let title = orders::order_title(order, &model.address_formatter());
    let description = format!("{title}{note}, as on {at}: a review");
    let action = PaletteAction::PayAgain(order.id);
    PaletteEntry { refusal, ..contact_entry("pay again", contact, description, action) }
}

/// A payment to an address that is typed in full and that the address book does not have.
pub(super) fn address_entry(model: &Model, typed: &str) -> Option<PaletteEntry> {
    if model.session.veil.is_on()
        || model.journal.book.entries().iter().any(|entry| is_same_address(&entry.contact.address, typed))
    {
        return None;
    }
    let family = recognise_address_kind(typed)?.family?;
    let address = Text::clean(typed);
    let checks = [
        forms::check_can_open(model).err(),
        Address::parse(family, typed).err().map(|error| error.to_string()),
        forms::check_no_look_alike(model, &address).err(),
    ];
    Some(PaletteEntry {
        name: "pay to",
        description: format!("{}, which is not in the address book: a form, then a review", shorten_address(typed)),
        search_words: Vec::new(),
        keys: &[],
        action: PaletteAction::PayAddress(address),
        refusal: checks.into_iter().flatten().next(),
    })
}

/// The newest orders whose reference is typed in full, and those whose reference begins so.
pub(super) fn order_entries(model: &Model, typed: &str) -> [Vec<PaletteEntry>; 2] {
    if typed.is_empty() || model.session.veil.is_on() {
        return [Vec::new(), Vec::new()];
    }
    let typed = typed.to_lowercase();
    let reference = |order: &Order| order.drafted.draft.reference().map(|reference| reference.to_lowercase());
    let newest = |is_meant: &dyn Fn(&str) -> bool| {
        let orders = model.journal.orders.iter().filter(|order| !may_be_hidden(order));
        let matching_orders = orders.filter(|order| reference(order).is_some_and(|reference| is_meant(&reference)));
        matching_orders.take(MAX_ORDERS).map(|order| order_entry(model, order)).collect()
    };
    [newest(&|reference| reference == typed), newest(&|reference| reference != typed && reference.starts_with(&typed))]
}

fn order_entry(model: &Model, order: &Order) -> PaletteEntry {
    let reference = order.drafted.draft.reference().map_or("", Text::as_str);
    let state = orders::state_label(order, model.now);
    PaletteEntry {
        name: "order",
        description: format!("{reference}: {}, {state}", orders::order_title(order, &model.address_formatter())),
        search_words: Vec::new(),
        keys: &[],
        action: PaletteAction::Order(order.id),
        refusal: None,
    }
}
