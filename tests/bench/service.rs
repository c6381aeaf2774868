//! What the embedded service bears, on this machine, with the load generator beside it and durable commits on.
//!
//! ```text
//! cargo bench --bench service          BURSAR_ROWS=1000000 for the long history, 100,000 by default;
//!                                      `-- payments`, `-- reads` or `-- alone` for one part of it
//! ```
//!
//! Every figure stands beside one that it is compared with in the same run: payments beside bare durable commits of the
//! same file system, pages and balances beside a ready body of the same size from the same HTTP stack. Processor time
//! counts no other program's work; the figures by the clock do.
//!
//! Medians with 1,000,000 transactions, on 2 cores on which nothing else ran:
//!
//! | What | By the clock | Processor time, client included |
//! |---|---|---|
//! | durable withdrawals, 64 clients | 8,900/s | 150 µs each |
//! | durable withdrawals, 1 client | p50 0.42 ms, p99 1.1 ms; of a bare commit 0.12 and 0.24 ms | 370 µs each |
//! | page of 100, the same again | 0.72 to 0.76 of a ready body | 68 µs; ready 52 µs |
//! | page of 100, another each time | 0.05 of a ready body | 970 µs; ready 52 µs |
//! | balances of a user | 0.68 to 0.69 of a ready body | 49 µs; ready 33 µs |
//! | made: in a temporary place, durably | 102,000 rows/s, 99,000 rows/s | 97,000, 98,000 rows a second of it |
//! | started, to the first answer | 25 ms, and 0.25 s for each 100 MB of ledger | |
//! | memory (PSS), 64 clients | 51 MiB | |
//!
//! A page that is not kept costs 9 µs a row: a quarter of it is `SQLite`, a quarter the room for some thirty texts, and
//! the rest the making of some 1,200 bytes of JSON. Half the pace of a ready body would leave it 0.5 µs a row, which is
//! what copying those bytes takes; kept in memory all pages would be 1.2 GB.
//!
//! A start compares every page of the ledger with its mark before anybody is answered. A history of 1,000,000 transactions takes some
//! 200 MB. That was measured while others compiled (load 10), as 84 MB that took 0.2 s more than an empty ledger.
//!
//! Where a disk takes its time the commit is nearly all of a payment: on one whose bare commits took 20 ms at p99, those
//! of one client took 5.4.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark shows figures and ends with its first surprise"
)]
#![expect(clippy::disallowed_methods, reason = "what is measured is time")]

use std::io::BufRead as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::get;
use bursar::service::{self, LedgerLocation, Options, RunningService, Sample};
use reqwest::Client;
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use uuid::Uuid;

const CLIENTS: usize = 64;
const LONG: Duration = Duration::from_secs(3);
const OUTSIDE: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

#[derive(Clone)]
struct Caller {
    client: Client,
    base_url: String,
    key: String,
    secret: String,
}

impl Caller {
    fn of(service: &RunningService) -> Self {
        Self {
            client: Client::builder().no_proxy().tls_certs_only([]).build().unwrap(),
            base_url: service.base_url().to_owned(),
            key: service.api_key().unwrap().expose_secret().to_owned(),
            secret: service.wallet_secret().unwrap().expose_secret().to_owned(),
        }
    }

    async fn get(&self, path: &str) -> bytes::Bytes {
        let request = self.client.get(format!("{}{path}", self.base_url)).bearer_auth(&self.key);
        request.send().await.unwrap().error_for_status().unwrap().bytes().await.unwrap()
    }

    async fn post(&self, path: &str, body: &Value) -> Value {
        let request = self.client.post(format!("{}{path}", self.base_url)).bearer_auth(&self.key);
        let answer = request.header("x-wallet-secret", &self.secret).json(body).send().await.unwrap();
        answer.error_for_status().unwrap().json().await.unwrap()
    }
}

