//! The policy page: the limits of payments and what is left of them, and who may be paid.

mod lines;
mod payment_limit;

use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::overlays::record::AnyRecord;
use crate::app::request_id::RequestId;
use crate::domain::Failure;
use crate::guard::LimitUsage;
pub(in crate::app) use lines::policy_lines;
pub(in crate::app) use payment_limit::{PaymentLimit, payment_limit};

/// What was counted towards the limits of the profile's policy.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LimitCounts {
    request_id: RequestId,
    /// In the order of the policy; `None` before the first count.
    usage: Option<Result<Vec<LimitUsage>, Failure>>,
}

/// Shows the policy, and counts again what was paid.
pub(in crate::app) fn open_policy(model: &mut Model) -> Vec<Effect> {
    model.show_mode(Mode::Record { record: Box::new(AnyRecord::Policy), top: 0 });
    count_limits(model)
}

/// Counts what was paid towards the limits, unless there are none.
pub(in crate::app) fn count_limits(model: &mut Model) -> Vec<Effect> {
    if model.journal.policy.limits.is_empty() {
        return Vec::new();
    }
    vec![Effect::CountLimits(model.journal.limit_counts.request_id.advance())]
}

/// Counts again where the figures are on screen, after orders changed.
pub(in crate::app) fn recount_shown_limits(model: &mut Model) -> Vec<Effect> {
    let is_policy = matches!(&model.mode, Mode::Record { record, .. } if **record == AnyRecord::Policy);
    if is_policy || matches!(model.mode, Mode::Form(_)) { count_limits(model) } else { Vec::new() }
}

pub(in crate::app) fn apply_counts(model: &mut Model, request_id: RequestId, result: Result<Vec<LimitUsage>, Failure>) {
    if model.journal.limit_counts.request_id == request_id {
        model.journal.limit_counts.usage = Some(result);
    }
}
