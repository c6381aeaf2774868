//! The veil: nothing that the service told of anybody stands on a veiled screen, whatever page is shown.
//!
//! The test knows no view. It collects every name, address, identifier, reference and amount that the store holds, walks
//! through every page at every size while the screen is veiled, and looks for each of them, and for their parts that a
//! narrow column would leave.

use std::collections::BTreeSet;
use std::time::Duration;

use bursar::domain::history::{Query, Scope, WindowAnchor, WindowRequest};
use bursar::domain::watch::{AlertChannels, Watch, WatchCondition, WatchScope};
use bursar::domain::{Amount, ReportedAmount, Text};
use bursar::service::Fault;
use bursar::store::Cancel;

use super::harness::{Session, Setup};
use super::pty::PtySession;

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 36), (200, 60)];
const TO: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

/// What a batch pays.
const BATCH: [(&str, &str); 2] = [
    ("0x8617e340b3d01fa5f11f306f4090fd50e238070d", "31.4159"),
    ("0xde709f2102306220921060314715629080e2fb77", "27.1828"),
];
/// What a swap sells.
const SOLD: &str = "25.4321";

/// What must not be seen.
#[derive(Default)]
struct Secrets(BTreeSet<String>);

impl Secrets {
    fn text(&mut self, text: &str) {
        if text.chars().count() >= 4 {
            self.0.insert(text.to_owned());
        }
        // As far as a narrow column would show it.
        let short = bursar::domain::address::shorten_address(text);
        if short.chars().count() >= 9 {
            self.0.insert(short);
        }
    }

    fn texts<'a>(&mut self, texts: impl IntoIterator<Item = Option<&'a Text>>) {
        texts.into_iter().flatten().for_each(|text| self.text(text));
    }

    fn amount(&mut self, amount: Option<Amount>) {
        if let Some(amount) = amount {
            for figure in [amount.raw_digits().to_string(), amount.format_grouped(), amount.to_string()] {
                if figure.chars().filter(char::is_ascii_digit).count() >= 4 {
                    self.0.insert(figure);
                }
            }
        }
    }

    /// Everything of anybody that the store holds.
    fn of(session: &Session) -> Self {
        let (store, mut secrets) = (session.store(), Self::default());
        let span = WindowRequest { query: Query::default(), anchor: WindowAnchor::Rank(0), rows: 10_000 };
        let mut rows = Vec::new();
        store.query_history(&span, &Cancel::new(), &mut |window| rows = window.rows).unwrap();
        for row in rows {
            let row_of = &row.transaction;
            secrets.texts([
                row.wallet_name.as_ref(),
                row_of.from_address.as_ref(),
                row_of.to_address.as_ref(),
                row_of.tx_hash.as_ref(),
                row_of.ref_id.as_ref(),
                row_of.idempotency_key.as_ref(),
                row_of.note.as_ref(),
            ]);
            secrets.text(row_of.id.as_str());
            row_of.user.iter().for_each(|id| secrets.text(id.as_str()));
            row_of.wallet.iter().for_each(|id| secrets.text(id.as_str()));
            row_of.account.iter().for_each(|id| secrets.text(id.as_str()));
            for amount in [&row_of.amount, &row_of.total_amount, &row_of.total_fee] {
                secrets.amount(amount.as_ref().map(ReportedAmount::even_if_disputed));
            }
        }
        for account in store.accounts().unwrap() {
            secrets.texts([account.entry.name.as_ref()]);
            secrets.text(account.entry.id.as_str());
        }
        for wallet in store.wallets(&Scope::All, "", 0, 10_000).unwrap().rows {
            let of = wallet.entry;
            secrets.texts([of.name.as_ref(), of.address.as_ref(), of.ref_id.as_ref()]);
            secrets.text(of.id.as_str());
        }
        for user in store.users(&Scope::All, "", 0, 10_000).unwrap().rows {
            let of = user.entry;
            secrets.texts([of.display_name.as_ref(), of.email.as_ref(), of.ref_id.as_ref()]);
            secrets.text(of.id.as_str());
        }
        for holding in store.holdings(&Scope::All).unwrap() {
            secrets.amount(holding.amount.as_ref().map(ReportedAmount::even_if_disputed));
        }
        secrets.text("Harbour Trading");
        secrets.text(session.service().base_url());
        secrets.text(TO);
        secrets
    }

    #[track_caller]
    fn are_not_on(&self, screen: &str, wher: &str) {
        for secret in &self.0 {
            assert!(!screen.contains(secret.as_str()), "{wher}: “{secret}” on\n{screen}");
        }
    }
}

