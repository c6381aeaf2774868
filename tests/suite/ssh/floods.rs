//! Strangers and visitors who send nonsense, too much, or nothing; and those who do not read.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use bursar::ssh::Access;
use russh::client::AuthResult;

use crate::harness::wait::PATIENCE;
use crate::ssh::test_client::{KERNEL, TestClient, TestHost};

/// A socket that gives up at last.
fn socket(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    stream
}

/// Everything that comes until the host closes; what is cut off counts as closed.
fn rest(mut stream: TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _closed_or_reset = stream.read_to_end(&mut bytes).map_err(|error| {
        assert_ne!(error.kind(), std::io::ErrorKind::WouldBlock, "the host does not close it");
    });
    bytes
}

/// Somebody else is served meanwhile.
fn serves(house: &TestHost) {
    let address = house.address();
    house.runtime.block_on(async {
        let mut caller = TestHost::visitor(address).await;
        caller.types("3").await;
        caller.sees("Time (UTC)").await;
        caller.types("q").await;
        assert_eq!(caller.ends().await, Some(0));
    });
}

#[test]
fn whoever_says_nothing_is_dropped() {
    let house = TestHost::open(|options| options.time_limits.client_step_time_out = Duration::from_secs(1));
    let silent = socket(house.address());
    let banner = rest(silent);
    assert!(banner.starts_with(b"SSH-2.0-bursar\r\n"));
    assert!(String::from_utf8_lossy(&banner).contains("nothing was received for 1 second; log in again"), "{banner:?}");
    let mut halfway = socket(house.address());
    halfway.write_all(b"SSH-2.0-slow\r\n").unwrap();
    rest(halfway);
    house.empties();
    // Known, and never asks for anything. To become known takes a while where others compute, too.
    let house = TestHost::open(|options| options.time_limits.client_step_time_out = Duration::from_secs(4));
    house.runtime.block_on(async {
        let mut caller = TestClient::comes_in(house.address(), "demo").await;
        let _channel = caller.handle.channel_open_session().await.unwrap();
        let end = tokio::time::timeout(Duration::from_mins(1), &mut caller.handle).await;
        assert!(end.is_ok(), "it goes on");
    });
    house.empties();
}

#[test]
#[expect(clippy::disallowed_methods, reason = "time goes on here as it does for strangers, and is compared")]
fn a_version_that_comes_late_wins_no_time() {
    let house = TestHost::open(|options| options.time_limits.client_step_time_out = Duration::from_secs(6));
    let arrival = Instant::now();
    let mut late = socket(house.address());
    late.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let mut replies = Vec::new();
    assert!(late.read_to_end(&mut replies).is_err(), "it waits for the version");
    assert_eq!(replies, b"SSH-2.0-bursar\r\n");
    late.write_all(b"SSH-2.0-late\r\n").unwrap();
    late.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    rest(late);
    // A version that won time would get 11 seconds.
    assert!(arrival.elapsed() < Duration::from_secs(10), "it ended after {:?}", arrival.elapsed());
    house.empties();
}

#[test]
fn whoever_goes_on_guessing_over_many_connections_is_held_up_and_told() {
    let house = TestHost::open(|options| {
        options.access = Access::with_keys_or_passphrase(None, Some(&"correct horse".into())).unwrap();
    });
    let address = house.address();
    let guesses = async {
        for attempts in 0.. {
            let mut caller = TestClient::connects(address).await.unwrap();
            let answer = caller.handle.authenticate_password("demo", "battery staple").await.unwrap();
            assert!(matches!(answer, AuthResult::Failure { .. }), "it was let in");
            if house.host_events().iter().any(|line| line.contains("too many wrong pass-phrases; wait a minute")) {
                return attempts;
            }
        }
        0
    };
    let attempts = house.runtime.block_on(async { tokio::time::timeout(PATIENCE, guesses).await });
    assert!(attempts.as_ref().is_ok_and(|attempts| *attempts >= 6), "{attempts:?}");
    house.tells("gave a wrong pass-phrase");
    assert!(!house.host_events().iter().any(|line| line.contains("battery")), "{:?}", house.host_events());
}

