//! ```text
//!  Token   Chain                Amount  ≈ USDT  Share 7 d      Change
//! ▌USDT    Ethereum  1,204,331.204512   1.20M  26.6% ▁▂▃▅▆▇█  +4.20%
//!  ETH     Ethereum        210.000412    612k  13.5% ▅▅▄▄▃▃▁  −1.00%
//! ```

mod figure_columns;
mod groups;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::data::charts::WEEK_DAYS;
use crate::app::data::link;
use crate::app::data::prices;
use crate::app::listing::Listing;
use crate::app::model::Model;
use crate::app::pages::group_thousands;
use crate::app::pages::overview::balances::grouping::{BalanceGrouping, MAX_SUMMED_WALLETS};
use crate::app::pages::view::{NOTHING_MATCHES, draw_empty_message, is_list_focused, new_pane_title, scroll_position};
use crate::app::screen::Pane;
use crate::domain::chain::chain_display_name;
use crate::domain::history::RowCount;
use crate::domain::{BalanceBasis, BalanceHistory, Failure, FailureReason, Holding, ReportedAmount};
use crate::ui::chrome::PaneTitle;
use crate::ui::figure::{Figure, Sign};
use crate::ui::table::{Cell, Column, Highlight, Table, TableRow};
use crate::ui::{Theme, paint};
use figure_columns::{FigureColumns, week_of_holding};

