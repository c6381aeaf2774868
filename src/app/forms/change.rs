//! Changes of a wallet or of a user. An empty field leaves its value unchanged.

use super::create::{build_user, optional_field_text, parse_yes_no};
use super::field::FieldId;
use super::form_state::FormState;
use crate::app::model::Model;
use crate::app::orders;
use crate::app::pages::Tone;
use crate::domain::draft::{Draft, Operation, UserChange, WalletChange};
use crate::domain::{State, Text, UserId};

/// The hint of an empty field: the current value, if known.
pub(super) fn field_hint(model: &Model, form: &FormState, slot: FieldId) -> Option<(String, Tone)> {
    if !form.value(slot).is_empty() {
        return None;
    }
    let field_text = |text: Option<&Text>| text.map(Text::to_string);
    let yes = |on: bool| if on { "yes" } else { "no" }.to_owned();
    let (wallet, user) = (form.selection.wallet.as_ref(), form.selection.user.as_ref());
    let now = match (form.operation, slot) {
        (Operation::UpdateWallet, FieldId::Name) => field_text(wallet?.name.as_ref()),
        (Operation::UpdateWallet, FieldId::Owner) => wallet?.user.as_ref().map(|user| orders::user_name(model, user)),
        (Operation::UpdateWallet, FieldId::IsActive) => wallet?.state.as_ref().map(|state| yes(*state == State::Live)),
        (Operation::UpdateWallet, FieldId::AutoSweep) => wallet?.auto_sweep.map(yes),
        (_, FieldId::Name) => field_text(user?.display_name.as_ref()),
        (_, FieldId::Email) => field_text(user?.email.as_ref()),
        (_, FieldId::Reference) => field_text(user?.ref_id.as_ref()),
        _ => return None,
    };
    let now = now.map_or_else(|| "current value not known".to_owned(), |now| format!("now {now}"));
    Some((format!("{now}; empty keeps it"), Tone::Dim))
}

/// The draft of the form; an error comes with the field to correct.
pub(super) fn build_draft(form: &FormState) -> Result<Draft, (FieldId, String)> {
    let nothing = || (FieldId::Name, "nothing would change: fill in at least one field".to_owned());
    if form.is_empty() {
        return Err(nothing());
    }
    let missing_error = |noun: &str| (FieldId::Name, format!("close this form and select the {noun} again"));
    if form.operation == Operation::UpdateWallet {
        let wallet = form.selection.wallet.as_ref().ok_or_else(|| missing_error("wallet"))?;
        return Ok(Draft::UpdateWallet(WalletChange {
            wallet: wallet.id.clone(),
            user: optional_field_text(form, FieldId::Owner)?.map(|user| UserId::from_text(&user)),
            name: optional_field_text(form, FieldId::Name)?,
            is_active: parse_yes_no(form, FieldId::IsActive),
            auto_sweep: parse_yes_no(form, FieldId::AutoSweep),
        }));
    }
    let user = form.selection.user.as_ref().ok_or_else(|| missing_error("user"))?;
    Ok(Draft::UpdateUser(UserChange { user: user.id.clone(), to: build_user(form)? }))
}
