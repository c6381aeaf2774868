//! Flows against a plain sum over every row, and samples by the hour.

use std::collections::BTreeMap;
use std::time::Duration;

use proptest::prelude::*;
use ruint::aliases::U256;

use super::fixtures::{
    amount, is_between_own_wallets, now, store_in_folder, temporary_store, transaction_maybe_internal,
};
use crate::domain::history::{Page, Scope};
use crate::domain::{
    Amount, BalanceDelta, BalanceHistory, DailyFlow, Day, Direction, FinalStatuses, ReportedAmount, ReportedBalance,
    Status, Text, Timestamp, TokenKey, Transaction, UserId,
};
use crate::store::{Cancel, LatestRead, Store};

const DAY: i64 = 86_400_000;

pub(super) fn sync_rows(store: &Store, rows: &[Transaction], minute: i64) {
    let mut head = LatestRead::start(store).unwrap();
    while let Some(request) = head.next_page() {
        let of = rows.iter().rev().filter(|row| row.direction == request.direction);
        let page = Page {
            items: of.cloned().collect(),
            unreadable: 0,
            page_no: Some(1),
            page_limit: Some(10_000),
            total_page: Some(1),
        };
        head.add_page(&request, page).unwrap();
    }
    head.finish(now(minute)).unwrap();
}

#[derive(Default)]
struct ExpectedFlow {
    /// In and out.
    external: [U256; 2],
    /// The same between own wallets.
    internal: [U256; 2],
    decimals: Option<u8>,
    /// Rows that moved something, those between own wallets last.
    rows: [u64; 2],
    unclear: u64,
}

/// What came and went, by looking at each row.
fn expected_flows(
    rows: &[Transaction],
    scope: &Scope,
    token: Option<&TokenKey>,
    since: Day,
) -> BTreeMap<TokenKey, Vec<DailyFlow>> {
    let mut sums: BTreeMap<(TokenKey, Day), ExpectedFlow> = BTreeMap::new();
    for row in rows {
        let within = match scope {
            Scope::All => true,
            Scope::Account(id) => row.account.as_ref() == Some(id),
            Scope::Wallet(id) => row.wallet.as_ref() == Some(id),
            Scope::User(id) => row.user.as_ref() == Some(id),
        };
        let day = Day::from_timestamp(row.reported_time().unwrap());
        if !within || day < since || token.is_some_and(|token| *token != row.token) {
            continue;
        }
        let Some(movement) = BalanceDelta::from_transaction(row, &FinalStatuses::default()) else { continue };
        let sum = sums.entry((row.token.clone(), day)).or_default();
        let internal = is_between_own_wallets(row, rows);
        let (amount, side) = match movement {
            BalanceDelta::In(amount) => (amount, 0),
            BalanceDelta::Out(amount) => (amount, 1),
            BalanceDelta::Unclear => {
                sum.unclear += 1;
                continue;
            }
        };
        sum.decimals = Some(amount.decimals());
        sum.rows[usize::from(internal)] += 1;
        // The fee of a movement between own wallets has left them.
        let paid_amount = row.amount.as_ref().and_then(ReportedAmount::exact);
        let fee = paid_amount.and_then(|paid_amount| amount.checked_sub(paid_amount)).map_or(U256::ZERO, Amount::raw);
        match (internal, side) {
            (true, 1) => {
                sum.internal[1] += amount.raw() - fee;
                sum.external[1] += fee;
            }
            (true, _) => sum.internal[0] += amount.raw(),
            (false, side) => sum.external[side] += amount.raw(),
        }
    }
    let mut flows: BTreeMap<TokenKey, Vec<DailyFlow>> = BTreeMap::new();
    for ((token, day), sum) in sums {
        let amount = |raw| Amount::new(raw, sum.decimals?);
        let [incoming, outgoing] = sum.external.map(amount);
        let internal = sum.internal.map(amount);
        let ([rows, internal_rows], unclear) = (sum.rows, sum.unclear);
        let flow = DailyFlow { day, incoming, outgoing, internal, rows, internal_rows, unclear };
        flows.entry(token).or_default().push(flow);
    }
    flows
}

fn flows_by_token(past: &BalanceHistory) -> BTreeMap<TokenKey, Vec<DailyFlow>> {
    past.tokens.iter().map(|history| (history.token.clone(), history.flows.clone())).collect()
}

