//! One connection, from its first byte to its end.
//!
//! ```text
//!   accepted ──▶ version ──▶ keys ──▶ auth request ──▶ admitted ──▶ a shell ──▶ a visit ──▶ status, close
//!      └ within 15 s ┘         └ within 15 s ┘             └ within 15 s ┘
//!      └───────────────── within 2 minutes ──────────────────┘
//! ```
//!
//! The client program gets little time; its user, who reads a fingerprint or types a pass-phrase, gets the whole of it.
//!
//! Every connection ends with its transport being cut, which leaves nothing of it behind.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::{Fuse, FusedFuture};
use russh::server::{Handle, RunningSession, run_stream};
use russh::{ChannelId, Disconnect};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout, timeout_at};

use super::channel_writer::ChannelWriter;
use super::client_event::{ClientEvent, ShellRequest, Terminal};
use super::client_handler::{ClientHandler, GuessLimiter};
use super::connection_limit::{CapacityError, ConnectionPermit};
use super::desks::DeskSeat;
use super::handshake::HandshakeProgress;
use super::host_event::{DurationText, EndReason, LoginName};
use super::session_log::SessionLog;
use super::transport::{Transport, TransportStream};
use super::{HostEvent, Role, Shared, TimeLimits, visit};
use crate::terminal::modes::LEAVE_SEQUENCE;

/// How long sending a message may take. A client that does not read gets none.
const MESSAGE_TIME_OUT: Duration = Duration::from_millis(200);

/// How long a client may take to close its end while the host is being stopped.
const CLOSE_TIME_OUT_WHEN_STOPPING: Duration = Duration::from_secs(1);

/// How long a cut connection may take to end: its task has only to wake.
const CUT_TIME_OUT: Duration = Duration::from_secs(2);

const TOO_MANY_GUESSES_MESSAGE: &str = "too many wrong pass-phrases; wait a minute, and log in again";

enum LoginResult {
    Shell(Box<ShellRequest>),
    /// The connection ended, or the client was refused with a message already.
    Closed,
    /// To be refused with this message.
    TurnedAway(String),
}

pub(super) async fn serve_connection(
    shared: Arc<Shared>,
    stream: TcpStream,
    peer: SocketAddr,
    entry: ConnectionPermit,
) {
    let line = Arc::<Transport>::default();
    let wire =
        TransportStream::new(stream, Arc::clone(&line), shared.clock.clone(), shared.time_limits.silence_time_out);
    let (sender, steps) = mpsc::unbounded_channel();
    let caution = GuessLimiter {
        throttle: Arc::clone(&shared.password_throttle),
        address: peer.ip(),
        clock: shared.clock.clone(),
    };
    let (access, presenters) = (Arc::clone(&shared.access), Arc::clone(&shared.presenters));
    let guest = ClientHandler::new(access, presenters, caution, shared.banner.clone(), sender);
    let arrival = shared.clock.instant();
    // Dropping a session that did not start in time closes it.
    let mut session = pin!(timeout_at(
        arrival + shared.time_limits.client_step_time_out,
        run_stream(Arc::clone(&shared.config), wire, guest)
    ));
    let session = tokio::select! {
        session = &mut session => session.map_err(|_| silence_message(&shared.time_limits)),
        () = entry.evicted().cancelled_owned() => Err(CapacityError::TooManyUnauthenticated.to_string()),
        () = shared.stop.cancelled() => return,
    };
    let session = match session {
        Ok(Ok(session)) => session,
        Ok(Err(_)) => return,
        Err(message) => {
            line.set_end_message(&message);
            shared.report_turned_away(peer, &message);
            return;
        }
    };
    let handle = session.handle();
    let mut connection =
        Connection { shared, peer, permit: entry, transport: line, handle, session: session.fuse(), steps };
    let message = connection.serve_client(arrival).await;
    connection.end_connection(&message).await;
}

/// The message for a client that does not proceed.
fn silence_message(time_limits: &TimeLimits) -> String {
    format!("nothing was received for {}; log in again", DurationText(time_limits.client_step_time_out))
}

struct Connection {
    shared: Arc<Shared>,
    peer: SocketAddr,
    permit: ConnectionPermit,
    transport: Arc<Transport>,
    handle: Handle,
    session: Fuse<RunningSession<ClientHandler>>,
    steps: mpsc::UnboundedReceiver<ClientEvent>,
}

