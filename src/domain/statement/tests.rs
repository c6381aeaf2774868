use proptest::prelude::*;

use super::*;
use crate::domain::history::HistoryRow;
use crate::domain::report::{LineLevel, ReportCell};
use crate::domain::{BalanceDelta, Direction, FinalStatuses, ReportedAmount, Status, SubType, Transaction};

/// The twelve months of 2026.
fn months() -> Vec<Period> {
    (1..=12).map(|month| Period::parse_month(&format!("2026-{month:02}")).unwrap()).collect()
}

fn reported_amount(raw: u64) -> Option<ReportedAmount> {
    Amount::new(U256::from(raw), 6).map(ReportedAmount::Exact)
}

fn row(account: u8, outgoing: bool, status: Status, amount: u64, fee: u64, at: Option<i64>) -> Transaction {
    Transaction {
        direction: if outgoing { Direction::Outgoing } else { Direction::Incoming },
        sub_type: Some(if outgoing { SubType::Withdraw } else { SubType::Deposit }),
        status: Some(status),
        amount: reported_amount(amount),
        total_amount: reported_amount(amount + if outgoing { fee } else { 0 }),
        total_fee: reported_amount(fee),
        fee_token: Some("ETH".into()),
        created_at: at.map(Timestamp::from_millis),
        account: Some(AccountId::from_text(&format!("a-{account}"))),
        ..Transaction::minimal("base")
    }
}

fn history_row(transaction: Transaction, seen_at: Timestamp) -> HistoryRow {
    let internal = transaction.sub_type == Some(SubType::Sweep);
    HistoryRow {
        seq: 1,
        seen_at,
        time: transaction.reported_time().unwrap_or(seen_at),
        transaction,
        wallet_name: None,
        suspicious: false,
        internal,
    }
}

fn statement(month: Period, rows: &[Transaction]) -> MonthStatement {
    let mut statement = MonthStatement::new(month);
    for row in rows {
        add(&mut statement, &history_row(row.clone(), Timestamp::from_millis(0)));
    }
    statement
}

fn add(statement: &mut MonthStatement, row: &HistoryRow) {
    statement.add(&ReportRow::of_history(row, &FinalStatuses::default()), &PriceHistory::default());
}

/// The figure as a number, for rows that are small.
fn signed_number(signed: SignedAmount) -> i128 {
    let raw = i128::try_from(signed.amount.raw()).unwrap();
    if signed.negative { -raw } else { raw }
}

fn amount_number(amount: Option<Amount>) -> i128 {
    i128::try_from(amount.unwrap().raw()).unwrap()
}

fn rows() -> impl Strategy<Value = Vec<Transaction>> {
    let begins = months()[0].start.millis();
    let ends = months()[11].end.millis();
    let status = prop::sample::select(vec![Status::Success, Status::Pending, Status::Failed]);
    let one = (0_u8..3, any::<bool>(), status, 0_u64..1_000_000, 0_u64..500, begins - 10_000_000..ends + 10_000_000);
    prop::collection::vec(
        one.prop_map(|(account, out, status, amount, fee, at)| {
            let row = row(account, out, status, amount, fee, Some(at));
            if amount % 3 == 0 { Transaction { sub_type: Some(SubType::Sweep), ..row } } else { row }
        }),
        0..60,
    )
}

/// What came in and went out of an account in a month: from and to others, then between own wallets.
fn expected_sides(rows: &[Transaction], account: Option<&AccountId>, month: Period) -> [[i128; 2]; 2] {
    let mut sides = [[0; 2]; 2];
    for row in rows {
        let outgoing = row.direction == Direction::Outgoing;
        let moves = match row.status {
            Some(Status::Success) => true,
            Some(Status::Pending) => outgoing,
            _ => false,
        };
        if moves && row.account.as_ref() == account && month.contains(row.created_at.unwrap()) {
            let internal = usize::from(row.sub_type == Some(SubType::Sweep));
            sides[internal][usize::from(outgoing)] += amount_number(row.exact_amount());
        }
    }
    sides
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn opening_and_movements_make_the_closing_and_months_follow_each_other(rows in rows()) {
        let months = months();
        let mut movements = 0;
        for (month, next) in months.iter().zip(months.iter().skip(1).map(Some).chain([None])) {
            let statement = statement(*month, &rows);
            for (key, line) in statement.lines() {
                let (opening, closing) = (signed_number(line.opening_balance().unwrap()), signed_number(line.closing_balance().unwrap()));
                let movement = amount_number(line.incoming_total()) - amount_number(line.outgoing_total()) - amount_number(line.fee_total());
                let internal = amount_number(line.internal_incoming_total()) - amount_number(line.internal_outgoing_total());
                prop_assert_eq!(opening + movement + internal, closing);
                let (account, _) = key;
                let sides = expected_sides(&rows, account.as_ref(), *month);
                prop_assert_eq!(sides[0], [line.incoming_total(), line.outgoing_total()].map(amount_number));
                prop_assert_eq!(sides[1], [line.internal_incoming_total(), line.internal_outgoing_total()].map(amount_number));
                movements += line.movements;
                if let Some(next) = next {
                    let after = super::tests::statement(*next, &rows);
                    let (_, followed) = after.lines().find(|(other, _)| *other == key).unwrap();
                    prop_assert_eq!(line.closing_balance(), followed.opening_balance());
                }
            }
        }
        // Every row that counts stands in one month, or outside the year.
        let year = Period::parse("2026").unwrap();
        let movement_count = rows.iter().filter(|row| BalanceDelta::from_transaction(row, &FinalStatuses::default()).is_some() && year.contains(row.reported_time().unwrap())).count();
        prop_assert_eq!(movements, movement_count as u64);
    }
}

