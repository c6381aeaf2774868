//! Seeds the journal of a demo, where its scene asks for one.
//!
//! Seeds take the same path as an operator's own orders: the book is changed, and the payment encoded, recorded, sent
//! and answered by the same executor. The record states that no person confirmed it.

use tokio::sync::mpsc::unbounded_channel;

use super::{OrderExecutor, local_failure};
use crate::app::{Dataset, Msg};
use crate::domain::book::{BookChange, Contact};
use crate::domain::order::{Confirmation, OrderState, SendReason};
use crate::domain::{Draft, Failure, Sender, Text};
use crate::runtime::effect_runner::ConsoleResources;
use crate::runtime::reads::{self, FetchState};

#[derive(Debug, Clone, Default)]
pub struct DemoSeed {
    pub contacts: Vec<Contact>,
    /// A payment to send, whose outcome stays unknown.
    pub unresolved_payment: Option<(Draft, Sender)>,
}

/// Recorded instead of the text that an operator types to confirm.
const SEED_CONFIRMATION: &str = "(nobody: sent by the scene of the demo, before it opened)";

/// Seeds a journal. The simulated service must have been set to lose the answer beforehand.
///
/// # Errors
/// If this console is read-only, the journal refuses the seed, or the outcome of the payment is known after all.
pub async fn seed_journal(world: &ConsoleResources, staged: DemoSeed) -> Result<(), Failure> {
    let DemoSeed { contacts: known, unresolved_payment: sent } = staged;
    if known.is_empty() && sent.is_none() {
        return Ok(());
    }
    let paying = world
        .payments
        .clone()
        .map_err(|barred| local_failure(&format!("this console is read-only: {}", barred.reason)))?;
    let (deliveries, _told_to_nobody) = unbounded_channel();
    let desk = OrderExecutor::new(world.clone(), paying, deliveries);
    if !known.is_empty() {
        let changes = known.into_iter().map(BookChange::Entered).collect();
        let book = desk.load_book().await?;
        desk.change_book(changes, Vec::new(), book).await?;
    }
    match sent {
        Some((draft, sender)) => desk.send_without_review(draft, sender).await,
        None => Ok(()),
    }
}

impl OrderExecutor {
    /// Sends a payment without a review.
    async fn send_without_review(&self, draft: Draft, sender: Sender) -> Result<(), Failure> {
        // A later lookup needs the newest rows of the history to prove that it has read everything since.
        reads::load_dataset(&self.resources, &FetchState::default(), &Dataset::Latest, &mut Vec::new()).await?;
        let intent = self.prepare_order(draft, Some(sender)).await?.order.id;
        let confirmation =
            Confirmation { typed: vec![Text::clean(SEED_CONFIRMATION)], findings: Vec::new(), agreed: None };
        let sent = self.send_order(intent, SendReason::Confirmed, Some(confirmation)).await;
        if let Msg::Sent { result: Err(why), .. } = sent {
            return Err(why);
        }
        if matches!(sent, Msg::Sent { result: Ok(OrderState::Unknown), .. }) {
            return Ok(());
        }
        Err(local_failure(&format!("the outcome of a payment that was to stay unknown is known: {sent:?}")))
    }
}
