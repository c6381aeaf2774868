//! What the journal of a demo begins with, where a scene wants it to begin with something.
//!
//! Nothing of it is written by another way than an operator's own orders are: the book is changed and the payment frozen,
//! recorded, sent and answered at the same desk, and what nobody confirmed says so.

use tokio::sync::mpsc::unbounded_channel;

use super::{OrderExecutor, failure};
use crate::app::{Dataset, Msg};
use crate::domain::book::{BookChange, Contact};
use crate::domain::intent::{Because, Confirmation, State};
use crate::domain::{Draft, Failure, Sender, Text};
use crate::runtime::effect_runner::World;
use crate::runtime::reads::{self, FetchState};

/// What a journal begins with.
#[derive(Debug, Clone, Default)]
pub struct DemoSeed {
    /// Whom the address book knows.
    pub contacts: Vec<Contact>,
    /// A payment that is sent, of whose outcome nothing is known afterwards.
    pub unresolved_payment: Option<(Draft, Sender)>,
}

/// What stands in the journal in the place of the words that an operator types.
const NOBODY: &str = "(nobody: sent by the scene of the demo, before it opened)";

/// Has a journal begin so. The service must have been told by then to lose the answer.
///
/// # Errors
/// Where this console is read-only, where the journal refuses it, and where the outcome of the payment is known after all.
pub async fn seed_journal(world: &World, staged: DemoSeed) -> Result<(), Failure> {
    let DemoSeed { contacts: known, unresolved_payment: sent } = staged;
    if known.is_empty() && sent.is_none() {
        return Ok(());
    }
    let paying =
        world.payments.clone().map_err(|barred| failure(&format!("this console is read-only: {}", barred.reason)))?;
    let (deliveries, _told_to_nobody) = unbounded_channel();
    let desk = OrderExecutor::new(world.clone(), paying, deliveries);
    if !known.is_empty() {
        let changes = known.into_iter().map(BookChange::Entered).collect();
        let book = desk.book().await?;
        desk.change_book(changes, Vec::new(), book).await?;
    }
    match sent {
        Some((draft, sender)) => desk.sends_unseen(draft, sender).await,
        None => Ok(()),
    }
}

impl OrderExecutor {
    /// Sends a payment that nobody reviews.
    async fn sends_unseen(&self, draft: Draft, sender: Sender) -> Result<(), Failure> {
        // By the newest rows of the history a later look tells that it has seen everything since.
        reads::load_dataset(&self.world, &FetchState::default(), &Dataset::Latest, &mut Vec::new()).await?;
        let intent = self.prepare(draft, Some(sender)).await?.intent.id;
        let confirmation = Confirmation { typed: vec![Text::clean(NOBODY)], findings: Vec::new(), agreed: None };
        match self.send(intent, Because::Confirmed, Some(confirmation)).await {
            Msg::Sent { result: Ok(State::Unknown), .. } => Ok(()),
            Msg::Sent { result: Err(why), .. } => Err(why),
            other => Err(failure(&format!("the outcome of a payment that was to stay unknown is known: {other:?}"))),
        }
    }
}
