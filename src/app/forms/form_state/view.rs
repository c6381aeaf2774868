//! ```text
//!  From wallet    eth-main
//!                 Ethereum · 0x3f2A…          (in full)
//!  Token          us▏
//!                ▌USDT   1,204.33  reported 2s ago · 0xdac1…1ec7
//!  Recipient
//!
//!  [ Review ]  [ Clear form ]
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Focus, FormState};
use crate::app::forms::batch;
use crate::app::forms::field::view::{LABEL_WIDTH, draw_input};
use crate::app::model::Model;
use crate::app::pages::view::tone_style;
use crate::domain::Operation;
use crate::domain::text::wrap;
use crate::ui::{Row, Theme, paint};

const MAX_VISIBLE_CHOICES: usize = 8;

const MAX_CHOICE_NAME_WIDTH: u16 = 24;

enum FormRow {
    /// A field, by its index.
    Field(usize),
    Text(String, Style),
    /// A choice: whether it is highlighted, the width of names, its name, its detail.
    Choice(bool, u16, String, String),
    Buttons,
    Blank,
}

pub fn view(model: &Model, theme: &Theme, form: &FormState, active: bool, area: Rect, buf: &mut Buffer) {
    if form.operation == Operation::Batch {
        return batch::view::view(model, theme, form, active, area, buf);
    }
    let room = area.width.saturating_sub(LABEL_WIDTH + 2);
    let tight = build_form_rows(model, theme, form, active, room, false);
    let airy = build_form_rows(model, theme, form, active, room, true);
    let (pieces, focus) = if airy.0.len() <= usize::from(area.height) { airy } else { tight };
    // The focused row stays in view, with the rows below it.
    let skip = (focus + 6).min(pieces.len()).saturating_sub(usize::from(area.height)).min(focus);
    for (y, piece) in (area.y..area.bottom()).zip(pieces.into_iter().skip(skip)) {
        draw_form_row(model, theme, form, active, &piece, Rect { y, height: 1, ..area }, buf);
    }
}

/// Draws the fields alone, without buttons and blank rows; returns the number of rows drawn.
pub fn draw_fields(model: &Model, theme: &Theme, form: &FormState, active: bool, area: Rect, buf: &mut Buffer) -> u16 {
    let room = area.width.saturating_sub(LABEL_WIDTH + 2);
    let (mut pieces, focus) = build_form_rows(model, theme, form, active, room, false);
    pieces.pop();
    let height = u16::try_from(pieces.len()).unwrap_or(area.height).min(area.height);
    let skip = (focus + 6).min(pieces.len()).saturating_sub(usize::from(area.height)).min(focus);
    for (y, piece) in (area.y..area.bottom()).zip(pieces.into_iter().skip(skip)) {
        draw_form_row(model, theme, form, active, &piece, Rect { y, height: 1, ..area }, buf);
    }
    height
}

pub fn draw_buttons(theme: &Theme, form: &FormState, active: bool, area: Rect, buf: &mut Buffer) {
    let mut x = area.x + 1;
    let anew = if form.is_clear_prompted { "[ Press Enter again to clear ]" } else { "[ Clear form ]" };
    for (stop, label) in [(Focus::Review, "[ Review ]"), (Focus::Clear, anew)] {
        let style = if active && form.focus == stop { theme.selected } else { theme.dim };
        x += paint::put(buf, x, area.y, area.right().saturating_sub(x), label, style) + 2;
    }
}

