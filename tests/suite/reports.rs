//! What bursar tells without a screen: exports, status, statements, and what shells want to know of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use bursar::domain::Timestamp;
use bursar::runtime::Clock;
use bursar::service::{self, Options, RunningService, Sample, ServiceClock};
use bursar::store::{CacheLocation, Store};
use ruint::aliases::U256;
use secrecy::ExposeSecret;
use serde_json::Value;
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// A service with a sample business, whose time stands still, and the program in a home of its own.
pub(super) struct Desk {
    runtime: Runtime,
    service: Option<RunningService>,
    pub(super) base_url: String,
    pub(super) api_key: String,
    home: TempDir,
    now: Timestamp,
}

impl Desk {
    pub(super) fn open() -> Self {
        Self::serving(false)
    }

    /// The same with a service that lists accounts, wallets and users, if it does.
    pub(super) fn serving(with_lists: bool) -> Self {
        let runtime = Runtime::new().unwrap();
        let now = Clock::System.now();
        let options = Options {
            sample: Some(Sample { seed: 1, transactions: 400 }),
            clock: ServiceClock::manual(now),
            with_lists,
            ..Options::temporary()
        };
        let service = runtime.block_on(service::start(options)).unwrap();
        let (base_url, api_key) = (service.base_url().to_owned(), service.api_key().unwrap());
        let api_key = api_key.expose_secret().to_owned();
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join(".config/bursar");
        fs::create_dir_all(&folder).unwrap();
        let profile = format!("[profiles.harbour]\nbase_url = \"{base_url}\"\nsecrets = \"environment\"\n");
        fs::write(folder.join("config.toml"), profile).unwrap();
        Self { runtime, service: Some(service), base_url, api_key, home, now }
    }

