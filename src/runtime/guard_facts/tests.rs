mod batches;
mod by_v1;
mod reopened;

use std::time::Duration;

use uuid::Uuid;

use super::*;
use crate::domain::entry_source::EntrySource;
use crate::domain::history::Page;
use crate::domain::order::{HistoryLookup, OrderEnd, OrderEvent, OrderId};
use crate::domain::{
    Account, AccountId, BalanceBasis, Direction, Draft, Metadata, ObservedTransaction, Outcome, ReportedBalance, Skew,
    Status, SubType, Transaction, TransactionId, UserId, WalletId,
};
use crate::guard::{self, ExpectedFee, GuardedPayment, OtherPayments, Rule, Severity};
use crate::orders::fixtures::{
    PAYING_ADDRESS, SUPPLIER_ADDRESS, USDC, ago, idempotency_key, order, order_stamp, row, sender, usdc_amount,
    withdrawal,
};
use crate::store::{CacheLocation, LatestRead};

const OTHER_ADDRESS: &str = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";
const PERIOD: Duration = Duration::from_secs(10);

fn now() -> Timestamp {
    ago(0)
}

pub(super) fn wallet(id: &str, address: &str, chain: &str, user: &str) -> Wallet {
    Wallet {
        name: Some(id.into()),
        address: Some(address.into()),
        network: Some("mainnet".into()),
        gasless_withdraw: Some(false),
        user: Some(UserId::from_text(user)),
        account: Some(AccountId::from_text("treasury")),
        ..Wallet::new(WalletId::from_text(id), chain.into())
    }
}

fn balance(symbol: &str, contract: Option<&str>, amount: &str) -> ReportedBalance {
    ReportedBalance {
        user: UserId::from_text("u"),
        token: TokenKey::new("ethereum", contract),
        symbol: symbol.into(),
        name: None,
        amount: ReportedAmount::Exact(usdc_amount(amount)),
        environment: Some("mainnet".into()),
        updated_at: None,
    }
}

/// A store that read these outgoing rows just now, and the paying wallet's balances.
fn store(rows: &[Transaction]) -> Store {
    let store = Store::open(&CacheLocation::Temporary).unwrap().store;
    store
        .save_wallets(
            &[wallet("paying", PAYING_ADDRESS, "ethereum", "u"), wallet("till", OTHER_ADDRESS, "base", "v")],
            EntrySource::Listed,
        )
        .unwrap();
    store
        .save_balances(&UserId::from_text("u"), &[balance("USDC", Some(USDC), "100"), balance("ETH", None, "1")], now())
        .unwrap();
    save_outgoing_rows(&store, rows, 0);
    store
}

fn save_outgoing_rows(store: &Store, rows: &[Transaction], unreadable: u64) {
    let mut head = LatestRead::start(store).unwrap();
    while let Some(request) = head.next_page() {
        let items: Vec<_> = rows.iter().filter(|row| row.direction == request.direction).cloned().collect();
        let page = Page { items, unreadable, page_no: Some(1), page_limit: Some(10_000), total_page: Some(1) };
        head.add_page(&request, page).unwrap();
    }
    head.finish(now()).unwrap();
}

fn facts_for_payment_with(store: &Store, intents: &[Order]) -> GuardFacts {
    facts_for_payment_under_policy(store, intents, &Policy::default())
}

fn facts_for_payment_under_policy(store: &Store, intents: &[Order], policy: &Policy) -> GuardFacts {
    let (final_words, book) = (FinalStatuses::default(), AddressBook::default());
    gather_facts_for_payment(&sources(store, intents, &final_words, (policy, &book)), &withdrawal(), &sender(), now())
        .unwrap()
}

fn sources<'a>(
    store: &'a Store,
    intents: &'a [Order],
    final_words: &'a FinalStatuses,
    (policy, book): (&'a Policy, &'a AddressBook),
) -> FactSources<'a> {
    FactSources {
        store,
        orders: intents,
        final_statuses: final_words,
        expected_network: None,
        policy,
        book,
        period: PERIOD,
        skew: Skew::default(),
    }
}

