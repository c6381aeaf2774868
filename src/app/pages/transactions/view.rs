//! ```text
//!  Time (UTC)  Dir          Amount Token  Chain      Status        Counterparty
//! ▌12:03:11    ↓ in        +250.00 USDT   Ethereum   pending 3/12  Norrland Shipping
//!  12:01:40    ↑ out     −1,000.00 USDC   Base       success       0x3f2A…9c1D
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::page::TransactionsLogic;
use super::pane::HistoryPane;
use crate::app::model::{History, Mode, Model};
use crate::app::orders::{self, order_subject};
use crate::app::overlays::detail;
use crate::app::pages::group_thousands;
use crate::app::pages::page::view::{PageView, detail_title};
use crate::app::pages::pane::view::PaneView;
use crate::app::pages::view::sum_line::{Signs, SumLine};
use crate::app::pages::view::{
    NOTHING_MATCHES, draw_empty_message, is_list_focused, list_tone_style, new_pane_title, scroll_position, time_head,
};
use crate::app::screen::Pane;
use crate::app::transaction_text::{
    RowTimeSource, direction_label, format_row_time, reference_and_note, row_time_source, status_label, sync_progress,
};
use crate::domain::ListSum;
use crate::domain::address_names::AddressFormatter;
use crate::domain::chain::chain_display_name;
use crate::domain::duration;
use crate::domain::history::{HistoryRow, PriceList, RowCount, Scope, Sort};
use crate::domain::time_bounds::format_time_bounds;
use crate::domain::{Direction, Verdict, Zone, poison};
use crate::ui::Theme;
use crate::ui::chrome::PaneTitle;
use crate::ui::figure::{Figure, Sign};
use crate::ui::table::{Cell, Column, Highlight, Table};

/// A column of the history.
type HistoryColumn<'a> = Column<'a, ShownRow<'a>>;

/// By which prices a filter compares values.
fn filter_prices_note(prices: &PriceList, zone: &Zone) -> String {
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

const COLUMNS: usize = 11;
const TIME: usize = 0;
const COUNTERPARTY: usize = 7;
/// Columns of time and mark, which show the selection.
const MARKED_COLUMNS: usize = 2;
/// The width of a time with its date.
const DATED_WIDTH: u16 = 14;

/// A row, and what several of its columns show.
struct ShownRow<'a> {
    row: &'a HistoryRow,
    is_marked: bool,
    /// Whether an address of it resembles a known one.
    resembles: bool,
    is_poison: bool,
    verdict: Verdict,
    /// A final status stays; the progress of the others is not known while nothing is read.
    is_stale: bool,
}

impl<'a> ShownRow<'a> {
    fn new(model: &Model, history: &History, row: &'a HistoryRow) -> Self {
        let transaction = &row.transaction;
        let resembles = model.data.analyses.look_alikes.match_of_row(row).is_some();
        Self {
            row,
            is_marked: history.marks.contains(row.seq),
            resembles,
            is_poison: poison::is_poison(row, resembles),
            verdict: transaction.verdict(&model.journal.final_statuses),
            is_stale: !transaction.is_final(&model.journal.final_statuses)
                && model.figure_staleness(model.data.remotes.latest.last_success).is_some(),
        }
    }
}

