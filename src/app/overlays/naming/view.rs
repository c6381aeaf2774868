//! ```text
//! ┌ Name this address ────────────── Enter keeps, Esc closes ┐
//! │ 0x 5aAe b605 3F3E 94C9 b9A0 9f33 6694 35E7 Ef1B eAed     │
//! │ > Unknown payer                                          │
//! └──────────────────────────────────────────────────────────┘
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::NamePrompt;
use crate::app::pages::orders::prompt::view::draw_input_line;
use crate::domain::address::format_grouped;
use crate::domain::book::LabelSubject;
use crate::domain::chain::chain_display_name;
use crate::domain::text::wrap;
use crate::ui::chrome::{self, PaneTitle};
use crate::ui::{Theme, paint};

const MAX_BOX_WIDTH: u16 = 76;

pub fn view(theme: &Theme, prompt: &NamePrompt, area: Rect, buf: &mut Buffer) {
    let width = MAX_BOX_WIDTH.min(area.width);
    let room = width.saturating_sub(4);
    let about = wrap(&subject_text(&prompt.subject), room);
    let hint = match &prompt.message {
        Some(message) => (wrap(message, room), theme.bad),
        None if prompt.recording.is_some() => (vec!["recording…".to_owned()], theme.dim),
        None => {
            (wrap("Only you see this name; it makes nobody a recipient. An empty one removes it.", room), theme.dim)
        }
    };
    let lines = u16::try_from(about.len() + hint.0.len()).unwrap_or(u16::MAX);
    let height = lines.saturating_add(3).min(area.height);
    let frame = Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height);
    let blank = " ".repeat(usize::from(width));
    for y in frame.y..frame.bottom() {
        paint::put(buf, frame.x, y, width, &blank, Style::reset());
    }
    let notes = vec![("Enter keeps, Esc closes".into(), theme.dim)];
    let title = format!("Name this {}", prompt.subject.kind());
    chrome::draw_box(buf, frame, false, &PaneTitle { title, notes, focused: true }, theme);
    let inner = Rect::new(frame.x + 2, frame.y + 1, room, height.saturating_sub(2));
    let mut y = inner.y;
    for line in &about {
        paint::put(buf, inner.x, y, room, line, theme.accent);
        y += 1;
    }
    if y < inner.bottom() {
        draw_input_line(theme, &prompt.input, prompt.recording.is_none(), Rect { y, height: 1, ..inner }, buf);
    }
    for (y, line) in (y + 1..inner.bottom()).zip(&hint.0) {
        paint::put(buf, inner.x, y, room, line, hint.1);
    }
}

fn subject_text(subject: &LabelSubject) -> String {
    match subject {
        LabelSubject::Address { address, blockchain } => {
            format!("{} on {}", format_grouped(address), chain_display_name(blockchain))
        }
        LabelSubject::Wallet(id) => id.to_string(),
        LabelSubject::Account(id) => id.to_string(),
        LabelSubject::User(id) => id.to_string(),
    }
}
