//! Exports of a visit: what goes to the terminal's clipboard is known before it goes.

use crossterm::event::KeyCode;

use super::run::open_form;
use super::*;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::{Msg, Settings, Size, update};
use crate::domain::{ExportFormat, Failure, FailureReason, Timestamp};

/// The form of a visit, open over a list of three, and the question that it asks.
fn open_visit_export() -> (Model, RequestId) {
    let size = Size { width: 120, height: 36 };
    let mut model = Model::new(Settings::sample(), size, Timestamp::from_millis(1_790_000_000_000));
    model.console.is_visit = true;
    let effects = open_form(&mut model, "3 transactions".into(), ExportRows::Marked(vec![-1, -2, -3]));
    let request_id = requested_export(effects, ExportFormat::Csv.into());
    (model, request_id)
}

fn requested_export(mut effects: Vec<Effect>, expected: FileFormat) -> RequestId {
    match effects.pop() {
        Some(Effect::Export { target: ExportTarget::Clipboard, format, request_id, .. }) if format == expected => {
            request_id
        }
        other => panic!("{other:?}"),
    }
}

fn press(model: &mut Model, code: KeyCode) -> Vec<Effect> {
    update(model, Msg::Key(code.into()))
}

fn deliver_clipboard_text(
    model: &mut Model,
    request_id: RequestId,
    rows: u64,
    bytes: usize,
    text: Option<&str>,
) -> Vec<Effect> {
    let clip = ClipboardText { rows, bytes, text: text.map(str::to_owned) };
    update(model, Msg::ExportProgress { request_id, result: Ok(ExportProgress::Clipboard(clip)) })
}

fn is_open(model: &Model) -> bool {
    matches!(model.mode, Mode::Export(_))
}

#[test]
fn what_is_sent_is_what_was_counted_and_what_is_said_of_it_is_true() {
    let (mut model, request_id) = open_visit_export();
    assert_eq!(deliver_clipboard_text(&mut model, request_id, 1, 16, Some("id,amount\r\n1,2\r\n")), []);
    assert!(is_open(&model) && model.notice.is_none(), "nothing is sent before somebody wants it");
    assert_eq!(press(&mut model, KeyCode::Enter), [Effect::Copy("id,amount\r\n1,2\r\n".into())]);
    let message = model.notice.clone().unwrap();
    assert!(message.starts_with("1 row, 16 bytes, ") && message.contains("does not confirm receipt"), "{message}");
    assert!(!is_open(&model));
    assert_eq!(model.overlays.exports.progress, None);
}

#[test]
fn whoever_is_faster_than_the_count_need_not_press_the_key_again() {
    let (mut model, request_id) = open_visit_export();
    assert_eq!(press(&mut model, KeyCode::Enter), []);
    assert_eq!(deliver_clipboard_text(&mut model, request_id, 3, 4, Some("text")), [Effect::Copy("text".into())]);
}

#[test]
fn too_much_is_told_by_the_form_alone_and_nothing_is_sent() {
    let (mut model, request_id) = open_visit_export();
    assert_eq!(press(&mut model, KeyCode::Enter), []);
    assert_eq!(deliver_clipboard_text(&mut model, request_id, 900, 82_110, None), []);
    assert_eq!(press(&mut model, KeyCode::Enter), []);
    assert!(is_open(&model));
    assert_eq!((&model.notice, model.pages.events.all().len()), (&None, 0), "it is said once, where it is asked");
    // In the other form it may be less: that is counted anew.
    let other = requested_export(press(&mut model, KeyCode::Tab), ExportFormat::Json.into());
    assert_eq!(
        deliver_clipboard_text(&mut model, request_id, 900, 10, Some("late")),
        [],
        "what is of the form before is dropped"
    );
    assert_eq!(deliver_clipboard_text(&mut model, other, 900, 40_000, Some("json")), []);
    assert_eq!(press(&mut model, KeyCode::Enter), [Effect::Copy("json".into())]);
    assert_eq!(model.overlays.exports.format, FileFormat::Table(ExportFormat::Json));
}

#[test]
fn what_is_closed_sends_nothing_and_what_fails_says_why() {
    let (mut model, request_id) = open_visit_export();
    press(&mut model, KeyCode::Enter);
    assert_eq!(press(&mut model, KeyCode::Esc), [Effect::StopExport]);
    assert_eq!(deliver_clipboard_text(&mut model, request_id, 3, 4, Some("text")), []);
    assert_eq!(model.notice, None);
    let (mut model, request_id) = open_visit_export();
    let result = Err(Failure::from_read(FailureReason::Local, "the disk is full"));
    assert_eq!(update(&mut model, Msg::ExportProgress { request_id, result }), []);
    let Mode::Export(form) = &model.mode else { panic!("it is closed") };
    assert_eq!(form.error.as_deref(), Some("the disk is full"));
}
