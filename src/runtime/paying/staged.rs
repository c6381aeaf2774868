//! What the journal of a demo begins with, where a scene wants it to begin with something.
//!
//! Nothing of it is written by another way than an operator's own orders are: the book is changed and the payment frozen,
//! recorded, sent and answered at the same desk, and what nobody confirmed says so.

use tokio::sync::mpsc::unbounded_channel;

use super::{Desk, failure};
use crate::app::{Dataset, Msg};
use crate::domain::book::{Change, Contact};
use crate::domain::intent::{Because, Confirmation, State};
use crate::domain::{Draft, Failure, Sender, Text};
use crate::runtime::perform::World;
use crate::runtime::reads::{self, Between};

/// What a journal begins with.
#[derive(Debug, Clone, Default)]
pub struct Staged {
    /// Whom the address book knows.
    pub known: Vec<Contact>,
    /// A payment that is sent, of whose outcome nothing is known afterwards.
    pub sent: Option<(Draft, Sender)>,
}

/// What stands in the journal in the place of the words that an operator types.
const NOBODY: &str = "(nobody: it was sent for the scene of the demo, before it opened)";

/// Has a journal begin so. The service must have been told by then to lose the answer.
///
/// # Errors
/// Where this console only reads, where the journal refuses it, and where the outcome of the payment is known after all.
pub async fn stage(world: &World, staged: Staged) -> Result<(), Failure> {
    let Staged { known, sent } = staged;
    if known.is_empty() && sent.is_none() {
        return Ok(());
    }
    let paying = world.paying.clone().map_err(|barred| failure(&format!("this console only reads: {}", barred.why)))?;
    let (deliveries, _told_to_nobody) = unbounded_channel();
    let desk = Desk::new(world.clone(), paying, deliveries);
    if !known.is_empty() {
        let changes = known.into_iter().map(Change::Entered).collect();
        let book = desk.book().await?;
        desk.change_book(changes, Vec::new(), book).await?;
    }
    match sent {
        Some((draft, sender)) => desk.sends_unseen(draft, sender).await,
        None => Ok(()),
    }
}

impl Desk {
    /// Sends a payment that nobody reviews.
    async fn sends_unseen(&self, draft: Draft, sender: Sender) -> Result<(), Failure> {
        // By the newest rows of the history a later look tells that it has seen everything since.
        reads::load(&self.world, &Between::default(), &Dataset::Head, &mut Vec::new()).await?;
        let intent = self.prepare(draft, Some(sender)).await?.intent.id;
        let confirmation = Confirmation { typed: vec![Text::clean(NOBODY)], findings: Vec::new(), agreed: None };
        match self.send(intent, Because::Confirmed, Some(confirmation)).await {
            Msg::Sent { result: Ok(State::Unknown), .. } => Ok(()),
            Msg::Sent { result: Err(why), .. } => Err(why),
            other => Err(failure(&format!("the outcome of a payment that was to stay unknown is known: {other:?}"))),
        }
    }
}
