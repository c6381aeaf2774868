//! The body of each operation's request, letter by letter.

use super::super::encode;
use super::KEY;
use crate::api::WireNames;
use crate::domain::draft::{Draft, Operation};

/// Each draft, as the journal writes it, beside the body of its request.
const REQUESTS: [(&str, &str); 14] = [
    (
        r#"{"operation":"withdraw","wallet":"w","blockchain":"base","token":"USDC","amount":"1.50","to":"0x1","ref_id":"r","note":"n","metadata":[["b","2"],["a","1"]]}"#,
        r#"{"idempotencyKey":"KEY","walletId":"w","amount":"1.50","withdrawalAddress":"0x1","token":"USDC","blockchain":"base","refId":"r","note":"n","metadata":{"b":"2","a":"1"}}"#,
    ),
    (
        r#"{"operation":"create-user","email":"e","display_name":"d","ref_id":"r"}"#,
        r#"{"email":"e","displayName":"d","refId":"r"}"#,
    ),
    (r#"{"operation":"create-account","name":"n"}"#, r#"{"idempotencyKey":"KEY","name":"n"}"#),
    (
        r#"{"operation":"create-wallet","account":"a","blockchain":"base","name":"n","ref_id":"r","user":"u","auto_sweep":true}"#,
        r#"{"idempotencyKey":"KEY","accountId":"a","blockchain":"base","name":"n","refId":"r","userId":"u","autoSweep":true}"#,
    ),
    (
        r#"{"operation":"update-wallet","wallet":"w","user":"u","name":"n","is_active":false,"auto_sweep":true}"#,
        r#"{"walletId":"w","userId":"u","name":"n","isActive":false,"autoSweep":true}"#,
    ),
    (
        r#"{"operation":"update-user","user":"u","email":"e","display_name":"d","ref_id":"r"}"#,
        r#"{"userId":"u","email":"e","displayName":"d","refId":"r"}"#,
    ),
    (
        r#"{"operation":"create-sub-wallet","email":"e","display_name":"d","ref_id":"r","can_trade":true}"#,
        r#"{"email":"e","name":"d","clientUserId":"r","canTrade":true}"#,
    ),
    (
        r#"{"operation":"create-address","sub_wallet":"s","coin":"USDC","chain":"base"}"#,
        r#"{"subWalletId":"s","coin":"USDC","chain":"base"}"#,
    ),
    (
        r#"{"operation":"simulate-deposit","token":"ETH","blockchain":"base","amount":"2","to":"0x1"}"#,
        r#"{"destination":"on_chain","coin":"ETH","amount":"2","chain":"base","status":"success","fromAddress":"0x1","toAddress":"0x1"}"#,
    ),
    (
        r#"{"operation":"batch","wallet":"w","blockchain":"base","token":"USDC","to":[{"address":"0x1","amount":"1.5"},{"address":"0x2","amount":"2"}],"ref_id":"r","note":"n","metadata":[["a","1"]],"queue":true}"#,
        r#"{"idempotencyKey":"KEY","walletId":"w","token":"USDC","blockchain":"base","to":[{"address":"0x1","amount":"1.5"},{"address":"0x2","amount":"2"}],"refId":"r","note":"n","metadata":{"a":"1"},"queue":true}"#,
    ),
    (
        r#"{"operation":"swap","wallet":"w","blockchain":"base","from":"USDC","amount":"1.5","to":"ETH","ref_id":"r","note":"n"}"#,
        r#"{"idempotencyKey":"KEY","walletId":"w","blockchain":"base","fromCoin":"USDC","fromAmount":"1.5","toCoin":"ETH","refId":"r","note":"n"}"#,
    ),
    (
        r#"{"operation":"instant-swap","sub_wallet":"s","from":"USDC","amount":"1.5","to":"ETH","ext_id":"r"}"#,
        r#"{"walletId":"s","fromCoin":"USDC","fromAmount":"1.5","toCoin":"ETH","extId":"r"}"#,
    ),
    (
        r#"{"operation":"payment","sub_wallet":"s","coin":"XRP","chain":"xrp","to":"r1","amount":"2","client_tx_id":"r","fee":"0.1","memo":"7"}"#,
        r#"{"subWalletId":"s","coin":"XRP","chain":"xrp","withdrawalAddress":"r1","amount":"2","clientTxId":"r","fee":"0.1","memo":"7"}"#,
    ),
    (r#"{"operation":"create-sandbox-address","coin":"USDC","chain":"base"}"#, r#"{"coin":"USDC","chain":"base"}"#),
];

#[test]
fn each_field_of_a_draft_has_its_member_in_the_request() {
    let drafts = REQUESTS.map(|(draft, _)| serde_json::from_str::<Draft>(draft).unwrap());
    assert!(Operation::ALL.into_iter().all(|operation| drafts.iter().any(|draft| draft.operation() == operation)));
    for (draft, (_, body)) in drafts.iter().zip(REQUESTS) {
        assert_eq!(encode(draft, KEY, &WireNames::default()).body, body.replace("KEY", &KEY.to_string()));
    }
}

/// Names that are equal unless a profile changes them do not stand for each other.
#[test]
fn each_assumed_name_is_the_profiles() {
    let wire = WireNames {
        withdrawal_address: "payee".into(),
        swap_key: "sk".into(),
        swap_wallet: "sw".into(),
        swap_blockchain: "sb".into(),
        swap_from_coin: "sf".into(),
        swap_from_amount: "sa".into(),
        swap_to_coin: "st".into(),
        swap_ref_id: "sr".into(),
        swap_note: "sn".into(),
        instant_swap_wallet: "iw".into(),
        instant_swap_from_coin: "if".into(),
        instant_swap_from_amount: "ia".into(),
        instant_swap_to_coin: "it".into(),
        instant_swap_ext_id: "ie".into(),
        ..WireNames::default()
    };
    let body_of = |operation| {
        let draft = REQUESTS.map(|(draft, _)| serde_json::from_str::<Draft>(draft).unwrap());
        let draft = draft.into_iter().find(|draft| draft.operation() == operation).unwrap();
        encode(&draft, KEY, &wire).body.replace(&KEY.to_string(), "KEY")
    };
    assert!(body_of(Operation::Withdraw).contains(r#""payee":"0x1""#));
    assert_eq!(
        body_of(Operation::Swap),
        r#"{"sk":"KEY","sw":"w","sb":"base","sf":"USDC","sa":"1.5","st":"ETH","sr":"r","sn":"n"}"#
    );
    assert_eq!(body_of(Operation::InstantSwap), r#"{"iw":"s","if":"USDC","ia":"1.5","it":"ETH","ie":"r"}"#);
}
