//! The lines of a batch's review: the total, and every recipient, new ones first.

use super::{Review, ReviewLine, address, payment, review_line};
use crate::app::forms::review::{MAX_TYPED_RECIPIENTS, view};
use crate::app::model::Model;
use crate::app::pages::Tone;
use crate::domain::draft::{Batch, Recipient};
use crate::domain::{Amount, Text};
use crate::guard::{ExpectedFee, Severity};

/// Labels of the new recipients for which address characters are typed.
const NEW_RECIPIENT_LABELS: [&str; MAX_TYPED_RECIPIENTS] = ["New 1", "New 2", "New 3"];

/// The lines that never scroll away: the total, the number of recipients, and full addresses of new ones. Those for
/// which characters are typed are always there; of the others, as many as fit until the operator scrolls, a line each.
pub(super) fn key_facts(model: &Model, review: &Review, batch: &Batch) -> Vec<ReviewLine> {
    let total = batch.total_as_written().map_or_else(|| "cannot be added up".to_owned(), Amount::format_grouped);
    let total = review_line("Total", format!("{total} {}", batch.token), Tone::Accent);
    // A single recipient is shown as in any payment.
    if let [to] = batch.to.as_slice() {
        return vec![total, review_line("To", address::format_grouped(&to.address), Tone::Accent)];
    }
    let rows = review.new_recipients.iter().enumerate().filter_map(|(nth, new)| {
        let (name, to) = (NEW_RECIPIENT_LABELS.get(nth).copied().unwrap_or("New"), batch.to.get(new.index)?);
        let text = format!("{}  {} {}", address::format_grouped(&to.address), new.amount.format_grouped(), batch.token);
        Some(review_line(name, text, Tone::Accent))
    });
    let with = |shown_count: usize| -> Vec<ReviewLine> {
        let to = review_line("To", recipient_counts_text(review, batch, shown_count), Tone::Accent);
        [total.clone(), to].into_iter().chain(rows.clone().take(shown_count)).collect()
    };
    // An operator who scrolls has read these lines, and needs the room for the rest.
    let most = review.new_recipients.len().min(usize::from(model.size.height));
    let room = view::room_for_key_facts(model, review, view::lines_for_other_facts(review));
    let fitting =
        (MAX_TYPED_RECIPIENTS + 1..=most).rev().find(|shown_count| view::height_of(model, &with(*shown_count)) <= room);
    with(fitting.unwrap_or(MAX_TYPED_RECIPIENTS).min(review.new_recipients.len()))
}

/// The number of recipients, of new ones, and of new ones not shown here.
fn recipient_counts_text(review: &Review, batch: &Batch, shown_count: usize) -> String {
    let (count, new) = (batch.to.len(), review.new_recipients.len());
    let hidden = new.saturating_sub(shown_count);
    let note = match new {
        0 => return format!("{count} recipients, all of them paid before; PgDn shows each"),
        new if new == count => "never paid before".to_owned(),
        new => format!("{new} never paid before"),
    };
    match hidden {
        0 => format!("{count} recipients, {note}; PgDn shows each"),
        hidden => format!("{count} recipients, {note}: {shown_count} here, PgDn for {hidden} more"),
    }
}

pub(super) fn add_payer_lines(model: &Model, review: &Review, batch: &Batch, facts: &mut Vec<ReviewLine>) {
    let total = review.order.drafted.sender.as_ref().map_or(Amount::zero(0), |sender| sender.amount);
    payment::add_payment_lines(model, review, &batch.as_withdrawal_of_total(total), batch.to.len(), facts);
    if let Some(queue) = batch.queue {
        let sentence =
            if queue { "yes: the service queues the batch" } else { "no: the service does not queue the batch" };
        facts.push(review_line("Queue", sentence, Tone::Text));
    }
    if let Some(file) = &batch.file {
        facts.push(review_line("File", format!("{} · SHA-256 {}", file.name, file.sha256), Tone::Dim));
    }
}

/// The expected fee of a batch, as far as past single payments indicate it.
pub(super) fn batch_fee_text(fee: &ExpectedFee, token: &Text, count: usize) -> String {
    let one = fee.highest;
    let all = u16::try_from(count).ok().and_then(|count| one.checked_mul(count));
    let all = all.map_or_else(|| "more than can be counted".to_owned(), Amount::format_grouped);
    format!(
        "from {} to {all} {token}: the fee of one past payment was at most the first figure; the fee for a batch is not \
         known",
        one.format_grouped()
    )
}

pub(super) fn add_all_recipient_lines(review: &Review, batch: &Batch, facts: &mut Vec<ReviewLine>) {
    let is_first = |index: usize| review.recipient_findings.get(index).is_some_and(|row| row.is_first);
    let rows = || batch.to.iter().enumerate();
    let new = rows().filter(|(index, _)| is_first(*index));
    for (index, to) in new.chain(rows().filter(|(index, _)| !is_first(*index))) {
        add_recipient_lines(review, batch, index, to, facts);
    }
}

fn add_recipient_lines(review: &Review, batch: &Batch, index: usize, to: &Recipient, facts: &mut Vec<ReviewLine>) {
    let row_findings = review.recipient_findings.get(index);
    let name = if row_findings.is_some_and(|row| row.is_first) { "new" } else { "paid before" };
    let worst = row_findings.and_then(|row| row.findings.first()).map(|finding| finding.severity);
    let (mark, tone) = match worst {
        Some(Severity::Stop) => (" · ✗ see above", Tone::Bad),
        Some(Severity::Danger) => (" · ▲ see above", Tone::Bad),
        Some(Severity::Caution) => (" · ! see above", Tone::Warn),
        Some(Severity::Note) | None => ("", Tone::Text),
    };
    facts.push(ReviewLine {
        is_monospaced: false,
        ..review_line(name, address::format_grouped(&to.address), Tone::Accent)
    });
    let decimals = review.order.drafted.sender.as_ref().map_or(0, |sender| sender.amount.decimals());
    let amount = Amount::parse(&to.amount, decimals).map_or_else(|_| to.amount.to_string(), Amount::format_grouped);
    let text = to.label_and_reference_text();
    facts.push(review_line("", format!("{amount} {} · {}{text}{mark}", batch.token, to.location_text(index)), tone));
}
