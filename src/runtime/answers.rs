//! The store's answers: one thread that asks it, so that a slow disk never holds up a key.
//!
//! Of several questions of one kind only the newest is asked: the answers to the others would be dropped. A new
//! question to a history list also ends the search that the one before may still be at.

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;

use super::perform::{Delivery, Work};
use super::{knowledge, watching};
use crate::app::users::Kept;
use crate::app::{Answer, Msg, Question, Turn};
use crate::domain::history::Scope;
use crate::domain::{Failure, Reason, UserId};
use crate::store::{Cancel, Store, StoreError};

/// Questions that wait, and the search that is under way.
#[derive(Default)]
struct Queue {
    waiting: VecDeque<(Question, Turn)>,
    searching: Option<(Question, Cancel)>,
    closed: bool,
}

/// The way to the thread that asks the store.
pub(super) struct Answers {
    shared: Arc<(Mutex<Queue>, Condvar)>,
    /// Closed when the thread has let go of the store; `None` where nothing is to be removed then.
    ended: Option<Receiver<()>>,
    deliveries: UnboundedSender<Delivery>,
}

impl Answers {
    /// Starts the thread.
    pub(super) fn start(store: Store, deliveries: UnboundedSender<Delivery>) -> io::Result<Self> {
        let shared = Arc::new((Mutex::new(Queue::default()), Condvar::new()));
        let (queue, sender) = (shared.clone(), deliveries.clone());
        let (alive, ended) = channel();
        // What is in memory goes with whoever holds it last, and nobody shall wait for that.
        let ended = (!store.is_in_memory()).then_some(ended);
        thread::Builder::new().name("answers".into()).spawn(move || {
            let _alive: std::sync::mpsc::Sender<()> = alive;
            // Let go of before `alive`, so that whoever waits for the end finds the store closed.
            let store = store;
            while let Some((question, turn, cancel)) = next(&queue) {
                answer(&store, question, turn, &cancel, &sender);
                // Nobody listens any more only when the console ends.
                let _ = sender.send(Delivery::Done(Work::Asking));
            }
        })?;
        Ok(Self { shared, ended, deliveries })
    }

    /// Asks.
    pub(super) fn ask(&self, question: Question, turn: Turn) {
        let (queue, bell) = &*self.shared;
        let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((searching, cancel)) = &queue.searching
            && same_kind(searching, &question)
        {
            cancel.cancel();
        }
        let before = queue.waiting.len();
        queue.waiting.retain(|(waiting, _)| !same_kind(waiting, &question));
        let dropped = before - queue.waiting.len();
        queue.waiting.push_back((question, turn));
        bell.notify_one();
        for _ in 0..dropped {
            let _ = self.deliveries.send(Delivery::Done(Work::Asking));
        }
    }
}

/// How long the end waits for a question that is being answered. A temporary cache is removed with its last holder, so
/// the thread should not be it when the process ends.
const FAREWELL: Duration = Duration::from_millis(200);

impl Drop for Answers {
    fn drop(&mut self) {
        let (queue, bell) = &*self.shared;
        {
            let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
            queue.closed = true;
            queue.waiting.clear();
            if let Some((_, cancel)) = &queue.searching {
                cancel.cancel();
            }
        }
        bell.notify_one();
        if let Some(ended) = &self.ended {
            let _later_if_not_now = ended.recv_timeout(FAREWELL);
        }
    }
}

