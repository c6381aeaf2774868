//! What can be told of a theme without eyes: how far its letters are from what they lie on.

#![expect(clippy::float_arithmetic, reason = "contrast is defined in floating point, and no amount is near")]

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;

use super::*;
use crate::terminal::encoder::shade::shade;
use crate::ui::chrome::PaneTitle;
use crate::ui::{chrome, paint, row};

/// The backgrounds of terminals for which a theme is meant, from one end to the other: black to the grey of popular dark
/// schemes, white to the sand of light ones.
const DARK_GROUNDS: [[u8; 3]; 2] = [[0, 0, 0], [40, 44, 52]];
const LIGHT_GROUNDS: [[u8; 3]; 2] = [[255, 255, 255], [238, 232, 213]];

fn rgb_of(color: Color) -> [u8; 3] {
    match color {
        Color::Indexed(index @ 16..) => shade(index),
        other => panic!("{other:?} has no shade of its own: the user has chosen it"),
    }
}

/// Relative luminance, and from it the ratio of two colours (WCAG 2.2).
fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let luminance = |shade: [u8; 3]| {
        let [red, green, blue] = shade.map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    };
    let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
    if one > other { one / other } else { other / one }
}

fn own_grounds(name: ThemeName, theme: &Theme) -> Vec<[u8; 3]> {
    match name {
        ThemeName::Light | ThemeName::ColourBlindLight => LIGHT_GROUNDS.to_vec(),
        ThemeName::HighContrast => theme.ground.bg.map(rgb_of).into_iter().collect(),
        _ => DARK_GROUNDS.to_vec(),
    }
}

/// Every pair of letters and ground that a theme paints, with what it is; letters that are the terminal's own are left
/// out where its ground is, too.
fn contrast_pairs(name: ThemeName) -> Vec<(String, [u8; 3], [u8; 3])> {
    let theme = Theme::from_name(name, Colours::Many);
    let own = own_grounds(name, &theme);
    let meanings = [
        ("text", theme.text),
        ("dim", theme.dim),
        ("accent", theme.accent),
        ("good", theme.good),
        ("warn", theme.warn),
        ("bad", theme.bad),
        ("title", theme.title),
        ("focused title", theme.title_focused),
        ("tab", theme.tab),
        ("key", theme.key),
    ];
    let mut pairs = Vec::new();
    for (meaning, style) in meanings {
        for ground in &own {
            let letters = style.fg.or(theme.ground.fg);
            pairs.extend(letters.map(|letters| (meaning.to_owned(), rgb_of(letters), *ground)));
        }
        for (place, ground) in
            [("selected", theme.selected), ("selected elsewhere", theme.selected_elsewhere), ("header", theme.header)]
        {
            let mixed = row::with_background_of(ground, style);
            let (letters, ground) = (mixed.fg.expect("letters"), mixed.bg.expect("a ground"));
            pairs.push((format!("{meaning} on {place}"), rgb_of(letters), rgb_of(ground)));
        }
    }
    for (meaning, style) in
        [("brand", theme.brand), ("test", theme.testing), ("production", theme.production), ("banner", theme.banner)]
    {
        let (letters, ground) = (style.fg.expect("letters"), style.bg.expect("a ground"));
        pairs.push((meaning.into(), rgb_of(letters), rgb_of(ground)));
    }
    pairs
}

/// Every pair of a mark that is no letter and its ground: frames of panes, and the QR code.
fn mark_pairs(name: ThemeName) -> Vec<(String, [u8; 3], [u8; 3])> {
    let theme = Theme::from_name(name, Colours::Many);
    let rule = rgb_of(theme.rule.fg.expect("a colour"));
    let mut pairs: Vec<_> =
        own_grounds(name, &theme).into_iter().map(|ground| ("rule".to_owned(), rule, ground)).collect();
    pairs.extend(theme.code.map(|(dark, light)| ("code".to_owned(), rgb_of(dark), rgb_of(light))));
    pairs
}

#[test]
fn every_mark_can_be_told_from_every_ground_of_every_theme() {
    for (word, name) in ThemeName::ALL.into_iter().filter(|(_, name)| *name != ThemeName::Plain) {
        for (meaning, mark, ground) in mark_pairs(name) {
            let ratio = contrast(mark, ground);
            assert!(ratio >= 3.0, "{word}: {meaning} has {ratio:.2} on {ground:?}, and needs 3");
        }
    }
}

