//! The pictures of README: drawn from the program's own screens, and compared with the files.
//!
//! `.ci/draw` writes them. Look at each in a browser, in light and dark.

pub(super) mod svg;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bursar::domain::ThemeName;
use bursar::guard::challenge_range;
use bursar::service::Scene;
use bursar::service::ledger::TransactionFilter;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::book_page::fills_in;
use super::harness::{Session, Setup};
use svg::Frame;

const THEMES: [ThemeName; 2] = [ThemeName::Dark, ThemeName::Light];
const SIZE: (u16, u16) = (120, 30);
const SECOND: Duration = Duration::from_secs(1);

/// What `bursar demo` opens on is all there after this: prices come one by one, and the unresolved payment resolves.
const WHILE: Duration = Duration::from_secs(100);

/// The largest file that a page of README should load.
const MAX_BYTES: usize = 200_000;

/// Somebody who was never paid.
const STRANGER: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

fn scene(scene: Scene) -> Session {
    let mut session =
        Session::with(Setup { scene: Some(scene), size: SIZE, poll_period: 30 * SECOND, ..Setup::default() });
    session.passes(8 * SECOND);
    session
}

/// Compares a picture with its file, or writes the file.
fn check(name: &str, theme: ThemeName, picture: &str) {
    assert!(picture.len() <= MAX_BYTES, "{name} has {} bytes", picture.len());
    let file = folder().join(format!("{name}-{}.svg", theme.config_name()));
    if std::env::var_os("BURSAR_WRITE").is_some() {
        fs::create_dir_all(folder()).unwrap();
        fs::write(&file, picture).unwrap();
    }
    let previous = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        previous == picture,
        "{} shows another screen than the program: look at the screen, then draw anew with\n\n    \
         .ci/draw\n",
        file.display()
    );
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/pictures")
}

fn still(name: &str, title: &str, session: &Session) {
    for theme in THEMES {
        check(name, theme, &svg::still(&session.fixed_buffer(theme), theme, title));
    }
}

#[test]
fn a_review_with_a_danger() {
    let mut session = scene(Scene::Poisoning);
    let ledger = session.service().ledger();
    let workspace_number = ledger.workspaces().unwrap()[0].number;
    let rows = ledger.transactions(workspace_number, &TransactionFilter::default(), session.now()).unwrap().data;
    let dust = rows.iter().find(|row| row.tx_type == "incoming" && row.token_symbol == "USDT").unwrap();
    let forged = dust.from_address.clone().unwrap();
    session.reviews("eth-main", "USDT", "18400", &forged);
    session.passes(2 * SECOND);
    session.keys("'18400' Enter");
    still("danger", "A review before sending, with a DANGER: the address imitates one that was paid before", &session);
}

#[test]
fn an_order_of_unknown_outcome() {
    let mut session = scene(Scene::Incident);
    session.opens_order();
    session.sees("We do not know whether this payment was made.");
    still("unknown", "An order whose answer was lost: its outcome is unknown, and what happens next", &session);
}

/// One session, since it takes a while to open on everything.
#[test]
fn the_pages_of_the_demo_and_a_payment() {
    let mut session = Session::with(Setup { scene: Some(Scene::Showcase), size: SIZE, ..Setup::default() });
    session.passes(WHILE);
    session.sees("in 24 h");
    still("overview", "The Overview: accounts, wallets, balances with their value, recent transactions", &session);

    session.keys("3 / 'dir:out' Blank 'token:usdc' Blank 'amount:>100' Enter");
    session.sees("fees");
    still("filter", "The history filtered while one types, with the sum of what is left", &session);

    session.keys("Esc 1 Tab Tab / 'usdc' Blank 'ethereum' Enter t t t");
    session.sees("In and out · USDC Ethereum");
    still("chart", "What came in and went out each day, with exact figures", &session);

    session.keys("Esc Esc Esc BackTab BackTab p");
    still("veil", "The same screen under the veil: no figure, name or address can be read", &session);

    session.keys("p b 'base-ops' Enter 'USDC' Enter Enter Enter");
    session.pastes(&format!(
        "address,amount,label\n{STRANGER},1200,Fjord Rope and Sail\n0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359,8x0,Zebra Stores\n\
         0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb,310.25,Quay Logistics\n"
    ));
    session.keys("f");
    still("batch", "A batch of payments from a file, with an error beside the row that has it", &session);

    session.keys("Esc Esc");
    payment(&mut session);
}

