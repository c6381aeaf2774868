//! `bursar status`: balances, pending transactions, orders, and the age of each figure; once, for scripts and cron.

mod approvals;
mod attention;
mod watches;

use std::io::{self, Write};
use std::sync::Arc;

use serde_json::{Value, json};

use super::number_argument::whole_number_parser;
use super::output::ignore_broken_pipe;
use super::{CommandContext, Exit, journal, offline_cache, output};
use crate::app::orders::{self, state_label};
use crate::domain::address_names::AddressNames;
use crate::domain::attention::Acknowledgements;
use crate::domain::chain::chain_display_name;
use crate::domain::duration;
use crate::domain::entry_source::Sourced;
use crate::domain::history::{Scope, SyncProgress};
use crate::domain::order::{PaidDues, ServiceDestination};
use crate::domain::watch::{TotalReading, WatchReading};
use crate::domain::{
    Account, AddressBook, Day, Draft, Holding, HoldingsValue, Network, Order, Text, Timestamp, ValuationAmount, Zone,
};
use crate::journal::{JournalError, JournalSnapshot, RecordedBookChanges};
use crate::runtime::address_names::collect_names;
use crate::runtime::clock::local_zone;
use crate::runtime::watch_readings;
use crate::store::StoreError;
use attention::AttentionReport;
use watches::{WatchState, WatchStatus};

/// What `bursar status` may be told.
#[derive(Debug, clap::Args)]
pub(super) struct StatusArguments {
    /// Write the status as JSON
    #[arg(long)]
    json: bool,
    /// Do not contact the service: report what was read before, with its age
    #[arg(long)]
    offline: bool,
    /// Maximum number of users whose balances are read again, starting with those read longest ago; the others keep
    /// their age
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole_number_parser::<u64>(0..))]
    users: u64,
}

struct StatusReport {
    reading: offline_cache::OfflineCache,
    progress: SyncProgress,
    newest_rows_synced_at: Option<Timestamp>,
    balances: Vec<(Option<Sourced<Account>>, Vec<Holding>)>,
    orders: Vec<Order>,
    names: Arc<AddressNames>,
    /// Earlier base addresses of the profile without an answer whether they lead to the same service.
    unanswered_addresses: Vec<Text>,
    watch_statuses: Vec<WatchStatus>,
    /// The value of all accounts; `None` without a valuation.
    total: Option<HoldingsValue>,
    /// Why figures may be old or missing, as displayed.
    troubles: Vec<String>,
    /// What needs a person, as on the screen.
    attention: AttentionReport,
}

impl StatusReport {
    /// A count of the history; `None` while nothing was ever read, when it is unknown rather than zero.
    fn known_count(&self, number: u64) -> Option<u64> {
        (self.newest_rows_synced_at.is_some() || self.progress.rows > 0).then_some(number)
    }
}

pub(super) fn run(context: &CommandContext, arguments: &StatusArguments) -> anyhow::Result<Exit> {
    let reading = offline_cache::open_priced_cache(context, arguments.offline, arguments.users)?;
    let status = collect_status(context, reading)?;
    if arguments.json {
        let mut text = serde_json::to_string_pretty(&status_to_json(&status))?;
        text.push('\n');
        ignore_broken_pipe(io::stdout().write_all(text.as_bytes()))?;
    } else {
        print_status(&status);
    }
    Ok(match (status.troubles.is_empty(), status.attention.items.is_empty()) {
        (false, _) => Exit::WithTrouble,
        (true, false) => Exit::NeedsPerson,
        (true, true) => Exit::Normally,
    })
}