fn same_kind(one: &Question, other: &Question) -> bool {
    match (one, other) {
        (Question::History(one, _), Question::History(other, _)) => one == other,
        (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}

/// Waits for the next question; `None` when there will be none.
fn next(shared: &(Mutex<Queue>, Condvar)) -> Option<(Question, Turn, Cancel)> {
    let (queue, bell) = shared;
    let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    queue.searching = None;
    loop {
        if queue.closed {
            return None;
        }
        if let Some((question, turn)) = queue.waiting.pop_front() {
            let cancel = Cancel::new();
            queue.searching = Some((question.clone(), cancel.clone()));
            return Some((question, turn, cancel));
        }
        queue = bell.wait(queue).unwrap_or_else(PoisonError::into_inner);
    }
}

/// The accounts, as they are asked for first.
pub(super) fn accounts(store: &Store) -> Result<Answer, Failure> {
    store.accounts().map(Answer::Accounts).map_err(|error| failed(&error))
}

fn failed(error: &StoreError) -> Failure {
    Failure::of_read(Reason::Local, &error.to_string())
}

fn answer(store: &Store, question: Question, turn: Turn, cancel: &Cancel, deliveries: &UnboundedSender<Delivery>) {
    // Nobody listens any more only when the console ends.
    let send = |answer| {
        let _ = deliveries.send(Delivery::Message(Msg::Answered { turn, answer }));
    };
    let failed = |error: StoreError| failed(&error);
    match question {
        Question::Accounts => send(accounts(store)),
        Question::KnownAddresses(words) => {
            let known = knowledge::acquaintances(store, &words);
            send(known.map(|(own, paid)| Answer::KnownAddresses { own, paid }).map_err(failed));
        }
        Question::Contradicted => send(store.contradicted_wallets().map(Answer::Contradicted).map_err(failed)),
        Question::Wallets { scope, filter, first, rows } => {
            let wallets = store.wallets(&scope, &filter, first, rows);
            send(wallets.map(|window| Answer::Wallets(scope, window)).map_err(failed));
        }
        Question::User(user) => send(kept(store, &user).map(|kept| Answer::User(user, Box::new(kept))).map_err(failed)),
        Question::Users { filter, first, rows, kept, arranged } => {
            let arranged = if arranged { store.arrange_users() } else { Ok(()) };
            let told = arranged.and_then(|()| store.users_with(&filter, first, rows, kept.as_ref()));
            send(told.map(Answer::Users).map_err(failed));
        }
        Question::Watched(watches) => {
            send(watching::look(store, &watches).map(Answer::Watched).map_err(failed));
        }
        Question::Mark => send(store.mark().map(|mark| Answer::Mark(Box::new(mark))).map_err(failed)),
        Question::Since(mark) => send(store.since(&mark).map(Answer::Since).map_err(failed)),
        Question::Holdings(scope) => {
            let told = store.holdings(&scope).and_then(|all| Ok((all, store.users_within(&scope)?)));
            send(told.map(|(all, users)| Answer::Holdings { scope, all, users }).map_err(failed));
        }
        Question::History(list, span) => {
            let told = store.history(&span, cancel, &mut |window| {
                send(Ok(Answer::History(list, span.query.clone(), window)));
            });
            match told {
                // A newer question took its place: nothing failed.
                Ok(()) | Err(StoreError::Cancelled) => {}
                Err(error) => send(Err(failed(error))),
            }
        }
        Question::LeftOut(list, query, rows) => match store.left_out(&query, &rows, cancel) {
            Ok(hidden) => send(Ok(Answer::LeftOut(list, query, hidden))),
            // A newer question took its place.
            Err(StoreError::Cancelled) => {}
            Err(error) => send(Err(failed(error))),
        },
        Question::Rows(rows) => send(store.rows_at(&rows).map(Answer::Rows).map_err(failed)),
        Question::Payers { filter, rows } => {
            let wallets = store.wallets(&Scope::All, &filter, 0, rows);
            send(wallets.map(|window| Answer::Payers(filter, window)).map_err(failed));
        }
        Question::Held(wallet) => {
            let holdings = store.holdings(&Scope::Wallet(wallet.clone()));
            send(holdings.map(|holdings| Answer::Held(wallet, holdings)).map_err(failed));
        }
        Question::Fee(symbol, token) => {
            let fee = knowledge::fee(store, &symbol, &token);
            send(fee.map(|fee| Answer::Fee(token, fee)).map_err(failed));
        }
        Question::Markets => {
            let tokens = store.tokens().map(|read| read.map(|(tokens, _)| tokens).unwrap_or_default());
            send(tokens.map(Answer::Markets).map_err(failed));
        }
    }
}

/// The most wallets of one user that are shown.
const WALLETS: u32 = 500;

/// What the store knows of one user.
fn kept(store: &Store, user: &UserId) -> Result<Kept, StoreError> {
    let scope = Scope::User(user.clone());
    Ok(Kept {
        holdings: store.holdings(&scope)?,
        wallets: store.wallets(&scope, "", 0, WALLETS)?.rows,
        balances_at: store.balances_time(&scope)?,
    })
}
