//! A disk that is really full, at each moment of a payment: nothing leaves that is not on record, what cannot be recorded
//! is looked for later, and the page says what is wrong until there is room again.

use std::fs;
use std::process::{Command, Output};
use std::time::Duration;

use bursar::domain::Order;
use bursar::domain::order::ConsoleIdentity;
use bursar::journal::{self, Journal, JournalLocation};
use bursar::service::Fault;
use rstest::rstest;
use secrecy::ExposeSecret;

use super::crashes::{
    Business, confirms, confirms_the_batch, confirms_the_swap, fills_in, fills_in_a_batch, fills_in_a_swap, fills_in_by,
};
use super::harness::disk::SmallDisk;
use super::harness::wait::{finds, waits_until};
use super::pty::PtySession;

/// Seconds between two polls where nothing but the payment should be written.
const QUIET: u32 = 3600;

/// A business whose console keeps its data on a small disk.
struct Cramped {
    business: Business,
    disk: SmallDisk,
}

impl Cramped {
    fn new(rules: Vec<bursar::service::FaultRule>, poll_seconds: u32) -> Option<Self> {
        let disk = SmallDisk::of(8)?;
        let business = Business::new(rules);
        let config = format!(
            "[profiles.quay]\nbase_url = \"{}\"\nenvironment = \"testnet\"\nsecrets = \"environment\"\n\
             poll_seconds = {poll_seconds}\n",
            business.service().base_url()
        );
        fs::write(business.folder.path().join("config.toml"), config).unwrap();
        Some(Self { business, disk })
    }

    fn opens(&self) -> PtySession {
        self.opens_until(None)
    }

    /// A command that keeps its data on the disk.
    fn runs(&self, arguments: &[&str]) -> Output {
        let enter = self.disk.enter();
        let mut command = Command::new(&enter[0]);
        command.args(&enter[1..]).arg(env!("CARGO_BIN_EXE_bursar")).args(arguments);
        command.env_clear().env("PATH", std::env::var("PATH").unwrap()).env("BURSAR_API_KEY", "sk_test_4f9a1c");
        command.env("BURSAR_DATA_DIR", self.disk.inside()).env("BURSAR_CONFIG_DIR", self.business.folder.path());
        command.output().unwrap()
    }

    /// The dashboard in a terminal; it is killed at this moment of an order's life, if it comes there.
    fn opens_until(&self, killed_at: Option<&str>) -> PtySession {
        let keys = self.business.service().credentials().unwrap();
        let path = std::env::var("PATH").unwrap();
        let mut environment = vec![
            ("PATH", path.as_str()),
            ("BURSAR_API_KEY", keys.api_key.expose_secret()),
            ("BURSAR_WALLET_SECRET", keys.wallet_secret.expose_secret()),
            ("BURSAR_DATA_DIR", self.disk.inside()),
            ("BURSAR_CONFIG_DIR", self.business.folder.path().to_str().unwrap()),
        ];
        environment.extend(killed_at.map(|moment| ("BURSAR_KILL_AT", moment)));
        let enter = self.disk.enter();
        let command: Vec<_> = enter.iter().map(String::as_str).chain([env!("CARGO_BIN_EXE_bursar")]).collect();
        PtySession::open_command(&command, &environment)
    }

    /// Waits until the chain has confirmed an order and the console shows it, and leaves it.
    fn shows_its_end(&self, order: &Order, mut terminal: PtySession) {
        let service = self.business.service();
        let payments = || match order.drafted.request.key {
            Some(key) => service.find_payments_with_key(key).unwrap(),
            None => service.find_payments_with_reference(order.drafted.draft.reference().unwrap()).unwrap(),
        };
        waits_until("the payment succeeds", || payments()[0].status == "success");
        terminal.types("4gc");
        terminal.waits_for("settled");
        terminal.types("qy");
        assert!(terminal.ends().success());
        terminal.is_whole();
    }

    /// Every order, as the journal on the disk has it.
    fn orders(&self) -> Vec<Order> {
        let copy = self.disk.copy_of("journal");
        assert_eq!(journal::verify(copy.path()).unwrap().faults, []);
        let by = ConsoleIdentity { user: "ada".into(), host: "quay".into(), run: uuid::Uuid::new_v4() };
        let journal = Journal::open(&JournalLocation::Folder(copy.path().to_owned()), by).unwrap().journal;
        journal.orders(&self.business.destination(), 9).unwrap()
    }
}

/// Fails unless all that has left is on record, once and byte for byte; returns the order.
fn is_on_record(cramped: &Cramped) -> Order {
    let orders = cramped.orders();
    assert_eq!(orders.len(), 1);
    let (order, changes) = (&orders[0], cramped.business.tap.changes());
    assert_eq!((order.attempts.len(), changes.len()), (1, 1));
    assert_eq!(changes[0].body, order.drafted.request.body.as_bytes());
    assert_eq!(cramped.business.executions(order), 1);
    order.clone()
}

