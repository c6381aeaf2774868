//! The time that a client and its person have until they are let in, and what they read who are not.

use std::io::Read;
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use bursar::ssh::Access;

use crate::pty::PtySession;
use crate::ssh::host_process::tool;
use crate::ssh::test_client::{TestClient, TestHost};

const PASSPHRASE: &str = "correct horse";

/// A host that asks for a pass-phrase, at which a program may be silent for a second.
fn house(admission: Duration) -> TestHost {
    TestHost::open(|options| {
        options.access = Access::with_keys_or_passphrase(None, Some(&PASSPHRASE.into())).unwrap();
        options.time_limits.client_step_time_out = Duration::from_secs(1);
        options.time_limits.login_time_out = admission;
    })
}

/// Waits for as long as a client may be silent, twice: a silent one is dropped then.
fn silence_ends(address: SocketAddr) {
    for _ in 0..2 {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        assert!(stream.read_to_end(&mut Vec::new()).unwrap() > 0);
    }
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn a_person_may_read_the_fingerprint_and_type_for_longer_than_a_program_may_be_silent() {
    let house = house(Duration::from_mins(2));
    let mut terminal = openssh(&house, "ask");
    terminal.waits_for("Are you sure you want to continue connecting");
    silence_ends(house.address());
    terminal.types("yes\r");
    terminal.waits_for("Pass-phrase:");
    silence_ends(house.address());
    terminal.types(&format!("{PASSPHRASE}\r"));
    terminal.waits_for("Treasury");
    terminal.types("q");
    assert_eq!(terminal.ends().exit_code(), 0);
}

#[test]
fn a_client_that_has_exchanged_keys_and_asks_for_nothing_is_dropped_as_a_silent_one_is() {
    let house = house(Duration::from_mins(2));
    house.runtime.block_on(async {
        let mut caller = TestClient::connects(house.address()).await.unwrap();
        let end = tokio::time::timeout(Duration::from_mins(1), &mut caller.handle).await;
        assert!(end.is_ok(), "it goes on");
    });
    house.tells("nothing was received for 1 second");
    house.empties();
}

/// The client of OpenSSH at this host, whose key it takes for the right one: `no` question, or `ask`.
fn openssh(house: &TestHost, checks: &str) -> PtySession {
    let port = house.address().port().to_string();
    let checks = format!("StrictHostKeyChecking={checks}");
    let ssh = tool("ssh");
    PtySession::open_command(
        &[
            &ssh,
            "-F",
            "none",
            "-p",
            &port,
            "-o",
            &checks,
            "-o",
            "UserKnownHostsFile=/dev/null",
            "-o",
            "IdentityFile=none",
            "-o",
            "NumberOfPasswordPrompts=9",
            "demo@127.0.0.1",
        ],
        &[],
    )
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn whoever_does_not_finish_reads_in_openssh_that_the_time_is_over_and_what_is_asked() {
    let house = house(Duration::from_secs(3));
    let mut terminal = openssh(&house, "no");
    terminal.waits_for("admits those who know the pass-phrase");
    terminal.waits_for("Pass-phrase:");
    house.tells("the login was not completed within 3 seconds; log in again");
    terminal.types("too late\r");
    terminal.waits_for("the login was not completed within 3 seconds; log in again");
    assert_eq!(terminal.ends().exit_code(), 255);
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn whoever_has_guessed_often_enough_reads_so_in_openssh() {
    let house = house(Duration::from_mins(2));
    let mut terminal = openssh(&house, "no");
    for count in 1..=3 {
        terminal.waits_until("a question", |screen| screen.contents().matches("Pass-phrase:").count() == count);
        terminal.types("battery staple\r");
    }
    terminal.waits_for("too many wrong pass-phrases");
    assert_eq!(terminal.ends().exit_code(), 255);
}
