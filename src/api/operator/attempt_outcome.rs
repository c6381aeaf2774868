//! The result of an attempt: the table of outcomes.
//!
//! | Response | Outcome |
//! |---|---|
//! | no connection: name, address or TLS failed | not sent |
//! | anything that ends without a whole answer | unknown |
//! | 2xx, JSON, `success` is true, `data` is an object that names no other idempotency key | accepted |
//! | any other 2xx | unknown |
//! | 400, 404, 422 with the service's error body and the same status in it | declined: refused once a read agrees |
//! | the same with a message about a used key or reference, a duplicate, or something already done | unknown |
//! | 400, 404, 422 like that to a request that moves no money | refused |
//! | 408, 409, 425, 1xx, 3xx, 5xx | unknown |
//! | any other 4xx | probably refused |
//!
//! An answer counts only for the request that was sent; an error that names another path is not the answer to it.

use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::{CONTENT_TYPE, HeaderMap, LOCATION};
use serde_json::value::RawValue;

use super::response_check;
use crate::api::client::root_cause;
use crate::api::envelope::{Payload, clean_and_shorten, error_message};
use crate::api::fields::Fields;
use crate::api::retry_after::retry_after;
use crate::api::v1::{records, sandbox, sub_wallets, swaps};
use crate::api::v2::{accounts, transactions, users, wallets};
use crate::api::{WireNames, body};
use crate::domain::comparison::ExpectedReport;
use crate::domain::draft::{AnswerObject, Operation};
use crate::domain::order::RequestBytes;
use crate::domain::outcome::{AttemptResult, CreatedObject, ObservedTransaction, Outcome};
use crate::domain::{Failure, FailureReason, Text, TransactionId};

/// The most bytes of an answer that are recorded.
const MAX_RAW_BYTES: usize = 64 * 1024;

/// The longest `Retry-After` that is honoured.
const LONGEST_WAIT: Duration = Duration::from_mins(5);

/// A whole answer, with all secrets redacted.
pub(super) struct ResponseView<'a> {
    pub(super) status: StatusCode,
    pub(super) headers: &'a HeaderMap,
    pub(super) body: &'a str,
    /// The deepest nesting of objects and lists.
    pub(super) max_depth: usize,
}

/// No byte of the request left, because of `reason`.
pub(super) fn not_sent(reason: &str) -> AttemptResult {
    attempt_result(Outcome::NotSent, None, &format!("nothing was sent: {reason}"))
}

/// No answer came.
pub(super) fn from_transport_error(error: &reqwest::Error) -> AttemptResult {
    let cause = clean_and_shorten(&root_cause(error));
    if error.is_builder() {
        return not_sent(&format!("the request cannot be built: {cause}"));
    }
    if error.is_connect() {
        let problem = if error.is_timeout() { "no connection in time" } else { "no connection" };
        return not_sent(&format!("{problem}: {cause}"));
    }
    let result_message = if error.is_timeout() {
        "the request was sent, and no answer came in time".to_owned()
    } else {
        format!("the request was sent, and the connection was lost before an answer came: {cause}")
    };
    attempt_result(Outcome::Unknown, None, &result_message)
}

/// An answer began and was not read to its end. Its status proves nothing then: the missing part might.
pub(super) fn from_truncated_response(status: StatusCode, failure: &Failure) -> AttemptResult {
    let how = match failure.reason {
        FailureReason::TimedOut => "the answer was not complete in time".to_owned(),
        FailureReason::TooLarge => format!("the answer is too large ({})", failure.detail),
        _ => format!("the answer was cut off or cannot be read ({})", failure.detail),
    };
    attempt_result(Outcome::Unknown, Some(status), &format!("answered {}, but {how}", status.as_u16()))
}

pub(super) fn from_response(
    frozen: &RequestBytes,
    expected: &ExpectedReport<'_>,
    reply: &ResponseView<'_>,
    wire: &WireNames,
) -> AttemptResult {
    let judged = if reply.status.is_success() {
        judge_success(frozen, expected, reply, wire)
    } else if reply.status.is_client_error() {
        judge_client_error(frozen, reply)
    } else {
        attempt_result(Outcome::Unknown, Some(reply.status), &inconclusive_message(reply))
    };
    let raw = reply.body.get(..reply.body.floor_char_boundary(MAX_RAW_BYTES)).unwrap_or_default();
    AttemptResult { raw: (!raw.is_empty()).then(|| raw.to_owned()), ..judged }
}

