//! Requests of any bytes: what the review shows of them is all that they say.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::{decode, encode};
use super::KEY;
use crate::api::WireNames;
use crate::domain::draft::{Draft, Operation};
use crate::domain::order::RequestBytes;
use crate::fuzzing::{choice, decimal, grown, target, text};

const OPERATIONS: [Operation; 14] = [
    Operation::Withdraw,
    Operation::CreateUser,
    Operation::CreateAccount,
    Operation::CreateWallet,
    Operation::SimulateDeposit,
    Operation::UpdateWallet,
    Operation::UpdateUser,
    Operation::CreateSubWallet,
    Operation::CreateAddress,
    Operation::Batch,
    Operation::Swap,
    Operation::InstantSwap,
    Operation::Payment,
    Operation::CreateSandboxAddress,
];

/// Every word that a draft shows.
fn displayed_texts(draft: &Draft) -> Vec<String> {
    let mut texts: Vec<Option<String>> = match draft {
        Draft::Withdraw(it) => vec![
            Some(it.wallet.to_string()),
            Some(it.amount.to_string()),
            Some(it.to.to_string()),
            Some(it.token.to_string()),
            Some(it.blockchain.to_string()),
            it.ref_id.as_ref().map(ToString::to_string),
            it.note.as_ref().map(ToString::to_string),
        ],
        Draft::CreateUser(it) => {
            [&it.email, &it.display_name, &it.ref_id].map(|text| text.as_ref().map(ToString::to_string)).into()
        }
        Draft::CreateAccount(it) => vec![Some(it.name.to_string())],
        Draft::CreateWallet(it) => vec![
            Some(it.account.to_string()),
            Some(it.blockchain.to_string()),
            it.name.as_ref().map(ToString::to_string),
            it.ref_id.as_ref().map(ToString::to_string),
            it.user.as_ref().map(ToString::to_string),
            Some(it.auto_sweep.to_string()),
        ],
        Draft::UpdateWallet(it) => vec![
            Some(it.wallet.to_string()),
            it.user.as_ref().map(ToString::to_string),
            it.name.as_ref().map(ToString::to_string),
            it.is_active.map(|on| on.to_string()),
            it.auto_sweep.map(|on| on.to_string()),
        ],
        Draft::UpdateUser(it) => vec![
            Some(it.user.to_string()),
            it.to.email.as_ref().map(ToString::to_string),
            it.to.display_name.as_ref().map(ToString::to_string),
            it.to.ref_id.as_ref().map(ToString::to_string),
        ],
        Draft::CreateSubWallet(it) => vec![
            it.user.email.as_ref().map(ToString::to_string),
            it.user.display_name.as_ref().map(ToString::to_string),
            it.user.ref_id.as_ref().map(ToString::to_string),
            Some(it.can_trade.to_string()),
        ],
        Draft::CreateAddress(it) => {
            vec![Some(it.sub_wallet.to_string()), Some(it.coin.to_string()), Some(it.chain.to_string())]
        }
        Draft::Batch(it) => {
            let to = it.to.iter().map(|to| serde_json::json!({"address": &*to.address, "amount": &*to.amount}));
            vec![
                Some(it.wallet.to_string()),
                Some(it.token.to_string()),
                Some(it.blockchain.to_string()),
                Some(Value::Array(to.collect()).to_string()),
                it.ref_id.as_ref().map(ToString::to_string),
                it.note.as_ref().map(ToString::to_string),
            ]
        }
        Draft::Payment(it) => {
            let fields = [&it.withdrawal.token, &it.withdrawal.blockchain, &it.withdrawal.to, &it.withdrawal.amount];
            let mut texts: Vec<_> = fields.map(|text| Some(text.to_string())).into();
            texts.push(Some(it.withdrawal.wallet.to_string()));
            texts.extend([&it.withdrawal.ref_id, &it.fee, &it.memo].map(|text| text.as_ref().map(ToString::to_string)));
            texts
        }
        Draft::CreateSandboxAddress(it) => vec![Some(it.coin.to_string()), Some(it.chain.to_string())],
        Draft::SimulateDeposit(it) => {
            let mut texts: Vec<_> =
                [&it.token, &it.amount, &it.blockchain, &it.to].map(|text| Some(text.to_string())).into();
            texts.extend([Some("on_chain".to_owned()), Some("success".to_owned()), Some(it.to.to_string())]);
            texts
        }
        Draft::Swap(it) => vec![
            Some(it.wallet.to_string()),
            Some(it.blockchain.to_string()),
            Some(it.from.to_string()),
            Some(it.amount.to_string()),
            Some(it.to.to_string()),
            it.ref_id.as_ref().map(ToString::to_string),
            it.note.as_ref().map(ToString::to_string),
        ],
        Draft::InstantSwap(it) => vec![
            Some(it.sub_wallet.to_string()),
            Some(it.from.to_string()),
            Some(it.amount.to_string()),
            Some(it.to.to_string()),
            it.ext_id.as_ref().map(ToString::to_string),
        ],
    };
    texts.push(draft.operation().has_key().then(|| KEY.to_string()));
    let mut texts: Vec<String> = texts.into_iter().flatten().collect();
    texts.sort();
    texts
}

