//! One person presents, and others look on.
//!
//! ```text
//!   presenter's terminal ◀─▶ Presented<P> ──each picture──▶ Presentation ─┬─▶ Spectator ─▶ a terminal that looks on
//!                                ├─▶ P: the console that is presented     └─▶ Spectator ─▶ another one
//!                                └──◀ how many look on, in what windows ─────────┘
//! ```
//!
//! What goes from the presenter to the others is a finished picture and nothing else: a [`Spectator`] holds the end of a
//! channel on which pictures come, and has nothing by which a key could reach the console, or a call or a text for the
//! clipboard could reach its own terminal. The presenter pays for one copy of each picture that differs from the one
//! before, however many look on; whoever is slow misses pictures and holds nobody up. Both ends keep their last line to
//! themselves, so that windows of one size show the same picture whole.

mod audience;
mod part;
mod presented;
mod spectator;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, PoisonError};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::domain::Looks;
use audience::{Audience, Presence};

pub use presented::Presented;
pub use spectator::Spectator;

/// What those who look on are to see.
#[derive(Debug, Clone)]
enum Sight {
    /// Nothing: nobody has presented anything yet.
    Before,
    /// The presenter's newest picture.
    Picture(Arc<Buffer>),
    /// The presenter has left, and may come back: one who lost the link to the same, of which this is the last picture.
    Away(Option<Arc<Buffer>>),
}

/// The place where one presents and others look on. Cheap to clone; every clone is the same place.
#[derive(Debug, Clone)]
pub struct Presentation(Arc<Place>);

#[derive(Debug)]
struct Place {
    sight: watch::Sender<Sight>,
    audience: watch::Sender<Audience>,
    /// Cancelled when another one takes the presenter's place.
    newest: Mutex<CancellationToken>,
}

/// The presenter's place, until dropped or taken over.
#[derive(Debug)]
pub struct Lectern {
    presentation: Presentation,
    taken_over: CancellationToken,
    resumes: bool,
}

impl Default for Presentation {
    fn default() -> Self {
        Self(Arc::new(Place {
            sight: watch::Sender::new(Sight::Before),
            audience: watch::Sender::default(),
            newest: Mutex::default(),
        }))
    }
}

impl Presentation {
    /// Takes the presenter's place, from whoever has it: nothing of theirs is shown from now on.
    pub fn take(&self) -> Lectern {
        let taken_over = CancellationToken::new();
        let mut newest = self.0.newest.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *newest, taken_over.clone()).cancel();
        Lectern { presentation: self.clone(), taken_over, resumes: false }
    }

    /// Somebody who looks on, in a terminal of these looks.
    pub fn spectator(&self, looks: Looks) -> Spectator {
        Spectator::new(self.0.sight.subscribe(), Presence::new(self.clone()), looks)
    }

    /// How many look on.
    pub fn spectators(&self) -> usize {
        self.0.audience.borrow().count()
    }
}

impl Lectern {
    /// Cancelled as soon as another one has taken this place.
    pub fn taken_over(&self) -> CancellationToken {
        self.taken_over.clone()
    }

    /// Whoever presents will come back to what is shown, which stays until then.
    pub fn resumes(&mut self) {
        self.resumes = true;
    }

    /// Shows a picture, if it is another one than before.
    pub fn show(&self, picture: &Buffer) {
        self.presentation.0.sight.send_if_modified(|sight| {
            if self.taken_over.is_cancelled() || matches!(sight, Sight::Picture(shown) if **shown == *picture) {
                return false;
            }
            *sight = Sight::Picture(Arc::new(picture.clone()));
            true
        });
    }
}

/// A window's last line, and what is above it; one of a single line has none to spare.
fn parted(window: Rect) -> (Rect, Rect) {
    let line = u16::from(window.height > 1);
    let above = Rect { height: window.height - line, ..window };
    (above, Rect { y: above.bottom(), height: line, ..window })
}

impl Drop for Lectern {
    fn drop(&mut self) {
        self.presentation.0.sight.send_if_modified(|sight| {
            let is_newest = !self.taken_over.is_cancelled();
            if is_newest {
                let last = match sight {
                    Sight::Picture(picture) if self.resumes => Some(Arc::clone(picture)),
                    _ => None,
                };
                *sight = Sight::Away(last);
            }
            is_newest
        });
    }
}
