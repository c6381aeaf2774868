//! Whether an address was paid before a row. The whole history is searched for that, once for each address: new rows come
//! above, and only the backfill and a rescan add older ones.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::{Cancel, Store, StoreError, lock_mutex, state};
use crate::domain::filter::{Filter, FilterField, FilterTerm, RowPredicate, fold_case};
use crate::domain::history::{Query, Sort};
use crate::domain::{Direction, Text};

/// More answers are not cached.
const MAX_CACHED_ANSWERS: usize = 1_000;

#[derive(Debug, Default)]
pub(super) struct FirstPaymentCache {
    /// The oldest row when the answers were found, and whether a list was being rescanned.
    reach: Option<(i64, bool)>,
    was_paid: HashMap<(Text, i64), bool>,
}

impl Store {
    /// Whether the history has an outgoing row to an address below the row at `seq`.
    pub fn was_paid_before(&self, address: &Text, seq: i64) -> Result<bool, StoreError> {
        let ends = self.read_in_transaction(state::oldest_and_newest_row)?;
        let is_rescanning = self.progress()?.is_rescanning;
        let reach = ends.map(|(oldest, _)| (oldest, is_rescanning));
        let key = (address.clone(), seq);
        {
            let mut cache = lock_mutex(&self.inner.first_payments);
            if cache.reach != reach || cache.was_paid.len() >= MAX_CACHED_ANSWERS {
                *cache = FirstPaymentCache { reach, ..FirstPaymentCache::default() };
            }
            if let Some(known) = cache.was_paid.get(&key) {
                return Ok(*known);
            }
        }
        let was_paid = self.find_payment_before(address, seq)?;
        lock_mutex(&self.inner.first_payments).was_paid.insert(key, was_paid);
        Ok(was_paid)
    }

    fn find_payment_before(&self, address: &Text, seq: i64) -> Result<bool, StoreError> {
        let term = |field, needle: String| FilterTerm { field: Some(field), predicate: RowPredicate::Contains(needle) };
        let filter = Filter {
            text: format!("to:{address}"),
            terms: vec![
                term(FilterField::To, fold_case(address)),
                term(FilterField::Direction, Direction::Outgoing.word().to_owned()),
            ],
            ..Filter::default()
        };
        let query = Query { filter, sort: Sort::Listed, ..Query::default() };
        let mut found = false;
        self.walk_rows(&query, &Cancel::new(), &mut |_| (), &mut |row| {
            found |= row.seq < seq && row.transaction.to_address.as_ref() == Some(address);
            if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(found)
    }
}
