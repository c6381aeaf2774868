//! Transactions: the pane of the Overview and the page of the whole history.

pub mod view;

use chrono::Datelike;

use super::{Tone, grouped};
use crate::app::Model;
use crate::domain::history::HistoryRow;
use crate::domain::{Direction, Status, SubType, Timestamp, Transaction, Zone};

/// How far the first read of the history has come, while it is under way.
pub fn reading(model: &Model) -> Option<String> {
    let progress = &model.progress;
    if progress.complete || progress.rows == 0 {
        return None;
    }
    let rows = grouped(progress.rows);
    let rows = match progress.expected {
        Some(expected) if expected > progress.rows => format!("{rows} of {}", grouped(expected)),
        _ => rows,
    };
    let first_read = &model.first_read;
    Some(match first_read.pace() {
        _ if first_read.paused => format!("paused at {rows} (P)"),
        Some(pace) => format!("reading {rows}, {}/s", grouped(pace)),
        None => format!("reading {rows}"),
    })
}

/// When it happened: the service's time, else when this console first saw it, which is marked.
pub fn when(row: &HistoryRow) -> (Timestamp, bool) {
    row.transaction.at().map_or((row.seen_at, true), |at| (at, false))
}

/// A time in a list: the time of day for today, else the day; another year is named, or its days would pass for this
/// year's.
pub fn clock(zone: &Zone, at: Timestamp, now: Timestamp, date: bool) -> String {
    let year = |time: Timestamp| zone.on_the_wall(time).to_utc().map(|time| time.year());
    let this_year = year(at) == year(now);
    let pattern = match (date, this_year) {
        (true, true) => "%m-%d %H:%M:%S",
        (true, false) => "%Y-%m-%d",
        (false, true) if zone.day(at) == zone.day(now) => "%H:%M:%S",
        (false, true) => "%b %d",
        (false, false) => "%b %Y",
    };
    zone.format(at, pattern)
}

/// Which way it went, in a glyph and a word.
pub fn way(transaction: &Transaction) -> (&'static str, Tone) {
    match (&transaction.direction, &transaction.sub_type) {
        (Direction::Incoming, Some(SubType::Sweep)) => ("↓ swp", Tone::Good),
        (Direction::Outgoing, Some(SubType::Sweep)) => ("↑ swp", Tone::Text),
        (Direction::Incoming, Some(SubType::Swap)) => ("↓ swap", Tone::Good),
        (Direction::Outgoing, Some(SubType::Swap)) => ("↑ swap", Tone::Text),
        (Direction::Incoming, _) => ("↓ in", Tone::Good),
        (Direction::Outgoing, _) => ("↑ out", Tone::Text),
        (Direction::Other(_), _) => ("? way", Tone::Warn),
    }
}

/// The status in words, with the confirmations while it is on its way: of how many, where settled ones show it.
pub fn status(model: &Model, transaction: &Transaction) -> (String, Tone) {
    if let (Some(blocks), Some(awaited)) = (transaction.confirmation, model.pictures.awaited(transaction)) {
        return (format!("pending {blocks}/{awaited}"), Tone::Warn);
    }
    status_words(transaction.status.as_ref(), transaction.confirmation, transaction.confirmed)
}

/// The same from its parts, as records of version 1 tell them.
pub fn status_words(status: Option<&Status>, confirmation: Option<u64>, confirmed: Option<bool>) -> (String, Tone) {
    let word = status.map_or("—", |status| status.word());
    match status {
        Some(Status::Failed) if confirmed == Some(true) => ("failed?!".into(), Tone::Bad),
        Some(Status::Pending) => match confirmation {
            Some(blocks) => (format!("pending {blocks}✓"), Tone::Warn),
            None => (word.to_owned(), Tone::Warn),
        },
        Some(Status::Success) => (word.to_owned(), Tone::Good),
        Some(Status::Failed) => (word.to_owned(), Tone::Bad),
        Some(Status::Other(_)) | None => (word.to_owned(), Tone::Text),
    }
}
