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

use super::access::MAX_PASSPHRASE_TRIES;
use super::client_event::{ClientEvent, ShellRequest, Terminal};
use super::detached::Credential;
use super::host_event::LoginName;
use super::password_throttle::{GuessResult, PasswordThrottle};
use super::{Access, Role};
use crate::runtime::Clock;

/// Bytes of input buffered for the console. Further input waits in the network.
const INPUT_BUFFER_BYTES: usize = 8 * 1024;

/// The longest terminal name accepted.
const LONGEST_NAME: usize = 64;

enum ChannelState {
    /// No session requested yet.
    NoSession,
    /// A session without a shell.
    SessionWithoutShell { channel: ChannelId, terminal: Option<Terminal> },
    /// A session with a console.
    ShellRunning {
        channel: ChannelId,
        input: DuplexStream,
        size: watch::Sender<(u32, u32)>,
        closing: CancellationToken,
    },
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
    guess_limiter: GuessLimiter,
    banner: Option<String>,
    events: mpsc::UnboundedSender<ClientEvent>,
    user: String,
    credential: Credential,
    passphrase_tries: usize,
    channel_state: ChannelState,
}

impl ClientHandler {
    pub(super) fn new(
        access: Arc<Access>,
        presenters: Arc<Access>,
        guess_limiter: GuessLimiter,
        banner: Option<String>,
        events: mpsc::UnboundedSender<ClientEvent>,
    ) -> Self {
        Self {
            access,
            presenters,
            guess_limiter,
            banner,
            events,
            user: String::new(),
            credential: Credential::Nothing,
            passphrase_tries: 0,
            channel_state: ChannelState::NoSession,
        }
    }

    fn send_event(&self, step: ClientEvent) {
        // Sending fails only while the connection is being cut.
        let _ = self.events.send(step);
    }

    /// The access rules for a login name. Where nobody may present, the presenter's name is treated as a visitor's with
    /// a wrong name, and refused after login: clients show no reason before it.
    fn access_for_login(&self, user: &str) -> &Access {
        let presents = Role::from_login(user) == Some(Role::Presenter) && !self.presenters.is_closed();
        if presents { &self.presenters } else { &self.access }
    }

    fn answer_authentication(&mut self, user: &str, admitted: bool) -> Auth {
        let to_present = Role::from_login(user) == Some(Role::Presenter) && !self.presenters.is_closed();
        self.send_event(ClientEvent::AuthenticationRequested { to_present });
        if admitted {
            user.clone_into(&mut self.user);
            return Auth::Accept;
        }
        Auth::Reject { proceed_with_methods: Some(self.access_for_login(user).auth_methods()), partial_success: false }
    }

    /// Whether this pass-phrase admits the client; each call counts as an attempt.
    fn try_passphrase(&mut self, user: &str, passphrase: &str) -> bool {
        if !self.may_try_passphrase() {
            return false;
        }
        self.passphrase_tries += 1;
        if !self.access_for_login(user).auth_methods().contains(&MethodKind::Password) {
            return false;
        }
        let GuessLimiter { throttle: guesses, address, clock } = &self.guess_limiter;
        match guesses
            .judge_guess(*address, clock.instant(), || self.access_for_login(user).admits_passphrase(passphrase))
        {
            GuessResult::Correct => {
                self.credential = Credential::Passphrase;
                true
            }
            GuessResult::Wrong(report_count) => {
                if let Some(unreported_count) = report_count {
                    self.send_event(ClientEvent::WrongPassphrase(LoginName::sanitised(user), unreported_count));
                }
                false
            }
            GuessResult::TooSoon => {
                self.send_event(ClientEvent::TooManyGuesses);
                false
            }
        }
    }

    /// Whether a pass-phrase may be tried. After too many guesses, over this connection or others, the connection ends
    /// with a message: on a mere refusal, clients would prompt their users again.
    fn may_try_passphrase(&self) -> bool {
        let GuessLimiter { throttle: guesses, address, clock } = &self.guess_limiter;
        let may_try = self.passphrase_tries < MAX_PASSPHRASE_TRIES && !guesses.is_paused(*address, clock.instant());
        if !may_try {
            self.send_event(ClientEvent::TooManyGuesses);
        }
        may_try
    }

    /// Ends the connection with a message that clients show.
    fn disconnect_with_message(&self, session: &mut Session, message: &'static str) -> Result<(), russh::Error> {
        self.send_event(ClientEvent::UnsupportedRequest(LoginName::sanitised(&self.user), message));
        session.disconnect(Disconnect::ByApplication, message, "")
    }
}

impl Handler for ClientHandler {
    type Error = russh::Error;

    async fn authentication_banner(&mut self) -> Result<Option<String>, Self::Error> {
        Ok(self.banner.take())
    }

    async fn auth_none(&mut self, user: &str) -> Result<Auth, Self::Error> {
        let open = self.access_for_login(user).is_open();
        Ok(self.answer_authentication(user, open))
    }

    async fn auth_password(&mut self, user: &str, password: &str) -> Result<Auth, Self::Error> {
        let admitted = self.try_passphrase(user, password);
        Ok(self.answer_authentication(user, admitted))
    }

