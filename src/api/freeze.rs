//! Requests that change state, as bytes: made once from a draft, and read back for the operator to confirm.
//!
//! What is confirmed is what these bytes say, so they are read by other code than wrote them, and strictly: members
//! that nobody asked for, that stand twice, or that another spelling would have written are refused.

use serde_json::value::RawValue;
use uuid::Uuid;

use super::WireNames;
use super::fields::Fields;
use crate::domain::draft::{Draft, NewAccount, NewUser, NewWallet, Operation, SimulatedDeposit, Withdrawal};
use crate::domain::intent::Frozen;
use crate::domain::{AccountId, Amount, AmountError, Text, UserId, WalletId};

#[cfg(test)]
mod tests;

/// Where a deposit is simulated: the one operation of version 1 that is asked for.
pub(super) const SIMULATE_DEPOSIT: &str = "/v1/sandbox/sub-wallet/deposit";
/// A simulated deposit comes from outside, and is there at once.
const ON_CHAIN: &str = "on_chain";
const THERE_AT_ONCE: &str = "success";

/// Why the bytes of a request cannot be shown as what they ask for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// Another method or path than that of its operation.
    #[error("{0} is not how this operation is asked for")]
    Route(Text),
    /// No JSON object.
    #[error("the request is no JSON object")]
    Form,
    /// A member is missing.
    #[error("the request lacks {0}")]
    Missing(Text),
    /// A member stands there twice.
    #[error("the request says {0} twice")]
    Twice(Text),
    /// A member that the operation does not have.
    #[error("the request says {0}, which this operation does not have")]
    Foreign(Text),
    /// A member is of another type, or holds what cannot be shown.
    #[error("the request's {0} cannot be shown as it stands")]
    Value(Text),
    /// The amount is none.
    #[error("the request's amount cannot be read: {0}")]
    Amount(#[from] AmountError),
    /// The idempotency key is not the one that is kept beside the bytes.
    #[error("the request carries another idempotency key than the one noted for it")]
    Key,
    /// Other bytes than those that this draft makes.
    #[error("the request is not spelled as this console spells it")]
    Spelling,
}

/// Makes the request: the only bytes that are ever sent for this draft under this key.
///
/// Members stand in the order of the specification's table, absent ones are left out, and nothing undocumented is said
/// but what `wire` names. A user has no idempotency key, so that `key` goes unused there.
pub fn freeze(draft: &Draft, key: Uuid, wire: &WireNames) -> Frozen {
    let operation = draft.operation();
    let key = operation.is_keyed().then_some(key);
    let mut body = Body::new();
    body.text("idempotencyKey", key.map(|key| key.to_string()).as_deref());
    match draft {
        Draft::Withdraw(withdrawal) => {
            body.text("walletId", Some(withdrawal.wallet.as_str()));
            body.text("amount", Some(&withdrawal.amount));
            body.text(&wire.withdrawal_address, Some(&withdrawal.to));
            body.text("token", Some(&withdrawal.token));
            body.text("blockchain", Some(&withdrawal.blockchain));
            body.text("refId", withdrawal.ref_id.as_deref());
            body.text("note", withdrawal.note.as_deref());
        }
        Draft::CreateUser(user) => {
            body.text("email", user.email.as_deref());
            body.text("displayName", user.display_name.as_deref());
            body.text("refId", user.ref_id.as_deref());
        }
        Draft::CreateAccount(account) => body.text("name", Some(&account.name)),
        Draft::CreateWallet(wallet) => {
            body.text("accountId", Some(wallet.account.as_str()));
            body.text("blockchain", Some(&wallet.blockchain));
            body.text("name", wallet.name.as_deref());
            body.text("refId", wallet.ref_id.as_deref());
            body.text("userId", wallet.user.as_ref().map(UserId::as_str));
            body.member("autoSweep", if wallet.auto_sweep { "true" } else { "false" });
        }
        Draft::SimulateDeposit(deposit) => {
            body.text("destination", Some(ON_CHAIN));
            body.text("coin", Some(&deposit.token));
            body.text("amount", Some(&deposit.amount));
            body.text("chain", Some(&deposit.blockchain));
            body.text("status", Some(THERE_AT_ONCE));
            body.text("fromAddress", Some(&deposit.to));
            body.text("toAddress", Some(&deposit.to));
        }
    }
    let (method, path) = route(operation);
    Frozen { operation, method: method.into(), path: path.into(), body: body.end(), key }
}

