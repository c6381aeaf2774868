//! What the list of the address book shows: who matches the filter, in which order, and what was paid to each.

use std::cmp::Reverse;

use crate::app::listing::Keyed;
use crate::app::model::Model;
use crate::app::orders;
use crate::domain::address::same;
use crate::domain::book::Known;
use crate::domain::chain::{self, display_name};
use crate::domain::filter::Words;
use crate::domain::{Intent, Timestamp};

/// A row of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The entry.
    pub known: Known,
    /// How many payments of this console to it the service took, among the orders that are shown.
    pub payments: usize,
    /// When the last of them was sent.
    pub last: Option<Timestamp>,
}

impl Keyed for Line {
    /// Its chain and its address.
    type Key = (String, String);
    fn key(&self) -> (String, String) {
        let contact = &self.known.contact;
        (contact.blockchain.to_ascii_lowercase(), contact.address.to_string())
    }
}

/// In which order the list stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// By name.
    #[default]
    Name,
    /// The newest entry first.
    Newest,
    /// Who was paid last first.
    Paid,
    /// By chain, and then by name.
    Chain,
}

impl Order {
    /// The one after this.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Name => Self::Newest,
            Self::Newest => Self::Paid,
            Self::Paid => Self::Chain,
            Self::Chain => Self::Name,
        }
    }

    /// What it goes by.
    pub fn word(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Newest => "time of entry, the newest first",
            Self::Paid => "last payment",
            Self::Chain => "chain",
        }
    }
}

/// The rows that match the filter, in their order.
pub(super) fn lines(model: &Model) -> Vec<Line> {
    let words = Words::of(&model.book.filter);
    let holds = |known: &&Known| words.are_in(texts(known));
    let mut lines: Vec<Line> =
        model.forms.book.entries().iter().filter(holds).map(|known| line(model, known.clone())).collect();
    let name = |line: &Line| line.known.contact.name.to_lowercase();
    match model.book.order {
        Order::Name => lines.sort_by_cached_key(name),
        Order::Newest => lines.sort_by_cached_key(|line| (Reverse(line.known.since), name(line))),
        Order::Paid => lines.sort_by_cached_key(|line| (Reverse(line.last), name(line))),
        Order::Chain => {
            lines.sort_by_cached_key(|line| (display_name(&line.known.contact.blockchain).to_lowercase(), name(line)));
        }
    }
    lines
}

/// Everything of an entry that a filter finds.
fn texts(known: &Known) -> [&str; 6] {
    let contact = &known.contact;
    let [tag, note] = [&contact.tag, &contact.note].map(|text| text.as_deref().unwrap_or_default());
    [&contact.name, &contact.blockchain, display_name(&contact.blockchain), &contact.address, tag, note]
}

fn line(model: &Model, known: Known) -> Line {
    let is_paid = |order: &&Intent| {
        let chain = order.drafted.draft.chain(order.drafted.sender.as_ref());
        chain.is_some_and(|chain| chain::same(chain, &known.contact.blockchain))
            && orders::recipients(model, order).into_iter().any(|to| same(to, &known.contact.address))
    };
    let paid: Vec<&Intent> = model.orders.iter().filter(is_paid).collect();
    let last = paid.iter().filter_map(|order| order.first_sent()).max();
    Line { payments: paid.len(), last, known }
}
