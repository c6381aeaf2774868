//! ```text
//! ▌12:03:11  ↓ in          +250.00  USDT  Ethereum   pending 3/12
//!  12:01:40  ↑ out       −1,000.00  USDC  Base       success
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{direction_label, format_row_time, is_poison, reference_and_note, row_time, status_label, sync_progress};
use crate::app::data::link;
use crate::app::model::{History, Model};
use crate::app::pages::group_thousands;
use crate::app::pages::view::{NOTHING_MATCHES, draw_empty_message, new_pane_title, scroll_position, tone_style};
use crate::app::screen::Pane;
use crate::domain::address::ShortAddresses;
use crate::domain::chain::chain_display_name;
use crate::domain::history::{HistoryRow, PriceList, RowCount, Scope, Sort};
use crate::domain::{Direction, FinalStatuses, Text, Verdict, Zone};
use crate::ui::chrome::PaneTitle;
use crate::ui::figure::{AmountColumn, Figure, Sign};
use crate::ui::{Row, Theme, paint};

/// The title and its notes: age, sync progress, filter, sort order, marks, number of rows.
pub fn pane_title(model: &Model, theme: &Theme, history: &History, pane: Pane) -> PaneTitle {
    let title = match (pane, &history.query.scope) {
        (Pane::History, _) => match model.views.name_of(&history.query.filter.text, history.query.sort) {
            Some(view) => format!("Transactions · {view}"),
            None => "Transactions".to_owned(),
        },
        (_, Scope::Account(_)) => format!("Transactions · {}, all wallets", model.scope_name(&history.query.scope)),
        (_, scope) => format!("Transactions · {}", model.scope_name(scope)),
    };
    let mut head = new_pane_title(model, pane, title);
    // Where room is short the last notes are dropped: what must not pass for fresh or complete comes first.
    if let Some(age) = model.staleness(model.remotes.latest.last_success) {
        head.notes.push((format!("stale {}", link::format_age(age)), theme.warn));
    }
    if let Some(progress) = sync_progress(model) {
        head.notes.push((progress, theme.warn));
    }
    if model.progress.unreadable > 0 {
        head.notes.push((format!("{} unreadable", group_thousands(model.progress.unreadable)), theme.warn));
    }
    if !history.query.filter.text.is_empty() {
        head.notes.push((format!("/{}", history.query.filter.text), theme.accent));
    }
    if let Some(prices) = history.query.filter.prices() {
        head.notes.push((value_note(prices, &model.zone), theme.dim));
    }
    match history.query.sort {
        Sort::Newest => {}
        Sort::Listed => head.notes.push(("in the service's order".into(), theme.dim)),
        Sort::Oldest => head.notes.push(("oldest first".into(), theme.dim)),
        Sort::Largest => head.notes.push((size_order_note(&history.query.prices, "largest"), theme.dim)),
        Sort::Smallest => head.notes.push((size_order_note(&history.query.prices, "smallest"), theme.dim)),
    }
    if !history.marks.rows.is_empty() {
        let hidden = match history.marks.hidden.len() {
            0 => String::new(),
            hidden => format!(", {hidden} not shown"),
        };
        head.notes.push((format!("◆ {} marked{hidden}", history.marks.rows.len()), theme.accent));
    }
    if let Some((rows, of)) = model.exports.progress {
        head.notes
            .push((format!("writing {} of {} (x stops)", group_thousands(rows), group_thousands(of)), theme.warn));
    }
    if history.listing.arrived_above() > 0 {
        head.notes.push((format!("▲ {} new (g)", history.listing.arrived_above()), theme.good));
    }
    if let Some(note) = scroll_position(&history.listing) {
        head.notes.push((note, theme.dim));
    }
    head
}

/// By which prices a filter compares values.
fn value_note(prices: &PriceList, zone: &Zone) -> String {
    let at = prices.at.map_or_else(|| " today's".to_owned(), |at| zone.format(at, " that of %H:%M"));
    format!("values in {}, each by the price of its day, else{at}", prices.token)
}

/// The description of a sort by size: by value at some time, or by bare numbers.
fn size_order_note(prices: &PriceList, which: &str) -> String {
    if prices.prices.is_empty() {
        return format!("{which} number first, tokens mixed");
    }
    let at = prices.at.map(|at| at.format(" at %H:%M")).unwrap_or_default();
    let unpriced = if which == "largest" { "last" } else { "first" };
    format!("{which} in {}{at} first, unpriced {unpriced}", prices.token)
}

/// A column: its left edge and width; a column of width 0 is not shown.
#[derive(Clone, Copy)]
struct ColumnSpan {
    x: u16,
    width: u16,
}

/// The width that fits the addresses of most families.
const FULL_ADDRESS_WIDTH: u16 = 44;
const MIN_REFERENCE_WIDTH: u16 = 16;

struct Columns {
    has_date: bool,
    has_heads: bool,
    time: ColumnSpan,
    direction: ColumnSpan,
    amount: ColumnSpan,
    figures: AmountColumn,
    token: ColumnSpan,
    chain: ColumnSpan,
    status: ColumnSpan,
    counterparty: ColumnSpan,
    wallet: ColumnSpan,
    fee: ColumnSpan,
    reference: ColumnSpan,
}

