//! Each list says what it would write, and hands out the rows that it shows.

use crossterm::event::KeyCode;

use super::*;
use crate::app::forms::tests::account_order as order;
use crate::app::model::{Page, Settings};
use crate::app::orders::MAX_CLOSED_ORDERS;
use crate::app::overlays::export::list::balance_table;
use crate::app::overlays::export::{ExportTarget, FileFormat};
use crate::app::overlays::palette;
use crate::app::pages::Tone;
use crate::app::pages::overview::balances;
use crate::app::pages::users::DepositAddress;
use crate::app::screen::{Pane, Size};
use crate::app::session::events::EventKind;
use crate::app::{Effect, Msg, StoreQuery, StoreResult, update};
use crate::domain::entry_source::{EntryFieldSet, EntrySource, Sourced};
use crate::domain::export::cells::ExportTable;
use crate::domain::export::directory::{ACCOUNT_COLUMNS, account_cells};
use crate::domain::history::{HistoryRow, Scope, Window};
use crate::domain::order::{ConsoleIdentity, EventStamp, OrderEnd, OrderEvent};
use crate::domain::v1::SwapPair;
use crate::domain::{
    Account, AccountId, BalanceBasis, Blockchain, Direction, ExportFormat, OrderId, SubType, Text, Token, TokenKey,
    Transaction, User, UserId, Wallet, WalletId,
};
use crate::domain::{Holding, Timestamp};

fn now() -> Timestamp {
    Timestamp::from_millis(1_790_000_000_000)
}

fn model() -> Model {
    let mut model = Model::new(Settings::sample(), Size { width: 120, height: 36 }, now());
    model.data.is_connected = true;
    model
}

fn listed_by_service<T>(entry: T) -> Sourced<T> {
    Sourced {
        entry,
        source: EntrySource::Listed,
        imported_fields: EntryFieldSet::default(),
        conflicting_addresses: Vec::new(),
    }
}

fn account(id: &str, name: Option<&str>) -> Sourced<Account> {
    listed_by_service(Account { name: name.map(Text::clean), ..Account::new(AccountId::from_text(id)) })
}

fn wallet(id: &str, name: &str) -> Sourced<Wallet> {
    listed_by_service(Wallet {
        name: Some(name.into()),
        address: Some("0xabc".into()),
        ..Wallet::new(WalletId::from_text(id), "base".into())
    })
}

fn user(id: &str, name: Option<&str>) -> Sourced<User> {
    listed_by_service(User {
        id: UserId::from_text(id),
        display_name: name.map(Text::clean),
        ref_id: None,
        email: None,
        is_active: None,
        created_at: None,
    })
}

fn holding(symbol: &str, suspicious: bool) -> Holding {
    Holding {
        token: TokenKey::new("base", Some(symbol)),
        symbol: symbol.into(),
        name: None,
        amount: None,
        basis: BalanceBasis::Unknown,
        as_of: None,
        suspicious,
    }
}

fn token(symbol: &str) -> Token {
    Token {
        blockchains: vec![Blockchain { name: "Base".into(), ..Blockchain::test_blockchain("base") }],
        ..Token::test_token(symbol, &[])
    }
}

fn press(model: &mut Model, keys: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    for key in keys.chars() {
        effects = update(model, Msg::Key(KeyCode::Char(key).into()));
    }
    effects
}

fn press_enter(model: &mut Model) -> Vec<Effect> {
    update(model, Msg::Key(KeyCode::Enter.into()))
}

/// Presses `x` over a pane, and gives what the form says and the rows that Enter has written.
#[track_caller]
fn export_pane(model: &mut Model, pane: Pane) -> (String, ExportRows) {
    model.page = Page::ALL.into_iter().find(|page| page.panes().contains(&pane)).unwrap();
    model.set_focus(pane);
    press(model, "x");
    let Mode::Export(form) = &mut model.mode else { panic!("{pane:?}: {:?}", model.notice) };
    let description = form.description.clone();
    form.folder = Some("/tmp".into());
    let mut effects = press_enter(model);
    model.overlays.exports.progress = None;
    match effects.pop() {
        Some(Effect::Export {
            rows,
            target: ExportTarget::Folder(_),
            format: FileFormat::Table(ExportFormat::Csv),
            ..
        }) => (description, rows),
        other => panic!("{pane:?}: {other:?}"),
    }
}

