//! Changes of the theme while the console runs.

use crate::app::model::Model;
use crate::domain::{Colours, ThemeName};

/// Sets the theme for this session; the notice names the setting that would keep it.
pub(in crate::app) fn set_theme(model: &mut Model, theme: ThemeName) {
    model.console.appearance.theme = theme;
    let word = theme.config_name();
    model.notice = Some(match model.console.appearance.colours {
        Colours::None => {
            format!("theme {word}; this terminal has no colours, so every theme looks like the plain one")
        }
        Colours::Sixteen | Colours::Many => {
            format!("theme {word} for this session; to keep it, set theme = \"{word}\" in config.toml")
        }
    });
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyCode;

    use super::*;
    use crate::app::{Msg, Settings, Size, update};
    use crate::domain::{Appearance, Timestamp};

    fn model(colours: Colours) -> Model {
        let settings = Settings { appearance: Appearance { colours, ..Appearance::default() }, ..Settings::sample() };
        Model::new(settings, Size { width: 80, height: 24 }, Timestamp::from_millis(1_793_620_000_000))
    }

    fn type_text(model: &mut Model, text: &str) {
        for key in text.chars().map(KeyCode::Char).chain([KeyCode::Enter]) {
            assert_eq!(update(model, Msg::Key(key.into())), []);
        }
    }

    #[test]
    fn a_theme_is_chosen_by_its_name_and_how_it_stays_is_said() {
        let mut model = model(Colours::Many);
        type_text(&mut model, ":theme contrast");
        assert_eq!(model.console.appearance.theme, ThemeName::HighContrast);
        let notice = model.notice.as_deref().unwrap();
        assert!(notice.contains("set theme = \"high-contrast\" in config.toml"), "{notice}");
        // The key continues from the chosen theme.
        update(&mut model, Msg::Key(KeyCode::Char('T').into()));
        assert_eq!(model.console.appearance.theme, ThemeName::ColourBlind);
    }

    #[test]
    fn a_terminal_without_colours_says_that_all_themes_are_one() {
        let mut model = model(Colours::None);
        type_text(&mut model, ":theme light");
        assert!(model.notice.as_deref().unwrap().contains("no colours"), "{:?}", model.notice);
    }
}
