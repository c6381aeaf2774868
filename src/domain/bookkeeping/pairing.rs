//! Brings the two rows of one movement into one entry: of a transfer between own wallets, and of a swap.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use super::{BooksEntry, BooksTransfer, SWAPS, TRANSIT};
use crate::domain::history::HistoryRow;
use crate::domain::{Direction, Timestamp};

/// How long the first half waits for the second one. The halves of one movement lie minutes apart.
const LONGEST_WAIT: Duration = Duration::from_hours(7 * 24);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum PairKind {
    Internal,
    Swap,
}

/// What the halves of one movement have in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct PairKey {
    kind: PairKind,
    /// The group, or else the hash.
    shared: String,
    /// Of a transfer: amount, commodity and recipient.
    transfer: String,
}

#[derive(Debug)]
pub(super) struct PairHalf {
    key: PairKey,
    is_outgoing: bool,
}

impl PairHalf {
    /// `None` for a row that has nothing in common with another one.
    pub(super) fn new(kind: PairKind, row: &HistoryRow, entry: &BooksEntry) -> Option<Self> {
        let transaction = &row.transaction;
        let shared = transaction.group.as_ref().or(transaction.tx_hash.as_ref())?.to_string();
        // A row that moved nothing may still have a fee.
        let movement = entry.movements.first()?;
        if ![&movement.from, &movement.to].into_iter().any(|account| [TRANSIT, SWAPS].contains(&account.as_str())) {
            return None;
        }
        let transfer = match kind {
            PairKind::Swap => String::new(),
            PairKind::Internal => {
                let recipient = transaction.to_address.as_ref().map(|address| address.to_ascii_lowercase());
                format!("{} {} {}", movement.amount, movement.commodity, recipient.unwrap_or_default())
            }
        };
        let is_outgoing = transaction.direction == Direction::Outgoing;
        Some(Self { key: PairKey { kind, shared, transfer }, is_outgoing })
    }
}

/// The halves that wait for their other half, the one that came first in front.
#[derive(Debug, Default)]
pub(super) struct Pairing {
    waiting: HashMap<PairKey, VecDeque<(bool, BooksEntry)>>,
    arrivals: VecDeque<(Timestamp, PairKey)>,
}

impl Pairing {
    /// The entry of both halves, once the second one came.
    pub(super) fn add(&mut self, half: PairHalf, entry: BooksEntry) -> Option<BooksEntry> {
        let others = self.waiting.entry(half.key.clone()).or_default();
        let other = others.iter().position(|(is_outgoing, _)| *is_outgoing != half.is_outgoing);
        if let Some((_, other)) = other.and_then(|at| others.remove(at)) {
            if others.is_empty() {
                self.waiting.remove(&half.key);
            }
            let (out, incoming) = if half.is_outgoing { (entry, other) } else { (other, entry) };
            return Some(join_halves(half.key.kind, out, incoming));
        }
        self.arrivals.push_back((entry.at, half.key));
        others.push_back((half.is_outgoing, entry));
        None
    }

    /// The entries that waited too long, as of a time.
    pub(super) fn give_up_before(&mut self, now: Timestamp) -> Vec<BooksEntry> {
        let mut alone = Vec::new();
        let deadline = now.minus(LONGEST_WAIT);
        while let Some((_, key)) = self.arrivals.pop_front_if(|(at, _)| *at < deadline) {
            alone.extend(self.take_older(&key, deadline));
        }
        alone
    }

    pub(super) fn finish(mut self) -> Vec<BooksEntry> {
        let mut alone = Vec::new();
        while let Some((_, key)) = self.arrivals.pop_front() {
            alone.extend(self.waiting.remove(&key).unwrap_or_default().into_iter().map(|(_, entry)| entry));
        }
        alone
    }

    fn take_older(&mut self, key: &PairKey, deadline: Timestamp) -> Vec<BooksEntry> {
        let Some(waiting) = self.waiting.get_mut(key) else { return Vec::new() };
        let mut older = Vec::new();
        while let Some((_, entry)) = waiting.pop_front_if(|(_, entry)| entry.at < deadline) {
            older.push(entry);
        }
        if waiting.is_empty() {
            self.waiting.remove(key);
        }
        older
    }
}

fn join_halves(kind: PairKind, out: BooksEntry, incoming: BooksEntry) -> BooksEntry {
    let mut entry = out;
    entry.tags.extend(incoming.tags.into_iter().filter_map(|(name, value)| (name == "id").then_some(("id-in", value))));
    entry.is_pending |= incoming.is_pending;
    match kind {
        PairKind::Internal => {
            let mut received = incoming.movements.into_iter();
            if let (Some(outgoing), Some(received)) = (entry.movements.first_mut(), received.next()) {
                outgoing.to = received.to;
            }
            entry.movements.extend(received);
        }
        PairKind::Swap => {
            let sold = entry.movements.first().map(|sold| (sold.amount, sold.commodity.clone()));
            let mut bought = incoming.movements;
            if let (Some(sold), Some(bought)) = (sold, bought.first_mut()) {
                bought.cost = Some(sold).filter(|(_, commodity)| *commodity != bought.commodity);
            }
            let after_sale = 1.min(entry.movements.len());
            entry.movements.splice(after_sale..after_sale, bought);
        }
    }
    entry
}

impl BooksTransfer {
    /// The two postings of the movement: account, whether the amount leaves it.
    pub fn postings(&self) -> [(&str, bool); 2] {
        [(&self.from, true), (&self.to, false)]
    }
}
