//! What is looked up around a payment.

use super::fixtures::{amount, now, temporary_store, transaction};
use crate::domain::entry_source::EntrySource;
use crate::domain::history::Page;
use crate::domain::{Direction, ReportedBalance, Status, Text, TokenKey, Transaction, UserId, Wallet, WalletId};
use crate::store::{BackfillRead, LatestRead, Store, WalletAddress};

/// One page of each list; whether there are more is told.
fn sync_one_page(store: &Store, rows: &[Transaction], pages: u64) {
    let mut head = LatestRead::start(store).unwrap();
    while let Some(request) = head.next_page() {
        let items: Vec<_> = rows.iter().filter(|row| row.direction == request.direction).cloned().collect();
        let page = Page { items, unreadable: 0, page_no: Some(1), page_limit: Some(100), total_page: Some(pages) };
        head.add_page(&request, page).unwrap();
    }
    head.finish(now(0)).unwrap();
}

fn transactions_numbered(numbers: std::ops::Range<u64>) -> Vec<Transaction> {
    let row = |number: u64| {
        let direction = if number.is_multiple_of(3) { Direction::Outgoing } else { Direction::Incoming };
        let mut row = transaction(number, &direction, Some(i64::try_from(number).unwrap() * 1_000));
        row.confirmed = None;
        row
    };
    numbers.rev().map(row).collect()
}

#[test]
fn the_newest_outgoing_rows_are_found_and_how_far_was_looked_is_told() {
    let store = temporary_store();
    assert!(!store.newest_outgoing_rows(10).unwrap().is_all, "nothing was read yet");
    let all = transactions_numbered(1..31);
    sync_one_page(&store, &all, 1);
    let outgoing: Vec<Transaction> = all.iter().filter(|row| row.direction == Direction::Outgoing).cloned().collect();
    let stretch = store.newest_outgoing_rows(100).unwrap();
    let rows: Vec<Transaction> = stretch.outgoing.into_iter().map(|(_, row)| row).collect();
    assert_eq!(rows, outgoing);
    assert_eq!((stretch.rows_examined, stretch.is_all, stretch.since.unwrap().millis()), (30, true, 1_000));

    let few = store.newest_outgoing_rows(9).unwrap();
    assert_eq!(few.outgoing.len(), 3);
    assert_eq!((few.rows_examined, few.is_all, few.since.unwrap().millis()), (9, false, 22_000));
    assert!(store.newest_outgoing_rows(30).unwrap().is_all);

    // What arrives later stands first.
    sync_one_page(&store, &transactions_numbered(25..34), 1);
    let (seen_at, newest) = store.newest_outgoing_rows(1).unwrap().outgoing.remove(0);
    assert_eq!((seen_at, newest.id), (now(0), transactions_numbered(33..34).remove(0).id));
}

#[test]
fn settled_rows_show_how_many_confirmations_are_waited_for() {
    let store = temporary_store();
    let mut all = transactions_numbered(1..31);
    for (nth, row) in all.iter_mut().enumerate() {
        row.token = TokenKey::new(if nth < 20 { "ethereum" } else { "bitcoin" }, None);
        row.status = Some(if nth == 0 { Status::Pending } else { Status::Success });
        row.confirmation = Some(if nth == 0 { 3 } else { 12 });
    }
    sync_one_page(&store, &all, 1);
    let (pending, settling) = (&all[0], store.confirmation_thresholds(30).unwrap());
    assert_eq!(settling.required_by_pending_row(pending), Some(12));
    let mut elsewhere = pending.clone();
    elsewhere.token = TokenKey::new("tron", None);
    assert_eq!(settling.required_by_pending_row(&elsewhere), None);
    // What is older is not looked at.
    elsewhere.token = TokenKey::new("bitcoin", None);
    assert_eq!(settling.required_by_pending_row(&elsewhere), Some(12));
    assert_eq!(store.confirmation_thresholds(20).unwrap().required_by_pending_row(&elsewhere), None);
}

#[test]
fn while_the_first_read_goes_on_it_is_not_all() {
    let store = temporary_store();
    sync_one_page(&store, &transactions_numbered(1..31), 5);
    let stretch = store.newest_outgoing_rows(1_000).unwrap();
    assert!(stretch.rows_examined > 0 && !stretch.is_all);
    // The lists end sooner than their first pages said.
    while !store.progress().unwrap().complete {
        let mut backfill = BackfillRead::start(&store, 1_000).unwrap();
        while let Some(request) = backfill.next_page() {
            let page = Page { items: vec![], unreadable: 0, page_no: None, page_limit: Some(100), total_page: Some(1) };
            backfill.add_page(&request, page).unwrap();
        }
        backfill.finish(now(1)).unwrap();
    }
    assert!(store.newest_outgoing_rows(1_000).unwrap().is_all);
}

#[test]
fn wallets_without_an_address_are_left_out() {
    let store = temporary_store();
    let wallet = |id: &str, address: Option<&str>| Wallet {
        name: Some(Text::clean("Till")),
        address: address.map(Text::clean),
        ..Wallet::new(WalletId::from_text(id), Text::clean("base"))
    };
    store.save_wallets(&[wallet("a", Some("0xAb")), wallet("b", None)], EntrySource::Listed).unwrap();
    let expected = WalletAddress {
        id: WalletId::from_text("a"),
        name: Some("Till".into()),
        address: "0xAb".into(),
        blockchain: "base".into(),
        user: None,
        is_reported: true,
    };
    assert_eq!(store.wallet_addresses().unwrap(), [expected]);
}

#[test]
fn tokens_are_known_by_their_contracts_from_balances_and_from_the_history() {
    let store = temporary_store();
    let gold = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    let balance = ReportedBalance {
        user: UserId::from_text("u"),
        token: TokenKey::new("base", Some(gold)),
        symbol: "GOLD".into(),
        name: None,
        amount: amount(1, 6).unwrap(),
        environment: None,
        updated_at: None,
    };
    store.save_balances(&UserId::from_text("u"), &[balance], now(0)).unwrap();
    sync_one_page(&store, &transactions_numbered(1..31), 1);
    assert_eq!(store.tokens_with_contract(gold).unwrap(), [("GOLD".into(), TokenKey::new("base", Some(gold)))]);
    let tether = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
    assert_eq!(store.tokens_with_contract(tether).unwrap(), [("USDT".into(), TokenKey::new("ethereum", Some(tether)))]);
    assert_eq!(store.tokens_with_contract("").unwrap(), []);
    assert_eq!(store.tokens_with_contract("0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB").unwrap(), []);
}