/// The cells of a column, an empty one where the row has none.
#[track_caller]
fn column<'a>(rows: &'a ExportRows, name: &str) -> Vec<&'a str> {
    let ExportRows::Table(table) = rows else { panic!("{rows:?}") };
    let at = table.columns.iter().position(|column| *column == name).unwrap();
    table.rows.iter().map(|row| row[at].as_deref().unwrap_or_default()).collect()
}

#[test]
fn the_lists_of_the_overview_are_written_as_they_are_narrowed() {
    let mut model = model();
    let accounts = vec![account("a-1", Some("Treasury")), account("a-2", None)];
    model.pages.overview.accounts.apply_window(Window::whole(accounts.clone()));
    assert_eq!(
        export_pane(&mut model, Pane::Accounts),
        ("2 accounts".into(), ExportTable::new("accounts", ACCOUNT_COLUMNS, accounts.iter().map(account_cells)).into())
    );

    let scope = Scope::Account(AccountId::from_text("a-1"));
    model.pages.overview.wallets.apply_window(Window {
        first: 0,
        rows: vec![wallet("w-1", "eth-main")],
        count: RowCount::Exact(1_203),
    });
    model.pages.overview.wallets_scope = scope.clone();
    model.pages.overview.wallet_filter = "eth".into();
    // Of what may be too much to be held the question goes along.
    assert_eq!(
        export_pane(&mut model, Pane::Wallets),
        ("1,203 wallets of Treasury, filtered by eth".into(), ExportRows::Wallets(scope.clone(), "eth".into()))
    );

    model.pages.overview.balances.all = vec![holding("USDC", false), holding("ETH", false), holding("USDС", true)];
    model.pages.overview.balances.scope = scope.clone();
    balances::refresh_balance_rows(&mut model);
    let (description, rows) = export_pane(&mut model, Pane::Balances);
    assert_eq!(description, "2 balances of Treasury; 1 imitation token is hidden (h) and left out");
    // By value, and what has no price by its name.
    let holdings = vec![holding("ETH", false), holding("USDC", false)];
    assert_eq!(rows, balance_table(&model, &scope, &holdings));
    assert_eq!(column(&rows, "account_name"), ["Treasury", "Treasury"]);
    press(&mut model, "h");
    let (description, rows) = export_pane(&mut model, Pane::Balances);
    assert_eq!(
        (description.as_str(), column(&rows, "imitates_a_token")),
        ("3 balances of Treasury", vec!["false", "false", "true"])
    );
    model.pages.overview.balances.scope = Scope::Wallet(WalletId::from_text("w-1"));
    let (description, rows) = export_pane(&mut model, Pane::Balances);
    assert_eq!((description.as_str(), column(&rows, "wallet_name")), ("3 balances of eth-main", vec!["eth-main"; 3]));
}

#[test]
fn transactions_are_those_of_the_question_that_the_screen_answers() {
    let mut model = model();
    model.pages.overview.accounts.apply_window(Window::whole(vec![account("a-1", Some("Treasury"))]));
    model.pages.overview.recent.listing.apply_window(Window {
        first: 0,
        rows: Vec::new(),
        count: RowCount::AtLeast(1_000),
    });
    model.pages.overview.recent.query.scope = Scope::Account(AccountId::from_text("a-1"));
    model.pages.overview.recent.query.filter = "dir:out".into();
    let (description, rows) = export_pane(&mut model, Pane::Recent);
    assert_eq!(description, "at least 1,000 transactions of Treasury, filtered by dir:out");
    assert_eq!(rows, ExportRows::Matching(model.pages.overview.recent.query.clone()));
}

