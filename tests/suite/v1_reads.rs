//! Every read of version 1: an answer as the specification describes it, and the same operation of the embedded service.

mod embedded;

use bursar::domain::v1::{Destination, MovementFilter, SwapPair, TransferFilter};
use bursar::domain::{Amount, FailureReason, ReportedAmount, Status, Text, Timestamp, UserId};

use crate::fake_service::{FakeService, ok};

const SUB_WALLET: &str = include_str!("wire/sub-wallet.json");
const ASSETS: &str = include_str!("wire/assets.json");
const DEPOSITS: &str = include_str!("wire/deposits.json");
const TRANSFERS: &str = include_str!("wire/transfers.json");
const ADDRESSES: &str = include_str!("wire/addresses.json");
const QUOTE: &str = include_str!("wire/quote.json");

const NOON: Timestamp = Timestamp::from_millis(1_741_780_800_000);

#[expect(clippy::unnecessary_wraps, reason = "fields may be absent, and are compared as such")]
fn exact(text: &str) -> Option<ReportedAmount> {
    let decimals = text.split_once('.').map_or(0, |(_, fraction)| u8::try_from(fraction.len()).unwrap());
    Some(ReportedAmount::Exact(Amount::parse(text, decimals).unwrap()))
}

#[expect(clippy::unnecessary_wraps, reason = "fields may be absent, and are compared as such")]
fn text(text: &str) -> Option<Text> {
    Some(text.into())
}

fn ada() -> UserId {
    UserId::from_text("sub-wallet-77")
}

