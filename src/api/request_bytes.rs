//! Requests that change state, as bytes: encoded once from a draft, and decoded for the operator to confirm.
//!
//! Which members a request has stands in one table. The operator confirms the content of the bytes, so they are decoded
//! strictly: unexpected members, repeated members, and any other spelling than that of [`encode`] are refused.

use serde_json::{Map, Value};
use uuid::Uuid;

use super::WireNames;
use crate::domain::draft::{Draft, Operation};
use crate::domain::order::RequestBytes;
use crate::domain::{AmountError, Text};
use member_reader::MemberReader;
use members::{Content, Member, Shape, key_name, members};

mod member_reader;
mod members;
#[cfg(test)]
mod tests;

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
    // Whoever encodes compares what is decoded with the draft: a draft without fields is never sent.
    let fields = serde_json::to_value(draft.without_unsent_fields()).unwrap_or_default();
    let json = |member: &Member<'_>| match member.content {
        Content::Key => key.map(|key| Value::from(key.to_string()).to_string()),
        Content::Constant(text) => Some(Value::from(text).to_string()),
        Content::Field(_, Shape::Metadata) => draft.metadata().map(|metadata| {
            write_object(metadata.iter().map(|(name, text)| (name.as_str(), Value::from(text.as_str()).to_string())))
        }),
        Content::Field(name, _) => fields.get(name).map(Value::to_string),
    };
    let members = members(operation, wire);
    let body = write_object(members.iter().filter_map(|member| Some((member.name, json(member)?))));
    let (method, path) = operation.route();
    RequestBytes { operation, method: method.into(), path: path.into(), body, key }
}

/// A JSON object, with members in this order.
fn write_object<'a>(members: impl Iterator<Item = (&'a str, String)>) -> String {
    let members: Vec<String> = members.map(|(name, json)| format!("{}:{json}", Value::from(name))).collect();
    format!("{{{}}}", members.join(","))
}

/// Decodes the request into a draft ([`Draft::without_unsent_fields`]). Bytes that differ in anything but their
/// idempotency key never decode to the same draft.
pub fn decode(frozen: &RequestBytes, wire: &WireNames) -> Result<Draft, DecodeError> {
    let operation = frozen.operation;
    if (frozen.method.as_str(), frozen.path.as_str()) != operation.route() {
        return Err(DecodeError::Route(Text::clean(&format!("{} {}", frozen.method, frozen.path))));
    }
    let mut reader = MemberReader::parse(&frozen.body)?;
    let mut fields = Map::from_iter([("operation".to_owned(), operation.journal_name().into())]);
    let mut key = None;
    for member in members(operation, wire) {
        let value = match member.content {
            Content::Key | Content::Constant(_) => reader.text(member.name)?.map(Value::from),
            Content::Field(_, shape) => reader.value(member.name, shape)?,
        };
        if value.is_none() && member.is_required {
            return Err(DecodeError::Missing(Text::clean(member.name)));
        }
        match member.content {
            Content::Key => key = value,
            Content::Field(name, _) => fields.extend(value.map(|value| (name.to_owned(), value))),
            // The comparison below checks it.
            Content::Constant(_) => {}
        }
    }
    reader.expect_no_more()?;
    if key != frozen.key.map(|key| key.to_string().into()) {
        return Err(DecodeError::Key);
    }
    let draft: Draft = serde_json::from_value(fields.into()).map_err(|_no_draft| DecodeError::Spelling)?;
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
    members(operation, wire).into_iter().filter(|member| member.is_assumed).map(|member| member.name).collect()
}
