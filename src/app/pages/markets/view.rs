//! ```text
//! ┌ Tokens ────────────────── indicative ┐┌ Pairs · 1 ETH gives ───────────────── old after 30s ┐
//! │ Token     ≈ USDT  at (UTC)   session ││ To        rate  at (UTC)  session  15 min     trend │
//! │▌ETH     3,148.02  12:03:20    +0.12% ││▌USDC   3,149.1  12:03:20   +0.12%  −0.03%  ▁▂▃▅▆▇█▇ │
//! │ SHIB           —                     │├ Blockchains · ETH ──────────────────────────────────┤
//! └──────────────────────────────────────┘└─────────────────────────────────────────────────────┘
//! ```

mod quote_columns;

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::data::prices;
use crate::app::model::Model;
use crate::app::pages::view::{NOTHING_MATCHES, draw_empty_message, new_pane_title, scroll_position};
use crate::app::screen::Pane;
use crate::domain::explorer;
use crate::domain::history::RowCount;
use crate::domain::imitation::has_disguised_word;
use crate::ui::chrome::PaneTitle;
use crate::ui::{Row, Theme, paint};

pub use quote_columns::{draw_pairs, pairs_title};

/// Shown in the lists of a token while none is selected, because none matches the filter.
const NO_TOKEN_SELECTED: &str = "no token is selected";

pub fn tokens_title(model: &Model, theme: &Theme) -> PaneTitle {
    let mut head = new_pane_title(model, Pane::Tokens, "Tokens".into());
    if !model.token_filter.is_empty() {
        head.notes.push((format!("/{}", model.token_filter), theme.accent));
    }
    if model.prices.settings.valuation.is_some() {
        if let Some((failure, _)) = &model.remotes.quotes.failure {
            head.notes.push((format!("no quotes: {}", failure.reason), theme.warn));
        }
        head.notes.push(match prices::unlisted_valuation(model) {
            Some(symbol) => (format!("no prices: valuation {symbol} is not listed"), theme.warn),
            None => ("indicative".into(), theme.dim),
        });
    }
    head.notes.extend(scroll_position(&model.tokens).map(|note| (note, theme.dim)));
    head
}

pub fn chains_title(model: &Model, theme: &Theme) -> PaneTitle {
    let (symbol, _) = mark_imitation(model.tokens.selected().map_or("—", |token| token.symbol.as_str()), theme);
    let mut head = new_pane_title(model, Pane::Chains, format!("Blockchains · {symbol}"));
    head.notes.extend(scroll_position(&model.chains).map(|note| (note, theme.dim)));
    head
}

pub fn draw_tokens(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    if model.tokens.count() == RowCount::Exact(0) {
        if !model.listed_tokens.is_empty() {
            return paint::put_centered(buf, area, NOTHING_MATCHES, theme.dim);
        }
        let read = model.remotes.markets.last_success.is_some();
        return draw_empty_message(model, theme, area, buf, read, "the service lists no tokens");
    }
    let from = area.x + 10;
    // The quote comes first; name, chains and standards take what is left.
    let valued = model.prices.settings.valuation.is_some();
    let quotes = if valued { quote_columns::quote_columns_width(area.width.saturating_sub(11)) } else { 0 };
    let left = area.width.saturating_sub(11 + quotes);
    let name = if left >= 12 { 16.min(left) } else { 0 };
    let chains = if left >= name + 8 { 8 } else { 0 };
    let standards = left.saturating_sub(name + chains + 1);
    paint::put(buf, area.x + 1, area.y, 8, "Token", theme.dim);
    if name > 0 {
        paint::put(buf, from, area.y, name, "Name", theme.dim);
    }
    if chains > 0 {
        paint::put_right(buf, from + name + 7, area.y, 6, "Chains", theme.dim);
    }
    if standards >= 9 {
        paint::put(buf, from + name + chains + 1, area.y, standards, "Standards", theme.dim);
    }
    let quotes_at = Rect { x: area.right().saturating_sub(quotes + 1), width: quotes, ..area };
    if let Some(symbol) = &model.prices.settings.valuation {
        quote_columns::draw_column_heads(&model.zone, theme, quotes_at, &format!("≈ {symbol}"), buf);
    }
    let pair_of = |symbol| model.prices.valuation_pair_of(symbol);
    let digits =
        quote_columns::max_fraction_digits(model, model.tokens.visible_rows().map(|(token, _)| pair_of(&token.symbol)));
    let focused = model.focus() == Pane::Tokens;
    for (index, (token, selected)) in (1_u16..area.height).zip(model.tokens.visible_rows()) {
        let row = Row::new(buf, theme, area, index, selected, focused);
        let (symbol, style) = mark_imitation(&token.symbol, theme);
        paint::put(buf, row.x, row.y, 8, &symbol, row.style_over(style));
        if name > 0 {
            paint::put(buf, from, row.y, name - 1, &token.name, row.style_over(theme.text));
        }
        if chains > 0 {
            let count = token.blockchains.len().to_string();
            paint::put_right(buf, from + name + 7, row.y, 6, &count, row.style_over(theme.text));
        }
        if standards >= 9 {
            let all: Vec<&str> = token.standards.iter().map(crate::domain::text::Text::as_str).collect();
            paint::put(buf, from + name + chains + 1, row.y, standards, &all.join(", "), row.style_over(theme.dim));
        }
        if valued {
            quote_columns::draw_quote(model, theme, row, quotes_at, pair_of(&token.symbol).as_ref(), digits, buf);
        }
    }
}

