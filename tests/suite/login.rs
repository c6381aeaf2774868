//! bursar in an ordinary SSH login, as on a server: the real daemon, the real client, with tmux and without.
//!
//! Each test has a daemon of its own, with a host key, a user's key and a port of its own. It is started for each
//! connection, as inetd does, so that the test holds the line and can cut it.

#![expect(
    clippy::disallowed_methods,
    reason = "how soon a program ends that lost its line is measured with a real clock"
)]

use std::fs;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bursar::domain::ClipboardRoute;
use bursar::journal;
use bursar::terminal::clipboard;
use rstest::rstest;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, getuid, pidfd_open};
use tempfile::TempDir;

use super::crashes::{Business, confirms_a_payment, sends, silent};
use super::harness::wait::waits_until;
use super::pty::PtySession;

/// What this needs of the machine.
const PACKAGES: &str = "this test needs the Debian packages openssh-server, openssh-client and tmux \
                        (apt-get install openssh-server openssh-client tmux)";

/// Where daemons are besides the path.
const SYSTEM: &str = "/usr/local/sbin:/usr/sbin:/sbin";

/// How soon a console is gone that lost its terminal. A debug build on a busy machine is slow.
const SOON: Duration = Duration::from_secs(20);

/// What the shell of a login shows when it waits for a command.
const PROMPT: &str = "login> ";

/// A program of the system, by its name.
fn program(name: &str) -> PathBuf {
    let path = std::env::var("PATH").unwrap_or_default();
    let folders = path.split(':').chain(SYSTEM.split(':'));
    folders.map(|folder| Path::new(folder).join(name)).find(|program| program.is_file()).expect(PACKAGES)
}

/// A line between a client and the daemon that was started for it.
struct Line {
    stream: TcpStream,
    daemon: Child,
}

/// A machine that one can log in to.
struct Host {
    folder: TempDir,
    port: u16,
    user: String,
    lines: Arc<Mutex<Vec<Line>>>,
    is_closed: Arc<AtomicBool>,
    listening: Option<JoinHandle<()>>,
}

impl Host {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        for key in ["host", "user"] {
            let mut keygen = Command::new(program("ssh-keygen"));
            keygen.args(["-q", "-t", "ed25519", "-N", "", "-C", key, "-f", &at(key)]);
            assert!(keygen.status().expect(PACKAGES).success());
        }
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let host_key = fs::read_to_string(at("host.pub")).unwrap();
        fs::write(at("known"), format!("[127.0.0.1]:{port} {host_key}")).unwrap();
        // The test's folder of temporary files may be anybody's, which the daemon would mind. What the environment
        // tells bursar stands in for the files of an account.
        let config = format!(
            "HostKey {}\nAuthorizedKeysFile {}\nPidFile none\nUsePAM no\nStrictModes no\nPermitRootLogin yes\n\
             PasswordAuthentication no\nKbdInteractiveAuthentication no\nPrintMotd no\nPrintLastLog no\n\
             AcceptEnv BURSAR_* TMPDIR LANG DBUS_SESSION_BUS_ADDRESS\n",
            at("host"),
            at("user.pub")
        );
        fs::write(at("config"), config).unwrap();
        // Debian makes it when the daemon of the machine starts, which it never does in a container.
        if getuid().is_root() {
            fs::DirBuilder::new().recursive(true).mode(0o755).create("/run/sshd").unwrap();
        }
        let script = format!("#!/bin/sh\necho $$ >{}\nexec {} \"$@\"\n", at("pid"), env!("CARGO_BIN_EXE_bursar"));
        fs::write(at("bursar"), script).unwrap();
        fs::set_permissions(at("bursar"), fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(at("tmux.conf"), "set -g status off\n").unwrap();
        let user = String::from_utf8(Command::new("id").arg("-un").output().unwrap().stdout).unwrap();

        let (lines, is_closed) = (Arc::<Mutex<Vec<Line>>>::default(), Arc::<AtomicBool>::default());
        let (log_lines, host_ended, daemon, config) =
            (Arc::clone(&lines), Arc::clone(&is_closed), program("sshd"), at("config"));
        let log = at("log");
        let listening = std::thread::spawn(move || {
            while let Ok((stream, _)) = listener.accept() {
                if host_ended.load(Ordering::SeqCst) {
                    return;
                }
                let end = || Stdio::from(OwnedFd::from(stream.try_clone().unwrap()));
                let mut daemon = Command::new(&daemon);
                daemon.args(["-i", "-f", &config, "-E", &log]).stdin(end()).stdout(end()).stderr(Stdio::null());
                let daemon = daemon.spawn().expect(PACKAGES);
                log_lines.lock().unwrap().push(Line { stream, daemon });
            }
        });
        Self { folder, port, user: user.trim().to_owned(), lines, is_closed, listening: Some(listening) }
    }

