//! The same reads at the embedded service, against what it says over plain HTTP and what version 2 says of one ledger.

use std::collections::BTreeSet;

use bursar::api::{Connection, Limits, Reader, Route, WireNames};
use bursar::domain::v1::{Destination, MovementFilter, TransferFilter};
use bursar::domain::{Amount, Direction, FailureReason, Redaction, ReportedAmount, Status, Text, UserId};
use serde_json::{Value, json};

use crate::service::test_service::{OUTSIDE, TestService, text};

fn reader(house: &TestService) -> Reader {
    Reader::new(Connection {
        base_url: house.service.base_url().to_owned(),
        api_key: house.keys().0.into(),
        wallet_secret: None,
        redaction: Redaction::default(),
        limits: Limits::default(),
        wire_names: WireNames::default(),
        route: Route::default(),
    })
    .unwrap()
}

fn figure(amount: Option<&ReportedAmount>) -> String {
    amount.unwrap().exact().unwrap().to_string()
}

/// A sub-wallet with 12.5 USDC on Base, of which 2 went to another one off the chain.
async fn pair(house: &TestService) -> (UserId, UserId) {
    let mut sub_wallets = Vec::new();
    for name in ["ada", "ben"] {
        let answer = house.post("/v1/sub-wallet/create", &json!({ "name": name, "clientUserId": name })).await;
        sub_wallets.push(text(&answer.body["data"]["id"]));
    }
    let [ada, ben] = sub_wallets.try_into().unwrap();
    let body = json!({ "subWalletId": ada, "coin": "USDC", "chain": "base" });
    let address = text(&house.post("/v1/sub-wallet/address", &body).await.body["data"]["address"]);
    let body = json!({
        "destination": "on_chain", "coin": "USDC", "amount": "12.5", "chain": "base", "status": "success",
        "fromAddress": OUTSIDE, "toAddress": address,
    });
    assert_eq!(house.post("/v1/sandbox/sub-wallet/deposit", &body).await.status, 201);
    let body = json!({
        "destination": "internal_transfer", "coin": "USDC", "amount": "2", "chain": "base", "status": "success",
        "fromWalletId": ada, "toWalletId": ben,
    });
    assert_eq!(house.post("/v1/sandbox/sub-wallet/deposit", &body).await.status, 201);
    (UserId::from_text(&ada), UserId::from_text(&ben))
}

#[tokio::test]
async fn a_sub_wallet_and_its_user_are_one() {
    let house = TestService::open().await;
    let (reader, treasury) = (reader(&house), UserId::from_text(&house.treasury_user().await));
    let (user, sub_wallet) =
        (reader.fetch_user(&treasury).await.unwrap(), reader.fetch_sub_wallet(&treasury).await.unwrap());
    assert_eq!(sub_wallet.user, user);
    assert!(sub_wallet.can_trade.is_some() && sub_wallet.language.is_some());
    assert!(reader.fetch_user_stats(Some(&treasury)).await.unwrap().deposits > Some(0));
    let page = reader.fetch_sub_wallets(1, 100).await.unwrap();
    assert!(page.items.contains(&sub_wallet));
    let unknown_user = UserId::from_text("00000000-0000-4000-8000-000000000000");
    assert_eq!(reader.fetch_sub_wallet(&unknown_user).await.unwrap_err().reason, FailureReason::NotFound);
    assert_eq!(reader.fetch_user(&unknown_user).await.unwrap_err().reason, FailureReason::NotFound);
}

