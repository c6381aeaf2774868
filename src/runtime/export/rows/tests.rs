//! Rows of every kind: each has a cell for each column, unknown is empty, and nothing that a stranger wrote is a formula.

use super::*;
use crate::app::ExportRows;
use crate::app::pages::Tone;
use crate::app::pages::events::pane::{EVENT_COLUMNS, event_cells};
use crate::app::pages::markets::panes::{
    CHAIN_COLUMNS, PAIR_COLUMNS, TOKEN_COLUMNS, chain_cells, pair_cells, token_cells,
};
use crate::app::pages::users::DepositAddress;
use crate::app::pages::users::exported_columns::{
    ADDRESS_COLUMNS, ASSET_COLUMNS, DEPOSIT_COLUMNS, RowOwner, TRANSFER_COLUMNS, address_cells, asset_cells,
    deposit_cells, transfer_cells,
};
use crate::app::session::events::{EventKind, Events};
use crate::domain::DatedRate;
use crate::domain::book::{self, Contact};
use crate::domain::entry_source::{EntryField, EntryFieldSet, EntrySource as Told, Sourced};
use crate::domain::export::balances::{BALANCE_COLUMNS, balance_cells};
use crate::domain::export::book::{BOOK_COLUMNS, book_rows};
use crate::domain::export::cells::ExportTable;
use crate::domain::export::directory::{ACCOUNT_COLUMNS, account_cells};
use crate::domain::history::{Query, Scope};
use crate::domain::v1::{AssetBalance, Movement, Quote, SwapPair, Transfer};
use crate::domain::{
    Account, AccountId, Amount, BalanceBasis, Blockchain, ExportFormat, Holding, Rate, ReportedAmount, Text, Token,
    TokenKey, TransactionId, User, UserId, Wallet, WalletId,
};
use crate::store::CacheLocation;

/// What a stranger may have written.
const FORMULA: &str = "=HYPERLINK(1)";

fn now() -> Timestamp {
    Timestamp::parse_iso("2026-11-02T12:03:20Z").unwrap()
}

fn store() -> Store {
    Store::open(&CacheLocation::Memory).unwrap().store
}

fn export_text(store: &Store, rows: &ExportRows, format: ExportFormat) -> String {
    let mut out = Vec::new();
    let cancel = Cancel::new();
    let source = ExportRequest {
        store,
        rows,
        format: format.into(),
        now: now(),
        cancel: &cancel,
        names: &AddressNames::default(),
    };
    let count = write_rows(&source, &mut out, &|_, _| {}).unwrap();
    let text = String::from_utf8(out).unwrap();
    let lines = csv::Reader::from_reader(text.as_bytes()).records().count() as u64;
    assert!(format == ExportFormat::Json || lines == count, "{count} told of\n{text}");
    text
}

/// The only row, by its columns; what is empty is left out.
fn single_exported_row(rows: &ExportRows) -> Vec<(String, String)> {
    let text = export_text(&store(), rows, ExportFormat::Csv);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let columns = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let [row] = rows.as_slice() else { panic!("{text}") };
    let cells = columns.iter().zip(row).filter(|(_, cell)| !cell.is_empty());
    cells.map(|(column, cell)| (column.to_owned(), cell.to_owned())).collect()
}

#[track_caller]
fn assert_exported_row(rows: &ExportRows, expected: &[(&str, &str)]) {
    let cells = single_exported_row(rows);
    let cells: Vec<(&str, &str)> = cells.iter().map(|(column, cell)| (column.as_str(), cell.as_str())).collect();
    assert_eq!(cells, expected);
}

fn sourced_entry<T>(entry: T, source: Told, imported: &[EntryField]) -> Sourced<T> {
    Sourced {
        entry,
        source,
        imported_fields: imported.iter().copied().collect::<EntryFieldSet>(),
        conflicting_addresses: Vec::new(),
    }
}

fn wallet(id: &str) -> Wallet {
    Wallet::new(WalletId::from_text(id), Text::default())
}

fn user(id: &str, name: Option<&str>) -> User {
    User {
        id: UserId::from_text(id),
        display_name: name.map(Text::clean),
        ref_id: None,
        email: None,
        is_active: None,
        created_at: None,
    }
}

fn reported_amount(amount: &str) -> ReportedAmount {
    ReportedAmount::Exact(Amount::parse(amount, 6).unwrap())
}

