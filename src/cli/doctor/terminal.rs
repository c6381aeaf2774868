//! What the terminal can do, told from its name: it is never asked.

use rustix::stdio::stdout;
use rustix::termios::{isatty, tcgetwinsize};

use super::super::looks;
use super::Finding;
use crate::app::screen::SMALLEST;
use crate::config::Environment;
use crate::domain::Clipboard;
use crate::runtime::{ColorDepth, Dialect};

const ABOUT: &str = "terminal";

pub(super) fn look(environment: &Environment) -> Vec<Finding> {
    let text = |name| environment.text(name).ok().flatten();
    let is_terminal = isatty(stdout());
    let (term, colorterm, no_color) = (text("TERM"), text("COLORTERM"), text("NO_COLOR"));
    let mut dialect = Dialect::of(term.as_deref(), colorterm.as_deref(), no_color.as_deref());
    if environment.is_set("TMUX") {
        dialect = dialect.within_tmux();
    }
    let mut findings = vec![colours(term.as_deref(), colorterm.as_deref(), dialect.depth), copying(dialect.clipboard)];
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

/// What becomes of what `y` copies. No terminal tells, so that this is what its name promises.
fn copying(clipboard: Clipboard) -> Finding {
    match clipboard {
        Clipboard::Terminal => Finding::good(
            ABOUT,
            "what y copies goes to the terminal as OSC 52, over SSH as well; some terminals take it only when their \
             settings allow it",
        ),
        Clipboard::Tmux => Finding::note(
            ABOUT,
            "inside tmux: what y copies arrives once `tmux set -g set-clipboard on` was said (or in tmux.conf); \
             notifications of watches (OSC 9) do not pass it, the bell does",
        ),
        Clipboard::Screen => Finding::note(
            ABOUT,
            "inside screen, or a tmux that goes by its name: what y copies is handed on by screen, and by tmux once \
             `tmux set -g set-clipboard on` was said",
        ),
        Clipboard::Missing => Finding::note(ABOUT, "a terminal of this name has no clipboard: y copies nothing here"),
    }
}

fn colours(term: Option<&str>, colorterm: Option<&str>, depth: ColorDepth) -> Finding {
    let name = term.unwrap_or("not set");
    let depth = match depth {
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
            let variables = [("TERM", term), ("COLORTERM", colorterm)];
            let set: Vec<(&str, &str)> =
                variables.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
            assert!(look(&set.into_iter().collect()).contains(&Finding::good(ABOUT, words)), "{words}");
        }
    }

    #[test]
    fn what_becomes_of_a_copy_is_told_as_the_names_have_it() {
        for (variables, verdict, words) in [
            (&[("TERM", "xterm-256color")][..], Verdict::Good, "goes to the terminal as OSC 52"),
            (&[("TERM", "screen"), ("TMUX", "/tmp/tmux-0/default,1,0")], Verdict::Note, "tmux set -g set-clipboard on"),
            (&[("TERM", "tmux-256color")], Verdict::Note, "tmux set -g set-clipboard on"),
            (&[("TERM", "linux")], Verdict::Note, "has no clipboard"),
        ] {
            let found = look(&variables.iter().copied().collect());
            let told = |finding: &Finding| finding.verdict == verdict && finding.words.contains(words);
            assert!(found.iter().any(told), "{variables:?}: {found:?}");
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
