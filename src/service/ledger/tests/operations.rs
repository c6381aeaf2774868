use super::*;

#[test]
fn one_reference_has_one_address_on_all_evm_chains_and_one_wallet_on_each() {
    let bench = TestLedger::new();
    let ethereum = bench.wallet("ethereum", "r");
    let base = bench.wallet("base-testnet", "r");
    let solana = bench.wallet("Solana", "r");
    assert_eq!(ethereum.address, base.address);
    assert_ne!(ethereum.address, solana.address);
    assert_eq!((ethereum.protocol, solana.protocol), ("EVM", "SOLANA"));
    assert!(crate::domain::Address::parse(crate::domain::Family::Solana, &solana.address).is_ok());
    assert_ne!(bench.wallet("ethereum", "s").address, ethereum.address);
    let second = bench.new_wallet("base", "r");
    bad_request_message(bench.execute(move |books| books.create_wallet(&second)));
    let other = bench.execute(|books| books.create_user(&NewUser::default())).unwrap();
    let other_wallet = NewWallet { user: Some(uuid(&other.id)), ..bench.new_wallet("ethereum", "r") };
    let other_wallet = bench.execute(move |books| books.create_wallet(&other_wallet)).unwrap();
    assert_ne!(other_wallet.address, ethereum.address);
}

#[test]
fn what_does_not_exist_is_not_found_and_an_unknown_chain_is_malformed() {
    let bench = TestLedger::new();
    let nobody = Uuid::from_u128(9);
    assert_eq!(bench.ledger.user(bench.workspace_number, nobody).unwrap_err(), RequestError::NotFound("user"));
    let wallet = NewWallet { account: nobody, ..bench.new_wallet("base", "r") };
    assert_eq!(
        bench.execute(move |books| books.create_wallet(&wallet)).unwrap_err(),
        RequestError::NotFound("account")
    );
    let wallet = bench.new_wallet("dogecoin", "r");
    assert!(matches!(
        bench.execute(move |books| books.create_wallet(&wallet)).unwrap_err(),
        RequestError::Unprocessable(_)
    ));
    let empty = bench.ledger.transactions(
        bench.workspace_number,
        &TransactionFilter { wallet: Some(nobody), ..TransactionFilter::default() },
        START,
    );
    assert_eq!(empty.unwrap().total_page, 0);
}

#[test]
fn workspaces_never_see_each_other() {
    let bench = TestLedger::new();
    let other = bench.ledger.create_workspace(NewWorkspace::with_random_id("Other", "testnet"), START).unwrap();
    assert_eq!(bench.ledger.user(other, bench.user).unwrap_err(), RequestError::NotFound("user"));
    let wallet = bench.wallet("ethereum", "r");
    bench.fund(&wallet, "USDT", 1_000_000_000);
    let payment = TestLedger::payment(&wallet, "USDT", "1", OUTSIDE_ADDRESS);
    let stolen =
        bench.ledger.execute_in_workspace(other, START, IdSource::Random, move |books| books.withdraw(&payment));
    assert_eq!(stolen.unwrap_err(), RequestError::NotFound("wallet"));
    assert_eq!(bench.ledger.transactions(other, &TransactionFilter::default(), LATER).unwrap().total_page, 0);
}