#[test]
fn users_are_asked_of_the_store_and_what_is_theirs_is_as_it_was_told() {
    let mut model = model();
    press(&mut model, "2");
    let users =
        Window { first: 0, rows: vec![user("u-1", Some("Ada")), user("u-2", None)], count: RowCount::Exact(12_000) };
    let request_id = model.pages.users.request_id;
    let effects = update(&mut model, Msg::StoreAnswered { request_id, answer: Ok(StoreResult::Users(users)) });
    assert!(effects.iter().any(|effect| matches!(effect, Effect::QueryStore { query: StoreQuery::User(_), .. })));
    model.pages.users.filter = "a".into();
    assert_eq!(
        export_pane(&mut model, Pane::Users),
        ("12,000 users, filtered by a".into(), ExportRows::Users("a".into()))
    );

    model.pages.users.all_holdings = vec![holding("USDC", false), holding("USDС", true), holding("ЕTH", true)];
    crate::app::pages::users::refresh_holding_rows(&mut model);
    let (description, rows) = export_pane(&mut model, Pane::Holdings);
    assert_eq!(description, "1 balance of Ada; 2 imitation tokens are hidden (h) and left out");
    let scope = Scope::User(UserId::from_text("u-1"));
    assert_eq!(rows, balance_table(&model, &scope, &[holding("USDC", false)]));
    assert_eq!(column(&rows, "user_name"), ["Ada"]);

    let address = DepositAddress {
        chain: "base".into(),
        address: "0xabc".into(),
        tag: None,
        coins: Vec::new(),
        wallet: None,
        wallet_id: None,
        is_wallet_address: true,
    };
    model.pages.users.addresses.apply_window(Window::whole(vec![address.clone()]));
    let (description, rows) = export_pane(&mut model, Pane::Addresses);
    assert_eq!(description, "1 address of Ada");
    assert_eq!((column(&rows, "user"), column(&rows, "user_name")), (vec!["u-1"], vec!["Ada"]));
    assert_eq!(column(&rows, "address"), [address.address.as_str()]);
}

#[test]
fn orders_are_written_in_their_order_without_those_that_were_given_up() {
    let numbered = |number: u128| {
        let mut order = order("Till");
        order.id = OrderId(uuid::Uuid::from_u128(number));
        order.created.at = Timestamp::from_millis(i64::try_from(number).unwrap());
        order
    };
    let ids =
        |numbers: &[u128]| -> Vec<String> { numbers.iter().map(|number| numbered(*number).id.to_string()).collect() };
    let mut model = model();
    let mut given_up = numbered(3);
    let by = ConsoleIdentity { user: "ada".into(), host: "quay".into(), run: uuid::Uuid::from_u128(1) };
    given_up.apply(EventStamp { at: now(), by }, OrderEvent::Ended(OrderEnd::Abandoned(None)));
    let orders = vec![numbered(1), numbered(2), given_up.clone()];
    update(&mut model, Msg::Orders(Ok(orders)));
    let (description, rows) = export_pane(&mut model, Pane::Orders);
    assert_eq!(description, "2 orders; 1 that was given up is hidden (h) and left out");
    assert_eq!(column(&rows, "order"), ids(&[2, 1]));
    press(&mut model, "h");
    let (description, rows) = export_pane(&mut model, Pane::Orders);
    assert_eq!(
        (description.as_str(), column(&rows, "order")),
        ("3 orders", ids(&[3, 2, 1]).iter().map(String::as_str).collect())
    );
    let many = (1..=MAX_CLOSED_ORDERS as u128 + 1).map(numbered).collect();
    update(&mut model, Msg::Orders(Ok(many)));
    let (description, _) = export_pane(&mut model, Pane::Orders);
    assert_eq!(description, "201 orders; of closed orders only the newest 200 are known here");
}