impl Columns {
    fn layout_columns<'a>(area: Rect, page: bool, figures: impl Iterator<Item = &'a Figure>) -> Self {
        let has_date = page && area.width >= 72;
        let (mut counterparty, wallet, fee) = match area.width {
            0..92 => (0, 0, 0),
            92..112 => (13, 0, 0),
            112..140 => (13, 24, 0),
            140.. => (13, 20, 13),
        };
        // The width left over shows references, and full addresses where both fit.
        let mut spare = area.width.saturating_sub(128);
        if spare > FULL_ADDRESS_WIDTH - counterparty + MIN_REFERENCE_WIDTH {
            spare -= FULL_ADDRESS_WIDTH - counterparty;
            counterparty = FULL_ADDRESS_WIDTH;
        }
        let about = if spare > MIN_REFERENCE_WIDTH { spare - 1 } else { 0 };
        let mut x = area.x + 1;
        let mut next = |width: u16, gap: u16| {
            let span = ColumnSpan { x, width };
            x += if width == 0 { 0 } else { width + gap };
            span
        };
        let time = next(if has_date { 14 } else { 10 }, 2);
        let direction = next(5, 1);
        let behind = [7, 11, 14, counterparty, wallet, fee, about].into_iter().sum::<u16>() + 1;
        let room = area.right().saturating_sub(direction.x + 6 + behind).max(12);
        let figures = AmountColumn::fit(figures, room);
        // The width of the amounts does not depend on the rows in view, so that the columns behind them do not move.
        let amount = next(figures.width().max(room.min(if area.width >= 140 { 24 } else { 18 })), 1);
        Self {
            has_date,
            has_heads: page,
            time,
            direction,
            amount,
            figures,
            token: next(6, 1),
            chain: next(10, 1),
            status: next(13, 1),
            counterparty: next(counterparty, 1),
            wallet: next(wallet, 1),
            fee: next(fee, 1),
            reference: next(about, 0),
        }
    }

    fn draw_heads(&self, zone: &Zone, theme: &Theme, y: u16, buf: &mut Buffer) {
        let time =
            if self.has_date { format!("Time ({})", zone.column_heading()) } else { zone.column_heading().to_owned() };
        let heads = [
            (self.time, time.as_str()),
            (self.direction, "Dir"),
            (self.token, "Token"),
            (self.chain, "Chain"),
            (self.status, "Status"),
            (self.counterparty, "Counterparty"),
            (self.wallet, "Wallet"),
            (self.fee, "Fee"),
            (self.reference, "Reference · note"),
        ];
        for (span, title) in heads {
            paint::put(buf, span.x, y, span.width, title, theme.dim);
        }
        paint::put_right(buf, self.amount.x + self.amount.width, y, 6, "Amount", theme.dim);
    }
}

pub fn view(model: &Model, theme: &Theme, history: &History, pane: Pane, area: Rect, buf: &mut Buffer) {
    let listing = &history.listing;
    if listing.count() == RowCount::Exact(0) {
        if let Some(fault) = history.query.filter.faults.first() {
            let words = format!("{} is not understood: {}", fault.word, fault.message);
            return draw_empty_message(model, theme, area, buf, listing.is_loaded() && is_history_read(model), &words);
        }
        let words = if !history.query.filter.text.is_empty() {
            NOTHING_MATCHES
        } else if model.progress.unreadable > 0 {
            "no transaction from the service could be read"
        } else {
            "no transactions yet"
        };
        return draw_empty_message(model, theme, area, buf, listing.is_loaded() && is_history_read(model), words);
    }
    let rows: Vec<(&HistoryRow, bool, Option<Figure>)> = listing
        .visible_rows()
        .map(|(row, selected)| {
            let sign = if row.transaction.direction == Direction::Outgoing { Sign::Minus } else { Sign::Plus };
            (row, selected, row.transaction.amount.as_ref().map(|amount| Figure::new(amount, sign)))
        })
        .collect();
    let figures = rows.iter().filter_map(|(.., figure)| figure.as_ref());
    let columns = Columns::layout_columns(area, pane == Pane::History, figures);
    let short = model.short_addresses();
    if columns.has_heads {
        columns.draw_heads(&model.zone, theme, area.y, buf);
    }
    let focused = model.focus() == pane;
    for (index, (row, selected, figure)) in (u16::from(columns.has_heads)..area.height).zip(rows) {
        let marked = columns.time.width + 2;
        let line = Row::new_slim(buf, theme, area, index, selected, focused, marked);
        draw_time(model, theme, &columns, row, selected.then_some(line.base), line.y, buf);
        if history.marks.contains(row.seq) {
            // In the gap behind the time, which the background of a selected row covers.
            let style = if selected { line.base } else { theme.accent };
            paint::put(buf, columns.time.x + columns.time.width, line.y, 1, "◆", style);
        }
        draw_row(model, theme, &columns, row, (figure.as_ref(), &short), line.y, buf);
    }
}

