//! The one line in which all writers wait, and the commits that they share.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;

use super::refusal::Refusal;

/// Requests that are made durable by one commit, at most. More would keep the first ones waiting.
const TOGETHER: usize = 64;

type Tell = Box<dyn FnOnce(Result<(), Refusal>)>;
type Job = Box<dyn FnOnce(&Connection) -> (Outcome, Tell) + Send>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Keep,
    Undo,
}

/// Where all writers wait.
pub(super) struct Writer {
    line: Line,
    commits: Arc<AtomicU64>,
}

enum Line {
    /// Before a thread that owns the writing connection: while it waits for the disk, others line up for the next commit.
    Thread { jobs: Option<Sender<Job>>, thread: Option<JoinHandle<()>> },
    /// Before the only connection, which has no disk to wait for: whoever asks does it himself when his turn comes.
    Turns(Mutex<Connection>),
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Writer")
    }
}

impl Writer {
    pub(super) fn start(connection: Connection) -> Self {
        let (jobs, line) = mpsc::channel();
        let commits = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&commits);
        let thread = thread::spawn(move || {
            while let Ok(first) = line.recv() {
                serve(&connection, first, || line.try_recv().ok(), &counted);
            }
        });
        Self { line: Line::Thread { jobs: Some(jobs), thread: Some(thread) }, commits }
    }

    /// A writer without a thread, at a connection that reads as well.
    pub(super) fn in_turns(connection: Connection) -> Self {
        Self { line: Line::Turns(Mutex::new(connection)), commits: Arc::default() }
    }

    /// The connection, if it is the only one, when its turn has come.
    pub(super) fn turn(&self) -> Option<MutexGuard<'_, Connection>> {
        match &self.line {
            Line::Thread { .. } => None,
            // A job that panics is undone, and a read that does is rolled back.
            Line::Turns(connection) => Some(connection.lock().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    /// How many commits there were. Whoever was told of an effect finds it counted.
    pub(super) fn commits(&self) -> u64 {
        self.commits.load(Ordering::SeqCst)
    }

    /// Runs one job in its turn, and returns when its effect is durable.
    pub(super) fn run<T: Send + 'static>(
        &self,
        op: impl FnOnce(&Connection) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let (answer, answered) = mpsc::sync_channel(1);
        // Whoever asked may have gone away; the effect stands all the same.
        self.submit(op, move |result| drop(answer.send(result)))?;
        answered.recv().unwrap_or_else(|_| Err(failed_inside()))
    }

    /// Puts a job in line. Its answer is given when its effect is durable, on the writer's thread; to nobody, if the job
    /// panics.
    pub(super) fn submit<T: Send + 'static>(
        &self,
        op: impl FnOnce(&Connection) -> Result<T, Refusal> + Send + 'static,
        answer: impl FnOnce(Result<T, Refusal>) + Send + 'static,
    ) -> Result<(), Refusal> {
        let job: Job = Box::new(move |connection| {
            let result = op(connection);
            let outcome = if result.is_ok() { Outcome::Keep } else { Outcome::Undo };
            let tell = move |committed: Result<(), Refusal>| match result {
                // What the database could not do, as for want of room, undid the commit with it: that is the cause.
                Err(cause @ Refusal::Broken(_)) => answer(Err(cause)),
                result => answer(committed.and(result)),
            };
            (outcome, Box::new(tell))
        });
        let ended = || Refusal::Broken("the writer has ended".into());
        match (&self.line, self.turn()) {
            (Line::Thread { jobs, .. }, _) => jobs.as_ref().ok_or_else(ended)?.send(job).map_err(|_| ended()),
            (Line::Turns(_), turn) => {
                serve(&*turn.ok_or_else(ended)?, job, || None, &self.commits);
                Ok(())
            }
        }
    }
}

impl Drop for Writer {
    /// Finishes what waits in line, then closes the connection.
    fn drop(&mut self) {
        let Line::Thread { jobs, thread } = &mut self.line else { return };
        drop(jobs.take());
        if let Some(thread) = thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the ledger's writer ended in a panic");
        }
    }
}

/// What somebody hears whose job panicked.
pub(in crate::service) fn failed_inside() -> Refusal {
    Refusal::Broken("the request failed inside".into())
}

/// Does a job and those that wait behind it, makes them durable together, and tells those who asked.
fn serve(connection: &Connection, first: Job, behind: impl FnMut() -> Option<Job>, commits: &AtomicU64) {
    let mut tells = Vec::new();
    let committed = together(connection, first, behind, &mut tells);
    if let Err(error) = &committed {
        tracing::error!(%error, "commit failed");
        if !connection.is_autocommit() && connection.execute_batch("ROLLBACK").is_err() {
            tracing::error!("rollback failed");
        }
    }
    let committed = committed.map_err(Refusal::from);
    commits.fetch_add(1, Ordering::SeqCst);
    for tell in tells {
        tell(committed.clone());
    }
}

fn together(
    connection: &Connection,
    first: Job,
    mut behind: impl FnMut() -> Option<Job>,
    tells: &mut Vec<Tell>,
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
            Err(_) => Outcome::Undo,
        };
        if outcome == Outcome::Undo {
            connection.prepare_cached("ROLLBACK TO job")?.execute([])?;
        }
        connection.prepare_cached("RELEASE job")?.execute([])?;
        next = if tells.len() < TOGETHER { behind() } else { None };
    }
    connection.execute_batch("COMMIT")
}
