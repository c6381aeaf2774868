//! Rows that are changed while others are read, and what stays said of them.

use crossterm::event::KeyCode;

use super::*;
use crate::app::forms::form_state::FormState;
use crate::app::forms::tests::model;
use crate::app::request_id::RequestId;
use crate::domain::draft::batch::TokenHint;
use crate::domain::{Operation, TokenKey};

fn checked_row(number: usize) -> CheckedRow {
    let row = RecipientRow { address: format!("0x{number}"), amount: "1".into(), ..RecipientRow::default() };
    CheckedRow { row, recipient: None, verdict: RowVerdict { status: RowStatus::New, message: String::new() } }
}

/// The rows are read or checked.
fn apply_checked_rows(rows: &mut BatchRows, request_id: u64, checked_rows: Vec<CheckedRow>, file: Option<BatchFile>) {
    let checked_batch = CheckedBatch { rows: checked_rows, file, notes: Vec::new(), total: None, findings: Vec::new() };
    rows.apply_check_result(RequestId(request_id), Ok(checked_batch));
}

fn payroll_file() -> BatchFile {
    BatchFile { name: "payroll.csv".into(), sha256: "ab12".into() }
}

/// Rows of a file that was read and checked.
fn rows_from_file(count: usize) -> BatchRows {
    let pending_check =
        Some(PendingCheck { request_id: RequestId(1), unread_source: Some(RowSource::File("payroll.csv".into())) });
    let mut rows = BatchRows { pending_check, ..BatchRows::default() };
    apply_checked_rows(&mut rows, 1, (0..count).map(checked_row).collect(), Some(payroll_file()));
    assert!(!rows.is_check_pending() && rows.count() == count && rows.file.is_some());
    rows
}

fn press(rows: &mut BatchRows, code: KeyCode) -> Result<(), String> {
    rows.handle_key(code.into()).unwrap()
}

/// Types address, amount and label, and what comes of the last Enter.
fn type_row(rows: &mut BatchRows, address: &str) -> Result<(), String> {
    for letter in address.chars() {
        press(rows, KeyCode::Char(letter)).unwrap();
    }
    press(rows, KeyCode::Enter).unwrap();
    press(rows, KeyCode::Char('2')).unwrap();
    press(rows, KeyCode::Enter).unwrap();
    press(rows, KeyCode::Enter)
}

/// A file's rows must neither lose one to a row that was begun before they came, nor take its place.
#[test]
fn a_row_that_is_typed_while_a_file_is_read_comes_behind_its_rows() {
    let pending_check =
        Some(PendingCheck { request_id: RequestId(1), unread_source: Some(RowSource::File("payroll.csv".into())) });
    let mut rows = BatchRows { pending_check, ..BatchRows::default() };
    press(&mut rows, KeyCode::Char('a')).unwrap();
    assert!(type_row(&mut rows, "0xnew").unwrap_err().contains("still being read"));
    apply_checked_rows(&mut rows, 1, (0..200).map(checked_row).collect(), Some(payroll_file()));
    press(&mut rows, KeyCode::Enter).unwrap();
    assert_eq!(rows.count(), 201);
    assert_eq!((&*rows.checked_rows[0].row.address, &*rows.checked_rows[200].row.address), ("0x0", "0xnew"));
}

#[test]
fn nothing_is_taken_away_or_added_while_rows_are_read() {
    let mut rows = rows_from_file(2);
    rows.paste("0xa,1\n0xb,2").unwrap();
    // Not asked yet: wallet or token are missing.
    assert!(rows.paste("0xc,1\n0xd,2").unwrap_err().contains("choose wallet and token"));
    let more = rows.unread_source.take();
    rows.pending_check = Some(PendingCheck { request_id: RequestId(2), unread_source: more });
    for result in [press(&mut rows, KeyCode::Char('x')), press(&mut rows, KeyCode::Enter), rows.paste("0xc,1\n0xd,2")] {
        assert!(result.unwrap_err().contains("still being read"));
    }
    assert_eq!((rows.count(), rows.editing.is_none(), rows.unread_source.is_none()), (2, true, true));
    apply_checked_rows(&mut rows, 2, (0..4).map(checked_row).collect(), None);
    assert_eq!(rows.count(), 4);
    // What is typed is not given up for lines, but what is empty is.
    press(&mut rows, KeyCode::Char('a')).unwrap();
    press(&mut rows, KeyCode::Char('0')).unwrap();
    assert!(rows.paste("0xc,1\n0xd,2").unwrap_err().contains("finish the row"));
    press(&mut rows, KeyCode::Backspace).unwrap();
    assert_eq!(rows.paste("0xc,1\n0xd,2"), Ok(()));
}

