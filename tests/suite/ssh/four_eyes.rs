//! Two visitors of one desk in the scene of four eyes: the maker proposes, the checker approves, and nobody else sees any of
//! it.

use bursar::guard::challenge_range;
use bursar::service::{Pace, Scene};
use bursar::ssh::Options;

use crate::crashes::{STRANGER, lists_base_ops_first};
use crate::ssh::test_client::{TestClient, TestHost};

const WINDOW: (u32, u32) = (120, 36);

/// A host with the scene of four eyes, where little else happens.
fn house(change: impl FnOnce(&mut Options)) -> TestHost {
    TestHost::open(|options| {
        options.workspace_options.scene = Some(Scene::FourEyes);
        options.workspace_options.sample.transactions = 120;
        options.workspace_options.pace = Pace::per_mille(100).unwrap();
        change(options);
    })
}

/// Somebody who logged in under this name and sees the console.
async fn sits_down(house: &TestHost, name: &str) -> TestClient {
    let mut caller = asks_to_sit_down(house, name).await;
    caller.sees("live").await;
    caller
}

async fn asks_to_sit_down(house: &TestHost, name: &str) -> TestClient {
    let mut caller = TestClient::comes_in(house.address(), name).await;
    caller.asks_for_a_shell("xterm-256color", WINDOW).await;
    caller
}

/// Drafts a payment of 25.5 USDC, and proposes it.
async fn proposes(maker: &mut TestClient) {
    maker.waits_for("list that base-ops is the first of", lists_base_ops_first).await;
    maker.types("\tj").await;
    maker.sees("Balances · base-ops").await;
    maker.types("w").await;
    maker.sees("From wallet    base-ops").await;
    maker.types("USDC\t").await;
    maker.sees("holds").await;
    maker.types(&format!("{STRANGER}\t25.5\t\t")).await;
    maker.sees("25.5").await;
    maker.types("\r").await;
    confirms(maker, "To propose, type", "proposed, nothing was sent").await;
}

/// What a review shows where its facts changed: it takes no keys for a second, and what was typed is cleared or ignored.
const FACTS_CHANGED: [&str; 3] = ["keys work in a second", TYPE_NOW, "What you typed was cleared"];

const TYPE_NOW: &str = "Keys came too early and were ignored; type now";

/// Types what the open review asks for, again where its facts changed meanwhile.
async fn confirms(caller: &mut TestClient, prompt: &str, result: &str) {
    loop {
        caller.waits_for(prompt, |screen| screen.contains(prompt) || screen.contains(TYPE_NOW)).await;
        let review = caller.contents();
        let phrase = review.split_once("the words “").and_then(|(_, rest)| rest.split_once('”'));
        caller.types(&format!("25.5\r{}\r", &STRANGER[challenge_range(STRANGER)])).await;
        if let Some((phrase, _)) = phrase {
            caller.types(&format!("{phrase}\r")).await;
        }
        // What was there before the keys says nothing of them.
        let changed = |screen: &str| FACTS_CHANGED.iter().any(|text| screen.contains(text) && !review.contains(text));
        caller.waits_for(result, |screen| screen.contains(result) || changed(screen)).await;
        if caller.contents().contains(result) {
            return;
        }
    }
}

/// Opens what waits for approval, and its first proposal.
async fn opens_the_proposal(caller: &mut TestClient, state: &str) {
    caller.types("&").await;
    caller.sees(state).await;
    caller.sees("25.5 USDC to").await;
    caller.types("\r").await;
}

/// The row of the payment in the list of orders.
fn order_in(screen: &str) -> Option<&str> {
    screen.lines().find(|line| line.contains(" 25.5 ") && line.contains("USDC"))
}

async fn sees_the_order_as(caller: &mut TestClient, states: &[&str]) {
    let is_there = |screen: &str| order_in(screen).is_some_and(|row| states.iter().any(|state| row.contains(state)));
    caller.waits_for(&format!("order as {states:?}"), is_there).await;
}

#[test]
fn two_of_one_desk_propose_approve_and_release_and_nobody_else_sees_it() {
    let mut house = house(|_| {});
    house.runtime.block_on(async {
        let mut maker = sits_down(&house, "desk1").await;
        maker.sees("DEMO maker testnet").await;
        maker.sees("you are the maker; the checker logs in as desk1 too").await;
        let mut checker = sits_down(&house, "desk1").await;
        checker.sees("DEMO checker testnet").await;
        checker.sees("you are the checker of desk1").await;
        let mut other = sits_down(&house, "desk2").await;
        other.sees("you are the maker").await;

        proposes(&mut maker).await;
        opens_the_proposal(&mut checker, "0 of 1").await;
        checker.sees("anna proposed it").await;
        confirms(&mut checker, "To approve, type", "approved and signed").await;

        opens_the_proposal(&mut maker, "ready to send").await;
        confirms(&mut maker, "To send, type", "the service accepted").await;
        // Both have the order and the payment.
        let end = &STRANGER[STRANGER.len() - 4..];
        for caller in [&mut maker, &mut checker] {
            caller.types("4").await;
            sees_the_order_as(caller, &["accepted", "settled"]).await;
            caller.types("3").await;
            caller.sees("Time (UTC)").await;
            caller.sees(end).await;
            caller.types("&").await;
            caller.sees("nothing waits for approval").await;
        }
        other.types("4").await;
        other.waits_for("list of orders", |screen| screen.contains("settled") && screen.contains("Age")).await;
        assert!(order_in(&other.contents()).is_none(), "{}", other.contents());
        other.types("3").await;
        other.sees("Time (UTC)").await;
        assert!(!other.contents().contains(end), "{}", other.contents());
        other.types("&").await;
        other.sees("nothing waits for approval").await;
    });
    assert_eq!(house.stops(), 0);
}

