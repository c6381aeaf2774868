//! Batches as their user has them: a file, a list, a review of every recipient, one payment.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use bursar::domain::{Draft, Policy};
use bursar::service::{FailurePolicy, Fault};
use insta::assert_snapshot;
use tempfile::TempDir;

use super::crashes::{Business, confirms_a_batch};
use super::harness::{Session, Setup};

const MINUTE: Duration = Duration::from_mins(1);
const ARMING: Duration = Duration::from_secs(1);

/// Strangers on an EVM chain, in small letters, which have no checksum.
pub(super) fn stranger(number: u64) -> String {
    let mixed = number.wrapping_add(7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let more = mixed.rotate_left(31).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ mixed;
    let last = u32::try_from(more.rotate_left(13).wrapping_mul(0x94d0_49bb_1331_11eb) >> 32).unwrap();
    format!("0x{mixed:016x}{more:016x}{last:08x}")
}

/// A file of so many strangers, each of whom gets as much.
pub(super) fn file_of(count: u64, amount: &str) -> (TempDir, PathBuf) {
    let mut text = "address,amount,label\n".to_owned();
    for number in 0..count {
        writeln!(text, "{},{amount},Crew {number}", stranger(number)).unwrap();
    }
    write_file(&text)
}

/// A file with this text.
fn write_file(text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pay.csv");
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

/// Fills in a batch from a wallet, up to the list of its recipients.
pub(super) fn fills_in(session: &mut Session, path: &std::path::Path) {
    session.keys("1 b");
    session.sees("Clear form");
    session.keys("'base-ops' Enter 'USDC' Enter Enter");
    session.pastes(path.to_str().unwrap());
    session.keys("Tab");
}

/// Types what the review asks for, and sends.
fn confirms(session: &mut Session) {
    session.passes(ARMING);
    for text in session.expected_entries() {
        session.types(&text);
        session.keys("Enter");
    }
}

fn session(size: (u16, u16)) -> Session {
    Session::with(Setup { size, poll_period: MINUTE, change_time_out: Duration::from_secs(2), ..Setup::default() })
}

#[test]
fn two_hundred_are_paid_from_a_file_with_only_the_screen_to_go_by() {
    let (_folder, path) = file_of(200, "0.25");
    let mut session = session((80, 24));
    let tap = session.service().record_requests();
    fills_in(&mut session, &path);
    session.sees("200 recipients · 50 USDC");
    session.sees("line 2 · Crew 0: The address is written in one letter case");
    session.keys("Tab Enter");
    session.sees("Review · Batch");
    session.sees("200 recipients, never paid before");
    session.sees("the total, in digits");
    session.sees("the number of recipients");
    // Every recipient stands there in full, with its line.
    let mut text = String::new();
    let mut page = String::new();
    while page != session.screen() {
        page = session.screen();
        text.push_str(&page);
        session.keys("PgDn");
    }
    for number in [0, 1, 99, 198, 199] {
        let address = bursar::domain::address::format_grouped(&stranger(number));
        assert!(text.contains(&address), "{address}");
        assert!(text.contains(&format!("line {} · Crew {number}", number + 2)), "{number}");
    }
    assert!(text.contains("All 200 recipients: The address is written in one letter case"));
    assert_eq!(session.expected_entries()[..2], ["50".to_owned(), "200".to_owned()]);
    confirms(&mut session);
    let order = session.order();
    order.is("accepted", "the service accepted it");
    assert_eq!(order.intent.recipient_count(), 200);
    session.passes(2 * MINUTE);
    let order = session.order();
    order.is("settled", "the chain took it");
    assert_eq!(order.executions, 1);
    session.sees("×200");
    session.opens_order();
    let mut text = String::new();
    for _ in 0..40 {
        text.push_str(&session.screen());
        session.keys("PgDn");
    }
    assert!(text.contains("200 recipients") && text.contains("Recipients"));
    for number in [0, 199] {
        assert!(text.contains(&bursar::domain::address::format_grouped(&stranger(number))), "{number}");
    }
    assert_eq!(tap.changes().len(), 1);
    let Draft::Batch(batch) = &order.intent.drafted.draft else { panic!("no batch") };
    assert_eq!(batch.file.as_ref().unwrap().name.as_str(), "pay.csv");
    assert!(batch.to.iter().zip(2..).all(|(to, line)| to.line == Some(line)));
}

#[test]
fn nothing_is_sent_while_a_row_fails_and_a_row_is_put_right_where_it_stands() {
    let text =
        format!("address,amount,label\n{},1,Ada\n{},1,Bob\n{},1,Cy\n", stranger(1), &stranger(2)[..41], stranger(3));
    let (_folder, path) = write_file(&text);
    let mut session = session((120, 36));
    fills_in(&mut session, &path);
    session.sees("3 recipients · 1 fail · the others 2 USDC");
    session.keys("f");
    session.sees("line 3 · Bob: an EVM address has 40 digits");
    session.keys("Tab Enter");
    session.sees("1 row fails: correct or remove every failed row before you send");
    assert_eq!(session.recorded_orders().len(), 0);
    // Its address is typed anew, and the rest stays as it is.
    session.keys("f Enter C-u");
    session.types(&stranger(2));
    session.keys("Enter Enter Enter");
    session.sees_no("1 fail");
    // One more by hand, and one less.
    session.keys("a");
    session.types(&stranger(9));
    session.keys("Enter '2.5' Enter 'Dee' Enter");
    session.sees("4 recipients · 5.5 USDC");
    session.keys("g x");
    session.sees("3 recipients · 4.5 USDC");
    session.keys("Tab Enter");
    session.sees("Review · Batch");
    assert_eq!(session.expected_entries()[..2], ["4.5".to_owned(), "3".to_owned()]);
    // Back in the form the list is as it was; closed, it is kept.
    session.keys("Esc Esc");
    session.keys("b");
    session.sees("draft restored");
    session.sees("3 recipients · 4.5 USDC");
}

#[test]
fn a_file_that_cannot_be_read_leaves_no_rows_of_another_and_is_put_right_in_its_field() {
    let (folder, path) = file_of(2, "1");
    let mut session = session((80, 24));
    fills_in(&mut session, &path);
    session.sees("2 recipients · 2 USDC");
    session.keys("BackTab C-u");
    session.pastes(folder.path().join("nowhere.csv").to_str().unwrap());
    session.keys("Tab");
    session.sees("✗ ");
    session.sees("no recipients yet");
    session.sees_no("2 recipients");
    // The cursor stands in the field again, and the right path is read from there.
    session.keys("C-u");
    session.pastes(path.to_str().unwrap());
    session.keys("Tab");
    session.sees("2 recipients · 2 USDC");
    // Rows that were typed stay, whatever file cannot be read; and nothing is paid while one is named.
    session.keys("g x a");
    session.types(&stranger(9));
    session.keys("Enter '3' Enter Enter BackTab C-u");
    session.pastes(folder.path().join("nowhere.csv").to_str().unwrap());
    session.keys("Tab");
    session.sees("2 recipients · 4 USDC");
    session.keys("Tab Tab Enter");
    session.sees_no("Review · Batch");
    assert_eq!(session.recorded_orders().len(), 0);
}

#[test]
fn a_row_is_checked_while_it_is_typed_and_stands_under_one_number() {
    let (_folder, path) = file_of(2, "1");
    let mut session = session((80, 24));
    fills_in(&mut session, &path);
    session.keys("j Enter");
    session.sees("Editing line 3");
    session.keys("C-u");
    session.types(&stranger(5)[..41]);
    session.keys("Enter");
    session.sees("✗ an EVM address has 40 digits after 0x, this one has 39");
    session.keys("C-u");
    session.types(&stranger(5));
    session.keys("Enter C-u '1,5' Enter");
    session.sees("✗ ");
    session.keys("C-u '1.5' Enter Enter");
    session.sees("2 recipients · 2.5 USDC");
    // One that is added has no line: its number is that of the list, and marked.
    session.keys("a");
    session.types(&stranger(6)[..41]);
    session.keys("Esc a");
    session.types(&stranger(6));
    session.keys("Enter '1' Enter Enter G Up");
    session.sees("  +3  0x");
    session.sees("row 3");
    session.sees("3 recipients · 3.5 USDC · 3 new · all without checksum");
}

#[test]
fn a_paste_of_several_lines_into_a_withdrawal_offers_a_batch() {
    let mut session = session((120, 36));
    session.keys("1 w 'base-ops' Enter 'USDC' Enter");
    session.pastes(&format!("{}\t1\n{}\t2\n", stranger(1), stranger(2)));
    session.sees("2 lines");
    session.sees("Enter makes a batch of them");
    session.keys("Esc");
    session.sees_no("Enter makes a batch of them");
    session.pastes(&format!("{}\t1\n{}\t2\n", stranger(1), stranger(2)));
    session.keys("Enter");
    session.sees("Batch: pay several recipients");
    session.sees("2 recipients · 3 USDC");
}

/// What a row says of its token is compared with the one that is chosen, also where that is chosen after the file was read.
#[test]
fn a_file_of_one_token_does_not_pay_another_that_is_chosen_later() {
    let (_folder, path) = write_file(&format!("address,amount,token\n{},0.001,USDC\n", stranger(1)));
    let mut session = session((120, 36));
    fills_in(&mut session, &path);
    session.sees("1 recipient · 0.001 USDC");
    session.keys("BackTab BackTab BackTab BackTab C-u 'ETH' Enter Enter Enter");
    session.sees("1 fail");
    session.sees("this row is for USDC; the batch pays ETH");
    // Looked at and left, it is still wrong.
    session.keys("Enter Enter Enter Enter Tab Enter");
    session.sees("1 row fails: correct or remove every failed row before you send");
    assert_eq!(session.recorded_orders().len(), 0);
    session.keys("BackTab BackTab BackTab BackTab C-u 'USDC' Enter Enter Enter");
    session.sees("1 recipient · 0.001 USDC");
    session.sees_no("1 fail");
}

#[test]
fn five_thousand_rows_are_judged_and_are_to_be_split_by_people() {
    let (_folder, path) = file_of(5_000, "0.001");
    let mut session = session((80, 24));
    fills_in(&mut session, &path);
    session.sees("5000 recipients");
    session.sees("a batch may have 200 at most");
    session.keys("G Up");
    session.sees("line 5001 · Crew 4999");
    session.keys("Tab Enter");
    session.sees("into 25 or more");
    assert_eq!(session.recorded_orders().len(), 0);
    session.allows(Policy { batch_recipients: Some(3), ..Policy::default() });
    let (_folder, path) = file_of(4, "1");
    fills_in(&mut session, &path);
    session.sees("have 3 at most (batch_recipients of the profile)");
}

#[test]
fn the_same_file_again_is_a_danger_and_so_is_each_of_its_payments() {
    let (_folder, path) = file_of(3, "1");
    let mut session = session((120, 36));
    fills_in(&mut session, &path);
    session.keys("Tab Enter");
    confirms(&mut session);
    session.passes(2 * MINUTE);
    session.order().is("settled", "the first time");
    fills_in(&mut session, &path);
    session.sees("3 danger");
    session.keys("Tab Enter");
    session.sees("The same file (pay.csv) was paid once before (settled)");
    let prompts = session.expected_entries();
    assert!(prompts.contains(&"same file again".to_owned()), "{prompts:?}");
    assert_eq!(prompts.iter().filter(|text| *text == "pay again").count(), 1, "{prompts:?}");
    // A batch of others that pays one of them as much is noticed, too.
    session.keys("Esc Esc");
    let (_folder, path) = write_file(&format!("address,amount\n{},1\n{},7\n", stranger(1), stranger(8)));
    session.keys("b Tab Tab Tab C-u");
    session.pastes(path.to_str().unwrap());
    session.keys("Tab");
    session.sees("1 danger");
}

/// A file is remembered for good: who pays by it each week has it written each week.
#[test]
fn the_same_file_a_week_later_is_a_danger_and_its_payment_is_shown() {
    let (_folder, path) = file_of(3, "1");
    let hour = Duration::from_hours(1);
    let mut session = Session::with(Setup { size: (120, 36), poll_period: hour, ..Setup::default() });
    fills_in(&mut session, &path);
    session.keys("Tab Enter");
    confirms(&mut session);
    session.passes(24 * 7 * hour);
    session.order().is("settled", "the first time");
    fills_in(&mut session, &path);
    session.keys("Tab Enter");
    session.sees("The same file (pay.csv) was paid once before (settled). This would pay the whole file again.");
    session.sees("2026-");
    session.sees("3 USDC, settled");
    let prompts = session.expected_entries();
    assert!(prompts.contains(&"same file again".to_owned()), "{prompts:?}");
    // None of its payments is of the last day.
    assert!(!prompts.contains(&"pay again".to_owned()), "{prompts:?}");
}

#[test]
fn an_answer_that_does_not_come_is_found_by_its_key_and_paid_once() {
    let (_folder, path) = file_of(5, "1");
    let mut session = session((120, 36));
    let tap = session.service().record_requests();
    fills_in(&mut session, &path);
    session.keys("Tab Enter");
    session.faults(vec![Fault::ConnectionCut.on_changes(), Fault::RowsHidden.on_reads().lasting(20 * MINUTE)]);
    confirms(&mut session);
    session.order().is("unknown", "no answer came");
    session.opens_order();
    session.sees("We do not know whether this batch was made.");
    session.passes(5 * MINUTE);
    let order = session.order();
    let bodies: Vec<_> = tap.changes().into_iter().map(|request| request.body).collect();
    assert!(bodies.len() > 1, "it is sent again by itself");
    assert!(bodies.iter().all(|body| body == order.intent.drafted.request.body.as_bytes()));
    session.passes(20 * MINUTE);
    let order = session.order();
    order.is("settled", "the history shows it under its key");
    assert_eq!(order.executions, 1);
}

#[test]
fn what_its_chain_lets_fail_is_told_as_failed() {
    let (_folder, path) = file_of(5, "1");
    let mut session = session((120, 36));
    session.service().set_failure_policy(FailurePolicy::Always);
    fills_in(&mut session, &path);
    session.keys("Tab Enter");
    confirms(&mut session);
    session.passes(16 * MINUTE);
    session.order().is("failed", "its chain did not take it, as three reads over ten minutes say");
}

#[test]
fn an_order_of_a_batch_that_is_unresolved_keeps_its_recipients_from_being_paid_again() {
    let (_folder, path) = file_of(3, "1");
    let mut session = session((120, 36));
    fills_in(&mut session, &path);
    session.keys("Tab Enter");
    session.faults(vec![Fault::ConnectionCut.on_changes(), Fault::RowsHidden.on_reads()]);
    confirms(&mut session);
    session.order().is("unknown", "no answer came");
    session.reviews("base-ops", "USDC", "1", &stranger(1));
    session.sees("An equal payment is unresolved and may have been made");
    session.sees("STOP");
}

/// A service may tell of each recipient by a row of its own, and each may fare otherwise.
#[test]
fn where_the_service_tells_recipients_apart_each_has_a_state_of_its_own() {
    for (failed, word) in [(0, "settled"), (2, "partly paid"), (5, "failed")] {
        let (_folder, path) = file_of(5, "1");
        let mut session = session((120, 36));
        fills_in(&mut session, &path);
        session.keys("Tab Enter");
        session.faults(vec![Fault::RowsSplit { failed }.on_reads()]);
        confirms(&mut session);
        session.order().is("accepted", "the service accepted it");
        session.passes(16 * MINUTE);
        let order = session.order();
        order.is(word, "as each of its rows says");
        assert_eq!((order.executions, order.intent.recipient_reports().len()), (1, 5));
        assert!(order.intent.differences().is_empty(), "{}", order.status_text);
        session.opens_order();
        session.sees("Crew 4 · ");
        if failed == 2 {
            session.sees("Partly paid: of 5 recipients the service reports 2 “failed”, 3 “success”.");
            session.sees("1 USDC · Crew 0 · success");
            session.sees("1 USDC · Crew 4 · failed");
            // Who got nothing is not offered as somebody who was paid before.
            session.keys("Esc Esc 1 w 'base-ops' Enter 'USDC' Enter");
            let screen = session.screen();
            for (number, is_offered) in [(0, true), (2, true), (3, false), (4, false)] {
                let name = bursar::domain::shorten_address(&stranger(number));
                assert_eq!(screen.contains(&name), is_offered, "{name} on\n{screen}");
            }
            // Who got nothing may be paid anew; who was paid is told as paid.
            session.keys("Esc");
            session.reviews_batch("base-ops", "USDC", &[(&stranger(0), "1"), (&stranger(4), "1")]);
            let prompts = session.expected_entries();
            assert!(prompts.contains(&"pay again".to_owned()), "{prompts:?}");
            let (findings, _) = session.judgement().unwrap();
            let warnings = findings.iter().filter(|finding| finding.override_phrase == Some("pay again"));
            let messages: Vec<&str> = warnings.map(|finding| finding.message.as_str()).collect();
            assert!(messages.len() == 1 && messages[0].starts_with("Row 1: "), "{messages:?}");
            session.keys("Esc Esc");
        }
        // The next start says the same.
        session.restarts();
        session.connect();
        assert!(session.orders().iter().any(|order| order.status == word), "after a restart");
    }
}

/// Two hundred recipients in a real terminal of the smallest usual size, from the file to the end.
#[test]
fn two_hundred_are_paid_in_a_real_terminal() {
    let business = Business::new(Vec::new());
    let terminal = business.opens(None);
    confirms_a_batch(&terminal, business.folder.path(), 200).expect("the program ended");
    terminal.waits_for("×200");
    terminal.waits_for("settled");
    let orders = business.orders();
    assert_eq!((orders.len(), business.executions(&orders[0])), (1, 1));
    assert_eq!(orders[0].recipient_count(), 200);
    terminal.types("\r");
    terminal.waits_for("Batch");
    // A page down each recipient stands with its label.
    terminal.types("\x1b[6~");
    terminal.waits_for("0.25 USDC · Crew 2");
    // What follows an Esc at once would be a key with Alt.
    terminal.types("\x1b");
    terminal.waits_for("×200");
    business.is_left(terminal);
}

/// The screen with what differs from run to run masked.
fn masked_screen(session: &Session) -> String {
    let mut screen = session.screen_below_tabs().replace(session.service().base_url(), "http://127.0.0.1");
    for order in session.recorded_orders() {
        let key = order.drafted.request.key.map(|key| key.to_string()).unwrap_or_default();
        let reference = order.drafted.draft.payment_details().and_then(|pays| pays.ref_id.map(ToString::to_string));
        for secret in [Some(key), reference].into_iter().flatten() {
            screen = screen.replace(&secret, &"x".repeat(secret.len()));
        }
    }
    screen
}

#[test]
fn the_form_and_the_review_of_a_batch_at_each_size() {
    let text = format!(
        "receiver,value,label\n{},1250.5,Ada\n{},1,Bob\n{},3,\n0x52908400098527886E0F7030069857D2E4169EE7,4,Cy\n",
        stranger(1),
        &stranger(2)[..41],
        stranger(3)
    );
    for size in [(80, 24), (120, 36), (200, 60)] {
        let (_folder, path) = write_file(&text);
        let name = |screen: &str| format!("{screen}-{}x{}", size.0, size.1);
        let mut session = session(size);
        session.keys("1 b");
        assert_snapshot!(name("batch-empty"), masked_screen(&session));
        session.keys("Esc");
        fills_in(&mut session, &path);
        session.keys("f");
        assert_snapshot!(name("batch-rows"), masked_screen(&session));
        session.keys("Enter");
        assert_snapshot!(name("batch-editing"), masked_screen(&session));
        session.keys("C-u");
        session.types(&stranger(2));
        session.keys("Enter Enter Enter Tab Enter");
        session.passes(ARMING);
        assert_snapshot!(name("batch-review"), masked_screen(&session));
        session.keys("PgDn");
        assert_snapshot!(name("batch-review-list"), masked_screen(&session));
    }
}
