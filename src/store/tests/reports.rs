//! Reports from packed rows, against the same rows of the list, one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use proptest::prelude::*;

use super::balance_history::sync_rows;
use super::fixtures::{amount, now, store_in_folder, temporary_store, transaction};
use crate::domain::address_names::AddressNames;
use crate::domain::book::{BookChange, LabelSubject};
use crate::domain::filter::{Filter, FilterContext};
use crate::domain::history::{HistoryRow, PriceList, Query, Scope};
use crate::domain::report::counterparties::{CounterpartyRanking, MAX_COUNTERPARTIES};
use crate::domain::report::fees::FeeSums;
use crate::domain::report::months::MonthSums;
use crate::domain::report::{Movement, ReportCell, ReportKind, ReportRow, ReportTable};
use crate::domain::statement::{MonthStatement, StatementContext};
use crate::domain::{
    AddressBook, Amount, Direction, Period, PriceHistory, ReportedAmount, Status, SubType, Text, Timestamp, Transaction,
};
use crate::store::{Cancel, ReportRequest, Store};

const HOUR: i64 = 3_600_000;
const START: i64 = 1_790_000_000_000;

fn row(number: u64, hours: i64) -> Transaction {
    let direction = if number.is_multiple_of(3) { Direction::Outgoing } else { Direction::Incoming };
    let mut row = transaction(number, &direction, (!number.is_multiple_of(11)).then_some(START + hours * HOUR));
    match number % 7 {
        0 => row.sub_type = Some(SubType::InternalTransfer),
        1 => row.status = Some(Status::Failed),
        2 => (row.fee_token, row.total_fee) = (Some(Text::clean("ETH")), amount(30, 18)),
        // The total is below the amount.
        3 => {
            let digits = row.total_amount.as_ref().map_or(0, |total| total.even_if_disputed().decimals());
            row.total_amount = amount(5, digits);
        }
        _ => {}
    }
    row
}

fn all_rows(store: &Store) -> Vec<HistoryRow> {
    let mut rows = Vec::new();
    let each = &mut |row| {
        rows.push(row);
        ControlFlow::Continue(())
    };
    store.walk_rows(&Query::default(), &Cancel::new(), &mut |_| {}, each).unwrap();
    rows
}

fn prices(store: &Store) -> PriceHistory {
    let price = |symbol: &str, text: &str| (Text::clean(symbol), Amount::parse(text, 4).unwrap());
    for (hours, ether) in [(20, "3000"), (21, "3100.5"), (300, "3300"), (301, "0")] {
        let prices = vec![price("eth", ether), price("USDT", "1")];
        let list = PriceList { token: Text::clean("USDT"), at: None, prices };
        store.record_prices(&list, Timestamp::from_millis(START + hours * HOUR)).unwrap();
    }
    store.price_history(&Text::clean("USDT")).unwrap()
}

fn report(store: &Store, kind: ReportKind, period: Period, prices: &PriceHistory) -> ReportTable {
    let names = Arc::default();
    let request = ReportRequest { kind, scope: Scope::All, period, prices: prices.clone(), names, now: now(0) };
    store.report(&request, &Cancel::new()).unwrap()
}

/// Exact sums of in and out by symbol, from the lines of single tokens.
fn flows_of(table: &ReportTable) -> BTreeMap<Text, [String; 2]> {
    let column = |name: &str| table.columns.iter().position(|column| column.name == name).unwrap();
    let (level, token, sides) = (column("level"), column("token"), [column("in"), column("out")]);
    let mut sums: BTreeMap<Text, [Amount; 2]> = BTreeMap::new();
    for line in &table.lines {
        if line.cells[level] != ReportCell::word("token") {
            continue;
        }
        let ReportCell::Text(symbol) = &line.cells[token] else { panic!("{line:?}") };
        let sums = sums.entry(symbol.clone()).or_insert([Amount::zero(0); 2]);
        for (sum, at) in sums.iter_mut().zip(sides) {
            let ReportCell::Amount(amount) = line.cells[at] else { panic!("{line:?}") };
            *sum = sum.checked_add_rescaled(amount).unwrap();
        }
    }
    let text = |amount: Amount| amount.rescaled(18).unwrap().to_string();
    sums.into_iter()
        .map(|(symbol, sides)| (symbol, sides.map(text)))
        .filter(|(_, sides)| *sides != ["0", "0"].map(|_| text(Amount::zero(0))))
        .collect()
}

