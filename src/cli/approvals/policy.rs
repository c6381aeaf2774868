//! `bursar approvals policy`: the rules and the people, and how they change by their own quorum.

use std::fs;
use std::io::{self, Write};

use anyhow::{Context as _, anyhow, bail};
use tokio::runtime::Builder;

use super::PolicyArguments;
use super::people::{impossible_rules, people_who_sign};
use super::policy_difference::difference;
use super::policy_file::{parse, recorded_policy, signers_of, to_text};
use super::proposals::{Proposals, STANDARD_INPUT, read_source};
use crate::app::data::proposals::ExcludedSigner;
use crate::cli::journal::journal_folder;
use crate::cli::output::{ignore_broken_pipe, print_line, print_line_to};
use crate::cli::prompt::ControllingTerminal;
use crate::cli::{CommandContext, Exit, os_user};
use crate::domain::approval::{ApprovalPolicy, PolicyRecord, Signers, StatementKind};
use crate::journal::{Journal, JournalLocation};

pub(super) fn run(context: &CommandContext, arguments: &PolicyArguments) -> anyhow::Result<Exit> {
    let proposals = Proposals::open(context)?;
    let recorded = recorded_policy(&journal_folder(context)?, &proposals.destination.base_url)?;
    let desk = PolicyDesk { context, proposals, recorded };
    match arguments {
        PolicyArguments { propose: true, .. } => desk.propose()?,
        PolicyArguments { sign: Some(source), .. } => desk.sign(source)?,
        PolicyArguments { adopt, .. } if !adopt.is_empty() => desk.adopt(adopt)?,
        PolicyArguments { propose: false, sign: None, .. } => desk.print(),
    }
    Ok(Exit::Normally)
}

struct PolicyDesk<'a> {
    context: &'a CommandContext,
    proposals: Proposals,
    recorded: Option<PolicyRecord>,
}

