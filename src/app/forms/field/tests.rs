use crossterm::event::KeyCode;

use super::*;

#[test]
fn a_paste_of_several_lines_is_refused_in_words_and_leaves_the_field_alone() {
    let mut field = Field::new(FieldId::Recipient);
    field.set_value("0x");
    let error = field.paste("0xaa\n0xbb\r\n0xcc\n").unwrap_err();
    assert_eq!(error, "the paste has 3 lines; this field holds one");
    assert_eq!(field.value(), "0x");
    let mut note = Field::new(FieldId::Note);
    assert_eq!(note.paste("one\rtwo").unwrap_err(), "the paste has 2 lines; this field holds one");
}

#[test]
fn a_paste_loses_its_line_end_and_nothing_else() {
    let mut field = Field::new(FieldId::Recipient);
    field.paste("  0xab\u{200b}cd\n").unwrap();
    assert_eq!(field.input.value(), "0xab\u{200b}cd");
    assert_eq!(field.checked_text().unwrap_err(), "character 5 is U+200B, which is invisible; delete it");
    assert_eq!(visible_chars(field.input.value()).collect::<String>(), "0xab‹U+200B›cd");
}

#[test]
fn a_paste_that_does_not_fit_is_refused_whole() {
    let mut field = Field::new(FieldId::Note);
    field.set_value(&"x".repeat(MAX_CHARS - 3));
    assert!(field.paste("four").unwrap_err().contains("room for 3"));
    assert!(field.paste("one").is_ok());
    assert_eq!(field.handle_key(KeyCode::Char('y').into()), Some(false));
    assert_eq!(field.value().chars().count(), MAX_CHARS);
}

#[test]
fn an_error_goes_with_the_value_that_had_it() {
    let mut field = Field::new(FieldId::Amount);
    field.set_value("1,5");
    field.error = Some("a comma".into());
    assert_eq!(field.handle_key(KeyCode::Left.into()), Some(false));
    assert!(field.error.is_some());
    assert_eq!(field.handle_key(KeyCode::Backspace.into()), Some(true));
    assert!(field.error.is_none());
    assert_eq!(field.handle_key(KeyCode::Enter.into()), None);
}

/// What the console itself groups for the eye goes back into the field as the address that it is.
#[test]
fn an_address_with_blanks_pastes_as_itself_and_other_blanks_stay_to_be_named() {
    let address = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
    let grouped = crate::domain::address::format_grouped(address);
    let pasted = |slot, text: &str| {
        let mut field = Field::new(slot);
        field.paste(text).map(|()| field.value().to_owned())
    };
    assert_eq!(pasted(FieldId::Recipient, &grouped).as_deref(), Ok(address));
    assert_eq!(pasted(FieldId::Recipient, &format!("{}\r{}", &grouped[..30], &grouped[30..])).as_deref(), Ok(address));
    assert_eq!(pasted(FieldId::Note, &grouped), Ok(grouped.clone()), "a note is what was written");
    let misread = grouped.replace("6045", "6046");
    assert_eq!(pasted(FieldId::Recipient, &misread), Ok(misread.clone()));
}

#[test]
fn what_an_amount_reads_as_is_offered_and_taken_by_a_second_enter_alone() {
    let mut field = Field::new(FieldId::Amount);
    field.paste("12,500.00").unwrap();
    assert!(field.offer_plain_amount(true), "the first Enter only asks");
    assert_eq!(field.value(), "12,500.00");
    assert_eq!(field.error.as_deref(), Some("12,500.00 reads as 12500.00: Enter takes 12500.00"));
    assert!(field.offer_plain_amount(false), "nothing but Enter takes it");
    // What is typed on is another amount, and is asked about anew.
    field.handle_key(KeyCode::Char('1').into());
    assert!(field.offer_plain_amount(true) && field.value() == "12,500.001");
    assert!(!field.offer_plain_amount(true));
    assert_eq!((field.value(), &field.error), ("12500.001", &None));
    // What may be read in two ways is not offered at all.
    for either in ["12,5", "1,234"] {
        field.set_value(either);
        assert!(!field.offer_plain_amount(true) && field.value() == either);
    }
}
