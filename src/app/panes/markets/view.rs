//! ```text
//!  Token   Name            Chains │ Chain       Symbol  Decimals  Standard  Id
//! ▌USDT    Tether USD           5 │ Ethereum    USDT           6  ERC20      1
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::Model;
use crate::app::panes::view::{empty, head_of, position};
use crate::app::screen::Pane;
use crate::domain::history::Count;
use crate::ui::chrome::Head;
use crate::ui::{Row, Theme, paint};

/// The title of the tokens.
pub fn tokens_head(model: &Model, theme: &Theme) -> Head {
    let mut head = head_of(model, Pane::Tokens, "Tokens".into());
    head.notes.extend(position(&model.tokens).map(|note| (note, theme.dim)));
    head
}

/// The title of the blockchains.
pub fn chains_head(model: &Model, theme: &Theme) -> Head {
    let symbol = model.tokens.selected().map_or("—", |token| token.symbol.as_str());
    let mut head = head_of(model, Pane::Chains, format!("Blockchains · {symbol}"));
    head.notes.extend(position(&model.chains).map(|note| (note, theme.dim)));
    head
}

/// Every listed token.
pub fn tokens(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    if model.tokens.count() == Count::Exact(0) {
        let read = model.remotes.markets.last_good.is_some();
        return empty(model, theme, area, buf, read, "the service lists no tokens");
    }
    let standards_at = area.x + 34;
    for (x, title) in [(1, "Token"), (10, "Name"), (27, "Chains"), (35, "Standards")] {
        paint::put(buf, area.x + x, area.y, area.width.saturating_sub(x), title, theme.dim);
    }
    let focused = model.focus() == Pane::Tokens;
    for (index, (token, selected)) in (1_u16..area.height).zip(model.tokens.visible()) {
        let row = Row::new(buf, theme, area, index, selected, focused);
        paint::put(buf, row.x, row.y, 8, &token.symbol, row.over(theme.accent));
        paint::put(buf, area.x + 10, row.y, 17, &token.name, row.over(theme.text));
        paint::put_right(buf, area.x + 33, row.y, 6, &token.blockchains.len().to_string(), row.over(theme.text));
        let standards: Vec<&str> = token.standards.iter().map(crate::domain::text::Text::as_str).collect();
        let room = row.right.saturating_sub(standards_at + 1);
        paint::put(buf, standards_at + 1, row.y, room, &standards.join(", "), row.over(theme.dim));
    }
}

/// The blockchains of the selected token.
pub fn chains(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    if model.chains.count() == Count::Exact(0) {
        return empty(model, theme, area, buf, model.chains.is_loaded(), "no blockchain is listed for this token");
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
    for (index, (chain, selected)) in (1_u16..area.height).zip(model.chains.visible()) {
        let row = Row::new(buf, theme, area, index, selected, focused);
        paint::put(buf, row.x, row.y, 11, &chain.name, row.over(theme.accent));
        let decimals = chain.decimals.map_or_else(|| "—".into(), |decimals| decimals.to_string());
        paint::put_right(buf, area.x + 21, row.y, 8, &decimals, row.over(theme.text));
        let standards: Vec<&str> = chain.standards.iter().map(crate::domain::text::Text::as_str).collect();
        paint::put(buf, area.x + 23, row.y, 9, &standards.join(","), row.over(theme.text));
        paint::put(buf, area.x + 33, row.y, 9, chain.protocol.as_deref().unwrap_or("—"), row.over(theme.text));
        let id = chain.chain_id.map_or_else(|| "—".into(), |id| id.to_string());
        paint::put(buf, area.x + 43, row.y, 7, &id, row.over(theme.text));
        let (network, style) = match chain.is_testnet {
            Some(true) => ("testnet", theme.text),
            Some(false) => ("mainnet", theme.warn),
            None => ("—", theme.dim),
        };
        paint::put(buf, area.x + 50, row.y, 8, network, row.over(style));
        let room = row.right.saturating_sub(area.x + 60);
        paint::put(buf, area.x + 59, row.y, room, chain.block_explorer.as_deref().unwrap_or("—"), row.over(theme.dim));
    }
}
