//! ```text
//! ┌ New watch ─────────── Enter tries it on the last 30 days, Esc closes ┐
//! │ > USDC of account Treasury below 10000                               │
//! │ raised when USDC of Treasury is below 10,000, margin 100             │
//! │ It would have been raised 3 times in 30 days, last on 21 Nov 09:14Z. │
//! └──────────────────────────────────────────────────────────────────────┘
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{LinePrompt, LinePurpose};
use crate::app::model::Model;
use crate::app::overlays::movement_search;
use crate::app::pages::Tone;
use crate::app::pages::orders::prompt::view::draw_input_line;
use crate::app::pages::view::tone_style;
use crate::domain::attention::{AttentionItem, AttentionKind};
use crate::domain::text::wrap;
use crate::domain::watch::Watch;
use crate::domain::watch::sentence::EXAMPLES;
use crate::ui::chrome::{self, PaneTitle};
use crate::ui::{Theme, paint};

const MAX_BOX_WIDTH: u16 = 88;

pub fn view(model: &Model, theme: &Theme, prompt: &LinePrompt, area: Rect, buf: &mut Buffer) {
    let width = MAX_BOX_WIDTH.min(area.width);
    let room = width.saturating_sub(4);
    let lines = message_lines(model, prompt, room);
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(3).min(area.height);
    let frame = Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height);
    let blank = " ".repeat(usize::from(width));
    for y in frame.y..frame.bottom() {
        paint::put(buf, frame.x, y, width, &blank, Style::reset());
    }
    let notes = vec![(prompt.key_hint().to_owned(), theme.dim)];
    let title = PaneTitle { title: prompt.title().into(), notes, focused: true };
    chrome::draw_box(buf, frame, false, &title, theme);
    let line = Rect::new(frame.x + 2, frame.y + 1, room, 1);
    if let LinePurpose::RemoveWatch { was, .. } = &prompt.purpose {
        paint::put(buf, line.x, line.y, room, &was.summary(), theme.text);
    } else {
        draw_input_line(theme, &prompt.input, true, line, buf);
    }
    for (y, (text, tone)) in (line.y + 1..frame.bottom().saturating_sub(1)).zip(lines) {
        paint::put(buf, line.x, y, room, &text, tone_style(theme, tone));
    }
}

fn message_lines(model: &Model, prompt: &LinePrompt, room: u16) -> Vec<(String, Tone)> {
    let wrapped = |text: &str, tone| wrap(text, room).into_iter().map(move |line| (line, tone)).collect::<Vec<_>>();
    match &prompt.purpose {
        LinePurpose::Acknowledge(id) => {
            let item = model.pages.attention.find(id);
            let mut lines = wrapped(&item.map_or_else(String::new, AttentionItem::summary), Tone::Text);
            lines.extend(item.iter().flat_map(|item| wrapped(&format!("{}.", item.kind.advice()), Tone::Accent)));
            let about = if id.is_of(AttentionKind::DuePayment) {
                "A note: why this date is skipped. The next one is due again."
            } else {
                "A note, such as who takes care of it; it may be empty."
            };
            lines.extend(wrapped(about, Tone::Dim));
            lines
        }
        LinePurpose::FindMovement => {
            let (lines, is_answer) = movement_search::prompt_lines(model, prompt);
            let tone = |index: usize| if is_answer && index == 0 { Tone::Warn } else { Tone::Dim };
            lines.iter().enumerate().flat_map(|(index, line)| wrapped(line, tone(index))).collect()
        }
        LinePurpose::RemoveWatch { .. } => wrapped("It no longer alerts anybody.", Tone::Dim),
        LinePurpose::Watch(_) if prompt.input.value().trim().is_empty() => {
            let mut lines = wrapped("Write what to watch; Tab shows one example after the other:", Tone::Dim);
            lines.extend(EXAMPLES.iter().map(|example| (format!("  {example}"), Tone::Accent)));
            lines
        }
        LinePurpose::Watch(_) => match Watch::parse_sentence(prompt.input.value()) {
            Err(reason) => wrapped(&reason, Tone::Warn),
            Ok(watch) => {
                let mut lines = wrapped(&watch.summary(), Tone::Text);
                if let Some((sentence, result)) = &prompt.trial
                    && sentence == prompt.input.value()
                {
                    let (text, tone) = watch_trial_text(model, result);
                    lines.extend(wrapped(&text, tone));
                }
                lines
            }
        },
    }
}

fn watch_trial_text(
    model: &Model,
    result: &Result<crate::domain::watch::trial::TrialResult, String>,
) -> (String, Tone) {
    match result {
        Err(reason) => (format!("It cannot be tried: {reason}. It can be saved all the same."), Tone::Warn),
        Ok(trial) => {
            let days = trial.since.age(model.now).as_secs().div_ceil(24 * 3_600).max(1);
            let days = if days == 1 { "the last day".to_owned() } else { format!("{days} days") };
            let last = trial.last.map(|last| model.console.zone.format_with_offset(last, "%-d %b %H:%M"));
            let text = match (trial.raised, last) {
                (0, _) | (_, None) => format!("It would not have been raised in {days}."),
                (1, Some(last)) => format!("It would have been raised once in {days}, on {last}."),
                (times, Some(last)) => format!("It would have been raised {times} times in {days}, last on {last}."),
            };
            (text, Tone::Accent)
        }
    }
}
