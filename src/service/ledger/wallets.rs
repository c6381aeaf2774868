//! Wallets: one address on one chain, in an account, mostly of a user.

use ruint::aliases::U256;
use rusqlite::{Connection, OptionalExtension, Row, params};
use uuid::Uuid;

use super::addresses::{self, AddressOwner};
use super::commands::{NewWallet, Paging, WalletPatch};
use super::render::{self, Page, iso_time};
use super::request_error::RequestError;
use super::tokens::{self, ChainToken, chain_number, chain_protocol, read_chain, unknown_chain_message};
use super::unit_of_work::UnitOfWork;
use super::workspaces::{self, Workspace, WorkspaceNumber};
use super::{Ledger, accounts, columns, users};
use crate::domain::{Chain, Family};
use crate::service::chain;

const COLUMNS: &str = "id, address, chain, gasless, auto_sweep, active, created_at, updated_at, name, ref_id,
    (SELECT users.id FROM users WHERE users.no = wallets.user),
    (SELECT accounts.id FROM accounts WHERE accounts.no = wallets.account)";

fn read_wallet_row(row: &Row<'_>, workspace: &Workspace) -> rusqlite::Result<render::Wallet> {
    let chain = read_chain(row, 2)?;
    Ok(render::Wallet {
        id: columns::read_id(row, 0)?,
        address: row.get(1)?,
        blockchain: chain.slug,
        protocol: chain_protocol(chain),
        network: workspace.environment.clone(),
        is_evm_compatible: chain.family == Family::Evm,
        kind: "smart_wallet",
        intent: "deposit",
        gasless_withdraw: row.get(3)?,
        auto_sweep: row.get(4)?,
        state: if row.get(5)? { "LIVE" } else { "INACTIVE" },
        custody_type: "DEVELOPER",
        user_id: columns::read_optional_id(row, 10)?,
        account_id: columns::read_id(row, 11)?,
        workspace_id: workspace.id.to_string(),
        created_at: iso_time(row.get(6)?),
        updated_at: iso_time(row.get(7)?),
        decimals: chain.coin.2,
        name: row.get(8)?,
        ref_id: row.get(9)?,
    })
}

/// The data of a wallet that payments need.
#[derive(Debug, Clone)]
pub(in crate::service) struct LedgerWallet {
    pub(in crate::service) no: i64,
    pub(super) workspace_number: WorkspaceNumber,
    pub(in crate::service) chain: &'static Chain,
    pub(in crate::service) address: String,
    pub(super) active: bool,
    pub(super) gasless: bool,
    pub(super) account: i64,
    pub(in crate::service) user: Option<i64>,
    ref_id: Option<String>,
}

impl LedgerWallet {
    pub(super) const COLUMNS: &'static str = "no, workspace, chain, address, active, gasless, account, user, ref_id";

    pub(super) const COLUMN_COUNT: usize = 9;

    /// Its identifier in responses.
    pub(in crate::service) fn load_id(&self, connection: &Connection) -> Result<Uuid, RequestError> {
        let sql = "SELECT id FROM wallets WHERE no = ?1";
        Ok(connection.prepare_cached(sql)?.query_row([self.no], |row| columns::read_uuid(row, 0))?)
    }

    /// All wallets of a workspace, oldest first.
    pub(in crate::service) fn load_all(
        connection: &Connection,
        workspace_number: WorkspaceNumber,
    ) -> Result<Vec<Self>, RequestError> {
        let columns = Self::COLUMNS;
        let mut statement =
            connection.prepare(&format!("SELECT {columns} FROM wallets WHERE workspace = ?1 ORDER BY no"))?;
        let wallets = statement.query_map([workspace_number.0], Self::from_row)?;
        Ok(wallets.collect::<Result<_, _>>()?)
    }

    /// The business's own reference.
    pub(in crate::service) fn ref_id(&self) -> Option<&str> {
        self.ref_id.as_deref()
    }

    /// Rejects a payment unless the wallet is on the chain and active.
    pub(super) fn require_active_on_chain(&self, chain: &Chain) -> Result<(), RequestError> {
        if self.chain.slug != chain.slug {
            let (own_chain, requested_chain) = (self.chain.name, chain.name);
            return Err(RequestError::bad_request(format!("the wallet is on {own_chain}, not on {requested_chain}")));
        }
        if !self.active {
            return Err(RequestError::bad_request("the wallet is inactive; activate it first"));
        }
        Ok(())
    }

