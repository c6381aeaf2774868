//! How many may stand in the doorway: connections are counted, and turned away, before anything is spent on them.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Role;

/// How many may have logged in to present at once: one presents, and those that were taken over are gone in seconds.
const PRESENTERS: usize = 8;

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
pub(super) struct Doorway {
    limits: Limits,
    inside: Mutex<Inside>,
}

#[derive(Debug, Default)]
struct Inside {
    strangers: usize,
    visitors: usize,
    presenters: usize,
    watchers: usize,
    by_address: HashMap<IpAddr, Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    strangers: usize,
    visitors: usize,
}

/// Why somebody is turned away, as words for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Full {
    /// Too many are being asked who they are.
    #[error("too many connections are being opened here; try again in a minute")]
    Strangers,
    /// Their own address has enough.
    #[error("your address has as many connections open here as it may; close one first")]
    Address,
    /// The line is at its longest.
    #[error("all places are taken, and so is the line for them; try again later")]
    Line,
    /// As many look on as may.
    #[error("as many look on here as may; try again later")]
    Watchers,
    /// Too many have logged in to present.
    #[error("too many log in here to present; try again in a minute")]
    Presenters,
}

/// One connection, counted for as long as this lives.
#[derive(Debug)]
pub(super) struct Entry {
    doorway: Arc<Doorway>,
    network: IpAddr,
    /// As what they visit, once they do.
    role: Option<Role>,
}

impl Doorway {
    pub(super) fn new(limits: Limits) -> Arc<Self> {
        Arc::new(Self { limits, inside: Mutex::default() })
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a stranger into the doorway.
    pub(super) fn enter(self: &Arc<Self>, address: IpAddr) -> Result<Entry, Full> {
        let network = network(address);
        let mut inside = self.inside();
        if inside.strangers >= self.limits.strangers {
            return Err(Full::Strangers);
        }
        let here = inside.by_address.get(&network).map_or(0, |counts| counts.strangers);
        if here >= self.limits.strangers_per_address {
            return Err(Full::Address);
        }
        inside.strangers += 1;
        inside.by_address.entry(network).or_default().strangers += 1;
        Ok(Entry { doorway: Arc::clone(self), network, role: None })
    }

    /// How many connections there are.
    pub(super) fn count(&self) -> usize {
        let inside = self.inside();
        inside.strangers + inside.visitors + inside.presenters + inside.watchers
    }
}

impl Inside {
    /// How many there are in this role; strangers have none.
    fn of(&mut self, role: Option<Role>) -> &mut usize {
        match role {
            None => &mut self.strangers,
            Some(Role::Visitor) => &mut self.visitors,
            Some(Role::Presenter) => &mut self.presenters,
            Some(Role::Spectator) => &mut self.watchers,
        }
    }

    /// One fewer.
    fn leaves(&mut self, network: IpAddr, role: Option<Role>) {
        let of_all = self.of(role);
        *of_all = of_all.saturating_sub(1);
        let Some(here) = self.by_address.get_mut(&network) else { return };
        match role {
            None => here.strangers = here.strangers.saturating_sub(1),
            Some(Role::Visitor) => here.visitors = here.visitors.saturating_sub(1),
            Some(Role::Presenter | Role::Spectator) => {}
        }
        if here.strangers + here.visitors == 0 {
            self.by_address.remove(&network);
        }
    }
}

impl Entry {
    /// The stranger has shown who they are, and would visit in this role. Only visitors are counted by address: those who
    /// look on from one room often share one, and presenters are known.
    pub(super) fn visit(&mut self, role: Role) -> Result<(), Full> {
        if self.role.is_some() {
            return Ok(());
        }
        let limits = &self.doorway.limits;
        let mut inside = self.doorway.inside();
        let here = inside.by_address.get(&self.network).map_or(0, |counts| counts.visitors);
        if role == Role::Visitor && here >= limits.per_address {
            return Err(Full::Address);
        }
        let (most, full) = match role {
            Role::Visitor => (limits.visitors.saturating_add(limits.waiting), Full::Line),
            Role::Presenter => (PRESENTERS, Full::Presenters),
            Role::Spectator => (limits.watchers, Full::Watchers),
        };
        let of_all = inside.of(Some(role));
        if *of_all >= most {
            return Err(full);
        }
        *of_all += 1;
        if role == Role::Visitor {
            inside.by_address.entry(self.network).or_default().visitors += 1;
        }
        inside.leaves(self.network, None);
        self.role = Some(role);
        Ok(())
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.doorway.inside().leaves(self.network, self.role);
    }
}

/// What counts as one address: of version 6, a household has 2⁶⁴ of them.
pub(super) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits =
        Limits { visitors: 2, per_address: 2, waiting: 1, watchers: 3, strangers_per_address: 3, strangers: 4 };

