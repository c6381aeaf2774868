//! ```text
//! ─ Withdraw ───────────────────────────────────────────────── Esc keeps the draft ─
//!  From wallet    eth-main
//!                 Ethereum · 0x3f2A…
//!  …
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::form_state::Focus;
use super::review::{self, ReviewPurpose, ReviewStatus};
use super::{Form, FormStage, chains, create, form_state, help, payer};
use crate::app::model::Model;
use crate::domain::Operation;
use crate::ui::chrome::{self, PaneTitle};
use crate::ui::{Theme, paint};

pub fn view(model: &Model, theme: &Theme, form: &Form, area: Rect, buf: &mut Buffer) {
    let title = match (form.state.operation, &form.state.selection.wallet, &form.state.selection.user) {
        (Operation::Withdraw, ..) => "Withdraw".to_owned(),
        (Operation::Batch, ..) => "Batch: pay several recipients".to_owned(),
        (Operation::Swap, ..) => "Swap · version 2".to_owned(),
        (Operation::InstantSwap, ..) => "Swap · version 1".to_owned(),
        (Operation::Payment, ..) => "Withdraw · version 1".to_owned(),
        (operation @ Operation::UpdateWallet, Some(wallet), _) => {
            format!("{} · {}", operation.title(), payer::wallet_name(wallet))
        }
        (operation @ Operation::UpdateUser, _, Some(user)) => {
            format!("{} · {}", operation.title(), create::user_name(user))
        }
        (operation, ..) => match chains::chain_number_and_count(&form.state) {
            Some((nth, all)) => format!("{} · {nth} of {all}", operation.title()),
            None => operation.title().to_owned(),
        },
    };
    let below = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    let head = |title: String, note: String, style| PaneTitle { title, notes: vec![(note, style)], focused: true };
    match &form.stage {
        FormStage::Editing => {
            chrome::draw_rule(buf, area, &head(title, "Esc keeps the draft".into(), theme.dim), theme);
            if form.state.shows_help {
                help::view::draw(theme, &form.state, below, buf);
            } else {
                form_state::view::view(model, theme, &form.state, true, below, buf);
            }
        }
        FormStage::Preparing(_) if form.proposal.is_some() => {
            chrome::draw_rule(buf, area, &head(title, "reading the proposal… Esc goes back".into(), theme.warn), theme);
        }
        FormStage::Preparing(_) => {
            chrome::draw_rule(buf, area, &head(title, "preparing the review… Esc goes back".into(), theme.warn), theme);
            form_state::view::view(model, theme, &form.state, false, below, buf);
        }
        FormStage::Review(review) => {
            let is_approval = matches!(review.purpose, ReviewPurpose::Approve { .. });
            let (note, style) = match &review.status {
                ReviewStatus::Waiting if is_approval => ("Esc goes back, nothing is signed".to_owned(), theme.dim),
                ReviewStatus::Waiting => ("Esc goes back, nothing is sent".to_owned(), theme.dim),
                ReviewStatus::Sending if review.purpose.verb() != "send" => ("signing…".to_owned(), theme.warn),
                ReviewStatus::Sending => ("sending…".to_owned(), theme.warn),
                ReviewStatus::NotSent(_) => (review.purpose.undone_label().to_lowercase(), theme.bad),
            };
            chrome::draw_rule(buf, area, &head(format!("Review · {title}"), note, style), theme);
            review::view::view(model, theme, review, below, buf);
        }
    }
}

pub fn footer_keys(form: &Form) -> &'static [(&'static str, &'static str)] {
    match &form.stage {
        FormStage::Editing if form.state.shows_help => &[("any key", "back to the form")],
        FormStage::Editing if form.state.batch_rows.editing.is_some() => {
            &[("Tab", "next"), ("Enter", "next, then save"), ("Esc", "discard changes")]
        }
        FormStage::Editing if form.state.focus == Focus::Rows => &[
            ("a", "add"),
            ("Enter", "edit"),
            ("x", "remove"),
            ("f", "next error"),
            ("Tab", "review"),
            ("?", "help"),
            ("Esc", "keep"),
        ],
        FormStage::Editing => &[
            ("Tab", "next"),
            ("Shift+Tab", "back"),
            ("Down Enter", "choose"),
            ("Ctrl+r", "review"),
            ("F1", "help"),
            ("Esc", "keep"),
        ],
        FormStage::Preparing(_) => &[("Esc", "back")],
        FormStage::Review(review) if review.status == ReviewStatus::Sending => &[("Esc", "leave; order continues")],
        FormStage::Review(review)
            if form.proposal.is_some() && (review.is_stopped() || review.status != ReviewStatus::Waiting) =>
        {
            &[("PgDn PgUp", "scroll"), ("Esc", "back")]
        }
        FormStage::Review(review) if review.is_stopped() || review.status != ReviewStatus::Waiting => {
            &[("PgDn PgUp", "scroll"), ("Esc", "back to the form")]
        }
        FormStage::Review(review) if review.prompts.is_empty() => {
            &[("Enter", "send"), ("PgDn PgUp", "scroll"), ("Esc", "back, nothing is sent")]
        }
        FormStage::Review(review) => match review.purpose {
            ReviewPurpose::Send | ReviewPurpose::Release { .. } => {
                &[("Enter", "next, then send"), ("PgDn PgUp", "scroll"), ("Esc", "back, nothing is sent")]
            }
            ReviewPurpose::Propose { .. } => {
                &[("Enter", "next, then propose"), ("PgDn PgUp", "scroll"), ("Esc", "back, nothing is sent")]
            }
            ReviewPurpose::Approve { .. } => {
                &[("Enter", "next, then approve"), ("PgDn PgUp", "scroll"), ("Esc", "back, nothing is signed")]
            }
        },
    }
}

pub fn draw_footer_keys(theme: &Theme, keys: &[(&str, &str)], area: Rect, buf: &mut Buffer) {
    let mut x = area.x + 1;
    for (key, description) in keys {
        let needed = paint::text_width(key) + 1 + paint::text_width(description);
        if x + needed > area.right() {
            break;
        }
        x += paint::put(buf, x, area.y, needed, key, theme.key) + 1;
        x += paint::put(buf, x, area.y, needed, description, theme.dim) + 2;
    }
}
