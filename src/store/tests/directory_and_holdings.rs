//! What is known of accounts, wallets and users, and what they hold.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::fixtures::{amount, now, temporary_store, transaction, uuid};
use crate::domain::account::{AccountAddress, AccountType};
use crate::domain::directory::DirectoryEntry;
use crate::domain::entry_source::{ConflictingAddress, EntryField, EntryFieldSet, EntrySource, Sourced};
use crate::domain::history::{Page, Query, Scope, WindowAnchor, WindowRequest};
use crate::domain::{
    Account, AccountId, AddressUnavailable, Amount, BalanceBasis, Blockchain, Direction, DirectoryImport, Holding,
    ReportedAmount, ReportedBalance, State, Status, Text, Timestamp, Token, TokenKey, Transaction, User, UserId,
    Wallet, WalletId,
};
use crate::store::{Cancel, LatestRead, Store};

fn account(id: &str) -> Account {
    Account::new(AccountId::from_text(id))
}

pub(super) fn wallet(id: &str, chain: &str, user: Option<&str>) -> Wallet {
    Wallet {
        user: user.map(UserId::from_text),
        account: Some(AccountId::from_text("treasury")),
        ..Wallet::new(WalletId::from_text(id), Text::clean(chain))
    }
}

pub(super) fn balance(user: &str, chain: &str, symbol: &str, raw: u64) -> ReportedBalance {
    ReportedBalance {
        user: UserId::from_text(user),
        token: TokenKey { blockchain: Text::clean(chain), contract: Some(Text::clean(&format!("0x{symbol}"))) },
        symbol: Text::clean(symbol),
        name: None,
        amount: amount(raw, 6).unwrap(),
        environment: None,
        updated_at: None,
    }
}

pub(super) fn usdt_amount(raw: u64) -> Option<ReportedAmount> {
    amount(raw, 6)
}

/// All of a short history at once.
pub(super) fn sync_rows(store: &Store, rows: &[Transaction], minute: i64) {
    let mut head = LatestRead::start(store).unwrap();
    while let Some(request) = head.next_page() {
        let items: Vec<_> = rows.iter().filter(|row| row.direction == request.direction).cloned().collect();
        let page = Page { items, unreadable: 0, page_no: Some(1), page_limit: Some(10_000), total_page: Some(1) };
        head.add_page(&request, page).unwrap();
    }
    head.finish(now(minute)).unwrap();
    assert!(store.progress().unwrap().complete);
}

pub(super) fn transaction_of_wallet(
    number: u64,
    direction: &Direction,
    wallet: &Wallet,
    raw: u64,
    status: Status,
) -> Transaction {
    let mut row = transaction(number, direction, Some(i64::try_from(number).unwrap()));
    row.token = balance("", &wallet.blockchain, "USDT", 0).token;
    row.wallet = Some(wallet.id.clone());
    row.account.clone_from(&wallet.account);
    row.user.clone_from(&wallet.user);
    row.status = Some(status);
    row.confirmed = None;
    row.amount = usdt_amount(raw);
    row.total_amount = usdt_amount(raw + 1);
    row
}

pub(super) fn single_holding(holdings: &[Holding]) -> (Option<ReportedAmount>, BalanceBasis) {
    assert_eq!(holdings.len(), 1, "{holdings:?}");
    (holdings[0].amount.clone(), holdings[0].basis)
}

