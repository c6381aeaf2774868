//! ```text
//!  Time           Coin    Chain           Amount  Status     From
//! ▌11-02 12:03:11 USDT    Ethereum       +250.00  pending 3✓ 0x3f2A…9c1D
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::panes::{DepositsPane, TransfersPane, WithdrawalsPane};
use super::{coin_cell, draw_empty_pane_note, movement_notes, title_with_notes};
use crate::app::listing::{Keyed, Listing};
use crate::app::model::Model;
use crate::app::pages::Tone;
use crate::app::pages::pane::view::PaneView;
use crate::app::pages::users::part_notes::{empty_v1_note, selected_user_report};
use crate::app::pages::users::{CachedPart, MovementList};
use crate::app::pages::view::{is_list_focused, list_tone_style, scroll_position, time_head};
use crate::app::screen::Pane;
use crate::app::transaction_text::{format_list_time, status_text};
use crate::domain::address::{ShortAddresses, shorten_address};
use crate::domain::chain::chain_display_name;
use crate::domain::history::{RowCount, Scope};
use crate::domain::v1::{Destination, Movement, Transfer};
use crate::domain::{ReportedAmount, Status, Text, Timestamp, TransactionId, UserId};
use crate::ui::Theme;
use crate::ui::chrome::PaneTitle;
use crate::ui::figure::{Figure, Sign};
use crate::ui::table::{Cell, Column, Highlight, Table};

/// A column of movements of version 1.
type MovementColumn<'a> = Column<'a, MovementRow<'a>>;

const TIME: usize = 0;
const DATED_WIDTH: u16 = 14;

struct MovementRow<'a> {
    at: Option<Timestamp>,
    coin: &'a Text,
    chain_or_direction: String,
    figure: Option<Figure>,
    status: (String, Tone),
    counterparty: Cell<'a>,
    reference: Option<&'a Text>,
    fee: Option<&'a ReportedAmount>,
    id: &'a TransactionId,
}

impl PaneView for DepositsPane {
    fn name(&self) -> &'static str {
        "Deposits"
    }

    fn title(&self, model: &Model, theme: &Theme) -> PaneTitle {
        let notes = selected_user_report(model)
            .map_or_else(Vec::new, |report| movement_notes(model, MovementList::Deposits, &report.deposits));
        title_with_notes(
            model,
            theme,
            Pane::Deposits,
            "Deposits v1".into(),
            scroll_position(&model.pages.users.deposits),
            notes,
        )
    }

    fn draw(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let part = selected_user_report(model).map(|memory| &memory.deposits);
        let listing = &model.pages.users.deposits;
        if listing.count() == RowCount::Exact(0) {
            return draw_empty_pane_note(theme, area, empty_v1_note(model, part, "no deposits"), buf);
        }
        let short = model.short_addresses();
        let row = |row| deposit_row(model, theme, &short, row);
        draw_movements(model, theme, (listing, Pane::Deposits), ("Chain", "From"), row, area, buf);
    }
}

impl PaneView for WithdrawalsPane {
    fn name(&self) -> &'static str {
        "Withdrawals"
    }

    fn title(&self, model: &Model, theme: &Theme) -> PaneTitle {
        let notes = selected_user_report(model)
            .map_or_else(Vec::new, |report| movement_notes(model, MovementList::Withdrawals, &report.withdrawals));
        let place = scroll_position(&model.pages.users.withdrawals);
        title_with_notes(model, theme, Pane::Withdrawals, "Withdrawals v1".into(), place, notes)
    }

    fn draw(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let listing = &model.pages.users.withdrawals;
        if listing.count() == RowCount::Exact(0) {
            // They are requested once the deposits have come.
            let part = selected_user_report(model).map(|report| match (&report.deposits, &report.withdrawals) {
                (deposits, CachedPart { value: None, failure: None }) if deposits.value.is_none() => deposits,
                (_, withdrawals) => withdrawals,
            });
            return draw_empty_pane_note(theme, area, empty_v1_note(model, part, "no withdrawals"), buf);
        }
        let short = model.short_addresses();
        let row = |row| withdrawal_row(model, theme, &short, row);
        draw_movements(model, theme, (listing, Pane::Withdrawals), ("Chain", "To"), row, area, buf);
    }
}

