//! The two secrets of a console that pays, looked for in everything that it says, writes, starts and sends elsewhere.

use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

use bursar::service::Fault;
use secrecy::ExposeSecret;

use super::crashes::{Business, confirms, fills_in};
use super::harness::wait::finds;

/// A place, and what stood there.
pub(super) type Places = Vec<(String, Vec<u8>)>;

/// Another host, to which the service redirects: everything that it is ever told.
fn decoy() -> (std::net::SocketAddr, Arc<Mutex<Vec<u8>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, received) = (listener.local_addr().unwrap(), Arc::<Mutex<Vec<u8>>>::default());
    let sink = Arc::clone(&received);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = stream.read(&mut bytes) {
                sink.lock().unwrap().extend_from_slice(&bytes[..count]);
            }
        }
    });
    (address, received)
}

/// Every file below a folder.
pub(super) fn files(folder: &Path, places: &mut Places) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        if entry.file_type().unwrap().is_dir() {
            files(&entry.path(), places);
        } else {
            places.push((entry.path().display().to_string(), fs::read(entry.path()).unwrap()));
        }
    }
}

/// The processes that this one has started and that still run, with what everybody may read of them.
fn children(id: u32, places: &mut Places) {
    let tasks = fs::read_dir(format!("/proc/{id}/task")).unwrap().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    for child in lists.flat_map(|ids| ids.split_whitespace().map(str::to_owned).collect::<Vec<_>>()) {
        for file in ["cmdline", "environ"] {
            let content = fs::read(format!("/proc/{child}/{file}")).unwrap_or_default();
            places.push((format!("{file} of a child"), content));
        }
    }
}

#[test]
fn the_secrets_of_a_console_that_paid_are_found_in_no_place() {
    let (elsewhere, received) = decoy();
    let business = Business::new(Vec::new());
    let keys = business.service().credentials().unwrap();
    let secrets = [keys.api_key.expose_secret(), keys.wallet_secret.expose_secret()];
    let mut places: Places = Vec::new();

    // A payment that is taken, with everything logged, in a program that is then made to panic.
    let mut terminal = business.opens_with(&["--log-level", "trace"], &[("BURSAR_PANIC_ON", "X")]);
    fills_in(&terminal).unwrap();
    terminal.types("\r");
    confirms(&terminal).unwrap();
    terminal.waits_for("withdrawal");
    let order =
        finds("an order that was seen", || business.orders().pop().filter(|order| order.last_observation().is_some()));
    assert_eq!(business.executions(&order), 1);
    let read_proc = |file: &str| fs::read(format!("/proc/{}/{file}", terminal.id())).unwrap();
    places.push(("the list of processes".into(), read_proc("cmdline")));
    children(terminal.id(), &mut places);
    // From now on the service sends everybody elsewhere, who must not hear of it.
    let redirects = |status| Fault::Redirect { status, to: elsewhere, executed: false };
    business
        .runtime
        .block_on(business.service().set_faults(vec![redirects(307).on_changes(), redirects(302).on_reads()]));
    terminal.types("r");
    terminal.waits_for("redirects");
    terminal.types(if cfg!(debug_assertions) { "X" } else { "q" });
    let status = terminal.ends();
    assert_eq!(status.exit_code(), if cfg!(debug_assertions) { 101 } else { 0 });
    places.push(("the terminal, the panic's message in it".into(), terminal.all_that_was_written()));

    // What the program writes for others to read.
    let (data, backup) = (business.folder.path().join("data"), business.folder.path().join("backup.sqlite"));
    let backup = backup.to_str().unwrap();
    for arguments in [
        &["journal", "backup", backup][..],
        &["journal", "verify"],
        &["export", "orders"],
        &["export", "audit"],
        &["export", "audit", "--format", "json"],
        &["doctor", "--offline"],
        &["doctor", "--json", "--offline"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bursar"));
        command.env_clear().args(arguments).envs(business.variables());
        let output = command.env("BURSAR_DATA_DIR", &data).output().unwrap();
        let output = [output.stdout, output.stderr].concat();
        assert!(output.len() > 20, "{arguments:?} says {}", String::from_utf8_lossy(&output));
        places.push((arguments.join(" "), output));
    }
    files(business.folder.path(), &mut places);
    places.push(("another host".into(), received.lock().unwrap().clone()));

    for expected in ["journal.sqlite", "backup.sqlite", "cache.db", "bursar.log", "export orders", "terminal"] {
        assert!(places.iter().any(|(place, bytes)| place.contains(expected) && !bytes.is_empty()), "no {expected}");
    }
    let log = places.iter().find(|(place, _)| place.ends_with("bursar.log")).map(|(_, bytes)| bytes.as_slice());
    assert!(log.is_some_and(|log| String::from_utf8_lossy(log).contains("dashboard starts")), "{log:?}");
    assert!(received.lock().unwrap().is_empty(), "the other host was asked");
    for (place, bytes) in &places {
        for secret in secrets {
            // Not in parts either: what is random in it is its second half.
            let part = &secret.as_bytes()[secret.len() / 2..];
            assert!(!bytes.windows(part.len()).any(|window| window == part), "{place} gives a secret away");
        }
    }
}
