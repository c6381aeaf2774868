//! What the format promises: newer fields are left alone, what cannot be understood is refused.

use std::path::Path;

use crate::domain::approval::ApprovalPolicy;

use rusqlite::{Connection, TransactionBehavior};

use super::fixtures::{
    accepted_result, confirmed_order, console, destination, lookup_with_transaction, open_journal, time_at, try_open,
    withdrawal,
};
use crate::domain::draft::{
    Batch, BatchFile, Draft, InstantSwap, Metadata, NewAddress, NewSandboxAddress, Recipient, SimulatedDeposit, Swap,
    V1Payment,
};
use crate::domain::order::{DraftedOrder, OrderEnd, OrderState, SendReason, ServiceDestination};
use crate::domain::template::{TemplateId, TemplateUse};
use crate::domain::{FinalStatuses, UserId, WalletId};
use crate::journal::hash_chain::ChainHead;
use crate::journal::record::Record;
use crate::journal::{JournalError, JournalSnapshot, schema, verify};

/// Adds a record as another version of the program might, with its place in the chain right.
fn append_record(folder: &Path, kind: &str, body: impl FnOnce(&str) -> String) {
    let mut connection = Connection::open(folder.join("journal.sqlite")).unwrap();
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).unwrap();
    let head = schema::read_head(&transaction).unwrap();
    let mut last = None;
    JournalSnapshot::open(folder)
        .unwrap()
        .records(|record| {
            last = Some(record);
            std::ops::ControlFlow::Continue(())
        })
        .unwrap();
    let last = last.unwrap();
    let mut record = Record {
        seq: head.seq + 1,
        at: time_at(50),
        by: console(9),
        kind: kind.to_owned(),
        body: body(&last.body),
        prev_hash: head.hash,
        hash: [0; 32],
        ..last
    };
    record.hash = record.expected_hash();
    record.write(&transaction).unwrap();
    schema::set_head(&transaction, &ChainHead { seq: record.seq, hash: record.hash }).unwrap();
    transaction.commit().unwrap();
}

pub(super) fn format_of(folder: &Path) -> i64 {
    let file = Connection::open(folder.join("journal.sqlite")).unwrap();
    file.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
}

/// One of every draft that an older version does not know, and the format that has it.
fn newer_drafts() -> Vec<(Draft, i64)> {
    let drafted = withdrawal("25");
    let Draft::Withdraw(withdrawal) = drafted.draft.clone() else { panic!("no withdrawal") };
    vec![
        (
            Draft::SimulateDeposit(SimulatedDeposit {
                token: "USDC".into(),
                blockchain: "ethereum".into(),
                amount: "25".into(),
                to: "0xde709f2102306220921060314715629080e2fb77".into(),
            }),
            2,
        ),
        (
            Draft::CreateAddress(NewAddress {
                sub_wallet: UserId::from_text("user-1"),
                coin: "USDC".into(),
                chain: "ethereum".into(),
            }),
            3,
        ),
        (
            Draft::Swap(Swap {
                wallet: WalletId::from_text("wallet-1"),
                blockchain: "base".into(),
                from: "USDC".into(),
                amount: "25".into(),
                to: "ETH".into(),
                ref_id: None,
                note: None,
            }),
            4,
        ),
        (
            Draft::InstantSwap(InstantSwap {
                sub_wallet: UserId::from_text("user-1"),
                from: "USDC".into(),
                amount: "25".into(),
                to: "ETH".into(),
                ext_id: Some("swap-1".into()),
            }),
            4,
        ),
        (Draft::Payment(V1Payment { withdrawal, fee: Some("0.1".into()), memo: Some("7".into()) }), 4),
        (batch(&drafted), 4),
        (Draft::CreateSandboxAddress(NewSandboxAddress { coin: "USDC".into(), chain: "base".into() }), 4),
    ]
}