#[test]
fn a_withdrawal_leaves_at_once_counts_up_and_is_confirmed() {
    let bench = TestLedger::new();
    let wallet = bench.wallet("ethereum", "r");
    bench.fund(&wallet, "USDT", 100_000_000);
    let row = bench.withdraw(&TestLedger::payment(&wallet, "usdt", "10.5", &OUTSIDE_ADDRESS.to_lowercase())).unwrap();
    assert_eq!((row.status, row.confirmation, row.confirmed), ("pending", 0, false));
    assert_eq!((row.amount.raw.as_str(), row.amount.formatted.as_str()), ("10500000", "10.500000"));
    assert_eq!(row.total_fee.formatted, "1.250000");
    assert_eq!(row.total_amount.formatted, "11.750000");
    assert_eq!(row.to_address.as_deref(), Some(OUTSIDE_ADDRESS), "addresses are written with their checksum");
    assert_eq!(bench.balance("USDT", "ethereum"), "88.250000");
    let due = bench.ledger.next_due().unwrap().unwrap();
    let midway = Timestamp::from_millis(due.millis() - 5_000);
    bench.ledger.advance(midway).unwrap();
    let page = bench.ledger.transactions(bench.workspace_number, &TransactionFilter::default(), midway).unwrap();
    assert_eq!((page.data[0].status, page.data[0].confirmation), ("pending", 10));
    assert_eq!(bench.ledger.advance(due).unwrap().succeeded, 1);
    let page = bench.ledger.transactions(bench.workspace_number, &TransactionFilter::default(), due).unwrap();
    assert_eq!((page.data[0].status, page.data[0].confirmation, page.data[0].confirmed), ("success", 12, true));
    assert_eq!(page.data[0].confirmed_at.as_deref(), Some(due.to_string().as_str()));
    bench.ledger.check().unwrap();
}

#[test]
fn a_failed_withdrawal_comes_back_with_its_fee() {
    let bench = TestLedger::new();
    let wallet = bench.wallet("ethereum", "r");
    bench.fund(&wallet, "USDT", 1_000_000_000);
    bench.ledger.set_failure_policy(FailurePolicy::Always);
    let payment = TestLedger::payment(&wallet, "USDT", "900", OUTSIDE_ADDRESS);
    bench
        .ledger
        .execute_in_workspace(bench.workspace_number, LATER, IdSource::Random, move |books| books.withdraw(&payment))
        .unwrap();
    assert_eq!(bench.balance("USDT", "ethereum"), "98.750000");
    let much_later = Timestamp::from_millis(LATER.millis() + 100_000);
    assert_eq!(bench.ledger.advance(much_later).unwrap(), SettlementCounts { succeeded: 0, failed: 1 });
    assert_eq!(bench.balance("USDT", "ethereum"), "1000.000000");
    let row = &bench.rows(Some(Direction::Outgoing))[0];
    assert_eq!((row.status, row.confirmed, row.confirmed_at.as_deref()), ("failed", false, None));
    bench.ledger.check().unwrap();
}

/// One in eighty fails by chance on Base: of a thousand none, once in 290,000 times.
#[test]
fn payments_of_callers_fail_only_where_that_was_asked_for() {
    let bench = TestLedger::new();
    bench.ledger.set_failure_policy(FailurePolicy::ById);
    let chain = crate::domain::Chain::find("base").unwrap();
    for (failures, some_fail, some_succeed) in
        [(FailurePolicy::Never, false, true), (FailurePolicy::Always, true, false), (FailurePolicy::ById, true, true)]
    {
        bench.ledger.set_failures_of_callers(failures);
        let fates = bench.ledger.execute_in_workspace(bench.workspace_number, LATER, IdSource::Random, move |books| {
            let rules = crate::service::chain::rules(chain).unwrap();
            let ids = (0..1_000).map(|_| books.new_payment_id(chain)).collect::<Result<Vec<_>, _>>()?;
            Ok(ids.into_iter().map(|id| rules.outcome_of(id, FailurePolicy::ById).succeeds).collect::<Vec<_>>())
        });
        let fates = fates.unwrap();
        assert_eq!((fates.contains(&false), fates.contains(&true)), (some_fail, some_succeed), "{failures:?}");
    }
}

