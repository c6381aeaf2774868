//! How a service begins, goes on and ends.

use std::net::SocketAddr;
use std::path::Path;

use bursar::domain::Timestamp;
use bursar::service::ledger::LedgerError;
use bursar::service::{
    self, Fault, LedgerLocation, Options, Pace, Sample, ServeOptions, ServiceClock, ServiceError, serve,
};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::test_service::{NOON, TestService, folder};
use crate::harness::wait::comes_true;

fn standing_options() -> Options {
    Options { clock: ServiceClock::manual(Timestamp::parse_iso(NOON).unwrap()), ..Options::temporary() }
}

#[tokio::test]
async fn an_empty_folder_becomes_a_workspace_with_an_owner_key() {
    let (_folder, ledger_location) = folder();
    let service = service::start(Options { ledger_location, ..standing_options() }).await.unwrap();
    let house = TestService::around(service, ServiceClock::System);
    let stats = house.get("/v2/users/stats").await;
    assert_eq!((stats.status, &stats.body["data"]["depositsCount"]), (200, &json!(0)));
    let none = house.get("/v2/transactions?txType=incoming").await;
    assert_eq!((&none.body["data"], &none.body["totalPage"]), (&json!([]), &json!(0)));
    let first = json!({ "idempotencyKey": uuid::Uuid::new_v4(), "name": "Treasury" });
    assert_eq!(house.post("/v2/accounts", &first).await.body["data"]["type"], "SETTLEMENT");
}

#[tokio::test]
async fn two_services_of_one_seed_and_time_tell_the_same() {
    let (one, other) = (TestService::open().await, TestService::open().await);
    let different = TestService::with(|options| options.sample = Some(Sample { seed: 8, transactions: 240 })).await;
    let path = "/v2/transactions?pageLimit=100";
    assert_eq!(one.get(path).await, other.get(path).await);
    assert_ne!(one.get(path).await, different.get(path).await);
    one.wait(30).await;
    other.wait(30).await;
    assert_eq!(one.get(path).await, other.get(path).await);
}

#[tokio::test]
async fn a_lively_business_goes_on_by_itself_and_the_same_for_a_seed() {
    let lively = |options: &mut Options| options.lively = true;
    let (one, other) = (TestService::with(lively).await, TestService::with(lively).await);
    let path = "/v2/transactions?pageLimit=100";
    let before = one.get(path).await;
    for house in [&one, &other] {
        for _ in 0..6 {
            house.wait(20).await;
        }
    }
    assert_ne!(one.get(path).await, before);
    assert_eq!(one.get(path).await, other.get(path).await);
}

#[tokio::test]
async fn a_big_sample_is_made_while_the_address_stands() {
    let sample = Some(Sample { seed: 7, transactions: 20_000 });
    let service = service::start(Options { sample, ..standing_options() }).await.unwrap();
    let house = TestService::around(service, ServiceClock::System);
    let early = house.get("/v2/users/stats").await;
    if early.status == 503 {
        let message = early.expect_error(503, "/v2/users/stats");
        assert!(message.as_str().unwrap().ends_with(" of 20000"), "{message}");
    }
    house.service.wait_until_ready().await.unwrap();
    let page = house.get("/v2/transactions?pageNo=200&pageLimit=100").await;
    assert_eq!((&page.body["totalPage"], page.body["data"].as_array().unwrap().len()), (&json!(200), 100));
}

#[tokio::test]
async fn a_sample_whose_making_was_cut_off_is_finished_at_the_next_start() {
    let (_folder, ledger_location) = folder();
    let sample = Some(Sample { seed: 7, transactions: 24_000 });
    let service = service::start(Options { ledger_location: ledger_location.clone(), sample, ..standing_options() })
        .await
        .unwrap();
    let house = TestService::around(service, ServiceClock::System);
    let (key, secret) = house.keys();
    house.service.stop().await.unwrap();

    let service = service::start(Options { ledger_location, ..standing_options() }).await.unwrap();
    assert!(service.api_key().is_none());
    service.wait_until_ready().await.unwrap();
    let house = TestService::knowing(service, ServiceClock::System, key, secret);
    let last = house.get("/v2/transactions?pageNo=240&pageLimit=100").await;
    assert_eq!((&last.body["totalPage"], last.body["data"].as_array().unwrap().len()), (&json!(240), 100));
}

#[tokio::test]
async fn payments_settle_by_themselves_while_the_machine_s_clock_goes() {
    let house = TestService::with(|options| {
        options.clock = ServiceClock::System;
        options.pace = Pace::per_mille(1_000_000).unwrap();
    })
    .await;
    let answer = house.post("/v2/transactions/withdraw", &house.payment().await).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    let settlement = async {
        loop {
            let newest = house.get("/v2/transactions?txType=outgoing&pageLimit=1").await;
            if newest.body["data"][0]["status"] != "pending" {
                return newest.body["data"][0]["id"].clone();
            }
        }
    };
    let settled_id = tokio::time::timeout(std::time::Duration::from_secs(20), settlement).await.unwrap();
    assert_eq!(settled_id, answer.body["data"]["id"]);
}

#[tokio::test]
async fn a_ledger_that_cannot_be_read_is_refused_in_words() {
    let (folder, ledger_location) = folder();
    let path = folder.path().join("data/ledger.db");
    service::start(Options { ledger_location: ledger_location.clone(), ..standing_options() })
        .await
        .unwrap()
        .stop()
        .await
        .unwrap();
    rusqlite::Connection::open(&path).unwrap().execute_batch("PRAGMA user_version = 99").unwrap();
    let newer =
        service::start(Options { ledger_location: ledger_location.clone(), ..standing_options() }).await.unwrap_err();
    assert!(matches!(newer, ServiceError::Ledger(LedgerError::Newer { format: 99, .. })), "{newer}");
    std::fs::write(&path, "not a database, but long enough to be read as a header of one, which it is not".repeat(9))
        .unwrap();
    let damaged = service::start(Options { ledger_location, ..standing_options() }).await.unwrap_err();
    assert!(matches!(damaged, ServiceError::Ledger(LedgerError::Altered { .. })), "{damaged}");
    assert!(damaged.to_string().contains("ledger.db"), "{damaged}");
}

