//! Reads, judges and changes the address book.

use super::{OrderExecutor, PaymentContext};
use crate::app::pages::book::BookSnapshot;
use crate::domain::book::file::{self, BookFile};
use crate::domain::book::{BookChange, Contact};
use crate::domain::csv_table::ImportFailure;
use crate::domain::draft_file::DraftFile;
use crate::domain::order::ServiceDestination;
use crate::domain::{AddressBook, Failure, Text};
use crate::guard::ContactReview;
use crate::journal::{RecordTime, RecordedBookChanges};
use crate::runtime::book::{book_snapshot, judge_contact_entry, judge_import_rows};
use crate::runtime::export::file::resolve_folder;
use crate::runtime::host_permission::VISITOR_MAY_NOT_USE_FILES;
use crate::runtime::table_file::{TableFile, read_file_bytes};

impl OrderExecutor {
    /// The address book of this service, from the journal.
    pub(super) async fn read_address_book(&self) -> Result<AddressBook, Failure> {
        let destination = self.payment_context.destination.clone();
        self.with_journal(move |journal| Ok(RecordedBookChanges::replay_book(&journal.book_changes(&destination)?)))
            .await
    }

    /// The address book with who entered each contact, for its page.
    pub(super) async fn read_book_snapshot(&self) -> Result<Box<BookSnapshot>, Failure> {
        let destination = self.payment_context.destination.clone();
        let now = self.now();
        let changes_and_dues =
            self.with_journal(move |journal| Ok((journal.book_changes(&destination)?, journal.paid_dues(now)?)));
        let (changes, paid_dues) = changes_and_dues.await?;
        let PaymentContext { policy, final_statuses, .. } = &self.payment_context;
        Ok(Box::new(book_snapshot(&changes, paid_dues, policy.clone(), final_statuses.clone())))
    }

    /// Reads a draft that somebody wrote to a file.
    pub(super) async fn read_draft_file(&self, path: String) -> Result<DraftFile, String> {
        let Some(host) = self.resources.host.clone() else { return Err(VISITOR_MAY_NOT_USE_FILES.into()) };
        let draft_file = tokio::task::spawn_blocking(move || {
            let path = resolve_folder(&host, &path);
            read_file_bytes(&host, &path).and_then(|bytes| DraftFile::parse(&bytes))
        });
        draft_file.await.unwrap_or_else(|fault| Err(format!("this was interrupted: {fault}")))
    }

    pub(super) async fn judge_contact(&self, contact: &Contact) -> Result<ContactReview, Failure> {
        let (contact, now) = (contact.clone(), self.now());
        self.with_fact_sources(None, move |sources| judge_contact_entry(sources, &contact, now)).await
    }

    /// Records changes of the book. `judged` is the book that they were judged against.
    pub(super) async fn change_book(
        &self,
        changes: Vec<BookChange>,
        overridden: Vec<Text>,
        judged: AddressBook,
    ) -> Result<(), Failure> {
        // Contacts outlive keys.
        let to = ServiceDestination { key_mark: Text::default(), ..self.payment_context.destination.clone() };
        let now = self.now();
        let at = RecordTime { at_console: now, at_service: self.resources.reader.skew().service_time(now) };
        self.with_journal(move |journal| journal.change_book(&to, &judged, changes, overridden, at)).await
    }

    /// Enters the rows of a file, all or none.
    ///
    /// # Errors
    /// One line for each fault.
    pub(super) async fn import_book(&self, line: String) -> Result<String, ImportFailure> {
        let Some(host) = self.resources.host.clone() else {
            return Err(VISITOR_MAY_NOT_USE_FILES.to_owned().into());
        };
        let broken = |fault: tokio::task::JoinError| ImportFailure::from(format!("this was interrupted: {fault}"));
        let profile_file = self.resources.profile_file.clone();
        let imported_book = tokio::task::spawn_blocking(move || {
            let source = TableFile::open_typed_line(&host, &profile_file, &line)?;
            let BookFile { rows, mut notes, mapping } = file::parse_book_file(&source.bytes, &source.mappings)?;
            notes.extend(source.save_column_mapping(&profile_file, mapping.as_ref()));
            Ok::<_, String>((source, rows, notes))
        });
        let (source, rows, notes) = imported_book.await.map_err(broken)??;
        let import_failure = |failure: Failure| ImportFailure::from(failure.to_string());
        let (now, book) = (self.now(), self.read_address_book().await.map_err(import_failure)?);
        let judged = self
            .with_fact_sources(None, move |sources| judge_import_rows(sources, &rows, now))
            .await
            .map_err(import_failure)?;
        if !judged.errors.is_empty() {
            return Err(ImportFailure {
                errors: judged.error_lines(),
                notes,
                refused: source.refused_rows(judged.errors),
            });
        }
        let (new, known_count) = (judged.changes.len(), judged.already_present);
        if new > 0 {
            self.change_book(judged.changes, Vec::new(), book).await.map_err(import_failure)?;
        }
        let outcome = format!("{new} entered, {known_count} already in the address book");
        Ok(std::iter::once(outcome).chain(notes).collect::<Vec<_>>().join("; "))
    }
}
