use std::collections::BTreeSet;

use uuid::Uuid;

use super::standing::ReceiptStanding as Standing;
use super::*;
use crate::domain::address_names::AddressNames;
use crate::domain::approval::{SignedStatement, StatementKind};
use crate::domain::draft::{Batch, Metadata, Recipient, Sender};
use crate::domain::order::{
    ConsoleIdentity, DraftedOrder, EventStamp, OrderApproval, OrderEnd, RequestBytes, ServiceDestination,
};
use crate::domain::{
    Amount, Draft, FinalStatuses, Operation, PriceHistory, ReportedAmount, Status, Timestamp, TokenKey, Transaction,
    TransactionId, WalletId,
};

const NOW: Timestamp = Timestamp::from_millis(1_790_000_000_000);
const CREW: [&str; 2] = ["0x52908400098527886E0F7030069857D2E4169EE7", "0xde709f2102306220921060314715629080e2fb77"];

fn row(seq: i64, direction: Direction, status: Status) -> HistoryRow {
    let amount = Amount::parse("25.5", 6).ok().map(ReportedAmount::Exact);
    let transaction = Transaction {
        id: TransactionId::from_text(&format!("t-{seq}")),
        direction,
        status: Some(status),
        symbol: "USDC".into(),
        token: TokenKey::new("ethereum", Some("0xa0b8")),
        amount: amount.clone(),
        total_amount: amount,
        from_address: Some(CREW[0].into()),
        to_address: Some(CREW[1].into()),
        tx_hash: Some("0xfeed".into()),
        confirmed_at: Some(NOW),
        ..Transaction::minimal("ethereum")
    };
    HistoryRow { seq, seen_at: NOW, time: NOW, transaction, wallet_name: None, suspicious: false, internal: false }
}

fn batch() -> Order {
    let to = CREW.iter().map(|address| Recipient {
        address: (*address).into(),
        amount: "2.5".into(),
        label: None,
        reference: None,
        line: None,
    });
    let draft = Draft::Batch(Batch {
        wallet: WalletId::from_text("w"),
        blockchain: "ethereum".into(),
        token: "USDC".into(),
        to: to.collect(),
        ref_id: Some("PAY/2026".into()),
        note: None,
        file: None,
        metadata: Metadata::default(),
        queue: None,
    });
    let request = RequestBytes {
        operation: Operation::Batch,
        method: "POST".into(),
        path: "/v2/x".into(),
        body: "{}".into(),
        key: Some(Uuid::from_u128(2)),
    };
    let destination = ServiceDestination {
        profile: "harbour".into(),
        environment: None,
        base_url: "https://api.example.com".into(),
        key_mark: "01".into(),
    };
    let sender = Sender {
        name: None,
        address: None,
        account: None,
        user: None,
        token: TokenKey::new("ethereum", Some("0xa0b8")),
        amount: Amount::parse("5", 6).unwrap(),
    };
    let drafted = DraftedOrder {
        draft,
        sender: Some(sender),
        request,
        destination,
        newest: Vec::new(),
        anchors: Vec::new(),
        template: None,
    };
    Order::new(OrderId(Uuid::from_u128(3)), stamp(), drafted)
}

fn stamp() -> EventStamp {
    EventStamp { at: NOW, by: ConsoleIdentity { user: "ada".into(), host: "quay".into(), run: Uuid::nil() } }
}

fn receipt(order: Option<&Order>, rows: &[HistoryRow], recipient: Option<u32>) -> Receipt {
    let rows: Vec<&HistoryRow> = rows.iter().collect();
    let facts = ReceiptFacts {
        business: &"Harbour".into(),
        order,
        rows: &rows,
        recipient,
        names: &AddressNames::default(),
        listed_tokens: &[],
        prices: &PriceHistory::default(),
        statuses: &FinalStatuses::default(),
        now: NOW,
    };
    facts.receipt().unwrap()
}

fn value(receipt: &Receipt, name: &str) -> Option<String> {
    let mut fields = receipt.sections.iter().flat_map(|section| &section.fields);
    fields.find(|field| field.name == name).unwrap_or_else(|| panic!("no {name}")).value.clone()
}

#[test]
fn only_what_is_settled_is_a_receipt() {
    let document = receipt(None, &[row(1, Direction::Outgoing, Status::Success)], None);
    assert_eq!((document.title(), document.standing), ("Receipt", Standing::Settled));
    assert!(document.outcome.starts_with("The service reported this payment as settled at 20"), "{}", document.outcome);
    assert_eq!(value(&document, "amount").as_deref(), Some("25.5 USDC"));
    assert_eq!(value(&document, "counterparty_address").as_deref(), Some(CREW[1]));
    assert_eq!(value(&document, "hash").as_deref(), Some("0xfeed"));
    assert!(document.proof[0].contains("hash can be checked"), "{:?}", document.proof);
    for (status, title) in [(Status::Pending, "Payment pending"), (Status::Failed, "Payment failed")] {
        let document = receipt(None, &[row(1, Direction::Outgoing, status)], None);
        assert_eq!(document.title(), title);
        assert!(document.proof[0].starts_with("This is not a receipt"), "{:?}", document.proof);
        assert_eq!(value(&document, "settled_at"), None);
    }
    let imitation = HistoryRow { suspicious: true, ..row(1, Direction::Incoming, Status::Success) };
    let document = receipt(None, &[imitation], None);
    assert_eq!((document.title(), document.warnings.len()), ("Transaction of an imitation token", 1));
}

