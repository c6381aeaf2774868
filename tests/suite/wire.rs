//! Answers as the specification describes them, and every other reading that `bridging` promises to accept.

use bursar::domain::transaction::{Direction, Status, SubType};
use bursar::domain::{
    AccountAddress, AccountType, Amount, FailureReason, ReportedAmount, State, Text, Timestamp, TokenKey, UserId,
};

use crate::fake_service::{Answer, FakeService, KEY, ok};

const TRANSACTIONS: &str = include_str!("wire/transactions.json");
const TRANSACTIONS_ODD: &str = include_str!("wire/transactions-odd.json");
const BALANCES: &str = include_str!("wire/balances.json");
const BALANCE_OBJECT: &str = include_str!("wire/balance-object.json");
const USER: &str = include_str!("wire/user.json");
const STATS: &str = include_str!("wire/stats.json");
const ACCOUNTS: &str = include_str!("wire/accounts.json");
const WALLETS: &str = include_str!("wire/wallets.json");
const TOKENS: [&str; 2] = [include_str!("wire/tokens-1.json"), include_str!("wire/tokens-2.json")];

const USDC: &str = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const NOON: Timestamp = Timestamp::from_millis(1_741_780_800_000);

fn exact(text: &str, decimals: u8) -> ReportedAmount {
    ReportedAmount::Exact(Amount::parse(text, decimals).unwrap())
}

fn token(blockchain: &str, contract: Option<&str>) -> TokenKey {
    TokenKey { blockchain: blockchain.into(), contract: contract.map(Text::clean) }
}

#[expect(clippy::unnecessary_wraps, reason = "fields may be absent, and are compared as such")]
fn text(text: &str) -> Option<Text> {
    Some(text.into())
}

#[tokio::test]
async fn a_page_of_transactions_is_read_field_by_field() {
    let service = FakeService::json(TRANSACTIONS).await;
    let page = service.reader().fetch_transactions(&Direction::Incoming, 1, 100).await.unwrap();
    assert_eq!((page.page_no, page.page_limit, page.total_page, page.unreadable), (Some(1), Some(2), Some(7), 0));
    let [deposit, withdrawal] = page.items.as_slice() else { panic!("{page:?}") };

    assert_eq!(deposit.id.as_str(), "0b54f2a0-6a43-4c6c-9d7c-0a4d0a2f7c11");
    assert_eq!(deposit.direction, Direction::Incoming);
    assert_eq!(deposit.sub_type, Some(SubType::Deposit));
    assert_eq!(deposit.status, Some(Status::Pending));
    assert_eq!(deposit.token, token("ethereum", Some(USDC)));
    assert_eq!(deposit.symbol.as_str(), "USDC");
    assert_eq!(deposit.token_name, text("USD Coin"));
    assert_eq!(deposit.standard, text("ERC20"));
    assert_eq!(deposit.amount, Some(exact("1250.5", 6)));
    assert_eq!(deposit.total_amount, Some(exact("1250.5", 6)));
    assert_eq!(deposit.total_fee, Some(exact("0", 6)));
    assert_eq!(deposit.fee_token, text("USDC"));
    assert_eq!(deposit.fee_level, text("normal"));
    assert_eq!(deposit.protocol, text("EVM"));
    assert_eq!(deposit.environment, text("mainnet"));
    assert_eq!(deposit.network, text("mainnet"));
    assert_eq!(deposit.from_address, text("0x52908400098527886E0F7030069857D2E4169EE7"));
    assert_eq!(deposit.to_address, text("0x8617E340B3D01FA5F11F306F4090FD50E238070D"));
    assert_eq!(deposit.tx_hash, text("0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b"));
    assert_eq!(deposit.confirmation, Some(3));
    assert_eq!(deposit.confirmed, Some(false));
    assert_eq!(deposit.confirmed_at, Some(NOON));
    assert_eq!(deposit.created_at, None);
    assert_eq!(deposit.is_batch, Some(false));
    assert_eq!(deposit.ref_id, text("invoice-2041"));
    assert_eq!(deposit.idempotency_key, text("6f1c2a9e-2f6f-4c4e-8a39-5cf1f7a5d001"));
    assert_eq!(deposit.note, text("March"));
    assert_eq!(deposit.trigger_origin, text("chain"));
    assert_eq!(deposit.group, text("group-1"));
    assert_eq!(deposit.user.as_ref().unwrap().as_str(), "user-1");
    assert_eq!(deposit.wallet.as_ref().unwrap().as_str(), "2c9e3d66-1d3b-4bb7-8f43-6f2f5d1d7a10");
    assert_eq!(deposit.account.as_ref().unwrap().as_str(), "a3d0f6f2-6f0a-4f2e-9f0e-0d2c7a3b9e55");

    // The row's own direction is stronger than the list's, so that a filter which does not hold is noticed; and its
    // fee has the digits of the coin in which it was taken.
    assert_eq!(withdrawal.direction, Direction::Outgoing);
    assert_eq!(withdrawal.token, deposit.token);
    assert_eq!(withdrawal.total_fee, Some(exact("0.000021", 18)));
}

