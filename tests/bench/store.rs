//! What searches, first reads and the guard's knowledge cost. `BURSAR_ROWS` says how many rows are many (100,000 by
//! default). What a screen and a poll cost with few and with many is told by the benchmark `watching`.

#![expect(clippy::unwrap_used, reason = "a benchmark ends with its first surprise")]

#[expect(dead_code, reason = "the other benchmark uses the rest")]
mod sample;

use std::sync::Arc;

use bursar::domain::history::{Page, Scope, Sort, TransactionPageRequest, WindowAnchor, WindowRequest};
use bursar::domain::poison::PoisonFilter;
use bursar::domain::report::ReportKind;
use bursar::domain::{
    AccountId, Amount, Direction, FinalStatuses, Metadata, Period, PriceHistory, ReportedAmount, Sender, Skew, Status,
    SubType, Text, Timestamp, TokenKey, Transaction, UserId, WalletId, Withdrawal,
};
use bursar::guard::{GuardedPayment, judge};
use bursar::runtime::guard_facts::{FactSources, gather_facts_for_payment};
use bursar::store::{BackfillRead, CacheLocation, Cancel, LatestRead, ReportRequest, Store};
use divan::{Bencher, black_box};
use sample::{FEW, PER_PAGE, START, answers, filled_store, forget, many, span, transaction};

fn main() {
    divan::main();
}

fn sizes() -> [u64; 2] {
    [FEW, many()]
}

/// Everything that the guard is told of a payment, among 20,000 own wallets, and its judgement.
#[divan::bench(args = sizes())]
fn knowledge_of_a_payment(bencher: Bencher<'_, '_>, rows: u64) {
    let store = filled_store(rows);
    let wallet = store.wallets(&Scope::All, "", 0, 1).unwrap().rows.remove(0).entry;
    let withdrawal = Withdrawal {
        wallet: wallet.id.clone(),
        blockchain: wallet.blockchain.clone(),
        token: "USDC".into(),
        amount: "25".into(),
        to: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed".into(),
        ref_id: None,
        note: None,
        metadata: Metadata::default(),
    };
    let sender = Sender {
        name: None,
        address: wallet.address,
        account: wallet.account,
        user: wallet.user,
        token: TokenKey::new(&wallet.blockchain, None),
        amount: Amount::parse("25", 6).unwrap(),
    };
    let now = Timestamp::from_millis(START);
    let (final_words, period) = (FinalStatuses::default(), std::time::Duration::from_secs(5));
    let (policy, book) = (bursar::domain::Policy::default(), bursar::domain::AddressBook::default());
    let sources = FactSources {
        store: &store,
        orders: &[],
        final_statuses: &final_words,
        expected_network: None,
        policy: &policy,
        book: &book,
        period,
        skew: Skew::default(),
    };
    bencher.bench_local(|| {
        let facts = gather_facts_for_payment(&sources, &withdrawal, &sender, now).unwrap();
        judge(&GuardedPayment { request: &withdrawal, sender: &sender, facts: &facts, now }).len()
    });
}

#[divan::bench(args = sizes())]
fn window_of_a_kept_search(bencher: Bencher<'_, '_>, rows: u64) {
    let store = filled_store(rows);
    answers(&store, &span("usdt", Sort::Newest, WindowAnchor::Rank(0)));
    let mut rank = 0;
    bencher.bench_local(|| {
        rank = (rank + 7_919) % (rows / 4);
        answers(&store, &span("usdt", Sort::Newest, WindowAnchor::Rank(rank)))
    });
}

/// Words that are found in a phrase, in texts, among hexadecimal digits, nowhere; each as a new search.
#[divan::bench(args = ["u", "usdt", "order-77", "payout", "zzz", "7", "ba", "3fa", "0xab12", "amount:250", "date:2025-", "from:2025-03 to:2025-04", "amount:>=1000", "12:03", "dir:in status:failed"])]
fn search(bencher: Bencher<'_, '_>, filter: &str) {
    let store = filled_store(many());
    bencher
        .with_inputs(|| forget(&store))
        .bench_local_values(|()| answers(&store, &span(filter, Sort::Newest, WindowAnchor::Rank(0))));
}

