//! How a pane is drawn.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::model::Model;
use crate::app::pages::view::sum_line::SumLine;
use crate::ui::Theme;
use crate::ui::chrome::PaneTitle;

pub(in crate::app) trait PaneView {
    /// The name where panes are listed, as on a narrow screen.
    fn name(&self) -> &'static str;

    /// The title above the rows, with its notes.
    fn title(&self, model: &Model, theme: &Theme) -> PaneTitle;

    /// The sum below the rows, where the pane has one now.
    fn sum_line(&self, _model: &Model) -> SumLine {
        SumLine::default()
    }

    /// Draws the rows below their title.
    fn draw(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer);
}
