//! The key and the wallet secret go to the service and nowhere else.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::util::SubscriberInitExt;

use super::scripted_server::{ScriptedServer, http_answer, json_answer};
use super::*;

/// What a log was told.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// The secrets, and every spelling of them in which an answer may carry them.
fn assert_silent(text: &str, source: &str) {
    let escaped = WALLET_SECRET.replace('"', "\\\"");
    for secret in [API_KEY, "4f9a1c7752", WALLET_SECRET, &escaped, "0c55e3"] {
        assert!(!text.contains(secret), "{source} says {secret}: {text}");
    }
}

#[tokio::test]
async fn what_a_service_repeats_is_taken_out_and_no_log_says_it() {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(log.clone()).finish();
    let _until_the_end = subscriber.set_default();
    let echo = format!(
        r"you sent Bearer {} and {}",
        API_KEY.replace('/', "\\/").replace('+', "\\u002b"),
        "ws:0c55e3\\\"b1d29"
    );
    let error = format!(r#"{{"statusCode":422,"path":"/v2/transactions/withdraw","message":["{echo}"]}}"#);
    let created =
        format!(r#"{{"success":true,"data":{{"id":"tx","status":"{echo}","refId":"{echo}","txHash":"{echo}"}}}}"#);
    let redirect = format!("Location: https://elsewhere.example/?{API_KEY}&{WALLET_SECRET}\r\n");
    for bytes in [
        json_answer("422 Unprocessable", &error),
        json_answer("400 Bad Request", &error),
        json_answer("500 Oh", &error),
        json_answer("201 Created", &created),
        json_answer("200 OK", &format!(r#"{{"success":false,"message":"{echo}"}}"#)),
        http_answer("307 Temporary", &redirect, &echo),
        http_answer("200 OK", &format!("Content-Type: text/{API_KEY}\r\n"), &echo),
        http_answer("400 Bad Request", "", format!("{API_KEY}{WALLET_SECRET}")),
        format!("HTTP/1.1 200 {API_KEY}\r\n{API_KEY}\r\n\r\n").into_bytes(),
    ] {
        let mut listener = ScriptedServer::answering_once(bytes);
        let operator = operator(&listener.base_url);
        let answered = operator.send_unchecked(&payment_request()).await;
        assert_silent(&format!("{answered:?}"), "the answer");
        assert_silent(&format!("{operator:?} {:#?}", operator.build_request(&payment_request())), "Debug");
        assert!(listener.next_request().await.contains(API_KEY), "the service was told");
    }
    let refused = {
        let listener = ScriptedServer::answering_once(json_answer("422 Unprocessable", &error));
        operator(&listener.base_url).send_unchecked(&payment_request()).await
    };
    assert_eq!(refused.message.as_str(), "rejected (422): you sent Bearer (key) and (wallet secret)");
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("TRACE"), "the log was told nothing, which proves nothing");
    assert_silent(&log, "the log");
}

#[test]
fn secrets_that_no_header_can_carry_are_refused_without_a_word_of_them() {
    for secret in ["", "two words", "line\nbreak", "schlüssel"] {
        let bad_key = Connection { api_key: secret.into(), ..connection("https://api.example.com") };
        let bad_secret = Connection { wallet_secret: Some(secret.into()), ..connection("https://api.example.com") };
        for (connection, source) in [(bad_key, "the API key contains"), (bad_secret, "the wallet secret contains")] {
            let error = Operator::new(connection).unwrap_err().to_string();
            assert!(error.starts_with(source) && (secret.is_empty() || !error.contains(secret)), "{error}");
        }
    }
}
