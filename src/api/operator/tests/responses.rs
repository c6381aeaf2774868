//! Row by row: what comes back, or does not, and what it means.

use std::io::Write;
use std::net::TcpListener;
use std::time::Duration;

use super::scripted_server::{ScriptedServer, ServerStep, http_answer, json_answer};
use super::*;
use crate::api::ProxyAddress;
use crate::domain::outcome::{CreatedObject, ObservedTransaction};
use crate::domain::{Status, TransactionId};

async fn send_to_answer(frozen: &RequestBytes, bytes: impl AsRef<[u8]>) -> AttemptResult {
    operator(&ScriptedServer::answering_once(bytes).base_url).send_unchecked(frozen).await
}

/// The service's error body.
fn error_answer(status: &str, message: &str) -> Vec<u8> {
    let code = status.split(' ').next().unwrap();
    let path = "/v2/transactions/withdraw";
    let time = "2026-03-12T12:00:00.000Z";
    json_answer(status, &format!(r#"{{"statusCode":{code},"path":"{path}","timestamp":"{time}","message":{message}}}"#))
}

#[tokio::test]
async fn exactly_the_frozen_bytes_are_sent() {
    for (frozen, guarded) in
        [(payment_request(), true), (new_user(), false), (new_account(), true), (new_wallet(), true)]
    {
        let mut listener =
            ScriptedServer::answering_once(json_answer("201 Created", &success_answer(PENDING_TRANSACTION)));
        operator(&format!("{}/prefix", listener.base_url)).send_unchecked(&frozen).await;
        let request = listener.next_request().await;
        let (head, body) = request.split_once("\r\n\r\n").unwrap();
        assert_eq!(body, frozen.body);
        let mut lines = head.split("\r\n");
        assert_eq!(lines.next().unwrap(), format!("{} /prefix{} HTTP/1.1", frozen.method, frozen.path));
        let mut headers: Vec<_> = lines.map(|line| line.split_once(": ").unwrap()).collect();
        headers.sort_unstable();
        let length = frozen.body.len().to_string();
        let (bearer, host) = (format!("Bearer {API_KEY}"), listener.base_url.replace("http://", ""));
        let mut expected = vec![
            ("accept", "*/*"),
            ("accept-encoding", "gzip"),
            ("authorization", &bearer),
            ("content-length", &length),
            ("content-type", "application/json"),
            ("host", &host),
        ];
        if guarded {
            expected.push(("x-wallet-secret", WALLET_SECRET));
        }
        assert_eq!(headers, expected);
    }
}

#[tokio::test]
async fn the_wallet_secret_goes_where_the_profile_says() {
    let wire = WireNames { wallet_secret_paths: "/v2/users /v2/transactions/withdraw/".into(), ..WireNames::default() };
    for (frozen, carries) in
        [(new_user(), true), (payment_request(), true), (new_account(), false), (new_wallet(), false)]
    {
        let mut listener = ScriptedServer::answering_once(b"");
        let connection = Connection { wire_names: wire.clone(), ..connection(&listener.base_url) };
        Operator::new(connection).unwrap().send_unchecked(&frozen).await;
        assert_eq!(listener.next_request().await.contains("x-wallet-secret"), carries, "{frozen:?}");
    }
    let near = WireNames { wallet_secret_paths: "/v2/transact".into(), ..WireNames::default() };
    assert!(!near.needs_wallet_secret("/v2/transactions/withdraw"));
}

#[tokio::test]
async fn an_accepted_payment_is_told_with_what_was_made() {
    let body = success_answer(
        r#""id":"tx-1","status":"pending","confirmed":false,"confirmation":0,"txHash":"0xabc","toAddress":"0x8617e340b3d01fa5f11f306f4090fd50e238070d","amount":{"formatted":"25.5","raw":"25500000"},"decimals":6,"tokenSymbol":"usdc","blockchain":"Ethereum","refId":"march-rent","walletId":"2C9E3D66-1D3B-4BB7-8F43-6F2F5D1D7A10""#,
    );
    let answered = send_to_answer(&payment_request(), json_answer("201 Created", &body)).await;
    assert_outcome(&answered, Outcome::Accepted, Some(201), "accepted (201, status pending)");
    assert_eq!(answered.raw, Some(body));
    assert!(answered.differences.is_empty(), "{answered:?}");
    let observed = ObservedTransaction {
        transaction: Some(TransactionId::from_text("tx-1")),
        status: Some(Status::Pending),
        confirmed: Some(false),
        confirmed_at: None,
        confirmation: Some(0),
        tx_hash: Some("0xabc".into()),
        swap: None,
    };
    assert_eq!(answered.created, Some(CreatedObject::Transaction(observed)));

    // The specification does not show this answer, so any part of what is inside may be absent.
    let bare = send_to_answer(&payment_request(), json_answer("200 OK", r#"{"success":true,"data":{}}"#)).await;
    assert_outcome(&bare, Outcome::Accepted, Some(200), "accepted");
    assert_eq!((bare.created, bare.differences), (None, Vec::new()));
    let untyped =
        send_to_answer(&payment_request(), http_answer("200 OK", "", success_answer(PENDING_TRANSACTION))).await;
    assert_outcome(&untyped, Outcome::Accepted, Some(200), "accepted");
    let marked = send_to_answer(
        &payment_request(),
        json_answer("200 OK", &format!("\u{feff}{}", success_answer(PENDING_TRANSACTION))),
    )
    .await;
    assert_outcome(&marked, Outcome::Accepted, Some(200), "accepted");
}

#[tokio::test]
async fn accepted_users_accounts_and_wallets_are_told() {
    const USER: &str = include_str!("../../../../tests/suite/wire/user.json");
    let user = send_to_answer(&new_user(), json_answer("201 Created", USER)).await;
    let Some(CreatedObject::User(created_user)) = user.created else { panic!("{user:?}") };
    assert_eq!((created_user.id.as_str(), user.differences), ("sub-wallet-77", Vec::new()));

    let account = send_to_answer(
        &new_account(),
        json_answer("201 Created", &success_answer(r#""id":"acc-1","name":"Treasury""#)),
    )
    .await;
    let Some(CreatedObject::Account(created_user)) = account.created else { panic!("{account:?}") };
    assert_eq!((created_user.id.as_str(), account.differences), ("acc-1", Vec::new()));

    let wallet_members =
        r#""id":"wal-1","blockchain":"polygon","autoSweep":false,"name":"polygon-ops","refId":"ops","userId":"user-1""#;
    let wallet = send_to_answer(&new_wallet(), json_answer("201 Created", &success_answer(wallet_members))).await;
    let Some(CreatedObject::Wallet(created_user)) = wallet.created else { panic!("{wallet:?}") };
    assert_eq!((created_user.id.as_str(), wallet.differences), ("wal-1", Vec::new()));

    let nameless =
        send_to_answer(&new_account(), json_answer("201 Created", r#"{"success":true,"data":{"name":"Treasury"}}"#))
            .await;
    assert_outcome(&nameless, Outcome::Accepted, Some(201), "accepted");
    assert_eq!(nameless.created, None);
}

#[tokio::test]
async fn a_success_that_is_none_leaves_it_unknown() {
    let whole = success_answer(PENDING_TRANSACTION);
    let html = "<!doctype html><title>Sign in</title>";
    for (bytes, expected) in [
        (http_answer("200 OK", "Content-Type: text/html\r\n", html), "text/html, not JSON"),
        (http_answer("200 OK", "", html), "a web page came instead of JSON"),
        (http_answer("200 OK", "Content-Type: text/html; charset=utf-8\r\n", &whole), "text/html, not JSON"),
        (http_answer("200 OK", "Content-Type: text/plain\r\n", &whole), "text/plain, not JSON"),
        (json_answer("200 OK", ""), "not JSON"),
        (json_answer("200 OK", &whole[..whole.len() - 1]), "not JSON"),
        (json_answer("200 OK", r#"{"success":false,"data":{"id":"tx-1"}}"#), "success is false"),
        (json_answer("200 OK", r#"{"success":"false","data":{"id":"tx-1"}}"#), "success is false"),
        (json_answer("200 OK", r#"{"success":false,"message":"limit reached"}"#), "success is false: limit reached"),
        (json_answer("200 OK", r#"{"data":{"id":"tx-1"}}"#), "the answer does not confirm success"),
        (json_answer("200 OK", r#"{"success":1,"data":{"id":"tx-1"}}"#), "the answer does not confirm success"),
        (json_answer("200 OK", r#"{"success":true}"#), "the envelope has no data"),
        (json_answer("200 OK", r#"{"success":true,"data":null}"#), "the envelope has no data"),
        (json_answer("200 OK", r#"{"success":true,"data":[{"id":"tx-1"}]}"#), "data is not an object"),
        (json_answer("200 OK", r#"[{"id":"tx-1"}]"#), "the answer does not confirm success"),
        (json_answer("200 OK", "true"), "neither an envelope nor a list"),
        (http_answer("204 No Content", "", ""), "not JSON"),
    ] {
        let answered = send_to_answer(&payment_request(), bytes).await;
        assert_outcome(&answered, Outcome::Unknown, answered.status, expected);
        assert!(answered.status.is_some_and(|status| status < 300) && answered.created.is_none(), "{answered:?}");
    }
    let deep = format!(r#"{{"success":true,"data":{{"id":"a","metadata":{}{}}}}}"#, "[".repeat(65), "]".repeat(65));
    assert_outcome(
        &send_to_answer(&payment_request(), json_answer("200 OK", &deep)).await,
        Outcome::Unknown,
        Some(200),
        "nested deeper",
    );
}

#[tokio::test]
async fn what_leaves_it_open_is_unknown() {
    for status in [
        "408 Request Timeout",
        "409 Conflict",
        "425 Too Early",
        "500 Oh",
        "501 Oh",
        "502 Bad Gateway",
        "503 Unavailable",
        "504 Gateway Timeout",
        "599 Odd",
        "600 Odd",
        "999 Odd",
        "300 Choices",
        "304 Not Modified",
        "101 Switching Protocols",
    ] {
        let code = status[..3].parse().ok();
        for bytes in [error_answer(status, "\"not now\""), http_answer(status, "", "<html>nginx</html>")] {
            let answered = send_to_answer(&payment_request(), bytes).await;
            assert_outcome(&answered, Outcome::Unknown, code, &format!("answered {}", &status[..3]));
        }
    }
    let busy = send_to_answer(&payment_request(), error_answer("503 Unavailable", "\"later\"")).await;
    assert_eq!(busy.message.as_str(), "answered 503, which leaves open whether it was executed: “later”");
}

#[tokio::test]
async fn a_refusal_in_the_services_own_words_is_one() {
    for status in ["400 Bad Request", "404 Not Found", "422 Unprocessable"] {
        let code = status[..3].parse().ok();
        let refused =
            send_to_answer(&payment_request(), error_answer(status, r#"["amount is required","token is unknown"]"#))
                .await;
        let expected = format!("rejected ({}): amount is required; token is unknown", &status[..3]);
        assert_outcome(&refused, Outcome::Declined, code, &expected);
        assert!(refused.raw.is_some());
        let number = &status[..3];
        for other in [
            "<html>404</html>".to_owned(),
            String::new(),
            r#"{"message":"no"}"#.to_owned(),
            format!(r#"{{"statusCode":{number}}}"#),
            format!(r#"{{"statusCode":{number},"message":""}}"#),
            r#"{"statusCode":418,"path":"/v2/transactions/withdraw","message":"no"}"#.to_owned(),
            format!(r#"{{"statusCode":{number},"path":"/v2/users","message":"no"}}"#),
            format!(r#"[{{"statusCode":{number},"message":"no"}}]"#),
            format!(r#"{{"statusCode":{number},"message":"no","x":{}{}}}"#, "[".repeat(70), "]".repeat(70)),
        ] {
            let answered = send_to_answer(&payment_request(), json_answer(status, &other)).await;
            assert_eq!(answered.outcome, Outcome::ProbablyRefused { wait: None }, "{other}: {answered:?}");
        }
    }
    // The path that the service says may have more in front of it, or a query behind it.
    let longer = r#"{"statusCode":"404","path":"/wallet/v2/transactions/withdraw?x=1","message":"no"}"#;
    assert_eq!(
        send_to_answer(&payment_request(), json_answer("404 Not Found", longer)).await.outcome,
        Outcome::Declined
    );
}

#[tokio::test]
async fn a_refusal_that_speaks_of_a_used_key_leaves_open_whether_another_copy_was_executed() {
    for message in [
        "idempotencyKey was already used",
        "Idempotency-Key has been used",
        "clientTxId must be unique",
        "duplicate request",
        "this withdrawal exists already",
        "client_tx_id: in use",
    ] {
        for status in ["400 Bad Request", "404 Not Found", "422 Unprocessable"] {
            let code = status[..3].parse().ok();
            let answered = send_to_answer(&payment_request(), error_answer(status, &format!("\"{message}\""))).await;
            assert_outcome(&answered, Outcome::Unknown, code, message);
        }
    }
    // What has no key is not looked for in any history: people read the words.
    let user = send_to_answer(
        &new_user(),
        json_answer("400 Bad Request", r#"{"statusCode":400,"message":"email already used"}"#),
    )
    .await;
    assert_eq!(user.outcome, Outcome::Refused, "{user:?}");
}

#[tokio::test]
async fn other_refusals_are_probable_ones() {
    for status in ["401 Unauthorized", "402 Pay", "403 Forbidden", "405 No", "410 Gone", "413 Large", "418 T", "451 L"]
    {
        let code = status[..3].parse().ok();
        for bytes in [error_answer(status, "\"no\""), http_answer(status, "", "")] {
            let answered = send_to_answer(&payment_request(), bytes).await;
            assert_outcome(&answered, Outcome::ProbablyRefused { wait: None }, code, "answered (4");
        }
    }
    let date = "Date: Thu, 12 Mar 2026 12:00:00 GMT\r\n";
    for (header, wait) in [
        (String::new(), None),
        ("Retry-After: 7\r\n".into(), Some(7)),
        ("Retry-After: 86400\r\n".into(), Some(300)),
        (format!("{date}Retry-After: Thu, 12 Mar 2026 12:01:30 GMT\r\n"), Some(90)),
        ("Retry-After: soon\r\n".into(), None),
    ] {
        let answered = send_to_answer(&payment_request(), http_answer("429 Too Many", &header, "")).await;
        let wait = wait.map(Duration::from_secs);
        assert_outcome(&answered, Outcome::ProbablyRefused { wait }, Some(429), "answered (429)");
    }
}

#[tokio::test]
async fn a_refusal_that_names_the_other_destination_says_what_to_change() {
    let refused =
        send_to_answer(&payment_request(), error_answer("422 Unprocessable", r#"["toAddress is required"]"#)).await;
    assert_outcome(&refused, Outcome::Declined, Some(422), "write withdrawal_address = \"toAddress\" under [wire]");
    let usual =
        send_to_answer(&payment_request(), error_answer("422 Unprocessable", r#"["withdrawalAddress is no address"]"#))
            .await;
    assert!(!usual.message.contains("[wire]"), "{usual:?}");
    let elsewhere =
        send_to_answer(&new_user(), error_answer("422 Unprocessable", r#"["toAddress is required"]"#)).await;
    assert!(!elsewhere.message.contains("[wire]"), "{elsewhere:?}");
}

#[tokio::test]
async fn without_a_connection_nothing_was_sent() {
    // Bound, so that nobody else gets the port, and not listening.
    let closed = tokio::net::TcpSocket::new_v4().unwrap();
    closed.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let address = closed.local_addr().unwrap();
    let answered = operator(&format!("http://{address}")).send_unchecked(&payment_request()).await;
    assert_outcome(&answered, Outcome::NotSent, None, "nothing was sent: no connection");
    assert_eq!(answered.raw, None);

    let nowhere = impatient_operator("https://nowhere.invalid").send_unchecked(&payment_request()).await;
    assert_outcome(&nowhere, Outcome::NotSent, None, "nothing was sent: no connection");
}

#[tokio::test]
async fn without_an_agreed_encryption_nothing_was_sent() {
    for part in [ServerStep::CutAfter(20), ServerStep::CutAfter(0)] {
        let listener = ScriptedServer::new(vec![part]);
        let answered =
            impatient_operator(&listener.base_url.replace("http", "https")).send_unchecked(&payment_request()).await;
        assert_outcome(&answered, Outcome::NotSent, None, "nothing was sent: no connection");
    }
    // The other side takes the connection and never says a word.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}", silent.local_addr().unwrap());
    let answered = impatient_operator(&url).send_unchecked(&payment_request()).await;
    assert_outcome(&answered, Outcome::NotSent, None, "no connection in time");
}

#[tokio::test]
async fn a_proxy_learns_the_name_of_the_service_and_nothing_else() {
    for bytes in
        [http_answer("502 Bad Gateway", "", ""), http_answer("407 Who", "", ""), b"HTTP/1.1 200 OK\r\n\r\n".to_vec()]
    {
        let proxy = ScriptedServer::answering_once(bytes);
        let route = Route { proxy: Some(ProxyAddress::parse(&proxy.base_url).unwrap()), ..Route::default() };
        let connection = Connection { route, ..connection("https://api.example.com") };
        let answered = Operator::new(connection).unwrap().send_unchecked(&payment_request()).await;
        assert_outcome(&answered, Outcome::NotSent, None, "nothing was sent: no connection");
        // Behind the request for a tunnel there is a greeting of TLS at most, which is no text.
        let request = String::from_utf8_lossy(&proxy.all_requests().await.remove(0)).into_owned();
        assert!(request.starts_with("CONNECT api.example.com:443 HTTP/1.1\r\n"), "{request}");
        for secret in [API_KEY, WALLET_SECRET, "x-wallet-secret", "idempotencyKey", TO] {
            assert!(!request.contains(secret), "{request}");
        }
    }
}

#[tokio::test]
async fn no_answer_and_a_trickle_end_in_time() {
    let head = b"HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{".to_vec();
    let parts = [
        ServerStep::Hold(Vec::new()),
        ServerStep::Hold(b"HTTP/1.1 201".to_vec()),
        ServerStep::Hold(b"HTTP/1.1 100 Continue\r\n\r\n".to_vec()),
        ServerStep::Hold(head.clone()),
        ServerStep::Drip(head),
        ServerStep::Drip(b"HTTP/1.1 ".to_vec()),
    ];
    let all = parts.map(async |part| {
        let listener = ScriptedServer::new(vec![part]);
        let operator = impatient_operator(&listener.base_url);
        let answered =
            tokio::time::timeout(operator.send_timeout(), operator.send_unchecked(&payment_request())).await.unwrap();
        assert_eq!(answered.outcome, Outcome::Unknown, "{answered:?}");
        listener.all_requests().await;
    });
    futures::future::join_all(all).await;
    let listener = ScriptedServer::new(vec![ServerStep::Hold(Vec::new())]);
    let silent = impatient_operator(&listener.base_url).send_unchecked(&payment_request()).await;
    assert_outcome(&silent, Outcome::Unknown, None, "the request was sent, and no answer came in time");
}

#[tokio::test]
async fn answers_in_front_of_the_answer_are_not_it() {
    let whole = json_answer("201 Created", &success_answer(PENDING_TRANSACTION));
    for before in ["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"] {
        let answered = send_to_answer(&payment_request(), [before.as_bytes(), &whole].concat()).await;
        assert_eq!(answered.outcome, Outcome::Accepted, "{answered:?}");
    }
    // And what stands behind it is none of ours.
    let behind = [whole, json_answer("500 Oh", "{}")].concat();
    assert_eq!(send_to_answer(&payment_request(), behind).await.outcome, Outcome::Accepted);
}

#[tokio::test]
async fn redirects_are_not_followed_and_the_other_place_hears_nothing() {
    let decoy = TcpListener::bind("127.0.0.1:0").unwrap();
    decoy.set_nonblocking(true).unwrap();
    let target = format!("http://{}/v2/transactions/withdraw", decoy.local_addr().unwrap());
    for status in ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"] {
        for to in [target.as_str(), "/v2/elsewhere", "//[bad", ""] {
            let listener = ScriptedServer::answering_once(http_answer(
                status,
                &format!("Location: {to}\r\n"),
                success_answer(PENDING_TRANSACTION),
            ));
            let answered = operator(&listener.base_url).send_unchecked(&payment_request()).await;
            assert_outcome(&answered, Outcome::Unknown, status[..3].parse().ok(), "which is never followed");
            assert_eq!(listener.all_requests().await.len(), 1);
        }
    }
    let nobody = decoy.accept().unwrap_err();
    assert_eq!(nobody.kind(), std::io::ErrorKind::WouldBlock, "the decoy was connected to");
}

#[tokio::test]
async fn each_request_has_a_connection_of_its_own_and_goes_once() {
    let kept_alive = http_answer("201 Created", "Connection: keep-alive\r\n", success_answer(PENDING_TRANSACTION));
    let listener = ScriptedServer::new(vec![
        ServerStep::Hold(kept_alive.clone()),
        ServerStep::Answer(kept_alive),
        ServerStep::CutAfter(700),
        ServerStep::CutAfter(0),
    ]);
    let operator = operator(&listener.base_url);
    // The first connection is closed by our side, although the service would keep it; the second by the service.
    for outcome in [Outcome::Accepted, Outcome::Accepted, Outcome::Unknown, Outcome::Unknown] {
        let mut frozen = payment_request();
        frozen.body.push_str(&" ".repeat(500));
        assert_eq!(operator.send_unchecked(&frozen).await.outcome, outcome);
    }
    let requests = listener.all_requests().await;
    assert_eq!(requests.len(), 4, "one connection for each, and none for a second try");
    for request in &requests[..2] {
        assert_eq!(String::from_utf8_lossy(request).matches("POST ").count(), 1);
    }
}

#[tokio::test]
async fn a_small_answer_that_unfolds_into_a_huge_one_is_stopped() {
    let gzip = |blanks: usize, text: &str| {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let block = [b' '; 8192];
        (0..blanks / block.len()).for_each(|_| gzip.write_all(&block).unwrap());
        gzip.write_all(text.as_bytes()).unwrap();
        gzip.finish().unwrap()
    };
    let packed = |bytes: Vec<u8>| http_answer("201 Created", "Content-Encoding: gzip\r\n", bytes);
    let bomb =
        send_to_answer(&payment_request(), packed(gzip(64 * 1024 * 1024, &success_answer(PENDING_TRANSACTION)))).await;
    assert_outcome(&bomb, Outcome::Unknown, Some(201), "too large");
    let long =
        send_to_answer(&payment_request(), packed(gzip(2 * 1024 * 1024, &success_answer(PENDING_TRANSACTION)))).await;
    assert_outcome(&long, Outcome::Unknown, Some(201), "too large (more than 1048576 bytes)");
    let sound = send_to_answer(&payment_request(), packed(gzip(8192, &success_answer(PENDING_TRANSACTION)))).await;
    assert_outcome(&sound, Outcome::Accepted, Some(201), "accepted");
    let broken = send_to_answer(&payment_request(), packed(success_answer(PENDING_TRANSACTION).into_bytes())).await;
    assert_outcome(&broken, Outcome::Unknown, Some(201), "cut off or cannot be read");
    // A refusal that cannot be read refuses nothing.
    let refusal = http_answer("400 Bad Request", "Content-Encoding: gzip\r\n", "{}");
    assert_outcome(&send_to_answer(&payment_request(), refusal).await, Outcome::Unknown, Some(400), "cannot be read");
}

#[tokio::test]
async fn a_request_that_changes_nothing_or_goes_astray_is_not_sent() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let operator = operator(&format!("http://{}", listener.local_addr().unwrap()));
    let astray =
        |method: &str, path: &str| RequestBytes { method: method.into(), path: path.into(), ..payment_request() };
    for frozen in [
        astray("GET", "/v2/transactions/withdraw"),
        astray("post", "/v2/transactions/withdraw"),
        astray("POST", "/v1/withdraw/create"),
        astray("POST", "/v2/../v1/withdraw/create"),
        astray("POST", "/v2/%2e%2e/v1/withdraw/create"),
        astray("POST", "/v2/users?x=y"),
        astray("POST", "http://elsewhere.example/v2/users"),
        astray("POST", "@elsewhere.example/v2/users"),
    ] {
        let answered = operator.send_unchecked(&frozen).await;
        assert_outcome(&answered, Outcome::NotSent, None, "nothing was sent: the recorded request");
    }
    assert_eq!(listener.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
}
