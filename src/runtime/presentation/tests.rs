//! A presenter and those who look on, each in a terminal of their own.

use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent};
use ratatui::style::Style;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::*;
use crate::domain::watch::AlertChannels;
use crate::domain::{Text, Timestamp};
use crate::runtime::{Clock, ExitReason, Flow, Program, TerminalChannel, TerminalNotice, run_program};
use crate::terminal::Dialect;

/// Shows what was typed; `!` calls, `y` copies.
#[derive(Default)]
struct EchoProgram {
    typed: String,
    calls: usize,
    changed: bool,
}

impl Program for EchoProgram {
    fn input(&mut self, event: Event, _now: Timestamp) -> Flow {
        let Event::Key(KeyEvent { code: KeyCode::Char(character), .. }) = event else { return Flow::Continue };
        self.typed.push(character);
        self.changed = true;
        self.calls += usize::from(character == '!');
        match character {
            'q' => Flow::Quit,
            'y' => Flow::Copy("foobar".into()),
            _ => Flow::Continue,
        }
    }

    async fn apply_next_result(&mut self) {
        std::future::pending::<()>().await;
    }

    fn try_apply_result(&mut self) -> bool {
        false
    }

    fn next_timer_at(&self) -> Option<Timestamp> {
        None
    }

    fn run_due_timers(&mut self, _now: Timestamp) {}

    fn take_alerts(&mut self) -> Vec<(AlertChannels, String)> {
        vec![(AlertChannels { bell: true, notification: true }, "low".into()); std::mem::take(&mut self.calls)]
    }

    fn take_has_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    fn view(&self, area: Rect, buf: &mut Buffer) {
        buf.set_stringn(area.x, area.y, format!("typed {}", self.typed), area.width.into(), Style::new());
    }
}

/// A terminal, and the program that is served on it.
struct ServedTerminal<P> {
    wire: DuplexStream,
    _notices: mpsc::UnboundedSender<TerminalNotice>,
    run: JoinHandle<(ExitReason, P)>,
    terminal: vt100::Parser,
    /// Every byte received.
    received: Vec<u8>,
    /// Whether it answers questions.
    answering: bool,
}

fn serve<P: Program + Send + 'static>(mut program: P, width: u16, height: u16) -> ServedTerminal<P> {
    let (near, wire) = duplex(1 << 16);
    let (input, output) = tokio::io::split(near);
    let (notices, inbox) = mpsc::unbounded_channel();
    let screen = TerminalChannel { input, output, notices: inbox, dialect: Dialect::FULL, width, height, guard: None };
    let run = tokio::spawn(async move {
        let clock = Clock::starting_at(Timestamp::from_millis(0));
        (run_program(screen, &clock, &mut program).await, program)
    });
    let mut terminal = vt100::Parser::default();
    terminal.set_size(height.try_into().unwrap(), width.try_into().unwrap());
    ServedTerminal { wire, _notices: notices, run, terminal, received: Vec::new(), answering: true }
}

impl<P> ServedTerminal<P> {
    async fn settle(&mut self) {
        let mut chunk = [0; 4096];
        let mut bytes = Vec::new();
        // The clock of the test stands still, and moves on only when every task waits.
        while let Ok(Ok(count @ 1..)) = timeout(Duration::from_millis(20), self.wire.read(&mut chunk)).await {
            self.terminal.process(&chunk[..count]);
            self.received.extend_from_slice(&chunk[..count]);
            bytes.extend_from_slice(&chunk[..count]);
            while let Some(at) = bytes.windows(4).position(|window| window == b"\x1b[5n") {
                bytes.drain(..at + 4);
                if self.answering {
                    self.wire.write_all(b"\x1b[0n").await.unwrap();
                }
            }
        }
    }

    async fn type_keys(&mut self, keys: &[u8]) {
        self.wire.write_all(keys).await.unwrap();
        self.settle().await;
    }

    fn is_shown(&self, text: &str) -> bool {
        self.terminal.screen().contents().contains(text)
    }

    fn contents(&self) -> String {
        self.terminal.screen().contents()
    }
}

fn served_spectator(presentation: &Presentation, width: u16, height: u16) -> ServedTerminal<Spectator> {
    serve(presentation.new_spectator(Appearance::default()), width, height)
}

