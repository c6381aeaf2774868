use std::collections::HashSet;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use rstest::rstest;

use super::*;
use crate::app::input::keys::run_command;
use crate::app::input::keys::show_page::show_page;
use crate::app::model::Model;
use crate::app::orders::OrderCommand;
use crate::app::screen::Page;
use crate::app::{Settings, Size};
use crate::domain::Timestamp;

fn sample_model() -> Model {
    Model::new(Settings::sample(), Size { width: 120, height: 36 }, Timestamp::from_millis(0))
}

/// The names of an enum's variants, as serde lists them for one that is none of them.
fn variant_names<T: serde::de::DeserializeOwned + std::fmt::Debug>() -> Vec<String> {
    let error = serde_json::from_str::<T>("\"none\"").unwrap_err().to_string();
    error.split('`').skip(3).step_by(2).map(str::to_owned).collect()
}

#[test]
fn the_file_of_the_keys_has_every_command_once() {
    let commands: HashSet<Command> = KEY_BINDINGS.iter().map(|binding| binding.command).collect();
    assert_eq!(commands.len(), KEY_BINDINGS.len());
    let names = [variant_names::<Command>(), variant_names::<OrderCommand>()];
    assert!(names.iter().all(|names| names.len() > 4), "{names:?}");
    // `Order` stands for as many commands as it has variants.
    assert_eq!(commands.len(), names.iter().map(Vec::len).sum::<usize>() - 1 + Page::ALL.len());
    for (name, key) in KEY_BINDINGS.iter().flat_map(|binding| &binding.keys).map(|key| (key_name(*key), key)) {
        assert_eq!(key_name::parse_key(&name).as_ref(), Some(key));
    }
}

#[rstest]
#[case("\"help\"", "\"halp\"", "unknown variant `halp`")]
#[case("\"next-pane\"", "\"next\"", "unknown variant `next`")]
#[case("\"Enter\"", "\"Return\"", "“Return” is no key")]
#[case("\"everywhere\"", "\"somewhere\"", "unknown variant `somewhere`")]
#[case("footer =", "foot =", "unknown field `foot`")]
#[case("short = \"help\"", "", "missing field `short`")]
fn what_is_wrong_in_the_file_of_the_keys_is_named(
    #[case] right: &str,
    #[case] replacement: &str,
    #[case] sentence: &str,
) {
    let error = parse_bindings(&KEYS.replacen(right, replacement, 1)).unwrap_err().to_string();
    assert!(error.contains(sentence), "{error}");
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
    for page in Page::ALL {
        assert_eq!(command_of_key(KeyCode::Char(page.shortcut()).into()), Some(Command::Page(page)));
    }
}

#[test]
fn every_command_does_something_on_some_page() {
    // Motions need rows.
    for binding in KEY_BINDINGS.iter().filter(|binding| !binding.command.is_motion()) {
        let has_effect = Page::ALL.into_iter().any(|page| {
            let mut model = sample_model();
            show_page(&mut model, page);
            let before = format!("{model:?}");
            let effects = run_command(&mut model, binding.command);
            !effects.is_empty() || format!("{model:?}") != before
        });
        assert!(has_effect, "{:?} does nothing anywhere", binding.command);
    }
}

/// A terminal sends both as it sends the second with Alt, where they come at once: from a script, or over a slow line.
#[test]
fn escape_and_a_key_right_behind_it_are_both() {
    use crate::app::input::keys::handle_key;
    use crate::app::model::Mode;
    let alt = |code| KeyEvent::new(code, KeyModifiers::ALT);
    let mut model = sample_model();
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

#[test]
fn a_refusal_names_pages_by_the_keys_that_show_them() {
    for (command, pages) in [
        (Command::Change, &[Page::Overview, Page::Users][..]),
        (Command::Remove, &[Page::Book]),
        (Command::Hidden, &[Page::Overview, Page::Users]),
        (Command::Receive, &[Page::Overview]),
        (Command::Acknowledge, &[Page::Attention]),
        (Command::Mute, &[Page::Attention]),
    ] {
        let refusal = binding_of(command).and_then(|binding| binding.refusal.as_deref()).unwrap();
        let words: Vec<&str> = refusal.split([' ', ',', ';']).collect();
        let keys: Vec<String> = pages.iter().map(|page| page.shortcut().to_string()).collect();
        assert!(keys.iter().all(|key| words.contains(&key.as_str())), "{refusal}");
    }
}

/// Each flag allows a command under the veil: whoever adds one adds it here.
#[test]
fn the_veil_lets_looking_around_through_and_nothing_else() {
    let allowed = KEY_BINDINGS.iter().filter(|binding| binding.under_veil).map(|binding| binding.command);
    let allowed: Vec<Command> = allowed.filter(|command| !matches!(command, Command::Page(_))).collect();
    assert_eq!(
        allowed,
        [
            Command::Help,
            Command::Palette,
            Command::NextPane,
            Command::PreviousPane,
            Command::Filter,
            Command::Open,
            Command::Back,
            Command::Sort,
            Command::FilterMenu,
            Command::Views,
            Command::Mark,
            Command::Group,
            Command::Hidden,
            Command::Zoom,
            Command::Refresh,
            Command::Pause,
            Command::Veil,
            Command::Lock,
            Command::Theme,
            Command::Suspend,
            Command::Quit,
        ]
    );
}
