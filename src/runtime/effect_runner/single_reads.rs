//! Single reads that belong to no polled data set.

use std::sync::Arc;

use super::super::reads::{self, movements};
use super::EffectRunner;
use crate::app::overlays::movement_search::MovementSearch;
use crate::app::overlays::record::sandbox;
use crate::app::pages::users::MovementList;
use crate::app::{Msg, RequestId};
use crate::domain::{Amount, Direction, Failure, FailureReason, Text, TransactionId, UserId};
use crate::runtime::completion::{Completion, EffectKind};

impl EffectRunner {
    /// Reads a transaction in the service's own format.
    pub(super) fn load_raw_transaction(
        &self,
        seq: i64,
        id: TransactionId,
        direction: Direction,
        request_id: RequestId,
    ) {
        let (resources, completions) = (self.resources.clone(), self.completions.clone());
        let task =
            self.handle.spawn(async move { reads::fetch_raw_transaction(&resources, seq, &id, &direction).await });
        self.handle.spawn(async move {
            let result = task.await.unwrap_or_else(|fault| {
                Err(Failure::from_read(FailureReason::Local, &format!("the read was interrupted: {fault}")))
            });
            let _nobody_listens_at_the_end =
                completions.send(Completion::Message(Msg::RawLoaded { request_id, result }));
            let _nobody_listens_at_the_end = completions.send(Completion::Done(EffectKind::NetworkRead));
        });
    }

    pub(super) fn load_quote(&self, from: Text, amount: Amount, to: Text, request_id: RequestId) {
        let (resources, completions) = (self.resources.clone(), self.completions.clone());
        let task = self.handle.spawn(async move { resources.reader.fetch_swap_quote(&from, amount, &to).await });
        self.handle.spawn(async move {
            let result = task.await.unwrap_or_else(|fault| {
                Err(Failure::from_read(FailureReason::Local, &format!("the read was interrupted: {fault}")))
            });
            let message = Msg::Quoted { request_id, result: result.map(Box::new) };
            let _nobody_listens_at_the_end = completions.send(Completion::Message(message));
            let _nobody_listens_at_the_end = completions.send(Completion::Done(EffectKind::NetworkRead));
        });
    }

    pub(super) fn load_movements(&self, list: MovementList, user: UserId, page_no: u64, request_id: RequestId) {
        let (reader, completions) = (Arc::clone(&self.resources.reader), self.completions.clone());
        self.handle.spawn(async move {
            let result = movements::fetch_movement_page(&reader, list, &user, page_no).await;
            let message = Msg::MovementsLoaded { request_id, page_no, result };
            let _nobody_listens_at_the_end = completions.send(Completion::Message(message));
            let _nobody_listens_at_the_end = completions.send(Completion::Done(EffectKind::NetworkRead));
        });
    }

    pub(super) fn find_movement(&self, search: MovementSearch, request_id: RequestId) {
        let (reader, completions) = (Arc::clone(&self.resources.reader), self.completions.clone());
        self.handle.spawn(async move {
            let result = Box::new(movements::search_movements(&reader, search).await);
            let message = Msg::MovementSearched { request_id, result };
            let _nobody_listens_at_the_end = completions.send(Completion::Message(message));
            let _nobody_listens_at_the_end = completions.send(Completion::Done(EffectKind::NetworkRead));
        });
    }

    /// Reads the sandbox of version 1, part by part.
    pub(super) fn load_v1_sandbox_data(&self, user: Option<UserId>, request_id: RequestId) {
        let (reader, completions) = (Arc::clone(&self.resources.reader), self.completions.clone());
        self.handle.spawn(async move {
            let sandbox_data = Box::new(sandbox::SandboxData {
                prime: reader.fetch_sandbox_prime_assets(None).await,
                sub_wallets: reader.fetch_sandbox_assets(user.as_ref(), None).await,
                addresses: reader.fetch_sandbox_addresses(None, None).await,
            });
            let _nobody_listens_at_the_end =
                completions.send(Completion::Message(Msg::Sandbox { request_id, data: sandbox_data }));
            let _nobody_listens_at_the_end = completions.send(Completion::Done(EffectKind::NetworkRead));
        });
    }
}