fn columns<'a>(
    model: &'a Model,
    theme: &'a Theme,
    parties: &'a AddressFormatter<'a>,
) -> [Column<'a, ShownRow<'a>>; COLUMNS] {
    let current = |row: &ShownRow<'_>, style| if row.is_stale { theme.dim } else { style };
    [
        HistoryColumn::left(time_head(&model.console.zone), 10).grow_whole_to(DATED_WIDTH).gap(0).cell(
            |shown_row, widths| {
                let is_dated = widths.of(TIME).is_some_and(|width| width >= DATED_WIDTH);
                let time = format_row_time(&model.console.zone, shown_row.row, model.now, is_dated);
                let is_reported = row_time_source(shown_row.row) == RowTimeSource::Reported;
                Cell::text(time, if is_reported { theme.text } else { theme.dim })
            },
        ),
        HistoryColumn::left("", 1).cell(|shown_row, widths| {
            if shown_row.is_marked {
                Cell::text("◆", theme.accent)
            } else if shown_row.resembles && widths.of(COUNTERPARTY).is_none() {
                Cell::text("?", theme.warn)
            } else {
                Cell::blank()
            }
        }),
        HistoryColumn::left("Dir", 6).cell(|shown_row, _| {
            let (direction, tone) = direction_label(shown_row.row, shown_row.is_poison);
            Cell::text(direction, list_tone_style(theme, tone))
        }),
        HistoryColumn::amount("Amount", 13).grow_to(18).cell(move |shown_row, _| {
            let transaction = &shown_row.row.transaction;
            let sign = if transaction.direction == Direction::Outgoing { Sign::Minus } else { Sign::Plus };
            let amount = transaction.amount.as_ref().map(|amount| Figure::new(amount, sign));
            let is_failed = matches!(shown_row.verdict, Verdict::Failed | Verdict::Contradiction);
            let is_dim = is_failed || shown_row.is_poison || amount.is_none();
            Cell::amount(amount, if is_dim { theme.dim } else { current(shown_row, theme.text) })
        }),
        // The mark comes before the symbol, which an imitation token may make as long as it likes.
        HistoryColumn::left("Token", 6).cell(|shown_row, _| {
            let symbol = &shown_row.row.transaction.symbol;
            if shown_row.row.suspicious {
                Cell::text(format!("?{symbol}"), theme.warn)
            } else {
                Cell::text(symbol.as_str(), theme.accent)
            }
        }),
        HistoryColumn::left("Chain", 10).rank(2).cell(|shown_row, _| {
            Cell::text(chain_display_name(&shown_row.row.transaction.token.blockchain), theme.text)
        }),
        HistoryColumn::left("Status", 13).rank(1).cell(move |shown_row, _| {
            let (status, tone) = status_label(model, &shown_row.row.transaction);
            Cell::text(status, current(shown_row, list_tone_style(theme, tone)))
        }),
        HistoryColumn::left("Counterparty", 13)
            .rank(3)
            .grow_to(44)
            .cell(|shown_row, _| counterparty_cell(model, theme, parties, shown_row)),
        HistoryColumn::left("Wallet", 14).rank(4).grow_to(24).cell(|shown_row, _| {
            let own = shown_row.row.transaction.own_wallet_address().map_or("—", |own| own.as_str());
            match model.own_wallet_name(shown_row.row) {
                Some(name) => Cell::name(name.as_str(), theme.dim),
                None => Cell::address("", own, parties.short.shorten(own), theme.dim),
            }
        }),
        HistoryColumn::right("Fee", 10).rank(5).grow_to(14).cell(|shown_row, _| {
            let fee = shown_row.row.transaction.total_fee.as_ref().map(|fee| Figure::new(fee, Sign::None).into_text());
            Cell::text(fee.unwrap_or_else(|| "—".into()), theme.dim)
        }),
        HistoryColumn::left("Reference · note", 16)
            .rank(6)
            .grow_to(60)
            .cell(|shown_row, _| Cell::text(reference_and_note(model, &shown_row.row.transaction), theme.dim)),
    ]
}

/// The counterparty by its name, else by its address; a look-alike address is marked as an imitation token is.
fn counterparty_cell<'a>(
    model: &'a Model,
    theme: &Theme,
    parties: &AddressFormatter<'_>,
    shown_row: &ShownRow<'a>,
) -> Cell<'a> {
    let transaction = &shown_row.row.transaction;
    let (mark, style) = if shown_row.resembles { ("?", theme.warn) } else { ("", theme.dim) };
    let address = transaction.counterparty().map_or("—", |address| address.as_str());
    let recipients = || {
        // The history reports no address of a batch.
        let draft = &orders::order_of_transaction(&model.journal.orders, transaction)?.drafted.draft;
        transaction.counterparty().is_none().then(|| order_subject(draft, parties).into_owned())
    };
    if let Some(name) = model.counterparty_name(shown_row.row) {
        Cell::party(name.as_str(), parties.short.shorten(address), theme.text)
    } else if let Some(recipients) = recipients() {
        Cell::name(recipients, theme.dim)
    } else {
        Cell::address(mark, address, parties.short.shorten(address), style)
    }
}

