//! Entries of the directory: how they are merged, written and read back.

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::domain::account::AccountType;
use crate::domain::chain::display_name;
use crate::domain::filter::fold;
use crate::domain::history::{Known, Source};
use crate::domain::wallet::State;
use crate::domain::{Account, AccountId, Text, Timestamp, User, UserId, Wallet, WalletId};
use crate::store::StoreError;

const SOURCES: [Source; 4] = [Source::Created, Source::Imported, Source::Listed, Source::History];

fn rank(source: Source) -> i64 {
    SOURCES.iter().position(|known| *known == source).and_then(|rank| i64::try_from(rank).ok()).unwrap_or(3)
}

fn source(row: &Row<'_>) -> rusqlite::Result<Source> {
    let rank: i64 = row.get("source")?;
    Ok(usize::try_from(rank).ok().and_then(|rank| SOURCES.get(rank)).copied().unwrap_or(Source::History))
}

/// Whether fields of a source stand over those that are known. What the history tells only fills gaps, since it is read
/// from the newest row to the oldest.
fn wins(new: Source, old: Source) -> bool {
    new != Source::History && new <= old
}

/// One field of two sources.
fn merged<T: Clone>(old: Option<&T>, new: Option<&T>, wins: bool) -> Option<T> {
    let (first, second) = if wins { (new, old) } else { (old, new) };
    first.or(second).cloned()
}

fn text(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<Text>> {
    Ok(row.get_ref(column)?.as_str_or_null()?.map(Text::clean))
}

fn time(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<Timestamp>> {
    Ok(row.get::<_, Option<i64>>(column)?.map(Timestamp::from_millis))
}

/// By name, those without a name last.
fn sort_key(name: Option<&str>, then: &str) -> String {
    match name {
        Some(name) => format!("0{}\u{1}{}", fold(name), fold(then)),
        None => format!("1{}", fold(then)),
    }
}

fn joined(words: &[Option<&str>]) -> String {
    let words: Vec<String> = words.iter().flatten().map(|word| fold(word)).collect();
    words.join("\u{1f}")
}

/// Something that the directory lists.
pub(super) trait Entry: Clone + PartialEq + Sized {
    /// Reads the entry of this one's identifier.
    fn known(&self, connection: &Connection) -> rusqlite::Result<Option<Known<Self>>>;

    /// This entry with what another source knows of it.
    fn merge(&self, new: &Self, wins: bool) -> Self;

    /// Writes it in place of what was there.
    fn write(&self, connection: &Connection, source: Source) -> rusqlite::Result<()>;

    /// Keeps what a source knows; says whether anything has changed.
    fn keep(&self, connection: &Connection, source: Source) -> Result<bool, StoreError> {
        let Some(known) = self.known(connection)? else {
            self.write(connection, source)?;
            return Ok(true);
        };
        let entry = known.entry.merge(self, wins(source, known.source));
        let stronger = known.source.min(source);
        if entry == known.entry && stronger == known.source {
            return Ok(false);
        }
        entry.write(connection, stronger)?;
        Ok(true)
    }
}

impl Entry for Account {
    fn known(&self, connection: &Connection) -> rusqlite::Result<Option<Known<Self>>> {
        let mut statement = connection.prepare_cached("SELECT * FROM account WHERE id = ?1")?;
        statement.query_row([self.id.as_str()], read_account).optional()
    }

    fn merge(&self, new: &Self, wins: bool) -> Self {
        Self {
            id: self.id.clone(),
            name: merged(self.name.as_ref(), new.name.as_ref(), wins),
            kind: merged(self.kind.as_ref(), new.kind.as_ref(), wins),
            state: merged(self.state.as_ref(), new.state.as_ref(), wins),
            network: merged(self.network.as_ref(), new.network.as_ref(), wins),
            created_at: merged(self.created_at.as_ref(), new.created_at.as_ref(), wins),
        }
    }

    fn write(&self, connection: &Connection, source: Source) -> rusqlite::Result<()> {
        let sql = "INSERT OR REPLACE INTO account (id, source, name, kind, state, network, created_at)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        connection.prepare_cached(sql)?.execute(params![
            self.id.as_str(),
            rank(source),
            self.name.as_deref(),
            self.kind.as_ref().map(AccountType::word),
            self.state.as_ref().map(State::word),
            self.network.as_deref(),
            self.created_at.map(Timestamp::millis),
        ])?;
        Ok(())
    }
}

pub(super) fn read_account(row: &Row<'_>) -> rusqlite::Result<Known<Account>> {
    let entry = Account {
        id: AccountId::read(row.get_ref("id")?.as_str()?),
        name: text(row, "name")?,
        kind: row.get_ref("kind")?.as_str_or_null()?.map(AccountType::read),
        state: row.get_ref("state")?.as_str_or_null()?.map(State::read),
        network: text(row, "network")?,
        created_at: time(row, "created_at")?,
    };
    Ok(Known { entry, source: source(row)? })
}

impl Entry for Wallet {
    fn known(&self, connection: &Connection) -> rusqlite::Result<Option<Known<Self>>> {
        let mut statement = connection.prepare_cached("SELECT * FROM wallet WHERE id = ?1")?;
        statement.query_row([self.id.as_str()], read_wallet).optional()
    }

