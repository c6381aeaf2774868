//! Where the guard's facts are gathered from: the store, the orders that count, the address book and the policy.

use super::{OrderExecutor, local_failure};
use crate::domain::{Draft, Failure, Sender};
use crate::guard::{GuardFacts, LimitUsage};
use crate::runtime::guard_facts::{self, FactSources};
use crate::runtime::reads;
use crate::store::StoreError;

impl OrderExecutor {
    /// The guard's facts for a payment or a swap, from the store.
    pub(super) async fn facts_from_store(&self, draft: &Draft, sender: &Sender) -> Result<GuardFacts, Failure> {
        let now = self.now();
        let (draft, sender) = (draft.clone(), sender.clone());
        self.with_fact_sources(Some((draft.clone(), sender.clone())), move |sources| {
            guard_facts::gather_facts_for_draft(sources, &draft, &sender, now)
        })
        .await?
        .ok_or_else(|| local_failure("this order moves no money"))
    }

    /// What was paid towards each limit of the policy.
    pub(super) async fn count_limits(&self) -> Result<Vec<LimitUsage>, Failure> {
        let now = self.now();
        self.with_fact_sources(None, move |sources| guard_facts::compute_limit_usage(sources, now)).await
    }

    /// Gathers facts on a blocking thread. The orders are those that count for a payment by this draft, or for a check
    /// without one.
    pub(super) async fn with_fact_sources<T: Send + 'static>(
        &self,
        paying: Option<(Draft, Sender)>,
        gather: impl FnOnce(&FactSources<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Failure> {
        let (memory, book) = (self.read_guard_orders().await?, self.read_address_book().await?);
        let (now, context, skew) = (self.now(), self.payment_context.clone(), self.resources.reader.skew());
        reads::with_store(&self.resources, move |store| {
            let orders = memory.orders_for(store, paying.as_ref().map(|(draft, sender)| (draft, sender)), now)?;
            gather(&FactSources {
                store,
                orders: &orders,
                final_statuses: &context.final_statuses,
                expected_network: context.expected_network,
                policy: &context.policy,
                book: &book,
                period: context.period,
                skew,
            })
        })
        .await
    }
}
