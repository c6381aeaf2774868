//! `bursar approvals show`: a proposal in words, from its bytes.

use std::io::{self, Write};

use super::proposals::Proposals;
use crate::app::data::proposals::{ProposalEntry, ProposalStanding};
use crate::app::orders::state_label;
use crate::cli::output::{ignore_broken_pipe, print_labelled_to};
use crate::cli::{CommandContext, Exit};
use crate::domain::address::format_grouped;
use crate::domain::address_names::AddressNames;
use crate::domain::approval::{SignedStatement, StatementKind, Touch};
use crate::domain::chain::chain_display_name;
use crate::domain::duration::format_age;
use crate::domain::order::{EventStamp, OrderEnd};
use crate::domain::{Amount, Draft, Metadata, Order, Text, Timestamp};

/// Columns before a value.
pub(super) const LABEL_COLUMNS: usize = 12;

pub(super) fn run(context: &CommandContext, source: &str, raw: bool, envelope: bool) -> anyhow::Result<Exit> {
    let proposals = Proposals::open(context)?;
    let entry = proposals.find(source)?;
    let text = match (raw, envelope) {
        (true, _) => entry.file,
        (_, true) => entry.to_envelope().to_text(),
        (false, false) => {
            let order = proposals.order(entry.proposal.order);
            let lines = proposal_lines(&entry, order, &Proposals::names(context)?, proposals.now);
            for line in lines {
                print_labelled_to(io::stdout(), &line, LABEL_COLUMNS);
            }
            return Ok(Exit::Normally);
        }
    };
    ignore_broken_pipe(io::stdout().write_all(text.as_bytes()))?;
    Ok(Exit::Normally)
}

/// `1 of 2`, or in a word why no count matters.
pub(super) fn standing_text(standing: &ProposalStanding) -> String {
    match standing {
        ProposalStanding::Void(_) => "void".into(),
        ProposalStanding::Sent => "sent".into(),
        ProposalStanding::Counted(quorum) if quorum.refusal.is_some() => "refused".into(),
        ProposalStanding::Counted(quorum) => format!("{} of {}", quorum.approvals.len(), quorum.needs),
    }
}

/// What a request pays or sells, in a few words: `25 USDC on Base`.
pub(in crate::cli) fn payment_summary(draft: &Draft) -> String {
    let on =
        |chain: Option<&Text>| chain.map_or_else(String::new, |chain| format!(" on {}", chain_display_name(chain)));
    if let Draft::Batch(batch) = draft {
        let total = batch.total_as_written().map_or_else(|| "an unreadable sum of".into(), Amount::format_grouped);
        return format!("{total} {}{}", batch.token, on(Some(&batch.blockchain)));
    }
    if let Some(payment) = draft.single_payment() {
        return format!("{} {}{}", payment.amount, payment.token, on(Some(&payment.blockchain)));
    }
    match draft.exchange() {
        Some(exchange) => format!("{}{}", exchange.summary(), on(exchange.chain)),
        None => draft.operation().title().to_owned(),
    }
}

/// An address, and beside it the name that this machine knows for it.
pub(super) fn recipient_text(address: &Text, blockchain: &Text, names: &AddressNames) -> String {
    match names.party(address, blockchain) {
        Some(party) => format!("{address} ({})", party.name),
        None => address.to_string(),
    }
}

/// The proposal for a person: everything that its bytes state, who signed it, and when it expires.
pub(super) fn proposal_lines(
    entry: &ProposalEntry,
    order: Option<&Order>,
    names: &AddressNames,
    now: Timestamp,
) -> Vec<String> {
    let proposal = &entry.proposal;
    let mut lines = Lines::default();
    lines.add("order", &proposal.order.to_string());
    if let Some(order) = order {
        add_outcome(&mut lines, order, now);
    }
    match &entry.draft {
        Some(draft) => add_draft(&mut lines, draft, names),
        None => lines.add("request", "this version reads no payment in it; --raw shows its bytes"),
    }
    let environment = proposal.environment.as_ref().map_or_else(String::new, |word| format!(", {word}"));
    lines.add("sent to", &format!("{} {} at {}{environment}", proposal.method, proposal.path, proposal.base_url));
    lines.add("rule", &proposal.rule);
    lines.add("made", &format!("{} by {}", proposal.made_at, proposal.maker));
    let time_left = if now < proposal.expires {
        format!("in {}", format_age(now.age(proposal.expires)))
    } else {
        format!("{} ago", format_age(proposal.expires.age(now)))
    };
    lines.add("expires", &format!("{}, {time_left}", proposal.expires));
    add_standing(&mut lines, entry);
    lines.0
}

#[derive(Default)]
struct Lines(Vec<String>);

impl Lines {
    fn add(&mut self, label: &str, value: &str) {
        self.0.push(format!("{label:<LABEL_COLUMNS$}{value}"));
    }

