//! Each kind of thing that needs a person, from what causes it to its end: since when, what it is about, what to do, and
//! the rows behind it.

use std::time::Duration;

use bursar::domain::address::ShortAddresses;
use bursar::domain::entry_source::EntrySource;
use bursar::domain::history::Scope;
use bursar::domain::order::OrderEnd;
use bursar::domain::{Direction, FinalStatuses, Network, Text, Timestamp, Wallet, WalletId};
use bursar::service::ledger::{DepositToken, IdSource, NewWithdrawal};
use bursar::service::{FailurePolicy, Fault, PaymentField};
use rstest::rstest;

use super::guard_rules::rare_cases::gives;
use super::guard_rules::wallet;
use super::harness::{Session, Setup};

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_mins(1);
const STRANGER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
const OTHER: &str = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";
const THIRD: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

fn session() -> Session {
    session_of(400)
}

fn session_of(transactions: u64) -> Session {
    Session::with(Setup {
        size: (160, 48),
        transactions,
        poll_period: MINUTE,
        change_time_out: 2 * SECOND,
        with_valuation: false,
        ..Setup::default()
    })
}

/// Pays a stranger 25 USDC.
fn pays(session: &mut Session) {
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.confirms();
    session.keys("Esc Esc Esc Esc");
}

/// The row of a kind on the page, which is selected now.
#[track_caller]
fn select(session: &mut Session, kind: &str) -> String {
    session.keys("! g");
    session.sees(kind);
    for _ in 0..60 {
        let row = session.line("▌");
        if row.contains(kind) {
            return row;
        }
        session.keys("j");
    }
    panic!("no row of “{kind}” on\n{}", session.screen());
}

/// Whether the list has a kind.
fn is_listed(session: &mut Session, kind: &str) -> bool {
    session.keys("! g");
    session.screen().contains(kind)
}

#[test]
fn a_payment_that_failed_opens_its_row_and_says_not_to_pay_at_once() {
    let mut session = session();
    session.service().set_failure_policy(FailurePolicy::Always);
    pays(&mut session);
    session.passes(15 * MINUTE);
    let row = select(&mut session, "payment failed");
    assert!(row.contains("out 25 USDC on Base to"), "{row}");
    session.sees("Pay again only once the recipient confirms that nothing came");
    session.keys("Enter");
    session.sees("─ Transactions");
    session.sees("id:");
    session.sees("failed");
}

#[test]
fn a_payment_that_is_pending_for_longer_than_usual_is_stuck_until_it_settles() {
    let mut session = session();
    session.faults(vec![Fault::StatusReplaced { status: "pending", confirmed: false }.on_reads()]);
    pays(&mut session);
    session.passes(5 * MINUTE);
    assert!(!is_listed(&mut session, "payment stuck"), "{}", session.screen());
    session.passes(180 * MINUTE);
    let row = select(&mut session, "payment stuck");
    assert!(row.contains("USDC on Base") && row.contains("pending"), "{row}");
    session.sees("Do not pay again. Look it up in the explorer");
    session.faults(Vec::new());
    session.passes(15 * MINUTE);
    assert!(!is_listed(&mut session, "payment stuck"), "{}", session.screen());
}

#[test]
fn an_order_whose_outcome_nobody_knows_opens_and_is_over_once_it_is_found() {
    let mut session = session();
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.faults(vec![Fault::ConnectionCut.on_changes(), Fault::RowsHidden.on_reads().lasting(5 * MINUTE)]);
    session.confirms();
    session.keys("Esc Esc Esc Esc");
    let row = select(&mut session, "order unresolved");
    assert!(row.contains("withdrawal of 25 USDC"), "{row}");
    session.sees("Do not pay again. Open the order");
    session.keys("Enter");
    session.sees("We do not know whether this payment was made.");
    session.keys("Esc");
    session.faults(Vec::new());
    session.passes(10 * MINUTE);
    assert!(!is_listed(&mut session, "order unresolved"), "{}", session.screen());
}

#[test]
fn an_order_that_was_not_sent_opens_and_is_over_once_it_is_given_up() {
    let mut session = session();
    session.reviews("base-ops", "USDC", "2500", STRANGER);
    session.faults(vec![Fault::Down.always()]);
    session.confirms();
    session.keys("Esc Esc Esc Esc");
    let row = select(&mut session, "order not sent");
    assert!(row.contains("withdrawal of 2,500 USDC"), "{row}");
    session.sees("Open the order: send it, or give it up");
    session.keys("Enter");
    session.sees("Nothing has left this machine");
    session.faults(Vec::new());
    session.passes(2 * MINUTE);
    session
        .till()
        .opens()
        .journal
        .record_end(session.order().intent.id, OrderEnd::Abandoned(Some("by hand".into())), session.now())
        .unwrap();
    session.passes(2 * MINUTE);
    session.keys("Esc");
    assert!(!is_listed(&mut session, "order not sent"), "{}", session.screen());
}

