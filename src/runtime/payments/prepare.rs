//! Prepares an order for review: encoded, decoded again, recorded, and judged.

use uuid::Uuid;

use super::{OrderExecutor, local_failure};
use crate::api;
use crate::app::PreparedOrder;
use crate::app::data::connection::stale_after;
use crate::domain::approval::DeskRole;
use crate::domain::draft::{Batch, Draft, InstantSwap, RequestDefaults, Sender, Swap, V1Payment, Withdrawal};
use crate::domain::history::Scope;
use crate::domain::order::{Confirmation, DraftedOrder, OrderEnd, OrderState, RequestBytes};
use crate::domain::template::TemplateUse;
use crate::domain::{Failure, Order, OrderId, Text, Timestamp, Transaction};
use crate::guard::{self, Finding, GuardFacts, Rule, Severity};
use crate::journal::Journal;
use crate::runtime::{guard_facts, reads};
use crate::store::{Store, StoreError};

/// How many of the newest outgoing transactions an order remembers: some may never be listed again.
const REMEMBERED_TRANSACTIONS: usize = 8;
/// How many of the newest rows are searched for them.
const SEARCHED_ROWS: u32 = 5_000;

impl OrderExecutor {
    /// Encodes a draft into the bytes of its request and records them. Nothing is sent.
    pub(super) async fn prepare_order(
        &self,
        draft: Draft,
        sender: Option<Sender>,
        template: Option<TemplateUse>,
    ) -> Result<PreparedOrder, Failure> {
        if self.payment_context.policy.role == DeskRole::Release {
            return Err(local_failure("this console releases what others proposed, and drafts nothing itself"));
        }
        self.check_network_allows(&draft).await?;
        let opened = self.open_client().await?;
        let now = self.now();
        let draft_to_send =
            with_profile_request_defaults(with_reference(draft, now), &self.payment_context.request_defaults);
        let key = Uuid::new_v4();
        let frozen = api::encode(&draft_to_send, key, &self.payment_context.wire);
        let decoded_draft = api::decode(&frozen, &self.payment_context.wire)
            .map_err(|error| local_failure(&format!("the prepared request cannot be read back: {error}")))?;
        if decoded_draft != draft_to_send.without_unsent_fields() {
            return Err(local_failure("the prepared request differs from what was entered; nothing was sent"));
        }
        let decoded_draft = with_labels_of_recorded_batch(decoded_draft, &draft_to_send);
        let paying = match sender.clone() {
            None if decoded_draft.operation().moves_money() => {
                return Err(local_failure("the paying wallet is not known"));
            }
            sender => sender.filter(|_| decoded_draft.operation().moves_money()),
        };
        let to = opened.destination.clone();
        let drafted = DraftedOrder {
            destination: to,
            ..self.build_drafted_order(draft_to_send, sender, frozen, template).await?
        };
        let new_order = self.with_journal(move |journal| journal.record_draft(drafted, now)).await?;
        self.store_review_client(new_order.id, opened);
        let facts = match paying {
            Some(sender) => match self.load_fresh_facts(&decoded_draft, &sender).await {
                Ok(facts) => Some(facts),
                Err(reason) => {
                    self.abandon_draft(new_order.id, &reason).await;
                    return Err(reason);
                }
            },
            None => None,
        };
        self.report_journal().await;
        let assumed = api::assumed_names(decoded_draft.operation(), &self.payment_context.wire)
            .into_iter()
            .map(Text::clean)
            .collect();
        Ok(PreparedOrder { order: new_order, draft: decoded_draft, facts, undocumented_names: assumed })
    }

    /// A request as an order, with what the history shows now.
    pub(super) async fn build_drafted_order(
        &self,
        draft: Draft,
        sender: Option<Sender>,
        request: RequestBytes,
        template: Option<TemplateUse>,
    ) -> Result<DraftedOrder, Failure> {
        let outgoing = self.with_store(|store| store.newest_outgoing_rows(SEARCHED_ROWS)).await?.outgoing;
        let ids = |rows: &mut dyn Iterator<Item = &Transaction>| {
            rows.take(REMEMBERED_TRANSACTIONS).map(|row| row.id.clone()).collect::<Vec<_>>()
        };
        let newest = ids(&mut outgoing.iter().map(|(_, row)| row));
        let anchors = ids(&mut outgoing
            .iter()
            .map(|(_, row)| row)
            .filter(|row| row.is_unchangeable(&self.payment_context.final_statuses)));
        let destination = self.payment_context.destination.clone();
        Ok(DraftedOrder { draft, sender, request, destination, newest, anchors, template })
    }

