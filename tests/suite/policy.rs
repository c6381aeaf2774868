//! What a profile's policy allows, on the real console: stopped, or sent with the words that name the danger.

use bursar::domain::approval::ApprovalPolicy;
use std::time::Duration;

use bursar::domain::book::{BookChange, Contact};
use bursar::domain::order::{Confirmation, DraftedOrder, OrderId, RequestBytes, SendReason};
use bursar::domain::policy::{Limit, OverLimit, Policy};
use bursar::domain::{Amount, Timestamp};
use bursar::guard::{Finding, Rule, Severity};
use bursar::journal::RecordedBookChanges;
use bursar::service::Fault;

use super::harness::{Session, Setup};

/// Somebody who was never paid.
const STRANGER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
const HOUR: i64 = 3_600_000;

fn amount(text: &str) -> Amount {
    Amount::parse(text, 6).unwrap()
}

pub(super) fn limit(beyond: OverLimit) -> Limit {
    Limit {
        token: "USDC".into(),
        chain: None,
        per_payment: None,
        per_day: None,
        percent_of_balance: None,
        while_cooling: None,
        over_limit: beyond,
    }
}

pub(super) fn limits(limit: Limit) -> Policy {
    Policy { limits: vec![limit], ..Policy::default() }
}

fn of_day(most: &str) -> Policy {
    limits(Limit { per_day: Some(amount(most)), ..limit(OverLimit::Stop) })
}

/// A console of the sample business whose profile has a policy.
fn session(policy: Policy) -> Session {
    let mut session = Session::with(Setup { size: (200, 60), ..Setup::default() });
    session.allows(policy);
    session
}

pub(super) fn findings(session: &Session, rule: Rule) -> Vec<Finding> {
    let (findings, _) = session.judgement().expect("there is no review");
    findings.into_iter().filter(|finding| finding.rule == rule).collect()
}

fn is_stopped(session: &Session) -> bool {
    session.judgement().unwrap().1
}

/// Gives the review up, and lets a moment pass.
pub(super) fn leaves(session: &mut Session) {
    session.keys("Esc Esc Esc");
    session.passes(Duration::from_secs(2));
}

/// What the confirmation of the youngest order notes of dangers that were overridden.
pub(super) fn override_notes(session: &Session) -> Vec<String> {
    let (_, confirmation) = session.order().intent.confirmed.unwrap();
    let messages = confirmation.findings.iter().map(ToString::to_string);
    messages.filter(|line| line.contains("[overridden: ")).collect()
}

#[test]
fn a_payment_beyond_its_limit_is_stopped_or_sent_with_the_words() {
    let most = |beyond| limits(Limit { per_payment: Some(amount("20")), ..limit(beyond) });
    let mut session = session(most(OverLimit::Stop));
    session.reviews("base-ops", "USDC", "20.000001", STRANGER);
    assert!(is_stopped(&session));
    session.sees("One payment of USDC is limited to less than this.");
    session.sees("at most  20 per payment of USDC");
    leaves(&mut session);
    session.allows(most(OverLimit::Danger));
    session.reviews("base-ops", "USDC", "20.000001", STRANGER);
    assert!(session.expected_entries().contains(&"over the limit".to_owned()), "{:?}", session.expected_entries());
    session.confirms();
    session.order().is("accepted", "the words were typed");
    let notes = override_notes(&session);
    assert!(notes.iter().any(|line| line.ends_with("[overridden: over the limit]")), "{notes:?}");
    // What the limit allows needs no word of it.
    session.reviews("base-ops", "USDC", "20", STRANGER);
    assert_eq!(findings(&session, Rule::Limits), []);
}

#[test]
fn a_day_counts_what_everybody_paid_and_what_is_unresolved() {
    let mut session = session(of_day("110"));
    session.reviews("base-ops", "USDC", "110.000001", STRANGER);
    assert!(is_stopped(&session));
    // A colleague pays by another way, as the service's history tells while the review stands.
    let (_, bytes) = session.reviewed_payment().unwrap();
    let mut request: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    request["idempotencyKey"] = uuid::Uuid::new_v4().to_string().into();
    request["refId"] = "colleague-1".into();
    request["amount"] = "60".into();
    session.posts("/v2/transactions/withdraw", &request);
    session.passes(Duration::from_secs(3));
    session.sees("paid     60 in 1 payment");
    leaves(&mut session);
    session.reviews("base-ops", "USDC", "25", STRANGER);
    assert_eq!(findings(&session, Rule::Limits), []);
    session.faults(vec![Fault::NoAnswer { executed: false }.on_changes()]);
    session.confirms();
    session.order().is("unknown", "no answer came");
    session.reviews("base-ops", "USDC", "25.000001", STRANGER);
    assert_eq!((findings(&session, Rule::Limits)[0].severity, is_stopped(&session)), (Severity::Stop, true));
    session.sees("paid     85 in 2 payments, 1 unresolved");
    leaves(&mut session);
    session.reviews("base-ops", "USDC", "24.999999", STRANGER);
    assert_eq!(findings(&session, Rule::Limits), []);
}

