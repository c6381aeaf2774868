//! What each operation asks for: its fields, and whose file says what may stand in them.

use super::{Sheet, Stop};
use crate::app::forms::field::Slot;
use crate::app::forms::supply::{Choice, Take};
use crate::app::forms::{batch, change, create, deposit_address, simulated, swap, withdraw};
use crate::app::model::Model;
use crate::app::panes::Tone;
use crate::domain::draft::Operation;
use crate::domain::{Draft, Sender};

/// The fields of an operation.
pub(super) fn slots(operation: Operation) -> &'static [Slot] {
    match operation {
        Operation::Withdraw => &[Slot::Wallet, Slot::Token, Slot::Recipient, Slot::Amount, Slot::Note],
        Operation::CreateUser | Operation::UpdateUser => &[Slot::Name, Slot::Email, Slot::Reference],
        Operation::CreateAccount => &[Slot::Name],
        Operation::SimulateDeposit => &[Slot::Token, Slot::Amount],
        Operation::UpdateWallet => &[Slot::Name, Slot::Owner, Slot::Use, Slot::Sweep],
        Operation::CreateSubWallet => &[Slot::Name, Slot::Email, Slot::Reference, Slot::Trade],
        Operation::CreateAddress => &[Slot::Owner, Slot::Token, Slot::Chain],
        Operation::CreateWallet => &[Slot::Account, Slot::Chain, Slot::Name, Slot::Owner, Slot::Reference, Slot::Sweep],
        Operation::Payment => &[Slot::Wallet, Slot::Token, Slot::Recipient, Slot::Memo, Slot::Amount, Slot::Fee],
        Operation::CreateSandboxAddress => &[Slot::Token, Slot::Chain],
        Operation::Batch => &[Slot::Wallet, Slot::Token, Slot::Note, Slot::File],
        Operation::Swap => &[Slot::Wallet, Slot::Token, Slot::Amount, Slot::Bought, Slot::Note],
        Operation::InstantSwap => &[Slot::Wallet, Slot::Token, Slot::Amount, Slot::Bought],
    }
}

/// What may be chosen for a field.
pub(super) fn choices(model: &Model, sheet: &Sheet, slot: Slot) -> Vec<Choice> {
    match sheet.operation {
        Operation::Withdraw | Operation::Payment => withdraw::choices(model, sheet, slot),
        Operation::SimulateDeposit => simulated::choices(model, sheet, slot),
        Operation::CreateAddress | Operation::CreateSandboxAddress => deposit_address::choices(model, sheet, slot),
        Operation::Batch => batch::choices(model, sheet, slot),
        Operation::Swap | Operation::InstantSwap => swap::choices(model, sheet, slot),
        _ => create::choices(model, sheet, slot),
    }
}

/// What is said of a field while nothing is wrong with it.
pub(super) fn hint(model: &Model, sheet: &Sheet, slot: Slot) -> Option<(String, Tone)> {
    match sheet.operation {
        Operation::Withdraw | Operation::Payment => withdraw::hint(model, sheet, slot),
        Operation::SimulateDeposit => simulated::hint(model, sheet, slot),
        Operation::CreateAddress | Operation::CreateSandboxAddress => deposit_address::hint(sheet, slot),
        Operation::UpdateWallet | Operation::UpdateUser => change::hint(model, sheet, slot),
        Operation::Batch => batch::hint(model, sheet, slot),
        Operation::Swap | Operation::InstantSwap => swap::hint(model, sheet, slot),
        _ => create::hint(sheet, slot),
    }
}

/// Checks a field that is left; says what it stands for, where the words do not say it all.
pub(super) fn check(model: &Model, sheet: &mut Sheet, slot: Slot) -> Result<Option<(String, Take)>, String> {
    match sheet.operation {
        Operation::Withdraw | Operation::Payment => withdraw::check(model, sheet, slot),
        Operation::SimulateDeposit => simulated::check(model, sheet, slot),
        Operation::CreateAddress | Operation::CreateSandboxAddress => deposit_address::check(model, sheet, slot),
        Operation::Batch => batch::check(model, sheet, slot),
        Operation::Swap | Operation::InstantSwap => swap::check(model, sheet, slot),
        _ => create::check(model, sheet, slot),
    }
}

/// The draft that the form makes; an error says what is to blame, and where it stands.
pub(super) fn draft(model: &Model, sheet: &Sheet) -> Result<(Draft, Option<Sender>), (Stop, String)> {
    let drafted = match sheet.operation {
        Operation::Withdraw | Operation::Payment => {
            withdraw::draft(model, sheet).map(|(draft, sender)| (draft, Some(sender)))
        }
        Operation::CreateUser => create::person(sheet).map(|user| (Draft::CreateUser(user), None)),
        Operation::CreateAccount => create::new_account(sheet).map(|draft| (draft, None)),
        Operation::CreateWallet => create::new_wallet(model, sheet).map(|draft| (draft, None)),
        Operation::UpdateWallet | Operation::UpdateUser => change::draft(sheet).map(|draft| (draft, None)),
        Operation::CreateSubWallet => create::sub_wallet(sheet).map(|draft| (draft, None)),
        Operation::CreateAddress | Operation::CreateSandboxAddress => {
            deposit_address::draft(sheet).map(|draft| (draft, None))
        }
        Operation::SimulateDeposit => simulated::draft(model, sheet).map(|draft| (draft, None)),
        Operation::Swap | Operation::InstantSwap => {
            swap::draft(model, sheet).map(|(draft, sender)| (draft, Some(sender)))
        }
        Operation::Batch => return batch::draft(sheet).map(|(draft, sender)| (draft, Some(sender))),
    };
    drafted.map_err(|(slot, words)| (sheet.stop(slot), words))
}
