//! One run of the loop.

mod initial_data;
#[cfg(test)]
mod tests;
mod ticks;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::Event;
use futures::FutureExt;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::local_terminal::TerminalGuard;
use super::{Clock, ExitReason, Flow, Notice, Program, Screen};
use crate::domain::Clipboard;
use crate::domain::watch::Alert;
use crate::terminal::input::{Parser, TerminalInput};
use crate::terminal::modes::{ENTER, LEAVE};
use crate::terminal::pump::{Pump, Urgency};
use crate::terminal::{alert, clipboard};
use ticks::Ticks;

/// Most bytes of input read before the next frame.
const MOST_INPUT: usize = 1 << 20;

/// Most keys handled before other tasks and results get their turn: each key may examine thousands of rows.
const MOST_KEYS: usize = 256;

/// Most alerts that wait for a terminal that is behind. Beyond that, the oldest are dropped.
const MOST_CALLS: usize = 16;

/// Most results applied before the next input.
const MOST_ANSWERS: usize = 256;

/// How long a panicking thread may take to report its panic.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// How long a network channel may take for its last bytes.
const FAREWELL: Duration = Duration::from_millis(200);

pub(super) struct Session<'run, R, W, P> {
    program: &'run mut P,
    clock: &'run Clock,
    input: R,
    output: W,
    notices: mpsc::UnboundedReceiver<Notice>,
    guard: Option<TerminalGuard>,
    clipboard: Clipboard,
    parser: Parser,
    pump: Pump,
    /// Output to be written; nothing more is painted before it is.
    out: Vec<u8>,
    written: usize,
    /// The text to copy next. It is written after all other output, so that a stalled terminal makes no queue grow; a
    /// later text replaces it, as it would on the clipboard.
    copy: Option<String>,
    /// Alerts that wait likewise.
    calls: VecDeque<(Alert, String)>,
    chunk: Box<[u8]>,
    /// Until when to wait for the rest of a sequence.
    patience: Option<Instant>,
    ticks: Ticks,
    /// The number of the frame on its way to the terminal.
    picture: Option<u64>,
    /// Whether the shell has the terminal.
    away: bool,
}

enum Wake {
    Notice(Option<Notice>),
    Read(io::Result<usize>),
    Written(io::Result<usize>),
    Answer,
    Time,
}