#[tokio::test]
async fn odd_transactions_lose_no_row_and_gain_no_figure() {
    let service = FakeService::json(TRANSACTIONS_ODD).await;
    let page = service.reader().fetch_transactions(&Direction::Incoming, 1, 100).await.unwrap();
    assert_eq!((page.page_no, page.page_limit, page.total_page, page.unreadable), (None, Some(15), Some(3), 8));
    let ids: Vec<_> = page.items.iter().map(|item| item.id.as_str()).collect();
    let expected = ["90071992547409931234567890", "numbers", "disputed", "nulls", "largest", "twice", "wrong types"];
    assert_eq!(ids, expected);
    let [odd, numbers, disputed, nulls, largest, doubled, wrong_types] = page.items.as_slice() else {
        panic!("{page:?}")
    };

    assert_eq!(odd.direction, Direction::Incoming, "the list's");
    assert_eq!(odd.amount, Some(exact("589500000000000.123456789012345678", 18)));
    assert_eq!(odd.status, Some(Status::Other("Under Review".into())));
    assert_eq!(odd.sub_type, Some(SubType::Other("AIRDROP".into())));
    assert_eq!((odd.confirmation, odd.confirmed, odd.is_batch), (Some(12), Some(true), Some(false)));
    assert_eq!(odd.confirmed_at, Some(NOON));
    assert_eq!(odd.created_at, Timestamp::parse_iso("2025-03-12T11:59:00Z"));

    assert_eq!(numbers.token, odd.token, "the case of an EVM contract does not matter");
    assert_eq!(numbers.amount, Some(exact("589500000000000.123456789012345678", 18)));
    assert_eq!(numbers.total_amount, Some(exact("589500000000000", 18)));
    assert_eq!(numbers.total_fee, Some(exact("0.000000000000000001", 18)));

    let raw = Amount::parse("1", 6).unwrap();
    assert_eq!(disputed.amount, Some(ReportedAmount::Disputed { raw, formatted: "100".into() }));
    assert_eq!(disputed.total_amount, None, "a negative figure is none");
    assert_eq!(disputed.total_fee, None, "an integer beyond 2^256 is none, whatever stands beside it");

    assert_eq!(nulls.amount, None);
    assert_eq!(nulls.symbol.as_str(), "");
    assert_eq!((nulls.confirmed, nulls.confirmation, nulls.status.as_ref()), (None, None, None));

    let most = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
    assert_eq!(largest.amount, Some(exact(most, 0)));

    assert_eq!(doubled.status, Some(Status::Success), "of two fields of one name the last counts");
    assert_eq!(doubled.direction, Direction::Outgoing, "a name may be written with escapes");
    assert_eq!(doubled.note, text("a�]0;owned�b"));
    assert_eq!(doubled.ref_id, None, "half a surrogate pair is no text");
    assert_eq!(doubled.token, token("ethereum", None), "the zero address is the chain's own coin");

    assert_eq!(
        (wrong_types.amount.as_ref(), wrong_types.status.as_ref(), wrong_types.confirmed_at),
        (None, None, None)
    );
    assert_eq!(wrong_types.note, None);
    assert_eq!(wrong_types.token, token("base", Some("no address (USDC)")), "never taken for the chain's own coin");
}

