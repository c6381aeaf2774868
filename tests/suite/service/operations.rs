//! How a service is run: health, TLS, limits, and the proof of its ledger.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use bursar::domain::Timestamp;
use bursar::service::{self, Options, Sample, ServiceClock, ServiceError, TlsFiles};
use reqwest::{Certificate, Client, Method};
use serde_json::json;

use super::process::{ServiceClient, ServiceProcess, fund_wallet, payment};
use super::test_service::{NOON, TestService, folder, payment_of, send_and_read, text};
use crate::harness::wait::comes_true;

#[tokio::test]
async fn health_needs_no_key_and_says_whether_requests_are_answered() {
    let house = TestService::open().await;
    let healthy = send_and_read(house.bare_request(Method::GET, "/healthz")).await;
    assert_eq!((healthy.status, healthy.body), (200, json!({ "status": "ok" })));
    let sample = Some(Sample { seed: 7, transactions: 30_000 });
    let clock = ServiceClock::manual(Timestamp::parse_iso(NOON).unwrap());
    let service = service::start(Options { sample, clock, ..Options::temporary() }).await.unwrap();
    let house = TestService::around(service, ServiceClock::System);
    let early = send_and_read(house.bare_request(Method::GET, "/healthz")).await;
    if early.status == 503 {
        assert_eq!((&early.body["status"], &early.body["total"]), (&json!("preparing"), &json!(30_000)));
    }
    house.service.wait_until_ready().await.unwrap();
    assert_eq!(send_and_read(house.bare_request(Method::GET, "/healthz")).await.status, 200);
}

