//! ```text
//!  Time           Coin    Chain           Amount  Status     From
//! ▌11-02 12:03:11 USDT    Ethereum       +250.00  pending 3✓ 0x3f2A…9c1D
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{draw_coin, draw_note};
use crate::app::listing::{Keyed, Listing};
use crate::app::model::Model;
use crate::app::pages::transactions::format_time;
use crate::app::pages::users::part_notes::{empty_v1_note, selected_user_report};
use crate::app::pages::view::tone_style;
use crate::app::pages::{Tone, transactions};
use crate::app::screen::Pane;
use crate::domain::chain::chain_display_name;
use crate::domain::history::{RowCount, Scope};
use crate::domain::v1::{Deposit, Destination, Transfer};
use crate::domain::{ReportedAmount, Status, Text, Timestamp, UserId};
use crate::ui::figure::{AmountColumn, Figure, Sign};
use crate::ui::{Row, Theme, paint};

/// Widths of the columns; a time has the date in `DATED`.
const TIME_WIDTH: u16 = 8;
const DATE_TIME_WIDTH: u16 = 14;
const COIN_WIDTH: u16 = 6;
const CHAIN_WIDTH: u16 = 10;
const STATUS_WIDTH: u16 = 11;
const COUNTERPARTY_WIDTH: u16 = 13;

struct MovementRow {
    at: Option<Timestamp>,
    coin: Text,
    chain_or_direction: String,
    figure: Option<Figure>,
    status: (String, Tone),
    counterparty: String,
    /// Whether the counterparty's address is a look-alike of a known one.
    is_look_alike: bool,
}

pub fn draw_deposits(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let part = selected_user_report(model).map(|memory| &memory.deposits);
    let listing = &model.users.deposits;
    if listing.count() == RowCount::Exact(0) {
        return draw_note(theme, area, empty_v1_note(model, part, "no deposits"), buf);
    }
    let row = |row: &Deposit| deposit_row(model, row);
    draw_movements(model, theme, (listing, Pane::Deposits), ("Chain", "From"), row, area, buf);
}

pub fn draw_transfers(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let part = selected_user_report(model).map(|memory| &memory.transfers);
    let listing = &model.users.transfers;
    if listing.count() == RowCount::Exact(0) {
        return draw_note(theme, area, empty_v1_note(model, part, "no transfers"), buf);
    }
    let row = |transfer: &Transfer| transfer_row(model, transfer);
    draw_movements(model, theme, (listing, Pane::Transfers), ("Direction", "Counterparty"), row, area, buf);
}

fn deposit_row(model: &Model, deposit: &Deposit) -> MovementRow {
    let internal = deposit.destination == Some(Destination::InternalTransfer);
    let from =
        if internal { deposit.from_wallet.as_ref().map(UserId::as_str) } else { deposit.from_address.as_deref() };
    MovementRow {
        at: deposit.created_at.or(deposit.updated_at),
        coin: deposit.coin.clone(),
        chain_or_direction: if internal {
            "off chain".into()
        } else {
            deposit.chain.as_deref().map_or("—", chain_display_name).to_owned()
        },
        figure: amount_figure(deposit.amount.as_ref(), Sign::Plus),
        status: status_cell(model, deposit.status.as_ref(), deposit.confirmation.filter(|_| !internal)),
        is_look_alike: deposit
            .from_address
            .as_ref()
            .is_some_and(|from| model.charts.look_alikes.match_of_address(from).is_some()),
        counterparty: counterparty_of_deposit(model, deposit, from),
    }
}

fn transfer_row(model: &Model, transfer: &Transfer) -> MovementRow {
    let whose = model.users.shown_user.as_ref();
    let (way, sign, other) = match (&transfer.from_wallet, &transfer.to_wallet) {
        (from, to) if from.as_ref() == whose => ("↑ out", Sign::Minus, to),
        (from, to) if to.as_ref() == whose => ("↓ in", Sign::Plus, from),
        (from, _) => ("? dir", Sign::None, from),
    };
    MovementRow {
        at: transfer.created_at.or(transfer.confirmed_at),
        coin: transfer.coin.clone(),
        chain_or_direction: way.into(),
        figure: amount_figure(transfer.amount.as_ref(), sign),
        status: status_cell(model, transfer.status.as_ref(), None),
        is_look_alike: false,
        counterparty: other.as_ref().map_or_else(|| "—".into(), |id| model.scope_name(&Scope::User(id.clone()))),
    }
}

