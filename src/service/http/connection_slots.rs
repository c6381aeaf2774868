//! Connection slots: when all are taken, the connection that has been idle longest is closed.
//!
//! A client that opens thousands of silent connections must not lock others out, and a client that waits for an answer
//! must not lose it: only connections without a request under way are closed.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

#[derive(Debug)]
pub(super) struct ConnectionSlots {
    most: usize,
    turn: AtomicU64,
    taken: Mutex<HashMap<u64, SlotUsage>>,
    freed: Notify,
}

#[derive(Debug)]
struct SlotUsage {
    /// Requests under way.
    busy: u32,
    /// When a request last began or ended, on the counter `turn`.
    last: u64,
    close: CancellationToken,
}

/// Frees its slot when dropped.
#[derive(Debug)]
pub(super) struct ConnectionSlot {
    places: Arc<ConnectionSlots>,
    number: u64,
    /// Asks the connection to end.
    pub(super) close: CancellationToken,
}

/// Counts a request under way until dropped.
#[derive(Debug)]
pub(super) struct BusyGuard<'a>(&'a ConnectionSlot);

impl ConnectionSlots {
    pub(super) fn new(most: usize) -> Arc<Self> {
        let (turn, taken, freed) = (AtomicU64::new(0), Mutex::default(), Notify::new());
        Arc::new(Self { most, turn, taken, freed })
    }

    /// Takes a slot; waits while every connection is busy.
    pub(super) async fn acquire(self: &Arc<Self>) -> ConnectionSlot {
        loop {
            let freed = self.freed.notified();
            if let Some(place) = self.try_take() {
                return place;
            }
            freed.await;
        }
    }

    fn try_take(self: &Arc<Self>) -> Option<ConnectionSlot> {
        let mut taken = self.taken();
        if taken.len() >= self.most {
            let idle = taken.iter().filter(|(_, connection)| connection.busy == 0);
            let number = idle.min_by_key(|(_, connection)| connection.last).map(|(number, _)| *number)?;
            // The slot is free at once; the connection ends a moment later.
            taken.remove(&number)?.close.cancel();
        }
        let number = self.turn();
        let close = CancellationToken::new();
        taken.insert(number, SlotUsage { busy: 0, last: number, close: close.clone() });
        Some(ConnectionSlot { places: Arc::clone(self), number, close })
    }

    fn turn(&self) -> u64 {
        self.turn.fetch_add(1, Ordering::Relaxed)
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<u64, SlotUsage>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionSlot {
    pub(super) fn mark_busy(&self) -> BusyGuard<'_> {
        self.count(|busy| busy + 1);
        BusyGuard(self)
    }

    fn count(&self, change: impl FnOnce(u32) -> u32) {
        let last = self.places.turn();
        if let Some(connection) = self.places.taken().get_mut(&self.number) {
            connection.busy = change(connection.busy);
            connection.last = last;
        }
    }
}

impl Drop for BusyGuard<'_> {
    fn drop(&mut self) {
        self.0.count(|busy| busy.saturating_sub(1));
        // An idle connection can be closed to make room.
        self.0.places.freed.notify_one();
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.places.taken().remove(&self.number);
        self.places.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[test]
    fn the_longest_idle_connection_makes_room_and_a_busy_one_never() {
        let places = ConnectionSlots::new(2);
        let take = || places.acquire().now_or_never();
        let (first, second) = (take().unwrap(), take().unwrap());
        // The first was used since the second was opened.
        drop(first.mark_busy());
        let third = take().unwrap();
        assert!(second.close.is_cancelled() && !first.close.is_cancelled());
        let (_one, _other) = (first.mark_busy(), third.mark_busy());
        assert!(take().is_none(), "whoever waits for an answer keeps its place");
        drop(second);
        assert!(take().is_none(), "a place that was given away is not given back");
    }
}
