//! ```text
//! ┌ Write off ───────────────────────────────────────── Esc closes ┐
//! │ 25 USDC to 0x 3f2A …, drafted …                                │
//! │ The outcome of this order is not known, …                      │
//! │ Reason, for the record                                         │
//! │ > paid by hand                                                 │
//! └────────────────────────────────────────────────────────────────┘
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use tui_input::Input;

use super::{OrderPrompt, PromptSubject, prompt_inputs, prompt_message};
use crate::app::layout::body::body_area;
use crate::app::model::Model;
use crate::app::pages::view::tone_style;
use crate::app::screen::is_too_small;
use crate::domain::text::wrap;
use crate::ui::chrome::{self, PaneTitle};
use crate::ui::{Theme, paint};

const MAX_BOX_WIDTH: u16 = 76;

/// Whether the text and inputs of a prompt fit on screen. Where not, nothing can be confirmed. Quitting is always
/// possible.
pub fn has_room_for_prompt(model: &Model, prompt: &OrderPrompt) -> bool {
    if prompt.subject == PromptSubject::Quit {
        return true;
    }
    let area = body_area(model);
    let room = MAX_BOX_WIDTH.min(area.width).saturating_sub(4);
    let paragraphs = prompt_message(model, prompt).1;
    let above: usize = paragraphs.iter().map(|(text, _)| wrap(text, room).len()).sum();
    !is_too_small(model.size) && above + usize::from(input_height(prompt) + 2) <= usize::from(area.height)
}

/// Rows of the inputs and of their error.
fn input_height(prompt: &OrderPrompt) -> u16 {
    let line_count = saturating_height(prompt_inputs(prompt.subject).len());
    if line_count == 0 { 0 } else { 2 * line_count + 1 }
}

pub fn view(model: &Model, theme: &Theme, prompt: &OrderPrompt, area: Rect, buf: &mut Buffer) {
    let width = MAX_BOX_WIDTH.min(area.width);
    let room = width.saturating_sub(4);
    let (title, paragraphs) = prompt_message(model, prompt);
    let title = if has_room_for_prompt(model, prompt) { title } else { "Screen too small: enlarge it" };
    let mut above: Vec<(String, Style)> = Vec::new();
    for (text, meaning) in paragraphs {
        above.extend(wrap(&text, room).into_iter().map(|line| (line, tone_style(theme, meaning))));
    }
    let lines = prompt_inputs(prompt.subject);
    let below = input_height(prompt);
    // Where room is short the text is cut, not the inputs.
    let height = saturating_height(above.len()).saturating_add(below + 2).min(area.height);
    let frame = Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height);
    let blank = " ".repeat(usize::from(width));
    for y in frame.y..frame.bottom() {
        paint::put(buf, frame.x, y, width, &blank, Style::reset());
    }
    let head = PaneTitle { title: title.into(), notes: vec![("Esc closes".into(), theme.dim)], focused: true };
    chrome::draw_box(buf, frame, false, &head, theme);
    let inner = Rect::new(frame.x + 2, frame.y + 1, room, height.saturating_sub(2));
    let text_height = inner.height.saturating_sub(below).min(saturating_height(above.len()));
    for (y, (line, style)) in (inner.y..inner.y + text_height).zip(&above) {
        paint::put(buf, inner.x, y, room, line, *style);
    }
    let mut y = inner.y + text_height;
    for (index, (line, input)) in lines.iter().zip(&prompt.inputs).enumerate() {
        let is_focused = index == prompt.focused_index;
        paint::put(buf, inner.x, y, room, line.label, if is_focused { theme.key } else { theme.dim });
        draw_input_line(theme, input, is_focused, Rect { y: y + 1, height: 1, ..inner }, buf);
        y += 2;
    }
    if let Some(wrong) = &prompt.error {
        paint::put(buf, inner.x, y, room, wrong, theme.bad);
    }
}

fn saturating_height(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX / 4)
}

pub(in crate::app) fn draw_input_line(theme: &Theme, input: &Input, is_focused: bool, area: Rect, buf: &mut Buffer) {
    let x = area.x + paint::put(buf, area.x, area.y, 2, "> ", theme.dim);
    let room = area.right().saturating_sub(x + 1);
    let scroll = input.visual_scroll(usize::from(room));
    let mut passed = 0;
    let visible_input: String = input
        .value()
        .chars()
        .skip_while(|c| {
            let before = passed;
            passed += usize::from(paint::text_width(c.encode_utf8(&mut [0; 4])));
            before < scroll
        })
        .collect();
    paint::put(buf, x, area.y, room, &visible_input, theme.text);
    if is_focused {
        let cut = usize::from(paint::text_width(input.value()).saturating_sub(paint::text_width(&visible_input)));
        let at = u16::try_from(input.visual_cursor().saturating_sub(cut)).unwrap_or(0);
        paint::tint(buf, Rect::new(x + at, area.y, 1, 1), theme.cursor);
    }
}
