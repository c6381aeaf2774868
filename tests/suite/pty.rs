//! The program in a real terminal: it opens, and every way out gives the terminal back as it was.

#![expect(clippy::disallowed_methods, reason = "what a person waits for is measured with a real clock")]

use std::io::{Read, Write};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use super::harness::wait::{PATIENCE, finds_or, waits_until};

/// A terminal with the demo in it.
pub(super) struct PtySession {
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    writer: Arc<Mutex<Box<dyn Write + Send>>>,
    screen: Arc<(Mutex<vt100::Parser>, Condvar)>,
    /// All that the program wrote.
    output: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
    settings: String,
    temporary: TempDir,
}

impl PtySession {
    fn open(environment: &[(&str, &str)]) -> Self {
        Self::open_with(&["demo"], environment)
    }

    pub(super) fn open_with(arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let program = [env!("CARGO_BIN_EXE_bursar")];
        Self::open_command(&[&program, arguments].concat(), environment)
    }

    /// A terminal with a program in it that is, or becomes, bursar.
    pub(super) fn open_command(command: &[&str], environment: &[(&str, &str)]) -> Self {
        let (rows, cols) = (24, 80);
        let pair = native_pty_system().openpty(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }).unwrap();
        let settings = format!("{:?}", pair.master.get_termios().unwrap());
        let (program, arguments) = command.split_first().unwrap();
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.env_clear();
        let temporary = tempfile::tempdir().unwrap();
        command.env("TMPDIR", temporary.path());
        for (name, value) in [("TERM", "xterm-256color"), ("RUST_BACKTRACE", "0")].iter().chain(environment) {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let writer = Arc::new(Mutex::new(pair.master.take_writer().unwrap()));
        let parser = vt100::Parser::new(rows.try_into().unwrap(), cols.try_into().unwrap(), 0);
        let screen = Arc::new((Mutex::new(parser), Condvar::new()));
        let mut source = pair.master.try_clone_reader().unwrap();
        let (shared_screen, answers) = (Arc::clone(&screen), Arc::clone(&writer));
        let output = Arc::<Mutex<Vec<u8>>>::default();
        let recorded = Arc::clone(&output);
        let reader = std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            let mut tail = Vec::new();
            let mut unshown = Vec::new();
            while let Ok(count) = source.read(&mut bytes) {
                if count == 0 {
                    break;
                }
                recorded.lock().unwrap().extend_from_slice(&bytes[..count]);
                unshown.extend_from_slice(&bytes[..count]);
                let complete: Vec<u8> = unshown.drain(..whole_updates(&unshown)).collect();
                shared_screen.0.lock().unwrap().process(&complete);
                shared_screen.1.notify_all();
                // A terminal answers when it is asked how it is.
                tail.extend_from_slice(&bytes[..count]);
                while let Some(at) = tail.windows(4).position(|window| window == b"\x1b[5n") {
                    tail.drain(..at + 4);
                    let _gone = answers.lock().unwrap().write_all(b"\x1b[0n");
                }
                let keep = tail.len().saturating_sub(3);
                tail.drain(..keep);
            }
            shared_screen.0.lock().unwrap().process(&unshown);
            shared_screen.1.notify_all();
        });
        Self { master: pair.master, child, writer, screen, output, reader: Some(reader), settings, temporary }
    }

    /// Waits until the screen shows a text.
    pub(super) fn waits_for(&self, text: &str) {
        self.waits_until(&format!("“{text}”"), |screen| screen.contents().contains(text));
    }

    /// Waits until a text was written to the terminal, seen or not.
    pub(super) fn waits_for_bytes(&self, text: &str) {
        self.waits_until(text, |_| {
            let output = self.output.lock().unwrap();
            output.windows(text.len()).any(|window| window == text.as_bytes())
        });
    }

    /// Waits until the screen shows a text, or the program has ended; whether it shows it.
    pub(super) fn shows(&self, text: &str) -> bool {
        self.shows_one_of(&[text])
    }

    /// A review that takes keys shows so; one that had opened by itself a moment before a key, that the key was ignored.
    pub(super) fn shows_a_review_that_takes_keys(&self) -> bool {
        self.shows_one_of(&["To send, type", "type now"])
    }

    /// Whether one of these texts comes; `false` where the program ends before.
    pub(super) fn shows_one_of(&self, texts: &[&str]) -> bool {
        self.comes_to(|contents| texts.iter().any(|text| contents.contains(text)))
    }

    /// Whether the screen comes to be so; `false` where the program ends before.
    pub(super) fn comes_to(&self, is_so: impl Fn(&str) -> bool) -> bool {
        self.comes_to_in_time(is_so)
            .unwrap_or_else(|| panic!("what is waited for does not come on\n{}", self.contents()))
    }

    /// The same; `None` where neither comes in time.
    fn comes_to_in_time(&self, is_so: impl Fn(&str) -> bool) -> Option<bool> {
        let deadline = Instant::now() + PATIENCE;
        let (parser, bell) = &*self.screen;
        let mut parser = parser.lock().unwrap();
        loop {
            if is_so(&parser.screen().contents()) {
                return Some(true);
            }
            if self.reader.as_ref().is_none_or(JoinHandle::is_finished) {
                return Some(false);
            }
            let time_left = deadline.saturating_duration_since(Instant::now());
            if time_left.is_zero() {
                return None;
            }
            parser = bell.wait_timeout(parser, time_left.min(Duration::from_millis(200))).unwrap().0;
        }
    }

    /// Waits until the program has closed the terminal; whether it has.
    pub(super) fn closes(&self) -> bool {
        self.comes_to_in_time(|_| false).is_some()
    }

    /// Waits until the screen does not show a text any more.
    pub(super) fn waits_for_no(&self, text: &str) {
        self.waits_until(&format!("screen without “{text}”"), |screen| !screen.contents().contains(text));
    }

    /// Waits until the screen is as it should be.
    pub(super) fn waits_until(&self, description: &str, is_so: impl Fn(&vt100::Screen) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        let (parser, bell) = &*self.screen;
        let mut parser = parser.lock().unwrap();
        while !is_so(parser.screen()) {
            let time_left = deadline.saturating_duration_since(Instant::now());
            assert!(!time_left.is_zero(), "no {description} on\n{}", parser.screen().contents());
            parser = bell.wait_timeout(parser, time_left).unwrap().0;
        }
    }

    /// Gives the window another size.
    pub(super) fn resizes(&self, cols: u16, rows: u16) {
        let (height, width) = (rows.try_into().unwrap(), cols.try_into().unwrap());
        self.screen.0.lock().unwrap().screen_mut().set_size(height, width);
        self.master.resize(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }).unwrap();
    }

    /// What the screen shows.
    pub(super) fn contents(&self) -> String {
        self.screen.0.lock().unwrap().screen().contents()
    }

    /// All that the program wrote to the terminal.
    pub(super) fn all_that_was_written(&self) -> Vec<u8> {
        self.output.lock().unwrap().clone()
    }

    /// The program's process.
    pub(super) fn id(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Fails if a text was ever written to the terminal.
    pub(super) fn never_showed(&self, text: &str) {
        let output = self.output.lock().unwrap();
        assert!(!output.windows(text.len()).any(|window| window == text.as_bytes()), "the terminal was sent {text}");
    }

    /// Waits until the screen shows something else than it does now.
    fn waits_for_change(&self) {
        let deadline = Instant::now() + PATIENCE;
        let (parser, bell) = &*self.screen;
        let mut parser = parser.lock().unwrap();
        let before = parser.screen().contents();
        while parser.screen().contents() == before {
            let time_left = deadline.saturating_duration_since(Instant::now());
            assert!(!time_left.is_zero(), "nothing changes on\n{before}");
            parser = bell.wait_timeout(parser, time_left).unwrap().0;
        }
    }

    pub(super) fn types(&self, keys: &str) {
        self.writer.lock().unwrap().write_all(keys.as_bytes()).unwrap();
    }

    /// Waits for the program to end, and for all that it wrote.
    pub(super) fn ends(&mut self) -> ExitStatus {
        let screen = &self.screen.0;
        let status = finds_or(
            || self.child.try_wait().unwrap(),
            || format!("the end of the program on\n{}", screen.lock().unwrap().screen().contents()),
        );
        if let Some(reader) = self.reader.take() {
            waits_until("the end of what it wrote", || reader.is_finished());
            reader.join().unwrap();
        }
        status
    }

    /// Fails unless everything that the demo wrote is gone.
    pub(super) fn left_nothing_behind(&self) {
        let leftovers: Vec<_> = std::fs::read_dir(self.temporary.path()).unwrap().flatten().collect();
        assert!(leftovers.is_empty(), "{leftovers:?}");
    }

    /// Fails unless the terminal is as it was before.
    pub(super) fn is_whole(&self) {
        let parser = self.screen.0.lock().unwrap();
        let screen = parser.screen();
        assert!(!screen.alternate_screen(), "the other screen is still up");
        assert!(!screen.hide_cursor(), "the cursor is hidden");
        assert!(!screen.bracketed_paste(), "pastes are in brackets");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert_eq!(screen.fgcolor(), vt100::Color::Default);
        // The kernel may forget the settings of a terminal whose last user is gone, but it never makes them raw.
        if let Some(now) = self.master.get_termios() {
            assert_eq!(format!("{now:?}"), self.settings);
        }
    }
}

