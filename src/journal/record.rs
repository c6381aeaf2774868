//! Records of the journal, each bound to the one before it by its hash.

mod answer_body;
mod approval_body;
mod body;
mod book_change_body;
mod draft_body;
mod fields;
mod label_body;
mod lookup_body;
mod swap_body;
mod template_body;

use rusqlite::{Row, Transaction, named_params};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::JournalError;
use crate::domain::order::ConsoleIdentity;
use crate::domain::{OrderId, Text, Timestamp};

pub(super) use body::Body;
use fields::parse_uuid;

/// SHA-256 over a record's content and the hash of the record before it.
pub(super) type Hash = [u8; 32];

/// One stored record. Records are added at the end and never changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Counted from 1 without a gap.
    pub seq: u64,
    /// When the record was written, by the clock of the machine.
    pub at: Timestamp,
    pub by: ConsoleIdentity,
    /// Empty for what concerns the journal as a whole.
    pub profile: Text,
    pub environment: Option<Text>,
    /// Absent for what concerns the journal as a whole.
    pub order: Option<OrderId>,
    /// `drafted`, `confirmed`, `sending`, `answered`, `looked`, `ended` (also the reopening of an ended order),
    /// `proposed`, `approved`, `refused`, `policy`, `imported`, `acknowledged`, `booked`, `service`, `copied` or
    /// `restored`.
    pub kind: String,
    /// The event, as JSON.
    pub body: String,
    /// The hash of the record before it; for the first, of the journal's name.
    pub prev_hash: [u8; 32],
    pub hash: [u8; 32],
}

/// The hash before the first record.
pub(super) fn genesis_hash(journal: Uuid) -> Hash {
    Sha256::new().chain_update(b"bursar journal 1\0").chain_update(journal.as_bytes()).finalize().into()
}

pub(super) const COLUMNS: &str = "seq, at, user, host, run, profile, environment, intent, kind, body, prev, hash";

impl Record {
    /// The hash computed from the content.
    pub fn expected_hash(&self) -> Hash {
        let mut hash = Sha256::new();
        let mut part = |bytes: &[u8]| {
            // Each part is preceded by its length, so that no two records have the same bytes.
            hash.update((bytes.len() as u64).to_be_bytes());
            hash.update(bytes);
        };
        part(&self.prev_hash);
        part(&self.seq.to_be_bytes());
        part(&self.at.millis().to_be_bytes());
        part(self.by.user.as_bytes());
        part(self.by.host.as_bytes());
        part(self.by.run.as_bytes());
        part(self.profile.as_bytes());
        // Absent and empty must differ.
        part(&[u8::from(self.environment.is_some())]);
        part(self.environment.as_deref().unwrap_or_default().as_bytes());
        part(self.order.as_ref().map_or(&[][..], |id| id.0.as_bytes()));
        part(self.kind.as_bytes());
        part(self.body.as_bytes());
        hash.finalize().into()
    }

    pub(super) fn decode_body(&self) -> Result<Body, JournalError> {
        Body::read(&self.kind, &self.body).ok_or(JournalError::NotUnderstood { record: self.seq })
    }

    /// Reads a row of [`COLUMNS`]. A row that cannot have been written here is damage.
    pub(super) fn from_row(row: &Row<'_>) -> Result<Self, JournalError> {
        let seq: i64 = row.get(0)?;
        let number = u64::try_from(seq).map_err(|_| JournalError::damaged(None, "a record has no number"))?;
        let odd = |problem: &str| JournalError::damaged(Some(number), problem);
        let trouble = |error: rusqlite::Error| JournalError::from_record(number, error);
        let text = |column: usize| -> Result<String, JournalError> { row.get(column).map_err(trouble) };
        let clean = |column: usize| -> Result<Text, JournalError> {
            let written_text = text(column)?;
            let clean = Text::clean(&written_text);
            if *clean == *written_text {
                Ok(clean)
            } else {
                Err(odd("it contains characters that are never written there"))
            }
        };
        let hash = |column: usize| -> Result<Hash, JournalError> {
            let bytes: Vec<u8> = row.get(column).map_err(trouble)?;
            Hash::try_from(bytes).map_err(|_| odd("a hash has the wrong length"))
        };
        let uuid_of = |uuid_text: &str, problem: &str| parse_uuid(uuid_text).ok_or_else(|| odd(problem));
        let environment = row.get::<_, Option<String>>(6).map_err(trouble)?;
        let order_id = row.get::<_, Option<String>>(7).map_err(trouble)?;
        Ok(Self {
            seq: number,
            at: Timestamp::from_millis(row.get(1).map_err(trouble)?),
            by: ConsoleIdentity {
                user: clean(2)?,
                host: clean(3)?,
                run: uuid_of(&text(4)?, "it does not name the run that wrote it")?,
            },
            profile: clean(5)?,
            environment: environment.map(|_| clean(6)).transpose()?,
            order: order_id.map(|id| uuid_of(&id, "it does not name an order").map(OrderId)).transpose()?,
            kind: text(8)?,
            body: text(9)?,
            prev_hash: hash(10)?,
            hash: hash(11)?,
        })
    }

    pub(super) fn write(&self, transaction: &Transaction<'_>) -> Result<(), JournalError> {
        let seq =
            i64::try_from(self.seq).map_err(|_| JournalError::damaged(None, "there are no record numbers left"))?;
        let mut statement = transaction.prepare_cached(
            "INSERT INTO record (seq, at, user, host, run, profile, environment, intent, kind, body, prev, hash)
             VALUES (:seq, :at, :user, :host, :run, :profile, :environment, :intent, :kind, :body, :prev, :hash)",
        )?;
        statement.execute(named_params! {
            ":seq": seq,
            ":at": self.at.millis(),
            ":user": self.by.user.as_str(),
            ":host": self.by.host.as_str(),
            ":run": self.by.run.to_string(),
            ":profile": self.profile.as_str(),
            ":environment": self.environment.as_deref(),
            ":intent": self.order.map(|id| id.to_string()),
            ":kind": self.kind,
            ":body": self.body,
            ":prev": self.prev_hash.as_slice(),
            ":hash": self.hash.as_slice(),
        })?;
        Ok(())
    }
}
