//! The line for a place, and those that are turned away.

use crate::ssh::test_client::{TestClient, TestHost};

#[test]
fn who_comes_when_all_places_are_taken_waits_in_line_and_is_let_in_by_itself() {
    let house = TestHost::open(|options| options.limits.visitors = 1);
    let address = house.address();
    house.runtime.block_on(async {
        let mut first = TestHost::visitor(address).await;
        let mut second = TestClient::comes_in(address, "demo").await;
        second.asks_for_a_shell("xterm", (80, 24)).await;
        second.sees("The only place is taken.").await;
        second.sees("You are next.").await;
        let mut third = TestClient::comes_in(address, "demo").await;
        third.asks_for_a_shell("xterm", (80, 24)).await;
        third.sees("1 visitor is ahead of you.").await;
        // The second has enough of it.
        second.types("q").await;
        assert_eq!(second.ends().await, Some(0));
        assert!(second.is_whole());
        third.sees("You are next.").await;
        first.types("q").await;
        assert_eq!(first.ends().await, Some(0));
        third.sees("Treasury").await;
        third.types("3").await;
        third.sees("Time (UTC)").await;
        third.types("q").await;
        assert_eq!(third.ends().await, Some(0));
        assert!(third.is_whole());
    });
    house.empties();
    // Whoever runs the host reads who had a place, and who had none.
    let events = house.host_events();
    let count = |text: &str| events.iter().filter(|line| line.contains(text)).count();
    assert_eq!(count("waits in the queue as demo, 0 ahead"), 1, "{events:#?}");
    assert_eq!(count("waits in the queue as demo, 1 ahead"), 1, "{events:#?}");
    assert_eq!(count("left the queue as demo"), 1, "{events:#?}");
    assert_eq!((count("came as demo"), count("left as demo")), (2, 2), "{events:#?}");
}

#[test]
fn one_address_has_so_many_visitors_and_no_more() {
    let house = TestHost::open(|options| options.limits.per_address = 1);
    let address = house.address();
    house.runtime.block_on(async {
        let mut first = TestHost::visitor(address).await;
        let mut second = TestClient::comes_in(address, "demo").await;
        second.asks_for_a_shell("xterm", (80, 24)).await;
        second.sees("your address has reached its maximum number of connections").await;
        assert_eq!(second.ends().await, Some(1));
        first.types("q").await;
        assert_eq!(first.ends().await, Some(0));
    });
    house.empties();
    house.runtime.block_on(TestHost::visitor(address));
}

#[test]
fn one_connection_is_one_session() {
    let house = TestHost::open(|_| {});
    let address = house.address();
    house.runtime.block_on(async {
        let mut caller = TestHost::visitor(address).await;
        assert!(caller.handle.channel_open_session().await.is_err());
        let channel = caller.handle.channel_open_direct_tcpip("127.0.0.1", 1, "127.0.0.1", 1).await;
        assert!(channel.is_err());
        // Nor a second shell in the one there is.
        caller.channel().request_shell(true).await.unwrap();
        caller.types("3").await;
        caller.sees("Time (UTC)").await;
        caller.types("q").await;
        assert_eq!(caller.ends().await, Some(0));
    });
}
