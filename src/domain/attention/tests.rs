use std::borrow::Cow;

use std::collections::HashSet;
use std::time::Duration;

use uuid::Uuid;

use super::*;
use crate::domain::address::ShortAddresses;
use crate::domain::address_names::{AddressFormatter, AddressNames};
use crate::domain::history::HistoryRow;
use crate::domain::order::ConsoleIdentity;
use crate::domain::settlement_times::StuckLimit;
use crate::domain::{Direction, ReportedAmount, Transaction, TransactionId, amount::Amount};

const NOW: Timestamp = Timestamp::from_millis(1_793_620_000_000);

fn by() -> ConsoleIdentity {
    ConsoleIdentity { user: "kim".into(), host: "desk".into(), run: Uuid::nil() }
}

fn ago(duration: Duration) -> Timestamp {
    Timestamp::from_millis(NOW.millis() - i64::try_from(duration.as_millis()).unwrap())
}

fn transaction(id: &str) -> Transaction {
    Transaction {
        id: TransactionId::from_text(id),
        direction: Direction::Outgoing,
        symbol: "USDC".into(),
        amount: Some(ReportedAmount::Exact(Amount::parse("23880.50", 6).unwrap())),
        to_address: Some("0x3f5CE5FBFe3E9af3971dD833D26bA9b5C936f0bE".into()),
        ref_id: Some("inv-2210".into()),
        ..Transaction::minimal("ethereum")
    }
}

fn row(id: &str, age: Duration) -> HistoryRow {
    let transaction = Transaction { created_at: Some(ago(age)), ..transaction(id) };
    HistoryRow {
        seq: 1,
        seen_at: NOW,
        time: transaction.reported_time().unwrap_or(NOW),
        transaction,
        wallet_name: None,
        suspicious: false,
        internal: false,
    }
}

fn items(findings: &HistoryFindings) -> Vec<AttentionItem> {
    items_unless_ours(findings, &|_| false)
}

fn items_unless_ours(findings: &HistoryFindings, is_ours: &dyn Fn(&Transaction) -> bool) -> Vec<AttentionItem> {
    let parties = AddressFormatter {
        names: &AddressNames::default(),
        short: Cow::Owned(ShortAddresses::new(findings.addresses())),
    };
    let mut items = history_items(findings, &parties, is_ours);
    items.extend(stuck_payment_items(findings, NOW, &parties));
    items
}

fn shortened(address: &Text) -> String {
    crate::domain::shorten_address(address)
}

#[test]
fn every_kind_has_a_code_and_words_of_its_own() {
    let codes: HashSet<&str> = AttentionKind::ALL.iter().map(|kind| kind.code()).collect();
    let labels: HashSet<&str> = AttentionKind::ALL.iter().map(|kind| kind.label()).collect();
    assert_eq!((codes.len(), labels.len()), (AttentionKind::ALL.len(), AttentionKind::ALL.len()));
    let mut sorted = AttentionKind::ALL;
    sorted.sort_by_key(|kind| kind.severity());
    assert_eq!(sorted.len(), AttentionKind::ALL.len());
}

#[test]
fn a_pending_payment_is_stuck_by_time_alone_and_says_what_is_usual() {
    let pending = |minutes: u64, usual| StuckCandidate {
        since: ago(Duration::from_mins(minutes)),
        transaction: transaction("t1"),
        limit: StuckLimit { after: Duration::from_hours(1), usual },
    };
    let items_for = |payment| items(&HistoryFindings { pending: vec![payment], ..HistoryFindings::default() });
    assert_eq!(items_for(pending(60, None)), []);
    let stuck = items_for(pending(150, Some(Duration::from_mins(12))));
    assert_eq!(
        stuck[0].subject,
        "out 23,880.5 USDC on Ethereum to 0x3f5CE5…c936f0bE, ref inv-2210: pending 2 h, 95 of 100 on Ethereum took up to \
         12 min"
            .replace("0x3f5CE5…c936f0bE", &shortened(&"0x3f5CE5FBFe3E9af3971dD833D26bA9b5C936f0bE".into()))
    );
    assert_eq!((stuck[0].kind, stuck[0].id.as_str()), (AttentionKind::StuckPayment, "stuck t1"));
    assert_eq!(stuck[0].target, AttentionTarget::Transactions("id:t1".into()));
    assert!(items_for(pending(61, None))[0].subject.ends_with("pending 61 min, more than 60 min is long on Ethereum"));
}

#[test]
fn the_gravest_and_newest_come_first() {
    let item = |kind, mark: &str, age| {
        AttentionItem::new(kind, mark, ago(Duration::from_mins(age)), "", AttentionTarget::Console)
    };
    let mut all = vec![
        item(AttentionKind::Dust, "a", 1),
        item(AttentionKind::FailedPayment, "b", 9),
        item(AttentionKind::StuckPayment, "c", 3),
        item(AttentionKind::UnresolvedOrder, "d", 90),
    ];
    sort_items(&mut all);
    let ids: Vec<&str> = all.iter().map(|item| item.id.as_str()).collect();
    assert_eq!(ids, ["unresolved d", "stuck c", "failed b", "dust a"]);
}

#[test]
fn an_acknowledgement_counts_for_its_occurrence_until_it_is_withdrawn() {
    let findings = HistoryFindings {
        failed: vec![row("t1", Duration::from_mins(5)), row("t2", Duration::from_mins(3))],
        ..HistoryFindings::default()
    };
    let all = items(&findings);
    let mut acknowledgements = Acknowledgements::default();
    let change = |note: Option<&str>| AcknowledgementChange { item: all[0].id.clone(), note: note.map(Text::clean) };
    assert_eq!(acknowledgements.count_open(&all), 2);
    acknowledgements.apply(change(Some("asked the bank")), NOW, by());
    assert_eq!(acknowledgements.count_open(&all), 1);
    assert_eq!(
        acknowledgements.find(&all[0].id).map(|acknowledgement| acknowledgement.note.as_str()),
        Some("asked the bank")
    );
    assert_eq!(acknowledgements.ended_item_ids(&all, |_| true).count(), 0, "it still stands");
    assert_eq!(acknowledgements.ended_item_ids(&all[1..], |_| true).collect::<Vec<_>>(), [&all[0].id]);
    assert_eq!(acknowledgements.ended_item_ids(&all[1..], |_| false).count(), 0, "nobody can tell");
    acknowledgements.apply(change(None), NOW, by());
    assert_eq!(acknowledgements.count_open(&all), 2);
}

#[test]
fn what_was_approved_here_is_neither_unusual_nor_a_first_payment() {
    let large = LargeRow { row: row("t1", Duration::ZERO), usual: Amount::parse("100", 6).unwrap(), samples: 40 };
    let findings = HistoryFindings {
        large: vec![large],
        first_paid: vec![row("t2", Duration::ZERO)],
        ..HistoryFindings::default()
    };
    assert_eq!(items(&findings).len(), 2);
    assert_eq!(items_unless_ours(&findings, &|_| true), []);
}
