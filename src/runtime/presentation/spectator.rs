//! A spectator's view: the presenter's newest frame, as much of it as the spectator's terminal has room for, and a
//! status line. If that is not all, arrow keys move over the frame; other keys do nothing, except to leave.

use crossterm::event::{Event, KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::sync::watch;

use super::audience::SpectatorPresence;
use super::view_offset::ViewOffset;
use super::{SharedView, parted};
use crate::app::Size;
use crate::app::keymap::ctrl;
use crate::domain::{Appearance, Timestamp};
use crate::runtime::{Flow, Program};
use crate::ui::{Theme, glyphs, paint};

/// Shown while there is no frame.
const BEFORE: &str = "Nobody is presenting yet.";
const AWAY: &str = "The presenter is away at the moment.";
const LOST: &str = "the presenter lost the connection: this is the last screen";
const THEN: &str = "The presented screen appears here as soon as there is something to see.";

const LEAVE: &str = "q leaves";

/// Shows the presenter's frames. Its only keys leave, or move over the frame.
#[derive(Debug)]
pub struct Spectator {
    sight: watch::Receiver<SharedView>,
    presence: SpectatorPresence,
    looks: Appearance,
    window: Size,
    part: ViewOffset,
    footer_message: Option<String>,
    changed: bool,
}

impl Spectator {
    pub(super) fn new(sight: watch::Receiver<SharedView>, presence: SpectatorPresence, looks: Appearance) -> Self {
        let window = Size { width: 80, height: 24 };
        Self { sight, presence, looks, window, part: ViewOffset::default(), footer_message: None, changed: true }
    }

    /// Replaces the status line, until changed again or `None`.
    pub fn set_footer(&mut self, words: Option<String>) {
        self.footer_message = words;
        self.changed = true;
    }

    pub fn is_presented(&self) -> bool {
        matches!(*self.sight.borrow(), SharedView::Picture(_))
    }

    /// Moves over the frame, if the key is an arrow and the window shows only a part.
    fn moves(&mut self, key: KeyEvent) {
        let sight = self.sight.borrow();
        let (SharedView::Picture(picture) | SharedView::Away(Some(picture))) = &*sight else { return };
        let (place, _) = parted(Rect::new(0, 0, self.window.width, self.window.height));
        let moved = self.part.moved(key.code, picture.area, place).filter(|_| key.modifiers.is_empty());
        drop(sight);
        if let Some(part) = moved.filter(|part| *part != self.part) {
            self.part = part;
            self.changed = true;
        }
    }
}

impl Program for Spectator {
    fn input(&mut self, event: Event, _now: Timestamp) -> Flow {
        match event {
            Event::Key(key) if key == KeyCode::Char('q').into() || key == ctrl('c') => Flow::Quit,
            Event::Key(key) => {
                self.moves(key);
                Flow::Continue
            }
            Event::Resize(width, height) => {
                self.window = Size { width, height };
                self.presence.set_window(self.window);
                self.changed = true;
                Flow::Continue
            }
            _ => Flow::Continue,
        }
    }

    async fn answer(&mut self) {
        // The presence owns the sender.
        let _held = self.sight.changed().await;
        self.changed = true;
    }

    fn try_answer(&mut self) -> bool {
        let is_new = self.sight.has_changed().unwrap_or(false);
        if is_new {
            self.sight.mark_unchanged();
            self.changed = true;
        }
        is_new
    }

    fn due(&self) -> Option<Timestamp> {
        None
    }

    fn tick(&mut self, _now: Timestamp) {}

    fn changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    fn view(&self, area: Rect, buf: &mut Buffer) {
        // The presenter waits while the frame is borrowed, so the borrow ends before anything is painted.
        let sight = self.sight.borrow().clone();
        let theme = Theme::from_name(self.looks.theme, self.looks.colours);
        paint::tint(buf, area, theme.ground);
        let (place, line) = parted(area);
        let words = match sight {
            SharedView::Picture(picture) => {
                let Rect { width, height, .. } = picture.area;
                match self.part.show(&picture, &theme, place, buf) {
                    None => format!("watching: the presenter's screen, {width}×{height}"),
                    Some(seen) => format!("{seen} of {width}×{height}; arrows move"),
                }
            }
            SharedView::Before => wait(&theme, BEFORE, place, buf),
            SharedView::Away(Some(picture)) => {
                self.part.show(&picture, &theme, place, buf);
                LOST.to_owned()
            }
            SharedView::Away(None) => wait(&theme, AWAY, place, buf),
        };
        let words = self.footer_message.clone().unwrap_or(words);
        paint::tint(buf, line, theme.header);
        let room = line.width.saturating_sub(2);
        let leave = paint::width(LEAVE);
        paint::put(buf, line.x + 1, line.y, room.saturating_sub(leave + 2), &words, theme.header);
        paint::put_right(buf, line.right().saturating_sub(1), line.y, room, LEAVE, theme.header);
        glyphs::render(self.looks.glyphs, buf);
    }
}

/// Paints why there is no frame; returns the status line.
fn wait(theme: &Theme, why: &str, place: Rect, buf: &mut Buffer) -> String {
    let half = place.height / 2;
    let above = Rect { height: half, ..place };
    paint::put(buf, centred(above, paint::width(why)), above.bottom().saturating_sub(1), place.width, why, theme.text);
    let below = Rect { y: place.y + half, height: place.height - half, ..place };
    paint::put_centered(buf, Rect { height: below.height.min(3), ..below }, THEN, theme.dim);
    "watching".to_owned()
}

fn centred(place: Rect, width: u16) -> u16 {
    place.x + place.width.saturating_sub(width) / 2
}
