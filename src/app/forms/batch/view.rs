//! ```text
//!  USDC from ops-base on Base · payroll.csv
//!  200 recipients · 1 fail · the others 12,345.5 USDC · 37 new
//!  line  recipient                                          amount
//! ▌   2  0x3f2A…                          (in full)          12.50  ✓ new
//!     3  0x9c1D…                                              1.00  ✗ fails
//!        + add a row (a)
//!  line 3 · Ada: the checksum does not match: a character was…
//!  [ Review ]  [ Clear form ]
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{CheckedRow, RowEditor, RowStatus, batch_payer_heading, recipients_summary};
use crate::app::forms::field::FieldId;
use crate::app::forms::field::view::{LABEL_WIDTH, draw_input};
use crate::app::forms::form_state::view as fields;
use crate::app::forms::form_state::{Focus, FormState};
use crate::app::model::Model;
use crate::app::pages::view::tone_style;
use crate::domain::address::ShortAddresses;
use crate::domain::text::wrap;
use crate::ui::chrome::{self, PaneTitle};
use crate::ui::{Row, Theme, paint};

/// Width of the row number.
const ROW_NUMBER_WIDTH: u16 = 6;
const AMOUNT_WIDTH_RANGE: (u16, u16) = (6, 24);
const ADDRESS_WIDTH_RANGE: (u16, u16) = (11, 44);
/// Width left for the verdict.
const VERDICT_WIDTH: u16 = 10;
/// Lines below the list for the verdict of the selected row.
const VERDICT_LINES: u16 = 3;
/// Lines below the row being edited for its fault.
const EDIT_ERROR_LINES: u16 = 2;

/// The form of a batch: its fields while one of them has the focus, and always the recipients.
pub fn view(model: &Model, theme: &Theme, form: &FormState, active: bool, area: Rect, buf: &mut Buffer) {
    let buttons = Rect { y: area.bottom().saturating_sub(1), height: 1.min(area.height), ..area };
    let error_lines = form
        .error
        .as_ref()
        .map(|form_error| wrap(&format!("✗ {form_error}"), area.width.saturating_sub(2)))
        .unwrap_or_default();
    let below = u16::try_from(error_lines.len()).unwrap_or(0).min(3);
    let mut rest = Rect { height: area.height.saturating_sub(1 + below), ..area };
    for (y, error_line) in (rest.bottom()..buttons.y).zip(&error_lines) {
        paint::put(buf, area.x + 1, y, area.width.saturating_sub(2), error_line, theme.bad);
    }
    if matches!(form.focus, Focus::Field(_)) {
        // The list keeps a few lines, so that it stays visible.
        let list = if form.batch_rows.count() == 0 { 2 } else { 5 };
        let above = Rect { height: rest.height.saturating_sub(list), ..rest };
        let height = fields::draw_fields(model, theme, form, active, above, buf);
        rest = Rect { y: rest.y + height, height: rest.height - height, ..rest };
    } else if rest.height > 0 {
        paint::put(buf, rest.x + 1, rest.y, rest.width.saturating_sub(2), &batch_payer_heading(form), theme.title);
        rest = Rect { y: rest.y + 1, height: rest.height - 1, ..rest };
    }
    draw_recipients(theme, form, active, rest, buf);
    fields::draw_buttons(theme, form, active, buttons, buf);
}

fn draw_recipients(theme: &Theme, form: &FormState, active: bool, area: Rect, buf: &mut Buffer) {
    if area.height == 0 {
        return;
    }
    let focused = active && form.focus == Focus::Rows;
    let (summary, meaning) = recipients_summary(form);
    let lines = wrap(&summary, area.width.saturating_sub(2));
    let most = usize::from(area.height.min(3));
    for (y, line) in (area.y..).zip(lines.iter().take(most)) {
        let style = if focused { theme.accent } else { tone_style(theme, meaning) };
        paint::put(buf, area.x + 1, y, area.width.saturating_sub(2), line, style);
    }
    let height = u16::try_from(lines.len().min(most)).unwrap_or(area.height);
    let area = Rect { y: area.y + height, height: area.height - height, ..area };
    let below = match (&form.batch_rows.editing, form.focus) {
        (Some(editing), _) => 4 + u16::from(editor_error(editing).is_some()) * EDIT_ERROR_LINES,
        (None, Focus::Rows) => VERDICT_LINES,
        _ => 0,
    };
    let below = below.min(area.height);
    let rows = Rect { height: area.height - below, ..area };
    draw_recipient_table(theme, form, focused, rows, buf);
    let under = Rect { y: rows.bottom(), height: below, ..area };
    match &form.batch_rows.editing {
        Some(editing) => draw_row_editor(theme, form, editing, under, buf),
        None => draw_selected_verdict(theme, form, under, buf),
    }
}

