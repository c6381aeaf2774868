//! The version 2 balances of a user; until the service has reported them, those calculated for the user's known
//! wallets.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::panes::HoldingsPane;
use super::{draw_empty_pane_note, shown_user_name};
use crate::app::model::Model;
use crate::app::pages::Tone;
use crate::app::pages::holdings::view::{BalanceTable, draw_balance_rows, read_failure_notes, suspicious_note};
use crate::app::pages::pane::view::PaneView;
use crate::app::pages::users::part_notes::TonedText;
use crate::app::pages::view::{is_list_focused, new_pane_title, scroll_position};
use crate::app::screen::Pane;
use crate::domain::BalanceBasis;
use crate::domain::duration;
use crate::domain::history::RowCount;
use crate::ui::Theme;
use crate::ui::chrome::PaneTitle;

impl PaneView for HoldingsPane {
    fn name(&self) -> &'static str {
        "Balances"
    }

    fn title(&self, model: &Model, theme: &Theme) -> PaneTitle {
        let mut head = new_pane_title(model, Pane::Holdings, format!("Balances v2 · {}", shown_user_name(model)));
        let user_holdings = &model.pages.users.holdings;
        let oldest =
            user_holdings.rows().iter().filter_map(|holding| holding.as_of).min().or(model.pages.users.balances_at);
        if let Some(age) = model.figure_staleness(oldest) {
            head.notes.push((format!("stale {}", duration::format_age(age)), theme.warn));
        }
        head.notes.extend(read_failure_notes(model, theme));
        if model.pages.users.balances_at.is_none()
            && user_holdings.rows().iter().any(|holding| holding.amount.is_some())
        {
            head.notes.push(("calculated from history".into(), theme.dim));
        }
        head.notes.extend(suspicious_note(model, theme, &model.pages.users.all_holdings));
        head.notes.extend(scroll_position(user_holdings).map(|place| (place, theme.dim)));
        head
    }

    fn draw(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let user_holdings = &model.pages.users.holdings;
        if user_holdings.count() == RowCount::Exact(0) {
            return draw_empty_pane_note(theme, area, empty_note(model), buf);
        }
        let common =
            if model.pages.users.balances_at.is_some() { BalanceBasis::Reported } else { BalanceBasis::Derived };
        let table = BalanceTable {
            listing: user_holdings,
            all: &model.pages.users.all_holdings,
            common_basis: Some(common),
            history: None,
            focused: is_list_focused(model, Pane::Holdings, user_holdings),
            is_sum: false,
        };
        draw_balance_rows(model, theme, &table, area, buf);
    }
}

fn empty_note(model: &Model) -> TonedText {
    let users = &model.pages.users;
    match (&users.shown_user, users.balances_at, model.balances_failure()) {
        (None, ..) => ("no user is selected".into(), Tone::Dim),
        (_, _, Some(failure)) => (crate::app::pages::users::part_notes::read_failure_text(failure), Tone::Warn),
        (_, Some(_), None) => ("no balances".into(), Tone::Dim),
        (_, None, None) => ("reading…".into(), Tone::Dim),
    }
}
