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

use super::{ENVIRONMENTS, KeyStoreKind, ProfileDraft, SetupField, SetupStage, Welcome};
use crate::app::screen::MIN_SCREEN_SIZE;
use crate::ui::{Theme, glyphs, paint};

const LABEL_WIDTH: u16 = 14;

enum FormRow {
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
        is_text_field: bool,
    },
    Fault(String),
}

pub fn view(page: &Welcome, area: Rect, buf: &mut Buffer) {
    let theme = Theme::from_name(page.appearance.theme, page.appearance.colours);
    paint::tint(buf, area, theme.ground);
    draw_page(page, &theme, area, buf);
    glyphs::replace_glyphs(page.appearance.glyphs, buf);
}

fn draw_page(page: &Welcome, theme: &Theme, area: Rect, buf: &mut Buffer) {
    if area.width < MIN_SCREEN_SIZE.width || area.height < MIN_SCREEN_SIZE.height {
        let message = format!("bursar needs {}×{} cells", MIN_SCREEN_SIZE.width, MIN_SCREEN_SIZE.height);
        paint::put_centered(buf, area, &message, theme.text);
        return;
    }
    paint::tint(buf, Rect { height: 1, ..area }, theme.header);
    paint::put(buf, area.x + 1, area.y, 8, "bursar", theme.brand);
    let title = if page.profile.is_some() || page.stage != SetupStage::Start { "set-up" } else { "first run" };
    paint::put(buf, area.x + 9, area.y, area.width - 10, title, theme.header);

    let body = Rect { x: area.x + 1, y: area.y + 1, width: area.width - 2, height: area.height - 2 };
    draw_rows(&stage_rows(page, theme), body, theme, buf);

    let mut x = area.x + 1;
    let bottom = area.bottom() - 1;
    if let Some(busy) = page.busy {
        paint::put(buf, x, bottom, area.width - 2, busy, theme.warn);
        return;
    }
    for (key, description) in footer_keys(&page.stage) {
        if x + paint::text_width(key) + paint::text_width(description) + 1 > area.right() {
            break;
        }
        x += paint::put(buf, x, bottom, 12, key, theme.key) + 1;
        x += paint::put(buf, x, bottom, 24, description, theme.dim) + 2;
    }
}

fn footer_keys(stage: &SetupStage) -> &'static [(&'static str, &'static str)] {
    match stage {
        SetupStage::Start => &[("d", "demo"), ("s", "set up"), ("q", "quit")],
        SetupStage::Service => &[("Enter", "next"), ("Left Right", "choose"), ("Esc", "back"), ("Ctrl+c", "quit")],
        SetupStage::KeyStoreChoice(_) => &[("f", "file"), ("e", "environment"), ("r", "look again"), ("Esc", "back")],
        SetupStage::Keys(_) => &[("Enter", "next, save"), ("Ctrl+u", "clear"), ("Esc", "back"), ("Ctrl+c", "quit")],
        SetupStage::Done => &[("Enter", "open"), ("q", "quit")],
        SetupStage::Environment => &[("q", "quit")],
    }
}

fn stage_rows(page: &Welcome, theme: &Theme) -> Vec<FormRow> {
    let mut rows = match &page.stage {
        SetupStage::Start => start_rows(page, theme),
        SetupStage::Service => service_rows(page),
        SetupStage::KeyStoreChoice(refusal) => key_store_rows(page.profile.as_ref(), refusal, theme),
        SetupStage::Keys(place) => key_rows(page, *place),
        SetupStage::Done => done_rows(page.profile.as_ref(), theme),
        SetupStage::Environment => environment_variable_rows(page.profile.as_ref(), theme),
    };
    rows.extend(page.fault.iter().map(|fault| FormRow::Fault(fault.clone())));
    rows
}

fn start_rows(page: &Welcome, theme: &Theme) -> Vec<FormRow> {
    let intro = "A treasury console for businesses that hold digital assets with a wallet and transfer service: their \
                balances, what moves, and payments that are never made twice.";
    let mut rows = vec![FormRow::Blank, FormRow::Text(intro.into(), theme.text), FormRow::Blank];
    rows.push(FormRow::Choice('d', "look at a sample treasury, offline".into()));
    rows.push(FormRow::Blank);
    rows.push(match &page.profile {
        Some(ProfileDraft { name, .. }) => FormRow::Choice('s', format!("set the key of {name}, which has none")),
        None => FormRow::Choice('s', "set up a service of your own".into()),
    });
    rows.push(FormRow::Blank);
    rows.push(FormRow::Choice('q', "quit".into()));
    rows
}

