//! The lines of an entry's confirmation.

use super::{BookAction, ContactForm, EntryReview};
use crate::app::forms::field::view::LABEL_WIDTH;
use crate::app::layout::body::body_area;
use crate::app::model::Model;
use crate::app::pages::Tone;
use crate::app::screen::is_too_small;
use crate::domain::address::format_grouped;
use crate::domain::chain::chain_display_name;
use crate::domain::text::wrap;
use crate::guard::Severity;

/// Label, value and tone; the label is empty on the continuation lines of a value.
pub type TonedLine = (String, String, Tone);

/// The entry and its findings, wrapped to `columns`.
pub fn review_lines(entry: &ContactForm, review: &EntryReview, columns: u16) -> Vec<TonedLine> {
    let contact = &review.contact;
    let room = columns.saturating_sub(LABEL_WIDTH + 2).max(8);
    let mut lines: Vec<TonedLine> = Vec::new();
    let mut say = |name: &str, value: &str, tone: Tone| {
        for (index, part) in wrap(value, room).into_iter().enumerate() {
            lines.push((if index == 0 { name.to_owned() } else { String::new() }, part, tone));
        }
    };
    say("Name", &contact.name, Tone::Accent);
    say("Blockchain", chain_display_name(&contact.blockchain), Tone::Text);
    say("Address", &format_grouped(&contact.address), Tone::Accent);
    if let Some(tag) = &contact.tag {
        say("Memo or tag", tag, Tone::Accent);
    }
    if let Some(note) = &contact.note {
        say("Note", note, Tone::Text);
    }
    for change in &review.judgement.changes {
        say("Change", change, Tone::Warn);
    }
    for finding in &review.judgement.findings {
        let tone = match finding.severity {
            Severity::Stop | Severity::Danger => Tone::Bad,
            Severity::Caution => Tone::Warn,
            Severity::Note => Tone::Dim,
        };
        say(finding.severity.word(), &finding.message, tone);
        finding.lines.iter().for_each(|line| say("", line, Tone::Text));
    }
    if matches!(entry.action, BookAction::Remove(_)) {
        say(
            "",
            "From then on the address is no longer trusted by its name, and is paid as a new recipient is.",
            Tone::Warn,
        );
    }
    lines
}

/// Rows below the findings: two for each line to type, and two for the message.
pub fn input_rows(review: &EntryReview) -> u16 {
    u16::try_from(review.prompts.len()).unwrap_or(u16::MAX / 4).saturating_mul(2).saturating_add(2)
}

/// Whether everything fits on screen: an entry that is not shown in full cannot be confirmed, whatever is typed.
pub fn has_room_for_review(model: &Model, entry: &ContactForm, review: &EntryReview) -> bool {
    let area = body_area(model);
    let lines = u16::try_from(review_lines(entry, review, area.width).len()).unwrap_or(u16::MAX);
    !is_too_small(model.size) && lines.saturating_add(input_rows(review)).saturating_add(2) <= area.height
}
