//! The names by which addresses and identifiers are shown. They are collected on a background thread, whenever known
//! addresses are, since there may be very many.

mod collect;

use std::sync::Arc;

use crate::app::request_id::RequestId;
use crate::domain::address_names::AddressNames;
pub(in crate::app) use collect::start_due;

#[derive(Debug, Clone, Default)]
pub struct CollectedNames {
    pub names: Arc<AddressNames>,
    request_id: RequestId,
    in_flight: bool,
    /// The collection of known addresses that the names belong to; `None` before the first one.
    generation: Option<u64>,
}

impl CollectedNames {
    /// Takes in names; `None` if the query failed.
    pub(in crate::app) fn apply_result(&mut self, request_id: RequestId, names: Option<Arc<AddressNames>>) {
        if request_id == self.request_id {
            self.in_flight = false;
            // Equal names stay the same ones: what depends on them is then known at once to be unchanged.
            if let Some(names) = names.filter(|names| !Arc::ptr_eq(names, &self.names) && *names != self.names) {
                self.names = names;
            }
        }
    }
}
