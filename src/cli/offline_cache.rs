//! The cache of a profile's service for commands without a screen: updated first, or as it is.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;

use anyhow::Context as _;
use crossterm::terminal::{Clear, ClearType};
use tokio::runtime::Builder;

use super::payment_context::profile_destination;
use super::{CommandContext, directory, passphrase};
use crate::api::Reader;
use crate::config::Profile;
use crate::domain::address_names::AddressNames;
use crate::domain::duration;
use crate::domain::history::SyncProgress;
use crate::domain::order::ServiceDestination;
use crate::domain::{AddressBook, Failure, PriceHistory, ReadOnlyReason, Text, Timestamp};
use crate::runtime::Clock;
use crate::runtime::address_names::collect_names;
use crate::runtime::effect_runner::{BalanceBackOffList, ConsoleResources, PayingDisabled, StoreWriteQueue};
use crate::runtime::profile_file::ProfileFile;
use crate::runtime::refresh::{self, RefreshPlan};
use crate::secrets::disable_core_dumps;
use crate::store::{CacheLocation, Store, StoreError};

pub(super) struct OfflineCache {
    /// The cache; a copy of it where a console has it open.
    pub(super) store: Store,
    pub(super) profile: Profile,
    /// The profile's address, with the mark of the reading key.
    pub(super) destination: ServiceDestination,
    /// Why the service could not be read to the end; `None` also where reading was not requested.
    pub(super) failure: Option<Failure>,
    pub(super) now: Timestamp,
}

impl Drop for OfflineCache {
    fn drop(&mut self) {
        self.store.remove_if_temporary();
    }
}

/// Opens the cache of the profile's service, and updates it unless `offline`, with the balances of at most `users`
/// users.
pub(super) fn open_offline_cache(context: &CommandContext, offline: bool, users: u64) -> anyhow::Result<OfflineCache> {
    open_cache(context, offline, users, false)
}

/// The same with the prices of the listed tokens.
pub(super) fn open_priced_cache(context: &CommandContext, offline: bool, users: u64) -> anyhow::Result<OfflineCache> {
    open_cache(context, offline, users, true)
}

fn open_cache(context: &CommandContext, offline: bool, users: u64, with_prices: bool) -> anyhow::Result<OfflineCache> {
    disable_core_dumps();
    let config = context.config()?;
    let profile = config.profile()?.clone();
    let vault = passphrase::prompt_passphrase_if_needed(config.vault(&profile, &context.environment)?)?;
    let keys = vault.keys()?;
    let folder = config.folders.create_data_folder()?.join(profile.cache_folder(&keys.api_key));
    let opened = match Store::open_with_final_statuses(&CacheLocation::Folder(folder.clone()), profile.final_statuses())
    {
        // A console keeps its cache: a copy of it is updated, and discarded at the end.
        Err(StoreError::Locked { .. }) => {
            Store::open_with_final_statuses(&CacheLocation::Copy(folder), profile.final_statuses())?
        }
        opened => opened?,
    };
    if let Some(notice) = &opened.notice {
        print_remark(notice);
    }
    directory::sync_recorded_imports(&config, &profile, &opened.store);
    let clock = Clock::System;
    let reads_under = Text::clean(&keys.api_key.mark(&profile.base_url.to_string()));
    let destination = profile_destination(&profile, reads_under);
    let mut reading = OfflineCache { store: opened.store, profile, destination, failure: None, now: clock.now() };
    if !offline {
        let connection = reading.profile.connection(keys.api_key.into_secret(), vault.redaction())?;
        let reader = Reader::new(connection).context("cannot reach the service")?;
        let world = ConsoleResources {
            reader: Arc::new(reader),
            store: reading.store.clone(),
            clock: clock.clone(),
            store_queue: StoreWriteQueue::default(),
            balance_back_off: BalanceBackOffList::default(),
            payments: Err(PayingDisabled { reason: ReadOnlyReason::ByCommand, journal: None }),
            host: None,
            profile_file: ProfileFile::default(),
            rows_per_page: ConsoleResources::ROWS_PER_PAGE,
        };
        let plan = RefreshPlan {
            lists: reading.profile.preferences.probe_lists,
            v1: reading.profile.preferences.v1,
            users,
            valuation: reading.valuation().filter(|_| with_prices),
        };
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let outcome = runtime.block_on(refresh::refresh_cache(&world, plan, &mut progress_reporter()));
        runtime.shutdown_background();
        if io::stderr().is_terminal() {
            // Erases the progress line of the backfill.
            let _stderr_may_be_gone = write!(io::stderr(), "\r{}", Clear(ClearType::UntilNewLine));
        }
        reading.failure = outcome.err();
        reading.now = clock.now();
    }
    Ok(reading)
}

/// The names in the address book, and in the directory as far as a cache of it can be opened without a passphrase.
pub(super) fn cached_names(context: &CommandContext, book: &AddressBook) -> AddressNames {
    let cached = || {
        let config = context.config().ok()?;
        let profile = config.profile().ok()?;
        let keys = config.vault(profile, &context.environment).ok()?.keys().ok()?;
        let folder = config.folders.create_data_folder().ok()?.join(profile.cache_folder(&keys.api_key));
        if !folder.exists() {
            return None;
        }
        let store = Store::open_with_final_statuses(&CacheLocation::Copy(folder), profile.final_statuses()).ok()?.store;
        let names = collect_names(&store, book).ok();
        store.remove_if_temporary();
        names
    };
    cached().unwrap_or_else(|| AddressNames::of_book(book))
}

impl OfflineCache {
    /// For a command that needs current data, or explicitly accepts old data: fails where the service could not be
    /// read, and reports the age of the data.
    pub(super) fn require_fresh(self) -> anyhow::Result<Self> {
        let age = self.age_text();
        match &self.failure {
            Some(failure) => {
                anyhow::bail!(
                    "the service could not be read: {failure}; with --offline the cached data is written: {age}"
                )
            }
            None => print_remark(&age),
        }
        if let Some(reason) = &self.store.progress()?.partial {
            print_remark(&format!("the history is partial: {reason}"));
        }
        Ok(self)
    }

    pub(super) fn age_text(&self) -> String {
        match self.store.newest_rows_synced_at() {
            Ok(Some(at)) => format!("as of {at}, {} ago", duration::format_age(at.age(self.now))),
            _ => "nothing has been read yet".into(),
        }
    }

    /// The token in which the profile values everything; `None` for no values.
    pub(super) fn valuation(&self) -> Option<Text> {
        self.profile.valuation.as_deref().map(Text::clean)
    }

    /// Recorded prices; empty without a valuation.
    pub(super) fn price_history(&self) -> anyhow::Result<PriceHistory> {
        Ok(self.store.price_history(&self.valuation().unwrap_or_default())?)
    }
}

fn progress_reporter() -> impl FnMut(&SyncProgress) + Send {
    let watched = io::stderr().is_terminal();
    move |progress| {
        if watched {
            let expected = progress.expected.map_or(String::new(), |expected| format!(" of at most {expected}"));
            let _stderr_may_be_gone = write!(io::stderr(), "\rbursar: reading {}{expected} rows… ", progress.rows);
        }
    }
}

/// Prints a remark on standard error, apart from the data.
pub(super) fn print_remark(remark: &str) {
    let _stderr_may_be_gone = writeln!(io::stderr(), "bursar: {remark}");
}
