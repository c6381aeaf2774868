//! Compares what an answer says was done with what the request asked for. Each difference is an alarm: the service may
//! have mixed up two requests, or somebody between us may have changed one.

use serde_json::value::RawValue;

use crate::api::WireNames;
use crate::api::fields::Fields;
use crate::domain::draft::Operation;
use crate::domain::intent::Frozen;
use crate::domain::{Amount, Stated, Text, chain};

/// Where the object in an answer says something else than the request. What the answer leaves out is no difference.
pub(super) fn differences(frozen: &Frozen, answer: &Fields<'_>, wire: &WireNames) -> Vec<Text> {
    let asked: Option<&RawValue> = serde_json::from_str(&frozen.body).ok();
    let Some(asked) = asked.and_then(Fields::of) else { return Vec::new() };
    let mut echo = Echo { asked, answer, found: Vec::new() };
    match frozen.operation {
        Operation::Withdraw => {
            echo.text("idempotency key", "idempotencyKey", &["idempotencyKey"], str::eq_ignore_ascii_case);
            echo.text("wallet", "walletId", &["walletId"], str::eq_ignore_ascii_case);
            echo.text("chain", "blockchain", &["blockchain"], is_same_chain);
            echo.text("token", "token", &["tokenSymbol", "tokenTicker"], str::eq_ignore_ascii_case);
            echo.text("reference", "refId", &["refId"], |asked, said| asked == said);
            echo.amount();
            echo.address(&wire.withdrawal_address);
        }
        Operation::CreateUser => {
            echo.text("mail address", "email", &["email"], str::eq_ignore_ascii_case);
            echo.text("name", "displayName", &["displayName"], |asked, said| asked == said);
            echo.text("reference", "refId", &["refId"], |asked, said| asked == said);
        }
        Operation::CreateAccount => echo.text("name", "name", &["name"], |asked, said| asked == said),
        Operation::CreateWallet => {
            echo.text("account", "accountId", &["accountId"], str::eq_ignore_ascii_case);
            echo.text("user", "userId", &["userId"], str::eq_ignore_ascii_case);
            echo.text("chain", "blockchain", &["blockchain"], is_same_chain);
            echo.text("name", "name", &["name"], |asked, said| asked == said);
            echo.text("reference", "refId", &["refId"], |asked, said| asked == said);
            echo.auto_sweep();
        }
        // The answer says no more than an identifier.
        Operation::SimulateDeposit => {}
    }
    echo.found
}

struct Echo<'a, 'b> {
    asked: Fields<'a>,
    answer: &'b Fields<'b>,
    found: Vec<Text>,
}

impl Echo<'_, '_> {
    /// Compares a text with those under which the answer may repeat it: one that agrees is enough.
    fn text(&mut self, what: &str, asked: &str, said: &[&str], same: fn(&str, &str) -> bool) {
        let Some(asked) = self.asked.text(asked) else { return };
        let said: Vec<Text> = said.iter().filter_map(|name| self.answer.text(name)).collect();
        if let Some(first) = said.first()
            && !said.iter().any(|said| same(&asked, said.trim()))
        {
            self.differs(what, &asked, first);
        }
    }

    fn amount(&mut self) {
        let Some(text) = self.asked.text("amount") else { return };
        let digits = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        let asked = u8::try_from(digits).ok().and_then(|digits| Amount::parse(&text, digits).ok());
        let said = self.answer.amount("amount", self.answer.decimals("decimals"));
        match (asked, said) {
            (Some(asked), Some(Stated::Exact(said))) if asked.cmp_value(said).is_eq() => {}
            (_, Some(Stated::Exact(said))) => self.differs("amount", &text, &said.to_string()),
            (_, Some(Stated::Disputed { raw, formatted })) => {
                self.differs("amount", &text, &format!("both {raw} and {formatted}"));
            }
            (_, None) => {
                let shown = self
                    .answer
                    .object("amount")
                    .map_or_else(|| self.answer.text("amount"), |parts| parts.text("formatted"));
                if let Some(shown) = shown {
                    self.differs("amount", &text, &shown);
                }
            }
        }
    }

    fn address(&mut self, name: &str) {
        // An order may be older than the name that the profile now has for it.
        let mut names = std::iter::once(name).chain(WireNames::DESTINATIONS);
        let named = names.find_map(|name| self.asked.text(name));
        let Some((asked, said)) = named.zip(self.answer.text("toAddress")) else { return };
        // The case of an EVM address is its checksum alone, also on a chain that this program does not know.
        let hex = |text: &str| text.len() == 42 && text.bytes().skip(2).all(|byte| byte.is_ascii_hexdigit());
        let same = asked == said || (hex(&asked) && asked.eq_ignore_ascii_case(&said));
        if !same {
            self.differs("recipient's address", &asked, &said);
        }
    }

    fn auto_sweep(&mut self) {
        let word = |on| if on { "on" } else { "off" };
        if let Some((asked, said)) = self.asked.flag("autoSweep").zip(self.answer.flag("autoSweep"))
            && asked != said
        {
            self.differs("sweeping", word(asked), word(said));
        }
    }

    fn differs(&mut self, what: &str, asked: &str, said: &str) {
        self.found.push(Text::clean(&format!("{what}: the request says {asked}, the answer {said}")));
    }
}

/// Whether two words name one chain. Two networks of a chain are two; a word without a network may mean any of them.
pub(super) fn is_same_chain(a: &str, b: &str) -> bool {
    let networks = chain::network_of(a).zip(chain::network_of(b));
    chain::same(a, b) && networks.is_none_or(|(a, b)| a.eq_ignore_ascii_case(b))
}