#[test]
fn markets_events_and_the_book_are_written_too() {
    let mut model = model();
    let tokens = vec![token("USDC"), token("ETH")];
    model.data.listed_tokens.clone_from(&tokens);
    let pair = SwapPair { from: "USDC".into(), to: "ETH".into() };
    model.data.prices.pairs = Some(vec![pair.clone()]);
    model.pages.markets.refresh_tokens(&model.data.listed_tokens, &model.data.prices);
    let (description, rows) = export_pane(&mut model, Pane::Tokens);
    assert_eq!((description.as_str(), column(&rows, "token")), ("2 tokens", vec!["USDC", "ETH"]));
    let (description, rows) = export_pane(&mut model, Pane::Chains);
    assert_eq!((description.as_str(), column(&rows, "blockchain")), ("1 blockchain of USDC", vec!["base"]));
    let (description, rows) = export_pane(&mut model, Pane::Pairs);
    assert_eq!((description.as_str(), column(&rows, "to")), ("1 pair of USDC", vec!["ETH"]));

    model.record_event(EventKind::Connection, Tone::Text, "slow".into());
    model.record_event(EventKind::Console, Tone::Text, "live".into());
    model.pages.events.filter = "link".into();
    press(&mut model, "6");
    let (description, rows) = export_pane(&mut model, Pane::Events);
    assert_eq!((description.as_str(), column(&rows, "words")), ("1 event, filtered by link", vec!["slow"]));
}

#[test]
fn where_there_is_nothing_to_write_the_key_and_the_palette_say_why() {
    let mut model = model();
    // What is due to be read would stand among what a key leaves to be done.
    model.data.is_connected = false;
    for page in Page::ALL {
        for pane in page.panes() {
            model.page = page;
            model.set_focus(*pane);
            assert_eq!(press(&mut model, "x"), [], "{pane:?}");
            assert!(matches!(model.mode, Mode::Browse), "{pane:?}");
            let reason = model.notice.take().unwrap();
            let expected = match pane {
                Pane::User => "x exports lists, and this is not a list; Tab goes on to one".to_owned(),
                Pane::Attention | Pane::Watches => "what needs you and the watches are not exported".to_owned(),
                _ => format!("no {} are shown here to export", focused_list(&model).unwrap().0.nouns[1]),
            };
            assert_eq!(reason, expected);
            let choices = palette::matching_entries(&model, &palette::Palette::default());
            let export = choices.into_iter().find(|choice| choice.name == "export").unwrap();
            assert_eq!(export.refusal.as_deref(), Some(expected.as_str()));
        }
    }
    // A text over a list is none, whatever the list below it has.
    model.page = Page::Orders;
    update(&mut model, Msg::Orders(Ok(vec![order("Till")])));
    press(&mut model, "j");
    press_enter(&mut model);
    assert!(matches!(model.mode, Mode::Order { .. }));
    assert_eq!(press(&mut model, "x"), []);
    assert_eq!(model.notice.as_deref(), Some("this order pays nobody, so it has no receipt"));
}

#[test]
fn an_open_transaction_is_exported_as_its_receipt() {
    let mut model = model();
    let transaction = Transaction { direction: Direction::Outgoing, ..Transaction::minimal("ethereum") };
    let (time, suspicious, internal) = (now(), false, false);
    let mut row = HistoryRow { seq: 7, seen_at: time, time, transaction, wallet_name: None, suspicious, internal };
    let open = |model: &mut Model, row: &HistoryRow| {
        model.mode = Mode::Detail { row: Box::new(row.clone()), top: 0 };
        press(model, "x");
        if let Mode::Export(form) = &mut model.mode {
            form.folder = Some("/tmp".into());
        }
    };
    open(&mut model, &row);
    let effects = press_enter(&mut model);
    let Some(Effect::Export { rows: ExportRows::Receipt(subject), format, .. }) = effects.last() else {
        panic!("{effects:?}")
    };
    assert_eq!((subject.row, &subject.order, format.name()), (Some(7), &None, "html"));
    assert!(matches!(model.mode, Mode::Detail { .. }), "back to where it was asked");
    model.overlays.exports.progress = None;
    row.transaction.sub_type = Some(SubType::Swap);
    open(&mut model, &row);
    assert_eq!(model.notice.as_deref(), Some("a swap pays nobody, so it has no receipt"));
}

#[test]
fn nothing_is_written_through_the_veil() {
    let mut model = model();
    model.pages.overview.accounts.apply_window(Window::whole(vec![account("a-1", Some("Treasury"))]));
    press(&mut model, "p");
    assert_eq!(press(&mut model, "x"), []);
    assert_eq!(model.notice.as_deref(), Some(crate::app::session::veil::VEILED_MESSAGE));
    assert!(matches!(model.mode, Mode::Browse));
}
