//! `bursar journal`: backup, restore and verify.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Subcommand;

use super::{CommandContext, Exit, os_user};
use crate::journal::{self, JournalError, VerifyReport};
use crate::runtime::clock::Clock;

/// What `bursar journal` may be told.
#[derive(Debug, Subcommand)]
pub(super) enum JournalCommand {
    /// Copy the journal to a new file; consoles may be open meanwhile
    Backup {
        /// The new file
        file: PathBuf,
    },
    /// Create the journal from a backup, in a data folder that has none
    ///
    /// Orders that were open when the backup was made are looked up here and can be closed here, but are never sent
    /// from here.
    Restore {
        /// The backup
        file: PathBuf,
        /// Confirm that the console of the backup is gone for good; without this, a backup with open orders is refused
        #[arg(long)]
        take_over: bool,
    },
    /// Check every record of the journal, or of a backup
    Verify {
        /// A backup, or the file of a journal [default: the journal of the data folder]
        file: Option<PathBuf>,
    },
}

pub(super) fn run(context: &CommandContext, command: &JournalCommand) -> anyhow::Result<Exit> {
    let now = Clock::System.now();
    let by = || os_user::console_identity(&context.environment);
    match command {
        JournalCommand::Backup { file } => {
            let manifest =
                journal::backup(&journal_folder(context)?, file, &by(), now).map_err(explain_missing_journal)?;
            let (records, open) =
                (count_text(manifest.records, "record"), count_text(manifest.open_orders, "open order"));
            print_to_stdout(&format!("{}: {records} and {open}", file.display()))
        }
        JournalCommand::Restore { file, take_over } => {
            let manifest = journal::restore(file, &journal_folder(context)?, *take_over, &by(), now)?;
            let from = format!(
                "{} of {}, copied on {} at {}",
                count_text(manifest.records, "record"),
                manifest.host,
                manifest.host,
                manifest.at
            );
            print_to_stdout(&format!("restored {from}"))?;
            if manifest.open_orders > 0 {
                let open = count_text(manifest.open_orders, "order");
                print_to_stdout(&format!("{open} open at that time: can be looked up and closed here, but not sent"))?;
            }
            Ok(Exit::Normally)
        }
        JournalCommand::Verify { file } => {
            let file = file.as_ref().map_or_else(|| journal_folder(context), |file| Ok(file.clone()))?;
            let verified = journal::verify(&file).map_err(explain_missing_journal)?;
            print_verification(&file, &verified)
        }
    }
}

/// The folder of the journal: one for all profiles, since every record names its own.
pub(super) fn journal_folder(context: &CommandContext) -> anyhow::Result<PathBuf> {
    Ok(context.config()?.folders.create_data_folder()?.join(JOURNAL_FOLDER_NAME))
}

pub(super) const JOURNAL_FOLDER_NAME: &str = "journal";

pub(super) fn explain_missing_journal(error: JournalError) -> anyhow::Error {
    match error {
        JournalError::Missing { path } => {
            anyhow::anyhow!("no order was ever recorded: there is no journal at {}", path.display())
        }
        other => other.into(),
    }
}

fn print_verification(file: &Path, verified: &VerifyReport) -> anyhow::Result<Exit> {
    let mut lines = vec![verification_summary(verified)];
    lines.extend(verified.backup.as_ref().map(|(host, at)| format!("a backup, made on {host} at {at}")));
    lines.extend(verified.span.map(|(first, last)| format!("from {first} to {last}")));
    lines.push(format!("last hash: {}", hex::encode(verified.head)));
    lines.extend(verified.faults.iter().map(|fault| match fault.record {
        Some(record) => format!("record {record}: {}", fault.message),
        None => fault.message.clone(),
    }));
    print_to_stdout(&lines.join("\n"))?;
    if verified.is_whole() {
        return Ok(Exit::Normally);
    }
    bail!("{} is damaged; nothing was changed", file.display())
}

/// The counts of a journal, and whether it is whole.
pub(super) fn verification_summary(verified: &VerifyReport) -> String {
    let counts = format!(
        "{}, {}, {}",
        count_text(verified.records, "record"),
        count_text(verified.orders, "order"),
        count_text(verified.open, "open order")
    );
    match verified.faults.len() {
        0 => format!("whole: {counts}"),
        VerifyReport::MAX_FAULTS => format!("damaged, {} faults or more: {counts}", VerifyReport::MAX_FAULTS),
        faults => format!("damaged, {}: {counts}", count_text(u64::try_from(faults).unwrap_or(u64::MAX), "fault")),
    }
}

fn count_text(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn print_to_stdout(text: &str) -> anyhow::Result<Exit> {
    match writeln!(std::io::stdout(), "{text}") {
        // The reader may have closed the pipe early.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(Exit::Normally),
    }
}
