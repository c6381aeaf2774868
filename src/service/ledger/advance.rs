//! Advances the chains: settles pending transactions.

use std::collections::BTreeMap;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Row, params};
use uuid::Uuid;

use super::entries::TransactionPosting;
use super::request_error::RequestError;
use super::rows::{self, RowDirection, RowStatus, SubType};
use super::tokens::read_chain;
use super::unit_of_work::{IdSource, UnitOfWork};
use super::workspaces::WorkspaceNumber;
use super::{Ledger, columns};
use crate::domain::{Chain, Timestamp};
use crate::service::chain::{self, SimulationSettings};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SettlementCounts {
    pub succeeded: u64,
    pub failed: u64,
}

/// Rows settled per commit, so that no request waits long behind them.
const ROWS_PER_COMMIT: i64 = 1000;

/// How far the newest transaction may be ahead of the clock before that is logged and corrected.
const CLOCK_AHEAD_TOLERANCE: Duration = Duration::from_mins(5);

/// A pending row that is due.
struct DueRow {
    direction: RowDirection,
    posting: TransactionPosting,
    time: Timestamp,
    /// The transaction on the chain: for the incoming end of a payment within this service, the sender's.
    chain_transaction: Uuid,
    chain: &'static Chain,
    sub_type: SubType,
}

impl DueRow {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let lane: i64 = row.get(2)?;
        Ok(Self {
            direction: if lane % 2 == 0 { RowDirection::In } else { RowDirection::Out },
            posting: TransactionPosting {
                row: row.get(0)?,
                wallet: row.get(3)?,
                token: row.get(4)?,
                amount: columns::read_amount(row, 5)?,
                fee: columns::read_amount(row, 6)?,
            },
            time: Timestamp::from_millis(row.get(7)?),
            chain_transaction: columns::read_uuid(row, 1)?,
            chain: read_chain(row, 8)?,
            sub_type: SubType::from_row(row, 9)?,
        })
    }
}

impl Ledger {
    /// Settles every transaction that is due at `now`, in the order of due times.
    pub fn advance(&self, now: Timestamp) -> Result<SettlementCounts, RequestError> {
        let mut all = SettlementCounts::default();
        loop {
            if self.next_due()?.is_none_or(|due| due > now) {
                return Ok(all);
            }
            let simulation_settings = self.simulation_settings();
            let settled = self.write(move |connection| settle_due_rows(connection, now, simulation_settings))?;
            all.succeeded += settled.succeeded;
            all.failed += settled.failed;
        }
    }

    /// The time of the newest transaction, if it is far ahead of the clock, which then was ahead itself. Transactions
    /// pending since then settle as if requested now, not when that time comes.
    pub(in crate::service) fn settle_after_clock_set_back(
        &self,
        now: Timestamp,
    ) -> Result<Option<Timestamp>, RequestError> {
        let (newest, is_stuck) = self.read(|connection| {
            let newest: Option<i64> = connection
                .prepare_cached("SELECT max(h.at) FROM workspaces w JOIN history h ON h.no = (w.no << 40) + w.rows")?
                .query_row([], |row| row.get(0))?;
            let is_stuck: bool = connection
                .prepare_cached("SELECT EXISTS (SELECT 1 FROM history WHERE status = 0 AND due > ?1 AND at > ?1)")?
                .query_row([now.plus(CLOCK_AHEAD_TOLERANCE).millis()], |row| row.get(0))?;
            Ok((newest.map(Timestamp::from_millis), is_stuck))
        })?;
        if is_stuck {
            self.write(move |connection| {
                connection.execute(
                    "UPDATE history SET due = ?1 + due - at WHERE status = 0 AND due > ?2 AND at > ?2",
                    params![now.millis(), now.plus(CLOCK_AHEAD_TOLERANCE).millis()],
                )?;
                Ok(())
            })?;
        }
        Ok(newest.filter(|newest| *newest > now.plus(CLOCK_AHEAD_TOLERANCE)))
    }

    /// When the next pending transaction settles.
    pub fn next_due(&self) -> Result<Option<Timestamp>, RequestError> {
        self.read(|connection| {
            let due: Option<i64> = connection
                .prepare_cached("SELECT due FROM history WHERE status = 0 ORDER BY due LIMIT 1")?
                .query_row([], |row| row.get(0))
                .optional()?;
            Ok(due.map(Timestamp::from_millis))
        })
    }
}

fn settle_due_rows(
    connection: &Connection,
    now: Timestamp,
    simulation_settings: SimulationSettings,
) -> Result<SettlementCounts, RequestError> {
    let due: Vec<DueRow> = connection
        .prepare_cached(
            "SELECT h.no, ifnull(h.hash_of, h.id), h.lane, h.wallet, h.token, h.amount, h.fee, h.due, k.chain,
                    h.sub_type
             FROM history h CROSS JOIN tokens k ON k.no = h.token
             WHERE h.status = 0 AND h.due <= ?1 ORDER BY h.due, h.no LIMIT ?2",
        )?
        .query_map(params![now.millis(), ROWS_PER_COMMIT], DueRow::from_row)?
        .collect::<Result<_, _>>()?;
    let mut settled = SettlementCounts::default();
    let mut open: BTreeMap<WorkspaceNumber, UnitOfWork<'_>> = BTreeMap::new();
    for row in &due {
        let workspace_number = rows::workspace_number_of_row(row.posting.row);
        let books = match open.entry(workspace_number) {
            std::collections::btree_map::Entry::Occupied(books) => books.into_mut(),
            std::collections::btree_map::Entry::Vacant(place) => place.insert(UnitOfWork::open(
                connection,
                workspace_number,
                row.time,
                IdSource::Random,
                simulation_settings,
            )?),
        };
        books.advance_to(row.time);
        match books.settle_row(row)? {
            RowStatus::Success => settled.succeeded += 1,
            _ => settled.failed += 1,
        }
    }
    open.into_values().try_for_each(UnitOfWork::close)?;
    Ok(settled)
}

impl UnitOfWork<'_> {
    fn settle_row(&mut self, row: &DueRow) -> Result<RowStatus, RequestError> {
        let succeeds = chain::rules(row.chain)
            .is_some_and(|rules| rules.outcome_of(row.chain_transaction, self.simulation_settings.failures).succeeds);
        let fits =
            row.direction == RowDirection::Out || row.posting.amount <= self.remaining_capacity(row.posting.token)?;
        let status = if succeeds && fits { RowStatus::Success } else { RowStatus::Failed };
        match status {
            RowStatus::Success => self.post_success(row.direction, &row.posting)?,
            _ => self.post_failure(row.direction, &row.posting)?,
        }
        self.connection
            .prepare_cached("UPDATE history SET status = ?2 WHERE no = ?1")?
            .execute(params![row.posting.row, status as i64])?;
        if status == RowStatus::Success {
            self.enqueue_event(row.posting.row, row.direction, row.sub_type)?;
        }
        if status == RowStatus::Success && row.direction == RowDirection::In && row.sub_type == SubType::Deposit {
            self.sweep_balance(row.posting.wallet, row.posting.token)?;
        }
        Ok(status)
    }
}
