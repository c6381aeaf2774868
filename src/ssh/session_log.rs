//! Reports the events of one visitor, from the shell request to the end.

use std::net::SocketAddr;
use std::sync::OnceLock;

use tokio::time::Instant;

use super::host_event::EndReason;
use super::{EventCallback, HostEvent, Role};
use crate::runtime::Clock;

pub(super) struct SessionLog {
    on_event: EventCallback,
    clock: Clock,
    peer: SocketAddr,
    role: Role,
    arrived_at: Instant,
    started_at: OnceLock<Instant>,
}

impl SessionLog {
    /// Starts at the shell request.
    pub(super) fn new(on_event: EventCallback, clock: Clock, peer: SocketAddr, role: Role) -> Self {
        let arrived_at = clock.instant();
        Self { on_event, clock, peer, role, arrived_at, started_at: OnceLock::new() }
    }

    pub(super) fn report_queued(&self, visitors_ahead: usize) {
        (self.on_event)(HostEvent::Queued { peer: self.peer, role: self.role, visitors_ahead });
    }

    pub(super) fn report_started(&self) {
        if self.started_at.set(self.clock.instant()).is_ok() {
            (self.on_event)(HostEvent::SessionStarted { peer: self.peer, role: self.role });
        }
    }

    pub(super) fn report_ended(&self, reason: EndReason) {
        let Self { peer, role, .. } = *self;
        let since = |moment: &Instant| self.clock.instant() - *moment;
        (self.on_event)(match self.started_at.get() {
            Some(seated) => HostEvent::SessionEnded { peer, role, reason, stayed: since(seated) },
            None => HostEvent::LeftQueue { peer, role, reason, waited: since(&self.arrived_at) },
        });
    }
}
