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
mod presented_program;
mod spectator;
#[cfg(test)]
mod tests;
mod view_offset;

use std::sync::{Arc, Mutex, PoisonError};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::domain::Appearance;
use audience::{Audience, SpectatorPresence};

pub use presented_program::PresentedProgram;
pub use spectator::Spectator;

/// What those who look on are to see.
#[derive(Debug, Clone)]
enum SharedView {
    /// Nothing: nobody has presented anything yet.
    Before,
    /// The presenter's newest picture.
    Picture(Arc<Buffer>),
    /// The presenter has left, and may come back: one who lost the link to the same, of which this is the last picture.
    Away(Option<Arc<Buffer>>),
}

/// The place where one presents and others look on. Cheap to clone; every clone is the same place.
#[derive(Debug, Clone)]
pub struct Presentation(Arc<Stage>);

#[derive(Debug)]
struct Stage {
    sight: watch::Sender<SharedView>,
    audience: watch::Sender<Audience>,
    /// Cancelled when another one takes the presenter's place.
    newest: Mutex<CancellationToken>,
}

/// The presenter's place, until dropped or taken over.
#[derive(Debug)]
pub struct PresenterSlot {
    presentation: Presentation,
    is_taken_over: CancellationToken,
    is_resuming: bool,
}

impl Default for Presentation {
    fn default() -> Self {
        Self(Arc::new(Stage {
            sight: watch::Sender::new(SharedView::Before),
            audience: watch::Sender::default(),
            newest: Mutex::default(),
        }))
    }
}

impl Presentation {
    /// Takes the presenter's place, from whoever has it: nothing of theirs is shown from now on.
    pub fn take(&self) -> PresenterSlot {
        let taken_over = CancellationToken::new();
        let mut newest = self.0.newest.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *newest, taken_over.clone()).cancel();
        PresenterSlot { presentation: self.clone(), is_taken_over: taken_over, is_resuming: false }
    }

    /// Somebody who looks on, in a terminal of these looks.
    pub fn new_spectator(&self, looks: Appearance) -> Spectator {
        Spectator::new(self.0.sight.subscribe(), SpectatorPresence::new(self.clone()), looks)
    }

    /// How many look on.
    pub fn spectator_count(&self) -> usize {
        self.0.audience.borrow().count()
    }
}

impl PresenterSlot {
    /// Cancelled as soon as another one has taken this place.
    pub fn takeover_token(&self) -> CancellationToken {
        self.is_taken_over.clone()
    }

    /// Whoever presents will come back to what is shown, which stays until then.
    pub fn set_resuming(&mut self) {
        self.is_resuming = true;
    }

    /// Shows a picture, if it is another one than before.
    pub fn show_frame(&self, picture: &Buffer) {
        self.presentation.0.sight.send_if_modified(|sight| {
            if self.is_taken_over.is_cancelled() || matches!(sight, SharedView::Picture(shown) if **shown == *picture) {
                return false;
            }
            *sight = SharedView::Picture(Arc::new(picture.clone()));
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

impl Drop for PresenterSlot {
    fn drop(&mut self) {
        self.presentation.0.sight.send_if_modified(|sight| {
            let is_newest = !self.is_taken_over.is_cancelled();
            if is_newest {
                let last = match sight {
                    SharedView::Picture(picture) if self.is_resuming => Some(Arc::clone(picture)),
                    _ => None,
                };
                *sight = SharedView::Away(last);
            }
            is_newest
        });
    }
}
