//! The layout of the Markets page.

use crate::app::model::Model;
use crate::app::screen::{Area, Arrangement, Chrome, Pane, PaneArea, TALL_MIN_HEIGHT, two_stacked_boxes};

/// From this width on, tokens and their pairs are side by side.
const TWO_COLUMN_MIN_WIDTH: u16 = 164;
/// Rows of a chart that is worth its room.
const MIN_CHART_HEIGHT: u16 = 14;
/// Rows of tokens that a chart leaves.
const MIN_TOKENS_HEIGHT: u16 = 18;
/// Tokens with the columns that they have alone at 80.
const TOKEN_COLUMNS_WIDTH: u16 = 82;
/// Pairs and blockchains with all of their columns, beside the tokens.
const PAIR_COLUMNS_WIDTH: u16 = 92;

pub(super) fn arrange(model: &Model, body: Area) -> Arrangement {
    if body.width >= TWO_COLUMN_MIN_WIDTH {
        let (panes, detail) = two_columns(body, model.pages.markets.tokens.count().number());
        Arrangement { panes, detail, ..Arrangement::default() }
    } else if model.size.height >= TALL_MIN_HEIGHT {
        Arrangement { panes: stacked(body), ..Arrangement::default() }
    } else {
        Arrangement::below_pane_bar(model.focus(), body)
    }
}

/// Tokens at the left, the pairs of the selected token over its chains at the right; below them, where they leave room,
/// the chart of its price.
fn two_columns(body: Area, tokens: u64) -> (Vec<PaneArea>, Option<Area>) {
    // Its frame, the column heads, and each of the tokens.
    let needed = u16::try_from(tokens.saturating_add(3)).unwrap_or(u16::MAX).max(MIN_TOKENS_HEIGHT);
    let most = body.height.saturating_sub(MIN_CHART_HEIGHT);
    let (lists, chart) = if most < MIN_TOKENS_HEIGHT {
        (body, None)
    } else {
        let height = needed.min(most);
        (Area { height, ..body }, Some(body.without_top(height)))
    };
    let right = PAIR_COLUMNS_WIDTH.min(lists.width.saturating_sub(TOKEN_COLUMNS_WIDTH));
    let left = lists.width - right;
    let boxed = Chrome::Boxed { hangs: false };
    let tokens = PaneArea { pane: Pane::Tokens, area: Area { width: left, ..lists }, chrome: boxed };
    let upper = (lists.height * 3 / 5).max(4);
    let stacked = two_stacked_boxes(lists.x + left, lists.y, right, lists.height, upper, Pane::Pairs, Pane::Chains);
    (std::iter::once(tokens).chain(stacked).collect(), chart)
}

/// Tokens, and below them the pairs and the chains of the selected one.
fn stacked(body: Area) -> Vec<PaneArea> {
    let (tokens, pairs) = (body.height / 2, body.height / 4);
    let ruled = |pane, y, height| PaneArea {
        pane,
        area: Area::new(body.x, body.y + y, body.width, height),
        chrome: Chrome::Ruled,
    };
    vec![
        ruled(Pane::Tokens, 0, tokens),
        ruled(Pane::Pairs, tokens, pairs),
        ruled(Pane::Chains, tokens + pairs, body.height - tokens - pairs),
    ]
}
