//! Forms and reviews as their user has them: filled in, put right, reviewed, sent; and what they look like.

use std::time::Duration;

use bursar::domain::CreatedObject;
use bursar::guard::challenge_range;
use insta::assert_snapshot;

use super::harness::placeholders::replace_across_lines;
use super::harness::{Session, Setup};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 36), (200, 60)];

/// Somebody who was never paid.
const STRANGER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

/// How long a review stands before it takes keys.
const ARMING: Duration = Duration::from_secs(1);

/// The screen with what differs from run to run masked: keys and references.
fn masked_screen(session: &Session) -> String {
    let screen = session.screen_below_tabs().replace(session.service().base_url(), "http://127.0.0.1");
    let hide =
        |secret: &str| secret.chars().map(|c| if c.is_ascii_alphanumeric() { 'x' } else { c }).collect::<String>();
    session.identifiers().iter().fold(screen, |screen, secret| replace_across_lines(&screen, secret, &hide(secret)))
}

fn at_each_size(name: &str, prepare: impl Fn(&mut Session)) {
    for size in SIZES {
        let mut session = Session::with(Setup { size, ..Setup::default() });
        prepare(&mut session);
        assert_snapshot!(format!("{name}-{}x{}", size.0, size.1), masked_screen(&session));
    }
}

/// Fills in a payment from the first wallet and goes to the button that leads to its review.
fn fills_in(session: &mut Session, to: &str, amount: &str) {
    session.keys("Tab j w 'USDC' Tab");
    session.keys(&format!("'{to}' Tab '{amount}' Tab Tab"));
}

/// Types what a review of a first payment asks for.
fn confirms(session: &mut Session, amount: &str) {
    session.passes(ARMING);
    let middle = &STRANGER[challenge_range(STRANGER)];
    session.keys(&format!("'{amount}' Enter '{middle}'"));
}

#[test]
fn a_payment_is_made_with_only_the_screen_to_go_by() {
    let mut session = Session::with(Setup { size: (80, 24), ..Setup::default() });
    fills_in(&mut session, STRANGER, "25.5");
    session.sees("25.5 USDC");
    session.keys("Enter");
    session.sees("Review · Withdraw");
    session.sees("0x 5290 8400 0985 2788 6E0F 7030 0698 57D2 E416 9EE7");
    confirms(&mut session, "25.5");
    session.keys("Enter");
    session.sees("accepted");
    session.sees("25.5 USDC");
    session.passes(Duration::from_mins(1));
    session.order().is("settled", "the chain took it");
    session.sees("settled");
    let orders = session.recorded_orders();
    assert_eq!(orders.len(), 1);
    assert_eq!(orders[0].attempts.len(), 1);
    // The second payment to the same recipient needs no characters from the middle.
    session.keys("1 w");
    session.sees("From wallet");
    session.keys("'USDC' Tab '0x52' Down");
    session.sees("paid 1×");
    session.keys("Enter '30' Tab Tab Enter");
    session.passes(ARMING);
    session.sees("the amount, in digits");
    session.sees_no("of the recipient");
}

#[test]
fn keys_typed_ahead_of_a_review_do_nothing() {
    let mut session = Session::with(Setup { size: (80, 24), ..Setup::default() });
    fills_in(&mut session, STRANGER, "25.5");
    let middle = &STRANGER[challenge_range(STRANGER)];
    session.keys(&format!("Enter '25.5' Enter '{middle}' Enter"));
    session.sees("keys work in a second");
    assert!(session.recorded_orders().iter().all(|order| order.attempts.is_empty()));
}

