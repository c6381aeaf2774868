//! ```text
//!  Coin          Balance          Frozen  Changed
//! ▌USDT       1,204.3312      25.000000   12:03:20
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{draw_coin, draw_note};
use crate::app::model::Model;
use crate::app::pages::transactions::format_time;
use crate::app::pages::users::part_notes::{empty_v1_note, selected_user_report};
use crate::app::pages::users::{CachedPart, part_staleness};
use crate::app::screen::Pane;
use crate::domain::history::RowCount;
use crate::domain::v1::Asset;
use crate::ui::figure::{AmountColumn, Figure, Sign};
use crate::ui::{Row, Theme, paint};

/// Widths of the coin and of the time of the last change.
const COIN_WIDTH: u16 = 8;
const CHANGE_TIME_WIDTH: u16 = 9;

/// The version 1 balances of a user: spendable and frozen.
pub fn view(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let assets = &model.users.assets;
    let part = selected_user_report(model).map(|memory| &memory.assets);
    if assets.count() == RowCount::Exact(0) {
        return draw_note(theme, area, empty_v1_note(model, part, "no balances"), buf);
    }
    let stale = part.and_then(CachedPart::read_at).and_then(|at| part_staleness(model, at)).is_some();
    let figure = |stated: &Option<_>| stated.as_ref().map(|stated| Figure::new(stated, Sign::None));
    let rows: Vec<(&Asset, bool, [Option<Figure>; 2])> =
        assets.visible_rows().map(|(row, chosen)| (row, chosen, [figure(&row.balance), figure(&row.frozen)])).collect();
    let room = area.width.saturating_sub(COIN_WIDTH + 1);
    let frozen = AmountColumn::fit(rows.iter().filter_map(|(_, _, [_, frozen])| frozen.as_ref()), room / 2);
    let left = room.saturating_sub(frozen.width().max(6) + 3);
    let balance = AmountColumn::fit(rows.iter().filter_map(|(_, _, [balance, _])| balance.as_ref()), left);
    // The time gives way before an amount is cut.
    let with_time = balance.width().max(7) + CHANGE_TIME_WIDTH + 2 <= left;
    let balance_at = area.x + 1 + COIN_WIDTH;
    let frozen_at = balance_at + balance.width().max(7) + 3;
    let time_at = frozen_at + frozen.width().max(6) + 2;
    paint::put(buf, area.x + 1, area.y, COIN_WIDTH, "Coin", theme.dim);
    paint::put_right(buf, balance_at + balance.width().max(7), area.y, 7, "Balance", theme.dim);
    paint::put_right(buf, frozen_at + frozen.width().max(6), area.y, 6, "Frozen", theme.dim);
    if with_time {
        paint::put(buf, time_at, area.y, CHANGE_TIME_WIDTH, "Changed", theme.dim);
    }
    let focused = model.focus() == Pane::Assets;
    for (index, (asset, chosen, [spendable, held_back])) in (1_u16..area.height).zip(rows) {
        let row = Row::new(buf, theme, area, index, chosen, focused);
        draw_coin(model, theme, &asset.coin, Rect { x: row.x, y: row.y, width: COIN_WIDTH - 1, height: 1 }, &row, buf);
        let style = if stale { theme.dim } else { theme.text };
        let at = balance_at + balance.width().max(7) - balance.width();
        match &spendable {
            Some(figure) => balance.put(buf, at, row.y, figure, row.style_over(style)),
            None => balance.put_unknown(buf, at, row.y, row.style_over(theme.dim)),
        }
        let at = frozen_at + frozen.width().max(6) - frozen.width();
        let holds = asset.frozen.as_ref().is_some_and(|frozen| !frozen.raw().is_zero());
        match &held_back {
            Some(figure) if holds => {
                frozen.put(buf, at, row.y, figure, row.style_over(if stale { theme.dim } else { theme.warn }));
            }
            Some(figure) => frozen.put(buf, at, row.y, figure, row.style_over(theme.dim)),
            None => frozen.put_unknown(buf, at, row.y, row.style_over(theme.dim)),
        }
        if with_time && let Some(changed) = asset.updated_at {
            paint::put(
                buf,
                time_at,
                row.y,
                CHANGE_TIME_WIDTH,
                &format_time(&model.zone, changed, model.now, false),
                row.style_over(theme.dim),
            );
        }
    }
}
