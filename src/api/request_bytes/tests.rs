use proptest::prelude::*;

use super::*;
use crate::domain::draft::{
    Batch, InstantSwap, Metadata, NewAccount, NewAddress, NewSandboxAddress, NewSubWallet, NewUser, NewWallet,
    Recipient, SimulatedDeposit, Swap, UserChange, V1Payment, WalletChange, Withdrawal,
};
use crate::domain::{AccountId, UserId, WalletId};

mod bodies;
mod fuzzed;

const KEY: Uuid = Uuid::from_u128(0x6f1c_2a9e_2f6f_4c4e_8a39_5cf1_f7a5_d001);

/// Texts that are hard to carry: quotes, escapes, other scripts, emoji, the names of members.
fn text() -> impl Strategy<Value = Text> {
    prop_oneof![
        "[ -~]{0,20}",
        any::<String>(),
        r#"["\\/{}:,éß漢❤ ]{0,12}"#,
        Just("amount".to_owned()),
        Just(r#"","amount":"9"#.to_owned()),
        Just("null".to_owned()),
    ]
    .prop_map(|text| Text::clean(&text))
}

fn optional_text() -> impl Strategy<Value = Option<Text>> {
    proptest::option::of(text())
}

/// Every form that the operator's grammar has.
fn amount() -> impl Strategy<Value = Text> {
    let spelled = prop_oneof!["(0|[1-9][0-9]{0,40})", "(0|[1-9][0-9]{0,30})\\.[0-9]{1,40}"];
    spelled.prop_map(|text| Text::clean(&text))
}

fn new_user() -> impl Strategy<Value = NewUser> {
    (optional_text(), optional_text(), optional_text()).prop_map(|(email, display_name, ref_id)| NewUser {
        email,
        display_name,
        ref_id,
    })
}

fn metadata() -> impl Strategy<Value = Metadata> {
    proptest::collection::btree_map(text(), text(), 0..4).prop_map(|members| members.into_iter().collect())
}

fn draft() -> impl Strategy<Value = Draft> {
    let withdrawal = (text(), text(), text(), amount(), text(), optional_text(), optional_text(), metadata()).prop_map(
        |(wallet, blockchain, token, amount, to, ref_id, note, metadata)| {
            let wallet = WalletId::from_text(&wallet);
            Draft::Withdraw(Withdrawal { wallet, blockchain, token, amount, to, ref_id, note, metadata })
        },
    );
    let user = new_user().prop_map(Draft::CreateUser);
    let account = text().prop_map(|name| Draft::CreateAccount(NewAccount { name }));
    let wallet = (text(), text(), optional_text(), optional_text(), optional_text(), any::<bool>()).prop_map(
        |(account, blockchain, name, ref_id, user, auto_sweep)| {
            let account = AccountId::from_text(&account);
            let user = user.map(|id| UserId::from_text(&id));
            Draft::CreateWallet(NewWallet { account, blockchain, name, ref_id, user, auto_sweep })
        },
    );
    let deposit = (text(), text(), amount(), text()).prop_map(|(token, blockchain, amount, to)| {
        Draft::SimulateDeposit(SimulatedDeposit { token, blockchain, amount, to })
    });
    let change = (
        text(),
        optional_text(),
        optional_text(),
        proptest::option::of(any::<bool>()),
        proptest::option::of(any::<bool>()),
    )
        .prop_map(|(wallet, user, name, is_active, auto_sweep)| {
            let (wallet, user) = (WalletId::from_text(&wallet), user.map(|user| UserId::from_text(&user)));
            Draft::UpdateWallet(WalletChange { wallet, user, name, is_active, auto_sweep })
        });
    let changed_user = (text(), new_user())
        .prop_map(|(user, to)| Draft::UpdateUser(UserChange { user: UserId::from_text(&user), to }));
    let sub_wallet = (new_user(), any::<bool>())
        .prop_map(|(user, can_trade)| Draft::CreateSubWallet(NewSubWallet { user, can_trade }));
    let address = (text(), text(), text()).prop_map(|(sub_wallet, coin, chain)| {
        Draft::CreateAddress(NewAddress { sub_wallet: UserId::from_text(&sub_wallet), coin, chain })
    });
    let recipient = (text(), amount()).prop_map(|(address, amount)| Recipient {
        address,
        amount,
        label: None,
        reference: None,
        line: None,
    });
    let extras = (metadata(), proptest::option::of(any::<bool>()));
    let batch =
        (text(), text(), text(), proptest::collection::vec(recipient, 0..9), optional_text(), optional_text(), extras)
            .prop_map(|(wallet, blockchain, token, to, ref_id, note, (metadata, queue))| {
                let wallet = WalletId::from_text(&wallet);
                Draft::Batch(Batch { wallet, blockchain, token, to, ref_id, note, metadata, queue, file: None })
            });
    let swap = (text(), text(), text(), amount(), text(), optional_text(), optional_text()).prop_map(
        |(wallet, blockchain, from, amount, to, ref_id, note)| {
            let wallet = WalletId::from_text(&wallet);
            Draft::Swap(Swap { wallet, blockchain, from, amount, to, ref_id, note })
        },
    );
    let instant_swap =
        (text(), text(), amount(), text(), optional_text()).prop_map(|(sub_wallet, from, amount, to, ext_id)| {
            Draft::InstantSwap(InstantSwap { sub_wallet: UserId::from_text(&sub_wallet), from, amount, to, ext_id })
        });
    let texts = (text(), text(), text(), amount(), text(), text());
    let payment = (texts, proptest::option::of(amount()), optional_text()).prop_map(
        |((wallet, blockchain, token, amount, to, reference), fee, memo)| {
            let (wallet, ref_id) = (WalletId::from_text(&wallet), Some(reference));
            let plain_withdrawal =
                Withdrawal { wallet, blockchain, token, amount, to, ref_id, note: None, metadata: Metadata::default() };
            Draft::Payment(V1Payment { withdrawal: plain_withdrawal, fee, memo })
        },
    );
    let sandbox =
        (text(), text()).prop_map(|(coin, chain)| Draft::CreateSandboxAddress(NewSandboxAddress { coin, chain }));
    // Boxed, since a strategy of so many alternatives is a large value on the stack.
    prop_oneof![
        3 => withdrawal.boxed(),
        1 => user.boxed(),
        1 => account.boxed(),
        2 => wallet.boxed(),
        1 => deposit.boxed(),
        1 => change.boxed(),
        1 => changed_user.boxed(),
        1 => sub_wallet.boxed(),
        1 => address.boxed(),
        3 => batch.boxed(),
        2 => swap.boxed(),
        1 => instant_swap.boxed(),
        2 => payment.boxed(),
        1 => sandbox.boxed(),
    ]
}

fn wire_names() -> impl Strategy<Value = WireNames> {
    prop_oneof![Just("withdrawalAddress"), Just("toAddress"), Just("recipient")]
        .prop_map(|name| WireNames { withdrawal_address: name.into(), ..WireNames::default() })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_was_frozen_is_read_back(draft in draft(), wire in wire_names(), key in any::<u128>()) {
        let frozen = encode(&draft, Uuid::from_u128(key), &wire);
        prop_assert_eq!(decode(&frozen, &wire), Ok(draft));
    }

    #[test]
    fn other_drafts_are_other_bytes(one in draft(), other in draft()) {
        let wire = WireNames::default();
        let is_same_request = encode(&one, KEY, &wire) == encode(&other, KEY, &wire);
        prop_assert_eq!(is_same_request, one == other);
    }

    #[test]
    fn other_bytes_are_another_draft_or_none(draft in draft(), at in any::<prop::sample::Index>(), byte in 0x20_u8..0x7f) {
        let wire = WireNames::default();
        let frozen = encode(&draft, KEY, &wire);
        let mut bytes = frozen.body.clone().into_bytes();
        let at = at.index(bytes.len());
        prop_assume!(bytes[at] != byte);
        bytes[at] = byte;
        // A byte inside a character would make no text at all.
        let Ok(body) = String::from_utf8(bytes) else { return Ok(()) };
        prop_assert_ne!(decode(&RequestBytes { body, ..frozen }, &wire), Ok(draft));
    }

    #[test]
    fn bytes_that_are_cut_or_grown_are_no_draft(draft in draft(), at in any::<prop::sample::Index>(), grown in "[ ,{}\"a]{1,3}") {
        let wire = WireNames::default();
        let frozen = encode(&draft, KEY, &wire);
        let at = frozen.body.floor_char_boundary(at.index(frozen.body.len()));
        let cut = RequestBytes { body: frozen.body[..at].to_owned(), ..frozen.clone() };
        prop_assert!(decode(&cut, &wire).is_err());
        let longer = format!("{}{grown}{}", &frozen.body[..at], &frozen.body[at..]);
        prop_assert_ne!(decode(&RequestBytes { body: longer, ..frozen }, &wire), Ok(draft));
    }
}

fn payment_request() -> RequestBytes {
    let draft = Draft::Withdraw(Withdrawal {
        wallet: WalletId::from_text("w-1"),
        blockchain: "ethereum".into(),
        token: "USDC".into(),
        amount: "25.50".into(),
        to: "0x8617E340B3D01FA5F11F306F4090FD50E238070D".into(),
        ref_id: None,
        note: None,
        metadata: Metadata::default(),
    });
    encode(&draft, KEY, &WireNames::default())
}

#[test]
fn what_else_a_request_may_say_is_refused_by_name() {
    let wire = WireNames::default();
    let sound = payment_request();
    let changed = |from: &str, to: &str| RequestBytes { body: sound.body.replace(from, to), ..sound.clone() };
    let key = "6f1c2a9e-2f6f-4c4e-8a39-5cf1f7a5d001";
    for (frozen, error) in [
        (changed("}", r#","queue":true}"#), DecodeError::UnknownMember("queue".into())),
        (changed("}", r#","metadata":{}}"#), DecodeError::Spelling),
        (changed("}", r#","metadata":[]}"#), DecodeError::Value("metadata".into())),
        (changed("}", r#","metadata":{"a":1}}"#), DecodeError::Value("a".into())),
        (changed("}", r#","metadata":{"a":"1","a":"2"}}"#), DecodeError::Value("metadata".into())),
        (changed("}", r#","toAddress":"0x1"}"#), DecodeError::UnknownMember("toAddress".into())),
        (changed("}", r#","amount":"1"}"#), DecodeError::DuplicateMember("amount".into())),
        (changed("}", r#","\u0061mount":"1"}"#), DecodeError::DuplicateMember("amount".into())),
        (changed(r#""25.50""#, "25.50"), DecodeError::Value("amount".into())),
        (changed(r#""25.50""#, "null"), DecodeError::Value("amount".into())),
        (changed("25.50", "25,50"), DecodeError::Amount(AmountError::Comma)),
        (changed("25.50", "025.50"), DecodeError::Amount(AmountError::LeadingZero("25.50".into()))),
        (changed("USDC", r"US\u200bDC"), DecodeError::Value("token".into())),
        (changed("USDC", r"\u0055SDC"), DecodeError::Spelling),
        (changed(":\"USDC\"", ": \"USDC\""), DecodeError::Spelling),
        (changed(r#","token":"USDC""#, ""), DecodeError::Missing("token".into())),
        (changed("withdrawalAddress", "toAddress"), DecodeError::Missing("withdrawalAddress".into())),
        (changed(key, "6f1c2a9e-2f6f-4c4e-8a39-5cf1f7a5d002"), DecodeError::Key),
        (changed(key, &key.to_uppercase()), DecodeError::Key),
        (RequestBytes { body: "[]".into(), ..sound.clone() }, DecodeError::NotAnObject),
        (RequestBytes { key: None, ..sound.clone() }, DecodeError::Key),
        (
            RequestBytes { method: "PUT".into(), ..sound.clone() },
            DecodeError::Route("PUT /v2/transactions/withdraw".into()),
        ),
        (RequestBytes { path: "/v2/users".into(), ..sound.clone() }, DecodeError::Route("POST /v2/users".into())),
    ] {
        assert_eq!(decode(&frozen, &wire), Err(error), "{frozen:?}");
    }
    assert!(decode(&sound, &wire).is_ok());
}

#[test]
fn a_profile_that_gives_the_recipient_the_name_of_another_member_cannot_pay() {
    let wire = WireNames { withdrawal_address: "note".into(), ..WireNames::default() };
    let draft = decode(&payment_request(), &WireNames::default()).unwrap();
    let Draft::Withdraw(withdrawal) = draft else { panic!("{draft:?}") };
    let noted = Draft::Withdraw(Withdrawal { note: Some("n".into()), ..withdrawal });
    assert_eq!(decode(&encode(&noted, KEY, &wire), &wire), Err(DecodeError::DuplicateMember("note".into())));
}

#[test]
fn a_batch_says_its_recipients_in_order_and_keeps_labels_to_itself() {
    let wire = WireNames::default();
    let to = |address: &str, amount: &str| Recipient {
        address: address.into(),
        amount: amount.into(),
        label: Some("Ada".into()),
        reference: None,
        line: Some(7),
    };
    let draft = Draft::Batch(Batch {
        wallet: WalletId::from_text("w-1"),
        blockchain: "base".into(),
        token: "USDC".into(),
        to: vec![to("0x8617E340B3D01FA5F11F306F4090FD50E238070D", "12.5"), to("0x2", "1")],
        ref_id: Some("B1".into()),
        note: None,
        file: Some(crate::domain::draft::BatchFile { name: "pay.csv".into(), sha256: "ab".into() }),
        metadata: Metadata::default(),
        queue: None,
    });
    let sound = encode(&draft, KEY, &wire);
    assert_eq!(
        sound.body,
        r#"{"idempotencyKey":"6f1c2a9e-2f6f-4c4e-8a39-5cf1f7a5d001","walletId":"w-1","token":"USDC","blockchain":"base","to":[{"address":"0x8617E340B3D01FA5F11F306F4090FD50E238070D","amount":"12.5"},{"address":"0x2","amount":"1"}],"refId":"B1"}"#
    );
    assert_eq!(decode(&sound, &wire), Ok(draft.without_unsent_fields()));
    let changed = |from: &str, to: &str| RequestBytes { body: sound.body.replace(from, to), ..sound.clone() };
    for (frozen, error) in [
        (changed(r#""amount":"1"}"#, r#""amount":"1","memo":"7"}"#), DecodeError::UnknownMember("memo".into())),
        (changed(r#""amount":"1"}"#, r#""amount":"1","amount":"2"}"#), DecodeError::DuplicateMember("amount".into())),
        (changed(r#","amount":"1"}"#, "}"), DecodeError::Missing("amount".into())),
        (changed(r#""amount":"1"}"#, r#""amount":1}"#), DecodeError::Value("amount".into())),
        (changed(r#""to":["#, r#""to": ["#), DecodeError::Spelling),
        (changed(r#"{"address":"0x2","amount":"1"}"#, "7"), DecodeError::NotAnObject),
        (
            changed(
                r#"[{"address":"0x8617E340B3D01FA5F11F306F4090FD50E238070D","amount":"12.5"},{"address":"0x2","amount":"1"}]"#,
                "{}",
            ),
            DecodeError::Value("to".into()),
        ),
        (changed(r#","refId""#, r#","queue":true,"refId""#), DecodeError::Spelling),
    ] {
        assert_ne!(frozen.body, sound.body);
        assert_eq!(decode(&frozen, &wire), Err(error), "{frozen:?}");
    }
}

#[test]
fn a_payment_by_version_1_says_the_reference_by_which_it_is_looked_for_and_no_note() {
    let wire = WireNames::default();
    let Draft::Withdraw(withdrawal) = decode(&payment_request(), &wire).unwrap() else { panic!("no withdrawal") };
    let by_v1 = |withdrawal: Withdrawal| Draft::Payment(V1Payment { withdrawal, fee: None, memo: None });
    let nameless = encode(&by_v1(withdrawal.clone()), KEY, &wire);
    assert_eq!(decode(&nameless, &wire), Err(DecodeError::Missing("clientTxId".into())));
    let noted = by_v1(Withdrawal { ref_id: Some("r".into()), note: Some("n".into()), ..withdrawal });
    assert_ne!(decode(&encode(&noted, KEY, &wire), &wire), Ok(noted));
}

#[test]
fn assumed_names_are_told() {
    let wire = WireNames { withdrawal_address: "toAddress".into(), ..WireNames::default() };
    assert_eq!(assumed_names(Operation::Withdraw, &wire), ["toAddress"]);
    assert_eq!(assumed_names(Operation::UpdateUser, &wire), ["userId"]);
    assert_eq!(
        assumed_names(Operation::Swap, &wire),
        ["idempotencyKey", "walletId", "blockchain", "fromCoin", "fromAmount", "toCoin", "refId", "note"]
    );
    assert_eq!(assumed_names(Operation::InstantSwap, &wire), ["walletId", "fromCoin", "fromAmount", "toCoin", "extId"]);
    let operations = [Operation::Withdraw, Operation::UpdateUser, Operation::Swap, Operation::InstantSwap];
    for operation in Operation::ALL.into_iter().filter(|operation| !operations.contains(operation)) {
        assert!(assumed_names(operation, &wire).is_empty(), "{operation:?}");
    }
}

#[test]
fn a_profile_that_gives_two_parts_of_a_swap_one_name_cannot_swap() {
    let swap = Draft::Swap(Swap {
        wallet: WalletId::from_text("w-1"),
        blockchain: "base".into(),
        from: "USDC".into(),
        amount: "25".into(),
        to: "ETH".into(),
        ref_id: None,
        note: None,
    });
    let wire = WireNames { swap_to_coin: "fromCoin".into(), ..WireNames::default() };
    assert_eq!(decode(&encode(&swap, KEY, &wire), &wire), Err(DecodeError::DuplicateMember("fromCoin".into())));
    let wire = WireNames { swap_key: "requestId".into(), ..WireNames::default() };
    let frozen = encode(&swap, KEY, &wire);
    assert!(frozen.body.starts_with(&format!("{{\"requestId\":\"{KEY}\"")), "{}", frozen.body);
    assert_eq!(decode(&frozen, &wire), Ok(swap));
    assert_eq!(decode(&frozen, &WireNames::default()), Err(DecodeError::Missing("idempotencyKey".into())));
}