/// The first screenful of the same.
#[divan::bench(args = ["u", "usdt", "order-77", "payout", "7", "ba", "3fa"])]
fn first_screenful(bencher: Bencher<'_, '_>, filter: &str) {
    let store = filled_store(many());
    bencher.bench_local(|| {
        let cancel = Cancel::new();
        let mut rows = 0;
        let _ = store.query_history(&span(filter, Sort::Newest, WindowAnchor::Rank(0)), &cancel, &mut |window| {
            rows = window.rows.len();
            cancel.cancel();
        });
        black_box(rows)
    });
}

/// The rows of a list without a filter: as listed, without rows that move nothing, and without a look-alike's as well.
fn unfiltered_window(kind: &str) -> WindowRequest {
    let mut request = span("", Sort::Newest, WindowAnchor::Rank(0));
    request.query.filter.poison_filter = match kind {
        "listed" => None,
        "folded" => Some(PoisonFilter::default()),
        _ => Some(PoisonFilter::new([&Text::from("0xF0f0000000000000000000000000000000000f0f")])),
    };
    request
}

#[divan::bench(args = ["listed", "folded", "look-alike"])]
fn unfiltered_list(bencher: Bencher<'_, '_>, kind: &str) {
    let store = filled_store(many());
    bencher.with_inputs(|| forget(&store)).bench_local_values(|()| answers(&store, &unfiltered_window(kind)));
}

/// The first screenful of the same.
#[divan::bench(args = ["listed", "folded", "look-alike"])]
fn unfiltered_screenful(bencher: Bencher<'_, '_>, kind: &str) {
    let store = filled_store(many());
    bencher.with_inputs(|| forget(&store)).bench_local_values(|()| {
        let cancel = Cancel::new();
        let _ = store.query_history(&unfiltered_window(kind), &cancel, &mut |window| {
            black_box(window.rows.len());
            cancel.cancel();
        });
    });
}

/// A screenful of a list that is known, as a poll asks for it.
#[divan::bench(args = ["listed", "folded", "look-alike"])]
fn unfiltered_again(bencher: Bencher<'_, '_>, kind: &str) {
    let store = filled_store(many());
    answers(&store, &unfiltered_window(kind));
    bencher.bench_local(|| answers(&store, &unfiltered_window(kind)));
}

#[divan::bench(args = sizes())]
fn sorted_by_amount(bencher: Bencher<'_, '_>, rows: u64) {
    let store = filled_store(rows);
    bencher
        .with_inputs(|| forget(&store))
        .bench_local_values(|()| answers(&store, &span("", Sort::Largest, WindowAnchor::Rank(0))));
}

/// Reports on all rows, each of which has another counterparty, and on the last 30 days.
#[divan::bench(args = ["value", "counterparties", "fees", "gas", "months", "statement"], sample_count = 3)]
fn report_on_all_rows(bencher: Bencher<'_, '_>, kind: &str) {
    let store = filled_store(many());
    let kind = ReportKind::ALL.into_iter().find(|report| report.word() == kind).unwrap();
    let newest = Timestamp::from_millis(START + 60_000 * i64::try_from(many()).unwrap());
    let period = match kind {
        ReportKind::Counterparties | ReportKind::Gas | ReportKind::Allocation => Period::EVER,
        ReportKind::Value => Period::last_days(365, newest),
        ReportKind::Fees | ReportKind::Months => Period::spanning_last_months(120, newest).unwrap(),
        ReportKind::Statement => Period::month_of(newest).unwrap(),
    };
    let prices = PriceHistory::new("USDT".into());
    let request = ReportRequest { kind, scope: Scope::All, period, prices, names: Arc::default(), now: newest };
    bencher.bench_local(|| store.report(&request, &Cancel::new()).unwrap().lines.len());
}

