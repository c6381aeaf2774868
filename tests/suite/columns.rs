//! The columns of lists: a wider screen shows no fewer of them.

use std::collections::BTreeSet;
use std::time::Duration;

use bursar::app::screen::{Page, Pane};

use super::harness::{Session, Setup};

/// Panes of texts, and of lists that are empty here or narrow.
const OTHER_PANES: &[Pane] = &[
    Pane::User,
    Pane::Withdrawals,
    Pane::Transfers,
    Pane::Orders,
    Pane::Events,
    Pane::Book,
    Pane::Attention,
    Pane::Watches,
];

/// Every pane with columns, and the keys that lead to it from the start.
fn panes() -> Vec<(Pane, String)> {
    let panes = Page::ALL.into_iter().flat_map(|page| {
        let keys = move |tabs| format!("{}{}", page.shortcut(), " Tab".repeat(tabs));
        page.panes().iter().enumerate().map(move |(tabs, pane)| (*pane, keys(tabs)))
    });
    panes.filter(|(pane, _)| !OTHER_PANES.contains(pane)).collect()
}

/// The session on a pane, wherever it was before.
fn shows(session: &mut Session, keys: &str) {
    session.keys(keys);
    session.passes(Duration::from_secs(3));
}

fn heads_of(session: &Session, pane: Pane) -> BTreeSet<String> {
    let all = session.column_heads();
    all.into_iter().find(|(listed_pane, _)| *listed_pane == pane).map(|(_, heads)| heads).unwrap_or_default()
}

fn leave(session: &mut Session, keys: &str) {
    let tabs = keys.matches("Tab").count();
    session.keys(&vec!["BackTab"; tabs].join(" "));
}

#[test]
fn a_wider_list_shows_no_fewer_columns() {
    let mut session = Session::with(Setup { can_pay: true, transactions: 300, ..Setup::default() });
    for (pane, keys) in panes() {
        session.resizes(120, 36);
        shows(&mut session, &keys);
        if pane != Pane::History {
            session.keys("z");
        }
        let mut narrower = BTreeSet::new();
        for width in 40..=220 {
            session.resizes(width, 36);
            let heads = heads_of(&session, pane);
            let missing_heads: Vec<_> = narrower.difference(&heads).collect();
            assert!(missing_heads.is_empty(), "{pane:?} at {width} lost {missing_heads:?}\n{}", session.screen());
            narrower = heads;
        }
        assert!(narrower.len() >= 3, "{pane:?} has only {narrower:?}");
        if pane != Pane::History {
            session.keys("z");
        }
        leave(&mut session, &keys);
    }
}

#[test]
fn no_page_loses_a_column_that_80_columns_show() {
    let mut session = Session::with(Setup { can_pay: true, transactions: 300, ..Setup::default() });
    for (pane, keys) in panes() {
        session.resizes(80, 40);
        shows(&mut session, &keys);
        let narrow = heads_of(&session, pane);
        for (width, height) in [(120, 36), (160, 48), (168, 48), (191, 50), (192, 50), (200, 60)] {
            session.resizes(width, height);
            let heads = heads_of(&session, pane);
            let missing_heads: Vec<_> = narrow.difference(&heads).collect();
            assert!(
                missing_heads.is_empty(),
                "{pane:?} at {width}x{height} lost {missing_heads:?}\n{}",
                session.screen()
            );
        }
        leave(&mut session, &keys);
    }
}
