//! What is not done here, each asked for by the client of OpenSSH or by one that can be told what to ask: everything but a shell in a terminal.

use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::process::Output;

use russh::client::Msg;
use russh::{Channel, ChannelMsg};
use tokio::time::timeout;

use crate::harness::wait::PATIENCE;
use crate::ssh::host_process::HostProcess;
use crate::ssh::test_client::{TestClient, TestHost};

fn output_text(output: &Output) -> String {
    [&output.stdout[..], &output.stderr[..]].iter().map(|bytes| String::from_utf8_lossy(bytes)).collect()
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn no_command_is_run_and_no_file_passed_on() {
    let lender = HostProcess::open(&[]);
    let output = lender.says_to("demo", &[], &["cat", "/etc/passwd"]);
    assert_eq!(output.status.code(), Some(255));
    assert!(output_text(&output).contains("commands are not allowed; log in without one"), "{}", output_text(&output));
    let output = lender.says_to("demo", &["-s"], &["sftp"]);
    assert_eq!(output.status.code(), Some(255));
    assert!(output_text(&output).contains("file transfer is not allowed"), "{}", output_text(&output));
    // Also in a terminal, which is asked for first.
    let output = lender.says_to("demo", &["-tt"], &["id"]);
    assert_eq!(output.status.code(), Some(255));
    assert!(!output_text(&output).contains("uid="), "{}", output_text(&output));
    lender.says("refused as \"demo\": commands are not allowed");
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn a_shell_without_a_terminal_is_told_what_it_needs() {
    let lender = HostProcess::open(&[]);
    let output = lender.says_to("demo", &["-T"], &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        output_text(&output).contains("bursar: the console needs a terminal; log in with ssh -t"),
        "{}",
        output_text(&output)
    );
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn no_connection_is_passed_on_in_either_direction() {
    let lender = HostProcess::open(&[]);
    // To a place beyond the host.
    let target = TcpListener::bind("127.0.0.1:0").unwrap();
    target.set_nonblocking(true).unwrap();
    let free = || TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let port = free();
    let forward = format!("{port}:{}", target.local_addr().unwrap());
    let mut terminal = lender.terminal("demo", &["-L", &forward]);
    terminal.waits_for("Treasury");
    let mut forwarded_stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    assert_eq!(forwarded_stream.read(&mut [0; 16]).unwrap_or(0), 0, "it is closed");
    assert!(target.accept().is_err(), "nobody came out of the host");
    terminal.types("q");
    assert_eq!(terminal.ends().exit_code(), 0);
    // From the host back to the client.
    let forwarding = format!("{}:127.0.0.1:1", free());
    let output = lender.says_to("demo", &["-N", "-o", "ExitOnForwardFailure=yes", "-R", &forwarding], &[]);
    assert_eq!(output.status.code(), Some(255));
    assert!(output_text(&output).contains("remote port forwarding failed"), "{}", output_text(&output));
}

/// What the host says to the last request.
async fn is_done(channel: &mut Channel<Msg>) -> bool {
    loop {
        match timeout(PATIENCE, channel.wait()).await.unwrap().unwrap() {
            ChannelMsg::Success => return true,
            ChannelMsg::Failure => return false,
            _ => {}
        }
    }
}

#[test]
fn agent_x11_and_variables_are_refused_and_the_visit_goes_on() {
    let house = TestHost::open(|_| {});
    house.runtime.block_on(async {
        let mut caller = TestClient::comes_in(house.address(), "demo").await;
        let mut channel = caller.handle.channel_open_session().await.unwrap();
        channel.request_pty(true, "xterm-256color", 80, 24, 0, 0, &[]).await.unwrap();
        assert!(is_done(&mut channel).await, "a terminal");
        channel.agent_forward(true).await.unwrap();
        assert!(!is_done(&mut channel).await, "an agent");
        channel.request_x11(true, false, "MIT-MAGIC-COOKIE-1", "00", 0).await.unwrap();
        assert!(!is_done(&mut channel).await, "X11");
        channel.set_env(true, "LANG", "C").await.unwrap();
        assert!(!is_done(&mut channel).await, "a variable");
        channel.request_shell(true).await.unwrap();
        assert!(is_done(&mut channel).await, "a shell");
        caller.holds(channel);
        caller.sees("Treasury").await;
        caller.types("q").await;
        assert_eq!(caller.ends().await, Some(0));
    });
}