#[tokio::test]
async fn balances_come_as_a_list_and_as_one_object() {
    let user = UserId::from_text("user-1");
    let page = FakeService::json(BALANCES).await.reader().fetch_user_balances(&user).await.unwrap();
    let [usdt, sol] = page.rows.as_slice() else { panic!("{page:?}") };
    assert_eq!(usdt.user, user);
    assert_eq!(usdt.token, token("bsc", Some("0x55d398326f99059ff775485246999027b3197955")));
    assert_eq!((usdt.symbol.as_str(), usdt.name.clone()), ("USDT", text("Tether USD")));
    assert_eq!(usdt.amount, exact("12.5", 18));
    assert_eq!(usdt.environment, text("mainnet"));
    assert_eq!(usdt.updated_at, Some(NOON));
    assert_eq!((sol.token.clone(), sol.amount.clone()), (token("solana", None), exact("0.000000001", 9)));
    assert_eq!(page.unreadable, 2, "a balance without a figure does not vanish without a word");

    let page = FakeService::json(BALANCE_OBJECT).await.reader().fetch_user_balances(&user).await.unwrap();
    let [eth] = page.rows.as_slice() else { panic!("{page:?}") };
    assert_eq!((eth.token.clone(), eth.amount.clone()), (token("ethereum", None), exact("1.000000000000000001", 18)));
    assert_eq!(eth.updated_at, Some(NOON));
}

/// The answer that is page `page` of so many, with balances in tokens of these numbers.
fn page_of_balances(page: u64, pages: u64, tokens: std::ops::Range<u64>) -> Answer {
    let entry = |nth: u64| {
        let token = serde_json::json!({ "symbol": format!("T{nth}"), "blockchain": "ethereum", "decimals": 6,
            "tokenAddress": format!("0x{nth:040x}") });
        serde_json::json!({ "token": token, "amount": { "raw": "1000000", "formatted": "1" } })
    };
    let data: Vec<_> = tokens.map(|nth| entry(nth + 1)).collect();
    let whole =
        serde_json::json!({ "success": true, "data": data, "pageNo": page, "pageLimit": 5, "totalPage": pages });
    ok(&whole.to_string())
}

#[tokio::test]
async fn balances_on_several_pages_come_whole_or_not_at_all() {
    let user = UserId::from_text("user-1");
    let pages = (0..5).map(|page| page_of_balances(page + 1, 5, page * 5..(page * 5 + 5).min(22)));
    let service = FakeService::new(pages.collect()).await;
    let balances = service.reader().fetch_user_balances(&user).await.unwrap();
    let symbols: Vec<_> = balances.rows.iter().map(|balance| balance.symbol.to_string()).collect();
    assert_eq!(symbols, (1..=22).map(|nth| format!("T{nth}")).collect::<Vec<_>>());
    let targets = service.targets();
    assert!(targets[0].ends_with("?userId=user-1") && targets[4].ends_with("userId=user-1&pageNo=5"), "{targets:?}");

    let untold = |answers: &[(u64, std::ops::Range<u64>)]| {
        let page = |(page, tokens): &(u64, std::ops::Range<u64>)| page_of_balances(*page, 3, tokens.clone());
        answers.iter().map(page).collect::<Vec<_>>()
    };
    for (answers, reason) in [
        (untold(&[(1, 0..5)]), "sends the first page for each"),
        (untold(&[(1, 0..5), (2, 0..0)]), "the service reports more pages than could be read"),
        (untold(&[(1, 0..5), (2, 5..10), (2, 5..10)]), "the list changed while it was being read"),
        (untold(&[(1, 0..5), (2, 4..9), (3, 9..10)]), "the list changed while it was being read"),
        (
            (0..60).map(|page| page_of_balances(page + 1, 60, page * 5..page * 5 + 5)).collect(),
            "the service reports more pages",
        ),
    ] {
        let service = FakeService::new(answers).await;
        let failure = service.reader().fetch_user_balances(&user).await.unwrap_err();
        assert_eq!(failure.reason, FailureReason::NotUnderstood);
        assert!(failure.detail.contains(reason) && failure.detail.contains("user-1"), "{failure}");
        assert!(service.targets().len() <= 50, "it asked without end");
    }
}

