//! Why an action is unavailable now: one source for the key pressed and for the palette, which lists every action.

use super::keymap::{Command, binding_of};
use super::keys::choice;
use crate::app::model::{Mode, Model};
use crate::app::overlays::copying::copy;
use crate::app::overlays::{directory_record, export, naming, receive};
use crate::app::pages::book;
use crate::app::pages::registry::{page_logic, pane_logic};
use crate::app::session::{lock, veil, visit};
use crate::app::{forms, pages};

const NO_CHANGES: &str = "nothing arrived or changed while you were away";

/// Why a command is refused in every mode: the veil is on, paying is locked, or visits may not use it.
pub(in crate::app) fn session_refusal(model: &Model, command: Command) -> Option<&'static str> {
    let veiled = (model.session.veil.is_on() && !veil::allows_command(command)).then_some(veil::VEILED_MESSAGE);
    veiled.or_else(|| lock::command_refusal(model, command)).or_else(|| visit::command_refusal(model, command))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the table of keys says where other commands are of use")]
pub(in crate::app) fn refusal(model: &Model, mode: &Mode, command: Command) -> Option<String> {
    let say = |reason: &str| Some(reason.to_owned());
    if let Some(refusal_reason) = session_refusal(model, command) {
        return say(refusal_reason);
    }
    let of_pane = pane_logic(model.focus()).availability(model, mode, command);
    if let Some(availability) = of_pane.or_else(|| page_logic(model.page).availability(model, command)) {
        return availability.err();
    }
    match command {
        Command::Name => book::page::check_can_change(model).err().or_else(|| naming::refusal(model, mode)),
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
        Command::Order(command) => pages::orders::command_refusal(model, mode, command),
        Command::Zoom | Command::NextPane | Command::PreviousPane if model.page.panes().len() == 1 => {
            say("this page already has one pane")
        }
        Command::Simulate if matches!(mode, Mode::Receive(_)) => receive::simulation_refusal(model).map(str::to_owned),
        Command::NextChange | Command::PreviousChange
            if model.session.absence.changes_while_away().is_none_or(|(_, changes)| changes.rows.is_empty()) =>
        {
            say(NO_CHANGES)
        }
        Command::ListChanges if model.session.absence.row_changes().is_none() => say(NO_CHANGES),
        Command::Open if !matches!(mode, Mode::Browse) => say("this is open already"),
        Command::Open => choice::no_details_message(model).map(str::to_owned),
        Command::Details if directory_record::facts::selected_or_open_scope(model, mode).is_none() => {
            say("select an account, a wallet, or a row that names one")
        }
        Command::Export => export::focused_list::export_refusal(model, mode),
        Command::Raw if matches!(mode, Mode::Detail { .. }) => None,
        Command::Copy => copy::refusal(model, mode).map(str::to_owned),
        Command::Pause if model.data.progress.complete => say("the initial sync is complete"),
        _ => binding_of(command).and_then(|binding| binding.refusal.clone()),
    }
}
