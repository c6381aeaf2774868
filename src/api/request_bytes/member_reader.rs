//! Reads the members of a request's body, each once.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::DecodeError;
use super::members::Shape;
use crate::api::fields::Fields;
use crate::domain::{Amount, Text};

/// The members of a request that were not read yet.
pub(super) struct MemberReader<'a>(Vec<(String, &'a RawValue)>);

impl<'a> MemberReader<'a> {
    pub(super) fn parse(body: &'a str) -> Result<Self, DecodeError> {
        let whole: &RawValue = serde_json::from_str(body).map_err(|_no_json| DecodeError::NotAnObject)?;
        let members = Fields::from_raw(whole).ok_or(DecodeError::NotAnObject)?.members();
        let mut members_read: Vec<(String, &RawValue)> = Vec::with_capacity(members.len());
        for (name, value) in members {
            if members_read.iter().any(|(earlier, _)| *earlier == name) {
                return Err(DecodeError::DuplicateMember(Text::clean(&name)));
            }
            members_read.push((name, value));
        }
        Ok(Self(members_read))
    }

    /// The value of a member; `None` where it is missing.
    pub(super) fn value(&mut self, name: &str, shape: Shape) -> Result<Option<Value>, DecodeError> {
        Ok(match shape {
            Shape::Text => self.text(name)?.map(Value::from),
            Shape::Amount => self.amount(name)?.map(Value::from),
            Shape::Flag => self.flag(name)?.map(Value::from),
            Shape::Metadata => self.metadata(name)?,
            Shape::Recipients => self.recipients(name)?,
        })
    }

    /// A text whose display differs from its bytes cannot be confirmed by anybody, and is refused.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, DecodeError> {
        let Some(raw) = self.take_member(name) else { return Ok(None) };
        let text: Option<String> = serde_json::from_str(raw.get()).ok();
        let is_shown = |text: &String| Text::clean(text).as_str() == text;
        text.filter(is_shown).map(Some).ok_or_else(|| DecodeError::Value(Text::clean(name)))
    }

    pub(super) fn expect_no_more(self) -> Result<(), DecodeError> {
        match self.0.first() {
            Some((name, _)) => Err(DecodeError::UnknownMember(Text::clean(name))),
            None => Ok(()),
        }
    }

    fn take_member(&mut self, name: &str) -> Option<&'a RawValue> {
        let at = self.0.iter().position(|(other, _)| other == name)?;
        Some(self.0.remove(at).1)
    }

    fn amount(&mut self, name: &str) -> Result<Option<String>, DecodeError> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        Amount::parse_as_written(&text, Amount::MAX_DECIMALS)?;
        Ok(Some(text))
    }

    fn flag(&mut self, name: &str) -> Result<Option<bool>, DecodeError> {
        let Some(raw) = self.take_member(name) else { return Ok(None) };
        let flag = serde_json::from_str(raw.get());
        flag.map(Some).map_err(|_no_flag| DecodeError::Value(Text::clean(name)))
    }

    fn metadata(&mut self, name: &str) -> Result<Option<Value>, DecodeError> {
        let Some(raw) = self.take_member(name) else { return Ok(None) };
        let refused = || DecodeError::Value(Text::clean(name));
        let mut members = MemberReader::parse(raw.get()).map_err(|_no_object| refused())?;
        let names: Vec<String> = members.0.iter().map(|(name, _)| name.clone()).collect();
        let member = |name: String| {
            let text = members.text(&name)?;
            if Text::clean(&name).as_str() == name { Ok(json!([name, text])) } else { Err(refused()) }
        };
        let pairs: Result<Vec<Value>, DecodeError> = names.into_iter().map(member).collect();
        Ok(Some(pairs?.into()))
    }

    fn recipients(&mut self, name: &str) -> Result<Option<Value>, DecodeError> {
        let Some(raw) = self.take_member(name) else { return Ok(None) };
        let list: Vec<&RawValue> =
            serde_json::from_str(raw.get()).map_err(|_no_list| DecodeError::Value(Text::clean(name)))?;
        let recipient = |one: &RawValue| {
            let mut members = MemberReader::parse(one.get())?;
            let address = members.text("address")?.ok_or_else(|| DecodeError::Missing("address".into()))?;
            let amount = members.amount("amount")?.ok_or_else(|| DecodeError::Missing("amount".into()))?;
            members.expect_no_more()?;
            Ok(json!({ "address": address, "amount": amount }))
        };
        let recipients: Result<Vec<Value>, DecodeError> = list.into_iter().map(recipient).collect();
        Ok(Some(recipients?.into()))
    }
}
