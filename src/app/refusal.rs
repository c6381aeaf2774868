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
        Command::Change => match model.page {
            Page::Overview if model.wallets.selected().is_none() => say("select the wallet to change first"),
            Page::Users if model.users.selected().is_none() => say("select the user to change first"),
            Page::Overview | Page::Users => forms::may_open(model).err(),
            _ => {
                let pages = (Page::Overview.digit(), Page::Users.digit());
                Some(format!("wallets are on page {}, users on page {}; select one there, then e", pages.0, pages.1))
            }
        },
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
        Command::Hidden => {
            let held = match model.page {
                Page::Overview => &model.balances.all,
                Page::Users => &model.users.all_held,
                _ => {
                    let pages = (Page::Overview.digit(), Page::Users.digit());
                    return Some(format!("balances are on pages {} and {}", pages.0, pages.1));
                }
            };
            (!held.iter().any(|holding| holding.suspicious)).then(|| "nothing is hidden here".to_owned())
        }
        Command::Simulate => match mode {
            Mode::Receive(_) => panes::receive::refusal(model).map(str::to_owned),
            _ => say("a deposit is simulated where a wallet's address is shown: select the wallet, then a"),
        },
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
