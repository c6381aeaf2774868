//! Folders of approvals as they are in practice: out of reach, not writable, with copies of conflicts that a synchronising
//! program made, late; and two desks that send at the same moment.

use std::path::Path;
use std::time::Duration;

use bursar::domain::Policy;
use bursar::domain::approval::{DeskRole, Proposal};
use bursar::runtime::HostPermission;
use bursar::runtime::effect_runner::{ApprovalSources, SignersSource};
use bursar::service::Fault;
use tempfile::TempDir;

use super::approvals::{desk, key, policy, proposes, session, signers, sits_down};
use super::approvals_elsewhere::{approve_elsewhere, copies, empties};

fn desk_at(people: &[usize], folder: &Path) -> ApprovalSources {
    ApprovalSources { folder: Some(folder.to_owned()), ..desk(people, None) }
}

/// Under Linux nothing can be created there, not even by root.
#[cfg(target_os = "linux")]
#[test]
fn a_proposal_that_the_others_cannot_see_is_recorded_and_the_list_says_why_they_cannot() {
    let mut session = session(1, &[], None);
    session.signs_with(policy(1), desk_at(&[0], Path::new("/proc/self/fdinfo")));
    proposes(&mut session, "25");
    session.sees("proposed, nothing was sent");
    session.passes(Duration::from_secs(3));
    session.keys("&");
    session.sees("cannot write /proc/self/fdinfo/");
    session.sees("25 USDC");
    // At a folder that can be written, the others see it at once.
    let folder = TempDir::new().unwrap();
    sits_down(&mut session, 1, &[0], Some(&folder));
    session.passes(Duration::from_secs(3));
    assert!(folder.path().join(format!("{}.proposal", session.order().intent.id)).is_file());
}

#[test]
fn a_folder_that_is_out_of_reach_is_named_and_nothing_is_sent_until_it_is_there_again() {
    let files = TempDir::new().unwrap();
    let folder = files.path().join("shared");
    let mut session = session(1, &[], None);
    session.signs_with(policy(1), desk_at(&[0], &folder));
    proposes(&mut session, "25");
    session.passes(Duration::from_secs(3));
    session.keys("&");
    session.sees("cannot read the folder of approvals");
    session.keys("Esc");
    std::fs::create_dir(&folder).unwrap();
    session.passes(Duration::from_secs(3));
    session.signs_with(policy(1), desk_at(&[1], &folder));
    session.keys("& Enter");
    session.confirms();
    session.settle();
    session.keys("& Enter");
    session.passes(Duration::from_millis(1_100));
    session.sees("To send, type");
    // Another desk's mark could lie there.
    std::fs::rename(&folder, files.path().join("gone")).unwrap();
    session.confirms();
    session.settle();
    session.sees("cannot read the folder of approvals");
    assert!(session.order().intent.attempts.is_empty());
}

#[test]
fn copies_of_conflicts_count_once_and_another_proposal_of_the_order_is_named() {
    let folder = TempDir::new().unwrap();
    let (mut session, id) = approve_elsewhere(&folder);
    let path = |name: &str| folder.path().join(name);
    let file = std::fs::read_to_string(path(&format!("{id}.proposal"))).unwrap();
    let copy = |name: &str, copy: &str| std::fs::copy(path(&format!("{id}.{name}")), path(copy)).unwrap();
    copy("proposal", &format!("{id}.sync-conflict-20261127-101500-ABCDEFG.proposal"));
    copy("bert.approve.sig", &format!("{id}.bert.approve.sync-conflict-20261127-101500-ABCDEFG.sig"));
    let other = Proposal { maker: "carla".into(), ..Proposal::parse(&file).unwrap() };
    std::fs::write(path(&format!("{id} (conflicted copy).proposal")), other.to_file()).unwrap();
    // A desk that has nothing but the folder: one approval of two.
    empties(session.journal_folder());
    session.signs_with(policy(2), desk(&[2], Some(&folder)));
    session.passes(Duration::from_secs(3));
    session.keys("&");
    session.sees("by anna");
    session.sees("there is another proposal of the same order");
    assert!(!session.screen().contains("by carla"), "{}", session.screen());
}

#[test]
fn a_desk_with_the_keys_of_two_people_signs_for_each_once() {
    let mut session = session(2, &[0], None);
    proposes(&mut session, "25");
    sits_down(&mut session, 2, &[0, 1, 2], None);
    for state in ["1 of 2", "ready to send"] {
        session.keys("& Enter");
        session.confirms();
        session.settle();
        session.keys("&");
        session.sees(state);
        session.keys("Esc");
    }
    let approval = session.order().intent.approval.unwrap();
    let people: Vec<&str> = approval.statements.iter().map(|(_, statement)| statement.principal.as_str()).collect();
    assert_eq!(people, ["anna", "bert", "carla"]);
}

/// The folder of the second desk is synchronised too late to show the mark of the first, and so is the history.
#[test]
fn two_desks_that_send_before_either_sees_the_other_pay_once() {
    let (folder, annas_journal) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let (mut session, id) = approve_elsewhere(&folder);
    copies(session.journal_folder(), annas_journal.path());
    empties(session.journal_folder());
    session.faults(vec![Fault::with_status(503).on_paths("/v2/transactions").only_reads()]);
    for people in [&[2][..], &[0]] {
        session.signs_with(Policy { role: DeskRole::Release, ..policy(1) }, desk(people, Some(&folder)));
        session.keys("&");
        session.sees("ready to send");
        session.keys("Enter");
        session.confirms();
        session.settle();
        session.order().is("accepted", "each was answered");
        assert_eq!((session.order().intent.id, session.order().executions), (id, 1));
        if people == [2] {
            std::fs::remove_file(folder.path().join(format!("{id}.sent"))).unwrap();
            empties(session.journal_folder());
            copies(annas_journal.path(), session.journal_folder());
        }
    }
}

#[test]
fn a_payment_that_is_refused_at_the_last_moment_bears_no_mark_of_being_sent() {
    let (folder, files) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let (allowed, revoked) = (files.path().join("allowed_signers"), files.path().join("revoked_signers"));
    std::fs::write(&allowed, signers(&[0, 1, 2])).unwrap();
    let (mut session, id) = approve_elsewhere(&folder);
    let host = HostPermission::for_local_operator();
    let signers = SignersSource::Files { host, signers: allowed, revoked: revoked.clone() };
    session.signs_with(policy(1), ApprovalSources { signers, ..desk(&[0], Some(&folder)) });
    session.keys("& Enter");
    session.passes(Duration::from_millis(1_100));
    session.sees("To send, type");
    std::fs::write(&revoked, format!("{}\n", key(1).public_key().to_openssh().unwrap())).unwrap();
    session.confirms();
    session.settle();
    assert!(session.order().intent.attempts.is_empty());
    assert!(!folder.path().join(format!("{id}.sent")).exists());
}
