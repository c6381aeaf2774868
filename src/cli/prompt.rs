//! Questions at a terminal, and answers from a pipe where there is none.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

use anyhow::{Context as _, bail};
use rustix::stdio::stdin;
use rustix::termios::{LocalModes, OptionalActions, Termios, isatty, tcgetattr, tcsetattr};
use secrecy::SecretString;
use tokio::signal::unix::{SignalKind, signal};
use zeroize::Zeroizing;

/// The longest answer that can be meant: two secrets of the longest kind and their line ends.
const LONGEST: usize = 2 * 4096 + 16;

/// Whether a person can be asked.
pub(super) fn is_interactive() -> bool {
    isatty(stdin())
}

/// Asks for a line that may be seen.
pub(super) fn read_line(question: &str) -> anyhow::Result<String> {
    ask(question)?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer).context("cannot read the answer")?;
    Ok(answer.trim().to_owned())
}

/// Asks for a secret, which is not shown while it is typed. Ctrl-C gives up, and the terminal is whole in any case.
pub(super) fn read_secret(question: &str) -> anyhow::Result<SecretString> {
    read_secret_until(question, |typed| ControlFlow::Break(Ok(typed)))
}

/// Asks for a secret, and again with the words for what was wrong with it, until `take` has an end to it. The terminal is
/// silent all the while: what is typed at the sight of those words, or while a secret is tried, must not be shown either.
pub(super) fn read_secret_until<T>(
    question: &str,
    mut take: impl FnMut(SecretString) -> ControlFlow<anyhow::Result<T>, String>,
) -> anyhow::Result<T> {
    // A dashboard that was left for another profile had taken them over.
    HERE.store(true, Ordering::SeqCst);
    whole_at_signals()?;
    // Silent before it asks: what is typed at the sight of the question must not be shown.
    let quiet = SilentTerminal::new().context("cannot make the terminal silent")?;
    let mut words = String::new();
    let taken = loop {
        let typed = ask(&format!("{words}{question}")).and_then(|()| type_in());
        // The line end was not shown either.
        let _terminal_may_be_gone = writeln!(io::stderr());
        match typed.map(&mut take) {
            Ok(ControlFlow::Continue(wrong)) => words = format!("{wrong}\n"),
            Ok(ControlFlow::Break(taken)) => break taken,
            Err(error) => break Err(error),
        }
    };
    drop(quiet);
    taken
}

/// Lines from a pipe, as many as are asked for: the last ones may be missing. They do not pass through the buffer of the
/// standard library, which nobody wipes.
pub(super) fn read_piped<const N: usize>() -> anyhow::Result<[SecretString; N]> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(LONGEST));
    let mut chunk = Zeroizing::new([0; 1024]);
    loop {
        let count = rustix::io::retry_on_intr(|| rustix::io::read(stdin(), &mut chunk[..]))
            .context("cannot read standard input")?;
        if count == 0 {
            break;
        }
        if bytes.len() + count > LONGEST {
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

fn ask(question: &str) -> anyhow::Result<()> {
    let mut terminal = io::stderr();
    write!(terminal, "{question}").and_then(|()| terminal.flush()).context("cannot ask")
}

/// Reads keys up to Enter.
fn type_in() -> anyhow::Result<SecretString> {
    let mut typed = Zeroizing::new(Vec::with_capacity(LONGEST));
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
            byte if typed.len() < LONGEST => typed.push(byte),
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

/// A terminal that shows nothing and hands over each key, until this is dropped. Ctrl-C is a key like others meanwhile:
/// a program that it ended would leave the terminal silent.
struct SilentTerminal;

/// How the terminal was found, while it is silent.
static SAVED_TERMIOS: Mutex<Option<Termios>> = Mutex::new(None);

/// Whether a signal still ends the program from here. The dashboard sees to its own end.
static HERE: AtomicBool = AtomicBool::new(true);

/// Leaves signals to whoever comes next.
pub(super) fn release_signals() {
    HERE.store(false, Ordering::SeqCst);
}

/// Makes the terminal speak again.
fn speak() {
    if let Some(found) = SAVED_TERMIOS.lock().unwrap_or_else(PoisonError::into_inner).take() {
        let _terminal_may_be_gone = tcsetattr(stdin(), OptionalActions::Now, &found);
    }
}

/// From now on a signal that ends the program leaves the terminal as it was found.
fn whole_at_signals() -> anyhow::Result<()> {
    static WATCHED: Once = Once::new();
    let mut watching = Ok(());
    WATCHED.call_once(|| watching = watch_signals());
    watching
}

#[expect(
    clippy::disallowed_methods,
    reason = "the main thread waits for a key; the terminal was given back just before"
)]
fn end(code: i32) -> ! {
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
        if HERE.load(Ordering::SeqCst) {
            speak();
            end(128 + number.as_raw_value());
        }
    })?;
    Ok(())
}

impl SilentTerminal {
    fn new() -> rustix::io::Result<Self> {
        let found = tcgetattr(stdin())?;
        let mut quiet = found.clone();
        *SAVED_TERMIOS.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
        quiet.local_modes -= LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG | LocalModes::IEXTEN;
        tcsetattr(stdin(), OptionalActions::Now, &quiet)?;
        Ok(Self)
    }
}

impl Drop for SilentTerminal {
    fn drop(&mut self) {
        speak();
    }
}