fn judge_success(
    frozen: &RequestBytes,
    expected: &ExpectedReport<'_>,
    reply: &ResponseView<'_>,
    wire: &WireNames,
) -> AttemptResult {
    let code = reply.status.as_u16();
    let data = check_content_type(reply).and_then(|()| {
        let check = || {
            body::check_depth(reply.body, reply.max_depth)?;
            Payload::parse(reply.body)?.success_object()
        };
        check().map_err(|failure| failure.detail.to_string())
    });
    let data = match data {
        Ok(data) => data,
        Err(reason) => {
            let result_message = format!("answered {code}, but not in the form of the service: {reason}");
            return attempt_result(Outcome::Unknown, Some(reply.status), &result_message);
        }
    };
    let differences = response_check::answer_differences(frozen, expected, &data, wire);
    if let Some(key) = response_check::foreign_idempotency_key(frozen, &data) {
        let result_message = format!(
            "answered {code}, but to another request (idempotency key {key}), which says nothing about this request"
        );
        return AttemptResult { differences, ..attempt_result(Outcome::Unknown, Some(reply.status), &result_message) };
    }
    let created = parse_created(frozen.operation, &data);
    let costs = response_check::excess_costs(frozen, expected, &data);
    let status = match &created {
        Some(CreatedObject::Transaction(ObservedTransaction { status: Some(status), .. })) => {
            format!(", status {}", status.word())
        }
        _ => String::new(),
    };
    AttemptResult {
        created,
        differences,
        cost_alarms: costs,
        ..attempt_result(Outcome::Accepted, Some(reply.status), &format!("accepted ({code}{status})"))
    }
}

/// Accepts an answer whose content type is JSON or missing.
fn check_content_type(reply: &ResponseView<'_>) -> Result<(), String> {
    let Some(content_type) = reply.headers.get(CONTENT_TYPE) else { return Ok(()) };
    let kind = String::from_utf8_lossy(content_type.as_bytes());
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let json = kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"));
    if json || kind.is_empty() { Ok(()) } else { Err(format!("it is {}, not JSON", clean_and_shorten(&kind))) }
}

fn parse_created(operation: Operation, data: &Fields<'_>) -> Option<CreatedObject> {
    let transaction_if_any =
        |observed| (observed != ObservedTransaction::default()).then_some(CreatedObject::Transaction(observed));
    match operation.answer_object() {
        AnswerObject::Transaction => transaction_if_any(transactions::parse_observed_transaction(data)),
        AnswerObject::V1Transaction => transaction_if_any(records::parse_observed_transaction(data)),
        AnswerObject::Swap => transaction_if_any(swaps::parse_observed_transaction(data)),
        AnswerObject::User => users::parse_user(data).map(CreatedObject::User),
        AnswerObject::SubWallet => {
            sub_wallets::parse_sub_wallet(data).map(|sub_wallet| CreatedObject::User(sub_wallet.user))
        }
        AnswerObject::Account => accounts::parse_account(data).map(CreatedObject::Account),
        AnswerObject::Wallet => wallets::parse_wallet(data).map(CreatedObject::Wallet),
        AnswerObject::Address => sandbox::parse_address(data).map(CreatedObject::Address),
        AnswerObject::SimulatedDeposit => data.text("depositId").map(|id| {
            let transaction = Some(TransactionId::from_text(&id));
            CreatedObject::Transaction(ObservedTransaction { transaction, ..ObservedTransaction::default() })
        }),
    }
}

