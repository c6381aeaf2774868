//! Accounts: the first of a workspace is its settlement account, later ones are for users.

use rusqlite::{Connection, OptionalExtension, Row, params};
use uuid::Uuid;

use super::addresses::{self, AddressOwner};
use super::commands::Paging;
use super::render::{self, AccountAddress, Page, iso_time};
use super::request_error::RequestError;
use super::unit_of_work::UnitOfWork;
use super::workspaces::{self, Workspace, WorkspaceNumber};
use super::{Ledger, columns, users};
use crate::domain::Family;

const COLUMNS: &str = "id, name, kind, evm, solana, created_at, updated_at";

/// Account kinds, by their number in the table.
const KINDS: [&str; 2] = ["SETTLEMENT", "USERS"];

fn read_account_row(row: &Row<'_>, workspace: &Workspace) -> rusqlite::Result<render::Account> {
    let id = columns::read_id(row, 0)?;
    let kind: i64 = row.get(2)?;
    let details = |address: String| AccountAddress { address, ref_id: id.clone() };
    Ok(render::Account {
        name: row.get(1)?,
        kind: KINDS.get(usize::from(kind != 0)).copied().unwrap_or_default(),
        state: "LIVE",
        network: workspace.environment.clone(),
        evm_details: details(row.get(3)?),
        solana_details: details(row.get(4)?),
        workspace_id: workspace.id.to_string(),
        created_at: iso_time(row.get(5)?),
        updated_at: iso_time(row.get(6)?),
        id,
    })
}

/// The number of an account of a workspace.
pub(super) fn find_account_number(
    connection: &Connection,
    workspace_number: WorkspaceNumber,
    id: Uuid,
) -> Result<i64, RequestError> {
    connection
        .prepare_cached("SELECT no FROM accounts WHERE id = ?1 AND workspace = ?2")?
        .query_row(params![id.into_bytes(), workspace_number.0], |row| row.get(0))
        .optional()?
        .ok_or(RequestError::NotFound("account"))
}

impl UnitOfWork<'_> {
    pub fn create_account(&mut self, name: &str) -> Result<render::Account, RequestError> {
        let id = self.new_id();
        let workspace_number = self.workspace.number.0;
        let is_first: bool = self
            .connection
            .prepare_cached("SELECT NOT EXISTS (SELECT 1 FROM accounts WHERE workspace = ?1)")?
            .query_row([workspace_number], |row| row.get(0))?;
        let address = |family| addresses::derive_address(&self.workspace, family, AddressOwner::Account(id));
        let no = self
            .connection
            .prepare_cached(
                "INSERT INTO accounts (workspace, id, name, kind, evm, solana, created_at, updated_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)",
            )?
            .insert(params![
                workspace_number,
                id.into_bytes(),
                name,
                i64::from(!is_first),
                address(Family::Evm),
                address(Family::Solana),
                self.now.millis()
            ])?;
        Ok(self
            .connection
            .prepare_cached(&format!("SELECT {COLUMNS} FROM accounts WHERE no = ?1"))?
            .query_row([no], |row| read_account_row(row, &self.workspace))?)
    }
}

impl Ledger {
    /// Newest first.
    pub fn accounts_of_workspace(
        &self,
        workspace_number: WorkspaceNumber,
        paging: Paging,
    ) -> Result<Page<render::Account>, RequestError> {
        self.read(|connection| {
            let workspace = workspaces::load_workspace(connection, workspace_number)?;
            users::load_table_page(connection, &workspace, "accounts", COLUMNS, paging, read_account_row)
        })
    }
}