#[test]
fn a_row_that_is_finished_while_others_are_checked_is_checked_with_them_anew() {
    let mut rows = rows_from_file(2);
    rows.pending_check = Some(PendingCheck { request_id: RequestId(2), unread_source: None });
    press(&mut rows, KeyCode::Char('a')).unwrap();
    type_row(&mut rows, "0xnew").unwrap();
    apply_checked_rows(&mut rows, 2, (0..2).map(checked_row).collect(), Some(payroll_file()));
    assert_eq!((rows.count(), rows.needs_check, rows.pending_check.is_none()), (3, true, true));
    assert_eq!(rows.file, None);
    // An answer to an older question is none.
    rows.pending_check = Some(PendingCheck { request_id: RequestId(3), unread_source: None });
    apply_checked_rows(&mut rows, 2, Vec::new(), None);
    assert_eq!((rows.count(), rows.pending_check.is_some()), (3, true));
}

#[test]
fn what_was_being_read_when_the_form_was_closed_is_read_when_it_is_taken_up() {
    let more = Some(RowSource::File("payroll.csv".into()));
    let mut rows = BatchRows {
        pending_check: Some(PendingCheck { request_id: RequestId(1), unread_source: more.clone() }),
        ..BatchRows::default()
    };
    rows.resume();
    assert_eq!((rows.pending_check.is_none(), &rows.unread_source), (true, &more));
    // The answer to the former question comes late.
    apply_checked_rows(&mut rows, 1, vec![checked_row(0)], None);
    assert_eq!((rows.count(), &rows.unread_source), (0, &more));
}

/// The review names a file only for what the file says.
#[test]
fn rows_that_are_changed_are_no_files_any_more_and_rows_that_are_only_looked_at_are() {
    let mut rows = rows_from_file(3);
    for _ in 0..4 {
        press(&mut rows, KeyCode::Enter).unwrap();
    }
    assert_eq!((rows.file.as_ref(), rows.needs_check), (Some(&payroll_file()), false));
    press(&mut rows, KeyCode::Char('x')).unwrap();
    assert_eq!((rows.file.as_ref(), rows.needs_check), (None, true));
    let mut rows = rows_from_file(3);
    press(&mut rows, KeyCode::Enter).unwrap();
    type_row(&mut rows, "7").unwrap();
    assert_eq!((rows.file.as_ref(), &*rows.checked_rows[0].row.address), (None, "0x07"));
}

#[test]
fn a_row_that_fails_does_not_pass_by_being_looked_at() {
    let mut rows = rows_from_file(2);
    rows.checked_rows[0].row.fault = Some("4 values under 3 columns".into());
    rows.checked_rows[1].row.token_hint = TokenHint { token: "USDT".into(), ..TokenHint::default() };
    let before = rows.to_rows();
    rows.selected_index = 0;
    for _ in 0..8 {
        press(&mut rows, KeyCode::Enter).unwrap();
    }
    assert_eq!(rows.to_rows(), before);
    // Nor by another address: it is a row of that token still.
    rows.selected_index = 1;
    press(&mut rows, KeyCode::Enter).unwrap();
    type_row(&mut rows, "7").unwrap();
    assert_eq!(&rows.checked_rows[1].row.token_hint.token, "USDT");
}

#[test]
fn another_token_has_the_rows_checked_anew() {
    let model = model();
    let mut form = FormState::new(Operation::Batch);
    form.batch_rows = rows_from_file(1);
    let usdc = TokenKey::new("ethereum", Some("0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"));
    form.selection.token = Some(usdc);
    update_row_context(&model, &mut form);
    form.batch_rows.needs_check = false;
    update_row_context(&model, &mut form);
    assert!(!form.batch_rows.needs_check);
    // The same chain, digits and form of addresses.
    form.selection.token = Some(TokenKey::new("ethereum", Some("0xdac17f958d2ee523a2206206994597c13d831ec7")));
    update_row_context(&model, &mut form);
    assert!(form.batch_rows.needs_check);
}
