//! Whether the recipient is one of one's own wallets.

use super::{Case, Finding, Own, Rule, short};
use crate::domain::address::same;
use crate::domain::chain;

const RULE: Rule = Rule::OwnWallet;

pub(super) fn judge(case: &Case<'_>) -> Vec<Finding> {
    let to = case.says.to.as_str();
    let own: Vec<&Own> = case.known.own.iter().filter(|own| same(&own.address, to)).collect();
    let paying = case.sender.address.as_deref().or_else(|| {
        let paying = case.known.own.iter().find(|own| own.wallet == case.says.wallet);
        paying.map(|own| own.address.as_str())
    });
    if paying.is_some_and(|paying| same(paying, to)) {
        return vec![Finding::stop(RULE, "This is the address of the paying wallet itself.".into())];
    }
    let mut findings = Vec::new();
    let name = |own: &Own| match &own.name {
        Some(name) => format!("your wallet “{}”", short(name)),
        None => format!("your wallet {}", short(own.wallet.as_str())),
    };
    if let Some(here) = own.iter().find(|own| chain::same(&own.blockchain, &case.says.blockchain)) {
        findings.push(Finding::note(RULE, format!("This is {}.", name(here))));
    } else if let Some(elsewhere) = own.first() {
        // The wallets of this service are contracts: that one stands there says nothing of another chain.
        findings.push(Finding::danger(
            RULE,
            "other chain",
            format!(
                "This is {} on {}. On {} no wallet of yours is known at this address, and what arrives there may be lost.",
                name(elsewhere),
                short(chain::display_name(&elsewhere.blockchain)),
                case.chain_name()
            ),
        ));
    }
    if paying.is_none() {
        findings.push(Finding::caution(
            RULE,
            "The address of the paying wallet is not known, so this may be the paying wallet itself.".into(),
        ));
    }
    findings
}
