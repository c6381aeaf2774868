//! Whether the symbol in the request means the token that the operator means.

use super::facts::GuardedSwap;
use super::{Finding, GuardedPayment, Override, Rule, truncate_word};
use crate::domain::imitation::has_disguised_word;
use crate::domain::{Chain, TokenKey};

const RULE: Rule = Rule::Token;

pub(super) fn judge(case: &GuardedPayment<'_>) -> Vec<Finding> {
    let symbol = truncate_word(&case.request.token);
    let same_symbol_tokens = &case.facts.same_symbol;
    let others: Vec<&TokenKey> = same_symbol_tokens.iter().filter(|token| **token != case.sender.token).collect();
    let mut findings = Vec::new();
    if let Some(elsewhere) = chain_mismatch(case) {
        findings.push(elsewhere);
    }
    if !others.is_empty() {
        let is_in_wallet = others.len() < same_symbol_tokens.len();
        let message = if is_in_wallet {
            format!(
                "The wallet holds {} tokens called {symbol} on {}. The request names only the symbol, so it is not \
                 certain which token would be paid.",
                same_symbol_tokens.len(),
                case.chain_name()
            )
        } else {
            format!(
                "The wallet holds a different token called {symbol} on {}, not the one to be paid.",
                case.chain_name()
            )
        };
        let lines = std::iter::once(&case.sender.token).chain(others).map(contract_label);
        findings.push(Finding::stop(RULE, message).with_lines(lines));
    }
    if case.facts.is_imitation {
        let message = if has_disguised_word(&case.request.token) {
            imitation_message(&symbol)
        } else {
            format!(
                "{symbol} is not the token that the service lists under a similar name. It is an imitation token, made to be \
                 taken for it."
            )
        };
        findings
            .push(Finding::danger(RULE, Override::Imitation, message).with_lines([contract_label(&case.sender.token)]));
    }
    findings
}

/// The finding on the coin that a swap buys.
pub(super) fn judge_bought_coin(case: &GuardedSwap<'_>) -> Vec<Finding> {
    let coin = case.exchange.to;
    let message = has_disguised_word(coin).then(|| imitation_message(&truncate_word(coin)));
    message.map(|message| Finding::danger(RULE, Override::Imitation, message)).into_iter().collect()
}

fn imitation_message(symbol: &str) -> String {
    format!(
        "{symbol} contains letters of another alphabet that look like those of a well-known token. \
         It is an imitation token, made to be taken for that one."
    )
}

/// Whether wallet, token and request are on different chains, as far as these are known here.
fn chain_mismatch(case: &GuardedPayment<'_>) -> Option<Finding> {
    let request_chain = Chain::find(&case.request.blockchain)?;
    let wallet = case.facts.wallet.as_ref().map(|wallet| &wallet.blockchain);
    let others = [("token", Some(&case.sender.token.blockchain)), ("wallet", wallet)];
    let (claim, chain) = others.into_iter().find_map(|(claim, word)| {
        let chain = Chain::find(word?)?;
        (chain != request_chain).then_some((claim, chain))
    })?;
    Some(Finding::stop(
        RULE,
        format!("The {claim} is on {}, and the request names {}.", chain.name, request_chain.name),
    ))
}

fn contract_label(token: &TokenKey) -> String {
    token.contract.as_ref().map_or_else(|| "the chain's own coin".to_owned(), ToString::to_string)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{OTHER, Payment, SUPPLIER, USDC};
    use super::*;
    use crate::guard::Severity;

    #[test]
    fn two_tokens_of_one_symbol_are_stopped_and_both_contracts_shown() {
        let mut payment = Payment::to(SUPPLIER);
        payment.facts.same_symbol.push(TokenKey::new("ethereum", Some(OTHER)));
        let finding = payment.single_finding(RULE);
        assert_eq!(finding.severity, Severity::Stop);
        assert!(
            finding.message.starts_with("The wallet holds 2 tokens called USDC on Ethereum."),
            "{}",
            finding.message
        );
        assert_eq!(finding.lines, [USDC.to_owned(), OTHER.to_lowercase()]);
    }

    #[test]
    fn a_symbol_that_means_another_token_here_is_stopped() {
        let mut payment = Payment::to(SUPPLIER);
        payment.facts.same_symbol = vec![TokenKey::new("ethereum", None)];
        let finding = payment.single_finding(RULE);
        assert_eq!(finding.severity, Severity::Stop);
        assert_eq!(finding.lines, [USDC, "the chain's own coin"]);
    }

    #[test]
    fn wallet_token_and_request_are_on_one_chain() {
        let mut payment = Payment::to(SUPPLIER);
        payment.request.blockchain = "ethereum-sepolia".into();
        assert_eq!(payment.messages_of(RULE), []);
        payment.request.blockchain = "base".into();
        let messages = payment.messages_of(RULE);
        assert_eq!(messages, [(Severity::Stop, "The token is on Ethereum, and the request names Base.".to_owned())]);
        payment.sender.token = TokenKey::new("base", Some(USDC));
        payment.facts.same_symbol = vec![payment.sender.token.clone()];
        let messages = payment.messages_of(RULE);
        assert_eq!(messages, [(Severity::Stop, "The wallet is on Ethereum, and the request names Base.".to_owned())]);
    }

    #[test]
    fn an_imitation_is_a_danger() {
        let mut payment = Payment::to(SUPPLIER);
        payment.facts.is_imitation = true;
        let finding = payment.single_finding(RULE);
        assert_eq!((finding.severity, finding.override_phrase), (Severity::Danger, Some("not the listed token")));
    }

    #[test]
    fn one_token_goes_without_a_word() {
        assert_eq!(Payment::to(SUPPLIER).messages_of(RULE), []);
        let mut payment = Payment::to(SUPPLIER);
        payment.facts.same_symbol.clear();
        assert_eq!(payment.messages_of(RULE), []);
    }
}
