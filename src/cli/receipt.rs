//! `bursar receipt`: the receipt of an order or a transaction, or those of a month, each in a file of its own.

use std::collections::HashSet;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use clap::ValueEnum;
use clap::builder::PossibleValue;

use super::offline_cache::{self, OfflineCache};
use super::output::{ignore_broken_pipe, print_line};
use super::{CommandContext, Exit, book, export, statement};
use crate::app::orders::order_of_transaction;
use crate::domain::address_names::AddressNames;
use crate::domain::filter::{Filter, FilterField};
use crate::domain::history::HistoryRow;
use crate::domain::receipt::{Receipt, ReceiptStanding, ReceiptSubject, file_word};
use crate::domain::{FileFormat, Order, Period, ReceiptFormat, Text, Verdict};
use crate::runtime::HostPermission;
use crate::runtime::address_names::collect_names;
use crate::runtime::export::file::create_named_file;
use crate::runtime::export::receipt::{
    ReceiptContext, find_rows_containing, find_rows_matching_filter, read_receipt, write_receipt,
};
use crate::store::Cancel;

/// The shortest beginning of an order's identifier that names it.
const MIN_ORDER_ID_CHARS: usize = 8;

/// What `bursar receipt` may be told.
#[derive(Debug, clap::Args)]
pub(super) struct ReceiptArguments {
    /// Order by its identifier, the first 8 characters of it or its reference, or transaction by its identifier or
    /// hash; ORDER/3 is the third recipient of a batch alone
    #[arg(value_name = "ID", required_unless_present = "month")]
    ids: Vec<String>,
    /// Every payment of this month (UTC) that is settled, each in a file of its own
    #[arg(
        long, value_name = "YYYY-MM", value_parser = statement::parse_month, conflicts_with = "ids", requires = "output"
    )]
    month: Option<Period>,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReceiptFormat::Text)]
    format: ReceiptFormat,
    /// New file, or existing folder for a new file each; without it, standard output
    #[arg(long, short, value_name = "FILE|FOLDER")]
    output: Option<PathBuf>,
    /// Do not contact the service: use what was read before, and report its age on standard error
    #[arg(long)]
    offline: bool,
}

impl ValueEnum for ReceiptFormat {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Text, Self::Json, Self::Html]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::Text => PossibleValue::new("text").help("Plain text"),
            Self::Json => PossibleValue::new("json").help("One object; every value is exact text"),
            Self::Html => PossibleValue::new("html").help("A page to print, without scripts"),
        })
    }
}

pub(super) fn run(context: &CommandContext, arguments: &ReceiptArguments) -> anyhow::Result<Exit> {
    let folder = arguments.output.as_deref().filter(|path| path.is_dir());
    if arguments.ids.len() > 1 && folder.is_none() {
        bail!("several receipts need --output with a folder that exists, for a file each");
    }
    if let (Some(path), None, Some(_)) = (&arguments.output, folder, arguments.month) {
        bail!("{}: there is no such folder; create it first", path.display());
    }
    let cache = offline_cache::open_offline_cache(context, arguments.offline, 0)?.require_fresh()?;
    let desk = ReceiptDesk {
        orders: export::recorded_orders(context, &cache)?,
        names: collect_names(&cache.store, &book::read_book(context)?)?,
        cache,
        cancel: Cancel::new(),
        format: arguments.format,
    };
    if let (Some(month), Some(folder)) = (arguments.month, folder) {
        return desk.write_month(month, folder);
    }
    let subjects: Vec<ReceiptSubject> = arguments.ids.iter().map(|id| desk.find(id)).collect::<Result<_, _>>()?;
    match (&arguments.output, folder) {
        (_, Some(folder)) => desk.write_all(subjects, folder, false)?,
        (Some(path), None) => desk.write_file(&desk.read(subjects.first().context("no receipt is named")?)?, path)?,
        (None, None) => {
            let receipt = desk.read(subjects.first().context("no receipt is named")?)?;
            ignore_broken_pipe(write_receipt(&receipt, desk.format, BufWriter::new(io::stdout().lock())))?;
        }
    }
    Ok(Exit::Normally)
}

