//! Sessions of presenters who lost their connection or were taken over, kept until they log in again.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use russh::keys::ssh_key::public::KeyData;

use super::session::LentConsole;

/// Most such sessions. The oldest one is dropped.
const MAX_DETACHED_SESSIONS: usize = 8;

/// How a user authenticated. Equal credentials are the same presenter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Credential {
    /// Open access.
    Nothing,
    Passphrase,
    Key(Box<KeyData>),
}

/// Sessions that wait for their presenters: they record answers to requests already sent, and make no new ones.
#[derive(Default)]
pub(super) struct DetachedSessions(Mutex<VecDeque<(Credential, Box<LentConsole>)>>);

impl DetachedSessions {
    /// Stores a session. The presenter's slot is freed afterwards.
    pub(super) fn store_session(&self, credential: Credential, mut session: Box<LentConsole>) {
        let seat = session.slot.take();
        let mut sessions = self.lock_sessions();
        sessions.push_back((credential, session));
        let _gone_in_peace = (sessions.len() > MAX_DETACHED_SESSIONS).then(|| sessions.pop_front());
        drop(sessions);
        // Freed last, so that a login waiting for the slot finds the session.
        drop(seat);
    }

    /// Takes this presenter's newest session.
    pub(super) fn take_session_of(&self, credential: &Credential) -> Option<Box<LentConsole>> {
        let mut sessions = self.lock_sessions();
        let at = sessions.iter().rposition(|(owner, _)| owner == credential)?;
        sessions.remove(at).map(|(_, session)| session)
    }

    pub(super) fn clear(&self) {
        let _ended = std::mem::take(&mut *self.lock_sessions());
    }

    fn lock_sessions(&self) -> MutexGuard<'_, VecDeque<(Credential, Box<LentConsole>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
