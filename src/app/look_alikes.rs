//! Rows whose other side resembles a known address without being it: by the guard's judgement of whom one pays, so that a row
//! is marked before anybody copies from it.
//!
//! The addresses of the rows that are held for the screen are judged beside the thread that answers keys, once when they come
//! in; known addresses are gathered anew when they may have changed, and not oftener than each minute.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use super::charts::ChartQuery;
use super::model::Model;
use super::msg::{Effect, RequestId};
use crate::domain::history::HistoryRow;
use crate::domain::intent::State;
use crate::domain::{Book, FinalStatuses, Policy, Text, Timestamp};
use crate::guard::{GuardFacts, LookAlikeMatch, OwnAddress, Payee};

/// Known addresses are gathered anew at the earliest after this time.
const PAUSE: Duration = Duration::from_mins(1);

/// Addresses of rows, and what they are compared with besides what was read from the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    /// The addresses.
    pub addresses: Vec<Text>,
    /// How often known addresses were gathered: those of an earlier time do not suffice.
    pub generation: u64,
    /// Which words of the service are final.
    pub final_words: FinalStatuses,
    /// The address book.
    pub book: Book,
    /// How long an entry of it cools.
    pub cooling: Option<Duration>,
    /// Recipients of this console's own accepted payments.
    pub payees: Vec<Text>,
}

impl Compared {
    /// What is known around these addresses, for the guard: with one's own addresses, and whom the history shows to have
    /// been paid.
    pub fn knowledge(&self, own: Vec<OwnAddress>, paid_by_history: Vec<Text>) -> GuardFacts {
        GuardFacts {
            own_addresses: own,
            paid_by_history,
            payees: self.payees.iter().cloned().map(Payee::at).collect(),
            book: self.book.clone(),
            policy: Policy { cooling: self.cooling, ..Policy::default() },
            ..GuardFacts::default()
        }
    }
}

/// What was found of the addresses of the rows that are held.
#[derive(Debug, Clone, Default)]
pub struct LookAlikes {
    turn: RequestId,
    in_flight: bool,
    /// How often known addresses were gathered, and when last; `None` where that was before something that counts at once.
    generation: u64,
    as_of: Option<Timestamp>,
    /// Whether they may have changed since.
    changed: bool,
    /// Whether rows came in since.
    rows_came: bool,
    judged: HashMap<Text, Option<LookAlikeMatch>>,
}

impl LookAlikes {
    /// Whom the other side of a row resembles.
    pub fn of_row(&self, row: &HistoryRow) -> Option<&LookAlikeMatch> {
        self.of(row.transaction.counterparty()?)
    }

    /// Whom an address resembles.
    pub fn of(&self, address: &Text) -> Option<&LookAlikeMatch> {
        self.judged.get(address)?.as_ref()
    }

    /// Rows came in.
    pub(super) fn rows_came(&mut self) {
        self.rows_came = true;
    }

    /// What is known may have changed.
    pub(super) fn changed(&mut self) {
        self.changed = true;
    }

    /// What is known has changed, and counts at once.
    pub(super) fn renew(&mut self) {
        self.as_of = None;
    }

    /// When known addresses are to be gathered anew, if they are.
    pub(super) fn next_due(&self) -> Option<Timestamp> {
        let as_of = self.as_of.filter(|_| self.changed && !self.in_flight)?;
        Some(as_of.plus(PAUSE))
    }

    /// Addresses were judged, or could not be.
    pub(super) fn take(&mut self, turn: RequestId, judged: Option<Vec<(Text, Option<LookAlikeMatch>)>>) {
        if turn != self.turn {
            return;
        }
        self.in_flight = false;
        match judged {
            Some(judged) => self.judged = judged.into_iter().collect(),
            None => self.changed = true,
        }
    }

    /// The same of stand-ins.
    pub(super) fn veiled(&self, stand_in: impl Fn(&Text) -> Text) -> Self {
        let resembled =
            |found: &LookAlikeMatch| LookAlikeMatch { address: stand_in(&found.address), why: "known".to_owned() };
        let judged = self.judged.iter().map(|(address, found)| (stand_in(address), found.as_ref().map(resembled)));
        Self { judged: judged.collect(), ..Self::default() }
    }
}

/// Has what is held judged, where it was not, or what is known may have changed.
pub(super) fn start_due(model: &mut Model) -> Option<Effect> {
    let found = &model.charts.look_alikes;
    let is_renewed = found.as_of.is_none() || found.next_due().is_some_and(|due| due <= model.now);
    if found.in_flight || !(is_renewed || found.rows_came) {
        return None;
    }
    let addresses = counterparties(model);
    let now = model.now;
    let found = &mut model.charts.look_alikes;
    found.rows_came = false;
    if addresses.is_empty() || (!is_renewed && addresses.iter().all(|address| found.judged.contains_key(address))) {
        return None;
    }
    if is_renewed {
        (found.as_of, found.changed) = (Some(now), false);
        found.generation = found.generation.wrapping_add(1);
    }
    found.in_flight = true;
    let turn = found.turn.advance();
    let what = ChartQuery::LookAlikes(Box::new(compared(model, addresses)));
    Some(Effect::ComputeChart { query: what, turn })
}

/// With what these addresses are to be compared.
pub(super) fn compared(model: &Model, addresses: Vec<Text>) -> Compared {
    Compared {
        addresses,
        generation: model.charts.look_alikes.generation,
        final_words: model.book.final_words.clone(),
        book: model.forms.book.clone(),
        cooling: model.book.cooling,
        payees: payees(model),
    }
}

/// The addresses of the counterparties of all rows that a list has in memory.
fn counterparties(model: &Model) -> Vec<Text> {
    let lists = [&model.recent, &model.history];
    let rows = lists.into_iter().flat_map(|list| list.listing.rows()).chain(model.mode.transaction());
    let deposits = model.users.deposits.rows().iter().filter_map(|deposit| deposit.from_address.as_ref());
    let others = rows.filter_map(|row| row.transaction.counterparty());
    others.chain(deposits).collect::<HashSet<&Text>>().into_iter().cloned().collect()
}

/// Recipients of this console's own accepted payments.
fn payees(model: &Model) -> Vec<Text> {
    let was_accepted = |state: State| matches!(state, State::Accepted | State::Settled | State::PartlySettled);
    let orders = model.orders.iter().filter(|order| was_accepted(order.state(model.now)));
    let paid = orders.filter_map(|order| Some((order, order.drafted.draft.payment_details()?)));
    let all = paid.flat_map(|(order, pays)| {
        let failed = order.unpaid_recipients(&model.book.final_words);
        (0_u32..).zip(pays.to).filter(move |(part, _)| !failed.contains(part)).map(|(_, (to, _))| to)
    });
    all.collect::<HashSet<&Text>>().into_iter().cloned().collect()
}

#[cfg(test)]
mod tests;
