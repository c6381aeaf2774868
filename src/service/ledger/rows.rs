//! Rows of history: numbering, status, insertion.

use ruint::aliases::U256;
use rusqlite::{Row, params};
use uuid::Uuid;

use super::columns;
use super::request_error::RequestError;
use super::unit_of_work::UnitOfWork;
use super::workspaces::{Workspace, WorkspaceNumber};
use crate::domain::Timestamp;

/// The number is part of the row's lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowDirection {
    In = 0,
    Out = 1,
}

/// The numbers are those of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowStatus {
    Pending = 0,
    Success = 1,
    Failed = 2,
}

impl RowStatus {
    pub(super) fn from_row(row: &Row<'_>, column: usize) -> rusqlite::Result<Self> {
        match row.get(column)? {
            0 => Ok(Self::Pending),
            1 => Ok(Self::Success),
            2 => Ok(Self::Failed),
            other => Err(rusqlite::Error::IntegralValueOutOfRange(column, other)),
        }
    }

    /// The word in responses.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Success => "success",
            Self::Failed => "failed",
        }
    }
}

/// The numbers are those of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SubType {
    Deposit = 0,
    Withdraw = 1,
    BatchWithdraw = 2,
    Swap = 3,
    Sweep = 4,
    InternalTransfer = 5,
}

impl SubType {
    const ALL: [(Self, &str); 6] = [
        (Self::Deposit, "DEPOSIT"),
        (Self::Withdraw, "WITHDRAW"),
        (Self::BatchWithdraw, "BATCH_WITHDRAW"),
        (Self::Swap, "SWAP"),
        (Self::Sweep, "SWEEP"),
        (Self::InternalTransfer, "INTERNAL_TRANSFER"),
    ];

    pub(super) fn from_row(row: &Row<'_>, column: usize) -> rusqlite::Result<Self> {
        let number: i64 = row.get(column)?;
        let sub_type = Self::ALL.iter().find(|(sub_type, _)| *sub_type as i64 == number).map(|(sub_type, _)| *sub_type);
        sub_type.ok_or(rusqlite::Error::IntegralValueOutOfRange(column, number))
    }

    /// The word in responses.
    pub(super) fn label(self) -> &'static str {
        Self::ALL.iter().find(|(sub_type, _)| *sub_type == self).map_or("", |(_, word)| word)
    }
}

/// Low bits of a row number, below the workspace's number: about 10^12 rows per workspace.
const ROW_BITS: u32 = 40;

impl Workspace {
    /// The number of the workspace's `n`-th row, from 1. Rows of a workspace are contiguous and ordered by time.
    pub(super) fn row_number(&self, n: u64) -> i64 {
        (self.number.0 << ROW_BITS) + columns::to_sql_integer(n)
    }

    /// The lane of the workspace's rows in one direction.
    pub(super) fn direction_key(&self, direction: RowDirection) -> i64 {
        self.number.0 * 2 + direction as i64
    }
}

pub(super) fn workspace_number_of_row(row: i64) -> WorkspaceNumber {
    WorkspaceNumber(row >> ROW_BITS)
}

#[derive(Debug)]
pub(super) struct NewRow<'a> {
    pub(super) id: Uuid,
    pub(super) direction: RowDirection,
    pub(super) sub_type: SubType,
    pub(super) status: RowStatus,
    pub(super) wallet: i64,
    pub(super) token: i64,
    pub(super) amount: U256,
    pub(super) fee: U256,
    pub(super) counterparty: i64,
    pub(super) due: Timestamp,
    /// The transaction of this service whose incoming end this row is.
    pub(super) hash_of: Option<Uuid>,
    pub(super) ref_id: Option<&'a str>,
    pub(super) key: Option<Uuid>,
    pub(super) note: Option<&'a str>,
    /// Groups related rows: both sides of a swap, a sweep or a transfer.
    pub(super) group: Option<Uuid>,
    /// Memo or tag of a v1 payment.
    pub(super) tag: Option<&'a str>,
}

impl UnitOfWork<'_> {
    /// Adds a row at the head of history, and returns its number.
    pub(super) fn insert_row(&mut self, row: &NewRow<'_>) -> Result<i64, RequestError> {
        let workspace = &mut self.workspace;
        workspace.rows += 1;
        let place = match row.direction {
            RowDirection::In => &mut workspace.incoming,
            RowDirection::Out => &mut workspace.outgoing,
        };
        *place += 1;
        let place = *place;
        let no = self.workspace.row_number(self.workspace.rows);
        self.connection
            .prepare_cached(
                "INSERT INTO history (no, id, lane, place, wallet, token, sub_type, status, amount, fee, party, at,
                                      due, hash_of, ref_id, key, note, group_of, tag)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?17, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?18, ?19)",
            )?
            .execute(params![
                no,
                row.id.into_bytes(),
                self.workspace.direction_key(row.direction),
                columns::to_sql_integer(place),
                row.wallet,
                row.token,
                row.sub_type as i64,
                columns::amount_to_bytes(row.amount),
                columns::amount_to_bytes(row.fee),
                row.counterparty,
                self.now.millis(),
                row.due.millis(),
                row.hash_of.map(Uuid::into_bytes),
                row.ref_id,
                row.key.map(Uuid::into_bytes),
                row.note,
                row.status as i64,
                row.group.map(Uuid::into_bytes),
                row.tag,
            ])?;
        Ok(no)
    }
}
