//! Matches rows without a key to the orders of a lookup: by the reference that people gave, or by equal contents.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use super::outgoing_history::OutgoingHistory;
use crate::domain::{Amount, Order, OrderId, Text, Transaction, TransactionId};
use crate::orders::claim::{MAX_CLOCK_DIFFERENCE, OrderPattern, order_reference};

pub struct OrderMatches<'a> {
    /// The mark of the key under which the history was read.
    reading_key_mark: Text,
    claimed_rows: HashSet<TransactionId>,
    references: HashMap<String, HashSet<OrderId>>,
    order_patterns: HashMap<OrderId, OrderPattern<'a>>,
}

impl<'a> OrderMatches<'a> {
    pub fn new(orders: &'a [Order], reading_key_mark: &Text) -> Self {
        let mut references: HashMap<String, HashSet<OrderId>> = HashMap::new();
        for order in orders {
            if let Some(reference) = order_reference(order) {
                references.entry(reference.to_owned()).or_default().insert(order.id);
            }
        }
        let order_patterns =
            orders.iter().filter_map(|order| Some((order.id, OrderPattern::from_order(order)?))).collect();
        let own = orders.iter().filter_map(|order| order.transaction_id().cloned());
        Self { reading_key_mark: reading_key_mark.clone(), claimed_rows: own.collect(), references, order_patterns }
    }

    /// Whether a row is an order's by its reference: it carries no key, matches the order, is newer, and can be no
    /// other order's, in a history that is certainly of the order's workspace. References are given by people, who may
    /// use one twice, or in two workspaces.
    pub fn matches_by_reference(&self, row: &Transaction, order: &Order, history: &OutgoingHistory) -> bool {
        let Some(reference) = order_reference(order) else { return false };
        let is_unique = self.references.get(reference).is_some_and(|orders| orders.len() == 1);
        row.ref_id.as_deref() == Some(reference)
            && row.idempotency_key.is_none()
            && is_unique
            && history.is_of_workspace(order, &self.reading_key_mark)
            && !self.claimed_rows.contains(&row.id)
            && history.is_newer_than_draft(row, order)
            && self.order_patterns.get(&order.id).is_some_and(|pattern| pattern.matches_row(row))
    }

    /// The row that is an order's own, by a mark of its own or else by its reference, with how it differs from the
    /// request. No other order is given that row.
    pub fn claim_row<'h>(
        &mut self,
        history: &'h OutgoingHistory,
        order: &'h Order,
        usual_fee: Option<Amount>,
    ) -> Option<(&'h Transaction, Vec<Text>)> {
        let own = history.own_row(order, usual_fee, |row| self.matches_by_reference(row, order, history))?;
        self.claimed_rows.insert(own.0.id.clone());
        Some(own)
    }

    /// The rows of a batch. No other order is given them.
    pub fn claim_batch_rows<'h>(&mut self, history: &'h OutgoingHistory, order: &'h Order) -> Vec<&'h Transaction> {
        let rows = history.batch_rows(order, |row| self.matches_by_reference(row, order, history));
        self.claimed_rows.extend(rows.iter().map(|row| row.id.clone()));
        rows
    }

    /// A transaction that may be an order's although it carries no key: a suggestion for the operator.
    pub fn find_similar_transaction(&self, history: &OutgoingHistory, order: &Order) -> Option<TransactionId> {
        let (first_sent_at, pattern) = (order.first_sent_at()?, self.order_patterns.get(&order.id)?);
        let in_time = |row: &&Transaction| {
            row.reported_time().is_none_or(|at| first_sent_at.age(at.plus(MAX_CLOCK_DIFFERENCE)) > Duration::ZERO)
        };
        let mut similar = history.rows.iter().filter(|row| {
            row.idempotency_key.is_none()
                && !self.claimed_rows.contains(&row.id)
                && history.may_be_newer_than_draft(row, order)
                && pattern.matches_row(row)
        });
        similar.find(in_time).map(|row| row.id.clone())
    }
}
