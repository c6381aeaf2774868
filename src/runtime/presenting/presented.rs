//! A program that is presented: its pictures go to those who look on, and the presenter's last line says who they are.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::sync::watch;

use super::audience::Audience;
use super::{Lectern, parted};
use crate::app::Size;
use crate::domain::watch::Alert;
use crate::domain::{Looks, Timestamp};
use crate::runtime::{Event, Flow, Program};
use crate::ui::{Theme, glyphs, paint, row};

/// A program, each of whose pictures is shown to those who look on.
#[derive(Debug)]
pub struct Presented<P> {
    program: P,
    lectern: Lectern,
    audience: watch::Receiver<Audience>,
    looks: Looks,
    changed: bool,
}

impl<P> Presented<P> {
    /// Shows a program from now on, to a presenter whose terminal has these looks.
    pub fn new(program: P, lectern: Lectern, looks: Looks) -> Self {
        let audience = lectern.presentation.0.audience.subscribe();
        Self { program, lectern, audience, looks, changed: false }
    }

    /// The program.
    pub fn program(&mut self) -> &mut P {
        &mut self.program
    }

    /// What is left for the program of a window of this size.
    pub fn room(window: Size) -> Size {
        let (above, _) = parted(Rect::new(0, 0, window.width, window.height));
        Size { height: above.height, ..window }
    }
}

impl<P: Program + Send> Program for Presented<P> {
    fn input(&mut self, event: Event, now: Timestamp) -> Flow {
        let event = match event {
            Event::Resized { width, height } => {
                let Size { width, height } = Self::room(Size { width, height });
                Event::Resized { width, height }
            }
            event => event,
        };
        self.program.input(event, now)
    }

    async fn answer(&mut self) {
        tokio::select! {
            () = self.program.answer() => {}
            // The lectern holds the sender.
            _held = self.audience.changed() => self.changed = true,
        }
    }

    fn try_answer(&mut self) -> bool {
        if self.audience.has_changed().unwrap_or(false) {
            self.audience.mark_unchanged();
            self.changed = true;
        }
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
        let changed = std::mem::take(&mut self.changed);
        self.program.changed() || changed
    }

    fn alerts(&mut self) -> Vec<(Alert, String)> {
        self.program.alerts()
    }

    fn copies(&mut self) -> Vec<String> {
        self.program.copies()
    }

    fn view(&self, area: Rect, buf: &mut Buffer) {
        let (above, line) = parted(area);
        let mut picture = Buffer::empty(above);
        self.program.view(above, &mut picture);
        self.lectern.show(&picture);
        buf.merge(&picture);
        if line.height == 0 {
            return;
        }
        let theme = Theme::of(self.looks.theme, self.looks.colours);
        let (words, misses_some) = self.audience.borrow().told(Size { width: area.width, height: area.height });
        let style = if misses_some { row::over(theme.header, theme.warn) } else { theme.header };
        let mut said = Buffer::empty(line);
        paint::tint(&mut said, line, theme.header);
        paint::put(&mut said, line.x + 1, line.y, line.width.saturating_sub(2), &words, style);
        glyphs::render(self.looks.glyphs, &mut said);
        buf.merge(&said);
    }

    fn picture(&self) -> u64 {
        self.program.picture()
    }

    fn arrived(&mut self, picture: u64, now: Timestamp) {
        self.program.arrived(picture, now);
    }
}
