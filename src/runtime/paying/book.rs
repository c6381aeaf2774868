//! The address book at the desk: read, judged, changed.

use std::path::PathBuf;

use super::Desk;
use crate::app::book::BookRead;
use crate::domain::book::file;
use crate::domain::book::{Change, Contact};
use crate::domain::intent::Destination;
use crate::domain::{Book, Failure, Text};
use crate::guard::Entering;
use crate::journal::{Booked, Moment};
use crate::runtime::book::{entering, judge_rows};
use crate::runtime::directory::bytes_of;
use crate::runtime::export::file::folder;
use crate::runtime::host::NO_FILES;
use crate::runtime::knowledge::Sources;
use crate::runtime::reads;
use crate::store::{Store, StoreError};

impl Desk {
    /// The address book of this service, as the journal has it.
    pub(super) async fn book(&self) -> Result<Book, Failure> {
        let here = self.paying.here.clone();
        self.journal(move |journal| Ok(Booked::book(&journal.booked(&here)?))).await
    }

    /// The same with who entered whom, for the page that shows it.
    pub(super) async fn read_book(&self) -> Result<Box<BookRead>, Failure> {
        let here = self.paying.here.clone();
        let booked = self.journal(move |journal| journal.booked(&here)).await?;
        let book = Booked::book(&booked);
        let by = book.entries().iter().filter_map(|known| {
            let entered = |change: &Change| matches!(change, Change::Entered(contact) if *contact == known.contact);
            let last = booked.iter().rev().find(|booked| booked.changes.iter().any(entered))?;
            let by = Text::clean(&format!("{} at {}", last.by.user, last.by.host));
            Some((known.contact.address.clone(), known.contact.blockchain.clone(), by))
        });
        let by = by.collect();
        let final_words = self.paying.final_words.clone();
        Ok(Box::new(BookRead { book, cooling: self.paying.policy.cooling, final_words, by }))
    }

    /// What is to be said of a contact that somebody wants to enter.
    pub(super) async fn judge_contact(&self, contact: &Contact) -> Result<Entering, Failure> {
        let (contact, now) = (contact.clone(), self.now());
        self.by_book(move |sources| entering(sources, &contact, now)).await
    }

    /// Records changes of the book that were judged by `judged`.
    pub(super) async fn change_book(
        &self,
        changes: Vec<Change>,
        overridden: Vec<Text>,
        judged: Book,
    ) -> Result<(), Failure> {
        // Whom one knows outlives keys.
        let to = Destination { key_mark: Text::default(), ..self.paying.here.clone() };
        let here = self.now();
        let at = Moment { here, at_service: self.world.reader.skew().at_service(here) };
        self.journal(move |journal| journal.change_book(&to, &judged, changes, overridden, at)).await
    }

    /// Enters the rows of a file, all or none.
    ///
    /// # Errors
    /// What is wrong, a line each.
    pub(super) async fn import_book(&self, path: String) -> Result<String, Vec<String>> {
        let Some(host) = self.world.host.clone() else { return Err(vec![NO_FILES.into()]) };
        let broken = |fault: tokio::task::JoinError| vec![format!("this broke off: {fault}")];
        let read = tokio::task::spawn_blocking(move || {
            let path: PathBuf = folder(&host, &path);
            bytes_of(&host, &path).and_then(|bytes| file::read(&bytes))
        });
        let rows = read.await.map_err(broken)?.map_err(|words| vec![words])?;
        let told = |failure: Failure| vec![failure.to_string()];
        let (now, book) = (self.now(), self.book().await.map_err(told)?);
        let judged = self.by_book(move |sources| judge_rows(sources, &rows, now)).await.map_err(told)?;
        if !judged.wrong.is_empty() {
            return Err(judged.wrong);
        }
        let (new, known) = (judged.changes.len(), judged.known);
        if new > 0 {
            self.change_book(judged.changes, Vec::new(), book).await.map_err(told)?;
        }
        Ok(format!("{new} entered, {known} stood there already"))
    }

    /// Judges by the book and what else is known, where blocking is no harm.
    async fn by_book<T: Send + 'static>(
        &self,
        judge: impl FnOnce(&Sources<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Failure> {
        let (memory, book, now) = (self.memory().await?, self.book().await?, self.now());
        let (paying, skew) = (self.paying.clone(), self.world.reader.skew());
        reads::kept(&self.world, move |store: &Store| {
            judge(&Sources {
                store,
                intents: &memory.orders(store, None, now)?,
                final_words: &paying.final_words,
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
