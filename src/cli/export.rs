//! `bursar export`: transactions, balances, accounts, wallets, users, tokens, orders and the audit trail, for
//! spreadsheets and other programs.

use std::sync::Arc;

use std::io::{self, BufWriter, StdoutLock};
use std::ops::ControlFlow;

use anyhow::bail;
use clap::ValueEnum;
use clap::builder::PossibleValue;

use super::offline_cache::{self, OfflineCache, print_remark};
use super::output::ignore_broken_pipe;
use super::{CommandContext, Exit, book, journal};
use crate::app::ExportRows;
use crate::app::pages::markets::panes::{TOKEN_COLUMNS, token_cells};
use crate::domain::address_names::AddressNames;
use crate::domain::export::cells::ExportTable;
use crate::domain::export::directory::{ACCOUNT_COLUMNS, account_cells};
use crate::domain::export::{balances, orders};
use crate::domain::filter::{Filter, FilterContext};
use crate::domain::history::{Query, Scope};
use crate::domain::{BooksFormat, ExportFormat, FileFormat, Order};
use crate::journal::{JournalError, JournalSnapshot};
use crate::runtime::address_names::collect_names;
use crate::runtime::clock::Clock;
use crate::runtime::export::rows::{self, ExportError, ExportRequest};
use crate::runtime::export::{TableWriter, journal_records};
use crate::store::Cancel;

/// What `bursar export` may be told.
#[derive(Debug, clap::Args)]
pub(super) struct ExportArguments {
    /// What is exported
    #[arg(value_enum)]
    pub(super) what: ExportKind,
    /// Output format
    #[arg(long, value_enum, default_value_t = FileFormat::default())]
    pub(super) format: FileFormat,
    /// Only rows that match every word, as in the console's filter: for transactions 'dir:out token:usdc from:2026-11',
    /// for wallets and users words that they contain
    #[arg(long, value_name = "WORDS")]
    filter: Option<String>,
    /// Do not contact the service: write what was read before, and report its age on standard error
    #[arg(long)]
    offline: bool,
}

/// What is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ExportKind {
    /// The history, read to its end, newest first
    Transactions,
    /// Balance of each account and token, and the basis of each figure
    Balances,
    /// Every known account, and its source
    Accounts,
    /// Every known wallet, by name, and its source
    Wallets,
    /// Every known user, by name, and the source
    Users,
    /// Every token that the service lists, with its blockchains
    Tokens,
    /// Every order, one row each; with --profile, only the orders of that profile
    Orders,
    /// Every record of the journal with its hash, after the hash chain is verified
    Audit,
}

impl ValueEnum for ExportFormat {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.description()))
    }
}

impl ValueEnum for FileFormat {
    fn value_variants<'a>() -> &'a [Self] {
        Self::tables_and_books()
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let books = |description: &'static str| PossibleValue::new(self.name()).help(description);
        match self {
            Self::Table(format) => format.to_possible_value(),
            Self::Books(BooksFormat::Hledger) => Some(books("Of transactions: double-entry books for hledger")),
            Self::Books(BooksFormat::Beancount) => Some(books("Of transactions: double-entry books for beancount")),
            Self::Receipt(_) => None,
        }
    }
}

/// The number of users whose balances are read again for an export of balances: all of them.
const ALL_USERS: u64 = u64::MAX;

/// The context for parsing a filter. Only a dashboard reads quotes.
fn filter_context() -> FilterContext<'static> {
    FilterContext { now: Some(Clock::System.now()), ..FilterContext::default() }
}

impl ExportArguments {
    /// The format of a table; transactions alone have others.
    fn table_format(&self) -> ExportFormat {
        if let FileFormat::Table(format) = self.format { format } else { ExportFormat::default() }
    }

    /// An error message where the arguments do not go together, or the console would not understand the filter.
    pub(super) fn check_combination(&self) -> Result<(), String> {
        if matches!(self.format, FileFormat::Books(_)) && self.what != ExportKind::Transactions {
            return Err("--format hledger and --format beancount are for transactions, and nothing else".into());
        }
        let Some(filter) = &self.filter else { return Ok(()) };
        match self.what {
            ExportKind::Transactions => match Filter::parse(filter, &filter_context()).faults.first() {
                Some(fault) => Err(format!("--filter: {}: {}", fault.word, fault.message)),
                None => Ok(()),
            },
            ExportKind::Wallets | ExportKind::Users => Ok(()),
            ExportKind::Balances
            | ExportKind::Accounts
            | ExportKind::Tokens
            | ExportKind::Orders
            | ExportKind::Audit => {
                let message = "--filter selects transactions, wallets and users, and nothing";
                Err(format!("{message} else"))
            }
        }
    }
}

pub(super) fn run(context: &CommandContext, arguments: &ExportArguments) -> anyhow::Result<Exit> {
    match arguments.what {
        ExportKind::Transactions
        | ExportKind::Accounts
        | ExportKind::Wallets
        | ExportKind::Users
        | ExportKind::Tokens => export_list(context, arguments),
        ExportKind::Balances => export_balances(context, arguments),
        ExportKind::Orders | ExportKind::Audit => export_journal(context, arguments),
    }
}

fn stdout_table(
    format: ExportFormat,
    columns: &'static [&'static str],
) -> TableWriter<'static, BufWriter<StdoutLock<'static>>> {
    TableWriter::new(format, columns, BufWriter::new(io::stdout().lock()))
}