impl Connection {
    /// Serves a client from its arrival; returns the message for it at the end, empty if there is none.
    async fn serve_client(&mut self, arrival: Instant) -> String {
        let mut keyless = None;
        let end = self.wait_for_login(arrival, &mut keyless).await;
        // Another key may be accepted, or a pass-phrase follow, so only clients that never authenticate are reported.
        if let Some(name) = keyless
            && let Some(unreported_count) =
                self.shared.lock_unknown_key_reports().report_unless_limited(self.shared.clock.instant())
        {
            self.report_event(HostEvent::UnknownKey { peer: self.peer, name, unreported_count });
        }
        match end {
            LoginResult::Shell(request) => {
                self.handle_shell_request(*request).await;
                String::new()
            }
            LoginResult::Closed => String::new(),
            LoginResult::TurnedAway(message) => {
                self.shared.report_turned_away(self.peer, &message);
                message
            }
        }
    }

    async fn wait_for_login(&mut self, arrival: Instant, keyless: &mut Option<LoginName>) -> LoginResult {
        let TimeLimits { client_step_time_out: arriving, login_time_out: admission, .. } = self.shared.time_limits;
        let (mut progress, evicted) = (self.transport.progress(), self.permit.evicted());
        // The handshake may have advanced already.
        progress.mark_changed();
        let whole = arrival + admission;
        // The deadline of the client's next step, and that of the user, each with its message.
        let mut next = Some(arrival + arriving);
        let mut last = (whole, format!("the login was not completed within {}; log in again", DurationText(admission)));
        let mut has_asked = false;
        loop {
            let step = tokio::select! {
                biased;
                step = self.steps.recv() => step,
                _ended = &mut self.session => return LoginResult::Closed,
                () = self.shared.stop.cancelled() => return LoginResult::Closed,
                () = evicted.cancelled() => return LoginResult::TurnedAway(CapacityError::TooManyUnauthenticated.to_string()),
                Ok(()) = progress.changed() => {
                    next = match *progress.borrow_and_update() {
                        HandshakeProgress::Silent => next,
                        // The user may be reading the fingerprint.
                        HandshakeProgress::Exchanging => None,
                        HandshakeProgress::Exchanged if has_asked => None,
                        HandshakeProgress::Exchanged => Some(self.shared.clock.instant() + arriving),
                    };
                    continue;
                }
                () = tokio::time::sleep_until(next.unwrap_or(last.0).min(last.0)) => {
                    let is_silent = next.is_some_and(|next| next <= last.0);
                    return LoginResult::TurnedAway(if is_silent { silence_message(&self.shared.time_limits) } else { last.1 });
                }
            };
            match step {
                None => return LoginResult::Closed,
                Some(ClientEvent::AuthenticationRequested { to_present }) => {
                    (has_asked, next) = (true, None);
                    if to_present {
                        self.permit.prefer_presenter();
                    }
                }
                Some(ClientEvent::Authenticated) => {
                    *keyless = None;
                    self.permit.mark_authenticated();
                    let message = format!("no session was requested within {}; log in again", DurationText(arriving));
                    (has_asked, next, last) = (true, None, (self.shared.clock.instant() + arriving, message));
                }
                Some(ClientEvent::WrongPassphrase(name, unreported_count)) => {
                    self.report_event(HostEvent::WrongPassphrase { peer: self.peer, name, unreported_count });
                }
                Some(ClientEvent::TooManyGuesses) => {
                    return LoginResult::TurnedAway(TOO_MANY_GUESSES_MESSAGE.to_owned());
                }
                Some(ClientEvent::UnknownKey(name)) => *keyless = Some(name),
                Some(ClientEvent::UnsupportedRequest(name, message)) => {
                    self.report_event(HostEvent::Refused { peer: self.peer, name, reason: message.to_owned() });
                    return LoginResult::Closed;
                }
                Some(ClientEvent::ShellRequested(request)) => return LoginResult::Shell(request),
            }
        }
    }