/// Waits until the answer to the order is in the journal, which may be after the history has shown what became of it.
fn waits_for_the_answer_on_record(cramped: &Cramped) -> Order {
    finds("the answer in the journal", || {
        let order = is_on_record(cramped);
        order.attempts[0].answer.is_some().then_some(order)
    })
}

/// Waits until an order was accepted. It may be found in the history before anybody looks.
fn waits_for_acceptance(terminal: &PtySession) {
    terminal.waits_until("accepted order", is_accepted);
}

fn is_accepted(screen: &vt100::Screen) -> bool {
    ["accepted", "✓ settled"].iter().any(|state| screen.contents().contains(state))
}

/// Confirms what the review asks for, and again where the balance, which cannot be stored, grew too old meanwhile.
fn confirms_until_accepted(terminal: &PtySession) {
    const CHANGED: &str = "the facts have changed";
    confirms(terminal).unwrap();
    terminal.waits_until("accepted order", |screen| is_accepted(screen) || screen.contents().contains(CHANGED));
    if terminal.contents().contains(CHANGED) {
        confirms(terminal).unwrap();
    }
    waits_for_acceptance(terminal);
}

/// By version 1, too, whose payments are found by their reference.
#[rstest]
fn a_disk_that_is_full_before_the_review_lets_nothing_be_asked_for_until_there_is_room(
    #[values(("w", "\t"), ("m", "\t\t"))] (key, between): (&str, &str),
) {
    let Some(cramped) = Cramped::new(Vec::new(), QUIET) else { return };
    let terminal = cramped.opens();
    fills_in_by(&terminal, key, between).unwrap();
    cramped.disk.fill();
    terminal.types("\r");
    terminal.waits_for("no room left on the disk of the journal");
    terminal.waits_for("Nothing was sent");
    assert_eq!(cramped.orders(), []);
    // The form is as it was, and goes on by itself once there is room.
    cramped.disk.empty();
    terminal.types("\r");
    confirms(&terminal).unwrap();
    waits_for_acceptance(&terminal);
    let order = is_on_record(&cramped);
    cramped.shows_its_end(&order, terminal);
}

/// The log of the journal may have room for some records still: then they are on the disk, and what they permit may leave.
#[test]
fn on_a_disk_that_is_full_before_it_is_confirmed_nothing_leaves_that_is_not_on_record() {
    let Some(cramped) = Cramped::new(Vec::new(), QUIET) else { return };
    let terminal = cramped.opens();
    fills_in(&terminal).unwrap();
    terminal.types("\r");
    terminal.waits_for("To send, type");
    cramped.disk.fill();
    confirms(&terminal).unwrap();
    waits_until("the payment is executed", || cramped.business.execution_total() > 0);
    let order = is_on_record(&cramped);
    cramped.disk.empty();
    cramped.shows_its_end(&order, terminal);
}

/// It was confirmed, and the program ended before it was sent.
#[test]
fn on_a_disk_that_is_full_before_it_is_sent_nothing_leaves() {
    let Some(cramped) = Cramped::new(Vec::new(), QUIET) else { return };
    let mut terminal = cramped.opens_until(Some("after-confirmed"));
    fills_in(&terminal).unwrap();
    terminal.types("\r");
    confirms(&terminal).unwrap();
    assert_eq!(terminal.ends().signal(), Some("Killed"));
    let terminal = cramped.opens();
    terminal.waits_for("base-ops");
    terminal.types("4");
    terminal.waits_for("not sent yet");
    cramped.disk.fill();
    terminal.types("gS");
    terminal.waits_for("Type “send” to send it");
    terminal.types("send\r");
    terminal.waits_for("not sent: no room left on the disk of the journal");
    assert_eq!((cramped.business.tap.changes(), cramped.orders()[0].attempts.len()), (Vec::new(), 0));
    cramped.disk.empty();
    terminal.types("S");
    terminal.waits_for("Type “send” to send it");
    terminal.types("send\r");
    waits_for_acceptance(&terminal);
    let order = is_on_record(&cramped);
    cramped.shows_its_end(&order, terminal);
}

