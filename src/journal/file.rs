//! The journal's file and its projection: every read and every write begins by applying what other processes wrote.

use std::collections::HashMap;
use std::path::PathBuf;

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior};
use uuid::Uuid;

use super::hash_chain::{self, ChainHead};
use super::record::{Body, COLUMNS, Record};
use super::replay::{self, Projection};
use super::{JournalError, crash, schema, tail_marker};
use crate::domain::book::BookChange;
use crate::domain::order::{ConsoleIdentity, OrderEnd, OrderEvent, ServiceDestination};
use crate::domain::{Order, OrderId, Timestamp};

/// Records that are read and checked at opening. A journal that has no more is checked whole.
const RECENT_RECORDS: u64 = 2_000;

pub(super) struct JournalFile {
    pub(super) connection: Connection,
    pub(super) projection: Projection,
    /// SQLite's `data_version`: changes when another connection writes.
    version: i64,
    /// How many changes were seen so far: writes of this file, and those of other connections.
    changes: u64,
    /// Of each console on this file, by its run.
    consoles: HashMap<Uuid, ConsoleChanges>,
    tail_marker: Option<PathBuf>,
}

/// A console's share in the changes of a file that several consoles of this process may have open.
#[derive(Debug, Default)]
struct ConsoleChanges {
    own: u64,
    /// Changes by others that it knows of.
    reported: u64,
}

impl JournalFile {
    /// Reads the file: the newest records and all that is open.
    pub(super) fn read(connection: Connection) -> Result<Self, JournalError> {
        let version = data_version(&connection)?;
        let picture = connection.unchecked_transaction()?;
        let end = schema::read_head(&picture)?;
        let start = end.seq.saturating_sub(RECENT_RECORDS);
        let mut journal_projection = if start == 0 {
            check_integrity(&picture)?;
            Projection::at(ChainHead::beginning(&picture)?)
        } else {
            projection_at(&picture, start)?
        };
        let walked = hash_chain::walk_records(&picture, journal_projection.head, |record| {
            journal_projection.apply_record(&record)
        })?;
        hash_chain::check_chain_end(&picture, &walked)?;
        rebuild_reopened_orders(&picture, &mut journal_projection)?;
        picture.finish()?;
        Ok(Self {
            connection,
            projection: journal_projection,
            version,
            changes: 0,
            consoles: HashMap::new(),
            tail_marker: None,
        })
    }

    /// Keeps a tail marker beside the journal from now on, and checks `marker`, the marker as read before the journal.
    pub(super) fn keep_tail_marker(
        &mut self,
        path: Option<PathBuf>,
        marker: Option<ChainHead>,
    ) -> Result<(), JournalError> {
        tail_marker::check_covers_marker(&self.connection, self.projection.head.seq, marker)?;
        self.tail_marker = path;
        Ok(())
    }

    /// Whether another console, of this process or of another, wrote since the last call for this run.
    pub(super) fn take_changed(&mut self, run: Uuid) -> Result<bool, JournalError> {
        let version = data_version(&self.connection)?;
        self.changes += u64::from(version != self.version);
        self.version = version;
        let console = self.consoles.entry(run).or_default();
        let by_others = self.changes.saturating_sub(console.own);
        Ok(std::mem::replace(&mut console.reported, by_others) != by_others)
    }

    /// Reads from one unchanging snapshot of the journal, with everything that other processes wrote applied.
    pub(super) fn read_consistent<T>(
        &mut self,
        work: impl FnOnce(&Connection, &mut Projection) -> Result<T, JournalError>,
    ) -> Result<T, JournalError> {
        let picture = self.connection.transaction()?;
        apply_new_records(&picture, &mut self.projection)?;
        let answer = work(&picture, &mut self.projection)?;
        picture.finish()?;
        Ok(answer)
    }

