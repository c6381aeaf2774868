//! What a console needs to change something at its service, and the desk at which that is done.
//!
//! ```text
//!  Prepare ─▶ keys ─▶ freeze, read back ─▶ journal.draft ─▶ what is known ─▶ review
//!  Send ────▶ journal.confirm ─▶ journal.begin = the Order ─▶ operator.send ─▶ journal.answered ─▶ journal.end
//!             └────── whatever fails up to here: nothing was sent ──┘  └─ from here on it is recorded, or unknown ─┘
//! ```
//!
//! A sending that has begun is never given up by this program: it runs to its answer, or to the time at which the
//! operator has given up waiting. Should the program end before that, the journal knows that the request was on its
//! way, and the next start looks for it in the history.

mod batch;
mod book;
mod demo_seed;
mod fees;
mod guard_orders;
mod imports;
mod journal_queries;
mod journal_reader;
mod lookup;
mod paths;
mod prepare;
mod send_order;
mod swap;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;
use tokio_util::task::TaskTracker;

use super::effect_runner::{Completion, World};
use crate::api::{Operator, WireNames};
use crate::app::lock::SecretInput;
use crate::app::orders::CLOSED;
use crate::app::{Effect, Msg};
use crate::domain::history::Source;
use crate::domain::intent::{Destination, OrderEnd};
use crate::domain::{Amount, Failure, FinalStatuses, Made, Order, OrderId, Policy, Reason, Text, Timestamp};
use crate::journal::{Journal, JournalError};
use crate::store::Cancel;
pub use demo_seed::{DemoSeed, seed_journal};
pub use guard_orders::GuardOrders;
pub use journal_reader::JournalReader;

/// What a console needs to change something at its service.
#[derive(Clone)]
pub struct PaymentContext {
    /// Where every order is recorded before it is sent.
    pub journal: Journal,
    /// Opens the way to the service for one review.
    pub operator: OperatorFactory,
    /// What a passphrase to unlock paying is held against; `None` where none was set.
    pub passphrase_verifier: Option<PassphraseVerifier>,
    /// Whether the operator has an API key of its own, which is another than the one that reads.
    pub separate_keys: bool,
    /// Where this console stands: its profile, its service, and the key under which it reads. An order that does not
    /// concern this place is neither looked up nor sent here.
    pub destination: Destination,
    /// Names that the specification leaves out.
    pub wire: WireNames,
    /// Which words of this service are final.
    pub final_words: FinalStatuses,
    /// The network that the profile expects: `mainnet` or `testnet`.
    pub expected_network: Option<Text>,
    /// What the profile allows.
    pub policy: Policy,
    /// How often what is on screen is read: a balance that arms a payment is no older than two of these.
    pub period: Duration,
}

/// Why a console does not pay, and what it may look at all the same.
#[derive(Debug, Clone)]
pub struct PayingDisabled {
    /// Why it does not pay.
    pub reason: Text,
    /// The journal, where it can be looked at.
    pub journal: Option<JournalReader>,
}

/// The way to the service, opened for one review, and where it leads.
#[derive(Debug)]
pub struct AuthorisedClient {
    /// Sends.
    pub operator: Operator,
    /// Where to, and under which key.
    pub destination: Destination,
}

/// Whether what was typed unlocks paying: a passphrase is held against the one that was set, which takes a while on
/// purpose. An error says why that could not be done.
pub type PassphraseVerifier = Arc<dyn Fn(&SecretInput) -> Result<bool, Failure> + Send + Sync>;

/// Asks for the keys and opens the way to the service. It may take as long as a person takes to unlock a keyring, so it
/// is called where blocking is no harm.
pub type OperatorFactory = Arc<dyn Fn() -> Result<AuthorisedClient, Failure> + Send + Sync>;

/// The way to the service while a review is open, and the intent that it is held for.
type ReviewOperator = Option<(OrderId, Arc<AuthorisedClient>)>;

/// All orders, as the journal had them when this was its last record.
type OrderCache = (u64, Arc<GuardOrders>);

/// The desk at which a console pays. Cheap to clone; every clone is the same one.
#[derive(Clone)]
pub(super) struct OrderExecutor {
    world: World,
    paying: PaymentContext,
    /// The way to the service of the review that is open.
    review_operator: Arc<Mutex<ReviewOperator>>,
    /// All orders, for the review that is open.
    order_cache: Arc<Mutex<Option<OrderCache>>>,
    /// The highest fee that each order may be expected to take.
    usual_fees: Arc<Mutex<HashMap<OrderId, Option<Amount>>>>,
    /// Rows that were met while the journal could not be asked whose they are.
    unrecorded: Arc<Mutex<Vec<crate::domain::Transaction>>>,
    /// Ends the search for paths that is under way.
    completing: Arc<Mutex<Cancel>>,
    /// The journal is told in the order in which it was read.
    telling: Arc<tokio::sync::Mutex<()>>,
    deliveries: UnboundedSender<Completion>,
    /// Sendings that wait for their answer, or for their answer to be recorded.
    pub(super) send_tasks: TaskTracker,
}

