//! Entries of the directory: how they are merged, written and read back.

mod account;
mod column_reader;

use rusqlite::{Connection, OptionalExtension, Row, params};

use column_reader::ColumnReader;

use super::addresses::{merge_conflicting_addresses, pack_conflicting_addresses, unpack_conflicting_addresses};
use crate::domain::chain::chain_display_name;
use crate::domain::entry_source::{EntryField, EntryFieldSet, EntrySource, Sourced};
use crate::domain::filter::fold_case;
use crate::domain::wallet::State;
use crate::domain::{AccountId, Text, Timestamp, User, UserId, Wallet, WalletId};
use crate::store::totals::WalletGroupKey;
use crate::store::write::WriteBatch;
use crate::store::{DirectoryList, StoreError};

const SOURCES_BY_RANK: [EntrySource; 4] =
    [EntrySource::Created, EntrySource::Imported, EntrySource::Listed, EntrySource::History];

pub(super) fn source_rank(source: EntrySource) -> i64 {
    SOURCES_BY_RANK.iter().position(|other| *other == source).and_then(|rank| i64::try_from(rank).ok()).unwrap_or(3)
}

/// Whether fields of a source override stored ones. The history only fills gaps, since it is read from the newest row
/// to the oldest.
fn source_overrides(new: EntrySource, old: EntrySource) -> bool {
    new != EntrySource::History && new <= old
}

fn merge_field<T: Clone>(old: Option<&T>, new: Option<&T>, wins: bool) -> Option<T> {
    let (first, second) = if wins { (new, old) } else { (old, new) };
    first.or(second).cloned()
}

/// The stored entry, the new one, the stronger of both sources, and whether the new fields override the stored ones.
fn entries_with_precedence<'a, T>(current: &'a Sourced<T>, new: &'a Sourced<T>) -> (&'a T, &'a T, EntrySource, bool) {
    (&current.entry, &new.entry, current.source.min(new.source), source_overrides(new.source, current.source))
}

/// Whether a new field overrides the stored one. A field from an import gives way to any other source; a field from the
/// service gives way to the service alone.
fn overrides_field<T: StoredEntry>(current: &Sourced<T>, new: &Sourced<T>, field: EntryField) -> bool {
    let stands_by_import = current.imported_fields.has(field);
    // The import made the entry's source a stronger one, although the service's own fields are not from it.
    let renews = source_overrides(new.source, current.source)
        || (new.source == EntrySource::Listed && current.source == EntrySource::Imported);
    let may_replace = stands_by_import || (new.source != EntrySource::Imported && renews);
    new.entry.reported_facts().has(field) && (may_replace || !current.entry.reported_facts().has(field))
}

fn merge_imported_fields<T: StoredEntry>(current: &Sourced<T>, new: &Sourced<T>) -> EntryFieldSet {
    let stands = |field| {
        if overrides_field(current, new, field) {
            new.imported_fields.has(field)
        } else {
            current.imported_fields.has(field)
        }
    };
    EntryField::ALL.into_iter().filter(|field| stands(*field)).collect()
}

/// Puts the wallets of customers behind all others: the type of an account may come after its wallets.
pub(super) fn sort_customer_wallets_last(connection: &Connection) -> rusqlite::Result<()> {
    const BEHIND: &str = "UPDATE wallet SET sort = '2' || sort
        WHERE sort < '2' AND account IN (SELECT id FROM account WHERE kind = 'USERS')";
    const BEFORE: &str = "UPDATE wallet SET sort = substr(sort, 2)
        WHERE sort >= '2' AND account NOT IN (SELECT id FROM account WHERE kind = 'USERS')";
    connection.prepare_cached(BEHIND)?.execute([])?;
    connection.prepare_cached(BEFORE)?.execute([])?;
    Ok(())
}

/// By name, those without a name last.
pub(super) fn sort_key(name: Option<&str>, then: &str) -> String {
    match name {
        Some(name) => format!("0{}\u{1}{}", fold_case(name), fold_case(then)),
        None => format!("1{}", fold_case(then)),
    }
}

fn join_folded(texts: &[Option<&str>]) -> String {
    let texts: Vec<String> = texts.iter().flatten().map(|word| fold_case(word)).collect();
    texts.join("\u{1f}")
}

pub(super) trait StoredEntry: Clone + PartialEq + Sized {
    const LIST: DirectoryList;
    const TABLE: &str;
    /// The columns in the order in which [`read_columns`](Self::read_columns) reads them.
    const COLUMNS: &str;

