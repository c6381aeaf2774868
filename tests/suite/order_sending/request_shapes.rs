//! Requests as the specification shows them, and what the service makes of them.

use bursar::domain::draft::{
    Batch, InstantSwap, Metadata, NewAccount, NewAddress, NewSandboxAddress, NewSubWallet, NewUser, NewWallet,
    Operation, Recipient, SimulatedDeposit, Swap, UserChange, V1Payment, WalletChange,
};
use bursar::domain::{AccountId, Direction, State, Status, User, UserId, Wallet, WalletId};

use super::*;

const KEY: Uuid = Uuid::from_u128(0x6f1c_2a9e_2f6f_4c4e_8a39_5cf1_f7a5_d001);

/// The bytes of each operation with everything that it can say, and what the specification's table lists for it.
const REQUESTS: [(&str, Operation, &[&str]); 14] = [
    (
        include_str!("../wire/request-withdraw.json"),
        Operation::Withdraw,
        &[
            "idempotencyKey",
            "walletId",
            "amount",
            "withdrawalAddress",
            "token",
            "blockchain",
            "refId",
            "note",
            "metadata",
        ],
    ),
    (include_str!("../wire/request-user.json"), Operation::CreateUser, &["email", "displayName", "refId"]),
    (include_str!("../wire/request-account.json"), Operation::CreateAccount, &["idempotencyKey", "name"]),
    (
        include_str!("../wire/request-wallet.json"),
        Operation::CreateWallet,
        &["idempotencyKey", "accountId", "blockchain", "name", "refId", "userId", "autoSweep"],
    ),
    (
        include_str!("../wire/request-wallet-change.json"),
        Operation::UpdateWallet,
        &["walletId", "userId", "name", "isActive", "autoSweep"],
    ),
    (
        include_str!("../wire/request-user-change.json"),
        Operation::UpdateUser,
        &["userId", "email", "displayName", "refId"],
    ),
    (
        include_str!("../wire/request-sub-wallet.json"),
        Operation::CreateSubWallet,
        &["email", "name", "clientUserId", "canTrade"],
    ),
    (include_str!("../wire/request-address.json"), Operation::CreateAddress, &["subWalletId", "coin", "chain"]),
    (
        include_str!("../wire/request-simulated-deposit.json"),
        Operation::SimulateDeposit,
        &["destination", "coin", "amount", "chain", "status", "fromAddress", "toAddress", "fromWalletId", "toWalletId"],
    ),
    (
        include_str!("../wire/request-batch.json"),
        Operation::Batch,
        &["idempotencyKey", "walletId", "token", "blockchain", "to", "refId", "note", "metadata", "queue"],
    ),
    // The specification shows neither request of a swap: these names are assumed, and the review says so.
    (
        include_str!("../wire/request-swap.json"),
        Operation::Swap,
        &["idempotencyKey", "walletId", "blockchain", "fromCoin", "fromAmount", "toCoin", "refId", "note"],
    ),
    (
        include_str!("../wire/request-instant-swap.json"),
        Operation::InstantSwap,
        &["walletId", "fromCoin", "fromAmount", "toCoin", "extId"],
    ),
    (
        include_str!("../wire/request-payment.json"),
        Operation::Payment,
        &["subWalletId", "coin", "chain", "withdrawalAddress", "amount", "clientTxId", "fee", "memo"],
    ),
    (include_str!("../wire/request-sandbox-address.json"), Operation::CreateSandboxAddress, &["coin", "chain"]),
];

fn ada() -> NewUser {
    NewUser {
        email: Some("ada@example.com".into()),
        display_name: Some("Ada Ferry".into()),
        ref_id: Some("customer-12".into()),
    }
}