#[tokio::test(start_paused = true)]
async fn everybody_sees_what_one_presents_and_nobody_else_types() {
    let presentation = Presentation::default();
    let mut watching = [
        served_spectator(&presentation, 60, 11),
        served_spectator(&presentation, 60, 11),
        served_spectator(&presentation, 60, 11),
    ];
    for far in &mut watching {
        far.settle().await;
        assert!(far.is_shown("Nobody is presenting yet."), "{}", far.contents());
    }
    // Their windows are as large as the presenter's, and each of both keeps one line to itself.
    let mut presenter = serve(
        PresentedProgram::new(EchoProgram::default(), presentation.take_over_presenter_slot(), Appearance::default()),
        60,
        11,
    );
    presenter.settle().await;
    assert!(presenter.is_shown("presenting to 3: all see it whole"), "{}", presenter.contents());
    presenter.type_keys(b"abc").await;
    for far in &mut watching {
        far.settle().await;
        assert!(far.is_shown("typed abc") && far.is_shown("60×10") && far.is_shown("q leaves"), "{}", far.contents());
        assert!(!far.is_shown("presenting to"), "who looks on is the presenter's affair");
        // Whatever is typed here moves nothing there.
        far.type_keys(b"xyz\x1b[A\x1b[200~pasted\x1b[201~\r").await;
    }
    presenter.settle().await;
    assert!(presenter.is_shown("typed abc") && !presenter.is_shown("abcx"));
    // One more comes, whose window is smaller.
    let mut small = served_spectator(&presentation, 40, 20);
    small.settle().await;
    presenter.settle().await;
    let summary = "presenting to 4: 1 sees only a part; all would";
    assert!(presenter.is_shown(summary), "{}", presenter.contents());
    small.type_keys(b"q").await;
    assert_eq!(small.run.await.unwrap().0, ExitReason::Quit);
    for mut far in watching {
        far.type_keys(b"q").await;
        assert_eq!(far.run.await.unwrap().0, ExitReason::Quit);
    }
    assert_eq!(presentation.spectator_count(), 0);
    presenter.settle().await;
    assert!(presenter.is_shown("presenting: no spectators yet"), "{}", presenter.contents());
}

#[tokio::test(start_paused = true)]
async fn no_call_and_no_text_for_the_clipboard_reaches_those_who_look_on() {
    let presentation = Presentation::default();
    let mut far = served_spectator(&presentation, 60, 10);
    let mut presenter = serve(
        PresentedProgram::new(EchoProgram::default(), presentation.take_over_presenter_slot(), Appearance::default()),
        60,
        10,
    );
    presenter.settle().await;
    presenter.type_keys(b"!y").await;
    far.settle().await;
    let holds = |received: &[u8], sequence: &[u8]| received.windows(sequence.len()).any(|window| window == sequence);
    for sequence in [&b"\x1b]9;"[..], b"\x1b]52;", b"\x07"] {
        assert!(holds(&presenter.received, sequence), "the presenter is called");
        assert!(!holds(&far.received, sequence), "so is who looks on");
    }
    assert!(far.is_shown("typed !y"));
}

#[tokio::test(start_paused = true)]
async fn whoever_looks_on_waits_until_somebody_presents_again() {
    let presentation = Presentation::default();
    let mut far = served_spectator(&presentation, 60, 10);
    let first = presentation.take_over_presenter_slot();
    let mut presenter = serve(PresentedProgram::new(EchoProgram::default(), first, Appearance::default()), 60, 10);
    presenter.settle().await;
    far.settle().await;
    assert!(far.is_shown("typed"));
    presenter.type_keys(b"q").await;
    assert_eq!(presenter.run.await.unwrap().0, ExitReason::Quit);
    far.settle().await;
    assert!(far.is_shown("The presenter is away") && !far.is_shown("typed"), "{}", far.contents());
    let mut second_presenter = serve(
        PresentedProgram::new(EchoProgram::default(), presentation.take_over_presenter_slot(), Appearance::default()),
        60,
        10,
    );
    second_presenter.settle().await;
    second_presenter.type_keys(b"2").await;
    far.settle().await;
    assert!(far.is_shown("typed 2"));
}

/// A presenter whose connection breaks in the middle of everything frees the place as well.
#[tokio::test(start_paused = true)]
async fn a_presenter_whose_program_panics_leaves_the_place_free() {
    let presentation = Presentation::default();
    let mut far = served_spectator(&presentation, 60, 10);
    let lectern = presentation.take_over_presenter_slot();
    let task = tokio::spawn(async move {
        let _shown = PresentedProgram::new(EchoProgram::default(), lectern, Appearance::default());
        std::panic::resume_unwind(Box::new("asked for"));
    });
    assert!(task.await.unwrap_err().is_panic());
    far.settle().await;
    assert!(far.is_shown("The presenter is away"), "{}", far.contents());
}

