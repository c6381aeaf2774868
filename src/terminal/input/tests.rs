//! Keys as terminals send them, in any pieces.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use proptest::prelude::*;
use rstest::rstest;

use super::{InputParser, LONGEST_PASTE, TerminalInput};

fn parse_inputs(bytes: &[u8]) -> Vec<TerminalInput> {
    let mut parser = InputParser::default();
    let mut inputs: Vec<TerminalInput> = parser.feed(bytes).collect();
    inputs.extend(parser.resolve_incomplete());
    inputs
}

fn pressed(code: KeyCode) -> TerminalInput {
    TerminalInput::Event(Event::Key(code.into()))
}

fn pasted(text: &str) -> TerminalInput {
    TerminalInput::Event(Event::Paste(text.to_owned()))
}

fn ctrl(code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, KeyModifiers::CONTROL)
}

fn alt(code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, KeyModifiers::ALT)
}

#[rstest]
#[case(b"a", KeyCode::Char('a'))]
#[case(b"\xe4\xb8\x96", KeyCode::Char('世'))]
#[case(b"\r", KeyCode::Enter)]
#[case(b"\n", KeyCode::Enter)]
#[case(b"\t", KeyCode::Tab)]
#[case(b"\x7f", KeyCode::Backspace)]
#[case(b"\x03", ctrl(KeyCode::Char('c')))]
#[case(b"\x1a", ctrl(KeyCode::Char('z')))]
#[case(b"\x00", ctrl(KeyCode::Char(' ')))]
#[case(b"\x1f", ctrl(KeyCode::Char('_')))]
#[case(b"\x1b", KeyCode::Esc)]
#[case(b"\x1bx", alt(KeyCode::Char('x')))]
#[case(b"\x1b\xc3\xa9", alt(KeyCode::Char('é')))]
#[case(b"\x1b\x7f", alt(KeyCode::Backspace))]
#[case(b"\x1b[", alt(KeyCode::Char('[')))]
#[case(b"\x1bO", alt(KeyCode::Char('O')))]
#[case(b"\x1bP", alt(KeyCode::Char('P')))]
#[case(b"\x1b[A", KeyCode::Up)]
#[case(b"\x1bOA", KeyCode::Up)]
#[case(b"\x1b[1;5C", ctrl(KeyCode::Right))]
#[case(b"\x1b[1;3D", alt(KeyCode::Left))]
#[case(b"\x1b[H", KeyCode::Home)]
#[case(b"\x1bOF", KeyCode::End)]
#[case(b"\x1b[1~", KeyCode::Home)]
#[case(b"\x1b[4~", KeyCode::End)]
#[case(b"\x1b[5~", KeyCode::PageUp)]
#[case(b"\x1b[6;5~", ctrl(KeyCode::PageDown))]
#[case(b"\x1b[3~", KeyCode::Delete)]
#[case(b"\x1b[Z", KeyCode::BackTab)]
#[case(b"\x1bOP", KeyCode::F(1))]
#[case(b"\x1b[1;2R", KeyCode::F(3))]
#[case(b"\x1b[15~", KeyCode::F(5))]
#[case(b"\x1b[17~", KeyCode::F(6))]
#[case(b"\x1b[24~", KeyCode::F(12))]
#[case(b"\x1b[34~", KeyCode::F(20))]
#[case(b"\x1b[[B", KeyCode::F(2))]
#[case(b"\x1bOM", KeyCode::Enter)]
#[case(b"\x1bOu", KeyCode::Char('5'))]
#[case(b"\x1b[99;5u", ctrl(KeyCode::Char('c')))]
#[case(b"\x1b[97;2u", KeyCode::Char('A'))]
#[case(b"\x1b[49:33;2u", KeyCode::Char('!'))]
#[case(b"\x1b[9;2u", KeyCode::BackTab)]
#[case(b"\x1b[27;5;13~", ctrl(KeyCode::Enter))]
#[case(b"\x1b[27u", KeyCode::Esc)]
fn a_key_is_read(#[case] bytes: &[u8], #[case] key: impl Into<KeyEvent>) {
    assert_eq!(parse_inputs(bytes), [TerminalInput::Event(Event::Key(key.into()))]);
}

#[rstest]
#[case::focus_in(b"\x1b[I", &[TerminalInput::Event(Event::FocusGained)])]
#[case::focus_out(b"\x1b[O", &[TerminalInput::Event(Event::FocusLost)])]
#[case::acknowledged(b"\x1b[0n", &[TerminalInput::Acknowledged])]
#[case::title(b"\x1b]0;a title\x07", &[])]
#[case::color_report(b"\x1b]11;rgb:0000/0000/0000\x1b\\", &[])]
#[case::device_string(b"\x1bP>|XTerm(390)\x1b\\", &[])]
#[case::cursor_report(b"\x1b[12;40R", &[])]
#[case::device_report(b"\x1b[?62;22c", &[])]
#[case::mouse(b"\x1b[<0;12;30M", &[])]
#[case::release(b"\x1b[97;1:3u", &[])]
#[case::volume(b"\x1b[57439u", &[])]
#[case::c1_control(b"\xc2\x9b", &[])]
#[case::stray_continuation(b"\x80\xbf\xff", &[])]
#[case::aborted(b"\x1b[12\x18", &[])]
#[case::surrogate(b"\xed\xa0\x80", &[])]
fn what_is_no_key_is_told_or_swallowed(#[case] bytes: &[u8], #[case] inputs: &[TerminalInput]) {
    assert_eq!(parse_inputs(bytes), inputs);
}

