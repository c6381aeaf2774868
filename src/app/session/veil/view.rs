//! The second net of the veil: whatever a view has drawn, no figure passes.
//!
//! A word with a digit stays only if it is a time, a page number, the name of a token or a chain, or a stand-in. In
//! other words the digits are hidden; and the whole word where it has letters too, as in an address.

use std::collections::HashSet;

use ratatui::buffer::Buffer;

use super::stand_in::STAND_IN_MARK;
use crate::app::layout::body::body_area;
use crate::app::layout::{ScreenLayout, plan_layout};
use crate::app::model::{Mode, Model};

/// Replaces a digit or a letter.
const HIDDEN_GLYPH: &str = "•";

pub(in crate::app) fn hide_figures(masked_model: &Model, buf: &mut Buffer) {
    let ScreenLayout::Full { tabs, footer, .. } = plan_layout(masked_model) else { return };
    let public = public_words(masked_model);
    let reading = body_area(masked_model);
    for y in buf.area.top()..buf.area.bottom() {
        // Pages have digits, and help and palette are the program's own words; the filter is typed by the operator.
        let own = matches!(masked_model.mode, Mode::Help { .. } | Mode::Palette(_));
        let is_own = y == tabs.y
            || (y == footer.y && matches!(masked_model.mode, Mode::Filter { .. }))
            || (own && (reading.y..reading.y + reading.height).contains(&y));
        if !is_own {
            hide_in_row(&public, y, buf);
        }
    }
}

/// Public words with digits: names of tokens, token standards and chains.
fn public_words(masked_model: &Model) -> HashSet<String> {
    let tokens = &masked_model.data.listed_tokens;
    let chains = tokens.iter().flat_map(|token| &token.blockchains);
    let names = chains.flat_map(|chain| [&chain.slug, &chain.name]).chain(tokens.iter().map(|token| &token.name));
    let symbols = tokens.iter().map(|token| &token.symbol);
    let holdings = masked_model.pages.overview.balances.all.iter().chain(&masked_model.pages.users.all_holdings);
    let chains = tokens.iter().flat_map(|token| &token.blockchains);
    let kinds = chains.flat_map(|chain| chain.standards.iter().chain(&chain.protocol));
    let kinds = kinds.chain(tokens.iter().flat_map(|token| &token.standards));
    let all = names.chain(symbols).chain(holdings.map(|holding| &holding.symbol)).chain(kinds);
    let with_digit = |word: &&str| word.contains(|c: char| c.is_ascii_digit());
    all.flat_map(|text| text.split_whitespace()).filter(with_digit).map(str::to_owned).collect()
}

#[derive(Default)]
struct ScreenWord {
    text: String,
    columns: Vec<u16>,
}

fn hide_in_row(public: &HashSet<String>, y: u16, buf: &mut Buffer) {
    let words = words_of_row(y, buf);
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    for (index, word) in words.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| texts.get(before)).copied().unwrap_or("");
        let behind = texts.get(index + 1).copied().unwrap_or("");
        if !is_secret(public, before, &word.text, behind) {
            continue;
        }
        let has_letters = word.text.contains(|c: char| c.is_alphabetic());
        for (character, x) in word.text.chars().zip(&word.columns) {
            let hides = character.is_numeric()
                || matches!(character, '.' | ',')
                || (has_letters && (character.is_alphabetic() || character == '…'));
            if hides && let Some(cell) = buf.cell_mut((*x, y)) {
                cell.set_symbol(HIDDEN_GLYPH);
            }
        }
    }
}

