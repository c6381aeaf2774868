//! Why an action cannot be done now: the one place that knows, for the key that is pressed and for the palette that
//! names them all.

use super::forms;
use super::keymap::Command;
use super::model::{Mode, Model, Page};
use super::panes;
use super::screen::{self, Pane};

/// Why a command does nothing where `mode` has the keys, if so.
pub(super) fn refusal(model: &Model, mode: &Mode, command: Command) -> Option<String> {
    let say = |words: &str| Some(words.to_owned());
    match command {
        Command::Withdraw | Command::New => forms::may_open(model).err(),
        Command::Order(action) => panes::orders::refusal(model, mode, action),
        Command::Zoom | Command::NextPane | Command::PreviousPane if screen::panes(model.page).len() == 1 => {
            say("this page is one pane already")
        }
        Command::Filter if matches!(model.page, Page::Markets | Page::Orders) => {
            say("nothing to filter here; / works on wallets, users, transactions and events")
        }
        Command::Sort if !matches!(model.focus(), Pane::Recent | Pane::History) => {
            say("only transactions can be put in another order")
        }
        Command::Hidden if model.page != Page::Overview => {
            Some(format!("balances are on page {}", Page::Overview.digit()))
        }
        Command::Hidden if !model.balances.all.iter().any(|holding| holding.suspicious) => {
            say("nothing is hidden here")
        }
        Command::Receive if model.page != Page::Overview => {
            Some(format!("wallets are on page {}; select one there, then a shows its address", Page::Overview.digit()))
        }
        Command::NextChange | Command::PreviousChange
            if model.away.missed().is_none_or(|(_, missed)| missed.rows.is_empty()) =>
        {
            say("nothing came or changed while you looked away")
        }
        Command::Open if !matches!(mode, Mode::Browse) => say("this is open already"),
        _ => None,
    }
}
