//! A visitor's session, as a [`Program`]: the queue if need be, then the console, and the time-outs.

use std::pin::Pin;
use std::time::Duration;

use crossterm::event::Event;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use super::Timing;
use super::admission::Seat;
use super::host_event::EndReason;
use super::page::QueuePage;
use super::time_outs::{TimeOut, TimeOutNotice};
use super::workspace::Workspace;
use crate::app::Size;
use crate::domain::watch::Alert;
use crate::domain::{Appearance, Timestamp};
use crate::runtime::console::Console;
use crate::runtime::{Clock, ExitReason, Flow, Notice, Program};
use crate::ui::{Theme, glyphs, paint, row};

#[cfg(test)]
mod tests;

/// What a visitor is lent. Dropped in this order: the console, then the workspace under it, and the slot last.
pub(super) struct LentConsole {
    pub(super) console: Console,
    pub(super) _workspace: Option<Workspace>,
    /// `None` while the session waits for its presenter.
    pub(super) seat: Option<Seat>,
}

/// A slot and a workspace in preparation; or why there is none.
pub(super) type PendingConsole = Pin<Box<dyn Future<Output = Result<Box<LentConsole>, String>> + Send>>;

enum SessionView {
    Queue(QueuePage),
    Console(Box<LentConsole>),
    Detached,
}

pub(super) struct VisitorSession {
    showing: SessionView,
    lending: Option<PendingConsole>,
    timing: Timing,
    clock: Clock,
    idle: Option<TimeOut>,
    longest: Option<TimeOut>,
    notices: UnboundedSender<Notice>,
    closing: CancellationToken,
    why: Option<EndReason>,
    /// A warning that a time-out is near, on a line of its own.
    near: Option<String>,
    looks: Appearance,
    size: Size,
    changed: bool,
}

impl VisitorSession {
    /// A session that begins with the page of the queue. `notices` reach the loop that runs it, and `closing` is
    /// cancelled when no more input is taken in.
    pub(super) fn new(
        page: QueuePage,
        lending: PendingConsole,
        looks: Appearance,
        timing: Timing,
        clock: Clock,
        notices: UnboundedSender<Notice>,
        closing: CancellationToken,
    ) -> Self {
        // A visitor who waits in the queue without pressing a key must not hold it up for others.
        let idle = Some(TimeOut::starting_at(timing.idle, timing.warning, clock.now()));
        Self {
            showing: SessionView::Queue(page),
            lending: Some(lending),
            timing,
            clock,
            idle,
            longest: None,
            notices,
            closing,
            why: None,
            near: None,
            looks,
            size: Size { width: 80, height: 24 },
            changed: true,
        }
    }

    /// Waits briefly for the console, so that the page does not flash up.
    pub(super) async fn settle_for(&mut self, patience: Duration) {
        let _later_if_not_now = tokio::time::timeout(patience, self.lent()).await;
    }

    /// Why the session ended, unless the visitor ended it.
    pub(super) fn end_reason(&self) -> Option<EndReason> {
        self.why.clone()
    }

    /// Waits for the console and shows it. Cancel-safe.
    async fn lent(&mut self) {
        let Some(lending) = &mut self.lending else { return std::future::pending().await };
        let lent = lending.as_mut().await;
        self.moves_in(lent);
    }

    /// Takes the console out, for [`super::detached`].
    pub(super) fn detach(&mut self) -> Option<Box<LentConsole>> {
        match std::mem::replace(&mut self.showing, SessionView::Detached) {
            SessionView::Console(lent) => Some(lent),
            SessionView::Queue(_) | SessionView::Detached => None,
        }
    }

    fn moves_in(&mut self, lent: Result<Box<LentConsole>, String>) {
        self.lending = None;
        self.changed = true;
        match lent {
            Ok(mut lent) => {
                lent.console.resize(self.room());
                let now = self.clock.now();
                self.longest = Some(TimeOut::starting_at(self.timing.longest, self.timing.warning, now));
                self.showing = SessionView::Console(lent);
                self.touched(now);
            }
            Err(words) => self.ends(EndReason::NoWorkspace(words)),
        }
    }

    /// A key was pressed.
    fn touched(&mut self, now: Timestamp) {
        self.idle = Some(TimeOut::starting_at(self.timing.idle, self.timing.warning, now));
        if self.near.is_some() {
            self.look_at_ends(now);
        }
    }

    /// The size for the console or the page.
    fn room(&self) -> Size {
        let line = u16::from(self.near.is_some() && self.size.height > 1);
        Size { height: self.size.height - line, ..self.size }
    }

    fn ends(&mut self, why: EndReason) {
        self.why.get_or_insert(why);
        // The loop listens for as long as it runs.
        let _ = self.notices.send(Notice::Ended(ExitReason::Quit));
    }

    /// When the next time-out warns or expires.
    fn next_end(&self) -> Option<Timestamp> {
        [&self.idle, &self.longest].into_iter().flatten().map(TimeOut::next).min()
    }

