//! A program that is presented: its frames go to the spectators, and the presenter's last line summarises the audience.

use std::time::Duration;

use crossterm::event::Event;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::sync::watch;

use super::audience::Audience;
use super::{PresenterSlot, split_last_line};
use crate::app::Size;
use crate::domain::watch::AlertChannels;
use crate::domain::{Appearance, Timestamp};
use crate::runtime::{Flow, Program};
use crate::ui::{Theme, glyphs, paint, row};

#[derive(Debug)]
pub struct PresentedProgram<P> {
    program: P,
    presenter_slot: PresenterSlot,
    audience: watch::Receiver<Audience>,
    appearance: Appearance,
    cues: Cues,
    has_changed: bool,
}

/// Reminders for the presenter, shown in turn on a line that spectators do not see.
#[derive(Debug, Default)]
struct Cues {
    texts: &'static [&'static str],
    /// The index of the cue shown, and until when.
    shown_index: usize,
    shown_until: Option<Timestamp>,
}

const CUE_DURATION: Duration = Duration::from_secs(8);

impl<P> PresentedProgram<P> {
    /// Presents a program from now on, to a presenter whose terminal has this appearance.
    pub fn new(program: P, presenter_slot: PresenterSlot, appearance: Appearance) -> Self {
        let audience = presenter_slot.presentation.0.audience.subscribe();
        Self { program, presenter_slot, audience, appearance, cues: Cues::default(), has_changed: false }
    }

    #[must_use]
    pub fn with_cues(self, cues: &'static [&'static str]) -> Self {
        Self { cues: Cues { texts: cues, ..Cues::default() }, ..self }
    }

    pub fn set_resuming(&mut self) {
        self.presenter_slot.set_resuming();
    }

    pub fn program(&mut self) -> &mut P {
        &mut self.program
    }

    /// The size left for the program in a window of this size.
    pub fn program_size(window: Size, has_cues: bool) -> Size {
        let (above, _) = split_last_line(Rect::new(0, 0, window.width, window.height));
        let above = if has_cues { split_last_line(above).0 } else { above };
        Size { height: above.height, ..window }
    }
}

impl Cues {
    /// Goes on to the next cue when it is due; `true` if the line has changed.
    fn advance_if_due(&mut self, now: Timestamp) -> bool {
        let Some(last) = self.texts.len().checked_sub(1) else { return false };
        match self.shown_until {
            Some(until) if now < until => return false,
            Some(_) => self.shown_index = if self.shown_index >= last { 0 } else { self.shown_index + 1 },
            None => {}
        }
        self.shown_until = Some(now.plus(CUE_DURATION));
        true
    }

    fn cue_line(&self) -> String {
        let cue = self.texts.get(self.shown_index).copied().unwrap_or_default();
        format!("{}/{} {cue}", self.shown_index + 1, self.texts.len())
    }
}

impl<P: Program + Send> Program for PresentedProgram<P> {
    fn input(&mut self, event: Event, now: Timestamp) -> Flow {
        let event = if let Event::Resize(width, height) = event {
            let Size { width, height } = Self::program_size(Size { width, height }, !self.cues.texts.is_empty());
            Event::Resize(width, height)
        } else {
            event
        };
        self.program.input(event, now)
    }

    fn refuse_paste(&mut self, now: Timestamp) {
        self.program.refuse_paste(now);
    }

    fn on_loop_end(&mut self) {
        self.program.on_loop_end();
    }

    async fn apply_next_result(&mut self) {
        tokio::select! {
            () = self.program.apply_next_result() => {}
            // The lectern owns the sender.
            _always_ok = self.audience.changed() => self.has_changed = true,
        }
    }

    fn try_apply_result(&mut self) -> bool {
        if self.audience.has_changed().unwrap_or(false) {
            self.audience.mark_unchanged();
            self.has_changed = true;
        }
        self.program.try_apply_result()
    }

    fn take_has_result_for_key(&mut self) -> bool {
        self.program.take_has_result_for_key()
    }

    fn next_timer_at(&self) -> Option<Timestamp> {
        [self.program.next_timer_at(), self.cues.shown_until].into_iter().flatten().min()
    }

    fn run_due_timers(&mut self, now: Timestamp) {
        self.has_changed |= self.cues.advance_if_due(now);
        self.program.run_due_timers(now);
    }

    fn take_has_changed(&mut self) -> bool {
        let changed = std::mem::take(&mut self.has_changed);
        self.program.take_has_changed() || changed
    }

    fn take_alerts(&mut self) -> Vec<(AlertChannels, String)> {
        self.program.take_alerts()
    }

    fn take_clipboard_texts(&mut self) -> Vec<String> {
        self.program.take_clipboard_texts()
    }

    fn view(&self, area: Rect, buf: &mut Buffer) {
        let (rest, line) = split_last_line(area);
        let (above, cue) = if self.cues.texts.is_empty() { (rest, Rect::ZERO) } else { split_last_line(rest) };
        let mut frame = Buffer::empty(above);
        self.program.view(above, &mut frame);
        self.presenter_slot.show_frame(&frame);
        buf.merge(&frame);
        if line.height == 0 {
            return;
        }
        let theme = Theme::from_name(self.appearance.theme, self.appearance.colours);
        let (summary, misses_some) = self.audience.borrow().summary(Size { width: area.width, height: area.height });
        let style = if misses_some { row::with_background_of(theme.header, theme.warn) } else { theme.header };
        let mut line_buffer = Buffer::empty(line);
        paint::tint(&mut line_buffer, line, theme.header);
        paint::put(&mut line_buffer, line.x + 1, line.y, line.width.saturating_sub(2), &summary, style);
        glyphs::replace_glyphs(self.appearance.glyphs, &mut line_buffer);
        buf.merge(&line_buffer);
        if cue.height > 0 {
            let mut cue_buffer = Buffer::empty(cue);
            paint::tint(&mut cue_buffer, cue, theme.header);
            paint::put(
                &mut cue_buffer,
                cue.x + 1,
                cue.y,
                cue.width.saturating_sub(2),
                &self.cues.cue_line(),
                theme.header,
            );
            glyphs::replace_glyphs(self.appearance.glyphs, &mut cue_buffer);
            buf.merge(&cue_buffer);
        }
    }

    fn frame_number(&self) -> u64 {
        self.program.frame_number()
    }

    fn on_frame_displayed(&mut self, frame_number: u64, now: Timestamp) {
        self.program.on_frame_displayed(frame_number, now);
    }
}
