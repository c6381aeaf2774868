//! Sessions of presenters who lost their link or were taken over, business and orders and all, until they log in again.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use russh::keys::ssh_key::public::KeyData;

use super::session::LentConsole;

/// How many such sessions there are at most. The oldest one makes room.
const MOST: usize = 8;

/// By what somebody showed who they are. Who shows the same again is the same presenter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Credential {
    /// By nothing: everybody is let in.
    Nothing,
    /// By the pass-phrase.
    Passphrase,
    /// By this key.
    Key(Box<KeyData>),
}

/// The sessions that wait for their presenters. What was sent from them is still recorded; nothing is asked anew.
#[derive(Default)]
pub(super) struct DetachedSessions(Mutex<VecDeque<(Credential, Box<LentConsole>)>>);

impl DetachedSessions {
    /// Has a session wait. The place that its presenter had is free when it does.
    pub(super) fn keep(&self, credential: Credential, mut session: Box<LentConsole>) {
        let seat = session.seat.take();
        let mut sessions = self.sessions();
        sessions.push_back((credential, session));
        let _gone_in_peace = (sessions.len() > MOST).then(|| sessions.pop_front());
        drop(sessions);
        // Whoever waits for the place finds the session.
        drop(seat);
    }

    /// The session that waits for this presenter, if one does: the newest.
    pub(super) fn resume(&self, credential: &Credential) -> Option<Box<LentConsole>> {
        let mut sessions = self.sessions();
        let at = sessions.iter().rposition(|(owner, _)| owner == credential)?;
        sessions.remove(at).map(|(_, session)| session)
    }

    /// Ends them all.
    pub(super) fn clear(&self) {
        let _ended = std::mem::take(&mut *self.sessions());
    }

    fn sessions(&self) -> MutexGuard<'_, VecDeque<(Credential, Box<LentConsole>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
