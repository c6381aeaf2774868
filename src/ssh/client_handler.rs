//! The SSH requests of a client: one session with a terminal and a shell, and nothing else.
//!
//! ```text
//!   Knocking ──session──▶ Inside ──pty-req──▶ Inside, with a terminal ──shell──▶ Seated ──close──▶ Ended
//! ```
//!
//! Commands, subsystems, variables, agents, X11 and forwarding are always refused, and so is a second session. The
//! library itself refuses each kind of channel and forwarding that is not handled here.

use std::net::IpAddr;
use std::sync::Arc;

use russh::server::{Auth, ChannelOpenHandle, Handler, Msg, PublicKeyOffer, Response, Session, VerifiedPublicKey};
use russh::{Channel, ChannelId, Disconnect, MethodKind, Pty};
use tokio::io::{AsyncWriteExt, DuplexStream, duplex};
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use super::access::MOST_TRIES;
use super::detached::Credential;
use super::host_event::LoginName;
use super::password_throttle::{GuessResult, PasswordThrottle};
use super::step::{ClientEvent, ShellRequest, Terminal};
use super::{Access, Role};
use crate::runtime::Clock;

/// Bytes of input buffered for the console. Further input waits in the network.
const INPUT: usize = 8 * 1024;

/// The longest terminal name accepted.
const LONGEST_NAME: usize = 64;

enum ChannelState {
    /// No session requested yet.
    Knocking,
    /// A session without a shell.
    Inside { channel: ChannelId, terminal: Option<Terminal> },
    /// A session with a console.
    Seated { channel: ChannelId, input: DuplexStream, size: watch::Sender<(u32, u32)>, closing: CancellationToken },
    /// The session is over.
    Ended,
}

pub(super) struct GuessLimiter {
    pub(super) throttle: Arc<PasswordThrottle>,
    pub(super) address: IpAddr,
    pub(super) clock: Clock,
}

pub(super) struct ClientHandler {
    access: Arc<Access>,
    presenters: Arc<Access>,
    caution: GuessLimiter,
    banner: Option<String>,
    steps: mpsc::UnboundedSender<ClientEvent>,
    user: String,
    credential: Credential,
    tries: usize,
    stage: ChannelState,
}

impl ClientHandler {
    pub(super) fn new(
        access: Arc<Access>,
        presenters: Arc<Access>,
        caution: GuessLimiter,
        banner: Option<String>,
        steps: mpsc::UnboundedSender<ClientEvent>,
    ) -> Self {
        Self {
            access,
            presenters,
            caution,
            banner,
            steps,
            user: String::new(),
            credential: Credential::Nothing,
            tries: 0,
            stage: ChannelState::Knocking,
        }
    }

    fn tell(&self, step: ClientEvent) {
        // Sending fails only while the connection is being cut.
        let _ = self.steps.send(step);
    }

    /// The access rules for a login name. Where nobody may present, the presenter's name is treated as a visitor's with
    /// a wrong name, and refused after login: clients show no reason before it.
    fn access(&self, user: &str) -> &Access {
        let presents = Role::from_login(user) == Some(Role::Presenter) && !self.presenters.is_shut();
        if presents { &self.presenters } else { &self.access }
    }

    fn answer(&mut self, user: &str, admitted: bool) -> Auth {
        let to_present = Role::from_login(user) == Some(Role::Presenter) && !self.presenters.is_shut();
        self.tell(ClientEvent::Asks { to_present });
        if admitted {
            user.clone_into(&mut self.user);
            return Auth::Accept;
        }
        Auth::Reject { proceed_with_methods: Some(self.access(user).methods()), partial_success: false }
    }

    /// Whether this pass-phrase admits the client; each call counts as an attempt.
    fn try_words(&mut self, user: &str, words: &str) -> bool {
        if !self.may_try() {
            return false;
        }
        self.tries += 1;
        if !self.access(user).methods().contains(&MethodKind::Password) {
            return false;
        }
        let GuessLimiter { throttle: guesses, address, clock } = &self.caution;
        match guesses.judge(*address, clock.instant(), || self.access(user).admits_passphrase(words)) {
            GuessResult::Correct => {
                self.credential = Credential::Passphrase;
                true
            }
            GuessResult::Wrong(told) => {
                if let Some(unsaid) = told {
                    self.tell(ClientEvent::WrongPassphrase(LoginName::sanitised(user), unsaid));
                }
                false
            }
            GuessResult::TooSoon => {
                self.tell(ClientEvent::TooManyGuesses);
                false
            }
        }
    }