#[test]
fn a_payment_to_an_address_of_the_service_arrives_with_the_same_hash() {
    let bench = TestLedger::new();
    let (from, to) = (bench.wallet("base", "from"), bench.wallet("base", "to"));
    bench.fund(&from, "USDC", 50_000_000);
    let withdrawal = bench.withdraw(&TestLedger::payment(&from, "USDC", "20", &to.address)).unwrap();
    assert_eq!(withdrawal.total_fee.raw, "0", "wallets on Base are gasless");
    assert!(from.gasless_withdraw);
    let received = &bench.rows(Some(Direction::Incoming))[0];
    assert_eq!(received.tx_hash, withdrawal.tx_hash);
    assert_ne!(received.id, withdrawal.id);
    assert_eq!((received.from_address.as_ref(), received.status), (Some(&from.address), "pending"));
    bench.ledger.advance(Timestamp::from_millis(LATER.millis() * 2)).unwrap();
    let (received, withdrawal) = (bench.rows(Some(Direction::Incoming)), bench.rows(Some(Direction::Outgoing)));
    assert_eq!(received[0].status, withdrawal[0].status);
    assert_eq!(bench.balance("USDC", "base"), "50.000000");
    bench.ledger.check().unwrap();
}

#[test]
fn everything_wrong_with_the_words_of_a_withdrawal_is_said_at_once() {
    let bench = TestLedger::new();
    let wallet = bench.wallet("ethereum", "r");
    bench.fund(&wallet, "USDT", 1_000_000);
    let wrong_case = OUTSIDE_ADDRESS.replace("7886E", "7886e");
    let message =
        unprocessable_message(bench.withdraw(&TestLedger::payment(&wallet, "USDT", "1.1234567", &wrong_case)));
    assert!(message.contains("withdrawalAddress: the checksum"), "{message}");
    assert!(message.contains("amount: ") && message.contains("1.123456"), "{message}");
    for amount in ["", "0", "0.0", "-1", "1e3", "01", "1,5", ".5", "1."] {
        assert!(
            unprocessable_message(bench.withdraw(&TestLedger::payment(&wallet, "USDT", amount, OUTSIDE_ADDRESS)))
                .contains("amount")
        );
    }
    assert!(
        unprocessable_message(bench.withdraw(&TestLedger::payment(&wallet, "DOGE", "1", OUTSIDE_ADDRESS)))
            .contains("not listed")
    );
    let too_much = bad_request_message(bench.withdraw(&TestLedger::payment(&wallet, "USDT", "1", OUTSIDE_ADDRESS)));
    assert!(too_much.contains("insufficient balance") && too_much.contains("1.25"), "{too_much}");
    let elsewhere =
        NewWithdrawal { blockchain: "polygon".into(), ..TestLedger::payment(&wallet, "USDT", "1", OUTSIDE_ADDRESS) };
    bad_request_message(bench.withdraw(&elsewhere));
    assert_eq!(bench.rows(Some(Direction::Outgoing)).len(), 0);
}

#[test]
fn an_inactive_wallet_does_not_pay_and_a_patch_changes_only_what_it_names() {
    let bench = TestLedger::new();
    let wallet = bench.wallet("ethereum", "r");
    bench.fund(&wallet, "USDT", 100_000_000);
    let id = uuid(&wallet.id);
    let patch = WalletPatch { wallet: id, user: None, name: None, is_active: Some(false), auto_sweep: None };
    let patched = bench.execute(move |books| books.patch_wallet(&patch)).unwrap();
    let updated_at = patched.updated_at.clone();
    assert_eq!(patched, render::Wallet { state: "INACTIVE", updated_at, ..wallet.clone() });
    assert!(
        bad_request_message(bench.withdraw(&TestLedger::payment(&wallet, "USDT", "1", OUTSIDE_ADDRESS)))
            .contains("inactive")
    );
    let stranger = uuid(&bench.execute(|books| books.create_user(&NewUser::default())).unwrap().id);
    let patch = WalletPatch { wallet: id, user: Some(stranger), name: None, is_active: None, auto_sweep: None };
    assert!(bad_request_message(bench.execute(move |books| books.patch_wallet(&patch))).contains("userId"));
    let unused = uuid(&bench.wallet("polygon", "r").id);
    let patch = WalletPatch { wallet: unused, user: Some(stranger), name: None, is_active: None, auto_sweep: None };
    let patched = bench.execute(move |books| books.patch_wallet(&patch)).unwrap();
    assert_eq!(patched.user_id, Some(stranger.to_string()));
}

