//! The write queue of the ledger, and its shared commits.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rusqlite::Connection;

use super::integrity::Integrity;
use super::request_error::RequestError;

/// Requests per commit. More would delay the first ones.
const JOBS_PER_COMMIT: usize = 64;

/// Idle time after which the log is checkpointed.
const IDLE_BEFORE_CHECKPOINT: Duration = Duration::from_secs(1);

type ReplyCallback = Box<dyn FnOnce(Result<(), RequestError>)>;
type Job = Box<dyn FnOnce(&Connection) -> (JobOutcome, ReplyCallback) + Send>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum JobOutcome {
    Keep,
    Undo,
}

pub(super) struct Writer {
    queue: WriteQueue,
    commits: Arc<AtomicU64>,
    damage: Arc<OnceLock<String>>,
}

enum WriteQueue {
    /// A thread owns the writing connection: while it waits for the disk, others queue up for the next commit.
    Thread { jobs: Option<Sender<Job>>, thread: Option<JoinHandle<()>> },
    /// The only connection, without a disk to wait for: each caller writes on its own thread, under the lock.
    Inline(Mutex<Connection>),
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Writer")
    }
}

impl Writer {
    /// A writer with a thread, which maintains the ledger's mark if there is one.
    pub(super) fn start(connection: Connection, integrity: Option<Integrity>) -> Self {
        let (jobs, job_receiver) = mpsc::channel();
        let (commits, damage) = (Arc::new(AtomicU64::new(0)), Arc::new(OnceLock::new()));
        let (commit_count, noticed) = (Arc::clone(&commits), Arc::clone(&damage));
        let thread =
            thread::spawn(move || run_commit_loop(connection, integrity, &job_receiver, &commit_count, &noticed));
        Self { queue: WriteQueue::Thread { jobs: Some(jobs), thread: Some(thread) }, commits, damage }
    }

    /// Why writing has stopped, if it has.
    pub(super) fn damage_reason(&self) -> Option<&str> {
        self.damage.get().map(String::as_str)
    }

    /// A writer without a thread, on a connection that also reads.
    pub(super) fn inline(connection: Connection) -> Self {
        Self { queue: WriteQueue::Inline(Mutex::new(connection)), commits: Arc::default(), damage: Arc::default() }
    }

    /// The lock on the only connection; `None` with a writer thread.
    pub(super) fn lock_connection(&self) -> Option<MutexGuard<'_, Connection>> {
        match &self.queue {
            WriteQueue::Thread { .. } => None,
            // A panicking job or read is rolled back, so a poisoned lock is safe.
            WriteQueue::Inline(connection) => Some(connection.lock().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    /// Commits so far, including every effect that was acknowledged.
    pub(super) fn commit_count(&self) -> u64 {
        self.commits.load(Ordering::SeqCst)
    }

    /// Runs one job, and returns when its effect is durable.
    pub(super) fn run<T: Send + 'static>(
        &self,
        op: impl FnOnce(&Connection) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, RequestError> {
        let (answer, answered) = mpsc::sync_channel(1);
        // The caller may have gone away; the effect is durable all the same.
        self.submit(op, move |result| drop(answer.send(result)))?;
        answered.recv().unwrap_or_else(|_| Err(job_panicked_error()))
    }

    /// Queues a job. `answer` is called on the writer's thread when the effect is durable, and never if the job panics.
    pub(super) fn submit<T: Send + 'static>(
        &self,
        op: impl FnOnce(&Connection) -> Result<T, RequestError> + Send + 'static,
        answer: impl FnOnce(Result<T, RequestError>) + Send + 'static,
    ) -> Result<(), RequestError> {
        let job: Job = Box::new(move |connection| {
            let result = op(connection);
            let outcome = if result.is_ok() { JobOutcome::Keep } else { JobOutcome::Undo };
            let reply = move |committed: Result<(), RequestError>| match result {
                // A database failure, such as a full disk, also fails the commit: report the cause.
                Err(cause @ RequestError::Internal(_)) => answer(Err(cause)),
                result => answer(committed.and(result)),
            };
            (outcome, Box::new(reply))
        });
        let ended = || RequestError::Internal("the writer has ended".into());
        match (&self.queue, self.lock_connection()) {
            (WriteQueue::Thread { jobs, .. }, _) => jobs.as_ref().ok_or_else(ended)?.send(job).map_err(|_| ended()),
            (WriteQueue::Inline(_), turn) => {
                let connection = &*turn.ok_or_else(ended)?;
                let (commits, damage) = (&self.commits, &self.damage);
                Committer { connection, integrity: None, commits, damage, is_full: false }
                    .commit_and_reply(job, || None);
                Ok(())
            }
        }
    }
}

impl Drop for Writer {
    /// Finishes the queue, then closes the connection.
    fn drop(&mut self) {
        let WriteQueue::Thread { jobs, thread } = &mut self.queue else { return };
        drop(jobs.take());
        if let Some(thread) = thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the ledger's writer ended in a panic");
        }
    }
}