#[test]
fn the_wallet_its_funds_and_its_fee_are_told() {
    let mut gasless = row("a", 3);
    gasless.total_fee = Some(ReportedAmount::Exact(usdc_amount("0")));
    let mut dear = row("b", 2);
    dear.total_fee = Some(ReportedAmount::Exact(usdc_amount("3")));
    let mut batch = row("c", 1);
    (batch.is_batch, batch.total_fee) = (Some(true), Some(ReportedAmount::Exact(usdc_amount("90"))));
    let store = store(&[batch, dear, gasless, row("d", 4)]);
    let facts = facts_for_payment_with(&store, &[]);
    assert_eq!(facts.wallet.as_ref().unwrap().address.as_deref(), Some(PAYING_ADDRESS));
    assert_eq!(facts.own_addresses.len(), 2);
    assert_eq!(facts.same_symbol, [sender().token]);
    let (amount, as_of) = (Some(usdc_amount("100")), Some(now()));
    let funds = Funds { amount, basis: BalanceBasis::Assumed, as_of, is_stale: false, matches_history: false };
    assert_eq!(facts.funds, Some(funds));
    let fee = ExpectedFee { highest: usdc_amount("3"), median: usdc_amount("3"), payments: 2 };
    assert_eq!((facts.fee, facts.fee_elsewhere), (Some(fee), None));
    assert_eq!(facts.history_gap, None);
}

#[test]
fn a_balance_adds_up_where_the_wallets_own_rows_say_the_same() {
    let deposit = |amount: &str| Transaction {
        direction: Direction::Incoming,
        sub_type: Some(SubType::Deposit),
        amount: Some(ReportedAmount::Exact(usdc_amount(amount))),
        total_amount: Some(ReportedAmount::Exact(usdc_amount(amount))),
        total_fee: None,
        ..row("in", 9)
    };
    let adds_up = |rows: &[Transaction]| facts_for_payment_with(&store(rows), &[]).funds.unwrap().matches_history;
    // 26.25 went out.
    assert!(adds_up(&[row("out", 3), deposit("126.25")]));
    assert!(!adds_up(&[row("out", 3), deposit("126.250001")]));
    assert!(!adds_up(&[row("out", 3)]));
    let elsewhere = Transaction { wallet: Some(WalletId::from_text("till")), ..row("out", 3) };
    assert!(!adds_up(&[elsewhere, deposit("126.25")]));
    // Rows that name no wallet may be of this one.
    let nobodys = |row: Transaction| Transaction { wallet: None, ..row };
    assert!(!adds_up(&[row("out", 3), nobodys(row("who", 4)), deposit("126.25")]));
    let other = TokenKey::new("ethereum", Some("0xdac17f958d2ee523a2206206994597c13d831ec7"));
    let of_other = Transaction { token: other, ..nobodys(row("who", 4)) };
    assert!(adds_up(&[row("out", 3), of_other, deposit("126.25")]));
    let gap = store(&[row("out", 3)]);
    save_outgoing_rows(&gap, &[row("out", 3), deposit("126.25")], 1);
    assert!(!facts_for_payment_with(&gap, &[]).funds.unwrap().matches_history);
}

#[test]
fn a_balance_adds_up_only_with_rows_that_were_read_at_its_time() {
    for (seconds, adds_up) in [(-21, false), (-20, true), (0, true), (20, true), (21, false)] {
        let deposit = Transaction {
            direction: Direction::Incoming,
            sub_type: Some(SubType::Deposit),
            amount: Some(ReportedAmount::Exact(usdc_amount("100"))),
            total_amount: Some(ReportedAmount::Exact(usdc_amount("100"))),
            total_fee: None,
            ..row("in", 9)
        };
        let store = store(&[deposit]);
        let read_at = Timestamp::from_millis(now().millis() + seconds * 1_000);
        store.save_balances(&UserId::from_text("u"), &[balance("USDC", Some(USDC), "100")], read_at).unwrap();
        assert_eq!(facts_for_payment_with(&store, &[]).funds.unwrap().matches_history, adds_up, "{seconds}");
    }
}

#[test]
fn a_fee_in_another_token_is_no_fee_of_this_one() {
    let mut elsewhere = row("a", 3);
    elsewhere.fee_token = Some("ETH".into());
    let facts = facts_for_payment_with(&store(&[elsewhere]), &[]);
    assert_eq!((facts.fee, facts.fee_elsewhere), (None, Some("ETH".into())));
}

