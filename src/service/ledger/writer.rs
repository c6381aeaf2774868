//! The one line in which all writers wait, and the commits that they share.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rusqlite::Connection;

use super::integrity::Integrity;
use super::refusal::RequestError;

/// Requests that are made durable by one commit, at most. More would keep the first ones waiting.
const TOGETHER: usize = 64;

/// After so long without a request the log is written into the file.
const QUIET: Duration = Duration::from_secs(1);

type ReplyCallback = Box<dyn FnOnce(Result<(), RequestError>)>;
type Job = Box<dyn FnOnce(&Connection) -> (JobOutcome, ReplyCallback) + Send>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum JobOutcome {
    Keep,
    Undo,
}

/// Where all writers wait.
pub(super) struct Writer {
    line: WriteQueue,
    commits: Arc<AtomicU64>,
    damage: Arc<OnceLock<String>>,
}

enum WriteQueue {
    /// Before a thread that owns the writing connection: while it waits for the disk, others line up for the next commit.
    Thread { jobs: Option<Sender<Job>>, thread: Option<JoinHandle<()>> },
    /// Before the only connection, which has no disk to wait for: whoever asks does it himself when his turn comes.
    Inline(Mutex<Connection>),
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Writer")
    }
}

impl Writer {
    /// A writer with a thread, which keeps the mark of a ledger that has one.
    pub(super) fn start(connection: Connection, integrity: Option<Integrity>) -> Self {
        let (jobs, line) = mpsc::channel();
        let (commits, damage) = (Arc::new(AtomicU64::new(0)), Arc::new(OnceLock::new()));
        let (counted, noticed) = (Arc::clone(&commits), Arc::clone(&damage));
        let thread = thread::spawn(move || write_all(connection, integrity, &line, &counted, &noticed));
        Self { line: WriteQueue::Thread { jobs: Some(jobs), thread: Some(thread) }, commits, damage }
    }

    /// Why nothing is written any more, where that is so.
    pub(super) fn damage(&self) -> Option<&str> {
        self.damage.get().map(String::as_str)
    }

    /// A writer without a thread, at a connection that reads as well.
    pub(super) fn inline(connection: Connection) -> Self {
        Self { line: WriteQueue::Inline(Mutex::new(connection)), commits: Arc::default(), damage: Arc::default() }
    }

    /// The connection, if it is the only one, when its turn has come.
    pub(super) fn lock_connection(&self) -> Option<MutexGuard<'_, Connection>> {
        match &self.line {
            WriteQueue::Thread { .. } => None,
            // A job that panics is undone, and a read that does is rolled back.
            WriteQueue::Inline(connection) => Some(connection.lock().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    /// How many commits there were. Whoever was told of an effect finds it counted.
    pub(super) fn commits(&self) -> u64 {
        self.commits.load(Ordering::SeqCst)
    }

    /// Runs one job in its turn, and returns when its effect is durable.
    pub(super) fn run<T: Send + 'static>(
        &self,
        op: impl FnOnce(&Connection) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, RequestError> {
        let (answer, answered) = mpsc::sync_channel(1);
        // Whoever asked may have gone away; the effect stands all the same.
        self.submit(op, move |result| drop(answer.send(result)))?;
        answered.recv().unwrap_or_else(|_| Err(job_panicked_error()))
    }

    /// Puts a job in line. Its answer is given when its effect is durable, on the writer's thread; to nobody, if the job
    /// panics.
    pub(super) fn submit<T: Send + 'static>(
        &self,
        op: impl FnOnce(&Connection) -> Result<T, RequestError> + Send + 'static,
        answer: impl FnOnce(Result<T, RequestError>) + Send + 'static,
    ) -> Result<(), RequestError> {
        let job: Job = Box::new(move |connection| {
            let result = op(connection);
            let outcome = if result.is_ok() { JobOutcome::Keep } else { JobOutcome::Undo };
            let tell = move |committed: Result<(), RequestError>| match result {
                // What the database could not do, as for want of room, undid the commit with it: that is the cause.
                Err(cause @ RequestError::Internal(_)) => answer(Err(cause)),
                result => answer(committed.and(result)),
            };
            (outcome, Box::new(tell))
        });
        let ended = || RequestError::Internal("the writer has ended".into());
        match (&self.line, self.lock_connection()) {
            (WriteQueue::Thread { jobs, .. }, _) => jobs.as_ref().ok_or_else(ended)?.send(job).map_err(|_| ended()),
            (WriteQueue::Inline(_), turn) => {
                let connection = &*turn.ok_or_else(ended)?;
                let (commits, damage) = (&self.commits, &self.damage);
                Committer { connection, integrity: None, commits, damage, is_full: false }.serve(job, || None);
                Ok(())
            }
        }
    }
}

impl Drop for Writer {
    /// Finishes what waits in line, then closes the connection.
    fn drop(&mut self) {
        let WriteQueue::Thread { jobs, thread } = &mut self.line else { return };
        drop(jobs.take());
        if let Some(thread) = thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the ledger's writer ended in a panic");
        }
    }
}

/// What somebody hears whose job panicked.
pub(in crate::service) fn job_panicked_error() -> RequestError {
    RequestError::Internal("the request failed inside".into())
}