fn collect_status(context: &CommandContext, reading: offline_cache::OfflineCache) -> anyhow::Result<StatusReport> {
    let now = reading.now;
    let accounts = reading.store.accounts()?;
    let mut balances = Vec::new();
    for account in accounts {
        let account_holdings = reading.store.holdings(&Scope::Account(account.entry.id.clone()))?;
        balances.push((Some(account), account_holdings));
    }
    if balances.is_empty() {
        balances.push((None, reading.store.holdings(&Scope::All)?));
    }
    let prices = reading.price_history()?;
    let total = reading.valuation().map(|_| {
        Ok::<_, StoreError>(prices.value_holdings(&reading.store.holdings(&Scope::All)?, Day::from_timestamp(now)))
    });
    let total = total.transpose()?;
    let mut troubles = Vec::new();
    if let Some(failure) = &reading.failure {
        troubles.push(format!("the service could not be read: {failure}"));
    }
    let recorded = match recorded_facts(context, &reading.destination, now) {
        Ok(recorded) => recorded,
        Err(error) => {
            troubles.push(format!("orders cannot be read: {error}"));
            RecordedFacts::default()
        }
    };
    let names = Arc::new(collect_names(&reading.store, &recorded.book)?);
    let watches = &reading.profile.watches;
    let mut readings = watch_readings::read_watches(&reading.store, watches, &recorded.book)?;
    if let (Some(total), Some(valuation)) = (&total, &reading.valuation()) {
        let as_of = [reading.store.oldest_balances_time(&Scope::All)?, total.prices_at].into_iter().flatten().min();
        let total = WatchReading::of_total(&total_reading(total, valuation, as_of));
        for (_, evaluated) in watches.iter().zip(&mut readings).filter(|(watch, _)| watch.is_of_total()) {
            evaluated.reading = total.clone();
        }
    }
    let watched = watches::evaluate_watches(watches, &readings, now, reading.profile.preferences.poll_period);
    let watch_items = watched.iter().filter_map(|watched| watched.attention.clone()).collect();
    let proposal_items = approvals::proposal_items(context, &names).unwrap_or_else(|error| {
        troubles.push(format!("proposals cannot be read: {error:#}"));
        Vec::new()
    });
    let permissions_remedy = context.config()?.permissions_remedy(&reading.profile);
    let zone = if reading.profile.local_time { local_zone(now) } else { Zone::default() };
    let attention = attention::collect_attention(
        &reading,
        &recorded,
        &names,
        watch_items,
        proposal_items,
        permissions_remedy,
        &zone,
    )?;
    Ok(StatusReport {
        watch_statuses: watched,
        progress: reading.store.progress()?,
        newest_rows_synced_at: reading.store.newest_rows_synced_at()?,
        balances,
        orders: open_orders(recorded.orders, now),
        names,
        unanswered_addresses: recorded.unanswered,
        total,
        troubles,
        attention,
        reading,
    })
}

fn total_reading<'a>(total: &HoldingsValue, valuation: &'a Text, as_of: Option<Timestamp>) -> TotalReading<'a> {
    let missing = total.unpriced.len() + total.unknown.len();
    TotalReading { value: total.total, valuation, tokens: total.count, missing, as_of }
}

/// What the journal records of a profile.
#[derive(Default)]
struct RecordedFacts {
    /// The orders that a console of the profile would show, the newest first.
    orders: Vec<Order>,
    /// The addresses about which it would ask.
    unanswered: Vec<Text>,
    book: AddressBook,
    acknowledgements: Acknowledgements,
    paid_dues: PaidDues,
}

/// The profile may have been renamed since its orders were made, so its name alone does not find them.
fn recorded_facts(
    context: &CommandContext,
    destination: &ServiceDestination,
    now: Timestamp,
) -> anyhow::Result<RecordedFacts> {
    match JournalSnapshot::open(&journal::journal_folder(context)?) {
        Ok(journal) => Ok(RecordedFacts {
            orders: journal.shown_orders(destination, usize::MAX)?,
            unanswered: journal.address_relations(destination)?.unanswered().to_vec(),
            book: RecordedBookChanges::replay_book(&journal.book_changes(destination)?),
            acknowledgements: journal.acknowledgements(&destination.base_url)?,
            paid_dues: journal.paid_dues(now)?,
        }),
        Err(JournalError::Missing { .. }) => Ok(RecordedFacts::default()),
        Err(error) => Err(error.into()),
    }
}

/// The orders that are open or have an alarm, the oldest first.
fn open_orders(mut orders: Vec<Order>, now: Timestamp) -> Vec<Order> {
    orders.retain(|order| order.is_open(now) || orders::has_recent_alarm(order, now));
    orders.reverse();
    orders
}

