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
use super::{Clock, ExitReason, Flow, Program, TerminalChannel, TerminalNotice};
use crate::domain::ClipboardRoute;
use crate::domain::watch::AlertChannels;
use crate::terminal::input::{InputParser, TerminalInput};
use crate::terminal::modes::{ENTER_SEQUENCE, LEAVE_SEQUENCE};
use crate::terminal::pump::{FramePump, Urgency};
use crate::terminal::{alert, clipboard};
use ticks::TickPacer;

/// Most bytes of input read before the next frame.
const MAX_INPUT_BYTES: usize = 1 << 20;

/// Most keys handled before other tasks and results get their turn: each key may examine thousands of rows.
const MAX_KEYS_PER_TURN: usize = 256;

/// Most alerts that wait for a terminal that is behind. Beyond that, the oldest are dropped.
const MAX_WAITING_ALERTS: usize = 16;

/// Most results applied before the next input.
const MAX_RESULTS_PER_TURN: usize = 256;

/// How long a panicking thread may take to report its panic.
const PANIC_REPORT_TIMEOUT: Duration = Duration::from_secs(2);

/// How long a network channel may take for its last bytes.
const LAST_BYTES_TIMEOUT: Duration = Duration::from_millis(200);

pub(super) struct TerminalSession<'run, R, W, P> {
    program: &'run mut P,
    clock: &'run Clock,
    input: R,
    output: W,
    notices: mpsc::UnboundedReceiver<TerminalNotice>,
    guard: Option<TerminalGuard>,
    clipboard: ClipboardRoute,
    parser: InputParser,
    pump: FramePump,
    /// Output to be written; nothing more is painted before it is.
    output_buffer: Vec<u8>,
    written: usize,
    /// The text to copy next. It is written after all other output, so that a stalled terminal makes no queue grow; a
    /// later text replaces it, as it would on the clipboard.
    waiting_copy: Option<String>,
    /// Alerts that wait likewise.
    waiting_alerts: VecDeque<(AlertChannels, String)>,
    input_chunk: Box<[u8]>,
    /// Until when to wait for the rest of a sequence.
    sequence_deadline: Option<Instant>,
    ticks: TickPacer,
    /// When the next tick was due as of the last turn. A key does not ask for it: what it makes due is found in the turn
    /// that paints.
    tick_at: Option<Instant>,
    /// The number of the frame on its way to the terminal.
    frame_in_flight: Option<u64>,
    /// Whether the shell has the terminal.
    is_suspended: bool,
}

enum WakeReason {
    Notice(Option<TerminalNotice>),
    Read(io::Result<usize>),
    Written(io::Result<usize>),
    Answer,
    Time,
}

