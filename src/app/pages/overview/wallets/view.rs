//! ```text
//! ▌eth-main   Ethereum   0x3f2A…9c1D LIVE
//!  sol-main   Solana     7Xk4…pQ2m   LIVE
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::model::Model;
use crate::app::pages::view::{draw_empty_message, new_pane_title, scroll_position, state_style};
use crate::app::screen::Pane;
use crate::domain::Wallet;
use crate::domain::address::ShortAddresses;
use crate::domain::chain::chain_display_name;
use crate::domain::history::{RowCount, Scope, Sourced};
use crate::ui::chrome::PaneTitle;
use crate::ui::{Row, Theme, paint};

const CHAIN_WIDTH: u16 = 10;
const FULL_ADDRESS_WIDTH: u16 = 44;
const SHORT_ADDRESS_WIDTH: u16 = 11;

pub fn pane_title(model: &Model, theme: &Theme) -> PaneTitle {
    let whose = model.scope_name(&model.wallets_scope);
    let mut head = new_pane_title(model, Pane::Wallets, format!("Wallets · {whose}"));
    if !model.wallet_filter.is_empty() {
        head.notes.push((format!("/{}", model.wallet_filter), theme.accent));
    }
    if let Some(note) = scroll_position(&model.wallets) {
        head.notes.push((note, theme.dim));
    }
    head
}

pub fn view(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    if model.wallets.count() == RowCount::Exact(0) {
        let words = if model.wallet_filter.is_empty() {
            if model.read_only.is_some() { "no wallets known yet" } else { "no wallets known yet; n creates one" }
        } else {
            "no wallet matches; Esc clears the filter"
        };
        return draw_empty_message(model, theme, area, buf, model.wallets.is_loaded(), words);
    }
    let focused = model.focus() == Pane::Wallets;
    let short = model.short_addresses();
    for (index, (wallet, selected)) in (0_u16..area.height).zip(model.wallets.visible_rows()) {
        let row = Row::new(buf, theme, area, index, selected, focused);
        draw_wallet(model, &short, wallet, row, theme, buf);
    }
}

fn draw_wallet(
    model: &Model,
    short: &ShortAddresses,
    wallet: &Sourced<Wallet>,
    row: Row,
    theme: &Theme,
    buf: &mut Buffer,
) {
    let entry = &wallet.entry;
    let state = entry.state.as_ref().map_or("—", |state| state.word());
    let mut right = row.right.saturating_sub(1);
    right -= paint::put_right(buf, right, row.y, 8, state, row.style_over(state_style(theme, entry.state.as_ref())))
        .max(4)
        + 1;
    let full = match wallet.contradicting_address() {
        Some(_) => "two addresses: press a",
        None => entry.address.as_deref().unwrap_or("—"),
    };
    // The full address, where it fits beside name and chain.
    let whole = right.saturating_sub(row.x) >= FULL_ADDRESS_WIDTH + CHAIN_WIDTH + 13;
    let room = if whole { FULL_ADDRESS_WIDTH } else { SHORT_ADDRESS_WIDTH };
    let is_short = whole || wallet.contradicting_address().is_some();
    let shown = if is_short { full.to_owned() } else { short.shorten(full) };
    let address_at = right.saturating_sub(room);
    paint::put(buf, address_at, row.y, room, &shown, row.style_over(theme.dim));
    let chain_at = address_at.saturating_sub(CHAIN_WIDTH + 1);
    paint::put(buf, chain_at, row.y, CHAIN_WIDTH, chain_display_name(&entry.blockchain), row.style_over(theme.text));
    let name =
        model.scope_title(&Scope::Wallet(entry.id.clone())).map_or_else(|| short.shorten(full), ToString::to_string);
    let room = chain_at.saturating_sub(row.x + 1);
    paint::put(buf, row.x, row.y, room, &paint::truncate_middle(&name, room), row.base);
}