    fn read_columns(columns: &mut ColumnReader<'_>) -> rusqlite::Result<Sourced<Self>>;

    fn read_row(row: &Row<'_>) -> rusqlite::Result<Sourced<Self>> {
        Self::read_columns(&mut ColumnReader::new(row))
    }

    fn id(&self) -> &str;

    fn find_stored(&self, connection: &Connection) -> rusqlite::Result<Option<Sourced<Self>>> {
        let sql = format!("SELECT {} FROM {} WHERE id = ?1", Self::COLUMNS, Self::TABLE);
        connection.prepare_cached(&sql)?.query_row([self.id()], Self::read_row).optional()
    }

    fn name(&self) -> Option<&Text>;

    /// The fields that it reports, which an import must not change once the service has reported them.
    fn reported_facts(&self) -> EntryFieldSet {
        EntryFieldSet::default()
    }

    fn merge(current: &Sourced<Self>, new: &Sourced<Self>) -> Sourced<Self>;

    fn write(sourced_entry: &Sourced<Self>, connection: &Connection) -> rusqlite::Result<()>;

    /// Its address and chain, by which movements between own wallets are recognised.
    fn own_address(&self) -> Option<(&Text, &Text)> {
        None
    }

    /// The wallet group and account whose sums depend on the entry.
    fn totals_group(&self) -> Option<(WalletGroupKey, Option<&AccountId>)> {
        None
    }

    /// Merges an entry from a source into the stored one. Returns whether anything has changed.
    fn save(&self, batch: &mut WriteBatch<'_>, source: EntrySource) -> Result<bool, StoreError> {
        let connection = batch.connection;
        let imported = if source == EntrySource::Imported { self.reported_facts() } else { EntryFieldSet::default() };
        let new = Sourced { entry: self.clone(), source, imported_fields: imported, conflicting_addresses: Vec::new() };
        let stored = self.find_stored(connection)?;
        let merged = stored.as_ref().map_or_else(|| new.clone(), |stored| Self::merge(stored, &new));
        if stored.as_ref().is_some_and(|current| *current == merged) {
            return Ok(false);
        }
        let groups = [stored.as_ref().and_then(|entry| entry.entry.totals_group()), merged.entry.totals_group()];
        if groups[0] != groups[1] {
            for (group, _) in groups.into_iter().flatten() {
                batch.totals.remove_group(connection, group)?;
            }
        }
        Self::write(&merged, connection)?;
        batch.mark_directory_changed(Self::LIST);
        if stored.as_ref().and_then(|current| current.entry.name()) != merged.entry.name() {
            batch.mark_renamed();
        }
        if stored.as_ref().and_then(|current| current.entry.own_address()) != merged.entry.own_address() {
            batch.state.own_address_changes += 1;
        }
        Ok(true)
    }
}

impl StoredEntry for Wallet {
    const LIST: DirectoryList = DirectoryList::Wallets;
    const TABLE: &str = "wallet";
    const COLUMNS: &str = "id, name, address, blockchain, protocol, network, is_evm_compatible, kind, intent,
        custody_type, decimals, state, gasless, auto_sweep, user, account, ref_id, created_at, updated_at, source,
        imported, others";

    fn read_columns(columns: &mut ColumnReader<'_>) -> rusqlite::Result<Sourced<Self>> {
        let entry = Self {
            id: WalletId::from_text(columns.next_word()?.unwrap_or_default()),
            name: columns.next_text()?,
            address: columns.next_text()?,
            blockchain: columns.next_text()?.unwrap_or_default(),
            protocol: columns.next_text()?,
            network: columns.next_text()?,
            is_evm_compatible: columns.next_value()?,
            kind: columns.next_text()?,
            intent: columns.next_text()?,
            custody_type: columns.next_text()?,
            decimals: columns.next_value()?,
            state: columns.next_word()?.map(State::from_word),
            gasless_withdraw: columns.next_value()?,
            auto_sweep: columns.next_value()?,
            user: columns.next_word()?.map(UserId::from_text),
            account: columns.next_word()?.map(AccountId::from_text),
            ref_id: columns.next_text()?,
            created_at: columns.next_time()?,
            updated_at: columns.next_time()?,
        };
        Ok(Sourced {
            entry,
            source: columns.next_source()?,
            imported_fields: EntryFieldSet::from_bits(columns.next_value()?),
            conflicting_addresses: unpack_conflicting_addresses(columns.next_word()?.unwrap_or_default()),
        })
    }

