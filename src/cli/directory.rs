//! `bursar directory`: lists users, wallets and accounts, and imports more.
//!
//! Imports are stored in the journal, so that deleting the cache loses none. An open console applies them with its next
//! sync.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Subcommand;

use super::table_options::{TableOptions, print_notes};
use super::{CommandContext, Exit, journal, offline_cache, os_user, output, payment_context};
use crate::config::{Config, Profile};
use crate::domain::csv_table::ImportFailure;
use crate::domain::directory;
use crate::domain::entry_source::EntrySource;
use crate::domain::history::Scope;
use crate::domain::{AddressUnavailable, DirectoryImport, Text, chain};
use crate::journal::{Journal, JournalError, JournalLocation, RecordedImport};
use crate::runtime::Clock;
use crate::runtime::directory::{ParsedImport, parse_import_table, record_new_import_entries, sync_imports};
use crate::runtime::profile_file::ProfileFile;
use crate::runtime::table_file::TableFile;
use crate::store::Store;

/// What `bursar directory` may be told.
#[derive(Debug, Subcommand)]
pub(super) enum DirectoryCommand {
    /// List known users, wallets and accounts, each with its source; does not contact the service
    List,
    /// Add one: `user ID [NAME]`, `wallet ID CHAIN [ADDRESS]` or `account ID [NAME]`
    Add {
        /// Kind, identifier and further details
        #[arg(required = true, value_name = "WORD")]
        words: Vec<String>,
    },
    /// Import a file, CSV with a header or a JSON list of objects: every row is imported, or none
    ///
    /// Columns: kind (user, sub-wallet, wallet or account), id, name, refId, email, blockchain, address, network,
    /// userId, accountId. Only kind and id are required; a wallet also needs its blockchain.
    Import {
        /// The file
        file: PathBuf,
        /// Only check each row, and import nothing
        #[arg(long)]
        check: bool,
        #[command(flatten)]
        table: TableOptions,
    },
}

pub(super) fn run(context: &CommandContext, command: &DirectoryCommand) -> anyhow::Result<Exit> {
    match command {
        DirectoryCommand::List => print_directory(context)?,
        DirectoryCommand::Add { words } => {
            let entry = directory::parse_typed_entry(&words.join(" ")).map_err(anyhow::Error::msg)?;
            import_entries(context, DirectoryImport::new(DirectoryImport::TYPED, vec![entry]))?;
        }
        DirectoryCommand::Import { file, check, table } => import_file(context, file.clone(), *check, table)?,
    }
    Ok(Exit::Normally)
}

fn import_file(context: &CommandContext, path: PathBuf, check: bool, table: &TableOptions) -> anyhow::Result<()> {
    let (source, profile_file) = table.open(context, path)?;
    if check {
        return check_import_file(&source, &profile_file, table);
    }
    match parse_import_table(&source, &profile_file) {
        Ok(ParsedImport { import, notes }) => {
            print_notes(&notes);
            import_entries(context, import)
        }
        Err(ImportFailure { errors, notes, refused }) => {
            print_notes(&notes);
            if refused.is_none() && errors.len() == 1 {
                bail!("{}", errors.join("\n"));
            }
            for fault in &errors {
                output::print_line(fault);
            }
            table.write_refused_rows(refused)?;
            bail!("nothing was imported; rows with errors: {}", errors.len());
        }
    }
}

fn check_import_file(source: &TableFile, profile_file: &ProfileFile, table: &TableOptions) -> anyhow::Result<()> {
    let file = directory::parse_import_file(&source.bytes, &source.mappings).map_err(anyhow::Error::msg)?;
    let mapping_note = source.save_column_mapping(profile_file, file.mapping.as_ref());
    print_notes(file.notes.iter().chain(&mapping_note));
    let mut wrong = 0_u64;
    for row in &file.rows {
        match &row.entry {
            Ok(entry) => output::print_line(&format!("{}: {} {}", row.location(), entry.kind(), entry.id())),
            Err(message) => {
                wrong += 1;
                output::print_line(&format!("{}: wrong: {message}", row.location()));
            }
        }
    }
    if wrong > 0 {
        table.write_refused_rows(source.refused_rows(file.errors_by_line()))?;
        bail!("errors in {wrong} of {} rows; a file with errors is not imported", file.rows.len());
    }
    Ok(())
}

