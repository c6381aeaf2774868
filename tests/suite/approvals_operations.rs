//! Every other operation that pays, proposed at one desk, approved at a second and released at a third: the ledger pays it
//! once, by the bytes that were proposed.

use std::time::Duration;

use bursar::domain::approval::{DeskRole, Proposal, StatementKind, sign_with};
use bursar::domain::{Operation, Policy};
use rstest::rstest;
use tempfile::TempDir;

use super::approvals::{STRANGER, desk, key, policy, sits_down};
use super::batches::stranger;
use super::harness::{Session, Setup};

/// Opens the review of 25 USDC, in whatever way they leave.
fn reviews(session: &mut Session, operation: Operation) {
    if operation == Operation::Batch {
        session.reviews_batch("base-ops", "USDC", &[(&stranger(1), "15.5"), (&stranger(2), "9.5")]);
    } else if operation == Operation::Payment {
        session.reviews_v1("base-ops", "USDC", "25", STRANGER, "customer 12");
    } else {
        session.reviews_swap("base-ops", "USDC", "25", "ETH");
    }
}

/// A console at which anna sits and proposes.
fn with_proposal(operation: Operation, folder: &TempDir) -> (Session, Proposal) {
    let v2 = operation != Operation::InstantSwap;
    let mut session = Session::with(Setup { v2, ..Setup::default() });
    sits_down(&mut session, 1, &[0], Some(folder));
    reviews(&mut session, operation);
    session.passes(Duration::from_millis(1_100));
    session.sees("To propose, type");
    session.confirms();
    session.settle();
    session.sees("proposed, nothing was sent");
    let order = session.order().intent;
    assert_eq!(order.drafted.draft.operation(), operation);
    let proposal = Proposal::parse(&order.approval.unwrap().file).unwrap();
    (session, proposal)
}

/// Releases what is ready, and looks at what came of it: in the journal, at the service, in its ledger.
fn releases(session: &mut Session, proposal: &Proposal) {
    let tap = session.service().record_requests();
    session.keys("&");
    session.sees("ready to send");
    session.sees("by anna");
    session.keys("Enter");
    session.passes(Duration::from_millis(1_100));
    session.sees("To send, type");
    session.confirms();
    session.settle();
    session.order().is("accepted", "somebody else approved it");
    session.passes(Duration::from_mins(3));
    let order = session.order();
    order.is("settled", "its chain confirmed it");
    assert_eq!((order.intent.id, order.executions, session.orders().len()), (proposal.order, 1, 1));
    let changes = tap.changes();
    assert_eq!(changes.len(), 1);
    assert_eq!((&changes[0].method, &changes[0].path), (&proposal.method, &proposal.path));
    assert_eq!(changes[0].body, proposal.body.as_bytes());
    session.keys("&");
    session.sees("nothing waits for approval");
}

#[rstest]
fn an_operation_that_another_desk_approved_is_released_once_by_the_bytes_of_its_proposal(
    #[values(Operation::Swap, Operation::InstantSwap, Operation::Payment, Operation::Batch)] operation: Operation,
) {
    let folder = TempDir::new().unwrap();
    let (mut session, proposal) = with_proposal(operation, &folder);
    sits_down(&mut session, 1, &[1], Some(&folder));
    session.keys("& Enter");
    session.passes(Duration::from_millis(1_100));
    session.sees("To approve, type");
    session.confirms();
    session.settle();
    session.sees("approved and signed");
    assert!(session.order().intent.attempts.is_empty());
    session.signs_with(Policy { role: DeskRole::Release, ..policy(1) }, desk(&[2], Some(&folder)));
    releases(&mut session, &proposal);
}

/// Nothing of it is on record there, so that all comes out of the proposal.
#[rstest]
fn an_operation_is_released_by_a_desk_whose_journal_does_not_have_it(
    #[values(Operation::Swap, Operation::InstantSwap, Operation::Payment, Operation::Batch)] operation: Operation,
) {
    let folder = TempDir::new().unwrap();
    let (mut session, proposal) = with_proposal(operation, &folder);
    let signature = sign_with(&key(1), StatementKind::Approve.namespace(), proposal.to_file().as_bytes()).unwrap();
    std::fs::write(folder.path().join(format!("{}.bert.approve.sig", proposal.order)), signature).unwrap();
    for file in std::fs::read_dir(session.journal_folder()).unwrap().map(|entry| entry.unwrap().path()) {
        if file.is_file() {
            std::fs::remove_file(file).unwrap();
        }
    }
    session.signs_with(Policy { role: DeskRole::Release, ..policy(1) }, desk(&[2], Some(&folder)));
    assert!(session.orders().is_empty());
    releases(&mut session, &proposal);
}
