//! `bursar approve` and `bursar refuse`: sign that a proposal is approved, or refused.

use std::io::{self, IsTerminal as _, Write as _};

use anyhow::{Context as _, bail};
use tokio::runtime::Builder;

use super::policy_file::check_recorded_policy;
use super::proposal_text::{LABEL_COLUMNS, proposal_lines, standing_text};
use super::proposals::{Proposals, STANDARD_INPUT};
use super::second_judgement::{Judgement, judge};
use crate::app::data::proposals::{ProposalEntry, ProposalStanding};
use crate::cli::journal::journal_folder;
use crate::cli::output::{ignore_broken_pipe, print_labelled_to, print_line, print_line_to};
use crate::cli::prompt::ControllingTerminal;
use crate::cli::{CommandContext, Exit, os_user};
use crate::domain::address::{recognise_address_kind, split_into_groups};
use crate::domain::approval::{
    CLOCK_MARGIN, NotApproved, SignedStatement, StatementKind, StatementWithProposal, check_destination,
};
use crate::domain::{Draft, ReadOnlyReason, Text};
use crate::guard::{Severity, challenge_range};
use crate::journal::{Journal, JournalLocation};
use crate::runtime::Clock;
use crate::runtime::effect_runner::{approval_folder, proposal_standing};

/// The phrase for approving what this machine could not judge.
const NOT_JUDGED_PHRASE: &str = "approve without this machine's check";
/// The most recipients of a batch for which address characters are typed: those who get most.
const MAX_TYPED_RECIPIENTS: usize = 3;
/// Of an answer.
const MAX_TRIES: usize = 3;

pub(super) fn run(
    context: &CommandContext,
    source: &str,
    kind: StatementKind,
    reason: Option<Text>,
) -> anyhow::Result<Exit> {
    let proposals = Proposals::open(context)?;
    if proposals.policy.rules.is_empty() {
        bail!("no rule of this profile asks for approvals, so nothing is signed here; see `bursar help approvals`");
    }
    check_may_change(context)?;
    let entry = proposals.find(source)?;
    let order = proposals.order(entry.proposal.order);
    for line in proposal_lines(&entry, order, &Proposals::names(context)?, proposals.now) {
        print_note(&line);
    }
    let place = JournalLocation::Folder(journal_folder(context)?);
    let journal = Journal::open(&place, os_user::console_identity(&context.environment))?.journal;
    check_recorded_policy(&journal, &proposals)?;
    check_signable(&proposals, &entry, kind)?;
    let excluded = entry.excluded_signers(kind);
    let signer = Builder::new_current_thread().enable_all().build()?;
    let key = signer
        .block_on(proposals.sources.signing_key(kind, &proposals.policy, &excluded, proposals.now))
        .map_err(anyhow::Error::msg)?;
    let prompts = match kind {
        StatementKind::Approve => approval_prompts(&entry, &judge(context, &proposals, &entry, &journal))?,
        _ => vec![Prompt::phrase("refuse")],
    };
    if key.is_forwarded() {
        print_note("signed by   a key on another machine, which SSH forwards here");
    }
    ask_all(&prompts, source == STANDARD_INPUT, kind)?;
    let at = Clock::System.now();
    if at >= entry.proposal.expires {
        bail!("{}", NotApproved::Expired(entry.proposal.expires));
    }
    let signed = signer.block_on(key.sign(kind, &entry.file)).map_err(anyhow::Error::msg)?;
    let statement = SignedStatement { reason, ..signed };
    let record = StatementWithProposal { file: entry.file.clone(), statement: statement.clone() };
    if entry.is_here {
        journal.record_statement(entry.proposal.order, record, at)?;
    } else {
        journal.record_statement_on_foreign_proposal(&proposals.destination, record, at)?;
    }
    hand_over(&proposals, entry, &statement)
}

