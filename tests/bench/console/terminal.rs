//! A terminal with the program in it, whose user looks at the clock.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use super::process;

/// Rows and columns of the terminal.
const SIZE: (u16, u16) = (40, 120);
/// What ends a frame and is answered.
const QUESTION: &[u8] = b"\x1b[5n";
/// How long a picture may stand before it counts as final.
const STANDS: Duration = Duration::from_millis(40);
/// How long anything may take that is waited for.
const PATIENCE: Duration = Duration::from_mins(1);

/// The terminal.
pub(super) struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    keyboard: Arc<Mutex<Box<dyn Write + Send>>>,
    /// What was written, and when it came.
    output: Receiver<(Instant, Vec<u8>)>,
    screen: vt100::Parser,
    start: Instant,
    /// Stays open as long as the program runs.
    _master: Box<dyn MasterPty + Send>,
}

/// What a key came to.
pub(super) struct KeyPress {
    /// How long it took until the picture was final.
    pub(super) duration: Duration,
    /// How many bytes were written for it.
    pub(super) bytes: u64,
}

impl Terminal {
    /// Starts the program.
    pub(super) fn open(config: &Path, data: &Path, api_key: &str) -> Self {
        let (rows, cols) = SIZE;
        let pair = native_pty_system().openpty(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }).unwrap();
        let mut command = CommandBuilder::new(process::program());
        command.env_clear();
        command.env("TERM", "xterm-256color");
        command.env("BURSAR_CONFIG_DIR", config);
        command.env("BURSAR_DATA_DIR", data);
        command.env("BURSAR_API_KEY", api_key);
        let mut source = pair.master.try_clone_reader().unwrap();
        let keyboard = Arc::new(Mutex::new(pair.master.take_writer().unwrap()));
        let (answers, (tell, output)) = (Arc::clone(&keyboard), channel());
        std::thread::spawn(move || {
            let (mut chunk, mut tail) = (vec![0; 65_536], Vec::new());
            while let Ok(count @ 1..) = source.read(&mut chunk) {
                let now = Instant::now();
                tail.extend_from_slice(&chunk[..count]);
                while let Some(at) = tail.windows(QUESTION.len()).position(|window| window == QUESTION) {
                    tail.drain(..at + QUESTION.len());
                    let _gone = answers.lock().unwrap().write_all(b"\x1b[0n");
                }
                // A question may come in two pieces.
                tail.drain(..tail.len().saturating_sub(QUESTION.len() - 1));
                if tell.send((now, chunk[..count].to_vec())).is_err() {
                    return;
                }
            }
        });
        let screen = vt100::Parser::new(rows.try_into().unwrap(), cols.try_into().unwrap(), 0);
        let start = Instant::now();
        let child = pair.slave.spawn_command(command).unwrap();
        Self { child, keyboard, output, screen, start, _master: pair.master }
    }

    pub(super) fn process(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Waits until all of these stand on the screen; says how long after the start.
    pub(super) fn shows(&mut self, texts: &[&str]) -> Duration {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let time_left = deadline.saturating_duration_since(Instant::now());
            let Ok((at, bytes)) = self.output.recv_timeout(time_left) else {
                panic!("no {texts:?} on\n{}", self.screen.screen().contents());
            };
            self.screen.process(&bytes);
            let contents = self.screen.screen().contents();
            if texts.iter().all(|text| contents.contains(text)) {
                return at - self.start;
            }
        }
    }

    /// Lets time pass; says how many bytes were written meanwhile.
    pub(super) fn passes(&mut self, time: Duration) -> u64 {
        let (end, mut bytes) = (Instant::now() + time, 0);
        while let Ok((_, chunk)) = self.output.recv_timeout(end.saturating_duration_since(Instant::now())) {
            self.screen.process(&chunk);
            bytes += u64::try_from(chunk.len()).unwrap();
        }
        bytes
    }

    pub(super) fn types(&self, keys: &str) {
        self.keyboard.lock().unwrap().write_all(keys.as_bytes()).unwrap();
    }

    /// Presses a key, and waits until the picture stands.
    pub(super) fn presses(&mut self, key: &str) -> KeyPress {
        let start = Instant::now();
        self.types(key);
        let (mut duration, mut bytes) = (Duration::ZERO, 0);
        let mut patience = PATIENCE;
        while let Ok((at, chunk)) = self.output.recv_timeout(patience) {
            duration = at - start;
            bytes += u64::try_from(chunk.len()).unwrap();
            self.screen.process(&chunk);
            patience = STANDS;
        }
        assert!(bytes > 0, "{key:?} changes nothing on\n{}", self.screen.screen().contents());
        KeyPress { duration, bytes }
    }

    /// Leaves the program.
    pub(super) fn quits(mut self) {
        self.types("q");
        let deadline = Instant::now() + PATIENCE;
        while self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())).is_ok() {}
        assert!(self.child.wait().unwrap().success(), "it ends well");
    }
}