    fn id(&self) -> &str {
        self.id.as_str()
    }

    fn name(&self) -> Option<&Text> {
        self.name.as_ref()
    }

    fn reported_facts(&self) -> EntryFieldSet {
        let has_field = |field: &EntryField| match field {
            EntryField::Address => self.address.is_some(),
            // A wallet without a reported chain has an empty one.
            EntryField::Blockchain => !self.blockchain.is_empty(),
            EntryField::Network => self.network.is_some(),
            EntryField::User => self.user.is_some(),
            EntryField::Account => self.account.is_some(),
        };
        EntryField::ALL.into_iter().filter(has_field).collect()
    }

    fn own_address(&self) -> Option<(&Text, &Text)> {
        Some((self.address.as_ref()?, &self.blockchain))
    }

    fn totals_group(&self) -> Option<(WalletGroupKey, Option<&AccountId>)> {
        let user = self.user.as_ref().map(UserId::as_str);
        Some((WalletGroupKey::containing_wallet(self.id.as_str(), user, &self.blockchain), self.account.as_ref()))
    }

    /// Names are the operator's to choose, so an import overrides the service's; but a wallet's address, chain and
    /// owner are the service's to state: money is received at the address, and payments are judged by it.
    fn merge(current: &Sourced<Self>, new: &Sourced<Self>) -> Sourced<Self> {
        let others = merge_conflicting_addresses(current, new);
        let has_own = current.entry.address.is_some() && !current.imported_fields.has(EntryField::Address);
        let is_listed = new.source == EntrySource::Listed;
        let (imported, takes) = (merge_imported_fields(current, new), |field| overrides_field(current, new, field));
        let (old, new, source, wins) = entries_with_precedence(current, new);
        let takes_address = takes(EntryField::Address) && !has_own;
        // No import knows a wallet's current state.
        let is_newer = wins || is_listed;
        let blockchain = if takes(EntryField::Blockchain) { &new.blockchain } else { &old.blockchain };
        let entry = Self {
            id: old.id.clone(),
            name: merge_field(old.name.as_ref(), new.name.as_ref(), wins),
            address: merge_field(old.address.as_ref(), new.address.as_ref(), takes_address),
            blockchain: blockchain.clone(),
            protocol: merge_field(old.protocol.as_ref(), new.protocol.as_ref(), is_newer),
            network: merge_field(old.network.as_ref(), new.network.as_ref(), takes(EntryField::Network)),
            is_evm_compatible: merge_field(old.is_evm_compatible.as_ref(), new.is_evm_compatible.as_ref(), is_newer),
            kind: merge_field(old.kind.as_ref(), new.kind.as_ref(), is_newer),
            intent: merge_field(old.intent.as_ref(), new.intent.as_ref(), is_newer),
            custody_type: merge_field(old.custody_type.as_ref(), new.custody_type.as_ref(), is_newer),
            decimals: merge_field(old.decimals.as_ref(), new.decimals.as_ref(), is_newer),
            state: merge_field(old.state.as_ref(), new.state.as_ref(), is_newer),
            gasless_withdraw: merge_field(old.gasless_withdraw.as_ref(), new.gasless_withdraw.as_ref(), is_newer),
            auto_sweep: merge_field(old.auto_sweep.as_ref(), new.auto_sweep.as_ref(), is_newer),
            user: merge_field(old.user.as_ref(), new.user.as_ref(), takes(EntryField::User)),
            account: merge_field(old.account.as_ref(), new.account.as_ref(), takes(EntryField::Account)),
            ref_id: merge_field(old.ref_id.as_ref(), new.ref_id.as_ref(), wins),
            created_at: merge_field(old.created_at.as_ref(), new.created_at.as_ref(), wins),
            updated_at: merge_field(old.updated_at.as_ref(), new.updated_at.as_ref(), is_newer),
        };
        Sourced { entry, source, imported_fields: imported, conflicting_addresses: others }
    }

