//! What each scene of the demo promises, on the screen.

use std::time::Duration;

use bursar::domain::history::HistoryRow;
use bursar::domain::{Text, shorten_address};
use bursar::guard::{Rule, Severity};
use bursar::service::Scene;
use bursar::service::ledger::{TransactionFilter, render};

use super::harness::{Session, Setup};
use super::history::rows;
use super::pty::PtySession;

/// How often the service is read here: it is slow at times by a real clock.
const SELDOM: Duration = Duration::from_secs(30);

fn opens_on(scene: Scene) -> Session {
    Session::with(Setup { scene: Some(scene), poll_period: SELDOM, ..Setup::default() })
}

#[test]
fn a_calm_morning_has_nothing_on_its_way() {
    let mut session = opens_on(Scene::Calm);
    session.sees("Treasury");
    session.sees_no("pending");
    session.keys("3 / 'status:failed'");
    session.sees("nothing matches");
}

#[test]
fn a_busy_day_has_much_on_its_way_for_many() {
    let mut session = opens_on(Scene::Busy);
    let header = session.screen().lines().next().unwrap().to_owned();
    let pending = header.split(" pending").next().unwrap().rsplit(' ').next().unwrap();
    assert!(pending.parse::<u32>().unwrap() >= 12, "{header}");
    session.keys("2");
    session.sees("of 101");
}

#[test]
fn an_incident_opens_with_a_payment_of_which_nobody_knows_and_the_history_tells_in_the_end() {
    let mut session = opens_on(Scene::Incident);
    session.sees("1 unresolved");
    let lost_order = session.order();
    lost_order.is("unknown", "its answer was lost");
    assert_eq!(lost_order.executions, 1, "the service has executed it all the same");
    session.opens_order();
    session.sees("We do not know whether this payment was made.");
    session.sees("who typed “(nobody: sent by the scene of the demo");

    // Paying it once more is a danger that wants its words.
    let payment = lost_order.intent.drafted.draft.single_payment().unwrap().clone();
    session.keys("Esc Esc");
    session.reviews("eth-main", "USDC", &payment.amount, &payment.to);
    let (findings, _) = session.judgement().unwrap();
    let duplicate = findings.iter().find(|finding| finding.rule == Rule::Duplicate).expect("no word of the other one");
    assert!(duplicate.severity >= Severity::Danger, "{duplicate:?}");
    session.keys("Esc Esc Esc Esc");

    // For a minute and a half the history does not show it.
    session.passes(Duration::from_mins(1));
    let lost_report = |session: &Session| {
        session.orders().into_iter().find(|report| report.intent.id == lost_order.intent.id).unwrap()
    };
    lost_report(&session).is("unknown", "the history does not show it yet");
    session.passes(Duration::from_mins(4));
    let report = lost_report(&session);
    report.is("settled", "the history shows it by now");
    assert_eq!((report.executions, report.intent.attempts.len()), (1, 1), "it was sent once");
    session.sees_no("unresolved");

    session.keys("Esc Esc Esc 3 / 'status:failed' Enter");
    session.sees("23,880.5");
}

