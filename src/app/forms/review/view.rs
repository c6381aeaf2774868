//! ```text
//!  DEMO testnet  Harbour Trading · http://127.0.0.1
//!  Amount      1,200 USDT
//!  To          0x 3f2A 9c1D …                       (in full)
//!  ▲ DANGER    …
//!  From        eth-main
//!  …
//!  ── To send, type ──────────────────────────────────────────
//!  the amount, in digits                1200▏
//!  the 5th group of four of the recipient
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::facts::{self, ReviewLine};
use super::{ConfirmationPrompt, Review, ReviewPurpose, ReviewStatus};
use crate::app::forms::field::view::draw_input;
use crate::app::layout::body::body_area;
use crate::app::model::Model;
use crate::app::pages::Tone;
use crate::app::pages::view::tone_style;
use crate::app::screen::is_too_small;
use crate::domain::Network;
use crate::domain::text::wrap;
use crate::ui::chrome::{self, PaneTitle};
use crate::ui::{Theme, paint};

/// Width of the labels.
const NAME_WIDTH: u16 = 12;

/// Lines of the other facts that must fit on screen beside the key facts: room for the gravest findings.
const MIN_FINDING_LINES: usize = 3;

/// Lines left to the other facts once the operator scrolls, where key facts could take more room.
const MIN_READING_LINES: usize = 6;

/// Whether the key facts, the gravest findings and the prompts fit on screen. Where not, nothing can be confirmed.
pub fn has_room_for_review(model: &Model, review: &Review) -> bool {
    !is_too_small(model.size)
        && height_of(model, &facts::key_facts(model, review)) <= room_for_key_facts(model, review, MIN_FINDING_LINES)
}

/// Lines left to the other facts where more key facts than required could be shown: room for the gravest findings, or
/// for reading once the operator has scrolled.
pub(super) fn lines_for_other_facts(review: &Review) -> usize {
    if review.scroll_top == 0 { MIN_FINDING_LINES } else { MIN_READING_LINES }
}

/// The lines that key facts may take above `others` lines and the prompts.
pub(super) fn room_for_key_facts(model: &Model, review: &Review, others: usize) -> usize {
    let area = body_area(model);
    let below = build_prompt_rows(model, review, area.width, true).len();
    // The title of the form and the environment take a line each.
    usize::from(area.height).saturating_sub(2 + others + below)
}

/// How many lines of the screen these facts take.
pub(super) fn height_of(model: &Model, facts: &[ReviewLine]) -> usize {
    wrap_lines(facts, value_width(model)).len()
}

/// The columns of the values.
pub(super) fn value_width(model: &Model) -> u16 {
    body_area(model).width.saturating_sub(NAME_WIDTH + 2)
}

/// The lines by which a key scrolls the middle part, and the last line that may be at its top.
pub fn scroll_step_and_limit(model: &Model, review: &Review) -> (u16, u16) {
    // The middle part is between the key facts and the prompts. A page overlaps by a line, so that none is skipped.
    let area = body_area(model);
    let height = area.height.saturating_sub(2);
    let columns = area.width.saturating_sub(NAME_WIDTH + 2);
    let above = wrap_lines(&facts::key_facts(model, review), columns).len();
    let below = build_prompt_rows(model, review, area.width, has_room_for_review(model, review)).len();
    let middle = usize::from(height).saturating_sub(above + below);
    let total = wrap_lines(&facts::other_facts(model, review), columns).len();
    let page = u16::try_from(middle.saturating_sub(1)).unwrap_or(1).max(1);
    (page, u16::try_from(total.saturating_sub(middle)).unwrap_or(u16::MAX))
}

