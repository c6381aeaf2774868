//! Templates: payments and batches saved under a name, to be filled in again, perhaps on certain days.
//!
//! A template sends nothing. On its day its payment is due: somebody opens the form that it fills, and the guard
//! judges that form as any other.

pub mod repeat;

use chrono::NaiveDate;

use super::draft::{Draft, Metadata, Recipient, Sender, V1Payment};
use super::{Text, Timestamp, Zone};
use repeat::Repeat;

/// The most due dates of one template that are listed at a time, the newest.
const MAX_DUE_DATES: usize = 60;

/// Identifies a template whatever it is called: the time at which it was first saved, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TemplateId(pub i64);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    pub id: TemplateId,
    pub name: Text,
    /// Without what belongs to one payment alone (see [`reusable_draft`]).
    pub draft: Draft,
    pub sender: Sender,
    pub schedule: Option<Schedule>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    pub repeat: Repeat,
    /// The day on which the schedule was set: nothing was due before.
    pub from: NaiveDate,
}

/// What an order was made from, as its draft records it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateUse {
    pub template: TemplateId,
    /// As the template was called then.
    pub name: Text,
    /// The due date that the order pays; `None` where the template was used without one.
    pub due: Option<NaiveDate>,
}

impl TemplateUse {
    /// Such as `Rent, due 2026-11-30`.
    pub fn description(&self) -> String {
        self.due.map_or_else(|| self.name.to_string(), |due| format!("{}, due {due}", self.name))
    }

    /// A reference of its own for each due date: a second payment for one date carries a reference that was used.
    pub fn reference(&self) -> Option<String> {
        let due = self.due?;
        let letters = self.name.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_uppercase() } else { '-' });
        let name: String = letters.collect();
        let name = name.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
        Some(format!("{name}-{due}"))
    }
}

impl Template {
    /// The days up to `today` on which a payment was due, the oldest first.
    pub fn due_dates(&self, today: NaiveDate) -> Vec<NaiveDate> {
        let Some(Schedule { repeat, from }) = self.schedule else { return Vec::new() };
        let mut days = Vec::new();
        let mut next = repeat.last_until(today);
        while let Some(day) = next.filter(|day| *day >= from && days.len() < MAX_DUE_DATES) {
            days.push(day);
            next = day.pred_opt().and_then(|before| repeat.last_until(before));
        }
        days.reverse();
        days
    }

    /// The first day after `today` on which a payment is due.
    pub fn next_due(&self, today: NaiveDate) -> Option<NaiveDate> {
        let Schedule { repeat, from } = self.schedule?;
        repeat.first_from(today.succ_opt()?.max(from))
    }

    pub fn use_for(&self, due: Option<NaiveDate>) -> TemplateUse {
        TemplateUse { template: self.id, name: self.name.clone(), due }
    }
}

/// A draft without what belongs to one payment alone: its reference, the references of its recipients, and the file.
#[must_use]
pub fn reusable_draft(draft: &Draft) -> Draft {
    let mut draft = draft.clone();
    match &mut draft {
        Draft::Withdraw(withdrawal) | Draft::Payment(V1Payment { withdrawal, .. }) => {
            (withdrawal.ref_id, withdrawal.metadata) = (None, Metadata::default());
        }
        Draft::Batch(batch) => {
            (batch.ref_id, batch.file) = (None, None);
            // The profile adds these to each request.
            (batch.metadata, batch.queue) = (Metadata::default(), None);
            for Recipient { reference, line, .. } in &mut batch.to {
                (*reference, *line) = (None, None);
            }
        }
        _ => {}
    }
    draft
}

/// The day on clocks of a zone.
pub fn local_date(zone: &Zone, at: Timestamp) -> Option<NaiveDate> {
    Some(zone.to_local(at).to_utc()?.date_naive())
}

/// When a day begins on clocks of a zone.
pub fn day_start(zone: &Zone, day: NaiveDate) -> Timestamp {
    zone.to_utc(Timestamp::from(day.and_time(chrono::NaiveTime::MIN).and_utc()))
}

#[cfg(test)]
mod tests;