impl PaneView for TransfersPane {
    fn name(&self) -> &'static str {
        "Transfers"
    }

    fn title(&self, model: &Model, theme: &Theme) -> PaneTitle {
        let notes = selected_user_report(model)
            .map_or_else(Vec::new, |report| movement_notes(model, MovementList::Transfers, &report.transfers));
        title_with_notes(
            model,
            theme,
            Pane::Transfers,
            "Transfers v1".into(),
            scroll_position(&model.pages.users.transfers),
            notes,
        )
    }

    fn draw(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let part = selected_user_report(model).map(|memory| &memory.transfers);
        let listing = &model.pages.users.transfers;
        if listing.count() == RowCount::Exact(0) {
            return draw_empty_pane_note(theme, area, empty_v1_note(model, part, "no transfers"), buf);
        }
        let row = |transfer| transfer_row(model, theme, transfer);
        draw_movements(model, theme, (listing, Pane::Transfers), ("Direction", "Counterparty"), row, area, buf);
    }
}

fn deposit_row<'a>(model: &Model, theme: &Theme, short: &ShortAddresses, deposit: &'a Movement) -> MovementRow<'a> {
    movement_row_of_deposit(
        model,
        deposit,
        Sign::Plus,
        counterparty_cell(model, theme, short, deposit, (&deposit.from_wallet, &deposit.from_address)),
    )
}

fn withdrawal_row<'a>(
    model: &Model,
    theme: &Theme,
    short: &ShortAddresses,
    withdrawal: &'a Movement,
) -> MovementRow<'a> {
    let to = (&withdrawal.to_wallet, &withdrawal.to_address);
    movement_row_of_deposit(model, withdrawal, Sign::Minus, counterparty_cell(model, theme, short, withdrawal, to))
}

fn movement_row_of_deposit<'a>(
    model: &Model,
    deposit: &'a Movement,
    sign: Sign,
    counterparty: Cell<'a>,
) -> MovementRow<'a> {
    let internal = deposit.destination == Some(Destination::InternalTransfer);
    MovementRow {
        at: deposit.created_at.or(deposit.updated_at),
        coin: &deposit.coin,
        chain_or_direction: if internal {
            "off chain".into()
        } else {
            deposit.chain.as_deref().map_or("—", chain_display_name).to_owned()
        },
        figure: amount_figure(deposit.amount.as_ref(), sign),
        status: status_cell(model, deposit.status.as_ref(), deposit.confirmation.filter(|_| !internal)),
        counterparty,
        reference: deposit.client_tx_id.as_ref(),
        fee: deposit.network_fee.as_ref(),
        id: &deposit.id,
    }
}

fn transfer_row<'a>(model: &Model, theme: &Theme, transfer: &'a Transfer) -> MovementRow<'a> {
    let user = model.pages.users.shown_user.as_ref();
    let (way, sign, other) = match (&transfer.from_wallet, &transfer.to_wallet) {
        (from, to) if from.as_ref() == user => ("↑ out", Sign::Minus, to),
        (from, to) if to.as_ref() == user => ("↓ in", Sign::Plus, from),
        (from, _) => ("? dir", Sign::None, from),
    };
    MovementRow {
        at: transfer.created_at.or(transfer.confirmed_at),
        coin: &transfer.coin,
        chain_or_direction: way.into(),
        figure: amount_figure(transfer.amount.as_ref(), sign),
        status: status_cell(model, transfer.status.as_ref(), None),
        counterparty: user_cell(model, theme, other.as_ref()),
        reference: transfer.client_tx_id.as_ref(),
        fee: transfer.network_fee.as_ref(),
        id: &transfer.id,
    }
}

