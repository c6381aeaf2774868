//! A spectator's session, as a [`Program`]: frames, and a time-out. Spectators press no keys, so idling ends nothing;
//! and no time-out runs while somebody presents.

use std::time::Duration;

use crossterm::event::Event;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use super::Timing;
use super::host_event::EndReason;
use super::time_outs::{TimeOut, TimeOutNotice};
use crate::domain::Timestamp;
use crate::runtime::presentation::Spectator;
use crate::runtime::{Clock, ExitReason, Flow, Notice, Program};

pub(super) struct SpectatorSession {
    spectator: Spectator,
    longest: Duration,
    warning: Duration,
    clock: Clock,
    /// `None` while somebody presents.
    end: Option<TimeOut>,
    notices: UnboundedSender<Notice>,
    closing: CancellationToken,
    is_over: bool,
}

impl SpectatorSession {
    /// `notices` reach the loop that runs the session, and `closing` is cancelled when no more input is taken in.
    pub(super) fn new(
        spectator: Spectator,
        timing: &Timing,
        clock: Clock,
        notices: UnboundedSender<Notice>,
        closing: CancellationToken,
    ) -> Self {
        let Timing { longest, warning, .. } = *timing;
        let mut looks_on = Self { spectator, longest, warning, clock, end: None, notices, closing, is_over: false };
        looks_on.follow();
        looks_on
    }

    /// Why the session ended, unless the visitor ended it.
    pub(super) fn end_reason(&self) -> Option<EndReason> {
        self.is_over.then_some(EndReason::MaxSession(self.longest))
    }

    /// Starts the time-out when nobody presents any more, and stops it when somebody does again.
    fn follow(&mut self) {
        if self.spectator.is_presented() {
            if self.end.take().is_some() {
                self.spectator.set_footer(None);
            }
        } else if self.end.is_none() {
            self.end = Some(TimeOut::starting_at(self.longest, self.warning, self.clock.now()));
        }
    }
}

impl Program for SpectatorSession {
    fn input(&mut self, event: Event, now: Timestamp) -> Flow {
        self.spectator.input(event, now)
    }

    fn stop(&mut self) {
        self.closing.cancel();
    }

    async fn answer(&mut self) {
        self.spectator.answer().await;
        self.follow();
    }

    fn try_answer(&mut self) -> bool {
        let is_new = self.spectator.try_answer();
        self.follow();
        is_new
    }

    fn due(&self) -> Option<Timestamp> {
        self.end.as_ref().filter(|_| !self.is_over).map(TimeOut::next)
    }

    fn tick(&mut self, now: Timestamp) {
        self.follow();
        let Some(end) = self.end.as_mut().filter(|_| !self.is_over) else { return };
        match end.poll(now) {
            Some(TimeOutNotice::Near(left)) => {
                self.spectator
                    .set_footer(Some(format!("nobody presents: this visit ends in {left}; log in again any time")));
            }
            Some(TimeOutNotice::Expired) => {
                self.is_over = true;
                // The loop listens for as long as it runs.
                let _ = self.notices.send(Notice::Ended(ExitReason::Quit));
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
