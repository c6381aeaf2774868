//! The raw JSON is read on request.

use super::format_json_lines;
use super::{RAW_JSON_TITLE, RawJsonState};
use crate::app::layout::body::body_area;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::overlays::detail::transaction_lines as lines_of;
use crate::app::request_id::RequestId;
use crate::domain::Failure;

/// Requests the JSON of the open transaction; or scrolls back from it to the first line.
pub(in crate::app) fn toggle_raw_json(model: &mut Model) -> Vec<Effect> {
    let Mode::Detail { row, top } = &mut model.mode else {
        model.notice = Some("open a transaction first: Enter".into());
        return Vec::new();
    };
    if *top > 0
        && model.overlays.raw.seq == Some(row.seq)
        && matches!(model.overlays.raw.state, RawJsonState::Loaded(..))
    {
        *top = 0;
        return Vec::new();
    }
    let (seq, id, direction) = (row.seq, row.transaction.id.clone(), row.transaction.direction.clone());
    model.overlays.raw.seq = Some(seq);
    model.overlays.raw.state = RawJsonState::Loading;
    model.notice = Some("reading the transaction from the service…".into());
    vec![Effect::LoadRaw { seq, id, direction, request_id: model.overlays.raw.request_id.advance() }]
}

pub(in crate::app) fn apply_raw_json(
    model: &mut Model,
    request_id: RequestId,
    result: Result<Option<String>, Failure>,
) {
    if model.overlays.raw.request_id != request_id {
        return;
    }
    model.overlays.raw.state = match result {
        Ok(Some(text)) => RawJsonState::Loaded(format_json_lines(&text), model.now),
        Ok(None) => RawJsonState::Missing,
        Err(failure) => RawJsonState::Failed(failure),
    };
    scroll_to_raw_json(model);
}

fn scroll_to_raw_json(model: &mut Model) {
    let Mode::Detail { row, .. } = &model.mode else { return };
    if model.overlays.raw.seq != Some(row.seq) {
        return;
    }
    let lines = lines_of(model, row, body_area(model).width);
    let first = lines.iter().position(|fact| fact.name == RAW_JSON_TITLE);
    let first = first.and_then(|first| u16::try_from(first).ok());
    if let (Mode::Detail { top, .. }, Some(first)) = (&mut model.mode, first) {
        *top = first;
    }
    model.notice =
        matches!(model.overlays.raw.state, RawJsonState::Loaded(..)).then(|| "v goes back to the first line".into());
}
