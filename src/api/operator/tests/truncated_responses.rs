//! The wire cut at every byte, in both directions: nothing is ever taken for done, refused or not sent that may have
//! been executed.

use super::scripted_server::{ScriptedServer, ServerStep, json_answer};
use super::*;

/// How many bytes the request is.
async fn request_length() -> usize {
    let mut listener = ScriptedServer::answering_once(b"");
    operator(&listener.base_url).send_unchecked(&payment_request()).await;
    listener.next_request().await.len()
}

#[tokio::test]
async fn a_request_that_is_cut_anywhere_may_have_arrived() {
    let whole = request_length().await;
    assert!(whole > 400, "{whole} bytes");
    let listener = ScriptedServer::new((0..=whole).map(ServerStep::CutAfter).collect());
    let operator = operator(&listener.base_url);
    for at in 0..=whole {
        let answered = operator.send_unchecked(&payment_request()).await;
        assert_eq!((answered.outcome, answered.status), (Outcome::Unknown, None), "cut at byte {at}: {answered:?}");
    }
    assert_eq!(listener.all_requests().await.len(), whole + 1, "one connection each");
}

async fn assert_cut_everywhere(whole: &[u8], last: Outcome) {
    let listener =
        ScriptedServer::new((0..=whole.len()).map(|end| ServerStep::Answer(whole[..end].to_vec())).collect());
    let operator = operator(&listener.base_url);
    for end in 0..=whole.len() {
        let answered = operator.send_unchecked(&payment_request()).await;
        let expected = if end == whole.len() { last } else { Outcome::Unknown };
        assert_eq!(answered.outcome, expected, "cut at byte {end}: {answered:?}");
        assert!(end == whole.len() || answered.created.is_none(), "cut at byte {end}");
    }
    assert_eq!(listener.all_requests().await.len(), whole.len() + 1, "one connection each");
}

#[tokio::test]
async fn an_answer_that_is_cut_anywhere_says_nothing() {
    let whole = json_answer("201 Created", &success_answer(PENDING_TRANSACTION));
    assert_cut_everywhere(&whole, Outcome::Accepted).await;
    let refusal = r#"{"statusCode":400,"path":"/v2/transactions/withdraw","message":"no"}"#;
    assert_cut_everywhere(&json_answer("400 Bad Request", refusal), Outcome::Declined).await;
}

#[tokio::test]
async fn an_answer_in_chunks_that_is_cut_anywhere_says_nothing() {
    let mut chunked = b"HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
    for chunk in success_answer(PENDING_TRANSACTION).as_bytes().chunks(40) {
        chunked.extend(format!("{:x}\r\n", chunk.len()).into_bytes());
        chunked.extend(chunk);
        chunked.extend(b"\r\n");
    }
    chunked.extend(b"0\r\n\r\n");
    assert_cut_everywhere(&chunked, Outcome::Accepted).await;
}

#[tokio::test]
async fn an_answer_that_ends_with_its_connection_is_believed_only_when_it_is_whole() {
    // Nothing tells how long such an answer is but its own braces.
    let head = "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n";
    assert_cut_everywhere(format!("{head}{}", success_answer(PENDING_TRANSACTION)).as_bytes(), Outcome::Accepted).await;
}
