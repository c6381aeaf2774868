//! `bursar approvals`, `bursar approve` and `bursar refuse`: payments that other people must approve.

mod audit;
mod audit_file;
mod list;
mod people;
mod policy;
mod policy_difference;
mod policy_file;
mod proposal_text;
mod proposals;
mod second_judgement;
mod sign;
mod verify;

use std::path::PathBuf;

use clap::Subcommand;

use super::{CommandContext, Exit};
use crate::domain::Text;
use crate::domain::approval::StatementKind;

pub(super) use list::recipients_text;
pub(super) use people::{impossible_rules, people_count, people_who_sign};
pub(super) use policy_file::recorded_policy;
pub(super) use proposal_text::payment_summary;
pub(super) use proposals::Proposals;

/// What `bursar approvals` may be told.
#[derive(Debug, Subcommand)]
pub(super) enum ApprovalsCommand {
    /// List what waits for approvals, or for its release
    List {
        /// Write the list as JSON
        #[arg(long)]
        json: bool,
        /// With those that have expired
        #[arg(long)]
        all: bool,
    },
    /// Show a proposal as its bytes state it, and who signed it; also one that was sent, refused or given up
    Show {
        /// The order by its identifier or the first 8 characters of it, a file, or - for standard input
        #[arg(value_name = "ID|FILE|-")]
        proposal: String,
        /// Write the signed file itself, byte for byte
        #[arg(long, conflicts_with = "envelope")]
        raw: bool,
        /// Write the file and all signatures as one text, to carry elsewhere
        #[arg(long)]
        envelope: bool,
    },
    /// Count the signatures of a proposal, or verify every signature of an exported journal
    ///
    /// Exit code 0: enough people approved, or no signature of the export is wrong. 3: too few did. 1: broken.
    Verify(VerifyArguments),
    /// The rules of approval and the people: show, propose a change, sign it, adopt it
    Policy(PolicyArguments),
}

#[derive(Debug, clap::Args)]
pub(super) struct VerifyArguments {
    /// The proposal with its signatures: a file, or - for standard input
    #[arg(value_name = "FILE|-", required_unless_present = "all")]
    envelope: Option<String>,
    /// A journal as `bursar export audit --format json` writes it; needs no profile and no journal
    #[arg(long, value_name = "FILE", conflicts_with = "envelope", requires = "signers")]
    all: Option<PathBuf>,
    /// The people who may sign, in OpenSSH's `allowed_signers` format
    #[arg(long, value_name = "FILE", requires = "all")]
    signers: Option<PathBuf>,
    /// Keys whose signatures count for nothing, whenever they were made
    #[arg(long, value_name = "FILE", requires = "all")]
    revoked: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(super) struct PolicyArguments {
    /// Sign that the rules and people here take the place of those recorded, and write that as a text
    #[arg(long, conflicts_with_all = ["sign", "adopt"])]
    propose: bool,
    /// Add your signature to a change that somebody proposed: in its file, or from standard input to standard output
    #[arg(long, value_name = "FILE|-", conflicts_with = "adopt")]
    sign: Option<String>,
    /// Record a change that enough people signed; where changes were missed, the files of all, the oldest first
    #[arg(long, value_name = "FILE|-", num_args = 1..)]
    adopt: Vec<String>,
}

/// What `bursar approve` may be told.
#[derive(Debug, clap::Args)]
pub(super) struct ApproveArguments {
    /// The order by its identifier or the first 8 characters of it, a file, or - for standard input
    #[arg(value_name = "ID|FILE|-")]
    proposal: String,
}

/// What `bursar refuse` may be told.
#[derive(Debug, clap::Args)]
pub(super) struct RefuseArguments {
    /// The order by its identifier or the first 8 characters of it, a file, or - for standard input
    #[arg(value_name = "ID|FILE|-")]
    proposal: String,
    /// Why, for whoever proposed it; it is recorded, and not signed
    #[arg(long, value_name = "WORDS")]
    reason: String,
}

pub(super) fn run(context: &CommandContext, command: ApprovalsCommand) -> anyhow::Result<Exit> {
    match command {
        ApprovalsCommand::List { json, all } => list::run(context, json, all),
        ApprovalsCommand::Show { proposal, raw, envelope } => proposal_text::run(context, &proposal, raw, envelope),
        ApprovalsCommand::Verify(VerifyArguments { all: Some(file), signers, revoked, .. }) => {
            audit::run(&file, signers.as_deref(), revoked.as_deref())
        }
        ApprovalsCommand::Verify(arguments) => verify::run(context, &arguments.envelope.unwrap_or_default()),
        ApprovalsCommand::Policy(arguments) => policy::run(context, &arguments),
    }
}

pub(super) fn approve(context: &CommandContext, arguments: &ApproveArguments) -> anyhow::Result<Exit> {
    sign::run(context, &arguments.proposal, StatementKind::Approve, None)
}

pub(super) fn refuse(context: &CommandContext, arguments: &RefuseArguments) -> anyhow::Result<Exit> {
    let reason = Text::clean(arguments.reason.trim());
    if reason.is_empty() {
        anyhow::bail!("a refusal needs its reason, as in --reason \"no such invoice\"");
    }
    sign::run(context, &arguments.proposal, StatementKind::Refuse, Some(reason))
}
