//! Whether the chain's deposits commonly need a memo or tag, which no request of this service can carry.

use super::{Case, Finding, Rule, short};
use crate::domain::MemoRule;
use crate::domain::chain::memo_rule;

const RULE: Rule = Rule::Memo;

pub(super) fn judge(case: &Case<'_>) -> Vec<Finding> {
    let chain = case.chain_name();
    let known = case.known.book.at(&case.says.to, &case.says.blockchain);
    if let Some((known, tag)) = known.and_then(|known| Some((known, known.contact.tag.as_ref()?))) {
        let words =
            "Your address book says that deposits of this recipient need a tag, and this payment cannot carry one.";
        let lines = [format!("name  {}", short(&known.contact.name)), format!("tag   {}", short(tag))];
        return vec![Finding::stop(RULE, words.into()).with(lines)];
    }
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

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::super::tests::{Payment, SUPPLIER};
    use super::*;
    use crate::guard::Severity;

    #[rstest]
    #[case("xrp", Some((Severity::Danger, Some("no tag needed"))))]
    #[case("XRP-mainnet", Some((Severity::Danger, Some("no tag needed"))))]
    #[case("the-open-network", Some((Severity::Danger, Some("no tag needed"))))]
    #[case("stellar_testnet", Some((Severity::Danger, Some("no tag needed"))))]
    #[case("quickchain", Some((Severity::Caution, None)))]
    #[case("ethereum", None)]
    #[case("solana-devnet", None)]
    fn a_tag_that_cannot_be_sent_is_a_danger(
        #[case] chain: &str,
        #[case] expected: Option<(Severity, Option<&'static str>)>,
    ) {
        let findings = Payment::to(SUPPLIER).on(chain).findings();
        let found = findings.iter().find(|finding| finding.rule == RULE);
        assert_eq!(found.map(|finding| (finding.severity, finding.overridden_by)), expected);
    }
}
