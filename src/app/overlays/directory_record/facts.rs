//! The record's text, and opening it.

use super::scope::{scope_of_order, scope_of_transaction};
use super::{DirectoryRecord, RECENT_ROWS, Subject};
use crate::app::model::{Mode, Model};
use crate::app::msg::{Effect, StoreQuery};
use crate::app::overlays::detail::{DetailLine, amount_text, text_or_dash, time_or_dash};
use crate::app::overlays::record::AnyRecord;
use crate::app::pages::Tone;
use crate::app::pages::holdings::order::HoldingOrder;
use crate::app::pages::registry::pane_logic;
use crate::app::transaction_text::{direction_label, format_row_time, status_label};
use crate::domain::chain::chain_display_name;
use crate::domain::duration;
use crate::domain::entry_source::{EntrySource, Sourced};
use crate::domain::history::{HistoryRow, Scope};
use crate::domain::policy::Limit;
use crate::domain::{
    Account, AccountAddress, AccountId, AccountType, BalanceBasis, Direction, Holding, State, Text, UserId, Wallet,
};

/// Requests the record of the account or wallet that the selected row, or what is open, names.
pub(in crate::app) fn open_record(model: &mut Model) -> Vec<Effect> {
    selected_or_open_scope(model, &model.mode).map_or_else(Vec::new, |scope| vec![query_record(model, scope)])
}

/// Requests the open record again, after balances or transactions were read.
pub(in crate::app) fn query_open_record(model: &mut Model) -> Option<Effect> {
    let Mode::Record { record, .. } = &model.mode else { return None };
    let AnyRecord::Directory(open_record) = &**record else { return None };
    let scope = open_record.scope();
    Some(query_record(model, scope))
}

fn query_record(model: &mut Model, scope: Scope) -> Effect {
    let request_id = model.data.request_ids.directory_record.advance();
    let query = StoreQuery::DirectoryRecord(scope, model.data.analyses.look_alikes.poison_filter());
    Effect::QueryStore { query, request_id }
}

/// Shows the record, unless something else was opened meanwhile; an open one keeps its place.
#[expect(clippy::wildcard_enum_match_arm, reason = "other modes do not give way")]
pub(in crate::app) fn apply_record(model: &mut Model, new_record: Option<DirectoryRecord>) {
    let Some(new_record) = new_record else {
        model.notice = Some("nothing is known of it yet but its identifier".into());
        return;
    };
    let top = match &model.mode {
        Mode::Record { record, top } => match &**record {
            AnyRecord::Directory(open_record) if open_record.scope() == new_record.scope() => *top,
            _ => 0,
        },
        Mode::Browse | Mode::Detail { .. } | Mode::Order { .. } | Mode::Receive(_) => 0,
        _ => return,
    };
    model.show_mode(Mode::Record { record: Box::new(AnyRecord::Directory(Box::new(new_record))), top });
}

/// The account or wallet that is selected or open; `None` where neither is named.
#[expect(clippy::wildcard_enum_match_arm, reason = "other modes name none")]
pub(in crate::app) fn selected_or_open_scope(model: &Model, mode: &Mode) -> Option<Scope> {
    match mode {
        Mode::Detail { row, .. } => scope_of_transaction(&row.transaction),
        Mode::Receive(wallet) => Some(Scope::Wallet(wallet.entry.id.clone())),
        Mode::Order { id, .. } => scope_of_order(model, *id),
        // From a wallet to its account.
        Mode::Record { record, .. } => match &**record {
            AnyRecord::Directory(open_record) => match &open_record.subject {
                Subject::Wallet { wallet, .. } => wallet.entry.account.clone().map(Scope::Account),
                Subject::Account { .. } => None,
            },
            _ => None,
        },
        Mode::Browse => pane_logic(model.focus()).scope_of_selected_row(model),
        _ => None,
    }
}

pub fn record_lines(model: &Model, record: &DirectoryRecord) -> Vec<DetailLine> {
    let mut lines = match &record.subject {
        Subject::Account { account, wallets } => account_lines(model, account, *wallets),
        Subject::Wallet { wallet, account_name, user_name } => {
            wallet_lines(model, wallet, account_name.as_ref(), user_name.as_ref())
        }
    };
    lines.extend(section_lines("Balances", balance_lines(model, &record.holdings), "none are known"));
    let no_limits = if model.pages.book.is_loaded {
        "the profile sets none that applies here"
    } else {
        "not known: this console has not read the profile's policy"
    };
    lines.extend(section_lines("Limits", policy_limit_lines(model, &record.holdings), no_limits));
    let mut newest: Vec<_> = record.recent.iter().map(|row| transaction_line(model, row)).collect();
    if record.folded > 0 {
        newest.push((format!("{} of the newest {RECENT_ROWS} are left out: they deceive", record.folded), Tone::Warn));
    }
    lines.extend(section_lines("Newest", newest, "no transactions"));
    lines
}

