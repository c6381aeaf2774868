//! ```text
//!  Time           Coin    Chain           Amount  Status     From
//! ▌11-02 12:03:11 USDT    Ethereum       +250.00  pending 3✓ 0x3f2A…9c1D
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::{empty_v1_note, selected_memory};
use super::{coin, say};
use crate::app::Model;
use crate::app::listing::{Keyed, Listing};
use crate::app::panes::transactions::format_time;
use crate::app::panes::view::tone_style;
use crate::app::panes::{Tone, transactions};
use crate::app::screen::Pane;
use crate::domain::chain::display_name;
use crate::domain::history::Count;
use crate::domain::v1::{Deposit, Destination, Transfer};
use crate::domain::{ReportedAmount, Status, Text, Timestamp, UserId, address};
use crate::ui::figure::{Column, Figure, Sign};
use crate::ui::{Row, Theme, paint};

/// Widths of the columns; a time has the date in `DATED`.
const TIME: u16 = 8;
const DATED: u16 = 14;
const COIN: u16 = 6;
const CHAIN: u16 = 10;
const STATUS: u16 = 11;
const OTHER: u16 = 13;

struct Movement {
    at: Option<Timestamp>,
    coin: Text,
    place: String,
    figure: Option<Figure>,
    status: (String, Tone),
    other: String,
    /// Whether the counterparty's address is a look-alike of a known one.
    resembles: bool,
}

pub(super) fn deposits(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let part = selected_memory(model).map(|memory| &memory.deposits);
    let listing = &model.users.deposits;
    if listing.count() == Count::Exact(0) {
        return say(theme, area, empty_v1_note(model, part, "no deposits"), buf);
    }
    let row = |row: &Deposit| deposit(model, row);
    draw(model, theme, (listing, Pane::Deposits), ("Chain", "From"), row, area, buf);
}

pub(super) fn transfers(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let part = selected_memory(model).map(|memory| &memory.transfers);
    let listing = &model.users.transfers;
    if listing.count() == Count::Exact(0) {
        return say(theme, area, empty_v1_note(model, part, "no transfers"), buf);
    }
    let row = |transfer: &Transfer| read(model, transfer);
    draw(model, theme, (listing, Pane::Transfers), ("Direction", "Counterparty"), row, area, buf);
}

fn deposit(model: &Model, deposit: &Deposit) -> Movement {
    let internal = deposit.destination == Some(Destination::InternalTransfer);
    let from =
        if internal { deposit.from_wallet.as_ref().map(UserId::as_str) } else { deposit.from_address.as_deref() };
    Movement {
        at: deposit.created_at.or(deposit.updated_at),
        coin: deposit.coin.clone(),
        place: if internal {
            "off chain".into()
        } else {
            deposit.chain.as_deref().map_or("—", display_name).to_owned()
        },
        figure: figure(deposit.amount.as_ref(), Sign::Plus),
        status: status(model, deposit.status.as_ref(), deposit.confirmation.filter(|_| !internal)),
        resembles: deposit.from_address.as_ref().is_some_and(|from| model.charts.look_alikes.of(from).is_some()),
        other: from.map_or_else(|| "—".into(), address::shorten),
    }
}

fn read(model: &Model, transfer: &Transfer) -> Movement {
    let whose = model.users.shown_user.as_ref();
    let (way, sign, other) = match (&transfer.from_wallet, &transfer.to_wallet) {
        (from, to) if from.as_ref() == whose => ("↑ out", Sign::Minus, to),
        (from, to) if to.as_ref() == whose => ("↓ in", Sign::Plus, from),
        (from, _) => ("? dir", Sign::None, from),
    };
    Movement {
        at: transfer.created_at.or(transfer.confirmed_at),
        coin: transfer.coin.clone(),
        place: way.into(),
        figure: figure(transfer.amount.as_ref(), sign),
        status: status(model, transfer.status.as_ref(), None),
        resembles: false,
        other: other.as_ref().map_or_else(|| "—".into(), |id| address::shorten(id.as_str())),
    }
}

fn figure(stated: Option<&ReportedAmount>, sign: Sign) -> Option<Figure> {
    stated.map(|stated| Figure::new(stated, sign))
}

fn status(model: &Model, status: Option<&Status>, blocks: Option<u64>) -> (String, Tone) {
    transactions::status_text(&model.book.final_words, status, blocks, None)
}

fn draw<T: Keyed>(
    model: &Model,
    theme: &Theme,
    (listing, pane): (&Listing<T>, Pane),
    (place, other): (&str, &str),
    read: impl Fn(&T) -> Movement,
    area: Rect,
    buf: &mut Buffer,
) {
    let rows: Vec<(Movement, bool)> = listing.visible().map(|(row, chosen)| (read(row), chosen)).collect();
    let dated = area.width >= 72;
    let time = if dated { DATED } else { TIME };
    let coin_at = area.x + 1 + time + 2;
    let place_at = coin_at + COIN + 1;
    let amount_at = place_at + CHAIN + 1;
    let room = area.right().saturating_sub(amount_at + STATUS + 2);
    let column = Column::fit(rows.iter().filter_map(|(row, _)| row.figure.as_ref()), room);
    // The counterparty gives way before an amount is cut.
    let with_other = column.width().max(6) + OTHER + 2 <= room;
    let amount_end = amount_at + column.width().max(6);
    let status_at = amount_end + 2;
    let other_at = status_at + STATUS + 2;
    let heads = [(area.x + 1, "Time"), (coin_at, "Coin"), (place_at, place), (status_at, "Status")];
    for (x, title) in heads {
        paint::put(buf, x, area.y, area.right().saturating_sub(x), title, theme.dim);
    }
    paint::put_right(buf, amount_end, area.y, 6, "Amount", theme.dim);
    if with_other {
        paint::put(buf, other_at, area.y, OTHER, other, theme.dim);
    }
    let focused = model.focus() == pane;
    for (index, (movement, chosen)) in (1_u16..area.height).zip(rows) {
        let row = Row::new(buf, theme, area, index, chosen, focused);
        let at = movement.at.map_or("—".into(), |at| format_time(&model.zone, at, model.now, dated));
        paint::put(buf, row.x, row.y, time, &at, row.over(theme.dim));
        coin(model, theme, &movement.coin, Rect { x: coin_at, y: row.y, width: COIN, height: 1 }, &row, buf);
        paint::put(buf, place_at, row.y, CHAIN, &movement.place, row.over(theme.text));
        let start = amount_end - column.width();
        match &movement.figure {
            Some(figure) => column.put(buf, start, row.y, figure, row.over(theme.text)),
            None => column.put_unknown(buf, start, row.y, row.over(theme.dim)),
        }
        let (words, meaning) = &movement.status;
        paint::put(buf, status_at, row.y, STATUS, words, row.over(tone_style(theme, *meaning)));
        if with_other {
            let (mark, style) = if movement.resembles { ("?", theme.warn) } else { ("", theme.dim) };
            paint::put(buf, other_at, row.y, OTHER, &format!("{mark}{}", movement.other), row.over(style));
        }
    }
}
