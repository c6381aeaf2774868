//! ```text
//!  0x3f2A7b1c…                          the whole address, in one piece to copy
//!  ▄▄▄▄▄▄▄   Ethereum mainnet
//!  █ ▄▄▄ █   wallet eth-main
//!  █ ███ █   0x 3f2A 7b1c …
//!  ▀▀▀▀▀▀▀   Only what is sent on Ethereum arrives here. …
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{address_lines, payable_address};
use crate::app::model::Model;
use crate::app::overlays::qr::{self, QrMatrix};
use crate::app::pages::view::tone_style;
use crate::domain::Wallet;
use crate::domain::entry_source::Sourced;
use crate::domain::text::wrap;
use crate::ui::{Theme, paint};

/// Width that the text needs beside the QR code; where there is less, the code is left out.
const MIN_TEXT_WIDTH: u16 = 30;

pub fn view(model: &Model, theme: &Theme, wallet: &Sourced<Wallet>, area: Rect, buf: &mut Buffer) {
    let address = payable_address(model, wallet).ok();
    let room = area.width.saturating_sub(2);
    let mut y = area.y;
    for line in address.map_or_else(Vec::new, |address| wrap(address, room)) {
        paint::put(buf, area.x + 1, y, room, &line, theme.accent);
        y += 1;
    }
    let code = address.and_then(|address| QrMatrix::encode(address)).filter(|code| {
        let (columns, rows) = qr::view::drawn_size(code, model.console.appearance.glyphs);
        columns + MIN_TEXT_WIDTH <= area.width && y + rows <= area.bottom()
    });
    let mut x = area.x + 1;
    if let Some(code) = &code {
        qr::view::view(theme, model.console.appearance.glyphs, code, area.x, y, buf);
        x = area.x + qr::view::drawn_size(code, model.console.appearance.glyphs).0 + 2;
    }
    let room = area.right().saturating_sub(x + 1);
    let unscannable =
        (address.is_some() && code.is_none()).then(|| ("The QR code needs a larger screen.".to_owned(), theme.dim));
    let lines = address_lines(model, wallet).into_iter().map(|(text, meaning)| (text, tone_style(theme, meaning)));
    for (text, style) in lines.chain(unscannable) {
        for line in wrap(&text, room) {
            if y < area.bottom() {
                paint::put(buf, x, y, room, &line, style);
                y += 1;
            }
        }
    }
}
