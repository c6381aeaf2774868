//! ```text
//!  State         Time (UTC)  Operation            Amount  Token  To            Age
//! ▌? unknown     12:03:20    withdrawal        25.000000  USDC   0x3f2A…9c1D   42s
//!  ✓ created     11:40:00    new wallet   main                                 23m
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::timeline::{LABEL_WIDTH, OrderDetailLine, order_detail_lines};
use super::{abandoned_count, find_order, matching_orders, operation_label, order_subject, state_text};
use crate::app::data::link;
use crate::app::model::{Model, can_read_journal};
use crate::app::pages::transactions::format_time;
use crate::app::pages::view::{new_pane_title, scroll_position, tone_style};
use crate::app::screen::Pane;
use crate::domain::address::ShortAddresses;
use crate::domain::chain::chain_display_name;
use crate::domain::history::RowCount;
use crate::domain::{Amount, Order, OrderId, ReportedAmount, Zone};
use crate::ui::chrome::PaneTitle;
use crate::ui::figure::{AmountColumn, Figure, Sign};
use crate::ui::{Row, Theme, paint};

pub fn pane_title(model: &Model, theme: &Theme) -> PaneTitle {
    let mut head = new_pane_title(model, Pane::Orders, "Orders".into());
    if let Some(note) = scroll_position(&model.order_list) {
        head.notes.push((note, theme.dim));
    }
    if !model.order_filter.is_empty() {
        head.notes.push((format!("/{}", model.order_filter), theme.accent));
        match model.order_list.rows().len() - matching_orders(model).count() {
            0 => {}
            count => head.notes.push((format!("{count} more without outcome in view"), theme.warn)),
        }
    }
    head.notes.push((model.order_sort.label().into(), theme.dim));
    match abandoned_count(model) {
        0 => {}
        count if model.shows_abandoned => head.notes.push((format!("{count} given up"), theme.dim)),
        count => head.notes.push((format!("{count} given up (h)"), theme.dim)),
    }
    if let Some(failure) = model.orders_failure.as_ref().filter(|_| !model.orders.is_empty()) {
        head.notes.push((failure.to_string(), theme.warn));
    }
    head
}

/// A column: its left edge and width; a column of width 0 is not shown.
#[derive(Clone, Copy)]
struct ColumnSpan {
    x: u16,
    width: u16,
}

struct Columns {
    state: ColumnSpan,
    time: ColumnSpan,
    operation: ColumnSpan,
    amount: ColumnSpan,
    figures: AmountColumn,
    token: ColumnSpan,
    chain: ColumnSpan,
    to: ColumnSpan,
    age: ColumnSpan,
    /// The subject of an order without an amount, across the columns from amount to recipient.
    subject: ColumnSpan,
}

impl Columns {
    fn layout_columns<'a>(area: Rect, figures: impl Iterator<Item = &'a Figure>) -> Self {
        let (time, chain, to) = match area.width {
            0..60 => (0, 0, 0),
            60..76 => (8, 0, 0),
            76..100 => (8, 0, 11),
            100..140 => (14, 10, 11),
            140.. => (14, 10, 44),
        };
        let operation = if area.width < 50 { 0 } else { 11 };
        let mut x = area.x + 1;
        let mut next = |width: u16| {
            let span = ColumnSpan { x, width };
            x += if width == 0 { 0 } else { width + 1 };
            span
        };
        let (state, time, operation) = (next(14), next(time), next(operation));
        let behind: u16 = [6, chain, to, 4].into_iter().map(|width| if width == 0 { 0 } else { width + 1 }).sum();
        let amount_at = operation.x + if operation.width == 0 { 0 } else { operation.width + 1 };
        let room = area.right().saturating_sub(amount_at + behind + 1).max(6);
        let figures = AmountColumn::fit(figures, room);
        // The width of the amounts does not depend on the rows in view, so that the columns behind them do not move.
        let amount = next(figures.width().max(room.min(24)));
        let (token, chain, to) = (next(6), next(chain), next(to));
        let age = ColumnSpan { x: area.right().saturating_sub(5), width: 4 };
        let subject = ColumnSpan { x: amount.x, width: age.x.saturating_sub(amount.x + 1) };
        Self { state, time, operation, amount, figures, token, chain, to, age, subject }
    }

    fn draw_heads(&self, zone: &Zone, theme: &Theme, y: u16, buf: &mut Buffer) {
        let made = if self.time.width > 8 {
            format!("Time ({})", zone.column_heading())
        } else {
            zone.column_heading().to_owned()
        };
        for (span, title) in [
            (self.state, "State"),
            (self.time, made.as_str()),
            (self.operation, "Operation"),
            (self.token, "Token"),
            (self.chain, "Chain"),
            (self.to, "To"),
        ] {
            paint::put(buf, span.x, y, span.width, title, theme.dim);
        }
        paint::put_right(buf, self.age.x + self.age.width, y, self.age.width, "Age", theme.dim);
        paint::put_right(buf, self.amount.x + self.amount.width, y, 6, "Amount", theme.dim);
    }
}