    /// Prepares an order that was proposed for another review. To be sent, it needs the keys.
    pub(super) async fn prepare_proposed_order(&self, order: Order, sends: bool) -> Result<PreparedOrder, Failure> {
        self.check_network_allows(&order.drafted.draft).await?;
        if sends {
            let opened = self.open_client().await?;
            self.store_review_client(order.id, opened);
        }
        let draft = self.decode_order(&order)?;
        let facts = match &order.drafted.sender {
            Some(sender) => self.load_fresh_facts(&draft, sender).await?,
            None => return Err(local_failure("the paying wallet is not known")),
        };
        let assumed = api::assumed_names(draft.operation(), &self.payment_context.wire);
        let undocumented_names = assumed.into_iter().map(Text::clean).collect();
        Ok(PreparedOrder { order, draft, facts: Some(facts), undocumented_names })
    }

    /// What an order's bytes state, with the labels of a batch.
    fn decode_order(&self, order: &Order) -> Result<Draft, Failure> {
        let decoded_draft = api::decode(&order.drafted.request, &self.payment_context.wire)
            .map_err(|error| local_failure(&format!("the prepared request cannot be read back: {error}")))?;
        Ok(with_labels_of_recorded_batch(decoded_draft, &order.drafted.draft))
    }

    /// Refuses an operation that the network of this profile, or that of the data, does not allow.
    async fn check_network_allows(&self, draft: &Draft) -> Result<(), Failure> {
        if !draft.operation().is_allowed_on(self.payment_context.expected_network) {
            return Err(local_failure(
                "this is only possible on a test network, and the profile is not set to testnet",
            ));
        }
        let Draft::SimulateDeposit(deposit) = draft.clone() else { return Ok(()) };
        match self.with_store(move |store| guard_facts::find_mainnet_evidence_for_deposit(store, &deposit)).await? {
            None => Ok(()),
            Some((source, word)) => Err(local_failure(&format!(
                "deposits are only simulated on a test network, but {source} is marked {word}"
            ))),
        }
    }

    /// Abandons a draft that cannot be reviewed, and drops its keys.
    async fn abandon_draft(&self, intent: OrderId, cause: &Failure) {
        self.drop_review_client(intent);
        let reason = Text::clean(&format!("the order could not be reviewed: {cause}"));
        let now = self.now();
        let ended =
            self.with_journal(move |journal| journal.record_end(intent, OrderEnd::Abandoned(Some(reason)), now)).await;
        if let Err(failure) = ended {
            // It remains a draft, of which nothing is sent.
            tracing::warn!(%failure, %intent, "a draft that cannot be reviewed could not be given up");
        }
        self.report_journal().await;
    }

    /// Reloads the guard's facts for a payment under review.
    pub(super) async fn refresh_facts(&self, id: OrderId) -> Result<GuardFacts, Failure> {
        let order = self.order_under_review(id).await?;
        let decoded_draft = self.decode_order(&order)?;
        match &order.drafted.sender {
            Some(sender) if decoded_draft.operation().moves_money() => {
                self.load_fresh_facts(&decoded_draft, sender).await
            }
            _ => Err(local_failure("this order moves no money")),
        }
    }