/// Exports a list with the rows of the console's page.
fn export_list(context: &CommandContext, arguments: &ExportArguments) -> anyhow::Result<Exit> {
    let reading = offline_cache::open_offline_cache(context, arguments.offline, 0)?.require_fresh()?;
    let (store, filter) = (&reading.store, arguments.filter.clone().unwrap_or_default());
    let names = Arc::new(collect_names(store, &book::read_book(context)?)?);
    let rows = match arguments.what {
        ExportKind::Accounts => {
            ExportTable::new("accounts", ACCOUNT_COLUMNS, store.accounts()?.iter().map(account_cells)).into()
        }
        ExportKind::Wallets => ExportRows::Wallets(Scope::All, filter),
        ExportKind::Users => {
            store.sort_late_named_users()?;
            ExportRows::Users(filter)
        }
        ExportKind::Tokens => match store.tokens()? {
            Some((tokens, _)) => ExportTable::new("tokens", TOKEN_COLUMNS, tokens.iter().map(token_cells)).into(),
            None => bail!("no tokens are known: the service does not list any"),
        },
        _ => {
            let orders = if filter.is_empty() { Vec::new() } else { recorded_orders(context, &reading)? };
            let context = FilterContext { names: Arc::clone(&names), orders: &orders, ..filter_context() };
            ExportRows::Matching(Query { filter: Filter::parse(&filter, &context), ..Query::default() })
        }
    };
    let (format, now, cancel) = (arguments.format, reading.now, &Cancel::new());
    let source = ExportRequest { store, rows: &rows, format, now, cancel, names: &names };
    match rows::write_rows(&source, BufWriter::new(io::stdout().lock()), &|_, _| {}) {
        Ok(_) => {}
        Err(ExportError::File(error)) => ignore_broken_pipe(Err(error))?,
        Err(ExportError::Store(error)) => return Err(error.into()),
    }
    Ok(Exit::Normally)
}

/// The orders that a console of the profile shows, by whose references rows are found.
pub(super) fn recorded_orders(context: &CommandContext, cache: &OfflineCache) -> anyhow::Result<Vec<Order>> {
    match JournalSnapshot::open(&journal::journal_folder(context)?) {
        Ok(journal) => Ok(journal.shown_orders(&cache.destination, usize::MAX)?),
        Err(JournalError::Missing { .. }) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

fn export_balances(context: &CommandContext, arguments: &ExportArguments) -> anyhow::Result<Exit> {
    let reading = offline_cache::open_offline_cache(context, arguments.offline, ALL_USERS)?.require_fresh()?;
    let mut table = stdout_table(arguments.table_format(), balances::BALANCE_COLUMNS);
    let mut written = table.write_header();
    let accounts = reading.store.accounts()?.into_iter();
    let names = collect_names(&reading.store, &book::read_book(context)?)?;
    let mut scopes: Vec<_> = accounts
        .map(|account| {
            let name = names.account_name(&account.entry.id).cloned();
            (Scope::Account(account.entry.id), name)
        })
        .collect();
    // Without any account the figures are those of the whole workspace.
    if scopes.is_empty() {
        scopes.push((Scope::All, None));
    }
    for (scope, name) in scopes {
        for holding in reading.store.holdings(&scope)? {
            written = written.and_then(|()| table.write_row(&balances::balance_cells(&scope, name.as_ref(), &holding)));
        }
    }
    ignore_broken_pipe(written.and_then(|()| table.finish()))?;
    Ok(Exit::Normally)
}

fn export_journal(context: &CommandContext, arguments: &ExportArguments) -> anyhow::Result<Exit> {
    let reading =
        JournalSnapshot::open(&journal::journal_folder(context)?).map_err(journal::explain_missing_journal)?;
    let verified = reading.verify();
    let summary = journal::verification_summary(&verified);
    // The result of the check goes to standard error, where it cannot be mistaken for data.
    print_remark(&format!("the journal is {summary}"));
    if !verified.is_whole() && arguments.what == ExportKind::Orders {
        bail!("orders cannot be read from a damaged journal; `bursar journal verify` shows what is wrong");
    }
    let written = match arguments.what {
        ExportKind::Audit => export_audit_records(&reading, arguments.table_format())?,
        _ => export_orders(
            &reading,
            &offline_cache::cached_names(context, &book::read_book(context).unwrap_or_default()),
            context.overrides.profile.as_deref(),
            arguments.table_format(),
        )?,
    };
    ignore_broken_pipe(written)?;
    if !verified.is_whole() {
        bail!("the journal is damaged; the export contains only what can still be read");
    }
    Ok(Exit::Normally)
}

fn export_orders(
    reading: &JournalSnapshot,
    names: &AddressNames,
    profile: Option<&str>,
    format: ExportFormat,
) -> anyhow::Result<io::Result<()>> {
    let now = Clock::System.now();
    let mut table = stdout_table(format, orders::ORDER_COLUMNS);
    let mut written = table.write_header();
    reading.orders(profile, |order| {
        for line in orders::recipient_rows(&order, now, names) {
            if written.is_ok() {
                written = table.write_row(&line);
            }
        }
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(written.and_then(|()| table.finish()))
}

fn export_audit_records(reading: &JournalSnapshot, format: ExportFormat) -> anyhow::Result<io::Result<()>> {
    let mut table = stdout_table(format, journal_records::RECORD_COLUMNS);
    let mut written = table.write_header();
    reading.records(|record| {
        if written.is_ok() {
            written = table.write_row(&journal_records::journal_record_cells(&record));
        }
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(written.and_then(|()| table.finish()))
}
