//! ```text
//!  State         Time (UTC)  Operation            Amount  Token  To            Age
//! ▌? unknown     12:03:20    withdrawal        25.000000  USDC   0x3f2A…9c1D   42s
//!  ✓ created     11:40:00    new wallet   main                                 23m
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::filter::{OrderSum, order_sum};
use super::matching_orders;
use super::page::OrdersLogic;
use super::pane::OrdersPane;
use super::timeline::{LABEL_WIDTH, OrderDetailLine, order_detail_lines};
use crate::app::model::Model;
use crate::app::orders::{
    abandoned_count, find_order, order_subject, refusal_statement, signer_and_reason, state_text,
};
use crate::app::pages::page::view::{PageView, detail_title};
use crate::app::pages::pane::view::PaneView;
use crate::app::pages::view::sum_line::{Signs, SumLine};
use crate::app::pages::view::{
    NOTHING_MATCHES, is_list_focused, list_tone_style, new_pane_title, scroll_position, time_head, tone_style,
};
use crate::app::screen::Pane;
use crate::app::transaction_text::format_list_time;
use crate::domain::address_names::AddressFormatter;
use crate::domain::chain::chain_display_name;
use crate::domain::duration;
use crate::domain::history::RowCount;
use crate::domain::{Amount, Order, OrderId, ReportedAmount, Text};
use crate::ui::chrome::PaneTitle;
use crate::ui::figure::{Figure, Sign};
use crate::ui::table::{Cell, Column, Highlight, Table};
use crate::ui::{Theme, paint};

/// A column of the orders.
type OrderColumn<'a> = Column<'a, OrderRow<'a>>;

impl PaneView for OrdersPane {
    fn name(&self) -> &'static str {
        "Orders"
    }

    fn title(&self, model: &Model, theme: &Theme) -> PaneTitle {
        let mut head = new_pane_title(model, Pane::Orders, "Orders".into());
        if let Some(note) = scroll_position(&model.pages.orders.listing) {
            head.notes.push((note, theme.dim));
        }
        if !model.pages.orders.filter.is_empty() {
            head.notes.push((format!("/{}", model.pages.orders.filter), theme.accent));
            match model.pages.orders.listing.rows().len() - matching_orders(model).count() {
                0 => {}
                count => head.notes.push((format!("{count} more without outcome in view"), theme.warn)),
            }
        }
        head.notes.push((model.pages.orders.sort.label().into(), theme.dim));
        match abandoned_count(model) {
            0 => {}
            count if model.pages.orders.shows_abandoned => head.notes.push((format!("{count} given up"), theme.dim)),
            count => head.notes.push((format!("{count} given up (h)"), theme.dim)),
        }
        match model.forms.drafts.len() {
            0 => {}
            _ if model.session.veil.is_on() => {}
            1 => head.notes.push(("1 draft (E)".into(), theme.accent)),
            count => head.notes.push((format!("{count} drafts (E)"), theme.accent)),
        }
        if let Some(failure) = model.journal.orders_failure.as_ref().filter(|_| !model.journal.orders.is_empty()) {
            head.notes.push((failure.to_string(), theme.warn));
        }
        head
    }

    fn sum_line(&self, model: &Model) -> SumLine {
        let OrderSum { list, unresolved, not_sent, without_amount } = order_sum(matching_orders(model), model.now);
        let left_out = [(unresolved, "without outcome"), (not_sent, "not sent"), (without_amount, "without an amount")];
        SumLine::new(model, &list, Signs::Hidden, "order", &left_out)
    }

    fn draw(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
        if model.pages.orders.listing.count() == RowCount::Exact(0)
            || (model.console.read_only.is_some() && model.journal.orders.is_empty())
        {
            return draw_no_orders(model, theme, area, buf);
        }
        let parties = model.address_formatter();
        let listing = &model.pages.orders.listing;
        let rows: Vec<_> = listing
            .visible_rows()
            .filter_map(|(id, selected)| {
                let order = find_order(model, *id)?;
                Some((OrderRow { order, transfer: token_and_recipient(model, theme, order, &parties) }, selected))
            })
            .collect();
        Table::fit(columns(model, theme, &parties), area).draw(
            theme,
            &rows,
            Highlight::Whole,
            is_list_focused(model, Pane::Orders, listing),
            buf,
        );
    }
}

