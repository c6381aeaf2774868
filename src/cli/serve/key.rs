//! `bursar serve key`: the keys of a service, whether it runs or not.

use std::io::Write;
use std::net::IpAddr;
use std::path::PathBuf;

use secrecy::ExposeSecret;

use crate::cli::Exit;
use crate::service::{NewKey, Permission, Register, ServiceClock, create_key};

/// What can be done with keys.
#[derive(Debug, clap::Subcommand)]
pub(in crate::cli) enum ServiceKeyCommand {
    /// Create a key, and show it only this once
    Create {
        /// Folder of the service's ledger and keys
        #[arg(long, value_name = "DIR")]
        data: PathBuf,
        /// Name of the key
        #[arg(long, value_name = "TEXT", default_value = "")]
        name: String,
        /// Permissions: read, wallet, withdrawal, trading, separated by commas
        #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "read,wallet,withdrawal,trading")]
        permissions: Vec<Permission>,
        /// Trusted addresses, the only ones from which the key is accepted; up to five, separated by commas
        #[arg(long, value_name = "IP", value_delimiter = ',')]
        trusted: Vec<IpAddr>,
    },
    /// List all keys, without the keys themselves
    List {
        /// Folder of the service's ledger and keys
        #[arg(long, value_name = "DIR")]
        data: PathBuf,
    },
    /// Revoke a key permanently, from the next request on
    Revoke {
        /// Folder of the service's ledger and keys
        #[arg(long, value_name = "DIR")]
        data: PathBuf,
        /// The number of the key, as the list shows it
        #[arg(value_name = "NUMBER")]
        number: i64,
    },
}

pub(super) fn run(command: &ServiceKeyCommand) -> anyhow::Result<Exit> {
    let now = ServiceClock::System.now();
    let mut out = std::io::stdout().lock();
    match command {
        ServiceKeyCommand::Create { data, name, permissions, trusted } => {
            let permissions = permissions.iter().copied().collect();
            let new = NewKey { name: name.clone(), permissions, trusted_addresses: trusted.clone() };
            let (number, key) = create_key(data, &new, now)?;
            writeln!(out, "key            {number}")?;
            writeln!(out, "API key        {}", key.api_key.expose_secret())?;
            writeln!(out, "wallet secret  {}", key.wallet_secret.expose_secret())?;
            writeln!(out, "               shown only this once, stored as hashes")?;
        }
        ServiceKeyCommand::List { data } => {
            for key in Register::open_of_existing_service(data)?.list()? {
                let from: Vec<_> = key.trusted_addresses.iter().map(IpAddr::to_string).collect();
                let from = if from.is_empty() { "anywhere".to_owned() } else { from.join(",") };
                let state = key.revoked_at.map_or_else(|| "active".to_owned(), |time| format!("revoked {time}"));
                // A name is arbitrary text: characters that would move the cursor are escaped.
                let name = key.name.escape_debug();
                let (no, made_at, may) = (key.number, key.created_at, key.permissions);
                writeln!(out, "{no:>4}  {state}  created {made_at}  permissions {may}  from {from}  {name}")?;
            }
        }
        ServiceKeyCommand::Revoke { data, number } => {
            Register::open_of_existing_service(data)?.revoke(*number, now)?;
            writeln!(out, "key {number} is revoked")?;
        }
    }
    Ok(Exit::Normally)
}