#[test]
fn poison_is_told_from_whom_it_imitates_when_somebody_pays_it() {
    let mut session = opens_on(Scene::Poisoning);
    let contact = session.service().scene_extras().unwrap().unwrap().seed.contacts.remove(0);
    let ledger = session.service().ledger();
    let workspace_number = ledger.workspaces().unwrap()[0].number;
    let rows = ledger.transactions(workspace_number, &TransactionFilter::default(), session.now()).unwrap().data;
    let dust = rows.iter().find(|row| row.tx_type == "incoming" && row.token_symbol == "USDT").unwrap();
    let forged = dust.from_address.clone().unwrap();

    // It stands among the newest rows, between the payment and the token that imitates the one paid in. Shortened it would
    // look the same as whom it imitates, who stands there by name.
    session.keys("3 h");
    session.sees("18,400");
    assert_ne!(forged, contact.address.as_str());
    assert_eq!(shorten_address(&forged), shorten_address(&contact.address), "case and all");
    let rows: Vec<String> = session.screen().lines().map(str::to_owned).collect();
    let row_of = |amount: &str| rows.iter().find(|row| row.contains(amount)).unwrap_or_else(|| panic!("{rows:#?}"));
    let (genuine, alike) = (row_of("−18,400"), row_of("+0.000002"));
    assert!(genuine.contains("↑ out") && genuine.contains("Norrla"), "{genuine}");
    assert!(alike.contains("↓ in") && alike.contains(" ?0x") && !alike.contains("Norrla"), "{alike}");
    assert!(!alike.contains(&shorten_address(&forged)), "{alike}");
    session.keys("7");
    session.sees("Norrland Shipping");

    session.reviews("eth-main", "USDT", "18400", &forged);
    let (findings, _) = session.judgement().unwrap();
    let alike = findings.iter().find(|finding| finding.rule == Rule::LookAlike).expect("the guard says nothing");
    assert_eq!(alike.severity, Severity::Danger);
    assert!(alike.message.contains("Norrland Shipping"), "{}", alike.message);
    let lines = alike.lines.join("\n");
    assert!(lines.contains(&forged) && lines.contains(contact.address.as_str()), "{lines}");
    session.keys("Esc Esc Esc Esc");

    // The real one is paid without a word of it.
    session.reviews("eth-main", "USDT", "18400", &contact.address);
    let (findings, _) = session.judgement().unwrap();
    assert!(findings.iter().all(|finding| finding.rule != Rule::LookAlike), "{findings:#?}");
}

/// What the scene of a forged address holds: the genuine address, the history, and the address that imitates the first.
struct Poisoning {
    contact_address: Text,
    rows: Vec<render::Transaction>,
    forged: String,
}

impl Poisoning {
    fn of(session: &Session) -> Self {
        let contact_address = session.service().scene_extras().unwrap().unwrap().seed.contacts.remove(0).address;
        let ledger = session.service().ledger();
        let workspace_number = ledger.workspaces().unwrap()[0].number;
        let rows = ledger.transactions(workspace_number, &TransactionFilter::default(), session.now()).unwrap().data;
        let dust = rows.iter().find(|row| row.tx_type == "incoming" && row.token_symbol == "USDT").unwrap();
        let forged = dust.from_address.clone().unwrap();
        Self { contact_address, rows, forged }
    }
}

#[test]
fn y_on_an_address_that_resembles_another_says_so_before_it_copies() {
    let mut session = opens_on(Scene::Poisoning);
    let Poisoning { contact_address, rows, forged } = Poisoning::of(&session);
    let of_forged = rows.iter().filter(|row| row.from_address.as_ref() == Some(&forged));
    let ids: Vec<String> = of_forged.map(|row| row.id.clone()).collect();
    session.keys(&format!("3 h / 'from:{forged}' Enter j y j j"));
    session.sees("Counterparty address");
    session.keys("y");
    session.sees("LOOK TWICE:");
    session.sees(&forged);
    session.sees(&contact_address);
    session.sees("Nothing was copied; press y to copy");
    session.sees("it anyway.");
    assert_eq!(session.clipboard, None);
    // Another line of the same row is not what was warned of.
    session.keys("k y");
    assert!(session.clipboard.as_ref().is_some_and(|id| ids.contains(id)), "{:?} of {ids:?}", session.clipboard);
    session.keys("y j j y");
    session.sees("LOOK TWICE:");
    assert_ne!(session.clipboard.as_deref(), Some(forged.as_str()), "it is said each time anew");
    session.keys("y");
    assert_eq!(session.clipboard.as_deref(), Some(forged.as_str()));
    // Whom it imitates is copied at once.
    session.clipboard = None;
    session.keys(&format!("/ C-u 'to:{contact_address}' Blank 'dir:out' Enter j y j j"));
    session.sees("Counterparty address");
    session.keys("y");
    session.sees_no("LOOK TWICE:");
    assert_eq!(session.clipboard.as_deref(), Some(contact_address.as_str()));
}

