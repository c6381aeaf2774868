//! What needs a person, as a page.

use super::layout;
use crate::app::input::keymap::Command;
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::pages::attention;
use crate::app::pages::page::PageLogic;
use crate::app::screen::{Area, Arrangement, Pane};

pub(in crate::app) struct AttentionLogic;

impl PageLogic for AttentionLogic {
    fn arrange(&self, model: &Model, body: Area) -> Arrangement {
        layout::arrange(model, body)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the page decides nothing about other commands")]
    fn availability(&self, model: &Model, command: Command) -> Option<Result<(), String>> {
        let refusal = match command {
            Command::New | Command::Hidden => None,
            Command::Acknowledge => model.pages.attention.items.is_empty().then_some("nothing needs you"),
            Command::Change | Command::Remove | Command::Mute => {
                let is_selectable = model.focus() == Pane::Watches && model.session.watches.count() > 0;
                (!is_selectable).then_some("go to the watches with Tab, and select one")
            }
            Command::Filter => Some("what needs you has no filter, so that nothing is overlooked"),
            _ => return None,
        };
        Some(refusal.map_or(Ok(()), |reason| Err(reason.to_owned())))
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other commands mean here what they mean elsewhere")]
    fn run_command(&self, model: &mut Model, command: Command) -> Option<Vec<Effect>> {
        match command {
            Command::Acknowledge => Some(attention::toggle_acknowledgement(model)),
            Command::New => Some(attention::open_new_watch(model)),
            Command::Change => Some(attention::open_selected_watch(model)),
            Command::Remove => Some(attention::remove_watch(model)),
            Command::Mute => Some(attention::toggle_watch_mute(model)),
            Command::Hidden => {
                attention::toggle_acknowledged_rows(model);
                Some(Vec::new())
            }
            _ => None,
        }
    }
}