    fn add_optional(&mut self, label: &str, value: Option<&Text>) {
        if let Some(value) = value {
            self.add(label, value);
        }
    }
}

/// What became of an order that waits no longer.
fn add_outcome(lines: &mut Lines, order: &Order, now: Timestamp) {
    let by = |stamp: &EventStamp| format!("{} by {} on {}", stamp.at, stamp.by.user, stamp.by.host);
    if let Some(first) = order.attempts.first() {
        lines.add("sent", &by(&first.stamp));
        lines.add("state", state_label(order, now));
    } else if order.last_observation().is_some() {
        lines.add("sent", "by another desk, as the history shows");
        lines.add("state", state_label(order, now));
    }
    if let Some((stamp, OrderEnd::Abandoned(reason))) = &order.end {
        let reason = reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
        lines.add("given up", &format!("{}{reason}", by(stamp)));
    }
}

fn add_draft(lines: &mut Lines, draft: &Draft, names: &AddressNames) {
    lines.add(if draft.exchange().is_some() { "sells" } else { "pays" }, &payment_summary(draft));
    if let Some(details) = draft.payment_details() {
        let count = details.to.len();
        if matches!(draft, Draft::Batch(_)) {
            lines.add("recipients", &count.to_string());
        }
        for (number, (to, amount)) in (1..).zip(&details.to) {
            let label = if count == 1 { "to".to_owned() } else { format!("  {number}") };
            let name = names.party(to, details.blockchain).map(|party| format!("{}, ", party.name)).unwrap_or_default();
            let amount = if count == 1 { String::new() } else { format!("{amount} {} to ", details.token) };
            lines.add(&label, &format!("{amount}{name}{}", format_grouped(to)));
        }
        let wallet = details.wallet;
        let wallet_name = names.wallet_name(wallet).map_or_else(String::new, |name| format!("{name}, "));
        let payer = if let Draft::Payment(_) = draft { "sub-wallet" } else { "wallet" };
        lines.add("from", &format!("{wallet_name}{payer} {wallet}"));
    } else if let Draft::Swap(swap) = draft {
        lines.add("from", &format!("wallet {}", swap.wallet));
    } else if let Draft::InstantSwap(swap) = draft {
        lines.add("from", &format!("sub-wallet {}", swap.sub_wallet));
    }
    lines.add_optional("reference", draft.reference());
    lines.add_optional("note", draft.note());
    if let Draft::Payment(payment) = draft {
        lines.add_optional("memo", payment.memo.as_ref());
        lines.add_optional("fee, at most", payment.fee.as_ref());
    }
    if let Draft::Batch(batch) = draft
        && let Some(queue) = batch.queue
    {
        lines.add("queued", if queue { "yes" } else { "no" });
    }
    for (key, value) in draft.metadata().into_iter().flat_map(Metadata::iter) {
        lines.add("metadata", &format!("{key}: {value}"));
    }
}

fn add_standing(lines: &mut Lines, entry: &ProposalEntry) {
    let count_text = match &entry.standing {
        ProposalStanding::Void(cause) => {
            lines.add("void", cause);
            entry.statements.iter().for_each(|signed| lines.add("signed by", &claim_text(signed)));
            return;
        }
        ProposalStanding::Sent => {
            lines.add("sent", "by another desk; the history shows what became of it");
            entry.statements.iter().for_each(|signed| lines.add("signed by", &claim_text(signed)));
            return;
        }
        ProposalStanding::Counted(quorum) => quorum,
    };
    lines.add("approvals", &standing_text(&entry.standing));
    let maker = entry.statements.iter().filter(|signed| signed.kind == StatementKind::Propose);
    maker.for_each(|signed| lines.add("  proposed", &format!("{} with {}", signed.principal, signed.key)));
    for approval in &count_text.approvals {
        let touch = match approval.touch {
            Touch::None => "",
            Touch::Present => ", security key touched",
            Touch::Verified => ", security key touched after its PIN",
        };
        lines.add("  approved", &format!("{} with {}{touch}", approval.principal, approval.key));
    }
    if let Some(refusal) = &count_text.refusal {
        let reason = refusal.reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
        lines.add("  refused", &format!("{} with {}{reason}", refusal.principal, refusal.key));
    }
    for (name, cause) in &count_text.dropped {
        lines.add("  not counted", &format!("{name}: {cause}"));
    }
}

fn claim_text(signed: &SignedStatement) -> String {
    let kind = match signed.kind {
        StatementKind::Propose => "proposed",
        StatementKind::Approve => "approved",
        StatementKind::Refuse => "refused",
        StatementKind::Policy => "signed rules",
    };
    format!("{} ({kind}) with {}", signed.principal, signed.key)
}
