//! What the console says about proposals: its list, its reviews, its events, and what needs somebody.

use std::time::Duration;

use tempfile::TempDir;

use super::approvals::{STRANGER, desk, policy, sits_down};
use super::harness::{Session, Setup};

/// A console at which these people sit.
fn session(needs: u8, people: &[usize], folder: Option<&TempDir>) -> Session {
    let mut session = Session::with(Setup { size: (120, 36), ..Setup::default() });
    session.signs_with(policy(needs), desk(people, folder));
    session
}

fn proposes(session: &mut Session, amount: &str) {
    session.reviews("base-ops", "USDC", amount, STRANGER);
    session.confirms();
    session.settle();
    session.keys("Esc");
}

/// Approves the first proposal of the list.
fn approves(session: &mut Session) {
    session.keys("& Enter");
    session.confirms();
    session.settle();
    session.keys("Esc");
}

#[test]
fn whoever_cannot_approve_is_refused_before_anything_is_typed() {
    let mut session = session(2, &[0], None);
    proposes(&mut session, "25");
    let refuses = |session: &mut Session, people: &[usize], words: &str| {
        sits_down(session, 2, people, None);
        session.keys("& Enter");
        session.sees(words);
        assert!(session.review().is_none(), "{}", session.screen());
        session.keys("Esc");
    };
    refuses(&mut session, &[0], "anna proposed it: somebody else must approve it");
    refuses(&mut session, &[], "no key at this desk may approve it");
    sits_down(&mut session, 2, &[1], None);
    approves(&mut session);
    refuses(&mut session, &[0, 1], "bert approved it already: somebody else must approve it too");
    sits_down(&mut session, 2, &[2], None);
    session.keys("& Enter");
    session.passes(Duration::from_millis(1_100));
    session.sees("To approve, type");
}