#[test]
fn every_field_of_an_entry_is_read_as_it_was_written() {
    let (text, time) = (|text: &str| Some(Text::clean(text)), |millis| Some(Timestamp::from_millis(millis)));
    let address = |address: &str, ref_id: &str| Some(AccountAddress { address: text(address), ref_id: text(ref_id) });
    let account = Account {
        id: AccountId::from_text("treasury"),
        name: text("Treasury"),
        kind: Some(AccountType::from_word("SETTLEMENT")),
        state: Some(State::from_word("LIVE")),
        network: text("mainnet"),
        evm_details: address("0xevm", "evm reference"),
        solana_details: address("solana", "solana reference"),
        created_at: time(1),
        updated_at: time(2),
    };
    let wallet = Wallet {
        id: WalletId::from_text("w-1"),
        name: text("Till"),
        address: text("0xtill"),
        blockchain: "ethereum".into(),
        protocol: text("EVM"),
        network: text("testnet"),
        is_evm_compatible: Some(true),
        kind: text("smart_wallet"),
        intent: text("deposit"),
        custody_type: text("DEVELOPER"),
        decimals: Some(18),
        state: Some(State::from_word("FROZEN")),
        gasless_withdraw: Some(false),
        auto_sweep: Some(true),
        user: Some(UserId::from_text("u-1")),
        account: Some(AccountId::from_text("treasury")),
        ref_id: text("till reference"),
        created_at: time(3),
        updated_at: time(4),
    };
    let user = User {
        id: UserId::from_text("u-1"),
        display_name: text("Mira Olsen"),
        ref_id: text("customer 7"),
        email: text("mira@example.com"),
        is_active: Some(true),
        created_at: time(5),
    };
    let store = temporary_store();
    store.save_accounts(std::slice::from_ref(&account), EntrySource::Listed).unwrap();
    store.save_wallets(std::slice::from_ref(&wallet), EntrySource::Created).unwrap();
    store.save_users(std::slice::from_ref(&user), EntrySource::Listed).unwrap();
    let (accounts, wallets) = (store.accounts().unwrap(), store.wallets(&Scope::All, "", 0, 2).unwrap().rows);
    let users = store.users(&Scope::All, "", 0, 2).unwrap().rows;
    assert_eq!((&accounts[0].entry, accounts[0].source), (&account, EntrySource::Listed));
    assert_eq!((&wallets[0].entry, wallets[0].source), (&wallet, EntrySource::Created));
    assert_eq!((&users[0].entry, users[0].source), (&user, EntrySource::Listed));
}

#[test]
fn a_stronger_source_wins_field_by_field_and_nothing_known_is_erased() {
    let store = temporary_store();
    let listed_account = Account { name: Some("Listed".into()), kind: Some(AccountType::Settlement), ..account("a") };
    store.save_accounts(&[account("b"), listed_account], EntrySource::Listed).unwrap();
    store.save_accounts(&[Account { name: Some("Mine".into()), ..account("a") }], EntrySource::Created).unwrap();
    let version = store.version();
    store.save_accounts(&[Account { name: Some("Again".into()), ..account("a") }], EntrySource::Listed).unwrap();
    assert_eq!(store.version(), version, "nothing has changed");
    let accounts = store.accounts().unwrap();
    let expected = Account { name: Some("Mine".into()), kind: Some(AccountType::Settlement), ..account("a") };
    assert_eq!(
        accounts[0],
        Sourced {
            entry: expected,
            source: EntrySource::Created,
            imported_fields: EntryFieldSet::default(),
            conflicting_addresses: Vec::new()
        }
    );
    assert_eq!(
        accounts[1],
        Sourced {
            entry: account("b"),
            source: EntrySource::Listed,
            imported_fields: EntryFieldSet::default(),
            conflicting_addresses: Vec::new()
        }
    );
}