/// A symbol; one that imitates another is marked as among balances and transactions.
fn mark_imitation<'a>(symbol: &'a str, theme: &Theme) -> (Cow<'a, str>, Style) {
    if has_disguised_word(symbol) { (format!("?{symbol}").into(), theme.warn) } else { (symbol.into(), theme.accent) }
}

pub fn draw_chains(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    if model.chains.count() == RowCount::Exact(0) {
        let nothing = match model.tokens.selected() {
            Some(_) => "no blockchain is listed for this token",
            None => NO_TOKEN_SELECTED,
        };
        return draw_empty_message(model, theme, area, buf, model.chains.is_loaded(), nothing);
    }
    let heads = [
        (1, "Chain"),
        (13, "Decimals"),
        (23, "Standard"),
        (33, "Protocol"),
        (43, "Id"),
        (50, "Network"),
        (59, "Explorer"),
    ];
    for (x, title) in heads {
        paint::put(buf, area.x + x, area.y, area.width.saturating_sub(x), title, theme.dim);
    }
    let focused = model.focus() == Pane::Chains;
    for (index, (chain, selected)) in (1_u16..area.height).zip(model.chains.visible_rows()) {
        let row = Row::new(buf, theme, area, index, selected, focused);
        paint::put(buf, row.x, row.y, 11, &chain.name, row.style_over(theme.accent));
        let decimals = chain.decimals.map_or_else(|| "—".into(), |decimals| decimals.to_string());
        paint::put_right(buf, area.x + 21, row.y, 8, &decimals, row.style_over(theme.text));
        let standards: Vec<&str> = chain.standards.iter().map(crate::domain::text::Text::as_str).collect();
        paint::put(buf, area.x + 23, row.y, 9, &standards.join(","), row.style_over(theme.text));
        paint::put(buf, area.x + 33, row.y, 9, chain.protocol.as_deref().unwrap_or("—"), row.style_over(theme.text));
        let id = chain.chain_id.map_or_else(|| "—".into(), |id| id.to_string());
        paint::put(buf, area.x + 43, row.y, 7, &id, row.style_over(theme.text));
        let (network, style) = match chain.is_testnet {
            Some(true) => ("testnet", theme.text),
            Some(false) => ("mainnet", theme.warn),
            None => ("—", theme.dim),
        };
        paint::put(buf, area.x + 50, row.y, 8, network, row.style_over(style));
        let room = row.right.saturating_sub(area.x + 60);
        paint::put(
            buf,
            area.x + 59,
            row.y,
            room,
            explorer::listed_explorer(chain).unwrap_or("—"),
            row.style_over(theme.dim),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::model::Settings;
    use crate::app::msg::Size;
    use crate::app::pages::markets::refresh_token_rows;
    use crate::domain::v1::SwapPair;
    use crate::domain::{Timestamp, Token};

    /// The service itself may list what only looks like another token.
    #[test]
    fn a_listed_token_in_disguise_is_marked_wherever_it_stands() {
        const FALSE: &str = "U\u{405}DT";
        let mut model = Model::new(Settings::sample(), Size { width: 120, height: 36 }, Timestamp::from_millis(0));
        let of = |symbol: &str| Token {
            symbol: symbol.into(),
            name: "Tether USD".into(),
            decimals: None,
            is_native: None,
            standards: Vec::new(),
            blockchains: Vec::new(),
        };
        let theme = Theme::from_name(crate::domain::ThemeName::default(), crate::domain::Colours::Many);
        let area = Rect::new(0, 0, 60, 5);
        for (symbol, expected) in [(FALSE, format!("?{FALSE}")), ("USDT", "USDT".to_owned())] {
            model.listed_tokens = vec![of(symbol)];
            model.prices.pairs = Some(vec![SwapPair { from: symbol.into(), to: FALSE.into() }]);
            refresh_token_rows(&mut model);
            let mut buf = Buffer::empty(area);
            draw_tokens(&model, &theme, area, &mut buf);
            let row = |buf: &Buffer| (0..60).map(|x| buf[(x, 1)].symbol().to_owned()).collect::<String>();
            assert!(
                row(&buf).contains(&format!(" {expected} ")) || row(&buf).contains(&format!("▌{expected} ")),
                "{}",
                row(&buf)
            );
            let mut buf = Buffer::empty(area);
            draw_pairs(&model, &theme, area, &mut buf);
            assert!(row(&buf).contains(&format!("?{FALSE}")), "{}", row(&buf));
            for title in [pairs_title(&model, &theme).title, chains_title(&model, &theme).title] {
                assert!(title.contains(&format!(" {expected}")), "{title}");
            }
        }
    }
}
