//! The details of an order: messages, actions, order details, recipients, timeline, and every byte sent and received.

use crate::app::orders::explorer_url;
use sha2::{Digest, Sha256};

use super::named_address;
use crate::app::input::keymap::{self, Command, binding_of};
use crate::app::model::Model;
use crate::app::orders::{
    OrderCommand, alarm_messages, command_offers, draft_values, find_order, recipients_text, state_text,
    statement_events, status_messages,
};
use crate::app::pages::Tone;
use crate::app::transaction_text::format_list_time;
use crate::domain::chain::chain_display_name;
use crate::domain::draft::{Batch, Recipient, V1Payment};
use crate::domain::order::{EventStamp, HistoryLookup, OrderEnd, OrderState, SendReason};
use crate::domain::text::wrap;
use crate::domain::{
    Draft, Network, ObservedTransaction, Order, OrderId, Outcome, Status, Text, Timestamp, Withdrawal, Zone,
};

/// Width of the labels: that of a date and time.
pub const LABEL_WIDTH: u16 = 16;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderDetailLine {
    Title(&'static str),
    /// Label, value and tone; the label is empty on continuation lines.
    Pair(String, String, Tone),
    Blank,
}

pub fn order_detail_lines(model: &Model, id: OrderId, columns: u16, with_actions: bool) -> Vec<OrderDetailLine> {
    let Some(order) = find_order(model, id) else {
        let message = "this order is no longer among those that were read; the journal holds it";
        return vec![OrderDetailLine::Pair(String::new(), message.into(), Tone::Warn)];
    };
    let room = columns.saturating_sub(LABEL_WIDTH + 3).max(8);
    let mut lines = Vec::new();
    let mut section = |title: Option<&'static str>, pairs: Vec<(String, String, Tone)>| {
        if pairs.is_empty() {
            return;
        }
        if let Some(title) = title {
            lines.extend([OrderDetailLine::Blank, OrderDetailLine::Title(title)]);
        }
        for (mut name, value, tone) in pairs {
            for value in wrap(&value, room) {
                lines.push(OrderDetailLine::Pair(std::mem::take(&mut name), value, tone));
            }
        }
    };
    section(None, status_pairs(model, order));
    section(Some("Actions"), if with_actions { action_pairs(model, order) } else { Vec::new() });
    section(Some("Order details"), order_pairs(model, order));
    section(Some("Recipients"), recipient_pairs(model, order));
    section(
        Some(if model.console.zone.is_utc() { "Timeline (UTC)" } else { "Timeline (local)" }),
        timeline_pairs(model, order),
    );
    section(Some("Review findings"), finding_pairs(order));
    section(Some("Exact request"), request_pairs(order));
    section(Some("Responses"), response_pairs(order));
    lines
}

type LabelledValues = Vec<(String, String, Tone)>;

/// The state, and the messages for the operator who has to decide.
fn status_pairs(model: &Model, order: &Order) -> LabelledValues {
    let (mut word, tone) = state_text(order, model.now);
    let alarms = alarm_messages(order, model.now).len();
    let messages = status_messages(model, order).into_iter().enumerate();
    messages
        .map(|(index, message)| {
            // The alarms come first, then the message on the state.
            let loud = index <= alarms;
            (std::mem::take(&mut word), message, if loud { tone } else { Tone::Text })
        })
        .collect()
}

/// The actions, each with its key, and why it cannot be taken now, if so.
fn action_pairs(model: &Model, order: &Order) -> LabelledValues {
    let offers = command_offers(model, order).into_iter();
    offers
        .map(|offer| {
            let key = binding_of(Command::Order(offer.command))
                .and_then(|binding| binding.keys.first())
                .map(|key| keymap::key_name(*key));
            let never_sent = matches!(order.state(model.now), OrderState::Confirmed | OrderState::NotSent);
            let title = if never_sent && offer.command == OrderCommand::SendAgain {
                "send the request for the first time"
            } else {
                offer.command.label()
            };
            let (description, tone) = match offer.refusal {
                Some(reason) => (format!("{title} · not now: {reason}"), Tone::Dim),
                None => (title.to_owned(), Tone::Text),
            };
            (key.unwrap_or_default(), description, tone)
        })
        .collect()
}

fn text_pair(name: &str, value: impl Into<String>) -> (String, String, Tone) {
    (name.to_owned(), value.into(), Tone::Text)
}

