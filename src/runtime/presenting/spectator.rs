//! Somebody who looks on: the newest picture of the presenter, as much of it as the own terminal has room for, and a line
//! that says what it is.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::sync::watch;

use super::Sight;
use crate::app::{Key, KeyCode};
use crate::domain::{Looks, Timestamp};
use crate::runtime::{Event, Flow, Program};
use crate::ui::{Theme, glyphs, paint};

/// What is said while there is nothing to see.
const BEFORE: &str = "Nobody is presenting yet.";
const AWAY: &str = "The presenter is away at the moment.";
const THEN: &str = "Whatever is presented shows here as soon as there is something to see.";

/// What ends a line that goes on beyond the edge.
const MORE: &str = "›";

/// How to leave.
const LEAVE: &str = "q leaves";

/// Looks on: it paints what is presented, and knows no key but those that leave.
#[derive(Debug)]
pub struct Spectator {
    sight: watch::Receiver<Sight>,
    looks: Looks,
    /// What is said in place of the line's own words.
    said: Option<String>,
    changed: bool,
}

impl Spectator {
    pub(super) fn new(sight: watch::Receiver<Sight>, looks: Looks) -> Self {
        Self { sight, looks, said: None, changed: true }
    }

    /// Says something for as long as this looks on.
    pub fn say(&mut self, words: String) {
        self.said = Some(words);
        self.changed = true;
    }
}

impl Program for Spectator {
    fn input(&mut self, event: Event, _now: Timestamp) -> Flow {
        match event {
            Event::Key(Key { code: KeyCode::Char('q'), ctrl: false, alt: false }) => Flow::Quit,
            Event::Key(key) if key == Key::ctrl('c') => Flow::Quit,
            Event::Resized { .. } => {
                self.changed = true;
                Flow::Continue
            }
            _ => Flow::Continue,
        }
    }

    async fn answer(&mut self) {
        if self.sight.changed().await.is_err() {
            // The host ends, and this session with it.
            std::future::pending::<()>().await;
        }
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
        let theme = Theme::of(self.looks.theme, self.looks.colours);
        paint::tint(buf, area, theme.ground);
        let place = Rect { height: area.height.saturating_sub(1), ..area };
        let line = Rect { y: area.bottom().saturating_sub(1), height: area.height.min(1), ..area };
        let words = match sight {
            Sight::Picture(picture) => {
                let seen = show(&picture, &theme, place, buf);
                told(picture.area, seen)
            }
            Sight::Before => wait(&theme, BEFORE, place, buf),
            Sight::Away => wait(&theme, AWAY, place, buf),
        };
        let words = self.said.clone().unwrap_or(words);
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
    paint::say(buf, Rect { height: below.height.min(3), ..below }, THEN, theme.dim);
    "looking on".to_owned()
}

fn centred(place: Rect, width: u16) -> u16 {
    place.x + place.width.saturating_sub(width) / 2
}

/// Puts a picture into the middle of a place, or as much of its top left as there is room for. Gives what is seen of it.
fn show(picture: &Buffer, theme: &Theme, place: Rect, buf: &mut Buffer) -> (u16, u16) {
    let (width, height) = (picture.area.width.min(place.width), picture.area.height.min(place.height));
    let (left, top) = (centred(place, width), place.y + (place.height - height) / 2);
    for y in 0..height {
        let goes_on = goes_on(picture, width, y);
        let room = width.saturating_sub(u16::from(goes_on));
        for x in 0..room {
            let (from, to) = ((picture.area.x + x, picture.area.y + y), (left + x, top + y));
            if let (Some(from), Some(to)) = (picture.cell(from), buf.cell_mut(to)) {
                to.clone_from(from);
                // A wide sign whose second column is cut off would push the line out of place.
                if x + paint::width(from.symbol()) > room {
                    to.set_char(' ');
                }
            }
        }
        if goes_on && width > 0 {
            // Half a figure would read as a whole one.
            paint::put(buf, left + room, top + y, 1, MORE, theme.accent);
        }
    }
    (width, height)
}

/// Whether a line of a picture holds anything from a column on, be it the second half of a wide sign.
fn goes_on(picture: &Buffer, from: u16, y: u16) -> bool {
    let symbol = |x: u16| picture.cell((picture.area.x + x, picture.area.y + y)).map_or(" ", |cell| cell.symbol());
    let mut rest = from..picture.area.width;
    let is_astride = from > 0 && from < picture.area.width && paint::width(symbol(from - 1)) > 1;
    is_astride || rest.any(|x| symbol(x) != " ")
}

/// What the line says of a picture of which so much is seen.
fn told(whole: Rect, (width, height): (u16, u16)) -> String {
    let size = format!("looking on: the presenter's screen, {}×{}", whole.width, whole.height);
    if (width, height) == (whole.width, whole.height) {
        return size;
    }
    format!("{size}, of which you see {width}×{height}")
}