    pub(super) fn refuse_self_payment(&self, recipient: &str) -> Result<(), RequestError> {
        if recipient == self.address {
            return Err(RequestError::bad_request("the wallet cannot pay itself"));
        }
        Ok(())
    }

    /// Fee of a withdrawal from this wallet, in the token's smallest units.
    pub(in crate::service) fn withdrawal_fee(&self, token: &ChainToken) -> U256 {
        if self.gasless { U256::ZERO } else { tokens::listed_withdrawal_fee(token) }
    }

    pub(super) fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            no: row.get(0)?,
            workspace_number: WorkspaceNumber(row.get(1)?),
            chain: read_chain(row, 2)?,
            address: row.get(3)?,
            active: row.get(4)?,
            gasless: row.get(5)?,
            account: row.get(6)?,
            user: row.get(7)?,
            ref_id: row.get(8)?,
        })
    }
}

pub(super) fn find_wallet(
    connection: &Connection,
    workspace_number: WorkspaceNumber,
    id: Uuid,
) -> Result<LedgerWallet, RequestError> {
    let columns = LedgerWallet::COLUMNS;
    connection
        .prepare_cached(&format!("SELECT {columns} FROM wallets WHERE id = ?1 AND workspace = ?2"))?
        .query_row(params![id.into_bytes(), workspace_number.0], LedgerWallet::from_row)
        .optional()?
        .ok_or(RequestError::NotFound("wallet"))
}

/// This service's wallet with an address, in any workspace.
pub(super) fn find_wallet_by_address(
    connection: &Connection,
    chain: &Chain,
    address: &str,
) -> Result<Option<LedgerWallet>, RequestError> {
    let columns = LedgerWallet::COLUMNS;
    Ok(connection
        .prepare_cached(&format!("SELECT {columns} FROM wallets WHERE address = ?1 AND chain = ?2"))?
        .query_row(params![address, chain_number(chain)], LedgerWallet::from_row)
        .optional()?)
}

/// A wallet by number, if it is active and has auto-sweep.
pub(super) fn find_auto_sweep_wallet(connection: &Connection, no: i64) -> Result<Option<LedgerWallet>, RequestError> {
    let columns = LedgerWallet::COLUMNS;
    Ok(connection
        .prepare_cached(&format!("SELECT {columns} FROM wallets WHERE no = ?1 AND auto_sweep = 1 AND active = 1"))?
        .query_row([no], LedgerWallet::from_row)
        .optional()?)
}

/// The oldest active wallet of the settlement account on a chain.
pub(super) fn find_settlement_wallet(
    connection: &Connection,
    workspace_number: WorkspaceNumber,
    chain: &Chain,
) -> Result<Option<LedgerWallet>, RequestError> {
    let columns = LedgerWallet::COLUMNS;
    Ok(connection
        .prepare_cached(&format!(
            "SELECT {columns} FROM wallets WHERE active = 1 AND chain = ?2 AND account =
                 (SELECT no FROM accounts WHERE workspace = ?1 AND kind = 0 ORDER BY no LIMIT 1) ORDER BY no LIMIT 1"
        ))?
        .query_row(params![workspace_number.0, chain_number(chain)], LedgerWallet::from_row)
        .optional()?)
}

fn load_wallet(connection: &Connection, workspace: &Workspace, no: i64) -> Result<render::Wallet, RequestError> {
    Ok(connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM wallets WHERE no = ?1"))?
        .query_row([no], |row| read_wallet_row(row, workspace))?)
}

