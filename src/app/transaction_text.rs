//! A transaction in words: its time, direction and status, and what it resembles.

use chrono::Datelike;

use super::model::Model;
use super::orders;
use super::pages::{Tone, group_thousands};
use crate::domain::history::HistoryRow;
use crate::domain::poison;
use crate::domain::{Direction, FinalStatuses, Status, SubType, Text, Timestamp, Transaction, Verdict, Zone};
use crate::guard::LookAlikeMatch;

pub fn sync_progress(model: &Model) -> Option<String> {
    let progress = &model.data.progress;
    if progress.complete || progress.rows == 0 {
        return None;
    }
    let rows = group_thousands(progress.rows);
    let rows = match progress.expected {
        Some(expected) if expected > progress.rows => format!("{rows} of ≤{}", group_thousands(expected)),
        _ => rows,
    };
    let first_read = &model.data.initial_sync;
    Some(match first_read.rows_per_second() {
        _ if first_read.paused => format!("paused at {rows} (P)"),
        Some(pace) => format!("reading {rows}, {}/s", group_thousands(pace)),
        None => format!("reading {rows}"),
    })
}

/// How sure a row's time is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowTimeSource {
    /// The service reports it.
    Reported,
    /// This console first read the row then, which is pending.
    Seen,
    /// The time of its neighbours in the service's list.
    Neighbours,
}

pub fn row_time_source(row: &HistoryRow) -> RowTimeSource {
    match row.transaction.reported_time() {
        Some(_) => RowTimeSource::Reported,
        None if row.time == row.seen_at => RowTimeSource::Seen,
        None => RowTimeSource::Neighbours,
    }
}

/// A time in a list: the time of day if it is today's, else the day; with the year if it is not this year's.
pub fn format_list_time(zone: &Zone, at: Timestamp, now: Timestamp, date: bool) -> String {
    let pattern = match (date, date_distance(zone, at, now)) {
        (true, DateDistance::Day | DateDistance::SameYear) => return zone.to_local(at).format_month_to_second(),
        (true, DateDistance::Year) => "%Y-%m-%d",
        (false, DateDistance::Day) => "%H:%M:%S",
        (false, DateDistance::SameYear) => "%b %d",
        (false, DateDistance::Year) => "%b %Y",
    };
    zone.format(at, pattern)
}

/// The time of a row in a list; where the service reports none, “seen” and when this console first saw the row, or “≈”
/// and the time of its neighbours.
pub fn format_row_time(zone: &Zone, row: &HistoryRow, now: Timestamp, date: bool) -> String {
    let distance = date_distance(zone, row.time, now);
    let pattern = match (row_time_source(row), date, distance) {
        (RowTimeSource::Reported, ..) => return format_list_time(zone, row.time, now, date),
        (RowTimeSource::Neighbours, true, DateDistance::Year) => "≈%Y-%m-%d",
        (RowTimeSource::Neighbours, true, _) => "≈%m-%d %H:%M",
        (RowTimeSource::Neighbours, false, DateDistance::Day) => "≈%H:%M",
        (RowTimeSource::Neighbours, false, DateDistance::SameYear) => "≈%b %d",
        (RowTimeSource::Neighbours, false, DateDistance::Year) => "≈%b %Y",
        (RowTimeSource::Seen, true, DateDistance::Day) => "seen %H:%M:%S",
        (RowTimeSource::Seen, true, DateDistance::SameYear) => "seen %b %d",
        (RowTimeSource::Seen, false, DateDistance::Day) => "seen %H:%M",
        (RowTimeSource::Seen, false, DateDistance::SameYear) => "seen %m-%d",
        (RowTimeSource::Seen, _, DateDistance::Year) => "seen %Y",
    };
    zone.format(row.time, pattern)
}

/// How far a time is from now, for its format.
enum DateDistance {
    Day,
    SameYear,
    Year,
}

fn date_distance(zone: &Zone, at: Timestamp, now: Timestamp) -> DateDistance {
    let year = |time: Timestamp| zone.to_local(time).to_utc().map(|time| time.year());
    if zone.local_day(at) == zone.local_day(now) {
        DateDistance::Day
    } else if year(at) == year(now) {
        DateDistance::SameYear
    } else {
        DateDistance::Year
    }
}

