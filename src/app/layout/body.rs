//! The rows between the tabs and the footer.

use crate::app::model::Model;
use crate::app::screen::{Area, Size};

/// The area of the page, and of a text that fills it: everything below header, tabs, banner and summary, down to the
/// footer.
pub fn body_area(model: &Model) -> Area {
    let Size { width, height } = model.size;
    let is_summary_open = model.session.absence.changes_while_away().is_some();
    let top = 2 + u16::from(model.banner().is_some()) + u16::from(is_summary_open);
    Area::new(0, top.min(height), width, height.saturating_sub(top + 1))
}