impl PaneView for HistoryPane {
    fn name(&self) -> &'static str {
        "Transactions"
    }

    /// The title and its notes: age, sync progress, filter, sort order, marks, number of rows.
    fn title(&self, model: &Model, theme: &Theme) -> PaneTitle {
        let (history, pane) = (model.history_of(self.0), self.to_pane());
        let title = match (pane, &history.query.scope) {
            (Pane::History, _) => match model.session.views.name_of(&history.query.filter.text, history.query.sort) {
                Some(view) => format!("Transactions · {view}"),
                None => "Transactions".to_owned(),
            },
            (_, Scope::Account(_)) => format!("Transactions · {}, all wallets", model.scope_name(&history.query.scope)),
            (_, scope) => format!("Transactions · {}", model.scope_name(scope)),
        };
        let mut head = new_pane_title(model, pane, title);
        // Where room is short the last notes are dropped: what must not pass for fresh or complete comes first.
        if let Some(age) = model.figure_staleness(model.data.remotes.latest.last_success) {
            head.notes.push((format!("stale {}", duration::format_age(age)), theme.warn));
        }
        if let Some(progress) = sync_progress(model) {
            head.notes.push((progress, theme.warn));
        }
        if model.data.progress.unreadable > 0 {
            head.notes.push((format!("{} unreadable", group_thousands(model.data.progress.unreadable)), theme.warn));
        }
        if !history.query.filter.text.is_empty() {
            head.notes.push((format!("/{}", history.query.filter.text), theme.accent));
        }
        if let Some(prices) = history.query.filter.prices() {
            head.notes.push((filter_prices_note(prices, &model.console.zone), theme.dim));
        }
        if let Some(count) = model.data.analyses.folded_row_count(&history.query).filter(|count| *count > 0) {
            head.notes.push((format!("{} hidden (h)", group_thousands(count)), theme.warn));
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
        if let Some((rows, of)) = model.overlays.exports.progress {
            head.notes
                .push((format!("writing {} of {} (x stops)", group_thousands(rows), group_thousands(of)), theme.warn));
        }
        if history.listing.rows_arrived_above() > 0 {
            head.notes.push((format!("▲ {} new (g)", history.listing.rows_arrived_above()), theme.good));
        }
        if let Some(note) = scroll_position(&history.listing) {
            head.notes.push((note, theme.dim));
        }
        head
    }

    fn sum_line(&self, model: &Model) -> SumLine {
        let query = &model.history_of(self.0).query;
        let mut line = match model.data.analyses.row_sums(query) {
            Some(sums) => SumLine::new(model, &ListSum::new(sums), Signs::Shown, "row", &[]),
            None if matches!(model.mode, Mode::Filter { .. }) => SumLine::head("Enter sums these rows"),
            None => SumLine::head("summing…"),
        };
        line.period = format_time_bounds(query.filter.time_bounds(), &model.console.zone, model.now);
        line
    }

    fn draw(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let (history, pane) = (model.history_of(self.0), self.to_pane());
        let listing = &history.listing;
        if listing.count() == RowCount::Exact(0) {
            if let Some(fault) = history.query.filter.faults.first() {
                let message = format!("{} is not understood: {}", fault.word, fault.message);
                return draw_empty_message(
                    model,
                    theme,
                    area,
                    buf,
                    listing.is_loaded() && is_history_read(model),
                    &message,
                );
            }
            let hides_rows = model.data.analyses.folded_row_count(&history.query).is_some_and(|count| count > 0);
            let view = model.session.views.shown_view(&history.query.filter.text, history.query.sort);
            let view = view.map(|view| format!("{} Esc leaves the view.", view.if_empty));
            let message = if history.query.filter.poison_filter.is_some() && hides_rows {
                "only hidden rows match; h shows them"
            } else if let Some(message) = view.as_deref().filter(|_| pane == Pane::History) {
                message
            } else if !history.query.filter.text.is_empty() {
                NOTHING_MATCHES
            } else if model.data.progress.unreadable > 0 {
                "no transaction from the service could be read"
            } else {
                "no transactions yet"
            };
            return draw_empty_message(model, theme, area, buf, listing.is_loaded() && is_history_read(model), message);
        }
        let parties = model.address_formatter();
        let rows: Vec<_> =
            listing.visible_rows().map(|(row, selected)| (ShownRow::new(model, history, row), selected)).collect();
        Table::fit(columns(model, theme, &parties), area).draw(
            theme,
            &rows,
            Highlight::Leading(MARKED_COLUMNS),
            is_list_focused(model, pane, listing),
            buf,
        );
    }
}

/// Whether the history was ever read: before that an empty list means nothing.
fn is_history_read(model: &Model) -> bool {
    model.data.remotes.latest.last_success.is_some() || model.data.progress.complete
}

impl PageView for TransactionsLogic {
    fn detail_title(&self, model: &Model) -> String {
        let history = &model.pages.transactions;
        let is_newest = history.query.sort == Sort::Newest && history.listing.first_visible_rank() == 0;
        detail_title(history.listing.selected().is_some(), is_newest)
    }

    /// The selected transaction, or the first on screen.
    fn draw_detail(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) -> bool {
        let listing = &model.pages.transactions.listing;
        let row = listing.selected().or_else(|| listing.visible_rows().next().map(|(row, _)| row));
        let Some(row) = row else { return false };
        detail::view::view(model, theme, row, 0, area, buf);
        true
    }
}
