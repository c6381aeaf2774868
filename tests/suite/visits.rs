//! Visitors, each with a treasury of their own in one embedded service: what they can do, and what is out of their reach.

use std::time::Duration;

use bursar::domain::{Draft, TransactionId};
use bursar::runtime::demo::{Demo, KeysInHand};
use bursar::service::Sample;

use super::harness::{Lodging, Session};

const MINUTE: Duration = Duration::from_mins(1);

/// A stranger's address on Ethereum, and another one.
const STRANGER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
const OTHER: &str = "0xde709f2102306220921060314715629080e2fb77";

#[test]
fn a_withdrawal_of_a_visitor_settles_and_no_other_visitor_hears_of_it() {
    let lodging = Lodging::open();
    let (mut pays, mut looks) = (Session::visiting(&lodging, 1), Session::visiting(&lodging, 1));
    let before = looks.screen();
    assert_eq!(before, pays.screen(), "one seed, two businesses");
    pays.reviews("base-ops", "USDC", "1", STRANGER);
    pays.confirms();
    pays.passes(3 * MINUTE);
    let order = pays.order();
    order.is("settled", "a visitor's payment");
    assert_eq!(order.paid, 1);
    assert!(matches!(order.intent.drafted.draft, Draft::Withdraw(_)));
    // Time went on for both, and for one of them nothing else.
    looks.passes(3 * MINUTE);
    assert_eq!(looks.orders().len(), 0);
    assert_eq!(looks.premises().paid_under(order.intent.drafted.frozen.key.unwrap()).unwrap().len(), 0);
    for list in ["3", "4", "5"] {
        for session in [&mut pays, &mut looks] {
            session.keys(&format!("Esc {list} g"));
        }
    }
    pays.keys("Esc 3");
    looks.keys("Esc 3");
    pays.sees(&STRANGER[..6]);
    looks.sees_no(&STRANGER[..6]);
    // What the other pays in turn is no duplicate of it.
    looks.reviews("base-ops", "USDC", "1", STRANGER);
    looks.sees_no("uplicate");
    looks.confirms();
    looks.passes(3 * MINUTE);
    looks.order().is("settled", "another visitor's payment");
    assert_eq!((pays.orders().len(), looks.orders().len()), (1, 1));
}

#[test]
fn one_visitor_knows_nothing_of_anothers_business() {
    let lodging = Lodging::open();
    let (one, other) = (Session::visiting(&lodging, 1), Session::visiting(&lodging, 2));
    let ids = |session: &Session| -> Vec<TransactionId> {
        let places: Vec<i64> = (-399..=0).collect();
        session.store().rows_at(&places).unwrap().into_iter().map(|row| row.transaction.id).collect()
    };
    let (ones, others) = (ids(&one), ids(&other));
    assert_eq!((ones.len(), others.len()), (400, 400));
    assert!(ones.iter().all(|id| !others.contains(id)));
}

#[test]
fn files_profiles_and_the_shell_are_out_of_a_visitors_reach_and_said_to_be() {
    let lodging = Lodging::open();
    let mut session = Session::visiting(&lodging, 1);
    session.keys("C-z");
    session.sees("there is no shell to go back to");
    assert!(session.ended.is_none());
    // A file that is there, of which nothing must be said.
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    session.keys("i");
    session.types(file);
    session.keys("Enter");
    session.sees("files are the host's own");
    session.keys("Esc Esc i");
    session.types("user zebra-2 Zebra Kiosk");
    session.keys("Enter");
    session.sees("typed in: 1 imported");
    session.keys("Esc Esc 3");
    session.keys("x");
    session.keys("Enter");
    session.sees("files are the host's own");
}

#[test]
fn a_batch_is_pasted_by_a_visitor_and_not_read_from_the_hosts_files() {
    let lodging = Lodging::open();
    let mut session = Session::visiting(&lodging, 1);
    session.reviews_batch("base-ops", "USDC", &[(STRANGER, "1"), (OTHER, "2")]);
    session.confirms();
    session.passes(3 * MINUTE);
    session.order().is("settled", "a batch of a visitor");
}

#[test]
fn readers_of_many_visitors_share_their_connections_and_not_their_keys() {
    let lodging = Lodging::open();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let taken_in = |seed| runtime.block_on(lodging.guests.admit_to(Some(Sample { seed, transactions: 12 }))).unwrap();
    let (one, other) = (taken_in(1), taken_in(2));
    let keys = |guest: &bursar::service::Guest| {
        let keys = guest.credentials().unwrap();
        KeysInHand { api_key: keys.api_key.clone(), wallet_secret: keys.wallet_secret.clone() }
    };
    let first = Demo::at(lodging.guests.base_url(), keys(&one), MINUTE).unwrap();
    let second = first.under(keys(&other)).unwrap();
    let users = |demo: &Demo| runtime.block_on(demo.reader().users(1, 100)).unwrap().items;
    let (ones, others) = (users(&first), users(&second));
    assert!(!ones.is_empty() && ones.iter().all(|user| !others.contains(user)), "{ones:?}");
    drop(one);
    let refused = runtime.block_on(first.reader().users(1, 100)).unwrap_err();
    assert!(matches!(refused.reason, bursar::domain::Reason::KeyRejected), "{refused:?}");
    assert_eq!(users(&second), others);
}
