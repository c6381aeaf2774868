//! Accounts, wallets and users that are known, each with where it is known from.
//!
//! Fields are merged one by one: a stronger source wins, and what was not told never erases what was. What the history
//! tells fills gaps only, since it is read from the newest row to the oldest.

use rusqlite::types::Value;
use rusqlite::{Connection, Row, ToSql, params, params_from_iter};

use super::filter::fold;
use super::{Store, StoreError};
use crate::domain::account::AccountType;
use crate::domain::history::{Count, Known, Scope, Source, Window};
use crate::domain::wallet::State;
use crate::domain::{Account, AccountId, Text, Timestamp, Transaction, User, UserId, Wallet, WalletId};

const SOURCES: [Source; 4] = [Source::Created, Source::Imported, Source::Listed, Source::History];

fn rank(source: Source) -> i64 {
    SOURCES.iter().position(|known| *known == source).and_then(|rank| i64::try_from(rank).ok()).unwrap_or(3)
}

fn source(row: &Row<'_>, column: &str) -> rusqlite::Result<Source> {
    let rank: i64 = row.get(column)?;
    Ok(usize::try_from(rank).ok().and_then(|rank| SOURCES.get(rank)).copied().unwrap_or(Source::History))
}

/// `new` over `old` where its source is at least as strong, else beneath it.
const MERGE: &str = "CASE WHEN excluded.source < 3 AND excluded.source <= source
    THEN coalesce(excluded.@, @) ELSE coalesce(@, excluded.@) END";

fn upsert(table: &str, columns: &[&str]) -> String {
    let marks: Vec<String> = (1..=columns.len() + 2).map(|nth| format!("?{nth}")).collect();
    let merged: Vec<String> =
        columns.iter().map(|column| format!("{column} = {}", MERGE.replace('@', column))).collect();
    format!(
        "INSERT INTO {table} (id, source, {}) VALUES ({}) ON CONFLICT (id) DO UPDATE SET {}, \
         source = min(source, excluded.source)",
        columns.join(", "),
        marks.join(", "),
        merged.join(", "),
    )
}