#[test]
fn an_import_never_stands_over_what_the_service_told_of_a_wallet() {
    let listed_wallet =
        Wallet { address: Some("0xTold".into()), network: Some("testnet".into()), ..wallet("w", "base", Some("u")) };
    let name = Some("Till".into());
    let file = Wallet { name, address: Some("0xFile".into()), ..wallet("w", "tron", Some("thief")) };
    let stored_wallet = |entries: &[(&Wallet, EntrySource)]| {
        let store = temporary_store();
        for (entry, source) in entries {
            store.save_wallets(&[(*entry).clone()], *source).unwrap();
        }
        let is_told: Vec<bool> = store.wallet_addresses().unwrap().iter().map(|stored| stored.is_reported).collect();
        let wallet = store.wallets(&Scope::All, "", 0, 10).unwrap().rows.remove(0);
        assert_eq!(is_told, [!wallet.imported_fields.has(EntryField::Address)]);
        wallet
    };
    let expected = Wallet { name: Some("Till".into()), ..listed_wallet.clone() };
    for service in [EntrySource::Created, EntrySource::Listed, EntrySource::History] {
        for entries in [
            &[(&listed_wallet, service), (&file, EntrySource::Imported)][..],
            &[(&file, EntrySource::Imported), (&listed_wallet, service)],
            // Also once both are known, and a file comes again.
            &[(&listed_wallet, service), (&file, EntrySource::Imported), (&file, EntrySource::Imported)],
            &[(&file, EntrySource::Imported), (&listed_wallet, service), (&file, EntrySource::Imported)],
        ] {
            let stored = stored_wallet(entries);
            assert_eq!((&stored.entry, stored.imported_fields), (&expected, EntryFieldSet::default()), "{entries:?}");
        }
    }
    // What the service has not told stands as imported, and a later file mends it.
    let silent = Wallet { network: None, ..wallet("w", "base", None) };
    let mended = Wallet { address: Some("0xMended".into()), ..file.clone() };
    let stored = stored_wallet(&[
        (&silent, EntrySource::Listed),
        (&file, EntrySource::Imported),
        (&mended, EntrySource::Imported),
    ]);
    assert_eq!((&*stored.entry.address.unwrap(), &*stored.entry.blockchain), ("0xMended", "base"));
    assert_eq!(stored.imported_fields, [EntryField::Address, EntryField::User].into_iter().collect());
}

/// What is recorded of somebody who looked at the addresses of a wallet.
fn address_review_import(own: Wallet, rejected: &[&str]) -> DirectoryImport {
    let rejected = rejected.iter().map(|address| Text::from(*address)).collect();
    DirectoryImport { rejected, ..DirectoryImport::new("looked at", vec![DirectoryEntry::Wallet(own)]) }
}

/// The cache may be deleted at any time. What somebody decided stands in the journal, and the next cache begins with it,
/// whether it hears of that or of the service first.
#[test]
fn the_choice_between_two_addresses_outlives_the_cache() {
    let at = |address: &str| Wallet { address: Some(address.into()), ..wallet("w", "base", Some("u")) };
    let (first, second) = ("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB");
    for (own, other) in [(first, second), (second, first)] {
        for is_service_first in [false, true] {
            let store = temporary_store();
            let save_listed = || store.save_wallets(&[at(second)], EntrySource::Listed).unwrap();
            if is_service_first {
                save_listed();
            }
            store.save_imports([&address_review_import(at(own), &[other])], [1; 32]).unwrap();
            save_listed();
            let stored = store.wallets(&Scope::All, "", 0, 10).unwrap().rows.remove(0);
            assert_eq!(stored.deposit_address(None), Ok(&Text::from(own)), "{own}, {is_service_first}");
            assert_eq!(stored.conflicting_addresses, [ConflictingAddress { address: other.into(), is_reviewed: true }]);
            assert!(!stored.imported_fields.has(EntryField::Address), "the service told it, and somebody compared it");
            assert_eq!(store.wallets_with_contradicting_address().unwrap(), []);
        }
    }
}