/// The name of a deposit's sender, else the shortened address.
fn counterparty_of_deposit(model: &Model, deposit: &Deposit, from: Option<&str>) -> String {
    if deposit.destination == Some(Destination::InternalTransfer) {
        let user = deposit.from_wallet.as_ref().map(|id| model.scope_name(&Scope::User(id.clone())));
        return user.unwrap_or_else(|| "—".into());
    }
    let named = deposit.from_address.as_ref().zip(deposit.chain.as_ref());
    let named = named.and_then(|(from, chain)| model.party_name(from, chain));
    let short = || from.map_or_else(|| "—".into(), |from| model.short_addresses().shorten(from));
    named.map_or_else(short, ToString::to_string)
}

fn amount_figure(stated: Option<&ReportedAmount>, sign: Sign) -> Option<Figure> {
    stated.map(|stated| Figure::new(stated, sign))
}

fn status_cell(model: &Model, status: Option<&Status>, blocks: Option<u64>) -> (String, Tone) {
    transactions::status_text(&model.book.final_statuses, status, blocks, None)
}

fn draw_movements<T: Keyed>(
    model: &Model,
    theme: &Theme,
    (listing, pane): (&Listing<T>, Pane),
    (place, other): (&str, &str),
    read: impl Fn(&T) -> MovementRow,
    area: Rect,
    buf: &mut Buffer,
) {
    let rows: Vec<(MovementRow, bool)> = listing.visible_rows().map(|(row, chosen)| (read(row), chosen)).collect();
    let dated = area.width >= 72;
    let time = if dated { DATE_TIME_WIDTH } else { TIME_WIDTH };
    let coin_at = area.x + 1 + time + 2;
    let place_at = coin_at + COIN_WIDTH + 1;
    let amount_at = place_at + CHAIN_WIDTH + 1;
    let room = area.right().saturating_sub(amount_at + STATUS_WIDTH + 2);
    let column = AmountColumn::fit(rows.iter().filter_map(|(row, _)| row.figure.as_ref()), room);
    // The counterparty gives way before an amount is cut.
    let with_other = column.width().max(6) + COUNTERPARTY_WIDTH + 2 <= room;
    let amount_end = amount_at + column.width().max(6);
    let status_at = amount_end + 2;
    let other_at = status_at + STATUS_WIDTH + 2;
    let heads = [(area.x + 1, "Time"), (coin_at, "Coin"), (place_at, place), (status_at, "Status")];
    for (x, title) in heads {
        paint::put(buf, x, area.y, area.right().saturating_sub(x), title, theme.dim);
    }
    paint::put_right(buf, amount_end, area.y, 6, "Amount", theme.dim);
    if with_other {
        paint::put(buf, other_at, area.y, COUNTERPARTY_WIDTH, other, theme.dim);
    }
    let focused = model.focus() == pane;
    for (index, (movement, chosen)) in (1_u16..area.height).zip(rows) {
        let row = Row::new(buf, theme, area, index, chosen, focused);
        let at = movement.at.map_or("—".into(), |at| format_time(&model.zone, at, model.now, dated));
        paint::put(buf, row.x, row.y, time, &at, row.style_over(theme.dim));
        draw_coin(model, theme, &movement.coin, Rect { x: coin_at, y: row.y, width: COIN_WIDTH, height: 1 }, &row, buf);
        paint::put(buf, place_at, row.y, CHAIN_WIDTH, &movement.chain_or_direction, row.style_over(theme.text));
        let start = amount_end - column.width();
        match &movement.figure {
            Some(figure) => column.put(buf, start, row.y, figure, row.style_over(theme.text)),
            None => column.put_unknown(buf, start, row.y, row.style_over(theme.dim)),
        }
        let (words, meaning) = &movement.status;
        paint::put(buf, status_at, row.y, STATUS_WIDTH, words, row.style_over(tone_style(theme, *meaning)));
        if with_other {
            let (mark, style) = if movement.is_look_alike { ("?", theme.warn) } else { ("", theme.dim) };
            paint::put(
                buf,
                other_at,
                row.y,
                COUNTERPARTY_WIDTH,
                &format!("{mark}{}", movement.counterparty),
                row.style_over(style),
            );
        }
    }
}
