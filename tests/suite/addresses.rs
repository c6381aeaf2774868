//! What a profile did is remembered when its base address changes: the guard counts it, the question is asked, and nothing
//! is paid twice.

use std::time::Duration;

use bursar::domain::Amount;
use bursar::domain::order::OrderState;
use bursar::domain::policy::{Limit, OverLimit};
use bursar::guard::{Rule, Severity};
use bursar::service::Fault;

use super::harness::{Session, Setup};
use super::policy::{enters, findings, limit, limits};

const TO: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
const OTHER: &str = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";
const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_mins(1);

fn session() -> Session {
    Session::with(Setup {
        size: (160, 50),
        with_lists: true,
        lively: true,
        poll_period: 10 * SECOND,
        ..Setup::default()
    })
}

/// Pays, and never hears what became of it: the service executes and hangs up, and its history lags.
fn pays_into_the_unknown(session: &mut Session) {
    session.faults(vec![Fault::ConnectionCut.on_changes(), Fault::HistoryLags.on_reads()]);
    session.reviews("base-ops", "USDC", "61", TO);
    session.confirms();
    session.passes(30 * SECOND);
    session.keys("Esc Esc Esc");
    let order = session.order();
    assert_eq!((order.status, order.executions), ("unknown", 1), "{}", order.status_text);
}

/// Fails unless an equal payment cannot be sent, whatever is typed.
#[track_caller]
fn an_equal_payment_is_stopped(session: &mut Session) {
    let change_count = session.service().record_requests().changes().len();
    session.reviews("base-ops", "USDC", "61", TO);
    let findings = findings(session, Rule::Duplicate);
    assert_eq!(findings.first().map(|finding| finding.severity), Some(Severity::Stop), "{}", session.screen());
    session.passes(2 * SECOND);
    for text in session.expected_entries() {
        session.types(&text);
        session.keys("Enter");
    }
    session.keys("Enter Enter");
    assert_eq!(session.service().record_requests().changes().len(), change_count, "it was sent");
    session.keys("Esc Esc Esc Esc");
    assert!(session.review().is_none(), "{}", session.screen());
}

#[test]
fn another_spelling_of_the_base_address_does_not_pay_an_unresolved_order_twice() {
    let mut session = session();
    pays_into_the_unknown(&mut session);
    let old = session.address();

    session.is_given_address(&old.replace("127.0.0.1", "localhost"));
    session.sees("Is this the same service?");
    session.sees("unknown: 61 USDC to");
    session.keys("Esc");
    session.sees(&format!("Same service as at {old}? page 4 asks this"));
    session.keys("4");
    session.sees("Is this the same service?");
    session.keys("Esc");
    let order = session.order();
    assert!(order.status_text.contains("Confirm first whether it is the same service"), "{}", order.status_text);
    // Nothing of it is sent from here, whatever is pressed.
    let change_count = session.service().record_requests().changes().len();
    session.keys("j S");
    session.sees(&format!("this order belongs to {old}"));
    assert_eq!(session.service().record_requests().changes().len(), change_count);
    an_equal_payment_is_stopped(&mut session);

    // Once it is said to be the same service, what its history tells of the order is believed.
    session.keys("4");
    session.types("perhaps");
    session.keys("Enter");
    session.sees("type “same” or “another”");
    session.keys("Esc 4");
    session.types("same");
    session.keys("Enter");
    session.sees_no("ame service");
    an_equal_payment_is_stopped(&mut session);
    session.keys("4");
    session.sees_no("Is this the same service?");
    session.faults(Vec::new());
    session.passes(3 * MINUTE);
    let order = session
        .all_orders()
        .into_iter()
        .find(|report| report.intent.state(session.now()) != OrderState::Abandoned)
        .unwrap();
    assert_eq!((order.status, order.executions), ("settled", 1), "{}", order.status_text);
    let executions: usize = session.all_orders().iter().map(|report| report.executions).sum();
    assert_eq!(executions, 1, "one payment, one execution");
}

#[test]
fn what_is_said_to_be_another_service_goes_on_standing_against_the_recipient_of_an_unresolved_order() {
    let mut session = session();
    pays_into_the_unknown(&mut session);
    let old = session.address();
    session.is_given_address(&old.replace("127.0.0.1", "localhost"));
    session.types("another");
    session.keys("Enter");
    session.sees_no("ame service");
    let order = session.order();
    assert!(order.status_text.contains("An operator declared it another service"), "{}", order.status_text);
    an_equal_payment_is_stopped(&mut session);
    // After a restart nobody is asked again.
    session.restarts();
    session.connect();
    session.sees_no("Is this the same service?");
    an_equal_payment_is_stopped(&mut session);
}

