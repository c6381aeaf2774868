//! Imitation tokens: anybody may create a token, call it USDT and send it to everybody.

use unicode_security::skeleton;

use super::{Blockchain, Chain, Text, Token, TokenKey};

/// A token that is held or was received, to be checked for imitation.
#[derive(Debug, Clone, Copy)]
pub struct TokenCandidate<'a> {
    pub token: &'a TokenKey,
    pub symbol: &'a Text,
    pub name: Option<&'a Text>,
    pub decimals: Option<u8>,
}

impl TokenCandidate<'_> {
    /// Whether it contains a web address, hides characters, or resembles a listed token without being it.
    ///
    /// Names are compared by the skeletons of UTS 39, in which a Cyrillic Т equals a Latin T. The service's list has no
    /// contracts, so a token counts as the listed one if its symbol is spelt the same, is listed on its chain, is the
    /// chain's own coin where the listed one is, and has the same fraction digits there.
    pub fn imitates(&self, tokens: &[Token]) -> bool {
        let texts = [Some(self.symbol), self.name];
        let is_odd = |word: &Text| word.contains('\u{fffd}') || looks_like_url(word) || has_disguised_word(word);
        if texts.into_iter().flatten().any(is_odd) {
            return true;
        }
        // Most tokens are listed ones, which is checked quickly. Skeletons are compared only for the others: that is
        // slow.
        let is_itself = |token: &Token| {
            token.symbol == *self.symbol && token.blockchains.iter().any(|chain| self.is_token_on_chain(token, chain))
        };
        if tokens.iter().any(is_itself) {
            return false;
        }
        let (symbol, name) = (Skeleton::new(self.symbol), self.name.map(|name| Skeleton::new(name)));
        tokens
            .iter()
            .any(|token| symbol.is_like(&token.symbol) || name.as_ref().is_some_and(|name| name.is_like(&token.name)))
    }

    fn is_token_on_chain(&self, token: &Token, chain: &Blockchain) -> bool {
        let slug_of = |word: &str| Chain::find(word).map(|chain| chain.slug);
        let same_chain = chain.slug == self.token.blockchain
            || slug_of(&chain.slug).is_some_and(|slug| slug_of(&self.token.blockchain) == Some(slug));
        // A chain's own coin has no contract there; on another chain it may be a token.
        let own_coin = token.is_native == Some(true) && chain.symbol.as_ref().is_none_or(|own| *own == token.symbol);
        let same_nature = !own_coin || self.token.is_native();
        let digits = chain.decimals.or(token.decimals);
        same_chain
            && same_nature
            && digits.zip(self.decimals).is_none_or(|(listed_decimals, own_decimals)| listed_decimals == own_decimals)
    }
}

/// The same check for a bare symbol, which is all that version 1 reports: one that is spelt like a listed symbol cannot
/// be distinguished from it.
pub fn symbol_imitates(symbol: &Text, tokens: &[Token]) -> bool {
    if symbol.contains('\u{fffd}') || looks_like_url(symbol) || has_disguised_word(symbol) {
        return true;
    }
    if tokens.iter().any(|token| token.symbol == *symbol) {
        return false;
    }
    let look = Skeleton::new(symbol);
    tokens.iter().any(|token| look.is_like(&token.symbol))
}

/// Whether some word contains letters of another alphabet and looks like plain ASCII, such as `UЅDT` with a Cyrillic
/// Dze. That is an imitation whatever is listed, even before the list was read, and even if a service lists it.
pub fn has_disguised_word(text: &str) -> bool {
    // Accented Latin letters are below this bound: those are spellings, not disguises.
    let is_foreign = |c: char| c.is_alphabetic() && c > '\u{24f}';
    text.split_whitespace().any(|word| word.contains(is_foreign) && skeleton(word).all(|c| c.is_ascii()))
}

pub fn texts_look_alike(one: &str, other: &str) -> bool {
    Skeleton::new(one).is_like(other)
}

/// The skeletons of a word as written and in capitals, since lower-case and upper-case letters have different
/// look-alikes.
struct Skeleton {
    as_written: String,
    in_capitals: String,
}

impl Skeleton {
    fn new(word: &str) -> Self {
        Self { as_written: Self::folded_skeleton(word), in_capitals: Self::folded_skeleton(&word.to_uppercase()) }
    }

    fn is_like(&self, word: &str) -> bool {
        self.as_written == Self::folded_skeleton(word)
            || self.in_capitals == Self::folded_skeleton(&word.to_uppercase())
    }

    fn folded_skeleton(word: &str) -> String {
        let visible: String = skeleton(word).filter(|character| !character.is_whitespace()).collect();
        visible.to_lowercase()
    }
}

