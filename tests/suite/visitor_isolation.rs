//! Visitors, each with a treasury of their own in one embedded service: what they can do, and what is out of their reach.

use std::time::Duration;

use bursar::app::Size;
use bursar::app::session::veil::Veil;
use bursar::domain::{Appearance, Draft, TransactionId};
use bursar::runtime::console::Console;
use bursar::runtime::demo::{DemoClient, DemoCredentials};
use bursar::service::{Options, Sample, TenantHost, TenantInstance};
use tokio::runtime::Builder;

use super::harness::{Session, VisitorService};

const MINUTE: Duration = Duration::from_mins(1);

/// A stranger's address on Ethereum, and another one.
const STRANGER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
const OTHER: &str = "0xde709f2102306220921060314715629080e2fb77";

/// The sample's transactions, of which each business has its own.
fn transaction_ids(session: &Session) -> Vec<TransactionId> {
    let places: Vec<i64> = (-399..=0).collect();
    session.store().read_rows_by_seq(&places).unwrap().into_iter().map(|row| row.transaction.id).collect()
}

#[test]
fn a_withdrawal_of_a_visitor_settles_and_no_other_visitor_hears_of_it() {
    let lodging = VisitorService::open();
    let (mut pays, mut looks) = (Session::visiting(&lodging, 1), Session::visiting(&lodging, 1));
    assert_eq!(transaction_ids(&looks), transaction_ids(&pays), "one seed, two businesses");
    pays.reviews("base-ops", "USDC", "1", STRANGER);
    pays.confirms();
    pays.passes(3 * MINUTE);
    let order = pays.order();
    order.is("settled", "a visitor's payment");
    assert_eq!(order.executions, 1);
    assert!(matches!(order.intent.drafted.draft, Draft::Withdraw(_)));
    // Time went on for both, and for one of them nothing else.
    looks.passes(3 * MINUTE);
    assert_eq!(looks.orders().len(), 0);
    assert_eq!(looks.premises().find_payments_with_key(order.intent.drafted.request.key.unwrap()).unwrap().len(), 0);
    for list in ["3", "4", "5"] {
        for session in [&mut pays, &mut looks] {
            session.keys(&format!("Esc {list} g"));
        }
    }
    pays.keys("Esc 3");
    looks.keys("Esc 3");
    pays.sees(&STRANGER[..6]);
    looks.sees_no(&STRANGER[..6]);
    // What the other pays in turn is no duplicate of it.
    looks.reviews("base-ops", "USDC", "1", STRANGER);
    looks.sees_no("uplicate");
    looks.confirms();
    looks.passes(3 * MINUTE);
    looks.order().is("settled", "another visitor's payment");
    assert_eq!((pays.orders().len(), looks.orders().len()), (1, 1));
}

#[test]
fn one_visitor_knows_nothing_of_anothers_business() {
    let lodging = VisitorService::open();
    let (one, other) = (Session::visiting(&lodging, 1), Session::visiting(&lodging, 2));
    let (ones, others) = (transaction_ids(&one), transaction_ids(&other));
    assert_eq!((ones.len(), others.len()), (400, 400));
    assert!(ones.iter().all(|id| !others.contains(id)));
}

#[test]
fn files_profiles_and_the_shell_are_out_of_a_visitors_reach_and_said_to_be() {
    let lodging = VisitorService::open();
    let mut session = Session::visiting(&lodging, 1);
    session.keys("C-z");
    session.sees("a visit has no shell to return to");
    assert!(session.loop_request.is_none());
    // A file that is there, of which nothing must be said.
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    session.keys("i");
    session.types(file);
    session.keys("Enter");
    session.sees("files belong to the host");
    session.keys("Esc Esc i");
    session.types("user zebra-2 Zebra Kiosk");
    session.keys("Enter");
    session.sees("typed in: 1 imported");
    session.keys("Esc Esc 3 x");
    session.sees("To your terminal's clipboard");
    session.sees_no("Folder");
}

#[test]
fn a_batch_is_pasted_by_a_visitor_and_not_read_from_the_hosts_files() {
    let lodging = VisitorService::open();
    let mut session = Session::visiting(&lodging, 1);
    session.reviews_batch("base-ops", "USDC", &[(STRANGER, "1"), (OTHER, "2")]);
    session.confirms();
    session.passes(3 * MINUTE);
    session.order().is("settled", "a batch of a visitor");
}

