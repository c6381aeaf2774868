//! What the store works out for pictures, aside from the questions that keys wait for: what accounts are worth, the past
//! of balances, with how many confirmations transactions are settled.
//!
//! One of a kind is under way at a time. When what it was made from changed it is made anew, and not sooner than it is
//! worth: sums over many wallets and days cost more than a window of rows.

use std::time::Duration;

use super::look_alikes::{self, Compared, LookAlikes};
use super::model::{Model, Page};
use super::msg::{Effect, Turn};
use crate::domain::history::Scope;
use crate::domain::{AccountId, Day, Failure, Holding, Past, Settling, Text, Timestamp, TokenKey, Transaction};
use crate::guard::Resembled;

/// What is to be worked out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Picture {
    /// What accounts hold.
    Worths(Vec<AccountId>),
    /// Which addresses of rows resemble known ones.
    LookAlikes(Box<Compared>),
    /// With how many confirmations transactions are settled.
    Settling,
    /// The past of everything that a scope holds.
    Week {
        /// Whose.
        scope: Scope,
        /// The first day.
        since: Day,
    },
    /// The past of one token within a scope.
    Token {
        /// Whose.
        scope: Scope,
        /// Of which token.
        token: TokenKey,
        /// The first day.
        since: Day,
    },
}

/// What was worked out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pictured {
    /// What accounts hold.
    Worths(Vec<(AccountId, Vec<Holding>)>),
    /// Which of the addresses resemble known ones, and whom.
    LookAlikes(Vec<(Text, Option<Resembled>)>),
    /// With how many confirmations transactions are settled.
    Settling(Settling),
    /// The past of everything that a scope holds.
    Week(Past),
    /// The past of one token, and what is held of it now.
    Token(Past, Option<Holding>),
}

/// One kind of picture: the last one that was made, and whether another is due.
#[derive(Debug, Clone)]
pub struct Slot<T> {
    turn: Turn,
    in_flight: bool,
    /// Of what the newest one was asked for, and when.
    asked: Option<(Picture, Timestamp)>,
    /// Whether what it is made from changed since.
    changed: bool,
    /// The last one, and what it is of.
    made: Option<(Picture, T)>,
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self { turn: Turn::default(), in_flight: false, asked: None, changed: false, made: None }
    }
}

impl<T> Slot<T> {
    /// When it is to be made anew; `None` where it need not be.
    fn due(&self, wanted: &Picture, pause: Duration, now: Timestamp) -> Option<Timestamp> {
        match &self.asked {
            _ if self.in_flight => None,
            Some((known, at)) if known == wanted => self.changed.then(|| at.plus(pause)),
            _ => Some(now),
        }
    }

    fn start(&mut self, wanted: Picture, now: Timestamp) -> Effect {
        self.in_flight = true;
        self.changed = false;
        self.asked = Some((wanted.clone(), now));
        Effect::Picture { what: wanted, turn: self.turn.advance() }
    }

    fn take(&mut self, turn: Turn, what: Picture, made: Result<T, Failure>) {
        if turn != self.turn {
            return;
        }
        self.in_flight = false;
        match made {
            Ok(made) => self.made = Some((what, made)),
            // What could not be made is tried again with the next change.
            Err(_) => self.changed = true,
        }
    }
}

/// Every picture.
#[derive(Debug, Clone, Default)]
pub struct Pictures {
    worths: Slot<Vec<(AccountId, Vec<Holding>)>>,
    settling: Slot<Settling>,
    week: Slot<Past>,
    chart: Slot<(Past, Option<Holding>)>,
    /// Rows whose other side resembles a known address.
    pub look_alikes: LookAlikes,
}

impl Pictures {
    /// What an account holds.
    pub fn held_by(&self, account: &AccountId) -> Option<&[Holding]> {
        let (_, all) = self.worths.made.as_ref()?;
        all.iter().find(|(known, _)| known == account).map(|(_, holdings)| holdings.as_slice())
    }

    /// How many confirmations a transaction that is on its way waits for, where settled ones show it.
    pub fn awaited(&self, transaction: &Transaction) -> Option<u64> {
        self.settling.made.as_ref().and_then(|(_, settling)| settling.awaited(transaction))
    }

    /// What each account on screen holds.
    pub(super) fn worths(&self) -> impl Iterator<Item = &[Holding]> {
        let made = self.worths.made.iter().flat_map(|(_, all)| all);
        made.map(|(_, holdings)| holdings.as_slice())
    }

    /// The past of a token, and what is held of it now.
    pub fn chart(&self, wanted: &Picture) -> Option<&(Past, Option<Holding>)> {
        self.chart.made.as_ref().filter(|(what, _)| what == wanted).map(|(_, made)| made)
    }

    /// The past of a scope's balances.
    pub fn week(&self, scope: &Scope) -> Option<&Past> {
        let made = self.week.made.as_ref();
        made.filter(|(what, _)| matches!(what, Picture::Week { scope: of, .. } if of == scope)).map(|(_, past)| past)
    }

    /// What pictures are made from changed.
    pub(super) fn changed(&mut self) {
        self.worths.changed = true;
        self.settling.changed = true;
        self.week.changed = true;
        self.chart.changed = true;
    }
}

