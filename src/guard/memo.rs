//! Whether the chain's deposits commonly need a memo or tag, which no request of this service can carry.

use super::{Case, Finding, Rule};
use crate::domain::MemoRule;
use crate::domain::chain::memo_rule;

const RULE: Rule = Rule::Memo;

pub(super) fn judge(case: &Case<'_>) -> Vec<Finding> {
    let chain = case.chain_name();
    match memo_rule(&case.says.blockchain) {
        Some(MemoRule::None) => Vec::new(),
        Some(MemoRule::Common) => vec![Finding::danger(
            RULE,
            "no tag needed",
            format!(
                "Deposits on {chain} commonly need a memo or tag, and this payment cannot carry one. Without it an exchange \
                 cannot tell whose money it is."
            ),
        )],
        None => vec![Finding::caution(
            RULE,
            format!(
                "Whether deposits on {chain} need a memo or tag is not known here, and this payment cannot carry one."
            ),
        )],
    }
}
