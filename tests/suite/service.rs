//! The embedded service over real HTTP, against the tables of the specification.

mod batch;
mod contract;
mod crashes;
mod document;
mod faults;
#[cfg(unix)]
mod folders;
#[cfg(unix)]
mod full_disk;
pub(crate) mod house;
mod idempotency;
mod keys;
mod life;
mod lists;
mod money;
mod operations;
mod payment_faults;
mod process;
mod shapes;
mod swaps;
mod trials;
#[cfg(unix)]
mod upkeep;
mod v1;
mod webhooks;
