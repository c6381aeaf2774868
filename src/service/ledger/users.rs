use rusqlite::{Connection, OptionalExtension, Row, params};
use uuid::Uuid;

use super::commands::{NewUser, Paging, UserPatch};
use super::refusal::RequestError;
use super::render::{self, Page, iso};
use super::unit_of_work::UnitOfWork;
use super::workspaces::{self, Tenant, Workspace};
use super::{Ledger, columns};

const COLUMNS: &str = "id, ref_id, email, display_name, active, created_at, updated_at";

fn read(row: &Row<'_>, workspace: &Workspace) -> rusqlite::Result<render::User> {
    Ok(render::User {
        id: columns::id(row, 0)?,
        ref_id: row.get(1)?,
        email: row.get(2)?,
        display_name: row.get(3)?,
        is_active: if row.get(4)? { "true" } else { "false" },
        created_at: iso(row.get(5)?),
        updated_at: iso(row.get(6)?),
        workspace_id: workspace.id.to_string(),
    })
}

/// The number of a user of a workspace.
pub(super) fn find(connection: &Connection, tenant: Tenant, id: Uuid) -> Result<i64, RequestError> {
    connection
        .prepare_cached("SELECT no FROM users WHERE id = ?1 AND workspace = ?2")?
        .query_row(params![id.into_bytes(), tenant.0], |row| row.get(0))
        .optional()?
        .ok_or(RequestError::NotFound("user"))
}

fn load(connection: &Connection, workspace: &Workspace, no: i64) -> Result<render::User, RequestError> {
    Ok(connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM users WHERE no = ?1"))?
        .query_row([no], |row| read(row, workspace))?)
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
                self.workspace.tenant.0,
                id.into_bytes(),
                new.ref_id,
                new.email,
                new.display_name,
                self.now.millis()
            ])?;
        load(self.connection, &self.workspace, no)
    }

    pub fn patch_user(&mut self, patch: &UserPatch) -> Result<render::User, RequestError> {
        let no = find(self.connection, self.workspace.tenant, patch.user)?;
        self.connection.execute(
            "UPDATE users SET email = ifnull(?2, email), display_name = ifnull(?3, display_name),
                              ref_id = ifnull(?4, ref_id), updated_at = ?5 WHERE no = ?1",
            params![no, patch.email, patch.display_name, patch.ref_id, self.now.millis()],
        )?;
        load(self.connection, &self.workspace, no)
    }
}

impl Ledger {
    pub fn user(&self, tenant: Tenant, user: Uuid) -> Result<render::User, RequestError> {
        self.read(|connection| {
            let workspace = workspaces::load(connection, tenant)?;
            load(connection, &workspace, find(connection, tenant, user)?)
        })
    }

    /// Newest first.
    pub fn users(&self, tenant: Tenant, paging: Paging) -> Result<Page<render::User>, RequestError> {
        self.read(|connection| {
            let workspace = workspaces::load(connection, tenant)?;
            page(connection, &workspace, "users", COLUMNS, paging, read)
        })
    }
}

/// A page of a table's rows of one workspace, newest first.
pub(super) fn page<T>(
    connection: &Connection,
    workspace: &Workspace,
    table: &str,
    columns: &str,
    paging: Paging,
    read: impl Fn(&Row<'_>, &Workspace) -> rusqlite::Result<T>,
) -> Result<Page<T>, RequestError> {
    let tenant = workspace.tenant.0;
    let total = connection
        .prepare_cached(&format!("SELECT count(*) FROM {table} WHERE workspace = ?1"))?
        .query_row([tenant], |row| columns::count(row, 0))?;
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {columns} FROM {table} WHERE workspace = ?1 ORDER BY no DESC LIMIT ?2 OFFSET ?3"
    ))?;
    let rows = statement
        .query_map(params![tenant, columns::sql(paging.rows()), columns::sql(paging.skipped())], |row| {
            read(row, workspace)
        })?;
    Ok(Page::new(rows.collect::<Result<_, _>>()?, total, paging.page, paging.rows()))
}
