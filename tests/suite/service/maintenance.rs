//! What whoever looks after a service may count on: nothing in its folder is for others, its log says what is wrong and says
//! it once, and nobody who has a key can keep the others out.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use bursar::domain::Timestamp;
use bursar::service::{self, KeyEntry, Options, Register, ServiceClock, ServiceError, TlsFiles};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::process::{ServiceClient, ServiceProcess, command_on, fund_wallet, payment, startup_error};
use super::test_service::{TestService, folder, payment_of, text};
use super::webhooks::WebhookReceiver;
use crate::harness::disk::SmallDisk;
use crate::harness::wait::{comes_true, waits_until};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn permit(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Issue 22: the ledger, its log and that of the keys, with the webhook secret in clear, were readable to all.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_a_folder_that_stood_open_to_others_nothing_is() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    fs::create_dir(&data).unwrap();
    permit(&data, 0o755);
    let listener = WebhookReceiver::open(&[]).await;
    let process = ServiceProcess::start_with(folder.path(), &["--webhook", &listener.url], None).await;
    fund_wallet(&ServiceClient::of(&process)).await;
    let open = |data: &Path| {
        let paths = fs::read_dir(data).unwrap().map(|entry| entry.unwrap().path()).chain([data.to_owned()]);
        paths.filter(|path| mode(path) & 0o077 != 0).collect::<Vec<_>>()
    };
    assert_eq!(open(&data), Vec::<std::path::PathBuf>::new());
    process.kill();
    // One that an older program left open is closed.
    for entry in fs::read_dir(&data).unwrap() {
        permit(&entry.unwrap().path(), 0o644);
    }
    permit(&data, 0o755);
    let process = ServiceProcess::start(folder.path(), Some((String::new(), String::new()))).await;
    assert_eq!(open(&data), Vec::<std::path::PathBuf>::new());
    process.kill();
}

#[test]
fn an_open_folder_with_other_things_in_it_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    fs::create_dir(&data).unwrap();
    fs::write(data.join("letter.txt"), "dear").unwrap();
    permit(&data, 0o755);
    let stderr = startup_error(Command::new(env!("CARGO_BIN_EXE_bursar")), folder.path());
    assert!(stderr.contains("other users of this machine may read it") && stderr.contains("chmod 700"), "{stderr}");
    assert_eq!(mode(&data), 0o755);
}

#[tokio::test]
async fn a_tls_key_that_others_may_read_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = rcgen::generate_simple_self_signed(vec!["localhost".into()]).unwrap();
    let tls = TlsFiles { certificate: folder.path().join("cert.pem"), key: folder.path().join("key.pem") };
    fs::write(&tls.certificate, certificate.cert.pem()).unwrap();
    fs::write(&tls.key, certificate.signing_key.serialize_pem()).unwrap();
    for (mode, is_taken) in
        [(0o644, false), (0o640, false), (0o604, false), (0o660, false), (0o600, true), (0o400, true)]
    {
        permit(&tls.key, mode);
        match service::start(Options { tls: Some(tls.clone()), ..Options::temporary() }).await {
            Ok(service) => {
                assert!(is_taken, "{mode:o}");
                service.stop().await.unwrap();
            }
            Err(error) => {
                assert!(!is_taken && matches!(error, ServiceError::Tls { .. }), "{mode:o}: {error}");
                assert!(error.to_string().contains("run `chmod 600"), "{error}");
            }
        }
    }
}

