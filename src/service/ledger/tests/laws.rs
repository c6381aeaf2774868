use proptest::prelude::*;

use super::*;

/// Something that anyone may do, with wallets and amounts by number.
#[derive(Debug, Clone)]
enum LedgerAction {
    Deposit { wallet: usize, raw: u128 },
    Withdraw { wallet: usize, amount: u64, to: Option<usize> },
    Batch { wallet: usize, amounts: Vec<u64>, to: Option<usize> },
    Swap { wallet: usize, amount: u64 },
    Arrive { wallet: usize, milli: u64, settled: bool },
    Transfer { from: usize, to: usize, amount: u64, settled: bool },
    Pass { seconds: i64 },
    Chains(FailurePolicy),
}

fn any_ledger_action() -> impl Strategy<Value = LedgerAction> {
    prop_oneof![
        (0..4_usize, 0..5_000_000_u128).prop_map(|(wallet, raw)| LedgerAction::Deposit { wallet, raw }),
        (0..4_usize, 1..4_000_000_u64, proptest::option::of(0..4_usize))
            .prop_map(|(wallet, amount, to)| LedgerAction::Withdraw { wallet, amount, to }),
        (0..4_usize, proptest::collection::vec(1..900_000_u64, 1..5), proptest::option::of(0..4_usize))
            .prop_map(|(wallet, amounts, to)| LedgerAction::Batch { wallet, amounts, to }),
        (0..4_usize, 1..4_000_000_u64).prop_map(|(wallet, amount)| LedgerAction::Swap { wallet, amount }),
        (0..4_usize, 1..4_000_u64, any::<bool>()).prop_map(|(wallet, milli, settled)| LedgerAction::Arrive {
            wallet,
            milli,
            settled
        }),
        (0..4_usize, 0..4_usize, 1..4_000_000_u64, any::<bool>())
            .prop_map(|(from, to, amount, settled)| LedgerAction::Transfer { from, to, amount, settled }),
        (0..40_i64).prop_map(|seconds| LedgerAction::Pass { seconds }),
        prop_oneof![Just(FailurePolicy::ById), Just(FailurePolicy::Never), Just(FailurePolicy::Always)]
            .prop_map(LedgerAction::Chains),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_done_no_money_appears_or_is_lost(seed in any::<u64>(), steps in proptest::collection::vec(any_ledger_action(), 1..60)) {
        let bench = TestLedger::new();
        let wallets: Vec<_> = ["base", "base", "polygon", "polygon"]
            .iter()
            .zip(["a", "b", "a", "b"])
            .map(|(chain, reference)| bench.wallet(chain, reference))
            .collect();
        // Two of the wallets are swept, each into a wallet of the settlement account, which the bench has none of yet.
        let users = bench.execute(|books| books.create_account("Users")).unwrap();
        let swept: Vec<_> = ["base", "polygon"]
            .iter()
            .map(|chain| {
                let new = NewWallet { account: uuid(&users.id), auto_sweep: true, ..bench.new_wallet(chain, "swept") };
                bench.execute(move |books| books.create_wallet(&new)).unwrap()
            })
            .collect();
        let wallets = [&wallets[..2], &swept[..]].concat();
        let other = bench.execute(|books| books.create_user(&NewUser { ref_id: Some("two".into()), ..NewUser::default() }));
        let (one, other) = (bench.user, uuid(&other.unwrap().id));
        let users_of = [one, other, one, other];
        let mut now = START;
        for (n, step) in steps.into_iter().enumerate() {
            let ids = IdSource::Seeded(crate::service::rng::Rng::new(seed, n as u64));
            match step {
                LedgerAction::Deposit { wallet, raw } => {
                    let wallet = uuid(&wallets[wallet].id);
                    let token = DepositToken::Listed("USDC".into());
                    let new = NewDeposit { wallet, token, raw: U256::from(raw), from: OUTSIDE_ADDRESS.into() };
                    bench
                        .ledger
                        .execute_in_workspace(bench.workspace_number, now, ids, move |books| books.deposit(&new))
                        .unwrap();
                }
                LedgerAction::Chains(failures) => bench.ledger.set_failure_policy(failures),
                LedgerAction::Withdraw { wallet, amount, to } => {
                    let amount = crate::domain::Amount::new(U256::from(amount), 6).unwrap().to_string();
                    let to = to.map_or(OUTSIDE_ADDRESS, |to| wallets[to].address.as_str());
                    let new = TestLedger::payment(&wallets[wallet], "USDC", &amount, to);
                    let result = bench
                        .ledger
                        .execute_in_workspace(bench.workspace_number, now, ids, move |books| books.withdraw(&new));
                    prop_assert!(matches!(result, Ok(_) | Err(RequestError::BadRequest(_))), "{result:?}");
                }
                LedgerAction::Batch { wallet, amounts, to } => {
                    let wallet = &wallets[wallet];
                    let to = to.map_or(OUTSIDE_ADDRESS, |to| wallets[to].address.as_str());
                    let exact = |raw: &u64| crate::domain::Amount::new(U256::from(*raw), 6).unwrap().to_string();
                    let new = NewBatch {
                        wallet: uuid(&wallet.id),
                        token: "USDC".into(),
                        blockchain: wallet.blockchain.into(),
                        to: amounts.iter().map(|raw| (to.to_owned(), exact(raw))).collect(),
                        ref_id: None,
                        note: None,
                        queue: n % 2 == 0,
                        key: None,
                    };
                    let result = bench
                        .ledger
                        .execute_in_workspace(bench.workspace_number, now, ids, move |books| {
                            books.withdraw_batch(&new)
                        });
                    prop_assert!(matches!(result, Ok(_) | Err(RequestError::BadRequest(_))), "{result:?}");
                }
                LedgerAction::Swap { wallet, amount } => {
                    let wallet = &wallets[wallet];
                    let new = NewSwap {
                        wallet: uuid(&wallet.id),
                        blockchain: wallet.blockchain.into(),
                        from: "USDC".into(),
                        amount: crate::domain::Amount::new(U256::from(amount), 6).unwrap().to_string(),
                        to: if wallet.blockchain == "base" { "ETH".into() } else { "POL".into() },
                        ref_id: None,
                        note: None,
                        key: None,
                    };
                    let result = bench
                        .ledger
                        .execute_in_workspace(bench.workspace_number, now, ids, move |books| books.swap(&new));
                    prop_assert!(matches!(result, Ok(_) | Err(RequestError::BadRequest(_))), "{result:?}");
                }
                LedgerAction::Arrive { wallet, milli, settled } => {
                    let wallet = &wallets[wallet];
                    let new = NewSandboxDeposit {
                        origin: DepositOrigin::OnChain { from: OUTSIDE_ADDRESS.into(), to: wallet.address.clone() },
                        coin: if wallet.blockchain == "base" { "ETH".into() } else { "POL".into() },
                        chain: wallet.blockchain.into(),
                        amount: crate::domain::Amount::new(U256::from(milli), 3).unwrap().to_string(),
                        settled,
                    };
                    bench
                        .ledger
                        .execute_in_workspace(bench.workspace_number, now, ids, move |books| {
                            books.sandbox_deposit(&new)
                        })
                        .unwrap();
                }
                LedgerAction::Transfer { from, to, amount, settled } => {
                    let new = NewSandboxDeposit {
                        origin: DepositOrigin::Internal { from: users_of[from], to: users_of[to] },
                        coin: "USDC".into(),
                        chain: "base".into(),
                        amount: crate::domain::Amount::new(U256::from(amount), 6).unwrap().to_string(),
                        settled,
                    };
                    let result = bench
                        .ledger
                        .execute_in_workspace(bench.workspace_number, now, ids, move |books| {
                            books.sandbox_deposit(&new)
                        });
                    prop_assert!(matches!(result, Ok(_) | Err(RequestError::BadRequest(_))), "{result:?}");
                }
                LedgerAction::Pass { seconds } => {
                    now = Timestamp::from_millis(now.millis() + seconds * 1000);
                    bench.ledger.advance(now).unwrap();
                }
            }
        }
        prop_assert_eq!(bench.ledger.check().err(), None);
        bench.ledger.advance(Timestamp::from_millis(now.millis() + 1_000_000)).unwrap();
        prop_assert_eq!(bench.ledger.next_due().unwrap(), None);
        prop_assert_eq!(bench.ledger.check().err(), None);
    }

    #[test]
    fn amounts_survive_their_bytes(limbs in any::<[u64; 4]>()) {
        let amount = U256::from_limbs(limbs);
        prop_assert_eq!(U256::try_from_be_slice(&columns::amount_to_bytes(amount)), Some(amount));
    }
}

#[test]
fn the_proof_finds_what_was_tampered_with() {
    let spoil = |sql: &'static str| {
        let bench = TestLedger::new();
        let wallet = bench.wallet("base", "r");
        bench.fund(&wallet, "USDC", 5_000_000);
        bench.withdraw(&TestLedger::payment(&wallet, "USDC", "1", OUTSIDE_ADDRESS)).unwrap();
        bench.ledger.check().unwrap();
        bench.ledger.write(move |connection| Ok(connection.execute_batch(sql)?)).unwrap();
        bench.ledger.check().unwrap_err()
    };
    assert!(spoil("UPDATE books SET balance = x'01' WHERE kind = 0").len() >= 2);
    spoil("DELETE FROM entries WHERE no = 1");
    spoil("UPDATE history SET amount = x'07'");
    spoil("DELETE FROM history WHERE status = 0");
    spoil("UPDATE history SET place = 7 WHERE lane % 2 = 0");
    spoil("UPDATE entries SET target = source");
}
