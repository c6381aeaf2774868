//! Requests that change state, as bytes: encoded once from a draft, and decoded for the operator to confirm.
//!
//! The operator confirms the content of these bytes, so they are decoded by other code than encoded them, and strictly:
//! unexpected members, repeated members, and any other spelling are refused.

use serde_json::value::RawValue;
use uuid::Uuid;

use super::WireNames;
use super::fields::Fields;
use crate::domain::draft::{
    Draft, Metadata, NewAccount, NewAddress, NewSandboxAddress, NewSubWallet, NewUser, NewWallet, Operation,
    SimulatedDeposit, UserChange, V1Payment, WalletChange, Withdrawal,
};
use crate::domain::order::RequestBytes;
use crate::domain::{AccountId, Amount, AmountError, Text, UserId, WalletId};

mod batch;
mod metadata;
mod swap;
#[cfg(test)]
mod tests;

/// Fixed values of a simulated deposit: it comes from outside, and is settled at once.
const ON_CHAIN: &str = "on_chain";
const SETTLED_STATUS: &str = "success";

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    #[error("{0} is not the method and path of this operation")]
    Route(Text),
    #[error("the request is not a JSON object")]
    NotAnObject,
    #[error("the request lacks {0}")]
    Missing(Text),
    #[error("the request contains {0} twice")]
    DuplicateMember(Text),
    #[error("the request contains {0}, which this operation does not have")]
    UnknownMember(Text),
    /// A member has another type, or a value that cannot be shown.
    #[error("the request's {0} cannot be shown as it is")]
    Value(Text),
    #[error("the request's amount cannot be read: {0}")]
    Amount(#[from] AmountError),
    /// The idempotency key is not the one that is recorded beside the bytes.
    #[error("the request carries a different idempotency key from the one recorded for it")]
    Key,
    /// The bytes differ from those that this draft encodes to.
    #[error("the request is not written the way this console writes it")]
    Spelling,
}

/// Encodes the request: the only bytes that are ever sent for this draft under this key.
///
/// Members are in the order of the specification's table, absent ones are left out, and no undocumented name is used
/// except those of `wire`. Where an operation has no idempotency key, `key` is not used.
pub fn encode(draft: &Draft, key: Uuid, wire: &WireNames) -> RequestBytes {
    let operation = draft.operation();
    let key = operation.has_key().then_some(key);
    let mut body = BodyWriter::new();
    body.text(key_name(operation, wire), key.map(|key| key.to_string()).as_deref());
    match draft {
        Draft::Withdraw(withdrawal) => {
            body.text("walletId", Some(withdrawal.wallet.as_str()));
            body.text("amount", Some(&withdrawal.amount));
            body.text(&wire.withdrawal_address, Some(&withdrawal.to));
            body.text("token", Some(&withdrawal.token));
            body.text("blockchain", Some(&withdrawal.blockchain));
            body.text("refId", withdrawal.ref_id.as_deref());
            body.text("note", withdrawal.note.as_deref());
            body.metadata(&withdrawal.metadata);
        }
        Draft::CreateUser(user) => body.user(user),
        Draft::CreateAccount(account) => body.text("name", Some(&account.name)),
        Draft::CreateWallet(wallet) => {
            body.text("accountId", Some(wallet.account.as_str()));
            body.text("blockchain", Some(&wallet.blockchain));
            body.text("name", wallet.name.as_deref());
            body.text("refId", wallet.ref_id.as_deref());
            body.text("userId", wallet.user.as_ref().map(UserId::as_str));
            body.flag("autoSweep", Some(wallet.auto_sweep));
        }
        Draft::UpdateWallet(change) => {
            body.text("walletId", Some(change.wallet.as_str()));
            body.text("userId", change.user.as_ref().map(UserId::as_str));
            body.text("name", change.name.as_deref());
            body.flag("isActive", change.is_active);
            body.flag("autoSweep", change.auto_sweep);
        }
        Draft::UpdateUser(change) => {
            body.text("userId", Some(change.user.as_str()));
            body.user(&change.to);
        }
        Draft::CreateSubWallet(new) => {
            body.text("email", new.user.email.as_deref());
            body.text("name", new.user.display_name.as_deref());
            body.text("clientUserId", new.user.ref_id.as_deref());
            body.flag("canTrade", Some(new.can_trade));
        }
        Draft::CreateAddress(new) => {
            body.text("subWalletId", Some(new.sub_wallet.as_str()));
            body.text("coin", Some(&new.coin));
            body.text("chain", Some(&new.chain));
        }
        Draft::SimulateDeposit(deposit) => {
            body.text("destination", Some(ON_CHAIN));
            body.text("coin", Some(&deposit.token));
            body.text("amount", Some(&deposit.amount));
            body.text("chain", Some(&deposit.blockchain));
            body.text("status", Some(SETTLED_STATUS));
            body.text("fromAddress", Some(&deposit.to));
            body.text("toAddress", Some(&deposit.to));
        }
        Draft::Batch(batch) => body.batch(batch),
        Draft::Swap(swap) => body.swap(swap, wire),
        Draft::InstantSwap(swap) => body.instant_swap(swap, wire),
        Draft::Payment(V1Payment { withdrawal: paid, fee, memo }) => {
            body.text("subWalletId", Some(paid.wallet.as_str()));
            body.text("coin", Some(&paid.token));
            body.text("chain", Some(&paid.blockchain));
            body.text("withdrawalAddress", Some(&paid.to));
            body.text("amount", Some(&paid.amount));
            body.text("clientTxId", paid.ref_id.as_deref());
            body.text("fee", fee.as_deref());
            body.text("memo", memo.as_deref());
        }
        Draft::CreateSandboxAddress(new) => {
            body.text("coin", Some(&new.coin));
            body.text("chain", Some(&new.chain));
        }
    }
    let (method, path) = operation.route();
    RequestBytes { operation, method: method.into(), path: path.into(), body: body.finish(), key }
}