/// The service takes it, and what it says cannot be written down.
#[test]
fn an_answer_for_which_there_is_no_room_is_said_and_recorded_when_there_is() {
    let late = Fault::Delayed(Duration::from_secs(3)).on_changes();
    let Some(cramped) = Cramped::new(vec![late, Fault::RowsHidden.on_reads()], QUIET) else { return };
    let terminal = cramped.opens();
    fills_in(&terminal).unwrap();
    terminal.types("\r");
    confirms(&terminal).unwrap();
    waits_until("the payment is executed", || cramped.business.execution_total() > 0);
    cramped.disk.fill();
    terminal.waits_for("could not be recorded (no room left on the disk");
    assert!(is_on_record(&cramped).attempts[0].answer.is_none());
    cramped.disk.empty();
    cramped.business.runtime.block_on(cramped.business.service().set_faults(Vec::new()));
    // The console kept it, and tries again.
    let order = waits_for_the_answer_on_record(&cramped);
    waits_for_acceptance(&terminal);
    cramped.shows_its_end(&order, terminal);
}

#[test]
fn the_cache_leaves_the_last_room_to_orders_and_goes_on_by_itself_when_there_is_more() {
    let Some(cramped) = Cramped::new(Vec::new(), 1) else { return };
    let terminal = cramped.opens();
    fills_in(&terminal).unwrap();
    cramped.disk.fill_but(1024 * 1024);
    terminal.waits_for("KiB left on the disk of the cache, reserved for orders; make room");
    terminal.waits_for("✗ store failed");
    // With the room that it left a payment can be recorded.
    terminal.types("\r");
    confirms_until_accepted(&terminal);
    let order = waits_for_the_answer_on_record(&cramped);
    cramped.disk.empty();
    terminal.waits_for("● live");
    cramped.shows_its_end(&order, terminal);
}

/// A book is entered whole or not at all, and what is in the way is said.
#[test]
fn a_book_that_finds_no_room_is_not_entered_and_is_when_there_is() {
    const ROWS: u32 = 600;
    let Some(cramped) = Cramped::new(Vec::new(), QUIET) else { return };
    let book = cramped.business.folder.path().join("book.csv");
    // No two look alike.
    let address = |row: u32| {
        let (head, tail) = (row.wrapping_mul(0x9e37_79b9), u128::from(row).wrapping_mul(u128::MAX / 3) >> 7);
        format!("{head:08x}{tail:032x}")
    };
    let rows: Vec<String> = (1..=ROWS).map(|row| format!("Supplier {row:04},0x{},ethereum", address(row))).collect();
    fs::write(&book, format!("name,address,chain\n{}\n", rows.join("\n"))).unwrap();
    let import = ["book", "import", book.to_str().unwrap()];
    let entry_count = || {
        let export = cramped.runs(&["book", "export"]);
        u32::try_from(String::from_utf8(export.stdout).unwrap().lines().count().saturating_sub(1)).unwrap()
    };
    assert_eq!((cramped.runs(&import[..2]).status.code(), entry_count()), (Some(2), 0));
    for spared in [0, 64 << 10] {
        cramped.disk.fill_but(spared);
        let output = cramped.runs(&import);
        cramped.disk.empty();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains("no room left on the disk of the journal"), "{spared} bytes were left: {output:?}");
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(entry_count(), 0, "{spared} bytes were left");
    }
    let output = cramped.runs(&import);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{ROWS} entered, 0 already in the address book\n"));
    assert_eq!(entry_count(), ROWS);
}

/// What finds no room is said, and leaves no part of a file that could be taken for the whole.
#[test]
fn a_list_that_finds_no_room_leaves_no_part_of_a_file() {
    let Some(cramped) = Cramped::new(Vec::new(), QUIET) else { return };
    let mut terminal = cramped.opens();
    terminal.waits_for("USDT");
    terminal.types("3");
    terminal.waits_for("─ Transactions ─");
    terminal.waits_for("▌");
    cramped.disk.fill();
    terminal.types(&format!("x\x15{}\r", cramped.disk.inside()));
    terminal.waits_for("its disk is full");
    assert_eq!(cramped.disk.files("bursar-"), Vec::<String>::new());
    cramped.disk.empty();
    terminal.types("\r");
    terminal.waits_for(" written to ");
    assert_eq!(cramped.disk.files("bursar-").len(), 1);
    terminal.types("q");
    assert!(terminal.ends().success());
}

/// What else moves money: a batch of two, and a swap.
#[derive(Debug, Clone, Copy)]
enum OperationKind {
    Batch,
    Swap,
}

impl OperationKind {
    fn fills_in(self, terminal: &PtySession, cramped: &Cramped) {
        match self {
            Self::Batch => fills_in_a_batch(terminal, cramped.business.folder.path(), 2).unwrap(),
            Self::Swap => fills_in_a_swap(terminal, "\t\t").unwrap(),
        }
    }

    /// From the last field to the review.
    fn reviews(self, terminal: &PtySession) {
        terminal.types(if matches!(self, Self::Batch) { "\t\r" } else { "\r" });
    }

