//! Effects performed: one arm each. Every effect is answered by a message, whatever becomes of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;

use super::answers::Answers;
use super::clock::Clock;
use super::reads::{self, Reads};
use crate::api::Reader;
use crate::app::{Dataset, Effect, Msg, Turn};
use crate::domain::{Failure, Reason};
use crate::store::Store;

/// What this console may reach.
#[derive(Clone)]
pub struct World {
    /// The service, for reading.
    pub reader: Arc<Reader>,
    /// The cache.
    pub store: Store,
    /// The time.
    pub clock: Clock,
}

/// Performs effects, and counts those that are not answered yet.
pub struct Performer {
    world: World,
    handle: Handle,
    answers: Answers,
    messages: UnboundedSender<Msg>,
    under_way: Arc<AtomicUsize>,
}

/// What the loop must do itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// Stop as a job of the shell.
    Suspend,
    /// End.
    Quit,
}

impl Performer {
    /// A performer whose answers go to `messages`; network reads run on `handle`.
    pub fn new(world: World, handle: Handle, messages: UnboundedSender<Msg>) -> std::io::Result<Self> {
        let under_way = Arc::new(AtomicUsize::new(0));
        let answers = Answers::start(world.store.clone(), messages.clone(), under_way.clone())?;
        Ok(Self { world, handle, answers, messages, under_way })
    }

    /// Performs an effect, or says what the loop must do itself.
    pub fn perform(&self, effect: Effect) -> Option<Request> {
        match effect {
            Effect::Load { what, turn } => self.load(what, turn),
            Effect::Ask { question, turn } => self.answers.ask(question, turn),
            Effect::Suspend => return Some(Request::Suspend),
            Effect::Quit => return Some(Request::Quit),
        }
        None
    }

    /// How many effects are not answered yet.
    pub fn under_way(&self) -> usize {
        self.under_way.load(Ordering::Acquire)
    }

    fn load(&self, what: Dataset, turn: Turn) {
        self.under_way.fetch_add(1, Ordering::AcqRel);
        let reads = Reads { world: self.world.clone(), messages: self.messages.clone() };
        let (messages, under_way) = (self.messages.clone(), self.under_way.clone());
        let asked = what.clone();
        let task = self.handle.spawn(async move { reads::load(&reads, &asked).await });
        self.handle.spawn(async move {
            // A read that panics is a fault of this program; it is answered all the same, and tried again later.
            let result = match task.await {
                Ok(result) => result,
                Err(fault) => Err(Failure::of_read(Reason::Local, &format!("the read broke off: {fault}"))),
            };
            // Nobody listens any more only when the console ends.
            let _ = messages.send(Msg::Loaded { what, turn, result });
            under_way.fetch_sub(1, Ordering::AcqRel);
        });
    }
}