#[test]
fn a_payment_is_told_apart_from_its_fee() {
    let november = Period::parse_month("2026-11").unwrap();
    let at = Some(november.start.millis());
    let whole_row = row(1, true, Status::Success, 700, 3, at);
    let mut only_total = row(1, true, Status::Pending, 90, 10, at);
    only_total.amount = None;
    let mut elsewhere = row(1, true, Status::Success, 5, 0, at);
    (elsewhere.fee_token, elsewhere.total_fee) = (Some("USDC".into()), reported_amount(9));
    let statement = statement(november, &[whole_row, only_total, elsewhere]);
    let (_, line) = statement.lines().next().unwrap();
    assert_eq!((amount_number(line.outgoing_total()), amount_number(line.fee_total())), (700 + 100 + 5, 3));
    assert_eq!((line.movements, line.not_final, line.fees_elsewhere), (3, 1, 1));
    assert_eq!(line.opening_balance().unwrap().to_string(), "0");
    assert_eq!(line.closing_balance().unwrap().to_string(), "-0.000808");
}

#[test]
fn what_rows_do_not_say_is_not_made_up() {
    let november = Period::parse_month("2026-11").unwrap();
    let at = |millis: i64| Some(november.start.millis() + millis);
    let mut unclear = row(1, false, Status::Success, 5, 0, at(0));
    unclear.amount = None;
    let statement_of = |rows: &[Transaction]| statement(november, rows);
    let within = statement_of(&[row(1, false, Status::Success, 7, 0, at(-1)), unclear.clone()]);
    let (_, line) = within.lines().next().unwrap();
    assert_eq!(
        (line.opening_balance().map(signed_number), line.closing_balance(), line.unclear_rows()),
        (Some(7), None, 1)
    );
    unclear.created_at = Some(Timestamp::from_millis(november.start.millis() - 1));
    let before = statement_of(&[unclear]);
    let (_, line) = before.lines().next().unwrap();
    assert_eq!((line.opening_balance(), line.closing_balance(), line.movements), (None, None, 0));
    // A row without a time stands where it was first seen, and is counted.
    let mut timeless = MonthStatement::new(november);
    add(&mut timeless, &history_row(row(1, false, Status::Success, 7, 0, None), november.start));
    assert_eq!((timeless.rows_without_time, timeless.lines().next().unwrap().1.movements), (1, 1));
    // One row that is seen to imitate another token tells of the whole line.
    let mut imitation = history_row(row(1, false, Status::Success, 7, 0, None), november.start);
    imitation.suspicious = true;
    assert!(!timeless.lines().next().unwrap().1.imitates);
    add(&mut timeless, &imitation);
    assert!(timeless.lines().next().unwrap().1.imitates);
    let mark = ReportCell::symbol(Some(&"USDT".into()), LineLevel::Imitation);
    assert_eq!((mark.screen_text().as_str(), mark.file_text().as_deref()), ("?USDT", Some("USDT")));
    // Amounts with other fraction digits are not the same unit.
    let mut other = row(1, false, Status::Success, 7, 0, at(1));
    other.amount = Amount::new(U256::from(7), 18).map(ReportedAmount::Exact);
    let mixed = statement_of(&[row(1, false, Status::Success, 7, 0, at(0)), other]);
    assert_eq!(mixed.lines().next().unwrap().1.closing_balance(), None);
}

#[test]
fn a_month_in_which_nothing_moved_says_what_there_is_instead() {
    let november = Period::parse_month("2026-11").unwrap();
    let at = |minutes: i64| Some(november.start.millis() + minutes * 60_000);
    let find_reason = |rows: &[Transaction]| statement(november, rows).empty_month_reason(true);
    let success = |minutes: i64| row(1, false, Status::Success, 7, 0, at(minutes));
    let failed = |minutes: i64| row(1, true, Status::Failed, 7, 0, at(minutes));
    let month = 30 * 24 * 60;
    assert_eq!(find_reason(&[success(month), success(2)]), None);
    let reason = |rows: &[Transaction]| find_reason(rows).unwrap();
    assert_eq!(reason(&[]), "there is no transaction in 2026-11, and the history that was read is empty");
    assert_eq!(
        reason(&[success(month + 5), failed(month + 2), success(month + 1)]),
        "there is no transaction in 2026-11; the history that was read runs from 2026-12-01T00:01Z to 2026-12-01T00:05Z"
    );
    let of_a_part = statement(november, &[success(month + 5), success(month + 1)]).empty_month_reason(false);
    assert_eq!(
        of_a_part.as_deref(),
        Some(
            "no movements were read for 2026-11: the history was only read from 2026-12-01T00:01Z to 2026-12-01T00:05Z"
        )
    );
    assert_eq!(
        statement(november, &[]).empty_month_reason(false).as_deref(),
        Some("no movements were read for 2026-11")
    );
    assert_eq!(reason(&[failed(1), success(-1)]), "the only transaction in 2026-11 moved nothing");
    assert_eq!(reason(&[failed(1), failed(2)]), "there are 2 transactions in 2026-11, and none of them moved anything");
}
