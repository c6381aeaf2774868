//! ```text
//!  Token                        Amount  ≈ USDT   Share
//! ▌USDC     5 chains     2,244,095.220145   2.24M   26.6%
//!  USDT     3 chains     2,068,952.214      2.07M   24.6%
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::model::Model;
use crate::app::pages::holdings::view::worth::{RowWorth, worth_columns};
use crate::app::pages::overview::balances::group_name;
use crate::app::pages::overview::balances::grouping::{BalanceGroup, BalanceGrouping, GroupKey};
use crate::app::pages::view::{NOTHING_MATCHES, draw_empty_message, is_list_focused};
use crate::app::screen::Pane;
use crate::domain::ReportedAmount;
use crate::domain::history::RowCount;
use crate::ui::Theme;
use crate::ui::figure::{Figure, Sign};
use crate::ui::table::{Cell, Column, Highlight, Table};

/// A column of the sums of balances.
type GroupColumn<'a> = Column<'a, &'a BalanceGroup>;

pub(super) fn draw_groups(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let listing = &model.pages.overview.balances.groups;
    if listing.count() == RowCount::Exact(0) {
        let nothing = if model.pages.overview.balances.filter.is_empty() {
            "no balances are known here"
        } else {
            NOTHING_MATCHES
        };
        return draw_empty_message(model, theme, area, buf, listing.is_loaded(), nothing);
    }
    let grouping = model.pages.overview.balances.grouping;
    let has_amounts = grouping == BalanceGrouping::Token;
    let (head, noun, width) = match grouping {
        BalanceGrouping::Token | BalanceGrouping::TokenAndChain => ("Token", "chain", 8),
        BalanceGrouping::Chain => ("Chain", "token", 16),
        BalanceGrouping::Account => ("Account", "balance", 16),
        BalanceGrouping::Wallet => ("Wallet", "token", 16),
    };
    let rows: Vec<_> = listing.visible_rows().collect();
    let all = &model.pages.overview.balances.all;
    let [value, share] = worth_columns(model, theme, all, |group: &&BalanceGroup| RowWorth {
        worth: group.worth,
        is_partial: group.missing > 0,
        style: theme.text,
    });
    let name = GroupColumn::left(head, width);
    let columns = [
        if has_amounts { name } else { name.grow_to(32) }.cell(|group, _| {
            let style = if matches!(group.key, GroupKey::Token(_)) { theme.accent } else { theme.text };
            Cell::name(group_name(model, &group.key), style)
        }),
        GroupColumn::left("", 11).rank(if has_amounts { 3 } else { 1 }).cell(|group, _| {
            let count = format!("{} {noun}{}", group.count, if group.count == 1 { "" } else { "s" });
            Cell::text(count, theme.dim)
        }),
        GroupColumn::amount("Amount", 16).grow_to(44).used_if(has_amounts).cell(|group, _| {
            let amount = group.amount.map(|sum| Figure::new(&ReportedAmount::Exact(sum), Sign::None));
            let style = if amount.is_some() { theme.text } else { theme.dim };
            Cell::amount(amount, style)
        }),
        value,
        share,
    ];
    Table::fit(columns, area).draw(
        theme,
        &rows,
        Highlight::Whole,
        is_list_focused(model, Pane::Balances, listing),
        buf,
    );
}
