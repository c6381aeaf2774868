//! The question whether an earlier base address of the profile leads to the same service. Until it is answered, orders
//! sent there count as if it did, and none of them is looked up at the current address.

use super::{Tone, prompt};
use crate::app::model::{Mode, Model, Page};
use crate::app::orders::{may_change, state_label};
use crate::domain::Text;
use crate::domain::order::AddressRelations;

/// The number of the address's orders shown with the question.
const MAX_SHOWN_ORDERS: usize = 3;

/// Takes the addresses read from the journal. A new question is asked at once, unless a form or prompt has the keys.
pub fn apply_address_relations(model: &mut Model, addresses: AddressRelations) {
    let before = std::mem::replace(&mut model.journal.addresses, addresses);
    if before.unanswered() != model.journal.addresses.unanswered() {
        prompt_for_service_address(model);
    }
}

/// Opens the first unanswered question, if it can be answered now.
pub fn prompt_for_service_address(model: &mut Model) {
    let may_ask = matches!(model.mode, Mode::Browse) && model.console.read_only.is_none() && may_change(model).is_ok();
    if let Some(address) = model.journal.addresses.unanswered().first().filter(|_| may_ask).cloned() {
        prompt::open_service_address_prompt(model, address);
    }
}

/// The banner while a question is unanswered.
pub fn service_address_banner(model: &Model) -> Option<String> {
    let address = model.journal.addresses.unanswered().first()?;
    let how = if model.console.read_only.is_some() {
        "A console that may pay asks this".to_owned()
    } else {
        format!("page {} asks this", Page::Orders.digit())
    };
    Some(format!("Same service as at {address}? {how}; until it is answered, what was done there counts."))
}

pub fn question_lines(model: &Model, address: &Text) -> Vec<(String, Tone)> {
    let (now, current_url) = (model.now, &model.console.identity.base_url);
    let mut lines = vec![(format!("This profile used {address} before, and uses {current_url} now."), Tone::Accent)];
    let open: Vec<_> = model
        .journal
        .orders
        .iter()
        .filter(|order| order.drafted.destination.base_url == *address && order.is_open(now))
        .collect();
    for order in open.iter().take(MAX_SHOWN_ORDERS) {
        let line = format!("{}: {}", state_label(order, now), prompt::order_summary(model, order));
        lines.push((line, if order.is_unresolved(now) { Tone::Bad } else { Tone::Text }));
    }
    if open.len() > MAX_SHOWN_ORDERS {
        lines.push((format!("and {} more that are open", open.len() - MAX_SHOWN_ORDERS), Tone::Text));
    }
    let same_text = "“same”: orders, limits, known recipients and the address book of the old address apply here, and its orders \
                are looked up in the history here. They are resent to the old address or not at all.";
    let another = "“another”: they stay separate. An unresolved order still counts against payments to its \
                   recipient until it is written off.";
    let until = "Esc leaves the question open: what was done there counts, but its orders are not looked up.";
    lines.extend([same_text, another, until].map(|paragraph| (paragraph.to_owned(), Tone::Text)));
    lines
}
