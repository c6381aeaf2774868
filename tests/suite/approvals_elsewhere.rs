//! What a desk makes of payments that another desk has sent, of files that are no proposals, and of rules that changed
//! while it was open.

use std::path::Path;
use std::time::Duration;

use bursar::domain::approval::{DeskRole, StatementKind, sign_with};
use bursar::domain::{OrderId, Policy};
use tempfile::TempDir;

use super::approvals::{desk, key, policy, proposes, session, sits_down};
use super::harness::Session;

pub(super) fn copies(from: &Path, to: &Path) {
    for file in std::fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
        std::fs::copy(&file, to.join(file.file_name().unwrap())).unwrap();
    }
}

pub(super) fn empties(folder: &Path) {
    for file in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
        std::fs::remove_file(file).unwrap();
    }
}

/// A proposal of anna's, which bert approved at a desk of his own.
pub(super) fn approve_elsewhere(folder: &TempDir) -> (Session, OrderId) {
    let mut session = session(1, &[0], Some(folder));
    proposes(&mut session, "25");
    let order = session.order().intent;
    let file = order.approval.unwrap().file;
    let signature = sign_with(&key(1), StatementKind::Approve.namespace(), file.as_bytes()).unwrap();
    std::fs::write(folder.path().join(format!("{}.bert.approve.sig", order.id)), signature).unwrap();
    (session, order.id)
}

#[test]
fn what_another_desk_sent_is_followed_where_it_was_proposed_and_waits_nowhere() {
    let (folder, annas_journal) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let (mut session, id) = approve_elsewhere(&folder);
    copies(session.journal_folder(), annas_journal.path());
    // Carla's machine at the same service, whose journal is empty.
    empties(session.journal_folder());
    session.signs_with(Policy { role: DeskRole::Release, ..policy(1) }, desk(&[2], Some(&folder)));
    session.keys("&");
    session.sees("ready to send");
    session.keys("Enter");
    session.confirms();
    session.settle();
    session.order().is("accepted", "carla sent it");
    assert!(folder.path().join(format!("{id}.sent")).is_file());
    // Bert's machine: nothing is left to approve or to refuse.
    empties(session.journal_folder());
    sits_down(&mut session, 1, &[1], Some(&folder));
    session.keys("&");
    session.sees("nothing waits for approval");
    session.keys("Esc");
    // Anna's machine: her order is followed, also by a folder that was not told.
    std::fs::remove_file(folder.path().join(format!("{id}.sent"))).unwrap();
    empties(session.journal_folder());
    copies(annas_journal.path(), session.journal_folder());
    sits_down(&mut session, 1, &[0], Some(&folder));
    session.passes(Duration::from_mins(3));
    let order = session.order();
    order.is("settled", "the history shows it");
    assert_eq!((order.intent.id, order.intent.attempts.len(), order.executions), (id, 0, 1));
    session.keys("&");
    session.sees("nothing waits for approval");
}

#[test]
fn what_another_desk_begins_to_send_is_neither_sent_nor_refused_here() {
    let folder = TempDir::new().unwrap();
    let (mut session, id) = approve_elsewhere(&folder);
    session.passes(Duration::from_secs(3));
    session.keys("&");
    session.sees("ready to send");
    session.keys("Enter");
    session.passes(Duration::from_millis(1_100));
    session.sees("To send, type");
    // While its review is open here, another desk is quicker.
    std::fs::write(folder.path().join(format!("{id}.sent")), "").unwrap();
    session.confirms();
    session.settle();
    session.sees("another desk has sent it");
    session.order().is("proposed", "nothing was sent from here");
    assert_eq!((session.order().intent.attempts.len(), session.order().executions), (0, 0));
    session.keys("Esc");
    session.passes(Duration::from_secs(3));
    session.keys("&");
    session.sees("sent ");
    session.keys("Enter");
    session.sees("another desk has sent it");
    session.keys("& x");
    session.types("no such invoice");
    session.keys("Enter");
    session.settle();
    session.sees("another desk has sent it");
    assert!(session.order().intent.end.is_none());
}

#[test]
fn a_file_that_is_no_proposal_is_named() {
    let folder = TempDir::new().unwrap();
    let (mut session, id) = approve_elsewhere(&folder);
    let path = folder.path().join(format!("{id}.proposal"));
    let file = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, file.replace("\"25\"", "\"26\"")).unwrap();
    session.passes(Duration::from_secs(3));
    session.keys("&");
    session.sees(&format!("{id}.proposal"));
    session.sees("the proposal's body was");
}

#[test]
fn a_console_whose_rules_are_not_the_recorded_ones_proposes_nothing_and_names_the_cure() {
    let mut session = session(1, &[0], None);
    // Opened before two approvals were adopted, or with a file that nobody signed.
    sits_down(&mut session, 2, &[0], None);
    session.reviews("base-ops", "USDC", "25", super::approvals::STRANGER);
    session.confirms();
    session.settle();
    session.sees("start this console again if they were adopted meanwhile");
    assert_eq!(session.order().intent.approval, None);
    session.keys("Esc Esc Esc &");
    session.sees("the approval rules or the signers here are not those that the journal");
}
