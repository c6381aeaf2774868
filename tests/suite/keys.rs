//! Profiles, keys and doctor from the outside; and a planted key that must turn up nowhere.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bursar::service::{self, Options, Sample};
use secrecy::ExposeSecret;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::keyring::Desk;
use super::pty::PtySession;

/// The program in a home of its own, without a session.
struct Shell {
    home: TempDir,
    variables: Vec<(String, String)>,
}

impl Shell {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let bus_address = format!("unix:path={}", home.path().join("no-bus").display());
        Self { home, variables: vec![("DBUS_SESSION_BUS_ADDRESS".into(), bus_address)] }
    }

    fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bursar"));
        command.env_clear().env("HOME", self.home.path()).args(arguments);
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs the program with something on its standard input; returns its exit code and all that it said.
    fn pipes(&self, arguments: &[&str], input: &str) -> (i32, String) {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // It may have said all that it has to say, and ended, without reading.
        let _reader_may_be_gone = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        (output.status.code().unwrap(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    }

    fn says(&self, arguments: &[&str]) -> (i32, String) {
        self.pipes(arguments, "")
    }

    /// The same, with what was laid out over several lines in one.
    fn says_in_one_line(&self, arguments: &[&str]) -> (i32, String) {
        let (code, output) = self.says(arguments);
        (code, output.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn file(&self, below: &str) -> PathBuf {
        self.home.path().join(below)
    }
}

/// The embedded service, and a runtime to run it.
fn serve() -> (Runtime, service::RunningService) {
    let runtime = Runtime::new().unwrap();
    let sample = Some(Sample { seed: 1, transactions: 40 });
    let service = runtime.block_on(service::start(Options { sample, ..Options::temporary() })).unwrap();
    (runtime, service)
}

#[test]
fn a_profile_is_added_listed_shown_used_and_removed_and_the_words_lead_on() {
    let shell = Shell::new();
    assert!(shell.says(&["profile", "list"]).1.contains("bursar profile add NAME --base-url URL"));
    let add = ["profile", "add", "harbour", "--base-url", "https://api.example.com/", "--environment", "mainnet"];
    let (code, output) = shell.says(&add);
    assert_eq!(code, 0);
    assert!(output.ends_with("next: bursar key set\nthen: bursar\n"), "{output}");
    let (code, output) = shell.says(&add);
    assert_eq!(code, 1);
    assert!(output.contains("there is a profile harbour already, for https://api.example.com"), "{output}");
    let add = ["profile", "add", "trial", "--base-url", "http://127.0.0.1:8460", "--read-only", "--poll-seconds", "9"];
    let (_, output) = shell.says(&add);
    assert!(output.contains("does not set mainnet or testnet"), "{output}");
    assert!(output.contains("next: bursar key set --profile trial\nthen: bursar --profile trial\n"), "{output}");

    let list = "* harbour  https://api.example.com  mainnet              keys: keyring\n  \
                  trial    http://127.0.0.1:8460    environment not set  keys: keyring  read-only\n";
    assert_eq!(shell.says(&["profile", "list"]), (0, list.to_owned()));
    // How wide a column is depends on the longest name in it.
    let shows = |arguments: &[&str], key: &str, value: &str| {
        let (_, output) = shell.says(arguments);
        let is_shown = output
            .lines()
            .filter_map(|line| line.split_once("  "))
            .any(|(field, rest)| (field, rest.trim()) == (key, value));
        assert!(is_shown, "no {key} = {value} in\n{output}");
    };
    shows(&["profile", "show", "trial"], "read_only", "true");
    shows(&["profile", "show", "trial"], "poll_seconds", "9");
    shows(&["profile", "show", "trial"], "final_ok", "success, completed, complete, confirmed");
    shows(&["profile", "show"], "name", "harbour");
    shows(&["profile", "show", "--read-only"], "read_only", "true");

    assert_eq!(shell.says(&["profile", "use", "trial"]).0, 0);
    assert!(shell.says(&["profile", "list"]).1.contains("* trial"));
    let (code, output) = shell.says(&["profile", "use", "tiral"]);
    assert_eq!(
        (code, output.as_str()),
        (1, "bursar: there is no profile tiral; the configuration has harbour, trial\n")
    );
    let (code, output) = shell.says(&["profile", "remove", "trial"]);
    assert_eq!(code, 0);
    for text in ["its keys stay", "stay in the data folder", "harbour is now the default profile"] {
        assert!(output.contains(text), "{output}");
    }
    assert_eq!(shell.says(&["profile", "remove", "trial"]).0, 1);
}

#[test]
fn wrong_values_of_a_profile_say_what_would_be_right() {
    let shell = Shell::new();
    for (arguments, code, complaint) in [
        (&["add", "a"][..], 1, "give it with --base-url"),
        (&["add", "a b", "--base-url", "https://a.example.com"], 1, "only letters, digits, - and _"),
        (&["add", "a", "--base-url", "http://a.example.com"], 1, "in the clear to a.example.com; use https://"),
        (&["add", "a", "--base-url", "https://me:pw@a.example.com"], 1, "remove everything before the @"),
        (&["add", "a", "--base-url", "https://a.example.com", "--environment", "prod"], 2, "mainnet, testnet"),
        (&["add", "a", "--base-url", "https://a.example.com", "--poll-seconds", "0"], 2, "from 1 to 3600"),
        (&["add", "a", "--base-url", "https://a.example.com", "--ca-file", "nowhere.pem"], 1, "ca_file: cannot read"),
        (&["add", "a", "--base-url", "https://a.example.com", "--proxy", "http://me:pw@proxy:3128"], 1, "remove them"),
        (&["add", "a", "--base-url", "https://a.example.com", "--secrets", "plain"], 2, "keyring, file, environment"),
    ] {
        let (exit_code, output) = shell.says(&[&["profile"], arguments].concat());
        assert_eq!(exit_code, code, "{output}");
        assert!(output.contains(complaint) && !output.contains("pw@"), "{output}");
    }
    assert!(!shell.file(".config").exists(), "nothing was written");
}

#[test]
fn keys_go_into_a_sealed_file_and_come_out_under_its_passphrase_alone() {
    let shell = Shell::new();
    assert_eq!(shell.says(&["profile", "add", "harbour", "--base-url", "https://api.example.com"]).0, 0);
    let (code, output) = shell.pipes(&["key", "set", "--file"], "sk_1\n");
    assert!(code == 1 && output.contains("BURSAR_PASSPHRASE"), "{output}");
    let weak = shell.with("BURSAR_PASSPHRASE", "short");
    let (code, output) = weak.pipes(&["key", "set", "--file"], "sk_1\n");
    assert!(code == 1 && output.contains("a passphrase has at least 8 characters"), "{output}");
    let shell = weak.with("BURSAR_PASSPHRASE", "correct horse");
    for (input, complaint) in [
        ("", "the API key is empty"),
        ("sk 1\n", "the API key contains a space at character 3"),
        ("sk_1\nw s\n", "the wallet secret contains a space at character 2"),
        ("sk_1\nws_1\nmore\n", "standard input has more than 2 lines"),
    ] {
        let (code, output) = shell.pipes(&["key", "set", "--file"], input);
        assert!(code == 1 && output.contains(complaint), "{output}");
    }
    let (code, output) = shell.pipes(&["key", "set", "--file"], "sk_1\r\nws_1\r\n");
    assert!(code == 0 && output.contains("next: bursar\n"), "{output}");
    let config = fs::read_to_string(shell.file(".config/bursar/config.toml")).unwrap();
    assert!(config.contains("secrets = \"file\""), "{config}");
    let (code, output) = shell.says(&["key", "status"]);
    assert_eq!((code, output.matches("in the sealed file").count()), (0, 2), "{output}");
    let (code, output) = shell.with("BURSAR_PASSPHRASE", "wrong horse").says(&["key", "status"]);
    assert!(code == 1 && output.contains("is wrong; try again"), "{output}");
}

#[test]
fn the_help_of_key_set_names_every_key() {
    let (code, output) = Shell::new().says_in_one_line(&["key", "set", "--help"]);
    assert_eq!(code, 0);
    for secret_kind in bursar::secrets::SecretKind::TYPED_BY_HAND {
        assert!(output.contains(secret_kind.cli_name()), "no {} in {output}", secret_kind.cli_name());
    }
    assert!(output.contains("paying-api-key"), "{output}");
}

#[test]
fn doctor_finds_all_well_where_it_is_and_says_what_is_not() {
    let (runtime, service) = serve();
    let key = service.credentials().unwrap().api_key.expose_secret().to_owned();
    let shell = Shell::new().with("LANG", "C.UTF-8").with("BURSAR_API_KEY", &key);
    let add = ["profile", "add", "harbour", "--environment", "testnet", "--secrets", "environment", "--base-url"];
    assert_eq!(shell.says(&[&add[..], &[service.base_url()]].concat()).0, 0);
    let (code, output) = shell.says_in_one_line(&["doctor"]);
    assert_eq!(code, 0, "{output}");
    for text in [
        "harbour at http://127.0.0.1",
        "no keyring for this session",
        "BURSAR_API_KEY is set: the value stays in the environment",
        "in the environment: API key, no wallet secret",
        "answers in",
        "agrees with the service's clock",
        "pageNo, pageLimit: honoured",
        "/v2/wallets: ",
        "config.toml, accessible only to you",
    ] {
        assert!(output.contains(text), "no “{text}” in\n{output}");
    }
    assert!(!output.contains(&key));

    assert!(shell.says(&["doctor"]).1.lines().all(|line| line.chars().count() <= 80), "it fits a small terminal");

    let (_, json) = shell.says(&["doctor", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["needsPerson"], false);
    assert!(json["findings"].as_array().unwrap().iter().any(|finding| finding["about"] == "clock"));

    runtime.block_on(service.stop()).unwrap();
    let config = shell.file(".config/bursar/config.toml");
    fs::set_permissions(&config, std::os::unix::fs::PermissionsExt::from_mode(0o666)).unwrap();
    let (code, output) = shell.says_in_one_line(&["doctor"]);
    assert_eq!(code, 1);
    assert!(
        output.contains("others may write to it; run `chmod 600") && output.contains("service unreachable"),
        "{output}"
    );
    assert!(output.ends_with("2 of these need a person"), "{output}");
    assert!(!shell.says(&["doctor", "--offline"]).1.contains("unreachable"));
    fs::write(&config, "nonsense").unwrap();
    let (code, output) = shell.says_in_one_line(&["doctor"]);
    assert!(code == 1 && output.contains("config.toml, line 1"), "{output}");
}

/// Secrets that nothing else is called.
const PLANTED: [&str; 3] = ["sk_planted_4f9a1c77", "ws_planted_0b3d5e21", "pass planted 9c2f"];

/// Fails if a planted secret, or a recognisable part of one, is in a text.
fn is_clean(place: &str, bytes: &[u8]) {
    for secret in PLANTED {
        let part = &secret.as_bytes()[3..];
        assert!(!bytes.windows(part.len()).any(|window| window == part), "{place} gives {secret} away");
    }
}

/// Fails if a planted secret is in any file below a folder; returns how many files there are.
fn is_clean_below(folder: &Path) -> usize {
    let mut files = 0;
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files += is_clean_below(&path);
        } else if let Ok(bytes) = fs::read(&path) {
            is_clean(&path.display().to_string(), &bytes);
            files += 1;
        }
    }
    files
}

/// Every command that may meet a secret. To try another, write it here.
const COMMANDS: &[&[&str]] = &[
    &["key", "status", "--log-level", "trace"],
    &["doctor", "--log-level", "trace"],
    &["doctor", "--json"],
    &["profile", "list"],
    &["profile", "show"],
    &["--log-level", "trace"],
    &["key", "set", PLANTED[0]],
    &["key", "set", "api-key", PLANTED[0]],
    &["key", "set", "--file"],
    &["key", "remove", "--keyring"],
    &["profile", "remove", "harbour"],
];

/// A service that answers 400 and repeats in its complaint all that it was told.
fn parrot(runtime: &Runtime) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    runtime.spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut head = vec![0; 8192];
                let length = stream.read(&mut head).await.unwrap_or(0);
                let echo =
                    serde_json::json!({ "statusCode": 400, "message": String::from_utf8_lossy(&head[..length]) });
                let body = echo.to_string();
                let head = format!("HTTP/1.1 400 No\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
                let _client_may_be_gone = stream.write_all((head + &body).as_bytes()).await;
            });
        }
    });
    address
}

