//! Rows made of the entries.

use std::cmp::Reverse;

use super::{BookRow, BookSort};
use crate::app::model::Model;
use crate::app::orders;
use crate::domain::Order;
use crate::domain::address::is_same_address;
use crate::domain::book::BookEntry;
use crate::domain::chain::{self, chain_display_name};
use crate::domain::filter::AllWordsFilter;

pub(in crate::app::pages::book) fn build_rows(model: &Model) -> Vec<BookRow> {
    let word_filter = AllWordsFilter::parse(&model.pages.book.filter);
    let holds = |entry: &&BookEntry| word_filter.matches(searchable_texts(entry));
    let mut lines: Vec<BookRow> =
        model.journal.book.entries().iter().filter(holds).map(|entry| build_row(model, entry.clone())).collect();
    let name = |line: &BookRow| line.entry.contact.name.to_lowercase();
    match model.pages.book.sort {
        BookSort::Name => lines.sort_by_cached_key(name),
        BookSort::Newest => lines.sort_by_cached_key(|line| (Reverse(line.entry.effective_since), name(line))),
        BookSort::LastPaid => lines.sort_by_cached_key(|line| (Reverse(line.last_paid), name(line))),
        BookSort::Chain => {
            lines.sort_by_cached_key(|line| {
                (chain_display_name(&line.entry.contact.blockchain).to_lowercase(), name(line))
            });
        }
    }
    lines
}

/// The texts that the filter searches.
fn searchable_texts(entry: &BookEntry) -> [&str; 6] {
    let contact = &entry.contact;
    let [tag, note] = [&contact.tag, &contact.note].map(|text| text.as_deref().unwrap_or_default());
    [&contact.name, &contact.blockchain, chain_display_name(&contact.blockchain), &contact.address, tag, note]
}

fn build_row(model: &Model, entry: BookEntry) -> BookRow {
    let (payments, last_paid) =
        payments_to(model, &entry).fold((0, None), |(count, last), order| (count + 1, last.max(order.first_sent_at())));
    BookRow { entry, payments, last_paid }
}

/// The orders that paid an entry, unresolved ones first.
pub(in crate::app::pages::book) fn payments_to<'a>(
    model: &'a Model,
    entry: &'a BookEntry,
) -> impl Iterator<Item = &'a Order> {
    let is_paid = move |order: &&Order| {
        let chain = order.drafted.draft.chain(order.drafted.sender.as_ref());
        chain.is_some_and(|chain| chain::is_same_chain(chain, &entry.contact.blockchain))
            && orders::recipients_paid_by_order(model, order)
                .into_iter()
                .any(|to| is_same_address(to, &entry.contact.address))
    };
    model.journal.orders.iter().filter(is_paid)
}
