//! A visitor's session, as a [`Program`]: the queue if need be, then the console, and the time-outs.

use std::pin::Pin;
use std::time::Duration;

use crossterm::event::Event;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use super::TimeLimits;
use super::admission::SessionSlot;
use super::host_event::EndReason;
use super::queue_page::QueuePage;
use super::visit_time_out::{TimeOut, TimeOutNotice};
use super::workspace::Workspace;
use crate::app::Size;
use crate::domain::watch::AlertChannels;
use crate::domain::{Appearance, Timestamp};
use crate::runtime::console::Console;
use crate::runtime::{Clock, ExitReason, Flow, Program, TerminalNotice};
use crate::ui::{Theme, glyphs, paint, row};

#[cfg(test)]
mod tests;

/// What a visitor is lent. Dropped in this order: the console, then the workspace under it, and the slot last.
pub(super) struct LentConsole {
    pub(super) console: Console,
    pub(super) _workspace: Option<Workspace>,
    /// `None` while the session waits for its presenter.
    pub(super) slot: Option<SessionSlot>,
}

/// A slot and a workspace in preparation; or why there is none.
pub(super) type PendingConsole = Pin<Box<dyn Future<Output = Result<Box<LentConsole>, String>> + Send>>;

enum SessionView {
    Queue(QueuePage),
    Console(Box<LentConsole>),
    Detached,
}

pub(super) struct VisitorSession {
    current_view: SessionView,
    pending_console: Option<PendingConsole>,
    time_limits: TimeLimits,
    clock: Clock,
    idle_time_out: Option<TimeOut>,
    max_visit_time_out: Option<TimeOut>,
    notices: UnboundedSender<TerminalNotice>,
    closing: CancellationToken,
    end_reason: Option<EndReason>,
    /// A warning that a time-out is near, on a line of its own.
    warning: Option<String>,
    appearance: Appearance,
    size: Size,
    changed: bool,
}

impl VisitorSession {
    /// A session that begins with the page of the queue. `notices` reach the loop that runs it, and `closing` is
    /// cancelled when no more input is taken in.
    pub(super) fn new(
        page: QueuePage,
        lending: PendingConsole,
        appearance: Appearance,
        time_limits: TimeLimits,
        clock: Clock,
        notices: UnboundedSender<TerminalNotice>,
        closing: CancellationToken,
    ) -> Self {
        // A visitor who waits in the queue without pressing a key must not hold it up for others.
        let idle_time_out =
            Some(TimeOut::starting_at(time_limits.idle_time_out, time_limits.warning_before_end, clock.now()));
        Self {
            current_view: SessionView::Queue(page),
            pending_console: Some(lending),
            time_limits,
            clock,
            idle_time_out,
            max_visit_time_out: None,
            notices,
            closing,
            end_reason: None,
            warning: None,
            appearance,
            size: Size { width: 80, height: 24 },
            changed: true,
        }
    }

    /// Waits briefly for the console, so that the page does not flash up.
    pub(super) async fn wait_for_console(&mut self, patience: Duration) {
        let _later_if_not_now = tokio::time::timeout(patience, self.receive_console()).await;
    }

    /// Why the session ended, unless the visitor ended it.
    pub(super) fn end_reason(&self) -> Option<EndReason> {
        self.end_reason.clone()
    }

    /// Waits for the console and shows it. Cancel-safe.
    async fn receive_console(&mut self) {
        let Some(lending) = &mut self.pending_console else { return std::future::pending().await };
        let lent = lending.as_mut().await;
        self.show_console(lent);
    }

    /// Takes the console out, for [`super::detached`].
    pub(super) fn detach_console(&mut self) -> Option<Box<LentConsole>> {
        match std::mem::replace(&mut self.current_view, SessionView::Detached) {
            SessionView::Console(lent) => Some(lent),
            SessionView::Queue(_) | SessionView::Detached => None,
        }
    }