#[tokio::test]
async fn a_user_and_statistics_are_read() {
    let service = FakeService::new(vec![ok(USER), ok(STATS), ok(STATS)]).await;
    let reader = service.reader();
    let user = reader.fetch_user(&UserId::from_text("sub-wallet-77")).await.unwrap();
    assert_eq!(user.id.as_str(), "sub-wallet-77");
    assert_eq!(user.display_name, text("Ada Ferry"));
    assert_eq!(user.ref_id, text("customer-12"));
    assert_eq!(user.email, text("ada@example.com"));
    assert_eq!(user.is_active, Some(true));
    assert_eq!(user.created_at, Timestamp::parse_iso("2025-03-01T08:00:00Z"));

    let stats = reader.fetch_user_stats(Some(&user.id)).await.unwrap();
    assert_eq!((stats.deposits, stats.deposits_in_30_days), (Some(120), Some(14)));
    assert_eq!((stats.transactions, stats.transactions_in_30_days), (Some(200), None));
    assert_eq!((stats.withdraws, stats.withdraws_in_30_days), (Some(80), None));
    assert_eq!(reader.fetch_user_stats(None).await.unwrap(), stats);
    let targets = ["/v2/users?userId=sub-wallet-77", "/v2/users/stats?userId=sub-wallet-77", "/v2/users/stats"];
    assert_eq!(service.targets(), targets);
}

