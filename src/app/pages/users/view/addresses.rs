//! ```text
//!  Chain      Coin    Address                                      Known from
//! ▌Base       any     0x3f2A51cC4cB5F4c0C8cC7a3B1D4E9f0011229c1D   wallet eth-main
//!  Tron       USDT    TQ8h…Yw1z                                    deposits
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::panes::AddressesPane;
use super::{draw_empty_pane_note, title_with_notes};
use crate::app::model::Model;
use crate::app::pages::Tone;
use crate::app::pages::pane::view::PaneView;
use crate::app::pages::users::DepositAddress;
use crate::app::pages::view::{is_list_focused, scroll_position};
use crate::app::screen::Pane;
use crate::domain::Text;
use crate::domain::chain::chain_display_name;
use crate::domain::history::RowCount;
use crate::ui::Theme;
use crate::ui::chrome::PaneTitle;
use crate::ui::table::{Cell, Column, Highlight, Table};

/// A column of the addresses.
type AddressColumn<'a> = Column<'a, &'a DepositAddress>;

impl PaneView for AddressesPane {
    fn name(&self) -> &'static str {
        "Addresses"
    }

    fn title(&self, model: &Model, theme: &Theme) -> PaneTitle {
        let place = scroll_position(&model.pages.users.addresses);
        title_with_notes(model, theme, Pane::Addresses, "Addresses".into(), place, Vec::new())
    }

    /// The known addresses at which the selected user can be paid.
    fn draw(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let addresses = &model.pages.users.addresses;
        if addresses.count() == RowCount::Exact(0) {
            let message =
                if model.pages.users.shown_user.is_none() { "no user is selected" } else { "no address is known yet" };
            return draw_empty_pane_note(theme, area, (message.into(), Tone::Dim), buf);
        }
        let short = model.short_addresses();
        let rows: Vec<_> = addresses.visible_rows().collect();
        let columns = [
            AddressColumn::left("Chain", 10)
                .cell(|deposit_address, _| Cell::text(chain_display_name(&deposit_address.chain), theme.text)),
            AddressColumn::left("Coin", 9).rank(1).cell(|deposit_address, _| {
                let coins = if deposit_address.is_wallet_address {
                    "any".to_owned()
                } else {
                    join_coins(&deposit_address.coins)
                };
                Cell::text(coins, theme.accent)
            }),
            AddressColumn::left("Address", 13).grow_whole_to(44).cell(|deposit_address, _| {
                Cell::address("", deposit_address.address.as_str(), short.shorten(&deposit_address.address), theme.text)
            }),
            AddressColumn::left("Known from", 14)
                .rank(2)
                .grow_to(40)
                .cell(|deposit_address, _| Cell::text(address_source(deposit_address), theme.dim)),
        ];
        Table::fit(columns, area).draw(
            theme,
            &rows,
            Highlight::Whole,
            is_list_focused(model, Pane::Addresses, addresses),
            buf,
        );
    }
}

fn join_coins(coins: &[Text]) -> String {
    coins.iter().map(Text::as_str).collect::<Vec<_>>().join(",")
}

fn address_source(deposit_address: &DepositAddress) -> String {
    match (&deposit_address.wallet, &deposit_address.tag) {
        (Some(wallet), _) => format!("wallet {wallet}"),
        (None, Some(tag)) => format!("deposits, tag {tag}"),
        (None, None) if deposit_address.is_wallet_address => "wallet".into(),
        (None, None) => "deposits".into(),
    }
}
