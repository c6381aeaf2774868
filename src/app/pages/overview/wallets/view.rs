//! ```text
//!  Wallet     Chain      Address     State    Reference    Fees · sweep
//!  All wallets
//! ▌eth-main   Ethereum   0x3f2A…9c1D LIVE     treasury     gasless, sweep
//!  sol-main   Solana     7Xk4…pQ2m   LIVE
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::pane::WalletsPane;
use crate::app::model::Model;
use crate::app::pages::pane::view::PaneView;
use crate::app::pages::view::{created_day, draw_empty_message, new_pane_title, scroll_position, state_style};
use crate::app::screen::Pane;
use crate::domain::Wallet;
use crate::domain::address::ShortAddresses;
use crate::domain::chain::chain_display_name;
use crate::domain::entry_source::Sourced;
use crate::domain::history::{RowCount, Scope};
use crate::ui::Theme;
use crate::ui::chrome::PaneTitle;
use crate::ui::table::{Cell, Column, Highlight, Table};

/// A column of the wallets; the first row, of all wallets, is `None`.
type WalletColumn<'a> = Column<'a, Option<&'a Sourced<Wallet>>>;

impl PaneView for WalletsPane {
    fn name(&self) -> &'static str {
        "Wallets"
    }

    fn title(&self, model: &Model, theme: &Theme) -> PaneTitle {
        let scope = model.scope_name(&model.pages.overview.wallets_scope);
        let mut head = new_pane_title(model, Pane::Wallets, format!("Wallets · {scope}"));
        if !model.pages.overview.wallet_filter.is_empty() {
            head.notes.push((format!("/{}", model.pages.overview.wallet_filter), theme.accent));
        }
        if let Some(note) = scroll_position(&model.pages.overview.wallets) {
            head.notes.push((note, theme.dim));
        }
        head
    }

    fn draw(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
        if model.pages.overview.wallets.count() == RowCount::Exact(0) {
            let message = if model.pages.overview.wallet_filter.is_empty() {
                if model.console.read_only.is_some() {
                    "no wallets known yet"
                } else {
                    "no wallets known yet; n creates one"
                }
            } else {
                "no wallet matches; Esc clears the filter"
            };
            return draw_empty_message(model, theme, area, buf, model.pages.overview.wallets.is_loaded(), message);
        }
        let short = model.short_addresses();
        let is_all = model.pages.overview.wallets.selected_key().is_none();
        let wallets = model.pages.overview.wallets.visible_rows();
        // The first row is that of all wallets.
        let rows: Vec<(Option<&Sourced<Wallet>>, bool)> = std::iter::once((None, is_all))
            .chain(wallets.map(|(wallet, selected)| (Some(wallet), selected && !is_all)))
            .collect();
        let columns = [
            WalletColumn::left("Wallet", 13).grow_to(24).cell(|wallet, _| match wallet {
                Some(wallet) => wallet_name_cell(model, theme, &short, wallet),
                None => Cell::text("All wallets", theme.text.add_modifier(Modifier::BOLD)),
            }),
            WalletColumn::left("Chain", 10).cell(|wallet, _| {
                wallet.map_or_else(Cell::blank, |wallet| {
                    Cell::text(chain_display_name(&wallet.entry.blockchain), theme.text)
                })
            }),
            WalletColumn::left("Address", 11).rank(1).grow_whole_to(44).cell(|wallet, _| {
                wallet.map_or_else(Cell::blank, |wallet| {
                    if wallet.contradicting_address().is_some() {
                        return Cell::text("2 addresses: press a", theme.warn).extend_to(STATE);
                    }
                    let address = wallet.entry.address.as_deref().unwrap_or("—");
                    Cell::address("", address, short.shorten(address), theme.dim)
                })
            }),
            WalletColumn::left("State", 8).rank(2).cell(|wallet, _| {
                wallet.map_or_else(Cell::blank, |wallet| {
                    let word = wallet.entry.state.as_ref().map_or("—", |state| state.word());
                    let word = if wallet.contradicting_address().is_some() { "" } else { word };
                    Cell::text(word, state_style(theme, wallet.entry.state.as_ref()))
                })
            }),
            WalletColumn::left("Reference", 36).rank(3).cell(|wallet, _| {
                wallet.map_or_else(Cell::blank, |wallet| {
                    Cell::name(wallet.entry.ref_id.as_deref().unwrap_or("—"), theme.dim)
                })
            }),
            WalletColumn::left("Fees · sweep", 14).rank(4).cell(|wallet, _| {
                wallet.map_or_else(Cell::blank, |wallet| Cell::text(gasless_and_sweep_text(&wallet.entry), theme.dim))
            }),
            WalletColumn::left("Created", 10).rank(5).cell(|wallet, _| {
                wallet.map_or_else(Cell::blank, |wallet| {
                    Cell::text(created_day(model, wallet.entry.created_at), theme.dim)
                })
            }),
        ];
        Table::fit(columns, area).draw(theme, &rows, Highlight::Whole, model.focus() == Pane::Wallets, buf);
    }
}

/// The column of the state.
const STATE: usize = 3;

fn wallet_name_cell<'a>(
    model: &'a Model,
    theme: &Theme,
    short: &ShortAddresses,
    wallet: &'a Sourced<Wallet>,
) -> Cell<'a> {
    let style = if wallet.contradicting_address().is_some() { theme.warn } else { theme.text };
    if let Some(name) = model.scope_label(&Scope::Wallet(wallet.entry.id.clone())) {
        return Cell::name(name.to_string(), style);
    }
    let address = wallet.entry.address.as_deref().unwrap_or("—");
    Cell::address("", address, short.shorten(address), style)
}

/// Who pays the fees of a wallet, and whether it is swept; what is not reported is left out.
fn gasless_and_sweep_text(wallet: &Wallet) -> String {
    let gasless = (wallet.gasless_withdraw == Some(true)).then_some("gasless");
    let sweep = (wallet.auto_sweep == Some(true)).then_some("sweep");
    gasless.into_iter().chain(sweep).collect::<Vec<_>>().join(", ")
}
