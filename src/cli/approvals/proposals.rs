//! The proposals that this machine can read: of its journal, of the folder, of a file and of standard input.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};

use super::policy_file::{recorded_policies, signers_of};
use crate::api;
use crate::app::data::proposals::{ProposalEntry, ProposalStanding};
use crate::cli::CommandContext;
use crate::cli::book::read_book;
use crate::cli::journal::journal_folder;
use crate::cli::offline_cache::cached_names;
use crate::cli::payment_context::profile_destination;
use crate::config::Profile;
use crate::domain::address_names::AddressNames;
use crate::domain::approval::{
    ApprovalPolicy, Envelope, MAX_FILE, PolicyRecord, Proposal, Requirement, SignedProposal, SignedStatement, Signers,
    check_destination, count_quorum,
};
use crate::domain::order::ServiceDestination;
use crate::domain::{Order, OrderId, Text, Timestamp};
use crate::journal::{JournalError, JournalSnapshot};
use crate::runtime::effect_runner::{ApprovalSources, approval_folder, proposal_standing};
use crate::runtime::{Clock, HostPermission};

/// The shortest beginning of an order's identifier that names it.
const MIN_ORDER_ID_CHARS: usize = 8;
/// Bytes of a proposal with its signatures, or of a policy with its signatures, at most.
const MAX_TEXT: u64 = 4 * MAX_FILE as u64;
pub(super) const STANDARD_INPUT: &str = "-";

pub(in crate::cli) struct Proposals {
    pub(in crate::cli) profile: Profile,
    pub(super) destination: ServiceDestination,
    pub(in crate::cli) sources: ApprovalSources,
    pub(in crate::cli) policy: ApprovalPolicy,
    pub(super) host: HostPermission,
    pub(in crate::cli) now: Timestamp,
    journal: PathBuf,
    /// Of this journal, also those that were sent or given up.
    orders: Vec<Order>,
}