/// The error for callers whose job panicked.
pub(in crate::service) fn job_panicked_error() -> RequestError {
    RequestError::Internal("the request failed inside".into())
}

/// State of the committing thread.
struct Committer<'a> {
    connection: &'a Connection,
    integrity: Option<&'a mut Integrity>,
    commits: &'a AtomicU64,
    damage: &'a OnceLock<String>,
    /// Whether the last commit found the disk full: logged once, and once when there is room again.
    is_full: bool,
}

/// Commits until the queue is closed, and leaves the ledger with an empty log.
fn run_commit_loop(
    connection: Connection,
    mut integrity: Option<Integrity>,
    job_receiver: &Receiver<Job>,
    commits: &AtomicU64,
    damage: &OnceLock<String>,
) {
    let mut committer =
        Committer { connection: &connection, integrity: integrity.as_mut(), commits, damage, is_full: false };
    loop {
        let waits = committer.integrity.as_ref().is_some_and(|integrity| integrity.has_uncheckpointed_commits());
        let job = if waits {
            job_receiver.recv_timeout(IDLE_BEFORE_CHECKPOINT)
        } else {
            job_receiver.recv().map_err(RecvTimeoutError::from)
        };
        match job {
            Ok(first) => committer.commit_and_reply(first, || job_receiver.try_recv().ok()),
            Err(RecvTimeoutError::Timeout) => committer.checkpoint_and_release_memory(),
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
    /// Runs a job and those queued behind it in one commit, then calls their answers.
    fn commit_and_reply(&mut self, first: Job, behind: impl FnMut() -> Option<Job>) {
        let mut replies = Vec::new();
        let committed = self.run_and_commit(first, behind, &mut replies);
        if committed.is_err() && !self.connection.is_autocommit() && self.connection.execute_batch("ROLLBACK").is_err()
        {
            tracing::error!("rollback failed");
        }
        let is_full = committed.as_ref().is_err_and(RequestError::is_disk_full);
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
        for reply in replies {
            reply(committed.clone());
        }
        if self.integrity.as_ref().is_some_and(|integrity| integrity.is_checkpoint_due()) {
            self.checkpoint_log();
        }
    }

    fn run_and_commit(
        &mut self,
        first: Job,
        behind: impl FnMut() -> Option<Job>,
        replies: &mut Vec<ReplyCallback>,
    ) -> Result<(), RequestError> {
        let mark_result = self.integrity.as_mut().map_or(Ok(()), |integrity| integrity.retry_failed_mark_write());
        run_in_one_transaction(self.connection, first, behind, replies)?;
        if let Some(damage) = self.damage.get() {
            return Err(RequestError::Internal(format!("the ledger is damaged: {damage}")));
        }
        mark_result?;
        self.connection.execute_batch("COMMIT")?;
        let Some(integrity) = &mut self.integrity else { return Ok(()) };
        match integrity.record_last_commit() {
            Ok(()) => {}
            // The commit is durable. The mark is brought up to date before the next one.
            Err(error) if integrity.is_mark_behind() => {
                tracing::error!(%error, "the marker beside the ledger could not be updated");
            }
            // The mark cannot vouch for later commits either: stop writing.
            Err(error) => {
                tracing::error!(%error, "the ledger accepts no more changes");
                let _said_before = self.damage.set(error.to_string());
            }
        }
        Ok(())
    }

    /// The queue is idle: checkpoint the log and release page memory.
    fn checkpoint_and_release_memory(&mut self) {
        self.checkpoint_log();
        if let Err(error) = self.connection.execute_batch("PRAGMA shrink_memory") {
            tracing::debug!(%error, "page memory could not be released");
        }
    }

    fn checkpoint_log(&mut self) {
        let Some(integrity) = &mut self.integrity else { return };
        if let Err(error) = integrity.checkpoint(self.connection) {
            tracing::debug!(%error, "the ledger's log could not be emptied for now");
        }
    }
}

/// Runs a job and those queued behind it in one transaction, which stays open.
fn run_in_one_transaction(
    connection: &Connection,
    first: Job,
    mut behind: impl FnMut() -> Option<Job>,
    replies: &mut Vec<ReplyCallback>,
) -> rusqlite::Result<()> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let mut next = Some(first);
    while let Some(job) = next {
        connection.prepare_cached("SAVEPOINT job")?.execute([])?;
        // A panicking job has no answer callback: its channel closes, which the caller sees.
        let outcome = match catch_unwind(AssertUnwindSafe(|| job(connection))) {
            Ok((outcome, reply)) => {
                replies.push(reply);
                outcome
            }
            Err(_) => JobOutcome::Undo,
        };
        if outcome == JobOutcome::Undo {
            connection.prepare_cached("ROLLBACK TO job")?.execute([])?;
        }
        connection.prepare_cached("RELEASE job")?.execute([])?;
        next = if replies.len() < JOBS_PER_COMMIT { behind() } else { None };
    }
    Ok(())
}
