//! Counts for users and workspaces. Only successful transactions count.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};
use uuid::Uuid;

use super::render::TransactionCounts;
use super::request_error::RequestError;
use super::rows::RowDirection;
use super::workspaces::{self, Workspace, WorkspaceNumber};
use super::{Ledger, columns, users};
use crate::domain::Timestamp;

/// Window of the recent counts.
const RECENT_WINDOW: Duration = Duration::from_hours(30 * 24);

impl Ledger {
    /// Counts for a user, or for the whole workspace.
    pub fn stats(
        &self,
        workspace_number: WorkspaceNumber,
        user: Option<Uuid>,
        now: Timestamp,
    ) -> Result<TransactionCounts, RequestError> {
        self.read(|connection| {
            let workspace = workspaces::load_workspace(connection, workspace_number)?;
            let user = user.map(|user| users::find_user_number(connection, workspace_number, user)).transpose()?;
            let window = i64::try_from(RECENT_WINDOW.as_millis()).unwrap_or(i64::MAX);
            let start = now.millis().saturating_sub(window);
            let recent = first_row_since(connection, &workspace, start)?;
            let count = |direction, since| match user {
                None => count_workspace_successes(connection, &workspace, direction, since),
                Some(user) => count_user_successes(connection, &workspace, user, direction, since),
            };
            let (deposits, withdraws) = (count(RowDirection::In, 0)?, count(RowDirection::Out, 0)?);
            let (recent_deposits, recent_withdraws) =
                (count(RowDirection::In, recent)?, count(RowDirection::Out, recent)?);
            Ok(TransactionCounts {
                deposits_count: deposits,
                deposits_count_in_30_days: recent_deposits,
                transaction_volume_count: deposits + withdraws,
                transaction_volume_count_in_30_days: recent_deposits + recent_withdraws,
                withdraws_count: withdraws,
                withdraws_count_in_30_days: recent_withdraws,
            })
        })
    }
}

/// The first row not older than `since`, counted from 1. Rows are ordered by time: binary search.
fn first_row_since(connection: &Connection, workspace: &Workspace, since: i64) -> Result<u64, RequestError> {
    let mut statement = connection.prepare_cached("SELECT at FROM history WHERE no = ?1")?;
    let (mut low, mut high) = (1, workspace.rows + 1);
    while low < high {
        let middle = low.midpoint(high);
        let at: i64 = statement.query_row([workspace.row_number(middle)], |row| row.get(0))?;
        if at < since { low = middle + 1 } else { high = middle }
    }
    Ok(low)
}

/// Positions are dense, so the rows of a lane since one of them are a difference; the few unsuccessful ones have an
/// index of their own.
fn count_workspace_successes(
    connection: &Connection,
    workspace: &Workspace,
    direction: RowDirection,
    since: u64,
) -> Result<u64, RequestError> {
    let (lane, all) = match direction {
        RowDirection::In => (workspace.direction_key(direction), workspace.incoming),
        RowDirection::Out => (workspace.direction_key(direction), workspace.outgoing),
    };
    let first = if since <= 1 { Some(1) } else { first_position_in_direction(connection, workspace, lane, since)? };
    let Some(first) = first else { return Ok(0) };
    let others = connection
        .prepare_cached("SELECT count(*) FROM history WHERE lane = ?1 AND place >= ?2 AND status <> 1")?
        .query_row(params![lane, columns::to_sql_integer(first)], |row| columns::read_count(row, 0))?;
    Ok((all + 1).saturating_sub(first).saturating_sub(others))
}

/// Position of the first row of a lane at or after the workspace's `n`-th row.
fn first_position_in_direction(
    connection: &Connection,
    workspace: &Workspace,
    lane: i64,
    n: u64,
) -> Result<Option<u64>, RequestError> {
    Ok(connection
        .prepare_cached("SELECT place FROM history WHERE no >= ?1 AND no <= ?2 AND +lane = ?3 ORDER BY no LIMIT 1")?
        .query_row(params![workspace.row_number(n), workspace.row_number(workspace.rows), lane], |row| {
            columns::read_count(row, 0)
        })
        .optional()?)
}

/// Answered from an index alone.
pub(super) const USER_ROWS_SQL: &str = "SELECT count(*) FROM wallets w CROSS JOIN history h ON h.wallet = w.no
    WHERE w.user = ?1 AND h.lane = ?2 AND h.no >= ?3";

/// Unsuccessful rows, which have an index of their own.
pub(super) const UNSUCCESSFUL_USER_ROWS_SQL: &str =
    "SELECT count(*) FROM wallets w CROSS JOIN history h ON h.wallet = w.no
    WHERE w.user = ?1 AND h.lane = ?2 AND h.no >= ?3 AND h.status <> 1";

fn count_user_successes(
    connection: &Connection,
    workspace: &Workspace,
    user: i64,
    direction: RowDirection,
    since: u64,
) -> Result<u64, RequestError> {
    let count = |sql| -> Result<u64, RequestError> {
        let values = params![user, workspace.direction_key(direction), workspace.row_number(since)];
        Ok(connection.prepare_cached(sql)?.query_row(values, |row| columns::read_count(row, 0))?)
    };
    Ok(count(USER_ROWS_SQL)?.saturating_sub(count(UNSUCCESSFUL_USER_ROWS_SQL)?))
}