#[test]
fn what_is_new_raises_the_format_and_a_payment_does_not() {
    for (draft, needed_format) in newer_drafts() {
        let folder = tempfile::tempdir().unwrap();
        let journal = open_journal(folder.path());
        journal.record_draft(withdrawal("25"), time_at(0)).unwrap();
        assert_eq!(format_of(folder.path()), 1);
        let operation = draft.operation();
        let mut drafted = DraftedOrder { draft, ..withdrawal("25") };
        drafted.request.operation = operation;
        if !operation.moves_money() {
            drafted.sender = None;
        }
        let id = journal.record_draft(drafted.clone(), time_at(1)).unwrap().id;
        assert_eq!(format_of(folder.path()), needed_format, "{operation:?}");
        // What was new once does not make it older again.
        journal.record_draft(withdrawal("26"), time_at(2)).unwrap();
        assert_eq!(format_of(folder.path()), needed_format, "{operation:?}");
        drop(journal);
        assert_eq!(open_journal(folder.path()).order(id).unwrap().drafted, drafted);
    }
}

/// Where a profile stood, and what was said of it, is new in the newest format; what is done at one address needs none of
/// it.
#[test]
fn a_base_address_that_changes_raises_the_format() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open_journal(folder.path());
    journal.record_draft(withdrawal("25"), time_at(0)).unwrap();
    journal.record_profile_address(&destination(), time_at(1)).unwrap();
    assert_eq!(format_of(folder.path()), 1);
    let renamed = ServiceDestination { profile: "quay".into(), ..destination() };
    journal.record_profile_address(&renamed, time_at(2)).unwrap();
    assert_eq!(format_of(folder.path()), 5);
    let records = verify(folder.path()).unwrap().records;
    journal.record_profile_address(&renamed, time_at(3)).unwrap();
    assert_eq!(verify(folder.path()).unwrap().records, records, "it is recorded once");
}

/// The field that names an order's template is ignored by older versions, and so needs no newer format.
#[test]
fn an_order_made_from_a_template_says_so_and_raises_no_format() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open_journal(folder.path());
    let due = "2026-11-30".parse().ok();
    let template = Some(TemplateUse { template: TemplateId(7), name: "Rent".into(), due });
    let drafted = DraftedOrder { template, ..withdrawal("25") };
    let id = journal.record_draft(drafted.clone(), time_at(0)).unwrap().id;
    assert_eq!(format_of(folder.path()), 1);
    drop(journal);
    assert_eq!(open_journal(folder.path()).order(id).unwrap().drafted, drafted);
}

/// An end that an older version does not know.
#[test]
fn what_settled_in_part_raises_the_format() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open_journal(folder.path());
    let id = confirmed_order(&journal, 0).id;
    drop(
        journal
            .permit_send(
                id,
                SendReason::Confirmed,
                &destination(),
                time_at(2),
                time_at(22),
                None,
                &ApprovalPolicy::default(),
            )
            .unwrap(),
    );
    journal.record_answer(id, 1, accepted_result(), time_at(3)).unwrap();
    journal.record_lookup(id, lookup_with_transaction("success"), None, &FinalStatuses::default(), time_at(4)).unwrap();
    assert_eq!(format_of(folder.path()), 1);
    journal.record_end(id, OrderEnd::PartlySettled, time_at(5)).unwrap();
    assert_eq!(format_of(folder.path()), 4);
    drop(journal);
    assert_eq!(open_journal(folder.path()).order(id).unwrap().state(time_at(6)), OrderState::PartlySettled);
}

/// A batch to two, from a file.
fn batch(drafted: &DraftedOrder) -> Draft {
    let Draft::Withdraw(withdrawal) = drafted.draft.clone() else { unreachable!() };
    let recipient = |amount: &str, line| Recipient {
        address: withdrawal.to.clone(),
        amount: amount.into(),
        label: Some("Ada".into()),
        reference: None,
        line: Some(line),
    };
    Draft::Batch(Batch {
        wallet: withdrawal.wallet.clone(),
        blockchain: withdrawal.blockchain.clone(),
        token: withdrawal.token.clone(),
        to: vec![recipient("20", 2), recipient("5", 4)],
        ref_id: None,
        note: None,
        file: Some(BatchFile { name: "pay.csv".into(), sha256: "ab12".into() }),
        metadata: Metadata::default(),
        queue: None,
    })
}

