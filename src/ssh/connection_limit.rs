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
const MAX_PRESENTERS: usize = 8;

/// One in this many pending slots is reserved for known addresses and presenters.
const RESERVED_PART: usize = 8;

/// Most networks remembered for a past login. The one with the oldest login is dropped.
const MOST_NETWORKS: usize = 1_024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Visits at once; further visitors wait in the queue.
    pub visitors: usize,
    /// Visitors from one address, including those in the queue.
    pub per_address: usize,
    /// The longest queue.
    pub queue_length: usize,
    /// Spectators, from any address: they take neither a slot nor a workspace.
    pub spectators: usize,
    /// Unauthenticated connections from one address.
    pub unauthenticated_per_address: usize,
    /// Unauthenticated connections in all.
    pub unauthenticated: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            visitors: 50,
            per_address: 10,
            queue_length: 200,
            spectators: 200,
            unauthenticated_per_address: 64,
            unauthenticated: 512,
        }
    }
}

#[derive(Debug)]
pub(super) struct ConnectionLimit {
    limits: Limits,
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    /// Connections without a role yet, by order of arrival.
    pending_connections: BTreeMap<u64, PendingConnection>,
    next_number: u64,
    visitors: usize,
    presenters: usize,
    spectators: usize,
    visitors_by_address: HashMap<IpAddr, usize>,
    /// Networks from which a user logged in, the latest first.
    known_networks: VecDeque<IpAddr>,
}

#[derive(Debug)]
struct PendingConnection {
    network: IpAddr,
    priority: EvictionPriority,
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
    TooManyUnauthenticated,
    #[error("your address has reached its maximum number of connections; close one first")]
    AddressFull,
    #[error("all places are taken and the queue is full; try again later")]
    QueueFull,
    #[error("the maximum number of spectators is reached; try again later")]
    TooManySpectators,
    #[error("too many presenters are logging in; try again in a minute")]
    TooManyPresenters,
}

/// One connection, counted until this is dropped.
#[derive(Debug)]
pub(super) struct ConnectionPermit {
    connection_limit: Arc<ConnectionLimit>,
    network: IpAddr,
    number: u64,
    evicted: CancellationToken,
    /// Set once a role is claimed.
    role: Option<Role>,
}

impl ConnectionLimit {
    pub(super) fn new(limits: Limits) -> Arc<Self> {
        Arc::new(Self { limits, counts: Mutex::default() })
    }

    fn lock_counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a new connection, evicting another if need be.
    pub(super) fn admit_connection(self: &Arc<Self>, address: IpAddr) -> ConnectionPermit {
        let network = network_of(address);
        let mut inside = self.lock_counts();
        let standing = if inside.known_networks.contains(&network) {
            EvictionPriority::Preferred
        } else {
            EvictionPriority::Unknown
        };
        inside.make_room(self.limits, network, standing);
        let (number, evicted) = (inside.next_number, CancellationToken::new());
        inside.next_number = inside.next_number.wrapping_add(1);
        inside
            .pending_connections
            .insert(number, PendingConnection { network, priority: standing, evicted: evicted.clone() });
        ConnectionPermit { connection_limit: Arc::clone(self), network, number, evicted, role: None }
    }

    pub(super) fn count(&self) -> usize {
        let inside = self.lock_counts();
        inside.pending_connections.len() + inside.visitors + inside.presenters + inside.spectators
    }
}

impl Limits {
    /// Most connections from unknown addresses.
    fn max_from_unknown_networks(self) -> usize {
        self.unauthenticated.saturating_sub(self.unauthenticated.div_ceil(RESERVED_PART)).max(1)
    }
}

impl Counts {
    /// Evicts the oldest connections until there is room for one more.
    fn make_room(&mut self, limits: Limits, network: IpAddr, standing: EvictionPriority) {
        let count = |is_counted: &dyn Fn(&PendingConnection) -> bool, inside: &Self| {
            inside.pending_connections.values().filter(|stranger| is_counted(stranger)).count()
        };
        let from_here = |stranger: &PendingConnection| stranger.network == network;
        if count(&from_here, self) >= limits.unauthenticated_per_address.max(1) {
            self.evict(from_here);
        }
        let unknown = |stranger: &PendingConnection| stranger.priority == EvictionPriority::Unknown;
        let full = self.pending_connections.len() >= limits.unauthenticated.max(1);
        if full
            || (standing == EvictionPriority::Unknown && count(&unknown, self) >= limits.max_from_unknown_networks())
        {
            self.evict(|_| true);
        }
    }

