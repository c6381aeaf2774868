//! The loop over a terminal in memory: one that answers, one that never does, one that does not read.

#![expect(clippy::disallowed_methods, reason = "time stands still in these tests, and is compared")]

use std::time::Duration;

use crossterm::event::{Event, KeyCode};
use futures::FutureExt;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, advance, timeout};

use super::super::{Clock, ExitReason, Flow, Program, TerminalChannel, TerminalNotice, run_program};
use super::initial_data::INITIAL_DATA_TIMEOUT;
use super::{MAX_KEYS_PER_TURN, MAX_WAITING_ALERTS};
use crate::app::input::keymap::ctrl;
use crate::domain::Timestamp;
use crate::domain::watch::AlertChannels;
use crate::terminal::modes::{ENTER_SEQUENCE, LEAVE_SEQUENCE};
use crate::terminal::{Dialect, clipboard};

const STATUS_QUERY: &[u8] = b"\x1b[5n";

/// Shows what came in.
struct RecordingProgram {
    events: Vec<Event>,
    is_stopped: bool,
    answers: mpsc::UnboundedReceiver<u32>,
    sum: u32,
    /// The sum that the first picture waits for.
    wants: u32,
    due: Option<Timestamp>,
    ticks: Vec<Timestamp>,
    /// Whether it is due again whenever it just was.
    insists: bool,
    changed: bool,
    /// For how many of its `!` it has called.
    called: usize,
}

impl Program for RecordingProgram {
    fn input(&mut self, event: Event, _now: Timestamp) -> Flow {
        let flow = match event {
            Event::Key(key) if key == KeyCode::Char('q').into() => Flow::Quit,
            Event::Key(key) if key == ctrl('z') => Flow::Suspend,
            Event::Key(key) if key == KeyCode::Char('y').into() => Flow::Copy("foobar".into()),
            Event::Key(key) if key == KeyCode::Char('c').into() => Flow::Copy(long_copy(self.events.len())),
            _ => Flow::Continue,
        };
        if event == Event::Key(KeyCode::Char('*').into()) {
            (self.due, self.insists) = (Some(Timestamp::from_millis(-1)), true);
        }
        self.events.push(event);
        self.changed = true;
        flow
    }

    fn on_loop_end(&mut self) {
        self.is_stopped = true;
    }

    async fn apply_next_result(&mut self) {
        match self.answers.recv().await {
            Some(number) => self.sum += number,
            None => std::future::pending().await,
        }
        self.changed = true;
    }

    fn try_apply_result(&mut self) -> bool {
        let answer = self.answers.try_recv();
        self.sum += answer.unwrap_or(0);
        answer.is_ok()
    }

    fn is_ready_for_first_frame(&self) -> bool {
        self.sum >= self.wants
    }

    fn next_timer_at(&self) -> Option<Timestamp> {
        self.due
    }

    fn run_due_timers(&mut self, now: Timestamp) {
        self.ticks.push(now);
        self.due = self.due.filter(|_| self.insists);
        self.changed = true;
    }

    fn take_alerts(&mut self) -> Vec<(AlertChannels, String)> {
        let count = self.events.iter().filter(|event| **event == Event::Key(KeyCode::Char('!').into())).count();
        let new = count - std::mem::replace(&mut self.called, count);
        vec![(AlertChannels { bell: true, notification: true }, "low".into()); new]
    }

    fn take_has_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    fn view(&self, area: Rect, buf: &mut Buffer) {
        let keys = self.events.iter().filter(|event| matches!(event, Event::Key(_))).count();
        let text = format!("keys {keys} sum {} ticks {}", self.sum, self.ticks.len());
        buf.set_stringn(area.x, area.y, text, area.width.into(), Style::new());
    }
}

/// A long text to be copied that tells when.
fn long_copy(number: usize) -> String {
    format!("{number:050000}")
}

/// The far end of a running loop.
struct FarEnd {
    wire: DuplexStream,
    notices: mpsc::UnboundedSender<TerminalNotice>,
    answers: mpsc::UnboundedSender<u32>,
    run: JoinHandle<(ExitReason, RecordingProgram)>,
    terminal: vt100::Parser,
    /// Whether it answers questions.
    answering: bool,
    /// How many frames came.
    frames: usize,
    /// The last bytes that came.
    last_bytes: Vec<u8>,
}

