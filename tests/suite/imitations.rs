//! A token that anybody made and sent, with a letter of another alphabet in its symbol: one judgement, wherever it stands, and
//! whether or not the service's list of tokens was read.

use std::time::Duration;

use bursar::domain::history::Scope;
use bursar::service::Fault;
use bursar::service::ledger::DepositToken;
use rstest::rstest;

use super::guard_rules::rare_cases::gives;
use super::guard_rules::wallet;
use super::harness::{Session, Setup};

/// With a Cyrillic Dze.
const FALSE: &str = "U\u{405}DT";
const STRANGER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
const OTHER: &str = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";
const MINUTE: Duration = Duration::from_mins(1);

#[rstest]
fn a_token_with_a_letter_of_another_alphabet_is_told_apart_on_every_page(#[values(true, false)] is_list_read: bool) {
    let mut session = Session::unsettled(Setup { size: (200, 60), poll_period: MINUTE / 3, ..Setup::default() });
    let (ops, _) = wallet(&session, |name, _| name == "base-ops");
    let token =
        DepositToken::Unlisted { contract: OTHER.into(), symbol: FALSE.into(), name: "Tether USD".into(), decimals: 6 };
    gives(&session, ops, token, 7_654_321_000_000, STRANGER);
    if !is_list_read {
        session.fault_on("/v1/blockchains", Fault::with_status(500));
    }
    session.connect();
    session.passes(3 * MINUTE);
    let holdings = session.store().holdings(&Scope::All).unwrap();
    let holdings: Vec<_> = holdings.iter().filter(|holding| &*holding.symbol == FALSE).collect();
    assert!(!holdings.is_empty() && holdings.iter().all(|holding| holding.suspicious), "{holdings:?}");
    // It is hidden until it is asked for, and marked then.
    let marked_symbol = format!("?{FALSE}");
    let unmarked_count =
        |session: &Session| session.screen().matches(FALSE).count() - session.screen().matches(&marked_symbol).count();
    session.keys("1");
    session.sees("hidden (h)");
    // It is named among what needs somebody, and nowhere else.
    assert_eq!(
        (session.screen().matches(&marked_symbol).count(), unmarked_count(&session)),
        (1, 0),
        "{}",
        session.screen()
    );
    for keys in ["h", "Tab h", "2", "3 h", "4", "5"] {
        session.keys(keys);
        session.passes(MINUTE);
        if keys.ends_with('h') {
            session.sees(&marked_symbol);
        }
        let page = keys;
        assert_eq!(unmarked_count(&session), 0, "on page {page}: {}", session.screen());
    }
    // Nothing is paid with it by choosing from what is offered.
    session.keys("1 w 'base-ops' Enter");
    session.types(FALSE);
    session.keys("Enter");
    session.sees("this wallet holds no token with this symbol");
}
