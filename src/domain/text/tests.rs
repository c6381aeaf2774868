use proptest::prelude::*;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{Text, is_emoji_glue, is_forbidden_in_text};

/// Strings thick with what the cleaner is about: controls, bidi, joiners, accents, jamo, emoji, blanks.
fn nasty() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[ -~]".prop_map(|text| text.chars().next().unwrap_or(' ')),
        2 => prop::sample::select(vec![
            '\u{0}', '\u{7}', '\t', '\n', '\r', '\u{1b}', '\u{7f}', '\u{85}', '\u{9b}', '\u{ad}', '\u{200b}', '\u{200d}',
            '\u{200e}', '\u{202e}', '\u{2028}', '\u{2066}', '\u{2800}', '\u{3164}', '\u{fe0f}', '\u{feff}', '\u{fffd}',
            '\u{fffe}', '\u{e0041}', '\u{10ffff}',
        ]),
        3 => prop::sample::select(vec![
            '\u{301}', '\u{20dd}', '\u{489}', '\u{1100}', '\u{1161}', '\u{11a8}', '\u{600}', '\u{915}', '\u{94d}', '\u{93f}',
            '❤', '👩', '🚀', '\u{1f3fd}', '\u{1f1e9}', '日', 'é', 'ß', '…',
        ]),
        1 => any::<char>(),
    ];
    prop_oneof![
        prop::collection::vec(piece, 0..64).prop_map(String::from_iter),
        any::<String>(),
        ("[ -~é\u{301}\u{200b}]{0,3}", 400_usize..700).prop_map(|(unit, times)| unit.repeat(times)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_hidden_is_left_and_the_length_is_bounded(raw in nasty()) {
        let text = Text::clean(&raw);
        prop_assert!(!text.chars().any(is_forbidden_in_text), "{:?}", text);
        prop_assert!(!text.chars().any(char::is_control), "{:?}", text);
        prop_assert!(text.chars().count() <= Text::MAX_CHARS);
    }

    #[test]
    fn cleaning_twice_is_cleaning_once(raw in nasty()) {
        let once = Text::clean(&raw);
        prop_assert_eq!(Text::clean(&once), once);
    }

    #[test]
    fn accents_never_pile_up(raw in nasty()) {
        let mut tower = Text::MAX_ACCENTS;
        for character in Text::clean(&raw).chars() {
            tower = if character.width() == Some(0) { tower + 1 } else { 0 };
            prop_assert!(tower <= Text::MAX_ACCENTS, "an accent with no base, or too many on one");
        }
    }

    #[test]
    fn what_is_kept_stands_in_its_order_and_all_else_is_marked(raw in nasty()) {
        let text = Text::clean(&raw);
        let mut rest = raw.chars();
        for character in text.chars().filter(|c| !matches!(c, '\u{fffd}' | '…')) {
            prop_assert!(rest.any(|c| c == character), "{:?} was not in the input here", character);
        }
        let has_forbidden = raw.chars().any(|c| is_forbidden_in_text(c) && !is_emoji_glue(c));
        prop_assert!(!has_forbidden || text.contains(['\u{fffd}', '…']), "something went without a mark");
    }

    #[test]
    fn printable_ascii_comes_back_as_it_was(raw in "[ -~]{0,512}") {
        let text = Text::clean(&raw);
        prop_assert_eq!(text.as_str(), raw.as_str());
    }

    #[test]
    fn padding_makes_the_columns_asked_for(raw in nasty(), width in 0_usize..40) {
        let text = Text::clean(&raw);
        let padded = format!("{text:>width$.width$}");
        prop_assert_eq!(padded.width(), width, "{:?}", padded);
    }
}

#[test]
fn each_run_of_what_was_taken_out_leaves_one_mark() {
    let clean = |raw: &str| Text::clean(raw).as_str().to_owned();
    assert_eq!(clean("\u{1b}[31mred\u{1b}[0m"), "�[31mred�[0m");
    assert_eq!(clean("a\u{0}\u{1}\u{200b}\u{202e}b"), "a�b");
    assert_eq!(clean("a\u{200b}b\u{200b}c"), "a�b�c");
    assert_eq!(clean("line\r\nline"), "line�line");
    assert_eq!(clean("\u{9b}31m"), "�31m");
    assert_eq!(clean("USD\u{200b}C"), "USD�C");
    assert_eq!(clean("\u{feff}id"), "�id");
    assert_eq!(clean("\u{200b}"), "�");
    assert_eq!(clean(""), "");
}

#[test]
fn accents_stay_where_they_belong_and_towers_are_cut() {
    let clean = |raw: &str| Text::clean(raw).as_str().to_owned();
    assert_eq!(clean("Zoe\u{308}"), "Zoe\u{308}");
    assert_eq!(clean("Việt Nam, Łódź, 日本, עברית"), "Việt Nam, Łódź, 日本, עברית");
    let accents = |count: usize| "\u{301}".repeat(count);
    assert_eq!(clean(&format!("a{}b", accents(8))), format!("a{}b", accents(8)));
    assert_eq!(clean(&format!("a{}b", accents(300))), format!("a{}�b", accents(8)));
    assert_eq!(clean("\u{301}\u{301}a"), "�a");
}

#[test]
fn an_emoji_loses_its_glue_in_silence_and_a_letter_never_does() {
    let clean = |raw: &str| Text::clean(raw).as_str().to_owned();
    assert_eq!(clean("❤\u{fe0f} Ann"), "❤ Ann");
    assert_eq!(clean("👩\u{200d}🚀"), "👩🚀");
    assert_eq!(clean("👍\u{1f3fd}"), "👍\u{1f3fd}");
    assert_eq!(clean("USDC\u{fe0f}"), "USDC�");
    assert_eq!(clean("U\u{200d}SDC"), "U�SDC");
}

#[test]
fn a_long_text_is_cut_with_an_ellipsis() {
    let long = Text::clean(&"x".repeat(100_000));
    assert_eq!(long.chars().count(), Text::MAX_CHARS);
    assert!(long.ends_with("x…"));
    assert_eq!(Text::clean(&"x".repeat(Text::MAX_CHARS)).as_str(), "x".repeat(Text::MAX_CHARS));
    assert_eq!(Text::clean(&"é".repeat(Text::MAX_CHARS)).as_str(), "é".repeat(Text::MAX_CHARS));
    assert!(Text::clean(&"é".repeat(Text::MAX_CHARS + 1)).ends_with("é…"));
}

#[test]
fn widths_and_precisions_count_columns() {
    let text = Text::clean("日本");
    assert_eq!(format!("{text:>6}|{text:<6}|{text:^6}|{text:.3}|{text:5.3}|"), "  日本|日本  | 日本 |日|日   |");
    assert_eq!(format!("{:·>4}", Text::clean("e\u{301}")), "···e\u{301}");
}
