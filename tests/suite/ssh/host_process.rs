//! `bursar ssh` as a process, and the client of OpenSSH.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::harness::wait::{PATIENCE, ends};
use crate::pty::PtySession;

/// What the host says of its visitors.
#[derive(Default)]
struct HostOutput {
    lines: Mutex<Vec<String>>,
    bell: Condvar,
}

/// A host in a process of its own.
pub(super) struct HostProcess {
    child: Child,
    address: SocketAddr,
    fingerprint: String,
    output: Arc<HostOutput>,
    listener: Option<JoinHandle<()>>,
    folder: TempDir,
}

impl HostProcess {
    /// A host with further words on its command line.
    pub(super) fn open(arguments: &[&str]) -> Self {
        Self::open_in(tempfile::tempdir().unwrap(), arguments, &[])
    }

    /// The same in a folder that may have been used before, and with variables.
    pub(super) fn open_in(folder: TempDir, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let (data, temporary, ready) =
            (folder.path().join("data"), folder.path().join("temporary"), folder.path().join("ready.json"));
        std::fs::create_dir_all(&temporary).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_bursar"));
        command.args(["ssh", "--listen", "127.0.0.1:0"]).args(arguments);
        if !arguments.contains(&"--transactions") {
            command.args(["--transactions", "40"]);
        }
        command.arg("--data-dir").arg(data).arg("--ready-file").arg(&ready);
        command.env_clear().env("TMPDIR", temporary).env("RUST_BACKTRACE", "0").envs(environment.iter().copied());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let output = Arc::<HostOutput>::default();
        let (telling, stderr) = (Arc::clone(&output), child.stderr.take().unwrap());
        let listener = std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines() {
                telling.lines.lock().unwrap().push(line.unwrap());
                telling.bell.notify_all();
            }
        });
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let startup_lines: Vec<_> = lines.take_while(|line| line != "ready").collect();
        let file = std::fs::read_to_string(&ready)
            .unwrap_or_else(|_| panic!("not ready: {startup_lines:?}, {:?}", output.lines));
        let file: serde_json::Value = serde_json::from_str(&file).unwrap();
        let (address, fingerprint) = (file["address"].as_str().unwrap(), file["fingerprint"].as_str().unwrap());
        assert!(startup_lines.contains(&format!("listening on {address}")), "{startup_lines:?}");
        assert!(startup_lines.iter().any(|line| line.contains(fingerprint)), "{startup_lines:?}");
        let (address, fingerprint) = (address.parse().unwrap(), fingerprint.to_owned());
        let port = format!("ssh -p {} demo@127.0.0.1", SocketAddr::port(&address));
        assert!(startup_lines.iter().any(|line| line.ends_with(&port)), "{startup_lines:?}");
        Self { child, address, fingerprint, output, listener: Some(listener), folder }
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(super) fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// A file in the folder of this host.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What workspaces have left in the folder of temporary files.
    pub(super) fn left_behind(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.folder.path().join("temporary")).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }

    /// The words of a login with the client of OpenSSH, which must be installed.
    pub(super) fn login(&self, name: &str, options: &[&str]) -> Vec<String> {
        let port = self.address.port().to_string();
        let known_hosts = format!("UserKnownHostsFile={}", self.file("known_hosts").display());
        let usual =
            ["-F", "none", "-e", "none", "-p", &port, "-o", &known_hosts, "-o", "GlobalKnownHostsFile=/dev/null"];
        let trust = ["-o", "HostKeyAlias=bursar", "-o", "StrictHostKeyChecking=accept-new"];
        let keys = ["-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none", "-o", "IdentityFile=none"];
        let to = format!("{name}@127.0.0.1");
        // Of an option that is given twice, the first counts.
        let ssh = tool("ssh");
        let command = [&[ssh.as_str()][..], options, &usual, &trust, &keys, &[&to]].concat();
        command.into_iter().map(str::to_owned).collect()
    }

    /// A terminal in which somebody logs in.
    pub(super) fn terminal(&self, name: &str, options: &[&str]) -> PtySession {
        let command = self.login(name, options);
        let command: Vec<_> = command.iter().map(String::as_str).collect();
        PtySession::open_command(&command, &[])
    }

    /// A visitor who sees the console.
    pub(super) fn visitor(&self) -> PtySession {
        let terminal = self.terminal("demo", &[]);
        terminal.waits_for("Treasury");
        terminal
    }

    /// What the client says that logs in without a terminal, with words after the name.
    pub(super) fn says_to(&self, name: &str, options: &[&str], arguments: &[&str]) -> Output {
        let login = self.login(name, options);
        let mut command = Command::new(&login[0]);
        command.args(&login[1..]).args(arguments).env_clear().stdin(Stdio::null());
        command.output().unwrap()
    }

    /// Waits until the host has said something on a line of its own.
    pub(super) fn says(&self, text: &str) -> String {
        let lines = self.output.lines.lock().unwrap();
        let matching_line = |lines: &[String]| lines.iter().find(|line| line.contains(text)).cloned();
        let (lines, _late) =
            self.output.bell.wait_timeout_while(lines, PATIENCE, |lines| matching_line(lines).is_none()).unwrap();
        matching_line(&lines).unwrap_or_else(|| panic!("no “{text}” in {lines:?}"))
    }

    /// All that it has said.
    pub(super) fn output_lines(&self) -> Vec<String> {
        self.output.lines.lock().unwrap().clone()
    }

    /// Asks it to end.
    pub(super) fn is_asked_to_end(&self) {
        kill_process(Pid::from_raw(i32::try_from(self.id()).unwrap()).unwrap(), Signal::TERM).unwrap();
    }

    /// Waits until it has ended, and gives its folder back.
    pub(super) fn ends(mut self) -> (ExitStatus, TempDir) {
        let status = ends(&mut self.child);
        if let Some(listener) = self.listener.take() {
            listener.join().unwrap();
        }
        let empty_folder = tempfile::tempdir().unwrap();
        (status, std::mem::replace(&mut self.folder, empty_folder))
    }
}

impl Drop for HostProcess {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
        let _reaped_already = self.child.wait();
    }
}

/// A program of OpenSSH.
pub(super) fn tool(name: &str) -> String {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let program = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file());
    let program = program.unwrap_or_else(|| {
        panic!("this test needs {name}, of the Debian package openssh-client (apt-get install openssh-client)")
    });
    program.to_str().unwrap().to_owned()
}

/// Makes a key for a user; gives the file of its private half.
pub(super) fn user_key(folder: &Path, kind: &str) -> PathBuf {
    let path = folder.join(format!("id_{kind}_{}", uuid::Uuid::new_v4().simple()));
    let mut command = Command::new(tool("ssh-keygen"));
    command.args(["-q", "-t", kind, "-N", "", "-C", "ada@home", "-f"]).arg(&path);
    assert!(command.status().unwrap().success());
    path
}
