//! `bursar serve key`: the keys of a service, whether it runs or not.

use std::io::Write;
use std::net::IpAddr;
use std::path::PathBuf;

use secrecy::ExposeSecret;

use crate::cli::Exit;
use crate::service::{NewKey, Permission, Register, ServiceClock, create_key};

/// What can be done with keys.
#[derive(Debug, clap::Subcommand)]
pub(in crate::cli) enum KeyCommand {
    /// Make a key, and show it this once
    Create {
        /// Folder of the service's ledger and keys
        #[arg(long, value_name = "DIR")]
        data: PathBuf,
        /// What to call it
        #[arg(long, value_name = "TEXT", default_value = "")]
        name: String,
        /// What it may do: read, wallet, withdrawal, trading, with commas between them
        #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "read,wallet,withdrawal,trading")]
        permissions: Vec<Permission>,
        /// An address from which alone it is taken; up to five, with commas between them
        #[arg(long, value_name = "IP", value_delimiter = ',')]
        trusted: Vec<IpAddr>,
    },
    /// Show every key, but never the key itself
    List {
        /// Folder of the service's ledger and keys
        #[arg(long, value_name = "DIR")]
        data: PathBuf,
    },
    /// End a key for good, from the next request on
    Revoke {
        /// Folder of the service's ledger and keys
        #[arg(long, value_name = "DIR")]
        data: PathBuf,
        /// The number of the key, as the list shows it
        #[arg(value_name = "NUMBER")]
        number: i64,
    },
}

pub(super) fn run(command: &KeyCommand) -> anyhow::Result<Exit> {
    let now = ServiceClock::System.now();
    let mut out = std::io::stdout().lock();
    match command {
        KeyCommand::Create { data, name, permissions, trusted } => {
            let permissions = permissions.iter().copied().collect();
            let new = NewKey { name: name.clone(), permissions, trusted: trusted.clone() };
            let (number, made) = create_key(data, &new, now)?;
            writeln!(out, "key            {number}")?;
            writeln!(out, "API key        {}", made.api_key.expose_secret())?;
            writeln!(out, "wallet secret  {}", made.wallet_secret.expose_secret())?;
            writeln!(out, "               shown this once, kept as hashes")?;
        }
        KeyCommand::List { data } => {
            for key in Register::of_service(data)?.list()? {
                let from: Vec<_> = key.trusted.iter().map(IpAddr::to_string).collect();
                let from = if from.is_empty() { "anywhere".to_owned() } else { from.join(",") };
                let state = key.revoked_at.map_or_else(|| "works".to_owned(), |time| format!("revoked {time}"));
                // A name is somebody's text: what would move the cursor is shown instead.
                let name = key.name.escape_debug();
                let (no, made, may) = (key.no, key.created_at, key.permissions);
                writeln!(out, "{no:>4}  {state}  made {made}  may {may}  from {from}  {name}")?;
            }
        }
        KeyCommand::Revoke { data, number } => {
            Register::of_service(data)?.revoke(*number, now)?;
            writeln!(out, "key {number} opens nothing any more")?;
        }
    }
    Ok(Exit::Normally)
}