fn order_pairs(model: &Model, order: &Order) -> LabelledValues {
    let drafted = &order.drafted;
    let mut pairs = vec![text_pair("Operation", drafted.draft.operation().title())];
    if let Some(withdrawal) = drafted.draft.single_payment() {
        pairs.extend(payment_pairs(model, order, withdrawal));
    }
    if let Draft::Payment(V1Payment { withdrawal, fee, memo }) = &drafted.draft {
        pairs.push(text_pair("Sub-wallet", withdrawal.wallet.as_str()));
        pairs.extend(memo.as_ref().map(|memo| text_pair("Memo", memo.as_str())));
        pairs.extend(fee.as_ref().map(|fee| text_pair("Maximum fee", format!("{fee} {}", withdrawal.token))));
    }
    if let Draft::Batch(batch) = &drafted.draft {
        pairs.extend(batch_pairs(model, order, batch));
    }
    let values = draft_values(model, &drafted.draft).into_iter();
    pairs.extend(values.filter_map(|(name, value)| Some(text_pair(name, value?))));
    pairs.extend(swap_pairs(model, order));
    let to = &drafted.destination;
    let environment = to.environment.map_or("environment not set", Network::name);
    pairs.push(text_pair("Service", format!("{} ({}, {environment})", to.base_url, to.profile)));
    pairs
}

/// The confirmed quote of a swap, its proceeds, and its transaction.
fn swap_pairs(model: &Model, order: &Order) -> LabelledValues {
    let mut pairs = Vec::new();
    if let Some(agreed) = order.confirmed_quote() {
        let (amount, bound) = (agreed.amount.format_grouped(), agreed.slippage.format_percent());
        pairs.push(text_pair("Best quote", format!("{amount} {}; at most {bound} less", agreed.coin)));
    }
    if let Some(proceeds) = order.proceeds() {
        let tone = if order.proceeds_mismatch_text().is_some() { Tone::Bad } else { Tone::Accent };
        // The amount of a pending transaction has not arrived yet.
        let name = if order.state(model.now) == OrderState::Settled { "Received" } else { "Expected" };
        pairs.push((name.into(), format!("{} {}", proceeds.amount.format_grouped(), proceeds.coin), tone));
    }
    if let Some(observation) = order.last_observation().filter(|_| order.drafted.draft.operation().is_swap()) {
        pairs.extend(transaction_pairs(model, order, observation));
        let group = observation.swap.as_ref().and_then(|swapped| swapped.group.as_ref());
        pairs.extend(group.map(|group| text_pair("Group", group.as_str())));
    }
    pairs
}

fn payment_pairs(model: &Model, order: &Order, withdrawal: &Withdrawal) -> LabelledValues {
    let amount = order
        .drafted
        .sender
        .as_ref()
        .map_or_else(|| withdrawal.amount.to_string(), |sender| sender.amount.format_grouped());
    let mut pairs = vec![
        ("Amount".into(), format!("{amount} {}", withdrawal.token), Tone::Accent),
        ("To".into(), named_address(model, &withdrawal.to, &withdrawal.blockchain), Tone::Accent),
        text_pair("Chain", chain_display_name(&withdrawal.blockchain)),
    ];
    pairs.extend(payer_pairs(model, order, withdrawal));
    pairs
}

fn batch_pairs(model: &Model, order: &Order, batch: &Batch) -> LabelledValues {
    let total = order.drafted.sender.as_ref().map_or_else(|| "—".to_owned(), |sender| sender.amount.format_grouped());
    let mut pairs = vec![
        ("Total".into(), format!("{total} {}", batch.token), Tone::Accent),
        ("To".into(), recipients_text(batch, &model.address_formatter()), Tone::Accent),
        text_pair("Chain", chain_display_name(&batch.blockchain)),
    ];
    let whole = order.drafted.sender.as_ref().map(|sender| batch.as_withdrawal_of_total(sender.amount));
    pairs.extend(whole.map(|whole| payer_pairs(model, order, &whole)).unwrap_or_default());
    if let Some(file) = &batch.file {
        pairs.push(text_pair("File", file.name.as_str()));
        pairs.push(text_pair("File's SHA-256", file.sha256.as_str()));
    }
    pairs
}

/// The recipients of a batch, each with its own status where the service reports them one by one.
fn recipient_pairs(model: &Model, order: &Order) -> LabelledValues {
    let Draft::Batch(batch) = &order.drafted.draft else { return Vec::new() };
    let parts = order.recipient_reports();
    let recipient = |(index, to): (usize, &Recipient)| {
        let report = u32::try_from(index).ok().and_then(|index| parts.get(&index));
        let fares = match report {
            Some(report) => {
                let word = report.status.as_ref().map_or("without a status", Status::word);
                let hash = report.tx_hash.as_ref().map_or_else(String::new, |hash| format!(" · {hash}"));
                format!(" · {word}{hash}")
            }
            None if parts.is_empty() => String::new(),
            None => " · not reported yet".to_owned(),
        };
        let amount_text = format!("{} {}{}{fares}", to.amount, batch.token, to.label_and_reference_text());
        let address = named_address(model, &to.address, &batch.blockchain);
        [(to.location_text(index), amount_text, Tone::Accent), (String::new(), address, Tone::Text)]
    };
    batch.to.iter().enumerate().flat_map(recipient).collect()
}