/// Somebody whose link broke comes back while the host still believes in the old one.
#[tokio::test(start_paused = true)]
async fn whoever_comes_to_present_takes_over_and_nothing_of_the_other_is_shown_any_more() {
    let presentation = Presentation::default();
    let mut far = served_spectator(&presentation, 60, 10);
    let mut picture = Buffer::empty(Rect::new(0, 0, 20, 3));
    let mut shows = |lectern: &PresenterSlot, text: &str| {
        picture.set_string(0, 0, text, Style::new());
        lectern.show_frame(&picture);
    };
    let old = presentation.take_over_presenter_slot();
    shows(&old, "old");
    assert!(!old.takeover_token().is_cancelled());
    let new = presentation.clone().take_over_presenter_slot();
    assert!(old.takeover_token().is_cancelled() && !new.takeover_token().is_cancelled());
    shows(&new, "new");
    shows(&old, "late");
    drop(old);
    far.settle().await;
    assert!(far.is_shown("new"), "{}", far.contents());
    drop(new);
    far.settle().await;
    assert!(far.is_shown("The presenter is away"), "{}", far.contents());
}

#[tokio::test(start_paused = true)]
async fn a_terminal_that_does_not_keep_up_misses_pictures_and_holds_nobody_up() {
    let presentation = Presentation::default();
    let mut slow = served_spectator(&presentation, 120, 10);
    slow.answering = false;
    slow.settle().await;
    let mut presenter = serve(
        PresentedProgram::new(EchoProgram::default(), presentation.take_over_presenter_slot(), Appearance::default()),
        120,
        10,
    );
    presenter.settle().await;
    for _ in 0..100 {
        presenter.type_keys(b"j").await;
    }
    assert!(presenter.is_shown(&"j".repeat(100)));
    slow.settle().await;
    assert!(slow.is_shown(&"j".repeat(100)), "{}", slow.contents());
    let frames = slow.received.windows(4).filter(|window| *window == b"\x1b[5n").count();
    assert!(frames < 100, "{frames} frames");
}

#[tokio::test(start_paused = true)]
async fn a_picture_that_is_the_same_is_not_copied_again() {
    let presentation = Presentation::default();
    let lectern = presentation.take_over_presenter_slot();
    let mut looks_on = presentation.0.shared_view.subscribe();
    let area = Rect::new(0, 0, 20, 3);
    let picture = |text: &str| {
        let mut picture = Buffer::empty(area);
        picture.set_string(0, 0, text, Style::new());
        picture
    };
    lectern.show_frame(&picture("one"));
    assert!(looks_on.has_changed().unwrap());
    looks_on.mark_unchanged();
    lectern.show_frame(&picture("one"));
    assert!(!looks_on.has_changed().unwrap());
    lectern.show_frame(&picture("two"));
    assert!(looks_on.has_changed().unwrap());
    // However many look on, they share what was copied once.
    let several: Vec<_> = (0..50).map(|_| presentation.new_spectator(Appearance::default())).collect();
    let SharedView::Frame(frame) = presentation.0.shared_view.borrow().clone() else { unreachable!() };
    assert_eq!(several.len(), presentation.spectator_count());
    assert_eq!(Arc::strong_count(&frame), 2, "the place has one, and this test");
}

/// What a terminal of this size shows of a picture.
fn visible_lines(picture: &Buffer, width: u16, height: u16) -> Vec<String> {
    let presentation = Presentation::default();
    let lectern = presentation.take_over_presenter_slot();
    lectern.show_frame(picture);
    let area = Rect::new(0, 0, width, height);
    let mut buf = Buffer::empty(area);
    presentation.new_spectator(Appearance::default()).view(area, &mut buf);
    let line = |y: u16| (0..width).map(|x| buf[(x, y)].symbol()).collect::<String>();
    (0..height).map(line).collect()
}

