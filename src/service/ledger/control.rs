//! What control requests change: deposits at will, failures to come, events sent again, a fresh start.

use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;
use uuid::Uuid;

use super::commands::DepositToken;
use super::legs::IncomingLeg;
use super::request_error::RequestError;
use super::rows::{RowStatus, SubType};
use super::unit_of_work::UnitOfWork;
use super::withdrawals::parse_amount;
use super::workspaces::{NewWorkspace, insert_workspace};
use super::{Ledger, addresses, history, render, settings, tokens, wallets};
use crate::domain::Timestamp;

/// A deposit that a control request asks for.
#[derive(Debug, Clone)]
pub struct InjectedDeposit {
    pub wallet: Uuid,
    /// Symbol of a listed token.
    pub token: String,
    /// What arrives, as received.
    pub amount: String,
    /// The sender's address as received; without one, an address outside the service.
    pub from: Option<String>,
    pub outcome: DepositOutcome,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DepositOutcome {
    /// Credited at once.
    Success,
    /// Credited when its chain has confirmed it.
    Pending,
    /// Pending until its chain drops it.
    Failed,
}

/// How many of the next payments will fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct OrderedFailures {
    pub count: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ReplayedEvents {
    /// Deliveries: one for each event and receiver.
    pub deliveries: usize,
}

/// Name of the ledger setting for the number of payments of callers that will fail.
const ORDERED_FAILURES_SETTING: &str = "failures_ordered";

/// Settings that belong to the ledger's contents, and end with them.
const SETTINGS_OF_CONTENTS: [&str; 3] = [ORDERED_FAILURES_SETTING, "sample", "lively"];

/// Whether the next payment of a caller is to fail. Counts it, in the commit of the payment.
pub(super) fn take_ordered_failure(connection: &Connection) -> Result<bool, RequestError> {
    let ordered: Option<String> = connection
        .prepare_cached("SELECT value FROM facts WHERE name = ?1")?
        .query_row([ORDERED_FAILURES_SETTING], |row| row.get(0))
        .optional()?;
    let Some(others) = ordered.and_then(|count| count.parse::<u32>().ok()?.checked_sub(1)) else { return Ok(false) };
    settings::store_setting(connection, ORDERED_FAILURES_SETTING, &others.to_string())?;
    Ok(true)
}

impl UnitOfWork<'_> {
    /// Records a payment from outside with the outcome that was asked for.
    pub fn inject_deposit(&mut self, new: &InjectedDeposit) -> Result<render::Transaction, RequestError> {
        let wallet = wallets::find_wallet(self.connection, self.workspace.number, new.wallet)?;
        let token =
            tokens::ensure_deposit_token(self.connection, wallet.chain, &DepositToken::Listed(new.token.clone()))?;
        let mut problems = Vec::new();
        let amount = parse_amount(token.decimals, "amount", &new.amount, &mut problems);
        let from = match &new.from {
            Some(from) => self.parse_address(wallet.chain, "fromAddress", from, &mut problems),
            None => addresses::address_from_seed(wallet.chain.family, self.workspace.network(), b"injected deposits"),
        };
        if !problems.is_empty() {
            return Err(RequestError::Unprocessable(problems));
        }
        self.refuse_overflow(&token, amount)?;
        let id = self.draw_id_with_outcome(wallet.chain, new.outcome != DepositOutcome::Failed)?;
        let (due, _) = self.settlement_plan(wallet.chain, id)?;
        let settlement = match new.outcome {
            DepositOutcome::Success => (self.now, RowStatus::Success),
            DepositOutcome::Pending | DepositOutcome::Failed => (due, RowStatus::Pending),
        };
        let row = self.insert_incoming(&IncomingLeg {
            id,
            hash_of: None,
            sub_type: SubType::Deposit,
            wallet: &wallet,
            token: &token,
            amount,
            from: &from,
            settlement,
            group: None,
        })?;
        if new.outcome == DepositOutcome::Success {
            self.sweep_balance(wallet.no, token.no)?;
        }
        history::load_transaction(self, row)
    }

    /// Lets the next payments of callers fail on their chains; 0 ends that.
    pub fn order_failures(&mut self, count: u32) -> Result<OrderedFailures, RequestError> {
        settings::store_setting(self.connection, ORDERED_FAILURES_SETTING, &count.to_string())?;
        Ok(OrderedFailures { count })
    }

    /// Sends the newest events to all receivers once more, each under its identifier and with its bytes.
    pub fn replay_events(&mut self, last: u32) -> Result<ReplayedEvents, RequestError> {
        let deliveries = self
            .connection
            .prepare_cached(
                "INSERT OR REPLACE INTO deliveries (event, receiver, attempts, next_at)
                 SELECT o.no, r.url, 0, ?1 FROM (SELECT no FROM outbox ORDER BY no DESC LIMIT ?2) o, temp.receivers r",
            )?
            .execute(params![self.now.millis(), last])?;
        Ok(ReplayedEvents { deliveries })
    }
}

impl Ledger {
    /// Empties the ledger. Where `new` is given, an empty workspace takes the place of the first one, and its number,
    /// so that keys stay valid.
    pub(in crate::service) fn clear(&self, new: Option<NewWorkspace>, now: Timestamp) -> Result<(), RequestError> {
        self.write(move |connection| {
            // Tables that others refer to come last.
            for table in [
                "deliveries",
                "outbox",
                "recipients",
                "client_tx_ids",
                "answers",
                "entries",
                "history",
                "books",
                "wallets",
                "users",
                "accounts",
                "workspaces",
                "parties",
            ] {
                connection.execute(&format!("DELETE FROM {table}"), [])?;
            }
            connection.execute("DELETE FROM tokens WHERE listed = 0", [])?;
            for name in SETTINGS_OF_CONTENTS {
                connection.execute("DELETE FROM facts WHERE name = ?1", [name])?;
            }
            new.map_or(Ok(()), |new| insert_workspace(connection, &new, now).map(drop))
        })
    }

    /// A new workspace in place of the first one: empty, of its name and environment.
    pub(in crate::service) fn empty_copy_of_first_workspace(&self) -> Result<Option<NewWorkspace>, RequestError> {
        let first = self.workspaces()?.into_iter().next();
        Ok(first.map(|first| NewWorkspace::with_random_id(&first.name, &first.environment)))
    }
}
