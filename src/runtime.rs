//! The event loop between a terminal and a program. Effects run elsewhere and answer through a channel.
//!
//! ```text
//!   terminal ──bytes──▶ input ──Event──▶ ┌─────────┐
//!   signals ──Notice───────────────────▶ │ Program │ ──view──▶ pump ──▶ encoder ──bytes──▶ terminal
//!   effects ──answer───────────────────▶ └─────────┘
//! ```
//!
//! The loop sleeps until input arrives or a timer is due; there is no tick. All waiting input is read before a frame is
//! painted, and no frame is painted before the terminal has caught up with the last. Nothing in the loop blocks.
//!
//! For the lowest latency [`run_program`] belongs on its own single-threaded runtime, which wakes as soon as a key
//! arrives.

pub mod address_names;
mod analysis;
pub mod attention_facts;
pub mod book;
pub mod clock;
mod completion;
pub mod console;
pub mod demo;
pub mod directory;
mod directory_record;
pub mod effect_runner;
pub mod export;
mod export_job;
mod first_page_cache;
pub mod guard_facts;
pub mod host_permission;
pub mod local_terminal;
mod look_alikes;
mod payments;
mod prefetch;
pub mod presentation;
pub mod profile_file;
mod reads;
pub mod refresh;
mod resources;
pub mod screen;
mod store_worker;
pub mod table_file;
pub mod veil;
pub mod watch_readings;
pub mod welcome;

mod session;

use std::future::Future;

use crossterm::event::Event;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::domain::Timestamp;
use crate::domain::watch::AlertChannels;

pub use clock::Clock;
pub use host_permission::HostPermission;
pub use screen::{ExitReason, TerminalChannel, TerminalNotice};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flow {
    Continue,
    Quit,
    /// Suspends the program and returns the terminal to the shell, as Ctrl-Z does. Without effect on a network channel.
    Suspend,
    /// Continues, and puts this text on the terminal's clipboard.
    Copy(String),
}

/// What the loop drives: the console, or a test program.
pub trait Program {
    /// Handles a key, a paste with its line ends unchanged, the focus of the terminal's window, or its size, which is
    /// reported at first, too.
    fn input(&mut self, event: Event, now: Timestamp) -> Flow;

    /// A paste exceeded the limit and was dropped whole.
    fn refuse_paste(&mut self, _now: Timestamp) {}

    /// The loop ends.
    fn on_loop_end(&mut self) {}

    /// Waits for the next result of an effect and applies it. Cancel-safe: dropping the future loses no result. A
    /// program without effects never returns from this.
    fn apply_next_result(&mut self) -> impl Future<Output = ()> + Send;

    /// Applies a result that is already there; `false` if there was none.
    fn try_apply_result(&mut self) -> bool;

    /// Whether everything that the first frame should show, and that arrives at once or never, has arrived. The first
    /// frame waits for it briefly; until then frames painted by [`Program::view`] are not displayed.
    fn is_ready_for_first_frame(&self) -> bool {
        true
    }

    /// Whether any result applied since the last call responds to a key, so that the operator is waiting for it.
    fn take_has_result_for_key(&mut self) -> bool {
        false
    }

    /// When the next timer is due, if any. After [`Program::run_due_timers`] it must be later than before.
    fn next_timer_at(&self) -> Option<Timestamp>;

    /// Runs the timers that are due.
    fn run_due_timers(&mut self, now: Timestamp);

    /// Whether the frame may have changed since the last call.
    fn take_has_changed(&mut self) -> bool;

    /// Alerts to the operator since the last call, each with its text.
    fn take_alerts(&mut self) -> Vec<(AlertChannels, String)> {
        Vec::new()
    }

    /// Texts for the terminal's clipboard that became ready since the last call, as results of earlier effects.
    fn take_clipboard_texts(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Paints the frame into a buffer of blank cells.
    fn view(&self, area: Rect, buf: &mut Buffer);

    /// The number of the frame that [`Program::view`] paints now: it grows with each change.
    fn frame_number(&self) -> u64 {
        0
    }

    /// A frame was displayed: the terminal acknowledged it, or no acknowledgement is expected any more.
    fn on_frame_displayed(&mut self, _frame_number: u64, _now: Timestamp) {}
}

/// Runs a program on a screen until one of them ends. The terminal is restored before this returns.
pub async fn run_program<R, W, P>(screen: TerminalChannel<R, W>, clock: &Clock, program: &mut P) -> ExitReason
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
    P: Program,
{
    session::TerminalSession::new(screen, clock, program).run().await
}
