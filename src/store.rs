//! The disposable cache: what was read from the service, kept on disk so that windows, search and sums are answered at
//! once. Delete it and nothing is lost: everything in it is read anew.
//!
//! ```text
//!  writes, one transaction each                       reads, never waiting for a write
//!  ───────────────────────────                        ────────────────────────────────
//!  HeadRead, BackRead   pages -> rows in order        history     a window of any query
//!  keep_accounts …      what else the service said    accounts, wallets, users, tokens, stats
//!  keep_balances …                                    holdings    balances, or sums of the history
//! ```
//!
//! Nothing costs more with more rows, but for what must look at all of them (search, sort): a window is a range of
//! [`seq`](crate::domain::history::HistoryRow::seq), opening reads one page or two, and memory holds the phrases that
//! rows share (see `phrase`), one bit for each row of the last few searches, and the small page caches of the
//! database.

mod backfill;
mod balances;
mod by_time;
mod cancel;
mod cursor;
mod dictionary;
mod directory;
mod error;
mod first_window;
mod flows;
mod gap_repair;
mod history_diff;
mod history_snapshot;
mod holdings;
mod imitation_cache;
mod location;
mod names;
mod network;
mod pack;
mod payments;
mod price_index;
mod rescan;
mod result_set;
mod row;
mod row_set;
mod samples;
mod scan;
mod schema;
mod segment;
mod state;
mod sync_latest;
#[cfg(test)]
mod tests;
mod tokens;
mod totals;
mod walk;
mod wallet_totals;
mod window;
mod write;

use std::ops::Deref;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLockWriteGuard};

use rusqlite::Connection;

use crate::domain::history::{ListingEvidence, Progress};
use crate::domain::{FinalStatuses, Timestamp};
use state::State;

pub use backfill::BackfillRead;
pub use balances::BalanceReading;
pub use cancel::Cancel;
pub use error::StoreError;
pub use location::CacheLocation;
pub use payments::{OutgoingRows, WalletAddress};
pub use sync_latest::LatestRead;
pub use write::SyncResult;

/// The cache. Cheap to clone; every clone is the same one. Its methods block for as long as the disk takes, and may be
/// called from any thread.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

/// A cache that was opened, and what there is to say about it.
pub struct Opened {
    /// The cache.
    pub store: Store,
    /// Why it starts empty, if an old file could not be used.
    pub notice: Option<String>,
}

/// Connections come first, so that they are closed before a temporary folder is removed.
struct Inner {
    /// Which words of the service are final: sums, and which rows are looked at again, follow from them.
    words: FinalStatuses,
    /// Opened by the first write, for whoever opens a console waits for what reads alone; there from the beginning where
    /// the cache is in memory.
    writer: Mutex<Option<Connection>>,
    readers: Mutex<Vec<Connection>>,
    phrases: dictionary::Shared,
    /// Held by whoever loads every phrase: two who do so at once would read them twice.
    loading: Mutex<()>,
    /// Moves with each write that changed something shown.
    version: AtomicU64,
    touched_segments: Mutex<history_snapshot::TouchedSegments>,
    result_sets: Mutex<Vec<Arc<Mutex<result_set::ResultSet>>>>,
    judge: Mutex<Option<Arc<imitation_cache::ImitationCache>>>,
    names: Mutex<Option<Arc<names::Names>>>,
    /// Between which times the rows of each segment stand, and the times of those of a few segments.
    time_index: Mutex<by_time::TimeIndex>,
    /// What came and went, for the last few questions.
    flow_cache: Mutex<Vec<flows::CachedFlows>>,
    /// What the first read received and could not place yet.
    unplaced_rows: Mutex<Option<backfill::UnplacedRows>>,
    /// Where, in each list, the last look for rows that are not final stopped.
    refresh_cursors: Mutex<[Option<i64>; 2]>,
    /// In each list, the page that is looked through next for rows that were not where they were expected.
    search_pages: Mutex<[Option<u64>; 2]>,
    /// None where it is in memory. The writer is the only connection then.
    home: Option<location::CacheFolder>,
}

