//! ```text
//! ┌ Tokens ────────────────── indicative ┐┌ Pairs · 1 ETH gives ───────────────── old after 30s ┐
//! │ Token     ≈ USDT Time (UTC)  Session ││ To        Rate Time (UTC)  Session vs Nov 24  Trend │
//! │▌ETH     3,148.02 12:03:20     +0.12% ││▌USDC   3,149.1 12:03:20    +0.12%   −0.03% ▁▂▃▅▆▇█▇ │
//! │ SHIB           —                     │├ Blockchains · ETH ──────────────────────────────────┤
//! └──────────────────────────────────────┘└─────────────────────────────────────────────────────┘
//! ```

mod quote_columns;

use std::borrow::Cow;

use super::page::MarketsLogic;
use super::panes::{ChainsPane, TokensPane};
use crate::app::pages::page::view::PageView;
use crate::app::pages::pane::view::PaneView;
use quote_columns::Quote;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::data::prices;
use crate::app::model::Model;
use crate::app::pages::view::{NOTHING_MATCHES, draw_empty_message, is_list_focused, new_pane_title, scroll_position};
use crate::app::screen::Pane;
use crate::domain::history::RowCount;
use crate::domain::imitation::has_disguised_word;
use crate::domain::{Blockchain, Day, Text, Token, explorer};
use crate::ui::chrome::PaneTitle;
use crate::ui::table::{Cell, Column, Highlight, Table};
use crate::ui::{Theme, day_chart, paint};

/// A column of the tokens, each with what is known of its rate.
type TokenColumn<'a> = Column<'a, (&'a Token, Quote<'a>)>;

/// A column of the blockchains.
type ChainColumn<'a> = Column<'a, &'a Blockchain>;

/// Shown in the lists of a token while none is selected, because none matches the filter.
const NO_TOKEN_SELECTED: &str = "no token is selected";

impl PaneView for TokensPane {
    fn name(&self) -> &'static str {
        "Tokens"
    }

    fn title(&self, model: &Model, theme: &Theme) -> PaneTitle {
        let mut head = new_pane_title(model, Pane::Tokens, "Tokens".into());
        if !model.pages.markets.filter.is_empty() {
            head.notes.push((format!("/{}", model.pages.markets.filter), theme.accent));
        }
        if model.data.prices.settings.valuation.is_some() {
            if let Some((failure, _)) = &model.data.remotes.quotes.failure {
                head.notes.push((format!("no quotes: {}", failure.reason), theme.warn));
            }
            head.notes.push(match prices::unlisted_valuation(model) {
                Some(symbol) => (format!("no prices: valuation {symbol} is not listed"), theme.warn),
                None => ("indicative".into(), theme.dim),
            });
        }
        head.notes.extend(scroll_position(&model.pages.markets.tokens).map(|note| (note, theme.dim)));
        head
    }

    fn draw(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
        if model.pages.markets.tokens.count() == RowCount::Exact(0) {
            if !model.data.listed_tokens.is_empty() {
                return paint::put_centered(buf, area, NOTHING_MATCHES, theme.dim);
            }
            let is_loaded = model.data.remotes.markets.last_success.is_some();
            return draw_empty_message(model, theme, area, buf, is_loaded, "the service lists no tokens");
        }
        let symbol = model.data.prices.settings.valuation.as_ref();
        let pair_of = |symbol| model.data.prices.valuation_pair_of(symbol);
        let tokens = &model.pages.markets.tokens;
        let rows: Vec<_> = tokens
            .visible_rows()
            .map(|(token, selected)| ((token, Quote::new(model, pair_of(&token.symbol))), selected))
            .collect();
        let head = symbol.map_or_else(String::new, |symbol| format!("≈ {symbol}"));
        let digits = quote_columns::max_fraction_digits(rows.iter().map(|((_, quote), _)| quote));
        let [rate, at, session, quarter, day, week, trend] =
            quote_columns::columns(model, theme, head, digits, |(_, quote): &(&Token, Quote<'_>)| quote);
        let columns = [
            TokenColumn::left("Token", 8).cell(|(token, _), _| symbol_cell(&token.symbol, theme)),
            rate,
            at,
            session,
            quarter,
            day,
            week,
            trend,
            TokenColumn::left("Name", 16)
                .rank(5)
                .grow_to(24)
                .cell(|(token, _), _| Cell::text(token.name.as_str(), theme.text)),
            TokenColumn::right("Chains", 6)
                .rank(7)
                .cell(|(token, _), _| Cell::text(token.blockchains.len().to_string(), theme.text)),
            TokenColumn::left("Standards", 12)
                .rank(8)
                .grow_to(30)
                .cell(|(token, _), _| Cell::text(join_texts(&token.standards), theme.dim)),
        ];
        Table::fit(columns, area).draw(
            theme,
            &rows,
            Highlight::Whole,
            is_list_focused(model, Pane::Tokens, &model.pages.markets.tokens),
            buf,
        );
    }
}

/// The days that a chart of a price covers.
const CHARTED_DAYS: u16 = 365;

impl PageView for MarketsLogic {
    fn detail_title(&self, model: &Model) -> String {
        let symbol = model.pages.markets.tokens.selected().map_or("—", |token| token.symbol.as_str());
        format!("Price of {symbol} · last {CHARTED_DAYS} days")
    }

    /// The last price of each day, and the present one, of the selected token, if it is valued.
    fn draw_detail(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) -> bool {
        let selected = model.pages.markets.tokens.selected();
        let (Some(token), Some(past)) = (selected, model.data.analyses.price_history()) else { return false };
        let today = Day::from_timestamp(model.now);
        let days: Vec<Day> = (0..CHARTED_DAYS).rev().map(|days| today.days_before(days)).collect();
        let price = |day: &Day| {
            let now = model.data.prices.valuation_rate(&token.symbol).filter(|_| *day == today).map(|(rate, _)| rate);
            now.or_else(|| past.exact_rate_on(&token.symbol, *day))
        };
        let prices: Vec<_> = days.iter().map(price).collect();
        let area = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
        day_chart::draw_prices(theme, past.valuation_symbol(), &days, &prices, area, buf);
        true
    }
}

fn symbol_cell<'a>(symbol: &'a str, theme: &Theme) -> Cell<'a> {
    let (symbol, style) = mark_imitation(symbol, theme);
    Cell::text(symbol, style)
}

