use std::collections::BTreeMap;

use proptest::prelude::*;
use ruint::aliases::U256;

use super::account_names::account_part;
use super::*;
use crate::domain::{Blockchain, ReportedAmount, Status, Text, TokenKey, Transaction, TransactionId, Wallet, WalletId};

const DAY: u64 = 24 * 3_600;

fn amount(text: &str) -> Amount {
    Amount::parse(text, 6).unwrap()
}

fn exact(text: &str) -> ReportedAmount {
    ReportedAmount::Exact(amount(text))
}

/// A settled row of the wallet `w-1`.
fn row(seq: i64, direction: Direction, sub_type: Option<SubType>, units: &str) -> HistoryRow {
    let transaction = Transaction {
        id: TransactionId::from_text(&format!("t-{seq}")),
        direction,
        sub_type,
        status: Some(Status::Success),
        symbol: "USDC".into(),
        token: TokenKey::new("ethereum", Some("0xa0b8")),
        amount: Some(exact(units)),
        total_amount: Some(exact(units)),
        wallet: Some(WalletId::from_text("w-1")),
        ..Transaction::minimal("ethereum")
    };
    let time = Timestamp::from_millis(1_790_000_000_000 + seq * 1_000);
    HistoryRow { seq, seen_at: time, time, transaction, wallet_name: None, suspicious: false, internal: false }
}

fn listed_tokens() -> Vec<Token> {
    vec![Token {
        symbol: "USDC".into(),
        name: "USD Coin".into(),
        decimals: Some(6),
        is_native: Some(false),
        standards: Vec::new(),
        blockchains: vec![Blockchain::test_blockchain("ethereum")],
    }]
}

fn names() -> AddressNames {
    let mut names = AddressNames::default();
    for (id, name) in [("w-1", "eth main"), ("w-2", "eth spare")] {
        names
            .add_wallet(&Wallet { name: Some(name.into()), ..Wallet::new(WalletId::from_text(id), "ethereum".into()) });
    }
    names
}

fn keep(rows: &[HistoryRow]) -> (Vec<BooksEntry>, UnbookedRows) {
    let (names, tokens, statuses) = (names(), listed_tokens(), FinalStatuses::default());
    let mut keeper = Bookkeeper::new(&names, &tokens, &statuses);
    let mut entries: Vec<BooksEntry> = rows.iter().flat_map(|row| keeper.add(row)).collect();
    let (alone, unbooked) = keeper.finish();
    entries.extend(alone);
    (entries, unbooked)
}

fn movements(entry: &BooksEntry) -> Vec<String> {
    let written = |of: &BooksTransfer| {
        let cost = of.cost.as_ref().map_or_else(String::new, |(amount, commodity)| format!(" @@ {amount} {commodity}"));
        format!("{} > {}: {} {}{cost}", of.from, of.to, of.amount, of.commodity)
    };
    entry.movements.iter().map(written).collect()
}

#[test]
fn a_payment_and_its_fee_leave_the_wallet() {
    let mut payment_row = row(1, Direction::Outgoing, None, "25");
    payment_row.transaction.total_amount = Some(exact("25.5"));
    let (entries, unbooked) = keep(&[payment_row.clone()]);
    assert_eq!(
        movements(&entries[0]),
        [
            "Assets:Bursar:Wallets:Eth-main > Expenses:Paid:Unknown: 25 USDC",
            "Assets:Bursar:Wallets:Eth-main > Expenses:Fees:Ethereum: 0.5 USDC",
        ]
    );
    assert_eq!((entries.len(), unbooked), (1, UnbookedRows::default()));

    payment_row.transaction.total_amount = Some(exact("25"));
    payment_row.transaction.total_fee = Some(exact("0.004"));
    payment_row.transaction.fee_token = Some("ETH".into());
    payment_row.transaction.status = Some(Status::Pending);
    let (entries, _) = keep(&[payment_row]);
    assert!(entries[0].is_pending);
    assert_eq!(movements(&entries[0])[1], "Assets:Bursar:Wallets:Eth-main > Expenses:Fees:Ethereum: 0.004 ETH");
}

