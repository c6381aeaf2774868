//! The columns of value, share of the total, and last week of balances.

use ratatui::style::Style;

use crate::app::data::analyses::WEEK_DAYS;
use crate::app::data::prices;
use crate::app::model::Model;
use crate::domain::balance_history::closing_balances;
use crate::domain::{Amount, BalanceHistory, Day, Holding, RateChange, ReportedAmount, ValuationAmount, ValueShare};
use crate::ui::Theme;
use crate::ui::chart::{heights_from_zero, sparkline_text};
use crate::ui::table::{Cell, Column};

/// The value of a row.
pub(in crate::app::pages) struct RowWorth {
    pub worth: Option<ValuationAmount>,
    /// Whether a part of it is unpriced, which a `+` says.
    pub is_partial: bool,
    pub style: Style,
}

/// The value of a row and its share of all holdings.
pub(in crate::app::pages) fn worth_columns<'a, R: 'a>(
    model: &'a Model,
    theme: &'a Theme,
    all: &[Holding],
    worth: impl Fn(&'a R) -> RowWorth + Copy + 'a,
) -> [Column<'a, R>; 2] {
    // While prices are still being read there are no shares: they would shrink with each price.
    let whole = model.data.prices.value_holdings(all);
    let total = whole.total.filter(|_| whole.missing == 0 || !prices::is_awaiting_prices(model, all));
    let valuation = model.data.prices.settings.valuation.as_ref();
    let head = valuation.map_or_else(String::new, |symbol| format!("≈ {symbol}"));
    [
        Column::right(head, 7).rank(1).used_if(valuation.is_some()).cell(move |row, _| {
            let RowWorth { worth, is_partial, style } = worth(row);
            let more = if is_partial { "+" } else { "" };
            match worth {
                Some(worth) => Cell::text(format!("{}{more}", worth.format_short()), style),
                None => Cell::text("—", theme.dim),
            }
        }),
        Column::right("Share", 6).rank(2).used_if(valuation.is_some()).cell(move |row, _| {
            let share = worth(row).worth.zip(total).and_then(|(worth, total)| worth.share_of(total));
            Cell::text(share.map(ValueShare::format_percent).unwrap_or_default(), theme.text)
        }),
    ]
}

/// The last days of a balance as a sparkline, today last, and how much it changed over them.
pub(super) fn week_of_holding(model: &Model, past: &BalanceHistory, holding: &Holding) -> (String, String) {
    let today = Day::from_timestamp(model.now);
    let closings =
        closing_balances(past.since, today, holding.amount.as_ref(), past.is_complete, past.token(&holding.token));
    let skipped_days = closings.len().saturating_sub(usize::from(WEEK_DAYS));
    let amounts: Vec<_> = closings.iter().skip(skipped_days).map(|closing| closing.amount).collect();
    if amounts.iter().all(Option::is_none) || holding.amount.as_ref().and_then(ReportedAmount::exact).is_none() {
        return (String::new(), String::new());
    }
    let mut worths = amounts.iter().flatten().filter_map(|amount| ValuationAmount::from_amount(*amount));
    let change = worths.next().and_then(|first| worths.next_back()?.change_since(first)?.percentage());
    let change = change.map(RateChange::format_percent).unwrap_or_default();
    let raws: Vec<_> = amounts.iter().map(|amount| amount.map(Amount::raw)).collect();
    let heights = heights_from_zero(&raws, 7);
    let drawn_heights = || heights.iter().flatten();
    // A balance that did not move is a line; it differs from a moving one and from unknown days.
    if drawn_heights().min() == drawn_heights().max() {
        return (heights.iter().map(|height| if height.is_some() { '─' } else { '·' }).collect(), change);
    }
    (sparkline_text(heights.into_iter()), change)
}
