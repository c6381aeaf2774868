use std::collections::HashSet;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::*;

#[test]
fn the_file_of_the_keys_has_every_command_once_and_names_what_is_wrong_in_it() {
    let file = include_str!("../../../../assets/keys.toml");
    let commands: Vec<Command> = parse_bindings(file).unwrap().iter().map(|binding| binding.command).collect();
    for words in command_words::COMMAND_WORDS {
        assert_eq!(commands.iter().filter(|command| **command == words.command).count(), 1, "{}", words.id);
    }
    assert_eq!(commands.len(), command_words::COMMAND_WORDS.len());
    for (name, key) in KEY_BINDINGS.iter().flat_map(|binding| &binding.keys).map(|key| (key_name(*key), key)) {
        assert_eq!(key_name::parse_key(&name).as_ref(), Some(key));
    }
    for (right, wrong, sentence) in [
        ("\"help\"", "\"halp\"", "“halp” is no command"),
        ("\"Enter\"", "\"Return\"", "“Return” is no key"),
        ("\"everywhere\"", "\"somewhere\"", "unknown variant `somewhere`"),
        ("footer =", "foot =", "unknown field `foot`"),
    ] {
        let error = parse_bindings(&file.replacen(right, wrong, 1)).unwrap_err().to_string();
        assert!(error.contains(sentence), "{error}");
    }
}

#[test]
fn no_key_means_two_things() {
    let keys: Vec<KeyEvent> = KEY_BINDINGS.iter().flat_map(|binding| &binding.keys).copied().collect();
    let distinct: HashSet<KeyEvent> = keys.iter().copied().collect();
    assert_eq!(keys.len(), distinct.len());
}

#[test]
fn nothing_needs_alt_and_every_page_has_its_key() {
    assert!(
        KEY_BINDINGS.iter().flat_map(|binding| &binding.keys).all(|key| !key.modifiers.contains(KeyModifiers::ALT))
    );
    for page in crate::app::Page::ALL {
        let binding = KEY_BINDINGS.iter().find(|binding| binding.command == Command::Page(page)).unwrap();
        assert_eq!(binding.long, page.name());
        assert_eq!(binding.keys, [KeyCode::Char(page.key()).into()]);
    }
}

/// A terminal sends both as it sends the second with Alt, where they come at once: from a script, or over a slow line.
#[test]
fn escape_and_a_key_right_behind_it_are_both() {
    use crate::app::input::keys::handle_key;
    use crate::app::model::{Mode, Model, Page};
    use crate::app::{Settings, Size};
    let alt = |code| KeyEvent::new(code, KeyModifiers::ALT);
    let now = crate::domain::Timestamp::from_millis(0);
    let mut model = Model::new(Settings::sample(), Size { width: 120, height: 36 }, now);
    handle_key(&mut model, KeyCode::Char('?').into());
    assert!(matches!(model.mode, Mode::Help { .. }));
    handle_key(&mut model, alt(KeyCode::Char('3')));
    assert!(matches!((&model.mode, model.page), (Mode::Browse, Page::Transactions)), "{:?}", model.page);
    // An arrow with Alt is no Escape with an arrow behind it, and a line that is typed is neither closed nor taken.
    model.pages.transactions.query.filter = "usdc".into();
    handle_key(&mut model, alt(KeyCode::Down));
    assert_eq!(model.pages.transactions.query.filter.text, "usdc");
    handle_key(&mut model, KeyCode::Char(':').into());
    handle_key(&mut model, KeyCode::Char('q').into());
    for code in [KeyCode::Enter, KeyCode::Backspace, KeyCode::Char('b')] {
        let effects = handle_key(&mut model, alt(code));
        assert!(effects.is_empty() && matches!(model.mode, Mode::Palette(_)), "{code:?}: {effects:?}");
    }
}