fn owner() -> RowOwner {
    RowOwner {
        user: Some(UserId::from_text("u-1")),
        name: Some(FORMULA.into()),
        as_of: Some(now()),
        imitations: vec!["USDТ".into()],
    }
}

fn table<const N: usize>(columns: &'static [&'static str], row: [Cell; N]) -> ExportRows {
    ExportTable::new("rows", columns, [row]).into()
}

#[test]
fn an_entry_of_the_directory_says_where_it_is_known_from_and_what_stands_by_an_import() {
    let account = Account { name: Some(FORMULA.into()), ..Account::new(AccountId::from_text("a-1")) };
    assert_exported_row(
        &table(ACCOUNT_COLUMNS, account_cells(&sourced_entry(account, Told::Imported, &[EntryField::Network]))),
        &[
            ("account", "a-1"),
            ("account_name", "'=HYPERLINK(1)"),
            ("known_from", "imported"),
            ("by_import_alone", "network"),
        ],
    );
    let store = store();
    store.save_wallets(&[Wallet { address: Some("0xabc".into()), ..wallet("w-1") }], Told::Imported).unwrap();
    store
        .save_users(&[user("u-1", Some("@ada")), user("u-2", None), user("u-3", Some("Grace"))], Told::Listed)
        .unwrap();
    let text = export_text(&store, &ExportRows::Wallets(Scope::All, String::new()), ExportFormat::Csv);
    assert_eq!(text.lines().last(), Some("w-1,,,0xabc,,,,,,,,,,,,,,,,imported,address"), "{text}");
    let text = export_text(&store, &ExportRows::Users(String::new()), ExportFormat::Csv);
    assert_eq!(
        text.lines().skip(1).collect::<Vec<_>>(),
        ["u-1,'@ada,,,,,listed", "u-3,Grace,,,,,listed", "u-2,,,,,,listed"]
    );
    let text = export_text(&store, &ExportRows::Users("GRA".into()), ExportFormat::Json);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((json.as_array().unwrap().len(), &json[0]["user"]), (1, &"u-3".into()));
    assert_eq!(json[0]["email"], serde_json::Value::Null);
}

#[test]
fn what_is_asked_of_the_store_is_written_whole_and_withdrawn_between_two_rows() {
    let store = store();
    let users: Vec<User> = (0..12_000).map(|number| user(&format!("u-{number:05}"), None)).collect();
    store.save_users(&users, Told::Listed).unwrap();
    let (rows, cancel) = (ExportRows::Users(String::new()), Cancel::new());
    let source = ExportRequest {
        store: &store,
        rows: &rows,
        format: ExportFormat::Csv.into(),
        now: now(),
        cancel: &cancel,
        names: &AddressNames::default(),
    };
    let progress = std::cell::RefCell::new(Vec::new());
    let count = write_rows(&source, io::sink(), &|rows, of| progress.borrow_mut().push((rows, of))).unwrap();
    assert_eq!((count, progress.take()), (12_000, vec![(5_000, 12_000), (10_000, 12_000)]));
    let withdrawn = write_rows(&source, io::sink(), &|_, _| cancel.cancel());
    assert!(matches!(withdrawn, Err(ExportError::Store(StoreError::Cancelled))), "{withdrawn:?}");
}

#[test]
fn a_balance_names_whose_it_is_and_what_is_not_known_stays_empty() {
    let holding = Holding {
        token: TokenKey::new("base", None),
        symbol: FORMULA.into(),
        name: None,
        amount: None,
        basis: BalanceBasis::Unknown,
        as_of: None,
        suspicious: false,
    };
    let rows = |scope, holding: &Holding| table(BALANCE_COLUMNS, balance_cells(&scope, Some(&"-x".into()), holding));
    let rest =
        [("blockchain", "base"), ("token", "'=HYPERLINK(1)"), ("known", "unknown"), ("imitates_a_token", "false")];
    for (scope, id, name) in [
        (Scope::Account(AccountId::from_text("a-1")), ("account", "a-1"), ("account_name", "'-x")),
        (Scope::Wallet(WalletId::from_text("w-1")), ("wallet", "w-1"), ("wallet_name", "'-x")),
        (Scope::User(UserId::from_text("u-1")), ("user", "u-1"), ("user_name", "'-x")),
    ] {
        let mut expected = rest.to_vec();
        let at = if id.0 == "account" { 0 } else { expected.len() };
        expected.splice(at..at, [id, name]);
        assert_exported_row(&rows(scope, &holding), &expected);
    }
    assert_exported_row(&rows(Scope::All, &holding), &rest);
    let exact = Holding {
        amount: Some(reported_amount("1204331.204512")),
        basis: BalanceBasis::Reported,
        as_of: Some(now()),
        ..holding
    };
    let cells = single_exported_row(&rows(Scope::All, &exact));
    let amount = |column| cells.iter().find(|(name, _)| name == column).map(|(_, cell)| cell.as_str());
    assert_eq!((amount("amount"), amount("amount_raw")), (Some("1204331.204512"), Some("1204331204512")));
    assert_eq!((amount("known"), amount("as_of")), (Some("stated"), Some("2026-11-02T12:03:20.000Z")));
}

