//! Somebody who looks on: the newest picture of the presenter, as much of it as the own terminal has room for, and a line
//! that says what it is. Where that is not all, arrows move over it; no key does anything else but leave.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::sync::watch;

use super::audience::SpectatorPresence;
use super::view_offset::ViewOffset;
use super::{SharedView, parted};
use crate::app::{Key, KeyCode, Size};
use crate::domain::{Appearance, Timestamp};
use crate::runtime::{Event, Flow, Program};
use crate::ui::{Theme, glyphs, paint};

/// What is said while there is nothing to see.
const BEFORE: &str = "Nobody is presenting yet.";
const AWAY: &str = "The presenter is away at the moment.";
const LOST: &str = "the presenter lost the connection: this is the last screen";
const THEN: &str = "The presented screen appears here as soon as there is something to see.";

/// How to leave.
const LEAVE: &str = "q leaves";

/// Looks on: it paints what is presented, and knows no key but those that leave and those that move over the picture.
#[derive(Debug)]
pub struct Spectator {
    sight: watch::Receiver<SharedView>,
    presence: SpectatorPresence,
    looks: Appearance,
    window: Size,
    part: ViewOffset,
    /// What is said in place of the line's own words.
    footer_message: Option<String>,
    changed: bool,
}

impl Spectator {
    pub(super) fn new(sight: watch::Receiver<SharedView>, presence: SpectatorPresence, looks: Appearance) -> Self {
        let window = Size { width: 80, height: 24 };
        Self { sight, presence, looks, window, part: ViewOffset::default(), footer_message: None, changed: true }
    }

    /// Says something in place of the line's own words, until something else or nothing is said.
    pub fn set_footer(&mut self, words: Option<String>) {
        self.footer_message = words;
        self.changed = true;
    }

    /// Whether somebody presents.
    pub fn is_presented(&self) -> bool {
        matches!(*self.sight.borrow(), SharedView::Picture(_))
    }

    /// Moves over the picture, if the key says so and there is more of it than is seen.
    fn moves(&mut self, key: Key) {
        let sight = self.sight.borrow();
        let (SharedView::Picture(picture) | SharedView::Away(Some(picture))) = &*sight else { return };
        let (place, _) = parted(Rect::new(0, 0, self.window.width, self.window.height));
        let moved = self.part.moved(key.code, picture.area, place).filter(|_| !key.ctrl && !key.alt);
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
            Event::Key(Key { code: KeyCode::Char('q'), ctrl: false, alt: false }) => Flow::Quit,
            Event::Key(key) if key == Key::ctrl('c') => Flow::Quit,
            Event::Key(key) => {
                self.moves(key);
                Flow::Continue
            }
            Event::Resized { width, height } => {
                self.window = Size { width, height };
                self.presence.set_window(self.window);
                self.changed = true;
                Flow::Continue
            }
            _ => Flow::Continue,
        }
    }

    async fn answer(&mut self) {
        // The presence holds the sender.
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
        // The presenter waits for whoever holds the picture: it is let go of before anything is painted.
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

/// Says why there is nothing to see, and what the line says then.
fn wait(theme: &Theme, why: &str, place: Rect, buf: &mut Buffer) -> String {
    let half = place.height / 2;
    let above = Rect { height: half, ..place };
    paint::put(buf, centred(above, paint::width(why)), above.bottom().saturating_sub(1), place.width, why, theme.text);
    let below = Rect { y: place.y + half, height: place.height - half, ..place };
    paint::put_centered(buf, Rect { height: below.height.min(3), ..below }, THEN, theme.dim);
    "watching".to_owned()
}

/// Where something this wide begins that stands in the middle of a place.
fn centred(place: Rect, width: u16) -> u16 {
    place.x + place.width.saturating_sub(width) / 2
}