#[tokio::test]
async fn every_answer_carries_an_identifier_of_its_request() {
    let house = TestService::open().await;
    let mut request_ids = std::collections::HashSet::new();
    for path in ["/v2/users/stats", "/v2/nothing", "/healthz", "/v2/users"] {
        let answer = house.request(Method::GET, path).send().await.unwrap();
        let id = answer.headers()["x-request-id"].to_str().unwrap().to_owned();
        assert_eq!(id.len(), 36);
        assert!(request_ids.insert(id));
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_names_each_request_as_its_answer_does_and_none_of_its_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let process = ServiceProcess::start_logging(folder.path(), &log).await;
    let caller = ServiceClient::of(&process);
    let mut answers = Vec::new();
    for path in ["/v2/users/stats?userId=c-1001", "/v2/users?userId=c-1001"] {
        let request = caller.client.get(format!("{}{path}", caller.base_url)).bearer_auth(&caller.key).send();
        let answer = request.await.unwrap();
        answers.push((answer.headers()["x-request-id"].to_str().unwrap().to_owned(), answer.status().as_u16()));
    }
    assert_eq!(process.ends(), Some(0));
    let log_text = std::fs::read_to_string(&log).unwrap();
    let lines: Vec<serde_json::Value> = log_text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (id, status) in answers {
        let of_it: Vec<_> = lines.iter().filter(|line| line["span"]["id"] == *id).collect();
        assert!(of_it.iter().any(|line| line["fields"]["status"] == status), "{id} {status} in {log_text}");
        assert!(of_it.iter().all(|line| line["span"]["path"].as_str().unwrap().starts_with("/v2/users")), "{log_text}");
    }
    for secret in [caller.key.as_str(), &caller.secret, "c-1001"] {
        assert!(!log_text.contains(secret), "{secret} stands in {log_text}");
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_that_is_told_to_end_finishes_what_it_has_begun_to_hear() {
    let folder = tempfile::tempdir().unwrap();
    let process = ServiceProcess::start(folder.path(), None).await;
    let caller = ServiceClient::of(&process);
    let address = process.base_url.trim_start_matches("http://").to_owned();
    let body = json!({ "idempotencyKey": uuid::Uuid::new_v4(), "name": "Reserve" }).to_string();
    let head = format!(
        "POST /v2/accounts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nx-wallet-secret: {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nExpect: 100-continue\r\n\r\n",
        caller.key,
        caller.secret,
        body.len()
    );
    let mut stream = TcpStream::connect(&address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    // Only a handler that waits for the body asks for it.
    let mut interim = [0; 25];
    stream.read_exact(&mut interim).unwrap();
    assert_eq!(&interim, b"HTTP/1.1 100 Continue\r\n\r\n");
    process.is_told_to_end();
    comes_true("nobody listens any more", || TcpStream::connect(&address).is_err()).await;
    stream.write_all(body.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 201") && answer.contains("\"name\":\"Reserve\""), "{answer}");
    assert_eq!(process.ends(), Some(0));
}

fn certificate(folder: &Path) -> (TlsFiles, String) {
    let certificate = rcgen::generate_simple_self_signed(vec!["localhost".into(), "127.0.0.1".into()]).unwrap();
    let tls = TlsFiles { certificate: folder.join("cert.pem"), key: folder.join("key.pem") };
    std::fs::write(&tls.certificate, certificate.cert.pem()).unwrap();
    std::fs::write(&tls.key, certificate.signing_key.serialize_pem()).unwrap();
    #[cfg(unix)]
    std::fs::set_permissions(&tls.key, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    (tls, certificate.cert.pem())
}

#[tokio::test]
async fn with_a_certificate_it_speaks_tls_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let (tls, pem) = certificate(folder.path());
    let house = TestService::with(|options| options.tls = Some(tls)).await;
    let url = format!("{}/healthz", house.service.base_url());
    assert!(url.starts_with("https://127.0.0.1:"), "{url}");
    let trusting = Client::builder().no_proxy().tls_certs_only([Certificate::from_pem(pem.as_bytes()).unwrap()]);
    let answer = trusting.build().unwrap().get(&url).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    let stranger = Client::builder().no_proxy().tls_certs_only([]).build().unwrap();
    assert!(stranger.get(&url).send().await.is_err(), "who does not trust the certificate is not served");
    assert!(stranger.get(url.replace("https", "http")).send().await.is_err(), "nobody is served in the clear");
}

#[tokio::test]
async fn what_other_machines_can_reach_is_asked_for_and_encrypted() {
    let folder = tempfile::tempdir().unwrap();
    let (tls, _) = certificate(folder.path());
    let listen: SocketAddr = "0.0.0.0:0".parse().unwrap();
    let start = |public, tls| service::start(Options { listen, public, tls, ..Options::temporary() });
    assert!(matches!(start(false, Some(tls.clone())).await.unwrap_err(), ServiceError::NotLoopback(_)));
    assert!(matches!(start(true, None).await.unwrap_err(), ServiceError::NotEncrypted(_)));
    let service = start(true, Some(tls.clone())).await.unwrap();
    assert!(service.base_url().starts_with("https://0.0.0.0:"));
    let swapped = TlsFiles { certificate: tls.key.clone(), key: tls.certificate.clone() };
    assert!(matches!(start(true, Some(swapped)).await.unwrap_err(), ServiceError::Tls { .. }));
    let missing_key = TlsFiles { key: folder.path().join("none.pem"), ..tls };
    let error = start(true, Some(missing_key)).await.unwrap_err();
    assert!(error.to_string().contains("none.pem"), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thousands_of_idle_connections_keep_nobody_out() {
    let idle = std::env::var("BURSAR_IDLE").ok().and_then(|text| text.parse().ok()).unwrap_or(IDLE);
    may_open(idle + 500);
    let folder = tempfile::tempdir().unwrap();
    let process = ServiceProcess::start(folder.path(), None).await;
    let caller = ServiceClient::of(&process);
    let wallet = fund_wallet(&caller).await;
    let before = memory(&process);
    let address = process.base_url.trim_start_matches("http://").to_owned();
    let mut connections = Vec::new();
    for n in 0..idle {
        let mut stream = TcpStream::connect(&address).unwrap();
        if n % 3 == 0 {
            let _cut_already = stream.write_all(b"GET /v2/users/stats HTTP/1.1\r\nHost: x\r\nX-Slow: ");
        }
        connections.push(stream);
        if n % 500 == 0 {
            // Each asks over a connection of its own: one that is kept may be the one that makes room for others.
            assert!(ServiceClient::of(&process).get("/v2/users/stats").await["success"] == true);
        }
    }
    let answer =
        ServiceClient::of(&process).post("/v2/transactions/withdraw", &payment(&wallet, uuid::Uuid::new_v4())).await;
    assert!(answer.is_some());
    let grown = memory(&process).saturating_sub(before);
    // A connection that says nothing costs a task and two small buffers.
    assert!(grown < 8 * 1024 + 8 * idle, "{grown} KiB more for {idle} idle connections");
    drop(connections);
    process.kill();
}

/// How many connections stand idle. The campaign sets `BURSAR_IDLE`.
const IDLE: u64 = 2_000;

/// Lets this process have so many descriptors, which the system allows it and does not give by itself.
#[cfg(unix)]
fn may_open(descriptors: u64) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let now = getrlimit(Resource::Nofile);
    if now.current.is_some_and(|current| current < descriptors) {
        setrlimit(Resource::Nofile, Rlimit { current: Some(descriptors), ..now }).unwrap();
    }
}

#[cfg(not(unix))]
fn may_open(_descriptors: u64) {}

/// The memory that a process has for itself, in KiB; nothing where the system does not tell. That of its file is left out:
/// how much of it counts depends on who else runs the program.
pub(super) fn memory(process: &ServiceProcess) -> u64 {
    let rollup = std::fs::read_to_string(format!("/proc/{}/smaps_rollup", process.id())).unwrap_or_default();
    let pss =
        rollup.lines().find_map(|line| line.strip_prefix("Pss_Anon:")).and_then(|line| line.split_whitespace().next());
    pss.map_or(0, |kib| kib.parse().unwrap())
}

/// Says something over a bare connection and gives what comes back until it ends.
fn raw_exchange(address: &str, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    // A service that has heard enough may end the connection while the rest is still being sent.
    let _cut_off = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _reset_after_its_answer = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_that_are_none_are_refused_and_leave_the_service_well() {
    let house = TestService::open().await;
    let (key, secret) = house.keys();
    let address = house.service.base_url().trim_start_matches("http://").to_owned();
    let head = format!("Host: x\r\nAuthorization: Bearer {key}\r\nx-wallet-secret: {secret}\r\nConnection: close\r\n");
    let post = |body: &[u8]| {
        let length = body.len();
        let line = "POST /v2/accounts HTTP/1.1\r\n";
        [format!("{line}{head}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n").as_bytes(), body]
            .concat()
    };
    let get = |target: &str| format!("GET {target} HTTP/1.1\r\n{head}\r\n").into_bytes();
    let huge_header = format!("GET /v2/users/stats HTTP/1.1\r\nX-Huge: {}\r\n{head}\r\n", "h".repeat(200_000));
    let many_headers = format!("GET /v2/users/stats HTTP/1.1\r\n{}{head}\r\n", "X-A: b\r\n".repeat(500));
    let cases: Vec<(&str, Vec<u8>, &[&str])> = vec![
        ("no HTTP at all", b"\x16\x03\x01\x02\x00nonsense\r\n\r\n".to_vec(), &["400"]),
        ("an unknown version", b"GET / HTTP/9.9\r\n\r\n".to_vec(), &["400", "505"]),
        ("a huge header", huge_header.into_bytes(), &["431"]),
        ("many headers", many_headers.into_bytes(), &["431"]),
        ("bytes that are no text", post(b"{\"name\":\"\xff\xfe\"}"), &["400"]),
        ("half a surrogate pair", post(br#"{"name":"\ud800","idempotencyKey":"x"}"#), &["400"]),
        ("deep nesting", post(format!("{{\"name\":{}", "[".repeat(100_000)).as_bytes()), &["400"]),
        ("a number too large", post(br#"{"name":1e999999999}"#), &["400", "422"]),
        ("a key given twice", post(br#"{"name":"a","name":5,"idempotencyKey":"x"}"#), &["422"]),
        ("a path that climbs", get("/v2/../v2/users/stats"), &["404"]),
        ("an encoded path", get("/v2/users%2fstats"), &["404"]),
        ("two slashes", get("//v2/users/stats"), &["404"]),
        ("a query of garbage", get("/v2/transactions?%ff=%fe&&&=&pageNo=%00"), &["200", "422"]),
        ("an absolute target", get("http://elsewhere.example/v2/nothing"), &["404"]),
        ("another method", format!("BREW /v2/users HTTP/1.1\r\n{head}\r\n").into_bytes(), &["404"]),
    ];
    for (name, bytes, statuses) in cases {
        let address = address.clone();
        let answer = tokio::task::spawn_blocking(move || raw_exchange(&address, &bytes)).await.unwrap();
        let status = answer.split_whitespace().nth(1).unwrap_or("nothing");
        assert!(statuses.contains(&status), "{name}: {answer}");
    }
    assert_eq!(house.get("/v2/users/stats").await.status, 200);
    house.service.ledger().check().unwrap();
}

#[tokio::test]
async fn the_proof_of_a_ledger_runs_beside_the_service_and_finds_what_was_changed() {
    let (folder, place) = folder();
    let house = TestService::with(|options| options.ledger_location = place).await;
    let wallet = text(&house.treasury("base").await["id"]);
    assert_eq!(house.post("/v2/transactions/withdraw", &payment_of(&wallet)).await.status, 201);
    let data = folder.path().join("data");
    let check = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bursar"));
        let output = command.env_clear().args(["serve", "check", "--data"]).arg(&data).output().unwrap();
        let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        (output.status.success(), text)
    };
    let (sound, output) = check();
    assert!(sound && output.contains("241 transactions"), "{output}");
    house.service.stop().await.unwrap();
    let file = rusqlite::Connection::open(data.join("ledger.db")).unwrap();
    file.execute_batch("UPDATE books SET balance = x'0102030405060708' WHERE no = 3").unwrap();
    drop(file);
    let (sound, output) = check();
    assert!(!sound && output.contains("book 3") && output.contains("not sound"), "{output}");
    assert!(output.contains("ledger.db is not what was written"), "{output}");
    std::fs::remove_file(data.join("ledger.db")).unwrap();
    let (is_sound, output) = check();
    assert!(!is_sound && output.contains("the ledger is missing"), "{output}");
}