/// Days that a sparkline shows.
pub const WEEK: u16 = 7;
/// The most accounts that are valued.
const MOST_ACCOUNTS: usize = 32;

/// A picture that the screen wants, and how long it can do with the one that it has.
type Wanted = Option<(Picture, Duration)>;

/// What the screen wants, in the order of the slots.
fn wanted(model: &Model) -> [Wanted; 4] {
    let overview = model.page == Page::Overview && model.connected;
    let shown = &model.balances;
    let since = Day::of(model.now).before(WEEK - 1);
    let week = overview && shown.listing.is_loaded();
    let week = week.then(|| Picture::Week { scope: shown.shown.clone(), since });
    let accounts: Vec<AccountId> =
        model.accounts.visible().map(|(account, _)| account.entry.id.clone()).take(MOST_ACCOUNTS).collect();
    let worths = overview && model.prices.settings.valuation.is_some() && !accounts.is_empty();
    let worths = worths.then_some(Picture::Worths(accounts));
    let chart = model.mode.chart().map(|chart| chart.picture(Day::of(model.now)));
    let pause = |times: u32| model.period.saturating_mul(times).max(Duration::from_secs(5));
    // At first there is nothing to see, and balances come in one by one. Once no answers come any more, all sums are told as
    // of what was read last, at once: one that moved later would pass for news.
    let first = model.pictures.worths().all(<[Holding]>::is_empty);
    let slowly = match (first, model.link.is_answered()) {
        (_, false) => Duration::ZERO,
        (true, true) => model.period,
        (false, true) => pause(6),
    };
    // At first little was read.
    let is_shown = model.pictures.settling.made.as_ref().is_some_and(|(_, settling)| *settling != Settling::default());
    let settled = if is_shown { pause(12) } else { model.period };
    let listed = model.connected && matches!(model.page, Page::Overview | Page::Transactions);
    [
        worths.map(|what| (what, slowly)),
        listed.then_some((Picture::Settling, settled)),
        week.map(|what| (what, pause(5))),
        chart.map(|what| (what, pause(1))),
    ]
}

/// Starts every picture that is due.
pub(super) fn start_due(model: &mut Model) -> Vec<Effect> {
    let [worths, settling, week, chart] = wanted(model);
    let (now, pictures) = (model.now, &mut model.pictures);
    let due = [
        start(&mut pictures.worths, worths, now),
        start(&mut pictures.settling, settling, now),
        start(&mut pictures.week, week, now),
        start(&mut pictures.chart, chart, now),
        look_alikes::start_due(model),
    ];
    due.into_iter().flatten().collect()
}

fn start<T>(slot: &mut Slot<T>, wanted: Wanted, now: Timestamp) -> Option<Effect> {
    let (what, pause) = wanted?;
    slot.due(&what, pause, now).filter(|due| *due <= now)?;
    Some(slot.start(what, now))
}

/// When a picture is next due.
pub(super) fn next_due(model: &Model) -> Option<Timestamp> {
    let [worths, settling, week, chart] = wanted(model);
    let (now, pictures) = (model.now, &model.pictures);
    let due = [
        worths.and_then(|(what, pause)| pictures.worths.due(&what, pause, now)),
        settling.and_then(|(what, pause)| pictures.settling.due(&what, pause, now)),
        week.and_then(|(what, pause)| pictures.week.due(&what, pause, now)),
        chart.and_then(|(what, pause)| pictures.chart.due(&what, pause, now)),
        pictures.look_alikes.next_due(),
    ];
    due.into_iter().flatten().min()
}

/// A picture was made, or could not be.
pub(super) fn made(model: &mut Model, what: Picture, turn: Turn, result: Result<Pictured, Failure>) {
    if let Err(failure) = &result {
        model.store_failure = Some(failure.clone());
    }
    let pictures = &mut model.pictures;
    match (&what, result) {
        (Picture::Worths(_), Ok(Pictured::Worths(worths))) => pictures.worths.take(turn, what, Ok(worths)),
        (Picture::Worths(_), Err(failure)) => pictures.worths.take(turn, what, Err(failure)),
        (Picture::Settling, Ok(Pictured::Settling(settling))) => pictures.settling.take(turn, what, Ok(settling)),
        (Picture::Settling, Err(failure)) => pictures.settling.take(turn, what, Err(failure)),
        (Picture::Week { .. }, Ok(Pictured::Week(past))) => pictures.week.take(turn, what, Ok(past)),
        (Picture::Week { .. }, Err(failure)) => pictures.week.take(turn, what, Err(failure)),
        (Picture::Token { .. }, Ok(Pictured::Token(past, held))) => pictures.chart.take(turn, what, Ok((past, held))),
        (Picture::Token { .. }, Err(failure)) => pictures.chart.take(turn, what, Err(failure)),
        (Picture::LookAlikes(_), Ok(Pictured::LookAlikes(judged))) => pictures.look_alikes.take(turn, Some(judged)),
        (Picture::LookAlikes(_), Err(_)) => pictures.look_alikes.take(turn, None),
        // Whoever makes pictures makes the one that was asked for.
        (
            Picture::Worths(_)
            | Picture::LookAlikes(_)
            | Picture::Settling
            | Picture::Week { .. }
            | Picture::Token { .. },
            Ok(_),
        ) => {}
    }
}
