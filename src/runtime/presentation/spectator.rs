//! A spectator's view: the presenter's newest frame, as much of it as the spectator's terminal has room for, and a
//! status line. If that is not all, arrow keys move over the frame; other keys do nothing, except to leave.

use crossterm::event::{Event, KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::sync::watch;

use super::audience::SpectatorCountGuard;
use super::view_offset::ViewOffset;
use super::{SharedView, split_last_line};
use crate::app::Size;
use crate::app::input::keymap::ctrl;
use crate::domain::{Appearance, Timestamp};
use crate::runtime::{Flow, Program};
use crate::ui::{Theme, glyphs, paint};

/// Shown while there is no frame.
const NOBODY_PRESENTING_YET: &str = "Nobody is presenting yet.";
const PRESENTER_AWAY: &str = "The presenter is away at the moment.";
const PRESENTER_DISCONNECTED: &str = "the presenter lost the connection: this is the last screen";
const SCREEN_APPEARS_HERE: &str = "The presented screen appears here as soon as there is something to see.";

const LEAVE_HINT: &str = "q leaves";

/// Shows the presenter's frames. Its only keys leave, or move over the frame.
#[derive(Debug)]
pub struct Spectator {
    shared_view: watch::Receiver<SharedView>,
    presence: SpectatorCountGuard,
    appearance: Appearance,
    window: Size,
    visible_offset: ViewOffset,
    footer_message: Option<String>,
    has_changed: bool,
}

impl Spectator {
    pub(super) fn new(
        shared_view: watch::Receiver<SharedView>,
        presence: SpectatorCountGuard,
        appearance: Appearance,
    ) -> Self {
        let window = Size { width: 80, height: 24 };
        Self {
            shared_view,
            presence,
            appearance,
            window,
            visible_offset: ViewOffset::default(),
            footer_message: None,
            has_changed: true,
        }
    }

    /// Replaces the status line, until changed again or `None`.
    pub fn set_footer(&mut self, message: Option<String>) {
        self.footer_message = message;
        self.has_changed = true;
    }

    pub fn has_presented_frame(&self) -> bool {
        matches!(*self.shared_view.borrow(), SharedView::Frame(_))
    }

    /// Moves over the frame, if the key is an arrow and the window shows only a part.
    fn scroll_by_key(&mut self, key: KeyEvent) {
        let shared_view = self.shared_view.borrow();
        let (SharedView::Frame(frame) | SharedView::Away(Some(frame))) = &*shared_view else { return };
        let (place, _) = split_last_line(Rect::new(0, 0, self.window.width, self.window.height));
        let new_offset =
            self.visible_offset.moved_by_key(key.code, frame.area, place).filter(|_| key.modifiers.is_empty());
        drop(shared_view);
        if let Some(part) = new_offset.filter(|part| *part != self.visible_offset) {
            self.visible_offset = part;
            self.has_changed = true;
        }
    }
}

impl Program for Spectator {
    fn input(&mut self, event: Event, _now: Timestamp) -> Flow {
        match event {
            Event::Key(key) if key == KeyCode::Char('q').into() || key == ctrl('c') => Flow::Quit,
            Event::Key(key) => {
                self.scroll_by_key(key);
                Flow::Continue
            }
            Event::Resize(width, height) => {
                self.window = Size { width, height };
                self.presence.set_window(self.window);
                self.has_changed = true;
                Flow::Continue
            }
            Event::FocusGained | Event::FocusLost | Event::Mouse(_) | Event::Paste(_) => Flow::Continue,
        }
    }

    async fn apply_next_result(&mut self) {
        // The presence owns the sender.
        let _always_ok = self.shared_view.changed().await;
        self.has_changed = true;
    }

    fn try_apply_result(&mut self) -> bool {
        let is_new = self.shared_view.has_changed().unwrap_or(false);
        if is_new {
            self.shared_view.mark_unchanged();
            self.has_changed = true;
        }
        is_new
    }

    fn next_timer_at(&self) -> Option<Timestamp> {
        None
    }

    fn run_due_timers(&mut self, _now: Timestamp) {}

    fn take_has_changed(&mut self) -> bool {
        std::mem::take(&mut self.has_changed)
    }

    fn view(&self, area: Rect, buf: &mut Buffer) {
        // The presenter waits while the frame is borrowed, so the borrow ends before anything is painted.
        let shared_view = self.shared_view.borrow().clone();
        let theme = Theme::from_name(self.appearance.theme, self.appearance.colours);
        paint::tint(buf, area, theme.ground);
        let (place, line) = split_last_line(area);
        let message = match shared_view {
            SharedView::Frame(frame) => {
                let Rect { width, height, .. } = frame.area;
                match self.visible_offset.draw_visible_part(&frame, &theme, place, buf) {
                    None => format!("watching: the presenter's screen, {width}×{height}"),
                    Some(part) => format!("{part} of {width}×{height}; arrows move"),
                }
            }
            SharedView::NothingYet => draw_waiting_screen(&theme, NOBODY_PRESENTING_YET, place, buf),
            SharedView::Away(Some(frame)) => {
                self.visible_offset.draw_visible_part(&frame, &theme, place, buf);
                PRESENTER_DISCONNECTED.to_owned()
            }
            SharedView::Away(None) => draw_waiting_screen(&theme, PRESENTER_AWAY, place, buf),
        };
        let message = self.footer_message.clone().unwrap_or(message);
        paint::tint(buf, line, theme.header);
        let room = line.width.saturating_sub(2);
        let leave = paint::text_width(LEAVE_HINT);
        paint::put(buf, line.x + 1, line.y, room.saturating_sub(leave + 2), &message, theme.header);
        paint::put_right(buf, line.right().saturating_sub(1), line.y, room, LEAVE_HINT, theme.header);
        glyphs::replace_glyphs(self.appearance.glyphs, buf);
    }
}

/// Paints why there is no frame; returns the status line.
fn draw_waiting_screen(theme: &Theme, reason: &str, area: Rect, buf: &mut Buffer) -> String {
    let half = area.height / 2;
    let above = Rect { height: half, ..area };
    paint::put(
        buf,
        centred_start_column(above, paint::text_width(reason)),
        above.bottom().saturating_sub(1),
        area.width,
        reason,
        theme.text,
    );
    let below = Rect { y: area.y + half, height: area.height - half, ..area };
    paint::put_centered(buf, Rect { height: below.height.min(3), ..below }, SCREEN_APPEARS_HERE, theme.dim);
    "watching".to_owned()
}

fn centred_start_column(area: Rect, width: u16) -> u16 {
    area.x + area.width.saturating_sub(width) / 2
}
