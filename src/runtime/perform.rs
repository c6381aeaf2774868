//! Effects performed: one arm each. Every effect is answered by a message, whatever becomes of it.

use std::io;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::task::TaskTracker;

use super::answers::Answers;
use super::clock::Clock;
use super::export::rows::Source;
use super::exporting::{self, Folder};
use super::host::{Host, NO_FILES};
use super::look_alikes::Gathered;
use super::paying::Desk;
pub use super::paying::{Barred, Memory, Onlooker, OpenOperator, OpenedOperator, Paying, Staged, Unlocks, stage};
use super::pictures;
use super::reads::{self, Between};
pub use super::reads::{Keeping, PassedOver};
use crate::api::Reader;
use crate::app::pictures::Picture;
use crate::app::{Dataset, Effect, Msg, Target, Turn, sandbox};
use crate::domain::intent::State;
use crate::domain::{Amount, Direction, Failure, Reason, Text, TransactionId, UserId};
use crate::store::{Cancel, Store};

/// What this console may reach.
#[derive(Clone)]
pub struct World {
    /// The service, for reading.
    pub reader: Arc<Reader>,
    /// The cache.
    pub store: Store,
    /// Whose turn it is to work on the cache.
    pub keeping: Keeping,
    /// The time.
    pub clock: Clock,
    /// Users whose balances could not be read of late.
    pub passed_over: PassedOver,
    /// What it takes to change something at the service; or why this console only reads.
    pub paying: Result<Paying, Barred>,
    /// The permission to touch this machine's files, for whoever sits at it; a visitor has none.
    pub host: Option<Host>,
    /// How many rows of the history are asked for in a page; [`World::PAGE`], where nothing speaks against it.
    pub page: u64,
}

impl World {
    /// Entries of a list in a page: one request brings most of what happened while nobody read.
    pub const PAGE: u64 = 100;

    /// Tells the key under which the history is read from others, where that is known.
    pub(super) fn reads_under(&self) -> Option<&Text> {
        match &self.paying {
            Ok(paying) => Some(&paying.here.key_mark),
            Err(barred) => barred.journal.as_ref().map(Onlooker::reads_under),
        }
    }
}

/// What comes back from effects.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all of them are messages, and each is moved a few times")]
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
    /// Writing a file.
    Writing,
}

/// Performs effects.
pub(super) struct Performer {
    world: World,
    handle: Handle,
    answers: Answers,
    between: Arc<Between>,
    gathered: Arc<Gathered>,
    desk: Result<Desk, Barred>,
    deliveries: UnboundedSender<Delivery>,
    /// Ends the export that is under way.
    export: std::cell::RefCell<Cancel>,
}

impl Drop for Performer {
    /// Nobody waits for a file any more.
    fn drop(&mut self) {
        self.export.borrow().cancel();
    }
}

/// What the loop must do itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Stop as a job of the shell.
    Suspend,
    /// End, and open this profile.
    OpenProfile(Text),
    /// End.
    Quit,
    /// Put this text on the terminal's clipboard.
    Copy(String),
}

