//! Another payment like an earlier one: what the form takes over, and that nothing is confirmed by the earlier one.

use std::time::Duration;

use bursar::domain::Draft;
use bursar::service::Fault;
use bursar::service::ledger::{IdSource, NewWithdrawal};
use uuid::Uuid;

use super::batches::{file_of, fills_in};
use super::guard_rules::wallet;
use super::harness::{Session, Setup};

const MINUTE: Duration = Duration::from_mins(1);
const DAY: Duration = Duration::from_hours(24);

/// Strangers on EVM chains.
const STRANGER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

fn session() -> Session {
    Session::with(Setup { poll_period: MINUTE, ..Setup::default() })
}

/// A payment from the same wallet by somebody else's program.
fn somebody_pays(session: &mut Session, to: &str, amount: &str, note: &str) {
    let (wallet, _) = wallet(session, |name, _| name == "base-ops");
    let new = NewWithdrawal {
        wallet,
        token: "USDC".into(),
        blockchain: "base".into(),
        address: to.into(),
        amount: amount.into(),
        ref_id: None,
        note: Some(note.into()),
        key: Some(Uuid::new_v4()),
    };
    let ledger = session.service().ledger();
    let workspace_number = ledger.workspaces().unwrap()[0].number;
    ledger
        .execute_in_workspace(workspace_number, session.now(), IdSource::Random, move |books| books.withdraw(&new))
        .unwrap();
    session.passes(2 * MINUTE);
}

fn withdrawal_fields(session: &Session) -> (String, String, String, Option<String>) {
    let Some((Draft::Withdraw(withdrawal), _)) = session.reviewed_payment() else {
        panic!("no withdrawal:\n{}", session.screen())
    };
    (
        withdrawal.to.to_string(),
        withdrawal.token.to_string(),
        withdrawal.amount.to_string(),
        withdrawal.note.map(|note| note.to_string()),
    )
}

#[test]
fn a_payment_by_somebody_else_is_made_again_and_confirmed_like_a_first_one() {
    let mut session = session();
    somebody_pays(&mut session, STRANGER, "25", "inv-2210");
    session.keys("3 /");
    session.types(&format!("to:{STRANGER}"));
    session.keys("Enter +");
    session.sees("filled in from the payment of");
    session.sees("type the number at the end of its note");
    session.sees(STRANGER);
    session.keys("Enter");
    session.types("2211");
    session.keys("Enter Enter");
    assert_eq!(withdrawal_fields(&session), (STRANGER.into(), "USDC".into(), "25".into(), Some("inv-2211".into())));
    let prompts = session.expected_entries();
    assert!(prompts.iter().any(|prompt| prompt.len() == 4 && STRANGER.contains(prompt.as_str())), "{prompts:?}");
    session.sees("The same amount was paid to the same address once within 24 hours");
}

#[test]
fn an_order_a_month_later_is_made_again_with_its_recipient_token_amount_and_the_words_of_its_note() {
    let mut session = session();
    session.reviews("base-ops", "USDC", "31.5", STRANGER);
    // The order of the first review was given up a moment before.
    session.keys("Esc BackTab BackTab");
    session.passes(Duration::from_secs(2));
    session.types("rent of the quay");
    session.keys("Enter Enter");
    session.confirms();
    session.passes(3 * MINUTE);
    session.order().is("settled", "the first month");
    let first = session.order().intent.drafted.request.key;
    session.passes(2 * DAY);
    session.opens_order();
    session.keys("+");
    session.sees("filled in from the order of");
    session.keys("Enter Enter Enter");
    assert_eq!(
        withdrawal_fields(&session),
        (STRANGER.into(), "USDC".into(), "31.5".into(), Some("rent of the quay".into()))
    );
    session.sees("This recipient was paid before with the same reference or note");
    let (_, request) = session.reviewed_payment().unwrap();
    session.confirms();
    session.passes(3 * MINUTE);
    let second = session.order();
    second.is("settled", "the second month");
    assert_ne!(second.intent.drafted.request.key, first);
    assert_eq!(second.intent.drafted.request.body.as_bytes(), request);
}

#[test]
fn nobody_is_paid_again_from_a_row_that_came_in_moved_between_own_wallets_or_may_deceive() {
    let mut session = session();
    for (filter, reason) in
        [("dir:in internal:no", "this came in"), ("internal:yes dir:out", "this moved between own wallets")]
    {
        session.keys("3 /");
        session.types(filter);
        session.keys("Enter +");
        session.sees(reason);
        session.sees("Transactions");
        session.keys("Esc Esc");
    }
    let alike = format!("{}1234567890abcdef1234567890abcd{}", &STRANGER[..8], &STRANGER[38..]).to_lowercase();
    session.reviews("base-ops", "USDC", "1", STRANGER);
    session.confirms();
    session.passes(3 * MINUTE);
    somebody_pays(&mut session, &alike, "7", "rent");
    session.passes(2 * MINUTE);
    session.keys("3 /");
    session.types(&format!("to:{alike}"));
    session.keys("Enter");
    session.passes(2 * MINUTE);
    session.keys("+");
    session.sees("resembles");
    session.keys("Enter +");
    session.sees("resembles");
}

#[test]
fn what_is_unresolved_or_moves_no_money_is_not_made_again() {
    let mut session =
        Session::with(Setup { poll_period: MINUTE, change_time_out: Duration::from_secs(2), ..Setup::default() });
    session.fault_on("/v2/transactions/withdraw", Fault::NoAnswer { executed: false });
    session.reviews("base-ops", "USDC", "1", STRANGER);
    session.confirms();
    session.passes(Duration::from_secs(4));
    session.opens_order();
    session.keys("+");
    session.sees("the outcome of this order is not known");
}

#[test]
fn a_batch_is_made_again_with_its_rows_checked_as_new() {
    let (_folder, path) = file_of(3, "0.25");
    let mut session = session();
    fills_in(&mut session, &path);
    session.keys("Tab Enter");
    session.confirms();
    session.passes(3 * MINUTE);
    session.order().is("settled", "the chain took it");
    session.opens_order();
    session.keys("+");
    session.sees("Batch: pay several recipients");
    session.sees("3 recipients · 0.75 USDC");
    session.keys("Tab Enter");
    session.sees("Review · Batch");
    let Some((Draft::Batch(batch), _)) = session.reviewed_payment() else { panic!("{}", session.screen()) };
    assert_eq!(batch.to.len(), 3);
    assert!(batch.file.is_none() && batch.to.iter().all(|to| to.line.is_none()));
    session.sees("within 24 hours");
}

#[test]
fn the_rest_keeps_the_note_and_follows_one_recipient_of_a_batch() {
    let (_folder, path) = file_of(3, "0.25");
    let mut session = session();
    fills_in(&mut session, &path);
    session.keys("BackTab BackTab BackTab");
    session.types("crew");
    session.keys("Enter Enter Tab Enter");
    session.confirms();
    session.passes(3 * MINUTE);
    session.order().is("settled", "the chain took it");
    session.opens_order();
    session.keys("R");
    session.sees("Pay the rest");
    session.sees("the rest for which recipient?");
    session.keys("j Enter");
    session.sees("Withdraw");
    session.types("2");
    session.keys("Enter Enter Enter");
    session.sees("This payment follows the order that paid 0.25 USDC");
    let second = super::batches::stranger(1);
    assert_eq!(withdrawal_fields(&session), (second, "USDC".into(), "2".into(), Some("crew".into())));
}