/// How often `ask` is done by so many at once, and how long each took.
async fn load<F: Future<Output = ()> + Send>(
    clients: usize,
    ask: impl Fn() -> F + Send + Sync + Clone + 'static,
) -> Vec<Duration> {
    let end = Instant::now() + LONG;
    let workers: Vec<_> = (0..clients)
        .map(|_| {
            let ask = ask.clone();
            // Boxed, since the future of each client is a type of its own.
            let work: std::pin::Pin<Box<dyn Future<Output = Vec<Duration>> + Send>> = Box::pin(async move {
                let mut durations = Vec::new();
                while Instant::now() < end {
                    let start = Instant::now();
                    ask().await;
                    durations.push(start.elapsed());
                }
                durations
            });
            tokio::spawn(work)
        })
        .collect();
    let mut all = Vec::new();
    for worker in workers {
        all.extend(worker.await.unwrap());
    }
    all.sort_unstable();
    all
}

fn say(name: &str, durations: &[Duration], micros: u128) {
    let rate = rate(durations);
    let at = |per_mille: usize| {
        durations.get(durations.len().saturating_sub(1) * per_mille / 1_000).copied().unwrap_or_default()
    };
    let each = micros / (durations.len() as u128).max(1);
    println!("{name:<44} {rate:>8}/s   p50 {:>9.1?}   p99 {:>9.1?}   {each:>5} µs of processor time", at(500), at(990));
}

/// One durable commit of one row at a time, with the settings of the ledger.
fn bare_commits(folder: &Path) -> Vec<Duration> {
    let file = rusqlite::Connection::open(folder.join("bare.db")).unwrap();
    file.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE IF NOT EXISTS t (a BLOB)")
        .unwrap();
    let end = Instant::now() + LONG;
    let mut durations = Vec::new();
    while Instant::now() < end {
        let start = Instant::now();
        file.execute("INSERT INTO t VALUES (randomblob(400))", []).unwrap();
        durations.push(start.elapsed());
    }
    durations.sort_unstable();
    durations
}

async fn payments(folder: &Path) {
    let place = LedgerLocation::Folder(folder.join("payments"));
    let service = service::start(Options { ledger_location: place, ..Options::temporary() }).await.unwrap();
    let caller = Caller::of(&service);
    let account = caller.post("/v2/accounts", &json!({ "idempotencyKey": Uuid::new_v4(), "name": "n" })).await;
    let new = json!({ "idempotencyKey": Uuid::new_v4(), "accountId": account["data"]["id"], "blockchain": "base" });
    let wallet = caller.post("/v2/wallets", &new).await["data"].clone();
    let deposit = json!({ "destination": "on_chain", "coin": "USDC", "chain": "base", "amount": "100000000000",
                          "status": "success", "fromAddress": OUTSIDE, "toAddress": wallet["address"] });
    caller.post("/v1/sandbox/sub-wallet/deposit", &deposit).await;
    let pay = move || {
        let (caller, wallet) = (caller.clone(), wallet["id"].clone());
        async move {
            let body = json!({ "idempotencyKey": Uuid::new_v4(), "walletId": wallet, "amount": "0.01", "token": "USDC",
                               "withdrawalAddress": OUTSIDE, "blockchain": "base" });
            caller.post("/v2/transactions/withdraw", &body).await;
        }
    };
    for _ in 0..ROUNDS {
        let at = processor_micros();
        let durations = bare_commits(folder);
        say("bare durable commits, one at a time", &durations, processor_micros() - at);
        for (name, clients) in [("durable withdrawals, 1 client", 1), ("durable withdrawals, 64 clients", CLIENTS)] {
            let at = processor_micros();
            let durations = load(clients, pay.clone()).await;
            say(name, &durations, processor_micros() - at);
        }
    }
    service.ledger().check().unwrap();
}

/// How many rounds there are of what is compared, one after the other and in turns; the middle one is shown.
const ROUNDS: usize = 3;

fn rate(durations: &[Duration]) -> u128 {
    durations.len() as u128 * 1_000 / LONG.as_millis()
}

fn middle<T: Ord + Copy>(mut values: Vec<T>) -> T {
    values.sort_unstable();
    values[values.len() / 2]
}

