//! Who sends a request byte by byte: a connection is held for a known time, and no longer.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use futures::FutureExt as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
use tokio::task::{JoinHandle, yield_now};
use tokio::time::advance;
use tokio_util::sync::CancellationToken;

use super::super::connection_slots::ConnectionSlots;
use super::super::listener;
use super::super::middleware::Dispatcher;
use super::{TestService, open_test_service};

/// A connection to a service in memory, whose time is the test's.
async fn connect(served: &TestService) -> (DuplexStream, JoinHandle<()>) {
    let (client, server) = duplex(64 * 1024);
    let (from, place) = (IpAddr::V4(Ipv4Addr::LOCALHOST), ConnectionSlots::new(1).acquire().await);
    let dispatcher = Dispatcher::Single(served.pipeline.clone());
    let serving = tokio::spawn(listener::serve_connection(server, from, dispatcher, place, CancellationToken::new()));
    (client, serving)
}

/// Lets a second pass, and the service do what is due.
async fn pass_one_second() {
    advance(Duration::from_secs(1)).await;
    for _ in 0..32 {
        yield_now().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_header_that_drips_is_given_up_after_two_minutes() {
    let served = open_test_service();
    let (mut client, serving) = connect(&served).await;
    client.write_all(b"GET /healthz HTTP/1.1\r\nhost: a\r\nx-slow: ").await.unwrap();
    let mut seconds = 0;
    while !serving.is_finished() {
        pass_one_second().await;
        seconds += 1;
        let _it_may_have_ended = client.write_all(b"a").await;
    }
    assert!((119..=125).contains(&seconds), "{seconds} s");
}

#[tokio::test(start_paused = true)]
async fn a_body_that_drips_is_given_up_after_half_a_minute_and_nothing_is_executed() {
    let served = open_test_service();
    let (mut client, _serving) = connect(&served).await;
    let (key, secret) = (&served.key, &served.secret);
    let header = format!(
        "POST /v2/accounts HTTP/1.1\r\nhost: a\r\nauthorization: {key}\r\nx-wallet-secret: {secret}\r\n\
         content-type: application/json\r\ncontent-length: 1000\r\n\r\n"
    );
    client.write_all(header.as_bytes()).await.unwrap();
    let (mut answers, mut sends) = tokio::io::split(client);
    let mut answer = [0; 1024];
    let mut seconds = 0;
    let outcome = loop {
        pass_one_second().await;
        seconds += 1;
        if let Some(outcome) = answers.read(&mut answer).now_or_never() {
            break outcome.unwrap();
        }
        let _it_may_have_ended = sends.write_all(b" ").await;
    };
    assert!((29..=31).contains(&seconds), "{seconds} s");
    let response = String::from_utf8_lossy(answer.get(..outcome).unwrap());
    assert!(response.starts_with("HTTP/1.1 503 ") && response.contains(r#""statusCode":503"#), "{response}");
    assert_eq!(served.ledger.workspaces().unwrap().len(), 1);
    served.ledger.check().unwrap();
}
