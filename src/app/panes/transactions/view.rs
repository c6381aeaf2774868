//! ```text
//! ▌12:03:11  ↓ in          +250.00  USDT  Ethereum   pending 3
//!  12:01:40  ↑ out       −1,000.00  USDC  Base       success
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::grouped;
use super::{clock, reading, status, way, when};
use crate::app::model::{History, Model};
use crate::app::panes::view::{empty, head_of, position, tone};
use crate::app::screen::Pane;
use crate::domain::chain::display_name;
use crate::domain::history::{Count, HistoryRow, Scope, Sort};
use crate::domain::{Direction, Status, Transaction, address};
use crate::ui::chrome::Head;
use crate::ui::figure::{Column, Figure, Sign};
use crate::ui::{Row, Theme, paint};

/// The title and what is said of it: filter, order, how far the first read is, how many rows.
pub fn head(model: &Model, theme: &Theme, history: &History, pane: Pane) -> Head {
    let title = match (pane, &history.shown.scope) {
        (Pane::History, _) => "Transactions".to_owned(),
        (_, Scope::Account(_)) => format!("Transactions · {}, all wallets", model.scope_name(&history.shown.scope)),
        (_, scope) => format!("Transactions · {}", model.scope_name(scope)),
    };
    let mut head = head_of(model, pane, title);
    if !history.shown.filter.is_empty() {
        head.notes.push((format!("/{}", history.shown.filter), theme.accent));
    }
    match history.shown.sort {
        Sort::Newest => {}
        Sort::Oldest => head.notes.push(("oldest first".into(), theme.dim)),
        Sort::Largest => head.notes.push(("largest first".into(), theme.dim)),
        Sort::Smallest => head.notes.push(("smallest first".into(), theme.dim)),
    }
    if history.listing.arrived_above() > 0 {
        head.notes.push((format!("▲ {} new (g)", history.listing.arrived_above()), theme.good));
    }
    if let Some(note) = position(&history.listing) {
        head.notes.push((note, theme.dim));
    }
    if let Some(progress) = reading(model) {
        head.notes.push((progress, theme.warn));
    }
    if model.progress.unreadable > 0 {
        head.notes.push((format!("{} unreadable", grouped(model.progress.unreadable)), theme.warn));
    }
    head
}

/// Where the columns begin, for a width.
struct Columns {
    date: bool,
    fee: bool,
    counterparty: u16,
    wallet: u16,
    heads: bool,
}

impl Columns {
    fn for_width(width: u16, page: bool) -> Self {
        Self {
            date: page && width >= 72,
            counterparty: match width {
                0..92 => 0,
                92..190 => 13,
                190.. => 44,
            },
            wallet: match width {
                0..112 => 0,
                112..140 => 24,
                140.. => 20,
            },
            fee: width >= 140,
            heads: page,
        }
    }
}