impl<'run, R, W, P> Session<'run, R, W, P>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
    P: Program,
{
    pub(super) fn new(screen: Screen<R, W>, clock: &'run Clock, program: &'run mut P) -> Self {
        let Screen { input, output, notices, dialect, width, height, guard } = screen;
        let open = guard.as_ref().map_or_else(Arc::default, TerminalGuard::open_queries);
        let mut session = Self {
            program,
            clock,
            input,
            output,
            notices,
            guard,
            clipboard: dialect.clipboard,
            parser: Parser::default(),
            pump: Pump::new(dialect, width, height, open),
            out: ENTER.to_vec(),
            written: 0,
            copy: None,
            calls: VecDeque::new(),
            chunk: vec![0; 16 * 1024].into(),
            patience: None,
            ticks: Ticks::new(),
            picture: None,
            away: false,
        };
        session.resize(width, height);
        session
    }

    pub(super) async fn run(mut self) -> ExitReason {
        self.wait_for_initial_data().await;
        let ending = loop {
            if let Err(ending) = self.run_once().await {
                break self.reason(ending).await;
            }
        };
        self.program.stop();
        match &self.guard {
            Some(guard) => guard.restore(ending),
            None if ending == ExitReason::Closed => {}
            None => {
                self.out.drain(..self.written);
                self.hand_over();
                self.out.extend_from_slice(&LEAVE);
                let farewell = async {
                    self.output.write_all(&self.out).await?;
                    self.output.flush().await
                };
                // A visitor who does not read gets no farewell.
                let _ = tokio::time::timeout(FAREWELL, farewell).await;
            }
        }
        ending
    }

    /// Why the terminal is gone: a panic restores it first, then prints its message, then sends its notice.
    async fn reason(&mut self, ending: ExitReason) -> ExitReason {
        if ending != ExitReason::Closed {
            return ending;
        }
        let given_back = self.guard.as_ref().is_some_and(|guard| !guard.is_taken());
        let told = async {
            while let Some(notice) = self.notices.recv().await {
                if let Notice::Ended(reason) = notice {
                    return reason;
                }
            }
            ending
        };
        let patience = if given_back { LAST_WORDS } else { Duration::ZERO };
        tokio::time::timeout(patience, told).await.unwrap_or(ending)
    }

    /// Paints and writes as far as possible, then waits for the next event and handles it.
    async fn run_once(&mut self) -> Result<(), ExitReason> {
        self.draw();
        if self.written < self.out.len()
            && let Some(written) = self.output.write(&self.out[self.written..]).now_or_never()
        {
            return self.wrote(written);
        }
        self.arrived();
        let wake = self.wake();
        let waiting = self.written < self.out.len();
        let woken = tokio::select! {
            biased;
            notice = self.notices.recv() => Wake::Notice(notice),
            read = self.input.read(&mut self.chunk), if !self.away => Wake::Read(read),
            written = self.output.write(&self.out[self.written..]), if waiting => Wake::Written(written),
            () = self.program.answer() => Wake::Answer,
            () = tokio::time::sleep_until(wake.unwrap_or_else(|| self.clock.instant())), if wake.is_some() => Wake::Time,
        };
        match woken {
            Wake::Notice(notice) => self.noticed(notice),
            Wake::Read(read) => self.read(read).await,
            Wake::Written(written) => self.wrote(written),
            Wake::Answer => {
                self.take_answers();
                let haste = if self.program.awaited() { Urgency::Now } else { Urgency::Soon };
                self.ask(haste);
                Ok(())
            }
            Wake::Time => self.time().await,
        }
    }

    fn draw(&mut self) {
        let now = self.clock.instant();
        for call in self.program.alerts() {
            if self.calls.len() == MOST_CALLS {
                self.calls.pop_front();
            }
            self.calls.push_back(call);
        }
        self.copy = self.program.copies().pop().or(self.copy.take());
        let written = self.written == self.out.len() || self.out == *ENTER;
        if self.away {
            // The shell has the terminal: no alerts now.
            self.forget();
        } else if written {
            self.hand_over();
        }
        if !self.away && self.pump.next_frame_at(written, now).is_some_and(|due| due <= now) {
            self.pump.draw(now, &mut self.out, |area, buf| self.program.view(area, buf));
            self.picture = Some(self.program.picture());
        }
    }

    /// Appends alerts and the text to copy, which waited for other output to be written.
    fn hand_over(&mut self) {
        for (alert, words) in self.calls.drain(..) {
            alert::append_alert(alert, &words, &mut self.out);
        }
        if let Some(text) = self.copy.take() {
            self.out.extend_from_slice(&clipboard::copy_sequence(&text, self.clipboard));
        }
    }

    /// Drops all pending output: the terminal is not ours any more.
    fn forget(&mut self) {
        self.out.clear();
        self.written = 0;
        self.calls.clear();
        self.copy = None;
    }

    /// Notifies the program once its frame is displayed.
    fn arrived(&mut self) {
        let now = self.clock.instant();
        let Some(picture) = self.picture else { return };
        if self.written == self.out.len() && self.pump.counts_as_shown_at(now) <= now {
            self.picture = None;
            self.program.arrived(picture, self.clock.now());
            self.ask(Urgency::Soon);
        }
    }

    /// When the loop must wake without an event.
    fn wake(&self) -> Option<Instant> {
        let now = self.clock.instant();
        let tick = self.next_tick();
        let frame = if self.away { None } else { self.pump.next_frame_at(self.written == self.out.len(), now) };
        let arrival =
            self.picture.filter(|_| self.written == self.out.len()).map(|_| self.pump.counts_as_shown_at(now));
        [tick, frame, arrival, self.patience].into_iter().flatten().min()
    }

    fn next_tick(&self) -> Option<Instant> {
        let due = self.clock.instant_of(self.program.due()?);
        Some(self.ticks.next_tick(due))
    }

    /// Whether a timer is due. Compares times of day: converted to an instant, a past time would become the time of the
    /// conversion, and so always a little later than `now`.
    fn is_due(&self) -> bool {
        self.program.due().is_some_and(|due| due <= self.clock.now())
    }

    fn ask(&mut self, haste: Urgency) {
        if self.program.changed() {
            self.pump.request_frame(haste);
        }
    }

    fn wrote(&mut self, written: io::Result<usize>) -> Result<(), ExitReason> {
        // An error and a terminal that accepts no bytes mean the same: it is gone.
        match written.unwrap_or(0) {
            0 => return Err(ExitReason::Closed),
            count => self.written += count,
        }
        if self.written == self.out.len() {
            self.out.clear();
            self.written = 0;
        }
        Ok(())
    }

    /// Handles what was read, and any further input that is ready.
    async fn read(&mut self, first: io::Result<usize>) -> Result<(), ExitReason> {
        let mut read = Some(first);
        let mut total = 0;
        while let Some(result) = read {
            let count = match result {
                Ok(0) | Err(_) => return Err(ExitReason::Closed),
                Ok(count) => count,
            };
            let inputs: Vec<TerminalInput> = self.parser.feed(&self.chunk[..count]).collect();
            let keys = inputs.len();
            self.take_in(inputs).await?;
            total += count;
            if total >= MOST_INPUT || keys >= MOST_KEYS || self.away {
                break;
            }
            read = self.input.read(&mut self.chunk).now_or_never();
        }
        self.patience = self.parser.patience().map(|patience| self.clock.instant() + patience);
        self.ask(Urgency::Now);
        Ok(())
    }

    async fn take_in(&mut self, inputs: Vec<TerminalInput>) -> Result<(), ExitReason> {
        for (handled, input) in inputs.into_iter().enumerate() {
            if handled > 0 && handled.is_multiple_of(MOST_KEYS) {
                tokio::task::yield_now().await;
                self.take_answers();
            }
            let flow = match input {
                TerminalInput::Event(event) => self.program.input(event, self.clock.now()),
                TerminalInput::PasteTooLong => {
                    self.program.refuse_paste(self.clock.now());
                    Flow::Continue
                }
                TerminalInput::Acknowledged => {
                    self.pump.on_acknowledged();
                    Flow::Continue
                }
            };
            match flow {
                Flow::Quit => return Err(ExitReason::Quit),
                Flow::Suspend => self.suspend(),
                Flow::Copy(text) => self.copy = Some(text),
                Flow::Continue => {}
            }
        }
        Ok(())
    }

    fn take_answers(&mut self) {
        let _ = (0..MOST_ANSWERS).find(|_| !self.program.try_answer());
    }

    fn noticed(&mut self, first: Option<Notice>) -> Result<(), ExitReason> {
        // Without a sender the loop could not be ended any more.
        let mut notice = Some(first.ok_or(ExitReason::Closed)?);
        while let Some(next) = notice {
            match next {
                Notice::Resized { width, height } => self.resize(width, height),
                Notice::Suspended => self.suspend(),
                Notice::Resumed => self.resume(),
                Notice::Ended(ending) => return Err(ending),
            }
            notice = self.notices.try_recv().ok();
        }
        self.ask(Urgency::Now);
        Ok(())
    }

    async fn time(&mut self) -> Result<(), ExitReason> {
        let now = self.clock.instant();
        if self.patience.is_some_and(|until| until <= now) {
            self.patience = None;
            let inputs: Vec<TerminalInput> = self.parser.flush().collect();
            self.take_in(inputs).await?;
            self.ask(Urgency::Now);
        }
        if self.is_due() && self.ticks.next_tick(now) <= now {
            self.ticks.on_tick(now);
            self.program.tick(self.clock.now());
            self.ticks.adapt_interval(self.is_due());
            self.ask(Urgency::Soon);
        }
        Ok(())
    }

    fn resize(&mut self, width: u16, height: u16) {
        self.pump.resize(width, height);
        self.program.input(Event::Resize(width, height), self.clock.now());
    }

    fn suspend(&mut self) {
        if self.guard.is_some() {
            self.away = true;
            self.forget();
        }
        if let Some(guard) = &self.guard {
            guard.suspend();
            self.resume();
        }
    }

    /// Takes the terminal over again after the program was suspended, if it is in the foreground.
    fn resume(&mut self) {
        let Some(guard) = &self.guard else { return };
        self.away = !guard.resume();
        let (width, height) = guard.size();
        self.forget();
        if !self.away {
            self.out.extend_from_slice(&ENTER);
            self.parser = Parser::default();
            self.pump.reset_queries();
            self.resize(width, height);
        }
    }
}