impl OrderExecutor {
    pub(super) fn new(world: World, paying: PaymentContext, deliveries: UnboundedSender<Completion>) -> Self {
        let send_tasks = TaskTracker::new();
        Self {
            world,
            paying,
            review_operator: Arc::default(),
            order_cache: Arc::default(),
            usual_fees: Arc::default(),
            unrecorded: Arc::default(),
            completing: Arc::default(),
            telling: Arc::default(),
            deliveries,
            send_tasks,
        }
    }

    /// Performs an effect that concerns orders, and says what answers it.
    pub(super) async fn run(self, effect: Effect) -> Option<Msg> {
        match effect {
            Effect::Prepare { draft, sender, turn } => {
                let result = self.prepare(draft, sender).await.map(Box::new);
                Some(Msg::Prepared { turn, result })
            }
            Effect::LoadFacts { intent, turn } => {
                let result = self.refresh_facts(intent).await.map(Box::new);
                Some(Msg::FactsLoaded { turn, intent, result })
            }
            Effect::Send { intent, reason: because, confirmation } => {
                Some(self.send(intent, because, confirmation).await)
            }
            Effect::Abandon(intent) => {
                self.let_go(intent);
                self.close(intent, OrderEnd::Abandoned(None)).await
            }
            Effect::CheckBatch { check: checking, turn } => {
                let result = self.check_batch(*checking).await.map(Box::new);
                Some(Msg::BatchChecked { turn, result })
            }
            Effect::CompletePath { prefix: typed, turn } => {
                let Some(host) = self.world.host.clone() else {
                    return Some(Msg::PathsFound { turn, found: Vec::new() });
                };
                let cancel = self.completes_anew();
                let completing = move || paths::complete_path(&host, &typed, &cancel);
                let found = tokio::task::spawn_blocking(completing).await.unwrap_or_default();
                Some(Msg::PathsFound { turn, found })
            }
            Effect::Unlock { secret: typed, turn } => {
                Some(Msg::Unlocked { turn, result: self.verify_passphrase(typed).await })
            }
            Effect::ResolveAddress { wallet, address: own } => {
                Some(Msg::AddressResolved(self.settle_address(*wallet, own).await))
            }
            Effect::Import(line) => Some(Msg::Imported(self.import(line).await)),
            Effect::JudgeContact { contact, turn } => {
                let result = self.judge_contact(&contact).await.map(|entering| Box::new((*contact, entering)));
                Some(Msg::ContactJudged { turn, result })
            }
            Effect::ChangeBook { change, overridden, judged_book: judged, turn } => {
                let result = self.change_book(vec![*change], overridden, *judged).await;
                self.report_orders().await;
                Some(Msg::BookChanged { turn, result })
            }
            Effect::ImportBook(path) => {
                let result = self.import_book(path).await;
                self.report_orders().await;
                Some(Msg::BookImported(result))
            }
            Effect::RecordServiceAddress { other, is_same } => {
                let (here, now) = (self.paying.destination.clone(), self.now());
                let done =
                    self.with_journal(move |journal| journal.record_address_answer(&here, other, is_same, now)).await;
                self.report_orders().await;
                done.err().map(|failure| Msg::Orders(Err(failure)))
            }
            Effect::WriteOff { intent, reason } => self.close(intent, OrderEnd::WrittenOff(reason)).await,
            Effect::ReadJournal => {
                self.start().await;
                None
            }
            // Everything else is not this desk's.
            _ => None,
        }
    }