#[test]
fn a_limit_is_judged_again_right_before_the_payment_is_sent() {
    let mut session = session(of_day("50"));
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.passes(Duration::from_millis(1_100));
    assert_eq!(findings(&session, Rule::Limits), []);
    // In the moment before the last key another console sends another payment.
    let mut drafted = session.recorded_orders().remove(0).drafted;
    drafted.sender.as_mut().unwrap().amount = amount("30");
    let order = sends_elsewhere(&session, drafted);
    for text in session.expected_entries() {
        session.types(&text);
        session.keys("Enter");
    }
    session.sees("With this, more USDC than is allowed would be paid within 24 hours.");
    assert!(session.recorded_orders().iter().all(|intent| intent.id == order || intent.attempts.is_empty()));
}

#[test]
fn a_share_of_the_balance_is_bounded() {
    let share = Limit { token: "*".into(), percent_of_balance: Some(1), ..limit(OverLimit::Stop) };
    let mut session = session(limits(share));
    session.reviews("base-ops", "USDC", "1", STRANGER);
    assert!(!is_stopped(&session), "{}", session.screen());
    leaves(&mut session);
    session.reviews("base-ops", "USDC", "max", STRANGER);
    session.sees("This is a larger share of the wallet's balance than the limit for one payment allows.");
    assert!(is_stopped(&session));
}

#[test]
fn an_amount_of_another_order_is_sent_with_the_words_alone() {
    let mut session = session(Policy::default());
    for amount in ["1", "1.5", "2"] {
        session.reviews("base-ops", "USDC", amount, STRANGER);
        session.confirms();
        session.passes(Duration::from_mins(1));
        session.order().is("settled", amount);
    }
    session.reviews("base-ops", "USDC", "19.999999", STRANGER);
    assert_eq!(findings(&session, Rule::Outlier), []);
    leaves(&mut session);
    session.reviews("base-ops", "USDC", "20", STRANGER);
    assert_eq!(session.expected_entries().last().map(String::as_str), Some("unusual amount"));
    session.confirms();
    assert!(override_notes(&session)[0].ends_with("[overridden: unusual amount]"));
}

pub(super) fn enters(session: &Session, name: &str, address: &str, hours_ago: i64) {
    let other = session.till().opens();
    let contact =
        Contact { name: name.into(), address: address.into(), blockchain: "base".into(), tag: None, note: None };
    let at = Timestamp::from_millis(session.now().millis() - hours_ago * HOUR);
    let book = RecordedBookChanges::replay_book(&other.journal.book_changes(&other.destination).unwrap());
    other.journal.change_book(&other.destination, &book, vec![BookChange::Entered(contact)], Vec::new(), at).unwrap();
}

#[test]
fn only_the_address_book_is_paid_and_new_entries_cool_first() {
    let cooling = Limit { while_cooling: Some(amount("10")), ..limit(OverLimit::Stop) };
    let mut session = session(Policy {
        allow_list_only: true,
        cooling: Some(Duration::from_hours(48)),
        limits: vec![cooling],
        ..Policy::default()
    });
    let address = "0xde709f2102306220921060314715629080e2fb77";
    enters(&session, "Pelagic", address, 49);
    session.reviews("base-ops", "USDC", "25", STRANGER);
    assert!(is_stopped(&session));
    session.sees(
        "This address is not in your address book, and the profile's policy allows payments to the address book only.",
    );
    // Another program enters it while the review stands, which is told of it by the next look.
    enters(&session, "Norrland", STRANGER, 0);
    leaves(&mut session);
    session.reviews("base-ops", "USDC", "25", STRANGER);
    assert!(is_stopped(&session));
    session.sees("This is “Norrland” in your address book, and is not trusted yet");
    leaves(&mut session);
    session.reviews("base-ops", "USDC", "10", STRANGER);
    assert!(!is_stopped(&session), "{}", session.screen());
    session.confirms();
    session.order().is("accepted", "as much as may be paid to it meanwhile");
    session.reviews("base-ops", "USDC", "0.000001", STRANGER);
    assert!(is_stopped(&session));
    session.sees("paid     10 USDC to this recipient since it was entered");
    leaves(&mut session);
    // One that has stood there for two days is paid like anybody.
    session.reviews("base-ops", "USDC", "25", address);
    assert!(!is_stopped(&session), "{}", session.screen());
    session.sees("This is “Pelagic” in your address book since");
}

#[test]
fn a_recipient_is_offered_and_found_by_name() {
    let mut session = session(Policy::default());
    enters(&session, "Norrland Shipping", STRANGER, 1);
    session.passes(Duration::from_secs(3));
    session.keys("1 w");
    session.sees("From wallet");
    session.keys("'base-ops' Enter 'USDC' Enter");
    session.types("norr");
    session.sees("Norrland Shipping");
    session.sees("address book · 0x5290…9EE7");
    session.types("land shipping");
    session.keys("Enter '25' Enter Enter Enter");
    session.sees("Review");
    session.sees("0x 5290 8400 0985 2788 6E0F 7030 0698 57D2 E416 9EE7");
    session.sees("This is “Norrland Shipping” in your address book");
}

