use proptest::prelude::*;

use super::*;
use crate::domain::Status;

const NOW: Timestamp = Timestamp::from_millis(1_793_620_000_000);

fn times_of(row: &Transaction) -> RowTimes {
    RowTimes { seen_at: NOW, time: row.reported_time().unwrap_or(NOW) }
}

fn minutes_ago(minutes: u64) -> Timestamp {
    Timestamp::from_millis(NOW.millis() - i64::try_from(minutes).unwrap() * 60_000)
}

fn row(direction: Direction, units: &str, counterparty: &str, minutes: u64) -> Transaction {
    let other = Some(Text::clean(counterparty));
    let (from_address, to_address) = if direction == Direction::Outgoing { (None, other) } else { (other, None) };
    Transaction {
        direction,
        from_address,
        to_address,
        status: Some(Status::Success),
        created_at: Some(minutes_ago(minutes)),
        confirmed_at: Some(minutes_ago(minutes.saturating_sub(1))),
        amount: Some(ReportedAmount::Exact(Amount::parse(units, 6).unwrap())),
        ..Transaction::minimal("ethereum")
    }
}

/// Rows, the newest first, each a minute older than the one before.
fn summary(rows: &[Transaction]) -> RecentActivity {
    let mut activity = RecentActivity::default();
    for (back, row) in (0_i64..).zip(rows) {
        activity.add_row(1_000 - back, times_of(row), row, false, false, &FinalStatuses::default());
    }
    activity
}

fn notable(activity: &RecentActivity) -> NotableRows {
    activity.notable_rows(NOW, |address| address.as_str() == "own", |address| address.starts_with("fake"))
}

/// Thirty payments of 100 to one recipient.
fn ordinary_payments() -> Vec<Transaction> {
    (10..40).map(|minutes| row(Direction::Outgoing, "100", "supplier", minutes)).collect()
}

#[test]
fn what_failed_and_went_out_is_found_for_thirty_days() {
    let failed = |direction, minutes| Transaction {
        status: Some(Status::Failed),
        confirmed: Some(false),
        ..row(direction, "5", "x", minutes)
    };
    let notables = notable(&summary(&[
        failed(Direction::Outgoing, 1),
        failed(Direction::Incoming, 2),
        failed(Direction::Outgoing, 30 * 24 * 60 + 1),
    ]));
    assert_eq!(notables.failed, [RowMark { at: minutes_ago(1), seq: 1_000 }]);
}

#[test]
fn ten_times_the_median_and_twice_what_most_are_is_large() {
    let mut rows =
        vec![row(Direction::Outgoing, "1000", "supplier", 1), row(Direction::Outgoing, "999", "supplier", 2)];
    rows.extend(ordinary_payments());
    let large = notable(&summary(&rows)).large;
    assert_eq!(large.len(), 1);
    assert_eq!((large[0].row.seq, large[0].usual.to_string().as_str(), large[0].samples), (1_000, "100", 32));
    let few = summary(&rows[..15]);
    assert_eq!(notable(&few).large, [], "fifteen rows do not show what is usual");
}

#[test]
fn a_first_payment_of_at_least_the_usual_amount_is_found_unless_it_went_to_somebody_known() {
    let mut rows = ["new", "small", "own"].map(|to| row(Direction::Outgoing, "100", to, 5)).to_vec();
    rows[1].amount = Some(ReportedAmount::Exact(Amount::parse("99", 6).unwrap()));
    rows.extend(ordinary_payments());
    rows.push(row(Direction::Outgoing, "100", "supplier", 8 * 24 * 60));
    let first_paid = notable(&summary(&rows)).first_paid;
    assert_eq!(first_paid.iter().map(|(to, mark)| (to.as_str(), mark.seq)).collect::<Vec<_>>(), [("new", 1_000)]);
}

#[test]
fn a_movement_between_own_wallets_is_neither_large_nor_to_anybody() {
    let mut activity = RecentActivity::default();
    let large = row(Direction::Outgoing, "100000", "vault", 1);
    activity.add_row(2_000, times_of(&large), &large, false, true, &FinalStatuses::default());
    activity.merge_older(&summary(&ordinary_payments()));
    let notables = notable(&activity);
    assert_eq!((notables.large, notables.first_paid.len()), (Vec::new(), 1), "the supplier alone was paid");
}

#[test]
fn poison_is_found_by_address_and_by_token() {
    let mut activity = summary(&[
        row(Direction::Incoming, "0", "fake-supplier", 1),
        row(Direction::Incoming, "0.00001", "stranger", 2),
        row(Direction::Incoming, "0.00001", "customer", 3),
        row(Direction::Incoming, "50", "customer", 4),
    ]);
    let imitation = Transaction { token: TokenKey::new("base", Some("0x1")), ..row(Direction::Incoming, "9", "z", 5) };
    activity.add_row(7, times_of(&imitation), &imitation, true, false, &FinalStatuses::default());
    activity.add_row(6, times_of(&imitation), &imitation, true, false, &FinalStatuses::default());
    let notables = notable(&activity);
    let addresses = |rows: &[AddressRows]| rows.iter().map(|rows| rows.address.to_string()).collect::<Vec<_>>();
    assert_eq!(
        (addresses(&notables.look_alikes), addresses(&notables.dust)),
        (vec!["fake-supplier".into()], vec!["stranger".into()])
    );
    let at = minutes_ago(5);
    let rows = TokenRowSpan { oldest: RowMark { at, seq: 6 }, newest: RowMark { at, seq: 7 }, rows: 2 };
    assert_eq!(notables.imitations, [(imitation.token.clone(), rows)]);
    assert_eq!(notables.large, [], "an imitation is no money");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    /// However the rows are cut into stretches, the same rows are found.
    #[test]
    fn summaries_add_up(kinds in prop::collection::vec((0_u8..6, 1_u32..5_000), 1..80), cut in 0_usize..80) {
        let rows: Vec<Transaction> = kinds.iter().zip(0_u64..).map(|((kind, units), minutes)| {
            let to = ["supplier", "fake", "own", "new", "other", "stranger"][usize::from(*kind)];
            let direction = if kind % 2 == 0 { Direction::Outgoing } else { Direction::Incoming };
            let units = if *kind == 5 { "0".to_owned() } else { units.to_string() };
            let status = if units.ends_with('7') { Status::Failed } else { Status::Success };
            Transaction { status: Some(status), ..row(direction, &units, to, minutes) }
        }).collect();
        let whole = summary(&rows);
        let cut = cut.min(rows.len());
        let mut parts = [RecentActivity::default(), RecentActivity::default()];
        for (back, row) in (0_i64..).zip(&rows) {
            let part = usize::from(usize::try_from(back).unwrap() >= cut);
            parts[part].add_row(1_000 - back, times_of(row), row, false, false, &FinalStatuses::default());
        }
        let [mut newer, older] = parts;
        newer.merge_older(&older);
        prop_assert_eq!(notable(&newer), notable(&whole));
        prop_assert_eq!((newer.row_count(), newer.oldest_row_time()), (whole.row_count(), whole.oldest_row_time()));
        prop_assert_eq!(newer.settlement_times(), whole.settlement_times());
    }
}
