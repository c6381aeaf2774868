//! The visit of somebody who looks on while another one presents, as a program for the loop: pictures, and an end in time.
//! Nobody who looks on presses keys, so that to press none ends nothing.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use super::Timing;
use super::ending::{Due, End};
use super::told::Why;
use crate::domain::Timestamp;
use crate::runtime::presenting::Spectator;
use crate::runtime::{Ending, Event, Flow, Notice, Program};

/// Somebody who looks on.
pub(super) struct Onlooking {
    spectator: Spectator,
    longest: Duration,
    end: End,
    notices: UnboundedSender<Notice>,
    closing: CancellationToken,
    is_over: bool,
}

impl Onlooking {
    /// Looks on for the longest visit at most. `notices` reach the loop that serves it, and `closing` is cancelled when no more
    /// input is taken in.
    pub(super) fn new(
        spectator: Spectator,
        timing: &Timing,
        now: Timestamp,
        notices: UnboundedSender<Notice>,
        closing: CancellationToken,
    ) -> Self {
        let longest = timing.longest;
        let end = End::of(longest, timing.warning, now);
        Self { spectator, longest, end, notices, closing, is_over: false }
    }

    /// Why it ended, if it was not the visitor's doing.
    pub(super) fn why(&self) -> Option<Why> {
        self.is_over.then_some(Why::Longest(self.longest))
    }
}

impl Program for Onlooking {
    fn input(&mut self, event: Event, now: Timestamp) -> Flow {
        if event == Event::Stopping {
            self.closing.cancel();
        }
        self.spectator.input(event, now)
    }

    async fn answer(&mut self) {
        self.spectator.answer().await;
    }

    fn try_answer(&mut self) -> bool {
        self.spectator.try_answer()
    }

    fn due(&self) -> Option<Timestamp> {
        (!self.is_over).then(|| self.end.next())
    }

    fn tick(&mut self, now: Timestamp) {
        if self.is_over {
            return;
        }
        match self.end.look(now) {
            Some(Due::Near(left)) => self.spectator.say(format!("this visit ends in {left}; log in again any time")),
            Some(Due::Over) => {
                self.is_over = true;
                // The loop listens for as long as there is one.
                let _ = self.notices.send(Notice::Ended(Ending::Quit));
            }
            None => {}
        }
    }

    fn changed(&mut self) -> bool {
        self.spectator.changed()
    }

    fn view(&self, area: Rect, buf: &mut Buffer) {
        self.spectator.view(area, buf);
    }
}
