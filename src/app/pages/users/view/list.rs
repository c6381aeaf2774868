//! ```text
//!  Name              Reference     User        State
//! ▌Ada Lovelace      customer-0001 usr_…       active
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::panes::UsersPane;
use crate::app::model::Model;
use crate::app::pages::pane::view::PaneView;
use crate::app::pages::view::{created_day, draw_empty_message, is_list_focused, new_pane_title, scroll_position};
use crate::app::screen::Pane;
use crate::domain::User;
use crate::domain::address::shorten_address;
use crate::domain::entry_source::Sourced;
use crate::domain::history::RowCount;
use crate::ui::Theme;
use crate::ui::chrome::PaneTitle;
use crate::ui::table::{Cell, Column, Highlight, Table};

/// A column of the users.
type UserColumn<'a> = Column<'a, &'a Sourced<User>>;

impl PaneView for UsersPane {
    fn name(&self) -> &'static str {
        "Users"
    }

    fn title(&self, model: &Model, theme: &Theme) -> PaneTitle {
        let mut head = new_pane_title(model, Pane::Users, "Users".into());
        if !model.pages.users.filter.is_empty() {
            head.notes.push((format!("/{}", model.pages.users.filter), theme.accent));
        }
        head.notes.extend(scroll_position(&model.pages.users.listing).map(|note| (note, theme.dim)));
        head
    }

    fn draw(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let listing = &model.pages.users.listing;
        if listing.count() == RowCount::Exact(0) {
            let message = if model.pages.users.filter.is_empty() {
                "no users known yet"
            } else {
                "no user matches; Esc clears the filter"
            };
            return draw_empty_message(model, theme, area, buf, listing.is_loaded(), message);
        }
        let rows: Vec<_> = listing.visible_rows().collect();
        let columns = [
            UserColumn::left("Name", 12).grow_to(30).cell(|user, _| user_name_cell(model, theme, &user.entry)),
            UserColumn::left("Reference", 10)
                .rank(1)
                .grow_to(20)
                .cell(|user, _| Cell::name(user.entry.ref_id.as_deref().unwrap_or("—"), theme.dim)),
            UserColumn::left("User", 11).rank(3).grow_whole_to(36).cell(|user, _| {
                let id = user.entry.id.as_str();
                Cell::address("", id, shorten_address(id), theme.dim)
            }),
            UserColumn::left("Email", 36)
                .rank(4)
                .cell(|user, _| Cell::name(user.entry.email.as_deref().unwrap_or("—"), theme.dim)),
            UserColumn::left("Created", 10)
                .rank(5)
                .cell(|user, _| Cell::text(created_day(model, user.entry.created_at), theme.dim)),
            UserColumn::left("State", 8).rank(2).cell(|user, _| match user.entry.is_active {
                Some(true) => Cell::text("active", theme.dim),
                Some(false) => Cell::text("inactive", theme.warn),
                None => Cell::text("—", theme.dim),
            }),
        ];
        Table::fit(columns, area).draw(
            theme,
            &rows,
            Highlight::Whole,
            is_list_focused(model, Pane::Users, listing),
            buf,
        );
    }
}

fn user_name_cell<'a>(model: &'a Model, theme: &Theme, user: &'a User) -> Cell<'a> {
    match model.journal.book.label_of_user(&user.id).or(user.display_name.as_ref()) {
        Some(name) => Cell::name(name.as_str(), theme.text),
        None => Cell::text(shorten_address(user.id.as_str()), theme.text),
    }
}
