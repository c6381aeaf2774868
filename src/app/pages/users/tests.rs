use crate::app::data::poll::Snapshot;
use crossterm::event::KeyCode;

use super::select::SELECTION_REST;
use super::*;
use crate::app::data::poll;
use crate::app::data::poll::Dataset;
use crate::app::model::Model;
use crate::app::model::Settings;
use crate::app::msg::Effect;
use crate::app::msg::{Msg, StoreQuery, StoreResult};
use crate::app::screen::Size;
use crate::app::update::update;
use crate::domain::Failure;
use crate::domain::entry_source::{EntryFieldSet, EntrySource};
use crate::domain::history::RowCount;
use crate::domain::history::Scope;
use crate::domain::{FailureReason, PagedList, Text, TransactionId, UserStats, WalletId};
use std::time::Duration;

fn model() -> Model {
    let mut model = Model::new(Settings::sample(), Size { width: 120, height: 36 }, Timestamp::from_millis(1_000_000));
    model.data.is_connected = true;
    model
}

fn user(id: &str) -> Sourced<User> {
    let entry = User {
        id: UserId::from_text(id),
        display_name: None,
        ref_id: None,
        email: None,
        is_active: None,
        created_at: None,
    };
    Sourced {
        entry,
        source: EntrySource::History,
        imported_fields: EntryFieldSet::default(),
        conflicting_addresses: Vec::new(),
    }
}

/// The page, with three users on it.
fn users_page() -> Model {
    let mut model = model();
    update(&mut model, Msg::Key(KeyCode::Char('2').into()));
    let window = Window { first: 0, rows: ["a", "b", "c"].map(user).into(), count: RowCount::Exact(3) };
    let request_id = model.pages.users.request_id;
    update(&mut model, Msg::StoreAnswered { request_id, answer: Ok(StoreResult::Users(window)) });
    model
}

fn requested_datasets(effects: &[Effect]) -> Vec<Dataset> {
    let reads = effects.iter().filter_map(|effect| match effect {
        Effect::Load { dataset, .. } => Some(dataset.clone()),
        _ => None,
    });
    reads.filter(|dataset| matches!(dataset, Dataset::User { .. } | Dataset::Balances(Scope::User(_)))).collect()
}

fn user_report(id: &str) -> UserReport {
    UserReport { user: UserId::from_text(id), person: Ok(()), stats: Ok(UserStats::default()), v1: None }
}

fn failure(reason: FailureReason) -> Failure {
    Failure::from_read(reason, "")
}

#[test]
fn the_first_user_is_read_at_once_and_the_next_when_the_selection_rests() {
    let mut model = users_page();
    assert_eq!(model.pages.users.shown_user, Some(UserId::from_text("a")));
    assert!(model.data.remotes.user.in_flight.is_some(), "nobody walked here");

    let dataset = Dataset::User { user: UserId::from_text("a"), v1: true };
    let request_id = model.data.remotes.user.request_id;
    let result = Ok(Snapshot::User(Box::new(user_report("a"))));
    update(&mut model, Msg::Loaded { dataset, request_id, result });
    let balances = Dataset::Balances(Scope::User(UserId::from_text("a")));
    let request_id = model.data.remotes.scope_balances.request_id;
    update(&mut model, Msg::Loaded { dataset: balances, request_id, result: Ok(Snapshot::Balances { users: 1 }) });

    for expected in ["b", "c"] {
        let effects = update(&mut model, Msg::Key(KeyCode::Down.into()));
        assert_eq!(requested_datasets(&effects), [], "the selection moves");
        let is_queried = effects.iter().any(|effect| match effect {
            Effect::QueryStore { query: StoreQuery::User(user), .. } => user.as_str() == expected,
            _ => false,
        });
        assert!(is_queried, "the store is asked at once: {effects:?}");
    }
    let rests = model.now.plus(SELECTION_REST);
    assert_eq!(poll::next_due(&model), Some(rests));
    let effects = update(&mut model, Msg::Tick(rests));
    let c = UserId::from_text("c");
    let datasets = [Dataset::Balances(Scope::User(c.clone())), Dataset::User { user: c, v1: true }];
    assert_eq!(requested_datasets(&effects), datasets);
}

