//! Payments that other people must approve, on the real console against the embedded service.

use std::time::Duration;

use bursar::domain::approval::{
    ApprovalRule, DeskRole, Envelope, PrivateKey, Proposal, Signers, StatementKind, Touch, key_of_seed, verify,
};
use bursar::domain::order::OrderEnd;
use bursar::domain::{Amount, Policy, ThemeName};
use bursar::runtime::HostPermission;
use bursar::runtime::effect_runner::{ApprovalSources, KeySource, SignersSource};
use ratatui::buffer::Buffer;
use ratatui::style::Color;
use tempfile::TempDir;

use super::harness::{Session, Setup};

/// Somebody who was never paid.
pub(super) const STRANGER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

fn rule(above: &str, needs: u8) -> ApprovalRule {
    ApprovalRule {
        token: "USDC".into(),
        chain: None,
        above: Some(Amount::parse(above, 6).unwrap()),
        always: false,
        needs,
        touch: Touch::None,
        within: ApprovalRule::DEFAULT_VALIDITY,
    }
}

pub(super) fn policy(needs: u8) -> Policy {
    Policy { approval: vec![rule("20", needs)], ..Policy::default() }
}

const PEOPLE: [&str; 3] = ["anna", "bert", "carla"];

pub(super) fn key(person: usize) -> PrivateKey {
    key_of_seed(u8::try_from(person).unwrap() + 1)
}

