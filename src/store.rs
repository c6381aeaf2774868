//! The disposable cache: the data read from the service, on disk, so that windows, search and sums are answered at
//! once. It may be deleted: everything is read from the service again, and only local observations (balance samples,
//! the times of first reading) are lost.
//!
//! ```text
//!  writes, one transaction each                       reads, never waiting for a write
//!  ───────────────────────────                        ────────────────────────────────
//!  LatestRead, BackfillRead  pages -> ordered rows    history     a window of any query
//!  save_accounts …           other listed resources   accounts, wallets, users, tokens, stats
//!  save_balances …                                    holdings    balances, or sums of the history
//! ```
//!
//! Only search and sort cost more with more rows: a window is a range of
//! [`seq`](crate::domain::history::HistoryRow::seq), opening reads one page or two, and memory holds the phrases that
//! rows share (see `dictionary`), one bit per row for each of the last few searches, and the small page caches of the
//! database.

mod activity_cache;
mod backfill;
mod balance_rows;
mod balance_samples;
mod balances;
mod by_time;
mod byte_packing;
mod cache_state;
mod cancel;
mod cursor;
mod dictionary;
mod directory;
mod directory_names;
mod error;
mod first_window;
mod flow_sum;
mod flows;
mod gap_repair;
mod history_diff;
mod history_snapshot;
mod holdings;
mod imitation_cache;
mod last_visit;
mod location;
mod mutex;
mod network;
mod own_addresses;
mod payments;
mod price_index;
mod price_samples;
mod recent_activity;
mod report_rows;
mod reports;
mod rescan;
mod result_set;
mod row;
mod row_set;
mod row_sums;
mod row_walk;
mod scan;
mod schema;
mod segment;
mod segment_sums;
mod sync_latest;
#[cfg(test)]
mod tests;
mod token_list;
mod tokens;
mod total_samples;
mod totals;
mod touched_segments;
mod wallet_totals;
mod window;
mod write;

use std::ops::Deref;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, RwLockWriteGuard};

use crate::domain::OwnAddresses;

use rusqlite::Connection;

use crate::domain::history::{ListingProperties, Scope, SyncProgress};
use crate::domain::{FinalStatuses, Timestamp};
use cache_state::CacheState;
use imitation_cache::ImitationCache;
use mutex::lock_mutex;
use own_addresses::CachedAddresses;

pub use backfill::BackfillRead;
pub use balances::BalanceReading;
pub use cancel::Cancel;
pub use error::StoreError;
pub use location::CacheLocation;
pub use payments::{OutgoingRows, WalletAddress};
pub use reports::ReportRequest;
pub use sync_latest::LatestRead;
pub use touched_segments::{DirectoryList, DirectoryVersions};
pub use write::SyncResult;

/// Cheap to clone; every clone is the same cache. Its methods block on the disk and may be called from any thread.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

pub struct OpenedStore {
    pub store: Store,
    /// Why the cache starts empty, if an old file could not be used.
    pub notice: Option<String>,
}

/// Field order matters: connections close before a temporary folder is removed.
struct Inner {
    /// The statuses that the profile treats as final; sums and the rows to refresh follow from them.
    final_statuses: FinalStatuses,
    /// Opened by the first write, so that starting a console waits for reads only; present from the start for a cache
    /// in memory.
    writer: Mutex<Option<Connection>>,
    readers: Mutex<Vec<Connection>>,
    dictionary: dictionary::SharedDictionary,
    /// Taken while every phrase is loaded, so that two threads do not load them twice.
    phrase_loading: Mutex<()>,
    /// Incremented by each write that changes displayed data.
    version: AtomicU64,
    touched_segments: Mutex<touched_segments::TouchedSegments>,
    result_sets: Mutex<Vec<Arc<Mutex<result_set::ResultSet>>>>,
    imitation_cache: Mutex<Option<Arc<ImitationCache>>>,
    /// By the list of tokens.
    poison_phrases: dictionary::PhraseCache<Option<i64>, scan::PoisonPhrases>,
    /// The wallet phrases of the scope that was searched last.
    scope_phrases: dictionary::PhraseCache<Scope, row_set::CodeSet>,
    directory_names: Mutex<Option<Arc<directory_names::DirectoryNames>>>,
    own_addresses: Mutex<Option<Arc<CachedAddresses>>>,
    /// The time range of each segment's rows, and the row times of a few segments.
    time_index: Mutex<by_time::TimeIndex>,
    flow_cache: segment_sums::SumCache<flow_sum::DailySums>,
    row_sum_cache: segment_sums::SumCache<flow_sum::TokenRowSums>,
    activity_cache: Mutex<activity_cache::SegmentActivityCache>,
    paid_before_cache: Mutex<activity_cache::PaidBeforeCache>,
    /// Rows that the backfill received and could not merge yet.
    paused_backfill: Mutex<Option<cursor::PausedBackfill>>,
    /// For each list, the row at which the last refresh of rows that are not final stopped.
    refresh_cursors: Mutex<[Option<i64>; 2]>,
    /// For each list, the next page to search for rows that were not at their expected position.
    search_pages: Mutex<[Option<u64>; 2]>,
    /// `None` for a cache in memory, where the writer is the only connection.
    folder: Option<location::CacheFolder>,
}