/// Draws the time of a row; on the background of the selection if it has one.
fn draw_time(
    model: &Model,
    theme: &Theme,
    columns: &Columns,
    row: &HistoryRow,
    ground: Option<Style>,
    y: u16,
    buf: &mut Buffer,
) {
    let style = ground.unwrap_or(if row_time(row).1 { theme.dim } else { theme.text });
    paint::put(
        buf,
        columns.time.x,
        y,
        columns.time.width,
        &format_row_time(&model.zone, row, model.now, columns.has_date),
        style,
    );
}

fn draw_row(
    model: &Model,
    theme: &Theme,
    columns: &Columns,
    row: &HistoryRow,
    (figure, short): (Option<&Figure>, &ShortAddresses),
    y: u16,
    buf: &mut Buffer,
) {
    let transaction = &row.transaction;
    let is_poison = is_poison(model, row);
    let mut cell = |span: ColumnSpan, text: &str, style: Style| paint::put(buf, span.x, y, span.width, text, style);
    let (way, way_tone) = direction_label(model, row);
    cell(columns.direction, way, tone_style(theme, way_tone));
    // The mark comes before the symbol, which an imitation token may make as long as it likes.
    if row.suspicious {
        cell(columns.token, &format!("?{}", transaction.symbol), theme.warn);
    } else {
        cell(columns.token, &transaction.symbol, theme.accent);
    }
    cell(columns.chain, chain_display_name(&transaction.token.blockchain), theme.text);
    // A final status stays; the progress of the others is not known while nothing is read.
    let is_stale = !transaction.is_final(&model.book.final_statuses)
        && model.staleness(model.remotes.latest.last_success).is_some();
    let (status, status_tone) = status_label(model, transaction);
    let is_good = tone_style(theme, status_tone) == theme.good;
    let status_style = if is_stale || (is_poison && is_good) { theme.dim } else { tone_style(theme, status_tone) };
    cell(columns.status, &status, status_style);
    // A look-alike address is marked as an imitation token is; where its column is not shown, beside the direction.
    let resembles = model.charts.look_alikes.match_of_row(row).is_some();
    if columns.counterparty.width > 0 {
        let (mark, style) = if resembles { ("?", theme.warn) } else { ("", theme.dim) };
        let room = columns.counterparty.width;
        match (model.counterparty_name(row), transaction.counterparty()) {
            (Some(name), Some(address)) => cell(columns.counterparty, &name_in(name, address, short, room), theme.text),
            (_, address) => {
                let address = address.map_or("—", |address| address.as_str());
                let whole = mark.len() + usize::from(paint::text_width(address)) <= usize::from(room);
                let address = if whole { address.into() } else { short.shorten(address) };
                cell(columns.counterparty, &format!("{mark}{address}"), style)
            }
        };
    } else if resembles {
        cell(ColumnSpan { x: columns.direction.x + columns.direction.width, width: 1 }, "?", theme.warn);
    }
    if columns.wallet.width > 0 {
        let own = || transaction.own_wallet_address().map_or_else(|| "—".into(), |address| short.shorten(address));
        let name = model.own_wallet_name(row).map_or_else(own, ToString::to_string);
        cell(columns.wallet, &paint::truncate_middle(&name, columns.wallet.width), theme.dim);
    }
    if columns.fee.width > 0 {
        let fee = transaction.total_fee.as_ref().map(|fee| Figure::new(fee, Sign::None).text());
        cell(columns.fee, fee.as_deref().unwrap_or("—"), theme.dim);
    }
    if columns.reference.width > 0 {
        cell(columns.reference, &paint::truncate(&reference_and_note(transaction), columns.reference.width), theme.dim);
    }
    let amount = columns.amount;
    let x = amount.x + amount.width - columns.figures.width();
    match figure {
        Some(figure) => {
            let is_dim = is_stale || is_poison;
            let style = if is_dim { theme.dim } else { amount_style(row, &model.book.final_statuses, theme) };
            columns.figures.put(buf, x, y, figure, style);
        }
        None => columns.figures.put_unknown(buf, x, y, theme.dim),
    }
}

/// Whether the history was ever read: before that an empty list means nothing.
fn is_history_read(model: &Model) -> bool {
    model.remotes.latest.last_success.is_some() || model.progress.complete
}

/// A name, with the shortened address behind it where there is room.
fn name_in(name: &Text, address: &str, short: &ShortAddresses, room: u16) -> String {
    let both = format!("{name} · {}", short.shorten(address));
    if paint::text_width(&both) <= room { both } else { paint::truncate_middle(name, room).into_owned() }
}

fn amount_style(row: &HistoryRow, words: &FinalStatuses, theme: &Theme) -> Style {
    match (row.transaction.verdict(words), &row.transaction.direction) {
        (Verdict::Failed | Verdict::Contradiction, _) => theme.dim,
        (_, Direction::Incoming) if !row.internal => theme.good,
        _ => theme.text,
    }
}
