//! Minutes in which a client neither reads nor answers, by a clock that is moved on as soon as nothing else is to be done:
//! hosts, clients and what lies between them are all in memory.

use std::sync::atomic::AtomicU64;

use crossterm::event::{Event, KeyCode};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::*;
use crate::domain::Timestamp;
use crate::runtime::{ExitReason, Flow, Program, TerminalChannel, run_program};
use crate::terminal::Dialect;

/// What lies between two ends takes so much that nobody has read.
const BUFFER_BYTES: usize = 16 * 1024;

/// How often a program has something new to show.
const REDRAW_PERIOD: Duration = Duration::from_millis(100);

const MINUTE: Duration = Duration::from_mins(1);

/// A moment by a clock that stands while anything is to be done.
const SHORT_WAIT: Duration = Duration::from_millis(20);

/// Fills its screen with what is new, and says how many pictures it made.
struct RedrawingProgram {
    clock: Clock,
    due: Timestamp,
    changed: bool,
    key: char,
    number: u64,
    pictures: Arc<AtomicU64>,
}

impl Program for RedrawingProgram {
    fn input(&mut self, event: Event, _now: Timestamp) -> Flow {
        if let Event::Key(key) = event
            && let KeyCode::Char(key) = key.code
        {
            self.key = key;
            self.changed = true;
        }
        Flow::Continue
    }

    async fn apply_next_result(&mut self) {
        std::future::pending::<()>().await;
    }

    fn try_apply_result(&mut self) -> bool {
        false
    }

    fn next_timer_at(&self) -> Option<Timestamp> {
        Some(self.due)
    }

    fn run_due_timers(&mut self, now: Timestamp) {
        self.due = now.plus(REDRAW_PERIOD);
        self.number += 1;
        self.changed = true;
    }

    fn take_has_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    fn view(&self, area: Rect, buf: &mut Buffer) {
        self.pictures.fetch_add(1, Ordering::SeqCst);
        let Self { key, number, clock, .. } = self;
        for row in area.rows() {
            // Never twice the same, so that each picture costs what a whole one does.
            let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_mul(2 * u64::from(row.y) + 1);
            let text = format!("key {key} at {} {mixed:020}", clock.now().millis()).repeat(3);
            buf.set_stringn(row.x, row.y, text, row.width.into(), Style::new());
        }
    }
}

/// A visitor of such a program.
struct Visitor {
    channel: russh::Channel<client::Msg>,
    shut: Arc<AtomicBool>,
    waker: Arc<futures::task::AtomicWaker>,
    pictures: Arc<AtomicU64>,
    run: JoinHandle<ExitReason>,
    screen: vt100::Parser,
    bytes: usize,
    _client: client::Handle<TrustingClient>,
    _session: RunningSession<ClientHandler>,
    _notices: mpsc::UnboundedSender<crate::runtime::TerminalNotice>,
}

impl Visitor {
    async fn connect(clock: &Clock) -> Self {
        let (near, far) = duplex(BUFFER_BYTES);
        let ChannelPair { writer: mut outlet, mut input, transport: _, shut, waker, session, channel, client } =
            ChannelPair::connect_over(near, far, 64 << 20, 32_768).await;
        let pictures = Arc::<AtomicU64>::default();
        let (notices, inbox) = mpsc::unbounded_channel();
        let (clock, picture_count) = (clock.clone(), Arc::clone(&pictures));
        let run = tokio::spawn(async move {
            let due = clock.now();
            let mut news = RedrawingProgram {
                clock: clock.clone(),
                due,
                changed: true,
                key: ' ',
                number: 0,
                pictures: picture_count,
            };
            let (dialect, width, height) = (Dialect::FULL, 80, 24);
            let screen = TerminalChannel {
                input: &mut input,
                output: &mut outlet,
                notices: inbox,
                dialect,
                width,
                height,
                guard: None,
            };
            run_program(screen, &clock, &mut news).await
        });
        let screen = vt100::Parser::new(24.try_into().unwrap(), 80.try_into().unwrap(), 0);
        Self {
            channel,
            shut,
            waker,
            pictures,
            run,
            screen,
            bytes: 0,
            _client: client,
            _session: session,
            _notices: notices,
        }
    }

    fn set_reading(&self, reads: bool) {
        self.shut.store(!reads, Ordering::SeqCst);
        self.waker.wake();
    }