    /// Adds one record, if `new_record` returns one. `new_record` sees the whole journal, and no other process can write between
    /// its decision and the record. Once this returns, the record is on the disk.
    pub(super) fn write_record(
        &mut self,
        kind: &str,
        at: Timestamp,
        by: &ConsoleIdentity,
        new_record: impl FnOnce(&Transaction<'_>, &mut Projection) -> Result<Option<NewRecord>, JournalError>,
    ) -> Result<(), JournalError> {
        crash::reach_write_point("before", kind);
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        apply_new_records(&transaction, &mut self.projection)?;
        let Some(entry) = new_record(&transaction, &mut self.projection)? else { return Ok(()) };
        let record = entry.to_record(self.projection.head, at, by)?;
        record.write(&transaction)?;
        schema::raise_format(&transaction, entry.needed_format())?;
        schema::set_head(&transaction, &ChainHead { seq: record.seq, hash: record.hash })?;
        crash::reach_write_point("within", kind);
        transaction.commit()?;
        self.changes += 1;
        self.consoles.entry(by.run).or_default().own += 1;
        self.projection.apply_record(&record)?;
        rebuild_reopened_orders(&self.connection, &mut self.projection)?;
        self.checkpoint();
        if let Some(path) = &self.tail_marker {
            tail_marker::write(path, &self.projection.head);
        }
        crash::reach_write_point("after", kind);
        Ok(())
    }

    /// Checkpoints the log into the file, so that the log has one write at most: SQLite silently drops a damaged log,
    /// with everything in it. The record is on the disk already, so a failure here does no harm.
    fn checkpoint(&self) {
        let done = self.connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        if let Err(error) = done {
            tracing::debug!(%error, "the journal's log could not be emptied for now");
        }
    }
}

pub(super) struct NewRecord {
    pub(super) order: Option<OrderId>,
    /// The service and the profile; `None` for what concerns the journal as a whole.
    pub(super) destination: Option<ServiceDestination>,
    pub(super) body: Body,
}

impl NewRecord {
    pub(super) fn of(this_order: &Order, event: OrderEvent) -> Self {
        let destination = Some(this_order.drafted.destination.clone());
        Self { order: Some(this_order.id), destination, body: Body::Event(event) }
    }

    /// The oldest format with this kind of entry: versions that read only older formats cannot read it.
    fn needed_format(&self) -> i64 {
        match &self.body {
            Body::Imported { .. } => 2,
            Body::BookChanged { changes, .. } => {
                let needed = |change: &BookChange| match change {
                    BookChange::Entered(_) | BookChange::Removed { .. } => 3,
                    BookChange::Label { .. } => 7,
                    BookChange::Template(_) | BookChange::TemplateRemoved(_) => 8,
                };
                changes.iter().map(needed).max().unwrap_or(3)
            }
            Body::ServiceAddress { .. } | Body::Event(OrderEvent::Reopened(_)) => 5,
            Body::Acknowledged { .. } => 6,
            Body::Signed { .. } | Body::ApprovalPolicy { .. } | Body::Event(OrderEvent::Signed(_)) => 9,
            Body::Event(OrderEvent::Drafted(drafted)) if drafted.draft.has_profile_additions() => 8,
            Body::Event(OrderEvent::Drafted(drafted)) => drafted.draft.operation().journal_format(),
            // Only batches end so, with a result for each recipient.
            Body::Event(OrderEvent::Ended(OrderEnd::PartlySettled)) => 4,
            // Versions without contradictions would show a refused order as if nothing were wrong with it.
            Body::Event(OrderEvent::LookedUp(look)) if look.contradiction.is_some() => 5,
            _ => schema::OLDEST_FORMAT,
        }
    }

