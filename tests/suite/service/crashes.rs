//! Killed in the middle of its work, again and again: nothing that was acknowledged is lost, nothing is done twice, and
//! whoever is told of what succeeds is told of all of it.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use bursar::service::ledger::check_folder;
use serde_json::Value;
use uuid::Uuid;

use super::process::{ServiceClient, ServiceProcess, fund_wallet, payment};
use super::webhooks::WebhookReceiver;

/// How often the service is killed. The long campaign sets `BURSAR_KILLS`.
const KILLS: usize = 12;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_killed_under_load_has_every_acknowledged_payment_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut listener = WebhookReceiver::open(&[]).await;
    let url = listener.url.clone();
    let arguments = ["--webhook", url.as_str()];
    let process = ServiceProcess::start_with(folder.path(), &arguments, None).await;
    let caller = ServiceClient::of(&process);
    let wallet = fund_wallet(&caller).await;
    let mut keys = process.kill();

    let kills = std::env::var("BURSAR_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(KILLS);
    let mut acknowledged: HashMap<Uuid, String> = HashMap::new();
    let mut unknown: Vec<Uuid> = Vec::new();
    for kill in 0..kills {
        // Now and then the receiver refuses, so that events wait in the outbox when the kill comes.
        listener.refuses(kill % 3);
        let process = ServiceProcess::start_with(folder.path(), &arguments, Some(keys)).await;
        let caller = ServiceClient::of(&process);
        // What nobody knows the outcome of is asked for again first, under its own key.
        for key in unknown.drain(..) {
            let answer = caller.post("/v2/transactions/withdraw", &payment(&wallet, key)).await.unwrap();
            acknowledged.insert(key, answer);
        }
        let load: Vec<_> = (0..6)
            .map(|_| {
                let (caller, wallet) = (caller.clone(), wallet.clone());
                tokio::spawn(async move {
                    let mut answers = Vec::new();
                    loop {
                        let key = Uuid::new_v4();
                        let answer = caller.post("/v2/transactions/withdraw", &payment(&wallet, key)).await;
                        let is_lost = answer.is_none();
                        answers.push((key, answer));
                        if is_lost {
                            return answers;
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

    listener.refuses(0);
    let process = ServiceProcess::start_with(folder.path(), &arguments, Some(keys)).await;
    let caller = ServiceClient::of(&process);
    let mut executions: HashMap<String, usize> = HashMap::new();
    let first = caller.get("/v2/transactions?txType=outgoing&pageLimit=100").await;
    for page in 1..=first["totalPage"].as_u64().unwrap() {
        let page = caller.get(&format!("/v2/transactions?txType=outgoing&pageLimit=100&pageNo={page}")).await;
        for row in page["data"].as_array().unwrap() {
            *executions.entry(row["idempotencyKey"].as_str().unwrap().to_owned()).or_default() += 1;
        }
    }
    assert!(acknowledged.len() >= kills, "{}", acknowledged.len());
    for (key, answer) in &acknowledged {
        assert_eq!(executions.get(&key.to_string()), Some(&1), "an acknowledged payment is there once");
        let retry = caller.post("/v2/transactions/withdraw", &payment(&wallet, *key)).await.unwrap();
        assert_eq!(retry, *answer, "and answered as it was at first");
    }
    assert!(executions.values().all(|times| *times == 1), "nothing is done twice");
    every_success_is_told(&caller, &mut listener).await;
    process.kill();
    check_folder(&folder.path().join("data")).unwrap().unwrap();
}

/// Reads the history until nothing is pending, and hears until everything that succeeded was told, each under one
/// identifier and in one wording however often.
async fn every_success_is_told(caller: &ServiceClient, listener: &mut WebhookReceiver) {
    let mut succeeded = HashSet::new();
    let mut page = 1;
    loop {
        let path = format!("/v2/transactions?txType=outgoing&pageLimit=100&pageNo={page}");
        let answer = caller.get(&path).await;
        let rows = answer["data"].as_array().unwrap();
        if rows.iter().any(|row| row["status"] == "pending") {
            tokio::task::yield_now().await;
            continue;
        }
        let successes = rows.iter().filter(|row| row["status"] == "success");
        succeeded.extend(successes.map(|row| row["id"].as_str().unwrap().to_owned()));
        page += 1;
        if page > answer["totalPage"].as_u64().unwrap() {
            break;
        }
    }
    assert!(!succeeded.is_empty());
    let mut events: HashMap<String, (String, Value)> = HashMap::new();
    let mut untold = succeeded;
    while !untold.is_empty() {
        let event = tokio::time::timeout(Duration::from_mins(2), listener.next()).await;
        let event = event.unwrap_or_else(|_| panic!("never told of {untold:?}"));
        let transaction = event.body["params"]["transactionId"].as_str().unwrap().to_owned();
        let id = event.body["id"].as_str().unwrap().to_owned();
        untold.remove(&transaction);
        let first_event = events.entry(transaction).or_insert_with(|| (id.clone(), event.body.clone()));
        assert_eq!(*first_event, (id, event.body), "one event of one transaction, the same each time");
    }
}