pub(super) fn signers(people: &[usize]) -> String {
    let line = |at: &usize| format!("{} {}", PEOPLE[*at], key(*at).public_key().to_openssh().unwrap());
    people.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// A desk at which these people sign, by a folder that others reach.
pub(super) fn desk(people: &[usize], folder: Option<&TempDir>) -> ApprovalSources {
    ApprovalSources {
        signers: SignersSource::Fixed(Signers::parse(&signers(&[0, 1, 2]), "").unwrap()),
        keys: KeySource::Fixed(people.iter().map(|at| key(*at)).collect()),
        folder: folder.map(|folder| folder.path().to_owned()),
    }
}

pub(super) fn session(needs: u8, people: &[usize], folder: Option<&TempDir>) -> Session {
    let mut session = Session::with(Setup { size: (120, 36), ..Setup::default() });
    session.signs_with(policy(needs), desk(people, folder));
    session
}

/// Another person sits down at the console.
pub(super) fn sits_down(session: &mut Session, needs: u8, people: &[usize], folder: Option<&TempDir>) {
    session.signs_with(policy(needs), desk(people, folder));
}

pub(super) fn proposes(session: &mut Session, amount: &str) {
    session.reviews("base-ops", "USDC", amount, STRANGER);
    session.confirms();
    session.settle();
}

#[test]
fn a_payment_is_proposed_approved_by_somebody_else_and_then_sent_once() {
    let mut session = session(1, &[0, 1], None);
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.passes(Duration::from_millis(1_100));
    session.sees("To propose, type");
    session.sees("Others must approve it: USDC above 20: 1 approval within 24 hours.");
    session.confirms();
    session.settle();
    session.sees("proposed, nothing was sent");
    assert_eq!(session.order().intent.attempts.len(), 0);
    session.order().is("proposed", "nobody approved it yet");
    session.keys("&");
    session.sees("0 of 1");
    session.sees("25 USDC to");
    session.sees("by anna");
    session.keys("Enter");
    session.passes(Duration::from_millis(1_100));
    session.sees("To approve, type");
    session.sees("anna proposed it. Your signature approves exactly this request.");
    session.confirms();
    session.settle();
    session.sees("approved and signed");
    assert_eq!(session.order().intent.attempts.len(), 0);
    session.keys("&");
    session.sees("ready to send");
    session.keys("Enter");
    session.passes(Duration::from_millis(1_100));
    session.sees("To send, type");
    session.confirms();
    session.settle();
    let order = session.order();
    order.is("accepted", "bert approved what anna proposed");
    let approval = order.intent.approval.clone().unwrap();
    // Whoever reads the journal can verify both signatures by themselves.
    let proposal = Proposal::parse(&approval.file).unwrap();
    assert_eq!((proposal.maker.as_str(), proposal.body.as_str()), ("anna", order.intent.drafted.request.body.as_str()));
    let signatures: Vec<(StatementKind, String)> = approval
        .statements
        .iter()
        .map(|(_, signatures)| {
            assert!(verify(approval.file.as_bytes(), signatures.kind.namespace(), &signatures.signature).is_ok());
            (signatures.kind, signatures.principal.to_string())
        })
        .collect();
    assert_eq!(signatures, [(StatementKind::Propose, "anna".to_owned()), (StatementKind::Approve, "bert".to_owned())]);
    session.keys("&");
    session.sees("nothing waits for approval");
}

#[test]
fn a_payment_that_no_rule_is_for_is_sent_as_before() {
    let mut session = session(1, &[0], None);
    session.reviews("base-ops", "USDC", "20", STRANGER);
    session.passes(Duration::from_millis(1_100));
    session.sees("To send, type");
    session.confirms();
    session.order().is("accepted", "no more than 20");
    assert_eq!(session.order().intent.approval, None);
}

#[test]
fn whoever_proposes_does_not_approve_and_a_refusal_ends_it() {
    let mut session = session(1, &[0], None);
    proposes(&mut session, "25");
    session.keys("& Enter");
    session.sees("anna proposed it: somebody else must approve it");
    assert!(session.review().is_none());
    assert_eq!(session.order().intent.approval.unwrap().statements.len(), 1);
    sits_down(&mut session, 1, &[1], None);
    session.keys("& x");
    session.types("no such invoice");
    session.keys("Enter");
    session.settle();
    let order = session.order();
    assert_eq!(order.intent.end.unwrap().1, OrderEnd::Abandoned(Some("bert refused it: no such invoice".into())));
    session.keys("&");
    session.sees("nothing waits for approval");
}

#[test]
fn a_desk_that_only_proposes_sends_nothing_and_one_that_only_releases_drafts_nothing() {
    let mut session = session(1, &[0, 1], None);
    proposes(&mut session, "25");
    session.keys("& Enter");
    session.confirms();
    session.settle();
    session.signs_with(Policy { role: DeskRole::Propose, ..policy(1) }, desk(&[0], None));
    session.keys("& Enter");
    session.sees("it is sent from another desk");
    // Nor is what no rule is for.
    session.keys("Esc");
    session.reviews("base-ops", "USDC", "5", STRANGER);
    session.confirms();
    session.settle();
    session.sees("this console only proposes");
    assert!(session.orders().iter().all(|order| order.intent.attempts.is_empty()));
    session.signs_with(Policy { role: DeskRole::Release, ..policy(1) }, desk(&[2], None));
    session.keys("w");
    session.sees("this console releases what others proposed");
    session.keys("& Enter");
    session.confirms();
    session.settle();
    let sent_orders: Vec<_> = session.orders().into_iter().filter(|order| !order.intent.attempts.is_empty()).collect();
    assert_eq!(sent_orders.len(), 1);
}

#[test]
fn two_must_approve_and_one_who_left_counts_no_more() {
    let folder = TempDir::new().unwrap();
    let host = HostPermission::for_local_operator();
    let files = TempDir::new().unwrap();
    let (allowed, revoked) = (files.path().join("allowed_signers"), files.path().join("revoked_signers"));
    std::fs::write(&allowed, signers(&[0, 1, 2])).unwrap();
    let at = |people: &[usize]| ApprovalSources {
        signers: SignersSource::Files { host: host.clone(), signers: allowed.clone(), revoked: revoked.clone() },
        ..desk(people, Some(&folder))
    };
    let mut session = session(2, &[], None);
    session.signs_with(policy(2), at(&[0]));
    proposes(&mut session, "25");
    for (person, state) in [(1, "1 of 2"), (2, "ready to send")] {
        session.signs_with(policy(2), at(&[person]));
        session.keys("& Enter");
        session.confirms();
        session.settle();
        session.keys("&");
        session.sees(state);
        session.keys("Esc");
    }
    // Carla left, and her key is revoked: the rules are others than those that the journal has.
    std::fs::write(&revoked, format!("{}\n", key(2).public_key().to_openssh().unwrap())).unwrap();
    session.passes(Duration::from_secs(2));
    session.keys("&");
    session.sees("void");
    session.keys("Enter");
    session.sees("others than those it was made under");
    assert!(session.order().intent.attempts.is_empty());
}

#[test]
fn a_proposal_from_another_journal_is_approved_by_the_folder_and_counts_there() {
    let folder = TempDir::new().unwrap();
    let mut maker = session(1, &[0], Some(&folder));
    proposes(&mut maker, "25");
    let names = || -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    let id = maker.order().intent.id;
    assert_eq!(names(), [format!("{id}.anna.propose.sig"), format!("{id}.proposal")]);
    let approval = maker.order().intent.approval.unwrap();
    // Elsewhere, by hand: what is signed is the file as it lies there.
    let file = std::fs::read_to_string(folder.path().join(format!("{id}.proposal"))).unwrap();
    assert_eq!(file, approval.file);
    let signature =
        bursar::domain::approval::sign_with(&key(1), StatementKind::Approve.namespace(), file.as_bytes()).unwrap();
    std::fs::write(folder.path().join(format!("{id}.somebody.sig")), &signature).unwrap();
    maker.passes(Duration::from_secs(3));
    maker.keys("&");
    maker.sees("ready to send");
    maker.keys("Enter");
    maker.confirms();
    maker.settle();
    maker.order().is("accepted", "bert approved it elsewhere");
}

/// The names of the files have the approval before the proposal's own signature.
#[test]
fn a_desk_with_a_journal_of_its_own_releases_what_another_proposed_once() {
    let folder = TempDir::new().unwrap();
    let mut desk_session = session(1, &[2], Some(&folder));
    proposes(&mut desk_session, "25");
    let proposal = desk_session.order().intent;
    let file = proposal.approval.unwrap().file;
    let signature =
        bursar::domain::approval::sign_with(&key(1), StatementKind::Approve.namespace(), file.as_bytes()).unwrap();
    std::fs::write(folder.path().join(format!("{}.bert.approve.sig", proposal.id)), &signature).unwrap();
    // Another machine at the same service, whose journal is empty.
    std::fs::remove_dir_all(desk_session.till().folder()).unwrap();
    desk_session.signs_with(Policy { role: DeskRole::Release, ..policy(1) }, desk(&[0], Some(&folder)));
    assert!(desk_session.orders().is_empty());
    desk_session.keys("&");
    desk_session.sees("ready to send");
    desk_session.sees("by carla");
    desk_session.keys("Enter");
    desk_session.confirms();
    desk_session.settle();
    let order = desk_session.order();
    order.is("accepted", "bert approved what carla proposed elsewhere");
    assert_eq!((order.intent.id, &order.intent.drafted.request), (proposal.id, &proposal.drafted.request));
    assert_eq!(desk_session.orders().len(), 1);
    desk_session.keys("&");
    desk_session.sees("nothing waits for approval");
}

/// What a camera's reader finds on a screen of half blocks.
fn scan(buffer: &Buffer) -> Option<String> {
    const PIXELS: usize = 4;
    let (width, height) = (usize::from(buffer.area.width), usize::from(buffer.area.height));
    let is_dark = |x: usize, y: usize| {
        let (x, y) = (x / PIXELS, y / PIXELS);
        let cell = &buffer[(u16::try_from(x).unwrap(), u16::try_from(y / 2).unwrap())];
        let color = match cell.symbol() {
            "▀" if y % 2 == 0 => cell.fg,
            "▄" if y % 2 == 1 => cell.fg,
            _ => cell.bg,
        };
        color != Color::Indexed(231)
    };
    let mut picture = rqrr::PreparedImage::prepare_from_bitmap(width * PIXELS, height * 2 * PIXELS, is_dark);
    Some(picture.detect_grids().first()?.decode().expect("it can be read").1)
}

#[test]
fn a_proposal_is_scanned_off_a_large_screen_and_pasted_at_another_desk() {
    let mut maker = session(1, &[0], None);
    proposes(&mut maker, "25");
    maker.keys("& Q");
    maker.sees("The code needs a screen of");
    maker.resizes(240, 80);
    let text = scan(&maker.buffer_in(ThemeName::Dark)).expect("a code is on the screen");
    maker.keys("Enter");
    maker.sees("0 of 1");
    let envelope = Envelope::parse(&text).unwrap();
    let approval = maker.order().intent.approval.clone().unwrap();
    assert_eq!((&envelope.file, envelope.signatures.len()), (&approval.file, 1));
    // Another service has no use for it.
    let mut other = session(1, &[1], None);
    other.keys("&");
    other.pastes(&text);
    other.settle();
    other.sees("nothing was taken in: the proposal is for another service");
    // Another machine at the same service, whose journal is empty.
    std::fs::remove_dir_all(maker.till().folder()).unwrap();
    sits_down(&mut maker, 1, &[1], None);
    assert!(maker.orders().is_empty());
    maker.keys("&");
    // As terminals paste it.
    maker.pastes(&text.replace('\n', "\r"));
    maker.settle();
    maker.sees("the proposal was taken in");
    maker.keys("Enter");
    maker.passes(Duration::from_millis(1_100));
    maker.sees("anna proposed it. Your signature approves exactly this request.");
}
