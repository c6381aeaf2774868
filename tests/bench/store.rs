//! What the store costs with few rows and with many. `BURSAR_ROWS` says how many are many (100,000 by default).
//!
//! A window, a poll and opening must cost the same with both; only a search may grow.

#![expect(clippy::unwrap_used, reason = "a benchmark ends with its first surprise")]

use std::path::PathBuf;
use std::sync::OnceLock;

use bursar::domain::history::{Anchor, Page, PageWanted, Query, Scope, Sort, Span};
use bursar::domain::{
    AccountId, Amount, Direction, FinalWords, Sender, Stated, Status, SubType, Text, Timestamp, TokenKey, Transaction,
    TransactionId, UserId, WalletId, Withdrawal,
};
use bursar::guard::{Case, judge};
use bursar::runtime::knowledge::{Sources, gather};
use bursar::store::{BackRead, Cancel, HeadRead, Place, Store};
use divan::{Bencher, black_box};
use ruint::aliases::U256;

fn main() {
    divan::main();
}

fn many() -> u64 {
    std::env::var("BURSAR_ROWS").ok().and_then(|rows| rows.parse().ok()).unwrap_or(100_000)
}

const FEW: u64 = 1_000;
const PER_PAGE: u64 = 100;

fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn hex(seed: u64, digits: usize) -> String {
    let bytes: Vec<u8> =
        (0..4).flat_map(|block| mix(seed.wrapping_mul(31).wrapping_add(block)).to_be_bytes()).collect();
    let mut text = ::hex::encode(bytes);
    text.truncate(digits);
    text
}