/// How many of these bytes a terminal shows at once: all before a synchronised update that has not ended yet.
fn whole_updates(bytes: &[u8]) -> usize {
    let last = |mark: &[u8]| bytes.windows(mark.len()).rposition(|window| window == mark);
    match (last(b"\x1b[?2026h"), last(b"\x1b[?2026l")) {
        (Some(begin), end) if end.is_none_or(|end| end < begin) => begin,
        _ => bytes.len(),
    }
}

#[test]
fn a_demo_that_goes_wrong_on_purpose_says_so_in_its_first_line() {
    let mut terminal = PtySession::open_with(&["demo", "--fault", "answer-lost"], &[]);
    terminal.waits_for("DEMO fault:answer-lost");
    terminal.types("q");
    assert!(terminal.ends().success());
}

#[test]
fn the_demo_opens_and_q_gives_the_terminal_back() {
    let mut terminal = PtySession::open(&[]);
    terminal.waits_for("Treasury");
    terminal.waits_for("USDT    Ethereum");
    terminal.types("3");
    terminal.waits_for("Time (UTC)");
    // The demo's own payment of unknown outcome does not keep anybody.
    terminal.waits_for("1 unresolved");
    terminal.types("q");
    let status = terminal.ends();
    assert_eq!(status.exit_code(), 0);
    terminal.is_whole();
    terminal.left_nothing_behind();
}