impl Performer {
    /// A performer that delivers what comes of its effects; network reads run on `handle`.
    pub(super) fn new(world: World, handle: Handle, deliveries: UnboundedSender<Delivery>) -> io::Result<Self> {
        let clock = world.clock.clone();
        let reader = Arc::new(world.reader.compared_with(Arc::new(move || clock.now())));
        let world = World { reader, ..world };
        let answers = Answers::start(world.store.clone(), deliveries.clone())?;
        let paying = world.paying.clone();
        let desk = paying.map(|paying| Desk::new(world.clone(), paying, deliveries.clone()));
        let export = std::cell::RefCell::new(Cancel::new());
        Ok(Self { world, handle, answers, between: Arc::default(), gathered: Arc::default(), desk, deliveries, export })
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
            Effect::Picture { what, turn } => {
                self.picture(what, turn);
                Ok(Work::Reading)
            }
            Effect::Prepare { .. }
            | Effect::Know { .. }
            | Effect::Send { .. }
            | Effect::Abandon(_)
            | Effect::WriteOff { .. }
            | Effect::AnswerAddress { .. }
            | Effect::Import(_)
            | Effect::SettleAddress { .. }
            | Effect::CheckBatch { .. }
            | Effect::Paths { .. }
            | Effect::JudgeContact { .. }
            | Effect::ChangeBook { .. }
            | Effect::ImportBook(_)
            | Effect::Unlock { .. }
            | Effect::Orders => Ok(self.pay(effect)),
            Effect::Export { .. } | Effect::StopExport => Ok(self.write(effect)),
            Effect::Raw { seq, id, direction, turn } => {
                self.raw(seq, id, direction, turn);
                Ok(Work::Reading)
            }
            Effect::Quote { from, amount, to, turn } => {
                self.quote(from, amount, to, turn);
                Ok(Work::Reading)
            }
            Effect::Sandbox { whose, turn } => {
                self.sandbox(whose, turn);
                Ok(Work::Reading)
            }
            Effect::Copy(text) => Err(Request::Copy(text)),
            // The console keeps it for the loop, which writes to the terminal.
            Effect::Alert { .. } => {
                let _ = self.deliveries.send(Delivery::Done(Work::Asking));
                Ok(Work::Asking)
            }
            Effect::Suspend => Err(Request::Suspend),
            Effect::OpenProfile(name) => Err(Request::OpenProfile(name)),
            Effect::Quit => Err(Request::Quit),
        }
    }

    /// Performs what concerns orders, at the desk if this console has one.
    fn pay(&self, effect: Effect) -> Work {
        let deliveries = self.deliveries.clone();
        // Nobody listens any more only when the console ends.
        let told = deliveries.clone();
        let answer = move |answer: Option<Msg>| {
            if let Some(answer) = answer {
                let _ = deliveries.send(Delivery::Message(answer));
            }
            let _ = deliveries.send(Delivery::Done(Work::Paying));
        };
        let why_not = |why: &str| refused(&effect, Failure::of_read(Reason::Local, why));
        match &self.desk {
            Err(Barred { journal: Some(onlooker), .. }) if effect == Effect::Orders => {
                let onlooker = onlooker.clone();
                self.handle.spawn(async move {
                    let mut looked = onlooker.look().await;
                    let last = looked.pop();
                    for message in looked {
                        let _ = told.send(Delivery::Message(message));
                    }
                    answer(last);
                });
            }
            Err(barred) => answer(why_not(&barred.why)),
            Ok(desk) => {
                let broken = match &effect {
                    // Nobody knows how far it came: what the journal holds is what is to be shown.
                    Effect::Send { intent, .. } => Some(Msg::Sent { intent: *intent, result: Ok(State::Unknown) }),
                    _ => why_not("this broke off, which is a fault in bursar"),
                };
                // Whoever leaves waits for a sending from its very first step on, so that its record is not cut off.
                let task = match &effect {
                    Effect::Send { .. } => desk.sendings.spawn_on(desk.clone().perform(effect), &self.handle),
                    _ => self.handle.spawn(desk.clone().perform(effect)),
                };
                let (reader, news) = (Arc::clone(&self.world.reader), Arc::clone(&self.between));
                self.handle.spawn(async move {
                    let done = task.await.unwrap_or(broken);
                    if let Some(skew) = news.skew_news(reader.skew()) {
                        let _ = told.send(Delivery::Message(Msg::Clock(skew)));
                    }
                    answer(done);
                });
            }
        }
        Work::Paying
    }

    /// Writes rows off the threads that wait for the network, or stops what is being written.
    fn write(&self, effect: Effect) -> Work {
        let deliveries = self.deliveries.clone();
        let Effect::Export { rows, target, format, turn } = effect else {
            self.export.borrow().cancel();
            let _nobody_listens_at_the_end = deliveries.send(Delivery::Done(Work::Writing));
            return Work::Writing;
        };
        let cancel = Cancel::new();
        self.export.replace(cancel.clone());
        let (store, now) = (self.world.store.clone(), self.world.clock.now());
        let told = {
            let deliveries = deliveries.clone();
            move |result| {
                let _nobody_listens_at_the_end = deliveries.send(Delivery::Message(Msg::Exported { turn, result }));
            }
        };
        let (so_far, host) = (told.clone(), self.world.host.clone());
        let task = self.handle.spawn_blocking(move || {
            let so_far = |written| so_far(Ok(written));
            let source = Source { store: &store, rows: &rows, format, now, cancel: &cancel };
            match (target, &host) {
                (Target::Folder(named), Some(host)) => {
                    exporting::export(&Folder { host, named: &named }, &source, &so_far)
                }
                (Target::Folder(_), None) => Err(Failure::of_read(Reason::Local, NO_FILES)),
                (Target::Clipboard, _) => exporting::as_text(&source, &so_far),
            }
        });
        self.handle.spawn(async move {
            told(task.await.unwrap_or_else(|fault| {
                Err(Failure::of_read(Reason::Local, &format!("the export broke off: {fault}")))
            }));
            let _nobody_listens_at_the_end = deliveries.send(Delivery::Done(Work::Writing));
        });
        Work::Writing
    }

    /// Reads a transaction as the service writes it.
    fn raw(&self, seq: i64, id: TransactionId, direction: Direction, turn: Turn) {
        let (world, deliveries) = (self.world.clone(), self.deliveries.clone());
        let task = self.handle.spawn(async move { reads::raw(&world, seq, &id, &direction).await });
        self.handle.spawn(async move {
            let result = task
                .await
                .unwrap_or_else(|fault| Err(Failure::of_read(Reason::Local, &format!("the read broke off: {fault}"))));
            let _nobody_listens_at_the_end = deliveries.send(Delivery::Message(Msg::Raw { turn, result }));
            let _nobody_listens_at_the_end = deliveries.send(Delivery::Done(Work::Reading));
        });
    }

    /// Asks what a swap would give.
    fn quote(&self, from: Text, amount: Amount, to: Text, turn: Turn) {
        let (world, deliveries) = (self.world.clone(), self.deliveries.clone());
        let task = self.handle.spawn(async move { world.reader.swap_quote(&from, amount, &to).await });
        self.handle.spawn(async move {
            let result = task
                .await
                .unwrap_or_else(|fault| Err(Failure::of_read(Reason::Local, &format!("the read broke off: {fault}"))));
            let told = Msg::Quoted { turn, result: result.map(Box::new) };
            let _nobody_listens_at_the_end = deliveries.send(Delivery::Message(told));
            let _nobody_listens_at_the_end = deliveries.send(Delivery::Done(Work::Reading));
        });
    }

    /// Reads what the sandbox of version 1 holds, part by part.
    fn sandbox(&self, whose: Option<UserId>, turn: Turn) {
        let (reader, deliveries) = (Arc::clone(&self.world.reader), self.deliveries.clone());
        self.handle.spawn(async move {
            let told = Box::new(sandbox::Told {
                prime: reader.sandbox_prime_assets(None).await,
                sub_wallets: reader.sandbox_assets(whose.as_ref(), None).await,
                addresses: reader.sandbox_addresses(None, None).await,
            });
            let _nobody_listens_at_the_end = deliveries.send(Delivery::Message(Msg::Sandbox { turn, told }));
            let _nobody_listens_at_the_end = deliveries.send(Delivery::Done(Work::Reading));
        });
    }

    /// Whether this machine is within reach.
    pub(super) fn is_at_host(&self) -> bool {
        self.world.host.is_some()
    }

    /// Sendings that wait for their answer.
    pub(super) fn sendings(&self) -> Option<TaskTracker> {
        self.desk.as_ref().ok().map(|desk| desk.sendings.clone())
    }

    /// Works a picture out beside the thread that answers questions: it may take as long as the history is.
    fn picture(&self, what: Picture, turn: Turn) {
        let (world, deliveries) = (self.world.clone(), self.deliveries.clone());
        let (gathered, now) = (Arc::clone(&self.gathered), world.clock.now());
        self.handle.spawn(async move {
            let wanted = what.clone();
            let made = reads::kept(&world, move |store| pictures::make(store, &wanted, &gathered, now));
            let (result, what) = (made.await.map(Box::new), Box::new(what));
            // Nobody listens any more only when the console ends.
            let _ = deliveries.send(Delivery::Message(Msg::Pictured { turn, what, result }));
            let _ = deliveries.send(Delivery::Done(Work::Reading));
        });
    }

    fn load(&self, what: Dataset, turn: Turn) {
        let (world, deliveries) = (self.world.clone(), self.deliveries.clone());
        let (asked, between, desk) = (what.clone(), Arc::clone(&self.between), self.desk.clone());
        let (reader, news) = (Arc::clone(&world.reader), Arc::clone(&self.between));
        let telling = deliveries.clone();
        let task = self.handle.spawn(async move {
            match (&asked, desk) {
                (Dataset::Orders, Ok(desk)) => desk.look().await,
                (Dataset::Head | Dataset::Back | Dataset::User { .. }, Ok(desk)) => {
                    let mut met = Vec::new();
                    let read = reads::load(&world, &between, &asked, &mut met).await;
                    desk.met(met).await;
                    if asked == Dataset::Head {
                        desk.follow().await;
                    }
                    desk.met_of_user(read).await
                }
                (Dataset::Head, Err(Barred { journal: Some(onlooker), .. })) => {
                    let read = reads::load(&world, &between, &asked, &mut Vec::new()).await;
                    for looked in onlooker.look().await {
                        let _ = telling.send(Delivery::Message(looked));
                    }
                    read
                }
                _ => reads::load(&world, &between, &asked, &mut Vec::new()).await,
            }
        });
        self.handle.spawn(async move {
            // A read that panics is a fault of this program; it is answered all the same, and tried again later.
            let result = match task.await {
                Ok(result) => result,
                Err(fault) => Err(Failure::of_read(Reason::Local, &format!("the read broke off: {fault}"))),
            };
            if let Some(skew) = news.skew_news(reader.skew()) {
                let _ = deliveries.send(Delivery::Message(Msg::Clock(skew)));
            }
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
        Effect::Abandon(_) | Effect::WriteOff { .. } | Effect::AnswerAddress { .. } | Effect::Orders => {
            Some(Msg::Orders(Err(failure)))
        }
        Effect::SettleAddress { .. } => Some(Msg::AddressSettled(Err(failure))),
        Effect::Import(_) => Some(Msg::Imported(Err(vec![failure.to_string()]))),
        Effect::CheckBatch { turn, .. } => Some(Msg::BatchChecked { turn: *turn, result: Err(failure.to_string()) }),
        Effect::Paths { turn, .. } => Some(Msg::Paths { turn: *turn, found: Vec::new() }),
        Effect::JudgeContact { turn, .. } => Some(Msg::ContactJudged { turn: *turn, result: Err(failure) }),
        Effect::ChangeBook { turn, .. } => Some(Msg::BookChanged { turn: *turn, result: Err(failure) }),
        Effect::ImportBook(_) => Some(Msg::BookImported(Err(vec![failure.to_string()]))),
        Effect::Unlock { turn, .. } => Some(Msg::Unlocked { turn: *turn, result: Err(failure) }),
        _ => None,
    }
}