fn draw_recipient_table(theme: &Theme, form: &FormState, focused: bool, area: Rect, buf: &mut Buffer) {
    if area.height < 2 || (form.batch_rows.count() == 0 && !focused) {
        return;
    }
    let columns = Columns::fit_rows(form, area.width);
    let at = |x: u16| area.x + 1 + x;
    let place = if has_line_numbers(form) { "line" } else { "row" };
    for (x, room, title) in [(0, ROW_NUMBER_WIDTH, place), (ROW_NUMBER_WIDTH, columns.address, "recipient")] {
        paint::put(buf, at(x), area.y, room, title, theme.dim);
    }
    paint::put_right(buf, at(columns.amount_right_edge()), area.y, columns.amount, "amount", theme.dim);
    let rows = Rect { y: area.y + 1, height: area.height - 1, ..area };
    let short = ShortAddresses::new(form.batch_rows.checked_rows.iter().map(|checked| checked.row.address.as_str()));
    // The selected row stays in view.
    let height = usize::from(rows.height);
    let first = (form.batch_rows.selected_index + 1).saturating_sub(height);
    let count = form.batch_rows.count();
    for (nth, index) in (0..rows.height).zip(first..=count) {
        let selected = focused && index == form.batch_rows.selected_index;
        let row = Row::new(buf, theme, rows, nth, selected, focused);
        match form.batch_rows.checked_rows.get(index) {
            Some(checked) => draw_row(theme, checked, &short, &short_row_name(form, index), &columns, row, buf),
            None if focused => {
                let message =
                    if form.has_field(FieldId::File) { "+ add a row (a)" } else { "+ add a row (a), or paste several" };
                paint::put(buf, row.x + ROW_NUMBER_WIDTH, row.y, 40, message, row.style_over(theme.dim));
            }
            None => {}
        }
    }
}

/// Column widths by the contents of all rows, so that columns do not move while the list is scrolled.
struct Columns {
    address: u16,
    amount: u16,
}

impl Columns {
    fn fit_rows(form: &FormState, width: u16) -> Self {
        let rows = &form.batch_rows.checked_rows;
        let widest = |width: fn(&CheckedRow) -> u16| rows.iter().map(width).max().unwrap_or(0);
        let amount =
            widest(|row| paint::text_width(&format_row_amount(row))).clamp(AMOUNT_WIDTH_RANGE.0, AMOUNT_WIDTH_RANGE.1);
        let room = width.saturating_sub(ROW_NUMBER_WIDTH + 1 + amount + 2 + VERDICT_WIDTH);
        let address =
            widest(|row| paint::text_width(&row.row.address)).clamp(ADDRESS_WIDTH_RANGE.0, ADDRESS_WIDTH_RANGE.1);
        Self { address: address.min(room).max(ADDRESS_WIDTH_RANGE.0), amount }
    }

    fn amount_right_edge(&self) -> u16 {
        ROW_NUMBER_WIDTH + self.address + 1 + self.amount
    }
}

fn format_row_amount(checked: &CheckedRow) -> String {
    checked.recipient.as_ref().map_or_else(|| checked.row.amount.clone(), |(_, amount)| amount.format_grouped())
}

fn has_line_numbers(form: &FormState) -> bool {
    form.batch_rows.checked_rows.iter().any(|checked| checked.row.line.is_some())
}

/// How messages name a row: by its line in the file, else by its number in the list.
fn row_name(form: &FormState, index: usize) -> String {
    let line = form.batch_rows.checked_rows.get(index).and_then(|checked| checked.row.line);
    line.map_or_else(|| format!("row {}", index + 1), |line| format!("line {line}"))
}

/// The short form for the list; a plus marks a row that was added to those of a file, since its number is no line.
fn short_row_name(form: &FormState, index: usize) -> String {
    let line = form.batch_rows.checked_rows.get(index).and_then(|checked| checked.row.line);
    let added = if has_line_numbers(form) { "+" } else { "" };
    line.map_or_else(|| format!("{added}{}", index + 1), |line| line.to_string())
}

