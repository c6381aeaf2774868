//! `bursar approvals policy`: the rules and the people, and how they change by their own quorum.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};

use anyhow::{Context as _, anyhow, bail};
use tokio::runtime::Builder;

use super::PolicyArguments;
use super::people::{impossible_rules, people_who_sign};
use super::policy_file::{parse, recorded_policy, signers_of, to_text};
use super::proposals::{Proposals, STANDARD_INPUT, read_source};
use crate::cli::journal::journal_folder;
use crate::cli::output::{ignore_broken_pipe, print_line, print_line_to};
use crate::cli::prompt::ControllingTerminal;
use crate::cli::{CommandContext, Exit, os_user};
use crate::domain::Text;
use crate::domain::approval::{PolicyRecord, Signers, StatementKind};
use crate::journal::{Journal, JournalLocation};

pub(super) fn run(context: &CommandContext, arguments: &PolicyArguments) -> anyhow::Result<Exit> {
    let proposals = Proposals::open(context)?;
    let recorded = recorded_policy(&journal_folder(context)?, &proposals.here.base_url)?;
    let desk = PolicyDesk { context, proposals, recorded };
    match arguments {
        PolicyArguments { propose: true, .. } => desk.propose()?,
        PolicyArguments { sign: Some(source), .. } => desk.sign(source)?,
        PolicyArguments { adopt: Some(source), .. } => desk.adopt(source)?,
        PolicyArguments { propose: false, sign: None, adopt: None } => desk.print(),
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
        impossible_rules(policy, self.proposals.now).iter().for_each(|why| print_line(&format!("wrong     {why}")));
        print_line(&format!("here      {}", policy.hash()));
        match &self.recorded {
            None => print_line(
                "recorded  none yet: the console records these when it is opened next, or when somebody signs",
            ),
            Some(recorded) if recorded.hash() == policy.hash() => print_line("recorded  the same"),
            Some(recorded) => {
                print_line(&format!("recorded  {}: OTHERS; nothing is paid from here", recorded.hash()));
                let here = PolicyRecord::new(&self.proposals.here.base_url, Some(recorded), policy);
                for line in difference(Some(recorded), &here) {
                    print_line(&line);
                }
                print_line(&format!(
                    "to change them, {} people of the recorded rules sign: `bursar approvals policy --propose`",
                    recorded.people_to_change()
                ));
            }
        }
    }

    /// The people of the rules here, and of those recorded.
    fn known_signers(&self) -> Vec<Signers> {
        let before = self.recorded.as_ref().and_then(signers_of);
        before.into_iter().chain([self.proposals.policy.signers.clone()]).collect()
    }

    fn read(&self, source: &str) -> anyhow::Result<PolicyRecord> {
        let text = read_source(source)?.ok_or_else(|| anyhow!("{source}: there is no such file"))?;
        let known = self.known_signers();
        let change = parse(&text, &known.iter().collect::<Vec<_>>()).with_context(|| source.to_owned())?;
        let expected = PolicyRecord::new(&self.proposals.here.base_url, self.recorded.as_ref(), &self.proposals.policy);
        if self.recorded.as_ref().is_some_and(|recorded| recorded.hash() == change.hash()) {
            bail!("{source}: these rules are recorded already");
        }
        // Whoever signs has the same rules and people in the own files: nobody signs what he has not in front of him.
        if change.file != expected.file {
            let words = difference(Some(&expected), &change).join("; ");
            let words = if words.is_empty() { "another service, or other rules before".to_owned() } else { words };
            bail!("{source}: this policy is not the one that the files of this console make: {words}");
        }
        Ok(change)
    }

    fn propose(&self) -> anyhow::Result<()> {
        let (policy, here) = (&self.proposals.policy, &self.proposals.here);
        if self.recorded.as_ref().is_some_and(|recorded| recorded.hash() == policy.hash()) {
            bail!("the rules and the people here are those that the journal records; change the files first");
        }
        let change = self.signed(PolicyRecord::new(&here.base_url, self.recorded.as_ref(), policy), false)?;
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
        let say = |words: &str| print_line_to(io::stderr(), words);
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
        let statement = runtime
            .block_on(async {
                let key = proposals.desk.signing_key(kind, &proposals.policy, None, proposals.now).await?;
                key.sign(kind, &change.file).await
            })
            .map_err(anyhow::Error::msg)?;
        let person = statement.principal.clone();
        if change.statements.iter().any(|signed| signed.principal == person) {
            bail!("{person} signed this already; people are counted, not signatures");
        }
        change.statements.push(statement);
        match &self.recorded {
            Some(before) => {
                let signed = before.people_who_signed(&change, proposals.now).len();
                say(&format!("signed by {person}: {signed} of {}", before.people_to_change()));
            }
            None => say(&format!("signed by {person}; the first rules need no signature")),
        }
        Ok(change)
    }

    fn adopt(&self, source: &str) -> anyhow::Result<()> {
        let change = self.read(source)?;
        let place = JournalLocation::Folder(journal_folder(self.context)?);
        let journal = Journal::open(&place, os_user::console_identity(&self.context.environment))?.journal;
        journal.record_approval_policy(&self.proposals.here, change, self.proposals.now)?;
        print_line("recorded: these rules and people are in force on this journal");
        Ok(())
    }
}

/// What a change adds and removes, a line each.
fn difference(before: Option<&PolicyRecord>, after: &PolicyRecord) -> Vec<String> {
    let parts = |policy: &PolicyRecord| {
        let (signers, revoked) = policy.signer_texts().unwrap_or_default();
        let lines = |label: &str, text: &str| {
            text.lines().map(|line| format!("{label:<8}{}", Text::clean(line))).collect::<Vec<_>>()
        };
        let rules = policy.rules().into_iter().map(|rule| format!("{:<8}{}", "rule", Text::clean(&rule)));
        rules.chain(lines("signer", &signers)).chain(lines("revoked", &revoked)).collect::<BTreeSet<_>>()
    };
    let (before, after) = (before.map(parts).unwrap_or_default(), parts(after));
    let removed = before.difference(&after).map(|line| format!("- {line}"));
    removed.chain(after.difference(&before).map(|line| format!("+ {line}"))).collect()
}