    fn at(address: &str) -> IpAddr {
        address.parse().unwrap()
    }

    #[test]
    fn strangers_are_counted_by_address_and_in_all() {
        let doorway = Doorway::new(LIMITS);
        let here: Vec<_> = (0..3).map(|_| doorway.enter(at("192.0.2.1")).unwrap()).collect();
        assert_eq!(doorway.enter(at("192.0.2.1")).unwrap_err(), Full::Address);
        assert_eq!(doorway.enter(at("::ffff:192.0.2.1")).unwrap_err(), Full::Address, "the same in another notation");
        let _there = doorway.enter(at("192.0.2.2")).unwrap();
        assert_eq!(doorway.enter(at("192.0.2.3")).unwrap_err(), Full::Strangers);
        drop(here);
        assert_eq!(doorway.count(), 1);
        assert!(doorway.enter(at("192.0.2.1")).is_ok());
    }

    #[test]
    fn a_household_is_one_address() {
        let doorway = Doorway::new(LIMITS);
        let entries: Vec<_> =
            ["2001:db8::1", "2001:db8::2", "2001:db8::ffff:1"].iter().map(|host| doorway.enter(at(host))).collect();
        assert!(entries.iter().all(Result::is_ok));
        assert_eq!(doorway.enter(at("2001:db8::3")).unwrap_err(), Full::Address);
        assert!(doorway.enter(at("2001:db8:0:1::1")).is_ok(), "the neighbours");
    }

    #[test]
    fn visitors_are_counted_apart_and_make_room_when_they_leave() {
        let doorway = Doorway::new(LIMITS);
        let enter = |address| {
            let mut entry = doorway.enter(at(address)).unwrap();
            entry.visit(Role::Visitor).map(|()| entry)
        };
        let first = enter("192.0.2.1").unwrap();
        let _second = enter("192.0.2.1").unwrap();
        assert_eq!(enter("192.0.2.1").unwrap_err(), Full::Address);
        let _third = enter("192.0.2.2").unwrap();
        assert_eq!(enter("192.0.2.3").unwrap_err(), Full::Line);
        assert_eq!(doorway.count(), 3);
        drop(first);
        let mut again = enter("192.0.2.1").unwrap();
        assert_eq!(again.visit(Role::Visitor), Ok(()), "one visit is one visit");
        drop(again);
        assert_eq!(doorway.count(), 2);
    }

    #[test]
    fn those_who_look_on_or_present_take_no_visitors_place_and_none_of_their_address() {
        let doorway = Doorway::new(LIMITS);
        let enter = |role| {
            let mut entry = doorway.enter(at("192.0.2.1")).unwrap();
            entry.visit(role).map(|()| entry)
        };
        let watching: Vec<_> = (0..3).map(|_| enter(Role::Spectator).unwrap()).collect();
        assert_eq!(enter(Role::Spectator).unwrap_err(), Full::Watchers);
        let _visiting: Vec<_> = (0..2).map(|_| enter(Role::Visitor).unwrap()).collect();
        assert_eq!(enter(Role::Visitor).unwrap_err(), Full::Address);
        // Whoever is to present is let in when all else is full.
        let presenting: Vec<_> = (0..PRESENTERS).map(|_| enter(Role::Presenter).unwrap()).collect();
        assert_eq!(enter(Role::Presenter).unwrap_err(), Full::Presenters);
        assert_eq!(doorway.count(), 3 + 2 + PRESENTERS);
        drop((watching, presenting));
        assert_eq!(doorway.count(), 2);
        assert!(enter(Role::Spectator).is_ok() && enter(Role::Presenter).is_ok());
    }

    #[test]
    fn nothing_is_remembered_of_those_who_left() {
        let doorway = Doorway::new(LIMITS);
        for host in 0..100 {
            let mut entry = doorway.enter(at(&format!("192.0.2.{host}"))).unwrap();
            if let Some((_, role)) = Role::ALL.get(host % 4) {
                entry.visit(*role).unwrap();
            }
        }
        assert_eq!(doorway.count(), 0);
        assert!(doorway.inside().by_address.is_empty());
    }
}