    fn at(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// A login with a shell in it, which is told these variables.
    fn logs_in(&self, environment: &[(&str, &str)]) -> PtySession {
        let (ssh, key, port) = (program("ssh"), self.at("user"), self.port.to_string());
        let known_hosts = format!("UserKnownHostsFile={}", self.at("known"));
        let shell = format!("exec env ENV= PS1='{PROMPT}' /bin/sh -i");
        let mut command = vec![ssh.to_str().unwrap(), "-F", "/dev/null", "-tt", "-e", "none", "-i", &key, "-p", &port];
        for option in [
            &known_hosts,
            "GlobalKnownHostsFile=/dev/null",
            "StrictHostKeyChecking=yes",
            "IdentitiesOnly=yes",
            "BatchMode=yes",
            "LogLevel=ERROR",
            "SendEnv=BURSAR_*",
            "SendEnv=TMPDIR",
            "SendEnv=LANG",
            "SendEnv=DBUS_SESSION_BUS_ADDRESS",
        ] {
            command.extend(["-o", option]);
        }
        command.extend(["-l", &self.user, "127.0.0.1", &shell]);
        // An account that has nothing of bursar yet.
        let config = self.folder.path().to_str().unwrap();
        let own = [("LANG", "C.UTF-8"), ("BURSAR_CONFIG_DIR", config)];
        let terminal = PtySession::open_command(&command, &[&own, environment].concat());
        if !terminal.shows(PROMPT) {
            let log = fs::read_to_string(self.at("log")).unwrap_or_default();
            panic!("no login: {}\nthe daemon says: {log}", terminal.contents());
        }
        terminal
    }

    /// Types a command that starts bursar, with these arguments.
    fn starts(&self, terminal: &PtySession, arguments: &str) {
        terminal.types(&format!("{} {arguments}\r", self.at("bursar")));
    }

    /// Types a command that starts bursar inside tmux.
    fn starts_in_tmux(&self, terminal: &PtySession, arguments: &str) {
        let tmux = self.tmux_words().join(" ");
        terminal.types(&format!("{tmux} new {} {arguments}\r", self.at("bursar")));
    }

    /// tmux with a server of this host's own.
    fn tmux_words(&self) -> Vec<String> {
        let tmux = program("tmux").to_str().unwrap().to_owned();
        vec![tmux, "-u".into(), "-f".into(), self.at("tmux.conf"), "-S".into(), self.at("tmux")]
    }

    /// What tmux answers from outside.
    fn tmux(&self, arguments: &[&str]) -> String {
        let command = self.tmux_words();
        let output = Command::new(&command[0]).args(&command[1..]).args(arguments).output().expect(PACKAGES);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// The console that was started last.
    fn console(&self) -> ConsoleProcess {
        let id = fs::read_to_string(self.at("pid")).unwrap().trim().parse().unwrap();
        ConsoleProcess(pidfd_open(Pid::from_raw(id).unwrap(), PidfdFlags::empty()).unwrap())
    }

    /// Cuts every line.
    fn cuts(&self) {
        for line in &*self.lines.lock().unwrap() {
            let _gone_already = line.stream.shutdown(Shutdown::Both);
        }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        if fs::exists(self.at("tmux")).unwrap_or_default() {
            let command = self.tmux_words();
            let _ended_already = Command::new(&command[0]).args(&command[1..]).arg("kill-server").output();
        }
        self.is_closed.store(true, Ordering::SeqCst);
        let _wakes_it = TcpStream::connect(("127.0.0.1", self.port));
        if let Some(listening) = self.listening.take() {
            let _nothing_more_can_be_done = listening.join();
        }
        self.cuts();
        for line in &mut *self.lines.lock().unwrap() {
            let _ended_already = line.daemon.kill();
            let _nothing_more_can_be_done = line.daemon.wait();
        }
    }
}

/// A process whose end is waited for, whoever's child it is.
struct ConsoleProcess(OwnedFd);

impl ConsoleProcess {
    /// Whether it ends within this time.
    fn ends_within(&self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        loop {
            let time_left = deadline.saturating_duration_since(Instant::now());
            let time_left =
                Timespec { tv_sec: time_left.as_secs().try_into().unwrap(), tv_nsec: time_left.subsec_nanos().into() };
            match poll(&mut [PollFd::new(&self.0, PollFlags::IN)], Some(&time_left)) {
                Err(rustix::io::Errno::INTR) => {}
                end => return end.unwrap() == 1,
            }
        }
    }

    fn runs(&self) -> bool {
        !self.ends_within(Duration::ZERO)
    }
}

/// Waits until the shell waits for a command: what is typed before that, a program that ends may take for its own.
fn is_at_its_prompt(terminal: &PtySession) {
    terminal.waits_until("prompt at the end", |screen| screen.contents().trim_end().ends_with(PROMPT.trim_end()));
}

/// Clears the screen. A command that is typed while it is being cleared may be cleared with it, and a prompt is left that
/// looks as if the command had ended.
fn is_cleared(terminal: &PtySession) {
    is_at_its_prompt(terminal);
    terminal.types("clear\r");
    terminal.waits_until("prompt alone", |screen| screen.contents().trim() == PROMPT.trim());
}

/// Has the shell remember how the terminal is set.
fn notes_its_settings(terminal: &PtySession) {
    terminal.types("before=$(stty -g); echo no\"ted\"\r");
    terminal.waits_for("noted");
    is_at_its_prompt(terminal);
}

/// Looks at the demo, has it follow the size, and leaves it and the login.
fn is_looked_at_and_left(mut terminal: PtySession) {
    terminal.resizes(132, 40);
    let wide = |screen: &vt100::Screen| screen.rows(100, 32).any(|row| !row.trim().is_empty());
    terminal.waits_until("a row of 132 columns", wide);
    terminal.types("q");
    is_at_its_prompt(&terminal);
    terminal.types("test \"$before\" = \"$(stty -g)\" && echo who\"le\"\r");
    terminal.waits_for("whole");
    terminal.types("exit\r");
    assert_eq!(terminal.ends().exit_code(), 0);
    terminal.is_whole();
    terminal.left_nothing_behind();
}

/// Opens the page of transactions and waits for its rows; the Overview, which goes, lists transactions too.
fn opens_the_transactions(terminal: &PtySession) {
    terminal.types("3");
    terminal.waits_for_no("Accounts");
    terminal.waits_for("success");
}

#[test]
#[ignore = "needs the client and the server of OpenSSH and tmux"]
fn the_demo_opens_in_a_plain_login_and_gives_its_terminal_back() {
    let host = Host::new();
    let terminal = host.logs_in(&[]);
    notes_its_settings(&terminal);
    host.starts(&terminal, "demo --scene calm");
    terminal.waits_for("Treasury");
    terminal.waits_for("live");
    // The client passes on TERM alone, and the name tells 256 colours.
    terminal.waits_for_bytes("38;5;");
    terminal.never_showed("38;2;");
    opens_the_transactions(&terminal);
    terminal.types("jy\r");
    terminal.waits_for("sent to the terminal's clipboard (OSC 52); not every terminal accepts it");
    terminal.waits_for_bytes("\x1b]52;c;");
    is_looked_at_and_left(terminal);
}

#[test]
#[ignore = "needs the client and the server of OpenSSH and tmux"]
fn the_demo_opens_in_tmux_over_a_login_and_what_it_says_of_copies_is_so() {
    let host = Host::new();
    let terminal = host.logs_in(&[]);
    notes_its_settings(&terminal);
    host.starts_in_tmux(&terminal, "demo --scene calm");
    terminal.waits_for("Treasury");
    terminal.waits_for_bytes("38;5;");
    opens_the_transactions(&terminal);
    terminal.types("jy\r");
    terminal.waits_for("sent to the clipboard; if it is missing: tmux set -g set-clipboard on");
    // Done as told, it arrives.
    host.tmux(&["set", "-g", "set-clipboard", "on"]);
    terminal.types("y\r");
    terminal.waits_for_bytes("\x1b]52;");
    let copied_text = host.tmux(&["show-buffer"]);
    assert!(!copied_text.is_empty());
    let plain = String::from_utf8(clipboard::clipboard_sequence(&copied_text, ClipboardRoute::Terminal)).unwrap();
    let digits = plain.strip_prefix("\x1b]52;c;").and_then(|rest| rest.strip_suffix("\x1b\\")).unwrap();
    terminal.waits_for_bytes(digits);
    is_looked_at_and_left(terminal);
}

/// How a link is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LinkLoss {
    /// The client is killed.
    Client,
    /// The connection is cut.
    Line,
}

impl LinkLoss {
    fn happens(self, host: &Host, terminal: &mut PtySession) {
        match self {
            Self::Client => sends(terminal, Signal::KILL),
            Self::Line => host.cuts(),
        }
        assert!(!terminal.ends().success());
    }
}

/// The service executes the payment, its answer never comes, and the link goes while it is waited for.
#[rstest]
#[ignore = "needs the client and the server of OpenSSH and tmux"]
fn a_lost_link_ends_the_console_and_loses_no_order(#[values(LinkLoss::Client, LinkLoss::Line)] loss: LinkLoss) {
    let business = Business::new(silent());
    let host = Host::new();
    let variables = business.variables();
    let mut terminal = host.logs_in(&variables.iter().map(|(name, value)| (*name, value.as_str())).collect::<Vec<_>>());
    host.starts(&terminal, "");
    confirms_a_payment(&terminal, "w", "\t").unwrap();
    waits_until("the payment is executed", || business.execution_total() > 0);
    let console = host.console();
    assert!(console.runs());
    loss.happens(&host, &mut terminal);
    assert!(console.ends_within(SOON), "it still runs without a terminal");
    journal::verify(&business.folder.path().join("data/journal")).unwrap();
    let orders = business.orders();
    assert_eq!((orders.len(), business.executions(&orders[0])), (1, 1));
    business.runtime.block_on(business.service().set_faults(Vec::new()));
    business.tells_the_truth();
}

/// What tmux is for: the link goes, and the console goes on.
#[test]
#[ignore = "needs the client and the server of OpenSSH and tmux"]
fn inside_tmux_a_lost_link_is_no_loss() {
    let business = Business::new(Vec::new());
    let host = Host::new();
    let variables = business.variables();
    let variables: Vec<_> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let mut terminal = host.logs_in(&variables);
    host.starts_in_tmux(&terminal, "");
    confirms_a_payment(&terminal, "w", "\t").unwrap();
    waits_until("the payment is executed", || business.execution_total() > 0);
    let console = host.console();
    LinkLoss::Client.happens(&host, &mut terminal);
    assert!(console.runs());

    let mut terminal = host.logs_in(&variables);
    terminal.types(&format!("{} attach\r", host.tmux_words().join(" ")));
    terminal.waits_for("live");
    terminal.types("4");
    terminal.waits_for("settled");
    assert_eq!(business.executions(&business.orders()[0]), 1);
    terminal.types("q");
    assert!(console.ends_within(SOON));
    terminal.waits_for("[exited]");
    terminal.types("exit\r");
    assert!(terminal.ends().success());
    terminal.is_whole();
}

#[test]
#[ignore = "needs the client and the server of OpenSSH and tmux"]
fn a_login_without_a_keyring_says_so_and_what_to_do() {
    let host = Host::new();
    let toml = "[profiles.harbour]\nbase_url = \"https://api.example.com\"\nenvironment = \"testnet\"\n";
    fs::write(host.at("config.toml"), toml).unwrap();
    let (bus, data) = (format!("unix:path={}", host.at("no-bus")), host.at("data"));
    let mut terminal = host.logs_in(&[("DBUS_SESSION_BUS_ADDRESS", &bus), ("BURSAR_DATA_DIR", &data)]);
    host.starts(&terminal, "key set");
    terminal.waits_for("this machine has no keyring for this session (no D-Bus session, as over SSH)");
    terminal.waits_for("`bursar key set --file`");
    terminal.waits_for("BURSAR_API_KEY in the environment");
    // Before anything was asked.
    assert!(!terminal.contents().contains("not shown"), "{}", terminal.contents());

    is_cleared(&terminal);
    host.starts(&terminal, "doctor --offline");
    terminal.waits_for("wrong  keyring");
    terminal.waits_for("key set --file`) or BURSAR_API_KEY");

    is_cleared(&terminal);
    host.starts(&terminal, "");
    terminal.waits_for("store the keys in an encrypted file");
    terminal.waits_for("read the keys from the environment");
    terminal.waits_for("no keyring for this session");
    terminal.types("e");
    terminal.waits_for("export BURSAR_API_KEY");
    terminal.types("q");
    is_at_its_prompt(&terminal);
    terminal.types("exit\r");
    terminal.ends();
    terminal.is_whole();
}
