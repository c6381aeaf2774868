//! `bursar payables`: a list of what is to be paid, beside what the history and the journal say was paid of it.

use std::io::{self, BufWriter};
use std::path::PathBuf;
use std::sync::LazyLock;

use anyhow::{anyhow, bail};
use clap::ValueEnum;
use clap::builder::PossibleValue;

use super::offline_cache::{self, print_remark};
use super::output::{ignore_broken_pipe, print_line, print_table};
use super::table_options::{TableOptions, print_notes};
use super::{CommandContext, Exit, book, export};
use crate::domain::payables::{Payable, PayableStatus, PayableTotal, parse_payables};
use crate::domain::{ExportFormat, Skew};
use crate::runtime::export::TableWriter;
use crate::runtime::export::payables::{PAYABLE_COLUMNS, payable_cells};
use crate::runtime::guard_facts::{FactSources, find_payments_of_payables};

/// How many faults of a file are printed.
const MAX_PRINTED_FAULTS: usize = 20;

/// What `bursar payables` may be told.
#[derive(Debug, clap::Args)]
pub(super) struct PayablesArguments {
    /// CSV file with the columns reference, to (an address, or a name in the address book), amount, token, and where it
    /// has them chain and due (as in 2026-11-30)
    file: PathBuf,
    #[command(flatten)]
    table: TableOptions,
    /// Output format
    #[arg(long, value_enum, default_value_t = PayablesFormat::Text)]
    format: PayablesFormat,
    /// Do not contact the service: use what was read before, and report its age on standard error
    #[arg(long)]
    offline: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PayablesFormat {
    Text,
    Table(ExportFormat),
}

impl ValueEnum for PayablesFormat {
    fn value_variants<'a>() -> &'a [Self] {
        static FORMATS: LazyLock<Vec<PayablesFormat>> = LazyLock::new(|| {
            let tables = ExportFormat::ALL.map(PayablesFormat::Table);
            std::iter::once(PayablesFormat::Text).chain(tables).collect()
        });
        &FORMATS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Text => Some(PossibleValue::new("text").help("A table, and the totals of each token")),
            Self::Table(format) => format.to_possible_value(),
        }
    }
}

pub(super) fn run(context: &CommandContext, arguments: &PayablesArguments) -> anyhow::Result<Exit> {
    let book = book::read_book(context)?;
    let (source, profile_file) = arguments.table.open(context, arguments.file.clone())?;
    let file = parse_payables(&source.bytes, &source.mappings, &book)
        .map_err(|fault| anyhow!("{}: {fault}", arguments.file.display()))?;
    let mapping_note = source.save_column_mapping(&profile_file, file.mapping.as_ref());
    print_notes(file.notes.iter().chain(&mapping_note));
    if !file.errors.is_empty() {
        let more = file.errors.len().saturating_sub(MAX_PRINTED_FAULTS);
        let more = (more > 0).then(|| format!("and {more} more lines"));
        let faults = file.errors.iter().take(MAX_PRINTED_FAULTS).map(|(line, fault)| format!("line {line}: {fault}"));
        let faults: Vec<String> = faults.chain(more).collect();
        arguments.table.write_refused_rows(source.refused_rows(file.errors))?;
        bail!("{}: {}", arguments.file.display(), faults.join("\n"));
    }
    let cache = offline_cache::open_offline_cache(context, arguments.offline, 0)?.require_fresh()?;
    let orders = export::recorded_orders(context, &cache)?;
    let sources = FactSources {
        store: &cache.store,
        orders: &orders,
        final_statuses: cache.store.final_statuses(),
        expected_network: cache.destination.environment,
        policy: &cache.profile.policy,
        book: &book,
        skew: Skew::Unknown,
        period: cache.profile.preferences.poll_period,
    };
    let (payments, is_all) = find_payments_of_payables(&sources, &file.payables, cache.now)?;
    if !is_all {
        print_remark("not all of the history was searched: a payment may be older, or not read yet");
    }
    let today = cache.now.to_utc().ok_or_else(|| anyhow!("the clock shows no day of the calendar"))?.date_naive();
    let rows: Option<Vec<(&Payable, PayableStatus)>> = file
        .payables
        .iter()
        .zip(&payments)
        .map(|(payable, payments)| Some((payable, PayableStatus::of(payable, payments, today)?)))
        .collect();
    let rows = rows.ok_or_else(|| anyhow!("the payments of a reference add up to more than any amount"))?;
    match arguments.format {
        PayablesFormat::Text => print_text(&rows)?,
        PayablesFormat::Table(format) => write_table(&rows, format)?,
    }
    let needs_person = rows.iter().any(|(_, status)| status.needs_person());
    Ok(if needs_person { Exit::NeedsPerson } else { Exit::Normally })
}

fn write_table(rows: &[(&Payable, PayableStatus)], format: ExportFormat) -> io::Result<()> {
    let mut table = TableWriter::new(format, PAYABLE_COLUMNS, BufWriter::new(io::stdout().lock()));
    let mut written = table.write_header();
    for (payable, status) in rows {
        written = written.and_then(|()| table.write_row(&payable_cells(payable, status)));
    }
    ignore_broken_pipe(written.and_then(|()| table.finish()))
}

fn print_text(rows: &[(&Payable, PayableStatus)]) -> anyhow::Result<()> {
    let head = ["STATE", "REFERENCE", "TO", "AMOUNT", "TOKEN", "DUE", "CONFIRMED", "SENT"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    lines.extend(rows.iter().map(|(payable, status)| {
        vec![
            status.state.word().to_owned(),
            payable.reference.to_string(),
            payable.name.as_ref().unwrap_or(&payable.to).to_string(),
            payable.amount.format_grouped(),
            payable.token.to_string(),
            payable.due.map_or_else(|| "—".to_owned(), |due| due.to_string()),
            status.confirmed.format_grouped(),
            status.sent.format_grouped(),
        ]
    }));
    print_table(&lines);
    for (payable, status) in rows {
        for mismatch in &status.mismatches {
            print_line(&format!("{}: {mismatch}", payable.reference));
        }
    }
    let totals = PayableTotal::by_token(rows.iter().map(|(payable, status)| (*payable, status)));
    for (token, total) in totals.ok_or_else(|| anyhow!("the payables add up to more than any amount"))? {
        let PayableTotal { amount, confirmed, sent, open, over } = total;
        let over = if over.is_zero() { String::new() } else { format!(", {} too much", over.format_grouped()) };
        print_line(&format!(
            "{token}: {} to pay: {} confirmed, {} sent, {} open{over}",
            amount.format_grouped(),
            confirmed.format_grouped(),
            sent.format_grouped(),
            open.format_grouped()
        ));
    }
    Ok(())
}
