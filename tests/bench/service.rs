//! What the embedded service bears, on this machine, with the load generator beside it and durable commits on.
//!
//! ```text
//! cargo bench --bench service          BURSAR_ROWS=1000000 for the long history, 100,000 by default
//! ```
//!
//! Every figure stands beside one that it is compared with in the same run: payments beside bare durable commits of the
//! same file system, pages and balances beside a ready body of the same size from the same HTTP stack.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark shows figures and ends with its first surprise"
)]
#![expect(clippy::disallowed_methods, reason = "what is measured is time")]

use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::get;
use bursar::service::{self, Options, Place, Running, Sample};
use reqwest::Client;
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use uuid::Uuid;

const CLIENTS: usize = 64;
const LONG: Duration = Duration::from_secs(4);
const OUTSIDE: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

#[derive(Clone)]
struct Caller {
    client: Client,
    base_url: String,
    key: String,
    secret: String,
}

impl Caller {
    fn of(running: &Running) -> Self {
        Self {
            client: Client::builder().no_proxy().tls_certs_only([]).build().unwrap(),
            base_url: running.base_url().to_owned(),
            key: running.api_key().unwrap().expose_secret().to_owned(),
            secret: running.wallet_secret().unwrap().expose_secret().to_owned(),
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
                let mut took = Vec::new();
                while Instant::now() < end {
                    let start = Instant::now();
                    ask().await;
                    took.push(start.elapsed());
                }
                took
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

fn say(name: &str, took: &[Duration]) {
    let rate = took.len() as u128 * 1_000 / LONG.as_millis();
    let at = |per_mille: usize| took.get(took.len().saturating_sub(1) * per_mille / 1_000).copied().unwrap_or_default();
    println!("{name:<44} {rate:>8}/s   p50 {:>9.1?}   p99 {:>9.1?}", at(500), at(990));
}

/// One durable commit of one row at a time, with the settings of the ledger.
fn bare_commits(folder: &std::path::Path) -> Vec<Duration> {
    let file = rusqlite::Connection::open(folder.join("bare.db")).unwrap();
    file.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (a BLOB)").unwrap();
    let end = Instant::now() + LONG;
    let mut took = Vec::new();
    while Instant::now() < end {
        let start = Instant::now();
        file.execute("INSERT INTO t VALUES (randomblob(400))", []).unwrap();
        took.push(start.elapsed());
    }
    took.sort_unstable();
    took
}

async fn payments(folder: &std::path::Path) {
    let place = Place::Folder(folder.join("payments"));
    let running = service::start(Options { place, ..Options::temporary() }).await.unwrap();
    let caller = Caller::of(&running);
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
    say("bare durable commits, one at a time", &bare_commits(folder));
    say("durable withdrawals, 1 client", &load(1, pay.clone()).await);
    say("durable withdrawals, 64 clients", &load(CLIENTS, pay).await);
    running.ledger().check().unwrap();
}

/// Reads beside a ready body of the same size.
async fn reads(rows: u64) {
    let start = Instant::now();
    let sample = Some(Sample { seed: 1, transactions: rows });
    let running = service::start(Options { sample, ..Options::temporary() }).await.unwrap();
    running.ready().await.unwrap();
    println!("{rows} transactions made in {:.1?}", start.elapsed());
    let caller = Caller::of(&running);
    let newest: Value = serde_json::from_slice(&caller.get("/v2/transactions?pageLimit=1").await).unwrap();
    let user = newest["data"][0]["userId"].as_str().unwrap().to_owned();
    let far = rows / 100 / 2;
    for path in [
        "/v2/transactions?txType=outgoing&pageLimit=100".to_owned(),
        format!("/v2/transactions?pageLimit=100&pageNo={far}"),
        format!("/v2/users/balances?userId={user}"),
    ] {
        let body = caller.get(&path).await;
        let size = body.len();
        let ready = Router::new().route("/", get(move || async move { body.clone() }));
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let serving = tokio::spawn(async move { axum::serve(listener, ready).await });
        let asked = caller.clone();
        let target = path.clone();
        let ours = load(8, move || {
            let (caller, path) = (asked.clone(), target.clone());
            async move { drop(caller.get(&path).await) }
        });
        say(&path.replace(&user, "…"), &ours.await);
        let client = caller.client.clone();
        let theirs = load(8, move || {
            let (client, url) = (client.clone(), url.clone());
            async move { drop(client.get(url).send().await.unwrap().bytes().await.unwrap()) }
        });
        say(&format!("  a ready body of {size} bytes"), &theirs.await);
        serving.abort();
    }
}

fn main() {
    let _installed_before = rustls::crypto::ring::default_provider().install_default();
    let folder = tempfile::tempdir().unwrap();
    let rows = std::env::var("BURSAR_ROWS").ok().and_then(|rows| rows.parse().ok()).unwrap_or(100_000);
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        payments(folder.path()).await;
        reads(1_000).await;
        reads(rows).await;
    });
}