    pub(super) fn to_record(
        &self,
        head: ChainHead,
        at: Timestamp,
        by: &ConsoleIdentity,
    ) -> Result<Record, JournalError> {
        let written = self.body.write();
        let (kind, body) = written.map_err(|error| JournalError::damaged(None, &error.to_string()))?;
        let destination = self.destination.as_ref();
        let mut record = Record {
            seq: head.seq.saturating_add(1),
            at,
            by: by.clone(),
            profile: destination.map(|to| to.profile.clone()).unwrap_or_default(),
            environment: destination.and_then(|to| to.environment).map(|network| network.name().into()),
            order: self.order,
            kind: kind.to_owned(),
            body,
            prev_hash: head.hash,
            hash: [0; 32],
        };
        record.hash = record.expected_hash();
        Ok(record)
    }
}

/// Applies records written since. Earlier records are not read again, but the chain continues from them, so that they
/// cannot have been exchanged.
fn apply_new_records(connection: &Connection, projection: &mut Projection) -> Result<(), JournalError> {
    let walked = hash_chain::walk_records(connection, projection.head, |record| projection.apply_record(&record))?;
    hash_chain::check_chain_end(connection, &walked)?;
    rebuild_reopened_orders(connection, projection)
}

/// Rebuilds reopened orders, which have no end again, from their records.
pub(super) fn rebuild_reopened_orders(
    connection: &Connection,
    projection: &mut Projection,
) -> Result<(), JournalError> {
    for id in std::mem::take(&mut projection.reopened_orders) {
        projection.insert_records(&read_order_records(connection, &id.to_string(), projection.head.seq)?)?;
    }
    Ok(())
}

/// The projection as of a record: orders without an end, found by the indexes.
fn projection_at(connection: &Connection, seq: u64) -> Result<Projection, JournalError> {
    let last = hash_chain::read_record(connection, seq)?;
    if last.expected_hash() != last.hash {
        return Err(JournalError::damaged(Some(seq), "its content does not match its hash"));
    }
    let mut projection = Projection::at(ChainHead { seq, hash: last.hash });
    let number = i64::try_from(seq).unwrap_or(i64::MAX);
    // An end and its reopening are records of one kind, in alternation.
    let mut births = connection.prepare(
        "SELECT intent FROM record AS birth WHERE kind = 'drafted' AND seq <= ?1 AND
             (SELECT count(*) FROM record AS done
              WHERE done.kind = 'ended' AND done.intent = birth.intent AND done.seq <= ?1) % 2 = 0
         ORDER BY seq",
    )?;
    for id in births.query_map([number], |row| row.get::<_, String>(0))? {
        projection.insert_records(&read_order_records(connection, &id?, seq)?)?;
    }
    let mut copies = connection.prepare(&format!(
        "SELECT {COLUMNS} FROM record WHERE intent IS NULL AND kind IN ('copied', 'restored') AND seq <= ?1 ORDER BY seq"
    ))?;
    let mut rows = copies.query([number])?;
    while let Some(row) = rows.next()? {
        projection.apply_copy_record(&Record::from_row(row)?)?;
    }
    Ok(projection)
}

/// An order from the projection, or read from its records.
pub(super) fn find_order(
    connection: &Connection,
    projection: &mut Projection,
    id: OrderId,
) -> Result<Order, JournalError> {
    if let Some(order) = projection.open_order(id).or_else(|| projection.recent_ended_orders.get(&id)) {
        return Ok(order.clone());
    }
    let records = read_order_records(connection, &id.to_string(), u64::MAX)?;
    let birth = records.first().map(|record| record.seq).ok_or(JournalError::NoSuchOrder(id))?;
    let order = replay::rebuild_order(&records)?;
    if order.end.is_none() {
        return Err(JournalError::damaged(Some(birth), "its order is open, but was not found among the open orders"));
    }
    projection.insert_order(birth, order.clone());
    Ok(order)
}

/// An order from its records, found by the index.
pub(super) fn read_order(connection: &Connection, id: &str) -> Result<Order, JournalError> {
    replay::rebuild_order(&read_order_records(connection, id, u64::MAX)?)
}

/// The hash of the record that drafted an order.
pub(super) fn draft_hash(connection: &Connection, id: OrderId) -> Result<[u8; 32], JournalError> {
    let records = read_order_records(connection, &id.to_string(), u64::MAX)?;
    records.first().map(|record| record.hash).ok_or(JournalError::NoSuchOrder(id))
}

/// The records of an order up to record `last`, each checked by itself.
fn read_order_records(connection: &Connection, id: &str, last: u64) -> Result<Vec<Record>, JournalError> {
    let mut statement = connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM record WHERE intent = ?1 AND seq <= ?2 ORDER BY seq"))?;
    let mut rows = statement.query((id, i64::try_from(last).unwrap_or(i64::MAX)))?;
    let mut records = Vec::new();
    while let Some(row) = rows.next()? {
        let record = Record::from_row(row)?;
        if record.expected_hash() != record.hash {
            return Err(JournalError::damaged(Some(record.seq), "its content does not match its hash"));
        }
        records.push(record);
    }
    Ok(records)
}

/// Reads the chain from an order's draft to the end once more, from the disk and through no index, and compares the
/// order with the one in memory: before money is sent, nothing is taken on trust.
pub(super) fn verify_order(
    connection: &Connection,
    projection: &Projection,
    this_order: &Order,
) -> Result<(), JournalError> {
    let birth = projection.draft_seq(this_order.id).ok_or(JournalError::NoSuchOrder(this_order.id))?;
    let first = hash_chain::read_record(connection, birth)?;
    let mut records = Vec::new();
    let walked = hash_chain::walk_records(connection, ChainHead::before(&first), |record| {
        if record.order == Some(this_order.id) {
            records.push(record);
        }
        Ok(())
    })?;
    hash_chain::check_chain_end(connection, &walked)?;
    if replay::rebuild_order(&records)? == *this_order {
        Ok(())
    } else {
        Err(JournalError::damaged(Some(birth), "the order that it created now reads differently"))
    }
}

/// The newest `most` ended orders with a destination that `is_shown` accepts, the newest first.
pub(super) fn closed_orders(
    connection: &Connection,
    projection: &mut Projection,
    is_shown: impl Fn(&ServiceDestination) -> bool,
    most: usize,
) -> Result<Vec<(u64, Order)>, JournalError> {
    let destinations = order_destinations(connection, projection)?.iter().filter(|(place, _)| is_shown(place));
    let mut births: Vec<u64> = destinations.flat_map(|(_, births)| births).copied().collect();
    births.sort_unstable_by_key(|birth| std::cmp::Reverse(*birth));
    let mut orders = Vec::new();
    for birth in births.into_iter().filter(|birth| !projection.open_orders.contains_key(birth)).collect::<Vec<_>>() {
        if orders.len() >= most {
            break;
        }
        let record = hash_chain::read_record(connection, birth)?;
        let id = record.order.ok_or_else(|| JournalError::damaged(Some(record.seq), "it belongs to no order"))?;
        orders.push((birth, find_order(connection, projection, id)?));
    }
    Ok(orders)
}

/// The destinations of all orders, each with the numbers of their `drafted` records.
pub(super) fn order_destinations<'a>(
    connection: &Connection,
    projection: &'a mut Projection,
) -> Result<&'a HashMap<ServiceDestination, Vec<u64>>, JournalError> {
    let places = match projection.destinations.take() {
        Some(places) => places,
        None => read_destinations(connection, projection.head.seq)?,
    };
    Ok(projection.destinations.insert(places))
}