fn judge_client_error(frozen: &RequestBytes, reply: &ResponseView<'_>) -> AttemptResult {
    let code = reply.status.as_u16();
    let error = ErrorBody::of(reply);
    let service_message = error.message.as_deref().unwrap_or("without the service's error body");
    let outcome = match code {
        408 | 409 | 425 => {
            return attempt_result(Outcome::Unknown, Some(reply.status), &inconclusive_message(reply));
        }
        // A proxy may have delivered this very request before.
        400 | 404 | 422 if error.is_refusal_of(frozen, code) && mentions_duplicate_request(frozen, service_message) => {
            let result_message =
                format!("answered {code}, which leaves open whether an earlier copy was executed: “{service_message}”");
            return attempt_result(Outcome::Unknown, Some(reply.status), &result_message);
        }
        400 | 404 | 422 if error.is_refusal_of(frozen, code) => {
            if frozen.operation.moves_money() {
                Outcome::Declined
            } else {
                Outcome::Refused
            }
        }
        429 => {
            let wait = retry_after(reply.headers).map(|wait| wait.min(LONGEST_WAIT));
            Outcome::ProbablyRefused { wait }
        }
        _ => Outcome::ProbablyRefused { wait: None },
    };
    let hint = recipient_name_hint(frozen, service_message).unwrap_or_default();
    let verb = if matches!(outcome, Outcome::Refused | Outcome::Declined) { "rejected" } else { "answered" };
    attempt_result(outcome, Some(reply.status), &format!("{verb} ({code}): {service_message}{hint}"))
}

/// Whether a refusal mentions another copy of the request: its key or reference (version 1 takes that for a key) as
/// used, a duplicate, or something already done. A request without a key that moves no money can only be traced by a
/// person, who reads the message.
fn mentions_duplicate_request(frozen: &RequestBytes, service_message: &str) -> bool {
    const SIGNS: [&str; 8] = ["idempoten", "clienttxid", "extid", "duplicat", "already", "beenused", "inuse", "reuse"];
    let letters: String =
        service_message.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    (frozen.operation.moves_money() || frozen.key.is_some()) && SIGNS.iter().any(|sign| letters.contains(sign))
}

struct ErrorBody {
    message: Option<String>,
    status: Option<u64>,
    path: Option<Text>,
}

impl ErrorBody {
    fn of(reply: &ResponseView<'_>) -> Self {
        let sound = body::check_depth(reply.body, reply.max_depth).is_ok();
        let whole: Option<&RawValue> = serde_json::from_str(reply.body).ok().filter(|_| sound);
        let Some(fields) = whole.and_then(Fields::from_raw) else {
            return Self { message: None, status: None, path: None };
        };
        Self { message: error_message(&fields), status: fields.integer("statusCode"), path: fields.text("path") }
    }

    /// Whether it is the service's own refusal of this request: it has the shape, the status of the answer, and the
    /// path of the request, if it names one.
    fn is_refusal_of(&self, frozen: &RequestBytes, code: u16) -> bool {
        let path = self.path.as_deref().map(|path| path.split(['?', '#']).next().unwrap_or_default());
        let path_fits = path.is_none_or(|path| path.trim_end_matches('/').ends_with(&frozen.path));
        self.message.is_some() && self.status == Some(u64::from(code)) && path_fits
    }
}

/// The message for an answer that leaves open whether the request was executed.
fn inconclusive_message(reply: &ResponseView<'_>) -> String {
    let code = reply.status.as_u16();
    if reply.status.is_redirection() {
        let target = reply.headers.get(LOCATION).and_then(|to| to.to_str().ok()).unwrap_or("somewhere else");
        return format!("answered {code}: redirects to {}, which is never followed", clean_and_shorten(target));
    }
    let service_message = ErrorBody::of(reply).message;
    let service_message = service_message.map_or_else(
        || "without the service's error body".to_owned(),
        |service_message| format!("“{service_message}”"),
    );
    format!("answered {code}, which leaves open whether it was executed: {service_message}")
}

/// A hint for the profile where the service expects the recipient under another of its known names.
fn recipient_name_hint(frozen: &RequestBytes, service_message: &str) -> Option<String> {
    if frozen.operation != Operation::Withdraw {
        return None;
    }
    let is_named = |name: &&&str| {
        service_message.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == **name)
            && !frozen.body.contains(&format!("\"{name}\":"))
    };
    let other = WireNames::RECIPIENT_NAMES.iter().find(is_named)?;
    Some(format!(
        "; this service seems to take the recipient as {other}: write withdrawal_address = \"{other}\" under [wire] in \
         the profile, and draft a new payment once this order is closed as rejected"
    ))
}

fn attempt_result(outcome: Outcome, status: Option<StatusCode>, result_message: &str) -> AttemptResult {
    AttemptResult {
        outcome,
        status: status.map(|status| status.as_u16()),
        message: Text::clean(result_message),
        raw: None,
        created: None,
        differences: Vec::new(),
        cost_alarms: Vec::new(),
    }
}