fn text(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<Text>> {
    Ok(row.get::<_, Option<String>>(column)?.as_deref().map(Text::clean))
}

fn time(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<Timestamp>> {
    Ok(row.get::<_, Option<i64>>(column)?.map(Timestamp::from_millis))
}

fn put_account(connection: &Connection, account: &Account, source: Source) -> Result<bool, StoreError> {
    let sql = upsert("account", &["name", "kind", "state", "network", "created_at"]);
    connection.prepare_cached(&sql)?.execute(params![
        account.id.as_str(),
        rank(source),
        account.name.as_deref(),
        account.kind.as_ref().map(AccountType::word),
        account.state.as_ref().map(State::word),
        account.network.as_deref(),
        account.created_at.map(Timestamp::millis),
    ])?;
    Ok(connection.changes() > 0)
}

fn put_wallet(connection: &Connection, wallet: &Wallet, source: Source) -> Result<(), StoreError> {
    let sql = upsert(
        "wallet",
        &[
            "name",
            "address",
            "blockchain",
            "network",
            "state",
            "gasless",
            "auto_sweep",
            "user",
            "account",
            "ref_id",
            "created_at",
            "sort",
            "words",
        ],
    );
    let blockchain = wallet.blockchain.as_str();
    connection.prepare_cached(&sql)?.execute(params![
        wallet.id.as_str(),
        rank(source),
        wallet.name.as_deref(),
        wallet.address.as_deref(),
        blockchain,
        wallet.network.as_deref(),
        wallet.state.as_ref().map(State::word),
        wallet.gasless_withdraw,
        wallet.auto_sweep,
        wallet.user.as_ref().map(UserId::as_str),
        wallet.account.as_ref().map(AccountId::as_str),
        wallet.ref_id.as_deref(),
        wallet.created_at.map(Timestamp::millis),
        "",
        "",
    ])?;
    // How it sorts and is found follows from the merged fields.
    let merged = connection
        .prepare_cached("SELECT * FROM wallet WHERE id = ?1")?
        .query_row([wallet.id.as_str()], read_wallet)?
        .entry;
    let sort = sort_key(merged.name.as_deref(), merged.address.as_deref().unwrap_or(merged.id.as_str()));
    let chain = crate::domain::chain::display_name(&merged.blockchain);
    let words = [
        merged.name.as_deref(),
        merged.address.as_deref(),
        Some(&*merged.blockchain),
        Some(chain),
        merged.ref_id.as_deref(),
        merged.state.as_ref().map(State::word),
        Some(merged.id.as_str()),
        merged.user.as_ref().map(UserId::as_str),
    ];
    connection.prepare_cached("UPDATE wallet SET sort = ?2, words = ?3 WHERE id = ?1")?.execute(params![
        wallet.id.as_str(),
        sort,
        joined(&words)
    ])?;
    Ok(())
}

fn put_user(connection: &Connection, user: &User, source: Source) -> Result<(), StoreError> {
    let columns = ["display_name", "ref_id", "email", "is_active", "created_at", "sort", "words"];
    connection.prepare_cached(&upsert("user", &columns))?.execute(params![
        user.id.as_str(),
        rank(source),
        user.display_name.as_deref(),
        user.ref_id.as_deref(),
        user.email.as_deref(),
        user.is_active,
        user.created_at.map(Timestamp::millis),
        "",
        "",
    ])?;
    let merged =
        connection.prepare_cached("SELECT * FROM user WHERE id = ?1")?.query_row([user.id.as_str()], read_user)?.entry;
    let sort = sort_key(merged.display_name.as_deref(), merged.id.as_str());
    let words =
        [merged.display_name.as_deref(), merged.ref_id.as_deref(), merged.email.as_deref(), Some(merged.id.as_str())];
    connection.prepare_cached("UPDATE user SET sort = ?2, words = ?3 WHERE id = ?1")?.execute(params![
        user.id.as_str(),
        sort,
        joined(&words)
    ])?;
    Ok(())
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

fn read_account(row: &Row<'_>) -> rusqlite::Result<Known<Account>> {
    let entry = Account {
        id: AccountId::read(&row.get::<_, String>("id")?),
        name: text(row, "name")?,
        kind: row.get::<_, Option<String>>("kind")?.as_deref().map(AccountType::read),
        state: row.get::<_, Option<String>>("state")?.as_deref().map(State::read),
        network: text(row, "network")?,
        created_at: time(row, "created_at")?,
    };
    Ok(Known { entry, source: source(row, "source")? })
}

fn read_wallet(row: &Row<'_>) -> rusqlite::Result<Known<Wallet>> {
    let entry = Wallet {
        id: WalletId::read(&row.get::<_, String>("id")?),
        name: text(row, "name")?,
        address: text(row, "address")?,
        blockchain: Text::clean(&row.get::<_, String>("blockchain")?),
        network: text(row, "network")?,
        state: row.get::<_, Option<String>>("state")?.as_deref().map(State::read),
        gasless_withdraw: row.get("gasless")?,
        auto_sweep: row.get("auto_sweep")?,
        user: row.get::<_, Option<String>>("user")?.as_deref().map(UserId::read),
        account: row.get::<_, Option<String>>("account")?.as_deref().map(AccountId::read),
        ref_id: text(row, "ref_id")?,
        created_at: time(row, "created_at")?,
    };
    Ok(Known { entry, source: source(row, "source")? })
}

fn read_user(row: &Row<'_>) -> rusqlite::Result<Known<User>> {
    let entry = User {
        id: UserId::read(&row.get::<_, String>("id")?),
        display_name: text(row, "display_name")?,
        ref_id: text(row, "ref_id")?,
        email: text(row, "email")?,
        is_active: row.get("is_active")?,
        created_at: time(row, "created_at")?,
    };
    Ok(Known { entry, source: source(row, "source")? })
}

/// Learns what a transaction tells: its account, its wallet with address and chain, its user.
pub(super) fn learn(connection: &Connection, transaction: &Transaction) -> Result<(), StoreError> {
    if let Some(id) = &transaction.account {
        let account = Account { id: id.clone(), name: None, kind: None, state: None, network: None, created_at: None };
        put_account(connection, &account, Source::History)?;
    }
    if let Some(id) = &transaction.user {
        let user =
            User { id: id.clone(), display_name: None, ref_id: None, email: None, is_active: None, created_at: None };
        put_user(connection, &user, Source::History)?;
    }
    if let Some(id) = &transaction.wallet {
        let wallet = Wallet {
            id: id.clone(),
            name: None,
            address: transaction.own_address().cloned(),
            blockchain: transaction.token.blockchain.clone(),
            network: transaction.network.clone(),
            state: None,
            gasless_withdraw: None,
            auto_sweep: None,
            user: transaction.user.clone(),
            account: transaction.account.clone(),
            ref_id: None,
            created_at: None,
        };
        put_wallet(connection, &wallet, Source::History)?;
    }
    Ok(())
}

impl Store {
    /// Keeps what is known of accounts.
    pub fn keep_accounts(&self, accounts: &[Account], source: Source) -> Result<(), StoreError> {
        self.write(|batch| {
            for account in accounts {
                put_account(batch.connection, account, source)?;
            }
            batch.shows();
            Ok(())
        })
    }

    /// Keeps what is known of wallets.
    pub fn keep_wallets(&self, wallets: &[Wallet], source: Source) -> Result<(), StoreError> {
        self.write(|batch| {
            for wallet in wallets {
                put_wallet(batch.connection, wallet, source)?;
            }
            batch.shows();
            Ok(())
        })
    }

    /// Keeps what is known of users.
    pub fn keep_users(&self, users: &[User], source: Source) -> Result<(), StoreError> {
        self.write(|batch| {
            for user in users {
                put_user(batch.connection, user, source)?;
            }
            batch.shows();
            Ok(())
        })
    }

    /// Every known account: settlement accounts first, then by name.
    pub fn accounts(&self) -> Result<Vec<Known<Account>>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT * FROM account ORDER BY kind IS NOT 'SETTLEMENT', name IS NULL, name COLLATE NOCASE, id",
            )?;
            let rows = statement.query_map([], read_account)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    /// A window of the known wallets of a scope that contain every word of `text`, by name, then by address.
    pub fn wallets(
        &self,
        scope: &Scope,
        text: &str,
        first: u64,
        rows: u32,
    ) -> Result<Window<Known<Wallet>>, StoreError> {
        let scope = match scope {
            Scope::All => None,
            Scope::Account(id) => Some(("account = ?", id.as_str())),
            Scope::Wallet(id) => Some(("id = ?", id.as_str())),
            Scope::User(id) => Some(("user = ?", id.as_str())),
        };
        self.listed("wallet", scope, text, first, rows, read_wallet)
    }

    /// A window of the known users of a scope that contain every word of `text`, by name, then by identifier.
    pub fn users(&self, scope: &Scope, text: &str, first: u64, rows: u32) -> Result<Window<Known<User>>, StoreError> {
        let scope = match scope {
            Scope::All => None,
            Scope::Account(id) => Some(("id IN (SELECT user FROM wallet WHERE account = ?)", id.as_str())),
            Scope::Wallet(id) => Some(("id IN (SELECT user FROM wallet WHERE id = ?)", id.as_str())),
            Scope::User(id) => Some(("id = ?", id.as_str())),
        };
        self.listed("user", scope, text, first, rows, read_user)
    }

    fn listed<T>(
        &self,
        table: &str,
        scope: Option<(&str, &str)>,
        text: &str,
        first: u64,
        rows: u32,
        read: fn(&Row<'_>) -> rusqlite::Result<Known<T>>,
    ) -> Result<Window<Known<T>>, StoreError> {
        let mut wheres = vec!["1"];
        let mut values: Vec<Value> = Vec::new();
        if let Some((condition, id)) = scope {
            wheres.push(condition);
            values.push(id.to_owned().into());
        }
        for word in text.split_whitespace() {
            wheres.push("instr(words, ?) > 0");
            values.push(fold(word).into());
        }
        let wheres = wheres.join(" AND ");
        self.read(|connection| {
            let total: i64 = connection
                .prepare_cached(&format!("SELECT count(*) FROM {table} WHERE {wheres}"))?
                .query_row(params_from_iter(&values), |row| row.get(0))?;
            let total = u64::try_from(total).unwrap_or(0);
            let first = first.min(total.saturating_sub(u64::from(rows)));
            let offset = i64::try_from(first).unwrap_or(i64::MAX);
            let sql = format!("SELECT * FROM {table} WHERE {wheres} ORDER BY sort LIMIT ? OFFSET ?");
            let mut statement = connection.prepare_cached(&sql)?;
            let all = values.iter().map(|value| value as &dyn ToSql);
            let all: Vec<&dyn ToSql> = all.chain([&rows as &dyn ToSql, &offset as &dyn ToSql]).collect();
            let rows = statement.query_map(all.as_slice(), read)?.collect::<Result<_, _>>()?;
            Ok(Window { first, rows, count: Count::Exact(total) })
        })
    }
}