fn order_summary(order: &Order, names: &AddressNames) -> String {
    let draft = &order.drafted.draft;
    // In full: on a terminal there is room, and scripts compare it.
    let party = |address: &Text, blockchain: &Text| {
        let name = names.party(address, blockchain);
        name.map_or_else(|| address.to_string(), |party| format!("{}, {address}", party.name))
    };
    if let Some(payment) = draft.single_payment() {
        return format!("{} {} to {}", payment.amount, payment.token, party(&payment.to, &payment.blockchain));
    }
    match (draft, draft.exchange()) {
        (Draft::Batch(batch), _) => {
            let total =
                order.drafted.sender.as_ref().map_or_else(|| "—".to_owned(), |sender| sender.amount.to_string());
            let to = draft.only_recipient().map(|only| party(only, &batch.blockchain));
            let to = to.unwrap_or_else(|| format!("{} recipients", batch.to.len()));
            format!("{total} {} to {to}", batch.token)
        }
        (_, Some(exchange)) => format!("swap {}", exchange.summary()),
        _ => draft.operation().title().to_owned(),
    }
}

fn print_status(status: &StatusReport) {
    let (reading, now) = (&status.reading, status.reading.now);
    let profile = &reading.profile;
    let environment = profile.network.map_or("environment not set", Network::name);
    output::print_line(&format!("{} · {environment} · {}", profile.display_name(), profile.base_url));
    if let (Some(total), Some(valuation)) = (&status.total, reading.valuation()) {
        output::print_line(&format!("total    {}", total_text(total, &valuation, now)));
    }
    let count_text = |number: u64| status.known_count(number).map_or_else(|| "—".into(), |number| number.to_string());
    let rows = count_text(status.progress.rows);
    output::print_line(&format!("history  {rows} rows, {}; {}", history_extent(&status.progress), reading.age_text()));
    let pending = status.progress.pending;
    let rows = if pending == 1 { "transaction" } else { "transactions" };
    output::print_line(&format!("pending  {} {rows}", count_text(pending)));
    let unresolved = status.orders.iter().filter(|order| order.is_unresolved(now)).count();
    output::print_line(&format!("orders   {} open, {unresolved} unresolved", status.orders.len()));
    for order in &status.orders {
        let base_url = &order.drafted.destination.base_url;
        let place =
            if *base_url == reading.destination.base_url { String::new() } else { format!(", created at {base_url}") };
        output::print_line(&format!(
            "  {}  {}  {}{place}",
            order.id,
            state_label(order, now),
            order_summary(order, &status.names)
        ));
    }
    if !status.watch_statuses.is_empty() {
        let raised = status.watch_statuses.iter().filter(|watched| watched.state == WatchState::Raised).count();
        output::print_line(&format!("watches  {}, {raised} raised", status.watch_statuses.len()));
    }
    for watched in &status.watch_statuses {
        output::print_line(&watched.status_line());
    }
    output::print_line("");
    let heads = ["account", "token", "chain", "amount", "known", "age"].map(str::to_owned);
    let mut rows = vec![heads.to_vec()];
    for (account, account_holdings) in &status.balances {
        for holding in account_holdings {
            rows.push(vec![
                account_title(account.as_ref()),
                format!("{}{}", if holding.suspicious { "?" } else { "" }, holding.symbol),
                chain_display_name(&holding.token.blockchain).to_owned(),
                holding.amount.as_ref().map_or_else(|| "—".into(), |amount| amount.even_if_disputed().to_string()),
                holding.basis.word().to_owned(),
                holding.as_of.map_or_else(|| "—".into(), |at| duration::format_age(at.age(now))),
            ]);
        }
    }
    output::print_table(&rows);
    if !status.troubles.is_empty() {
        output::print_line("");
    }
    for trouble in &status.troubles {
        output::print_line(&format!("! {trouble}"));
    }
    for line in status.attention.lines(now) {
        output::print_line(&line);
    }
}

