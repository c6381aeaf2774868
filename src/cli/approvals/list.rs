//! `bursar approvals list`: what waits for approvals, or for its release.

use serde_json::json;

use super::proposal_text::{payment_summary, recipient_text, standing_text};
use super::proposals::Proposals;
use crate::app::data::proposals::{ProposalEntry, ProposalStanding};
use crate::cli::offline_cache::print_remark;
use crate::cli::output::{print_line, print_table};
use crate::cli::{CommandContext, Exit};
use crate::domain::address_names::AddressNames;
use crate::domain::duration::format_age;
use crate::domain::{Draft, Text, Timestamp};

/// The characters of an order's identifier that name it.
const SHORT_ID_CHARS: usize = 8;

pub(super) fn run(context: &CommandContext, json: bool, all: bool) -> anyhow::Result<Exit> {
    let proposals = Proposals::open(context)?;
    let (mut entries, names, now) = (proposals.waiting()?, Proposals::names(context)?, proposals.now);
    let before = entries.len();
    entries.retain(|entry| all || now < entry.proposal.expires && entry.standing != ProposalStanding::Sent);
    if before > entries.len() {
        print_remark(&format!("{} expired or sent, and not listed; --all lists them", before - entries.len()));
    }
    if json {
        let rows: Vec<_> = entries.iter().map(|entry| json_row(entry, &names)).collect();
        serde_json::to_string_pretty(&rows)?.lines().for_each(print_line);
    } else if entries.is_empty() {
        print_line("nothing waits for approval");
    } else {
        let head = ["ORDER", "STANDING", "PAYS", "TO", "MAKER", "AGE", "LEFT"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        rows.extend(entries.iter().map(|entry| text_row(entry, &names, now)));
        print_table(&rows);
        for entry in &entries {
            if let ProposalStanding::Void(reason) = &entry.standing {
                print_line(&format!("{}: {reason}", short_id(entry)));
            }
        }
    }
    Ok(Exit::Normally)
}

fn short_id(entry: &ProposalEntry) -> String {
    entry.proposal.order.to_string().chars().take(SHORT_ID_CHARS).collect()
}

fn text_row(entry: &ProposalEntry, names: &AddressNames, now: Timestamp) -> Vec<String> {
    let expires = entry.proposal.expires;
    let time_left = if now < expires { format_age(now.age(expires)) } else { "expired".into() };
    vec![
        short_id(entry),
        standing_text(&entry.standing),
        entry.draft.as_ref().map_or_else(|| "cannot be read".into(), payment_summary),
        recipients_text(entry.draft.as_ref(), names),
        entry.proposal.maker.to_string(),
        format_age(entry.proposal.made_at.age(now)),
        time_left,
    ]
}

pub(in crate::cli) fn recipients_text(draft: Option<&Draft>, names: &AddressNames) -> String {
    let Some(details) = draft.and_then(Draft::payment_details) else { return "—".into() };
    match details.to.as_slice() {
        [(to, _)] => recipient_text(to, details.blockchain, names),
        several => format!("{} recipients", several.len()),
    }
}

fn json_row(entry: &ProposalEntry, names: &AddressNames) -> serde_json::Value {
    let proposal = &entry.proposal;
    let details = entry.draft.as_ref().and_then(Draft::payment_details);
    let recipient = |(to, amount): &(&Text, &Text)| {
        let name = details.as_ref().and_then(|details| names.party(to, details.blockchain));
        let name = name.map(|party| party.name.as_str());
        json!({ "address": to.as_str(), "name": name, "amount": amount.as_str() })
    };
    let recipients: Vec<_> = details.iter().flat_map(|details| &details.to).map(recipient).collect();
    let (approvals, needs, void) = match &entry.standing {
        ProposalStanding::Counted(quorum) => {
            let people: Vec<&str> = quorum.approvals.iter().map(|approval| approval.principal.as_str()).collect();
            (people, Some(quorum.needs), None)
        }
        ProposalStanding::Void(reason) => (Vec::new(), None, Some(reason.as_str())),
        ProposalStanding::Sent => (Vec::new(), None, None),
    };
    json!({
        "order": proposal.order.to_string(),
        "standing": standing_text(&entry.standing),
        "approvedBy": approvals,
        "needs": needs,
        "void": void,
        "pays": entry.draft.as_ref().map(payment_summary),
        "blockchain": details.as_ref().map(|details| details.blockchain.as_str()),
        "token": details.as_ref().map(|details| details.token.as_str()),
        "recipients": recipients,
        "maker": proposal.maker.as_str(),
        "made": proposal.made_at.to_string(),
        "expires": proposal.expires.to_string(),
        "rule": proposal.rule.as_str(),
        "inThisJournal": entry.is_here,
    })
}
