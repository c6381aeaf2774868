//! The service in a process of its own, as `bursar serve` runs it, and a client in front of it.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};
use uuid::Uuid;

use super::test_service::OUTSIDE;
#[cfg(unix)]
use crate::harness::disk::SmallDisk;
use crate::harness::wait::ends;

/// A service in a process of its own.
pub(crate) struct ServiceProcess {
    child: Child,
    pub(crate) base_url: String,
    key: String,
    secret: String,
}

impl ServiceProcess {
    /// Starts it on a folder and waits until it answers.
    pub(crate) async fn start(folder: &Path, keys: Option<(String, String)>) -> Self {
        Self::start_with(folder, &[], keys).await
    }

    /// The same, with its log as JSON in a file.
    pub(crate) async fn start_logging(folder: &Path, log: &Path) -> Self {
        Self::start_logging_with(folder, log, &["--log-level", "debug"]).await
    }

    /// The same, with further words on its command line.
    pub(crate) async fn start_logging_with(folder: &Path, log: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bursar"));
        command.stderr(File::create(log).unwrap());
        Self::run(command, folder, &[&["--log-json"], arguments].concat(), None).await
    }

    /// The same on a small disk of its own, with its log elsewhere.
    #[cfg(unix)]
    pub(crate) async fn start_logging_on(disk: &SmallDisk, log: &Path) -> Self {
        let mut command = command_on(disk);
        command.stderr(File::create(log).unwrap());
        Self::run(command, Path::new(disk.inside()), &["--log-json"], None).await
    }

    /// The same, with further words on its command line.
    pub(crate) async fn start_with(folder: &Path, arguments: &[&str], keys: Option<(String, String)>) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bursar"));
        command.stderr(Stdio::null());
        Self::run(command, folder, arguments, keys).await
    }

    /// The same where no file may grow beyond so many blocks of the shell, as on a disk that is full.
    #[cfg(unix)]
    pub(crate) async fn start_in(blocks: u64, folder: &Path, keys: (String, String)) -> Self {
        let mut command = limited_command(blocks);
        command.stderr(Stdio::null());
        Self::run(command, folder, &[], Some(keys)).await
    }

    /// The same on a small disk of its own.
    #[cfg(unix)]
    pub(crate) async fn start_on(disk: &SmallDisk, keys: Option<(String, String)>) -> Self {
        Self::run(command_on(disk), Path::new(disk.inside()), &[], keys).await
    }

    async fn run(mut command: Command, folder: &Path, arguments: &[&str], keys: Option<(String, String)>) -> Self {
        serve_on(&mut command, folder).args(arguments);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let out = child.stdout.take().unwrap();
        let lines = tokio::task::spawn_blocking(move || {
            let mut lines = Vec::new();
            for line in std::io::BufRead::lines(std::io::BufReader::new(out)) {
                lines.push(line.unwrap());
                if lines.last().unwrap() == "ready" {
                    break;
                }
            }
            lines
        });
        let lines = lines.await.unwrap();
        assert_eq!(lines.last().map(String::as_str), Some("ready"), "{lines:?}");
        let word =
            |label: &str| lines.iter().find_map(|line| line.strip_prefix(label)).map(|word| word.trim().to_owned());
        let base_url = word("listening on ").unwrap();
        let (key, secret) = keys.unwrap_or_else(|| (word("API key").unwrap(), word("wallet secret").unwrap()));
        Self { child, base_url, key, secret }
    }

    /// What the system calls it.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// As whoever looks after services asks one to end; gives its exit code, once it has.
    #[cfg(unix)]
    pub(crate) fn ends(mut self) -> Option<i32> {
        self.is_told_to_end();
        ends(&mut self.child).code()
    }

    /// Asks it to end, and waits for nothing.
    #[cfg(unix)]
    pub(crate) fn is_told_to_end(&self) {
        use rustix::process::{Pid, Signal, kill_process};
        kill_process(Pid::from_raw(i32::try_from(self.id()).unwrap()).unwrap(), Signal::TERM).unwrap();
    }

    /// As the system kills what takes too much memory.
    pub(crate) fn kill(mut self) -> (String, String) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        (self.key, self.secret)
    }
}

