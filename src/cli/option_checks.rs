//! Refuses `--profile`, `--read-only` and `--veil` where a command would ignore them: an operator who gives one relies on
//! it. Other global options concern paths and appearance, and may be in an alias for all commands.

use clap::ArgMatches;
use clap::parser::ValueSource;

/// Which of the three options a command follows, by their first letters: a command that is not here follows none. A row
/// with an option of the command itself holds where that is given.
const FOLLOWED: &[(&str, &str)] = &[
    ("", "prv"),
    ("demo", "rv"),
    ("ssh", "rv"),
    ("profile add", "r"),
    ("profile list", "r"),
    ("profile show", "pr"),
    ("profile address --same", "p"),
    ("profile address --another", "p"),
    ("profile address", "pr"),
    ("key set", "p"),
    ("key status", "pr"),
    ("key lock set", "p"),
    ("key lock remove", "p"),
    ("key remove", "p"),
    ("address", "pr"),
    ("directory list", "pr"),
    ("directory add", "p"),
    ("directory import --check", "pr"),
    ("directory import", "p"),
    ("book list", "pr"),
    ("book add", "p"),
    ("book remove", "p"),
    ("book import --check", "pr"),
    ("book import", "p"),
    ("book export", "pr"),
    ("doctor", "pr"),
    ("journal backup", "r"),
    ("journal verify", "r"),
    ("export", "pr"),
    ("payables", "pr"),
    ("receipt", "pr"),
    ("status", "pr"),
    ("statement", "pr"),
    ("report value", "pr"),
    ("report allocation", "pr"),
    ("report counterparties", "pr"),
    ("report fees", "pr"),
    ("report gas", "pr"),
    ("report months", "pr"),
    ("listen", "pr"),
    ("watch", "pr"),
    ("completions", "r"),
    ("man", "r"),
];

/// An error message where the command would ignore such an option.
pub(super) fn check_global_options(matches: &ArgMatches) -> Result<(), String> {
    let (mut path, mut leaf) = (Vec::new(), matches);
    while let Some((name, below)) = leaf.subcommand() {
        path.push(name);
        leaf = below;
    }
    let path = path.join(" ");
    let is_given = |option: &str| leaf.value_source(option) == Some(ValueSource::CommandLine);
    let row = FOLLOWED.iter().find(|(line, _)| match line.split_once(" --") {
        Some((command, option)) => command == path && is_given(option),
        None => *line == path,
    });
    let followed = row.map_or("", |(_, letters)| letters);
    for (letter, option) in [('p', "profile"), ('r', "read_only"), ('v', "veil")] {
        if is_given(option) && !followed.contains(letter) {
            return Err(format!("`bursar {path}` does not follow --{}; leave it out", option.replace('_', "-")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use clap::CommandFactory;

    use super::super::Arguments;
    use super::*;

    /// Lines, and which of the three options they follow.
    const LINES: &[(&str, &str)] = &[
        ("", "prv"),
        ("demo", "rv"),
        ("serve --data d", ""),
        ("serve check --data d", ""),
        ("serve key create --data d --name n", ""),
        ("serve key list --data d", ""),
        ("serve key revoke --data d 1", ""),
        ("ssh", "rv"),
        ("profile add n --base-url u", "r"),
        ("profile list", "r"),
        ("profile show", "pr"),
        ("profile address", "pr"),
        ("profile address --same u", "p"),
        ("profile address --another u", "p"),
        ("profile use n", ""),
        ("profile remove n", ""),
        ("key set", "p"),
        ("key status", "pr"),
        ("key lock set", "p"),
        ("key lock remove", "p"),
        ("key remove", "p"),
        ("address w", "pr"),
        ("directory list", "pr"),
        ("directory add user u-1", "p"),
        ("directory import f", "p"),
        ("directory import f --check", "pr"),
        ("book list", "pr"),
        ("book add n a --chain c", "p"),
        ("book remove n", "p"),
        ("book import f", "p"),
        ("book import f --check", "pr"),
        ("book export", "pr"),
        ("doctor", "pr"),
        ("journal backup f", "r"),
        ("journal restore f", ""),
        ("journal verify", "r"),
        ("export balances", "pr"),
        ("status", "pr"),
        ("report value", "pr"),
        ("report allocation", "pr"),
        ("report counterparties", "pr"),
        ("report fees", "pr"),
        ("report gas", "pr"),
        ("report months", "pr"),
        ("receipt x", "pr"),
        ("statement --month 2024-01", "pr"),
        ("watch", "pr"),
        ("completions bash", "r"),
        ("man", "r"),
    ];

    fn parse_and_check(line: &str) -> Result<(), String> {
        let arguments = ["bursar"].into_iter().chain(line.split_whitespace()).map(OsString::from);
        Arguments::from_args(arguments).map(drop).map_err(|error| error.to_string())
    }

    #[test]
    fn an_option_that_promises_something_is_followed_or_refused() {
        for (command, follows) in LINES {
            for (letter, option) in [('p', "--profile x"), ('r', "--read-only"), ('v', "--veil")] {
                // Before the command and behind it are the same.
                for line in [format!("{option} {command}"), format!("{command} {option}")] {
                    let checked = parse_and_check(&line);
                    assert_eq!(checked.is_ok(), follows.contains(letter), "{line}: {checked:?}");
                    let refusal = format!("does not follow {}; leave it out\n", option.trim_end_matches(" x"));
                    assert!(checked.is_ok() || checked.is_err_and(|error| error.contains(&refusal)), "{line}");
                }
            }
        }
    }

    #[test]
    fn where_things_lie_and_how_they_look_may_be_said_of_every_command() {
        let options = "--config-dir c --data-dir d --theme dark --glyphs ascii --log-level warn";
        for (command, _) in LINES {
            assert_eq!(parse_and_check(&format!("{options} {command}")), Ok(()), "{command}");
        }
    }

    #[test]
    fn every_row_names_a_command_and_an_option_of_it() {
        for (row, _) in FOLLOWED {
            let mut command = &Arguments::command();
            for word in row.split_whitespace() {
                match word.strip_prefix("--") {
                    Some(option) => {
                        assert!(command.get_arguments().any(|argument| argument.get_id() == option), "{row}");
                    }
                    None => command = command.find_subcommand(word).unwrap_or_else(|| panic!("{row}")),
                }
            }
            assert!(command.get_subcommands().next().is_none() || row.is_empty(), "{row}");
        }
    }
}
