//! Entries that the operator imports into the directory.

use super::OrderExecutor;
use crate::domain::csv_table::{ImportFailure, RefusedRows};
use crate::domain::directory::{DirectoryEntry, ImportSummary};
use crate::domain::entry_source::Sourced;
use crate::domain::order::ServiceDestination;
use crate::domain::{DirectoryImport, Failure, Text, Wallet};
use crate::runtime::directory::{self, ParsedImport};
use crate::runtime::host_permission::VISITOR_MAY_NOT_USE_FILES;
use crate::runtime::table_file::write_refused_rows;

impl OrderExecutor {
    /// Imports the entries of a typed line, all or none.
    ///
    /// # Errors
    /// One line for each fault.
    pub(super) async fn import_entries(&self, line: String) -> Result<ImportSummary, ImportFailure> {
        let broken = |fault: tokio::task::JoinError| ImportFailure::from(format!("this was interrupted: {fault}"));
        let (host, profile_file) = (self.resources.host.clone(), self.resources.profile_file.clone());
        let task =
            tokio::task::spawn_blocking(move || directory::parse_import_line(host.as_ref(), &profile_file, &line));
        let ParsedImport { import, notes } = task.await.map_err(broken)??;
        // Identifiers outlive keys.
        let to = ServiceDestination { key_mark: Text::default(), ..self.payment_context.destination.clone() };
        let now = self.now();
        let brought =
            self.with_journal(move |journal| directory::record_new_import_entries(journal, &to, import, now)).await;
        let mut brought = brought.map_err(|failure| ImportFailure::from(failure.to_string()))?;
        brought.remarks.splice(..0, notes);
        self.cache_new_imports().await;
        Ok(brought)
    }

    /// Writes the refused rows of a file to a new file beside it; returns its path.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub(super) async fn write_refused_rows(&self, refused: RefusedRows) -> Result<String, String> {
        let host = self.resources.host.clone().ok_or(VISITOR_MAY_NOT_USE_FILES)?;
        let written = tokio::task::spawn_blocking(move || write_refused_rows(&host, &refused)).await;
        let path = written.map_err(|fault| format!("this was interrupted: {fault}"))??;
        Ok(path.display().to_string())
    }

    /// Records which of the addresses that the service reported for a wallet is its own, confirmed by the operator.
    pub(super) async fn record_own_address(&self, wallet: Sourced<Wallet>, own: Text) -> Result<(), Failure> {
        let reported_addresses =
            wallet.entry.address.iter().chain(wallet.conflicting_addresses.iter().map(|other| &other.address));
        let rejected: Vec<Text> = reported_addresses.filter(|address| **address != own).cloned().collect();
        let names: Vec<&str> = rejected.iter().map(Text::as_str).collect();
        let origin = Text::clean(&format!(
            "confirmed by the operator, and not {}, which the service reported as well",
            names.join(" or ")
        ));
        // The address alone: the wallet's other fields remain those that the service reports.
        let entry = DirectoryEntry::Wallet(Wallet {
            address: Some(own),
            name: None,
            state: None,
            gasless_withdraw: None,
            auto_sweep: None,
            ref_id: None,
            created_at: None,
            ..wallet.entry
        });
        let import = DirectoryImport { origin, entries: vec![entry], rejected };
        let to = ServiceDestination { key_mark: Text::default(), ..self.payment_context.destination.clone() };
        let now = self.now();
        // The cache learns of it only from the journal, as it will again after the cache is lost.
        self.with_journal(move |journal| journal.record_import(&to, import, now)).await?;
        self.cache_new_imports().await;
        Ok(())
    }

    /// Adds new imports to the cache, whether made here or by another program.
    pub(super) async fn cache_new_imports(&self) {
        let (store, journal) = (self.resources.store.clone(), self.payment_context.journal.clone());
        let base_url = self.payment_context.destination.base_url.clone();
        let learnt = tokio::task::spawn_blocking(move || {
            directory::sync_imports(&store, |after| journal.imports(&base_url, after))
        });
        if let Ok(Err(error)) = learnt.await {
            // The journal keeps them, and the next poll adds them.
            tracing::warn!(%error, "imported entries are missing from the directory");
        }
    }
}
