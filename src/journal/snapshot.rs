//! Reads a journal without changing it: to verify it, and to export it.

use std::cmp::Reverse;
use std::collections::{HashSet, VecDeque};
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::hash_chain::{self, ChainHead};
use super::record::{Body, COLUMNS, Record};
use super::replay::{self, Projection};
use super::schema::{self, Format};
use super::{JournalError, file, location, tail_marker};
use crate::domain::order::{OrderEvent, ServiceDestination};
use crate::domain::{Order, OrderId, Text, Timestamp};

/// An unchanging snapshot of a journal, which may be in use, or of a backup.
pub struct JournalSnapshot {
    connection: Connection,
    path: PathBuf,
    /// The tail marker as of before the journal was read.
    tail_marker: Option<ChainHead>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifyReport {
    pub records: u64,
    pub orders: u64,
    pub open: u64,
    /// The times of the first and the last record.
    pub span: Option<(Timestamp, Timestamp)>,
    /// The hash of the last record. Noted elsewhere, it shows later whether the journal still has all its records.
    pub head: [u8; 32],
    /// For a backup: the machine that made it, and when.
    pub backup: Option<(Text, Timestamp)>,
    /// At most [`VerifyReport::MAX_FAULTS`]; empty where the journal is whole.
    pub faults: Vec<Fault>,
}

impl VerifyReport {
    pub const MAX_FAULTS: usize = 20;

    pub fn is_whole(&self) -> bool {
        self.faults.is_empty()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The record with the fault, where there is one.
    pub record: Option<u64>,
    pub message: String,
}

impl From<JournalError> for Fault {
    fn from(error: JournalError) -> Self {
        match error {
            JournalError::Damaged { record, detail } => Self { record, message: detail },
            JournalError::NotUnderstood { record } => {
                Self { record: Some(record), message: "this version of bursar does not understand it".into() }
            }
            other => Self { record: None, message: other.to_string() },
        }
    }
}

/// Whether a file with another name than a journal's does not begin as every SQLite database does: the operator named
/// the wrong file. A file with the journal's own name would be damaged instead.
fn is_another_file(path: &Path) -> bool {
    let mut begins = Vec::new();
    // A journal truncated within its first bytes begins correctly as far as it goes.
    let outcome = std::fs::File::open(path).and_then(|file| file.take(16).read_to_end(&mut begins));
    let begins_well = b"SQLite format 3\0".starts_with(&begins);
    path.file_name().is_some_and(|name| name != location::JOURNAL_FILE) && outcome.is_ok() && !begins_well
}

impl JournalSnapshot {
    /// Opens a journal by its file, or by its folder.
    ///
    /// # Errors
    /// [`JournalError::Missing`] where nothing was ever recorded; others where the file cannot be read at all.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let path = if path.is_dir() { path.join(location::JOURNAL_FILE) } else { path.to_owned() };
        let mark = tail_marker::path(&path).as_deref().and_then(tail_marker::read);
        if is_another_file(&path) {
            return Err(JournalError::NotAJournal { path });
        }
        let connection = schema::open_reader(&path)?;
        // Everything that follows reads the same snapshot, whatever is written meanwhile.
        connection.execute_batch("BEGIN")?;
        match schema::read_format(&connection)? {
            Format::Known => Ok(Self { connection, path, tail_marker: mark }),
            Format::Newer(format) => Err(JournalError::Newer { path, format, newest_format: schema::FORMAT }),
            // A console that was killed before it created the tables leaves an empty file.
            Format::Empty => Err(JournalError::Missing { path }),
            Format::Other => Err(JournalError::NotAJournal { path }),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Checks everything: SQLite's integrity check, the tables and their triggers, every record and its position in the
    /// chain, the end of the chain, and whether each event was legal. Goes on after a fault.
    pub fn verify(&self) -> VerifyReport {
        let mut check = Verification::default();
        if let Err(error) = file::check_integrity(&self.connection) {
            check.add_fault(error);
        }
        match ChainHead::beginning(&self.connection) {
            Ok(beginning) => check.verify_chain(&self.connection, beginning, self.tail_marker),
            Err(error) => check.add_fault(error),
        }
        check.verified
    }

    /// Every record in order, as stored; unreadable ones are left out.
    pub fn records(&self, mut each: impl FnMut(Record) -> ControlFlow<()>) -> Result<(), JournalError> {
        let mut statement =
            self.connection.prepare(&format!("SELECT {COLUMNS} FROM record NOT INDEXED ORDER BY seq"))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if let Ok(record) = Record::from_row(row)
                && each(record).is_break()
            {
                break;
            }
        }
        Ok(())
    }