/// Reading connections that are kept open while idle. Each has pages and plans of its own; that two are wanted at once is
/// rare, and one more is opened in a fraction of a millisecond.
const IDLE_READERS: usize = 1;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing here is left half done by a panic: a batch that was not committed is rolled back.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Store {
    /// Whether it is in this process's memory alone, so that nothing is left to remove when it is closed.
    pub fn is_in_memory(&self) -> bool {
        self.inner.home.is_none()
    }

    /// Opens the cache, or makes it. A file that is damaged or of an older format is set aside and a new one begun.
    pub fn open(place: &CacheLocation) -> Result<Opened, StoreError> {
        Self::open_by(place, FinalStatuses::default())
    }

    /// The same where a profile says which words of its service are final. A cache that was kept by other words must not be
    /// opened: its sums follow from those.
    pub fn open_by(place: &CacheLocation, words: FinalStatuses) -> Result<Opened, StoreError> {
        let home = location::CacheFolder::acquire(place)?;
        if let (Some(home), CacheLocation::Copy(folder)) = (&home, place) {
            home.copy_from(folder)?;
        }
        let (connection, notice) = match &home {
            Some(home) => home.open()?,
            None => (schema::in_memory()?, None),
        };
        let phrases = match dictionary::Dictionary::open(&connection) {
            Ok(phrases) => phrases,
            Err(error) => {
                if let Some(home) = &home {
                    home.mark_damaged();
                }
                return Err(error);
            }
        };
        let (writer, readers) = match &home {
            Some(_) => (None, vec![schema::into_reader(connection)?]),
            None => (Some(connection), Vec::new()),
        };
        let inner = Inner {
            words,
            writer: Mutex::new(writer),
            readers: Mutex::new(readers),
            phrases: dictionary::Shared::new(phrases),
            loading: Mutex::default(),
            version: AtomicU64::new(1),
            touched_segments: Mutex::default(),
            result_sets: Mutex::default(),
            judge: Mutex::default(),
            names: Mutex::default(),
            time_index: Mutex::default(),
            flow_cache: Mutex::default(),
            unplaced_rows: Mutex::default(),
            refresh_cursors: Mutex::default(),
            search_pages: Mutex::default(),
            home,
        };
        Ok(Opened { store: Self { inner: Arc::new(inner) }, notice })
    }

    /// Removes a temporary cache from the disk now, though somebody may still hold it: for the end of the program, when
    /// threads that are not waited for hold on to it.
    pub fn discard(&self) {
        if let Some(home) = &self.inner.home {
            home.discard();
        }
    }

    /// Whether it is gone when it is closed: nobody else reads it, and nothing of it is there at the next start.
    pub fn is_temporary(&self) -> bool {
        self.inner.home.as_ref().is_none_or(location::CacheFolder::is_temporary)
    }

    /// Which words of the service are final.
    pub fn final_words(&self) -> &FinalStatuses {
        &self.inner.words
    }

    /// Moves with each write that changed something shown.
    pub fn version(&self) -> u64 {
        self.inner.version.load(Ordering::Acquire)
    }

    /// How far the history has been read.
    pub fn progress(&self) -> Result<Progress, StoreError> {
        self.read(|connection| {
            let ends = state::ends(connection)?;
            Ok(State::read(connection)?.progress(state::rows(ends), state::pending(connection)?))
        })
    }

    /// What was seen of how the service lists its transactions.
    pub fn proof(&self) -> Result<ListingEvidence, StoreError> {
        Ok(self.read(State::read)?.proof())
    }

    /// How far the history was read into the cache of a folder, and what was seen of how the service lists; `None` where
    /// there is no such cache, or one of another format. It may be in use.
    pub fn read_progress(folder: &Path) -> Result<Option<(Progress, ListingEvidence)>, StoreError> {
        let file = location::file_of(folder);
        if !file.is_file() {
            return Ok(None);
        }
        let connection = schema::open_reader(&file)?;
        if connection.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0))? != schema::FORMAT {
            return Ok(None);
        }
        let picture = connection.unchecked_transaction()?;
        let state = State::read(&picture)?;
        let rows = state::rows(state::ends(&picture)?);
        Ok(Some((state.progress(rows, state::pending(&picture)?), state.proof())))
    }

    /// When the head of the history was last looked at.
    pub fn latest_checked_at(&self) -> Result<Option<Timestamp>, StoreError> {
        self.read(|connection| Ok(State::read(connection)?.head_at.map(Timestamp::from_millis)))
    }

    /// Reads from one unchanging picture of the database.
    fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let look = |connection: &Connection| {
            let picture = connection.unchecked_transaction()?;
            let answer = work(&picture)?;
            picture.finish()?;
            Ok(answer)
        };
        let answer = match self.lease() {
            Ok(Some(lease)) => look(&lease),
            Ok(None) => look(self.ensure_open(&mut lock(&self.inner.writer))?),
            Err(error) => Err(error),
        };
        self.note_damage(answer)
    }

    /// A file that turns out to be damaged is set aside at the next start.
    fn note_damage<T>(&self, answer: Result<T, StoreError>) -> Result<T, StoreError> {
        if let (Err(StoreError::Damaged { .. }), Some(home)) = (&answer, &self.inner.home) {
            home.mark_damaged();
        }
        answer
    }

    /// The connection that writes, in its place.
    fn ensure_open<'a>(&self, place: &'a mut Option<Connection>) -> Result<&'a mut Connection, StoreError> {
        let writer = match (place.take(), &self.inner.home) {
            (Some(writer), _) => writer,
            (None, Some(home)) => {
                let writer = home.open_again()?;
                if State::read(&writer)?.complete() {
                    schema::keep_log_short(&writer)?;
                }
                writer
            }
            // It is there from the beginning, and what was in it is not to be had a second time.
            (None, None) => return Err(StoreError::damaged("a cache in memory is gone")),
        };
        Ok(place.insert(writer))
    }

    /// A connection that reads beside the writer; `None` where the writer's is the only one.
    fn lease(&self) -> Result<Option<Lease<'_>>, StoreError> {
        let Some(home) = &self.inner.home else { return Ok(None) };
        let idle = lock(&self.inner.readers).pop();
        let connection = match idle {
            Some(connection) => connection,
            None => schema::open_reader(&home.file())?,
        };
        Ok(Some(Lease { store: self, connection: Some(connection) }))
    }

    /// Loads every phrase.
    fn load_phrases(&self, connection: &Connection) -> Result<(), StoreError> {
        if self.phrases().unloaded().is_empty() {
            return Ok(());
        }
        let _alone = lock(&self.inner.loading);
        let unloaded = self.phrases().unloaded();
        let pages = dictionary::Dictionary::read(connection, &unloaded)?;
        self.phrases_mut().load(pages);
        Ok(())
    }

    fn phrases(&self) -> dictionary::ReadGuard<'_> {
        self.inner.phrases.read()
    }

    fn phrases_mut(&self) -> RwLockWriteGuard<'_, dictionary::Dictionary> {
        self.inner.phrases.write()
    }
}

/// A reading connection on loan.
struct Lease<'a> {
    store: &'a Store,
    /// There until the lease ends.
    connection: Option<Connection>,
}

impl Deref for Lease<'_> {
    type Target = Connection;

    #[expect(clippy::expect_used, reason = "only drop takes the connection out")]
    fn deref(&self) -> &Connection {
        self.connection.as_ref().expect("a lease has its connection until it ends")
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let mut idle = lock(&self.store.inner.readers);
        if idle.len() < IDLE_READERS {
            idle.extend(self.connection.take());
        }
    }
}
