//! `bursar status`: the total, what needs a person, and exit codes for whoever calls it.

use std::fs;
use std::process::Output;

use bursar::domain::attention::{AcknowledgementChange, AttentionId};
use bursar::domain::order::{ConsoleIdentity, ServiceDestination};
use bursar::domain::{Text, Timestamp};
use bursar::journal::{Journal, JournalLocation};
use serde_json::Value;
use uuid::Uuid;

use super::pty::PtySession;
use super::reports::{Desk, good, stderr_text};

/// Standard output of a run with this exit code.
fn output_text(output: &Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{}", stderr_text(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What was read before, with this exit code.
fn offline_status(desk: &Desk, code: i32) -> Value {
    serde_json::from_str(&output_text(&desk.run(&["status", "--json", "--offline"]), code)).unwrap()
}

/// What needs a person, and what it is about.
fn listed_items(status: &Value) -> Vec<(String, String)> {
    let items = status["needs_person"].as_array().unwrap().iter();
    items.map(|item| (item["kind"].as_str().unwrap().to_owned(), item["what"].as_str().unwrap().to_owned())).collect()
}

/// The journal of the desk, and where its profile leads.
pub(super) fn journal(desk: &Desk) -> (Journal, ServiceDestination) {
    let by = ConsoleIdentity { user: "ada".into(), host: "desk".into(), run: Uuid::from_u128(7) };
    let journal = Journal::open(&JournalLocation::Folder(desk.data().join("journal")), by).unwrap().journal;
    let to = ServiceDestination {
        profile: "harbour".into(),
        environment: None,
        base_url: desk.base_url.as_str().into(),
        key_mark: Text::default(),
    };
    (journal, to)
}

/// Somebody acknowledges everything that needs a person.
fn acknowledges_all(desk: &Desk) {
    let status = offline_status(desk, 3);
    let items = status["needs_person"].as_array().unwrap().iter();
    let changes = items.map(|item| AcknowledgementChange {
        item: AttentionId::from_text(item["item"].as_str().unwrap()),
        note: Some("seen".into()),
    });
    let (journal, to) = journal(desk);
    journal.record_acknowledgements(&to, changes.collect(), Timestamp::from_millis(0)).unwrap();
}

#[test]
fn status_has_the_list_of_the_screen_less_what_somebody_acknowledged() {
    let desk = Desk::serving(true);
    let output = output_text(&desk.run(&["status"]), 3);
    let status = offline_status(&desk, 3);
    let needs = listed_items(&status);
    assert!(needs.len() > 1, "{status}");
    assert!(output.contains(&format!("\n{} need you\n! {}: ", needs.len(), needs[0].0)), "{output}");
    let item = &status["needs_person"][0];
    assert!(item["advice"].is_string() && item["since"].is_string(), "{item}");

    // The page of the dashboard has the same items, in the same order.
    let home = desk.home().display().to_string();
    let data = desk.data().display().to_string();
    let environment = [("HOME", home.as_str()), ("BURSAR_API_KEY", &desk.api_key), ("BURSAR_DATA_DIR", &data)];
    let mut screen = PtySession::open_with(&[], &environment);
    screen.resizes(200, 60);
    screen.waits_for(" need you");
    screen.types("!");
    screen.waits_for("─ Needs you");
    let contents = screen.contents();
    let mut rest = contents.as_str();
    for (kind, subject) in &needs {
        let beginning: String = subject.chars().take(40).collect();
        let row = rest.lines().find(|line| line.contains(kind) && line.contains(&beginning));
        let row = row.unwrap_or_else(|| panic!("{kind}: {subject}\n{contents}"));
        rest = &rest[rest.find(row).unwrap()..];
    }
    // One of them is acknowledged there.
    screen.types("Aknown to Kim\r");
    screen.waits_for("1 acknowledged");
    screen.types("q");
    assert!(screen.ends().success());
    let output = output_text(&desk.run(&["status", "--offline"]), 3);
    assert!(output.contains(" you (1 more acknowledged)\n"), "{output}");
    let later = offline_status(&desk, 3);
    assert!(later["acknowledged"] == 1 && !listed_items(&later).contains(&needs[0]), "{later}");
    acknowledges_all(&desk);
    let quiet = offline_status(&desk, 0);
    assert_eq!(quiet["needs_person"], serde_json::json!([]));
    assert!(quiet["acknowledged"].as_u64() >= Some(needs.len() as u64), "{quiet}");
}

#[test]
fn status_states_the_total_and_what_it_lacks() {
    let desk = Desk::open();
    let output = output_text(&desk.run(&["status"]), 3);
    let total = output.lines().find(|line| line.starts_with("total    ")).unwrap();
    assert!(total.contains(" USDT (") && total.contains(" without price: ") && total.contains("prices "), "{total}");
    let status = offline_status(&desk, 3);
    let figure = total.split_whitespace().nth(1).unwrap().replace(',', "");
    assert_eq!(status["total"]["value"].as_str().unwrap(), figure, "{status}");
    assert!(status["total"]["prices_at"].is_string() && status["trouble"] == serde_json::json!([]), "{status}");
}

#[test]
fn status_is_quiet_while_all_is_well_and_says_what_needs_a_person() {
    let mut desk = Desk::open();
    // What was never read is not told as zero.
    let unread = good(&desk.run(&["status", "--offline"]));
    assert!(unread.contains("history  — rows") && unread.contains("pending  — transactions"), "{unread}");
    let unread: Value = serde_json::from_str(&good(&desk.run(&["status", "--json", "--offline"]))).unwrap();
    for count in ["rows", "pending", "unreadable"] {
        assert!(unread["history"][count].is_null(), "{unread}");
    }

    output_text(&desk.run(&["status"]), 3);
    acknowledges_all(&desk);
    let output = good(&desk.run(&["status"]));
    assert!(!output.contains("need you") && !output.contains("needs you"), "{output}");
    assert!(!output.contains("history  —") && !output.contains("pending  —"), "{output}");
    for text in ["harbour · environment not set", "read to its end; as of 20", "pending  ", "orders   0 open"] {
        assert!(output.contains(text), "{text} in\n{output}");
    }
    let status: Value = serde_json::from_str(&good(&desk.run(&["status", "--json", "--offline"]))).unwrap();
    assert_eq!(status["needs_person"], serde_json::json!([]));
    assert!(status["balances"].as_array().unwrap().iter().any(|row| row["amount"].is_string()));

    // A watch that is raised needs a person; one that cannot tell says why, and is no reason to call anybody.
    let config = desk.home().join(".config/bursar/config.toml");
    let profile = fs::read_to_string(&config).unwrap();
    let watch = |above: &str| {
        format!(
            "[[profiles.harbour.watch]]\ntoken = \"USDC\"\nchain = \"base\"\nabove = \"{above}\"\nmax_age = \"1h\"\n"
        )
    };
    let change = "[[profiles.harbour.watch]]\ntoken = \"USDC\"\nchange = \"1\"\nmax_age = \"1h\"\n";
    fs::write(&config, format!("{profile}{}{change}", watch("999999999999"))).unwrap();
    let output = good(&desk.run(&["status", "--offline"]));
    assert!(
        output.contains("watches  2, 0 raised") && output.contains("unknown      USDC changed by 1 in 1 h: "),
        "{output}"
    );
    fs::write(&config, format!("{profile}{}", watch("0.1"))).unwrap();
    let status = offline_status(&desk, 3);
    assert_eq!(status["watches"][0]["stands"], "raised");
    let needs = listed_items(&status);
    assert!(needs.len() == 1 && needs[0].0 == "watch raised", "{status}");
    assert!(needs[0].1.starts_with("USDC on base above 0.1: "), "{status}");
    fs::write(&config, profile).unwrap();

    // Orders of this profile whose fate is unknown, as an earlier run left them.
    fs::remove_dir_all(desk.data().join("journal")).unwrap();
    fs::create_dir_all(desk.data().join("journal")).unwrap();
    fs::write(desk.data().join("journal/journal.sqlite"), include_bytes!("../fixtures/journal-1.sqlite")).unwrap();
    let status = offline_status(&desk, 3);
    let orders = status["orders"].as_array().unwrap();
    let unresolved_count = orders.iter().filter(|order| order["unresolved"] == true).count();
    assert!(unresolved_count > 0 && unresolved_count <= status["needs_person"].as_array().unwrap().len(), "{status}");

    fs::remove_dir_all(desk.data().join("journal")).unwrap();
    desk.stop();
    let out = desk.run(&["status"]);
    assert_eq!(out.status.code(), Some(1), "trouble");
    let output = String::from_utf8(out.stdout).unwrap();
    assert!(output.contains("! the service could not be read") && output.contains("SHIB"), "{output}");
    assert!(desk.base_url.starts_with("http://127.0.0.1"));
}

#[test]
fn a_watch_on_what_is_not_there_needs_a_person_once_everything_was_read() {
    let desk = Desk::open();
    let config = desk.home().join(".config/bursar/config.toml");
    let profile = fs::read_to_string(&config).unwrap();
    let cases = [
        ("token = \"XYZ\"\nbelow = \"1\"", "XYZ below 1: the service lists no token called XYZ"),
        (
            "account = \"Nowhere\"\ntoken = \"USDC\"\nbelow = \"1\"",
            "USDC of Nowhere below 1: no account called Nowhere is known",
        ),
        (
            "wallet = \"none\"\npending_longer_than = \"1h\"",
            "of none pending longer than 1 h: no wallet called none is known",
        ),
        ("token = \"UDSC\"\npending_longer_than = \"1h\"", "UDSC pending longer than 1 h: the service lists no token"),
        ("token = \"TRX\"\nchain = \"base\"\nabove = \"1\"", "TRX on base above 1: the service lists no TRX on base"),
    ];
    let watches = cases.map(|(watch, _)| format!("[[profiles.harbour.watch]]\n{watch}\n")).concat();
    fs::write(&config, format!("{profile}{watches}")).unwrap();
    // Nobody can tell yet.
    let unread: Value = serde_json::from_str(&good(&desk.run(&["status", "--json", "--offline"]))).unwrap();
    assert_eq!(unread["needs_person"], serde_json::json!([]));
    let output = desk.run(&["status", "--json"]);
    assert_eq!(output.status.code(), Some(3));
    let status: Value = serde_json::from_slice(&output.stdout).unwrap();
    let needs = listed_items(&status);
    for (_, text) in cases {
        assert!(
            needs.iter().any(|(kind, subject)| kind == "watch unavailable" && subject.contains(text)),
            "{text}: {status}"
        );
    }
    assert!(status["watches"].as_array().unwrap().iter().all(|watch| watch["stands"] == "cannot tell"), "{status}");
    let doctor = String::from_utf8(desk.run(&["doctor", "--offline"]).stdout).unwrap();
    assert!(doctor.contains("0 of 5 refer to something known"), "{doctor}");
    assert!(doctor.contains("wrong  watches"), "{doctor}");
}

#[test]
fn data_of_another_network_need_a_person() {
    let desk = Desk::open();
    let config = desk.home().join(".config/bursar/config.toml");
    let profile = fs::read_to_string(&config).unwrap();
    for (network, alarms) in [("testnet", false), ("mainnet", true)] {
        fs::write(&config, format!("{profile}environment = \"{network}\"\n")).unwrap();
        let output = output_text(&desk.run(&["status"]), 3);
        assert_eq!(
            output.contains("! wrong network: ALARM: profile for mainnet, data from testnet"),
            alarms,
            "{output}"
        );
        assert_eq!(output.contains("`environment` in the profile should be testnet"), alarms, "{output}");
        let doctor = desk.run(&["doctor", "--offline"]);
        let report = String::from_utf8_lossy(&doctor.stdout).into_owned();
        assert_eq!(report.contains("wrong  network"), alarms, "{report}");
    }
}