#[test]
fn a_balance_ages_after_two_polls() {
    let store = store(&[]);
    let (final_words, policy, book) = (FinalStatuses::default(), Policy::default(), AddressBook::default());
    let at = |seconds: u64| {
        let sources = sources(&store, &[], &final_words, (&policy, &book));
        gather_facts_for_payment(&sources, &withdrawal(), &sender(), now().plus(Duration::from_secs(seconds))).unwrap()
    };
    assert!(!at(20).funds.unwrap().is_stale && at(20).history_gap.is_none());
    assert!(at(21).funds.unwrap().is_stale);
    assert_eq!(
        at(21).history_gap.unwrap().as_str(),
        "the service's history was last read at 14:13:20 UTC on 2026-09-21"
    );
    // By a clock that was set a balance and a history may be of any age.
    for hours in (-25_i64..=25).filter(|hours| *hours != 0) {
        let sources = sources(&store, &[], &final_words, (&policy, &book));
        let set = Timestamp::from_millis(now().millis() + hours * 3_600_000);
        let facts = gather_facts_for_payment(&sources, &withdrawal(), &sender(), set).unwrap();
        assert!(facts.funds.unwrap().is_stale && facts.history_gap.is_some(), "{hours} h");
    }
    // A clock that was set back tells no age.
    let sources = sources(&store, &[], &final_words, (&policy, &book));
    assert!(gather_facts_for_payment(&sources, &withdrawal(), &sender(), ago(5)).unwrap().funds.unwrap().is_stale);
}

#[test]
fn accepted_orders_make_recipients_known() {
    let mut settled = order(2, 60 * 24 * 3, Some(Outcome::Accepted));
    settled.apply(order_stamp(60), OrderEvent::Ended(OrderEnd::Settled));
    let mut failed = order(3, 60 * 24 * 5, Some(Outcome::Accepted));
    failed.apply(order_stamp(60), OrderEvent::Ended(OrderEnd::Failed));
    let intents = [
        settled,
        failed,
        order(1, 60 * 24 * 9, Some(Outcome::Accepted)),
        order(4, 60 * 24 * 30, Some(Outcome::Refused)),
        order(5, 60 * 24 * 40, Some(Outcome::Unknown)),
    ];
    let facts = facts_for_payment_with(&store(&[]), &intents);
    assert_eq!(facts.payees.len(), 1);
    let payee = &facts.payees[0];
    assert_eq!((payee.payments, payee.first, payee.last), (2, ago(60 * 24 * 9), ago(60 * 24 * 3)));
    assert_eq!(payee.totals, [("USDC".into(), usdc_amount("50"))]);
    // What is not known is compared however old it is, and so is what left since; what was refused or failed is not.
    let recent: Vec<_> = facts
        .recent_payments
        .iter()
        .map(|payment| (payment.order.unwrap().0.as_u128(), payment.is_unresolved))
        .collect();
    assert_eq!(recent, [(2, false), (1, false), (5, true)]);
}

/// An order that was sent while the clock was a day and an hour behind is no older than what was recorded before it, and no
/// older than its end by the service's clock.
#[test]
fn an_order_that_was_sent_by_a_clock_that_was_behind_is_no_older_than_it_is() {
    let final_statuses = FinalStatuses::default();
    let behind = || order(2, 60 * 25 + 30, Some(Outcome::Accepted));
    let count = |intents: &[Order]| {
        let store = store(&[]);
        let (policy, book) = (Policy::default(), AddressBook::default());
        let facts = gather_facts_for_payment(
            &sources(&store, intents, &final_statuses, (&policy, &book)),
            &withdrawal(),
            &sender(),
            now(),
        )
        .unwrap();
        (facts.recent_payments.len(), facts.outflows.len())
    };
    assert_eq!(count(&[behind()]), (0, 0), "of one alone nothing tells");
    assert_eq!(count(&[behind(), order(1, 40, Some(Outcome::Refused))]), (1, 1));
    let mut ended = behind();
    let observed =
        ObservedTransaction { confirmed_at: Some(ago(25)), ..ObservedTransaction::from_transaction(&row("r1", 25)) };
    ended.apply(
        order_stamp(25),
        OrderEvent::LookedUp(HistoryLookup { observed: Some(observed), ..HistoryLookup::default() }),
    );
    assert_eq!(count(&[ended]), (1, 1));
    // One that was written by a clock that was ahead makes no other younger.
    assert_eq!(count(&[behind(), order(1, -60 * 24 * 300, Some(Outcome::Refused))]), (0, 0));
}

/// By whichever clock a payment is of the last 24 hours.
#[test]
fn what_is_gathered_reaches_back_from_the_earlier_clock() {
    let store = store(&[row("r1", 60)]);
    let (final_statuses, policy, book) = (FinalStatuses::default(), Policy::default(), AddressBook::default());
    let intents = [order(1, 90, Some(Outcome::Accepted))];
    for hours in -25_i64..=25 {
        let skew = Skew::Ahead(hours * 3_600_000);
        let sources = FactSources { skew, ..sources(&store, &intents, &final_statuses, (&policy, &book)) };
        let now = Timestamp::from_millis(now().millis() + hours * 3_600_000);
        let facts = gather_facts_for_payment(&sources, &withdrawal(), &sender(), now).unwrap();
        assert_eq!((facts.recent_payments.len(), facts.outflows.len(), facts.skew), (2, 2, skew), "{hours} h ahead");
    }
}

