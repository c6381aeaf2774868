//! Turns signals into notices.

use std::sync::Weak;

use futures::future::select_all;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;

use super::{ExitReason, SharedTerminal, TerminalNotice};

/// Watches the signals that concern a terminal, for as long as the terminal and the loop exist.
pub(super) fn spawn_signal_watch(
    shared: Weak<SharedTerminal>,
    sender: mpsc::UnboundedSender<TerminalNotice>,
) -> std::io::Result<()> {
    let kinds = [
        SignalKind::hangup(),
        SignalKind::interrupt(),
        SignalKind::quit(),
        SignalKind::terminate(),
        SignalKind::window_change(),
        suspend_signal_kind(),
        // The shell may have used the terminal while the program was suspended.
        continue_signal_kind(),
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
            let Some(notice) = notice_of_signal(kind, &shared) else { return };
            if sender.send(notice).is_err() {
                return;
            }
        }
    });
    Ok(())
}

/// The notice for a signal; `None` once the terminal is gone.
fn notice_of_signal(kind: SignalKind, shared: &Weak<SharedTerminal>) -> Option<TerminalNotice> {
    if kind == SignalKind::window_change() {
        let (width, height) = shared.upgrade()?.size();
        return Some(TerminalNotice::Resized { width, height });
    }
    Some(if kind == suspend_signal_kind() {
        TerminalNotice::Suspended
    } else if kind == continue_signal_kind() {
        TerminalNotice::Resumed
    } else {
        TerminalNotice::Ended(ExitReason::Signal(u8::try_from(kind.as_raw_value()).unwrap_or(0)))
    })
}

fn suspend_signal_kind() -> SignalKind {
    SignalKind::from_raw(rustix::process::Signal::TSTP.as_raw())
}

fn continue_signal_kind() -> SignalKind {
    SignalKind::from_raw(rustix::process::Signal::CONT.as_raw())
}