fn start(width: u16, height: u16, room: usize, due: Option<Timestamp>) -> FarEnd {
    start_with_initial_results(0, width, height, room, due)
}

impl RecordingProgram {
    fn new(answers: mpsc::UnboundedReceiver<u32>, wants: u32, due: Option<Timestamp>) -> Self {
        Self {
            events: Vec::new(),
            is_stopped: false,
            answers,
            sum: 0,
            wants,
            due,
            ticks: Vec::new(),
            insists: false,
            changed: false,
            called: 0,
        }
    }
}

fn start_with_initial_results(wants: u32, width: u16, height: u16, room: usize, due: Option<Timestamp>) -> FarEnd {
    let (near, wire) = duplex(room);
    let (input, output) = tokio::io::split(near);
    let (notices, inbox) = mpsc::unbounded_channel();
    let (answers, receiver) = mpsc::unbounded_channel();
    let screen = TerminalChannel { input, output, notices: inbox, dialect: Dialect::FULL, width, height, guard: None };
    let clock = Clock::starting_at(Timestamp::from_millis(0));
    let run = tokio::spawn(async move {
        let mut diary = RecordingProgram::new(receiver, wants, due);
        (run_program(screen, &clock, &mut diary).await, diary)
    });
    let mut terminal = vt100::Parser::default();
    terminal.set_size(height.try_into().unwrap(), width.try_into().unwrap());
    FarEnd { wire, notices, answers, run, terminal, answering: true, frames: 0, last_bytes: Vec::new() }
}

impl FarEnd {
    /// Reads until nothing more comes without time passing, and answers as it goes. Returns the bytes.
    async fn settle(&mut self) -> Vec<u8> {
        let mut all = Vec::new();
        let mut chunk = [0; 4096];
        // The clock of the test stands still, and moves on only when every task waits.
        while let Ok(Ok(count @ 1..)) = timeout(Duration::from_micros(1), self.wire.read(&mut chunk)).await {
            let piece = &chunk[..count];
            self.terminal.process(piece);
            all.extend_from_slice(piece);
            // A question may come in pieces.
            self.last_bytes.extend_from_slice(piece);
            let query_count =
                self.last_bytes.windows(STATUS_QUERY.len()).filter(|window| *window == STATUS_QUERY).count();
            self.last_bytes.drain(..self.last_bytes.len().saturating_sub(STATUS_QUERY.len() - 1));
            self.frames += query_count;
            for _ in 0..if self.answering { query_count } else { 0 } {
                self.wire.write_all(b"\x1b[0n").await.unwrap();
            }
        }
        all
    }

    async fn send(&mut self, bytes: &[u8]) {
        self.wire.write_all(bytes).await.unwrap();
    }

    fn line(&self) -> String {
        self.terminal.screen().contents().lines().next().unwrap_or("").trim_end().to_owned()
    }

