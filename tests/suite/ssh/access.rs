//! Who is let in, with the client of OpenSSH.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::ssh::host_process::{HostProcess, user_key};

pub(super) fn private(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn the_pass_phrase_lets_in_and_another_one_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let passphrase_file = folder.path().join("words");
    private(&passphrase_file, "correct horse\n");
    let lender = HostProcess::open(&["--passphrase-file", passphrase_file.to_str().unwrap()]);
    for method in ["keyboard-interactive", "password"] {
        let only = format!("PreferredAuthentications={method}");
        let mut terminal = lender.terminal("demo", &["-o", &only]);
        let asks = if method == "password" { "password:" } else { "Pass-phrase:" };
        terminal.waits_for(asks);
        terminal.types("battery staple\r");
        terminal.waits_until(&format!("{asks} twice"), |screen| screen.contents().matches(asks).count() == 2);
        terminal.types("correct horse\r");
        terminal.waits_for("Treasury");
        terminal.types("q");
        assert_eq!(terminal.ends().exit_code(), 0);
        terminal.never_showed("horse");
    }
    // After three wrong ones nobody is asked any more.
    let mut terminal = lender.terminal("demo", &["-o", "NumberOfPasswordPrompts=9"]);
    for count in 1..=3 {
        terminal.waits_until("a question", |screen| screen.contents().matches("Pass-phrase:").count() == count);
        terminal.types("battery staple\r");
    }
    assert_eq!(terminal.ends().exit_code(), 255);
    assert!(
        !lender.output_lines().iter().any(|line| line.contains("battery") || line.contains("horse")),
        "{:?}",
        lender.output_lines()
    );
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn an_authorised_key_lets_in_for_as_long_as_it_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let (ada, bob) = (user_key(folder.path(), "ed25519"), user_key(folder.path(), "ecdsa"));
    let public = |key: &Path| fs::read_to_string(key.with_extension("pub")).unwrap();
    let key_file = folder.path().join("authorized_keys");
    private(&key_file, &format!("# who may come\n{}", public(&ada)));
    let lender = HostProcess::open(&["--authorized-keys", key_file.to_str().unwrap()]);
    let enters = |key: &Path| {
        let with = format!("IdentityFile={}", key.display());
        let mut terminal = lender.terminal("demo", &["-o", &with]);
        let is_admitted = terminal.shows("Treasury");
        if is_admitted {
            terminal.types("q");
        }
        let status = terminal.ends().exit_code();
        assert_eq!(status, if is_admitted { 0 } else { 255 });
        is_admitted || !terminal.contents().contains("Permission denied (publickey).")
    };
    assert!(enters(&ada));
    assert!(!enters(&bob));
    private(&key_file, &public(&bob));
    assert!(enters(&bob), "he was added");
    assert!(!enters(&ada), "and she was taken out");
    fs::remove_file(&key_file).unwrap();
    assert!(!enters(&bob), "without the file nobody");
    assert!(lender.says("offered no accepted key").contains("as \"demo\""));
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn whoever_may_come_in_by_key_or_by_word_comes_in_by_either() {
    let folder = tempfile::tempdir().unwrap();
    let (passphrase_file, key_file) = (folder.path().join("words"), folder.path().join("keys"));
    private(&passphrase_file, "correct horse\n");
    let key = user_key(folder.path(), "ed25519");
    private(&key_file, &fs::read_to_string(key.with_extension("pub")).unwrap());
    let lender = HostProcess::open(&[
        "--passphrase-file",
        passphrase_file.to_str().unwrap(),
        "--authorized-keys",
        key_file.to_str().unwrap(),
    ]);
    let mut terminal = lender.terminal("demo", &["-o", &format!("IdentityFile={}", key.display())]);
    terminal.waits_for("Treasury");
    terminal.types("q");
    assert_eq!(terminal.ends().exit_code(), 0);
    let mut terminal = lender.terminal("demo", &[]);
    terminal.waits_for("Pass-phrase:");
    terminal.types("correct horse\r");
    terminal.waits_for("Treasury");
    terminal.types("q");
    assert_eq!(terminal.ends().exit_code(), 0);
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn another_name_is_told_which_names_there_are() {
    let lender = HostProcess::open(&[]);
    let mut terminal = lender.terminal("root", &[]);
    assert_eq!(terminal.ends().exit_code(), 1);
    assert!(terminal.contents().contains("this user name is unknown here; log in as demo"), "{}", terminal.contents());
    terminal.is_whole();
    assert!(lender.says("refused as \"root\"").contains("log in as demo"));
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn whoever_would_present_where_nobody_does_is_told_so() {
    let lender = HostProcess::open(&[]);
    for name in ["present", "watch"] {
        let mut terminal = lender.terminal(name, &[]);
        assert_eq!(terminal.ends().exit_code(), 1);
        let refusal_text = "this user name is unknown here; log in as demo";
        assert!(terminal.contents().contains(refusal_text), "{name}: {}", terminal.contents());
    }
    // A pass-phrase that lets visitors in is asked for first, and lets nobody present.
    let folder = tempfile::tempdir().unwrap();
    let passphrase_file = folder.path().join("words");
    private(&passphrase_file, "correct horse\n");
    let lender = HostProcess::open(&["--passphrase-file", passphrase_file.to_str().unwrap()]);
    let mut terminal = lender.terminal("present", &[]);
    terminal.waits_for("Pass-phrase:");
    terminal.types("correct horse\r");
    assert_eq!(terminal.ends().exit_code(), 1);
    assert!(terminal.contents().contains("log in as demo"), "{}", terminal.contents());
}

/// What a host says that cannot start.
fn refusal(folder: &Path, arguments: &[&str]) -> String {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bursar"));
    command.arg("ssh").args(arguments).arg("--data-dir").arg(folder.join("data"));
    let output = command.env_clear().stdin(std::process::Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    assert!(output.stdout.is_empty(), "it is not ready");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn a_host_that_cannot_start_says_what_would_be_right() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        private(&path, text);
        path.to_str().unwrap().to_owned()
    };
    let key = user_key(folder.path(), "ed25519");
    let public = key.with_extension("pub");
    let (passphrase_file, same) = (file("words", "correct horse\n"), file("same", "correct horse\n"));
    let banner = file("banner", &"line\n".repeat(30));
    let occupied_address = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let occupied_address = occupied_address.local_addr().unwrap().to_string();
    let (key, public) = (key.to_str().unwrap(), public.to_str().unwrap());
    for (arguments, complaint) in [
        (&["--authorized-keys", key][..], "line 1: this is a private key"),
        (&["--presenters", key], "line 1: this is a private key"),
        (&["--host-key", public], "name the private one, whose file has the same name without .pub"),
        (
            &["--passphrase-file", &passphrase_file, "--present-passphrase-file", &same],
            "every visitor could present; choose two",
        ),
        (&["--banner", &banner], "the banner has 30 lines; at most 20 are allowed"),
        (&["--listen", &occupied_address], "name a free port, or 0 for any"),
    ] {
        let refusal_text = refusal(folder.path(), arguments);
        assert!(refusal_text.contains(complaint), "{arguments:?}: {refusal_text}");
        assert_eq!(refusal_text.lines().count(), 1, "{refusal_text}");
        assert_eq!(
            refusal_text.matches("os error").count(),
            usize::from(complaint.contains("free port")),
            "said once: {refusal_text}"
        );
    }
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn a_banner_is_shown_before_anything_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let banner = folder.path().join("banner");
    fs::write(&banner, "Welcome to \x1b[2Jthe fair.\n").unwrap();
    let lender = HostProcess::open(&["--banner", banner.to_str().unwrap()]);
    let output = lender.says_to("demo", &[], &[]);
    let output = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.contains("Welcome to"), "{output}");
    assert!(!output.contains('\x1b'), "{output:?}");
}