#[test]
fn the_two_rows_of_a_movement_between_own_wallets_are_one_entry() {
    let half = |seq, direction, wallet: &str| {
        let mut row = row(seq, direction, None, "25");
        row.internal = true;
        row.transaction.wallet = Some(WalletId::from_text(wallet));
        row.transaction.tx_hash = Some("0xfeed".into());
        row.transaction.to_address = Some("0xBB".into());
        row
    };
    let rows = [half(1, Direction::Outgoing, "w-1"), half(2, Direction::Incoming, "w-2")];
    let (entries, _) = keep(&rows);
    let [entry] = entries.as_slice() else { panic!("{entries:?}") };
    assert_eq!(movements(entry), ["Assets:Bursar:Wallets:Eth-main > Assets:Bursar:Wallets:Eth-spare: 25 USDC"]);
    assert!(entry.tags.contains(&("id", "t-1".into())) && entry.tags.contains(&("id-in", "t-2".into())));
    // In whichever order they come.
    let reversed = [rows[1].clone(), rows[0].clone()];
    assert_eq!(movements(&keep(&reversed).0[0]), movements(entry));
    // The other half is of another movement.
    let mut other = rows.clone();
    other[1].transaction.tx_hash = Some("0xdead".into());
    let (entries, _) = keep(&other);
    assert_eq!(
        entries.iter().flat_map(movements).collect::<Vec<_>>(),
        [
            "Assets:Bursar:Wallets:Eth-main > Assets:Bursar:Transit: 25 USDC",
            "Assets:Bursar:Transit > Assets:Bursar:Wallets:Eth-spare: 25 USDC",
        ]
    );
    // It waits for a week, not for ever.
    let mut late = rows;
    late[1].time = late[0].time.plus(std::time::Duration::from_secs(8 * DAY));
    assert_eq!(keep(&late).0.len(), 2);
}

#[test]
fn a_swap_is_one_entry_with_what_was_given_for_what_was_got() {
    let mut sold = row(1, Direction::Outgoing, Some(SubType::Swap), "3000");
    let mut bought = row(2, Direction::Incoming, Some(SubType::Swap), "1");
    for half in [&mut sold, &mut bought] {
        half.transaction.group = Some("g-1".into());
    }
    (bought.transaction.symbol, bought.transaction.token) = ("ETH".into(), TokenKey::new("ethereum", None));
    let (entries, _) = keep(&[sold, bought]);
    assert_eq!(
        entries.iter().flat_map(movements).collect::<Vec<_>>(),
        [
            "Assets:Bursar:Wallets:Eth-main > Equity:Swaps: 3000 USDC",
            "Equity:Swaps > Assets:Bursar:Wallets:Eth-main: 1 ETH @@ 3000 USDC",
        ]
    );
}

#[test]
fn what_moved_nothing_is_counted_by_its_reason() {
    let with = |change: &dyn Fn(&mut HistoryRow)| {
        let mut row = row(1, Direction::Incoming, None, "1");
        change(&mut row);
        row
    };
    let rows = [
        with(&|row| row.suspicious = true),
        with(&|row| row.transaction.status = Some(Status::Failed)),
        with(&|row| row.transaction.status = Some(Status::Pending)),
        with(&|row| row.transaction.amount = None),
        with(&|row| row.transaction.amount = Some(exact("0"))),
    ];
    let mut rows = rows;
    for row in &mut rows[3..] {
        row.transaction.total_amount = row.transaction.amount.clone();
    }
    let expected = UnbookedRows { imitations: 1, failed: 1, expected: 1, unclear: 1, empty: 1 };
    assert_eq!(keep(&rows), (Vec::new(), expected));
}

#[test]
fn a_token_that_is_not_listed_never_has_the_name_of_one_that_is() {
    let mut other = row(2, Direction::Incoming, None, "1");
    other.transaction.token = TokenKey::new("tron", Some("0x666"));
    let (entries, _) = keep(&[row(1, Direction::Incoming, None, "1"), other]);
    assert_eq!(entries[0].movements[0].commodity, "USDC");
    let name = &entries[1].movements[0].commodity;
    assert!(name.starts_with("USDC-") && name.len() == 13, "{name}");
}

/// Smallest units of a commodity, of which each has six decimals.
type Sums = BTreeMap<String, i128>;

fn add(sums: &mut Sums, commodity: &str, amount: Amount, sign: i128) {
    let units = i128::try_from(amount.raw().to::<u128>()).unwrap();
    *sums.entry(commodity.to_owned()).or_default() += sign * units;
}

