//! The Overview as a page.

use super::layout;
use crate::app::data::queries;
use crate::app::forms;
use crate::app::input::keymap::Command;
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::overlays::receive;
use crate::app::pages::holdings;
use crate::app::pages::page::PageLogic;
use crate::app::pages::page::view::PageView;
use crate::app::screen::{Area, Arrangement};

pub(in crate::app) struct OverviewLogic;

impl PageView for OverviewLogic {}

impl PageLogic for OverviewLogic {
    fn arrange(&self, model: &Model, body: Area) -> Arrangement {
        layout::arrange(model, body)
    }

    fn query_rows(&self, model: &mut Model) -> Vec<Effect> {
        let mut effects = vec![queries::query_accounts(model)];
        effects.extend(queries::query_overview_lists(model));
        effects
    }

    fn query_balances(&self, model: &mut Model) -> Vec<Effect> {
        std::iter::once(queries::query_holdings(model)).chain(queries::query_total(model)).collect()
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the page decides nothing about other commands")]
    fn availability(&self, model: &Model, command: Command) -> Option<Result<(), String>> {
        match command {
            Command::Change if model.pages.overview.wallets.selected().is_none() => {
                Some(Err("select the wallet to change first".into()))
            }
            Command::Change => Some(forms::check_can_open(model)),
            Command::Receive => Some(Ok(())),
            Command::Hidden => Some(holdings::check_suspicious(&model.pages.overview.balances.all)),
            _ => None,
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other commands mean here what they mean elsewhere")]
    fn run_command(&self, model: &mut Model, command: Command) -> Option<Vec<Effect>> {
        match command {
            Command::Change => Some(forms::open_wallet_change(model)),
            Command::Receive => Some(receive::open_receive(model)),
            Command::Hidden => Some(holdings::toggle_suspicious(model)),
            _ => None,
        }
    }
}
