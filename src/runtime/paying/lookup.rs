//! What became of orders that are open, by the service's own history.
//!
//! Outgoing transactions are read from the newest back to one that was known before the order was born: then everything
//! since was seen. That holds where the service's lists were found to keep their order and their pages, and is never
//! claimed where they were not.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

#[cfg(test)]
mod tests;

use super::Desk;
use super::send::end_of;
use crate::app::Snapshot;
use crate::domain::draft::Draft;
use crate::domain::history::{Anchor, Query, Span};
use crate::domain::intent::{Illegal, Look, State};
use crate::domain::{
    Amount, Direction, Failure, FinalWords, Intent, IntentId, Seen, Timestamp, Transaction, TransactionId, Verdict,
    chain,
};
use crate::journal::JournalError;
use crate::runtime::reads;
use crate::store::{Cancel, Store};

/// Rows asked for in a page, and how many pages at most are read at a time.
const PAGE: u64 = 100;
const PAGES: u64 = 20;

/// How far apart reads are that count towards an order which was not seen: they shall tell of different moments.
const APART: Duration = Duration::from_mins(3);

/// How much earlier than its sending a transaction may be dated that resembles an order: clocks differ.
const CLOCKS_DIFFER: Duration = Duration::from_mins(10);

impl Desk {
    /// Looks for every payment that may be found.
    pub(in crate::runtime) async fn look(&self) -> Result<Snapshot, Failure> {
        let began = self.now();
        let sought: Vec<Intent> = self.here(0).await?.into_iter().filter(|order| is_sought(order, began)).collect();
        if sought.is_empty() {
            return Ok(Snapshot::Orders);
        }
        let mut history = Outgoing { words: self.paying.final_words.clone(), ..Outgoing::default() };
        let mut failed = None;
        for number in 1..=PAGES {
            let page = match self.world.reader.transactions(&Direction::Outgoing, number, PAGE).await {
                Ok(page) => page,
                // What the pages before it told is taken in all the same: a payment that one of them shows is not to be
                // sent again because the next one cannot be had.
                Err(failure) => {
                    failed = Some(failure);
                    break;
                }
            };
            let is_last = page.items.is_empty() || page.total_page.is_some_and(|total| number >= total);
            history.take(page.items, page.unreadable);
            if is_last {
                history.is_whole = true;
            }
            if history.is_whole || history.is_odd || sought.iter().all(|order| history.is_enough_for(order)) {
                break;
            }
        }
        let progress = reads::kept(&self.world, Store::progress).await?;
        let is_proven = progress.partial.is_none() && !history.is_odd && !history.is_upside_down();
        let mut told = Told::new(&sought);
        for order in &sought {
            let found = self.found(&history, order, &mut told).await?;
            let resembles = if found.is_some() { None } else { resembling(&history, order, &told) };
            let covers = is_proven && history.reaches(order) && !history.may_hold(order) && has_answered(order, began);
            self.keep(order, Look { found, resembles, covers }, began).await?;
        }
        self.tell().await;
        failed.map_or(Ok(Snapshot::Orders), Err)
    }

    /// What the history says of an order under its own key, or else under its reference.
    async fn found(&self, history: &Outgoing, order: &Intent, told: &mut Told) -> Result<Option<Seen>, Failure> {
        let row = history.by_key(order);
        let row = row.or_else(|| history.rows.iter().find(|row| told.is_referred_to(row, order, history)));
        if let Some(row) = row {
            told.claimed.insert(row.id.clone());
            return Ok(Some(Seen::of(row)));
        }
        // What was found before may have sunk below the pages that were read; what the cache knows of it goes on being
        // read until it is final.
        let Some(known) = order.transaction().cloned() else { return Ok(None) };
        let query = Query { filter: format!("id:{known}"), ..Query::default() };
        let span = Span { query, anchor: Anchor::Rank(0), rows: 4 };
        let kept = reads::kept(&self.world, move |store| {
            let mut row = None;
            store.history(&span, &Cancel::new(), &mut |window| {
                row = window.rows.into_iter().map(|row| row.transaction).find(|kept| kept.id == known);
            })?;
            Ok(row)
        });
        let is_another = |row: &Transaction| row.idempotency_key.is_some() && !has_key(row, order);
        Ok(kept.await?.filter(|row| !is_another(row)).map(|row| Seen::of(&row)))
    }

