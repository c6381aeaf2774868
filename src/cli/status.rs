//! `bursar status`: balances, pending transactions, orders, and the age of each figure; once, for scripts and cron.

mod watches;

use std::io::{self, Write};

use serde_json::{Value, json};

use super::offline_cache::{self, ignore_broken_pipe};
use super::{Context, Exit, journal, output};
use crate::app::orders::{alarm_messages, state_label};
use crate::app::panes::orders::{ALARM_DURATION, recipients_text};
use crate::app::{CONFIGURATION_WRITABLE_BY_OTHERS, link};
use crate::config::Network;
use crate::domain::chain::display_name;
use crate::domain::history::{Progress, Scope, Sourced};
use crate::domain::order::{Destination, State};
use crate::domain::{Account, Draft, Holding, Order, Text, Timestamp, network};
use crate::journal::{JournalError, JournalSnapshot};
use crate::runtime::export::balances::basis;
use crate::runtime::watch_readings;
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
    #[arg(long, value_name = "N", default_value_t = 200)]
    users: u64,
}

struct Status {
    reading: offline_cache::OfflineCache,
    progress: Progress,
    head_at: Option<Timestamp>,
    balances: Vec<(Option<Sourced<Account>>, Vec<Holding>)>,
    orders: Vec<Order>,
    /// Earlier base addresses of the profile without an answer whether they lead to the same service.
    questions: Vec<Text>,
    watched: Vec<WatchStatus>,
    /// What a person has to look at, as displayed.
    needs: Vec<String>,
}

impl Status {
    /// A count of the history; `None` while nothing was ever read, when it is unknown rather than zero.
    fn counted(&self, number: u64) -> Option<u64> {
        (self.head_at.is_some() || self.progress.rows > 0).then_some(number)
    }
}

pub(super) fn run(context: &Context, arguments: &StatusArguments) -> anyhow::Result<Exit> {
    let reading = offline_cache::open(context, arguments.offline, arguments.users)?;
    let status = look(context, reading)?;
    if arguments.json {
        let mut text = serde_json::to_string_pretty(&json(&status))?;
        text.push('\n');
        ignore_broken_pipe(io::stdout().write_all(text.as_bytes()))?;
    } else {
        tell(&status);
    }
    Ok(if status.needs.is_empty() { Exit::Normally } else { Exit::NeedsPerson })
}

fn look(context: &Context, reading: offline_cache::OfflineCache) -> anyhow::Result<Status> {
    let now = reading.now;
    let accounts = reading.store.accounts()?;
    let mut balances = Vec::new();
    for account in accounts {
        let held = reading.store.holdings(&Scope::Account(account.entry.id.clone()))?;
        balances.push((Some(account), held));
    }
    if balances.is_empty() {
        balances.push((None, reading.store.holdings(&Scope::All)?));
    }
    let mut needs = Vec::new();
    if let Some(failure) = &reading.failure {
        needs.push(format!("the service could not be read: {failure}"));
    }
    if let Some(expected) = reading.profile.network
        && let Some(strange) = reading.store.unexpected_network(expected.is_test())?
    {
        needs.push(format!(
            "{} {}",
            network::alarm_message(expected.word(), &strange),
            network::remedy_message(&strange)
        ));
    }
    needs.extend(
        context
            .config()?
            .permissions_remedy(&reading.profile)
            .map(|remedy| format!("paying is disabled: {CONFIGURATION_WRITABLE_BY_OTHERS}: {remedy}")),
    );
    let (orders, questions) = match orders(context, &reading.destination, now) {
        Ok(told) => told,
        Err(error) => {
            needs.push(format!("orders cannot be read: {error}"));
            Default::default()
        }
    };
    needs.extend(questions.iter().map(|address| question(address)));
    for order in &orders {
        // A confirmed order that was never sent needs an operator as much as one with an unknown outcome.
        let waits = matches!(order.state(now), State::Confirmed | State::NotSent);
        if order.is_unresolved(now) || waits {
            needs.push(format!("order {} is {}", order.id, state_label(order, now)));
        }
        needs.extend(alarm_messages(order, now).into_iter().map(|alarm| format!("order {}: {alarm}", order.id)));
    }
    let watches = &reading.profile.watches;
    let watched = watches::evaluate(
        watches,
        &watch_readings::read_watches(&reading.store, watches)?,
        now,
        reading.profile.poll_period,
    );
    needs.extend(watched.iter().filter_map(WatchStatus::attention_text));
    Ok(Status {
        watched,
        progress: reading.store.progress()?,
        head_at: reading.store.latest_checked_at()?,
        balances,
        orders,
        questions,
        needs,
        reading,
    })
}