/// Reads what the bytes ask for. Bytes that differ in anything but their idempotency key never read as the same draft.
pub fn read_back(frozen: &Frozen, wire: &WireNames) -> Result<Draft, Unreadable> {
    if (frozen.method.as_str(), frozen.path.as_str()) != route(frozen.operation) {
        return Err(Unreadable::Route(Text::clean(&format!("{} {}", frozen.method, frozen.path))));
    }
    let mut members = Members::of(&frozen.body)?;
    let key = if frozen.operation.is_keyed() { Some(members.required("idempotencyKey")?) } else { None };
    let draft = match frozen.operation {
        Operation::Withdraw => Draft::Withdraw(Withdrawal {
            wallet: WalletId::read(&members.required("walletId")?),
            blockchain: members.required("blockchain")?,
            token: members.required("token")?,
            amount: members.amount("amount")?,
            to: members.required(&wire.withdrawal_address)?,
            ref_id: members.text("refId")?,
            note: members.text("note")?,
        }),
        Operation::CreateUser => Draft::CreateUser(NewUser {
            email: members.text("email")?,
            display_name: members.text("displayName")?,
            ref_id: members.text("refId")?,
        }),
        Operation::CreateAccount => Draft::CreateAccount(NewAccount { name: members.required("name")? }),
        Operation::CreateWallet => Draft::CreateWallet(NewWallet {
            account: AccountId::read(&members.required("accountId")?),
            blockchain: members.required("blockchain")?,
            name: members.text("name")?,
            ref_id: members.text("refId")?,
            user: members.text("userId")?.map(|id| UserId::read(&id)),
            auto_sweep: members.flag("autoSweep")?,
        }),
        Operation::SimulateDeposit => {
            // What these say is settled by the spelling: it is always the same, and the sender is the recipient.
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
    };
    members.end()?;
    if key.as_deref() != frozen.key.map(|key| key.to_string()).as_deref() {
        return Err(Unreadable::Key);
    }
    // What is left are spellings: blanks, escapes, the order of members.
    let spelled = freeze(&draft, frozen.key.unwrap_or_default(), wire);
    if spelled == *frozen { Ok(draft) } else { Err(Unreadable::Spelling) }
}

/// The names in an operation's request that are assumptions, for the review to mark.
pub fn assumed(operation: Operation, wire: &WireNames) -> Vec<&str> {
    match operation {
        Operation::Withdraw => vec![&wire.withdrawal_address],
        Operation::CreateUser | Operation::CreateAccount | Operation::CreateWallet | Operation::SimulateDeposit => {
            Vec::new()
        }
    }
}

/// How an operation is asked for: method and path.
fn route(operation: Operation) -> (&'static str, &'static str) {
    match operation {
        Operation::Withdraw => ("POST", "/v2/transactions/withdraw"),
        Operation::CreateUser => ("POST", "/v2/users"),
        Operation::CreateAccount => ("POST", "/v2/accounts"),
        Operation::CreateWallet => ("POST", "/v2/wallets"),
        Operation::SimulateDeposit => ("POST", SIMULATE_DEPOSIT),
    }
}

/// A JSON object, written member by member.
struct Body(String);

impl Body {
    fn new() -> Self {
        Self("{".into())
    }

    fn text(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.member(name, &serde_json::Value::from(text).to_string());
        }
    }

    fn member(&mut self, name: &str, json: &str) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push_str(&serde_json::Value::from(name).to_string());
        self.0.push(':');
        self.0.push_str(json);
    }

    fn end(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

/// The members of a request that were not asked for yet.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Members<'a> {
    fn of(body: &'a str) -> Result<Self, Unreadable> {
        let whole: &RawValue = serde_json::from_str(body).map_err(|_no_json| Unreadable::Form)?;
        let members = Fields::of(whole).ok_or(Unreadable::Form)?.members();
        let mut seen: Vec<(String, &RawValue)> = Vec::with_capacity(members.len());
        for (name, value) in members {
            if seen.iter().any(|(earlier, _)| *earlier == name) {
                return Err(Unreadable::Twice(Text::clean(&name)));
            }
            seen.push((name, value));
        }
        Ok(Self(seen))
    }

    fn take(&mut self, name: &str) -> Option<&'a RawValue> {
        let at = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(at).1)
    }

    fn text(&mut self, name: &str) -> Result<Option<Text>, Unreadable> {
        let Some(raw) = self.take(name) else { return Ok(None) };
        let text: Option<String> = serde_json::from_str(raw.get()).ok();
        // A text that would be shown otherwise than it stands is not one that anybody can confirm.
        let shown = text.map(|text| (Text::clean(&text), text)).filter(|(shown, text)| shown.as_str() == text);
        shown.map(|(shown, _)| Some(shown)).ok_or_else(|| Unreadable::Value(Text::clean(name)))
    }

    fn required(&mut self, name: &str) -> Result<Text, Unreadable> {
        self.text(name)?.ok_or_else(|| Unreadable::Missing(Text::clean(name)))
    }

    /// An amount in the operator's grammar, with as many fraction digits as it shows.
    fn amount(&mut self, name: &str) -> Result<Text, Unreadable> {
        let text = self.required(name)?;
        let digits = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        Amount::parse(&text, u8::try_from(digits).unwrap_or(u8::MAX))?;
        Ok(text)
    }

    fn flag(&mut self, name: &str) -> Result<bool, Unreadable> {
        let raw = self.take(name).ok_or_else(|| Unreadable::Missing(Text::clean(name)))?;
        serde_json::from_str(raw.get()).map_err(|_no_flag| Unreadable::Value(Text::clean(name)))
    }

    fn end(self) -> Result<(), Unreadable> {
        match self.0.first() {
            Some((name, _)) => Err(Unreadable::Foreign(Text::clean(name))),
            None => Ok(()),
        }
    }
}
