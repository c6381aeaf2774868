//! How the details beside or below the lists of a page are drawn.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::model::Model;
use crate::ui::Theme;

pub(in crate::app) trait PageView {
    fn detail_title(&self, _model: &Model) -> String {
        detail_title(true, false)
    }

    /// Draws the details of the selected row, or of the first on screen. Returns whether there are any.
    fn draw_detail(&self, _model: &Model, _theme: &Theme, _area: Rect, _buf: &mut Buffer) -> bool {
        false
    }
}

/// The title of a row in full: the selected one, else the first on screen, which may be the newest of all.
pub(in crate::app) fn detail_title(is_selected: bool, is_newest: bool) -> String {
    match (is_selected, is_newest) {
        (true, _) => "Selected",
        (false, true) => "Newest",
        (false, false) => "First on screen",
    }
    .into()
}
