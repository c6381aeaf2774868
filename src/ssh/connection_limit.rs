//! How many may stand in the doorway: connections are counted before anything is spent on them.
//!
//! Nobody who comes is turned away for those who stand there and say nothing: when all places are taken, the connection goes
//! that has stood there longest without showing who wants in. An eighth of the places is for addresses from which somebody
//! logged in before, and for those who come to present.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

use super::Role;

/// How many may have logged in to present at once: one presents, and those that were taken over are gone in seconds.
const PRESENTERS: usize = 8;

/// The part of the places for strangers that is for those who are known or come to present.
const KEPT_PART: usize = 8;

/// Of how many networks is known that somebody logged in from there. The one from which nobody came for longest makes room.
const MOST_NETWORKS: usize = 1_024;

/// How many are let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Visits at once; further visitors wait in line.
    pub visitors: usize,
    /// Visitors from one address, those in line among them.
    pub per_address: usize,
    /// How many may wait in line.
    pub waiting: usize,
    /// How many may look on besides, from wherever they come: they cost neither a place nor a workspace.
    pub watchers: usize,
    /// Connections that have not shown yet who they are, from one address.
    pub strangers_per_address: usize,
    /// The same from everywhere.
    pub strangers: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { visitors: 50, per_address: 10, waiting: 200, watchers: 200, strangers_per_address: 64, strangers: 512 }
    }
}

/// Counts connections.
#[derive(Debug)]
pub(super) struct ConnectionLimit {
    limits: Limits,
    inside: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    /// Those who have not shown yet who they are, or what they want, by the number under which each came.
    strangers: BTreeMap<u64, PendingConnection>,
    next: u64,
    visitors: usize,
    presenters: usize,
    watchers: usize,
    visitors_by_address: HashMap<IpAddr, usize>,
    /// From where somebody logged in, the last one first.
    known: VecDeque<IpAddr>,
}

#[derive(Debug)]
struct PendingConnection {
    network: IpAddr,
    standing: EvictionPriority,
    evicted: CancellationToken,
}

/// Who gives way to whom, the first one first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum EvictionPriority {
    /// Nothing is known of them.
    Unknown,
    /// Somebody logged in from there before, or they come to present.
    Preferred,
    /// They have shown who they are, and have not said yet what they want.
    Authenticated,
}

/// Why somebody is turned away, as words for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum CapacityError {
    /// Others came when all places for strangers were taken, and this one had stood there longest.
    #[error("too many connections are being opened here, and yours was the oldest that had not logged in; try again")]
    Strangers,
    /// Their own address has enough.
    #[error("your address has reached its maximum number of connections; close one first")]
    AddressFull,
    /// The line is at its longest.
    #[error("all places are taken and the queue is full; try again later")]
    QueueFull,
    /// As many look on as may.
    #[error("the maximum number of spectators is reached; try again later")]
    Watchers,
    /// Too many have logged in to present.
    #[error("too many presenters are logging in; try again in a minute")]
    Presenters,
}

/// One connection, counted for as long as this lives.
#[derive(Debug)]
pub(super) struct ConnectionPermit {
    doorway: Arc<ConnectionLimit>,
    network: IpAddr,
    number: u64,
    evicted: CancellationToken,
    /// As what they visit, once they do.
    role: Option<Role>,
}

impl ConnectionLimit {
    pub(super) fn new(limits: Limits) -> Arc<Self> {
        Arc::new(Self { limits, inside: Mutex::default() })
    }

    fn inside(&self) -> MutexGuard<'_, Counts> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a stranger into the doorway, in place of another one if need be.
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

    /// How many connections there are.
    pub(super) fn count(&self) -> usize {
        let inside = self.inside();
        inside.strangers.len() + inside.visitors + inside.presenters + inside.watchers
    }
}

impl Limits {
    /// How many strangers may be of whom nothing is known.
    fn unknown(self) -> usize {
        self.strangers.saturating_sub(self.strangers.div_ceil(KEPT_PART)).max(1)
    }
}

impl Counts {
    /// Has the oldest strangers go until there is room for one more.
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

    /// Has one go: of those with the least standing, the oldest.
    fn evict(&mut self, candidate: impl Fn(&PendingConnection) -> bool) {
        let candidates = self.strangers.iter().filter(|(_, stranger)| candidate(stranger));
        let Some(oldest) = candidates.min_by_key(|(number, stranger)| (stranger.standing, **number)) else { return };
        let number = *oldest.0;
        if let Some(stranger) = self.strangers.remove(&number) {
            stranger.evicted.cancel();
        }
    }

    /// Somebody logged in from there.
    fn learn(&mut self, network: IpAddr) {
        self.known.retain(|known| *known != network);
        self.known.push_front(network);
        self.known.truncate(MOST_NETWORKS);
    }

    /// How many there are in this role.
    fn of(&mut self, role: Role) -> &mut usize {
        match role {
            Role::Visitor => &mut self.visitors,
            Role::Presenter => &mut self.presenters,
            Role::Spectator => &mut self.watchers,
        }
    }
}

impl ConnectionPermit {
    /// Cancelled when another one took this place.
    pub(super) fn evicted(&self) -> CancellationToken {
        self.evicted.clone()
    }

    /// They say that they come to present: one of the places that are kept is theirs, while there is one.
    pub(super) fn prefer_presenter(&self) {
        let mut inside = self.doorway.inside();
        let kept = self.doorway.limits.strangers.saturating_sub(self.doorway.limits.unknown());
        let preferred =
            inside.strangers.values().filter(|stranger| stranger.standing == EvictionPriority::Preferred).count();
        if let Some(stranger) = inside.strangers.get_mut(&self.number).filter(|_| preferred < kept) {
            stranger.standing = stranger.standing.max(EvictionPriority::Preferred);
        }
    }

    /// They have shown who they are.
    pub(super) fn mark_authenticated(&self) {
        let mut inside = self.doorway.inside();
        inside.learn(self.network);
        if let Some(stranger) = inside.strangers.get_mut(&self.number) {
            stranger.standing = EvictionPriority::Authenticated;
        }
    }

    /// The stranger has shown who they are, and would visit in this role. Only visitors are counted by address: those who
    /// look on from one room often share one, and presenters are known.
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
            // Whoever was evicted is not there any more.
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

/// What counts as one address: of version 6, a household has 2⁶⁴ of them.
pub(super) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
        address @ IpAddr::V4(_) => address,
    }
}
