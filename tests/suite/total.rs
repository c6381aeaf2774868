//! The total on the Overview: exactly what the ledger holds, and changes of which the opening value is known.

use std::collections::BTreeMap;
use std::time::Duration;

use bursar::domain::history::Scope;
use bursar::domain::{Amount, ReportedAmount, Text, ThemeName, Timestamp, TokenKey, ValuationAmount};
use bursar::service::Fault;
use bursar::service::ledger::Paging;
use ratatui::style::Modifier;

use super::harness::rng::SeededRng;
use super::harness::{Session, Setup};

const HOUR: Duration = Duration::from_hours(1);
const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_mins(1);

/// The figure of the total, without its sign and its token.
fn total(session: &Session) -> String {
    let line = session.line(" Total  ");
    let figure = line.split('≈').nth(1).unwrap_or_else(|| panic!("no total: {line}"));
    figure.split(' ').next().unwrap().to_owned()
}

fn cents(figure: &str) -> i128 {
    figure.replace([',', '.', '+'], "").replace('−', "-").parse().unwrap_or_else(|_| panic!("{figure}"))
}

/// What the service's ledger holds of each token.
fn ledger_sums(session: &Session) -> BTreeMap<TokenKey, (Text, Amount)> {
    let ledger = session.service().ledger();
    let workspace_number = ledger.workspaces().unwrap()[0].number;
    let mut sums: BTreeMap<TokenKey, (Text, Amount)> = BTreeMap::new();
    for page in 1.. {
        let users = ledger.users(workspace_number, Paging { page, limit: 100 }).unwrap().data;
        if users.is_empty() {
            break;
        }
        for user in users {
            for balance in ledger.balances_of_user(workspace_number, user.id.parse().unwrap()).unwrap() {
                let token = TokenKey::new(balance.token.blockchain, balance.token.token_address.as_deref());
                let fraction = balance.amount.formatted.split_once('.').map_or(0, |(_, fraction)| fraction.len());
                let amount = Amount::parse_raw(&balance.amount.raw, fraction.try_into().unwrap()).unwrap();
                let none = (Text::clean(&balance.token.symbol), Amount::zero(amount.decimals()));
                let sum = sums.entry(token).or_insert(none);
                sum.1 = sum.1.checked_add(amount).unwrap();
            }
        }
    }
    sums.retain(|_, (_, amount)| !amount.is_zero());
    sums
}

#[test]
fn the_total_is_the_sum_of_the_ledger_whatever_the_history() {
    let mut rng = SeededRng(20_260_101);
    for _ in 0..4 {
        let transactions = 100 + rng.below(300);
        let mut session = Session::with(Setup { transactions, ..Setup::default() });
        session.passes(2 * MINUTE);
        let mut sums = ledger_sums(&session);

        // Tokens that imitate another one are in no sum.
        let (hidden, rows): (Vec<_>, Vec<_>) =
            session.store().holdings(&Scope::All).unwrap().into_iter().partition(|holding| holding.suspicious);
        sums.retain(|token, _| hidden.iter().all(|holding| holding.token != *token));
        let rows = rows.into_iter();
        let rows: BTreeMap<_, _> = rows
            .map(|holding| (holding.token.clone(), holding.amount.as_ref().and_then(ReportedAmount::exact).unwrap()))
            .filter(|(_, amount)| !amount.is_zero())
            .collect();
        let ledger_sums: BTreeMap<_, _> = sums.iter().map(|(token, (_, amount))| (token.clone(), *amount)).collect();
        assert_eq!(rows, ledger_sums, "{transactions} transactions");

        let (mut value, mut unpriced) = (ValuationAmount::ZERO, 0);
        for (symbol, amount) in sums.values() {
            match session.price(symbol) {
                Some(rate) => value = value.checked_add(rate.worth(*amount).unwrap()).unwrap(),
                None => unpriced += 1,
            }
        }
        assert_eq!(total(&session), value.format_grouped(), "{transactions} transactions");
        if unpriced > 0 {
            session.sees(&format!("{unpriced} of {} tokens without price", sums.len()));
        } else {
            session.sees_no("without price");
        }
        session.sees("prices 12:0");
        let all = session.line("All accounts");
        assert!(all.contains(&value.format_short()), "{all}");
    }
}

