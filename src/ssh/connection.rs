//! One connection, from the first byte to its end.
//!
//! ```text
//!   accepted ──▶ version, keys, who one is ──▶ a shell ──▶ a visit ──▶ status, close
//!      └── within 15 s ──┘└────── within 15 s ─┘
//! ```
//!
//! Whatever happens, the connection ends with its line being cut, which leaves nothing of it behind.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::{Fuse, FusedFuture};
use russh::server::{Handle, RunningSession, run_stream};
use russh::{ChannelId, Disconnect};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout, timeout_at};

use super::attendance::Attendance;
use super::doorway::Entry;
use super::guest::{Asked, Caution, Guest, Step};
use super::line::{Line, Wire};
use super::outlet::Outlet;
use super::told::{Name, Why};
use super::{Role, Shared, Told, visit};
use crate::runtime::screen::LEAVE;

/// How long a message may take to be handed over. A client that does not read gets none.
const HANDING_OVER: Duration = Duration::from_millis(200);

/// How long a client may take to close its end when the host is being stopped.
const HURRIED: Duration = Duration::from_secs(1);

/// How long what was cut takes to be gone: its task has but to wake.
const GONE: Duration = Duration::from_secs(2);

/// Serves a connection that was accepted.
pub(super) async fn serve(shared: Arc<Shared>, stream: TcpStream, peer: SocketAddr, entry: Entry) {
    let line = Arc::<Line>::default();
    let wire = Wire::new(stream, Arc::clone(&line), shared.clock.clone(), shared.timing.silence);
    let (sender, steps) = mpsc::unbounded_channel();
    let caution = Caution { guesses: Arc::clone(&shared.guesses), address: peer.ip(), clock: shared.clock.clone() };
    let (access, presenters) = (Arc::clone(&shared.access), Arc::clone(&shared.presenters));
    let guest = Guest::new(access, presenters, caution, shared.banner.clone(), sender);
    let arrived = shared.clock.moment() + shared.timing.arriving;
    let session = tokio::select! {
        session = timeout_at(arrived, run_stream(Arc::clone(&shared.config), wire, guest)) => session,
        () = shared.stop.cancelled() => return,
    };
    // Dropping what did not come that far closes it.
    let Ok(Ok(session)) = session else { return };
    let handle = session.handle();
    let mut connection = Connection { shared, peer, entry, line, handle, session: session.fuse(), steps };
    connection.run(arrived).await;
    connection.part().await;
}

struct Connection {
    shared: Arc<Shared>,
    peer: SocketAddr,
    entry: Entry,
    line: Arc<Line>,
    handle: Handle,
    session: Fuse<RunningSession<Guest>>,
    steps: mpsc::UnboundedReceiver<Step>,
}

impl Connection {
    /// Sees a client through until it asks for a shell, within the time that began when it was accepted.
    async fn run(&mut self, deadline: Instant) {
        let mut keyless = None;
        self.arrives(deadline, &mut keyless).await;
        // Of several keys one may be the right one, and a pass-phrase may follow: this is told of those who never came in.
        if let Some(name) = keyless
            && let Some(unsaid) = self.shared.keyless().one_more(self.shared.clock.moment())
        {
            self.tell(Told::Keyless { peer: self.peer, name, unsaid });
        }
    }

    async fn arrives(&mut self, mut deadline: Instant, keyless: &mut Option<Name>) {
        loop {
            let step = tokio::select! {
                biased;
                step = self.steps.recv() => step,
                _ended = &mut self.session => return,
                () = self.shared.stop.cancelled() => return,
                () = tokio::time::sleep_until(deadline) => return,
            };
            match step {
                None => return,
                Some(Step::LetIn) => {
                    *keyless = None;
                    deadline = self.shared.clock.moment() + self.shared.timing.arriving;
                }
                Some(Step::Guessed(name, unsaid)) => self.tell(Told::Guessed { peer: self.peer, name, unsaid }),
                Some(Step::Keyless(name)) => *keyless = Some(name),
                Some(Step::Refused(name, words)) => {
                    self.tell(Told::Refused { peer: self.peer, name, why: words.to_owned() });
                    return;
                }
                Some(Step::Shell(asked)) => return self.shell(*asked).await,
            }
        }
    }

