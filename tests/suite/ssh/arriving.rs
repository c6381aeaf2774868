//! The time that a client and its person have until they are let in, and what they read who are not.

use std::io::Read;
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use bursar::ssh::Access;
use russh::client;
use russh::keys::PublicKeyOrCertificate;

use crate::pty::Terminal;
use crate::ssh::caller::{Caller, House};
use crate::ssh::lender::tool;

const WORDS: &str = "correct horse";

/// A host that asks for a pass-phrase, at which a program may be silent for a second.
fn house(admission: Duration) -> House {
    House::open(|options| {
        options.access = Access::checked(None, Some(&WORDS.into())).unwrap();
        options.timing.arriving = Duration::from_secs(1);
        options.timing.admission = admission;
    })
}

/// Waits for as long as a client may be silent: a silent one is dropped then.
async fn silence_ends(address: SocketAddr) {
    let silent = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        stream.read_to_end(&mut Vec::new()).unwrap()
    });
    assert!(silent.await.unwrap() > 0);
}

/// Compares the fingerprint for longer than a program may be silent.
struct Reader(SocketAddr);

impl client::Handler for Reader {
    type Error = russh::Error;

    async fn check_server_key(&mut self, _key: &PublicKeyOrCertificate) -> Result<bool, Self::Error> {
        silence_ends(self.0).await;
        silence_ends(self.0).await;
        Ok(true)
    }
}

#[test]
fn a_person_may_read_the_fingerprint_and_type_for_longer_than_a_program_may_be_silent() {
    let house = house(Duration::from_mins(2));
    let address = house.address();
    house.runtime.block_on(async {
        let mut handle = client::connect(std::sync::Arc::default(), address, Reader(address)).await.unwrap();
        assert!(!handle.authenticate_none("demo").await.unwrap().success());
        silence_ends(address).await;
        silence_ends(address).await;
        assert!(handle.authenticate_password("demo", WORDS).await.unwrap().success());
    });
}

#[test]
fn a_client_that_has_exchanged_keys_and_asks_for_nothing_is_dropped_as_a_silent_one_is() {
    let house = house(Duration::from_mins(2));
    house.runtime.block_on(async {
        let mut caller = Caller::connects(house.address()).await.unwrap();
        let ended = tokio::time::timeout(Duration::from_mins(1), &mut caller.handle).await;
        assert!(ended.is_ok(), "it goes on");
    });
    house.tells("nothing was heard for 1 second");
    house.empties();
}

/// The client of OpenSSH at this host.
fn openssh(house: &House) -> Terminal {
    let port = house.address().port().to_string();
    let ssh = tool("ssh");
    Terminal::open_command(
        &[
            &ssh,
            "-F",
            "none",
            "-p",
            &port,
            "-o",
            "StrictHostKeyChecking=no",
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
fn whoever_does_not_finish_reads_in_openssh_that_the_time_is_over_and_what_is_asked() {
    let house = house(Duration::from_secs(3));
    let mut terminal = openssh(&house);
    terminal.waits_for("lets in those who know its pass-phrase");
    terminal.waits_for("Pass-phrase:");
    house.tells("nobody was let in within 3 seconds; log in again");
    terminal.types("too late\r");
    terminal.waits_for("nobody was let in within 3 seconds; log in again");
    assert_eq!(terminal.ends().exit_code(), 255);
}

#[test]
fn whoever_has_guessed_often_enough_reads_so_in_openssh() {
    let house = house(Duration::from_mins(2));
    let mut terminal = openssh(&house);
    for asked in 1..=3 {
        terminal.waits_until("a question", |screen| screen.contents().matches("Pass-phrase:").count() == asked);
        terminal.types("battery staple\r");
    }
    terminal.waits_for("too many wrong pass-phrases");
    assert_eq!(terminal.ends().exit_code(), 255);
}