#[test]
fn what_follows_broken_bytes_is_read() {
    assert_eq!(parse_inputs(b"\xe4\xb8a"), [pressed(KeyCode::Char('a'))]);
    assert_eq!(parse_inputs(b"\x1b[12\x1b[A"), [pressed(KeyCode::Up)]);
    assert_eq!(parse_inputs(b"\x1b\x1b[A"), [pressed(KeyCode::Esc), pressed(KeyCode::Up)]);
    let long = [b"\x1b[".as_slice(), &[b'1'; 500], b"~q"].concat();
    assert_eq!(parse_inputs(&long), [pressed(KeyCode::Char('q'))]);
}

#[test]
fn only_an_escape_or_something_cut_off_is_waited_for() {
    let mut parser = InputParser::default();
    assert_eq!(parser.rest_timeout(), None);
    assert_eq!(parser.feed(b"\x1b").count(), 0);
    assert!(parser.rest_timeout().is_some());
    assert_eq!(parser.resolve_incomplete().collect::<Vec<_>>(), [pressed(KeyCode::Esc)]);
    assert_eq!(parser.rest_timeout(), None);
    assert_eq!(parser.resolve_incomplete().count(), 0);
}

#[test]
fn a_paste_comes_whole() {
    let text = "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE\n12,50 €\x1b[201 and not yet the end \x1b\x1b[2".to_owned();
    let bytes = format!("\x1b[200~{text}\x1b[201~q");
    let expected = [pasted(&text), pressed(KeyCode::Char('q'))];
    assert_eq!(parse_inputs(bytes.as_bytes()), expected);
    let mut parser = InputParser::default();
    let mut inputs = Vec::new();
    for byte in bytes.as_bytes() {
        inputs.extend(parser.feed(&[*byte]));
    }
    assert_eq!(inputs, expected);
}

#[test]
fn a_paste_does_not_end_by_waiting() {
    let mut parser = InputParser::default();
    assert_eq!(parser.feed(b"\x1b[200~half").count(), 0);
    assert_eq!(parser.rest_timeout(), None);
    assert_eq!(parser.resolve_incomplete().count(), 0);
    assert_eq!(parser.feed(b" and half\x1b[201~").collect::<Vec<_>>(), [pasted("half and half")]);
}

#[test]
fn a_paste_of_a_megabyte_comes_whole_and_a_longer_one_is_refused() {
    let paste = |length| [b"\x1b[200~".as_slice(), &vec![b'x'; length], b"\x1b[201~"].concat();
    assert_eq!(parse_inputs(&paste(LONGEST_PASTE)), [pasted(&"x".repeat(LONGEST_PASTE))]);
    assert_eq!(parse_inputs(&paste(LONGEST_PASTE + 1)), [TerminalInput::PasteTooLong]);
    assert_eq!(parse_inputs(&paste(3 * LONGEST_PASTE)), [TerminalInput::PasteTooLong]);
}

/// Bytes in which the beginnings of sequences are frequent.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => proptest::collection::vec(any::<u8>(), 1..6),
        2 => Just(b"\x1b".to_vec()),
        2 => Just(b"\x1b[".to_vec()),
        1 => Just(b"\x1b[200~".to_vec()),
        2 => Just(b"\x1b[201~".to_vec()),
        1 => Just(b"\x1b[0n".to_vec()),
        1 => Just(b"\x1b]".to_vec()),
        2 => "[0-9;:A-Za-z~]{1,6}".prop_map(String::into_bytes),
        1 => any::<char>().prop_map(|character| character.to_string().into_bytes()),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_pieces_make_no_difference(bytes in bytes(), lengths in proptest::collection::vec(1..9_usize, 0..200)) {
        let mut parser = InputParser::default();
        let mut inputs = Vec::new();
        let mut rest = bytes.as_slice();
        for length in lengths {
            let (piece, after) = rest.split_at(length.min(rest.len()));
            inputs.extend(parser.feed(piece));
            rest = after;
        }
        inputs.extend(parser.feed(rest));
        inputs.extend(parser.resolve_incomplete());
        prop_assert_eq!(inputs, parse_inputs(&bytes));
    }

    #[test]
    fn no_control_character_becomes_a_character(bytes in bytes()) {
        for input in parse_inputs(&bytes) {
            if let TerminalInput::Event(Event::Key(KeyEvent { code: KeyCode::Char(character), .. })) = input {
                prop_assert!(!character.is_control());
            }
        }
    }
}
