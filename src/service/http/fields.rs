//! Reads the fields of a request body and collects all problems for one response.

use std::ops::RangeInclusive;

use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use serde_json::Value;
use uuid::Uuid;

use super::duplicate_members::find_duplicate_member;
use super::error_response::ErrorResponse;

/// In characters.
pub(super) const MAX_TEXT_LENGTH: usize = 256;

/// Parses a body as a JSON object. The value stays whole, because requests under one idempotency key are compared as
/// JSON values.
pub(super) fn json_body(headers: &HeaderMap, body: &Bytes) -> Result<Value, ErrorResponse> {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        return Err(ErrorResponse::bad_request("the body must be JSON, with Content-Type: application/json"));
    }
    let value: Value = serde_json::from_slice(body)
        .map_err(|error| ErrorResponse::bad_request(format!("the body is not JSON: {error}")))?;
    if let Some(name) = std::str::from_utf8(body).ok().and_then(find_duplicate_member) {
        return Err(ErrorResponse::unprocessable(vec![format!("{name} appears twice; give it once")]));
    }
    if value.is_object() { Ok(value) } else { Err(ErrorResponse::bad_request("the body must be a JSON object")) }
}

/// The fields of one body. Each getter records problems; [`BodyFields::into_valid_body`] returns them all.
pub(super) struct BodyFields {
    body: Value,
    problems: Vec<String>,
}

impl BodyFields {
    /// `null` counts as absent.
    pub(super) fn from_body(body: Value) -> Self {
        Self { body, problems: Vec::new() }
    }

    /// A required field with one of `choices`. Empty after a problem.
    pub(super) fn required_choice(&mut self, name: &str, choices: &[&str]) -> String {
        let noted = self.problems.len();
        let word = self.required_text(name);
        if noted < self.problems.len() || choices.contains(&word.as_str()) {
            return word;
        }
        self.add_problem(format!("{name} must be {}", choices.join(" or ")));
        String::new()
    }

    /// An optional field with one of `choices`.
    pub(super) fn choice(&mut self, name: &str, choices: &[&str]) -> Option<String> {
        self.non_null_field(name)?;
        Some(self.required_choice(name, choices))
    }

    fn non_null_field(&self, name: &str) -> Option<&Value> {
        self.body.get(name).filter(|value| !value.is_null())
    }

    /// Records a problem; the sentence must name the parameter.
    pub(super) fn add_problem(&mut self, sentence: impl Into<String>) {
        self.problems.push(sentence.into());
    }

    pub(super) fn has_problems(&self) -> bool {
        !self.problems.is_empty()
    }

    /// An optional text of at most [`MAX_TEXT_LENGTH`] characters.
    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        match self.non_null_field(name)? {
            Value::String(text) if text.chars().count() <= MAX_TEXT_LENGTH => return Some(text.clone()),
            Value::String(_) => self.add_problem(format!("{name} must be at most {MAX_TEXT_LENGTH} characters long")),
            _ => self.add_problem(format!("{name} must be a string")),
        }
        None
    }

    /// A required, non-blank text. Empty if absent, after a problem is recorded.
    pub(super) fn required_text(&mut self, name: &str) -> String {
        if self.non_null_field(name).is_none() {
            self.add_problem(format!("{name} is required"));
            return String::new();
        }
        let noted = self.problems.len();
        let text = self.text(name).unwrap_or_default();
        if text.trim().is_empty() && noted == self.problems.len() {
            self.add_problem(format!("{name} must not be empty"));
        }
        text
    }

    pub(super) fn uuid(&mut self, name: &str) -> Option<Uuid> {
        let text = self.text(name)?;
        let id = parse_hyphenated_uuid(&text);
        if id.is_none() {
            self.add_problem(format!("{name} must be a UUID"));
        }
        id
    }

    /// A required UUID. Nil after a problem.
    pub(super) fn required_uuid(&mut self, name: &str) -> Uuid {
        if self.non_null_field(name).is_none() {
            self.add_problem(format!("{name} is required"));
            return Uuid::nil();
        }
        self.uuid(name).unwrap_or_else(Uuid::nil)
    }

    /// An optional identifier that the specification types as a string, read by [`parse_id_or_nil`].
    pub(super) fn identifier(&mut self, name: &str) -> Option<Uuid> {
        self.text(name).as_deref().map(parse_id_or_nil)
    }

    pub(super) fn required_identifier(&mut self, name: &str) -> Uuid {
        parse_id_or_nil(&self.required_text(name))
    }

    pub(super) fn flag(&mut self, name: &str) -> Option<bool> {
        let flag = self.non_null_field(name)?.as_bool();
        if flag.is_none() {
            self.add_problem(format!("{name} must be a boolean"));
        }
        flag
    }

    /// An optional whole number within bounds.
    pub(super) fn count(&mut self, name: &str, bounds: RangeInclusive<u32>) -> Option<u32> {
        let value = self.non_null_field(name)?;
        let count = value.as_u64().and_then(|count| u32::try_from(count).ok()).filter(|count| bounds.contains(count));
        if count.is_none() {
            self.add_problem(format!("{name} must be a whole number from {} to {}", bounds.start(), bounds.end()));
        }
        count
    }

    /// Checks that an optional field is an object; its contents are not read.
    pub(super) fn require_object(&mut self, name: &str) {
        if self.non_null_field(name).is_some_and(|value| !value.is_object()) {
            self.add_problem(format!("{name} must be an object"));
        }
    }

    /// A required array of 1 to `most` objects, each read by `read`. Problems name the entry, as in `to[3].amount is
    /// required`.
    pub(super) fn required_objects<T>(
        &mut self,
        name: &str,
        most: usize,
        read: impl Fn(&mut BodyFields) -> T,
    ) -> Vec<T> {
        let entries = match self.non_null_field(name) {
            None => Err(format!("{name} is required")),
            Some(Value::Array(entries)) if entries.is_empty() => Err(format!("{name} must not be empty")),
            Some(Value::Array(entries)) if entries.len() > most => {
                Err(format!("{name} must have at most {most} entries"))
            }
            Some(Value::Array(entries)) => Ok(entries.clone()),
            Some(_) => Err(format!("{name} must be an array")),
        };
        let entries = entries.unwrap_or_else(|problem| {
            self.add_problem(problem);
            Vec::new()
        });
        let mut values = Vec::with_capacity(entries.len());
        for (place, entry) in entries.into_iter().enumerate() {
            if entry.is_object() {
                let mut inner = BodyFields::from_body(entry);
                values.push(read(&mut inner));
                self.problems.extend(inner.problems.iter().map(|problem| format!("{name}[{place}].{problem}")));
            } else {
                self.add_problem(format!("{name}[{place}] must be an object"));
            }
        }
        values
    }

    /// The body, or 422 with all problems.
    pub(super) fn into_valid_body(self) -> Result<Value, ErrorResponse> {
        if self.problems.is_empty() { Ok(self.body) } else { Err(ErrorResponse::unprocessable(self.problems)) }
    }
}

