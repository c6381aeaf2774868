//! What the host offers to speak: nothing that is weak.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Command;

use crate::ssh::test_client::TestHost;

/// The lists of the first message, in the order of RFC 4253, 7.1.
fn offered_algorithms(house: &TestHost) -> Vec<Vec<String>> {
    let mut stream = BufReader::new(TcpStream::connect(house.address()).unwrap());
    stream.get_mut().write_all(b"SSH-2.0-reader\r\n").unwrap();
    let mut version = String::new();
    stream.read_line(&mut version).unwrap();
    assert_eq!(version, "SSH-2.0-bursar\r\n");
    let mut length = [0; 4];
    stream.read_exact(&mut length).unwrap();
    let mut packet = vec![0; usize::try_from(u32::from_be_bytes(length)).unwrap()];
    stream.read_exact(&mut packet).unwrap();
    assert_eq!(packet[1], 20, "KEXINIT");
    // After the message's number stand sixteen random bytes.
    let mut lists = &packet[18..];
    let mut name_lists = Vec::new();
    for _ in 0..10 {
        let (length, rest) = lists.split_first_chunk().unwrap();
        let (list, rest) = rest.split_at(usize::try_from(u32::from_be_bytes(*length)).unwrap());
        let list = std::str::from_utf8(list).unwrap();
        name_lists.push(list.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect());
        lists = rest;
    }
    name_lists
}

#[test]
fn only_these_are_offered() {
    let house = TestHost::open(|_| {});
    let ciphers = ["chacha20-poly1305@openssh.com", "aes256-gcm@openssh.com"];
    let integrity = ["hmac-sha2-512-etm@openssh.com", "hmac-sha2-256-etm@openssh.com"];
    let expected: [&[&str]; 10] = [
        &[
            "mlkem768x25519-sha256",
            "curve25519-sha256",
            "curve25519-sha256@libssh.org",
            "ext-info-s",
            "kex-strict-s-v00@openssh.com",
        ],
        &["ssh-ed25519"],
        &ciphers,
        &ciphers,
        &integrity,
        &integrity,
        &["none"],
        &["none"],
        &[],
        &[],
    ];
    assert_eq!(offered_algorithms(&house), expected);
}

#[test]
#[ignore = "needs ssh-audit"]
fn ssh_audit_finds_nothing_weak() {
    let house = TestHost::open(|_| {});
    let port = house.address().port().to_string();
    let mut command = Command::new("ssh-audit");
    let output = command.args(["--no-colors", "--level", "warn", "-p", &port, "127.0.0.1"]).output();
    let output = output.expect("this test needs the Debian package ssh-audit (apt-get install ssh-audit)");
    let output_text = String::from_utf8_lossy(&output.stdout).into_owned();
    // Its older editions do not know what is newer than they are, and say that alone.
    let algorithms: Vec<_> = output_text
        .lines()
        .filter(|line| line.contains("[fail]") || line.contains("[warn]"))
        .filter(|line| !line.contains("unknown algorithm"))
        .collect();
    assert!(algorithms.is_empty(), "{output_text}");
}