/// The rows of the form, and the index of the focused one.
fn build_form_rows(
    model: &Model,
    theme: &Theme,
    form: &FormState,
    active: bool,
    room: u16,
    airy: bool,
) -> (Vec<FormRow>, usize) {
    let mut pieces = Vec::new();
    let mut focus = 0;
    if airy {
        pieces.push(FormRow::Blank);
    }
    for (index, field) in form.fields.iter().enumerate() {
        let focused = active && form.focus == Focus::Field(index);
        if focused {
            focus = pieces.len();
        }
        pieces.push(FormRow::Field(index));
        if let Some(error) = &field.error {
            let lines = wrap(&format!("✗ {error}"), room);
            pieces.extend(lines.into_iter().map(|line| FormRow::Text(line, theme.bad)));
        } else if let Some((hint, meaning)) = form.hint(model, field.id).filter(|_| !field.value().is_empty()) {
            let lines = wrap(&hint, room);
            pieces.extend(lines.into_iter().map(|line| FormRow::Text(line, tone_style(theme, meaning))));
        }
        if focused {
            push_choice_rows(model, theme, form, &mut pieces);
        }
        if airy {
            pieces.push(FormRow::Blank);
        }
    }
    if let Some(caveat) = form.caveat() {
        pieces.extend(wrap(caveat, room).into_iter().map(|line| FormRow::Text(line, theme.warn)));
        if airy {
            pieces.push(FormRow::Blank);
        }
    }
    if let Some(form_error) = &form.error {
        pieces.extend(wrap(&format!("✗ {form_error}"), room).into_iter().map(|line| FormRow::Text(line, theme.bad)));
    }
    if !matches!(form.focus, Focus::Field(_)) {
        focus = pieces.len();
    }
    pieces.push(FormRow::Buttons);
    (pieces, focus)
}

fn push_choice_rows(model: &Model, theme: &Theme, form: &FormState, pieces: &mut Vec<FormRow>) {
    let choices = form.choices(model);
    let count = choices.len();
    let names =
        choices.iter().map(|choice| paint::text_width(&choice.name)).max().unwrap_or(0).min(MAX_CHOICE_NAME_WIDTH);
    let first = form.highlighted_index.map_or(0, |at| (at + 1).saturating_sub(MAX_VISIBLE_CHOICES));
    for (index, choice) in choices.into_iter().enumerate().skip(first).take(MAX_VISIBLE_CHOICES) {
        pieces.push(FormRow::Choice(form.highlighted_index == Some(index), names, choice.name, choice.detail));
    }
    let behind = count.saturating_sub(first + MAX_VISIBLE_CHOICES);
    if behind > 0 {
        pieces.push(FormRow::Text(format!("and {behind} more: Down shows them, typing narrows the list"), theme.dim));
    }
}

fn draw_form_row(
    model: &Model,
    theme: &Theme,
    form: &FormState,
    active: bool,
    piece: &FormRow,
    area: Rect,
    buf: &mut Buffer,
) {
    let values = Rect { x: area.x + 1 + LABEL_WIDTH, width: area.width.saturating_sub(LABEL_WIDTH + 2), ..area };
    match piece {
        FormRow::Field(index) => {
            let Some(field) = form.fields.get(*index) else { return };
            let focused = active && form.focus == Focus::Field(*index);
            let style = if focused { theme.accent } else { theme.dim };
            if focused {
                paint::put(buf, area.x, area.y, 1, "▌", theme.accent);
            }
            paint::put(buf, area.x + 1, area.y, LABEL_WIDTH, field.id.label(), style);
            // The hint of an empty field is in the place of its value.
            if field.input.value().is_empty()
                && let Some((hint, _)) = form.hint(model, field.id)
            {
                paint::put(buf, values.x, values.y, values.width, &hint, theme.dim);
            }
            draw_input(buf, theme, values, &field.input, focused);
        }
        FormRow::Text(text, style) => {
            paint::put(buf, values.x, values.y, values.width, text, *style);
        }
        FormRow::Choice(highlighted, names, name, about) => {
            let list = Rect { x: values.x.saturating_sub(1), width: values.width + 1, ..values };
            let row = Row::new(buf, theme, list, 0, *highlighted, true);
            paint::put(buf, row.x, row.y, *names, name, row.style_over(theme.accent));
            let x = row.x + names + 2;
            paint::put(buf, x, row.y, row.right.saturating_sub(x), about, row.style_over(theme.dim));
        }
        FormRow::Buttons => draw_buttons(theme, form, active, area, buf),
        FormRow::Blank => {}
    }
}
