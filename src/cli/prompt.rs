//! Prompts at a terminal, and answers from a pipe where there is none.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

use anyhow::{Context as _, bail};
use rustix::stdio::stdin;
use rustix::termios::{LocalModes, OptionalActions, QueueSelector, Termios, isatty, tcflush, tcgetattr, tcsetattr};
use secrecy::SecretString;
use tokio::signal::unix::{SignalKind, signal};
use zeroize::Zeroizing;

/// The longest answer: two secrets of the longest kind and their line ends.
const MAX_PIPED_BYTES: usize = 2 * 4096 + 16;

/// Whether standard input is a terminal, so that a person can answer.
pub(super) fn is_interactive() -> bool {
    isatty(stdin())
}

pub(super) fn read_line(question: &str) -> anyhow::Result<String> {
    print_question(question)?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer).context("cannot read the answer")?;
    Ok(answer.trim().to_owned())
}

/// The terminal of the session, where a person answers even while standard input carries something else.
pub(super) struct ControllingTerminal {
    answers: BufReader<File>,
    questions: File,
}

impl ControllingTerminal {
    /// `is_input_data` says that standard input carries data; else it must be a terminal itself.
    ///
    /// # Errors
    /// Where the program was started without a terminal, as by a script.
    pub(super) fn open(is_input_data: bool) -> anyhow::Result<Self> {
        if !is_input_data && !is_interactive() {
            bail!("standard input is not a terminal");
        }
        let questions = OpenOptions::new().read(true).write(true).open("/dev/tty")?;
        Ok(Self { answers: BufReader::new(questions.try_clone()?), questions })
    }

    /// Asks, and drops what was typed before the question: nobody answers what he has not read.
    pub(super) fn ask(&mut self, question: &str) -> anyhow::Result<String> {
        let typed_ahead = self.answers.buffer().len();
        self.answers.consume(typed_ahead);
        tcflush(&self.questions, QueueSelector::IFlush).context("cannot ask")?;
        write!(self.questions, "{question}").and_then(|()| self.questions.flush()).context("cannot ask")?;
        let mut answer = String::new();
        if self.answers.read_line(&mut answer).context("cannot read the answer")? == 0 {
            bail!("cancelled at the question");
        }
        Ok(answer.trim().to_owned())
    }
}

/// Reads a secret without echo. Ctrl-C cancels; the terminal is restored in any case.
pub(super) fn read_secret(question: &str) -> anyhow::Result<SecretString> {
    read_secret_until(question, |typed| ControlFlow::Break(Ok(typed)))
}

/// Reads a secret, and repeats the question with an error message until `take` breaks. Echo is off all the while: what
/// is typed on seeing the message, or while a secret is checked, must not be shown either.
pub(super) fn read_secret_until<T>(
    question: &str,
    mut take: impl FnMut(SecretString) -> ControlFlow<anyhow::Result<T>, String>,
) -> anyhow::Result<T> {
    // A dashboard that was left for another profile had taken the signals over.
    SIGNALS_END_PROGRAM.store(true, Ordering::SeqCst);
    restore_echo_at_signals()?;
    // Echo goes off before the question: what is typed on seeing it must not be shown.
    let quiet = SilentTerminal::new().context("cannot make the terminal silent")?;
    let mut remark = String::new();
    let answer = loop {
        let typed = print_question(&format!("{remark}{question}")).and_then(|()| read_typed_secret());
        // The line end was not echoed either.
        let _terminal_may_be_gone = writeln!(io::stderr());
        match typed.map(&mut take) {
            Ok(ControlFlow::Continue(wrong)) => remark = format!("{wrong}\n"),
            Ok(ControlFlow::Break(answer)) => break answer,
            Err(error) => break Err(error),
        }
    };
    drop(quiet);
    answer
}

/// Reads up to `N` lines from a pipe; missing ones are empty. They bypass the buffer of the standard library, which is
/// never wiped.
pub(super) fn read_piped<const N: usize>() -> anyhow::Result<[SecretString; N]> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(MAX_PIPED_BYTES));
    let mut chunk = Zeroizing::new([0; 1024]);
    loop {
        let count = rustix::io::retry_on_intr(|| rustix::io::read(stdin(), &mut chunk[..]))
            .context("cannot read standard input")?;
        if count == 0 {
            break;
        }
        if bytes.len() + count > MAX_PIPED_BYTES {
            bail!("standard input holds more than {N} secrets; pipe only the secrets, one per line");
        }
        bytes.extend_from_slice(&chunk[..count]);
    }
    let text = std::str::from_utf8(&bytes).context("standard input is not valid UTF-8 text")?;
    let mut lines = text.lines();
    let secrets = std::array::from_fn(|_| SecretString::from(lines.next().unwrap_or_default()));
    if lines.any(|line| !line.is_empty()) {
        bail!("standard input has more than {N} {}; pipe the secret alone", if N == 1 { "line" } else { "lines" });
    }
    Ok(secrets)
}

