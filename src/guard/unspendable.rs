//! Addresses from which funds never return: zero, burn, system and precompile addresses, and token contracts.

mod known_addresses;

use super::{Finding, GuardedPayment, Override, Rule, truncate_word};
use crate::domain::address::{bitcoin, evm, is_same_address, recognise_address_kind, ton};
use crate::domain::chain::chain_display_name;
use crate::domain::{Address, Family};

const RULE: Rule = Rule::Unspendable;

pub(super) fn judge(case: &GuardedPayment<'_>) -> Vec<Finding> {
    let to = case.request.to.as_str();
    let contract = |message: String| vec![Finding::stop(RULE, message + " Money sent there cannot be recovered.")];
    if case.sender.token.contract.as_ref().is_some_and(|own| is_same_address(own, to)) {
        return contract(format!("This is the contract of {} itself.", truncate_word(&case.request.token)));
    }
    let token = case
        .facts
        .contracts
        .iter()
        .find(|(_, key)| key.contract.as_ref().is_some_and(|token_contract| is_same_address(token_contract, to)));
    if let Some((symbol, key)) = token {
        let chain = truncate_word(chain_display_name(&key.blockchain));
        return contract(format!("This is the contract of the token {} on {chain}.", truncate_word(symbol)));
    }
    if let Some((symbol, _)) = known_addresses::TOKEN_CONTRACTS.iter().find(|(_, address)| is_same_address(address, to))
    {
        return contract(format!("This is the contract of the token {symbol}."));
    }
    if let Some((description, _)) =
        known_addresses::SPECIAL_ADDRESSES.iter().find(|(_, address)| is_same_address(address, to))
    {
        return vec![Finding::stop(RULE, format!("This is {description}: nobody can spend what is sent there."))];
    }
    if bitcoin::is_anyone_can_spend(to) {
        let message = "No key protects this Bitcoin address: anybody can take what is sent there.";
        return vec![Finding::stop(RULE, message.into())];
    }
    // The address's form shows its family, also where the chain is unknown.
    let description = if Address::parse(Family::Evm, &to.to_ascii_lowercase()).is_ok() {
        special_on_evm(to)
    } else if recognise_address_kind(to).is_some() && Address::parse(Family::Solana, to).is_ok() {
        // Some bech32 addresses also have the form of a Solana address.
        special_on_solana(to).or_else(|| special_by_account(to))
    } else {
        special_by_account(to)
    };
    let stop =
        |account_kind| Finding::stop(RULE, format!("This is {account_kind}: nobody can spend what is sent there."));
    if description.is_none() && ton::is_masterchain(to) {
        let message = "This address is in the workchain of TON's validators, where hardly anybody has a wallet. Ask the \
                     recipient for an address that begins with EQ or UQ, or with 0: in its raw form.";
        return vec![Finding::danger(RULE, Override::Validators, message.into())];
    }
    description.map(stop).into_iter().collect()
}

/// Recognises unowned addresses in the families whose accounts are bytes with a prefix or a checksum.
fn special_by_account(to: &str) -> Option<&'static str> {
    let family = recognise_address_kind(to).and_then(|kind| kind.family)?;
    let bytes = Address::parse(family, to).ok()?.account_bytes()?;
    let digits = hex::encode(&bytes);
    let first = digits.bytes().next()?;
    // As on EVM: no key can be found for so many zeros, or for one digit repeated throughout.
    match bytes.iter().take_while(|byte| **byte == 0).count() {
        zeros if zeros == bytes.len() => Some("the zero address"),
        12.. => Some("a burn address or system account"),
        _ if digits.bytes().all(|digit| digit == first) => Some("a burn address or system account"),
        _ => None,
    }
}

fn special_on_evm(to: &str) -> Option<&'static str> {
    let digits = evm::hex_digits(to);
    let bytes = hex::decode(digits).ok()?;
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let first = digits.bytes().next()?;
    // No key can be found for an address with twelve leading zero bytes; precompiles and system contracts have such
    // addresses.
    match zeros {
        20 => return Some("the zero address"),
        18.. if bytes.ends_with(&[0xde, 0xad]) => return Some("the burn address"),
        18.. => return Some("a system contract or precompile"),
        12.. => return Some("a burn address or system contract"),
        _ if digits.bytes().all(|digit| digit.eq_ignore_ascii_case(&first)) => return Some("a burn address"),
        _ => {}
    }
    let lower = digits.to_ascii_lowercase();
    if lower.starts_with("dead") && lower.trim_start_matches("dead").trim_start_matches('0').len() <= 4 {
        return Some("a burn address");
    }
    // Predeployed contracts of OP Stack chains.
    (lower.starts_with("420000000000000000000000000000000000")).then_some("a system contract of the chain")
}

/// Names of programs, sysvars and native mints end in a run of ones, for which no key can be found.
fn special_on_solana(to: &str) -> Option<&'static str> {
    let ones = to.len() - to.trim_end_matches('1').len();
    if ones == to.len() {
        return Some("the system program");
    }
    (ones >= 10).then_some(if to.starts_with("Sysvar") { "a sysvar" } else { "a program or system account" })
}

#[cfg(test)]
mod tests;