    /// What completed a shorter path is not waited for: the folder may be a slow one.
    fn completes_anew(&self) -> Cancel {
        let cancel = Cancel::new();
        let mut before = self.completing.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *before, cancel.clone()).cancel();
        cancel
    }

    fn now(&self) -> Timestamp {
        self.world.clock.now()
    }

    /// The first look at the journal: what it made known is in the directory, whatever became of the cache.
    async fn start(&self) {
        let (here, now) = (self.paying.destination.clone(), self.now());
        if let Err(failure) = self.with_journal(move |journal| journal.record_visit(&here, now)).await {
            tracing::warn!(%failure, "the service of this profile could not be recorded");
        }
        self.report_orders().await;
        let learnt = self.relevant_orders(usize::MAX).await;
        let made = learnt.map(|intents| {
            // In the order of the answers: what was changed later stands.
            let mut made: Vec<_> = intents.iter().flat_map(made_by).collect();
            made.sort_by_key(|(at, _)| *at);
            made.into_iter().map(|(_, made)| made.clone()).collect::<Vec<_>>()
        });
        match made {
            Ok(made) => self.learn(made).await,
            Err(failure) => tracing::warn!(%failure, "what the journal recorded could not be added to the directory"),
        }
        self.learn_imports().await;
    }

    /// Ends an order by the operator's word. Should that not be possible any more, the list says how it stands.
    async fn close(&self, intent: OrderId, end: OrderEnd) -> Option<Msg> {
        let now = self.now();
        let closed = self.with_journal(move |journal| journal.close(intent, end, now)).await;
        self.report_orders().await;
        closed.err().map(|failure| Msg::Orders(Err(failure)))
    }

    /// Reads the journal and tells the model.
    pub(super) async fn report_orders(&self) {
        let _in_order = self.telling.lock().await;
        let here = self.paying.destination.clone();
        let read =
            self.with_journal(move |journal| Ok((journal.addresses(&here)?, journal.orders(&here, CLOSED)?))).await;
        // Nobody listens any more only when the console ends.
        let orders = read.map(|(addresses, orders)| {
            let _ = self.deliveries.send(Completion::Message(Msg::Addresses(addresses)));
            orders
        });
        let _ = self.deliveries.send(Completion::Message(Msg::Orders(orders)));
        let _ = self.deliveries.send(Completion::Message(Msg::Book(self.read_book().await)));
    }

    /// Tells the model when another program has written to the journal.
    pub(super) async fn poll_journal(&self) {
        if !matches!(self.with_journal(Journal::changed).await, Ok(false)) {
            self.report_orders().await;
            self.learn_imports().await;
        }
    }

    /// Keeps in the directory what was made.
    async fn learn(&self, made: Vec<Made>) {
        if made.is_empty() {
            return;
        }
        let store = self.world.store.clone();
        let kept = tokio::task::spawn_blocking(move || {
            let (mut accounts, mut wallets, mut users) = (Vec::new(), Vec::new(), Vec::new());
            for made in made {
                match made {
                    Made::Account(account) => accounts.push(account),
                    Made::Wallet(wallet) => wallets.push(wallet),
                    Made::User(user) => users.push(user),
                    // The wallet behind an address is read where addresses are.
                    Made::Transaction(_) | Made::Address(_) => {}
                }
            }
            store.save_accounts(&accounts, Source::Created)?;
            store.save_users(&users, Source::Created)?;
            store.save_wallets(&wallets, Source::Created)
        });
        if let Ok(Err(error)) = kept.await {
            // The journal has it all the same, and the next start brings it.
            tracing::warn!(%error, "what was created could not be added to the directory");
        }
    }

    /// Work on the journal, where blocking is no harm.
    pub(super) async fn with_journal<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Journal) -> Result<T, JournalError> + Send + 'static,
    ) -> Result<T, Failure> {
        let journal = self.paying.journal.clone();
        match tokio::task::spawn_blocking(move || work(&journal)).await {
            Ok(done) => done.map_err(Failure::from),
            Err(fault) => Err(failure(&format!("work on the journal was interrupted: {fault}"))),
        }
    }

    /// Asks for the keys, and opens the way to the service.
    async fn open(&self) -> Result<Arc<AuthorisedClient>, Failure> {
        let open = Arc::clone(&self.paying.operator);
        match tokio::task::spawn_blocking(move || open()).await {
            Ok(opened) => opened.map(|AuthorisedClient { operator, destination }| {
                Arc::new(AuthorisedClient { operator: operator.beside(&self.world.reader), destination })
            }),
            Err(fault) => Err(failure(&format!("the keys could not be requested: {fault}"))),
        }
    }

    /// Whether what was typed unlocks paying.
    async fn verify_passphrase(&self, typed: SecretInput) -> Result<bool, Failure> {
        let Some(unlocks) = self.paying.passphrase_verifier.clone() else {
            return Err(failure("no passphrase is set to compare it with"));
        };
        match tokio::task::spawn_blocking(move || unlocks(&typed)).await {
            Ok(result) => result,
            Err(fault) => Err(failure(&format!("the check was interrupted: {fault}"))),
        }
    }

    /// Holds the way to the service for the review of an intent; of another one it is let go.
    fn hold(&self, intent: OrderId, opened: Arc<AuthorisedClient>) {
        *self.review_operator.lock().unwrap_or_else(PoisonError::into_inner) = Some((intent, opened));
    }

    /// The way that is held for an intent.
    fn review_operator(&self, intent: OrderId) -> Option<Arc<AuthorisedClient>> {
        let held = self.review_operator.lock().unwrap_or_else(PoisonError::into_inner);
        held.as_ref().filter(|(for_whom, _)| *for_whom == intent).map(|(_, opened)| Arc::clone(opened))
    }

    /// Lets go of the way to the service, and of the keys with it.
    fn let_go(&self, intent: OrderId) {
        let mut held = self.review_operator.lock().unwrap_or_else(PoisonError::into_inner);
        if held.as_ref().is_some_and(|(for_whom, _)| *for_whom == intent) {
            *held = None;
        }
        drop(held);
        *self.order_cache.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// What an intent brought into being, by the answers to it and when they came.
fn made_by(intent: &Order) -> impl Iterator<Item = (Timestamp, &Made)> {
    let answers = intent.attempts.iter().filter_map(|attempt| attempt.answer.as_ref());
    answers.filter_map(|(at, answer)| Some((*at, answer.made.as_ref()?)))
}

/// Something that this console could not do; nothing was sent.
fn failure(words: &str) -> Failure {
    Failure::from_read(Reason::Local, words)
}