/// What a thread writes with.
struct Committer<'a> {
    connection: &'a Connection,
    integrity: Option<&'a mut Integrity>,
    commits: &'a AtomicU64,
    damage: &'a OnceLock<String>,
    /// Whether the last commit found no room: it is said once, and once when there is room again.
    is_full: bool,
}

/// Writes on a thread of its own until nobody can ask any more, and leaves the ledger with an empty log.
fn write_all(
    connection: Connection,
    mut integrity: Option<Integrity>,
    line: &Receiver<Job>,
    commits: &AtomicU64,
    damage: &OnceLock<String>,
) {
    let mut committer =
        Committer { connection: &connection, integrity: integrity.as_mut(), commits, damage, is_full: false };
    loop {
        let waits = committer.integrity.as_ref().is_some_and(|integrity| integrity.has_log());
        let job = if waits { line.recv_timeout(QUIET) } else { line.recv().map_err(RecvTimeoutError::from) };
        match job {
            Ok(first) => committer.serve(first, || line.try_recv().ok()),
            Err(RecvTimeoutError::Timeout) => committer.relax(),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    if let Some(integrity) = integrity
        && let Err(error) = integrity.close(connection)
    {
        tracing::warn!(%error, "the ledger's log could not be emptied and stays until the next start");
    }
}

impl Committer<'_> {
    /// Does a job and those that wait behind it, makes them durable together, and tells those who asked.
    fn serve(&mut self, first: Job, behind: impl FnMut() -> Option<Job>) {
        let mut tells = Vec::new();
        let committed = self.commit(first, behind, &mut tells);
        if committed.is_err() && !self.connection.is_autocommit() && self.connection.execute_batch("ROLLBACK").is_err()
        {
            tracing::error!("rollback failed");
        }
        let is_full = committed.as_ref().is_err_and(RequestError::is_for_want_of_room);
        match &committed {
            Err(_) if is_full && !self.is_full => {
                let folder = self.integrity.as_ref().map(|integrity| integrity.folder().display());
                tracing::error!(
                    ?folder,
                    "no room left on the disk of the ledger: changes are rejected until there is room"
                );
            }
            Err(refusal) if !is_full => tracing::error!(%refusal, "nothing was written"),
            _ => {}
        }
        if self.is_full && committed.is_ok() {
            tracing::warn!("there is room on the disk of the ledger again");
        }
        self.is_full = is_full || (self.is_full && committed.is_err());
        self.commits.fetch_add(1, Ordering::SeqCst);
        for tell in tells {
            tell(committed.clone());
        }
        if self.integrity.as_ref().is_some_and(|integrity| integrity.is_long()) {
            self.checkpoint();
        }
    }

    fn commit(
        &mut self,
        first: Job,
        behind: impl FnMut() -> Option<Job>,
        tells: &mut Vec<ReplyCallback>,
    ) -> Result<(), RequestError> {
        let said = self.integrity.as_mut().map_or(Ok(()), |integrity| integrity.write_pending_mark());
        together(self.connection, first, behind, tells)?;
        if let Some(damage) = self.damage.get() {
            return Err(RequestError::Internal(format!("the ledger is damaged: {damage}")));
        }
        said?;
        self.connection.execute_batch("COMMIT")?;
        let Some(integrity) = &mut self.integrity else { return Ok(()) };
        match integrity.acknowledge() {
            Ok(()) => {}
            // The commit stands. What the mark cannot say now it says before the next one.
            Err(error) if integrity.is_behind() => {
                tracing::error!(%error, "the marker beside the ledger could not be updated");
            }
            // Nor can it say anything of those that would follow.
            Err(error) => {
                tracing::error!(%error, "the ledger accepts no more changes");
                let _said_before = self.damage.set(error.to_string());
            }
        }
        Ok(())
    }

    /// Nobody has asked for a while: the log is written into the file, and the memory for pages is given back.
    fn relax(&mut self) {
        self.checkpoint();
        if let Err(error) = self.connection.execute_batch("PRAGMA shrink_memory") {
            tracing::debug!(%error, "page memory could not be released");
        }
    }

    fn checkpoint(&mut self) {
        let Some(integrity) = &mut self.integrity else { return };
        if let Err(error) = integrity.checkpoint(self.connection) {
            tracing::debug!(%error, "the ledger's log could not be emptied for now");
        }
    }
}

/// Does a job and those that wait behind it in one transaction, which is left open.
fn together(
    connection: &Connection,
    first: Job,
    mut behind: impl FnMut() -> Option<Job>,
    tells: &mut Vec<ReplyCallback>,
) -> rusqlite::Result<()> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let mut next = Some(first);
    while let Some(job) = next {
        connection.prepare_cached("SAVEPOINT job")?.execute([])?;
        // A job that panics tells nobody: its channel closes, and whoever waits hears that.
        let outcome = match catch_unwind(AssertUnwindSafe(|| job(connection))) {
            Ok((outcome, tell)) => {
                tells.push(tell);
                outcome
            }
            Err(_) => JobOutcome::Undo,
        };
        if outcome == JobOutcome::Undo {
            connection.prepare_cached("ROLLBACK TO job")?.execute([])?;
        }
        connection.prepare_cached("RELEASE job")?.execute([])?;
        next = if tells.len() < TOGETHER { behind() } else { None };
    }
    Ok(())
}
