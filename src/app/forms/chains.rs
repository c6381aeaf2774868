//! The chains of a new wallet: one, or several that share an address.
//!
//! The service creates a wallet for one chain with each request, and gives one reference the same address on every EVM
//! chain. Several chains are therefore several requests, reviewed and sent one after the other.

use super::field::FieldId;
use super::form_state::FormState;
use super::lookups::{FieldChoice, Picked};
use crate::app::model::Model;
use crate::domain::chain::chain_display_name;
use crate::domain::network::network_suffix;
use crate::domain::{Chain, Family, Operation, Text};

/// The separator between chains. Names of chains contain blanks.
const CHAIN_SEPARATOR: char = ',';

/// The chains that the service lists; the built-in ones while it lists none.
fn listed_chains(model: &Model) -> Vec<Text> {
    let mut slugs: Vec<Text> = Vec::new();
    for chain in model.data.listed_tokens.iter().flat_map(|token| &token.blockchains) {
        if !slugs.contains(&chain.slug) {
            slugs.push(chain.slug.clone());
        }
    }
    if slugs.is_empty() {
        slugs = Chain::all().iter().map(|chain| Text::clean(chain.slug)).collect();
    }
    slugs
}

pub(super) fn chain_choices(model: &Model, form: &FormState) -> Vec<FieldChoice> {
    let typed = form.value(FieldId::Chain);
    let (before, last) = typed.rsplit_once(CHAIN_SEPARATOR).map_or(("", typed), |(before, last)| (before, last.trim()));
    let before = if before.is_empty() { String::new() } else { format!("{}{CHAIN_SEPARATOR} ", before.trim()) };
    let last = last.to_lowercase();
    let listed_slugs = listed_chains(model);
    // A complete name needs no completion.
    if listed_slugs.iter().any(|slug| slug.to_lowercase() == last) {
        return Vec::new();
    }
    let fits = |slug: &&Text| format!("{slug} {}", chain_display_name(slug)).to_lowercase().contains(&last);
    let choice = |slug: &Text| FieldChoice {
        text: format!("{before}{slug}"),
        name: slug.to_string(),
        detail: chain_display_name(slug).to_owned(),
        picked: Picked::TextOnly,
    };
    listed_slugs.iter().filter(fits).map(choice).collect()
}

/// The chains named in the field, as the service spells them.
pub(super) fn parse_chains(model: &Model, typed: &str) -> Result<Vec<Text>, String> {
    let listed_slugs = listed_chains(model);
    let mut chains: Vec<Text> = Vec::new();
    for name in typed.split(CHAIN_SEPARATOR).map(str::trim) {
        let is_same =
            |slug: &&Text| slug.eq_ignore_ascii_case(name) || chain_display_name(slug).eq_ignore_ascii_case(name);
        let Some(slug) = listed_slugs.iter().find(is_same) else {
            return Err(match name {
                "" => "choose a blockchain: Down and Enter, or type its name".into(),
                _ => "the service lists no such blockchain; choose one with Down and Enter".into(),
            });
        };
        if chains.contains(slug) {
            return Err(format!("{} is listed twice", chain_display_name(slug)));
        }
        chains.push(slug.clone());
    }
    let shares_no_address = |slug: &&Text| Chain::find(slug).is_none_or(|chain| chain.family != Family::Evm);
    match chains.iter().find(shares_no_address) {
        Some(slug) if chains.len() > 1 => {
            Err(format!("{} shares no address with the others: create its wallet separately", chain_display_name(slug)))
        }
        _ => Ok(chains),
    }
}

pub(super) fn check_chains(model: &Model, form: &FormState) -> Result<Option<(String, Picked)>, String> {
    let chains = parse_chains(model, form.value(FieldId::Chain))?;
    let names: Vec<&str> = chains.iter().map(Text::as_str).collect();
    Ok(Some((names.join(", "), Picked::TextOnly)))
}

pub(super) fn has_several_chains(form: &FormState) -> bool {
    form.operation == Operation::CreateWallet && form.value(FieldId::Chain).contains(CHAIN_SEPARATOR)
}

/// The position of the current chain, counted from 1, and the number of chains.
pub(super) fn chain_number_and_count(form: &FormState) -> Option<(usize, usize)> {
    has_several_chains(form)
        .then(|| (form.created_count + 1, form.value(FieldId::Chain).split(CHAIN_SEPARATOR).count()))
}

pub(super) fn has_chain_left_to_create(form: &FormState) -> bool {
    chain_number_and_count(form).is_some_and(|(nth, all)| nth < all)
}

/// The name of a chain in requests: the service's own slug where it lists the chain.
pub(super) fn request_chain_name(model: &Model, word: &Text) -> Text {
    let slugs = || model.data.listed_tokens.iter().flat_map(|token| &token.blockchains).map(|chain| &chain.slug);
    if slugs().any(|slug| slug == word) {
        return word.clone();
    }
    let known_slug = Chain::find(word).map(|chain| chain.slug);
    let candidates =
        || slugs().filter(|slug| known_slug.is_some() && Chain::find(slug).map(|chain| chain.slug) == known_slug);
    // Another network of the chain is a different destination: it is used only where the word names no network and
    // there is no choice.
    let fold = |word: &str| network_suffix(word).map(str::to_ascii_lowercase);
    let of_its_network = candidates().find(|slug| fold(slug) == fold(word));
    let only = candidates().next().filter(|first| fold(word).is_none() && candidates().all(|other| other == *first));
    of_its_network.or(only).unwrap_or(word).clone()
}