    async fn auth_keyboard_interactive<'a>(
        &'a mut self,
        user: &str,
        _submethods: &str,
        response: Option<Response<'a>>,
    ) -> Result<Auth, Self::Error> {
        if self.access_for_login(user).is_open() {
            return Ok(self.answer_authentication(user, true));
        }
        let Some(mut response) = response else {
            if !self.may_try_passphrase()
                || !self.access_for_login(user).auth_methods().contains(&MethodKind::KeyboardInteractive)
            {
                return Ok(self.answer_authentication(user, false));
            }
            self.send_event(ClientEvent::AuthenticationRequested { to_present: false });
            return Ok(Auth::Partial {
                name: "".into(),
                instructions: "".into(),
                prompts: vec![("Pass-phrase: ".into(), false)].into(),
            });
        };
        let typed = response.next().unwrap_or_default();
        let admitted = self.try_passphrase(user, &String::from_utf8_lossy(&typed));
        Ok(self.answer_authentication(user, admitted))
    }

    async fn auth_publickey_offered(&mut self, user: &str, offer: PublicKeyOffer<'_>) -> Result<Auth, Self::Error> {
        let admitted = self.access_for_login(user).admits_key(offer.public_key);
        if !admitted {
            self.send_event(ClientEvent::UnknownKey(LoginName::sanitised(user)));
        }
        Ok(self.answer_authentication(user, admitted))
    }

    async fn auth_publickey(&mut self, user: &str, key: VerifiedPublicKey<'_>) -> Result<Auth, Self::Error> {
        let admitted = self.access_for_login(user).admits_key(key.public_key);
        if admitted {
            self.credential = Credential::Key(Box::new(key.public_key.key_data().clone()));
        }
        Ok(self.answer_authentication(user, admitted))
    }

    async fn auth_succeeded(&mut self, _session: &mut Session) -> Result<(), Self::Error> {
        self.send_event(ClientEvent::Authenticated);
        Ok(())
    }

    async fn channel_open_session(
        &mut self,
        channel: Channel<Msg>,
        reply: ChannelOpenHandle,
        _session: &mut Session,
    ) -> Result<(), Self::Error> {
        // A dropped reply is a refusal.
        if matches!(self.channel_state, ChannelState::NoSession) {
            self.channel_state = ChannelState::SessionWithoutShell { channel: channel.id(), terminal: None };
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
        match &mut self.channel_state {
            ChannelState::SessionWithoutShell { channel: own, terminal } if *own == channel && terminal.is_none() => {
                let sane = name.len() <= LONGEST_NAME && name.bytes().all(|byte| byte.is_ascii_graphic());
                let name = if sane { name.to_owned() } else { String::new() };
                *terminal = Some(Terminal { name, size: (columns, rows) });
                session.channel_success(channel)
            }
            _ => session.channel_failure(channel),
        }
    }

    async fn shell_request(&mut self, channel: ChannelId, session: &mut Session) -> Result<(), Self::Error> {
        let terminal = match &mut self.channel_state {
            ChannelState::SessionWithoutShell { channel: own, terminal } if *own == channel => terminal.take(),
            _ => return session.channel_failure(channel),
        };
        let (input_writer, input_reader) = duplex(INPUT_BUFFER_BYTES);
        let (size, sizes) = watch::channel(terminal.as_ref().map_or((0, 0), |terminal| terminal.size));
        let closing = CancellationToken::new();
        let user = std::mem::take(&mut self.user);
        let credential = self.credential.clone();
        let request = ShellRequest {
            user,
            credential,
            channel,
            terminal,
            input: input_reader,
            size: sizes,
            closing: closing.clone(),
        };
        self.channel_state = ChannelState::ShellRunning { channel, input: input_writer, size, closing };
        session.channel_success(channel)?;
        self.send_event(ClientEvent::ShellRequested(Box::new(request)));
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
        match &mut self.channel_state {
            ChannelState::SessionWithoutShell { channel: own, terminal: Some(terminal) } if *own == channel => {
                terminal.size = (columns, rows);
            }
            ChannelState::ShellRunning { channel: own, size, .. } if *own == channel => {
                size.send_replace((columns, rows));
            }
            _ => {}
        }
        Ok(())
    }

    /// Passes input to the console at the console's pace; meanwhile nothing more is read.
    async fn data(&mut self, channel: ChannelId, bytes: &[u8], _session: &mut Session) -> Result<(), Self::Error> {
        if let ChannelState::ShellRunning { channel: own, input, closing, .. } = &mut self.channel_state
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
        self.end_session(channel);
        Ok(())
    }

    async fn channel_close(&mut self, channel: ChannelId, _session: &mut Session) -> Result<(), Self::Error> {
        self.end_session(channel);
        Ok(())
    }

    async fn exec_request(
        &mut self,
        _channel: ChannelId,
        _command: &[u8],
        session: &mut Session,
    ) -> Result<(), Self::Error> {
        self.disconnect_with_message(session, "commands are not allowed; log in without one")
    }

    async fn subsystem_request(
        &mut self,
        _channel: ChannelId,
        _name: &str,
        session: &mut Session,
    ) -> Result<(), Self::Error> {
        self.disconnect_with_message(session, "file transfer is not allowed; log in with ssh")
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
    fn end_session(&mut self, channel: ChannelId) {
        match self.channel_state {
            ChannelState::SessionWithoutShell { channel: own, .. }
            | ChannelState::ShellRunning { channel: own, .. }
                if own == channel =>
            {
                self.channel_state = ChannelState::Ended;
            }
            _ => {}
        }
    }
}