/// Writes the signature where the others find it, and reports how far the proposal is.
fn hand_over(proposals: &Proposals, mut entry: ProposalEntry, statement: &SignedStatement) -> anyhow::Result<Exit> {
    let (id, person) = (entry.proposal.order, statement.principal.clone());
    entry.statements.push(statement.clone());
    let standing = proposal_standing(
        &proposals.policy,
        &entry.proposal,
        &entry.file,
        &entry.statements,
        entry.draft.as_ref(),
        proposals.now,
    );
    let standing = standing_text(&standing);
    if let Some(folder) = &proposals.sources.folder {
        let host = &proposals.host;
        approval_folder::write_proposal(host, folder, id, &entry.file)
            .and_then(|()| approval_folder::write_statement(host, folder, id, statement))
            .map_err(anyhow::Error::msg)
            .context("signed and recorded in the journal, but the others cannot see it yet")?;
        print_line(&format!("{id}: signed by {person}, {standing}; nothing was sent from here"));
        return Ok(Exit::Normally);
    }
    ignore_broken_pipe(io::stdout().write_all(entry.to_envelope().to_text().as_bytes()))?;
    let text = if io::stdout().is_terminal() { "the text above" } else { "the text" };
    print_line_to(io::stderr(), &format!("signed by {person}, {standing}; hand {text} to whoever releases it"));
    Ok(Exit::Normally)
}

fn check_may_change(context: &CommandContext) -> anyhow::Result<()> {
    let config = context.config()?;
    let profile = config.profile()?;
    if config.is_read_only(profile) {
        bail!("this profile is read-only: nothing is signed");
    }
    if let Some(remedy) = config.permissions_remedy(profile) {
        bail!("{}", ReadOnlyReason::WritableConfiguration { remedy: Text::clean(&remedy) });
    }
    Ok(())
}

/// Whether a signature would be about a payment that is still open, for this very service.
fn check_signable(proposals: &Proposals, entry: &ProposalEntry, kind: StatementKind) -> anyhow::Result<()> {
    let proposal = &entry.proposal;
    check_destination(proposal, &proposals.destination)?;
    if proposal.made_at > proposals.now.plus(CLOCK_MARGIN) {
        bail!("{}", NotApproved::FromFuture(proposal.made_at));
    }
    if proposals.now >= proposal.expires {
        bail!("{}", NotApproved::Expired(proposal.expires));
    }
    if let Some(order) = proposals.order(proposal.order) {
        if order.first_sent_at().is_some() {
            bail!("this order was sent already; nothing is left to approve or to refuse");
        }
        if order.end.is_some() {
            bail!("this order was given up; it will not be sent");
        }
    }
    match &entry.standing {
        ProposalStanding::Counted(quorum) if quorum.refusal.is_some() => quorum.check()?,
        ProposalStanding::Sent => bail!("{}", NotApproved::SentElsewhere),
        ProposalStanding::Void(reason) if kind == StatementKind::Approve => bail!("it counts for nothing: {reason}"),
        ProposalStanding::Void(_) | ProposalStanding::Counted(_) => {}
    }
    Ok(())
}

/// What a person types before the signature is made.
struct Prompt {
    question: String,
    expected: String,
    ignores_case: bool,
}

impl Prompt {
    /// Asks until the answer is right.
    fn ask(&self, terminal: &mut ControllingTerminal) -> anyhow::Result<()> {
        let (mut tries_left, mut remark) = (MAX_TRIES, String::new());
        loop {
            let typed = terminal.ask(&format!("{remark}{}: ", self.question)).context("nothing was signed")?;
            if typed == self.expected || self.ignores_case && typed.eq_ignore_ascii_case(&self.expected) {
                return Ok(());
            }
            tries_left -= 1;
            let wrong = format!("“{}” does not match the proposal", Text::clean(&typed));
            remark = match tries_left {
                0 => bail!("nothing was signed: {wrong}"),
                1 => format!("{wrong}; this is the last try.\n"),
                _ => format!("{wrong}; {tries_left} tries are left. Ctrl-C cancels.\n"),
            };
        }
    }

    fn phrase(phrase: &str) -> Self {
        Self { question: format!("Type “{phrase}”"), expected: phrase.to_owned(), ignores_case: false }
    }

    fn figure(figure: &str, expected: String) -> Self {
        Self { question: format!("Type {figure}, in digits"), expected, ignores_case: false }
    }

