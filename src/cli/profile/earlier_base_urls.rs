//! `bursar profile address`: the base addresses that a profile had, and the operator's answers about them.

use anyhow::bail;

use crate::api::BaseUrl;
use crate::cli::{CommandContext, Exit, journal, os_user, output, payment_context};
use crate::domain::Text;
use crate::domain::order::{AddressRelation, AddressRelations};
use crate::journal::{Journal, JournalError, JournalLocation, JournalSnapshot};
use crate::runtime::Clock;

/// What is said of an earlier base address.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct AddressArguments {
    /// This earlier address leads to the same service: what was done there counts as done here
    #[arg(long, value_name = "URL", conflicts_with = "another")]
    same: Option<String>,
    /// This earlier address leads to another service: only orders with an unknown outcome are remembered
    #[arg(long, value_name = "URL")]
    another: Option<String>,
}

pub(super) fn run(context: &CommandContext, arguments: AddressArguments) -> anyhow::Result<Exit> {
    let config = context.config()?;
    let destination = payment_context::profile_destination(config.profile()?, Text::default());
    let folder = journal::journal_folder(context)?;
    let addresses = match JournalSnapshot::open(&folder) {
        Ok(reading) => reading.address_relations(&destination)?,
        Err(JournalError::Missing { .. }) => AddressRelations::default(),
        Err(error) => return Err(error.into()),
    };
    let (url, is_same) = match (arguments.same, arguments.another) {
        (Some(url), _) => (url, true),
        (None, Some(url)) => (url, false),
        (None, None) => return Ok(print_addresses(&destination.base_url, &addresses)),
    };
    // An address recorded by an older version may have a spelling that this version normalises.
    let url_text = BaseUrl::parse(&url).map_or_else(|_| url.clone(), |base_url| base_url.to_string());
    let spellings = [Text::clean(&url), Text::clean(&url_text)];
    let recorded = spellings.into_iter().find(|address| addresses.relation(address).is_some());
    let Some(other) = recorded.filter(|other| *other != destination.base_url) else {
        bail!(
            "{} is not an earlier base address of this profile; `bursar profile address` lists them",
            Text::clean(&url_text)
        );
    };
    let journal =
        Journal::open(&JournalLocation::Folder(folder), os_user::console_identity(&context.environment))?.journal;
    journal.record_address_answer(&destination, other.clone(), is_same, Clock::System.now())?;
    let relation = if is_same { "the same service" } else { "another service" };
    output::print_line(&format!("recorded: {other} and {} are {relation}", destination.base_url));
    Ok(Exit::Normally)
}

fn print_addresses(own: &Text, addresses: &AddressRelations) -> Exit {
    let mut rows = vec![vec![own.to_string(), "the base address of this profile".to_owned()]];
    rows.extend(addresses.all().filter(|(address, _)| *address != own).map(|(address, relation)| {
        let label = match relation {
            AddressRelation::Same => "the same service",
            AddressRelation::Other => "another service",
            AddressRelation::Unanswered => "not answered yet: is this the same service? (--same or --another)",
        };
        vec![address.to_string(), label.to_owned()]
    }));
    output::print_table(&rows);
    if addresses.unanswered().is_empty() { Exit::Normally } else { Exit::WithTrouble }
}
