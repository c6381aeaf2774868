//! What people do with bursar, from key to screen, over the real embedded service.

use std::time::Duration;

use bursar::domain::entry_source::EntrySource;
use bursar::domain::history::Scope;
use bursar::domain::{Network, ThemeName};
use bursar::runtime::effect_runner::LoopRequest;
use bursar::service::Fault;

use super::harness::{Session, Setup};

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn a_newcomer_finds_the_biggest_balance_a_pending_deposit_its_wallet_and_its_confirmations() {
    let mut session = Session::with(Setup { lively: true, ..Setup::default() });
    session.sees("Balances · Treasury");
    session.sees("1,188,314.282397");
    session.passes(30 * SECOND);
    // The Transactions page, narrowed to what is on its way in.
    session.keys("3 / 'status:pending' Blank 'dir:in' Enter Enter");
    session.sees("Confirmations");
    // As a bar, since settled ones show how many are waited for.
    session.sees(" settle on");
    session.sees("incoming DEPOSIT");
    session.sees("Wallet");
    session.keys("Esc Esc");
    session.sees_no("/status:pending");
}

#[test]
fn history_is_filtered_to_one_token_while_typing() {
    let mut session = Session::open();
    session.keys("3 / 'token:usd'");
    let with_two = session.screen();
    // Nothing more is common to both: Tab shows each in its turn.
    session.keys("Tab");
    session.sees("/token:usdt");
    session.keys("Tab");
    session.sees("/token:usdc");
    session.keys("Tab");
    session.sees("/token:usdt");
    session.keys("Backspace");
    assert!(with_two.contains("USDC") && with_two.contains("USDT"), "{with_two}");
    session.keys("'c' Enter");
    session.sees("/token:usdc");
    session.sees_no("USDT   Ethereum");
    session.sees(" USDC ");
    session.keys("Esc");
    session.sees_no("/token:usdc");
}

#[test]
fn a_wallet_and_an_account_are_found_by_their_names() {
    let mut session = Session::open();
    session.keys("3 / 'main' Enter");
    for name in ["sol-main", "eth-main"] {
        session.sees(name);
    }
    session.keys("Esc / 'wallet:eth-main' Enter");
    session.sees_no("polygon-ops");
    session.keys("Esc / 'wallet:tro' Tab");
    session.sees("/wallet:tron-main");
    session.keys("Enter");
    session.sees("tron-main");
    session.sees_no("eth-main");
    session.keys("Esc / 'account:customers' Blank 'dir:in' Enter");
    session.sees("↓ in");
    session.keys("Esc / 'ustomers' Enter");
    session.sees("nothing matches");
}

#[test]
fn a_filter_that_matches_nothing_says_so_and_goes_with_esc() {
    let mut session = Session::open();
    session.keys("3 / 'zzzzqq' Enter");
    session.sees("nothing matches; Esc clears the filter");
    session.keys("Esc");
    session.sees_no("nothing matches");
    session.keys("/ 'bogus:x'");
    session.sees("no field is called bogus");
    session.keys("Esc / 'dir:sideways'");
    session.sees("dir: takes in or out");
    session.sees_no("nothing matches");
}

#[test]
fn esc_goes_back_level_by_level_and_never_quits() {
    let mut session = Session::open();
    session.keys("3 j j Enter");
    session.sees("First seen");
    session.keys("Esc Esc Esc Esc Esc Esc");
    session.sees("this is the top level; q quits");
    assert_eq!(session.loop_request, None);
    session.keys("q");
    assert_eq!(session.loop_request, Some(LoopRequest::Quit));
}

#[test]
fn a_selected_account_narrows_what_stands_right_of_it_and_esc_widens_it() {
    let mut session = Session::open();
    session.sees("Wallets · Treasury");
    session.keys("j");
    session.sees("Wallets · Customers");
    session.sees("Balances · Customers");
    session.keys("Esc");
    session.sees("Balances · all accounts");
    session.keys("j Tab j");
    session.sees("Balances · base-ops");
    session.sees("Transactions · base-ops");
}

