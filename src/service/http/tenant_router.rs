//! Selects one of many services on a port by the request's API key.
//!
//! Services are looked up by the hash of the key: timing could reveal hashes, but a key cannot be derived from its
//! hash. Requests without a key or with an unknown one go to a service without keys and are rejected there by the usual
//! code, so that there is one implementation of a rejection.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use axum::extract::Request;
use secrecy::{ExposeSecret, SecretString};

use super::auth::bearer_token;
use super::middleware::RequestPipeline;
use crate::service::keys;

/// Pipelines by hash of the API key.
type TenantPipelines = Arc<RwLock<HashMap<[u8; 32], Arc<RequestPipeline>>>>;

#[derive(Debug, Clone)]
pub(in crate::service) struct TenantRouter {
    unknown_key_pipeline: Arc<RequestPipeline>,
    pipelines: TenantPipelines,
}

/// The registration of one service, until dropped.
#[derive(Debug)]
pub(in crate::service) struct TenantRegistration {
    key_hash: [u8; 32],
    pipelines: TenantPipelines,
}

impl TenantRouter {
    /// `unknown_key_pipeline` is the pipeline of a service without keys.
    pub(in crate::service) fn new(unknown_key_pipeline: RequestPipeline) -> Self {
        Self { unknown_key_pipeline: Arc::new(unknown_key_pipeline), pipelines: TenantPipelines::default() }
    }

    /// Routes requests with `key` to `pipeline`.
    pub(in crate::service) fn register(&self, key: &SecretString, pipeline: RequestPipeline) -> TenantRegistration {
        let hash = keys::hash_key(key.expose_secret());
        self.pipelines.write().unwrap_or_else(PoisonError::into_inner).insert(hash, Arc::new(pipeline));
        TenantRegistration { key_hash: hash, pipelines: Arc::clone(&self.pipelines) }
    }

    /// Number of registered services.
    pub(in crate::service) fn tenant_count(&self) -> usize {
        self.pipelines.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The pipeline for a request. A request under way is finished even if its service is removed meanwhile.
    pub(super) fn pipeline_for(&self, request: &Request) -> Arc<RequestPipeline> {
        let hash = bearer_token(request.headers()).map(keys::hash_key);
        let fronts = self.pipelines.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(hash.and_then(|hash| fronts.get(&hash)).unwrap_or(&self.unknown_key_pipeline))
    }
}

impl Drop for TenantRegistration {
    fn drop(&mut self) {
        self.pipelines.write().unwrap_or_else(PoisonError::into_inner).remove(&self.key_hash);
    }
}