/// How many answers a second there were, and how many microseconds of processor time each took of this process, in which
/// the client and the server both are. The latter counts no other program's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    a_second: u128,
    micros: u128,
}

async fn cost<F: Future<Output = ()> + Send>(ask: impl Fn() -> F + Send + Sync + Clone + 'static) -> Cost {
    let before = processor_micros();
    let durations = load(8, ask).await;
    Cost { a_second: rate(&durations), micros: (processor_micros() - before) / (durations.len() as u128).max(1) }
}

/// The processor time that this process has used so far; 0 where the system does not tell.
fn processor_micros() -> u128 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the name, which may hold spaces, the 12th and 13th words are hundredths of seconds.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    fields.map(|word| word.parse::<u128>().unwrap() * 10_000).sum()
}

/// How many answers a second come from a path, and how many of the same size from a bare server of the same HTTP stack
/// that has them ready.
async fn beside_ready(caller: &Caller, name: &str, paths: Vec<String>) -> u128 {
    let body = caller.get(&paths[0]).await;
    let size = body.len();
    let ready = Router::new().route("/", get(move || async move { body.clone() }));
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let bare_server = Caller { base_url: format!("http://{}", listener.local_addr().unwrap()), ..caller.clone() };
    let serving = tokio::spawn(async move { axum::serve(listener, ready).await });
    let (mut service_costs, mut bare_costs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let (client, paths, next) = (caller.clone(), Arc::new(paths.clone()), Arc::new(AtomicUsize::new(0)));
        let one = cost(move || {
            let path = paths[next.fetch_add(1, Ordering::Relaxed) % paths.len()].clone();
            let caller = client.clone();
            async move { drop(caller.get(&path).await) }
        });
        service_costs.push(one.await);
        let client = bare_server.clone();
        let other = cost(move || {
            let caller = client.clone();
            async move { drop(caller.get("/").await) }
        });
        bare_costs.push(other.await);
    }
    serving.abort();
    let (service_costs, bare_costs) = (middle(service_costs), middle(bare_costs));
    println!(
        "{name:<32} {:>7}/s {:>5} µs   a ready body of {size} bytes {:>7}/s {:>5} µs   {} hundredths, of processor time {}",
        service_costs.a_second,
        service_costs.micros,
        bare_costs.a_second,
        bare_costs.micros,
        service_costs.a_second * 100 / bare_costs.a_second.max(1),
        bare_costs.micros * 100 / service_costs.micros.max(1),
    );
    service_costs.a_second
}

/// A service that has just made a history of so many rows, and says how fast.
async fn start_with_history(manner: &str, rows: u64, options: Options) -> RunningService {
    let (start, at) = (Instant::now(), processor_micros());
    let sample = Some(Sample { seed: 1, transactions: rows });
    let service = service::start(Options { sample, ..options }).await.unwrap();
    service.wait_until_ready().await.unwrap();
    let (elapsed, worked) = (start.elapsed(), processor_micros() - at);
    let a_second = |micros: u128| u128::from(rows) * 1_000_000 / micros.max(1);
    let (by_clock, by_processor) = (a_second(elapsed.as_micros()), a_second(worked));
    println!("\n{rows} transactions {manner} in {elapsed:.1?}: {by_clock} rows/s, {by_processor}/s of processor time");
    service
}

/// Reads of a history of so many rows. Gives how many a second there were of each kind.
async fn reads(rows: u64) -> Vec<u128> {
    let service = start_with_history("made", rows, Options::temporary()).await;
    let caller = Caller::of(&service);
    let newest: Value = serde_json::from_slice(&caller.get("/v2/transactions?pageLimit=1").await).unwrap();
    let user = newest["data"][0]["userId"].as_str().unwrap().to_owned();
    let pages = rows / 100;
    let far = pages / 2;
    // So many pages that what the service keeps of its answers holds none of them when it is asked for again.
    let scattered: Vec<_> = (0..pages.min(2_000))
        .map(|n| format!("/v2/transactions?pageLimit=100&pageNo={}", 1 + n * 7_919 % pages))
        .collect();
    vec![
        beside_ready(
            &caller,
            "page of 100, the same again",
            vec![format!("/v2/transactions?pageLimit=100&pageNo={far}")],
        )
        .await,
        beside_ready(&caller, "page of 100, another each time", scattered).await,
        beside_ready(&caller, "balances of a user", vec![format!("/v2/users/balances?userId={user}")]).await,
    ]
}

