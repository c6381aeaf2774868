//! The page of a visitor who waits for a slot:
//!
//! ```text
//!  bursar                                                                    header
//!
//!                     All 50 places are taken.
//!                    3 visitors are ahead of you.
//!                     Waiting since 18:42:07 UTC.
//!               The console opens here by itself.
//!          After 10 minutes without a key you leave the queue.
//!
//!  q leave                                                                   footer
//! ```

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::sync::watch;

use super::admission::Admission;
use super::host_event::DurationText;
use crate::app::input::keymap::ctrl;
use crate::domain::{Appearance, Timestamp};
use crate::ui::{Theme, glyphs, paint};

pub(super) struct QueuePage {
    admission: Arc<Admission>,
    queue_moves: watch::Receiver<()>,
    ticket_number: u64,
    queued_since: Timestamp,
    idle_time_out: Duration,
    appearance: Appearance,
}

impl QueuePage {
    /// `idle` is only displayed: the session enforces it.
    pub(super) fn new(
        admission: Arc<Admission>,
        ticket_number: u64,
        queued_since: Timestamp,
        idle_time_out: Duration,
        appearance: Appearance,
    ) -> Self {
        let queue_moves = admission.subscribe_to_queue();
        Self { admission, queue_moves, ticket_number, queued_since, idle_time_out, appearance }
    }

    pub(super) async fn queue_changed(&mut self) {
        if self.queue_moves.changed().await.is_err() {
            // Unreachable: `seats` owns the sender.
            std::future::pending::<()>().await;
        }
    }

    pub(super) fn is_leave_key(key: KeyEvent) -> bool {
        let is_q = matches!(key.code, KeyCode::Char('q' | 'Q')) && !key.modifiers.contains(KeyModifiers::CONTROL);
        is_q || key == ctrl('c')
    }

    pub(super) fn view(&self, area: Rect, buf: &mut Buffer) {
        let theme = Theme::from_name(self.appearance.theme, self.appearance.colours);
        paint::tint(buf, area, theme.ground);
        paint::tint(buf, Rect { height: area.height.min(1), ..area }, theme.header);
        paint::put(buf, area.x + 1, area.y, area.width.saturating_sub(1), "bursar", theme.brand);
        let body = Rect { x: area.x, y: area.y + 1, width: area.width, height: area.height.saturating_sub(2) };
        let lines = self.message_lines();
        let rows = u16::try_from(lines.len()).unwrap_or(u16::MAX);
        let top = body.y + body.height.saturating_sub(rows) / 2;
        for (y, line) in (top..body.bottom()).zip(&lines) {
            let row = Rect { y, height: 1, ..body };
            paint::put_centered(buf, row, line, theme.text);
        }
        if area.height > 1 {
            let width = paint::put(buf, area.x + 1, area.bottom() - 1, 2, "q", theme.key);
            paint::put(buf, area.x + 2 + width, area.bottom() - 1, 12, "leave", theme.dim);
        }
        glyphs::replace_glyphs(self.appearance.glyphs, buf);
    }

    fn message_lines(&self) -> Vec<String> {
        let Some(visitors_ahead) = self.admission.queue_position(self.ticket_number) else {
            return vec!["Your treasury is being prepared.".into()];
        };
        let places = match self.admission.capacity() {
            1 => "The only place is taken.".to_owned(),
            places => format!("All {places} places are taken."),
        };
        let line = match visitors_ahead {
            0 => "You are next.".to_owned(),
            1 => "1 visitor is ahead of you.".to_owned(),
            visitors_ahead => format!("{visitors_ahead} visitors are ahead of you."),
        };
        let mut lines = vec![
            places,
            line,
            format!("Waiting since {} UTC.", self.queued_since.format("%H:%M:%S")),
            "The console opens here by itself.".into(),
        ];
        if self.idle_time_out != Duration::MAX {
            lines.push(format!("After {} without a key you leave the queue.", DurationText(self.idle_time_out)));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    fn rendered_text(page: &QueuePage, width: u16, height: u16) -> String {
        let area = Rect::new(0, 0, width, height);
        let mut buf = Buffer::empty(area);
        page.view(area, &mut buf);
        let rows = (0..height).map(|y| (0..width).map(|x| buf[(x, y)].symbol()).collect::<String>());
        rows.map(|row| row.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
    }

    fn page(seats: &Arc<Admission>, number: u64) -> QueuePage {
        QueuePage::new(
            Arc::clone(seats),
            number,
            Timestamp::from_millis(67_327_000),
            Duration::from_mins(10),
            Appearance::default(),
        )
    }

    #[test]
    fn the_line_says_how_many_are_ahead_and_since_when_one_waits() {
        let seats = Admission::new(1);
        let first_slot = seats.join_queue().wait_for_slot().now_or_never();
        let (first, second) = (seats.join_queue(), seats.join_queue());
        let screen = rendered_text(&page(&seats, second.number()), 60, 10);
        for expected in [
            "The only place is taken.",
            "1 visitor is ahead of you.",
            "since 18:42:07 UTC",
            "After 10 minutes without a key",
            " q leave",
        ] {
            assert!(screen.contains(expected), "no {expected} on\n{screen}");
        }
        assert!(rendered_text(&page(&seats, first.number()), 60, 10).contains("You are next."));
        drop(first_slot);
        assert!(rendered_text(&page(&seats, first.number()), 60, 10).contains("being prepared"));
    }

    #[test]
    fn it_is_painted_at_any_size() {
        let seats = Admission::new(0);
        let waiting = seats.join_queue();
        for (width, height) in [(1, 1), (2, 2), (1, 40), (200, 1), (500, 120)] {
            rendered_text(&page(&seats, waiting.number()), width, height);
        }
    }

    #[test]
    fn q_and_control_c_leave() {
        assert!(QueuePage::is_leave_key(KeyCode::Char('q').into()));
        assert!(QueuePage::is_leave_key(ctrl('c')));
        assert!(!QueuePage::is_leave_key(KeyCode::Char('x').into()));
        assert!(!QueuePage::is_leave_key(ctrl('q')));
    }
}