#[test]
fn what_is_shown_of_a_request_is_all_that_it_says() {
    let wallet = "2c9e3d66-1d3b-4bb7-8f43-6f2f5d1d7a10";
    let whole = [
        format!(
            "\0{{\"idempotencyKey\":\"{KEY}\",\"walletId\":\"{wallet}\",\"amount\":\"1.50\",\"withdrawalAddress\":\"0x8617\",\"token\":\"USDC\",\"blockchain\":\"base\",\"refId\":\"r\",\"note\":\"n\\\"\"}}"
        ),
        "\u{1}{\"email\":\"a@b.c\",\"displayName\":\"Ada\",\"refId\":\"r\"}".to_owned(),
        format!("\u{2}{{\"idempotencyKey\":\"{KEY}\",\"name\":\"Reserve\"}}"),
        format!(
            "\u{3}{{\"idempotencyKey\":\"{KEY}\",\"accountId\":\"a\",\"blockchain\":\"base\",\"name\":\"w\",\"userId\":\"u\",\"autoSweep\":true}}"
        ),
        "\u{4}{\"destination\":\"on_chain\",\"coin\":\"ETH\",\"amount\":\"2\",\"chain\":\"base\",\"status\":\"success\",\"fromAddress\":\"0x1\",\"toAddress\":\"0x1\"}".to_owned(),
        format!("\u{2}{{\"idempotencyKey\":\"{KEY}\",\"name\":\"a\",\"name\":\"b\"}}"),
        format!("\u{5}{{\"walletId\":\"{wallet}\",\"name\":\"desk\",\"isActive\":false,\"autoSweep\":true}}"),
        "\u{6}{\"userId\":\"u\",\"email\":\"a@b.c\",\"displayName\":\"Ada\",\"refId\":\"r\"}".to_owned(),
        "\u{7}{\"email\":\"a@b.c\",\"name\":\"Ada\",\"clientUserId\":\"r\",\"canTrade\":true}".to_owned(),
        "\u{8}{\"subWalletId\":\"u\",\"coin\":\"USDC\",\"chain\":\"base\"}".to_owned(),
        format!(
            "\u{9}{{\"idempotencyKey\":\"{KEY}\",\"walletId\":\"{wallet}\",\"token\":\"USDC\",\"blockchain\":\"base\",\"to\":[{{\"address\":\"0x1\",\"amount\":\"1.5\"}},{{\"address\":\"0x2\",\"amount\":\"2\"}}],\"refId\":\"r\"}}"
        ),
        format!(
            "\u{a}{{\"idempotencyKey\":\"{KEY}\",\"walletId\":\"{wallet}\",\"blockchain\":\"base\",\"fromCoin\":\"USDC\",\"fromAmount\":\"1.50\",\"toCoin\":\"ETH\",\"refId\":\"r\"}}"
        ),
        "\u{b}{\"walletId\":\"u\",\"fromCoin\":\"USDC\",\"fromAmount\":\"1.50\",\"toCoin\":\"SOL\",\"extId\":\"r\"}".to_owned(),
        "\u{c}{\"subWalletId\":\"u\",\"coin\":\"XRP\",\"chain\":\"xrp\",\"withdrawalAddress\":\"r1\",\"amount\":\"2\",\"clientTxId\":\"r\",\"fee\":\"0.1\",\"memo\":\"7\"}".to_owned(),
        "\u{d}{\"coin\":\"USDC\",\"chain\":\"base\"}".to_owned(),
    ];
    let seeds: Vec<&[u8]> = whole.iter().map(String::as_bytes).collect();
    target(&seeds, |input| {
        let (operation, body) = choice(input, OPERATIONS.len());
        let operation = OPERATIONS[operation];
        let (method, path) = operation.route();
        let key = operation.has_key().then_some(KEY);
        let frozen = RequestBytes { operation, method: method.into(), path: path.into(), body: text(body).into(), key };
        let wire = WireNames::default();
        let Ok(draft) = decode(&frozen, &wire) else { return };
        assert_eq!(encode(&draft, KEY, &wire), frozen);
        let members: BTreeMap<String, Value> = serde_json::from_str(&frozen.body).unwrap();
        let mut values: Vec<String> =
            members.values().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).collect();
        values.sort();
        assert_eq!(displayed_texts(&draft), values, "{}", frozen.body);
        for amount in ["amount", "fromAmount"].into_iter().filter_map(|name| members.get(name)) {
            let amount = amount.as_str().unwrap();
            assert!(decimal(amount).is_some() && !amount.contains(['e', 'E', '+', '-', ',']), "{amount}");
        }
        // Nothing can be added to it, nor spelled otherwise.
        for other in [grown(&frozen.body), format!("{} ", frozen.body), frozen.body.replacen('{', "{ ", 1)] {
            assert!(decode(&RequestBytes { body: other.clone(), ..frozen.clone() }, &wire).is_err(), "{other}");
        }
    });
}
