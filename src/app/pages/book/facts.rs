//! The details of an address book entry.

use super::{BookRow, cooling_until, rows};
use crate::app::model::Model;
use crate::app::orders::{order_title, state_text};
use crate::app::overlays::detail::{DetailLine, text_or_dash, time_or_dash};
use crate::app::pages::Tone;
use crate::domain::Order;
use crate::domain::address::{format_grouped, is_same_address};
use crate::domain::book::BookEntry;
use crate::domain::chain::chain_display_name;
use crate::domain::duration;

pub fn contact_facts(model: &Model, line: &BookRow) -> Vec<DetailLine> {
    let contact = &line.entry.contact;
    let fact = |name, value: String| DetailLine { name, value, tone: Tone::Text };
    let mut facts = vec![
        DetailLine { name: "Name", value: contact.name.to_string(), tone: Tone::Accent },
        fact("Chain", format!("{} ({})", chain_display_name(&contact.blockchain), contact.blockchain)),
        DetailLine { name: "Address", value: contact.address.to_string(), tone: Tone::Accent },
        fact("", format_grouped(&contact.address)),
        fact("Tag or memo", text_or_dash(contact.tag.as_ref())),
        fact("Note", text_or_dash(contact.note.as_ref())),
        fact("Since", time_or_dash(model, Some(line.entry.effective_since))),
        fact("Entered by", last_editor(model, &line.entry)),
    ];
    facts.push(match cooling_until(model, &line.entry) {
        None => DetailLine { name: "Trusted", value: "yes".into(), tone: Tone::Good },
        Some(until) => {
            let time_left = duration::format_age(model.now.age(until));
            let value =
                format!("not yet: the cooling-off period ends in {time_left}, at {}", time_or_dash(model, Some(until)));
            DetailLine { name: "Trusted", value, tone: Tone::Warn }
        }
    });
    let payments = match (line.payments, line.last_paid) {
        (0, _) => "none among the orders that are shown".into(),
        (count, Some(last)) => format!("{count}, the last {}", time_or_dash(model, Some(last))),
        (count, None) => count.to_string(),
    };
    facts.push(fact("Paid", payments));
    facts
}

/// The payments to an entry, unresolved ones first: when, how much, and how each stands.
pub fn payment_facts(model: &Model, entry: &BookEntry) -> Vec<DetailLine> {
    let parties = model.address_formatter();
    let mut names = std::iter::once("Payments").chain(std::iter::repeat(""));
    let line = |order: &Order| {
        let (state, tone) = state_text(order, model.now);
        let at = model.console.zone.format(order.display_time(), "%Y-%m-%d %H:%M");
        let title = order_title(order, &parties);
        let reference = order.drafted.draft.reference().map_or_else(String::new, |reference| format!(" · {reference}"));
        let (name, value) = (names.next().unwrap_or_default(), format!("{at} {state} · {title}{reference}"));
        DetailLine { name, value, tone }
    };
    rows::payments_to(model, entry).map(line).collect()
}

/// Who last entered an entry, and on which machine; a dash if that is not known.
fn last_editor(model: &Model, entry: &BookEntry) -> String {
    let is_its = |(address, chain, _): &&(_, _, _)| {
        let (address, chain): (&crate::domain::Text, &crate::domain::Text) = (address, chain);
        is_same_address(address, &entry.contact.address)
            && crate::domain::chain::is_same_chain(chain, &entry.contact.blockchain)
    };
    model.journal.last_editors.iter().find(is_its).map_or_else(|| "—".to_owned(), |(_, _, by)| by.to_string())
}
