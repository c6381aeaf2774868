//! The one line in which all writers wait, and the commits that they share.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
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

/// A thread that owns the writing connection.
pub(super) struct Writer {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    commits: Arc<AtomicU64>,
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
        let thread = thread::spawn(move || serve(&connection, &line, &counted));
        Self { jobs: Some(jobs), thread: Some(thread), commits }
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
            (outcome, Box::new(move |committed: Result<(), Refusal>| answer(committed.and(result))))
        });
        let ended = || Refusal::Broken("the writer has ended".into());
        self.jobs.as_ref().ok_or_else(ended)?.send(job).map_err(|_| ended())
    }
}

impl Drop for Writer {
    /// Finishes what waits in line, then closes the connection.
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(thread) = self.thread.take()
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

fn serve(connection: &Connection, line: &Receiver<Job>, commits: &AtomicU64) {
    while let Ok(first) = line.recv() {
        let mut tells = Vec::new();
        let committed = together(connection, first, line, &mut tells);
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
}

fn together(connection: &Connection, first: Job, line: &Receiver<Job>, tells: &mut Vec<Tell>) -> rusqlite::Result<()> {
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
        next = if tells.len() < TOGETHER { line.try_recv().ok() } else { None };
    }
    connection.execute_batch("COMMIT")
}
