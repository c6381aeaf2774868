//! Envelopes of answers: for success, for lists, and the error body.

use chrono::DateTime;
use reqwest::StatusCode;
use reqwest::header::{DATE, HeaderMap, LOCATION};
use serde_json::value::RawValue;

use super::fields::Fields;
use super::json_scalars;
use super::retry_after::retry_after;
use crate::domain::history::Page;
use crate::domain::{Failure, FailureReason, Text, Timestamp};

pub(super) struct Payload<'a> {
    data: &'a RawValue,
    success: Option<bool>,
    page_no: Option<u64>,
    page_limit: Option<u64>,
    total_page: Option<u64>,
}

impl<'a> Payload<'a> {
    pub(super) fn parse(body: &'a str) -> Result<Self, Failure> {
        let no_json = |error: serde_json::Error| {
            not_understood_failure(&match body.trim_start().bytes().next() {
                Some(b'<') => "a web page came instead of JSON".to_owned(),
                _ if error.is_data() => "neither an envelope nor a list".to_owned(),
                _ => format!("not JSON: {error}"),
            })
        };
        if body.trim_start().starts_with('[') {
            let data = serde_json::from_str(body).map_err(no_json)?;
            return Ok(Self { data, success: None, page_no: None, page_limit: None, total_page: None });
        }
        let envelope: Fields<'a> = serde_json::from_str(body).map_err(no_json)?;
        let success = envelope.flag("success");
        let refused = success == Some(false);
        match envelope.get("data") {
            Some(data) if !refused => Ok(Self {
                data,
                success,
                page_no: envelope.integer("pageNo"),
                page_limit: envelope.integer("pageLimit"),
                total_page: envelope.integer("totalPage"),
            }),
            _ => {
                let message = error_message(&envelope);
                let reason = message.as_deref().and_then(key_rejection_reason).unwrap_or(FailureReason::NotUnderstood);
                let problem = if refused { "success is false" } else { "the envelope has no data" };
                Err(Failure::from_read(
                    reason,
                    &message.map_or(problem.to_owned(), |message| format!("{problem}: {message}")),
                ))
            }
        }
    }

