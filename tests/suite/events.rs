//! Watching: the Events page, the palette, and what a person is told who looked away.

use std::time::Duration;

use bursar::domain::history::Scope;
use bursar::domain::watch::{AlertChannels, Watch, WatchCondition, WatchScope};
use bursar::domain::{Amount, Network, Wallet, WebhookHints};
use bursar::runtime::effect_runner::LoopRequest;
use bursar::service::{Fault, FaultBody, RecordedRequest};
use insta::assert_snapshot;
use serde_json::json;

use super::harness::{Session, Setup};

const SECOND: Duration = Duration::from_secs(1);
const SIZES: [(u16, u16); 3] = [(80, 24), (120, 36), (200, 60)];

fn at_each_size(name: &str, prepare: impl Fn(&mut Session)) {
    for size in SIZES {
        let mut session = Session::with(Setup { size, with_valuation: false, ..Setup::default() });
        prepare(&mut session);
        assert_snapshot!(format!("{name}-{}x{}", size.0, size.1), session.screen_below_tabs());
    }
}

#[test]
fn what_happened_to_the_connection_is_told_newest_first_and_counted_until_it_is_looked_at() {
    let mut session = Session::open();
    session.sees("6 Events");
    session.sees_no("6 Events +");
    session.fault(Fault::Busy { retry_after: 2 * SECOND });
    session.passes(3 * SECOND);
    session.sees("6 Events +1");
    session.fault(Fault::None);
    session.passes(5 * SECOND);
    session.sees("6 Events +2");
    session.keys("6");
    session.sees_no("6 Events +");
    let screen = session.screen();
    let place = |text: &str| screen.find(text).unwrap_or_else(|| panic!("no “{text}” on\n{screen}"));
    assert!(place("live again: answers arrive in time") < place("rate-limited by the service"));
    assert!(place("rate-limited by the service") < place("connected: the service answers"));
    session.keys("/ 'limited' Enter");
    session.sees("rate-limited by the service");
    session.sees_no("connected:");
    session.keys("Esc");
    session.sees("connected:");
}

#[test]
fn an_order_is_told_as_it_moves_on_and_enter_opens_it() {
    let mut session = Session::open();
    session.keys("n a 'Till' Tab Enter");
    session.confirms();
    session.keys("Enter");
    session.keys("6");
    session.sees("new account Till: created");
    session.keys("/ 'till' Enter j Enter");
    session.sees("Order ");
    session.sees("Esc closes");
    session.keys("Esc");
    session.sees("/till");
    // A wide screen has the order beside its event, without keys that would do something else here.
    session.resizes(200, 60);
    session.sees("Timeline");
    session.sees_no("Actions");
}

/// A deposit at the service's own sandbox, to the wallet eth-main, there at once.
fn deposit(session: &Session, amount: &str) {
    let wallets = session.store().wallets(&bursar::domain::history::Scope::All, "eth-main", 0, 1).unwrap();
    let address = wallets.rows[0].entry.address.clone().unwrap();
    let deposit = json!({ "destination": "on_chain", "coin": "USDC", "amount": amount, "chain": "ethereum",
        "status": "success", "fromAddress": "0x52908400098527886E0F7030069857D2E4169EE7", "toAddress": address.as_str() });
    session.posts("/v1/sandbox/sub-wallet/deposit", &deposit);
}

#[test]
fn a_webhook_of_the_service_makes_the_console_read_at_once() {
    let hour = Duration::from_hours(1);
    let mut session = Session::with(Setup { webhooks: true, poll_period: hour, ..Setup::default() });
    session.passes(2 * SECOND);
    deposit(&session, "4711.25");
    session.sees_no("4,711.25");
    session.is_told();
    session.sees("+4,711.25");
    session.keys("6");
    session.sees("webhook received: wallets:deposit.success; reading now");
    session.sees_no("rejected");
}

#[test]
fn a_flood_of_hints_asks_the_service_once_a_second() {
    let mut session = Session::with(Setup { poll_period: Duration::from_hours(1), ..Setup::default() });
    session.passes(2 * SECOND);
    let tap = session.service().record_requests();
    let reads = || tap.count("GET", "/v2/transactions");
    for _ in 0..50 {
        session.hears(WebhookHints { received: 7, ..WebhookHints::default() });
    }
    let at_once = reads();
    assert!((1..=8).contains(&at_once), "{at_once} requests at once");
    session.passes(3 * SECOND);
    session.keys("6");
    session.sees("webhook received: reading now (×350)");
    assert!((at_once + 1..=2 * at_once).contains(&reads()), "{} requests after {at_once}", reads());
}

