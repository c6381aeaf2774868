//! The terminal's abilities by its name: it is never queried.

use rustix::stdio::stdout;
use rustix::termios::{isatty, tcgetwinsize};

use super::super::appearance;
use super::CheckResult;
use crate::app::screen::MIN_SCREEN_SIZE;
use crate::config::Environment;
use crate::domain::ClipboardRoute;
use crate::terminal::{ColorDepth, Dialect};

const SUBJECT: &str = "terminal";

pub(super) fn check_terminal(environment: &Environment) -> Vec<CheckResult> {
    let text = |name| environment.text(name).ok().flatten();
    let is_terminal = isatty(stdout());
    let (term, colorterm, no_color) = (text("TERM"), text("COLORTERM"), text("NO_COLOR"));
    let mut dialect = Dialect::detect(term.as_deref(), colorterm.as_deref(), no_color.as_deref());
    if environment.is_set("TMUX") {
        dialect = dialect.within_tmux();
    }
    let mut findings =
        vec![check_colours(term.as_deref(), colorterm.as_deref(), dialect.depth), check_clipboard(dialect.clipboard)];
    findings.push(match tcgetwinsize(stdout()) {
        Ok(size) if size.ws_col < MIN_SCREEN_SIZE.width || size.ws_row < MIN_SCREEN_SIZE.height => CheckResult::wrong(
            SUBJECT,
            format!(
                "{}×{} cells; the console needs {}×{}",
                size.ws_col, size.ws_row, MIN_SCREEN_SIZE.width, MIN_SCREEN_SIZE.height
            ),
        ),
        Ok(size) => CheckResult::ok(SUBJECT, format!("{}×{} cells", size.ws_col, size.ws_row)),
        Err(_) => CheckResult::note(SUBJECT, "standard output is not a terminal, so its size is unknown"),
    });
    findings.push(match appearance::character_locale(environment).ok().flatten() {
        Some(locale) if locale.is_utf8() => {
            CheckResult::ok(SUBJECT, format!("UTF-8 ({}={})", locale.variable, locale.value))
        }
        Some(locale) => CheckResult::note(
            SUBJECT,
            format!(
                "{}={} is not UTF-8: the screen uses ASCII, and other letters of a name are shown as “?”; if the \
                 terminal supports UTF-8, set LANG=C.UTF-8",
                locale.variable, locale.value
            ),
        ),
        None if is_terminal => CheckResult::note(
            SUBJECT,
            "no locale is set, so UTF-8 is assumed; if lines and symbols are garbled, use --glyphs ascii",
        ),
        None => CheckResult::note(SUBJECT, "no UTF-8 locale is set, which matters only on a terminal"),
    });
    findings
}

/// Whether `y` can copy, by the terminal's name: no terminal reports it.
fn check_clipboard(clipboard: ClipboardRoute) -> CheckResult {
    match clipboard {
        ClipboardRoute::Terminal => CheckResult::ok(
            SUBJECT,
            "y copies through the terminal (OSC 52), over SSH as well; some terminals accept this only when their \
             settings allow it",
        ),
        ClipboardRoute::Tmux => CheckResult::note(
            SUBJECT,
            "inside tmux: copying with y works once `tmux set -g set-clipboard on` is set (or in tmux.conf); \
             notifications of watches (OSC 9) do not pass through tmux, the bell does",
        ),
        ClipboardRoute::Screen => CheckResult::note(
            SUBJECT,
            "inside screen, or a tmux with screen's terminal name: screen passes on what y copies, and tmux does once \
             `tmux set -g set-clipboard on` is set",
        ),
        ClipboardRoute::Missing => {
            CheckResult::note(SUBJECT, "a terminal of this type has no clipboard: y cannot copy here")
        }
    }
}

fn check_colours(term: Option<&str>, colorterm: Option<&str>, depth: ColorDepth) -> CheckResult {
    let name = term.unwrap_or("not set");
    let depth = match depth {
        ColorDepth::TrueColor => "16 million colours",
        ColorDepth::Indexed256 => "256 colours",
        ColorDepth::Ansi16 => "16 colours",
        ColorDepth::Plain => "no colours: bold, dim and reversed carry the meaning",
    };
    let colorterm = colorterm.map(|value| format!(", COLORTERM={value}")).unwrap_or_default();
    CheckResult::ok(SUBJECT, format!("TERM={name}{colorterm}: {depth}"))
}

#[cfg(test)]
mod tests {
    use super::super::CheckStatus;
    use super::*;

    #[test]
    fn names_of_terminals_are_told_with_what_they_can_do() {
        for (term, colorterm, expected) in [
            (Some("xterm-256color"), None, "TERM=xterm-256color: 256 colours"),
            (Some("xterm"), Some("truecolor"), "TERM=xterm, COLORTERM=truecolor: 16 million colours"),
            (None, None, "TERM=not set: no colours: bold, dim and reversed carry the meaning"),
        ] {
            let variables = [("TERM", term), ("COLORTERM", colorterm)];
            let set: Vec<(&str, &str)> =
                variables.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
            assert!(
                check_terminal(&set.into_iter().collect()).contains(&CheckResult::ok(SUBJECT, expected)),
                "{expected}"
            );
        }
    }

    #[test]
    fn what_becomes_of_a_copy_is_told_as_the_names_have_it() {
        for (variables, verdict, expected) in [
            (&[("TERM", "xterm-256color")][..], CheckStatus::Good, "copies through the terminal (OSC 52)"),
            (
                &[("TERM", "screen"), ("TMUX", "/tmp/tmux-0/default,1,0")],
                CheckStatus::Note,
                "tmux set -g set-clipboard on",
            ),
            (&[("TERM", "tmux-256color")], CheckStatus::Note, "tmux set -g set-clipboard on"),
            (&[("TERM", "linux")], CheckStatus::Note, "has no clipboard"),
        ] {
            let findings = check_terminal(&variables.iter().copied().collect());
            let is_expected = |finding: &CheckResult| finding.verdict == verdict && finding.message.contains(expected);
            assert!(findings.iter().any(is_expected), "{variables:?}: {findings:?}");
        }
    }

    #[test]
    fn the_locale_that_decides_is_the_one_that_is_told() {
        let checked = |variables: &[(&str, &str)]| {
            let findings = check_terminal(&variables.iter().copied().collect());
            findings.last().map(|finding| (finding.verdict, finding.message.clone())).unwrap()
        };
        let (verdict, message) = checked(&[("LANG", "C"), ("LC_ALL", "de_DE.UTF-8")]);
        assert_eq!((verdict, message.as_str()), (CheckStatus::Good, "UTF-8 (LC_ALL=de_DE.UTF-8)"));
        assert_ne!(checked(&[("LANG", "de_DE.utf8"), ("LC_ALL", "C")]).0, CheckStatus::Good);
        assert_ne!(checked(&[]).0, CheckStatus::Good);
    }
}