fn service_rows(page: &Welcome) -> Vec<FormRow> {
    let mut rows = vec![FormRow::Blank, FormRow::Title("A service of your own".into()), FormRow::Blank];
    push_field_rows(&mut rows, page, 0, "name", &page.name, "a name of your choice");
    push_field_rows(&mut rows, page, 1, "base address", &page.base_url, "");
    let (_, description) = ENVIRONMENTS[page.environment];
    let value = format!("‹ {description} ›");
    rows.push(FormRow::Labelled {
        label: "environment",
        value,
        hint: "",
        focused: page.focus == 2,
        is_text_field: false,
    });
    rows
}

fn key_store_rows(profile: Option<&ProfileDraft>, refusal: &str, theme: &Theme) -> Vec<FormRow> {
    vec![
        FormRow::Blank,
        keys_title(profile),
        FormRow::Blank,
        // Only the reason: the other key stores are listed below, and the rest of the sentence names commands.
        FormRow::Text(
            refusal
                .split("; use an")
                .next()
                .and_then(|refusal| refusal.split("; or").next())
                .unwrap_or(refusal)
                .to_owned(),
            theme.warn,
        ),
        FormRow::Blank,
        FormRow::Choice('f', "store the keys in an encrypted file".into()),
        FormRow::Choice('e', "read the keys from the environment".into()),
        FormRow::Choice('r', "look for the keyring again".into()),
    ]
}

fn key_rows(page: &Welcome, place: KeyStoreKind) -> Vec<FormRow> {
    let store = match place {
        KeyStoreKind::Keyring => "the keyring",
        KeyStoreKind::File => "an encrypted file",
    };
    let mut rows = vec![
        FormRow::Blank,
        keys_title(page.profile.as_ref()),
        FormRow::Blank,
        FormRow::Labelled { label: "stored in", value: store.into(), hint: "", focused: false, is_text_field: false },
    ];
    push_field_rows(&mut rows, page, 0, "API key", &page.api_key, "typed or pasted, never shown");
    push_field_rows(&mut rows, page, 1, "wallet secret", &page.wallet_secret, "Enter if there is none");
    if place == KeyStoreKind::File {
        push_field_rows(&mut rows, page, 2, "passphrase", &page.passphrase, "several words are best");
        push_field_rows(&mut rows, page, 3, "repeat it", &page.passphrase_repeat, "");
    }
    rows
}

fn done_rows(profile: Option<&ProfileDraft>, theme: &Theme) -> Vec<FormRow> {
    vec![
        FormRow::Blank,
        keys_title(profile),
        FormRow::Blank,
        FormRow::Text("✓ the keys are stored".into(), theme.good),
        FormRow::Blank,
        FormRow::Text("Enter opens the dashboard. Later, `bursar` alone does.".into(), theme.text),
        FormRow::Blank,
        FormRow::Text("`bursar doctor` checks the set-up; `bursar key` changes or removes the keys.".into(), theme.dim),
    ]
}

fn environment_variable_rows(profile: Option<&ProfileDraft>, theme: &Theme) -> Vec<FormRow> {
    let start = profile.map_or_else(String::new, |profile| format!("bursar --profile {}", profile.name));
    vec![
        FormRow::Blank,
        keys_title(profile),
        FormRow::Blank,
        FormRow::Text("Leave this page, type this in your shell, and paste the key:".into(), theme.text),
        FormRow::Blank,
        FormRow::Text("read -rs BURSAR_API_KEY".into(), theme.accent),
        FormRow::Text("export BURSAR_API_KEY".into(), theme.accent),
        FormRow::Text(start, theme.accent),
        FormRow::Blank,
        FormRow::Text("BURSAR_WALLET_SECRET likewise.".into(), theme.dim),
    ]
}

fn keys_title(profile: Option<&ProfileDraft>) -> FormRow {
    let title =
        profile.map_or_else(String::new, |ProfileDraft { name, base_url }| format!("Keys of {name} at {base_url}"));
    FormRow::Title(title)
}

