use super::*;
use crate::app::KeyCode;

#[test]
fn a_paste_of_several_lines_is_refused_in_words_and_leaves_the_field_alone() {
    let mut field = Field::new(Slot::Recipient);
    field.set("0x");
    let refused = field.paste("0xaa\n0xbb\r\n0xcc\n").unwrap_err();
    assert_eq!(refused, "that paste has 3 lines; this field takes one");
    assert_eq!(field.value(), "0x");
    let mut note = Field::new(Slot::Note);
    assert_eq!(note.paste("one\rtwo").unwrap_err(), "that paste has 2 lines; this field takes one");
}

#[test]
fn a_paste_loses_its_line_end_and_nothing_else() {
    let mut field = Field::new(Slot::Recipient);
    field.paste("  0xab\u{200b}cd\n").unwrap();
    assert_eq!(field.input.value(), "0xab\u{200b}cd");
    assert_eq!(field.text().unwrap_err(), "character 5 is U+200B, which cannot be seen; delete it");
    assert_eq!(shown(field.input.value()).collect::<String>(), "0xab‹U+200B›cd");
}

#[test]
fn a_paste_that_does_not_fit_is_refused_whole() {
    let mut field = Field::new(Slot::Note);
    field.set(&"x".repeat(LONGEST - 3));
    assert!(field.paste("four").unwrap_err().contains("room for 3"));
    assert!(field.paste("one").is_ok());
    assert_eq!(field.key(Key::char('y')), Some(false));
    assert_eq!(field.value().chars().count(), LONGEST);
}

#[test]
fn an_error_goes_with_the_value_that_had_it() {
    let mut field = Field::new(Slot::Amount);
    field.set("1,5");
    field.error = Some("a comma".into());
    assert_eq!(field.key(Key::plain(KeyCode::Left)), Some(false));
    assert!(field.error.is_some());
    assert_eq!(field.key(Key::plain(KeyCode::Backspace)), Some(true));
    assert!(field.error.is_none());
    assert_eq!(field.key(Key::plain(KeyCode::Enter)), None);
}