#[test]
fn what_version_1_tells_of_a_user_carries_its_time_and_its_doubts() {
    let user_columns = [("user", "u-1"), ("user_name", "'=HYPERLINK(1)")];
    let as_of = ("as_of", "2026-11-02T12:03:20.000Z");
    let asset =
        AssetBalance { coin: "USDT".into(), balance: Some(reported_amount("0.5")), frozen: None, updated_at: None };
    let mut expected = user_columns.to_vec();
    expected.extend([
        ("coin", "USDT"),
        ("imitates_a_token", "false"),
        ("balance", "0.5"),
        ("balance_raw", "500000"),
        ("balance_decimals", "6"),
        as_of,
    ]);
    assert_exported_row(&table(ASSET_COLUMNS, asset_cells(&owner(), &asset)), &expected);

    let deposit = Movement {
        id: TransactionId::from_text("d-1"),
        workspace: None,
        destination: None,
        from_wallet: None,
        to_wallet: None,
        coin: "USDТ".into(),
        chain: Some("tron".into()),
        network: None,
        amount: Some(reported_amount("25")),
        status: None,
        network_fee: None,
        confirmation: Some(3),
        created_at: None,
        updated_at: None,
        client_tx_id: None,
        from_address: None,
        to_address: None,
        hash: None,
        link: None,
        tag_memo: Some("+1".into()),
        unreadable: Vec::new(),
    };
    let mut expected = user_columns.to_vec();
    expected.extend([
        ("id", "d-1"),
        ("confirmations", "3"),
        ("blockchain", "tron"),
        ("coin", "USDТ"),
        ("imitates_a_token", "true"),
        ("amount", "25"),
        ("amount_raw", "25000000"),
        ("decimals", "6"),
        ("tag", "'+1"),
        as_of,
    ]);
    assert_exported_row(
        &table(DEPOSIT_COLUMNS, deposit_cells(&owner(), &deposit, &AddressNames::default())),
        &expected,
    );

    let transfer = Transfer {
        id: TransactionId::from_text("t-1"),
        workspace: None,
        client_tx_id: Some("@r".into()),
        from_wallet: Some(UserId::from_text("u-1")),
        to_wallet: None,
        coin: "USDT".into(),
        amount: None,
        status: None,
        network_fee: Some(reported_amount("0.1")),
        tag_memo: None,
        confirmed: Some(false),
        confirmed_at: None,
        created_at: None,
    };
    let mut expected = user_columns.to_vec();
    expected.extend([
        ("id", "t-1"),
        ("confirmed", "false"),
        ("coin", "USDT"),
        ("imitates_a_token", "false"),
        ("network_fee", "0.1"),
        ("from_wallet", "u-1"),
        ("client_tx_id", "'@r"),
        as_of,
    ]);
    assert_exported_row(&table(TRANSFER_COLUMNS, transfer_cells(&owner(), &transfer)), &expected);

    let address = DepositAddress {
        chain: "tron".into(),
        address: "TQ8h".into(),
        tag: None,
        coins: vec!["USDT".into(), "=TRX".into()],
        wallet: None,
        wallet_id: None,
        is_wallet_address: false,
    };
    let mut expected = user_columns.to_vec();
    expected.extend([("blockchain", "tron"), ("address", "TQ8h"), ("coins", "USDT\n=TRX"), ("known_from", "deposits")]);
    assert_exported_row(
        &table(ADDRESS_COLUMNS, address_cells(&RowOwner { as_of: None, ..owner() }, &address)),
        &expected,
    );
}