/// Issue 22: 41 keys after 40 starts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_ready_file_has_one_key_however_often_the_service_starts() {
    let folder = tempfile::tempdir().unwrap();
    let ready = folder.path().join("ready.json");
    let arguments = ["--ready-file", ready.to_str().unwrap()];
    let (mut keys, mut earlier) = (None, None);
    for start in 0..4 {
        let process = ServiceProcess::start_with(folder.path(), &arguments, keys).await;
        let ready: Value = serde_json::from_slice(&fs::read(&ready).unwrap()).unwrap();
        let reads = async |key: &str| {
            let url = format!("{}/v2/users/stats", process.base_url);
            ServiceClient::of(&process).client.get(url).bearer_auth(key).send().await.unwrap().status().as_u16()
        };
        assert_eq!(reads(ready["apiKey"].as_str().unwrap()).await, 200);
        assert_eq!(reads(&ServiceClient::of(&process).key).await, 200, "the owner's own key stays valid");
        if let Some(earlier) = earlier.replace(text(&ready["apiKey"])) {
            assert_eq!(reads(&earlier).await, 401, "the key of an earlier file opens nothing");
        }
        keys = Some(process.kill());
        let entries = Register::open_of_existing_service(&folder.path().join("data")).unwrap().list().unwrap();
        let names: Vec<_> = entries.iter().map(|key: &KeyEntry| key.name.as_str()).collect();
        assert_eq!(names, ["owner", "ready-file"], "start {start}");
    }
}

/// Issue 22: 3,000 bodies that came byte by byte under a valid key kept everybody out for 25 seconds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bodies_that_trickle_under_one_key_keep_nobody_out() {
    let house = TestService::open().await;
    let (key, secret) = house.keys();
    let address = house.service.base_url().trim_start_matches("http://").to_owned();
    let head = format!(
        "POST /v2/accounts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\nx-wallet-secret: {secret}\r\n\
         Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{"
    );
    let mut trickling = Vec::new();
    for _ in 0..900 {
        let mut stream = TcpStream::connect(&address).unwrap();
        let _refused_already = stream.write_all(head.as_bytes());
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        trickling.push(stream);
    }
    // The last of them was turned away in words, and not kept waiting.
    let mut answer = [0; 12];
    let last = trickling.last_mut().unwrap();
    tokio::task::block_in_place(|| last.read_exact(&mut answer)).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 429");
    let request = house.request(Method::GET, "/v2/users/stats").timeout(Duration::from_secs(20)).send();
    assert_eq!(request.await.unwrap().status(), 200);
    drop(trickling);
    let payment = payment_of(&text(&house.treasury("base").await["id"]));
    let payment_loop = async { while house.post("/v2/transactions/withdraw", &payment).await.status != 201 {} };
    tokio::time::timeout(Duration::from_secs(20), payment_loop).await.expect("the bodies are given up");
}

#[tokio::test]
async fn a_member_that_stands_twice_is_refused_and_nothing_is_executed() {
    let house = TestService::open().await;
    let wallet = text(&house.treasury("base").await["id"]);
    let body = payment_of(&wallet).to_string();
    let twice = body.replacen("\"amount\":", "\"amount\":\"1\",\"amount\":", 1);
    assert_ne!(body, twice);
    let before = house.get("/v2/transactions?txType=outgoing").await.body["totalPage"].clone();
    let request = house.request(Method::POST, "/v2/transactions/withdraw").header("content-type", "application/json");
    let answer = super::test_service::send_and_read(request.body(twice)).await;
    let message = answer.expect_error(422, "/v2/transactions/withdraw");
    assert_eq!(message, json!(["amount appears twice; give it once"]));
    assert_eq!(house.get("/v2/transactions?txType=outgoing").await.body["totalPage"], before);
}

