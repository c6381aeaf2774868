//! Desks: workspaces that two visitors of one login name share, as maker and checker.
//!
//! A desk is there while anybody has a seat at it, also in the queue. A seat that becomes vacant goes to the next login
//! under the name, so that whoever lost a connection comes back to the same desk.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::workspace::Treasury;
use crate::runtime::demo::DemoSigner;

/// All desks at which somebody has a seat.
#[derive(Default)]
pub(super) struct Desks(Mutex<HashMap<Box<str>, OccupiedDesk>>);

struct OccupiedDesk {
    treasury: Arc<SharedTreasury>,
    seats: Vec<DemoSigner>,
}

/// What both seats share, once one of them was given a console.
pub(super) type SharedTreasury = tokio::sync::Mutex<Option<Arc<Treasury>>>;

/// A seat at a desk, vacant again on drop.
pub(super) struct DeskSeat {
    desks: Arc<Desks>,
    pub(super) name: Box<str>,
    pub(super) treasury: Arc<SharedTreasury>,
    pub(super) signer: DemoSigner,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} has its maker and its checker already; log in under another name, such as {other}", other = other_name(.0))]
pub(super) struct DeskFull(Box<str>);

impl Desks {
    /// Takes the first vacant seat of this desk: the maker's, then the checker's.
    pub(super) fn take_seat(self: &Arc<Self>, name: &str) -> Result<DeskSeat, DeskFull> {
        let mut desks = self.lock();
        let occupied =
            desks.entry(name.into()).or_insert_with(|| OccupiedDesk { treasury: Arc::default(), seats: vec![] });
        let vacant = DemoSigner::ALL.into_iter().find(|signer| !occupied.seats.contains(signer));
        let signer = vacant.ok_or_else(|| DeskFull(name.into()))?;
        occupied.seats.push(signer);
        Ok(DeskSeat { desks: Arc::clone(self), name: name.into(), treasury: Arc::clone(&occupied.treasury), signer })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Box<str>, OccupiedDesk>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for DeskSeat {
    fn drop(&mut self) {
        let mut desks = self.desks.lock();
        let Some(occupied) = desks.get_mut(&self.name) else { return };
        occupied.seats.retain(|signer| *signer != self.signer);
        if occupied.seats.is_empty() {
            // The seat's own share of the treasury is dropped last, without the lock.
            desks.remove(&self.name);
        }
    }
}

/// A name that is likely to be free.
fn other_name(name: &str) -> &'static str {
    if name == "desk2" { "desk3" } else { "desk2" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_desk_has_two_seats_and_is_gone_with_the_last_of_them() {
        let desks = Arc::<Desks>::default();
        let maker = desks.take_seat("desk1").unwrap();
        let checker = desks.take_seat("desk1").unwrap();
        assert_eq!((maker.signer, checker.signer), (DemoSigner::Maker, DemoSigner::Checker));
        assert!(Arc::ptr_eq(&maker.treasury, &checker.treasury));
        let full = desks.take_seat("desk1").err().unwrap();
        assert!(full.to_string().ends_with("log in under another name, such as desk2"), "{full}");
        let elsewhere = desks.take_seat("desk2").unwrap();
        assert_eq!(elsewhere.signer, DemoSigner::Maker);
        assert!(!Arc::ptr_eq(&maker.treasury, &elsewhere.treasury));
        // A vacant seat is taken by whoever comes next, at the same desk.
        let treasury = Arc::downgrade(&maker.treasury);
        drop(maker);
        let new_seat = desks.take_seat("desk1").unwrap();
        assert_eq!(new_seat.signer, DemoSigner::Maker);
        assert!(Arc::ptr_eq(&new_seat.treasury, &checker.treasury));
        drop((new_seat, checker));
        assert!(treasury.upgrade().is_none());
        assert_eq!(desks.lock().len(), 1);
    }
}
