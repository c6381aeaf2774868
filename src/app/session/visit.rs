//! Visits: the console runs on another machine over SSH, and reaches nothing but the visitor's own terminal. Actions
//! that would need more are not offered; their keys show why.

use crate::app::input::keymap::{Binding, Command};
use crate::app::model::{Model, Page};
use crate::domain::ClipboardRoute;

pub const NO_SHELL_MESSAGE: &str = "a visit has no shell to return to; q ends the visit";

const NO_BOOK_IMPORT_MESSAGE: &str =
    "an address book is imported from a file, and a visit cannot reach files; n adds an entry";

const NO_EXPORT_MESSAGE: &str =
    "this terminal type (TERM) has no clipboard, the only place where a visit can export to";

#[expect(clippy::wildcard_enum_match_arm, reason = "other commands are the same for a visitor")]
pub(in crate::app) fn command_refusal(model: &Model, command: Command) -> Option<&'static str> {
    match command {
        _ if !model.console.is_visit => None,
        Command::Suspend => Some(NO_SHELL_MESSAGE),
        Command::Import if model.page == Page::Book => Some(NO_BOOK_IMPORT_MESSAGE),
        Command::Export if model.console.clipboard == ClipboardRoute::Missing => Some(NO_EXPORT_MESSAGE),
        _ => None,
    }
}

/// The help text of a key, which may differ in a visit; `None` if the key does nothing there.
#[expect(clippy::wildcard_enum_match_arm, reason = "other commands are the same for a visitor")]
pub(in crate::app) fn key_help_text(model: &Model, binding: &'static Binding) -> Option<&'static str> {
    if !model.console.is_visit {
        return Some(&binding.long);
    }
    match binding.command {
        Command::Suspend => None,
        Command::Import if model.page == Page::Book => None,
        Command::Import => Some("import users, wallets and accounts by identifier"),
        Command::Batch => {
            Some("pay several recipients from one wallet in one request: pasted or typed rows, then a review")
        }
        Command::Export => Some(
            "send all that the list shows, or the marked transactions, to your terminal's clipboard, in a format you choose",
        ),
        _ => Some(&binding.long),
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyCode;

    use super::*;
    use crate::app::input::availability::session_refusal;
    use crate::app::input::keymap::{self, KEY_BINDINGS, ctrl};
    use crate::app::overlays::help;
    use crate::app::overlays::palette;
    use crate::app::{Msg, Settings, Size, update};
    use crate::domain::{Network, Timestamp};

    fn visit() -> Model {
        let size = Size { width: 120, height: 36 };
        let mut model = Model::new(Settings::sample(), size, Timestamp::from_millis(1_790_000_000_000));
        model.console.is_visit = true;
        model
    }

    #[test]
    fn what_a_visit_lacks_is_said_by_its_key_and_not_offered() {
        let mut model = visit();
        assert_eq!(session_refusal(&model, Command::Suspend), Some(NO_SHELL_MESSAGE));
        assert_eq!(update(&mut model, Msg::Key(ctrl('z'))), []);
        assert_eq!(model.notice.as_deref(), Some(NO_SHELL_MESSAGE));
        model.page = Page::Book;
        assert_eq!(session_refusal(&model, Command::Import), Some(NO_BOOK_IMPORT_MESSAGE));
        let offered = |model: &Model, command| {
            let help = help::help_lines(model, 120);
            let palette = palette::matching_entries(model, &palette::Palette::default());
            let name = KEY_BINDINGS.iter().find(|binding| binding.command == command).unwrap().short.as_str();
            let key = keymap::key_name(KEY_BINDINGS.iter().find(|binding| binding.command == command).unwrap().keys[0]);
            let in_help = help.iter().any(|line| matches!(line, help::HelpLine::Pair(help_key, _) if *help_key == key));
            (in_help, palette.iter().any(|choice| choice.name == name))
        };
        assert_eq!(offered(&model, Command::Suspend), (false, false));
        assert_eq!(offered(&model, Command::Import), (false, false));
        model.page = Page::Overview;
        assert_eq!(offered(&model, Command::Import), (true, true));
        // At a terminal of one's own none of it is kept back.
        model.console.is_visit = false;
        assert_eq!(offered(&model, Command::Suspend), (true, true));
        assert!(KEY_BINDINGS.iter().all(|binding| command_refusal(&model, binding.command).is_none()));
    }

    #[test]
    fn help_and_palette_of_a_visit_name_nothing_of_the_host() {
        let mut model = visit();
        // As each workspace that is lent.
        model.console.identity.environment = Some(Network::Testnet);
        for page in Page::ALL {
            model.page = page;
            let pairs = help::help_lines(&model, 120).into_iter().filter_map(|line| match line {
                help::HelpLine::Pair(name, description) => Some(format!("{name} {description}")),
                _ => None,
            });
            let choices = palette::matching_entries(&model, &palette::Palette::default());
            let choices = choices.into_iter().map(|choice| choice.refusal.unwrap_or(choice.description));
            for description in pairs.chain(choices) {
                let tokens: Vec<&str> = description.split(|c: char| !c.is_alphanumeric()).collect();
                for host in ["file", "files", "folder", "shell", "profile", "bursar", "keyring", "job"] {
                    assert!(!tokens.contains(&host), "{description}");
                }
            }
        }
    }

    #[test]
    fn a_terminal_without_a_clipboard_takes_no_rows_and_says_so_first() {
        let mut model = visit();
        model.page = Page::Transactions;
        model.console.clipboard = ClipboardRoute::Missing;
        assert_eq!(update(&mut model, Msg::Key(KeyCode::Char('x').into())), []);
        assert_eq!(model.notice.as_deref(), Some(NO_EXPORT_MESSAGE));
    }
}