/// A watch on the USDC of the treasury on Ethereum.
fn watch(condition: WatchCondition, alert: AlertChannels) -> Watch {
    let name = None;
    let (token, chain) = (Some("USDC".into()), Some("ethereum".into()));
    Watch {
        name,
        token,
        chain,
        scope: WatchScope::Account("Treasury".into()),
        condition,
        max_age: None,
        alert,
        is_muted: false,
    }
}

fn usdc(text: &str) -> Amount {
    Amount::parse(text, 6).unwrap()
}

/// What the first account holds of USDC on Ethereum, as the store knows it.
fn treasury_usdc(session: &Session) -> Amount {
    let account = session
        .store()
        .accounts()
        .unwrap()
        .into_iter()
        .find(|account| account.entry.name.as_deref() == Some("Treasury"));
    let scope = bursar::domain::history::Scope::Account(account.unwrap().entry.id);
    let holdings = session.store().holdings(&scope).unwrap();
    let holding =
        holdings.iter().find(|holding| &*holding.symbol == "USDC" && &*holding.token.blockchain == "ethereum");
    holding.unwrap().amount.as_ref().unwrap().even_if_disputed()
}

#[test]
fn a_watch_raises_a_flag_a_row_and_a_call_once_and_is_cleared() {
    let before = treasury_usdc(&Session::open());
    let limit = before.checked_add(usdc("1000")).unwrap();
    let condition = WatchCondition::Above { limit, margin: usdc("0") };
    let mut session = Session::unsettled(Setup::default());
    session.watches(vec![watch(condition, AlertChannels { bell: true, notification: false })]);
    session.connect();
    session.passes(5 * SECOND);
    session.sees_no("watch raised");
    deposit(&session, "1000.5");
    session.passes(10 * SECOND);
    session.sees("watch raised");
    let calls = session.calls();
    assert_eq!(calls.len(), 1, "{calls:?}");
    assert!(calls[0].0.bell && calls[0].1.contains("USDC on ethereum of Treasury above"), "{calls:?}");
    session.keys("6");
    session.sees("⚑ USDC on ethereum of Treasury above");
    // It stays raised, and says nothing more.
    deposit(&session, "3");
    session.passes(10 * SECOND);
    assert_eq!(session.calls(), []);
    session.keys("1");
    session.sees("watch raised");
}

#[test]
fn a_watch_that_cannot_tell_says_so_and_raises_nothing() {
    let mut session = Session::unsettled(Setup::default());
    let below = WatchCondition::Below { limit: usdc("999999999"), margin: usdc("0") };
    let watch_of_nothing =
        Watch { scope: WatchScope::Account("Nowhere".into()), ..watch(below.clone(), AlertChannels::default()) };
    session.watches(vec![watch_of_nothing, watch(below, AlertChannels { bell: true, notification: true })]);
    session.connect();
    session.passes(5 * SECOND);
    session.sees("watch raised");
    session.passes(Duration::from_mins(2));
    session.sees("⚑?1");
    session.keys("6");
    session.sees("unavailable: USDC on ethereum of Nowhere below 999,999,999: no account called Nowhere is known");
    // The service goes away: what was raised stays so, and it is said that nobody can tell.
    assert_eq!(session.calls().len(), 1);
    session.fault(Fault::Busy { retry_after: SECOND });
    session.passes(Duration::from_mins(3));
    session.keys("1");
    session.sees("watch raised");
    session.sees("⚑?2");
    assert_eq!(session.calls(), []);
}

/// The summary has two deposits of USDC with their value, and lists them.
fn sums_and_lists_two_deposits(session: &mut Session) {
    session.sees("Since 12:03Z: 2 new");
    session.sees("+4,712 USDC");
    // By the latest prices, once they were read.
    session.passes(10 * SECOND);
    assert!(session.line("Since 12:03Z").contains("  ≈ +4,840."), "{}", session.screen());
    session.keys("u");
    session.settle();
    let head = session.line("/new:yes");
    assert!(head.trim_end().ends_with("  4 ─"), "{head}");
    assert!(session.line("Sum of ").contains("USDC +4,712"), "{}", session.screen());
}

#[test]
fn whoever_looked_away_is_told_what_changed_and_walks_it() {
    let mut session = Session::open();
    session.focus(false);
    session.passes(30 * SECOND);
    deposit(&session, "4711.25");
    deposit(&session, "0.75");
    session.passes(30 * SECOND);
    session.focus(true);
    sums_and_lists_two_deposits(&mut session);
    session.keys("]");
    session.sees("1 of ");
    session.sees("─ Transactions ─");
    let first = session.line("▌");
    assert!(first.contains("0.75"), "{first}");
    session.keys("] Enter");
    session.sees("4,711.25");
    session.keys("Esc [");
    assert!(session.line("▌").contains("0.75"));
    session.keys("Esc");
    session.sees_no("Since 12:03");
    session.keys("]");
    session.sees("nothing arrived or changed while you were away");
}