/// The review: key facts above, prompts below, and everything else scrolling between them.
pub fn view(model: &Model, theme: &Theme, review: &Review, area: Rect, buf: &mut Buffer) {
    if area.height == 0 {
        return;
    }
    draw_environment(model, theme, review, Rect { height: 1, ..area }, buf);
    let area = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    let columns = area.width.saturating_sub(NAME_WIDTH + 2);
    let foremost = wrap_lines(&facts::key_facts(model, review), columns);
    let prompt_rows = build_prompt_rows(model, review, area.width, has_room_for_review(model, review));
    let below = u16::try_from(prompt_rows.len()).unwrap_or(area.height).min(area.height);
    let above = u16::try_from(foremost.len()).unwrap_or(area.height).min(area.height - below);
    for (y, fact) in (area.y..area.y + above).zip(&foremost) {
        draw_review_line(theme, fact, true, Rect { y, height: 1, ..area }, buf);
    }
    let others = wrap_lines(&facts::other_facts(model, review), columns);
    let total = u16::try_from(others.len()).unwrap_or(u16::MAX);
    // The prompts follow directly below the facts.
    let middle = Rect { y: area.y + above, height: (area.height - below - above).min(total), ..area };
    let top = review.scroll_top.min(total.saturating_sub(middle.height));
    for (y, fact) in (middle.y..middle.bottom()).zip(others.iter().skip(usize::from(top))) {
        draw_review_line(theme, fact, false, Rect { y, height: 1, ..middle }, buf);
    }
    let hidden = (total > middle.height).then(|| {
        let last = top.saturating_add(middle.height).min(total);
        format!("lines {}–{last} of {total}, PgDn PgUp", top + 1)
    });
    let free = area.height - below - above - middle.height;
    let prompts_top = middle.bottom() + free.min(1);
    for (y, row) in (prompts_top..area.bottom()).zip(&prompt_rows) {
        draw_prompt_row(theme, review, row, hidden.as_deref(), Rect { y, height: 1, ..area }, buf);
    }
}

/// The line of the environment, from the same destination that the request is sent to.
fn draw_environment(model: &Model, theme: &Theme, review: &Review, area: Rect, buf: &mut Buffer) {
    let to = &review.order.drafted.destination;
    let (label, style) = match to.environment {
        Some(Network::Mainnet) => ("PRODUCTION mainnet".to_owned(), theme.production),
        Some(network) if model.console.identity.demo => (format!("DEMO {network}"), theme.testing),
        Some(Network::Testnet) => ("testnet".to_owned(), theme.testing),
        None => ("environment not set".to_owned(), theme.production),
    };
    let mut x = area.x + 1;
    x += paint::put(buf, x, area.y, area.width, &format!(" {label} "), style) + 1;
    let destination = format!("{} · {}", to.profile, to.base_url);
    paint::put(buf, x, area.y, area.right().saturating_sub(x + 1), &destination, theme.text);
}

fn wrap_lines(facts: &[ReviewLine], columns: u16) -> Vec<ReviewLine> {
    let mut lines = Vec::new();
    for fact in facts {
        if fact.is_monospaced {
            lines.push(fact.clone());
            continue;
        }
        let mut name = fact.name;
        for value in wrap(&fact.value, columns.max(8)) {
            lines.push(ReviewLine { name: std::mem::take(&mut name), value, ..fact.clone() });
        }
    }
    lines
}

fn draw_review_line(theme: &Theme, fact: &ReviewLine, loud: bool, area: Rect, buf: &mut Buffer) {
    let meaning = tone_style(theme, fact.tone);
    let grave = fact.name.chars().next().is_some_and(|first| !first.is_ascii());
    let name = if grave { meaning } else { theme.dim };
    let value = if loud && fact.tone != Tone::Dim { theme.title_focused } else { meaning };
    paint::put(buf, area.x + 1, area.y, NAME_WIDTH, fact.name, name);
    let room = area.width.saturating_sub(NAME_WIDTH + 2);
    paint::put(buf, area.x + 1 + NAME_WIDTH, area.y, room, &fact.value, value);
}

enum PromptRow<'a> {
    /// The rule above it, with the instruction.
    Rule(String),
    Text(String, bool),
    /// An input line, and whether it has the focus.
    InputLine(&'a ConfirmationPrompt, bool),
}