#[test]
fn a_picture_is_cut_or_stands_in_the_middle_and_is_never_stretched() {
    let mut picture = Buffer::empty(Rect::new(0, 0, 10, 3));
    for (y, text) in (0..).zip(["0123456789", "abcdefgh漢", "ABCDEFGHIJ"]) {
        picture.set_string(0, y, text, Style::new());
    }
    let uncut_lines = visible_lines(&picture, 10, 4);
    assert_eq!(uncut_lines[..3], ["0123456789", "abcdefgh漢 ", "ABCDEFGHIJ"]);
    let larger = visible_lines(&picture, 80, 8);
    assert_eq!(larger[2].trim_end(), format!("{}0123456789", " ".repeat(35)));
    assert!(larger[7].contains("the presenter's screen, 10×3 ") && larger[7].ends_with("q leaves "), "{}", larger[7]);
    let cut = visible_lines(&picture, 9, 3);
    assert_eq!(cut[..2], ["01234567›", "abcdefgh›"], "what is beyond the edge is not forgotten");
    // Of a wide sign that stands astride of the edge nothing is seen.
    assert_eq!(visible_lines(&picture, 10, 3)[1], "abcdefgh漢 ");
    let mut wide = Buffer::empty(Rect::new(0, 0, 10, 1));
    wide.set_string(0, 0, "abcdefg漢x", Style::new());
    assert_eq!(visible_lines(&wide, 9, 2)[0], "abcdefg ›");
    assert!(visible_lines(&picture, 80, 3)[2].contains("columns 1–10, rows 1–2 of 10×3; arrows move"));
    // Whatever the size, there is something to look at, and no more than there is room for.
    for (width, height) in [(0, 0), (1, 1), (3, 2), (200, 1), (1, 60)] {
        let lines = visible_lines(&picture, width, height);
        assert!(lines.iter().all(|line| Text::clean(line).display_width() <= usize::from(width)), "{width}×{height}");
    }
}

/// What a window of nine columns and three lines shows of a picture of twenty by six after each key.
#[tokio::test(start_paused = true)]
async fn arrows_move_a_small_window_over_a_large_picture_and_not_beyond_it() {
    let presentation = Presentation::default();
    let lectern = presentation.take_over_presenter_slot();
    let mut picture = Buffer::empty(Rect::new(0, 0, 20, 6));
    for y in 0..6_u8 {
        picture.set_string(0, u16::from(y), format!("{}123456789abcde漢hij", char::from(b'A' + y)), Style::new());
    }
    lectern.show_frame(&picture);
    let mut far = served_spectator(&presentation, 10, 3);
    far.settle().await;
    let first_lines =
        |far: &ServedTerminal<Spectator>| far.contents().lines().take(2).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(first_lines(&far), ["A12345678›", "B12345678›"]);
    for (keys, first) in [
        (&b"l"[..], "‹6789abcd›"),
        (b"\x1b[C", "‹bcde漢hij"),
        (b"l", "‹bcde漢hij"),
        // Of a wide sign astride of either edge nothing is seen.
        (b"h", "‹6789abcd›"),
        (b"\x1b[D", "A12345678›"),
        (b"jj", "C12345678›"),
        (b"\x1b[B\x1b[B\x1b[B", "E12345678›"),
        (b"k", "D12345678›"),
        (b"\x1b[A\x1b[A\x1b[A", "A12345678›"),
    ] {
        far.type_keys(keys).await;
        assert_eq!(first_lines(&far)[0], first, "after {}", String::from_utf8_lossy(keys));
    }
    // What is no arrow moves nothing, and a picture that fits stands still.
    far.type_keys(b"G0 \r\t\x0c\x1b[6~").await;
    assert_eq!(first_lines(&far)[0], "A12345678›");
    far.type_keys(b"lj").await;
    lectern.show_frame(&Buffer::empty(Rect::new(0, 0, 10, 2)));
    far.settle().await;
    far.type_keys(b"ll").await;
    lectern.show_frame(&picture);
    far.settle().await;
    assert_eq!(first_lines(&far)[0], "A12345678›", "the way over the picture before is forgotten");
}

#[tokio::test(start_paused = true)]
async fn two_hundred_look_on_and_all_of_them_see_what_is_shown() {
    let presentation = Presentation::default();
    let mut watching: Vec<_> = (0..200).map(|_| served_spectator(&presentation, 40, 6)).collect();
    let mut presenter = serve(
        PresentedProgram::new(EchoProgram::default(), presentation.take_over_presenter_slot(), Appearance::default()),
        40,
        6,
    );
    presenter.type_keys(b"abc").await;
    for far in &mut watching {
        far.settle().await;
        assert!(far.is_shown("typed abc"), "{}", far.contents());
    }
    presenter.type_keys(b"d").await;
    assert!(presenter.is_shown("presenting to 200: all see it whole"), "{}", presenter.contents());
    for far in &mut watching {
        far.settle().await;
        assert!(far.is_shown("typed abcd"), "{}", far.contents());
    }
}
