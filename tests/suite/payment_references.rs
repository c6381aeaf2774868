//! References of payments: typed or made up, compared with what was paid before, found and exported.

use std::fmt::Write as _;
use std::time::Duration;

use bursar::domain::Draft;
use bursar::domain::draft::RequestDefaults;

use super::batches::{fills_in, stranger};
use super::harness::{Session, Setup};

const MINUTE: Duration = Duration::from_mins(1);
const STRANGER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
const OTHER: &str = "0xde709f2102306220921060314715629080e2fb77";

fn session() -> Session {
    Session::with(Setup { poll_period: MINUTE, ..Setup::default() })
}

/// Goes to the review of a payment with a reference.
pub(super) fn reviews_invoice(session: &mut Session, amount: &str, to: &str, reference: &str) {
    session.fills_in("base-ops", "USDC", amount, to);
    session.sees("Review");
    // The order of the first review was given up a moment before.
    session.keys("Esc BackTab");
    session.passes(Duration::from_secs(2));
    session.sees("▌Reference");
    session.types(reference);
    session.keys("Enter Enter");
}

fn reference(session: &Session) -> String {
    let (draft, _) = session.reviewed_payment().unwrap_or_else(|| panic!("no review on\n{}", session.screen()));
    draft.reference().unwrap().to_string()
}

#[test]
fn a_reference_is_sent_found_and_compared_and_made_up_where_none_is_typed() {
    let mut session = session();
    reviews_invoice(&mut session, "25", STRANGER, "INV-2210");
    assert_eq!(reference(&session), "INV-2210");
    let (_, bytes) = session.reviewed_payment().unwrap();
    let request: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(request["refId"], "INV-2210");
    session.confirms();
    session.passes(3 * MINUTE);
    session.order().is("settled", "the invoice");
    session.keys("4 /");
    session.types("inv-2210");
    session.keys("Enter");
    session.sees("Sum of 1 order");
    session.keys("Esc 3 /");
    session.types("ref:inv-2210");
    session.keys("Enter");
    session.sees("Sum of 1 row");
    // The same invoice again, to somebody else and spelt otherwise.
    reviews_invoice(&mut session, "7", OTHER, "inv 2210");
    session.sees("Another payment carries the same reference");
    session.sees("25 USDC");
    assert!(session.expected_entries().iter().any(|entry| entry == "same reference"));
    session.keys("Esc Esc");
    session.reviews("base-ops", "USDC", "1", OTHER);
    assert!(reference(&session).starts_with('B'), "{}", reference(&session));
}

#[test]
fn a_row_of_a_batch_has_a_reference_of_its_own_which_is_recorded_shown_and_compared_but_not_sent() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pay.csv");
    let mut text = "address,amount,label,reference\n".to_owned();
    for number in 0..3 {
        writeln!(text, "{},0.25,Crew {number},INV-{number}", stranger(number)).unwrap();
    }
    std::fs::write(&path, text).unwrap();
    let mut session = session();
    fills_in(&mut session, &path);
    session.sees("line 2 · Crew 0 · INV-0");
    session.keys("Tab Enter");
    session.sees("Review · Batch");
    let (draft, bytes) = session.reviewed_payment().unwrap();
    assert!(!String::from_utf8(bytes).unwrap().contains("INV-"));
    let Draft::Batch(batch) = draft else { panic!("no batch") };
    assert_eq!(batch.to[1].reference.as_deref(), Some("INV-1"));
    session.confirms();
    session.passes(3 * MINUTE);
    session.order().is("settled", "the chain took it");
    session.keys("4 /");
    session.types("inv-1");
    session.keys("Enter");
    session.sees("Sum of 1 order");
    session.opens_order();
    let mut page_text = String::new();
    for _ in 0..9 {
        page_text.push_str(&session.screen());
        session.keys("PgDn");
    }
    assert!(page_text.contains("Crew 2 · INV-2"), "{page_text}");
    session.keys("Esc Esc");
    reviews_invoice(&mut session, "9", OTHER, "INV-1");
    session.sees("Another payment carries the same reference");
    session.sees("ref INV-1");
}

#[test]
fn what_the_profile_adds_to_a_request_is_reviewed_sent_recorded_and_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pay.csv");
    std::fs::write(&path, format!("address,amount\n{},0.25\n{},0.5\n", stranger(1), stranger(2))).unwrap();
    let mut session = session();
    let metadata = [("department".into(), "treasury".into()), ("desk".into(), "7".into())].into_iter().collect();
    session.adds_to_requests(RequestDefaults { metadata, queue: Some(false) });
    session.reviews("base-ops", "USDC", "1", STRANGER);
    let body = |session: &Session| -> serde_json::Value {
        let (_, bytes) = session.reviewed_payment().unwrap();
        serde_json::from_slice(&bytes).unwrap()
    };
    let request_body = body(&session);
    assert_eq!(request_body["metadata"], serde_json::json!({"department": "treasury", "desk": "7"}));
    assert!(request_body.get("queue").is_none());
    session.keys("PgDn");
    session.sees("department=treasury, desk=7");
    session.confirms();
    session.passes(3 * MINUTE);
    session.order().is("settled", "the service takes metadata");
    session.keys("Esc Esc");
    fills_in(&mut session, &path);
    session.keys("Tab Enter");
    session.sees("Review · Batch");
    let request_body = body(&session);
    assert_eq!(request_body["metadata"]["department"], "treasury");
    assert_eq!(request_body["queue"], false);
    session.confirms();
    session.passes(3 * MINUTE);
    session.order().is("settled", "the service takes metadata of a batch");
    session.keys("Esc Esc 4 /");
    session.types("department=treasury");
    session.keys("Enter");
    session.sees("Sum of 2 orders");
    session.opens_order();
    session.sees("Metadata");
}

#[test]
fn a_share_of_the_balance_becomes_its_amount_before_the_review() {
    let mut session = session();
    session.keys("Tab j w 'USDC' Tab");
    session.keys(&format!("'{STRANGER}' Tab '25%'"));
    session.sees("25% of the balance, rounded down");
    session.keys("Tab");
    session.sees_no("25%");
    session.keys("Tab Enter");
    let (draft, _) = session.reviewed_payment().unwrap();
    let amount = draft.single_payment().unwrap().amount.to_string();
    session.sees("Review · Withdraw");
    let entries = session.expected_entries();
    assert_eq!(entries.first(), Some(&amount));
    session.keys("Esc BackTab BackTab BackTab");
    session.sees("▌Amount");
    session.keys("C-u '101%' Tab");
    session.sees("a share of the balance is above 0% and at most 100%");
}

#[test]
fn a_form_explains_its_fields_and_any_key_returns_to_it() {
    let mut session = session();
    session.keys("Tab j w");
    session.keys("F1");
    session.sees("The token, by its symbol");
    session.sees("any key back to the form");
    session.keys("U");
    session.sees("▌Token");
    session.sees_no("U▏");
    session.keys("'USDC' Tab");
    session.keys("? Tab");
    session.sees("an EVM address");
}