/// A service in a process of its own, on a ledger of so many rows: how long it takes to answer, and its memory while many
/// clients ask.
async fn alone(folder: &Path, rows: u64) {
    let place = LedgerLocation::Folder(folder.join("long"));
    let service =
        start_with_history("made durably", rows, Options { ledger_location: place, ..Options::temporary() }).await;
    let caller = Caller::of(&service);
    let newest: Value = serde_json::from_slice(&caller.get("/v2/transactions?pageLimit=1").await).unwrap();
    let (user, wallet) = (newest["data"][0]["userId"].clone(), newest["data"][0]["walletId"].clone());
    service.stop().await.unwrap();
    let mut starts = Vec::new();
    for round in 0..ROUNDS {
        let start = Instant::now();
        let mut serving = Command::new(env!("CARGO_BIN_EXE_bursar"))
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(folder.join("long"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = std::io::BufReader::new(serving.stdout.take().unwrap()).lines().map_while(Result::ok);
        let base_url = lines.find_map(|line| line.strip_prefix("listening on ").map(str::to_owned)).unwrap();
        let caller = Caller { base_url, ..caller.clone() };
        caller.get("/v2/transactions?pageLimit=1").await;
        starts.push(start.elapsed());
        if round == 0 {
            let next = Arc::new(AtomicUsize::new(0));
            let paths = Arc::new([
                format!("/v2/users/balances?userId={}", user.as_str().unwrap()),
                "/v2/transactions?pageLimit=100&txType=outgoing".to_owned(),
                format!("/v2/transactions?pageLimit=100&walletId={}", wallet.as_str().unwrap()),
            ]);
            load(CLIENTS, move || {
                let n = next.fetch_add(1, Ordering::Relaxed);
                let (caller, paths) = (caller.clone(), Arc::clone(&paths));
                async move {
                    let page = format!("/v2/transactions?pageLimit=100&pageNo={}", 1 + n * 7_919 % 9_999);
                    drop(caller.get(paths.get(n % 6).unwrap_or(&page)).await);
                }
            })
            .await;
            let rollup = std::fs::read_to_string(format!("/proc/{}/smaps_rollup", serving.id())).unwrap_or_default();
            let pss = rollup.lines().find_map(|line| line.strip_prefix("Pss:")).unwrap_or(" unknown").trim().to_owned();
            println!("memory (PSS) with {CLIENTS} clients on {rows} transactions: {pss}");
        }
        serving.kill().unwrap();
        serving.wait().unwrap();
    }
    println!("started on {rows} transactions, to the first answer: {:.1?}", middle(starts));
}

fn main() {
    let _installed_before = rustls::crypto::ring::default_provider().install_default();
    let folder = tempfile::tempdir().unwrap();
    let rows = std::env::var("BURSAR_ROWS").ok().and_then(|rows| rows.parse().ok()).unwrap_or(100_000);
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let names: Vec<_> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
        let is_chosen = |part: &str| names.is_empty() || names.iter().any(|word| word == part);
        if is_chosen("payments") {
            payments(folder.path()).await;
        }
        if is_chosen("reads") {
            let (few, many) = (reads(1_000).await, reads(rows).await);
            for (name, (few, many)) in ["the same page", "any page", "balances"].iter().zip(few.iter().zip(&many)) {
                let hundredths = few * 100 / many.max(&1);
                println!("{name}: one of {rows} transactions takes {hundredths} hundredths of the time of one of 1000");
            }
        }
        if is_chosen("alone") {
            alone(folder.path(), rows).await;
        }
    });
}