/// The title and its notes: age and basis of the figures, value, number of hidden tokens.
pub fn pane_title(model: &Model, theme: &Theme) -> PaneTitle {
    let whose = model.scope_name(&model.pages.overview.balances.scope);
    let grouping = model.pages.overview.balances.grouping;
    let by = if grouping == BalanceGrouping::TokenAndChain { "" } else { &format!(" · {}", grouping.label()) };
    let mut head = new_pane_title(model, Pane::Balances, format!("Balances · {whose}{by}"));
    if model.pages.overview.balances.groups.count().number() >= u64::from(MAX_SUMMED_WALLETS) {
        head.notes.push((format!("the first {} wallets", group_thousands(u64::from(MAX_SUMMED_WALLETS))), theme.warn));
    }
    if !model.pages.overview.balances.filter.is_empty() {
        head.notes.push((format!("/{}", model.pages.overview.balances.filter), theme.accent));
    }
    let shown = model.pages.overview.balances.listing.rows();
    let oldest = shown.iter().filter_map(|holding| holding.as_of).min();
    match model.balances_age(oldest) {
        Some((age, true)) => head.notes.push((format!("stale {}", link::format_age(age)), theme.warn)),
        Some((age, false)) => head.notes.push((format!("oldest {}", link::format_age(age)), theme.dim)),
        None => {}
    }
    head.notes.extend(model.as_of_label(model.pages.overview.balances.all.iter()).map(|words| (words, theme.warn)));
    head.notes.extend(read_failure_notes(model, theme));
    // What is hidden is stated before the value: where room is short, the last notes are dropped.
    head.notes.extend(suspicious_note(model, theme, &model.pages.overview.balances.all));
    // The value of what a filter shows is in its sum, below the list.
    if model.pages.overview.balances.filter.is_empty() {
        head.notes.extend(total_value_note(model, theme));
    }
    match weakest_basis(model) {
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

/// Why the balances on screen were not read, unless the connection is down.
pub fn read_failure_notes(model: &Model, theme: &Theme) -> Vec<(String, Style)> {
    let words = match model.balances_failure() {
        None => Vec::new(),
        Some(Failure { reason: FailureReason::NotFound, .. }) => vec!["unknown to the service".to_owned()],
        Some(failure) => vec!["not read".to_owned(), failure.reason.to_string()],
    };
    words.into_iter().map(|words| (words, theme.warn)).collect()
}

/// The number of imitation tokens, and whether they are hidden.
pub fn suspicious_note(model: &Model, theme: &Theme, all: &[Holding]) -> Option<(String, Style)> {
    let count = all.iter().filter(|holding| holding.suspicious).count();
    let word = if model.pages.shows_suspicious { "suspicious" } else { "hidden" };
    (count > 0).then(|| (format!("{count} {word} (h)"), theme.warn))
}

pub fn view(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
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
    let shown = BalanceTable {
        listing,
        all: &model.pages.overview.balances.all,
        common_basis: weakest_basis(model),
        history: model.data.charts.past_week(&model.pages.overview.balances.scope),
        focused: is_list_focused(model, Pane::Balances, listing),
        is_sum: true,
    };
    draw_balance_rows(model, theme, &shown, area, buf);
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
        model.staleness(holding.as_of).is_some()
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

pub fn draw_balance_rows(model: &Model, theme: &Theme, shown: &BalanceTable<'_>, area: Rect, buf: &mut Buffer) {
    let BalanceTable { listing, all, common_basis: common, history, focused, is_sum: _ } = *shown;
    let differs = listing.visible_rows().any(|(holding, _)| deviating_basis(holding, common).is_some());
    let figures = FigureColumns::new(model, all);
    let [value, share] = figures.columns();
    let columns = [
        Column::left("Token", 7),
        Column::left("Chain", 10),
        Column::amount("Amount", 16).grow_to(44),
        value.rank(1),
        share.rank(2),
        Column::left(if differs { "Basis" } else { "" }, 8).rank(3).used_if(differs),
        Column::left(format!("{WEEK_DAYS} d"), WEEK_DAYS).rank(4).used_if(history.is_some()),
        Column::right("Change", 7).rank(5).used_if(history.is_some()),
    ];
    let rows: Vec<_> = listing
        .visible_rows()
        .map(|(holding, selected)| {
            let style = if shown.is_stale(model, holding) { theme.dim } else { theme.text };
            // The mark comes before the symbol, as among transactions.
            let token = if holding.suspicious {
                Cell::text(format!("?{}", holding.symbol), theme.warn)
            } else {
                Cell::text(holding.symbol.as_str(), theme.accent)
            };
            let amount = holding.amount.as_ref().map(|amount| Figure::new(amount, Sign::None));
            let amount_style = if amount.is_some() { style } else { theme.dim };
            let [value, share] = figures.cells(theme, model.data.prices.worth_of_holding(holding), false, style);
            let (week, change) =
                history.map_or_else(Default::default, |history| week_of_holding(model, history, holding));
            // The title states the common basis; a row only a different one.
            let basis = deviating_basis(holding, common).unwrap_or_default();
            let cells = [
                token,
                Cell::text(chain_display_name(&holding.token.blockchain), theme.text),
                Cell::amount(amount, amount_style),
                value,
                share,
                Cell::text(basis, theme.dim),
                Cell::text(week, theme.dim),
                Cell::text(change, theme.dim),
            ];
            TableRow { cells, selected }
        })
        .collect();
    Table::fit(columns, area).draw(theme, &rows, Highlight::Whole, focused, buf);
}

/// The weakest basis of the known figures.
fn weakest_basis(model: &Model) -> Option<BalanceBasis> {
    let known = model.pages.overview.balances.listing.rows().iter().filter(|holding| holding.amount.is_some());
    known.map(|holding| holding.basis).max()
}

/// The basis of a figure, where it is not the one that the title states.
fn deviating_basis(holding: &Holding, common: Option<BalanceBasis>) -> Option<&'static str> {
    match (&holding.amount, holding.basis) {
        (Some(ReportedAmount::Disputed { .. }), _) => Some("disputed"),
        (None, _) | (_, BalanceBasis::Unknown) => Some("unknown"),
        (_, basis) if Some(basis) == common => None,
        (_, BalanceBasis::Reported) => Some("reported"),
        (_, BalanceBasis::Assumed) => Some("assumed"),
        (_, BalanceBasis::Derived) => Some("derived"),
    }
}
