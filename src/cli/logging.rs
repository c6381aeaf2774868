//! The log: in a file while the screen is up, on standard error otherwise.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use tracing::level_filters::LevelFilter;
use tracing_appender::non_blocking::{NonBlocking, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::{FolderFault, Folders};
use crate::domain::Timestamp;

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

#[derive(Debug, thiserror::Error)]
pub(super) enum LogFault {
    #[error(transparent)]
    Folder(#[from] FolderFault),
    #[error("cannot write the log {}", .path.display())]
    File {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
}

/// Bytes. A longer log is set aside at the next start, replacing the one set aside before.
const MAX_LOG_BYTES: u64 = 8 * 1024 * 1024;

/// Lines that may wait for the disk. The buffer is allocated at once: the library's own limit takes 4 MiB and 2 ms.
const MAX_WAITING_LINES: usize = 1_024;

/// Logs to `bursar.log` in the data folder, from a thread of its own so that no disk delays a frame. The guard flushes
/// when it is dropped: keep it to the end.
pub(super) fn log_to_file(folders: &Folders, level: LogLevel) -> Result<WorkerGuard, LogFault> {
    let path = folders.create_data_folder()?.join("bursar.log");
    let file = open_log_file(&path).map_err(|source| LogFault::File { path, source })?;
    let (writer, guard) = NonBlockingBuilder::default().buffered_lines_limit(MAX_WAITING_LINES).finish(file);
    let layer = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(writer);
    install_subscriber(tracing_subscriber::registry().with(log_filter(level)).with(layer));
    Ok(guard)
}

/// Logs to standard error: for commands without a screen.
pub(super) fn log_to_stderr(level: LogLevel) {
    let layer = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(io::stderr);
    install_subscriber(tracing_subscriber::registry().with(log_filter(level)).with(layer));
}

/// Logs to standard error, together with the lines of the [`LineLog`], from a thread of its own: a blocked standard
/// error must not delay visitors. The guard flushes when it is dropped: keep it to the end.
pub(super) fn log_lines_to_stderr(level: LogLevel) -> (LineLog, WorkerGuard) {
    let (log, guard) = LineLog::writing_to(io::stderr());
    let layer = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(log.writer.clone());
    install_subscriber(tracing_subscriber::registry().with(log_filter(level)).with(layer));
    (log, guard)
}

/// Lines with the time. When too many wait, further ones are dropped and counted.
#[derive(Debug, Clone)]
pub(super) struct LineLog {
    writer: NonBlocking,
}

impl LineLog {
    fn writing_to(output: impl io::Write + Send + 'static) -> (Self, WorkerGuard) {
        let (writer, guard) = NonBlockingBuilder::default().buffered_lines_limit(MAX_WAITING_LINES).finish(output);
        (Self { writer }, guard)
    }

    /// Writes a line, which includes the number of lines dropped since the start, if any.
    pub(super) fn write_line(&self, now: Timestamp, message: &str) {
        let now = now.format("%Y-%m-%dT%H:%M:%SZ");
        let line = match self.writer.error_counter().dropped_lines() {
            0 => format!("{now} {message}\n"),
            1 => format!("{now} {message} (1 line was left out since the start)\n"),
            count => format!("{now} {message} ({count} lines were left out since the start)\n"),
        };
        let _counted_if_left_out = self.writer.clone().write_all(line.as_bytes());
    }
}

/// Logs to standard error as JSON, one object a line, for programs that read logs.
pub(super) fn log_to_stderr_as_json(level: LogLevel) {
    let layer = tracing_subscriber::fmt::layer().json().with_writer(io::stderr);
    install_subscriber(tracing_subscriber::registry().with(log_filter(level)).with(layer));
}

fn install_subscriber(subscriber: impl SubscriberInitExt) {
    // A second one in the same process is refused, and the first stays: only tests come here twice.
    let _first_one_stays = subscriber.try_init();
}

/// This program's events at the requested level; of libraries only warnings, since their output may include what must
/// not be logged.
fn log_filter(level: LogLevel) -> Targets {
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
        // It logs what strangers send, verbatim, and what an SSH agent is to sign.
        .with_target("russh", LevelFilter::OFF)
}

/// Opens the log with permissions for its owner alone, and sets an overlong one aside.
fn open_log_file(path: &Path) -> io::Result<File> {
    if path.metadata().is_ok_and(|about| about.len() > MAX_LOG_BYTES) {
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

    /// A place that takes nothing until it is told to, and keeps what it took.
    #[derive(Clone, Default)]
    struct BlockedWriter {
        gate: std::sync::Arc<std::sync::Mutex<Vec<u8>>>,
    }

    impl io::Write for BlockedWriter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.gate.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_log_that_nobody_reads_holds_nobody_up_and_counts_what_it_leaves_out() {
        let slow = BlockedWriter::default();
        let (log, guard) = LineLog::writing_to(slow.clone());
        let now = Timestamp::from_millis(0);
        let gate_guard = slow.gate.lock().unwrap();
        for number in 0..MAX_WAITING_LINES + 50 {
            log.write_line(now, &format!("line {number}"));
        }
        let left_out = log.writer.error_counter().dropped_lines();
        // One or none is in the hands of the thread that writes.
        assert!((49..=50).contains(&left_out), "{left_out}");
        drop(gate_guard);
        drop(guard);
        let text = String::from_utf8(slow.gate.lock().unwrap().clone()).unwrap();
        assert_eq!(text.lines().count(), MAX_WAITING_LINES + 50 - left_out);
        assert!(text.starts_with("1970-01-01T00:00:00Z line 0\n"), "{text}");
    }

    #[test]
    fn what_strangers_send_and_what_an_ssh_agent_signs_is_never_logged() {
        let filter = log_filter(LogLevel::Trace);
        for level in [tracing::Level::ERROR, tracing::Level::DEBUG, tracing::Level::TRACE] {
            assert!(!filter.would_enable("russh::keys::agent::client", &level), "{level}");
            assert!(filter.would_enable("bursar::secrets::ssh_agent", &level), "{level}");
        }
    }

    #[test]
    fn an_overlong_log_is_set_aside_and_a_new_one_is_its_owners_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bursar.log");
        File::create(&path).unwrap().set_len(MAX_LOG_BYTES + 1).unwrap();
        let file = open_log_file(&path).unwrap();
        assert_eq!(file.metadata().unwrap().len(), 0);
        assert_eq!(folder.path().join("bursar.log.1").metadata().unwrap().len(), MAX_LOG_BYTES + 1);
        #[cfg(unix)]
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&file.metadata().unwrap().permissions()) & 0o777, 0o600);
    }
}