/// The destinations of the orders up to a record, each with the numbers of their `drafted` records. Read once and then
/// updated: a journal has few destinations and many orders.
pub(super) fn read_destinations(
    connection: &Connection,
    last: u64,
) -> Result<HashMap<ServiceDestination, Vec<u64>>, JournalError> {
    let mut places: HashMap<ServiceDestination, Vec<u64>> = HashMap::new();
    let mut statement =
        connection.prepare(&format!("SELECT {COLUMNS} FROM record WHERE kind = 'drafted' AND seq <= ?1"))?;
    let mut rows = statement.query([i64::try_from(last).unwrap_or(i64::MAX)])?;
    while let Some(row) = rows.next()? {
        let record = Record::from_row(row)?;
        if let Body::Event(OrderEvent::Drafted(drafted)) = record.decode_body()? {
            places.entry(drafted.destination).or_default().push(record.seq);
        }
    }
    Ok(places)
}

/// Runs SQLite's own integrity check of the file, and compares its tables with [`schema`].
pub(super) fn check_integrity(connection: &Connection) -> Result<(), JournalError> {
    if let Some(difference) = schema::schema_difference(connection)? {
        return Err(JournalError::damaged(None, &difference));
    }
    let message: Option<String> = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).optional()?;
    match message.as_deref() {
        Some("ok") => Ok(()),
        // SQLite's message may have several lines, the first of which only names the file.
        Some(other) => Err(JournalError::damaged(None, other.lines().last().unwrap_or(other))),
        None => Err(JournalError::damaged(None, "the file could not be checked")),
    }
}

fn data_version(connection: &Connection) -> Result<i64, JournalError> {
    Ok(connection.pragma_query_value(None, "data_version", |row| row.get(0))?)
}
