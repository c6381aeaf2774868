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
use crate::domain::history::RowCount;
use crate::domain::sourced::Sourced;
use crate::ui::Theme;
use crate::ui::chrome::PaneTitle;
use crate::ui::table::{Cell, Column, Highlight, Table, TableRow};

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
            let words = if model.pages.users.filter.is_empty() {
                "no users known yet"
            } else {
                "no user matches; Esc clears the filter"
            };
            return draw_empty_message(model, theme, area, buf, listing.is_loaded(), words);
        }
        let columns = [
            Column::left("Name", 12).grow_to(30),
            Column::left("Reference", 10).rank(1).grow_to(20),
            Column::left("User", 11).rank(3).grow_whole_to(36),
            Column::left("Email", 36).rank(4),
            Column::left("Created", 10).rank(5),
            Column::left("State", 8).rank(2),
        ];
        let rows: Vec<_> = listing
            .visible_rows()
            .map(|(user, selected)| TableRow { cells: user_cells(model, theme, user), selected })
            .collect();
        Table::fit(columns, area).draw(
            theme,
            &rows,
            Highlight::Whole,
            is_list_focused(model, Pane::Users, listing),
            buf,
        );
    }
}

fn user_cells<'a>(model: &'a Model, theme: &Theme, user: &'a Sourced<User>) -> [Cell<'a>; 6] {
    let entry = &user.entry;
    let id = shorten_address(entry.id.as_str());
    let name = match model.journal.book.user_label(&entry.id).or(entry.display_name.as_ref()) {
        Some(name) => Cell::name(name.as_str(), theme.text),
        None => Cell::text(id.clone(), theme.text),
    };
    let (state, style) = match entry.is_active {
        Some(true) => ("active", theme.dim),
        Some(false) => ("inactive", theme.warn),
        None => ("—", theme.dim),
    };
    [
        name,
        Cell::name(entry.ref_id.as_deref().unwrap_or("—"), theme.dim),
        Cell::address("", entry.id.as_str(), id, theme.dim),
        Cell::name(entry.email.as_deref().unwrap_or("—"), theme.dim),
        Cell::text(created_day(model, entry.created_at), theme.dim),
        Cell::text(state, style),
    ]
}
