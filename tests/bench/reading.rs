//! What the first read of a history takes, beside a bare loop over the same pages of the same service: of a history of 1,000
//! transactions and of a long one, side by side, so that it shows whether a row costs more where there are many.
//!
//! ```text
//! cargo bench --bench reading          BURSAR_ROWS=1000000 for the long history, 100,000 by default
//! ```
//!
//! The bare loop fetches a page, parses it into a struct of texts, and inserts that into a table with one index, a commit
//! per page; then it fetches the next. It proves nothing about order and paging, cleans no text, checks no amount, and
//! keeps nothing that could be searched or summed.

#![expect(clippy::unwrap_used, reason = "a benchmark ends with its first surprise")]
#![expect(clippy::disallowed_methods, reason = "what is measured is time")]

mod figures;
#[expect(dead_code, reason = "other benchmarks use the rest")]
mod sample;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bursar::api::{Connection, Limits, Reader, Route, WireNames};
use bursar::domain::Redaction;
use bursar::runtime::Clock;
use bursar::runtime::effect_runner::{BalanceBackOffList, ConsoleResources, PayingDisabled, StoreWriteQueue};
use bursar::runtime::profile_file::ProfileFile;
use bursar::runtime::refresh::{RefreshPlan, refresh_cache};
use bursar::service::{self, Options, RunningService, Sample};
use bursar::store::{CacheLocation, Store};
use figures::{heads, tell};
use rusqlite::params;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;

/// How often each reads; the middle one is told.
const ROUNDS: usize = 3;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    data: Vec<Row>,
    total_page: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    id: String,
    tx_type: String,
    tx_sub_type: String,
    status: String,
    token_symbol: String,
    token_address: Option<String>,
    blockchain: String,
    amount: Amount,
    total_fee: Amount,
    from_address: Option<String>,
    to_address: Option<String>,
    tx_hash: Option<String>,
    confirmed_at: Option<String>,
    ref_id: Option<String>,
    idempotency_key: Option<String>,
    user_id: Option<String>,
    wallet_id: String,
    account_id: String,
}

#[derive(Deserialize)]
struct Amount {
    raw: String,
}

/// Reads both lists, page by page, into a table.
async fn read_bare(service: &RunningService, folder: &Path) -> u64 {
    let client = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().unwrap();
    let file = rusqlite::Connection::open(folder.join("bare.db")).unwrap();
    let columns = "id TEXT PRIMARY KEY, way, sub_type, status, symbol, contract, chain, amount, fee, sender, recipient,
                   hash, at, ref_id, key, user, wallet, account";
    file.execute_batch(&format!(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE history ({columns}) WITHOUT ROWID"
    ))
    .unwrap();
    let mut rows = 0;
    for way in ["incoming", "outgoing"] {
        let mut page_no = 1;
        loop {
            let url = format!("{}/v2/transactions?txType={way}&pageLimit=100&pageNo={page_no}", service.base_url());
            let request = client.get(url).bearer_auth(service.api_key().unwrap().expose_secret());
            let body = request.send().await.unwrap().error_for_status().unwrap().bytes().await.unwrap();
            let page: Page = serde_json::from_slice(&body).unwrap();
            file.execute_batch("BEGIN").unwrap();
            let mut insert = file
                .prepare_cached(
                    "INSERT OR IGNORE INTO history
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
                )
                .unwrap();
            for row in &page.data {
                let values = params![
                    row.id,
                    row.tx_type,
                    row.tx_sub_type,
                    row.status,
                    row.token_symbol,
                    row.token_address,
                    row.blockchain,
                    row.amount.raw,
                    row.total_fee.raw,
                    row.from_address,
                    row.to_address,
                    row.tx_hash,
                    row.confirmed_at,
                    row.ref_id,
                    row.idempotency_key,
                    row.user_id,
                    row.wallet_id,
                    row.account_id,
                ];
                rows += insert.execute(values).unwrap() as u64;
            }
            file.execute_batch("COMMIT").unwrap();
            if page_no >= page.total_page {
                break;
            }
            page_no += 1;
        }
    }
    rows
}

/// Reads the history as the console does.
async fn read_with_client(service: &RunningService, folder: &Path) -> u64 {
    let connection = Connection {
        base_url: service.base_url().to_owned(),
        api_key: SecretString::from(service.api_key().unwrap().expose_secret().to_owned()),
        wallet_secret: None,
        redaction: Redaction::default(),
        limits: Limits::default(),
        wire_names: WireNames::default(),
        route: Route::default(),
    };
    let world = ConsoleResources {
        reader: Arc::new(Reader::new(connection).unwrap()),
        store: Store::open(&CacheLocation::Folder(folder.join("ours"))).unwrap().store,
        clock: Clock::System,
        store_queue: StoreWriteQueue::default(),
        balance_back_off: BalanceBackOffList::default(),
        payments: Err(PayingDisabled { reason: bursar::domain::ReadOnlyReason::ByCommand, journal: None }),
        host: None,
        profile_file: ProfileFile::default(),
        rows_per_page: ConsoleResources::ROWS_PER_PAGE,
    };
    refresh_cache(&world, RefreshPlan { lists: false, v1: false, users: 0, valuation: None }, &mut |_| {})
        .await
        .unwrap();
    let progress = world.store.progress().unwrap();
    assert!(progress.complete, "{progress:?}");
    progress.rows
}

/// The middle one, in microseconds.
fn middle(mut durations: Vec<Duration>) -> u64 {
    durations.sort_unstable();
    durations[durations.len() / 2].as_micros().try_into().unwrap()
}

/// How long the bare loop and the console take for a history of so many rows.
async fn measure(rows: u64) -> [u64; 2] {
    let sample = Some(Sample { seed: 1, transactions: rows });
    let service = service::start(Options { sample, ..Options::temporary() }).await.unwrap();
    service.wait_until_ready().await.unwrap();
    let (mut bare_took, mut ours_took) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let folder = tempfile::tempdir().unwrap();
        let start = Instant::now();
        assert_eq!(read_bare(&service, folder.path()).await, rows);
        bare_took.push(start.elapsed());
        let start = Instant::now();
        assert_eq!(read_with_client(&service, folder.path()).await, rows);
        ours_took.push(start.elapsed());
    }
    service.stop().await.unwrap();
    [middle(bare_took), middle(ours_took)]
}

fn main() {
    let _installed_before = rustls::crypto::ring::default_provider().install_default();
    let sizes = [sample::FEW, sample::many()];
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let medians = sizes.map(|rows| runtime.block_on(measure(rows)));
    let loop_times = medians.map(|[loop_time, _]| loop_time);
    let client_times = medians.map(|[_, client_time]| client_time);
    heads("rows", sizes);
    tell("the bare loop, microseconds", loop_times);
    tell("ours, microseconds", client_times);
    let each = |times: [u64; 2]| [0, 1].map(|nth| times[nth] * 1_000 / sizes[nth]);
    tell("the bare loop, nanoseconds a row", each(loop_times));
    tell("ours, nanoseconds a row", each(client_times));
    tell(
        "ours, hundredths of the bare loop's pace",
        [0, 1].map(|nth| loop_times[nth] * 100 / client_times[nth].max(1)),
    );
}
