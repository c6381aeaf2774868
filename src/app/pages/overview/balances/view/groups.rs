//! ```text
//!  Token                        Amount  ≈ USDT   share
//! ▌USDC     5 chains     2,244,095.220145   2.24M   26.6%
//!  USDT     3 chains     2,068,952.214      2.07M   24.6%
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::side_columns::SideColumns;
use crate::app::model::Model;
use crate::app::pages::overview::balances::group_name;
use crate::app::pages::overview::balances::grouping::{BalanceGroup, BalanceGrouping, GroupKey};
use crate::app::pages::view::{NOTHING_MATCHES, draw_empty_message};
use crate::app::screen::Pane;
use crate::domain::ReportedAmount;
use crate::domain::history::RowCount;
use crate::ui::figure::{AmountColumn, Figure, Sign};
use crate::ui::{Row, Theme, paint};

const SYMBOL_WIDTH: u16 = 8;
const COUNT_WIDTH: u16 = 11;

pub(super) fn draw_groups(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let listing = &model.balances.groups;
    if listing.count() == RowCount::Exact(0) {
        let nothing = if model.balances.filter.is_empty() { "no balances are known here" } else { NOTHING_MATCHES };
        return draw_empty_message(model, theme, area, buf, listing.is_loaded(), nothing);
    }
    let grouping = model.balances.grouping;
    let has_amounts = grouping == BalanceGrouping::Token;
    let figure = |group: &BalanceGroup| {
        group.amount.filter(|_| has_amounts).map(|sum| Figure::new(&ReportedAmount::Exact(sum), Sign::None))
    };
    let rows: Vec<(&BalanceGroup, bool, Option<Figure>)> =
        listing.visible_rows().map(|(group, selected)| (group, selected, figure(group))).collect();
    // Names are as wide as the room beside the figures; symbols are short.
    let figures_width = if model.prices.settings.valuation.is_some() { SideColumns::FIGURES_WIDTH } else { 0 };
    let name_width =
        if has_amounts { SYMBOL_WIDTH } else { area.width.saturating_sub(COUNT_WIDTH + figures_width + 3).min(32) };
    let count_at = area.x + 1 + name_width + 1;
    let amount_at = count_at + COUNT_WIDTH + 1;
    let room = area.right().saturating_sub(amount_at);
    let column = AmountColumn::fit(rows.iter().filter_map(|(.., figure)| figure.as_ref()), room);
    let column = SideColumns::fit_amount_column(model, column, room);
    let amount_width = if has_amounts { column.width().max(6) } else { 0 };
    let (head, noun) = match grouping {
        BalanceGrouping::Token | BalanceGrouping::TokenAndChain => ("Token", "chain"),
        BalanceGrouping::Chain => ("Chain", "token"),
        BalanceGrouping::Account => ("Account", "balance"),
        BalanceGrouping::Wallet => ("Wallet", "token"),
    };
    paint::put(buf, area.x + 1, area.y, name_width, head, theme.dim);
    if has_amounts {
        paint::put_right(buf, amount_at + amount_width, area.y, 6, "Amount", theme.dim);
    }
    let columns = SideColumns::fit_between(model, &model.balances.all, None, amount_at + amount_width, area.right());
    columns.draw_heads(theme, area.y, buf);
    for (index, (group, selected, figure)) in (1_u16..area.height).zip(rows) {
        let row = Row::new(buf, theme, area, index, selected, model.focus() == Pane::Balances);
        let style = if matches!(group.key, GroupKey::Token(_)) { theme.accent } else { theme.text };
        paint::put(buf, row.x, row.y, name_width, &group_name(model, &group.key), row.style_over(style));
        let count = format!("{} {noun}{}", group.count, if group.count == 1 { "" } else { "s" });
        paint::put(buf, count_at, row.y, COUNT_WIDTH, &count, row.style_over(theme.dim));
        match figure {
            Some(figure) => column.put(buf, amount_at, row.y, &figure, row.style_over(theme.text)),
            None if has_amounts => column.put_unknown(buf, amount_at, row.y, row.style_over(theme.dim)),
            None => {}
        }
        columns.draw_worth(theme, row, group.worth, group.missing > 0, theme.text, buf);
    }
}
