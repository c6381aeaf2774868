//! One presents and others look on, over SSH.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::crashes::{confirms, fills_in};
use crate::pty::PtySession;
use crate::ssh::access::private;
use crate::ssh::host_process::{HostProcess, user_key};
use crate::ssh::test_client::{TestClient, TestHost};
use bursar::service::Scene;
use bursar::ssh::Access;
use secrecy::SecretString;

const PASSPHRASE: &str = "correct horse";

/// A host at which whoever knows the words may present.
fn house() -> TestHost {
    TestHost::open(|options| {
        options.presenters = Access::with_keys_or_passphrase(None, Some(&SecretString::from(PASSPHRASE))).unwrap();
    })
}

/// A presenter who has logged in.
async fn comes_to_present(house: &TestHost) -> TestClient {
    let mut caller = TestClient::connects(house.address()).await.unwrap();
    assert!(caller.handle.authenticate_password("present", PASSPHRASE).await.unwrap().success());
    caller.asks_for_a_shell("xterm-256color", (80, 24)).await;
    caller
}

/// A presenter who sees the console.
async fn presents(house: &TestHost) -> TestClient {
    let mut caller = comes_to_present(house).await;
    caller.sees("Treasury").await;
    caller
}

async fn looks_on(house: &TestHost) -> TestClient {
    let mut caller = TestClient::comes_in(house.address(), "watch").await;
    caller.asks_for_a_shell("xterm-256color", (100, 30)).await;
    caller
}

#[test]
fn all_who_look_on_see_what_one_presents_and_wait_until_somebody_does_again() {
    let house = house();
    house.runtime.block_on(async {
        let mut early = looks_on(&house).await;
        early.sees("Nobody is presenting yet.").await;
        let mut ada = presents(&house).await;
        let mut late = looks_on(&house).await;
        for caller in [&mut early, &mut late] {
            caller.sees("Treasury").await;
            caller.sees("80×23").await;
        }
        ada.sees("presenting to 2: all see it whole").await;
        ada.types("3").await;
        for caller in [&mut early, &mut late] {
            caller.sees("Time (UTC)").await;
            // What those press who look on moves nothing.
            caller.types("1w\r").await;
        }
        ada.types("/status:").await;
        ada.sees("filter status:").await;
        early.sees("filter status:").await;

        // Who comes to present takes over, which the one before is told, and goes on where that one was.
        let mut bob = comes_to_present(&house).await;
        bob.sees("filter status:").await;
        assert_eq!(ada.ends().await, Some(1));
        assert!(ada.contents().contains("another login has taken over as presenter"), "{}", ada.contents());
        assert!(ada.is_whole());
        bob.types("f\r1").await;
        late.sees("Treasury").await;
        bob.types("\x03").await;
        assert_eq!(bob.ends().await, Some(0));
        early.sees("The presenter is away").await;
        let mut second = presents(&house).await;
        early.sees("Treasury").await;
        second.sees("presenting to 2: ").await;
        // A window that shrinks is told of, and whoever looks through it moves it over the rest.
        late.resizes(40, 12).await;
        second.sees("1 sees only a part; all would see 40×12 whole").await;
        late.sees("columns 1–40, rows 1–11").await;
        late.types("l\x1b[B").await;
        late.sees("columns 21–60, rows 7–17").await;
        early.types("q").await;
        assert_eq!(early.ends().await, Some(0));
        assert!(early.is_whole());
        second.sees("presenting to 1: ").await;
        second.types("q").await;
        second.ends().await;
    });
    house.tells("left as watch");
    house.tells("left as present");
}

/// A presenter whose link is gone without a word reads nothing and says nothing, and the host believes in it for minutes.
#[test]
fn a_presenter_who_lost_the_link_comes_back_at_once_even_where_every_place_is_taken() {
    let house = TestHost::open(|options| {
        options.presenters = Access::with_keys_or_passphrase(None, Some(&SecretString::from(PASSPHRASE))).unwrap();
        options.limits.visitors = 1;
        options.limits.per_address = 2;
    });
    house.runtime.block_on(async {
        let _visitor = TestHost::visitor(house.address()).await;
        let mut next_in_line = TestClient::comes_in(house.address(), "demo").await;
        next_in_line.asks_for_a_shell("xterm", (80, 24)).await;
        next_in_line.sees("You are next.").await;
        let mut watching = looks_on(&house).await;
        let mut first = presents(&house).await;
        watching.sees("Treasury").await;
        first.reads(false);
        for _ in 0..200 {
            first.types_blindly("31").await;
        }
        let mut second = comes_to_present(&house).await;
        second.types("3").await;
        watching.sees("Time (UTC)").await;
        // Those who look on are not counted among the visitors of an address either.
        looks_on(&house).await.sees("Time (UTC)").await;
    });
    house.tells("another login presents");
}