/// The total with what is missing from it, and the age of its prices.
fn total_text(total: &HoldingsValue, valuation: &Text, now: Timestamp) -> String {
    let figure = total.total.map_or_else(|| "—".to_owned(), ValuationAmount::format_grouped);
    let mut notes = Vec::new();
    let mut missing = |symbols: &[Text], description: &str| {
        if !symbols.is_empty() {
            let names: Vec<&str> = symbols.iter().map(Text::as_str).collect();
            notes.push(format!("{} of {} {description}: {}", symbols.len(), total.count, names.join(", ")));
        }
    };
    missing(&total.unpriced, "without price");
    missing(&total.unknown, "of an unknown amount");
    notes.extend(total.prices_at.map(|at| format!("prices {} ago", duration::format_age(at.age(now)))));
    let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
    format!("{figure} {valuation}{notes}")
}

fn account_title(account: Option<&Sourced<Account>>) -> String {
    account.map_or_else(
        || "all accounts".into(),
        |sourced| sourced.entry.name.as_ref().map_or_else(|| sourced.entry.id.to_string(), ToString::to_string),
    )
}

fn history_extent(progress: &SyncProgress) -> String {
    match (&progress.partial, progress.complete) {
        (Some(reason), _) => format!("partial: {reason}"),
        (None, true) => "read to its end".into(),
        (None, false) => "not read to its end".into(),
    }
}

fn status_to_json(status: &StatusReport) -> Value {
    let (reading, now) = (&status.reading, status.reading.now);
    let age = |at: Option<Timestamp>| at.map(|at| at.age(now).as_secs());
    let orders = status.orders.iter().map(|order| {
        json!({
            "order": order.id.to_string(),
            "operation": order.drafted.draft.operation().journal_name(),
            "what": order_summary(order, &status.names),
            "state": state_label(order, now),
            "unresolved": order.is_unresolved(now),
            "drafted_at": order.created.at.to_string(),
            "base_url": order.drafted.destination.base_url.as_str(),
        })
    });
    let balances = status
        .balances
        .iter()
        .flat_map(|(account, account_holdings)| account_holdings.iter().map(move |holding| (account, holding)));
    let balances = balances.map(|(account, holding)| {
        json!({
            "account": account.as_ref().map(|sourced| sourced.entry.id.to_string()),
            "account_name": account.as_ref().and_then(|sourced| sourced.entry.name.as_ref().map(ToString::to_string)),
            "blockchain": holding.token.blockchain.as_str(),
            "token": holding.symbol.as_str(),
            "contract": holding.token.contract.as_deref(),
            "amount": holding.amount.as_ref().map(|amount| amount.even_if_disputed().to_string()),
            "known": holding.basis.word(),
            "as_of": holding.as_of.map(|at| at.to_string()),
            "age_seconds": age(holding.as_of),
            "imitates_a_token": holding.suspicious,
        })
    });
    json!({
        "profile": reading.profile.name,
        "environment": reading.profile.network.map(Network::name),
        "base_url": reading.profile.base_url.to_string(),
        "at": now.to_string(),
        "total": status.total.as_ref().map(|total| json!({
            "value": total.total.map(ValuationAmount::format_plain),
            "valued_in": reading.valuation().map(|valuation| valuation.to_string()),
            "tokens": total.count,
            "without_price": total.unpriced.iter().map(Text::as_str).collect::<Vec<_>>(),
            "of_unknown_amount": total.unknown.iter().map(Text::as_str).collect::<Vec<_>>(),
            "prices_at": total.prices_at.map(|at| at.to_string()),
        })),
        "trouble": status.troubles,
        "needs_person": status.attention.items.iter().map(attention::to_json).collect::<Vec<_>>(),
        "acknowledged": status.attention.acknowledged,
        "history": {
            "rows": status.known_count(status.progress.rows),
            "pending": status.known_count(status.progress.pending),
            "unreadable": status.known_count(status.progress.unreadable),
            "complete": status.progress.complete,
            "partial": status.progress.partial.as_deref(),
            "as_of": status.newest_rows_synced_at.map(|at| at.to_string()),
            "age_seconds": age(status.newest_rows_synced_at),
        },
        "orders": orders.collect::<Vec<_>>(),
        "unanswered_addresses": status.unanswered_addresses.iter().map(Text::as_str).collect::<Vec<_>>(),
        "watches": status.watch_statuses.iter().map(WatchStatus::to_json).collect::<Vec<_>>(),
        "balances": balances.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests;