/// Decodes the request into a draft ([`Draft::as_requested`]). Bytes that differ in anything but their idempotency key
/// never decode to the same draft.
pub fn decode(frozen: &RequestBytes, wire: &WireNames) -> Result<Draft, DecodeError> {
    if (frozen.method.as_str(), frozen.path.as_str()) != frozen.operation.route() {
        return Err(DecodeError::Route(Text::clean(&format!("{} {}", frozen.method, frozen.path))));
    }
    let mut members = MemberReader::parse(&frozen.body)?;
    let key_name = key_name(frozen.operation, wire);
    let key = if frozen.operation.has_key() { Some(members.required(key_name)?) } else { None };
    let draft = match frozen.operation {
        Operation::Withdraw => Draft::Withdraw(Withdrawal {
            wallet: WalletId::read(&members.required("walletId")?),
            blockchain: members.required("blockchain")?,
            token: members.required("token")?,
            amount: members.amount("amount")?,
            to: members.required(&wire.withdrawal_address)?,
            ref_id: members.text("refId")?,
            note: members.text("note")?,
            metadata: members.metadata()?,
        }),
        Operation::CreateUser => Draft::CreateUser(members.user()?),
        Operation::CreateAccount => Draft::CreateAccount(NewAccount { name: members.required("name")? }),
        Operation::CreateWallet => Draft::CreateWallet(NewWallet {
            account: AccountId::read(&members.required("accountId")?),
            blockchain: members.required("blockchain")?,
            name: members.text("name")?,
            ref_id: members.text("refId")?,
            user: members.text("userId")?.map(|id| UserId::read(&id)),
            auto_sweep: members.flag("autoSweep")?.ok_or_else(|| DecodeError::Missing("autoSweep".into()))?,
        }),
        Operation::UpdateWallet => Draft::UpdateWallet(WalletChange {
            wallet: WalletId::read(&members.required("walletId")?),
            user: members.text("userId")?.map(|id| UserId::read(&id)),
            name: members.text("name")?,
            is_active: members.flag("isActive")?,
            auto_sweep: members.flag("autoSweep")?,
        }),
        Operation::UpdateUser => {
            let user = UserId::read(&members.required("userId")?);
            Draft::UpdateUser(UserChange { user, to: members.user()? })
        }
        Operation::CreateSubWallet => Draft::CreateSubWallet(NewSubWallet {
            user: NewUser {
                email: members.text("email")?,
                display_name: members.text("name")?,
                ref_id: members.text("clientUserId")?,
            },
            can_trade: members.flag("canTrade")?.ok_or_else(|| DecodeError::Missing("canTrade".into()))?,
        }),
        Operation::CreateAddress => Draft::CreateAddress(NewAddress {
            sub_wallet: UserId::read(&members.required("subWalletId")?),
            coin: members.required("coin")?,
            chain: members.required("chain")?,
        }),
        Operation::SimulateDeposit => {
            // The comparison below checks their values: they are constant, and the sender is the recipient.
            for name in ["destination", "status", "fromAddress"] {
                members.required(name)?;
            }
            Draft::SimulateDeposit(SimulatedDeposit {
                token: members.required("coin")?,
                blockchain: members.required("chain")?,
                amount: members.amount("amount")?,
                to: members.required("toAddress")?,
            })
        }
        Operation::Batch => Draft::Batch(members.batch()?),
        Operation::Swap => Draft::Swap(members.swap(wire)?),
        Operation::InstantSwap => Draft::InstantSwap(members.instant_swap(wire)?),
        Operation::Payment => Draft::Payment(V1Payment {
            withdrawal: Withdrawal {
                wallet: WalletId::read(&members.required("subWalletId")?),
                token: members.required("coin")?,
                blockchain: members.required("chain")?,
                to: members.required("withdrawalAddress")?,
                amount: members.amount("amount")?,
                // Without a reference the payment could not be looked up.
                ref_id: Some(members.required("clientTxId")?),
                note: None,
                metadata: Metadata::default(),
            },
            fee: members.optional_amount("fee")?,
            memo: members.text("memo")?,
        }),
        Operation::CreateSandboxAddress => Draft::CreateSandboxAddress(NewSandboxAddress {
            coin: members.required("coin")?,
            chain: members.required("chain")?,
        }),
    };
    members.expect_no_more()?;
    if key.as_deref() != frozen.key.map(|key| key.to_string()).as_deref() {
        return Err(DecodeError::Key);
    }
    // The comparison checks the spelling: blanks, escapes, the order of members.
    let spelled = encode(&draft, frozen.key.unwrap_or_default(), wire);
    if spelled == *frozen { Ok(draft) } else { Err(DecodeError::Spelling) }
}