/// The clock runs for real here, as nowhere else in the tests.
#[test]
fn a_demo_that_is_told_to_read_opens_no_form() {
    let mut terminal = PtySession::open_with(&["demo", "--read-only"], &[]);
    terminal.waits_for("live");
    terminal.types("w");
    terminal.waits_for("this console is read-only");
    terminal.types("q");
    assert!(terminal.ends().success());
}

#[test]
fn the_demo_lives_without_a_key_being_pressed() {
    let mut terminal = PtySession::open_with(&["demo", "--pace", "20", "--scene", "busy"], &[]);
    terminal.waits_for("USDT    Ethereum");
    terminal.waits_for("live");
    for _ in 0..5 {
        terminal.waits_for_change();
    }
    terminal.types("q");
    assert_eq!(terminal.ends().exit_code(), 0);
}

#[test]
fn a_signal_ends_it_with_the_terminal_whole() {
    let mut terminal = PtySession::open(&[]);
    terminal.waits_for("Treasury");
    let id = i32::try_from(terminal.child.process_id().unwrap()).unwrap();
    kill_process(Pid::from_raw(id).unwrap(), Signal::TERM).unwrap();
    let status = terminal.ends();
    assert_eq!(status.exit_code(), 143);
    terminal.is_whole();
    terminal.left_nothing_behind();
}

/// A release build has no key to panic on.
#[cfg(debug_assertions)]
#[test]
fn a_panic_gives_the_terminal_back_before_its_message() {
    let mut terminal = PtySession::open(&[("BURSAR_PANIC_ON", "X")]);
    terminal.waits_for("Treasury");
    terminal.types("X");
    let status = terminal.ends();
    assert_eq!(status.exit_code(), 101);
    terminal.is_whole();
    terminal.waits_for("a panic was asked for");
}