#[test]
fn an_order_that_the_history_contradicts_stands_though_it_is_accepted() {
    let mut session = session();
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.faults(vec![
        Fault::ConnectionCut.on_changes(),
        Fault::RowsReportOtherPayment(PaymentField::Direction).on_reads(),
    ]);
    session.confirms();
    session.keys("Esc Esc Esc Esc");
    session.passes(5 * MINUTE);
    let row = select(&mut session, "order contradicted");
    assert!(row.contains("the request says outgoing, the history incoming"), "{row}");
    session.keys("Enter");
    session.sees("Alarm: direction");
}

/// An address that somebody was paid at, and one made to be mistaken for it.
fn imitated_address(session: &Session) -> String {
    let rows = session.store().newest_outgoing_rows(5_000).unwrap().outgoing;
    let payee = rows.iter().map(|(_, row)| row).find(|row| {
        let is_evm = row.to_address.as_ref().is_some_and(|to| to.starts_with("0x") && to.len() == 42);
        row.direction == Direction::Outgoing && is_evm && row.is_final(&FinalStatuses::default())
    });
    let payee = payee.unwrap().to_address.clone().unwrap().to_lowercase();
    format!("{}{}{}", &payee[..6], "0123456789abcdef0123456789abcdef", &payee[38..])
}

#[test]
fn dust_and_a_look_alike_are_told_apart_and_neither_is_to_be_copied() {
    let mut session = session();
    session.passes(2 * MINUTE);
    let (ops, _) = wallet(&session, |name, _| name == "base-ops");
    let forged_address = imitated_address(&session);
    gives(&session, ops, DepositToken::Listed("USDC".into()), 3, STRANGER);
    gives(&session, ops, DepositToken::Listed("USDC".into()), 2, &forged_address);
    session.passes(5 * MINUTE);
    let row = select(&mut session, "look-alike address");
    assert!(row.to_lowercase().contains(&forged_address) && row.contains("resembles"), "in full: {row}");
    session.sees("Never copy this address");
    session.keys("Enter");
    session.sees("─ Transactions");
    session.sees("0.000002");
    let row = select(&mut session, "? dust");
    assert!(row.contains("less than 0.0001"), "{row}");
    session.sees("Never copy an address from these rows");
    session.keys("Enter");
    session.sees("0.000003");
}

/// A payment that no console made.
fn withdraws_elsewhere(session: &Session, wallet: uuid::Uuid, amount: &str, to: &str) {
    let ledger = session.service().ledger();
    let workspace_number = ledger.workspaces().unwrap()[0].number;
    let new = NewWithdrawal {
        wallet,
        token: "USDC".into(),
        blockchain: "base".into(),
        address: to.into(),
        amount: amount.into(),
        ref_id: None,
        note: None,
        key: None,
    };
    ledger
        .execute_in_workspace(workspace_number, session.now(), IdSource::Random, move |books| books.withdraw(&new))
        .unwrap();
}

#[test]
fn a_movement_far_beyond_the_usual_and_a_first_payment_that_nobody_approved_here_are_shown() {
    let mut session = session_of(4_000);
    let (ops, _) = wallet(&session, |name, _| name == "base-ops");
    gives(&session, ops, DepositToken::Listed("USDC".into()), 90_000_000_000_000, STRANGER);
    session.passes(5 * MINUTE);
    let row = select(&mut session, "unusually large");
    assert!(row.contains("in 90,000,000 USDC on Base") && row.contains("the median of"), "{row}");
    session.sees("Make sure that somebody expected it");
    // A colleague pays with another tool: what is usual, and what is not.
    session.service().set_failure_policy(FailurePolicy::Never);
    for _ in 0..25 {
        withdraws_elsewhere(&session, ops, "10", STRANGER);
    }
    withdraws_elsewhere(&session, ops, "15", OTHER);
    session.passes(5 * MINUTE);
    let row = select(&mut session, "out 15 USDC on Base");
    assert!(row.contains("first payment") && row.contains("not in the address book"), "{row}");
    session.sees("Make sure that somebody approved the recipient");
    // What was approved here is not news.
    let count =
        |session: &Session| ["first payment", "unusually large"].map(|kind| session.screen().matches(kind).count());
    let before = count(&session);
    session.reviews("base-ops", "USDC", "234567", THIRD);
    session.confirms();
    session.keys("Esc Esc Esc Esc");
    session.passes(5 * MINUTE);
    session.keys("!");
    assert_eq!(count(&session), before, "{}", session.screen());
}

#[test]
fn a_deposit_address_that_changed_shows_both_and_is_over_once_somebody_has_looked() {
    let mut session = session();
    let wallet_entry = session.store().wallets(&Scope::All, "base-ops", 0, 1).unwrap().rows.remove(0).entry;
    let later = Wallet { address: Some(Text::from(OTHER)), ..wallet_entry };
    session.store().save_wallets(&[later], EntrySource::Listed).unwrap();
    session.keys("1 Esc Esc r");
    session.passes(5 * MINUTE);
    let row = select(&mut session, "address changed");
    assert!(row.contains("base-ops on Base"), "{row}");
    session.sees("Hand out neither address");
    session.keys("Enter");
    session.types("the first is right");
    session.keys("Enter");
    session.sees("the correct address of a wallet was recorded");
    session.keys("Esc");
    assert!(!is_listed(&mut session, "address changed"), "{}", session.screen());
}