/// Finds, reads and writes receipts.
struct ReceiptDesk {
    cache: OfflineCache,
    orders: Vec<Order>,
    names: AddressNames,
    cancel: Cancel,
    format: ReceiptFormat,
}

impl ReceiptDesk {
    fn find(&self, id: &str) -> anyhow::Result<ReceiptSubject> {
        let matches: Vec<&Order> = self.orders.iter().filter(|order| is_named(order, id)).collect();
        if let Some(order) = only_one(id, &matches, |order| order.id.to_string())? {
            return self.of_order(order, None);
        }
        if let Some((batch, number)) = id.rsplit_once('/')
            && let Ok(number) = number.parse::<u32>()
        {
            let matches: Vec<&Order> = self.orders.iter().filter(|order| is_named(order, batch)).collect();
            if let Some(order) = only_one(batch, &matches, |order| order.id.to_string())? {
                return self.of_order(order, Some(number));
            }
        }
        let mut rows = Vec::new();
        for field in [FilterField::Id, FilterField::Hash] {
            rows.extend(find_rows_containing(&self.cache.store, field, id, &self.cancel)?);
        }
        rows.retain(|row| {
            let transaction = &row.transaction;
            transaction.id.as_str() == id
                || transaction.tx_hash.as_ref().is_some_and(|hash| hash.eq_ignore_ascii_case(id))
        });
        rows.dedup_by_key(|row| row.seq);
        let rows: Vec<&HistoryRow> = rows.iter().collect();
        match only_one(id, &rows, |row| row.transaction.id.to_string())? {
            Some(row) => self.of_row(row).map_err(|reason| anyhow!("{id}: {reason}")),
            None => bail!(
                "{id}: no order of this profile has this identifier or reference, and no transaction in its history \
                 this identifier or hash"
            ),
        }
    }

    fn subject(&self) -> ReceiptSubject {
        let business = Text::clean(self.cache.profile.display_name());
        ReceiptSubject { business, valuation: self.cache.valuation(), ..ReceiptSubject::default() }
    }

    /// With the recipient of a batch, counted from 1.
    fn of_order(&self, order: &Order, number: Option<u32>) -> anyhow::Result<ReceiptSubject> {
        let count = order.recipient_count();
        let recipient = match number {
            Some(number) if !(1..=count).contains(&(number as usize)) => {
                bail!("{}: it has no recipient {number}, but {count}", order.id)
            }
            number => number.map(|number| number.saturating_sub(1)).filter(|_| count > 1),
        };
        self.subject().of_order(order, recipient).map_err(|reason| anyhow!("{}: {reason}", order.id))
    }

