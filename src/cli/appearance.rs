//! The screen's appearance: the chosen settings on the present terminal.

use crate::config::{Config, Environment, GlyphSet, NotUtf8, Overrides};
use crate::domain::{Appearance, Colours, Glyphs};
use crate::terminal::{ColorDepth, Dialect};

/// The terminal's abilities, by its name.
pub(super) fn terminal_dialect(environment: &Environment) -> Result<Dialect, NotUtf8> {
    let dialect = Dialect::detect(
        environment.text("TERM")?.as_deref(),
        environment.text("COLORTERM")?.as_deref(),
        // NO_COLOR chooses the plain theme, unless a theme was chosen by name; either way the theme decides.
        None,
    );
    Ok(if environment.is_set("TMUX") { dialect.within_tmux() } else { dialect })
}

pub(super) fn appearance_from_config(config: &Config, environment: &Environment) -> Result<Appearance, NotUtf8> {
    let colours = match terminal_dialect(environment)?.depth {
        ColorDepth::Plain => Colours::None,
        ColorDepth::Ansi16 => Colours::Sixteen,
        ColorDepth::Indexed256 | ColorDepth::TrueColor => Colours::Many,
    };
    Ok(Appearance { theme: config.theme, colours, glyphs: choose_glyphs(config.glyphs, environment)? })
}

/// The appearance on a visitor's terminal, of which only the name is known.
pub(super) fn visitor_appearance(overrides: &Overrides, term: &str) -> (Dialect, Appearance) {
    let environment: Environment = [("TERM", term)].into_iter().collect();
    let appearance_overrides = Overrides { theme: overrides.theme, glyphs: overrides.glyphs, ..Overrides::default() };
    // Without a folder there is no configuration file, and so nothing that could be wrong.
    let appearance = Config::resolve(appearance_overrides, &environment)
        .ok()
        .and_then(|config| appearance_from_config(&config, &environment).ok());
    (Dialect::detect(Some(term), None, None), appearance.unwrap_or_default())
}

/// The character set to use. Characters that a locale cannot show are never sent, unless they are explicitly requested.
fn choose_glyphs(glyph_set: GlyphSet, environment: &Environment) -> Result<Glyphs, NotUtf8> {
    // Without a locale, as in most containers, the terminal is unknown, and today that means UTF-8.
    let utf8 = character_locale(environment)?.is_none_or(|locale| locale.is_utf8());
    let term = environment.text("TERM")?.unwrap_or_default();
    // Consoles with a small font of their own, and old terminals.
    let plain = matches!(term.as_str(), "linux" | "dumb") || term.starts_with("vt");
    Ok(match glyph_set {
        GlyphSet::Unicode => Glyphs::Unicode,
        GlyphSet::Auto if utf8 && !plain => Glyphs::Unicode,
        GlyphSet::Auto | GlyphSet::Ascii if utf8 => Glyphs::Ascii,
        GlyphSet::Auto | GlyphSet::Ascii => Glyphs::AsciiOnly,
    })
}

/// The variable that determines the terminal's character set.
pub(super) struct Locale {
    pub(super) variable: &'static str,
    pub(super) value: String,
}

impl Locale {
    pub(super) fn is_utf8(&self) -> bool {
        let folded = self.value.to_ascii_lowercase();
        folded.contains("utf-8") || folded.contains("utf8")
    }
}

/// From the first variable that is set, in the order of setlocale(3).
pub(super) fn character_locale(environment: &Environment) -> Result<Option<Locale>, NotUtf8> {
    for variable in ["LC_ALL", "LC_CTYPE", "LANG"] {
        if let Some(value) = environment.text(variable)? {
            return Ok(Some(Locale { variable, value }));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ThemeName;

    fn glyphs_with_variables(glyph_set: GlyphSet, variables: &[(&str, &str)]) -> Glyphs {
        choose_glyphs(glyph_set, &variables.iter().copied().collect()).unwrap()
    }

    #[test]
    fn what_the_locale_or_the_terminal_cannot_show_is_painted_in_ascii() {
        for (variables, expected) in [
            (&[("TERM", "xterm-256color"), ("LANG", "de_DE.UTF-8")][..], Glyphs::Unicode),
            (&[("TERM", "xterm-256color"), ("LANG", "C.utf8")], Glyphs::Unicode),
            (&[("TERM", "xterm-256color")], Glyphs::Unicode),
            (&[("TERM", "linux"), ("LANG", "en_GB.UTF-8")], Glyphs::Ascii),
            (&[("TERM", "vt220")], Glyphs::Ascii),
            (&[("TERM", "xterm"), ("LANG", "de_DE.ISO-8859-1")], Glyphs::AsciiOnly),
            (&[("TERM", "xterm"), ("LANG", "de_DE")], Glyphs::AsciiOnly),
            (&[("TERM", "xterm"), ("LANG", "en_GB.UTF-8"), ("LC_ALL", "C")], Glyphs::AsciiOnly),
            (&[("TERM", "xterm"), ("LANG", "C"), ("LC_CTYPE", "en_GB.UTF-8")], Glyphs::Unicode),
        ] {
            assert_eq!(glyphs_with_variables(GlyphSet::Auto, variables), expected, "{variables:?}");
        }
    }

    #[test]
    fn a_visitors_terminal_is_painted_by_its_name() {
        let appearance = |term| visitor_appearance(&Overrides::default(), term).1;
        assert_eq!(appearance("xterm-256color"), Appearance { colours: Colours::Many, ..Appearance::default() });
        assert_eq!(appearance("xterm").colours, Colours::Sixteen);
        assert_eq!((appearance("linux").glyphs, appearance("linux").colours), (Glyphs::Ascii, Colours::Sixteen));
        assert_eq!((appearance("dumb").theme, appearance("dumb").colours), (ThemeName::Plain, Colours::None));
        assert_eq!(appearance("").colours, Colours::None);
        let light = Overrides { theme: Some(ThemeName::Light), ..Overrides::default() };
        assert_eq!(visitor_appearance(&light, "xterm-256color").1.theme, ThemeName::Light);
    }

    #[test]
    fn whoever_insists_gets_what_was_asked_for() {
        assert_eq!(glyphs_with_variables(GlyphSet::Unicode, &[("TERM", "linux"), ("LANG", "C")]), Glyphs::Unicode);
        assert_eq!(glyphs_with_variables(GlyphSet::Ascii, &[("LANG", "en_GB.UTF-8")]), Glyphs::Ascii);
        assert_eq!(glyphs_with_variables(GlyphSet::Ascii, &[("LANG", "C")]), Glyphs::AsciiOnly);
    }
}
