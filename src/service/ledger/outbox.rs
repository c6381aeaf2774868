//! The outbox: events stored in the commit that they report, until their receivers have them.

use std::sync::atomic::Ordering;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};
use serde_json::json;
use uuid::Uuid;

use super::request_error::RequestError;
use super::rows::{RowDirection, SubType};
use super::unit_of_work::UnitOfWork;
use super::{Ledger, columns, history};
use crate::domain::Timestamp;

/// An undelivered event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::service) struct OutboxEvent {
    /// Number in the outbox.
    pub(in crate::service) event: i64,
    /// The same at every attempt.
    pub(in crate::service) id: Uuid,
    /// The same bytes at every attempt.
    pub(in crate::service) body: Vec<u8>,
    /// Attempts so far.
    pub(in crate::service) attempts: u32,
    pub(in crate::service) created_at: Timestamp,
}

/// No delivery is postponed this far: one that is was postponed by a clock that was ahead, and is due.
const MAX_POSTPONEMENT: Duration = Duration::from_hours(2);

/// The topic of a success, if it is announced.
fn webhook_topic(direction: RowDirection, sub_type: SubType) -> Option<&'static str> {
    match (direction, sub_type) {
        (RowDirection::In, SubType::Deposit | SubType::InternalTransfer) => Some("wallets:deposit.success"),
        (RowDirection::Out, SubType::Withdraw | SubType::BatchWithdraw) => Some("wallets:withdraw.success"),
        (RowDirection::Out, SubType::Swap) => Some("wallets:swap.success"),
        _ => None,
    }
}

impl UnitOfWork<'_> {
    /// Adds an event for a success, if there are receivers. Sample history is not announced.
    pub(super) fn enqueue_event(
        &mut self,
        row: i64,
        direction: RowDirection,
        sub_type: SubType,
    ) -> Result<(), RequestError> {
        let Some(topic) = webhook_topic(direction, sub_type).filter(|_| self.settle_immediately_until.is_none()) else {
            return Ok(());
        };
        let anybody: bool = self
            .connection
            .prepare_cached("SELECT EXISTS (SELECT 1 FROM temp.receivers)")?
            .query_row([], |row| row.get(0))?;
        if !anybody {
            return Ok(());
        }
        let id = Uuid::new_v4();
        let transaction = history::load_transaction(self, row)?;
        let own = if direction == RowDirection::In { &transaction.to_address } else { &transaction.from_address };
        let body = json!({
            "id": id,
            "topic": topic,
            "createdAt": self.now.to_string(),
            "workspaceId": transaction.workspace_id,
            "params": {
                "transactionId": transaction.id,
                "transactionGroupId": transaction.transaction_group_id,
                "txHash": transaction.tx_hash,
                "txSubType": transaction.tx_sub_type,
                "refId": transaction.ref_id,
                "idempotencyKey": transaction.idempotency_key,
                "fromAddress": transaction.from_address,
                "toAddress": transaction.to_address,
                "amount": { "value": transaction.amount.formatted, "rawValue": transaction.amount.raw },
                "token": {
                    "symbol": transaction.token_symbol, "name": transaction.token_name,
                    "tokenAddress": transaction.token_address, "decimals": transaction.decimals,
                    "isNative": transaction.is_native, "standard": transaction.standard,
                },
                "wallet": {
                    "id": transaction.wallet_id, "address": own, "blockchain": transaction.blockchain,
                    "protocol": transaction.protocol, "network": transaction.network,
                    "userId": transaction.user_id, "accountId": transaction.account_id,
                },
            },
        });
        let event = self
            .connection
            .prepare_cached("INSERT INTO outbox (id, body, created_at) VALUES (?1, ?2, ?3)")?
            .insert(params![id.into_bytes(), body.to_string().into_bytes(), self.now.millis()])?;
        self.connection
            .prepare_cached(
                "INSERT INTO deliveries (event, receiver, attempts, next_at) SELECT ?1, url, 0, ?2 FROM temp.receivers",
            )?
            .execute(params![event, self.now.millis()])?;
        Ok(())
    }
}