#[test]
fn what_is_wrong_is_said_beside_the_field_in_words_that_say_what_would_be_right() {
    for (entry, complaint) in [
        ("1,5", "write the fraction with a point"),
        (".5", "an amount has digits on both sides of its point"),
        ("0", "pay an amount greater than zero"),
        ("1e3", "use digits and one point"),
        ("1.23456789", "this token has 6 fraction digits; shorten the amount to"),
        ("99999999999", "exceeds the balance of"),
    ] {
        let mut session = Session::with(Setup { size: (80, 24), ..Setup::default() });
        session.keys("Tab j w 'USDC' Tab");
        session.keys(&format!("'{STRANGER}' Tab '{entry}' Tab"));
        session.sees(complaint);
        // Going back is always allowed.
        session.keys("BackTab BackTab");
        session.sees("▌Token");
    }
    for (entry, complaint) in [
        ("0x5290840009852788", "an EVM address has 40 digits after 0x"),
        ("0x52908400098527886E0F7030069857D2E4169Ee7", "the checksum does not match: a character"),
        ("7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2", "this is a Solana address; the wallet is on Base"),
        ("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "this is a Tron address; the wallet is on Base"),
        ("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "this is a Bitcoin address; the wallet is on Base"),
        ("", "an address is missing"),
    ] {
        let mut session = Session::with(Setup { size: (80, 24), ..Setup::default() });
        session.keys("Tab j w 'USDC' Tab");
        session.keys(&format!("'{entry}' Tab"));
        session.sees(complaint);
    }
}

#[test]
fn what_cannot_be_seen_in_a_paste_is_named() {
    let mut session = Session::with(Setup { size: (120, 36), ..Setup::default() });
    session.keys("Tab j w 'USDC' Tab");
    session.pastes("0x52908400098527886E0F\u{200b}7030069857D2E4169EE7\n");
    session.sees("0x52908400098527886E0F‹U+200B›7030");
    session.keys("Tab");
    session.sees("character 23 is U+200B");
    session.keys("C-u");
    session.pastes(&format!("{STRANGER}\n{STRANGER}\n"));
    session.sees("Enter makes a batch of them, Esc discards them");
    session.keys("Esc");
    session.pastes(&format!("{STRANGER}\n"));
    session.keys("Tab");
    session.sees("▌Amount");
}

#[test]
fn max_is_the_balance_less_the_fee_and_the_review_says_the_figure() {
    let mut session = Session::with(Setup { size: (120, 36), ..Setup::default() });
    fills_in(&mut session, STRANGER, "max");
    session.sees("the balance less the highest known fee");
    session.keys("Enter");
    session.sees("Review · Withdraw");
    let orders = session.recorded_orders();
    let bursar::domain::Draft::Withdraw(payment) = &orders[0].drafted.draft else { panic!("{orders:?}") };
    let sender = orders[0].drafted.sender.as_ref().unwrap();
    assert_eq!(payment.amount.as_str(), sender.amount.to_string());
    session.sees(&format!("{} USDC", sender.amount.format_grouped()));
}

#[test]
fn a_new_wallet_is_made_and_selected() {
    let mut session = Session::with(Setup { size: (120, 36), ..Setup::default() });
    session.keys("n w Tab 'polygon' Tab 'ops-polygon' Tab Tab Tab Tab Enter");
    session.sees("ops-polygon on Polygon");
    session.passes(ARMING);
    session.keys("Enter");
    session.sees("wallet ops-polygon created on Polygon: 0x");
    session.passes(Duration::from_secs(1));
    session.sees("▌ops-polygon");
}

#[test]
fn wallets_on_several_chains_get_one_address() {
    let mut session = Session::with(Setup { size: (120, 36), ..Setup::default() });
    session.keys("n w Tab 'base,polygon,base' Tab");
    session.sees("Base is listed twice");
    session.keys("C-u 'base,solana' Tab");
    session.sees("Solana shares no address with the others");
    session.keys("C-u 'base,Pol' Down Enter Tab Tab Tab");
    session.sees("enter a reference");
    session.keys("'desk' Tab Tab Enter");
    for (nth, chain) in [("1 of 2", "base"), ("2 of 2", "polygon")] {
        session.sees(&format!("Review · New wallet · {nth}"));
        session.sees(&format!(r#""blockchain":"{chain}""#));
        session.passes(ARMING);
        session.keys("Enter");
        session.passes(Duration::from_secs(1));
    }
    session.sees("created on Polygon: 0x");
    let orders = session.recorded_orders();
    let answers = orders.iter().flat_map(|order| &order.attempts).filter_map(|attempt| attempt.answer.as_ref());
    let addresses: Vec<_> = answers
        .filter_map(|(_, answer)| match &answer.created {
            Some(CreatedObject::Wallet(wallet)) => wallet.address.clone(),
            _ => None,
        })
        .collect();
    assert_eq!(addresses.len(), 2);
    assert_eq!(addresses[0], addresses[1]);
}

#[test]
fn a_wallet_is_changed_and_only_what_was_filled_in() {
    let mut session = Session::with(Setup { size: (120, 36), ..Setup::default() });
    session.keys("e");
    session.sees("select the wallet to change first");
    session.keys("Tab j e");
    session.sees("Wallet update · ");
    session.sees("; empty keeps it");
    session.keys("Tab Tab Tab Tab Enter");
    session.sees("nothing would change: fill in at least one field");
    session.keys("'desk-7' Tab Tab 'no' Tab Tab Enter");
    session.sees("unchanged");
    session.sees(r#""name":"desk-7","isActive":false}"#);
    session.passes(ARMING);
    session.keys("Enter");
    session.sees("wallet desk-7 changed");
    session.passes(Duration::from_secs(2));
    session.sees("▌desk-7");
    // What the service told stands after a start, too, also with a new cache.
    session.loses_its_cache();
    session.restarts();
    session.connect();
    session.passes(Duration::from_secs(2));
    session.sees("desk-7");
}

#[test]
fn a_user_is_changed_on_the_page_of_users() {
    let mut session = Session::with(Setup { size: (120, 36), ..Setup::default() });
    session.keys("2");
    session.passes(Duration::from_secs(1));
    session.keys("e");
    session.sees("User update · ");
    session.keys("'Lakewood' Tab 'ada(at)example.com' Tab");
    session.sees("an email address has the form name@host");
    session.keys("C-u 'ada@example.com' Tab Tab Enter");
    session.sees("“userId” is an assumed name");
    session.passes(ARMING);
    session.keys("Enter");
    session.sees("user Lakewood changed");
    session.passes(Duration::from_secs(2));
    session.sees("Lakewood");
}

#[test]
fn version_1_makes_a_sub_wallet_and_its_address() {
    let mut session = Session::with(Setup { size: (80, 24), ..Setup::default() });
    session.keys("n s 'Ferrywoman' Tab Tab Tab 'yes' Tab Enter");
    session.sees(r#""canTrade":true"#);
    session.passes(ARMING);
    session.keys("Enter");
    session.sees("user Ferrywoman created: ");
    session.passes(Duration::from_secs(1));
    session.keys("n d 'Ferrywoman' Tab 'USDC' Tab 'Base' Tab Enter");
    session.sees("USDC on Base for ");
    session.passes(ARMING);
    session.keys("Enter");
    session.sees("the address is 0x");
    session.passes(Duration::from_secs(1));
    let paths: Vec<_> = session.recorded_orders().iter().map(|order| order.drafted.request.path.clone()).collect();
    assert!(paths.contains(&"/v1/sub-wallet/create".into()) && paths.contains(&"/v1/sub-wallet/address".into()));
    // A profile that leaves version 1 alone offers neither.
    let mut session = Session::with(Setup { size: (80, 24), v1: false, ..Setup::default() });
    session.keys("n");
    session.sees_no("Deposit address");
    session.sees_no("sub-wallet");
}

#[test]
fn a_draft_is_kept_when_its_form_is_closed() {
    let mut session = Session::with(Setup { size: (80, 24), ..Setup::default() });
    session.keys("Tab j w 'USDC' Tab");
    session.keys(&format!("'{STRANGER}' Esc"));
    session.sees("the draft is kept");
    session.keys("w");
    session.sees(STRANGER);
    session.sees("▌From wallet");
    session.keys("Esc w Tab Tab Tab");
    session.sees("▌Amount");
}

#[test]
fn leaving_a_review_gives_its_order_up() {
    let mut session = Session::with(Setup { size: (80, 24), ..Setup::default() });
    fills_in(&mut session, STRANGER, "25.5");
    session.keys("Enter Esc");
    session.sees("[ Review ]");
    let orders = session.recorded_orders();
    assert_eq!(orders.len(), 1);
    assert!(orders[0].end.is_some() && orders[0].attempts.is_empty());
}

#[test]
fn a_console_that_only_reads_opens_no_form() {
    let mut session = Session::with(Setup { size: (80, 24), can_pay: false, ..Setup::default() });
    session.keys("w");
    session.sees("this console is read-only: set by --read-only or by the profile");
    session.resizes(120, 36);
    session.keys("?");
    session.sees("a review (not here: this console is read-only)");
}

#[test]
fn no_size_is_too_small_for_a_form() {
    let mut session = Session::with(Setup { size: (80, 24), ..Setup::default() });
    fills_in(&mut session, STRANGER, "25.5");
    for (width, height) in [(40, 10), (41, 11), (1, 1), (39, 9), (60, 12), (80, 24)] {
        session.resizes(width, height);
        let _drawn = session.screen();
    }
    session.keys("Enter");
    for (width, height) in [(40, 10), (1, 1), (60, 12), (80, 16)] {
        session.resizes(width, height);
        let _drawn = session.screen();
    }
}

#[test]
fn new_looks_so() {
    at_each_size("form-new", |session| session.keys("n"));
}

#[test]
fn an_empty_payment_looks_so() {
    at_each_size("form-withdraw-empty", |session| session.keys("w"));
}

#[test]
fn a_token_to_choose_looks_so() {
    at_each_size("form-withdraw-token", |session| session.keys("w 'eth-main' Tab Down Down"));
}

#[test]
fn a_payment_with_errors_looks_so() {
    at_each_size("form-withdraw-errors", |session| {
        session.keys("Tab j w 'USDC' Tab");
        session.keys("'0x52908400098527886E0F7030069857D2E4169Ee7' Tab");
    });
}

#[test]
fn a_payment_filled_in_looks_so() {
    at_each_size("form-withdraw-filled", |session| fills_in(session, STRANGER, "25.5"));
}

#[test]
fn a_new_wallet_looks_so() {
    at_each_size("form-wallet", |session| session.keys("n w Tab Down"));
}

#[test]
fn a_review_that_is_not_armed_looks_so() {
    at_each_size("review-arming", |session| {
        fills_in(session, STRANGER, "25.5");
        session.keys("Enter");
    });
}

#[test]
fn a_review_with_a_danger_looks_so() {
    at_each_size("review-danger", |session| {
        fills_in(session, STRANGER, "25.5");
        session.keys("Enter");
        confirms(session, "25.5");
        session.keys("Enter");
        session.sees("accepted");
        // The same payment once more.
        session.keys(&format!("1 w 'USDC' Tab '{STRANGER}' Tab '25.5' Tab Tab Enter"));
        session.passes(ARMING);
        session.keys("'25.5' Enter 'paid'");
    });
}

#[test]
fn a_review_that_cannot_be_sent_looks_so() {
    at_each_size("review-stop", |session| {
        // The burn address: well formed, and nobody's.
        fills_in(session, "0x000000000000000000000000000000000000dEaD", "25.5");
        session.keys("Enter");
        session.passes(ARMING);
    });
}

#[test]
fn an_enter_that_comes_with_an_escape_confirms_nothing() {
    let mut session = Session::open();
    session.keys("n a 'Operations' Tab Enter");
    session.passes(4 * ARMING);
    session.sees("Review");
    let tap = session.service().record_requests();
    session.keys("A-Enter");
    session.passes(ARMING);
    session.sees("Review");
    assert!(tap.changes().is_empty(), "{:?}", tap.changes());
    session.keys("Enter");
    session.passes(ARMING);
    assert_eq!(tap.changes().len(), 1, "and it would have");
}

#[test]
fn a_review_of_a_new_account_looks_so() {
    at_each_size("review-account", |session| {
        session.keys("n a 'Operations' Tab Enter");
        session.passes(ARMING);
    });
}

#[test]
fn what_a_swap_looks_like_while_it_is_filled_in() {
    at_each_size("swap-form", |session| {
        session.fills_in_swap("base-ops", "USDC", "25", "ETH");
        session.keys("Esc");
        session.passes(4 * ARMING);
    });
}

#[test]
fn what_the_review_of_a_swap_looks_like() {
    at_each_size("swap-review", |session| {
        session.reviews_swap("base-ops", "USDC", "25", "ETH");
        session.passes(4 * ARMING);
    });
}

#[test]
fn what_a_swap_by_version_1_looks_like() {
    let setup = Setup { size: (80, 24), v2: false, ..Setup::default() };
    let mut session = Session::with(setup);
    session.keys("1 s");
    assert_snapshot!("swap-form-v1-80x24", masked_screen(&session));
    session.keys("Esc");
    session.reviews_swap("base-ops", "USDC", "25", "ETH");
    assert_snapshot!("swap-review-v1-80x24", masked_screen(&session));
}
