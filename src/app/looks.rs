//! How the screen looks, changed while the console runs.

use super::model::Model;
use crate::domain::{Colours, ThemeName};

/// Paints in another theme from now on, until the program ends; says how it would stay.
pub(super) fn paint_in(model: &mut Model, theme: ThemeName) {
    model.looks.theme = theme;
    let word = theme.word();
    model.notice = Some(match model.looks.colours {
        Colours::None => {
            format!("theme {word}; this terminal has no colours, so that every theme looks as the plain one")
        }
        _ => format!("theme {word} for this session; theme = \"{word}\" in config.toml keeps it"),
    });
}
