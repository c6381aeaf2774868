//! Effects performed: one arm each. Every effect is answered by a message, whatever becomes of it.

use std::io;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::task::TaskTracker;

use super::answers::Answers;
use super::clock::Clock;
use super::paying::Desk;
pub use super::paying::{OpenOperator, OpenedOperator, Paying};
pub use super::reads::PassedOver;
use super::reads::{self, Between};
use crate::api::Reader;
use crate::app::{Dataset, Effect, Msg, Turn};
use crate::domain::intent::State;
use crate::domain::{Failure, Reason, Text};
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
    /// What it takes to change something at the service; or why this console only reads.
    pub paying: Result<Paying, Text>,
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
    /// Work on orders.
    Paying,
}

/// Performs effects.
pub(super) struct Performer {
    world: World,
    handle: Handle,
    answers: Answers,
    between: Arc<Between>,
    desk: Result<Desk, Text>,
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
        let paying = world.paying.clone();
        let desk = paying.map(|paying| Desk::new(world.clone(), paying, deliveries.clone()));
        Ok(Self { world, handle, answers, between: Arc::default(), desk, deliveries })
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
            Effect::Prepare { .. }
            | Effect::Know { .. }
            | Effect::Send { .. }
            | Effect::Abandon(_)
            | Effect::WriteOff { .. }
            | Effect::Import(_)
            | Effect::Orders => Ok(self.pay(effect)),
            Effect::Suspend => Err(Request::Suspend),
            Effect::Quit => Err(Request::Quit),
        }
    }

    /// Performs what concerns orders, at the desk if this console has one.
    fn pay(&self, effect: Effect) -> Work {
        let deliveries = self.deliveries.clone();
        // Nobody listens any more only when the console ends.
        let answer = move |answer: Option<Msg>| {
            if let Some(answer) = answer {
                let _ = deliveries.send(Delivery::Message(answer));
            }
            let _ = deliveries.send(Delivery::Done(Work::Paying));
        };
        let why_not = |why: &str| refused(&effect, Failure::of_read(Reason::Local, why));
        match &self.desk {
            Err(why) => answer(why_not(why)),
            Ok(desk) => {
                let broken = match &effect {
                    // Nobody knows how far it came: what the journal holds is what is to be shown.
                    Effect::Send { intent, .. } => Some(Msg::Sent { intent: *intent, result: Ok(State::Unknown) }),
                    _ => why_not("this broke off, which is a fault in bursar"),
                };
                let task = self.handle.spawn(desk.clone().perform(effect));
                self.handle.spawn(async move { answer(task.await.unwrap_or(broken)) });
            }
        }
        Work::Paying
    }

    /// Sendings that wait for their answer.
    pub(super) fn sendings(&self) -> Option<TaskTracker> {
        self.desk.as_ref().ok().map(|desk| desk.sendings.clone())
    }

    fn load(&self, what: Dataset, turn: Turn) {
        let (world, deliveries) = (self.world.clone(), self.deliveries.clone());
        let (asked, between, desk) = (what.clone(), Arc::clone(&self.between), self.desk.clone());
        let task = self.handle.spawn(async move {
            match (&asked, desk) {
                (Dataset::Orders, Ok(desk)) => desk.look().await,
                (Dataset::Head, Ok(desk)) => {
                    let read = reads::load(&world, &between, &asked).await;
                    desk.follow().await;
                    read
                }
                _ => reads::load(&world, &between, &asked).await,
            }
        });
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

/// How an effect is answered that cannot be performed.
fn refused(effect: &Effect, failure: Failure) -> Option<Msg> {
    match effect {
        Effect::Prepare { turn, .. } => Some(Msg::Prepared { turn: *turn, result: Err(failure) }),
        Effect::Know { intent, turn } => Some(Msg::Known { turn: *turn, intent: *intent, result: Err(failure) }),
        Effect::Send { intent, .. } => Some(Msg::Sent { intent: *intent, result: Err(failure) }),
        Effect::Abandon(_) | Effect::WriteOff { .. } | Effect::Orders => Some(Msg::Orders(Err(failure))),
        Effect::Import(_) => Some(Msg::Imported(Err(vec![failure.to_string()]))),
        Effect::Load { .. } | Effect::Ask { .. } | Effect::Suspend | Effect::Quit => None,
    }
}
