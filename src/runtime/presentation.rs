//! One presenter shows a program, and spectators watch.
//!
//! ```text
//!   presenter's terminal ◀─▶ PresentedProgram<P> ──each frame──▶ Presentation ─┬─▶ Spectator ─▶ a watching terminal
//!                                ├─▶ P: the program presented                  └─▶ Spectator ─▶ another one
//!                                └──◀ number and windows of the spectators ──────────┘
//! ```
//!
//! Only finished frames pass from the presenter to spectators: a [`Spectator`] has the receiving end of a channel of
//! frames, and nothing through which a key could reach the console, or an alert or a text for the clipboard could reach
//! the spectator's terminal. The presenter pays for one copy of each changed frame, however many watch; slow spectators
//! miss frames and delay nobody. Both ends reserve their last line, so that equal windows show the same frame.

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
use audience::{Audience, SpectatorCountGuard};

pub use presented_program::PresentedProgram;
pub use spectator::Spectator;

#[derive(Debug, Clone)]
enum SharedView {
    /// Nobody has presented anything yet.
    NothingYet,
    Frame(Arc<Buffer>),
    /// The presenter has left; with the last frame if the presenter lost the connection and may resume.
    Away(Option<Arc<Buffer>>),
}

/// Connects presenter and spectators. Clones share their state.
#[derive(Debug, Clone)]
pub struct Presentation(Arc<PresentationState>);

#[derive(Debug)]
struct PresentationState {
    shared_view: watch::Sender<SharedView>,
    audience: watch::Sender<Audience>,
    /// Cancelled when another presenter takes over.
    newest_presenter: Mutex<CancellationToken>,
}

/// The right to present, until dropped or taken over.
#[derive(Debug)]
pub struct PresenterSlot {
    presentation: Presentation,
    takeover_token: CancellationToken,
    is_resuming: bool,
}

impl Default for Presentation {
    fn default() -> Self {
        Self(Arc::new(PresentationState {
            shared_view: watch::Sender::new(SharedView::NothingYet),
            audience: watch::Sender::default(),
            newest_presenter: Mutex::default(),
        }))
    }
}

impl Presentation {
    /// Takes the slot over from its owner, whose frames are no longer shown.
    pub fn take_over_presenter_slot(&self) -> PresenterSlot {
        let taken_over = CancellationToken::new();
        let mut newest = self.0.newest_presenter.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *newest, taken_over.clone()).cancel();
        PresenterSlot { presentation: self.clone(), takeover_token: taken_over, is_resuming: false }
    }

    pub fn new_spectator(&self, appearance: Appearance) -> Spectator {
        Spectator::new(self.0.shared_view.subscribe(), SpectatorCountGuard::new(self.clone()), appearance)
    }

    pub fn spectator_count(&self) -> usize {
        self.0.audience.borrow().spectator_count()
    }
}

impl PresenterSlot {
    /// Cancelled as soon as another presenter has taken over.
    pub fn takeover_token(&self) -> CancellationToken {
        self.takeover_token.clone()
    }

    /// Marks that the presenter may resume: spectators keep the last frame until then.
    pub fn set_resuming(&mut self) {
        self.is_resuming = true;
    }

    /// Shows a frame, if it has changed.
    pub fn show_frame(&self, frame: &Buffer) {
        self.presentation.0.shared_view.send_if_modified(|shared_view| {
            if self.takeover_token.is_cancelled()
                || matches!(shared_view, SharedView::Frame(current_frame) if **current_frame == *frame)
            {
                return false;
            }
            *shared_view = SharedView::Frame(Arc::new(frame.clone()));
            true
        });
    }
}

/// A window's area above its last line, and the last line; a window of a single line has no line to spare.
fn split_last_line(window: Rect) -> (Rect, Rect) {
    let line = u16::from(window.height > 1);
    let above = Rect { height: window.height - line, ..window };
    (above, Rect { y: above.bottom(), height: line, ..window })
}

impl Drop for PresenterSlot {
    fn drop(&mut self) {
        self.presentation.0.shared_view.send_if_modified(|shared_view| {
            let is_newest = !self.takeover_token.is_cancelled();
            if is_newest {
                let last = match shared_view {
                    SharedView::Frame(frame) if self.is_resuming => Some(Arc::clone(frame)),
                    SharedView::NothingYet | SharedView::Frame(_) | SharedView::Away(_) => None,
                };
                *shared_view = SharedView::Away(last);
            }
            is_newest
        });
    }
}
