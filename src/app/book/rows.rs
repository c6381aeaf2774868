//! The rows of the address book: filter, sort order, and the payments to each entry.

use std::cmp::Reverse;

use crate::app::listing::Keyed;
use crate::app::model::Model;
use crate::app::orders;
use crate::domain::address::is_same_address;
use crate::domain::book::BookEntry;
use crate::domain::chain::{self, display_name};
use crate::domain::filter::WordFilter;
use crate::domain::{Order, Timestamp};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookRow {
    pub known: BookEntry,
    /// Payments of this console to the entry that the service accepted, among the orders that were read.
    pub payments: usize,
    /// When the latest of these payments was first sent.
    pub last_paid: Option<Timestamp>,
}

impl Keyed for BookRow {
    /// Chain, in lower case, and address.
    type Key = (String, String);
    fn key(&self) -> (String, String) {
        let contact = &self.known.contact;
        (contact.blockchain.to_ascii_lowercase(), contact.address.to_string())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BookSort {
    #[default]
    Name,
    /// By time of entry, newest first.
    Newest,
    /// By last payment, newest first.
    Paid,
    Chain,
}

impl BookSort {
    #[must_use]
    pub fn next_sort(self) -> Self {
        match self {
            Self::Name => Self::Newest,
            Self::Newest => Self::Paid,
            Self::Paid => Self::Chain,
            Self::Chain => Self::Name,
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Newest => "time of entry, newest first",
            Self::Paid => "last payment",
            Self::Chain => "chain",
        }
    }
}

pub(super) fn build_rows(model: &Model) -> Vec<BookRow> {
    let words = WordFilter::parse(&model.book.filter);
    let holds = |known: &&BookEntry| words.matches(texts(known));
    let mut lines: Vec<BookRow> =
        model.forms.book.entries().iter().filter(holds).map(|known| line(model, known.clone())).collect();
    let name = |line: &BookRow| line.known.contact.name.to_lowercase();
    match model.book.sort {
        BookSort::Name => lines.sort_by_cached_key(name),
        BookSort::Newest => lines.sort_by_cached_key(|line| (Reverse(line.known.effective_since), name(line))),
        BookSort::Paid => lines.sort_by_cached_key(|line| (Reverse(line.last_paid), name(line))),
        BookSort::Chain => {
            lines.sort_by_cached_key(|line| (display_name(&line.known.contact.blockchain).to_lowercase(), name(line)));
        }
    }
    lines
}

/// The texts that the filter searches.
fn texts(known: &BookEntry) -> [&str; 6] {
    let contact = &known.contact;
    let [tag, note] = [&contact.tag, &contact.note].map(|text| text.as_deref().unwrap_or_default());
    [&contact.name, &contact.blockchain, display_name(&contact.blockchain), &contact.address, tag, note]
}

fn line(model: &Model, known: BookEntry) -> BookRow {
    let is_paid = |order: &&Order| {
        let chain = order.drafted.draft.chain(order.drafted.sender.as_ref());
        chain.is_some_and(|chain| chain::is_same_chain(chain, &known.contact.blockchain))
            && orders::paid_recipients(model, order).into_iter().any(|to| is_same_address(to, &known.contact.address))
    };
    let paid: Vec<&Order> = model.orders.iter().filter(is_paid).collect();
    let last = paid.iter().filter_map(|order| order.first_sent()).max();
    BookRow { payments: paid.len(), last_paid: last, known }
}