#[test]
fn nobody_presents_without_the_presenters_words_though_everybody_else_is_let_in() {
    let house = house();
    house.runtime.block_on(async {
        let mut caller = TestClient::connects(house.address()).await.unwrap();
        assert!(!caller.handle.authenticate_none("present").await.unwrap().success());
        assert!(!caller.handle.authenticate_password("present", "battery staple").await.unwrap().success());
        // Who was let in as another one is that one.
        assert!(caller.handle.authenticate_none("watch").await.unwrap().success());
        caller.asks_for_a_shell("xterm-256color", (80, 24)).await;
        caller.sees("Nobody is presenting yet.").await;
    });
}

#[test]
fn where_nobody_may_present_nobody_looks_on() {
    let house = TestHost::open(|_| {});
    house.runtime.block_on(async {
        for name in ["present", "watch"] {
            let mut caller = TestClient::comes_in(house.address(), name).await;
            caller.asks_for_a_shell("xterm-256color", (80, 24)).await;
            assert_eq!(caller.ends().await, Some(1));
            assert!(caller.contents().contains("log in as demo"), "{name}: {}", caller.contents());
        }
    });
}

#[test]
fn neither_a_presentation_nor_looking_on_ends_while_it_goes_on() {
    let house = TestHost::open(|options| {
        options.presenters = Access::with_keys_or_passphrase(None, Some(&SecretString::from(PASSPHRASE))).unwrap();
        options.time_limits.idle_time_out = Duration::from_secs(4);
        options.time_limits.warning_before_end = Duration::from_secs(1);
        options.time_limits.max_visit = Duration::from_secs(4);
    });
    house.runtime.block_on(async {
        let mut ada = presents(&house).await;
        let mut watching = looks_on(&house).await;
        watching.sees("Treasury").await;
        // Whoever visits for as long as a visit may take comes later and is gone sooner.
        for _ in 0..2 {
            let mut visitor = TestHost::visitor(house.address()).await;
            assert_eq!(visitor.ends().await, Some(1));
        }
        ada.types("3").await;
        ada.sees("Time (UTC)").await;
        watching.sees("Time (UTC)").await;
        assert!(!watching.contents().contains("this visit ends"), "{}", watching.contents());
        // Where nobody presents any more, nobody waits for ever.
        ada.types("q").await;
        assert_eq!(ada.ends().await, Some(0));
        watching.sees("nobody presents: this visit ends in 1 second; log in again any time").await;
        assert_eq!(watching.ends().await, Some(1));
        assert!(watching.contents().contains("the maximum length"), "{}", watching.contents());
        assert!(watching.is_whole());
    });
}

/// A host at which whoever knows the words may present, in a process of its own.
fn lender(arguments: &[&str]) -> (HostProcess, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("words");
    private(&file, &format!("{PASSPHRASE}\n"));
    let arguments = [&["--present-passphrase-file", file.to_str().unwrap()], arguments].concat();
    (HostProcess::open(&arguments), folder)
}