#[test]
fn the_same_key_executes_once_and_answers_the_same_bytes_also_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let place = LedgerLocation::Folder(folder.path().join("data"));
    let bench = TestLedger::at(&place);
    let key = Uuid::from_u128(0xabc);
    let request = json!({"name": "A", "metadata": {"a": 1, "b": [true, null]}, "walletId": "ABCDEFAB-0000-4000-8000-000000000001"});
    let turned = json!({"walletId": "abcdefab-0000-4000-8000-000000000001", "metadata": {"b": [true, null], "a": 1}, "name": "A"});
    let call = |ledger: &Ledger, operation: &str, request: &Value, name: &'static str| {
        ledger.execute_once_per_key(bench.workspace_number, START, Some(key), (operation, request), move |books| {
            books.create_account(name)
        })
    };
    let first = call(&bench.ledger, "POST /v2/accounts", &request, "A").unwrap();
    assert_eq!(call(&bench.ledger, "POST /v2/accounts", &turned, "A").unwrap(), first);
    let other = json!({"name": "B", "metadata": {"a": 1, "b": [true, null]}, "walletId": "ABCDEFAB-0000-4000-8000-000000000001"});
    bad_request_message(call(&bench.ledger, "POST /v2/accounts", &other, "B"));
    bad_request_message(call(&bench.ledger, "POST /v2/wallets", &request, "A"));
    assert_eq!(bench.ledger.accounts_of_workspace(bench.workspace_number, Paging::default()).unwrap().data.len(), 2);
    let TestLedger { ledger, workspace_number, .. } = bench;
    drop(ledger);
    let ledger = Ledger::open(&place, Pace::USUAL).unwrap();
    let repeated = ledger
        .execute_once_per_key(workspace_number, LATER, Some(key), ("POST /v2/accounts", &request), |books| {
            books.create_account("A")
        })
        .unwrap();
    assert_eq!(repeated, first);
    assert!(first.starts_with(br#"{"success":true,"data":{"id":""#));
}

#[test]
fn a_refused_request_does_not_use_up_its_key() {
    let bench = TestLedger::new();
    let wallet = bench.wallet("ethereum", "r");
    let key = Some(Uuid::from_u128(1));
    let request = json!({"amount": "1"});
    let pay = || {
        let payment = TestLedger::payment(&wallet, "USDT", "1", OUTSIDE_ADDRESS);
        bench.ledger.execute_once_per_key(bench.workspace_number, START, key, ("withdraw", &request), move |books| {
            books.withdraw(&payment)
        })
    };
    assert!(bad_request_message(pay()).contains("insufficient"));
    bench.fund(&wallet, "USDT", 10_000_000);
    pay().unwrap();
    pay().unwrap();
    assert_eq!(bench.rows(Some(Direction::Outgoing)).len(), 1);
}

#[test]
fn a_credit_beyond_what_any_token_can_hold_is_refused() {
    let bench = TestLedger::new();
    let wallet = bench.wallet("ethereum", "r");
    bench.deposit(&wallet, "SHIB", U256::MAX).unwrap();
    bench.ledger.advance(LATER).unwrap();
    assert!(unprocessable_message(bench.deposit(&wallet, "SHIB", U256::ONE)).contains("larger"));
    bench.ledger.check().unwrap();
}

#[test]
fn two_credits_under_way_that_together_are_too_much_do_not_both_arrive() {
    let bench = TestLedger::new();
    let wallet = bench.wallet("ethereum", "r");
    bench.deposit(&wallet, "SHIB", U256::MAX).unwrap();
    bench.deposit(&wallet, "SHIB", U256::MAX).unwrap();
    bench.ledger.advance(LATER).unwrap();
    let done = bench.rows(None).iter().filter(|row| row.status == "success").count();
    assert_eq!(done, 1);
    bench.ledger.check().unwrap();
}

#[test]
fn listed_tokens_name_their_chains_and_narrow_by_either() {
    let bench = TestLedger::new();
    let tokens = |symbol, chain| bench.ledger.listed_tokens(bench.workspace_number, symbol, chain, Paging::default());
    let all = tokens(None, None).unwrap();
    assert_eq!(all.total_page, 1);
    for (contract, family) in
        all.data.iter().flat_map(|token| &token.blockchains).map(|chain| (chain.slug, &chain.onchain))
    {
        assert_eq!(family.chain_id.is_some(), family.protocol == "EVM", "{contract}");
    }
    let usdt = &tokens(Some("usdt"), Some("BNB Chain")).unwrap().data;
    assert_eq!((usdt.len(), usdt[0].blockchains.len(), usdt[0].blockchains[0].decimals), (1, 1, 18));
    assert!(
        matches!(tokens(Some("DOGE"), Some("litecoin")).unwrap_err(), RequestError::Unprocessable(two) if two.len() == 2)
    );
    let tokens = bench.ledger.read(ChainToken::load_all_listed).unwrap();
    for token in &tokens {
        if let Some(contract) = &token.contract {
            crate::domain::Address::parse(token.chain.family, contract).unwrap();
            let family = token.chain.family;
            assert_eq!(crate::domain::Address::parse(family, contract).unwrap().canonical(), *contract);
        }
        assert!(
            tokens::listed_withdrawal_fee(token) > U256::ZERO,
            "{} on {} has no fee",
            token.symbol,
            token.chain.name
        );
    }
}

#[test]
fn stats_count_what_succeeded_and_what_of_it_is_recent() {
    let bench = TestLedger::new();
    let wallet = bench.wallet("base", "r");
    bench.fund(&wallet, "USDC", 5_000_000);
    let soon = bench.ledger.stats(bench.workspace_number, None, LATER).unwrap();
    assert_eq!((soon.deposits_count, soon.deposits_count_in_30_days, soon.withdraws_count), (1, 1, 0));
    let after = Timestamp::from_millis(LATER.millis() + 40 * 86_400_000);
    let late = bench.ledger.stats(bench.workspace_number, Some(bench.user), after).unwrap();
    assert_eq!((late.transaction_volume_count, late.transaction_volume_count_in_30_days), (1, 0));
}

#[test]
fn a_folder_belongs_to_one_ledger_at_a_time_and_a_strange_file_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let place = LedgerLocation::Folder(folder.path().into());
    let ledger = Ledger::open(&place, Pace::USUAL).unwrap();
    assert!(matches!(Ledger::open(&place, Pace::USUAL), Err(LedgerError::InUse(_))));
    drop(ledger);
    Ledger::open(&place, Pace::USUAL).unwrap();
    let file = folder.path().join("ledger.db");
    Connection::open(&file).unwrap().execute_batch("PRAGMA user_version = 99").unwrap();
    assert!(matches!(Ledger::open(&place, Pace::USUAL), Err(LedgerError::Newer { format: 99, .. })));
    let other = tempfile::tempdir().unwrap();
    std::fs::write(other.path().join("ledger.db"), "not a database, but a text that is long enough to have a header")
        .unwrap();
    let refused = Ledger::open(&LedgerLocation::Folder(other.path().into()), Pace::USUAL).unwrap_err();
    assert!(matches!(refused, LedgerError::Damaged { .. }), "{refused}");
    assert!(matches!(Ledger::open(&LedgerLocation::Folder(file), Pace::USUAL), Err(LedgerError::NotAFolder(_))));
}