fn full(operation: Operation) -> Draft {
    match operation {
        Operation::Withdraw => Draft::Withdraw(Withdrawal {
            wallet: WalletId::from_text("2c9e3d66-1d3b-4bb7-8f43-6f2f5d1d7a10"),
            blockchain: "ethereum".into(),
            token: "USDC".into(),
            amount: "1250.5".into(),
            to: "0x8617E340B3D01FA5F11F306F4090FD50E238070D".into(),
            ref_id: Some("invoice-2041".into()),
            note: Some("March \"rent\" – Müller".into()),
            metadata: Metadata::default(),
        }),
        Operation::CreateUser => Draft::CreateUser(ada()),
        Operation::CreateAccount => Draft::CreateAccount(NewAccount { name: "Treasury".into() }),
        Operation::CreateWallet => Draft::CreateWallet(NewWallet {
            account: AccountId::from_text("a3d0f6f2-6f0a-4f2e-9f0e-0d2c7a3b9e55"),
            blockchain: "polygon".into(),
            name: Some("polygon-ops".into()),
            ref_id: Some("ops".into()),
            user: Some(UserId::from_text("user-1")),
            auto_sweep: true,
        }),
        Operation::UpdateWallet => Draft::UpdateWallet(WalletChange {
            wallet: WalletId::from_text("2c9e3d66-1d3b-4bb7-8f43-6f2f5d1d7a10"),
            user: Some(UserId::from_text("user-1")),
            name: Some("polygon-desk".into()),
            is_active: Some(false),
            auto_sweep: Some(true),
        }),
        Operation::UpdateUser => Draft::UpdateUser(UserChange { user: UserId::from_text("user-1"), to: ada() }),
        Operation::CreateSubWallet => Draft::CreateSubWallet(NewSubWallet { user: ada(), can_trade: true }),
        Operation::CreateAddress => Draft::CreateAddress(NewAddress {
            sub_wallet: UserId::from_text("user-1"),
            coin: "USDC".into(),
            chain: "polygon".into(),
        }),
        Operation::SimulateDeposit => Draft::SimulateDeposit(SimulatedDeposit {
            token: "USDC".into(),
            blockchain: "ethereum".into(),
            amount: "500".into(),
            to: "0x8617E340B3D01FA5F11F306F4090FD50E238070D".into(),
        }),
        Operation::Batch => {
            let recipient = |address: &str, amount: &str| Recipient {
                address: address.into(),
                amount: amount.into(),
                label: Some("Ada Ferry".into()),
                reference: None,
                line: Some(2),
            };
            Draft::Batch(Batch {
                wallet: WalletId::from_text("2c9e3d66-1d3b-4bb7-8f43-6f2f5d1d7a10"),
                blockchain: "ethereum".into(),
                token: "USDC".into(),
                to: vec![
                    recipient("0x8617E340B3D01FA5F11F306F4090FD50E238070D", "1250.5"),
                    recipient("0x52908400098527886E0F7030069857D2E4169EE7", "10"),
                ],
                ref_id: Some("payroll-11".into()),
                note: Some("November".into()),
                file: None,
                metadata: Metadata::default(),
                queue: None,
            })
        }
        Operation::Swap => Draft::Swap(Swap {
            wallet: WalletId::from_text("2c9e3d66-1d3b-4bb7-8f43-6f2f5d1d7a10"),
            blockchain: "base".into(),
            from: "USDC".into(),
            amount: "1000".into(),
            to: "ETH".into(),
            ref_id: Some("hedge-1".into()),
            note: Some("to ether".into()),
        }),
        Operation::InstantSwap => Draft::InstantSwap(InstantSwap {
            sub_wallet: UserId::from_text("user-1"),
            from: "USDC".into(),
            amount: "250".into(),
            to: "SOL".into(),
            ext_id: Some("hedge-2".into()),
        }),
        Operation::Payment => Draft::Payment(V1Payment {
            withdrawal: Withdrawal {
                wallet: WalletId::from_text("5b0a4f0e-0d5f-4e0b-8a43-0c5f1d7a1055"),
                blockchain: "xrp".into(),
                token: "XRP".into(),
                amount: "1250.5".into(),
                to: "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh".into(),
                ref_id: Some("invoice-2041".into()),
                note: None,
                metadata: Metadata::default(),
            },
            fee: Some("0.25".into()),
            memo: Some("104735891".into()),
        }),
        Operation::CreateSandboxAddress => {
            Draft::CreateSandboxAddress(NewSandboxAddress { coin: "USDC".into(), chain: "ethereum".into() })
        }
    }
}

#[test]
fn requests_say_what_the_specification_shows_and_nothing_else() {
    for (bytes, operation, documented) in REQUESTS {
        let request = encode(&full(operation), KEY, &WireNames::default());
        assert_eq!(request.body, bytes.trim_end(), "{operation:?}");
        let body: serde_json::Value = serde_json::from_str(&request.body).unwrap();
        for name in body.as_object().unwrap().keys() {
            assert!(documented.contains(&name.as_str()), "{operation:?} says {name}");
        }
        assert_eq!(request.key, operation.has_key().then_some(KEY));
    }
}