#[test]
#[ignore = "needs dbus and gnome-keyring"]
fn a_planted_key_turns_up_in_nothing_that_any_command_says_or_writes() {
    let runtime = Runtime::new().unwrap();
    let service = parrot(&runtime);
    let [api_key, wallet_secret, passphrase] = PLANTED;
    let desk = Desk::unlocked();
    for place in ["environment", "keyring", "file"] {
        let mut shell = Shell::new();
        shell.variables.clear();
        let mut shell = shell.with("DBUS_SESSION_BUS_ADDRESS", desk.address()).with("BURSAR_PASSPHRASE", passphrase);
        if place == "environment" {
            shell = shell.with("BURSAR_API_KEY", api_key).with("BURSAR_WALLET_SECRET", wallet_secret);
        }
        let add = ["profile", "add", "harbour", "--secrets", place, "--base-url", &service];
        assert_eq!(shell.says(&add).0, 0);
        let key_lines = format!("{api_key}\n{wallet_secret}\n");
        if place != "environment" {
            let (code, output) = shell.pipes(&["key", "set"], &key_lines);
            assert_eq!(code, 0, "{output}");
            is_clean("key set", output.as_bytes());
        }
        let (code, output) = shell.says(&["key", "status"]);
        assert!(code == 0 && output.matches("(mark ").count() == 2, "{place} does hold them: {output}");
        for command in COMMANDS {
            let (_, output) = shell.pipes(command, &key_lines);
            assert!(!output.is_empty());
            is_clean(&format!("{command:?} with keys in the {place}"), output.as_bytes());
        }
        assert!(is_clean_below(shell.home.path()) >= 1);
    }
}