const COLUMNS: usize = 12;
const TIME: usize = 1;
const TO: usize = 6;
const NOTE: usize = 10;
const DATED_WIDTH: u16 = 14;

struct OrderRow<'a> {
    order: &'a Order,
    /// `None` where nothing is transferred: the subject stands in the columns from amount to recipient.
    transfer: Option<TokenAndRecipient<'a>>,
}

struct TokenAndRecipient<'a> {
    token: &'a str,
    chain: &'a str,
    /// The recipient by name, else whole or shortened; for a swap, the coin that it buys.
    to: Cell<'a>,
}

fn columns<'a>(
    model: &'a Model,
    theme: &'a Theme,
    parties: &'a AddressFormatter<'a>,
) -> [Column<'a, OrderRow<'a>>; COLUMNS] {
    [
        OrderColumn::left("State", 14).cell(|row, _| {
            let (state, tone) = state_text(row.order, model.now);
            Cell::text(state, list_tone_style(theme, tone))
        }),
        OrderColumn::left(time_head(&model.console.zone), 10).rank(3).grow_whole_to(DATED_WIDTH).cell(|row, widths| {
            let is_dated = widths.of(TIME).is_some_and(|width| width >= DATED_WIDTH);
            Cell::text(format_list_time(&model.console.zone, row.order.display_time(), model.now, is_dated), theme.text)
        }),
        OrderColumn::left("Operation", 12)
            .rank(2)
            .cell(|row, _| Cell::text(row.order.drafted.draft.operation().label(), theme.text)),
        OrderColumn::amount("Amount", 13).grow_to(18).cell(|row, _| {
            if row.transfer.is_none() {
                return Cell::left(order_subject(&row.order.drafted.draft, parties), theme.text).extend_to(TO);
            }
            let amount = order_amount(row.order);
            let figure = amount.map(|amount| Figure::new(&ReportedAmount::Exact(amount), Sign::None));
            Cell::amount(figure, if amount.is_some() { theme.text } else { theme.dim })
        }),
        OrderColumn::left("Token", 6).cell(|row, _| {
            row.transfer.as_ref().map_or_else(Cell::blank, |transfer| Cell::text(transfer.token, theme.accent))
        }),
        OrderColumn::left("Chain", 10).rank(5).cell(|row, _| {
            let chain = row.transfer.as_ref().map(|transfer| chain_display_name(transfer.chain));
            Cell::text(chain.unwrap_or_default(), theme.text)
        }),
        OrderColumn::left("To", 11)
            .rank(4)
            .grow_to(44)
            .cell(|row, _| row.transfer.as_ref().map_or_else(Cell::blank, |transfer| transfer.to.clone())),
        // Where one person pays, the column would say nothing.
        OrderColumn::left("By", 5)
            .rank(6)
            .grow_to(14)
            .used_if(has_several_people(model))
            .cell(|row, _| Cell::name(row.order.created.by.user.as_str(), theme.dim)),
        OrderColumn::left("From", 8).rank(7).grow_to(24).cell(|row, _| {
            let sender = row.order.drafted.sender.as_ref().and_then(|sender| sender.name.as_deref());
            let payment = row.order.drafted.draft.payment_details();
            let name = payment.and_then(|pays| model.address_names().wallet_name(pays.wallet));
            Cell::name(name.map(Text::as_str).or(sender).unwrap_or_default(), theme.dim)
        }),
        // Of a refused payment, who refused it and why.
        OrderColumn::left("Reference", 14).rank(8).grow_to(40).cell(|row, _| match refusal_statement(row.order) {
            Some(refusal) => Cell::left(signer_and_reason(refusal), theme.bad).extend_to(NOTE),
            None => text_cell(row.order.drafted.draft.reference(), theme),
        }),
        OrderColumn::left("Note", 10).rank(9).grow_to(40).cell(|row, _| match refusal_statement(row.order) {
            Some(_) => Cell::blank(),
            None => text_cell(row.order.drafted.draft.note(), theme),
        }),
        OrderColumn::right("Age", 4)
            .rank(1)
            .cell(|row, _| Cell::text(duration::format_age(row.order.display_time().age(model.now)), theme.dim)),
    ]
}