#[tokio::test]
async fn a_sub_wallet_is_the_user_under_other_names() {
    let service = FakeService::json(SUB_WALLET).await;
    let sub_wallet = service.reader().fetch_sub_wallet(&ada()).await.unwrap();
    assert_eq!((sub_wallet.user.id.clone(), sub_wallet.user.display_name.clone()), (ada(), text("Ada Ferry")));
    assert_eq!(
        (sub_wallet.user.ref_id.clone(), sub_wallet.user.email.clone()),
        (text("customer-12"), text("ada@example.com"))
    );
    assert_eq!(
        (sub_wallet.user.is_active, sub_wallet.can_trade, sub_wallet.language.clone()),
        (Some(true), Some(true), text("en_US"))
    );
    assert_eq!(sub_wallet.user.created_at, Timestamp::parse_iso("2025-03-01T08:00:00Z"));
    assert_eq!(service.targets(), ["/v1/sub-wallet?subWalletId=sub-wallet-77"]);
    // Somebody else's data are never shown as this one's.
    let other = service.reader().fetch_sub_wallet(&UserId::from_text("sub-wallet-78")).await.unwrap_err();
    assert_eq!(other.reason, FailureReason::NotUnderstood);

    let list = FakeService::json(r#"{"success":true,"data":[{"id":"a"},{"name":"nobody"}]}"#).await;
    let page = list.reader().fetch_sub_wallets(2, 50).await.unwrap();
    assert_eq!((page.items.len(), page.unreadable), (1, 1));
    assert_eq!(list.targets(), ["/v1/sub-wallet/list?pageNo=2&pageLimit=50"]);
}

#[tokio::test]
async fn assets_keep_every_digit_and_what_is_no_figure_is_none() {
    let service = FakeService::json(ASSETS).await;
    let assets = service.reader().fetch_sub_wallet_assets(&ada()).await.unwrap();
    let [usdt, shib, eth] = assets.rows.as_slice() else { panic!("{assets:?}") };
    assert_eq!((usdt.balance.clone(), usdt.frozen.clone()), (exact("1204.331204"), exact("25.5")));
    assert_eq!(usdt.updated_at, Some(NOON));
    assert_eq!((shib.balance.clone(), shib.frozen.clone()), (exact("589500000000000.123456789012345678"), exact("0")));
    assert_eq!(shib.updated_at, Some(NOON));
    assert_eq!((eth.balance.clone(), eth.frozen.clone(), eth.updated_at), (None, None, None));
    assert_eq!((assets.unreadable, assets.has_more), (1, false));
    // The specification shows no paging here, so none is asked for until there are more pages.
    assert_eq!(service.targets(), ["/v1/sub-wallet/assets?subWalletId=sub-wallet-77"]);

    let page_answer =
        |coin: &str| ok(&format!(r#"{{"success":true,"data":[{{"coin":"{coin}"}}],"totalPage":2,"pageNo":1}}"#));
    let service = FakeService::new(vec![page_answer("A"), page_answer("B")]).await;
    let assets = service.reader().fetch_sub_wallet_assets(&ada()).await.unwrap();
    assert_eq!(assets.rows.iter().map(|asset| asset.coin.as_str()).collect::<Vec<_>>(), ["A", "B"]);
    assert!(service.targets()[1].ends_with("subWalletId=sub-wallet-77&pageNo=2"), "{:?}", service.targets());
}

#[tokio::test]
async fn deposits_are_read_field_by_field_and_those_of_others_are_left_out() {
    let service = FakeService::json(DEPOSITS).await;
    let filter = MovementFilter { sub_wallet: Some(ada()), ..MovementFilter::default() };
    let deposits = service.reader().fetch_sub_wallet_deposits(&filter, 1..=5).await.unwrap();
    let [tron, internal] = deposits.rows.as_slice() else { panic!("{deposits:?}") };
    assert_eq!((tron.id.as_str(), tron.destination.clone()), ("deposit-1", Some(Destination::OnChain)));
    assert_eq!((tron.from_wallet.clone(), tron.to_wallet.clone()), (None, Some(ada())));
    assert_eq!((tron.coin.as_str(), tron.chain.clone(), tron.network.clone()), ("USDT", text("tron"), text("mainnet")));
    assert_eq!((tron.amount.clone(), tron.network_fee.clone()), (exact("1250.500000000000000001"), exact("0.000021")));
    assert_eq!((tron.status.clone(), tron.confirmation), (Some(Status::Success), Some(19)));
    assert_eq!((tron.created_at, tron.updated_at), (Some(NOON), Timestamp::parse_iso("2025-03-12T12:01:00Z")));
    assert_eq!((tron.client_tx_id.clone(), tron.tag_memo.clone()), (text("order-1"), text("7")));
    assert_eq!(tron.from_address, text("TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE"));
    assert_eq!(tron.to_address, text("TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"));
    assert_eq!((tron.hash.clone(), tron.link.is_some()), (text("5f1c3a"), true));
    assert_eq!(internal.destination, Some(Destination::InternalTransfer));
    assert_eq!(internal.status, Some(Status::Other("under review".into())));
    assert_eq!((deposits.filtered_out, deposits.unreadable), (1, 1));
    assert_eq!(deposits.service_deviation_notes(), ["1 unreadable", "filter ignored, 1 of others left out"]);
    assert_eq!(service.targets(), ["/v1/sub-wallet/deposit/list?subWalletId=sub-wallet-77&pageNo=1&pageLimit=100"]);

    let all = MovementFilter {
        sub_wallet: Some(ada()),
        deposit: Some(bursar::domain::TransactionId::from_text("deposit-1")),
        hash: text("5F1C3A"),
        from_address: text("TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE"),
        to_address: text("TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"),
        chain: text("Tron"),
        coin: text("usdt"),
    };
    let service = FakeService::json(DEPOSITS).await;
    let deposits = service.reader().fetch_sub_wallet_deposits(&all, 1..=1).await.unwrap();
    assert_eq!((deposits.rows.len(), deposits.filtered_out), (1, 2));
    let [target] = service.targets().try_into().unwrap();
    for name in ["subWalletId", "depositId", "hash", "fromAddress", "toAddress", "chain", "coin"] {
        assert!(target.contains(&format!("{name}=")), "{target}");
    }
}

#[tokio::test]
async fn the_histories_of_one_sub_wallet_are_those_of_one_end() {
    let service = FakeService::json(DEPOSITS).await;
    let deposits = service.reader().fetch_sub_wallet_deposit_history(&ada(), None, 1..=1).await.unwrap();
    assert_eq!((deposits.rows.len(), deposits.filtered_out), (2, 1));
    let (ben, usdc) = (UserId::from_text("sub-wallet-12"), Text::clean("USDC"));
    let withdrawals =
        service.reader().fetch_sub_wallet_withdrawal_history(&ben, Some(&usdc), None, 1..=1).await.unwrap();
    let ids: Vec<_> = withdrawals.rows.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(ids, ["deposit-2", "deposit-3"], "what does not tell its payer is not dropped");
    let targets = [
        "/v1/sub-wallet/deposit?subWalletId=sub-wallet-77&pageNo=1&pageLimit=100",
        "/v1/sub-wallet/withdraw?subWalletId=sub-wallet-12&coin=USDC&pageNo=1&pageLimit=100",
    ];
    assert_eq!(service.targets(), targets);
}

#[tokio::test]
async fn transfers_are_read_and_a_service_that_ignores_paging_is_noticed() {
    let body = TRANSFERS.replace("\"totalPage\": 1", "\"totalPage\": 9");
    let service = FakeService::json(&body).await;
    let filter = TransferFilter { sub_wallet: Some(ada()), ..TransferFilter::default() };
    let transfers = service.reader().fetch_sub_wallet_transfers(&filter, 1..=9).await.unwrap();
    let [row] = transfers.rows.as_slice() else { panic!("{transfers:?}") };
    assert_eq!((row.id.as_str(), row.coin.as_str(), row.amount.clone()), ("transfer-1", "USDT", exact("12.25")));
    assert_eq!(
        (row.from_wallet.clone(), row.to_wallet.clone()),
        (Some(ada()), Some(UserId::from_text("sub-wallet-12")))
    );
    assert_eq!((row.status.clone(), row.confirmed, row.confirmed_at), (Some(Status::Success), Some(true), Some(NOON)));
    assert_eq!((row.network_fee.clone(), row.created_at, row.tag_memo.clone()), (exact("0"), None, None));
    assert!(transfers.paging_ignored && transfers.has_more, "{transfers:?}");
    assert_eq!(service.targets().len(), 2, "asked no more than twice");
}

#[tokio::test]
async fn the_sandbox_is_read() {
    let service = FakeService::new(vec![ok(ASSETS), ok(ASSETS), ok(ADDRESSES)]).await;
    let reader = service.reader();
    let coin = text("usdt");
    let assets = reader.fetch_sandbox_assets(Some(&ada()), coin.as_ref()).await.unwrap();
    assert_eq!((assets.rows.len(), assets.filtered_out), (1, 2));
    assert_eq!(reader.fetch_sandbox_prime_assets(None).await.unwrap().rows.len(), 3);
    let addresses = reader.fetch_sandbox_addresses(None, text("XRP").as_ref()).await.unwrap();
    let [xrp] = addresses.rows.as_slice() else { panic!("{addresses:?}") };
    assert_eq!((xrp.coin.clone(), xrp.chain.clone(), xrp.tag.clone()), (text("XRP"), text("xrp"), text("1000001")));
    assert_eq!(
        (xrp.address.as_str(), xrp.wallet.clone()),
        ("rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh", Some(UserId::from_text("prime-1")))
    );
    assert_eq!((addresses.filtered_out, addresses.unreadable), (1, 1));
    let targets = [
        "/v1/sandbox/sub-wallet/assets?subWalletId=sub-wallet-77&coin=usdt&pageNo=1&pageLimit=100",
        "/v1/sandbox/wallet/assets?pageNo=1&pageLimit=100",
        "/v1/sandbox/wallet/address/list?chain=XRP&pageNo=1&pageLimit=100",
    ];
    assert_eq!(service.targets(), targets);
}

#[tokio::test]
async fn pairs_are_read_in_every_form_that_can_be_meant() {
    let body =
        r#"{"success":true,"data":[{"fromCoin":"ETH","toCoin":"USDT"},["BTC","ETH"],"SOL/USDC","ETH-USDT","ETH",7]}"#;
    let service = FakeService::json(body).await;
    let pairs = service.reader().fetch_swap_pairs().await.unwrap();
    let pair = |from: &str, to: &str| SwapPair { from: from.into(), to: to.into() };
    assert_eq!(pairs.rows, [pair("ETH", "USDT"), pair("BTC", "ETH"), pair("SOL", "USDC")]);
    assert_eq!(pairs.unreadable, 2);
    assert_eq!(service.targets(), ["/v1/swap/pairs"]);
}

#[tokio::test]
async fn a_quote_is_for_the_coins_that_were_asked_for() {
    let service = FakeService::json(QUOTE).await;
    let (eth, usdt) = (Text::clean("ETH"), Text::clean("usdt"));
    let amount = Amount::parse("1.5", 18).unwrap();
    let quote = service.reader().fetch_swap_quote(&eth, amount, &usdt).await.unwrap();
    assert_eq!((Some(quote.from_amount), Some(quote.to_amount)), (exact("1.5"), exact("4365.123456")));
    assert_eq!((quote.fee, quote.swap_price), (exact("0.25"), exact("2910.082304")));
    assert_eq!(service.targets(), ["/v1/instant-swap/quote?fromCoin=ETH&fromAmount=1.5&toCoin=usdt"]);
    let other = service.reader().fetch_swap_quote(&usdt, amount, &eth).await.unwrap_err();
    assert_eq!((other.reason, other.detail.as_str()), (FailureReason::NotUnderstood, "the quote is for ETH and USDT"));
}

#[tokio::test]
async fn a_list_of_all_users_in_place_of_one_still_tells_the_one() {
    let service = FakeService::json(r#"{"success":true,"data":[{"id":"a"},{"id":"b","displayName":"B"}]}"#).await;
    let user = service.reader().fetch_user(&UserId::from_text("b")).await.unwrap();
    assert_eq!(user.display_name, text("B"));
    let other = service.reader().fetch_user(&UserId::from_text("c")).await.unwrap_err();
    assert_eq!(
        (other.reason, other.detail.as_str()),
        (FailureReason::NotUnderstood, "the answer is about another user")
    );
}
