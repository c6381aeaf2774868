//! Orders to write down, and journals to write them in.

use std::path::Path;
use std::time::Duration;

use crate::domain::approval::ApprovalPolicy;

use ruint::aliases::U256;
use uuid::Uuid;

use crate::domain::draft::{Metadata, NewUser, Withdrawal};
use crate::domain::order::{
    Confirmation, ConsoleIdentity, DraftedOrder, HistoryLookup, OrderEnd, RequestBytes, SendReason, ServiceDestination,
};
use crate::domain::{
    Amount, AttemptResult, CreatedObject, Draft, FinalStatuses, Network, ObservedTransaction, Order, Outcome, Sender,
    Status, Timestamp, TokenKey, TransactionId, WalletId,
};
use crate::journal::{Journal, JournalError, JournalLocation, OpenedJournal};

pub(super) fn time_at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(1_790_000_000_000 + seconds * 1_000)
}

pub(super) fn console(run: u128) -> ConsoleIdentity {
    ConsoleIdentity { user: "ada".into(), host: "quay".into(), run: Uuid::from_u128(run) }
}

pub(super) fn try_open(folder: &Path) -> Result<OpenedJournal, JournalError> {
    Journal::open(&JournalLocation::Folder(folder.to_owned()), console(1))
}

pub(super) fn open_journal(folder: &Path) -> Journal {
    try_open(folder).unwrap().journal
}

pub(super) fn destination() -> ServiceDestination {
    ServiceDestination {
        profile: "harbour".into(),
        environment: Some(Network::Testnet),
        base_url: "https://api.example.com".into(),
        key_mark: "0123456789abcdef".into(),
    }
}

pub(super) fn withdrawal(amount: &str) -> DraftedOrder {
    let key = Uuid::new_v4();
    let to = "0x52908400098527886E0F7030069857D2E4169EE7";
    let draft = Draft::Withdraw(Withdrawal {
        wallet: WalletId::from_text("wallet-1"),
        blockchain: "ethereum".into(),
        token: "USDC".into(),
        amount: amount.into(),
        to: to.into(),
        ref_id: Some("rent-november".into()),
        note: None,
        metadata: Metadata::default(),
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
    let frozen = RequestBytes {
        operation: draft.operation(),
        method: "POST".into(),
        path: "/v2/transactions/withdraw".into(),
        body,
        key: Some(key),
    };
    let newest = vec![TransactionId::from_text("t-9"), TransactionId::from_text("t-8")];
    DraftedOrder {
        draft,
        sender: Some(sender),
        request: frozen,
        destination: destination(),
        anchors: newest.clone(),
        newest,
        template: None,
    }
}

pub(super) fn new_user() -> DraftedOrder {
    let draft = Draft::CreateUser(NewUser { email: None, display_name: Some("Ada".into()), ref_id: None });
    let frozen = RequestBytes {
        operation: draft.operation(),
        method: "POST".into(),
        path: "/v2/users".into(),
        body: "{\"displayName\":\"Ada\"}".into(),
        key: None,
    };
    DraftedOrder {
        draft,
        sender: None,
        request: frozen,
        destination: destination(),
        newest: Vec::new(),
        anchors: Vec::new(),
        template: None,
    }
}

pub(super) fn confirmation() -> Confirmation {
    Confirmation { typed: vec!["25".into()], findings: vec!["note: never paid before".into()], agreed: None }
}

pub(super) fn attempt_result(outcome: Outcome) -> AttemptResult {
    AttemptResult {
        outcome,
        status: None,
        message: "no answer came".into(),
        raw: None,
        created: None,
        differences: Vec::new(),
        cost_alarms: Vec::new(),
    }
}

pub(super) fn accepted_result() -> AttemptResult {
    AttemptResult {
        outcome: Outcome::Accepted,
        status: Some(201),
        message: "created".into(),
        raw: Some("{\"id\":\"t-10\"}".into()),
        created: Some(CreatedObject::Transaction(observed_transaction("pending"))),
        differences: Vec::new(),
        cost_alarms: Vec::new(),
    }
}

pub(super) fn observed_transaction(status: &str) -> ObservedTransaction {
    ObservedTransaction {
        transaction: Some(TransactionId::from_text("t-10")),
        status: Some(Status::from_word(status)),
        confirmed: None,
        confirmed_at: None,
        confirmation: Some(3),
        tx_hash: None,
        swap: None,
    }
}

pub(super) fn lookup_with_transaction(status: &str) -> HistoryLookup {
    HistoryLookup { observed: Some(observed_transaction(status)), ..HistoryLookup::default() }
}

pub(super) fn empty_lookup(covers: bool) -> HistoryLookup {
    HistoryLookup { is_complete: covers, ..HistoryLookup::default() }
}

/// An order that was confirmed at a second.
pub(super) fn confirmed_order(journal: &Journal, seconds: i64) -> Order {
    let intent = journal.record_draft(withdrawal("25"), time_at(seconds)).unwrap();
    journal.record_confirmation(intent.id, confirmation(), time_at(seconds + 1)).unwrap();
    journal.order(intent.id).unwrap()
}

/// A journal with one order in every state, in a folder that it has left.
pub(super) fn folder_with_every_state() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let journal = open_journal(folder.path());
    journal.record_draft(withdrawal("1"), time_at(0)).unwrap();
    let given_up = journal.record_draft(new_user(), time_at(5)).unwrap().id;
    journal.record_end(given_up, OrderEnd::Abandoned(None), time_at(6)).unwrap();
    let send = |seconds| {
        let id = confirmed_order(&journal, seconds).id;
        drop(
            journal
                .permit_send(
                    id,
                    SendReason::Confirmed,
                    &destination(),
                    time_at(seconds + 2),
                    time_at(seconds + 22),
                    None,
                    &ApprovalPolicy::default(),
                )
                .unwrap(),
        );
        id
    };
    let settled = send(10);
    journal.record_answer(settled, 1, accepted_result(), time_at(13)).unwrap();
    journal
        .record_lookup(settled, lookup_with_transaction("success"), None, &FinalStatuses::default(), time_at(20))
        .unwrap();
    journal.record_end(settled, OrderEnd::Settled, time_at(20)).unwrap();
    let refused = send(30);
    journal.record_answer(refused, 1, attempt_result(Outcome::Refused), time_at(33)).unwrap();
    let unknown = send(40);
    journal.record_answer(unknown, 1, attempt_result(Outcome::Unknown), time_at(60)).unwrap();
    drop(
        journal
            .permit_send(
                unknown,
                SendReason::Retry,
                &destination(),
                time_at(70),
                time_at(90),
                None,
                &ApprovalPolicy::default(),
            )
            .unwrap(),
    );
    journal
        .record_answer(
            unknown,
            2,
            attempt_result(Outcome::ProbablyRefused { wait: Some(Duration::from_secs(9)) }),
            time_at(71),
        )
        .unwrap();
    journal.record_lookup(unknown, empty_lookup(true), None, &FinalStatuses::default(), time_at(100)).unwrap();
    let written_off = send(110);
    journal.record_end(written_off, OrderEnd::WrittenOff("paid by hand".into()), time_at(200)).unwrap();
    confirmed_order(&journal, 210);
    send(220);
    folder
}

/// Every intent of a journal.
pub(super) fn all_orders(journal: &Journal) -> Vec<Order> {
    journal.orders(&destination(), usize::MAX).unwrap()
}

/// Numbers that look random and are the same in every run.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    /// A number below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % u64::try_from(end).unwrap()).unwrap()
    }
}