fn question(address: &str) -> String {
    format!(
        "this profile used {address} before: answer whether that is the same service on the Orders page or with \
         `bursar profile address`; until then, what was done there counts here"
    )
}

/// The open orders that a console of the profile would show, and the addresses about which it would ask.
fn orders(context: &Context, here: &Destination, now: Timestamp) -> anyhow::Result<(Vec<Order>, Vec<Text>)> {
    match JournalSnapshot::open(&journal::folder(context)?) {
        Ok(journal) => Ok((open_orders(&journal, here, now)?, journal.service_addresses(here)?.unjudged().to_vec())),
        Err(JournalError::Missing { .. }) => Ok(Default::default()),
        Err(error) => Err(error.into()),
    }
}

/// The profile's orders that are open or have an alarm, the oldest first. The profile may have been renamed since they
/// were made, so its name alone does not find them.
fn open_orders(journal: &JournalSnapshot, here: &Destination, now: Timestamp) -> Result<Vec<Order>, JournalError> {
    let mut orders = journal.shown_orders(here, usize::MAX)?;
    // An unexpected cost of a settled payment is reported for a limited time only.
    let is_news = |order: &Order| {
        order.time().age(now) < ALARM_DURATION || alarm_messages(order, now).len() > order.costs().len()
    };
    orders.retain(|order| order.is_open(now) || (!alarm_messages(order, now).is_empty() && is_news(order)));
    orders.reverse();
    Ok(orders)
}

fn order_summary(order: &Order) -> String {
    let draft = &order.drafted.draft;
    if let Some(payment) = draft.single_payment() {
        return format!("{} {} to {}", payment.amount, payment.token, payment.to);
    }
    match (draft, draft.exchange()) {
        (Draft::Batch(batch), _) => {
            let total =
                order.drafted.sender.as_ref().map_or_else(|| "—".to_owned(), |sender| sender.amount.to_string());
            format!("{total} {} to {}", batch.token, recipients_text(batch))
        }
        (_, Some(exchange)) => format!("swap {}", exchange.words()),
        _ => draft.operation().title().to_owned(),
    }
}