/// Rows whose other side resembles a known address are marked before anybody copies from them, and the row says whom.
#[test]
fn rows_of_a_forged_address_are_marked_in_every_list_and_those_of_the_genuine_one_are_not() {
    for size in [(80, 24), (120, 36), (200, 60)] {
        let scene = Some(Scene::Poisoning);
        let mut session = Session::with(Setup { scene, size, poll_period: SELDOM, ..Setup::default() });
        let Poisoning { contact_address, forged, .. } = Poisoning::of(&session);
        let marked = |session: &Session| -> Vec<bool> {
            let screen = session.screen();
            let rows = screen.lines().filter(|line| line.contains("↓ in") || line.contains("↑ out"));
            // Beside the other side, or beside the way where its column has no room.
            rows.map(|line| line.contains("?0x") || line.contains(" in ?") || line.contains("out?")).collect()
        };
        session.keys(&format!("3 / 'from:{forged}' Enter"));
        session.sees("only hidden rows match; h shows them");
        session.keys("h");
        let rows = marked(&session);
        assert!(!rows.is_empty() && rows.iter().all(|is_marked| *is_marked), "{size:?}\n{}", session.screen());
        session.keys("j Enter");
        session.sees("LOOK TWICE: this address begins and ends like");
        let whole: String = session.screen().split_whitespace().collect();
        assert!(whole.contains(contact_address.as_str()), "{}", session.screen());
        session.keys(&format!("Esc / C-u 'to:{contact_address}' Blank 'dir:out' Enter"));
        let rows = marked(&session);
        assert!(!rows.is_empty() && !rows.contains(&true), "{size:?}\n{}", session.screen());
    }
}

/// A list says how many it leaves out, also of what a filter matches, and shows them where somebody asks.
#[test]
fn rows_that_deceive_stand_in_no_list_until_they_are_asked_for() {
    let mut session = opens_on(Scene::Poisoning);
    let Poisoning { forged, .. } = Poisoning::of(&session);
    let looks_alike = |session: &Session| session.screen().contains("?0x") || session.screen().contains("?USDТ");
    let hidden = |session: &Session| -> u64 {
        let line = session.line("hidden (h)");
        let (before, _) = line.split_once(" hidden (h)").unwrap();
        before.rsplit(' ').next().unwrap().parse().unwrap()
    };
    session.keys("3");
    assert!(!looks_alike(&session), "{}", session.screen());
    let of_all = hidden(&session);
    session.keys("h");
    assert!(looks_alike(&session), "{}", session.screen());
    session.sees_no("hidden (h)");
    let is_forged = |address: &Text| address.as_str() == forged;
    let deceives = |row: &HistoryRow| row.suspicious || row.transaction.counterparty().is_some_and(is_forged);
    assert_eq!(rows(&session, deceives).len() as u64, of_all);
    session.keys("h / 'dir:in' Enter");
    assert!(!looks_alike(&session) && hidden(&session) <= of_all, "{}", session.screen());
    session.keys("x");
    session.sees("that deceive are hidden (h)");
    // Shown under a filter, they are hidden again once it is left.
    session.keys("Esc h");
    assert!(looks_alike(&session), "{}", session.screen());
    session.keys("Esc");
    assert!(!looks_alike(&session) && hidden(&session) == of_all, "{}", session.screen());
}

/// It stands at the end of a list that is longer than its pane.
#[test]
fn the_token_that_imitates_another_is_on_screen_as_soon_as_it_is_asked_for() {
    for size in [(80, 24), (120, 36), (200, 60)] {
        let scene = Some(Scene::Poisoning);
        let mut session = Session::with(Setup { scene, size, poll_period: SELDOM, ..Setup::default() });
        session.keys("1");
        let is_shown = |session: &Session| session.screen().contains("▌?USDТ");
        assert!(!is_shown(&session));
        session.keys("h");
        assert!(is_shown(&session), "at {size:?}:\n{}", session.screen());
        session.keys("h");
        assert!(!is_shown(&session));
        session.sees("1 hidden (h)");
    }
}

#[test]
fn a_scene_says_to_the_presenter_what_there_is_to_show() {
    for (scene, veil) in [(Scene::Incident, None), (Scene::Poisoning, Some("--veil"))] {
        let arguments: Vec<&str> = ["demo", "--scene", scene.name()].into_iter().chain(veil).collect();
        let mut terminal = PtySession::open_with(&arguments, &[]);
        terminal.waits_for(scene.presenter_cues()[0]);
        terminal.waits_for("Transactions");
        terminal.types("6");
        for cue in scene.presenter_cues() {
            terminal.waits_for(cue);
        }
        if scene == Scene::Incident {
            terminal.waits_for("1 unresolved");
        }
        terminal.types("q");
        assert!(terminal.ends().success());
        terminal.is_whole();
    }
}
