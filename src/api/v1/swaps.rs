//! Swaps: which pairs there are, and what one would give.

use serde_json::value::RawValue;

use crate::api::envelope::Answer;
use crate::api::fields::Fields;
use crate::api::paging::Rows;
use crate::api::v2::transactions;
use crate::api::{Reader, number};
use crate::domain::v1::{Quote, SwapPair};
use crate::domain::{Amount, Failure, Listed, Reason, Received, Seen, Swapped, Text};

const PAIRS: &str = "/v1/swap/pairs";

/// Beyond so many pages a list of pairs is a mistake.
const MOST_PAGES: u64 = 200;

impl Reader {
    /// Every pair that can be swapped.
    ///
    /// The specification does not show this answer. Pairs are read from objects with `fromCoin` and `toCoin`, from
    /// lists of two symbols, and from texts like `ETH/USDT`; anything else is counted as unreadable.
    pub async fn swap_pairs(&self) -> Result<Listed<SwapPair>, Failure> {
        let rows = Rows { read: pair, key: SwapPair::clone, pages: MOST_PAGES };
        self.listed_whole(PAIRS, &[], rows).await
    }

    /// What a swap of so much would give now.
    pub async fn swap_quote(&self, from: &Text, amount: Amount, to: &Text) -> Result<Quote, Failure> {
        let amount = amount.to_string();
        let query = [
            (self.wire.quote_from_coin.as_str(), from.as_str()),
            (self.wire.quote_from_amount.as_str(), amount.as_str()),
            (self.wire.quote_to_coin.as_str(), to.as_str()),
        ];
        let body = self.get("/v1/instant-swap/quote", &query).await?;
        let quote = quote(&Answer::open(&body)?.object()?);
        let quote =
            quote.ok_or_else(|| Failure::of_read(Reason::NotUnderstood, "the quote lacks a coin or an amount"))?;
        // A price of other coins than those asked for must not be shown as theirs.
        if quote.from_coin.eq_ignore_ascii_case(from) && quote.to_coin.eq_ignore_ascii_case(to) {
            Ok(quote)
        } else {
            let words = format!("the quote is for {} and {}", quote.from_coin, quote.to_coin);
            Err(Failure::of_read(Reason::NotUnderstood, &words))
        }
    }
}

/// Reads what the answer to a swap tells: a transaction by version 2, the executed quote by version 1, and any part of
/// either may be absent.
pub(in crate::api) fn seen(fields: &Fields<'_>) -> Seen {
    let group = fields.text("transactionGroupId").or_else(|| fields.text("swapId"));
    let amount = fields.amount("toAmount", None).and_then(|stated| stated.exact());
    let received = fields.text("toCoin").zip(amount).map(|(coin, amount)| Received { coin, amount });
    let swapped = (group.is_some() || received.is_some()).then_some(Swapped { group, received });
    Seen { swapped, ..transactions::seen(fields) }
}

pub(in crate::api) fn quote(fields: &Fields<'_>) -> Option<Quote> {
    Some(Quote {
        from_coin: fields.text("fromCoin")?,
        from_amount: fields.amount("fromAmount", None)?,
        to_coin: fields.text("toCoin")?,
        to_amount: fields.amount("toAmount", None)?,
        fee: fields.amount("fee", None),
        swap_price: fields.amount("swapPrice", None),
    })
}

fn pair(entry: &RawValue) -> Option<SwapPair> {
    let of = |from: &str, to: &str| {
        let (from, to) = (Text::clean(from.trim()), Text::clean(to.trim()));
        (!from.is_empty() && !to.is_empty()).then_some(SwapPair { from, to })
    };
    if let Some(fields) = Fields::of(entry) {
        return of(fields.text("fromCoin")?.as_str(), fields.text("toCoin")?.as_str());
    }
    if let Ok([from, to]) = serde_json::from_str::<[&RawValue; 2]>(entry.get()) {
        return of(&number::text(from)?, &number::text(to)?);
    }
    let text = number::text(entry)?;
    let (from, to) = text.split_once(['/', '-', '_'])?;
    of(from, to)
}
