//! `bursar serve` and `bursar listen`, as an integrator starts them beside a program of their own.

use std::io::{BufRead as _, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use uuid::Uuid;

use super::process::{ServiceClient, ServiceProcess, fund_wallet, payment};
use super::webhooks::WebhookReceiver;

/// An address on which nobody listens yet.
fn free_address() -> SocketAddr {
    TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap()
}

/// `bursar listen`, and the lines that it prints.
struct ListenProcess {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl ListenProcess {
    fn start(ready_file: &Path, address: SocketAddr, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bursar"));
        command.env_clear().args(["listen", "--secret-file"]).arg(ready_file);
        command.args(["--listen", &address.to_string()]).args(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    fn line(&mut self) -> String {
        self.lines.next().expect("a line was awaited").unwrap()
    }
}

impl Drop for ListenProcess {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
        let _waited = self.child.wait();
    }
}

#[tokio::test]
async fn signed_webhooks_are_printed_and_forwarded_and_sent_again_where_the_program_refuses_them() {
    let folder = tempfile::tempdir().unwrap();
    let (ready, address) = (folder.path().join("ready.json"), free_address());
    let hook = format!("http://{address}/events");
    let arguments = ["--webhook", &hook, "--control", "--ready-file", ready.to_str().unwrap()];
    let process = ServiceProcess::start_with(folder.path(), &arguments, None).await;
    // The first one that is forwarded is refused by the program behind it.
    let mut receiver = WebhookReceiver::open(&[503]).await;
    let mut listening = ListenProcess::start(&ready, address, &["--forward", &receiver.url]);
    assert_eq!(listening.line(), format!("listening on {hook}"));
    let caller = ServiceClient::of(&process);
    let wallet = fund_wallet(&caller).await;
    let (first_attempt, event) = (receiver.next().await.body, receiver.next().await.body);
    assert_eq!((&first_attempt, &first_attempt["topic"]), (&event, &json!("wallets:deposit.success")));
    let id = event["id"].as_str().unwrap();
    for status in [503, 204] {
        let line = listening.line();
        let whole = format!("1000000.000000 USDC  base  {id}  signature verified  forwarded: {status}");
        assert!(line.contains("wallets:deposit.success") && line.ends_with(&whole), "{line}");
    }
    // Nobody without the secret is listened to, nor is anything of theirs forwarded.
    let forged = caller.client.post(&hook).header("x-webhook-signature", "00").body("{}").send().await.unwrap();
    assert_eq!(forged.status(), 401);
    drop(listening);
    let mut listening = ListenProcess::start(&ready, address, &["--json"]);
    let deposit = json!({ "walletId": wallet, "token": "USDC", "amount": "2", "status": "success" });
    caller.post("/control/deposits", &deposit).await.unwrap();
    let line: Value = serde_json::from_str(&listening.line()).unwrap();
    assert_eq!(line["params"]["amount"]["value"], "2.000000");
    process.kill();
}

#[tokio::test]
async fn a_service_fails_payments_and_loses_answers_as_it_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--failures", "all", "--fault", "answer-lost", "--control"];
    let process = ServiceProcess::start_with(folder.path(), &arguments, None).await;
    let caller = ServiceClient::of(&process);
    assert_eq!(caller.post("/v2/users", &json!({ "refId": "x" })).await, None, "its answer is lost");
    assert_eq!(caller.get("/openapi.json").await["servers"][0]["url"], process.base_url);
    let keys = process.kill();
    let arguments = ["--failures", "all", "--control"];
    let process = ServiceProcess::start_with(folder.path(), &arguments, Some(keys)).await;
    let caller = ServiceClient::of(&process);
    let wallet = fund_wallet(&caller).await;
    let key = Uuid::new_v4();
    caller.post("/v2/transactions/withdraw", &payment(&wallet, key)).await.unwrap();
    caller.post("/control/clock", &json!({ "advance": "10m" })).await.unwrap();
    let rows = caller.get("/v2/transactions?txType=outgoing").await;
    assert_eq!((&rows["data"][0]["idempotencyKey"], &rows["data"][0]["status"]), (&json!(key), &json!("failed")));
    process.kill();
}