    fn confirms(self, terminal: &PtySession) {
        match self {
            Self::Batch => confirms_the_batch(terminal, 2).unwrap(),
            Self::Swap => confirms_the_swap(terminal).unwrap(),
        }
    }
}

#[rstest]
fn nothing_else_is_reviewed_on_a_full_disk_until_there_is_room(
    #[values(OperationKind::Batch, OperationKind::Swap)] operation: OperationKind,
) {
    let Some(cramped) = Cramped::new(Vec::new(), QUIET) else { return };
    let terminal = cramped.opens();
    operation.fills_in(&terminal, &cramped);
    cramped.disk.fill();
    operation.reviews(&terminal);
    terminal.waits_for("no room left on the disk of the journal");
    terminal.waits_for("Nothing was sent");
    assert_eq!((cramped.orders(), cramped.business.tap.changes()), (Vec::new(), Vec::new()));
    // The form is as it was, rows and all.
    cramped.disk.empty();
    terminal.types("\r");
    operation.confirms(&terminal);
    waits_for_acceptance(&terminal);
    let order = is_on_record(&cramped);
    cramped.shows_its_end(&order, terminal);
}

/// The log of the journal may have room for some records still: then they are on the disk, and what they permit may
/// leave. A batch is a larger record than a payment.
#[rstest]
fn nothing_else_leaves_a_full_disk_that_is_not_on_record(
    #[values(OperationKind::Batch, OperationKind::Swap)] operation: OperationKind,
) {
    let Some(cramped) = Cramped::new(Vec::new(), QUIET) else { return };
    let terminal = cramped.opens();
    operation.fills_in(&terminal, &cramped);
    operation.reviews(&terminal);
    terminal.waits_for("To send, type");
    cramped.disk.fill();
    operation.confirms(&terminal);
    let is_held_back = || terminal.contents().contains("no room left on the disk");
    waits_until("it is executed or held back", || cramped.business.execution_total() > 0 || is_held_back());
    if cramped.business.execution_total() == 0 {
        assert_eq!((cramped.business.tap.changes(), cramped.orders()[0].attempts.len()), (Vec::new(), 0));
        return;
    }
    let order = is_on_record(&cramped);
    cramped.disk.empty();
    cramped.shows_its_end(&order, terminal);
}

#[rstest]
fn nothing_else_is_sent_from_a_full_disk(
    #[values(OperationKind::Batch, OperationKind::Swap)] operation: OperationKind,
) {
    let Some(cramped) = Cramped::new(Vec::new(), QUIET) else { return };
    let mut terminal = cramped.opens_until(Some("after-confirmed"));
    operation.fills_in(&terminal, &cramped);
    operation.reviews(&terminal);
    operation.confirms(&terminal);
    assert_eq!(terminal.ends().signal(), Some("Killed"));
    let terminal = cramped.opens();
    terminal.waits_for("base-ops");
    terminal.types("4");
    terminal.waits_for("not sent yet");
    cramped.disk.fill();
    terminal.types("gS");
    terminal.waits_for("Type “send” to send it");
    terminal.types("send\r");
    terminal.waits_for("not sent: no room left on the disk of the journal");
    assert_eq!((cramped.business.tap.changes(), cramped.orders()[0].attempts.len()), (Vec::new(), 0));
    cramped.disk.empty();
    terminal.types("S");
    terminal.waits_for("Type “send” to send it");
    terminal.types("send\r");
    waits_for_acceptance(&terminal);
    let order = is_on_record(&cramped);
    cramped.shows_its_end(&order, terminal);
}

#[rstest]
fn what_came_of_anything_else_is_recorded_when_there_is_room(
    #[values(OperationKind::Batch, OperationKind::Swap)] operation: OperationKind,
) {
    let late = Fault::Delayed(Duration::from_secs(3)).on_changes();
    let Some(cramped) = Cramped::new(vec![late, Fault::RowsHidden.on_reads()], QUIET) else { return };
    let terminal = cramped.opens();
    operation.fills_in(&terminal, &cramped);
    operation.reviews(&terminal);
    operation.confirms(&terminal);
    waits_until("it is executed", || cramped.business.execution_total() > 0);
    cramped.disk.fill();
    terminal.waits_for("could not be recorded (no room left on the disk");
    assert!(is_on_record(&cramped).attempts[0].answer.is_none());
    cramped.disk.empty();
    cramped.business.runtime.block_on(cramped.business.service().set_faults(Vec::new()));
    // The console kept it, and tries again.
    let order = waits_for_the_answer_on_record(&cramped);
    waits_for_acceptance(&terminal);
    cramped.shows_its_end(&order, terminal);
}
