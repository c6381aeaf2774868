//! ```text
//!  Name              Reference       User
//! ▌Ada Lovelace      customer-0001   usr_…    active
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::model::Model;
use crate::app::pages::view::{draw_empty_message, new_pane_title, scroll_position};
use crate::app::screen::Pane;
use crate::domain::history::{RowCount, Sourced};
use crate::domain::{User, address};
use crate::ui::chrome::PaneTitle;
use crate::ui::{Row, Theme, paint};

const REFERENCE_WIDTH: u16 = 14;
const ID_WIDTH: u16 = 13;
const STATE_WIDTH: u16 = 8;
/// The width from which the identifier is shown.
const MIN_WIDTH_WITH_ID: u16 = 56;

pub fn pane_title(model: &Model, theme: &Theme) -> PaneTitle {
    let mut head = new_pane_title(model, Pane::Users, "Users".into());
    if !model.users.filter.is_empty() {
        head.notes.push((format!("/{}", model.users.filter), theme.accent));
    }
    head.notes.extend(scroll_position(&model.users.listing).map(|note| (note, theme.dim)));
    head
}

pub fn view(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let listing = &model.users.listing;
    if listing.count() == RowCount::Exact(0) {
        let words =
            if model.users.filter.is_empty() { "no users known yet" } else { "no user matches; Esc clears the filter" };
        return draw_empty_message(model, theme, area, buf, listing.is_loaded(), words);
    }
    let columns = Columns::fit_area(area);
    paint::put(buf, area.x + 1, area.y, columns.name, "Name", theme.dim);
    paint::put(buf, columns.reference_at, area.y, REFERENCE_WIDTH, "Reference", theme.dim);
    if let Some(at) = columns.id_at {
        paint::put(buf, at, area.y, ID_WIDTH, "User", theme.dim);
    }
    let focused = model.focus() == Pane::Users;
    for (index, (user, selected)) in (1_u16..area.height).zip(listing.visible_rows()) {
        draw_user(model, user, &columns, Row::new(buf, theme, area, index, selected, focused), theme, buf);
    }
}

struct Columns {
    name: u16,
    reference_at: u16,
    id_at: Option<u16>,
}

impl Columns {
    fn fit_area(area: Rect) -> Self {
        let mut right = area.right().saturating_sub(STATE_WIDTH + 1);
        let id_at = (area.width >= MIN_WIDTH_WITH_ID).then(|| {
            right = right.saturating_sub(ID_WIDTH + 1);
            right
        });
        let reference_at = right.saturating_sub(REFERENCE_WIDTH + 1);
        Self { name: reference_at.saturating_sub(area.x + 2), reference_at, id_at }
    }
}

fn draw_user(model: &Model, user: &Sourced<User>, columns: &Columns, row: Row, theme: &Theme, buf: &mut Buffer) {
    let entry = &user.entry;
    let id = address::shorten_address(entry.id.as_str());
    let label = model.forms.book.user_label(&entry.id).or(entry.display_name.as_ref());
    let name = label.map_or(id.as_str(), |name| name.as_str());
    paint::put(buf, row.x, row.y, columns.name, &paint::truncate_middle(name, columns.name), row.base);
    let reference = entry.ref_id.as_deref().unwrap_or("—");
    let reference = paint::truncate_middle(reference, REFERENCE_WIDTH);
    paint::put(buf, columns.reference_at, row.y, REFERENCE_WIDTH, &reference, row.style_over(theme.dim));
    if let Some(at) = columns.id_at {
        paint::put(buf, at, row.y, ID_WIDTH, &id, row.style_over(theme.dim));
    }
    let (state, style) = match entry.is_active {
        Some(true) => ("active", theme.good),
        Some(false) => ("inactive", theme.warn),
        None => ("—", theme.dim),
    };
    paint::put_right(buf, row.right, row.y, STATE_WIDTH, state, row.style_over(style));
}