/// Reads an identifier that the specification types as a string. Text that is not a UUID is not malformed: it names
/// nothing, and becomes the nil UUID, which names nothing either.
pub(super) fn parse_id_or_nil(text: &str) -> Uuid {
    parse_hyphenated_uuid(text).unwrap_or_else(Uuid::nil)
}

/// A UUID with four hyphens; the parser also accepts braces, `urn:` and no hyphens at all.
fn parse_hyphenated_uuid(text: &str) -> Option<Uuid> {
    let is_plain = text.len() == 36 && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit());
    is_plain.then(|| Uuid::try_parse(text).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::service::http::error_response::Message;

    #[test]
    fn every_problem_of_a_body_is_told_at_once() {
        let body = json!({ "walletId": "7", "amount": 5, "note": "n".repeat(257), "autoSweep": "yes", "metadata": [] });
        let mut fields = BodyFields::from_body(body);
        fields.required_uuid("idempotencyKey");
        fields.required_uuid("walletId");
        fields.required_text("amount");
        fields.text("note");
        fields.flag("autoSweep");
        fields.require_object("metadata");
        let refused = fields.into_valid_body().unwrap_err();
        assert_eq!(
            refused.message,
            Message::Many(vec![
                "idempotencyKey is required".into(),
                "walletId must be a UUID".into(),
                "amount must be a string".into(),
                "note must be at most 256 characters long".into(),
                "autoSweep must be a boolean".into(),
                "metadata must be an object".into(),
            ])
        );
    }

    #[test]
    fn null_counts_as_absent_and_blank_as_empty() {
        let body = json!({ "name": null, "token": " " });
        let mut fields = BodyFields::from_body(body);
        fields.required_text("name");
        fields.required_text("token");
        let refused = fields.into_valid_body().unwrap_err();
        assert_eq!(refused.message, Message::Many(vec!["name is required".into(), "token must not be empty".into()]));
    }

    #[test]
    fn only_the_hyphenated_form_is_a_uuid() {
        for (form, is_uuid) in [
            ("0b5c7d2e-1111-4222-8333-444455556666", true),
            ("0B5C7D2E-1111-4222-8333-444455556666", true),
            ("0b5c7d2e111142228333444455556666", false),
            ("{0b5c7d2e-1111-4222-8333-444455556666}", false),
            ("urn:uuid:0b5c7d2e-1111-4222-8333-444455556666", false),
            ("0b5c7d2e-1111-4222-8333-44445555666-", false),
        ] {
            let body = json!({ "key": form });
            let mut fields = BodyFields::from_body(body);
            assert_eq!(fields.uuid("key").is_some(), is_uuid, "{form}");
            assert_eq!(!parse_id_or_nil(form).is_nil(), is_uuid, "{form}");
        }
    }
}
