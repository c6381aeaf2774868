//! Limits connections: they are counted before any work is spent on them.
//!
//! A new connection is never refused in favour of silent ones: at the limit, the oldest unauthenticated connection is
//! evicted. An eighth of the slots is reserved for addresses from which a user logged in before, and for presenters.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

use super::Role;

/// Most connections logged in as presenter: one presents, and those taken over are gone in seconds.
const PRESENTERS: usize = 8;

/// One in this many pending slots is reserved for known addresses and presenters.
const KEPT_PART: usize = 8;

/// Most networks remembered for a past login. The one with the oldest login is dropped.
const MOST_NETWORKS: usize = 1_024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Visits at once; further visitors wait in the queue.
    pub visitors: usize,
    /// Visitors from one address, including those in the queue.
    pub per_address: usize,
    /// The longest queue.
    pub waiting: usize,
    /// Spectators, from any address: they take neither a slot nor a workspace.
    pub watchers: usize,
    /// Unauthenticated connections from one address.
    pub strangers_per_address: usize,
    /// Unauthenticated connections in all.
    pub strangers: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { visitors: 50, per_address: 10, waiting: 200, watchers: 200, strangers_per_address: 64, strangers: 512 }
    }
}

#[derive(Debug)]
pub(super) struct ConnectionLimit {
    limits: Limits,
    inside: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    /// Connections without a role yet, by order of arrival.
    strangers: BTreeMap<u64, PendingConnection>,
    next: u64,
    visitors: usize,
    presenters: usize,
    watchers: usize,
    visitors_by_address: HashMap<IpAddr, usize>,
    /// Networks from which a user logged in, the latest first.
    known: VecDeque<IpAddr>,
}

#[derive(Debug)]
struct PendingConnection {
    network: IpAddr,
    standing: EvictionPriority,
    evicted: CancellationToken,
}

/// Lower priorities are evicted first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum EvictionPriority {
    Unknown,
    /// A user logged in from there before, or the client asks to present.
    Preferred,
    /// Authenticated, but without a role yet.
    Authenticated,
}

/// Why a connection is refused, as a message for the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum CapacityError {
    /// All pending slots were taken, and this connection was the oldest.
    #[error("too many connections are being opened here, and yours was the oldest that had not logged in; try again")]
    Strangers,
    #[error("your address has reached its maximum number of connections; close one first")]
    AddressFull,
    #[error("all places are taken and the queue is full; try again later")]
    QueueFull,
    #[error("the maximum number of spectators is reached; try again later")]
    Watchers,
    #[error("too many presenters are logging in; try again in a minute")]
    Presenters,
}

/// One connection, counted until this is dropped.
#[derive(Debug)]
pub(super) struct ConnectionPermit {
    doorway: Arc<ConnectionLimit>,
    network: IpAddr,
    number: u64,
    evicted: CancellationToken,
    /// Set once a role is claimed.
    role: Option<Role>,
}

impl ConnectionLimit {
    pub(super) fn new(limits: Limits) -> Arc<Self> {
        Arc::new(Self { limits, inside: Mutex::default() })
    }

    fn inside(&self) -> MutexGuard<'_, Counts> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a new connection, evicting another if need be.
    pub(super) fn enter(self: &Arc<Self>, address: IpAddr) -> ConnectionPermit {
        let network = network(address);
        let mut inside = self.inside();
        let standing =
            if inside.known.contains(&network) { EvictionPriority::Preferred } else { EvictionPriority::Unknown };
        inside.make_room(self.limits, network, standing);
        let (number, evicted) = (inside.next, CancellationToken::new());
        inside.next = inside.next.wrapping_add(1);
        inside.strangers.insert(number, PendingConnection { network, standing, evicted: evicted.clone() });
        ConnectionPermit { doorway: Arc::clone(self), network, number, evicted, role: None }
    }

    pub(super) fn count(&self) -> usize {
        let inside = self.inside();
        inside.strangers.len() + inside.visitors + inside.presenters + inside.watchers
    }
}

impl Limits {
    /// Most connections from unknown addresses.
    fn unknown(self) -> usize {
        self.strangers.saturating_sub(self.strangers.div_ceil(KEPT_PART)).max(1)
    }
}