/// A balance that arms a payment was read within two periods by the clock of this machine, and not in its future.
#[test]
fn matrix_of_a_wrong_clock_and_the_age_of_a_balance() {
    for hours in -25_i64..=25 {
        let now = Timestamp::from_millis(now().millis() + hours * 3_600_000);
        assert_eq!(is_balance_stale(ago(0), now, PERIOD), hours != 0, "{hours} h");
    }
}

#[test]
fn an_order_and_its_row_are_one_payment() {
    let intents = [
        order(1, 30, Some(Outcome::Accepted)),
        order(2, 20, Some(Outcome::Unknown)),
        order(3, 10, Some(Outcome::Unknown)),
    ];
    let mut by_key = row("r2", 20);
    by_key.idempotency_key = Some(idempotency_key(2).to_string().to_uppercase().as_str().into());
    let mut by_reference = row("r3", 10);
    by_reference.ref_id = Some("own-3".into());
    let mut stolen_reference = row("r4", 5);
    stolen_reference.ref_id = Some("own-3".into());
    stolen_reference.idempotency_key = Some(idempotency_key(99).to_string().as_str().into());
    let rows = [stolen_reference, by_reference, by_key, row("tx-1", 30)];
    let facts = facts_for_payment_with(&store(&rows), &intents);
    let payments: Vec<_> = facts
        .recent_payments
        .iter()
        .map(|payment| (payment.order.map(|id| id.0.as_u128()), payment.transaction.as_ref().unwrap().as_str()))
        .collect();
    assert_eq!(payments, [(Some(1), "tx-1"), (Some(2), "r2"), (Some(3), "r3"), (None, "r4")]);
    assert_eq!(facts.other_payments, OtherPayments { payments: 1, last: Some(ago(5)) });
}

#[test]
fn a_colleagues_payment_under_our_reference_is_counted_beside_ours() {
    let with = |row: Transaction| Transaction { ref_id: Some("own-1".into()), ..row };
    let of = |id: &str, amount: &str| Transaction {
        amount: Some(ReportedAmount::Exact(usdc_amount(amount))),
        ..with(row(id, 5))
    };
    let spent = |rows: &[Transaction], outcome| {
        counted_amounts(&facts_for_payment_with(&store(rows), &[order(1, 10, Some(outcome))]))
    };
    // The order's own row, as far as anybody can tell.
    assert_eq!(spent(&[with(row("r", 5))], Outcome::Unknown), ["25"]);
    // Another amount, another recipient, the same once more.
    assert_eq!(spent(&[of("r", "7")], Outcome::Unknown), ["25", "7"]);
    let elsewhere = Transaction { to_address: Some(OTHER_ADDRESS.into()), ..with(row("r", 5)) };
    assert_eq!(spent(&[elsewhere], Outcome::Unknown), ["25", "25"]);
    assert_eq!(spent(&[with(row("r", 5)), with(row("s", 6))], Outcome::Unknown), ["25", "25"]);
    // The order has its transaction, and this is none of it.
    assert_eq!(spent(&[with(row("r", 5))], Outcome::Accepted), ["25", "25"]);
    assert_eq!(spent(&[with(row("tx-1", 5)), with(row("r", 4))], Outcome::Accepted), ["25", "25"]);
    let by_key = Transaction { idempotency_key: Some(idempotency_key(1).to_string().as_str().into()), ..row("own", 7) };
    assert_eq!(spent(&[with(row("r", 5)), by_key], Outcome::Unknown), ["25", "25"]);
}

#[test]
fn others_payments_of_a_day_are_compared_and_older_ones_by_reference() {
    let mut old = row("old", 60 * 24 + 1);
    old.ref_id = Some("INV-7 ".into());
    let mut failed = row("failed", 5);
    failed.status = Some(Status::Other("Rejected".into()));
    let mut unsure = row("unsure", 6);
    (unsure.status, unsure.confirmed) = (Some(Status::Failed), Some(true));
    let facts = facts_for_payment_with(&store(&[failed, unsure, row("young", 7), old, row("older", 60 * 24 * 2)]), &[]);
    let ids: Vec<_> =
        facts.recent_payments.iter().map(|payment| payment.transaction.as_ref().unwrap().as_str()).collect();
    assert_eq!(ids, ["unsure", "young", "old"]);
    // All of them were paid to the supplier by somebody, but the one that was not made.
    assert_eq!(facts.other_payments, OtherPayments { payments: 4, last: Some(ago(6)) });
    assert_eq!(facts.payees, []);
}

