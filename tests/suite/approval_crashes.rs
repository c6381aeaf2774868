//! The program is killed at every moment at which a payment is proposed, approved and released, in a real terminal: it is
//! sent at most once, never without its approval, and the Orders page tells the truth.

use bursar::domain::Order;
use bursar::domain::approval::{StatementKind, key_of_seed, sign_with};
use bursar::guard::challenge_range;
use rstest::rstest;
use ssh_key::LineEnding;

use super::crashes::{Business, STRANGER, fills_in};
use super::harness::wait::waits_until;
use super::pty::PtySession;

const MAKER: u8 = 1;
const CHECKER: u8 = 2;

const SETTINGS: &str = r#"
[profiles.quay.approvals]
folder = "approvals"
signing_key = "maker"
[[profiles.quay.policy.approval]]
token = "USDC"
above = "20"
needs = 1
"#;

/// A business whose payments need a second person, who sits elsewhere.
fn business() -> Business {
    let business = Business::new(Vec::new());
    business.has_profile(SETTINGS);
    let folder = business.folder.path();
    let line = |name: &str, seed| format!("{name} {}\n", key_of_seed(seed).public_key().to_openssh().unwrap());
    std::fs::write(folder.join("allowed_signers"), line("anna", MAKER) + &line("bert", CHECKER)).unwrap();
    let key = folder.join("maker");
    std::fs::write(&key, key_of_seed(MAKER).to_openssh(LineEnding::LF).unwrap().as_bytes()).unwrap();
    std::fs::set_permissions(&key, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    std::fs::create_dir(folder.join("approvals")).unwrap();
    business
}

/// What a review shows for a second when it opens, and when its facts changed: it takes no keys meanwhile.
const NOT_ARMED: &str = "keys work in a second";

/// Types what a review asks for, again where its facts changed meanwhile; `None` where the program ended.
fn confirms(terminal: &PtySession, prompt: &str, result: &str) -> Option<()> {
    loop {
        // Keys that came too early were ignored, and it says so.
        terminal.shows_one_of(&[prompt, "type now"]).then_some(())?;
        terminal.types(&format!("25.5\r{}\r", &STRANGER[challenge_range(STRANGER)]));
        terminal.shows_one_of(&[result, NOT_ARMED]).then_some(())?;
        if terminal.contents().contains(result) {
            return Some(());
        }
    }
}

fn proposes(terminal: &PtySession) -> Option<()> {
    fills_in(terminal)?;
    terminal.types("\r");
    confirms(terminal, "To propose, type", "proposed, nothing was sent")
}

fn releases(terminal: &PtySession) -> Option<()> {
    terminal.shows("live").then_some(())?;
    terminal.types("&");
    terminal.shows("ready to send").then_some(())?;
    terminal.types("\r");
    confirms(terminal, "To send, type", "the service accepted")
}

/// Somebody else approves what lies in the folder, by the file alone.
fn approves(business: &Business, order: &Order) {
    let folder = business.folder.path().join("approvals");
    let file = std::fs::read(folder.join(format!("{}.proposal", order.id))).unwrap();
    let signature = sign_with(&key_of_seed(CHECKER), StatementKind::Approve.namespace(), &file).unwrap();
    std::fs::write(folder.join(format!("{}.bert.approve.sig", order.id)), signature).unwrap();
}

fn is_killed(business: &Business, moment: &str, acts: impl Fn(&PtySession) -> Option<()>) {
    let mut terminal = business.opens(Some(moment));
    acts(&terminal);
    business.sees_it_killed(&mut terminal, moment);
}

/// A second desk releases what the first one proposed: it records the draft under the proposal's identifier, and then what
/// was signed.
fn killed_while_taking_over(moment: &str) {
    let business = business();
    let terminal = business.opens(None);
    proposes(&terminal).unwrap();
    business.is_left(terminal);
    let proposal = business.orders().remove(0);
    approves(&business, &proposal);
    // Another machine at the same service: its journal is empty.
    std::fs::remove_dir_all(business.folder.path().join("data/journal")).unwrap();
    business.has_profile(&SETTINGS.replace("signing_key", "role = \"release\"\nsigning_key"));
    is_killed(&business, moment, releases);
    assert!(business.tap.changes().is_empty(), "something was sent while it was opened");
    let orders = business.orders();
    assert_eq!(orders.len(), usize::from(!matches!(moment, "before-drafted" | "within-drafted")), "{moment}");
    let terminal = business.opens(None);
    releases(&terminal).unwrap_or_else(|| panic!("{moment}: it does not go on:\n{}", terminal.contents()));
    terminal.types("4");
    terminal.waits_for("settled");
    business.is_left(terminal);
    let [order] = <[Order; 1]>::try_from(business.orders()).expect("one order");
    assert_eq!((order.id, &order.drafted.request), (proposal.id, &proposal.drafted.request), "{moment}");
    let statements = order.approval.as_ref().unwrap().statements.iter().map(|(_, statements)| statements.kind);
    assert_eq!(
        statements.collect::<Vec<_>>(),
        [StatementKind::Propose, StatementKind::Approve],
        "each is recorded once"
    );
    let changes = business.tap.changes();
    assert_eq!((business.executions(&order), changes.len(), order.attempts.len()), (1, 1, 1), "{moment}");
    assert_eq!(changes[0].body, proposal.drafted.request.body.as_bytes());
}

fn killed_at(moment: &str) {
    let business = business();
    let (_, kind) = moment.split_once('-').unwrap();
    let is_of_proposal = matches!(moment.split_once('-'), Some((_, "drafted" | "confirmed" | "proposed")));
    if is_of_proposal {
        is_killed(&business, moment, proposes);
        assert!(business.tap.changes().is_empty(), "something was sent without approval");
        let orders = business.orders();
        let was_proposed = orders.first().is_some_and(|order| order.approval.is_some());
        assert_eq!(was_proposed, moment == "after-proposed", "{moment}");
        // What is on record is written to the folder by the next start.
        let terminal = business.opens(None);
        terminal.waits_for("live");
        terminal.types("4");
        if was_proposed {
            terminal.waits_for("proposed");
            let folder = business.folder.path().join("approvals");
            waits_until("the proposal in the folder", || std::fs::read_dir(&folder).unwrap().count() == 2);
        }
        business.is_left(terminal);
        assert!(business.tap.changes().is_empty());
        return;
    }
    let terminal = business.opens(None);
    proposes(&terminal).unwrap();
    business.is_left(terminal);
    let order = business.orders().remove(0);
    approves(&business, &order);
    if kind == "approved" {
        is_killed(&business, moment, |_| Some(()));
        assert!(business.tap.changes().is_empty());
        let terminal = business.opens(None);
        releases(&terminal).unwrap();
        business.is_left(terminal);
        assert_eq!(business.orders()[0].approval.as_ref().unwrap().statements.len(), 2, "it is recorded once");
    } else {
        is_killed(&business, moment, releases);
    }
    // Another console finds what there is, and sends nothing by itself.
    let changes = business.tap.changes();
    let terminal = business.opens(None);
    terminal.waits_for("live");
    terminal.types("4");
    let order = business.orders().remove(0);
    let executions = business.executions(&order);
    assert!(changes.iter().all(|changes| changes.body == order.drafted.request.body.as_bytes()));
    assert!(
        executions <= 1 && executions <= changes.len(),
        "{moment}: paid {executions} times, sent {} times",
        changes.len()
    );
    if executions == 1 {
        terminal.waits_for("settled");
        let statements = &order.approval.as_ref().unwrap().statements;
        assert!(statements.iter().any(|(_, statement)| statement.kind == StatementKind::Approve), "{moment}");
    } else {
        // What may have left by the record, though nothing did, is not known.
        assert!(changes.is_empty());
        terminal.waits_for(if order.first_sent_at().is_some() { "unknown" } else { "proposed" });
    }
    business.is_left(terminal);
    assert_eq!(business.tap.changes().len(), changes.len(), "something was sent after the restart");
}

#[rstest]
fn killed_while_it_proposes_or_releases_it_sends_at_most_once_and_never_without_approval(
    #[values("within-proposed", "within-approved", "after-sending", "after-send")] moment: &str,
) {
    killed_at(moment);
}

#[rstest]
#[ignore = "campaign: each moment of a proposal"]
fn killed_at_any_moment_of_a_proposal_it_sends_at_most_once_and_never_without_approval(
    #[values("drafted", "proposed", "approved", "sending", "answered")] kind: &str,
    #[values("before", "within", "after")] phase: &str,
) {
    killed_at(&format!("{phase}-{kind}"));
}

#[rstest]
#[ignore = "campaign: each moment of a proposal"]
fn killed_at_any_moment_of_a_release_it_sends_at_most_once(
    #[values("before-send", "after-send", "after-answer")] moment: &str,
) {
    killed_at(moment);
}

#[rstest]
fn killed_between_the_draft_of_a_proposal_from_elsewhere_and_its_signatures_it_goes_on_and_pays_once(
    #[values("after-drafted", "within-approved")] moment: &str,
) {
    killed_while_taking_over(moment);
}

#[rstest]
#[ignore = "campaign: each moment of a proposal"]
fn killed_at_any_moment_at_which_it_takes_over_a_proposal_it_goes_on_and_pays_once(
    #[values("drafted", "proposed", "approved")] kind: &str,
    #[values("before", "within", "after")] phase: &str,
) {
    killed_while_taking_over(&format!("{phase}-{kind}"));
}
