//! How many keys the common tasks of a desk take. A count that grows fails.
//!
//! `before` is what the program of commit 2ed82d6b needed, by its key table and its form: every field of a payment was
//! filled in anew, each time from the Overview. Counted are the keys that choose, move and confirm a field. Not counted,
//! but listed, is what somebody has to say: an address, an amount, a note, the number of an invoice, a path. What a
//! review asks for is typed in full, before and now.

use std::fmt::Write as _;
use std::time::Duration;

use super::batches::stranger;
use super::exports::write_export;
use super::harness::{Session, Setup};
use super::policy::enters;

const MINUTE: Duration = Duration::from_mins(1);
const NORRLAND: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// A task, by the keys that it takes.
struct Task {
    name: &'static str,
    /// Keys of the program before, and characters that somebody had to say.
    before: (usize, usize),
    /// The most keys that it may take now.
    most: usize,
    /// What its review asks for, each to be typed.
    confirmations: usize,
}

const TASKS: [Task; 7] = [
    // `Tab j w`, `U Enter`, Enter behind address, amount and note, Enter on the button.
    Task { name: "first payment", before: (9, 44), most: 4, confirmations: 2 },
    // A name instead of the address, `nor Down Enter`, and the amount and the note of the month before, looked up and typed.
    Task { name: "the same as last month", before: (13, 20), most: 6, confirmations: 1 },
    // The same, with an amount of its own.
    Task { name: "payment to a known name", before: (13, 2), most: 6, confirmations: 1 },
    // In another program: the values separated by commas, `address,amount` in place of the header, the further columns
    // removed. Then `Tab j b`, `U Enter`, Enter behind the note, `Tab Tab Enter` behind the path. Now the header is
    // assigned once, which is said, and known from the second file on.
    Task { name: "batch of 50, new header", before: (23, 8), most: 8, confirmations: 2 },
    Task { name: "batch of 50, known header", before: (23, 8), most: 8, confirmations: 2 },
    // `3 /`, Enter, Enter, if the number was in the note.
    Task { name: "payment of an invoice", before: (4, 8), most: 2, confirmations: 0 },
    // There was none: the hash, the recipient and the amount were copied, `y Enter` each, into a text.
    Task { name: "receipt of that payment", before: (10, 8), most: 4, confirmations: 0 },
];

/// Somebody who works with few keys.
struct Operator {
    session: Session,
    keys: usize,
    typed_length: usize,
}

impl Operator {
    fn presses(&mut self, script: &str) {
        let key_count = |word: &str| word.strip_prefix('\'').map_or(1, |rest| rest.trim_end_matches('\'').len());
        self.keys += script.split(' ').filter(|word| !word.is_empty()).map(key_count).sum::<usize>();
        self.session.keys(script);
    }

    /// What nobody can spare somebody to say.
    fn says(&mut self, text: &str) {
        self.typed_length += text.chars().count();
        self.session.types(text);
    }

    /// A name, an address or a path that was copied elsewhere.
    fn pastes(&mut self, text: &str) {
        self.typed_length += text.chars().count();
        self.session.pastes(text);
    }

    /// Types what the review asks for, and has it settled; how much that was.
    #[track_caller]
    fn confirms(&mut self) -> usize {
        assert!(self.session.review().is_some(), "no review on\n{}", self.session.screen());
        let entry_count = self.session.expected_entries().len();
        self.session.confirms();
        self.session.passes(3 * MINUTE);
        self.session.order().is("settled", "the payment");
        self.session.keys("Esc Esc Esc Esc 1");
        entry_count
    }

    /// Keys and characters since this was last asked.
    fn take_counts(&mut self) -> (usize, usize) {
        (std::mem::take(&mut self.keys), std::mem::take(&mut self.typed_length))
    }
}

fn operator() -> Operator {
    let session = Session::with(Setup { poll_period: MINUTE, ..Setup::default() });
    enters(&session, "Norrland Shipping", NORRLAND, 24 * 30);
    Operator { session, keys: 0, typed_length: 0 }
}

