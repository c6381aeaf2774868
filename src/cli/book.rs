//! `bursar book`: the address book.
//!
//! The book is stored in the journal's chain of records, so that a change from outside is detected. It belongs to the
//! service at the profile's address. An open console applies changes with its next read of the journal.

use std::path::PathBuf;

use anyhow::bail;
use clap::Subcommand;

use super::offline_cache::{self, OfflineCache};
use super::table_options::{TableOptions, print_notes};
use super::{CommandContext, Exit, journal, os_user, output, payment_context, prompt};
use crate::config::Profile;
use crate::domain::book::file::{self, BookFile};
use crate::domain::book::{BookChange, BookEntry, Contact};
use crate::domain::order::ServiceDestination;
use crate::domain::{
    Address, AddressBook, AddressError, Chain, Family, FinalStatuses, Order, Skew, Text, Timestamp, address, chain,
};
use crate::guard::Severity;
use crate::journal::{Journal, JournalError, JournalLocation, RecordedBookChanges};
use crate::runtime::Clock;
use crate::runtime::book::{judge_contact_entry, judge_import_rows};
use crate::runtime::effect_runner::GuardOrders;
use crate::runtime::guard_facts::FactSources;
use crate::store::{self, Store, StoreError};

/// What `bursar book` may be told.
#[derive(Debug, Subcommand)]
pub(super) enum BookCommand {
    /// List all entries, each with its date and whether it is trusted yet
    List,
    /// Add an entry, or change the name, tag or note of an existing one
    Add {
        /// Name; in quotation marks if it contains spaces
        name: String,
        /// Full address
        address: String,
        /// Chain, as in `ethereum`; the same address on another chain is a separate entry. Without --chain, the error
        /// lists the chains that the address could belong to
        #[arg(long)]
        chain: Option<String>,
        /// Memo or tag that deposits to this address need
        #[arg(long)]
        tag: Option<String>,
        /// A note
        #[arg(long)]
        note: Option<String>,
    },
    /// Remove an entry
    Remove {
        /// Name, or full address
        who: String,
        /// Chain, if there are entries on several chains
        #[arg(long)]
        chain: Option<String>,
    },
    /// Import a CSV file with a header: every row is imported, or none
    ///
    /// Columns: name, address, chain, tag, note, kind; the first three are required. Look-alike entries are not
    /// imported: add them one by one with `bursar book add`.
    Import {
        /// The file
        file: PathBuf,
        /// Only check each row, and import nothing
        #[arg(long)]
        check: bool,
        #[command(flatten)]
        table: TableOptions,
    },
    /// Print the address book as a CSV file that can be imported
    Export,
}

pub(super) fn run(context: &CommandContext, command: BookCommand) -> anyhow::Result<Exit> {
    match command {
        BookCommand::List => print_book(context)?,
        BookCommand::Add { name, address, chain, tag, note } => {
            let clean = |text: String| Text::clean(text.trim());
            // Accepts the spelling in groups in which the console displays an address.
            let address = address::parse_grouped(&address).unwrap_or(address);
            let Some(chain) = chain else { bail!("{}", missing_chain_error(&address)) };
            let contact = Contact {
                name: clean(name),
                // Invisible characters in an address are reported, not removed.
                address: Text::clean(&address),
                blockchain: clean(chain),
                tag: tag.map(clean).filter(|tag| !tag.is_empty()),
                note: note.map(clean).filter(|note| !note.is_empty()),
            };
            add_contact(context, contact)?;
        }
        BookCommand::Remove { who, chain } => remove_contact(context, &who, chain.as_deref())?,
        BookCommand::Import { file, check, table } => import_contacts(context, file, check, &table)?,
        BookCommand::Export => {
            let csv = file::book_to_csv(&read_book(context)?)?;
            csv.lines().for_each(output::print_line);
        }
    }
    Ok(Exit::Normally)
}

/// The error for an entry without a chain: the families that its address fits, and the chains of each. A secret typed
/// as an address is not repeated.
fn missing_chain_error(address: &str) -> String {
    if let Some(secret) = address::detect_secret(address) {
        return AddressError::Secret { kind: secret }.to_string();
    }
    let mut families: Vec<(Family, Vec<&str>)> = Vec::new();
    for chain in Chain::all().iter().filter(|chain| Address::parse(chain.family, address).is_ok()) {
        match families.iter_mut().find(|(family, _)| *family == chain.family) {
            Some((_, chains)) => chains.push(chain.slug),
            None => families.push((chain.family, vec![chain.slug])),
        }
    }
    if families.is_empty() {
        return "give the chain with --chain CHAIN; this is not a complete address of any known chain, so copy it \
                again from its source"
            .to_owned();
    }
    let families: Vec<String> =
        families.iter().map(|(family, chains)| format!("{family} address ({})", chains.join(", "))).collect();
    format!("give the chain with --chain CHAIN: it could be {}", families.join(", or "))
}