    /// The characters in the middle of an address, which is shown without them.
    fn address(address: &str) -> Self {
        let range = challenge_range(address);
        let mut at = 0;
        let groups = split_into_groups(address).into_iter().map(|group| {
            let start = at;
            at += group.len();
            if range.contains(&start) { "?".repeat(group.len()) } else { group.to_owned() }
        });
        let grouped = groups.collect::<Vec<_>>().join(" ");
        Self {
            question: format!("Type the characters that are missing in\n  {grouped}"),
            expected: address.get(range).unwrap_or(address).to_owned(),
            ignores_case: recognise_address_kind(address).is_some_and(|kind| kind.is_case_insensitive),
        }
    }
}

/// For whoever signs; standard output may carry the signature.
fn print_note(line: &str) {
    print_labelled_to(io::stderr(), line, LABEL_COLUMNS);
}

/// Prints the findings, and returns what must be typed in spite of them.
fn approval_prompts(entry: &ProposalEntry, judgement: &Judgement) -> anyhow::Result<Vec<Prompt>> {
    let say = print_note;
    let mut phrases: Vec<&str> = Vec::new();
    match judgement {
        Judgement::NotJudged(reason) => {
            say(&format!("not judged  this machine could not check the payment: {reason}"));
            phrases.push(NOT_JUDGED_PHRASE);
        }
        Judgement::Judged { findings, as_of } => {
            say(&format!("judged      by what this machine has read, {as_of}"));
            for (recipient, finding) in findings {
                let recipient_label = recipient.map_or_else(String::new, |number| format!("recipient {number}: "));
                say(&format!("{:<12}{recipient_label}{}", finding.severity.word(), finding.message));
                finding.lines.iter().for_each(|line| say(&format!("            {line}")));
                match (finding.severity, finding.override_phrase) {
                    (Severity::Note | Severity::Caution, _) => {}
                    (Severity::Danger, Some(phrase)) if phrases.contains(&phrase) => {}
                    (Severity::Danger, Some(phrase)) => phrases.push(phrase),
                    (Severity::Stop | Severity::Danger, _) => bail!("nothing was signed: {}", finding.message),
                }
            }
        }
    }
    let draft = entry.draft.as_ref().context("this version reads no payment in the proposal; nothing was signed")?;
    let mut prompts = payment_prompts(draft)?;
    prompts.extend(phrases.into_iter().map(Prompt::phrase));
    Ok(prompts)
}

fn payment_prompts(draft: &Draft) -> anyhow::Result<Vec<Prompt>> {
    if let Draft::Batch(batch) = draft {
        let total = batch.total_as_written().context("the amounts of the batch have no sum; nothing was signed")?;
        let amounts = batch.amounts_as_written().unwrap_or_default();
        let mut largest: Vec<_> = batch.to.iter().zip(amounts).collect();
        largest.sort_by(|(_, one), (_, other)| other.cmp_value(*one));
        let mut prompts = vec![
            Prompt::figure("the total", total.to_string()),
            Prompt::figure("the number of recipients", batch.to.len().to_string()),
        ];
        prompts.extend(largest.iter().take(MAX_TYPED_RECIPIENTS).map(|(to, _)| Prompt::address(&to.address)));
        return Ok(prompts);
    }
    if let Some(payment) = draft.single_payment() {
        return Ok(vec![Prompt::figure("the amount", payment.amount.to_string()), Prompt::address(&payment.to)]);
    }
    let exchange = draft.exchange().context("it moves no money; nothing was signed")?;
    Ok(vec![Prompt::figure("the amount sold", exchange.amount.to_string())])
}

/// Asks at the terminal: standard input may carry the proposal, and a script must not approve.
fn ask_all(prompts: &[Prompt], is_input_data: bool, kind: StatementKind) -> anyhow::Result<()> {
    let mut terminal = match ControllingTerminal::open(is_input_data) {
        // SSH gives a command no terminal while it passes a file to its standard input.
        Err(_) if is_input_data => {
            let command = if kind == StatementKind::Approve { "approve" } else { "refuse" };
            bail!(
                "nothing was signed: there is no terminal to confirm at. Over SSH, copy the proposal there first, and \
                 then: ssh -t HOST bursar {command} FILE"
            );
        }
        opened => opened.context("nothing was signed: a person must confirm at a terminal (over SSH: ssh -t)")?,
    };
    prompts.iter().try_for_each(|prompt| prompt.ask(&mut terminal))
}