#[tokio::test]
async fn the_optional_lists_are_read_from_either_envelope_or_none() {
    let service =
        FakeService::new(vec![ok(ACCOUNTS), ok(WALLETS), ok(r#"{"success":true,"data":[{"id":"u"}]}"#)]).await;
    let reader = service.reader();
    let accounts = reader.fetch_accounts(1, 100).await.unwrap();
    let [treasury, vault] = accounts.items.as_slice() else { panic!("{accounts:?}") };
    assert_eq!((treasury.name.clone(), treasury.kind.clone()), (text("Treasury"), Some(AccountType::Settlement)));
    assert_eq!((treasury.state.clone(), treasury.network.clone()), (Some(State::Live), text("mainnet")));
    let details = |address: &str| Some(AccountAddress { address: text(address), ref_id: text("treasury") });
    assert_eq!(treasury.evm_details, details("0x52908400098527886E0F7030069857D2E4169EE7"));
    assert_eq!(treasury.solana_details, details("DYw8jCTfwHNRJhhmFcbXvVDTqWMEVFBX6ZKUmG5CNSKK"));
    assert!(treasury.updated_at > treasury.created_at);
    assert_eq!((vault.evm_details.clone(), vault.solana_details.clone(), vault.updated_at), (None, None, None));
    assert_eq!(vault.kind, Some(AccountType::Other("VAULT".into())));
    assert_eq!(vault.state, Some(State::Other("PAUSED".into())));

    let wallets = reader.fetch_wallets(2, 50).await.unwrap();
    let [wallet] = wallets.items.as_slice() else { panic!("{wallets:?}") };
    assert_eq!((wallet.blockchain.as_str(), wallet.name.clone()), ("polygon", text("polygon-ops")));
    assert_eq!(wallet.address, text("0x52908400098527886E0F7030069857D2E4169EE7"));
    assert_eq!((wallet.gasless_withdraw, wallet.auto_sweep), (Some(true), Some(false)));
    assert_eq!((wallet.state.clone(), wallet.ref_id.clone()), (Some(State::Live), text("ops")));
    assert_eq!((wallet.protocol.clone(), wallet.is_evm_compatible), (text("EVM"), Some(true)));
    assert_eq!((wallet.kind.clone(), wallet.intent.clone()), (text("smart_wallet"), text("deposit")));
    assert_eq!((wallet.custody_type.clone(), wallet.decimals), (text("DEVELOPER"), Some(18)));
    assert!(wallet.updated_at.is_some());
    assert_eq!(wallet.user.as_ref().unwrap().as_str(), "user-1");
    assert_eq!(wallet.account.as_ref().unwrap(), &treasury.id);

    assert_eq!(reader.fetch_users(3, 10).await.unwrap().items[0].id.as_str(), "u");
    let targets =
        ["/v2/accounts?pageNo=1&pageLimit=100", "/v2/wallets?pageNo=2&pageLimit=50", "/v2/users?pageNo=3&pageLimit=10"];
    assert_eq!(service.targets(), targets);
}

#[tokio::test]
async fn tokens_are_read_to_the_last_page_and_undocumented_names_sent_only_when_needed() {
    let service = FakeService::new(TOKENS.map(ok).to_vec()).await;
    let tokens = service.reader().fetch_tokens().await.unwrap().rows;
    let [usdc, sol] = tokens.as_slice() else { panic!("{tokens:?}") };
    assert_eq!((usdc.symbol.as_str(), usdc.name.as_str(), usdc.decimals), ("USDC", "USD Coin", Some(6)));
    assert_eq!(usdc.standards, [Text::clean("ERC20"), Text::clean("BEP20")]);
    let [bsc, chain_without_slug] = usdc.blockchains.as_slice() else { panic!("{usdc:?}") };
    assert_eq!((bsc.slug.as_str(), bsc.name.as_str(), bsc.decimals), ("bsc", "BNB Chain", Some(18)));
    assert_eq!((bsc.symbol.clone(), bsc.protocol.clone(), bsc.chain_id), (text("BNB"), text("EVM"), Some(56)));
    assert_eq!((bsc.is_testnet, bsc.block_explorer.clone()), (Some(false), text("https://bscscan.com")));
    assert_eq!((chain_without_slug.slug.as_str(), chain_without_slug.name.as_str()), ("No slug", "No slug"));
    assert_eq!((sol.symbol.as_str(), sol.name.as_str(), sol.is_native), ("SOL", "SOL", Some(true)));
    let path = "/v1/blockchains/tokens-with-blockchains";
    assert_eq!(service.targets(), [path.to_owned(), format!("{path}?pageNo=2")]);
}

#[tokio::test]
async fn a_service_that_ignores_paging_is_not_read_twice_over() {
    let service = FakeService::json(TOKENS[0]).await;
    assert_eq!(service.reader().fetch_tokens().await.unwrap().rows.len(), 1);
    assert_eq!(service.targets().len(), 2);
}

#[tokio::test]
async fn every_request_is_a_read_with_its_key_and_content_type() {
    let service = FakeService::json(TRANSACTIONS).await;
    service.reader().fetch_transactions(&Direction::Outgoing, 3, 100).await.unwrap();
    let [head] = service.heads().try_into().unwrap();
    assert!(head.starts_with("GET /v2/transactions?txType=outgoing&pageNo=3&pageLimit=100 HTTP/1.1\r\n"), "{head}");
    let head = head.to_ascii_lowercase();
    assert!(head.contains(&format!("\r\nauthorization: bearer {KEY}\r\n")), "{head}");
    assert!(head.contains("\r\ncontent-type: application/json\r\n"), "{head}");
    assert!(!head.contains("x-wallet-secret"), "{head}");
}