/// The sender of a deposit or the recipient of a withdrawal: by name, else the address; a look-alike is marked.
fn counterparty_cell<'a>(
    model: &Model,
    theme: &Theme,
    short: &ShortAddresses,
    deposit: &'a Movement,
    (wallet, address): (&'a Option<UserId>, &'a Option<Text>),
) -> Cell<'a> {
    if deposit.destination == Some(Destination::InternalTransfer) {
        return user_cell(model, theme, wallet.as_ref());
    }
    let Some(address) = address else { return Cell::text("—", theme.dim) };
    let short = short.shorten(address);
    let name = deposit.chain.as_ref().and_then(|chain| model.party_name(address, chain));
    match name {
        Some(name) => Cell::party(name.to_string(), short, theme.text),
        None if model.data.analyses.look_alikes.match_of_address(address).is_some() => {
            Cell::address("?", address.as_str(), short, theme.warn)
        }
        None => Cell::address("", address.as_str(), short, theme.dim),
    }
}

fn user_cell(model: &Model, theme: &Theme, user: Option<&UserId>) -> Cell<'static> {
    let name = user.map(|id| model.scope_name(&Scope::User(id.clone())));
    Cell::name(name.unwrap_or_else(|| "—".into()), theme.dim)
}

fn amount_figure(amount: Option<&ReportedAmount>, sign: Sign) -> Option<Figure> {
    amount.map(|amount| Figure::new(amount, sign))
}

fn status_cell(model: &Model, status: Option<&Status>, blocks: Option<u64>) -> (String, Tone) {
    status_text(&model.journal.final_statuses, status, blocks, None)
}

fn draw_movements<'a, T: Keyed + 'a>(
    model: &'a Model,
    theme: &Theme,
    (listing, pane): (&'a Listing<T>, Pane),
    (place, other): (&'static str, &'static str),
    read: impl Fn(&'a T) -> MovementRow<'a>,
    area: Rect,
    buf: &mut Buffer,
) {
    let rows: Vec<_> = listing.visible_rows().map(|(row, selected)| (read(row), selected)).collect();
    let columns = [
        MovementColumn::left(time_head(&model.console.zone), 10).grow_whole_to(DATED_WIDTH).cell(|row, widths| {
            let is_dated = widths.of(TIME).is_some_and(|width| width >= DATED_WIDTH);
            let at = row.at.map(|at| format_list_time(&model.console.zone, at, model.now, is_dated));
            Cell::text(at.unwrap_or_else(|| "—".into()), theme.dim)
        }),
        MovementColumn::left("Coin", 6).cell(|row, _| coin_cell(model, theme, row.coin)),
        MovementColumn::left(place, 10).rank(2).cell(|row, _| Cell::text(row.chain_or_direction.as_str(), theme.text)),
        MovementColumn::amount("Amount", 13).grow_to(18).cell(|row, _| {
            let style = if row.figure.is_some() { theme.text } else { theme.dim };
            Cell::amount(row.figure.clone(), style)
        }),
        MovementColumn::left("Status", 10).rank(1).cell(|row, _| {
            let (status, tone) = &row.status;
            Cell::text(status.as_str(), list_tone_style(theme, *tone))
        }),
        MovementColumn::left(other, 11).rank(3).grow_whole_to(44).cell(|row, _| row.counterparty.clone()),
        MovementColumn::left("Reference", 16)
            .rank(4)
            .grow_to(30)
            .cell(|row, _| Cell::name(row.reference.map_or("—", |reference| reference.as_str()), theme.dim)),
        MovementColumn::right("Fee", 10).rank(5).cell(|row, _| {
            let fee = row.fee.map(|fee| Figure::new(fee, Sign::None).into_text());
            Cell::text(fee.unwrap_or_else(|| "—".into()), theme.dim)
        }),
        MovementColumn::left("Id", 11).rank(6).cell(|row, _| {
            let id = row.id.as_str();
            Cell::address("", id, shorten_address(id), theme.dim)
        }),
    ];
    Table::fit(columns, area).draw(theme, &rows, Highlight::Whole, is_list_focused(model, pane, listing), buf);
}
