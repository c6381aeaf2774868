//! A visitor's stay, as a program for the loop: the line first if need be, then the console, and an end in time.

use std::pin::Pin;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use super::Timing;
use super::ending::{Due, End};
use super::page::Page;
use super::seats::Seat;
use super::told::Why;
use super::workspace::Workspace;
use crate::app::Size;
use crate::domain::watch::Alert;
use crate::domain::{Looks, Timestamp};
use crate::runtime::console::Console;
use crate::runtime::{Clock, Ending, Event, Flow, Notice, Program};
use crate::ui::{Theme, glyphs, paint, row};

#[cfg(test)]
mod tests;

/// What a visitor has who was seated. The console goes first, then what it stands on, and the place last.
pub(super) struct Lent {
    pub(super) console: Console,
    pub(super) _workspace: Option<Workspace>,
    /// None while the session waits for its presenter.
    pub(super) seat: Option<Seat>,
}

/// A place and a workspace, in the making; or why there is none.
pub(super) type Lending = Pin<Box<dyn Future<Output = Result<Box<Lent>, String>> + Send>>;

enum Showing {
    Page(Page),
    Console(Box<Lent>),
    /// What there was has been handed on.
    Nothing,
}

/// A visitor's stay.
pub(super) struct Stay {
    showing: Showing,
    lending: Option<Lending>,
    timing: Timing,
    clock: Clock,
    idle: Option<End>,
    longest: Option<End>,
    notices: UnboundedSender<Notice>,
    closing: CancellationToken,
    why: Option<Why>,
    /// What is said of an end that is near. It stands on a line of its own.
    near: Option<String>,
    looks: Looks,
    size: Size,
    changed: bool,
}