impl Ledger {
    /// Replaces the receivers, and sets how many of the newest events stay in the outbox after their delivery. Pending
    /// deliveries to removed receivers are dropped. Does not wait; later writes come after it.
    pub(in crate::service) fn set_webhook_receivers(
        &self,
        receivers: Vec<String>,
        events_kept: u32,
    ) -> Result<(), RequestError> {
        self.events_kept.store(events_kept, Ordering::SeqCst);
        let change = move |connection: &Connection| {
            connection.execute("DELETE FROM temp.receivers", [])?;
            for url in &receivers {
                connection.execute("INSERT OR IGNORE INTO temp.receivers (url) VALUES (?1)", [url])?;
            }
            connection.execute("DELETE FROM deliveries WHERE receiver NOT IN (SELECT url FROM temp.receivers)", [])?;
            connection.execute(
                "DELETE FROM outbox WHERE no NOT IN (SELECT event FROM deliveries)
                 AND no <= (SELECT max(no) FROM outbox) - ?1",
                [events_kept],
            )?;
            Ok(())
        };
        self.writer.submit(change, |result: Result<(), RequestError>| {
            if let Err(error) = result {
                tracing::error!(%error, "the receivers of events could not be recorded");
            }
        })
    }

    /// The oldest events due at a receiver.
    pub(in crate::service) fn due_events(
        &self,
        receiver: &str,
        now: Timestamp,
        most: u32,
    ) -> Result<Vec<OutboxEvent>, RequestError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT o.no, o.id, o.body, d.attempts, o.created_at FROM deliveries d JOIN outbox o ON o.no = d.event
                 WHERE d.receiver = ?1 AND (d.next_at <= ?2 OR d.next_at > ?4) ORDER BY o.no LIMIT ?3",
            )?;
            let never = now.plus(MAX_POSTPONEMENT).millis();
            let events = statement.query_map(params![receiver, now.millis(), most, never], |row| {
                Ok(OutboxEvent {
                    event: row.get(0)?,
                    id: columns::read_uuid(row, 1)?,
                    body: row.get(2)?,
                    attempts: row.get(3)?,
                    created_at: Timestamp::from_millis(row.get(4)?),
                })
            })?;
            Ok(events.collect::<Result<_, _>>()?)
        })
    }

    pub(in crate::service) fn next_delivery_time(&self, receiver: &str) -> Result<Option<Timestamp>, RequestError> {
        self.read(|connection| {
            let next: Option<Option<i64>> = connection
                .prepare_cached("SELECT min(next_at) FROM deliveries WHERE receiver = ?1")?
                .query_row([receiver], |row| row.get(0))
                .optional()?;
            Ok(next.flatten().map(Timestamp::from_millis))
        })
    }

    /// Removes a delivery: the receiver accepted the event, or it is too old. The event leaves the outbox with its last
    /// delivery, or once enough newer ones follow it there.
    pub(in crate::service) fn remove_delivery(&self, event: i64, receiver: &str) -> Result<(), RequestError> {
        let (receiver, unneeded) = (receiver.to_owned(), event - i64::from(self.events_kept.load(Ordering::SeqCst)));
        self.write(move |connection| {
            connection
                .prepare_cached("DELETE FROM deliveries WHERE event = ?1 AND receiver = ?2")?
                .execute(params![event, receiver])?;
            connection
                .prepare_cached(
                    "DELETE FROM outbox WHERE no = ?1 AND NOT EXISTS (SELECT 1 FROM deliveries WHERE event = ?1)",
                )?
                .execute([unneeded])?;
            Ok(())
        })
    }

    /// Schedules the next attempt of a delivery.
    pub(in crate::service) fn postpone_delivery(
        &self,
        event: i64,
        receiver: &str,
        next: Timestamp,
    ) -> Result<(), RequestError> {
        let receiver = receiver.to_owned();
        self.write(move |connection| {
            connection
                .prepare_cached(
                    "UPDATE deliveries SET attempts = attempts + 1, next_at = ?3 WHERE event = ?1 AND receiver = ?2",
                )?
                .execute(params![event, receiver, next.millis()])?;
            Ok(())
        })
    }
}