#[test]
fn a_planted_key_is_neither_on_the_screen_nor_in_the_log_nor_in_the_cache_nor_among_the_arguments() {
    let runtime = Runtime::new().unwrap();
    let service = parrot(&runtime);
    let [api_key, wallet_secret, _] = PLANTED;
    let home = tempfile::tempdir().unwrap();
    let variables = [
        ("HOME", home.path().to_str().unwrap()),
        ("BURSAR_BASE_URL", service.as_str()),
        ("BURSAR_API_KEY", api_key),
        ("BURSAR_WALLET_SECRET", wallet_secret),
        ("BURSAR_PANIC_ON", "X"),
    ];
    let mut terminal = PtySession::open_with(&["--log-level", "trace"], &variables);
    terminal.waits_for("answered 400");
    let mut arguments = Vec::new();
    fs::File::open(format!("/proc/{}/cmdline", terminal.id())).unwrap().read_to_end(&mut arguments).unwrap();
    assert!(!arguments.is_empty());
    is_clean("the list of processes", &arguments);
    // A panic prints what it knows; a release build has no key to panic on.
    terminal.types(if cfg!(debug_assertions) { "X" } else { "q" });
    let status = terminal.ends();
    assert_eq!(status.exit_code(), if cfg!(debug_assertions) { 101 } else { 0 });
    is_clean("the terminal", &terminal.all_that_was_written());
    let log = fs::read_to_string(home.path().join(".local/share/bursar/bursar.log")).unwrap();
    assert!(log.contains("dashboard starts"), "{log}");
    assert!(is_clean_below(home.path()) >= 2, "log and cache");
}
