//! Checks that the names in a watch exist. A name counts as unknown only once everything was read.

use super::is_on_blockchain;
use crate::domain::history::{Scope, SyncProgress};
use crate::domain::watch::Watch;
use crate::domain::{Holding, Text, Token};
use crate::store::{Store, StoreError};

/// The names in a store.
pub(super) struct TokenNameCheck<'a> {
    store: &'a Store,
}

impl<'a> TokenNameCheck<'a> {
    pub(super) fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// Whether the history was read as far as it can be, so that waiting reveals nothing more.
    pub(super) fn is_history_complete(&self) -> Result<bool, StoreError> {
        let SyncProgress { complete, partial, .. } = self.store.progress()?;
        Ok(complete || partial.is_some())
    }

    /// Why a watch will never have a reading, if so: the service lists no such token, and no wallet here holds any.
    pub(super) fn unknown_token_reason(&self, watch: &Watch) -> Result<Option<String>, StoreError> {
        let (token, chain) = (watch.token.as_ref(), watch.chain.as_ref());
        if (token.is_none() && chain.is_none()) || !self.is_history_complete()? {
            return Ok(None);
        }
        let Some((tokens, _)) = self.store.tokens()? else { return Ok(None) };
        let Some(reason) = unlisted_reason(token, chain, &tokens) else { return Ok(None) };
        let is_meant = |holding: &Holding| {
            let is_of_token = token.is_none_or(|token| holding.symbol.eq_ignore_ascii_case(token));
            !holding.suspicious && is_of_token && is_on_blockchain(&holding.token.blockchain, chain)
        };
        Ok((!self.store.holdings(&Scope::All)?.iter().any(is_meant)).then_some(reason))
    }
}

/// Which token or blockchain the service does not list, and what to correct.
fn unlisted_reason(token: Option<&Text>, chain: Option<&Text>, tokens: &[Token]) -> Option<String> {
    let is_meant = |listed_token: &&Token| token.is_none_or(|token| listed_token.symbol.eq_ignore_ascii_case(token));
    let matching_tokens: Vec<&Token> = tokens.iter().filter(is_meant).collect();
    if matching_tokens.is_empty() {
        // An empty list proves nothing.
        let token = token.filter(|_| !tokens.is_empty())?;
        return Some(format!(
            "the service lists no token called {token}, and no wallet here holds any; correct the profile"
        ));
    }
    let chain = chain?;
    let mut chains = matching_tokens.iter().flat_map(|token| &token.blockchains).peekable();
    // A token without listed blockchains may be on any.
    if chains.peek().is_none() || chains.any(|listed_chain| is_on_blockchain(&listed_chain.slug, Some(chain))) {
        return None;
    }
    let token_name = token.map_or_else(|| "token".to_owned(), ToString::to_string);
    Some(format!("the service lists no {token_name} on {chain}, and no wallet here holds any; correct the profile"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_service_lists_says_what_it_does_not() {
        let token = Token::test_token;
        let tokens = [token("USDC", &["ethereum", "base"]), token("TRX", &["tron"]), token("NEW", &[])];
        let fault = |token: Option<&str>, chain: Option<&str>| {
            unlisted_reason(token.map(Text::clean).as_ref(), chain.map(Text::clean).as_ref(), &tokens)
        };
        for (token, chain) in [
            (None, None),
            (Some("usdc"), None),
            (Some("USDC"), Some("Ethereum")),
            (None, Some("tron")),
            (Some("NEW"), Some("wherever")),
        ] {
            assert_eq!(fault(token, chain), None, "{token:?} {chain:?}");
        }
        for (token, chain, expected) in [
            (Some("UDSC"), None, "the service lists no token called UDSC, "),
            (Some("USDC"), Some("tron"), "the service lists no USDC on tron, "),
            (None, Some("trno"), "the service lists no token on trno, "),
        ] {
            assert!(
                fault(token, chain).is_some_and(|message| message.starts_with(expected)),
                "{:?}",
                fault(token, chain)
            );
        }
        assert_eq!(
            unlisted_reason(Some(&"UDSC".into()), None, &[]),
            None,
            "nothing is listed, or nothing was read yet"
        );
    }
}