    /// Records a look if it says something new, and the end if it is one.
    async fn keep(&self, order: &Intent, look: Look, at: Timestamp) -> Result<(), Failure> {
        let words = self.paying.final_words.clone();
        let end = end_of(look.found.as_ref().map_or(Verdict::Open, |seen| words.verdict(seen)));
        if !says_more(order, &look, at) && end.is_none() {
            return Ok(());
        }
        let id = order.id;
        self.journal(move |journal, _| {
            journal.looked(id, look, at)?;
            match end {
                Some(end) => match journal.end(id, end, at) {
                    // Its own answer, or another console, was faster.
                    Err(JournalError::Illegal(Illegal::Ended)) => Ok(()),
                    ended => ended,
                },
                None => Ok(()),
            }
        })
        .await
    }
}

/// Whether the history can say something of an order now.
fn is_sought(order: &Intent, now: Timestamp) -> bool {
    let sent = match order.state(now) {
        // Who is sending it may have ended since, and what is found was made, whoever waits for the answer.
        State::Sending | State::Unknown | State::ProbablyRefused | State::Accepted => true,
        _ => false,
    };
    sent && order.drafted.draft.operation().moves_money()
}

/// Whether nobody waits any more for the answer to any of its attempts: a read before that says nothing of it.
fn has_answered(order: &Intent, began: Timestamp) -> bool {
    order.attempts.iter().all(|attempt| match &attempt.answer {
        Some((at, _)) => *at <= began,
        None => attempt.gives_up_at <= began,
    })
}

/// Whether a look is worth a record. Reads that find nothing count while it may not yet be said that the order was not
/// seen, and only so far apart that they tell of different moments.
fn says_more(order: &Intent, look: &Look, at: Timestamp) -> bool {
    if look.found.is_none() && order.state(at) == State::Sending {
        return false;
    }
    let suggested = order.looks.iter().rev().find_map(|(_, look)| look.resembles.as_ref());
    match &look.found {
        Some(found) => order.seen() != Some(found),
        None if look.resembles.is_some() && look.resembles.as_ref() != suggested => true,
        // That the history cannot prove anything is worth one record.
        None if !look.covers => order.looks.is_empty() && has_answered(order, at),
        None => {
            let last = order.covering_reads().last().copied();
            order.seen().is_none() && !order.was_not_seen() && last.is_none_or(|last| last.age(at) >= APART)
        }
    }
}

/// Outgoing transactions, the newest first, as far back as they were read.
#[derive(Default)]
struct Outgoing {
    rows: Vec<Transaction>,
    known: HashMap<TransactionId, usize>,
    /// Keys of rows that did not fail: no further row can say anything else of their orders.
    keys: HashSet<String>,
    words: FinalWords,
    /// The time of the last row that has one, and how often it was later, and earlier, than that of the row before.
    last_at: Option<Timestamp>,
    later: u64,
    earlier: u64,
    /// Whether the list was read to its end.
    is_whole: bool,
    /// Whether its pages do not follow each other, or hold what cannot be read.
    is_odd: bool,
}

impl Outgoing {
    fn take(&mut self, rows: Vec<Transaction>, unreadable: u64) {
        let before = self.rows.len();
        let asked = !rows.is_empty();
        for row in rows {
            // Rows that arrive meanwhile push others into the next page, where they are met again.
            if !self.known.contains_key(&row.id) && row.direction == Direction::Outgoing {
                self.known.insert(row.id.clone(), self.rows.len());
                if !self.has_failed(&row) {
                    self.keys.extend(row.idempotency_key.as_ref().map(|key| key.to_ascii_lowercase()));
                }
                self.take_time(&row);
                self.rows.push(row);
            }
        }
        // A page without a single new row comes from a service that does not turn pages.
        self.is_odd |= unreadable > 0 || (asked && self.rows.len() == before);
    }

    fn has_failed(&self, row: &Transaction) -> bool {
        self.words.verdict(&Seen::of(row)) == Verdict::Failed
    }

    fn take_time(&mut self, row: &Transaction) {
        let Some(at) = row.at() else { return };
        if let Some(before) = self.last_at.replace(at) {
            self.later += u64::from(at > before);
            self.earlier += u64::from(at < before);
        }
    }

    /// Whether the list seems to begin with its oldest row, so that what is new would stand on its last page. Single
    /// rows may well stand out of order: what counts is when they were confirmed, where nothing says when they were made.
    fn is_upside_down(&self) -> bool {
        self.later > self.earlier
    }

    /// The row that carries an order's key. Where several do, as after a service tried more than once, one that failed
    /// says nothing of the others.
    fn by_key(&self, order: &Intent) -> Option<&Transaction> {
        let with_key = || self.rows.iter().filter(|row| has_key(row, order));
        with_key().find(|row| !self.has_failed(row)).or_else(|| with_key().next())
    }

