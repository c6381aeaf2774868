//! What the console says about proposals: its list, its reviews, its events, and what needs somebody.

use std::time::Duration;

use bursar::app::overlays::help::key_reference;
use bursar::domain::Policy;
use bursar::domain::approval::{DeskRole, StatementKind, sign_with};
use tempfile::TempDir;

use super::approvals::{STRANGER, desk, key, policy, sits_down};
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
    let refuses = |session: &mut Session, people: &[usize], text: &str| {
        sits_down(session, 2, people, None);
        session.keys("& Enter");
        session.sees(text);
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

#[test]
fn the_maker_learns_who_approved_and_who_refused_and_why() {
    let folder = TempDir::new().unwrap();
    let mut session = session(2, &[0], Some(&folder));
    proposes(&mut session, "25");
    let order = session.order().intent;
    let file = order.approval.unwrap().file;
    let signs = |person: usize, kind: StatementKind| {
        let signature = sign_with(&key(person), kind.namespace(), file.as_bytes()).unwrap();
        std::fs::write(folder.path().join(format!("{}.{person}.sig", order.id)), signature).unwrap();
    };
    signs(1, StatementKind::Approve);
    session.passes(Duration::from_secs(3));
    session.keys("6");
    session.sees("bert approved it, 1 of 2");
    sits_down(&mut session, 2, &[2], Some(&folder));
    session.keys("& x");
    session.types("no such invoice");
    session.keys("Enter");
    session.settle();
    session.keys("Esc 6");
    session.sees("refused by carla: no such invoice");
    session.sees_no("given up");
    session.keys("4");
    assert!(session.line("✗ refused").contains("carla: no su"), "{}", session.screen());
    session.keys("Enter");
    session.sees("Refused by carla: no such invoice. Nothing was sent.");
    session.keys("Esc ! g");
    session.sees("payment refused");
    session.sees("carla refused it: no such invoice");
    session.keys("Enter");
    session.sees("Refused by carla: no such invoice. Nothing was sent.");
    // Somebody looks after it.
    session.keys("Esc ! A 'asked' Enter");
    session.sees("acknowledged");
    session.ticks(Duration::from_hours(7 * 24));
    session.keys("!");
    session.sees_no("payment refused");
}

#[test]
fn what_a_proposal_needs_is_said_as_it_stands() {
    let mut session = session(1, &[0], None);
    proposes(&mut session, "25");
    session.keys("!");
    session.sees_no("25 USDC to");
    sits_down(&mut session, 1, &[1], None);
    session.keys("! g");
    session.sees("& lists it: Enter reviews it to approve, x refuses it.");
    session.keys("Esc");
    approves(&mut session);
    session.keys("! g");
    session.sees("Enough people approved it: Enter opens it to be sent.");
    session.signs_with(Policy { role: DeskRole::Propose, ..policy(1) }, desk(&[0], None));
    session.keys("!");
    session.sees_no("Enough people approved it");
    session.ticks(Duration::from_hours(25));
    session.keys("! g");
    session.sees("proposal expired");
    session.sees("It expired: propose it again or give it up (X).");
    session.keys("Enter");
    session.sees("it has expired. Nothing was sent. Propose it again, or give it up with X.");
    session.keys("X");
    session.sees("give up");
}

#[test]
fn a_review_to_approve_shows_the_proposal_and_ends_with_it() {
    let folder = TempDir::new().unwrap();
    let mut session = session(2, &[0], Some(&folder));
    proposes(&mut session, "25");
    let order = session.order().intent;
    let file = order.approval.unwrap().file;
    sits_down(&mut session, 2, &[1], Some(&folder));
    session.keys("& Enter");
    let review = session.whole_review().unwrap();
    let id = &order.id.to_string()[..8];
    for text in ["USDC above 20: 2 approvals within 24 hours", "by anna at ", "24h left", "nobody yet; 0 of 2", id] {
        assert!(review.contains(text), "no “{text}” in\n{review}");
    }
    session.passes(Duration::from_millis(1_100));
    session.resizes(80, 24);
    session.sees("To approve, type");
    // Carla refuses it elsewhere.
    let signature = sign_with(&key(2), StatementKind::Refuse.namespace(), file.as_bytes()).unwrap();
    std::fs::write(folder.path().join(format!("{}.carla.refuse.sig", order.id)), signature).unwrap();
    std::fs::write(folder.path().join(format!("{}.carla.refuse.reason", order.id)), "no such invoice").unwrap();
    session.passes(Duration::from_secs(3));
    session.sees("carla refused it: no such invoice. Nothing was signed");
    session.sees_no("the amount, in digits");
    session.keys("Esc");
    assert!(session.review().is_none());
}

#[test]
fn a_proposal_that_expires_under_review_takes_no_more_typing() {
    let mut session = session(1, &[0], None);
    proposes(&mut session, "25");
    sits_down(&mut session, 1, &[1], None);
    session.keys("& Enter");
    session.passes(Duration::from_millis(1_100));
    session.sees("To approve, type");
    session.ticks(Duration::from_hours(25));
    session.sees("it has expired; it must be proposed again. Nothing was signed");
    session.types("25");
    session.sees_no("the amount, in digits");
}

#[test]
fn the_list_has_what_waits_for_this_desk_first_and_says_who_approved() {
    let folder = TempDir::new().unwrap();
    let mut session = session(1, &[0], Some(&folder));
    let rows = |session: &Session| -> Vec<String> {
        let screen = session.screen();
        screen.lines().filter(|line| line.contains(" ago · ")).map(str::to_owned).collect()
    };
    session.keys("&");
    session.sees("Proposals");
    session.sees("nothing waits for approval");
    session.sees_no("copy as text");
    session.keys("Esc");
    for amount in ["25", "26", "27"] {
        proposes(&mut session, amount);
        session.passes(Duration::from_secs(1));
    }
    // Bert approves the oldest one.
    sits_down(&mut session, 1, &[1], Some(&folder));
    session.keys("&");
    assert!(rows(&session)[0].contains("25 USDC to"), "{}", session.screen());
    session.keys("Enter");
    session.confirms();
    session.settle();
    session.keys("Esc &");
    let proposals = rows(&session);
    let [first, second, third] = proposals.as_slice() else { panic!("{}", session.screen()) };
    assert!(first.contains("0 of 1") && first.contains("26 USDC to"), "{first}");
    assert!(second.contains("0 of 1") && second.contains("27 USDC to"), "{second}");
    assert!(third.contains("ready to send") && third.contains("bert approved"), "{third}");
    session.sees("copy as text");
    // For the maker, who can approve none of them, the approved one comes first.
    sits_down(&mut session, 1, &[0], Some(&folder));
    session.keys("&");
    assert!(rows(&session)[0].contains("ready to send"), "{}", session.screen());
    session.ticks(Duration::from_hours(25));
    session.settle();
    session.sees("expired");
    session.sees("it has expired; it must be proposed again");
}

#[test]
fn the_keys_below_are_those_that_work_and_the_question_of_a_refusal_stays() {
    let mut session = session(1, &[0], None);
    proposes(&mut session, "25");
    sits_down(&mut session, 1, &[1], None);
    session.resizes(200, 60);
    session.keys("& Q");
    session.sees("any key close");
    session.sees_no("copy as text");
    session.keys("Enter x");
    session.sees("Why is it refused?");
    session.sees("Enter sign the refusal");
    session.sees_no("copy as text");
    session.keys("Enter");
    session.sees("Why is it refused? Enter signs the refusal, which ends the proposal. Type a reason");
    session.keys("Esc Enter");
    session.passes(Duration::from_millis(1_100));
    session.sees("Esc goes back, nothing is signed");
    session.ticks(Duration::from_hours(25));
    session.sees("Not signed");
    session.sees("Esc back");
    session.sees_no("back to the form");
}

#[test]
fn the_list_is_found_by_its_words_and_explained_from_within() {
    let mut session = session(1, &[0], None);
    proposes(&mut session, "25");
    for query in ["approv", "approve", "approval", "approvals"] {
        session.keys(":");
        session.types(query);
        session.keys("Enter");
        session.sees("0 of 1");
        session.keys("?");
        session.sees("Help · Approvals");
        session.keys("Esc");
        session.sees("Help · Keys");
        session.keys("Enter");
        session.sees("Help · Approvals");
        session.keys("?");
        session.sees("0 of 1");
        session.keys("Esc");
    }
    let keys = key_reference().into_iter().find(|(title, _)| title.starts_with("Proposals")).unwrap().1;
    let names: Vec<&str> = keys.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Enter", "x", "y", "Q", "paste", "?"]);
}
