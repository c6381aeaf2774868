//! Connections that are dropped at every stage of the protocol, and what is left of them: no task, no file handle, no
//! workspace.

use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::Duration;

use crate::harness::wait::finds;
use crate::ssh::host_process::HostProcess;
use crate::ssh::test_client::{TestClient, TestHost};

/// How many are dropped with each commit; `BURSAR_SSH_DROPS` says another number.
const USUALLY: usize = 90;

/// How far a connection comes before it is dropped.
#[derive(Debug, Clone, Copy)]
enum DropStage {
    Accepted,
    WithinVersion,
    AfterVersion,
    WithinKeys,
    AfterKeys,
    WithinAuthentication,
    Authenticated,
    Opened,
    WithTerminal,
    WithShell,
    WithinFrame,
    Watching,
    NotReading,
}

impl DropStage {
    const ALL: [Self; 13] = [
        Self::Accepted,
        Self::WithinVersion,
        Self::AfterVersion,
        Self::WithinKeys,
        Self::AfterKeys,
        Self::WithinAuthentication,
        Self::Authenticated,
        Self::Opened,
        Self::WithTerminal,
        Self::WithShell,
        Self::WithinFrame,
        Self::Watching,
        Self::NotReading,
    ];

    /// Those that cost the host a workspace are reached more seldom.
    fn nth(number: usize) -> Self {
        let at = number % 40;
        Self::ALL[if at < 27 { at % 9 } else { 9 + at % 4 }]
    }
}

fn drops() -> usize {
    std::env::var("BURSAR_SSH_DROPS").ok().and_then(|number| number.parse().ok()).unwrap_or(USUALLY)
}

/// Comes as far as the stage, and drops the connection.
async fn drops_at(stage: DropStage, address: SocketAddr) {
    let raw = |bytes: &[u8]| {
        let mut stream = TcpStream::connect(address).unwrap();
        let _closed_already = stream.write_all(bytes);
    };
    match stage {
        DropStage::Accepted => return raw(b""),
        DropStage::WithinVersion => return raw(b"SSH-2.0-"),
        DropStage::AfterVersion => return raw(b"SSH-2.0-dropper\r\n"),
        DropStage::WithinKeys => return raw(b"SSH-2.0-dropper\r\n\x00\x00\x01\x00\x04\x14half of it"),
        _ => {}
    }
    let mut caller = TestClient::connects(address).await.unwrap();
    if matches!(stage, DropStage::AfterKeys) {
        return;
    }
    if matches!(stage, DropStage::WithinAuthentication) {
        // Given up before it is answered.
        let authentication = caller.handle.authenticate_password("demo", "battery staple");
        let _given_up = tokio::time::timeout(Duration::from_millis(1), authentication).await;
        return;
    }
    assert!(caller.handle.authenticate_none("demo").await.unwrap().success());
    if matches!(stage, DropStage::Authenticated) {
        return;
    }
    let channel = caller.handle.channel_open_session().await.unwrap();
    if matches!(stage, DropStage::Opened) {
        return;
    }
    channel.request_pty(true, "xterm", 80, 24, 0, 0, &[]).await.unwrap();
    if matches!(stage, DropStage::WithTerminal) {
        return;
    }
    channel.request_shell(true).await.unwrap();
    caller.holds(channel);
    match stage {
        DropStage::WithinFrame => while caller.bytes.is_empty() && caller.hears().await {},
        DropStage::Watching => caller.sees("Treasury").await,
        DropStage::NotReading => {
            caller.sees("Treasury").await;
            caller.reads(false);
            caller.types_blindly("31313131").await;
        }
        _ => {}
    }
}

fn all_dropped(address: SocketAddr, runtime: &tokio::runtime::Runtime) {
    for number in 0..drops() {
        let stage = DropStage::nth(number);
        let attempt = async { tokio::time::timeout(Duration::from_mins(1), drops_at(stage, address)).await };
        assert!(runtime.block_on(attempt).is_ok(), "{stage:?} was not reached");
    }
}

#[test]
fn every_stage_is_dropped_at() {
    let stages: std::collections::BTreeSet<_> =
        (0..USUALLY).map(|number| format!("{:?}", DropStage::nth(number))).collect();
    assert_eq!(stages.len(), DropStage::ALL.len(), "{stages:?}");
}

#[test]
fn dropped_connections_leave_no_task_behind() {
    let mut house = TestHost::open(|options| options.limits.per_address = 1_000);
    let clients = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    all_dropped(house.address(), &clients);
    // What a client had still to do ends with it.
    drop(clients);
    house.empties();
    assert_eq!(house.stops(), 0, "tasks that go on");
}

fn handles(id: u32) -> usize {
    std::fs::read_dir(Path::new("/proc").join(id.to_string()).join("fd")).unwrap().count()
}

fn threads(id: u32) -> usize {
    std::fs::read_dir(Path::new("/proc").join(id.to_string()).join("task")).unwrap().count()
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs the client of OpenSSH"]
fn dropped_connections_leave_no_file_handle_and_no_workspace_behind() {
    let lender = HostProcess::open(&["--per-address", "1000"]);
    // What a first visit opens for good is no leak.
    let mut terminal = lender.visitor();
    terminal.types("q");
    assert_eq!(terminal.ends().exit_code(), 0);
    lender.says(": quit");
    let settled_handles = |most: Option<usize>| {
        finds(&format!("no workspace and {most:?} handles"), || {
            let handles = handles(lender.id());
            (lender.left_behind().is_empty() && most.is_none_or(|most| handles <= most)).then_some(handles)
        })
    };
    let before = settled_handles(None);
    let clients = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    all_dropped(lender.address(), &clients);
    drop(clients);
    settled_handles(Some(before));
    assert!(threads(lender.id()) < 100, "{} threads", threads(lender.id()));
    let mut terminal = lender.visitor();
    terminal.types("q");
    assert_eq!(terminal.ends().exit_code(), 0);
}