#[test]
fn nothing_of_a_user_is_read_while_another_page_is_looked_at() {
    let mut model = users_page();
    update(&mut model, Msg::Key(KeyCode::Char('5').into()));
    let later = model.now.plus(Duration::from_mins(5));
    assert_eq!(requested_datasets(&update(&mut model, Msg::Tick(later))), []);
}

#[test]
fn an_answer_about_somebody_who_is_not_selected_any_more_is_remembered_and_not_shown() {
    let mut model = users_page();
    let request_id = model.data.remotes.user.request_id;
    update(&mut model, Msg::Key(KeyCode::Down.into()));
    assert_eq!(model.pages.users.cached_report(), None);
    let dataset = Dataset::User { user: UserId::from_text("a"), v1: true };
    let result = Ok(Snapshot::User(Box::new(user_report("a"))));
    update(&mut model, Msg::Loaded { dataset, request_id, result });
    assert_eq!(model.pages.users.cached_report(), None, "b was not read");
    update(&mut model, Msg::Key(KeyCode::Up.into()));
    assert!(model.pages.users.cached_report().is_some_and(|memory| memory.stats.value.is_some()));
}

#[test]
fn a_part_that_cannot_be_read_leaves_what_was_known_with_its_time() {
    let mut memory = CachedUserReport::default();
    let at = Timestamp::from_millis;
    memory.apply(user_report("a"), at(1));
    let mut later = user_report("a");
    later.stats = Err(failure(FailureReason::NotFound));
    memory.apply(later, at(2));
    assert_eq!((memory.person.read_at(), memory.stats.read_at()), (Some(at(2)), Some(at(1))));
    assert_eq!(memory.stats.failure, Some(failure(FailureReason::NotFound)));
    memory.apply(user_report("a"), at(3));
    assert_eq!((memory.stats.read_at(), &memory.stats.failure), (Some(at(3)), &None));
}

#[test]
fn what_speaks_of_the_service_is_told_from_what_speaks_of_one_operation() {
    let with = |stats: FailureReason, v1: FailureReason| {
        let report = V1UserReport {
            sub_wallet: Err(failure(v1.clone())),
            assets: Err(failure(v1.clone())),
            deposits: Ok(PagedList::default()),
            transfers: Err(failure(v1)),
        };
        let report = UserReport { stats: Err(failure(stats)), v1: Some(report), ..user_report("a") };
        report.service_failure().map(|failure| failure.reason.clone())
    };
    assert_eq!(with(FailureReason::NotFound, FailureReason::Refused { status: 422 }), None);
    assert_eq!(
        with(FailureReason::NotFound, FailureReason::KeyRejected),
        None,
        "a service without version 1 may say so"
    );
    assert_eq!(with(FailureReason::KeyRejected, FailureReason::NotFound), Some(FailureReason::KeyRejected));
    let busy = FailureReason::Busy { too_many: true, retry_after: Some(Duration::from_secs(9)) };
    assert_eq!(with(FailureReason::NotUnderstood, busy.clone()), Some(busy));
}

#[test]
fn what_was_read_is_remembered_of_so_many_users_and_no_more() {
    let mut model = users_page();
    for number in 0..MAX_CACHED_USERS + 5 {
        apply_user_report(&mut model, &user_report(&format!("u-{number}")));
    }
    apply_user_report(&mut model, &user_report("u-5"));
    assert_eq!(model.pages.users.cached_reports.len(), MAX_CACHED_USERS);
    assert!(
        model.pages.users.cached_reports.last().is_some_and(|(user, _)| user.as_str() == "u-5"),
        "read last, forgotten last"
    );
    assert!(!model.pages.users.cached_reports.iter().any(|(user, _)| user.as_str() == "u-4"));
}

