//! The page of the first run:
//!
//! ```text
//!  bursar  set-up                                                            header
//!
//!   Keys of harbour at https://api.example.com                               rows; blank ones give way
//!                                                                            where the screen is low
//!   stored in     the keyring
//!  ▌API key       ••••••••••••
//!   contains a space at character 3; …
//!   wallet secret   Enter if there is none
//!
//!  Enter next, save  Ctrl+u clear  Esc back  Ctrl+c quit                     footer
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;

use super::{ENVIRONMENTS, KeyStoreKind, ProfileDraft, SetupField, Stage, Welcome};
use crate::app::screen::SMALLEST;
use crate::ui::{Theme, glyphs, paint};

const LABEL: u16 = 14;

enum Row {
    Blank,
    /// Cut to one line.
    Title(String),
    Text(String, Style),
    Choice(char, String),
    Labelled {
        label: &'static str,
        value: String,
        hint: &'static str,
        focused: bool,
        /// Whether it is a text field.
        typed: bool,
    },
    Fault(String),
}

pub fn view(page: &Welcome, area: Rect, buf: &mut Buffer) {
    let theme = Theme::from_name(page.looks.theme, page.looks.colours);
    paint::tint(buf, area, theme.ground);
    draw(page, &theme, area, buf);
    glyphs::render(page.looks.glyphs, buf);
}

fn draw(page: &Welcome, theme: &Theme, area: Rect, buf: &mut Buffer) {
    if area.width < SMALLEST.width || area.height < SMALLEST.height {
        let words = format!("bursar needs {}×{} cells", SMALLEST.width, SMALLEST.height);
        paint::put_centered(buf, area, &words, theme.text);
        return;
    }
    paint::tint(buf, Rect { height: 1, ..area }, theme.header);
    paint::put(buf, area.x + 1, area.y, 8, "bursar", theme.brand);
    let title = if page.profile.is_some() || page.stage != Stage::Start { "set-up" } else { "first run" };
    paint::put(buf, area.x + 9, area.y, area.width - 10, title, theme.header);

    let body = Rect { x: area.x + 1, y: area.y + 1, width: area.width - 2, height: area.height - 2 };
    draw_rows(&rows(page, theme), body, theme, buf);

    let mut x = area.x + 1;
    let bottom = area.bottom() - 1;
    if let Some(busy) = page.busy {
        paint::put(buf, x, bottom, area.width - 2, busy, theme.warn);
        return;
    }
    for (key, words) in footer(&page.stage) {
        if x + paint::width(key) + paint::width(words) + 1 > area.right() {
            break;
        }
        x += paint::put(buf, x, bottom, 12, key, theme.key) + 1;
        x += paint::put(buf, x, bottom, 24, words, theme.dim) + 2;
    }
}

fn footer(stage: &Stage) -> &'static [(&'static str, &'static str)] {
    match stage {
        Stage::Start => &[("d", "demo"), ("s", "set up"), ("q", "quit")],
        Stage::Service => &[("Enter", "next"), ("Left Right", "choose"), ("Esc", "back"), ("Ctrl+c", "quit")],
        Stage::Place(_) => &[("f", "file"), ("e", "environment"), ("r", "look again"), ("Esc", "back")],
        Stage::Keys(_) => &[("Enter", "next, save"), ("Ctrl+u", "clear"), ("Esc", "back"), ("Ctrl+c", "quit")],
        Stage::Done => &[("Enter", "open"), ("q", "quit")],
        Stage::Environment => &[("q", "quit")],
    }
}

fn rows(page: &Welcome, theme: &Theme) -> Vec<Row> {
    let mut rows = match &page.stage {
        Stage::Start => start(page, theme),
        Stage::Service => service(page),
        Stage::Place(words) => place(page.profile.as_ref(), words, theme),
        Stage::Keys(place) => keys(page, *place),
        Stage::Done => done(page.profile.as_ref(), theme),
        Stage::Environment => environment(page.profile.as_ref(), theme),
    };
    rows.extend(page.fault.iter().map(|words| Row::Fault(words.clone())));
    rows
}

