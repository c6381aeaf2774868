//! What needs a person: one list, whatever raised it, that stands until it is over or somebody takes care of it.

use std::time::Duration;

use bursar::domain::watch::Watch;
use bursar::domain::{Colours, ThemeName};
use bursar::service::ledger::DepositToken;
use bursar::ui::Theme;
use insta::assert_snapshot;

use super::guard_rules::rare_cases::gives;
use super::guard_rules::wallet;
use super::harness::{Session, Setup};

const MINUTE: Duration = Duration::from_mins(1);
/// With a Cyrillic Dze.
const FALSE: &str = "U\u{405}DT";
const STRANGER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
const CONTRACT: &str = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";
const OTHER_CONTRACT: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// Somebody sends a token that passes itself off as another.
fn is_sent_a_spoof(session: &Session, contract: &str) {
    let (ops, _) = wallet(session, |name, _| name == "base-ops");
    let token = DepositToken::Unlisted {
        contract: contract.into(),
        symbol: FALSE.into(),
        name: "Tether USD".into(),
        decimals: 6,
    };
    gives(session, ops, token, 7_654_321_000_000, STRANGER);
}

/// How many things need somebody, by the header.
fn need_count(session: &Session) -> usize {
    let screen = session.screen();
    let Some((_, after)) = screen.split_once("⚑ ") else { return 0 };
    after.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn what_needs_somebody_is_counted_opened_acknowledged_and_stays_so_over_a_restart() {
    let mut session = Session::with(Setup { size: (160, 48), poll_period: MINUTE / 3, ..Setup::default() });
    session.passes(2 * MINUTE);
    let before = need_count(&session);
    is_sent_a_spoof(&session, CONTRACT);
    session.passes(3 * MINUTE);
    assert_eq!(need_count(&session), before + 1, "{}", session.screen());
    session.keys("!");
    session.sees("Needs you");
    let row = session.line("spoofed token");
    assert!(row.contains(FALSE) && row.contains("Base"), "{row}");
    while !session.line("▌").contains("spoofed token") {
        session.keys("j");
    }
    session.sees("Worthless. Do not swap");
    session.keys("Enter");
    session.sees("─ Transactions");
    session.sees(&format!("?{FALSE}"));
    session.keys("! A 'ops' Blank 'know' Enter");
    assert_eq!(need_count(&session), before, "{}", session.screen());
    session.sees("✓ spoofed token");
    session.restarts();
    session.connect();
    session.passes(3 * MINUTE);
    assert_eq!(need_count(&session), before, "{}", session.screen());
    session.keys("! G");
    session.sees(": ops know");
    // Another one is another occurrence.
    is_sent_a_spoof(&session, OTHER_CONTRACT);
    session.passes(3 * MINUTE);
    assert_eq!(need_count(&session), before + 1, "{}", session.screen());
}

#[test]
fn a_spoofed_token_stands_since_it_first_came() {
    let mut session = Session::with(Setup { size: (160, 48), poll_period: MINUTE, ..Setup::default() });
    is_sent_a_spoof(&session, CONTRACT);
    session.passes(3 * MINUTE);
    let since = |session: &mut Session| {
        session.keys("!");
        session.line("spoofed token").trim_start_matches(['│', '▌', ' ']).split(' ').next().unwrap().to_owned()
    };
    let first = since(&mut session);
    assert!(first.starts_with("12:0"), "{first}");
    session.passes(120 * MINUTE);
    is_sent_a_spoof(&session, CONTRACT);
    session.passes(3 * MINUTE);
    assert_eq!(since(&mut session), first);
    assert!(session.line("spoofed token").contains("2 transactions"));
}

#[test]
fn the_overview_names_the_gravest_and_the_palette_finds_the_page_by_the_words_of_people() {
    let mut session = Session::with(Setup { size: (80, 24), ..Setup::default() });
    is_sent_a_spoof(&session, CONTRACT);
    session.passes(3 * MINUTE);
    session.sees("! ");
    // The business's name outlives the words of counts.
    let screen = session.screen();
    let header = screen.lines().next().unwrap();
    assert!(header.contains("Harbour") && header.contains(&format!("⚑ {}", need_count(&session))), "{header}");
    for query in ["alert", "stuck", "needs"] {
        session.keys(&format!("1 : '{query}' Enter"));
        session.sees("─ Needs you ─");
        session.sees("Since");
    }
    session.keys("p");
    session.sees_no(FALSE);
}

#[test]
fn a_watch_is_made_tried_muted_and_removed_on_the_screen() {
    let mut session = Session::with(Setup { size: (120, 36), poll_period: MINUTE / 3, ..Setup::default() });
    session.keys("! Tab n");
    session.sees("USDC below 10000");
    session.pastes("USDC below");
    session.sees("write an amount after below");
    session.keys("Blank '99999999999' Enter");
    session.sees("USDC below 99,999,999,999, margin 999,999,999.99");
    session.sees("It would ");
    session.keys("Enter");
    session.sees("until this console closes");
    session.passes(2 * MINUTE);
    session.sees("⚑ raised");
    let raised_count = need_count(&session);
    session.sees("watch raised");
    session.keys("M");
    session.passes(MINUTE);
    session.sees("− muted");
    assert_eq!(need_count(&session), raised_count - 1, "{}", session.screen());
    session.keys("D");
    session.sees("Remove this watch?");
    session.keys("Enter");
    session.sees("no watches: n makes one");
}

#[test]
fn a_new_watch_is_seen_and_selected_after_it_is_made() {
    for size in [(40, 10), (80, 24), (200, 60)] {
        let mut session = Session::unsettled(Setup { size, poll_period: MINUTE / 3, ..Setup::default() });
        let watches = (1..=40).map(|limit| Watch::parse_sentence(&format!("ETH above {limit}000")).unwrap());
        session.watches(watches.collect());
        session.connect();
        session.keys("! n 'USDC' Blank 'below' Blank '77' Enter");
        session.settle();
        session.keys("Enter");
        session.settle();
        // The next key takes the notice away, which covers rows of a low screen.
        session.keys("Tab Tab");
        let screen = session.screen();
        assert!(screen.lines().any(|line| line.contains('▌') && line.contains("USDC below 77")), "{size:?}\n{screen}");
    }
}

#[test]
fn a_wide_screen_shows_the_order_or_the_transaction_that_needs_somebody() {
    let mut session = Session::with(Setup { size: (200, 60), poll_period: MINUTE / 3, ..Setup::default() });
    is_sent_a_spoof(&session, CONTRACT);
    session.passes(3 * MINUTE);
    session.keys("!");
    while !session.line("▌").contains("spoofed token") {
        session.keys("j");
    }
    session.sees("Worthless. Do not swap");
    for fact in ["Contract", &CONTRACT.to_lowercase(), STRANGER, "Hash"] {
        session.sees(fact);
    }
}

#[test]
fn the_page_and_its_prompts_at_every_size() {
    for (width, height) in [(40, 10), (80, 24), (120, 36), (200, 60)] {
        let size = (width, height);
        let mut session =
            Session::unsettled(Setup { size, with_valuation: false, poll_period: MINUTE / 3, ..Setup::default() });
        let watches =
            ["USDC of account Treasury below 99999999999 named Reserve", "stuck", "ETH sent above 50 within 24h muted"];
        session.watches(watches.map(|sentence| Watch::parse_sentence(sentence).unwrap()).to_vec());
        session.connect();
        is_sent_a_spoof(&session, CONTRACT);
        session.passes(3 * MINUTE);
        session.keys("! j j k A");
        session.types("Kim asked the desk");
        session.keys("Enter");
        session.passes(MINUTE);
        assert_snapshot!(format!("attention-{width}x{height}"), session.screen_below_tabs());
        session.keys("A 'note'");
        assert_snapshot!(format!("attention-note-{width}x{height}"), session.screen_below_tabs());
        session.keys("Esc Tab Enter");
        assert_snapshot!(format!("attention-watch-{width}x{height}"), session.screen_below_tabs());
    }
}

/// Green is for what is good news.
#[test]
fn a_spoof_is_never_green() {
    let mut session = Session::with(Setup { size: (200, 60), poll_period: MINUTE / 3, ..Setup::default() });
    is_sent_a_spoof(&session, CONTRACT);
    session.passes(3 * MINUTE);
    let good = Theme::from_name(ThemeName::Dark, Colours::Many).good.fg;
    for page in ["1", "1 h", "3", "!"] {
        session.keys(page);
        session.passes(MINUTE / 3);
        let (screen, buffer) = (session.screen(), session.buffer());
        let rows = screen.lines().enumerate().filter(|(_, line)| line.contains(FALSE));
        for (y, line) in rows {
            let prefix = line.split(FALSE).next().unwrap();
            let x = u16::try_from(prefix.chars().count()).unwrap();
            let cells = (x.saturating_sub(20)..x + 5).map(|x| &buffer[(x, u16::try_from(y).unwrap())]);
            assert!(cells.into_iter().all(|cell| Some(cell.fg) != good), "on page {page}: {line}");
        }
    }
}
