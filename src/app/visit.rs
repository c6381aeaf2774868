//! A visit: the console runs on a machine of somebody else, and nothing but the visitor's own terminal is within reach.
//! What would need more stays to be seen, and says why it cannot be.

use super::keymap::Command;
use super::model::{Model, Page};

/// Why a visitor's console is not stopped as a job.
pub const NO_SHELL: &str = "there is no shell to go back to from a visit; q ends it";

/// Why no file is brought into the address book.
const NO_BOOK: &str = "a book is brought in from a file, and none is within reach of a visit; n enters somebody";

/// Why no file of recipients is read, and what to do.
pub(super) const NO_ROWS: &str = "no file is within reach of a visit: leave this empty, and paste or type the rows";

/// Why a command is not followed in a visit, if so.
pub(super) fn refusal(model: &Model, command: Command) -> Option<&'static str> {
    match command {
        _ if !model.visit => None,
        Command::Suspend => Some(NO_SHELL),
        Command::Import if model.page == Page::Book => Some(NO_BOOK),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::exporting::Written;
    use crate::app::keymap::KEYS;
    use crate::app::refusal::barred;
    use crate::app::{Effect, Key, Msg, Settings, Size, Turn, update};
    use crate::domain::Timestamp;

    fn visit() -> Model {
        let size = Size { width: 120, height: 36 };
        let mut model = Model::new(Settings::sample(), size, Timestamp::from_millis(1_790_000_000_000));
        model.visit = true;
        model
    }

    #[test]
    fn what_a_visit_lacks_is_said_by_key_and_by_name() {
        let mut model = visit();
        assert_eq!(barred(&model, Command::Suspend), Some(NO_SHELL));
        assert_eq!(update(&mut model, Msg::Key(Key::ctrl('z'))), []);
        assert_eq!(model.notice.as_deref(), Some(NO_SHELL));
        model.page = Page::Book;
        assert_eq!(barred(&model, Command::Import), Some(NO_BOOK));
        // At a terminal of one's own none of it is kept back.
        model.visit = false;
        assert!(KEYS.iter().all(|binding| refusal(&model, binding.command).is_none()));
    }

    #[test]
    fn rows_go_through_the_visitors_own_terminal_and_what_is_said_of_it_is_true() {
        let mut model = visit();
        model.exports.under_way = Some((0, 3));
        let turn = Turn(0);
        model.exports.turn = turn;
        let text = "id,amount\r\n1,2\r\n".to_owned();
        let result = Ok(Written::Text { rows: 1, text: text.clone() });
        assert_eq!(update(&mut model, Msg::Exported { turn, result }), [Effect::Copy(text)]);
        let said = model.notice.clone().unwrap();
        assert!(said.contains("1 rows, 16 bytes") && said.contains("it does not say"), "{said}");
        assert_eq!(model.exports.under_way, None);
    }
}