/// What left within a day is counted, who was paid is known, and the address book is the profile's, until another service is
/// behind the address.
#[test]
fn limits_recipients_and_the_address_book_outlive_the_base_address() {
    let mut session = session();
    let per_day = Some(Amount::parse("100", 6).unwrap());
    session.allows(limits(Limit { per_day, ..limit(OverLimit::Stop) }));
    enters(&session, "Norrland", OTHER, 30);
    // The history tells nothing of it, here or there.
    session.faults(vec![Fault::HistoryLags.on_reads()]);
    session.reviews("base-ops", "USDC", "61", TO);
    session.confirms();
    session.keys("Esc Esc Esc");
    session.order().is("accepted", "the service accepted it");

    let remembers = |session: &mut Session| {
        let book = session.book_changes().len();
        session.reviews("base-ops", "USDC", "40", TO);
        let is_stopped = findings(session, Rule::Limits).iter().any(|finding| finding.severity == Severity::Stop);
        let is_new = session.expected_entries().iter().any(|text| text.len() == 4);
        session.keys("Esc Esc Esc Esc");
        session.passes(2 * SECOND);
        (book, is_stopped, is_new)
    };
    let before = remembers(&mut session);
    assert_eq!((before.0, before.1), (1, true));
    let old = session.address();
    session.is_given_address(&old.replace("127.0.0.1", "localhost"));
    session.keys("Esc");
    assert_eq!(remembers(&mut session), before);
    session.keys("4");
    session.types("same");
    session.keys("Enter");
    assert_eq!(remembers(&mut session), before);

    // A third address, of which is said that another service is behind it: that holds for all that are the same.
    session.is_given_address(&old.replace("127.0.0.1", "127.1"));
    session.sees("Is this the same service?");
    session.types("another");
    session.keys("Enter");
    session.sees_no("ame service");
    let memories = remembers(&mut session);
    // The book is another one; what left the very wallet that pays goes on counting, whoever serves it.
    assert_eq!((memories.0, memories.1), (0, true));
}

/// Whoever only reads is told, and asked nothing.
#[test]
fn a_console_that_only_reads_says_that_its_address_changed() {
    let mut session = session();
    pays_into_the_unknown(&mut session);
    session.is_given_address(&session.address().replace("127.0.0.1", "localhost"));
    session.only_reads_from_now_on();
    session.connect();
    session.sees_no("Is this the same service?");
    session.sees("Same service as at http://127.0.0.1");
    session.sees("A console that may pay asks this");
}

/// What was said in haste is said anew on the command line, and the last word holds.
#[test]
fn the_command_line_lists_the_addresses_of_a_profile_and_takes_the_answer() {
    let home = tempfile::tempdir().unwrap();
    let config = home.path().join(".config/bursar");
    std::fs::create_dir_all(&config).unwrap();
    let run = |base_url: &str, arguments: &[&str]| {
        let toml = format!("[profiles.harbour]\nbase_url = \"{base_url}\"\nenvironment = \"testnet\"\n");
        std::fs::write(config.join("config.toml"), toml).unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bursar"));
        let output = command.env_clear().env("HOME", home.path()).args(arguments).output().unwrap();
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        (output.status.code().unwrap(), text)
    };
    let (old, new) = ("https://old.example.com", "https://NEW.example.com:443/");
    let stranger = ["book", "add", "Norrland", OTHER, "--chain", "base"];
    let (code, output) = run(old, &stranger);
    assert_eq!(code, 0, "{output}");
    assert_eq!(run(old, &["profile", "address"]).0, 0);

    let (code, output) = run(new, &["profile", "address"]);
    assert!(code != 0 && output.contains("https://new.example.com") && output.contains(old), "{output}");
    assert!(output.contains("not answered yet"), "{output}");
    assert!(run(new, &["book", "list"]).1.contains("Norrland"));
    let (code, output) = run(new, &["profile", "address", "--same", "https://far.example.com"]);
    assert!(code == 1 && output.contains("not an earlier base address"), "{output}");
    assert_eq!(run(new, &["profile", "address", "--another", old]).0, 0);
    assert!(!run(new, &["book", "list"]).1.contains("Norrland"));
    let (code, output) = run(new, &["profile", "address", "--same", "https://old.example.com/"]);
    assert!(code == 0 && output.contains("are the same service"), "{output}");
    assert!(run(new, &["book", "list"]).1.contains("Norrland"));
}
