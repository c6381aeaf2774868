//! What the terminal can do, told from its name: it is never asked.

use rustix::stdio::stdout;
use rustix::termios::{isatty, tcgetwinsize};

use super::super::looks;
use super::Finding;
use crate::app::screen::SMALLEST;
use crate::config::Environment;
use crate::runtime::{ColorDepth, Dialect};

const ABOUT: &str = "terminal";

pub(super) fn look(environment: &Environment) -> Vec<Finding> {
    let text = |name| environment.text(name).ok().flatten();
    let is_terminal = isatty(stdout());
    let mut findings =
        vec![colours(text("TERM").as_deref(), text("COLORTERM").as_deref(), text("NO_COLOR").as_deref())];
    findings.push(match tcgetwinsize(stdout()) {
        Ok(size) if size.ws_col < SMALLEST.width || size.ws_row < SMALLEST.height => Finding::wrong(
            ABOUT,
            format!("{}×{} cells; the console needs {}×{}", size.ws_col, size.ws_row, SMALLEST.width, SMALLEST.height),
        ),
        Ok(size) => Finding::good(ABOUT, format!("{}×{} cells", size.ws_col, size.ws_row)),
        Err(_) => Finding::note(ABOUT, "standard output is no terminal, so that its size cannot be told"),
    });
    findings.push(match looks::locale(environment).ok().flatten() {
        Some(locale) if locale.is_utf8() => {
            Finding::good(ABOUT, format!("UTF-8 ({}={})", locale.variable, locale.value))
        }
        Some(locale) => Finding::note(
            ABOUT,
            format!(
                "{}={} is not UTF-8: the screen is painted in ASCII, and other letters of a name are shown as “?”; if the \
                 terminal shows more, set LANG=C.UTF-8",
                locale.variable, locale.value
            ),
        ),
        None if is_terminal => Finding::note(
            ABOUT,
            "no locale is set, and UTF-8 is taken for granted; if lines and signs are garbled, use --glyphs ascii",
        ),
        None => Finding::note(ABOUT, "no UTF-8 locale is set, which matters to a terminal alone"),
    });
    findings
}

fn colours(term: Option<&str>, colorterm: Option<&str>, no_color: Option<&str>) -> Finding {
    let name = term.unwrap_or("not set");
    let depth = match Dialect::of(term, colorterm, no_color).depth {
        ColorDepth::TrueColor => "16 million colours",
        ColorDepth::Indexed256 => "256 colours",
        ColorDepth::Ansi16 => "16 colours",
        ColorDepth::Plain => "no colours: bold, dim and reversed carry the meaning",
    };
    let colorterm = colorterm.map(|value| format!(", COLORTERM={value}")).unwrap_or_default();
    Finding::good(ABOUT, format!("TERM={name}{colorterm}: {depth}"))
}

#[cfg(test)]
mod tests {
    use super::super::Verdict;
    use super::*;

    #[test]
    fn names_of_terminals_are_told_with_what_they_can_do() {
        for (term, colorterm, words) in [
            (Some("xterm-256color"), None, "TERM=xterm-256color: 256 colours"),
            (Some("xterm"), Some("truecolor"), "TERM=xterm, COLORTERM=truecolor: 16 million colours"),
            (None, None, "TERM=not set: no colours: bold, dim and reversed carry the meaning"),
        ] {
            assert_eq!(colours(term, colorterm, None), Finding::good(ABOUT, words));
        }
    }

    #[test]
    fn the_locale_that_decides_is_the_one_that_is_told() {
        let found = |variables: &[(&str, &str)]| {
            let findings = look(&variables.iter().copied().collect());
            findings.last().map(|finding| (finding.verdict, finding.words.clone())).unwrap()
        };
        let (verdict, words) = found(&[("LANG", "C"), ("LC_ALL", "de_DE.UTF-8")]);
        assert_eq!((verdict, words.as_str()), (Verdict::Good, "UTF-8 (LC_ALL=de_DE.UTF-8)"));
        assert_ne!(found(&[("LANG", "de_DE.utf8"), ("LC_ALL", "C")]).0, Verdict::Good);
        assert_ne!(found(&[]).0, Verdict::Good);
    }
}