fn logs_in_to_present(lender: &HostProcess) -> PtySession {
    let terminal = lender.terminal("present", &[]);
    terminal.waits_for("Pass-phrase:");
    terminal.types(&format!("{PASSPHRASE}\r"));
    terminal
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn a_presenter_who_lost_the_link_finds_the_same_business_with_its_orders_and_nobody_sees_a_reset() {
    let (lender, _folder) = lender(&["--transactions", "400", "--pace", "0.1"]);
    let ada = logs_in_to_present(&lender);
    ada.waits_for("Treasury");
    let mut watching = lender.terminal("watch", &[]);
    watching.waits_for("Treasury");
    fills_in(&ada).unwrap();
    ada.types("\r");
    confirms(&ada).unwrap();
    // Somebody else may be paid meanwhile, and then what was typed is asked for again.
    let changed_notice = "the facts have changed";
    ada.waits_until("a payment", |screen| {
        let contents = screen.contents();
        contents.contains("withdrawal") || contents.contains(changed_notice)
    });
    if ada.contents().contains(changed_notice) {
        confirms(&ada).unwrap();
        ada.waits_for("withdrawal");
    }
    ada.types("4");
    ada.waits_for("25.5");
    watching.waits_for("25.5");
    // The link is cut, and the last picture stays.
    kill_process(Pid::from_raw(i32::try_from(ada.id()).unwrap()).unwrap(), Signal::KILL).unwrap();
    watching.waits_for("the presenter lost the connection: this is the last screen");
    assert!(watching.contents().contains("25.5"), "{}", watching.contents());
    let mut terminal = logs_in_to_present(&lender);
    terminal.waits_for("25.5");
    watching.waits_for("watching: the presenter's screen");
    terminal.types("3");
    watching.waits_for("Time (UTC)");
    // Whoever leaves has done so: nothing waits for them.
    terminal.types("q");
    assert_eq!(terminal.ends().exit_code(), 0);
    watching.waits_for("The presenter is away");
    let mut second_presenter = logs_in_to_present(&lender);
    second_presenter.waits_for("Treasury");
    second_presenter.types("4");
    second_presenter.waits_for("no orders yet");
    for terminal in [&mut second_presenter, &mut watching] {
        terminal.types("q");
        assert_eq!(terminal.ends().exit_code(), 0);
    }
    watching.never_showed("Nobody is presenting yet.");
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn the_cues_of_a_scene_are_shown_to_the_presenter_alone() {
    let (lender, _folder) = lender(&["--scene", "incident", "--transactions", "120"]);
    let mut visitor = lender.terminal("demo", &[]);
    visitor.waits_for("unresolved");
    let mut presenter = logs_in_to_present(&lender);
    presenter.waits_for("unresolved");
    let mut watching = lender.terminal("watch", &[]);
    watching.waits_for("unresolved");
    for terminal in [&presenter, &visitor] {
        terminal.types("6");
        terminal.waits_for("opened: Harbour Trading");
    }
    watching.waits_for("opened: Harbour Trading");
    // One after the other stands on a line that nobody else has.
    let cues = Scene::Incident.presenter_cues();
    for (number, cue) in (1..).zip(cues) {
        presenter.waits_for(&format!("{number}/{} {cue}", cues.len()));
    }
    // The order without an outcome is the scene's own, and keeps nobody.
    for terminal in [&mut presenter, &mut visitor] {
        terminal.types("q");
        assert_eq!(terminal.ends().exit_code(), 0);
    }
    watching.types("q");
    assert_eq!(watching.ends().exit_code(), 0);
    for cue in cues {
        visitor.never_showed(cue);
        watching.never_showed(cue);
    }
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn a_scene_is_set_for_each_visitor_anew_and_begins_veiled_where_asked() {
    let lender = HostProcess::open(&["--scene", "incident", "--transactions", "120", "--veil"]);
    for _ in 0..2 {
        let mut terminal = lender.terminal("demo", &[]);
        terminal.waits_for("unresolved");
        terminal.waits_for("veiled");
        terminal.never_showed("Harbour Trading");
        terminal.types("p");
        // The name of the business gives way to what needs somebody where the header is short.
        terminal.waits_for("Treasury");
        terminal.types("qq");
        assert_eq!(terminal.ends().exit_code(), 0);
    }
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn a_key_lets_in_to_present_with_the_client_of_openssh() {
    let folder = tempfile::tempdir().unwrap();
    let (ada, bob) = (user_key(folder.path(), "ed25519"), user_key(folder.path(), "ed25519"));
    let key_file = folder.path().join("presenters");
    private(&key_file, &std::fs::read_to_string(ada.with_extension("pub")).unwrap());
    let lender = HostProcess::open(&["--presenters", key_file.to_str().unwrap()]);
    let with = |key: &std::path::Path| format!("IdentityFile={}", key.display());
    let mut foreign = lender.terminal("present", &["-o", &with(&bob)]);
    assert_eq!(foreign.ends().exit_code(), 255);
    let mut watching = lender.terminal("watch", &[]);
    watching.waits_for("Nobody is presenting yet.");
    let mut presenter = lender.terminal("present", &["-o", &with(&ada)]);
    presenter.waits_for("Treasury");
    watching.waits_for("Treasury");
    presenter.types("q");
    assert_eq!(presenter.ends().exit_code(), 0);
    watching.waits_for("The presenter is away");
    watching.types("q");
    assert_eq!(watching.ends().exit_code(), 0);
    watching.is_whole();
}
