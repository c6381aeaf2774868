//! Several processes on one journal.

use bursar::domain::approval::ApprovalPolicy;
use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use bursar::domain::Draft;
use bursar::domain::order::{IllegalOrderEvent, OrderState, SendReason};
use bursar::journal::{JournalError, verify};

use super::sample_orders::{at, confirmation, destination, open, withdrawal};

const FOLDER: &str = "BURSAR_TEST_RACE";
const ROUNDS: usize = 20;
const WON: &str = "won ";

/// Confirms and begins every order that it finds, as if nobody else were there. Gives those that it may send.
fn race(folder: &Path) -> Vec<String> {
    let journal = open(folder);
    let mut ids = Vec::new();
    for intent in journal.orders(&destination(), usize::MAX).unwrap() {
        match journal.record_confirmation(intent.id, confirmation(), at(1)) {
            // Another confirmed it; the operator of this one says: send it.
            Ok(()) | Err(JournalError::Illegal(IllegalOrderEvent::Confirmed)) => {}
            Err(other) => panic!("{other}"),
        }
        match journal.permit_send(
            intent.id,
            SendReason::Confirmed,
            &destination(),
            at(2),
            at(22),
            None,
            &ApprovalPolicy::default(),
        ) {
            Ok(order) => ids.push(order.id().to_string()),
            Err(JournalError::Illegal(IllegalOrderEvent::UnderWay)) => {}
            Err(other) => panic!("{other}"),
        }
    }
    ids
}

fn prepare() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path());
    for round in 0..ROUNDS {
        // To somebody else each: of equal payments only one may leave.
        let mut draft = withdrawal(None);
        if let Draft::Withdraw(withdrawal) = &mut draft.draft {
            withdrawal.to = format!("0x{round:040x}").as_str().into();
        }
        journal.record_draft(draft, at(0)).unwrap();
    }
    folder
}

/// What a process of its own does; without a folder that was named, it runs alone and wins everything.
#[test]
fn one_console_sends_what_it_finds() {
    if let Ok(folder) = std::env::var(FOLDER) {
        let ids = race(Path::new(&folder));
        // The harness may have begun a line of its own.
        return ids.iter().for_each(|id| writeln!(std::io::stdout(), "\n{WON}{id}").unwrap());
    }
    assert_eq!(race(prepare().path()).len(), ROUNDS);
}

#[test]
fn of_four_processes_that_want_the_same_orders_each_order_goes_to_one() {
    let folder = prepare();
    let start = |_| {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "journal::processes::one_console_sends_what_it_finds", "--nocapture"])
            .env(FOLDER, folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let processes: Vec<_> = (0..4).map(start).collect();
    let mut times_won: HashMap<String, usize> = HashMap::new();
    for process in processes {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let output_text = String::from_utf8(output.stdout).unwrap();
        for id in output_text.lines().filter_map(|line| line.strip_prefix(WON)) {
            *times_won.entry(id.to_owned()).or_default() += 1;
        }
    }
    let intents = open(folder.path()).orders(&destination(), usize::MAX).unwrap();
    assert_eq!(intents.len(), ROUNDS);
    for intent in intents {
        assert_eq!(times_won.get(&intent.id.to_string()), Some(&1));
        assert_eq!((intent.attempts.len(), intent.state(at(3))), (1, OrderState::Sending));
    }
    let report = verify(folder.path()).unwrap();
    assert_eq!((report.faults, report.records), (vec![], 3 * ROUNDS as u64));
}
