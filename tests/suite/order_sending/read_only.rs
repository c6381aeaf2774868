//! Read-only is a type: nothing that a reader can do changes anything.

use std::fs;
use std::path::Path;

use bursar::domain::v1::{MovementFilter, TransferFilter};
use bursar::domain::{Amount, Direction};

use super::*;

/// Every operation of the specification that changes state.
pub(super) const CHANGES: [(&str, &str); 14] = [
    ("POST", "/v2/users"),
    ("PATCH", "/v2/users"),
    ("POST", "/v2/accounts"),
    ("POST", "/v2/wallets"),
    ("PATCH", "/v2/wallets"),
    ("POST", "/v2/transactions/withdraw"),
    ("POST", "/v2/transactions/withdraw/batch"),
    ("POST", "/v2/swap"),
    ("POST", "/v1/sub-wallet/create"),
    ("POST", "/v1/sub-wallet/address"),
    ("POST", "/v1/sandbox/sub-wallet/deposit"),
    ("POST", "/v1/withdraw/create"),
    ("POST", "/v1/sandbox/wallet/address"),
    ("POST", "/v1/instant-swap"),
];

/// Everything that a reader can do, by the names of its methods.
const READS: [&str; 23] = [
    "fetch_accounts",
    "fetch_sandbox_addresses",
    "fetch_sandbox_assets",
    "fetch_sandbox_prime_assets",
    "fetch_sub_wallet",
    "fetch_sub_wallet_assets",
    "fetch_sub_wallet_deposit_history",
    "fetch_sub_wallet_deposits",
    "fetch_sub_wallet_transfers",
    "fetch_sub_wallet_withdrawal_history",
    "fetch_sub_wallets",
    "fetch_swap_pairs",
    "fetch_swap_quote",
    "fetch_tokens",
    "fetch_transactions",
    "fetch_transactions_unparsed",
    "fetch_user",
    "fetch_user_balances",
    "fetch_user_stats",
    "fetch_users",
    "fetch_wallets",
    "find_sub_wallet_withdrawal",
    "probe",
];

#[tokio::test]
async fn a_reader_only_reads_whatever_it_is_asked() {
    let office = Office::open().await;
    let reader = office.reader();
    let tap = office.service.record_requests();
    let user = reader.fetch_users(1, 1).await.unwrap().items.remove(0).id;
    reader.fetch_accounts(1, 100).await.unwrap();
    reader.probe().await.outcome.unwrap();
    reader.fetch_tokens().await.unwrap();
    for direction in [Direction::Incoming, Direction::Outgoing] {
        reader.fetch_transactions(&direction, 1, 100).await.unwrap();
        reader.fetch_transactions_unparsed(&direction, 1, 100).await.unwrap().parse().unwrap();
    }
    reader.fetch_user(&user).await.unwrap();
    reader.fetch_user_balances(&user).await.unwrap();
    reader.fetch_user_stats(Some(&user)).await.unwrap();
    reader.fetch_wallets(1, 100).await.unwrap();
    reader.fetch_sub_wallet(&user).await.unwrap();
    reader.fetch_sub_wallets(1, 100).await.unwrap();
    reader.fetch_sub_wallet_assets(&user).await.unwrap();
    reader.fetch_sub_wallet_deposits(&MovementFilter::default(), 1..=2).await.unwrap();
    reader.fetch_sub_wallet_transfers(&TransferFilter::default(), 1..=2).await.unwrap();
    reader.fetch_sub_wallet_deposit_history(&user, None, 1..=2).await.unwrap();
    reader.fetch_sub_wallet_withdrawal_history(&user, None, None, 1..=2).await.unwrap();
    reader.find_sub_wallet_withdrawal(&user, &"none".into(), 1..=2).await.unwrap();
    reader.fetch_sandbox_assets(None, None).await.unwrap();
    reader.fetch_sandbox_prime_assets(None).await.unwrap();
    reader.fetch_sandbox_addresses(None, None).await.unwrap();
    let pair = reader.fetch_swap_pairs().await.unwrap().rows.remove(0);
    reader.fetch_swap_quote(&pair.from, Amount::parse("5", 0).unwrap(), &pair.to).await.unwrap();

    let requests = tap.requests();
    assert!(requests.len() > READS.len(), "{} requests", requests.len());
    for request in &requests {
        assert_eq!(request.method, "GET", "{request:?}");
        assert!(!request.headers.contains(&"x-wallet-secret".to_owned()), "{request:?}");
        assert!(request.headers.contains(&"authorization".to_owned()), "{request:?}");
    }
    for (method, path) in CHANGES {
        assert_eq!(tap.count(method, path), 0, "{method} {path}");
    }
}

/// The public methods of `Reader` that may be waited for, read from the source, so that a new one is not forgotten above.
#[test]
fn every_read_is_tried() {
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/api"), &mut files);
    files.sort();
    assert_eq!(files, READS);
}

fn collect(folder: &Path, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
            continue;
        }
        let source = fs::read_to_string(&path).unwrap();
        let Some((_, reader)) = source.split_once("impl Reader {") else { continue };
        let body = reader.split("\n}").next().unwrap();
        for method in body.split("pub async fn ").skip(1) {
            files.push(method.split('(').next().unwrap().to_owned());
        }
    }
}
