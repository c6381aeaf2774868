//! Rebuilds orders from records. Pure.

use std::collections::{BTreeMap, HashMap};

use super::JournalError;
use super::contacts::BookIndex;
use super::hash_chain::ChainHead;
use super::order_index::OrderIndex;
use super::record::{Body, Record};
use crate::domain::order::{EventStamp, OrderEvent, ServiceDestination};
use crate::domain::{Order, OrderId, Text, Timestamp};

/// The origin of a restored journal: where and when its backup was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BackupOrigin {
    /// The record that ended the backup: orders drafted before it came with the backup.
    pub(super) seq: u64,
    pub(super) host: Text,
    pub(super) at: Timestamp,
}

/// The content of the journal as far as it was read: every order without an end, and the position of the last record.
#[derive(Debug)]
pub(super) struct Projection {
    pub(super) head: ChainHead,
    /// The last applied record that may invalidate the judgement of another payment: an order was sent, the history
    /// contradicts how an order was closed, the address book was changed, or an operator answered which service an
    /// address leads to.
    pub(super) last_conflicting: u64,
    /// Orders without an end, by the number of their `drafted` record.
    pub(super) open_orders: BTreeMap<u64, Order>,
    draft_seqs: HashMap<OrderId, u64>,
    /// The first sending record of each of these orders that was sent. Record numbers decide the order, not the clock,
    /// which may be set.
    first_sending_seqs: HashMap<OrderId, u64>,
    /// Orders reopened by an applied record, whose other records are still to be read.
    pub(super) reopened_orders: Vec<OrderId>,
    /// Ended orders that were read lately.
    pub(super) recent_ended_orders: HashMap<OrderId, Order>,
    /// The destinations of all orders, ended ones too, with the numbers of their `drafted` records; `None` until
    /// needed.
    pub(super) destinations: Option<HashMap<ServiceDestination, Vec<u64>>>,
    /// The index of every order that was ever sent; `None` until needed.
    pub(super) order_index: Option<OrderIndex>,
    /// Changes of address books from the first record on; `None` until needed, if reading began later.
    pub(super) book_index: Option<BookIndex>,
    /// The last copy that was made, and the one that this journal was restored from.
    last_backup: Option<BackupOrigin>,
    restored_from: Option<BackupOrigin>,
}

const MAX_ENDED: usize = 512;

impl Projection {
    /// Empty, from a position in the chain on.
    pub(super) fn at(head: ChainHead) -> Self {
        let (open_orders, draft_seqs, first_sending_seqs, reopened_orders, recent_ended_orders) = Default::default();
        let book_index = (head.seq == 0).then(BookIndex::default);
        let (destinations, order_index, last_backup, restored_from) = (None, None, None, None);
        Self {
            head,
            last_conflicting: 0,
            open_orders,
            draft_seqs,
            first_sending_seqs,
            reopened_orders,
            recent_ended_orders,
            destinations,
            order_index,
            book_index,
            last_backup,
            restored_from,
        }
    }

    pub(super) fn open_order(&self, id: OrderId) -> Option<&Order> {
        self.open_orders.get(self.draft_seqs.get(&id)?)
    }

    /// The number of the `drafted` record of an order without an end.
    pub(super) fn draft_seq(&self, id: OrderId) -> Option<u64> {
        self.draft_seqs.get(&id).copied()
    }

    /// Whether an order without an end was first sent after another order's `drafted` record.
    fn was_sent_after(&self, id: OrderId, birth: u64) -> bool {
        self.first_sending_seqs.get(&id).is_some_and(|sending_seq| *sending_seq > birth)
    }

    /// Whether another order without an end makes the same payment, and was sent after this one was drafted.
    pub(super) fn has_duplicate_sent_since(&self, order: &Order) -> bool {
        let is_after = |other: OrderId| self.draft_seq(order.id).is_some_and(|birth| self.was_sent_after(other, birth));
        self.open_orders.values().any(|other| other.id != order.id && is_after(other.id) && order.pays_same_as(other))
    }

    /// The origin of an order, if it was open when the journal was copied.
    pub(super) fn backup_origin(&self, id: OrderId) -> Option<&BackupOrigin> {
        self.restored_from.as_ref().filter(|origin| self.draft_seq(id).is_some_and(|birth| birth < origin.seq))
    }

    pub(super) fn refuse_from_backup(&self, id: OrderId) -> Result<(), JournalError> {
        match self.backup_origin(id) {
            Some(BackupOrigin { host, at, .. }) => Err(JournalError::FromBackup { host: host.clone(), at: *at }),
            None => Ok(()),
        }
    }

    pub(super) fn backup_notice(&self) -> Option<String> {
        let BackupOrigin { seq, host, at } = self.restored_from.as_ref()?;
        let open = self.open_orders.range(..seq).filter(|(_, order)| is_open(order)).count();
        let open_orders = match open {
            0 => return None,
            1 => "1 order was".to_owned(),
            _ => format!("{open} orders were"),
        };
        Some(format!(
            "{open_orders} open when this journal was copied from {host} at {at}; bursar looks up such orders here, but does not send them"
        ))
    }

    /// Whether the journal ends as a backup does.
    pub(super) fn backup_at_end(&self) -> Option<&BackupOrigin> {
        self.last_backup.as_ref().filter(|copied| copied.seq == self.head.seq)
    }

    pub(super) fn count_open_orders(&self) -> u64 {
        let open = self.open_orders.values().filter(|order| is_open(order)).count();
        u64::try_from(open).unwrap_or(u64::MAX)
    }