#[test]
fn a_row_without_a_time_is_as_young_as_its_first_sight() {
    let mut timeless = row("a", 0);
    timeless.created_at = None;
    let facts = facts_for_payment_with(&store(&[timeless]), &[]);
    assert_eq!(facts.recent_payments[0].at, Some(now()));
}

#[test]
fn what_was_not_looked_at_is_said() {
    let empty = Store::open(&CacheLocation::Temporary).unwrap().store;
    assert_eq!(
        facts_for_payment_with(&empty, &[]).history_gap.unwrap().as_str(),
        "the service's history was never read"
    );
    let mut batch = row("batch", 3);
    (batch.is_batch, batch.to_address) = (Some(true), None);
    let partial = facts_for_payment_with(&store(&[batch]), &[]).history_gap.unwrap();
    assert_eq!(partial.as_str(), "a payment of the last 24 hours named no recipient");
    // More rows within a day than are looked at.
    let rows: Vec<Transaction> = (0..6_000)
        .map(|nth: i64| Transaction { direction: Direction::Incoming, ..row(&format!("in-{nth}"), nth / 10) })
        .collect();
    let partial = facts_for_payment_with(&store(&rows), &[]).history_gap.unwrap();
    assert!(partial.starts_with("only the newest 5000 rows of the history were checked"), "{partial}");
}

#[test]
fn words_for_networks_are_gathered_from_everywhere() {
    let store = store(&[row("a", 3)]);
    let account = Account { network: Some("testnet".into()), ..Account::new(AccountId::from_text("treasury")) };
    store.save_accounts(&[account], EntrySource::Listed).unwrap();
    let on = Blockchain {
        slug: "ethereum".into(),
        name: "Ethereum".into(),
        symbol: None,
        decimals: Some(6),
        protocol: Some("EVM".into()),
        chain_id: Some(1),
        is_testnet: Some(false),
        standards: vec![],
        block_explorer: None,
    };
    let token = Token {
        symbol: "USDC".into(),
        name: "USD Coin".into(),
        decimals: Some(6),
        is_native: Some(false),
        standards: vec![],
        blockchains: vec![on.clone()],
    };
    store.save_tokens(&[token], now()).unwrap();
    let facts = facts_for_payment_with(&store, &[]);
    let expected = [
        ("chain ethereum", "mainnet"),
        ("the wallet", "mainnet"),
        ("the account", "testnet"),
        ("the balance", "mainnet"),
        ("the wallet's last payment", "mainnet"),
        ("the wallet's last payment", "mainnet"),
    ];
    let claims: Vec<_> = facts.network_claims.iter().map(|(place, word)| (place.as_str(), word.as_str())).collect();
    assert_eq!(claims, expected);
    assert_eq!(facts.chain, Some(on));
    assert!(!facts.is_imitation);
    let findings =
        guard::judge(&GuardedPayment { request: &withdrawal(), sender: &sender(), facts: &facts, now: now() });
    assert!(findings.iter().any(|finding| (finding.rule, finding.severity) == (Rule::Environment, Severity::Stop)));
}

#[test]
fn another_token_of_the_symbol_is_told_while_something_of_it_is_held() {
    let store = store(&[]);
    let token_count = |amount: &str| {
        let balances = [balance("USDC", Some(USDC), "100"), balance("usdc", Some(OTHER_ADDRESS), amount)];
        store.save_balances(&UserId::from_text("u"), &balances, now()).unwrap();
        facts_for_payment_with(&store, &[]).same_symbol.len()
    };
    assert_eq!((token_count("0.000001"), token_count("0")), (2, 1));
}

#[test]
fn an_unresolved_order_stops_the_same_payment_from_being_made_again() {
    let mut lost = order(1, 10, Some(Outcome::Unknown));
    let judged = |intents: &[Order]| {
        let facts = facts_for_payment_with(&store(&[]), intents);
        let findings =
            guard::judge(&GuardedPayment { request: &withdrawal(), sender: &sender(), facts: &facts, now: now() });
        findings.into_iter().find(|finding| finding.rule == Rule::Duplicate).map(|finding| finding.severity)
    };
    assert_eq!(judged(std::slice::from_ref(&lost)), Some(Severity::Stop));
    // One that is on its way at this moment does, too; one whose bytes never left does not.
    assert_eq!(judged(&[order(1, 0, None)]), Some(Severity::Stop));
    assert_eq!(judged(&[order(1, 10, Some(Outcome::NotSent))]), None);
    // Written off, it may have been made all the same.
    lost.apply(order_stamp(5), OrderEvent::LookedUp(HistoryLookup::default()));
    lost.apply(order_stamp(4), OrderEvent::Ended(OrderEnd::WrittenOff("paid by hand".into())));
    assert_eq!(judged(&[lost]), Some(Severity::Danger));
}