#[tokio::test]
async fn each_operation_is_executed_once_and_told() {
    let office = Office::open().await;
    let operator = office.operator();
    let tap = office.service.record_requests();

    let user = full(Operation::CreateUser);
    let account = full(Operation::CreateAccount);
    let mut requests_made = Vec::new();
    let mut requests = Vec::new();
    for draft in [user, account] {
        let intent = office.confirmed_order(draft, Uuid::new_v4());
        let result = office.send(&operator, &intent, SendReason::Confirmed).await;
        assert_eq!((result.outcome, result.status), (Outcome::Accepted, Some(201)), "{result:?}");
        assert!(result.differences.is_empty(), "{result:?}");
        requests.push(result.created.unwrap());
        requests_made.push(intent.drafted.request);
    }
    let Ok([CreatedObject::User(user), CreatedObject::Account(account)]) = <[CreatedObject; 2]>::try_from(requests)
    else {
        panic!("other things were made")
    };
    assert_eq!((user.email.as_deref(), account.name.as_deref()), (Some("ada@example.com"), Some("Treasury")));
    assert_eq!(office.reader().fetch_user(&user.id).await.unwrap(), user);

    let wallet = Draft::CreateWallet(NewWallet {
        account: account.id.clone(),
        blockchain: "base".into(),
        name: Some("desk".into()),
        ref_id: Some("desk-1".into()),
        user: Some(user.id),
        auto_sweep: false,
    });
    let payment = office.payment().await;
    let key = Uuid::new_v4();
    let mut address = None;
    for (draft, key) in [(wallet, Uuid::new_v4()), (payment, key)] {
        let intent = office.confirmed_order(draft, key);
        let result = office.send(&operator, &intent, SendReason::Confirmed).await;
        assert_eq!((result.outcome, result.status), (Outcome::Accepted, Some(201)), "{result:?}");
        assert!(result.differences.is_empty(), "{result:?}");
        match result.created.unwrap() {
            CreatedObject::Wallet(wallet) => {
                assert_eq!(wallet.account.as_ref(), Some(&account.id));
                address = wallet.address;
            }
            CreatedObject::Transaction(transaction) => {
                // The history tells it under the key that the order knows.
                let history = office.reader().fetch_transactions(&Direction::Outgoing, 1, 100).await.unwrap().items;
                let row = history.iter().find(|row| row.idempotency_key.as_deref() == Some(&*key.to_string()));
                assert_eq!(row.map(|row| &row.id), transaction.transaction.as_ref());
            }
            other => panic!("{other:?}"),
        }
        requests_made.push(intent.drafted.request);
    }
    assert_eq!(office.executions(key), 1);
    let deposit = Draft::SimulateDeposit(SimulatedDeposit {
        token: "USDC".into(),
        blockchain: "base".into(),
        amount: "500.25".into(),
        to: address.unwrap(),
    });
    let intent = office.confirmed_order(deposit, Uuid::new_v4());
    let result = office.send(&operator, &intent, SendReason::Confirmed).await;
    assert_eq!((result.outcome, result.differences.len()), (Outcome::Accepted, 0), "{result:?}");
    let Some(CreatedObject::Transaction(transaction)) = result.created else { panic!("{result:?}") };
    let history = office.reader().fetch_transactions(&Direction::Incoming, 1, 100).await.unwrap().items;
    let row = history.iter().find(|row| Some(&row.id) == transaction.transaction.as_ref()).unwrap();
    assert_eq!(row.status.as_ref().map(Status::word), Some("success"));
    requests_made.push(intent.drafted.request);
    let recorded_requests = tap.changes();
    let recorded_requests: Vec<_> =
        recorded_requests.iter().map(|one| (&*one.method, &*one.path, &*one.body)).collect();
    let requests_made: Vec<_> =
        requests_made.iter().map(|request| (&*request.method, &*request.path, request.body.as_bytes())).collect();
    assert_eq!(recorded_requests, requests_made, "byte for byte what was frozen, in that order, once");
}

