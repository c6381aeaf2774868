//! What the address book is judged by before it is changed, for the screen and for the command line.

use super::knowledge::{Sources, of_contact};
use crate::domain::book::file::Row;
use crate::domain::book::{Change, Contact};
use crate::domain::{Book, Timestamp};
use crate::guard::{self, Entering, Severity};
use crate::store::StoreError;

/// What is to be said of a contact that somebody wants to enter.
pub fn entering(sources: &Sources<'_>, contact: &Contact, now: Timestamp) -> Result<Entering, StoreError> {
    Ok(guard::entering(contact, &of_contact(sources, &contact.address, now)?, now))
}

/// What the rows of a file come to.
#[derive(Debug, Default)]
pub struct Judged {
    /// The changes that enter what is new: all of it, or nothing where anything is wrong.
    pub changes: Vec<Change>,
    /// How many stand there already, just so.
    pub known: usize,
    /// What is wrong, a line each with its number.
    pub wrong: Vec<String>,
    /// What becomes of each row that may be entered, with its number.
    pub fates: Vec<String>,
}

/// Judges the rows of a file, each with those above it in the book. What needs anybody's words is not imported.
pub fn judge_rows(sources: &Sources<'_>, rows: &[Row], now: Timestamp) -> Result<Judged, StoreError> {
    let (mut judged, mut above) = (Judged::default(), Book::default());
    for Row { line, contact } in rows {
        let contact = match contact {
            Ok(contact) => contact,
            Err(words) => {
                judged.wrong.push(format!("line {line}: {words}"));
                continue;
            }
        };
        if let Err(words) = may_be_entered(sources, &above, contact, now)? {
            judged.wrong.push(format!("line {line}: {words}"));
            continue;
        }
        let there = sources.book.at(&contact.address, &contact.blockchain);
        let is_known = there.is_some_and(|known| known.contact == *contact);
        judged.known += usize::from(is_known);
        let fate = if is_known { "stands there already" } else { "would be entered" };
        judged.fates.push(format!("line {line}: {} {fate}", contact.name));
        above.apply(Change::Entered(contact.clone()), now, now);
        judged.changes.extend((!is_known).then(|| Change::Entered(contact.clone())));
    }
    if !judged.wrong.is_empty() {
        judged.changes.clear();
    }
    Ok(judged)
}

/// Whether a row may be entered without a word of somebody, with those above it in the book.
fn may_be_entered(
    sources: &Sources<'_>,
    above: &Book,
    contact: &Contact,
    now: Timestamp,
) -> Result<Result<(), String>, StoreError> {
    let own = sources.book;
    let both = [own.entries(), above.entries()].concat();
    let book = Book::of(both.into_iter().map(|known| (Change::Entered(known.contact), known.since)));
    let is_other = |was: &Contact| was.name != contact.name || was.tag != contact.tag;
    if let Some(known) = own.at(&contact.address, &contact.blockchain).filter(|known| is_other(&known.contact)) {
        let changes = contact.changes_from(&known.contact).join(", ");
        return Ok(Err(format!("{} stands there already, and {changes}; enter it by itself", known.contact.name)));
    }
    if let Some(known) = book.mistaken(contact).or_else(|| own.mistaken(contact)) {
        let (name, other) = (&contact.name, &known.contact.name);
        return Ok(Err(format!("{name} could be taken for {other}, of whom one is called as the other's address is")));
    }
    // Also against the book as it stands: a row above does not free a name.
    if book.namesake(contact).is_some() || own.namesake(contact).is_some() {
        return Ok(Err(format!("there is another {} on this chain; choose another name", contact.name)));
    }
    let found = entering(&Sources { book: &book, ..*sources }, contact, now)?;
    let grave = found.findings.into_iter().find(|finding| finding.severity >= Severity::Danger);
    Ok(grave.map_or(Ok(()), |finding| Err(finding.words)))
}