/// Whatever the service tells later, and however often: the first address stays, and the other is kept beside it.
#[test]
fn a_known_wallets_address_never_changes_by_itself() {
    let at = |address: &str| Wallet { address: Some(address.into()), ..wallet("w", "base", Some("u")) };
    let (first, second) = ("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB");
    let store = temporary_store();
    let stored = || store.wallets(&Scope::All, "", 0, 10).unwrap().rows.remove(0);
    let save_address = |address: &str, source| {
        store.save_wallets(&[at(address)], source).unwrap();
        let wallet = stored();
        (wallet.entry.address.clone().unwrap().to_string(), wallet.contradicting_address().map(ToString::to_string))
    };
    assert_eq!(save_address(first, EntrySource::Listed), (first.into(), None));
    assert_eq!(
        save_address(&first.to_lowercase(), EntrySource::Listed),
        (first.into(), None),
        "the same, written otherwise"
    );
    assert_eq!(
        save_address(second, EntrySource::History),
        (first.into(), None),
        "deposits may come to one that was used once"
    );
    for source in [EntrySource::Listed, EntrySource::Created, EntrySource::Listed] {
        assert_eq!(save_address(second, source), (first.into(), Some(second.into())));
    }
    assert_eq!(store.wallets_with_contradicting_address().unwrap(), [stored()]);
    assert_eq!(stored().deposit_address(None), Err(AddressUnavailable::Contradicted));
    let settled = address_review_import(at(second), &[first]);
    store.save_imports([&settled], [1; 32]).unwrap();
    for source in [EntrySource::Listed, EntrySource::Created] {
        assert_eq!(save_address(first, source), (second.into(), None), "both were looked at");
    }
    assert_eq!(stored().conflicting_addresses, [ConflictingAddress { address: first.into(), is_reviewed: true }]);
    assert_eq!(store.wallets_with_contradicting_address().unwrap(), []);
    let third = "0x52908400098527886E0F7030069857D2E4169EE7";
    assert_eq!(save_address(third, EntrySource::Listed), (second.into(), Some(third.into())));
    // Who looked at two has not looked at a third, and what is recorded twice is no news.
    store.save_imports([&settled], [2; 32]).unwrap();
    assert_eq!(stored().contradicting_address().map(Text::as_str), Some(third));
    // The service's word and an import's contradict each other, whichever came first.
    for [one, then] in [[EntrySource::Imported, EntrySource::Listed], [EntrySource::Listed, EntrySource::Imported]] {
        let store = temporary_store();
        for source in [one, then] {
            let address = if source == EntrySource::Imported { second } else { first };
            store.save_wallets(&[at(address)], source).unwrap();
        }
        let stored = store.wallets(&Scope::All, "", 0, 10).unwrap().rows.remove(0);
        assert_eq!(stored.entry.address.as_deref(), Some(first), "the service's word stands");
        assert_eq!(
            stored.contradicting_address().map(Text::as_str),
            Some(second),
            "and no code until somebody has looked"
        );
        // How a wallet stands now is the service's to tell, whatever was imported.
        let off = Wallet { state: Some(State::Inactive), ..at(first) };
        store.save_wallets(&[off], EntrySource::Listed).unwrap();
        let stored = store.wallets(&Scope::All, "", 0, 10).unwrap().rows.remove(0);
        assert_eq!(stored.entry.state, Some(State::Inactive));
    }
    // One that cannot be right on its chain is given to nobody.
    let wrong = Wallet { address: Some(first.replace("5aAe", "5aae").as_str().into()), ..wallet("w", "base", None) };
    let wrong = Sourced {
        entry: wrong,
        source: EntrySource::Listed,
        imported_fields: EntryFieldSet::default(),
        conflicting_addresses: Vec::new(),
    };
    assert!(matches!(wrong.deposit_address(None), Err(AddressUnavailable::Invalid { .. })));
}

#[test]
fn the_history_teaches_accounts_wallets_and_users() {
    let store = temporary_store();
    let row = transaction(3, &Direction::Incoming, Some(0));
    sync_rows(&store, std::slice::from_ref(&row), 0);
    let wallets = store.wallets(&Scope::All, "", 0, 10).unwrap().rows;
    assert_eq!(wallets.len(), 1);
    assert_eq!(wallets[0].source, EntrySource::History);
    let entry = &wallets[0].entry;
    assert_eq!(Some(&entry.id), row.wallet.as_ref());
    assert_eq!(entry.address.as_ref(), row.own_wallet_address());
    assert_eq!((&entry.blockchain, &entry.user, &entry.account), (&row.token.blockchain, &row.user, &row.account));
    assert_eq!(Some(&store.users(&Scope::All, "", 0, 10).unwrap().rows[0].entry.id), row.user.as_ref());
    assert_eq!(Some(&store.accounts().unwrap()[0].entry.id), row.account.as_ref());
}

