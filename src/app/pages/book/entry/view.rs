//! ```text
//! ─ Address book · new entry ──────────────────────────── Esc closes ─
//!  Name           Norrland Freight▏
//!  Blockchain     ethereum
//!  Address        0x3f2A…
//!  Memo or tag
//!  Note
//!
//!  [ Add entry ]
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{BookAction, ContactForm, EntryReview, EntryStage, form_text};
use crate::app::forms::field::FieldId;
use crate::app::forms::field::view::{LABEL_WIDTH, draw_input};
use crate::app::pages::view::tone_style;
use crate::domain::address::format_grouped;
use crate::domain::chain::chain_display_name;
use crate::domain::text::wrap;
use crate::ui::chrome::{self, PaneTitle};
use crate::ui::{Theme, paint};

pub fn view(theme: &Theme, entry: &ContactForm, area: Rect, buf: &mut Buffer) {
    let title = match &entry.action {
        BookAction::Add => "new entry".to_owned(),
        BookAction::Edit(edited) => edited.contact.name.to_string(),
        BookAction::Remove(edited) => format!("remove {}", edited.contact.name),
    };
    let (note, style) = match &entry.stage {
        EntryStage::Editing => ("Esc closes", theme.dim),
        EntryStage::Checking(_) => ("checking the entry…", theme.warn),
        EntryStage::Confirming(_) => ("Esc goes back, nothing is changed", theme.dim),
        EntryStage::Recording(_) => ("saving…", theme.warn),
    };
    let head =
        PaneTitle { title: format!("Address book · {title}"), notes: vec![(note.into(), style)], focused: true };
    chrome::draw_rule(buf, area, &head, theme);
    let below = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    match &entry.stage {
        EntryStage::Confirming(review) => draw_review(theme, entry, review, below, buf),
        EntryStage::Editing => draw_form(theme, entry, true, below, buf),
        EntryStage::Checking(_) | EntryStage::Recording(_) => draw_form(theme, entry, false, below, buf),
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other fields are on other forms")]
fn field_hint(slot: FieldId) -> &'static str {
    match slot {
        FieldId::Name => "what you call the recipient",
        FieldId::Chain => "for example ethereum; the same address on another chain is a separate entry",
        FieldId::Recipient => "the whole address",
        FieldId::Memo => "the memo or tag that deposits there need; empty if none",
        _ => "optional",
    }
}

fn field_label(slot: FieldId) -> &'static str {
    if slot == FieldId::Recipient { "Address" } else { slot.label() }
}

fn draw_form(theme: &Theme, entry: &ContactForm, active: bool, area: Rect, buf: &mut Buffer) {
    let room = area.width.saturating_sub(LABEL_WIDTH + 2);
    let values = |y| Rect { x: area.x + 1 + LABEL_WIDTH, y, width: room, height: 1 };
    let mut y = area.y + 1;
    let mut put = |buf: &mut Buffer, name: &str, value: &str, style: Style| {
        for (index, part) in wrap(value, room).into_iter().enumerate() {
            if y < area.bottom() {
                paint::put(buf, area.x + 1, y, LABEL_WIDTH, if index == 0 { name } else { "" }, theme.dim);
                paint::put(buf, values(y).x, y, room, &part, style);
            }
            y += 1;
        }
        y
    };
    // Chain and address cannot be edited: another address is another entry.
    if let BookAction::Edit(edited) = &entry.action {
        put(buf, "Blockchain", chain_display_name(&edited.contact.blockchain), theme.text);
        put(buf, "Address", &format_grouped(&edited.contact.address), theme.text);
    }
    let mut y = put(buf, "", "", theme.text);
    for (index, field) in entry.fields.iter().enumerate() {
        if y >= area.bottom() {
            break;
        }
        let focused = active && index == entry.at;
        if focused {
            paint::put(buf, area.x, y, 1, "▌", theme.accent);
        }
        let style = if focused { theme.accent } else { theme.dim };
        paint::put(buf, area.x + 1, y, LABEL_WIDTH, field_label(field.id), style);
        if field.input.value().is_empty() {
            paint::put(buf, values(y).x, y, room, field_hint(field.id), theme.dim);
        }
        draw_input(buf, theme, values(y), &field.input, focused);
        y += 1;
        for line in field.error.iter().flat_map(|error| wrap(&format!("✗ {error}"), room)) {
            paint::put(buf, values(y).x, y, room, &line, theme.bad);
            y += 1;
        }
    }
    y += 1;
    for line in entry.message.iter().flat_map(|entry_message| wrap(&format!("✗ {entry_message}"), room)) {
        paint::put(buf, values(y).x, y, room, &line, theme.bad);
        y += 1;
    }
    let line = if matches!(entry.action, BookAction::Add) { "[ Add entry ]" } else { "[ Save entry ]" };
    let style = if active && entry.at >= entry.fields.len() { theme.selected } else { theme.dim };
    paint::put(buf, area.x + 1, y, area.width.saturating_sub(2), line, style);
}

/// The findings, and the words to type to go on in spite of them.
fn draw_review(theme: &Theme, entry: &ContactForm, review: &EntryReview, area: Rect, buf: &mut Buffer) {
    let room = area.width.saturating_sub(LABEL_WIDTH + 2);
    let lines = form_text::review_lines(entry, review, area.width);
    // In a window that is too small the findings are cut at the end, and nothing can be confirmed.
    let line_count = usize::from(area.height.saturating_sub(form_text::input_rows(review) + 1));
    let mut y = area.y + 1;
    for (name, value, meaning) in lines.iter().take(line_count) {
        paint::put(buf, area.x + 1, y, LABEL_WIDTH, name, theme.dim);
        paint::put(buf, area.x + 1 + LABEL_WIDTH, y, room, value, tone_style(theme, *meaning));
        y += 1;
    }
    let cut = lines.len() > line_count;
    y += u16::from(!cut);
    let is_removal = matches!(entry.action, BookAction::Remove(_));
    for (index, (phrase, input)) in review.prompts.iter().enumerate() {
        let is_focused = index == review.at;
        let question = if is_removal {
            format!("Type its name, “{phrase}”, to remove it")
        } else {
            format!("Type “{phrase}” to enter it anyway")
        };
        paint::put(buf, area.x + 1, y, area.width, &question, if is_focused { theme.key } else { theme.dim });
        let typed = Rect { x: area.x + 3, y: y + 1, width: area.width.saturating_sub(4), height: 1 };
        paint::put(buf, area.x + 1, y + 1, 2, ">", theme.dim);
        draw_input(buf, theme, typed, input, is_focused);
        y += 2;
    }
    let styled_message = match (&entry.message, review.judgement.stop_reason()) {
        _ if cut => ("Too small to confirm: enlarge the screen".to_owned(), theme.warn),
        (Some(entry_message), _) => (format!("✗ {entry_message}"), theme.bad),
        (None, Some(_)) => ("The entry cannot be saved; Esc goes back".to_owned(), theme.bad),
        (None, None) if review.prompts.is_empty() => ("Enter saves the entry, Esc goes back".to_owned(), theme.key),
        (None, None) => ("Enter continues".to_owned(), theme.dim),
    };
    paint::put(buf, area.x + 1, y, area.width.saturating_sub(2), &styled_message.0, styled_message.1);
}