/// The first read of 10,000 rows, their making not counted.
#[divan::bench(sample_count = 5)]
fn first_read_of_10_000(bencher: Bencher<'_, '_>) {
    let rows: Vec<Transaction> = (1..=10_000).rev().map(transaction).collect();
    let page = |request: &TransactionPageRequest| {
        let incoming = request.direction == Direction::Incoming;
        let from = usize::try_from((request.page_no - 1) * PER_PAGE).unwrap();
        let items = if incoming { rows.iter().skip(from).take(100).cloned().collect() } else { Vec::new() };
        Page { items, unreadable: 0, page_no: Some(request.page_no), page_limit: Some(PER_PAGE), total_page: Some(100) }
    };
    bencher.bench_local(|| {
        let store = Store::open(&CacheLocation::Temporary).unwrap().store;
        let now = Timestamp::from_millis(START);
        let mut head = LatestRead::start(&store).unwrap();
        while let Some(request) = head.next_page() {
            head.add_page(&request, page(&request)).unwrap();
        }
        head.finish(now).unwrap();
        while !store.progress().unwrap().complete {
            let mut backfill = BackfillRead::start(&store, 1_000).unwrap();
            while let Some(request) = backfill.next_page() {
                backfill.add_page(&request, page(&request)).unwrap();
            }
            backfill.finish(now).unwrap();
        }
    });
}

/// What the same rows cost a bare loop: one table with a column for each field and a unique identifier.
#[divan::bench(sample_count = 5)]
fn bare_insert_of_10_000(bencher: Bencher<'_, '_>) {
    let rows: Vec<Transaction> = (1..=10_000).rev().map(transaction).collect();
    bencher.bench_local(|| bare::insert(&rows));
}

mod bare {
    use super::{Direction, ReportedAmount, Status, SubType, Transaction};

    pub(super) fn insert(rows: &[Transaction]) {
        let folder = std::env::temp_dir().join("bursar-bench-bare");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let mut connection = rusqlite::Connection::open(folder.join("bare.db")).unwrap();
        let columns: Vec<String> = (0..26).map(|nth| format!("c{nth}")).collect();
        connection
            .execute_batch(&format!(
                "PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
                 CREATE TABLE t (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, {});",
                columns.join(", ")
            ))
            .unwrap();
        let marks: Vec<&str> = (0..27).map(|_| "?").collect();
        let sql = format!("INSERT INTO t (id, {}) VALUES ({})", columns.join(", "), marks.join(", "));
        for batch in rows.chunks(1_000) {
            let transaction = connection.transaction().unwrap();
            {
                let mut statement = transaction.prepare_cached(&sql).unwrap();
                for row in batch {
                    let amount = |amount: &Option<ReportedAmount>| {
                        amount.as_ref().map(|amount| amount.even_if_disputed().raw().to_string())
                    };
                    let (one, two, three) = (amount(&row.amount), amount(&row.total_amount), amount(&row.total_fee));
                    let texts: [Option<&str>; 26] = [
                        Some(row.direction.word()),
                        row.sub_type.as_ref().map(SubType::word),
                        row.status.as_ref().map(Status::word),
                        Some(&row.token.blockchain),
                        row.token.contract.as_deref(),
                        Some(&row.symbol),
                        row.token_name.as_deref(),
                        row.standard.as_deref(),
                        one.as_deref(),
                        two.as_deref(),
                        three.as_deref(),
                        row.fee_token.as_deref(),
                        row.fee_level.as_deref(),
                        row.protocol.as_deref(),
                        row.environment.as_deref(),
                        row.network.as_deref(),
                        row.from_address.as_deref(),
                        row.to_address.as_deref(),
                        row.tx_hash.as_deref(),
                        row.ref_id.as_deref(),
                        row.idempotency_key.as_deref(),
                        row.note.as_deref(),
                        row.trigger_origin.as_deref(),
                        row.user.as_ref().map(super::UserId::as_str),
                        row.wallet.as_ref().map(super::WalletId::as_str),
                        row.account.as_ref().map(super::AccountId::as_str),
                    ];
                    let id = row.id.as_str();
                    let values = std::iter::once(Some(id)).chain(texts);
                    statement.execute(rusqlite::params_from_iter(values)).unwrap();
                }
            }
            transaction.commit().unwrap();
        }
        assert_ne!(rows.first().map(|row| &row.direction), None::<&Direction>);
    }
}