#[test]
fn what_imitates_a_token_is_hidden_counted_and_shown_on_demand() {
    let mut session = Session::open();
    session.keys("Esc");
    session.sees("hidden (h)");
    session.keys("Tab Tab h");
    session.sees("suspicious (h)");
}

#[test]
fn a_poll_that_fails_leaves_the_last_figures_with_their_age() {
    let mut session = Session::open();
    let before = session.line("USDT    Ethereum");
    session.fault(Fault::Busy { retry_after: Duration::from_secs(1) });
    session.passes(10 * SECOND);
    session.sees("stale");
    assert!(session.line("USDT    Ethereum").contains("1,188,314.282397"), "was {before}");
    assert!(session.service().faults_fired() > 0);
}

#[test]
fn a_rejected_key_stops_polling_with_one_banner_until_r() {
    let mut session = Session::open();
    session.fault(Fault::KeyRejected);
    session.passes(3 * SECOND);
    session.sees("✗ key rejected");
    assert_eq!(session.screen().matches("reading has stopped").count(), 1);
    let fired_before = session.service().faults_fired();
    assert!(fired_before > 0);
    session.passes(60 * SECOND);
    assert_eq!(session.service().faults_fired(), fired_before, "a rejected key is not tried again by itself");
    session.fault(Fault::None);
    session.keys("r");
    session.sees("● live");
    session.sees_no("reading has stopped");
}

#[test]
fn a_key_that_may_not_read_is_tried_again_with_pauses_that_grow_and_says_what_to_do() {
    let mut session = Session::open();
    session.fault(Fault::Forbidden);
    session.passes(3 * SECOND);
    session.sees("✗ key not allowed");
    session.sees("API key has no read permission here: retrying at 12:03:");
    session.sees("or press r; grant the permission");
    let fired_before = session.service().faults_fired();
    assert!(fired_before > 0);
    session.passes(120 * SECOND);
    let retries = session.service().faults_fired() - fired_before;
    assert!((1..=6).contains(&retries), "{retries} requests");
    session.passes(60 * 60 * SECOND);
    assert!(session.service().faults_fired() - fired_before <= 16, "one in ten minutes in the end");
    session.sees("✗ key not allowed");
    session.fault(Fault::None);
    session.keys("r");
    session.sees("● live");
}

/// The lists are in no document: what a service says to them tells nothing of the key.
#[test]
fn lists_that_are_refused_with_401_or_403_are_done_without() {
    for fault in [Fault::KeyRejected, Fault::Forbidden] {
        let mut session = Session::unsettled(Setup::default());
        session.fault_on("/v2/accounts", fault);
        session.connect();
        assert!(session.service().faults_fired() > 0, "{fault:?}");
        session.sees("● live");
        session.sees("1,188,314.282397");
    }
}

/// Only 404, 422 and their like say that a list is not served.
#[test]
fn a_list_that_failed_once_is_read_again_and_keeps_no_other_from_being_read() {
    let has_listed = |session: &Session| {
        let store = session.store();
        let accounts = store.accounts().unwrap().iter().any(|sourced| sourced.source == EntrySource::Listed);
        let users = store.users(&Scope::All, "", 0, 64).unwrap().rows;
        let wallets = store.wallets(&Scope::All, "", 0, 64).unwrap().rows;
        let users = users.iter().any(|sourced| sourced.source == EntrySource::Listed);
        [accounts, users, wallets.iter().any(|sourced| sourced.source == EntrySource::Listed)]
    };
    for (nth, list) in ["/v2/accounts", "/v2/users", "/v2/wallets"].into_iter().enumerate() {
        for status in [400, 502] {
            let mut session = Session::unsettled(Setup { v1: false, ..Setup::default() });
            session.fault_on(list, Fault::with_status(status));
            session.connect();
            assert!(session.service().faults_fired() > 0, "{list} was not asked for");
            let mut others = [true; 3];
            others[nth] = false;
            assert_eq!(has_listed(&session), others, "{list} answers {status}");
            session.fault(Fault::None);
            session.passes(5 * SECOND);
            assert_eq!(has_listed(&session), [true; 3], "{list} answered {status} once");
        }
    }
}

