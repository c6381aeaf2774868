//! The values of a draft, name by name, for the review and for the order's details.

use crate::app::model::Model;
use crate::domain::chain::chain_display_name;
use crate::domain::draft::{Draft, DraftField, FieldKind, NewUser, Operation};
use crate::domain::history::Scope;
use crate::domain::{AccountId, Text, UserId, WalletId, address};

/// A name and its value; `None` where the draft omits it.
type LabelledValue = (&'static str, Option<String>);

/// The values of a draft; empty for a payment or batch, which have lines of their own.
pub fn draft_values(model: &Model, draft: &Draft) -> Vec<LabelledValue> {
    if draft.payment_details().is_some() {
        return Vec::new();
    }
    let mut values = Vec::new();
    if matches!(draft, Draft::CreateSandboxAddress(_)) {
        values.push(("Wallet", Some("the Prime Wallet of the sandbox".into())));
    }
    let fields = draft.fields();
    let token = fields.iter().find(|field| field.kind == FieldKind::Token).and_then(|field| field.value.as_deref());
    let has_amount = fields.iter().any(|field| field.kind == FieldKind::Amount);
    // The token stands beside the amount.
    let value_fields = fields.iter().filter(|field| !(has_amount && field.kind == FieldKind::Token));
    values.extend(value_fields.map(|DraftField { kind, value }| {
        let text = value.as_deref().map(|value| value_text(model, *kind, value, token));
        (field_label(*kind, draft.operation()), text)
    }));
    values.extend(no_money_text(draft.operation()).map(|text| ("Money", Some(text.into()))));
    values
}

fn field_label(kind: FieldKind, operation: Operation) -> &'static str {
    match kind {
        FieldKind::Account => "Account",
        FieldKind::AccountName | FieldKind::UserName | FieldKind::WalletName => "Name",
        FieldKind::Amount if operation.is_swap() => "Sell",
        FieldKind::Amount => "Amount",
        FieldKind::AutoSweep => "Auto-sweep",
        FieldKind::BatchFile => "File",
        FieldKind::Blockchain => "Chain",
        FieldKind::BoughtToken => "Buy",
        FieldKind::CanTrade => "Trading",
        FieldKind::Email => "Email",
        FieldKind::IsActive => "In use",
        FieldKind::MaximumFee => "Maximum fee",
        FieldKind::Memo => "Memo",
        FieldKind::Metadata => "Metadata",
        FieldKind::Note => "Note",
        FieldKind::Owner => "Owner",
        FieldKind::Queue => "Queue",
        FieldKind::Recipient => "To",
        FieldKind::Recipients => "Recipients",
        FieldKind::Reference => "Reference",
        FieldKind::SubWallet => "Sub-wallet",
        FieldKind::Token => "Coin",
        FieldKind::User => "User",
        FieldKind::Wallet => "Wallet",
    }
}

/// A value with the name of what it identifies.
fn value_text(model: &Model, kind: FieldKind, value: &str, token: Option<&str>) -> String {
    let is_on = value == "true";
    match kind {
        FieldKind::Account => {
            format!("{} · {value}", model.scope_name(&Scope::Account(AccountId::from_text(value))))
        }
        FieldKind::Wallet => format!("{} · {value}", wallet_name(model, &WalletId::from_text(value))),
        FieldKind::SubWallet | FieldKind::User => format!("{} · {value}", user_name(model, &UserId::from_text(value))),
        FieldKind::Amount => format!("{value} {}", token.unwrap_or_default()),
        FieldKind::Blockchain => format!("{} ({value})", chain_display_name(value)),
        FieldKind::Recipient => address::format_grouped(value),
        FieldKind::IsActive if !is_on => "no: the wallet can no longer pay".into(),
        FieldKind::AutoSweep | FieldKind::CanTrade | FieldKind::IsActive => (if is_on { "yes" } else { "no" }).into(),
        FieldKind::AccountName
        | FieldKind::BatchFile
        | FieldKind::BoughtToken
        | FieldKind::Email
        | FieldKind::MaximumFee
        | FieldKind::Memo
        | FieldKind::Metadata
        | FieldKind::Note
        | FieldKind::Owner
        | FieldKind::Queue
        | FieldKind::Recipients
        | FieldKind::Reference
        | FieldKind::Token
        | FieldKind::UserName
        | FieldKind::WalletName => value.to_owned(),
    }
}

/// That a simulated operation moves no money.
fn no_money_text(operation: Operation) -> Option<&'static str> {
    let text = if operation == Operation::SimulateDeposit {
        "none: the test service only records it, with no blockchain behind it"
    } else {
        "none: this is a sandbox address, with no blockchain behind it"
    };
    operation.is_sandbox_only().then_some(text)
}

/// The best available name of a new or changed user.
pub fn new_user_name(user: &NewUser) -> Option<&Text> {
    user.display_name.as_ref().or(user.email.as_ref()).or(user.ref_id.as_ref())
}

pub fn wallet_name(model: &Model, id: &WalletId) -> String {
    model.scope_name(&Scope::Wallet(id.clone()))
}

pub fn user_name(model: &Model, id: &UserId) -> String {
    model.scope_name(&Scope::User(id.clone()))
}
