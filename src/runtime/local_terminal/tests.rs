//! The guard on a real terminal of the kernel, of which the test holds the other end.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crossterm::event::{Event, KeyCode};
use portable_pty::{MasterPty, PtyPair, PtySize, native_pty_system};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::termios::{LocalModes, tcgetattr};
use tokio::sync::mpsc;

use super::super::screen::{ExitReason, TerminalChannel, TerminalNotice};
use super::super::{Clock, Flow, Program, run_program};
use super::{QUIT_RESPONSE_TIMEOUT, SharedTerminal, TerminalGuard, tty};
use crate::domain::Timestamp;
use crate::terminal::Dialect;
use crate::terminal::modes::{ENTER_SEQUENCE, LEAVE_SEQUENCE};

struct PtyTerminal {
    pair: PtyPair,
    shared: Arc<SharedTerminal>,
    reader: Box<dyn Read + Send>,
}

fn pty_terminal() -> PtyTerminal {
    let size = PtySize { rows: 5, cols: 40, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).unwrap();
    let name: PathBuf = pair.master.tty_name().unwrap();
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let tty = rustix::fs::open(&name, flags, Mode::empty()).unwrap();
    let reader = pair.master.try_clone_reader().unwrap();
    PtyTerminal {
        pair,
        shared: Arc::new(SharedTerminal {
            tty,
            saved_termios: Mutex::new(None),
            unanswered_query_count: Arc::default(),
        }),
        reader,
    }
}

impl PtyTerminal {
    /// Reads up to the given bytes.
    fn read_until(&mut self, end: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut chunk = [0; 4096];
        while !bytes.windows(end.len()).any(|window| window == end) {
            let count = self.reader.read(&mut chunk).unwrap();
            bytes.extend_from_slice(&chunk[..count]);
        }
        bytes
    }

    fn local_modes(&self) -> LocalModes {
        tcgetattr(&self.shared.tty).unwrap().local_modes
    }
}

#[test]
fn the_terminal_is_given_back_once_and_as_it_was() {
    let mut bench = pty_terminal();
    let before = bench.local_modes();
    bench.shared.take_over().unwrap();
    assert!(!bench.local_modes().intersects(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG));
    bench.shared.take_over().unwrap();
    bench.shared.restore(QUIT_RESPONSE_TIMEOUT);
    bench.shared.restore(QUIT_RESPONSE_TIMEOUT);
    assert_eq!(bench.local_modes(), before);
    rustix::io::write(&bench.shared.tty, b"shell").unwrap();
    assert_eq!(bench.read_until(b"shell"), [LEAVE_SEQUENCE.as_slice(), b"shell"].concat());
}

#[test]
fn a_terminal_that_does_not_read_is_given_back_too() {
    let mut bench = pty_terminal();
    let before = bench.local_modes();
    bench.shared.take_over().unwrap();
    while rustix::io::write(&bench.shared.tty, &[b'x'; 1024]).is_ok() {}
    bench.shared.unanswered_query_count.store(1, Ordering::Relaxed);
    bench.shared.restore(QUIT_RESPONSE_TIMEOUT);
    assert_eq!(bench.local_modes(), before);
    assert!(bench.read_until(&LEAVE_SEQUENCE).ends_with(&LEAVE_SEQUENCE));
}

#[test]
fn a_late_answer_is_not_typed_into_the_shell() {
    let bench = pty_terminal();
    bench.shared.take_over().unwrap();
    bench.shared.unanswered_query_count.store(2, Ordering::Relaxed);
    // It sends a line end when it is dropped, so it is kept to the end.
    let mut writer = bench.pair.master.take_writer().unwrap();
    writer.write_all(b"\x1b[0nx\x1b[0n").unwrap();
    bench.shared.restore(QUIT_RESPONSE_TIMEOUT);
    assert_eq!(bench.shared.unanswered_query_count.load(Ordering::Relaxed), 0);
    assert_eq!(rustix::io::read(&bench.shared.tty, &mut [0; 16]), Err(Errno::AGAIN));
}

/// Ends upon the key q.
struct Quitter;

impl Program for Quitter {
    fn input(&mut self, event: Event, _now: Timestamp) -> Flow {
        if event == Event::Key(KeyCode::Char('q').into()) { Flow::Quit } else { Flow::Continue }
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

    fn take_has_changed(&mut self) -> bool {
        false
    }

    fn view(&self, area: ratatui::layout::Rect, buf: &mut ratatui::buffer::Buffer) {
        buf.set_string(area.x, area.y, "hello", ratatui::style::Style::new());
    }
}

/// Runs the loop on the terminal while the far end does something.
fn serve(
    bench: &PtyTerminal,
    far: impl FnOnce() + Send + 'static,
) -> (ExitReason, mpsc::UnboundedSender<TerminalNotice>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (sender, notices) = mpsc::unbounded_channel();
    let ending = runtime.block_on(async {
        let (input, output) = tty::split_tty(&bench.shared).unwrap();
        bench.shared.take_over().unwrap();
        let guard = TerminalGuard { shared: Arc::clone(&bench.shared) };
        let (width, height) = guard.size();
        let screen =
            TerminalChannel { input, output, notices, dialect: Dialect::FULL, width, height, guard: Some(guard) };
        let far = std::thread::spawn(far);
        let ending =
            tokio::time::timeout(Duration::from_mins(1), run_program(screen, &Clock::System, &mut Quitter)).await;
        far.join().unwrap();
        ending.unwrap()
    });
    (ending, sender)
}

#[test]
fn the_loop_runs_on_a_real_terminal() {
    let mut bench = pty_terminal();
    let before = bench.local_modes();
    let mut writer = bench.pair.master.take_writer().unwrap();
    let mut reader = std::mem::replace(&mut bench.reader, Box::new(&b""[..]));
    let (reader_sender, returned) = std::sync::mpsc::channel();
    let far = move || {
        // A key that is there before the first byte was written would end the loop without one.
        let mut first = vec![0; ENTER_SEQUENCE.len()];
        reader.read_exact(&mut first).unwrap();
        assert_eq!(first, *ENTER_SEQUENCE);
        writer.write_all(b"\x1b[0nq").unwrap();
        reader_sender.send(reader).unwrap();
    };
    let (ending, _sender) = serve(&bench, far);
    assert_eq!(ending, ExitReason::Quit);
    assert_eq!(bench.local_modes(), before);
    bench.reader = returned.recv().unwrap();
    // It comes to an end only with these bytes; a line end may follow, which the writer sends when it is dropped.
    bench.read_until(&LEAVE_SEQUENCE);
}

#[test]
fn a_hang_up_ends_the_loop() {
    let PtyTerminal { pair, shared, reader } = pty_terminal();
    let PtyPair { slave, master } = pair;
    let rest = PtyTerminal {
        pair: native_pty_system().openpty(PtySize::default()).unwrap(),
        shared,
        reader: Box::new(&b""[..]),
    };
    let hang_up = move || drop::<(Box<dyn MasterPty + Send>, Box<dyn Read + Send>)>((master, reader));
    let (ending, _sender) = serve(&rest, hang_up);
    assert_eq!(ending, ExitReason::Closed);
    drop(slave);
}
