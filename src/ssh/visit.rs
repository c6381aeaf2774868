//! A visit: runs the session of a role on a client's channel and terminal.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use futures::future::{BoxFuture, FutureExt};
use tokio::io::{AsyncWriteExt, DuplexStream};
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use super::admission::QueueTicket;
use super::channel_writer::ChannelWriter;
use super::client_event::{ShellRequest, Terminal};
use super::desks::DeskSeat;
use super::detached::Credential;
use super::host_event::EndReason;
use super::queue_page::QueuePage;
use super::session::{LentConsole, PendingConsole, VisitorSession};
use super::session_log::SessionLog;
use super::spectator::SpectatorSession;
use super::{Role, Shared, TimeLimits};
use crate::app::Size;
use crate::domain::{Appearance, ClipboardRoute};
use crate::runtime::presentation::PresentedProgram;
use crate::runtime::{self, ExitReason, Program, TerminalChannel, TerminalNotice};
use crate::terminal::modes::clamp_size;

/// How long the first frame waits for the console.
const FIRST_FRAME_WAIT: Duration = Duration::from_millis(250);

/// How long a new console may take to load its data from the store.
const STORE_LOAD_WAIT: Duration = Duration::from_millis(30);

/// How long the exit message may take. A visitor who does not read gets none.
const EXIT_MESSAGE_TIME_OUT: Duration = Duration::from_millis(500);

/// The least time between changes of the window's size: dragging the window sends many.
const MIN_RESIZE_INTERVAL: Duration = Duration::from_millis(20);

/// The widest screen painted, in columns.
const MAX_COLUMNS: u32 = 500;

/// The largest screen painted, in cells: three copies of it are in memory.
const MAX_CELLS: u32 = 60_000;

pub(super) async fn serve_visit(
    shared: Arc<Shared>,
    (role, seat): (Role, Option<DeskSeat>),
    request: ShellRequest,
    terminal: Terminal,
    mut outlet: ChannelWriter,
    attendance: Arc<SessionLog>,
) -> EndReason {
    let ShellRequest { mut input, mut size, closing, credential, .. } = request;
    let (dialect, appearance) = (shared.appearance_for)(&terminal.name);
    let (width, height) = clamp_reported_size(*size.borrow_and_update());
    let (sender, notices) = mpsc::unbounded_channel();
    let screen =
        TerminalChannel { input: &mut input, output: &mut outlet, notices, dialect, width, height, guard: None };
    let line = ProgramHost { shared: &shared, screen, size: &mut size, notices: &sender };
    let (reason, ending) = if role == Role::Spectator {
        attendance.report_started();
        let (spectator, clock) = (shared.presentation.new_spectator(appearance), shared.clock.clone());
        let mut onlooking =
            SpectatorSession::new(spectator, &shared.time_limits, clock, sender.clone(), closing.clone());
        let ending = line.run(&mut onlooking).await;
        (onlooking.end_reason(), ending)
    } else {
        // Only one presenter at a time, and a new one takes over: a broken connection may look intact for minutes, and
        // a presenter who lost it must not wait in front of an audience.
        let lectern = (role == Role::Presenter).then(|| shared.presentation.take_over_presenter_slot());
        // The presenter's slot is separate; only a presenter who is being taken over holds it for a moment.
        let (seats, time_limits) = match &lectern {
            Some(_) => (&shared.presenter_admission, without_time_outs(&shared.time_limits)),
            None => (&shared.visitor_admission, shared.time_limits.clone()),
        };
        let waiting = seats.join_queue();
        let page = QueuePage::new(
            Arc::clone(seats),
            waiting.number(),
            shared.clock.now(),
            time_limits.idle_time_out,
            appearance,
        );
        let window = Size { width, height };
        let cues = shared.workspaces.cues();
        let size = if lectern.is_some() {
            PresentedProgram::<VisitorSession>::program_size(window, !cues.is_empty())
        } else {
            window
        };
        let source = match (seat, &lectern) {
            (Some(seat), _) => ConsoleSource::Desk(seat),
            (None, Some(_)) => ConsoleSource::Presenter(credential.clone()),
            (None, None) => ConsoleSource::Visitor,
        };
        let lending =
            prepare_console(Arc::clone(&shared), waiting, attendance, source, size, appearance, dialect.clipboard);
        let clock = shared.clock.clone();
        let mut stay =
            VisitorSession::new(page, lending, appearance, time_limits, clock, sender.clone(), closing.clone());
        stay.wait_for_console(FIRST_FRAME_WAIT).await;
        // The slot and the lectern are freed before the exit message, which may take its time.
        match lectern {
            None => {
                let ending = line.run(&mut stay).await;
                (stay.end_reason(), ending)
            }
            Some(lectern) => {
                let taken_over = lectern.takeover_token();
                let mut presented = PresentedProgram::new(stay, lectern, appearance).with_cues(cues);
                let ending = tokio::select! {
                    ending = line.run(&mut presented) => ending,
                    never = end_when_cancelled(&taken_over, ExitReason::Quit, &sender) => match never {},
                };
                let reason = presented.program().end_reason();
                let reason = reason.or_else(|| taken_over.is_cancelled().then_some(EndReason::TakenOver));
                // A presenter who did not mean to leave gets the session back.
                let is_lost = ending == ExitReason::Closed || reason == Some(EndReason::TakenOver);
                if let Some(session) = presented.program().detach_console().filter(|_| is_lost) {
                    shared.detached.store_session(credential, session);
                    presented.set_resuming();
                }
                (reason, ending)
            }
        }
    };
    let reason = match (reason, ending) {
        (Some(reason), _) => reason,
        (None, ExitReason::Quit) => EndReason::Quit,
        (None, ExitReason::Closed) => EndReason::HungUp,
        (None, ExitReason::Signal(_)) => EndReason::Stopping,
        (None, ExitReason::Panicked) => EndReason::Panicked,
    };
    if let Some(message) = reason.exit_message() {
        write_message(&mut outlet, &message).await;
    }
    reason
}