#[test]
fn what_markets_tell_is_exact_and_a_price_has_its_time() {
    let chain = Blockchain {
        slug: "base".into(),
        name: "Base".into(),
        symbol: Some("ETH".into()),
        decimals: Some(6),
        protocol: None,
        chain_id: Some(8453),
        is_testnet: Some(false),
        standards: vec!["ERC20".into()],
        block_explorer: None,
    };
    let token = Token {
        symbol: "USDC".into(),
        name: FORMULA.into(),
        decimals: None,
        is_native: Some(false),
        standards: Vec::new(),
        blockchains: vec![chain.clone()],
    };
    for (symbol, imitates) in [("USDC", "false"), ("U\u{405}DC", "true")] {
        assert_exported_row(
            &table(TOKEN_COLUMNS, token_cells(&Token { symbol: symbol.into(), ..token.clone() })),
            &[
                ("token", symbol),
                ("token_name", "'=HYPERLINK(1)"),
                ("is_native", "false"),
                ("blockchains", "base"),
                ("imitates_a_token", imitates),
            ],
        );
    }
    assert_exported_row(
        &table(CHAIN_COLUMNS, chain_cells(&"USDC".into(), &chain)),
        &[
            ("token", "USDC"),
            ("blockchain", "base"),
            ("blockchain_name", "Base"),
            ("native_token", "ETH"),
            ("decimals", "6"),
            ("standards", "ERC20"),
            ("chain_id", "8453"),
            ("is_testnet", "false"),
        ],
    );
    let quote = Quote {
        from_coin: "ETH".into(),
        from_amount: ReportedAmount::Exact(Amount::parse("1", 0).unwrap()),
        to_coin: "USDC".into(),
        to_amount: ReportedAmount::Exact(Amount::parse("3148.024517", 6).unwrap()),
        fee: None,
        swap_price: None,
    };
    let pair = SwapPair { from: "ETH".into(), to: "USDC".into() };
    let quoted = DatedRate { rate: Rate::from_swap_quote(&quote).unwrap(), at: now() };
    assert_exported_row(
        &table(PAIR_COLUMNS, pair_cells(&pair, Some(quoted))),
        &[
            ("from", "ETH"),
            ("to", "USDC"),
            ("indicative_rate", "3148.024517"),
            ("quoted_at", "2026-11-02T12:03:20.000Z"),
            ("imitates_a_token", "false"),
        ],
    );
    for (to, imitates) in [("USDC", "false"), ("U\u{405}DC", "true")] {
        let pair = SwapPair { to: to.into(), ..pair.clone() };
        assert_exported_row(
            &table(PAIR_COLUMNS, pair_cells(&pair, None)),
            &[("from", "ETH"), ("to", to), ("imitates_a_token", imitates)],
        );
    }
}

#[test]
fn events_and_the_book_are_written_as_they_stand() {
    let mut events = Events::default();
    for _ in 0..2 {
        events.record(now(), EventKind::Connection, Tone::Text, FORMULA.into(), None);
    }
    assert_exported_row(
        &table(EVENT_COLUMNS, event_cells(events.all().next().unwrap())),
        &[
            ("at", "2026-11-02T12:03:20.000Z"),
            ("first_at", "2026-11-02T12:03:20.000Z"),
            ("times", "2"),
            ("about", "link"),
            ("words", "'=HYPERLINK(1)"),
        ],
    );
    let contact = Contact {
        name: FORMULA.into(),
        address: "0xabc".into(),
        blockchain: "base".into(),
        tag: None,
        note: Some("-".into()),
    };
    let entry = book::BookEntry { contact, entered_at: now(), effective_since: now() };
    assert_exported_row(
        &ExportTable::new("book", &BOOK_COLUMNS, book_rows([&entry].into_iter(), &[])).into(),
        &[("name", "'=HYPERLINK(1)"), ("address", "0xabc"), ("chain", "base"), ("note", "'-"), ("kind", "contact")],
    );
}

#[test]
fn the_history_is_written_by_what_finds_it_and_by_places() {
    let store = store();
    for rows in [ExportRows::Matching(Query::default()), ExportRows::Marked(Vec::new())] {
        let text = export_text(&store, &rows, ExportFormat::Csv);
        assert_eq!((text.lines().count(), file_stem(&rows)), (1, "transactions"), "{text}");
    }
}