#[test]
fn a_change_is_told_only_where_the_opening_value_is_known() {
    let mut session = Session::with(Setup { poll_period: 90 * SECOND, ..Setup::default() });
    session.passes(15 * MINUTE);
    session.sees("change since midnight UTC, in 24 h, since last seen not known");

    let midnight = Timestamp::parse_iso("2026-11-03T00:00:00.000Z").unwrap();
    let mut totals = Vec::new();
    session.passes_watched(12 * HOUR, &mut |session| {
        if session.now() >= midnight && totals.len() < 5 {
            totals.push(cents(&total(session)));
        }
    });
    let line = session.line("since midnight UTC");
    let total_cents = cents(line.split_whitespace().next().unwrap());
    // The sample was taken with one of the first totals of the day.
    let changes: Vec<i128> = totals.iter().map(|value| cents(&total(&session)) - value).collect();
    assert!(changes.iter().any(|change| (change - total_cents).abs() <= 1), "{total_cents}, and {changes:?} are known");
    assert!(line.contains("change in 24 h, since last seen not known"), "{line}");
}

#[test]
fn what_changed_since_last_seen_outlives_an_absence_and_a_restart() {
    let mut session = Session::open();
    session.passes(2 * MINUTE);
    session.focus(true);
    session.focus(false);
    let before = cents(&total(&session));
    session.passes(9 * MINUTE);
    session.focus(true);
    let line = session.line("since last seen 12:05Z");
    let fields: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(cents(fields[0]), cents(&total(&session)) - before, "{line}");

    session.resizes(80, 24);
    let line = session.line(" Total  ");
    assert!(line.contains("%) since 12:05Z") && line.contains("prices 12:"), "{line}");
    session.resizes(120, 36);

    session.restarts();
    session.connect();
    session.passes(2 * MINUTE);
    session.sees("since last seen 12:0");
    session.loses_its_cache();
    session.connect();
    session.passes(2 * MINUTE);
    session.sees("since last seen not known");
}

#[test]
fn a_total_that_is_no_longer_current_says_so_and_tells_no_change() {
    let mut session = Session::open();
    session.passes(2 * MINUTE);
    session.sees("not known");
    session.fault(Fault::Html);
    session.passes(2 * MINUTE);
    let line = session.line(" Total  ");
    assert!(line.contains("as of 12:0"), "{line}");
    session.sees_no("since midnight UTC");
}

#[test]
fn the_total_is_bold_first_and_on_every_size_that_has_room() {
    for ((width, height), rows) in [((80, 24), 1), ((120, 36), 2), ((200, 60), 2), ((80, 20), 0), ((40, 10), 0)] {
        let mut session = Session::with(Setup { size: (width, height), ..Setup::default() });
        session.passes(2 * MINUTE);
        if rows == 0 {
            session.sees_no(" Total  ");
            continue;
        }
        let screen = session.screen();
        let third = screen.lines().nth(2).unwrap();
        assert!(third.starts_with(" Total  ≈") && third.contains("prices 12:0"), "{third}");
        let buffer = session.buffer();
        let figure = (0..width).find(|x| buffer[(*x, 2)].symbol() == "≈").unwrap();
        assert!(buffer[(figure, 2)].modifier.contains(Modifier::BOLD));
        assert_eq!(screen.lines().nth(3).unwrap().contains("since midnight UTC"), rows == 2, "{screen}");
        session.keys("Esc");
        assert!(session.line("All accounts").contains('▌'), "without a selected account, all are");
        session.keys("z");
        session.sees_no(" Total  ");
    }
}

#[test]
fn the_veil_hides_the_total_and_its_changes() {
    let mut session = Session::open();
    session.passes(2 * MINUTE);
    let figure = total(&session);
    session.keys("p");
    session.sees_no(&figure);
    assert_eq!(session.line(" Total  ").trim(), "Total  hidden");
}

#[test]
fn no_word_of_the_overview_is_in_the_colour_of_the_frames() {
    for (_, theme) in ThemeName::ALL.into_iter().filter(|(_, theme)| *theme != ThemeName::Plain) {
        let mut session = Session::with(Setup { theme, ..Setup::default() });
        session.passes(2 * MINUTE);
        let buffer = session.buffer();
        let frame = buffer.content.iter().find(|cell| cell.symbol() == "┌").unwrap();
        for (index, cell) in buffer.content.iter().enumerate() {
            let is_word = cell.symbol().chars().any(char::is_alphanumeric);
            assert!(!is_word || cell.fg != frame.fg, "{theme:?}: “{}” at {:?}", cell.symbol(), buffer.pos_of(index));
        }
    }
}

#[test]
fn an_empty_treasury_holds_nothing_and_says_so() {
    let mut session = Session::with(Setup { sample: false, ..Setup::default() });
    session.passes(MINUTE);
    assert_eq!(total(&session), "0.00");
    session.sees_no("reading…");
    let mut session = Session::with(Setup { sample: false, with_lists: false, ..Setup::default() });
    session.passes(MINUTE);
    assert_eq!(total(&session), "0.00");
}
