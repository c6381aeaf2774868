//! A service that repeats the secrets of a profile in whatever it answers to a read: none of them is ever shown, written
//! or logged.

use std::collections::HashSet;
use std::path::Path;
use std::process::Command;

use bursar::api::{Connection, Limits, Reader};
use bursar::domain::{Direction, Redaction, TransactionId, UserId};

use super::fake_service::{Answer, FakeService, answer, ok};
use super::pty::PtySession;
use super::secret_leaks_paying::{Places, files};

/// Every secret that a profile may hold, and what stands in its place.
const SECRETS: [(&str, &str); 4] = [
    ("sk_reads/4f9a+1c7752", "(key)"),
    ("sk_pays/0b44+e1d8", "(key)"),
    ("ws:0c55e3b1/d29", "(wallet secret)"),
    ("whsec_9d31/07aa", "(webhook secret)"),
];

fn escape_all(secret: &str, with: &str) -> String {
    secret.bytes().map(|byte| [with.to_owned(), hex::encode([byte])].concat()).collect()
}

/// How a secret may stand in an answer.
fn spellings(secret: &str) -> [String; 6] {
    [
        secret.to_owned(),
        secret.replace('/', "\\/").replace('+', "\\u002B"),
        escape_all(secret, "\\u00"),
        escape_all(secret, "\\\\u00"),
        secret.replace('/', "%2F").replace('+', "%2b"),
        escape_all(secret, "%"),
    ]
}