fn tell(status: &Status) {
    let (reading, now) = (&status.reading, status.reading.now);
    let profile = &reading.profile;
    let environment = profile.network.map_or("environment not set", Network::word);
    output::print_line(&format!("{} · {environment} · {}", profile.title(), profile.base_url));
    let counted = |number: u64| status.counted(number).map_or_else(|| "—".into(), |number| number.to_string());
    let rows = counted(status.progress.rows);
    output::print_line(&format!("history  {rows} rows, {}; {}", extent(&status.progress), reading.age()));
    let pending = status.progress.pending;
    let rows = if pending == 1 { "transaction" } else { "transactions" };
    output::print_line(&format!("pending  {} {rows}", counted(pending)));
    let unresolved = status.orders.iter().filter(|order| order.is_unresolved(now)).count();
    output::print_line(&format!("orders   {} open, {unresolved} unresolved", status.orders.len()));
    for order in &status.orders {
        let there = &order.drafted.destination.base_url;
        let place =
            if *there == reading.destination.base_url { String::new() } else { format!(", created at {there}") };
        output::print_line(&format!("  {}  {}  {}{place}", order.id, state_label(order, now), order_summary(order)));
    }
    if !status.watched.is_empty() {
        let raised = status.watched.iter().filter(|watched| watched.state == WatchState::Raised).count();
        output::print_line(&format!("watches  {}, {raised} raised", status.watched.len()));
    }
    for watched in &status.watched {
        output::print_line(&watched.status_line());
    }
    output::print_line("");
    let heads = ["account", "token", "chain", "amount", "known", "age"].map(str::to_owned);
    let mut rows = vec![heads.to_vec()];
    for (account, held) in &status.balances {
        for holding in held {
            rows.push(vec![
                called(account.as_ref()),
                format!("{}{}", if holding.suspicious { "?" } else { "" }, holding.symbol),
                display_name(&holding.token.blockchain).to_owned(),
                holding.amount.as_ref().map_or_else(|| "—".into(), |amount| amount.raw().to_string()),
                basis(holding.basis).to_owned(),
                holding.as_of.map_or_else(|| "—".into(), |at| link::words(at.age(now))),
            ]);
        }
    }
    output::print_table(&rows);
    if !status.needs.is_empty() {
        output::print_line("");
    }
    for need in &status.needs {
        output::print_line(&format!("! {need}"));
    }
}

fn called(account: Option<&Sourced<Account>>) -> String {
    account.map_or_else(
        || "everything".into(),
        |known| known.entry.name.as_ref().map_or_else(|| known.entry.id.to_string(), ToString::to_string),
    )
}

fn extent(progress: &Progress) -> String {
    match (&progress.partial, progress.complete) {
        (Some(why), _) => format!("partial: {why}"),
        (None, true) => "read to its end".into(),
        (None, false) => "not read to its end".into(),
    }
}

fn json(status: &Status) -> Value {
    let (reading, now) = (&status.reading, status.reading.now);
    let age = |at: Option<Timestamp>| at.map(|at| at.age(now).as_secs());
    let orders = status.orders.iter().map(|order| {
        json!({
            "order": order.id.to_string(),
            "operation": order.drafted.draft.operation().word(),
            "what": order_summary(order),
            "state": state_label(order, now),
            "unresolved": order.is_unresolved(now),
            "drafted_at": order.created.at.to_string(),
            "base_url": order.drafted.destination.base_url.as_str(),
        })
    });
    let balances =
        status.balances.iter().flat_map(|(account, held)| held.iter().map(move |holding| (account, holding)));
    let balances = balances.map(|(account, holding)| {
        json!({
            "account": account.as_ref().map(|known| known.entry.id.to_string()),
            "account_name": account.as_ref().and_then(|known| known.entry.name.as_ref().map(ToString::to_string)),
            "blockchain": holding.token.blockchain.as_str(),
            "token": holding.symbol.as_str(),
            "contract": holding.token.contract.as_deref(),
            "amount": holding.amount.as_ref().map(|amount| amount.raw().to_string()),
            "known": basis(holding.basis),
            "as_of": holding.as_of.map(|at| at.to_string()),
            "age_seconds": age(holding.as_of),
            "imitates_a_token": holding.suspicious,
        })
    });
    json!({
        "profile": reading.profile.name,
        "environment": reading.profile.network.map(Network::word),
        "base_url": reading.profile.base_url.to_string(),
        "at": now.to_string(),
        "needs_person": status.needs,
        "history": {
            "rows": status.counted(status.progress.rows),
            "pending": status.counted(status.progress.pending),
            "unreadable": status.counted(status.progress.unreadable),
            "complete": status.progress.complete,
            "partial": status.progress.partial.as_deref(),
            "as_of": status.head_at.map(|at| at.to_string()),
            "age_seconds": age(status.head_at),
        },
        "orders": orders.collect::<Vec<_>>(),
        "unanswered_addresses": status.questions.iter().map(Text::as_str).collect::<Vec<_>>(),
        "watches": status.watched.iter().map(WatchStatus::to_json).collect::<Vec<_>>(),
        "balances": balances.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests;
