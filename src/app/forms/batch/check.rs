//! The rows of a batch are read and checked, and become a draft.

use super::rows::{BatchRows, PendingCheck};
use super::{BatchCheck, CheckedBatch, RowSource, RowStatus};
use crate::app::forms::chains::request_chain_name;
use crate::app::forms::field::FieldId;
use crate::app::forms::form_state::{Focus, FormState};
use crate::app::forms::lookups::{FieldChoice, Picked};
use crate::app::forms::payer::{self, CheckedValue};
use crate::app::forms::stages::{form_and_last_request_id, form_mut};
use crate::app::forms::withdraw;
use crate::app::input::path_completions::{PathKind, folder_of};
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::pages::Tone;
use crate::app::request_id::RequestId;
use crate::domain::chain::chain_display_name;
use crate::domain::draft::Batch;
use crate::domain::{Amount, Draft, Metadata, Sender};
use crate::guard::{Rule, Severity};

pub(in crate::app::forms) fn check_field(
    model: &Model,
    form: &mut FormState,
    slot: FieldId,
) -> Result<CheckedValue, String> {
    if slot != FieldId::File {
        return withdraw::check_field(model, form, slot);
    }
    let path = form.value(FieldId::File).to_owned();
    if path.is_empty() || form.batch_rows.read_path.as_ref() == Some(&path) {
        return Ok(None);
    }
    if form.selection.wallet.is_none() || form.selection.token.is_none() {
        return Err("choose wallet and token first: each row is checked against them".into());
    }
    form.batch_rows.check_editable()?;
    form.batch_rows.read_path = Some(path.clone());
    form.batch_rows.unread_source = Some(RowSource::File(path));
    Ok(None)
}

pub(in crate::app::forms) fn field_choices(model: &Model, form: &FormState, slot: FieldId) -> Vec<FieldChoice> {
    if slot == FieldId::File {
        return path_choices(&form.batch_rows, form.value(slot));
    }
    withdraw::field_choices(model, form, slot)
}

fn path_choices(rows: &BatchRows, typed: &str) -> Vec<FieldChoice> {
    let candidates = rows.path_completions.candidates(typed);
    // A complete path needs no completion.
    if (typed.is_empty() && rows.start_folder.is_empty()) || candidates.contains(&typed) {
        return Vec::new();
    }
    let choice = |path: &str| {
        let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path).to_owned();
        let about = if path.ends_with('/') { "folder" } else { "file" };
        FieldChoice { text: path.to_owned(), name, detail: about.to_owned(), picked: Picked::TextOnly }
    };
    candidates.into_iter().map(choice).collect()
}

pub(in crate::app::forms) fn field_hint(model: &Model, form: &FormState, slot: FieldId) -> Option<(String, Tone)> {
    if slot != FieldId::File {
        return withdraw::field_hint(model, form, slot);
    }
    if form.value(slot).is_empty() {
        let hint = "a CSV file with the header address,amount[,label,reference]; or leave it empty and type rows";
        return Some((hint.to_owned(), Tone::Dim));
    }
    let rows = &form.batch_rows;
    match (&rows.file, rows.notes.is_empty()) {
        _ if rows.is_check_pending() => Some(("reading the file…".into(), Tone::Dim)),
        (Some(file), true) => {
            Some((format!("{} rows · SHA-256 {}", rows.count(), short_hash(&file.sha256)), Tone::Dim))
        }
        (Some(_), false) => Some((format!("{} rows; {}", rows.count(), rows.notes.join("; ")), Tone::Warn)),
        (None, _) if rows.count() > 0 && rows.read_path.as_deref() == Some(form.value(slot)) => {
            let hint = "the rows were changed after the file was read; the order will not name the file as its source";
            Some((hint.to_owned(), Tone::Warn))
        }
        (None, _) => None,
    }
}