fn payer_pairs(model: &Model, order: &Order, withdrawal: &Withdrawal) -> LabelledValues {
    let mut pairs = Vec::new();
    if let Some(sender) = &order.drafted.sender {
        pairs.push(text_pair("Contract", sender.token.contract.as_deref().unwrap_or("native coin")));
        let name = sender.name.as_ref().map_or_else(|| withdrawal.wallet.to_string(), ToString::to_string);
        let address = sender.address.as_ref().map_or_else(String::new, |address| format!(" ({address})"));
        pairs.push(text_pair("From", format!("{name}{address}")));
    }
    pairs.extend(withdrawal.ref_id.as_ref().map(|ref_id| text_pair("Reference", ref_id.as_str())));
    pairs.extend(withdrawal.note.as_ref().map(|note| text_pair("Note", note.as_str())));
    pairs.extend((!withdrawal.metadata.is_empty()).then(|| text_pair("Metadata", withdrawal.metadata.to_string())));
    pairs.extend(order.drafted.template.as_ref().map(|of| text_pair("Template", of.description())));
    if let Some(observation) = order.last_observation() {
        pairs.extend(transaction_pairs(model, order, observation));
    }
    pairs
}

fn transaction_pairs(model: &Model, order: &Order, observation: &ObservedTransaction) -> LabelledValues {
    let mut pairs = Vec::new();
    pairs.extend(observation.transaction.as_ref().map(|id| text_pair("Transaction", id.as_str())));
    if let Some(hash) = &observation.tx_hash {
        pairs.push(text_pair("Hash", hash.as_str()));
        pairs.push(match explorer_url(model, order) {
            Ok(page) => text_pair("Explorer", page),
            Err(reason) => ("Explorer".into(), reason.into(), Tone::Dim),
        });
    }
    pairs
}

fn timeline_pairs(model: &Model, order: &Order) -> LabelledValues {
    let mut events = vec![(order.created.at, format!("drafted by {}", operator_and_host(&order.created)), Tone::Text)];
    if let Some((stamp, confirmation)) = &order.confirmed {
        let typed: Vec<String> = confirmation.typed.iter().map(|word| format!("“{word}”")).collect();
        let typed = if typed.is_empty() { String::new() } else { format!(", who typed {}", typed.join(" and ")) };
        events.push((stamp.at, format!("confirmed by {}{typed}", operator_and_host(stamp)), Tone::Text));
    }
    events.extend(statement_events(order));
    for attempt in &order.attempts {
        let cause = match attempt.reason {
            SendReason::Confirmed => "sent".to_owned(),
            SendReason::Retry => "resent by the console, same bytes".to_owned(),
            SendReason::Operator { warned: false } => "sent by the operator, same bytes".to_owned(),
            SendReason::Operator { warned: true } => {
                "sent by the operator, after a warning that the service may have forgotten its key".to_owned()
            }
        };
        let description = format!("attempt {}: {cause} ({})", attempt.number, operator_and_host(&attempt.stamp));
        events.push((attempt.stamp.at, description, Tone::Text));
        if let Some((at, answer)) = &attempt.answer {
            let (came_to, tone) = outcome_text(answer.outcome);
            // The message of an answer may begin with the outcome already.
            let answer_text = if answer.message.starts_with(came_to) {
                format!("attempt {}: {}", attempt.number, answer.message)
            } else {
                format!("attempt {}: {came_to}; {}", attempt.number, answer.message)
            };
            events.push((*at, answer_text, tone));
            events.extend(
                answer
                    .differences
                    .iter()
                    .chain(&answer.cost_alarms)
                    .map(|alarm| (*at, format!("Alarm: {alarm}"), Tone::Bad)),
            );
        }
    }
    events.extend(lookup_events(&model.console.zone, order, model.now));
    if let Some((stamp, end)) = &order.end {
        let (text, tone) = match end {
            OrderEnd::Settled => ("settled, as reported by the service".to_owned(), Tone::Good),
            OrderEnd::PartlySettled => {
                ("partly settled, as reported by the service for each recipient".to_owned(), Tone::Warn)
            }
            OrderEnd::Failed => ("failed, as reported by the service".to_owned(), Tone::Bad),
            OrderEnd::Abandoned(None) => (format!("given up by {}", operator_and_host(stamp)), Tone::Text),
            OrderEnd::Abandoned(Some(cause)) => {
                (format!("given up by the console of {}: {cause}", operator_and_host(stamp)), Tone::Text)
            }
            OrderEnd::WrittenOff(reason) => {
                (format!("written off by {}: {reason}", operator_and_host(stamp)), Tone::Warn)
            }
        };
        events.push((stamp.at, text, tone));
    }
    events.sort_by_key(|(at, ..)| *at);
    events
        .into_iter()
        .map(|(at, text, tone)| (format_list_time(&model.console.zone, at, model.now, true), text, tone))
        .collect()
}

