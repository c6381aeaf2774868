//! Where a command is used that cannot be used where the palette was opened.

use crate::app::input::keymap::{Command, Context, binding_of, key_name};
use crate::app::input::keys;
use crate::app::input::keys::show_page;
use crate::app::model::{Mode, Model, Page};
use crate::app::msg::Effect;
use crate::app::orders::OrderCommand;
use crate::app::screen::Pane;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandHome {
    page: Page,
    pane: Pane,
    /// What the pane lists.
    pub contents: &'static str,
    /// Whether the command runs there at once. Others act on a row, which is to be seen and chosen first.
    runs: bool,
}

impl CommandHome {
    /// The home of a command, if it is not where the focus is. What sends money has none.
    pub(super) fn elsewhere(model: &Model, command: Command) -> Option<Self> {
        let home = |page, pane, contents| Self { page, pane, contents, runs: false };
        let running = |page, pane, contents| Self { runs: true, ..home(page, pane, contents) };
        let watches = home(Page::Attention, Pane::Watches, "the watches");
        let target = match (command, model.page) {
            (Command::Group, _) | (Command::Sort, Page::Overview) => {
                running(Page::Overview, Pane::Balances, "the balances")
            }
            (Command::Sort, Page::Users) => running(Page::Users, Pane::Holdings, "the balances"),
            (Command::Receive, _) => running(Page::Overview, Pane::Wallets, "the wallets"),
            (Command::PayAgain | Command::SaveTemplate, Page::Orders) => return None,
            (Command::Mark | Command::PayAgain | Command::SaveTemplate, Page::Overview) => {
                home(Page::Overview, Pane::Recent, "the transactions")
            }
            (Command::Mark | Command::PayAgain | Command::SaveTemplate, _) => {
                home(Page::Transactions, Pane::History, "the transactions")
            }
            (Command::Mute, _) | (Command::Change | Command::Remove, Page::Attention) => watches,
            (Command::Remove, _) => home(Page::Book, Pane::Book, "the address book"),
            (Command::Change, Page::Overview) => home(Page::Overview, Pane::Wallets, "the wallets"),
            (Command::Order(OrderCommand::CheckAgain | OrderCommand::Abandon | OrderCommand::WriteOff), _) => {
                home(Page::Orders, Pane::Orders, "the orders")
            }
            (command, _) if binding_of(command).is_some_and(|binding| binding.context == Context::Attention) => {
                home(Page::Attention, Pane::Attention, "what needs you")
            }
            _ => return None,
        };
        (target.page != model.page || target.pane != model.focus()).then_some(target)
    }

    /// Shows the pane, and runs the command or says what is left to do.
    pub(super) fn show(self, model: &mut Model, command: Command) -> Vec<Effect> {
        model.show_mode(Mode::Browse);
        let mut effects = if self.page == model.page { Vec::new() } else { show_page::show_page(model, self.page) };
        model.set_focus(self.pane);
        if self.runs {
            effects.extend(keys::run_command(model, command));
            return effects;
        }
        if let Some(key) = binding_of(command).and_then(|binding| binding.keys.first()) {
            model.notice = Some(format!("{}: choose a row, then press {}", self.contents, key_name(*key)));
        }
        effects
    }
}
