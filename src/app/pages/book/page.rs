//! The Book as a page.

use super::list::selected_entry;
use super::{entry, list};
use crate::app::forms;
use crate::app::input::keymap::Command;
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::pages::page::PageLogic;
use crate::app::screen::{Area, Arrangement, Pane};

pub(in crate::app) struct BookLogic;

impl PageLogic for BookLogic {
    fn arrange(&self, _model: &Model, body: Area) -> Arrangement {
        Arrangement::list_and_detail(Pane::Book, body)
    }

    fn rebuild_list(&self, model: &mut Model) {
        list::rebuild_list(model);
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the page decides nothing about other commands")]
    fn availability(&self, model: &Model, command: Command) -> Option<Result<(), String>> {
        match command {
            Command::New | Command::Import => Some(check_can_change(model)),
            Command::Change | Command::Remove => Some(check_can_change_selected(model)),
            Command::Sort => Some(Ok(())),
            _ => None,
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other commands mean here what they mean elsewhere")]
    fn run_command(&self, model: &mut Model, command: Command) -> Option<Vec<Effect>> {
        match command {
            Command::New => entry::open_add_form(model),
            Command::Change => entry::open_edit_form(model),
            Command::Remove => entry::open_removal_form(model),
            Command::Sort => cycle_sort(model),
            Command::Withdraw if selected_entry(model).is_some() => return Some(forms::open_contact_payment(model)),
            _ => return None,
        }
        Some(Vec::new())
    }
}

/// Why the address book cannot be changed.
pub(in crate::app) fn check_can_change(model: &Model) -> Result<(), String> {
    if let Some(reason) = &model.console.read_only {
        return Err(format!("this console is read-only: {reason}"));
    }
    if let Some(failure) = &model.pages.book.failure {
        return Err(format!("the address book cannot be read: {failure}"));
    }
    if !model.pages.book.is_loaded {
        return Err("the address book is still being read".into());
    }
    Ok(())
}

fn check_can_change_selected(model: &Model) -> Result<(), String> {
    check_can_change(model)?;
    let is_selected = model.pages.book.listing.selected_key().is_some();
    if is_selected { Ok(()) } else { Err("select the entry first".into()) }
}

fn cycle_sort(model: &mut Model) {
    model.pages.book.sort = model.pages.book.sort.next_sort();
    model.notice = Some(format!("address book sorted by {}", model.pages.book.sort.label()));
}
