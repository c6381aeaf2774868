//! Rows that are there to deceive: whoever copies an address from one pays a stranger. Lists leave them out until they are
//! asked for.

use std::sync::Arc;

use super::filter::fold_case;
use super::history::HistoryRow;
use super::{Amount, Direction, Text};

/// The rows that a list folds away.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct PoisonFilter {
    /// Addresses that resemble a known one, in lower case and sorted.
    look_alikes: Arc<Vec<String>>,
}

impl PoisonFilter {
    pub fn new<'a>(look_alikes: impl IntoIterator<Item = &'a Text>) -> Self {
        let mut folded: Vec<String> = look_alikes.into_iter().map(|address| fold_case(address)).collect();
        folded.sort();
        folded.dedup();
        Self { look_alikes: Arc::new(folded) }
    }

    pub fn has_address_entries(&self) -> bool {
        !self.look_alikes.is_empty()
    }

    /// Whether an address in lower case resembles a known one.
    pub fn is_look_alike(&self, address: &str) -> bool {
        self.look_alikes.binary_search_by(|other| other.as_str().cmp(address)).is_ok()
    }

    /// Whether a list leaves this row out.
    pub fn hides(&self, row: &HistoryRow) -> bool {
        let counterparty = row.transaction.counterparty().map(|address| fold_case(address));
        is_poison(row, counterparty.is_some_and(|address| self.is_look_alike(&address)))
    }
}

/// Whether a row is there to deceive: it came from an address that resembles a known one, its token imitates a listed one,
/// or it moves nothing and anybody may have put it there. What was paid to a look-alike is no such row: that money left.
pub fn is_poison(row: &HistoryRow, is_look_alike: bool) -> bool {
    let transaction = &row.transaction;
    let is_incoming = transaction.direction == Direction::Incoming;
    let moves_nothing = || transaction.exact_amount().is_some_and(Amount::is_zero);
    let may_be_forged = || may_be_forged(&transaction.direction, transaction.token.contract.as_deref());
    is_look_alike && is_incoming || row.suspicious || moves_nothing() && may_be_forged()
}

/// Whether somebody else may have put a row without an amount into the history: an incoming one, or one of a token, which
/// anybody may move in amounts of zero.
pub fn may_be_forged(direction: &Direction, contract: Option<&str>) -> bool {
    *direction == Direction::Incoming || contract.is_some()
}
