//! ```text
//!  ▌a Account   a container that keeps wallets and their funds apart
//!   w Wallet    one address on one blockchain, in an account
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::available_entries;
use crate::app::model::Model;
use crate::ui::chrome::{self, PaneTitle};
use crate::ui::{Row, Theme, paint};

pub fn view(model: &Model, theme: &Theme, at: usize, area: Rect, buf: &mut Buffer) {
    let notes = vec![("Esc closes".to_owned(), theme.dim)];
    chrome::draw_rule(buf, area, &PaneTitle { title: "New".into(), notes, focused: true }, theme);
    let list = Rect { y: area.y + 2, height: area.height.saturating_sub(2), ..area };
    for (index, (operation, letter, about)) in (0..list.height).zip(available_entries(model)) {
        let row = Row::new(buf, theme, list, index, usize::from(index) == at, true);
        paint::put(buf, row.x + 1, row.y, 2, &letter.to_string(), row.style_over(theme.key));
        paint::put(buf, row.x + 3, row.y, 16, operation.title(), row.base);
        paint::put(buf, row.x + 20, row.y, row.right.saturating_sub(row.x + 20), about, row.style_over(theme.dim));
    }
}
