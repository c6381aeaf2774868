//! What a row looks like to somebody who reads it now: how far it has come.

use rusqlite::Connection;

use super::rows::Stage;
use super::workspaces::{self, Tenant, Workspace};
use super::{Ledger, Refusal};
use crate::domain::{Chain, Timestamp};
use crate::service::chain::{self, Pace};

/// Who looks, and when.
#[derive(Clone, Copy)]
pub(super) struct Eye<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) now: Timestamp,
    pub(super) pace: Pace,
}

impl Eye<'_> {
    /// How many blocks confirm what was accepted on a chain at a time: all that are waited for once it succeeded, one
    /// less at most before, and none once it failed.
    pub(super) fn confirmations(self, chain: &Chain, stage: Stage, accepted: Timestamp) -> u64 {
        let Some(rules) = chain::rules(chain) else { return u64::from(stage == Stage::Success) };
        let required = u64::from(rules.confirmations);
        match stage {
            Stage::Pending => rules.blocks_since(accepted, self.now, self.pace).min(required - 1),
            Stage::Success => required,
            Stage::Failed => 0,
        }
    }
}

impl Ledger {
    /// Reads in a workspace on one snapshot, as somebody who looks now.
    pub(super) fn look<T>(
        &self,
        tenant: Tenant,
        now: Timestamp,
        op: impl FnOnce(&Connection, Eye<'_>) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let pace = self.pace();
        self.read(|connection| {
            let workspace = workspaces::load(connection, tenant)?;
            op(connection, Eye { workspace: &workspace, now, pace })
        })
    }
}
