//! The help: every key, by where it works, from the one table; and what the marks on screen mean.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::keymap::{self, Command, Context, KEYS};
use crate::ui::{Theme, paint};

/// What the marks on screen mean.
const MARKS: &[(&str, &str)] = &[
    ("—", "not known; never the same as zero"),
    ("stale 42s", "the figure is older than two poll periods; it is shown dim"),
    ("assumed", "stated for the wallet's user, who has one known wallet on that chain"),
    ("derived", "summed up from the history, which was read to its end"),
    ("disputed, !", "the service's two forms of an amount disagree; the integer is shown"),
    ("pending 3✓", "on its way, with 3 confirmations"),
    ("dim time", "when this console first saw the row; the service gave no time"),
    ("▲ 3 new", "rows arrived above the selected one; g goes there"),
];

/// From a first line on; returns how many lines there are.
pub fn view(theme: &Theme, top: u16, area: Rect, buf: &mut Buffer) -> u16 {
    let lines = lines();
    let count = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let top = top.min(count.saturating_sub(area.height));
    for (y, line) in (area.y..area.bottom()).zip(lines.into_iter().skip(usize::from(top))) {
        match line {
            Line::Title(title) => paint::put(buf, area.x + 1, y, area.width, &title, theme.accent),
            Line::Pair(left, right) => {
                paint::put(buf, area.x + 2, y, 16, &left, theme.key);
                paint::put(buf, area.x + 19, y, area.width.saturating_sub(20), &right, theme.text)
            }
            Line::Blank => 0,
        };
    }
    count
}

enum Line {
    Title(String),
    Pair(String, String),
    Blank,
}

fn lines() -> Vec<Line> {
    let mut lines = Vec::new();
    let sections = [
        ("Everywhere", Context::Everywhere),
        ("In lists", Context::Lists),
        ("Transactions", Context::Transactions),
        ("Balances", Context::Balances),
    ];
    for (title, context) in sections {
        if !lines.is_empty() {
            lines.push(Line::Blank);
        }
        lines.push(Line::Title(title.into()));
        for binding in KEYS.iter().filter(|binding| binding.context == context) {
            let keys: Vec<String> = binding.keys.iter().map(|key| keymap::name(*key)).collect();
            let words = match binding.command {
                Command::Page(_) => format!("page {}", binding.long),
                _ => binding.long.to_owned(),
            };
            lines.push(Line::Pair(keys.join("  "), words));
        }
    }
    lines.push(Line::Blank);
    lines.push(Line::Title("Filter".into()));
    lines.push(Line::Pair("usdc base".into(), "rows that hold both words, in any field".into()));
    lines.push(Line::Pair("status:pending".into(), "one field alone: token chain status dir amount date type".into()));
    lines.push(Line::Pair("from:0x3f2a".into(), "from to hash ref note id wallet user".into()));
    lines.push(Line::Blank);
    lines.push(Line::Title("Marks".into()));
    lines.extend(MARKS.iter().map(|(mark, meaning)| Line::Pair((*mark).into(), (*meaning).into())));
    lines
}