fn row(number: u64, days: i64) -> Transaction {
    let direction = if number.is_multiple_of(3) { Direction::Outgoing } else { Direction::Incoming };
    transaction_maybe_internal(number, &direction, Some(1_790_000_000_000 + days * DAY))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn flows_are_the_ledgers_own_sums_also_after_rows_arrived_and_changed(
        days in prop::collection::vec(0_i64..20, 1..60),
        later in prop::collection::vec(0_i64..22, 0..20),
        settled in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        since in 0_u16..25,
    ) {
        let store = temporary_store();
        let mut rows: Vec<Transaction> = (1..).zip(&days).map(|(number, day)| row(number, *day)).collect();
        sync_rows(&store, &rows, 0);
        let since = Day::from_timestamp(Timestamp::from_millis(1_790_000_000_000 + 20 * DAY)).days_before(since);
        let first = rows[0].clone();
        let scopes = [
            Scope::All,
            Scope::Account(first.account.clone().unwrap()),
            Scope::Wallet(first.wallet.clone().unwrap()),
            Scope::User(first.user.clone().unwrap()),
        ];
        let check = |rows: &[Transaction]| {
            for scope in &scopes {
                for token in [None, Some(&first.token)] {
                    let past = store.balance_history(scope, token, since, &Cancel::new()).unwrap();
                    assert_eq!(flows_by_token(&past), expected_flows(rows, scope, token, since), "{scope:?}, {token:?}");
                    // Times at random may look like a list that is not the newest first, and then it is not whole.
                    let progress = store.progress().unwrap();
                    assert_eq!(past.is_complete, progress.complete && progress.partial.is_none());
                }
            }
        };
        check(&rows);
        rows.extend((1_000..).zip(&later).map(|(number, day)| row(number, *day)));
        for index in settled {
            let at = index.index(rows.len());
            rows[at].status = Some(Status::Success);
            rows[at].confirmed = Some(true);
            // Neither word nor amount that the search knows: only what the row takes away with it.
            rows[at].total_amount = amount(77, rows[at].total_amount.as_ref().unwrap().even_if_disputed().decimals());
        }
        sync_rows(&store, &rows, 1);
        check(&rows);
    }
}

fn save_user_balance(store: &Store, raw: u64, minute: i64) {
    let balance = ReportedBalance {
        user: UserId::from_text("u"),
        token: TokenKey { blockchain: Text::clean("base"), contract: None },
        symbol: Text::clean("ETH"),
        name: None,
        amount: ReportedAmount::Exact(Amount::new(U256::from(raw), 18).unwrap()),
        environment: None,
        updated_at: None,
    };
    store.save_balances(&UserId::from_text("u"), &[balance], now(minute)).unwrap();
}

fn sample_points(store: &Store, minute: i64) -> Vec<(i64, u64)> {
    let scope = Scope::User(UserId::from_text("u"));
    let past =
        store.balance_history(&scope, None, Day::from_timestamp(now(minute)).days_before(30), &Cancel::new()).unwrap();
    let minutes = |at: Timestamp| (at.millis() - now(0).millis()) / 60_000;
    let of = |past: &crate::domain::TokenBalanceHistory| {
        past.samples.iter().map(|sample| (minutes(sample.at), sample.amount.raw().to())).collect()
    };
    past.tokens.first().map(of).unwrap_or_default()
}

#[test]
fn a_balance_is_sampled_once_an_hour_while_it_is_fresh_and_outlives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let scope = Scope::User(UserId::from_text("u"));
    let store = store_in_folder(folder.path());
    assert!(!store.take_sample(&scope, now(0)).unwrap(), "nothing is known yet");
    save_user_balance(&store, 5, 0);
    assert!(store.take_sample(&scope, now(0)).unwrap());
    save_user_balance(&store, 6, 1);
    assert!(!store.take_sample(&scope, now(1)).unwrap(), "once an hour");
    assert!(!store.take_sample(&scope, now(90)).unwrap(), "a figure of an hour ago is none of now");
    save_user_balance(&store, 7, 91);
    assert!(store.take_sample(&scope, now(91)).unwrap());
    assert_eq!(sample_points(&store, 91), [(0, 5), (91, 7)]);
    assert!(
        store.take_sample(&Scope::All, now(91)).is_ok_and(|is_taken| !is_taken),
        "no wallet is known to be anybody's"
    );
    drop(store);
    let store = store_in_folder(folder.path());
    assert_eq!(sample_points(&store, 91), [(0, 5), (91, 7)]);
    // The clock was set back: what was noted ahead of it makes room.
    save_user_balance(&store, 8, 30);
    assert!(store.take_sample(&scope, now(30)).unwrap());
    assert_eq!(sample_points(&store, 91), [(0, 5), (30, 8)]);
}

#[test]
fn samples_grow_sparse_with_age() {
    let store = temporary_store();
    let scope = Scope::User(UserId::from_text("u"));
    for hour in 0..24 * 30 {
        save_user_balance(&store, hour, i64::try_from(hour).unwrap() * 60);
        assert!(store.take_sample(&scope, now(i64::try_from(hour).unwrap() * 60)).unwrap());
    }
    let points = sample_points(&store, 24 * 30 * 60);
    assert!(points.len() < 8 * 24 + 22 * 4 + 4, "{}", points.len());
    assert_eq!((points[0].1, points.last().unwrap().1), (0, 24 * 30 - 1));
}

#[test]
fn a_question_that_was_withdrawn_is_not_answered() {
    let store = temporary_store();
    sync_rows(&store, &[row(1, 0)], 0);
    let cancel = Cancel::new();
    cancel.cancel();
    assert!(store.balance_history(&Scope::All, None, Day::default(), &cancel).is_err());
    assert_eq!(store.balance_history(&Scope::All, None, Day::default(), &Cancel::new()).unwrap().tokens.len(), 1);
}

#[test]
fn an_hour_is_long_enough_for_no_sum_of_a_moment_ago() {
    let (store, scope) = (temporary_store(), Scope::User(UserId::from_text("u")));
    save_user_balance(&store, 5, 0);
    assert!(!store.take_sample(&scope, now(0).plus(Duration::from_hours(1))).unwrap());
}
