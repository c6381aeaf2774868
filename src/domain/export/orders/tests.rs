use super::*;
use crate::domain::draft::{Batch, BatchFile, Metadata, Recipient};
use crate::domain::order::HistoryLookup;
use crate::domain::outcome::RecipientObservation;
use crate::domain::{Draft, ObservedTransaction, Status, WalletId};
use crate::orders::fixtures::{ago, order as ordered, usdc_amount};

fn cell<'a>(line: &'a [Cell], name: &str) -> Option<&'a str> {
    let at = ORDER_COLUMNS.iter().position(|column| *column == name).unwrap();
    line[at].as_deref()
}

#[test]
fn a_batch_has_a_line_for_each_recipient_and_any_other_order_has_one() {
    let mut intent = ordered(1, 9, None);
    let lines = recipient_rows(&intent, ago(0), &AddressNames::default());
    assert_eq!((lines.len(), lines[0].len()), (1, ORDER_COLUMNS.len()));
    assert_eq!((cell(&lines[0], "amount"), cell(&lines[0], "recipient")), (Some("25"), None));
    let to = |address: &str, amount: &str, label: Option<&str>| Recipient {
        address: address.into(),
        amount: amount.into(),
        label: label.map(Into::into),
        reference: label.map(|_| "INV-7".into()),
        line: None,
    };
    intent.drafted.draft = Draft::Batch(Batch {
        wallet: WalletId::from_text("w"),
        blockchain: "base".into(),
        token: "USDC".into(),
        to: vec![to("0x1", "24.5", Some("Ada")), to("0x2", "0.5", None)],
        ref_id: Some("B1".into()),
        note: None,
        file: Some(BatchFile { name: "pay.csv".into(), sha256: "ab".into() }),
        metadata: Metadata::default(),
        queue: None,
    });
    intent.drafted.sender.as_mut().unwrap().amount = usdc_amount("25");
    let observed = ObservedTransaction { status: Some(Status::Failed), ..ObservedTransaction::default() };
    let parts = vec![RecipientObservation { recipient: 1, observed: observed.clone() }];
    intent.lookups.push((
        ago(1),
        HistoryLookup { observed: Some(observed), recipient_reports: parts, ..HistoryLookup::default() },
    ));
    let lines = recipient_rows(&intent, ago(0), &AddressNames::default());
    let cells = |name| lines.iter().map(|line| cell(line, name).unwrap_or("—")).collect::<Vec<_>>();
    assert!(lines.iter().all(|line| line.len() == ORDER_COLUMNS.len()));
    assert_eq!(cells("to"), ["0x1", "0x2"]);
    assert_eq!(cells("amount"), ["24.5", "0.5"]);
    assert_eq!(cells("amount_raw"), ["24500000", "500000"]);
    assert_eq!(cells("recipient"), ["1 of 2", "2 of 2"]);
    assert_eq!(cells("label"), ["Ada", "—"]);
    assert_eq!(cells("recipient_reference"), ["INV-7", "—"]);
    assert_eq!(cells("recipient_status"), ["—", "failed"]);
    assert_eq!(cells("ref_id"), ["B1", "B1"]);
    assert_eq!(cells("batch_file"), ["pay.csv", "pay.csv"]);
    assert_eq!(cells("order"), [intent.id.to_string(), intent.id.to_string()]);
}