    /// Whether a row that names no key stands under an order's reference: then it cannot be said that the order was not
    /// seen, though the row says something else of it, or too little.
    fn may_hold(&self, order: &Intent) -> bool {
        let referred = |row: &&Transaction| row.ref_id.is_some() && row.ref_id.as_deref() == reference(order);
        self.rows.iter().filter(referred).any(|row| row.idempotency_key.is_none() && self.is_since(row, order))
    }

    /// Whether everything since the birth of an order was read. A list without any row that was known then lacks some,
    /// even where it comes to its end.
    fn reaches(&self, order: &Intent) -> bool {
        let newest = &order.drafted.newest;
        if newest.is_empty() { self.is_whole } else { newest.iter().any(|known| self.known.contains_key(known)) }
    }

    /// Whether no further page can say more of an order.
    fn is_enough_for(&self, order: &Intent) -> bool {
        let keyed = order.drafted.frozen.key.is_some_and(|key| self.keys.contains(&key.to_string()));
        keyed || self.reaches(order)
    }

    /// Whether a row came after all that was known when an order was born.
    fn is_since(&self, row: &Transaction, order: &Intent) -> bool {
        let known = order.drafted.newest.iter().filter_map(|known| self.known.get(known)).min();
        let at = self.known.get(&row.id);
        at.zip(known).is_none_or(|(at, known)| at < known)
    }
}

/// Which transactions belong to which orders.
struct Told {
    claimed: HashSet<TransactionId>,
    references: HashMap<String, HashSet<IntentId>>,
}

impl Told {
    fn new(orders: &[Intent]) -> Self {
        let mut references: HashMap<String, HashSet<IntentId>> = HashMap::new();
        for order in orders {
            if let Some(reference) = reference(order) {
                references.entry(reference.to_owned()).or_default().insert(order.id);
            }
        }
        let own = orders.iter().filter_map(|order| order.transaction().cloned());
        Self { claimed: own.collect(), references }
    }

    /// Whether a row is an order's by its reference: one that carries no key of its own, says nothing else than the
    /// order, came after it, and can be no other order's. References are given by people, who give them twice.
    fn is_referred_to(&self, row: &Transaction, order: &Intent, history: &Outgoing) -> bool {
        let Some(reference) = reference(order) else { return false };
        let alone = self.references.get(reference).is_some_and(|orders| orders.len() == 1);
        row.ref_id.as_deref() == Some(reference)
            && row.idempotency_key.is_none()
            && alone
            && !self.claimed.contains(&row.id)
            && history.is_since(row, order)
            && is_like(row, order)
    }
}

fn reference(order: &Intent) -> Option<&str> {
    match &order.drafted.draft {
        Draft::Withdraw(withdrawal) => withdrawal.ref_id.as_deref(),
        _ => None,
    }
}

fn has_key(row: &Transaction, order: &Intent) -> bool {
    let key = order.drafted.frozen.key.map(|key| key.to_string());
    key.zip(row.idempotency_key.as_ref()).is_some_and(|(key, its)| its.eq_ignore_ascii_case(&key))
}

/// Whether a row has an order's chain, token, recipient and amount, however it spells them.
fn is_like(row: &Transaction, order: &Intent) -> bool {
    let (Draft::Withdraw(wanted), Some(sender)) = (&order.drafted.draft, &order.drafted.sender) else { return false };
    let recipient = row.to_address.as_ref().is_some_and(|to| to.eq_ignore_ascii_case(&wanted.to));
    let token = row.token.contract == sender.token.contract || row.symbol.eq_ignore_ascii_case(&wanted.token);
    let same = |amount: Amount| amount.cmp_value(sender.amount).is_eq();
    let on_chain = chain::same(&row.token.blockchain, &sender.token.blockchain);
    recipient && token && on_chain && row.exact_amount().is_some_and(same)
}

/// A transaction that may be an order's, though it does not carry its key: a suggestion, for people.
fn resembling(history: &Outgoing, order: &Intent, told: &Told) -> Option<TransactionId> {
    let sent = order.first_sent()?;
    let in_time = |row: &&Transaction| row.at().is_none_or(|at| sent.age(at.plus(CLOCKS_DIFFER)) > Duration::ZERO);
    let mut like = history.rows.iter().filter(|row| {
        row.idempotency_key.is_none()
            && !told.claimed.contains(&row.id)
            && history.is_since(row, order)
            && is_like(row, order)
    });
    like.find(in_time).map(|row| row.id.clone())
}