/// What the prompt of a write-off says of it is what the guard does.
#[test]
fn what_was_written_off_counts_for_a_day_and_says_so() {
    let written_off = |minutes: i64| {
        let mut order = order(1, minutes, Some(Outcome::Unknown));
        order.apply(order_stamp(1), OrderEvent::Ended(OrderEnd::WrittenOff("paid by hand".into())));
        let facts = facts_for_payment_with(&store(&[]), &[order]);
        let findings =
            guard::judge(&GuardedPayment { request: &withdrawal(), sender: &sender(), facts: &facts, now: now() });
        let duplicate = findings.into_iter().find(|finding| finding.rule == Rule::Duplicate);
        (facts.outflows.len(), facts.recent_payments.len(), duplicate.map(|finding| finding.severity))
    };
    assert_eq!(written_off(24 * 60 - 1), (1, 1, Some(Severity::Danger)));
    assert_eq!(written_off(24 * 60 + 1), (0, 0, None));
}

/// What left since such an order is summed up, however long ago that was, whoever paid it.
#[test]
fn what_went_to_the_recipient_of_an_unresolved_order_is_known_since_it_left() {
    let day = 24 * 60;
    let lost = order(1, 30 * day, Some(Outcome::Unknown));
    let own = order(2, 20 * day, Some(Outcome::Accepted));
    let elsewhere = Transaction { to_address: Some(OTHER_ADDRESS.into()), ..row("elsewhere", 10 * day) };
    let rows = [row("before", 40 * day), row("since", 10 * day), elsewhere];
    let recent = |intents: &[Order]| {
        let recent = facts_for_payment_with(&store(&rows), intents).recent_payments;
        recent.iter().filter_map(|payment| payment.at).collect::<Vec<_>>()
    };
    assert_eq!(recent(&[own.clone(), lost]), [ago(20 * day), ago(30 * day), ago(10 * day)]);
    assert_eq!(recent(&[own]), []);
}

#[test]
fn what_is_usual_is_the_middle_of_all_payments_of_the_token_whomever_they_went_to() {
    let payment_row = |id: &str, text: &str| Transaction {
        amount: Some(ReportedAmount::Exact(usdc_amount(text))),
        ..row(id, 60 * 24 * 90)
    };
    let elsewhere = Transaction { to_address: Some(OTHER_ADDRESS.into()), ..payment_row("elsewhere", "9000") };
    let sweep = Transaction { sub_type: Some(SubType::Sweep), ..payment_row("sweep", "70000") };
    let ether =
        Transaction { symbol: "ETH".into(), token: TokenKey::new("ethereum", None), ..payment_row("ether", "70000") };
    let rows = [payment_row("a", "100"), elsewhere, sweep, ether];
    // An order that was executed counts, and one of which nobody knows does not.
    let orders = [order(1, 60, Some(Outcome::Accepted)), order(2, 60, Some(Outcome::Unknown))];
    let usual = facts_for_payment_with(&store(&rows), &orders).usual_amount.unwrap();
    assert_eq!((usual.median, usual.payments), (usdc_amount("100"), 3));
    assert_eq!(facts_for_payment_with(&store(&rows), &[]).usual_amount, None, "two say nothing");
}

#[test]
fn the_account_of_the_wallet_and_whose_each_wallet_is_are_known() {
    let store = store(&[]);
    assert_eq!(facts_for_payment_with(&store, &[]).account, None);
    let account = Account {
        name: Some("Customers".into()),
        kind: Some(crate::domain::AccountType::Users),
        ..Account::new(AccountId::from_text("treasury"))
    };
    store.save_accounts(std::slice::from_ref(&account), EntrySource::Listed).unwrap();
    let facts = facts_for_payment_with(&store, &[]);
    assert_eq!(facts.account, Some(account));
    let mut users: Vec<_> = facts.own_addresses.iter().map(|own| own.user.as_ref().map(UserId::as_str)).collect();
    users.sort_unstable();
    assert_eq!(users, [Some("u"), Some("v")]);
}

