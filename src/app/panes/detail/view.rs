//! ```text
//!  ↓ incoming deposit                      pending, 3 confirmations
//!  Amount         +250 USDT
//!  From           0x3f2A…            (in full)
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::Model;
use crate::app::panes::transactions::view as transactions;
use crate::domain::chain::display_name;
use crate::domain::history::HistoryRow;
use crate::domain::{Direction, Stated, Text, Timestamp};
use crate::ui::{Theme, paint};

/// The width of the names.
const NAMES: u16 = 16;

/// One line of it: a name and a value, or a heading.
struct Line {
    name: &'static str,
    value: String,
    style: Style,
}

/// Everything that is known of a transaction, from a first line on. Returns how many lines there are.
pub fn view(model: &Model, theme: &Theme, row: &HistoryRow, top: u16, area: Rect, buf: &mut Buffer) -> u16 {
    let mut lines: Vec<(&'static str, String, Style)> = Vec::new();
    let room = area.width.saturating_sub(NAMES + 3).max(8);
    for line in facts(model, theme, row) {
        for (index, part) in paint::wrap(&line.value, room).into_iter().enumerate() {
            lines.push((if index == 0 { line.name } else { "" }, part, line.style));
        }
    }
    let count = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let top = top.min(count.saturating_sub(area.height));
    for (y, (name, value, style)) in (area.y..area.bottom()).zip(lines.into_iter().skip(usize::from(top))) {
        paint::put(buf, area.x + 1, y, NAMES, name, theme.dim);
        paint::put(buf, area.x + 1 + NAMES, y, room, &value, style);
    }
    count
}

fn facts(model: &Model, theme: &Theme, row: &HistoryRow) -> Vec<Line> {
    let transaction = &row.transaction;
    let sign = match transaction.direction {
        Direction::Incoming => "+",
        Direction::Outgoing => "−",
        Direction::Other(_) => "",
    };
    let mut lines = Vec::new();
    let mut line = |name, value: String, style| lines.push(Line { name, value, style });
    let (status, status_style) = transactions::status(transaction, theme);
    line("Status", status, status_style);
    if let Some(blocks) = transaction.confirmation {
        line("Confirmations", blocks.to_string(), theme.text);
    }
    let kind = transaction.sub_type.as_ref().map_or("", |kind| kind.word());
    line("Movement", format!("{} {kind}", transaction.direction), theme.text);
    line("Amount", amount(transaction.amount.as_ref(), sign, &transaction.symbol), theme.accent);
    line("Fee", amount(transaction.total_fee.as_ref(), "", fee_symbol(row)), theme.text);
    line("Total", amount(transaction.total_amount.as_ref(), sign, &transaction.symbol), theme.text);
    let name = transaction.token_name.as_ref().map_or(String::new(), |name| format!(" · {name}"));
    line("Token", format!("{}{name}", transaction.symbol), theme.text);
    if row.suspicious {
        line("", "imitates a listed token, hides characters or advertises a page".into(), theme.warn);
    }
    line("Contract", transaction.token.contract.as_ref().map_or("native coin".into(), ToString::to_string), theme.text);
    line("Chain", display_name(&transaction.token.blockchain).to_owned(), theme.text);
    line("From", text(transaction.from_address.as_ref()), theme.text);
    line("To", text(transaction.to_address.as_ref()), theme.text);
    line("Hash", text(transaction.tx_hash.as_ref()), theme.text);
    if let Some(wallet) = &transaction.wallet {
        let name = row.wallet_name.as_ref().map_or(String::new(), |name| format!("{name} · "));
        line("Wallet", format!("{name}{wallet}"), theme.text);
    }
    if let Some(account) = &transaction.account {
        let scope = crate::domain::history::Scope::Account(account.clone());
        line("Account", format!("{} · {account}", model.scope_name(&scope)), theme.text);
    }
    line("User", transaction.user.as_ref().map_or("—".into(), ToString::to_string), theme.text);
    line("Made", time(transaction.created_at), theme.text);
    line("Confirmed", time(transaction.confirmed_at), theme.text);
    line("First seen", time(Some(row.seen_at)), theme.dim);
    for (name, value) in [
        ("Standard", &transaction.standard),
        ("Network", &transaction.network),
        ("Environment", &transaction.environment),
        ("Protocol", &transaction.protocol),
        ("Fee level", &transaction.fee_level),
        ("Reference", &transaction.ref_id),
        ("Note", &transaction.note),
        ("Set off by", &transaction.trigger_origin),
        ("Idempotency key", &transaction.idempotency_key),
        ("Group", &transaction.group),
    ] {
        if value.is_some() {
            line(name, text(value.as_ref()), theme.text);
        }
    }
    line("Id", transaction.id.to_string(), theme.dim);
    lines
}

fn fee_symbol(row: &HistoryRow) -> &Text {
    row.transaction.fee_token.as_ref().unwrap_or(&row.transaction.symbol)
}

fn amount(stated: Option<&Stated>, sign: &str, symbol: &Text) -> String {
    match stated {
        None => "—".into(),
        Some(Stated::Exact(amount)) if amount.is_zero() => format!("0 {symbol}"),
        Some(Stated::Exact(amount)) => format!("{sign}{} {symbol}", amount.grouped()),
        Some(Stated::Disputed { raw, formatted }) => {
            format!("{sign}{} {symbol} by its raw integer, but the service also says {formatted}", raw.grouped())
        }
    }
}

fn text(value: Option<&Text>) -> String {
    value.map_or_else(|| "—".into(), ToString::to_string)
}

fn time(at: Option<Timestamp>) -> String {
    at.map_or_else(|| "—".into(), |at| at.format("%Y-%m-%d %H:%M:%S UTC"))
}