#[test]
fn balances_that_alone_fail_say_so_and_show_their_age_while_all_else_is_live() {
    let mut session = Session::open();
    session.fault_on("/v2/users/balances", Fault::Html);
    session.passes(20 * SECOND);
    assert!(session.service().faults_fired() > 0);
    session.sees("◐ live, balances unread");
    let head = session.line("Balances · Treasury");
    assert!(head.contains("stale ") && head.contains("not read  answer not understood"), "{head}");
    session.sees("1,188,314.282397");
    session.fault(Fault::None);
    session.passes(30 * SECOND);
    session.sees_no("not read");
}

/// A balance that cannot be read must not be missing from a sum without a word.
#[test]
fn balances_that_come_oddly_typed_leave_the_last_figures_with_their_age() {
    let mut session = Session::open();
    let figures = |session: &Session| -> Vec<String> {
        let screen = session.screen();
        // What needs somebody, above the panes, comes and goes, and takes rows.
        let (_, panes) = screen.split_once("Accounts").unwrap();
        let amounts = panes.split_whitespace().filter(|word| word.contains(',') && word.contains('.'));
        amounts.filter(|word| !word.starts_with(['+', '−'])).map(ToOwned::to_owned).collect()
    };
    // Once every price has come, the rows stand still.
    session.passes(8 * SECOND);
    let before = figures(&session);
    assert!(before.len() > 5, "{before:?}");
    session.fault_on("/v2/users/balances", Fault::WrongTypes);
    session.passes(6 * SECOND);
    assert!(session.service().faults_fired() > 0);
    let after = figures(&session);
    assert!(after.len() > 5 && before.starts_with(&after), "{after:?} of {before:?}");
    let head = session.line("Balances · Treasury");
    assert!(head.contains("stale ") && head.contains("not read  answer not understood"), "{head}");
}

#[test]
fn balances_that_were_never_read_are_not_said_to_be_nothing() {
    let mut session = Session::unsettled(Setup::default());
    session.fault_on("/v2/users/balances", Fault::Html);
    session.connect();
    session.keys("Tab j");
    assert!(session.service().faults_fired() > 0);
    session.sees("not read");
    session.sees_no("no balances are known here");
}

#[test]
fn counts_that_could_not_be_read_again_show_their_age() {
    let mut session = Session::open();
    session.sees("30 days: ");
    session.fault_on("/v2/users/stats", Fault::Html);
    session.passes(40 * SECOND);
    assert!(session.service().faults_fired() > 0);
    session.sees("● live");
    let head = session.line("Accounts ");
    assert!(head.contains("stale "), "{head}");
}

/// Whoever walks through the wallets of a service that asks for peace does not break it.
#[test]
fn moving_about_does_not_ask_a_service_that_wants_to_be_left_alone() {
    let mut session = Session::open();
    session.fault_on("/v2/users/balances", Fault::RateLimited { retry_after: 60 * SECOND });
    session.passes(2 * SECOND);
    let fired_before = session.service().faults_fired();
    assert!(fired_before > 0);
    session.keys("Tab j j j k k j j k Esc Tab BackTab BackTab j k");
    assert_eq!(session.service().faults_fired(), fired_before);
    session.keys("r");
    assert!(session.service().faults_fired() > fired_before, "the operator's word stands above the pause");
}

#[test]
fn help_over_a_transaction_gives_the_transaction_back() {
    let mut session = Session::open();
    session.keys("3 j Enter");
    session.sees("First seen");
    session.keys("?");
    session.sees("Everywhere");
    session.keys("o");
    session.sees("First seen");
    session.keys("h z / Tab");
    session.sees("First seen");
    session.keys("? 5");
    session.sees("Blockchains · ");
}