#[test]
fn two_addresses_that_look_alike_are_told_apart_in_words_too() {
    let mut session = session();
    let forged_address = format!("{}{}{}", &OTHER[..6], "0123456789abcdef0123456789abcdef", &OTHER[38..]);
    for (wallet, later) in [("base-ops", OTHER), ("eth-main", &forged_address)] {
        let wallet_entry = session.store().wallets(&Scope::All, wallet, 0, 1).unwrap().rows.remove(0).entry;
        let later = Wallet { address: Some(Text::from(later)), ..wallet_entry };
        session.store().save_wallets(&[later], EntrySource::Listed).unwrap();
    }
    let short = ShortAddresses::new([OTHER, &forged_address]);
    session.keys("1 Esc Esc r");
    session.passes(5 * MINUTE);
    session.keys("!");
    for later in [OTHER, &forged_address] {
        session.sees(&format!("the service now reports {}", short.shorten(later)));
    }
    // The title of a wallet without a name, beside the list of both.
    let unnamed = |id: &str, address: &str| Wallet {
        address: Some(address.into()),
        ..Wallet::new(WalletId::from_text(id), "ethereum".into())
    };
    let unnamed = [unnamed("wal_one", OTHER), unnamed("wal_two", &forged_address)];
    session.store().save_wallets(&unnamed, EntrySource::Listed).unwrap();
    session.keys("1 r");
    session.passes(MINUTE);
    session.keys(&format!("Tab / '{}' Enter j", &OTHER[..6]));
    session.settle();
    session.sees(&format!("Balances · {}", short.shorten(&forged_address)));
    session.keys("j");
    session.settle();
    session.sees(&format!("Balances · {}", short.shorten(OTHER)));
}

#[test]
fn a_wrong_clock_needs_somebody_until_it_is_right() {
    let mut session = session();
    let sets = |session: &mut Session, hours: i64| {
        let now = Timestamp::from_millis(session.now().millis() + hours * 3_600_000);
        session.sets_clock(now);
        session.passes(2 * MINUTE);
    };
    sets(&mut session, 25);
    let row = select(&mut session, "clock wrong");
    assert!(row.contains("25 h ahead"), "{row}");
    session.keys("A 'ntp' Enter");
    session.keys("!");
    session.sees("✓ clock wrong");
    sets(&mut session, -25);
    assert!(!is_listed(&mut session, "clock wrong"), "{}", session.screen());
    // It is another occurrence.
    sets(&mut session, 25);
    session.keys("!");
    session.sees("! clock wrong");
}

#[test]
fn another_network_needs_somebody() {
    let mut session = Session::with(Setup { network: Some(Network::Mainnet), size: (160, 48), ..Setup::default() });
    select(&mut session, "wrong network");
    session.sees("Pay nothing. Correct the profile's environment");
    session.keys("Enter");
    session.sees("─ Events");
}

#[rstest]
#[case(Fault::KeyRejected, "API key", "Check the API key")]
#[case(Fault::Down, "no connection", "Check the network and the service's status")]
fn a_service_that_cannot_be_read_needs_somebody_until_it_answers(
    #[case] fault: Fault,
    #[case] kind: &str,
    #[case] advice: &str,
) {
    let mut session = session();
    session.fault(fault);
    session.passes(5 * MINUTE);
    select(&mut session, kind);
    session.sees(advice);
    session.fault(Fault::None);
    session.keys("r");
    session.passes(10 * MINUTE);
    assert!(!is_listed(&mut session, kind), "{}", session.screen());
}

/// What a note holds is somebody's words, and what a token is called is a stranger's: neither is more than text.
#[test]
fn hostile_text_in_a_note_is_text() {
    let mut session = session();
    let (ops, _) = wallet(&session, |name, _| name == "base-ops");
    gives(&session, ops, DepositToken::Listed("USDC".into()), 3, STRANGER);
    session.passes(5 * MINUTE);
    select(&mut session, "? dust");
    session.keys("A");
    session.pastes("\u{1b}]52;c;ZXZpbA==\u{7}\u{1b}[2J\u{202e}evil\r\n\u{0}'; drop table records --");
    session.keys("Enter");
    session.passes(MINUTE);
    let note_is_shown = |session: &Session| {
        let screen = session.screen();
        let clean = |c: char| c == '\n' || !(c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c));
        assert!(screen.chars().all(clean), "{screen:?}");
        assert!(screen.contains("drop table records --"), "{screen}");
    };
    select(&mut session, "✓ dust");
    note_is_shown(&session);
    session.restarts();
    session.connect();
    session.passes(5 * MINUTE);
    select(&mut session, "✓ dust");
    note_is_shown(&session);
    // A second press withdraws it.
    session.keys("A");
    session.sees("it needs somebody again");
    session.sees("? dust");
    // A note has an end.
    session.keys("A");
    session.pastes(&"long ".repeat(10_000));
    session.keys("Enter");
    select(&mut session, "✓ dust");
}
