//! The fields of an object by name, each parsed by itself so that an invalid one costs no other.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::json_scalars;
use crate::domain::{Amount, Chain, ReportedAmount, Text, Timestamp, TokenKey, UnreadableField};

/// The unparsed fields of one object. Of a repeated name the last one counts.
pub(super) struct Fields<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Fields<'a> {
    /// `None` for anything but an object.
    pub(super) fn from_raw(raw: &'a RawValue) -> Option<Self> {
        serde_json::from_str(raw.get()).ok()
    }

    /// Every decoded name with its value as received, in the order of the answer.
    pub(super) fn members(self) -> Vec<(String, &'a RawValue)> {
        self.0.into_iter().map(|(name, raw)| (name.into_owned(), raw)).collect()
    }

    /// A field as received; `null` is absent.
    pub(super) fn get(&self, name: &str) -> Option<&'a RawValue> {
        let (_, raw) = self.0.iter().rev().find(|(key, _)| key == name)?;
        (raw.get() != "null").then_some(raw)
    }

    pub(super) fn object(&self, name: &str) -> Option<Self> {
        self.get(name).and_then(Fields::from_raw)
    }

    /// The entries of a list inside this object; empty if it is no list.
    pub(super) fn list(&self, name: &str) -> Vec<&'a RawValue> {
        self.get(name).and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
    }

    /// A text that is not blank, as received.
    fn raw_text(&self, name: &str) -> Option<Cow<'a, str>> {
        self.get(name).and_then(json_scalars::parse_text).filter(|text| !text.trim().is_empty())
    }

    /// A text that is not blank, cleaned for display.
    pub(super) fn text(&self, name: &str) -> Option<Text> {
        self.raw_text(name).map(|text| Text::clean(&text))
    }

    /// A text that is not blank, or the field's JSON where it cannot be parsed as a text: that must not pass for an
    /// absent text.
    pub(super) fn text_or_raw(&self, name: &str) -> Option<Text> {
        let raw = self.get(name)?;
        match json_scalars::parse_text(raw) {
            Some(text) => (!text.trim().is_empty()).then(|| Text::clean(&text)),
            None => Some(Text::clean(raw.get())),
        }
    }

    /// An identifier, made by `read`. A text that cleaning would change is no identifier: two different ones could
    /// become the same, and the service would not recognise it.
    pub(super) fn id<T>(&self, name: &str, read: impl Fn(&str) -> T) -> Option<T> {
        self.raw_text(name).filter(|text| Text::clean(text).as_str() == text.as_ref()).map(|text| read(&text))
    }

    /// A value of an open enumeration, made by `read`.
    pub(super) fn open_enum<T>(&self, name: &str, read: impl Fn(&str) -> T) -> Option<T> {
        self.raw_text(name).map(|text| read(text.trim()))
    }

    /// A list of texts; other entries are left out.
    pub(super) fn texts(&self, name: &str) -> Vec<Text> {
        self.list(name).into_iter().filter_map(json_scalars::parse_text).map(|text| Text::clean(&text)).collect()
    }

    pub(super) fn integer(&self, name: &str) -> Option<u64> {
        self.get(name).and_then(json_scalars::parse_integer)
    }

    /// Fraction digits, at most [`Amount::MAX_DECIMALS`].
    pub(super) fn decimals(&self, name: &str) -> Option<u8> {
        self.integer(name).and_then(|digits| u8::try_from(digits).ok()).filter(|digits| *digits <= Amount::MAX_DECIMALS)
    }

    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        self.get(name).and_then(json_scalars::parse_bool)
    }

    pub(super) fn time(&self, name: &str) -> Option<Timestamp> {
        self.get(name).and_then(json_scalars::parse_time)
    }

    /// An amount: an object with `formatted` and `raw`, or the formatted amount alone.
    pub(super) fn amount(&self, name: &str, decimals: Option<u8>) -> Option<ReportedAmount> {
        let raw = self.get(name)?;
        let Some(parts) = Fields::from_raw(raw) else {
            return ReportedAmount::parse(json_scalars::parse_text(raw).as_deref().map(str::trim), None, decimals);
        };
        let formatted = parts.raw_text("formatted");
        let exact = parts.raw_text("raw");
        let [formatted, exact] = [formatted.as_deref().map(str::trim), exact.as_deref().map(str::trim)];
        // A negative number, or an integer beyond 2^256, contradicts the other one: no amount is better than half of
        // one.
        let negative = [formatted, exact].into_iter().flatten().any(|text| text.starts_with('-'));
        let beyond = exact.is_some_and(|digits| {
            digits.bytes().all(|byte| byte.is_ascii_digit()) && Amount::parse_raw(digits, 0).is_none()
        });
        if negative || beyond { None } else { ReportedAmount::parse(formatted, exact, decimals) }
    }

    /// An amount that is present and cannot be read, or not wholly: a part that is no text or number, an integer with
    /// other characters than digits, a negative number. Its formatted text where there is one, else as received.
    pub(super) fn unreadable_amount(&self, name: &str, decimals: Option<u8>) -> Option<Text> {
        let raw = self.get(name)?;
        let Some(parts) = Fields::from_raw(raw) else {
            let text = json_scalars::parse_text(raw);
            let is_absent = text.as_deref().is_some_and(|text| text.trim().is_empty());
            return (!is_absent && self.amount(name, decimals).is_none())
                .then(|| Text::clean(text.as_deref().unwrap_or(raw.get())));
        };
        let forms = ["formatted", "raw"];
        if !parts.0.iter().any(|(name, _)| forms.contains(&name.as_ref())) {
            return Some("an object that has no amount".into());
        }
        if let Some(odd) =
            forms.iter().filter_map(|form| parts.get(form)).find(|form| json_scalars::parse_text(form).is_none())
        {
            return Some(Text::clean(odd.get()));
        }
        let is_absent = forms.iter().all(|form| parts.raw_text(form).is_none());
        let has_units = || parts.raw_units().is_some() && parts.raw_text("formatted").is_none();
        // Smallest units alone are readable with the token's fraction digits, which other code may know.
        let is_read = is_absent || self.amount(name, decimals).is_some() || has_units();
        let amount_text = || parts.text("formatted").or_else(|| parts.text("raw"));
        if is_read { None } else { amount_text() }
    }

    pub(super) fn raw_units(&self) -> Option<Text> {
        let units = self.text("raw")?;
        let units = Text::clean(units.trim());
        Amount::parse_raw(&units, 0).map(|_| units)
    }

    /// The fields among these texts and amounts that are present and unreadable.
    pub(super) fn unreadable_fields(
        &self,
        texts: &[&'static str],
        amounts: &[(&'static str, Option<u8>)],
    ) -> Vec<UnreadableField> {
        let is_unread =
            |name: &&&'static str| self.get(name).is_some_and(|raw| json_scalars::parse_text(raw).is_none());
        let texts = texts.iter().filter(is_unread).filter_map(|name| Some((*name, self.text_or_raw(name)?)));
        let amounts =
            amounts.iter().filter_map(|(name, decimals)| Some((*name, self.unreadable_amount(name, *decimals)?)));
        texts.chain(amounts).map(|(name, value)| UnreadableField { name, value }).collect()
    }

    /// The key of a token: from `blockchain` and `tokenAddress`, beside `isNative` and a symbol.
    ///
    /// The chain's own coin has no contract. Without an address a token counts as that coin unless the answer
    /// contradicts it (`isNative` is false, or the symbol is not that of a known chain); it then gets a key of its own,
    /// so that it is not added to the coin.
    pub(super) fn token_key(&self, symbol: &Text) -> TokenKey {
        let blockchain = self.text("blockchain").unwrap_or_default();
        let native = self.flag("isNative");
        let contract = self.text("tokenAddress").filter(|address| !is_zero_address(address));
        let contract = match (native, contract) {
            (Some(true), _) => None,
            (_, Some(contract)) => Some(lowercase_evm_contract(contract)),
            (None, None) if may_be_native_coin(&blockchain, symbol) => None,
            (_, None) => Some(Text::clean(&format!("no address ({symbol})"))),
        };
        TokenKey { blockchain, contract }
    }
}

/// Whether a symbol may be that of a chain's own coin: it is, or the chain is unknown, or there is no symbol.
fn may_be_native_coin(blockchain: &str, symbol: &str) -> bool {
    symbol.is_empty() || Chain::find(blockchain).is_none_or(|chain| chain.coin.0.eq_ignore_ascii_case(symbol))
}

/// Whether an address is the zero of its chain, by which some services name the chain's own coin: `0x00…`, or the
/// 32 zero bytes that are Solana's system program.
fn is_zero_address(address: &str) -> bool {
    let solana = address.len() == 32 && address.bytes().all(|byte| byte == b'1');
    let digits = address.strip_prefix("0x").unwrap_or_default();
    solana || (!digits.is_empty() && digits.bytes().all(|byte| byte == b'0'))
}

/// EVM contracts in lower case, since the case of their letters is only a checksum; others as they are.
fn lowercase_evm_contract(contract: Text) -> Text {
    let evm = |digits: &str| digits.len() == 40 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let prefixed = contract.strip_prefix("0x").or_else(|| contract.strip_prefix("0X"));
    if prefixed.is_some_and(evm) { Text::clean(&contract.to_ascii_lowercase()) } else { contract }
}

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// serde borrows a name behind a newtype only.
        #[derive(serde::Deserialize)]
        struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::with_capacity(40);
                while let Some((Name(name), value)) = map.next_entry()? {
                    fields.push((name, value));
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(Object)
    }
}