/// The reference and the note of a row, as its creator wrote them; without them those of the order that made it, or what
/// kind of order that was.
pub fn reference_and_note(model: &Model, transaction: &Transaction) -> String {
    let of_row = [&transaction.ref_id, &transaction.note].map(Option::as_ref);
    let of_order = || {
        let draft = &orders::order_of_transaction(&model.journal.orders, transaction)?.drafted.draft;
        let written = join_texts([draft.reference(), draft.note()]);
        Some(written.unwrap_or_else(|| format!("order: {}", draft.operation().label())))
    };
    join_texts(of_row).or_else(of_order).unwrap_or_default()
}

fn join_texts(texts: [Option<&Text>; 2]) -> Option<String> {
    let texts: Vec<&str> = texts.into_iter().flatten().map(Text::as_str).collect();
    (!texts.is_empty()).then(|| texts.join(" · "))
}

/// The warning on an address that begins and ends like a known one.
pub fn look_alike_warning(other: &LookAlikeMatch) -> String {
    format!(
        "LOOK TWICE: this address begins and ends like {} ({}), but is a different address, as a forged one would be. A payment to it goes to somebody else",
        other.address, other.reason
    )
}

/// The direction of a row. What is between own wallets has a sign of its own, and only money from outside is good news.
pub fn direction_label(row: &HistoryRow, is_poison: bool) -> (&'static str, Tone) {
    let Transaction { direction, sub_type, .. } = &row.transaction;
    let tone = if is_poison { Tone::Dim } else { Tone::Text };
    match (direction, sub_type, row.internal) {
        (_, Some(SubType::Sweep), true) => ("⇄ swp", tone),
        (Direction::Incoming, _, true) => ("⇄ in", tone),
        (Direction::Outgoing, _, true) => ("⇄ out", tone),
        (Direction::Incoming, Some(SubType::Swap), _) => ("↓ swap", tone),
        (Direction::Outgoing, Some(SubType::Swap), _) => ("↑ swap", tone),
        (Direction::Incoming, ..) if tone == Tone::Text => ("↓ in", Tone::Good),
        (Direction::Incoming, ..) => ("↓ in", tone),
        (Direction::Outgoing, ..) => ("↑ out", tone),
        (Direction::Other(_), ..) => ("? dir", Tone::Warn),
    }
}

/// Whether a row is there to deceive.
pub fn is_poison(model: &Model, row: &HistoryRow) -> bool {
    poison::is_poison(row, model.data.analyses.look_alikes.match_of_row(row).is_some())
}

/// The status in words, with the confirmations while pending: of how many, where settled transactions show it.
pub fn status_label(model: &Model, transaction: &Transaction) -> (String, Tone) {
    if let (Some(blocks), Some(awaited)) =
        (transaction.confirmation, model.data.analyses.required_confirmations(transaction))
    {
        return (format!("pending {blocks}/{awaited}"), Tone::Warn);
    }
    let final_statuses = &model.journal.final_statuses;
    status_text(final_statuses, transaction.status.as_ref(), transaction.confirmation, transaction.confirmed)
}

/// The same from its parts, for version 1 records.
pub fn status_text(
    final_statuses: &FinalStatuses,
    status: Option<&Status>,
    confirmation: Option<u64>,
    confirmed: Option<bool>,
) -> (String, Tone) {
    let word = status.map_or("—", |status| status.word());
    match (final_statuses.verdict_of_status(status, confirmed), status, confirmation) {
        (Verdict::Contradiction, ..) => (format!("{word}?!"), Tone::Bad),
        (Verdict::Failed, ..) => (word.to_owned(), Tone::Bad),
        (Verdict::Settled, Some(_), _) => (word.to_owned(), Tone::Good),
        (_, Some(Status::Pending), Some(blocks)) => (format!("pending {blocks}✓"), Tone::Warn),
        (_, Some(Status::Pending), None) => (word.to_owned(), Tone::Warn),
        (Verdict::Settled | Verdict::Open, ..) => (word.to_owned(), Tone::Text),
    }
}