#[test]
fn a_payment_of_any_age_that_carries_the_same_note_is_known() {
    let mut noted = order(1, 60 * 24 * 400, Some(Outcome::Accepted));
    let Draft::Withdraw(draft) = &mut noted.drafted.draft else { unreachable!() };
    draft.note = Some("INV 7".into());
    let foreign_payment = Transaction { note: Some("inv-7".into()), ..row("theirs", 60 * 24 * 400) };
    // The payment's reference is inv-7.
    let recent =
        facts_for_payment_with(&store(&[foreign_payment, row("other", 60 * 24 * 400)]), &[noted]).recent_payments;
    assert_eq!(
        recent.iter().map(|payment| payment.note.as_deref()).collect::<Vec<_>>(),
        [Some("INV 7"), Some("inv-7")]
    );
}

#[test]
fn a_payment_that_an_answer_to_another_order_named_is_compared_all_the_same() {
    // The service mixed two payments up: what it answered to this order is somebody else's payment.
    let mut mixed_up = order(1, 5, Some(Outcome::Accepted));
    let (_, answer) = mixed_up.attempts[0].answer.as_mut().unwrap();
    answer.differences.push("idempotency key: the request says another".into());
    let foreign_payment = Transaction { idempotency_key: Some("theirs".into()), ..row("tx-1", 4) };
    let recent = facts_for_payment_with(&store(&[foreign_payment]), &[mixed_up]).recent_payments;
    assert!(recent.iter().any(|payment| payment.order.is_none()), "{recent:?}");
}

#[test]
fn of_what_names_no_recipient_an_own_order_knows_whom_it_paid() {
    let batch = |id: &str| Transaction { to_address: None, is_batch: Some(true), ..row(id, 30) };
    let history_gap = |rows: &[Transaction]| {
        facts_for_payment_with(&store(rows), &[order(1, 30, Some(Outcome::Accepted))]).history_gap
    };
    assert_eq!(history_gap(&[batch("tx-1")]), None);
    let keyed =
        Transaction { idempotency_key: Some(idempotency_key(1).to_string().as_str().into()), ..batch("another") };
    assert_eq!(history_gap(&[keyed]), None);
    let gap = history_gap(&[batch("tx-1"), batch("theirs")]);
    assert_eq!(gap.as_deref(), Some("a payment of the last 24 hours named no recipient"));
}

/// What was counted, in whole units, the smallest first.
fn counted_amounts(facts: &GuardFacts) -> Vec<String> {
    let mut all: Vec<String> = facts.outflows.iter().map(|spent| spent.amount.format_grouped()).collect();
    all.sort_unstable();
    all
}

#[test]
fn what_left_within_the_day_is_counted_once_whoever_paid_it() {
    let of = |row: Transaction, amount: &str| Transaction {
        amount: Some(ReportedAmount::Exact(usdc_amount(amount))),
        ..row
    };
    let rows = [
        // One of this console's, by its identifier; others' payments, one of them to several recipients.
        of(row("tx-1", 30), "25"),
        of(row("theirs", 40), "1"),
        Transaction { to_address: None, is_batch: Some(true), ..of(row("batch", 50), "2") },
        // What the service moves by itself is no payment; what failed was none.
        Transaction { sub_type: Some(SubType::Sweep), ..of(row("sweep", 50), "700") },
        Transaction { sub_type: Some(SubType::InternalTransfer), ..of(row("within", 50), "700") },
        Transaction { status: Some(Status::Failed), ..of(row("failed", 50), "700") },
        of(row("yesterday", 60 * 24 + 1), "3"),
    ];
    let intents = [
        order(1, 30, Some(Outcome::Accepted)),
        order(2, 60 * 24 * 9, Some(Outcome::Unknown)),
        order(3, 20, Some(Outcome::NotSent)),
        order(4, 10, Some(Outcome::Refused)),
    ];
    let store = store(&rows);
    let facts = facts_for_payment_with(&store, &intents);
    assert_eq!(counted_amounts(&facts), ["1", "2", "25", "25"]);
    assert_eq!(facts.outflows.iter().filter(|spent| spent.is_unresolved).count(), 1);
    assert_eq!(facts.outflow_gap, None);
    assert!(
        facts.outflows_known_from.is_some_and(|from| from <= order_stamp(60 * 24 + 1).at),
        "{:?}",
        facts.outflows_known_from
    );
    // For as long as an entry of the book cools, if that is longer.
    let policy = Policy { cooling: Some(Duration::from_hours(48)), ..Policy::default() };
    assert_eq!(
        counted_amounts(&facts_for_payment_under_policy(&store, &intents, &policy)),
        ["1", "2", "25", "25", "3"]
    );
}

