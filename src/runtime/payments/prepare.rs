//! From what the operator wants to bytes that can be reviewed: frozen, read back, recorded, and judged.

use uuid::Uuid;

use super::{OrderExecutor, failure};
use crate::api;
use crate::app::PreparedOrder;
use crate::app::link::stale_after;
use crate::domain::draft::{Batch, Draft, InstantSwap, Payment, Sender, Swap, Withdrawal};
use crate::domain::history::Scope;
use crate::domain::intent::{Confirmation, DraftedOrder, OrderEnd, State};
use crate::domain::{Failure, OrderId, Text, Timestamp, Transaction};
use crate::guard::{self, Finding, GuardFacts, Severity};
use crate::journal::Journal;
use crate::runtime::guard_facts::{self, Sources};
use crate::runtime::reads;
use crate::store::{Store, StoreError};

/// How many of the newest outgoing transactions an intent remembers: some may never be listed again.
const REMEMBERED: usize = 8;
/// Through how many of the newest rows they are looked for.
const LOOKED_THROUGH: u32 = 5_000;

impl OrderExecutor {
    /// Freezes what is wanted into the bytes of its request and records them. Nothing is sent.
    pub(super) async fn prepare(&self, draft: Draft, sender: Option<Sender>) -> Result<PreparedOrder, Failure> {
        self.has_place(&draft).await?;
        let opened = self.open().await?;
        let now = self.now();
        let (key, wanted) = (Uuid::new_v4(), with_reference(draft, now));
        let frozen = api::encode(&wanted, key, &self.paying.wire);
        let says = api::decode(&frozen, &self.paying.wire)
            .map_err(|error| failure(&format!("the prepared request cannot be read back: {error}")))?;
        if says != wanted.as_requested() {
            return Err(failure("the prepared request differs from what was entered; nothing was sent"));
        }
        let says = labelled(says, &wanted);
        let paying = match sender.clone() {
            None if says.operation().moves_money() => return Err(failure("the paying wallet is not known")),
            sender => sender.filter(|_| says.operation().moves_money()),
        };
        let listed = self.stored(|store| store.newest_outgoing(LOOKED_THROUGH)).await?.outgoing;
        let ids = |rows: &mut dyn Iterator<Item = &Transaction>| {
            rows.take(REMEMBERED).map(|row| row.id.clone()).collect::<Vec<_>>()
        };
        let newest = ids(&mut listed.iter().map(|(_, row)| row));
        let anchors =
            ids(&mut listed.iter().map(|(_, row)| row).filter(|row| row.is_at_rest(&self.paying.final_words)));
        let destination = opened.destination.clone();
        let drafted = DraftedOrder { draft: wanted, sender, request: frozen, destination, newest, anchors };
        let intent = self.with_journal(move |journal| journal.draft(drafted, now)).await?;
        self.hold(intent.id, opened);
        let known = match paying {
            Some(sender) => match self.know(&says, &sender).await {
                Ok(known) => Some(known),
                Err(why) => {
                    self.give_up(intent.id, &why).await;
                    return Err(why);
                }
            },
            None => None,
        };
        self.report_orders().await;
        let assumed = api::assumed_names(says.operation(), &self.paying.wire).into_iter().map(Text::clean).collect();
        Ok(PreparedOrder { intent, draft: says, facts: known, undocumented_names: assumed })
    }

    /// Refuses what has no place on the network of this profile, or on that of the data.
    async fn has_place(&self, draft: &Draft) -> Result<(), Failure> {
        if !draft.operation().is_allowed_on(self.paying.expected_network.as_deref()) {
            return Err(failure("this is only possible on a test network, and the profile is not set to testnet"));
        }
        let Draft::SimulateDeposit(deposit) = draft.clone() else { return Ok(()) };
        match self.stored(move |store| guard_facts::mainnet_evidence(store, &deposit)).await? {
            None => Ok(()),
            Some((who, word)) => {
                Err(failure(&format!("deposits are only simulated on a test network, but {who} is marked {word}")))
            }
        }
    }

    /// Gives up a draft that cannot be reviewed, and lets go of the keys that were asked for it.
    async fn give_up(&self, intent: OrderId, why: &Failure) {
        self.let_go(intent);
        let reason = Text::clean(&format!("the order could not be reviewed: {why}"));
        let now = self.now();
        let ended =
            self.with_journal(move |journal| journal.close(intent, OrderEnd::Abandoned(Some(reason)), now)).await;
        if let Err(failure) = ended {
            // It stays a draft, of which nothing is sent.
            tracing::warn!(%failure, %intent, "a draft that cannot be reviewed could not be given up");
        }
        self.report_orders().await;
    }

    /// Looks anew at what is known around a payment that is reviewed.
    pub(super) async fn refresh_facts(&self, intent: OrderId) -> Result<GuardFacts, Failure> {
        let intent = self.with_journal(move |journal| journal.intent(intent)).await?;
        let says = api::decode(&intent.drafted.request, &self.paying.wire)
            .map_err(|error| failure(&format!("the prepared request cannot be read back: {error}")))?;
        let says = labelled(says, &intent.drafted.draft);
        match &intent.drafted.sender {
            Some(sender) if says.operation().moves_money() => self.know(&says, sender).await,
            _ => Err(failure("this order moves no money")),
        }
    }

