//! Whether the recipient's address can be one at all, and how surely.

use super::{Case, Finding, Rule, short};
use crate::domain::address::{recognise, solana};
use crate::domain::{Address, AddressError, Family, Sureness};

const RULE: Rule = Rule::Address;

pub(super) fn judge(case: &Case<'_>) -> Vec<Finding> {
    let to = case.says.to.as_str();
    let chain = case.chain_name();
    if let Some(stranger) = stranger(to) {
        return vec![stranger];
    }
    let kind = recognise(to);
    if kind.is_some_and(|kind| kind.carries_tag) {
        let name = kind.map_or("an", |kind| kind.name);
        return vec![Finding::stop(
            RULE,
            format!(
                "This is {name} address that carries a tag inside. The tag would be lost: no request can pass it on."
            ),
        )];
    }
    let Some(family) = case.family() else {
        let looks = kind.map_or(String::new(), |kind| format!(" It looks like {} address.", kind.name));
        return vec![Finding::caution(
            RULE,
            format!(
                "The format of the address was not checked: how {chain} writes addresses is not known here.{looks}"
            ),
        )];
    };
    let address = match Address::check(family, to) {
        Ok(address) => address,
        Err(error) => return vec![wrong(&error, family, to, &chain)],
    };
    let mut findings = Vec::new();
    match (address.sureness(), family) {
        (Sureness::Checksum, _) => {}
        (Sureness::FormOnly, Family::Evm) => findings.push(Finding::caution(
            RULE,
            "The address is written in one case and so has no checksum: a wrong digit in it would not be noticed."
                .into(),
        )),
        (Sureness::FormOnly, Family::Solana) => findings.push(Finding::note(
            RULE,
            format!("Addresses on {chain} carry no checksum: a wrong character in it may not be noticed."),
        )),
    }
    if family == Family::Solana && !solana::is_on_curve(to) {
        findings.push(Finding::caution(
            RULE,
            "No key can belong to this address: it is made by a program, as those of token accounts are. \
             Ask the recipient for the wallet's own address."
                .into(),
        ));
    }
    findings
}

/// What no address of any chain holds, named by its code point so that an invisible one is seen too.
fn stranger(to: &str) -> Option<Finding> {
    let (index, character) = to.chars().enumerate().find(|(_, character)| !character.is_ascii_graphic())?;
    let position = index + 1;
    let words = if character == char::REPLACEMENT_CHARACTER {
        format!(
            "An invisible or control character stands at place {position} of the address. Copy it again from its source."
        )
    } else {
        AddressError::Foreign { position, code: u32::from(character) }.to_string() + "."
    };
    Some(Finding::stop(RULE, capitalised(&words)))
}

fn wrong(error: &AddressError, family: Family, to: &str, chain: &str) -> Finding {
    let own = if family == Family::Evm { "an EVM" } else { "a Solana" };
    if let Some(kind) = recognise(to).filter(|kind| kind.name != own) {
        return Finding::stop(
            RULE,
            format!("This is {} address; the payment goes out on {}.", kind.name, short(chain)),
        );
    }
    let wrong = capitalised(&error.to_string());
    Finding::stop(RULE, format!("This is no address on {}. {wrong}.", short(chain)))
}

fn capitalised(words: &str) -> String {
    let mut rest = words.chars();
    rest.next().map(|first| first.to_uppercase().chain(rest).collect()).unwrap_or_default()
}
