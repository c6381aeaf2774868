//! ```text
//! ─ Withdraw ─────────────────────────────────────────── Esc keeps it and closes ─
//!  From wallet    eth-main
//!                 Ethereum · 0x3f2A…
//!  …
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::review::{self, Fate};
use super::sheet::Stop;
use super::{Form, Stage, chains, create, sheet, withdraw};
use crate::app::Model;
use crate::domain::Operation;
use crate::ui::chrome::{self, Head};
use crate::ui::{Theme, paint};

/// A form at its stage.
pub fn view(model: &Model, theme: &Theme, form: &Form, area: Rect, buf: &mut Buffer) {
    let title = match (form.sheet.operation, &form.sheet.picked.wallet, &form.sheet.picked.user) {
        (Operation::Withdraw, ..) => "Withdraw".to_owned(),
        (Operation::Batch, ..) => "Batch: one payment to several".to_owned(),
        (Operation::Swap, ..) => "Swap · version 2".to_owned(),
        (Operation::InstantSwap, ..) => "Swap · version 1".to_owned(),
        (Operation::Payment, ..) => "Withdraw by version 1".to_owned(),
        (operation @ Operation::UpdateWallet, Some(wallet), _) => {
            format!("{} · {}", operation.title(), withdraw::name_of(wallet))
        }
        (operation @ Operation::UpdateUser, _, Some(user)) => {
            format!("{} · {}", operation.title(), create::name_of(user))
        }
        (operation, ..) => match chains::count(&form.sheet) {
            Some((nth, all)) => format!("{} · {nth} of {all}", operation.title()),
            None => operation.title().to_owned(),
        },
    };
    let below = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    let head = |title: String, note: String, style| Head { title, notes: vec![(note, style)], focused: true };
    match &form.stage {
        Stage::Filling => {
            chrome::ruled(buf, area, &head(title, "Esc keeps it and closes".into(), theme.dim), theme);
            sheet::view::view(model, theme, &form.sheet, true, below, buf);
        }
        Stage::Preparing(_) => {
            chrome::ruled(buf, area, &head(title, "preparing the review… Esc goes back".into(), theme.warn), theme);
            sheet::view::view(model, theme, &form.sheet, false, below, buf);
        }
        Stage::Review(review) => {
            let (note, style) = match &review.fate {
                Fate::Open => ("Esc goes back, nothing is sent".to_owned(), theme.dim),
                Fate::Sending => ("sending…".to_owned(), theme.warn),
                Fate::NotSent(_) => ("not sent".to_owned(), theme.bad),
            };
            chrome::ruled(buf, area, &head(format!("Review · {title}"), note, style), theme);
            review::view::view(model, theme, review, below, buf);
        }
    }
}

/// What keys do here, for the footer.
pub fn keys(form: &Form) -> &'static [(&'static str, &'static str)] {
    match &form.stage {
        Stage::Filling if form.sheet.rows.editing.is_some() => {
            &[("Tab", "next"), ("Enter", "next, then take"), ("Esc", "leave the row as it was")]
        }
        Stage::Filling if form.sheet.at == Stop::Rows => &[
            ("a", "add"),
            ("Enter", "edit"),
            ("x", "remove"),
            ("f", "next that fails"),
            ("Tab", "review"),
            ("Esc", "keep and close"),
        ],
        Stage::Filling => &[
            ("Tab", "next"),
            ("Shift+Tab", "back"),
            ("Down Up", "choose"),
            ("Enter", "take, go on"),
            ("Esc", "keep and close"),
        ],
        Stage::Preparing(_) => &[("Esc", "back")],
        Stage::Review(review) if review.fate == Fate::Sending => &[("Esc", "leave; the order goes on")],
        Stage::Review(review) if review.is_stopped() || review.fate != Fate::Open => {
            &[("PgDn PgUp", "scroll"), ("Esc", "back to the form")]
        }
        Stage::Review(review) if review.asked.is_empty() => {
            &[("Enter", "send"), ("PgDn PgUp", "scroll"), ("Esc", "back, nothing is sent")]
        }
        Stage::Review(_) => &[("Enter", "next, then send"), ("PgDn PgUp", "scroll"), ("Esc", "back, nothing is sent")],
    }
}

/// Paints keys and what they do, as many as there is room for.
pub fn legend(theme: &Theme, keys: &[(&str, &str)], area: Rect, buf: &mut Buffer) {
    let mut x = area.x + 1;
    for (key, words) in keys {
        let needed = paint::width(key) + 1 + paint::width(words);
        if x + needed > area.right() {
            break;
        }
        x += paint::put(buf, x, area.y, needed, key, theme.key) + 1;
        x += paint::put(buf, x, area.y, needed, words, theme.dim) + 2;
    }
}