/// Presenters have no time-outs: they talk without pressing keys, and must not be cut off in front of an audience.
fn without_time_outs(time_limits: &TimeLimits) -> TimeLimits {
    TimeLimits { idle_time_out: Duration::MAX, max_visit: Duration::MAX, ..time_limits.clone() }
}

struct ProgramHost<'a> {
    shared: &'a Shared,
    screen: TerminalChannel<&'a mut DuplexStream, &'a mut ChannelWriter>,
    size: &'a mut watch::Receiver<(u32, u32)>,
    notices: &'a mpsc::UnboundedSender<TerminalNotice>,
}

impl ProgramHost<'_> {
    /// Runs a program until it ends, its visitor leaves, or the host stops.
    async fn run<P: Program>(self, program: &mut P) -> ExitReason {
        let Self { shared, screen, size, notices } = self;
        tokio::select! {
            ending = runtime::run_program(screen, &shared.clock, program) => ending,
            never = forward_resizes(size, notices) => match never {},
            never = end_when_cancelled(&shared.stop, ExitReason::Signal(15), notices) => match never {},
        }
    }
}

/// Writes a message on a terminal that was restored.
pub(super) async fn write_message(outlet: &mut ChannelWriter, message: &str) {
    let write_future = async {
        outlet.flush().await?;
        outlet.write_all(format!("bursar: {message}\r\n").as_bytes()).await
    };
    let _gone_or_not_reading = tokio::time::timeout(EXIT_MESSAGE_TIME_OUT, write_future).await;
}

/// Whose console is prepared.
enum ConsoleSource {
    Visitor,
    /// The session that a presenter with this credential lost is resumed.
    Presenter(Credential),
    Desk(DeskSeat),
}

/// Waits for a slot and prepares a workspace and a console; or resumes a presenter's session.
fn prepare_console(
    shared: Arc<Shared>,
    waiting: QueueTicket,
    attendance: Arc<SessionLog>,
    source: ConsoleSource,
    size: Size,
    appearance: Appearance,
    clipboard: ClipboardRoute,
) -> PendingConsole {
    let lent = async move {
        if let Some(position) = waiting.queue_position() {
            attendance.report_queued(position);
        }
        let seat = Some(waiting.wait_for_slot().await);
        if let ConsoleSource::Presenter(credential) = &source
            && let Some(mut lent) = shared.detached.take_session_of(credential)
        {
            lent.console.set_terminal_abilities(appearance);
            lent.console.set_clipboard(clipboard);
            attendance.report_started();
            lent.slot = seat;
            return Ok(lent);
        }
        let workspace = match source {
            ConsoleSource::Desk(seat) => shared.workspaces.create_desk_workspace(seat).await,
            ConsoleSource::Visitor | ConsoleSource::Presenter(_) => shared.workspaces.create_workspace().await,
        };
        let workspace = workspace.map_err(|error| error.to_string())?;
        let mut console = workspace.console(size, appearance).map_err(|error| error.to_string())?;
        console.set_clipboard(clipboard);
        console.wait_for_initial_store_data(STORE_LOAD_WAIT).await;
        attendance.report_started();
        Ok(Box::new(LentConsole { console, _workspace: Some(workspace), slot: seat }))
    };
    let lent: BoxFuture<'static, _> = lent.boxed();
    lent
}

async fn forward_resizes(
    size: &mut watch::Receiver<(u32, u32)>,
    notices: &mpsc::UnboundedSender<TerminalNotice>,
) -> Infallible {
    while size.changed().await.is_ok() {
        let (width, height) = clamp_reported_size(*size.borrow_and_update());
        let _ended_meanwhile = notices.send(TerminalNotice::Resized { width, height });
        tokio::time::sleep(MIN_RESIZE_INTERVAL).await;
    }
    // The connection is over; the end of its input ends the visit.
    std::future::pending().await
}

/// Ends the visit in this way once `cancellation` is.
async fn end_when_cancelled(
    cancellation: &CancellationToken,
    ending: ExitReason,
    notices: &mpsc::UnboundedSender<TerminalNotice>,
) -> Infallible {
    cancellation.cancelled().await;
    let _ended_meanwhile = notices.send(TerminalNotice::Ended(ending));
    std::future::pending().await
}

/// Clamps a size reported by a client to one that can be painted.
fn clamp_reported_size((columns, rows): (u32, u32)) -> (u16, u16) {
    let columns = columns.min(MAX_COLUMNS);
    let rows = rows.min(MAX_CELLS / columns.max(1));
    let cells = |count: u32| u16::try_from(count).unwrap_or(u16::MAX);
    clamp_size(cells(columns), cells(rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_size_becomes_one_that_can_be_painted() {
        for (reported, painted) in [
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
            assert_eq!(clamp_reported_size(reported), painted, "{reported:?}");
            let (width, height) = clamp_reported_size(reported);
            assert!(u32::from(width) * u32::from(height) <= MAX_CELLS);
        }
    }
}
