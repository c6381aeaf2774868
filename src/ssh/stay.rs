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
use crate::domain::Timestamp;
use crate::domain::watch::Alert;
use crate::runtime::console::Console;
use crate::runtime::{Clock, Ending, Event, Flow, Notice, Program};

#[cfg(test)]
mod tests;

/// What a visitor has who was seated. The console goes first, then what it stands on, and the place last.
pub(super) struct Lent {
    pub(super) console: Console,
    pub(super) _workspace: Option<Workspace>,
    pub(super) _seat: Seat,
}

/// A place and a workspace, in the making; or why there is none.
pub(super) type Lending = Pin<Box<dyn Future<Output = Result<Lent, String>> + Send>>;

enum Showing {
    Page(Page),
    Console(Box<Lent>),
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
    size: Size,
    changed: bool,
}

impl Stay {
    /// A stay that begins with the page of the line. `notices` reach the loop that serves it, and `closing` is cancelled
    /// when no more input is taken in.
    pub(super) fn new(
        page: Page,
        lending: Lending,
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

    fn moves_in(&mut self, lent: Result<Lent, String>) {
        self.lending = None;
        self.changed = true;
        match lent {
            Ok(mut lent) => {
                lent.console.resize(self.size);
                let now = self.clock.now();
                self.longest = Some(End::of(self.timing.longest, self.timing.warning, now));
                self.showing = Showing::Console(Box::new(lent));
                self.touched(now);
            }
            Err(words) => self.ends(Why::NoWorkspace(words)),
        }
    }

    /// A key was pressed.
    fn touched(&mut self, now: Timestamp) {
        self.idle = Some(End::of(self.timing.idle, self.timing.warning, now));
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

    /// Says that an end is near, or ends.
    fn look_at_ends(&mut self, now: Timestamp) {
        let look = |end: &mut Option<End>| end.as_mut().and_then(|end| end.look(now));
        let words = match (look(&mut self.longest), look(&mut self.idle)) {
            (Some(Due::Over), _) => return self.ends(Why::Longest(self.timing.longest)),
            (_, Some(Due::Over)) => return self.ends(Why::Idle(self.timing.idle)),
            (Some(Due::Near(left)), _) => format!("this visit ends in {left}; log in again any time"),
            (None, Some(Due::Near(left))) => {
                format!("no key was pressed for a while: this visit ends in {left} without one")
            }
            (None, None) => return,
        };
        if let Showing::Console(lent) = &mut self.showing {
            lent.console.say_to_all(words);
        }
        self.changed = true;
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
        match (&mut self.showing, event) {
            (Showing::Console(lent), event) => lent.console.input(event, now),
            (Showing::Page(_), Event::Key(key)) if Page::leaves(key) => Flow::Quit,
            (Showing::Page(_), _) => Flow::Continue,
        }
    }

    async fn answer(&mut self) {
        let page = match &mut self.showing {
            Showing::Console(lent) => return lent.console.answer().await,
            Showing::Page(page) => page,
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
            Showing::Page(_) => false,
        }
    }

    fn awaited(&mut self) -> bool {
        match &mut self.showing {
            Showing::Console(lent) => lent.console.awaited(),
            Showing::Page(_) => false,
        }
    }

    fn due(&self) -> Option<Timestamp> {
        let console = match &self.showing {
            Showing::Console(lent) => lent.console.due(),
            Showing::Page(_) => None,
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
            Showing::Page(_) => false,
        };
        std::mem::take(&mut self.changed) || console
    }

    fn alerts(&mut self) -> Vec<(Alert, String)> {
        match &mut self.showing {
            Showing::Console(lent) => lent.console.alerts(),
            Showing::Page(_) => Vec::new(),
        }
    }

    fn copies(&mut self) -> Vec<String> {
        match &mut self.showing {
            Showing::Console(lent) => lent.console.copies(),
            Showing::Page(_) => Vec::new(),
        }
    }

    fn view(&self, area: Rect, buf: &mut Buffer) {
        match &self.showing {
            Showing::Console(lent) => lent.console.view(area, buf),
            Showing::Page(page) => page.view(area, buf),
        }
    }

    fn picture(&self) -> u64 {
        match &self.showing {
            Showing::Console(lent) => lent.console.picture(),
            Showing::Page(_) => 0,
        }
    }

    fn arrived(&mut self, picture: u64, now: Timestamp) {
        if let Showing::Console(lent) = &mut self.showing {
            lent.console.arrived(picture, now);
        }
    }
}
