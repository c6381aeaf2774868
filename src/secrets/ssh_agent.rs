//! Signatures by an SSH agent: the key stays in the agent, or in the security key behind it.

use std::path::Path;
use std::time::Duration;

use russh::keys::Error;
use russh::keys::agent::AgentIdentity;
use russh::keys::agent::client::{AgentClient, AgentStream};
use tokio::time::error::Elapsed;
use tokio::time::timeout;

use crate::domain::approval::{PublicKey, SignatureFault, armour_agent_signature, signed_data, verify};

/// How long an agent may take to name its keys: it asks nobody for that, but may be on another machine.
const MAX_KEYS_WAIT: Duration = Duration::from_secs(10);

#[derive(Debug, thiserror::Error)]
pub enum AgentFault {
    #[error(
        "no SSH agent: SSH_AUTH_SOCK is not set; start one with “eval $(ssh-agent)” and add your key with “ssh-add”, or \
         log in with “ssh -A”"
    )]
    NoAgent,
    #[error("the SSH agent does not answer; is it still running, and does SSH_AUTH_SOCK name its socket?")]
    Unreachable(#[source] Error),
    #[error(
        "the SSH agent did not answer within {} seconds; is it still running, and does SSH_AUTH_SOCK name its socket?",
        MAX_KEYS_WAIT.as_secs()
    )]
    Silent(#[from] Elapsed),
    #[error("the SSH agent does not have the key {fingerprint}; add it with “ssh-add”")]
    NoKey { fingerprint: String },
    #[error(
        "the SSH agent refused to sign: the security key was not touched, the request was declined, the agent is locked, or \
         the key was added for certain hosts only (ssh-add -h) and signs nothing but logins there"
    )]
    Refused,
    #[error("the SSH agent's signature is not valid")]
    Signature(#[from] SignatureFault),
}

/// A connection to an SSH agent.
pub struct Agent(AgentClient<Box<dyn AgentStream + Send + Unpin>>);

/// The keys of the agent that the environment names; see [`Agent::keys`].
pub async fn agent_keys() -> Result<Vec<(PublicKey, String)>, AgentFault> {
    Agent::connect().await?.keys().await
}

/// A signature by the agent that the environment names; see [`Agent::sign`].
pub async fn sign(key: &PublicKey, namespace: &str, file: &[u8]) -> Result<String, AgentFault> {
    Agent::connect().await?.sign(key, namespace, file).await
}

/// Whether the agent that the environment names is likely one of another machine, forwarded by an SSH login (`ssh -A`):
/// sshd names the socket of such an agent after itself.
pub fn is_forwarded() -> bool {
    let variable = |name| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
    let is_login = variable("SSH_CONNECTION").is_some() && variable("SSH_AGENT_PID").is_none();
    is_login && variable("SSH_AUTH_SOCK").is_some_and(|socket| is_socket_of_sshd(Path::new(&socket)))
}

/// `/tmp/ssh-XXXXXXXXXX/agent.PID`, and since OpenSSH 10.1 `~/.ssh/agent/s.HASH.sshd.HASH`.
fn is_socket_of_sshd(socket: &Path) -> bool {
    let name =
        |path: Option<&std::ffi::OsStr>| path.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let (file, folder) = (name(socket.file_name()), name(socket.parent().and_then(Path::file_name)));
    (folder.starts_with("ssh-") && file.starts_with("agent.")) || file.contains(".sshd.")
}

impl Agent {
    #[cfg(unix)]
    pub async fn connect() -> Result<Self, AgentFault> {
        let socket = std::env::var_os("SSH_AUTH_SOCK").filter(|socket| !socket.is_empty());
        Self::connect_at(Path::new(&socket.ok_or(AgentFault::NoAgent)?)).await
    }

    #[cfg(unix)]
    pub async fn connect_at(socket: &Path) -> Result<Self, AgentFault> {
        let client = AgentClient::connect_uds(socket).await.map_err(AgentFault::Unreachable)?;
        Ok(Self(client.dynamic()))
    }

    #[cfg(windows)]
    pub async fn connect() -> Result<Self, AgentFault> {
        let client = AgentClient::connect_named_pipe(r"\\.\pipe\openssh-ssh-agent").await;
        Ok(Self(client.map_err(AgentFault::Unreachable)?.dynamic()))
    }

    /// The accepted keys, each with its comment as the agent has it; certificates and keys of other algorithms are left
    /// out.
    pub async fn keys(&mut self) -> Result<Vec<(PublicKey, String)>, AgentFault> {
        let identities = timeout(MAX_KEYS_WAIT, self.0.request_identities()).await?.map_err(AgentFault::Unreachable)?;
        let keys = identities.into_iter().filter_map(|identity| match identity {
            AgentIdentity::PublicKey { key, comment } => Some((PublicKey::from_ssh(&key).ok()?, comment)),
            AgentIdentity::Certificate { .. } => None,
        });
        Ok(keys.collect())
    }

    /// Has the agent sign a file, and verifies the signature. Waits for as long as a person takes to touch a security key
    /// or to answer the agent.
    pub async fn sign(&mut self, key: &PublicKey, namespace: &str, file: &[u8]) -> Result<String, AgentFault> {
        // An agent refuses an unknown key without a reason.
        if !self.keys().await?.iter().any(|(other, _)| other == key) {
            return Err(AgentFault::NoKey { fingerprint: key.fingerprint() });
        }
        let data = signed_data(namespace, file);
        // The client puts the signature, behind its length of four bytes, behind the data.
        let start = data.len() + 4;
        let identity = AgentIdentity::PublicKey { key: key.to_ssh(), comment: String::new() };
        let answer = self.0.sign_request(&identity, None, data).await.map_err(|fault| match fault {
            Error::AgentFailure => AgentFault::Refused,
            other => AgentFault::Unreachable(other),
        })?;
        let armoured = armour_agent_signature(key, namespace, answer.get(start..).unwrap_or_default())?;
        verify(file, namespace, &armoured)?;
        Ok(armoured)
    }
}

#[cfg(test)]
mod tests;
