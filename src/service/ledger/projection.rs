//! Derives the state of a row at the time of reading.

use rusqlite::Connection;

use super::rows::RowStatus;
use super::workspaces::{self, Workspace, WorkspaceNumber};
use super::{Ledger, RequestError};
use crate::domain::{Chain, Timestamp};
use crate::service::chain::{self, Pace};

/// The workspace and time of a read.
#[derive(Clone, Copy)]
pub(super) struct ReadContext<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) now: Timestamp,
    pub(super) pace: Pace,
}

impl ReadContext<'_> {
    /// Confirmations of a transaction: all required ones once it succeeded, at most one less before, none once it
    /// failed.
    pub(super) fn confirmations(self, chain: &Chain, status: RowStatus, accepted: Timestamp) -> u64 {
        let Some(rules) = chain::rules(chain) else { return u64::from(status == RowStatus::Success) };
        let required = u64::from(rules.confirmations);
        match status {
            RowStatus::Pending => rules.blocks_since(accepted, self.now, self.pace).min(required - 1),
            RowStatus::Success => required,
            RowStatus::Failed => 0,
        }
    }
}

impl Ledger {
    /// Reads in a workspace on one snapshot.
    pub(super) fn read_in_workspace<T>(
        &self,
        workspace_number: WorkspaceNumber,
        now: Timestamp,
        op: impl FnOnce(&Connection, ReadContext<'_>) -> Result<T, RequestError>,
    ) -> Result<T, RequestError> {
        let pace = self.pace();
        self.read(|connection| {
            let workspace = workspaces::load_workspace(connection, workspace_number)?;
            op(connection, ReadContext { workspace: &workspace, now, pace })
        })
    }
}