impl UnitOfWork<'_> {
    /// Creates a wallet and its address.
    ///
    /// The same user (or account, where there is no user) and reference have one address on all EVM chains, and one
    /// wallet on each chain.
    pub fn create_wallet(&mut self, new: &NewWallet) -> Result<render::Wallet, RequestError> {
        let chain = chain::find_chain(&new.blockchain)
            .ok_or_else(|| RequestError::unprocessable(unknown_chain_message(&new.blockchain)))?;
        let workspace_number = self.workspace.number;
        let account = accounts::find_account_number(self.connection, workspace_number, new.account)?;
        let user = new.user.map(|user| users::find_user_number(self.connection, workspace_number, user)).transpose()?;
        self.refuse_duplicate_reference(account, user, new.ref_id.as_deref(), chain)?;
        let id = self.new_id();
        let owner = match &new.ref_id {
            Some(reference) => AddressOwner::Reference(new.user.unwrap_or(new.account), reference),
            None => AddressOwner::Wallet(id),
        };
        let address = addresses::derive_address(&self.workspace, chain.family, owner);
        if find_wallet_by_address(self.connection, chain, &address)?.is_some() {
            // The wallet of this reference was moved to another user, and took its address along.
            return Err(RequestError::bad_request(
                "the address of this refId on this chain is taken by a wallet that was moved",
            ));
        }
        let no = self
            .connection
            .prepare_cached(
                "INSERT INTO wallets (workspace, id, account, user, chain, address, name, ref_id, gasless, auto_sweep,
                                      created_at, updated_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11)",
            )?
            .insert(params![
                workspace_number.0,
                id.into_bytes(),
                account,
                user,
                chain_number(chain),
                address,
                new.name,
                new.ref_id,
                chain::rules(chain).is_some_and(|rules| rules.sponsored),
                new.auto_sweep,
                self.now.millis()
            ])?;
        load_wallet(self.connection, &self.workspace, no)
    }

    /// Changes a wallet. A wallet without a user can be linked to one; an unused wallet may move to another.
    pub fn patch_wallet(&mut self, patch: &WalletPatch) -> Result<render::Wallet, RequestError> {
        let workspace_number = self.workspace.number;
        let wallet = find_wallet(self.connection, workspace_number, patch.wallet)?;
        let user =
            patch.user.map(|user| users::find_user_number(self.connection, workspace_number, user)).transpose()?;
        if user.is_some() && user != wallet.user {
            if wallet.user.is_some() && self.has_transactions(&wallet)? {
                return Err(RequestError::bad_request(
                    "userId: the wallet belongs to another user and was used; only an empty one can move",
                ));
            }
            self.refuse_duplicate_reference(wallet.account, user, wallet.ref_id.as_deref(), wallet.chain)?;
        }
        self.connection
            .prepare_cached(
                "UPDATE wallets SET user = ifnull(?2, user), name = ifnull(?3, name), active = ifnull(?4, active),
                                    auto_sweep = ifnull(?5, auto_sweep), updated_at = ?6 WHERE no = ?1",
            )?
            .execute(params![wallet.no, user, patch.name, patch.is_active, patch.auto_sweep, self.now.millis()])?;
        load_wallet(self.connection, &self.workspace, wallet.no)
    }

    fn has_transactions(&self, wallet: &LedgerWallet) -> Result<bool, RequestError> {
        Ok(self
            .connection
            .prepare_cached("SELECT EXISTS (SELECT 1 FROM history WHERE wallet = ?1)")?
            .query_row([wallet.no], |row| row.get(0))?)
    }

    fn refuse_duplicate_reference(
        &self,
        account: i64,
        user: Option<i64>,
        ref_id: Option<&str>,
        chain: &Chain,
    ) -> Result<(), RequestError> {
        let Some(ref_id) = ref_id else { return Ok(()) };
        let sql = match user {
            Some(_) => "SELECT EXISTS (SELECT 1 FROM wallets WHERE user = ?1 AND ref_id = ?2 AND chain = ?3)",
            None => {
                "SELECT EXISTS (SELECT 1 FROM wallets
                                WHERE account = ?1 AND user IS NULL AND ref_id = ?2 AND chain = ?3)"
            }
        };
        let exists: bool = self
            .connection
            .prepare_cached(sql)?
            .query_row(params![user.unwrap_or(account), ref_id, chain_number(chain)], |row| row.get(0))?;
        if exists {
            let name = chain.name;
            return Err(RequestError::bad_request(format!(
                "refId {ref_id} has a wallet on {name} already; there is one per chain"
            )));
        }
        Ok(())
    }
}

impl Ledger {
    pub fn wallet(&self, workspace_number: WorkspaceNumber, wallet: Uuid) -> Result<render::Wallet, RequestError> {
        self.read(|connection| {
            let workspace = workspaces::load_workspace(connection, workspace_number)?;
            load_wallet(connection, &workspace, find_wallet(connection, workspace_number, wallet)?.no)
        })
    }

    /// Newest first.
    pub fn wallets(
        &self,
        workspace_number: WorkspaceNumber,
        paging: Paging,
    ) -> Result<Page<render::Wallet>, RequestError> {
        self.read(|connection| {
            let workspace = workspaces::load_workspace(connection, workspace_number)?;
            users::load_table_page(connection, &workspace, "wallets", COLUMNS, paging, read_wallet_row)
        })
    }
}