#[test]
fn wallets_stand_by_name_and_are_found_by_any_word() {
    let store = temporary_store();
    let named_wallet = |id: &str, name: &str| Wallet { name: Some(name.into()), ..wallet(id, "bsc", Some("u")) };
    store
        .save_wallets(
            &[named_wallet("1", "beta"), named_wallet("2", "Alpha"), wallet("3", "base", None)],
            EntrySource::Listed,
        )
        .unwrap();
    let ids = |scope: &Scope, text: &str| -> Vec<String> {
        store.wallets(scope, text, 0, 10).unwrap().rows.iter().map(|stored| stored.entry.id.to_string()).collect()
    };
    assert_eq!(ids(&Scope::All, ""), ["2", "1", "3"]);
    assert_eq!(ids(&Scope::All, "BNB a"), ["2", "1"]);
    assert_eq!(ids(&Scope::All, "alph bsc"), ["2"]);
    assert_eq!(ids(&Scope::User(UserId::from_text("u")), ""), ["2", "1"]);
    assert_eq!(ids(&Scope::Account(AccountId::from_text("other")), ""), [""; 0]);
    let window = store.wallets(&Scope::All, "", 2, 2).unwrap();
    assert_eq!((window.first, window.count.number(), window.rows.len()), (1, 3, 2));
}

fn user_with_name(number: u32, name: Option<&str>) -> User {
    User {
        id: UserId::from_text(&format!("user-{number:03}")),
        display_name: name.map(Text::clean),
        ref_id: None,
        email: None,
        is_active: None,
        created_at: None,
    }
}

#[test]
fn a_name_that_comes_with_a_visit_moves_nobody_until_users_are_arranged() {
    let store = temporary_store();
    let unnamed: Vec<User> = (0..600).map(|number| user_with_name(number, None)).collect();
    store.save_users(&unnamed, EntrySource::History).unwrap();
    let rank = |number: u32| {
        let rows = store.users(&Scope::All, "", 0, 600).unwrap().rows;
        rows.iter().position(|stored| stored.entry.id == user_with_name(number, None).id).unwrap()
    };
    store.save_user_details(&user_with_name(300, Some("Beta"))).unwrap();
    store.save_user_details(&user_with_name(400, Some("Alpha"))).unwrap();
    store.save_user_details(&user_with_name(400, Some("Alpha Two"))).unwrap();
    assert_eq!((rank(300), rank(400)), (300, 400));
    assert_eq!(store.users(&Scope::All, "alpha", 0, 10).unwrap().rows.len(), 1, "the filter finds the name at once");
    store.sort_late_named_users().unwrap();
    assert_eq!((rank(400), rank(300), rank(0)), (0, 1, 2));
    // Who has a place by name goes to that of another name.
    store.save_user_details(&user_with_name(400, Some("Gamma"))).unwrap();
    assert_eq!((rank(300), rank(400)), (0, 1));
    // And what a service lists stands by name at once.
    store.save_users(&[user_with_name(500, Some("Aaron"))], EntrySource::Listed).unwrap();
    assert_eq!(rank(500), 0);
}

#[test]
fn a_window_of_users_holds_the_one_who_is_to_be_in_it_wherever_they_stand() {
    let store = temporary_store();
    let unnamed: Vec<User> = (0..600).map(|number| user_with_name(number, None)).collect();
    store.save_users(&unnamed, EntrySource::History).unwrap();
    let window_at = |text: &str, first: u64, included: u32| {
        store.users_window_keeping(text, first, 50, Some(&user_with_name(included, None).id)).unwrap()
    };
    assert_eq!(window_at("", 100, 120).first, 100, "it is there anyway");
    let window = window_at("", 100, 300);
    assert_eq!((window.first, window.rows.len()), (275, 50));
    assert!(window.rows.iter().any(|stored| stored.entry.id == user_with_name(300, None).id));
    assert_eq!(window_at("", 100, 599).first, 550);
    assert_eq!(window_at("", 100, 900).first, 100, "nobody knows this one");
    // Those that contain 5 and 9, and stand behind the first fifty.
    assert!(window_at("5 9", 0, 599).rows.iter().any(|stored| stored.entry.id == user_with_name(599, None).id));
    assert_eq!(window_at("5 9", 0, 300).first, 0, "not among those that the filter holds");
}

