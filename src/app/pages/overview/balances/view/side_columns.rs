//! The columns beside an amount, where there is room: value, share of the total, last week. The amount comes first; the
//! last column gives way first.

use ratatui::buffer::Buffer;
use ratatui::style::Style;

use crate::app::data::charts::WEEK_DAYS;
use crate::app::data::prices;
use crate::app::model::Model;
use crate::domain::balance_history::closing_balances;
use crate::domain::{Amount, BalanceHistory, Day, Holding, ReportedAmount, ValuationAmount};
use crate::ui::chart::{heights_from_zero, sparkline_text};
use crate::ui::figure::AmountColumn;
use crate::ui::{Row, Theme, paint};

const VALUE_WIDTH: u16 = 6;
const SHARE_WIDTH: u16 = 6;

/// The left edges of the columns; a column without one is not shown.
pub(super) struct SideColumns<'a> {
    model: &'a Model,
    history: Option<&'a BalanceHistory>,
    total: Option<ValuationAmount>,
    value: Option<u16>,
    share: Option<u16>,
    week: Option<u16>,
}

impl<'a> SideColumns<'a> {
    /// The columns of value and share, with their gaps.
    pub(super) const FIGURES_WIDTH: u16 = 2 + VALUE_WIDTH + 2 + SHARE_WIDTH;

    /// The column of amounts, which would be as wide as `whole`. Where not everything fits, long fractions are cut in
    /// favour of the other columns, as far as is readable: else one token with 18 digits would hide the values of all
    /// others.
    pub(super) fn fit_amount_column(model: &Model, whole: AmountColumn, room: u16) -> AmountColumn {
        let valued = model.prices.settings.valuation.is_some();
        let value = if valued { 2 + VALUE_WIDTH } else { 0 };
        let share = if valued { 1 + SHARE_WIDTH } else { 0 };
        if whole.width() + value <= room {
            return whole;
        }
        let beside = [value + share, value].into_iter();
        beside.map(|aside| room.saturating_sub(aside)).find_map(|room| whole.shrink_to(room)).unwrap_or(whole)
    }

    /// Lays the columns out between `from` and `to`; the last week is shown where `past` is known.
    pub(super) fn fit_between(
        model: &'a Model,
        held: &[Holding],
        history: Option<&'a BalanceHistory>,
        from: u16,
        to: u16,
    ) -> Self {
        let mut x = from;
        let mut next = |gap: u16, width: u16, wanted: bool| {
            let fits = wanted && x + gap + width <= to;
            let at = fits.then_some(x + gap);
            x = if fits { x + gap + width } else { x };
            at
        };
        // Where there is plenty of room, the gaps are wider.
        let gap = if to.saturating_sub(from) >= 26 { 2 } else { 1 };
        let valued = model.prices.settings.valuation.is_some();
        let value = next(2, VALUE_WIDTH, valued);
        let share = next(gap, SHARE_WIDTH, value.is_some());
        let week = next(gap, WEEK_DAYS, history.is_some() && (value.is_some() || !valued));
        // While prices are still being read there are no shares: they would shrink with each price.
        let whole = model.prices.value_holdings(held);
        let total = whole.total.filter(|_| whole.missing == 0 || !prices::is_awaiting_prices(model, held));
        Self { model, history, total, value, share, week }
    }

    pub(super) fn draw_heads(&self, theme: &Theme, y: u16, buf: &mut Buffer) {
        if let (Some(x), Some(symbol)) = (self.value, &self.model.prices.settings.valuation) {
            paint::put_right(buf, x + VALUE_WIDTH, y, VALUE_WIDTH + 1, &format!("≈ {symbol}"), theme.dim);
        }
        if let Some(x) = self.share {
            paint::put_right(buf, x + SHARE_WIDTH, y, SHARE_WIDTH, "share", theme.dim);
        }
        if let Some(x) = self.week {
            paint::put_right(buf, x + WEEK_DAYS, y, WEEK_DAYS, &format!("{WEEK_DAYS} d"), theme.dim);
        }
    }

    /// Draws the value of a row, with a `+` where a part of it is unpriced, and its share of the whole.
    pub(super) fn draw_worth(
        &self,
        theme: &Theme,
        row: Row,
        worth: Option<ValuationAmount>,
        is_partial: bool,
        figure: Style,
        buf: &mut Buffer,
    ) {
        if let Some(x) = self.value {
            let more = if is_partial { "+" } else { "" };
            let (words, style) = match worth {
                Some(worth) => (format!("{}{more}", worth.format_short()), figure),
                None => ("—".into(), theme.dim),
            };
            paint::put_right(buf, x + VALUE_WIDTH, row.y, VALUE_WIDTH + 1, &words, row.style_over(style));
        }
        if let (Some(x), Some(share)) =
            (self.share, worth.zip(self.total).and_then(|(worth, total)| worth.share_of(total)))
        {
            let percent = share.format_percent();
            paint::put_right(buf, x + SHARE_WIDTH, row.y, SHARE_WIDTH, &percent, row.style_over(theme.text));
        }
    }

    pub(super) fn draw_week(&self, theme: &Theme, row: Row, holding: &Holding, buf: &mut Buffer) {
        if let (Some(x), Some(past)) = (self.week, self.history) {
            paint::put(buf, x, row.y, WEEK_DAYS, &week_sparkline(self.model, past, holding), row.style_over(theme.dim));
        }
    }
}

/// The last days of a balance as a sparkline, today last.
fn week_sparkline(model: &Model, past: &BalanceHistory, holding: &Holding) -> String {
    let today = Day::from_timestamp(model.now);
    let closings =
        closing_balances(past.since, today, holding.amount.as_ref(), past.is_complete, past.token(&holding.token));
    let shown = closings.len().saturating_sub(usize::from(WEEK_DAYS));
    let raws: Vec<_> = closings.iter().skip(shown).map(|closing| closing.amount.map(Amount::raw)).collect();
    if raws.iter().all(Option::is_none) || holding.amount.as_ref().and_then(ReportedAmount::exact).is_none() {
        return String::new();
    }
    let heights = heights_from_zero(&raws, 7);
    let known = || heights.iter().flatten();
    // A balance that did not move is a line; it differs from a moving one and from unknown days.
    if known().min() == known().max() {
        return heights.iter().map(|height| if height.is_some() { '─' } else { '·' }).collect();
    }
    sparkline_text(heights.into_iter())
}