fn join_texts(texts: &[Text]) -> String {
    texts.iter().map(Text::as_str).collect::<Vec<_>>().join(", ")
}

/// A symbol; one that imitates another is marked as among balances and transactions.
fn mark_imitation<'a>(symbol: &'a str, theme: &Theme) -> (Cow<'a, str>, Style) {
    if has_disguised_word(symbol) { (format!("?{symbol}").into(), theme.warn) } else { (symbol.into(), theme.accent) }
}

impl PaneView for ChainsPane {
    fn name(&self) -> &'static str {
        "Blockchains"
    }

    fn title(&self, model: &Model, theme: &Theme) -> PaneTitle {
        let (symbol, _) =
            mark_imitation(model.pages.markets.tokens.selected().map_or("—", |token| token.symbol.as_str()), theme);
        let mut head = new_pane_title(model, Pane::Chains, format!("Blockchains · {symbol}"));
        head.notes.extend(scroll_position(&model.pages.markets.chains).map(|note| (note, theme.dim)));
        head
    }

    fn draw(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
        if model.pages.markets.chains.count() == RowCount::Exact(0) {
            let nothing = match model.pages.markets.tokens.selected() {
                Some(_) => "no blockchain is listed for this token",
                None => NO_TOKEN_SELECTED,
            };
            return draw_empty_message(model, theme, area, buf, model.pages.markets.chains.is_loaded(), nothing);
        }
        let or_dash = |number: Option<String>| number.unwrap_or_else(|| "—".into());
        let rows: Vec<_> = model.pages.markets.chains.visible_rows().collect();
        let columns = [
            ChainColumn::left("Chain", 11).cell(|chain, _| Cell::text(chain.name.as_str(), theme.accent)),
            ChainColumn::right("Decimals", 8)
                .rank(1)
                .cell(|chain, _| Cell::text(or_dash(chain.decimals.map(|decimals| decimals.to_string())), theme.text)),
            ChainColumn::left("Standard", 9)
                .rank(2)
                .cell(|chain, _| Cell::text(join_texts(&chain.standards), theme.text)),
            ChainColumn::left("Protocol", 9)
                .rank(3)
                .cell(|chain, _| Cell::text(chain.protocol.as_deref().unwrap_or("—"), theme.text)),
            ChainColumn::left("Id", 7)
                .rank(5)
                .cell(|chain, _| Cell::text(or_dash(chain.chain_id.map(|id| id.to_string())), theme.text)),
            ChainColumn::left("Network", 8).rank(4).cell(|chain, _| {
                let network = chain.is_testnet.map(|is_testnet| if is_testnet { "testnet" } else { "mainnet" });
                Cell::text(network.unwrap_or("—"), theme.text)
            }),
            ChainColumn::left("Explorer", 16)
                .rank(6)
                .grow_to(60)
                .cell(|chain, _| Cell::text(explorer::listed_explorer(chain).unwrap_or("—"), theme.dim)),
        ];
        Table::fit(columns, area).draw(
            theme,
            &rows,
            Highlight::Whole,
            is_list_focused(model, Pane::Chains, &model.pages.markets.chains),
            buf,
        );
    }
}

#[cfg(test)]
mod tests;