#[test]
fn a_ledger_of_the_first_format_is_brought_up_to_the_present_one_with_all_it_holds() {
    let folder = tempfile::tempdir().unwrap();
    let place = LedgerLocation::Folder(folder.path().into());
    let bench = TestLedger::at(&place);
    let wallet = bench.wallet("base", "r");
    bench.fund(&wallet, "USDC", 10_000_000);
    bench.withdraw(&TestLedger::payment(&wallet, "USDC", "1", OUTSIDE_ADDRESS)).unwrap();
    let (before, workspace_number) = (bench.rows(None), bench.workspace_number);
    let request = json!({"name": "A"});
    let make = |ledger: &Ledger, key| {
        let operation = ("POST /v2/accounts", &request);
        ledger
            .execute_once_per_key(workspace_number, START, Some(Uuid::from_u128(key)), operation, |books| {
                books.create_account("A")
            })
            .unwrap()
    };
    let answers: Vec<_> = (0..20).map(|key| make(&bench.ledger, key)).collect();
    drop(bench);
    let file = Connection::open(folder.path().join("ledger.db")).unwrap();
    file.execute_batch(
        "ALTER TABLE history DROP COLUMN group_of; ALTER TABLE history DROP COLUMN tag;
         ALTER TABLE users DROP COLUMN can_trade; DROP TABLE recipients; DROP TABLE client_tx_ids;
         DROP TABLE deliveries; DROP TABLE outbox;
         CREATE TABLE former (
             workspace INTEGER NOT NULL, key BLOB NOT NULL, request BLOB NOT NULL, answer BLOB NOT NULL,
             answered_at INTEGER NOT NULL, PRIMARY KEY (workspace, key)
         ) STRICT, WITHOUT ROWID;
         INSERT INTO former SELECT workspace, key, request, answer, answered_at FROM answers;
         DROP TABLE answers; ALTER TABLE former RENAME TO answers; PRAGMA user_version = 1;",
    )
    .unwrap();
    drop(file);
    // Programs that wrote this format knew nothing of marks.
    std::fs::remove_file(folder.path().join("ledger.mark")).unwrap();
    let older = check_folder(folder.path()).unwrap_err();
    assert!(older.to_string().contains("format 1"), "{older}");
    let ledger = Ledger::open(&place, Pace::USUAL).unwrap();
    ledger.check().unwrap();
    let listing = TransactionFilter { paging: Paging { page: 1, limit: 100 }, ..TransactionFilter::default() };
    assert_eq!(ledger.transactions(workspace_number, &listing, LATER).unwrap().data, before);
    let repeated: Vec<_> = (0..20).map(|key| make(&ledger, key)).collect();
    assert!(repeated == answers, "an old key gets its old answer");
    drop(ledger);
    assert_eq!(check_folder(folder.path()).unwrap().unwrap().rows, 2);
}

