//! Whether the recipient is a wallet of the business.

use super::{Finding, GuardedPayment, Override, OwnAddress, Rule, truncate_word};
use crate::domain::address::is_same_address;
use crate::domain::chain;

const RULE: Rule = Rule::OwnWallet;

pub(super) fn judge(case: &GuardedPayment<'_>) -> Vec<Finding> {
    let to = case.request.to.as_str();
    let own: Vec<&OwnAddress> =
        case.facts.own_addresses.iter().filter(|own| is_same_address(&own.address, to)).collect();
    let paying = case.sender.address.as_deref().or_else(|| {
        let paying = case.facts.own_addresses.iter().find(|own| own.wallet == case.request.wallet);
        paying.map(|own| own.address.as_str())
    });
    if paying.is_some_and(|paying| is_same_address(paying, to)) {
        return vec![Finding::stop(RULE, "This is the address of the paying wallet itself.".into())];
    }
    let mut findings = Vec::new();
    let name = |own: &OwnAddress| match &own.name {
        Some(name) => format!("your wallet “{}”", truncate_word(name)),
        None => format!("your wallet {}", truncate_word(own.wallet.as_str())),
    };
    if let Some(same_chain_wallet) =
        own.iter().find(|own| chain::is_same_chain(&own.blockchain, &case.request.blockchain))
    {
        findings.push(Finding::note(RULE, format!("This is {}.", name(same_chain_wallet))));
    } else if let Some(elsewhere) = own.first() {
        // The wallets of this service are contracts: one that exists here proves nothing about another chain.
        findings.push(Finding::danger(
            RULE,
            Override::OtherChain,
            format!(
                "This is {} on {}. On {} none of your wallets is known at this address, and money sent there may be lost.",
                name(elsewhere),
                truncate_word(chain::chain_display_name(&elsewhere.blockchain)),
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

#[cfg(test)]
mod tests {
    use super::super::tests::{OTHER, PAYING, Payment, SUPPLIER, own_address};
    use super::*;
    use crate::guard::Severity;

    #[test]
    fn the_paying_wallet_itself_is_stopped_however_it_is_cased() {
        assert_eq!(Payment::to(&PAYING.to_lowercase()).max_severity(RULE), Some(Severity::Stop));
        // Known from the directory alone.
        let mut payment = Payment::to(PAYING);
        payment.sender.address = None;
        assert_eq!(payment.max_severity(RULE), Some(Severity::Stop));
        // The same address on another chain is the paying wallet's all the same.
        payment.facts.own_addresses = vec![own_address("twin", PAYING, "base")];
        payment.sender.address = Some(PAYING.into());
        assert_eq!(payment.max_severity(RULE), Some(Severity::Stop));
    }

    #[test]
    fn another_own_wallet_is_noted_by_name() {
        let mut payment = Payment::to(OTHER);
        payment
            .facts
            .own_addresses
            .extend([own_address("ops", OTHER, "base"), own_address("payroll", OTHER, "ethereum-mainnet")]);
        assert_eq!(payment.messages_of(RULE), [(Severity::Note, "This is your wallet “payroll purse”.".to_owned())]);
    }

    #[test]
    fn an_own_wallet_of_another_chain_is_a_danger() {
        let mut payment = Payment::to(OTHER);
        payment.facts.own_addresses.push(own_address("ops", OTHER, "base"));
        let finding = payment.single_finding(RULE);
        assert_eq!((finding.severity, finding.override_phrase), (Severity::Danger, Some("other chain")));
        assert!(
            finding.message.starts_with("This is your wallet “ops purse” on Base. On Ethereum none of your wallets")
        );
    }

    #[test]
    fn without_the_paying_wallets_address_it_cannot_be_told() {
        let mut payment = Payment::to(SUPPLIER);
        payment.sender.address = None;
        payment.facts.own_addresses.clear();
        assert_eq!(payment.max_severity(RULE), Some(Severity::Caution));
    }
}