/// A pending row that settles leaves a list of pending ones; another row of the list is selected then.
#[test]
fn a_selected_row_that_leaves_its_filter_hands_the_selection_on() {
    let mut session = Session::with(Setup { lively: true, ..Setup::default() });
    session.keys("3 / 'status:pending' Enter j");
    let selected_line = session.line("▌");
    session.passes(60 * SECOND);
    session.sees("/status:pending");
    let next = session.line("▌");
    assert_ne!(selected_line, next);
    assert!(next.contains("pending"), "{next}");
    session.keys("Enter");
    assert!(session.line("Status").contains("pending"), "{}", session.screen());
}

/// A transaction that is open says how it stands by now, though the list in which it was chosen no longer holds it.
#[test]
fn an_open_transaction_settles_before_the_eyes_of_whoever_watches_it() {
    let mut session = Session::with(Setup { lively: true, ..Setup::default() });
    session.keys("3 / 'status:pending' Enter j Enter");
    session.sees("First seen");
    assert!(session.line("Status").contains("pending"), "{}", session.screen());
    session.passes(60 * SECOND);
    assert!(session.line("Status").contains("success"), "{}", session.screen());
    // So does what stands over it, and comes from it.
    session.keys("? Esc");
    assert!(session.line("Status").contains("success"), "{}", session.screen());
}

#[test]
fn wide_letters_in_a_filter_keep_the_cursor_behind_them() {
    let mut session = Session::with(Setup { size: (40, 12), ..Setup::default() });
    session.keys("3 / '漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字ab'");
    let line = session.screen().lines().last().unwrap().to_owned();
    assert!(line.ends_with("漢字ab"), "{line}");
}

#[test]
fn on_the_smallest_screen_the_environment_is_still_whole() {
    let mut session = Session::with(Setup { size: (40, 10), ..Setup::default() });
    session.sees(" DEMO testnet ");
    session.fault(Fault::Down);
    session.passes(9 * SECOND);
    session.sees(" DEMO ");
    session.sees("○ offline, data");
}

#[test]
fn a_service_that_goes_and_comes_back_needs_no_hand() {
    let mut session = Session::open();
    session.fault(Fault::Down);
    session.passes(20 * SECOND);
    session.sees("○ offline");
    session.sees("1,188,314.282397");
    session.fault(Fault::None);
    session.passes(90 * SECOND);
    session.sees("● live");
    session.sees_no("stale");
}

#[test]
fn a_service_that_is_down_from_the_start_is_said_to_be_unreachable() {
    let session = Session::with(Setup { fault: Some(Fault::Down), ..Setup::default() });
    session.sees("○ offline");
    session.sees("not read: service unreachable");
}

/// Whatever the service sends, the screen stays whole and the last true figures stay on it.
#[test]
fn nonsense_from_the_service_leaves_the_screen_whole_and_true() {
    for (fault, text) in [
        (Fault::Truncated, "○ offline, data"),
        (Fault::Html, "✗ answer not understood, data"),
        (Fault::HugeBody, "✗ answer too large, data"),
    ] {
        let mut session = Session::open();
        session.fault(fault);
        session.passes(6 * SECOND);
        assert!(session.service().faults_fired() > 0, "{fault:?}");
        session.sees(text);
        session.sees("1,188,314.282397");
        session.fault(Fault::None);
        session.passes(30 * SECOND);
        session.sees("● live");
    }
}

#[test]
fn a_late_service_is_waited_for_and_the_screen_says_so() {
    let mut session = Session::open();
    session.ticks(10 * SECOND);
    session.sees("◐ slow 10s");
    session.settle();
    session.sees("● live");
}

#[test]
fn oddly_typed_answers_never_make_a_figure_wrong() {
    let session = Session::with(Setup { fault: Some(Fault::WrongTypes), ..Setup::default() });
    assert!(session.service().faults_fired() > 0);
    let whole = Session::open();
    // Every amount that is shown from the odd answers is one that the service has.
    let full_screen = whole.screen();
    for line in session.screen().lines().filter(|line| line.contains("Ethereum")) {
        for figure in line.split_whitespace().filter(|word| word.contains(',') && word.contains('.')) {
            let digits = figure.trim_start_matches(['+', '−']);
            assert!(full_screen.contains(digits), "{figure} is nowhere in\n{full_screen}");
        }
    }
}