/// Keys that lead through every page, pane, popup and detail. What the veil refuses is pressed all the same.
const WALK: &[&str] = &[
    "1",
    "j",
    "j",
    "Enter",
    "j",
    "Enter",
    "Tab",
    "j",
    "z",
    "z",
    "h",
    "t",
    "Esc",
    "a",
    "Esc",
    "Tab",
    "j",
    "Enter",
    "y",
    "v",
    "Esc",
    "x",
    "Esc",
    "w",
    "Esc",
    "n",
    "Esc",
    "e",
    "Esc",
    "i",
    "Esc",
    "d",
    "Blank",
    "o",
    "o",
    "f",
    "Esc",
    "/",
    "Esc",
    "2",
    "j",
    "Enter",
    "Tab",
    "j",
    "Tab",
    "j",
    "Enter",
    "Esc",
    "Tab",
    "j",
    "Enter",
    "Esc",
    "Tab",
    "j",
    "Enter",
    "Esc",
    "Esc",
    "3",
    "j",
    "j",
    "Enter",
    "C-d",
    "v",
    "y",
    "Esc",
    "Blank",
    "x",
    "Esc",
    "y",
    "Esc",
    "o",
    "o",
    "o",
    "f",
    "j",
    "Esc",
    "/",
    "'usdc'",
    "Tab",
    "Esc",
    "t",
    "Esc",
    "4",
    "j",
    "Enter",
    "C-d",
    "G",
    "y",
    "c",
    "S",
    "W",
    "X",
    "Esc",
    "5",
    "j",
    "Tab",
    "j",
    "Tab",
    "j",
    "6",
    "j",
    "Enter",
    "Esc",
    "?",
    "G",
    "Esc",
    ":",
    "'wallet'",
    "Esc",
    "T",
    "P",
    "P",
    "]",
    "[",
    "r",
    "L",
    "L",
    "'nonsense'",
    "Enter",
    "Esc",
    "Esc",
    "Esc",
    "Esc",
    "1",
];

#[test]
fn nothing_of_anybody_is_on_a_veiled_screen_wherever_one_goes() {
    for size in SIZES {
        let mut session = Session::with(Setup { transactions: 120, ..Setup::default() });
        session.reviews("base-ops", "USDC", "1234.567", TO);
        session.confirms();
        session.passes(Duration::from_secs(5));
        session.keys("Esc Esc");
        session.reviews_batch("base-ops", "USDC", &BATCH);
        session.confirms();
        session.passes(Duration::from_secs(5));
        session.keys("Esc Esc");
        session.reviews_swap("base-ops", "USDC", SOLD, "ETH");
        session.confirms();
        session.passes(Duration::from_mins(3));
        session.resizes(size.0, size.1);
        session.keys("Esc Esc 1 2 j j 1");
        let mut secrets = Secrets::of(&session);
        for report in session.orders() {
            secrets.text(&report.intent.id.to_string());
            secrets.text(&report.intent.drafted.request.body);
            secrets.text(&report.intent.drafted.request.key.unwrap().to_string());
            secrets.amount(report.intent.confirmed_quote().map(|quote| quote.amount));
            secrets.amount(report.intent.proceeds().map(|proceeds| proceeds.amount));
        }
        assert_eq!(session.orders().len(), 3, "a payment, a batch and a swap");
        for (to, amount) in BATCH {
            secrets.text(to);
            secrets.text(amount);
        }
        secrets.text(SOLD);
        secrets.text("1234.567");
        secrets.text("1,234.567");
        assert!(secrets.0.len() > 300, "{} texts to look for", secrets.0.len());
        // It would be noticed: without the veil they are there.
        let mut open = session.screen();
        session.keys("3");
        open += &session.screen();
        session.keys("1");
        assert!(secrets.0.iter().filter(|secret| open.contains(secret.as_str())).count() > 10, "{open}");

        session.keys("p");
        session.sees("veiled");
        for keys in WALK {
            session.keys(keys);
            secrets.are_not_on(&session.screen(), keys);
        }
        // What goes wrong is told in words that may hold anything.
        for fault in [Fault::Html, Fault::KeyRejected] {
            session.fault(fault);
            session.passes(Duration::from_secs(90));
            for page in ["1", "2", "3", "4", "5", "6"] {
                session.keys(page);
                secrets.are_not_on(&session.screen(), page);
            }
        }
        assert_eq!(session.clipboard, None, "nothing is copied through the veil");
        session.keys("p");
        session.sees("the veil is lifted");
        session.keys("1");
        assert!(secrets.0.iter().any(|secret| session.screen().contains(secret.as_str())), "{}", session.screen());
    }
}

#[test]
fn a_veiled_console_pays_copies_exports_and_imports_nothing_and_says_why() {
    let mut session = Session::with(Setup { transactions: 60, veiled: true, ..Setup::default() });
    session.sees("veiled");
    for key in ["w", "b", "s", "n", "e", "i", "a", "t", "y"] {
        session.keys("1");
        session.keys(key);
        session.sees("the veil is on; p lifts it");
    }
    session.keys("3 j x");
    session.sees("the veil is on; p lifts it");
    session.keys("Enter v");
    session.sees("the veil is on; p lifts it");
    assert!(session.orders().is_empty() && session.clipboard.is_none());
    // The palette says so, too.
    session.keys("Esc :");
    session.types("pay from a wallet");
    session.sees("not now: the veil is on");
}

