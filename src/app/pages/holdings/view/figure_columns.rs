//! The columns of value, share of the total, and last week of balances.

use ratatui::style::Style;

use crate::app::data::charts::WEEK_DAYS;
use crate::app::data::prices;
use crate::app::model::Model;
use crate::domain::balance_history::closing_balances;
use crate::domain::{Amount, BalanceHistory, Day, Holding, RateChange, ReportedAmount, ValuationAmount, ValueShare};
use crate::ui::Theme;
use crate::ui::chart::{heights_from_zero, sparkline_text};
use crate::ui::table::{Cell, Column};

/// Value and share of the total.
pub(in crate::app::pages) struct FigureColumns<'a> {
    model: &'a Model,
    total: Option<ValuationAmount>,
}

impl<'a> FigureColumns<'a> {
    pub(in crate::app::pages) fn new(model: &'a Model, all: &[Holding]) -> Self {
        // While prices are still being read there are no shares: they would shrink with each price.
        let whole = model.data.prices.value_holdings(all);
        let total = whole.total.filter(|_| whole.missing == 0 || !prices::is_awaiting_prices(model, all));
        Self { model, total }
    }

    pub(in crate::app::pages) fn columns(&self) -> [Column<'a>; 2] {
        let valuation = self.model.data.prices.settings.valuation.as_ref();
        let head = valuation.map_or_else(String::new, |symbol| format!("≈ {symbol}"));
        [Column::right(head, 7).used_if(valuation.is_some()), Column::right("Share", 6).used_if(valuation.is_some())]
    }

    /// The value of a row, with a `+` where a part of it is unpriced, and its share of the whole.
    pub(in crate::app::pages) fn cells(
        &self,
        theme: &Theme,
        worth: Option<ValuationAmount>,
        is_partial: bool,
        style: Style,
    ) -> [Cell<'static>; 2] {
        let more = if is_partial { "+" } else { "" };
        let value = match worth {
            Some(worth) => Cell::text(format!("{}{more}", worth.format_short()), style),
            None => Cell::text("—", theme.dim),
        };
        let share = worth.zip(self.total).and_then(|(worth, total)| worth.share_of(total));
        [value, Cell::text(share.map(ValueShare::format_percent).unwrap_or_default(), theme.text)]
    }
}

/// The last days of a balance as a sparkline, today last, and how much it changed over them.
pub(super) fn week_of_holding(model: &Model, past: &BalanceHistory, holding: &Holding) -> (String, String) {
    let today = Day::from_timestamp(model.now);
    let closings =
        closing_balances(past.since, today, holding.amount.as_ref(), past.is_complete, past.token(&holding.token));
    let shown = closings.len().saturating_sub(usize::from(WEEK_DAYS));
    let amounts: Vec<_> = closings.iter().skip(shown).map(|closing| closing.amount).collect();
    if amounts.iter().all(Option::is_none) || holding.amount.as_ref().and_then(ReportedAmount::exact).is_none() {
        return (String::new(), String::new());
    }
    let mut known = amounts.iter().flatten().filter_map(|amount| ValuationAmount::from_amount(*amount));
    let change = known.next().and_then(|first| known.next_back()?.change_since(first)?.percentage());
    let change = change.map(RateChange::format_percent).unwrap_or_default();
    let raws: Vec<_> = amounts.iter().map(|amount| amount.map(Amount::raw)).collect();
    let heights = heights_from_zero(&raws, 7);
    let known = || heights.iter().flatten();
    // A balance that did not move is a line; it differs from a moving one and from unknown days.
    if known().min() == known().max() {
        return (heights.iter().map(|height| if height.is_some() { '─' } else { '·' }).collect(), change);
    }
    (sparkline_text(heights.into_iter()), change)
}