/// Silent sockets from an address of this machine.
fn silent_from(host: u8, count: usize, house: &TestHost) -> Vec<std::net::TcpStream> {
    let address = house.address();
    house.runtime.block_on(async {
        let mut sockets = Vec::new();
        for _ in 0..count {
            let socket = tokio::net::TcpSocket::new_v4().unwrap();
            socket.bind(SocketAddr::from(([127, 0, 0, host], 0))).unwrap();
            sockets.push(socket.connect(address).await.unwrap().into_std().unwrap());
        }
        sockets
    })
}

#[test]
fn silent_connections_from_eight_addresses_lock_nobody_out() {
    let house = TestHost::open(|options| options.time_limits.client_step_time_out = Duration::from_mins(10));
    let mut silent: Vec<_> = (2..=9).flat_map(|host| silent_from(host, 64, &house)).collect();
    // All places for strangers are taken, and whoever comes is served at once: the oldest that says nothing goes.
    serves(&house);
    house.tells("yours was the oldest that had not logged in");
    let oldest = silent.remove(0);
    oldest.set_nonblocking(false).unwrap();
    oldest.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    let banner = String::from_utf8_lossy(&rest(oldest)).into_owned();
    assert!(banner.contains("yours was the oldest that had not logged in"), "{banner}");
    // One address has no more than its own places, whoever it takes them from.
    let more = silent_from(2, 200, &house);
    serves(&house);
    drop((silent, more));
    house.empties();
}