fn print_question(question: &str) -> anyhow::Result<()> {
    let mut terminal = io::stderr();
    write!(terminal, "{question}").and_then(|()| terminal.flush()).context("cannot ask")
}

/// Reads keys up to Enter.
fn read_typed_secret() -> anyhow::Result<SecretString> {
    let mut typed = Zeroizing::new(Vec::with_capacity(MAX_PIPED_BYTES));
    let mut key = [0; 1];
    loop {
        let count =
            rustix::io::retry_on_intr(|| rustix::io::read(stdin(), &mut key)).context("cannot read the terminal")?;
        match key[0] {
            _ if count == 0 => bail!("the terminal was closed"),
            b'\r' | b'\n' => break,
            CTRL_C => bail!("cancelled; nothing was changed"),
            CTRL_D if typed.is_empty() => bail!("cancelled; nothing was changed"),
            CTRL_D => break,
            CTRL_U => typed.clear(),
            BACKSPACE | DELETE => {
                // A character may have several bytes.
                while typed.pop().is_some_and(|byte| byte & 0xc0 == 0x80) {}
            }
            byte if typed.len() < MAX_PIPED_BYTES => typed.push(byte),
            _ => bail!("that is longer than any key; nothing was changed"),
        }
    }
    let text = std::str::from_utf8(&typed).context("the input is not valid UTF-8 text")?;
    Ok(SecretString::from(text))
}

const CTRL_C: u8 = 3;
const CTRL_D: u8 = 4;
const CTRL_U: u8 = 21;
const BACKSPACE: u8 = 8;
const DELETE: u8 = 127;

/// A terminal without echo that passes on each key, until this is dropped. Ctrl-C is an ordinary key meanwhile: if it
/// ended the program, the terminal would stay silent.
struct SilentTerminal;

/// The terminal's saved settings, while it is silent.
static SAVED_TERMIOS: Mutex<Option<Termios>> = Mutex::new(None);

/// Whether a signal ends the program from here. The dashboard handles signals itself.
static SIGNALS_END_PROGRAM: AtomicBool = AtomicBool::new(true);

/// Leaves signals to the dashboard.
pub(super) fn release_signals() {
    SIGNALS_END_PROGRAM.store(false, Ordering::SeqCst);
}

fn restore_echo() {
    if let Some(termios) = SAVED_TERMIOS.lock().unwrap_or_else(PoisonError::into_inner).take() {
        let _terminal_may_be_gone = tcsetattr(stdin(), OptionalActions::Now, &termios);
    }
}

/// Restores the terminal before a signal ends the program.
fn restore_echo_at_signals() -> anyhow::Result<()> {
    static WATCHED: Once = Once::new();
    let mut watching = Ok(());
    WATCHED.call_once(|| watching = watch_signals());
    watching
}

#[expect(
    clippy::disallowed_methods,
    reason = "the main thread waits for a key; the terminal was given back just before"
)]
fn exit_process(code: i32) -> ! {
    std::process::exit(code)
}

fn watch_signals() -> anyhow::Result<()> {
    let turns = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let inside = turns.enter();
    let [mut ended, mut interrupted, mut hung_up] =
        [signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?, signal(SignalKind::hangup())?];
    drop(inside);
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        let number = turns.block_on(async {
            tokio::select! {
                _ = ended.recv() => SignalKind::terminate(),
                _ = interrupted.recv() => SignalKind::interrupt(),
                _ = hung_up.recv() => SignalKind::hangup(),
            }
        });
        if SIGNALS_END_PROGRAM.load(Ordering::SeqCst) {
            restore_echo();
            exit_process(128 + number.as_raw_value());
        }
    })?;
    Ok(())
}

impl SilentTerminal {
    fn new() -> rustix::io::Result<Self> {
        let termios = tcgetattr(stdin())?;
        let mut quiet = termios.clone();
        *SAVED_TERMIOS.lock().unwrap_or_else(PoisonError::into_inner) = Some(termios);
        quiet.local_modes -= LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG | LocalModes::IEXTEN;
        tcsetattr(stdin(), OptionalActions::Now, &quiet)?;
        Ok(Self)
    }
}

impl Drop for SilentTerminal {
    fn drop(&mut self) {
        restore_echo();
    }
}