#[test]
fn an_address_means_itself_whoever_is_called_so() {
    let mut session = session(Policy::default());
    enters(&session, STRANGER, "0xde709f2102306220921060314715629080e2fb77", 1);
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.sees("0x 5290 8400 0985 2788 6E0F 7030 0698 57D2 E416 9EE7");
}

#[test]
fn an_address_that_resembles_one_of_the_book_is_sent_with_the_words_alone() {
    let mut session = session(Policy::default());
    enters(&session, "Norrland", "0xbaf4b1aF7E3B560d937DA0458514552B6495F8b5", 1);
    session.reviews("base-ops", "USDC", "25", "0xBaFF2F13638C04B10F8119760B2D2aE86b08f8b5");
    session.sees("“Norrland” in your address book");
    session.sees("differ at");
    assert!(session.expected_entries().contains(&"looks like another".to_owned()));
    session.confirms();
    assert!(override_notes(&session)[0].ends_with("[overridden: looks like another]"));
}

#[test]
fn a_secret_in_the_place_of_an_address_is_named_and_never_recorded() {
    let seed = "SBGWSG6BTNCKCOB3DIFBGCVMUPQFYPA2G4O34RMTB343OYPXU5DJDVMN";
    let mut session = session(Policy::default());
    session.keys("1 w");
    session.sees("From wallet");
    session.keys(&format!("'base-ops' Enter 'USDC' Enter '{seed}' Enter"));
    session.sees("this is a Stellar secret seed, not an address");
    assert!(session.judgement().is_none());
    let bytes = std::fs::read(session.till().file()).unwrap();
    assert!(!bytes.windows(seed.len()).any(|window| window == seed.as_bytes()));
}

#[test]
fn the_policy_page_says_what_is_left_and_counts_again_after_a_payment() {
    let policy = Policy {
        limits: vec![Limit { per_payment: Some(amount("90")), per_day: Some(amount("110")), ..limit(OverLimit::Stop) }],
        allow_list_only: false,
        cooling: Some(Duration::from_hours(48)),
        ..Policy::default()
    };
    let mut session = session(policy);
    session.keys("%");
    session.passes(Duration::from_secs(1));
    session.sees("at most 90 per payment");
    session.sees("110 left now; paid: 0 in 0 payments");
    session.sees("trusted after 2 days");
    session.keys("Esc");
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.confirms();
    session.order().is("accepted", "the limit allows it");
    session.keys("%");
    session.passes(Duration::from_secs(1));
    session.sees("85 left now; paid: 25 in 1 payment");
    // The form says the same before an amount is typed, and when it is too much.
    session.keys("Esc");
    leaves(&mut session);
    session.chooses("w", "base-ops", "USDC");
    session.keys(&format!("'{STRANGER}' Enter"));
    session.sees("at most 85 USDC, what is left of the 24-hour limit; or max; or 25%");
    session.types("85.5");
    session.passes(Duration::from_secs(1));
    session.sees("above 85, what is left of the 24-hour limit: this will not be sent");
}

#[test]
fn a_console_that_only_reads_shows_the_address_book_and_the_policy() {
    let mut session = session(of_day("110"));
    enters(&session, "Pelagic", "0xde709f2102306220921060314715629080e2fb77", 49);
    session.only_reads_from_now_on();
    session.connect();
    session.passes(Duration::from_secs(2));
    session.keys("7");
    session.passes(Duration::from_secs(2));
    session.sees("Pelagic");
    session.keys("%");
    session.passes(Duration::from_secs(1));
    session.sees("at most 110 in 24 hours");
    session.sees("what was paid in the last 24 hours is not known: ");
    session.keys("Esc n");
    session.sees("this console is read-only");
}

#[test]
fn what_another_console_has_just_paid_is_not_paid_again() {
    let mut session = session(Policy::default());
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.passes(Duration::from_millis(1_100));
    let drafted = session.recorded_orders().remove(0).drafted;
    let order = sends_elsewhere(&session, drafted);
    for text in session.expected_entries() {
        session.types(&text);
        session.keys("Enter");
    }
    session.sees("Another console has just paid this: ");
    session.sees("Give up this order and draft a new one. Nothing was");
    assert!(session.recorded_orders().iter().all(|intent| intent.id == order || intent.attempts.is_empty()));
}

/// Another console sends an order in the moment before the last key.
fn sends_elsewhere(session: &Session, drafted: DraftedOrder) -> OrderId {
    let (other, now) = (session.till().opens(), session.now());
    let drafted =
        DraftedOrder { request: RequestBytes { key: Some(uuid::Uuid::new_v4()), ..drafted.request }, ..drafted };
    let to = drafted.destination.clone();
    let order = other.journal.record_draft(drafted, now).unwrap().id;
    let confirmation = Confirmation { typed: Vec::new(), findings: Vec::new(), agreed: None };
    other.journal.record_confirmation(order, confirmation, now).unwrap();
    let gives_up_at = now.plus(Duration::from_secs(30));
    drop(
        other
            .journal
            .permit_send(order, SendReason::Confirmed, &to, now, gives_up_at, None, &ApprovalPolicy::default())
            .unwrap(),
    );
    order
}