fn uuid(seed: u64) -> String {
    let hex = hex(seed, 32);
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

const START: i64 = 1_700_000_000_000;

/// A row of a business with 20,000 wallets of 10,000 users on five chains.
fn transaction(number: u64) -> Transaction {
    let dice = |sides: u64, salt: u64| mix(number.wrapping_mul(977).wrapping_add(salt)) % sides;
    let wallet = dice(20_000, 2);
    let chains = [("ethereum", 6), ("base", 6), ("bsc", 18), ("polygon", 6), ("solana", 9)];
    let (chain, decimals) = chains[usize::try_from(wallet % 5).unwrap()];
    let (symbol, name) =
        [("USDT", "Tether USD"), ("USDC", "USD Coin"), ("ETH", "Ether")][usize::try_from(dice(3, 1)).unwrap()];
    let outgoing = dice(2, 3) == 1;
    let address = |seed: u64| Some(Text::clean(&format!("0x{}", hex(seed, 40))));
    let (own, other) = (address(wallet), address(number + 7_000_000));
    let (from_address, to_address) = if outgoing { (own, other) } else { (other, own) };
    let amount = |extra: u64| Amount::new(U256::from(1 + dice(5_000_000_000, 5) + extra), decimals).map(Stated::Exact);
    let text = |text: &str| Some(Text::clean(text));
    Transaction {
        id: TransactionId::read(&uuid(number)),
        direction: if outgoing { Direction::Outgoing } else { Direction::Incoming },
        sub_type: Some(if outgoing { SubType::Withdraw } else { SubType::Deposit }),
        status: Some(if dice(50, 4) == 0 { Status::Failed } else { Status::Success }),
        token: TokenKey {
            blockchain: Text::clean(chain),
            contract: text("0xdac17f958d2ee523a2206206994597c13d831ec7"),
        },
        symbol: Text::clean(symbol),
        token_name: text(name),
        standard: text("ERC20"),
        amount: amount(0),
        total_amount: amount(10),
        total_fee: Amount::new(U256::from(10), decimals).map(Stated::Exact),
        fee_token: text(symbol),
        fee_level: text("normal"),
        protocol: text("EVM"),
        environment: text("mainnet"),
        network: text("mainnet"),
        from_address,
        to_address,
        tx_hash: text(&format!("0x{}", hex(number + 9_000_000, 64))),
        confirmation: Some(12),
        confirmed: Some(true),
        confirmed_at: Some(Timestamp::from_millis(START + i64::try_from(number).unwrap() * 30_000)),
        created_at: None,
        is_batch: Some(false),
        ref_id: text(&format!("order-{number}")),
        idempotency_key: outgoing.then(|| Text::clean(&uuid(number + 3_000_000))),
        note: (dice(4, 6) == 0).then(|| Text::clean("payout of the week")),
        trigger_origin: text("api"),
        group: None,
        user: Some(UserId::read(&uuid(wallet / 2 + 50_000_000))),
        wallet: Some(WalletId::read(&uuid(wallet + 60_000_000))),
        account: Some(AccountId::read(&uuid(wallet % 2 + 70_000_000))),
    }
}

/// Reads a history into a store; every row stands in one list, the newest of which has number `rows`.
fn read(store: &Store, rows: u64) {
    let page = |wanted: &PageWanted| {
        let incoming = wanted.direction == Direction::Incoming;
        let from = if incoming { (wanted.page_no - 1) * PER_PAGE } else { rows };
        Page {
            items: (from..rows.min(from + PER_PAGE)).map(|above| transaction(rows - above)).collect(),
            unreadable: 0,
            page_no: Some(wanted.page_no),
            page_limit: Some(PER_PAGE),
            total_page: Some(if incoming { rows.div_ceil(PER_PAGE) } else { 0 }),
        }
    };
    let now = Timestamp::from_millis(START);
    let mut head = HeadRead::start(store).unwrap();
    while let Some(wanted) = head.wanted() {
        head.feed(&wanted, page(&wanted)).unwrap();
    }
    head.finish(now).unwrap();
    while !store.progress().unwrap().complete {
        let mut back = BackRead::start(store, 1_000).unwrap();
        while let Some(wanted) = back.wanted() {
            back.feed(&wanted, page(&wanted)).unwrap();
        }
        back.finish(now).unwrap();
    }
}

/// The folder of a filled cache; kept between runs, since filling a large one takes a while.
fn folder(rows: u64) -> PathBuf {
    std::env::temp_dir().join(format!("bursar-bench-{rows}"))
}

fn filled(rows: u64) -> Store {
    static SMALL: OnceLock<Store> = OnceLock::new();
    static LARGE: OnceLock<Store> = OnceLock::new();
    let cell = if rows == FEW { &SMALL } else { &LARGE };
    cell.get_or_init(|| {
        let store = Store::open(&Place::Folder(folder(rows))).unwrap().store;
        if !store.progress().unwrap().complete {
            read(&store, rows);
        }
        store
    })
    .clone()
}

fn sizes() -> [u64; 2] {
    [FEW, many()]
}

fn span(filter: &str, sort: Sort, anchor: Anchor) -> Span {
    Span { query: Query { scope: Scope::All, filter: filter.into(), sort }, anchor, rows: 120 }
}

fn answers(store: &Store, span: &Span) -> u64 {
    let mut count = 0;
    store
        .history(span, &Cancel::new(), &mut |window| count = window.count.number() + window.rows.len() as u64)
        .unwrap();
    count
}

#[divan::bench(args = sizes())]
fn window_in_the_middle(bencher: Bencher<'_, '_>, rows: u64) {
    let store = filled(rows);
    let mut rank = 0;
    bencher.bench_local(|| {
        rank = (rank + 7_919) % rows;
        answers(&store, &span("", Sort::Newest, Anchor::Rank(rank)))
    });
}

/// Everything that the guard is told of a payment, among 20,000 own wallets, and its judgement.
#[divan::bench(args = sizes())]
fn knowledge_of_a_payment(bencher: Bencher<'_, '_>, rows: u64) {
    let store = filled(rows);
    let wallet = store.wallets(&Scope::All, "", 0, 1).unwrap().rows.remove(0).entry;
    let says = Withdrawal {
        wallet: wallet.id.clone(),
        blockchain: wallet.blockchain.clone(),
        token: "USDC".into(),
        amount: "25".into(),
        to: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed".into(),
        ref_id: None,
        note: None,
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
    let (final_words, period) = (FinalWords::default(), std::time::Duration::from_secs(5));
    let (policy, book) = (bursar::domain::Policy::default(), bursar::domain::Book::default());
    let sources = Sources {
        store: &store,
        intents: &[],
        final_words: &final_words,
        expected_network: None,
        policy: &policy,
        book: &book,
        period,
    };
    bencher.bench_local(|| {
        let known = gather(&sources, &says, &sender, now).unwrap();
        judge(&Case { says: &says, sender: &sender, known: &known, now }).len()
    });
}

#[divan::bench(args = sizes())]
fn window_of_a_kept_search(bencher: Bencher<'_, '_>, rows: u64) {
    let store = filled(rows);
    answers(&store, &span("usdt", Sort::Newest, Anchor::Rank(0)));
    let mut rank = 0;
    bencher.bench_local(|| {
        rank = (rank + 7_919) % (rows / 4);
        answers(&store, &span("usdt", Sort::Newest, Anchor::Rank(rank)))
    });
}

/// Words that are found in a phrase, in texts, among hexadecimal digits, nowhere; each as a new search.
#[divan::bench(args = ["u", "usdt", "order-77", "payout", "zzz", "7", "ba", "3fa", "0xab12", "amount:250", "date:2025-", "from:2025-03 to:2025-04", "amount:>=1000", "12:03", "dir:in status:failed"])]
fn search(bencher: Bencher<'_, '_>, filter: &str) {
    let store = filled(many());
    bencher
        .with_inputs(|| {
            // Other searches push the kept answer out.
            for other in ["a1:", "a2:", "a3:", "a4:"] {
                answers(
                    &store,
                    &Span {
                        query: Query { scope: Scope::Wallet(WalletId::read(other)), ..Query::default() },
                        anchor: Anchor::Rank(0),
                        rows: 1,
                    },
                );
            }
        })
        .bench_local_values(|()| answers(&store, &span(filter, Sort::Newest, Anchor::Rank(0))));
}

/// The first screenful of the same.
#[divan::bench(args = ["u", "usdt", "order-77", "payout", "7", "ba", "3fa"])]
fn first_screenful(bencher: Bencher<'_, '_>, filter: &str) {
    let store = filled(many());
    bencher.bench_local(|| {
        let cancel = Cancel::new();
        let mut rows = 0;
        let _ = store.history(&span(filter, Sort::Newest, Anchor::Rank(0)), &cancel, &mut |window| {
            rows = window.rows.len();
            cancel.cancel();
        });
        black_box(rows)
    });
}

#[divan::bench(args = sizes())]
fn sorted_by_amount(bencher: Bencher<'_, '_>, rows: u64) {
    let store = filled(rows);
    bencher
        .with_inputs(|| {
            for other in ["a1:", "a2:", "a3:", "a4:"] {
                answers(
                    &store,
                    &Span {
                        query: Query { scope: Scope::Wallet(WalletId::read(other)), ..Query::default() },
                        anchor: Anchor::Rank(0),
                        rows: 1,
                    },
                );
            }
        })
        .bench_local_values(|()| answers(&store, &span("", Sort::Largest, Anchor::Rank(0))));
}

/// What an account with half of all wallets holds, after something was written.
#[divan::bench(args = sizes())]
fn holdings_of_an_account(bencher: Bencher<'_, '_>, rows: u64) {
    let store = filled(rows);
    let user = UserId::read(&uuid(50_000_001));
    let scope = Scope::Account(AccountId::read(&uuid(70_000_001)));
    bencher
        .with_inputs(|| store.keep_balances(&user, &[], Timestamp::from_millis(START)).unwrap())
        .bench_local_values(|()| store.holdings(&scope).unwrap());
}

/// A letter typed in the pane of wallets.
#[divan::bench(args = sizes())]
fn wallets_that_contain(bencher: Bencher<'_, '_>, rows: u64) {
    let store = filled(rows);
    bencher.bench_local(|| store.wallets(&Scope::All, "a7", 0, 60).unwrap());
}

/// Opening and the first window, as a start does it.
#[divan::bench(args = sizes())]
fn open_and_first_window(bencher: Bencher<'_, '_>, rows: u64) {
    let copy = std::env::temp_dir().join(format!("bursar-bench-copy-{rows}"));
    if !copy.exists() {
        drop(filled(rows));
        std::fs::create_dir_all(&copy).unwrap();
        for file in ["cache.db", "cache.db-wal"] {
            let from = folder(rows).join(file);
            if from.exists() {
                std::fs::copy(from, copy.join(file)).unwrap();
            }
        }
    }
    let place = Place::Folder(copy);
    bencher.bench_local(|| {
        let store = Store::open(&place).unwrap().store;
        answers(&store, &span("", Sort::Newest, Anchor::Rank(0)))
    });
}

/// The first read of 10,000 rows, their making not counted.
#[divan::bench(sample_count = 5)]
fn first_read_of_10_000(bencher: Bencher<'_, '_>) {
    let rows: Vec<Transaction> = (1..=10_000).rev().map(transaction).collect();
    let page = |wanted: &PageWanted| {
        let incoming = wanted.direction == Direction::Incoming;
        let from = usize::try_from((wanted.page_no - 1) * PER_PAGE).unwrap();
        let items = if incoming { rows.iter().skip(from).take(100).cloned().collect() } else { Vec::new() };
        Page { items, unreadable: 0, page_no: Some(wanted.page_no), page_limit: Some(PER_PAGE), total_page: Some(100) }
    };
    bencher.bench_local(|| {
        let store = Store::open(&Place::Temporary).unwrap().store;
        let now = Timestamp::from_millis(START);
        let mut head = HeadRead::start(&store).unwrap();
        while let Some(wanted) = head.wanted() {
            head.feed(&wanted, page(&wanted)).unwrap();
        }
        head.finish(now).unwrap();
        while !store.progress().unwrap().complete {
            let mut back = BackRead::start(&store, 1_000).unwrap();
            while let Some(wanted) = back.wanted() {
                back.feed(&wanted, page(&wanted)).unwrap();
            }
            back.finish(now).unwrap();
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
    use super::{Direction, Stated, Status, SubType, Transaction};

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
                    let amount = |stated: &Option<Stated>| stated.as_ref().map(|stated| stated.raw().raw().to_string());
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
