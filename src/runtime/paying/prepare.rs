//! From what the operator wants to bytes that can be reviewed: frozen, read back, recorded, and judged.

use uuid::Uuid;

use super::{Desk, failure};
use crate::api;
use crate::app::Prepared;
use crate::app::link::stale_after;
use crate::domain::draft::{Draft, Sender, Withdrawal};
use crate::domain::history::{Anchor, Query, Scope, Span};
use crate::domain::intent::Drafted;
use crate::domain::{Direction, Failure, IntentId, Text, Timestamp, TransactionId};
use crate::guard::Knowledge;
use crate::runtime::reads;
use crate::store::{Cancel, Store, StoreError};

/// How many of the newest outgoing transactions an intent remembers: some may never be listed again.
const REMEMBERED: usize = 8;
/// Through how many of the newest rows they are looked for.
const LOOKED_THROUGH: [(u64, u32); 4] = [(0, 100), (100, 400), (500, 1_500), (2_000, 3_000)];

impl Desk {
    /// Freezes what is wanted into the bytes of its request and records them. Nothing is sent.
    pub(super) async fn prepare(&self, draft: Draft, sender: Option<Sender>) -> Result<Prepared, Failure> {
        let opened = self.open().await?;
        let now = self.now();
        let (key, wanted) = (Uuid::new_v4(), with_reference(draft, now));
        let frozen = api::freeze(&wanted, key, &self.paying.wire);
        let says = api::read_back(&frozen, &self.paying.wire)
            .map_err(|error| failure(&format!("what was frozen cannot be read back: {error}")))?;
        if says != wanted {
            return Err(failure("what was frozen says something else than what was wanted; nothing was sent"));
        }
        let newest = self.stored(newest_outgoing).await?;
        let destination = opened.destination.clone();
        let drafted = Drafted { draft: wanted, sender, frozen, destination, newest };
        let intent = self.journal(move |journal, _| journal.draft(drafted, now)).await?;
        self.hold(intent.id, opened);
        let known = match (&says, &intent.drafted.sender) {
            (Draft::Withdraw(withdrawal), Some(sender)) => Some(self.know(withdrawal, sender).await?),
            (Draft::Withdraw(_), None) => return Err(failure("nobody is known to pay this")),
            _ => None,
        };
        self.tell().await;
        Ok(Prepared { intent, says, known })
    }

    /// Looks anew at what is known around a payment that is reviewed.
    pub(super) async fn know_again(&self, intent: IntentId) -> Result<Knowledge, Failure> {
        let intent = self.journal(move |journal, _| journal.intent(intent)).await?;
        let says = api::read_back(&intent.drafted.frozen, &self.paying.wire)
            .map_err(|error| failure(&format!("what was frozen cannot be read back: {error}")))?;
        match (&says, &intent.drafted.sender) {
            (Draft::Withdraw(withdrawal), Some(sender)) => self.know(withdrawal, sender).await,
            _ => Err(failure("this moves no money")),
        }
    }

    /// What is known around a payment; a stale balance is read again first.
    async fn know(&self, withdrawal: &Withdrawal, sender: &Sender) -> Result<Knowledge, Failure> {
        if let Some(user) = sender.user.clone() {
            let scope = Scope::User(user.clone());
            let read = self.stored(move |store| store.balances_time(&scope)).await?;
            if read.is_none_or(|read| read.age(self.now()) > stale_after(self.paying.period))
                && let Err(failure) = reads::balances_of(self.world.clone(), user).await
            {
                // It stays stale, and the guard says so.
                tracing::info!(%failure, "the balance could not be read again for a review");
            }
        }
        let intents = self.here(usize::MAX).await?;
        let (withdrawal, sender) = (withdrawal.clone(), sender.clone());
        let (now, period, expected) = (self.now(), self.paying.period, self.paying.expected_network.clone());
        self.stored(move |store| {
            let _ = (store, &intents, &withdrawal, &sender, now, period);
            Ok(Knowledge { expected_network: expected, ..Knowledge::default() })
        })
        .await
    }

    /// Work on the store, where blocking is no harm.
    async fn stored<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Failure> {
        reads::kept(&self.world, work).await
    }
}

/// A payment gets a reference that people can read to each other, unless it has one.
fn with_reference(draft: Draft, now: Timestamp) -> Draft {
    match draft {
        Draft::Withdraw(withdrawal) if withdrawal.ref_id.is_none() => {
            let mut tail = Uuid::new_v4().simple().to_string();
            tail.truncate(6);
            let reference = format!("B{}-{tail}", now.format("%y%m%d"));
            Draft::Withdraw(Withdrawal { ref_id: Some(Text::clean(&reference)), ..withdrawal })
        }
        other => other,
    }
}

/// The newest outgoing transactions that are known.
fn newest_outgoing(store: &Store) -> Result<Vec<TransactionId>, StoreError> {
    let mut newest = Vec::new();
    for (rank, rows) in LOOKED_THROUGH {
        let span = Span { query: Query::default(), anchor: Anchor::Rank(rank), rows };
        let mut few = 0;
        store.history(&span, &Cancel::new(), &mut |window| {
            few = window.rows.len();
            let outgoing = window.rows.into_iter().filter(|row| row.transaction.direction == Direction::Outgoing);
            newest.extend(outgoing.map(|row| row.transaction.id));
        })?;
        if newest.len() >= REMEMBERED || few < usize::try_from(rows).unwrap_or(usize::MAX) {
            break;
        }
    }
    newest.truncate(REMEMBERED);
    Ok(newest)
}
