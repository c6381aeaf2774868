//! What the program says to whoever starts it wrongly, and with which exit code.

use std::fs;
use std::process::Output;

use assert_cmd::Command;
use tempfile::TempDir;

/// The program in an empty environment, with a home of its own.
struct Shell {
    home: TempDir,
}

impl Shell {
    fn new() -> Self {
        Self { home: tempfile::tempdir().unwrap() }
    }

    fn command(&self) -> Command {
        let mut command = Command::cargo_bin("bursar").unwrap();
        command.env_clear().env("HOME", self.home.path());
        command
    }

    /// The address of a bus that nobody serves.
    fn no_bus(&self) -> String {
        format!("unix:path={}", self.home.path().join("no-bus").display())
    }

    /// Writes the configuration file.
    fn config(&self, toml: impl AsRef<[u8]>) {
        let folder = self.home.path().join(".config/bursar");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("config.toml"), toml).unwrap();
    }
}

/// Standard error of a run that could not do its work: one line that starts with the program's name.
fn complaint(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let stderr = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(1), "{stderr}");
    assert!(stdout.is_empty());
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    stderr.trim_end().strip_prefix("bursar: ").unwrap().to_owned()
}

const SERVICE: &str = "[profiles.main]\nbase_url = \"https://api.example.com\"\n";

#[test]
fn without_a_service_it_names_the_demo_and_the_ways_to_name_one() {
    let shell = Shell::new();
    let stderr = complaint(&mut shell.command());
    for text in [
        "no service is configured",
        "`bursar demo`",
        "bursar profile add",
        "BURSAR_BASE_URL",
        "BURSAR_API_KEY",
        "config.toml",
    ] {
        assert!(stderr.contains(text), "{stderr}");
    }
}

#[test]
fn without_a_key_it_says_where_it_looked_and_what_else_there_is() {
    let shell = Shell::new();
    shell.config(SERVICE);
    let stderr = complaint(shell.command().env("DBUS_SESSION_BUS_ADDRESS", shell.no_bus()));
    for text in ["no keyring for this session", "`bursar key set --file`", "BURSAR_API_KEY"] {
        assert!(stderr.contains(text), "{stderr}");
    }
    shell.config(format!("{SERVICE}secrets = \"environment\""));
    assert_eq!(complaint(&mut shell.command()), "no API key for https://api.example.com; set BURSAR_API_KEY");
}

#[test]
fn a_key_that_is_none_is_refused_and_not_repeated() {
    let shell = Shell::new();
    shell.config(SERVICE);
    let stderr = complaint(shell.command().env("BURSAR_API_KEY", "sk_4f9a1c\n"));
    assert_eq!(stderr, "BURSAR_API_KEY: the API key contains a line break at character 10; enter it alone");
}

#[test]
fn a_wrong_base_address_is_told_by_where_it_came_from() {
    let shell = Shell::new();
    let stderr = complaint(shell.command().env("BURSAR_BASE_URL", "https://me:pw@api.example.com"));
    assert!(stderr.starts_with("BURSAR_BASE_URL: the base address contains a user name or password"), "{stderr}");
    assert!(!stderr.contains("pw"), "{stderr}");
    shell.config("\n[profiles.main]\nbase_url = \"https://api.example.com/v1\"");
    let stderr = complaint(&mut shell.command());
    assert!(
        stderr.ends_with(
            "line 3: base_url: the base address ends with /v1; remove that part, each request adds its version"
        ),
        "{stderr}"
    );
}

#[test]
fn a_broken_file_is_told_with_its_path_and_line() {
    let shell = Shell::new();
    shell.config("theme = \"dark\"\ntheem = \"dark\"\n");
    let path = shell.home.path().join(".config/bursar/config.toml");
    for command in [&["demo"][..], &[]] {
        let stderr = complaint(shell.command().args(command));
        assert_eq!(stderr, format!("{}, line 2: unknown key “theem”; did you mean “theme”?", path.display()));
    }
    shell.config("theme = \u{1b}[31m");
    let stderr = complaint(&mut shell.command());
    assert!(stderr.contains("line 1: ") && !stderr.contains('\u{1b}'), "{stderr}");
    shell.config(b"theme = \"\xff\"");
    assert!(complaint(&mut shell.command()).contains("not valid UTF-8"));
}

#[test]
fn a_file_that_is_none_is_told() {
    let shell = Shell::new();
    fs::create_dir_all(shell.home.path().join(".config/bursar/config.toml")).unwrap();
    assert!(
        complaint(&mut shell.command()).ends_with("config.toml is not a configuration file: it is not a regular file")
    );
}

