//! The members of each request, in the order of the specification's tables: the only place that spells them.

use crate::api::WireNames;
use crate::domain::draft::Operation;

/// A member of a request's body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member<'a> {
    pub name: &'a str,
    pub content: Content,
    pub is_required: bool,
    /// Whether the specification does not show the name.
    pub is_assumed: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Content {
    /// The idempotency key.
    Key,
    Constant(&'static str),
    /// A field of the draft, by its name in the draft's JSON.
    Field(&'static str, Shape),
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    Text,
    /// A text in the operator's grammar, with the fraction digits that it shows.
    Amount,
    Flag,
    /// An object of texts; left out where it is empty.
    Metadata,
    /// A list of addresses with amounts.
    Recipients,
}

impl<'a> Member<'a> {
    const fn new(name: &'a str, content: Content) -> Self {
        Self { name, content, is_required: true, is_assumed: false }
    }

    const fn text(name: &'a str, field: &'static str) -> Self {
        Self::new(name, Content::Field(field, Shape::Text))
    }

    const fn amount(name: &'a str, field: &'static str) -> Self {
        Self::new(name, Content::Field(field, Shape::Amount))
    }

    const fn flag(name: &'a str, field: &'static str) -> Self {
        Self::new(name, Content::Field(field, Shape::Flag))
    }

    const fn constant(name: &'a str, text: &'static str) -> Self {
        Self::new(name, Content::Constant(text))
    }

    const fn metadata() -> Self {
        Self::new("metadata", Content::Field("metadata", Shape::Metadata)).optional()
    }

    const fn optional(self) -> Self {
        Self { is_required: false, ..self }
    }

    const fn assumed(self) -> Self {
        Self { is_assumed: true, ..self }
    }
}

pub(super) fn key_name(operation: Operation, wire: &WireNames) -> &str {
    if operation == Operation::Swap { &wire.swap_key } else { "idempotencyKey" }
}

pub(super) fn members(operation: Operation, wire: &WireNames) -> Vec<Member<'_>> {
    let (text, amount, flag) = (Member::text, Member::amount, Member::flag);
    let key =
        Member { is_assumed: !operation.has_documented_key(), ..Member::new(key_name(operation, wire), Content::Key) };
    let others = match operation {
        Operation::Withdraw => vec![
            text("walletId", "wallet"),
            amount("amount", "amount"),
            text(&wire.withdrawal_address, "to").assumed(),
            text("token", "token"),
            text("blockchain", "blockchain"),
            text("refId", "ref_id").optional(),
            text("note", "note").optional(),
            Member::metadata(),
        ],
        Operation::CreateUser => user_members().into(),
        Operation::CreateAccount => vec![text("name", "name")],
        Operation::CreateWallet => vec![
            text("accountId", "account"),
            text("blockchain", "blockchain"),
            text("name", "name").optional(),
            text("refId", "ref_id").optional(),
            text("userId", "user").optional(),
            flag("autoSweep", "auto_sweep"),
        ],
        Operation::UpdateWallet => vec![
            text("walletId", "wallet"),
            text("userId", "user").optional(),
            text("name", "name").optional(),
            flag("isActive", "is_active").optional(),
            flag("autoSweep", "auto_sweep").optional(),
        ],
        Operation::UpdateUser => {
            // The specification states that a user can be changed, but not how.
            let mut members = vec![text("userId", "user").assumed()];
            members.extend(user_members());
            members
        }
        Operation::CreateSubWallet => vec![
            text("email", "email").optional(),
            text("name", "display_name").optional(),
            text("clientUserId", "ref_id").optional(),
            flag("canTrade", "can_trade"),
        ],
        Operation::CreateAddress => {
            vec![text("subWalletId", "sub_wallet"), text("coin", "coin"), text("chain", "chain")]
        }
        // It comes from outside, from the recipient itself, and is settled at once.
        Operation::SimulateDeposit => vec![
            Member::constant("destination", "on_chain"),
            text("coin", "token"),
            amount("amount", "amount"),
            text("chain", "blockchain"),
            Member::constant("status", "success"),
            text("fromAddress", "to"),
            text("toAddress", "to"),
        ],
        Operation::Batch => vec![
            text("walletId", "wallet"),
            text("token", "token"),
            text("blockchain", "blockchain"),
            Member::new("to", Content::Field("to", Shape::Recipients)),
            text("refId", "ref_id").optional(),
            text("note", "note").optional(),
            Member::metadata(),
            flag("queue", "queue").optional(),
        ],
        Operation::Swap => vec![
            text(&wire.swap_wallet, "wallet").assumed(),
            text(&wire.swap_blockchain, "blockchain").assumed(),
            text(&wire.swap_from_coin, "from").assumed(),
            amount(&wire.swap_from_amount, "amount").assumed(),
            text(&wire.swap_to_coin, "to").assumed(),
            text(&wire.swap_ref_id, "ref_id").optional().assumed(),
            text(&wire.swap_note, "note").optional().assumed(),
        ],
        Operation::InstantSwap => vec![
            text(&wire.instant_swap_wallet, "sub_wallet").assumed(),
            text(&wire.instant_swap_from_coin, "from").assumed(),
            amount(&wire.instant_swap_from_amount, "amount").assumed(),
            text(&wire.instant_swap_to_coin, "to").assumed(),
            text(&wire.instant_swap_ext_id, "ext_id").optional().assumed(),
        ],
        Operation::Payment => vec![
            text("subWalletId", "sub_wallet"),
            text("coin", "coin"),
            text("chain", "chain"),
            text("withdrawalAddress", "to"),
            amount("amount", "amount"),
            // Without a reference the payment could not be looked up.
            text("clientTxId", "client_tx_id"),
            amount("fee", "fee").optional(),
            text("memo", "memo").optional(),
        ],
        Operation::CreateSandboxAddress => vec![text("coin", "coin"), text("chain", "chain")],
    };
    operation.has_key().then_some(key).into_iter().chain(others).collect()
}

const fn user_members() -> [Member<'static>; 3] {
    [
        Member::text("email", "email").optional(),
        Member::text("displayName", "display_name").optional(),
        Member::text("refId", "ref_id").optional(),
    ]
}
