//! Templates: saved from forms, orders and rows of the history; due on their days until they are paid or skipped.

use std::time::Duration;

use bursar::domain::Draft;
use bursar::domain::order::{Confirmation, DraftedOrder};

use super::harness::{Session, Setup};

const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);
const STRANGER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
const OTHER: &str = "0xde709f2102306220921060314715629080e2fb77";

/// On a Monday.
fn session() -> Session {
    Session::with(Setup { size: (120, 36), poll_period: 10 * MINUTE, ..Setup::default() })
}

/// Saves the open form, and has it due on a day.
pub(super) fn saves_form(session: &mut Session, name: &str, repeat: &str) {
    session.keys("C-s");
    session.sees("Save this payment as a template called");
    session.types(name);
    session.keys("Enter");
    session.sees(&format!("the template “{name}” is saved"));
    session.keys("Esc E");
    // The form is now a draft, and the first of the list.
    session.keys("G r");
    session.types(repeat);
    session.keys("Enter");
    session.sees(&format!("“{name}” is due"));
    session.keys("Esc");
}

/// A payment whose form is open, complete and not reviewed.
fn fills_in(session: &mut Session, amount: &str, to: &str) {
    session.reviews("base-ops", "USDC", amount, to);
    session.keys("Esc");
    session.passes(Duration::from_secs(2));
}

#[test]
fn a_payment_is_due_on_its_day_opens_as_a_form_judged_as_new_and_is_over_once_it_is_paid() {
    let mut session = session();
    fills_in(&mut session, "25", STRANGER);
    saves_form(&mut session, "Rent of the quay", "weekly monday");
    session.sees("payment due");
    session.keys("! g");
    session.sees("Rent of the quay, due 2026-11-02: 25 USDC to ");
    session.sees("since 2026-11-02 00:00");
    session.keys("Enter");
    session.sees("filled in from the template Rent of the quay, due 2026-11-02, and judged as new");
    session.sees("RENT-OF-THE-QUAY-2026-11-02");
    session.keys("Enter Enter Enter Enter");
    session.sees("Review · Withdraw");
    assert!(session.whole_review().unwrap().contains("Rent of the quay, due 2026-11-02"));
    // A review is no payment. What was typed is kept as a draft for its date.
    session.keys("Esc Up Up");
    session.types("early");
    session.keys("Esc");
    session.passes(MINUTE);
    session.keys("! g");
    session.sees("payment due");
    session.keys("Enter");
    session.sees("draft restored");
    session.sees("early");
    session.keys("Enter Enter Enter Enter Enter Enter Enter");
    session.sees("Review · Withdraw");
    session.confirms();
    session.passes(HOUR);
    let order = session.order();
    order.is("settled", "the chain took it");
    assert_eq!(order.intent.drafted.draft.reference().unwrap().as_str(), "RENT-OF-THE-QUAY-2026-11-02");
    session.keys("!");
    session.sees_no("payment due");
    session.opens_order();
    let mut text = session.screen();
    session.keys("PgDn");
    text.push_str(&session.screen());
    assert!(text.contains("Rent of the quay, due 2026-11-02"), "{text}");
    session.keys("Esc");
    session.restarts();
    session.connect();
    session.keys("!");
    session.sees_no("payment due");
    session.keys("E G");
    session.sees("weekly on Monday");
}

#[test]
fn a_day_that_passed_unseen_is_still_due_and_a_skipped_one_is_not() {
    let mut session = session();
    fills_in(&mut session, "25", STRANGER);
    saves_form(&mut session, "Rent", "weekly tuesday");
    session.sees_no("payment due");
    session.passes(13 * HOUR);
    session.restarts();
    session.connect();
    session.keys("! g");
    session.sees("Rent, due 2026-11-03");
    session.keys("A");
    session.sees("Skip this date");
    session.keys("Enter");
    session.sees("write why this date is skipped");
    session.types("paid in cash");
    session.keys("Enter");
    session.sees("1 acknowledged");
    session.restarts();
    session.connect();
    session.keys("1");
    session.sees_no("payment due");
    session.keys("! G");
    session.sees("paid in cash");
}

#[test]
fn what_another_console_paid_is_not_due_here() {
    let mut session = session();
    fills_in(&mut session, "25", STRANGER);
    saves_form(&mut session, "Rent", "monthly 2");
    session.keys("!");
    session.sees("Rent, due 2026-11-02");
    let (other, at) = (session.till().opens(), session.now());
    let book = other.journal.book_changes(&(other.operator_factory)().unwrap().destination).unwrap();
    let book = bursar::journal::RecordedBookChanges::replay_book(&book);
    let drafted = session.till().orders()[0].drafted.clone();
    let due_date = "2026-11-02".parse().ok();
    let template = Some(book.template_named("rent").unwrap().use_for(due_date));
    let id = other.journal.record_draft(DraftedOrder { template, ..drafted }, at).unwrap().id;
    session.passes(30 * MINUTE);
    session.sees("Rent, due 2026-11-02");
    let confirmation = Confirmation { typed: Vec::new(), findings: Vec::new(), agreed: None };
    other.journal.record_confirmation(id, confirmation, at).unwrap();
    session.passes(30 * MINUTE);
    session.sees_no("Rent, due 2026-11-02");
}

#[test]
fn an_order_and_a_batch_become_templates_without_what_belongs_to_one_payment_and_are_renamed_used_and_removed() {
    let mut session = session();
    session.reviews_batch("base-ops", "USDC", &[(STRANGER, "1.5"), (OTHER, "2")]);
    session.confirms();
    session.passes(HOUR);
    session.order().is("settled", "the chain took it");
    session.opens_order();
    session.keys("C-s");
    session.types("Crew");
    session.keys("Enter");
    session.sees("the template “Crew” is saved");
    session.keys("Esc C-s");
    session.types("crew");
    session.keys("Enter");
    session.sees("there is a template “Crew” already");
    session.keys("Esc E e");
    session.types(" of the ferry");
    session.keys("Enter");
    session.sees("the template is now called “Crew of the ferry”");
    session.sees("3.5 USDC to 2 recipients");
    session.passes(2 * HOUR);
    session.keys("Enter");
    session.sees("filled in from the template Crew of the ferry");
    session.sees("2 recipients");
    session.keys("Tab Enter");
    let Some((Draft::Batch(batch), _)) = session.reviewed_payment() else { panic!("{}", session.screen()) };
    assert_eq!(batch.to.iter().map(|to| to.amount.as_str()).collect::<Vec<_>>(), ["1.5", "2"]);
    assert!(batch.ref_id.unwrap().starts_with('B'));
    session.keys("Esc Esc E G D");
    session.sees("D again removes the template");
    session.keys("D");
    session.passes(MINUTE);
    session.keys("Esc E");
    session.sees_no("Crew of the ferry");
}