    fn of_row(&self, row: &HistoryRow) -> Result<ReceiptSubject, &'static str> {
        self.subject().of_row(row, order_of_transaction(&self.orders, &row.transaction))
    }

    fn read(&self, subject: &ReceiptSubject) -> anyhow::Result<Receipt> {
        let Self { cache, names, cancel, .. } = self;
        let source = ReceiptContext { store: &cache.store, names, now: cache.now, cancel };
        read_receipt(&source, subject)?.context("it is no payment and no deposit")
    }

    fn write_file(&self, receipt: &Receipt, path: &Path) -> anyhow::Result<()> {
        let mut out = BufWriter::new(create_named_file(&HostPermission::for_local_operator(), path)?);
        write_receipt(receipt, self.format, &mut out)?;
        out.flush()?;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.finish()?;
        Ok(())
    }

    /// Writes a file each, or none where one of them exists.
    fn write_all(&self, subjects: Vec<ReceiptSubject>, folder: &Path, is_settled_only: bool) -> anyhow::Result<()> {
        let mut names = HashSet::new();
        let mut files = Vec::new();
        for subject in subjects {
            let word = self.file_word(&subject);
            let name = (1..).map(|number| if number == 1 { word.clone() } else { format!("{word}-{number}") });
            let name = name.into_iter().find(|name| names.insert(name.clone())).unwrap_or_default();
            let path = folder.join(format!("receipt-{name}.{}", FileFormat::Receipt(self.format).extension()));
            if path.symlink_metadata().is_ok() {
                bail!("{}: this exists already, and nothing is replaced; no receipt was written", path.display());
            }
            files.push((subject, path));
        }
        let (mut written, mut left_out) = (0_u64, 0_u64);
        for (subject, path) in &files {
            let receipt = self.read(subject)?;
            if is_settled_only && receipt.standing != ReceiptStanding::Settled {
                left_out += 1;
                continue;
            }
            self.write_file(&receipt, path)
                .with_context(|| format!("{written} of {} receipts were written before this", files.len()))?;
            written += 1;
        }
        print_line(&format!("{} written to {}", count_label(written, "receipt"), folder.display()));
        if left_out > 0 {
            print_line(&format!(
                "{} left out: not settled as a whole, or contradicted",
                count_label(left_out, "order")
            ));
        }
        Ok(())
    }

    fn file_word(&self, subject: &ReceiptSubject) -> String {
        let row = || self.cache.store.read_rows_by_seq(subject.row.as_slice()).ok()?.into_iter().next();
        match row() {
            Some(row) => {
                file_word(row.transaction.ref_id.as_ref().unwrap_or(&Text::clean(row.transaction.id.as_str())))
            }
            None => subject.file_word(),
        }
    }

    fn write_month(&self, month: Period, folder: &Path) -> anyhow::Result<Exit> {
        let name = month.start.format("%Y-%m");
        let filter = Filter::from(format!("dir:out internal:no from:{name} to:{name}").as_str());
        let rows = find_rows_matching_filter(&self.cache.store, filter, &self.cancel)?;
        let (mut subjects, mut open) = (Vec::new(), 0_u64);
        let mut orders = HashSet::new();
        for row in rows.iter().filter(|row| !row.suspicious) {
            let Ok(subject) = self.of_row(row) else { continue };
            match row.transaction.verdict(self.cache.store.final_statuses()) {
                Verdict::Settled => {}
                Verdict::Failed => continue,
                Verdict::Open | Verdict::Contradiction => {
                    open += 1;
                    continue;
                }
            }
            if subject.order.as_ref().is_none_or(|order| orders.insert(order.id)) {
                subjects.push(subject);
            }
        }
        if open > 0 {
            let verb = if open == 1 { "is" } else { "are" };
            print_line(&format!("{} of {name} {verb} not settled, and left out", count_label(open, "payment")));
        }
        if subjects.is_empty() {
            bail!("no payment of {name} is settled, so there is no receipt to write");
        }
        self.write_all(subjects, folder, true)?;
        Ok(Exit::Normally)
    }
}

fn count_label(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Whether a text names an order: its identifier, the beginning of it, or its reference.
fn is_named(order: &Order, text: &str) -> bool {
    let begins = text.len() >= MIN_ORDER_ID_CHARS && order.id.to_string().starts_with(&text.to_ascii_lowercase());
    begins || order.drafted.draft.reference().is_some_and(|reference| reference.as_str() == text)
}

/// The only one that a text names; `None` where it names none.
fn only_one<'a, T>(text: &str, matches: &[&'a T], id: impl Fn(&T) -> String) -> anyhow::Result<Option<&'a T>> {
    match matches {
        [] => Ok(None),
        [one] => Ok(Some(one)),
        several => {
            let ids: Vec<String> = several.iter().map(|one| id(one)).collect();
            bail!("{text} names several payments; name one by its identifier: {}", ids.join(", "))
        }
    }
}
