//! The page's own commands.

use super::entry;
use super::list::selected_entry;
use crate::app::forms;
use crate::app::input::keymap::Command;
use crate::app::model::{Mode, Model, Page};
use crate::app::msg::Effect;
use crate::app::overlays::record::AnyRecord;

/// Whether a command has a meaning of its own on the Book page.
pub(in crate::app) fn handles_command(model: &Model, command: Command) -> bool {
    let of_page = matches!(command, Command::New | Command::Change | Command::Remove | Command::Sort)
        || command == Command::Withdraw && selected_entry(model).is_some();
    model.page == Page::Book && of_page
}

#[expect(clippy::wildcard_enum_match_arm, reason = "run_in_browse_mode names every command")]
pub(in crate::app) fn run_page_command(model: &mut Model, command: Command) -> Vec<Effect> {
    match command {
        Command::New => entry::open_add_form(model),
        Command::Change => entry::open_edit_form(model),
        Command::Remove => entry::open_removal_form(model),
        Command::Sort => switch_sort(model),
        Command::Withdraw => return forms::open_contact_payment(model),
        _ => {}
    }
    Vec::new()
}

fn switch_sort(model: &mut Model) {
    model.pages.book.sort = model.pages.book.sort.next_sort();
    model.notice = Some(format!("address book sorted by {}", model.pages.book.sort.label()));
}

/// Opens the details of the selected entry; where none is selected, selects the first one instead.
pub(in crate::app) fn open_selected_entry(model: &mut Model) -> Vec<Effect> {
    if !model.pages.book.listing.select_first_visible()
        && let Some(line) = model.pages.book.listing.selected()
    {
        model.show_mode(Mode::Record { record: Box::new(AnyRecord::Contact(line.clone())), top: 0 });
    }
    Vec::new()
}