#[tokio::test]
async fn changes_and_what_version_1_makes_are_executed_and_told() {
    let office = Office::open().await;
    let operator = office.operator();
    let send = async |draft: Draft| {
        let intent = office.confirmed_order(draft, Uuid::new_v4());
        let result = office.send(&operator, &intent, SendReason::Confirmed).await;
        assert_eq!(result.outcome, Outcome::Accepted, "{result:?}");
        assert!(result.differences.is_empty(), "{result:?}");
        result.created.unwrap()
    };
    let CreatedObject::User(user) = send(full(Operation::CreateSubWallet)).await else { panic!("no user") };
    assert_eq!(office.reader().fetch_sub_wallet(&user.id).await.unwrap().can_trade, Some(true));
    let to = NewUser { display_name: Some("Ada Lake".into()), ..NewUser::default() };
    let CreatedObject::User(changed_user) = send(Draft::UpdateUser(UserChange { user: user.id.clone(), to })).await
    else {
        panic!("no user")
    };
    assert_eq!(changed_user, User { display_name: Some("Ada Lake".into()), ..user.clone() });
    assert_eq!(office.reader().fetch_user(&user.id).await.unwrap(), changed_user);

    let address = NewAddress { sub_wallet: user.id.clone(), coin: "USDC".into(), chain: "base".into() };
    let CreatedObject::Address(first) = send(Draft::CreateAddress(address.clone())).await else { panic!("no address") };
    assert_eq!((first.wallet.as_ref(), first.coin.as_deref()), (Some(&user.id), Some("USDC")));
    let CreatedObject::Address(second_address) = send(Draft::CreateAddress(address)).await else {
        panic!("no address")
    };
    assert_eq!(second_address, first, "an existing address is returned again");

    let CreatedObject::Account(account) = send(full(Operation::CreateAccount)).await else { panic!("no account") };
    let Draft::CreateWallet(new) = full(Operation::CreateWallet) else { panic!("no wallet") };
    let new = NewWallet { account: account.id, user: None, auto_sweep: false, ..new };
    let CreatedObject::Wallet(wallet) = send(Draft::CreateWallet(new)).await else { panic!("no wallet") };
    let change = WalletChange {
        wallet: wallet.id.clone(),
        user: Some(user.id.clone()),
        name: Some("desk".into()),
        is_active: Some(false),
        auto_sweep: Some(true),
    };
    let CreatedObject::Wallet(changed_wallet) = send(Draft::UpdateWallet(change)).await else { panic!("no wallet") };
    let expected = Wallet {
        user: Some(user.id),
        name: Some("desk".into()),
        state: Some(State::Inactive),
        auto_sweep: Some(true),
        ..wallet
    };
    assert_eq!(changed_wallet, expected);

    let sandbox = NewSandboxAddress { coin: "USDC".into(), chain: "base".into() };
    let CreatedObject::Address(first) = send(Draft::CreateSandboxAddress(sandbox.clone())).await else {
        panic!("no address")
    };
    let CreatedObject::Address(second_address) = send(Draft::CreateSandboxAddress(sandbox)).await else {
        panic!("no address")
    };
    assert_eq!(second_address, first, "an existing address is returned again");
    let addresses =
        office.reader().fetch_sandbox_addresses(Some(&"USDC".into()), Some(&"base".into())).await.unwrap().rows;
    assert_eq!(addresses.iter().map(|row| &row.address).collect::<Vec<_>>(), [&first.address]);
}