/// Whether some word is a web address: `https://…`, or letters, a point and at least two letters.
fn looks_like_url(text: &str) -> bool {
    text.split_whitespace().any(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let host = word.split('/').next().unwrap_or("");
        word.contains("://")
            || host.rsplit_once('.').is_some_and(|(name, end)| {
                name.chars().count() > 1 && end.len() > 1 && end.bytes().all(|byte| byte.is_ascii_alphabetic())
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed_tokens() -> Vec<Token> {
        let chain = |slug: &str, decimals| Blockchain {
            slug: Text::clean(slug),
            name: Text::clean(slug),
            symbol: None,
            decimals: Some(decimals),
            protocol: None,
            chain_id: None,
            is_testnet: None,
            standards: Vec::new(),
            block_explorer: None,
        };
        let token = |symbol: &str, name: &str, is_native, blockchains| Token {
            symbol: Text::clean(symbol),
            name: Text::clean(name),
            decimals: None,
            is_native: Some(is_native),
            standards: Vec::new(),
            blockchains,
        };
        vec![
            token("USDT", "Tether USD", false, vec![chain("ethereum", 6), chain("bsc", 18)]),
            token("ETH", "Ether", true, vec![chain("ethereum", 18)]),
        ]
    }

    fn imitates(blockchain: &str, contract: Option<&str>, symbol: &str, name: &str, decimals: u8) -> bool {
        let token = TokenKey::new(blockchain, contract);
        let (symbol, name) = (Text::clean(symbol), Text::clean(name));
        let name = (!name.is_empty()).then_some(&name);
        TokenCandidate { token: &token, symbol: &symbol, name, decimals: Some(decimals) }.imitates(&listed_tokens())
    }

    #[test]
    fn listed_tokens_are_themselves() {
        assert!(!imitates("ethereum", Some("0xdac17f958d2ee523a2206206994597c13d831ec7"), "USDT", "Tether USD", 6));
        assert!(!imitates("ethereum-mainnet", Some("0xdac17f958d2ee523a2206206994597c13d831ec7"), "USDT", "", 6));
        assert!(!imitates("ethereum", None, "ETH", "Ether", 18));
    }

    #[test]
    fn what_looks_listed_and_is_not_is_found() {
        let contract = Some("0x1111111111111111111111111111111111111111");
        for (chain, contract, symbol, name, decimals) in [
            ("ethereum", contract, "USD\u{422}", "", 6),
            ("ethereum", contract, "usdt", "", 6),
            ("ethereum", contract, "USDT", "", 18),
            ("base", contract, "USDT", "Tether USD", 6),
            ("ethereum", contract, "ETH", "Ether", 18),
            ("ethereum", contract, "NEW", "T\u{435}ther  USD", 6),
            ("ethereum", contract, "GIFT", "Visit claim-usdt.example", 18),
            ("ethereum", contract, "GI\u{200b}FT", "", 18),
        ] {
            assert!(imitates(chain, contract, symbol, name, decimals), "{symbol} {name}");
        }
    }

    #[test]
    fn a_symbol_alone_is_found_where_it_is_spelt_otherwise_than_it_looks() {
        for (symbol, imitates) in
            [("USDT", false), ("PEPE", false), ("USD\u{422}", true), ("usdt", true), ("claim.example", true)]
        {
            assert_eq!(symbol_imitates(&Text::clean(symbol), &listed_tokens()), imitates, "{symbol}");
        }
    }

    #[test]
    fn letters_of_another_alphabet_that_look_like_ascii_are_found_without_any_list() {
        let token = TokenKey::new("ethereum", Some("0x1111111111111111111111111111111111111111"));
        for (symbol, imitates) in [
            ("U\u{405}DT", true),
            ("\u{415}\u{422}\u{41d}", true),
            ("\u{ff35}SDC", true),
            ("USDT", false),
            ("Z\u{142}oty", false),
            ("\u{420}\u{443}\u{431}\u{43b}\u{44c}", false),
            ("\u{5e01}\u{5b89}", false),
        ] {
            let text = Text::clean(symbol);
            let candidate = TokenCandidate { token: &token, symbol: &text, name: None, decimals: Some(6) };
            assert_eq!(candidate.imitates(&[]), imitates, "{symbol}");
            assert_eq!(symbol_imitates(&text, &[]), imitates, "{symbol} of version 1");
        }
    }

    #[test]
    fn a_disguise_is_one_though_the_service_lists_it() {
        let mut all = listed_tokens();
        all.push(Token { symbol: Text::clean("U\u{405}DT"), ..all[0].clone() });
        let token = TokenKey::new("ethereum", Some("0x1111111111111111111111111111111111111111"));
        for (symbol, imitates) in [("U\u{405}DT", true), ("USDT", false)] {
            let text = Text::clean(symbol);
            let candidate = TokenCandidate { token: &token, symbol: &text, name: None, decimals: Some(6) };
            assert_eq!((candidate.imitates(&all), symbol_imitates(&text, &all)), (imitates, imitates), "{symbol}");
        }
    }

    #[test]
    fn what_looks_like_nothing_listed_is_left_alone() {
        let contract = Some("0x1111111111111111111111111111111111111111");
        assert!(!imitates("ethereum", contract, "PEPE", "Pepe", 18));
        assert!(!imitates("ethereum", contract, "v2.5", "Version 2.5", 18));
    }
}