#[tokio::test]
async fn what_is_frozen_stands_beside_what_can_be_spent() {
    let house = TestService::open().await;
    let (reader, (ada, _)) = (reader(&house), pair(&house).await);
    let body = json!({
        "subWalletId": ada.as_str(), "coin": "USDC", "chain": "base", "withdrawalAddress": OUTSIDE, "amount": "4",
        "clientTxId": "payment-1",
    });
    let answer = house.post("/v1/withdraw/create", &body).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    let assets = reader.fetch_sub_wallet_assets(&ada).await.unwrap();
    let [usdc] = assets.rows.as_slice() else { panic!("{assets:?}") };
    let (spendable, frozen) = (figure(usdc.balance.as_ref()), figure(usdc.frozen.as_ref()));
    let assets = house.get(&format!("/v1/sub-wallet/assets?subWalletId={ada}")).await.body["data"][0].clone();
    assert_eq!((json!(spendable), json!(frozen)), (assets["balance"].clone(), assets["frozen"].clone()));
    assert!(frozen.starts_with('4'), "{frozen}");
    let balances = reader.fetch_user_balances(&ada).await.unwrap();
    assert_eq!(
        balances.rows[0].amount.exact().unwrap().cmp_value(usdc.balance.as_ref().unwrap().even_if_disputed()),
        std::cmp::Ordering::Equal
    );
    let withdrawals = reader.fetch_sub_wallet_withdrawal_history(&ada, None, None, 1..=1).await.unwrap();
    let [row] = withdrawals.rows.as_slice() else { panic!("{withdrawals:?}") };
    assert_eq!((row.client_tx_id.as_deref(), row.status.clone()), (Some("payment-1"), Some(Status::Pending)));
    assert_eq!((row.to_address.as_deref(), withdrawals.filtered_out), (Some(OUTSIDE), 0));
    let other = Text::clean("USDT");
    assert!(reader.fetch_sub_wallet_withdrawal_history(&ada, Some(&other), None, 1..=1).await.unwrap().rows.is_empty());
}

#[tokio::test]
async fn deposits_and_transfers_are_those_that_were_asked_for() {
    let house = TestService::open().await;
    let (reader, (ada, ben)) = (reader(&house), pair(&house).await);
    let all = reader.fetch_sub_wallet_deposits(&MovementFilter::default(), 1..=100).await.unwrap();
    let plain = house.all("/v1/sub-wallet/deposit/list").await;
    let ids = |rows: &[Value]| rows.iter().map(|row| text(&row["id"])).collect::<Vec<_>>();
    assert_eq!(all.rows.iter().map(|row| row.id.to_string()).collect::<Vec<_>>(), ids(&plain));
    assert_eq!((all.filtered_out, all.paging_ignored, all.has_more, all.unreadable), (0, false, false, 0));
    let first_deposits = reader.fetch_sub_wallet_deposits(&MovementFilter::default(), 1..=1).await.unwrap();
    assert!(first_deposits.has_more && first_deposits.rows.len() == 100, "there are more pages");
    let mut one_by_one = first_deposits;
    for page_no in 2.. {
        let next = reader.fetch_sub_wallet_deposits(&MovementFilter::default(), page_no..=page_no).await.unwrap();
        one_by_one.append_page(next, |row| row.id.clone());
        if !one_by_one.has_more {
            break;
        }
    }
    assert_eq!(one_by_one, all);

    let of_ben = MovementFilter { sub_wallet: Some(ben.clone()), ..MovementFilter::default() };
    let of_ben = reader.fetch_sub_wallet_deposits(&of_ben, 1..=1).await.unwrap();
    let [internal] = of_ben.rows.as_slice() else { panic!("{of_ben:?}") };
    assert_eq!(internal.destination, Some(Destination::InternalTransfer));
    assert_eq!((internal.from_wallet.as_ref(), internal.to_wallet.as_ref()), (Some(&ada), Some(&ben)));
    assert_eq!(reader.fetch_sub_wallet_deposit_history(&ben, None, 1..=1).await.unwrap().rows, of_ben.rows);

    let row = all.rows.iter().find(|row| row.hash.is_some() && row.from_address.is_some()).unwrap();
    let narrow = MovementFilter {
        sub_wallet: None,
        deposit: Some(row.id.clone()),
        hash: row.hash.clone(),
        from_address: row.from_address.clone(),
        to_address: row.to_address.clone(),
        chain: row.chain.clone(),
        coin: None,
    };
    let deposits = reader.fetch_sub_wallet_deposits(&narrow, 1..=1).await.unwrap();
    assert_eq!((deposits.rows.as_slice(), deposits.filtered_out), (std::slice::from_ref(row), 0));

    for (sub_wallet, way) in [(&ada, "out of"), (&ben, "into")] {
        let filter = TransferFilter { sub_wallet: Some(sub_wallet.clone()), ..TransferFilter::default() };
        let transfers = reader.fetch_sub_wallet_transfers(&filter, 1..=1).await.unwrap();
        let [row] = transfers.rows.as_slice() else { panic!("{way}: {transfers:?}") };
        assert_eq!((row.from_wallet.as_ref(), row.to_wallet.as_ref()), (Some(&ada), Some(&ben)));
        assert_eq!((figure(row.amount.as_ref()).as_str(), row.confirmed), ("2", Some(true)));
    }
    let into_ada = TransferFilter { to_wallet: Some(ada), coin: Some("USDC".into()), ..TransferFilter::default() };
    let none = reader.fetch_sub_wallet_transfers(&into_ada, 1..=1).await.unwrap();
    assert_eq!((none.rows.len(), none.filtered_out), (0, 0));
}