fn operator_and_host(stamp: &EventStamp) -> String {
    format!("{} at {}", stamp.by.user, stamp.by.host)
}

fn outcome_text(outcome: Outcome) -> (&'static str, Tone) {
    match outcome {
        Outcome::NotSent => ("nothing left this machine", Tone::Warn),
        Outcome::Accepted => ("accepted", Tone::Good),
        Outcome::Refused | Outcome::Declined => ("rejected", Tone::Bad),
        Outcome::ProbablyRefused { .. } => ("looks like a rejection", Tone::Warn),
        Outcome::Unknown => ("the outcome is not known", Tone::Bad),
    }
}

/// Reads of the history. Consecutive ones with the same result, apart from confirmations, are one line, at the time of
/// the first.
fn lookup_events(zone: &Zone, order: &Order, now: Timestamp) -> Vec<(Timestamp, String, Tone)> {
    let runs = order.lookups.chunk_by(|(_, one), (_, next)| lookup_result_text(one) == lookup_result_text(next));
    let lines = runs.filter_map(|run| {
        let ((first, look), (last, latest)) = (run.first()?, run.last()?);
        let times = match run.len() {
            1 => String::new(),
            times => format!(", {times} times until {}", format_list_time(zone, *last, now, true)),
        };
        Some((
            *first,
            format!("history read{times}: {}{}", lookup_result_text(look), confirmations_text(look, latest)),
            Tone::Text,
        ))
    });
    lines.collect()
}

fn lookup_result_text(look: &HistoryLookup) -> String {
    match (&look.observed, &look.similar_transaction) {
        (Some(observation), _) => {
            let word = observation.status.as_ref().map_or("without a status", Status::word);
            let last = if observation.confirmed == Some(true) { ", final" } else { "" };
            let parts = if look.recipient_reports.is_empty() {
                String::new()
            } else {
                format!(", {} recipients reported", look.recipient_reports.len())
            };
            format!("found, {word}{last}{parts}")
        }
        (None, Some(transaction)) => format!("not seen; transaction {transaction} resembles it"),
        (None, None) if look.is_complete => "not seen in the whole history since it was sent".into(),
        (None, None) => "not seen, but the history was not read back to the sending".into(),
    }
}

/// The confirmations at the first and last of several reads.
fn confirmations_text(first: &HistoryLookup, last: &HistoryLookup) -> String {
    let of = |look: &HistoryLookup| look.observed.as_ref().and_then(|observation| observation.confirmation);
    match (of(first), of(last)) {
        (Some(1), Some(1)) => ", 1 confirmation".into(),
        (Some(first), Some(last)) if first != last => format!(", {first} to {last} confirmations"),
        (_, Some(last)) => format!(", {last} confirmations"),
        _ => String::new(),
    }
}

/// The findings that the review showed, with the phrases that overrode them.
fn finding_pairs(order: &Order) -> LabelledValues {
    let Some((_, confirmation)) = &order.confirmed else { return Vec::new() };
    confirmation.findings.iter().map(|finding| text_pair("", finding.as_str())).collect()
}

/// The request, byte for byte.
fn request_pairs(order: &Order) -> LabelledValues {
    let frozen = &order.drafted.request;
    let key = frozen.key.map_or_else(|| "none: this request cannot be resent safely".into(), |key| key.to_string());
    vec![
        text_pair("Request", format!("{} {}", frozen.method, frozen.path)),
        text_pair("Idempotency key", key),
        text_pair("Body", clean_full_text(&frozen.body)),
        text_pair("Bytes", frozen.body.len().to_string()),
        text_pair("SHA-256", hex::encode(Sha256::digest(frozen.body.as_bytes()))),
        ("Order".into(), order.id.to_string(), Tone::Dim),
    ]
}

/// Bytes as text, in full: not cut at [`Text::LIMIT`], and without control characters.
fn clean_full_text(raw: &str) -> String {
    let characters: Vec<char> = raw.chars().collect();
    let pieces = characters.chunks(Text::MAX_CHARS / 2);
    pieces.map(|piece| Text::clean(&piece.iter().collect::<String>()).to_string()).collect()
}

/// The responses as received.
fn response_pairs(order: &Order) -> LabelledValues {
    let answers = order.attempts.iter().filter_map(|attempt| Some((attempt.number, &attempt.answer.as_ref()?.1)));
    answers
        .filter_map(|(number, answer)| {
            let raw = answer.raw.as_ref().filter(|raw| !raw.is_empty())?;
            Some(text_pair(&format!("Attempt {number}"), clean_full_text(raw)))
        })
        .collect()
}