#[test]
fn users_whose_balances_were_read_longest_ago_are_due_first() {
    let store = temporary_store();
    for (user, minute) in [("u1", 5), ("u2", 3)] {
        store.save_balances(&UserId::from_text(user), &[], now(minute)).unwrap();
    }
    let never = User {
        id: UserId::from_text("u3"),
        display_name: None,
        ref_id: None,
        email: None,
        is_active: None,
        created_at: None,
    };
    store.save_users(&[never], EntrySource::Listed).unwrap();
    let due = |scope: &Scope| -> Vec<String> {
        store.users_with_oldest_balances(scope, 2).unwrap().iter().map(ToString::to_string).collect()
    };
    assert_eq!(due(&Scope::All), ["u3", "u2"]);
    assert_eq!(store.oldest_balances_time(&Scope::All).unwrap(), None);
    store.save_wallets(&[wallet("w", "base", Some("u1"))], EntrySource::Listed).unwrap();
    assert_eq!(due(&Scope::Wallet(WalletId::from_text("w"))), ["u1"]);
    assert_eq!(due(&Scope::Account(AccountId::from_text("treasury"))), ["u1"]);
    assert_eq!(store.oldest_balances_time(&Scope::Wallet(WalletId::from_text("w"))).unwrap(), Some(now(5)));
}

#[test]
fn a_wallets_holding_is_as_sure_as_what_is_known_of_it() {
    let store = temporary_store();
    let (first, second) = (wallet("w1", "base", Some("u")), wallet("w2", "base", Some("u")));
    store.save_wallets(std::slice::from_ref(&first), EntrySource::Listed).unwrap();
    let of = |wallet: &Wallet| store.holdings(&Scope::Wallet(wallet.id.clone())).unwrap();
    assert_eq!(of(&first), []);
    store
        .save_balances(
            &UserId::from_text("u"),
            &[balance("u", "base", "USDT", 50), balance("u", "bsc", "USDT", 9)],
            now(2),
        )
        .unwrap();
    assert_eq!(single_holding(&of(&first)), (usdt_amount(50), BalanceBasis::Assumed));
    assert_eq!(of(&first)[0].as_of, Some(now(2)));
    let holdings = store.holdings(&Scope::User(UserId::from_text("u"))).unwrap();
    assert!(holdings.iter().all(|holding| holding.basis == BalanceBasis::Reported) && holdings.len() == 2);

    // Two wallets share the chain: neither has the balance alone, both together have it.
    store.save_wallets(std::slice::from_ref(&second), EntrySource::Listed).unwrap();
    assert_eq!(of(&first), []);
    let treasury = Scope::Account(AccountId::from_text("treasury"));
    assert_eq!(single_holding(&store.holdings(&treasury).unwrap()), (usdt_amount(50), BalanceBasis::Assumed));

    // The history, once it is whole, tells them apart.
    let rows = [
        transaction_of_wallet(4, &Direction::Outgoing, &first, 10, Status::Pending),
        transaction_of_wallet(3, &Direction::Outgoing, &first, 10, Status::Failed),
        transaction_of_wallet(2, &Direction::Incoming, &first, 99, Status::Pending),
        transaction_of_wallet(1, &Direction::Incoming, &first, 30, Status::Success),
    ];
    sync_rows(&store, &rows, 7);
    assert_eq!(single_holding(&of(&first)), (usdt_amount(19), BalanceBasis::Derived));
    assert_eq!(of(&first)[0].as_of, Some(now(7)));
    assert_eq!(of(&second), []);

    // Amounts that contradict each other make the sum unknown; a dash, never a figure.
    let mut disputed = transaction_of_wallet(5, &Direction::Incoming, &first, 5, Status::Success);
    disputed.amount =
        Some(ReportedAmount::Disputed { raw: usdt_amount(5).unwrap().even_if_disputed(), formatted: "7".into() });
    sync_rows(&store, &[disputed], 8);
    assert_eq!(single_holding(&of(&first)), (None, BalanceBasis::Unknown));
}

