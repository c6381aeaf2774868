//! ```text
//!  Coin          Balance          Frozen  Changed
//! ▌USDT       1,204.3312      25.000000   12:03:20
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::panes::AssetsPane;
use super::{coin_cell, draw_empty_pane_note, list_notes, title_with_notes};
use crate::app::model::Model;
use crate::app::pages::pane::view::PaneView;
use crate::app::pages::users::part_notes::{empty_v1_note, selected_user_report};
use crate::app::pages::users::{CachedPart, part_staleness};
use crate::app::pages::view::{is_list_focused, scroll_position};
use crate::app::screen::Pane;
use crate::app::transaction_text::format_list_time;
use crate::domain::ReportedAmount;
use crate::domain::history::RowCount;
use crate::domain::v1::AssetBalance;
use crate::ui::Theme;
use crate::ui::chrome::PaneTitle;
use crate::ui::figure::{Figure, Sign};
use crate::ui::table::{Cell, Column, Highlight, Table};

/// A column of the balances of version 1.
type AssetColumn<'a> = Column<'a, &'a AssetBalance>;

impl PaneView for AssetsPane {
    fn name(&self) -> &'static str {
        "Assets"
    }

    fn title(&self, model: &Model, theme: &Theme) -> PaneTitle {
        let notes = selected_user_report(model).map_or_else(Vec::new, |report| list_notes(model, &report.assets));
        title_with_notes(
            model,
            theme,
            Pane::Assets,
            "Assets v1".into(),
            scroll_position(&model.pages.users.assets),
            notes,
        )
    }

    /// The version 1 balances of a user: spendable and frozen.
    fn draw(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let assets = &model.pages.users.assets;
        let part = selected_user_report(model).map(|memory| &memory.assets);
        if assets.count() == RowCount::Exact(0) {
            return draw_empty_pane_note(theme, area, empty_v1_note(model, part, "no balances"), buf);
        }
        let stale = part.and_then(CachedPart::read_at).and_then(|at| part_staleness(model, at)).is_some();
        let figure = |amount: &Option<ReportedAmount>| amount.as_ref().map(|amount| Figure::new(amount, Sign::None));
        let current = |style| if stale { theme.dim } else { style };
        let rows: Vec<_> = assets.visible_rows().collect();
        let columns = [
            AssetColumn::left("Coin", 8).cell(|asset, _| coin_cell(model, theme, &asset.coin)),
            AssetColumn::amount("Balance", 16).grow_to(28).cell(|asset, _| {
                let style = if asset.balance.is_some() { current(theme.text) } else { theme.dim };
                Cell::amount(figure(&asset.balance), style)
            }),
            AssetColumn::amount("Frozen", 13).grow_to(28).cell(|asset, _| {
                let holds = asset.frozen.as_ref().is_some_and(|frozen| !frozen.even_if_disputed().is_zero());
                Cell::amount(figure(&asset.frozen), if holds { current(theme.warn) } else { theme.dim })
            }),
            AssetColumn::left("Changed", 9).rank(1).cell(|asset, _| {
                let changed = asset.updated_at.map(|at| format_list_time(&model.console.zone, at, model.now, false));
                Cell::text(changed.unwrap_or_default(), theme.dim)
            }),
        ];
        Table::fit(columns, area).draw(
            theme,
            &rows,
            Highlight::Whole,
            is_list_focused(model, Pane::Assets, assets),
            buf,
        );
    }
}
