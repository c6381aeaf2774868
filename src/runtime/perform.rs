//! Effects performed: one arm each. Every effect is answered by a message, whatever becomes of it.

use std::io;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tokio::sync::mpsc::UnboundedSender;

use super::ahead::Ahead;
use super::answers::Answers;
use super::clock::Clock;
use super::reads;
pub use super::reads::PassedOver;
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
    /// Users whose balances could not be read of late.
    pub passed_over: PassedOver,
}

/// What comes back from effects.
#[derive(Debug)]
pub(super) enum Delivery {
    /// A message for the model.
    Message(Msg),
    /// An effect has been performed; nothing more comes of it.
    Done(Work),
}

/// What an effect is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// Reading from the service.
    Reading,
    /// Asking the store.
    Asking,
}

/// Performs effects.
pub(super) struct Performer {
    world: World,
    handle: Handle,
    answers: Answers,
    ahead: Arc<Mutex<Ahead>>,
    deliveries: UnboundedSender<Delivery>,
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
    /// A performer that delivers what comes of its effects; network reads run on `handle`.
    pub(super) fn new(world: World, handle: Handle, deliveries: UnboundedSender<Delivery>) -> io::Result<Self> {
        let answers = Answers::start(world.store.clone(), deliveries.clone())?;
        Ok(Self { world, handle, answers, ahead: Arc::default(), deliveries })
    }

    /// Performs an effect, which ends in one [`Delivery::Done`] of the same work; or says what the loop must do itself.
    pub(super) fn perform(&self, effect: Effect) -> Result<Work, Request> {
        match effect {
            Effect::Load { what, turn } => {
                self.load(what, turn);
                Ok(Work::Reading)
            }
            Effect::Ask { question, turn } => {
                self.answers.ask(question, turn);
                Ok(Work::Asking)
            }
            Effect::Prepare { turn, .. } => Ok(self.refuse(Msg::Prepared { turn, result: Err(read_only()) })),
            Effect::Know { intent, turn } => Ok(self.refuse(Msg::Known { turn, intent, result: Err(read_only()) })),
            Effect::Send { intent, .. } => Ok(self.refuse(Msg::Sent { intent, result: Err(read_only()) })),
            Effect::Abandon(_) | Effect::WriteOff { .. } | Effect::Orders => {
                Ok(self.refuse(Msg::Orders(Err(read_only()))))
            }
            Effect::Suspend => Err(Request::Suspend),
            Effect::Quit => Err(Request::Quit),
        }
    }

    /// Answers an effect that this console has no means for.
    fn refuse(&self, answer: Msg) -> Work {
        // Nobody listens any more only when the console ends.
        let _ = self.deliveries.send(Delivery::Message(answer));
        let _ = self.deliveries.send(Delivery::Done(Work::Asking));
        Work::Asking
    }

    fn load(&self, what: Dataset, turn: Turn) {
        let (world, deliveries) = (self.world.clone(), self.deliveries.clone());
        let (asked, ahead) = (what.clone(), Arc::clone(&self.ahead));
        let task = self.handle.spawn(async move { reads::load(&world, &ahead, &asked).await });
        self.handle.spawn(async move {
            // A read that panics is a fault of this program; it is answered all the same, and tried again later.
            let result = match task.await {
                Ok(result) => result,
                Err(fault) => Err(Failure::of_read(Reason::Local, &format!("the read broke off: {fault}"))),
            };
            // Nobody listens any more only when the console ends.
            let _ = deliveries.send(Delivery::Message(Msg::Loaded { what, turn, result }));
            let _ = deliveries.send(Delivery::Done(Work::Reading));
        });
    }
}

fn read_only() -> Failure {
    Failure::of_read(Reason::Local, reads::READ_ONLY)
}