fn draw_row(
    theme: &Theme,
    checked: &CheckedRow,
    short: &ShortAddresses,
    place: &str,
    columns: &Columns,
    row: Row,
    buf: &mut Buffer,
) {
    paint::put_right(buf, row.x + ROW_NUMBER_WIDTH - 2, row.y, ROW_NUMBER_WIDTH - 2, place, row.style_over(theme.dim));
    let whole = &checked.row.address;
    let address_text = if paint::text_width(whole) <= columns.address { whole.clone() } else { short.shorten(whole) };
    paint::put(buf, row.x + ROW_NUMBER_WIDTH, row.y, columns.address, &address_text, row.base);
    paint::put_right(
        buf,
        row.x + columns.amount_right_edge(),
        row.y,
        columns.amount,
        &format_row_amount(checked),
        row.base,
    );
    let x = row.x + columns.amount_right_edge() + 2;
    let (mark, style) = status_mark(theme, checked.verdict.status);
    let text = if checked.row.label.is_empty() { checked.verdict.message.as_str() } else { checked.row.label.as_str() };
    let room = row.right.saturating_sub(x);
    let width = paint::put(buf, x, row.y, room, mark, row.style_over(style)) + 1;
    paint::put(buf, x + width, row.y, room.saturating_sub(width), text, row.style_over(theme.dim));
}

fn status_mark(theme: &Theme, word: RowStatus) -> (&'static str, Style) {
    match word {
        RowStatus::Valid => ("✓", theme.good),
        RowStatus::New => ("✓ new", theme.text),
        RowStatus::Caution => ("! caution", theme.warn),
        RowStatus::Danger => ("▲ danger", theme.bad),
        RowStatus::Invalid => ("✗ fails", theme.bad),
    }
}

fn draw_selected_verdict(theme: &Theme, form: &FormState, area: Rect, buf: &mut Buffer) {
    let Some(checked) = form.batch_rows.checked_rows.get(form.batch_rows.selected_index) else { return };
    let place = row_name(form, form.batch_rows.selected_index);
    let details = [&checked.row.label, &checked.row.reference].into_iter().filter(|detail| !detail.is_empty());
    let label = details.fold(String::new(), |text, detail| text + " · " + detail);
    let (_, style) = status_mark(theme, checked.verdict.status);
    let message = match (&checked.verdict.message, checked.verdict.status) {
        (message, _) if !message.is_empty() => message.as_str(),
        (_, RowStatus::New) => {
            "this console never paid this address; compare it with the address that the recipient gave you"
        }
        _ if form.batch_rows.is_check_pending() => "this row is being checked",
        _ => "no findings for this row",
    };
    let message = format!("{place}{label}: {message}");
    for (y, line) in (area.y..area.bottom()).zip(wrap(&message, area.width.saturating_sub(2))) {
        paint::put(buf, area.x + 1, y, area.width.saturating_sub(2), &line, style);
    }
}

fn editor_error(editing: &RowEditor) -> Option<&str> {
    editing.fields.iter().find_map(|field| field.error.as_deref())
}

fn draw_row_editor(theme: &Theme, form: &FormState, editing: &RowEditor, area: Rect, buf: &mut Buffer) {
    if area.height == 0 {
        return;
    }
    let title = match editing.index {
        Some(index) => format!("Editing {}", row_name(form, index)),
        None => "Adding a row".to_owned(),
    };
    let notes = vec![("Enter on the label saves, Esc cancels".to_owned(), theme.dim)];
    chrome::draw_rule(buf, Rect { height: 1, ..area }, &PaneTitle { title, notes, focused: true }, theme);
    for (index, (y, field)) in (area.y + 1..area.bottom()).zip(&editing.fields).enumerate() {
        let focused = index == editing.focused_index;
        let style = if focused { theme.accent } else { theme.dim };
        if focused {
            paint::put(buf, area.x, y, 1, "▌", theme.accent);
        }
        paint::put(buf, area.x + 1, y, LABEL_WIDTH, field.id.label(), style);
        let x = area.x + 1 + LABEL_WIDTH;
        let values = Rect { x, y, width: area.right().saturating_sub(x + 1), height: 1 };
        draw_input(buf, theme, values, &field.input, focused);
    }
    let error_lines = editor_error(editing).map(|error| wrap(&format!("✗ {error}"), area.width.saturating_sub(2)));
    for (y, line) in (area.y + 4..area.bottom()).zip(error_lines.unwrap_or_default()) {
        paint::put(buf, area.x + 1, y, area.width.saturating_sub(2), &line, theme.bad);
    }
}