    fn pictures(&self) -> u64 {
        self.pictures.load(Ordering::SeqCst)
    }

    /// Takes in what comes, and answers as a terminal does, until the screen shows a text.
    async fn wait_for_text(&mut self, text: &str) {
        let comes = async {
            while !self.screen.screen().contents().contains(text) {
                let Some(russh::ChannelMsg::Data { data }) = self.channel.wait().await else { continue };
                self.bytes += data.len();
                self.screen.process(&data);
                for _ in data.windows(4).filter(|window| window == b"\x1b[5n") {
                    self.channel.data_bytes(&b"\x1b[0n"[..]).await.unwrap();
                }
            }
        };
        let comes = timeout(PATIENCE, comes).await;
        assert!(comes.is_ok(), "no “{text}” on\n{}", self.screen.screen().contents());
    }

    /// Presses a key, and says how long its picture took.
    async fn press_key(&mut self, key: char) -> Duration {
        let before = Clock::System.instant();
        self.channel.data_bytes(key.to_string()).await.unwrap();
        self.wait_for_text(&format!("key {key} ")).await;
        Clock::System.instant() - before
    }
}

#[tokio::test(start_paused = true)]
async fn for_a_visitor_who_reads_nothing_for_a_minute_no_picture_is_made_and_nobody_waits() {
    let clock = Clock::starting_at(Timestamp::from_millis(0));
    let (mut sleeper, mut other) = (Visitor::connect(&clock).await, Visitor::connect(&clock).await);
    sleeper.press_key('a').await;
    let whole = sleeper.bytes;
    sleeper.set_reading(false);
    let (began, mut pictures_made) = (clock.instant(), Vec::new());
    while clock.instant() - began < MINUTE {
        for key in ['x', 'y', 'z'] {
            let took = other.press_key(key).await;
            assert!(took <= SHORT_WAIT, "a key of somebody else took {took:?}");
            tokio::time::advance(Duration::from_secs(1)).await;
        }
        pictures_made.push(sleeper.pictures());
    }
    // At first some go to where nobody has read yet; once that is full none is made any more.
    let half = pictures_made[pictures_made.len() / 2];
    assert_eq!(pictures_made.last(), Some(&half), "{pictures_made:?}");
    assert!(other.pictures() > half + 10, "the other one saw no news");
    // Whoever reads again has read soon what was under way, and then sees what is, and not what was.
    let before = sleeper.bytes;
    sleeper.set_reading(true);
    let took = sleeper.press_key('b').await;
    assert!(took <= SHORT_WAIT, "it took {took:?}");
    let byte_count = sleeper.bytes - before;
    let most = 2 * BUFFER_BYTES + MAX_PACKET_BYTES + 2 * whole;
    assert!(byte_count <= most, "{byte_count} bytes had been queued, more than {most}");
    assert!(!sleeper.run.is_finished());
}

/// Of a minute nothing is held against anybody; of two it is.
async fn assert_given_up_after_silence(run: impl Future<Output = ()>, began: Instant) {
    timeout(TimeLimits::default().silence_time_out + MINUTE, run).await.expect("it goes on");
    let (waited, silence) = (Clock::System.instant() - began, TimeLimits::default().silence_time_out);
    assert!(waited.abs_diff(silence) < Duration::from_secs(1), "it ended after {waited:?}");
    assert_eq!(silence, 2 * MINUTE, "the manual says so");
}

#[tokio::test(start_paused = true)]
async fn a_visitor_of_whom_nothing_is_heard_for_two_minutes_is_given_up() {
    let clock = Clock::starting_at(Timestamp::from_millis(0));
    let mut visitor = Visitor::connect(&clock).await;
    visitor.press_key('a').await;
    visitor.set_reading(false);
    let began = clock.instant();
    assert_given_up_after_silence(async { assert_eq!((&mut visitor.run).await.unwrap(), ExitReason::Closed) }, began)
        .await;
}

#[tokio::test(start_paused = true)]
async fn so_is_one_to_whom_nothing_was_to_be_told() {
    let (near, far) = duplex(BUFFER_BYTES);
    let pair = ChannelPair::connect_over(near, far, 64 << 20, 32_768).await;
    pair.set_shut(true);
    let began = Clock::System.instant();
    assert_given_up_after_silence(
        async { assert!(pair.session.await.is_err(), "it is a fault, and no leave-taking") },
        began,
    )
    .await;
}
