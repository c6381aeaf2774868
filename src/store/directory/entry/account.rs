//! Accounts in the directory.

use rusqlite::{Connection, params};

use super::{
    ColumnReader, StoredEntry, entries_with_precedence, merge_field, merge_imported_fields, overrides_field,
    source_rank,
};
use crate::domain::entry_source::{EntryField, EntryFieldSet, EntrySource, Sourced};
use crate::domain::{Account, AccountAddress, AccountId, AccountType, State, Text, Timestamp};
use crate::store::DirectoryList;

impl StoredEntry for Account {
    const LIST: DirectoryList = DirectoryList::Accounts;
    const TABLE: &str = "account";
    const COLUMNS: &str = "id, name, kind, state, network, evm_address, evm_ref, solana_address, solana_ref,
        created_at, updated_at, source, imported";

    fn read_columns(columns: &mut ColumnReader<'_>) -> rusqlite::Result<Sourced<Self>> {
        let entry = Self {
            id: AccountId::from_text(columns.next_word()?.unwrap_or_default()),
            name: columns.next_text()?,
            kind: columns.next_word()?.map(AccountType::from_word),
            state: columns.next_word()?.map(State::from_word),
            network: columns.next_text()?,
            evm_details: read_account_address(columns)?,
            solana_details: read_account_address(columns)?,
            created_at: columns.next_time()?,
            updated_at: columns.next_time()?,
        };
        Ok(Sourced {
            entry,
            source: columns.next_source()?,
            imported_fields: EntryFieldSet::from_bits(columns.next_value()?),
            conflicting_addresses: Vec::new(),
        })
    }

    fn id(&self) -> &str {
        self.id.as_str()
    }

    fn name(&self) -> Option<&Text> {
        self.name.as_ref()
    }

    fn reported_facts(&self) -> EntryFieldSet {
        self.network.iter().map(|_| EntryField::Network).collect()
    }

    fn merge(current: &Sourced<Self>, new: &Sourced<Self>) -> Sourced<Self> {
        let (imported, takes_network) =
            (merge_imported_fields(current, new), overrides_field(current, new, EntryField::Network));
        let is_listed = new.source == EntrySource::Listed;
        let (old, new, source, wins) = entries_with_precedence(current, new);
        // Only the service reports these, the list later than the answer that created the account.
        let is_newer = wins || is_listed;
        let entry = Self {
            id: old.id.clone(),
            name: merge_field(old.name.as_ref(), new.name.as_ref(), wins),
            kind: merge_field(old.kind.as_ref(), new.kind.as_ref(), wins),
            state: merge_field(old.state.as_ref(), new.state.as_ref(), wins),
            network: merge_field(old.network.as_ref(), new.network.as_ref(), takes_network),
            evm_details: merge_field(old.evm_details.as_ref(), new.evm_details.as_ref(), is_newer),
            solana_details: merge_field(old.solana_details.as_ref(), new.solana_details.as_ref(), is_newer),
            created_at: merge_field(old.created_at.as_ref(), new.created_at.as_ref(), wins),
            updated_at: merge_field(old.updated_at.as_ref(), new.updated_at.as_ref(), is_newer),
        };
        Sourced { entry, source, imported_fields: imported, conflicting_addresses: Vec::new() }
    }

    fn write(sourced_entry: &Sourced<Self>, connection: &Connection) -> rusqlite::Result<()> {
        let Sourced { entry, source, .. } = sourced_entry;
        let sql = "INSERT OR REPLACE INTO account (id, source, name, kind, state, network, created_at, imported,
                   evm_address, evm_ref, solana_address, solana_ref, updated_at)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
        let [evm, solana] = [&entry.evm_details, &entry.solana_details].map(Option::as_ref);
        connection.prepare_cached(sql)?.execute(params![
            entry.id.as_str(),
            source_rank(*source),
            entry.name.as_deref(),
            entry.kind.as_ref().map(AccountType::word),
            entry.state.as_ref().map(State::word),
            entry.network.as_deref(),
            entry.created_at.map(Timestamp::millis),
            sourced_entry.imported_fields.bits(),
            evm.and_then(|details| details.address.as_deref()),
            evm.and_then(|details| details.ref_id.as_deref()),
            solana.and_then(|details| details.address.as_deref()),
            solana.and_then(|details| details.ref_id.as_deref()),
            entry.updated_at.map(Timestamp::millis),
        ])?;
        Ok(())
    }
}

fn read_account_address(columns: &mut ColumnReader<'_>) -> rusqlite::Result<Option<AccountAddress>> {
    let (address, ref_id) = (columns.next_text()?, columns.next_text()?);
    Ok((address.is_some() || ref_id.is_some()).then_some(AccountAddress { address, ref_id }))
}
