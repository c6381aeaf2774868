//! Whether the symbol in the request means the token that the operator means.

use super::{Case, Finding, Rule, short};
use crate::domain::TokenKey;

const RULE: Rule = Rule::Token;

pub(super) fn judge(case: &Case<'_>) -> Vec<Finding> {
    let symbol = short(&case.says.token);
    let held = &case.known.same_symbol;
    let others: Vec<&TokenKey> = held.iter().filter(|token| **token != case.sender.token).collect();
    let mut findings = Vec::new();
    if !others.is_empty() {
        let is_held = others.len() < held.len();
        let words = if is_held {
            format!(
                "The wallet holds {} tokens called {symbol} on {}. The request names the symbol alone, so that it cannot \
                 be said which one would be paid.",
                held.len(),
                case.chain_name()
            )
        } else {
            format!("The wallet holds another token called {symbol} on {} than the one to be paid.", case.chain_name())
        };
        let lines = std::iter::once(&case.sender.token).chain(others).map(contract);
        findings.push(Finding::stop(RULE, words).with(lines));
    }
    if case.known.imitates {
        findings.push(
            Finding::danger(
                RULE,
                "not the listed token",
                format!(
                    "{symbol} is not the token that the service lists under a name like this one. Somebody made it to be \
                     taken for it."
                ),
            )
            .with([contract(&case.sender.token)]),
        );
    }
    findings
}

fn contract(token: &TokenKey) -> String {
    token.contract.as_ref().map_or_else(|| "the chain's own coin".to_owned(), ToString::to_string)
}
