//! The embedded service over real HTTP, against the tables of the specification.

mod batch_payments;
mod contract;
mod control;
mod crashes;
#[cfg(unix)]
mod data_folders;
mod faults;
#[cfg(unix)]
mod full_disk;
mod idempotency;
mod keys;
mod lifecycle;
#[cfg(unix)]
mod listening;
mod maintenance;
pub(crate) mod openapi;
mod operations;
mod pagination;
mod payment_faults;
mod process;
mod request_log;
mod response_shapes;
mod settlement;
mod swaps;
pub(crate) mod test_service;
mod v1;
mod webhooks;
