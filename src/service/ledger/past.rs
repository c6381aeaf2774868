//! The past of a workspace, by its history: what it held at a time, and what it paid under which keys.

use std::collections::HashMap;

use ruint::aliases::U256;
use rusqlite::params;

use super::history::{COLUMNS, JOINED_TABLES, PageLookups};
use super::request_error::RequestError;
use super::rows::{RowDirection, RowStatus};
use super::{Ledger, WorkspaceNumber, columns, render, workspaces};
use crate::domain::Timestamp;

/// A payment under a key, as the history has it by now.
#[derive(Debug, Clone)]
pub(in crate::service) struct TransactionWithTimes {
    pub(in crate::service) requested_at: Timestamp,
    pub(in crate::service) settled_at: Timestamp,
    pub(in crate::service) row: render::Transaction,
}

/// A change of what a workspace holds of a token.
struct BalanceChange {
    at: Timestamp,
    token: i64,
    amount: U256,
    grows: bool,
}

impl Ledger {
    /// Payments under a key, the oldest first.
    pub(in crate::service) fn payments_with_idempotency_key(
        &self,
        workspace_number: WorkspaceNumber,
        now: Timestamp,
    ) -> Result<Vec<TransactionWithTimes>, RequestError> {
        self.read_in_workspace(workspace_number, now, |connection, context| {
            let sql =
                format!("SELECT {COLUMNS} {JOINED_TABLES} WHERE h.lane = ?1 AND h.key IS NOT NULL ORDER BY h.place");
            let (mut statement, mut shared) = (connection.prepare(&sql)?, PageLookups::new(connection));
            let rows = statement.query_map([context.workspace.direction_key(RowDirection::Out)], |row| {
                Ok(TransactionWithTimes {
                    requested_at: Timestamp::from_millis(row.get("at")?),
                    settled_at: Timestamp::from_millis(row.get("due")?),
                    row: context.read_transaction_row(row, &mut shared)?,
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    /// What a workspace held at each of these times, by the number of the token, frozen amounts left out.
    pub(in crate::service) fn balances_at(
        &self,
        workspace_number: WorkspaceNumber,
        times: &[Timestamp],
    ) -> Result<Vec<HashMap<i64, U256>>, RequestError> {
        let changes = self.read(|connection| {
            let workspace = workspaces::load_workspace(connection, workspace_number)?;
            let sql = "SELECT lane, token, status, amount, fee, at, due FROM history WHERE lane IN (?1, ?2)";
            let mut statement = connection.prepare(sql)?;
            let (incoming, outgoing) =
                (workspace.direction_key(RowDirection::In), workspace.direction_key(RowDirection::Out));
            let mut rows = statement.query(params![incoming, outgoing])?;
            let mut changes = Vec::new();
            while let Some(row) = rows.next()? {
                let (token, status) = (row.get(1)?, RowStatus::from_row(row, 2)?);
                let amount = columns::read_amount(row, 3)?.saturating_add(columns::read_amount(row, 4)?);
                let (at, due) = (Timestamp::from_millis(row.get(5)?), Timestamp::from_millis(row.get(6)?));
                let change = |at, grows| BalanceChange { at, token, amount, grows };
                match (row.get::<_, i64>(0)? == incoming, status) {
                    (true, RowStatus::Success) => changes.push(change(due, true)),
                    (true, _) => {}
                    (false, RowStatus::Failed) => changes.extend([change(at, false), change(due, true)]),
                    (false, _) => changes.push(change(at, false)),
                }
            }
            Ok(changes)
        })?;
        Ok(times.iter().map(|time| sum_balance_changes_until(&changes, *time)).collect())
    }
}

fn sum_balance_changes_until(changes: &[BalanceChange], time: Timestamp) -> HashMap<i64, U256> {
    let mut sums: HashMap<i64, (U256, U256)> = HashMap::new();
    for change in changes.iter().filter(|change| change.at <= time) {
        let (gained, lost) = sums.entry(change.token).or_default();
        let side = if change.grows { gained } else { lost };
        *side = side.saturating_add(change.amount);
    }
    sums.into_iter().map(|(token, (gained, lost))| (token, gained.saturating_sub(lost))).collect()
}
