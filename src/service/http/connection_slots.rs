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
    capacity: usize,
    use_counter: AtomicU64,
    slots_in_use: Mutex<HashMap<u64, SlotUsage>>,
    slot_freed: Notify,
}

#[derive(Debug)]
struct SlotUsage {
    /// Requests under way.
    requests_under_way: u32,
    /// When a request last began or ended, on `use_counter`.
    last_used: u64,
    close: CancellationToken,
}

/// Frees its slot when dropped.
#[derive(Debug)]
pub(super) struct ConnectionSlot {
    slots: Arc<ConnectionSlots>,
    number: u64,
    /// Asks the connection to end.
    pub(super) close: CancellationToken,
}

/// Counts a request under way until dropped.
#[derive(Debug)]
pub(super) struct BusyGuard<'a>(&'a ConnectionSlot);

impl ConnectionSlots {
    pub(super) fn new(most: usize) -> Arc<Self> {
        let (use_counter, slots_in_use, freed) = (AtomicU64::new(0), Mutex::default(), Notify::new());
        Arc::new(Self { capacity: most, use_counter, slots_in_use, slot_freed: freed })
    }

    /// Takes a slot; waits while every connection is busy.
    pub(super) async fn acquire(self: &Arc<Self>) -> ConnectionSlot {
        loop {
            let freed = self.slot_freed.notified();
            if let Some(place) = self.try_acquire() {
                return place;
            }
            freed.await;
        }
    }

    fn try_acquire(self: &Arc<Self>) -> Option<ConnectionSlot> {
        let mut in_use = self.lock_slots_in_use();
        if in_use.len() >= self.capacity {
            let idle = in_use.iter().filter(|(_, connection)| connection.requests_under_way == 0);
            let number = idle.min_by_key(|(_, connection)| connection.last_used).map(|(number, _)| *number)?;
            // The slot is free at once; the connection ends a moment later.
            in_use.remove(&number)?.close.cancel();
        }
        let number = self.next_use();
        let close = CancellationToken::new();
        in_use.insert(number, SlotUsage { requests_under_way: 0, last_used: number, close: close.clone() });
        Some(ConnectionSlot { slots: Arc::clone(self), number, close })
    }

    fn next_use(&self) -> u64 {
        self.use_counter.fetch_add(1, Ordering::Relaxed)
    }

    fn lock_slots_in_use(&self) -> MutexGuard<'_, HashMap<u64, SlotUsage>> {
        self.slots_in_use.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionSlot {
    pub(super) fn mark_busy(&self) -> BusyGuard<'_> {
        self.update_requests_under_way(|busy| busy + 1);
        BusyGuard(self)
    }

    fn update_requests_under_way(&self, change: impl FnOnce(u32) -> u32) {
        let last = self.slots.next_use();
        if let Some(connection) = self.slots.lock_slots_in_use().get_mut(&self.number) {
            connection.requests_under_way = change(connection.requests_under_way);
            connection.last_used = last;
        }
    }
}

impl Drop for BusyGuard<'_> {
    fn drop(&mut self) {
        self.0.update_requests_under_way(|busy| busy.saturating_sub(1));
        // An idle connection can be closed to make room.
        self.0.slots.slot_freed.notify_one();
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.slots.lock_slots_in_use().remove(&self.number);
        self.slots.slot_freed.notify_one();
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