#[test]
fn escape_sequences_in_every_field_reach_no_cell() {
    let mut session = Session::with(Setup { fault: Some(Fault::EscapeSequences), ..Setup::default() });
    assert!(session.service().faults_fired() > 0);
    for keys in ["", "3", "Enter Enter", "Esc Esc 4"] {
        session.keys(keys);
        for cell in session.buffer().content() {
            assert!(!cell.symbol().chars().any(char::is_control), "{:?}", cell.symbol());
            assert!(!cell.symbol().chars().any(|c| ('\u{202a}'..='\u{202e}').contains(&c)), "{:?}", cell.symbol());
        }
    }
}

#[test]
fn a_selection_survives_arrivals_and_new_rows_are_announced() {
    let mut session = Session::with(Setup { lively: true, ..Setup::default() });
    session.keys("3 j j j");
    let mark = |session: &Session| {
        let screen = session.screen();
        let (index, line) = screen.lines().enumerate().find(|(_, line)| line.starts_with('▌')).unwrap();
        (index, line.split_whitespace().take(5).map(ToOwned::to_owned).collect::<Vec<_>>())
    };
    let before = mark(&session);
    session.passes(60 * SECOND);
    assert_eq!(mark(&session), before);
    session.sees("new (g)");
    session.keys("g");
    session.sees_no("new (g)");
}

#[test]
fn what_an_earlier_session_read_is_on_screen_at_once_with_its_age() {
    let mut session = Session::open();
    session.fault(Fault::Down);
    session.ticks(3_600 * SECOND);
    session.restarts();
    session.sees("◌ connecting, data 60m old");
    session.sees("stale 60m");
    session.sees("1,188,314.282397");
    session.connect();
    session.sees("○ offline, data 60m old");
    session.sees("1,188,314.282397");
    session.fault(Fault::None);
    session.passes(120 * SECOND);
    session.sees("● live");
    session.sees_no("stale");
}

#[test]
fn a_first_read_that_is_broken_off_is_taken_up_again() {
    let mut session = Session::unsettled(Setup { transactions: 5_000, ..Setup::default() });
    session.begins();
    session.restarts();
    session.connect();
    session.keys("3 h G");
    session.sees("of 5,000");
    session.sees_no("reading");
}

#[test]
fn without_lists_everything_is_still_there_under_addresses() {
    let session = Session::with(Setup { with_lists: false, ..Setup::default() });
    session.sees("1,188,314.282397");
    // A wallet may have the name of its user by now: details of users are read one by one. No account has one.
    session.sees_no("Balances · Treasury");
}

#[test]
fn every_size_from_nothing_to_huge_is_painted() {
    let mut session = Session::open();
    for (width, height) in
        [(1, 1), (2, 50), (39, 9), (40, 10), (60, 15), (79, 23), (99, 20), (100, 19), (159, 29), (300, 100), (65, 400)]
    {
        for keys in ["1", "z", "z", "2", "z", "z", "3", "4", "5", "?", "Esc"] {
            session.resizes(width, height);
            session.keys(keys);
            let screen = session.screen();
            if width < 40 || height < 10 {
                assert!(width < 20 || screen.contains("bursar needs"), "{width}x{height}\n{screen}");
            } else {
                // Where money is, stands at every size.
                assert!(screen.contains("DEMO testnet"), "{width}x{height}\n{screen}");
            }
        }
    }
}

#[test]
fn the_plain_theme_has_no_colour() {
    let session = Session::with(Setup { theme: ThemeName::Plain, ..Setup::default() });
    for cell in session.buffer().content() {
        assert_eq!((cell.fg, cell.bg), (ratatui::style::Color::Reset, ratatui::style::Color::Reset));
    }
}

#[test]
fn pasted_text_is_looked_for_or_filters_and_runs_nothing() {
    let mut session = Session::open();
    session.pastes("q\u{1b}[2J");
    assert_eq!(session.loop_request, None);
    session.sees(" : q[2J");
    session.keys("Esc ?");
    session.pastes("q");
    session.sees("there is no field to paste into here");
    session.keys("Esc 3 /");
    session.pastes("us\u{200b}dt\n");
    session.sees("filter usdt");
    session.sees("/usdt");
}