#[test]
fn a_user_who_may_not_trade_swaps_by_neither_version() {
    let bench = TestLedger::new();
    let wallet = bench.wallet("base", "r");
    bench.fund(&wallet, "USDC", 1_000_000_000);
    let swap = NewSwap {
        wallet: uuid(&wallet.id),
        blockchain: "base".into(),
        from: "USDC".into(),
        amount: "50".into(),
        to: "ETH".into(),
        ref_id: None,
        note: None,
        key: None,
    };
    let by_v1 =
        NewV1Swap { wallet: bench.user, from: "USDC".into(), amount: "50".into(), to: "ETH".into(), ext_id: None };
    let (swap_copy, by_v1_again) = (swap.clone(), by_v1.clone());
    bench.execute(move |books| books.swap(&swap)).unwrap();
    bench.execute(move |books| books.swap_v1(&by_v1)).unwrap();
    bench.ledger.write(|connection| Ok(connection.execute_batch("UPDATE users SET can_trade = 0")?)).unwrap();
    let before = bench.rows(None).len();
    for refused in [
        bad_request_message(bench.execute(move |books| books.swap(&swap_copy))),
        bad_request_message(bench.execute(move |books| books.swap_v1(&by_v1_again))),
    ] {
        assert_eq!(refused, "the wallet's user may not trade: canTrade is false");
    }
    assert_eq!(bench.rows(None).len(), before);
}
