//! Terminals that show ASCII alone: every page and form, cell by cell.

use std::collections::BTreeSet;
use std::time::Duration;

use bursar::domain::Glyphs;
use bursar::domain::history::{Query, Scope, WindowAnchor, WindowRequest};
use bursar::store::Cancel;

use super::harness::{Session, Setup};

/// What is opened, from the Overview of a session that was read to its end, with the keys that lead back.
const SCENES: &[(&str, &str)] = &[
    ("", ""),
    ("Tab Tab z", "z"),
    ("Tab j a", "Esc"),
    ("Tab Tab j t", "Esc"),
    ("t t", "Esc"),
    ("t t t", "Esc"),
    ("=", "Tab Tab Tab Tab Tab Esc"),
    ("?", "G Esc"),
    (":", "Esc"),
    (": 'theme'", "Esc"),
    ("w", "Down Esc"),
    ("n", "Enter Esc"),
    ("n j Enter", "Esc"),
    ("i", "Esc"),
    ("2 j", "Tab Tab"),
    ("2 j Enter", "Esc"),
    ("3 j", ""),
    ("3 j Enter", "Esc"),
    ("3 f", "Esc"),
    ("3 / 'status:'", "Esc"),
    ("3 j Blank x", "Esc"),
    ("3 j y", "Esc"),
    ("3 t", "Esc"),
    ("4", ""),
    ("5 j Tab j Tab j", ""),
    ("6 j", ""),
];

/// The signs beyond ASCII that are painted in all scenes, and how many cells there were at all.
fn signs(glyphs: Glyphs, size: (u16, u16)) -> (BTreeSet<char>, BTreeSet<char>) {
    let mut session = Session::with(Setup { size, glyphs, ..Setup::default() });
    let mut signs = BTreeSet::new();
    let mut see = |session: &Session| {
        for cell in session.buffer().content() {
            signs.extend(cell.symbol().chars().filter(|sign| !sign.is_ascii()));
        }
    };
    for (keys, keys_back) in SCENES {
        session.keys(keys);
        see(&session);
        session.keys(keys_back);
        see(&session);
        session.keys("Esc Esc Esc 1");
    }
    let store = session.store();
    let mut rows = Vec::new();
    let span = WindowRequest { query: Query::default(), anchor: WindowAnchor::Rank(0), rows: 400 };
    store.query_history(&span, &Cancel::new(), &mut |window| rows = window.rows).unwrap();
    let data = format!("{:?}{rows:?}{:?}", store.holdings(&Scope::All).unwrap(), store.accounts().unwrap());
    (signs, data.chars().filter(|sign| !sign.is_ascii()).collect())
}

#[test]
fn a_console_without_the_signs_is_painted_in_ascii_alone() {
    for size in [(80, 24), (200, 60)] {
        let (drawn_signs, _) = signs(Glyphs::AsciiOnly, size);
        assert_eq!(drawn_signs, BTreeSet::new(), "{size:?}");
    }
}

#[test]
fn where_letters_can_be_shown_only_those_of_the_data_are_not_ascii() {
    let size = (200, 60);
    let (drawn_signs, data) = signs(Glyphs::Ascii, size);
    assert_eq!(drawn_signs.difference(&data).collect::<Vec<_>>(), Vec::<&char>::new());
    // The same scenes do hold signs where they may be painted, or this would prove nothing.
    let (usual, _) = signs(Glyphs::Unicode, size);
    assert!(usual.len() > 20 && usual.contains(&'▌') && usual.contains(&'─'), "{usual:?}");
}

#[test]
fn what_stands_for_the_signs_can_be_read() {
    for size in [(80, 24), (120, 36)] {
        let mut session =
            Session::with(Setup { size, glyphs: Glyphs::Ascii, with_valuation: false, ..Setup::default() });
        // Hidden rows are counted again once all are read.
        session.passes(Duration::from_secs(6));
        insta::assert_snapshot!(format!("overview-ascii-{}x{}", size.0, size.1), session.screen());
        session.keys("3 j j");
        insta::assert_snapshot!(format!("transactions-ascii-{}x{}", size.0, size.1), session.screen());
    }
}