impl Stay {
    /// A stay that begins with the page of the line. `notices` reach the loop that serves it, and `closing` is cancelled
    /// when no more input is taken in.
    pub(super) fn new(
        page: Page,
        lending: Lending,
        looks: Looks,
        timing: Timing,
        clock: Clock,
        notices: UnboundedSender<Notice>,
        closing: CancellationToken,
    ) -> Self {
        // Who waits in line without a key must not hold it up for others for ever.
        let idle = Some(End::of(timing.idle, timing.warning, clock.now()));
        Self {
            showing: Showing::Page(page),
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

    /// Waits a little for the console, so that nobody sees a page that is gone at once.
    pub(super) async fn settle_for(&mut self, patience: Duration) {
        let _later_if_not_now = tokio::time::timeout(patience, self.lent()).await;
    }

    /// Why it ended, if it was not the visitor's doing.
    pub(super) fn why(&self) -> Option<Why> {
        self.why.clone()
    }

    /// Waits for what is being lent, and moves in. Nothing is lost when the wait is given up.
    async fn lent(&mut self) {
        let Some(lending) = &mut self.lending else { return std::future::pending().await };
        let lent = lending.as_mut().await;
        self.moves_in(lent);
    }

    /// What the visitor had, for whoever keeps it for them.
    pub(super) fn detach(&mut self) -> Option<Box<Lent>> {
        match std::mem::replace(&mut self.showing, Showing::Nothing) {
            Showing::Console(lent) => Some(lent),
            Showing::Page(_) | Showing::Nothing => None,
        }
    }

    fn moves_in(&mut self, lent: Result<Box<Lent>, String>) {
        self.lending = None;
        self.changed = true;
        match lent {
            Ok(mut lent) => {
                lent.console.resize(self.room());
                let now = self.clock.now();
                self.longest = Some(End::of(self.timing.longest, self.timing.warning, now));
                self.showing = Showing::Console(lent);
                self.touched(now);
            }
            Err(words) => self.ends(Why::NoWorkspace(words)),
        }
    }

    /// A key was pressed.
    fn touched(&mut self, now: Timestamp) {
        self.idle = Some(End::of(self.timing.idle, self.timing.warning, now));
        if self.near.is_some() {
            self.look_at_ends(now);
        }
    }

    /// What there is for the console, or for the page.
    fn room(&self) -> Size {
        let line = u16::from(self.near.is_some() && self.size.height > 1);
        Size { height: self.size.height - line, ..self.size }
    }

    fn ends(&mut self, why: Why) {
        self.why.get_or_insert(why);
        // The loop listens for as long as there is one.
        let _ = self.notices.send(Notice::Ended(Ending::Quit));
    }

    /// When one of the ends is near, or there.
    fn next_end(&self) -> Option<Timestamp> {
        [&self.idle, &self.longest].into_iter().flatten().map(End::next).min()
    }

    /// Says that an end is near, for as long as it is, or ends.
    fn look_at_ends(&mut self, now: Timestamp) {
        let look = |end: &mut Option<End>| end.as_mut().and_then(|end| end.look(now));
        let near = match (look(&mut self.longest), look(&mut self.idle)) {
            (Some(Due::Over), _) => return self.ends(Why::Longest(self.timing.longest)),
            (_, Some(Due::Over)) => return self.ends(Why::Idle(self.timing.idle)),
            (Some(Due::Near(left)), _) => Some(format!("this visit ends in {left}; log in again any time")),
            (None, Some(Due::Near(left))) => {
                Some(format!("no key was pressed for a while: this visit ends in {left} without one"))
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
            && let Showing::Console(lent) = &mut self.showing
        {
            lent.console.resize(room);
        }
    }

    /// Paints what is said of the end on the last line; returns what is left for all else.
    fn view_end(&self, area: Rect, buf: &mut Buffer) -> Rect {
        let Some(words) = self.near.as_deref().filter(|_| area.height > 1) else { return area };
        let above = Rect { height: area.height - 1, ..area };
        let line = Rect { y: above.bottom(), height: 1, ..area };
        let theme = Theme::of(self.looks.theme, self.looks.colours);
        paint::tint(buf, line, theme.header);
        let style = row::over(theme.header, theme.warn);
        paint::put(buf, line.x + 1, line.y, line.width.saturating_sub(2), words, style);
        glyphs::render(self.looks.glyphs, buf);
        above
    }
}

impl Program for Stay {
    fn input(&mut self, event: Event, now: Timestamp) -> Flow {
        match &event {
            Event::Stopping => self.closing.cancel(),
            Event::Resized { width, height } => {
                self.size = Size { width: *width, height: *height };
                self.changed = true;
            }
            Event::Key(_) | Event::Paste(_) | Event::PasteTooLong => self.touched(now),
            Event::Focus(_) => {}
        }
        let Size { width, height } = self.room();
        let event = if let Event::Resized { .. } = event { Event::Resized { width, height } } else { event };
        match (&mut self.showing, event) {
            (Showing::Console(lent), event) => lent.console.input(event, now),
            (Showing::Page(_), Event::Key(key)) if Page::leaves(key) => Flow::Quit,
            (Showing::Page(_) | Showing::Nothing, _) => Flow::Continue,
        }
    }

    async fn answer(&mut self) {
        let page = match &mut self.showing {
            Showing::Console(lent) => return lent.console.answer().await,
            Showing::Page(page) => page,
            Showing::Nothing => return std::future::pending().await,
        };
        let Some(lending) = &mut self.lending else { return page.moved().await };
        let lent = tokio::select! {
            // Where both have come, there is no page any more that would show how the line moved.
            biased;
            lent = lending.as_mut() => Some(lent),
            () = page.moved() => None,
        };
        match lent {
            Some(lent) => self.moves_in(lent),
            None => self.changed = true,
        }
    }

    fn try_answer(&mut self) -> bool {
        match &mut self.showing {
            Showing::Console(lent) => lent.console.try_answer(),
            Showing::Page(_) | Showing::Nothing => false,
        }
    }

    fn awaited(&mut self) -> bool {
        match &mut self.showing {
            Showing::Console(lent) => lent.console.awaited(),
            Showing::Page(_) | Showing::Nothing => false,
        }
    }

    fn due(&self) -> Option<Timestamp> {
        let console = match &self.showing {
            Showing::Console(lent) => lent.console.due(),
            Showing::Page(_) | Showing::Nothing => None,
        };
        [console, self.next_end()].into_iter().flatten().min()
    }

    fn tick(&mut self, now: Timestamp) {
        self.look_at_ends(now);
        if let Showing::Console(lent) = &mut self.showing {
            lent.console.tick(now);
        }
    }

    fn changed(&mut self) -> bool {
        let console = match &mut self.showing {
            Showing::Console(lent) => lent.console.changed(),
            Showing::Page(_) | Showing::Nothing => false,
        };
        std::mem::take(&mut self.changed) || console
    }

    fn alerts(&mut self) -> Vec<(Alert, String)> {
        match &mut self.showing {
            Showing::Console(lent) => lent.console.alerts(),
            Showing::Page(_) | Showing::Nothing => Vec::new(),
        }
    }

    fn copies(&mut self) -> Vec<String> {
        match &mut self.showing {
            Showing::Console(lent) => lent.console.copies(),
            Showing::Page(_) | Showing::Nothing => Vec::new(),
        }
    }

    fn view(&self, area: Rect, buf: &mut Buffer) {
        let above = self.view_end(area, buf);
        match &self.showing {
            Showing::Console(lent) => lent.console.view(above, buf),
            Showing::Page(page) => page.view(above, buf),
            Showing::Nothing => {}
        }
    }

    fn picture(&self) -> u64 {
        match &self.showing {
            Showing::Console(lent) => lent.console.picture(),
            Showing::Page(_) | Showing::Nothing => 0,
        }
    }

    fn arrived(&mut self, picture: u64, now: Timestamp) {
        if let Showing::Console(lent) = &mut self.showing {
            lent.console.arrived(picture, now);
        }
    }
}
