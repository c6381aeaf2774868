//! ```text
//!  Token   Chain                Amount  ≈ USDT  Share 7 d      Change
//! ▌USDT    Ethereum  1,204,331.204512   1.20M  26.6% ▁▂▃▅▆▇█  +4.20%
//!  ETH     Ethereum        210.000412    612k  13.5% ▅▅▄▄▃▃▁  −1.00%
//! ```

mod groups;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::pane::BalancesPane;
use crate::app::data::prices;
use crate::app::model::Model;
use crate::app::pages::group_thousands;
use crate::app::pages::holdings::view::{BalanceTable, draw_balance_rows, read_failure_notes, suspicious_note};
use crate::app::pages::overview::balances::grouping::{BalanceGrouping, MAX_SUMMED_WALLETS};
use crate::app::pages::pane::view::PaneView;
use crate::app::pages::view::sum_line::{Signs, SumLine};
use crate::app::pages::view::{NOTHING_MATCHES, draw_empty_message, is_list_focused, new_pane_title, scroll_position};
use crate::app::screen::Pane;
use crate::domain::BalanceBasis;
use crate::domain::duration;
use crate::domain::history::RowCount;
use crate::domain::{Amount, Holding, ListSum, ReportedAmount, RowSum};
use crate::ui::chrome::PaneTitle;
use crate::ui::{Theme, paint};

impl PaneView for BalancesPane {
    fn name(&self) -> &'static str {
        "Balances"
    }

    /// The title and its notes: age and basis of the figures, value, number of hidden tokens.
    fn title(&self, model: &Model, theme: &Theme) -> PaneTitle {
        let scope = model.scope_name(&model.pages.overview.balances.scope);
        let grouping = model.pages.overview.balances.grouping;
        let by = if grouping == BalanceGrouping::TokenAndChain { "" } else { &format!(" · {}", grouping.label()) };
        let mut head = new_pane_title(model, Pane::Balances, format!("Balances · {scope}{by}"));
        if model.pages.overview.balances.groups.count().number() >= u64::from(MAX_SUMMED_WALLETS) {
            head.notes
                .push((format!("the first {} wallets", group_thousands(u64::from(MAX_SUMMED_WALLETS))), theme.warn));
        }
        if !model.pages.overview.balances.filter.is_empty() {
            head.notes.push((format!("/{}", model.pages.overview.balances.filter), theme.accent));
        }
        let rows = model.pages.overview.balances.listing.rows();
        let oldest = rows.iter().filter_map(|holding| holding.as_of).min();
        match model.balances_age(oldest) {
            Some((age, true)) => head.notes.push((format!("stale {}", duration::format_age(age)), theme.warn)),
            Some((age, false)) => head.notes.push((format!("oldest {}", duration::format_age(age)), theme.dim)),
            None => {}
        }
        head.notes.extend(
            model.as_of_label(model.pages.overview.balances.all.iter()).map(|age_label| (age_label, theme.warn)),
        );
        head.notes.extend(read_failure_notes(model, theme));
        // What is hidden is stated before the value: where room is short, the last notes are dropped.
        head.notes.extend(suspicious_note(model, theme, &model.pages.overview.balances.all));
        // The value of what a filter shows is in its sum, below the list.
        if model.pages.overview.balances.filter.is_empty() {
            head.notes.extend(total_value_note(model, theme));
        }
        match weakest_balance_basis(model) {
            Some(BalanceBasis::Assumed) => head.notes.push(("assumed".into(), theme.dim)),
            Some(BalanceBasis::Derived) => head.notes.push(("calculated from history".into(), theme.dim)),
            Some(BalanceBasis::Reported | BalanceBasis::Unknown) | None => {}
        }
        let position = match model.pages.overview.balances.grouping {
            BalanceGrouping::TokenAndChain => scroll_position(&model.pages.overview.balances.listing),
            BalanceGrouping::Token | BalanceGrouping::Chain | BalanceGrouping::Account | BalanceGrouping::Wallet => {
                scroll_position(&model.pages.overview.balances.groups)
            }
        };
        if let Some(note) = position {
            head.notes.push((note, theme.dim));
        }
        head
    }

    fn sum_line(&self, model: &Model) -> SumLine {
        let row_sum = |holding: &Holding| {
            let amount = holding.amount.as_ref().and_then(ReportedAmount::exact);
            RowSum {
                symbol: holding.symbol.clone(),
                suspicious: holding.suspicious,
                incoming: amount,
                outgoing: amount.map(|amount| Amount::zero(amount.decimals())),
                rows: u64::from(amount.is_some()),
                internal: [None; 2],
                internal_rows: 0,
                unclear: u64::from(amount.is_none()),
                failed: 0,
                fees: Vec::new(),
            }
        };
        let sums: Vec<RowSum> = model.pages.overview.balances.listing.rows().iter().map(row_sum).collect();
        SumLine::new(model, &ListSum::new(&sums), Signs::Hidden, "balance", &[])
    }

    fn draw(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
        if model.pages.overview.balances.grouping != BalanceGrouping::TokenAndChain {
            return groups::draw_groups(model, theme, area, buf);
        }
        let listing = &model.pages.overview.balances.listing;
        if listing.count() == RowCount::Exact(0) {
            // Even if the last read failed: there are balances, and the filter hides them.
            if !model.pages.overview.balances.filter.is_empty() && !model.pages.overview.balances.all.is_empty() {
                return paint::put_centered(buf, area, NOTHING_MATCHES, theme.dim);
            }
            if let Some(failure) = model.balances_failure() {
                return paint::put_centered(buf, area, &format!("not read: {failure}"), theme.warn);
            }
            return draw_empty_message(model, theme, area, buf, listing.is_loaded(), "no balances are known here");
        }
        let table = BalanceTable {
            listing,
            all: &model.pages.overview.balances.all,
            common_basis: weakest_balance_basis(model),
            history: model.data.analyses.past_week_balances(&model.pages.overview.balances.scope),
            focused: is_list_focused(model, Pane::Balances, listing),
            is_sum: true,
        };
        draw_balance_rows(model, theme, &table, area, buf);
    }
}

/// The total value, and the time of its oldest price; a `+` where a part is unpriced, as among the accounts. While
/// prices are still being read it is marked “so far”.
fn total_value_note(model: &Model, theme: &Theme) -> Option<(String, Style)> {
    if let Some(symbol) = prices::unlisted_valuation(model) {
        return Some((format!("no prices: {symbol} is not listed"), theme.warn));
    }
    let symbol = model.data.prices.settings.valuation.as_ref()?;
    let value = model.data.prices.value_holdings(&model.pages.overview.balances.all);
    let total = value.total?;
    if value.missing > 0 && prices::is_awaiting_prices(model, &model.pages.overview.balances.all) {
        return Some((format!("≈{} {symbol} so far", total.format_short()), theme.dim));
    }
    let at = value.at.map(|at| model.console.zone.format(at, " %H:%M")).unwrap_or_default();
    let more = if value.missing > 0 { "+" } else { "" };
    let old = value.at.is_some_and(|at| at.age(model.now) > prices::OLD_PRICE_AGE);
    let style = if old { theme.warn } else { theme.text };
    Some((format!("≈{}{more} {symbol}{at}", total.format_short()), style))
}

/// The weakest basis of the known figures.
fn weakest_balance_basis(model: &Model) -> Option<BalanceBasis> {
    let holdings = model.pages.overview.balances.listing.rows().iter().filter(|holding| holding.amount.is_some());
    holdings.map(|holding| holding.basis).max()
}
