//! Swap pairs and quotes.

use serde_json::value::RawValue;

use crate::api::envelope::Payload;
use crate::api::fields::Fields;
use crate::api::paging::RowReader;
use crate::api::v2::transactions;
use crate::api::{Reader, json_scalars};
use crate::domain::v1::{Quote, SwapPair};
use crate::domain::{
    Amount, Failure, FailureReason, ObservedTransaction, PagedList, SwapObservation, SwapProceeds, Text,
};

const PAIRS_PATH: &str = "/v1/swap/pairs";

/// A list of pairs with more pages than this is an error.
const MAX_PAIR_PAGES: u64 = 200;

impl Reader {
    /// Every pair that can be swapped.
    ///
    /// The specification does not show this answer. Pairs are parsed from objects with `fromCoin` and `toCoin`, from
    /// lists of two symbols, and from texts like `ETH/USDT`; anything else is counted as unreadable.
    pub async fn fetch_swap_pairs(&self) -> Result<PagedList<SwapPair>, Failure> {
        let rows = RowReader { parse_row: parse_pair, row_key: SwapPair::clone, pages: 1..=MAX_PAIR_PAGES };
        self.read_unpaged_list(PAIRS_PATH, &[], rows).await
    }

    pub async fn fetch_swap_quote(&self, from: &Text, amount: Amount, to: &Text) -> Result<Quote, Failure> {
        let amount = amount.to_string();
        let query = [
            (self.wire_names.quote_from_coin.as_str(), from.as_str()),
            (self.wire_names.quote_from_amount.as_str(), amount.as_str()),
            (self.wire_names.quote_to_coin.as_str(), to.as_str()),
        ];
        let body = self.get("/v1/instant-swap/quote", &query).await?;
        let quote = parse_quote(&Payload::parse(&body)?.object()?);
        let quote = quote
            .ok_or_else(|| Failure::from_read(FailureReason::NotUnderstood, "the quote lacks a coin or an amount"))?;
        // A quote for other coins than the requested ones must not be shown as theirs.
        if quote.from_coin.eq_ignore_ascii_case(from) && quote.to_coin.eq_ignore_ascii_case(to) {
            Ok(quote)
        } else {
            let message = format!("the quote is for {} and {}", quote.from_coin, quote.to_coin);
            Err(Failure::from_read(FailureReason::NotUnderstood, &message))
        }
    }
}

/// Parses the answer to a swap: a transaction by version 2, the executed quote by version 1; any part of either may be
/// absent.
pub(in crate::api) fn parse_observed_transaction(fields: &Fields<'_>) -> ObservedTransaction {
    let group = fields.text("transactionGroupId").or_else(|| fields.text("swapId"));
    let amount = fields.amount("toAmount", None).and_then(|reported| reported.exact());
    let received = fields.text("toCoin").zip(amount).map(|(coin, amount)| SwapProceeds { coin, amount });
    let swapped = (group.is_some() || received.is_some()).then_some(SwapObservation { group, proceeds: received });
    ObservedTransaction { swap: swapped, ..transactions::parse_observed_transaction(fields) }
}

pub(in crate::api) fn parse_quote(fields: &Fields<'_>) -> Option<Quote> {
    Some(Quote {
        from_coin: fields.text("fromCoin")?,
        from_amount: fields.amount("fromAmount", None)?,
        to_coin: fields.text("toCoin")?,
        to_amount: fields.amount("toAmount", None)?,
        fee: fields.amount("fee", None),
        swap_price: fields.amount("swapPrice", None),
    })
}

fn parse_pair(entry: &RawValue) -> Option<SwapPair> {
    let of = |from: &str, to: &str| {
        let (from, to) = (Text::clean(from.trim()), Text::clean(to.trim()));
        (!from.is_empty() && !to.is_empty()).then_some(SwapPair { from, to })
    };
    if let Some(fields) = Fields::from_raw(entry) {
        return of(fields.text("fromCoin")?.as_str(), fields.text("toCoin")?.as_str());
    }
    if let Ok([from, to]) = serde_json::from_str::<[&RawValue; 2]>(entry.get()) {
        return of(&json_scalars::parse_text(from)?, &json_scalars::parse_text(to)?);
    }
    let text = json_scalars::parse_text(entry)?;
    let (from, to) = text.split_once(['/', '-', '_'])?;
    of(from, to)
}