#[test]
fn nonsense_is_closed_and_harms_nobody() {
    let house = TestHost::open(|_| {});
    let random = |count: usize, seed: u64| {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let step = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()[0]
        };
        std::iter::repeat_with(step).take(count).collect::<Vec<u8>>()
    };
    let version = b"SSH-2.0-nonsense\r\n".to_vec();
    let packet = |length: u32, content: &[u8]| [&version[..], &length.to_be_bytes(), content].concat();
    let mut payloads = vec![
        b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        b"SSH-1.5-old\r\n".to_vec(),
        vec![b'a'; 100_000],
        b"\0\0\0\0\r\n".to_vec(),
        packet(u32::MAX, &[20; 64]),
        packet(0, &[]),
        packet(1, &[0]),
        packet(12, &[200; 12]),
        packet(12, &[0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        // A message of a later stage.
        packet(12, &[4, 50, 0, 0, 0, 1, b'x', 0, 0, 0, 0, 0]),
        packet(12, &[4, 90, 0, 0, 0, 1, b'x', 0, 0, 0, 0, 0]),
    ];
    payloads.extend((1..20).map(|seed| [&version[..], &random(500, seed)].concat()));
    payloads.extend((20..40).map(|seed| random(300, seed)));
    for bytes in payloads {
        let mut stream = socket(house.address());
        let _closed_already = stream.write_all(&bytes);
        let _closed_already = stream.shutdown(std::net::Shutdown::Write);
        rest(stream);
    }
    house.empties();
    serves(&house);
}

#[test]
fn windows_of_any_size_are_painted() {
    let house = TestHost::open(|_| {});
    let address = house.address();
    house.runtime.block_on(async {
        for size in [(0, 0), (65_535, 65_535), (u32::MAX, 1), (1, u32::MAX), (1, 1)] {
            let mut caller = TestClient::comes_in(address, "demo").await;
            caller.asks_for_a_shell("xterm-256color", size).await;
            caller.channel().window_change(80, 24, u32::MAX, u32::MAX).await.unwrap();
            caller.sees("Treasury").await;
            for turn in 0..500_u32 {
                let size = (turn.wrapping_mul(2_654_435_761) >> 12, turn.wrapping_mul(40_503) >> 4);
                caller.channel().window_change(size.0, size.1, 0, 0).await.unwrap();
            }
            caller.channel().window_change(80, 24, 0, 0).await.unwrap();
            caller.types("3").await;
            caller.sees("Time (UTC)").await;
            caller.types("q").await;
            assert_eq!(caller.ends().await, Some(0), "{size:?}");
            assert!(caller.is_whole());
        }
    });
}

#[test]
fn terminals_of_any_name_are_served() {
    let house = TestHost::open(|_| {});
    let address = house.address();
    let long = "x".repeat(10_000);
    house.runtime.block_on(async {
        for name in ["", "dumb", "vt100", "linux", &long, "\x1b[2J", "é", "xterm-direct"] {
            let mut caller = TestClient::comes_in(address, "demo").await;
            caller.asks_for_a_shell(name, (80, 24)).await;
            caller.sees("Treasury").await;
            caller.types("q").await;
            assert_eq!(caller.ends().await, Some(0), "{name:?}");
        }
    });
}

#[test]
fn more_input_than_is_taken_waits_its_turn_and_is_not_lost() {
    let house = TestHost::open(|_| {});
    let address = house.address();
    house.runtime.block_on(async {
        let mut caller = TestHost::visitor(address).await;
        caller.types("3").await;
        caller.sees("Time (UTC)").await;
        // More than fits into any buffer on the way; half a list is no list, so it is refused whole.
        let paste = format!("\x1b[200~{}\x1b[201~", "x".repeat(3 << 20));
        caller.types(&paste).await;
        caller.types(&"j".repeat(5_000)).await;
        caller.types("1").await;
        caller.sees("Treasury").await;
        // A flood behind the key that ends it is thrown away, and the terminal is given back all the same.
        caller.types(&format!("q{}", "j".repeat(1 << 20))).await;
        assert_eq!(caller.ends().await, Some(0));
        assert!(caller.is_whole());
    });
    house.empties();
}

#[test]
fn a_visitor_who_floods_and_does_not_read_is_ended_in_time_and_leaves_nothing_behind() {
    let mut house = TestHost::open(|options| {
        options.workspace_options.pace = bursar::service::Pace::per_mille(50_000).unwrap();
        options.time_limits.max_visit = Duration::from_secs(4);
    });
    let (caller, flood) = house.runtime.block_on(async {
        let caller = TestHost::visitor(house.address()).await;
        caller.reads(false);
        // Each page is a picture, and nobody takes one; what no longer fits anywhere waits at the visitor's end.
        let channel = caller.channel();
        (caller, tokio::spawn(async move { channel.data_bytes("31".repeat(1 << 20)).await }))
    });
    house.tells("left as demo");
    house.empties();
    flood.abort();
    caller.reads(true);
    drop(caller);
    assert!(
        house.host_events().last().unwrap().ends_with("maximum visit length of 4 seconds reached"),
        "{:?}",
        house.host_events()
    );
    serves(&house);
    assert_eq!(house.stops(), 0, "tasks that go on");
}

#[test]
fn a_visitor_who_does_not_read_holds_nobody_up_and_is_owed_one_frame() {
    let house = TestHost::open(|options| {
        options.workspace_options.pace = bursar::service::Pace::per_mille(50_000).unwrap();
        options.time_limits.idle_time_out = Duration::from_mins(10);
    });
    let address = house.address();
    house.runtime.block_on(async {
        let mut sleeper = TestHost::visitor(address).await;
        sleeper.reads(false);
        // Each of these asks for a picture of its own.
        for _ in 0..200 {
            sleeper.types_blindly("31").await;
        }
        let mut other = TestHost::visitor(address).await;
        for _ in 0..20 {
            other.types("3").await;
            other.sees("Time (UTC)").await;
            other.types("1").await;
            other.sees("Treasury").await;
        }
        let before = sleeper.bytes.len();
        assert!(before > 0);
        sleeper.reads(true);
        sleeper.types("3").await;
        sleeper.sees("Time (UTC)").await;
        let byte_count = sleeper.bytes.len() - before;
        // What both kernels hold, one parcel, what is left of one frame, and the frame that shows the key; none is larger than
        // all that came at first.
        let most = 2 * 2 * usize::try_from(KERNEL).unwrap() + 8 * 1024 + 2 * before;
        assert!(byte_count < most, "{byte_count} bytes had been queued, more than {most}");
        sleeper.types("q").await;
        assert_eq!(sleeper.ends().await, Some(0));
        other.types("q").await;
        assert_eq!(other.ends().await, Some(0));
    });
    house.empties();
}
