//! The wire cut at every byte, in both directions: nothing is ever taken for done, refused or not sent that may have
//! been executed.

use super::listener::{Listener, Part, json};
use super::*;

/// How many bytes the request is.
async fn length() -> usize {
    let mut listener = Listener::once(b"");
    operator(&listener.base_url).ask(&payment()).await;
    listener.heard().await.len()
}

#[tokio::test]
async fn a_request_that_is_cut_anywhere_may_have_arrived() {
    let whole = length().await;
    assert!(whole > 400, "{whole} bytes");
    let listener = Listener::new((0..=whole).map(Part::CutAfter).collect());
    let operator = operator(&listener.base_url);
    for at in 0..=whole {
        let answered = operator.ask(&payment()).await;
        assert_eq!((answered.outcome, answered.status), (Outcome::Unknown, None), "cut at byte {at}: {answered:?}");
    }
    assert_eq!(listener.end().await.len(), whole + 1, "one connection each");
}

async fn cut_everywhere(whole: &[u8], last: Outcome) {
    let listener = Listener::new((0..=whole.len()).map(|end| Part::Answer(whole[..end].to_vec())).collect());
    let operator = operator(&listener.base_url);
    for end in 0..=whole.len() {
        let answered = operator.ask(&payment()).await;
        let expected = if end == whole.len() { last } else { Outcome::Unknown };
        assert_eq!(answered.outcome, expected, "cut at byte {end}: {answered:?}");
        assert!(end == whole.len() || answered.change.is_none(), "cut at byte {end}");
    }
    assert_eq!(listener.end().await.len(), whole.len() + 1, "one connection each");
}

#[tokio::test]
async fn an_answer_that_is_cut_anywhere_says_nothing() {
    let whole = json("201 Created", &transaction(TAKEN));
    cut_everywhere(&whole, Outcome::Accepted).await;
    let refusal = r#"{"statusCode":400,"path":"/v2/transactions/withdraw","message":"no"}"#;
    cut_everywhere(&json("400 Bad Request", refusal), Outcome::Declined).await;
}

#[tokio::test]
async fn an_answer_in_chunks_that_is_cut_anywhere_says_nothing() {
    let mut chunked = b"HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
    for chunk in transaction(TAKEN).as_bytes().chunks(40) {
        chunked.extend(format!("{:x}\r\n", chunk.len()).into_bytes());
        chunked.extend(chunk);
        chunked.extend(b"\r\n");
    }
    chunked.extend(b"0\r\n\r\n");
    cut_everywhere(&chunked, Outcome::Accepted).await;
}

#[tokio::test]
async fn an_answer_that_ends_with_its_connection_is_believed_only_when_it_is_whole() {
    // Nothing tells how long such an answer is but its own braces.
    let head = "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n";
    cut_everywhere(format!("{head}{}", transaction(TAKEN)).as_bytes(), Outcome::Accepted).await;
}
