//! An answer that says something else than was asked is an alarm; one that says less, or the same in other words, is
//! none.

use super::scripted_server::{ScriptedServer, json_answer};
use super::*;

async fn differences(frozen: &RequestBytes, members: &str) -> Vec<String> {
    let answered = answer_to(frozen, members).await;
    assert_eq!(answered.outcome, Outcome::Accepted, "{answered:?}");
    answered.differences.iter().map(ToString::to_string).collect()
}

async fn answer_to(frozen: &RequestBytes, members: &str) -> AttemptResult {
    let listener = ScriptedServer::answering_once(json_answer("201 Created", &success_answer(members)));
    operator(&listener.base_url).send_unchecked(frozen).await
}

#[tokio::test]
async fn each_difference_of_a_payment_is_told() {
    for (members, expected) in [
        (r#""walletId":"other""#, "wallet: the request says 2c9e3d66"),
        (r#""blockchain":"base""#, "chain: the request says ethereum, the answer base"),
        (r#""tokenSymbol":"USDT""#, "token: the request says USDC, the answer USDT"),
        (r#""refId":"April""#, "reference: the request says march-rent, the answer April"),
        (r#""amount":{"formatted":"25.51"}"#, "amount: the request says 25.50, the answer 25.51"),
        (r#""amount":{"raw":"2550"},"decimals":2,"toAddress":null"#, ""),
        (r#""amount":{"raw":"255000"},"decimals":2"#, "amount: the request says 25.50, the answer 2550"),
        (
            r#""amount":{"formatted":"25.50","raw":"255000"},"decimals":2"#,
            "amount: the request says 25.50, the answer both 2550 and 25.50",
        ),
        (r#""amount":{"formatted":"-25.50"}"#, "amount: the request says 25.50, the answer -25.50"),
        (r#""amount":"much""#, "amount: the request says 25.50, the answer much"),
        (
            r#""toAddress":"0x8617E340B3D01FA5F11F306F4090FD50E238070E""#,
            "recipient's address: the request says 0x8617E340B3D01FA5F11F306F4090FD50E238070D, the answer 0x8617E340B3D01FA5F11F306F4090FD50E238070E",
        ),
        (
            r#""toAddress":"DYw8jCTfwHNRJhhmFcbXvVDTqWMEVFBX6ZKUmG5CNSKK""#,
            "recipient's address: the request says 0x8617",
        ),
    ] {
        let difference_texts = differences(&payment_request(), members).await;
        if expected.is_empty() {
            assert_eq!(difference_texts, Vec::<String>::new(), "{members}");
        } else {
            assert!(
                difference_texts.len() == 1 && difference_texts[0].starts_with(expected),
                "{members}: {difference_texts:?}"
            );
        }
    }
}

#[tokio::test]
async fn other_words_for_the_same_are_no_difference() {
    for members in [
        "",
        r#""blockchain":"Ethereum-Mainnet""#,
        r#""tokenSymbol":"usdc","tokenTicker":"USDC-ETH""#,
        r#""tokenSymbol":"USD Coin","tokenTicker":"USDC""#,
        r#""amount":{"formatted":"25.500000","raw":"25500000"},"decimals":6"#,
        r#""amount":"25.5""#,
        r#""amount":25.5"#,
        r#""amount":{"raw":"25500000"}"#,
        r#""amount":{"formatted":null}"#,
        r#""idempotencyKey":"6F1C2A9E-2F6F-4C4E-8A39-5CF1F7A5D001""#,
        r#""blockchain":null,"toAddress":"0X8617E340B3D01FA5F11F306F4090FD50E238070D""#,
        r#""toAddress":"0x8617e340b3d01fa5f11f306f4090fd50e238070d","note":"x","metadata":[]"#,
    ] {
        assert_eq!(differences(&payment_request(), members).await, Vec::<String>::new(), "{members}");
    }
}

#[tokio::test]
async fn what_else_was_made_is_compared_too() {
    let user = differences(&new_user(), r#""id":"u","email":"ADA@example.com","displayName":"Eve","refId":"r""#).await;
    assert_eq!(user, ["name: the request says Ada Ferry, the answer Eve"]);
    let account = differences(&new_account(), r#""id":"a","name":"treasury""#).await;
    assert_eq!(account, ["name: the request says Treasury, the answer treasury"]);
    let wallet = differences(
        &new_wallet(),
        r#""id":"w","blockchain":"base","autoSweep":"true","accountId":"b","userId":"c","name":"d","refId":"e""#,
    )
    .await;
    assert_eq!(wallet.len(), 6, "{wallet:?}");
}

/// What stands in an answer and cannot be read was not left out.
#[tokio::test]
async fn what_cannot_be_read_is_told_as_it_stands() {
    for (members, expected) in [
        (r#""toAddress":"0x8617\ud800""#, "recipient's address: the request says 0x8617E340"),
        (r#""toAddress":["0x8617E340B3D01FA5F11F306F4090FD50E238070D"]"#, r#"the answer ["0x8617E340"#),
        (r#""amount":true"#, "amount: the request says 25.50, the answer true"),
        (r#""walletId":{"id":"w"}"#, r#"the answer {"id":"w"}"#),
    ] {
        let difference_texts = differences(&payment_request(), members).await;
        assert!(
            difference_texts.len() == 1 && difference_texts[0].contains(expected),
            "{members}: {difference_texts:?}"
        );
    }
}

/// A key that cannot be read is no key that was left out.
#[tokio::test]
async fn an_answer_under_what_is_no_key_says_nothing_of_this_request() {
    for key in [format!(r#""{KEY}\ud800""#), "true".into(), "[]".into(), format!(r#"{{"is":"{KEY}"}}"#)] {
        let answered =
            answer_to(&payment_request(), &format!(r#""id":"tx-9","idempotencyKey":{key},"status":"success""#)).await;
        assert_outcome(&answered, Outcome::Unknown, Some(201), "to another request (idempotency key ");
        assert_eq!(answered.created, None, "{answered:?}");
    }
}

/// Somebody else's answer: what was made by it is not this order's, and whether this order was made it does not say.
#[tokio::test]
async fn an_answer_under_another_key_says_nothing_of_this_request() {
    let other = r#""id":"tx-9","idempotencyKey":"00000000-0000-4000-8000-000000000000","status":"success""#;
    for frozen in [payment_request(), new_account(), new_wallet()] {
        let answered = answer_to(&frozen, other).await;
        assert_outcome(&answered, Outcome::Unknown, Some(201), "to another request (idempotency key 00000000");
        assert_eq!(answered.created, None, "{answered:?}");
        assert!(answered.raw.is_some_and(|raw| raw.contains("tx-9")));
        let [difference] = &answered.differences[..] else { panic!("{:?}", answered.differences) };
        assert!(difference.starts_with("idempotency key: the request says 6f1c2a9e"), "{difference}");
    }
    // A user has no key of its own, so that an answer can name none that is another's.
    assert_eq!(answer_to(&new_user(), other).await.outcome, Outcome::Accepted);
}