#[test]
fn fields_of_a_newer_version_are_left_alone_and_stay() {
    let folder = tempfile::tempdir().unwrap();
    let id = open_journal(folder.path()).record_draft(withdrawal("25"), time_at(0)).unwrap().id;
    let newer = r#"{"v":2,"typed":["25"],"findings":[],"witness":{"user":"grace"}}"#;
    append_record(folder.path(), "confirmed", |_| newer.to_owned());
    let journal = open_journal(folder.path());
    assert_eq!(&*journal.order(id).unwrap().confirmed.unwrap().1.typed[0], "25");
    confirmed_order(&journal, 60);
    drop(journal);
    assert_eq!(verify(folder.path()).unwrap().faults, []);
    let mut bodies = Vec::new();
    let collect = |record: Record| {
        bodies.push(record.body);
        std::ops::ControlFlow::Continue(())
    };
    JournalSnapshot::open(folder.path()).unwrap().records(collect).unwrap();
    assert_eq!(bodies[1], newer);
}

#[test]
fn what_is_not_understood_is_refused_and_not_called_damage_of_the_file() {
    type Body = fn(&str) -> String;
    let cases: [(&str, Body); 3] = [
        ("witnessed", |_| r#"{"v":2}"#.to_owned()),
        ("drafted", |body| body.replace("\"operation\":\"withdraw\"", "\"operation\":\"lend\"")),
        ("ended", |_| r#"{"v":2,"end":"settled-by-court"}"#.to_owned()),
    ];
    for (kind, body) in cases {
        let folder = tempfile::tempdir().unwrap();
        let journal = open_journal(folder.path());
        journal.record_draft(withdrawal("25"), time_at(0)).unwrap();
        append_record(folder.path(), kind, body);
        // A console that is open meets it too, and then neither pays nor shows orders that it may have wrong.
        let error = journal.record_draft(withdrawal("26"), time_at(60)).unwrap_err();
        assert!(matches!(error, JournalError::NotUnderstood { record: 2 }), "{kind}: {error}");
        drop(journal);
        let refused = try_open(folder.path()).err().unwrap();
        assert!(matches!(refused, JournalError::NotUnderstood { record: 2 }), "{kind}: {refused}");
        assert!(refused.to_string().contains("use the newer version"));
        let fault = &verify(folder.path()).unwrap().faults[0];
        assert_eq!((fault.record, fault.message.contains("does not understand")), (Some(2), true), "{kind}");
    }
}

#[test]
fn what_could_not_happen_is_found_when_the_journal_is_verified() {
    for (kind, body, expected) in [
        ("confirmed", r#"{"v":1,"typed":[],"findings":[]}"#, "already confirmed"),
        ("sending", r#"{"v":1,"attempt":2,"because":"confirmed","gives_up_at":9}"#, "the next number"),
        ("answered", r#"{"v":1,"attempt":1,"answer":{"outcome":"accepted","said":""}}"#, "no such attempt"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        confirmed_order(&open_journal(folder.path()), 0);
        append_record(folder.path(), kind, |_| body.to_owned());
        let faults = verify(folder.path()).unwrap().faults;
        assert!(faults[0].record == Some(3) && faults[0].message.contains(expected), "{kind}: {faults:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    open_journal(folder.path()).record_draft(withdrawal("25"), time_at(0)).unwrap();
    append_record(folder.path(), "drafted", str::to_owned);
    assert!(verify(folder.path()).unwrap().faults[0].message.contains("already exists"));
    assert!(try_open(folder.path()).err().unwrap().is_damage());
}