    fn show_console(&mut self, lent: Result<Box<LentConsole>, String>) {
        self.pending_console = None;
        self.changed = true;
        match lent {
            Ok(mut lent) => {
                lent.console.resize(self.content_size());
                let now = self.clock.now();
                self.max_visit_time_out =
                    Some(TimeOut::starting_at(self.time_limits.max_visit, self.time_limits.warning_before_end, now));
                self.current_view = SessionView::Console(lent);
                self.restart_idle_time_out(now);
            }
            Err(message) => self.end_session(EndReason::NoWorkspace(message)),
        }
    }

    /// A key was pressed.
    fn restart_idle_time_out(&mut self, now: Timestamp) {
        self.idle_time_out =
            Some(TimeOut::starting_at(self.time_limits.idle_time_out, self.time_limits.warning_before_end, now));
        if self.warning.is_some() {
            self.check_time_outs(now);
        }
    }

    /// The size for the console or the page.
    fn content_size(&self) -> Size {
        let line = u16::from(self.warning.is_some() && self.size.height > 1);
        Size { height: self.size.height - line, ..self.size }
    }

    fn end_session(&mut self, reason: EndReason) {
        self.end_reason.get_or_insert(reason);
        // The loop listens for as long as it runs.
        let _ = self.notices.send(TerminalNotice::Ended(ExitReason::Quit));
    }

    /// When the next time-out warns or expires.
    fn next_time_out(&self) -> Option<Timestamp> {
        [&self.idle_time_out, &self.max_visit_time_out].into_iter().flatten().map(TimeOut::next_change).min()
    }

    /// Shows or updates the warning of a time-out that is near, or ends the session.
    fn check_time_outs(&mut self, now: Timestamp) {
        let look = |end: &mut Option<TimeOut>| end.as_mut().and_then(|end| end.poll(now));
        let near = match (look(&mut self.max_visit_time_out), look(&mut self.idle_time_out)) {
            (Some(TimeOutNotice::Expired), _) => {
                return self.end_session(EndReason::MaxSession(self.time_limits.max_visit));
            }
            (_, Some(TimeOutNotice::Expired)) => {
                return self.end_session(EndReason::Idle(self.time_limits.idle_time_out));
            }
            (Some(TimeOutNotice::Warning(time_left)), _) => {
                Some(format!("this visit ends in {time_left}; log in again any time"))
            }
            (None, Some(TimeOutNotice::Warning(time_left))) => {
                Some(format!("no key was pressed: this visit ends in {time_left} unless you press one"))
            }
            (None, None) => None,
        };
        if near == self.warning {
            return;
        }
        let before = self.content_size();
        self.warning = near;
        self.changed = true;
        let room = self.content_size();
        if room != before
            && let SessionView::Console(lent) = &mut self.current_view
        {
            lent.console.resize(room);
        }
    }

    /// Paints the warning on the last line; returns the area above.
    fn paint_warning(&self, area: Rect, buf: &mut Buffer) -> Rect {
        let Some(warning) = self.warning.as_deref().filter(|_| area.height > 1) else { return area };
        let above = Rect { height: area.height - 1, ..area };
        let line = Rect { y: above.bottom(), height: 1, ..area };
        let theme = Theme::from_name(self.appearance.theme, self.appearance.colours);
        paint::tint(buf, line, theme.header);
        let style = row::with_background_of(theme.header, theme.warn);
        paint::put(buf, line.x + 1, line.y, line.width.saturating_sub(2), warning, style);
        glyphs::replace_glyphs(self.appearance.glyphs, buf);
        above
    }
}

