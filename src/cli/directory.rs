//! `bursar directory`: what is known of users, wallets and accounts, and bringing in more.
//!
//! What is brought in is kept in the journal's file, so that deleting the cache loses nothing. A console that is open
//! meanwhile takes it in with its next look.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Subcommand;

use super::{Context, Ended, journal, output, paying, reading, who};
use crate::config::{Config, Profile};
use crate::domain::directory;
use crate::domain::history::{Scope, Source};
use crate::domain::{Import, Text, Withheld, chain};
use crate::journal::{Imported, Journal, JournalError, Place};
use crate::runtime::Clock;
use crate::runtime::Host;
use crate::runtime::directory::{bring, learn, read_file, whole};
use crate::store::Store;

/// What `bursar directory` may be told.
#[derive(Debug, Subcommand)]
pub(super) enum DirectoryCommand {
    /// List what is known, each with where it is known from; asks nothing of the service
    List,
    /// Bring in one: `user ID [NAME]`, `wallet ID CHAIN [ADDRESS]` or `account ID [NAME]`
    Add {
        /// What it is, its identifier, and what else is known of it
        #[arg(required = true, value_name = "WORD")]
        words: Vec<String>,
    },
    /// Bring in a file, all of it or nothing: CSV with a header, or a JSON list of objects
    ///
    /// Columns: kind (user, sub-wallet, wallet or account), id, name, refId, email, blockchain, address, network, userId,
    /// accountId. Only kind and id must be there; a wallet needs its blockchain too.
    Import {
        /// The file
        file: PathBuf,
        /// Only say what each row is, and import nothing
        #[arg(long)]
        check: bool,
    },
}

pub(super) fn run(context: &Context, command: &DirectoryCommand) -> anyhow::Result<Ended> {
    match command {
        DirectoryCommand::List => list(context)?,
        DirectoryCommand::Add { words } => {
            let entry = directory::typed(&words.join(" ")).map_err(anyhow::Error::msg)?;
            take_in(context, Import::new(Import::TYPED, vec![entry]))?;
        }
        DirectoryCommand::Import { file, check: true } => check(file)?,
        DirectoryCommand::Import { file, check: false } => {
            let rows = read_file(&Host::at_hand(), file).map_err(anyhow::Error::msg)?;
            match whole(file, rows) {
                Ok(import) => take_in(context, import)?,
                Err(faults) => {
                    for fault in &faults {
                        output::line(fault);
                    }
                    bail!("nothing was imported: {} of the rows are wrong", faults.len());
                }
            }
        }
    }
    Ok(Ended::Normally)
}

fn check(file: &Path) -> anyhow::Result<()> {
    let rows = read_file(&Host::at_hand(), file).map_err(anyhow::Error::msg)?;
    let mut wrong = 0_u64;
    for row in &rows {
        match &row.entry {
            Ok(entry) => output::line(&format!("{}: {} {}", row.place(), entry.kind(), entry.id())),
            Err(words) => {
                wrong += 1;
                output::line(&format!("{}: wrong: {words}", row.place()));
            }
        }
    }
    if wrong > 0 {
        bail!("{wrong} of {} rows are wrong; such a file is not imported", rows.len());
    }
    Ok(())
}

fn take_in(context: &Context, import: Import) -> anyhow::Result<()> {
    let config = context.config()?;
    let profile = config.profile()?;
    let place = Place::Folder(journal::folder(context)?);
    let opened = Journal::open(&place, who::console(&context.environment))?;
    let brought = bring(&opened.journal, &paying::place(profile, Text::default()), import, Clock::System.now())?;
    output::line(&brought.to_string());
    brought.remarks.iter().for_each(|remark| output::line(remark));
    Ok(())
}

/// Takes into a cache what the journal has of imports, without opening the journal to write in it. What cannot be read
/// there is only noted: watching goes on without.
pub(super) fn learn_from_journal(config: &Config, profile: &Profile, store: &Store) {
    let Ok(data) = config.folders.data() else { return };
    let folder = data.join(journal::FOLDER);
    let learnt = learn(store, |after| recorded(&folder, profile, after));
    if let Err(error) = learnt {
        tracing::warn!(%error, "what was imported is not in the directory");
    }
}

fn recorded(folder: &Path, profile: &Profile, after: Option<[u8; 32]>) -> Result<Vec<Imported>, JournalError> {
    match crate::journal::Reading::open(folder) {
        Ok(reading) => reading.imports(&profile.base_url.to_string(), after),
        Err(JournalError::Missing { .. }) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn list(context: &Context) -> anyhow::Result<()> {
    let reading = reading::open(context, true, 0)?;
    let mut origins: HashMap<(&'static str, String), String> = HashMap::new();
    for Imported { at, by, import, .. } in recorded(&journal::folder(context)?, &reading.profile, None)? {
        for entry in &import.entries {
            let words = format!("imported: {}, by {} on {}", import.origin, by.user, at.format("%Y-%m-%d"));
            origins.insert((entry.kind(), entry.id().to_owned()), words);
        }
    }
    let from = |kind: &'static str, id: &str, source: Source| match source {
        Source::Created => "made here".to_owned(),
        Source::Imported => origins.get(&(kind, id.to_owned())).cloned().unwrap_or_else(|| "imported".into()),
        Source::Listed => "listed by the service".to_owned(),
        Source::History => "told by the history".to_owned(),
    };
    let word = |word: Option<&Text>| word.map_or("—", Text::as_str).to_owned();
    let mut rows = vec![["KIND", "ID", "NAME", "CHAIN", "ADDRESS", "KNOWN FROM"].map(str::to_owned).to_vec()];
    for known in reading.store.accounts()? {
        let account = &known.entry;
        let from = from("account", account.id.as_str(), known.source);
        rows.push(vec![
            "account".into(),
            account.id.to_string(),
            word(account.name.as_ref()),
            "—".into(),
            "—".into(),
            from,
        ]);
    }
    for known in reading.store.users(&Scope::All, "", 0, u32::MAX)?.rows {
        let user = &known.entry;
        let from = from("user", user.id.as_str(), known.source);
        rows.push(vec![
            "user".into(),
            user.id.to_string(),
            word(user.display_name.as_ref()),
            "—".into(),
            "—".into(),
            from,
        ]);
    }
    let listed = reading.store.tokens()?.map(|(tokens, _)| tokens).unwrap_or_default();
    for known in reading.store.wallets(&Scope::All, "", 0, u32::MAX)?.rows {
        let wallet = &known.entry;
        let from = from("wallet", wallet.id.as_str(), known.source);
        let address = match known.handed_out(chain::family_listed(&listed, &wallet.blockchain)) {
            Ok(address) => address.to_string(),
            Err(Withheld::NotTold) => "—".into(),
            Err(why) => format!("withheld: {why}"),
        };
        let chain = wallet.blockchain.to_string();
        rows.push(vec!["wallet".into(), wallet.id.to_string(), word(wallet.name.as_ref()), chain, address, from]);
    }
    match rows.len() {
        1 => output::line("nothing is known yet; `bursar directory import FILE` brings identifiers in"),
        _ => output::table(&rows),
    }
    Ok(())
}