    /// Shows or updates the warning of a time-out that is near, or ends the session.
    fn look_at_ends(&mut self, now: Timestamp) {
        let look = |end: &mut Option<TimeOut>| end.as_mut().and_then(|end| end.poll(now));
        let near = match (look(&mut self.longest), look(&mut self.idle)) {
            (Some(TimeOutNotice::Expired), _) => return self.ends(EndReason::MaxSession(self.timing.longest)),
            (_, Some(TimeOutNotice::Expired)) => return self.ends(EndReason::Idle(self.timing.idle)),
            (Some(TimeOutNotice::Near(left)), _) => Some(format!("this visit ends in {left}; log in again any time")),
            (None, Some(TimeOutNotice::Near(left))) => {
                Some(format!("no key was pressed: this visit ends in {left} unless you press one"))
            }
            (None, None) => None,
        };
        if near == self.near {
            return;
        }
        let before = self.room();
        self.near = near;
        self.changed = true;
        let room = self.room();
        if room != before
            && let SessionView::Console(lent) = &mut self.showing
        {
            lent.console.resize(room);
        }
    }

    /// Paints the warning on the last line; returns the area above.
    fn view_end(&self, area: Rect, buf: &mut Buffer) -> Rect {
        let Some(words) = self.near.as_deref().filter(|_| area.height > 1) else { return area };
        let above = Rect { height: area.height - 1, ..area };
        let line = Rect { y: above.bottom(), height: 1, ..area };
        let theme = Theme::from_name(self.looks.theme, self.looks.colours);
        paint::tint(buf, line, theme.header);
        let style = row::overlay(theme.header, theme.warn);
        paint::put(buf, line.x + 1, line.y, line.width.saturating_sub(2), words, style);
        glyphs::render(self.looks.glyphs, buf);
        above
    }
}

impl Program for VisitorSession {
    fn input(&mut self, event: Event, now: Timestamp) -> Flow {
        let event = match event {
            Event::Resize(width, height) => {
                self.size = Size { width, height };
                self.changed = true;
                let Size { width, height } = self.room();
                Event::Resize(width, height)
            }
            Event::Key(_) | Event::Paste(_) => {
                self.touched(now);
                event
            }
            Event::FocusGained | Event::FocusLost | Event::Mouse(_) => event,
        };
        match (&mut self.showing, event) {
            (SessionView::Console(lent), event) => lent.console.input(event, now),
            (SessionView::Queue(_), Event::Key(key)) if QueuePage::is_leave_key(key) => Flow::Quit,
            (SessionView::Queue(_) | SessionView::Detached, _) => Flow::Continue,
        }
    }

    fn refuse_paste(&mut self, now: Timestamp) {
        self.touched(now);
        if let SessionView::Console(lent) = &mut self.showing {
            lent.console.refuse_paste(now);
        }
    }

    fn stop(&mut self) {
        self.closing.cancel();
    }

    async fn answer(&mut self) {
        let page = match &mut self.showing {
            SessionView::Console(lent) => return lent.console.answer().await,
            SessionView::Queue(page) => page,
            SessionView::Detached => return std::future::pending().await,
        };
        let Some(lending) = &mut self.lending else { return page.queue_changed().await };
        let lent = tokio::select! {
            // If both are ready, the page that would show the queue's move is gone.
            biased;
            lent = lending.as_mut() => Some(lent),
            () = page.queue_changed() => None,
        };
        match lent {
            Some(lent) => self.moves_in(lent),
            None => self.changed = true,
        }
    }

    fn try_answer(&mut self) -> bool {
        match &mut self.showing {
            SessionView::Console(lent) => lent.console.try_answer(),
            SessionView::Queue(_) | SessionView::Detached => false,
        }
    }

    fn awaited(&mut self) -> bool {
        match &mut self.showing {
            SessionView::Console(lent) => lent.console.awaited(),
            SessionView::Queue(_) | SessionView::Detached => false,
        }
    }

    fn due(&self) -> Option<Timestamp> {
        let console = match &self.showing {
            SessionView::Console(lent) => lent.console.next_due(),
            SessionView::Queue(_) | SessionView::Detached => None,
        };
        [console, self.next_end()].into_iter().flatten().min()
    }

    fn tick(&mut self, now: Timestamp) {
        self.look_at_ends(now);
        if let SessionView::Console(lent) = &mut self.showing {
            lent.console.tick(now);
        }
    }

    fn changed(&mut self) -> bool {
        let console = match &mut self.showing {
            SessionView::Console(lent) => lent.console.changed(),
            SessionView::Queue(_) | SessionView::Detached => false,
        };
        std::mem::take(&mut self.changed) || console
    }

    fn alerts(&mut self) -> Vec<(Alert, String)> {
        match &mut self.showing {
            SessionView::Console(lent) => lent.console.alerts(),
            SessionView::Queue(_) | SessionView::Detached => Vec::new(),
        }
    }

    fn copies(&mut self) -> Vec<String> {
        match &mut self.showing {
            SessionView::Console(lent) => lent.console.copies(),
            SessionView::Queue(_) | SessionView::Detached => Vec::new(),
        }
    }

    fn view(&self, area: Rect, buf: &mut Buffer) {
        let above = self.view_end(area, buf);
        match &self.showing {
            SessionView::Console(lent) => lent.console.view(above, buf),
            SessionView::Queue(page) => page.view(above, buf),
            SessionView::Detached => {}
        }
    }

    fn picture(&self) -> u64 {
        match &self.showing {
            SessionView::Console(lent) => lent.console.picture(),
            SessionView::Queue(_) | SessionView::Detached => 0,
        }
    }

    fn arrived(&mut self, picture: u64, now: Timestamp) {
        if let SessionView::Console(lent) = &mut self.showing {
            lent.console.arrived(picture, now);
        }
    }
}
