//! Visits with the client of OpenSSH in a terminal: what a visitor sees and does, and how it ends.

use bursar::service::{Pace, Scene};

use crate::crashes::{STRANGER, confirms, fills_in};
use crate::harness::wait::PATIENCE;
use crate::ssh::host_process::HostProcess;
use crate::ssh::test_client::TestHost;

#[test]
#[ignore = "needs the client of OpenSSH"]
fn a_visitor_sees_the_console_at_any_size_and_q_gives_the_terminal_back() {
    let lender = HostProcess::open(&[]);
    let mut terminal = lender.visitor();
    terminal.waits_for("USDT    Ethereum");
    terminal.types("3");
    terminal.waits_for("Time (UTC)");
    terminal.resizes(120, 36);
    terminal.waits_for("Counterparty");
    terminal.resizes(80, 24);
    terminal.types("1");
    terminal.waits_for("Treasury");
    terminal.types("q");
    assert_eq!(terminal.ends().exit_code(), 0);
    terminal.is_whole();
    assert!(lender.says("came as demo").contains("127.0.0.1:"));
    assert!(lender.says("left as demo").ends_with(": quit"));
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn keys_pastes_and_a_lone_escape_come_through() {
    let lender = HostProcess::open(&[]);
    let mut terminal = lender.visitor();
    terminal.types("3/");
    terminal.types("\x1b[200~token:usdc\x1b[201~");
    terminal.waits_for("/token:usdc");
    // Nothing follows the escape for a while, so it is the key.
    terminal.types("\x1b");
    terminal.waits_for_no("/token:usdc");
    terminal.waits_for("USDT");
    terminal.types("\x1b[B\x1b[B\r");
    terminal.waits_for("First seen");
    terminal.types("\x03");
    assert_eq!(terminal.ends().exit_code(), 0);
    terminal.is_whole();
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn a_visitor_pays_and_sees_it_arrive_and_no_other_visitor_does() {
    let lender = HostProcess::open(&["--transactions", "400", "--pace", "0.1"]);
    let (mut terminal, mut other) = (lender.visitor(), lender.visitor());
    fills_in(&terminal).unwrap();
    terminal.types("\r");
    confirms(&terminal).unwrap();
    terminal.waits_for("withdrawal");
    // Both look at their history, newest first, and at their orders.
    let end = &STRANGER[STRANGER.len() - 4..];
    terminal.types("3");
    terminal.waits_for(end);
    terminal.types("4");
    terminal.waits_for("25.5");
    other.types("3");
    other.waits_for("Time (UTC)");
    other.types("4");
    other.waits_for("no orders yet");
    other.types("q");
    assert_eq!(other.ends().exit_code(), 0);
    other.never_showed(end);
    terminal.types("q");
    assert_eq!(terminal.ends().exit_code(), 0);
    terminal.is_whole();
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn the_host_is_known_again_after_a_restart() {
    let first = HostProcess::open(&[]);
    let fingerprint = first.fingerprint().to_owned();
    let mut terminal = first.visitor();
    terminal.types("q");
    terminal.ends();
    first.is_asked_to_end();
    let (status, folder) = first.ends();
    assert!(status.success(), "{status}");
    let second = HostProcess::open_in(folder, &[], &[]);
    assert_eq!(second.fingerprint(), fingerprint);
    // Another key would be refused now.
    let mut terminal = second.terminal("demo", &["-o", "StrictHostKeyChecking=yes"]);
    terminal.waits_for("Treasury");
    terminal.types("q");
    assert_eq!(terminal.ends().exit_code(), 0);
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn the_screen_is_painted_by_the_name_of_the_terminal_and_by_nothing_else() {
    let lender = HostProcess::open(&[]);
    let mut terminal = lender.terminal("demo", &["-o", "SetEnv=COLORTERM=truecolor", "-o", "SetEnv=LANG=C"]);
    terminal.waits_for("Treasury");
    terminal.types("q");
    terminal.ends();
    let bytes = terminal.all_that_was_written();
    let sends = |sequence: &[u8]| bytes.windows(sequence.len()).any(|window| window == sequence);
    assert!(sends(b"38;5;") && !sends(b"38;2;"), "256 colours, since TERM says so");
    assert!(sends("─".as_bytes()), "the locale is not passed on");
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn visitors_are_told_apart_and_each_has_a_place_of_their_own() {
    let lender = HostProcess::open(&[]);
    let (mut ada, mut bob) = (lender.visitor(), lender.visitor());
    ada.types("3");
    ada.waits_for("─ Transactions ─");
    bob.waits_for("USDT    Ethereum");
    assert!(!bob.contents().contains("─ Transactions ─"), "{}", bob.contents());
    ada.types("q");
    assert_eq!(ada.ends().exit_code(), 0);
    bob.types("3");
    bob.waits_for("─ Transactions ─");
    bob.types("q");
    assert_eq!(bob.ends().exit_code(), 0);
}

/// Bells and notifications are for the watches of a profile, of which a visitor has none. What leaves the screen for the rest
/// of a visitor's machine is what they copy, and nothing else.
#[test]
fn nothing_rings_at_a_visitor_or_reaches_their_desktop_but_what_they_copy() {
    let house = TestHost::open(|options| {
        options.workspace_options.scene = Some(Scene::Incident);
        options.workspace_options.sample.transactions = 120;
        options.workspace_options.pace = Pace::per_mille(50_000).unwrap();
    });
    house.runtime.block_on(async {
        let mut caller = TestHost::visitor(house.address()).await;
        for (page, text) in [("4", "unknown"), ("6", "opened:"), ("3", "Time (UTC)"), ("1", "Treasury")] {
            caller.types(page).await;
            caller.sees(text).await;
        }
        let enough = caller.bytes.len() + 4_000;
        let news = async { while caller.bytes.len() < enough && caller.hears().await {} };
        assert!(tokio::time::timeout(PATIENCE, news).await.is_ok(), "there is no news");
        let commands =
            |bytes: &[u8], sequence: &[u8]| bytes.windows(sequence.len()).filter(|window| *window == sequence).count();
        assert_eq!((commands(&caller.bytes, b"\x1b]"), commands(&caller.bytes, b"\x07")), (0, 0));
        caller.types("3jy\r").await;
        caller.sees("sent to the terminal's clipboard").await;
        // The order without an outcome is the scene's own, and keeps nobody.
        caller.types("q").await;
        assert_eq!(caller.ends().await, Some(0));
        assert_eq!(commands(&caller.bytes, b"\x1b]52;c;"), 1, "what is copied goes this way");
        assert_eq!((commands(&caller.bytes, b"\x1b]"), commands(&caller.bytes, b"\x07")), (1, 0));
    });
}