/// What the service is told on its command line, with nothing of this process's environment.
fn serve_on<'a>(command: &'a mut Command, folder: &Path) -> &'a mut Command {
    command.env_clear().args(["serve", "--listen", "127.0.0.1:0", "--block-time", "50ms", "--data"]);
    command.arg(folder.join("data"))
}

/// A shell that lets no file grow beyond so many of its blocks, and becomes the service.
#[cfg(unix)]
pub(crate) fn limited_command(blocks: u64) -> Command {
    let mut shell = Command::new("/bin/sh");
    let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    shell.args(["-c", &limited, env!("CARGO_BIN_EXE_bursar")]);
    shell
}

/// The program where a small disk is mounted.
#[cfg(unix)]
pub(crate) fn command_on(disk: &SmallDisk) -> Command {
    let enter = disk.enter();
    let (program, arguments) = enter.split_first().unwrap();
    let mut command = Command::new(program);
    command.args(arguments).arg(env!("CARGO_BIN_EXE_bursar"));
    command
}

/// What a service says that cannot start, and ends with.
pub(crate) fn startup_error(mut command: Command, folder: &Path) -> String {
    let output = serve_on(&mut command, folder).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success(), "it started: {}", String::from_utf8_lossy(&output.stdout));
    stderr
}

#[derive(Clone)]
pub(crate) struct ServiceClient {
    pub(crate) client: Client,
    pub(crate) base_url: String,
    pub(crate) key: String,
    pub(crate) secret: String,
}

impl ServiceClient {
    pub(crate) fn of(process: &ServiceProcess) -> Self {
        // Another test of this process may have installed it already.
        let _installed_before = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().no_proxy().timeout(Duration::from_secs(20)).retry(reqwest::retry::never());
        let client = client.build().unwrap();
        let (base_url, key) = (process.base_url.clone(), process.key.clone());
        Self { client, base_url, key, secret: process.secret.clone() }
    }

    /// A request that changes something.
    pub(crate) fn change(&self, path: &str, body: &Value) -> RequestBuilder {
        let request = self.client.post(format!("{}{path}", self.base_url)).bearer_auth(&self.key);
        request.header("x-wallet-secret", &self.secret).json(body)
    }

    /// The text of an answer with 201, if there was one.
    pub(crate) async fn post(&self, path: &str, body: &Value) -> Option<String> {
        let answer = self.change(path, body).send().await.ok()?;
        let is_done = answer.status() == 201;
        let text = answer.text().await.ok()?;
        is_done.then_some(text)
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        let request = self.client.get(format!("{}{path}", self.base_url)).bearer_auth(&self.key);
        request.send().await.unwrap().json().await.unwrap()
    }
}

/// Makes a wallet with a million USDC, and gives its identifier.
pub(crate) async fn fund_wallet(caller: &ServiceClient) -> String {
    let created_data = |text: String| serde_json::from_str::<Value>(&text).unwrap()["data"].clone();
    let account = json!({ "idempotencyKey": Uuid::new_v4(), "name": "n" });
    let account = created_data(caller.post("/v2/accounts", &account).await.unwrap());
    let new = json!({ "idempotencyKey": Uuid::new_v4(), "accountId": account["id"], "blockchain": "base" });
    let wallet = created_data(caller.post("/v2/wallets", &new).await.unwrap());
    let deposit = json!({ "destination": "on_chain", "coin": "USDC", "chain": "base", "amount": "1000000",
                          "status": "success", "fromAddress": OUTSIDE, "toAddress": wallet["address"] });
    caller.post("/v1/sandbox/sub-wallet/deposit", &deposit).await.unwrap();
    wallet["id"].as_str().unwrap().to_owned()
}

/// A payment under a key.
pub(crate) fn payment(wallet: &str, key: Uuid) -> Value {
    json!({ "idempotencyKey": key, "walletId": wallet, "amount": "0.01", "withdrawalAddress": OUTSIDE, "token": "USDC",
            "blockchain": "base", "refId": key })
}
