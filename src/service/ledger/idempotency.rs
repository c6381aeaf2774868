//! Idempotency keys: one key space per workspace, over all operations, for ever. Approved orders are in it, too.

use rusqlite::{OptionalExtension, params};
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::request_error::RequestError;
use super::unit_of_work::UnitOfWork;
use crate::domain::OrderId;

/// Members with identifiers of this service or UUID keys, which are compared without case. The business's own names,
/// such as `refId`, are compared exactly.
const IDENTIFIERS: [&str; 7] =
    ["idempotencyKey", "accountId", "walletId", "userId", "subWalletId", "fromWalletId", "toWalletId"];

/// Digest of a request: its operation and its body as JSON values, independent of the order of members and the case of
/// identifiers.
pub(super) fn request_digest(operation: &str, request: &Value) -> Vec<u8> {
    let mut text = String::from(operation);
    text.push('\n');
    write_canonical_json(request, false, &mut text);
    Sha256::digest(text).to_vec()
}

/// Writes members sorted by name, whatever order the parser has.
fn write_canonical_json(value: &Value, is_identifier: bool, text: &mut String) {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            text.push('{');
            for (name, value) in members {
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                write_canonical_json(value, IDENTIFIERS.contains(&name.as_str()), text);
                text.push(',');
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for item in items {
                write_canonical_json(item, false, text);
                text.push(',');
            }
            text.push(']');
        }
        Value::String(word) if is_identifier => match Uuid::try_parse(word) {
            Ok(id) if word.len() == 36 => text.push_str(&Value::from(id.to_string()).to_string()),
            _ => text.push_str(&value.to_string()),
        },
        _ => text.push_str(&value.to_string()),
    }
}

/// The stored answer to this request; an error if the key was used for another one.
pub(super) fn stored_answer(
    books: &UnitOfWork<'_>,
    key: &[u8],
    digest: &[u8],
) -> Result<Option<Vec<u8>>, RequestError> {
    let existing: Option<(Vec<u8>, Vec<u8>)> = books
        .connection
        .prepare_cached("SELECT request, answer FROM answers WHERE workspace = ?1 AND key = ?2")?
        .query_row(params![books.workspace.number.0, key], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    match existing {
        None => Ok(None),
        Some((request, answer)) if request == digest => Ok(Some(answer)),
        Some(_) => {
            Err(RequestError::bad_request("idempotencyKey was used before with another request; nothing was executed"))
        }
    }
}

/// Stores an answer, in the commit of its effect.
pub(super) fn store_answer(
    books: &UnitOfWork<'_>,
    key: &[u8],
    digest: &[u8],
    answer: &[u8],
) -> Result<(), RequestError> {
    books
        .connection
        .prepare_cached(
            "INSERT INTO answers (workspace, key, request, answer, answered_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![books.workspace.number.0, key, digest, answer, books.now.millis()])?;
    Ok(())
}

impl UnitOfWork<'_> {
    /// Records in the commit of its effect that an approved order is executed.
    ///
    /// # Errors
    /// [`RequestError::Conflict`] where it was executed before, under whatever idempotency key.
    pub fn claim_order(&mut self, order: OrderId) -> Result<(), RequestError> {
        // Longer than an idempotency key: neither can take the other's place.
        let claim = [b"approved order ", order.0.as_bytes().as_slice()].concat();
        match stored_answer(self, &claim, &[])? {
            None => store_answer(self, &claim, &[], &[]),
            Some(_) => {
                Err(RequestError::Conflict("the approved order was executed before; nothing was executed".into()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_case_of_identifiers_does_not_count_and_that_of_what_the_business_says_does() {
        let (lower, upper) = ("0b5c7d2e-1111-4222-8333-44445555aaaa", "0B5C7D2E-1111-4222-8333-44445555AAAA");
        let is_same_request =
            |one: &Value, other: &Value| request_digest("POST /", one) == request_digest("POST /", other);
        for name in IDENTIFIERS {
            assert!(is_same_request(&json!({ name: lower }), &json!({ name: upper })), "{name}");
        }
        for name in ["refId", "note", "extId", "clientTxId", "withdrawalAddress", "name", "amount"] {
            assert!(!is_same_request(&json!({ name: lower }), &json!({ name: upper })), "{name}");
        }
        assert!(!is_same_request(&json!({ "metadata": { "a": lower } }), &json!({ "metadata": { "a": upper } })));
        assert!(is_same_request(&json!({ "to": [{ "walletId": lower }] }), &json!({ "to": [{ "walletId": upper }] })));
        assert!(is_same_request(&json!({ "a": 1, "b": 2 }), &json!({ "b": 2, "a": 1 })));
    }
}