fn build_prompt_rows<'a>(model: &Model, review: &'a Review, width: u16, has_room: bool) -> Vec<PromptRow<'a>> {
    let mut rows = Vec::new();
    let is_stopped = review.is_stopped();
    let title = match (&review.status, review.time_until_armed(model.now)) {
        (ReviewStatus::Sending, _) => match review.purpose {
            ReviewPurpose::Send | ReviewPurpose::Release { .. } => "Sending",
            ReviewPurpose::Propose { .. } | ReviewPurpose::Approve { .. } => "Signing",
        },
        (ReviewStatus::NotSent(_), _) => review.purpose.undone_label(),
        (ReviewStatus::Waiting, _) if is_stopped => match review.purpose {
            ReviewPurpose::Approve { .. } => "This cannot be approved",
            ReviewPurpose::Send | ReviewPurpose::Propose { .. } | ReviewPurpose::Release { .. } => {
                "This cannot be sent"
            }
        },
        (ReviewStatus::Waiting, _) if !has_room => "Window too small: enlarge it",
        (ReviewStatus::Waiting, Some(_)) => "Read it; keys work in a second",
        (ReviewStatus::Waiting, None) if review.had_early_keys => "Keys came too early and were ignored; type now",
        (ReviewStatus::Waiting, None) if review.prompts.is_empty() => "Ready",
        (ReviewStatus::Waiting, None) => match review.purpose {
            ReviewPurpose::Send | ReviewPurpose::Release { .. } => "To send, type",
            ReviewPurpose::Propose { .. } => "To propose, type",
            ReviewPurpose::Approve { .. } => "To approve, type",
        },
    };
    rows.push(PromptRow::Rule(title.to_owned()));
    let mut say = |text: &str, bad: bool| {
        rows.extend(wrap(text, width.saturating_sub(2)).into_iter().map(|line| PromptRow::Text(line, bad)));
    };
    match &review.status {
        ReviewStatus::Sending if review.purpose.verb() != "send" => {
            say("Waiting for the signature: a security key may ask for a touch or its PIN. Nothing is sent.", false);
        }
        ReviewStatus::Sending => {
            say("The order is recorded and being sent. Waiting for the answer; nothing is lost if you leave.", false);
        }
        ReviewStatus::NotSent(reason) => say(reason, true),
        ReviewStatus::Waiting => {
            if let Some(review_message) = &review.message {
                say(review_message, true);
            }
            if let Some(message) = review.findings_since_proposal() {
                say(&message, true);
            }
            match &review.purpose {
                ReviewPurpose::Approve { maker } | ReviewPurpose::Release { maker } if is_stopped => {
                    say(&format!("{maker} proposed it; Esc leaves it as it is, & x refuses it."), false);
                }
                _ if is_stopped => say("Press Esc to go back to the form and correct it.", false),
                ReviewPurpose::Send if review.prompts.is_empty() => say("Enter sends this request.", false),
                ReviewPurpose::Send => {}
                ReviewPurpose::Propose { rule } => say(&format!("Others must approve it: {rule}."), false),
                ReviewPurpose::Approve { maker } => {
                    say(&format!("{maker} proposed it. Your signature approves exactly this request."), false);
                    if model.journal.proposals.signers.has_forwarded_key {
                        say("Your key is on another machine and forwarded here.", false);
                    }
                }
                ReviewPurpose::Release { maker } => {
                    say(&format!("{maker} proposed it, and enough people approved it. Sending is final."), false);
                }
            }
        }
    }
    if review.status == ReviewStatus::Waiting && !is_stopped {
        let armed = review.time_until_armed(model.now).is_none();
        rows.extend(
            review
                .prompts
                .iter()
                .enumerate()
                .map(|(index, prompt)| PromptRow::InputLine(prompt, armed && index == review.cursor)),
        );
    }
    rows
}

fn draw_prompt_row(
    theme: &Theme,
    review: &Review,
    row: &PromptRow<'_>,
    hidden: Option<&str>,
    area: Rect,
    buf: &mut Buffer,
) {
    match row {
        PromptRow::Rule(title) => {
            let notes: Vec<(String, Style)> = hidden.map(|text| (text.to_owned(), theme.warn)).into_iter().collect();
            chrome::draw_rule(buf, area, &PaneTitle { title: title.clone(), notes, focused: true }, theme);
        }
        PromptRow::Text(text, bad) => {
            let style = if *bad { theme.bad } else { theme.text };
            paint::put(buf, area.x + 1, area.y, area.width.saturating_sub(1), text, style);
        }
        PromptRow::InputLine(prompt, focused) => {
            let label = prompt.kind.label(&prompt.expected);
            let labels = review
                .prompts
                .iter()
                .map(|prompt| paint::text_width(&prompt.kind.label(&prompt.expected)))
                .max()
                .unwrap_or(0);
            let style = if *focused { theme.accent } else { theme.dim };
            if *focused {
                paint::put(buf, area.x, area.y, 1, "▌", theme.accent);
            }
            paint::put(buf, area.x + 1, area.y, labels, &label, style);
            let x = area.x + labels + 3;
            let mut values = Rect { x, width: area.right().saturating_sub(x + 1), ..area };
            if let Some(error) = prompt.error {
                let text = format!("✗ {error}");
                let error_width =
                    paint::put_right(buf, area.right() - 1, area.y, values.width / 2 + 8, &text, theme.bad);
                values.width = values.width.saturating_sub(error_width + 1);
            }
            draw_input(buf, theme, values, &prompt.input, *focused);
        }
    }
}