/// Where a secret may stand in an answer, and with which status.
fn answers(text: &str) -> Vec<Answer> {
    let error = |status: &str, body: String| answer(status, "Content-Type: application/json\r\n", body);
    let mut answers = vec![
        ok(&format!(r#"{{"success":false,"message":"who is {text}?"}}"#)),
        ok(&format!(r#"{{"success":false,"message":["no","who is {text}?"]}}"#)),
        ok(&format!(r#"{{"success":true,"error":"who is {text}?"}}"#)),
        ok(&format!(r#"{{"{text}":"{text}""#)),
        ok(text),
        ok(&format!(
            r#"{{"success":true,"data":[{{"id":"a","txHash":"{text}","userId":"a{text}","note":"{text}","status":"{text}",
            "displayName":"{text}","tokenName":"{text}","tokenSymbol":"{text}","amount":"{text}","{text}":1}}]}}"#
        )),
        ok(&format!(r#"{{"success":true,"data":{{"userId":"a{text}","displayName":"{text}","email":"{text}"}}}}"#)),
    ];
    for status in ["301 Moved", "302 Found", "303 Other", "307 Temporary", "308 Permanent"] {
        answers.push(answer(status, &format!("Location: https://elsewhere.example/?key={text}\r\n"), text));
    }
    for status in ["400 Bad", "401 Who", "403 No", "404 None", "418 Tea", "422 Odd", "429 Often", "500 Oh", "503 Busy"]
    {
        let code = &status[..3];
        answers.push(error(status, format!(r#"{{"statusCode":{code},"message":"Bearer {text} is wrong"}}"#)));
        answers.push(error(status, format!(r#"{{"statusCode":{code},"message":["{text}"]}}"#)));
        answers.push(error(status, format!(r#"{{"statusCode":{code},"error":"{text}"}}"#)));
        answers.push(error(status, text.to_owned()));
        answers.push(answer(status, &format!("Retry-After: {text}\r\nX-Said: {text}\r\n"), "{}"));
    }
    answers
}

/// A text with what JSON and addresses escape put back, once and again.
fn decode(text: &str) -> String {
    let mut text = text.to_owned();
    for escape in ["\\\\u00", "\\u00", "%"] {
        let mut plain = String::new();
        let mut rest = text.as_str();
        while let Some((before, behind)) = rest.split_once(escape) {
            plain.push_str(before);
            if let Some(code) = behind.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
                plain.push(char::from(code));
                rest = &behind[2..];
            } else {
                plain.push_str(escape);
                rest = behind;
            }
        }
        plain.push_str(rest);
        text = plain;
    }
    text.replace("\\/", "/")
}

fn assert_silent(bytes: &[u8], source: &str) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    for text in [decode(&text), text] {
        for (secret, _) in SECRETS {
            let part = &secret[secret.len() / 2..];
            assert!(!text.contains(part), "{source} gives {secret} away: {text}");
        }
    }
}

fn reader(service: &FakeService) -> Reader {
    let connection = service.connection(Limits::default());
    let redaction = Redaction::default();
    for (secret, name) in SECRETS {
        redaction.add_secret(name, secret);
    }
    Reader::new(Connection { api_key: SECRETS[0].0.into(), redaction, ..connection }).unwrap()
}

#[tokio::test]
async fn no_answer_to_a_read_brings_a_secret_in_however_it_is_spelled_and_wherever_it_stands() {
    let mut marks = HashSet::new();
    for (secret, name) in SECRETS {
        for spelled in spellings(secret) {
            for answer in answers(&spelled) {
                let answer_text = match &answer {
                    Answer::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                    _ => unreachable!("whole answers alone"),
                };
                let service = FakeService::new(vec![answer]).await;
                let reader = reader(&service);
                let page = reader.fetch_transactions(&Direction::Incoming, 1, 100).await;
                let user = reader.fetch_user(&UserId::from_text("a")).await;
                let raw =
                    reader.find_raw_transaction(&Direction::Incoming, &TransactionId::from_text("a"), 1, 100).await;
                let contact = reader.probe().await;
                let mut debug_text = format!("{page:?} {user:?} {raw:?} {contact:?}");
                for failure in [page.err(), user.err()].into_iter().flatten() {
                    debug_text.push_str(&failure.to_string());
                }
                assert_silent(debug_text.as_bytes(), &answer_text);
                if debug_text.contains(name) {
                    marks.insert((secret, spelled.clone()));
                }
            }
        }
    }
    // What was taken out had come in: each spelling of each secret was repeated in words that are shown.
    assert_eq!(marks.len(), SECRETS.iter().flat_map(|(secret, _)| spellings(secret)).collect::<HashSet<_>>().len());
}

/// The program with every secret in its environment, at a service.
fn variables(base_url: &str, home: &Path) -> Vec<(&'static str, String)> {
    let [(reads, _), (pays, _), (wallet, _), _] = SECRETS;
    vec![
        ("HOME", home.display().to_string()),
        ("BURSAR_BASE_URL", base_url.to_owned()),
        ("BURSAR_API_KEY", reads.to_owned()),
        ("BURSAR_PAYING_API_KEY", pays.to_owned()),
        ("BURSAR_WALLET_SECRET", wallet.to_owned()),
        ("BURSAR_DATA_DIR", home.join("data").display().to_string()),
    ]
}

#[test]
fn what_a_read_repeats_of_the_secrets_reaches_no_page_no_command_no_file_and_no_log() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let all = SECRETS[..3].iter().map(|(secret, _)| spellings(secret).join(" ")).collect::<Vec<_>>().join(" ");
    let location = SECRETS[..3].iter().map(|(secret, _)| *secret).collect::<Vec<_>>().join("&");
    for (name, answer, text) in [
        ("a success that is none", ok(&format!(r#"{{"success":false,"message":"{all}"}}"#)), "success is false"),
        (
            "a redirect",
            answer("302 Found", &format!("Location: https://elsewhere.example/?{location}\r\n"), ""),
            "redirects",
        ),
        ("400", answer("400 Bad", "", format!(r#"{{"statusCode":400,"message":"{all}"}}"#)), "(key)"),
        ("401", answer("401 Who", "", format!(r#"{{"statusCode":401,"message":"{all}"}}"#)), "rejected"),
        ("500", answer("500 Oh", "", format!(r#"{{"statusCode":500,"message":"{all}"}}"#)), "(key)"),
        (
            "a page of users",
            ok(&format!(
                r#"{{"success":true,"data":[{{"id":"t","userId":"u","displayName":"{all}","note":"{all}"}}]}}"#
            )),
            "",
        ),
    ] {
        let service = runtime.block_on(FakeService::new(vec![answer]));
        let home = tempfile::tempdir().unwrap();
        let variables = variables(&service.base_url, home.path());
        let mut places: Places = Vec::new();
        for arguments in [
            &["status"][..],
            &["status", "--json"],
            &["doctor"],
            &["doctor", "--json"],
            &["export", "transactions"],
            &["export", "balances", "--format", "json"],
        ] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_bursar"));
            let output = command.env_clear().args(arguments).envs(variables.iter().cloned()).output().unwrap();
            places.push((format!("{name}: {}", arguments.join(" ")), [output.stdout, output.stderr].concat()));
        }
        let variables: Vec<(&str, &str)> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let mut terminal = PtySession::open_with(&["--log-level", "trace"], &variables);
        terminal.waits_for("Overview");
        for page in ["2", "3", "6"] {
            terminal.types(page);
        }
        // The Events page says what came of the reads.
        terminal.waits_for(text);
        terminal.types("q");
        terminal.ends();
        places.push((format!("{name}: the terminal"), terminal.all_that_was_written()));
        files(home.path(), &mut places);
        assert!(places.iter().any(|(place, _)| place.ends_with("bursar.log")), "{name}: no log");
        let is_shown = places.iter().any(|(_, bytes)| String::from_utf8_lossy(bytes).contains("(key)"));
        assert!(is_shown, "{name}: the service was not heard");
        for (place, bytes) in &places {
            assert_silent(bytes, place);
        }
    }
}
