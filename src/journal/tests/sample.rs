//! Orders to write down, and journals to write them in.

use std::path::Path;

use ruint::aliases::U256;
use uuid::Uuid;

use crate::domain::draft::{NewUser, Withdrawal};
use crate::domain::intent::{Confirmation, Console, Destination, Drafted, Frozen, Look};
use crate::domain::{
    Amount, Answered, Draft, Intent, Made, Outcome, Seen, Sender, Status, Timestamp, TokenKey, TransactionId, WalletId,
};
use crate::journal::{Journal, JournalError, Opened, Place};

pub(super) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(1_790_000_000_000 + seconds * 1_000)
}

pub(super) fn console(run: u128) -> Console {
    Console { user: "ada".into(), host: "quay".into(), run: Uuid::from_u128(run) }
}

pub(super) fn try_open(folder: &Path) -> Result<Opened, JournalError> {
    Journal::open(&Place::Folder(folder.to_owned()), console(1))
}

pub(super) fn open(folder: &Path) -> Journal {
    try_open(folder).unwrap().journal
}

pub(super) fn destination() -> Destination {
    Destination {
        profile: "harbour".into(),
        environment: Some("testnet".into()),
        base_url: "https://api.example.com".into(),
        key_mark: "0123456789abcdef".into(),
    }
}

pub(super) fn withdrawal(amount: &str) -> Drafted {
    let key = Uuid::new_v4();
    let to = "0x52908400098527886E0F7030069857D2E4169EE7";
    let draft = Draft::Withdraw(Withdrawal {
        wallet: WalletId::read("wallet-1"),
        blockchain: "ethereum".into(),
        token: "USDC".into(),
        amount: amount.into(),
        to: to.into(),
        ref_id: Some("rent-november".into()),
        note: None,
    });
    let sender = Sender {
        name: Some("Treasury".into()),
        address: Some("0xde709f2102306220921060314715629080e2fb77".into()),
        account: None,
        user: None,
        token: TokenKey::new("ethereum", Some("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48")),
        amount: Amount::parse(amount, 6).unwrap_or(Amount::new(U256::from(1), 6).unwrap()),
    };
    let body = format!("{{\"amount\":\"{amount}\",\"idempotencyKey\":\"{key}\",\"toAddress\":\"{to}\"}}");
    let frozen = Frozen {
        operation: draft.operation(),
        method: "POST".into(),
        path: "/v2/transactions/withdraw".into(),
        body,
        key: Some(key),
    };
    let newest = vec![TransactionId::read("t-9"), TransactionId::read("t-8")];
    Drafted { draft, sender: Some(sender), frozen, destination: destination(), newest }
}

pub(super) fn new_user() -> Drafted {
    let draft = Draft::CreateUser(NewUser { email: None, display_name: Some("Ada".into()), ref_id: None });
    let frozen = Frozen {
        operation: draft.operation(),
        method: "POST".into(),
        path: "/v2/users".into(),
        body: "{\"displayName\":\"Ada\"}".into(),
        key: None,
    };
    Drafted { draft, sender: None, frozen, destination: destination(), newest: Vec::new() }
}

pub(super) fn confirmation() -> Confirmation {
    Confirmation { typed: vec!["25".into()], findings: vec!["note: never paid before".into()] }
}

pub(super) fn answered(outcome: Outcome) -> Answered {
    Answered { outcome, status: None, said: "no answer came".into(), raw: None, made: None, differences: Vec::new() }
}

pub(super) fn accepted() -> Answered {
    Answered {
        outcome: Outcome::Accepted,
        status: Some(201),
        said: "created".into(),
        raw: Some("{\"id\":\"t-10\"}".into()),
        made: Some(Made::Transaction(seen("pending"))),
        differences: Vec::new(),
    }
}

pub(super) fn seen(status: &str) -> Seen {
    Seen {
        transaction: Some(TransactionId::read("t-10")),
        status: Some(Status::read(status)),
        confirmed: None,
        confirmed_at: None,
        confirmation: Some(3),
        tx_hash: None,
    }
}

pub(super) fn found(status: &str) -> Look {
    Look { found: Some(seen(status)), resembles: None, covers: false }
}

pub(super) fn nothing_found(covers: bool) -> Look {
    Look { found: None, resembles: None, covers }
}

/// An order that was confirmed at a second.
pub(super) fn confirmed(journal: &Journal, seconds: i64) -> Intent {
    let intent = journal.draft(withdrawal("25"), at(seconds)).unwrap();
    journal.confirm(intent.id, confirmation(), at(seconds + 1)).unwrap();
    journal.intent(intent.id).unwrap()
}