#[test]
fn a_moment_away_and_a_quiet_hour_are_not_worth_telling() {
    let minute = Duration::from_mins(1);
    let mut session = Session::with(Setup { transactions: 40, poll_period: minute, ..Setup::default() });
    session.focus(false);
    session.passes(5 * SECOND);
    deposit(&session, "4711.25");
    session.passes(2 * SECOND);
    session.focus(true);
    session.sees_no("Since ");
    // What is on its way is settled first.
    session.passes(Duration::from_mins(30));
    session.keys("j");
    session.keys("Esc Esc");
    session.focus(false);
    session.passes(Duration::from_mins(20));
    session.focus(true);
    session.passes(5 * SECOND);
    session.sees_no("Since ");
}

#[test]
fn whoever_presses_no_key_for_long_is_away_too() {
    let mut session = Session::with(Setup { poll_period: Duration::from_mins(1), ..Setup::default() });
    session.passes(Duration::from_mins(6));
    deposit(&session, "4711.25");
    session.passes(Duration::from_mins(1));
    session.sees_no("Since ");
    session.keys("2");
    session.sees("Since ");
    session.sees("+4,711.25 USDC");
    session.keys("1 Esc");
    session.sees_no("Since ");
}

#[test]
fn what_came_since_an_earlier_run_is_told_after_a_restart() {
    let mut session = Session::open();
    session.keys("2 1");
    session.restarts();
    session.passes(30 * SECOND);
    deposit(&session, "4711.25");
    deposit(&session, "0.75");
    session.connect();
    sums_and_lists_two_deposits(&mut session);
    session.keys("]");
    session.sees("1 of 4 new or changed");
    // What was looked at is not told again.
    session.keys("Esc Esc");
    session.sees_no("Since ");
    session.keys("1 2");
    session.restarts();
    session.passes(30 * SECOND);
    session.connect();
    session.sees_no("Since ");
}

#[test]
fn whoever_presses_no_key_for_long_is_away_since_the_last_one() {
    let mut session = Session::with(Setup { poll_period: Duration::from_mins(1), ..Setup::default() });
    session.passes(Duration::from_mins(2));
    deposit(&session, "20.5");
    session.passes(Duration::from_mins(2));
    session.keys("2");
    session.sees_no("Since ");
    // It comes before anybody could be taken to be away.
    deposit(&session, "4711.25");
    session.passes(Duration::from_mins(8));
    session.sees_no("Since ");
    session.keys("1");
    session.sees("Since 12:07Z: 1 new");
    session.sees("+4,711.25 USDC");
}

#[test]
fn data_of_another_network_are_an_alarm_and_nothing_can_be_paid() {
    let mut session = Session::with(Setup { network: Some(Network::Mainnet), ..Setup::default() });
    session.sees("ALARM: profile for mainnet, data from testnet");
    session.keys("w");
    session.sees("Payments are disabled here");
    session.sees_no("Clear form");
    session.keys("6");
    session.sees("console  ALARM");
}

/// The service's chains tell it as well, before there is anything to tell it by.
#[test]
fn an_empty_business_on_another_network_is_an_alarm_too() {
    let mut session = Session::with(Setup { network: Some(Network::Mainnet), sample: false, ..Setup::default() });
    session.sees("ALARM: profile for mainnet, data from testnet");
    session.keys("w");
    session.sees("Payments are disabled here");
    let session = Session::with(Setup { sample: false, ..Setup::default() });
    session.sees_no("ALARM");
}

#[test]
fn the_palette_does_what_a_key_would_and_says_why_it_cannot() {
    let mut session = Session::open();
    session.keys(": 'markets'");
    session.sees("show the Markets page");
    session.keys("Enter");
    session.sees("Pairs ·");
    session.keys(": 'order'");
    session.sees("not now: only balances, transactions, orders and the Book can be sorted");
    session.keys("Esc");
    session.sees_no("not now");
    // What cannot be done stays listed, says why when it is chosen, and leaves the palette open.
    session.keys(": 'resend' Enter");
    session.sees("orders are on page 4");
    session.sees("Palette");
    session.keys("C-u 'zzzz'");
    session.sees("“zzzz” among the transactions");
    // Under the veil nothing is searched.
    session.keys("Esc p : 'zzzz'");
    session.sees("no action has this name");
    session.keys("Esc : 'quit' Enter");
    assert_eq!(session.loop_request, Some(LoopRequest::Quit));
}

