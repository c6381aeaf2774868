//! The Users page as a page.

use super::layout;
use crate::app::data::queries;
use crate::app::forms;
use crate::app::input::keymap::Command;
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::pages::holdings;
use crate::app::pages::page::PageLogic;
use crate::app::pages::page::view::PageView;
use crate::app::screen::{Area, Arrangement};

pub(in crate::app) struct UsersLogic;

impl PageView for UsersLogic {}

impl PageLogic for UsersLogic {
    fn arrange(&self, model: &Model, body: Area) -> Arrangement {
        layout::arrange(model, body)
    }

    fn query_rows(&self, model: &mut Model) -> Vec<Effect> {
        [Some(queries::query_users(model)), queries::query_user_details(model)].into_iter().flatten().collect()
    }

    fn query_balances(&self, model: &mut Model) -> Vec<Effect> {
        queries::query_user_details(model).into_iter().collect()
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the page decides nothing about other commands")]
    fn availability(&self, model: &Model, command: Command) -> Option<Result<(), String>> {
        match command {
            Command::Change if model.pages.users.selected().is_none() => {
                Some(Err("select the user to change first".into()))
            }
            Command::Change => Some(forms::check_can_open(model)),
            Command::Hidden => Some(holdings::check_suspicious(&model.pages.users.all_holdings)),
            _ => None,
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other commands mean here what they mean elsewhere")]
    fn run_command(&self, model: &mut Model, command: Command) -> Option<Vec<Effect>> {
        match command {
            Command::Change => Some(forms::open_user_change(model)),
            Command::Hidden => Some(holdings::toggle_suspicious(model)),
            _ => None,
        }
    }
}