impl Program for VisitorSession {
    fn input(&mut self, event: Event, now: Timestamp) -> Flow {
        let event = match event {
            Event::Resize(width, height) => {
                self.size = Size { width, height };
                self.changed = true;
                let Size { width, height } = self.content_size();
                Event::Resize(width, height)
            }
            Event::Key(_) | Event::Paste(_) => {
                self.restart_idle_time_out(now);
                event
            }
            Event::FocusGained | Event::FocusLost | Event::Mouse(_) => event,
        };
        match (&mut self.current_view, event) {
            (SessionView::Console(lent), event) => lent.console.input(event, now),
            (SessionView::Queue(_), Event::Key(key)) if QueuePage::is_leave_key(key) => Flow::Quit,
            (SessionView::Queue(_) | SessionView::Detached, _) => Flow::Continue,
        }
    }

    fn refuse_paste(&mut self, now: Timestamp) {
        self.restart_idle_time_out(now);
        if let SessionView::Console(lent) = &mut self.current_view {
            lent.console.refuse_paste(now);
        }
    }

    fn on_loop_end(&mut self) {
        self.closing.cancel();
    }

    async fn apply_next_result(&mut self) {
        let page = match &mut self.current_view {
            SessionView::Console(lent) => return lent.console.apply_next_result().await,
            SessionView::Queue(page) => page,
            SessionView::Detached => return std::future::pending().await,
        };
        let Some(lending) = &mut self.pending_console else { return page.queue_changed().await };
        let lent = tokio::select! {
            // If both are ready, the page that would show the queue's move is gone.
            biased;
            lent = lending.as_mut() => Some(lent),
            () = page.queue_changed() => None,
        };
        match lent {
            Some(lent) => self.show_console(lent),
            None => self.changed = true,
        }
    }

    fn try_apply_result(&mut self) -> bool {
        match &mut self.current_view {
            SessionView::Console(lent) => lent.console.try_apply_result(),
            SessionView::Queue(_) | SessionView::Detached => false,
        }
    }

    fn take_has_result_for_key(&mut self) -> bool {
        match &mut self.current_view {
            SessionView::Console(lent) => lent.console.take_has_result_for_key(),
            SessionView::Queue(_) | SessionView::Detached => false,
        }
    }

    fn next_timer_at(&self) -> Option<Timestamp> {
        let console = match &self.current_view {
            SessionView::Console(lent) => lent.console.next_poll_at(),
            SessionView::Queue(_) | SessionView::Detached => None,
        };
        [console, self.next_time_out()].into_iter().flatten().min()
    }

    fn run_due_timers(&mut self, now: Timestamp) {
        self.check_time_outs(now);
        if let SessionView::Console(lent) = &mut self.current_view {
            lent.console.run_due_timers(now);
        }
    }

    fn take_has_changed(&mut self) -> bool {
        let console = match &mut self.current_view {
            SessionView::Console(lent) => lent.console.take_has_changed(),
            SessionView::Queue(_) | SessionView::Detached => false,
        };
        std::mem::take(&mut self.changed) || console
    }

    fn take_alerts(&mut self) -> Vec<(AlertChannels, String)> {
        match &mut self.current_view {
            SessionView::Console(lent) => lent.console.take_alerts(),
            SessionView::Queue(_) | SessionView::Detached => Vec::new(),
        }
    }

    fn take_clipboard_texts(&mut self) -> Vec<String> {
        match &mut self.current_view {
            SessionView::Console(lent) => lent.console.take_clipboard_texts(),
            SessionView::Queue(_) | SessionView::Detached => Vec::new(),
        }
    }

    fn view(&self, area: Rect, buf: &mut Buffer) {
        let above = self.paint_warning(area, buf);
        match &self.current_view {
            SessionView::Console(lent) => lent.console.view(above, buf),
            SessionView::Queue(page) => page.view(above, buf),
            SessionView::Detached => {}
        }
    }

    fn frame_number(&self) -> u64 {
        match &self.current_view {
            SessionView::Console(lent) => lent.console.frame_number(),
            SessionView::Queue(_) | SessionView::Detached => 0,
        }
    }

    fn on_frame_displayed(&mut self, frame_number: u64, now: Timestamp) {
        if let SessionView::Console(lent) = &mut self.current_view {
            lent.console.on_frame_displayed(frame_number, now);
        }
    }
}
