//! Rows that are found by the reference or the note of the order that made them: they often have neither themselves.

use super::{FilterField, FilterTerm, RowPredicate, fold_case};
use crate::domain::{Order, TransactionId};

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct OrderRowIds {
    /// The transactions known to be of the orders, sorted.
    pub transactions: Vec<TransactionId>,
    /// The idempotency keys of the orders that have not ended, sorted: not all of their transactions may be known.
    pub keys: Vec<String>,
}

impl OrderRowIds {
    /// The rows of the orders that a term finds; `None` where there are none.
    pub(super) fn of_orders_matching(term: &FilterTerm, orders: &[Order]) -> Option<Self> {
        let RowPredicate::Contains(needle) = &term.predicate else { return None };
        let (in_reference, in_note) = match term.field {
            None => (true, true),
            Some(FilterField::Reference) => (true, false),
            Some(FilterField::Note) => (false, true),
            Some(_) => return None,
        };
        let mut rows = Self::default();
        for order in orders {
            let draft = &order.drafted.draft;
            let texts = [draft.reference().filter(|_| in_reference), draft.note().filter(|_| in_note)];
            let own = draft.recipient_references().filter(|_| in_reference);
            if texts.into_iter().flatten().chain(own).any(|text| fold_case(text).contains(needle)) {
                let observed_transaction = order.last_observation().and_then(|observed| observed.transaction.as_ref());
                rows.transactions.extend(order.transaction_ids().chain(observed_transaction).cloned());
                rows.keys.extend(order.drafted.request.key.filter(|_| order.end.is_none()).map(|key| key.to_string()));
            }
        }
        rows.transactions.sort_unstable();
        rows.transactions.dedup();
        rows.keys.sort_unstable();
        (rows != Self::default()).then_some(rows)
    }

    /// Whether every row of these is one of `others`.
    pub(super) fn is_subset_of(&self, others: &Self) -> bool {
        self.transactions.iter().all(|id| others.transactions.binary_search(id).is_ok())
            && self.keys.iter().all(|key| others.keys.binary_search(key).is_ok())
    }
}