    /// Judges once more, right before it is sent, whether it has its place here, and a payment of which nothing has left so far.
    ///
    /// What was just confirmed was judged with its balance a moment ago; but another console may have sent an equal
    /// payment since. What was confirmed at some time (`confirmation` is `None`) and is to be sent by the operator's
    /// word has no review any more: whatever was not overridden then keeps it from being sent. What was is known by its rule
    /// and the words that were typed, however its sentence is worded by now.
    ///
    /// Says the last record of the journal that was taken into account; `None` where nothing was judged by it.
    pub(super) async fn judge_before_send(
        &self,
        id: OrderId,
        confirmation: Option<&Confirmation>,
    ) -> Result<Option<u64>, Failure> {
        // Before anything is read: what comes after this record may be missing from what is known.
        let judged = self.with_journal(Journal::last).await?;
        let intent = self.with_journal(move |journal| journal.intent(id)).await?;
        // It may have been drafted when the profile, or what was read, said something else.
        self.has_place(&intent.drafted.draft).await?;
        let is_fresh = confirmation.is_some();
        let nothing_left = matches!(intent.state(self.now()), State::Drafted | State::Confirmed | State::NotSent);
        let confirmation = confirmation.or(intent.confirmed.as_ref().map(|(_, confirmation)| confirmation));
        let (says, Some(sender), Some(confirmation), true) =
            (&intent.drafted.draft, &intent.drafted.sender, confirmation, nothing_left)
        else {
            return Ok(None);
        };
        if !says.operation().moves_money() {
            return Ok(None);
        }
        let known = if is_fresh { self.facts_from_store(says, sender).await? } else { self.know(says, sender).await? };
        let judged_now = guard::judge_draft(says, sender, &known, self.now());
        let findings = judged_now.ok_or_else(|| failure("there is no data to check this order against"))?.findings;
        let forbids = |finding: &&Finding| match finding.severity {
            _ if is_fresh && !finding.rule.depends_on_others() => false,
            Severity::Stop => true,
            Severity::Danger => !confirmation.findings.iter().any(|line| finding.is_overridden_in(line)),
            Severity::Caution | Severity::Note => false,
        };
        match findings.iter().find(forbids) {
            None => Ok(Some(judged)),
            Some(finding) => Err(failure(&format!("{} Give up this order and make the payment again", finding.words))),
        }
    }

    /// What is known around a payment or a swap; a stale balance is read again first, and a swap's quote asked for.
    async fn know(&self, draft: &Draft, sender: &Sender) -> Result<GuardFacts, Failure> {
        if let Some(user) = sender.user.clone() {
            let scope = Scope::User(user.clone());
            let read = self.stored(move |store| store.balances_time(&scope)).await?;
            if read.is_none_or(|read| read.age(self.now()) > stale_after(self.paying.period))
                && let Err(failure) = reads::refresh_user_balances(self.world.clone(), user).await
            {
                // It stays stale, and the guard says so.
                tracing::info!(%failure, "the balance could not be read again for a review");
            }
        }
        let known = self.facts_from_store(draft, sender).await?;
        Ok(GuardFacts { quote: self.quote_for_guard(draft, sender).await, ..known })
    }

    /// What is known around a payment or a swap, as it was read.
    pub(super) async fn facts_from_store(&self, draft: &Draft, sender: &Sender) -> Result<GuardFacts, Failure> {
        let (memory, book) = (self.memory().await?, self.book().await?);
        let (draft, sender) = (draft.clone(), sender.clone());
        let (now, paying, skew) = (self.now(), self.paying.clone(), self.world.reader.skew());
        self.stored(move |store| {
            let intents = memory.orders_for(store, Some((&draft, &sender)), now)?;
            let sources = Sources {
                store,
                orders: &intents,
                final_words: &paying.final_words,
                expected_network: paying.expected_network.as_ref(),
                policy: &paying.policy,
                book: &book,
                period: paying.period,
                skew,
            };
            guard_facts::facts_for_draft(&sources, &draft, &sender, now)
        })
        .await?
        .ok_or_else(|| failure("this order moves no money"))
    }

    /// Work on the store, where blocking is no harm.
    async fn stored<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Failure> {
        reads::with_store(&self.world, work).await
    }
}

/// A payment or a swap gets a reference that people can read to each other, unless it has one.
fn with_reference(mut draft: Draft, now: Timestamp) -> Draft {
    if let Draft::Withdraw(Withdrawal { ref_id, .. })
    | Draft::Batch(Batch { ref_id, .. })
    | Draft::Payment(Payment { paid: Withdrawal { ref_id, .. }, .. })
    | Draft::Swap(Swap { ref_id, .. })
    | Draft::InstantSwap(InstantSwap { ext_id: ref_id, .. }) = &mut draft
    {
        ref_id.get_or_insert_with(|| {
            let mut tail = Uuid::new_v4().simple().to_string();
            tail.truncate(6);
            Text::clean(&format!("B{}-{tail}", now.format("%y%m%d")))
        });
    }
    draft
}

/// What was read back from bytes, with what is kept beside them: the labels of a batch.
fn labelled(says: Draft, kept: &Draft) -> Draft {
    match (says, kept) {
        (Draft::Batch(says), Draft::Batch(kept)) => Draft::Batch(says.with_labels_from(kept)),
        (says, _) => says,
    }
}