/// Reading connections kept open while idle. Each has its own page cache and statement cache; two are rarely needed at
/// once, and another opens in a fraction of a millisecond.
const IDLE_READERS: usize = 1;

impl Store {
    /// Whether the cache is in this process's memory alone, so that closing it leaves nothing to remove.
    pub fn is_in_memory(&self) -> bool {
        self.inner.folder.is_none()
    }

    /// Opens or creates the cache. A damaged file, or one of an older format, is set aside and an empty cache started.
    pub fn open(location: &CacheLocation) -> Result<OpenedStore, StoreError> {
        Self::open_with_final_statuses(location, FinalStatuses::default())
    }

    /// `open` with the profile's final statuses. A cache written with other final statuses must not be opened: its sums
    /// depend on them.
    pub fn open_with_final_statuses(
        location: &CacheLocation,
        final_statuses: FinalStatuses,
    ) -> Result<OpenedStore, StoreError> {
        let folder = location::CacheFolder::create_and_lock(location)?;
        if let (Some(folder), CacheLocation::Copy(source)) = (&folder, location) {
            folder.copy_from(source)?;
        }
        let (connection, notice) = match &folder {
            Some(folder) => folder.open_or_rebuild_database()?,
            None => (schema::open_in_memory()?, None),
        };
        let phrases = match dictionary::Dictionary::open(&connection) {
            Ok(phrases) => phrases,
            Err(error) => {
                if let Some(folder) = &folder {
                    folder.mark_damaged();
                }
                return Err(error);
            }
        };
        let (writer, readers) = match &folder {
            Some(_) => (None, vec![schema::into_reader(connection)?]),
            None => (Some(connection), Vec::new()),
        };
        let inner = Inner {
            final_statuses,
            writer: Mutex::new(writer),
            readers: Mutex::new(readers),
            dictionary: dictionary::SharedDictionary::new(phrases),
            phrase_loading: Mutex::default(),
            version: AtomicU64::new(1),
            touched_segments: Mutex::default(),
            result_sets: Mutex::default(),
            paid_before_cache: Mutex::default(),
            imitation_cache: Mutex::default(),
            poison_phrases: dictionary::PhraseCache::default(),
            scope_phrases: dictionary::PhraseCache::default(),
            directory_names: Mutex::default(),
            own_addresses: Mutex::default(),
            time_index: Mutex::default(),
            flow_cache: Mutex::default(),
            row_sum_cache: Mutex::default(),
            activity_cache: Mutex::default(),
            paused_backfill: Mutex::default(),
            refresh_cursors: Mutex::default(),
            search_pages: Mutex::default(),
            folder,
        };
        Ok(OpenedStore { store: Self { inner: Arc::new(inner) }, notice })
    }

    /// Removes a temporary cache from the disk now, even while clones exist: for the end of the program, when threads
    /// that are not joined still own one.
    pub fn remove_if_temporary(&self) {
        if let Some(folder) = &self.inner.folder {
            folder.remove_if_temporary();
        }
    }

    /// Whether the cache is removed when it is closed, so that no other process reads it and the next start has none of
    /// it.
    pub fn is_temporary(&self) -> bool {
        self.inner.folder.as_ref().is_none_or(location::CacheFolder::is_temporary)
    }

    pub fn final_statuses(&self) -> &FinalStatuses {
        &self.inner.final_statuses
    }

    /// Incremented by each write that changes displayed data.
    pub fn version(&self) -> u64 {
        self.inner.version.load(Ordering::Acquire)
    }

    pub fn directory_versions(&self) -> DirectoryVersions {
        lock_mutex(&self.inner.touched_segments).directory_versions().clone()
    }

    pub fn progress(&self) -> Result<SyncProgress, StoreError> {
        self.read_in_transaction(|connection| {
            let ends = cache_state::oldest_and_newest_seq(connection)?;
            Ok(CacheState::read(connection)?
                .progress(cache_state::count_rows(ends), cache_state::count_pending_rows(connection)?))
        })
    }

    /// What the lists read so far prove about how the service orders and filters them.
    pub fn paging_and_order_evidence(&self) -> Result<ListingProperties, StoreError> {
        Ok(self.read_in_transaction(CacheState::read)?.paging_and_order_evidence())
    }