pub fn view(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    if model.order_list.count() == RowCount::Exact(0) || (model.read_only.is_some() && model.orders.is_empty()) {
        return draw_no_orders(model, theme, area, buf);
    }
    let rows: Vec<(&Order, bool, Option<Figure>)> = model
        .order_list
        .visible_rows()
        .filter_map(|(id, selected)| {
            let order = find_order(model, *id)?;
            let figure = order_amount(order).map(|amount| Figure::new(&ReportedAmount::Exact(amount), Sign::None));
            Some((order, selected, figure))
        })
        .collect();
    let columns = Columns::layout_columns(area, rows.iter().filter_map(|(.., figure)| figure.as_ref()));
    columns.draw_heads(&model.zone, theme, area.y, buf);
    let focused = model.focus() == Pane::Orders;
    let short = model.short_addresses();
    for (index, (order, selected, figure)) in (1..area.height).zip(rows) {
        let row = Row::new(buf, theme, area, index, selected, focused);
        draw_row(model, theme, &columns, order, (figure.as_ref(), &short), row, buf);
    }
}

fn draw_no_orders(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    if let Some(why) = model.read_only.as_ref().filter(|why| !can_read_journal(why)) {
        // The full reason, since there is room for what to do about it.
        let words = format!("orders are not shown, not even open ones: {why}");
        return paint::put_centered(buf, area, &words, theme.warn);
    }
    let Some(failure) = &model.orders_failure else {
        let words = if abandoned_count(model) > 0 {
            "every order here was given up before anything was sent; h shows them"
        } else if model.read_only.is_some() {
            "no orders on this machine; this console is read-only"
        } else {
            "no orders yet; everything you pay or create is listed here and stays"
        };
        return paint::put_centered(buf, area, words, theme.dim);
    };
    let words = if failure.detail.is_empty() { failure.to_string() } else { failure.detail.to_string() };
    paint::put_centered(buf, area, &words, theme.warn);
}

fn order_amount(order: &Order) -> Option<Amount> {
    order.drafted.sender.as_ref().filter(|_| order.drafted.draft.operation().moves_money()).map(|sender| sender.amount)
}

fn draw_row(
    model: &Model,
    theme: &Theme,
    columns: &Columns,
    order: &Order,
    (figure, short): (Option<&Figure>, &ShortAddresses),
    row: Row,
    buf: &mut Buffer,
) {
    let mut cell = |span: ColumnSpan, text: &str, style: Style| {
        paint::put(buf, span.x, row.y, span.width, text, row.style_over(style));
    };
    let (word, meaning) = state_text(order, model.now);
    cell(columns.state, &word, tone_style(theme, meaning));
    cell(columns.time, &format_time(&model.zone, order.display_time(), model.now, columns.time.width > 8), theme.text);
    cell(columns.operation, operation_label(order.drafted.draft.operation()), theme.text);
    let age = link::format_age(order.display_time().age(model.now));
    paint::put_right(buf, columns.age.x + columns.age.width, row.y, 4, &age, row.style_over(theme.dim));
    let Some((token, chain, to)) = transfer_cells(model, order, short, columns.to.width) else {
        paint::put(
            buf,
            columns.subject.x,
            row.y,
            columns.subject.width,
            &order_subject(&order.drafted.draft, model.names()),
            row.base,
        );
        return;
    };
    let mut cell = |span: ColumnSpan, text: &str, style: Style| {
        paint::put(buf, span.x, row.y, span.width, text, row.style_over(style));
    };
    cell(columns.token, token, theme.accent);
    cell(columns.chain, chain_display_name(chain), theme.text);
    cell(columns.to, &to, theme.dim);
    let x = columns.amount.x + columns.amount.width - columns.figures.width();
    match figure {
        Some(figure) => columns.figures.put(buf, x, row.y, figure, row.base),
        None => columns.figures.put_unknown(buf, x, row.y, row.style_over(theme.dim)),
    }
}

/// The token, chain and recipient of an order, the recipient by name, or shortened to `width` where possible; for a
/// swap, the coin that it buys.
fn transfer_cells<'a>(
    model: &Model,
    order: &'a Order,
    short: &ShortAddresses,
    width: u16,
) -> Option<(&'a str, &'a str, String)> {
    let draft = &order.drafted.draft;
    let chain = draft.chain(order.drafted.sender.as_ref())?;
    if let Some(exchange) = draft.exchange() {
        return Some((exchange.from, chain, format!("→ {}", exchange.to)));
    }
    let pays = draft.payment_details()?;
    let to = match draft.single_payment() {
        Some(paid) if let Some(name) = model.party_name(&paid.to, &paid.blockchain) => {
            let both = format!("{name} · {}", short.shorten(&paid.to));
            if paint::text_width(&both) <= width { both } else { paint::truncate_middle(name, width).into_owned() }
        }
        Some(paid) if paint::text_width(&paid.to) <= width => paid.to.to_string(),
        Some(paid) => short.shorten(&paid.to),
        None => {
            let subject = order_subject(draft, model.names());
            if paint::text_width(&subject) <= width { subject.into_owned() } else { format!("×{}", pays.to.len()) }
        }
    };
    Some((pays.token, chain, to))
}

pub fn draw_order(model: &Model, theme: &Theme, id: OrderId, top: u16, area: Rect, buf: &mut Buffer) {
    let lines = order_detail_lines(model, id, area.width).into_iter().skip(usize::from(top));
    for (y, line) in (area.y..area.bottom()).zip(lines) {
        match line {
            OrderDetailLine::Blank => {}
            OrderDetailLine::Title(title) => {
                paint::put(buf, area.x + 1, y, area.width.saturating_sub(2), title, theme.title);
            }
            OrderDetailLine::Pair(name, value, meaning) => {
                let style = tone_style(theme, meaning);
                paint::put(buf, area.x + 1, y, LABEL_WIDTH - 1, &name, theme.dim);
                paint::put(buf, area.x + 1 + LABEL_WIDTH, y, area.width.saturating_sub(LABEL_WIDTH + 2), &value, style);
            }
        }
    }
}