#[test]
fn a_payment_that_does_not_say_how_much_is_said_not_to_be_counted() {
    let silent = Transaction { amount: None, ..row("silent", 5) };
    assert_eq!(
        facts_for_payment_with(&store(&[silent]), &[]).outflow_gap.unwrap().as_str(),
        "a payment did not state the amount paid"
    );
    let empty = Store::open(&CacheLocation::Temporary).unwrap().store;
    assert_eq!(
        facts_for_payment_with(&empty, &[]).outflow_gap.unwrap().as_str(),
        "the service's history was never read"
    );
    assert_eq!(facts_for_payment_with(&empty, &[]).outflows_known_from, None);
}

#[test]
fn what_the_recipient_got_before_is_told_whoever_paid_it() {
    let of = |row: Transaction, amount: &str| Transaction {
        amount: Some(ReportedAmount::Exact(usdc_amount(amount))),
        ..row
    };
    let rows = [
        of(row("tx-1", 60 * 24 * 30), "25"),
        of(row("theirs", 60 * 24 * 60), "7"),
        Transaction { to_address: Some(OTHER_ADDRESS.into()), ..of(row("elsewhere", 5), "700") },
        Transaction {
            symbol: "DAI".into(),
            token: TokenKey::new("ethereum", Some(OTHER_ADDRESS)),
            ..of(row("other", 5), "700")
        },
    ];
    let intents = [order(1, 60 * 24 * 30, Some(Outcome::Accepted)), order(2, 10, Some(Outcome::Unknown))];
    let mut before: Vec<String> = facts_for_payment_with(&store(&rows), &intents)
        .earlier_amounts
        .iter()
        .map(|amount| amount.format_grouped())
        .collect();
    before.sort_unstable();
    assert_eq!(before, ["25", "7"]);
}

#[test]
fn a_swap_whose_chain_the_service_chooses_is_told_without_one() {
    let mut instant = order(1, 10, Some(Outcome::Unknown));
    instant.drafted.draft = Draft::InstantSwap(crate::domain::draft::InstantSwap {
        sub_wallet: UserId::from_text("u"),
        from: "USDC".into(),
        amount: "25".into(),
        to: "ETH".into(),
        ext_id: None,
    });
    let facts = facts_for_payment_with(&store(&[]), &[instant]);
    let blockchains = facts.recent_swaps.iter().map(|swap| swap.blockchain.as_str());
    assert_eq!(
        blockchains.chain(facts.outflows.iter().map(|spent| spent.blockchain.as_str())).collect::<Vec<_>>(),
        ["", ""]
    );
}

/// Another row of the same recipient may stand, so that it is paid for all that anybody knows until the order is over.
#[test]
fn whoever_is_told_to_have_got_nothing_counts_until_the_batch_is_over() {
    use crate::domain::draft::Recipient;
    use crate::domain::outcome::RecipientObservation;
    let mut batch = order(1, 10, Some(Outcome::Accepted));
    let to = |address: &str| Recipient {
        address: address.into(),
        amount: "25".into(),
        label: None,
        reference: None,
        line: None,
    };
    let Withdrawal { wallet, blockchain, token, ref_id, .. } = withdrawal();
    let to = vec![to(SUPPLIER_ADDRESS), to(OTHER_ADDRESS)];
    batch.drafted.draft = Draft::Batch(Batch {
        wallet,
        blockchain,
        token,
        to,
        ref_id,
        note: None,
        file: None,
        metadata: Metadata::default(),
        queue: None,
    });
    let part = |recipient, status| {
        let observed =
            ObservedTransaction { transaction: None, status: Some(status), ..ObservedTransaction::default() };
        RecipientObservation { recipient, observed }
    };
    let parts = vec![part(0, Status::Success), part(1, Status::Failed)];
    batch.apply(
        order_stamp(5),
        OrderEvent::LookedUp(HistoryLookup {
            observed: Some(ObservedTransaction::default()),
            recipient_reports: parts,
            ..HistoryLookup::default()
        }),
    );
    let counts = |batch: &Order| {
        let facts = facts_for_payment_with(&store(&[]), std::slice::from_ref(batch));
        (facts.outflows.len(), facts.recent_payments.len())
    };
    assert_eq!(counts(&batch), (2, 2));
    batch.apply(order_stamp(4), OrderEvent::Ended(OrderEnd::PartlySettled));
    assert_eq!(counts(&batch), (1, 1));
}
