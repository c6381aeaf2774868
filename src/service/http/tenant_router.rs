//! Many services behind one door: the key that comes with a request says which of them answers it.
//!
//! They are told apart by the hashes of their keys. Who could measure how long a look takes would learn of hashes, and
//! from a hash nobody comes to a key. A request without a key, or with one that nobody here has, goes to a service that
//! knows no key at all: it is turned away there, in the same words and by the same code as everywhere, so that there is no
//! second way to say no.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use axum::extract::Request;
use secrecy::{ExposeSecret, SecretString};

use super::auth::bearer;
use super::middleware::RequestPipeline;
use crate::service::keys;

/// Whoever is in, by the hash of the key.
type TenantPipelines = Arc<RwLock<HashMap<[u8; 32], Arc<RequestPipeline>>>>;

/// Where requests are shown to the service that they are for.
#[derive(Debug, Clone)]
pub(in crate::service) struct TenantRouter {
    nobody: Arc<RequestPipeline>,
    fronts: TenantPipelines,
}

/// The way to one service, which is there until this is dropped.
#[derive(Debug)]
pub(in crate::service) struct TenantRoute {
    hash: [u8; 32],
    fronts: TenantPipelines,
}

impl TenantRouter {
    /// A lobby that leads to `nobody`, a service that knows no key.
    pub(in crate::service) fn new(nobody: RequestPipeline) -> Self {
        Self { nobody: Arc::new(nobody), fronts: TenantPipelines::default() }
    }

    /// Shows whoever has this key to a service.
    pub(in crate::service) fn register(&self, key: &SecretString, front: RequestPipeline) -> TenantRoute {
        let hash = keys::hash(key.expose_secret());
        self.fronts.write().unwrap_or_else(PoisonError::into_inner).insert(hash, Arc::new(front));
        TenantRoute { hash, fronts: Arc::clone(&self.fronts) }
    }

    /// How many services there are.
    pub(in crate::service) fn count(&self) -> usize {
        self.fronts.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Who answers a request. A request that has been shown in is answered to its end, even when its service is left
    /// meanwhile.
    pub(super) fn pipeline_for(&self, request: &Request) -> Arc<RequestPipeline> {
        let hash = bearer(request.headers()).map(keys::hash);
        let fronts = self.fronts.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(hash.and_then(|hash| fronts.get(&hash)).unwrap_or(&self.nobody))
    }
}

impl Drop for TenantRoute {
    fn drop(&mut self) {
        self.fronts.write().unwrap_or_else(PoisonError::into_inner).remove(&self.hash);
    }
}
