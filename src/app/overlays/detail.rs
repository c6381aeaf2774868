//! The details of a transaction.

pub mod raw;
pub mod view;

use crate::app::model::Model;
use crate::app::orders;
use crate::app::pages::Tone;
use crate::app::transaction_text;
use crate::domain::chain::chain_display_name;
use crate::domain::history::{HistoryRow, Scope};
use crate::domain::text::wrap;
use crate::domain::{Direction, ReportedAmount, Text, Timestamp, Transaction, explorer};

pub const NAME_WIDTH: u16 = 16;

/// A name and a value; the name is empty on continuation lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetailLine {
    pub name: &'static str,
    pub value: String,
    pub tone: Tone,
}

pub fn transaction_lines(model: &Model, row: &HistoryRow, columns: u16) -> Vec<DetailLine> {
    wrap_detail_lines(transaction_facts(model, row), columns)
}

pub fn wrap_detail_lines(facts: Vec<DetailLine>, columns: u16) -> Vec<DetailLine> {
    let room = columns.saturating_sub(NAME_WIDTH + 3).max(8);
    let mut lines = Vec::new();
    for DetailLine { mut name, value, tone } in facts {
        // Continuation lines keep the indentation of the value.
        let indent = value.len() - value.trim_start().len();
        let blanks = " ".repeat(indent.min(usize::from(room) / 2));
        for part in wrap(value.trim_start(), room.saturating_sub(u16::try_from(blanks.len()).unwrap_or(0))) {
            lines.push(DetailLine { name: std::mem::take(&mut name), value: format!("{blanks}{part}"), tone });
        }
    }
    lines
}

fn transaction_facts(model: &Model, row: &HistoryRow) -> Vec<DetailLine> {
    let transaction = &row.transaction;
    let sign = match transaction.direction {
        Direction::Incoming => "+",
        Direction::Outgoing => "−",
        Direction::Other(_) => "",
    };
    let mut facts = Vec::new();
    let mut line = |name, value: String, tone| facts.push(DetailLine { name, value, tone });
    let (status, status_tone) = transaction_text::status_label(model, transaction);
    line("Status", status, status_tone);
    if let Some(blocks) = transaction.confirmation {
        line("Confirmations", confirmations_text(model, transaction, blocks), Tone::Text);
    }
    let kind = transaction.sub_type.as_ref().map_or("", |kind| kind.word());
    let internal = if row.internal { ", between own wallets" } else { "" };
    line("Direction", format!("{} {kind}{internal}", transaction.direction), Tone::Text);
    line("Amount", amount_text(transaction.amount.as_ref(), sign, &transaction.symbol), Tone::Accent);
    line("Fee", amount_text(transaction.total_fee.as_ref(), "", fee_symbol(row)), Tone::Text);
    line("Total", amount_text(transaction.total_amount.as_ref(), sign, &transaction.symbol), Tone::Text);
    let name = transaction.token_name.as_ref().map_or(String::new(), |name| format!(" · {name}"));
    line("Token", format!("{}{name}", transaction.symbol), Tone::Text);
    if row.suspicious {
        line("", "this token imitates a listed token, hides characters or advertises a web page".into(), Tone::Warn);
    }
    line("Contract", transaction.token.contract.as_ref().map_or("native coin".into(), ToString::to_string), Tone::Text);
    line("Chain", chain_display_name(&transaction.token.blockchain).to_owned(), Tone::Text);
    for (name, address) in [("From", &transaction.from_address), ("To", &transaction.to_address)] {
        let is_other = address.as_ref() == transaction.counterparty();
        let called = if is_other { model.counterparty_name(row) } else { model.own_wallet_name(row) };
        let called = called.filter(|_| address.is_some()).map_or(String::new(), |called| format!("{called} · "));
        line(name, format!("{called}{}", text_or_dash(address.as_ref())), Tone::Text);
        if let Some(other) = model.data.analyses.look_alikes.match_of_row(row).filter(|_| is_other) {
            line("", transaction_text::look_alike_warning(other), Tone::Warn);
        }
    }
    line("Hash", text_or_dash(transaction.tx_hash.as_ref()), Tone::Text);
    if let Some(wallet) = &transaction.wallet {
        let name = model.own_wallet_name(row).map_or(String::new(), |name| format!("{name} · "));
        line("Wallet", format!("{name}{wallet}"), Tone::Text);
    }
    if let Some(account) = &transaction.account {
        let scope = Scope::Account(account.clone());
        line("Account", format!("{} · {account}", model.scope_name(&scope)), Tone::Text);
    }
    let user = transaction.user.as_ref().map(|user| {
        let name = model.scope_label(&Scope::User(user.clone())).map_or(String::new(), |name| format!("{name} · "));
        format!("{name}{user}")
    });
    line("User", user.unwrap_or_else(|| "—".into()), Tone::Text);
    line("Created", time_or_dash(model, transaction.created_at), Tone::Text);
    line("Confirmed", time_or_dash(model, transaction.confirmed_at), Tone::Text);
    line("First seen", time_or_dash(model, Some(row.seen_at)), Tone::Dim);
    for (name, value) in [
        ("Standard", &transaction.standard),
        ("Network", &transaction.network),
        ("Environment", &transaction.environment),
        ("Protocol", &transaction.protocol),
        ("Fee level", &transaction.fee_level),
        ("Reference", &transaction.ref_id),
        ("Note", &transaction.note),
        ("Initiated by", &transaction.trigger_origin),
        ("Idempotency key", &transaction.idempotency_key),
        ("Group", &transaction.group),
    ] {
        if value.is_some() {
            line(name, text_or_dash(value.as_ref()), Tone::Text);
        }
    }
    if let Some(order) = orders::order_of_transaction(&model.journal.orders, transaction) {
        let reference = order.drafted.draft.reference().map_or_else(String::new, |reference| format!("{reference} · "));
        line("Order", format!("{reference}{}", orders::order_title(order, &model.address_formatter())), Tone::Text);
    }
    match explorer::transaction_url(transaction, &model.data.listed_tokens) {
        Ok(link) => line("Explorer", link, Tone::Text),
        Err(reason) => line("Explorer", format!("— {reason}"), Tone::Dim),
    }
    line("Id", transaction.id.to_string(), Tone::Dim);
    if model.overlays.raw.seq == Some(row.seq) {
        match &model.overlays.raw.state {
            raw::RawJsonState::Loading => line(raw::RAW_JSON_TITLE, "reading…".into(), Tone::Dim),
            raw::RawJsonState::Missing => {
                line(
                    raw::RAW_JSON_TITLE,
                    "the service does not list the transaction at its place; v asks again".into(),
                    Tone::Warn,
                );
            }
            raw::RawJsonState::Failed(failure) => {
                line(raw::RAW_JSON_TITLE, format!("could not be read: {failure}"), Tone::Warn);
            }
            raw::RawJsonState::Loaded(lines, at) => {
                line(
                    raw::RAW_JSON_TITLE,
                    format!("as the service sent it at {}", model.console.zone.format_with_offset(*at, "%H:%M:%S")),
                    Tone::Dim,
                );
                for written in lines {
                    line("", written.clone(), Tone::Text);
                }
            }
        }
    }
    facts
}