/// A file that another program wrote for people: its columns have names that nobody can guess.
fn spreadsheet_of(rows: u64) -> String {
    let row = |number| format!("Quay {number};{};0.25;INV-{number}\r\n", stranger(number));
    format!("Department;Payee wallet;Net amount;Invoice no\r\n{}", (0..rows).map(row).collect::<String>())
}

/// A payment of the month before, with a note and a reference.
fn pays_last_month(operator: &mut Operator) {
    let session = &mut operator.session;
    session.restarts();
    session.connect();
    session.fills_in("base-ops", "USDC", "31.5", NORRLAND);
    session.keys("Esc BackTab BackTab");
    session.passes(Duration::from_secs(2));
    session.types("rent of the quay");
    session.keys("Down");
    session.types("INV-2210");
    session.keys("C-r");
    session.sees("Review · Withdraw");
    session.confirms();
    session.passes(3 * MINUTE);
    session.order().is("settled", "the month before");
    session.keys("Esc Esc Esc Esc 1");
    // Nobody looks for more than a day.
    session.ticks(Duration::from_hours(30));
    session.restarts();
    session.connect();
}

/// Keys, characters that were said, and confirmations of each task.
fn measure() -> Vec<((usize, usize), usize)> {
    let mut measured = Vec::new();
    let mut operator = operator();
    operator.pastes(&stranger(1));
    operator.presses("Enter");
    operator.session.sees("base-ops");
    operator.presses("Enter");
    operator.session.sees("USDC");
    operator.presses("Enter");
    operator.session.sees("▌Amount");
    operator.says("25");
    operator.presses("C-r");
    let confirmations = operator.confirms();
    measured.push((operator.take_counts(), confirmations));

    pays_last_month(&mut operator);
    operator.presses(": 'nor' Down Enter");
    operator.session.sees("31.5 USDC");
    operator.session.sees("rent of the quay");
    let confirmations = operator.confirms();
    measured.push((operator.take_counts(), confirmations));
    operator.presses(": 'nor' Enter");
    operator.session.sees("wallet and token are those of the payment of");
    operator.says("77");
    operator.presses("C-r");
    let confirmations = operator.confirms();
    measured.push((operator.take_counts(), confirmations));
    // The wallet that the next task chooses is no longer selected.
    operator.session.restarts();
    operator.session.connect();

    let folder = tempfile::tempdir().unwrap();
    for (name, mapping) in [("oct.csv", " address=\"Payee wallet\" amount=\"Net amount\""), ("nov.csv", "")] {
        let path = folder.path().join(name);
        std::fs::write(&path, spreadsheet_of(50)).unwrap();
        operator.presses("Tab j b U Enter Enter");
        operator.session.pastes(path.to_str().unwrap());
        // A path of usual length.
        operator.typed_length += "rows.csv".len();
        operator.session.types(mapping);
        operator.presses("Tab C-r");
        let entries = operator.session.expected_entries();
        // The total, the number of recipients, and a group of each of three new ones.
        assert_eq!((entries[0].as_str(), entries[1].as_str(), entries.len()), ("12.5", "50", 5), "{entries:?}");
        operator.session.keys("Esc Esc 1");
        operator.session.restarts();
        operator.session.connect();
        measured.push((operator.take_counts(), 2));
    }

    operator.presses(":");
    operator.says("inv-2210");
    operator.presses("Enter");
    operator.session.sees("Reference       INV-2210");
    operator.session.sees("Hash            0x");
    measured.push((operator.take_counts(), 0));

    operator.session.keys("x");
    let folder = tempfile::tempdir().unwrap();
    // The form proposes the folder that was used last.
    let first = write_export(&mut operator.session, folder.path(), "receipt");
    assert!(first.contains("INV-2210"), "{first}");
    operator.session.keys("Esc Esc Esc Esc 1");
    operator.presses(":");
    operator.says("inv-2210");
    operator.presses("Enter x Enter");
    operator.session.sees("1 receipt written to");
    measured.push((operator.take_counts(), 0));
    measured
}

