//! Limits the rate of all requests, whatever their purpose, to protect the service.

use std::time::Duration;

use tokio::sync::{Mutex, OnceCell};
use tokio::time::{Interval, MissedTickBehavior, interval};

/// The least time between the starts of requests. A backfill fetches its pages one after the other, and is slower.
const MIN_REQUEST_INTERVAL: Duration = Duration::from_millis(2);

/// A ceiling on the rate of requests: 500 a second.
#[derive(Debug, Default)]
pub(super) struct RequestPacer(OnceCell<Mutex<Interval>>);

impl RequestPacer {
    /// Waits until another request may begin: at once, unless one began just now.
    pub(super) async fn acquire(&self) {
        let interval = async || {
            let mut interval = interval(MIN_REQUEST_INTERVAL);
            interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
            Mutex::new(interval)
        };
        self.0.get_or_init(interval).await.lock().await.tick().await;
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn no_more_than_five_hundred_requests_a_second_begin_however_long_none_did() {
        let pace = RequestPacer::default();
        for _ in 0..2 {
            let turns = async |count: u32| {
                for _ in 0..count {
                    pace.acquire().await;
                }
            };
            assert!(timeout(Duration::from_millis(990), turns(500)).await.is_err(), "there is a ceiling");
            assert!(timeout(Duration::from_millis(1_010), turns(500)).await.is_ok(), "and no lower one");
            tokio::time::advance(Duration::from_mins(1)).await;
        }
    }
}
