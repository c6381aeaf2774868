//! ```text
//!  Status          pending 3/12
//!  Confirmations   ███········· 3 of 12 (12 settle on Ethereum)
//!  Amount          +250 USDT
//!  From            0x3f2A…            (in full)
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ruint::aliases::U256;

use super::{DetailLine, NAME_WIDTH};
use crate::app::model::Model;
use crate::app::pages::view::tone_style;
use crate::domain::history::HistoryRow;
use crate::ui::chart::{bar_text, scale_to_steps};
use crate::ui::{Theme, paint};

const PROGRESS_BAR_WIDTH: u16 = 12;

/// The share of `part` in `whole`, as a bar.
pub fn progress_bar(part: u64, whole: u64) -> String {
    let bar = bar_text(scale_to_steps(U256::from(part), U256::from(whole), PROGRESS_BAR_WIDTH * 8));
    let rest = usize::from(PROGRESS_BAR_WIDTH).saturating_sub(bar.chars().count());
    format!("{bar}{}", "·".repeat(rest))
}

/// Draws a transaction from line `top` on.
pub fn view(model: &Model, theme: &Theme, row: &HistoryRow, top: u16, area: Rect, buf: &mut Buffer) {
    draw_lines(theme, &super::transaction_lines(model, row, area.width), top, area, buf);
}

/// Draws wrapped facts from line `top` on.
pub fn draw_lines(theme: &Theme, facts: &[DetailLine], top: u16, area: Rect, buf: &mut Buffer) {
    for (y, fact) in (area.y..area.bottom()).zip(facts.iter().skip(usize::from(top))) {
        paint::put(buf, area.x + 1, y, NAME_WIDTH, fact.name, theme.dim);
        paint::put(
            buf,
            area.x + 1 + NAME_WIDTH,
            y,
            area.width.saturating_sub(NAME_WIDTH + 2),
            &fact.value,
            tone_style(theme, fact.tone),
        );
    }
}