#[test]
fn a_deposit_is_paid_by_the_other_side() {
    let document = receipt(None, &[row(1, Direction::Incoming, Status::Success)], None);
    assert_eq!(value(&document, "counterparty_address").as_deref(), Some(CREW[0]));
    assert_eq!(document.sections[0].fields[1].name, "counterparty_address");
    assert_eq!(value(&document, "wallet_address").as_deref(), Some(CREW[1]));
}

#[test]
fn what_the_journal_and_the_history_say_must_agree() {
    let whole = |status| {
        let mut row = row(1, Direction::Outgoing, status);
        row.transaction.to_address = None;
        vec![row]
    };
    let mut order = batch();
    assert_eq!(receipt(Some(&order), &[], None).standing, Standing::NotSent);
    let mut titles = BTreeSet::new();
    for (end, rows, expected) in [
        (OrderEnd::Settled, vec![], Standing::Settled),
        (OrderEnd::Settled, whole(Status::Success), Standing::Settled),
        (OrderEnd::Settled, whole(Status::Failed), Standing::Contradicted),
        (OrderEnd::Failed, whole(Status::Failed), Standing::Failed),
        (OrderEnd::Failed, whole(Status::Success), Standing::Contradicted),
        (OrderEnd::PartlySettled, vec![], Standing::PartlySettled),
        (OrderEnd::WrittenOff("lost".into()), vec![], Standing::WrittenOff),
        (OrderEnd::WrittenOff("lost".into()), whole(Status::Success), Standing::Contradicted),
    ] {
        order.end = Some((stamp(), end));
        let receipt = receipt(Some(&order), &rows, None);
        assert_eq!(receipt.standing, expected, "{:?} {rows:?}", order.end);
        titles.insert(receipt.title());
    }
    assert_eq!(titles.len(), 5, "each has a title of its own: {titles:?}");
}

#[test]
fn a_recipient_of_a_batch_is_told_of_nobody_else() {
    let mut order = batch();
    order.end = Some((stamp(), OrderEnd::Settled));
    let all = receipt(Some(&order), &[], None);
    assert_eq!(value(&all, "amount").as_deref(), Some("5 USDC"));
    assert_eq!(all.recipients.iter().map(|to| to.address.as_str()).collect::<Vec<_>>(), CREW);
    let one = receipt(Some(&order), &[], Some(1));
    assert_eq!(value(&one, "amount").as_deref(), Some("2.5 USDC"));
    assert!(one.recipients.is_empty() && !format!("{one:?}").contains(CREW[0]), "{one:#?}");
    assert_eq!(value(&one, "counterparty_address").as_deref(), Some(CREW[1]));
    // Where it went wrong for some, nobody is told that he was paid.
    order.end = Some((stamp(), OrderEnd::PartlySettled));
    assert_eq!(receipt(Some(&order), &[], Some(1)).standing, Standing::Unknown);
}

#[test]
fn what_pays_nobody_has_no_receipt() {
    let swap =
        Transaction { sub_type: Some(SubType::Swap), ..row(1, Direction::Outgoing, Status::Success).transaction };
    let swap = HistoryRow { transaction: swap, ..row(1, Direction::Outgoing, Status::Success) };
    assert!(ReceiptSubject::default().of_row(&swap, None).is_err());
    let order = batch();
    // The row of one recipient has a receipt of its own, that of the whole batch is the order's.
    let mut row = row(1, Direction::Outgoing, Status::Success);
    let subject = |row: &HistoryRow| ReceiptSubject::default().of_row(row, Some(&order)).unwrap();
    assert_eq!(subject(&row).row, Some(1));
    row.transaction.to_address = None;
    assert_eq!(subject(&row).order.unwrap().id, order.id);
}

#[test]
fn a_reference_makes_a_plain_part_of_a_file_name() {
    for (text, word) in [
        ("INV-2210", "INV-2210"),
        ("../../etc/passwd", "etc-passwd"),
        ("..", "payment"),
        ("Überweisung 7", "berweisung-7"),
        ("", "payment"),
    ] {
        assert_eq!(file_word(text), word, "{text}");
    }
    let subject = ReceiptSubject::default().of_order(&batch(), Some(1)).unwrap();
    assert_eq!(subject.file_word(), "PAY-2026-2");
}

#[test]
fn a_receipt_names_who_proposed_and_who_approved() {
    let plain = receipt(Some(&batch()), &[], None);
    assert!(plain.sections.iter().all(|section| section.title != "Approvals"), "nobody had to approve it");
    let signed = |kind, person: &str| {
        let statement = SignedStatement {
            kind,
            signature: String::new(),
            principal: person.into(),
            key: "SHA256:x".into(),
            reason: None,
        };
        (NOW, statement)
    };
    let statements = vec![
        signed(StatementKind::Propose, "anna"),
        signed(StatementKind::Approve, "bert"),
        signed(StatementKind::Approve, "carla"),
    ];
    let approval = Some(OrderApproval { file: String::new(), is_drafted_here: true, statements });
    let approved = receipt(Some(&Order { approval, ..batch() }), &[], None);
    let at = NOW.format("%Y-%m-%d %H:%M:%S UTC");
    assert_eq!(value(&approved, "proposed_by"), Some(format!("anna, {at}")));
    assert_eq!(value(&approved, "approved_by"), Some(format!("bert, {at}; carla, {at}")));
    assert_eq!(value(&approved, "refused_by"), None);
}
