//! The rest after a test payment, and the sandbox of version 1.

use std::time::Duration;

use bursar::domain::{Draft, Network};

use super::harness::{Session, Setup};

const MINUTE: Duration = Duration::from_mins(1);

/// A stranger's address on Ethereum.
const STRANGER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

fn session() -> Session {
    Session::with(Setup { poll_period: MINUTE, ..Setup::default() })
}

#[test]
fn the_rest_after_a_test_payment_carries_its_address_over() {
    let mut session = session();
    session.reviews("base-ops", "USDC", "1", STRANGER);
    session.confirms();
    session.passes(3 * MINUTE);
    let first = session.order();
    first.is("settled", "the test payment");
    session.opens_order();
    session.sees("pay the rest: the same wallet, token and address, another amount");
    session.keys("R");
    session.sees("Withdraw");
    session.sees(STRANGER);
    // What the order settles is not typed anew.
    session.keys("BackTab");
    session.types("0");
    session.sees("only the amount can be changed");
    session.keys("Tab");
    session.types("24");
    session.keys("Enter Enter Enter");
    session.sees("This payment follows the order that paid 1");
    let prompts = session.expected_entries();
    assert_eq!(prompts.first().map(String::as_str), Some("24"));
    assert!(prompts.iter().all(|prompt| !STRANGER.contains(prompt.as_str())), "the middle was asked for: {prompts:?}");
    session.confirms();
    session.passes(3 * MINUTE);
    let second = session.order();
    second.is("settled", "the rest");
    assert_eq!((first.executions, second.executions), (1, 1));
    let payment_of = |report: &super::harness::payments::OrderReport| match &report.intent.drafted.draft {
        Draft::Withdraw(payment) => (payment.wallet.clone(), payment.to.clone(), payment.token.clone()),
        draft => panic!("{draft:?}"),
    };
    assert_eq!(payment_of(&first), payment_of(&second));
    let (_, confirmation) = second.intent.confirmed.as_ref().unwrap();
    assert!(
        confirmation.findings.iter().any(|line| line.contains("This payment follows the order")),
        "{confirmation:?}"
    );
}

#[test]
fn the_rest_follows_what_is_settled_and_nothing_else() {
    let mut session = session();
    session.service().set_failure_policy(bursar::service::FailurePolicy::Always);
    session.reviews("base-ops", "USDC", "1", STRANGER);
    session.confirms();
    session.passes(16 * MINUTE);
    session.order().is("failed", "its chain let it");
    session.opens_order();
    session.sees_no("pay the rest");
    session.keys("R");
    session.sees("the rest follows a payment that is settled: this order is failed");
}

#[test]
fn the_sandbox_tells_what_it_holds_and_gives_an_address() {
    let mut session = session();
    session.keys(":");
    session.types("sandbox version 1 assets");
    session.keys("Enter");
    session.sees("Sandbox of version 1");
    session.sees("Prime Wallet");
    session.keys("Esc n x");
    session.sees("Sandbox address");
    session.types("USDC");
    session.keys("Enter");
    session.types("base");
    session.keys("Enter Enter");
    session.sees("USDC on Base in the sandbox");
    session.passes(Duration::from_millis(1_100));
    session.keys("Enter");
    session.sees("the address is 0x");
    let order = session.order();
    order.is("created", "the sandbox gave it");
}

#[test]
fn in_production_there_is_no_sandbox() {
    let mut session = Session::with(Setup { network: Some(Network::Mainnet), ..Setup::default() });
    session.keys("n");
    session.sees_no("Sandbox");
    session.keys("Esc :");
    session.types("sandbox version 1 assets");
    session.sees("only on a test network");
    session.keys("Enter");
    session.sees_no("Prime Wallet");
}
