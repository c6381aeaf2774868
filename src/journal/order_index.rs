//! Index from rows of the service's history to orders: by idempotency key, transaction, swap group and reference. Every
//! row that is read is compared with all orders, whatever their state, for a few lookups in this index per row.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use rusqlite::Connection;

use super::record::{Body, COLUMNS, Record};
use super::replay::Projection;
use super::{JournalError, file};
use crate::domain::order::{DraftedOrder, HistoryLookup, OrderEvent};
use crate::domain::outcome::CreatedObject;
use crate::domain::v1::Movement;
use crate::domain::{ObservedTransaction, Order, OrderId, Text, Transaction};

/// The marks of every order that was ever sent, as hashes: the mark itself must be compared after a match.
#[derive(Debug, Default)]
pub(super) struct OrderIndex {
    orders: HashMap<u64, Vec<OrderId>>,
    /// Marks of orders that were drafted and not sent so far.
    unsent_marks: HashMap<OrderId, Vec<u64>>,
}

/// An order, and the indexes of the rows that match it.
pub(super) type MatchedOrder = (Order, Vec<usize>);

/// The marks of a row by which an order may be recognised.
#[derive(Debug, Clone, Copy)]
pub struct RowMarks<'a> {
    id: &'a str,
    key: Option<&'a Text>,
    group: Option<&'a Text>,
    reference: Option<&'a Text>,
}

impl<'a> From<&'a Transaction> for RowMarks<'a> {
    fn from(row: &'a Transaction) -> Self {
        let (key, group, reference) = (row.idempotency_key.as_ref(), row.group.as_ref(), row.ref_id.as_ref());
        Self { id: row.id.as_str(), key, group, reference }
    }
}

impl<'a> From<&'a Movement> for RowMarks<'a> {
    fn from(row: &'a Movement) -> Self {
        Self { id: row.id.as_str(), key: None, group: None, reference: row.client_tx_id.as_ref() }
    }
}

/// The kind of a mark, so that equal texts of two kinds do not match.
#[derive(Hash)]
enum MarkKind {
    Key,
    Transaction,
    Group,
    Reference,
}

impl MarkKind {
    fn hash_mark(self, word: &str) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        word.to_ascii_lowercase().hash(&mut hasher);
        hasher.finish()
    }
}

impl OrderIndex {
    fn build_index(connection: &Connection, last: u64) -> Result<Self, JournalError> {
        let mut marks = Self::default();
        let mut statement = connection.prepare(&format!(
            "SELECT {COLUMNS} FROM record NOT INDEXED WHERE seq <= ?1 AND intent IS NOT NULL ORDER BY seq"
        ))?;
        let mut rows = statement.query([i64::try_from(last).unwrap_or(i64::MAX)])?;
        while let Some(row) = rows.next()? {
            marks.apply_record(&Record::from_row(row)?)?;
        }
        Ok(marks)
    }

    pub(super) fn apply_record(&mut self, record: &Record) -> Result<(), JournalError> {
        let (Some(id), Body::Event(event)) = (record.order, record.decode_body()?) else { return Ok(()) };
        match event {
            OrderEvent::Drafted(drafted) => {
                if drafted.draft.operation().moves_money() {
                    self.unsent_marks.insert(id, marks_of_draft(&drafted));
                }
            }
            OrderEvent::Sending { .. } => {
                let marks = self.unsent_marks.remove(&id).unwrap_or_default();
                for mark in marks {
                    self.add(mark, id);
                }
            }
            OrderEvent::Answered { answer, .. } if answer.differences.is_empty() => {
                if let Some(CreatedObject::Transaction(observed)) = &answer.created {
                    self.add_observation(observed, id);
                }
            }
            OrderEvent::LookedUp(look) | OrderEvent::Reopened(look) => self.add_lookup(&look, id),
            OrderEvent::Ended(_) => drop(self.unsent_marks.remove(&id)),
            OrderEvent::Answered { .. } | OrderEvent::Confirmed(_) | OrderEvent::Signed(_) => {}
        }
        Ok(())
    }

    fn add_lookup(&mut self, look: &HistoryLookup, id: OrderId) {
        look.observed
            .iter()
            .chain(look.recipient_reports.iter().map(|part| &part.observed))
            .for_each(|observed| self.add_observation(observed, id));
    }

    fn add_observation(&mut self, observation: &ObservedTransaction, id: OrderId) {
        let group = observation.swap.as_ref().and_then(|swapped| swapped.group.as_ref());
        let marks = [
            observation.transaction.as_ref().map(|transaction| MarkKind::Transaction.hash_mark(transaction.as_str())),
            group.map(|group| MarkKind::Group.hash_mark(group)),
        ];
        marks.into_iter().flatten().for_each(|mark| self.add(mark, id));
    }

    fn add(&mut self, mark: u64, id: OrderId) {
        let orders = self.orders.entry(mark).or_default();
        if !orders.contains(&id) {
            orders.push(id);
        }
    }

    fn orders_with(&self, mark: u64) -> &[OrderId] {
        self.orders.get(&mark).map_or(&[], Vec::as_slice)
    }

    /// The orders that a row matches. A reference shared by several orders matches none of them.
    fn orders_matching(&self, row: RowMarks<'_>) -> impl Iterator<Item = OrderId> {
        let key = row.key.map(|key| self.orders_with(MarkKind::Key.hash_mark(key)));
        let group = row.group.map(|group| self.orders_with(MarkKind::Group.hash_mark(group)));
        let reference = row.reference.filter(|_| row.key.is_none());
        let reference = reference.map(|reference| self.orders_with(MarkKind::Reference.hash_mark(reference)));
        let alone = reference.filter(|orders| orders.len() == 1);
        let own = self.orders_with(MarkKind::Transaction.hash_mark(row.id));
        [key, group, alone, Some(own)].into_iter().flatten().flatten().copied()
    }
}

fn marks_of_draft(drafted: &DraftedOrder) -> Vec<u64> {
    let key = drafted.request.key.map(|key| MarkKind::Key.hash_mark(&key.to_string()));
    let reference = drafted.draft.reference().map(|reference: &Text| MarkKind::Reference.hash_mark(reference));
    key.into_iter().chain(reference).collect()
}

pub(super) fn match_orders(
    connection: &Connection,
    projection: &mut Projection,
    rows: &[RowMarks<'_>],
) -> Result<Vec<MatchedOrder>, JournalError> {
    if projection.order_index.is_none() {
        projection.order_index = Some(OrderIndex::build_index(connection, projection.head.seq)?);
    }
    let mut matches: Vec<(OrderId, usize)> = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        matches
            .extend(projection.order_index.iter().flat_map(|marks| marks.orders_matching(*row)).map(|id| (id, place)));
    }
    matches.sort_unstable();
    matches.dedup();
    let is_same_order = |one: &(OrderId, usize), other: &(OrderId, usize)| one.0 == other.0;
    let mut matched = Vec::new();
    for rows in matches.chunk_by(is_same_order) {
        let Some((id, _)) = rows.first() else { continue };
        matched.push((file::find_order(connection, projection, *id)?, rows.iter().map(|(_, place)| *place).collect()));
    }
    Ok(matched)
}