    fn write(sourced_entry: &Sourced<Self>, connection: &Connection) -> rusqlite::Result<()> {
        let Sourced { entry, source, .. } = sourced_entry;
        let texts = [
            entry.name.as_deref(),
            entry.address.as_deref(),
            Some(&*entry.blockchain),
            Some(chain_display_name(&entry.blockchain)),
            entry.ref_id.as_deref(),
            entry.state.as_ref().map(State::word),
            Some(entry.id.as_str()),
            entry.user.as_ref().map(UserId::as_str),
        ];
        let sql = "INSERT OR REPLACE INTO wallet (id, source, name, address, blockchain, network, state, gasless,
                   auto_sweep, user, account, ref_id, created_at, sort, words, imported, others, protocol, is_evm_compatible,
                   kind, intent, custody_type, decimals, updated_at)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,
                   (CASE WHEN EXISTS (SELECT 1 FROM account WHERE id = ?11 AND kind = 'USERS') THEN '2' ELSE '' END) || ?14,
                   ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24)";
        connection.prepare_cached(sql)?.execute(params![
            entry.id.as_str(),
            source_rank(*source),
            entry.name.as_deref(),
            entry.address.as_deref(),
            entry.blockchain.as_str(),
            entry.network.as_deref(),
            entry.state.as_ref().map(State::word),
            entry.gasless_withdraw,
            entry.auto_sweep,
            entry.user.as_ref().map(UserId::as_str),
            entry.account.as_ref().map(AccountId::as_str),
            entry.ref_id.as_deref(),
            entry.created_at.map(Timestamp::millis),
            sort_key(entry.name.as_deref(), entry.address.as_deref().unwrap_or(entry.id.as_str())),
            join_folded(&texts),
            sourced_entry.imported_fields.bits(),
            pack_conflicting_addresses(&sourced_entry.conflicting_addresses),
            entry.protocol.as_deref(),
            entry.is_evm_compatible,
            entry.kind.as_deref(),
            entry.intent.as_deref(),
            entry.custody_type.as_deref(),
            entry.decimals,
            entry.updated_at.map(Timestamp::millis),
        ])?;
        Ok(())
    }
}

impl StoredEntry for User {
    const LIST: DirectoryList = DirectoryList::Users;
    const TABLE: &str = "user";
    const COLUMNS: &str = "id, display_name, ref_id, email, is_active, created_at, source";

    fn read_columns(columns: &mut ColumnReader<'_>) -> rusqlite::Result<Sourced<Self>> {
        let entry = Self {
            id: UserId::from_text(columns.next_word()?.unwrap_or_default()),
            display_name: columns.next_text()?,
            ref_id: columns.next_text()?,
            email: columns.next_text()?,
            is_active: columns.next_value()?,
            created_at: columns.next_time()?,
        };
        Ok(Sourced {
            entry,
            source: columns.next_source()?,
            imported_fields: EntryFieldSet::default(),
            conflicting_addresses: Vec::new(),
        })
    }

    fn id(&self) -> &str {
        self.id.as_str()
    }

    fn name(&self) -> Option<&Text> {
        self.display_name.as_ref()
    }

    fn merge(current: &Sourced<Self>, new: &Sourced<Self>) -> Sourced<Self> {
        let (old, new, source, wins) = entries_with_precedence(current, new);
        let entry = Self {
            id: old.id.clone(),
            display_name: merge_field(old.display_name.as_ref(), new.display_name.as_ref(), wins),
            ref_id: merge_field(old.ref_id.as_ref(), new.ref_id.as_ref(), wins),
            email: merge_field(old.email.as_ref(), new.email.as_ref(), wins),
            is_active: merge_field(old.is_active.as_ref(), new.is_active.as_ref(), wins),
            created_at: merge_field(old.created_at.as_ref(), new.created_at.as_ref(), wins),
        };
        Sourced { entry, source, imported_fields: current.imported_fields, conflicting_addresses: Vec::new() }
    }

    /// Leaves the time at which the user's balances were read unchanged.
    fn write(sourced_entry: &Sourced<Self>, connection: &Connection) -> rusqlite::Result<()> {
        let Sourced { entry, source, .. } = sourced_entry;
        let texts =
            [entry.display_name.as_deref(), entry.ref_id.as_deref(), entry.email.as_deref(), Some(entry.id.as_str())];
        let sql = "INSERT INTO user (id, source, display_name, ref_id, email, is_active, created_at, sort, words)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                   ON CONFLICT (id) DO UPDATE SET source = ?2, display_name = ?3, ref_id = ?4, email = ?5,
                   is_active = ?6, created_at = ?7, sort = ?8, words = ?9";
        connection.prepare_cached(sql)?.execute(params![
            entry.id.as_str(),
            source_rank(*source),
            entry.display_name.as_deref(),
            entry.ref_id.as_deref(),
            entry.email.as_deref(),
            entry.is_active,
            entry.created_at.map(Timestamp::millis),
            sort_key(entry.display_name.as_deref(), entry.id.as_str()),
            join_folded(&texts),
        ])?;
        Ok(())
    }
}