#[test]
fn five_thousand_rows_read_to_their_end_scroll_to_the_oldest() {
    let mut session = Session::with(Setup { transactions: 5_000, ..Setup::default() });
    session.keys("3 G");
    let count = session.line("─ Transactions");
    session.sees("of ");
    assert!(count.contains("of"), "{count}");
    session.keys("g");
    session.sees_no("reading");
}

#[test]
fn a_wallet_is_paid_to_only_where_somebody_chose_it() {
    let mut session = Session::open();
    session.keys("a");
    session.sees("press a again to show this wallet's address");
    session.keys("a");
    session.sees("Receive");
    session.sees("DEMO: this address is made up");
    // The help lies over it, and it is there again.
    session.keys("?");
    session.sees("Everywhere");
    session.keys("?");
    session.sees("this address is made up");
    session.keys("Esc");
    session.sees_no("this address is made up");
    session.keys("3 a");
    session.sees("wallets are on page 1");
}

#[test]
fn times_follow_the_clock_on_the_wall_where_the_profile_says_so_and_nothing_calls_them_utc() {
    let mut session = Session::with(Setup { utc_offset_seconds: 19_800, size: (200, 60), ..Setup::default() });
    session.sees("17:33+05:30");
    session.sees_no("12:03");
    for (keys, sees) in [
        ("3", "Time local"),
        ("j j Enter", ":20 +05:30"),
        ("Esc 6", "local"),
        ("4", "Orders"),
        ("5", "Time local"),
        ("2 j", "Users"),
    ] {
        session.keys(keys);
        session.sees(sees);
        session.sees_no("UTC");
        session.sees_no("12:03");
    }
}

#[test]
fn no_deposit_is_pretended_where_coins_are_real() {
    let at_the_address = |network: Network| {
        let mut session = Session::with(Setup { network: Some(network), ..Setup::default() });
        session.keys("Tab j a");
        session.sees("Receive");
        session
    };
    let mut session = at_the_address(Network::Testnet);
    session.sees("d asks the service to simulate a deposit here");
    session.keys("d");
    session.sees("Simulated deposit");
    let mut session = at_the_address(Network::Mainnet);
    session.sees_no("simulate a deposit");
    session.keys("d");
    session.sees("deposits can be simulated on a test network only");
    session.sees_no("Simulated deposit");
    assert!(session.recorded_orders().is_empty());
}

#[test]
fn balances_and_listed_tokens_are_filtered_as_other_lists_are() {
    let mut session = Session::open();
    session.keys("Tab Tab z");
    session.sees("SHIB");
    session.keys("/ 'usdc' Blank 'ETHER' Enter");
    session.sees("/usdc ETHER");
    session.sees("USDC");
    session.sees_no("SHIB");
    session.keys("/ 'zzzz'");
    session.sees("nothing matches; Esc clears the filter");
    session.keys("Esc");
    session.sees("SHIB");
    session.keys("z 5");
    session.sees("Pairs · 1 ");
    // From whichever pane it is opened, it is the tokens' own; the first that is left is the selected one.
    session.keys("Tab / 'tron' Enter");
    session.sees("TRX");
    session.sees_no("BTC");
    session.keys("/ 'zzzz' Enter");
    session.sees("nothing matches; Esc clears the filter");
    session.sees("Blockchains · —");
    session.sees("no token is selected");
    session.keys("Esc");
    session.sees("BTC");
}

#[test]
fn balances_that_a_filter_hides_are_not_said_to_be_unread_where_a_newer_read_failed() {
    let mut session = Session::open();
    session.fault_on("/v2/users/balances", Fault::with_status(500));
    session.keys("Tab Tab z r");
    session.settle();
    session.sees("not read");
    session.keys("/ 'zzzz' Enter");
    session.sees("nothing matches; Esc clears the filter");
    session.sees_no("not read: ");
}
