//! What is noted down while the program runs: in a file while the screen is up, on standard error otherwise.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use tracing::level_filters::LevelFilter;
use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::{FolderFault, Folders};

/// How much is noted down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogLevel {
    /// Nothing
    Off,
    /// What failed
    Error,
    /// What is odd
    Warn,
    /// What happens
    Info,
    /// How it happens
    Debug,
    /// Every step
    Trace,
}

/// Why no log can be kept.
#[derive(Debug, thiserror::Error)]
pub(super) enum LogFault {
    /// The data folder cannot be had.
    #[error(transparent)]
    Folder(#[from] FolderFault),
    /// The file cannot be written.
    #[error("cannot write the log {}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: io::Error,
    },
}

/// A log that has grown beyond this is set aside at the next start, in place of the one set aside before.
const LONGEST: u64 = 8 * 1024 * 1024;

/// Lines that may wait for the disk. Room for them is made at the start: the library's own limit takes 4 MiB and 2 ms.
const LINES: usize = 1_024;

/// Notes go to `bursar.log` in the data folder, written by a thread of their own so that no disk holds up a frame.
/// The guard writes what is left when it is dropped: keep it to the end.
pub(super) fn to_file(folders: &Folders, level: LogLevel) -> Result<WorkerGuard, LogFault> {
    let path = folders.data()?.join("bursar.log");
    let file = open(&path).map_err(|source| LogFault::File { path, source })?;
    let (writer, guard) = NonBlockingBuilder::default().buffered_lines_limit(LINES).finish(file);
    let layer = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(writer);
    install(tracing_subscriber::registry().with(filter(level)).with(layer));
    Ok(guard)
}

/// Notes go to standard error: for commands that have no screen.
pub(super) fn to_stderr(level: LogLevel) {
    let layer = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(io::stderr);
    install(tracing_subscriber::registry().with(filter(level)).with(layer));
}

/// The same as JSON, one object a line, for programs that read logs.
pub(super) fn to_stderr_as_json(level: LogLevel) {
    let layer = tracing_subscriber::fmt::layer().json().with_writer(io::stderr);
    install(tracing_subscriber::registry().with(filter(level)).with(layer));
}

fn install(subscriber: impl SubscriberInitExt) {
    // A second one in the same process is refused, and the first goes on: only tests come here twice.
    let _first_one_stays = subscriber.try_init();
}

/// Our own notes at the level that was asked for; of the libraries only what is odd, since their chatter may hold
/// what we would not write.
fn filter(level: LogLevel) -> Targets {
    let own = match level {
        LogLevel::Off => LevelFilter::OFF,
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    };
    Targets::new()
        .with_default(own.min(LevelFilter::WARN))
        .with_target("bursar", own)
        // It writes down what strangers send, as they send it.
        .with_target("russh", LevelFilter::OFF)
}

/// Opens the log for its owner alone, and sets an overlong one aside.
fn open(path: &Path) -> io::Result<File> {
    if path.metadata().is_ok_and(|about| about.len() > LONGEST) {
        std::fs::rename(path, path.with_extension("log.1"))?;
    }
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overlong_log_is_set_aside_and_a_new_one_is_its_owners_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bursar.log");
        File::create(&path).unwrap().set_len(LONGEST + 1).unwrap();
        let file = open(&path).unwrap();
        assert_eq!(file.metadata().unwrap().len(), 0);
        assert_eq!(folder.path().join("bursar.log.1").metadata().unwrap().len(), LONGEST + 1);
        #[cfg(unix)]
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&file.metadata().unwrap().permissions()) & 0o777, 0o600);
    }
}
