//! Who may sign, with which key this console signs, and where proposals are exchanged.

use std::path::PathBuf;
use std::sync::Arc;

use super::folder;
use crate::app::data::proposals::{DeskSigners, ExcludedSigner};
use crate::config::ApprovalSettings;
use crate::domain::approval::{
    ApprovalPolicy, ApprovalRule, PrivateKey, PublicKey, SignedStatement, Signers, StatementKind, sign_with,
};
use crate::domain::{Text, Timestamp};
use crate::runtime::HostPermission;
use crate::secrets::ssh_agent;
use crate::secrets::ssh_key_file::{self, KeyFile, KeyFileFault};

/// What a console needs to sign proposals and to count the signatures of others.
#[derive(Debug, Clone)]
pub struct ApprovalSources {
    pub signers: SignersSource,
    pub keys: KeySource,
    /// The folder that every desk reaches; `None` where proposals are carried by hand.
    pub folder: Option<PathBuf>,
}

#[derive(Debug, Clone)]
pub enum SignersSource {
    /// `allowed_signers` and the revoked keys, read again each time: somebody may have left.
    Files { host: HostPermission, signers: PathBuf, revoked: PathBuf },
    /// Of a demo.
    Fixed(Signers),
}

#[derive(Debug, Clone)]
pub enum KeySource {
    /// The first key of the agent that is a signer's.
    Agent,
    /// A file: of a private key, or of one with which the agent signs.
    File(HostPermission, PathBuf),
    /// Of a demo: the first of somebody who may sign.
    Fixed(Arc<[PrivateKey]>),
}

/// A key that signs here, and whose it is.
pub struct SigningKey {
    pub person: Text,
    key: AvailableKey,
}

enum AvailableKey {
    InAgent(PublicKey),
    Private(Box<PrivateKey>),
}

impl AvailableKey {
    fn public(&self) -> Option<PublicKey> {
        match self {
            Self::InAgent(public) => Some(public.clone()),
            Self::Private(private) => PublicKey::from_ssh(private.public_key()).ok(),
        }
    }

    fn is_forwarded(&self) -> bool {
        matches!(self, Self::InAgent(_)) && ssh_agent::is_forwarded()
    }
}

impl Default for ApprovalSources {
    /// Nobody signs, and nothing is exchanged.
    fn default() -> Self {
        let (signers, keys) = (SignersSource::Fixed(Signers::default()), KeySource::Fixed(Arc::new([])));
        Self { signers, keys, folder: None }
    }
}

impl ApprovalSources {
    pub fn of_settings(settings: &ApprovalSettings, host: &HostPermission) -> Self {
        let ApprovalSettings { folder, signers, revoked, key } = settings.clone();
        Self {
            signers: SignersSource::Files { host: host.clone(), signers, revoked },
            keys: key.map_or(KeySource::Agent, |path| KeySource::File(host.clone(), path)),
            folder,
        }
    }

    /// The rules with the people who may sign; without rules, nobody need sign and no file is read.
    ///
    /// # Errors
    /// Where the files of signers cannot be read, in words.
    pub fn policy_with_signers(&self, rules: &[ApprovalRule]) -> Result<ApprovalPolicy, String> {
        if rules.is_empty() {
            return Ok(ApprovalPolicy::default());
        }
        let signers = match &self.signers {
            SignersSource::Fixed(signers) => signers.clone(),
            SignersSource::Files { host, signers, revoked } => {
                let allowed = folder::read_text_file(host, signers)?.ok_or_else(|| {
                    format!("payments need approval, but there is no {}: who may sign stands there", signers.display())
                })?;
                let revoked_text = folder::read_text_file(host, revoked)?.unwrap_or_default();
                Signers::parse(&allowed, &revoked_text)
                    .map_err(|fault| format!("{}, line {}: {}", signers.display(), fault.line, fault.message))?
            }
        };
        Ok(ApprovalPolicy { rules: rules.to_vec(), signers })
    }

    /// The key with which this console signs, of nobody who is excluded.
    ///
    /// # Errors
    /// Where no such key is at hand: what to do about it, in words.
    pub async fn signing_key(
        &self,
        kind: StatementKind,
        policy: &ApprovalPolicy,
        excluded: &[ExcludedSigner],
        at: Timestamp,
    ) -> Result<SigningKey, String> {
        let mut refusals = Vec::new();
        for key in self.available_keys().await? {
            let Some(public) = key.public() else { continue };
            match policy.signers.principal(&public, kind.namespace(), at) {
                Ok(person) => match excluded.iter().find(|other| other.person == person) {
                    Some(other) => refusals.push(other.to_string()),
                    None => return Ok(SigningKey { person, key }),
                },
                Err(reason) => refusals.push(format!("{}: {reason}", public.fingerprint())),
            }
        }
        Err(match refusals.as_slice() {
            [] => "there is no key to sign with: add one with ssh-add, or name its file as signing_key".to_owned(),
            _ => format!("no key here may sign this: {}", refusals.join("; ")),
        })
    }

    /// Who can approve with the keys that are at hand.
    pub async fn desk_signers(&self, policy: &ApprovalPolicy, at: Timestamp) -> DeskSigners {
        let keys = self.available_keys().await.unwrap_or_default();
        let namespace = StatementKind::Approve.namespace();
        let signer = |key: AvailableKey| Some((policy.signers.principal(&key.public()?, namespace, at).ok()?, key));
        let signers: Vec<(Text, AvailableKey)> = keys.into_iter().filter_map(signer).collect();
        let has_forwarded_key = signers.iter().any(|(_, key)| key.is_forwarded());
        DeskSigners { people: signers.into_iter().map(|(person, _)| person).collect(), has_forwarded_key }
    }

    async fn available_keys(&self) -> Result<Vec<AvailableKey>, String> {
        match &self.keys {
            KeySource::Fixed(keys) => {
                Ok(keys.iter().cloned().map(|key| AvailableKey::Private(Box::new(key))).collect())
            }
            KeySource::Agent => {
                let keys = ssh_agent::agent_keys().await.map_err(|fault| fault.to_string())?;
                Ok(keys.into_iter().map(|(public, _)| AvailableKey::InAgent(public)).collect())
            }
            KeySource::File(_host, path) => match ssh_key_file::read_key_file(path) {
                Ok(KeyFile::Private(key)) => Ok(vec![AvailableKey::Private(key)]),
                Ok(KeyFile::InAgent(public)) => Ok(vec![AvailableKey::InAgent(public)]),
                Err(KeyFileFault::File(error)) => Err(format!("cannot read {}: {error}", path.display())),
                Err(fault) => Err(format!("{}: {fault}", path.display())),
            },
        }
    }
}

impl SigningKey {
    /// Whether the key is on another machine, from which SSH forwards it.
    pub fn is_forwarded(&self) -> bool {
        self.key.is_forwarded()
    }

    /// Signs a file; asks for a touch or a PIN where the key does.
    pub async fn sign(&self, kind: StatementKind, file: &str) -> Result<SignedStatement, String> {
        let (namespace, bytes) = (kind.namespace(), file.as_bytes());
        let signature = match &self.key {
            AvailableKey::InAgent(public) => {
                ssh_agent::sign(public, namespace, bytes).await.map_err(|fault| fault.to_string())?
            }
            AvailableKey::Private(private) => {
                sign_with(private, namespace, bytes).map_err(|fault| fault.to_string())?
            }
        };
        let key = self.key.public().map(|public| Text::clean(&public.fingerprint())).unwrap_or_default();
        Ok(SignedStatement { kind, signature, principal: self.person.clone(), key, reason: None })
    }
}