/// The same by looking at each row.
fn expected_flows(rows: &[HistoryRow], period: Period) -> BTreeMap<Text, [String; 2]> {
    let mut sums: BTreeMap<Text, [Amount; 2]> = BTreeMap::new();
    for HistoryRow { transaction, time, suspicious, internal, .. } in rows {
        let at = transaction.created_at.unwrap_or(*time);
        let counts = matches!(
            (&transaction.direction, &transaction.status),
            (_, Some(Status::Success)) | (Direction::Outgoing, Some(Status::Pending))
        );
        let outgoing = transaction.direction == Direction::Outgoing;
        let [stated, total] = [&transaction.amount, &transaction.total_amount]
            .map(|amount| amount.as_ref().and_then(ReportedAmount::exact));
        let paid_amount = if outgoing {
            total.map(|total| stated.filter(|paid_amount| total.checked_sub(*paid_amount).is_some()).unwrap_or(total))
        } else {
            stated
        };
        if let Some(paid_amount) = paid_amount.filter(|_| counts && !internal && !suspicious && period.contains(at)) {
            let sum =
                &mut sums.entry(transaction.symbol.clone()).or_insert([Amount::zero(18); 2])[usize::from(outgoing)];
            *sum = sum.checked_add_rescaled(paid_amount).unwrap();
        }
    }
    sums.into_iter().map(|(symbol, sides)| (symbol, sides.map(|amount| amount.to_string()))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn every_report_is_that_of_its_rows_one_by_one(
        hours in prop::collection::vec(0_i64..900, 1..80),
        later in prop::collection::vec(400_i64..900, 0..20),
        (first, length) in (0_i64..700, 1_i64..900),
    ) {
        let store = temporary_store();
        let mut rows: Vec<Transaction> = (1..).zip(&hours).map(|(number, hour)| row(number, *hour)).collect();
        sync_rows(&store, &rows, 0);
        rows.extend((1_000..).zip(&later).map(|(number, hour)| row(number, *hour)));
        let own_address = rows[0].own_wallet_address().cloned();
        if let Some(last) = rows.last_mut() {
            // A payment from wallet to wallet, which only its address shows.
            last.from_address.clone_from(&own_address);
            last.to_address.clone_from(&own_address);
        }
        sync_rows(&store, &rows, 1);
        let prices = prices(&store);
        let history_rows = all_rows(&store);
        let moment = |hours: i64| Timestamp::from_millis(START + hours * HOUR);
        let period = Period { start: moment(first), end: moment(first + length) };
        let final_statuses = store.final_statuses();
        let report_rows: Vec<ReportRow<'_>> = history_rows.iter().map(|row| ReportRow::of_history(row, final_statuses)).collect();
        let within: Vec<&ReportRow<'_>> = report_rows.iter().filter(|row| period.contains(row.at)).collect();

        let months = report(&store, ReportKind::Months, period, &prices);
        let mut sums = MonthSums::new(period);
        for row in &report_rows {
            sums.add(row, &prices);
        }
        prop_assert_eq!(&months.lines, &sums.into_table(prices.valuation_symbol(), now(0)).lines);
        // What was before the period has a line too.
        prop_assert_eq!(flows_of(&months), expected_flows(&history_rows, Period { start: Period::EVER.start, ..period }));
        let expected = expected_flows(&history_rows, period);

        let fees = report(&store, ReportKind::Fees, period, &prices);
        let mut sums = FeeSums::default();
        for row in &within {
            sums.add(row, &prices);
        }
        prop_assert_eq!(&fees.lines, &sums.into_table(period, prices.valuation_symbol()).lines);

        let counterparties = report(&store, ReportKind::Counterparties, period, &prices);
        let mut ranking = CounterpartyRanking::default();
        for row in &within {
            ranking.add(row, &prices, &AddressNames::default());
        }
        let mut sums = ranking.into_heaviest_sums(MAX_COUNTERPARTIES);
        for row in &within {
            sums.add(row, &prices, &AddressNames::default());
        }
        prop_assert_eq!(&counterparties.lines, &sums.into_table(period, prices.valuation_symbol()).lines);
        prop_assert_eq!(flows_of(&counterparties), expected);

        let month = Period::month_of(moment(first)).unwrap();
        let statement = report(&store, ReportKind::Statement, month, &prices);
        let mut sums = MonthStatement::new(month);
        for row in &report_rows {
            sums.add(row, &prices);
        }
        let progress = store.progress().unwrap();
        let whole_at = store.newest_rows_synced_at().unwrap().filter(|_| progress.complete && progress.partial.is_none());
        let facts = StatementContext { whole_at, names: &AddressNames::default(), prices: &prices };
        prop_assert_eq!(&statement.lines, &sums.into_table(&facts).lines);

        let until_then = report_rows.iter().filter(|row| row.at < period.end);
        let unclear = until_then.filter(|row| row.movement() == Some(Movement::Unclear)).count();
        let has_remark = months.remarks.iter().any(|remark| remark.contains("in no sum"));
        prop_assert_eq!(has_remark, unclear > 0);
    }
}

#[test]
fn others_are_summed_together_and_names_apart_from_their_addresses() {
    let store = temporary_store();
    let rows: Vec<Transaction> = (1..60).map(|number| row(number, i64::try_from(number).unwrap())).collect();
    sync_rows(&store, &rows, 0);
    let prices = prices(&store);
    let history_rows: Vec<HistoryRow> = all_rows(&store);
    let exchange =
        history_rows.iter().filter(|row| row.transaction.counterparty().is_some_and(|it| it.starts_with("7Xk")));
    let labels = exchange.map(|row| {
        let address = row.transaction.counterparty().unwrap().clone();
        let blockchain = row.transaction.token.blockchain.clone();
        let subject = LabelSubject::Address { address, blockchain };
        (BookChange::Label { subject, name: Some(Text::clean("Exchange")) }, now(0))
    });
    let names = AddressNames::of_book(&AddressBook::from_changes(labels));
    let mut ranking = CounterpartyRanking::default();
    let each = || history_rows.iter().map(|row| ReportRow::of_history(row, store.final_statuses()));
    each().for_each(|row| ranking.add(&row, &prices, &names));
    let mut sums = ranking.into_heaviest_sums(2);
    each().for_each(|row| sums.add(&row, &prices, &names));
    let table = sums.into_table(Period::EVER, prices.valuation_symbol());
    let groups: Vec<String> = table
        .lines
        .iter()
        .filter(|line| line.cells[0] == ReportCell::word("all tokens"))
        .map(|line| line.cells[2].screen_text())
        .collect();
    assert_eq!(groups.len(), 3, "{groups:?}");
    assert!(groups.contains(&"Exchange".to_owned()) && groups[2].ends_with(" others"), "{groups:?}");
    assert_eq!(flows_of(&table), expected_flows(&history_rows, Period::EVER));
}

/// A settled row on Base of a wallet, in thousandths, so many days ago; its fee is in ether.
fn base_row(number: u64, wallet: &str, symbol: &str, amount_and_fee: (i64, u64), days: i64) -> Transaction {
    let (units, fee) = amount_and_fee;
    let direction = if units < 0 { Direction::Outgoing } else { Direction::Incoming };
    let mut row = transaction(number, &direction, Some(now(0).millis() - days * 24 * HOUR));
    row.wallet = Some(crate::domain::WalletId::from_text(wallet));
    row.user = None;
    let contract = (symbol != "ETH").then(|| Text::clean(&format!("0x{symbol}")));
    row.token = crate::domain::TokenKey { blockchain: Text::clean("base"), contract };
    row.symbol = Text::clean(symbol);
    (row.status, row.confirmed) = (Some(Status::Success), Some(true));
    let whole = units.unsigned_abs();
    (row.amount, row.total_amount) = (amount(whole, 3), amount(whole + fee, 3));
    (row.fee_token, row.total_fee) = (Some(Text::clean("ETH")), amount(fee, 3));
    row
}

#[test]
fn the_rows_of_a_counterparty_with_several_addresses_are_those_of_each() {
    let store = temporary_store();
    let rows: Vec<Transaction> = (1..60).map(|number| row(number, i64::try_from(number).unwrap())).collect();
    sync_rows(&store, &rows, 0);
    let (prices, history_rows) = (prices(&store), all_rows(&store));
    let others = history_rows.iter().filter(|row| row.transaction.status == Some(Status::Success) && !row.internal);
    let named_rows: Vec<_> =
        others.filter_map(|row| Some((row.transaction.counterparty()?.clone(), row))).take(3).collect();
    let labels = named_rows.iter().map(|(address, row)| {
        let blockchain = row.transaction.token.blockchain.clone();
        let subject = LabelSubject::Address { address: address.clone(), blockchain };
        (BookChange::Label { subject, name: Some(Text::clean("Payroll: sales")) }, now(0))
    });
    let names = AddressNames::of_book(&AddressBook::from_changes(labels));
    let mut ranking = CounterpartyRanking::default();
    let each = || history_rows.iter().map(|row| ReportRow::of_history(row, store.final_statuses()));
    each().for_each(|row| ranking.add(&row, &prices, &names));
    let mut sums = ranking.into_heaviest_sums(MAX_COUNTERPARTIES);
    each().for_each(|row| sums.add(&row, &prices, &names));
    let table = sums.into_table(Period::EVER, prices.valuation_symbol());
    let line = table.lines.iter().find(|line| line.cells[2].screen_text() == "Payroll: sales").unwrap();
    let context = FilterContext { names: Arc::new(names), ..FilterContext::default() };
    let matching = |text: &str| {
        let mut ids = Vec::new();
        let each = &mut |row: HistoryRow| {
            ids.push(row.transaction.id);
            ControlFlow::Continue(())
        };
        let query = Query { filter: Filter::parse(text, &context), ..Query::default() };
        assert!(!query.filter.is_faulty(), "{text}");
        store.walk_rows(&query, &Cancel::new(), &mut |_| {}, each).unwrap();
        ids
    };
    let is_named = |row: &&HistoryRow| {
        let party = row.transaction.counterparty();
        !row.internal && party.is_some_and(|party| named_rows.iter().any(|(address, _)| address == party))
    };
    let expected: Vec<_> = history_rows.iter().filter(is_named).map(|row| row.transaction.id.clone()).collect();
    assert_eq!(expected.len(), 3);
    assert_eq!(matching(line.filter.as_deref().unwrap()), expected);
    assert_eq!(matching("counterparty:payroll"), expected, "by the beginning of a word of the name");
    assert_eq!(matching("counterparty:sales internal:no"), expected);
    assert_eq!(matching(&format!("counterparty:{}", named_rows[0].0)), [named_rows[0].1.transaction.id.clone()]);
    assert_eq!(matching(&format!("counterparty:{}", &named_rows[0].0[..12])), [], "an address is whole");
}

#[test]
fn the_gas_runway_is_of_every_wallet_that_holds_anything_and_those_without_gas_are_first() {
    let store = temporary_store();
    let rows = [
        // Of 1,000 thousandths 10 and 5 are burnt in the period, and 100 before it.
        base_row(1, "pays", "ETH", (1_000, 0), 90),
        base_row(2, "pays", "ETH", (-200, 100), 40),
        base_row(3, "pays", "ETH", (-100, 10), 20),
        base_row(4, "pays", "ETH", (-60, 5), 1),
        base_row(5, "rests", "ETH", (7, 0), 60),
        base_row(6, "stranded", "USDC", (500, 0), 9),
        base_row(7, "emptied", "ETH", (50, 0), 60),
        base_row(8, "emptied", "ETH", (-50, 0), 50),
    ];
    sync_rows(&store, &rows, 0);
    let gas = report(&store, ReportKind::Gas, Period::EVER, &PriceHistory::default());
    let names = ["wallet", "held", "burnt_in_30_days", "payments", "runway_days", "tokens"];
    let cells = |line: &crate::domain::report::ReportLine| {
        names.map(|name| {
            let at = gas.columns.iter().position(|column| column.name == name).unwrap();
            line.cells[at].file_text().unwrap_or_default()
        })
    };
    assert_eq!(
        gas.lines.iter().map(cells).collect::<Vec<_>>(),
        [
            ["stranded", "0", "0", "0", "no gas", "1"],
            // 525 thousandths are left, and 15 lasted 30 days.
            ["pays", "0.525", "0.015", "2", "1050", "0"],
            ["rests", "0.007", "0", "0", "no fee in 30 days", "0"],
        ]
    );
    assert!(gas.lines[0].cells.iter().any(|cell| matches!(cell, ReportCell::Alarm(_))));
    assert!(gas.remarks.iter().any(|remark| remark == "1 wallet that holds nothing is left out"), "{:?}", gas.remarks);
}

#[test]
fn what_came_or_changed_since_a_checkpoint_is_found_and_all_else_apart_from_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_in_folder(folder.path());
    let mut rows: Vec<Transaction> = (1..1_400).map(|number| row(number, i64::try_from(number).unwrap())).collect();
    for pending in [3, 700, 1_390] {
        (rows[pending].status, rows[pending].confirmed) = (Some(Status::Pending), Some(false));
    }
    sync_rows(&store, &rows, 0);
    let before = store.checkpoint().unwrap();
    store.save_last_visit(now(0), &before).unwrap();
    // Another start of the program knows what was seen.
    drop(store);
    let store = store_in_folder(folder.path());
    assert_eq!(store.last_visit().unwrap(), Some((now(0), before.clone())));
    rows[700].status = Some(Status::Failed);
    rows.extend((1_400..2_100).map(|number| row(number, i64::try_from(number).unwrap())));
    sync_rows(&store, &rows, 1);
    let changes = store.changes_since(&before).unwrap();
    let context = FilterContext { row_changes: Some(Arc::clone(&changes.row_changes)), ..FilterContext::default() };
    let ids_of = |text: &str| -> BTreeSet<Text> {
        let mut ids = BTreeSet::new();
        let query = Query { filter: Filter::parse(text, &context), ..Query::default() };
        let each = &mut |row: HistoryRow| {
            ids.insert(Text::clean(row.transaction.id.as_str()));
            ControlFlow::Continue(())
        };
        store.walk_rows(&query, &Cancel::new(), &mut |_| {}, each).unwrap();
        ids
    };
    let id = |row: &Transaction| Text::clean(row.id.as_str());
    let expected: BTreeSet<Text> = rows.iter().skip(1_399).chain([&rows[700]]).map(id).collect();
    assert_eq!(ids_of("new:yes"), expected);
    assert_eq!(usize::try_from(changes.added + changes.changed), Ok(expected.len()));
    assert_eq!(ids_of("new:no"), rows.iter().map(id).filter(|id| !expected.contains(id)).collect());
}