    /// A shell was asked for: a visit, or words why there is none.
    async fn shell(&mut self, mut asked: Asked) {
        let channel = asked.channel;
        let may_present = !self.shared.presenters.is_shut();
        let known = Role::of(&asked.user).filter(|role| role.is_served(may_present));
        let bar = match (&asked.terminal, known) {
            (_, None) => Some(format!("nobody of this name is known here; log in as {}", Role::names(may_present))),
            (None, _) => Some("this needs a terminal; log in with ssh -t".to_owned()),
            (Some(_), Some(role)) => self.entry.visit(role).err().map(|full| full.to_string()),
        };
        let (Some(terminal), Some(role), None) = (asked.terminal.take(), known, &bar) else {
            asked.closing.cancel();
            let words = bar.unwrap_or_default();
            let mut outlet = self.outlet(channel);
            visit::say(&mut outlet, &words).await;
            self.tell(Told::Refused { peer: self.peer, name: Name::given(&asked.user), why: words });
            return self.close(channel, 1).await;
        };
        let (tell, clock) = (Arc::clone(&self.shared.tell), self.shared.clock.clone());
        let attendance = Arc::new(Attendance::new(tell, clock, self.peer, role));
        let closing = asked.closing.clone();
        // A task of its own, so that a panic ends this visit alone.
        let outlet = self.outlet(channel);
        let (shared, attending) = (Arc::clone(&self.shared), Arc::clone(&attendance));
        let visit = tokio::spawn(visit::serve(shared, role, asked, terminal, outlet, attending));
        let why = visit.await.unwrap_or(Why::Panicked);
        closing.cancel();
        if why == Why::Panicked {
            self.restore(channel, &why).await;
        }
        let status = why.status();
        attendance.left(why);
        self.close(channel, status).await;
    }

    /// Gives the terminal back in place of a visit that could not.
    async fn restore(&self, channel: ChannelId, why: &Why) {
        let mut bytes = LEAVE.to_vec();
        bytes.extend(why.farewell().iter().flat_map(|words| format!("bursar: {words}\r\n").into_bytes()));
        let _not_reading = timeout(HANDING_OVER, self.handle.data(channel, bytes)).await;
    }

    /// Ends the session on the channel with a status, and gives the client time to take leave.
    async fn close(&mut self, channel: ChannelId, status: u32) {
        let closed = async {
            self.handle.exit_status_request(channel, status).await?;
            self.handle.eof(channel).await?;
            self.handle.close(channel).await
        };
        let _not_reading = timeout(HANDING_OVER, closed).await;
        // A client that is told of the end of the connection before it has closed takes that for a failure.
        let patience = if self.shared.stop.is_cancelled() { HURRIED } else { self.shared.timing.parting };
        let _still_there = timeout(patience.min(self.shared.timing.parting), &mut self.session).await;
    }

    /// Ends the connection, and waits until nothing of it is left.
    async fn part(&mut self) {
        if self.session.is_terminated() {
            return;
        }
        let bye = self.handle.disconnect(Disconnect::ByApplication, String::new(), String::new());
        let _not_reading = timeout(HANDING_OVER, bye).await;
        let _still_there = timeout(HANDING_OVER, &mut self.session).await;
        self.line.cut();
        if !self.session.is_terminated() {
            let _gone = timeout(GONE, &mut self.session).await;
        }
    }

    fn outlet(&self, channel: ChannelId) -> Outlet {
        Outlet::new(self.handle.clone(), channel, Arc::clone(&self.line))
    }

    fn tell(&self, told: Told) {
        (self.shared.tell)(told);
    }
}