#[tokio::test]
async fn a_payment_by_version_1_is_executed_and_told_in_both_histories() {
    let office = Office::open().await;
    let treasury = office.treasury().await;
    let withdrawal = Withdrawal {
        wallet: WalletId::from_text(treasury.user.as_ref().unwrap().as_str()),
        blockchain: "base".into(),
        token: "USDC".into(),
        amount: "25.10".into(),
        to: OUTSIDE.into(),
        ref_id: Some("invoice-9101".into()),
        note: None,
        metadata: Metadata::default(),
    };
    let draft =
        Draft::Payment(V1Payment { withdrawal: withdrawal.clone(), fee: None, memo: Some("customer 12".into()) });
    let intent = office.confirmed_order(draft, Uuid::new_v4());
    let result = office.send(&office.operator(), &intent, SendReason::Confirmed).await;
    assert_eq!((result.outcome, result.differences.len()), (Outcome::Accepted, 0), "{result:?}");
    let Some(CreatedObject::Transaction(transaction)) = result.created else { panic!("{result:?}") };
    let user = UserId::from_text(withdrawal.wallet.as_str());
    let rows = office.reader().fetch_sub_wallet_withdrawal_history(&user, None, None, 1..=1).await.unwrap().rows;
    let own = rows.iter().find(|row| row.client_tx_id == withdrawal.ref_id).unwrap();
    assert_eq!((Some(&own.id), own.tag_memo.as_deref()), (transaction.transaction.as_ref(), Some("customer 12")));
    assert_eq!(office.service.find_payments_with_reference("invoice-9101").unwrap().len(), 1);

    // A second use of its reference is refused, and nobody can tell from that which of two copies was executed.
    let duplicate = Draft::Payment(V1Payment { withdrawal: withdrawal.clone(), fee: None, memo: None });
    let intent = office.confirmed_order(duplicate, Uuid::new_v4());
    let result = office.send(&office.operator(), &intent, SendReason::Confirmed).await;
    assert_eq!((result.outcome, result.status), (Outcome::Unknown, Some(400)), "{result:?}");
    // So is one that costs more than it may.
    let withdrawal = Withdrawal { ref_id: Some("invoice-9102".into()), ..withdrawal };
    let frugal = Draft::Payment(V1Payment { withdrawal, fee: Some("0.000001".into()), memo: None });
    let intent = office.confirmed_order(frugal, Uuid::new_v4());
    let result = office.send(&office.operator(), &intent, SendReason::Confirmed).await;
    let is_free = office.service.find_payments_with_reference("invoice-9102").unwrap().len();
    assert_eq!(result.outcome == Outcome::Declined, is_free == 0, "{result:?}");
    assert_eq!(office.service.find_payments_with_reference("invoice-9101").unwrap().len(), 1);
}

#[tokio::test]
async fn an_order_for_another_place_is_not_sent() {
    let [office, other] = [Office::open().await, Office::open().await];
    let tap = other.service.record_requests();
    let key = Uuid::new_v4();
    let intent = office.confirmed_order(office.payment().await, key);
    let result = office.send(&other.operator(), &intent, SendReason::Confirmed).await;
    assert_eq!(result.outcome, Outcome::NotSent);
    assert!(result.message.contains("connected to another service"), "{result:?}");
    assert_eq!((tap.requests(), office.executions(key)), (Vec::new(), 0));
}

#[tokio::test]
async fn without_the_right_wallet_secret_nothing_is_executed() {
    let office = Office::open().await;
    for wallet_secret in [None, Some("ws_somebody_elses".into())] {
        let operator = Operator::new(Connection { wallet_secret, ..office.connection() }).unwrap();
        let key = Uuid::new_v4();
        let intent = office.confirmed_order(office.payment().await, key);
        let result = office.send(&operator, &intent, SendReason::Confirmed).await;
        let outcome = Outcome::ProbablyRefused { wait: None };
        assert_eq!((result.outcome, result.status), (outcome, Some(401)), "{result:?}");
        assert_eq!(office.executions(key), 0);
    }
}

#[tokio::test]
async fn a_service_that_takes_the_recipient_under_the_other_name_says_which_setting_to_change() {
    let mut office = Office::open().await;
    office.wire.withdrawal_address = "toAddress".into();
    let key = Uuid::new_v4();
    let intent = office.confirmed_order(office.payment().await, key);
    assert!(intent.drafted.request.body.contains(&format!(r#""toAddress":"{OUTSIDE}""#)));
    let result = office.send(&office.operator(), &intent, SendReason::Confirmed).await;
    assert_eq!((result.outcome, result.status), (Outcome::Declined, Some(422)), "{result:?}");
    assert!(result.message.contains("write withdrawal_address = \"withdrawalAddress\""), "{result:?}");
    assert_eq!(office.executions(key), 0);
}

#[test]
fn what_the_operator_can_ask_for_is_in_the_specification() {
    for operation in Operation::ALL {
        let RequestBytes { method, path, .. } = encode(&full(operation), KEY, &WireNames::default());
        assert!(read_only::CHANGES.contains(&(&*method, &*path)), "{method} {path}");
    }
}