#[tokio::test]
async fn a_request_under_way_ends_before_the_service_does() {
    let house = TestService::open().await;
    house.service.set_fault(Fault::Delayed(std::time::Duration::from_millis(100))).await;
    let request = house.request(Method::GET, "/v2/users/stats");
    let answer = tokio::spawn(super::test_service::send_and_read(request));
    comes_true("the fault", || house.service.faults_fired() > 0).await;
    let late = house.bare_request(Method::GET, "/v2/users/stats");
    house.service.stop().await.unwrap();
    assert_eq!(answer.await.unwrap().status, 200);
    assert!(late.send().await.unwrap_err().is_connect());
}

#[tokio::test]
async fn a_service_starts_on_this_machine_alone_and_where_nobody_else_works() {
    let outside: SocketAddr = "0.0.0.0:0".parse().unwrap();
    let error = service::start(Options { listen: outside, ..standing_options() }).await.unwrap_err();
    assert!(matches!(error, ServiceError::NotLoopback(_)), "{error}");

    let (held_folder, ledger_location) = folder();
    let first =
        service::start(Options { ledger_location: ledger_location.clone(), ..standing_options() }).await.unwrap();
    let second =
        service::start(Options { ledger_location: ledger_location.clone(), ..standing_options() }).await.unwrap_err();
    assert!(matches!(second, ServiceError::Ledger(LedgerError::InUse(_))), "{second}");
    let occupied: SocketAddr = first.base_url().strip_prefix("http://").unwrap().parse().unwrap();
    let (_folder, elsewhere) = folder();
    let second = service::start(Options { listen: occupied, ledger_location: elsewhere.clone(), ..standing_options() })
        .await
        .unwrap_err();
    assert!(matches!(second, ServiceError::Listen { .. }), "{second}");
    let restarted_service = service::start(Options { ledger_location: elsewhere, ..standing_options() }).await.unwrap();
    assert!(restarted_service.api_key().is_some(), "no key was lost with the port");
    first.stop().await.unwrap();
    service::start(Options { ledger_location, ..standing_options() }).await.unwrap().stop().await.unwrap();

    let file = held_folder.path().join("file");
    std::fs::write(&file, "text").unwrap();
    let error = service::start(Options { ledger_location: LedgerLocation::Folder(file), ..standing_options() })
        .await
        .unwrap_err();
    assert!(matches!(error, ServiceError::Ledger(LedgerError::NotAFolder(_))), "{error}");
}

fn options(folder: &Path, ready_file: Option<&Path>) -> ServeOptions {
    let ledger_location = LedgerLocation::Folder(folder.join("data"));
    let service = Options { ledger_location, ..Options::temporary() };
    ServeOptions { service, ready_file: ready_file.map(Path::to_owned), fault: None }
}

/// Serves until the text says that it is ready, and gives the text.
async fn serve_once(options: ServeOptions) -> Result<String, ServiceError> {
    let (reader, writer) = std::io::pipe().unwrap();
    let (end, end_signal) = oneshot::channel::<()>();
    let output = tokio::task::spawn_blocking(move || {
        let mut text = String::new();
        for line in std::io::BufRead::lines(std::io::BufReader::new(reader)) {
            let line = line.unwrap();
            text.push_str(&line);
            text.push('\n');
            if line == "ready" {
                break;
            }
        }
        let _ended_before = end.send(());
        text
    });
    let result = serve(options, writer, async {
        let _asked = end_signal.await;
    })
    .await;
    let text = output.await.unwrap();
    result.map(|()| text)
}

#[tokio::test]
async fn serve_shows_the_key_once_and_writes_it_where_it_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let first = serve_once(options(folder.path(), None)).await.unwrap();
    assert!(first.starts_with("listening on http://127.0.0.1:"), "{first}");
    assert!(first.contains("bursar_key_") && first.contains("bursar_secret_"), "{first}");
    let second = serve_once(options(folder.path(), None)).await.unwrap();
    assert!(!second.contains("bursar_key_"), "{second}");

    let file = folder.path().join("ready.json");
    let third = serve_once(options(folder.path(), Some(&file))).await.unwrap();
    let ready: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(ready.as_object().unwrap().len(), 3);
    for name in ["baseUrl", "apiKey", "walletSecret"] {
        assert!(third.contains(ready[name].as_str().unwrap()), "{name}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "no draft stays behind");
}

#[tokio::test]
async fn a_ready_file_never_replaces_what_is_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).unwrap();
    let error = serve_once(options(folder.path(), Some(&inner))).await.unwrap_err();
    assert!(matches!(error, ServiceError::ReadyFile { .. }), "{error}");
    let nowhere = folder.path().join("missing/ready.json");
    let error = serve_once(options(folder.path(), Some(&nowhere))).await.unwrap_err();
    assert!(matches!(error, ServiceError::ReadyFile { .. }), "{error}");
    #[cfg(unix)]
    {
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("/dev/null", &link).unwrap();
        let error = serve_once(options(folder.path(), Some(&link))).await.unwrap_err();
        assert!(matches!(error, ServiceError::ReadyFile { .. }), "{error}");
    }
    assert!(!folder.path().join("data").exists(), "nothing was started");
}