    /// Evicts one: of those with the lowest priority, the oldest.
    fn evict(&mut self, candidate: impl Fn(&PendingConnection) -> bool) {
        let candidates = self.pending_connections.iter().filter(|(_, stranger)| candidate(stranger));
        let Some(oldest) = candidates.min_by_key(|(number, stranger)| (stranger.priority, **number)) else { return };
        let number = *oldest.0;
        if let Some(stranger) = self.pending_connections.remove(&number) {
            stranger.evicted.cancel();
        }
    }

    /// Remembers a network from which a user logged in.
    fn remember_network(&mut self, network: IpAddr) {
        self.known_networks.retain(|other| *other != network);
        self.known_networks.push_front(network);
        self.known_networks.truncate(MOST_NETWORKS);
    }

    fn count_of_role(&mut self, role: Role) -> &mut usize {
        match role {
            Role::Visitor | Role::Desk => &mut self.visitors,
            Role::Presenter => &mut self.presenters,
            Role::Spectator => &mut self.spectators,
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
        let mut inside = self.connection_limit.lock_counts();
        let reserved = self
            .connection_limit
            .limits
            .unauthenticated
            .saturating_sub(self.connection_limit.limits.max_from_unknown_networks());
        let preferred = inside
            .pending_connections
            .values()
            .filter(|stranger| stranger.priority == EvictionPriority::Preferred)
            .count();
        if let Some(stranger) = inside.pending_connections.get_mut(&self.number).filter(|_| preferred < reserved) {
            stranger.priority = stranger.priority.max(EvictionPriority::Preferred);
        }
    }

    pub(super) fn mark_authenticated(&self) {
        let mut inside = self.connection_limit.lock_counts();
        inside.remember_network(self.network);
        if let Some(stranger) = inside.pending_connections.get_mut(&self.number) {
            stranger.priority = EvictionPriority::Authenticated;
        }
    }

    /// Claims a role for an authenticated client. Only visitors are counted by address: spectators in one room often
    /// share one, and presenters are trusted.
    pub(super) fn claim_role(&mut self, role: Role) -> Result<(), CapacityError> {
        if self.role.is_some() {
            return Ok(());
        }
        let limits = &self.connection_limit.limits;
        let mut inside = self.connection_limit.lock_counts();
        let visitors = inside.visitors_by_address.get(&self.network).copied().unwrap_or_default();
        if role.is_visitor() && visitors >= limits.per_address {
            return Err(CapacityError::AddressFull);
        }
        let (most, full) = match role {
            Role::Visitor | Role::Desk => {
                (limits.visitors.saturating_add(limits.queue_length), CapacityError::QueueFull)
            }
            Role::Presenter => (MAX_PRESENTERS, CapacityError::TooManyPresenters),
            Role::Spectator => (limits.spectators, CapacityError::TooManySpectators),
        };
        let of_all = inside.count_of_role(role);
        if *of_all >= most {
            return Err(full);
        }
        *of_all += 1;
        if role.is_visitor() {
            *inside.visitors_by_address.entry(self.network).or_default() += 1;
        }
        inside.pending_connections.remove(&self.number);
        self.role = Some(role);
        Ok(())
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut inside = self.connection_limit.lock_counts();
        let Some(role) = self.role else {
            // Evicted connections were removed before.
            inside.pending_connections.remove(&self.number);
            return;
        };
        let of_all = inside.count_of_role(role);
        *of_all = of_all.saturating_sub(1);
        if role.is_visitor()
            && let Some(visitors) = inside.visitors_by_address.get_mut(&self.network)
        {
            *visitors = visitors.saturating_sub(1);
            if *visitors == 0 {
                inside.visitors_by_address.remove(&self.network);
            }
        }
    }
}

/// The unit of per-address limits: an IPv4 address, or an IPv6 /64, since a household has 2⁶⁴ addresses.
pub(super) fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
        address @ IpAddr::V4(_) => address,
    }
}
