//! A business to measure with: 20,000 wallets of 10,000 users in two accounts, where there are rows enough for them.

#![expect(clippy::unwrap_used, reason = "a benchmark ends with its first surprise")]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use bursar::domain::entry_source::{EntrySource, Sourced};
use bursar::domain::history::{Page, Query, Scope, Sort, TransactionPageRequest, WindowAnchor, WindowRequest};
use bursar::domain::{
    AccountId, Amount, Blockchain, Direction, ReportedAmount, ReportedBalance, Status, SubType, Text, Timestamp, Token,
    TokenKey, Transaction, TransactionId, User, UserId, Wallet, WalletId,
};
use bursar::store::{BackfillRead, BalanceReading, CacheLocation, Cancel, LatestRead, Store, SyncResult};
use ruint::aliases::U256;

/// How many rows are many: `BURSAR_ROWS`, or 100,000.
pub(crate) fn many() -> u64 {
    std::env::var("BURSAR_ROWS").ok().and_then(|rows| rows.parse().ok()).unwrap_or(100_000)
}

/// How many are few.
pub(crate) const FEW: u64 = 1_000;
/// Rows of a page.
pub(crate) const PER_PAGE: u64 = 100;

pub(crate) fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

pub(crate) fn hex(seed: u64, digits: usize) -> String {
    let bytes: Vec<u8> =
        (0..4).flat_map(|block| mix(seed.wrapping_mul(31).wrapping_add(block)).to_be_bytes()).collect();
    let mut text = ::hex::encode(bytes);
    text.truncate(digits);
    text
}