#[test]
fn the_palette_goes_where_a_command_is_used_and_leaves_the_choice_of_a_row_to_a_person() {
    let mut session = Session::with(Setup { size: (120, 36), ..Setup::default() });
    session.keys(": 'group'");
    session.sees("goes to the balances: ");
    session.keys("Enter");
    session.sees("balances: by token");
    session.keys("5 : 'group' Enter");
    session.sees("balances: by chain");
    session.sees("Accounts");
    for (query, pane, left_to_do) in [
        ("mark", "─ Transactions", "the transactions: choose a row, then press Space"),
        ("acknowledge", "─ Needs you", "what needs you: choose a row, then press A"),
        ("mute", "─ Watches", "the watches: choose a row, then press M"),
        ("'give' Blank 'up'", "─ Orders", "the orders: choose a row, then press X"),
    ] {
        let keys = if query.contains(' ') { query.to_owned() } else { format!("'{query}'") };
        session.keys(&format!("5 : {keys} Enter"));
        session.sees(pane);
        session.sees(left_to_do);
    }
    session.keys("3");
    session.sees_no("marked");
    // What sends money goes nowhere by itself.
    for keys in ["'resend'", "'pay' Blank 'rest'"] {
        session.keys(&format!("5 : {keys}"));
        session.sees("not now: orders are on page 4");
        session.keys("Enter Esc");
        session.sees("Pairs ·");
    }
}

#[test]
fn what_the_palette_does_it_does_to_what_was_open() {
    let mut session = Session::open();
    // What is copied is of the transaction that is open, and the menu closes to it again.
    session.keys("3 j Enter");
    let text = session.screen();
    session.keys(": 'copy' Enter");
    assert_ne!(session.screen(), text);
    session.keys("Esc");
    assert_eq!(session.screen(), text);
    session.keys("Esc j t");
    session.sees("In and out");
    session.keys(": 'chart' Enter");
    session.sees("Balance ·");
    // A chart has no use for it; the pane below has.
    session.keys(": 'sort' Enter");
    session.sees_no("Balance ·");
}

#[test]
fn the_palette_of_a_console_that_only_reads_shows_paying_and_why_not() {
    let mut session = Session::with(Setup { can_pay: false, ..Setup::default() });
    session.keys(": 'withdraw'");
    session.sees("not now: this console is read-only");
    session.keys("Enter");
    session.sees("Palette");
}

#[test]
fn every_action_of_the_palette_can_be_chosen_on_every_page() {
    use bursar::app::input::keymap::KEY_BINDINGS;
    let mut session = Session::with(Setup { transactions: 40, ..Setup::default() });
    for page in ["1", "2", "3", "4", "5", "6"] {
        for place in 0..KEY_BINDINGS.len() {
            session.keys(page);
            session.keys(":");
            for _ in 0..place {
                session.keys("Down");
            }
            session.keys("Enter Esc Esc Esc");
        }
    }
    session.keys("Esc Esc Esc 1");
    session.sees("Accounts");
}

#[test]
fn screens_of_what_was_missed() {
    at_each_size("missed", |session| {
        session.focus(false);
        session.passes(30 * SECOND);
        deposit(session, "4711.25");
        session.passes(5 * SECOND);
        session.focus(true);
    });
}

#[test]
fn screens_of_the_palette() {
    at_each_size("palette", |session| session.keys(":"));
    at_each_size("palette-typed", |session| session.keys(": 'wa' Down"));
}

#[test]
fn a_watched_wallet_whose_user_is_gone_blinds_no_other_watch() {
    let wallets = Session::open().store().wallets(&Scope::All, "cust", 0, 50).unwrap().rows;
    let orphan = &wallets[0].entry;
    let other = wallets.iter().map(|sourced| &sourced.entry).find(|wallet| wallet.user != orphan.user).unwrap();
    let of = |wallet: &Wallet| {
        let condition = WatchCondition::Below { limit: usdc("0.000001"), margin: usdc("0") };
        Watch { scope: WatchScope::Wallet(wallet.id.as_str().into()), ..watch(condition, AlertChannels::default()) }
    };
    let mut session = Session::unsettled(Setup::default());
    session.watches(vec![of(orphan), of(other)]);
    let fault = Fault::Status { status: 404, body: FaultBody::ErrorBody, executed: false };
    session.faults(vec![
        fault.on_paths("/v2/users/balances").only_query_containing(format!("userId={}", orphan.user.as_ref().unwrap())),
    ]);
    session.connect();
    session.passes(10 * SECOND);
    let tap = session.service().record_requests();
    session.passes(Duration::from_mins(1));
    let request_count = |wallet: &Wallet| {
        let user = wallet.user.as_ref().unwrap().as_str();
        let of_user = |request: &&RecordedRequest| request.path == "/v2/users/balances" && request.query.contains(user);
        tap.requests().iter().filter(of_user).count()
    };
    let (of_gone, of_there) = (request_count(orphan), request_count(other));
    assert!(of_gone > 20 && of_there > 20, "{of_gone} of who is gone, {of_there} of who is there");
}
