//! A process is killed at every moment of an order's life, and again while it recovers.

use bursar::domain::approval::ApprovalPolicy;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;

use bursar::domain::order::{HistoryLookup, OrderEnd, OrderState, SendReason};
use bursar::domain::{AttemptResult, CreatedObject, FinalStatuses, ObservedTransaction, Outcome, Status};
use bursar::journal::{SendPermit, crash, verify};

use super::sample_orders::{at, confirmation, destination, open, withdrawal};

/// Names the folder in which a process of its own lives the life, and how many lived there before.
const FOLDER: &str = "BURSAR_TEST_JOURNAL";
const LIFE: &str = "BURSAR_TEST_LIFE";

/// What the service knows: a line with its key for each request that came. It executes a key once.
const LEDGER: &str = "ledger";

fn sendings(folder: &Path) -> usize {
    fs::read_to_string(folder.join(LEDGER)).unwrap_or_default().lines().count()
}

fn observed_transaction(status: &str) -> ObservedTransaction {
    ObservedTransaction {
        transaction: None,
        status: Some(Status::from_word(status)),
        confirmed: None,
        confirmed_at: None,
        confirmation: None,
        tx_hash: None,
        swap: None,
    }
}

/// Sends as the console does: the permission is used up, and whatever comes is an answer.
fn send(folder: &Path, order: SendPermit) -> AttemptResult {
    crash::reached(crash::BEFORE_SEND);
    let mut ledger = OpenOptions::new().create(true).append(true).open(folder.join(LEDGER)).unwrap();
    writeln!(ledger, "{}", order.request_bytes().key.unwrap()).unwrap();
    crash::reached(crash::AFTER_SEND);
    drop(order);
    crash::reached(crash::AFTER_ANSWER);
    let created = Some(CreatedObject::Transaction(observed_transaction("pending")));
    let (outcome, message) = (Outcome::Accepted, "created".into());
    AttemptResult {
        outcome,
        status: Some(201),
        message,
        raw: None,
        created,
        differences: Vec::new(),
        cost_alarms: Vec::new(),
    }
}

/// Brings one order from wherever it stands to its end, as a console and its operator do.
fn live(folder: &Path, life: i64) {
    let journal = open(&folder.join("journal"));
    // Whatever an earlier process was waiting for, it has given up by now.
    let mut now = 100 * life;
    let mut tick = || {
        now += 1;
        at(now)
    };
    for _ in 0..20 {
        let Some(intent) = journal.orders(&destination(), 9).unwrap().pop() else {
            journal.record_draft(withdrawal(None), tick()).unwrap();
            continue;
        };
        let id = intent.id;
        let mut begin = |because| {
            let now = tick();
            let order = journal
                .permit_send(id, because, &destination(), now, at(100 * life + 90), None, &ApprovalPolicy::default())
                .unwrap();
            let attempt = order.attempt();
            journal.record_answer(id, attempt, send(folder, order), tick()).unwrap();
        };
        if intent.is_reopened() {
            return;
        }
        match intent.state(at(100 * life)) {
            OrderState::Drafted => journal.record_confirmation(id, confirmation(), tick()).unwrap(),
            OrderState::Confirmed => begin(SendReason::Confirmed),
            // Read first; what the history does not show may be sent again by the operator's word: same key, same bytes.
            OrderState::Unknown if sendings(folder) == 0 => begin(SendReason::Operator { warned: false }),
            OrderState::Unknown | OrderState::Accepted => {
                let look = HistoryLookup {
                    observed: Some(observed_transaction("success")),
                    is_complete: true,
                    ..HistoryLookup::default()
                };
                journal.record_lookup(id, look, None, &FinalStatuses::default(), tick()).unwrap();
                journal.record_end(id, OrderEnd::Settled, tick()).unwrap();
            }
            OrderState::Settled => return,
            other => panic!("an order that is {other:?}"),
        }
    }
    panic!("the order does not come to its end");
}