impl<'run, R, W, P> TerminalSession<'run, R, W, P>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
    P: Program,
{
    pub(super) fn new(screen: TerminalChannel<R, W>, clock: &'run Clock, program: &'run mut P) -> Self {
        let TerminalChannel { input, output, notices, dialect, width, height, guard } = screen;
        let open = guard.as_ref().map_or_else(Arc::default, TerminalGuard::unanswered_query_count);
        let mut session = Self {
            program,
            clock,
            input,
            output,
            notices,
            guard,
            clipboard: dialect.clipboard,
            parser: InputParser::default(),
            pump: FramePump::new(dialect, width, height, open),
            output_buffer: ENTER_SEQUENCE.to_vec(),
            written: 0,
            waiting_copy: None,
            waiting_alerts: VecDeque::new(),
            input_chunk: vec![0; 16 * 1024].into(),
            sequence_deadline: None,
            ticks: TickPacer::new(),
            tick_at: None,
            frame_in_flight: None,
            is_suspended: false,
        };
        session.resize(width, height);
        session
    }

    pub(super) async fn run(mut self) -> ExitReason {
        self.wait_for_initial_data().await;
        let ending = loop {
            if let Err(ending) = self.run_turn().await {
                break self.resolve_exit_reason(ending).await;
            }
        };
        self.program.on_loop_end();
        match &self.guard {
            Some(guard) => guard.restore(ending),
            None if ending == ExitReason::Closed => {}
            None => {
                self.output_buffer.drain(..self.written);
                self.append_alerts_and_copy();
                self.output_buffer.extend_from_slice(&LEAVE_SEQUENCE);
                let farewell = async {
                    self.output.write_all(&self.output_buffer).await?;
                    self.output.flush().await
                };
                // A visitor who does not read gets no farewell.
                let _ = tokio::time::timeout(LAST_BYTES_TIMEOUT, farewell).await;
            }
        }
        ending
    }

    /// Why the terminal is gone: a panic restores it first, then prints its message, then sends its notice.
    async fn resolve_exit_reason(&mut self, ending: ExitReason) -> ExitReason {
        if ending != ExitReason::Closed {
            return ending;
        }
        let given_back = self.guard.as_ref().is_some_and(|guard| !guard.is_taken_over());
        let exit_reason = async {
            while let Some(notice) = self.notices.recv().await {
                if let TerminalNotice::Ended(reason) = notice {
                    return reason;
                }
            }
            ending
        };
        let patience = if given_back { PANIC_REPORT_TIMEOUT } else { Duration::ZERO };
        tokio::time::timeout(patience, exit_reason).await.unwrap_or(ending)
    }

    /// Paints and writes as far as possible, then waits for the next event and handles it.
    async fn run_turn(&mut self) -> Result<(), ExitReason> {
        self.prepare_output();
        if self.written < self.output_buffer.len()
            && let Some(written) = self.output.write(&self.output_buffer[self.written..]).now_or_never()
        {
            return self.on_written(written);
        }
        self.report_displayed_frame();
        self.tick_at = self.next_tick_at();
        let wake = self.next_wake_at();
        let waiting = self.written < self.output_buffer.len();
        let woken = tokio::select! {
            biased;
            notice = self.notices.recv() => WakeReason::Notice(notice),
            read = self.input.read(&mut self.input_chunk), if !self.is_suspended => WakeReason::Read(read),
            written = self.output.write(&self.output_buffer[self.written..]), if waiting => WakeReason::Written(written),
            () = self.program.apply_next_result() => WakeReason::Answer,
            () = tokio::time::sleep_until(wake.unwrap_or_else(|| self.clock.instant())), if wake.is_some() => WakeReason::Time,
        };
        match woken {
            WakeReason::Notice(notice) => self.handle_notices(notice),
            WakeReason::Read(read) => self.handle_read(read).await,
            WakeReason::Written(written) => self.on_written(written),
            WakeReason::Answer => {
                self.apply_ready_results();
                let haste = if self.program.take_has_result_for_key() { Urgency::Now } else { Urgency::Soon };
                self.request_frame_if_changed(haste);
                Ok(())
            }
            WakeReason::Time => self.on_wake_time().await,
        }
    }

    fn prepare_output(&mut self) {
        let now = self.clock.instant();
        self.waiting_alerts.extend(self.program.take_alerts());
        let excess = self.waiting_alerts.len().saturating_sub(MAX_WAITING_ALERTS);
        self.waiting_alerts.drain(..excess);
        self.waiting_copy = self.program.take_clipboard_texts().pop().or(self.waiting_copy.take());
        let written = self.written == self.output_buffer.len() || self.output_buffer == *ENTER_SEQUENCE;
        if self.is_suspended {
            // The shell has the terminal: no alerts now.
            self.discard_output();
        } else if written {
            self.append_alerts_and_copy();
        }
        if !self.is_suspended && self.pump.next_frame_at(written, now).is_some_and(|due| due <= now) {
            self.pump.draw_frame(now, &mut self.output_buffer, |area, buf| self.program.view(area, buf));
            self.frame_in_flight = Some(self.program.frame_number());
        }
    }

    /// Appends alerts and the text to copy, which waited for other output to be written.
    fn append_alerts_and_copy(&mut self) {
        for (alert, message) in self.waiting_alerts.drain(..) {
            alert::append_alert(alert, &message, &mut self.output_buffer);
        }
        if let Some(text) = self.waiting_copy.take() {
            self.output_buffer.extend_from_slice(&clipboard::clipboard_sequence(&text, self.clipboard));
        }
    }

    /// Drops all pending output: the terminal is not ours any more.
    fn discard_output(&mut self) {
        self.output_buffer.clear();
        self.written = 0;
        self.waiting_alerts.clear();
        self.waiting_copy = None;
    }

    /// Notifies the program once its frame is displayed.
    fn report_displayed_frame(&mut self) {
        let now = self.clock.instant();
        let Some(frame_number) = self.frame_in_flight else { return };
        if self.written == self.output_buffer.len() && self.pump.counts_as_shown_at(now) <= now {
            self.frame_in_flight = None;
            self.program.on_frame_displayed(frame_number, self.clock.now());
            self.request_frame_if_changed(Urgency::Soon);
        }
    }

    /// When the loop must wake without an event.
    fn next_wake_at(&self) -> Option<Instant> {
        let now = self.clock.instant();
        let frame = if self.is_suspended {
            None
        } else {
            self.pump.next_frame_at(self.written == self.output_buffer.len(), now)
        };
        let arrival = self
            .frame_in_flight
            .filter(|_| self.written == self.output_buffer.len())
            .map(|_| self.pump.counts_as_shown_at(now));
        [self.tick_at, frame, arrival, self.sequence_deadline].into_iter().flatten().min()
    }

    fn request_frame_if_changed(&mut self, haste: Urgency) {
        if self.program.take_has_changed() {
            self.pump.request_frame(haste);
        }
    }

    fn on_written(&mut self, written: io::Result<usize>) -> Result<(), ExitReason> {
        // An error and a terminal that accepts no bytes mean the same: it is gone.
        match written.unwrap_or(0) {
            0 => return Err(ExitReason::Closed),
            count => self.written += count,
        }
        if self.written == self.output_buffer.len() {
            self.output_buffer.clear();
            self.written = 0;
        }
        Ok(())
    }

    /// Handles what was read, and any further input that is ready.
    async fn handle_read(&mut self, first: io::Result<usize>) -> Result<(), ExitReason> {
        let mut pending = Some(first);
        let mut total = 0;
        while let Some(result) = pending {
            let count = match result {
                Ok(0) | Err(_) => return Err(ExitReason::Closed),
                Ok(count) => count,
            };
            let inputs: Vec<TerminalInput> = self.parser.feed(&self.input_chunk[..count]).collect();
            let keys = inputs.len();
            self.handle_inputs(inputs).await?;
            total += count;
            if total >= MAX_INPUT_BYTES || keys >= MAX_KEYS_PER_TURN || self.is_suspended {
                break;
            }
            pending = self.input.read(&mut self.input_chunk).now_or_never();
        }
        self.sequence_deadline = self.parser.rest_timeout().map(|patience| self.clock.instant() + patience);
        self.request_frame_if_changed(Urgency::Now);
        // Where input never stops, no other turn comes for them.
        if self.tick_at.is_some_and(|at| at <= self.clock.instant()) {
            self.run_due_timers();
        }
        Ok(())
    }

    async fn handle_inputs(&mut self, inputs: Vec<TerminalInput>) -> Result<(), ExitReason> {
        for (handled, input) in inputs.into_iter().enumerate() {
            if handled > 0 && handled.is_multiple_of(MAX_KEYS_PER_TURN) {
                tokio::task::yield_now().await;
                self.apply_ready_results();
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
                Flow::Copy(text) => self.waiting_copy = Some(text),
                Flow::Continue => {}
            }
        }
        Ok(())
    }

    fn apply_ready_results(&mut self) {
        let _ = (0..MAX_RESULTS_PER_TURN).find(|_| !self.program.try_apply_result());
    }

    fn handle_notices(&mut self, first: Option<TerminalNotice>) -> Result<(), ExitReason> {
        // Without a sender the loop could not be ended any more.
        let mut notice = Some(first.ok_or(ExitReason::Closed)?);
        while let Some(next) = notice {
            match next {
                TerminalNotice::Resized { width, height } => self.resize(width, height),
                TerminalNotice::Suspended => self.suspend(),
                TerminalNotice::Resumed => self.resume(),
                TerminalNotice::Ended(ending) => return Err(ending),
            }
            notice = self.notices.try_recv().ok();
        }
        self.request_frame_if_changed(Urgency::Now);
        Ok(())
    }

    async fn on_wake_time(&mut self) -> Result<(), ExitReason> {
        let now = self.clock.instant();
        if self.sequence_deadline.is_some_and(|until| until <= now) {
            self.sequence_deadline = None;
            let inputs: Vec<TerminalInput> = self.parser.resolve_incomplete().collect();
            self.handle_inputs(inputs).await?;
            self.request_frame_if_changed(Urgency::Now);
        }
        self.run_due_timers();
        Ok(())
    }

    fn resize(&mut self, width: u16, height: u16) {
        self.pump.resize(width, height);
        self.program.input(Event::Resize(width, height), self.clock.now());
    }

    fn suspend(&mut self) {
        if let Some(guard) = &self.guard {
            guard.suspend();
            self.resume();
        }
    }

    /// Takes the terminal over again after the program was suspended, if it is in the foreground.
    fn resume(&mut self) {
        let Some(guard) = &self.guard else { return };
        self.is_suspended = !guard.resume();
        let (width, height) = guard.size();
        self.discard_output();
        if !self.is_suspended {
            self.output_buffer.extend_from_slice(&ENTER_SEQUENCE);
            self.parser = InputParser::default();
            self.pump.reset_queries();
            self.resize(width, height);
        }
    }
}