    fn merge(&self, new: &Self, wins: bool) -> Self {
        // A wallet of which no chain was told has an empty one.
        let takes_chain = self.blockchain.is_empty() || (wins && !new.blockchain.is_empty());
        Self {
            id: self.id.clone(),
            name: merged(self.name.as_ref(), new.name.as_ref(), wins),
            address: merged(self.address.as_ref(), new.address.as_ref(), wins),
            blockchain: if takes_chain { new.blockchain.clone() } else { self.blockchain.clone() },
            network: merged(self.network.as_ref(), new.network.as_ref(), wins),
            state: merged(self.state.as_ref(), new.state.as_ref(), wins),
            gasless_withdraw: merged(self.gasless_withdraw.as_ref(), new.gasless_withdraw.as_ref(), wins),
            auto_sweep: merged(self.auto_sweep.as_ref(), new.auto_sweep.as_ref(), wins),
            user: merged(self.user.as_ref(), new.user.as_ref(), wins),
            account: merged(self.account.as_ref(), new.account.as_ref(), wins),
            ref_id: merged(self.ref_id.as_ref(), new.ref_id.as_ref(), wins),
            created_at: merged(self.created_at.as_ref(), new.created_at.as_ref(), wins),
        }
    }

    fn write(&self, connection: &Connection, source: Source) -> rusqlite::Result<()> {
        let words = [
            self.name.as_deref(),
            self.address.as_deref(),
            Some(&*self.blockchain),
            Some(display_name(&self.blockchain)),
            self.ref_id.as_deref(),
            self.state.as_ref().map(State::word),
            Some(self.id.as_str()),
            self.user.as_ref().map(UserId::as_str),
        ];
        let sql = "INSERT OR REPLACE INTO wallet (id, source, name, address, blockchain, network, state, gasless,
                   auto_sweep, user, account, ref_id, created_at, sort, words)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)";
        connection.prepare_cached(sql)?.execute(params![
            self.id.as_str(),
            rank(source),
            self.name.as_deref(),
            self.address.as_deref(),
            self.blockchain.as_str(),
            self.network.as_deref(),
            self.state.as_ref().map(State::word),
            self.gasless_withdraw,
            self.auto_sweep,
            self.user.as_ref().map(UserId::as_str),
            self.account.as_ref().map(AccountId::as_str),
            self.ref_id.as_deref(),
            self.created_at.map(Timestamp::millis),
            sort_key(self.name.as_deref(), self.address.as_deref().unwrap_or(self.id.as_str())),
            joined(&words),
        ])?;
        Ok(())
    }
}

pub(super) fn read_wallet(row: &Row<'_>) -> rusqlite::Result<Known<Wallet>> {
    let entry = Wallet {
        id: WalletId::read(row.get_ref("id")?.as_str()?),
        name: text(row, "name")?,
        address: text(row, "address")?,
        blockchain: text(row, "blockchain")?.unwrap_or_default(),
        network: text(row, "network")?,
        state: row.get_ref("state")?.as_str_or_null()?.map(State::read),
        gasless_withdraw: row.get("gasless")?,
        auto_sweep: row.get("auto_sweep")?,
        user: row.get_ref("user")?.as_str_or_null()?.map(UserId::read),
        account: row.get_ref("account")?.as_str_or_null()?.map(AccountId::read),
        ref_id: text(row, "ref_id")?,
        created_at: time(row, "created_at")?,
    };
    Ok(Known { entry, source: source(row)? })
}

impl Entry for User {
    fn known(&self, connection: &Connection) -> rusqlite::Result<Option<Known<Self>>> {
        let mut statement = connection.prepare_cached("SELECT * FROM user WHERE id = ?1")?;
        statement.query_row([self.id.as_str()], read_user).optional()
    }

    fn merge(&self, new: &Self, wins: bool) -> Self {
        Self {
            id: self.id.clone(),
            display_name: merged(self.display_name.as_ref(), new.display_name.as_ref(), wins),
            ref_id: merged(self.ref_id.as_ref(), new.ref_id.as_ref(), wins),
            email: merged(self.email.as_ref(), new.email.as_ref(), wins),
            is_active: merged(self.is_active.as_ref(), new.is_active.as_ref(), wins),
            created_at: merged(self.created_at.as_ref(), new.created_at.as_ref(), wins),
        }
    }

    /// Leaves alone when the user's balances were read.
    fn write(&self, connection: &Connection, source: Source) -> rusqlite::Result<()> {
        let words =
            [self.display_name.as_deref(), self.ref_id.as_deref(), self.email.as_deref(), Some(self.id.as_str())];
        let sql = "INSERT INTO user (id, source, display_name, ref_id, email, is_active, created_at, sort, words)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                   ON CONFLICT (id) DO UPDATE SET source = ?2, display_name = ?3, ref_id = ?4, email = ?5,
                   is_active = ?6, created_at = ?7, sort = ?8, words = ?9";
        connection.prepare_cached(sql)?.execute(params![
            self.id.as_str(),
            rank(source),
            self.display_name.as_deref(),
            self.ref_id.as_deref(),
            self.email.as_deref(),
            self.is_active,
            self.created_at.map(Timestamp::millis),
            sort_key(self.display_name.as_deref(), self.id.as_str()),
            joined(&words),
        ])?;
        Ok(())
    }
}

pub(super) fn read_user(row: &Row<'_>) -> rusqlite::Result<Known<User>> {
    let entry = User {
        id: UserId::read(row.get_ref("id")?.as_str()?),
        display_name: text(row, "display_name")?,
        ref_id: text(row, "ref_id")?,
        email: text(row, "email")?,
        is_active: row.get("is_active")?,
        created_at: time(row, "created_at")?,
    };
    Ok(Known { entry, source: source(row)? })
}
