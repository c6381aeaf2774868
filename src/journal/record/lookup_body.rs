//! The journal's JSON of a lookup of an order in the service's history.

use serde::{Deserialize, Serialize};

use super::answer_body::ObservedTransactionBody;
use super::fields::BODY_VERSION;
use crate::domain::order::HistoryLookup;
use crate::domain::outcome::RecipientObservation;
use crate::domain::{Text, TransactionId};

#[derive(Serialize, Deserialize)]
pub(super) struct HistoryLookupBody {
    v: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    found: Option<ObservedTransactionBody>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    resembles: Option<String>,
    covers: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    differences: Vec<String>,
    /// Where it cost far more than expected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    costs: Vec<String>,
    /// For a batch: the results of single recipients.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    parts: Vec<PartBody>,
    /// Whether it counts as evidence that the order failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    fails: bool,
    /// How it contradicts the way in which the order was closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    contradicts: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct PartBody {
    /// The index in the request, counted from 0.
    recipient: u32,
    seen: ObservedTransactionBody,
}

impl From<&HistoryLookup> for HistoryLookupBody {
    fn from(look: &HistoryLookup) -> Self {
        let HistoryLookup {
            observed: found,
            similar_transaction: resembles,
            is_complete: covers,
            differences,
            cost_alarms: costs,
            recipient_reports: parts,
            shows_failure: fails,
            contradiction: contradicts,
        } = look;
        let part = |part: &RecipientObservation| PartBody { recipient: part.recipient, seen: (&part.observed).into() };
        Self {
            v: BODY_VERSION,
            found: found.as_ref().map(Into::into),
            resembles: resembles.as_ref().map(ToString::to_string),
            covers: *covers,
            differences: differences.iter().map(ToString::to_string).collect(),
            costs: costs.iter().map(ToString::to_string).collect(),
            parts: parts.iter().map(part).collect(),
            fails: *fails,
            contradicts: contradicts.as_ref().map(ToString::to_string),
        }
    }
}

impl From<HistoryLookupBody> for HistoryLookup {
    fn from(body: HistoryLookupBody) -> Self {
        let HistoryLookupBody { found, resembles, covers, differences, costs, parts, fails, contradicts, .. } = body;
        let part = |PartBody { recipient, seen }| RecipientObservation { recipient, observed: seen.into() };
        Self {
            observed: found.map(Into::into),
            similar_transaction: resembles.map(|id| TransactionId::from_text(&id)),
            is_complete: covers,
            differences: differences.iter().map(|text| Text::clean(text)).collect(),
            cost_alarms: costs.iter().map(|text| Text::clean(text)).collect(),
            recipient_reports: parts.into_iter().map(part).collect(),
            shows_failure: fails,
            contradiction: contradicts.map(|text| Text::clean(&text)),
        }
    }
}