    /// The one object inside an answer that explicitly reports success: for a change, a missing `success` is not
    /// enough.
    pub(super) fn success_object(&self) -> Result<Fields<'a>, Failure> {
        if self.success == Some(true) {
            self.object()
        } else {
            Err(not_understood_failure("the answer does not confirm success"))
        }
    }

    pub(super) fn object(&self) -> Result<Fields<'a>, Failure> {
        Fields::from_raw(self.data).ok_or_else(|| not_understood_failure("data is not an object"))
    }

    pub(super) fn list(&self) -> Result<Vec<&'a RawValue>, Failure> {
        serde_json::from_str(self.data.get()).map_err(|_| not_understood_failure("data is not a list"))
    }

    /// The list inside, each entry parsed by `read`; entries for which it returns `None` are counted as unreadable.
    pub(super) fn page<T>(&self, read: impl Fn(&Fields<'a>) -> Option<T>) -> Result<Page<T>, Failure> {
        // A list of objects only, the usual case, is parsed at once.
        match serde_json::from_str::<Vec<Fields<'a>>>(self.data.get()) {
            Ok(rows) => Ok(self.page_of(rows, |row| read(&row))),
            Err(_) => self.page_of_any(|entry| read(&Fields::from_raw(entry)?)),
        }
    }

    /// The same, where entries may be other than objects.
    pub(super) fn page_of_any<T>(&self, read: impl Fn(&'a RawValue) -> Option<T>) -> Result<Page<T>, Failure> {
        Ok(self.page_of(self.list()?, read))
    }

    /// The same, where the service may send one object instead of a list.
    pub(super) fn page_or_object<T>(&self, read: impl Fn(&Fields<'a>) -> Option<T>) -> Result<Page<T>, Failure> {
        self.page_or_any(|entry| read(&Fields::from_raw(entry)?))
    }

    /// The same, where entries may be other than objects.
    pub(super) fn page_or_any<T>(&self, read: impl Fn(&'a RawValue) -> Option<T>) -> Result<Page<T>, Failure> {
        let rows = if self.data.get().starts_with('{') { vec![self.data] } else { self.list()? };
        Ok(self.page_of(rows, read))
    }

    fn page_of<R, T>(&self, rows: Vec<R>, read: impl Fn(R) -> Option<T>) -> Page<T> {
        let mut items = Vec::with_capacity(rows.len().min(1_000));
        let mut unreadable = 0_u64;
        for row in rows {
            match read(row) {
                Some(item) => items.push(item),
                None => unreadable = unreadable.saturating_add(1),
            }
        }
        let Self { page_no, page_limit, total_page, .. } = *self;
        Page { items, unreadable, page_no, page_limit, total_page }
    }
}

pub(super) fn failure_from_response(status: StatusCode, headers: &HeaderMap, body: &str) -> Failure {
    if status.is_redirection() {
        let target = headers.get(LOCATION).and_then(|to| to.to_str().ok()).unwrap_or_default();
        return Failure::from_read(FailureReason::Redirected, &clean_and_shorten(target));
    }
    let error = serde_json::from_str::<&RawValue>(body).ok().and_then(Fields::from_raw);
    let message = error.as_ref().and_then(error_message);
    let error_code = error.as_ref().and_then(|error| error.integer("statusCode"));
    let reason = match status.as_u16() {
        401 => FailureReason::KeyRejected,
        403 => FailureReason::Forbidden,
        404 => FailureReason::NotFound,
        code @ (429 | 503) => FailureReason::Busy { too_many: code == 429, retry_after: retry_after(headers) },
        _ if error_code == Some(401) => FailureReason::KeyRejected,
        _ if error_code == Some(403) => FailureReason::Forbidden,
        code => {
            let by_words = message.as_deref().filter(|_| status.is_client_error()).and_then(key_rejection_reason);
            by_words.unwrap_or(FailureReason::Refused { status: code })
        }
    };
    let silent = if error.is_some() { "" } else { "without the service's error body" };
    Failure::from_read(reason, message.as_deref().unwrap_or(silent))
}

/// The message of an error body: one text, or several.
pub(super) fn error_message(error: &Fields<'_>) -> Option<String> {
    let message = match error.get("message") {
        Some(raw) if raw.get().starts_with('[') => {
            error.texts("message").iter().map(Text::as_str).collect::<Vec<_>>().join("; ")
        }
        Some(raw) => json_scalars::parse_text(raw)?.into_owned(),
        None => json_scalars::parse_text(error.get("error")?)?.into_owned(),
    };
    (!message.trim().is_empty()).then(|| clean_and_shorten(&message))
}

/// Whether a message is about the key, which services may report with another status than 401 or 403.
fn key_rejection_reason(message: &str) -> Option<FailureReason> {
    let message = message.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
    if says(&["api key", "api-key", "apikey", "unauthorized", "unauthorised", "unauthenticated", "bearer token"]) {
        Some(FailureReason::KeyRejected)
    } else if says(&["forbidden", "insufficient permission", "ip address is not", "ip not allowed"]) {
        Some(FailureReason::Forbidden)
    } else {
        None
    }
}

/// The service's time in an answer.
pub(super) fn response_date(headers: &HeaderMap) -> Option<Timestamp> {
    DateTime::parse_from_rfc2822(headers.get(DATE)?.to_str().ok()?).ok().map(|date| date.to_utc().into())
}

fn not_understood_failure(detail: &str) -> Failure {
    Failure::from_read(FailureReason::NotUnderstood, detail)
}

/// A service's text, cleaned and cut to a line or two.
pub(super) fn clean_and_shorten(text: &str) -> String {
    const LONGEST: usize = 200;
    let text = Text::clean(text);
    if text.chars().count() <= LONGEST {
        return text.to_string();
    }
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}
