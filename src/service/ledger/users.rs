use rusqlite::{Connection, OptionalExtension, Row, params};
use uuid::Uuid;

use super::commands::{NewUser, Paging, UserPatch};
use super::render::{self, Page, iso_time};
use super::request_error::RequestError;
use super::unit_of_work::UnitOfWork;
use super::workspaces::{self, Workspace, WorkspaceNumber};
use super::{Ledger, columns};

const COLUMNS: &str = "id, ref_id, email, display_name, active, created_at, updated_at";

fn read_user_row(row: &Row<'_>, workspace: &Workspace) -> rusqlite::Result<render::User> {
    Ok(render::User {
        id: columns::read_id(row, 0)?,
        ref_id: row.get(1)?,
        email: row.get(2)?,
        display_name: row.get(3)?,
        is_active: if row.get(4)? { "true" } else { "false" },
        created_at: iso_time(row.get(5)?),
        updated_at: iso_time(row.get(6)?),
        workspace_id: workspace.id.to_string(),
    })
}

/// The number of a user of a workspace.
pub(super) fn find_user_number(
    connection: &Connection,
    workspace_number: WorkspaceNumber,
    id: Uuid,
) -> Result<i64, RequestError> {
    connection
        .prepare_cached("SELECT no FROM users WHERE id = ?1 AND workspace = ?2")?
        .query_row(params![id.into_bytes(), workspace_number.0], |row| row.get(0))
        .optional()?
        .ok_or(RequestError::NotFound("user"))
}

fn load_user(connection: &Connection, workspace: &Workspace, no: i64) -> Result<render::User, RequestError> {
    Ok(connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM users WHERE no = ?1"))?
        .query_row([no], |row| read_user_row(row, workspace))?)
}

impl UnitOfWork<'_> {
    pub fn create_user(&mut self, new: &NewUser) -> Result<render::User, RequestError> {
        let id = self.new_id();
        let no = self
            .connection
            .prepare_cached(
                "INSERT INTO users (workspace, id, ref_id, email, display_name, created_at, updated_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)",
            )?
            .insert(params![
                self.workspace.number.0,
                id.into_bytes(),
                new.ref_id,
                new.email,
                new.display_name,
                self.now.millis()
            ])?;
        load_user(self.connection, &self.workspace, no)
    }

    pub fn patch_user(&mut self, patch: &UserPatch) -> Result<render::User, RequestError> {
        let no = find_user_number(self.connection, self.workspace.number, patch.user)?;
        self.connection.execute(
            "UPDATE users SET email = ifnull(?2, email), display_name = ifnull(?3, display_name),
                              ref_id = ifnull(?4, ref_id), updated_at = ?5 WHERE no = ?1",
            params![no, patch.email, patch.display_name, patch.ref_id, self.now.millis()],
        )?;
        load_user(self.connection, &self.workspace, no)
    }
}

impl Ledger {
    pub fn user(&self, workspace_number: WorkspaceNumber, user: Uuid) -> Result<render::User, RequestError> {
        self.read(|connection| {
            let workspace = workspaces::load_workspace(connection, workspace_number)?;
            load_user(connection, &workspace, find_user_number(connection, workspace_number, user)?)
        })
    }

    /// Newest first.
    pub fn users(&self, workspace_number: WorkspaceNumber, paging: Paging) -> Result<Page<render::User>, RequestError> {
        self.read(|connection| {
            let workspace = workspaces::load_workspace(connection, workspace_number)?;
            load_table_page(connection, &workspace, "users", COLUMNS, paging, read_user_row)
        })
    }
}

/// A page of a table's rows of one workspace, newest first.
pub(super) fn load_table_page<T>(
    connection: &Connection,
    workspace: &Workspace,
    table: &str,
    columns: &str,
    paging: Paging,
    read: impl Fn(&Row<'_>, &Workspace) -> rusqlite::Result<T>,
) -> Result<Page<T>, RequestError> {
    let workspace_number = workspace.number.0;
    let total = connection
        .prepare_cached(&format!("SELECT count(*) FROM {table} WHERE workspace = ?1"))?
        .query_row([workspace_number], |row| columns::read_count(row, 0))?;
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {columns} FROM {table} WHERE workspace = ?1 ORDER BY no DESC LIMIT ?2 OFFSET ?3"
    ))?;
    let rows = statement.query_map(
        params![
            workspace_number,
            columns::to_sql_integer(paging.rows_per_page()),
            columns::to_sql_integer(paging.rows_before_page())
        ],
        |row| read(row, workspace),
    )?;
    Ok(Page::new(rows.collect::<Result<_, _>>()?, total, paging.page, paging.rows_per_page()))
}