fn start(page: &Welcome, theme: &Theme) -> Vec<Row> {
    let what = "A treasury console for businesses that hold digital assets with a wallet and transfer service: their \
                balances, what moves, and payments that are never made twice.";
    let mut rows = vec![Row::Blank, Row::Text(what.into(), theme.text), Row::Blank];
    rows.push(Row::Choice('d', "look at a sample treasury, offline".into()));
    rows.push(Row::Blank);
    rows.push(match &page.profile {
        Some(ProfileDraft { name, .. }) => Row::Choice('s', format!("set the key of {name}, which has none")),
        None => Row::Choice('s', "set up a service of your own".into()),
    });
    rows.push(Row::Blank);
    rows.push(Row::Choice('q', "quit".into()));
    rows
}

fn service(page: &Welcome) -> Vec<Row> {
    let mut rows = vec![Row::Blank, Row::Title("A service of your own".into()), Row::Blank];
    field(&mut rows, page, 0, "name", &page.name, "a name of your choice");
    field(&mut rows, page, 1, "base address", &page.base_url, "");
    let (_, words) = ENVIRONMENTS[page.environment];
    let value = format!("‹ {words} ›");
    rows.push(Row::Labelled { label: "environment", value, hint: "", focused: page.focus == 2, typed: false });
    rows
}

fn place(profile: Option<&ProfileDraft>, words: &str, theme: &Theme) -> Vec<Row> {
    vec![
        Row::Blank,
        title(profile),
        Row::Blank,
        // Only the reason: the other key stores are listed below, and the rest of the sentence names commands.
        Row::Text(
            words.split("; use an").next().and_then(|words| words.split("; or").next()).unwrap_or(words).to_owned(),
            theme.warn,
        ),
        Row::Blank,
        Row::Choice('f', "store the keys in an encrypted file".into()),
        Row::Choice('e', "read the keys from the environment".into()),
        Row::Choice('r', "look for the keyring again".into()),
    ]
}

fn keys(page: &Welcome, place: KeyStoreKind) -> Vec<Row> {
    let kept = match place {
        KeyStoreKind::Keyring => "the keyring",
        KeyStoreKind::File => "an encrypted file",
    };
    let mut rows = vec![
        Row::Blank,
        title(page.profile.as_ref()),
        Row::Blank,
        Row::Labelled { label: "stored in", value: kept.into(), hint: "", focused: false, typed: false },
    ];
    field(&mut rows, page, 0, "API key", &page.api_key, "typed or pasted, never shown");
    field(&mut rows, page, 1, "wallet secret", &page.wallet_secret, "Enter if there is none");
    if place == KeyStoreKind::File {
        field(&mut rows, page, 2, "passphrase", &page.passphrase, "several words are best");
        field(&mut rows, page, 3, "repeat it", &page.again, "");
    }
    rows
}

fn done(profile: Option<&ProfileDraft>, theme: &Theme) -> Vec<Row> {
    vec![
        Row::Blank,
        title(profile),
        Row::Blank,
        Row::Text("✓ the keys are stored".into(), theme.good),
        Row::Blank,
        Row::Text("Enter opens the dashboard. Later, `bursar` alone does.".into(), theme.text),
        Row::Blank,
        Row::Text("`bursar doctor` checks the set-up; `bursar key` changes or removes the keys.".into(), theme.dim),
    ]
}

fn environment(profile: Option<&ProfileDraft>, theme: &Theme) -> Vec<Row> {
    let start = profile.map_or_else(String::new, |profile| format!("bursar --profile {}", profile.name));
    vec![
        Row::Blank,
        title(profile),
        Row::Blank,
        Row::Text("Leave this page, type this in your shell, and paste the key:".into(), theme.text),
        Row::Blank,
        Row::Text("read -rs BURSAR_API_KEY".into(), theme.accent),
        Row::Text("export BURSAR_API_KEY".into(), theme.accent),
        Row::Text(start, theme.accent),
        Row::Blank,
        Row::Text("BURSAR_WALLET_SECRET likewise.".into(), theme.dim),
    ]
}

fn title(profile: Option<&ProfileDraft>) -> Row {
    let words =
        profile.map_or_else(String::new, |ProfileDraft { name, base_url }| format!("Keys of {name} at {base_url}"));
    Row::Title(words)
}