fn keys(guest: &TenantInstance) -> DemoCredentials {
    let keys = guest.credentials().unwrap();
    DemoCredentials { api_key: keys.api_key.clone(), wallet_secret: keys.wallet_secret.clone() }
}

#[test]
fn readers_of_many_visitors_share_their_connections_and_not_their_keys() {
    let lodging = VisitorService::open();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let taken_in = |seed| {
        runtime.block_on(lodging.guests.create_tenant_with_sample(Some(Sample { seed, transactions: 12 }))).unwrap()
    };
    let (one, other) = (taken_in(1), taken_in(2));
    let first = DemoClient::connect(lodging.guests.base_url(), keys(&one), MINUTE).unwrap();
    let second = first.with_credentials(keys(&other)).unwrap();
    let users = |demo: &DemoClient| runtime.block_on(demo.reader().fetch_users(1, 100)).unwrap().items;
    let (ones, others) = (users(&first), users(&second));
    assert!(!ones.is_empty() && ones.iter().all(|user| !others.contains(user)), "{ones:?}");
    drop(one);
    let failure = runtime.block_on(first.reader().fetch_users(1, 100)).unwrap_err();
    assert!(matches!(failure.reason, bursar::domain::FailureReason::KeyRejected), "{failure:?}");
    assert_eq!(users(&second), others);
}

/// Says to another process of this test binary that it is alone.
const ALONE: &str = "BURSAR_TEST_ALONE";

/// What the process has open and runs: file handles, threads, and KiB of memory.
fn process_usage() -> (usize, usize, u64) {
    let count = |folder: &str| std::fs::read_dir(folder).unwrap().count();
    let status_file = std::fs::read_to_string("/proc/self/status").unwrap();
    let memory =
        status_file.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse().ok());
    (count("/proc/self/fd"), count("/proc/self/task"), memory.unwrap())
}

/// So many come one after the other, each with a console that reads, and leave without a word.
async fn come_and_go(guests: &TenantHost, pattern: &DemoClient, many: usize) {
    for _ in 0..many {
        let guest = guests.create_tenant().await.unwrap();
        let demo = pattern.with_credentials(keys(&guest)).unwrap();
        let by = bursar::domain::order::ConsoleIdentity {
            user: "ada".into(),
            host: "quay".into(),
            run: uuid::Uuid::new_v4(),
        };
        let world = demo.visitor_resources(by).unwrap();
        let settings = demo.settings(Appearance::default(), Veil::default());
        let size = Size { width: 80, height: 24 };
        let mut console = Console::new(settings, world, tokio::runtime::Handle::current(), size).unwrap();
        console.start_service_reads();
        console.apply_next_completion().await;
    }
}

#[test]
fn a_thousand_guests_come_and_go_and_nothing_of_them_stays() {
    // Others in this process open and close things meanwhile.
    if std::env::var_os(ALONE).is_none() {
        let mut process = std::process::Command::new(std::env::current_exe().unwrap());
        let name = "visitor_isolation::a_thousand_guests_come_and_go_and_nothing_of_them_stays";
        let output = process.args(["--exact", name]).env(ALONE, "1").output().unwrap();
        let output_text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && output_text.contains("1 passed"), "{output_text}");
        return;
    }
    let runtime = Builder::new_multi_thread().worker_threads(2).max_blocking_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let options = Options { lively: true, with_lists: true, ..Options::temporary() };
        let guests = TenantHost::start(options).await.unwrap();
        let pattern =
            DemoClient::connect(guests.base_url(), keys(&guests.create_tenant().await.unwrap()), MINUTE).unwrap();
        Box::pin(come_and_go(&guests, &pattern, 100)).await;
        let (files, threads, memory) = process_usage();
        Box::pin(come_and_go(&guests, &pattern, 1_000)).await;
        let after = process_usage();
        // What each of a thousand left would be a thousand. The last ones may still be answered, and 64 connections, each
        // with two ends here, are kept for the next ones.
        assert!(after.0 <= files + 200 && after.1 <= threads + 50, "{:?} became {after:?}", (files, threads));
        assert!(after.2 < memory + 64 * 1024, "{memory} KiB became {}", after.2);
        assert_eq!(guests.tenant_count(), 0);
        guests.stop().await.unwrap();
    });
}