impl PolicyDesk<'_> {
    fn print(&self) {
        let policy = &self.proposals.policy;
        if policy.rules.is_empty() {
            print_line("no rule of this profile asks for approvals");
        }
        policy.rules.iter().for_each(|rule| print_line(&format!("rule      {rule}")));
        if !policy.signers.is_empty() {
            let (count, names) = people_who_sign(policy, self.proposals.now);
            print_line(&format!("people    {count}: {names}"));
        }
        for reason in impossible_rules(policy, self.proposals.now) {
            print_line(&format!("wrong     {reason}"));
        }
        print_line(&format!("here      {}", policy.hash()));
        match &self.recorded {
            None => print_line(
                "recorded  none yet: the console records these when it is opened next, or when somebody signs",
            ),
            Some(recorded) if recorded.rules_hash() == policy.hash() => print_line("recorded  the same"),
            Some(recorded) => {
                print_line(&format!("recorded  {}: OTHERS; nothing is paid from here", recorded.rules_hash()));
                let own_record = PolicyRecord::new(&self.proposals.destination.base_url, Some(recorded), policy);
                for line in difference(Some(recorded), &own_record) {
                    print_line(&line);
                }
                print_line(&format!(
                    "to change them, {} people of the recorded rules sign: `bursar approvals policy --propose`",
                    recorded.people_needed_to_change()
                ));
            }
        }
    }

    /// The people of the rules here, and of those recorded.
    fn known_signers(&self) -> Vec<Signers> {
        let before = self.recorded.as_ref().and_then(signers_of);
        before.into_iter().chain([self.proposals.policy.signers.clone()]).collect()
    }

    /// A change in a text, each signature with its person.
    fn parse(&self, source: &str) -> anyhow::Result<PolicyRecord> {
        let text = read_source(source)?.ok_or_else(|| anyhow!("{source}: there is no such file"))?;
        let signers = self.known_signers();
        parse(&text, &signers.iter().collect::<Vec<_>>()).with_context(|| source.to_owned())
    }

    /// The change in a text, which must be the one that the files of this console make: nobody signs what he has not in
    /// front of him.
    fn read(&self, source: &str) -> anyhow::Result<PolicyRecord> {
        let change = self.parse(source)?;
        self.check_files(source, &change, self.recorded.as_ref())?;
        Ok(change)
    }

    fn check_files(&self, source: &str, change: &PolicyRecord, before: Option<&PolicyRecord>) -> anyhow::Result<()> {
        if before.is_some_and(|before| before.rules_hash() == change.rules_hash()) {
            bail!("{source}: these rules are recorded already");
        }
        let expected = PolicyRecord::new(&self.proposals.destination.base_url, before, &self.proposals.policy);
        if change.file == expected.file {
            return Ok(());
        }
        let differences = difference(Some(&expected), change).join("; ");
        if differences.is_empty() {
            bail!(
                "{source}: this change is for another service, or follows other rules than those that this journal records; \
                 where changes were missed, give the files of all to --adopt, the oldest first"
            );
        }
        bail!("{source}: this policy is not the one that the files of this console make: {differences}")
    }

    fn propose(&self) -> anyhow::Result<()> {
        let (policy, destination) = (&self.proposals.policy, &self.proposals.destination);
        if self.recorded.as_ref().is_some_and(|recorded| recorded.rules_hash() == policy.hash()) {
            bail!("the rules and the people here are those that the journal records; change the files first");
        }
        let change = self.signed(PolicyRecord::new(&destination.base_url, self.recorded.as_ref(), policy), false)?;
        Ok(ignore_broken_pipe(io::stdout().write_all(to_text(&change).as_bytes()))?)
    }

    fn sign(&self, source: &str) -> anyhow::Result<()> {
        let change = self.signed(self.read(source)?, source == STANDARD_INPUT)?;
        let text = to_text(&change);
        if source == STANDARD_INPUT {
            return Ok(ignore_broken_pipe(io::stdout().write_all(text.as_bytes()))?);
        }
        fs::write(source, text).with_context(|| format!("cannot write {source}"))
    }

    /// Adds a signature of this console's person, who reads the change first.
    fn signed(&self, mut change: PolicyRecord, is_input_data: bool) -> anyhow::Result<PolicyRecord> {
        let say = |text: &str| print_line_to(io::stderr(), text);
        for line in difference(self.recorded.as_ref(), &change) {
            say(&line);
        }
        let mut terminal = ControllingTerminal::open(is_input_data)
            .context("nothing was signed: a person must confirm at a terminal")?;
        if terminal.ask("Type “change the rules” to sign: ")? != "change the rules" {
            bail!("nothing was signed");
        }
        let proposals = &self.proposals;
        let kind = StatementKind::Policy;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        // The people of the recorded rules count, also where the files here no longer name them.
        let signers = self.recorded.as_ref().and_then(signers_of).unwrap_or_else(|| proposals.policy.signers.clone());
        let voters = ApprovalPolicy { rules: Vec::new(), signers };
        let excluded: Vec<ExcludedSigner> =
            change.statements.iter().map(|signed| ExcludedSigner::signed_already(&signed.principal)).collect();
        let statement = runtime
            .block_on(async {
                let key = proposals.sources.signing_key(kind, &voters, &excluded, proposals.now).await?;
                key.sign(kind, &change.file).await
            })
            .map_err(anyhow::Error::msg)?;
        let person = statement.principal.clone();
        change.statements.push(statement);
        match &self.recorded {
            Some(before) => {
                let signed = before.people_who_signed_change(&change, proposals.now).len();
                say(&format!("signed by {person}: {signed} of {}", before.people_needed_to_change()));
            }
            None => say(&format!("signed by {person}; the first rules need no signature")),
        }
        Ok(change)
    }

    /// Records changes, each after the quorum of the rules before it; only the last must be what the files here make.
    fn adopt(&self, sources: &[String]) -> anyhow::Result<()> {
        let mut changes = Vec::with_capacity(sources.len());
        for source in sources {
            changes.push((source, self.parse(source)?));
        }
        // Whoever gives all files needs not know which of them this journal has.
        let is_recorded =
            |(_, change): &(&String, PolicyRecord)| self.recorded.as_ref().is_some_and(|it| it.file == change.file);
        let missed = match changes.iter().rposition(is_recorded) {
            Some(at) => changes.split_off(at + 1),
            None => changes,
        };
        if missed.is_empty() {
            bail!("{}: these rules are recorded already", sources.join(", "));
        }
        let mut before = self.recorded.clone();
        for (at, (source, change)) in missed.iter().enumerate() {
            if at + 1 == missed.len() {
                self.check_files(source, change, before.as_ref())?;
            }
            change.check_change(before.as_ref(), self.proposals.now).with_context(|| (*source).clone())?;
            before = Some(change.clone());
        }
        let place = JournalLocation::Folder(journal_folder(self.context)?);
        let journal = Journal::open(&place, os_user::console_identity(&self.context.environment))?.journal;
        for (_, change) in missed {
            journal.record_approval_policy(&self.proposals.destination, change, self.proposals.now)?;
        }
        print_line("recorded: these rules and people are in force on this journal; start consoles that are open again");
        Ok(())
    }
}
