//! A program that is presented: its frames go to the spectators, and the presenter's last line summarises the audience.

use std::time::Duration;

use crossterm::event::Event;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::sync::watch;

use super::audience::Audience;
use super::{PresenterSlot, parted};
use crate::app::Size;
use crate::domain::watch::Alert;
use crate::domain::{Appearance, Timestamp};
use crate::runtime::{Flow, Program};
use crate::ui::{Theme, glyphs, paint, row};

#[derive(Debug)]
pub struct PresentedProgram<P> {
    program: P,
    lectern: PresenterSlot,
    audience: watch::Receiver<Audience>,
    looks: Appearance,
    cues: Cues,
    changed: bool,
}

/// Reminders for the presenter, shown in turn on a line that spectators do not see.
#[derive(Debug, Default)]
struct Cues {
    words: &'static [&'static str],
    /// The index of the cue shown, and until when.
    shown: usize,
    until: Option<Timestamp>,
}

const CUE: Duration = Duration::from_secs(8);

impl<P> PresentedProgram<P> {
    /// Presents a program from now on, to a presenter whose terminal has this appearance.
    pub fn new(program: P, lectern: PresenterSlot, looks: Appearance) -> Self {
        let audience = lectern.presentation.0.audience.subscribe();
        Self { program, lectern, audience, looks, cues: Cues::default(), changed: false }
    }

    #[must_use]
    pub fn with_cues(self, words: &'static [&'static str]) -> Self {
        Self { cues: Cues { words, ..Cues::default() }, ..self }
    }

    pub fn set_resuming(&mut self) {
        self.lectern.set_resuming();
    }

    pub fn program(&mut self) -> &mut P {
        &mut self.program
    }

    /// The size left for the program in a window of this size.
    pub fn program_size(window: Size, has_cues: bool) -> Size {
        let (above, _) = parted(Rect::new(0, 0, window.width, window.height));
        let above = if has_cues { parted(above).0 } else { above };
        Size { height: above.height, ..window }
    }
}

impl Cues {
    /// Goes on to the next cue when it is due; `true` if the line has changed.
    fn tick(&mut self, now: Timestamp) -> bool {
        let Some(last) = self.words.len().checked_sub(1) else { return false };
        match self.until {
            Some(until) if now < until => return false,
            Some(_) => self.shown = if self.shown >= last { 0 } else { self.shown + 1 },
            None => {}
        }
        self.until = Some(now.plus(CUE));
        true
    }

    fn line(&self) -> String {
        let words = self.words.get(self.shown).copied().unwrap_or_default();
        format!("{}/{} {words}", self.shown + 1, self.words.len())
    }
}

impl<P: Program + Send> Program for PresentedProgram<P> {
    fn input(&mut self, event: Event, now: Timestamp) -> Flow {
        let event = match event {
            Event::Resize(width, height) => {
                let Size { width, height } = Self::program_size(Size { width, height }, !self.cues.words.is_empty());
                Event::Resize(width, height)
            }
            event => event,
        };
        self.program.input(event, now)
    }

    fn refuse_paste(&mut self, now: Timestamp) {
        self.program.refuse_paste(now);
    }

    fn stop(&mut self) {
        self.program.stop();
    }

    async fn answer(&mut self) {
        tokio::select! {
            () = self.program.answer() => {}
            // The lectern owns the sender.
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
        [self.program.due(), self.cues.until].into_iter().flatten().min()
    }

    fn tick(&mut self, now: Timestamp) {
        self.changed |= self.cues.tick(now);
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
        let (rest, line) = parted(area);
        let (above, cue) = if self.cues.words.is_empty() { (rest, Rect::ZERO) } else { parted(rest) };
        let mut picture = Buffer::empty(above);
        self.program.view(above, &mut picture);
        self.lectern.show_frame(&picture);
        buf.merge(&picture);
        if line.height == 0 {
            return;
        }
        let theme = Theme::from_name(self.looks.theme, self.looks.colours);
        let (words, misses_some) = self.audience.borrow().summary(Size { width: area.width, height: area.height });
        let style = if misses_some { row::overlay(theme.header, theme.warn) } else { theme.header };
        let mut said = Buffer::empty(line);
        paint::tint(&mut said, line, theme.header);
        paint::put(&mut said, line.x + 1, line.y, line.width.saturating_sub(2), &words, style);
        glyphs::render(self.looks.glyphs, &mut said);
        buf.merge(&said);
        if cue.height > 0 {
            let mut said = Buffer::empty(cue);
            paint::tint(&mut said, cue, theme.header);
            paint::put(&mut said, cue.x + 1, cue.y, cue.width.saturating_sub(2), &self.cues.line(), theme.header);
            glyphs::render(self.looks.glyphs, &mut said);
            buf.merge(&said);
        }
    }

    fn picture(&self) -> u64 {
        self.program.picture()
    }

    fn arrived(&mut self, picture: u64, now: Timestamp) {
        self.program.arrived(picture, now);
    }
}