    /// Progress and listing evidence of the cache in a folder, which may be in use; `None` where there is no cache, or
    /// one of another format.
    pub fn read_progress_in_folder(folder: &Path) -> Result<Option<(SyncProgress, ListingProperties)>, StoreError> {
        let file = location::cache_file_in(folder);
        if !file.is_file() {
            return Ok(None);
        }
        let connection = schema::open_reader(&file)?;
        if connection.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0))? != schema::FORMAT {
            return Ok(None);
        }
        let snapshot = connection.unchecked_transaction()?;
        let state = CacheState::read(&snapshot)?;
        let rows = cache_state::count_rows(cache_state::oldest_and_newest_seq(&snapshot)?);
        Ok(Some((state.progress(rows, cache_state::count_pending_rows(&snapshot)?), state.paging_and_order_evidence())))
    }

    /// The time of the last sync of the newest rows.
    pub fn newest_rows_synced_at(&self) -> Result<Option<Timestamp>, StoreError> {
        self.read_in_transaction(|connection| Ok(CacheState::read(connection)?.head_at.map(Timestamp::from_millis)))
    }

    /// Reads within one transaction, so from one unchanging snapshot of the database.
    fn read_in_transaction<T>(&self, work: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let read = |connection: &Connection| {
            let snapshot = connection.unchecked_transaction()?;
            let answer = work(&snapshot)?;
            snapshot.finish()?;
            Ok(answer)
        };
        let answer = match self.lease_reader() {
            Ok(Some(lease)) => read(&lease),
            Ok(None) => read(self.open_writer_if_needed(&mut lock_mutex(&self.inner.writer))?),
            Err(error) => Err(error),
        };
        self.mark_damaged_on_error(answer)
    }

    /// Marks a file that proves damaged, so that the next start sets it aside.
    fn mark_damaged_on_error<T>(&self, answer: Result<T, StoreError>) -> Result<T, StoreError> {
        if let (Err(StoreError::Damaged { .. }), Some(folder)) = (&answer, &self.inner.folder) {
            folder.mark_damaged();
        }
        answer
    }

    fn open_writer_if_needed<'a>(
        &self,
        writer_slot: &'a mut Option<Connection>,
    ) -> Result<&'a mut Connection, StoreError> {
        let writer = match (writer_slot.take(), &self.inner.folder) {
            (Some(writer), _) => writer,
            (None, Some(folder)) => {
                let writer = folder.open_for_writing()?;
                if CacheState::read(&writer)?.is_complete() {
                    schema::checkpoint_often(&writer)?;
                }
                writer
            }
            // A cache in memory has its connection from the start, and its content cannot be reopened.
            (None, None) => return Err(StoreError::damaged("a cache in memory is gone")),
        };
        Ok(writer_slot.insert(writer))
    }

    /// A connection that reads beside the writer; `None` where the writer's is the only one.
    fn lease_reader(&self) -> Result<Option<ReaderLease<'_>>, StoreError> {
        let Some(folder) = &self.inner.folder else { return Ok(None) };
        let idle = lock_mutex(&self.inner.readers).pop();
        let connection = match idle {
            Some(connection) => connection,
            None => schema::open_reader(&folder.cache_file())?,
        };
        Ok(Some(ReaderLease { store: self, connection: Some(connection) }))
    }

    /// The addresses of all wallets in the directory.
    pub fn own_addresses(&self) -> Result<Arc<OwnAddresses>, StoreError> {
        self.read_in_transaction(|connection| Ok(Arc::clone(&self.cached_own_addresses(connection)?.own)))
    }

    /// The own addresses in the connection's snapshot.
    fn cached_own_addresses(&self, connection: &Connection) -> Result<Arc<CachedAddresses>, StoreError> {
        CachedAddresses::current(&self.inner.own_addresses, connection)
    }

    fn imitation_cache(&self, connection: &Connection) -> Result<Arc<ImitationCache>, StoreError> {
        ImitationCache::current(&self.inner.imitation_cache, connection)
    }

    fn load_whole_dictionary(&self, connection: &Connection) -> Result<(), StoreError> {
        if self.read_dictionary().unloaded_pages().is_empty() {
            return Ok(());
        }
        let _alone = lock_mutex(&self.inner.phrase_loading);
        let unloaded = self.read_dictionary().unloaded_pages();
        let pages = dictionary::Dictionary::read_pages(connection, &unloaded)?;
        self.write_dictionary().insert_pages(pages);
        Ok(())
    }

    fn read_dictionary(&self) -> dictionary::DictionaryReadGuard<'_> {
        self.inner.dictionary.read()
    }

    fn write_dictionary(&self) -> RwLockWriteGuard<'_, dictionary::Dictionary> {
        self.inner.dictionary.write()
    }
}

struct ReaderLease<'a> {
    store: &'a Store,
    /// `Some` until the lease is dropped.
    connection: Option<Connection>,
}

impl Deref for ReaderLease<'_> {
    type Target = Connection;

    #[expect(clippy::expect_used, reason = "only drop takes the connection out")]
    fn deref(&self) -> &Connection {
        self.connection.as_ref().expect("a lease has its connection until it ends")
    }
}

impl Drop for ReaderLease<'_> {
    fn drop(&mut self) {
        let mut idle = lock_mutex(&self.store.inner.readers);
        if idle.len() < IDLE_READERS {
            idle.extend(self.connection.take());
        }
    }
}
