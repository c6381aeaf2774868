//! The Overview as a page.

use super::layout;
use crate::app::forms;
use crate::app::input::keymap::Command;
use crate::app::model::Model;
use crate::app::pages::holdings;
use crate::app::pages::page::PageLogic;
use crate::app::pages::page::view::PageView;
use crate::app::screen::{Area, Arrangement, Pane};

pub(in crate::app) struct OverviewLogic;

impl PageView for OverviewLogic {}

impl PageLogic for OverviewLogic {
    fn arrange(&self, model: &Model, body: Area) -> Arrangement {
        layout::arrange(model, body)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the page decides nothing about other commands")]
    fn availability(&self, model: &Model, command: Command) -> Option<Result<(), String>> {
        match command {
            Command::Change if model.pages.overview.wallets.selected().is_none() => {
                Some(Err("select the wallet to change first".into()))
            }
            Command::Change => Some(forms::check_can_open(model)),
            Command::Receive => Some(Ok(())),
            Command::Hidden if model.focus() != Pane::Recent => {
                Some(holdings::check_suspicious(&model.pages.overview.balances.all))
            }
            _ => None,
        }
    }
}
