//! How a watch stands, reading by reading: raised once for each crossing, and not again before it was clear.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::time::Duration;

use super::{Condition, Watch, WatchReading};
use crate::domain::{Amount, Timestamp};

/// Into how many parts the time of a change is divided; each keeps its lowest and its highest balance.
const PARTS: u32 = 30;

/// How a watch stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Gauge {
    raised: Option<Timestamp>,
    /// Since when it cannot tell, and why.
    unavailable: Option<(Timestamp, String)>,
    /// Whether that was told.
    unavailable_reported: bool,
    /// Lowest and highest balance of each part of the time that a change may take, the oldest first.
    parts: VecDeque<(Timestamp, Amount, Amount)>,
    /// What was last read, in words.
    figure: Option<String>,
}

/// What a reading made of a watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crossing {
    /// It is raised now.
    Raised,
    /// It is clear again.
    Cleared,
    /// It cannot tell, and has not been able to for as long as a figure is believed.
    Unavailable,
    /// It can tell again, and nothing has changed.
    Available,
}

impl Gauge {
    /// Since when it is raised, if it is.
    pub fn raised(&self) -> Option<Timestamp> {
        self.raised
    }

    /// Why it cannot tell, once that was worth telling.
    pub fn unavailable_reason(&self) -> Option<&str> {
        self.unavailable.as_ref().filter(|_| self.unavailable_reported).map(|(_, why)| why.as_str())
    }

    /// Why it could not tell from the last reading, whether that was told or not.
    pub fn doubt_reason(&self) -> Option<&str> {
        self.unavailable.as_ref().map(|(_, why)| why.as_str())
    }

    /// What was last read and believed, in words.
    pub fn figure(&self) -> Option<&str> {
        self.figure.as_deref()
    }

    /// Takes in a reading; says what it makes of the watch.
    pub fn take(
        &mut self,
        watch: &Watch,
        reading: &WatchReading,
        now: Timestamp,
        period: Duration,
    ) -> Option<Crossing> {
        self.update_within(watch, reading, now, period, Duration::ZERO)
    }

    /// The same of a reading that is believed for so long even where the watch itself would not: a sum over many users, who
    /// are read in turn, those first whom the history tells of.
    pub fn update_within(
        &mut self,
        watch: &Watch,
        reading: &WatchReading,
        now: Timestamp,
        period: Duration,
        believed_for: Duration,
    ) -> Option<Crossing> {
        let max_age = watch.max_age(period);
        let figure = check_age(reading, now, max_age.max(believed_for));
        let judged = figure.and_then(|figure| self.judge(&watch.condition, figure, now));
        if let (Ok(_), WatchReading::Balance { as_of, .. }, Some(figure)) = (&judged, reading, &mut self.figure)
            && as_of.age(now) > max_age
        {
            // Minutes are enough, or the words would change with every look.
            let minutes = Duration::from_mins(as_of.age(now).as_secs() / 60);
            *figure = format!("{figure}, its oldest part read {} ago", humantime::format_duration(minutes));
        }
        let holds = match judged {
            Ok(holds) => holds,
            Err(why) => {
                let since = self.unavailable.as_ref().map_or(now, |(since, _)| *since);
                self.unavailable = Some((since, why));
                let tell = !self.unavailable_reported && since.age(now) >= max_age;
                self.unavailable_reported |= tell;
                return tell.then_some(Crossing::Unavailable);
            }
        };
        let saw_again = std::mem::take(&mut self.unavailable_reported);
        self.unavailable = None;
        match (self.raised.is_some(), holds) {
            (false, Some(true)) => {
                self.raised = Some(now);
                Some(Crossing::Raised)
            }
            (true, Some(false)) => {
                self.raised = None;
                Some(Crossing::Cleared)
            }
            _ => saw_again.then_some(Crossing::Available),
        }
    }

