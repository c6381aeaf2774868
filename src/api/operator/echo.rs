//! Compares what an answer says was done with what the request asked for.

mod swap;

use serde_json::value::RawValue;

use crate::api::WireNames;
use crate::api::fields::Fields;
use crate::api::freeze::read_back;
use crate::domain::Text;
use crate::domain::comparison::{Asked, Recipients, Told, ToldAmount, is_same_chain};
use crate::domain::draft::{Draft, Operation};
use crate::domain::intent::Frozen;

/// Who says what the request did not say.
const ANSWER: &str = "the answer";

/// The idempotency key in an answer, where it is another than that of the request: then the answer is somebody else's,
/// and says nothing of this request.
pub(super) fn other_key(frozen: &Frozen, answer: &Fields<'_>) -> Option<Text> {
    let asked = frozen.key?.to_string();
    answer.text_or_raw("idempotencyKey").filter(|said| !said.trim().eq_ignore_ascii_case(&asked))
}

/// Where the object in an answer says something else than the request. What the answer leaves out is no difference; what
/// stands there and cannot be read is one, in the service's own spelling.
pub(super) fn differences(frozen: &Frozen, answer: &Fields<'_>, wire: &WireNames) -> Vec<Text> {
    let asked: Option<&RawValue> = serde_json::from_str(&frozen.body).ok();
    let Some(asked) = asked.and_then(Fields::of) else { return Vec::new() };
    if frozen.operation == Operation::Withdraw {
        return payment(frozen, &asked, wire).differences(&told(answer), ANSWER);
    }
    if frozen.operation == Operation::Batch {
        // What was confirmed was read from these bytes, so that they can be read.
        let Ok(Draft::Batch(batch)) = read_back(frozen, wire) else { return Vec::new() };
        return Recipients::of(&batch).differences(frozen.key, &told(answer), ANSWER);
    }
    if frozen.operation.is_swap() {
        return swap::differences(frozen, &asked, answer, wire);
    }
    if frozen.operation == Operation::Payment {
        return payment_by_v1(asked, answer);
    }
    let key = Asked { key: asked.text("idempotencyKey"), ..Asked::default() };
    let told = Told { key: answer.text_or_raw("idempotencyKey"), ..Told::default() };
    let mut echo = Echo { found: key.differences(&told, ANSWER), asked, answer };
    match frozen.operation {
        Operation::CreateUser => echo.user(),
        Operation::UpdateUser => {
            echo.other("user", "userId", "id", str::eq_ignore_ascii_case);
            echo.user();
        }
        Operation::CreateAccount => echo.text("name", "name", exactly),
        Operation::CreateWallet => {
            echo.text("account", "accountId", str::eq_ignore_ascii_case);
            echo.text("user", "userId", str::eq_ignore_ascii_case);
            echo.text("chain", "blockchain", is_same_chain);
            echo.text("name", "name", exactly);
            echo.text("reference", "refId", exactly);
            echo.flag("sweeping", "autoSweep");
        }
        Operation::UpdateWallet => {
            echo.other("wallet", "walletId", "id", str::eq_ignore_ascii_case);
            echo.text("user", "userId", str::eq_ignore_ascii_case);
            echo.text("name", "name", exactly);
            echo.flag("use", "isActive");
            echo.flag("sweeping", "autoSweep");
        }
        Operation::CreateSubWallet => {
            echo.text("mail address", "email", str::eq_ignore_ascii_case);
            echo.text("name", "name", exactly);
            echo.text("reference", "clientUserId", exactly);
            echo.flag("trading", "canTrade");
        }
        Operation::CreateAddress => {
            echo.other("sub-wallet", "subWalletId", "walletId", str::eq_ignore_ascii_case);
            echo.text("coin", "coin", str::eq_ignore_ascii_case);
            echo.text("chain", "chain", is_same_chain);
        }
        Operation::CreateSandboxAddress => {
            echo.text("coin", "coin", str::eq_ignore_ascii_case);
            echo.text("chain", "chain", is_same_chain);
        }
        // Payments and swaps were compared above; the answer to a simulated deposit says no more than an identifier.
        Operation::Withdraw
        | Operation::Batch
        | Operation::Payment
        | Operation::SimulateDeposit
        | Operation::Swap
        | Operation::InstantSwap => {}
    }
    echo.found
}

