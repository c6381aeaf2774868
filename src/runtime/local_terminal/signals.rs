//! Turns signals into notices.

use std::sync::Weak;

use futures::future::select_all;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;

use super::{ExitReason, Notice, SharedTerminal};

/// Watches the signals that concern a terminal, for as long as the terminal and the loop exist.
pub(super) fn spawn_signal_watch(
    shared: Weak<SharedTerminal>,
    sender: mpsc::UnboundedSender<Notice>,
) -> std::io::Result<()> {
    let kinds = [
        SignalKind::hangup(),
        SignalKind::interrupt(),
        SignalKind::quit(),
        SignalKind::terminate(),
        SignalKind::window_change(),
        stop(),
        // The shell may have used the terminal while the program was suspended.
        go_on(),
    ];
    let mut signals: Vec<(SignalKind, Signal)> =
        kinds.into_iter().map(|kind| Ok((kind, signal(kind)?))).collect::<std::io::Result<_>>()?;
    tokio::spawn(async move {
        loop {
            let next = select_all(signals.iter_mut().map(|(kind, signal)| {
                Box::pin(async {
                    signal.recv().await;
                    *kind
                })
            }));
            let kind = tokio::select! {
                (kind, ..) = next => kind,
                () = sender.closed() => return,
            };
            let Some(notice) = notice(kind, &shared) else { return };
            if sender.send(notice).is_err() {
                return;
            }
        }
    });
    Ok(())
}

/// The notice for a signal; `None` once the terminal is gone.
fn notice(kind: SignalKind, shared: &Weak<SharedTerminal>) -> Option<Notice> {
    if kind == SignalKind::window_change() {
        let (width, height) = shared.upgrade()?.size();
        return Some(Notice::Resized { width, height });
    }
    Some(if kind == stop() {
        Notice::Suspended
    } else if kind == go_on() {
        Notice::Resumed
    } else {
        Notice::Ended(ExitReason::Signal(u8::try_from(kind.as_raw_value()).unwrap_or(0)))
    })
}

fn stop() -> SignalKind {
    SignalKind::from_raw(rustix::process::Signal::TSTP.as_raw())
}

fn go_on() -> SignalKind {
    SignalKind::from_raw(rustix::process::Signal::CONT.as_raw())
}