    pub(super) fn insert_records(&mut self, records: &[Record]) -> Result<(), JournalError> {
        let order = rebuild_order(records)?;
        for record in records {
            if let Body::Event(OrderEvent::Sending { .. }) = record.decode_body()? {
                self.first_sending_seqs.entry(order.id).or_insert(record.seq);
            }
        }
        self.insert_order(records.first().map_or(0, |record| record.seq), order);
        Ok(())
    }

    pub(super) fn insert_order(&mut self, birth: u64, order: Order) {
        if order.end.is_none() {
            self.draft_seqs.insert(order.id, birth);
            self.open_orders.insert(birth, order);
        } else {
            if self.recent_ended_orders.len() >= MAX_ENDED {
                self.recent_ended_orders.clear();
            }
            self.recent_ended_orders.insert(order.id, order);
        }
    }

    /// Applies a record of a copy or a restore, which may be before the start of reading.
    pub(super) fn apply_copy_record(&mut self, record: &Record) -> Result<(), JournalError> {
        let place = || BackupOrigin { seq: record.seq, host: record.by.host.clone(), at: record.at };
        match record.decode_body()? {
            Body::Copied { .. } => self.last_backup = Some(place()),
            Body::Restored { .. } => self.restored_from = self.last_backup.clone(),
            Body::Imported { .. }
            | Body::Acknowledged { .. }
            | Body::BookChanged { .. }
            | Body::ServiceAddress { .. }
            | Body::Signed { .. }
            | Body::ApprovalPolicy { .. }
            | Body::Event(_) => {}
        }
        Ok(())
    }

    pub(super) fn apply_record(&mut self, record: &Record) -> Result<(), JournalError> {
        self.replay_record(record)?;
        if let Some(marks) = &mut self.order_index {
            marks.apply_record(record)?;
        }
        self.book_index.as_mut().map_or(Ok(()), |booked| booked.apply_record(record))
    }

    fn replay_record(&mut self, record: &Record) -> Result<(), JournalError> {
        let odd = |problem: &str| JournalError::damaged(Some(record.seq), problem);
        let event = match record.decode_body()? {
            Body::Event(event) => event,
            body @ (Body::Copied { .. }
            | Body::Restored { .. }
            | Body::Imported { .. }
            | Body::Acknowledged { .. }
            | Body::ServiceAddress { .. }
            | Body::Signed { .. }
            | Body::ApprovalPolicy { .. }
            | Body::BookChanged { .. }) => {
                self.apply_copy_record(record)?;
                // Answers about addresses decide which orders and which book count.
                if matches!(body, Body::BookChanged { .. } | Body::ServiceAddress { answer: Some(_), .. }) {
                    self.last_conflicting = record.seq;
                }
                self.head = ChainHead { seq: record.seq, hash: record.hash };
                return Ok(());
            }
        };
        let id = record.order.ok_or_else(|| odd("it belongs to no order"))?;
        if event.is_contradiction_by_history() {
            // An order that counted as one that moved no money may have moved some.
            self.last_conflicting = record.seq;
        }
        if matches!(event, OrderEvent::Sending { .. }) {
            self.last_conflicting = record.seq;
            if self.draft_seqs.contains_key(&id) {
                self.first_sending_seqs.entry(id).or_insert(record.seq);
            }
        }
        let stamp = EventStamp { at: record.at, by: record.by.clone() };
        match (event, self.draft_seqs.get(&id).copied()) {
            (OrderEvent::Drafted(drafted), None) => {
                if let Some(places) = &mut self.destinations {
                    places.entry(drafted.destination.clone()).or_default().push(record.seq);
                }
                self.insert_order(record.seq, Order::new(id, stamp, *drafted));
            }
            (OrderEvent::Drafted(_), Some(_)) => return Err(odd("it creates an order that already exists")),
            (event, Some(birth)) => {
                let ends = matches!(event, OrderEvent::Ended(_));
                if let Some(this_order) = self.open_orders.get_mut(&birth) {
                    this_order.apply(stamp, event);
                }
                if ends {
                    self.draft_seqs.remove(&id);
                    self.first_sending_seqs.remove(&id);
                    if let Some(this_order) = self.open_orders.remove(&birth) {
                        self.insert_order(birth, this_order);
                    }
                }
            }
            // The order ended before; the next request reads it again.
            (event, None) => {
                self.recent_ended_orders.remove(&id);
                if matches!(event, OrderEvent::Reopened(_)) {
                    self.reopened_orders.push(id);
                }
            }
        }
        self.head = ChainHead { seq: record.seq, hash: record.hash };
        Ok(())
    }
}

/// Whether an order is still to be followed, at any time: only whether it is being sent or unknown depends on the time.
pub(super) fn is_open(order: &Order) -> bool {
    order.is_open(Timestamp::from_millis(i64::MAX))
}

/// Builds an order from all of its records, in their order.
pub(super) fn rebuild_order(records: &[Record]) -> Result<Order, JournalError> {
    let mut built: Option<Order> = None;
    for record in records {
        let odd = |problem: &str| JournalError::damaged(Some(record.seq), problem);
        let stamp = EventStamp { at: record.at, by: record.by.clone() };
        match (record.decode_body()?, &mut built, record.order) {
            (Body::Event(OrderEvent::Drafted(drafted)), None, Some(id)) => {
                built = Some(Order::new(id, stamp, *drafted));
            }
            (Body::Event(OrderEvent::Drafted(_)), Some(_), _) => {
                return Err(odd("it creates an order that already exists"));
            }
            (Body::Event(event), Some(this_order), Some(id)) if this_order.id == id => this_order.apply(stamp, event),
            _ => return Err(odd("it refers to an order that does not exist")),
        }
    }
    built.ok_or_else(|| JournalError::damaged(None, "an order has no records"))
}
