//! ```text
//!  State         UTC      Operation           Amount Token  To           Age
//! ▌? unknown     12:03:20 withdraw         25.000000 USDC   0x3f2A…9c1D  42s
//!  ✓ settled     11:58:02 withdraw        250.000000 USDC   0x77aB…01Ef  5m
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{find, lines, state};
use crate::app::Model;
use crate::app::panes::detail::NAMES;
use crate::app::panes::view::{head_of, position, tone};
use crate::app::screen::Pane;
use crate::domain::history::Count;
use crate::domain::{Intent, IntentId};
use crate::ui::chrome::Head;
use crate::ui::{Row, Theme, paint};

/// The title and what is said of it.
pub fn head(model: &Model, theme: &Theme) -> Head {
    let mut head = head_of(model, Pane::Orders, "Orders".into());
    if let Some(note) = position(&model.order_list) {
        head.notes.push((note, theme.dim));
    }
    if let Some(failure) = model.orders_failure.as_ref().filter(|_| !model.orders.is_empty()) {
        head.notes.push((format!("not read: {failure}"), theme.warn));
    }
    head
}

/// The rows below their heads.
pub fn view(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    if model.order_list.count() == Count::Exact(0) {
        let (words, style) = match &model.orders_failure {
            Some(failure) => (failure.detail.to_string(), theme.warn),
            None => ("no orders yet".to_owned(), theme.dim),
        };
        return paint::say(buf, area, &words, style);
    }
    let rows: Vec<(&Intent, bool)> =
        model.order_list.visible().filter_map(|(id, selected)| Some((find(model, *id)?, selected))).collect();
    let focused = model.focus() == Pane::Orders;
    for (index, (intent, selected)) in (1..area.height).zip(rows) {
        let row = Row::new(buf, theme, area, index, selected, focused);
        let (word, meaning) = state(intent, model.now);
        paint::put(buf, row.x, row.y, 14, &word, row.over(tone(theme, meaning)));
    }
}

/// An order with everything that is known of it, from a first line on.
pub fn whole(model: &Model, theme: &Theme, id: IntentId, top: u16, area: Rect, buf: &mut Buffer) {
    let facts = lines(model, id, area.width).into_iter().skip(usize::from(top));
    for (y, fact) in (area.y..area.bottom()).zip(facts) {
        paint::put(buf, area.x + 1, y, NAMES, fact.name, theme.dim);
        let room = area.width.saturating_sub(NAMES + 2);
        paint::put(buf, area.x + 1 + NAMES, y, room, &fact.value, tone(theme, fact.tone));
    }
}