#[test]
fn the_checker_releases_too_and_what_one_does_the_other_sees_without_a_key() {
    let house = house(|_| {});
    house.runtime.block_on(async {
        let mut maker = sits_down(&house, "desk").await;
        let mut checker = sits_down(&house, "desk").await;
        checker.types("4").await;
        checker.sees("Age").await;
        proposes(&mut maker).await;
        sees_the_order_as(&mut checker, &["proposed"]).await;
        opens_the_proposal(&mut checker, "0 of 1").await;
        confirms(&mut checker, "To approve, type", "approved and signed").await;
        maker.types("4").await;
        sees_the_order_as(&mut maker, &["proposed"]).await;
        opens_the_proposal(&mut checker, "ready to send").await;
        confirms(&mut checker, "To send, type", "the service accepted").await;
        sees_the_order_as(&mut maker, &["accepted", "settled"]).await;
    });
}

#[test]
fn a_third_is_turned_away_and_a_vacant_seat_is_taken_again() {
    let house = house(|_| {});
    house.runtime.block_on(async {
        let mut maker = sits_down(&house, "desk1").await;
        let mut checker = sits_down(&house, "desk1").await;
        proposes(&mut maker).await;
        let mut third = asks_to_sit_down(&house, "desk1").await;
        assert_eq!(third.ends().await, Some(1));
        let refusal = "desk1 has its maker and its checker already; log in under another name, such as desk2";
        assert!(third.contents().contains(refusal), "{}", third.contents());
        // Who comes after the maker has left is the maker, with all that was proposed.
        maker.types("\x03").await;
        assert_eq!(maker.ends().await, Some(0));
        let mut second_visit = sits_down(&house, "desk1").await;
        second_visit.sees("DEMO maker testnet").await;
        second_visit.types("&").await;
        second_visit.sees("by anna").await;
        // When all have left, the desk is gone: the next one finds it new.
        for caller in [&mut second_visit, &mut checker] {
            caller.types("\x03").await;
            assert_eq!(caller.ends().await, Some(0));
        }
    });
    house.empties();
    house.runtime.block_on(async {
        let mut new = sits_down(&house, "desk1").await;
        new.sees("DEMO maker testnet").await;
        new.types("&").await;
        new.sees("nothing waits for approval").await;
    });
    assert!(house.host_events().iter().any(|line| line.contains("refused as \"desk1\": desk1 has its maker")));
    house.tells("came as desk");
}

#[test]
fn the_maker_alone_approves_nothing() {
    let house = house(|_| {});
    house.runtime.block_on(async {
        let mut maker = sits_down(&house, "desk-lisbon").await;
        proposes(&mut maker).await;
        opens_the_proposal(&mut maker, "0 of 1").await;
        maker.sees("anna proposed it: somebody else must approve it").await;
        // Not even by another login, which has the checker's key alone, before that has signed.
        let mut checker = sits_down(&house, "desk-lisbon").await;
        checker.types("&").await;
        checker.sees("0 of 1").await;
    });
}

#[test]
fn somebody_alone_has_both_keys() {
    let house = house(|_| {});
    house.runtime.block_on(async {
        let mut caller = sits_down(&house, "demo").await;
        caller.sees("you are maker and checker").await;
        let mut other = sits_down(&house, "demo").await;
        proposes(&mut caller).await;
        opens_the_proposal(&mut caller, "0 of 1").await;
        confirms(&mut caller, "To approve, type", "approved and signed").await;
        opens_the_proposal(&mut caller, "ready to send").await;
        confirms(&mut caller, "To send, type", "the service accepted").await;
        caller.types("4").await;
        sees_the_order_as(&mut caller, &["accepted", "settled"]).await;
        // The name shares nothing.
        other.types("&").await;
        other.sees("nothing waits for approval").await;
    });
}

#[test]
fn a_desk_is_unknown_in_any_other_scene_and_its_visitors_count_as_all_do() {
    let usual = house(|options| options.workspace_options.scene = Some(Scene::Calm));
    usual.runtime.block_on(async {
        let mut caller = asks_to_sit_down(&usual, "desk1").await;
        assert_eq!(caller.ends().await, Some(1));
        let refusal = "this user name is unknown here; log in as demo";
        assert!(caller.contents().contains(refusal), "{}", caller.contents());
    });
    let small = house(|options| options.limits.per_address = 2);
    small.runtime.block_on(async {
        let _both = (sits_down(&small, "desk1").await, sits_down(&small, "demo").await);
        let mut third = asks_to_sit_down(&small, "desk1").await;
        assert_eq!(third.ends().await, Some(1));
        let mut stranger = asks_to_sit_down(&small, "root").await;
        stranger.ends().await;
        assert!(stranger.contents().contains("log in as demo or desk"), "{}", stranger.contents());
    });
    small.tells("refused as \"desk1\"");
}
