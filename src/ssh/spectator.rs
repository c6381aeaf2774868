//! A spectator's session, as a [`Program`]: frames, and a time-out. Spectators press no keys, so idling ends nothing;
//! and no time-out runs while somebody presents.

use std::time::Duration;

use crossterm::event::Event;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use super::TimeLimits;
use super::host_event::EndReason;
use super::visit_time_out::{TimeOut, TimeOutNotice};
use crate::domain::Timestamp;
use crate::runtime::presentation::Spectator;
use crate::runtime::{Clock, ExitReason, Flow, Program, TerminalNotice};

pub(super) struct SpectatorSession {
    spectator: Spectator,
    max_wait: Duration,
    warning: Duration,
    clock: Clock,
    /// `None` while somebody presents.
    time_out: Option<TimeOut>,
    notices: UnboundedSender<TerminalNotice>,
    closing: CancellationToken,
    is_over: bool,
}

impl SpectatorSession {
    /// `notices` reach the loop that runs the session, and `closing` is cancelled when no more input is taken in.
    pub(super) fn new(
        spectator: Spectator,
        time_limits: &TimeLimits,
        clock: Clock,
        notices: UnboundedSender<TerminalNotice>,
        closing: CancellationToken,
    ) -> Self {
        let TimeLimits { max_visit: longest, warning_before_end: warning, .. } = *time_limits;
        let mut looks_on =
            Self { spectator, max_wait: longest, warning, clock, time_out: None, notices, closing, is_over: false };
        looks_on.follow_presentation();
        looks_on
    }

    /// Why the session ended, unless the visitor ended it.
    pub(super) fn end_reason(&self) -> Option<EndReason> {
        self.is_over.then_some(EndReason::MaxSession(self.max_wait))
    }

    /// Starts the time-out when nobody presents any more, and stops it when somebody does again.
    fn follow_presentation(&mut self) {
        if self.spectator.has_presented_frame() {
            if self.time_out.take().is_some() {
                self.spectator.set_footer(None);
            }
        } else if self.time_out.is_none() {
            self.time_out = Some(TimeOut::starting_at(self.max_wait, self.warning, self.clock.now()));
        }
    }
}

impl Program for SpectatorSession {
    fn input(&mut self, event: Event, now: Timestamp) -> Flow {
        self.spectator.input(event, now)
    }

    fn on_loop_end(&mut self) {
        self.closing.cancel();
    }

    async fn apply_next_result(&mut self) {
        self.spectator.apply_next_result().await;
        self.follow_presentation();
    }

    fn try_apply_result(&mut self) -> bool {
        let is_new = self.spectator.try_apply_result();
        self.follow_presentation();
        is_new
    }

    fn next_timer_at(&self) -> Option<Timestamp> {
        self.time_out.as_ref().filter(|_| !self.is_over).map(TimeOut::next_change)
    }

    fn run_due_timers(&mut self, now: Timestamp) {
        self.follow_presentation();
        let Some(end) = self.time_out.as_mut().filter(|_| !self.is_over) else { return };
        match end.poll(now) {
            Some(TimeOutNotice::Warning(time_left)) => {
                self.spectator.set_footer(Some(format!(
                    "nobody presents: this visit ends in {time_left}; log in again any time"
                )));
            }
            Some(TimeOutNotice::Expired) => {
                self.is_over = true;
                // The loop listens for as long as it runs.
                let _ = self.notices.send(TerminalNotice::Ended(ExitReason::Quit));
            }
            None => {}
        }
    }

    fn take_has_changed(&mut self) -> bool {
        self.spectator.take_has_changed()
    }

    fn view(&self, area: Rect, buf: &mut Buffer) {
        self.spectator.view(area, buf);
    }
}