fn push_field_rows(
    rows: &mut Vec<FormRow>,
    page: &Welcome,
    index: usize,
    label: &'static str,
    field: &SetupField,
    hint: &'static str,
) {
    rows.push(FormRow::Labelled {
        label,
        value: field.display_text(),
        hint,
        focused: page.focus == index,
        is_text_field: true,
    });
    rows.extend(field.fault.iter().map(|fault| FormRow::Fault(fault.clone())));
}

/// Draws rows from the top. Where room is short, blank rows are left out.
fn draw_rows(rows: &[FormRow], area: Rect, theme: &Theme, buf: &mut Buffer) {
    let lines = |row: &FormRow| match row {
        FormRow::Text(text, _) => wrap_words(text, area.width).len(),
        FormRow::Fault(content) => wrap_words(content, area.width).len(),
        FormRow::Choice(_, content) => wrap_words(content, area.width.saturating_sub(3)).len(),
        FormRow::Blank | FormRow::Title(_) | FormRow::Labelled { .. } => 1,
    };
    let tight = rows.iter().map(lines).sum::<usize>() > usize::from(area.height);
    let mut y = area.y;
    for row in rows {
        let rest = Rect { y, height: area.bottom().saturating_sub(y), ..area };
        if rest.height == 0 {
            return;
        }
        y += match row {
            FormRow::Blank => u16::from(!tight),
            FormRow::Title(text) => {
                paint::put(buf, rest.x, y, rest.width, text, theme.title_focused);
                1
            }
            FormRow::Text(text, style) => draw_text(text, *style, rest, buf),
            FormRow::Fault(content) => draw_text(content, theme.bad, rest, buf),
            FormRow::Choice(key, content) => {
                paint::put(buf, rest.x, y, 1, key.encode_utf8(&mut [0; 4]), theme.key);
                let words_at = Rect { x: rest.x + 3, width: rest.width.saturating_sub(3), ..rest };
                draw_text(content, theme.text, words_at, buf)
            }
            FormRow::Labelled { label, value, hint, focused, is_text_field } => {
                draw_labelled(label, value, hint, *focused, *is_text_field, rest, theme, buf);
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
    is_text_field: bool,
    area: Rect,
    theme: &Theme,
    buf: &mut Buffer,
) {
    let style = if focused { theme.title_focused } else { theme.dim };
    if focused {
        paint::put(buf, area.x - 1, area.y, 1, "▌", theme.accent);
    }
    paint::put(buf, area.x, area.y, LABEL_WIDTH, label, style);
    let x = area.x + LABEL_WIDTH;
    // The end is where the operator types.
    let room = area.width.saturating_sub(LABEL_WIDTH + 1);
    let visible_value = if is_text_field { truncate_start(value, room) } else { value.to_owned() };
    paint::put(buf, x, area.y, room, &visible_value, theme.text);
    let end = x + paint::text_width(&visible_value);
    if focused && is_text_field {
        paint::tint(buf, Rect::new(end, area.y, 1, 1), theme.cursor);
    }
    if value.is_empty() && end + 2 + paint::text_width(hint) < area.right() {
        paint::put(buf, end + 2, area.y, room, hint, theme.dim);
    }
}

fn draw_text(text: &str, style: Style, area: Rect, buf: &mut Buffer) -> u16 {
    let mut drawn = 0;
    for line in wrap_words(text, area.width) {
        if drawn < area.height {
            paint::put(buf, area.x, area.y + drawn, area.width, &line, style);
            drawn += 1;
        }
    }
    drawn
}

/// Wraps a text at blanks to lines of at most `width` columns.
fn wrap_words(text: &str, width: u16) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.len() - 1;
        let needed = paint::text_width(&lines[line]) + u16::from(!lines[line].is_empty()) + paint::text_width(word);
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
fn truncate_start(text: &str, room: u16) -> String {
    if paint::text_width(text) <= room {
        return text.to_owned();
    }
    let mut graphemes: Vec<&str> = Vec::new();
    let mut used = 1;
    for grapheme in text.graphemes(true).rev() {
        used += paint::text_width(grapheme);
        if used > room {
            break;
        }
        graphemes.push(grapheme);
    }
    graphemes.push("…");
    graphemes.into_iter().rev().collect()
}