fn line(name: &'static str, value: String) -> DetailLine {
    DetailLine { name, value, tone: Tone::Text }
}

/// Lines under one name; `nothing` where there are none.
fn section_lines(name: &'static str, lines: Vec<(String, Tone)>, nothing: &str) -> Vec<DetailLine> {
    let lines = if lines.is_empty() { vec![(nothing.to_owned(), Tone::Dim)] } else { lines };
    let names = std::iter::once(name).chain(std::iter::repeat(""));
    lines.into_iter().zip(names).map(|((value, tone), name)| DetailLine { name, value, tone }).collect()
}

fn yes_or_no(value: Option<bool>) -> String {
    match value {
        Some(true) => "yes",
        Some(false) => "no",
        None => "—",
    }
    .to_owned()
}

fn word_or_dash(value: Option<&str>) -> String {
    value.unwrap_or("—").to_owned()
}

fn source_text(source: EntrySource) -> String {
    match source {
        EntrySource::Created => "this console, which created it",
        EntrySource::Imported => "an import",
        EntrySource::Listed => "the service",
        EntrySource::History => "the history only",
    }
    .to_owned()
}

/// An identifier, with its name before it where there is one.
fn name_and_id(name: Option<&Text>, id: Option<&str>) -> String {
    match (name, id) {
        (Some(name), Some(id)) => format!("{name} · {id}"),
        (None, id) => word_or_dash(id),
        (Some(name), None) => name.to_string(),
    }
}

fn account_lines(model: &Model, account: &Sourced<Account>, wallets: u64) -> Vec<DetailLine> {
    let entry = &account.entry;
    let mut lines = vec![
        DetailLine { name: "Name", value: text_or_dash(entry.name.as_ref()), tone: Tone::Accent },
        line("Kind", word_or_dash(entry.kind.as_ref().map(AccountType::word))),
        line("State", word_or_dash(entry.state.as_ref().map(State::word))),
        line("Network", text_or_dash(entry.network.as_ref())),
    ];
    for (names, details) in [
        (["EVM address", "EVM reference"], &entry.evm_details),
        (["Solana address", "Solana ref."], &entry.solana_details),
    ] {
        let AccountAddress { address, ref_id } =
            details.clone().unwrap_or(AccountAddress { address: None, ref_id: None });
        lines.extend([line(names[0], text_or_dash(address.as_ref())), line(names[1], text_or_dash(ref_id.as_ref()))]);
    }
    lines.extend([
        line("Wallets", crate::app::pages::group_thousands(wallets)),
        line("Created", time_or_dash(model, entry.created_at)),
        line("Updated", time_or_dash(model, entry.updated_at)),
        line("Known from", source_text(account.source)),
        DetailLine { name: "Id", value: entry.id.to_string(), tone: Tone::Dim },
    ]);
    lines
}

fn wallet_lines(
    model: &Model,
    wallet: &Sourced<Wallet>,
    account: Option<&Text>,
    user: Option<&Text>,
) -> Vec<DetailLine> {
    let entry = &wallet.entry;
    let mut lines = vec![
        DetailLine { name: "Name", value: text_or_dash(entry.name.as_ref()), tone: Tone::Accent },
        line("Address", text_or_dash(entry.address.as_ref())),
    ];
    if let Some(other) = wallet.contradicting_address() {
        let value = format!("the service also reported {other}: let nobody pay to either; press a to decide");
        lines.push(DetailLine { name: "", value, tone: Tone::Bad });
    }
    lines.extend([
        line("Chain", chain_display_name(&entry.blockchain).to_owned()),
        line("Protocol", text_or_dash(entry.protocol.as_ref())),
        line("EVM-compatible", yes_or_no(entry.is_evm_compatible)),
        line("Network", text_or_dash(entry.network.as_ref())),
        line("Kind", text_or_dash(entry.kind.as_ref())),
        line("Intent", text_or_dash(entry.intent.as_ref())),
        line("Custody", text_or_dash(entry.custody_type.as_ref())),
        line("State", word_or_dash(entry.state.as_ref().map(State::word))),
        line("Gasless", yes_or_no(entry.gasless_withdraw)),
        line("Auto-sweep", yes_or_no(entry.auto_sweep)),
        line("Decimals", entry.decimals.map_or_else(|| "—".into(), |decimals| decimals.to_string())),
        line("Account", name_and_id(account, entry.account.as_ref().map(AccountId::as_str))),
        line("User", name_and_id(user, entry.user.as_ref().map(UserId::as_str))),
        line("Reference", text_or_dash(entry.ref_id.as_ref())),
        line("Created", time_or_dash(model, entry.created_at)),
        line("Updated", time_or_dash(model, entry.updated_at)),
        line("Known from", source_text(wallet.source)),
        DetailLine { name: "Id", value: entry.id.to_string(), tone: Tone::Dim },
    ]);
    lines
}

