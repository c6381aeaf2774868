//! ```text
//!  User         usr-0001-…
//!  Reference    customer-1
//!  Deposits     12, of these 3 in 30 days
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::panes::UserPane;
use super::{draw_empty_pane_note, shown_user_name, title_with_notes};
use crate::app::model::Model;
use crate::app::overlays::detail;
use crate::app::pages::pane::view::PaneView;
use crate::app::pages::users::part_notes::{
    TonedText, part_notes, read_failure_text, selected_user_report, unread_part_note,
};
use crate::app::pages::view::tone_style;
use crate::app::pages::{Tone, group_thousands};
use crate::app::screen::Pane;
use crate::domain::entry_source::EntrySource;
use crate::domain::{Text, UserStats};
use crate::ui::chrome::PaneTitle;
use crate::ui::{Theme, paint};

const NAME_WIDTH: u16 = 12;

impl PaneView for UserPane {
    fn name(&self) -> &'static str {
        "User"
    }

    fn title(&self, model: &Model, theme: &Theme) -> PaneTitle {
        let notes = selected_user_report(model).map_or_else(Vec::new, |report| part_notes(model, &report.stats));
        title_with_notes(model, theme, Pane::User, shown_user_name(model), None, notes)
    }

    fn draw(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
        if model.pages.users.shown_user.is_none() {
            return draw_empty_pane_note(theme, area, ("no user is selected".into(), Tone::Dim), buf);
        }
        for (y, (name, (value, meaning))) in (area.y..area.bottom()).zip(user_lines(model)) {
            paint::put(buf, area.x + 1, y, NAME_WIDTH, name, theme.dim);
            let x = area.x + 1 + NAME_WIDTH;
            let room = area.right().saturating_sub(x);
            paint::put(buf, x, y, room, &paint::truncate_middle(&value, room), tone_style(theme, meaning));
        }
    }
}

fn user_lines(model: &Model) -> Vec<(&'static str, TonedText)> {
    let mut lines = Vec::new();
    let text_or_dash = |value: Option<&Text>| (value.map_or("—".to_owned(), ToString::to_string), Tone::Text);
    if let Some(id) = &model.pages.users.shown_user {
        lines.push(("User", (id.to_string(), Tone::Text)));
    }
    if let Some(user) = model.pages.users.selected() {
        let entry = &user.entry;
        lines.push(("Reference", text_or_dash(entry.ref_id.as_ref())));
        lines.push(("Email", text_or_dash(entry.email.as_ref())));
        let active = match entry.is_active {
            Some(true) => ("active".to_owned(), Tone::Good),
            Some(false) => ("inactive".to_owned(), Tone::Warn),
            None => ("—".to_owned(), Tone::Dim),
        };
        lines.push(("State", active));
        let time = detail::time_or_dash(model, entry.created_at);
        lines.push(("Created", (time, Tone::Text)));
        let source = match user.source {
            EntrySource::Created => "this console, which created it",
            EntrySource::Imported => "an import",
            EntrySource::Listed => "the service",
            EntrySource::History => "the history only",
        };
        lines.push(("Known from", (source.to_owned(), Tone::Dim)));
    }
    let memory = selected_user_report(model);
    if let Some(failure) = memory.and_then(|memory| memory.person.failure.as_ref()) {
        lines.push(("", (read_failure_text(failure), Tone::Warn)));
    }
    match memory.and_then(|memory| memory.stats.value) {
        Some((stats, _)) => lines.extend(transaction_count_lines(model, stats)),
        None => lines.push(("Counts", unread_part_note(model, memory.map(|memory| &memory.stats), ""))),
    }
    if let Some((sub_wallet, _)) = memory.and_then(|memory| memory.sub_wallet.value.as_ref()) {
        let trade = match sub_wallet.can_trade {
            Some(true) => "may trade",
            Some(false) => "may not trade",
            None => "trading not reported",
        };
        let language = sub_wallet.language.as_ref().map_or(String::new(), |language| format!(", {language}"));
        lines.push(("Sub-wallet", (format!("{trade}{language}"), Tone::Text)));
    }
    lines
}

fn transaction_count_lines(model: &Model, stats: UserStats) -> Vec<(&'static str, TonedText)> {
    let number = |number: Option<u64>| number.map_or("—".to_owned(), group_thousands);
    // Which parameter limits the counts to a user is an assumption; a service that ignores it counts everything.
    let ignored =
        model.pages.users.listing.count().number() > 1 && stats.deposits != Some(0) && model.data.stats == Some(stats);
    let tone = if ignored { Tone::Dim } else { Tone::Text };
    let line = |ever, lately| (format!("{}, of these {} in 30 days", number(ever), number(lately)), tone);
    let mut lines = vec![
        ("Deposits", line(stats.deposits, stats.deposits_in_30_days)),
        ("Withdrawals", line(stats.withdraws, stats.withdraws_in_30_days)),
        ("Successful", line(stats.transactions, stats.transactions_in_30_days)),
    ];
    if ignored {
        lines.push(("", ("same as the workspace's: user ignored?".to_owned(), Tone::Warn)));
    }
    lines
}