    /// Whether a pass-phrase may be tried. After too many guesses, over this connection or others, the connection ends
    /// with a message: on a mere refusal, clients would prompt their users again.
    fn may_try(&self) -> bool {
        let GuessLimiter { throttle: guesses, address, clock } = &self.caution;
        let may_try = self.tries < MOST_TRIES && !guesses.is_paused(*address, clock.instant());
        if !may_try {
            self.tell(ClientEvent::TooManyGuesses);
        }
        may_try
    }

    /// Ends the connection with a message that clients show.
    fn refuse(&self, session: &mut Session, words: &'static str) -> Result<(), russh::Error> {
        self.tell(ClientEvent::UnsupportedRequest(LoginName::sanitised(&self.user), words));
        session.disconnect(Disconnect::ByApplication, words, "")
    }
}

impl Handler for ClientHandler {
    type Error = russh::Error;

    async fn authentication_banner(&mut self) -> Result<Option<String>, Self::Error> {
        Ok(self.banner.take())
    }

    async fn auth_none(&mut self, user: &str) -> Result<Auth, Self::Error> {
        let open = self.access(user).is_open();
        Ok(self.answer(user, open))
    }

    async fn auth_password(&mut self, user: &str, password: &str) -> Result<Auth, Self::Error> {
        let admitted = self.try_words(user, password);
        Ok(self.answer(user, admitted))
    }

