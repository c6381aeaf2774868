//! A visit: a terminal at the other end of a channel, and a stay in it.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use futures::future::{BoxFuture, FutureExt};
use tokio::io::AsyncWriteExt;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use super::Shared;
use super::guest::{Asked, Terminal};
use super::outlet::Outlet;
use super::page::Page;
use super::stay::{Lending, Lent, Stay};
use super::told::Why;
use crate::app::Size;
use crate::domain::Looks;
use crate::runtime::{self, Ending, Notice, Screen};

/// How long the first picture waits for the console.
const FIRST_PICTURE: Duration = Duration::from_millis(250);

/// How long a console that was just lent may take in what its store knows.
const FROM_STORE: Duration = Duration::from_millis(30);

/// How long the last words may take. A visitor who does not read gets none.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// How far apart changes of the window's size are taken in: whoever drags it sends many.
const DRAG: Duration = Duration::from_millis(20);

/// The widest screen that is painted, in columns.
const WIDEST: u32 = 500;

/// The largest screen that is painted, in cells: what is painted is held three times.
const LARGEST: u32 = 60_000;

/// Serves a visit to its end.
pub(super) async fn serve(shared: Arc<Shared>, asked: Asked, terminal: Terminal, mut outlet: Outlet) -> Why {
    let Asked { mut input, mut size, closing, .. } = asked;
    let (dialect, looks) = (shared.looks)(&terminal.name);
    let (width, height) = sane(*size.borrow_and_update());
    let (sender, notices) = mpsc::unbounded_channel();
    let waiting = shared.seats.wait();
    let page = Page::new(Arc::clone(&shared.seats), waiting.number(), shared.clock.now(), looks);
    let lending = lend(Arc::clone(&shared), waiting, Size { width, height }, looks);
    let mut stay =
        Stay::new(page, lending, shared.timing.clone(), shared.clock.clone(), sender.clone(), closing.clone());
    stay.settle_for(FIRST_PICTURE).await;
    let screen = Screen { input: &mut input, output: &mut outlet, notices, dialect, width, height, guard: None };
    let ending = tokio::select! {
        ending = runtime::run(screen, &shared.clock, &mut stay) => ending,
        never = resizes(&mut size, &sender) => match never {},
        never = stopping(&shared.stop, &sender) => match never {},
    };
    let why = match (stay.why(), ending) {
        (Some(why), _) => why,
        (None, Ending::Quit) => Why::Quit,
        (None, Ending::Closed) => Why::HungUp,
        (None, Ending::Signal(_)) => Why::Stopping,
        (None, Ending::Panicked) => Why::Panicked,
    };
    // The place is free before the last words, which may take their time.
    drop(stay);
    if let Some(words) = why.farewell() {
        say(&mut outlet, &words).await;
    }
    why
}

/// Says something on a screen that is the visitor's again.
pub(super) async fn say(outlet: &mut Outlet, words: &str) {
    let said = async {
        outlet.flush().await?;
        outlet.write_all(format!("bursar: {words}\r\n").as_bytes()).await
    };
    let _gone_or_not_reading = tokio::time::timeout(LAST_WORDS, said).await;
}

/// A place, a workspace and a console, as soon as there are.
fn lend(shared: Arc<Shared>, waiting: super::seats::Waiting, size: Size, looks: Looks) -> Lending {
    let lent = async move {
        let seat = waiting.seat().await;
        let workspace = shared.workspaces.lend().await.map_err(|error| error.to_string())?;
        let mut console = workspace.console(size, looks).map_err(|error| error.to_string())?;
        console.settle_for(FROM_STORE).await;
        Ok(Lent { console, _workspace: Some(workspace), _seat: seat })
    };
    let lent: BoxFuture<'static, _> = lent.boxed();
    lent
}

/// Passes the size of the window on as it changes.
async fn resizes(size: &mut watch::Receiver<(u32, u32)>, notices: &mpsc::UnboundedSender<Notice>) -> Infallible {
    while size.changed().await.is_ok() {
        let (width, height) = sane(*size.borrow_and_update());
        let _ended_meanwhile = notices.send(Notice::Resized { width, height });
        tokio::time::sleep(DRAG).await;
    }
    // The connection is over, which the end of the input says.
    std::future::pending().await
}

/// Ends the visit when the host is being stopped.
async fn stopping(stop: &CancellationToken, notices: &mpsc::UnboundedSender<Notice>) -> Infallible {
    stop.cancelled().await;
    let _ended_meanwhile = notices.send(Notice::Ended(Ending::Signal(15)));
    std::future::pending().await
}

/// A size that can be painted, whatever a client says.
fn sane((columns, rows): (u32, u32)) -> (u16, u16) {
    let columns = columns.min(WIDEST);
    let rows = rows.min(LARGEST / columns.max(1));
    let cells = |count: u32| u16::try_from(count).unwrap_or(u16::MAX);
    runtime::screen::sane_size(cells(columns), cells(rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_size_becomes_one_that_can_be_painted() {
        for (said, painted) in [
            ((80, 24), (80, 24)),
            ((0, 0), (80, 24)),
            ((0, 50), (80, 24)),
            ((80, 0), (80, 24)),
            ((1, 1), (1, 1)),
            ((65_535, 65_535), (500, 120)),
            ((u32::MAX, u32::MAX), (500, 120)),
            ((1, u32::MAX), (1, 1_000)),
            ((u32::MAX, 1), (500, 1)),
            ((240, 70), (240, 70)),
        ] {
            assert_eq!(sane(said), painted, "{said:?}");
            let (width, height) = sane(said);
            assert!(u32::from(width) * u32::from(height) <= LARGEST);
        }
    }
}