fn field(
    rows: &mut Vec<Row>,
    page: &Welcome,
    index: usize,
    label: &'static str,
    field: &SetupField,
    hint: &'static str,
) {
    rows.push(Row::Labelled { label, value: field.display_text(), hint, focused: page.focus == index, typed: true });
    rows.extend(field.fault.iter().map(|words| Row::Fault(words.clone())));
}

/// Draws rows from the top. Where room is short, blank rows are left out.
fn draw_rows(rows: &[Row], area: Rect, theme: &Theme, buf: &mut Buffer) {
    let lines = |row: &Row| match row {
        Row::Text(text, _) => wrapped(text, area.width).len(),
        Row::Fault(words) => wrapped(words, area.width).len(),
        Row::Choice(_, words) => wrapped(words, area.width.saturating_sub(3)).len(),
        Row::Blank | Row::Title(_) | Row::Labelled { .. } => 1,
    };
    let tight = rows.iter().map(lines).sum::<usize>() > usize::from(area.height);
    let mut y = area.y;
    for row in rows {
        let left = Rect { y, height: area.bottom().saturating_sub(y), ..area };
        if left.height == 0 {
            return;
        }
        y += match row {
            Row::Blank => u16::from(!tight),
            Row::Title(text) => {
                paint::put(buf, left.x, y, left.width, text, theme.title_focused);
                1
            }
            Row::Text(text, style) => draw_text(text, *style, left, buf),
            Row::Fault(words) => draw_text(words, theme.bad, left, buf),
            Row::Choice(key, words) => {
                paint::put(buf, left.x, y, 1, key.encode_utf8(&mut [0; 4]), theme.key);
                let words_at = Rect { x: left.x + 3, width: left.width.saturating_sub(3), ..left };
                draw_text(words, theme.text, words_at, buf)
            }
            Row::Labelled { label, value, hint, focused, typed } => {
                draw_labelled(label, value, hint, *focused, *typed, left, theme, buf);
                1
            }
        };
    }
}

#[expect(clippy::too_many_arguments, reason = "the parts of one row, each of another kind")]
fn draw_labelled(
    label: &str,
    value: &str,
    hint: &str,
    focused: bool,
    typed: bool,
    area: Rect,
    theme: &Theme,
    buf: &mut Buffer,
) {
    let style = if focused { theme.title_focused } else { theme.dim };
    if focused {
        paint::put(buf, area.x - 1, area.y, 1, "▌", theme.accent);
    }
    paint::put(buf, area.x, area.y, LABEL, label, style);
    let x = area.x + LABEL;
    // The end is where the operator types.
    let room = area.width.saturating_sub(LABEL + 1);
    let shown = if typed { tail(value, room) } else { value.to_owned() };
    paint::put(buf, x, area.y, room, &shown, theme.text);
    let end = x + paint::width(&shown);
    if focused && typed {
        paint::tint(buf, Rect::new(end, area.y, 1, 1), theme.cursor);
    }
    if value.is_empty() && end + 2 + paint::width(hint) < area.right() {
        paint::put(buf, end + 2, area.y, room, hint, theme.dim);
    }
}

fn draw_text(text: &str, style: Style, area: Rect, buf: &mut Buffer) -> u16 {
    let mut drawn = 0;
    for line in wrapped(text, area.width) {
        if drawn < area.height {
            paint::put(buf, area.x, area.y + drawn, area.width, &line, style);
            drawn += 1;
        }
    }
    drawn
}

/// Wraps a text at blanks to lines of at most `width` columns.
fn wrapped(text: &str, width: u16) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.len() - 1;
        let needed = paint::width(&lines[line]) + u16::from(!lines[line].is_empty()) + paint::width(word);
        if needed > width && !lines[line].is_empty() {
            lines.push(word.to_owned());
        } else {
            if !lines[line].is_empty() {
                lines[line].push(' ');
            }
            lines[line].push_str(word);
        }
    }
    lines
}

/// The end of a text, of at most `room` columns; where it is cut, it begins with `…`.
fn tail(text: &str, room: u16) -> String {
    if paint::width(text) <= room {
        return text.to_owned();
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut used = 1;
    for grapheme in text.graphemes(true).rev() {
        used += paint::width(grapheme);
        if used > room {
            break;
        }
        kept.push(grapheme);
    }
    kept.push("…");
    kept.into_iter().rev().collect()
}