#[test]
fn folders_that_are_none_are_told() {
    let shell = Shell::new();
    let missing_folder = shell.home.path().join("missing");
    let stderr = complaint(shell.command().arg("--config-dir").arg(&missing_folder));
    assert_eq!(
        stderr,
        format!(
            "--config-dir names the folder {}, which does not exist; create it or name another",
            missing_folder.display()
        )
    );
    let stderr = complaint(shell.command().env("BURSAR_CONFIG_DIR", &missing_folder));
    assert!(stderr.starts_with("BURSAR_CONFIG_DIR names the folder"), "{stderr}");

    let file = shell.home.path().join("file");
    fs::write(&file, "").unwrap();
    let stderr = complaint(shell.command().arg("--config-dir").arg(&file));
    assert_eq!(stderr, format!("{} is not a folder; name another with --config-dir", file.display()));

    shell.config(SERVICE);
    let run = || {
        let mut command = shell.command();
        command.env("BURSAR_API_KEY", "sk_1");
        command
    };
    let stderr = complaint(run().arg("--data-dir").arg(&file));
    assert_eq!(stderr, format!("{} is not a folder; name another with --data-dir", file.display()));
    let stderr = complaint(run().env("BURSAR_DATA_DIR", file.join("below")));
    assert!(stderr.starts_with(&format!("cannot use the data folder {}: ", file.join("below").display())), "{stderr}");
}

#[test]
fn without_a_home_it_says_what_to_set() {
    let shell = Shell::new();
    let stderr = complaint(
        shell.command().env_remove("HOME").env("BURSAR_BASE_URL", "http://127.0.0.1:9").env("BURSAR_API_KEY", "sk_1"),
    );
    assert!(stderr.starts_with("HOME is not set, so there is no place for the data folder"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn variables_and_paths_of_any_bytes_are_put_up_with() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let shell = Shell::new();
    let bytes = OsStr::from_bytes(b"\xff\xfe");
    let stderr = complaint(shell.command().env("BURSAR_BASE_URL", bytes));
    assert_eq!(stderr, "BURSAR_BASE_URL is not valid UTF-8 text; set it again");
    let stderr = complaint(shell.command().env("BURSAR_BASE_URL", "http://127.0.0.1:9").env("BURSAR_API_KEY", bytes));
    assert_eq!(stderr, "BURSAR_API_KEY is not valid UTF-8 text; set it again");
    let folder = shell.home.path().join(bytes);
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("config.toml"), "theme = 1").unwrap();
    let stderr = complaint(shell.command().env("BURSAR_CONFIG_DIR", &folder).env("UNRELATED", bytes));
    assert!(stderr.contains("line 1: theme: write \"dark\" or \"light\" or "), "{stderr}");
}

#[test]
fn wrong_arguments_end_with_2_and_help_tells_the_exit_codes() {
    let shell = Shell::new();
    for line in
        [&["demo", "--pace", "0"][..], &["serve"], &["nonsense"], &["--theme", "blue"], &["key", "set", "--read-only"]]
    {
        let output = shell.command().args(line).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{line:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty());
    }
    let help = shell.command().arg("--help").output().unwrap();
    assert_eq!(help.status.code(), Some(0));
    let help = String::from_utf8(help.stdout).unwrap();
    for text in ["demo", "serve", "Exit codes:", "128+n", "BURSAR_API_KEY", "--data-dir"] {
        assert!(help.contains(text), "{help}");
    }
    let version = shell.command().arg("--version").output().unwrap();
    assert_eq!(String::from_utf8(version.stdout).unwrap(), format!("bursar {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_service_is_not_put_into_a_file() {
    let shell = Shell::new();
    let file = shell.home.path().join("file");
    fs::write(&file, "").unwrap();
    let stderr = complaint(shell.command().args(["serve", "--data"]).arg(&file));
    assert_eq!(stderr, format!("{} is not a folder; name one with --data", file.display()));
}

#[test]
fn a_host_that_cannot_be_meant_so_does_not_start_and_says_what_would_be_right() {
    let shell = Shell::new();
    let private = |name: &str, text: &str| {
        let path = shell.home.path().join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (damaged, short, empty, slip) = (
        private("damaged", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n"),
        private("short", "word\n"),
        private("empty", "# nobody\n"),
        private("slip", "# one\nfrom=\"10.0.0.1\" ssh-ed25519 AAAA\n"),
    );
    for (arguments, right) in [
        (&["--listen", "0.0.0.0:0"][..], "add --public"),
        (&["--listen", "0.0.0.0:0", "--public"], "add --open"),
        (&["--host-key", &damaged], "ssh-keygen -t ed25519"),
        (&["--host-key", "nowhere"], "cannot read the host key nowhere"),
        (&["--passphrase-file", &short], "choose a longer one"),
        (&["--authorized-keys", &empty], "it contains no key"),
        (&["--authorized-keys", &slip], "line 2: options"),
        (&["--banner", "nowhere"], "cannot read nowhere"),
        (&["--ready-file", "nowhere/ready"], "create the folder first"),
    ] {
        let stderr = complaint(
            shell
                .command()
                .arg("ssh")
                .args(["--listen", "127.0.0.1:0"].iter().filter(|_| arguments[0] != "--listen"))
                .args(arguments),
        );
        assert!(stderr.contains(right), "{arguments:?}: {stderr}");
    }
}
