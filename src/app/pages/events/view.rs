//! ```text
//!  Time (UTC) About    What
//! ▌12:03:20   order    withdrawal of 25 USDC to 0x3f2A…9c1D: accepted
//!  12:01:40   link     slow: answers are late (×3)
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::page::EventsLogic;
use super::pane::EventsPane;
use super::{event_detail_lines, event_text, shown_event};
use crate::app::model::Model;
use crate::app::pages::group_thousands;
use crate::app::pages::page::view::{PageView, detail_title};
use crate::app::pages::pane::view::PaneView;
use crate::app::pages::view::sum_line::{SumLine, count_and_noun};
use crate::app::pages::view::{
    NOTHING_MATCHES, draw_mentioned_order, draw_toned_lines, is_list_focused, new_pane_title, scroll_position,
    time_head, tone_style,
};
use crate::app::screen::Pane;
use crate::app::session::events::Event;
use crate::app::transaction_text::format_list_time;
use crate::domain::history::RowCount;
use crate::ui::chrome::PaneTitle;
use crate::ui::table::{Cell, Column, Highlight, Table};
use crate::ui::{Theme, paint};

/// A column of the events.
type EventColumn<'a> = Column<'a, &'a Event>;

impl PaneView for EventsPane {
    fn name(&self) -> &'static str {
        "Events"
    }

    fn title(&self, model: &Model, theme: &Theme) -> PaneTitle {
        let mut head = new_pane_title(model, Pane::Events, "Events".into());
        if !model.pages.events.filter.is_empty() {
            head.notes.push((format!("/{}", model.pages.events.filter), theme.accent));
        }
        head.notes.extend(scroll_position(&model.pages.events.listing).map(|note| (note, theme.dim)));
        head.notes.push(("since this console was opened".into(), theme.dim));
        head
    }

    /// How many events there are of each kind.
    fn sum_line(&self, model: &Model) -> SumLine {
        let events = model.pages.events.listing.rows().iter().filter_map(|id| model.pages.events.find(*id));
        let mut counts: Vec<(&str, u64)> = Vec::new();
        for event in events {
            let label = event.kind.label();
            match counts.iter_mut().find(|(counted_label, _)| *counted_label == label) {
                Some((_, count)) => *count += 1,
                None => counts.push((label, 1)),
            }
        }
        counts.sort_by_key(|(label, count)| (std::cmp::Reverse(*count), *label));
        let total = counts.iter().map(|(_, count)| count).sum();
        let by_kind: Vec<String> =
            counts.iter().map(|(label, count)| format!("{label} {}", group_thousands(*count))).collect();
        SumLine::head(format!("{}: {}", count_and_noun(total, "event"), by_kind.join(", ")))
    }

    fn draw(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let listing = &model.pages.events.listing;
        if listing.count() == RowCount::Exact(0) {
            let nothing =
                if model.pages.events.filter.is_empty() { "nothing has happened yet" } else { NOTHING_MATCHES };
            return paint::put_centered(buf, area, nothing, theme.dim);
        }
        let rows: Vec<_> = listing
            .visible_rows()
            .filter_map(|(id, selected)| Some((model.pages.events.find(*id)?, selected)))
            .collect();
        let columns = [
            EventColumn::left(time_head(&model.console.zone), 10).cell(|event, _| {
                Cell::text(format_list_time(&model.console.zone, event.at, model.now, false), theme.dim)
            }),
            EventColumn::left("About", 8).cell(|event, _| Cell::text(event.kind.label(), theme.text)),
            EventColumn::left("What", 1)
                .grow_to(u16::MAX)
                .cell(|event, _| Cell::text(event_text(event), tone_style(theme, event.tone))),
        ];
        Table::fit(columns, area).draw(
            theme,
            &rows,
            Highlight::Leading(2),
            is_list_focused(model, Pane::Events, listing),
            buf,
        );
    }
}

impl PageView for EventsLogic {
    fn detail_title(&self, model: &Model) -> String {
        let listing = &model.pages.events.listing;
        detail_title(listing.selected_key().is_some(), listing.first_visible_rank() == 0)
    }

    /// The details of the shown event and of its order.
    fn draw_detail(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) -> bool {
        let Some(event) = shown_event(model) else { return false };
        let below = draw_toned_lines(theme, &event_detail_lines(model, event, area.width.saturating_sub(2)), area, buf);
        if let (Some(order), Some(below)) = (event.order, below) {
            draw_mentioned_order(model, theme, order, below, buf);
        }
        true
    }
}
