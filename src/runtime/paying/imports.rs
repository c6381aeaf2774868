//! Entries that the operator brings into the directory.

use super::Desk;
use crate::domain::Text;
use crate::domain::directory::Brought;
use crate::domain::intent::Destination;
use crate::runtime::directory;

impl Desk {
    /// Brings in what a typed line names, all of it or nothing.
    ///
    /// # Errors
    /// What is wrong, a line each.
    pub(super) async fn import(&self, line: String) -> Result<Brought, Vec<String>> {
        let broken = |fault: tokio::task::JoinError| vec![format!("this broke off: {fault}")];
        let host = self.world.host.clone();
        let read = tokio::task::spawn_blocking(move || directory::told(host.as_ref(), &line));
        let import = read.await.map_err(broken)??;
        // Identifiers outlive keys.
        let to = Destination { key_mark: Text::default(), ..self.paying.here.clone() };
        let now = self.now();
        let brought = self.journal(move |journal| directory::bring(journal, &to, import, now)).await;
        let brought = brought.map_err(|failure| vec![failure.to_string()])?;
        self.learn_imports().await;
        Ok(brought)
    }

    /// Takes into the cache what was brought in since, here or by another program.
    pub(super) async fn learn_imports(&self) {
        let (store, journal) = (self.world.store.clone(), self.paying.journal.clone());
        let base_url = self.paying.here.base_url.clone();
        let learnt =
            tokio::task::spawn_blocking(move || directory::learn(&store, |after| journal.imports(&base_url, after)));
        if let Ok(Err(error)) = learnt.await {
            // The journal has it all the same, and the next look brings it.
            tracing::warn!(%error, "what was imported is not in the directory");
        }
    }
}