    pub(super) fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::cargo_bin("bursar").unwrap();
        command.env_clear().env("HOME", self.home.path()).env("BURSAR_API_KEY", &self.api_key);
        command.env("BURSAR_DATA_DIR", self.data()).args(arguments).output().unwrap()
    }

    /// Has a shell run a line in the home folder.
    pub(super) fn runs_line(&self, line: &str) -> Output {
        let program = PathBuf::from(env!("CARGO_BIN_EXE_bursar"));
        let path = format!("{}:/usr/bin:/bin", program.parent().unwrap().display());
        let mut command = Command::new("bash");
        command.env_clear().env("HOME", self.home.path()).env("BURSAR_API_KEY", &self.api_key).env("PATH", path);
        command.env("BURSAR_DATA_DIR", self.data()).current_dir(self.home.path()).args(["-c", line]).output().unwrap()
    }

    pub(super) fn now(&self) -> Timestamp {
        self.now
    }

    pub(super) fn home(&self) -> &Path {
        self.home.path()
    }

    pub(super) fn data(&self) -> PathBuf {
        self.home.path().join("data")
    }

    /// The one folder of a cache.
    pub(super) fn cache(&self) -> PathBuf {
        let mut folders = fs::read_dir(self.data().join("cache")).unwrap();
        let folder = folders.next().unwrap().unwrap().path();
        assert!(folders.next().is_none());
        folder
    }

    pub(super) fn stop(&mut self) {
        if let Some(service) = self.service.take() {
            self.runtime.block_on(service.stop()).unwrap();
        }
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Standard output of a run that did what it was told.
pub(super) fn good(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(super) fn stderr_text(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json(output: &Output) -> Vec<Value> {
    serde_json::from_str(&good(output)).unwrap()
}

fn text<'a>(row: &'a Value, cell: &str) -> &'a str {
    row[cell].as_str().unwrap_or_else(|| panic!("{cell} of {row}"))
}

#[test]
fn transactions_are_exported_as_they_are_and_what_a_filter_names_alone() {
    let mut desk = Desk::open();
    let all = json(&desk.run(&["export", "transactions", "--format", "json"]));
    let ids: BTreeSet<&str> = all.iter().map(|row| text(row, "id")).collect();
    assert!(ids.len() >= 400 && ids.len() == all.len(), "{} rows", all.len());
    let filter = ["export", "transactions", "--format", "json", "--filter", "dir:out token:usdc amount:>=1000"];
    let filtered = json(&desk.run(&filter));
    let is_selected = |row: &&Value| {
        let whole = text(row, "amount").split('.').next().unwrap().parse::<u128>().unwrap();
        text(row, "direction") == "outgoing" && text(row, "token") == "USDC" && whole >= 1_000
    };
    let expected: Vec<&Value> = all.iter().filter(is_selected).collect();
    assert!(!expected.is_empty() && filtered.iter().collect::<Vec<_>>() == expected);

    let output = desk.run(&["export", "transactions", "--filter", "from:2026-13"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr_text(&output).contains("write a day 2026-11-01, a month 2026-11"), "{}", stderr_text(&output));
    for (filter, complaint) in [
        ("bogus:x", "no field is called bogus"),
        ("dir:sideways", "dir: takes in or out"),
        ("from:xyz", "from: takes a time (2026-11-01, yesterday, last month, -7d) or a part of an address"),
        ("status:stuck", "status: takes pending, success, failed"),
        ("age:>30", "age: write age:>30m"),
        ("value:>1000", "value: needs quotes"),
    ] {
        let output = desk.run(&["export", "transactions", "--filter", filter]);
        assert!(
            output.status.code() == Some(2) && stderr_text(&output).contains(complaint),
            "{}",
            stderr_text(&output)
        );
    }
    let output = desk.run(&["export", "orders", "--filter", "dir:out"]);
    assert!(output.status.code() == Some(2) && stderr_text(&output).contains("--filter selects transactions"));

    // Without the service nothing is passed off as fresh; offline the same rows are told with their age.
    desk.stop();
    let output = desk.run(&["export", "transactions"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    assert!(stderr_text(&output).contains("with --offline"), "{}", stderr_text(&output));
    let offline = desk.run(&["export", "transactions", "--format", "json", "--offline"]);
    assert_eq!(json(&offline), all);
    assert!(stderr_text(&offline).starts_with("bursar: as of 20"), "{}", stderr_text(&offline));
}

#[test]
fn a_console_that_has_the_cache_open_keeps_nobody_from_reading() {
    let desk = Desk::open();
    let before = json(&desk.run(&["export", "transactions", "--format", "json"]));
    let console = Store::open(&CacheLocation::Folder(desk.cache())).unwrap().store;
    assert_eq!(json(&desk.run(&["export", "transactions", "--format", "json"])), before);
    assert_eq!(json(&desk.run(&["export", "transactions", "--format", "json", "--offline"])), before);
    assert_eq!(console.progress().unwrap().rows, before.len() as u64);
}

#[test]
fn balances_are_exact_texts_that_say_how_they_are_known() {
    let desk = Desk::open();
    let rows = json(&desk.run(&["export", "balances", "--format", "json"]));
    let shib = rows.iter().find(|row| row["token"] == "SHIB").unwrap();
    assert_eq!(text(shib, "amount"), "589500000000000.123456789012345678");
    assert_eq!(text(shib, "amount_raw"), "589500000000000123456789012345678");
    for row in &rows {
        assert!(["assumed", "derived", "unknown"].contains(&text(row, "known")), "{row}");
        assert!(row["known"] == "unknown" || row["as_of"].is_string(), "{row}");
    }
}

#[test]
fn a_statement_leads_from_month_to_month_and_ends_at_the_balances() {
    let desk = Desk::open();
    let month = desk.now.format("%Y-%m");
    let first = Timestamp::parse_iso(&format!("{month}-01T00:00:00Z")).unwrap();
    let before = Timestamp::from_millis(first.millis() - 1).format("%Y-%m");
    let balances = json(&desk.run(&["export", "balances", "--format", "json"]));
    let statement = |month: &str| {
        let output = desk.run(&["statement", "--month", month, "--format", "json", "--offline"]);
        assert!(stderr_text(&output).contains("balances are calculated from the history"), "{}", stderr_text(&output));
        // The lines of accounts; the totals are sums of them.
        json(&output)
            .into_iter()
            .filter(|row| row["level"] == "token" || row["level"] == "imitation")
            .collect::<Vec<_>>()
    };
    let key = |row: &Value| ["account", "blockchain", "contract"].map(|cell| row[cell].clone().to_string());
    let by_key = |rows: &[Value], cell: &str| -> BTreeMap<[String; 3], Value> {
        rows.iter().map(|row| (key(row), row[cell].clone())).collect()
    };
    let (last, this) = (statement(&before), statement(&month));
    // What has ended closes with its end; what goes on closes with what was read, and says when that was.
    for (rows, is_closed) in [(&last, true), (&this, false)] {
        for row in rows {
            assert_eq!(text(row, "closing_at") == text(row, "ends"), is_closed, "{row}");
            assert!(text(row, "closing_at") <= text(row, "ends"), "{row}");
        }
    }
    let (closing, opening) = (by_key(&last, "closing"), by_key(&this, "opening"));
    assert!(!closing.is_empty() && closing.iter().all(|(key, amount)| opening[key] == *amount));
    // Every amount of this history is known, so that the sums are what the service states.
    let amounts = by_key(&balances, "amount");
    let closing = by_key(&this, "closing");
    assert_eq!(amounts.len(), closing.len());
    for (key, amount) in &amounts {
        assert_eq!(closing[key], *amount, "{key:?}");
    }
    let raw = |row: &Value, cell: &str| {
        let (whole, fraction) = text(row, cell).split_once('.').unwrap_or((text(row, cell), ""));
        format!("{whole}{fraction:0<18}").parse::<U256>().unwrap()
    };
    for row in &this {
        let outflow = ["out", "internal_out", "fees"].map(|cell| raw(row, cell)).into_iter().sum::<U256>();
        let inflow = ["opening", "in", "internal_in"].map(|cell| raw(row, cell)).into_iter().sum::<U256>();
        assert_eq!(inflow.checked_sub(outflow), Some(raw(row, "closing")), "{row}");
    }
    let output = desk.run(&["statement", "--month", "2026-1"]);
    assert!(output.status.code() == Some(2) && stderr_text(&output).contains("a month is written as 2026-11"));
    let output = desk.run(&["statement", "--month", "2199-01", "--offline"]);
    assert!(
        output.status.code() == Some(2) && stderr_text(&output).contains("has not begun"),
        "{}",
        stderr_text(&output)
    );
    assert!(stderr_text(&output).contains(&format!("is {month}")), "{}", stderr_text(&output));
}

#[test]
fn a_statement_marks_what_imitates_a_token_as_status_and_exports_do() {
    let desk = Desk::open();
    let marked = |arguments: &[&str]| -> Vec<String> {
        let rows = json(&desk.run(arguments));
        let marked = rows.iter().filter(|row| row["imitates_a_token"] == "true");
        let tokens: BTreeSet<String> = marked.map(|row| row["token"].as_str().unwrap().to_owned()).collect();
        tokens.into_iter().collect()
    };
    let month = desk.now.format("%Y-%m");
    assert_eq!(marked(&["export", "balances", "--format", "json"]), ["USDТ"]);
    assert_eq!(marked(&["export", "transactions", "--format", "json", "--offline"]), ["USDТ"]);
    assert_eq!(marked(&["statement", "--month", &month, "--format", "json", "--offline"]), ["USDТ"]);
}

#[test]
fn a_statement_of_a_month_without_transactions_says_from_when_to_when_there_are_any() {
    let desk = Desk::open();
    let output = desk.run(&["statement", "--month", "2001-02"]);
    assert_eq!(good(&output).lines().count(), 1, "the names of the columns alone");
    let all = json(&desk.run(&["export", "transactions", "--format", "json", "--offline"]));
    // What is pending has no time of the service yet, and stands where it was first seen.
    let at = |row: &Value| {
        ["created_at", "confirmed_at", "first_seen_at"]
            .iter()
            .find_map(|cell| row[*cell].as_str().map(|at| at[..16].to_owned()))
    };
    let times = || all.iter().filter_map(at);
    let (first, last) = (times().min().unwrap(), times().max().unwrap());
    let complaint = format!(
        "bursar: there is no transaction in 2001-02; the history that was read runs from {first}Z to {last}Z\n"
    );
    assert!(stderr_text(&output).contains(&complaint), "{complaint} in\n{}", stderr_text(&output));
}

/// The sums of a cell by token, over the lines of one level, in units of 10^-18.
fn sums_by_token(rows: &[Value], level: &str, cells: &[&str], token: &str) -> BTreeMap<String, U256> {
    let mut sums = BTreeMap::new();
    for row in rows.iter().filter(|row| row["level"] == level && row[token].is_string()) {
        let sum: &mut U256 = sums.entry(text(row, token).to_owned()).or_default();
        for cell in cells {
            let (whole, fraction) = text(row, cell).split_once('.').unwrap_or((text(row, cell), ""));
            *sum += format!("{whole}{fraction:0<18}").parse::<U256>().unwrap();
        }
    }
    sums.retain(|_, sum| !sum.is_zero());
    sums
}

#[test]
fn reports_add_up_to_the_statement_and_to_the_rows() {
    let desk = Desk::open();
    let run = |arguments: &[&str]| json(&desk.run(arguments));
    // The last whole month: this one may have begun a minute ago.
    let days_of_this_month: i64 = desk.now.format("%d").parse().unwrap();
    let month = Timestamp::from_millis(desk.now.millis() - days_of_this_month * 86_400_000).format("%Y-%m");
    let statement = run(&["statement", "--month", &month, "--format", "json"]);
    let offline = |arguments: &[&str]| run(&[arguments, &["--format", "json", "--offline"]].concat());
    let (earlier, months): (Vec<Value>, Vec<Value>) =
        offline(&["report", "months", "--months", "2"]).into_iter().partition(|line| line["month"] == "earlier");
    let of_month = |lines: Vec<Value>| lines.into_iter().filter(|line| line["month"] == *month).collect::<Vec<Value>>();
    let months = of_month(months);
    let fees = of_month(offline(&["report", "fees", "--months", "2"]));
    let counterparties = offline(&["report", "counterparties", "--period", &month]);
    let gas = offline(&["report", "gas"]);

    let movements = ["in", "out"];
    let expected = sums_by_token(&statement, "token", &movements, "token");
    assert!(expected.len() > 3, "{expected:?}");
    assert_eq!(sums_by_token(&statement, "token total", &movements, "token"), expected);
    assert_eq!(sums_by_token(&months, "token", &movements, "token"), expected);
    assert_eq!(sums_by_token(&counterparties, "token", &movements, "token"), expected);
    let fees_paid = sums_by_token(&statement, "token", &["fees"], "token");
    assert!(!fees_paid.is_empty());
    assert_eq!(sums_by_token(&months, "token", &["fees"], "token"), fees_paid);
    assert_eq!(sums_by_token(&fees, "token", &["fees"], "fee_token"), fees_paid);

    // With what was before the month, what came less what went is what is held.
    let ever = [earlier.clone(), months.clone()].concat();
    let [inflow, outflow] =
        [&["in"] as &[&str], &["out", "fees"]].map(|cells| sums_by_token(&ever, "token", cells, "token"));
    let closing = sums_by_token(&statement, "token total", &["closing"], "token");
    assert!(!earlier.is_empty() && closing.len() > 3, "{closing:?}");
    for (token, amount) in closing {
        assert_eq!(inflow[&token] - outflow.get(&token).copied().unwrap_or_default(), amount, "{token}");
    }

    // The same sums from the rows themselves, as the service reports them.
    let rows = offline(&["export", "transactions", "--filter", &format!("date:{month}")]);
    let address = |row: &Value, cell: &str| {
        format!("{} {}", text(row, "blockchain"), row[cell].as_str().unwrap_or("")).to_lowercase()
    };
    let own: BTreeSet<String> =
        offline(&["export", "wallets"]).iter().map(|wallet| address(wallet, "address")).collect();
    let mut from_rows: BTreeMap<String, U256> = BTreeMap::new();
    for row in &rows {
        let incoming = text(row, "direction") == "incoming";
        let is_counted = row["status"] == "success" || !incoming && row["status"] == "pending";
        let other = address(row, if incoming { "from" } else { "to" });
        let internal = matches!(text(row, "type"), "INTERNAL_TRANSFER" | "SWEEP") || own.contains(&other);
        if is_counted && !internal && row["imitates_a_token"] == "false" {
            let (whole, fraction) = text(row, "amount").split_once('.').unwrap_or((text(row, "amount"), ""));
            let amount: U256 = format!("{whole}{fraction:0<18}").parse().unwrap();
            *from_rows.entry(text(row, "token").to_owned()).or_default() += amount;
        }
    }
    from_rows.retain(|_, sum| !sum.is_zero());
    assert_eq!(from_rows, expected);

    // The token of the valuation has a price on any day, all others that of today at the nearest.
    let priced = |row: &&Value| row["level"] == "token" && row["token"] == "USDT";
    let tether = statement.iter().find(priced).unwrap();
    assert_eq!(tether["valued_in"], "USDT");
    let other = statement.iter().find(|row| row["level"] == "token" && row["token"] == "ETH").unwrap();
    assert!(
        text(other, "prices").starts_with("nearest day's price for ") && other["closing_value"].is_string(),
        "{other}"
    );
    let total = statement.iter().find(|row| row["level"] == "total").unwrap();
    assert!(total["fees_value"].is_string() && total["in"].is_null(), "{total}");
    // What imitates a token stands last, and alone.
    let imitations = statement.iter().skip_while(|row| row["level"] != "imitation");
    assert!(imitations.clone().count() > 0 && imitations.clone().all(|row| row["token"] == "USDТ"), "{statement:#?}");

    for wallet in gas.iter().filter(|wallet| wallet["runway_days"].is_string()) {
        assert!(!text(wallet, "burnt_in_30_days").is_empty() && !text(wallet, "held").is_empty(), "{wallet}");
    }
    let output = desk.run(&["report", "counterparties", "--period", "soon"]);
    assert!(
        output.status.code() == Some(2) && stderr_text(&output).contains("30d, 2026, 2026-11"),
        "{}",
        stderr_text(&output)
    );
}

#[test]
fn shells_and_man_learn_of_every_command() {
    let desk = Desk::open();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = good(&desk.run(&["completions", shell]));
        assert!(script.contains("statement") && script.contains("offline"), "{shell}");
    }
    let page = good(&desk.run(&["man"]));
    for text in [".TH bursar 1", "bursar\\-statement", "bursar\\-export", "Exit codes:", ".SH \"LOOK BACK\""] {
        assert!(page.contains(text), "{text}");
    }
}