/// Issue 22: 23,116 lines in 50 seconds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_that_refuses_is_named_and_logged_once() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let listener = WebhookReceiver::open(&[]).await;
    listener.refuses(1_000_000);
    let process = ServiceProcess::start_logging_with(folder.path(), &log, &["--webhook", &listener.url]).await;
    let caller = ServiceClient::of(&process);
    let wallet = fund_wallet(&caller).await;
    for _ in 0..60 {
        caller.post("/v2/transactions/withdraw", &payment(&wallet, Uuid::new_v4())).await.unwrap();
    }
    let lines = || {
        let log_text = fs::read_to_string(&log).unwrap();
        let warned = log_text.lines().filter(|line| line.contains("receiver") && line.contains("\"WARN\""));
        warned.map(str::to_owned).collect::<Vec<_>>()
    };
    comes_true("it is said", || !lines().is_empty()).await;
    loop {
        let page = caller.get("/v2/transactions?txType=outgoing&pageLimit=100").await;
        if page["data"].as_array().unwrap().iter().all(|row| row["status"] != "pending") {
            break;
        }
    }
    assert_eq!(lines().len(), 1, "{:?}", lines());
    let origin = listener.url.strip_suffix("/events").unwrap();
    assert!(lines()[0].contains(origin) && lines()[0].contains("rejects events with status 503"), "{:?}", lines());
    assert!(!lines()[0].contains("/events"), "a path may hold a token");
    process.kill();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_is_named_in_the_log_and_by_the_check() {
    let Some(disk) = SmallDisk::of(8) else { return };
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let process = ServiceProcess::start_logging_on(&disk, &log).await;
    let caller = ServiceClient::of(&process);
    let wallet = fund_wallet(&caller).await;
    disk.fill();
    let mut refusals = 0;
    for _ in 0..20_000 {
        if caller.post("/v2/transactions/withdraw", &payment(&wallet, Uuid::new_v4())).await.is_none() {
            refusals += 1;
        }
        if refusals > 20 {
            break;
        }
    }
    assert!(refusals > 20, "the disk never came to be full");
    let named_keys = || {
        let log_text = fs::read_to_string(&log).unwrap();
        log_text.lines().filter(|line| line.contains("no room left on the disk of the ledger")).count()
    };
    waits_until("the full disk is named", || named_keys() > 0);
    assert!(named_keys() < refusals, "once and not for each");
    let data = format!("{}/data", disk.inside());
    let check = command_on(&disk).args(["serve", "check", "--data", &data]).output().unwrap();
    let stdout = String::from_utf8_lossy(&check.stdout);
    assert!(stdout.contains("KiB are free on the disk") && stdout.contains("is sound"), "{stdout}");
    process.kill();
}

/// The whole of it, by the system's clock as the service reads it: what is due far ahead settles by the clock of now.
#[tokio::test]
async fn a_service_whose_clock_was_ahead_settles_when_it_is_right_again() {
    let (_folder, ledger_location) = folder();
    let house = TestService::with(|options| options.ledger_location = ledger_location.clone()).await;
    let wallet = text(&house.treasury("base").await["id"]);
    let right = house.clock.now();
    house.clock.advance_to(Timestamp::from_millis(right.millis() + 400 * 86_400_000));
    let answer = house.post("/v2/transactions/withdraw", &payment_of(&wallet)).await;
    assert_eq!(answer.status, 201);
    let (key, secret) = house.keys();
    house.service.stop().await.unwrap();
    let clock = ServiceClock::manual(right);
    let options = Options { ledger_location, clock: clock.clone(), with_lists: true, ..Options::temporary() };
    let house = TestService::knowing(service::start(options).await.unwrap(), clock, key, secret);
    house.wait(1).await;
    house.wait(600).await;
    let newest = house.get("/v2/transactions?txType=outgoing&pageLimit=1").await;
    assert_eq!(newest.body["data"][0]["id"], answer.body["data"]["id"]);
    assert_ne!(newest.body["data"][0]["status"], "pending");
}

/// What a service took for a time with much work it gives back when that is over.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_that_was_needed_for_a_load_is_given_back() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--seed", "1", "--transactions", "20000"];
    let process = ServiceProcess::start_with(folder.path(), &arguments, None).await;
    let caller = ServiceClient::of(&process);
    let before = super::operations::memory(&process);
    let mut most = before;
    for round in 0..4 {
        let pages = (0..64).map(|n| {
            let (caller, page) = (caller.clone(), round * 64 + n + 1);
            async move { caller.get(&format!("/v2/transactions?pageLimit=100&pageNo={page}")).await }
        });
        drop(futures::future::join_all(pages).await);
        most = most.max(super::operations::memory(&process));
    }
    if before == 0 {
        // The system does not tell.
        return;
    }
    let bound = before + (most - before) / 2;
    comes_true("memory is given back", || super::operations::memory(&process) <= bound).await;
    process.kill();
}
