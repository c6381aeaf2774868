//! Whose signatures count: OpenSSH's `allowed_signers` and a list of revoked keys.
//!
//! Stricter than OpenSSH where people are counted: a line names one person, no pattern; a key belongs to one person; and
//! nothing unknown is skipped. A time without `Z` is UTC here and local time for `ssh-keygen`: write the `Z`.

mod line;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::domain::{Text, Timestamp};

use super::ssh_signature::{PublicKey, Touch, openssh_fingerprint};
use super::statement::StatementKind;
use line::SignerLine;

/// The people who may sign, by their keys. The same people in another text are other signers: a change of the text is a
/// change of the policy.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Signers {
    lines: Vec<SignerLine>,
    /// Fingerprints.
    revoked: BTreeSet<String>,
    allowed_text: String,
    revoked_text: String,
}

/// Why a file of signers is refused, and at which line, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct SignersFault {
    pub line: usize,
    pub message: String,
}

/// Why a key's signature does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotASigner {
    #[error("the key is not among the signers")]
    Unknown,
    #[error("the key is revoked")]
    Revoked,
    #[error("the key may not sign this kind of statement")]
    OtherNamespace,
    #[error("the key is not valid yet")]
    NotYetValid,
    #[error("the key has expired")]
    Expired,
}

impl Signers {
    /// Parses the text of `allowed_signers` and the list of revoked keys: one public key or fingerprint (`SHA256:…`) a
    /// line. Either may be empty. Where the message concerns the second, it says so.
    pub fn parse(allowed_signers: &str, revoked: &str) -> Result<Self, SignersFault> {
        let lines = parse_numbered_lines(allowed_signers, SignerLine::parse)?;
        check_people(&lines)?;
        let revoked_keys = parse_numbered_lines(revoked, parse_revoked_fingerprint)?;
        Ok(Self {
            lines: lines.into_iter().map(|(_, line)| line).collect(),
            revoked: revoked_keys.into_iter().map(|(_, fingerprint)| fingerprint).collect(),
            allowed_text: allowed_signers.to_owned(),
            revoked_text: revoked.to_owned(),
        })
    }

    /// Who a key belongs to, if it may sign in a namespace at a time. Where the key has several lines, one that allows it
    /// suffices.
    pub fn principal(&self, key: &PublicKey, namespace: &str, at: Timestamp) -> Result<Text, NotASigner> {
        if self.revoked.contains(&key.fingerprint()) {
            return Err(NotASigner::Revoked);
        }
        let mut fault = NotASigner::Unknown;
        for line in self.lines.iter().filter(|line| line.key == *key) {
            match line.check(namespace, at) {
                Ok(()) => return Ok(line.principal.clone()),
                Err(reason) => fault = reason,
            }
        }
        Err(fault)
    }

    /// Who a key belongs to, whether or not it may sign.
    pub fn owner(&self, key: &PublicKey) -> Option<&Text> {
        self.lines.iter().find(|line| line.key == *key).map(|line| &line.principal)
    }

    /// Each person once, also those none of whose keys counts any more.
    pub fn people(&self) -> impl Iterator<Item = &Text> {
        self.lines.iter().map(|line| &line.principal).collect::<BTreeSet<_>>().into_iter()
    }

    /// Each person, and why no key counts for this kind of statement at a time; `None` where one does.
    pub fn signing_fault_by_person(&self, kind: StatementKind, at: Timestamp) -> BTreeMap<&Text, Option<NotASigner>> {
        self.signing_fault_by_person_with(|_| true, kind, at)
    }

    /// The most approvals that a payment can get at a time, whoever makes it: its maker does not count.
    pub fn max_possible_approvals(&self, touch: Touch, at: Timestamp) -> usize {
        let people = |faults: BTreeMap<&Text, Option<NotASigner>>| {
            faults.into_iter().filter(|(_, fault)| fault.is_none()).map(|(person, _)| person.clone()).collect()
        };
        let proves = |line: &SignerLine| touch == Touch::None || line.key.is_in_security_key();
        let makers: BTreeSet<Text> = people(self.signing_fault_by_person(StatementKind::Propose, at));
        let approvers: BTreeSet<Text> = people(self.signing_fault_by_person_with(proves, StatementKind::Approve, at));
        let others = makers.iter().map(|maker| approvers.iter().filter(|person| *person != maker).count());
        others.max().unwrap_or(0)
    }

    fn signing_fault_by_person_with(
        &self,
        counts_line: impl Fn(&SignerLine) -> bool,
        kind: StatementKind,
        at: Timestamp,
    ) -> BTreeMap<&Text, Option<NotASigner>> {
        let mut faults = BTreeMap::new();
        for line in self.lines.iter().filter(|line| counts_line(line)) {
            let is_revoked = self.revoked.contains(&line.key.fingerprint());
            let fault = if is_revoked { Some(NotASigner::Revoked) } else { line.check(kind.namespace(), at).err() };
            let fault_of_all = faults.entry(&line.principal).or_insert(fault);
            *fault_of_all = fault_of_all.and(fault);
        }
        faults
    }

    /// The texts that they were read from: who may sign, and the revoked keys.
    pub fn file_texts(&self) -> (&str, &str) {
        (&self.allowed_text, &self.revoked_text)
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Both texts, byte for byte, each behind its length, so that neither can be taken for the other.
    pub fn canonical_text(&self) -> String {
        let (allowed, revoked) = (&self.allowed_text, &self.revoked_text);
        format!("allowed-signers {}\n{allowed}revoked {}\n{revoked}", allowed.len(), revoked.len())
    }
}

/// Parses each line that is neither blank nor a comment, with its number.
fn parse_numbered_lines<T>(
    text: &str,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<(usize, T)>, SignersFault> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(line, text)| Ok((line, parse(text).map_err(|message| SignersFault { line, message })?))).collect()
}

/// People are counted: none may count twice, under a second spelling or by a key of another person.
fn check_people(lines: &[(usize, SignerLine)]) -> Result<(), SignersFault> {
    let (mut owners, mut spellings) = (HashMap::new(), BTreeMap::new());
    for (line, signer) in lines {
        let principal = &signer.principal;
        let owner = *owners.entry(&signer.key).or_insert(principal);
        if owner != principal {
            let message = format!("this key is {owner}'s already; a key belongs to one person");
            return Err(SignersFault { line: *line, message });
        }
        let spelling = *spellings.entry(principal.to_lowercase()).or_insert(principal);
        if spelling != principal {
            let message = format!("“{principal}” and “{spelling}” differ only in capitals; write one person one way");
            return Err(SignersFault { line: *line, message });
        }
    }
    Ok(())
}

fn parse_revoked_fingerprint(line: &str) -> Result<String, String> {
    let is_base64 =
        |digits: &str| digits.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'));
    let word = line.split_ascii_whitespace().next().unwrap_or_default();
    let fingerprint = match word.strip_prefix("SHA256:") {
        Some(digits) => (digits.len() == 43 && is_base64(digits)).then(|| word.to_owned()),
        None => openssh_fingerprint(line),
    };
    fingerprint.ok_or_else(|| {
        "in the list of revoked keys: this is neither a public key nor a fingerprint as in “SHA256:…”".to_owned()
    })
}
