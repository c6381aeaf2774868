//! A draft written to a file, and a form filled in from one.

use crate::app::forms::batch::BatchRows;
use crate::app::forms::field::FieldId;
use crate::app::forms::form_state::FormState;
use crate::app::forms::lookups::Picked;
use crate::app::forms::open::{check_can_open, show_form};
use crate::app::forms::pay_again;
use crate::app::forms::payer;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::overlays::import::{self, ImportKind};
use crate::domain::address::is_same_address;
use crate::domain::chain::is_same_chain;
use crate::domain::draft::batch::RecipientRow;
use crate::domain::draft_file::{DraftFile, DraftPayer, DraftRecipient};
use crate::domain::{Operation, Text, TokenKey, Wallet};

/// What a draft hands on; `None` for what is neither a payment nor a batch.
pub(super) fn draft_file_of_form(form: &FormState) -> Option<DraftFile> {
    let value = |slot| form.value(slot).to_owned();
    let mut file = DraftFile::new(form.operation).filter(|_| form.follow_up.is_none())?;
    let wallet = form.selection.wallet.as_ref();
    let text = |text: Option<&Text>| text.map_or_else(String::new, ToString::to_string);
    file.payer = DraftPayer {
        wallet: value(FieldId::Wallet),
        address: text(wallet.and_then(|wallet| wallet.address.as_ref())),
        blockchain: text(wallet.map(|wallet| &wallet.blockchain)),
        token: value(FieldId::Token),
        contract: text(form.selection.token.as_ref().and_then(|token| token.contract.as_ref())),
    };
    (file.recipient, file.amount) = (value(FieldId::Recipient), value(FieldId::Amount));
    (file.note, file.reference) = (value(FieldId::Note), value(FieldId::Reference));
    (file.memo, file.fee) = (value(FieldId::Memo), value(FieldId::Fee));
    let recipient = |row: &RecipientRow| DraftRecipient {
        address: row.address.clone(),
        amount: row.amount.clone(),
        label: row.label.clone(),
        reference: row.reference.clone(),
    };
    file.recipients = form.batch_rows.checked_rows.iter().map(|checked| recipient(&checked.row)).collect();
    Some(file)
}

/// Opens the form that a file fills in, or shows why not. Whoever closed the prompt meanwhile is not interrupted.
pub(in crate::app) fn apply_draft_file(model: &mut Model, result: Result<DraftFile, String>) -> Vec<Effect> {
    if !matches!(&model.mode, Mode::Import(prompt) if prompt.is_busy && prompt.kind == ImportKind::Draft) {
        return Vec::new();
    }
    let opened = result.and_then(|file| {
        check_can_open(model)?;
        pay_again::check_version(model, file.operation())?;
        let recipients = file.recipients.iter().map(|row| &row.address).chain([&file.recipient]);
        recipients.map(|to| Text::clean(to)).try_for_each(|to| pay_again::check_no_look_alike(model, &to))?;
        Ok(filled_form(model, &file))
    });
    match opened {
        Ok(form) => {
            let effects = show_form(model, form);
            model.notice = Some("filled in from the file, and judged as new".into());
            effects
        }
        Err(reason) => {
            import::show_import_errors(model, "opened", reason.into());
            Vec::new()
        }
    }
}

fn filled_form(model: &Model, file: &DraftFile) -> FormState {
    let mut form = FormState::new(file.operation());
    let DraftPayer { wallet, address, blockchain, token, contract } = &file.payer;
    let is_payer = |candidate: &&Wallet| {
        !address.is_empty()
            && is_same_chain(&candidate.blockchain, blockchain)
            && candidate.address.as_ref().is_some_and(|known_address| is_same_address(known_address, address))
    };
    let payer = model.pages.overview.wallets.rows().iter().map(|candidate| &candidate.entry).find(is_payer).cloned();
    if let Some(payer) = payer {
        let key = TokenKey {
            blockchain: payer.blockchain.clone(),
            contract: (!contract.is_empty()).then(|| Text::clean(contract)),
        };
        form.apply_choice(FieldId::Wallet, &payer::wallet_name(&payer), Picked::Wallet(Box::new(payer)));
        let picked = if token.is_empty() { Picked::TextOnly } else { Picked::Token(key) };
        form.apply_choice(FieldId::Token, token, picked);
    } else {
        let text = if address.is_empty() { wallet } else { address };
        form.apply_choice(FieldId::Wallet, text, Picked::TextOnly);
        form.apply_choice(FieldId::Token, token, Picked::TextOnly);
    }
    for (slot, text) in [
        (FieldId::Recipient, &file.recipient),
        (FieldId::Amount, &file.amount),
        (FieldId::Note, &file.note),
        (FieldId::Reference, &file.reference),
        (FieldId::Memo, &file.memo),
        (FieldId::Fee, &file.fee),
    ] {
        if form.has_field(slot) {
            form.apply_choice(slot, text, Picked::TextOnly);
        }
    }
    if !file.recipients.is_empty() && form.operation == Operation::Batch {
        let row = |DraftRecipient { address, amount, label, reference }: &DraftRecipient| RecipientRow {
            address: address.clone(),
            amount: amount.clone(),
            label: label.clone(),
            reference: reference.clone(),
            ..RecipientRow::default()
        };
        form.batch_rows = BatchRows::unchecked(file.recipients.iter().map(row));
    }
    form
}