/// A request as another console serialised it; `None` where its path is not one of an operation. Its content is for
/// [`decode`] to judge.
pub fn request_from_text(method: &str, path: &str, body: &str, wire: &WireNames) -> Option<RequestBytes> {
    let operation = Operation::ALL.into_iter().find(|operation| operation.route() == (method, path))?;
    let members: serde_json::Value = serde_json::from_str(body).ok()?;
    let key = members.get(key_name(operation, wire)).and_then(serde_json::Value::as_str);
    let key = key.filter(|_| operation.has_key()).and_then(|key| Uuid::parse_str(key).ok());
    Some(RequestBytes { operation, method: method.to_owned(), path: path.to_owned(), body: body.to_owned(), key })
}

/// The names in an operation's request that are assumptions, for the review to mark.
pub fn assumed_names(operation: Operation, wire: &WireNames) -> Vec<&str> {
    match operation {
        Operation::Withdraw => vec![&wire.withdrawal_address],
        // The specification states that a user can be changed, but not how.
        Operation::UpdateUser => vec!["userId"],
        Operation::CreateUser
        | Operation::CreateAccount
        | Operation::CreateWallet
        | Operation::UpdateWallet
        | Operation::CreateSubWallet
        | Operation::CreateAddress
        | Operation::SimulateDeposit
        | Operation::Batch
        | Operation::Payment
        | Operation::CreateSandboxAddress => Vec::new(),
        Operation::Swap => swap::swap_wire_names(wire),
        Operation::InstantSwap => swap::instant_swap_wire_names(wire),
    }
}