/// The confirmations; as a bar, where settled transactions on the chain show how many are needed.
fn confirmations_text(model: &Model, transaction: &Transaction, blocks: u64) -> String {
    let Some(required) = model.data.analyses.required_confirmations(transaction) else { return blocks.to_string() };
    let chain = chain_display_name(&transaction.token.blockchain);
    format!("{} {blocks} of {required} ({required} settle on {chain})", view::progress_bar(blocks, required))
}

fn fee_symbol(row: &HistoryRow) -> &Text {
    row.transaction.fee_token.as_ref().unwrap_or(&row.transaction.symbol)
}

/// An amount in full with its symbol, and the amount that contradicts it.
pub fn amount_text(value: Option<&ReportedAmount>, sign: &str, symbol: &Text) -> String {
    match value {
        None => "—".into(),
        Some(ReportedAmount::Exact(amount)) if amount.is_zero() => format!("0 {symbol}"),
        Some(ReportedAmount::Exact(amount)) => format!("{sign}{} {symbol}", amount.format_grouped()),
        Some(ReportedAmount::Disputed { raw, formatted }) => {
            format!(
                "{sign}{} {symbol} from the raw integer, but the service also reports {formatted}",
                raw.format_grouped()
            )
        }
    }
}

pub fn text_or_dash(value: Option<&Text>) -> String {
    value.map_or_else(|| "—".into(), ToString::to_string)
}

/// A time in full, or a dash.
pub fn time_or_dash(model: &Model, at: Option<Timestamp>) -> String {
    at.map_or_else(|| "—".into(), |at| model.console.zone.format_with_zone(at, "%Y-%m-%d %H:%M:%S"))
}
