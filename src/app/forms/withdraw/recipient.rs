//! Who a withdrawal pays: an address, grouped or not, or the name of a contact on the wallet's chain.

use super::offers;
use crate::app::forms::field::FieldId;
use crate::app::forms::form_state::FormState;
use crate::app::forms::lookups::Picked;
use crate::app::forms::payer::{CheckedValue, wallet_address_family};
use crate::app::model::Model;
use crate::domain::book::BookEntry;
use crate::domain::chain::is_same_chain as same_chain;
use crate::domain::draft::batch::parse_recipient_address;
use crate::domain::{Address, Text, address};

/// Checks the recipient, and replaces a contact's name and a grouped address by the address.
pub(super) fn check_recipient(model: &Model, form: &FormState) -> Result<CheckedValue, String> {
    // An address grouped as the console shows it, typed or pasted by a terminal that types.
    if address::parse_grouped(form.value(FieldId::Recipient)).is_some() {
        return parse_recipient(model, form).map(|address| Some((address.to_string(), Picked::TextOnly)));
    }
    match contact_address(model, form).filter(|_| !is_recipient_address(model, form)) {
        Some(address) => Ok(Some((address.to_string(), Picked::TextOnly))),
        None => parse_recipient(model, form).map(|_| None).map_err(|error| {
            let typed = form.value(FieldId::Recipient);
            let choices = offers::recipient_choices(model, form);
            // A whole address with a wrong letter is offered the right one, and is told what is wrong.
            let is_part = choices.iter().all(|choice| !choice.text.eq_ignore_ascii_case(typed));
            if is_part && !typed.is_empty() && !choices.is_empty() {
                return "not a whole address: choose a recipient with Down and Enter, or enter the address".into();
            }
            error
        }),
    }
}

/// The address as the request spells it.
pub(super) fn parse_recipient(model: &Model, form: &FormState) -> Result<Text, String> {
    let Some(wallet) = &form.selection.wallet else { return Err("choose the wallet first".into()) };
    let typed = form.value(FieldId::Recipient);
    let whole = address::parse_grouped(typed);
    parse_recipient_address(whole.as_deref().unwrap_or(typed), wallet_address_family(model, wallet), &wallet.blockchain)
}

/// Whether the input is an address: then it means itself, even if a contact has it as a name.
fn is_recipient_address(model: &Model, form: &FormState) -> bool {
    let typed = form.value(FieldId::Recipient);
    let family = form.selection.wallet.as_ref().and_then(|wallet| wallet_address_family(model, wallet));
    family.is_some_and(|family| Address::parse(family, typed).is_ok())
        || address::recognise_address_kind(typed).is_some()
        || model.journal.book.find_on_any_chain(typed).is_some()
}

/// The address of the contact with this name on the wallet's chain.
fn contact_address(model: &Model, form: &FormState) -> Option<Text> {
    let wallet = form.selection.wallet.as_ref()?;
    let on_chain = |entry: &&BookEntry| same_chain(&entry.contact.blockchain, &wallet.blockchain);
    let mut namesakes = model.journal.book.entries_named(form.value(FieldId::Recipient)).filter(on_chain);
    // If two contacts have the name, neither is meant.
    namesakes.next().filter(|_| namesakes.next().is_none()).map(|entry| entry.contact.address.clone())
}
