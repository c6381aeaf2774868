//! Slots for sessions, and the queue for them: first come, first served.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

#[derive(Debug)]
pub(super) struct Admission {
    places: usize,
    state: Mutex<QueueState>,
    moved: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct QueueState {
    taken: usize,
    line: BTreeSet<u64>,
    next: u64,
}

/// A place in the queue, left on drop.
#[derive(Debug)]
pub(super) struct QueueTicket {
    seats: Arc<Admission>,
    number: u64,
}

/// A slot for a session, free again on drop.
#[derive(Debug)]
pub(super) struct Seat {
    seats: Arc<Admission>,
}

impl Admission {
    pub(super) fn new(places: usize) -> Arc<Self> {
        Arc::new(Self { places, state: Mutex::default(), moved: watch::Sender::new(()) })
    }

    pub(super) fn wait(self: &Arc<Self>) -> QueueTicket {
        let mut state = self.state();
        let number = state.next;
        state.next += 1;
        state.line.insert(number);
        QueueTicket { seats: Arc::clone(self), number }
    }

    pub(super) fn capacity(&self) -> usize {
        self.places
    }

    /// How many tickets are ahead of this number; `None` once a slot is free for it.
    pub(super) fn queue_position(&self, number: u64) -> Option<usize> {
        let state = self.state();
        let ahead = state.line.range(..number).count();
        let waits = state.line.contains(&number) && ahead >= self.places.saturating_sub(state.taken);
        waits.then_some(ahead)
    }

    /// Notified of every move of the queue.
    pub(super) fn moves(&self) -> watch::Receiver<()> {
        self.moved.subscribe()
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl QueueTicket {
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// How many tickets are ahead; `None` once a slot is free.
    pub(super) fn queue_position(&self) -> Option<usize> {
        self.seats.queue_position(self.number)
    }

    pub(super) async fn seat(self) -> Seat {
        let mut moves = self.seats.moves();
        loop {
            {
                let mut state = self.seats.state();
                let ahead = state.line.range(..self.number).count();
                if ahead < self.seats.places.saturating_sub(state.taken) {
                    state.taken += 1;
                    break;
                }
            }
            if moves.changed().await.is_err() {
                // Unreachable: `seats` owns the sender.
                std::future::pending::<()>().await;
            }
        }
        Seat { seats: Arc::clone(&self.seats) }
    }
}

impl Drop for QueueTicket {
    fn drop(&mut self) {
        self.seats.state().line.remove(&self.number);
        self.seats.moved.send_replace(());
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut state = self.seats.state();
        state.taken = state.taken.saturating_sub(1);
        drop(state);
        self.seats.moved.send_replace(());
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[test]
    fn whoever_came_first_is_seated_first() {
        let seats = Admission::new(1);
        let taken = seats.wait().seat().now_or_never().unwrap();
        let (second, third) = (seats.wait(), seats.wait());
        let numbers = [second.number(), third.number()];
        assert_eq!(numbers.map(|number| seats.queue_position(number)), [Some(0), Some(1)]);
        let mut third = Box::pin(third.seat());
        let mut second = Box::pin(second.seat());
        assert!((&mut third).now_or_never().is_none());
        assert!((&mut second).now_or_never().is_none());
        drop(taken);
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
        let taken = seats.wait().seat().now_or_never().unwrap();
        let (second, third) = (seats.wait(), seats.wait());
        assert_eq!(seats.queue_position(third.number()), Some(1));
        drop(second);
        assert_eq!(seats.queue_position(third.number()), Some(0));
        drop(taken);
        assert!(third.seat().now_or_never().is_some());
        assert_eq!(seats.state().taken, 0, "and the place is free again");
    }
}