/// The rows, with column heads on the page of the whole history.
pub fn view(model: &Model, theme: &Theme, history: &History, pane: Pane, area: Rect, buf: &mut Buffer) {
    let listing = &history.listing;
    if listing.count() == Count::Exact(0) {
        let words = if history.shown.filter.is_empty() {
            "no transactions yet"
        } else {
            "nothing matches; Esc drops the filter"
        };
        return empty(model, theme, area, buf, listing.is_loaded() && read(model), words);
    }
    let columns = Columns::for_width(area.width, pane == Pane::History);
    let rows: Vec<(&HistoryRow, bool, Option<Figure>)> = listing
        .visible()
        .map(|(row, selected)| {
            let sign = if row.transaction.direction == Direction::Outgoing { Sign::Minus } else { Sign::Plus };
            (row, selected, row.transaction.amount.as_ref().map(|amount| Figure::new(amount, sign)))
        })
        .collect();
    let fees: Vec<Option<Figure>> = rows
        .iter()
        .map(|(row, ..)| row.transaction.total_fee.as_ref().map(|fee| Figure::new(fee, Sign::None)))
        .collect();
    let time = if columns.date { 14 } else { 8 };
    let amount_at = area.x + 1 + time + 2 + 5 + 1;
    let after = 1 + 7 + 11 + 13 + columns.counterparty + columns.wallet + if columns.fee { 14 } else { 0 };
    let room = area.right().saturating_sub(amount_at + after).max(12);
    let column = Column::fitting(rows.iter().filter_map(|(.., figure)| figure.as_ref()), room);
    // The amounts keep one width while rows scroll, so that columns behind them stand still.
    let amounts = column.width().max(room.min(if area.width >= 140 { 24 } else { 18 }));
    let fee_column = Column::fitting(fees.iter().filter_map(Option::as_ref), 13);
    let token_at = amount_at + amounts + 1;
    let chain_at = token_at + 7;
    let status_at = chain_at + 11;
    let counterparty_at = status_at + 13;
    let wallet_at = counterparty_at + columns.counterparty + u16::from(columns.counterparty > 0);
    let fee_at = wallet_at + columns.wallet + u16::from(columns.wallet > 0);
    let mut first = 0;
    if columns.heads {
        first = 1;
        let heads = [
            (area.x + 1, if columns.date { "Time (UTC)" } else { "UTC" }, time),
            (area.x + 1 + time + 2, "Way", 5),
            (token_at, "Token", 6),
            (chain_at, "Chain", 10),
            (status_at, "Status", 12),
            (counterparty_at, "Counterparty", columns.counterparty),
            (wallet_at, "Wallet", columns.wallet),
            (fee_at, "Fee", if columns.fee { 13 } else { 0 }),
        ];
        for (x, title, room) in heads {
            paint::put(buf, x, area.y, room, title, theme.dim);
        }
        paint::put_right(buf, amount_at + amounts, area.y, 6, "Amount", theme.dim);
    }
    let focused = model.focus() == pane;
    for ((index, (row, selected, figure)), fee) in (first..area.height).zip(rows).zip(fees) {
        let line = Row::slim(buf, theme, area, index, selected, focused, time + 2);
        let transaction = &row.transaction;
        let (at, seen) = when(row);
        let at_style = if selected {
            line.base
        } else if seen {
            theme.dim
        } else {
            theme.text
        };
        paint::put(buf, line.x, line.y, time, &clock(at, model.now, columns.date), at_style);
        let (way, way_tone) = way(transaction);
        paint::put(buf, line.x + time + 2, line.y, 5, way, line.over(tone(theme, way_tone)));
        let figure_x = amount_at + amounts - column.width();
        match &figure {
            Some(figure) => column.put(buf, figure_x, line.y, figure, line.over(amount_style(transaction, theme))),
            None => column.put_unknown(buf, figure_x, line.y, line.over(theme.dim)),
        }
        // The mark stands before the symbol, which an imitation may make as long as it likes.
        let symbol = if row.suspicious { format!("?{}", transaction.symbol) } else { transaction.symbol.to_string() };
        let symbol_style = if row.suspicious { theme.warn } else { theme.accent };
        paint::put(buf, token_at, line.y, 6, &symbol, line.over(symbol_style));
        paint::put(buf, chain_at, line.y, 10, display_name(&transaction.token.blockchain), line.over(theme.text));
        let (status, status_tone) = status(transaction);
        paint::put(buf, status_at, line.y, 12, &status, line.over(tone(theme, status_tone)));
        if columns.counterparty > 0 {
            let other = transaction.counterparty().map_or("—", |address| address.as_str());
            let shown =
                if paint::width(other) <= columns.counterparty { other.to_owned() } else { address::shorten(other) };
            paint::put(buf, counterparty_at, line.y, columns.counterparty, &shown, line.over(theme.dim));
        }
        if columns.wallet > 0 {
            let own = || transaction.own_address().map_or_else(|| "—".into(), |address| address::shorten(address));
            let name = row.wallet_name.as_ref().map_or_else(own, ToString::to_string);
            paint::put(buf, wallet_at, line.y, columns.wallet, &name, line.over(theme.dim));
        }
        if columns.fee
            && let Some(fee) = &fee
        {
            fee_column.put(buf, fee_at, line.y, fee, line.over(theme.dim));
        }
    }
}

/// Whether the history was read at all: an empty list means nothing before that.
fn read(model: &Model) -> bool {
    model.remotes.head.last_good.is_some() || model.progress.complete
}

fn amount_style(transaction: &Transaction, theme: &Theme) -> Style {
    match (&transaction.status, &transaction.direction) {
        (Some(Status::Failed), _) => theme.dim,
        (_, Direction::Incoming) => theme.good,
        _ => theme.text,
    }
}
