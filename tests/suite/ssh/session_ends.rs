//! How visits end that the visitor does not end, and what is left of them: nothing.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::ssh::host_process::HostProcess;
use crate::ssh::test_client::TestHost;

#[test]
fn whoever_presses_no_key_is_warned_and_then_told_that_it_is_over() {
    let house = TestHost::open(|options| {
        options.time_limits.idle_time_out = Duration::from_millis(2_500);
        options.time_limits.warning_before_end = Duration::from_secs(1);
    });
    house.runtime.block_on(async {
        let mut caller = TestHost::visitor(house.address()).await;
        caller.sees("this visit ends in 1 second unless you press one").await;
        assert_eq!(caller.ends().await, Some(1));
        assert!(
            caller.contents().contains("bursar: this visit ended after 2 seconds without a key"),
            "{}",
            caller.contents()
        );
        assert!(caller.is_whole());
    });
    house.tells("left as demo");
    assert!(house.host_events().last().unwrap().ends_with("no keypress for 2 seconds"), "{:?}", house.host_events());
    house.empties();
}

#[test]
fn the_longest_visit_ends_although_keys_are_pressed() {
    let house = TestHost::open(|options| {
        options.time_limits.max_visit = Duration::from_millis(2_500);
        options.time_limits.warning_before_end = Duration::from_secs(1);
    });
    house.runtime.block_on(async {
        let mut caller = TestHost::visitor(house.address()).await;
        caller.sees("this visit ends in 1 second;").await;
        caller.types("3").await;
        assert_eq!(caller.ends().await, Some(1));
        assert!(caller.contents().contains("the maximum length"), "{}", caller.contents());
        assert!(caller.is_whole());
    });
}

#[test]
fn a_host_that_is_stopped_tells_every_visitor_and_leaves_nothing_behind() {
    let mut house = TestHost::open(|_| {});
    let address = house.address();
    let (mut ada, mut bob) = house.runtime.block_on(async {
        let ada = TestHost::visitor(address).await;
        let bob = TestHost::visitor(address).await;
        (ada, bob)
    });
    let task = house.runtime.spawn(async move {
        let statuses = (ada.ends().await, bob.ends().await);
        (statuses, [ada, bob])
    });
    let count = house.stops();
    let (statuses, callers) = house.runtime.block_on(task).unwrap();
    assert_eq!(statuses, (Some(1), Some(1)));
    for caller in &callers {
        assert!(caller.contents().contains("because the host is being stopped"), "{}", caller.contents());
        assert!(caller.is_whole());
    }
    drop(callers);
    assert_eq!(count, 0, "tasks that go on");
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn a_client_that_is_killed_hangs_up_and_its_workspace_is_gone() {
    let lender = HostProcess::open(&[]);
    let mut stays = lender.visitor();
    let mut dies = lender.visitor();
    kill_process(Pid::from_raw(i32::try_from(dies.id()).unwrap()).unwrap(), Signal::KILL).unwrap();
    dies.ends();
    assert!(lender.says("left as demo").ends_with(": hung up"));
    stays.types("q");
    assert_eq!(stays.ends().exit_code(), 0);
    lender.says(": quit");
    lender.is_asked_to_end();
    let (status, folder) = lender.ends();
    assert!(status.success(), "{status}");
    let leftovers: Vec<_> = std::fs::read_dir(folder.path().join("temporary")).unwrap().flatten().collect();
    assert!(leftovers.is_empty(), "{leftovers:?}");
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn a_host_that_is_asked_to_end_says_so_and_ends_well() {
    let lender = HostProcess::open(&[]);
    let mut terminal = lender.visitor();
    lender.is_asked_to_end();
    assert_eq!(terminal.ends().exit_code(), 1);
    assert!(terminal.contents().contains("because the host is being stopped"), "{}", terminal.contents());
    terminal.is_whole();
    assert!(lender.ends().0.success());
}

/// A release build has no key to panic on.
#[cfg(debug_assertions)]
#[test]
#[ignore = "needs the client of OpenSSH"]
fn a_panic_ends_the_visit_in_which_it_happens_and_no_other() {
    let lender = HostProcess::open_in(tempfile::tempdir().unwrap(), &[], &[("BURSAR_PANIC_ON", "X")]);
    let (mut ada, mut bob) = (lender.visitor(), lender.visitor());
    ada.types("X");
    assert_eq!(ada.ends().exit_code(), 101);
    assert!(ada.contents().contains("this visit ended because of a fault in bursar"), "{}", ada.contents());
    ada.is_whole();
    ada.never_showed("a panic was asked for");
    bob.types("3");
    bob.waits_for("Time (UTC)");
    bob.never_showed("panic");
    bob.types("q");
    assert_eq!(bob.ends().exit_code(), 0);
    lender.says("a panic was asked for");
    lender.says("left as demo after");
}
