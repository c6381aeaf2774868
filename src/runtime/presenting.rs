//! One person presents, and others look on.
//!
//! ```text
//!   presenter's terminal ◀─▶ Presented<P> ──each picture──▶ Presentation ─┬─▶ Spectator ─▶ a terminal that looks on
//!                                └─▶ P: the console that is presented     └─▶ Spectator ─▶ another one
//! ```
//!
//! What goes from the presenter to the others is a finished picture and nothing else: a [`Spectator`] holds the end of a
//! channel on which pictures come, and has nothing by which a key could reach the console, or a call or a text for the
//! clipboard could reach its own terminal. The presenter pays for one copy of each picture that differs from the one
//! before, however many look on; whoever is slow misses pictures and holds nobody up.

mod spectator;
#[cfg(test)]
mod tests;

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{Event, Flow, Program};
use crate::domain::watch::Alert;
use crate::domain::{Looks, Timestamp};

pub use spectator::Spectator;

/// What those who look on are to see.
#[derive(Debug, Clone)]
enum Sight {
    /// Nothing: nobody has presented anything yet.
    Before,
    /// The presenter's newest picture.
    Picture(Arc<Buffer>),
    /// The presenter has left, and may come back.
    Away,
}

/// The place where one presents and others look on. Cheap to clone; every clone is the same place.
#[derive(Debug, Clone)]
pub struct Presentation(Arc<Place>);

#[derive(Debug)]
struct Place {
    sight: watch::Sender<Sight>,
    /// Cancelled when another one takes the presenter's place.
    newest: Mutex<CancellationToken>,
}

/// The presenter's place, until dropped or taken over.
#[derive(Debug)]
pub struct Lectern {
    presentation: Presentation,
    taken_over: CancellationToken,
}

impl Default for Presentation {
    fn default() -> Self {
        Self(Arc::new(Place { sight: watch::Sender::new(Sight::Before), newest: Mutex::default() }))
    }
}

impl Presentation {
    /// Takes the presenter's place, from whoever has it: nothing of theirs is shown from now on.
    pub fn take(&self) -> Lectern {
        let taken_over = CancellationToken::new();
        let mut newest = self.0.newest.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *newest, taken_over.clone()).cancel();
        Lectern { presentation: self.clone(), taken_over }
    }

    /// Somebody who looks on, in a terminal of these looks.
    pub fn spectator(&self, looks: Looks) -> Spectator {
        Spectator::new(self.0.sight.subscribe(), looks)
    }

    /// How many look on.
    pub fn spectators(&self) -> usize {
        self.0.sight.receiver_count()
    }
}

impl Lectern {
    /// Cancelled as soon as another one has taken this place.
    pub fn taken_over(&self) -> CancellationToken {
        self.taken_over.clone()
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

impl Drop for Lectern {
    fn drop(&mut self) {
        self.presentation.0.sight.send_if_modified(|sight| {
            let is_newest = !self.taken_over.is_cancelled();
            if is_newest {
                *sight = Sight::Away;
            }
            is_newest
        });
    }
}

/// A program, each of whose pictures is shown to those who look on.
#[derive(Debug)]
pub struct Presented<P> {
    program: P,
    lectern: Lectern,
}

impl<P> Presented<P> {
    /// Shows a program from now on.
    pub fn new(program: P, lectern: Lectern) -> Self {
        Self { program, lectern }
    }

    /// The program.
    pub fn program(&mut self) -> &mut P {
        &mut self.program
    }
}

impl<P: Program> Program for Presented<P> {
    fn input(&mut self, event: Event, now: Timestamp) -> Flow {
        self.program.input(event, now)
    }

    fn answer(&mut self) -> impl Future<Output = ()> + Send {
        self.program.answer()
    }

    fn try_answer(&mut self) -> bool {
        self.program.try_answer()
    }

    fn awaited(&mut self) -> bool {
        self.program.awaited()
    }

    fn due(&self) -> Option<Timestamp> {
        self.program.due()
    }

    fn tick(&mut self, now: Timestamp) {
        self.program.tick(now);
    }

    fn changed(&mut self) -> bool {
        self.program.changed()
    }

    fn alerts(&mut self) -> Vec<(Alert, String)> {
        self.program.alerts()
    }

    fn copies(&mut self) -> Vec<String> {
        self.program.copies()
    }

    fn view(&self, area: Rect, buf: &mut Buffer) {
        self.program.view(area, buf);
        self.lectern.show(buf);
    }

    fn picture(&self) -> u64 {
        self.program.picture()
    }

    fn arrived(&mut self, picture: u64, now: Timestamp) {
        self.program.arrived(picture, now);
    }
}