#[test]
fn an_address_is_known_once_with_every_coin_that_came_there() {
    let wallet = |address: &str, chain: &str| Sourced {
        entry: Wallet {
            name: Some("ops".into()),
            address: Some(address.into()),
            ..Wallet::new(WalletId::from_text(chain), chain.into())
        },
        source: EntrySource::Listed,
        imported_fields: EntryFieldSet::default(),
        conflicting_addresses: Vec::new(),
    };
    let deposit = |address: &str, chain: &str, coin: &str, tag: Option<&str>, to: &str| Movement {
        id: TransactionId::from_text("t"),
        workspace: None,
        destination: None,
        from_wallet: None,
        to_wallet: Some(UserId::from_text(to)),
        coin: coin.into(),
        chain: Some(chain.into()),
        network: None,
        amount: None,
        status: None,
        network_fee: None,
        confirmation: None,
        created_at: None,
        updated_at: None,
        client_tx_id: None,
        from_address: None,
        to_address: Some(address.into()),
        hash: None,
        link: None,
        tag_memo: tag.map(Text::clean),
        unreadable: Vec::new(),
    };
    let deposits = [
        deposit("0xAB", "Ethereum", "USDC", None, "a"),
        deposit("rX", "xrp", "XRP", Some("7"), "a"),
        deposit("rX", "xrp", "XRP", Some("8"), "a"),
        deposit("TQ", "tron", "USDT", None, "a"),
        deposit("TQ", "tron", "TRX", None, "a"),
        deposit("TQ", "tron", "TRX", None, "a"),
        deposit("0xCD", "base", "USDC", None, "b"),
    ];
    let a = UserId::from_text("a");
    let addresses = user_cache::deposit_addresses(&[wallet("0xab", "ethereum")], &deposits, Some(&a));
    let text_of = |one: &DepositAddress| {
        let coins: Vec<_> = one.coins.iter().map(Text::as_str).collect();
        format!("{} {} {} {}", one.chain, one.address, one.tag.as_deref().unwrap_or("-"), coins.join("+"))
    };
    let expected = ["ethereum 0xab - ", "xrp rX 7 XRP", "xrp rX 8 XRP", "tron TQ - USDT+TRX"];
    assert_eq!(addresses.iter().map(text_of).collect::<Vec<_>>(), expected);
}

#[test]
fn an_imitation_among_the_assets_of_version_1_is_marked_before_any_list_of_tokens_was_read() {
    let mut model = users_page();
    let asset = |coin: &str| AssetBalance { coin: coin.into(), balance: None, frozen: None, updated_at: None };
    let assets = PagedList { rows: vec![asset("USDT"), asset("U\u{405}DT")], ..PagedList::default() };
    let v1 = V1UserReport {
        sub_wallet: Err(failure(FailureReason::NotFound)),
        assets: Ok(assets),
        deposits: Ok(PagedList::default()),
        transfers: Ok(PagedList::default()),
    };
    let dataset = Dataset::User { user: UserId::from_text("a"), v1: true };
    let request_id = model.data.remotes.user.request_id;
    let report = UserReport { v1: Some(v1), ..user_report("a") };
    update(&mut model, Msg::Loaded { dataset, request_id, result: Ok(Snapshot::User(Box::new(report))) });
    assert_eq!(model.pages.users.imitations, ["U\u{405}DT".into()] as [Text; 1]);
}

#[test]
fn a_list_of_tokens_that_was_read_judges_anew_what_stands_on_the_page() {
    let mut model = users_page();
    let (dataset, request_id) = (Dataset::Markets, model.data.remotes.markets.request_id);
    let effects =
        update(&mut model, Msg::Loaded { dataset, request_id, result: Ok(Snapshot::Markets { unreadable: 0 }) });
    let is_queried = |expected: &StoreQuery| {
        effects.iter().any(|effect| matches!(effect, Effect::QueryStore { query, .. } if query == expected))
    };
    assert!(is_queried(&StoreQuery::User(UserId::from_text("a"))), "{effects:?}");
}