    /// Every order of a profile, or of all, in the order of their drafts.
    pub fn orders(
        &self,
        profile: Option<&str>,
        mut each: impl FnMut(Order) -> ControlFlow<()>,
    ) -> Result<(), JournalError> {
        let mut statement = self.connection.prepare(
            "SELECT intent FROM record WHERE kind = 'drafted' AND (?1 IS NULL OR profile = ?1) ORDER BY seq",
        )?;
        let mut rows = statement.query([profile])?;
        while let Some(row) = rows.next()? {
            if each(file::read_order(&self.connection, &row.get::<_, String>(0)?)?).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// The number of the last record: as long as it stays the same, so does the journal.
    pub fn last_seq(&self) -> Result<u64, JournalError> {
        Ok(schema::read_head(&self.connection)?.seq)
    }

    /// [`Journal::orders`](super::Journal::orders) without opening the journal for writing.
    pub fn shown_orders(&self, destination: &ServiceDestination, closed: usize) -> Result<Vec<Order>, JournalError> {
        let (mut open, mut others) = (Vec::new(), VecDeque::new());
        let mut nth = 0_u64;
        let addresses = self.address_relations(destination)?;
        self.orders(None, |order| {
            nth += 1;
            let is_open = replay::is_open(&order);
            if addresses.is_order_shown(&order.drafted.destination, destination, is_open) {
                if is_open {
                    open.push((nth, order));
                } else {
                    others.push_back((nth, order));
                    if others.len() > closed {
                        others.pop_front();
                    }
                }
            }
            ControlFlow::Continue(())
        })?;
        open.extend(others);
        open.sort_by_key(|(nth, _)| Reverse(*nth));
        Ok(open.into_iter().map(|(_, order)| order).collect())
    }

    /// Checks that a walk with this end covered everything that the tail marker counts.
    pub(super) fn check_tail_marker(&self, walked: &ChainHead) -> Result<(), JournalError> {
        tail_marker::check_covers_marker(&self.connection, walked.seq, self.tail_marker)
    }

    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }
}

/// Verifies a journal or a backup by its file, or a journal by its folder.
///
/// # Errors
/// Only where the file cannot be read at all; other faults are in [`VerifyReport::faults`].
pub fn verify(path: &Path) -> Result<VerifyReport, JournalError> {
    Ok(JournalSnapshot::open(path)?.verify())
}

struct Verification {
    verified: VerifyReport,
    ended_orders: HashSet<OrderId>,
}

impl Default for Verification {
    fn default() -> Self {
        let verified = VerifyReport {
            records: 0,
            orders: 0,
            open: 0,
            span: None,
            head: [0; 32],
            backup: None,
            faults: Vec::new(),
        };
        Self { verified, ended_orders: HashSet::new() }
    }
}

impl Verification {
    fn add_fault(&mut self, error: JournalError) {
        if self.verified.faults.len() < VerifyReport::MAX_FAULTS {
            self.verified.faults.push(error.into());
        }
    }

    fn verify_chain(&mut self, connection: &Connection, beginning: ChainHead, mark: Option<ChainHead>) {
        let mut projection = Projection::at(beginning);
        let walked = self.verify_records(connection, beginning, &mut projection);
        let ended = walked.and_then(|head| {
            hash_chain::check_chain_end(connection, &head)?;
            tail_marker::check_covers_marker(connection, head.seq, mark)?;
            Ok(head)
        });
        match ended {
            Ok(head) => self.verified.head = head.hash,
            Err(error) => self.add_fault(error),
        }
        self.verified.open = projection.count_open_orders();
        self.verified.backup = projection.backup_at_end().map(|origin| (origin.host.clone(), origin.at));
    }

    fn verify_records(
        &mut self,
        connection: &Connection,
        from: ChainHead,
        projection: &mut Projection,
    ) -> Result<ChainHead, JournalError> {
        let mut head = from;
        let mut statement =
            connection.prepare(&format!("SELECT {COLUMNS} FROM record NOT INDEXED WHERE seq > 0 ORDER BY seq"))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            self.verified.records += 1;
            match Record::from_row(row) {
                Ok(record) => {
                    let followed = head.advance_to(&record);
                    // A changed record is counted, and the chain resumes after it.
                    head = ChainHead { seq: record.seq, hash: record.hash };
                    let checked = followed.and_then(|()| self.check_event(&record, projection));
                    if let Err(error) = checked.and_then(|()| file::rebuild_reopened_orders(connection, projection)) {
                        self.add_fault(error);
                    }
                    let first = self.verified.span.map_or(record.at, |(first, _)| first);
                    self.verified.span = Some((first, record.at));
                }
                Err(error) => {
                    self.add_fault(error);
                    head.seq = head.seq.saturating_add(1);
                }
            }
        }
        Ok(head)
    }

    fn check_event(&mut self, record: &Record, projection: &mut Projection) -> Result<(), JournalError> {
        let odd = |problem: &str| JournalError::damaged(Some(record.seq), problem);
        if let (Body::Event(event), Some(id)) = (record.decode_body()?, record.order) {
            match (&event, projection.open_order(id)) {
                (OrderEvent::Drafted(drafted), None) if !self.ended_orders.contains(&id) => {
                    self.verified.orders += 1;
                    if drafted.destination.profile != record.profile {
                        return Err(odd("its profile differs from that of its order"));
                    }
                }
                (OrderEvent::Drafted(_), _) => return Err(odd("it creates an order that already exists")),
                (event, Some(this_order)) => {
                    this_order.check_event(event, record.at).map_err(|illegal| odd(&illegal.to_string()))?;
                    let next = this_order.attempts.last().map_or(0, |last| last.number).saturating_add(1);
                    if matches!(event, OrderEvent::Sending { attempt, .. } if *attempt != next) {
                        return Err(odd("its attempt does not have the next number"));
                    }
                    if matches!(event, OrderEvent::Ended(_)) {
                        self.ended_orders.insert(id);
                    }
                }
                (OrderEvent::Reopened(look), None) if self.ended_orders.contains(&id) => {
                    if look.contradiction.is_none() {
                        return Err(odd("it reopens an order that nothing contradicts"));
                    }
                    self.ended_orders.remove(&id);
                }
                (OrderEvent::Answered { .. } | OrderEvent::LookedUp(_), None) if self.ended_orders.contains(&id) => {}
                (_, None) if self.ended_orders.contains(&id) => return Err(odd("its order was already closed")),
                (_, None) => return Err(odd("it refers to an order that does not exist")),
            }
        }
        projection.apply_record(record)
    }
}
