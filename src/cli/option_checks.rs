//! Refuses global options that a command would ignore: an operator who gives one relies on it.
//!
//! Three of them are promises: the service in use, that nothing is changed, that amounts are hidden. The others concern
//! paths and appearance, and may be in an alias for all commands.

use super::book::BookCommand;
use super::directory::DirectoryCommand;
use super::journal::JournalCommand;
use super::key::KeyCommand;
use super::profile::ProfileCommand;
use super::{Command, GlobalOptions};

/// An error message where a command would ignore such an option.
pub(super) fn check_global_options(command: Option<&Command>, global: &GlobalOptions) -> Result<(), String> {
    // The dashboard follows all of them.
    let Some(command) = command else { return Ok(()) };
    let given = [
        (global.profile.is_some(), "--profile", why_profile_ignored(command)),
        (global.read_only, "--read-only", why_read_only_ignored(command)),
        (global.veil, "--veil", why_veil_ignored(command)),
    ];
    match given.into_iter().find_map(|(is_given, option, why)| is_given.then_some(option).zip(why)) {
        Some((option, why)) => Err(format!("{why}; leave out {option}")),
        None => Ok(()),
    }
}

/// Why a command ignores `--profile`.
fn why_profile_ignored(command: &Command) -> Option<&'static str> {
    match command {
        Command::Demo(_) => Some("this command opens a sample business, never a profile"),
        Command::Ssh(_) => Some("this command offers a sample business, never a profile"),
        Command::Serve(_) => Some("this command serves the ledger in --data, never a profile"),
        Command::Profile(ProfileCommand::List) => Some("this command lists all profiles"),
        Command::Profile(ProfileCommand::Add(_) | ProfileCommand::Use { .. } | ProfileCommand::Remove { .. }) => {
            Some("the profile is named as an argument of this command")
        }
        Command::Journal(_) => Some("there is one journal for all profiles"),
        Command::Completions { .. } | Command::Man => Some("the output is the same for all profiles"),
        Command::Profile(ProfileCommand::Show { .. } | ProfileCommand::Address(_))
        | Command::Key(_)
        | Command::Address(_)
        | Command::Directory(_)
        | Command::Book(_)
        | Command::Doctor(_)
        | Command::Export(_)
        | Command::Status(_)
        | Command::Statement(_) => None,
    }
}

/// Why a command ignores `--read-only`.
fn why_read_only_ignored(command: &Command) -> Option<&'static str> {
    match command {
        Command::Serve(_) => Some("a service executes every request that the permissions of a key allow"),
        Command::Key(KeyCommand::Set { .. } | KeyCommand::Remove { .. } | KeyCommand::Lock(_)) => {
            Some("this changes the stored keys")
        }
        Command::Book(
            BookCommand::Add { .. } | BookCommand::Remove { .. } | BookCommand::Import { check: false, .. },
        ) => Some("this changes the book"),
        Command::Directory(DirectoryCommand::Add { .. } | DirectoryCommand::Import { check: false, .. }) => {
            Some("this changes the directory")
        }
        Command::Profile(ProfileCommand::Use { .. } | ProfileCommand::Remove { .. }) => {
            Some("this changes config.toml")
        }
        Command::Profile(ProfileCommand::Address(said)) if said.has_answer() => {
            Some("this changes the record of earlier addresses")
        }
        Command::Journal(JournalCommand::Restore { .. }) => Some("this creates a journal"),
        // With --read-only, `profile add` adds a read-only profile.
        Command::Profile(_)
        | Command::Demo(_)
        | Command::Ssh(_)
        | Command::Key(_)
        | Command::Address(_)
        | Command::Directory(_)
        | Command::Book(_)
        | Command::Journal(_)
        | Command::Doctor(_)
        | Command::Export(_)
        | Command::Status(_)
        | Command::Statement(_)
        | Command::Completions { .. }
        | Command::Man => None,
    }
}

/// Why a command ignores `--veil`.
fn why_veil_ignored(command: &Command) -> Option<&'static str> {
    match command {
        Command::Demo(_) | Command::Ssh(_) => None,
        Command::Serve(_) => Some("a service hides nothing from its keys; the veil applies only to the dashboard"),
        _ => Some("this command writes figures and names as they are; the veil applies only to the dashboard"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::ffi::OsString;

    use clap::CommandFactory;

    use super::super::Arguments;

    /// Every command there is, and which of `--profile x`, `--read-only` and `--veil` it follows.
    const COMMANDS: &[(&str, &str)] = &[
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
        ("statement --month 2024-01", "pr"),
        ("completions bash", "r"),
        ("man", "r"),
    ];

    fn parse_and_check(line: &str) -> Result<(), String> {
        let words = ["bursar"].into_iter().chain(line.split_whitespace()).map(OsString::from);
        Arguments::from_args(words).map(drop).map_err(|error| error.to_string())
    }

    #[test]
    fn an_option_that_promises_something_is_followed_or_refused() {
        for (command, follows) in COMMANDS {
            assert_eq!(parse_and_check(command), Ok(()), "{command}");
            for (letter, option) in [('p', "--profile x"), ('r', "--read-only"), ('v', "--veil")] {
                let name = option.split(' ').next().unwrap();
                // Before the command and behind it are the same.
                for line in [format!("{option} {command}"), format!("{command} {option}")] {
                    match parse_and_check(&line) {
                        Ok(()) => assert!(follows.contains(letter), "{line} is passed over"),
                        Err(said) => {
                            assert!(!follows.contains(letter), "{line}: {said}");
                            assert!(said.contains(&format!("; leave out {name}\n")), "{line}: {said}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn where_things_lie_and_how_they_look_may_be_said_of_every_command() {
        let options = "--config-dir c --data-dir d --theme dark --glyphs ascii --log-level warn";
        for (command, _) in COMMANDS {
            assert_eq!(parse_and_check(&format!("{options} {command}")), Ok(()), "{command}");
        }
    }

    #[test]
    fn no_command_is_left_out() {
        fn leaves(command: &clap::Command, path: &str, all: &mut BTreeSet<String>) {
            if command.get_subcommands().next().is_none() {
                all.insert(path.trim().to_owned());
            }
            for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
                leaves(below, &format!("{path} {}", below.get_name()), all);
            }
        }
        let mut all = BTreeSet::new();
        leaves(&Arguments::command(), "", &mut all);
        let missing: Vec<_> = all
            .iter()
            .filter(|path| !COMMANDS.iter().any(|(line, _)| *line == *path || line.starts_with(&format!("{path} "))))
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