pub(crate) fn uuid(seed: u64) -> String {
    let hex = hex(seed, 32);
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// When the first row is dated, in milliseconds.
pub(crate) const START: i64 = 1_700_000_000_000;

/// A row of a business with 20,000 wallets of 10,000 users on five chains.
pub(crate) fn transaction(number: u64) -> Transaction {
    let dice = |sides: u64, salt: u64| mix(number.wrapping_mul(977).wrapping_add(salt)) % sides;
    let wallet = dice(20_000, 2);
    let (chain, decimals) = CHAINS[usize::try_from(wallet % 5).unwrap()];
    let (symbol, name) =
        [("USDT", "Tether USD"), ("USDC", "USD Coin"), ("ETH", "Ether")][usize::try_from(dice(3, 1)).unwrap()];
    let outgoing = dice(2, 3) == 1;
    let address = |seed: u64| Some(Text::clean(&format!("0x{}", hex(seed, 40))));
    let (own, other) = (address(wallet), address(number + 7_000_000));
    let (from_address, to_address) = if outgoing { (own, other) } else { (other, own) };
    let amount =
        |extra: u64| Amount::new(U256::from(1 + dice(5_000_000_000, 5) + extra), decimals).map(ReportedAmount::Exact);
    let text = |text: &str| Some(Text::clean(text));
    Transaction {
        id: TransactionId::from_text(&uuid(number)),
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
        total_fee: Amount::new(U256::from(10), decimals).map(ReportedAmount::Exact),
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
        user: Some(UserId::from_text(&uuid(wallet / 2 + 50_000_000))),
        wallet: Some(WalletId::from_text(&uuid(wallet + 60_000_000))),
        account: Some(AccountId::from_text(&uuid(wallet % 2 + 70_000_000))),
        unreadable: Vec::new(),
    }
}

/// A page of a history of so many rows, which all stand in one list, the newest first.
pub(crate) fn page(rows: u64, request: &TransactionPageRequest) -> Page<Transaction> {
    let incoming = request.direction == Direction::Incoming;
    let from = if incoming { (request.page_no - 1) * PER_PAGE } else { rows };
    Page {
        items: (from..rows.min(from + PER_PAGE)).map(|above| transaction(rows - above)).collect(),
        unreadable: 0,
        page_no: Some(request.page_no),
        page_limit: Some(PER_PAGE),
        total_page: Some(if incoming { rows.div_ceil(PER_PAGE) } else { 0 }),
    }
}

/// A look at the head of a history that has so many rows by now.
pub(crate) fn look(store: &Store, rows: u64) -> SyncResult {
    let mut head = LatestRead::start(store).unwrap();
    while let Some(request) = head.next_page() {
        head.add_page(&request, page(rows, &request)).unwrap();
    }
    head.finish(Timestamp::from_millis(START)).unwrap()
}

/// Reads a history into a store, lists tokens, and states what every user holds.
fn fill(store: &Store, rows: u64) {
    let now = Timestamp::from_millis(START);
    look(store, rows);
    while !store.progress().unwrap().complete {
        let mut backfill = BackfillRead::start(store, 1_000).unwrap();
        while let Some(request) = backfill.next_page() {
            backfill.add_page(&request, page(rows, &request)).unwrap();
        }
        backfill.finish(now).unwrap();
    }
    store.save_tokens(&tokens(), now).unwrap();
    let count = store.users(&Scope::All, "", 0, 1).unwrap().count.number();
    let users = store.users(&Scope::All, "", 0, u32::try_from(count).unwrap()).unwrap();
    store.save_users(&(0..).zip(&users.rows).map(named_user).collect::<Vec<_>>(), EntrySource::Listed).unwrap();
    let count = store.wallets(&Scope::All, "", 0, 1).unwrap().count.number();
    let wallets = store.wallets(&Scope::All, "", 0, u32::try_from(count).unwrap()).unwrap();
    store.save_wallets(&(0..).zip(&wallets.rows).map(named_wallet).collect::<Vec<_>>(), EntrySource::Listed).unwrap();
    for some in users.rows.chunks(500) {
        let readings: Vec<BalanceReading> = some.iter().map(|sourced| reading(&sourced.entry.id, 7)).collect();
        store.save_balance_readings(&readings).unwrap();
    }
}

fn named_user((nth, sourced): (u64, &Sourced<User>)) -> User {
    User { display_name: Some(Text::clean(&format!("Customer {nth}"))), ..sourced.entry.clone() }
}

/// One in a thousand is found by the letters that the filters of this benchmark begin with.
fn named_wallet((nth, sourced): (u64, &Sourced<Wallet>)) -> Wallet {
    let label = if nth % 1_000 == 0 { "usd reserve" } else { "deposits" };
    Wallet { name: Some(Text::clean(&format!("{label} {nth}"))), ..sourced.entry.clone() }
}

const CHAINS: [(&str, u8); 5] = [("ethereum", 6), ("base", 6), ("bsc", 18), ("polygon", 6), ("solana", 9)];

/// What a user holds, `raw` of everything.
pub(crate) fn reading(user: &UserId, raw: u64) -> BalanceReading {
    let balance = |(chain, decimals): &(&str, u8)| ReportedBalance {
        user: user.clone(),
        token: TokenKey {
            blockchain: Text::clean(chain),
            contract: Some(Text::clean("0xdac17f958d2ee523a2206206994597c13d831ec7")),
        },
        symbol: Text::clean("USDT"),
        name: Some(Text::clean("Tether USD")),
        amount: ReportedAmount::Exact(Amount::new(U256::from(raw), *decimals).unwrap()),
        environment: None,
        updated_at: None,
    };
    BalanceReading {
        user: user.clone(),
        balances: CHAINS.iter().map(balance).collect(),
        at: Timestamp::from_millis(START),
    }
}

fn tokens() -> Vec<Token> {
    let symbols = ["USDT", "USDC", "ETH", "BNB", "SOL", "POL", "DAI", "LINK", "BTC", "TRX"];
    let on = |(chain, decimals): &(&str, u8)| Blockchain {
        slug: Text::clean(chain),
        name: Text::clean(chain),
        symbol: None,
        decimals: Some(*decimals),
        protocol: None,
        chain_id: None,
        is_testnet: None,
        standards: Vec::new(),
        block_explorer: None,
    };
    let token = |symbol: &&str| Token {
        symbol: Text::clean(symbol),
        name: Text::clean(&format!("{symbol} coin")),
        decimals: None,
        is_native: None,
        standards: Vec::new(),
        blockchains: CHAINS.iter().map(on).collect(),
    };
    symbols.iter().map(token).collect()
}

/// The folder of a filled cache; kept between runs, since filling a large one takes a while.
pub(crate) fn folder(rows: u64) -> PathBuf {
    std::env::temp_dir().join(format!("bursar-bench-{rows}"))
}

/// The cache of few rows or of many, open.
pub(crate) fn filled_store(rows: u64) -> Store {
    static SMALL: OnceLock<Store> = OnceLock::new();
    static LARGE: OnceLock<Store> = OnceLock::new();
    let cell = if rows == FEW { &SMALL } else { &LARGE };
    cell.get_or_init(|| {
        let store = Store::open(&CacheLocation::Folder(folder(rows))).unwrap().store;
        if store.tokens().unwrap().is_none() {
            fill(&store, rows);
        }
        store
    })
    .clone()
}

/// A copy of it that may be changed.
pub(crate) fn copy(rows: u64, name: &str) -> PathBuf {
    drop(filled_store(rows));
    let copy = std::env::temp_dir().join(format!("bursar-bench-{name}-{rows}"));
    let _not_there_the_first_time = std::fs::remove_dir_all(&copy);
    std::fs::create_dir_all(&copy).unwrap();
    for file in ["cache.db", "cache.db-wal"] {
        let from: &Path = &folder(rows).join(file);
        if from.exists() {
            std::fs::copy(from, copy.join(file)).unwrap();
        }
    }
    copy
}

/// A window of 120 rows.
pub(crate) fn span(filter: &str, sort: Sort, anchor: WindowAnchor) -> WindowRequest {
    WindowRequest {
        query: Query { scope: Scope::All, filter: filter.into(), sort, ..Query::default() },
        anchor,
        rows: 120,
    }
}

/// Asks for a window until all of it is counted.
pub(crate) fn answers(store: &Store, span: &WindowRequest) -> u64 {
    let mut count = 0;
    store
        .query_history(span, &Cancel::new(), &mut |window| count = window.count.number() + window.rows.len() as u64)
        .unwrap();
    count
}

/// Pushes every kept answer out by others, so that the next question is a new search.
pub(crate) fn forget(store: &Store) {
    for other in ["a1:", "a2:", "a3:", "a4:"] {
        let query = Query { scope: Scope::Wallet(WalletId::from_text(other)), ..Query::default() };
        answers(store, &WindowRequest { query, anchor: WindowAnchor::Rank(0), rows: 1 });
    }
}