    async fn auth_keyboard_interactive<'a>(
        &'a mut self,
        user: &str,
        _submethods: &str,
        response: Option<Response<'a>>,
    ) -> Result<Auth, Self::Error> {
        if self.access(user).is_open() {
            return Ok(self.answer(user, true));
        }
        let Some(mut response) = response else {
            if !self.may_try() || !self.access(user).methods().contains(&MethodKind::KeyboardInteractive) {
                return Ok(self.answer(user, false));
            }
            self.tell(ClientEvent::Asks { to_present: false });
            return Ok(Auth::Partial {
                name: "".into(),
                instructions: "".into(),
                prompts: vec![("Pass-phrase: ".into(), false)].into(),
            });
        };
        let typed = response.next().unwrap_or_default();
        let admitted = self.try_words(user, &String::from_utf8_lossy(&typed));
        Ok(self.answer(user, admitted))
    }

    async fn auth_publickey_offered(&mut self, user: &str, offer: PublicKeyOffer<'_>) -> Result<Auth, Self::Error> {
        let admitted = self.access(user).admits_key(offer.public_key);
        if !admitted {
            self.tell(ClientEvent::UnknownKey(LoginName::sanitised(user)));
        }
        Ok(self.answer(user, admitted))
    }

    async fn auth_publickey(&mut self, user: &str, key: VerifiedPublicKey<'_>) -> Result<Auth, Self::Error> {
        let admitted = self.access(user).admits_key(key.public_key);
        if admitted {
            self.credential = Credential::Key(Box::new(key.public_key.key_data().clone()));
        }
        Ok(self.answer(user, admitted))
    }

    async fn auth_succeeded(&mut self, _session: &mut Session) -> Result<(), Self::Error> {
        self.tell(ClientEvent::Authenticated);
        Ok(())
    }

    async fn channel_open_session(
        &mut self,
        channel: Channel<Msg>,
        reply: ChannelOpenHandle,
        _session: &mut Session,
    ) -> Result<(), Self::Error> {
        // A dropped reply is a refusal.
        if matches!(self.stage, ChannelState::Knocking) {
            self.stage = ChannelState::Inside { channel: channel.id(), terminal: None };
            reply.accept().await;
        }
        Ok(())
    }

    async fn pty_request(
        &mut self,
        channel: ChannelId,
        name: &str,
        columns: u32,
        rows: u32,
        _pixels_across: u32,
        _pixels_down: u32,
        _modes: &[(Pty, u32)],
        session: &mut Session,
    ) -> Result<(), Self::Error> {
        match &mut self.stage {
            ChannelState::Inside { channel: own, terminal } if *own == channel && terminal.is_none() => {
                let sane = name.len() <= LONGEST_NAME && name.bytes().all(|byte| byte.is_ascii_graphic());
                let name = if sane { name.to_owned() } else { String::new() };
                *terminal = Some(Terminal { name, size: (columns, rows) });
                session.channel_success(channel)
            }
            _ => session.channel_failure(channel),
        }
    }

    async fn shell_request(&mut self, channel: ChannelId, session: &mut Session) -> Result<(), Self::Error> {
        let terminal = match &mut self.stage {
            ChannelState::Inside { channel: own, terminal } if *own == channel => terminal.take(),
            _ => return session.channel_failure(channel),
        };
        let (ours, theirs) = duplex(INPUT);
        let (size, sizes) = watch::channel(terminal.as_ref().map_or((0, 0), |terminal| terminal.size));
        let closing = CancellationToken::new();
        let user = std::mem::take(&mut self.user);
        let credential = self.credential.clone();
        let asked =
            ShellRequest { user, credential, channel, terminal, input: theirs, size: sizes, closing: closing.clone() };
        self.stage = ChannelState::Seated { channel, input: ours, size, closing };
        session.channel_success(channel)?;
        self.tell(ClientEvent::ShellRequested(Box::new(asked)));
        Ok(())
    }

    async fn window_change_request(
        &mut self,
        channel: ChannelId,
        columns: u32,
        rows: u32,
        _pixels_across: u32,
        _pixels_down: u32,
        _session: &mut Session,
    ) -> Result<(), Self::Error> {
        match &mut self.stage {
            ChannelState::Inside { channel: own, terminal: Some(terminal) } if *own == channel => {
                terminal.size = (columns, rows);
            }
            ChannelState::Seated { channel: own, size, .. } if *own == channel => {
                size.send_replace((columns, rows));
            }
            _ => {}
        }
        Ok(())
    }

    /// Passes input to the console at the console's pace; meanwhile nothing more is read.
    async fn data(&mut self, channel: ChannelId, bytes: &[u8], _session: &mut Session) -> Result<(), Self::Error> {
        if let ChannelState::Seated { channel: own, input, closing, .. } = &mut self.stage
            && *own == channel
        {
            tokio::select! {
                // The console is over only when the visit is.
                _taken_or_over = input.write_all(bytes) => {}
                () = closing.cancelled() => {}
            }
        }
        Ok(())
    }

    async fn channel_eof(&mut self, channel: ChannelId, _session: &mut Session) -> Result<(), Self::Error> {
        self.hang_up(channel);
        Ok(())
    }

    async fn channel_close(&mut self, channel: ChannelId, _session: &mut Session) -> Result<(), Self::Error> {
        self.hang_up(channel);
        Ok(())
    }

    async fn exec_request(
        &mut self,
        _channel: ChannelId,
        _command: &[u8],
        session: &mut Session,
    ) -> Result<(), Self::Error> {
        self.refuse(session, "commands are not allowed; log in without one")
    }

    async fn subsystem_request(
        &mut self,
        _channel: ChannelId,
        _name: &str,
        session: &mut Session,
    ) -> Result<(), Self::Error> {
        self.refuse(session, "file transfer is not allowed; log in with ssh")
    }

    async fn env_request(
        &mut self,
        channel: ChannelId,
        _name: &str,
        _value: &str,
        session: &mut Session,
    ) -> Result<(), Self::Error> {
        session.channel_failure(channel)
    }

    async fn x11_request(
        &mut self,
        channel: ChannelId,
        _single: bool,
        _protocol: &str,
        _cookie: &str,
        _screen: u32,
        session: &mut Session,
    ) -> Result<(), Self::Error> {
        session.channel_failure(channel)
    }
}

impl ClientHandler {
    /// The session is over: dropping its input notifies the console.
    fn hang_up(&mut self, channel: ChannelId) {
        match self.stage {
            ChannelState::Inside { channel: own, .. } | ChannelState::Seated { channel: own, .. } if own == channel => {
                self.stage = ChannelState::Ended;
            }
            _ => {}
        }
    }
}
