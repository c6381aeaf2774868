//! A table of holdings, and what its title notes.

pub(in crate::app::pages) mod worth;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::data::analyses::WEEK_DAYS;
use crate::app::listing::Listing;
use crate::app::model::Model;
use crate::domain::chain::chain_display_name;
use crate::domain::{BalanceBasis, BalanceHistory, Failure, FailureReason, Holding, ReportedAmount, ValuationAmount};
use crate::ui::Theme;
use crate::ui::figure::{Figure, Sign};
use crate::ui::table::{Cell, Column, Highlight, Table};

use worth::{RowWorth, week_of_holding, worth_columns};

/// A column of balances.
type HoldingColumn<'a> = Column<'a, HoldingRow<'a>>;

struct HoldingRow<'a> {
    holding: &'a Holding,
    worth: Option<ValuationAmount>,
    /// Of the figures: dim where they are stale.
    style: Style,
    /// The sparkline of the last days.
    week: String,
    /// How much the balance changed over them.
    change: String,
}

pub struct BalanceTable<'a> {
    pub listing: &'a Listing<Holding>,
    /// All holdings: the whole of the shares.
    pub all: &'a [Holding],
    /// The basis that the title states for all figures.
    pub common_basis: Option<BalanceBasis>,
    /// The history of the balances, where it is shown.
    pub history: Option<&'a BalanceHistory>,
    pub focused: bool,
    /// Whether the figures are those of the Overview's scope, and not of one user.
    pub is_sum: bool,
}

impl BalanceTable<'_> {
    /// Whether a figure is stale.
    fn is_stale(&self, model: &Model, holding: &Holding) -> bool {
        if self.is_sum {
            return model.balances_age(holding.as_of).is_some_and(|(_, stale)| stale);
        }
        model.figure_staleness(holding.as_of).is_some()
    }
}

/// Why the balances on screen were not read, unless the connection is down.
pub fn read_failure_notes(model: &Model, theme: &Theme) -> Vec<(String, Style)> {
    let note = match model.balances_failure() {
        None => Vec::new(),
        Some(Failure { reason: FailureReason::NotFound, .. }) => vec!["unknown to the service".to_owned()],
        Some(failure) => vec!["not read".to_owned(), failure.reason.to_string()],
    };
    note.into_iter().map(|note| (note, theme.warn)).collect()
}

/// The number of imitation tokens, and whether they are hidden.
pub fn suspicious_note(model: &Model, theme: &Theme, all: &[Holding]) -> Option<(String, Style)> {
    let count = all.iter().filter(|holding| holding.suspicious).count();
    let word = if model.pages.shows_suspicious { "suspicious" } else { "hidden" };
    (count > 0).then(|| (format!("{count} {word} (h)"), theme.warn))
}

pub fn draw_balance_rows(model: &Model, theme: &Theme, table: &BalanceTable<'_>, area: Rect, buf: &mut Buffer) {
    let BalanceTable { listing, all, common_basis: common, history, focused, is_sum: _ } = *table;
    let differs = listing.visible_rows().any(|(holding, _)| basis_unless_common(holding, common).is_some());
    let rows: Vec<_> = listing
        .visible_rows()
        .map(|(holding, selected)| {
            let style = if table.is_stale(model, holding) { theme.dim } else { theme.text };
            let (week, change) =
                history.map_or_else(Default::default, |history| week_of_holding(model, history, holding));
            let worth = model.data.prices.worth_of_holding(holding);
            (HoldingRow { holding, worth, style, week, change }, selected)
        })
        .collect();
    let [value, share] = worth_columns(model, theme, all, |row: &HoldingRow<'_>| RowWorth {
        worth: row.worth,
        is_partial: false,
        style: row.style,
    });
    let columns = [
        // The mark comes before the symbol, as among transactions.
        HoldingColumn::left("Token", 7).cell(|row, _| {
            if row.holding.suspicious {
                Cell::text(format!("?{}", row.holding.symbol), theme.warn)
            } else {
                Cell::text(row.holding.symbol.as_str(), theme.accent)
            }
        }),
        HoldingColumn::left("Chain", 10)
            .cell(|row, _| Cell::text(chain_display_name(&row.holding.token.blockchain), theme.text)),
        HoldingColumn::amount("Amount", 16).grow_to(44).cell(|row, _| {
            let amount = row.holding.amount.as_ref().map(|amount| Figure::new(amount, Sign::None));
            let style = if amount.is_some() { row.style } else { theme.dim };
            Cell::amount(amount, style)
        }),
        value,
        share,
        // The title states the common basis; a row only a different one.
        HoldingColumn::left(if differs { "Basis" } else { "" }, 8)
            .rank(3)
            .used_if(differs)
            .cell(|row, _| Cell::text(basis_unless_common(row.holding, common).unwrap_or_default(), theme.dim)),
        HoldingColumn::left(format!("{WEEK_DAYS} d"), WEEK_DAYS)
            .rank(4)
            .used_if(history.is_some())
            .cell(|row, _| Cell::text(row.week.as_str(), theme.dim)),
        HoldingColumn::right("Change", 7)
            .rank(5)
            .used_if(history.is_some())
            .cell(|row, _| Cell::text(row.change.as_str(), theme.dim)),
    ];
    Table::fit(columns, area).draw(theme, &rows, Highlight::Whole, focused, buf);
}

/// The basis of a figure, where it is not the one that the title states.
fn basis_unless_common(holding: &Holding, common: Option<BalanceBasis>) -> Option<&'static str> {
    match (&holding.amount, holding.basis) {
        (Some(ReportedAmount::Disputed { .. }), _) => Some("disputed"),
        (None, _) | (_, BalanceBasis::Unknown) => Some("unknown"),
        (_, basis) if Some(basis) == common => None,
        (_, BalanceBasis::Reported) => Some("reported"),
        (_, BalanceBasis::Assumed) => Some("assumed"),
        (_, BalanceBasis::Derived) => Some("derived"),
    }
}