fn words_of_row(y: u16, buf: &Buffer) -> Vec<ScreenWord> {
    let mut words = Vec::new();
    let mut word = ScreenWord::default();
    for x in buf.area.left()..buf.area.right() {
        let symbol = buf.cell((x, y)).map_or(" ", |cell| cell.symbol());
        match symbol.chars().next() {
            // Lines of boxes separate words as blanks do.
            None | Some(' ' | '│' | '─' | '┌' | '┐' | '└' | '┘' | '├' | '┤' | '▌') => {
                if !word.text.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            Some(first) => {
                word.text.push(first);
                word.columns.push(x);
            }
        }
    }
    if !word.text.is_empty() {
        words.push(word);
    }
    words
}

/// Months before a day.
const MONTH_NAMES: &[&str] = &["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Units of time after a number.
const TIME_UNITS: &[&str] = &["second", "minute", "hour", "day", "week"];

fn is_secret(public: &HashSet<String>, before: &str, word: &str, behind: &str) -> bool {
    if !word.contains(char::is_numeric) || word.contains(STAND_IN_MARK) || public.contains(word) {
        return false;
    }
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    let is_number = bare.chars().all(|c| c.is_ascii_digit()) && bare.len() <= 3;
    let counts_time = is_number && TIME_UNITS.iter().any(|unit| behind.starts_with(unit));
    let is_day = is_number && MONTH_NAMES.contains(&before);
    let is_page = is_number && bare.len() == 1 && before == "page";
    let is_version = matches!(bare, "v1" | "v2") || (is_number && bare.len() == 1 && before == "version");
    let is_list = bare.split(',').all(|part| !part.contains(char::is_numeric) || public.contains(part));
    !(is_time(bare) || counts_time || is_day || is_page || is_version || is_list)
}

/// Whether a word is a time, a date or an age: `12:03:20Z`, `2026-11-02`, `11-02`, `42s`.
fn is_time(word: &str) -> bool {
    let digits =
        |part: &str, lengths: &[usize]| lengths.contains(&part.len()) && part.chars().all(|c| c.is_ascii_digit());
    let clock = word.trim_end_matches('Z');
    let clock = clock.split_once(['+', '−']).map_or(clock, |(clock, _)| clock);
    let parts: Vec<&str> = clock.split(':').collect();
    let is_clock = (2..=3).contains(&parts.len()) && parts.iter().all(|part| digits(part, &[2]));
    let parts: Vec<&str> = word.split('-').collect();
    let is_date = match parts.as_slice() {
        [year, month, day] => digits(year, &[4]) && digits(month, &[2]) && digits(day, &[2]),
        [first, last] => digits(first, &[2, 4]) && digits(last, &[2]),
        _ => false,
    };
    let unit = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_age = matches!(unit, "s" | "m" | "h" | "d" | "ms") && (1..=3).contains(&(word.len() - unit.len()));
    is_clock || is_date || is_age
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;

    use super::*;

    fn row_with_hidden_figures(row: &str) -> String {
        let width = u16::try_from(row.chars().count()).unwrap();
        let mut buf = Buffer::empty(Rect::new(0, 0, width, 1));
        for (x, character) in (0..).zip(row.chars()) {
            buf[(x, 0)].set_char(character);
        }
        hide_in_row(&HashSet::from(["1INCH".to_owned()]), 0, &mut buf);
        (0..width).map(|x| buf[(x, 0)].symbol()).collect()
    }

    #[test]
    fn figures_are_hidden_and_times_stay() {
        for (row, expected) in [
            ("12:03:20Z 11-02 12:03 2026-11-02", "12:03:20Z 11-02 12:03 2026-11-02"),
            ("live ≤15s stale 42s, 3m", "live ≤15s stale 42s, 3m"),
            ("in 5 minutes, 12 hours, Oct 29", "in 5 minutes, 12 hours, Oct 29"),
            ("orders are on page 4", "orders are on page 4"),
            ("+1,204,331.204512 USDT", "+•••••••••••••••• USDT"),
            ("1INCH 25 pending", "1INCH •• pending"),
            ("0x3f2A…9c1D customer-0001", "••••••••••• ••••••••-••••"),
            ("3 of 1,204│12%", "• of •••••│••%"),
            ("0x··QKMT··", "0x··QKMT··"),
            ("١٢٣ ½", "••• •"),
        ] {
            assert_eq!(row_with_hidden_figures(row), expected, "{row}");
        }
    }
}