    /// Judges an order again right before it is sent: its network, and a payment of which nothing has left yet.
    ///
    /// An order just confirmed was judged with its balance a moment ago, but another console may have sent an equal
    /// payment since. An order confirmed earlier (`confirmation` is `None`), which the operator sends now, has no
    /// review any more: any finding that was not overridden then keeps it from being sent. Overrides are recognised by
    /// their rule and the words typed, whatever the finding's wording by now.
    ///
    /// Returns the number of the last journal record taken into account; `None` if nothing was judged.
    pub(super) async fn judge_before_send(
        &self,
        id: OrderId,
        confirmation: Option<&Confirmation>,
    ) -> Result<Option<u64>, Failure> {
        // Before anything else is read: the facts may lack records that follow.
        let judged = self.with_journal(Journal::last_seq).await?;
        let journal_order = self.with_journal(move |journal| journal.order(id)).await?;
        // The profile or the cache may have changed since the draft.
        self.check_network_allows(&journal_order.drafted.draft).await?;
        let is_fresh = confirmation.is_some();
        let nothing_left = matches!(
            journal_order.state(self.now()),
            OrderState::Drafted | OrderState::Confirmed | OrderState::NotSent
        );
        let confirmation = confirmation.or(journal_order.confirmed.as_ref().map(|(_, confirmation)| confirmation));
        let (decoded_draft, Some(sender), Some(confirmation), true) =
            (&journal_order.drafted.draft, &journal_order.drafted.sender, confirmation, nothing_left)
        else {
            return Ok(None);
        };
        if !decoded_draft.operation().moves_money() {
            return Ok(None);
        }
        let facts = if is_fresh {
            self.facts_from_store(decoded_draft, sender).await?
        } else {
            self.load_fresh_facts(decoded_draft, sender).await?
        };
        let judged_now = guard::judge_draft(decoded_draft, sender, &facts, self.now());
        let findings =
            judged_now.ok_or_else(|| local_failure("there is no data to check this order against"))?.findings;
        let forbids = |finding: &&Finding| match finding.severity {
            _ if is_fresh && !finding.rule.depends_on_others() => false,
            Severity::Stop => true,
            Severity::Danger => !confirmation.findings.iter().any(|line| finding.is_overridden_in(line)),
            Severity::Caution | Severity::Note => false,
        };
        match findings.iter().find(forbids) {
            None => Ok(Some(judged)),
            Some(finding) => {
                let cause = if is_fresh && finding.rule == Rule::Duplicate {
                    "Another console has just paid this: "
                } else {
                    ""
                };
                let message = &finding.message;
                Err(local_failure(&format!("{cause}{message} Give up this order and draft a new one")))
            }
        }
    }

    /// The guard's facts for a payment or a swap; a stale balance is read again first, and a swap's quote requested.
    async fn load_fresh_facts(&self, draft: &Draft, sender: &Sender) -> Result<GuardFacts, Failure> {
        if let Some(user) = sender.user.clone() {
            let scope = Scope::User(user.clone());
            let balances_time = self.with_store(move |store| store.oldest_balances_time(&scope)).await?;
            if balances_time
                .is_none_or(|balances_time| balances_time.age(self.now()) > stale_after(self.payment_context.period))
                && let Err(failure) = reads::refresh_user_balances(self.resources.clone(), user).await
            {
                // The balance remains stale, and the guard reports that.
                tracing::info!(%failure, "the balance could not be read again for a review");
            }
        }
        let facts = self.facts_from_store(draft, sender).await?;
        Ok(GuardFacts { quote: self.fetch_quote_for_guard(draft, sender).await, ..facts })
    }

    async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Failure> {
        reads::with_store(&self.resources, work).await
    }
}

/// Gives a payment or a swap a reference that people can read to each other, unless it has one.
fn with_reference(mut draft: Draft, now: Timestamp) -> Draft {
    if let Draft::Withdraw(Withdrawal { ref_id, .. })
    | Draft::Batch(Batch { ref_id, .. })
    | Draft::Payment(V1Payment { withdrawal: Withdrawal { ref_id, .. }, .. })
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

/// Adds what the profile wants in the requests of version 2.
fn with_profile_request_defaults(mut draft: Draft, defaults: &RequestDefaults) -> Draft {
    if let Draft::Withdraw(Withdrawal { metadata, .. }) | Draft::Batch(Batch { metadata, .. }) = &mut draft {
        metadata.clone_from(&defaults.metadata);
    }
    if let Draft::Batch(Batch { queue, .. }) = &mut draft {
        *queue = defaults.queue;
    }
    draft
}

/// A decoded draft with the labels of a batch, which the bytes do not contain.
fn with_labels_of_recorded_batch(draft: Draft, recorded_draft: &Draft) -> Draft {
    match (draft, recorded_draft) {
        (Draft::Batch(draft), Draft::Batch(recorded_draft)) => {
            Draft::Batch(draft.with_unsent_fields_of(recorded_draft))
        }
        (draft, _) => draft,
    }
}