#[tokio::test]
async fn the_sandbox_of_the_service_is_read() {
    let house = TestService::open().await;
    let (reader, (ada, _)) = (reader(&house), pair(&house).await);
    let of_ada = reader.fetch_sandbox_assets(Some(&ada), None).await.unwrap();
    assert_eq!(of_ada.rows, reader.fetch_sub_wallet_assets(&ada).await.unwrap().rows);
    let coin = Text::clean("USDC");
    let all = reader.fetch_sandbox_assets(None, Some(&coin)).await.unwrap();
    assert_eq!((all.rows.len(), all.filtered_out), (1, 0));
    let prime = reader.fetch_sandbox_prime_assets(None).await.unwrap();
    assert_eq!(prime.rows.len(), house.all("/v1/sandbox/wallet/assets").await.len());
    let addresses = reader.fetch_sandbox_addresses(Some(&coin), Some(&"ethereum".into())).await.unwrap();
    assert!(!addresses.rows.is_empty() && addresses.filtered_out == 0, "{addresses:?}");
    assert!(addresses.rows.iter().all(|row| row.coin.as_ref() == Some(&coin)));
}

#[tokio::test]
async fn pairs_quotes_tokens_and_history_are_read() {
    let house = TestService::open().await;
    let reader = reader(&house);
    let pairs = reader.fetch_swap_pairs().await.unwrap();
    assert_eq!(pairs.rows.len(), house.all("/v1/swap/pairs").await.len(), "{:?}", pairs.service_deviation_notes());
    let pair = pairs.rows.first().unwrap();
    let amount = Amount::parse("5", 0).unwrap();
    let quote = reader.fetch_swap_quote(&pair.from, amount, &pair.to).await.unwrap();
    assert_eq!((&quote.from_coin, &quote.to_coin), (&pair.from, &pair.to));
    assert!(!quote.to_amount.even_if_disputed().is_zero() && quote.swap_price.is_some());
    assert!(reader.fetch_tokens().await.unwrap().rows.len() > 5);
    for direction in [Direction::Incoming, Direction::Outgoing] {
        let page = reader.fetch_transactions(&direction, 1, 100).await.unwrap();
        assert!(page.items.iter().all(|row| row.direction == direction) && page.unreadable == 0);
        let ids: BTreeSet<_> = page.items.iter().map(|row| row.id.as_str()).collect();
        assert_eq!(ids.len(), page.items.len());
    }
    assert!(!reader.fetch_accounts(1, 100).await.unwrap().items.is_empty());
    assert!(!reader.fetch_wallets(1, 100).await.unwrap().items.is_empty());
    assert!(!reader.fetch_users(1, 100).await.unwrap().items.is_empty());
}