/// What a process of its own does; without a folder that was named, it is lived here and now.
#[test]
fn an_order_lives_from_its_draft_to_its_end() {
    if let (Ok(folder), Ok(life)) = (std::env::var(FOLDER), std::env::var(LIFE)) {
        return live(Path::new(&folder), life.parse().unwrap());
    }
    let folder = tempfile::tempdir().unwrap();
    live(folder.path(), 0);
    assert_eq!((state(folder.path(), 1), sendings(folder.path())), (Some(OrderState::Settled), 1));
}

/// Lives in a process of its own, which is killed at a point if it comes there. Says whether it was.
fn is_killed(folder: &Path, life: i64, point: Option<&str>) -> bool {
    is_killed_in("journal::crash_recovery::an_order_lives_from_its_draft_to_its_end", folder, life, point)
}

/// The same where it lives what this test does.
fn is_killed_in(test: &str, folder: &Path, life: i64, point: Option<&str>) -> bool {
    let mut process = Command::new(std::env::current_exe().unwrap());
    process.args(["--exact", test]).env(FOLDER, folder).env(LIFE, life.to_string()).env_remove("BURSAR_KILL_AT");
    process.envs(point.map(|point| ("BURSAR_KILL_AT", point)));
    let output = process.output().unwrap();
    let output_text = String::from_utf8_lossy(&output.stdout);
    match (output.status.code(), output.status.signal()) {
        (Some(0), None) => {
            assert!(output_text.contains("1 passed"), "nothing was lived: {output_text}");
            false
        }
        (None, Some(9)) => true,
        other => panic!("{other:?}: {output_text}{}", String::from_utf8_lossy(&output.stderr)),
    }
}

/// What an order that was closed lives on: a row contradicts it, and it is open until somebody has looked and closes it.
fn live_on(folder: &Path, life: i64) {
    live(folder, life);
    let journal = open(&folder.join("journal"));
    let order = journal.orders(&destination(), 9).unwrap().pop().unwrap();
    if !order.lookups.iter().any(|(_, look)| look.contradiction.is_some()) {
        let look = HistoryLookup {
            observed: Some(observed_transaction("reverted")),
            contradiction: Some("the order was closed as settled, and the history now shows it as “reverted”".into()),
            ..HistoryLookup::default()
        };
        journal.reopen(order.id, look, at(100 * life + 50)).unwrap();
    }
}

/// What a process of its own does; without a folder that was named, it is lived here and now.
#[test]
fn an_order_that_was_closed_is_opened_again() {
    if let (Ok(folder), Ok(life)) = (std::env::var(FOLDER), std::env::var(LIFE)) {
        return live_on(Path::new(&folder), life.parse().unwrap());
    }
    let folder = tempfile::tempdir().unwrap();
    live_on(folder.path(), 0);
    assert_eq!((state(folder.path(), 1), sendings(folder.path())), (Some(OrderState::Accepted), 1));
}

/// A kill around a reopening leaves the order closed or open again, never half of it; the next read opens it where the
/// first could not, once, and nothing is sent for that.
#[test]
fn killed_while_it_is_opened_again_it_is_closed_or_open_and_the_next_read_opens_it_once() {
    let test_name = "journal::crash_recovery::an_order_that_was_closed_is_opened_again";
    for (first, second, state_left) in [
        ("before-reopened", "within-reopened", OrderState::Settled),
        ("within-reopened", "after-reopened", OrderState::Settled),
        ("within-reopened", "within-reopened", OrderState::Settled),
        ("after-reopened", "before-reopened", OrderState::Accepted),
    ] {
        assert!(crash::REOPENING_POINTS.contains(&first) && crash::REOPENING_POINTS.contains(&second));
        let home = tempfile::tempdir().unwrap();
        let folder = home.path();
        assert!(is_killed_in(test_name, folder, 0, Some(first)), "nothing comes to {first}");
        assert_eq!(state(folder, 1), Some(state_left), "{first}");
        // One that is open again is not opened once more.
        assert_eq!(
            is_killed_in(test_name, folder, 1, Some(second)),
            state_left == OrderState::Settled,
            "{first}, {second}"
        );
        is_killed_in(test_name, folder, 2, None);
        let order = open(&folder.join("journal")).orders(&destination(), 9).unwrap().pop().unwrap();
        let alarms = order.lookups.iter().filter(|(_, look)| look.contradiction.is_some()).count();
        assert!(order.is_reopened() && order.is_unresolved(at(500)), "{first}, {second}");
        assert_eq!((alarms, sendings(folder)), (1, 1), "{first}, {second}");
        assert!(verify(&folder.join("journal")).unwrap().is_whole());
    }
}

