//! Workspaces: the businesses that share a ledger and never see each other's rows.

use rusqlite::{Connection, OptionalExtension, Row, params};
use uuid::Uuid;

use super::Ledger;
use super::columns;
use super::request_error::RequestError;
use crate::domain::{Network, Timestamp};

/// The number of a workspace in this ledger. Every query is limited to one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WorkspaceNumber(pub(super) i64);

impl WorkspaceNumber {
    /// The number of the first workspace, known before it is created.
    pub(in crate::service) const FIRST: Self = Self(1);

    /// For tables that store the number.
    pub(in crate::service) fn to_i64(self) -> i64 {
        self.0
    }

    pub(in crate::service) fn from_i64(number: i64) -> Self {
        Self(number)
    }
}

#[derive(Debug, Clone)]
pub struct NewWorkspace {
    pub id: Uuid,
    pub name: String,
    /// `mainnet` or `testnet`.
    pub environment: String,
    /// Secret that the workspace's addresses are derived from.
    pub address_secret: [u8; 32],
}

impl NewWorkspace {
    /// An empty workspace with a random identifier and random material.
    pub fn with_random_id(name: &str, environment: &str) -> Self {
        let mut address_secret = [0; 32];
        let drawn = [Uuid::new_v4(), Uuid::new_v4()];
        for (to, from) in address_secret.iter_mut().zip(drawn.iter().flat_map(Uuid::as_bytes)) {
            *to = *from;
        }
        Self { id: Uuid::new_v4(), name: name.into(), environment: environment.into(), address_secret }
    }
}

#[derive(Debug, Clone)]
pub struct Workspace {
    pub number: WorkspaceNumber,
    pub id: Uuid,
    pub name: String,
    /// `mainnet` or `testnet`.
    pub environment: String,
    pub(super) address_secret: Vec<u8>,
    pub(super) rows: u64,
    pub(super) incoming: u64,
    pub(super) outgoing: u64,
}

impl Workspace {
    pub(super) fn is_testnet(&self) -> bool {
        self.environment == "testnet"
    }

    const COLUMNS: &'static str = "no, id, name, environment, material, rows, incoming, outgoing";

    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            number: WorkspaceNumber(row.get(0)?),
            id: columns::read_uuid(row, 1)?,
            name: row.get(2)?,
            environment: row.get(3)?,
            address_secret: row.get(4)?,
            rows: columns::read_count(row, 5)?,
            incoming: columns::read_count(row, 6)?,
            outgoing: columns::read_count(row, 7)?,
        })
    }

    /// The network of its wallets on each chain.
    pub(super) fn network(&self) -> Network {
        if self.environment == "mainnet" { Network::Mainnet } else { Network::Testnet }
    }

    /// Number of transactions, in both directions.
    pub fn transaction_count(&self) -> u64 {
        self.rows
    }
}

pub(super) fn load_workspace(
    connection: &Connection,
    workspace_number: WorkspaceNumber,
) -> Result<Workspace, RequestError> {
    let columns = Workspace::COLUMNS;
    connection
        .prepare_cached(&format!("SELECT {columns} FROM workspaces WHERE no = ?1"))?
        .query_row([workspace_number.0], Workspace::from_row)
        .optional()?
        .ok_or(RequestError::NotFound("workspace"))
}

pub(in crate::service) fn insert_workspace(
    connection: &Connection,
    new: &NewWorkspace,
    now: Timestamp,
) -> Result<WorkspaceNumber, RequestError> {
    connection.execute(
        "INSERT INTO workspaces (id, name, environment, material, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![new.id.into_bytes(), new.name, new.environment, new.address_secret, now.millis()],
    )?;
    Ok(WorkspaceNumber(connection.last_insert_rowid()))
}

impl Ledger {
    pub fn create_workspace(&self, new: NewWorkspace, now: Timestamp) -> Result<WorkspaceNumber, RequestError> {
        self.write(move |connection| insert_workspace(connection, &new, now))
    }

    /// Oldest first.
    pub fn workspaces(&self) -> Result<Vec<Workspace>, RequestError> {
        self.read(|connection| {
            let columns = Workspace::COLUMNS;
            let mut statement = connection.prepare_cached(&format!("SELECT {columns} FROM workspaces ORDER BY no"))?;
            let workspaces = statement.query_map([], Workspace::from_row)?;
            Ok(workspaces.collect::<Result<_, _>>()?)
        })
    }

    pub fn workspace(&self, workspace_number: WorkspaceNumber) -> Result<Workspace, RequestError> {
        self.read(|connection| load_workspace(connection, workspace_number))
    }
}