fn import_entries(context: &CommandContext, import: DirectoryImport) -> anyhow::Result<()> {
    let config = context.config()?;
    let profile = config.profile()?;
    let place = JournalLocation::Folder(journal::journal_folder(context)?);
    let opened = Journal::open(&place, os_user::console_identity(&context.environment))?;
    let brought = record_new_import_entries(
        &opened.journal,
        &payment_context::profile_destination(profile, Text::default()),
        import,
        Clock::System.now(),
    )?;
    output::print_line(&brought.to_string());
    brought.remarks.iter().for_each(|remark| output::print_line(remark));
    Ok(())
}

/// Applies the journal's imports to a cache, without opening the journal for writing. Errors are only logged: reading
/// goes on without the imports.
pub(super) fn sync_recorded_imports(config: &Config, profile: &Profile, store: &Store) {
    let Ok(data) = config.folders.create_data_folder() else { return };
    let folder = data.join(journal::JOURNAL_FOLDER_NAME);
    let learnt = sync_imports(store, |after| recorded_imports(&folder, profile, after));
    if let Err(error) = learnt {
        tracing::warn!(%error, "imported entries are missing from the directory");
    }
}

fn recorded_imports(
    folder: &Path,
    profile: &Profile,
    after: Option<[u8; 32]>,
) -> Result<Vec<RecordedImport>, JournalError> {
    match crate::journal::JournalSnapshot::open(folder) {
        Ok(reading) => reading.imports(&profile.base_url.to_string(), after),
        Err(JournalError::Missing { .. }) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn print_directory(context: &CommandContext) -> anyhow::Result<()> {
    let reading = offline_cache::open_offline_cache(context, true, 0)?;
    let mut origins: HashMap<(&'static str, String), String> = HashMap::new();
    for RecordedImport { at, by, import, .. } in
        recorded_imports(&journal::journal_folder(context)?, &reading.profile, None)?
    {
        for entry in &import.entries {
            let origin_text = format!("imported: {}, by {} on {}", import.origin, by.user, at.format("%Y-%m-%d"));
            origins.insert((entry.kind(), entry.id().to_owned()), origin_text);
        }
    }
    let from = |kind: &'static str, id: &str, source: EntrySource| match source {
        EntrySource::Created => "created here".to_owned(),
        EntrySource::Imported => origins.get(&(kind, id.to_owned())).cloned().unwrap_or_else(|| "imported".into()),
        EntrySource::Listed => "listed by the service".to_owned(),
        EntrySource::History => "from the history".to_owned(),
    };
    let word = |word: Option<&Text>| word.map_or("—", Text::as_str).to_owned();
    let mut rows = vec![["KIND", "ID", "NAME", "CHAIN", "ADDRESS", "KNOWN FROM"].map(str::to_owned).to_vec()];
    for sourced in reading.store.accounts()? {
        let account = &sourced.entry;
        let from = from("account", account.id.as_str(), sourced.source);
        rows.push(vec![
            "account".into(),
            account.id.to_string(),
            word(account.name.as_ref()),
            "—".into(),
            "—".into(),
            from,
        ]);
    }
    for sourced_user in reading.store.users(&Scope::All, "", 0, u32::MAX)?.rows {
        let user = &sourced_user.entry;
        let from = from("user", user.id.as_str(), sourced_user.source);
        rows.push(vec![
            "user".into(),
            user.id.to_string(),
            word(user.display_name.as_ref()),
            "—".into(),
            "—".into(),
            from,
        ]);
    }
    let tokens = reading.store.tokens()?.map(|(tokens, _)| tokens).unwrap_or_default();
    for sourced in reading.store.wallets(&Scope::All, "", 0, u32::MAX)?.rows {
        let wallet = &sourced.entry;
        let from = from("wallet", wallet.id.as_str(), sourced.source);
        let address =
            match sourced.deposit_address(chain::address_family_by_listed_protocol(&tokens, &wallet.blockchain)) {
                Ok(address) => address.to_string(),
                Err(AddressUnavailable::Unknown) => "—".into(),
                Err(reason) => format!("withheld: {reason}"),
            };
        let chain = wallet.blockchain.to_string();
        rows.push(vec!["wallet".into(), wallet.id.to_string(), word(wallet.name.as_ref()), chain, address, from]);
    }
    match rows.len() {
        1 => {
            output::print_line("no users, wallets or accounts are known yet; `bursar directory import FILE` adds them");
        }
        _ => output::print_table(&rows),
    }
    Ok(())
}
