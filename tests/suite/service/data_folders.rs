//! Data folders that cannot be worked with: full, only to be read, held by somebody else. Each is a clear error at the
//! start or of the request, and nothing is lost.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use bursar::service::ledger::check_folder;
use serde_json::Value;
use uuid::Uuid;

use super::process::{ServiceClient, ServiceProcess, fund_wallet, limited_command, payment, startup_error};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_is_an_error_of_the_request_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let process = ServiceProcess::start(folder.path(), None).await;
    let wallet = fund_wallet(&ServiceClient::of(&process)).await;
    let keys = process.kill();
    let file = |name: &str| std::fs::metadata(folder.path().join("data").join(name)).map_or(0, |about| about.len());
    // The shell counts in 512 or 1,024 bytes; either way there is room for some payments and not for many.
    let blocks = (file("ledger.db") + file("ledger.db-wal")).div_ceil(512) + 600;
    let process = ServiceProcess::start_in(blocks, folder.path(), keys).await;
    let caller = ServiceClient::of(&process);
    let mut acknowledged = Vec::new();
    let refused_key = loop {
        let key = Uuid::new_v4();
        match caller.post("/v2/transactions/withdraw", &payment(&wallet, key)).await {
            Some(answer) => acknowledged.push((key, answer)),
            None => break key,
        }
        assert!(acknowledged.len() < 20_000, "the disk never came to be full");
    };
    let body = payment(&wallet, refused_key);
    let answer = caller.change("/v2/transactions/withdraw", &body).send().await.unwrap();
    assert_eq!(answer.status(), 500);
    let error: Value = answer.json().await.unwrap();
    assert_eq!(error["message"], "Internal server error", "the cause is for the log");
    let page = caller.get("/v2/transactions?txType=outgoing&pageLimit=1").await;
    assert!(page["success"] == true, "reads go on: {page}");
    let keys = process.kill();

    let process = ServiceProcess::start(folder.path(), Some(keys)).await;
    let caller = ServiceClient::of(&process);
    for (key, answer) in acknowledged.iter().rev().take(50).chain(acknowledged.iter().take(50)) {
        let retry = caller.post("/v2/transactions/withdraw", &payment(&wallet, *key)).await.unwrap();
        assert_eq!(retry, *answer);
    }
    assert!(
        caller.post("/v2/transactions/withdraw", &payment(&wallet, refused_key)).await.is_some(),
        "its key is free"
    );
    process.kill();
    check_folder(&folder.path().join("data")).unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_is_full_from_the_start_is_said_and_costs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let stderr = startup_error(limited_command(8), folder.path());
    assert!(stderr.contains("ledger.db"), "{stderr}");
    let process = ServiceProcess::start(folder.path(), None).await;
    fund_wallet(&ServiceClient::of(&process)).await;
    process.kill();
    check_folder(&folder.path().join("data")).unwrap().unwrap();
}

/// The program run by somebody who is bound by permissions, which the system's administrator is not. That user may not reach
/// what was built in the administrator's home: a copy in `folder` is run.
fn bound(folder: &Path) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_bursar"));
    if !rustix::process::geteuid().is_root() {
        return Command::new(program);
    }
    let copy = folder.join("bursar");
    if !copy.exists() {
        // Not by this process: what it writes cannot be run while another thread starts a program.
        assert!(Command::new("cp").arg(program).arg(&copy).status().unwrap().success());
        permit(&copy, 0o755);
    }
    let mut command = Command::new(copy);
    command.uid(65_534).gid(65_534);
    command
}

/// Gives a folder and what lies in it to that user.
fn give_to_the_bound(folder: &Path) {
    if rustix::process::geteuid().is_root() {
        let all = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).chain([folder.to_owned()]);
        all.for_each(|path| std::os::unix::fs::chown(path, Some(65_534), Some(65_534)).unwrap());
    }
}

fn permit(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn permit_all(paths: &[PathBuf], mode: u32) {
    for path in paths {
        permit(path, mode);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_can_only_be_read_is_said_at_the_start_and_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    permit(folder.path(), 0o755);
    let process = ServiceProcess::start(folder.path(), None).await;
    let caller = ServiceClient::of(&process);
    let (wallet, key) = (fund_wallet(&caller).await, Uuid::new_v4());
    let answer = caller.post("/v2/transactions/withdraw", &payment(&wallet, key)).await.unwrap();
    let keys = process.kill();
    let data = folder.path().join("data");
    let files: Vec<_> = fs::read_dir(&data).unwrap().map(|entry| entry.unwrap().path()).collect();
    let contents = || files.iter().map(|file| fs::read(file).unwrap()).collect::<Vec<_>>();
    let before = contents();

    give_to_the_bound(&data);
    permit_all(&files, 0o400);
    permit(&data, 0o500);
    let stderr = startup_error(bound(folder.path()), folder.path());
    assert!(stderr.contains("cannot work in") && stderr.contains("data"), "{stderr}");
    // A folder in which all but the ledger may be written.
    permit(&data, 0o700);
    permit_all(&files, 0o600);
    permit(&data.join("ledger.db"), 0o400);
    let stderr = startup_error(bound(folder.path()), folder.path());
    assert!(stderr.contains("ledger.db is read-only"), "{stderr}");
    assert!(contents() == before, "a file was changed");
    // A place where no folder can be made.
    permit(&data, 0o500);
    let stderr = startup_error(bound(folder.path()), &data);
    assert!(stderr.contains("cannot work in"), "{stderr}");

    permit(&data, 0o700);
    permit_all(&files, 0o600);
    let process = ServiceProcess::start(folder.path(), Some(keys)).await;
    let retry = ServiceClient::of(&process).post("/v2/transactions/withdraw", &payment(&wallet, key)).await.unwrap();
    assert_eq!(retry, answer);
    process.kill();
    check_folder(&data).unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_that_another_process_holds_is_left_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let process = ServiceProcess::start(folder.path(), None).await;
    let caller = ServiceClient::of(&process);
    let wallet = fund_wallet(&caller).await;
    let stderr = startup_error(Command::new(env!("CARGO_BIN_EXE_bursar")), folder.path());
    assert!(stderr.contains("is in use by another running service"), "{stderr}");
    let answer = caller.post("/v2/transactions/withdraw", &payment(&wallet, Uuid::new_v4())).await;
    assert!(answer.is_some(), "the first one goes on");
    process.kill();
    check_folder(&folder.path().join("data")).unwrap().unwrap();
}
