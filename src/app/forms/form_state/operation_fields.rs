//! The fields of each operation, and the file that checks them.

use super::{Focus, FormState};
use crate::app::forms::field::FieldId;
use crate::app::forms::lookups::{FieldChoice, Picked};
use crate::app::forms::{batch, change, create, deposit_address, simulated_deposit, swap, withdraw};
use crate::app::model::Model;
use crate::app::pages::Tone;
use crate::domain::draft::Operation;
use crate::domain::{Draft, Sender};

pub(super) fn field_choices(model: &Model, form: &FormState, slot: FieldId) -> Vec<FieldChoice> {
    match form.operation {
        Operation::Withdraw | Operation::Payment => withdraw::field_choices(model, form, slot),
        Operation::SimulateDeposit => simulated_deposit::field_choices(model, form, slot),
        Operation::CreateAddress | Operation::CreateSandboxAddress => deposit_address::field_choices(model, form, slot),
        Operation::Batch => batch::field_choices(model, form, slot),
        Operation::Swap | Operation::InstantSwap => swap::field_choices(model, form, slot),
        Operation::CreateUser
        | Operation::CreateAccount
        | Operation::CreateWallet
        | Operation::UpdateWallet
        | Operation::UpdateUser
        | Operation::CreateSubWallet => create::field_choices(model, form, slot),
    }
}

pub(super) fn field_hint(model: &Model, form: &FormState, slot: FieldId) -> Option<(String, Tone)> {
    match form.operation {
        Operation::Withdraw | Operation::Payment => withdraw::field_hint(model, form, slot),
        Operation::SimulateDeposit => simulated_deposit::field_hint(model, form, slot),
        Operation::CreateAddress | Operation::CreateSandboxAddress => deposit_address::field_hint(model, form, slot),
        Operation::UpdateWallet | Operation::UpdateUser => change::field_hint(model, form, slot),
        Operation::Batch => batch::field_hint(model, form, slot),
        Operation::Swap | Operation::InstantSwap => swap::field_hint(model, form, slot),
        Operation::CreateUser | Operation::CreateAccount | Operation::CreateWallet | Operation::CreateSubWallet => {
            create::field_hint(model, form, slot)
        }
    }
}

/// Checks a field as the cursor leaves it; returns the value to take in its place, if any.
pub(super) fn check_field(
    model: &Model,
    form: &mut FormState,
    slot: FieldId,
) -> Result<Option<(String, Picked)>, String> {
    match form.operation {
        Operation::Withdraw | Operation::Payment => withdraw::check_field(model, form, slot),
        Operation::SimulateDeposit => simulated_deposit::check_field(model, form, slot),
        Operation::CreateAddress | Operation::CreateSandboxAddress => deposit_address::check_field(model, form, slot),
        Operation::Batch => batch::check_field(model, form, slot),
        Operation::Swap | Operation::InstantSwap => swap::check_field(model, form, slot),
        Operation::CreateUser
        | Operation::CreateAccount
        | Operation::CreateWallet
        | Operation::UpdateWallet
        | Operation::UpdateUser
        | Operation::CreateSubWallet => create::check_field(model, form, slot),
    }
}

/// The draft of the form; an error comes with where to put the cursor.
pub(super) fn build_draft(model: &Model, form: &FormState) -> Result<(Draft, Option<Sender>), (Focus, String)> {
    let draft_and_sender = match form.operation {
        Operation::Withdraw | Operation::Payment => {
            withdraw::build_draft(model, form).map(|(draft, sender)| (draft, Some(sender)))
        }
        Operation::CreateUser => create::build_user(form).map(|user| (Draft::CreateUser(user), None)),
        Operation::CreateAccount => create::account_draft(form).map(|draft| (draft, None)),
        Operation::CreateWallet => create::wallet_draft(model, form).map(|draft| (draft, None)),
        Operation::UpdateWallet | Operation::UpdateUser => change::build_draft(form).map(|draft| (draft, None)),
        Operation::CreateSubWallet => create::sub_wallet_draft(form).map(|draft| (draft, None)),
        Operation::CreateAddress | Operation::CreateSandboxAddress => {
            deposit_address::build_draft(form).map(|draft| (draft, None))
        }
        Operation::SimulateDeposit => simulated_deposit::build_draft(model, form).map(|draft| (draft, None)),
        Operation::Swap | Operation::InstantSwap => {
            swap::build_draft(model, form).map(|(draft, sender)| (draft, Some(sender)))
        }
        Operation::Batch => return batch::build_draft(form).map(|(draft, sender)| (draft, Some(sender))),
    };
    draft_and_sender.map_err(|(slot, message)| (form.field_focus(slot), message))
}
