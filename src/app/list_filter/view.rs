//! The hint at the right of a filter while it is typed: its fault, its completions or its keys.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::completions::{FilterHint, filter_hint};
use crate::app::model::Model;
use crate::app::screen::Pane;
use crate::ui::{Theme, paint};

const KEY_HINTS: &str = "Enter keeps  Esc clears";

pub fn draw_filter_hint(model: &Model, theme: &Theme, pane: Pane, text: &str, area: Rect, buf: &mut Buffer) {
    let room = area.right().saturating_sub(area.x + 1);
    let put = |hint_text: &str, style, buf: &mut Buffer| {
        paint::put_right(buf, area.right().saturating_sub(1), area.y, room, hint_text, style);
    };
    match filter_hint(model, pane, text) {
        Some(FilterHint::Fault(fault)) => put(&fault, theme.bad, buf),
        Some(FilterHint::Completions(completions)) => {
            let mut line = "Tab".to_owned();
            for word in completions {
                if paint::text_width(&line) + 1 + paint::text_width(&word) > room {
                    break;
                }
                line.push(' ');
                line.push_str(&word);
            }
            if line.len() > 3 {
                put(&line, theme.dim, buf);
            }
        }
        Some(FilterHint::Examples(examples)) => {
            let mut line = "such as".to_owned();
            for (nth, example) in examples.iter().enumerate() {
                let part = format!("{} {example}", if nth == 0 { "" } else { "  ·" });
                if paint::text_width(&line) + paint::text_width(&part) > room {
                    break;
                }
                line.push_str(&part);
            }
            if line.len() > "such as".len() {
                put(&line, theme.dim, buf);
            }
        }
        None if paint::text_width(KEY_HINTS) <= room => put(KEY_HINTS, theme.dim, buf),
        None => {}
    }
}
