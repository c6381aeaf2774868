//! ```text
//!  Chain      Coin    Address                                      Known from
//! ▌Base       any     0x3f2A51cC4cB5F4c0C8cC7a3B1D4E9f0011229c1D   wallet eth-main
//!  Tron       USDT    TQ8h…Yw1z                                    deposits
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::draw_note;
use crate::app::model::Model;
use crate::app::pages::Tone;
use crate::app::pages::users::DepositAddress;
use crate::app::screen::Pane;
use crate::domain::chain::chain_display_name;
use crate::domain::history::RowCount;
use crate::domain::{Text, address};
use crate::ui::{Row, Theme, paint};

/// Widths of the chain, the coins, and a whole and a shortened address.
const CHAIN_WIDTH: u16 = 10;
const COIN_WIDTH: u16 = 9;
const FULL_ADDRESS_WIDTH: u16 = 44;
const SHORT_ADDRESS_WIDTH: u16 = 13;

/// The known addresses at which the selected user can be paid.
pub fn view(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let addresses = &model.users.addresses;
    if addresses.count() == RowCount::Exact(0) {
        let words = if model.users.shown_user.is_none() { "no user is selected" } else { "no address is known yet" };
        return draw_note(theme, area, (words.into(), Tone::Dim), buf);
    }
    let coin_at = area.x + 1 + CHAIN_WIDTH + 1;
    let address_at = coin_at + COIN_WIDTH + 1;
    let room = area.right().saturating_sub(address_at + 1);
    let whole = room >= FULL_ADDRESS_WIDTH;
    let width = if whole { FULL_ADDRESS_WIDTH } else { SHORT_ADDRESS_WIDTH };
    let from_at = address_at + width + 2;
    // A full address matters more than its source.
    let left = area.right().saturating_sub(from_at);
    let left = if left < 12 { 0 } else { left };
    let mut heads = vec![(area.x + 1, "Chain"), (coin_at, "Coin"), (address_at, "Address")];
    heads.extend((left > 0).then_some((from_at, "Known from")));
    for (x, title) in heads {
        paint::put(buf, x, area.y, area.right().saturating_sub(x), title, theme.dim);
    }
    let focused = model.focus() == Pane::Addresses;
    for (index, (known, chosen)) in (1_u16..area.height).zip(addresses.visible_rows()) {
        let row = Row::new(buf, theme, area, index, chosen, focused);
        paint::put(buf, row.x, row.y, CHAIN_WIDTH, chain_display_name(&known.chain), row.style_over(theme.text));
        let coins = if known.is_wallet_address { "any".to_owned() } else { join_coins(&known.coins) };
        paint::put(buf, coin_at, row.y, COIN_WIDTH, &coins, row.style_over(theme.accent));
        let shown = if whole { known.address.to_string() } else { address::shorten_address(&known.address) };
        paint::put(buf, address_at, row.y, width, &shown, row.style_over(theme.text));
        paint::put(buf, from_at, row.y, left, &address_source(known), row.style_over(theme.dim));
    }
}

fn join_coins(coins: &[Text]) -> String {
    coins.iter().map(Text::as_str).collect::<Vec<_>>().join(",")
}

fn address_source(known: &DepositAddress) -> String {
    match (&known.wallet, &known.tag) {
        (Some(wallet), _) => format!("wallet {wallet}"),
        (None, Some(tag)) => format!("deposits, tag {tag}"),
        (None, None) if known.is_wallet_address => "wallet".into(),
        (None, None) => "deposits".into(),
    }
}