fn text_cell<'a>(text: Option<&'a Text>, theme: &Theme) -> Cell<'a> {
    Cell::name(text.map(Text::as_str).unwrap_or_default(), theme.dim)
}

fn has_several_people(model: &Model) -> bool {
    let mut users = model.journal.orders.iter().map(|order| &order.created.by.user);
    users.next().is_some_and(|first| users.any(|user| user != first))
}

fn draw_no_orders(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    if let Some(reason) = model.console.read_only.as_ref().filter(|reason| !reason.can_read_journal()) {
        // The full reason, since there is room for what to do about it.
        let message = format!("orders are not shown, not even open ones: {reason}");
        return paint::put_centered(buf, area, &message, theme.warn);
    }
    let Some(failure) = &model.journal.orders_failure else {
        let message = if !model.pages.orders.filter.is_empty() {
            NOTHING_MATCHES
        } else if abandoned_count(model) > 0 {
            "every order here was given up before anything was sent; h shows them"
        } else if model.console.read_only.is_some() {
            "no orders on this machine; this console is read-only"
        } else {
            "no orders yet; everything you pay or create is listed here and stays"
        };
        return paint::put_centered(buf, area, message, theme.dim);
    };
    let message = if failure.detail.is_empty() { failure.to_string() } else { failure.detail.to_string() };
    paint::put_centered(buf, area, &message, theme.warn);
}

fn order_amount(order: &Order) -> Option<Amount> {
    order.drafted.sender.as_ref().filter(|_| order.drafted.draft.operation().moves_money()).map(|sender| sender.amount)
}

fn token_and_recipient<'a>(
    model: &'a Model,
    theme: &Theme,
    order: &'a Order,
    parties: &AddressFormatter<'_>,
) -> Option<TokenAndRecipient<'a>> {
    let draft = &order.drafted.draft;
    let chain = draft.chain(order.drafted.sender.as_ref())?;
    if let Some(exchange) = draft.exchange() {
        let to = Cell::text(format!("→ {}", exchange.to), theme.dim);
        return Some(TokenAndRecipient { token: exchange.from, chain, to });
    }
    let pays = draft.payment_details()?;
    let to = match draft.single_payment() {
        Some(payment) => match model.party_name(&payment.to, &payment.blockchain) {
            Some(name) => Cell::party(name.as_str(), parties.short.shorten(&payment.to), theme.dim),
            None => Cell::address("", payment.to.as_str(), parties.short.shorten(&payment.to), theme.dim),
        },
        None => Cell::address("", order_subject(draft, parties), format!("×{}", pays.to.len()), theme.dim),
    };
    Some(TokenAndRecipient { token: pays.token, chain, to })
}

/// Draws an order with its actions from line `top` on.
pub fn draw_order(model: &Model, theme: &Theme, id: OrderId, top: u16, area: Rect, buf: &mut Buffer) {
    let lines = order_detail_lines(model, id, area.width, true);
    draw_order_lines(theme, lines.into_iter().skip(usize::from(top)), area, buf);
}

pub(in crate::app::pages) fn draw_order_lines(
    theme: &Theme,
    lines: impl Iterator<Item = OrderDetailLine>,
    area: Rect,
    buf: &mut Buffer,
) {
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

impl PageView for OrdersLogic {
    fn detail_title(&self, model: &Model) -> String {
        detail_title(model.pages.orders.listing.selected_key().is_some(), false)
    }

    /// The selected order; without one the first, which needs attention most.
    fn draw_detail(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) -> bool {
        let list = &model.pages.orders.listing;
        let id = list.selected_key().or_else(|| list.visible_rows().next().map(|(id, _)| id));
        let Some(id) = id else { return false };
        draw_order(model, theme, *id, 0, area, buf);
        true
    }
}
