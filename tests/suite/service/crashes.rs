//! Killed in the middle of its work, again and again: nothing that was acknowledged is lost, and nothing is done twice.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use bursar::service::ledger::check_folder;
use reqwest::Client;
use serde_json::{Value, json};
use uuid::Uuid;

use super::house::OUTSIDE;

/// How often the service is killed. The long campaign sets `BURSAR_KILLS`.
const KILLS: usize = 12;

/// A service in a process of its own.
struct Process {
    child: Child,
    base_url: String,
    key: String,
    secret: String,
}

impl Process {
    /// Starts it on a folder and waits until it answers.
    async fn start(folder: &Path, keys: Option<(String, String)>) -> Self {
        Self::run(Command::new(env!("CARGO_BIN_EXE_bursar")), folder, keys).await
    }

    /// The same where no file may grow beyond so many blocks of the shell, as on a disk that is full.
    #[cfg(unix)]
    async fn start_in(blocks: u32, folder: &Path, keys: (String, String)) -> Self {
        let mut shell = Command::new("/bin/sh");
        let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        shell.args(["-c", &limited, env!("CARGO_BIN_EXE_bursar")]);
        Self::run(shell, folder, Some(keys)).await
    }

    async fn run(mut command: Command, folder: &Path, keys: Option<(String, String)>) -> Self {
        command.env_clear().args(["serve", "--listen", "127.0.0.1:0", "--block-time", "50ms", "--data"]);
        command.arg(folder.join("data"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
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

    /// As the system kills what takes too much memory.
    fn kill(mut self) -> (String, String) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        (self.key, self.secret)
    }
}

#[derive(Clone)]
struct Caller {
    client: Client,
    base_url: String,
    key: String,
    secret: String,
}

impl Caller {
    fn of(process: &Process) -> Self {
        // Another test of this process may have installed it already.
        let _installed_before = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().no_proxy().timeout(Duration::from_secs(20)).retry(reqwest::retry::never());
        let client = client.build().unwrap();
        let (base_url, key) = (process.base_url.clone(), process.key.clone());
        Self { client, base_url, key, secret: process.secret.clone() }
    }

    /// The text of an answer with 201, if there was one.
    async fn post(&self, path: &str, body: &Value) -> Option<String> {
        let request = self.client.post(format!("{}{path}", self.base_url)).bearer_auth(&self.key);
        let answer = request.header("x-wallet-secret", &self.secret).json(body).send().await.ok()?;
        let is_done = answer.status() == 201;
        let text = answer.text().await.ok()?;
        is_done.then_some(text)
    }

    async fn get(&self, path: &str) -> Value {
        let request = self.client.get(format!("{}{path}", self.base_url)).bearer_auth(&self.key);
        request.send().await.unwrap().json().await.unwrap()
    }
}

/// Makes a wallet with a million USDC, and gives its identifier.
async fn funded(caller: &Caller) -> String {
    let made = |text: String| serde_json::from_str::<Value>(&text).unwrap()["data"].clone();
    let account = json!({ "idempotencyKey": Uuid::new_v4(), "name": "n" });
    let account = made(caller.post("/v2/accounts", &account).await.unwrap());
    let new = json!({ "idempotencyKey": Uuid::new_v4(), "accountId": account["id"], "blockchain": "base" });
    let wallet = made(caller.post("/v2/wallets", &new).await.unwrap());
    let deposit = json!({ "destination": "on_chain", "coin": "USDC", "chain": "base", "amount": "1000000",
                          "status": "success", "fromAddress": OUTSIDE, "toAddress": wallet["address"] });
    caller.post("/v1/sandbox/sub-wallet/deposit", &deposit).await.unwrap();
    wallet["id"].as_str().unwrap().to_owned()
}

/// A payment under a key.
fn payment(wallet: &str, key: Uuid) -> Value {
    json!({ "idempotencyKey": key, "walletId": wallet, "amount": "0.01", "withdrawalAddress": OUTSIDE, "token": "USDC",
            "blockchain": "base", "refId": key })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_killed_under_load_has_every_acknowledged_payment_once() {
    let folder = tempfile::tempdir().unwrap();
    let process = Process::start(folder.path(), None).await;
    let caller = Caller::of(&process);
    let wallet = funded(&caller).await;
    let mut keys = process.kill();

    let kills = std::env::var("BURSAR_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(KILLS);
    let mut acknowledged: HashMap<Uuid, String> = HashMap::new();
    let mut unknown: Vec<Uuid> = Vec::new();
    for kill in 0..kills {
        let process = Process::start(folder.path(), Some(keys)).await;
        let caller = Caller::of(&process);
        // What nobody knows the outcome of is asked for again first, under its own key.
        for key in unknown.drain(..) {
            let answer = caller.post("/v2/transactions/withdraw", &payment(&wallet, key)).await.unwrap();
            acknowledged.insert(key, answer);
        }
        let load: Vec<_> = (0..6)
            .map(|_| {
                let (caller, wallet) = (caller.clone(), wallet.clone());
                tokio::spawn(async move {
                    let mut done = Vec::new();
                    loop {
                        let key = Uuid::new_v4();
                        let answer = caller.post("/v2/transactions/withdraw", &payment(&wallet, key)).await;
                        let is_lost = answer.is_none();
                        done.push((key, answer));
                        if is_lost {
                            return done;
                        }
                    }
                })
            })
            .collect();
        // Killed after so many payments, another number each time.
        let target = acknowledged.len() + 1 + kill * 7 % 40;
        loop {
            let page = caller.get("/v2/transactions?txType=outgoing&pageLimit=1").await;
            if page["totalPage"].as_u64().unwrap() >= target as u64 {
                break;
            }
        }
        keys = process.kill();
        for worker in load {
            for (key, answer) in worker.await.unwrap() {
                match answer {
                    Some(answer) => drop(acknowledged.insert(key, answer)),
                    None => unknown.push(key),
                }
            }
        }
        check_folder(&folder.path().join("data")).unwrap().unwrap();
    }

    let process = Process::start(folder.path(), Some(keys)).await;
    let caller = Caller::of(&process);
    let mut seen: HashMap<String, usize> = HashMap::new();
    let first = caller.get("/v2/transactions?txType=outgoing&pageLimit=100").await;
    for page in 1..=first["totalPage"].as_u64().unwrap() {
        let page = caller.get(&format!("/v2/transactions?txType=outgoing&pageLimit=100&pageNo={page}")).await;
        for row in page["data"].as_array().unwrap() {
            *seen.entry(row["idempotencyKey"].as_str().unwrap().to_owned()).or_default() += 1;
        }
    }
    assert!(acknowledged.len() >= kills, "{}", acknowledged.len());
    for (key, answer) in &acknowledged {
        assert_eq!(seen.get(&key.to_string()), Some(&1), "an acknowledged payment is there once");
        let again = caller.post("/v2/transactions/withdraw", &payment(&wallet, *key)).await.unwrap();
        assert_eq!(again, *answer, "and answered as it was at first");
    }
    assert!(seen.values().all(|times| *times == 1), "nothing is done twice");
    process.kill();
    check_folder(&folder.path().join("data")).unwrap().unwrap();
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_is_an_error_of_the_request_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let process = Process::start(folder.path(), None).await;
    let wallet = funded(&Caller::of(&process)).await;
    let keys = process.kill();
    let file = |name: &str| std::fs::metadata(folder.path().join("data").join(name)).map_or(0, |about| about.len());
    // The shell counts in 512 or 1,024 bytes; either way there is room for some payments and not for many.
    let blocks = (file("ledger.db") + file("ledger.db-wal")).div_ceil(512) + 600;
    let process = Process::start_in(u32::try_from(blocks).unwrap(), folder.path(), keys).await;
    let caller = Caller::of(&process);
    let mut acknowledged = Vec::new();
    let refused = loop {
        let key = Uuid::new_v4();
        match caller.post("/v2/transactions/withdraw", &payment(&wallet, key)).await {
            Some(answer) => acknowledged.push((key, answer)),
            None => break key,
        }
        assert!(acknowledged.len() < 20_000, "the disk never came to be full");
    };
    let body = payment(&wallet, refused);
    let request = caller.client.post(format!("{}/v2/transactions/withdraw", caller.base_url)).bearer_auth(&caller.key);
    let answer = request.header("x-wallet-secret", &caller.secret).json(&body).send().await.unwrap();
    assert_eq!(answer.status(), 500);
    let told: Value = answer.json().await.unwrap();
    assert_eq!(told["message"], "Internal server error", "the cause is for the log");
    let page = caller.get("/v2/transactions?txType=outgoing&pageLimit=1").await;
    assert!(page["success"] == true, "reads go on: {page}");
    let keys = process.kill();

    let process = Process::start(folder.path(), Some(keys)).await;
    let caller = Caller::of(&process);
    for (key, answer) in acknowledged.iter().rev().take(50).chain(acknowledged.iter().take(50)) {
        let again = caller.post("/v2/transactions/withdraw", &payment(&wallet, *key)).await.unwrap();
        assert_eq!(again, *answer);
    }
    assert!(caller.post("/v2/transactions/withdraw", &payment(&wallet, refused)).await.is_some(), "its key is free");
    process.kill();
    check_folder(&folder.path().join("data")).unwrap().unwrap();
}
