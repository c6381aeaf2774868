//! Reads, judges and changes the address book.

use std::path::PathBuf;

use super::OrderExecutor;
use crate::app::pages::book::BookSnapshot;
use crate::domain::book::file;
use crate::domain::book::{BookChange, Contact};
use crate::domain::order::Destination;
use crate::domain::{AddressBook, Failure, Text};
use crate::guard::ContactReview;
use crate::journal::{RecordTime, RecordedBookChanges};
use crate::runtime::book::{judge_contact_entry, judge_import_rows};
use crate::runtime::directory::read_file_bytes;
use crate::runtime::export::file::resolve_folder;
use crate::runtime::guard_facts::FactSources;
use crate::runtime::host_permission::VISITOR_MAY_NOT_USE_FILES;
use crate::runtime::reads;
use crate::store::{Store, StoreError};

impl OrderExecutor {
    /// The address book of this service, from the journal.
    pub(super) async fn load_book(&self) -> Result<AddressBook, Failure> {
        let here = self.payment_context.destination.clone();
        self.with_journal(move |journal| Ok(RecordedBookChanges::replay_book(&journal.book_changes(&here)?))).await
    }

    /// The address book with who entered each contact, for its page.
    pub(super) async fn load_book_snapshot(&self) -> Result<Box<BookSnapshot>, Failure> {
        let here = self.payment_context.destination.clone();
        let now = self.now();
        let read = self.with_journal(move |journal| Ok((journal.book_changes(&here)?, journal.paid_dues(now)?)));
        let (booked, paid_dues) = read.await?;
        let book = RecordedBookChanges::replay_book(&booked);
        let by = book.entries().iter().filter_map(|known| {
            let entered =
                |change: &BookChange| matches!(change, BookChange::Entered(contact) if *contact == known.contact);
            let last = booked.iter().rev().find(|booked| booked.changes.iter().any(entered))?;
            let by = Text::clean(&format!("{} at {}", last.by.user, last.by.host));
            Some((known.contact.address.clone(), known.contact.blockchain.clone(), by))
        });
        let by = by.collect();
        let final_words = self.payment_context.final_statuses.clone();
        Ok(Box::new(BookSnapshot {
            book,
            policy: self.payment_context.policy.clone(),
            final_statuses: final_words,
            last_editors: by,
            paid_dues,
        }))
    }

    pub(super) async fn judge_contact(&self, contact: &Contact) -> Result<ContactReview, Failure> {
        let (contact, now) = (contact.clone(), self.now());
        self.judge_with_book(move |sources| judge_contact_entry(sources, &contact, now)).await
    }

    /// Records changes of the book. `judged` is the book that they were judged against.
    pub(super) async fn change_book(
        &self,
        changes: Vec<BookChange>,
        overridden: Vec<Text>,
        judged: AddressBook,
    ) -> Result<(), Failure> {
        // Contacts outlive keys.
        let to = Destination { key_mark: Text::default(), ..self.payment_context.destination.clone() };
        let here = self.now();
        let at = RecordTime { here, at_service: self.resources.reader.skew().service_time(here) };
        self.with_journal(move |journal| journal.change_book(&to, &judged, changes, overridden, at)).await
    }

    /// Enters the rows of a file, all or none.
    ///
    /// # Errors
    /// One line for each fault.
    pub(super) async fn import_book(&self, path: String) -> Result<String, Vec<String>> {
        let Some(host) = self.resources.host.clone() else { return Err(vec![VISITOR_MAY_NOT_USE_FILES.into()]) };
        let broken = |fault: tokio::task::JoinError| vec![format!("this was interrupted: {fault}")];
        let read = tokio::task::spawn_blocking(move || {
            let path: PathBuf = resolve_folder(&host, &path);
            read_file_bytes(&host, &path).and_then(|bytes| file::parse_book_file(&bytes))
        });
        let rows = read.await.map_err(broken)?.map_err(|words| vec![words])?;
        let told = |failure: Failure| vec![failure.to_string()];
        let (now, book) = (self.now(), self.load_book().await.map_err(told)?);
        let judged = self.judge_with_book(move |sources| judge_import_rows(sources, &rows, now)).await.map_err(told)?;
        if !judged.errors.is_empty() {
            return Err(judged.errors);
        }
        let (new, known) = (judged.changes.len(), judged.already_present);
        if new > 0 {
            self.change_book(judged.changes, Vec::new(), book).await.map_err(told)?;
        }
        Ok(format!("{new} entered, {known} already in the address book"))
    }

    /// Judges by the book and the guard's other facts, on a blocking thread.
    async fn judge_with_book<T: Send + 'static>(
        &self,
        judge: impl FnOnce(&FactSources<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Failure> {
        let (memory, book, now) = (self.guard_orders().await?, self.load_book().await?, self.now());
        let (paying, skew) = (self.payment_context.clone(), self.resources.reader.skew());
        reads::with_store(&self.resources, move |store: &Store| {
            judge(&FactSources {
                store,
                orders: &memory.orders_for(store, None, now)?,
                final_statuses: &paying.final_statuses,
                expected_network: paying.expected_network.as_ref(),
                policy: &paying.policy,
                book: &book,
                period: paying.period,
                skew,
            })
        })
        .await
    }
}