impl Proposals {
    pub(in crate::cli) fn open(context: &CommandContext) -> anyhow::Result<Self> {
        let host = HostPermission::for_local_operator();
        let profile = context.config()?.profile()?.clone();
        let destination = profile_destination(&profile, Text::default());
        let sources = ApprovalSources::of_settings(&profile.approvals, &host);
        let policy = sources.policy_with_signers(&profile.policy.approval).map_err(anyhow::Error::msg)?;
        let journal = journal_folder(context)?;
        let orders = match JournalSnapshot::open(&journal) {
            Ok(journal) => journal.shown_orders(&destination, usize::MAX)?,
            Err(JournalError::Missing { .. }) => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        Ok(Self { profile, destination, sources, policy, host, now: Clock::System.now(), journal, orders })
    }

    /// Names of addresses and wallets, as far as the address book and the cache know them.
    pub(super) fn names(context: &CommandContext) -> anyhow::Result<AddressNames> {
        Ok(cached_names(context, &read_book(context)?))
    }

    /// The order of this journal.
    pub(super) fn order(&self, id: OrderId) -> Option<&Order> {
        self.orders.iter().find(|order| order.id == id)
    }

    /// What waits here and in the folder, the oldest first. Also what has expired.
    pub(in crate::cli) fn waiting(&self) -> anyhow::Result<Vec<ProposalEntry>> {
        let folder = self.sources.folder.as_ref().map(|folder| approval_folder::read_folder(&self.host, folder));
        let approval_folder::FolderContent { proposals: carried, sent_orders, .. } =
            folder.transpose().map_err(anyhow::Error::msg)?.unwrap_or_default();
        let mut entries = Vec::new();
        for order in self.orders.iter().filter(|order| self.is_of_service(order) && !is_over(order)) {
            let Some(approval) = &order.approval else { continue };
            let Ok(envelope) = Envelope::parse(&approval.file) else { continue };
            let statements = approval.statements.iter().map(|(_, signed)| signed.clone()).collect();
            let signatures = carried.iter().filter(|other| other.file == approval.file).flat_map(|one| &one.signatures);
            entries.push(self.entry(&envelope, statements, signatures));
        }
        for envelope in &carried {
            if self.order(envelope.proposal.order).is_none()
                && check_destination(&envelope.proposal, &self.destination).is_ok()
            {
                entries.push(self.entry(envelope, Vec::new(), envelope.signatures.iter()));
            }
        }
        for entry in entries.iter_mut().filter(|entry| sent_orders.contains_key(&entry.proposal.order)) {
            entry.standing = ProposalStanding::Sent;
        }
        entries.sort_by_key(|entry| entry.proposal.made_at);
        Ok(entries)
    }

    fn is_of_service(&self, order: &Order) -> bool {
        order.drafted.destination.base_url == self.destination.base_url
    }

    /// The proposals of this journal that were sent, refused or given up.
    fn past(&self) -> anyhow::Result<Vec<ProposalEntry>> {
        let recorded = recorded_policies(&self.journal, &self.destination.base_url)?;
        let past = self.orders.iter().filter(|order| self.is_of_service(order) && is_over(order));
        Ok(past.filter_map(|order| self.past_entry(order, &recorded)).collect())
    }

    /// Counted as of then, by the rule that the proposal names, with the people of the rules that were recorded then.
    fn past_entry(&self, order: &Order, recorded: &[PolicyRecord]) -> Option<ProposalEntry> {
        let approval = order.approval.as_ref()?;
        let Envelope { proposal, file, .. } = Envelope::parse(&approval.file).ok()?;
        let statements: Vec<SignedStatement> = approval.statements.iter().map(|(_, signed)| signed.clone()).collect();
        let observed_at = || order.lookups.iter().find(|(_, look)| look.observed.is_some()).map(|(at, _)| *at);
        let ended_at = || order.end.as_ref().map(|(stamp, _)| stamp.at);
        let at = order.first_sent_at().or_else(observed_at).or_else(ended_at)?;
        let then = recorded.iter().find(|policy| policy.rules_hash() == proposal.policy_hash).and_then(signers_of);
        let signers = then.unwrap_or_else(|| self.policy.signers.clone());
        let standing = past_standing(signers, &proposal, &file, &statements, at);
        let draft = Some(order.drafted.draft.clone());
        Some(ProposalEntry { proposal, file, statements, draft, is_here: true, is_sendable_here: false, standing })
    }

    /// Finds a proposal by its order, or reads it from a file or standard input; with what is signed about it here. Also
    /// one of this journal that waits no longer.
    pub(super) fn find(&self, source: &str) -> anyhow::Result<ProposalEntry> {
        let mut readable = self.waiting()?;
        readable.extend(self.past()?);
        if let Some(text) = read_source(source)? {
            let envelope = Envelope::parse(&text).map_err(|fault| anyhow!("{source}: {fault}"))?;
            let entry = readable.into_iter().find(|entry| entry.proposal.order == envelope.proposal.order);
            return match entry {
                Some(entry) if entry.file == envelope.file && self.is_past(&entry) => Ok(entry),
                Some(entry) if entry.file == envelope.file => {
                    Ok(self.entry(&envelope, entry.statements, envelope.signatures.iter()))
                }
                Some(entry) => bail!(
                    "{source}: another proposal of order {} is recorded here; the texts differ, and only one of them can be \
                     the maker's",
                    entry.proposal.order
                ),
                None => Ok(self.entry(&envelope, Vec::new(), envelope.signatures.iter())),
            };
        }
        let is_named = |entry: &&ProposalEntry| {
            let id = entry.proposal.order.to_string();
            source.len() >= MIN_ORDER_ID_CHARS && id.starts_with(&source.to_ascii_lowercase())
        };
        let matches: Vec<&ProposalEntry> = readable.iter().filter(is_named).collect();
        match matches.as_slice() {
            [one] => Ok((*one).clone()),
            [] => bail!(
                "{source}: no proposal has this identifier, here or in the folder, and there is no such file; `bursar \
                 approvals list` shows what waits"
            ),
            several => bail!("{source} names {} proposals; give more of the identifier", several.len()),
        }
    }

    fn is_past(&self, entry: &ProposalEntry) -> bool {
        self.order(entry.proposal.order).is_some_and(is_over)
    }

    fn entry<'a>(
        &self,
        envelope: &Envelope,
        mut statements: Vec<SignedStatement>,
        signatures: impl Iterator<Item = &'a String>,
    ) -> ProposalEntry {
        let Envelope { proposal, file, .. } = envelope;
        for signature in signatures {
            let is_known = statements.iter().any(|other| other.signature == *signature);
            let statement_or_fault = SignedStatement::from_signature(file, signature, &self.policy.signers, self.now);
            if let (false, Ok(statement)) = (is_known, statement_or_fault) {
                let folder = self.sources.folder.as_ref();
                let reason = folder.and_then(|folder| {
                    approval_folder::read_refusal_reason(&self.host, folder, proposal.order, &statement)
                });
                statements.push(SignedStatement { reason: reason.map(|reason| Text::clean(&reason)), ..statement });
            }
        }
        let wire = &self.profile.wire;
        let request = api::request_from_text(&proposal.method, &proposal.path, &proposal.body, wire);
        let draft = request.and_then(|request| api::decode(&request, wire).ok());
        let standing = proposal_standing(&self.policy, proposal, file, &statements, draft.as_ref(), self.now);
        let is_here = self.order(proposal.order).is_some();
        let role = self.profile.policy.role;
        let is_sendable_here = draft.as_ref().is_some_and(|draft| role.may_send(draft.operation(), is_here));
        ProposalEntry {
            proposal: proposal.clone(),
            file: file.clone(),
            statements,
            draft,
            is_here,
            is_sendable_here,
            standing,
        }
    }
}

/// Another desk may have sent it: then the history was seen to show it.
fn is_over(order: &Order) -> bool {
    order.end.is_some() || order.first_sent_at().is_some() || order.last_observation().is_some()
}

fn past_standing(
    signers: Signers,
    proposal: &Proposal,
    file: &str,
    statements: &[SignedStatement],
    at: Timestamp,
) -> ProposalStanding {
    let Some(requirement) = Requirement::of_proposal(proposal) else {
        return ProposalStanding::Void("the rule that it names cannot be read".into());
    };
    let policy = ApprovalPolicy { rules: Vec::new(), signers };
    match count_quorum(&policy, &requirement, SignedProposal { file, statements }, at) {
        Ok(quorum) => ProposalStanding::Counted(quorum),
        Err(reason) => ProposalStanding::Void(Text::clean(&reason.to_string())),
    }
}

/// The text of standard input or of a file; `None` where the word names neither.
pub(super) fn read_source(source: &str) -> anyhow::Result<Option<String>> {
    if source == STANDARD_INPUT {
        return read_text(std::io::stdin(), "standard input").map(Some);
    }
    let path = Path::new(source);
    if !path.is_file() {
        return Ok(None);
    }
    let file = std::fs::File::open(path).with_context(|| format!("cannot open {source}"))?;
    read_text(file, source).map(Some)
}

fn read_text(reader: impl Read, name: &str) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    reader.take(MAX_TEXT + 1).read_to_end(&mut bytes).with_context(|| format!("cannot read {name}"))?;
    if bytes.len() as u64 > MAX_TEXT {
        bail!("{name} is longer than a proposal with all its signatures can be");
    }
    String::from_utf8(bytes).map_err(|_| anyhow!("{name} is no text in UTF-8"))
}
