//! Slots for sessions, and the queue for them: first come, first served.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

#[derive(Debug)]
pub(super) struct Admission {
    slots: usize,
    state: Mutex<QueueState>,
    queue_moved: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct QueueState {
    slots_taken: usize,
    waiting_numbers: BTreeSet<u64>,
    next_number: u64,
}

/// A place in the queue, left on drop.
#[derive(Debug)]
pub(super) struct QueueTicket {
    admission: Arc<Admission>,
    number: u64,
}

/// A slot for a session, free again on drop.
#[derive(Debug)]
pub(super) struct SessionSlot {
    admission: Arc<Admission>,
}

impl Admission {
    pub(super) fn new(places: usize) -> Arc<Self> {
        Arc::new(Self { slots: places, state: Mutex::default(), queue_moved: watch::Sender::new(()) })
    }

    pub(super) fn join_queue(self: &Arc<Self>) -> QueueTicket {
        let mut state = self.lock_state();
        let number = state.next_number;
        state.next_number += 1;
        state.waiting_numbers.insert(number);
        QueueTicket { admission: Arc::clone(self), number }
    }

    pub(super) fn capacity(&self) -> usize {
        self.slots
    }

    /// How many tickets are ahead of this number; `None` once a slot is free for it.
    pub(super) fn queue_position(&self, number: u64) -> Option<usize> {
        let state = self.lock_state();
        let count_ahead = state.waiting_numbers.range(..number).count();
        let waits =
            state.waiting_numbers.contains(&number) && count_ahead >= self.slots.saturating_sub(state.slots_taken);
        waits.then_some(count_ahead)
    }

    /// Notified of every move of the queue.
    pub(super) fn subscribe_to_queue(&self) -> watch::Receiver<()> {
        self.queue_moved.subscribe()
    }

    fn lock_state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl QueueTicket {
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// How many tickets are ahead; `None` once a slot is free.
    pub(super) fn queue_position(&self) -> Option<usize> {
        self.admission.queue_position(self.number)
    }

    pub(super) async fn wait_for_slot(self) -> SessionSlot {
        let mut moves = self.admission.subscribe_to_queue();
        loop {
            {
                let mut state = self.admission.lock_state();
                let count_ahead = state.waiting_numbers.range(..self.number).count();
                if count_ahead < self.admission.slots.saturating_sub(state.slots_taken) {
                    state.slots_taken += 1;
                    break;
                }
            }
            if moves.changed().await.is_err() {
                // Unreachable: `seats` owns the sender.
                std::future::pending::<()>().await;
            }
        }
        SessionSlot { admission: Arc::clone(&self.admission) }
    }
}

impl Drop for QueueTicket {
    fn drop(&mut self) {
        self.admission.lock_state().waiting_numbers.remove(&self.number);
        self.admission.queue_moved.send_replace(());
    }
}

impl Drop for SessionSlot {
    fn drop(&mut self) {
        let mut state = self.admission.lock_state();
        state.slots_taken = state.slots_taken.saturating_sub(1);
        drop(state);
        self.admission.queue_moved.send_replace(());
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[test]
    fn whoever_came_first_is_seated_first() {
        let seats = Admission::new(1);
        let slot = seats.join_queue().wait_for_slot().now_or_never().unwrap();
        let (second, third) = (seats.join_queue(), seats.join_queue());
        let numbers = [second.number(), third.number()];
        assert_eq!(numbers.map(|number| seats.queue_position(number)), [Some(0), Some(1)]);
        let mut third = Box::pin(third.wait_for_slot());
        let mut second = Box::pin(second.wait_for_slot());
        assert!((&mut third).now_or_never().is_none());
        assert!((&mut second).now_or_never().is_none());
        drop(slot);
        assert_eq!(numbers.map(|number| seats.queue_position(number)), [None, Some(1)]);
        assert!((&mut third).now_or_never().is_none(), "it is not their turn");
        let seat = (&mut second).now_or_never().unwrap();
        assert_eq!(seats.queue_position(numbers[1]), Some(0));
        drop(seat);
        assert!(third.now_or_never().is_some());
    }

    #[test]
    fn whoever_leaves_the_line_makes_room_in_it() {
        let seats = Admission::new(1);
        let slot = seats.join_queue().wait_for_slot().now_or_never().unwrap();
        let (second, third) = (seats.join_queue(), seats.join_queue());
        assert_eq!(seats.queue_position(third.number()), Some(1));
        drop(second);
        assert_eq!(seats.queue_position(third.number()), Some(0));
        drop(slot);
        assert!(third.wait_for_slot().now_or_never().is_some());
        assert_eq!(seats.lock_state().slots_taken, 0, "and the place is free again");
    }
}
