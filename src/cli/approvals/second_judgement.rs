//! What the guard of this machine says about a payment that somebody else proposed.

use anyhow::Context as _;

use super::proposals::Proposals;
use crate::app::data::proposals::ProposalEntry;
use crate::cli::CommandContext;
use crate::cli::offline_cache::open_offline_cache;
use crate::domain::{Draft, Skew};
use crate::guard::{Finding, judge_draft};
use crate::journal::{Journal, RecordedBookChanges};
use crate::runtime::effect_runner::{GuardOrders, find_sender_in_store};
use crate::runtime::guard_facts::{FactSources, gather_facts_for_draft};

pub(super) enum Judgement {
    Judged {
        /// Each with the recipient of a batch that it concerns, counted from 1.
        findings: Vec<(Option<usize>, Finding)>,
        /// How old the figures are.
        as_of: String,
    },
    NotJudged(String),
}

/// Judges by what this machine has read before, by its journal and its address book. The service is not contacted.
pub(super) fn judge(
    context: &CommandContext,
    proposals: &Proposals,
    entry: &ProposalEntry,
    journal: &Journal,
) -> Judgement {
    let judged = entry
        .draft
        .as_ref()
        .context("this version reads no payment in the proposal")
        .and_then(|draft| judge_by_cache(context, proposals, entry, draft, journal));
    judged.unwrap_or_else(|error| Judgement::NotJudged(format!("{error:#}")))
}

fn judge_by_cache(
    context: &CommandContext,
    proposals: &Proposals,
    entry: &ProposalEntry,
    draft: &Draft,
    journal: &Journal,
) -> anyhow::Result<Judgement> {
    let (id, now) = (entry.proposal.order, proposals.now);
    let cache = open_offline_cache(context, true, 0)?;
    let recorded = proposals.order(id).and_then(|order| order.drafted.sender.clone());
    let sender = match recorded {
        Some(sender) => sender,
        None => find_sender_in_store(&cache.store, draft)?
            .context("this machine has not read the paying wallet and its token from the service")?,
    };
    let mut orders = GuardOrders::from_journal(journal, &proposals.destination)?.orders_for(
        &cache.store,
        Some((draft, &sender)),
        now,
    )?;
    orders.retain(|order| order.id != id);
    let book = RecordedBookChanges::replay_book(&journal.book_changes(&proposals.destination)?);
    let sources = FactSources {
        store: &cache.store,
        orders: &orders,
        final_statuses: cache.store.final_statuses(),
        expected_network: proposals.destination.environment,
        policy: &proposals.profile.policy,
        book: &book,
        // The service is not contacted.
        skew: Skew::Unknown,
        period: proposals.profile.preferences.poll_period,
    };
    let facts = gather_facts_for_draft(&sources, draft, &sender, now)?.context("it moves no money")?;
    let judged = judge_draft(draft, &sender, &facts, now).context("there is no data to check it against")?;
    let whole = judged.findings.into_iter().map(|finding| (None, finding));
    let rows = (1..)
        .zip(judged.rows)
        .flat_map(|(number, row)| row.findings.into_iter().map(move |finding| (Some(number), finding)));
    Ok(Judgement::Judged { findings: whole.chain(rows).collect(), as_of: cache.age_text() })
}
