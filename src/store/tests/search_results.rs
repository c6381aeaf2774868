//! The segment search, against a plain look at every row.

use std::collections::HashMap;

use proptest::prelude::*;

use super::fixtures::{now, temporary_store, transaction, uuid};
use crate::domain::entry_source::EntrySource;
use crate::domain::filter::Filter;
use crate::domain::history::{HistoryRow, Page, Query, RowCount, Scope, Sort, Window, WindowAnchor, WindowRequest};
use crate::domain::{Account, AccountId, Direction, Status, Text, Transaction, User, UserId, Wallet, WalletId, chain};
use crate::store::{BackfillRead, CacheLocation, Cancel, LatestRead, Store};

const PER_PAGE: u64 = 100;

/// A store with rows of both lists, the newest of which has the highest number.
pub(super) fn store_with_rows(rows: u64) -> Store {
    add_rows(temporary_store(), rows)
}

fn add_rows(store: Store, rows: u64) -> Store {
    let of = |direction: &Direction| -> Vec<Transaction> {
        let odd = u64::from(*direction == Direction::Outgoing);
        (0..rows)
            .rev()
            .filter(|number| number % 2 == odd)
            .map(|number| transaction(number, direction, Some(time_of_row(number))))
            .collect()
    };
    let lists = [of(&Direction::Incoming), of(&Direction::Outgoing)];
    let page = |request: &crate::domain::history::TransactionPageRequest| {
        let list = &lists[usize::from(request.direction == Direction::Outgoing)];
        let from = usize::try_from((request.page_no - 1) * PER_PAGE).unwrap();
        Page {
            items: list.iter().skip(from).take(usize::try_from(PER_PAGE).unwrap()).cloned().collect(),
            unreadable: 0,
            page_no: Some(request.page_no),
            page_limit: Some(PER_PAGE),
            total_page: Some((list.len() as u64).div_ceil(PER_PAGE)),
        }
    };
    let mut head = LatestRead::start(&store).unwrap();
    while let Some(request) = head.next_page() {
        head.add_page(&request, page(&request)).unwrap();
    }
    head.finish(now(0)).unwrap();
    while !store.progress().unwrap().complete {
        let mut backfill = BackfillRead::start(&store, 1_000).unwrap();
        while let Some(request) = backfill.next_page() {
            backfill.add_page(&request, page(&request)).unwrap();
        }
        backfill.finish(now(0)).unwrap();
    }
    assert_eq!(store.progress().unwrap().rows, rows);
    store
}

pub(super) fn time_of_row(number: u64) -> i64 {
    1_750_000_000_000 + i64::try_from(number).unwrap() * 3_600_000
}

pub(super) fn sync_rows(store: &Store, rows: &[Transaction]) {
    let mut head = LatestRead::start(store).unwrap();
    while let Some(request) = head.next_page() {
        let items: Vec<_> = rows.iter().filter(|row| row.direction == request.direction).cloned().collect();
        head.add_page(
            &request,
            Page { items, unreadable: 0, page_no: Some(1), page_limit: Some(10_000), total_page: Some(1) },
        )
        .unwrap();
    }
    head.finish(now(9)).unwrap();
}

fn query_windows(store: &Store, span: &WindowRequest) -> Vec<Window<HistoryRow>> {
    let mut windows = Vec::new();
    store.query_history(span, &Cancel::new(), &mut |window| windows.push(window)).unwrap();
    windows
}

pub(super) fn query_rows(store: &Store, query: Query) -> Vec<HistoryRow> {
    let span = WindowRequest { query, anchor: WindowAnchor::Rank(0), rows: 1_000_000 };
    let answers = query_windows(store, &span);
    let last = answers.last().unwrap().clone();
    assert_eq!(last.count, RowCount::Exact(last.rows.len() as u64));
    last.rows
}

pub(super) fn query_with_filter(filter: &str) -> Query {
    Query { filter: filter.into(), ..Query::default() }
}

/// What wallets, users and accounts are called in a round, by the numbers of their identifiers.
const NAMES_BY_ROUND: [[(u64, &str); 6]; 2] = [
    [
        (600, "Treasury-hot"),
        (601, "order-1 ÄRGER"),
        (602, "eth main"),
        (505, "Usd desk"),
        (506, "pending Ember"),
        (700, "House 12"),
    ],
    // Some are called otherwise, others as they were.
    [
        (600, "Pending-cold"),
        (601, "order-1 ÄRGER"),
        (603, "main"),
        (505, "Usd desk"),
        (507, "Ember"),
        (701, "House of 12"),
    ],
];