impl Counts {
    /// Evicts the oldest connections until there is room for one more.
    fn make_room(&mut self, limits: Limits, network: IpAddr, standing: EvictionPriority) {
        let count = |counted: &dyn Fn(&PendingConnection) -> bool, inside: &Self| {
            inside.strangers.values().filter(|stranger| counted(stranger)).count()
        };
        let from_here = |stranger: &PendingConnection| stranger.network == network;
        if count(&from_here, self) >= limits.strangers_per_address.max(1) {
            self.evict(from_here);
        }
        let unknown = |stranger: &PendingConnection| stranger.standing == EvictionPriority::Unknown;
        let full = self.strangers.len() >= limits.strangers.max(1);
        if full || (standing == EvictionPriority::Unknown && count(&unknown, self) >= limits.unknown()) {
            self.evict(|_| true);
        }
    }

    /// Evicts one: of those with the lowest priority, the oldest.
    fn evict(&mut self, candidate: impl Fn(&PendingConnection) -> bool) {
        let candidates = self.strangers.iter().filter(|(_, stranger)| candidate(stranger));
        let Some(oldest) = candidates.min_by_key(|(number, stranger)| (stranger.standing, **number)) else { return };
        let number = *oldest.0;
        if let Some(stranger) = self.strangers.remove(&number) {
            stranger.evicted.cancel();
        }
    }

    /// Remembers a network from which a user logged in.
    fn learn(&mut self, network: IpAddr) {
        self.known.retain(|known| *known != network);
        self.known.push_front(network);
        self.known.truncate(MOST_NETWORKS);
    }

    fn of(&mut self, role: Role) -> &mut usize {
        match role {
            Role::Visitor => &mut self.visitors,
            Role::Presenter => &mut self.presenters,
            Role::Spectator => &mut self.watchers,
        }
    }
}

impl ConnectionPermit {
    /// Cancelled when another connection took this slot.
    pub(super) fn evicted(&self) -> CancellationToken {
        self.evicted.clone()
    }

    /// The client asks to present: it gets a reserved slot, if one is free.
    pub(super) fn prefer_presenter(&self) {
        let mut inside = self.doorway.inside();
        let kept = self.doorway.limits.strangers.saturating_sub(self.doorway.limits.unknown());
        let preferred =
            inside.strangers.values().filter(|stranger| stranger.standing == EvictionPriority::Preferred).count();
        if let Some(stranger) = inside.strangers.get_mut(&self.number).filter(|_| preferred < kept) {
            stranger.standing = stranger.standing.max(EvictionPriority::Preferred);
        }
    }

    pub(super) fn mark_authenticated(&self) {
        let mut inside = self.doorway.inside();
        inside.learn(self.network);
        if let Some(stranger) = inside.strangers.get_mut(&self.number) {
            stranger.standing = EvictionPriority::Authenticated;
        }
    }

    /// Claims a role for an authenticated client. Only visitors are counted by address: spectators in one room often
    /// share one, and presenters are trusted.
    pub(super) fn claim_role(&mut self, role: Role) -> Result<(), CapacityError> {
        if self.role.is_some() {
            return Ok(());
        }
        let limits = &self.doorway.limits;
        let mut inside = self.doorway.inside();
        let here = inside.visitors_by_address.get(&self.network).copied().unwrap_or_default();
        if role == Role::Visitor && here >= limits.per_address {
            return Err(CapacityError::AddressFull);
        }
        let (most, full) = match role {
            Role::Visitor => (limits.visitors.saturating_add(limits.waiting), CapacityError::QueueFull),
            Role::Presenter => (PRESENTERS, CapacityError::Presenters),
            Role::Spectator => (limits.watchers, CapacityError::Watchers),
        };
        let of_all = inside.of(role);
        if *of_all >= most {
            return Err(full);
        }
        *of_all += 1;
        if role == Role::Visitor {
            *inside.visitors_by_address.entry(self.network).or_default() += 1;
        }
        inside.strangers.remove(&self.number);
        self.role = Some(role);
        Ok(())
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut inside = self.doorway.inside();
        let Some(role) = self.role else {
            // Evicted connections were removed before.
            inside.strangers.remove(&self.number);
            return;
        };
        let of_all = inside.of(role);
        *of_all = of_all.saturating_sub(1);
        if role == Role::Visitor
            && let Some(here) = inside.visitors_by_address.get_mut(&self.network)
        {
            *here = here.saturating_sub(1);
            if *here == 0 {
                inside.visitors_by_address.remove(&self.network);
            }
        }
    }
}

/// The unit of per-address limits: an IPv4 address, or an IPv6 /64, since a household has 2⁶⁴ addresses.
pub(super) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
        address @ IpAddr::V4(_) => address,
    }
}