fn key_name(operation: Operation, wire: &WireNames) -> &str {
    if operation == Operation::Swap { &wire.swap_key } else { "idempotencyKey" }
}

struct BodyWriter(String);

impl BodyWriter {
    fn new() -> Self {
        Self("{".into())
    }

    fn text(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.write_member(name, &serde_json::Value::from(text).to_string());
        }
    }

    fn flag(&mut self, name: &str, flag: Option<bool>) {
        if let Some(flag) = flag {
            self.write_member(name, if flag { "true" } else { "false" });
        }
    }

    fn user(&mut self, user: &NewUser) {
        self.text("email", user.email.as_deref());
        self.text("displayName", user.display_name.as_deref());
        self.text("refId", user.ref_id.as_deref());
    }

    fn write_member(&mut self, name: &str, json: &str) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push_str(&serde_json::Value::from(name).to_string());
        self.0.push(':');
        self.0.push_str(json);
    }

    fn finish(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

/// The members of a request that were not read yet.
struct MemberReader<'a>(Vec<(String, &'a RawValue)>);

impl<'a> MemberReader<'a> {
    fn parse(body: &'a str) -> Result<Self, DecodeError> {
        let whole: &RawValue = serde_json::from_str(body).map_err(|_no_json| DecodeError::NotAnObject)?;
        let members = Fields::from_raw(whole).ok_or(DecodeError::NotAnObject)?.members();
        let mut seen: Vec<(String, &RawValue)> = Vec::with_capacity(members.len());
        for (name, value) in members {
            if seen.iter().any(|(earlier, _)| *earlier == name) {
                return Err(DecodeError::DuplicateMember(Text::clean(&name)));
            }
            seen.push((name, value));
        }
        Ok(Self(seen))
    }

    fn take_member(&mut self, name: &str) -> Option<&'a RawValue> {
        let at = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(at).1)
    }

    fn text(&mut self, name: &str) -> Result<Option<Text>, DecodeError> {
        let Some(raw) = self.take_member(name) else { return Ok(None) };
        let text: Option<String> = serde_json::from_str(raw.get()).ok();
        // A text whose display differs from its bytes cannot be confirmed by anybody.
        let shown = text.map(|text| (Text::clean(&text), text)).filter(|(shown, text)| shown.as_str() == text);
        shown.map(|(shown, _)| Some(shown)).ok_or_else(|| DecodeError::Value(Text::clean(name)))
    }

    fn required(&mut self, name: &str) -> Result<Text, DecodeError> {
        self.text(name)?.ok_or_else(|| DecodeError::Missing(Text::clean(name)))
    }

    /// An amount in the operator's grammar, with the fraction digits that it shows.
    fn amount(&mut self, name: &str) -> Result<Text, DecodeError> {
        self.optional_amount(name)?.ok_or_else(|| DecodeError::Missing(Text::clean(name)))
    }

    fn optional_amount(&mut self, name: &str) -> Result<Option<Text>, DecodeError> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        Amount::parse_as_written(&text, Amount::MAX_DECIMALS)?;
        Ok(Some(text))
    }

    fn flag(&mut self, name: &str) -> Result<Option<bool>, DecodeError> {
        let Some(raw) = self.take_member(name) else { return Ok(None) };
        let flag = serde_json::from_str(raw.get());
        flag.map(Some).map_err(|_no_flag| DecodeError::Value(Text::clean(name)))
    }

    fn user(&mut self) -> Result<NewUser, DecodeError> {
        Ok(NewUser { email: self.text("email")?, display_name: self.text("displayName")?, ref_id: self.text("refId")? })
    }

    fn expect_no_more(self) -> Result<(), DecodeError> {
        match self.0.first() {
            Some((name, _)) => Err(DecodeError::UnknownMember(Text::clean(name))),
            None => Ok(()),
        }
    }
}