#[test]
fn the_common_tasks_take_few_keys_and_every_confirmation() {
    let measured = measure();
    let mut table = format!("{:<26}{:>14}{:>14}{:>16}\n", "task", "keys before", "keys now", "said before/now");
    for (task, ((keys, typed_length), _)) in TASKS.iter().zip(&measured) {
        let (before, previous_length) = task.before;
        writeln!(table, "{:<26}{before:>14}{keys:>14}{:>16}", task.name, format!("{previous_length}/{typed_length}"))
            .unwrap();
    }
    for (task, ((keys, typed_length), confirmations)) in TASKS.iter().zip(&measured) {
        assert!(*keys <= task.most && *typed_length <= task.before.1, "{}\n{table}", task.name);
        assert_eq!(*confirmations, task.confirmations, "{}\n{table}", task.name);
    }
}

#[test]
fn the_review_key_stops_at_the_first_field_that_is_wrong_and_reviews_from_any_field() {
    let mut session = operator().session;
    session.keys("Tab j w U C-r");
    session.sees("▌Recipient");
    session.sees("USDC");
    session.keys(&format!("'{}' C-r", stranger(1)));
    session.sees("▌Amount");
    session.keys("'25' BackTab C-r");
    session.sees("Review · Withdraw");
    assert_eq!(session.expected_entries().len(), 2, "{}", session.screen());
}

#[test]
fn the_palette_pays_nobody_by_name_under_the_veil() {
    let mut session = operator().session;
    session.restarts();
    session.connect();
    session.keys(": 'nor'");
    session.sees("Norrland Shipping on Base");
    session.keys("Esc p : 'nor'");
    session.sees_no("Norrland");
}

#[test]
fn an_address_pasted_onto_a_page_is_offered_for_payment_if_it_may_be_one() {
    let mut session = operator().session;
    let recipient = stranger(7);
    session.pastes(&format!(" {recipient}\n"));
    session.sees("pay to");
    session.sees("which is not in the address book");
    session.keys("Enter");
    session.sees(&recipient);
    session.sees("▌From wallet");
    session.sees("Enter takes the first");
    // Down highlights the first, as in any list.
    session.keys("Down Enter");
    session.sees("base-ops");
    session.keys("'USDC' Enter");
    session.sees("▌Amount");
    session.keys("Esc");

    let mistyped_address = NORRLAND.replace("0x5a", "0x5A");
    session.pastes(&mistyped_address);
    session.sees("not now: ");
    session.keys("Enter");
    session.sees_no("From wallet");
    session.keys("Esc");

    session.restarts();
    session.connect();
    session.pastes(NORRLAND);
    session.sees("pay to        Norrland Shipping on Base");
    session.sees_no("which is not in the address book");
}

#[test]
fn a_secret_or_a_text_of_several_lines_pasted_onto_a_page_goes_nowhere() {
    let mut session = operator().session;
    let seed = "abandon ".repeat(11) + "about";
    session.pastes(&seed);
    session.sees("this contains a list of seed words");
    session.sees_no("abandon");
    session.pastes("one\ntwo");
    session.sees("too long to look for");
    session.keys("p");
    session.pastes(NORRLAND);
    session.sees_no("Palette");
}

#[test]
fn the_palette_pays_again_by_a_review_unless_the_note_has_to_be_completed() {
    let mut operator = operator();
    pays_last_month(&mut operator);
    let session = &mut operator.session;
    session.keys(": 'nor'");
    session.sees("pay again");
    session.sees("“rent of the quay”");
    session.keys("Down Enter");
    session.sees("Review · Withdraw");
    // Back in the form everything can be changed, and nothing was sent.
    session.keys("Esc");
    session.sees("[ Review ]");
    session.sees("31.5");
    session.keys("BackTab BackTab BackTab");
    session.keys("Esc : 'INV-2210'");
    session.sees("▌order         INV-2210: withdrawal of 31.5 USDC to Norrland Shipping");
    // The beginning of a reference stands behind what has that name.
    session.keys("C-u 'inv-2'");
    session.sees("order         INV-2210");
    session.keys("Esc p : 'inv-2210'");
    session.sees_no("Norrland");
}