fn short_hash(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

/// The path completion and the check of rows that are due.
pub(in crate::app::forms) fn start_due_lookups(form: &mut FormState, request_id: &mut RequestId) -> Vec<Effect> {
    let mut effects = Vec::new();
    if form.focused_field() == Some(FieldId::File) {
        let typed = form.value(FieldId::File);
        let prefix = if typed.is_empty() { form.batch_rows.start_folder.clone() } else { typed.to_owned() };
        let completions = &mut form.batch_rows.path_completions;
        if completions.prefix.as_ref() != Some(&prefix) {
            let request_id = completions.start(&prefix, request_id);
            effects.push(Effect::CompletePath { prefix, kind: PathKind::Tables, request_id });
        }
    }
    let is_due = form.batch_rows.pending_check.is_none()
        && (form.batch_rows.unread_source.is_some() || form.batch_rows.needs_check);
    if let Some((batch, sender)) = batch_without_recipients(form).filter(|_| is_due) {
        let (request_id, more) = (request_id.advance(), form.batch_rows.unread_source.take());
        form.batch_rows.pending_check = Some(PendingCheck { request_id, unread_source: more.clone() });
        form.batch_rows.needs_check = false;
        let checking = BatchCheck {
            batch,
            sender,
            family: form.batch_rows.family,
            rows: form.batch_rows.to_rows(),
            unread_source: more,
        };
        effects.push(Effect::CheckBatch { check: Box::new(checking), request_id });
    }
    effects
}

/// The batch of the form without recipients, and its payer.
fn batch_without_recipients(form: &FormState) -> Option<(Batch, Sender)> {
    let wallet = form.selection.wallet.as_ref()?;
    let holding = payer::chosen_holding(form)?;
    let decimals = form.batch_rows.decimals?;
    let batch = Batch {
        wallet: wallet.id.clone(),
        blockchain: form.batch_rows.blockchain.clone()?,
        token: holding.symbol.clone(),
        to: Vec::new(),
        ref_id: None,
        note: None,
        file: form.batch_rows.file.clone(),
        metadata: Metadata::default(),
        queue: None,
    };
    Some((batch, payer::build_sender(wallet, holding, Amount::zero(decimals))))
}

/// Updates what rows are checked against: token, fraction digits, address format, and the chain's name in requests.
pub(in crate::app::forms) fn update_row_context(model: &Model, form: &mut FormState) {
    if model.console.is_visit {
        // A visitor has no files. `File` is the last field, so the indices of the others stay.
        form.fields.retain(|field| field.id != FieldId::File);
    }
    form.batch_rows.start_folder.clone_from(&model.overlays.last_folder);
    let (token, decimals) = (form.selection.token.clone(), payer::chosen_token_decimals(model, form));
    let wallet = form.selection.wallet.as_ref();
    let family = wallet.and_then(|wallet| payer::wallet_address_family(model, wallet));
    let blockchain = wallet.map(|wallet| request_chain_name(model, &wallet.blockchain));
    let rows = &mut form.batch_rows;
    if (&token, decimals, family, &blockchain) != (&rows.token, rows.decimals, rows.family, &rows.blockchain) {
        (rows.token, rows.decimals, rows.family, rows.blockchain) = (token, decimals, family, blockchain);
        rows.needs_check |= rows.count() > 0 || rows.pending_check.is_some();
    }
}

/// The draft of the form; an error comes with where to put the cursor.
pub(in crate::app::forms) fn build_draft(form: &FormState) -> Result<(Draft, Sender), (Focus, String)> {
    let rows = &form.batch_rows;
    let at = |error: String| (Focus::Rows, error);
    if rows.is_check_pending() {
        return Err(at("the rows are still being checked; press the key again".into()));
    }
    if let Some(rows_error) = &rows.error {
        return Err(at(rows_error.clone()));
    }
    if rows.count() == 0 {
        let how = if form.has_field(FieldId::File) { "enter a file" } else { "paste rows" };
        return Err(at(format!("there are no recipients: {how}, or press a to add a row")));
    }
    let failures = rows.count_with_status(RowStatus::Invalid);
    if failures > 0 {
        let rows = if failures == 1 { "1 row fails".to_owned() } else { format!("{failures} rows fail") };
        return Err(at(format!("{rows}: correct or remove every failed row before you send")));
    }
    let (batch, sender) = batch_without_recipients(form).ok_or_else(|| at("choose wallet and token first".into()))?;
    let total = rows.total.ok_or_else(|| at("the total is too large for any token".into()))?;
    let note = withdraw::parse_note(form).map_err(|error| (form.field_focus(FieldId::Note), error))?;
    let ref_id = withdraw::parse_reference(form).map_err(|error| (form.field_focus(FieldId::Reference), error))?;
    if let Some(limit) = rows.findings.iter().find(|finding| finding.rule == Rule::Batch)
        && limit.severity == Severity::Stop
    {
        return Err(at(limit.message.clone()));
    }
    let to = rows.checked_rows.iter().filter_map(|row| Some(row.recipient.as_ref()?.0.clone())).collect();
    Ok((Draft::Batch(Batch { to, ref_id, note, ..batch }), Sender { amount: total, ..sender }))
}

pub(in crate::app::forms) fn recipients_summary(form: &FormState) -> (String, Tone) {
    let rows = &form.batch_rows;
    if rows.is_check_pending() {
        return ("the rows are being read and checked…".into(), Tone::Warn);
    }
    if let Some(rows_error) = &rows.error {
        return (rows_error.clone(), Tone::Bad);
    }
    if rows.count() == 0 {
        return ("no recipients yet".into(), Tone::Dim);
    }
    let symbol = payer::chosen_holding(form).map_or("", |holding| holding.symbol.as_str());
    let total = rows.total.map_or_else(|| "more than can be counted".to_owned(), Amount::format_grouped);
    let mut parts =
        vec![if rows.count() == 1 { "1 recipient".to_owned() } else { format!("{} recipients", rows.count()) }];
    // A failed row is in no sum: the total is that of the others.
    match rows.count_with_status(RowStatus::Invalid) {
        0 => parts.push(format!("{total} {symbol}")),
        failures if failures == rows.count() => parts.push(format!("{failures} fail")),
        failures => parts.extend([format!("{failures} fail"), format!("the others {total} {symbol}")]),
    }
    let stand = [(RowStatus::Danger, "danger"), (RowStatus::Caution, "caution"), (RowStatus::New, "new")];
    let stand = stand
        .into_iter()
        .map(|(word, meaning)| (rows.count_with_status(word), meaning))
        .filter(|(number, _)| *number > 0);
    parts.extend(stand.map(|(number, meaning)| format!("{number} {meaning}")));
    // Stated once for the file, not for each row: missing checksums usually affect the whole file.
    let unsummed = rows.findings.iter().find(|finding| finding.rule == Rule::Checksum);
    let places = unsummed.and_then(|finding| finding.message.split_once(": ")).map(|(places, _)| places);
    parts.extend(places.map(|places| {
        let places = if places.starts_with("All ") { "all".to_owned() } else { lowercase_first(places) };
        format!("{places} without checksum")
    }));
    let parts = parts.join(" · ");
    let stops = rows.findings.iter().find(|finding| finding.severity == Severity::Stop);
    match stops {
        Some(finding) => (format!("{parts} · {}", finding.message), Tone::Bad),
        None if rows.count_with_status(RowStatus::Invalid) > 0 => (parts, Tone::Bad),
        None => (parts, Tone::Text),
    }
}

fn lowercase_first(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map(|first| first.to_lowercase().chain(rest).collect()).unwrap_or_default()
}

/// The line above the list while the list has the focus: token, wallet, chain and file.
pub(in crate::app::forms) fn batch_payer_heading(form: &FormState) -> String {
    let wallet = form.selection.wallet.as_ref();
    let name = wallet.map_or_else(|| "no wallet chosen".to_owned(), payer::wallet_name);
    let chain = wallet.map_or("", |wallet| chain_display_name(&wallet.blockchain));
    let token = payer::chosen_holding(form).map_or("no token chosen", |holding| holding.symbol.as_str());
    let file = form.batch_rows.file.as_ref().map_or_else(String::new, |file| format!(" · {}", file.name));
    format!("{token} from {name} on {chain}{file}")
}

/// Takes the result of a check; rows that were changed meanwhile are checked next.
pub(in crate::app) fn apply_check_result(
    model: &mut Model,
    request_id: RequestId,
    result: Result<CheckedBatch, String>,
) -> Vec<Effect> {
    let Some(form) = form_mut(model) else { return Vec::new() };
    let mut folder = None;
    if let Some(reason) = form.state.batch_rows.apply_check_result(request_id, result) {
        show_file_error(&mut form.state, reason);
    } else {
        let source = form.state.batch_rows.source.as_ref();
        folder = source.and_then(|(typed, _)| folder_of(typed)).map(str::to_owned);
    }
    if let Some(folder) = folder {
        model.overlays.last_folder = folder;
    }
    let Some((form, last_request_id)) = form_and_last_request_id(model) else { return Vec::new() };
    start_due_lookups(&mut form.state, last_request_id)
}

/// A file could not be read: moves the cursor to its field, unless the operator is busy elsewhere.
fn show_file_error(form: &mut FormState, reason: String) {
    let is_busy = form.batch_rows.editing.is_some()
        || !matches!(form.focused_field(), Some(FieldId::File | FieldId::Reference | FieldId::Note) | None);
    if let Some(field) = form.field_mut(FieldId::File) {
        field.error = Some(reason);
    }
    if !is_busy {
        form.batch_rows.error = None;
        form.move_focus_to(FieldId::File);
    }
}

pub(in crate::app) fn apply_path_completions(model: &mut Model, request_id: RequestId, paths: Vec<String>) {
    if let Some(form) = form_mut(model)
        && form.state.batch_rows.path_completions.apply(request_id, paths)
    {
        form.state.highlighted_index = None;
    }
}
