//! What a service enforces: the rules and signers of approvals.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::config::read_approval_rules;
use crate::domain::approval::{ApprovalPolicy, Signers};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ApprovalOptions {
    /// Execute payments only with the approvals that the [[approval]] rules in this file ask for; read at the start alone
    #[arg(long, value_name = "FILE", requires = "signers")]
    approvals_policy: Option<PathBuf>,
    /// The people who may propose and approve, in OpenSSH's format of allowed signers
    #[arg(long, value_name = "FILE", requires = "approvals_policy")]
    signers: Option<PathBuf>,
    /// Keys of signers that no longer count, each as a public key or a fingerprint on a line of its own
    #[arg(long, value_name = "FILE", requires = "approvals_policy")]
    revoked: Option<PathBuf>,
}

impl ApprovalOptions {
    /// `None` where nothing is enforced.
    pub(super) fn read(&self) -> anyhow::Result<Option<ApprovalPolicy>> {
        let (Some(rules), Some(signers)) = (&self.approvals_policy, &self.signers) else { return Ok(None) };
        let rules = read_approval_rules(rules)?;
        let revoked = self.revoked.as_deref().map_or_else(|| Ok(String::new()), read_text)?;
        let signers_file = signers.display();
        let signers = Signers::parse(&read_text(signers)?, &revoked)
            .map_err(|fault| anyhow::anyhow!("{signers_file}, line {}: {}", fault.line, fault.message))?;
        let (people, most) = (signers.people().count(), rules.iter().map(|rule| rule.needs).max().unwrap_or(0));
        // The maker is one more.
        anyhow::ensure!(
            people > usize::from(most),
            "too few signers for a rule (approvals needed {most}, people in {signers_file} {people}): its maker does not count"
        );
        Ok(Some(ApprovalPolicy { rules, signers }))
    }
}

fn read_text(path: &Path) -> anyhow::Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::approval::key_of_seed;

    const RULE: &str = "[[approval]]\ntoken = \"USDC\"\nabove = \"10000\"\nneeds = 1\n";

    fn line(name: &str, seed: u8) -> String {
        format!("{name} {}\n", key_of_seed(seed).public_key().to_openssh().unwrap())
    }

    fn read(rules: &str, signers: &str, revoked: Option<&str>) -> Result<Option<ApprovalPolicy>, String> {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            Some(path)
        };
        let options = ApprovalOptions {
            approvals_policy: write("rules.toml", rules),
            signers: write("allowed_signers", signers),
            revoked: revoked.and_then(|text| write("revoked", text)),
        };
        let place = format!("{}/", folder.path().display());
        options.read().map_err(|error| error.to_string().replace(&place, ""))
    }

    #[test]
    fn rules_and_signers_are_read_and_what_could_never_be_met_is_refused() {
        let two = line("anna", 1) + &line("bert", 2);
        let read_policy = read(RULE, &two, Some("# nobody\n")).unwrap().unwrap();
        assert_eq!((read_policy.rules.len(), read_policy.signers.people().count()), (1, 2));
        assert_eq!(
            read(RULE, &line("anna", 1), None).unwrap_err(),
            "too few signers for a rule (approvals needed 1, people in allowed_signers 1): its maker does not count"
        );
        let fault = |rules: &str, signers: &str, revoked| read(rules, signers, revoked).unwrap_err();
        assert!(fault("", &two, None).starts_with("rules.toml, line 1: there is no rule"));
        assert!(fault(RULE, "anna\n", None).starts_with("allowed_signers, line 1: "));
        assert!(fault(RULE, &two, Some("a word\n")).contains("in the list of revoked keys"));
        let nothing = ApprovalOptions { approvals_policy: None, signers: None, revoked: None };
        assert_eq!(nothing.read().unwrap(), None);
        let options = ApprovalOptions {
            approvals_policy: Some("no-such-file".into()),
            signers: Some("none".into()),
            revoked: None,
        };
        assert_eq!(options.read().unwrap_err().to_string(), "cannot read no-such-file");
    }
}
