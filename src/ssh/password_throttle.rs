//! Counts wrong pass-phrases by network: further guesses wait longer and longer, over however many connections.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::connection_limit::network_of;
use super::host_event::RateLimitedReport;

/// Wrong pass-phrases without a pause: people mistype.
const FREE_GUESSES: u32 = 6;

/// The first pause; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// How long without a wrong pass-phrase until a network's count is dropped.
const FAILURE_MEMORY: Duration = Duration::from_hours(1);

/// Most networks counted. The one whose last guess is the oldest is dropped.
const MOST_NETWORKS: usize = 1_024;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum GuessResult {
    Correct,
    /// Wrong; `Some` if it is to be reported, with the number of earlier ones that were not.
    Wrong(Option<usize>),
    /// Not compared: the network is in a pause.
    TooSoon,
}

#[derive(Debug, Default)]
pub(super) struct PasswordThrottle(Mutex<FailureCounts>);

#[derive(Debug, Default)]
struct FailureCounts {
    by_network: HashMap<IpAddr, Failures>,
    wrong_guess_reports: RateLimitedReport,
}

#[derive(Debug)]
struct Failures {
    count: u32,
    last_guess: Instant,
}

impl Failures {
    /// When the next guess is compared.
    fn pause_ends_at(&self) -> Instant {
        let Some(doublings) = self.count.checked_sub(FREE_GUESSES) else { return self.last_guess };
        self.last_guess + FIRST_PAUSE.saturating_mul(1 << doublings.min(16)).min(LONGEST_PAUSE)
    }
}

impl PasswordThrottle {
    pub(super) fn is_paused(&self, address: IpAddr, now: Instant) -> bool {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.is_paused(network_of(address), now)
    }

    /// Judges a pass-phrase from this address. Concurrent guesses are judged one after another.
    pub(super) fn judge_guess(&self, address: IpAddr, now: Instant, is_right: impl FnOnce() -> bool) -> GuessResult {
        let network = network_of(address);
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.is_paused(network, now) {
            return GuessResult::TooSoon;
        }
        if is_right() {
            return GuessResult::Correct;
        }
        counts.make_room_for_network(network, now);
        let wrong = counts.by_network.entry(network).or_insert(Failures { count: 0, last_guess: now });
        wrong.count = wrong.count.saturating_add(1);
        wrong.last_guess = now;
        GuessResult::Wrong(counts.wrong_guess_reports.report_unless_limited(now))
    }
}

impl FailureCounts {
    fn is_paused(&self, network: IpAddr, now: Instant) -> bool {
        self.by_network.get(&network).is_some_and(|wrong| now < wrong.pause_ends_at())
    }

    /// Drops networks that have not guessed for long, or else the one whose last guess is the oldest.
    fn make_room_for_network(&mut self, network: IpAddr, now: Instant) {
        self.by_network.retain(|_, wrong| now < wrong.last_guess + FAILURE_MEMORY);
        if self.by_network.len() < MOST_NETWORKS || self.by_network.contains_key(&network) {
            return;
        }
        let oldest = self.by_network.iter().min_by_key(|(_, wrong)| wrong.last_guess).map(|(network, _)| *network);
        oldest.map(|oldest| self.by_network.remove(&oldest));
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;
    use crate::runtime::Clock;

    const SECOND: Duration = Duration::from_secs(1);

    fn ip_of_host(number: u32) -> IpAddr {
        Ipv4Addr::from_bits(0xc612_0000 + number).into()
    }

    #[test]
    fn whoever_goes_on_guessing_waits_longer_and_longer() {
        let guesses = PasswordThrottle::default();
        let mut now = Clock::System.instant();
        for _ in 0..FREE_GUESSES {
            assert!(matches!(guesses.judge_guess(ip_of_host(1), now, || false), GuessResult::Wrong(_)));
        }
        for pause in [1, 2, 4, 8, 16, 32, 60, 60] {
            // Nothing is looked at meanwhile, and nothing makes the pause longer.
            let before = now + pause * SECOND - Duration::from_millis(1);
            assert_eq!(guesses.judge_guess(ip_of_host(1), before, || unreachable!()), GuessResult::TooSoon, "{pause}");
            assert!(guesses.is_paused(ip_of_host(1), before));
            now += pause * SECOND;
            assert!(matches!(guesses.judge_guess(ip_of_host(1), now, || false), GuessResult::Wrong(_)), "{pause}");
        }
        assert_eq!(guesses.judge_guess(ip_of_host(2), now, || true), GuessResult::Correct, "others do not wait");
        now += FAILURE_MEMORY;
        assert_eq!(guesses.judge_guess(ip_of_host(1), now, || true), GuessResult::Correct);
        for _ in 0..FREE_GUESSES {
            assert!(
                matches!(guesses.judge_guess(ip_of_host(1), now, || false), GuessResult::Wrong(_)),
                "it begins anew"
            );
        }
    }

    #[test]
    fn a_household_is_one_guesser() {
        let guesses = PasswordThrottle::default();
        let now = Clock::System.instant();
        for number in 0..FREE_GUESSES {
            let address = format!("2001:db8::{number}").parse().unwrap();
            assert!(matches!(guesses.judge_guess(address, now, || false), GuessResult::Wrong(_)));
        }
        assert!(guesses.is_paused("2001:db8::ffff".parse().unwrap(), now));
        assert!(!guesses.is_paused("2001:db8:0:1::1".parse().unwrap(), now), "the neighbours");
    }

    #[test]
    fn a_flood_of_networks_takes_no_more_room_and_is_no_flood_of_lines() {
        let guesses = PasswordThrottle::default();
        let start = Clock::System.instant();
        let mut notice_count = 0;
        for number in 0..5_000 {
            let now = start + Duration::from_millis(number.into());
            notice_count += usize::from(matches!(
                guesses.judge_guess(ip_of_host(number), now, || false),
                GuessResult::Wrong(Some(_))
            ));
        }
        assert_eq!(notice_count, 5);
        let counts = guesses.0.lock().unwrap();
        assert_eq!(counts.by_network.len(), MOST_NETWORKS);
        assert!(counts.by_network.contains_key(&ip_of_host(4_999)) && !counts.by_network.contains_key(&ip_of_host(0)));
    }
}