    /// Whether the condition holds; `None` between its two edges, where nothing changes.
    fn judge(&mut self, condition: &Condition, figure: Figure, now: Timestamp) -> Result<Option<bool>, String> {
        let wrong = || Err("this reading does not fit the watch".to_owned());
        Ok(match (*condition, figure) {
            (Condition::Below { limit, margin }, Figure::Balance(amount)) => {
                self.figure = Some(amount.grouped());
                let clear_from = sum(limit, margin).unwrap_or(limit);
                edges(amount.cmp_value(limit).is_lt(), amount.cmp_value(clear_from).is_ge())
            }
            (Condition::Above { limit, margin }, Figure::Balance(amount)) => {
                self.figure = Some(amount.grouped());
                let clear_to = difference(limit, margin).unwrap_or(Amount::zero(0));
                edges(amount.cmp_value(limit).is_gt(), amount.cmp_value(clear_to).is_le())
            }
            (Condition::Change { by, within }, Figure::Balance(amount)) => {
                let (most, rose) = self.record_change(amount, within, now);
                let sign = if rose { '+' } else { '−' };
                self.figure = Some(match most {
                    Some(most) => format!("{}, {sign}{} within the period", amount.grouped(), most.grouped()),
                    None => format!("{}, changed by more than can be calculated", amount.grouped()),
                });
                Some(most.is_none_or(|most| most.cmp_value(by).is_ge()))
            }
            (Condition::Pending { longer }, Figure::Pending(oldest, count)) => {
                let longest = oldest.map_or(Duration::ZERO, |oldest| oldest.age(now));
                let holds = longest > longer;
                let seconds = Duration::from_secs(longest.as_secs());
                self.figure = Some(match (count, holds) {
                    (0, _) => "nothing is pending".into(),
                    (_, true) => format!("{count} pending, the oldest for {}", humantime::format_duration(seconds)),
                    (_, false) => format!("{count} pending, none for that long"),
                });
                Some(holds)
            }
            (Condition::Below { .. } | Condition::Above { .. } | Condition::Change { .. }, Figure::Pending(..))
            | (Condition::Pending { .. }, Figure::Balance(_)) => return wrong(),
        })
    }

    /// Keeps a balance, and says by how much it differs at most from those of the time before, and whether it rose from
    /// there; `None` where that cannot be written.
    fn record_change(&mut self, amount: Amount, within: Duration, now: Timestamp) -> (Option<Amount>, bool) {
        while self.parts.front().is_some_and(|(at, ..)| at.age(now) > within) {
            self.parts.pop_front();
        }
        match self.parts.back_mut() {
            Some((at, low, high)) if at.age(now) < within / PARTS => {
                *low = if amount.cmp_value(*low).is_lt() { amount } else { *low };
                *high = if amount.cmp_value(*high).is_gt() { amount } else { *high };
            }
            _ => self.parts.push_back((now, amount, amount)),
        }
        let mut most = (Some(Amount::zero(0)), true);
        for other in self.parts.iter().flat_map(|(_, low, high)| [*low, *high]) {
            let rose = amount.cmp_value(other).is_ge();
            let (more, less) = if rose { (amount, other) } else { (other, amount) };
            let Some(change) = difference(more, less) else { return (None, rose) };
            if most.0.is_some_and(|most| change.cmp_value(most).is_gt()) {
                most = (Some(change), rose);
            }
        }
        most
    }
}

/// A reading that is believed.
enum Figure {
    Balance(Amount),
    Pending(Option<Timestamp>, u64),
}

fn check_age(reading: &WatchReading, now: Timestamp, max_age: Duration) -> Result<Figure, String> {
    let fresh = |as_of: Timestamp| {
        let age = as_of.age(now);
        let seconds = Duration::from_secs(age.as_secs());
        let words = || format!("the data was last read {} ago", humantime::format_duration(seconds));
        if age > max_age { Err(words()) } else { Ok(()) }
    };
    match reading {
        WatchReading::Balance { amount, as_of } => fresh(*as_of).map(|()| Figure::Balance(*amount)),
        WatchReading::Pending { oldest, count, as_of } => fresh(*as_of).map(|()| Figure::Pending(*oldest, *count)),
        WatchReading::Unknown(why) | WatchReading::Nowhere(why) => Err(why.clone()),
    }
}

/// Whether a condition holds by its two edges: the one that raises and the one that clears.
fn edges(raises: bool, clears: bool) -> Option<bool> {
    match (raises, clears) {
        (true, _) => Some(true),
        (false, true) => Some(false),
        (false, false) => None,
    }
}

/// Two amounts with the same fraction digits.
fn aligned(one: Amount, other: Amount) -> Option<(Amount, Amount)> {
    match one.decimals().cmp(&other.decimals()) {
        Ordering::Less => Some((one.rescaled(other.decimals())?, other)),
        _ => Some((one, other.rescaled(one.decimals())?)),
    }
}

/// The sum of two amounts, whatever fraction digits they have; `None` where it is too large.
fn sum(one: Amount, other: Amount) -> Option<Amount> {
    let (one, other) = aligned(one, other)?;
    one.checked_add(other)
}

/// The difference; `None` where it is below zero or cannot be written.
fn difference(one: Amount, other: Amount) -> Option<Amount> {
    let (one, other) = aligned(one, other)?;
    one.checked_sub(other)
}
