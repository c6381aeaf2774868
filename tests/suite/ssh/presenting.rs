//! One presents and others look on, over SSH.

use std::time::Duration;

use crate::ssh::access::private;
use crate::ssh::caller::{Caller, House};
use crate::ssh::lender::{Lender, user_key};
use bursar::service::Scene;
use bursar::ssh::Access;
use secrecy::SecretString;

const WORDS: &str = "correct horse";

/// A host at which whoever knows the words may present.
fn house() -> House {
    House::open(|options| {
        options.presenters = Access::checked(None, Some(&SecretString::from(WORDS))).unwrap();
    })
}

/// A presenter who sees the console.
async fn presents(house: &House) -> Caller {
    let mut caller = Caller::connects(house.address()).await.unwrap();
    assert!(caller.handle.authenticate_password("present", WORDS).await.unwrap().success());
    caller.asks_for_a_shell("xterm-256color", (80, 24)).await;
    caller.sees("Treasury").await;
    caller
}

async fn looks_on(house: &House) -> Caller {
    let mut caller = Caller::comes_in(house.address(), "watch").await;
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

        // Who comes to present takes over, which the one before is told.
        let mut bob = presents(&house).await;
        assert_eq!(ada.ends().await, Some(1));
        assert!(ada.contents().contains("another login presents now"), "{}", ada.contents());
        assert!(ada.is_whole());
        bob.types("3").await;
        late.sees("Time (UTC)").await;
        bob.types("\x03").await;
        assert_eq!(bob.ends().await, Some(0));
        early.sees("The presenter is away").await;
        let mut again = presents(&house).await;
        early.sees("Treasury").await;
        again.sees("presenting to 2: ").await;
        // A window that shrinks is told of, and whoever looks through it moves it over the rest.
        late.resizes(40, 12).await;
        again.sees("1 sees only a part; all would see 40×12 whole").await;
        late.sees("columns 1–40, rows 1–11").await;
        late.types("l\x1b[B").await;
        late.sees("columns 21–60, rows 7–17").await;
        early.types("q").await;
        assert_eq!(early.ends().await, Some(0));
        assert!(early.is_whole());
        again.sees("presenting to 1: ").await;
        again.types("q").await;
        again.ends().await;
    });
    house.tells("left as watch");
    house.tells("left as present");
}

/// A presenter whose link is gone without a word reads nothing and says nothing, and the host believes in it for minutes.
#[test]
fn a_presenter_who_lost_the_link_comes_back_at_once_even_where_every_place_is_taken() {
    let house = House::open(|options| {
        options.presenters = Access::checked(None, Some(&SecretString::from(WORDS))).unwrap();
        options.limits.visitors = 1;
        options.limits.per_address = 2;
    });
    house.runtime.block_on(async {
        let _visitor = House::visitor(house.address()).await;
        let mut waiting = Caller::comes_in(house.address(), "demo").await;
        waiting.asks_for_a_shell("xterm", (80, 24)).await;
        waiting.sees("You are next.").await;
        let mut watching = looks_on(&house).await;
        let mut lost = presents(&house).await;
        watching.sees("Treasury").await;
        lost.reads(false);
        for _ in 0..200 {
            lost.types_blindly("31").await;
        }
        let mut again = presents(&house).await;
        again.types("3").await;
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
        let mut caller = Caller::connects(house.address()).await.unwrap();
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
    let house = House::open(|_| {});
    house.runtime.block_on(async {
        for name in ["present", "watch"] {
            let mut caller = Caller::comes_in(house.address(), name).await;
            caller.asks_for_a_shell("xterm-256color", (80, 24)).await;
            assert_eq!(caller.ends().await, Some(1));
            assert!(caller.contents().contains("log in as demo"), "{name}: {}", caller.contents());
        }
    });
}

#[test]
fn to_press_no_key_ends_neither_a_presentation_nor_looking_on() {
    let house = House::open(|options| {
        options.presenters = Access::checked(None, Some(&SecretString::from(WORDS))).unwrap();
        options.timing.idle = Duration::from_millis(300);
        options.timing.warning = Duration::from_secs(1);
        options.timing.longest = Duration::from_secs(4);
    });
    house.runtime.block_on(async {
        let mut ada = presents(&house).await;
        let mut watching = looks_on(&house).await;
        watching.sees("Treasury").await;
        watching.sees("this visit ends in 1 second; log in again any time").await;
        // The longest visit ends in time, as every one does but the presenter's.
        assert_eq!(watching.ends().await, Some(1));
        assert!(watching.contents().contains("the longest there is"), "{}", watching.contents());
        assert!(watching.is_whole());
        ada.types("3").await;
        ada.sees("Time (UTC)").await;
    });
}

#[test]
fn a_scene_is_set_for_each_visitor_anew_and_begins_veiled_where_asked() {
    let lender = Lender::open(&["--scene", "incident", "--transactions", "120", "--veil"]);
    for _ in 0..2 {
        let mut terminal = lender.terminal("demo", &[]);
        terminal.waits_for("unresolved");
        terminal.waits_for("veiled");
        // What to show is said through the veil, too.
        terminal.waits_for("scene incident: page 4");
        terminal.types("6");
        for cue in Scene::Incident.cues() {
            terminal.waits_for(cue);
        }
        terminal.never_showed("Harbour Trading");
        terminal.types("p");
        terminal.waits_for("Harbour Trading");
        terminal.types("q");
        assert_eq!(terminal.ends().exit_code(), 0);
    }
}

#[test]
fn a_key_lets_in_to_present_with_the_client_of_openssh() {
    let folder = tempfile::tempdir().unwrap();
    let (ada, bob) = (user_key(folder.path(), "ed25519"), user_key(folder.path(), "ed25519"));
    let listed = folder.path().join("presenters");
    private(&listed, &std::fs::read_to_string(ada.with_extension("pub")).unwrap());
    let lender = Lender::open(&["--presenters", listed.to_str().unwrap()]);
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
