//! Why an action is unavailable now: one source for the key pressed and for the palette, which lists every action.

use super::keymap::Command;
use super::keys::choice;
use crate::app::model::{Mode, Model, Page};
use crate::app::overlays::copying::copy;
use crate::app::overlays::{chart, directory_record, export, naming, receive};
use crate::app::pages::book;
use crate::app::pages::overview::balances::grouping::BalanceGrouping;
use crate::app::pages::registry::page_logic;
use crate::app::screen::Pane;
use crate::app::session::{lock, veil, visit};
use crate::app::{forms, pages};

const NO_CHANGES: &str = "nothing arrived or changed while you were away";

/// Whether the pane in focus shows sums of balances.
fn is_grouped(model: &Model, mode: &Mode) -> bool {
    matches!(mode, Mode::Browse)
        && model.focus() == Pane::Balances
        && model.pages.overview.balances.grouping != BalanceGrouping::TokenAndChain
}

/// Why a command is refused in every mode: the veil is on, paying is locked, or visits may not use it.
pub(in crate::app) fn global_refusal(model: &Model, command: Command) -> Option<&'static str> {
    let veiled = (model.session.veil.is_on() && !veil::allows_command(command)).then_some(veil::VEILED_MESSAGE);
    veiled.or_else(|| lock::refusal(model, command)).or_else(|| visit::refusal(model, command))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "most commands are never refused")]
pub(in crate::app) fn refusal(model: &Model, mode: &Mode, command: Command) -> Option<String> {
    let say = |words: &str| Some(words.to_owned());
    if let Some(why) = global_refusal(model, command) {
        return say(why);
    }
    if let Some(of_page) = page_logic(model.page).availability(model, command) {
        return of_page.err();
    }
    match command {
        Command::Acknowledge => say("what needs you is on page !"),
        Command::Mute => say("the watches are on page !"),
        Command::Name => book::page::check_can_change(model).err().or_else(|| naming::refusal(model, mode)),
        Command::Remove => Some(format!("entries of the address book are on page {}", Page::Book.digit())),
        Command::WithdrawV1 if !model.console.preferences.v1 => {
            say("version 1 is not used: the profile sets versions = [\"v2\"]")
        }
        Command::Batch if !model.console.preferences.v2 => {
            say("version 1 has no batches, and the profile does not enable version 2")
        }
        Command::Withdraw | Command::WithdrawV1 | Command::Batch | Command::New | Command::Swap => {
            forms::check_can_open(model).err()
        }
        Command::Drafts => forms::drafts_refusal(model),
        Command::PayAgain => forms::pay_again_refusal(model, mode),
        Command::SaveTemplate => {
            forms::check_can_open(model).err().or_else(|| forms::templates::save_refusal(model, mode))
        }
        Command::Change => Some(format!(
            "wallets are on page {}, users on page {}; select one there, then press e",
            Page::Overview.digit(),
            Page::Users.digit()
        )),
        Command::Order(action) => pages::orders::action_refusal(model, mode, action),
        Command::Zoom | Command::NextPane | Command::PreviousPane if model.page.panes().len() == 1 => {
            say("this page already has one pane")
        }
        Command::Sort if !matches!(model.focus(), Pane::Recent | Pane::History | Pane::Balances | Pane::Holdings) => {
            say("only balances, transactions, orders and the Book can be sorted")
        }
        Command::Group if model.focus() != Pane::Balances => {
            say("only the balances of the Overview are summed: Tab goes there")
        }
        Command::Copy | Command::Chart if is_grouped(model, mode) => {
            say("this row is a sum of balances: open it, then choose one")
        }
        Command::Hidden if model.focus().history_list().is_some() => {
            let hides_nothing = model.focused_history().is_some_and(|history| {
                !history.shows_poison && model.data.charts.folded_rows(&history.query) == Some(0)
            });
            hides_nothing.then(|| "nothing is hidden here".to_owned())
        }
        Command::Hidden => {
            Some(format!("balances are on pages {} and {}", Page::Overview.digit(), Page::Users.digit()))
        }
        Command::Simulate if matches!(mode, Mode::Receive(_)) => receive::simulation_refusal(model).map(str::to_owned),
        Command::Simulate => {
            say("a deposit is simulated where a wallet's address is shown: select the wallet, then press a")
        }
        Command::Receive => Some(format!(
            "wallets are on page {}; select one there, then press a for its address",
            Page::Overview.digit()
        )),
        Command::NextChange | Command::PreviousChange
            if model.session.absence.changes_while_away().is_none_or(|(_, missed)| missed.rows.is_empty()) =>
        {
            say(NO_CHANGES)
        }
        Command::ListChanges if model.session.absence.row_changes().is_none() => say(NO_CHANGES),
        Command::Open if !matches!(mode, Mode::Browse) => say("this is open already"),
        Command::Open => choice::no_details_message(model).map(str::to_owned),
        Command::Details if directory_record::facts::subject_scope(model, mode).is_none() => {
            say("select an account, a wallet, or a row that names one")
        }
        Command::Mark if model.focused_history().is_none() => say("only transactions can be marked"),
        Command::Export => export::focused_list::refusal(model, mode),
        Command::Raw if !matches!(mode, Mode::Detail { .. }) => say("open a transaction first: Enter"),
        Command::Copy => copy::refusal(model, mode).map(str::to_owned),
        Command::Chart if !matches!(mode, Mode::Chart(_)) => chart::no_chart_reason(model).map(str::to_owned),
        Command::Mark if model.focused_history().is_some_and(|history| history.listing.count().number() == 0) => {
            say("no transactions are shown here")
        }
        Command::Pause if model.data.progress.complete => say("the initial sync is complete"),
        _ => None,
    }
}