/// A payment from the key that opens its form to the order that has settled.
fn payment(session: &mut Session) {
    fills_in(session, "Fjord Rope and Sail", "base", STRANGER, "");
    session.keys("Enter 1");
    let mut story = Story::default();
    let middle = &STRANGER[challenge_range(STRANGER)];
    story.shows(session, &[], "a treasury, live: what there is, where, and what moves", 2_800);
    session.keys("Tab j");
    story.shows(session, &["Tab", "j"], "choose a wallet", 1_400);
    session.keys("w");
    story.shows(session, &["w"], "and pay from it", 1_600);
    session.keys("'usdc'");
    story.shows(session, &["usdc"], "fields complete from what is known", 1_400);
    session.keys("Enter 'fjord'");
    story.shows(session, &["Enter", "fjord"], "a name from the address book", 1_600);
    session.keys("Down Enter");
    story.shows(session, &["Down", "Enter"], "each field is checked as you leave it", 1_600);
    session.keys("'250'");
    story.shows(session, &["250"], "", 1_200);
    session.keys("Enter 'inv-2210'");
    story.shows(session, &["Enter", "inv-2210"], "a note that stays with the payment", 1_400);
    session.keys("Enter Enter");
    session.sees("Review");
    session.passes(2 * SECOND);
    story.shows(session, &["Enter", "Enter"], "the review is read back from the bytes that will be sent", 3_600);
    session.keys("'250'");
    story.shows(session, &["250"], "type the amount", 1_400);
    session.keys(&format!("Enter '{middle}'"));
    story.shows(session, &["Enter", middle], "and four characters from the middle of a new recipient", 2_000);
    session.keys("Enter");
    story.shows(session, &["Enter"], "on disk first, then sent: once", 2_200);
    session.opens_order();
    story.shows(session, &["4", "Enter"], "the order tells what happened and what comes next", 2_400);
    session.passes(6 * SECOND);
    story.shows(session, &[], "the chain confirms", 1_600);
    session.passes(Duration::from_mins(1));
    session.sees("settled");
    story.shows(session, &[], "settled: the history shows it", 3_600);
    session.keys("Esc 1");
    session.passes(2 * SECOND);
    story.shows(session, &["Esc", "1"], "and the balance has what is left", 3_000);
    for (theme, frames) in THEMES.into_iter().zip(&story.frames) {
        assert!((12..=20).contains(&frames.len()), "{} frames", frames.len());
        check("payment", theme, &svg::animation(frames, theme, "A payment, from the key to the settled order"));
    }
}

/// The frames of an animation in each theme.
#[derive(Default)]
struct Story {
    frames: [Vec<Frame>; 2],
}

impl Story {
    /// Adds the screen and, below it, the keys that were just pressed and what they are for.
    fn shows(&mut self, session: &Session, keys: &[&str], caption: &str, millis: u64) {
        for (theme, frames) in THEMES.into_iter().zip(&mut self.frames) {
            let buffer = session.fixed_buffer(theme);
            let mut cells = Buffer::empty(Rect { height: buffer.area.height + 2, ..buffer.area });
            for (cell, source) in cells.content.iter_mut().zip(&buffer.content) {
                *cell = source.clone();
            }
            let (mut x, y) = (1, buffer.area.height + 1);
            for key in keys {
                (x, _) = cells.set_stringn(x, y, format!(" {key} "), 40, Style::new().add_modifier(Modifier::REVERSED));
                x += 1;
            }
            cells.set_stringn(
                x + u16::from(!keys.is_empty()),
                y,
                caption,
                80,
                Style::new().add_modifier(Modifier::BOLD),
            );
            frames.push(Frame { cells, duration: Duration::from_millis(millis) });
        }
    }
}