/// Each balance with its chain, its value and, where it is not current, its age, by value. Imitation tokens are counted.
fn balance_lines(model: &Model, holdings: &[Holding]) -> Vec<(String, Tone)> {
    let mut honest_holdings: Vec<Holding> = holdings.iter().filter(|holding| !holding.suspicious).cloned().collect();
    HoldingOrder::Worth.sort_holdings(&model.data.prices, &mut honest_holdings);
    let mut lines: Vec<_> = honest_holdings
        .iter()
        .map(|holding| {
            let amount = amount_text(holding.amount.as_ref(), "", &holding.symbol);
            let chain = chain_display_name(&holding.token.blockchain);
            let valuation = model.data.prices.settings.valuation.as_ref();
            let worth = model.data.prices.worth_of_holding(holding).zip(valuation);
            let worth = worth.map(|(worth, symbol)| format!(" ≈ {} {symbol}", worth.format_short()));
            let basis = match holding.basis {
                BalanceBasis::Reported => "",
                BalanceBasis::Assumed => ", assumed",
                BalanceBasis::Derived => ", calculated from history",
                BalanceBasis::Unknown => ", not known",
            };
            let age = model.figure_staleness(holding.as_of);
            let stale = age.map(|age| format!(", stale {}", duration::format_age(age))).unwrap_or_default();
            let tone = if age.is_some() { Tone::Dim } else { Tone::Text };
            (format!("{amount} on {chain}{}{basis}{stale}", worth.unwrap_or_default()), tone)
        })
        .collect();
    let suspicious = holdings.iter().filter(|holding| holding.suspicious).count();
    if suspicious > 0 {
        lines.push((format!("{suspicious} more imitate listed tokens"), Tone::Warn));
    }
    lines
}

/// The profile's limits of the tokens held, and who may be paid at all.
fn policy_limit_lines(model: &Model, holdings: &[Holding]) -> Vec<(String, Tone)> {
    let policy = &model.journal.policy;
    let applies = |limit: &&Limit| {
        holdings
            .iter()
            .any(|holding| !holding.suspicious && limit.applies_to(&holding.symbol, &holding.token.blockchain))
    };
    let mut lines: Vec<_> = policy.limits.iter().filter(applies).map(|limit| (limit.to_string(), Tone::Text)).collect();
    if policy.allow_list_only {
        lines.push(("only entries of the address book may be paid".into(), Tone::Text));
    }
    if let Some(cooling) = policy.cooling {
        lines.push((format!("a new entry of the address book waits {}", duration::format_age(cooling)), Tone::Text));
    }
    lines
}

fn transaction_line(model: &Model, row: &HistoryRow) -> (String, Tone) {
    let transaction = &row.transaction;
    let sign = match transaction.direction {
        Direction::Incoming => "+",
        Direction::Outgoing => "−",
        Direction::Other(_) => "",
    };
    let (direction, _) = direction_label(row, false);
    let (status, tone) = status_label(model, transaction);
    let amount = amount_text(transaction.amount.as_ref(), sign, &transaction.symbol);
    let at = format_row_time(&model.console.zone, row, model.now, true);
    // A payment to a look-alike is never left out.
    let is_doubtful = row.suspicious || model.data.analyses.look_alikes.match_of_row(row).is_some();
    let tone = match tone {
        _ if is_doubtful => Tone::Warn,
        Tone::Good => Tone::Text,
        Tone::Text | Tone::Dim | Tone::Accent | Tone::Warn | Tone::Bad => tone,
    };
    let mark = if is_doubtful { "? " } else { "" };
    (format!("{at}  {direction}  {mark}{amount}  {status}"), tone)
}
