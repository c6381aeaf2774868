//! What is told of one visitor, from the shell that was asked for to the end: that they wait, that they came, that they left.

use std::net::SocketAddr;
use std::sync::OnceLock;

use tokio::time::Instant;

use super::host_event::EndReason;
use super::{EventCallback, HostEvent, Role};
use crate::runtime::Clock;

/// A visitor, to whoever runs the host.
pub(super) struct SessionLog {
    tell: EventCallback,
    clock: Clock,
    peer: SocketAddr,
    role: Role,
    arrived: Instant,
    seated: OnceLock<Instant>,
}

impl SessionLog {
    /// Somebody who has asked for a shell now.
    pub(super) fn new(tell: EventCallback, clock: Clock, peer: SocketAddr, role: Role) -> Self {
        let arrived = clock.instant();
        Self { tell, clock, peer, role, arrived, seated: OnceLock::new() }
    }

    /// There is no place yet, and so many stand before them.
    pub(super) fn report_queued(&self, ahead: usize) {
        (self.tell)(HostEvent::Queued { peer: self.peer, role: self.role, ahead });
    }

    /// They have a place.
    pub(super) fn report_started(&self) {
        if self.seated.set(self.clock.instant()).is_ok() {
            (self.tell)(HostEvent::SessionStarted { peer: self.peer, role: self.role });
        }
    }

    /// They are gone.
    pub(super) fn left(&self, why: EndReason) {
        let Self { peer, role, .. } = *self;
        let since = |moment: &Instant| self.clock.instant() - *moment;
        (self.tell)(match self.seated.get() {
            Some(seated) => HostEvent::SessionEnded { peer, role, why, stayed: since(seated) },
            None => HostEvent::LeftQueue { peer, role, why, waited: since(&self.arrived) },
        });
    }
}
