//! The only place where anything happens: the loop between a terminal and a program.
//!
//! ```text
//!   terminal ──bytes──▶ input ──Event──▶ ┌─────────┐
//!   signals ──Notice───────────────────▶ │ Program │ ──view──▶ pump ──▶ encoder ──bytes──▶ terminal
//!   effects ──answer───────────────────▶ └─────────┘
//! ```
//!
//! The loop sleeps until something comes in or falls due; there is no tick. All waiting input is read before a frame is
//! painted, and no frame is painted before the terminal has caught up with the last. Nothing in the loop blocks.
//!
//! For the lowest latency [`run`] belongs on a runtime of its own with one thread, whose turn it then is as soon as a key
//! arrives; effects run elsewhere and answer through a channel.

mod alert;
pub mod book;
mod chart_data;
pub mod clipboard;
pub mod clock;
pub mod console;
pub mod demo;
pub mod directory;
pub mod effect_runner;
pub mod encoder;
pub mod export;
mod export_job;
pub mod guard_facts;
pub mod host_permission;
pub mod input;
mod look_alikes;
mod page_cache;
mod payments;
mod prefetch;
pub mod presentation;
pub mod pump;
mod reads;
pub mod refresh;
pub mod screen;
mod store_worker;
pub mod terminal;
pub mod veil;
pub mod watch_readings;
pub mod welcome;

mod session;

use std::future::Future;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::app::Key;
use crate::domain::Timestamp;
use crate::domain::watch::Alert;

pub use clock::Clock;
pub use encoder::{ColorDepth, Dialect};
pub use host_permission::HostPermission;
pub use screen::{ExitReason, Notice, Screen};

/// What comes in from the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A key was pressed.
    Key(Key),
    /// Text was pasted; line ends are as they came.
    Paste(String),
    /// A paste was too long and was refused whole.
    PasteTooLong,
    /// The terminal's window was entered or left.
    Focus(bool),
    /// The terminal has a new size, in columns and rows. The first size comes this way, too.
    Resized {
        /// Columns.
        width: u16,
        /// Rows.
        height: u16,
    },
    /// The loop ends, whatever the program answers.
    Stopping,
}

/// How to go on after an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flow {
    /// As before.
    Continue,
    /// End the loop.
    Quit,
    /// Stop the program and give the terminal to the shell, as Ctrl-Z does. Without effect on a network channel.
    Suspend,
    /// Go on, and put this text on the terminal's clipboard.
    Copy(String),
}

/// What the loop drives: the console, or a test program.
pub trait Program {
    /// Something came in.
    fn input(&mut self, event: Event, now: Timestamp) -> Flow;

    /// Waits for the next answer of an effect and takes it in. It may be dropped while it waits without losing an answer.
    /// A program without effects never returns from this.
    fn answer(&mut self) -> impl Future<Output = ()> + Send;

    /// Takes in an answer that is there already; whether there was one.
    fn try_answer(&mut self) -> bool;

    /// Whether nothing is waited for any more that the first picture should show and that comes at once or not at all. That
    /// picture waits for it, but not for long; meanwhile [`Program::view`] paints one that nobody is shown.
    fn is_settled(&self) -> bool {
        true
    }

    /// Whether the answers taken in since this was last asked are to a key, so that somebody waits for them.
    fn awaited(&mut self) -> bool {
        false
    }

    /// When something is next due, if anything is. After [`Program::tick`] it must lie later than before.
    fn due(&self) -> Option<Timestamp>;

    /// What was due is due.
    fn tick(&mut self, now: Timestamp);

    /// Whether the picture may have changed since this was last asked.
    fn changed(&mut self) -> bool;

    /// Calls to the operator since this was last asked, each with its words.
    fn alerts(&mut self) -> Vec<(Alert, String)> {
        Vec::new()
    }

    /// Texts for the terminal's clipboard that became ready since this was last asked, as answers to what was asked for
    /// before.
    fn copies(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Paints the picture into a buffer of blank cells.
    fn view(&self, area: Rect, buf: &mut Buffer);

    /// The number of the picture that [`Program::view`] paints now: it grows with each change.
    fn picture(&self) -> u64 {
        0
    }

    /// A picture has reached the terminal: it says so, or was given up as one that never says so.
    fn arrived(&mut self, _picture: u64, _now: Timestamp) {}
}

/// Serves a program on a screen until one of them ends. The terminal is given back before this returns.
pub async fn run<R, W, P>(screen: Screen<R, W>, clock: &Clock, program: &mut P) -> ExitReason
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
    P: Program,
{
    session::Session::new(screen, clock, program).run().await
}