/// Gives names; what was called something before and is not any more keeps its name.
fn save_names(store: &Store, names: &mut HashMap<String, String>, called: &[(u64, &str)]) {
    for (number, name) in called {
        let (id, name) = (uuid(*number), Some(Text::clean(name)));
        names.insert(id.clone(), name.as_deref().unwrap().to_lowercase());
        match number {
            500..600 => {
                let id = UserId::from_text(&id);
                let user =
                    User { id, display_name: name, ref_id: None, email: None, is_active: None, created_at: None };
                store.save_users(&[user], EntrySource::Listed).unwrap();
            }
            600..700 => {
                let wallet = Wallet { name, ..Wallet::new(WalletId::from_text(&id), Text::default()) };
                store.save_wallets(&[wallet], EntrySource::Listed).unwrap();
            }
            _ => {
                let id = AccountId::from_text(&id);
                let account = Account { name, ..Account::new(id) };
                store.save_accounts(&[account], EntrySource::Listed).unwrap();
            }
        }
    }
}

/// What the documentation of `Query::filter` says, word by word and row by row, where nothing has a name.
fn matches_by_definition(row: &HistoryRow, filter: &str) -> bool {
    matches_by_definition_with_names(row, filter, &HashMap::new())
}

/// The same where things are called so.
fn matches_by_definition_with_names(row: &HistoryRow, filter: &str, given_names: &HashMap<String, String>) -> bool {
    if Filter::from(filter).is_faulty() {
        return false;
    }
    let t = &row.transaction;
    let lowercase = |value: Option<&str>| value.map(str::to_lowercase).unwrap_or_default();
    let time = row.time.format("%Y-%m-%d %H:%M:%S");
    let (day, clock) = time.split_once(' ').unwrap();
    let amount = t.amount.as_ref().map(|amount| amount.even_if_disputed().to_string());
    let token = [Some(&*t.symbol), t.token_name.as_deref(), t.token.contract.as_deref()].map(lowercase);
    let chains =
        [lowercase(Some(&t.token.blockchain)), lowercase(Some(chain::chain_display_name(&t.token.blockchain)))];
    let wallet =
        [lowercase(t.wallet.as_ref().map(WalletId::as_str)), lowercase(t.own_wallet_address().map(|own| &**own))];
    let user = lowercase(t.user.as_ref().map(UserId::as_str));
    let status = lowercase(t.status.as_ref().map(Status::word));
    let sub_type = lowercase(t.sub_type.as_ref().map(crate::domain::SubType::word));
    let account = lowercase(t.account.as_ref().map(crate::domain::AccountId::as_str));
    filter.split_whitespace().all(|word| {
        let word = word.to_lowercase();
        let (field, mut needle) = word.split_once(':').map_or((None, word.clone()), |(field, needle)| {
            let fields = [
                "token", "chain", "status", "dir", "from", "to", "hash", "ref", "note", "id", "wallet", "user",
                "amount", "date", "type", "key", "group", "account",
            ];
            if fields.contains(&field) { (Some(field.to_owned()), needle.to_owned()) } else { (None, word.clone()) }
        });
        if let Some(quoted) = word.strip_prefix('"') {
            needle = quoted.strip_suffix('"').unwrap_or(quoted).to_owned();
        }
        let number = needle.bytes().all(|byte| byte.is_ascii_digit() || byte == b',' || byte == b'.');
        if number && matches!(field.as_deref(), None | Some("amount")) {
            needle = needle.replace(',', "");
        }
        let has = |text: &str| text.contains(&needle);
        let any = |texts: &[String]| texts.iter().any(|text| has(text));
        let called = |id: &str| {
            let Some(name) = given_names.get(id) else { return false };
            let is_part = needle.chars().next().is_some_and(char::is_alphanumeric);
            (0..name.len()).filter(|at| name.is_char_boundary(*at)).any(|at| {
                let before = name[..at].chars().last().filter(|_| is_part);
                name[at..].starts_with(&needle) && !before.is_some_and(char::is_alphanumeric)
            })
        };
        let direction = t.direction.word().starts_with(&needle);
        let is_year = needle.len() >= 4 && needle[..4].parse().is_ok_and(|year: u32| (1970..2200).contains(&year));
        let calendar = is_year && (needle.len() == 4 || needle.as_bytes()[4] == b'-');
        let compared = needle.split_at_checked(1).filter(|(mark, _)| matches!(*mark, ">" | "<"));
        match field.as_deref() {
            // Times are written so that their texts sort as they do.
            Some("from") if calendar => time.as_str() >= needle.as_str(),
            Some("to") if calendar => time[..needle.len()] <= *needle,
            Some("amount") if compared.is_some() => {
                let (mark, bound) = compared.unwrap();
                let (equal, bound) = bound.strip_prefix('=').map_or((false, bound), |bound| (true, bound));
                let bound = bound.replace(',', "");
                let digits = bound.split_once('.').map_or(0, |(_, fraction)| fraction.len());
                let bound = crate::domain::Amount::parse(&bound, u8::try_from(digits).unwrap()).unwrap();
                t.amount.as_ref().is_some_and(|amount| {
                    let ordering = amount.even_if_disputed().cmp_value(bound);
                    (equal && ordering.is_eq()) || if mark == ">" { ordering.is_gt() } else { ordering.is_lt() }
                })
            }
            Some("token") => any(&token),
            Some("chain") => any(&chains),
            Some("status") => has(&status),
            Some("dir") => direction,
            Some("from") => has(&lowercase(t.from_address.as_deref())),
            Some("to") => has(&lowercase(t.to_address.as_deref())),
            Some("hash") => has(&lowercase(t.tx_hash.as_deref())),
            Some("ref") => has(&lowercase(t.ref_id.as_deref())),
            Some("note") => has(&lowercase(t.note.as_deref())),
            Some("id") => has(&lowercase(Some(t.id.as_str()))),
            Some("wallet") => any(&wallet) || called(&wallet[0]),
            Some("user") => has(&user) || called(&user),
            Some("account") => has(&account) || called(&account),
            Some("amount") => has(&lowercase(amount.as_deref())),
            Some("date") => has(day) || has(clock),
            Some("type") => has(&sub_type),
            Some("key") => has(&lowercase(t.idempotency_key.as_deref())),
            Some("group") => has(&lowercase(t.group.as_deref())),
            _ => {
                let date = needle.contains(['-', ':']) && (has(day) || has(clock));
                let rest = [
                    &t.from_address,
                    &t.to_address,
                    &t.tx_hash,
                    &t.ref_id,
                    &t.note,
                    &t.idempotency_key,
                    &t.group,
                    &t.standard,
                    &t.fee_token,
                    &t.fee_level,
                    &t.protocol,
                    &t.environment,
                    &t.network,
                    &t.trigger_origin,
                ];
                date || direction
                    || any(&token)
                    || any(&chains)
                    || any(&wallet)
                    || has(&user)
                    || has(&status)
                    || has(&sub_type)
                    || has(&account)
                    || [&wallet[0], &user, &account].iter().any(|id| called(id))
                    || has(&lowercase(Some(t.id.as_str())))
                    || has(&lowercase(amount.as_deref()))
                    || rest.iter().any(|text| has(&lowercase(text.as_deref())))
            }
        }
    })
}

