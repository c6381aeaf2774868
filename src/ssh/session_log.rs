//! Reports the events of one visitor, from the shell request to the end.

use std::net::SocketAddr;
use std::sync::OnceLock;

use tokio::time::Instant;

use super::host_event::EndReason;
use super::{EventCallback, HostEvent, Role};
use crate::runtime::Clock;

pub(super) struct SessionLog {
    tell: EventCallback,
    clock: Clock,
    peer: SocketAddr,
    role: Role,
    arrived: Instant,
    seated: OnceLock<Instant>,
}

impl SessionLog {
    /// Starts at the shell request.
    pub(super) fn new(tell: EventCallback, clock: Clock, peer: SocketAddr, role: Role) -> Self {
        let arrived = clock.instant();
        Self { tell, clock, peer, role, arrived, seated: OnceLock::new() }
    }

    pub(super) fn report_queued(&self, ahead: usize) {
        (self.tell)(HostEvent::Queued { peer: self.peer, role: self.role, ahead });
    }

    pub(super) fn report_started(&self) {
        if self.seated.set(self.clock.instant()).is_ok() {
            (self.tell)(HostEvent::SessionStarted { peer: self.peer, role: self.role });
        }
    }

    pub(super) fn left(&self, why: EndReason) {
        let Self { peer, role, .. } = *self;
        let since = |moment: &Instant| self.clock.instant() - *moment;
        (self.tell)(match self.seated.get() {
            Some(seated) => HostEvent::SessionEnded { peer, role, why, stayed: since(seated) },
            None => HostEvent::LeftQueue { peer, role, why, waited: since(&self.arrived) },
        });
    }
}