/// The payment that a request asks for.
fn payment(frozen: &Frozen, asked: &Fields<'_>, wire: &WireNames) -> Asked {
    // An order may be older than the name that the profile now has for the recipient.
    let mut names = std::iter::once(wire.withdrawal_address.as_str()).chain(WireNames::DESTINATIONS);
    Asked {
        key: frozen.key.map(|key| Text::clean(&key.to_string())),
        wallet: asked.text("walletId"),
        chain: asked.text("blockchain"),
        token: asked.text("token"),
        amount: asked.text("amount"),
        to: names.find_map(|name| asked.text(name)),
        reference: asked.text("refId"),
    }
}

/// Where the answer to a payment by version 1 says something else. Who pays is not compared: a service may well name the
/// wallet, where the request names whose it is.
fn payment_by_v1(asked: Fields<'_>, answer: &Fields<'_>) -> Vec<Text> {
    let stated = answer.amount("amount", None).map(ToldAmount::Stated);
    let wanted = Asked {
        chain: asked.text("chain"),
        token: asked.text("coin"),
        amount: asked.text("amount"),
        to: asked.text("withdrawalAddress"),
        reference: asked.text("clientTxId"),
        ..Asked::default()
    };
    let told = Told {
        chain: answer.text_or_raw("chain"),
        tokens: answer.text_or_raw("coin").into_iter().collect(),
        amount: stated.or_else(|| answer.text_or_raw("amount").map(ToldAmount::Words)),
        to: answer.text_or_raw("toAddress").or_else(|| answer.text_or_raw("withdrawalAddress")),
        reference: answer.text_or_raw("clientTxId"),
        ..Told::default()
    };
    let mut echo = Echo { found: wanted.differences(&told, ANSWER), asked, answer };
    for name in ["tagMemo", "memo"] {
        echo.other("memo", "memo", name, exactly);
    }
    echo.found
}

/// The payment that an answer tells of.
fn told(answer: &Fields<'_>) -> Told {
    Told {
        key: answer.text_or_raw("idempotencyKey"),
        wallet: answer.text_or_raw("walletId"),
        chain: answer.text_or_raw("blockchain"),
        tokens: ["tokenSymbol", "tokenTicker"].iter().filter_map(|name| answer.text_or_raw(name)).collect(),
        amount: told_amount(answer, "amount"),
        to: answer.text_or_raw("toAddress"),
        reference: answer.text_or_raw("refId"),
    }
}

/// An amount that an answer tells of.
fn told_amount(answer: &Fields<'_>, name: &str) -> Option<ToldAmount> {
    let stated = answer.amount(name, answer.decimals("decimals")).map(ToldAmount::Stated);
    // Smallest units alone, without their decimals, are no amount to compare with.
    let words = || answer.object(name).map_or_else(|| answer.text_or_raw(name), |parts| parts.text("formatted"));
    stated.or_else(|| words().map(ToldAmount::Words))
}

fn exactly(asked: &str, said: &str) -> bool {
    asked == said
}

struct Echo<'a, 'b> {
    asked: Fields<'a>,
    answer: &'b Fields<'b>,
    found: Vec<Text>,
}

impl Echo<'_, '_> {
    /// Compares a text that the answer may repeat.
    fn text(&mut self, what: &str, name: &str, same: fn(&str, &str) -> bool) {
        self.other(what, name, name, same);
    }

    /// The same, where the answer has another name for it.
    fn other(&mut self, what: &str, asked: &str, said: &str, same: fn(&str, &str) -> bool) {
        if let Some((asked, said)) = self.asked.text(asked).zip(self.answer.text_or_raw(said))
            && !same(&asked, said.trim())
        {
            self.differs(what, &asked, &said);
        }
    }

    fn flag(&mut self, what: &str, name: &str) {
        let word = |on| if on { "on" } else { "off" };
        if let Some((asked, said)) = self.asked.flag(name).zip(self.answer.flag(name))
            && asked != said
        {
            self.differs(what, word(asked), word(said));
        }
    }

    fn user(&mut self) {
        self.text("mail address", "email", str::eq_ignore_ascii_case);
        self.text("name", "displayName", exactly);
        self.text("reference", "refId", exactly);
    }

    fn differs(&mut self, what: &str, asked: &str, said: &str) {
        self.found.push(Text::clean(&format!("{what}: the request says {asked}, {ANSWER} {said}")));
    }
}