    /// Handles a shell request: starts a visit, or refuses with a message.
    async fn handle_shell_request(&mut self, mut request: ShellRequest) {
        let channel = request.channel;
        let (terminal, role, seat) = match self.admit_user(&request.user, request.terminal.take()) {
            Ok(admitted) => admitted,
            Err(message) => {
                request.closing.cancel();
                let mut outlet = self.channel_writer(channel);
                visit::write_message(&mut outlet, &message).await;
                self.report_event(HostEvent::Refused {
                    peer: self.peer,
                    name: LoginName::sanitised(&request.user),
                    reason: message,
                });
                return self.close_session(channel, 1).await;
            }
        };
        let (tell, clock) = (Arc::clone(&self.shared.on_event), self.shared.clock.clone());
        let attendance = Arc::new(SessionLog::new(tell, clock, self.peer, role));
        let closing = request.closing.clone();
        // A task of its own, so that a panic ends this visit alone.
        let outlet = self.channel_writer(channel);
        let (shared, attending) = (Arc::clone(&self.shared), Arc::clone(&attendance));
        let visit = tokio::spawn(visit::serve_visit(shared, (role, seat), request, terminal, outlet, attending));
        let reason = visit.await.unwrap_or(EndReason::Panicked);
        closing.cancel();
        if reason == EndReason::Panicked {
            self.restore_terminal(channel, &reason).await;
        }
        let status = reason.exit_status();
        attendance.report_ended(reason);
        self.close_session(channel, status).await;
    }

    /// The role of a user, with a seat where it has one; or the message of a refusal.
    fn admit_user(
        &mut self,
        user: &str,
        terminal: Option<Terminal>,
    ) -> Result<(Terminal, Role, Option<DeskSeat>), String> {
        let roles = self.shared.roles;
        let role = Role::from_login(user)
            .filter(|role| role.is_served(roles))
            .ok_or_else(|| format!("this user name is unknown here; log in as {}", Role::names(roles)))?;
        let terminal = terminal.ok_or("the console needs a terminal; log in with ssh -t")?;
        self.permit.claim_role(role).map_err(|full| full.to_string())?;
        let seat = (role == Role::Desk).then(|| self.shared.desks.take_seat(user)).transpose();
        Ok((terminal, role, seat.map_err(|full| full.to_string())?))
    }

    /// Restores the terminal after a visit that panicked.
    async fn restore_terminal(&self, channel: ChannelId, reason: &EndReason) {
        let mut bytes = LEAVE_SEQUENCE.to_vec();
        bytes.extend(reason.exit_message().iter().flat_map(|message| format!("bursar: {message}\r\n").into_bytes()));
        let _not_reading = timeout(MESSAGE_TIME_OUT, self.handle.data(channel, bytes)).await;
    }

    /// Ends the session on the channel with an exit status, and gives the client time to close.
    async fn close_session(&mut self, channel: ChannelId, status: u32) {
        let closed = async {
            self.handle.exit_status_request(channel, status).await?;
            self.handle.eof(channel).await?;
            self.handle.close(channel).await
        };
        let _not_reading = timeout(MESSAGE_TIME_OUT, closed).await;
        // A client that is disconnected before it has closed reports a failure.
        let patience = if self.shared.stop.is_cancelled() {
            CLOSE_TIME_OUT_WHEN_STOPPING
        } else {
            self.shared.time_limits.close_time_out
        };
        let _still_there = timeout(patience.min(self.shared.time_limits.close_time_out), &mut self.session).await;
    }

    /// Ends the connection with this message, and waits until nothing of it is left.
    async fn end_connection(&mut self, message: &str) {
        if self.session.is_terminated() {
            return;
        }
        self.transport.set_end_message(message);
        let bye = self.handle.disconnect(Disconnect::ByApplication, message.to_owned(), String::new());
        let _not_reading = timeout(MESSAGE_TIME_OUT, bye).await;
        // The library delays refusals, and the messages behind them; and it sends none during a key exchange.
        let exchanged = *self.transport.progress().borrow() == HandshakeProgress::Exchanged;
        let message_delay =
            if exchanged && !message.is_empty() { self.shared.time_limits.refusal_delay } else { Duration::ZERO };
        let _still_there = timeout(MESSAGE_TIME_OUT + message_delay, &mut self.session).await;
        self.transport.cut_connection();
        if !self.session.is_terminated() {
            let _gone = timeout(CUT_TIME_OUT, &mut self.session).await;
        }
    }

    fn channel_writer(&self, channel: ChannelId) -> ChannelWriter {
        ChannelWriter::new(self.handle.clone(), channel, Arc::clone(&self.transport))
    }

    fn report_event(&self, event: HostEvent) {
        (self.shared.on_event)(event);
    }
}
