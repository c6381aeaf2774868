//! Matches rows without a key to orders: by the reference that people gave, or by equal contents.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use super::outgoing::{OutgoingHistory, order_reference};
use super::{MAX_CLOCK_DIFFERENCE, is_history_of_workspace, swap_proceeds};
use crate::domain::comparison::{self, BatchRecipients};
use crate::domain::draft::Draft;
use crate::domain::{Amount, Order, OrderId, Sender, Text, Transaction, TransactionId, Withdrawal, address, chain};

pub(super) struct OrderMatches<'a> {
    /// The mark of the key under which the history was read.
    reading_key_mark: Text,
    pub(super) claimed_rows: HashSet<TransactionId>,
    references: HashMap<String, HashSet<OrderId>>,
    order_patterns: HashMap<OrderId, OrderPattern<'a>>,
}

impl<'a> OrderMatches<'a> {
    pub(super) fn new(orders: &'a [Order], reads_under: &Text) -> Self {
        let mut references: HashMap<String, HashSet<OrderId>> = HashMap::new();
        for order in orders {
            if let Some(reference) = order_reference(order) {
                references.entry(reference.to_owned()).or_default().insert(order.id);
            }
        }
        let order_patterns =
            orders.iter().filter_map(|order| Some((order.id, OrderPattern::from_order(order)?))).collect();
        let own = orders.iter().filter_map(|order| order.transaction().cloned());
        Self { reading_key_mark: reads_under.clone(), claimed_rows: own.collect(), references, order_patterns }
    }

    /// Whether a row is an order's by its reference: it carries no key, matches the order, is newer, and can be no
    /// other order's, in a history that is certainly of the order's workspace. References are given by people, who may
    /// use one twice, or in two workspaces.
    pub(super) fn matches_by_reference(&self, row: &Transaction, order: &Order, history: &OutgoingHistory) -> bool {
        let Some(reference) = order_reference(order) else { return false };
        let alone = self.references.get(reference).is_some_and(|orders| orders.len() == 1);
        row.ref_id.as_deref() == Some(reference)
            && row.idempotency_key.is_none()
            && alone
            && is_history_of_workspace(history, order, &self.reading_key_mark)
            && !self.claimed_rows.contains(&row.id)
            && history.is_newer_than_draft(row, order)
            && self.order_patterns.get(&order.id).is_some_and(|like| like.matches_row(row))
    }
}

/// The contents by which a row matches an order.
struct OrderPattern<'a> {
    order: &'a Order,
    sender: &'a Sender,
    /// The symbol of the token paid; `None` for a swap.
    token: Option<&'a Text>,
    recipients: Option<BatchRecipients<'a>>,
}

impl<'a> OrderPattern<'a> {
    fn from_order(order: &'a Order) -> Option<Self> {
        let draft = &order.drafted.draft;
        let recipients = if let Draft::Batch(batch) = draft { Some(BatchRecipients::from_batch(batch)) } else { None };
        let token = draft.payment_details().map(|pays| pays.token);
        Some(Self { order, sender: order.drafted.sender.as_ref()?, token, recipients })
    }

    /// Whether a row has the order's chain, token, recipient and amount; for a batch those of all recipients or one.
    fn matches_row(&self, row: &Transaction) -> bool {
        let sender = self.sender;
        let Some(token) = self.token else { return swap_proceeds::resembles_swap(row, self.order, sender) };
        let is_of_token = row.token.contract == sender.token.contract || row.symbol.eq_ignore_ascii_case(token);
        is_of_token
            && chain::is_same_chain(&row.token.blockchain, &sender.token.blockchain)
            && self.matches_recipient_and_amount(row)
    }

    fn matches_recipient_and_amount(&self, row: &Transaction) -> bool {
        if let Some(recipients) = &self.recipients {
            let told = comparison::ReportedPayment::from_row(row);
            return (recipients.covers_all(&told) && row.exact_amount().is_some())
                || recipients.find_recipient(&told, |_| true).is_some();
        }
        let same = |amount: Amount| amount.cmp_value(self.sender.amount).is_eq();
        let is_same = |to: &Text, paid: &Text| to.eq_ignore_ascii_case(paid) || address::is_same_address(to, paid);
        let is_to = |paid: &Withdrawal| row.to_address.as_ref().is_some_and(|to| is_same(to, &paid.to));
        self.order.drafted.draft.single_payment().is_some_and(is_to) && row.exact_amount().is_some_and(same)
    }
}

pub(super) fn resembles_order(row: &Transaction, order: &Order) -> bool {
    OrderPattern::from_order(order).is_some_and(|like| like.matches_row(row))
}

/// A transaction that may be an order's although it carries no key: a suggestion for the operator.
pub(super) fn find_similar_transaction(
    history: &OutgoingHistory,
    order: &Order,
    told: &OrderMatches<'_>,
) -> Option<TransactionId> {
    let (sent, alike) = (order.first_sent()?, told.order_patterns.get(&order.id)?);
    let in_time = |row: &&Transaction| {
        row.reported_time().is_none_or(|at| sent.age(at.plus(MAX_CLOCK_DIFFERENCE)) > Duration::ZERO)
    };
    let mut like = history.rows.iter().filter(|row| {
        row.idempotency_key.is_none()
            && !told.claimed_rows.contains(&row.id)
            && history.is_newer_than_draft(row, order)
            && alike.matches_row(row)
    });
    like.find(in_time).map(|row| row.id.clone())
}