#[test]
fn the_same_thing_has_the_same_stand_in_on_every_page_and_amounts_tell_no_magnitude() {
    let mut session = Session::with(Setup { transactions: 60, veiled: true, ..Setup::default() });
    let screen = session.screen();
    let wallet = screen.split_whitespace().zip(screen.split_whitespace().skip(1)).find(|(word, _)| *word == "wallet");
    let (_, letters) = wallet.expect("a wallet's stand-in");
    let letters = letters.to_owned();
    session.keys("3 / Esc");
    session.keys("1");
    session.sees(&letters);
    // Every amount is as long as every other.
    session.keys("3");
    let screen = session.screen();
    let signed_figures = screen.split_whitespace().filter_map(|word| word.strip_prefix(['+', '−']));
    let figures: BTreeSet<usize> = signed_figures.map(|figure| figure.chars().count()).collect();
    assert_eq!(figures.len(), 1, "{figures:?}\n{screen}");
    assert!(screen.matches('•').count() > 60, "{screen}");
    // Statuses, tokens, chains, times and the environment stay.
    for text in ["testnet", "USDC", "Ethereum", "success"] {
        session.sees(text);
    }
}

#[test]
fn what_was_filtered_by_before_the_veil_is_not_shown_when_a_filter_is_opened_under_it() {
    let mut session = Session::with(Setup { transactions: 60, ..Setup::default() });
    for list in ["1", "1 Tab", "1 Tab Tab", "2", "3", "5", "6", "7"] {
        session.keys(&format!("{list} / 'acme-0x5290' Enter"));
        session.sees("acme-0x5290");
        session.keys("p");
        session.sees("veiled");
        session.sees_no("acme");
        session.keys("/");
        session.sees_no("acme");
        // What is typed now is seen by whoever types it; nothing typed leaves the filter as it is.
        session.keys("Enter");
        session.sees_no("acme");
        session.keys("p");
        session.sees("acme-0x5290");
        session.keys("/ Esc");
    }
}

#[test]
fn what_is_said_as_a_console_opens_waits_for_the_veil_to_be_lifted() {
    let mut session = Session::unsettled(Setup { veiled: true, ..Setup::default() });
    session.is_opened_with("profile quay was not opened: no API key");
    session.sees("shown again once p lifts the veil");
    session.sees_no("quay");
    session.connect();
    session.keys("6");
    session.sees_no("quay");
    session.keys("p");
    session.sees("profile quay was not opened: no API key");
}

#[test]
fn somebody_who_is_called_to_a_veiled_screen_is_not_told_why() {
    let condition = WatchCondition::Below { limit: Amount::parse("999999999", 6).unwrap(), margin: Amount::zero(6) };
    let alert = AlertChannels { bell: true, notification: true };
    let (token, chain) = (Some("USDC".into()), Some("ethereum".into()));
    let scope = WatchScope::Account("Treasury".into());
    let mut session = Session::unsettled(Setup { veiled: true, ..Setup::default() });
    session.watches(vec![Watch { name: None, token, chain, scope, condition, max_age: None, alert, is_muted: false }]);
    session.connect();
    session.passes(Duration::from_secs(5));
    let calls = session.calls();
    assert_eq!(calls, [(alert, "a watch was raised; the screen is veiled".to_owned())]);
    session.keys("6");
    session.sees("watch");
    session.sees_no("Treasury");
    session.sees_no("999");
}

#[test]
fn nothing_of_anybody_is_ever_written_to_the_terminal_of_a_console_that_opens_veiled() {
    let mut terminal = PtySession::open_with(&["demo", "--veil"], &[]);
    terminal.waits_for("veiled");
    terminal.waits_for("live");
    for (keys, text) in [
        ("3", "─ Transactions ─"),
        ("", "▌"),
        ("j\r", "Hash"),
        ("2", "Reference"),
        ("4", "settled"),
        ("5", "Blockchains"),
        ("6", "About"),
        ("?", "show or close this help"),
        ("1", "Balances"),
        ("y", "the veil is on"),
        ("w", "the veil is on"),
    ] {
        terminal.types(keys);
        terminal.waits_for(text);
    }
    // While a payment is unresolved, the first one only asks.
    terminal.types("qq");
    assert!(terminal.ends().success());
    for text in ["Harbour", "Treasury", "Customers", "eth-main", "base-ops", "customer-", "http://127.0.0.1"] {
        terminal.never_showed(text);
    }
    // No text for the clipboard, and no call.
    terminal.never_showed("\x1b]52;");
    terminal.never_showed("\x1b]9;");
}
