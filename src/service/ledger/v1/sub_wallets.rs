use rusqlite::{Connection, Row, params};
use uuid::Uuid;

use super::owners::{WalletOwner, unknown_chain_message};
use crate::service::chain;
use crate::service::ledger::commands::{NewUser, Paging};
use crate::service::ledger::render::{Page, iso_time, v1};
use crate::service::ledger::request_error::RequestError;
use crate::service::ledger::tokens::{self, ChainToken, chain_number};
use crate::service::ledger::unit_of_work::UnitOfWork;
use crate::service::ledger::wallets::LedgerWallet;
use crate::service::ledger::workspaces::{self, Workspace, WorkspaceNumber};
use crate::service::ledger::{Ledger, columns, users};

const COLUMNS: &str = "id, ref_id, email, display_name, active, can_trade, created_at, updated_at";

#[derive(Debug, Clone, Default)]
pub struct NewSubWallet {
    pub email: Option<String>,
    pub name: Option<String>,
    /// The business's own reference.
    pub client_user_id: Option<String>,
    pub can_trade: Option<bool>,
}

fn read_sub_wallet_row(row: &Row<'_>, workspace: &Workspace) -> rusqlite::Result<v1::SubWallet> {
    Ok(v1::SubWallet {
        id: columns::read_id(row, 0)?,
        client_user_id: row.get(1)?,
        email: row.get(2)?,
        name: row.get(3)?,
        is_active: if row.get(4)? { "true" } else { "false" },
        language: "en_US",
        can_trade: row.get(5)?,
        created_at: iso_time(row.get(6)?),
        updated_at: iso_time(row.get(7)?),
        workspace_id: workspace.id.to_string(),
    })
}

fn load_sub_wallet(connection: &Connection, workspace: &Workspace, id: Uuid) -> Result<v1::SubWallet, RequestError> {
    let user = connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM users WHERE id = ?1 AND workspace = ?2"))?
        .query_row(params![id.into_bytes(), workspace.number.to_i64()], |row| read_sub_wallet_row(row, workspace));
    match user {
        Err(rusqlite::Error::QueryReturnedNoRows) => Err(RequestError::NotFound("sub-wallet")),
        other => Ok(other?),
    }
}

impl UnitOfWork<'_> {
    /// Creates a sub-wallet, which is a user in v2.
    pub fn create_sub_wallet(&mut self, new: &NewSubWallet) -> Result<v1::SubWallet, RequestError> {
        let user = self.create_user(&NewUser {
            email: new.email.clone(),
            display_name: new.name.clone(),
            ref_id: new.client_user_id.clone(),
        })?;
        let id = Uuid::try_parse(&user.id).map_err(|error| RequestError::Internal(error.to_string()))?;
        self.connection.execute(
            "UPDATE users SET can_trade = ?2 WHERE id = ?1",
            params![id.into_bytes(), new.can_trade.unwrap_or(true)],
        )?;
        load_sub_wallet(self.connection, &self.workspace, id)
    }

    /// The deposit address of a sub-wallet for a coin on a chain, created if missing.
    pub fn find_or_create_deposit_address(
        &mut self,
        sub_wallet: Uuid,
        coin: &str,
        chain: &str,
    ) -> Result<v1::WalletAddress, RequestError> {
        let owner = WalletOwner::find_sub_wallet(self.connection, self.workspace.number, sub_wallet)?;
        let owner = owner.ok_or(RequestError::NotFound("sub-wallet"))?;
        let token = self.find_token_of_coin(coin, chain)?;
        let wallet = self.find_or_create_wallet(owner, token.chain)?;
        load_wallet_address(self.connection, &self.workspace, &wallet, &token.symbol, sub_wallet)
    }

    /// The deposit address of the Prime Wallet.
    pub fn find_or_create_prime_address(&mut self, coin: &str, chain: &str) -> Result<v1::WalletAddress, RequestError> {
        let token = self.find_token_of_coin(coin, chain)?;
        let (owner, id) = self.find_or_create_prime()?;
        let wallet = self.find_or_create_wallet(owner, token.chain)?;
        load_wallet_address(self.connection, &self.workspace, &wallet, &token.symbol, id)
    }
}