fn search_word() -> impl Strategy<Value = String> {
    let fragment = prop_oneof![
        "[0-9a-f]{1,4}",
        "[a-z]{1,3}",
        "0x[0-9a-f]{1,3}",
        "[0-9]{1,2}[-:][0-9]{0,2}",
        "[0-9]{1,3},[0-9]{1,3}",
        Just("RÜCK".to_owned()),
        Just("order-1".to_owned()),
        prop::sample::select(vec!["pend", "fail", "succ", "dep", "swap", "in"]).prop_map(str::to_owned),
        Just("USD".to_owned()),
        Just("out".to_owned()),
        Just("Ethereum".to_owned()),
        prop::sample::select(vec!["treas", "hot", "Main", "emb", "-cold", "Desk", "ärg", "house", "r"])
            .prop_map(str::to_owned),
        Just("2025-".to_owned()),
        "2025(-(0[5-9]|1[0-3])(-[0-3][0-9])?)?",
        "[<>]=?[0-9]{1,4}(,[0-9]{3})?(\\.[0-9]{1,3})?",
        "[ -~]{1,2}",
    ];
    let field = prop::sample::select(vec![
        "",
        "",
        "",
        "",
        "token:",
        "chain:",
        "status:",
        "dir:",
        "from:",
        "to:",
        "hash:",
        "ref:",
        "note:",
        "id:",
        "wallet:",
        "user:",
        "amount:",
        "date:",
        "type:",
        "key:",
        "account:",
        "nonsense:",
    ]);
    // Most words are such as can be found: one that is not understood hides every row.
    (field, fragment, 0..8_u8).prop_map(|(field, fragment, faulty)| {
        let word = format!("{field}{fragment}");
        if faulty > 0 && Filter::from(word.as_str()).is_faulty() { fragment } else { word }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_search_finds_what_a_look_at_every_row_finds(
        rows in 1_u64..2_600,
        filters in prop::collection::vec(prop::collection::vec(search_word(), 1..3), 20),
        arrivals in 1_u64..40,
    ) {
        let store = store_with_rows(rows);
        let mut names = HashMap::new();
        for (round, called) in NAMES_BY_ROUND.iter().enumerate() {
            save_names(&store, &mut names, called);
            let everything = query_rows(&store, Query::default());
            for words in &filters {
                // Letter by letter, as it is typed, so that every answer narrows the one before.
                let filter = words.join(" ");
                for end in (0..=filter.len()).filter(|end| filter.is_char_boundary(*end)).rev().take(3).collect::<Vec<_>>().into_iter().rev() {
                    let filter = &filter[..end];
                    if filter.trim().is_empty() || filter.ends_with(':') { continue; }
                    let matching = query_rows(&store, query_with_filter(filter));
                    let expected: Vec<_> = everything.iter().filter(|row| matches_by_definition_with_names(row, filter, &names)).cloned().collect();
                    prop_assert_eq!(
                        matching.iter().map(|row| row.seq).collect::<Vec<_>>(),
                        expected.iter().map(|row| row.seq).collect::<Vec<_>>(),
                        "filter {:?}, round {}", filter, round
                    );
                    prop_assert_eq!(matching, expected);
                }
            }
            // Rows arrive, rows change and names do; kept answers must follow.
            let mut news: Vec<_> = (0..arrivals).map(|n| transaction(100_000 + n, &Direction::Incoming, None)).collect();
            for row in everything.iter().step_by(97) {
                let mut changed = row.transaction.clone();
                changed.status = Some(Status::Failed);
                changed.note = Some("order-1 changed".into());
                news.push(changed);
            }
            sync_rows(&store, &news);
        }
    }
}

#[test]
fn rows_are_found_by_what_their_wallet_is_called_and_no_more_once_it_is_called_otherwise() {
    let store = store_with_rows(1_500);
    let (mut names, wallet) = (HashMap::new(), WalletId::from_text(&uuid(603)));
    let seqs =
        |filter: &str| query_rows(&store, query_with_filter(filter)).into_iter().map(|row| row.seq).collect::<Vec<_>>();
    let of_wallet = Query { scope: Scope::Wallet(wallet), ..Query::default() };
    let all: Vec<i64> = query_rows(&store, of_wallet).into_iter().map(|row| row.seq).collect();
    assert!(!all.is_empty());
    assert!(seqs("harb").is_empty());
    save_names(&store, &mut names, &[(603, "Blue Harbour")]);
    for filter in ["harb", "wallet:harbour", "blue HARBOUR"] {
        assert_eq!(seqs(filter), all, "{filter}");
    }
    for filter in ["arbour", "user:harb", "account:blue"] {
        assert!(seqs(filter).is_empty(), "{filter}");
    }
    save_names(&store, &mut names, &[(603, "Red")]);
    assert!(seqs("harb").is_empty());
    assert_eq!(seqs("wallet:red"), all);
}

#[test]
fn a_scope_narrows_to_its_rows() {
    let store = store_with_rows(2_500);
    let everything = query_rows(&store, Query::default());
    let wallet = WalletId::from_text(&uuid(603));
    let expected: Vec<_> =
        everything.iter().filter(|row| row.transaction.wallet.as_ref() == Some(&wallet)).cloned().collect();
    assert!(!expected.is_empty());
    let query = Query { scope: Scope::Wallet(wallet), ..Query::default() };
    assert_eq!(query_rows(&store, query.clone()), expected);
    // The newest segment has no texts so far: a scope is looked up without them.
    let id = expected[0].transaction.id.to_string();
    for filter in ["status:pend", &id, "order-1", "status:pend"] {
        let matches: Vec<_> = expected.iter().filter(|row| matches_by_definition(row, filter)).cloned().collect();
        assert!(!matches.is_empty(), "{filter}");
        assert_eq!(query_rows(&store, Query { filter: filter.into(), ..query.clone() }), matches, "{filter}");
    }
    assert_eq!(query_rows(&store, query), expected);
}

#[test]
fn sorted_by_amount_rows_stand_by_their_value_whatever_the_token() {
    let store = store_with_rows(3_000);
    for filter in ["", "pending"] {
        let largest = query_rows(&store, Query { filter: filter.into(), sort: Sort::Largest, ..Query::default() });
        let values: Vec<_> = largest
            .iter()
            .filter_map(|row| row.transaction.amount.as_ref())
            .map(crate::domain::ReportedAmount::even_if_disputed)
            .collect();
        assert!(values.is_sorted_by(|one, other| one.cmp_value(*other).is_ge()));
        let mut smallest =
            query_rows(&store, Query { filter: filter.into(), sort: Sort::Smallest, ..Query::default() });
        smallest.reverse();
        assert_eq!(smallest, largest);
    }
}

#[test]
fn windows_are_parts_of_the_whole_answer() {
    let store = store_with_rows(9_500);
    for sort in [Sort::Newest, Sort::Oldest, Sort::Largest, Sort::Smallest, Sort::Listed] {
        for filter in ["", "usdt", "out pend"] {
            let query = Query { filter: filter.into(), sort, ..Query::default() };
            let whole = query_rows(&store, query.clone());
            let total = whole.len();
            for first in [0, 1, 500, total / 2, total - 1, total + 10] {
                let anchors = [
                    WindowAnchor::Rank(first as u64),
                    WindowAnchor::Row { seq: whole[first.min(total - 1)].seq, above: 7 },
                    WindowAnchor::End,
                ];
                for anchor in anchors {
                    let span = WindowRequest { query: query.clone(), anchor, rows: 40 };
                    for window in query_windows(&store, &span) {
                        let from = usize::try_from(window.first).unwrap();
                        assert_eq!(window.rows, whole[from..(from + 40).min(total)], "{span:?}");
                        match window.count {
                            RowCount::Exact(count) => assert_eq!(count, total as u64),
                            RowCount::AtLeast(count) => assert!(count <= total as u64),
                        }
                        let expected = match anchor {
                            WindowAnchor::Rank(rank) => rank,
                            WindowAnchor::Row { .. } => first.min(total - 1).saturating_sub(7) as u64,
                            WindowAnchor::End => u64::MAX,
                        };
                        assert_eq!(window.first, expected.min(total as u64 - 40), "{span:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_withdrawn_question_is_not_answered() {
    let store = store_with_rows(1_500);
    let cancel = Cancel::new();
    cancel.cancel();
    let span = WindowRequest { query: query_with_filter("usdt"), anchor: WindowAnchor::Rank(0), rows: 10 };
    let answer = store.query_history(&span, &cancel, &mut |_| panic!("it was withdrawn"));
    assert!(matches!(answer, Err(crate::store::StoreError::Cancelled)));
}

#[test]
fn a_cache_in_memory_answers_as_one_on_disk_and_nobody_waits_for_ever() {
    // So many that a search on disk would take a second connection.
    const ROWS: u64 = 9_000;
    let (disk, memory) = (store_with_rows(ROWS), add_rows(Store::open(&CacheLocation::Memory).unwrap().store, ROWS));
    let sorts = [Sort::Newest, Sort::Oldest, Sort::Largest, Sort::Smallest];
    for (filter, sort) in ["", "usd", "dir:out", "status:pending 0xab"].into_iter().zip(sorts) {
        let query = Query { filter: filter.into(), sort, ..Query::default() };
        let span = WindowRequest { query, anchor: WindowAnchor::Rank(40), rows: 60 };
        let (one, other) = (query_windows(&disk, &span), query_windows(&memory, &span));
        assert_eq!(one.last(), other.last(), "{filter}");
    }
    let new: Vec<Transaction> = (ROWS..ROWS + 40)
        .rev()
        .map(|number| transaction(number, &Direction::Incoming, Some(time_of_row(number))))
        .collect();
    std::thread::scope(|threads| {
        let asks = |filter: &'static str| (0..5).map(|_| query_rows(&memory, query_with_filter(filter)).len()).max();
        let readers = ["usd", "eth", "0x"].map(|filter| threads.spawn(move || asks(filter)));
        sync_rows(&memory, &new);
        assert!(readers.into_iter().all(|reader| reader.join().unwrap() > Some(0)));
    });
    assert_eq!(memory.progress().unwrap().rows, ROWS + 40);
}