fn selected_profile(context: &CommandContext) -> anyhow::Result<Profile> {
    Ok(context.config()?.profile()?.clone())
}

/// The address book of the selected profile, without opening the journal for writing.
pub(super) fn read_book(context: &CommandContext) -> anyhow::Result<AddressBook> {
    Ok(RecordedBookChanges::replay_book(&recorded_changes(context)?))
}

/// Every change of the book, without opening the journal for writing.
fn recorded_changes(context: &CommandContext) -> anyhow::Result<Vec<RecordedBookChanges>> {
    let destination = payment_context::profile_destination(&selected_profile(context)?, Text::default());
    match crate::journal::JournalSnapshot::open(&journal::journal_folder(context)?) {
        Ok(reading) => Ok(reading.book_changes(&destination)?),
        Err(JournalError::Missing { .. }) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

fn print_book(context: &CommandContext) -> anyhow::Result<()> {
    let (profile, booked, now) = (selected_profile(context)?, recorded_changes(context)?, Clock::System.now());
    let book = RecordedBookChanges::replay_book(&booked);
    if book.entries().is_empty() {
        output::print_line("the book is empty; `bursar book add NAME ADDRESS --chain CHAIN` adds an entry");
        return Ok(());
    }
    let mut rows =
        vec![["NAME", "CHAIN", "ADDRESS", "TAG", "SINCE", "TRUSTED", "BY", "NOTE"].map(str::to_owned).to_vec()];
    for entry in book.entries() {
        let Contact { name, address, blockchain, tag, note } = &entry.contact;
        let optional = |text: &Option<Text>| text.as_ref().map_or_else(|| "—".to_owned(), ToString::to_string);
        let is_trusted = entry.has_cooled(profile.policy.cooling, now);
        let until = || entry.cooling_ends_at(profile.policy.cooling).format("from %Y-%m-%d %H:%M UTC");
        rows.push(vec![
            name.to_string(),
            chain::chain_display_name(blockchain).to_owned(),
            address.to_string(),
            optional(tag),
            entry.effective_since.format("%Y-%m-%d %H:%M UTC"),
            if is_trusted { "yes".into() } else { until() },
            last_editor(&booked, entry),
            optional(note),
        ]);
    }
    output::print_table(&rows);
    Ok(())
}

/// The user and host of an entry's last change.
fn last_editor(booked: &[RecordedBookChanges], entry: &BookEntry) -> String {
    let entered = |change: &BookChange| matches!(change, BookChange::Entered(contact) if *contact == entry.contact);
    let last = booked.iter().rev().find(|booked| booked.changes.iter().any(entered));
    last.map_or_else(|| "—".to_owned(), |booked| format!("{}@{}", booked.by.user, booked.by.host))
}

/// The journal, open for writing, and the sources for judging an entry.
struct BookWriter {
    journal: Journal,
    destination: ServiceDestination,
    profile: Profile,
    orders: Vec<Order>,
    book: AddressBook,
    store: Store,
    /// The owner of the store, if it is a cache: closes it when dropped.
    _reading: Option<OfflineCache>,
    now: Timestamp,
}

impl BookWriter {
    fn open(context: &CommandContext) -> anyhow::Result<Self> {
        let profile = selected_profile(context)?;
        // Own wallets are compared as far as they are cached; the service is not contacted.
        let (store, reading) = match offline_cache::open_offline_cache(context, true, 0) {
            Ok(reading) => (reading.store.clone(), Some(reading)),
            Err(error) => {
                offline_cache::print_remark(&format!("addresses are not compared with your own wallets: {error}"));
                (Store::open(&store::CacheLocation::Temporary)?.store, None)
            }
        };
        let place = JournalLocation::Folder(journal::journal_folder(context)?);
        let journal = Journal::open(&place, os_user::console_identity(&context.environment))?.journal;
        let destination = payment_context::profile_destination(&profile, Text::default());
        let now = Clock::System.now();
        let guard_orders = GuardOrders::from_journal(&journal, &destination)?.orders_for(&store, None, now)?;
        let book = RecordedBookChanges::replay_book(&journal.book_changes(&destination)?);
        Ok(Self { journal, destination, profile, orders: guard_orders, book, store, _reading: reading, now })
    }

    fn judge_with_sources<T>(
        &self,
        judge: impl FnOnce(&FactSources<'_>) -> Result<T, StoreError>,
    ) -> anyhow::Result<T> {
        let final_words = FinalStatuses::default();
        Ok(judge(&FactSources {
            store: &self.store,
            orders: &self.orders,
            final_statuses: &final_words,
            expected_network: self.destination.environment,
            policy: &self.profile.policy,
            book: &self.book,
            period: self.profile.preferences.poll_period,
            // The service is not contacted.
            skew: Skew::Unknown,
        })?)
    }

    fn record_changes(&self, changes: Vec<BookChange>, overridden: Vec<Text>) -> anyhow::Result<()> {
        Ok(self.journal.change_book(&self.destination, &self.book, changes, overridden, self.now)?)
    }
}

fn add_contact(context: &CommandContext, contact: Contact) -> anyhow::Result<()> {
    contact.check()?;
    let desk = BookWriter::open(context)?;
    let judgement = desk.judge_with_sources(|sources| judge_contact_entry(sources, &contact, desk.now))?;
    if judgement.is_known {
        output::print_line(&format!("{} is already in the address book, unchanged", contact.name));
        return Ok(());
    }
    if let Some(reason) = &judgement.refusal {
        bail!("{reason}");
    }
    judgement.changes.iter().for_each(|line| output::print_line(line));
    let mut overridden = Vec::new();
    for finding in &judgement.findings {
        output::print_line(&finding.message);
        finding.lines.iter().for_each(|line| output::print_line(&format!("  {line}")));
        match (finding.severity, finding.override_phrase) {
            (Severity::Note | Severity::Caution, _) => {}
            (Severity::Danger, Some(phrase)) => overridden.push(confirm_override(phrase)?),
            (Severity::Stop | Severity::Danger, _) => bail!("nothing was entered"),
        }
    }
    let (name, place) = (contact.name.clone(), contact.clone());
    desk.record_changes(vec![BookChange::Entered(contact)], overridden)?;
    let book = RecordedBookChanges::replay_book(&desk.journal.book_changes(&desk.destination)?);
    let entry = book.find(&place.address, &place.blockchain);
    let cooling = desk.profile.policy.cooling;
    match entry.filter(|entry| !entry.has_cooled(cooling, desk.now)) {
        Some(entry) => {
            let at = entry.cooling_ends_at(cooling).format("%Y-%m-%d %H:%M UTC");
            output::print_line(&format!("{name} is entered; trusted from {at}"));
        }
        None => output::print_line(&format!("{name} is entered")),
    }
    Ok(())
}

/// Reads the words that a person must type at the terminal to override a finding.
fn confirm_override(phrase: &str) -> anyhow::Result<Text> {
    if !prompt::is_interactive() {
        bail!("nothing was entered: to enter it anyway, a person must type “{phrase}” at a terminal");
    }
    if prompt::read_line(&format!("Type “{phrase}” to enter it anyway: "))? != phrase {
        bail!("nothing was entered");
    }
    Ok(Text::clean(phrase))
}

fn remove_contact(context: &CommandContext, name_or_address: &str, on: Option<&str>) -> anyhow::Result<()> {
    let desk = BookWriter::open(context)?;
    let is_meant = |entry: &&BookEntry| {
        let by_name = entry.contact.name.trim().eq_ignore_ascii_case(name_or_address.trim());
        let on_chain = on.is_none_or(|chain| chain::is_same_chain(&entry.contact.blockchain, chain));
        on_chain && (by_name || entry.contact.is_at(name_or_address.trim(), &entry.contact.blockchain))
    };
    let matching_entries: Vec<&BookEntry> = desk.book.entries().iter().filter(is_meant).collect();
    let [entry] = matching_entries.as_slice() else {
        let chains: Vec<&str> = matching_entries.iter().map(|entry| entry.contact.blockchain.as_str()).collect();
        if chains.is_empty() {
            bail!("no entry in the address book has the name or address “{}”", Text::clean(name_or_address));
        }
        bail!("there are {} such entries; choose one with --chain: {}", matching_entries.len(), chains.join(", "));
    };
    let Contact { name, address, blockchain, .. } = entry.contact.clone();
    let confirmation = format!("{name} on {} is removed from the address book", chain::chain_display_name(&blockchain));
    desk.record_changes(vec![BookChange::Removed { address, blockchain }], Vec::new())?;
    output::print_line(&confirmation);
    Ok(())
}

fn import_contacts(context: &CommandContext, path: PathBuf, check: bool, table: &TableOptions) -> anyhow::Result<()> {
    let (source, profile_file) = table.open(context, path)?;
    let BookFile { rows, notes, mapping } =
        file::parse_book_file(&source.bytes, &source.mappings).map_err(anyhow::Error::msg)?;
    print_notes(notes.iter().chain(&source.save_column_mapping(&profile_file, mapping.as_ref())));
    let desk = BookWriter::open(context)?;
    let judged = desk.judge_with_sources(|sources| judge_import_rows(sources, &rows, desk.now))?;
    if check {
        judged.row_outcomes.iter().for_each(|fate| output::print_line(fate));
    }
    judged.error_lines().iter().for_each(|line| output::print_line(line));
    if !judged.errors.is_empty() {
        let wrong = judged.errors.len();
        table.write_refused_rows(source.refused_rows(judged.errors))?;
        bail!("nothing was entered: {wrong} of {} rows cannot be imported", rows.len());
    }
    let (new, known_count) = (judged.changes.len(), judged.already_present);
    if !check && new > 0 {
        desk.record_changes(judged.changes, Vec::new())?;
    }
    if !check {
        output::print_line(&format!("{new} entered, {known_count} already in the address book"));
    }
    Ok(())
}
