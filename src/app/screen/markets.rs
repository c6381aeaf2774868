//! The layout of the Markets page.

use super::{Area, Chrome, Pane, PaneArea, two_stacked_boxes};

/// Tokens at the left; the pairs of the selected token over its chains at the right.
pub(super) fn two_columns(body: Area) -> Vec<PaneArea> {
    let left = body.width / 2;
    let boxed = Chrome::Boxed { hangs: false };
    let tokens = PaneArea { pane: Pane::Tokens, area: Area::new(body.x, body.y, left, body.height), chrome: boxed };
    let upper = (body.height * 3 / 5).max(4);
    let right =
        two_stacked_boxes(body.x + left, body.y, body.width - left, body.height, upper, Pane::Pairs, Pane::Chains);
    std::iter::once(tokens).chain(right).collect()
}

/// Tokens, and below them the pairs and the chains of the selected one.
pub(super) fn stacked(body: Area) -> Vec<PaneArea> {
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
