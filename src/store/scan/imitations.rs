//! `token:usdt` matches the token of that name, and not its imitations: the sum of one's Tether must not grow by what
//! anybody sends under that name.

use std::collections::BTreeMap;

use super::super::dictionary::Dictionary;
use super::super::row::{line_fields, transfer_fields, wallet_fields};
use super::super::row_set::{CodeSet, RowSet};
use super::columns::rows_with_codes;
use super::text_locations::TextLocations;
use crate::domain::filter::{FilterField, fold_case};
use crate::domain::imitation::TokenCandidate;
use crate::domain::{Text, Token, TokenKey};

/// For each chain with imitations of the named token: the wallet phrases of the chain, and the imitating transfer
/// phrases.
#[derive(Default)]
pub(in super::super) struct Imitations(Vec<[CodeSet; 2]>);

impl Imitations {
    /// The tokens that match a term and imitate a listed one. Empty where the term names no listed token: then the user
    /// is searching for the imitation itself.
    pub(in super::super) fn of_listed_tokens(needle: &str, tokens: &[Token], phrases: &Dictionary) -> Self {
        let names =
            |token: &Token| fold_case(&token.symbol).contains(needle) || fold_case(&token.name).contains(needle);
        if !tokens.iter().any(names) {
            return Self::default();
        }
        Self::find(needle, phrases, |candidate| candidate.imitates(tokens))
    }

    /// The tokens that match a term and are imitations by `is_imitation`.
    pub(super) fn find(needle: &str, phrases: &Dictionary, is_imitation: impl Fn(&TokenCandidate<'_>) -> bool) -> Self {
        let mut wallets: BTreeMap<String, CodeSet> = BTreeMap::new();
        let mut transfers: BTreeMap<[String; 3], CodeSet> = BTreeMap::new();
        let token_texts = TextLocations::of_field(Some(FilterField::Token));
        phrases.for_each_line(|code, line| {
            let field = |nth: usize| line_fields(line).nth(nth).flatten().unwrap_or_default();
            if line.starts_with('p') {
                let chain = field(wallet_fields::CHAIN);
                if let Some(codes_of_chain) = wallets.get_mut(chain) {
                    codes_of_chain.insert(code);
                } else {
                    wallets.entry(chain.to_owned()).or_default().insert(code);
                }
            } else if line.starts_with('k') && token_texts.matches_phrase(line, needle) {
                let token = [transfer_fields::SYMBOL, transfer_fields::TOKEN_NAME, transfer_fields::CONTRACT]
                    .map(|nth| field(nth).to_owned());
                transfers.entry(token).or_default().insert(code);
            }
        });
        let imitates = |chain: &str, [symbol, name, contract]: &[String; 3]| {
            let text = |text: &String| (!text.is_empty()).then(|| Text::clean(text));
            let token = TokenKey { blockchain: Text::clean(chain), contract: text(contract) };
            let (symbol, name) = (Text::clean(symbol), text(name));
            is_imitation(&TokenCandidate { token: &token, symbol: &symbol, name: name.as_ref(), decimals: None })
        };
        let mut pairs = Vec::new();
        for (chain, wallets) in wallets {
            let mut token_codes = CodeSet::default();
            transfers
                .iter()
                .filter(|(token, _)| imitates(&chain, token))
                .for_each(|(_, codes)| token_codes.union_with(codes));
            if !token_codes.is_empty() {
                pairs.push([wallets, token_codes]);
            }
        }
        Self(pairs)
    }

    pub(in super::super) fn imitating_rows(&self, codes: &[u8]) -> RowSet {
        // The transfers first: few segments have rows of one that imitates.
        let imitating = |[wallets, transfers]: &[CodeSet; 2]| {
            let of_transfers = rows_with_codes(codes, 1, transfers);
            if of_transfers.is_empty() { of_transfers } else { of_transfers.and(&rows_with_codes(codes, 0, wallets)) }
        };
        self.0.iter().fold(RowSet::NONE, |rows, pair| rows.or(&imitating(pair)))
    }
}
