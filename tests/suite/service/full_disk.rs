//! A disk that is really full under a running service: what cannot be committed is an error of the request and leaves no
//! trace, reads go on, and when there is room again everything works without a new start.

use std::collections::HashMap;

use bursar::service::ledger::check_folder;
use futures::future::join_all;
use serde_json::json;
use uuid::Uuid;

use super::process::{ServiceClient, ServiceProcess, command_on, fund_wallet, payment, startup_error};
use super::test_service::{TestResponse, send_and_read};
use crate::harness::disk::SmallDisk;

const PATH: &str = "/v2/transactions/withdraw";

/// Payments that are asked for at once, each under a key of its own.
async fn some_at_once(caller: &ServiceClient, wallet: &str) -> Vec<(Uuid, TestResponse)> {
    let keys: Vec<_> = (0..8).map(|_| Uuid::new_v4()).collect();
    let requests = keys.iter().map(|key| send_and_read(caller.change(PATH, &payment(wallet, *key))));
    let answers = join_all(requests).await;
    keys.into_iter().zip(answers).collect()
}

/// How many outgoing payments the history has.
async fn count_payments(caller: &ServiceClient) -> u64 {
    let page = caller.get("/v2/transactions?txType=outgoing&pageLimit=1").await;
    page["totalPage"].as_u64().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_refuses_payments_wholly_and_needs_no_new_start() {
    let Some(disk) = SmallDisk::of(8) else { return };
    let process = ServiceProcess::start_on(&disk, None).await;
    let caller = ServiceClient::of(&process);
    let wallet = fund_wallet(&caller).await;
    let mut acknowledged: HashMap<Uuid, String> = HashMap::new();
    let mut unpaid = Vec::new();
    disk.fill();
    // The log has room for some more, since it is written over again from its beginning.
    while unpaid.len() < 20 {
        for (key, answer) in some_at_once(&caller, &wallet).await {
            if answer.status == 201 {
                acknowledged.insert(key, answer.text);
            } else {
                assert_eq!(answer.expect_error(500, PATH), "Internal server error", "the cause is for the log");
                unpaid.push(key);
            }
        }
        assert!(acknowledged.len() < 20_000, "the disk never came to be full");
    }
    assert_eq!(count_payments(&caller).await, acknowledged.len() as u64, "nothing half done");
    for (key, answer) in acknowledged.iter().take(20) {
        let retry = send_and_read(caller.change(PATH, &payment(&wallet, *key))).await;
        // What writes nothing is answered as before; the writer may need room all the same, and then says so.
        assert!(retry.text == *answer || retry.status == 500, "{}", retry.text);
    }
    let response = send_and_read(caller.change("/v2/users", &json!({ "email": "a@b.example" }))).await;
    // It takes less room than eight payments, and after a quiet moment the log is begun anew: then it is there.
    if response.status == 201 {
        let user = caller.get(&format!("/v2/users?userId={}", response.body["data"]["id"].as_str().unwrap())).await;
        assert_eq!(user["data"]["email"], "a@b.example");
    } else {
        response.expect_error(500, "/v2/users");
    }

    disk.empty();
    for key in &unpaid {
        let answer = send_and_read(caller.change(PATH, &payment(&wallet, *key))).await;
        assert_eq!(answer.status, 201, "its key is free: {}", answer.text);
        acknowledged.insert(*key, answer.text);
    }
    for (key, answer) in &acknowledged {
        assert_eq!(send_and_read(caller.change(PATH, &payment(&wallet, *key))).await.text, *answer);
    }
    assert_eq!(count_payments(&caller).await, acknowledged.len() as u64);
    // The chains go on as well.
    loop {
        let page = caller.get("/v2/transactions?txType=outgoing&pageLimit=100").await;
        if page["data"].as_array().unwrap().iter().all(|row| row["status"] != "pending") {
            break;
        }
        tokio::task::yield_now().await;
    }
    process.kill();
    check_folder(disk.copy_of("data").path()).unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_killed_on_a_full_disk_starts_there_again_and_shows_what_it_has() {
    let Some(disk) = SmallDisk::of(8) else { return };
    let process = ServiceProcess::start_on(&disk, None).await;
    let caller = ServiceClient::of(&process);
    let wallet = fund_wallet(&caller).await;
    let key = Uuid::new_v4();
    let answer = caller.post(PATH, &payment(&wallet, key)).await.unwrap();
    disk.fill();
    while some_at_once(&caller, &wallet).await.iter().any(|(_, answer)| answer.status == 201) {}
    let count = count_payments(&caller).await;
    let process = ServiceProcess::start_on(&disk, Some(process.kill())).await;
    let caller = ServiceClient::of(&process);
    assert_eq!(count_payments(&caller).await, count, "there is no room, and nothing is lost");
    disk.empty();
    let new = send_and_read(caller.change(PATH, &payment(&wallet, Uuid::new_v4()))).await;
    assert_eq!(new.status, 201, "{}", new.text);
    assert_eq!(caller.post(PATH, &payment(&wallet, key)).await.unwrap(), answer);
    assert_eq!(count_payments(&caller).await, count + 1);
    process.kill();
    check_folder(disk.copy_of("data").path()).unwrap().unwrap();
}

#[test]
fn a_disk_without_room_is_named_at_the_first_start() {
    let Some(disk) = SmallDisk::of(1) else { return };
    for spared in [0, 4096, 16 * 1024, 64 * 1024] {
        disk.fill_but(spared);
        let stderr = startup_error(command_on(&disk), disk.inside().as_ref());
        assert!(stderr.contains("no room left on the disk of"), "with {spared} bytes: {stderr}");
        disk.empty();
    }
}