#[test]
fn a_sum_below_nothing_is_not_shown() {
    let store = temporary_store();
    let wallet = wallet("w", "base", None);
    sync_rows(&store, &[transaction_of_wallet(1, &Direction::Outgoing, &wallet, 5, Status::Success)], 0);
    let holdings = store.holdings(&Scope::Wallet(wallet.id)).unwrap();
    assert_eq!(single_holding(&holdings), (None, BalanceBasis::Unknown));
}

fn listed_token(symbol: &str, name: &str, chain: &str) -> Token {
    let on = Blockchain {
        slug: chain.into(),
        name: chain.into(),
        symbol: None,
        decimals: Some(6),
        protocol: None,
        chain_id: Some(1),
        is_testnet: None,
        standards: vec!["ERC20".into()],
        block_explorer: None,
    };
    Token {
        symbol: symbol.into(),
        name: name.into(),
        decimals: Some(6),
        is_native: Some(false),
        standards: vec![],
        blockchains: vec![on],
    }
}

#[test]
fn what_imitates_a_listed_token_is_marked_and_comes_last() {
    let store = temporary_store();
    let tokens = [listed_token("USDT", "Tether USD", "ethereum")];
    store.save_tokens(&tokens, now(0)).unwrap();
    assert_eq!(store.tokens().unwrap(), Some((tokens.to_vec(), now(0))));
    let named_balance = |symbol: &str, name: &str| ReportedBalance {
        name: Some(name.into()),
        ..balance("u", "ethereum", symbol, 1_000)
    };
    let balances = [
        named_balance("USDT", "Tether USD"),
        named_balance("usdt", "Tether USD"),
        named_balance("FREE", "Tether USD"),
        named_balance("CLAIM", "visit claim-usdt.com to claim"),
        named_balance("US\u{200b}DT", "Tether"),
        named_balance("USDC.e", "Bridged coin v2"),
        balance("u", "base", "USDT", 1_000),
    ];
    store.save_balances(&UserId::from_text("u"), &balances, now(0)).unwrap();
    let holdings = store.holdings(&Scope::User(UserId::from_text("u"))).unwrap();
    let (honest, suspicious): (Vec<_>, Vec<_>) = holdings.iter().partition(|holding| !holding.suspicious);
    let honest: Vec<_> = honest.iter().map(|holding| (&*holding.symbol, &*holding.token.blockchain)).collect();
    assert_eq!(honest, [("USDC.e", "ethereum"), ("USDT", "ethereum")]);
    assert_eq!(suspicious.len(), 5);
    assert!(holdings[..2].iter().all(|holding| !holding.suspicious));
}