fn load_wallet_address(
    connection: &Connection,
    workspace: &Workspace,
    wallet: &LedgerWallet,
    coin: &str,
    owner: Uuid,
) -> Result<v1::WalletAddress, RequestError> {
    let sql = "SELECT id, created_at FROM wallets WHERE no = ?1";
    let (id, created_at) = connection
        .prepare_cached(sql)?
        .query_row([wallet.no], |row| Ok((columns::read_id(row, 0)?, row.get::<_, i64>(1)?)))?;
    Ok(v1::WalletAddress {
        id,
        coin: coin.to_owned(),
        chain: wallet.chain.slug,
        network: workspace.environment.clone(),
        address: wallet.address.clone(),
        workspace_id: workspace.id.to_string(),
        created_at: iso_time(created_at),
        wallet_id: owner.to_string(),
        // No chain of this service needs a tag.
        tag: None,
    })
}

impl Ledger {
    pub fn sub_wallet(&self, workspace_number: WorkspaceNumber, id: Uuid) -> Result<v1::SubWallet, RequestError> {
        self.read(|connection| {
            load_sub_wallet(connection, &workspaces::load_workspace(connection, workspace_number)?, id)
        })
    }

    /// Newest first.
    pub fn sub_wallets(
        &self,
        workspace_number: WorkspaceNumber,
        paging: Paging,
    ) -> Result<Page<v1::SubWallet>, RequestError> {
        self.read(|connection| {
            let workspace = workspaces::load_workspace(connection, workspace_number)?;
            users::load_table_page(connection, &workspace, "users", COLUMNS, paging, read_sub_wallet_row)
        })
    }

    /// Addresses of the Prime Wallet: one row for each coin that each wallet can receive, newest wallet first; filtered
    /// by coin and chain.
    pub fn addresses_of_prime(
        &self,
        workspace_number: WorkspaceNumber,
        (coin, chain): (Option<&str>, Option<&str>),
        paging: Paging,
    ) -> Result<Page<v1::WalletAddress>, RequestError> {
        let (symbol, slug) = resolve_coin_and_chain(coin, chain)?;
        self.read(|connection| {
            let workspace = workspaces::load_workspace(connection, workspace_number)?;
            let Some(WalletOwner::Prime(account)) = WalletOwner::find_prime(connection, workspace_number)? else {
                return Ok(Page::new(Vec::new(), 0, paging.page, paging.rows_per_page()));
            };
            let joined = "FROM wallets w JOIN tokens k ON k.chain = w.chain AND k.listed = 1
                 WHERE w.account = ?1 AND (?2 IS NULL OR k.symbol = ?2) AND (?3 IS NULL OR k.chain = ?3)";
            let number = slug.map(chain_number);
            let total = connection
                .prepare_cached(&format!("SELECT count(*) {joined}"))?
                .query_row(params![account, symbol, number], |row| columns::read_count(row, 0))?;
            let (token_columns, owned) = (
                ChainToken::COLUMNS,
                "w.no, w.workspace, w.chain, w.address, w.active, w.gasless, w.account, w.user, w.ref_id",
            );
            let mut statement = connection.prepare_cached(&format!(
                "SELECT {owned}, {token_columns} {joined} ORDER BY w.no DESC, k.no LIMIT ?4 OFFSET ?5"
            ))?;
            let (limit, offset) =
                (columns::to_sql_integer(paging.rows_per_page()), columns::to_sql_integer(paging.rows_before_page()));
            let rows = statement.query_map(params![account, symbol, number, limit, offset], |row| {
                Ok((LedgerWallet::from_row(row)?, ChainToken::from_row(row, LedgerWallet::COLUMN_COUNT)?))
            })?;
            let id = connection
                .prepare_cached("SELECT id FROM accounts WHERE no = ?1")?
                .query_row([account], |row| columns::read_uuid(row, 0))?;
            let mut page = Vec::new();
            for row in rows {
                let (wallet, token) = row?;
                page.push(load_wallet_address(connection, &workspace, &wallet, &token.symbol, id)?);
            }
            Ok(Page::new(page, total, paging.page, paging.rows_per_page()))
        })
    }
}

/// Symbol and chain of a filter; an unknown word is an error.
pub(super) fn resolve_coin_and_chain(
    coin: Option<&str>,
    chain: Option<&str>,
) -> Result<(Option<&'static str>, Option<&'static crate::domain::Chain>), RequestError> {
    let mut problems = Vec::new();
    let symbol = coin.and_then(|word| {
        let listed_coin = tokens::find_listed_coin(word);
        if listed_coin.is_none() {
            problems.push(format!("coin: {word} is not listed"));
        }
        listed_coin.map(|coin| coin.symbol)
    });
    let listed_chain = chain.and_then(|word| {
        let match_in_list = chain::find_chain(word);
        if match_in_list.is_none() {
            problems.push(unknown_chain_message(word));
        }
        match_in_list
    });
    if problems.is_empty() { Ok((symbol, listed_chain)) } else { Err(RequestError::Unprocessable(problems)) }
}
