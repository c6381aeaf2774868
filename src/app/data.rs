//! What was read from the service and the store: polling, connection, prices, and how fresh and complete it is.

pub mod analyses;
pub mod attention;
pub mod connection;
pub(super) mod environment;
pub(super) mod freshness;
pub(super) mod gaps;
pub mod initial_sync;
pub mod look_alikes;
pub mod names;
pub mod poll;
pub mod prices;
pub mod proposals;
pub(super) mod queries;
pub mod remote;
pub mod total;
