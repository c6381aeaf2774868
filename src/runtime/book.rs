//! The address book as it stands in the journal, and the judgement of its changes, for screen and command line.

use std::collections::BTreeMap;

use super::guard_facts::{FactSources, gather_facts_for_contact};
use crate::app::pages::book::BookSnapshot;
use crate::domain::book::file::{BookFileRow, ContactOrLabel};
use crate::domain::book::{BookChange, Contact, Label};
use crate::domain::order::PaidDues;
use crate::domain::{AddressBook, FinalStatuses, Policy, Text, Timestamp};
use crate::guard::{self, ContactReview, Severity};
use crate::journal::RecordedBookChanges;
use crate::store::StoreError;

/// The book that these changes make, with who entered each contact.
pub fn book_snapshot(
    changes: &[RecordedBookChanges],
    paid_dues: PaidDues,
    policy: Policy,
    final_statuses: FinalStatuses,
) -> BookSnapshot {
    let book = RecordedBookChanges::replay_book(changes);
    let editors = book.entries().iter().filter_map(|entry| {
        let entered = |change: &BookChange| matches!(change, BookChange::Entered(contact) if *contact == entry.contact);
        let last = changes.iter().rev().find(|recorded| recorded.changes.iter().any(entered))?;
        let by = Text::clean(&format!("{} at {}", last.by.user, last.by.host));
        Some((entry.contact.address.clone(), entry.contact.blockchain.clone(), by))
    });
    let last_editors = editors.collect();
    BookSnapshot { book, policy, final_statuses, last_editors, paid_dues }
}

pub fn judge_contact_entry(
    sources: &FactSources<'_>,
    contact: &Contact,
    now: Timestamp,
) -> Result<ContactReview, StoreError> {
    Ok(guard::review_contact(contact, &gather_facts_for_contact(sources, &contact.address, now)?, now))
}

#[derive(Debug, Default)]
pub struct ContactImportJudgement {
    /// The changes that enter the new rows; empty if any row has a fault.
    pub changes: Vec<BookChange>,
    pub already_present: usize,
    /// The fault of each row that has one, by its line.
    pub errors: BTreeMap<u64, String>,
    /// What happens to each valid row, with its number.
    pub row_outcomes: Vec<String>,
}

impl ContactImportJudgement {
    pub fn error_lines(&self) -> Vec<String> {
        self.errors.iter().map(|(line, message)| format!("line {line}: {message}")).collect()
    }
}

/// Judges the rows of a file, each against the book and the rows above it. A row that needs an override is an error.
pub fn judge_import_rows(
    sources: &FactSources<'_>,
    rows: &[BookFileRow],
    now: Timestamp,
) -> Result<ContactImportJudgement, StoreError> {
    let (mut judged, mut above) = (ContactImportJudgement::default(), AddressBook::default());
    for BookFileRow { line, entry } in rows {
        let contact = match entry {
            Ok(ContactOrLabel::Contact(contact)) => contact,
            Ok(ContactOrLabel::Label(label)) => {
                judge_label_row(sources.book, &mut above, *line, label, now, &mut judged);
                continue;
            }
            Err(message) => {
                judged.errors.insert(*line, message.clone());
                continue;
            }
        };
        if let Err(message) = check_needs_no_override(sources, &above, contact, now)? {
            judged.errors.insert(*line, message);
            continue;
        }
        let known_entry = sources.book.find(&contact.address, &contact.blockchain);
        let is_known = known_entry.is_some_and(|entry| entry.contact == *contact);
        judged.already_present += usize::from(is_known);
        let fate = if is_known { "is there already" } else { "would be entered" };
        judged.row_outcomes.push(format!("line {line}: {} {fate}", contact.name));
        above.apply_change(BookChange::Entered(contact.clone()), now, now);
        judged.changes.extend((!is_known).then(|| BookChange::Entered(contact.clone())));
    }
    if !judged.errors.is_empty() {
        judged.changes.clear();
    }
    Ok(judged)
}

/// Judges a row that names something, against the book and the rows above it.
fn judge_label_row(
    book: &AddressBook,
    above: &mut AddressBook,
    line: u64,
    label: &Label,
    now: Timestamp,
    judged: &mut ContactImportJudgement,
) {
    if let Some(similar) = book.find_confusable_name(label).or_else(|| above.find_confusable_name(label)) {
        judged.errors.insert(line, format!("{} would be taken for {similar}; choose another name", label.name));
        return;
    }
    let is_known = book.label_of(&label.subject).is_some_and(|entry| entry.name == label.name);
    judged.already_present += usize::from(is_known);
    let fate = if is_known { "is there already" } else { "would be entered" };
    judged.row_outcomes.push(format!("line {line}: {} {fate}", label.name));
    let change = BookChange::Label { subject: label.subject.clone(), name: Some(label.name.clone()) };
    above.apply_change(change.clone(), now, now);
    judged.changes.extend((!is_known).then_some(change));
}

/// Whether a row may be entered without an override, given the rows above it.
fn check_needs_no_override(
    sources: &FactSources<'_>,
    above: &AddressBook,
    contact: &Contact,
    now: Timestamp,
) -> Result<Result<(), String>, StoreError> {
    let own = sources.book;
    let entries = [own.entries(), above.entries()].concat();
    let book = AddressBook::from_changes(
        entries.into_iter().map(|entry| (BookChange::Entered(entry.contact), entry.effective_since)),
    );
    let is_other = |was: &Contact| was.name != contact.name || was.tag != contact.tag;
    if let Some(existing) = own.find(&contact.address, &contact.blockchain).filter(|entry| is_other(&entry.contact)) {
        let changes = contact.describe_changes_from(&existing.contact).join(", ");
        return Ok(Err(format!("{} is there already, and {changes}; enter it on its own", existing.contact.name)));
    }
    if let Some(confusable) =
        book.find_name_address_collision(contact).or_else(|| own.find_name_address_collision(contact))
    {
        let (name, other) = (&contact.name, &confusable.contact.name);
        return Ok(Err(format!("{name} could be mistaken for {other}: the name of one is the address of the other")));
    }
    // Also against the book as it is: a row above does not free a name.
    if book.find_namesake(contact).is_some() || own.find_namesake(contact).is_some() {
        return Ok(Err(format!("there is already a {} on this chain; choose another name", contact.name)));
    }
    let judgement = judge_contact_entry(&FactSources { book: &book, ..*sources }, contact, now)?;
    let grave = judgement.findings.into_iter().find(|finding| finding.severity >= Severity::Danger);
    Ok(grave.map_or(Ok(()), |finding| Err(finding.message)))
}
