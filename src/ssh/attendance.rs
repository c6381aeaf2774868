//! What is told of one visitor, from the shell that was asked for to the end: that they wait, that they came, that they left.

use std::net::SocketAddr;
use std::sync::OnceLock;

use tokio::time::Instant;

use super::told::Why;
use super::{Role, Tell, Told};
use crate::runtime::Clock;

/// A visitor, to whoever runs the host.
pub(super) struct Attendance {
    tell: Tell,
    clock: Clock,
    peer: SocketAddr,
    role: Role,
    arrived: Instant,
    seated: OnceLock<Instant>,
}

impl Attendance {
    /// Somebody who has asked for a shell now.
    pub(super) fn new(tell: Tell, clock: Clock, peer: SocketAddr, role: Role) -> Self {
        let arrived = clock.moment();
        Self { tell, clock, peer, role, arrived, seated: OnceLock::new() }
    }

    /// There is no place yet, and so many stand before them.
    pub(super) fn waits(&self, ahead: usize) {
        (self.tell)(Told::Waits { peer: self.peer, role: self.role, ahead });
    }

    /// They have a place.
    pub(super) fn came(&self) {
        if self.seated.set(self.clock.moment()).is_ok() {
            (self.tell)(Told::Came { peer: self.peer, role: self.role });
        }
    }

    /// They are gone.
    pub(super) fn left(&self, why: Why) {
        let Self { peer, role, .. } = *self;
        let since = |moment: &Instant| self.clock.moment() - *moment;
        (self.tell)(match self.seated.get() {
            Some(seated) => Told::Left { peer, role, why, stayed: since(seated) },
            None => Told::GaveUp { peer, role, why, waited: since(&self.arrived) },
        });
    }
}
