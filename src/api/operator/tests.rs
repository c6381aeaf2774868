//! The table of outcomes, over real sockets.

mod compared_answers;
mod fuzzed;
mod properties;
mod response_check;
mod responses;
mod scripted_server;
mod secret_leaks;
mod truncated_responses;

use std::time::Duration;

use uuid::Uuid;

use super::Operator;
use crate::api::request_bytes::{decode, encode};
use crate::api::{Connection, Limits, Route, WireNames};
use crate::domain::comparison::ExpectedReport;
use crate::domain::draft::{Draft, Metadata, NewAccount, NewUser, NewWallet, Withdrawal};
use crate::domain::order::RequestBytes;
use crate::domain::{AccountId, AttemptResult, Outcome, Redaction, UserId, WalletId};

const API_KEY: &str = "sk/live+4f9a1c7752";
const WALLET_SECRET: &str = "ws:0c55e3\"b1d29";
const KEY: &str = "6f1c2a9e-2f6f-4c4e-8a39-5cf1f7a5d001";
const WALLET: &str = "2c9e3d66-1d3b-4bb7-8f43-6f2f5d1d7a10";
const TO: &str = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";

fn connection(base_url: &str) -> Connection {
    Connection {
        base_url: base_url.into(),
        api_key: API_KEY.into(),
        wallet_secret: Some(WALLET_SECRET.into()),
        redaction: Redaction::default(),
        limits: Limits::default(),
        wire_names: WireNames::default(),
        route: Route::default(),
    }
}

fn operator(base_url: &str) -> Operator {
    Operator::new(connection(base_url)).unwrap()
}

/// With limits that a test can wait for.
fn impatient_operator(base_url: &str) -> Operator {
    let limits = Limits { connect: Duration::from_secs(2), request: Duration::from_millis(200), ..Limits::default() };
    Operator::new(Connection { limits, ..connection(base_url) }).unwrap()
}

impl Operator {
    /// Sends frozen bytes of which nothing is known but what they say.
    async fn send_unchecked(&self, frozen: &RequestBytes) -> AttemptResult {
        // Of bytes that ask for nothing nothing is expected.
        let draft = decode(frozen, &self.wire_names).unwrap_or_else(|_| Draft::CreateUser(NewUser::default()));
        self.send_request(frozen, None, &expectation_of(&draft)).await
    }
}

/// What is expected of an answer by the words of a request alone.
fn expectation_of(draft: &Draft) -> ExpectedReport<'_> {
    ExpectedReport { draft, key: Some(Uuid::parse_str(KEY).unwrap()), sender: None, usual_fee: None }
}

fn request_bytes_of(draft: &Draft) -> RequestBytes {
    encode(draft, Uuid::parse_str(KEY).unwrap(), &WireNames::default())
}

fn payment_request() -> RequestBytes {
    request_bytes_of(&Draft::Withdraw(Withdrawal {
        wallet: WalletId::from_text(WALLET),
        blockchain: "ethereum".into(),
        token: "USDC".into(),
        amount: "25.50".into(),
        to: TO.into(),
        ref_id: Some("march-rent".into()),
        note: None,
        metadata: Metadata::default(),
    }))
}

fn new_user() -> RequestBytes {
    let email = Some("ada@example.com".into());
    request_bytes_of(&Draft::CreateUser(NewUser { email, display_name: Some("Ada Ferry".into()), ref_id: None }))
}

fn new_account() -> RequestBytes {
    request_bytes_of(&Draft::CreateAccount(NewAccount { name: "Treasury".into() }))
}

fn new_wallet() -> RequestBytes {
    request_bytes_of(&Draft::CreateWallet(NewWallet {
        account: AccountId::from_text("a3d0f6f2-6f0a-4f2e-9f0e-0d2c7a3b9e55"),
        blockchain: "polygon".into(),
        name: Some("polygon-ops".into()),
        ref_id: Some("ops".into()),
        user: Some(UserId::from_text("user-1")),
        auto_sweep: false,
    }))
}

/// The answer to `payment`, with its members as a service may write them.
fn success_answer(members: &str) -> String {
    format!(r#"{{"success":true,"data":{{{members}}}}}"#)
}

const PENDING_TRANSACTION: &str =
    r#""id":"tx-1","idempotencyKey":"6f1c2a9e-2f6f-4c4e-8a39-5cf1f7a5d001","status":"pending""#;

#[track_caller]
fn assert_outcome(answered: &AttemptResult, outcome: Outcome, status: Option<u16>, expected_text: &str) {
    assert_eq!((answered.outcome, answered.status), (outcome, status), "{answered:?}");
    assert!(answered.message.contains(expected_text), "“{}” lacks “{expected_text}”", answered.message);
}