fn any_row() -> impl Strategy<Value = HistoryRow> {
    let kinds = (0..3_u8, any::<bool>(), 0..4_u8, any::<bool>());
    let figures = (0..1_000_000_u64, 0..1_000_u64, 0..1_000_u64);
    (kinds, figures, 0..4_u8, 1..3_u8).prop_map(
        |((kind, is_out, status, is_coin), (units, own, other), group, wallet)| {
            let direction = if is_out { Direction::Outgoing } else { Direction::Incoming };
            let raw = |units: u64| Amount::new(U256::from(units), 6).map(ReportedAmount::Exact);
            let mut row = row(0, direction, (kind == 1).then_some(SubType::Swap), "0");
            row.internal = kind == 2;
            let transaction = &mut row.transaction;
            if is_coin {
                (transaction.symbol, transaction.token) = ("ETH".into(), TokenKey::new("ethereum", None));
            }
            let status =
                [Status::Success, Status::Success, Status::Pending, Status::Failed][usize::from(status)].clone();
            transaction.status = Some(status);
            transaction.amount = raw(units);
            transaction.total_amount = raw(units + if is_out { own } else { 0 });
            if is_out && !is_coin && other > 500 {
                (transaction.total_fee, transaction.fee_token) = (raw(other), Some("ETH".into()));
            }
            transaction.group = (group > 0).then(|| Text::clean(&format!("g-{group}")));
            transaction.wallet = Some(WalletId::from_text(&format!("w-{wallet}")));
            row
        },
    )
}

proptest! {
    #[test]
    fn entries_sum_to_zero_and_the_wallets_to_what_the_rows_moved(
        rows in prop::collection::vec((any_row(), 0..4 * DAY), 0..40),
    ) {
        let mut at = Timestamp::from_millis(1_790_000_000_000);
        let mut seq = 0;
        let rows: Vec<HistoryRow> = rows.into_iter().map(|(row, later)| {
            (at, seq) = (at.plus(std::time::Duration::from_secs(later)), seq + 1);
            let transaction = Transaction { id: TransactionId::from_text(&format!("t-{seq}")), ..row.transaction };
            HistoryRow { seq, time: at, transaction, ..row }
        }).collect();
        let statuses = FinalStatuses::default();
        let mut expected = Sums::new();
        for row in &rows {
            let report = ReportRow::of_history(row, &statuses);
            let symbol = row.transaction.symbol.as_str();
            match report.movement() {
                Some(Movement::In(amount)) => add(&mut expected, symbol, amount, 1),
                Some(Movement::Out { total, .. }) => {
                    add(&mut expected, symbol, total, -1);
                    if row.transaction.fee_token.is_some() {
                        add(&mut expected, "ETH", row.transaction.total_fee.as_ref().unwrap().even_if_disputed(), -1);
                    }
                }
                Some(Movement::Unclear) | None => {}
            }
        }
        let (entries, unbooked) = keep(&rows);
        let (mut booked, mut ids) = (Sums::new(), 0);
        for entry in &entries {
            let mut all = Sums::new();
            for movement in &entry.movements {
                prop_assert!(!movement.amount.is_zero());
                for (account, leaves) in movement.postings() {
                    let sign = if leaves { -1 } else { 1 };
                    add(&mut all, &movement.commodity, movement.amount, sign);
                    if account.starts_with("Assets:Bursar:") && account != TRANSIT {
                        add(&mut booked, &movement.commodity, movement.amount, sign);
                    }
                }
            }
            prop_assert!(all.values().all(|sum| *sum == 0), "{entry:?}");
            ids += entry.tags.iter().filter(|(name, _)| name.starts_with("id")).count() as u64;
        }
        expected.retain(|_, sum| *sum != 0);
        booked.retain(|_, sum| *sum != 0);
        prop_assert_eq!(booked, expected);
        let UnbookedRows { imitations, failed, expected, unclear, empty } = unbooked;
        prop_assert_eq!(ids + imitations + failed + expected + unclear + empty, rows.len() as u64);
    }

    #[test]
    fn any_name_makes_an_account_that_both_programs_read(name in any::<String>()) {
        let part = account_part(&name);
        let mut characters = part.chars();
        prop_assert!(characters.next().is_some_and(|first| first.is_ascii_uppercase() || first.is_ascii_digit()), "{part}");
        prop_assert!(characters.all(|c| c.is_ascii_alphanumeric() || c == '-') && part.len() <= 80, "{part}");
    }

    #[test]
    fn any_symbol_makes_a_commodity_that_both_programs_read(symbol in any::<String>(), contract in any::<String>()) {
        let tokens = listed_tokens();
        let names = CommodityNames::new(&tokens);
        let (symbol, contract) = (Text::clean(&symbol), Text::clean(&contract));
        let name = names.name(&symbol, &TokenKey { blockchain: "tron".into(), contract: Some(contract) });
        let is_inner = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || b"._-".contains(&byte);
        prop_assert!(name.starts_with(|first: char| first.is_ascii_uppercase()), "{name}");
        prop_assert!(name.ends_with(|last: char| last.is_ascii_uppercase() || last.is_ascii_digit()), "{name}");
        prop_assert!((2..=24).contains(&name.len()) && name.bytes().all(is_inner), "{name}");
    }
}