/// How the order stands for whoever starts while the process that was killed may still be waiting (`life` the same), or
/// after that.
fn state(folder: &Path, life: i64) -> Option<OrderState> {
    let report = verify(&folder.join("journal"));
    assert!(report.is_ok_and(|report| report.is_whole()));
    let intents = open(&folder.join("journal")).orders(&destination(), 9).unwrap();
    assert!(intents.len() <= 1);
    intents.first().map(|intent| intent.state(at(100 * life + 89)))
}

/// The table of the module page: after a kill at this point, how it stands at once and later, and how often it was sent.
fn table(point: &str) -> (Option<OrderState>, Option<OrderState>, usize) {
    match point {
        "before-drafted" | "within-drafted" => (None, None, 0),
        "after-drafted" | "before-confirmed" | "within-confirmed" => {
            (Some(OrderState::Drafted), Some(OrderState::Drafted), 0)
        }
        "after-confirmed" | "before-sending" | "within-sending" => {
            (Some(OrderState::Confirmed), Some(OrderState::Confirmed), 0)
        }
        "after-sending" | crash::BEFORE_SEND => (Some(OrderState::Sending), Some(OrderState::Unknown), 0),
        crash::AFTER_SEND | crash::AFTER_ANSWER | "before-answered" | "within-answered" => {
            (Some(OrderState::Sending), Some(OrderState::Unknown), 1)
        }
        "after-answered" | "before-looked" | "within-looked" | "after-looked" | "before-ended" | "within-ended" => {
            (Some(OrderState::Accepted), Some(OrderState::Accepted), 1)
        }
        "after-ended" => (Some(OrderState::Settled), Some(OrderState::Settled), 1),
        other => panic!("the table has no row for {other}"),
    }
}

/// Kills at one point, then once more while that is being recovered, then lets it come to its end.
fn walk(first: &str, second: &str) {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    assert!(is_killed(folder, 0, Some(first)), "nothing comes to {first}");
    let states = (state(folder, 0), state(folder, 1), sendings(folder));
    assert_eq!(states, table(first), "{first}");
    is_killed(folder, 1, Some(second));
    // Whatever was sent stands in the journal as sent, or as something that came of it.
    let between = state(folder, 2);
    if sendings(folder) > 0 {
        let permitted = [OrderState::Unknown, OrderState::Accepted, OrderState::Settled];
        assert!(between.is_some_and(|state| permitted.contains(&state)), "{first}, {second}: {between:?}");
    }
    assert!(!is_killed(folder, 2, None));
    assert_eq!(state(folder, 3), Some(OrderState::Settled), "{first}, {second}");
    // Every request that came had one key, so that the service executes it once; none came without need.
    let ledger = fs::read_to_string(folder.join(LEDGER)).unwrap();
    assert_eq!(ledger.lines().count(), 1, "{first}, {second}: {ledger}");
}

#[test]
fn killed_at_any_moment_and_again_in_recovery_it_is_paid_once_and_the_journal_tells_the_truth() {
    let points = crash::CRASH_POINTS;
    for (nth, first) in points.iter().enumerate() {
        walk(first, points[(nth * 5 + 11) % points.len()]);
    }
}

#[test]
fn killed_twice_around_the_same_moment_it_is_paid_once() {
    for point in ["within-sending", "after-sending", crash::AFTER_SEND, "within-answered", "within-looked"] {
        walk(point, point);
    }
}