/// A service may list it as well, or list nothing: it is one all the same, in each view of the history and of what is held.
#[test]
fn a_token_in_disguise_is_an_imitation_whatever_the_service_lists() {
    const FALSE: &str = "U\u{405}DT";
    for tokens in [
        Vec::new(),
        vec![listed_token("USDT", "Tether USD", "base")],
        vec![listed_token("USDT", "Tether USD", "base"), listed_token(FALSE, "Tether USD", "base")],
    ] {
        let store = temporary_store();
        store.save_tokens(&tokens, now(0)).unwrap();
        let user = UserId::from_text("u");
        let wallet = wallet("w", "base", Some("u"));
        store.save_wallets(std::slice::from_ref(&wallet), EntrySource::Listed).unwrap();
        let mut row = transaction_of_wallet(1, &Direction::Incoming, &wallet, 5, Status::Success);
        row.symbol = FALSE.into();
        row.token = TokenKey::new("base", Some("0x1111111111111111111111111111111111111111"));
        sync_rows(&store, &[row], 0);
        store.save_balances(&user, &[balance("u", "base", FALSE, 1_000)], now(0)).unwrap();
        for scope in [Scope::All, Scope::User(user), Scope::Wallet(wallet.id)] {
            let holdings = store.holdings(&scope).unwrap();
            assert!(
                !holdings.is_empty() && holdings.iter().all(|holding| holding.suspicious),
                "{scope:?}: {holdings:?}"
            );
        }
        let span = WindowRequest { query: Query::default(), anchor: WindowAnchor::Rank(0), rows: 10 };
        let mut rows = Vec::new();
        store.query_history(&span, &Cancel::new(), &mut |window| rows = window.rows).unwrap();
        assert!(rows.len() == 1 && rows[0].suspicious);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn derived_sums_are_the_sums_of_the_rows(
        moves in prop::collection::vec((0_u64..3, any::<bool>(), 0_u64..1_000_000, 0_u8..4), 1..120),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0_u8..4), 0..30),
        split in any::<prop::sample::Index>(),
    ) {
        let store = temporary_store();
        let wallets: Vec<Wallet> = (0..3).map(|nth| wallet(&uuid(nth), "base", None)).collect();
        let status = |dice: u8| match dice { 0 => Status::Pending, 3 => Status::Failed, _ => Status::Success };
        let mut rows: Vec<Transaction> = (1_u64..).zip(&moves).map(|(number, (at, incoming, raw, dice))| {
            let direction = if *incoming { Direction::Incoming } else { Direction::Outgoing };
            transaction_of_wallet(number, &direction, &wallets[usize::try_from(*at).unwrap()], *raw, status(*dice))
        }).collect();
        rows.reverse();
        sync_rows(&store, &rows[split.index(rows.len())..], 0);
        sync_rows(&store, &rows, 1);
        for (at, dice) in changes {
            let at = at.index(rows.len());
            rows[at].status = Some(status(dice));
        }
        sync_rows(&store, &rows, 2);
        for wallet in &wallets {
            let mut sums: BTreeMap<TokenKey, i128> = BTreeMap::new();
            for row in rows.iter().filter(|row| row.wallet.as_ref() == Some(&wallet.id)) {
                let units = |amount: &Option<ReportedAmount>| {
                    i128::try_from(amount.as_ref().unwrap().even_if_disputed().raw()).unwrap()
                };
                let effect = match (&row.direction, row.status.as_ref().unwrap()) {
                    (Direction::Incoming, Status::Success) => units(&row.amount),
                    (Direction::Outgoing, Status::Success | Status::Pending) => -units(&row.total_amount),
                    _ => continue,
                };
                *sums.entry(row.token.clone()).or_default() += effect;
            }
            for holding in store.holdings(&Scope::Wallet(wallet.id.clone())).unwrap() {
                let sum = sums.remove(&holding.token).unwrap_or(0);
                let expected = u64::try_from(sum).ok().and_then(|sum| Amount::new(ruint::aliases::U256::from(sum), 6));
                prop_assert_eq!(holding.amount, expected.map(ReportedAmount::Exact));
            }
            prop_assert!(sums.is_empty());
        }
    }
}

/// The type of an account may be known before its wallets, after them, and change.
#[test]
fn wallets_of_customers_stand_behind_all_others() {
    let store = temporary_store();
    let named_wallet = |id: &str, account: &str| Wallet {
        name: Some(id.into()),
        account: Some(AccountId::from_text(account)),
        ..Wallet::new(WalletId::from_text(id), "ethereum".into())
    };
    let order = || -> Vec<String> {
        let rows = store.wallets(&Scope::All, "", 0, 10).unwrap().rows;
        rows.into_iter().map(|wallet| wallet.entry.id.to_string()).collect()
    };
    let of_kind = |id: &str, kind| Account { kind: Some(kind), ..account(id) };
    store.save_wallets(&[named_wallet("b", "treasury"), named_wallet("a", "customers")], EntrySource::Listed).unwrap();
    assert_eq!(order(), ["a", "b"]);
    store.save_accounts(&[of_kind("customers", AccountType::Users)], EntrySource::Listed).unwrap();
    store.save_wallets(&[named_wallet("c", "customers"), named_wallet("d", "treasury")], EntrySource::Listed).unwrap();
    assert_eq!(order(), ["b", "d", "a", "c"]);
    store.save_accounts(&[of_kind("customers", AccountType::Settlement)], EntrySource::Listed).unwrap();
    assert_eq!(order(), ["a", "b", "c", "d"]);
}