    async fn end(mut self) -> (ExitReason, RecordingProgram, Vec<u8>) {
        let last = self.settle().await;
        let (ending, diary) = self.run.await.unwrap();
        (ending, diary, last)
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_copied_goes_through_the_terminal_once_and_leaves_no_trace_on_it() {
    let mut far = start(40, 5, 1 << 16, None);
    far.settle().await;
    far.send(b"y").await;
    let bytes = far.settle().await;
    let written = b"\x1b]52;c;Zm9vYmFy\x1b\\";
    assert_eq!(bytes.windows(written.len()).filter(|window| window == written).count(), 1, "{bytes:?}");
    assert_eq!(far.line(), "keys 1 sum 0 ticks 0");
    far.send(b"q").await;
    assert_eq!(far.end().await.0, ExitReason::Quit);
}

#[tokio::test(start_paused = true)]
async fn the_terminal_is_taken_over_painted_and_given_back() {
    let mut far = start(40, 5, 1 << 16, None);
    let first = far.settle().await;
    assert!(first.starts_with(&ENTER_SEQUENCE) && first.ends_with(STATUS_QUERY));
    assert_eq!(far.line(), "keys 0 sum 0 ticks 0");
    far.send(b"ab").await;
    far.settle().await;
    assert_eq!(far.line(), "keys 2 sum 0 ticks 0");
    far.send(b"q").await;
    let (ending, diary, last) = far.end().await;
    assert_eq!(ending, ExitReason::Quit);
    assert!(last.ends_with(&LEAVE_SEQUENCE));
    assert_eq!(
        diary.events,
        [
            Event::Resize(40, 5),
            Event::Key(KeyCode::Char('a').into()),
            Event::Key(KeyCode::Char('b').into()),
            Event::Key(KeyCode::Char('q').into())
        ]
    );
    assert!(diary.is_stopped);
}

#[tokio::test(start_paused = true)]
async fn the_first_picture_waits_for_what_it_should_show_and_nobody_sees_the_rehearsal() {
    let mut far = start_with_initial_results(3, 40, 5, 1 << 16, None);
    for answer in [1, 2] {
        assert_eq!(far.settle().await, b"");
        far.answers.send(answer).unwrap();
    }
    let first = far.settle().await;
    assert!(first.starts_with(&ENTER_SEQUENCE));
    assert_eq!((far.terminal.screen().contents().as_str(), far.frames), ("keys 0 sum 3 ticks 0", 1));
}

#[tokio::test(start_paused = true)]
async fn the_first_picture_does_not_wait_for_long() {
    for answers in [&[][..], &[1]] {
        let mut far = start_with_initial_results(3, 40, 5, 1 << 16, None);
        for answer in answers {
            far.answers.send(*answer).unwrap();
        }
        assert_eq!(far.settle().await, b"");
        advance(INITIAL_DATA_TIMEOUT).await;
        far.settle().await;
        assert_eq!(far.line(), format!("keys 0 sum {} ticks 0", answers.len()));
        far.answers.send(5).unwrap();
        advance(Duration::from_millis(20)).await;
        far.settle().await;
        assert_eq!(far.line(), format!("keys 0 sum {} ticks 0", answers.len() + 5));
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_copied_while_nothing_is_taken_is_held_once_and_the_newest_arrives() {
    let mut far = start(40, 5, 16, None);
    // Each is given the time to be taken in by itself, and nothing is read meanwhile.
    for _ in 0..200 {
        far.send(b"c!").await;
        advance(Duration::from_millis(1)).await;
    }
    let bytes = far.settle().await;
    let count = |part: &[u8]| bytes.windows(part.len()).filter(|window| *window == part).count();
    assert!(count(b"\x1b]52;c;") <= 2, "one on its way, and the newest");
    let newest = clipboard::clipboard_sequence(&long_copy(399), Dialect::FULL.clipboard);
    assert_eq!(count(&newest), 1, "the newest does not arrive");
    assert!((1..=2 * MAX_WAITING_ALERTS).contains(&count(b"\x1b]9;")), "{} calls", count(b"\x1b]9;"));
    assert_eq!(far.line(), "keys 400 sum 0 ticks 0");
}

#[tokio::test(start_paused = true)]
async fn what_was_copied_last_arrives_before_the_end() {
    let mut far = start(40, 5, 16, None);
    far.send(b"cyq").await;
    let (ending, _, last) = far.end().await;
    assert_eq!(ending, ExitReason::Quit);
    let written = b"\x1b]52;c;Zm9vYmFy\x1b\\";
    assert!(last.windows(written.len()).any(|window| window == written) && last.ends_with(&LEAVE_SEQUENCE));
}

#[tokio::test(start_paused = true)]
async fn others_get_their_turn_while_many_keys_are_handled() {
    let mut far = start(40, 5, 1 << 16, None);
    far.settle().await;
    far.send(&[b'j'; 4 * MAX_KEYS_PER_TURN]).await;
    // The loop and this test take turns on one thread.
    let mut turns = 0;
    while far.wire.read(&mut [0; 1]).now_or_never().is_none() {
        tokio::task::yield_now().await;
        turns += 1;
    }
    assert!((4..100).contains(&turns), "{turns} turns");
    far.send(b"q").await;
    assert_eq!(far.end().await.1.events.len(), 4 * MAX_KEYS_PER_TURN + 2);
}

/// A call stands between frames, and each is written once.
#[tokio::test(start_paused = true)]
async fn a_call_to_the_operator_is_written_between_frames() {
    const CALL: &[u8] = b"\x1b]9;bursar: low\x1b\\\x07";
    let mut far = start(40, 5, 1 << 16, None);
    far.settle().await;
    far.send(b"!").await;
    let bytes = far.settle().await;
    assert!(bytes.starts_with(CALL) && bytes.ends_with(STATUS_QUERY), "{}", String::from_utf8_lossy(&bytes));
    assert_eq!(far.line(), "keys 1 sum 0 ticks 0");
    // Also where no frame may follow yet.
    far.answering = false;
    far.send(b"j").await;
    far.settle().await;
    far.send(b"!").await;
    assert_eq!(far.settle().await, CALL);
}

#[tokio::test(start_paused = true)]
async fn an_idle_loop_writes_nothing() {
    let mut far = start(40, 5, 1 << 16, None);
    far.settle().await;
    advance(Duration::from_hours(1)).await;
    assert_eq!(far.settle().await, b"");
    assert_eq!(far.frames, 1);
}

#[tokio::test(start_paused = true)]
async fn a_terminal_that_is_behind_loses_frames_and_no_keys() {
    let mut far = start(40, 5, 1 << 16, None);
    far.answering = false;
    far.settle().await;
    for _ in 0..50 {
        far.send(b"j").await;
        assert_eq!(far.settle().await, b"", "the last frame is not acknowledged");
    }
    far.answering = true;
    far.send(b"\x1b[0n").await;
    far.settle().await;
    assert_eq!(far.line(), "keys 50 sum 0 ticks 0");
    assert_eq!(far.frames, 2);
}

#[tokio::test(start_paused = true)]
async fn a_terminal_that_never_answers_is_served_after_a_second() {
    let mut far = start(40, 5, 1 << 16, None);
    far.answering = false;
    far.settle().await;
    far.send(b"j").await;
    assert_eq!(far.settle().await, b"");
    advance(Duration::from_secs(1)).await;
    far.settle().await;
    assert_eq!(far.line(), "keys 1 sum 0 ticks 0");
    far.send(b"j").await;
    far.settle().await;
    assert_eq!(far.line(), "keys 2 sum 0 ticks 0");
}

#[tokio::test(start_paused = true)]
async fn a_thousand_answers_cost_few_frames() {
    let mut far = start(40, 5, 1 << 16, None);
    far.settle().await;
    for _ in 0..1_000 {
        far.answers.send(1).unwrap();
    }
    far.settle().await;
    advance(Duration::from_millis(20)).await;
    far.settle().await;
    assert_eq!(far.line(), "keys 0 sum 1000 ticks 0");
    assert!(far.frames <= 3, "{} frames", far.frames);
}

#[tokio::test(start_paused = true)]
async fn what_is_due_is_done_when_it_is_due() {
    let mut far = start(40, 5, 1 << 16, Some(Timestamp::from_millis(2_000)));
    far.settle().await;
    advance(Duration::from_millis(1_900)).await;
    far.settle().await;
    assert_eq!(far.line(), "keys 0 sum 0 ticks 0");
    advance(Duration::from_millis(120)).await;
    far.settle().await;
    assert_eq!(far.line(), "keys 0 sum 0 ticks 1");
    far.send(b"q").await;
    let (_, diary, _) = far.end().await;
    assert!(diary.ticks[0] >= Timestamp::from_millis(2_000));
}

#[tokio::test(start_paused = true)]
async fn what_is_due_is_done_while_keys_never_stop() {
    let (notices, inbox) = mpsc::unbounded_channel();
    let (_answers, receiver) = mpsc::unbounded_channel();
    let screen = TerminalChannel {
        input: tokio::io::repeat(b'j'),
        output: tokio::io::sink(),
        notices: inbox,
        dialect: Dialect::FULL,
        width: 40,
        height: 5,
        guard: None,
    };
    let clock = Clock::starting_at(Timestamp::from_millis(0));
    let mut diary = RecordingProgram::new(receiver, 0, Some(Timestamp::from_millis(0)));
    let ends = async {
        for _ in 0..1_000 {
            tokio::task::yield_now().await;
        }
        notices.send(TerminalNotice::Ended(ExitReason::Quit)).unwrap();
    };
    tokio::join!(run_program(screen, &clock, &mut diary), ends);
    assert_eq!(diary.ticks, [Timestamp::from_millis(0)]);
}

#[tokio::test(start_paused = true)]
async fn a_program_that_is_always_due_keeps_nobody_awake() {
    let mut far = start(40, 5, 1 << 16, None);
    far.send(b"*").await;
    for _ in 0..600 {
        far.settle().await;
        advance(Duration::from_millis(100)).await;
    }
    far.settle().await;
    far.send(b"q").await;
    let (_, diary, _) = far.end().await;
    assert!((55..=75).contains(&diary.ticks.len()), "{} ticks in a minute", diary.ticks.len());
}

#[tokio::test(start_paused = true)]
async fn a_lone_escape_becomes_a_key_after_a_moment() {
    let mut far = start(40, 5, 1 << 16, None);
    far.settle().await;
    far.send(b"\x1b").await;
    assert_eq!(far.settle().await, b"");
    advance(Duration::from_millis(31)).await;
    far.settle().await;
    assert_eq!(far.line(), "keys 1 sum 0 ticks 0");
    far.send(b"q").await;
    let (_, diary, _) = far.end().await;
    assert!(diary.events.contains(&Event::Key(KeyCode::Esc.into())));
}

#[tokio::test(start_paused = true)]
async fn many_sizes_cost_one_frame() {
    let mut far = start(40, 5, 1 << 16, None);
    far.settle().await;
    for width in 41..=60 {
        far.notices.send(TerminalNotice::Resized { width, height: 6 }).unwrap();
    }
    far.terminal.set_size(6.try_into().unwrap(), 60.try_into().unwrap());
    far.settle().await;
    assert_eq!(far.frames, 2);
    assert_eq!(far.line(), "keys 0 sum 0 ticks 0");
    far.send(b"q").await;
    let (_, diary, _) = far.end().await;
    assert_eq!(diary.events.iter().filter(|event| matches!(event, Event::Resize(..))).count(), 21);
}

#[tokio::test(start_paused = true)]
async fn a_signal_ends_the_loop_while_output_is_stalled() {
    // The wire holds less than a frame, and nobody reads.
    let far = start(40, 5, 16, None);
    advance(Duration::from_secs(5)).await;
    far.notices.send(TerminalNotice::Ended(ExitReason::Signal(15))).unwrap();
    let before = Instant::now();
    let (ending, diary) = far.run.await.unwrap();
    assert_eq!(ending, ExitReason::Signal(15));
    assert_eq!(ending.exit_code(), 143);
    assert!(before.elapsed() <= Duration::from_millis(250));
    assert!(diary.is_stopped);
}

#[tokio::test(start_paused = true)]
async fn a_terminal_that_vanishes_ends_the_loop() {
    let mut far = start(40, 5, 1 << 16, None);
    far.settle().await;
    drop(far.wire);
    let (ending, _) = far.run.await.unwrap();
    assert_eq!(ending, ExitReason::Closed);
    assert_eq!(ending.exit_code(), 129);
}

#[tokio::test(start_paused = true)]
async fn ctrl_z_means_nothing_to_a_network_channel() {
    let mut far = start(40, 5, 1 << 16, None);
    far.settle().await;
    far.send(b"\x1aj").await;
    far.settle().await;
    assert_eq!(far.line(), "keys 2 sum 0 ticks 0");
}

#[tokio::test(start_paused = true)]
async fn keys_arrive_while_the_program_streams_and_the_line_is_narrow() {
    let mut far = start(40, 5, 24, None);
    far.settle().await;
    for number in 0..200 {
        far.answers.send(1).unwrap();
        if number % 10 == 0 {
            far.send(b"j").await;
        }
        far.settle().await;
        advance(Duration::from_millis(1)).await;
    }
    advance(Duration::from_millis(20)).await;
    far.settle().await;
    assert_eq!(far.line(), "keys 20 sum 200 ticks 0");
}

// Time goes on here as it does for people: where it stands still, a time that lies behind can be told from no other.
#[tokio::test]
async fn what_lies_behind_is_due_at_once() {
    let mut far = start(40, 5, 1 << 16, Some(Timestamp::from_millis(-1)));
    let ticked = async {
        while far.line() != "keys 0 sum 0 ticks 1" {
            far.settle().await;
        }
    };
    timeout(Duration::from_secs(30), ticked).await.expect("it never ticks");
    far.send(b"q").await;
    assert_eq!(far.end().await.0, ExitReason::Quit);
}