#[test]
fn a_title_and_its_notes_are_not_in_the_colour_of_the_line_below_them() {
    for (word, name) in ThemeName::ALL.into_iter().filter(|(_, name)| *name != ThemeName::Plain) {
        for colours in [Colours::Many, Colours::Sixteen] {
            let theme = Theme::from_name(name, colours);
            let area = Rect::new(0, 0, 40, 3);
            let mut buf = Buffer::empty(area);
            paint::tint(&mut buf, area, theme.ground);
            let head =
                PaneTitle { title: "Balances".into(), notes: vec![("1.90M".into(), theme.text)], focused: false };
            chrome::draw_box(&mut buf, area, false, &head, &theme);
            let note: Vec<_> = buf.content.iter().filter(|cell| "1.90M".contains(cell.symbol())).collect();
            assert_eq!(note.len(), 5, "{word}");
            for cell in note {
                assert_eq!(cell.fg, theme.ground.fg.unwrap_or(Color::Reset), "{word}: {colours:?}");
            }
        }
    }
}

#[test]
fn every_word_can_be_read_on_every_ground_of_every_theme() {
    for (word, name) in ThemeName::ALL.into_iter().filter(|(_, name)| *name != ThemeName::Plain) {
        let least = if name == ThemeName::HighContrast { 7.0 } else { 4.5 };
        for (meaning, letters, ground) in contrast_pairs(name) {
            let ratio = contrast(letters, ground);
            assert!(ratio >= least, "{word}: {meaning} has {ratio:.2} on {ground:?}, and needs {least}");
        }
    }
}

#[test]
fn contrast_is_what_the_guidelines_say() {
    assert!((contrast([0, 0, 0], [255, 255, 255]) - 21.0).abs() < 1e-9);
    assert!((contrast([119, 119, 119], [255, 255, 255]) - 4.48).abs() < 0.01);
}

/// Good and bad as somebody without red or green cones sees them (Viénot, Brettel and Mollon, 1999), in linear light.
fn seen_without_red_or_green(shade: [u8; 3], deuteranope: bool) -> [f64; 3] {
    let [red, green, blue] = shade.map(|part| (f64::from(part) / 255.0).powf(2.2));
    let yellow = if deuteranope { 0.29275 * red + 0.70725 * green } else { 0.11238 * red + 0.88762 * green };
    let rest = if deuteranope { -0.02234 } else { 0.00401 };
    [yellow, yellow, rest * red - rest * green + blue]
}

#[test]
fn good_and_bad_stay_apart_for_eyes_without_red_or_green() {
    let apart = |name: ThemeName, deuteranope| {
        let theme = Theme::from_name(name, Colours::Many);
        let [good, bad] =
            [theme.good, theme.bad].map(|style| seen_without_red_or_green(rgb_of(style.fg.unwrap()), deuteranope));
        // Blue against yellow is what such eyes tell apart at once.
        ((good[2] - good[0]) - (bad[2] - bad[0])).abs()
    };
    for name in [ThemeName::ColourBlind, ThemeName::ColourBlindLight] {
        for deuteranope in [true, false] {
            let (contrast, usual) = (apart(name, deuteranope), apart(ThemeName::Dark, deuteranope));
            assert!(contrast > 0.25 && contrast > usual, "{name:?}: {contrast:.2}, and {usual:.2} in the usual theme");
        }
    }
}

#[test]
fn sixteen_colours_name_no_shade_and_none_leaves_none() {
    for (_, name) in ThemeName::ALL {
        let theme = Theme::from_name(name, Colours::Sixteen);
        let styles = [theme.dim, theme.good, theme.warn, theme.bad, theme.selected, theme.production, theme.banner];
        for color in styles.into_iter().flat_map(|style| [style.fg, style.bg]).flatten() {
            assert!(!matches!(color, Color::Indexed(_) | Color::Rgb(..)), "{name:?}: {color:?}");
        }
        let bare = Theme::from_name(name, Colours::None);
        assert_eq!((bare.bad.fg, bare.selected.bg, bare.code), (None, None, None), "{name:?}");
    }
}
